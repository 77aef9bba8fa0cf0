#include "linalg/few_pivots.h"

#include <math.h>
#include <string.h>

#include "base/wide.h"

enum { STEP = 4 };  /* pivots at a time */
enum { FOURS = 4 }; /* groups of four columns that are taken together */

/* y -= factor x */
SLIPI_INLINE void subtract(int count, double factor, const double *restrict x, double *restrict y) {
  for (int i = 0; i < count; i++)
    y[i] -= factor * x[i];
}

/* y -= factor x for STEP columns x with a factor each, one after the other. */
SLIPI_INLINE void subtract_step(int count, const double *factor, const double *restrict x,
                                int64_t stride, double *restrict y) {
  double a = factor[0], b = factor[1], c = factor[2], d = factor[3];
  const double *xb = x + stride, *xc = xb + stride, *xd = xc + stride;
  for (int i = 0; i < count; i++)
    y[i] = (((y[i] - a * x[i]) - b * xb[i]) - c * xc[i]) - d * xd[i];
}

SLIPI_INLINE void subtract_columns(int rows, int columns, const double *A, int64_t stride,
                                   const double *x, double *y) {
  int j = 0;
  for (; j + STEP <= columns; j += STEP)
    subtract_step(rows, x + j, A + j * stride, stride, y);
  for (; j < columns; j++)
    subtract(rows, x[j], A + j * stride, y);
}

/* x = L^-1 x for the unit lower triangle of pivots first ... end - 1, and the rows up to `rows`
 * below them follow. */
SLIPI_INLINE void substitute(int first, int end, int rows, const double *panel, int64_t f,
                             double *x) {
  for (int j = first; j < end; j++)
    subtract(end - j - 1, x[j], panel + j * f + j + 1, x + j + 1);
  subtract_columns(rows - end, end - first, panel + first * f + end, f, x + first, x + end);
}

SLIPI_INLINE int step_end(int at, int k) {
  return k - at < STEP ? k : at + STEP;
}

/* x = L^-1 x for the unit lower triangle of pivots first ... end - 1. */
SLIPI_INLINE void substitute_column(int first, int end, const double *panel, int64_t f, double *x) {
  for (int at = first, next; at < end; at = next) {
    next = step_end(at, end);
    substitute(at, next, end, panel, f, x);
  }
}

static void swap_rows(double *x, int64_t stride, int columns, int a, int b) {
  for (int c = 0; a != b && c < columns; c++, x += stride) {
    double value = x[a];
    x[a] = x[b];
    x[b] = value;
  }
}

/* Pivots first ... end - 1 of the panel, in their own columns; the exchanges are of whole rows. */
SLIPI_INLINE bool factor_step(int first, int end, SlipiPanel p, lapack_int *swap) {
  for (int j = first; j < end; j++) {
    double *column = p.at + j * p.stride;
    int best = j;
    for (int i = j + 1; i < p.pivots; i++)
      best = fabs(column[i]) > fabs(column[best]) ? i : best;
    if (!(fabs(column[best]) > 0))
      return false;
    swap[j] = best + 1;
    swap_rows(p.at, p.stride, p.columns, j, best);
    double pivot = column[j];
    for (int i = j + 1; i < p.rows; i++)
      column[i] /= pivot;
    for (int c = j + 1; c < end; c++)
      subtract(p.rows - j - 1, p.at[j + c * p.stride], column + j + 1, p.at + c * p.stride + j + 1);
  }
  return true;
}

/* The same for any number of pivots, with effect on the columns up to `last`. */
SLIPI_INLINE bool factor(int first, int end, int last, SlipiPanel p, lapack_int *swap) {
  for (int at = first, next; at < end; at = next) {
    next = step_end(at, end);
    if (!factor_step(at, next, p, swap))
      return false;
    for (int c = next; c < last; c++)
      substitute(at, next, p.rows, p.at, p.stride, p.at + c * p.stride);
  }
  return true;
}

/* Four numbers, those of columns side by side. */
typedef double Four __attribute__((vector_size(4 * sizeof(double))));

/* Four numbers at any place of memory, where doubles may begin. */
typedef double Placed
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

