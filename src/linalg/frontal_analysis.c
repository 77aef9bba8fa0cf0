/* The analysis of a multifrontal factorisation: CHOLMOD orders the graph of the nodes and cuts it
 * into fronts; their sizes, rows and places in memory follow from the cut. */
#include "linalg/frontal_parts.h"

#include <cholmod.h>

/* CHOLMOD's cut of the graph, in the order of elimination. */
typedef struct Cut {
  int32_t fronts;
  int32_t *order;  /* node at each place */
  int32_t *super;  /* front f eliminates the nodes at places super[f]..super[f+1]-1 */
  int32_t *list_p; /* and its rows are the places list[list_p[f]]..list[list_p[f+1]-1] */
  int32_t *list;
} Cut;

/* Up to this order one front is best without a look at the graph. */
enum { ONE_FRONT_UP_TO = 48 };
/* A graph with this share of all edges is not worth a cut. */
static const double FULL = 0.9;
/* The work of a factorisation and the few solves that follow: operations, fronts, and the entries
 * of the factors, in units of 0.15 ns. Measured on matrices of 30 to 2000 rows. */
static const double FLOP_WORK = 0.3, FRONT_WORK = 3300, ENTRY_WORK = 30;
/* Fronts are joined up to so many nodes as long as the share of zeros that brings stays below
 * this: less than CHOLMOD does by itself, whose nodes are scalars. Measured on problems of 20 to
 * 1500 contacts. */
static const size_t JOIN_UP_TO[] = {2, 4, 8};
static const double JOIN_ZEROS[] = {0.5, 0.1, 0.05};

static double front_work(double k, double u) {
  return FLOP_WORK * slipi_front_flops(k, u) + FRONT_WORK + ENTRY_WORK * k * (k + 2 * u);
}

/* The lower triangle by columns of the pattern and its transpose, as CHOLMOD takes it. */
static SlipStatus lower_triangle(const SlipiNodes *nodes, SlipiArena *arena, cholmod_sparse *A,
                                 SlipError *error) {
  int32_t n = nodes->n;
  int *p = SLIPI_ARENA_NEW(arena, int, (int64_t)n + 2);
  int *i = SLIPI_ARENA_NEW(arena, int, 2 * (int64_t)nodes->p[n]);
  int *seen = SLIPI_ARENA_NEW(arena, int, n);
  int *transposed_p = SLIPI_ARENA_NEW(arena, int, (int64_t)n + 2);
  int *transposed = SLIPI_ARENA_NEW(arena, int, nodes->p[n]);
  if (arena->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  for (int32_t k = 0; k < nodes->p[n]; k++)
    transposed_p[nodes->j[k] + 2]++;
  for (int32_t a = 0; a < n; a++)
    transposed_p[a + 2] += transposed_p[a + 1];
  for (int32_t a = 0; a < n; a++) {
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++)
      transposed[transposed_p[nodes->j[k] + 1]++] = a;
  }
  int used = 0;
  for (int32_t a = 0; a < n; a++) {
    p[a] = used;
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++) {
      if (nodes->j[k] >= a && seen[nodes->j[k]] != a + 1) {
        seen[nodes->j[k]] = a + 1;
        i[used++] = nodes->j[k];
      }
    }
    for (int32_t k = transposed_p[a]; k < transposed_p[a + 1]; k++) {
      if (transposed[k] >= a && seen[transposed[k]] != a + 1) {
        seen[transposed[k]] = a + 1;
        i[used++] = transposed[k];
      }
    }
  }
  p[n] = used;
  *A = (cholmod_sparse){.nrow = (size_t)n,
                        .ncol = (size_t)n,
                        .nzmax = (size_t)used,
                        .p = p,
                        .i = i,
                        .stype = -1,
                        .itype = CHOLMOD_INT,
                        .xtype = CHOLMOD_PATTERN,
                        .dtype = CHOLMOD_DOUBLE,
                        .sorted = 0,
                        .packed = 1};
  return SLIP_OK;
}

