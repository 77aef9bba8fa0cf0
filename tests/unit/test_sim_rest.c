/* What stands, stands: a stack with heavy blocks on light ones, an arch. SLIPCONE_FULL=1 waits a
 * minute of simulated time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/collide.h"
#include "sim_case.h"

static const double PI = 3.141592653589793;

static int full(void) {
  const char *value = getenv("SLIPCONE_FULL");
  return value && strcmp(value, "1") == 0;
}

/* Ten cubes, masses from 1 to `ratio` growing upwards: how far the top one moves. */
static void stack(double ratio, int steps, double most) {
  SlipSim *sim = sim_make(3, 0.005, 1e-8);
  SlipShapeDef shape = sim_box(0.5, 0.5, 0.5);
  SlipBodyDef def = slip_default_body_def();
  SlipBodyId top = {-1, 0};
  sim_rule(sim, 0.5, 0);
  sim_plane(sim, 0, 0, 1);
  def.shapes = &shape;
  def.shape_count = 1;
  for (int k = 0; k < 10; k++) {
    def.mass = pow(ratio, k / 9.0);
    def.position[2] = 0.25 + 0.5 * k;
    top = sim_body_def(sim, &def);
  }
  int64_t iterations = 0;
  for (int k = 0; k < steps; k++)
    iterations += sim_steps(sim, 1).iterations;
  const double *at = sim_position(sim, top);
  double moved = fmax(hypot(at[0], at[1]), fabs(at[2] - 4.75));
  printf("1:%g, %g s: top moved by %.1e m, %.1f iterations a step\n", ratio, 0.005 * steps, moved,
         (double)iterations / steps);
  assert_true(moved < most);
  slip_sim_free(sim);
}

static void test_stack(void **state) {
  (void)state;
  stack(100, full() ? 12000 : 400, 1e-6);
  if (full())
    stack(512, 12000, 1e-5);
}

/* A semicircle of 17 voussoirs, R = 2, t = 0.36: stands above mu = 0.329. */
static double arch_falls(double mu, int steps) {
  SlipSim *sim = sim_make(3, 0.005, 1e-9);
  sim_rule(sim, mu, 0);
  sim_plane(sim, 0, 0, 1);
  const double in = 2 - 0.18, out = 2 + 0.18, half = PI / 34, deep = 0.25;
  SlipBodyId key = {-1, 0};
  for (int k = 0; k < 17; k++) {
    double points[24], middle[3] = {0}, angle = (k + 0.5) * PI / 17;
    int n = 0;
    for (int c = 0; c < 8; c++) {
      double r = c & 1 ? out : in, a = angle + (c & 2 ? half : -half);
      points[n++] = r * cos(a);
      points[n++] = c & 4 ? deep : -deep;
      points[n++] = r * sin(a);
    }
    for (int c = 0; c < 24; c++)
      middle[c % 3] += points[c] / 8;
    for (int c = 0; c < 24; c++)
      points[c] -= middle[c % 3];
    SlipShapeDef shape = slip_default_shape_def();
    shape.kind = SLIP_SHAPE_HULL;
    shape.points = points;
    shape.point_count = 8;
    SlipBodyId body = sim_body(sim, &shape, middle[0], middle[1], middle[2]);
    key = k == 8 ? body : key;
  }
  double start = sim_position(sim, key)[2];
  sim_steps(sim, steps);
  double fallen = start - sim_position(sim, key)[2];
  printf("arch, mu = %g: key fallen by %.2e m\n", mu, fallen);
  slip_sim_free(sim);
  return fallen;
}

static void test_arch(void **state) {
  (void)state;
  int steps = full() ? 1000 : 100;
  assert_true(fabs(arch_falls(0.35, steps)) < 1e-8);
  assert_true(arch_falls(0.25, 200) > 0.01);
}

/* Two cubes of a stack, turned against each other by 1e-10 and off by as much as collision allows
 * for rounding: the patch has all four corners. */
static void test_corners(void **state) {
  (void)state;
  const SlipiPose pose[2] = {
      {{0x1.51d9e73f0e51p-35, 0x1.fea3158528919p-35, 0x1.fffffff9a6188p-3},
       {0x1p+0, 0x1.7b19d3729aa05p-40, -0x1.615133e153f88p-34, -0x1.7b19d326b5785p-40, 0x1p+0,
        0x1.b7eceecaa4a4fp-33, 0x1.615133e1590f8p-34, -0x1.b7eceecaa39f5p-33, 0x1p+0}},
      {{-0x1.b53051c78b9fap-37, 0x1.5691776df443bp-33, 0x1.7ffffffd467eep-1},
       {0x1p+0, 0x1.0ff9270db729ep-39, -0x1.640dd826c2543p-32, -0x1.0ff926d0a4268p-39, 0x1p+0,
        0x1.5f4b950b02a51p-34, 0x1.640dd826c30edp-32, -0x1.5f4b950af6d2fp-34, 0x1p+0}}};
  SlipShapeDef def = sim_box(0.5, 0.5, 0.5);
  SlipiArena arena = {0};
  SlipiShape shape;
  SlipiTouchList list = {0};
  assert_int_equal(slipi_shape_make(&def, 3, &arena, &shape, NULL), SLIP_OK);
  assert_true(slipi_collide(&shape, &pose[0], &shape, &pose[1], 0.005, &list));
  assert_int_equal(list.count, 4);
  slipi_touch_list_free(&list);
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack), cmocka_unit_test(test_arch),
                                     cmocka_unit_test(test_corners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
