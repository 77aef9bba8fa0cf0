#include "geom/shape.h"

#include <string.h>

#include "base/angle.h"
#include "base/number.h"
#include "geom/mesh.h"

static const double PI = SLIPI_PI;

/* ---- Definitions ------------------------------------------------------------------------- */

/* The kinds, in the order of SlipShapeKind, and the dimensions they are for. */
static const struct {
  const char *name;
  bool in[2]; /* 2D, 3D */
} kinds[] = {{"sphere", {false, true}},   {"box", {false, true}},  {"capsule", {false, true}},
             {"cylinder", {false, true}}, {"plane", {true, true}}, {"hull", {false, true}},
             {"mesh", {false, true}},     {"disc", {true, false}}, {"polygon", {true, false}},
             {"segment", {true, false}}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static SlipStatus check_positive(const char *shape, const char *what, double value,
                                 SlipError *error) {
  char text[SLIPI_NUMBER_TEXT];
  if (value > 0 && isfinite(value))
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: the %s is %s but must be positive and finite",
                    shape, what, slipi_number_text(value, text));
}

static SlipStatus check_finite(const char *shape, const char *what, const double *values, int count,
                               SlipError *error) {
  char text[SLIPI_NUMBER_TEXT];
  for (int k = 0; k < count; k++)
    if (!isfinite(values[k]))
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: %s[%d] is %s but must be finite", shape,
                        what, k, slipi_number_text(values[k], text));
  return SLIP_OK;
}

/* In 2D everything lies in the plane z = 0. */
static SlipStatus check_plane(const char *shape, const char *what, double z, SlipError *error) {
  char text[SLIPI_NUMBER_TEXT];
  if (z == 0)
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: the %s has z = %s, but in 2D z is 0", shape,
                    what, slipi_number_text(z, text));
}

static SlipStatus make_round(const SlipShapeDef *def, SlipiShape *shape, SlipError *error) {
  shape->radius = def->radius;
  shape->size = 2 * def->radius;
  return check_positive(kinds[def->kind].name, "radius", def->radius, error);
}

static SlipStatus make_long(const SlipShapeDef *def, SlipiShape *shape, SlipError *error) {
  SlipStatus status = make_round(def, shape, error);
  if (status == SLIP_OK)
    status = check_positive(kinds[def->kind].name, "length", def->length, error);
  shape->half[2] = 0.5 * def->length;
  if (def->kind == SLIP_SHAPE_CYLINDER)
    shape->size = fmin(shape->size, def->length);
  return status;
}

static SlipStatus make_box(const SlipShapeDef *def, SlipiShape *shape, SlipError *error) {
  static const char *const names[] = {"first edge", "second edge", "third edge"};
  shape->size = INFINITY;
  for (int k = 0; k < 3; k++) {
    SlipStatus status = check_positive("box", names[k], def->edges[k], error);
    if (status != SLIP_OK)
      return status;
    shape->half[k] = 0.5 * def->edges[k];
    shape->size = fmin(shape->size, def->edges[k]);
  }
  return SLIP_OK;
}

static SlipStatus make_half_space(const SlipShapeDef *def, int dimension, SlipiShape *shape,
                                  SlipError *error) {
  SlipStatus status = check_finite("plane", "normal", def->normal, 3, error);
  if (status == SLIP_OK && dimension == 2)
    status = check_plane("plane", "normal", def->normal[2], error);
  if (status != SLIP_OK)
    return status;
  /* By the largest component first: the square of a tiny or huge number is not one. */
  double most = 0, unit[3];
  for (int k = 0; k < 3; k++)
    most = fmax(most, fabs(def->normal[k]));
  if (most == 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "plane: the normal is zero");
  for (int k = 0; k < 3; k++)
    unit[k] = def->normal[k] / most;
  double length = slipi_length(unit);
  for (int k = 0; k < 3; k++)
    shape->normal[k] = unit[k] / length;
  shape->size = INFINITY;
  return SLIP_OK;
}

