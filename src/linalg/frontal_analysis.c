/* The analysis of a multifrontal factorisation: the graph of the nodes is ordered and cut into
 * fronts; their sizes, rows and places in memory follow from the cut. */
#include "linalg/cut.h"
#include "linalg/frontal_parts.h"

/* Up to this order one front is best without a look at the graph. */
enum { ONE_FRONT_UP_TO = 48 };
/* A graph with this share of all edges is not worth a cut. */
static const double FULL = 0.9;
/* The work of a factorisation and the few solves that follow: operations, fronts, and the entries
 * of the factors, in units of 0.15 ns. Measured on matrices of 30 to 2000 rows. */
static const double FLOP_WORK = 0.3, FRONT_WORK = 3300, ENTRY_WORK = 30;
static double front_work(double k, double u) {
  return FLOP_WORK * slipi_front_flops(k, u) + FRONT_WORK + ENTRY_WORK * k * (k + 2 * u);
}

/* Scalar rows before each place; returns their number. */
static int64_t scalar_starts(const SlipiNodes *nodes, const SlipiCut *cut, int64_t *start) {
  start[0] = 0;
  for (int32_t a = 0; a < nodes->n; a++)
    start[a + 1] = start[a] + nodes->size[cut->order[a]];
  return start[nodes->n];
}

static double cut_work(const SlipiNodes *nodes, const SlipiCut *cut) {
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

static SlipStatus cut_matrix(const SlipiNodes *nodes, double rows, double most, SlipiArena *arena,
                             SlipiCut *cut, SlipError *error) {
  SlipStatus status = SLIP_OK;
  double n = nodes->n;
  if (most > 0) {
    status = slipi_cut_dissected(nodes->n, nodes->p, nodes->j, arena, cut, error);
    if (status != SLIP_OK || cut_work(nodes, cut) < most)
      return status;
  }
  bool one = rows <= ONE_FRONT_UP_TO || nodes->p[nodes->n] >= FULL * n * n;
  if (!one) {
    status = slipi_cut_graph(nodes->n, nodes->p, nodes->j, arena, cut, error);
    one = status == SLIP_OK && cut_work(nodes, cut) >= front_work(rows, 0);
  }
  return one ? slipi_cut_none(nodes->n, arena, cut, error) : status;
}

/* Sizes and places of the fronts. */
static SlipStatus make_fronts(SlipiFrontal *s, const SlipiCut *cut, const int64_t *start,
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
  s->t = SLIPI_ARENA_NEW(&s->arena, double, below);
  return s->arena.failed ? slipi_fail_memory(error, "the analysis of a matrix") : SLIP_OK;
}

/* The rows below each front's pivots, and where they are in its parent: both ascend. */
static void list_rows(SlipiFrontal *s, const SlipiCut *cut, const int64_t *start) {
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

/* Where the values of a block of `rows` x `columns` go, whose first row and column are at these
 * places. */
static SlipiFrontBlock place_block(const SlipiFrontal *s, const SlipiFront *front, int64_t row,
                                   int64_t column) {
  int64_t i = local_row(s, front, row), j = local_row(s, front, column);
  if (j < front->pivots)
    return (SlipiFrontBlock){.to = front->panel + i + j * front->rows, .stride = front->rows};
  return (SlipiFrontBlock){.to = front->right + i + (j - front->pivots) * front->pivots,
                           .stride = front->pivots};
}

/* The blocks of each front: of those whose earlier node it eliminates. */
static bool place_blocks(SlipiFrontal *s, const int64_t *start, const int32_t *place,
                         const int32_t *owner) {
  const SlipiNodes *nodes = &s->nodes;
  double unasked = 0;
  for (int32_t a = 0; a < nodes->n; a++) {
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++) {
      int32_t row = place[a], column = place[nodes->j[k]];
      s->block_p[owner[row < column ? row : column] + 2]++;
    }
  }
  for (int32_t f = 0; f < s->fronts; f++)
    s->block_p[f + 2] += s->block_p[f + 1];
  for (int32_t a = 0; a < nodes->n; a++) {
    for (int32_t k = nodes->p[a]; k < nodes->p[a + 1]; k++) {
      int32_t row = place[a], column = place[nodes->j[k]];
      int32_t f = owner[row < column ? row : column];
      SlipiFrontBlock *block = &s->block[s->block_p[f + 1]++];
      *block = place_block(s, &s->front[f], start[row], start[column]);
      block->from = nodes->offset[k];
      block->rows = nodes->size[a];
      block->columns = nodes->size[nodes->j[k]];
    }
    if (slipi_stops_after(s->stop, &unasked, nodes->p[a + 1] - nodes->p[a], SLIPI_ASK_VISITS))
      return false;
  }
  return true;
}

static SlipStatus place_matrix(SlipiFrontal *s, const SlipiCut *cut, const int64_t *start,
                               SlipiArena *scratch, SlipError *error) {
  const SlipiNodes *nodes = &s->nodes;
  int32_t *place = SLIPI_ARENA_NEW(scratch, int32_t, nodes->n);
  int32_t *owner = SLIPI_ARENA_NEW(scratch, int32_t, nodes->n);
  int64_t *scalar = SLIPI_ARENA_NEW(scratch, int64_t, (int64_t)nodes->n + 1);
  s->order = SLIPI_ARENA_NEW(&s->arena, int32_t, s->rows);
  s->block_p = SLIPI_ARENA_NEW(&s->arena, int32_t, (int64_t)s->fronts + 2);
  s->block = SLIPI_ARENA_NEW(&s->arena, SlipiFrontBlock, nodes->p[nodes->n]);
  s->swap = SLIPI_ARENA_NEW(&s->arena, lapack_int, s->rows);
  s->y = SLIPI_ARENA_NEW(&s->arena, double, s->rows);
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

SlipStatus slipi_frontal_analyse(SlipiFrontal *s, double most, SlipError *error) {
  SlipiArena *scratch = &s->scratch;
  const SlipiNodes *nodes = &s->nodes;
  SlipiCut cut = {0};
  int64_t rows = 0;
  for (int32_t a = 0; a < nodes->n; a++)
    rows += nodes->size[a];
  if (rows > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "a matrix of %lld rows is too large; at most %d can be indexed",
                      (long long)rows, INT32_MAX);
  s->rows = (int32_t)rows;
  SlipStatus status = cut_matrix(nodes, (double)rows, most, scratch, &cut, error);
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
  status = slipi_frontal_cut_work(s, scratch, error);
  return status == SLIP_OK ? place_matrix(s, &cut, start, scratch, error) : status;
}
