/* Contact points of bodies at rest: which ones there are, and that they stay the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "geom/collide.h"

static void make(SlipShapeKind kind, double x, double y, double z, SlipiArena *arena,
                 SlipiShape *shape) {
  SlipShapeDef def = slip_default_shape_def();
  double points[3 * 8];
  def.kind = kind;
  def.edges[0] = x;
  def.edges[1] = y;
  def.edges[2] = z;
  def.radius = 0.5 * x;
  def.length = z;
  def.normal[2] = 1;
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 3; k++)
      points[3 * v + k] = (v >> k & 1 ? 0.5 : -0.5) * def.edges[k];
  def.points = points;
  def.point_count = 8;
  assert_int_equal(slipi_shape_make(&def, 3, arena, shape, NULL), SLIP_OK);
}

static void turned(double angle, int axis, SlipiPose *pose) {
  double q[4] = {cos(0.5 * angle), 0, 0, 0};
  q[1 + axis] = sin(0.5 * angle);
  slipi_quaternion_matrix(q, pose->R);
}

/* A small random turn and shift on top of a pose. */
static void shake(SlipiRandom *random, double size, const SlipiPose *from, SlipiPose *to) {
  double q[4] = {1, 0, 0, 0}, R[9];
  for (int k = 0; k < 3; k++) {
    q[1 + k] = size * slipi_random_between(random, -1, 1);
    to->position[k] = from->position[k] + size * slipi_random_between(random, -1, 1);
  }
  slipi_quaternion_matrix(q, R);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      to->R[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        to->R[3 * i + j] += R[3 * i + k] * from->R[3 * k + j];
    }
}

/* The same features, and points that moved no more than the body. */
static void check_steady(const SlipiShape *a, const SlipiPose *pose_a, const SlipiShape *b,
                         const SlipiPose *pose_b, int points) {
  SlipiRandom random;
  SlipiTouchList first = {0}, list = {0};
  slipi_random_seed(&random, 1);
  assert_true(slipi_collide(a, pose_a, b, pose_b, 0.01, &first));
  assert_int_equal(first.count, points);
  for (int trial = 0; trial < 1000; trial++) {
    SlipiPose moved;
    double size = pow(10, slipi_random_between(&random, -12, -4));
    shake(&random, size, pose_a, &moved);
    list.count = 0;
    assert_true(slipi_collide(a, &moved, b, pose_b, 0.01, &list));
    assert_int_equal(list.count, points);
    for (int i = 0; i < points; i++) {
      const SlipiTouchPoint *p = &first.points[i], *q = NULL;
      for (int j = 0; j < points; j++)
        if (list.points[j].feature_a == p->feature_a && list.points[j].feature_b == p->feature_b)
          q = &list.points[j];
      assert_non_null(q);
      for (int k = 0; k < 3; k++) {
        assert_true(fabs(q->on_b[k] - p->on_b[k]) <= 30 * size);
        assert_true(fabs(q->normal[k] - p->normal[k]) <= 30 * size);
      }
    }
  }
  slipi_touch_list_free(&first);
  slipi_touch_list_free(&list);
}

static void test_box_on_box(void **state) {
  (void)state;
  SlipiArena arena = {0};
  for (int hull = 0; hull < 2; hull++) {
    SlipShapeKind kind = hull ? SLIP_SHAPE_HULL : SLIP_SHAPE_BOX;
    SlipiShape small, large, equal;
    SlipiPose pose_a = {.position = {0.1, 0.2, 1 - 1e-5}}, pose_b = {.position = {0, 0, 0}};
    make(kind, 1, 1, 1, &arena, &small);
    make(kind, 4, 3, 1, &arena, &large);
    make(kind, 1, 1, 1, &arena, &equal);
    turned(0, 2, &pose_b);
    turned(0.3, 2, &pose_a);
    check_steady(&small, &pose_a, &large, &pose_b, 4);
    /* Half over the edge: two vertices and two crossings. */
    pose_a.position[0] = 2;
    turned(0.1, 2, &pose_a);
    check_steady(&small, &pose_a, &large, &pose_b, 4);
    /* Two equal squares, one turned: an octagon. */
    pose_a.position[0] = pose_a.position[1] = 0;
    turned(0.7, 2, &pose_a);
    check_steady(&small, &pose_a, &equal, &pose_b, 8);
  }
  slipi_arena_free(&arena);
}