/* Order and cut the graph; the result is the arena's. */
static SlipStatus cut_graph(const SlipiNodes *nodes, SlipiArena *arena, Cut *cut,
                            SlipError *error) {
  cholmod_sparse A;
  cholmod_common common;
  SlipStatus status = lower_triangle(nodes, arena, &A, error);
  if (status != SLIP_OK)
    return status;
  cholmod_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SUPERNODAL;
  for (int k = 0; k < 3; k++) {
    common.nrelax[k] = JOIN_UP_TO[k];
    common.zrelax[k] = JOIN_ZEROS[k];
  }
  cholmod_factor *L = cholmod_analyze(&A, &common);
  if (L) {
    size_t n = (size_t)nodes->n;
    cut->fronts = (int32_t)L->nsuper;
    cut->order = slipi_arena_copy(arena, L->Perm, n, sizeof(int32_t));
    cut->super = slipi_arena_copy(arena, L->super, L->nsuper + 1, sizeof(int32_t));
    cut->list_p = slipi_arena_copy(arena, L->pi, L->nsuper + 1, sizeof(int32_t));
    cut->list = slipi_arena_copy(arena, L->s, L->ssize, sizeof(int32_t));
  }
  bool memory = !L || arena->failed;
  cholmod_free_factor(&L, &common);
  cholmod_finish(&common);
  return memory ? slipi_fail_memory(error, "the analysis of a matrix") : SLIP_OK;
}

