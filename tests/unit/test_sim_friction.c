/* Simulations with friction against closed forms. */
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

static const double PI = 3.141592653589793;

/* A block thrown along the ground in a direction: where it comes to rest. */
static void slide(double angle, double h, double mu, double v, double end[3], double *lift) {
  SlipSim *sim = sim_make(3, h, 1e-12);
  SlipShapeDef shape = sim_box(1, 1, 0.2);
  sim_rule(sim, mu, 0);
  sim_plane(sim, 0, 0, 1);
  SlipBodyId body = sim_body(sim, &shape, 0, 0, 0.1);
  sim_throw(sim, body, v * cos(angle), v * sin(angle), 0, 0, 0, 0);
  *lift = 0;
  for (int k = 0; k < (int)(1.5 * v / (mu * SIM_G) / h); k++) {
    sim_steps(sim, 1);
    *lift = fmax(*lift, fabs(sim_position(sim, body)[2] - 0.1));
  }
  memcpy(end, sim_position(sim, body), 3 * sizeof(double));
  slip_sim_free(sim);
}

static void test_stopping(void **state) {
  (void)state;
  const double mu = 0.5, v = 3, truth = v * v / (2 * mu * SIM_G);
  const double steps[] = {0.02, 0.005, 0.001};
  for (int k = 0; k < 3; k++) {
    double end[3], lift;
    slide(0, steps[k], mu, v, end, &lift);
    printf("stopping, h = %g: %.9f of %.9f, lift %.2e\n", steps[k], end[0], truth, lift);
    assert_true(fabs(end[0] - truth) < 0.5 * steps[k] * v);
    assert_true(lift < 1e-9);
  }
}

/* Exact cones know no directions. */
static void test_isotropy(void **state) {
  (void)state;
  double first = 0;
  for (int k = 0; k < 3; k++) {
    double end[3], lift, angle = k * PI / 8;
    slide(angle, 0.005, 0.5, 3, end, &lift);
    double distance = hypot(end[0], end[1]), off = atan2(end[1], end[0]) - angle;
    first = k == 0 ? distance : first;
    printf("%g degrees: %.12f, direction off by %.1e\n", 22.5 * k, distance, off);
    assert_true(fabs(distance / first - 1) < 1e-9);
    assert_true(fabs(off) < 1e-9);
  }
}

/* A box on a slope: how far it is after a time, along the slope. */
static double slope(double angle, double mu, double h, double seconds, double *speed) {
  SlipSim *sim = sim_make(3, h, 1e-12);
  SlipShapeDef shape = sim_box(1, 1, 0.5);
  sim_rule(sim, mu, 0);
  sim_plane(sim, -sin(angle), 0, cos(angle));
  SlipBodyId body = sim_body(sim, &shape, -0.25 * sin(angle), 0, 0.25 * cos(angle));
  sim_turn(sim, body, 0, 1, 0, -angle);
  double start[3], along = 0;
  memcpy(start, sim_position(sim, body), sizeof start);
  sim_steps(sim, (int)round(seconds / h));
  const double *end = sim_position(sim, body), *v = sim_velocity(sim, body);
  double down[3] = {-cos(angle), 0, -sin(angle)};
  *speed = 0;
  for (int k = 0; k < 3; k++) {
    along += down[k] * (end[k] - start[k]);
    *speed += down[k] * v[k];
  }
  slip_sim_free(sim);
  return along;
}

static void test_slope(void **state) {
  (void)state;
  double angle = 20 * PI / 180, speed;
  double creep = slope(angle, 0.5, 0.005, 10, &speed);
  printf("creep in 10 s: %.2e m\n", creep);
  assert_true(fabs(creep) < 1e-10);
  double truth = SIM_G * (sin(angle) - 0.2 * cos(angle));
  slope(angle, 0.2, 0.005, 1, &speed);
  printf("acceleration %.12f of %.12f\n", speed, truth);
  assert_true(fabs(speed / truth - 1) < 1e-9);
  /* within 1e-6 of the angle of friction */
  double below = slope(angle, tan(angle) * (1 + 1e-6), 0.005, 2, &speed);
  assert_true(fabs(below) < 1e-10 && fabs(speed) < 1e-10);
  slope(angle, tan(angle) * (1 - 1e-6), 0.005, 2, &speed);
  double slow = 2 * SIM_G * sin(angle) * 1e-6;
  printf("just above: %.6e of %.6e\n", speed, slow);
  assert_true(fabs(speed / slow - 1) < 1e-3);
}

