/* Newton steps of a few contacts whose flow is normal to K, on the natural map
 *
 *     F(r) = r - P(r - rho u),    u = W r + q,    P the projections on the sets K.
 *
 * The Jacobian P' of a projection is symmetric with eigenvalues in [0, 1]: with rho P' = B B', B of
 * full column rank, the step dr of (I - P' + rho P' W) dr = -F is
 *
 *     dr = B t - F,    (I - B'B / rho + B' W B) t = B' (W F - F / rho)
 *
 * where W is symmetric: a definite matrix with as many unknowns as P' has rank, two for a contact
 * that slides, three for one that sticks. Elimination takes a quarter of the work and less. */
#ifndef SLIPI_METHODS_FEW_NORMAL_H
#define SLIPI_METHODS_FEW_NORMAL_H

#include "contact/law.h"
#include "methods/method.h"

typedef struct SlipiFewNormal {
  bool applies;      /* flows are normal, and W is symmetric */
  double alpha;      /* what is added to its diagonal */
  double *rho;       /* nc */
  double *root;      /* nc: of rho */
  bool *sticks;      /* nc: P' = I, so that B would be the unit matrix times the root */
  SlipiRound *round; /* nc, of curved sets; with the multipliers of their tips at the last look */
  double *B;         /* nc times d columns of d, of contacts that do not stick */
  int32_t *first;    /* nc + 1: the first unknown of each contact */
  double *F;         /* m */
  double *t;         /* m */
  double *row;       /* m */
  double *b;         /* m: the right-hand side is B'b */
} SlipiFewNormal;

/* NULL where some flow is not normal, where all contacts are without friction, or memory fails, of
 * which the arena tells. */
SlipiFewNormal *slipi_few_normal_create(const SlipiRun *run);

/* For another W, m x m by rows, or other laws. `largest`: the largest entry of W's diagonal. */
void slipi_few_normal_prepare(const SlipiRun *run, const double *W, double largest,
                              SlipiFewNormal *s);

/* r += the step at r, of which u is the velocity. A: room for m rows of slipi_few_stride(m). false:
 * the matrix is not definite, or not finite. */
bool slipi_few_normal_step(const SlipiRun *run, SlipiFewNormal *s, const double *W, const double *u,
                           double *A, double *r);

/* Forget what steps before have left as guesses. */
void slipi_few_normal_start(const SlipiRun *run, SlipiFewNormal *s);

#endif