/* Everything in one front, in the order given. */
static SlipStatus one_front(const SlipiNodes *nodes, SlipiArena *arena, Cut *cut,
                            SlipError *error) {
  int32_t n = nodes->n;
  cut->fronts = n > 0;
  cut->order = SLIPI_ARENA_NEW(arena, int32_t, n);
  cut->super = SLIPI_ARENA_NEW(arena, int32_t, 2);
  cut->list_p = SLIPI_ARENA_NEW(arena, int32_t, 2);
  if (arena->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  for (int32_t a = 0; a < n; a++)
    cut->order[a] = a;
  cut->list = cut->order;
  cut->super[1] = cut->list_p[1] = n;
  return SLIP_OK;
}

/* Scalar rows before each place; returns their number. */
static int64_t scalar_starts(const SlipiNodes *nodes, const Cut *cut, int64_t *start) {
  start[0] = 0;
  for (int32_t a = 0; a < nodes->n; a++)
    start[a + 1] = start[a] + nodes->size[cut->order[a]];
  return start[nodes->n];
}

static double cut_work(const SlipiNodes *nodes, const Cut *cut) {
  double work = 0;
  for (int32_t f = 0; f < cut->fronts; f++) {
    double k = 0, u = 0;
    int32_t pivots = cut->super[f + 1] - cut->super[f];
    for (int32_t l = cut->list_p[f]; l < cut->list_p[f + 1]; l++)
      *(l - cut->list_p[f] < pivots ? &k : &u) += nodes->size[cut->order[cut->list[l]]];
    work += front_work(k, u);
  }
  return work;
}

static SlipStatus cut_matrix(const SlipiNodes *nodes, double rows, SlipiArena *arena, Cut *cut,
                             SlipError *error) {
  SlipStatus status = SLIP_OK;
  double n = nodes->n;
  bool one = rows <= ONE_FRONT_UP_TO || nodes->p[nodes->n] >= FULL * n * n;
  if (!one) {
    status = cut_graph(nodes, arena, cut, error);
    one = status == SLIP_OK && cut_work(nodes, cut) >= front_work(rows, 0);
  }
  return one ? one_front(nodes, arena, cut, error) : status;
}

/* Sizes and places of the fronts. */
static SlipStatus make_fronts(SlipiFrontal *s, const Cut *cut, const int64_t *start,
                              SlipiArena *scratch, SlipError *error) {
  s->fronts = cut->fronts;
  s->front = SLIPI_ARENA_NEW(&s->arena, SlipiFront, cut->fronts);
  int32_t *owner = SLIPI_ARENA_NEW(scratch, int32_t, s->nodes.n);
  if (s->arena.failed || scratch->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  int64_t below = 0;
  for (int32_t f = 0; f < cut->fronts; f++) {
    SlipiFront *front = &s->front[f];
    int64_t rows = 0;
    for (int32_t a = cut->super[f]; a < cut->super[f + 1]; a++)
      owner[a] = f;
    for (int32_t l = cut->list_p[f]; l < cut->list_p[f + 1]; l++)
      rows += start[cut->list[l] + 1] - start[cut->list[l]];
    front->first = (int32_t)start[cut->super[f]];
    front->pivots = (int32_t)(start[cut->super[f + 1]] - start[cut->super[f]]);
    front->rows = (int32_t)rows;
    front->parent = front->child = front->next = -1;
    front->below = below;
    below += rows - front->pivots;
    front->panel = s->value_count;
    front->right = front->panel + rows * front->pivots;
    s->value_count = front->right + front->pivots * (rows - front->pivots);
    s->flops += slipi_front_flops(front->pivots, (double)rows - front->pivots);
    s->work += front_work(front->pivots, (double)rows - front->pivots);
  }
  for (int32_t f = cut->fronts - 1; f >= 0; f--) {
    int32_t l = cut->list_p[f] + cut->super[f + 1] - cut->super[f];
    if (l == cut->list_p[f + 1])
      continue;
    SlipiFront *parent = &s->front[owner[cut->list[l]]];
    s->front[f].parent = owner[cut->list[l]];
    s->front[f].next = parent->child;
    parent->child = f;
  }
  s->row = SLIPI_ARENA_NEW(&s->arena, int32_t, below);
  s->up = SLIPI_ARENA_NEW(&s->arena, int32_t, below);
  return s->arena.failed ? slipi_fail_memory(error, "the analysis of a matrix") : SLIP_OK;
}

/* The rows below each front's pivots, and where they are in its parent: both ascend. */
static void list_rows(SlipiFrontal *s, const Cut *cut, const int64_t *start) {
  for (int32_t f = 0; f < s->fronts; f++) {
    int32_t *row = s->row + s->front[f].below;
    for (int32_t l = cut->list_p[f] + cut->super[f + 1] - cut->super[f]; l < cut->list_p[f + 1];
         l++) {
      for (int64_t k = start[cut->list[l]]; k < start[cut->list[l] + 1]; k++)
        *row++ = (int32_t)k;
    }
  }
  for (int32_t f = 0; f < s->fronts; f++) {
    const SlipiFront *front = &s->front[f];
    if (front->parent < 0)
      continue;
    const SlipiFront *parent = &s->front[front->parent];
    const int32_t *row = s->row + front->below, *there = s->row + parent->below;
    int32_t at = 0;
    for (int32_t k = 0; k < front->rows - front->pivots; k++) {
      if (row[k] < parent->first + parent->pivots) {
        s->up[front->below + k] = row[k] - parent->first;
        continue;
      }
      while (there[at] != row[k])
        at++;
      s->up[front->below + k] = parent->pivots + at;
    }
  }
}

/* Fronts come in postorder: the updates a front takes are the last on the stack. */
static int64_t plan_stack(SlipiFrontal *s) {
  int64_t top = 0, highest = 0;
  for (int32_t f = 0; f < s->fronts; f++) {
    SlipiFront *front = &s->front[f];
    int64_t u = front->rows - front->pivots;
    front->made_at = top;
    front->update = front->child >= 0 ? s->front[front->child].update : top;
    highest = highest > top + u * u ? highest : top + u * u;
    top = front->update + u * u;
  }
  return highest;
}

/* The row of a front that stands for a place not before its pivots. */
static int64_t local_row(const SlipiFrontal *s, const SlipiFront *front, int64_t place) {
  if (place < front->first + front->pivots)
    return place - front->first;
  const int32_t *row = s->row + front->below;
  int32_t low = 0, high = front->rows - front->pivots;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (row[middle] < place)
      low = middle + 1;
    else
      high = middle;
  }
  return front->pivots + low;
}

/* Where the values of each block go: to the front that eliminates the earlier of its two nodes. */
static bool place_blocks(SlipiFrontal *s, const int64_t *start, const int32_t *place,
                         const int32_t *owner) {
  const SlipiNodes *nodes = &s->nodes;
  double unasked = 0;
  for (int32_t a = 0; a < nodes->n; a++) {
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++) {
      int32_t row = place[a], column = place[nodes->j[k]];
      const SlipiFront *front = &s->front[owner[row < column ? row : column]];
      int64_t i = local_row(s, front, start[row]), j = local_row(s, front, start[column]);
      if (j < front->pivots) {
        s->to[k] = front->panel + i + j * front->rows;
        s->stride[k] = front->rows;
      } else {
        s->to[k] = front->right + i + (j - front->pivots) * front->pivots;
        s->stride[k] = front->pivots;
      }
    }
    if (slipi_stops_after(s->stop, &unasked, nodes->p[a + 1] - nodes->p[a], SLIPI_ASK_VISITS))
      return false;
  }
  return true;
}