static SlipStatus make_hull(const SlipShapeDef *def, int dimension, SlipiArena *arena,
                            SlipiShape *shape, SlipError *error) {
  SlipStatus status =
      slipi_hull_make(def->points, def->point_count, dimension, arena, &shape->hull, error);
  if (status == SLIP_OK)
    shape->size = shape->hull->width;
  return status;
}

static SlipStatus make_mesh(const SlipShapeDef *def, SlipiArena *arena, SlipiShape *shape,
                            SlipError *error) {
  SlipStatus status = slipi_mesh_make(def->points, def->point_count, def->triangles,
                                      def->triangle_count, arena, &shape->mesh, error);
  for (int k = 0; k < 3 && status == SLIP_OK; k++)
    shape->size = fmax(shape->size, shape->mesh->high[k] - shape->mesh->low[k]);
  return status;
}

static SlipStatus make_segment(const SlipShapeDef *def, SlipiShape *shape, SlipError *error) {
  if (!def->points || def->point_count != 2)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "segment: it has %d points but needs 2",
                      def->points ? (int)def->point_count : 0);
  SlipStatus status = check_finite("segment", "points", def->points, 6, error);
  for (int end = 0; end < 2 && status == SLIP_OK; end++)
    status = check_plane("segment", end ? "second point" : "first point", def->points[3 * end + 2],
                         error);
  if (status != SLIP_OK)
    return status;
  memcpy(shape->ends, def->points, sizeof shape->ends);
  shape->size = hypot(shape->ends[1][0] - shape->ends[0][0], shape->ends[1][1] - shape->ends[0][1]);
  return check_positive("segment", "length", shape->size, error);
}

static SlipStatus check_kind(const SlipShapeDef *def, int dimension, SlipError *error) {
  if (!def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the definition of a shape is null");
  if (def->kind < 0 || def->kind >= KINDS)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%d is no kind of shape", (int)def->kind);
  if (!kinds[def->kind].in[dimension - 2])
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: this shape is for %dD, the simulation is %dD",
                      kinds[def->kind].name, 5 - dimension, dimension);
  return SLIP_OK;
}

SlipStatus slipi_shape_make(const SlipShapeDef *def, int dimension, SlipiArena *arena,
                            SlipiShape *shape, SlipError *error) {
  memset(shape, 0, sizeof *shape);
  SlipStatus status = check_kind(def, dimension, error);
  if (status != SLIP_OK)
    return status;
  shape->kind = (SlipShapeKind)def->kind;
  switch (shape->kind) {
  case SLIP_SHAPE_SPHERE:
  case SLIP_SHAPE_DISC:
    return make_round(def, shape, error);
  case SLIP_SHAPE_CAPSULE:
  case SLIP_SHAPE_CYLINDER:
    return make_long(def, shape, error);
  case SLIP_SHAPE_BOX:
    return make_box(def, shape, error);
  case SLIP_SHAPE_HALF_SPACE:
    return make_half_space(def, dimension, shape, error);
  case SLIP_SHAPE_HULL:
  case SLIP_SHAPE_POLYGON:
    return make_hull(def, dimension, arena, shape, error);
  case SLIP_SHAPE_SEGMENT:
    return make_segment(def, shape, error);
  case SLIP_SHAPE_MESH:
    break;
  }
  return make_mesh(def, arena, shape, error);
}

/* ---- Bounds ------------------------------------------------------------------------------ */

/* Half the extent of a posed convex shape that is symmetric to its origin, along one world axis:
 * row is that axis in the shape's frame. */
static double half_extent(const SlipiShape *shape, const double row[3]) {
  switch (shape->kind) {
  case SLIP_SHAPE_BOX:
    return fabs(row[0]) * shape->half[0] + fabs(row[1]) * shape->half[1] +
           fabs(row[2]) * shape->half[2];
  case SLIP_SHAPE_CAPSULE:
    return fabs(row[2]) * shape->half[2] + shape->radius;
  case SLIP_SHAPE_CYLINDER:
    return fabs(row[2]) * shape->half[2] + shape->radius * hypot(row[0], row[1]);
  case SLIP_SHAPE_DISC:
    return shape->radius * hypot(row[0], row[1]);
  default:
    return shape->radius;
  }
}

