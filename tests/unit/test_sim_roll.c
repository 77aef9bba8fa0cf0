/* Simulations with rolling and spinning friction against closed forms. With k = I/(m R^2), 2/5 of a
 * sphere and 1/2 of a disc, and the arm b of the normal force:
 *
 *     on a slope      rest where tan <= b/R, else a = g (sin - (b/R) cos)/(1 + k)
 *     on level ground a = -g (b/R)/(1 + k)
 *     about the normal  I dw/dt = -b_S m g */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_case.h"

static const double R = 0.25;

static void add_rule(SlipSim *sim, double friction, double rolling, double spinning) {
  SlipContactRule rule = slip_default_contact_rule();
  rule.friction = friction;
  rule.rolling = rolling;
  rule.spinning = spinning;
  assert_int_equal(slip_sim_add_rule(sim, &rule, NULL), SLIP_OK);
}

/* A sphere, or in 2D a disc, on the plane through the origin with this normal. */
static SlipBodyId round_body(SlipSim *sim, int dimension, const double normal[3]) {
  SlipShapeDef shape = sim_sphere(R);
  if (dimension == 2)
    shape.kind = SLIP_SHAPE_DISC;
  sim_plane(sim, normal[0], normal[1], normal[2]);
  return sim_body(sim, &shape, R * normal[0], R * normal[1], R * normal[2]);
}

static double moment_factor(int dimension) {
  return dimension == 3 ? 0.4 : 0.5;
}

/* Its speed down the slope after a second. */
static double speed_on_slope(int dimension, double tangent, double rolling) {
  double angle = atan(tangent), h = 0.01;
  SlipSim *sim = sim_make(dimension, h, 1e-13);
  const double normal[3] = {sin(angle), dimension == 2 ? cos(angle) : 0,
                            dimension == 3 ? cos(angle) : 0};
  const double down[3] = {cos(angle), dimension == 2 ? -sin(angle) : 0,
                          dimension == 3 ? -sin(angle) : 0};
  add_rule(sim, 0.8, rolling, 0);
  SlipBodyId body = round_body(sim, dimension, normal);
  sim_steps(sim, 100);
  const double *v = sim_velocity(sim, body);
  double speed = v[0] * down[0] + v[1] * down[1] + v[2] * down[2];
  slip_sim_free(sim);
  return speed;
}

static void test_slope(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    double ratio = 0.2, rolling = ratio * R, k = moment_factor(d);
    /* a millionth below and above */
    double below = speed_on_slope(d, ratio * (1 - 1e-6), rolling);
    double above = speed_on_slope(d, ratio * (1 + 1e-6), rolling);
    double slope = ratio * (1 + 1e-6), angle = atan(slope);
    double a = SIM_G * (sin(angle) - ratio * cos(angle)) / (1 + k);
    printf("%dD: speed %.3e below, %.6e above, of %.6e\n", d, below, above, a);
    assert_true(fabs(below) < 1e-11);
    assert_true(fabs(above / a - 1) < 1e-4);
    /* far above */
    angle = atan(0.5);
    a = SIM_G * (sin(angle) - ratio * cos(angle)) / (1 + k);
    double far = speed_on_slope(d, 0.5, rolling);
    assert_true(fabs(far / a - 1) < 1e-6);
    assert_true(fabs(speed_on_slope(d, 0.5, 0) / (SIM_G * sin(angle) / (1 + k)) - 1) < 1e-6);
  }
}