static void test_rolling(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-10);
  SlipShapeDef shape = sim_sphere(0.1);
  sim_rule(sim, 0.3, 0);
  sim_plane(sim, 0, 0, 1);
  SlipBodyId body = sim_body(sim, &shape, 0, 0, 0.1);
  sim_throw(sim, body, 7, 0, 0, 0, 0, 0);
  sim_steps(sim, 400);
  printf("rolling %.9f of 5\n", sim_velocity(sim, body)[0]);
  assert_true(fabs(sim_velocity(sim, body)[0] / 5 - 1) < 1e-6);
  assert_true(fabs(sim_spin(sim, body)[1] * 0.1 / 5 - 1) < 1e-6);
  slip_sim_free(sim);
}

/* In the plane: a disc rolls at 2/3 of its first speed; a square on a slope sticks or slides. */
static void test_plane(void **state) {
  (void)state;
  SlipSim *sim = sim_make(2, 0.005, 1e-11);
  SlipShapeDef disc = sim_sphere(0.1), square = disc;
  const double corner[12] = {-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0};
  disc.kind = SLIP_SHAPE_DISC;
  square.kind = SLIP_SHAPE_POLYGON;
  square.points = corner;
  square.point_count = 4;
  sim_rule(sim, 0.3, 0);
  sim_plane(sim, 0, 1, 0);
  SlipBodyId roller = sim_body(sim, &disc, 0, 0.1, 0), slider = sim_body(sim, &square, -5, 0.5, 0);
  sim_throw(sim, roller, 6, 0, 0, 0, 0, 0);
  sim_throw(sim, slider, 3, 0, 0, 0, 0, 0);
  sim_steps(sim, 400);
  assert_true(fabs(sim_velocity(sim, roller)[0] / 4 - 1) < 1e-6);
  assert_true(fabs(sim_spin(sim, roller)[2] * -0.1 / 4 - 1) < 1e-6);
  double stop = 9 / (2 * 0.3 * SIM_G);
  assert_true(fabs(sim_position(sim, slider)[0] + 5 - stop) < 0.005);
  assert_true(fabs(sim_position(sim, slider)[1] - 0.5) < 1e-9);
  assert_true(fabs(sim_velocity(sim, slider)[0]) < 1e-9);
  slip_sim_free(sim);
}

/* Other choices of the scheme slide and stop as well. */
static void test_choices(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    SlipSimDef def = slip_default_sim_def();
    def.gravity[2] = -SIM_G;
    def.theta = k == 0 ? 1 : 0.5;
    def.gyroscopic = k == 0 ? SLIP_GYROSCOPIC_EXPLICIT : SLIP_GYROSCOPIC_IMPLICIT;
    SlipSim *sim = sim_make_def(&def, 1e-10);
    SlipShapeDef shape = sim_box(0.5, 0.3, 0.2);
    sim_rule(sim, 0.5, 0);
    sim_plane(sim, 0, 0, 1);
    SlipBodyId flat = sim_body(sim, &shape, 0, 0, 0.1), other = sim_body(sim, &shape, 0, 2, 0.6);
    sim_throw(sim, flat, 3, 0, 0, 0, 0, 0);
    sim_throw(sim, other, 1, 0, 0, 2, 3, 4);
    SlipStepInfo info = sim_steps(sim, 600);
    assert_true(fabs(sim_position(sim, flat)[0] - 9 / SIM_G) < 0.02);
    assert_true(fabs(sim_position(sim, flat)[2] - 0.1) < 1e-9);
    assert_true(info.energy.kinetic < 1e-9);
    assert_true(sim_position(sim, other)[2] > 0.099);
    printf("choice %d: imbalance %.1e of the throughput\n", k,
           info.energy.imbalance / info.energy.throughput);
    assert_true(fabs(info.energy.imbalance) < 0.02 * info.energy.throughput);
    slip_sim_free(sim);
  }
}

