/* Positions in time: to the middle of a step and to its end, for bodies and for obstacles that move
 * as told. */
#include <math.h>
#include <string.h>

#include "sim/sim.h"

static const double TWO_PI = 6.283185307179586;

static bool is_unit(const double q[4]) {
  return q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0;
}

void slipi_body_from_frame(SlipSim *sim, int32_t slot) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot, k4 = 4 * (int64_t)slot;
  double R[9], arm[3], swing[3];
  slipi_quaternion_matrix(b->rotation + k4, R);
  slipi_rotate(R, b->centre + i, arm);
  slipi_cross(b->spin + i, arm, swing);
  for (int k = 0; k < 3; k++) {
    b->x[i + k] = b->position[i + k] + arm[k];
    b->v[i + k] = b->velocity[i + k] + swing[k];
  }
  memcpy(b->q + k4, b->rotation + k4, 4 * sizeof(double));
  if (!is_unit(b->axes + k4))
    slipi_quaternion_product(b->rotation + k4, b->axes + k4, b->q + k4);
  if (b->motion[slot] == SLIP_MOTION_FREE)
    slipi_momentum_of(b->moment + i, b->q + k4, sim->def.dimension, b->spin + i, b->L + i);
}

void slipi_body_pose(const SlipSim *sim, int32_t slot, const double x[3], const double q[4],
                     SlipiPose *pose) {
  const SlipiBodies *b = &sim->bodies;
  double turned[4], back[4], arm[3];
  if (is_unit(b->axes + 4 * (int64_t)slot)) {
    slipi_quaternion_matrix(q, pose->R);
  } else {
    slipi_quaternion_conjugate(b->axes + 4 * (int64_t)slot, back);
    slipi_quaternion_product(q, back, turned);
    slipi_quaternion_matrix(turned, pose->R);
  }
  slipi_rotate(pose->R, b->centre + 3 * (int64_t)slot, arm);
  slipi_sub(x, arm, pose->position);
}

void slipi_body_to_frame(SlipSim *sim, int32_t slot) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot, k4 = 4 * (int64_t)slot;
  SlipiPose pose;
  double arm[3], swing[3], back[4];
  slipi_body_pose(sim, slot, b->x + i, b->q + k4, &pose);
  memcpy(b->position + i, pose.position, sizeof pose.position);
  memcpy(b->rotation + k4, b->q + k4, 4 * sizeof(double));
  if (!is_unit(b->axes + k4)) {
    slipi_quaternion_conjugate(b->axes + k4, back);
    slipi_quaternion_product(b->q + k4, back, b->rotation + k4);
  }
  slipi_spin_of(b->moment + i, b->q + k4, sim->def.dimension, b->L + i, b->spin + i);
  slipi_sub(b->x + i, b->position + i, arm);
  slipi_cross(b->spin + i, arm, swing);
  slipi_sub(b->v + i, swing, b->velocity + i);
}

/* ---- Obstacles ---- */

static double sine_at(const SlipiTold *told, double time) {
  return told->amplitude * sin(TWO_PI * told->frequency * fmax(time - told->from, 0));
}

/* How much of the time from `time` on, h long, the obstacle moves. */
static double moving_time(const SlipiTold *told, double time, double h) {
  return told ? fmin(fmax(time + h - told->from, 0), h) : h;
}

/* The middle of the step, and the mean velocity over all of it: over a step it moves an obstacle
 * exactly as far as told. */
static void predict_obstacle(SlipSim *sim, int32_t slot, double time, double h) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot, k4 = 4 * (int64_t)slot;
  bool moves = b->motion[slot] == SLIP_MOTION_TOLD;
  const SlipiTold *told = moves && b->told[slot] >= 0 ? &sim->told[b->told[slot]] : NULL;
  bool still = sim->def.inertia != SLIP_INERTIA_FULL; /* gaps are those at the start */
  double turn[3], share = moving_time(told, time, h) / h;
  double half = still ? 0 : moving_time(told, time, h / 2);
  memcpy(b->mid_q + k4, b->q + k4, 4 * sizeof(double));
  for (int k = 0; k < 3; k++) {
    double v = moves ? b->velocity[i + k] : 0, w = moves ? b->spin[i + k] : 0;
    b->mid_x[i + k] = b->x[i + k] + half * v;
    b->mid_v[i + k] = share * v;
    b->mid_spin[i + k] = share * w;
    turn[k] = half * w;
    if (told) {
      double now = sine_at(told, time), mid = sine_at(told, time + h / 2);
      b->mid_x[i + k] += still ? 0 : told->axis[k] * (mid - now);
      b->mid_v[i + k] += told->axis[k] * (sine_at(told, time + h) - now) / h;
    }
  }
  slipi_rotate_by(turn, b->mid_q + k4);
}