/* How far a ball that rolls comes, with the first order of the step; nothing is lost on the way. */
static void test_stopping(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    double v = 1, rolling = 0.1 * R, k = moment_factor(d);
    double truth = v * v * (1 + k) / (2 * SIM_G * 0.1);
    for (double h = 0.01; h > 0.002; h /= 2) {
      SlipSim *sim = sim_make(d, h, 1e-12);
      const double normal[3] = {0, d == 2, d == 3};
      add_rule(sim, 0.5, rolling, 0);
      SlipBodyId body = round_body(sim, d, normal);
      sim_throw(sim, body, v, 0, 0, 0, d == 3 ? v / R : 0, d == 2 ? -v / R : 0);
      double before = 0.5 * (1 + k) * v * v;
      SlipStepInfo info = sim_steps(sim, (int)(1.7 / h));
      double mass = d == 3 ? 1000 * 4 / 3.0 * 3.141592653589793 * R * R * R
                           : 1000 * 3.141592653589793 * R * R;
      double x = sim_position(sim, body)[0];
      printf("%dD, h = %g: %.9f of %.9f\n", d, h, x, truth);
      assert_true(fabs(x - truth) < 0.6 * h * v);
      assert_true(fabs(sim_velocity(sim, body)[0]) < 1e-12);
      assert_true(fabs(info.energy.friction / (mass * before) - 1) < 1e-9);
      assert_true(fabs(info.energy.imbalance) < 1e-9 * mass * before);
      slip_sim_free(sim);
    }
  }
}

/* A ball that spins on the spot stops after I w / (b m g), and does not begin to move. */
static void test_spinning(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.001, 1e-12);
  const double normal[3] = {0, 0, 1}, spinning = 0.02, w = 5;
  double end = 0.4 * R * R * w / (spinning * SIM_G);
  add_rule(sim, 0.5, 0.01, spinning);
  SlipBodyId body = round_body(sim, 3, normal);
  sim_throw(sim, body, 0, 0, 0, 0, 0, w);
  int steps = (int)(end / 2 / 0.001);
  sim_steps(sim, steps);
  assert_true(fabs(sim_spin(sim, body)[2] - w * (1 - steps * 0.001 / end)) < 1e-9);
  assert_true(hypot(sim_velocity(sim, body)[0], sim_velocity(sim, body)[1]) < 1e-9);
  /* the moment of a step, about the normal */
  SlipSimState now = slip_default_sim_state();
  assert_int_equal(slip_sim_state(sim, &now, NULL), SLIP_OK);
  double mass = 1000 * 4 / 3.0 * 3.141592653589793 * R * R * R;
  assert_int_equal(now.contacts, 1);
  assert_true(fabs(fabs(now.contact[0].moment[2]) / (spinning * mass * SIM_G * 0.001) - 1) < 1e-9);
  sim_steps(sim, steps + 20);
  assert_true(fabs(sim_spin(sim, body)[2]) < 1e-12);
  slip_sim_free(sim);
}

/* A ball on a plate that turns under it: the plate's spin is felt, and its work is in the ledger.
 */
static void test_turntable(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.001, 1e-12);
  SlipShapeDef plane = slip_default_shape_def(), shape = sim_sphere(R);
  SlipBodyDef def = slip_default_body_def();
  plane.kind = SLIP_SHAPE_HALF_SPACE;
  plane.normal[0] = plane.normal[1] = 0;
  plane.normal[2] = 1;
  def.motion = SLIP_MOTION_TOLD;
  def.shapes = &plane;
  def.shape_count = 1;
  def.spin[2] = 2;
  add_rule(sim, 0.5, 0.01, 0.02);
  sim_body_def(sim, &def);
  SlipBodyId body = sim_body(sim, &shape, 0, 0, R);
  double end = 0.4 * R * R * 2 / (0.02 * SIM_G);
  int steps = (int)(end / 2 / 0.001);
  sim_steps(sim, steps);
  assert_true(fabs(sim_spin(sim, body)[2] - 2 * steps * 0.001 / end) < 1e-9);
  SlipStepInfo info = sim_steps(sim, steps + 20);
  assert_true(fabs(sim_spin(sim, body)[2] - 2) < 1e-9);
  /* half of the plate's work is the ball's, half is lost */
  assert_true(fabs(info.energy.friction / info.energy.applied - 0.5) < 1e-3);
  assert_true(fabs(info.energy.imbalance) < 1e-9 * info.energy.applied);
  slip_sim_free(sim);
}

