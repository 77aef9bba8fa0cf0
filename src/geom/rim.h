/* The rim of one end of a cylinder, seen along a contact normal.
 *
 * The end of a cylinder that faces a flat touches it in a whole disc. Of its rim SLIPI_RIM_POINTS
 * stand for it, in directions fixed on the other body, not on the cylinder: friction on a cylinder
 * that spins where it stands is steady in each of them, and so is its impulse from step to step.
 * The lowest point of the rim is found apart, at every moment, so that a coin rolls on a circle and
 * not on an octagon. */
#ifndef SLIPI_GEOM_RIM_H
#define SLIPI_GEOM_RIM_H

#include "geom/collide_pair.h"

enum { SLIPI_RIM_POINTS = 8 };

typedef struct SlipiRim {
  double centre[3], radius;
  double x[3], y[3]; /* unit, in its plane: the first point is along x */
  double low[3];     /* unit: from the centre to the lowest point */
  bool flat;         /* the end faces the other body */
} SlipiRim;

/* The end with this centre and outward axis; n points into the cylinder, and `fixed` across n. */
static inline void slipi_rim_make(const double centre[3], const double outward[3], double radius,
                                  const double n[3], const double fixed[3], SlipiRim *rim) {
  double c = slipi_dot3(n, outward), f = slipi_dot3(fixed, outward), low[3], x[3];
  slipi_along(fixed, -f, outward, x);
  slipi_along(n, -c, outward, low);
  double s = slipi_length(low), l = slipi_length(x);
  for (int k = 0; k < 3; k++) {
    rim->centre[k] = centre[k];
    rim->x[k] = l > 0 ? x[k] / l : 0;
    rim->low[k] = s > 1e-12 ? -low[k] / s : rim->x[k]; /* below it is rounding */
  }
  slipi_along(rim->low, -slipi_dot3(rim->low, outward), outward, rim->low);
  slipi_cross(outward, rim->x, rim->y);
  rim->radius = radius;
  rim->flat = c < -0.7;
}

static inline void slipi_rim_point(const SlipiRim *rim, uint32_t i, double out[3]) {
  static const double diagonal = 0.70710678118654752440; /* cos 45 degrees */
  const double cosine[SLIPI_RIM_POINTS] = {1, diagonal, 0, -diagonal, -1, -diagonal, 0, diagonal};
  slipi_along(rim->centre, rim->radius * cosine[i], rim->x, out);
  slipi_along(out, rim->radius * cosine[(i + 6) % SLIPI_RIM_POINTS], rim->y, out);
}

static inline void slipi_rim_lowest(const SlipiRim *rim, double out[3]) {
  slipi_along(rim->centre, rim->radius, rim->low, out);
}

/* The axis that is most across n, as a direction fixed on the body whose axes these are. */
static inline void slipi_rim_fixed(const double n[3], double fixed[3]) {
  double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
  fixed[0] = x <= y && x <= z;
  fixed[1] = !fixed[0] && y <= z;
  fixed[2] = !fixed[0] && !fixed[1];
}

/* Point i of the rim of an end; SLIPI_RIM_POINTS is the lowest one. */
static inline uint32_t slipi_rim_feature(uint32_t end, uint32_t i) {
  return slipi_feature(SLIPI_FEATURE_EDGE, end * 16 + i);
}

#endif
