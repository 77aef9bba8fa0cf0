/* Discs, polygons, segments and half-planes against an oracle that shares no code: the signed gap
 * of two convex sets is the most, over all directions, of how far they are apart along it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/collide.h"

static const double PI = 3.14159265358979323846;

/* ---- The oracle -------------------------------------------------------------------------- */

/* Vertices in world axes with a radius around; a half-plane has none. */
typedef struct Set {
  int count;
  double x[64][2], radius;
} Set;

static Set set_of(const SlipiShape *shape, const SlipiPose *pose) {
  Set set = {.count = 1, .radius = shape->radius};
  const double zero[3] = {0}, *from = zero;
  if (shape->kind == SLIP_SHAPE_POLYGON) {
    set.count = shape->hull->vertices;
    from = shape->hull->vertex;
  } else if (shape->kind == SLIP_SHAPE_SEGMENT) {
    set.count = 2;
    from = shape->ends[0];
  }
  for (int v = 0; v < set.count; v++)
    for (int k = 0; k < 2; k++)
      set.x[v][k] =
          pose->position[k] + pose->R[3 * k] * from[3 * v] + pose->R[3 * k + 1] * from[3 * v + 1];
  return set;
}

static double support(const Set *set, double nx, double ny) {
  double most = -INFINITY;
  for (int v = 0; v < set->count; v++)
    most = fmax(most, nx * set->x[v][0] + ny * set->x[v][1]);
  return most + set->radius;
}

static double apart(const Set *a, const Set *b, double angle) {
  double nx = cos(angle), ny = sin(angle);
  return -support(a, -nx, -ny) - support(b, nx, ny);
}

/* Dense directions, those across every edge, and a search between neighbours of the best. */
static double true_gap(const Set *a, const Set *b) {
  enum { DENSE = 720 };
  double best = -INFINITY, best_angle = 0;
  for (int k = 0; k < DENSE; k++) {
    double angle = 2 * PI * k / DENSE, gap = apart(a, b, angle);
    best_angle = gap > best ? angle : best_angle;
    best = fmax(best, gap);
  }
  double low = best_angle - 2 * PI / DENSE, high = best_angle + 2 * PI / DENSE;
  for (int k = 0; k < 200; k++) {
    double one = low + (high - low) / 3, two = high - (high - low) / 3;
    if (apart(a, b, one) < apart(a, b, two))
      low = one;
    else
      high = two;
  }
  best = fmax(best, apart(a, b, low));
  for (int side = 0; side < 2; side++) {
    const Set *own = side ? b : a;
    for (int v = 0; own->count > 1 && v < own->count; v++) {
      const double *p = own->x[v], *q = own->x[(v + 1) % own->count];
      double angle = atan2(p[0] - q[0], q[1] - p[1]);
      best = fmax(best, fmax(apart(a, b, angle), apart(a, b, angle + PI)));
    }
  }
  return best;
}

/* How far a point is outside the set: by directions too. */
static double outside(const Set *set, const double x[3]) {
  Set point = {.count = 1, .x = {{x[0], x[1]}}};
  return true_gap(&point, set);
}

/* ---- Shapes and poses -------------------------------------------------------------------- */

