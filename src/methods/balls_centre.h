/* Centring: impulses moved inside their cones along self-stresses, so that what they do to the
 * bodies stays. In the units of contact/scaled.h, mu folded, with r the impulses to be centred,
 *
 *     min (x - r)'W(x - r)/(2 epsilon) + |x|^2/(2 R^2) - sum log det x_c
 *
 * over the contacts that stick; those that slide stay on their ray x = lambda (1, -u_T/|u_T|), with
 * -2 log lambda for log det, open ones are 0, bilateral ones have no barrier, and those whose
 * velocity and impulse do not agree stay as they are. Contacts that stick near the boundary of
 * their cones are what makes Newton's method fail and sweeps creep. */
#ifndef SLIPI_METHODS_BALLS_CENTRE_H
#define SLIPI_METHODS_BALLS_CENTRE_H

#include "contact/scaled.h"
#include "contact/system.h"

typedef struct SlipiCentring {
  SlipiScaled *scaled;
  SlipiSystem *system;
  unsigned char *status; /* of each contact */
  double *r, *x;         /* m: the impulses before and now */
  double *ray;           /* m: of contacts on a ray */
  double *pull;          /* m: W (x - r) */
  double *gradient, *dx, *W_dx;
  double *A, *B; /* 9 a contact */
  double radius, epsilon;
  int factorisations; /* of the last call */
} SlipiCentring;

/* For the problem of an operator; memory comes from the arena and the operator. */
SlipStatus slipi_centring_create(SlipiOperator *op, SlipiArena *arena, SlipiCentring *centring,
                                 SlipError *error);

/* Centre r. Contacts that move apart, or slide, faster than `moves` do not stick. At most `steps`
 * factorisations. */
SlipStatus slipi_centring_run(SlipiCentring *centring, const SlipiLaw *law, const double *q,
                              double moves, int steps, double *r, SlipError *error);

#endif
