/* The parts of a simulation: handles, names, what is refused and with which sentence, forces,
 * obstacles, callbacks, policies for steps that are not solved. */
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

static SlipError error;

static void refused(SlipStatus status, const char *words) {
  assert_int_not_equal(status, SLIP_OK);
  if (!strstr(error.text, words))
    fail_msg("'%s' has no '%s'", error.text, words);
}

/* ---- Handles and names ---- */

static void test_handles(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.01, 1e-8);
  SlipShapeDef ball = sim_sphere(0.1);
  SlipBodyDef def = slip_default_body_def();
  def.shapes = &ball;
  def.shape_count = 1;
  SlipBodyId body[40];
  char name[16];
  for (int k = 0; k < 40; k++) {
    snprintf(name, sizeof name, "bead/%d", k % 30);
    def.name = name;
    def.position[0] = k;
    body[k] = sim_body_def(sim, &def);
  }
  assert_int_equal(slip_sim_find_body(sim, "bead/7").index, body[7].index);
  assert_int_equal(slip_sim_find_body(sim, "bead/29").index, body[29].index);
  assert_int_equal(slip_sim_find_body(sim, "bead/30").generation, 0);
  assert_int_equal(slip_sim_remove_body(sim, body[7], &error), SLIP_OK);
  assert_int_equal(slip_sim_find_body(sim, "bead/7").index, body[37].index);
  refused(slip_sim_remove_body(sim, body[7], &error), "was removed");
  def.name = "new";
  SlipBodyId reused = sim_body_def(sim, &def);
  assert_int_equal(reused.index, body[7].index);
  assert_int_not_equal(reused.generation, body[7].generation);
  assert_string_equal(slip_sim_body_name(sim, reused.index), "new");
  const double zero[3] = {0};
  refused(slip_sim_set_velocity(sim, body[7], zero, zero, &error), "was removed");
  refused(slip_sim_apply(sim, (SlipBodyId){100, 1}, zero, zero, &error), "slots");
  refused(slip_sim_apply(sim, (SlipBodyId){0, 0}, zero, zero, &error), "no body");
  sim_steps(sim, 2);
  slip_sim_free(sim);
}

/* ---- What is refused ---- */

static void test_refused_bodies(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.01, 1e-8), *flat = sim_make(2, 0.01, 1e-8);
  SlipShapeDef ball = sim_sphere(0.1), bad = sim_sphere(-1);
  SlipBodyDef good = slip_default_body_def(), def;
  good.name = "drum";
  good.shapes = &ball;
  good.shape_count = 1;
  def = good;
  def.shapes = &bad;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "drum");
  refused(slip_sim_add_body(sim, &def, NULL, &error), "-1");
  def = good;
  def.position[1] = NAN;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "position[1] is nan");
  def = good;
  def.rotation[0] = 0;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "no rotation");
  def = good;
  def.mass = -3;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "mass is -3");
  def = good;
  def.inertia[0] = def.inertia[1] = 1;
  def.inertia[2] = 3;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "sum of the others");
  def = good;
  def.material = 2;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "no material 2");
  def = good;
  def.sine_amplitude = 1;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "SLIP_MOTION_TOLD");
  def = good;
  def.shape_count = 0;
  refused(slip_sim_add_body(sim, &def, NULL, &error), "needs a mass");
  def = good;
  ball.kind = SLIP_SHAPE_DISC;
  def.position[2] = 1;
  refused(slip_sim_add_body(flat, &def, NULL, &error), "in 2D");
  ball = sim_sphere(0.1);
  ball.kind = SLIP_SHAPE_HALF_SPACE;
  ball.normal[2] = 1;
  refused(slip_sim_add_body(sim, &good, NULL, &error), "obstacle");
  sim_steps(sim, 1); /* what was refused has left nothing */
  assert_int_equal(slip_sim_find_body(sim, "drum").generation, 0);
  slip_sim_free(sim);
  slip_sim_free(flat);
}

