#include "linalg/frontal_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "base/wide.h"
#include "linalg/few_pivots.h"

/* Nested dissection pays from so many operations of a factorisation for each block of the matrix:
 * it takes some microseconds a block, and saves a tenth of the operations in walls, half of them in
 * piles of 10^4 contacts. */
static const double DISSECT_FLOPS = 2e4;
static const double DISSECT_SECONDS = 1e-5; /* at most, for each block: it cannot be stopped */
/* Fronts with more than LARGE operations are factored by so many columns at a time. */
static const double LARGE = 1e8;
enum { COLUMNS = 192 };
/* What a visit to an entry that is not in a cache counts for. */
static const double VISIT = SLIPI_ASK_FLOPS / SLIPI_ASK_VISITS;

static SlipStatus set(SlipiFrontal *frontal, const SlipiNodes *nodes, const SlipiStop *stop,
                      double most, SlipError *error) {
  SlipiArena arena = frontal->arena, scratch = frontal->scratch;
  slipi_arena_reset(&arena);
  slipi_arena_reset(&scratch);
  *frontal = (SlipiFrontal){.nodes = *nodes,
                            .stop = stop,
                            .arena = arena,
                            .scratch = scratch,
                            .wide = slipi_has_wide_registers()};
  SlipStatus status = slipi_frontal_analyse(frontal, most, error);
  slipi_arena_reset(&frontal->scratch);
  return status;
}

SlipStatus slipi_frontal_set(SlipiFrontal *frontal, const SlipiNodes *nodes, const SlipiStop *stop,
                             SlipError *error) {
  return set(frontal, nodes, stop, 0, error);
}

SlipStatus slipi_frontal_dissect(SlipiFrontal *frontal, SlipError *error) {
  SlipiNodes nodes = frontal->nodes;
  bool one = frontal->fronts <= 1;
  if (one || frontal->flops < DISSECT_FLOPS * nodes.p[nodes.n])
    return SLIP_OK;
  if (slipi_is_stopped_within(frontal->stop, DISSECT_SECONDS * nodes.p[nodes.n]))
    return slipi_fail_stopped(error);
  return set(frontal, &nodes, frontal->stop, frontal->work, error);
}

SlipStatus slipi_frontal_create(const SlipiNodes *nodes, const SlipiStop *stop,
                                SlipiFrontal **frontal, SlipError *error) {
  *frontal = NULL;
  SlipiFrontal *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "the factors of a matrix");
  SlipStatus status = slipi_frontal_set(made, nodes, stop, error);
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
  slipi_arena_free(&frontal->scratch);
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

/* After so many operations: whether to go on. */
static bool goes_on(SlipiFrontal *s, double flops) {
  return !slipi_stops_after(s->stop, &s->unasked, flops, SLIPI_ASK_FLOPS);
}

/* Zeros, some at a time: pages may come with them. */
static bool clear(SlipiFrontal *s, double *values, int64_t count) {
  enum { PIECE = 1 << 18 };
  for (int64_t at = 0; at < count; at += PIECE) {
    int64_t some = count - at < PIECE ? count - at : PIECE;
    memset(values + at, 0, (size_t)some * sizeof *values);
    if (!goes_on(s, VISIT * (double)some / 4))
      return false;
  }
  return true;
}

static bool scatter_blocks(SlipiFrontal *s, const double *x) {
  const SlipiNodes *nodes = &s->nodes;
  if (!clear(s, s->values, s->value_count))
    return false;
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
    if (!goes_on(s, VISIT * rows * (nodes->p[a + 1] - nodes->p[a])))
      return false;
  }
  return true;
}

