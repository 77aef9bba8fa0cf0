/* Spheres and capsules: the distance of two cores, points or segments, less the radii. */
#include "geom/collide_pair.h"

#include <float.h>

static const uint32_t whole_sphere = (uint32_t)SLIPI_FEATURE_VERTEX << 30;

bool slipi_meet_sphere_sphere(const SlipiMeeting *m) {
  double squared = slipi_dot3(m->apart, m->apart), n[3] = {0, 0, 1}, on_b[3];
  double radii = m->a->radius + m->b->radius, far = radii + m->reach;
  if (!(squared <= far * far) || far < 0)
    return true;
  double length = sqrt(squared);
  for (int k = 0; k < 3 && length > 0; k++)
    n[k] = m->apart[k] / length;
  for (int k = 0; k < 3; k++)
    on_b[k] = m->b->radius * n[k];
  return slipi_touch_add(m, on_b, n, length - radii, whole_sphere, whole_sphere);
}

static void axis_of(const SlipiPose *pose, double axis[3]) {
  for (int k = 0; k < 3; k++)
    axis[k] = pose->R[3 * k + 2];
}

static void across_of(const SlipiPose *pose, double across[3]) {
  for (int k = 0; k < 3; k++)
    across[k] = pose->R[3 * k];
}

static double clamp(double x, double half) {
  return x > half ? half : x < -half ? -half : x;
}

/* The end of a segment that t is, or its inside. */
static uint32_t part_of_segment(double t, double half) {
  if (t >= half || t <= -half)
    return slipi_feature(SLIPI_FEATURE_VERTEX, t > 0);
  return slipi_feature_edge(0, 1);
}

/* Make the vector from an axis to a point a unit vector, square to the axis where it begins inside
 * it: rounding would tilt it where the axis is much longer. `across` stands in for one that is
 * rounding itself, `scale` the lengths it comes from. */
static void straighten(double n[3], const double axis[3], bool inside, double scale,
                       const double across[3]) {
  bool none = slipi_length(n) <= 8 * DBL_EPSILON * scale;
  for (int k = 0; k < 3 && none; k++)
    n[k] = across[k];
  if (inside)
    slipi_along(n, -slipi_dot3(n, axis), axis, n);
  double length = slipi_length(n);
  for (int k = 0; k < 3; k++)
    n[k] /= length;
}

bool slipi_meet_sphere_capsule(const SlipiMeeting *m) {
  double axis[3], across[3], n[3], on_b[3], half = m->b->half[2];
  axis_of(m->pose_b, axis);
  across_of(m->pose_b, across);
  double t = clamp(slipi_dot3(axis, m->apart), half);
  slipi_along(m->apart, -t, axis, n);
  double gap = slipi_length(n) - m->a->radius - m->b->radius;
  if (!(gap <= m->reach))
    return true;
  straighten(n, axis, fabs(t) < half, half + slipi_length(m->apart), across);
  for (int k = 0; k < 3; k++)
    on_b[k] = t * axis[k] + m->b->radius * n[k];
  return slipi_touch_add(m, on_b, n, gap, whole_sphere, part_of_segment(t, half));
}

/* Axes u of a and v of b through their centres: points apart + s u and t v. */
typedef struct Axes {
  double u[3], v[3], uv, sine2, half_a, half_b, u_apart, v_apart, across[3];
} Axes;

static void make_axes(const SlipiMeeting *m, Axes *axes) {
  axis_of(m->pose_a, axes->u);
  axis_of(m->pose_b, axes->v);
  slipi_cross(axes->u, axes->v, axes->across);
  axes->uv = slipi_dot3(axes->u, axes->v);
  axes->sine2 = slipi_dot3(axes->across, axes->across);
  axes->half_a = m->a->half[2];
  axes->half_b = m->b->half[2];
  axes->u_apart = slipi_dot3(axes->u, m->apart);
  axes->v_apart = slipi_dot3(axes->v, m->apart);
  double length = sqrt(axes->sine2);
  if (length > 0)
    for (int k = 0; k < 3; k++)
      axes->across[k] /= length;
  else
    across_of(m->pose_b, axes->across);
}

static double nearest_on_a(const Axes *axes, double t) {
  return clamp(axes->uv * t - axes->u_apart, axes->half_a);
}

static double nearest_on_b(const Axes *axes, double s) {
  return clamp(axes->uv * s + axes->v_apart, axes->half_b);
}

