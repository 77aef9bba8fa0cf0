/* Free motion, impacts and joints of a simulation against closed forms, and what they keep. */
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

static void test_flight(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    SlipSim *sim = sim_make(dimension, 0.01, 1e-8);
    SlipShapeDef shape = sim_sphere(0.5);
    shape.kind = dimension == 2 ? SLIP_SHAPE_DISC : SLIP_SHAPE_SPHERE;
    SlipBodyId body = sim_body(sim, &shape, 1, 2, 0);
    double up[3] = {3, dimension == 2 ? 20 : 0.5, dimension == 2 ? 0 : 20}, t = 5;
    sim_throw(sim, body, up[0], up[1], up[2], 0, 0, 2);
    sim_steps(sim, 500);
    const double start[3] = {1, 2, 0};
    for (int k = 0; k < 3; k++) {
      double truth = start[k] + up[k] * t - (k == dimension - 1 ? SIM_G * t * t / 2 : 0);
      assert_true(fabs(sim_position(sim, body)[k] - truth) < 1e-11);
    }
    double angle = 2 * atan2(sim_rotation(sim, body)[3], sim_rotation(sim, body)[0]);
    assert_true(fabs(remainder(angle - 2 * t, 2 * PI)) < 1e-12);
    slip_sim_free(sim);
  }
}

/* R x of a quaternion. */
static void turn(const double q[4], const double x[3], double out[3]) {
  double t[3];
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    t[k] = 2 * (q[1 + i] * x[j] - q[1 + j] * x[i]);
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = x[k] + q[0] * t[k] + q[1 + i] * t[j] - q[1 + j] * t[i];
  }
}

static void turn_back(const double q[4], const double x[3], double out[3]) {
  const double back[4] = {q[0], -q[1], -q[2], -q[3]};
  turn(back, x, out);
}

/* A box spun about its middle axis flips over: 15 times in 60 s with these numbers. */
static void test_flips(void **state) {
  (void)state;
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim = sim_make_def(&def, 1e-8);
  SlipShapeDef shape = sim_box(0.2, 0.4, 0.8);
  SlipBodyId body = sim_body(sim, &shape, 0, 0, 0);
  sim_throw(sim, body, 0, 0, 0, 0.05, 5, 0);
  double mass, inertia[3], first[3] = {0}, energy = 0, off = 0, lost = 0;
  slip_sim_mass(sim, body, &mass, NULL, NULL);
  const double a[3] = {0.2, 0.4, 0.8};
  for (int k = 0; k < 3; k++)
    inertia[k] = mass / 12 * (a[(k + 1) % 3] * a[(k + 1) % 3] + a[(k + 2) % 3] * a[(k + 2) % 3]);
  int flips = 0, side = 1;
  for (int step = 0; step <= 12000; step++) {
    double w[3], L[3], T = 0;
    turn_back(sim_rotation(sim, body), sim_spin(sim, body), w);
    for (int k = 0; k < 3; k++) {
      T += 0.5 * inertia[k] * w[k] * w[k];
      L[k] = inertia[k] * w[k];
    }
    turn(sim_rotation(sim, body), L, L);
    if (step == 0) {
      memcpy(first, L, sizeof L);
      energy = T;
    }
    double size = sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    for (int k = 0; k < 3; k++)
      off = fmax(off, fabs(L[k] - first[k]) / size);
    lost = fmax(lost, fabs(T / energy - 1));
    if (w[1] * side < -2) {
      flips++;
      side = -side;
    }
    if (step < 12000)
      sim_steps(sim, 1);
  }
  printf("60 s: %d flips, momentum off by %.1e, energy by %.1e\n", flips, off, lost);
  assert_int_equal(flips, 15);
  assert_true(off < 1e-10);
  assert_true(lost < 1e-10);
  slip_sim_free(sim);
}

/* Implicit gyroscopic terms: of second order, so that a quarter of the error is left at half a
 * step. */