/* A snapshot has the moments, from which the solver starts: the same bits go on. */
static void test_snapshot(void **state) {
  (void)state;
  SlipSim *sim[2];
  SlipBodyId body[2];
  void *bytes;
  size_t size;
  for (int k = 0; k < 2; k++) {
    const double normal[3] = {0.1 / sqrt(1.01), 0, 1 / sqrt(1.01)};
    sim[k] = sim_make(3, 0.01, 1e-9);
    add_rule(sim[k], 0.5, 0.2 * R, 0.01);
    body[k] = round_body(sim[k], 3, normal);
  }
  sim_throw(sim[0], body[0], 1, 0.5, 0, 1, 2, 3);
  sim_steps(sim[0], 10);
  assert_int_equal(slip_sim_save(sim[0], &bytes, &size, NULL), SLIP_OK);
  assert_int_equal(slip_sim_restore(sim[1], bytes, size, NULL), SLIP_OK);
  sim_steps(sim[0], 40);
  sim_steps(sim[1], 40);
  assert_memory_equal(sim_position(sim[0], body[0]), sim_position(sim[1], body[1]),
                      3 * sizeof(double));
  assert_memory_equal(sim_spin(sim[0], body[0]), sim_spin(sim[1], body[1]), 3 * sizeof(double));
  slip_sim_bytes_free(bytes);
  for (int k = 0; k < 2; k++)
    slip_sim_free(sim[k]);
}

/* Boxes, which touch at many points, with rolling friction beside those without. */
static void test_heap(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-9);
  SlipShapeDef ball = sim_sphere(0.1), box = sim_box(0.3, 0.2, 0.1);
  add_rule(sim, 0.5, 0.02, 0.01);
  sim_plane(sim, 0, 0, 1);
  for (int k = 0; k < 12; k++)
    sim_body(sim, k % 2 ? &ball : &box, 0.05 * (k % 3), 0.04 * (k % 2), 0.2 + 0.25 * k);
  SlipStepInfo info = sim_steps(sim, 200);
  assert_true(info.residual <= 1e-9);
  assert_true(fabs(info.energy.imbalance) < 1e-6 * info.energy.throughput);
  slip_sim_free(sim);
}

/* A box that tumbles with next to no rolling friction: blocks of moments change nothing. */
static void test_next_to_none(void **state) {
  (void)state;
  double end[2][3];
  for (int rolls = 0; rolls < 2; rolls++) {
    SlipSim *sim = sim_make(3, 0.01, 1e-12);
    SlipShapeDef shape = sim_box(0.5, 0.3, 0.2);
    add_rule(sim, 0.5, rolls * 1e-200, rolls * 1e-200);
    sim_plane(sim, 0, 0, 1);
    SlipBodyId body = sim_body(sim, &shape, 0, 0, 0.4);
    sim_throw(sim, body, 1, 0.3, -3, 9, 12, 3);
    sim_steps(sim, 30); /* four corners at once, a little later, leave more than one solution */
    memcpy(end[rolls], sim_position(sim, body), sizeof end[rolls]);
    slip_sim_free(sim);
  }
  for (int k = 0; k < 3; k++)
    assert_float_equal(end[0][k], end[1][k], 1e-12);
}

static void test_wrong_rules(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.01, 1e-9);
  SlipError error;
  SlipContactRule rule = slip_default_contact_rule();
  rule.rolling = -1;
  assert_int_equal(slip_sim_add_rule(sim, &rule, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "rolling is -1"));
  rule.rolling = NAN;
  assert_int_equal(slip_sim_add_rule(sim, &rule, &error), SLIP_ERROR_ARGUMENT);
  rule.rolling = 0.1;
  rule.law = SLIP_ROUNDED;
  assert_int_equal(slip_sim_add_rule(sim, &rule, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "which the law rounded has not"));
  rule.law = SLIP_COULOMB;
  rule.flow = SLIP_FLOW_ASSOCIATED;
  assert_int_equal(slip_sim_add_rule(sim, &rule, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "with the associated flow has not"));
  slip_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slope),        cmocka_unit_test(test_stopping),
      cmocka_unit_test(test_spinning),     cmocka_unit_test(test_turntable),
      cmocka_unit_test(test_snapshot),     cmocka_unit_test(test_heap),
      cmocka_unit_test(test_next_to_none), cmocka_unit_test(test_wrong_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
