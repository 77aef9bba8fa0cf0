/* Sparse factorisation of a positive definite matrix: once per problem, many solves after. */
#ifndef SLIPI_LINALG_FACTOR_H
#define SLIPI_LINALG_FACTOR_H

#include <stdbool.h>

#include "base/team.h"
#include "linalg/sparse.h"

typedef struct SlipiFactor SlipiFactor;

/* CHOLMOD when the matrix is symmetric to rounding, UMFPACK otherwise. A matrix whose symmetric
 * part is not positive definite gives SLIP_ERROR_PROBLEM with the offending row. In messages the
 * matrix is called `name`, and its row k rows[k]; rows NULL: k. `stop` (NULL: never) lives as long
 * as the factors; where it ends the work, that fails with SLIP_ERROR_NUMERIC. */
SlipStatus slipi_factor_create(const SlipiCsr *A, const char *name, const int32_t *rows,
                               const SlipiStop *stop, SlipiFactor **factor, SlipError *error);
/* The same with an order for so many solves within the rows that are marked (NULL: none), below. */
SlipStatus slipi_factor_create_last(const SlipiCsr *A, const char *name, const int32_t *rows,
                                    const bool *last, double solves, const SlipiStop *stop,
                                    SlipiFactor **factor, SlipError *error);
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

/* Solves of which only some rows matter: B is 0 and X is not wanted elsewhere. They pass through
 * the part of the factors that those rows reach, in an order of its own: its places. */
typedef struct SlipiWithin SlipiWithin;

/* For the rows that are marked. *within is NULL, which is no error, where the factors have no such
 * part: those of small or unsymmetric matrices. It lives in the arena, and as long as the factors.
 */
SlipStatus slipi_factor_within(const SlipiFactor *factor, const bool *marked, SlipiArena *arena,
                               SlipiWithin **within, SlipError *error);
int32_t slipi_within_places(const SlipiWithin *within);
/* Operations of a solve for one column. */
double slipi_within_flops(const SlipiWithin *within);
int32_t slipi_within_place(const SlipiWithin *within, int32_t row);

enum { SLIPI_WITHIN_COLUMNS = 192 }; /* at most, of one solve */

/* Values of room for a solve: the columns of X, and what is needed beside. */
int64_t slipi_within_room(const SlipiWithin *within);

/* X = A^-1 B in place, by columns of slipi_within_places values at the beginning of a room. B is 0
 * before the place `first`, and X is not wanted there. False where it was stopped. */
bool slipi_within_solve(const SlipiWithin *within, int32_t first, int32_t count,
                        const SlipiStop *stop, double *X);

/* Solves for many columns, in `count` chunks that the threads of a team take: visit does one of
 * them in the room it is given, and says whether it was not stopped. Rooms come from the arena, one
 * a thread. */
typedef bool (*SlipiWithinVisit)(void *user, int32_t chunk, double *X);
SlipStatus slipi_within_each(const SlipiWithin *within, SlipiTeam *team, int32_t count,
                             SlipiWithinVisit visit, void *user, SlipiArena *arena,
                             SlipError *error);

#endif
