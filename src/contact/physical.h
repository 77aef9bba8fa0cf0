/* How far impulses and velocities are from the contacts' laws, in physical terms: the second
 * measure that SOLVED needs, beside the natural-map error (131).
 *
 * The natural map adds impulses to velocities. It therefore changes with the unit of mass, and
 * hardly sees wrong friction between light bodies; and with g(u) = mu |u_T| it hides the
 * penetration of contacts that also slip, the more the rougher they are. Here an impulse is worth
 * the velocity it gives its own contact, w |r| with w the largest diagonal entry of W_aa, and the
 * distance of a contact is that of (w r, u) from the nearest pair its law allows: open, sticking or
 * sliding. mu is only the direction of a ray in it. A small distance says that r is exact for a
 * slightly different q. */
#ifndef SLIPI_CONTACT_PHYSICAL_H
#define SLIPI_CONTACT_PHYSICAL_H

#include "contact/law.h"
#include "contact/operator.h"

/* w of each contact. */
SlipStatus slipi_physical_mobility(SlipiOperator *op, double *w, SlipError *error);

/* A point with all that the measure needs of its problem. */
typedef struct SlipiPoint {
  int32_t d, nc;
  const double *w;         /* nc */
  const double *q, *r, *u; /* d*nc */
  const SlipiShare *share; /* the point is that of all processes */
} SlipiPoint;

/* The root of the sum of the squared distances, divided by |q|; where q = 0, by the largest w |r|.
 * mu holds the coefficients as they were given: laws may hold smaller ones for the methods,
 * which count where it is NULL. */
double slipi_physical_error(const SlipiPoint *point, const SlipiLaw *law, const double *mu);

#endif
