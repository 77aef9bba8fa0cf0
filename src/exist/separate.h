/* Can every contact separate at once? A velocity x with H' x inside the cones makes room for any w,
 * so the margin has no bound, and ker(H) and K meet in 0 only (Acary, Cadoux, Lemaréchal, Malick
 * 2011, Theorem 5.1). M plays no part, and nothing is factored: the cost is that of some products
 * with H. */
#ifndef SLIPI_EXIST_SEPARATE_H
#define SLIPI_EXIST_SEPARATE_H

#include "base/stop.h"
#include "exist/kinematics.h"

typedef enum SlipiSeparation {
  SLIPI_SEPARATE_UNKNOWN,
  SLIPI_SEPARATE_FULL_RANK, /* H' x = e, and any other velocities can be reached as well */
  SLIPI_SEPARATE_INSIDE     /* x has H' x inside the cones */
} SlipiSeparation;

/* x gets kin->n values, with *margin the least of z_N - |z_T| for z = H' x. No contact may be
 * bilateral. The search ends where `stop` says so; NULL: never. */
SlipStatus slipi_separate(SlipiArena *arena, const SlipiKinematics *kin, const SlipiStop *stop,
                          double *x, double *margin, SlipiSeparation *answer, int *iterations,
                          SlipError *error);

#endif
