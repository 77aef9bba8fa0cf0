/* Factorisation of the mass matrix M: once per problem, many solves after. */
#ifndef SLIPI_LINALG_FACTOR_H
#define SLIPI_LINALG_FACTOR_H

#include "linalg/sparse.h"

typedef struct SlipiFactor SlipiFactor;

/* Factor a positive definite matrix: CHOLMOD when it is symmetric, UMFPACK otherwise. A matrix
 * that is not positive definite gives SLIP_ERROR_PROBLEM with the offending row or pivot. */
SlipStatus slipi_factor_create(const SlipiCsr *M, const char *name, SlipiFactor **factor,
                               SlipError *error);
void slipi_factor_free(SlipiFactor *factor);

/* x = M^-1 b; b and x of n values may not overlap. Uses the factor's own workspace. */
SlipStatus slipi_factor_solve(SlipiFactor *factor, const double *b, double *x, SlipError *error);

#endif
