/* Shapes on a half-space: its normal is that of every point, and each corner of a shape that is
 * near enough is one. */
#include "geom/collide_pair.h"
#include "geom/rim.h"

/* The normal in world axes. */
static void plane_normal(const SlipiMeeting *m, double n[3]) {
  slipi_rotate(m->pose_b->R, m->b->normal, n);
}

/* Append the lowest point of a ball around x (relative to the position of b) where it is near. */
static bool add_ball(const SlipiMeeting *m, const double n[3], const double x[3], double radius,
                     uint32_t feature) {
  double height = slipi_dot3(n, x), gap = height - radius, on_b[3];
  if (!(gap <= m->reach))
    return true;
  slipi_along(x, -height, n, on_b);
  return slipi_touch_add(m, on_b, n, gap, feature, slipi_feature(SLIPI_FEATURE_FACE, 0));
}

bool slipi_meet_sphere_half_space(const SlipiMeeting *m) {
  double n[3];
  plane_normal(m, n);
  return add_ball(m, n, m->apart, m->a->radius, slipi_feature(SLIPI_FEATURE_VERTEX, 0));
}

/* y of the frame of a, relative to the position of b in world axes. */
static void corner(const SlipiMeeting *m, const double y[3], double x[3]) {
  slipi_rotate(m->pose_a->R, y, x);
  slipi_along(x, 1, m->apart, x);
}

bool slipi_meet_capsule_half_space(const SlipiMeeting *m) {
  double n[3], x[3];
  plane_normal(m, n);
  for (uint32_t end = 0; end < 2; end++) {
    double y[3] = {0, 0, end ? m->a->half[2] : -m->a->half[2]};
    corner(m, y, x);
    if (!add_ball(m, n, x, m->a->radius, slipi_feature(SLIPI_FEATURE_VERTEX, end)))
      return false;
  }
  return true;
}

bool slipi_meet_box_half_space(const SlipiMeeting *m) {
  double n[3], x[3];
  plane_normal(m, n);
  for (uint32_t v = 0; v < 8; v++) {
    double y[3];
    for (int k = 0; k < 3; k++)
      y[k] = v >> k & 1 ? m->a->half[k] : -m->a->half[k];
    corner(m, y, x);
    if (!add_ball(m, n, x, 0, slipi_feature(SLIPI_FEATURE_VERTEX, v)))
      return false;
  }
  return true;
}

bool slipi_meet_hull_half_space(const SlipiMeeting *m) {
  double n[3], x[3];
  plane_normal(m, n);
  for (int32_t v = 0; v < m->a->hull->vertices; v++) {
    corner(m, m->a->hull->vertex + 3 * v, x);
    if (!add_ball(m, n, x, 0, slipi_feature(SLIPI_FEATURE_VERTEX, (uint32_t)v)))
      return false;
  }
  return true;
}

/* The rim of one end of a cylinder is near in its lowest point, and where that end faces the plane
 * also in points whose directions are fixed on the plane: a cylinder that stands has all of them.
 * One that spins where it stands keeps its points, and one that rolls on its rim has the true
 * lowest point at every moment. */
static bool add_rim(const SlipiMeeting *m, const SlipiRim *rim, const double n[3], uint32_t end) {
  double lowest[3], deepest = HUGE_VAL, x[3];
  if (rim->flat)
    for (uint32_t i = 0; i < SLIPI_RIM_POINTS; i++) {
      slipi_rim_point(rim, i, x);
      deepest = fmin(deepest, slipi_dot3(n, x));
      if (!add_ball(m, n, x, 0, slipi_rim_feature(end, i)))
        return false;
    }
  slipi_rim_lowest(rim, lowest);
  if (slipi_dot3(n, lowest) >= deepest - SLIPI_TOUCH_TOLERANCE * m->a->size)
    return true;
  return add_ball(m, n, lowest, 0, slipi_rim_feature(end, SLIPI_RIM_POINTS));
}

bool slipi_meet_cylinder_half_space(const SlipiMeeting *m) {
  double n[3], fixed[3];
  plane_normal(m, n);
  slipi_rim_fixed(m->b->normal, fixed);
  slipi_rotate(m->pose_b->R, fixed, fixed);
  for (uint32_t end = 0; end < 2; end++) {
    double axis[3] = {0, 0, end ? 1 : -1}, outward[3], centre[3];
    slipi_rotate(m->pose_a->R, axis, outward);
    slipi_along(m->apart, m->a->half[2], outward, centre);
    SlipiRim rim;
    slipi_rim_make(centre, outward, m->a->radius, n, fixed, &rim);
    if (!add_rim(m, &rim, n, end))
      return false;
  }
  return true;
}
