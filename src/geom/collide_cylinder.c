/* Cylinders on boxes, hulls and capsules. The best direction decides which part of the cylinder
 * touches: an end, as a disc; its side, as the line nearest to the other body; or a rim, in one
 * point. */
#include "geom/drum.h"
#include "geom/patch.h"
#include "geom/rim.h"

typedef struct Touch {
  const SlipiMeeting *m;
  SlipiSolids solids;
  SlipiDrum drum;
  SlipiAxis axis;
  double least;
} Touch;

static bool add(Touch *touch, const double on_b[3], double gap, uint32_t feature_a,
                uint32_t feature_b) {
  double radius = touch->solids.b.radius;
  touch->least = fmin(touch->least, gap - radius);
  if (!(gap - radius <= touch->m->reach))
    return true;
  return slipi_patch_add(touch->m, &touch->solids, on_b, touch->axis.n, gap, feature_a, feature_b);
}

/* ---- The disc of an end ---------------------------------------------------------------------- */

/* The part of b under the disc: the corners of a face in order, an edge, or a vertex. */
typedef struct Under {
  const int32_t *corner;
  int32_t count;
  const double *normal; /* of a face */
  double offset;
  uint32_t name;
} Under;

/* How far above p of b the plane of the end is along the normal. */
static double above(const Touch *touch, const SlipiRim *rim, const double p[3]) {
  double q[3];
  slipi_sub(rim->centre, p, q);
  return slipi_dot(touch->drum.axis, q) / slipi_dot(touch->drum.axis, touch->axis.n);
}

static bool add_corners(Touch *touch, const SlipiRim *rim, const Under *under) {
  for (int32_t i = 0; i < under->count; i++) {
    const double *p = touch->solids.b.hull->vertex + 3 * under->corner[i];
    double gap = above(touch, rim, p), q[3];
    slipi_along(p, gap, touch->axis.n, q);
    slipi_sub(q, rim->centre, q);
    if (slipi_length(q) <= rim->radius + touch->solids.slack &&
        !add(touch, p, gap, slipi_feature(SLIPI_FEATURE_FACE, 0),
             slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)under->corner[i])))
      return false;
  }
  return true;
}

/* Where an edge of b, lifted to the plane of the end, crosses the rim: twice at most. */
static bool add_edge(Touch *touch, const SlipiRim *rim, int32_t v, int32_t w) {
  const double *vertex = touch->solids.b.hull->vertex;
  double p[3], q[3], d[3], gap_p = above(touch, rim, vertex + 3 * v);
  double gap_q = above(touch, rim, vertex + 3 * w);
  slipi_along(vertex + 3 * v, gap_p, touch->axis.n, p);
  slipi_along(vertex + 3 * w, gap_q, touch->axis.n, q);
  slipi_sub(q, p, d);
  slipi_sub(p, rim->centre, p);
  double dd = slipi_dot(d, d), pd = slipi_dot(p, d), t0 = dd > 0 ? -pd / dd : 0, foot[3];
  slipi_along(p, t0, d, foot);
  double left = rim->radius * rim->radius - slipi_dot(foot, foot);
  if (!(left > 0 && dd > 0))
    return true;
  for (uint32_t root = 0; root < 2; root++) {
    double t = t0 + (root ? 1 : -1) * sqrt(left / dd), on_b[3], slack = touch->solids.slack;
    if (!(t * sqrt(dd) > slack && (1 - t) * sqrt(dd) > slack))
      continue;
    slipi_sub(vertex + 3 * w, vertex + 3 * v, on_b);
    slipi_along(vertex + 3 * v, t, on_b, on_b);
    if (!add(touch, on_b, gap_p + t * (gap_q - gap_p), slipi_feature(SLIPI_FEATURE_EDGE, 64 + root),
             slipi_feature_edge((uint32_t)v, (uint32_t)w)))
      return false;
  }
  return true;
}

/* Whether the point of the face's plane is in the face. */
static bool in_face(const Touch *touch, const Under *under, const double x[3]) {
  const double *vertex = touch->solids.b.hull->vertex;
  for (int32_t i = 0; i < under->count; i++) {
    const double *p = vertex + 3 * under->corner[i];
    const double *q = vertex + 3 * under->corner[(i + 1) % under->count];
    double edge[3], inward[3], from[3];
    slipi_sub(q, p, edge);
    slipi_cross(under->normal, edge, inward);
    slipi_sub(x, p, from);
    if (!(slipi_dot(inward, from) >= -touch->solids.slack * slipi_length(edge)))
      return false;
  }
  return true;
}

static bool add_rim_point(Touch *touch, const Under *under, const double x[3], double enough,
                          uint32_t feature) {
  double cosine = slipi_dot(under->normal, touch->axis.n), on_b[3];
  double gap = (slipi_dot(under->normal, x) - under->offset) / cosine;
  slipi_along(x, -gap, touch->axis.n, on_b);
  if (!(gap - touch->solids.b.radius < enough) || !in_face(touch, under, on_b))
    return true;
  return add(touch, on_b, gap, feature, under->name);
}

