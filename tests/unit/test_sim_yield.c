/* Contacts that give way, hold a pull or yield, against closed forms: a step load on spring and
 * damper, the limit of stiff springs, pulls up to cohesion and beyond, breaking, crushing, a loop
 * of pulls and pushes, sliding on tangential springs, the ledger, snapshots. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_case.h"

static double total(SlipSim *sim) {
  SlipEnergy energy;
  slip_sim_energy(sim, &energy);
  return energy.kinetic + energy.potential + energy.elastic + energy.friction + energy.impact +
         energy.damping + energy.plastic + energy.projection - energy.applied;
}

static void expect_balanced(SlipSim *sim) {
  SlipEnergy energy;
  slip_sim_energy(sim, &energy);
  assert_true(fabs(total(sim)) <= 1e-9 * energy.throughput + 1e-12);
  assert_true(fabs(energy.imbalance) <= 1e-9 * energy.throughput + 1e-12);
  assert_true(energy.friction > -1e-9 && energy.impact > -1e-9 && energy.damping > -1e-9 &&
              energy.plastic > -1e-9);
}

/* ---- Springs and dampers ---- */

/* y of y'' + alpha K y' + K y = -F from rest, K and F for a unit of mass. */
static double step_response(double K, double alpha, double F, double t) {
  double complex root = csqrt(alpha * alpha * K * K / 4 - K), a = -alpha * K / 2 + root,
                 b = -alpha * K / 2 - root;
  return creal(-F / K * (1 + (b * cexp(a * t) - a * cexp(b * t)) / (a - b)));
}

static double largest_error(double K, double alpha, double step) {
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  rule.stiffness[0] = rule.stiffness[1] = K;
  rule.damping_time = alpha;
  SimBall ball = sim_ball_on_ground(&rule, step);
  double worst = 0, F = 3;
  for (double t = step; t < 1; t += step)
    worst = fmax(worst, fabs(sim_push(&ball, 0, -F, 1) - step_response(K, alpha, F, t)));
  expect_balanced(ball.sim);
  slip_sim_free(ball.sim);
  return worst / (F / K);
}

/* First order in h, with little and with much damping. */
static void test_step_load(void **state) {
  (void)state;
  static const double cases[][2] = {{100, 0.02}, {400, 0.2}, {1000, 0.01}};
  for (int k = 0; k < 3; k++) {
    double coarse = largest_error(cases[k][0], cases[k][1], 1e-3);
    double fine = largest_error(cases[k][0], cases[k][1], 2.5e-4);
    if (!(fine < 0.02 && coarse / fine > 3.2 && coarse / fine < 4.8))
      fail_msg("K %g, alpha %g: errors %g and %g", cases[k][0], cases[k][1], coarse, fine);
  }
}

/* The stiffer, the nearer to rigid: the depth under a load is F/K. */
static void test_stiff_is_rigid(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  SimBall rigid = sim_ball_on_ground(&rule, 1e-3);
  double floor = sim_push(&rigid, 0, -10, 100);
  assert_true(fabs(floor) < 1e-12);
  for (double K = 1e4; K < 1e13; K *= 100) {
    rule.stiffness[0] = rule.stiffness[1] = K;
    rule.damping_time = 0.01;
    SimBall ball = sim_ball_on_ground(&rule, 1e-3);
    assert_float_equal(sim_push(&ball, 0, -10, 400), -10 / K, 1e-6 / K * 10 + 1e-15);
    slip_sim_free(ball.sim);
  }
  slip_sim_free(rigid.sim);
}