static void advance_obstacle(SlipSim *sim, int32_t slot, double time, double h) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot, k4 = 4 * (int64_t)slot;
  if (b->motion[slot] != SLIP_MOTION_TOLD)
    return;
  double turn[3];
  SlipiTold *told = b->told[slot] >= 0 ? &sim->told[b->told[slot]] : NULL;
  double lapse = moving_time(told, time, h);
  for (int k = 0; k < 3; k++) {
    turn[k] = lapse * b->spin[i + k];
    double step = lapse * b->velocity[i + k];
    if (told) {
      told->base[k] += step;
      b->x[i + k] = told->base[k] + told->axis[k] * sine_at(told, time + h);
    } else {
      b->x[i + k] += step;
    }
  }
  slipi_rotate_by(turn, b->q + k4);
  memcpy(b->position + i, b->x + i, 3 * sizeof(double));
  memcpy(b->rotation + k4, b->q + k4, 4 * sizeof(double));
}

/* ---- Free bodies ---- */

static void turn(const SlipSim *sim, int32_t slot, const double L[3], const double spin[3],
                 double t, double q[4]) {
  if (sim->def.gyroscopic == SLIP_GYROSCOPIC_IMPLICIT && sim->def.dimension == 3) {
    double by[3] = {t * spin[0], t * spin[1], t * spin[2]};
    slipi_rotate_by(by, q);
  } else {
    slipi_rotate_free(sim->bodies.moment + 3 * (int64_t)slot, L, t, sim->def.dimension, q);
  }
}

static void predict_body(SlipSim *sim, int32_t slot, double h) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot, k4 = 4 * (int64_t)slot;
  for (int k = 0; k < 3; k++) {
    b->mid_v[i + k] = b->v[i + k];
    b->mid_x[i + k] = b->x[i + k] + h / 2 * b->v[i + k];
  }
  memcpy(b->mid_q + k4, b->q + k4, 4 * sizeof(double));
  turn(sim, slot, b->L + i, b->spin + i, h / 2, b->mid_q + k4);
  if (sim->def.gyroscopic == SLIP_GYROSCOPIC_IMPLICIT)
    memcpy(b->mid_spin + i, b->spin + i, 3 * sizeof(double));
  else
    slipi_spin_of(b->moment + i, b->mid_q + k4, sim->def.dimension, b->L + i, b->mid_spin + i);
}

/* The impulses have changed L by `push` and moment_load, v to end_v and the spin to end_spin. */
static void advance_body(SlipSim *sim, int32_t slot, double h) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot, k4 = 4 * (int64_t)slot;
  double theta = sim->def.theta, L[3];
  bool midpoint = theta == 0.5, implicit = sim->def.gyroscopic == SLIP_GYROSCOPIC_IMPLICIT;
  for (int k = 0; k < 3; k++) {
    L[k] = b->L[i + k] + h * b->moment_load[i + k] + b->push[2 * i + 3 + k];
    double start = midpoint ? b->mid_x[i + k] : b->x[i + k] + h * (1 - theta) * b->v[i + k];
    b->x[i + k] = start + h * theta * b->end_v[i + k];
    b->v[i + k] = b->end_v[i + k];
  }
  if (midpoint)
    memcpy(b->q + k4, b->mid_q + k4, 4 * sizeof(double));
  else
    turn(sim, slot, b->L + i, b->spin + i, h * (1 - theta), b->q + k4);
  turn(sim, slot, L, b->end_spin + i, h * theta, b->q + k4);
  if (implicit)
    slipi_momentum_of(b->moment + i, b->q + k4, sim->def.dimension, b->end_spin + i, L);
  memcpy(b->L + i, L, sizeof L);
  slipi_body_to_frame(sim, slot);
}

/* ---- All ---- */

void slipi_sim_predict(SlipSim *sim, double time, double h) {
  for (int32_t slot = 0; slot < sim->bodies.count; slot++) {
    if (!sim->bodies.present[slot])
      continue;
    if (sim->bodies.motion[slot] == SLIP_MOTION_FREE)
      predict_body(sim, slot, h);
    else
      predict_obstacle(sim, slot, time, h);
  }
}

void slipi_sim_advance(SlipSim *sim, double time, double h) {
  for (int32_t slot = 0; slot < sim->bodies.count; slot++) {
    if (!sim->bodies.present[slot])
      continue;
    if (sim->bodies.motion[slot] == SLIP_MOTION_FREE)
      advance_body(sim, slot, h);
    else
      advance_obstacle(sim, slot, time, h);
  }
}
