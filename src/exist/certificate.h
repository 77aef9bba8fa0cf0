/* Certificates verified in the user's data, by code that shares nothing with the search. */
#ifndef SLIPI_EXIST_CERTIFICATE_H
#define SLIPI_EXIST_CERTIFICATE_H

#include "exist/kinematics.h"

/* The least of u_N - mu |u_T| over the contacts for u = H' v + w, less a bound of the rounding
 * errors of u: where it is positive, u is inside K* beyond doubt. *left is the largest |u| of a
 * bilateral contact. */
double slipi_certify_velocity(const SlipiAffine *data, const double *v, double *left);

typedef struct SlipiImpulseCheck {
  bool in_cone;     /* to the last bit */
  double imbalance; /* the largest |(H r)_j| / max_i |H_ji| */
  double work;      /* w'r */
} SlipiImpulseCheck;

/* r as it is; the caller has scaled it to sum |r| = 1. */
SlipiImpulseCheck slipi_certify_impulse(const SlipiAffine *data, const double *r);

/* Whether the impulse proves that w'r < 0 somewhere in ker(H) and K. */
bool slipi_certificate_holds(const SlipiAffine *data, const SlipiImpulseCheck *check, double tol);

#endif
