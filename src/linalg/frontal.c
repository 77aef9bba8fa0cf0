#include "linalg/frontal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <cholmod.h>
#include <lapacke.h>

/* A dense matrix of `rows` x `rows` of which the first `pivots` are eliminated. The eliminated
 * columns are the panel, what is right of them in the eliminated rows the rest; what remains is
 * the update of the parent. All are stored by columns. */
typedef struct Front {
  int32_t pivots, rows;
  int32_t first;         /* pivot, in the order of elimination */
  int32_t parent;        /* -1: none */
  int32_t child, next;   /* the first of its children, and of its parent's the next; -1: none */
  int64_t panel, right;  /* where their values are */
  int64_t below;         /* where the rows - pivots others are listed in `row` and `up` */
  int64_t update, place; /* on the stack: of the update, and where it is computed */
} Front;

struct SlipiFrontal {
  SlipiNodes nodes;
  int32_t rows, fronts;
  Front *front;
  int32_t *order;      /* row at each place of the elimination */
  int32_t *row;        /* places of the rows below the pivots */
  int32_t *up;         /* and which rows of the parent's front these are */
  int64_t *to;         /* of each block: where it goes */
  int32_t *stride;     /* and from column to column there */
  int64_t value_count; /* of panels and rests */
  int64_t stack_count;
  double *values, *stack; /* from the first factorisation on */
  lapack_int *swap;       /* row exchanges */
  double *y, *t;          /* rows each */
  double flops, work;
  bool (*stop)(void *user); /* NULL: never */
  void *stop_user;
  double unasked;     /* operations since it was asked */
  double least, most; /* pivots of the last factorisation */
  SlipiArena arena;
};

/* What CHOLMOD says of the graph, in the order of elimination. */
typedef struct Cut {
  int32_t fronts;
  int32_t *order;  /* node at each place */
  int32_t *super;  /* front f eliminates the nodes at places super[f]..super[f+1]-1 */
  int32_t *list_p; /* and its rows are the places list[list_p[f]]..list[list_p[f+1]-1] */
  int32_t *list;
} Cut;

/* Up to this order one front is best without a look at the graph. */
enum { ONE_FRONT_UP_TO = 48 };
/* What counts of a factorisation and the few solves that follow: operations, fronts, and the
 * entries of the factors, in units of 0.15 ns. Measured on matrices of 30 to 2000 rows. */
static const double FLOP_WORK = 0.3, FRONT_WORK = 3300, ENTRY_WORK = 30;
/* Fronts are joined up to so many nodes as long as the share of zeros that brings stays below
 * this: less than CHOLMOD does by itself, whose nodes are scalars. Measured on problems of 20 to
 * 1500 contacts. */
static const size_t JOIN_UP_TO[] = {2, 4, 8};
static const double JOIN_ZEROS[] = {0.5, 0.1, 0.05};
enum { FEW = 24 }; /* pivots for which calls of libraries do not pay */
/* Operations after which a factorisation asks whether to go on; fronts with more are factored by so
 * many columns at a time. */
static const double ASK_AFTER = 3e8;
enum { COLUMNS = 192 };

/* ---- Analysis ---- */

static double front_flops(double k, double u) {
  return 2.0 / 3 * k * k * k + 2 * k * k * u + 2 * k * u * u;
}

