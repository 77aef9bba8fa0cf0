/* Elements of linear elasticity: shape functions, quadrature, mass and stiffness.
 *
 * Nodes are numbered as VTK does: corners first, of hexahedra the lower face counterclockwise from
 * above and then the upper one; the middles of the edges of a 10-node tetrahedron are those of
 * corners 01, 12, 02, 03, 13, 23. Points have three coordinates, also in 2D. */
#ifndef SLIPI_FEM_ELEMENT_H
#define SLIPI_FEM_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum SlipiElementKind {
  SLIPI_T3,
  SLIPI_Q4,
  SLIPI_T4,
  SLIPI_T10,
  SLIPI_H8,
  SLIPI_ELEMENT_KINDS
} SlipiElementKind;

enum { SLIPI_ELEMENT_NODES = 10, SLIPI_ELEMENT_ORDER = 30, SLIPI_FACE_NODES = 6 };

typedef struct SlipiElementType {
  const char *name;
  int d, nodes, corners;
  int faces, face_nodes, face_corners;
  int8_t face[6][SLIPI_FACE_NODES]; /* counterclockwise seen from outside; corners first */
} SlipiElementType;

const SlipiElementType *slipi_element_type(SlipiElementKind kind);
/* By its name: t3, q4, t4, t10, h8; -1: none. */
int slipi_element_find(const char *name);

/* Isotropic and linear; of plane stress `lame` is that of the plane. */
typedef struct SlipiElasticity {
  double lame, shear, density;
  double across; /* stress across the plane is this times the trace of the strain; 2D */
} SlipiElasticity;

SlipiElasticity slipi_elasticity(int d, bool plane_stress, double young, double poisson,
                                 double density);

/* Shape functions of a point of the reference element, and their derivatives there. */
void slipi_element_shape(SlipiElementKind kind, const double xi[3], double *N, double (*dN)[3]);

/* Points of a quadrature that is exact for the mass of straight elements. */
int slipi_element_points(SlipiElementKind kind);
double slipi_element_point(SlipiElementKind kind, int index, double xi[3]);

/* Shape functions and their gradients in space at a point of the reference element; returns the
 * determinant of the map, which is not positive where the element is turned inside out. */
double slipi_element_gradient(SlipiElementKind kind, const double (*x)[3], const double xi[3],
                              double *N, double (*gradient)[3]);

/* M (nodes x nodes, the same for each direction) and K (d nodes squared), row-major. False where
 * the map is not one to one at a point of the quadrature. */
bool slipi_element_matrices(SlipiElementKind kind, const double (*x)[3],
                            const SlipiElasticity *elasticity, double *M, double *K);

/* Entry (i, j) of the stiffness between shape functions with these gradients, at one point. */
double slipi_elastic_entry(const SlipiElasticity *elasticity, int d, const double *ga,
                           const double *gb, int i, int j);

/* Stress xx, yy, zz, xy, yz, zx in the middle of an element with displacements u (3 a node). */
void slipi_element_stress(SlipiElementKind kind, const double (*x)[3], const double (*u)[3],
                          const SlipiElasticity *elasticity, double stress[6]);
double slipi_von_mises(const double stress[6]);

/* ---- Faces ---- */

/* Shape functions of a face of 2 (an edge), 3, 4 or 6 nodes, and their derivatives. The reference
 * is
 * [-1, 1] for edges and squares, the unit triangle for the others. */
void slipi_face_shape(int nodes, const double xi[2], double *N, double (*dN)[2]);
int slipi_face_points(int nodes);
double slipi_face_point(int nodes, int index, double xi[2]);
/* The outward normal there, times the area (2D: length) that a unit of the reference has. */
void slipi_face_normal(int nodes, const double (*x)[3], const double xi[2], double normal[3]);

#endif
