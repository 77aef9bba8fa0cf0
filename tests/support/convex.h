/* Convex bodies by their support functions alone, and how far two of them are apart by brute force:
 * a second opinion on the narrow phase that shares no code with it.
 *
 * The signed gap of two convex bodies is the most that any direction separates them,
 *
 *   gap = max over unit n of  min over a of n.x  -  max over b of n.x,
 *
 * their distance where they are apart, and minus the least translation that parts them where they
 * overlap. Of polyhedra the best direction is across a face, two edges, a vertex and an edge, or
 * along two vertices: all are tried. With cylinders directions are sampled and improved. */
#ifndef SLIPCONE_TESTS_CONVEX_H
#define SLIPCONE_TESTS_CONVEX_H

#include "base/random.h"
#include "geom/shape.h"

enum { CONVEX_MAX = 16 };

typedef struct Convex {
  int vertices; /* of the core; 0: a half-space or cylinder */
  double vertex[CONVEX_MAX][3];
  double radius;    /* of rounding */
  int edges, faces; /* directions of edges, normals of faces (and minus them) */
  double edge[CONVEX_MAX * CONVEX_MAX / 2][3], face[CONVEX_MAX * CONVEX_MAX * CONVEX_MAX / 6][3];
  int cylinder, half_space;
  double centre[3], axis[3], ring, half; /* of a cylinder; a half-space has the outward axis */
  double size;                           /* the largest extent, for tolerances */
} Convex;

/* The body of a shape, with `origin` subtracted from its position. */
void convex_make(const SlipiShape *shape, const SlipiPose *pose, const double origin[3],
                 Convex *body);

/* max over the body of n.x */
double convex_support(const Convex *body, const double n[3]);

/* What n separates. */
double convex_apart(const Convex *a, const Convex *b, const double n[3]);

/* The signed gap, and a direction that has it. `samples` directions are improved from where one of
 * them is a cylinder. */
double convex_gap(const Convex *a, const Convex *b, SlipiRandom *random, int samples, double n[3]);

/* A lower bound of how far x is outside, from the candidates of directions; 0 inside. */
double convex_outside(const Convex *body, const double x[3], SlipiRandom *random);

#endif
