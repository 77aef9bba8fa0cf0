/* Where two polyhedra touch, once the normal is known: the corners of the area in which their
 * nearest parts lie over each other. */
#ifndef SLIPI_GEOM_PATCH_H
#define SLIPI_GEOM_PATCH_H

#include "geom/sat.h"

/* Append the points of the patch within the reach of the meeting and give the least gap of all its
 * points, near or not (infinity where the parts do not lie over each other). */
bool slipi_patch(const SlipiMeeting *m, const SlipiSolids *solids, const SlipiAxis *axis,
                 double *least);

/* Of the faces at the vertex farthest along `outward` n, the one that looks most that way; -1 where
 * there is none. */
int32_t slipi_patch_face(const SlipiSolid *solid, const double n[3], double outward, double slack);

/* Append a point: on_b is on the polyhedron b, `gap` that of the polyhedra, both without radii, in
 * the axes of b. */
bool slipi_patch_add(const SlipiMeeting *m, const SlipiSolids *solids, const double on_b[3],
                     const double n[3], double gap, uint32_t feature_a, uint32_t feature_b);

#endif