static void test_refused_rest(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.01, 1e-8), *made;
  SlipSimDef def = slip_default_sim_def();
  def.theta = 0.3;
  refused(slip_sim_create(&def, &made, &error), "theta is 0.3");
  def = slip_default_sim_def();
  def.step = 0;
  refused(slip_sim_create(&def, &made, &error), "step is 0");
  SlipContactRule rule = slip_default_contact_rule();
  rule.friction = -0.1;
  refused(slip_sim_add_rule(sim, &rule, &error), "friction is -0.1");
  rule = slip_default_contact_rule();
  rule.restitution = 1.5;
  refused(slip_sim_add_rule(sim, &rule, &error), "restitution is 1.5");
  rule = slip_default_contact_rule();
  rule.law = SLIP_TRESCA;
  refused(slip_sim_add_rule(sim, &rule, &error), "law");
  rule = slip_default_contact_rule();
  rule.materials[0] = 0;
  refused(slip_sim_add_rule(sim, &rule, &error), "material 0");
  SlipBodyId plane = sim_plane(sim, 0, 0, 1);
  SlipShapeDef shape = sim_sphere(1);
  SlipBodyId ball = sim_body(sim, &shape, 0, 0, 1);
  SlipJointDef joint = slip_default_joint_def();
  joint.bodies[0] = joint.bodies[1] = ball;
  refused(slip_sim_add_joint(sim, &joint, NULL, &error), "both bodies");
  joint.bodies[0] = plane;
  joint.bodies[1] = (SlipBodyId){0, 0};
  refused(slip_sim_add_joint(sim, &joint, NULL, &error), "neither body");
  joint.bodies[0] = ball;
  joint.kind = SLIP_JOINT_HINGE;
  refused(slip_sim_add_joint(sim, &joint, NULL, &error), "axis");
  joint.kind = SLIP_JOINT_BALL;
  joint.motor = 1;
  refused(slip_sim_add_joint(sim, &joint, NULL, &error), "motors");
  SlipForceDef force = slip_default_force_def();
  force.body = plane;
  refused(slip_sim_add_force(sim, &force, &error), "obstacle");
  refused(slip_sim_remove_joint(sim, (SlipJointId){3, 1}, &error), "joint 3");
  slip_sim_free(sim);
}

/* ---- Mass ---- */

/* A dumbbell told as two balls away from the frame: the centre of mass falls as one point, and the
 * body turns about it. */
static void test_centre(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.01, 1e-8);
  SlipShapeDef shapes[2] = {sim_sphere(0.1), sim_sphere(0.2)};
  SlipBodyDef def = slip_default_body_def();
  shapes[0].position[0] = 1;
  shapes[1].position[0] = 1;
  shapes[1].position[1] = 1;
  def.shapes = shapes;
  def.shape_count = 2;
  SlipBodyId body = sim_body_def(sim, &def);
  double mass, centre[3], unit = 1000 * 4.0 / 3 * 3.141592653589793 * 1e-3;
  assert_int_equal(slip_sim_mass(sim, body, &mass, centre, &error), SLIP_OK);
  assert_true(fabs(mass / (9 * unit) - 1) < 1e-12);
  assert_true(fabs(centre[0] - 1) < 1e-14 && fabs(centre[1] - 8.0 / 9) < 1e-14);
  /* spin about z with the centre at rest: v = -w x c */
  sim_throw(sim, body, 2 * 8.0 / 9, -2, 0, 0, 0, 2);
  sim_steps(sim, 100);
  double angle = 2 * atan2(sim_rotation(sim, body)[3], sim_rotation(sim, body)[0]);
  assert_true(fabs(angle - 2) < 1e-10);
  const double *at = sim_position(sim, body);
  double c = cos(2), s = sin(2), fall = SIM_G / 2;
  assert_true(fabs(at[0] + c * 1 - s * 8 / 9 - 1) < 1e-10);
  assert_true(fabs(at[1] + s * 1 + c * 8 / 9 - 8.0 / 9) < 1e-10);
  assert_true(fabs(at[2] + fall) < 1e-10);
  slip_sim_free(sim);
}

/* ---- Forces, obstacles, callbacks ---- */

static void push(void *user, SlipSim *sim, double time) {
  const double force[3] = {3, 0, 0};
  SlipBodyId *body = user;
  if (time < 0.5 - 1e-9)
    slip_sim_apply(sim, *body, force, NULL, NULL);
}

static int nothing(void *user, SlipBodyId a, SlipBodyId b) {
  (void)a;
  (void)b;
  ++*(int *)user;
  return 0;
}

static void test_forces(void **state) {
  (void)state;
  SlipSimDef def = slip_default_sim_def();
  def.step = 0.01;
  SlipSim *sim = sim_make_def(&def, 1e-8);
  SlipBodyDef ball = slip_default_body_def();
  ball.mass = 2;
  ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 1;
  SlipBodyId body = sim_body_def(sim, &ball);
  SlipForceDef force = slip_default_force_def();
  force.body = body;
  force.force[1] = 4;
  force.torque[2] = 5;
  force.from = 0.123; /* not at the ends of steps */
  force.until = 0.456;
  assert_int_equal(slip_sim_add_force(sim, &force, &error), SLIP_OK);
  slip_sim_set_force_function(sim, push, &body);
  SlipStepInfo info = sim_steps(sim, 100);
  assert_true(fabs(sim_velocity(sim, body)[0] - 3 * 0.5 / 2) < 1e-12);
  assert_true(fabs(sim_velocity(sim, body)[1] - 4 * 0.333 / 2) < 1e-12);
  assert_true(fabs(sim_spin(sim, body)[2] - 5 * 0.333) < 1e-12);
  assert_true(fabs(info.energy.applied - info.energy.kinetic) < 1e-12);
  assert_true(fabs(info.energy.imbalance) < 1e-12);
  assert_int_equal(slip_sim_steps(sim), 100);
  assert_true(slip_sim_time(sim) == 100 * 0.01);
  slip_sim_free(sim);
}

