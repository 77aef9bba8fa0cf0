/* Global problems made of rigid bodies: M diagonal, H from the geometry of the contacts.
 *
 * Vectors have d components, the last one up. A body has 6 degrees of freedom (velocity of its
 * centre, angular velocity) in 3D and 3 in 2D; its inertia about its centre is diagonal. */
#ifndef SLIPI_GEN_BODIES_H
#define SLIPI_GEN_BODIES_H

#include "contact/bodies.h"
#include "gen/gen.h"

/* The velocity that gravity adds in one time step: 9.81 m/s2 during 0.01 s. */
#define SLIPI_FALL 0.0981

/* Refuse more contacts than 32-bit indices can hold. */
SlipStatus slipi_bodies_check(const SlipGenerate *options, int64_t contacts, SlipError *error);

/* A draft with `bodies` bodies and `contacts` contacts, still to be filled in. A body has a
 * contact, so that there are no more bodies than contacts. */
SlipStatus slipi_bodies_start(SlipiDraft *draft, const SlipGenerate *options, int64_t bodies,
                              int64_t contacts, SlipError *error);

/* Mass and inertia of a body (`inertia`: about the three axes in 3D, one value in 2D), and the
 * velocity (d components, no rotation) it would have after the time step without contacts. */
void slipi_bodies_mass(SlipiDraft *draft, int32_t body, double mass, const double *inertia,
                       const double *velocity);

/* Contact between the body that `normal` points into and another one; -1 is the ground. */
typedef struct SlipiTouch {
  int32_t into, from;
  const double *into_centre, *from_centre;
  double point[3], normal[3];
} SlipiTouch;

void slipi_bodies_touch(SlipiDraft *draft, int32_t contact, const SlipiTouch *touch);

/* H' of one contact for one of its bodies: d rows of slipi_body_dof() values. */
void slipi_bodies_block(int d, const SlipiTouch *touch, bool into, double *block);

/* The obstacle of that contact moves with a velocity (d components) there: w = -frame' velocity. */
void slipi_bodies_drive(SlipiDraft *draft, int32_t contact, const double *normal,
                        const double *velocity);

#endif
