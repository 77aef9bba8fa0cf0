/* Steps of a simulation allocate nothing once it has warmed up: a stack at rest, and balls that
 * keep moving in a box. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_wrap.h"
#include "sim_case.h"

static SlipSim *make(double tol, int threads) {
  SlipSimDef def = slip_default_sim_def();
  SlipSettings *settings;
  SlipSim *sim;
  assert_int_equal(slip_settings_create("nsgs", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set_real(settings, "tol", tol, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set_real(settings, "threads", threads, NULL), SLIP_OK);
  def.settings = settings;
  def.gravity[2] = -SIM_G;
  assert_int_equal(slip_sim_create(&def, &sim, NULL), SLIP_OK);
  slip_settings_free(settings);
  return sim;
}

static void count(SlipSim *sim, int warm, int steps, const char *what) {
  sim_steps(sim, warm);
  alloc_count_start();
  SlipStepInfo info = sim_steps(sim, steps);
  printf("%s: %d contacts, %ld allocations in %d steps\n", what, info.contacts, alloc_count(),
         steps);
  assert_true(info.contacts > 0);
  assert_int_equal(alloc_count(), 0);
  slip_sim_free(sim);
}

static void test_stack(void **state) {
  (void)state;
  for (int threads = 1; threads <= 2; threads++) {
    SlipSim *sim = make(1e-4, threads);
    SlipShapeDef box = sim_box(0.5, 0.5, 0.5);
    sim_rule(sim, 0.5, 0);
    sim_plane(sim, 0, 0, 1);
    for (int k = 0; k < 5; k++)
      sim_body(sim, &box, 0, 0, 0.25 + 0.5 * k);
    count(sim, 300, 100, "stack");
  }
}

static void test_heap(void **state) {
  (void)state;
  SlipSim *sim = make(1e-4, 1);
  SlipShapeDef ball = sim_sphere(0.1);
  sim_rule(sim, 0.3, 0);
  sim_plane(sim, 0, 0, 1);
  sim_plane(sim, 0.6, 0, 0.8);
  sim_plane(sim, -0.6, 0, 0.8);
  sim_plane(sim, 0, 0.6, 0.8);
  sim_plane(sim, 0, -0.6, 0.8);
  for (int k = 0; k < 27; k++)
    sim_body(sim, &ball, 0.21 * (k % 3 - 1), 0.21 * (k / 3 % 3 - 1), 0.3 + 0.22 * (double)(k / 9));
  count(sim, 600, 100, "heap");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack), cmocka_unit_test(test_heap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
