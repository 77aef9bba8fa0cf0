/* A box and a ball on a slope of 20 degrees with friction 0.3, seen along it: gravity is tilted.
 * After one second the box slides at g (sin - 0.3 cos), the ball rolls at 5/7 g sin. */
#include <slipcone/sim.h>
#include <stdio.h>

int main(void) {
  const double sine = 0.3420201433256687, cosine = 0.9396926207859084;
  SlipSimDef def = slip_default_sim_def();
  SlipSim *sim;
  SlipError error;
  def.gravity[0] = 9.81 * sine;
  def.gravity[2] = -9.81 * cosine;
  if (slip_sim_create(&def, &sim, &error) != SLIP_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  SlipContactRule rule = slip_default_contact_rule(); /* for all materials */
  rule.friction = 0.3;
  slip_sim_add_rule(sim, &rule, NULL);

  SlipShapeDef shape = slip_default_shape_def();
  SlipBodyDef body = slip_default_body_def();
  body.shapes = &shape;
  body.shape_count = 1;
  body.name = "slope";
  body.motion = SLIP_MOTION_FIXED;
  shape.kind = SLIP_SHAPE_HALF_SPACE;
  shape.normal[2] = 1;
  slip_sim_add_body(sim, &body, NULL, NULL);
  body.motion = SLIP_MOTION_FREE;
  body.position[2] = 0.1;
  body.name = "box";
  shape.kind = SLIP_SHAPE_BOX;
  shape.edges[0] = shape.edges[1] = shape.edges[2] = 0.2;
  slip_sim_add_body(sim, &body, NULL, NULL);
  body.position[1] = 1;
  body.name = "ball";
  shape.kind = SLIP_SHAPE_SPHERE;
  shape.radius = 0.1;
  slip_sim_add_body(sim, &body, NULL, NULL);

  SlipStepInfo info = slip_default_step_info();
  for (int step = 0; step < 200; step++) /* of 5 ms */
    if (slip_sim_step(sim, &info, &error) != SLIP_OK)
      return fprintf(stderr, "%s\n", error.text), 1;
  SlipSimState state = slip_default_sim_state();
  slip_sim_state(sim, &state, NULL);
  printf("box %.6f (%.6f), ", state.velocity[3 * slip_sim_find_body(sim, "box").index],
         9.81 * (sine - 0.3 * cosine));
  printf("ball %.6f (%.6f)\n", state.velocity[3 * slip_sim_find_body(sim, "ball").index],
         9.81 * sine * 5 / 7);
  slip_sim_free(sim);
}