static void test_implicit(void **state) {
  (void)state;
  double error[2], momentum[3];
  for (int fine = 0; fine < 2; fine++) {
    SlipSimDef def = slip_default_sim_def();
    def.step = 0.01 / (1 + fine);
    def.gyroscopic = SLIP_GYROSCOPIC_IMPLICIT;
    SlipSim *sim = sim_make_def(&def, 1e-8);
    SlipShapeDef shape = sim_box(0.2, 0.4, 0.8);
    SlipBodyId body = sim_body(sim, &shape, 0, 0, 0);
    double mass, inertia[3] = {0.8, 0.68, 0.2}, L[3];
    slip_sim_mass(sim, body, &mass, NULL, NULL);
    sim_throw(sim, body, 0, 0, 0, 1, 2, 3);
    for (int k = 0; k < 3; k++)
      momentum[k] = mass / 12 * inertia[k] * (k + 1);
    sim_steps(sim, 100 * (1 + fine));
    turn_back(sim_rotation(sim, body), sim_spin(sim, body), L);
    for (int k = 0; k < 3; k++)
      L[k] *= mass / 12 * inertia[k];
    turn(sim_rotation(sim, body), L, L);
    error[fine] = 0;
    for (int k = 0; k < 3; k++)
      error[fine] = fmax(error[fine], fabs(L[k] - momentum[k]) / momentum[1]);
    slip_sim_free(sim);
  }
  printf("implicit: momentum off by %.1e, at half the step by %.1e\n", error[0], error[1]);
  assert_true(error[0] < 1e-2 && error[1] < 0.3 * error[0]);
}

/* The largest height after the first impact of a ball that falls from 1 m. */
static double rebound(double e, double h, int bounces) {
  SlipSim *sim = sim_make(3, h, 1e-10);
  SlipShapeDef shape = sim_sphere(0.1);
  sim_rule(sim, 0.5, e);
  sim_plane(sim, 0, 0, 1);
  SlipBodyId body = sim_body(sim, &shape, 0, 0, 1.1);
  double top = 0;
  int turns = 0;
  for (int k = 0; turns < bounces + 1 && k < 100000; k++) {
    double before = sim_velocity(sim, body)[2];
    sim_steps(sim, 1);
    double after = sim_velocity(sim, body)[2];
    if (before < 0 && after > 0) {
      turns++;
      top = turns > bounces ? top : 0;
    }
    if (turns == bounces)
      top = fmax(top, sim_position(sim, body)[2] - 0.1);
  }
  slip_sim_free(sim);
  return top;
}

static void test_rebound(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double h = k == 0 ? 5e-3 : 1e-3, half = rebound(0.5, h, 1), full = rebound(1, h, 10);
    printf("h = %g: rebound %.5f of 0.25, tenth with e = 1: %.9f\n", h, half, full);
    assert_true(fabs(half - 0.25) < 3 * h);
    assert_true(fabs(full - 1) < h * h * SIM_G);
  }
}

/* Spheres and boxes thrown at each other without gravity keep their momentum. */
static void test_momentum(void **state) {
  (void)state;
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim = sim_make_def(&def, 1e-8);
  SlipBodyId body[27];
  double mass[27], size[3] = {0.1, 0.12, 0.15};
  sim_rule(sim, 0.4, 0);
  for (int k = 0; k < 27; k++) {
    SlipShapeDef shape = k % 2 ? sim_sphere(0.1) : sim_box(2 * size[0], 2 * size[1], size[2]);
    double at[3] = {0.35 * (k % 3 - 1), 0.35 * (k / 3 % 3 - 1), 0.35 * (double)(k / 9 - 1)};
    body[k] = sim_body(sim, &shape, at[0], at[1], at[2]);
    sim_throw(sim, body[k], -2 * at[0], -2.2 * at[1], -1.9 * at[2], sin(k), cos(k), 0.3 * k);
    slip_sim_mass(sim, body[k], &mass[k], NULL, NULL);
  }
  double sum[3] = {0}, size_of = 0;
  int touched = 0;
  for (int step = 0; step <= 300; step++) {
    double now[3] = {0};
    for (int k = 0; k < 27; k++) {
      for (int c = 0; c < 3; c++) {
        now[c] += mass[k] * sim_velocity(sim, body[k])[c];
        size_of += step == 0 ? mass[k] * fabs(sim_velocity(sim, body[k])[c]) : 0;
      }
    }
    if (step == 0)
      memcpy(sum, now, sizeof sum);
    for (int c = 0; c < 3; c++)
      assert_true(fabs(now[c] - sum[c]) < 1e-12 * size_of);
    touched += sim_steps(sim, 1).contacts;
  }
  assert_true(touched > 100);
  slip_sim_free(sim);
}

