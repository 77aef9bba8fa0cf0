/* A first guess where bodies lie on each other: loads handed down from body to body.
 *
 * Of two bodies that touch, the one that would move towards the contact faster if nothing held it
 * lies on the other. Taken in that order, each body comes to rest on those it lies on as if they
 * could not move, and hands them the impulses that takes. The weight of many layers gets to the
 * ground in one pass, where sweeps need one for each layer and more. docs/methods/nsgs.md.
 */
#ifndef SLIPI_METHODS_COMMON_LOADS_H
#define SLIPI_METHODS_COMMON_LOADS_H

#include "contact/onecontact.h"
#include "methods/method.h"

typedef struct SlipiLoads {
  int32_t bodies;
  SlipiRowState free;   /* of the free velocity */
  const double *w;      /* the rest of q: q less the free velocity */
  uint8_t *side;        /* of each contact: which of its two bodies is the upper one */
  int32_t *first;       /* contacts of the bodies that lie on others begin here in `contact`, */
  int32_t *contact;     /* body by body */
  int32_t *above;       /* of each body: contacts through which it still gets loads */
  int32_t *queue;       /* bodies that have got all their loads */
  SlipiOneContact *one; /* room for the contacts of one body */
} SlipiLoads;

/* Allocates nothing, and *loads stays zero, where the operator has no pairs of bodies. */
SlipStatus slipi_loads_create(SlipiRun *run, SlipiLoads *loads, SlipError *error);

/* Set run->r and the row state, which must be the state of r = 0. False, and nothing done, where
 * there is something in r already or q is not the one of the problem's f and w. */
bool slipi_loads_hand_down(SlipiRun *run, SlipiLoads *loads, SlipiRowState *rows);

#endif
