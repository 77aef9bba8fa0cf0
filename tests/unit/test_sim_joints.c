/* Joints of a simulation: they hold, limits stop, motors drive. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "sim_case.h"

static SlipJointDef joint_of(int kind, SlipBodyId a, SlipBodyId b, double x, double y, double z) {
  SlipJointDef joint = slip_default_joint_def();
  const double at[3] = {x, y, z};
  joint.kind = kind;
  joint.bodies[0] = a;
  joint.bodies[1] = b;
  memcpy(joint.at, at, sizeof at);
  return joint;
}

static const SlipBodyId WORLD = {-1, 0};

/* A chain of boxes that swings, by each kind of joint. */
static void test_chain(void **state) {
  (void)state;
  const int kinds[] = {SLIP_JOINT_BALL, SLIP_JOINT_HINGE, SLIP_JOINT_FIXED, SLIP_JOINT_DISTANCE};
  for (int k = 0; k < 4; k++) {
    SlipSim *sim = sim_make(3, 0.005, 1e-10);
    SlipShapeDef box = sim_box(0.5, 0.1, 0.2);
    SlipBodyId last = WORLD;
    double first = 0, worst = 0;
    for (int link = 0; link < 5; link++) {
      SlipBodyId body = sim_body(sim, &box, 0.25 + 0.5 * link, 0, 0);
      SlipJointDef joint =
          joint_of(link == 0 ? SLIP_JOINT_BALL : kinds[k], body, last, 0.5 * link, 0, 0);
      joint.axis[1] = 1;
      if (joint.kind == SLIP_JOINT_DISTANCE) {
        joint.at[0] += 0.1;
        joint.other[0] = 0.5 * link - 0.1;
      }
      sim_joint(sim, &joint);
      last = body;
    }
    SlipStepInfo info = slip_default_step_info();
    for (int step = 0; step < 400; step++) {
      info = sim_steps(sim, 1);
      worst = fmax(worst, info.drift);
      double now = info.energy.kinetic + info.energy.potential;
      first = step == 0 ? now : first;
    }
    double now = info.energy.kinetic + info.energy.potential;
    printf("kind %d: drift %.1e, energy off by %.1e of %.1f\n", kinds[k], worst, now - first,
           info.energy.kinetic);
    assert_true(worst < 1e-5);
    assert_true(fabs(now - first) < 0.02 * info.energy.throughput);
    slip_sim_free(sim);
  }
}

/* All of the momentum, and the moment of it about the origin. */
static void momentum_of(const SlipSim *sim, double p[6]) {
  const SlipiBodies *b = &sim->bodies;
  memset(p, 0, 6 * sizeof *p);
  for (int32_t slot = 0; slot < b->count; slot++) {
    double moment[3];
    slipi_cross(b->x + 3 * (size_t)slot, b->v + 3 * (size_t)slot, moment);
    for (int k = 0; k < 3; k++) {
      p[k] += b->mass[slot] * b->v[3 * slot + k];
      p[3 + k] += b->L[3 * slot + k] + b->mass[slot] * moment[k];
    }
  }
}

/* A chain thrown into empty space keeps its momentum, and what its joints make of the energy is
 * never more than they have lost before. */
static void test_thrown_chain(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    SlipSimDef def = slip_default_sim_def();
    def.dimension = dimension;
    SlipSim *sim = sim_make_def(&def, 1e-12);
    SlipShapeDef shape = sim_sphere(0.2);
    shape.kind = dimension == 2 ? SLIP_SHAPE_DISC : SLIP_SHAPE_SPHERE;
    SlipBodyId last = WORLD;
    for (int link = 0; link < 4; link++) {
      bool flat = dimension == 2;
      SlipBodyId body = sim_body(sim, &shape, 0.5 * link, 0, 0);
      sim_throw(sim, body, 1, link % 2 ? 2 : -1, flat ? 0 : 0.5 * link, 0, 0, link % 2 ? 3 : -4);
      SlipJointDef joint =
          joint_of(flat ? SLIP_JOINT_HINGE : SLIP_JOINT_BALL, body, last, 0.5 * link - 0.25, 0, 0);
      joint.axis[2] = 1;
      if (link > 0)
        sim_joint(sim, &joint);
      last = body;
    }
    double before[6], after[6], first = 0, least = INFINITY, grown = 0;
    momentum_of(sim, before);
    SlipStepInfo info = slip_default_step_info();
    for (int step = 0; step < 2000; step++) {
      info = sim_steps(sim, 1);
      first = step == 0 ? info.energy.kinetic : first;
      double now = info.energy.kinetic, credit = 0;
      for (int32_t k = 0; k < sim->joints; k++)
        credit += sim->joint[k].credit;
      assert_true(credit > -1e-12 * first);
      least = fmin(least, now + credit);
      grown = fmax(grown, now + credit - least);
    }
    momentum_of(sim, after);
    printf("%dD: energy %.3g at first, %.1e made, %.3g less at the end\n", dimension, first, grown,
           first - info.energy.kinetic);
    for (int k = 0; k < 3; k++) {
      assert_true(fabs(after[k] - before[k]) < 1e-12 * first);
      assert_true(fabs(after[3 + k] - before[3 + k]) < 1e-3 * first); /* projection moves bodies */
    }
    assert_true(grown < 1e-12 * first);
    assert_true(first - info.energy.kinetic < 0.01 * first);
    slip_sim_free(sim);
  }
}

