/* Rules that a function gives to single contacts, and springs that couple the components of a
 * contact, against closed forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_case.h"

/* ---- Rules of a function ---- */

/* Softening: the pull falls with what has been drawn out, to nothing at `end`. */
typedef struct Softening {
  double pull, end;
  int asked;
  double drawn, slid;
} Softening;

static void soften(void *user, const SlipRuleContact *contact, SlipContactRule *rule) {
  Softening *softening = user;
  assert_int_equal(contact->size, sizeof *contact);
  rule->cohesion = softening->pull * fmax(0, 1 - fmax(contact->drawn, 0) / softening->end);
  softening->asked++;
  softening->drawn = contact->drawn;
  softening->slid = contact->slid;
}

/* Work to draw a contact apart slowly is the area below the pull: pull * end / 2. The force is
 * what keeps the ball at a small speed. */
static void test_softening(void **state) {
  (void)state;
  static const double SPEED = 0.01, H = 1e-4;
  SlipContactRule rule = sim_sticky(SLIP_COHESIVE);
  Softening softening = {.pull = 3, .end = 4e-4};
  SimBall ball = sim_ball_on_ground(&rule, H);
  slip_sim_set_rule_function(ball.sim, soften, &softening);
  sim_push(&ball, 0, -1, 5);
  double work = 0, height = 0;
  for (int k = 0; k < 1000; k++) { /* a force that holds the speed: the pull of the law */
    double velocity = sim_velocity(ball.sim, ball.body)[2], before = height;
    double force = (SPEED - velocity) / H + softening.pull * fmax(0, 1 - height / softening.end);
    height = sim_push(&ball, 0, force, 1);
    work += force * (height - before);
  }
  SlipEnergy energy;
  slip_sim_energy(ball.sim, &energy);
  assert_true(softening.asked >= 5);
  assert_true(height > 2 * softening.end);
  assert_float_equal(energy.plastic, softening.pull * softening.end / 2,
                     0.01 * softening.pull * softening.end);
  assert_float_equal(work, energy.plastic + energy.kinetic, 0.02 * work);
  slip_sim_free(ball.sim);
}

/* Friction that wears off: mu = 0.5 (1 - slid/0.1). A block pushed off stops where
 * v^2/2 = g (0.5 s - 2.5 s^2). */
static void wear(void *user, const SlipRuleContact *contact, SlipContactRule *rule) {
  (void)user;
  rule->friction = 0.5 * fmax(0, 1 - contact->slid / 0.1);
}

static double worn_way(double v, double step) {
  SlipSim *sim = sim_make(3, step, 1e-12);
  sim_rule(sim, 0.5, 0);
  sim_plane(sim, 0, 0, 1);
  SlipShapeDef box = sim_box(0.2, 0.2, 0.02);
  SlipBodyId body = sim_body(sim, &box, 0, 0, 0.01);
  slip_sim_set_rule_function(sim, wear, NULL);
  sim_throw(sim, body, v, 0, 0, 0, 0, 0);
  sim_steps(sim, (int)(0.3 / step));
  double way = sim_position(sim, body)[0];
  slip_sim_free(sim);
  return way;
}

static void test_wear(void **state) {
  (void)state;
  double v = 0.5, half = v * v / 2 / SIM_G; /* 0.5 s - 2.5 s^2 = half */
  double truth = (0.5 - sqrt(0.25 - 10 * half)) / 5;
  double coarse = worn_way(v, 1e-3) - truth, fine = worn_way(v, 2.5e-4) - truth;
  if (!(fabs(fine) < 1e-4 && fabs(fine) < 0.4 * fabs(coarse)))
    fail_msg("%g m: errors %g and %g", truth, coarse, fine);
}

/* What has been drawn and slid is in snapshots: a run goes on with the same bits. */
static void test_snapshot(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COHESIVE);
  Softening softening = {.pull = 3, .end = 1e-3};
  SimBall one = sim_ball_on_ground(&rule, 1e-3), two = sim_ball_on_ground(&rule, 1e-3);
  slip_sim_set_rule_function(one.sim, soften, &softening);
  slip_sim_set_rule_function(two.sim, soften, &softening);
  void *bytes;
  size_t size;
  sim_push(&one, 0.5, -1, 10);
  sim_push(&one, 4, 3.1, 10);
  assert_int_equal(slip_sim_save(one.sim, &bytes, &size, NULL), SLIP_OK);
  assert_int_equal(slip_sim_restore(two.sim, bytes, size, NULL), SLIP_OK);
  assert_true(softening.drawn > 0 && softening.slid > 0);
  sim_push(&one, 4, 2, 20);
  sim_push(&two, 4, 2, 20);
  assert_memory_equal(sim_position(one.sim, one.body), sim_position(two.sim, two.body),
                      3 * sizeof(double));
  slip_sim_bytes_free(bytes);
  slip_sim_free(one.sim);
  slip_sim_free(two.sim);
}

static void spoil(void *user, const SlipRuleContact *contact, SlipContactRule *rule) {
  (void)user;
  (void)contact;
  rule->friction = -2;
}

