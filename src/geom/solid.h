/* Convex polyhedra and what is made of them by rounding, all in one form for the narrow phase: a
 * point (sphere), a segment (capsule), a box, a hull, each with a radius.
 *
 * Coordinates are those of the axes of the pair's second shape, with its position as origin. */
#ifndef SLIPI_GEOM_SOLID_H
#define SLIPI_GEOM_SOLID_H

#include "geom/collide_pair.h"

typedef struct SlipiSolid {
  const SlipiHull *hull; /* in the frame of the shape */
  const double *half;    /* of a box, else NULL */
  double R[9], position[3];
  double radius; /* of rounding */
  double reach;  /* largest distance of a vertex from `position`, to scale rounding errors */
  SlipiHull own; /* of shapes that are no hulls */
  double own_vertex[3 * 8], own_offset[6];
} SlipiSolid;

/* The two solids of a pair, and the length below which distances are equal. */
typedef struct SlipiSolids {
  SlipiSolid a, b;
  double slack;
} SlipiSolids;

/* A sphere, capsule, box or hull; of a cylinder the axis. */
void slipi_solids_make(const SlipiMeeting *m, SlipiSolids *solids);

/* The vertex farthest along n, the first of several, and where it is. */
int32_t slipi_solid_support(const SlipiSolid *solid, const double n[3], double out[3]);

static inline void slipi_solid_vertex(const SlipiSolid *solid, int32_t v, double out[3]) {
  slipi_rotate(solid->R, solid->hull->vertex + 3 * v, out);
  slipi_along(out, 1, solid->position, out);
}

/* The outward normal of a face. */
static inline void slipi_solid_normal(const SlipiSolid *solid, int32_t face, double out[3]) {
  slipi_rotate(solid->R, solid->hull->normal + 3 * face, out);
}

/* How far the solids (without radii) are apart along the unit vector n, which points into a; less
 * than 0 where they overlap. No n has more than the true distance. */
double slipi_solids_apart(const SlipiSolids *solids, const double n[3]);

#endif