static void bound_points(const double *points, int32_t count, const SlipiPose *pose, double low[3],
                         double high[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = INFINITY;
    high[k] = -INFINITY;
  }
  for (int32_t p = 0; p < count; p++) {
    double x[3];
    slipi_pose_point(pose, points + 3 * p, x);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], x[k]);
      high[k] = fmax(high[k], x[k]);
    }
  }
}

/* Around the box of the mesh, not its many vertices. */
static void bound_mesh(const SlipiMesh *mesh, const SlipiPose *pose, double low[3],
                       double high[3]) {
  double corner[8][3];
  for (int c = 0; c < 8; c++)
    for (int k = 0; k < 3; k++)
      corner[c][k] = c >> k & 1 ? mesh->high[k] : mesh->low[k];
  bound_points(corner[0], 8, pose, low, high);
}

static void bound_half_space(const SlipiShape *shape, const SlipiPose *pose, double low[3],
                             double high[3]) {
  double normal[3];
  slipi_rotate(pose->R, shape->normal, normal);
  for (int k = 0; k < 3; k++) {
    bool square = normal[(k + 1) % 3] == 0 && normal[(k + 2) % 3] == 0;
    low[k] = square && normal[k] < 0 ? pose->position[k] : -INFINITY;
    high[k] = square && normal[k] > 0 ? pose->position[k] : INFINITY;
  }
}

void slipi_shape_bounds(const SlipiShape *shape, const SlipiPose *pose, double low[3],
                        double high[3]) {
  if (shape->kind == SLIP_SHAPE_HALF_SPACE) {
    bound_half_space(shape, pose, low, high);
  } else if (shape->hull) {
    bound_points(shape->hull->vertex, shape->hull->vertices, pose, low, high);
  } else if (shape->mesh) {
    bound_mesh(shape->mesh, pose, low, high);
  } else if (shape->kind == SLIP_SHAPE_SEGMENT) {
    bound_points(shape->ends[0], 2, pose, low, high);
  } else {
    for (int k = 0; k < 3; k++) {
      double half = half_extent(shape, pose->R + 3 * k);
      low[k] = pose->position[k] - half;
      high[k] = pose->position[k] + half;
    }
  }
}

/* ---- Mass -------------------------------------------------------------------------------- */

static void set_diagonal(double inertia[9], double x, double y, double z) {
  inertia[0] = x;
  inertia[4] = y;
  inertia[8] = z;
}

static double sphere_mass(double r, double inertia[9]) {
  double volume = 4.0 / 3 * PI * r * r * r, I = 0.4 * volume * r * r;
  set_diagonal(inertia, I, I, I);
  return volume;
}

static double box_mass(const double half[3], double inertia[9]) {
  double volume = 8 * half[0] * half[1] * half[2];
  double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
  set_diagonal(inertia, volume / 3 * (y + z), volume / 3 * (x + z), volume / 3 * (x + y));
  return volume;
}

static double cylinder_mass(double r, double h, double inertia[9]) {
  double volume = 2 * PI * r * r * h, across = volume * (r * r / 4 + h * h / 3);
  set_diagonal(inertia, across, across, 0.5 * volume * r * r);
  return volume;
}

/* A cylinder, and a ball in two halves whose centres of mass are 3 r / 8 beyond its ends. */
static double capsule_mass(double r, double h, double inertia[9]) {
  double volume = cylinder_mass(r, h, inertia), ball = 4.0 / 3 * PI * r * r * r;
  double across = inertia[0] + ball * (0.4 * r * r + h * h + 0.75 * h * r);
  set_diagonal(inertia, across, across, inertia[8] + 0.4 * ball * r * r);
  return volume + ball;
}

static double disc_mass(double r, double inertia[9]) {
  double area = PI * r * r, I = area * r * r / 4;
  set_diagonal(inertia, I, I, 2 * I);
  return area;
}

/* Sums over simplices from a point of the hull: the integrals of 1, x and x x'. */
typedef struct Moments {
  double volume, first[3], second[9];
} Moments;

