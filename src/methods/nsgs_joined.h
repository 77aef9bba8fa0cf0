/* Sweeps over contacts that roll, of rigid bodies in 3D: a visit solves for the impulse and then
 * for the moments that it allows, as one to each block does, but reads and writes the bodies once.
 * As many sweeps do as with both solved for together, at a quarter of the cost. */
#ifndef SLIPI_METHODS_NSGS_JOINED_H
#define SLIPI_METHODS_NSGS_JOINED_H

#include "contact/pairs.h"
#include "methods/nsgs_sweep.h"

/* How a contact and its moments are visited. */
typedef struct SlipiJoinedVisit {
  bool uniform;  /* momentum, the same for all, has carried r to where `before` is */
  bool momentum; /* take note of how the changes compare with the movement */
  bool damped;
} SlipiJoinedVisit;

/* Whether all contacts that roll can be visited so; prepares it. */
bool slipi_joined_prepare(const SlipiRun *run, const SlipiSweep *sweep);

/* A visit to the contact whose moments are block b; returns the square of both changes, and adds to
 * *against what momentum has carried too far. */
double slipi_joined_visit(SlipiRun *run, SlipiSweep *sweep, const SlipiPairs *pairs, int32_t b,
                          SlipiJoinedVisit how, double *against);

/* Momentum for both, back in K, which begins again where *whole says so; NULL: where their bodies
 * do. */
void slipi_joined_push(SlipiRun *run, SlipiSweep *sweep, const SlipiPairs *pairs, int32_t b,
                       const bool *whole);

#endif
