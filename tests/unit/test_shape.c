/* Shapes: bad definitions are refused with the value, bounds hold the shape and touch it, mass and
 * inertia agree with sums over a fine grid of points that are inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/shape.h"

static const double TETRAHEDRON[] = {0.1, 0.2, 0.3, 1.5, 0.1, 0, 0.2, 1.7, 0.1, 0.3, 0.4, 2};
static const double PENTAGON[] = {0, 0, 0, 2, 0.1, 0, 2.5, 1, 0, 1, 2, 0, -0.5, 1, 0};

static SlipShapeDef def_of(SlipShapeKind kind) {
  SlipShapeDef def = slip_default_shape_def();
  def.kind = kind;
  def.radius = 0.7;
  def.length = 1.9;
  memcpy(def.edges, (double[]){1, 0.4, 2.2}, sizeof def.edges);
  memcpy(def.normal, (double[]){0, 0, 3}, sizeof def.normal);
  def.points = kind == SLIP_SHAPE_HULL ? TETRAHEDRON : PENTAGON;
  def.point_count = kind == SLIP_SHAPE_HULL ? 4 : kind == SLIP_SHAPE_SEGMENT ? 2 : 5;
  return def;
}

static int dimension_of(SlipShapeKind kind) {
  return kind >= SLIP_SHAPE_DISC ? 2 : 3;
}

static SlipiPose some_pose(SlipiRandom *random, int dimension) {
  SlipiPose pose;
  double q[4], length = 0;
  for (int k = 0; k < 4; k++) {
    q[k] = dimension == 2 && (k == 1 || k == 2) ? 0 : slipi_random_normal(random);
    length += q[k] * q[k];
  }
  for (int k = 0; k < 4; k++)
    q[k] /= sqrt(length);
  slipi_quaternion_matrix(q, pose.R);
  for (int k = 0; k < 3; k++)
    pose.position[k] = dimension == 2 && k == 2 ? 0 : slipi_random_between(random, -5, 5);
  return pose;
}

/* Whether y, in the frame of the shape, is inside; by definition, and sharing no code. */
static bool inside(const SlipShapeDef *def, const double y[3]) {
  double axial = hypot(y[0], y[1]), beyond = fmax(fabs(y[2]) - def->length / 2, 0);
  switch ((SlipShapeKind)def->kind) {
  case SLIP_SHAPE_SPHERE:
    return hypot(axial, y[2]) <= def->radius;
  case SLIP_SHAPE_BOX:
    return fabs(y[0]) <= def->edges[0] / 2 && fabs(y[1]) <= def->edges[1] / 2 &&
           fabs(y[2]) <= def->edges[2] / 2;
  case SLIP_SHAPE_CAPSULE:
    return hypot(axial, beyond) <= def->radius;
  case SLIP_SHAPE_CYLINDER:
    return axial <= def->radius && beyond == 0;
  case SLIP_SHAPE_DISC:
    return axial <= def->radius;
  case SLIP_SHAPE_HULL: /* on the inner side of each plane through three of the four points */
    for (int k = 0; k < 4; k++) {
      const double *p[4];
      for (int j = 0; j < 4; j++)
        p[j] = TETRAHEDRON + 3 * ((k + j) % 4);
      double a[3], b[3], n[3], own[3], other[3];
      slipi_sub(p[1], p[0], a);
      slipi_sub(p[2], p[0], b);
      slipi_cross(a, b, n);
      slipi_sub(y, p[0], own);
      slipi_sub(p[3], p[0], other);
      if (slipi_dot3(n, own) * slipi_dot3(n, other) < 0)
        return false;
    }
    return true;
  default: /* the pentagon is counterclockwise */
    for (int k = 0; k < 5; k++) {
      const double *p = PENTAGON + 3 * k, *next = PENTAGON + 3 * ((k + 1) % 5);
      if ((next[0] - p[0]) * (y[1] - p[1]) - (next[1] - p[1]) * (y[0] - p[0]) < 0)
        return false;
    }
    return true;
  }
}

typedef struct Sums {
  double volume, first[3], second[9];
} Sums;

static Sums sum_grid(const SlipShapeDef *def, const double low[3], const double high[3], int flat) {
  enum { N = 120 };
  Sums sums = {0};
  double cell = (high[0] - low[0]) * (high[1] - low[1]) / N / N;
  cell *= flat ? 1 : (high[2] - low[2]) / N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < (flat ? 1 : N); k++) {
        double y[3] = {low[0] + (high[0] - low[0]) * (i + 0.5) / N,
                       low[1] + (high[1] - low[1]) * (j + 0.5) / N,
                       low[2] + (high[2] - low[2]) * (k + 0.5) / N};
        if (!inside(def, y))
          continue;
        sums.volume += cell;
        for (int a = 0; a < 3; a++)
          sums.first[a] += cell * y[a];
        for (int a = 0; a < 9; a++)
          sums.second[a] += cell * y[a / 3] * y[a % 3];
      }
  return sums;
}

