/* The narrow phase against brute force: signed gap, normal and both points of every pair of convex
 * solids, in random poses and in degenerate ones. SLIPCONE_FULL=1 tries 100,000 of each, or as many
 * as it says above 1; `test_collide NAME` runs one of the tests. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "convex.h"
#include "geom/collide.h"

static int trials_of_pair(int most) {
  const char *full = getenv("SLIPCONE_FULL");
  int count = full ? atoi(full) : 0;
  return count > 1 ? count : count == 1 ? 100000 : most;
}

/* ---- Shapes and poses ------------------------------------------------------------------------ */

static double random_size(SlipiRandom *random, double aspect) {
  return exp(slipi_random_between(random, -0.5, 0.5) * log(aspect));
}

static void random_shape(SlipiRandom *random, SlipShapeKind kind, double aspect, SlipiArena *arena,
                         SlipiShape *shape) {
  SlipShapeDef def = slip_default_shape_def();
  double points[3 * 12];
  def.kind = kind;
  def.radius = random_size(random, aspect);
  def.length = random_size(random, aspect);
  for (int k = 0; k < 3; k++) {
    def.edges[k] = random_size(random, aspect);
    def.normal[k] = slipi_random_normal(random);
  }
  def.point_count = 5 + (int32_t)slipi_random_below(random, 8);
  for (int i = 0; i < 3 * def.point_count; i++)
    points[i] = slipi_random_normal(random) * def.edges[i % 3];
  def.points = points;
  SlipError error;
  if (slipi_shape_make(&def, 3, arena, shape, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

static void random_rotation(SlipiRandom *random, double R[9]) {
  double q[4], length = 0;
  for (int k = 0; k < 4; k++)
    q[k] = slipi_random_normal(random);
  for (int k = 0; k < 4; k++)
    length += q[k] * q[k];
  for (int k = 0; k < 4; k++)
    q[k] /= sqrt(length);
  slipi_quaternion_matrix(q, R);
}

/* A rotation by multiples of 45 degrees about the axes, and at times a hair more. */
static void square_rotation(SlipiRandom *random, double R[9]) {
  double q[4] = {1, 0, 0, 0};
  for (int turn = 0; turn < 2; turn++) {
    double angle = 0.39269908169872414 * slipi_random_below(random, 8),
           p[4] = {cos(angle), 0, 0, 0};
    if (slipi_random_below(random, 4) == 0)
      angle += pow(10, slipi_random_between(random, -16, -3));
    p[0] = cos(angle);
    p[1 + slipi_random_below(random, 3)] = sin(angle);
    slipi_quaternion_product(q, p, q);
  }
  slipi_quaternion_matrix(q, R);
}

static const char *const kind_name[] = {"sphere",   "box",        "capsule",
                                        "cylinder", "half-space", "hull"};

/* ---- One pair -------------------------------------------------------------------------------- */

typedef struct Pair {
  SlipiShape a, b;
  SlipiPose pose_a, pose_b;
  double size, extent;     /* the least and the largest length: gaps are held to 1e-9 of the one, */
  double reach, gap, n[3]; /* places along thin shapes to 1e-9 of the other */
  bool sampled;            /* the gap is found by sampling: it may be larger, to some digits only */
  Convex body_a, body_b;
} Pair;

static const double tolerance = 1e-9;

static void show_body(const SlipiShape *shape, const SlipiPose *pose) {
  const double *R = pose->R, *x = pose->position, *half = shape->half;
  print_message("  %s at %.17g %.17g %.17g, radius %.17g, half %.17g %.17g %.17g\n",
                kind_name[shape->kind], x[0], x[1], x[2], shape->radius, half[0], half[1], half[2]);
  print_message("    R %.17g %.17g %.17g  %.17g %.17g %.17g  %.17g %.17g %.17g\n", R[0], R[1], R[2],
                R[3], R[4], R[5], R[6], R[7], R[8]);
}

static void show(const Pair *pair, const SlipiTouchList *list) {
  print_message("true gap %.17g reach %.17g size %g along %.17g %.17g %.17g\n", pair->gap,
                pair->reach, pair->size, pair->n[0], pair->n[1], pair->n[2]);
  show_body(&pair->a, &pair->pose_a);
  show_body(&pair->b, &pair->pose_b);
  for (int i = 0; i < list->count; i++) {
    const SlipiTouchPoint *p = &list->points[i];
    print_message("  gap %.17g n %.17g %.17g %.17g on_b %g %g %g separates %.17g features %x %x\n",
                  p->gap, p->normal[0], p->normal[1], p->normal[2], p->on_b[0], p->on_b[1],
                  p->on_b[2], convex_apart(&pair->body_a, &pair->body_b, p->normal), p->feature_a,
                  p->feature_b);
  }
}

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      show(pair, list);                                                                            \
      fail_msg("%s", #condition);                                                                  \
    }                                                                                              \
  } while (0)

static void check_point(const Pair *pair, const SlipiTouchList *list, const SlipiTouchPoint *p,
                        SlipiRandom *random) {
  double slack = tolerance * pair->size, wide = tolerance * pair->extent;
  CHECK(fabs(slipi_length(p->normal) - 1) <= 1e-14);
  CHECK(p->gap <= pair->reach);
  CHECK(p->gap >= pair->gap - slack);
  for (int k = 0; k < 3; k++)
    CHECK(fabs(p->on_a[k] - p->on_b[k] - p->gap * p->normal[k]) <= slack);
  CHECK(convex_outside(&pair->body_a, p->on_a, random) <= wide);
  if (pair->b.kind == SLIP_SHAPE_HALF_SPACE)
    CHECK(fabs(slipi_dot3(p->normal, p->on_b) - convex_support(&pair->body_b, pair->n)) <= slack);
  else
    CHECK(convex_outside(&pair->body_b, p->on_b, random) <= wide);
}

/* What a normal separates is no more than the signed gap, whoever has found it: the oracle's own
 * best normal has lost digits where it is across edges that are almost parallel. */
static void sharpen(Pair *pair, const SlipiTouchList *list) {
  for (int i = 0; i < list->count; i++)
    pair->gap = fmax(pair->gap, convex_apart(&pair->body_a, &pair->body_b, list->points[i].normal));
}

/* The oracle climbs from samples, and may stay on a lower hill: of a long hull and a cylinder it
 * said 0.0003 where one of 1000 samples shows that they are 0.0047 apart. */
static void look_longer(Pair *pair, SlipiRandom *random) {
  double n[3];
  pair->gap = fmax(pair->gap, convex_gap(&pair->body_a, &pair->body_b, random, 1000, n));
}

/* The normal of two points that are a gap apart is known up to the rounding of the points over the
 * gap, for the oracle as for the library; it turns what the normal separates by that. Where the gap
 * is within the tolerance, faces and edges give the normal. */
static double turned_by_rounding(const Pair *pair) {
  double rounding = 8 * DBL_EPSILON * pair->extent;
  return fabs(pair->gap) > tolerance * pair->size ? rounding / fabs(pair->gap) * pair->extent : 0;
}

static void check_pair(Pair *pair, SlipiTouchList *list, SlipiRandom *random) {
  double slack = tolerance * pair->size, least = HUGE_VAL;
  int deepest = 0;
  list->count = 0;
  assert_true(slipi_collide(&pair->a, &pair->pose_a, &pair->b, &pair->pose_b, pair->reach, list));
  sharpen(pair, list);
  if (list->count == 0 && pair->sampled && pair->gap < pair->reach)
    look_longer(pair, random);
  for (int i = 0; i < list->count; i++) {
    check_point(pair, list, &list->points[i], random);
    if (list->points[i].gap < least) {
      least = list->points[i].gap;
      deepest = i;
    }
  }
  if (pair->gap > pair->reach + slack)
    CHECK(list->count == 0);
  if (!(pair->gap < pair->reach - (pair->sampled ? 1000 : 1) * slack))
    return;
  CHECK(list->count > 0);
  CHECK(fabs(least - pair->gap) <= slack);
  double apart = convex_apart(&pair->body_a, &pair->body_b, list->points[deepest].normal);
  if (pair->b.kind != SLIP_SHAPE_HALF_SPACE)
    CHECK(apart >= pair->gap - slack - turned_by_rounding(pair));
  /* The other way round it is the same. */
  int32_t count = list->count;
  assert_true(slipi_collide(&pair->b, &pair->pose_b, &pair->a, &pair->pose_a, pair->reach, list));
  double other = HUGE_VAL;
  for (int i = count; i < list->count; i++)
    other = fmin(other, list->points[i].gap);
  CHECK(list->count > count);
  CHECK(fabs(other - pair->gap) <= slack);
}

static void find_gap(Pair *pair, SlipiRandom *random) {
  static const double origin[3] = {0, 0, 0};
  convex_make(&pair->a, &pair->pose_a, origin, &pair->body_a);
  convex_make(&pair->b, &pair->pose_b, origin, &pair->body_b);
  pair->sampled = (pair->body_a.cylinder || pair->body_b.cylinder) && !pair->body_b.half_space;
  pair->gap = convex_gap(&pair->body_a, &pair->body_b, random, 12, pair->n);
}

/* Move a along the best direction so that the gap is about the given one. */
static void bring(Pair *pair, double gap, SlipiRandom *random) {
  for (int k = 0; k < 3; k++)
    pair->pose_a.position[k] += (gap - pair->gap) * pair->n[k];
  find_gap(pair, random);
}

static double extent_of(const SlipiShape *shape) {
  switch (shape->kind) {
  case SLIP_SHAPE_BOX:
    return slipi_length(shape->half);
  case SLIP_SHAPE_HULL:
    return shape->hull->radius;
  case SLIP_SHAPE_HALF_SPACE:
    return 0;
  default:
    return shape->radius + shape->half[2];
  }
}

/* How two shapes are put together. */
typedef enum Poses { RANDOM, SQUARE } Poses;

static void pose_pair(Pair *pair, Poses poses, SlipiRandom *random) {
  double scale = extent_of(&pair->a) + extent_of(&pair->b), d[3];
  for (int k = 0; k < 3; k++) {
    d[k] = slipi_random_normal(random);
    pair->pose_b.position[k] = 0;
  }
  if (poses == RANDOM) {
    random_rotation(random, pair->pose_a.R);
    random_rotation(random, pair->pose_b.R);
  } else {
    square_rotation(random, pair->pose_b.R);
    square_rotation(random, pair->pose_a.R);
    for (int k = 0; k < 3; k++)
      d[k] = (int)slipi_random_below(random, 5) - 2;
  }
  for (int k = 0; k < 3; k++)
    pair->pose_a.position[k] =
        poses == RANDOM ? scale * d[k] * slipi_random_unit(random) * 0.6 : 0.25 * d[k] * scale;
}

static void test_kinds(SlipShapeKind a, SlipShapeKind b, Poses poses, double aspect, int trials) {
  static const double gaps[] = {0, 1e-12, -1e-12, 1e-6, -1e-6, 1e-3, -1e-3, 5e-3};
  SlipiRandom random;
  SlipiTouchList list = {0};
  Pair *pair = calloc(1, sizeof *pair);
  slipi_random_seed(&random, (uint64_t)(100 * a + 10 * b + poses));
  for (int trial = 0; trial < trials; trial++) {
    SlipiArena arena = {0};
    random_shape(&random, a, aspect, &arena, &pair->a);
    random_shape(&random, b, aspect, &arena, &pair->b);
    if (a == b && poses == SQUARE && trial % 2)
      pair->b = pair->a;
    pose_pair(pair, poses, &random);
    pair->size = fmin(pair->a.size, pair->b.size);
    pair->extent = extent_of(&pair->a) + extent_of(&pair->b);
    pair->reach = 0.01 * pair->size;
    find_gap(pair, &random);
    if (trial % 3 == 0)
      pair->reach = slipi_random_between(&random, -0.1, 1) * pair->size;
    else if (pair->gap > -10 * pair->size)
      bring(pair, gaps[trial % 8] * pair->size, &random);
    check_pair(pair, &list, &random);
    slipi_arena_free(&arena);
  }
  slipi_touch_list_free(&list);
  free(pair);
}

static const SlipShapeKind solids[] = {SLIP_SHAPE_SPHERE, SLIP_SHAPE_CAPSULE, SLIP_SHAPE_BOX,
                                       SLIP_SHAPE_HULL, SLIP_SHAPE_HALF_SPACE};

static void test_all_kinds(Poses poses, double aspect, int trials) {
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 5; j++)
      test_kinds(solids[i], solids[j], poses, aspect, trials_of_pair(trials));
}

static void test_random_poses(void **state) {
  (void)state;
  test_all_kinds(RANDOM, 3, 1000);
}

static void test_square_poses(void **state) {
  (void)state;
  test_all_kinds(SQUARE, 2, 1000);
}

static void test_long_and_thin(void **state) {
  (void)state;
  test_all_kinds(RANDOM, 1e4, 300);
  test_all_kinds(SQUARE, 1e4, 300);
}

/* Two boxes, of which random poses find one in ten thousand. */
typedef struct Boxes {
  double Ra[9], Rb[9], half[2][3], x[3], reach, gap;
} Boxes;

static const Boxes hard_boxes[] = {
    /* deep in each other, and the best direction across edges that are parallel to 8e-10: no patch
       is found, and the distance 0 must not be taken for one beyond a reach below 0 */
    {{1, 0, 0, 0, -7.6157058437331671e-10, -0.99999999999999978, 0, 0.99999999999999978,
      -7.6157058437331671e-10},
     {-0.70710678118654746, 0.49999999999999989, 0.50000000000000011, -0.70710678118654757, -0.5,
      -0.50000000000000011, 0, -0.70710678118654757, 0.70710678118654746},
     {{0.6237240715150254, 0.59881159382953242, 0.38908250643896675},
      {0.52198308902093138, 0.42206469392215024, 0.68024946733942326}},
     {0.47596062255417415, 0, 0.47596062255417415},
     -0.0012771103354129636,
     -0.9015905},
    /* crossing edges that are parallel to 5e-10: rounding moves the crossing by 2e-8 along them */
    {{1, 2.2204460492503131e-16, 0, -2.2204460492503131e-16, 1, 0, 0, 0, 1},
     {1, 0, 5.3430386446274367e-10, -3.7780988577578407e-10, 0.70710678118654735,
      0.70710678118654768, -3.7780988577578392e-10, -0.70710678118654768, 0.70710678118654735},
     {{0.64828661001493848, 0.42025871239227913, 0.6276393341733344},
      {0.64828661001493848, 0.42025871239227913, 0.6276393341733344}},
     {0, 0, -0.99540145060564578},
     0.45400305290683779,
     -0.3732137},
    /* long edges beside each other, parallel to 1e-12: the distance of their ends is the one of the
       edges to its last digit, its direction only to half of the digits */
    {{1, 0, 0, 0, -0.70710678118754866, -0.7071067811855466, 0, 0.7071067811855466,
      -0.70710678118754866},
     {0, -5.5511151231257827e-17, 1, 0.70710678118652015, -0.707106781186575,
      -5.5511151231257827e-17, 0.70710678118657488, 0.70710678118652015, 0},
     {{2.0978365012069449, 5.3795056352810136, 0.27751396330616118},
      {2.0978365012069449, 5.3795056352810136, 0.27751396330616118}},
     {2.3755103338842227, 1.6800022520938445, 1.6800022520904174},
     0.0055502792661232241,
     0.0005550279},
};

static void test_hard_boxes(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiTouchList list = {0};
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (size_t c = 0; c < sizeof hard_boxes / sizeof hard_boxes[0]; c++) {
    const Boxes *boxes = &hard_boxes[c];
    Pair *pair = calloc(1, sizeof *pair);
    for (int side = 0; side < 2; side++) {
      SlipShapeDef def = slip_default_shape_def();
      SlipiShape *shape = side ? &pair->b : &pair->a;
      def.kind = SLIP_SHAPE_BOX;
      for (int k = 0; k < 3; k++)
        def.edges[k] = 2 * boxes->half[side][k];
      assert_int_equal(slipi_shape_make(&def, 3, &arena, shape, NULL), SLIP_OK);
    }
    memcpy(pair->pose_a.R, boxes->Ra, sizeof boxes->Ra);
    memcpy(pair->pose_b.R, boxes->Rb, sizeof boxes->Rb);
    memcpy(pair->pose_a.position, boxes->x, sizeof boxes->x);
    pair->size = fmin(pair->a.size, pair->b.size);
    pair->extent = extent_of(&pair->a) + extent_of(&pair->b);
    pair->reach = boxes->reach;
    find_gap(pair, &random);
    assert_float_equal(pair->gap, boxes->gap, 1e-7);
    check_pair(pair, &list, &random);
    free(pair);
  }
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

/* Two shapes in poses that are given, within a share of their size; b is at the origin. */
static void check_posed(const SlipShapeDef *a, const SlipiPose *pose_a, const SlipShapeDef *b,
                        const SlipiPose *pose_b, double reach) {
  SlipiArena arena = {0};
  SlipiTouchList list = {0};
  SlipiRandom random;
  Pair *pair = calloc(1, sizeof *pair);
  slipi_random_seed(&random, 1);
  assert_int_equal(slipi_shape_make(a, 3, &arena, &pair->a, NULL), SLIP_OK);
  assert_int_equal(slipi_shape_make(b, 3, &arena, &pair->b, NULL), SLIP_OK);
  pair->pose_a = *pose_a;
  pair->pose_b = *pose_b;
  pair->size = fmin(pair->a.size, pair->b.size);
  pair->extent = extent_of(&pair->a) + extent_of(&pair->b);
  pair->reach = reach * pair->size;
  find_gap(pair, &random);
  check_pair(pair, &list, &random);
  assert_true(list.count > 0);
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
  free(pair);
}

static SlipShapeDef with_axis(SlipShapeKind kind, double radius, double half) {
  SlipShapeDef def = slip_default_shape_def();
  def.kind = kind;
  def.radius = radius;
  def.length = 2 * half;
  return def;
}

/* Two equal shapes upside down, a turned about y. */
static void check_equal(const SlipShapeDef *def, double angle, const double position[3]) {
  double c = cos(angle), s = sin(angle);
  SlipiPose pose_a = {.R = {-c, 0, s, 0, 1, 0, -s, 0, -c},
                      .position = {position[0], position[1], position[2]}};
  SlipiPose pose_b = {.R = {-1, 0, 0, 0, 1, 0, 0, 0, -1}};
  check_posed(def, &pose_a, def, &pose_b, 0.01);
}

/* Two cylinders beside each other, one a little lower, whose axes are parallel to 2e-9: of the line
 * that b is nearest in, the point must be over a. */
static void test_parallel_cylinders(void **state) {
  (void)state;
  static const double position[3] = {0, -2 * 0.71638 - 9.6e-7, -0.59860472202539738};
  SlipShapeDef def = with_axis(SLIP_SHAPE_CYLINDER, 0.71638, 0.480829);
  check_equal(&def, 1.6231814666740868e-09, position);
}

/* Two capsules that cross at a small angle, near the end of one: there they are 1e-11 farther apart
 * than in the crossing, yet along a normal that separates them less. */
static void test_crossing_capsules(void **state) {
  (void)state;
  static const double position[3] = {1.0721264645945642e-07, 0.10563830382092115,
                                     -0.05661096953412622};
  SlipShapeDef def = with_axis(SLIP_SHAPE_CAPSULE, 0.0527664, 0.0604556);
  check_equal(&def, -3.4298366285e-4, position);
}

/* A capsule through either end of a long thin plate, parallel to it up to 3e-13: the point is over
 * the edge that it crosses, not on the parallel one at the other end. */
static void test_capsule_through_plate(void **state) {
  (void)state;
  const double c = sqrt(0.5), tilt = 3.4439118223872356e-13;
  SlipShapeDef capsule = with_axis(SLIP_SHAPE_CAPSULE, 0.33862107885407972, 11.408659563268625);
  SlipShapeDef plate = slip_default_shape_def();
  plate.kind = SLIP_SHAPE_BOX;
  plate.edges[0] = 2 * 1.9931823347733673;
  plate.edges[1] = 2 * 24.369166874467016;
  plate.edges[2] = 2 * 0.0067085439365308051;
  for (int end = -1; end <= 1; end += 2) {
    double at = 18.098912454840573 * end;
    SlipiPose pose_a = {.R = {-1, 0, 0, 0, -tilt, 1, 0, 1, tilt}, .position = {at, -at, 0}};
    SlipiPose pose_b = {.R = {c, c, 0, c, -c, 0, 0, 0, -1}};
    check_posed(&capsule, &pose_a, &plate, &pose_b, 0.01);
  }
}

/* Cylinders whose rims almost touch, with axes parallel to 2e-7: they are 3e-10 apart along an
 * oblique direction, and no pair of points tells it, since rounding is a millionth of their
 * distance.
 */
static void test_rims_in_touch(void **state) {
  (void)state;
  const double tilt = 1.5263029938782712e-07, c = cos(tilt), s = sin(tilt);
  SlipShapeDef a = with_axis(SLIP_SHAPE_CYLINDER, 1.3655982951751797, 0.40219898550854827);
  SlipShapeDef b = with_axis(SLIP_SHAPE_CYLINDER, 0.80797585165139563, 0.68265522016725766);
  SlipiPose pose_a = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                      .position = {1.5369489542089774, 1.5369489770698843, 1.0848542931832097}};
  SlipiPose pose_b = {.R = {1, 0, 0, 0, c, -s, 0, s, c}};
  check_posed(&a, &pose_a, &b, &pose_b, 0.01);
}

/* The line of a's side over the end of b, with axes square to 6e-8: the line is over the end in its
 * own last point only, which is on b's rim. */
static void test_line_over_rim(void **state) {
  (void)state;
  const double c = sqrt(0.5), tilt = 5.6229906841842592e-08, at = 1.3964173054490399;
  SlipShapeDef def = with_axis(SLIP_SHAPE_CYLINDER, 0.79705004063861662, 0.59936726481042335);
  SlipiPose pose_a = {.R = {1, 0, 0, 0, tilt, 1, 0, -1, tilt}, .position = {at, -at, -at}};
  SlipiPose pose_b = {.R = {c, 0, -c, 0, 1, 0, c, 0, c}};
  check_posed(&def, &pose_a, &def, &pose_b, 1.08074);
}

/* A corner of a box below the end of a cylinder, 7e-7 from it, and beyond its rim by 6e-9:
 * the direction of the end separates as much as the one between the nearest points, but not their
 * places. */
static void test_corner_beyond_rim(void **state) {
  (void)state;
  SlipShapeDef cylinder = with_axis(SLIP_SHAPE_CYLINDER, 0.99319796424232121, 0.70626752640368995);
  SlipShapeDef box = slip_default_shape_def();
  box.kind = SLIP_SHAPE_BOX;
  box.edges[0] = 2 * 0.4708847406383842;
  box.edges[1] = 2 * 0.343967156883491;
  box.edges[2] = 2 * 0.38816344271735553;
  SlipiPose pose_a = {.R = {0.50847175746997009, -0.16766043141076875, 0.84459839663271619,
                            -0.85511983367199251, -0.21351306058276642, 0.4724216792457388,
                            0.10112636607820802, -0.96244592196119516, -0.25193512137866247},
                      .position = {1.3045173172332853, 0.46271634029627579, 0.23007163026364177}};
  SlipiPose pose_b = {.R = {-0.1785527979883812, -0.74278432980040598, -0.64528314539702825,
                            0.34820992650272392, -0.66108266902893131, 0.6646198551010587,
                            -0.92025471768173417, -0.10602426190521924, 0.37668303714391682}};
  check_posed(&cylinder, &pose_a, &box, &pose_b, 0.01);
}

/* The side of a cylinder a hair off the face of a box: of two edges that are as good the one counts
 * that the line of the side crosses. */
static void test_side_off_face(void **state) {
  (void)state;
  SlipShapeDef cylinder = with_axis(SLIP_SHAPE_CYLINDER, 0.99879211308219662, 0.5331146762832385);
  SlipShapeDef box = slip_default_shape_def();
  box.kind = SLIP_SHAPE_BOX;
  box.edges[0] = 2 * 0.48213953701608669;
  box.edges[1] = 2 * 0.58404280250740481;
  box.edges[2] = 2 * 0.59909975669193827;
  SlipiPose pose_a = {.R = {-1, 2.0595270699634431e-08, -1.0789722904368913e-09,
                            -2.0595270699634431e-08, -1, -2.2221726398952363e-17,
                            -1.0789722904368917e-09, 0, 1},
                      .position = {1.4818959293924021, 1.958714290215401e-10, 0.62438986091238213}};
  SlipiPose pose_b = {.R = {-1, -1.224646799147353e-16, 6.1629758220391547e-33,
                            8.6595605623549316e-17, -0.70710678118654746, -0.70710678118654757,
                            8.6595605623549329e-17, -0.70710678118654757, 0.70710678118654746}};
  check_posed(&cylinder, &pose_a, &box, &pose_b, 0.01);
}

/* A capsule deep in a cylinder, their axes parallel to 1e-8. */
static void test_capsule_along_cylinder(void **state) {
  (void)state;
  SlipShapeDef cylinder = with_axis(SLIP_SHAPE_CYLINDER, 1.3786905072420479, 0.44736833645073315);
  SlipShapeDef capsule = with_axis(SLIP_SHAPE_CAPSULE, 0.98283418769279685, 0.55920538279473686);
  SlipiPose pose_a = {.R = {-0.99999999907770087, 4.2948774348050839e-05, 0,
                            -4.2948774348050839e-05, -0.99999999907770087, 0, 0, 0, 1},
                      .position = {0.84202460354507869, 0.84202460354507869, 0}};
  SlipiPose pose_b = {.R = {-0.70710662207260211, -0.70710694030045729, 7.4737387302012615e-09,
                            -0.70710694030045729, 0.70710662207260189, -7.4737353667045788e-09, 0,
                            -1.0569460295532654e-08, -1}};
  check_posed(&cylinder, &pose_a, &capsule, &pose_b, 0.7);
}

static void test_cylinders(void **state) {
  (void)state;
  static const SlipShapeKind others[] = {SLIP_SHAPE_CYLINDER, SLIP_SHAPE_SPHERE,
                                         SLIP_SHAPE_CAPSULE,  SLIP_SHAPE_BOX,
                                         SLIP_SHAPE_HULL,     SLIP_SHAPE_HALF_SPACE};
  for (int i = 0; i < 6; i++) {
    test_kinds(SLIP_SHAPE_CYLINDER, others[i], RANDOM, 3, trials_of_pair(200));
    test_kinds(SLIP_SHAPE_CYLINDER, others[i], SQUARE, 2, trials_of_pair(200));
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cylinders),
      cmocka_unit_test(test_corner_beyond_rim),
      cmocka_unit_test(test_side_off_face),
      cmocka_unit_test(test_capsule_along_cylinder),
      cmocka_unit_test(test_random_poses),
      cmocka_unit_test(test_square_poses),
      cmocka_unit_test(test_long_and_thin),
      cmocka_unit_test(test_hard_boxes),
      cmocka_unit_test(test_parallel_cylinders),
      cmocka_unit_test(test_crossing_capsules),
      cmocka_unit_test(test_capsule_through_plate),
      cmocka_unit_test(test_rims_in_touch),
      cmocka_unit_test(test_line_over_rim),
  };
  if (argc > 1) /* all 100,000 of each take hours: one test of them */
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
