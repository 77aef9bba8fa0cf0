/* Dense columns with many pivots: blocks of few of them (linalg/few_pivots.h), between which
 * products (linalg/product.h) do most of the work. The bits are those of pivots taken one by one.
 */
#ifndef SLIPI_LINALG_MANY_PIVOTS_H
#define SLIPI_LINALG_MANY_PIVOTS_H

#include "linalg/few_pivots.h"

/* Eliminate the pivots of all columns of a panel in all of its rows. Rows are exchanged among the
 * first panel.pivots as `swap` tells, in LAPACK's way. False where a pivot is 0. */
bool slipi_many_pivots_factor(SlipiRegisters registers, SlipiPanel panel, lapack_int *swap);

/* X = L^-1 X for `count` columns of k rows, L the unit lower triangle of such factors. */
void slipi_many_pivots_substitute(SlipiRegisters registers, int k, SlipiColumns L, int count,
                                  SlipiColumns X);

#endif
