/* Steps of deformable bodies with W formed and with the factors in its place: the same motion both
 * ways, the way that counted work chooses, and what is done where a method without rows fails. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/soft.h"

static SlipError error;

static void must(SlipStatus status) {
  if (status != SLIP_OK)
    print_message("%s\n", error.text);
  assert_int_equal(status, SLIP_OK);
}

static SlipSim *make(int d, const char *way, double most) {
  SlipSimDef def = slip_default_sim_def();
  SlipSettings *settings;
  SlipSim *sim;
  def.dimension = d;
  def.step = 0.001;
  def.gravity[d - 1] = -9.81;
  must(slip_settings_create(NULL, &settings, &error));
  must(slip_settings_set(settings, "tol", "1e-10", &error));
  must(slip_settings_set(settings, "operator", way, &error));
  must(slip_settings_set_real(settings, "max-iter", most, &error));
  def.settings = settings;
  must(slip_sim_create(&def, &sim, &error));
  slip_settings_free(settings);
  SlipContactRule rule = slip_default_contact_rule();
  rule.friction = 0.4;
  must(slip_sim_add_rule(sim, &rule, &error));
  return sim;
}

static void add_ground(SlipSim *sim, int d) {
  SlipBodyDef def = slip_default_body_def();
  SlipBodyId body;
  SlipShapeDef plane = slip_default_shape_def();
  plane.kind = SLIP_SHAPE_HALF_SPACE;
  plane.normal[d - 1] = 1;
  def.motion = SLIP_MOTION_FIXED;
  def.shapes = &plane;
  def.shape_count = 1;
  must(slip_sim_add_body(sim, &def, &body, &error));
}

static void add_soft(SlipSim *sim, const double size[3], const int32_t cells[3], const double at[3],
                     const double v[3]) {
  SlipDeformableDef def = slip_default_deformable_def();
  SlipBodyId body;
  memcpy(def.box, size, sizeof def.box);
  memcpy(def.cells, cells, sizeof def.cells);
  memcpy(def.position, at, sizeof def.position);
  memcpy(def.velocity, v, sizeof def.velocity);
  def.element = slip_sim_dimension(sim) == 2 ? SLIP_ELEMENT_Q4 : SLIP_ELEMENT_H8;
  def.young = 1e6;
  def.poisson = 0.3;
  must(slip_sim_add_deformable(sim, &def, &body, &error));
}

/* Two cubes of other meshes, one on the other, on the ground, with a rigid box on top. */
static SlipSim *tower(const char *way) {
  SlipSim *sim = make(3, way, 1e6);
  SlipBodyDef def = slip_default_body_def();
  SlipBodyId body;
  SlipShapeDef box = slip_default_shape_def();
  box.kind = SLIP_SHAPE_BOX;
  memcpy(box.edges, (double[]){0.2, 0.2, 0.1}, sizeof box.edges);
  add_ground(sim, 3);
  add_soft(sim, (double[]){0.4, 0.4, 0.4}, (int32_t[]){3, 3, 3}, (double[]){0, 0, 0.2001},
           (double[]){0.5, 0, 0});
  add_soft(sim, (double[]){0.4, 0.4, 0.4}, (int32_t[]){4, 4, 4}, (double[]){0.05, 0, 0.6003},
           (double[]){0, 0, -0.2});
  def.motion = SLIP_MOTION_FREE;
  def.shapes = &box;
  def.shape_count = 1;
  def.position[2] = 0.8508;
  def.velocity[2] = -0.3;
  must(slip_sim_add_body(sim, &def, &body, &error));
  return sim;
}

/* A long thin strip that lands flat on the ground. */
static SlipSim *strip(const char *way, double most) {
  SlipSim *sim = make(2, way, most);
  add_ground(sim, 2);
  add_soft(sim, (double[]){3, 0.02, 1}, (int32_t[]){300, 2, 1}, (double[]){0, 0.0101, 0},
           (double[]){1, -0.1, 0});
  return sim;
}

/* Steps; returns how many had contacts and were solved by this method, which counts in *others
 * where it was another. */
