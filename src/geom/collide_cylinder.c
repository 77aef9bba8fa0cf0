/* Cylinders on boxes, hulls, capsules and each other. The best direction decides which part of the
 * cylinder touches: an end, as a disc; its side, as the line nearest to the other body; or a rim,
 * in one point. */
#include "geom/collide_cylinder.h"

#include <string.h>

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
  const double *vertex;
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
  return slipi_dot3(touch->drum.axis, q) / slipi_dot3(touch->drum.axis, touch->axis.n);
}

static bool add_corners(Touch *touch, const SlipiRim *rim, const Under *under) {
  for (int32_t i = 0; i < under->count; i++) {
    const double *p = under->vertex + 3 * under->corner[i];
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
static bool add_edge(Touch *touch, const SlipiRim *rim, const double *vertex, int32_t v,
                     int32_t w) {
  double p[3], q[3], d[3], gap_p = above(touch, rim, vertex + 3 * v);
  double gap_q = above(touch, rim, vertex + 3 * w);
  slipi_along(vertex + 3 * v, gap_p, touch->axis.n, p);
  slipi_along(vertex + 3 * w, gap_q, touch->axis.n, q);
  slipi_sub(q, p, d);
  slipi_sub(p, rim->centre, p);
  double dd = slipi_dot3(d, d), pd = slipi_dot3(p, d), t0 = dd > 0 ? -pd / dd : 0, foot[3];
  slipi_along(p, t0, d, foot);
  double left = rim->radius * rim->radius - slipi_dot3(foot, foot);
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
  for (int32_t i = 0; i < under->count; i++) {
    const double *p = under->vertex + 3 * under->corner[i];
    const double *q = under->vertex + 3 * under->corner[(i + 1) % under->count];
    double edge[3], inward[3], from[3];
    slipi_sub(q, p, edge);
    slipi_cross(under->normal, edge, inward);
    slipi_sub(x, p, from);
    if (!(slipi_dot3(inward, from) >= -touch->solids.slack * slipi_length(edge)))
      return false;
  }
  return true;
}

static bool add_rim_point(Touch *touch, const Under *under, const double x[3], double enough,
                          uint32_t feature) {
  double cosine = slipi_dot3(under->normal, touch->axis.n), on_b[3];
  double gap = (slipi_dot3(under->normal, x) - under->offset) / cosine;
  slipi_along(x, -gap, touch->axis.n, on_b);
  if (!(gap - touch->solids.b.radius < enough) || !in_face(touch, under, on_b))
    return true;
  return add(touch, on_b, gap, feature, under->name);
}

/* The rim of the end of a cylinder that looks along `outward` n; gives the number of the end. */
static uint32_t end_of(const Touch *touch, const SlipiDrum *drum, double outward, SlipiRim *rim) {
  double out[3], centre[3], fixed[3], n[3];
  double sign = outward * slipi_dot3(drum->axis, touch->axis.n) > 0 ? 1 : -1;
  for (int k = 0; k < 3; k++) {
    out[k] = sign * drum->axis[k];
    n[k] = -outward * touch->axis.n[k];
  }
  slipi_along(drum->centre, drum->half, out, centre);
  slipi_rim_fixed(touch->axis.n, fixed);
  slipi_rim_make(centre, out, drum->radius, n, fixed, rim);
  return sign > 0;
}

static bool add_disc(Touch *touch, const Under *under) {
  SlipiRim rim;
  double x[3];
  uint32_t end = end_of(touch, &touch->drum, -1, &rim);
  if (!add_corners(touch, &rim, under))
    return false;
  int32_t edges = under->count > 2 ? under->count : under->count - 1;
  for (int32_t i = 0; i < edges; i++)
    if (!add_edge(touch, &rim, under->vertex, under->corner[i],
                  under->corner[(i + 1) % under->count]))
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
  if (face >= 0 && slipi_dot3(hull->normal + 3 * face, touch->axis.n) > 1e-3) {
    int32_t start = hull->face_start[face];
    *under = (Under){.vertex = hull->vertex,
                     .corner = hull->face_vertex + start,
                     .count = hull->face_start[face + 1] - start,
                     .normal = hull->normal + 3 * face,
                     .offset = hull->offset[face],
                     .name = slipi_feature(SLIPI_FEATURE_FACE, (uint32_t)face)};
    return;
  }
  corner[0] = hull->edges ? hull->edge[0] : 0;
  corner[1] = hull->edges ? hull->edge[1] : 0;
  *under = (Under){.vertex = hull->vertex, .corner = corner, .count = hull->edges ? 2 : 1};
}

/* The line of a cylinder's side that is farthest along `outward` n. */
static void line_of(const Touch *touch, const SlipiDrum *drum, double outward, double middle[3]) {
  double toward[3], radial[3];
  for (int k = 0; k < 3; k++)
    toward[k] = outward * touch->axis.n[k];
  slipi_drum_radial(drum, toward, radial);
  slipi_along(drum->centre, drum->radius, radial, middle);
}

/* The side: its nearest line takes the place of the axis in the solid. */
static bool add_side(Touch *touch) {
  SlipiAxis axis = touch->axis;
  double axis_at[3], least;
  for (int k = 0; k < 3; k++)
    axis_at[k] = touch->solids.a.position[k];
  line_of(touch, &touch->drum, -1, touch->solids.a.position);
  axis.edge_a[0] = 0;
  axis.edge_a[1] = 1;
  bool good = slipi_patch(touch->m, &touch->solids, &axis, &least);
  for (int k = 0; k < 3; k++)
    touch->solids.a.position[k] = axis_at[k];
  touch->least = fmin(touch->least, least);
  return good;
}

/* Whether a cylinder is farthest along n in one point, and not in a whole line or disc. */
static bool in_one_point(const SlipiDrum *drum, const double n[3]) {
  double along = fabs(slipi_dot3(drum->axis, n));
  return along > 1e-9 && along < 1 - 1e-9;
}

/* The point of the cylinder farthest against the normal, where there is only one, moved along the
 * normal to b; else that of b along it. */
static void point_on_b(const Touch *touch, const double farthest[3], double on_b[3]) {
  double back[3], on[3];
  for (int k = 0; k < 3; k++)
    back[k] = -touch->axis.n[k];
  slipi_drum_support(&touch->drum, back, on);
  bool one = in_one_point(&touch->drum, touch->axis.n);
  slipi_along(one ? on : farthest, one ? -touch->axis.apart : 0, touch->axis.n, on_b);
}

static bool add_point(Touch *touch, const double on_b[3]) {
  return add(touch, on_b, touch->axis.apart, slipi_feature(SLIPI_FEATURE_EDGE, 128),
             slipi_feature(SLIPI_FEATURE_EDGE, 0));
}

static bool reached(const Touch *touch) {
  return touch->least <= touch->axis.apart - touch->solids.b.radius + 8 * touch->solids.slack;
}

static bool add_disc_or_side(Touch *touch) {
  Under under;
  int32_t corner[2];
  if (!(fabs(slipi_dot3(touch->drum.axis, touch->axis.n)) > 0.7))
    return add_side(touch);
  part_of_b(touch, corner, &under);
  return add_disc(touch, &under);
}

/* What a direction separates; b is NULL where the other body is no cylinder. */
static double apart_along(const Touch *touch, const SlipiDrum *b, const double n[3]) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  double farthest[3];
  if (b)
    return slipi_drums_apart(&touch->drum, b, n);
  slipi_solid_support(&touch->solids.b, n, farthest);
  return -slipi_drum_extent(&touch->drum, back) - slipi_dot3(n, farthest);
}

/* Move a point of b that the cylinder has just not above it into both. A line of a side
 * that is all but level with an end is lowest at its own end, which may be beyond the rim by more
 * than rounding; so may be the corner of a box below an end. Where the line ends there, too, the
 * points are apart along another direction, which separates as much up to the square of that. */
static void into_both(Touch *touch, const SlipiDrum *b, double on_b[3]) {
  double on_a[3], n[3];
  if (b)
    slipi_drum_nearest(b, on_b, on_b);
  slipi_along(on_b, touch->axis.apart, touch->axis.n, on_a);
  slipi_drum_nearest(&touch->drum, on_a, on_a);
  slipi_sub(on_a, on_b, n);
  double distance = slipi_length(n);
  for (int k = 0; k < 3 && distance > 0; k++)
    n[k] /= distance;
  double apart = apart_along(touch, b, n);
  if (touch->axis.apart > touch->solids.slack && apart >= touch->axis.apart - touch->solids.slack) {
    memcpy(touch->axis.n, n, sizeof n);
    touch->axis.apart = apart;
  }
  slipi_along(on_a, -touch->axis.apart, touch->axis.n, on_b);
}

/* Whether a point of b, moved along the normal onto the cylinder, is beside it. */
static bool is_beside(const Touch *touch, const double on_b[3]) {
  double on_a[3], nearest[3];
  slipi_along(on_b, touch->axis.apart, touch->axis.n, on_a);
  slipi_drum_nearest(&touch->drum, on_a, nearest);
  slipi_sub(on_a, nearest, nearest);
  return slipi_length(nearest) > touch->solids.slack;
}

static bool add_all(Touch *touch) {
  int32_t first = touch->m->list->count;
  if (!add_disc_or_side(touch))
    return false;
  if (reached(touch))
    return true;
  touch->m->list->count = first;
  double on_b[3];
  slipi_solid_support(&touch->solids.b, touch->axis.n, on_b);
  point_on_b(touch, on_b, on_b);
  if (is_beside(touch, on_b))
    into_both(touch, NULL, on_b);
  return add_point(touch, on_b);
}

bool slipi_cylinder_patch(const SlipiMeeting *m, const SlipiSolids *solids, const SlipiDrum *drum,
                          const SlipiAxis *axis, bool *whole) {
  Touch touch = {.m = m, .solids = *solids, .drum = *drum, .axis = *axis, .least = HUGE_VAL};
  /* The solid of the axis is its own hull, which has moved with it. */
  touch.solids.a.hull = &touch.solids.a.own;
  touch.solids.a.own.vertex = touch.solids.a.own_vertex;
  bool good = add_disc_or_side(&touch);
  *whole = reached(&touch);
  return good;
}

void slipi_cylinder_drum(const SlipiShape *shape, const SlipiSolid *solid, SlipiDrum *drum) {
  drum->radius = shape->radius;
  drum->half = shape->half[2];
  for (int k = 0; k < 3; k++) {
    drum->centre[k] = solid->position[k];
    drum->axis[k] = solid->R[3 * k + 2];
  }
}

bool slipi_meet_cylinder_solid(const SlipiMeeting *m) {
  Touch touch;
  touch.m = m;
  touch.least = HUGE_VAL;
  slipi_solids_make(m, &touch.solids);
  slipi_cylinder_drum(m->a, &touch.solids.a, &touch.drum);
  double far = m->reach + touch.solids.b.radius;
  slipi_drum_axis(&touch.solids, &touch.drum, far, &touch.axis);
  return touch.axis.apart > far || add_all(&touch);
}

/* ---- Two cylinders --------------------------------------------------------------------------- */

/* x moved along the normal, `outward` 1 or -1 times the distance given, onto the plane of an end.
 */
static double onto_end(const Touch *touch, const SlipiRim *rim, const SlipiDrum *drum,
                       double outward, const double x[3], double out[3]) {
  double q[3];
  slipi_sub(rim->centre, x, q);
  double t = outward * slipi_dot3(drum->axis, q) / slipi_dot3(drum->axis, touch->axis.n);
  slipi_along(x, outward * t, touch->axis.n, out);
  slipi_sub(out, rim->centre, q);
  return slipi_length(q) - rim->radius;
}

typedef struct Ends {
  SlipiDrum b;
  SlipiRim rim_a, rim_b;
  uint32_t end_a, end_b;
} Ends;

/* A point of the rim of a where it is over the end of b. */
static bool add_over_b(Touch *touch, const Ends *ends, const double x[3], double enough,
                       uint32_t feature) {
  double on_b[3], d[3];
  if (onto_end(touch, &ends->rim_b, &ends->b, -1, x, on_b) > touch->solids.slack)
    return true;
  slipi_sub(x, on_b, d);
  double gap = slipi_dot3(d, touch->axis.n);
  return !(gap < enough) ||
         add(touch, on_b, gap, feature, slipi_feature(SLIPI_FEATURE_FACE, ends->end_b));
}

static bool add_rims(Touch *touch, const Ends *ends) {
  double x[3], on_a[3], d[3];
  for (uint32_t i = 0; i < SLIPI_RIM_POINTS; i++) {
    slipi_rim_point(&ends->rim_a, i, x);
    if (!add_over_b(touch, ends, x, HUGE_VAL, slipi_rim_feature(ends->end_a, i)))
      return false;
  }
  /* Of the rim of b what is well inside: of two equal discs the points would be there twice. */
  for (uint32_t i = 0; i <= SLIPI_RIM_POINTS; i++) {
    bool lowest = i == SLIPI_RIM_POINTS;
    if (lowest)
      slipi_rim_lowest(&ends->rim_b, x);
    else
      slipi_rim_point(&ends->rim_b, i, x);
    if (onto_end(touch, &ends->rim_a, &touch->drum, 1, x, on_a) > -touch->solids.slack)
      continue;
    slipi_sub(on_a, x, d);
    double gap = slipi_dot3(d, touch->axis.n);
    if (lowest && !(gap < touch->least - touch->solids.slack))
      continue;
    if (!add(touch, x, gap, slipi_feature(SLIPI_FEATURE_FACE, ends->end_a),
             slipi_rim_feature(ends->end_b, i)))
      return false;
  }
  slipi_rim_lowest(&ends->rim_a, x);
  return add_over_b(touch, ends, x, touch->least - touch->solids.slack,
                    slipi_rim_feature(ends->end_a, SLIPI_RIM_POINTS));
}

/* How far the point of b's rim at an angle, lifted to the end of a, is outside of it. */
static double outside_a(const Touch *touch, const Ends *ends, double angle, double x[3],
                        double on_a[3]) {
  slipi_along(ends->rim_b.centre, ends->rim_b.radius * cos(angle), ends->rim_b.x, x);
  slipi_along(x, ends->rim_b.radius * sin(angle), ends->rim_b.y, x);
  return onto_end(touch, &ends->rim_a, &touch->drum, 1, x, on_a);
}

/* The two crossings of the rims: on both sides of the direction from the centre of b to that of a,
 * by bisection between there and the far side. */
static bool add_crossings(Touch *touch, const Ends *ends) {
  double d[3], x[3], on_a[3];
  slipi_sub(ends->rim_a.centre, ends->rim_b.centre, d);
  double toward = atan2(slipi_dot3(d, ends->rim_b.y), slipi_dot3(d, ends->rim_b.x));
  const double half_turn = acos(-1);
  if (!(outside_a(touch, ends, toward, x, on_a) < -touch->solids.slack) ||
      !(outside_a(touch, ends, toward + half_turn, x, on_a) > touch->solids.slack))
    return true;
  for (uint32_t side = 0; side < 2; side++) {
    double in = toward, out = side ? toward - half_turn : toward + half_turn;
    for (int round = 0; round < 60; round++) {
      double middle = 0.5 * (in + out);
      if (outside_a(touch, ends, middle, x, on_a) <= 0)
        in = middle;
      else
        out = middle;
    }
    slipi_sub(on_a, x, d);
    if (!add(touch, x, slipi_dot3(d, touch->axis.n), slipi_feature(SLIPI_FEATURE_EDGE, 64 + side),
             slipi_feature(SLIPI_FEATURE_EDGE, 64 + side)))
      return false;
  }
  return true;
}

static bool add_ends(Touch *touch, const SlipiDrum *b) {
  Ends ends = {.b = *b};
  ends.end_a = end_of(touch, &touch->drum, -1, &ends.rim_a);
  ends.end_b = end_of(touch, b, 1, &ends.rim_b);
  return add_rims(touch, &ends) && add_crossings(touch, &ends);
}

/* The end of a on the side of b. */
static bool add_end_on_side(Touch *touch, const SlipiDrum *b) {
  static const int32_t both[2] = {0, 1};
  double middle[3], vertex[6];
  line_of(touch, b, 1, middle);
  slipi_along(middle, -b->half, b->axis, vertex);
  slipi_along(middle, b->half, b->axis, vertex + 3);
  return add_disc(touch, &(Under){.vertex = vertex, .corner = both, .count = 2});
}

/* Side on side: both lines as segments. */
static bool add_sides(Touch *touch, const SlipiDrum *b) {
  SlipiSolid *solid = &touch->solids.b;
  line_of(touch, b, 1, solid->position);
  bool good = add_side(touch);
  for (int k = 0; k < 3; k++)
    solid->position[k] = 0;
  return good;
}

/* The meeting seen from b, with the same normal turned round. */
static void turn(const Touch *touch, SlipiMeeting *m, Touch *other) {
  *m = (SlipiMeeting){.a = touch->m->b, .b = touch->m->a, .reach = touch->m->reach};
  m->pose_a = touch->m->pose_b;
  m->pose_b = touch->m->pose_a;
  m->list = touch->m->list;
  slipi_sub(m->pose_a->position, m->pose_b->position, m->apart);
  other->m = m;
  other->least = HUGE_VAL;
  slipi_solids_make(m, &other->solids);
  other->axis = touch->axis;
  slipi_rotate(touch->m->pose_b->R, touch->axis.n, other->axis.n);
  slipi_rotate_back(m->pose_b->R, other->axis.n, other->axis.n);
  for (int k = 0; k < 3; k++)
    other->axis.n[k] = -other->axis.n[k];
  slipi_cylinder_drum(m->a, &other->solids.a, &other->drum);
}

/* The points of two cylinders along the axis that was found. */
static bool add_parts(Touch *touch, const SlipiDrum *b) {
  bool flat_a = fabs(slipi_dot3(touch->drum.axis, touch->axis.n)) > 0.7;
  bool flat_b = fabs(slipi_dot3(b->axis, touch->axis.n)) > 0.7;
  if (!flat_a && !flat_b)
    return add_sides(touch, b);
  if (flat_a)
    return flat_b ? add_ends(touch, b) : add_end_on_side(touch, b);
  SlipiMeeting m;
  Touch other;
  SlipiDrum a;
  int32_t first = touch->m->list->count;
  turn(touch, &m, &other);
  slipi_cylinder_drum(m.b, &other.solids.b, &a);
  bool good = add_end_on_side(&other, &a);
  touch->least = other.least;
  slipi_touch_exchange(m.list, first);
  return good;
}

/* The point of b farthest along the normal; of a whole line of them the middle of what is over a.
 */
static void farthest_over_a(const Touch *touch, const SlipiDrum *b, double on_b[3]) {
  double from[3], middle[3];
  slipi_drum_support(b, touch->axis.n, on_b);
  if (in_one_point(b, touch->axis.n) || fabs(slipi_dot3(b->axis, touch->axis.n)) > 0.7)
    return;
  line_of(touch, b, 1, middle);
  slipi_sub(touch->drum.centre, b->centre, from);
  double at = slipi_dot3(from, b->axis);
  double half = touch->drum.half * fabs(slipi_dot3(touch->drum.axis, b->axis));
  double low = fmax(-b->half, at - half), high = fmin(b->half, at + half);
  slipi_along(middle, fmin(fmax((low + high) / 2, -b->half), b->half), b->axis, on_b);
}

bool slipi_meet_cylinders(const SlipiMeeting *m) {
  Touch touch;
  SlipiDrum b;
  int32_t first = m->list->count;
  touch.m = m;
  touch.least = HUGE_VAL;
  slipi_solids_make(m, &touch.solids);
  slipi_cylinder_drum(m->a, &touch.solids.a, &touch.drum);
  slipi_cylinder_drum(m->b, &touch.solids.b, &b);
  slipi_drums_axis(&touch.drum, &b, touch.solids.slack, m->reach, &touch.axis);
  if (touch.axis.apart > m->reach)
    return true;
  if (!add_parts(&touch, &b))
    return false;
  if (reached(&touch) && touch.axis.apart >= 0)
    return true;
  double before = touch.axis.apart;
  /* A point as deep as the axis says shows that they overlap. */
  slipi_drums_rims(&touch.drum, &b, touch.solids.slack, reached(&touch), &touch.axis);
  if (touch.axis.apart <= before && reached(&touch))
    return true;
  m->list->count = first;
  touch.least = HUGE_VAL;
  if (touch.axis.apart > m->reach)
    return true;
  if (!add_parts(&touch, &b))
    return false;
  if (reached(&touch))
    return true;
  m->list->count = first;
  double on_b[3];
  farthest_over_a(&touch, &b, on_b);
  point_on_b(&touch, on_b, on_b);
  into_both(&touch, &b, on_b);
  return add_point(&touch, on_b);
}
