/* Global problems whose kinematics are known to meet the existence criterion or not, by
 * construction, and a check of certificates that shares no code with the library. */
#ifndef SLIPCONE_TESTS_KINEMATIC_CASE_H
#define SLIPCONE_TESTS_KINEMATIC_CASE_H

#include <slipcone/check.h>

#include "base/random.h"

typedef struct KinematicCase {
  int32_t dimension, contacts, bodies, dof_each;
  double mu_most;   /* coefficients between 0 (one in eight) and this */
  double margin;    /* wanted: negative for a problem that fails */
  double loaded;    /* share of the contacts in the self-stress r */
  int frictionless; /* no contact has friction */
} KinematicCase;

/* A random H with H r = 0 for some r in K (sum r_N = 1 over the loaded contacts) and w with
 * w'r = margin, so that no margin is above that; with margin >= 0 some v has just that margin.
 * The unit mass matrix. NULL on failure. */
SlipProblem *kinematic_problem(const KinematicCase *wanted, SlipiRandom *random);

/* The least of u_N - mu |u_T| for u = H' v + w, and the largest error of H r = 0, relative to the
 * largest entry of each row of H; both in long double. */
double reference_margin(const SlipProblem *problem, const double *v);
typedef struct ReferenceImpulse {
  double outside;   /* how far r leaves K, 0 inside */
  double imbalance; /* max_j |(H r)_j| / max_i |H_ji| */
  double work;      /* w'r */
  double sum;       /* of |r| */
} ReferenceImpulse;
ReferenceImpulse reference_impulse(const SlipProblem *problem, const double *r);

/* A case of random size and friction, with up to `contacts_most` contacts; the margin is left to
 * the caller. */
KinematicCase kinematic_random(SlipiRandom *random, int32_t contacts_most);

#endif