/* A block on a slider falls freely along its axis, and does not turn. */
static void test_slider(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    SlipSim *sim = sim_make(dimension, 0.01, 1e-11);
    SlipShapeDef shape = sim_box(0.2, 0.3, 0.4);
    const double corners[12] = {-0.1, -0.2, 0, 0.1, -0.2, 0, 0.1, 0.2, 0, -0.1, 0.2, 0};
    if (dimension == 2) {
      shape.kind = SLIP_SHAPE_POLYGON;
      shape.points = corners;
      shape.point_count = 4;
    }
    SlipBodyId body = sim_body(sim, &shape, 0, 0, 0);
    SlipJointDef joint = joint_of(SLIP_JOINT_SLIDER, body, WORLD, 0.5, 0, 0);
    joint.axis[0] = 0.6;
    joint.axis[dimension - 1] = 0.8;
    joint.limited = 1;
    joint.lower = -2;
    joint.upper = 1;
    sim_joint(sim, &joint);
    sim_steps(sim, 50);
    double fallen = 0.5 * SIM_G * 0.8 * 0.25;
    assert_true(fabs(sim_position(sim, body)[0] + 0.6 * fallen) < 1e-9);
    assert_true(fabs(sim_position(sim, body)[dimension - 1] + 0.8 * fallen) < 1e-9);
    assert_true(fabs(sim_rotation(sim, body)[0] - 1) < 1e-12);
    sim_steps(sim, 100); /* to the limit */
    assert_true(fabs(sim_position(sim, body)[0] + 0.6 * 2) < 1e-5);
    assert_true(fabs(sim_velocity(sim, body)[0]) < 1e-7);
    slip_sim_free(sim);
  }
}

/* A wheel on a hinge: a motor turns it up with its whole effort, then keeps the speed. */
static void test_motor(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    SlipSim *sim = sim_make(dimension, 0.01, 1e-11);
    SlipShapeDef shape = sim_sphere(0.2);
    shape.kind = dimension == 2 ? SLIP_SHAPE_DISC : SLIP_SHAPE_SPHERE;
    SlipBodyId body = sim_body(sim, &shape, 0, 0, 0);
    double mass;
    slip_sim_mass(sim, body, &mass, NULL, NULL);
    double inertia = (dimension == 2 ? 0.5 : 0.4) * mass * 0.04, effort = 2;
    SlipJointDef joint = joint_of(SLIP_JOINT_HINGE, body, WORLD, 0, 0, 0);
    joint.axis[2] = 1;
    joint.motor = 1;
    joint.motor_speed = 3;
    joint.motor_effort = effort;
    sim_joint(sim, &joint);
    SlipStepInfo info = sim_steps(sim, 10);
    assert_true(fabs(sim_spin(sim, body)[2] / (effort * 0.1 / inertia) - 1) < 1e-8);
    info = sim_steps(sim, (int)(100 * 3 * inertia / effort) + 10);
    assert_true(fabs(sim_spin(sim, body)[2] - 3) < 1e-8);
    assert_true(fabs(info.energy.applied / (0.5 * inertia * 9) - 1) < 1e-6);
    assert_true(fabs(info.energy.imbalance) < 1e-9 * info.energy.throughput);
    slip_sim_free(sim);
  }
}

/* A door that swings against its limits, over whole turns too. */
static void test_limits(void **state) {
  (void)state;
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim = sim_make_def(&def, 1e-10);
  SlipShapeDef shape = sim_box(1, 0.1, 2);
  SlipBodyId body = sim_body(sim, &shape, 0.5, 0, 0);
  SlipJointDef joint = joint_of(SLIP_JOINT_HINGE, body, WORLD, 0, 0, 0);
  joint.axis[2] = 1;
  joint.limited = 1;
  joint.lower = -1;
  joint.upper = 7;
  sim_joint(sim, &joint);
  sim_throw(sim, body, 0, 1, 0, 0, 0, 2);
  sim_steps(sim, 1400); /* 7 s at 1 turn in 3.1 s: 7 rad at 3.5 s */
  double angle = atan2(sim_position(sim, body)[1], sim_position(sim, body)[0]);
  assert_true(fabs(angle - (7 - 6.283185307179586)) < 1e-5);
  assert_true(fabs(sim_spin(sim, body)[2]) < 1e-8);
  slip_sim_free(sim);
}

/* Bodies of a joint pass through each other unless asked not to. */
static void test_collide(void **state) {
  (void)state;
  for (int collide = 0; collide < 2; collide++) {
    SlipSim *sim = sim_make(3, 0.01, 1e-8);
    SlipShapeDef ball = sim_sphere(0.3);
    SlipBodyId a = sim_body(sim, &ball, 0, 0, 0), b = sim_body(sim, &ball, 0.5, 0, 0);
    SlipJointDef joint = joint_of(SLIP_JOINT_BALL, a, b, 0.25, 0, 0);
    joint.collide = collide;
    sim_joint(sim, &joint);
    assert_int_equal(sim_steps(sim, 1).contacts, 1 + collide);
    assert_int_equal(slip_sim_remove_body(sim, b, NULL), SLIP_OK);
    assert_int_equal(sim_steps(sim, 1).contacts, 0); /* its joint is gone too */
    slip_sim_free(sim);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain),  cmocka_unit_test(test_thrown_chain),
      cmocka_unit_test(test_slider), cmocka_unit_test(test_motor),
      cmocka_unit_test(test_limits), cmocka_unit_test(test_collide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