/* Aside: the tangential spring gives up to mu times the push, then the contact slides. */
static void test_tangential_spring(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  rule.stiffness[0] = 1e4;
  rule.stiffness[1] = 5e3;
  rule.damping_time = 0.02;
  SlipSim *sim = sim_make(3, 1e-3, 1e-12);
  assert_int_equal(slip_sim_add_rule(sim, &rule, NULL), SLIP_OK);
  sim_plane(sim, 0, 0, 1);
  SlipShapeDef box = sim_box(0.2, 0.2, 0.02);
  SlipBodyId body = sim_body(sim, &box, 0, 0, 0.01);
  double weight = 1000 * 0.2 * 0.2 * 0.02 * SIM_G, share = 0.4;
  for (int k = 0; k < 1500; k++) {
    assert_int_equal(slip_sim_apply(sim, body, (const double[]){share * weight, 0, 0},
                                    (const double[]){0, 0, 0}, NULL),
                     SLIP_OK);
    sim_steps(sim, 1);
  }
  /* four corners, and a tilt that lets the far side carry more */
  assert_float_equal(sim_position(sim, body)[0], share * weight / (4 * 5e3),
                     0.02 * share * weight / (4 * 5e3));
  assert_true(fabs(sim_velocity(sim, body)[0]) < 1e-6);
  SlipEnergy energy;
  slip_sim_energy(sim, &energy);
  assert_true(energy.elastic > 0 && fabs(energy.imbalance) < 1e-3 * energy.throughput);
  slip_sim_free(sim);
}

/* ---- Pulls ---- */

/* Held up to the cohesion, and let go beyond it: the rest of the pull moves the ball. */
static void test_cohesion(void **state) {
  (void)state;
  for (int flow = 0; flow < 2; flow++) {
    SlipContactRule rule = sim_sticky(SLIP_COHESIVE);
    rule.flow = flow;
    rule.cohesion = 2;
    SimBall held = sim_ball_on_ground(&rule, 1e-3), gone = sim_ball_on_ground(&rule, 1e-3);
    assert_true(fabs(sim_push(&held, 0, 2 * (1 - 1e-9), 200)) < 1e-14);
    double t = 20 * 1e-3, drawn = sim_push(&gone, 0, 2.5, 20);
    /* half a step behind, as impulses act in the middle of each */
    assert_float_equal(drawn, 0.5 * 0.5 * t * t, 1e-12);
    assert_float_equal(sim_velocity(gone.sim, gone.body)[2], 0.5 * t, 1e-12);
    expect_balanced(gone.sim);
    SlipEnergy energy;
    slip_sim_energy(gone.sim, &energy);
    assert_float_equal(energy.plastic, 2 * drawn, 2 * drawn * 0.11);
    slip_sim_free(held.sim);
    slip_sim_free(gone.sim);
  }
}

/* After the limit there is no pull left, and the ball flies off freely. */
static void test_breaks(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COHESIVE);
  rule.cohesion = 2;
  rule.breaks_at = 1e-5;
  SimBall ball = sim_ball_on_ground(&rule, 1e-3);
  sim_push(&ball, 0, 2.5, 30);
  double before = sim_velocity(ball.sim, ball.body)[2];
  sim_push(&ball, 0, 2.5, 10);
  assert_float_equal(sim_velocity(ball.sim, ball.body)[2] - before, 2.5 * 10e-3, 1e-12);
  expect_balanced(ball.sim);
  slip_sim_free(ball.sim);
}

/* Pull and push in turn on spring, pull limit and push limit (Fig. 1-f of the paper): the loop
 * closes after a turn, and what it takes is the area of the rectangle of forces. */
static void test_loop(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_CAPPED);
  rule.ball[0] = rule.ball[1] = 2;
  rule.cap = 3;
  rule.stiffness[0] = rule.stiffness[1] = 1e5;
  SlipSimDef def = slip_default_sim_def();
  def.step = 1e-3;
  def.reach = 0.1;
  SlipSim *sim = sim_make_def(&def, 1e-12);
  assert_int_equal(slip_sim_add_rule(sim, &rule, NULL), SLIP_OK);
  sim_plane(sim, 0, 0, 1);
  SlipShapeDef sphere = sim_sphere(SIM_BALL);
  SlipBodyDef body = slip_default_body_def();
  body.shapes = &sphere;
  body.shape_count = 1;
  body.mass = 1e6;
  body.position[2] = SIM_BALL;
  SlipBodyId moved = sim_body_def(sim, &body);
  double least = 0, most = 0, area = 0, turn = 0;
  /* a heavy ball thrown up and down: 0.5 mm up, 1 mm down, 1 mm up */
  static const double speeds[] = {1e-3, -1e-3, 1e-3, -1e-3, 1e-3};
  static const int steps[] = {500, 1000, 1000, 1000, 1000};
  for (int leg = 0; leg < 5; leg++)
    for (int k = 0; k < steps[leg]; k++) {
      sim_throw(sim, moved, 0, 0, speeds[leg], 0, 0, 0);
      sim_steps(sim, 1);
      SlipSimState now = slip_default_sim_state();
      assert_int_equal(slip_sim_state(sim, &now, NULL), SLIP_OK);
      assert_int_equal(now.contacts, 1);
      const SlipSimContact *contact = now.contact;
      double force = (contact->impulse[2] * contact->normal[2]) / def.step;
      least = fmin(least, force);
      most = fmax(most, force);
      if (leg >= 3) /* a whole turn of the loop */
        area -= force * speeds[leg] * def.step;
      turn += leg >= 3 ? fabs(speeds[leg]) * def.step : 0;
    }
  assert_float_equal(least, -2, 1e-6);
  assert_float_equal(most, 3, 1e-6);
  /* a rectangle of 5 N by the way less the springs' (2 + 3) N/K, twice */
  double expected = 5 * (turn / 2 - 5 / 1e5);
  assert_float_equal(area, expected, 0.005 * expected);
  slip_sim_free(sim);
}

