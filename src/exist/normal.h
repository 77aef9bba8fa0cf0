/* The normal equations of the existence check in the unknowns (x, s):
 *
 *     sum over contacts of (R G)' (R G) + (the bound of s),   G = (H', -e)
 *
 * with a 3x3 matrix R per contact: a sparse matrix H R'R H' in x with the pattern of the graph of
 * bodies, and one dense row and column for s, which is eliminated last. R is given rather than R'R,
 * whose rounding errors would drown small results: its rows are the eigenvectors of R'R, each in
 * its own size. */
#ifndef SLIPI_EXIST_NORMAL_H
#define SLIPI_EXIST_NORMAL_H

#include "base/stop.h"
#include "exist/kinematics.h"
#include "linalg/cholesky.h"

typedef struct SlipiNormal {
  const SlipiKinematics *kin;
  SlipiCsr A; /* lower triangle by columns, diagonal first */
  SlipiCholesky *cholesky;
  const SlipiStop *stop;    /* of long factorisations; NULL: never */
  double *R;                /* nine values per contact */
  double *Rh;               /* R times each entry of H */
  double bound;             /* the weight of the bound of s */
  double proximal;          /* a multiple of the unit matrix in x */
  double *border, *reduced; /* the column of s, and A^-1 times it */
  double corner, schur;
  double *shift;                                           /* added to A's diagonal */
  double *row, *residual, *change, *product, *current, *z; /* work */
  bool rough;                                              /* the next solves need few digits */
  int64_t solves, factorisations;
} SlipiNormal;

SlipStatus slipi_normal_create(SlipiArena *arena, const SlipiKinematics *kin, SlipiNormal *normal,
                               SlipError *error);
void slipi_normal_free(SlipiNormal *normal);

/* Which degrees of freedom add nothing to the range of H' (drop has one mark for each): without
 * them H' x reaches the same velocities, and the equations have one solution. */
SlipStatus slipi_normal_dependent(SlipiNormal *normal, bool *drop, int32_t *count,
                                  SlipError *error);

/* Factor for the matrices R and `bound`. H need not have full rank: a small multiple of the
 * diagonal is added, and taken off again by the refinement of the solves. *definite is false
 * where even that did not help. */
SlipStatus slipi_normal_factor(SlipiNormal *normal, bool *definite, SlipError *error);

/* Solve for (x, s). x and b may be the same. */
SlipStatus slipi_normal_solve(SlipiNormal *normal, const double *b, double bs, double *x, double *s,
                              SlipError *error);
/* Solve (H R'R H') x = b alone. */
SlipStatus slipi_normal_solve_inner(SlipiNormal *normal, const double *b, double *x,
                                    SlipError *error);

#endif