SLIPI_INLINE void transpose(Four x[4]) {
  Four low = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
  Four low_next = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
  Four high = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  Four high_next = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(low, low_next, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(high, high_next, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(low, low_next, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(high, high_next, 2, 3, 6, 7);
}

/* Four columns of k rows, as one column of X: its row j has their entries of row j side by side. */
SLIPI_INLINE void take_four(int k, const double *columns, int fours, Four *X) {
  int j = 0;
  for (; j + 4 <= k; j += 4) {
    Four x[4];
    for (int l = 0; l < 4; l++)
      x[l] = *(const Placed *)(columns + l * k + j);
    transpose(x);
    for (int l = 0; l < 4; l++)
      X[(j + l) * fours] = x[l];
  }
  for (; j < k; j++)
    X[j * fours] = (Four){columns[j], columns[k + j], columns[2 * k + j], columns[3 * k + j]};
}

SLIPI_INLINE void give_four(int k, const Four *X, int fours, double *columns) {
  int j = 0;
  for (; j + 4 <= k; j += 4) {
    Four x[4] = {X[j * fours], X[(j + 1) * fours], X[(j + 2) * fours], X[(j + 3) * fours]};
    transpose(x);
    for (int l = 0; l < 4; l++)
      *(Placed *)(columns + l * k + j) = x[l];
  }
  for (; j < k; j++) {
    for (int l = 0; l < 4; l++)
      columns[l * k + j] = X[j * fours][l];
  }
}

/* The first rows of 4 `fours` columns of the right part: exchanges, then X = L^-1 X, row by row
 * with the columns side by side. One by one they are too short for wide registers. */
SLIPI_INLINE void substitute_fours(int fours, int k, const double *restrict panel, int64_t f,
                                   const lapack_int *swap, double *restrict right) {
  Four X[SLIPI_FEW_PIVOTS * FOURS];
  for (int c = 0; c < fours; c++)
    take_four(k, right + (int64_t)4 * c * k, fours, X + c);
  for (int i = 0; i < k; i++) {
    Four row[FOURS], *other = X + (swap[i] - 1) * fours;
    for (int c = 0; c < fours; c++) {
      row[c] = other[c];
      other[c] = X[i * fours + c];
    }
    for (int j = 0; j < i; j++) {
      double factor = panel[i + j * f];
      for (int c = 0; c < fours; c++)
        row[c] -= factor * X[j * fours + c];
    }
    for (int c = 0; c < fours; c++)
      X[i * fours + c] = row[c];
  }
  for (int c = 0; c < fours; c++)
    give_four(k, X + c, fours, right + (int64_t)4 * c * k);
}

/* One column of the right part: exchanges, then x = L^-1 x. */
SLIPI_INLINE void substitute_one(int k, const double *panel, int64_t f, const lapack_int *swap,
                                 double *right) {
  for (int j = 0; j < k; j++)
    swap_rows(right, k, 1, j, (int)swap[j] - 1);
  substitute_column(0, k, panel, f, right);
}

SLIPI_INLINE bool eliminate(int k, int f, double *panel, double *right, lapack_int *swap) {
  int c = 0, u = f - k;
  if (!factor(0, k, k, (SlipiPanel){panel, f, k, k, f}, swap))
    return false;
  for (; c + 4 * FOURS <= u; c += 4 * FOURS)
    substitute_fours(FOURS, k, panel, f, swap, right + (int64_t)c * k);
  for (; c + 4 <= u; c += 4)
    substitute_fours(1, k, panel, f, swap, right + (int64_t)c * k);
  for (; c < u; c++)
    substitute_one(k, panel, f, swap, right + (int64_t)c * k);
  return true;
}

SLIPI_INLINE void forward(int k, int f, const double *panel, double *x, double *t) {
  substitute_column(0, k, panel, f, x);
  memset(t, 0, (size_t)(f - k) * sizeof *t);
  subtract_columns(f - k, k, panel + k, f, x, t);
}

SLIPI_INLINE void substitute_block(int first, int end, SlipiColumns L, int count, SlipiColumns X) {
  for (int c = 0; c < count; c++)
    substitute_column(first, end, L.at, L.stride, X.at + c * X.stride);
}

SLIPI_WIDE static bool factor_wide(int first, int end, SlipiPanel panel, lapack_int *swap) {
  return factor(first, end, end, panel, swap);
}

SLIPI_WIDE static void substitute_wide(int first, int end, SlipiColumns L, int count,
                                       SlipiColumns X) {
  substitute_block(first, end, L, count, X);
}

SLIPI_WIDE static bool eliminate_wide(int k, int f, double *panel, double *right,
                                      lapack_int *swap) {
  return eliminate(k, f, panel, right, swap);
}

SLIPI_WIDE static void forward_wide(int k, int f, const double *panel, double *x, double *t) {
  forward(k, f, panel, x, t);
}

SLIPI_WIDE static void subtract_wide(int rows, int columns, const double *A, int64_t stride,
                                     const double *x, double *y) {
  subtract_columns(rows, columns, A, stride, x, y);
}

bool slipi_few_pivots_eliminate(bool wide, int k, int f, double *panel, double *right,
                                lapack_int *swap) {
  return wide ? eliminate_wide(k, f, panel, right, swap) : eliminate(k, f, panel, right, swap);
}

void slipi_few_pivots_forward(bool wide, int k, int f, const double *panel, double *x, double *t) {
  if (wide)
    forward_wide(k, f, panel, x, t);
  else
    forward(k, f, panel, x, t);
}

void slipi_few_pivots_subtract(bool wide, int rows, int columns, const double *A, int64_t stride,
                               const double *x, double *y) {
  if (wide)
    subtract_wide(rows, columns, A, stride, x, y);
  else
    subtract_columns(rows, columns, A, stride, x, y);
}

bool slipi_few_pivots_factor(bool wide, int first, int end, SlipiPanel panel, lapack_int *swap) {
  return wide ? factor_wide(first, end, panel, swap) : factor(first, end, end, panel, swap);
}

void slipi_few_pivots_substitute(bool wide, int first, int end, SlipiColumns L, int count,
                                 SlipiColumns X) {
  if (wide)
    substitute_wide(first, end, L, count, X);
  else
    substitute_block(first, end, L, count, X);
}