/* Crushed for good: without the load the contact stays where it was crushed to. */
static void test_crushed(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_CAPPED);
  rule.cap = 3;
  SimBall ball = sim_ball_on_ground(&rule, 1e-3);
  assert_true(fabs(sim_push(&ball, 0, -3, 50)) < 1e-12);
  double deep = sim_push(&ball, 0, -4, 20);
  assert_float_equal(deep, -0.5 * 1 * 0.02 * 0.02, 1e-9);
  sim_push(&ball, 0, -1, 100); /* comes to rest deeper, and stays there */
  double rest = sim_push(&ball, 0, -2, 50);
  assert_float_equal(sim_push(&ball, 0, -2.5, 50), rest, 1e-9);
  assert_true(rest < deep);
  expect_balanced(ball.sim);
  slip_sim_free(ball.sim);
}

/* ---- State ---- */

/* A snapshot goes on with the same bits: springs, yields and bonds are in it. */
static void test_snapshot(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_ROUNDED);
  rule.ball[0] = 2;
  rule.ball[1] = 1;
  rule.stiffness[0] = rule.stiffness[1] = 1e4;
  rule.damping_time = 0.01;
  SimBall one = sim_ball_on_ground(&rule, 1e-3), two = sim_ball_on_ground(&rule, 1e-3);
  void *bytes;
  size_t size;
  sim_push(&one, 0.4, -1, 50);
  sim_push(&one, 0.4, 2.2, 30);
  assert_int_equal(slip_sim_save(one.sim, &bytes, &size, NULL), SLIP_OK);
  assert_int_equal(slip_sim_restore(two.sim, bytes, size, NULL), SLIP_OK);
  sim_push(&one, 0.2, -1, 50);
  sim_push(&two, 0.2, -1, 50);
  assert_memory_equal(sim_position(one.sim, one.body), sim_position(two.sim, two.body),
                      3 * sizeof(double));
  assert_memory_equal(sim_velocity(one.sim, one.body), sim_velocity(two.sim, two.body),
                      3 * sizeof(double));
  slip_sim_bytes_free(bytes);
  slip_sim_free(one.sim);
  slip_sim_free(two.sim);
}

static void test_refusals(void **state) {
  (void)state;
  SlipContactRule rule = sim_sticky(SLIP_COULOMB);
  rule.damping_time = 0.1;
  sim_rule_refused(&rule, "no stiffness to damp");
  rule = sim_sticky(SLIP_COHESIVE);
  rule.cohesion = -1;
  sim_rule_refused(&rule, "cohesion is -1");
  rule.cohesion = 1;
  rule.restitution = 0.5;
  sim_rule_refused(&rule, "restitution is 0.5");
  rule = sim_sticky(SLIP_TRESCA);
  sim_rule_refused(&rule, "the law of a rule is 3");
  rule = sim_sticky(SLIP_CAPPED);
  rule.breaks_at = NAN;
  sim_rule_refused(&rule, "breaks_at is");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_step_load),
      cmocka_unit_test(test_stiff_is_rigid),
      cmocka_unit_test(test_tangential_spring),
      cmocka_unit_test(test_cohesion),
      cmocka_unit_test(test_breaks),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_crushed),
      cmocka_unit_test(test_snapshot),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