static double front_work(double k, double u) {
  return FLOP_WORK * front_flops(k, u) + FRONT_WORK + ENTRY_WORK * k * (k + 2 * u);
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
  bool one = rows <= ONE_FRONT_UP_TO;
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
  s->front = SLIPI_ARENA_NEW(&s->arena, Front, cut->fronts);
  int32_t *owner = SLIPI_ARENA_NEW(scratch, int32_t, s->nodes.n);
  if (s->arena.failed || scratch->failed)
    return slipi_fail_memory(error, "the analysis of a matrix");
  int64_t below = 0;
  for (int32_t f = 0; f < cut->fronts; f++) {
    Front *front = &s->front[f];
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
    s->flops += front_flops(front->pivots, (double)rows - front->pivots);
    s->work += front_work(front->pivots, (double)rows - front->pivots);
  }
  for (int32_t f = cut->fronts - 1; f >= 0; f--) {
    int32_t l = cut->list_p[f] + cut->super[f + 1] - cut->super[f];
    if (l == cut->list_p[f + 1])
      continue;
    Front *parent = &s->front[owner[cut->list[l]]];
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
    const Front *front = &s->front[f];
    if (front->parent < 0)
      continue;
    const Front *parent = &s->front[front->parent];
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
  int64_t top = 0, most = 0;
  for (int32_t f = 0; f < s->fronts; f++) {
    Front *front = &s->front[f];
    int64_t u = front->rows - front->pivots;
    front->place = top;
    front->update = front->child >= 0 ? s->front[front->child].update : top;
    most = most > top + u * u ? most : top + u * u;
    top = front->update + u * u;
  }
  return most;
}

/* The row of a front that stands for a place not before its pivots. */
static int64_t local_row(const SlipiFrontal *s, const Front *front, int64_t place) {
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
static void place_blocks(SlipiFrontal *s, const int64_t *start, const int32_t *place,
                         const int32_t *owner) {
  const SlipiNodes *nodes = &s->nodes;
  for (int32_t a = 0; a < nodes->n; a++) {
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++) {
      int32_t row = place[a], column = place[nodes->j[k]];
      const Front *front = &s->front[owner[row < column ? row : column]];
      int64_t i = local_row(s, front, start[row]), j = local_row(s, front, start[column]);
      if (j < front->pivots) {
        s->to[k] = front->panel + i + j * front->rows;
        s->stride[k] = front->rows;
      } else {
        s->to[k] = front->right + i + (j - front->pivots) * front->pivots;
        s->stride[k] = front->pivots;
      }
    }
  }
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
  place_blocks(s, start, place, owner);
  return SLIP_OK;
}

static SlipStatus analyse(SlipiFrontal *s, SlipiArena *scratch, SlipError *error) {
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

SlipStatus slipi_frontal_create(const SlipiNodes *nodes, SlipiFrontal **frontal, SlipError *error) {
  *frontal = NULL;
  SlipiFrontal *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "the factors of a matrix");
  made->nodes = *nodes;
  SlipiArena scratch = {0};
  SlipStatus status = analyse(made, &scratch, error);
  slipi_arena_free(&scratch);
  if (status == SLIP_OK)
    *frontal = made;
  else
    slipi_frontal_free(made);
  return status;
}

void slipi_frontal_free(SlipiFrontal *frontal) {
  if (!frontal)
    return;
  slipi_arena_free(&frontal->arena);
  free(frontal);
}

double slipi_frontal_flops(const SlipiFrontal *frontal) {
  return frontal->flops;
}

int32_t slipi_frontal_fronts(const SlipiFrontal *frontal) {
  return frontal->fronts;
}

double slipi_frontal_work(const SlipiFrontal *frontal) {
  return frontal->work;
}

/* ---- Factorisation ---- */

void slipi_frontal_watch(SlipiFrontal *frontal, bool (*stop)(void *user), void *user) {
  frontal->stop = stop;
  frontal->stop_user = user;
}

static void scatter_blocks(SlipiFrontal *s, const double *x) {
  const SlipiNodes *nodes = &s->nodes;
  memset(s->values, 0, (size_t)s->value_count * sizeof *s->values);
  for (int32_t a = 0; a < nodes->n; a++) {
    int32_t rows = nodes->size[a];
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++) {
      const double *from = x + nodes->offset[k];
      double *to = s->values + s->to[k];
      int32_t columns = nodes->size[nodes->j[k]], stride = s->stride[k];
      for (int32_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < columns; j++)
          to[i + (int64_t)j * stride] = from[i * columns + j];
      }
    }
  }
}

/* Add the update of a child; `update` is the front's own. */
static void take_update(SlipiFrontal *s, const Front *front, const Front *child, double *update) {
  int64_t u = child->rows - child->pivots, own = front->rows - front->pivots;
  const int32_t *up = s->up + child->below;
  const double *from = s->stack + child->update;
  int64_t split = 0; /* rows among the front's pivots */
  while (split < u && up[split] < front->pivots)
    split++;
  for (int64_t j = 0; j < u; j++, from += u) {
    if (j < split) {
      double *to = s->values + front->panel + (int64_t)up[j] * front->rows;
      for (int64_t i = 0; i < u; i++)
        to[up[i]] += from[i];
      continue;
    }
    int64_t column = up[j] - front->pivots;
    double *right = s->values + front->right + column * front->pivots;
    double *to = update + column * own - front->pivots;
    for (int64_t i = 0; i < split; i++)
      right[up[i]] += from[i];
    for (int64_t i = split; i < u; i++)
      to[up[i]] += from[i];
  }
}

static void swap_rows(double *x, int64_t stride, int columns, int a, int b) {
  for (int c = 0; a != b && c < columns; c++, x += stride) {
    double value = x[a];
    x[a] = x[b];
    x[b] = value;
  }
}

/* y -= factor x */
static void subtract(int count, double factor, const double *x, double *y) {
  for (int i = 0; i < count; i++)
    y[i] -= factor * x[i];
}

/* Panel and rest of a front with few pivots, by columns: the calls of libraries would take longer
 * than the arithmetic. False where a pivot is 0. */
