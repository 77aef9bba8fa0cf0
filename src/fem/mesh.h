/* Meshes of finite elements: boxes, cylinders, balls, or elements that were given; the faces of
 * their surface, and sets of nodes by name. */
#ifndef SLIPI_FEM_MESH_H
#define SLIPI_FEM_MESH_H

#include "base/arena.h"
#include "base/error.h"
#include "fem/element.h"

typedef struct SlipiFemGroup {
  char *name;
  int32_t nodes;
  int32_t *node; /* ascending */
} SlipiFemGroup;

typedef struct SlipiFemMesh {
  int d;
  int32_t nodes, elements, faces, groups;
  double *x;      /* 3 a node */
  uint8_t *kind;  /* SlipiElementKind of each element */
  int32_t *first; /* nodes of element k: node[first[k]] .. node[first[k+1] - 1] */
  int32_t *node;
  int32_t *face_first, *face_node; /* of the surface, outward */
  int32_t *face_element;
  SlipiFemGroup *group;
  SlipiArena arena;
} SlipiFemMesh;

/* Cells along each axis; a box has its centre at the origin. Hexahedra and squares, or simplices,
 * six or two a cell. A cylinder's axis is z; cells[0] across, cells[2] along. A ball's cells[0]
 * across. In 2D a ball is a disc. */
typedef enum SlipiMeshShape { SLIPI_MESH_BOX, SLIPI_MESH_CYLINDER, SLIPI_MESH_BALL } SlipiMeshShape;

typedef struct SlipiMeshPlan {
  SlipiMeshShape shape;
  SlipiElementKind kind;
  double edges[3]; /* of a box; else the bounds of the round shape */
  int32_t cells[3];
} SlipiMeshPlan;

SlipStatus slipi_fem_mesh_make(const SlipiMeshPlan *plan, SlipiFemMesh **mesh, SlipError *error);

/* Elements of one kind or, with `kinds`, one of each; the arrays are copied. Nodes that no element
 * has, elements with a node twice or inside out, and numbers that are not finite are refused. */
SlipStatus slipi_fem_mesh_given(const double *points, int32_t point_count, const uint8_t *kinds,
                                SlipiElementKind kind, const int32_t *node, int32_t elements,
                                SlipiFemMesh **mesh, SlipError *error);
/* Another named set; the nodes may come in any order and more than once. */
SlipStatus slipi_fem_mesh_group(SlipiFemMesh *mesh, const char *name, const int32_t *node,
                                int32_t count, SlipError *error);
void slipi_fem_mesh_free(SlipiFemMesh *mesh);

/* Mark (one byte a node) the nodes of a group by its name, or of "all", "surface", or of a side of
 * the box around the mesh: "xmin", "xmax", "ymin", ... False where there is no such name. */
bool slipi_fem_mesh_select(const SlipiFemMesh *mesh, const char *name, uint8_t *marked);

/* Corners of a face's nodes, which come first. */
static inline int slipi_face_corners(int nodes) {
  return nodes == 6 ? 3 : nodes;
}

/* ---- surface.c ---- */

/* The faces that only one element has. */
SlipStatus slipi_fem_surface(SlipiFemMesh *mesh, SlipError *error);

#endif
