#include "sim_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void must(SlipStatus status, const SlipError *error) {
  if (status != SLIP_OK)
    fail_msg("%s", error->text);
}

SlipSim *sim_make_def(const SlipSimDef *def, double tol) {
  SlipSim *sim;
  SlipSettings *settings;
  SlipError error;
  SlipSimDef own = *def;
  must(slip_settings_create(NULL, &settings, &error), &error);
  must(slip_settings_set_real(settings, "tol", tol, &error), &error);
  own.settings = settings;
  must(slip_sim_create(&own, &sim, &error), &error);
  slip_settings_free(settings);
  return sim;
}

SlipSim *sim_make(int dimension, double step, double tol) {
  SlipSimDef def = slip_default_sim_def();
  def.dimension = dimension;
  def.step = step;
  def.gravity[dimension - 1] = -SIM_G;
  return sim_make_def(&def, tol);
}

void sim_rule(SlipSim *sim, double friction, double restitution) {
  SlipContactRule rule = slip_default_contact_rule();
  SlipError error;
  rule.friction = friction;
  rule.restitution = restitution;
  must(slip_sim_add_rule(sim, &rule, &error), &error);
}

void sim_rule_refused(const SlipContactRule *rule, const char *text) {
  SlipSim *sim = sim_make(3, 1e-3, 1e-8);
  SlipError error = {0};
  assert_int_equal(slip_sim_add_rule(sim, rule, &error), SLIP_ERROR_ARGUMENT);
  if (!strstr(error.text, text))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
  slip_sim_free(sim);
}

SlipBodyId sim_body_def(SlipSim *sim, const SlipBodyDef *def) {
  SlipBodyId body;
  SlipError error;
  must(slip_sim_add_body(sim, def, &body, &error), &error);
  return body;
}

SlipBodyId sim_plane(SlipSim *sim, double x, double y, double z) {
  SlipShapeDef shape = slip_default_shape_def();
  SlipBodyDef def = slip_default_body_def();
  const double normal[3] = {x, y, z};
  shape.kind = SLIP_SHAPE_HALF_SPACE;
  memcpy(shape.normal, normal, sizeof normal);
  def.motion = SLIP_MOTION_FIXED;
  def.shapes = &shape;
  def.shape_count = 1;
  return sim_body_def(sim, &def);
}

SlipShapeDef sim_sphere(double radius) {
  SlipShapeDef shape = slip_default_shape_def();
  shape.kind = SLIP_SHAPE_SPHERE;
  shape.radius = radius;
  return shape;
}

SlipShapeDef sim_box(double x, double y, double z) {
  SlipShapeDef shape = slip_default_shape_def();
  const double edges[3] = {x, y, z};
  shape.kind = SLIP_SHAPE_BOX;
  memcpy(shape.edges, edges, sizeof edges);
  return shape;
}

SlipBodyId sim_body(SlipSim *sim, const SlipShapeDef *shape, double x, double y, double z) {
  SlipBodyDef def = slip_default_body_def();
  const double position[3] = {x, y, z};
  def.shapes = shape;
  def.shape_count = 1;
  memcpy(def.position, position, sizeof position);
  return sim_body_def(sim, &def);
}

void sim_turn(SlipSim *sim, SlipBodyId body, double ax, double ay, double az, double angle) {
  const double s = sin(angle / 2), q[4] = {cos(angle / 2), s * ax, s * ay, s * az};
  double position[3];
  SlipError error;
  memcpy(position, sim_position(sim, body), sizeof position);
  must(slip_sim_set_pose(sim, body, position, q, &error), &error);
}

void sim_throw(SlipSim *sim, SlipBodyId body, double vx, double vy, double vz, double wx, double wy,
               double wz) {
  const double v[3] = {vx, vy, vz}, w[3] = {wx, wy, wz};
  SlipError error;
  must(slip_sim_set_velocity(sim, body, v, w, &error), &error);
}

SlipJointId sim_joint(SlipSim *sim, const SlipJointDef *def) {
  SlipJointId joint;
  SlipError error;
  must(slip_sim_add_joint(sim, def, &joint, &error), &error);
  return joint;
}

SlipStepInfo sim_steps(SlipSim *sim, int count) {
  SlipStepInfo info = slip_default_step_info();
  SlipError error;
  for (int k = 0; k < count; k++)
    must(slip_sim_step(sim, &info, &error), &error);
  return info;
}

static SlipSimState state_of(SlipSim *sim) {
  SlipSimState state = slip_default_sim_state();
  SlipError error;
  must(slip_sim_state(sim, &state, &error), &error);
  return state;
}

const double *sim_position(SlipSim *sim, SlipBodyId body) {
  return state_of(sim).position + 3 * (ptrdiff_t)body.index;
}

const double *sim_rotation(SlipSim *sim, SlipBodyId body) {
  return state_of(sim).rotation + 4 * (ptrdiff_t)body.index;
}

const double *sim_velocity(SlipSim *sim, SlipBodyId body) {
  return state_of(sim).velocity + 3 * (ptrdiff_t)body.index;
}

const double *sim_spin(SlipSim *sim, SlipBodyId body) {
  return state_of(sim).spin + 3 * (ptrdiff_t)body.index;
}

SlipContactRule sim_sticky(SlipLaw law) {
  SlipContactRule rule = slip_default_contact_rule();
  rule.law = law;
  rule.friction = 0.5;
  return rule;
}

SimBall sim_ball_on_ground(const SlipContactRule *rule, double step) {
  SlipSimDef def = slip_default_sim_def();
  def.step = step;
  SimBall ball = {.sim = sim_make_def(&def, 1e-12)};
  assert_int_equal(slip_sim_add_rule(ball.sim, rule, NULL), SLIP_OK);
  sim_plane(ball.sim, 0, 0, 1);
  SlipShapeDef sphere = sim_sphere(SIM_BALL);
  SlipBodyDef body = slip_default_body_def();
  body.shapes = &sphere;
  body.shape_count = 1;
  body.mass = 1;
  body.position[2] = SIM_BALL;
  ball.body = sim_body_def(ball.sim, &body);
  return ball;
}

void sim_push_along(const SimBall *ball, const double force[3], int steps) {
  for (int k = 0; k < steps; k++) {
    assert_int_equal(slip_sim_apply(ball->sim, ball->body, force, (const double[]){0, 0, 0}, NULL),
                     SLIP_OK);
    sim_steps(ball->sim, 1);
  }
}

double sim_push(const SimBall *ball, double fx, double fz, int steps) {
  sim_push_along(ball, (const double[]){fx, 0, fz}, steps);
  return sim_position(ball->sim, ball->body)[2] - SIM_BALL;
}
