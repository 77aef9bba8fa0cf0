/* The result of an interior-point iteration. Impulses inside the cones leave an error at contacts
 * that are open or slide, which falls like the barrier parameter at best, and not at all where that
 * is the rounding of larger impulses. The projections of r - u have none there, but move contacts
 * that are not strictly complementary by more than that. The better of both is the result. */
#ifndef SLIPI_METHODS_COMMON_SETTLE_H
#define SLIPI_METHODS_COMMON_SETTLE_H

#include "methods/common_cone.h"
#include "methods/method.h"

typedef struct SlipiSettle {
  double *scaled;      /* 3 a contact */
  double *settled, *v; /* m */
} SlipiSettle;

/* From run->arena, which the caller looks at. */
void slipi_settle_create(SlipiRun *run, SlipiSettle *settle);

/* run->r of the scaled impulses and velocities (with g added) of an iterate. */
SlipStatus slipi_settle(SlipiRun *run, SlipiSettle *settle, const SlipiCone *cone, const double *r,
                        const double *u, SlipError *error);

#endif