/* A block on a table that shakes and a belt that moves is taken along. */
static void test_obstacles(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-10);
  SlipShapeDef table = sim_box(10, 10, 1), box = sim_box(0.2, 0.2, 0.2);
  SlipBodyDef def = slip_default_body_def();
  def.motion = SLIP_MOTION_TOLD;
  def.shapes = &table;
  def.shape_count = 1;
  def.position[2] = -0.5;
  def.velocity[0] = 1;
  def.sine_axis[2] = 2;
  def.sine_amplitude = 0.02;
  def.sine_frequency = 1;
  sim_rule(sim, 0.5, 0);
  SlipBodyId belt = sim_body_def(sim, &def), body = sim_body(sim, &box, 0, 0, 0.1);
  SlipStepInfo info = sim_steps(sim, 400);
  assert_true(fabs(sim_velocity(sim, body)[0] - 1) < 1e-8);
  assert_true(fabs(sim_position(sim, belt)[0] - 2) < 1e-12);
  double height = 0.02 * sin(2 * 3.141592653589793 * 2.0) - 0.5;
  assert_true(fabs(sim_position(sim, belt)[2] - height) < 1e-12);
  assert_true(fabs(sim_position(sim, body)[2] - height - 0.6) < 1e-4);
  assert_true(fabs(info.energy.imbalance) < 1e-9 * info.energy.throughput);
  double slip = 1 / (0.5 * SIM_G) / 2; /* the belt runs ahead by v^2 / (2 mu g) */
  assert_true(fabs(sim_position(sim, belt)[0] - sim_position(sim, body)[0] - slip) < 0.01);
  slip_sim_free(sim);
}

/* A belt that begins to move at a time within a step has gone as far as from then on. */
static void test_moves_from(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-10);
  SlipShapeDef table = sim_box(10, 10, 1);
  SlipBodyDef def = slip_default_body_def();
  SlipError error;
  def.motion = SLIP_MOTION_TOLD;
  def.shapes = &table;
  def.shape_count = 1;
  def.velocity[0] = 2;
  def.spin[2] = 0.5;
  def.sine_axis[1] = 1;
  def.sine_amplitude = 0.1;
  def.sine_frequency = 0.25;
  def.moves_from = 0.1012;
  SlipBodyId belt = sim_body_def(sim, &def);
  sim_steps(sim, 20);
  assert_true(sim_position(sim, belt)[0] == 0 && sim_position(sim, belt)[1] == 0);
  sim_steps(sim, 80);
  double moved = 0.5 - 0.1012, turns = 3.141592653589793 / 2 * moved;
  assert_float_equal(sim_position(sim, belt)[0], 2 * moved, 1e-12);
  assert_float_equal(sim_position(sim, belt)[1], 0.1 * sin(turns), 1e-12);
  assert_float_equal(sim_rotation(sim, belt)[3], sin(0.25 * moved), 1e-12);
  def.moves_from = -1;
  assert_int_equal(slip_sim_add_body(sim, &def, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "moves_from is -1"));
  slip_sim_free(sim);
}

static void test_filter(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-8);
  SlipShapeDef ball = sim_sphere(0.1);
  int asked = 0;
  sim_plane(sim, 0, 0, 1);
  SlipBodyId body = sim_body(sim, &ball, 0, 0, 0.1);
  slip_sim_set_filter(sim, nothing, &asked);
  sim_steps(sim, 100);
  assert_true(asked > 0);
  assert_true(sim_position(sim, body)[2] < -1);
  slip_sim_free(sim);
}

/* A solve begins from the impulses of the step before. */
static void test_start(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-10);
  SlipShapeDef box = sim_box(0.5, 0.5, 0.5);
  sim_rule(sim, 0.5, 0);
  sim_plane(sim, 0, 0, 1);
  sim_body(sim, &box, 0, 0, 0.25);
  sim_steps(sim, 3);
  const SlipResult *result = slip_sim_result(sim);
  int32_t m = result->contacts * result->dimension;
  double before[12];
  assert_int_equal(m, 12);
  memcpy(before, result->r, sizeof before);
  assert_true(before[0] > 0);
  sim_steps(sim, 1);
  for (int32_t k = 0; k < m; k++)
    assert_float_equal(slip_sim_start(sim)[k], before[k], 1e-12 * before[0]);
  slip_sim_free(sim);
}

