/* Triangle meshes: obstacles seen from the side their normals point to. */
#ifndef SLIPI_GEOM_MESH_H
#define SLIPI_GEOM_MESH_H

#include "base/arena.h"
#include "base/error.h"
#include "geom/vec.h"

/* How the surface bends at an edge, seen from outside. */
typedef enum SlipiBend { SLIPI_BEND_FLAT, SLIPI_BEND_CONVEX, SLIPI_BEND_CONCAVE } SlipiBend;

/* A node of the tree of boxes: triangles `first` to `first + count - 1` of `order`, or, where count
 * is 0, the nodes `first` and `first + 1`. */
typedef struct SlipiMeshNode {
  double low[3], high[3];
  int32_t first, count;
} SlipiMeshNode;

/* Edge k of a triangle goes from its vertex k to the next. An edge on a border, or one that more
 * than two triangles share, has no neighbour and counts as convex. */
typedef struct SlipiMesh {
  int32_t vertices, triangles;
  const double *vertex;       /* 3 each, in the frame of the shape */
  const int32_t *triangle;    /* 3 vertices each, counterclockwise from outside */
  const double *normal;       /* 3 a triangle, unit */
  const int32_t *neighbour;   /* 3 a triangle: half-edge 3 t + k across edge k, or -1 */
  const uint8_t *bend;        /* 3 a triangle: SlipiBend */
  const int32_t *ring_start;  /* vertices + 1 */
  const int32_t *ring;        /* the vertices next to a vertex */
  const uint8_t *vertex_flat; /* all edges at the vertex are flat */
  const SlipiMeshNode *node;  /* the first is the root */
  const int32_t *order;       /* triangles as the nodes have them */
  double low[3], high[3];
} SlipiMesh;

/* Points that coincide are one vertex, and triangles without area are left out, for files have
 * both. Indices and numbers are checked. */
SlipStatus slipi_mesh_make(const double *points, int32_t point_count, const int32_t *triangles,
                           int32_t triangle_count, SlipiArena *arena, const SlipiMesh **mesh,
                           SlipError *error);

/* The tree over the triangles of a mesh that has all the rest. */
bool slipi_mesh_build_tree(SlipiMesh *mesh, SlipiArena *arena);

/* Visit the triangles whose box meets this one, in an order that is always the same, until one
 * visit returns false; that is what is returned then. */
bool slipi_mesh_each(const SlipiMesh *mesh, const double low[3], const double high[3],
                     bool (*visit)(void *user, int32_t triangle), void *user);

#endif
