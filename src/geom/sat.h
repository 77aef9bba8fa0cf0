/* Separating axes: the direction along which two convex polyhedra are farthest apart among the
 * normals of their faces and the common perpendiculars of their edges. Where they overlap that is
 * the direction of least penetration; where they do not, it is the true one unless a vertex is
 * nearest to an edge or another vertex. */
#ifndef SLIPI_GEOM_SAT_H
#define SLIPI_GEOM_SAT_H

#include "geom/solid.h"

typedef struct SlipiAxis {
  double n[3]; /* unit, points into a */
  double apart;
  bool face;                    /* the normal of a face of a or b */
  int32_t edge_a[2], edge_b[2]; /* ends of the edges it is across where `edges` is set */
  double height;                /* of the one over the other along n */
  bool edges;
  bool sharp; /* look at edges and vertices only, also where faces are almost across n */
} SlipiAxis;

/* Faces of b come first, then faces of a, then edges, and each has to be better by more than the
 * slack to replace the one before: two bodies at rest keep the same axis. The search ends early
 * with any axis along which they are more than `far` apart. */
void slipi_sat(const SlipiSolids *solids, double far, SlipiAxis *axis);

#endif