static void test_on_half_space(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape box, plane, capsule;
  SlipiPose pose_a = {.position = {0.1, 0.2, 0.5 - 1e-5}}, ground = {.position = {0, 0, 0}};
  make(SLIP_SHAPE_BOX, 1, 1, 1, &arena, &box);
  make(SLIP_SHAPE_CAPSULE, 1, 1, 2, &arena, &capsule);
  make(SLIP_SHAPE_HALF_SPACE, 1, 1, 1, &arena, &plane);
  turned(0, 2, &ground);
  turned(0.3, 2, &pose_a);
  check_steady(&box, &pose_a, &plane, &ground, 4);
  turned(1.5707963267948966, 0, &pose_a);
  check_steady(&capsule, &pose_a, &plane, &ground, 2);
  slipi_arena_free(&arena);
}

/* A capsule along a box, a cylinder on its side on a box, and both on each other, have two points.
 */
static void test_lying(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape box, capsule, cylinder;
  SlipiPose lying = {.position = {0, 0, 1 - 1e-5}}, flat = {.position = {0, 0, 0}}, low;
  make(SLIP_SHAPE_BOX, 4, 4, 1, &arena, &box);
  make(SLIP_SHAPE_CAPSULE, 1, 1, 2, &arena, &capsule);
  make(SLIP_SHAPE_CYLINDER, 1, 1, 2, &arena, &cylinder);
  turned(0, 2, &flat);
  turned(1.5707963267948966, 0, &lying);
  check_steady(&capsule, &lying, &box, &flat, 2);
  check_steady(&cylinder, &lying, &box, &flat, 2);
  low = lying;
  low.position[1] = 0.3;
  low.position[2] = 0;
  SlipiTouchList list = {0};
  assert_true(slipi_collide(&capsule, &lying, &capsule, &low, 0.01, &list));
  assert_int_equal(list.count, 2);
  assert_true(fabs(list.points[0].on_b[1] - list.points[1].on_b[1]) > 1.6);
  list.count = 0;
  assert_true(slipi_collide(&cylinder, &lying, &cylinder, &low, 0.01, &list));
  assert_int_equal(list.count, 2);
  assert_true(fabs(list.points[0].on_b[1] - list.points[1].on_b[1]) > 1.6);
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

/* The points of a cylinder that stands surround its centre, do not turn when it spins, and have its
 * lowest point among them when it leans. */
static void check_standing(const SlipiShape *cylinder, const SlipiShape *ground, double top) {
  SlipiPose flat = {.position = {0, 0, 0}}, pose = {.position = {0.2, 0.1, 1 + top - 1e-6}};
  SlipiTouchList still = {0}, list = {0};
  turned(0, 2, &flat);
  turned(0, 2, &pose);
  assert_true(slipi_collide(cylinder, &pose, ground, &flat, 0.01, &still));
  assert_int_equal(still.count, 8);
  double sum[2] = {0, 0};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 2; k++)
      sum[k] += still.points[i].on_b[k] - pose.position[k];
  assert_true(fabs(sum[0]) < 1e-12 && fabs(sum[1]) < 1e-12);
  for (int trial = 1; trial < 100; trial++) {
    turned(0.1 * trial, 2, &pose);
    list.count = 0;
    assert_true(slipi_collide(cylinder, &pose, ground, &flat, 0.01, &list));
    assert_int_equal(list.count, 8);
    for (int i = 0; i < 8; i++) {
      assert_int_equal(list.points[i].feature_a, still.points[i].feature_a);
      for (int k = 0; k < 3; k++)
        assert_true(fabs(list.points[i].on_b[k] - still.points[i].on_b[k]) < 1e-12);
    }
  }
  for (int trial = 1; trial < 100; trial++) {
    double lean = 1e-5 * trial, least = HUGE_VAL, lowest;
    turned(lean, trial % 2, &pose);
    lowest = pose.position[2] - top - cos(lean) - 0.5 * sin(lean);
    list.count = 0;
    assert_true(slipi_collide(cylinder, &pose, ground, &flat, 0.01, &list));
    for (int i = 0; i < list.count; i++)
      least = fmin(least, list.points[i].gap);
    assert_true(fabs(least - lowest) < 1e-12);
  }
  slipi_touch_list_free(&still);
  slipi_touch_list_free(&list);
}

