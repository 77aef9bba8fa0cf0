/* Small simulations for tests. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_SIM_CASE_H
#define SLIPCONE_TESTS_SIM_CASE_H

#include <slipcone/sim.h>

enum { SIM_GRAVITY_MM = 9810 }; /* mm/s2 */
#define SIM_G (SIM_GRAVITY_MM / 1000.0)

/* 3D, gravity along -z, policy stop, tolerance tol; dimension 2: gravity along -y. */
SlipSim *sim_make(int dimension, double step, double tol);
/* The same with a definition of the test's. */
SlipSim *sim_make_def(const SlipSimDef *def, double tol);
/* One rule for all contacts. */
void sim_rule(SlipSim *sim, double friction, double restitution);
/* A rule that a simulation refuses with a sentence that has this text. */
void sim_rule_refused(const SlipContactRule *rule, const char *text);
/* A fixed half-space below the plane through the origin with this normal. */
SlipBodyId sim_plane(SlipSim *sim, double x, double y, double z);

SlipShapeDef sim_sphere(double radius);
SlipShapeDef sim_box(double x, double y, double z);
/* A free body of density 1000 at rest; then by setters. */
SlipBodyId sim_body(SlipSim *sim, const SlipShapeDef *shape, double x, double y, double z);
SlipBodyId sim_body_def(SlipSim *sim, const SlipBodyDef *def);
void sim_turn(SlipSim *sim, SlipBodyId body, double ax, double ay, double az, double angle);
void sim_throw(SlipSim *sim, SlipBodyId body, double vx, double vy, double vz, double wx, double wy,
               double wz);
SlipJointId sim_joint(SlipSim *sim, const SlipJointDef *def);

/* A rule with friction 0.5. */
SlipContactRule sim_sticky(SlipLaw law);
/* A ball of mass 1 and radius SIM_BALL that touches the ground, without gravity. */
#define SIM_BALL 0.1
typedef struct SimBall {
  SlipSim *sim;
  SlipBodyId body;
} SimBall;
SimBall sim_ball_on_ground(const SlipContactRule *rule, double step);
/* Steps under a force; the height of the ball's lowest point afterwards. */
double sim_push(const SimBall *ball, double fx, double fz, int steps);
void sim_push_along(const SimBall *ball, const double force[3], int steps);

/* Steps that must succeed; the info of the last. */
SlipStepInfo sim_steps(SlipSim *sim, int count);

const double *sim_position(SlipSim *sim, SlipBodyId body);
const double *sim_rotation(SlipSim *sim, SlipBodyId body);
const double *sim_velocity(SlipSim *sim, SlipBodyId body);
const double *sim_spin(SlipSim *sim, SlipBodyId body);

#endif
