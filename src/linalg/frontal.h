/* LU factors of matrices that share one pattern of dense blocks, by the multifrontal method: the
 * blocks' graph is ordered and cut into fronts once (linalg/cut.h), each set of values is then
 * factored in dense matrices (BLAS, LAPACK). Small and full matrices are one front.
 *
 * Rows are exchanged within a front's own pivots only. That keeps the fill of the analysis and
 * suits matrices near to positive definite ones; the caller sees from a residual how much accuracy
 * it costs. The factors are allocated by the first factorisation, nothing after it. */
#ifndef SLIPI_LINALG_FRONTAL_H
#define SLIPI_LINALG_FRONTAL_H

#include "base/arena.h"
#include "base/stop.h"
#include "base/team.h"

/* A square matrix by blocks: node a has size[a] scalar rows; block k of row a (p[a] <= k < p[a+1])
 * is in the columns of node j[k] and has its values, row-major, from offset[k] on. Every row has
 * its diagonal block. The pattern need not be symmetric, but is treated as if it were. */
typedef struct SlipiNodes {
  int32_t n;
  const int32_t *size;
  const int32_t *p, *j;
  const int64_t *offset;
} SlipiNodes;

typedef struct SlipiFrontal SlipiFrontal;

/* The arrays of `nodes` are borrowed for the life of the factors, and so are `team` (NULL: one
 * thread), which shares work that is long enough, with the same bits for any number of threads, and
 * `stop` (NULL: never), which is asked every few hundredths of a second. An analysis that is
 * stopped fails with SLIP_ERROR_NUMERIC; a factorisation counts as singular. */
SlipStatus slipi_frontal_create(const SlipiNodes *nodes, SlipiTeam *team, const SlipiStop *stop,
                                SlipiFrontal **frontal, SlipError *error);
/* Another pattern, in the same memory; after a failure it may only be set again or freed. */
SlipStatus slipi_frontal_set(SlipiFrontal *frontal, const SlipiNodes *nodes, SlipiTeam *team,
                             const SlipiStop *stop, SlipError *error);
/* Order the pattern anew by nested dissection where a factorisation takes long enough for that, and
 * keep the better order of the two; before the first factorisation. */
SlipStatus slipi_frontal_dissect(SlipiFrontal *frontal, SlipError *error);
void slipi_frontal_free(SlipiFrontal *frontal);

/* Floating-point operations of a factorisation, and the number of fronts. */
double slipi_frontal_flops(const SlipiFrontal *frontal);
int32_t slipi_frontal_fronts(const SlipiFrontal *frontal);
/* The work of a factorisation and the solves after it, from operations, fronts and entries, in the
 * units of slipi_lu_work. Counted, never timed. */
double slipi_frontal_work(const SlipiFrontal *frontal);

/* Factor the values x. *sign is the sign of the determinant, 1 or -1; 0 where a pivot is 0 or not
 * finite, which is no error but leaves nothing to solve with. */
SlipStatus slipi_frontal_factor(SlipiFrontal *frontal, const double *x, int *sign,
                                SlipError *error);

/* The ratio of the smallest to the largest pivot of the last factorisation, a crude reciprocal
 * condition; 0 after one that was singular. */
double slipi_frontal_rcond(const SlipiFrontal *frontal);

/* x = A^-1 b with the last factors; b and x may be the same. */
void slipi_frontal_solve(SlipiFrontal *frontal, const double *b, double *x);

#endif
