/* A sliding contact of a curve of solutions (methods/common_path.h). */
#ifndef SLIPI_METHODS_COMMON_PATH_SLIDE_H
#define SLIPI_METHODS_COMMON_PATH_SLIDE_H

#include <math.h>

#include "methods/common_path.h"

/* Friction of a sliding contact is along e, the direction of z = r_T - u_T: r_T = t e, u_T = -s e.
 */
typedef struct SlipiSlide {
  double e[2], z;
  double t, s;
  double across; /* friction across e */
} SlipiSlide;

static inline SlipiSlide slipi_path_slide_at(const double u[3], const double r[3]) {
  double z[2] = {r[1] - u[1], r[2] - u[2]}, size = sqrt(z[0] * z[0] + z[1] * z[1]);
  SlipiSlide at = {.e = {1, 0}, .z = 1};
  if (size > 0)
    at = (SlipiSlide){.e = {z[0] / size, z[1] / size}, .z = size};
  at.t = at.e[0] * r[1] + at.e[1] * r[2];
  at.s = -at.e[0] * u[1] - at.e[1] * u[2];
  at.across = at.e[0] * r[2] - at.e[1] * r[1];
  return at;
}

static inline bool slipi_path_has_friction(const SlipiPath *path, int32_t a) {
  return path->scaled->law[a].mu > 0;
}

#endif