static void test_standing(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiShape cylinder, plane, box, other;
  make(SLIP_SHAPE_CYLINDER, 1, 1, 2, &arena, &cylinder);
  make(SLIP_SHAPE_HALF_SPACE, 1, 1, 1, &arena, &plane);
  make(SLIP_SHAPE_BOX, 4, 4, 1, &arena, &box);
  make(SLIP_SHAPE_CYLINDER, 4, 4, 1, &arena, &other);
  check_standing(&cylinder, &plane, 0);
  check_standing(&cylinder, &box, 0.5);
  check_standing(&cylinder, &other, 0.5);
  slipi_arena_free(&arena);
}

/* A scene far away: gap and normal have all digits that the positions leave. */
static void test_far_away(void **state) {
  (void)state;
  static const SlipShapeKind kinds[] = {SLIP_SHAPE_SPHERE, SLIP_SHAPE_CAPSULE, SLIP_SHAPE_BOX,
                                        SLIP_SHAPE_CYLINDER, SLIP_SHAPE_HULL};
  SlipiArena arena = {0};
  SlipiTouchList near = {0}, far = {0};
  for (int i = 0; i < 5; i++)
    for (int j = i; j < 5; j++) {
      SlipiShape a, b;
      SlipiPose pose_a = {.position = {0.25, 0.125, 0.75}}, pose_b = {.position = {0, 0, 0}};
      make(kinds[i], 1, 1, 1, &arena, &a);
      make(kinds[j], 1, 1, 1, &arena, &b);
      turned(0.4, 0, &pose_a);
      turned(0.9, 1, &pose_b);
      near.count = far.count = 0;
      assert_true(slipi_collide(&a, &pose_a, &b, &pose_b, 1, &near));
      for (int k = 0; k < 3; k++) {
        pose_a.position[k] += 1 << 30;
        pose_b.position[k] += 1 << 30;
      }
      assert_true(slipi_collide(&a, &pose_a, &b, &pose_b, 1, &far));
      assert_true(near.count > 0);
      assert_int_equal(near.count, far.count);
      for (int p = 0; p < near.count; p++) {
        assert_true(near.points[p].gap == far.points[p].gap);
        for (int k = 0; k < 3; k++)
          assert_true(near.points[p].normal[k] == far.points[p].normal[k]);
      }
    }
  slipi_touch_list_free(&near);
  slipi_touch_list_free(&far);
  slipi_arena_free(&arena);
}

/* Centres in one place: a unit normal and finite points for every pair, and for obstacles none. */
static void test_coincident(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiTouchList list = {0};
  static const SlipShapeKind kinds[] = {SLIP_SHAPE_SPHERE, SLIP_SHAPE_CAPSULE,
                                        SLIP_SHAPE_BOX,    SLIP_SHAPE_CYLINDER,
                                        SLIP_SHAPE_HULL,   SLIP_SHAPE_HALF_SPACE};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      SlipiShape a, b;
      SlipiPose pose = {.position = {1, 2, 3}};
      turned(0, 0, &pose);
      make(kinds[i], 1, 1, 1, &arena, &a);
      make(kinds[j], 1, 1, 1, &arena, &b);
      list.count = 0;
      assert_true(slipi_collide(&a, &pose, &b, &pose, 0.01, &list));
      assert_true(i == 5 && j == 5 ? list.count == 0 : list.count > 0);
      double least = HUGE_VAL;
      for (int p = 0; p < list.count; p++) {
        least = fmin(least, list.points[p].gap);
        assert_true(fabs(slipi_length(list.points[p].normal) - 1) < 1e-14);
        for (int k = 0; k < 3; k++)
          assert_true(isfinite(list.points[p].on_a[k]) && isfinite(list.points[p].on_b[k]));
      }
      assert_true(list.count == 0 || least < 0);
    }
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box_on_box), cmocka_unit_test(test_on_half_space),
      cmocka_unit_test(test_lying),      cmocka_unit_test(test_standing),
      cmocka_unit_test(test_far_away),   cmocka_unit_test(test_coincident),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