static void make(SlipiShape *shape, SlipShapeKind kind, const double *points, int count,
                 double radius, SlipiArena *arena) {
  SlipShapeDef def = slip_default_shape_def();
  SlipError error;
  def.kind = kind;
  def.radius = radius;
  def.points = points;
  def.point_count = count;
  def.normal[1] = 1;
  if (slipi_shape_make(&def, 2, arena, shape, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

static void random_shape(SlipiRandom *random, SlipShapeKind kind, SlipiArena *arena,
                         SlipiShape *shape) {
  double points[3 * 16] = {0}, stretch = pow(10, slipi_random_between(random, -2, 0));
  int count = kind == SLIP_SHAPE_SEGMENT ? 2 : 3 + (int)slipi_random_below(random, 12);
  bool square = slipi_random_below(random, 3) == 0;
  for (int p = 0; p < count; p++) {
    points[3 * p] = slipi_random_normal(random);
    points[3 * p + 1] = stretch * slipi_random_normal(random);
  }
  if (square && kind == SLIP_SHAPE_POLYGON) {
    memcpy(points, (double[]){0, 0, 0, 1, 0, 0, 1, 0.5, 0, 0, 0.5, 0}, 12 * sizeof *points);
    count = 4;
  }
  make(shape, kind, points, count, slipi_random_between(random, 0.1, 2), arena);
}

static SlipiPose pose_of(double x, double y, double angle) {
  SlipiPose pose = {{x, y, 0}, {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1}};
  return pose;
}

static double some_angle(SlipiRandom *random) {
  if (slipi_random_below(random, 3) == 0)
    return PI / 4 * slipi_random_below(random, 8);
  return slipi_random_between(random, -PI, PI);
}

/* ---- Checks ------------------------------------------------------------------------------ */

static void expect_points(const SlipiShape *a, const SlipiPose *pose_a, const SlipiShape *b,
                          const SlipiPose *pose_b, double reach, const SlipiTouchList *list) {
  Set set_a = set_of(a, pose_a), set_b = set_of(b, pose_b);
  double gap = true_gap(&set_a, &set_b), least = INFINITY, slack = 1e-8;
  assert_true(list->count <= 2);
  for (int p = 0; p < list->count; p++) {
    const SlipiTouchPoint *point = &list->points[p];
    least = fmin(least, point->gap);
    assert_true(point->gap <= reach);
    assert_true(fabs(slipi_length(point->normal) - 1) < 1e-14 && point->normal[2] == 0);
    assert_true(fabs(apart(&set_a, &set_b, atan2(point->normal[1], point->normal[0])) - gap) <
                slack);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(point->on_a[k] - point->on_b[k] - point->gap * point->normal[k]) < 1e-13);
    assert_true(outside(&set_a, point->on_a) < slack && outside(&set_b, point->on_b) < slack);
  }
  if (gap < reach - slack)
    assert_true(fabs(least - gap) < slack);
  if (gap > reach + slack)
    assert_int_equal(list->count, 0);
  if (list->count == 2)
    assert_true(list->points[0].feature_a != list->points[1].feature_a ||
                list->points[0].feature_b != list->points[1].feature_b);
}

static void test_random(void **state) {
  (void)state;
  const SlipShapeKind kinds[] = {SLIP_SHAPE_DISC, SLIP_SHAPE_POLYGON, SLIP_SHAPE_SEGMENT};
  SlipiRandom random;
  slipi_random_seed(&random, 31);
  SlipiTouchList list = {0};
  int touching = 0, two = 0;
  for (int round = 0; round < 6000; round++) {
    SlipiArena arena = {0};
    SlipiShape a, b;
    SlipShapeKind kind_a = kinds[round % 3], kind_b = kinds[round / 3 % 3];
    if (kind_a == SLIP_SHAPE_SEGMENT && kind_b == SLIP_SHAPE_SEGMENT)
      continue;
    random_shape(&random, kind_a, &arena, &a);
    random_shape(&random, kind_b, &arena, &b);
    SlipiPose pose_a =
        pose_of(slipi_random_normal(&random), slipi_random_normal(&random), some_angle(&random));
    SlipiPose pose_b =
        pose_of(slipi_random_normal(&random), slipi_random_normal(&random), some_angle(&random));
    if (round % 5 == 0) /* at one place, or on one line */
      pose_a.position[round % 2] = pose_b.position[round % 2];
    double reach = slipi_random_below(&random, 2) ? 0.3 : 0.01;
    list.count = 0;
    assert_true(slipi_collide(&a, &pose_a, &b, &pose_b, reach, &list));
    expect_points(&a, &pose_a, &b, &pose_b, reach, &list);
    touching += list.count > 0;
    two += list.count == 2;
    slipi_arena_free(&arena);
  }
  assert_true(touching > 2000 && two > 300);
  slipi_touch_list_free(&list);
}

/* Boxes on boxes: edges that lie on each other have two points, wherever their ends are. */
static void test_edges(void **state) {
  (void)state;
  const double box[] = {-1, -0.5, 0, 1, -0.5, 0, 1, 0.5, 0, -1, 0.5, 0};
  const double line[] = {-1.5, 0, 0, 1.5, 0, 0};
  SlipiArena arena = {0};
  SlipiShape a, b, segment;
  make(&a, SLIP_SHAPE_POLYGON, box, 4, 0, &arena);
  make(&b, SLIP_SHAPE_POLYGON, box, 4, 0, &arena);
  make(&segment, SLIP_SHAPE_SEGMENT, line, 2, 0, &arena);
  SlipiTouchList list = {0};
  for (int turn = 0; turn < 16; turn++)
    for (int shift = -19; shift <= 19; shift++)
      for (int height = -1; height <= 1; height++) {
        double angle = turn * PI / 8, along = 0.1 * shift, up = 1 + 1e-3 * height;
        SlipiPose pose_b = pose_of(100, -50, angle);
        SlipiPose pose_a =
            pose_of(100 + along * cos(angle) - up * sin(angle),
                    -50 + along * sin(angle) + up * cos(angle), angle + 1e-13 * turn);
        list.count = 0;
        assert_true(slipi_collide(&a, &pose_a, &b, &pose_b, 0.01, &list));
        assert_int_equal(list.count, 2);
        double width = 0;
        for (int k = 0; k < 2; k++) {
          assert_true(fabs(list.points[k].gap - 1e-3 * height) < 1e-10);
          width += pow(list.points[0].on_b[k] - list.points[1].on_b[k], 2);
        }
        assert_true(fabs(sqrt(width) - (2 - fabs(along))) < 1e-9);
        /* Half of the box is gone: the segment is where the lower box had its middle. */
        double down = 0.5 * cos(angle), left = 0.5 * sin(angle);
        pose_a.position[0] += left;
        pose_a.position[1] -= down;
        list.count = 0;
        assert_true(slipi_collide(&a, &pose_a, &segment, &pose_b, 0.01, &list));
        assert_int_equal(list.count, 2);
        expect_points(&a, &pose_a, &segment, &pose_b, 0.01, &list);
      }
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

/* A segment holds from both sides; corners meet corners; discs with one centre still part. */
static void test_special(void **state) {
  (void)state;
  const double box[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}, line[] = {-3, 0, 0, 3, 0, 0};
  SlipiArena arena = {0};
  SlipiShape square, disc, segment, plane;
  make(&square, SLIP_SHAPE_POLYGON, box, 4, 0, &arena);
  make(&disc, SLIP_SHAPE_DISC, NULL, 0, 0.5, &arena);
  make(&segment, SLIP_SHAPE_SEGMENT, line, 2, 0, &arena);
  make(&plane, SLIP_SHAPE_HALF_SPACE, NULL, 0, 0, &arena);
  SlipiTouchList list = {0};
  SlipiPose at = pose_of(0, 0, 0), above = pose_of(1, 0.45, 0), below = pose_of(1, -0.45, 2);
  assert_true(slipi_collide(&disc, &above, &segment, &at, 0.1, &list));
  assert_true(slipi_collide(&disc, &below, &segment, &at, 0.1, &list));
  assert_int_equal(list.count, 2);
  assert_true(list.points[0].normal[1] == 1 && list.points[1].normal[1] == -1);
  assert_true(fabs(list.points[0].gap + 0.05) < 1e-15 && fabs(list.points[1].gap + 0.05) < 1e-15);
  list.count = 0;
  assert_true(slipi_collide(&disc, &at, &disc, &at, 0.1, &list));
  assert_true(list.count == 1 && fabs(list.points[0].gap + 1) < 1e-15);
  list.count = 0; /* corner to corner */
  SlipiPose corner = pose_of(2.03, 2.04, 0);
  assert_true(slipi_collide(&square, &corner, &square, &at, 0.06, &list));
  assert_int_equal(list.count, 1);
  assert_true(fabs(list.points[0].gap - 0.05) < 1e-14);
  assert_true(fabs(list.points[0].normal[0] - 0.6) < 1e-12);
  list.count = 0; /* a square on one of its corners, and flat, on a half-plane */
  SlipiPose tilted = pose_of(7, sqrt(2), PI / 4), flat = pose_of(-7, 1.001, 0);
  assert_true(slipi_collide(&square, &tilted, &plane, &at, 0.01, &list));
  assert_int_equal(list.count, 1);
  assert_true(fabs(list.points[0].gap) < 1e-15);
  assert_true(slipi_collide(&plane, &at, &square, &flat, 0.01, &list));
  assert_int_equal(list.count, 3);
  assert_true(list.points[1].normal[1] == -1 && fabs(list.points[2].gap - 0.001) < 1e-15);
  list.count = 0; /* obstacles without inside do not touch each other */
  assert_true(slipi_collide(&segment, &at, &segment, &at, 1, &list));
  assert_true(slipi_collide(&segment, &at, &plane, &at, 1, &list));
  assert_int_equal(list.count, 0);
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

/* A box that rests keeps the names of its points while it trembles. */
static void test_features(void **state) {
  (void)state;
  const double box[] = {-1, -0.5, 0, 1, -0.5, 0, 1, 0.5, 0, -1, 0.5, 0};
  SlipiArena arena = {0};
  SlipiShape shape;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  make(&shape, SLIP_SHAPE_POLYGON, box, 4, 0, &arena);
  SlipiTouchList list = {0};
  uint32_t features[4] = {0};
  for (int round = 0; round < 200; round++) {
    double tremble = 1e-12;
    SlipiPose low = pose_of(0, 0, slipi_random_between(&random, -tremble, tremble));
    SlipiPose high = pose_of(0.3, 1 + slipi_random_between(&random, -tremble, tremble),
                             slipi_random_between(&random, -tremble, tremble));
    list.count = 0;
    assert_true(slipi_collide(&shape, &high, &shape, &low, 0.01, &list));
    assert_int_equal(list.count, 2);
    for (int k = 0; k < 4; k++) {
      uint32_t feature = k % 2 ? list.points[k / 2].feature_b : list.points[k / 2].feature_a;
      if (round == 0)
        features[k] = feature;
      assert_int_equal(feature, features[k]);
    }
  }
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_special),
      cmocka_unit_test(test_features),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