static void expect_mass(SlipShapeKind kind) {
  SlipShapeDef def = def_of(kind);
  SlipiArena arena = {0};
  SlipiShape shape;
  int dimension = dimension_of(kind);
  assert_int_equal(slipi_shape_make(&def, dimension, &arena, &shape, NULL), SLIP_OK);
  SlipiPose pose = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double low[3], high[3], volume, centre[3], inertia[9];
  slipi_shape_bounds(&shape, &pose, low, high);
  assert_true(slipi_shape_mass(&shape, &volume, centre, inertia));
  Sums sums = sum_grid(&def, low, high, dimension == 2);
  double trace = 0, second[9];
  assert_true(fabs(volume - sums.volume) < 0.004 * volume);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(centre[k] - sums.first[k] / sums.volume) < 0.004);
  for (int k = 0; k < 9; k++)
    second[k] = sums.second[k] - sums.volume * centre[k / 3] * centre[k % 3];
  for (int k = 0; k < 3; k++)
    trace += second[4 * k];
  for (int k = 0; k < 9; k++)
    assert_true(fabs(inertia[k] - ((k % 4 == 0 ? trace : 0) - second[k])) < 0.008 * trace);
  slipi_arena_free(&arena);
}

static void test_mass(void **state) {
  (void)state;
  const SlipShapeKind kinds[] = {SLIP_SHAPE_SPHERE,   SLIP_SHAPE_BOX,  SLIP_SHAPE_CAPSULE,
                                 SLIP_SHAPE_CYLINDER, SLIP_SHAPE_HULL, SLIP_SHAPE_DISC,
                                 SLIP_SHAPE_POLYGON};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    expect_mass(kinds[k]);
}

/* The signed tetrahedra of a hull give the closed forms of a box to the last digits, far from the
 * origin too; those of a square give a plate's. */
static void test_mass_exact(void **state) {
  (void)state;
  const double a[3] = {1, 0.4, 2.2}, at[3] = {100, -200, 50};
  double points[24], plate[12] = {0, 0, 0, 3, 0, 0, 3, 2, 0, 0, 2, 0};
  for (int p = 0; p < 8; p++)
    for (int k = 0; k < 3; k++)
      points[3 * p + k] = at[k] + (p >> k & 1 ? 0.5 : -0.5) * a[k];
  SlipiArena arena = {0};
  SlipiShape hull, box, polygon;
  SlipShapeDef def = def_of(SLIP_SHAPE_HULL), box_def = def_of(SLIP_SHAPE_BOX);
  SlipShapeDef plate_def = def_of(SLIP_SHAPE_POLYGON);
  def.points = points;
  def.point_count = 8;
  plate_def.points = plate;
  plate_def.point_count = 4;
  assert_int_equal(slipi_shape_make(&def, 3, &arena, &hull, NULL), SLIP_OK);
  assert_int_equal(slipi_shape_make(&box_def, 3, &arena, &box, NULL), SLIP_OK);
  assert_int_equal(slipi_shape_make(&plate_def, 2, &arena, &polygon, NULL), SLIP_OK);
  double volume[2], centre[2][3], inertia[2][9];
  assert_true(slipi_shape_mass(&hull, &volume[0], centre[0], inertia[0]));
  assert_true(slipi_shape_mass(&box, &volume[1], centre[1], inertia[1]));
  assert_true(fabs(volume[0] - volume[1]) < 1e-12);
  assert_true(fabs(hull.size - box.size) < 1e-12);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(centre[0][k] - at[k]) < 1e-12);
  for (int k = 0; k < 9; k++)
    assert_true(fabs(inertia[0][k] - inertia[1][k]) < 1e-12);
  assert_true(slipi_shape_mass(&polygon, &volume[0], centre[0], inertia[0]));
  assert_true(fabs(volume[0] - 6) < 1e-13 && fabs(centre[0][0] - 1.5) < 1e-13);
  assert_true(fabs(inertia[0][8] - 6 * (9 + 4) / 12.0) < 1e-12);
  assert_true(fabs(inertia[0][0] - 6 * 4 / 12.0) < 1e-12);
  slipi_arena_free(&arena);
}

/* Points of the shape are within the box, and some come close to each of its sides. */
static void expect_bounds(SlipShapeKind kind, SlipiRandom *random) {
  SlipShapeDef def = def_of(kind);
  SlipiArena arena = {0};
  SlipiShape shape;
  int dimension = dimension_of(kind);
  assert_int_equal(slipi_shape_make(&def, dimension, &arena, &shape, NULL), SLIP_OK);
  SlipiPose pose = some_pose(random, dimension);
  double low[3], high[3], least[3], most[3];
  slipi_shape_bounds(&shape, &pose, low, high);
  for (int k = 0; k < 3; k++) {
    least[k] = INFINITY;
    most[k] = -INFINITY;
  }
  for (int sample = 0; sample < 400000; sample++) {
    double y[3], x[3];
    for (int k = 0; k < 3; k++)
      y[k] = k == 2 && dimension == 2 ? 0 : slipi_random_between(random, -2, 2.6);
    if (!inside(&def, y))
      continue;
    slipi_pose_point(&pose, y, x);
    for (int k = 0; k < 3; k++) {
      least[k] = fmin(least[k], x[k]);
      most[k] = fmax(most[k], x[k]);
    }
  }
  for (int k = 0; k < dimension; k++) {
    assert_true(least[k] >= low[k] - 1e-12 && most[k] <= high[k] + 1e-12);
    assert_true(least[k] <= low[k] + 0.2 && most[k] >= high[k] - 0.2);
  }
  slipi_arena_free(&arena);
}

