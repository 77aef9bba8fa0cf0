/* Dense fronts with few pivots, by columns: the calls of libraries would take longer than the
 * arithmetic. Four pivots are taken at a time, so that a column is read and written once for four
 * of them. Every entry sees the same operations in the same order as if they came one by one: the
 * bits depend neither on that nor on how wide the registers of a machine are. */
#ifndef SLIPI_LINALG_FEW_PIVOTS_H
#define SLIPI_LINALG_FEW_PIVOTS_H

#include <lapacke.h>
#include <stdbool.h>
#include <stdint.h>

#include "linalg/product.h"

enum { SLIPI_FEW_PIVOTS = 64 }; /* at most, of a front that is eliminated as a whole */

/* Columns of a front, `stride` apart. Pivots are looked for in the first `pivots` rows of each. */
typedef struct SlipiPanel {
  double *at;
  int64_t stride;
  int columns, pivots, rows;
} SlipiPanel;

/* The functions are told whether the machine has wide registers (base/wide.h). */

/* Eliminate the first k of the f rows of a front. `panel` are its first k columns, f rows each,
 * which become the factors; `right` the first k rows of its other columns, k rows each. Rows are
 * exchanged among the first k as `swap` tells, in LAPACK's way. False where a pivot is 0. */
bool slipi_few_pivots_eliminate(bool wide, int k, int f, double *panel, double *right,
                                lapack_int *swap);

/* Eliminate pivots first ... end - 1 in their own columns and in all rows; those before have been.
 * Exchanges are of whole rows of the panel. False where a pivot is 0. */
bool slipi_few_pivots_factor(bool wide, int first, int end, SlipiPanel panel, lapack_int *swap);

/* Rows first ... end - 1 of `count` columns of X are multiplied by the inverse of the unit lower
 * triangle that L has in these rows and columns. */
void slipi_few_pivots_substitute(bool wide, int first, int end, SlipiColumns L, int count,
                                 SlipiColumns X);

/* Forward substitution, for any number of pivots: x = L^-1 x for the first k rows, and t = -L x for
 * the f - k rows below. */
void slipi_few_pivots_forward(bool wide, int k, int f, const double *panel, double *x, double *t);

/* y -= A x, A of `rows` x `columns`, by columns `stride` apart. */
void slipi_few_pivots_subtract(bool wide, int rows, int columns, const double *A, int64_t stride,
                               const double *x, double *y);

#endif
