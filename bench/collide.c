/* Time of the narrow phase: bench_collide [repeats [kind kind]]
 *
 * Each pair of solids in 256 random poses in which they touch with a depth of about 1e-6 of their
 * size, boxes at rest on each other, and pairs that are just out of reach; nanoseconds and points
 * a pair, the least of some repeats. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "geom/collide.h"

enum { POSES = 256 };

static const SlipShapeKind kinds[] = {SLIP_SHAPE_SPHERE, SLIP_SHAPE_CAPSULE,
                                      SLIP_SHAPE_BOX,    SLIP_SHAPE_CYLINDER,
                                      SLIP_SHAPE_HULL,   SLIP_SHAPE_HALF_SPACE};
static const char *const names[] = {"sphere", "capsule", "box", "cylinder", "hull", "half-space"};

static bool make_shape(SlipShapeKind kind, SlipiArena *arena, SlipiShape *shape) {
  SlipShapeDef def = slip_default_shape_def();
  SlipiRandom random;
  double points[3 * 24];
  slipi_random_seed(&random, 7);
  def.kind = kind;
  def.radius = 0.5;
  def.length = 1;
  for (int k = 0; k < 3; k++) {
    def.edges[k] = 1;
    def.normal[k] = k == 2;
  }
  for (int i = 0; i < 24; i++) { /* on a sphere: all are vertices */
    double length = 0;
    for (int k = 0; k < 3; k++)
      length += pow(points[3 * i + k] = slipi_random_normal(&random), 2);
    for (int k = 0; k < 3; k++)
      points[3 * i + k] *= 0.6 / sqrt(length);
  }
  def.points = points;
  def.point_count = 24;
  return slipi_shape_make(&def, 3, arena, shape, NULL) == SLIP_OK;
}

static void random_pose(SlipiRandom *random, SlipiPose *pose) {
  double q[4], length = 0;
  for (int k = 0; k < 4; k++)
    length += pow(q[k] = slipi_random_normal(random), 2);
  for (int k = 0; k < 4; k++)
    q[k] /= sqrt(length);
  slipi_quaternion_matrix(q, pose->R);
  for (int k = 0; k < 3; k++)
    pose->position[k] = 0;
}

/* Move a along a random direction until the gap is the one wanted. */
static void approach(const SlipiShape *a, SlipiPose *pose_a, const SlipiShape *b,
                     const SlipiPose *pose_b, double gap, SlipiRandom *random,
                     SlipiTouchList *list) {
  double d[3], length = 0;
  for (int k = 0; k < 3; k++)
    length += pow(d[k] = slipi_random_normal(random), 2);
  if (b->kind == SLIP_SHAPE_HALF_SPACE)
    for (int k = 0; k < 3; k++)
      d[k] = pose_b->R[3 * k + 2] * sqrt(length);
  double low = 0, high = 4;
  for (int round = 0; round < 40; round++) {
    double middle = 0.5 * (low + high), least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
      pose_a->position[k] = middle * d[k] / sqrt(length);
    list->count = 0;
    slipi_collide(a, pose_a, b, pose_b, fmax(gap, 0) + 0.01, list);
    for (int i = 0; i < list->count; i++)
      least = fmin(least, list->points[i].gap);
    if (least > gap)
      high = middle;
    else
      low = middle;
  }
}

static double measure(const SlipiShape *a, const SlipiPose *pose_a, const SlipiShape *b,
                      const SlipiPose *pose_b, int repeats, SlipiTouchList *list) {
  double least = HUGE_VAL;
  for (int repeat = 0; repeat < repeats; repeat++) {
    double start = slipi_clock_seconds();
    list->count = 0;
    for (int i = 0; i < POSES; i++)
      slipi_collide(a, &pose_a[i], b, &pose_b[i], 0.01, list);
    least = fmin(least, slipi_clock_seconds() - start);
  }
  return least / POSES;
}

static void bench_pair(int i, int j, int repeats, SlipiArena *arena, SlipiTouchList *list) {
  static SlipiPose pose_a[POSES], pose_b[POSES];
  SlipiShape a, b;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  if (!make_shape(kinds[i], arena, &a) || !make_shape(kinds[j], arena, &b))
    return;
  printf("%-9s %-10s", names[i], names[j]);
  for (int out = 0; out < 2; out++) {
    for (int p = 0; p < POSES; p++) {
      random_pose(&random, &pose_a[p]);
      random_pose(&random, &pose_b[p]);
      approach(&a, &pose_a[p], &b, &pose_b[p], out ? 0.02 : -1e-6, &random, list);
    }
    double seconds = measure(&a, pose_a, &b, pose_b, repeats, list);
    printf(" %8.1f %6.2f", 1e9 * seconds, (double)list->count / POSES);
  }
  printf("\n");
}

static void bench_rest(int repeats, SlipiArena *arena, SlipiTouchList *list) {
  static SlipiPose pose_a[POSES], pose_b[POSES];
  SlipiShape box;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  if (!make_shape(SLIP_SHAPE_BOX, arena, &box))
    return;
  for (int p = 0; p < POSES; p++) {
    double yaw = slipi_random_between(&random, 0, 3), q[4] = {cos(yaw), 0, 0, sin(yaw)};
    slipi_quaternion_matrix(q, pose_a[p].R);
    slipi_quaternion_matrix((double[]){1, 0, 0, 0}, pose_b[p].R);
    for (int k = 0; k < 3; k++) {
      pose_b[p].position[k] = 0;
      pose_a[p].position[k] = k < 2 ? slipi_random_between(&random, -0.3, 0.3) : 1 - 1e-6;
    }
  }
  double seconds = measure(&box, pose_a, &box, pose_b, repeats, list);
  printf("box at rest on a box %8.1f %6.2f\n", 1e9 * seconds, (double)list->count / POSES);
}

int main(int argc, char **argv) {
  int repeats = argc > 1 ? atoi(argv[1]) : 200;
  SlipiArena arena = {0};
  SlipiTouchList list = {0};
  printf("%-20s %15s %15s\n", "pair", "touching", "out of reach");
  printf("%-20s %8s %6s %8s %6s\n", "", "ns", "points", "ns", "points");
  for (int i = 0; i < 5; i++)
    for (int j = i; j < 6; j++)
      if (argc < 4 || (!strcmp(argv[2], names[i]) && !strcmp(argv[3], names[j])))
        bench_pair(i, j, repeats, &arena, &list);
  if (argc < 4)
    bench_rest(repeats, &arena, &list);
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
  return 0;
}