static void test_bounds(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  const SlipShapeKind kinds[] = {SLIP_SHAPE_SPHERE,   SLIP_SHAPE_BOX,  SLIP_SHAPE_CAPSULE,
                                 SLIP_SHAPE_CYLINDER, SLIP_SHAPE_HULL, SLIP_SHAPE_DISC,
                                 SLIP_SHAPE_POLYGON};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (int round = 0; round < 3; round++)
      expect_bounds(kinds[k], &random);
}

static void test_bounds_infinite(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape shape;
  SlipShapeDef def = def_of(SLIP_SHAPE_HALF_SPACE);
  assert_int_equal(slipi_shape_make(&def, 3, &arena, &shape, NULL), SLIP_OK);
  SlipiPose pose = {{1, 2, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double low[3], high[3];
  slipi_shape_bounds(&shape, &pose, low, high);
  assert_true(low[2] == -INFINITY && high[2] == 3 && low[0] == -INFINITY && high[1] == INFINITY);
  pose.R[4] = pose.R[8] = 0.8;
  pose.R[5] = -0.6;
  pose.R[7] = 0.6;
  slipi_shape_bounds(&shape, &pose, low, high);
  for (int k = 0; k < 3; k++)
    assert_true(low[k] == -INFINITY && high[k] == INFINITY);
  assert_false(slipi_shape_mass(&shape, low, low, (double[9]){0}));
}

static void refuse(const SlipShapeDef *def, int dimension, const char *sentence) {
  SlipiArena arena = {0};
  SlipiShape shape;
  SlipError error;
  assert_int_not_equal(slipi_shape_make(def, dimension, &arena, &shape, &error), SLIP_OK);
  assert_string_equal(error.text, sentence);
  slipi_arena_free(&arena);
}

static void test_refused(void **state) {
  (void)state;
  SlipShapeDef def = def_of(SLIP_SHAPE_SPHERE);
  def.radius = -0.5;
  refuse(&def, 3, "sphere: the radius is -0.5 but must be positive and finite");
  def.radius = NAN;
  refuse(&def, 3, "sphere: the radius is nan but must be positive and finite");
  refuse(&def, 2, "sphere: this shape is for 3D, the simulation is 2D");
  def = def_of(SLIP_SHAPE_BOX);
  def.edges[1] = 0;
  refuse(&def, 3, "box: the second edge is 0 but must be positive and finite");
  def = def_of(SLIP_SHAPE_CAPSULE);
  def.length = INFINITY;
  refuse(&def, 3, "capsule: the length is inf but must be positive and finite");
  def = def_of(SLIP_SHAPE_HALF_SPACE);
  refuse(&def, 2, "plane: the normal has z = 3, but in 2D z is 0");
  def.normal[2] = 0;
  refuse(&def, 3, "plane: the normal is zero");
  def.normal[1] = -INFINITY;
  refuse(&def, 3, "plane: normal[1] is -inf but must be finite");
  def = def_of(SLIP_SHAPE_SEGMENT);
  def.point_count = 3;
  refuse(&def, 2, "segment: it has 3 points but needs 2");
  const double same[] = {1, 2, 0, 1, 2, 0}, off[] = {1, 2, 0, 1, 2, 0.5};
  def.point_count = 2;
  def.points = same;
  refuse(&def, 2, "segment: the length is 0 but must be positive and finite");
  def.points = off;
  refuse(&def, 2, "segment: the second point has z = 0.5, but in 2D z is 0");
  def.kind = 77;
  refuse(&def, 2, "77 is no kind of shape");
  refuse(NULL, 2, "the definition of a shape is null");
}

/* A tiny or huge normal is a direction all the same. */
static void test_normal(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape shape;
  SlipShapeDef def = def_of(SLIP_SHAPE_HALF_SPACE);
  for (int sign = -1; sign <= 1; sign += 2) {
    memcpy(def.normal, (double[]){3 * pow(10, sign * 300), 4 * pow(10, sign * 300), 0},
           sizeof def.normal);
    assert_int_equal(slipi_shape_make(&def, 3, &arena, &shape, NULL), SLIP_OK);
    assert_true(fabs(shape.normal[0] - 0.6) < 1e-15 && fabs(shape.normal[1] - 0.8) < 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mass),    cmocka_unit_test(test_mass_exact),
      cmocka_unit_test(test_bounds),  cmocka_unit_test(test_bounds_infinite),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