/* The nearest points of two segments; any of them where they are parallel. */
static void nearest_on_axes(const SlipiMeeting *m, const Axes *axes, double *s, double *t) {
  double uxv[3], wxv[3];
  slipi_cross(axes->u, axes->v, uxv);
  slipi_cross(m->apart, axes->v, wxv);
  double top = -slipi_dot3(uxv, wxv); /* (u.v)(v.w) - u.w without its cancellation */
  *s = axes->sine2 > 0 ? clamp(top / axes->sine2, axes->half_a) : 0;
  *t = nearest_on_b(axes, *s);
  *s = nearest_on_a(axes, *t);
}

static double gap_between(const SlipiMeeting *m, const Axes *axes, double s, double t) {
  double x[3];
  slipi_along(m->apart, s, axes->u, x);
  slipi_along(x, -t, axes->v, x);
  return slipi_length(x) - m->a->radius - m->b->radius;
}

/* The unit vector from t v to apart + s u, where it is across an axis that it begins or ends inside
 * of: rounding would tilt it where the axes are much longer than the distance. Inside of both it is
 * across both. */
static void normal_between(const SlipiMeeting *m, const Axes *axes, double s, double t,
                           bool inside_a, bool inside_b, double n[3]) {
  slipi_along(m->apart, s, axes->u, n);
  slipi_along(n, -t, axes->v, n);
  double scale = axes->half_a + axes->half_b + slipi_length(m->apart);
  double length = slipi_length(n);
  /* Rounding turns the one by eps/sine, the other by eps scale/length. */
  bool better = axes->sine2 > 1e-6 || length * length < axes->sine2 * scale * scale;
  bool crossing = inside_a && inside_b && better;
  if (crossing || length <= 8 * DBL_EPSILON * scale) {
    double sign = slipi_dot3(n, axes->across) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
      n[k] = sign * axes->across[k];
    return;
  }
  straighten(n, axes->u, inside_a, 0, axes->across);
  straighten(n, axes->v, inside_b, 0, axes->across);
}

static bool add_on_axes(const SlipiMeeting *m, const Axes *axes, double s, double t,
                        uint32_t part_a, uint32_t part_b) {
  const uint32_t side = slipi_feature_edge(0, 1);
  double n[3], on_b[3], gap = gap_between(m, axes, s, t);
  if (!(gap <= m->reach))
    return true;
  normal_between(m, axes, s, t, part_a == side, part_b == side, n);
  for (int k = 0; k < 3; k++)
    on_b[k] = t * axes->v[k] + m->b->radius * n[k];
  return slipi_touch_add(m, on_b, n, gap, part_a, part_b);
}

/* Capsules side by side touch along a line: both its ends are points. They are the ends of a whose
 * nearest point of b is inside it, and the other way round. */
static bool add_ends(const SlipiMeeting *m, const Axes *axes) {
  bool good = true;
  for (int end = 0; good && end < 4; end++) {
    double half = end < 2 ? axes->half_a : axes->half_b, own = end % 2 ? half : -half;
    double other = end < 2 ? axes->uv * own + axes->v_apart : axes->uv * own - axes->u_apart;
    double other_half = end < 2 ? axes->half_b : axes->half_a;
    /* Ends that are level with each other count once, as ends of a. */
    double slack = SLIPI_TOUCH_TOLERANCE * (axes->half_a + axes->half_b);
    if (fabs(other) > other_half + (end < 2 ? slack : -slack))
      continue;
    other = clamp(other, other_half);
    double s = end < 2 ? own : other, t = end < 2 ? other : own;
    uint32_t part = slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)end % 2);
    uint32_t side = slipi_feature_edge(0, 1);
    good = add_on_axes(m, axes, s, t, end < 2 ? part : side, end < 2 ? side : part);
  }
  return good;
}

/* How far the capsules are apart along n. */
static double apart_along(const SlipiMeeting *m, const Axes *axes, const double n[3]) {
  return slipi_dot3(n, m->apart) - axes->half_a * fabs(slipi_dot3(n, axes->u)) -
         axes->half_b * fabs(slipi_dot3(n, axes->v)) - m->a->radius - m->b->radius;
}

/* Whether points of the list from `first` on say what the nearest points of the axes, a gap apart,
 * would: the deepest of them is as deep, and its normal separates as much. Axes that cross at a
 * small angle may be nearest in the middle by less than the tolerance, yet along another normal. */
static bool ends_suffice(const SlipiMeeting *m, const Axes *axes, int32_t first, double gap) {
  double scale = axes->half_a + axes->half_b + slipi_length(m->apart);
  double length = gap + m->a->radius + m->b->radius;
  double slack = SLIPI_TOUCH_TOLERANCE * fmin(m->a->size, m->b->size);
  double turned = length > 0 ? 8 * DBL_EPSILON * scale / length * scale : HUGE_VAL;
  const SlipiTouchPoint *deepest = NULL;
  for (int32_t i = first; i < m->list->count; i++)
    if (!deepest || m->list->points[i].gap < deepest->gap)
      deepest = &m->list->points[i];
  return deepest && deepest->gap <= gap + slack &&
         apart_along(m, axes, deepest->normal) >= gap - slack - turned;
}

