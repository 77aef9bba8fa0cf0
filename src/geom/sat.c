/* Separating axes of any two polyhedra, and of two boxes. */
#include "geom/sat.h"

/* Keep the axis along `sign` n where it is better by more than the slack. */
static bool offer(const SlipiSolids *solids, const double n[3], double sign, double apart,
                  bool face, SlipiAxis *axis) {
  if (!(apart > axis->apart + solids->slack))
    return false;
  for (int k = 0; k < 3; k++)
    axis->n[k] = sign * n[k];
  axis->apart = apart;
  axis->face = face;
  axis->edges = !face;
  return true;
}

/* ---- Any two polyhedra --------------------------------------------------------------------- */

/* The faces of `own`, whose outward normals times `sign` point into a. */
static void try_faces(const SlipiSolids *solids, const SlipiSolid *own, const SlipiSolid *other,
                      double sign, double far, SlipiAxis *axis) {
  for (int32_t f = 0; f < own->hull->faces && axis->apart <= far; f++) {
    double out[3], back[3], on[3];
    slipi_solid_normal(own, f, out);
    for (int k = 0; k < 3; k++)
      back[k] = -out[k];
    slipi_solid_support(other, back, on);
    slipi_sub(on, own->position, on);
    offer(solids, out, sign, slipi_dot3(out, on) - own->hull->offset[f], true, axis);
  }
}

/* An edge of a: a vertex, the unit direction, and the normals of its two faces where it has some.
 */
typedef struct Edge {
  double at[3], along[3], side[2][3];
  const int32_t *ends;
  bool has_sides;
} Edge;

static void edge_of(const SlipiSolid *solid, int32_t e, Edge *edge) {
  const int32_t *parts = solid->hull->edge + 4 * e;
  double to[3];
  edge->ends = parts;
  slipi_solid_vertex(solid, parts[0], edge->at);
  slipi_solid_vertex(solid, parts[1], to);
  slipi_sub(to, edge->at, to);
  double length = slipi_length(to);
  for (int k = 0; k < 3; k++)
    edge->along[k] = length > 0 ? to[k] / length : 0;
  edge->has_sides = parts[2] >= 0 && parts[3] >= 0;
  for (int i = 0; i < 2 && edge->has_sides; i++)
    slipi_solid_normal(solid, parts[2 + i], edge->side[i]);
}

/* On which side of zero c lies between the normals of two faces, whose parts along an edge that c
 * is across are p and q: 1 or -1. */
static int side_of(const double first[3], const double second[3], double p, double q,
                   const double c[3]) {
  return fabs(q) * slipi_dot3(first, c) + fabs(p) * slipi_dot3(second, c) >= 0 ? 1 : -1;
}

static void name_edges(const Edge *a, const int32_t *parts_b, double height, SlipiAxis *axis) {
  axis->height = height;
  for (int i = 0; i < 2; i++) {
    axis->edge_a[i] = a->ends[i];
    axis->edge_b[i] = parts_b[i];
  }
}

/* Whether edges that have the axis across them, too, are those in which the solids are nearest: of
 * parallel edges of a plate rounding may have let one pass that is on its far side. */
static bool are_nearer(const SlipiSolids *solids, const double n[3], double height,
                       const SlipiAxis *axis) {
  static const double rounding = 1e-14;
  return axis->edges && height < axis->height - solids->slack &&
         fabs(n[0] - axis->n[0]) <= rounding && fabs(n[1] - axis->n[1]) <= rounding &&
         fabs(n[2] - axis->n[2]) <= rounding;
}

/* The common perpendicular of an edge of a and an edge of b matters where it is outward at b and
 * inward at a: there the arcs between the normals of the faces at both edges meet on the unit
 * sphere, those of a turned round. An arc meets the circle across the other edge where its ends are
 * on different sides of it. b is at home in these coordinates. */
