/* Convex polyhedra and polygons: vertices, faces and edges. */
#ifndef SLIPI_GEOM_HULL_H
#define SLIPI_GEOM_HULL_H

#include "base/arena.h"
#include "base/error.h"

/* Faces are whole: coplanar triangles are one face. A polygon (2D) has an edge where a polyhedron
 * has a face: face k goes from vertex k to vertex k + 1, counterclockwise, and edges is 0. */
typedef struct SlipiHull {
  int32_t vertices, faces, edges;
  const double *vertex;       /* 3 each, in the frame of the shape */
  const int32_t *face_start;  /* faces + 1: where a face's vertices begin in face_vertex */
  const int32_t *face_vertex; /* counterclockwise from outside */
  const double *normal;       /* 3 a face, unit, outward */
  const double *offset;       /* a face: normal . x = offset on it */
  const int32_t *edge;        /* 4 each: two vertices, the two faces that meet there */
  double centre[3];           /* a point inside: the mean of the vertices */
  double radius;              /* of the sphere around it that holds all vertices */
  double width; /* the least distance between a face and the vertex furthest from it */
} SlipiHull;

/* The convex hull of points (3 each); in 2D (z = 0) a polygon. Points inside, and those within 1e-7
 * of the thickness from a face or an edge, are dropped: coordinates rounded to single precision
 * give whole faces. The order of vertices, faces and edges follows from that of the points alone. A
 * set without volume (area in 2D) is refused. */
SlipStatus slipi_hull_make(const double *points, int32_t count, int dimension, SlipiArena *arena,
                           const SlipiHull **hull, SlipError *error);

#endif