/* ---- Steps that are not solved ---- */

static SlipSim *hard(int on_failure, SlipBodyId *body) {
  SlipSimDef def = slip_default_sim_def();
  def.on_failure = on_failure;
  def.gravity[2] = -SIM_G;
  SlipSettings *settings;
  SlipSim *sim;
  assert_int_equal(slip_settings_create("nsgs", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "1", NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", "1e-12", NULL), SLIP_OK);
  def.settings = settings;
  assert_int_equal(slip_sim_create(&def, &sim, &error), SLIP_OK);
  slip_settings_free(settings);
  SlipShapeDef box = sim_box(0.5, 0.5, 0.5);
  sim_rule(sim, 0.5, 0);
  sim_plane(sim, 0, 0, 1);
  for (int k = 0; k < 4; k++)
    *body = sim_body(sim, &box, 0.05 * k, 0, 0.25 + 0.5 * k);
  sim_throw(sim, *body, 1, 0, 0, 0, 0, 1);
  return sim;
}

static void test_policies(void **state) {
  (void)state;
  SlipBodyId body;
  SlipStepInfo info = slip_default_step_info();
  for (int policy = SLIP_ON_FAILURE_STOP; policy <= SLIP_ON_FAILURE_HALVE; policy++) {
    SlipSim *sim = hard(policy, &body);
    double before[3];
    memcpy(before, sim_position(sim, body), sizeof before);
    SlipStatus status = slip_sim_step(sim, &info, &error);
    assert_int_equal(info.outcome, SLIP_MAX_ITER);
    assert_int_equal(info.verdict, SLIP_VERDICT_ROBUST);
    assert_non_null(strstr(info.reason, "MAX_ITER"));
    assert_null(strchr(info.reason, '(')); /* the stages of the run would bury the verdict */
    assert_non_null(strstr(info.reason, "; existence: "));
    assert_non_null(slip_sim_problem(sim));
    if (policy == SLIP_ON_FAILURE_WARN) {
      assert_int_equal(status, SLIP_OK);
      assert_int_equal(slip_sim_steps(sim), 1);
      assert_true(sim_position(sim, body)[0] != before[0]);
    } else {
      assert_int_equal(status, SLIP_ERROR_NUMERIC);
      assert_non_null(strstr(error.text, "step 1, from 0 s on, is not solved"));
      assert_int_equal(slip_sim_steps(sim), 0);
      assert_memory_equal(before, sim_position(sim, body), sizeof before);
      assert_int_equal(info.halvings, policy == SLIP_ON_FAILURE_HALVE ? 6 : 0);
    }
    slip_sim_free(sim);
  }
}

/* Contacts are told with both bodies, an impulse that bears the weight, and lasting keys. */
static void test_contacts(void **state) {
  (void)state;
  SlipSim *sim = sim_make(3, 0.005, 1e-10);
  SlipShapeDef box = sim_box(0.5, 0.5, 0.5);
  sim_rule(sim, 0.5, 0);
  SlipBodyId plane = sim_plane(sim, 0, 0, 1), body = sim_body(sim, &box, 0, 0, 0.25);
  sim_throw(sim, body, 1, 0, 0, 0, 0, 0);
  double mass, weight = 0;
  slip_sim_mass(sim, body, &mass, NULL, NULL);
  uint64_t key[4];
  for (int round = 0; round < 2; round++) {
    SlipSimState read = slip_default_sim_state();
    sim_steps(sim, 20);
    assert_int_equal(slip_sim_state(sim, &read, &error), SLIP_OK);
    assert_int_equal(read.contacts, 4);
    weight = 0;
    for (int k = 0; k < 4; k++) {
      const SlipSimContact *contact = &read.contact[k];
      int first = contact->bodies[0] == body.index;
      assert_int_equal(contact->bodies[first], plane.index);
      assert_true(fabs(contact->normal[2] - (first ? 1 : -1)) < 1e-12);
      assert_int_equal(contact->status, SLIP_CONTACT_SLIP);
      weight += (first ? 1 : -1) * contact->impulse[2];
      key[k] = round == 0 ? contact->key : key[k];
      assert_true(contact->key == key[k]);
    }
    assert_true(fabs(weight / (mass * SIM_G * 0.005) - 1) < 1e-8);
  }
  slip_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_handles),      cmocka_unit_test(test_refused_bodies),
      cmocka_unit_test(test_refused_rest), cmocka_unit_test(test_centre),
      cmocka_unit_test(test_forces),       cmocka_unit_test(test_obstacles),
      cmocka_unit_test(test_moves_from),   cmocka_unit_test(test_filter),
      cmocka_unit_test(test_start),        cmocka_unit_test(test_policies),
      cmocka_unit_test(test_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
