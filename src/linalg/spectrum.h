/* The singular values of a matrix: all of them when it is small, estimates of rank and condition
 * when it is not. */
#ifndef SLIPI_LINALG_SPECTRUM_H
#define SLIPI_LINALG_SPECTRUM_H

#include "linalg/sparse.h"

typedef struct SlipiSpectrum {
  int64_t rank;             /* singular values above n*eps*largest */
  double largest, smallest; /* of the singular values counted in the rank; 0 where it is 0 */
} SlipiSpectrum;

/* By a dense SVD of a square matrix: n^2 memory, n^3 time. */
SlipStatus slipi_spectrum_dense(const SlipiCsr *A, SlipiSpectrum *spectrum, SlipError *error);

/* The rank of a square matrix with positive semidefinite symmetric part and the same null space
 * as that part: how many pivots of a sparse LDL' of the scaled and slightly shifted symmetric
 * part are not tiny. *rank is -1 where more than `flops` operations would be needed. */
SlipStatus slipi_rank_estimate(const SlipiCsr *A, const SlipiCsr *At, double flops, int64_t *rank,
                               SlipError *error);

/* y = A x or y = A' x. */
typedef SlipStatus (*SlipiApply)(void *user, bool transposed, const double *x, double *y,
                                 SlipError *error);

typedef struct SlipiCondition {
  double lsmr; /* LSMR's own running estimate: of the order of magnitude at best */
  double ritz; /* from the singular values of the bidiagonal matrix: at most the true one */
} SlipiCondition;

/* The condition number over the singular values that are not 0, from solving A x = b by LSMR
 * (Fong and Saunders 2011) with a fixed random b and at most `iterations` steps of Golub-Kahan
 * bidiagonalisation. NaN where n = 0 or A = 0. */
SlipStatus slipi_condition_estimate(int32_t n, SlipiApply apply, void *user, int iterations,
                                    SlipiCondition *condition, SlipError *error);

#endif