/* Add the update of a child; `update` is the front's own. False where it is given up. */
static bool take_update(SlipiFrontal *s, const SlipiFront *front, const SlipiFront *child,
                        double *update) {
  int64_t u = child->rows - child->pivots, own = front->rows - front->pivots;
  const int32_t *up = s->up + child->below;
  const double *from = s->stack + child->update;
  int64_t split = 0; /* rows among the front's pivots */
  bool go = true;
  while (split < u && up[split] < front->pivots)
    split++;
  for (int64_t j = 0; go && j < u; j++, from += u) {
    go = goes_on(s, 10 * (double)u);
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
  return go;
}

/* The matrix that the updates of a front's children and its own add up to. */
static bool take_updates(SlipiFrontal *s, const SlipiFront *front, double *update) {
  int64_t u = front->rows - front->pivots;
  bool go = front->child < 0 || clear(s, update, u * u);
  for (int32_t c = front->child; go && c >= 0; c = s->front[c].next)
    go = take_update(s, front, &s->front[c], update);
  return go;
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
static bool eliminate(SlipiFrontal *s, const SlipiFront *front, double *update, double beta) {
  int k = front->pivots, f = front->rows, u = f - k;
  double *panel = s->values + front->panel, *right = s->values + front->right;
  lapack_int *swap = s->swap + front->first;
  if (k > COLUMNS && slipi_front_flops(k, u) > LARGE)
    return eliminate_steps(s, k, f, panel, right, swap) &&
           subtract_product(s, u, u, k, panel + k, f, right, k, beta, update, u);
  if (!(k <= SLIPI_FEW_PIVOTS ? slipi_few_pivots_eliminate(s->wide, k, f, panel, right, swap)
                              : eliminate_many(k, f, panel, right, swap)))
    return false;
  if (u > 0)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, u, u, k, -1, panel + k, f, right, k,
                beta, update, u);
  return goes_on(s, slipi_front_flops(k, u));
}

/* The sign of the pivots' product and of the exchanges; 0 where one is not a number other than
 * 0. */
static int front_sign(SlipiFrontal *s, const SlipiFront *front) {
  int sign = 1;
  for (int64_t k = 0; k < front->pivots; k++) {
    double pivot = s->values[front->panel + k * (front->rows + 1)];
    if (pivot == 0 || !isfinite(pivot))
      return 0;
    s->pivot_least = fmin(s->pivot_least, fabs(pivot));
    s->pivot_largest = fmax(s->pivot_largest, fabs(pivot));
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
  frontal->unasked = 0;
  if (!scatter_blocks(frontal, x))
    return SLIP_OK;
  frontal->pivot_least = INFINITY;
  frontal->pivot_largest = 0;
  int product = 1;
  for (int32_t f = 0; f < frontal->fronts && product != 0; f++) {
    const SlipiFront *front = &frontal->front[f];
    size_t u = (size_t)(front->rows - front->pivots), bytes = u * u * sizeof(double);
    double *update = frontal->stack + front->made_at;
    if (!take_updates(frontal, front, update) ||
        !eliminate(frontal, front, update, front->child >= 0))
      return SLIP_OK;
    if (front->update != front->made_at && u > 0)
      memmove(frontal->stack + front->update, update, bytes);
    product *= front_sign(frontal, front);
  }
  *sign = product;
  return SLIP_OK;
}

double slipi_frontal_rcond(const SlipiFrontal *frontal) {
  return frontal->pivot_largest > 0 ? frontal->pivot_least / frontal->pivot_largest : 0;
}

/* ---- Solution ---- */

static void forward(SlipiFrontal *s, const SlipiFront *front) {
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
  if (k <= SLIPI_FEW_PIVOTS) {
    slipi_few_pivots_forward(s->wide, k, f, panel, x, t);
  } else {
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, k, panel, f, x, 1);
    if (u > 0)
      cblas_dgemv(CblasColMajor, CblasNoTrans, u, k, -1, panel + k, f, x, 1, 0, t, 1);
  }
  for (int i = 0; i < u; i++)
    s->y[row[i]] += t[i];
}

static void backward(SlipiFrontal *s, const SlipiFront *front) {
  int k = front->pivots, f = front->rows, u = f - k;
  const double *panel = s->values + front->panel, *right = s->values + front->right;
  const int32_t *row = s->row + front->below;
  double *x = s->y + front->first, *t = s->t;
  for (int i = 0; i < u; i++)
    t[i] = s->y[row[i]];
  if (k <= SLIPI_FEW_PIVOTS) {
    slipi_few_pivots_subtract(s->wide, k, u, right, k, t, x);
    for (int j = k - 1; j >= 0; j--) {
      x[j] /= panel[j + (int64_t)j * f];
      slipi_few_pivots_subtract(s->wide, j, 1, panel + (int64_t)j * f, f, x + j, x);
    }
    return;
  }
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
