/* Rough contacts that hold each other: spheres or stones wedged between others have impulses r_0
 * inside their cones that are in balance without any load, W r_0 = 0. Enough of them, added to any
 * impulses, brings these into the cones and changes no velocity. Such contacts may therefore be
 * taken as glued: a solution in which they stick whatever their impulses are (bilateral contacts)
 * becomes one with their own law. What is left of the problem has far fewer ways to stick and
 * slide, and the impulses of its solutions have bounds. */
#ifndef SLIPI_METHODS_COMMON_HOLD_H
#define SLIPI_METHODS_COMMON_HOLD_H

#include "contact/part.h"
#include "methods/method.h"

typedef struct SlipiHold {
  const SlipiRun *run;
  const double *mu; /* of each contact, as given */
  SlipiPart part;
  SlipiArena arena, inner; /* of the arrays, of a solve */
  double *r;               /* m: zeros */
  double *normal;          /* nc: impulses of the part along the normals */
  bool *held;              /* nc */
  SlipiLaw *law;           /* nc: the relaxed law with less friction */
  double work;             /* operations of all factorisations so far */
} SlipiHold;

/* In zeroed memory; slipi_hold_destroy also after a failure. mu and run stay the caller's. */
SlipStatus slipi_hold_create(const SlipiRun *run, const double *mu, SlipiHold *hold,
                             SlipError *error);
void slipi_hold_destroy(SlipiHold *hold);

/* All Coulomb contacts with more friction than this into hold->held; returns how many. */
int32_t slipi_hold_all(SlipiHold *hold, double mu_least);

/* Of hold->held those that hold each other. *count is 0 where they are fewer than `least`, or
 * cannot be at rest. */
SlipStatus slipi_hold_find(SlipiHold *hold, int32_t least, int32_t *count, SlipError *error);

/* Impulses of the contacts held, in their cones with at most this friction, that leave them at rest
 * if there are any, into r; those of all others stay. */
SlipStatus slipi_hold_lift(SlipiHold *hold, double mu_most, double *r, SlipError *error);

#endif