/* A flat square block that spins: each of its four corners bears a quarter of the weight. */
static void test_spinning(void **state) {
  (void)state;
  const double a = 0.4, mu = 0.5, h = 1e-3, spin = 10;
  SlipSim *sim = sim_make(3, h, 1e-10);
  SlipShapeDef shape = sim_box(a, a, 0.1);
  sim_rule(sim, mu, 0);
  sim_plane(sim, 0, 0, 1);
  SlipBodyId body = sim_body(sim, &shape, 0, 0, 0.05);
  sim_throw(sim, body, 0, 0, 0, 0, 0, spin);
  double rate = mu * SIM_G * a / sqrt(2) / (a * a / 6), stop = spin / rate;
  int steps = 0;
  while (sim_spin(sim, body)[2] > 1e-9 && steps < 1000) {
    sim_steps(sim, 1);
    steps++;
  }
  printf("spin stops at %.4f of %.4f s\n", steps * h, stop);
  assert_true(fabs(steps * h - stop) <= 1.01 * h);
  double turned = 2 * atan2(sim_rotation(sim, body)[3], sim_rotation(sim, body)[0]);
  assert_true(fabs(turned - spin * stop / 2) < spin * h);
  slip_sim_free(sim);
}

/* A ladder against a smooth wall: mu at which it slips, by bisection. In the plane of the ladder,
 * as a 3D body. */
static int ladder_holds(double angle, double mu) {
  SlipSim *sim = sim_make(3, 0.005, 1e-9);
  SlipShapeDef shape = sim_box(0.02, 0.3, 4);
  SlipMaterialDef material = slip_default_material_def();
  int32_t smooth;
  SlipError error;
  material.name = "smooth";
  assert_int_equal(slip_sim_add_material(sim, &material, &smooth, &error), SLIP_OK);
  SlipContactRule rule = slip_default_contact_rule();
  rule.materials[0] = smooth;
  assert_int_equal(slip_sim_add_rule(sim, &rule, &error), SLIP_OK);
  sim_rule(sim, mu, 0);
  sim_plane(sim, 0, 0, 1);
  SlipShapeDef wall = slip_default_shape_def();
  wall.kind = SLIP_SHAPE_HALF_SPACE;
  wall.normal[0] = 1;
  wall.material = smooth;
  SlipBodyDef def = slip_default_body_def();
  def.motion = SLIP_MOTION_FIXED;
  def.shapes = &wall;
  def.shape_count = 1;
  sim_body_def(sim, &def);
  /* the box's lower corners on the ground, its upper ones at the wall */
  double lean = PI / 2 - angle, c = cos(lean), s = sin(lean), half = 2, thick = 0.01;
  SlipBodyId body = sim_body(sim, &shape, half * s + thick * c, 0, half * c + thick * s);
  sim_turn(sim, body, 0, -1, 0, lean);
  sim_steps(sim, 200);
  double moved = fabs(sim_velocity(sim, body)[0]) + fabs(sim_velocity(sim, body)[2]);
  slip_sim_free(sim);
  return moved < 1e-3;
}

static void test_ladder(void **state) {
  (void)state;
  /* moments about the foot of a thin box, its thickness counted */
  double angle = 50 * PI / 180, lean = PI / 2 - angle, thick = 0.01, half = 2;
  double foot = half * sin(lean) - thick * cos(lean), height = 2 * half * cos(lean);
  double truth = foot / height, low = 0.9 * truth, high = 1.1 * truth;
  for (int k = 0; k < 12; k++) {
    double middle = (low + high) / 2;
    if (ladder_holds(angle, middle))
      high = middle;
    else
      low = middle;
  }
  printf("ladder: mu %.5f, moments %.5f, thin %.5f\n", high, truth, 1 / (2 * tan(angle)));
  assert_true(fabs(high / truth - 1) < 0.005);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stopping), cmocka_unit_test(test_isotropy),
      cmocka_unit_test(test_slope),    cmocka_unit_test(test_rolling),
      cmocka_unit_test(test_spinning), cmocka_unit_test(test_ladder),
      cmocka_unit_test(test_plane),    cmocka_unit_test(test_choices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
