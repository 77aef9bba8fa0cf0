/* Small dense linear systems, solved in place: at this size a call of LAPACK costs more than the
 * elimination itself. */
#ifndef SLIPI_METHODS_FEW_DENSE_H
#define SLIPI_METHODS_FEW_DENSE_H

#include <stdbool.h>
#include <stdint.h>

enum { SLIPI_FEW_LANES = 4 };

/* Values of a row with n unknowns and the right-hand side behind them: a multiple of the lanes of
 * the loops over it, which so need no remainder. What is behind the right-hand side is 0. */
int32_t slipi_few_stride(int32_t n);

/* x = A^-1 times the column behind A, by elimination with row pivots; false for a matrix that is
 * singular or not finite. */
bool slipi_few_eliminate(int32_t n, int32_t stride, double *A, double *x);

/* The same for a symmetric, positive definite A, of which the upper triangle is given, and any
 * numbers in the columns of its lanes left of the diagonal: half the work. False where a pivot is
 * not positive. */
bool slipi_few_eliminate_definite(int32_t n, int32_t stride, double *A, double *x);

#endif