static SlipStatus place_matrix(SlipiFrontal *s, const Cut *cut, const int64_t *start,
                               SlipiArena *scratch, SlipError *error) {
  const SlipiNodes *nodes = &s->nodes;
  int32_t *place = SLIPI_ARENA_NEW(scratch, int32_t, nodes->n);
  int32_t *owner = SLIPI_ARENA_NEW(scratch, int32_t, nodes->n);
  int64_t *scalar = SLIPI_ARENA_NEW(scratch, int64_t, (int64_t)nodes->n + 1);
  s->order = SLIPI_ARENA_NEW(&s->arena, int32_t, s->rows);
  s->to = SLIPI_ARENA_NEW(&s->arena, int64_t, nodes->p[nodes->n]);
  s->stride = SLIPI_ARENA_NEW(&s->arena, int32_t, nodes->p[nodes->n]);
  s->swap = SLIPI_ARENA_NEW(&s->arena, lapack_int, s->rows);
  s->y = SLIPI_ARENA_NEW(&s->arena, double, s->rows);
  s->t = SLIPI_ARENA_NEW(&s->arena, double, s->rows);
  if (s->arena.failed || scratch->failed)
    return slipi_fail_memory(error, "the factors of a matrix");
  for (int32_t f = 0; f < cut->fronts; f++) {
    for (int32_t a = cut->super[f]; a < cut->super[f + 1]; a++)
      owner[a] = f;
  }
  for (int32_t a = 0; a < nodes->n; a++) {
    place[cut->order[a]] = a;
    scalar[a + 1] = scalar[a] + nodes->size[a];
  }
  for (int32_t a = 0; a < nodes->n; a++) {
    for (int64_t k = 0; k < nodes->size[cut->order[a]]; k++)
      s->order[start[a] + k] = (int32_t)(scalar[cut->order[a]] + k);
  }
  return place_blocks(s, start, place, owner) ? SLIP_OK : slipi_fail_stopped(error);
}

SlipStatus slipi_frontal_analyse(SlipiFrontal *s, SlipiArena *scratch, SlipError *error) {
  const SlipiNodes *nodes = &s->nodes;
  Cut cut = {0};
  int64_t rows = 0;
  for (int32_t a = 0; a < nodes->n; a++)
    rows += nodes->size[a];
  if (rows > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "a matrix of %lld rows is too large; at most %d can be indexed",
                      (long long)rows, INT32_MAX);
  s->rows = (int32_t)rows;
  SlipStatus status = cut_matrix(nodes, (double)rows, scratch, &cut, error);
  if (status != SLIP_OK)
    return status;
  int64_t *start = SLIPI_ARENA_NEW(scratch, int64_t, (int64_t)nodes->n + 1);
  if (!start)
    return slipi_fail_memory(error, "the analysis of a matrix");
  scalar_starts(nodes, &cut, start);
  status = make_fronts(s, &cut, start, scratch, error);
  if (status != SLIP_OK)
    return status;
  list_rows(s, &cut, start);
  s->stack_count = plan_stack(s);
  return place_matrix(s, &cut, start, scratch, error);
}