/* A simplex with one corner at the origin and the others at corner[0] to corner[n - 1]: the
 * integral of x x' is V / ((n + 1)(n + 2)) (sum_i c_i c_i' + s s'), s the sum of the corners. */
static void add_simplex(Moments *m, double volume, const double corner[][3], int n) {
  double sum[3] = {0};
  for (int i = 0; i < n; i++)
    slipi_along(sum, 1, corner[i], sum);
  m->volume += volume;
  slipi_along(m->first, volume / (n + 1), sum, m->first);
  double weight = volume / ((n + 1) * (n + 2));
  for (int k = 0; k < 9; k++) {
    double entry = sum[k / 3] * sum[k % 3];
    for (int i = 0; i < n; i++)
      entry += corner[i][k / 3] * corner[i][k % 3];
    m->second[k] += weight * entry;
  }
}

static void add_face(Moments *m, const SlipiHull *hull, int32_t face, bool flat) {
  double corner[3][3], cross[3];
  const int32_t *vertex = hull->face_vertex + hull->face_start[face];
  int32_t count = hull->face_start[face + 1] - hull->face_start[face];
  slipi_sub(hull->vertex + 3 * vertex[0], hull->centre, corner[0]);
  slipi_sub(hull->vertex + 3 * vertex[1], hull->centre, corner[1]);
  if (flat) {
    slipi_cross(corner[0], corner[1], cross);
    add_simplex(m, 0.5 * cross[2], (const double(*)[3])corner, 2);
    return;
  }
  for (int32_t k = 2; k < count; k++) {
    slipi_sub(hull->vertex + 3 * vertex[k], hull->centre, corner[2]);
    slipi_cross(corner[1], corner[2], cross);
    add_simplex(m, slipi_dot3(corner[0], cross) / 6, (const double(*)[3])corner, 3);
    memcpy(corner[1], corner[2], sizeof corner[1]);
  }
}

static double hull_mass(const SlipiHull *hull, bool flat, double centre[3], double inertia[9]) {
  Moments m = {0};
  for (int32_t f = 0; f < hull->faces; f++)
    add_face(&m, hull, f, flat);
  double trace = 0, arm[3];
  for (int k = 0; k < 3; k++)
    arm[k] = m.first[k] / m.volume;
  for (int k = 0; k < 9; k++)
    m.second[k] -= m.first[k / 3] * arm[k % 3];
  for (int k = 0; k < 3; k++)
    trace += m.second[4 * k];
  for (int k = 0; k < 9; k++)
    inertia[k] = (k % 4 == 0 ? trace : 0) - m.second[k];
  slipi_along(hull->centre, 1, arm, centre);
  return m.volume;
}

bool slipi_shape_mass(const SlipiShape *shape, double *volume, double centre[3],
                      double inertia[9]) {
  memset(centre, 0, 3 * sizeof *centre);
  memset(inertia, 0, 9 * sizeof *inertia);
  *volume = 0;
  switch (shape->kind) {
  case SLIP_SHAPE_SPHERE:
    *volume = sphere_mass(shape->radius, inertia);
    break;
  case SLIP_SHAPE_BOX:
    *volume = box_mass(shape->half, inertia);
    break;
  case SLIP_SHAPE_CAPSULE:
    *volume = capsule_mass(shape->radius, shape->half[2], inertia);
    break;
  case SLIP_SHAPE_CYLINDER:
    *volume = cylinder_mass(shape->radius, shape->half[2], inertia);
    break;
  case SLIP_SHAPE_DISC:
    *volume = disc_mass(shape->radius, inertia);
    break;
  case SLIP_SHAPE_HULL:
  case SLIP_SHAPE_POLYGON:
    *volume = hull_mass(shape->hull, shape->kind == SLIP_SHAPE_POLYGON, centre, inertia);
    break;
  case SLIP_SHAPE_HALF_SPACE:
  case SLIP_SHAPE_SEGMENT:
  case SLIP_SHAPE_MESH:
    return false;
  }
  return true;
}