static int run(SlipSim *sim, int steps, const char *method, int *others) {
  int count = 0;
  *others = 0;
  for (int k = 0; k < steps; k++) {
    SlipStepInfo info = slip_default_step_info();
    must(slip_sim_step(sim, &info, &error));
    assert_int_equal(info.outcome, SLIP_SOLVED);
    if (info.contacts == 0)
      continue;
    bool same = strcmp(slip_sim_result(sim)->method, method) == 0;
    count += same;
    *others += !same;
  }
  return count;
}

static double distance(const SlipSim *a, const SlipSim *b) {
  double most = 0;
  for (int32_t s = 0; s < a->softs->count; s++)
    for (int64_t k = 0; k < 3 * (int64_t)a->softs->at[s]->nodes; k++)
      most = fmax(most, fabs(a->softs->at[s]->v[k] - b->softs->at[s]->v[k]));
  for (int64_t k = 0; k < 3 * (int64_t)a->bodies.count; k++)
    most = fmax(most, fabs(a->bodies.v[k] - b->bodies.v[k]));
  return most;
}

static void test_same(void **state) {
  (void)state;
  int others;
  SlipSim *one = tower("auto"), *two = tower("factored");
  assert_true(run(one, 12, "auto", &others) >= 10);
  assert_int_equal(others, 0);
  assert_true(run(two, 12, "fp-vi-accelerated", &others) >= 10);
  assert_int_equal(others, 0);
  assert_true(two->contacts.count + two->last.count > 40);
  print_message("velocities differ by %.1e\n", distance(one, two));
  assert_true(distance(one, two) < 1e-7);
  /* The problem that users see needs nobody's factors. */
  SlipProblem *local;
  must(slip_problem_reduce(slip_sim_problem(two), &local, &error));
  slip_problem_free(local);
  slip_sim_free(one);
  slip_sim_free(two);
}

static void test_counted(void **state) {
  (void)state;
  int others;
  SlipSim *chosen = strip("auto", 1e6), *formed = strip("block", 1e6);
  assert_true(run(chosen, 12, "fp-vi-accelerated", &others) >= 10);
  assert_int_equal(others, 0);
  assert_true(run(formed, 12, "auto", &others) >= 10);
  assert_int_equal(others, 0);
  print_message("velocities differ by %.1e\n", distance(chosen, formed));
  assert_true(distance(chosen, formed) < 1e-7);
  slip_sim_free(chosen);
  slip_sim_free(formed);
}

/* A run without rows that meets its limit: W is formed in that step. */
static void test_fallback(void **state) {
  (void)state;
  int formed;
  SlipSim *sim = strip("auto", 25), *free = strip("auto", 1e6);
  int factored = run(sim, 12, "fp-vi-accelerated", &formed), none;
  print_message("%d steps without W, %d with it\n", factored, formed);
  assert_true(formed > 0);
  (void)run(free, 12, "fp-vi-accelerated", &none);
  assert_true(distance(sim, free) < 1e-7);
  slip_sim_free(sim);
  slip_sim_free(free);
}

static void test_snapshot(void **state) {
  (void)state;
  int others;
  SlipSim *sim = strip("auto", 1e6), *other = strip("auto", 1e6);
  void *bytes;
  size_t size;
  (void)run(sim, 6, "", &others);
  must(slip_sim_save(sim, &bytes, &size, &error));
  must(slip_sim_restore(other, bytes, size, &error));
  assert_int_equal(run(sim, 6, "fp-vi-accelerated", &others), 6);
  assert_int_equal(run(other, 6, "fp-vi-accelerated", &others), 6);
  const SlipiSoft *a = sim->softs->at[0], *b = other->softs->at[0];
  assert_memory_equal(a->x, b->x, 3 * (size_t)a->nodes * sizeof(double));
  assert_memory_equal(a->v, b->v, 3 * (size_t)a->nodes * sizeof(double));
  slip_sim_bytes_free(bytes);
  slip_sim_free(sim);
  slip_sim_free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_counted),
                                     cmocka_unit_test(test_fallback),
                                     cmocka_unit_test(test_snapshot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
