/* The distance of two convex polyhedra by the algorithm of Gilbert, Johnson and Keerthi. */
#ifndef SLIPI_GEOM_GJK_H
#define SLIPI_GEOM_GJK_H

#include "geom/solid.h"

typedef struct SlipiNearest {
  double distance; /* 0 where they overlap; more than `far` where that is all that is known */
  double n[3];     /* unit, from b into a; the guess where they overlap */
  double on_b[3];  /* the point of b nearest to a */
  int32_t vertex_a,
      vertex_b; /* one of the vertices next to it, and of those next to the point of a */
} SlipiNearest;

/* The distance of the solids without their radii; the search begins along `guess` and ends early
 * where they are more than `far` apart. */
void slipi_gjk(const SlipiSolids *solids, const double guess[3], double far, SlipiNearest *nearest);

#endif
