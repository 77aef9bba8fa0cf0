/* Shapes as convex polyhedra with a radius. */
#include "geom/solid.h"

#include <float.h>

/* Vertex v of a box is on the positive side of axis k where bit k of v is set. Faces 2k and 2k + 1
 * are the negative and the positive side of axis k. */
static const int32_t box_face_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int32_t box_face_vertex[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                            2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const double box_normal[18] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1};
static const int32_t box_edge[48] = {0, 1, 2, 4, 2, 3, 3, 4, 4, 5, 2, 5, 6, 7, 3, 5,
                                     0, 2, 0, 4, 1, 3, 1, 4, 4, 6, 0, 5, 5, 7, 1, 5,
                                     0, 4, 0, 2, 1, 5, 1, 2, 2, 6, 0, 3, 3, 7, 1, 3};
static const int32_t no_face_start[1] = {0};
static const int32_t segment_edge[4] = {0, 1, -1, -1};

static void make_box(const double half[3], SlipiSolid *solid) {
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 3; k++)
      solid->own_vertex[3 * v + k] = v >> k & 1 ? half[k] : -half[k];
  for (int f = 0; f < 6; f++)
    solid->own_offset[f] = half[f / 2];
  solid->half = half;
  solid->own = (SlipiHull){.vertices = 8,
                           .faces = 6,
                           .edges = 12,
                           .vertex = solid->own_vertex,
                           .face_start = box_face_start,
                           .face_vertex = box_face_vertex,
                           .normal = box_normal,
                           .offset = solid->own_offset,
                           .edge = box_edge};
  solid->reach = slipi_length(half);
}

/* A segment along z, which is a point where its half length is 0. */
static void make_segment(double half, double radius, SlipiSolid *solid) {
  for (int k = 0; k < 6; k++)
    solid->own_vertex[k] = k == 2 ? -half : k == 5 ? half : 0;
  int edges = half > 0;
  solid->own = (SlipiHull){.vertices = 1 + edges,
                           .edges = edges,
                           .vertex = solid->own_vertex,
                           .face_start = no_face_start,
                           .edge = segment_edge};
  solid->radius = radius;
  solid->reach = half;
}

static void make_solid(const SlipiShape *shape, SlipiSolid *solid) {
  solid->hull = &solid->own;
  solid->half = NULL;
  solid->radius = 0;
  if (shape->kind == SLIP_SHAPE_BOX)
    make_box(shape->half, solid);
  else if (shape->kind == SLIP_SHAPE_CAPSULE || shape->kind == SLIP_SHAPE_SPHERE)
    make_segment(shape->kind == SLIP_SHAPE_CAPSULE ? shape->half[2] : 0, shape->radius, solid);
  else if (shape->kind == SLIP_SHAPE_CYLINDER) { /* its axis: geom/drum.h has the rest */
    make_segment(shape->half[2], 0, solid);
    solid->reach = shape->radius + shape->half[2];
  } else {
    solid->hull = shape->hull;
    solid->reach = slipi_length(shape->hull->centre) + shape->hull->radius;
  }
}

void slipi_solids_make(const SlipiMeeting *m, SlipiSolids *solids) {
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  SlipiSolid *a = &solids->a, *b = &solids->b;
  make_solid(m->a, a);
  make_solid(m->b, b);
  slipi_rotate_back(m->pose_b->R, m->apart, a->position);
  const double *Ra = m->pose_a->R, *Rb = m->pose_b->R;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      a->R[3 * i + j] = Rb[i] * Ra[j] + Rb[3 + i] * Ra[3 + j] + Rb[6 + i] * Ra[6 + j];
  for (int k = 0; k < 9; k++)
    b->R[k] = identity[k];
  for (int k = 0; k < 3; k++)
    b->position[k] = 0;
  double rounding = 8 * DBL_EPSILON * (a->reach + b->reach + slipi_length(a->position));
  solids->slack = fmax(SLIPI_TOUCH_TOLERANCE * fmin(m->a->size, m->b->size), rounding);
}

int32_t slipi_solid_support(const SlipiSolid *solid, const double n[3], double out[3]) {
  double d[3];
  slipi_rotate_back(solid->R, n, d);
  int32_t best = 0;
  if (solid->half) {
    best = (d[0] > 0) | (d[1] > 0) << 1 | (d[2] > 0) << 2;
  } else {
    double farthest = slipi_dot3(d, solid->hull->vertex);
    for (int32_t v = 1; v < solid->hull->vertices; v++) {
      double far = slipi_dot3(d, solid->hull->vertex + 3 * v);
      if (far > farthest) {
        farthest = far;
        best = v;
      }
    }
  }
  slipi_solid_vertex(solid, best, out);
  return best;
}

double slipi_solids_apart(const SlipiSolids *solids, const double n[3]) {
  double back[3] = {-n[0], -n[1], -n[2]}, on_a[3], on_b[3];
  slipi_solid_support(&solids->a, back, on_a);
  slipi_solid_support(&solids->b, n, on_b);
  slipi_sub(on_a, on_b, on_a);
  return slipi_dot3(n, on_a);
}