static bool eliminate_few(int k, int f, double *panel, double *right, lapack_int *swap) {
  int u = f - k;
  for (int j = 0; j < k; j++) {
    double *column = panel + (int64_t)j * f;
    int best = j;
    for (int i = j + 1; i < k; i++)
      best = fabs(column[i]) > fabs(column[best]) ? i : best;
    if (!(fabs(column[best]) > 0))
      return false;
    swap[j] = best + 1;
    swap_rows(panel, f, k, j, best);
    swap_rows(right, k, u, j, best);
    double pivot = column[j];
    for (int i = j + 1; i < f; i++)
      column[i] /= pivot;
    for (int c = j + 1; c < k; c++)
      subtract(f - j - 1, panel[j + (int64_t)c * f], column + j + 1,
               panel + (int64_t)c * f + j + 1);
  }
  for (int c = 0; c < u; c++, right += k) {
    for (int j = 0; j < k; j++)
      subtract(k - j - 1, right[j], panel + (int64_t)j * f + j + 1, right + j + 1);
  }
  return true;
}

static bool eliminate_many(int k, int f, double *panel, double *right, lapack_int *swap) {
  int u = f - k;
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, panel, f, swap) != 0)
    return false;
  if (u == 0)
    return true;
  LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, u, right, k, 1, k, swap, 1);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, k, u, 1, panel, f,
              right, k);
  cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, u, k, 1, panel, f,
              panel + k, f);
  return true;
}

/* After so many operations: whether to go on. */
static bool goes_on(SlipiFrontal *s, double flops) {
  s->unasked += flops;
  if (!s->stop || s->unasked < ASK_AFTER)
    return true;
  s->unasked = 0;
  return !s->stop(s->stop_user);
}

/* C -= A B, C of `columns` columns, some of these at a time. */
static bool subtract_product(SlipiFrontal *s, int rows, int columns, int inner, const double *A,
                             int stride, const double *B, int64_t stride_B, double beta, double *C,
                             int64_t stride_C) {
  bool go = true;
  for (int at = 0; at < columns && go; at += COLUMNS) {
    int some = columns - at < COLUMNS ? columns - at : COLUMNS;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, some, inner, -1, A, stride,
                B + at * stride_B, (int)stride_B, beta, C + at * stride_C, (int)stride_C);
    go = goes_on(s, 2.0 * rows * some * inner);
  }
  return go;
}

/* As eliminate_many, in steps of COLUMNS pivots between which it may be given up. */
static bool eliminate_steps(SlipiFrontal *s, int k, int f, double *panel, double *right,
                            lapack_int *swap) {
  int u = f - k;
  for (int at = 0; at < k; at += COLUMNS) {
    int some = k - at < COLUMNS ? k - at : COLUMNS, end = at + some;
    double *column = panel + (int64_t)at * f, *rest = panel + (int64_t)end * f;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k - at, some, column + at, f, swap + at) != 0)
      return false;
    for (int i = at; i < end; i++)
      swap[i] += at;
    LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, at, panel, f, at + 1, end, swap, 1);
    LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, k - end, rest, f, at + 1, end, swap, 1);
    LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, u, right, k, at + 1, end, swap, 1);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, u, some, 1,
                column + at, f, column + k, f);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, some, k - end, 1,
                column + at, f, rest + at, f);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, some, u, 1,
                column + at, f, right + at, k);
    if (!subtract_product(s, f - end, k - end, some, column + end, f, rest + at, f, 1, rest + end,
                          f) ||
        !subtract_product(s, k - end, u, some, column + end, f, right + at, k, 1, right + end, k))
      return false;
  }
  return true;
}

/* Eliminate the pivots of a front; false where one is 0, or where it is given up. */
static bool eliminate(SlipiFrontal *s, const Front *front, double *update, double beta) {
  int k = front->pivots, f = front->rows, u = f - k;
  double *panel = s->values + front->panel, *right = s->values + front->right;
  lapack_int *swap = s->swap + front->first;
  if (k > COLUMNS && front_flops(k, u) > ASK_AFTER)
    return eliminate_steps(s, k, f, panel, right, swap) &&
           subtract_product(s, u, u, k, panel + k, f, right, k, beta, update, u);
  if (!(k <= FEW ? eliminate_few(k, f, panel, right, swap)
                 : eliminate_many(k, f, panel, right, swap)))
    return false;
  if (u > 0)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, u, u, k, -1, panel + k, f, right, k,
                beta, update, u);
  return goes_on(s, front_flops(k, u));
}

/* The sign of the pivots' product and of the exchanges; 0 where one is not a number other than
 * 0. */
