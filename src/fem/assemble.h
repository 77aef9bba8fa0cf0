/* Mass, stiffness and loads of a mesh, as sparse matrices over d values a node. */
#ifndef SLIPI_FEM_ASSEMBLE_H
#define SLIPI_FEM_ASSEMBLE_H

#include "fem/mesh.h"
#include "linalg/sparse.h"

/* M and K share p and i: M.x and K.x go with the same entries. Both are symmetric to the bit. */
typedef struct SlipiFemMatrices {
  SlipiCsr M, K;
  double *lumped; /* mass of each node: the sum of its row of M */
} SlipiFemMatrices;

SlipStatus slipi_fem_assemble(const SlipiFemMesh *mesh, const SlipiElasticity *elasticity,
                              SlipiArena *arena, SlipiFemMatrices *matrices, SlipError *error);

/* a M + b K with the rows and columns of the degrees of freedom whose `number` is not negative,
 * which count from 0 in ascending order; NULL: all. */
SlipStatus slipi_fem_combine(const SlipiFemMatrices *matrices, double a, double b,
                             const int32_t *number, SlipiArena *arena, SlipiCsr *A,
                             SlipError *error);

/* Nodal forces (3 a node, added) of a traction (force on an area, of the mesh as it is in x, 3 a
 * node) plus a pressure against the outward normal, on the faces all of whose nodes are marked;
 * returns their area. */
double slipi_fem_surface_load(const SlipiFemMesh *mesh, const double *x, const uint8_t *marked,
                              const double traction[3], double pressure, double *force);

/* Share of the surface around each node: sum of |N| over the faces, one value a node (added). */
void slipi_fem_node_areas(const SlipiFemMesh *mesh, const double *x, double *area);

/* Stress (6 values) of every node from displacements (3 a node): the mean of its elements', by
 * volume. `room` has a value a node. */
void slipi_fem_node_stress(const SlipiFemMesh *mesh, const SlipiElasticity *elasticity,
                           const double *u, double *stress, double *room);

#endif
