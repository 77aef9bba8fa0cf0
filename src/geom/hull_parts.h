/* How a polyhedron is made: facets by Qhull, whole faces of them, and what follows from those. */
#ifndef SLIPI_GEOM_HULL_PARTS_H
#define SLIPI_GEOM_HULL_PARTS_H

#include "base/arena.h"
#include "base/error.h"
#include <stdint.h>

/* Closed loops of points, counterclockwise from outside; loop k is vertex[start[k]] to
 * vertex[start[k + 1] - 1]. */
typedef struct SlipiLoops {
  int32_t count;
  int32_t *start;
  int32_t *vertex;
} SlipiLoops;

/* Facets of the hull of points in [-1, 1]^3, as convex as rounding allows. */
SlipStatus slipi_hull_facets(double *points, int32_t count, SlipiArena *arena, SlipiLoops *facets,
                             SlipError *error);

/* Join facets in one plane, and drop vertices that lie within an edge. */
SlipStatus slipi_hull_faces(const double *points, int32_t count, const SlipiLoops *facets,
                            SlipiArena *arena, SlipiLoops *faces, SlipError *error);

/* The area vector of a loop (Newell), and six times the volume between it and the origin. */
double slipi_loop_area(const double *points, const int32_t *vertex, int32_t count, double area[3]);

#endif
