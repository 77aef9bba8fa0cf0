/* Loads handed down from body to body: a column of spheres, numbered in any order, is at rest after
 * one pass, each contact with the weight of what lies above it; a start or a q of another kind is
 * left alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/scene.h>

#include "data.h"
#include "methods/common_loads.h"
#include "solving.h"

enum { BODIES = 7, DOF = 6 * BODIES, M = 3 * BODIES };
static const int32_t place[BODIES] = {3, 0, 6, 2, 5, 1, 4}; /* the body at each height */
static const double FALL = 0.01;

typedef struct Column {
  SlipProblem *problem;
  SlipiMass *mass;
  SlipiLaw law[BODIES];
  double q[M], r[M];
  SlipiLoads loads;
  SlipiRowState rows;
  SlipiArena arena;
  SlipiRun run;
} Column;

static double mass_at(int32_t height) {
  return 1 + 0.5 * height;
}

/* Contact k is under the body at height k: normal up, then two tangents with their levers. */
static void fill_contact(double *H, int32_t k) {
  for (int side = 0; side < (k == 0 ? 1 : 2); side++) {
    int32_t body = place[k - side];
    double sign = side == 0 ? 1 : -1;
    H[(int64_t)(3 * k) * DOF + 6 * body + 2] = sign;
    H[(int64_t)(3 * k + 1) * DOF + 6 * body] = sign;
    H[(int64_t)(3 * k + 1) * DOF + 6 * body + 4] = -1;
    H[(int64_t)(3 * k + 2) * DOF + 6 * body + 1] = sign;
    H[(int64_t)(3 * k + 2) * DOF + 6 * body + 3] = 1;
  }
}

static void make_column(Column *c) {
  static double mass[DOF * DOF], H[DOF * M], f[DOF], w[M], mu[BODIES];
  *c = (Column){0};
  for (int32_t k = 0; k < BODIES; k++) {
    mu[k] = 0.5;
    fill_contact(H, k);
    for (int32_t i = 0; i < 6; i++)
      mass[(int64_t)(6 * place[k] + i) * DOF + 6 * place[k] + i] = mass_at(k) * (i < 3 ? 1 : 0.4);
    f[6 * place[k] + 2] = -FALL * mass_at(k);
  }
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = 3, .contacts = BODIES, .M = slip_dense(DOF, DOF, mass),
                  .H = slip_dense(DOF, M, H), .f = f, .w = w, .laws = LAWS(.mu = mu));
  assert_int_equal(slip_problem_create_global(&data, &c->problem, NULL), SLIP_OK);
  assert_int_equal(slipi_mass_create(c->problem, &c->mass, NULL), SLIP_OK);
  c->run = (SlipiRun){.d = 3, .nc = BODIES, .m = M, .law = c->law, .q = c->q, .r = c->r};
  c->run.arena = &c->arena;
  assert_int_equal(
      slipi_operator_create(c->problem, c->mass, SLIPI_OPERATOR_VELOCITY, 1, &c->run.op, NULL),
      SLIP_OK);
  for (int32_t k = 0; k < BODIES; k++)
    c->law[k] = slipi_law(SLIP_COULOMB, 0.5);
  c->q[0] = -FALL; /* the others fall together */
  assert_int_equal(slipi_loads_create(&c->run, &c->loads, NULL), SLIP_OK);
  assert_int_equal(slipi_row_state_create(c->run.op, &c->arena, &c->rows, NULL), SLIP_OK);
}

static void free_column(Column *c) {
  slipi_operator_free(c->run.op);
  slipi_mass_free(c->mass);
  slip_problem_free(c->problem);
  slipi_arena_free(&c->arena);
}

static void test_column_is_at_rest(void **state) {
  (void)state;
  Column c;
  make_column(&c);
  assert_true(slipi_loads_hand_down(&c.run, &c.loads, &c.rows));
  double weight = 0;
  for (int32_t k = BODIES - 1; k >= 0; k--) {
    double u[3];
    weight += FALL * mass_at(k);
    slipi_operator_row(c.run.op, k, c.r, &c.rows, u); /* the row state has followed */
    assert_true(fabs(c.r[3 * k] - weight) <= 1e-14);
    assert_true(fabs(c.r[3 * k + 1]) + fabs(c.r[3 * k + 2]) <= 1e-16);
    assert_true(fabs(u[0] + c.q[3 * k]) <= 1e-15);
  }
  free_column(&c);
}

static void test_others_are_left_alone(void **state) {
  (void)state;
  Column c;
  make_column(&c);
  c.q[3] = 1e-6; /* not what f makes of it */
  assert_false(slipi_loads_hand_down(&c.run, &c.loads, &c.rows));
  c.q[3] = 0;
  c.r[4] = 1e-9; /* a start */
  assert_false(slipi_loads_hand_down(&c.run, &c.loads, &c.rows));
  for (int32_t k = 0; k < M; k++)
    assert_true(c.r[k] == (k == 4 ? 1e-9 : 0));
  free_column(&c);
}

/* Bricks that slide in a row lean on each other, and each hands on more than it has got: such
 * loads would make them fly, and are left out. */
static void test_a_row_of_bricks(void **state) {
  (void)state;
  static const char text[] =
      "slipcone: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "time: {step: 0.002, end: 0.002}\n"
      "contacts: [{friction: 0.7}]\n"
      "bodies:\n"
      "  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}\n"
      "  - {name: brick, shape: {box: [0.4, 0.2, 0.2]}, position: [0, 0, 0.1],\n"
      "     velocity: [0.05, 0.02, 0], many: {wall: [200, 3]}}\n";
  SlipScene *scene;
  SlipSim *sim;
  SlipError error;
  if (slip_scene_read_memory("row", text, strlen(text), NULL, &scene, &error) != SLIP_OK ||
      slip_scene_build(scene, &sim, &error) != SLIP_OK ||
      slip_sim_step(sim, NULL, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  Solved found = solve_with(slip_sim_problem(sim), "nsgs-accelerated",
                            "order=chunks operator=velocity tol=1e-4 max-iter=5", NULL);
  assert_int_equal(found.outcome, SLIP_MAX_ITER);
  free(found.r);
  slip_sim_free(sim);
  slip_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_column_is_at_rest),
      cmocka_unit_test(test_others_are_left_alone),
      cmocka_unit_test(test_a_row_of_bricks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
