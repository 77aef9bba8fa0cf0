/* One contact, moved to and fro along its normal: force against displacement, the figures of
 * constitutive relations of Tasora, Anitescu, Negrini, Negrut 2013 (Fig. 1).
 *
 *   cmake --build build --target bench_loop
 *   build/tests/bench_loop
 *
 * A ball is held by an obstacle that moves as a sine, beside the ground. Two
 * rounds, a line for some of the steps: the law, displacement in mm, normal force in N. Laws: a
 * spring (1-b), a pull that yields beside it (1-e), and crushed as well (1-f). bench/shear.sh draws
 * them. */
#include <stdio.h>
#include <stdlib.h>

#include <slipcone/sim.h>

static const double RADIUS = 0.1, AMPLITUDE = 1e-3, STEP = 1e-3;
enum { EACH = 5 }; /* steps between two lines */

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "loop: %s\n", error->text);
  exit(2);
}

static SlipSim *make(const SlipContactRule *rule, double amplitude) {
  SlipSim *sim;
  SlipError error;
  SlipSimDef def = slip_default_sim_def();
  def.step = STEP;
  def.reach = 0.1; /* as far as the contact is drawn out, it stays one */
  must(slip_sim_create(&def, &sim, &error), &error);
  must(slip_sim_add_rule(sim, rule, &error), &error);
  SlipShapeDef plane = slip_default_shape_def(), sphere = plane;
  plane.kind = SLIP_SHAPE_HALF_SPACE;
  plane.normal[2] = 1;
  sphere.kind = SLIP_SHAPE_SPHERE;
  sphere.radius = RADIUS;
  SlipBodyDef ground = slip_default_body_def(), ball = ground, hand = ground;
  SlipBodyId none, held, holder;
  ground.motion = SLIP_MOTION_FIXED;
  ground.shapes = &plane;
  ground.shape_count = ball.shape_count = 1;
  ball.shapes = &sphere;
  ball.mass = 1e-3;
  ball.position[2] = RADIUS;
  hand.motion = SLIP_MOTION_TOLD;
  hand.position[2] = 1;
  hand.sine_axis[2] = 1;
  hand.sine_amplitude = amplitude;
  hand.sine_frequency = 1;
  must(slip_sim_add_body(sim, &ground, &none, &error), &error);
  must(slip_sim_add_body(sim, &ball, &held, &error), &error);
  must(slip_sim_add_body(sim, &hand, &holder, &error), &error);
  SlipJointDef joint = slip_default_joint_def();
  joint.kind = SLIP_JOINT_FIXED;
  joint.bodies[0] = held;
  joint.bodies[1] = holder;
  must(slip_sim_add_joint(sim, &joint, NULL, &error), &error);
  return sim;
}

static void loop(const char *name, const SlipContactRule *rule, double amplitude) {
  SlipSim *sim = make(rule, amplitude);
  SlipError error;
  for (int k = 0; k < 2 / STEP; k++) {
    SlipSimState state = slip_default_sim_state();
    must(slip_sim_step(sim, NULL, &error), &error);
    must(slip_sim_state(sim, &state, &error), &error);
    double force = 0;
    for (int32_t c = 0; c < state.contacts; c++)
      force += state.contact[c].impulse[2] / STEP * (state.contact[c].bodies[0] == 1 ? 1 : -1);
    if (k % EACH == 0)
      printf("%s %.6f %.6f\n", name, 1e3 * (state.position[3 + 2] - RADIUS), force);
  }
  slip_sim_free(sim);
}

int main(void) {
  SlipContactRule rule = slip_default_contact_rule();
  rule.friction = 0.5;
  rule.stiffness[0] = rule.stiffness[1] = 1e4;
  rule.damping_time = 1e-4;
  loop("spring", &rule, AMPLITUDE);
  rule.law = SLIP_CAPPED;
  rule.ball[0] = 2;
  rule.cap = 1e6;
  loop("pull", &rule, AMPLITUDE);
  rule.cap = 4;
  loop("crushed", &rule, AMPLITUDE);
  return 0;
}