static int front_sign(SlipiFrontal *s, const Front *front) {
  int sign = 1;
  for (int64_t k = 0; k < front->pivots; k++) {
    double pivot = s->values[front->panel + k * (front->rows + 1)];
    if (pivot == 0 || !isfinite(pivot))
      return 0;
    s->least = fmin(s->least, fabs(pivot));
    s->most = fmax(s->most, fabs(pivot));
    if ((pivot < 0) != (s->swap[front->first + k] != k + 1))
      sign = -sign;
  }
  return sign;
}

static SlipStatus reserve(SlipiFrontal *s, SlipError *error) {
  s->arena.failed = false; /* there may be memory again */
  if (!s->values)
    s->values = SLIPI_ARENA_NEW(&s->arena, double, s->value_count);
  if (!s->stack)
    s->stack = SLIPI_ARENA_NEW(&s->arena, double, s->stack_count);
  return s->values && s->stack ? SLIP_OK : slipi_fail_memory(error, "the factors of a matrix");
}

SlipStatus slipi_frontal_factor(SlipiFrontal *frontal, const double *x, int *sign,
                                SlipError *error) {
  *sign = 0;
  SlipStatus status = reserve(frontal, error);
  if (status != SLIP_OK)
    return status;
  scatter_blocks(frontal, x);
  frontal->unasked = 0;
  frontal->least = INFINITY;
  frontal->most = 0;
  int product = 1;
  for (int32_t f = 0; f < frontal->fronts && product != 0; f++) {
    const Front *front = &frontal->front[f];
    size_t u = (size_t)(front->rows - front->pivots), bytes = u * u * sizeof(double);
    double *update = frontal->stack + front->place;
    if (front->child >= 0 && u > 0)
      memset(update, 0, bytes);
    for (int32_t c = front->child; c >= 0; c = frontal->front[c].next)
      take_update(frontal, front, &frontal->front[c], update);
    if (!eliminate(frontal, front, update, front->child >= 0))
      return SLIP_OK;
    if (front->update != front->place && u > 0)
      memmove(frontal->stack + front->update, update, bytes);
    product *= front_sign(frontal, front);
  }
  *sign = product;
  return SLIP_OK;
}

double slipi_frontal_rcond(const SlipiFrontal *frontal) {
  return frontal->most > 0 ? frontal->least / frontal->most : 0;
}

/* ---- Solution ---- */

static void forward(SlipiFrontal *s, const Front *front) {
  int k = front->pivots, f = front->rows, u = f - k;
  const double *panel = s->values + front->panel;
  const int32_t *row = s->row + front->below;
  double *x = s->y + front->first, *t = s->t;
  for (int i = 0; i < k; i++) {
    int other = (int)s->swap[front->first + i] - 1;
    double value = x[i];
    x[i] = x[other];
    x[other] = value;
  }
  if (k <= FEW) {
    memset(t, 0, (size_t)u * sizeof *t);
    for (int j = 0; j < k; j++, panel += f) {
      subtract(k - j - 1, x[j], panel + j + 1, x + j + 1);
      subtract(u, x[j], panel + k, t);
    }
  } else {
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, k, panel, f, x, 1);
    if (u > 0)
      cblas_dgemv(CblasColMajor, CblasNoTrans, u, k, -1, panel + k, f, x, 1, 0, t, 1);
  }
  for (int i = 0; i < u; i++)
    s->y[row[i]] += t[i];
}

static void backward(SlipiFrontal *s, const Front *front) {
  int k = front->pivots, f = front->rows, u = f - k;
  const double *panel = s->values + front->panel, *right = s->values + front->right;
  const int32_t *row = s->row + front->below;
  double *x = s->y + front->first, *t = s->t;
  if (k <= FEW) {
    for (int c = 0; c < u; c++, right += k)
      subtract(k, s->y[row[c]], right, x);
    panel += (int64_t)k * f;
    for (int j = k - 1; j >= 0; j--) {
      panel -= f;
      x[j] /= panel[j];
      subtract(j, x[j], panel, x);
    }
    return;
  }
  for (int i = 0; i < u; i++)
    t[i] = s->y[row[i]];
  if (u > 0)
    cblas_dgemv(CblasColMajor, CblasNoTrans, k, u, -1, right, k, t, 1, 1, x, 1);
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, k, panel, f, x, 1);
}

void slipi_frontal_solve(SlipiFrontal *frontal, const double *b, double *x) {
  for (int32_t k = 0; k < frontal->rows; k++)
    frontal->y[k] = b[frontal->order[k]];
  for (int32_t f = 0; f < frontal->fronts; f++)
    forward(frontal, &frontal->front[f]);
  for (int32_t f = frontal->fronts - 1; f >= 0; f--)
    backward(frontal, &frontal->front[f]);
  for (int32_t k = 0; k < frontal->rows; k++)
    x[frontal->order[k]] = frontal->y[k];
}
