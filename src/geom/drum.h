/* Cylinders, and the direction that separates one most from a polyhedron or another cylinder.
 *
 * A cylinder has two flat ends, a round side and two rims. Where two bodies touch one of these
 * meets a face, an edge or a vertex of the other, and each such meeting fixes the direction: that
 * of a face or an end, across an edge and the axis, or from a vertex; an edge against a rim leaves
 * one angle to be found, two rims leave two. All of them are tried, so that the direction of least
 * penetration is found and not just a good one. */
#ifndef SLIPI_GEOM_DRUM_H
#define SLIPI_GEOM_DRUM_H

#include "geom/sat.h"

typedef struct SlipiDrum {
  double centre[3], axis[3], radius, half;
} SlipiDrum;

/* The point of a cylinder farthest along n: one of the nearest to its centre where there are many,
 * on the axis of an end or on the middle of the side. */
void slipi_drum_support(const SlipiDrum *drum, const double n[3], double out[3]);

/* The point of a cylinder nearest to x: x itself where it is inside. */
void slipi_drum_nearest(const SlipiDrum *drum, const double x[3], double out[3]);

/* The largest n.x on it. */
double slipi_drum_extent(const SlipiDrum *drum, const double n[3]);

/* The best direction into the cylinder a from the polyhedron b, in the terms of slipi_sat; its
 * edge_b, where `edges` is set, is the edge of b that counts. */
void slipi_drum_axis(const SlipiSolids *solids, const SlipiDrum *drum, double far, SlipiAxis *axis);

/* The same among those directions for which `allowed` is true. */
void slipi_drum_axis_where(const SlipiSolids *solids, const SlipiDrum *drum, double far,
                           bool (*allowed)(const void *user, const double n[3]), const void *user,
                           SlipiAxis *axis);

/* n without its part along the axis, as a unit vector (0 along the axis), and the length it had. */
double slipi_drum_radial(const SlipiDrum *drum, const double n[3], double radial[3]);

/* How far n, from b to a, separates two cylinders: below 0 where it does not. */
double slipi_drums_apart(const SlipiDrum *a, const SlipiDrum *b, const double n[3]);

/* The best direction into the cylinder a from the cylinder b, but for two rims. */
void slipi_drums_axis(const SlipiDrum *a, const SlipiDrum *b, double slack, double far,
                      SlipiAxis *axis);

/* The best direction of two rims, where it is better. `overlap`: the cylinders are known to. */
void slipi_drums_rims(const SlipiDrum *a, const SlipiDrum *b, double slack, bool overlap,
                      SlipiAxis *axis);

#endif