static void try_edges(const SlipiSolids *solids, const Edge *a, int32_t e, SlipiAxis *axis) {
  static const double tiny = 1e-12;
  const SlipiHull *hull = solids->b.hull;
  const int32_t *parts = hull->edge + 4 * e;
  const double *first = hull->normal + 3 * parts[2], *second = hull->normal + 3 * parts[3];
  double p = slipi_dot3(first, a->along), q = slipi_dot3(second, a->along);
  if (p * q > tiny)
    return;
  const double *v = hull->vertex + 3 * parts[0], *w = hull->vertex + 3 * parts[1];
  double along[3], n[3], between[3], r = 0, s = 0;
  slipi_sub(w, v, along);
  double whole = slipi_dot3(along, along);
  if (a->has_sides) {
    r = slipi_dot3(a->side[0], along);
    s = slipi_dot3(a->side[1], along);
    if (r * s > tiny * whole)
      return;
  }
  slipi_cross(a->along, along, n);
  double squared = slipi_dot3(n, n);
  if (!(squared > 1e-20 * whole))
    return;
  int side = side_of(first, second, p, q, n);
  if (a->has_sides && side_of(a->side[0], a->side[1], r, s, n) == side)
    return;
  double length = sqrt(squared);
  for (int k = 0; k < 3; k++)
    n[k] *= side / length;
  slipi_sub(a->at, v, between);
  double height = slipi_dot3(n, between);
  bool better = height > axis->apart + solids->slack &&
                offer(solids, n, 1, slipi_solids_apart(solids, n), false, axis);
  if (better || are_nearer(solids, n, height, axis))
    name_edges(a, parts, height, axis);
}

/* Edges that can be better than the faces. Where the solids overlap, those of the best pair are
 * nearer to each other than the depth that is known; where they do not, and are within reach, than
 * `far`. So both are within such a distance of the other solid, and of the plane that bounds it
 * along the best normal of a face. */
typedef struct Near {
  double n[3], a_above,
      b_below; /* edges of a begin below the one, edges of b end above the other */
} Near;

static void near_of(const SlipiSolids *solids, double far, const SlipiAxis *axis, Near *near) {
  double on_b[3], distance = fmax(far, -axis->apart) + 2 * solids->slack;
  for (int k = 0; k < 3; k++)
    near->n[k] = axis->n[k];
  slipi_solid_support(&solids->b, axis->n, on_b);
  double top = slipi_dot3(axis->n, on_b);
  near->a_above = top + distance;
  near->b_below = top + axis->apart - distance;
}

static bool is_near_a(const SlipiSolids *solids, const Near *near, int32_t e) {
  const int32_t *ends = solids->a.hull->edge + 4 * e;
  double v[3], w[3];
  slipi_solid_vertex(&solids->a, ends[0], v);
  slipi_solid_vertex(&solids->a, ends[1], w);
  return fmin(slipi_dot3(near->n, v), slipi_dot3(near->n, w)) <= near->a_above;
}

static bool is_near_b(const SlipiSolids *solids, const Near *near, int32_t e) {
  const SlipiHull *hull = solids->b.hull;
  const double *v = hull->vertex + 3 * hull->edge[4 * e];
  const double *w = hull->vertex + 3 * hull->edge[4 * e + 1];
  return fmax(slipi_dot3(near->n, v), slipi_dot3(near->n, w)) >= near->b_below;
}

/* The edges of a against some of b. */
static void try_some(const SlipiSolids *solids, const Near *near, const int32_t *some,
                     int32_t count, double far, SlipiAxis *axis) {
  for (int32_t i = 0; i < solids->a.hull->edges && axis->apart <= far; i++) {
    Edge edge;
    if (!is_near_a(solids, near, i))
      continue;
    edge_of(&solids->a, i, &edge);
    for (int32_t j = 0; j < count && axis->apart <= far; j++)
      try_edges(solids, &edge, some[j], axis);
  }
}

