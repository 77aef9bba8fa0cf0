/* Shapes: one closed list, in the frame of the shape itself. */
#ifndef SLIPI_GEOM_SHAPE_H
#define SLIPI_GEOM_SHAPE_H

#include "base/arena.h"
#include "base/error.h"
#include "geom/hull.h"
#include "geom/vec.h"
#include <slipcone/sim.h>

typedef struct SlipiMesh SlipiMesh; /* geom/mesh.h */

typedef struct SlipiShape {
  SlipShapeKind kind;
  double radius;    /* sphere, capsule, cylinder, disc */
  double half[3];   /* half the edges of a box; half[2]: half the length of a capsule or cylinder */
  double normal[3]; /* of a half-space, unit */
  double ends[2][3];     /* of a segment */
  const SlipiHull *hull; /* of a hull or polygon */
  const SlipiMesh *mesh;
  double size; /* the least of its extents, from which tolerances come; infinity for a half-space,
                  the length of a segment, the most of them for a mesh */
} SlipiShape;

/* Check a definition (sizes positive and finite, points in general position, triangles in range)
 * and make its shape; hulls and meshes live in the arena. position and rotation of the definition
 * are the caller's business. */
SlipStatus slipi_shape_make(const SlipShapeDef *def, int dimension, SlipiArena *arena,
                            SlipiShape *shape, SlipError *error);

/* Axis-aligned box around a posed shape: infinite where the shape is. That of a half-space ends at
 * its plane where the plane is square to an axis. */
void slipi_shape_bounds(const SlipiShape *shape, const SlipiPose *pose, double low[3],
                        double high[3]);

/* Volume (area in 2D), centre, and inertia about the centre per unit of density, in the shape's
 * frame, row-major; 2D shapes are thin plates. False for what has none (half-space, segment, mesh).
 */
bool slipi_shape_mass(const SlipiShape *shape, double *volume, double centre[3], double inertia[9]);

#endif
