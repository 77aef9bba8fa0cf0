/* Sparse factorisation of a positive definite matrix: once per problem, many solves after. */
#ifndef SLIPI_LINALG_FACTOR_H
#define SLIPI_LINALG_FACTOR_H

#include <stdbool.h>

#include "linalg/within.h"

typedef struct SlipiFactor SlipiFactor;

/* CHOLMOD when the matrix is symmetric to rounding, UMFPACK otherwise. A matrix whose symmetric
 * part is not positive definite gives SLIP_ERROR_PROBLEM with the offending row. In messages the
 * matrix is called `name`, and its row k rows[k]; rows NULL: k. `stop` (NULL: never) lives as long
 * as the factors; where it ends the work, that fails with SLIP_ERROR_NUMERIC. */
SlipStatus slipi_factor_create(const SlipiCsr *A, const char *name, const int32_t *rows,
                               const SlipiStop *stop, SlipiFactor **factor, SlipError *error);
void slipi_factor_free(SlipiFactor *factor);
/* Operations that they took; 0 where it is not known. */
double slipi_factor_flops(const SlipiFactor *factor);
/* Entries of the factor of a symmetric matrix; 0 of others. */
double slipi_factor_entries(const SlipiFactor *factor);

/* x = A^-1 b; b and x may not overlap. Works in the factor's own workspace, made at create. */
SlipStatus slipi_factor_solve(SlipiFactor *factor, const double *b, double *x, SlipError *error);

/* X = A^-1 B for `count` columns of n values each. Several columns at once are much faster than
 * one after the other; this call allocates, so it is for making things ready. */
SlipStatus slipi_factor_solve_many(SlipiFactor *factor, int32_t count, const double *B, double *X,
                                   SlipError *error);

/* The part of the factors that the marked rows reach, for solves of which only these rows matter.
 * *within is NULL, which is no error, where the factors have no such part: those of small or
 * unsymmetric matrices. It lives in the arena, and as long as the factors.
 */
SlipStatus slipi_factor_within(const SlipiFactor *factor, const bool *marked, SlipiArena *arena,
                               SlipiWithin **within, SlipError *error);

#endif
