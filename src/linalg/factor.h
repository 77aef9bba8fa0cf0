/* Sparse factorisation of a positive definite matrix: once per problem, many solves after. */
#ifndef SLIPI_LINALG_FACTOR_H
#define SLIPI_LINALG_FACTOR_H

#include "linalg/sparse.h"

typedef struct SlipiFactor SlipiFactor;

/* CHOLMOD when the matrix is symmetric to rounding, UMFPACK otherwise. A matrix whose symmetric
 * part is not positive definite gives SLIP_ERROR_PROBLEM with the offending row; `name` is the
 * matrix's name in messages. */
SlipStatus slipi_factor_create(const SlipiCsr *A, const char *name, SlipiFactor **factor,
                               SlipError *error);
void slipi_factor_free(SlipiFactor *factor);

/* x = A^-1 b; b and x may not overlap. Works in the factor's own workspace, made at create. */
SlipStatus slipi_factor_solve(SlipiFactor *factor, const double *b, double *x, SlipError *error);

/* X = A^-1 B for `count` columns of n values each. Several columns at once are much faster than
 * one after the other; this call allocates, so it is for making things ready. */
SlipStatus slipi_factor_solve_many(SlipiFactor *factor, int32_t count, const double *B, double *X,
                                   SlipError *error);

#endif