/* A rule that makes no sense ends the step, and the state is that before it. */
static void test_spoilt(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  SimBall ball = sim_ball_on_ground(&rule, 1e-3);
  SlipError error;
  slip_sim_set_rule_function(ball.sim, spoil, NULL);
  assert_int_equal(slip_sim_step(ball.sim, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "friction is -2"));
  assert_int_equal(slip_sim_steps(ball.sim), 0);
  slip_sim_set_rule_function(ball.sim, NULL, NULL);
  assert_int_equal(slip_sim_step(ball.sim, NULL, &error), SLIP_OK);
  slip_sim_free(ball.sim);
}

/* ---- Full matrices ---- */

/* A diagonal matrix with dampers in proportion is the rule of two numbers and a time. */
static void test_matrix_is_numbers(void **state) {
  (void)state;
  SlipContactRule numbers = sim_sticky(SLIP_ROUNDED), matrix = numbers;
  numbers.ball[0] = matrix.ball[0] = 2;
  numbers.stiffness[0] = 1e4;
  numbers.stiffness[1] = 4e3;
  numbers.damping_time = 0.01;
  for (int k = 0; k < 3; k++) {
    matrix.stiffness_matrix[4 * k] = numbers.stiffness[k > 0];
    matrix.damping_matrix[4 * k] = numbers.damping_time * numbers.stiffness[k > 0];
  }
  SimBall one = sim_ball_on_ground(&numbers, 1e-3), two = sim_ball_on_ground(&matrix, 1e-3);
  static const double loads[][2] = {{0.4, -1}, {0.4, 1.2}, {1.5, 2.3}, {-1, -1}};
  for (int k = 0; k < 4; k++) {
    sim_push(&one, loads[k][0], loads[k][1], 25);
    sim_push(&two, loads[k][0], loads[k][1], 25);
    for (int c = 0; c < 3; c++)
      assert_float_equal(sim_position(one.sim, one.body)[c], sim_position(two.sim, two.body)[c],
                         1e-12);
  }
  slip_sim_free(one.sim);
  slip_sim_free(two.sim);
}

/* Springs that couple normal and tangents: under a push F the stretch is K^-1 F, whatever the
 * dampers are, and F.K^-1 F/2 is stored. */
static void test_coupled(void **state) {
  (void)state;
  /* 2D: K has the eigenvalues 3e3 and 1e3 along (1, 1) and (1, -1); R is 60 I. Friction holds. */
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  rule.friction = 10;
  rule.stiffness_matrix[0] = rule.stiffness_matrix[4] = 2e3;
  rule.stiffness_matrix[1] = rule.stiffness_matrix[3] = 1e3;
  rule.damping_matrix[0] = rule.damping_matrix[4] = 60;
  SlipSimDef def = slip_default_sim_def();
  def.dimension = 2;
  def.step = 1e-3;
  SlipSim *sim = sim_make_def(&def, 1e-12);
  assert_int_equal(slip_sim_add_rule(sim, &rule, NULL), SLIP_OK);
  sim_plane(sim, 0, 1, 0);
  SlipShapeDef disc = slip_default_shape_def();
  disc.kind = SLIP_SHAPE_DISC;
  disc.radius = 0.1;
  SlipBodyDef body = slip_default_body_def();
  body.shapes = &disc;
  body.shape_count = 1;
  body.mass = 1;
  body.inertia[2] = 1e6; /* does not roll */
  body.position[1] = 0.1;
  SimBall ball = {sim, sim_body_def(sim, &body)};
  sim_push_along(&ball, (const double[]){0, -3, 0}, 2000);
  const double *x = sim_position(sim, ball.body);
  /* K^-1 (normal -3, tangent 0) = (-2, 1) * 1e-3; the tangent of the frame may be -x */
  assert_float_equal(x[1] - 0.1, -2e-3, 1e-8);
  assert_float_equal(fabs(x[0]), 1e-3, 1e-8);
  SlipEnergy energy;
  slip_sim_energy(sim, &energy);
  assert_float_equal(energy.elastic, 0.5 * 3 * 2e-3, 1e-8);
  assert_true(fabs(energy.imbalance) < 1e-12 && energy.damping > 0);
  slip_sim_free(sim);
}

static void test_refusals(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  rule.damping_matrix[0] = 1;
  sim_rule_refused(&rule, "no stiffness_matrix to damp");
  rule.stiffness_matrix[0] = 1;
  sim_rule_refused(&rule, "stiffness_matrix is not positive definite");
  rule.stiffness_matrix[4] = rule.stiffness_matrix[8] = 1;
  rule.stiffness_matrix[1] = 0.5;
  sim_rule_refused(&rule, "finite and symmetric");
  rule.stiffness_matrix[3] = 0.5;
  rule.damping_matrix[4] = -1;
  sim_rule_refused(&rule, "damping_matrix is not positive semidefinite");
  rule.damping_matrix[4] = 0;
  rule.stiffness[0] = 1;
  sim_rule_refused(&rule, "one of them must be");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_softening),         cmocka_unit_test(test_wear),
      cmocka_unit_test(test_snapshot),          cmocka_unit_test(test_spoilt),
      cmocka_unit_test(test_matrix_is_numbers), cmocka_unit_test(test_coupled),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
