/* LU factors of matrices that share one block-sparse pattern: linalg/lu.h with the sign of the
 * determinant and iterative refinement, for matrices that come near to being singular. */
#ifndef SLIPI_LINALG_BLOCKLU_H
#define SLIPI_LINALG_BLOCKLU_H

#include "linalg/bsr.h"
#include "linalg/lu.h"

typedef struct SlipiBlocklu {
  const SlipiBsr *A;
  SlipiCsr scalar; /* the matrix by scalar rows */
  SlipiLu *lu;
  double rcond;                  /* of the last factors, as slipi_lu_factor has it */
  double *residual, *correction; /* as long as A has rows */
} SlipiBlocklu;

/* Analyse the pattern of A, whose values are not read and which must outlive the factors. Memory
 * comes from the arena but for lu->lu, which slipi_blocklu_free frees, also after a failure; `lu`
 * is zeroed memory. `stop` as for slipi_lu_create. */
SlipStatus slipi_blocklu_create(const SlipiBsr *A, const SlipiStop *stop, SlipiArena *arena,
                                SlipiBlocklu *lu, SlipError *error);
void slipi_blocklu_free(SlipiBlocklu *lu);

/* Factor the values A->x as they are now. *sign is the sign of the determinant: 1 or -1, or 0
 * for a matrix that is singular or not finite, which leaves no factors. */
SlipStatus slipi_blocklu_factor(SlipiBlocklu *lu, int *sign, SlipError *error);

/* x = A^-1 b with the last factors and iterative refinement against A->x, which must hold the
 * values that were factored. b and x may not overlap. */
SlipStatus slipi_blocklu_solve(SlipiBlocklu *lu, const double *b, double *x, SlipError *error);

#endif