static void sat_any(const SlipiSolids *solids, double far, SlipiAxis *axis) {
  enum { SOME = 128 };
  int32_t some[SOME], count = 0;
  Near near;
  try_faces(solids, &solids->b, &solids->a, 1, far, axis);
  try_faces(solids, &solids->a, &solids->b, -1, far, axis);
  if (axis->apart > far)
    return;
  near_of(solids, far, axis, &near);
  for (int32_t e = 0; e < solids->b.hull->edges; e++) {
    if (is_near_b(solids, &near, e))
      some[count++] = e;
    if (count == SOME || (e + 1 == solids->b.hull->edges && count > 0)) {
      try_some(solids, &near, some, count, far, axis);
      count = 0;
    }
  }
}

/* ---- Two boxes ------------------------------------------------------------------------------ */

/* Half the extent of a box with axes in the columns of R along n. */
static double extent(const double R[9], const double half[3], const double n[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += half[k] * fabs(R[k] * n[0] + R[3 + k] * n[1] + R[6 + k] * n[2]);
  return sum;
}

static double sign_of(double x) {
  return x < 0 ? -1 : 1;
}

static void try_box_faces(const SlipiSolids *solids, SlipiAxis *axis) {
  const double *R = solids->a.R, *t = solids->a.position;
  const double *half_a = solids->a.half, *half_b = solids->b.half;
  for (int k = 0; k < 3; k++) {
    double n[3] = {k == 0, k == 1, k == 2}, radius = half_b[k];
    for (int j = 0; j < 3; j++)
      radius += half_a[j] * fabs(R[3 * k + j]);
    offer(solids, n, sign_of(t[k]), fabs(t[k]) - radius, true, axis);
  }
  for (int j = 0; j < 3; j++) {
    double n[3] = {R[j], R[3 + j], R[6 + j]}, radius = half_a[j], along = slipi_dot3(n, t);
    for (int k = 0; k < 3; k++)
      radius += half_b[k] * fabs(n[k]);
    offer(solids, n, sign_of(along), fabs(along) - radius, true, axis);
  }
}

/* The edge along axis k of a box that is farthest along `sign` n. */
static void box_edge(const SlipiSolid *box, const double n[3], double sign, int k,
                     int32_t ends[2]) {
  double d[3] = {sign * n[0], sign * n[1], sign * n[2]}, on[3];
  int32_t v = slipi_solid_support(box, d, on);
  ends[0] = v & ~(1 << k);
  ends[1] = v | 1 << k;
}

static void sat_boxes(const SlipiSolids *solids, double far, SlipiAxis *axis) {
  const double *R = solids->a.R, *t = solids->a.position;
  try_box_faces(solids, axis);
  for (int i = 0; i < 3 && axis->apart <= far; i++)
    for (int j = 0; j < 3; j++) {
      double edge_a[3] = {R[i], R[3 + i], R[6 + i]}, edge_b[3] = {j == 0, j == 1, j == 2}, n[3];
      slipi_cross(edge_a, edge_b, n);
      double length = slipi_length(n);
      if (!(length > 1e-10))
        continue;
      for (int k = 0; k < 3; k++)
        n[k] /= length;
      /* The extents are taken in full: n is across the two edges only up to rounding, which
       * counts where they are almost parallel. */
      double along = slipi_dot3(n, t), radius = extent(R, solids->a.half, n);
      for (int k = 0; k < 3; k++)
        radius += solids->b.half[k] * fabs(n[k]);
      if (offer(solids, n, sign_of(along), fabs(along) - radius, false, axis)) {
        box_edge(&solids->a, axis->n, -1, i, axis->edge_a);
        box_edge(&solids->b, axis->n, 1, j, axis->edge_b);
      }
    }
}

void slipi_sat(const SlipiSolids *solids, double far, SlipiAxis *axis) {
  axis->apart = -HUGE_VAL;
  axis->face = axis->edges = axis->sharp = false;
  for (int k = 0; k < 3; k++)
    axis->n[k] = k == 2;
  if (solids->a.half && solids->b.half)
    sat_boxes(solids, far, axis);
  else
    sat_any(solids, far, axis);
}
