/* Parts of the meeting of a cylinder and a polyhedron that meshes use triangle by triangle. */
#ifndef SLIPI_GEOM_COLLIDE_CYLINDER_H
#define SLIPI_GEOM_COLLIDE_CYLINDER_H

#include "geom/drum.h"

/* The cylinder whose axis this solid is. */
void slipi_cylinder_drum(const SlipiShape *shape, const SlipiSolid *solid, SlipiDrum *drum);

/* Append the points in which an end or the side of the cylinder a lies over the polyhedron b, seen
 * along the axis; `whole` tells whether they are as near in one of them as the axis says. */
bool slipi_cylinder_patch(const SlipiMeeting *m, const SlipiSolids *solids, const SlipiDrum *drum,
                          const SlipiAxis *axis, bool *whole);

#endif