/* ---- Pendulum ---- */

static double mean(double a, double b) {
  while (fabs(a - b) > 1e-15 * a) {
    double next = (a + b) / 2;
    b = sqrt(a * b);
    a = next;
  }
  return a;
}

static double pendulum_period(int kind, double h, double amplitude, double *energy) {
  SlipSim *sim = sim_make(3, h, 1e-11);
  SlipBodyDef def = slip_default_body_def();
  def.mass = 2;
  def.inertia[0] = def.inertia[1] = def.inertia[2] = 1e-3;
  def.position[0] = sin(amplitude);
  def.position[2] = -cos(amplitude);
  SlipBodyId body = sim_body_def(sim, &def);
  SlipJointDef joint = slip_default_joint_def();
  joint.kind = kind;
  joint.bodies[0] = body;
  joint.axis[1] = 1;
  memcpy(joint.at, def.position, sizeof joint.at);
  if (kind != SLIP_JOINT_DISTANCE)
    memset(joint.at, 0, sizeof joint.at);
  sim_joint(sim, &joint);
  double before = 0, crossings[8], first = -2 * SIM_G * cos(amplitude), worst = 0;
  int count = 0;
  for (int k = 1; count < 5 && k < 100000; k++) {
    SlipStepInfo info = sim_steps(sim, 1);
    worst = fmax(worst, fabs(info.energy.kinetic + info.energy.potential - first));
    double x = sim_position(sim, body)[0];
    if (k > 1 && (before > 0) != (x > 0))
      crossings[count++] = h * (k - 1 + before / (before - x));
    before = x;
  }
  *energy = worst / (2 * SIM_G * (1 - cos(amplitude)));
  slip_sim_free(sim);
  return crossings[4] - crossings[0];
}

static void test_pendulum(void **state) {
  (void)state;
  const int kinds[] = {SLIP_JOINT_BALL, SLIP_JOINT_HINGE, SLIP_JOINT_DISTANCE};
  double amplitude = PI / 3;
  for (int k = 0; k < 3; k++) {
    double inertia = kinds[k] == SLIP_JOINT_DISTANCE ? 2 : 2 + 1e-3, last = 0;
    double truth = 2 * 2 * PI * sqrt(inertia / (2 * SIM_G)) / mean(1, cos(amplitude / 2));
    for (int fine = 0; fine < 3; fine++) {
      double h = 0.01 / (1 << fine), energy,
             period = pendulum_period(kinds[k], h, amplitude, &energy);
      printf("joint %d, h = %g: period off by %.2e, energy by %.2e\n", kinds[k], h,
             period / truth - 1, energy);
      assert_true(fabs(period / truth - 1) < 20 * h * h);
      assert_true(energy < 100 * h * h);
      last = period;
    }
    (void)last;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flight),   cmocka_unit_test(test_flips),
      cmocka_unit_test(test_implicit), cmocka_unit_test(test_rebound),
      cmocka_unit_test(test_momentum), cmocka_unit_test(test_pendulum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