static bool add_disc(Touch *touch, const Under *under) {
  double outward[3], centre[3], fixed[3], x[3];
  double sign = slipi_dot(touch->drum.axis, touch->axis.n) > 0 ? -1 : 1;
  uint32_t end = sign > 0;
  for (int k = 0; k < 3; k++)
    outward[k] = sign * touch->drum.axis[k];
  slipi_along(touch->drum.centre, touch->drum.half, outward, centre);
  slipi_rim_fixed(touch->axis.n, fixed);
  SlipiRim rim;
  slipi_rim_make(centre, outward, touch->drum.radius, touch->axis.n, fixed, &rim);
  if (!add_corners(touch, &rim, under))
    return false;
  int32_t edges = under->count > 2 ? under->count : under->count - 1;
  for (int32_t i = 0; i < edges; i++)
    if (!add_edge(touch, &rim, under->corner[i], under->corner[(i + 1) % under->count]))
      return false;
  if (under->count < 3)
    return true;
  for (uint32_t i = 0; i < SLIPI_RIM_POINTS; i++) {
    slipi_rim_point(&rim, i, x);
    if (!add_rim_point(touch, under, x, HUGE_VAL, slipi_rim_feature(end, i)))
      return false;
  }
  slipi_rim_lowest(&rim, x);
  return add_rim_point(touch, under, x, touch->least - touch->solids.slack,
                       slipi_rim_feature(end, SLIPI_RIM_POINTS));
}

/* ---- Which part ------------------------------------------------------------------------------ */

/* The face of b that looks most along the normal, its edge or vertex where no face does. */
static void part_of_b(const Touch *touch, int32_t corner[2], Under *under) {
  const SlipiHull *hull = touch->solids.b.hull;
  int32_t face = slipi_patch_face(&touch->solids.b, touch->axis.n, 1, touch->solids.slack);
  if (face >= 0 && slipi_dot(hull->normal + 3 * face, touch->axis.n) > 1e-3) {
    int32_t start = hull->face_start[face];
    *under = (Under){.corner = hull->face_vertex + start,
                     .count = hull->face_start[face + 1] - start,
                     .normal = hull->normal + 3 * face,
                     .offset = hull->offset[face],
                     .name = slipi_feature(SLIPI_FEATURE_FACE, (uint32_t)face)};
    return;
  }
  corner[0] = hull->edges ? hull->edge[0] : 0;
  corner[1] = hull->edges ? hull->edge[1] : 0;
  *under = (Under){.corner = corner, .count = hull->edges ? 2 : 1};
}

/* The line of the side that is nearest to b, as a solid of its own. */
static bool add_side(Touch *touch) {
  SlipiSolids line = touch->solids;
  SlipiAxis axis = touch->axis;
  double back[3], radial[3];
  double least;
  for (int k = 0; k < 3; k++)
    back[k] = -axis.n[k];
  slipi_along(back, -slipi_dot(back, touch->drum.axis), touch->drum.axis, radial);
  double length = slipi_length(radial);
  line.a.hull = &line.a.own;
  line.a.own.vertex = line.a.own_vertex;
  if (line.b.hull == &touch->solids.b.own) {
    line.b.hull = &line.b.own;
    line.b.own.vertex = line.b.own_vertex;
    line.b.own.offset = line.b.own_offset;
  }
  slipi_along(touch->drum.centre, touch->drum.radius / length, radial, line.a.position);
  axis.edge_a[0] = 0;
  axis.edge_a[1] = 1;
  bool good = slipi_patch(touch->m, &line, &axis, &least);
  touch->least = fmin(touch->least, least);
  return good;
}

/* The one point of the cylinder farthest against the normal. */
static bool add_point(Touch *touch) {
  double back[3], on[3];
  for (int k = 0; k < 3; k++)
    back[k] = -touch->axis.n[k];
  slipi_drum_support(&touch->drum, back, on);
  slipi_along(on, -touch->axis.apart, touch->axis.n, on);
  return add(touch, on, touch->axis.apart, slipi_feature(SLIPI_FEATURE_EDGE, 128),
             slipi_feature(SLIPI_FEATURE_EDGE, 0));
}

static bool reached(const Touch *touch) {
  return touch->least <= touch->axis.apart - touch->solids.b.radius + 8 * touch->solids.slack;
}

static bool add_all(Touch *touch) {
  double along = fabs(slipi_dot(touch->drum.axis, touch->axis.n));
  int32_t first = touch->m->list->count, corner[2];
  if (along > 0.7) {
    Under under;
    part_of_b(touch, corner, &under);
    if (!add_disc(touch, &under))
      return false;
  } else if (!add_side(touch)) {
    return false;
  }
  if (reached(touch))
    return true;
  touch->m->list->count = first;
  return add_point(touch);
}

bool slipi_meet_cylinder_solid(const SlipiMeeting *m) {
  Touch touch;
  touch.m = m;
  touch.least = HUGE_VAL;
  slipi_solids_make(m, &touch.solids);
  const SlipiSolid *a = &touch.solids.a;
  touch.drum.radius = m->a->radius;
  touch.drum.half = m->a->half[2];
  for (int k = 0; k < 3; k++) {
    touch.drum.centre[k] = a->position[k];
    touch.drum.axis[k] = a->R[3 * k + 2];
  }
  double far = m->reach + touch.solids.b.radius;
  slipi_drum_axis(&touch.solids, &touch.drum, far, &touch.axis);
  return touch.axis.apart > far || add_all(&touch);
}