bool slipi_meet_capsule_capsule(const SlipiMeeting *m) {
  static const double side_by_side = 0.01; /* squared sine of the angle between the axes */
  int32_t first = m->list->count;
  Axes axes;
  double s, t;
  make_axes(m, &axes);
  nearest_on_axes(m, &axes, &s, &t);
  double gap = gap_between(m, &axes, s, t);
  if (!(gap <= m->reach))
    return true;
  if (axes.sine2 < side_by_side && !add_ends(m, &axes))
    return false;
  if (ends_suffice(m, &axes, first, gap))
    return true;
  return add_on_axes(m, &axes, s, t, part_of_segment(s, axes.half_a),
                     part_of_segment(t, axes.half_b));
}

/* A sphere whose centre is c in the frame of b, nearest to the surface of b at q, where the normal
 * is n and the distance `depth` below zero when c is inside. */
static bool add_at_surface(const SlipiMeeting *m, double q[3], double n[3], double distance,
                           uint32_t feature) {
  double gap = distance - m->a->radius;
  if (!(gap <= m->reach))
    return true;
  slipi_rotate(m->pose_b->R, q, q);
  slipi_rotate(m->pose_b->R, n, n);
  return slipi_touch_add(m, q, n, gap, whole_sphere, feature);
}

/* The part of a box that lies in the directions where side is not 0. */
static uint32_t part_of_box(const int side[3]) {
  int outside = (side[0] != 0) + (side[1] != 0) + (side[2] != 0);
  uint32_t index = 0;
  for (int k = 2; k >= 0; k--)
    index = 3 * index + (uint32_t)(side[k] + 1);
  return slipi_feature(outside == 1   ? SLIPI_FEATURE_FACE
                       : outside == 2 ? SLIPI_FEATURE_EDGE
                                      : SLIPI_FEATURE_VERTEX,
                       index);
}

bool slipi_meet_sphere_box(const SlipiMeeting *m) {
  double c[3], q[3], n[3];
  int side[3] = {0, 0, 0}, nearest = 0;
  slipi_rotate_back(m->pose_b->R, m->apart, c);
  for (int k = 0; k < 3; k++) {
    q[k] = clamp(c[k], m->b->half[k]);
    n[k] = c[k] - q[k];
    side[k] = (n[k] > 0) - (n[k] < 0);
    if (m->b->half[k] - fabs(c[k]) < m->b->half[nearest] - fabs(c[nearest]))
      nearest = k;
  }
  double distance = slipi_length(n);
  for (int k = 0; k < 3 && distance > 0; k++)
    n[k] /= distance;
  if (!(distance > 0)) {
    for (int k = 0; k < 3; k++)
      side[k] = k != nearest ? 0 : c[k] < 0 ? -1 : 1;
    distance = fabs(c[nearest]) - m->b->half[nearest];
    q[nearest] = side[nearest] * m->b->half[nearest];
    for (int k = 0; k < 3; k++)
      n[k] = side[k];
  }
  return add_at_surface(m, q, n, distance, part_of_box(side));
}

bool slipi_meet_sphere_cylinder(const SlipiMeeting *m) {
  double c[3], radius = m->b->radius, half = m->b->half[2];
  slipi_rotate_back(m->pose_b->R, m->apart, c);
  double from_axis = hypot(c[0], c[1]), ring = 1, out[2] = {1, 0};
  if (from_axis > 0) {
    out[0] = c[0] / from_axis;
    out[1] = c[1] / from_axis;
  }
  ring = fmin(from_axis, radius);
  double height = clamp(c[2], half), side = from_axis - ring, above = c[2] - height;
  double distance = hypot(side, above);
  if (distance > 0) {
    side /= distance;
    above /= distance;
  } else if (from_axis - radius > fabs(c[2]) - half) {
    distance = from_axis - radius;
    ring = radius;
    side = 1;
  } else {
    distance = fabs(c[2]) - half;
    height = c[2] < 0 ? -half : half;
    above = c[2] < 0 ? -1 : 1;
  }
  double q[3] = {ring * out[0], ring * out[1], height},
         n[3] = {side * out[0], side * out[1], above};
  uint32_t end = 1U + (above > 0);
  uint32_t feature = side == 0    ? slipi_feature(SLIPI_FEATURE_FACE, end)
                     : above == 0 ? slipi_feature(SLIPI_FEATURE_FACE, 0)
                                  : slipi_feature(SLIPI_FEATURE_EDGE, end);
  return add_at_surface(m, q, n, distance, feature);
}
