/* Cholesky factors of positive definite matrices that share one pattern: analysed once, factored
 * again for each set of values (CHOLMOD). */
#ifndef SLIPI_LINALG_CHOLESKY_H
#define SLIPI_LINALG_CHOLESKY_H

#include "linalg/sparse.h"

typedef struct SlipiCholesky SlipiCholesky;

/* A's lower triangle by columns (so: the rows of its upper triangle), each column sorted and with
 * its diagonal entry first. p, i and x are borrowed for the life of the factors; the values are
 * not read yet. */
SlipStatus slipi_cholesky_create(const SlipiCsr *A, SlipiCholesky **cholesky, SlipError *error);
void slipi_cholesky_free(SlipiCholesky *cholesky);

/* The cost of a factorisation: operations, and values in the factor. */
double slipi_cholesky_flops(const SlipiCholesky *cholesky);
double slipi_cholesky_fill(const SlipiCholesky *cholesky);

/* Factor the values A.x now holds; where `stop` (NULL: never) ends that, it fails with
 * SLIP_ERROR_NUMERIC. *definite is false where they are not positive definite to
 * rounding, which is no error, but then there is nothing to solve with. */
SlipStatus slipi_cholesky_factor(SlipiCholesky *cholesky, const SlipiStop *stop, bool *definite,
                                 SlipError *error);

/* The squares of the factor's diagonal (the pivots), in A's order: the remainder of each diagonal
 * entry once the unknowns eliminated before it are gone. */
void slipi_cholesky_pivots(const SlipiCholesky *cholesky, double *pivots);

/* x = A^-1 b with the last factors; b and x may be the same. */
SlipStatus slipi_cholesky_solve(SlipiCholesky *cholesky, const double *b, double *x,
                                SlipError *error);

#endif
