/* Adding and removing joints, and which bodies they keep from touching each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/bodies.h"
#include "sim/sim.h"

static bool has_axis(const SlipJointDef *def) {
  return def->kind == SLIP_JOINT_HINGE || def->kind == SLIP_JOINT_SLIDER;
}

/* ---- Checks ---- */

static SlipStatus check_drive(const SlipJointDef *def, SlipError *error) {
  if ((def->limited || def->motor) && !has_axis(def))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "only hinges and sliders have limits or motors");
  if (def->limited && !(def->lower <= def->upper))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the limits are %g and %g, the lower one first",
                      def->lower, def->upper);
  if (def->motor &&
      (!isfinite(def->motor_speed) || !(def->motor_effort >= 0) || !isfinite(def->motor_effort)))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the motor has speed %g and effort %g, which must not be negative",
                      def->motor_speed, def->motor_effort);
  return SLIP_OK;
}

static SlipStatus check_places(const SlipSim *sim, const SlipJointDef *def, SlipError *error) {
  int d = sim->def.dimension;
  SlipStatus status = slipi_sim_planar(d, "at", def->at, false, error);
  if (status == SLIP_OK)
    status = slipi_sim_planar(d, "other", def->other, false, error);
  bool flat_axis = d == 2 && def->kind == SLIP_JOINT_SLIDER;
  if (status == SLIP_OK)
    status = slipi_sim_planar(flat_axis ? 2 : 3, "axis", def->axis, false, error);
  bool needs_axis = has_axis(def) && !(d == 2 && def->kind == SLIP_JOINT_HINGE);
  if (status == SLIP_OK && needs_axis && !(slipi_length(def->axis) > 0))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "the axis is 0 but must have a direction");
  double across[3];
  slipi_sub(def->at, def->other, across);
  if (status == SLIP_OK && def->kind == SLIP_JOINT_DISTANCE && !(slipi_length(across) > 0))
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "the points of a distance joint are the same: use a ball joint");
  return status;
}

/* The bodies: the second may be the world. */
static SlipStatus check_bodies(const SlipSim *sim, const SlipJointDef *def, int32_t body[2],
                               SlipError *error) {
  bool moves = false;
  for (int k = 0; k < 2; k++) {
    body[k] = -1;
    if (def->bodies[k].generation == 0 && k == 1)
      continue;
    SlipStatus status = slipi_sim_slot(sim, def->bodies[k], &body[k], error);
    if (status != SLIP_OK)
      return status;
    moves = moves || sim->bodies.motion[body[k]] == SLIP_MOTION_FREE;
  }
  if (body[0] == body[1])
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "both bodies of a joint are body %d",
                      (int)body[0]);
  if (!moves)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "neither body of the joint can be moved");
  return SLIP_OK;
}

static SlipStatus check_joint(const SlipSim *sim, const SlipJointDef *def, int32_t body[2],
                              SlipError *error) {
  if (def->kind < SLIP_JOINT_BALL || def->kind > SLIP_JOINT_DISTANCE)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no kind of joint %d", (int)def->kind);
  SlipStatus status = check_places(sim, def, error);
  if (status == SLIP_OK)
    status = check_drive(def, error);
  return status == SLIP_OK ? check_bodies(sim, def, body, error) : status;
}

/* ---- Making ---- */

static const double ORIGIN[3];
static const double NO_TURN[4] = {1, 0, 0, 0};

/* Radius of gyration: turns times it are comparable with motions. */
static double lever_of(const SlipSim *sim, const int32_t body[2]) {
  const SlipiBodies *b = &sim->bodies;
  double lever = INFINITY;
  for (int k = 0; k < 2; k++) {
    if (body[k] < 0 || b->motion[body[k]] != SLIP_MOTION_FREE)
      continue;
    const double *moment = b->moment + 3 * (int64_t)body[k];
    double mean = sim->def.dimension == 2 ? moment[2] : (moment[0] + moment[1] + moment[2]) / 3;
    lever = fmin(lever, sqrt(mean / b->mass[body[k]]));
  }
  return lever;
}

/* The joint's axes in world axes: in 2D a slider's axis, its normal, z; a hinge's is z. */
static void world_axes(const SlipSim *sim, const SlipJointDef *def, double q[4]) {
  double axis[3] = {0, 0, 1}, frame[3][3], R[9];
  double length = slipi_length(def->axis);
  bool flat = sim->def.dimension == 2;
  for (int k = 0; has_axis(def) && !(flat && def->kind == SLIP_JOINT_HINGE) && k < 3; k++)
    axis[k] = def->axis[k] / length;
  slipi_contact_frame(3, axis, frame);
  if (flat && def->kind == SLIP_JOINT_SLIDER) {
    const double plane[2][3] = {{-axis[1], axis[0], 0}, {0, 0, 1}};
    memcpy(frame[1], plane, sizeof plane);
  }
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      R[3 * i + c] = frame[c][i];
  slipi_quaternion_of(R, q);
}

static void set_side(const SlipSim *sim, SlipiJoint *joint, int side, const double at[3],
                     const double axes[4]) {
  int32_t slot = joint->body[side];
  const double *x = slot < 0 ? ORIGIN : sim->bodies.x + 3 * (int64_t)slot;
  const double *q = slot < 0 ? NO_TURN : sim->bodies.q + 4 * (int64_t)slot;
  double R[9], arm[3], back[4];
  slipi_quaternion_matrix(q, R);
  slipi_sub(at, x, arm);
  slipi_rotate_back(R, arm, joint->anchor[side]);
  slipi_quaternion_conjugate(q, back);
  slipi_quaternion_product(back, axes, joint->axes[side]);
}

static void set_joint(SlipSim *sim, const SlipJointDef *def, const int32_t body[2],
                      SlipiJoint *joint) {
  double axes[4], across[3];
  joint->kind = def->kind;
  joint->limited = def->limited != 0;
  joint->motor = def->motor != 0;
  joint->collide = def->collide != 0;
  joint->lower = def->lower;
  joint->upper = def->upper;
  joint->speed = def->motor_speed;
  joint->effort = def->motor_effort;
  joint->lever = lever_of(sim, body);
  world_axes(sim, def, axes);
  for (int k = 0; k < 2; k++) {
    joint->body[k] = body[k];
    bool other = k == 1 && def->kind == SLIP_JOINT_DISTANCE;
    set_side(sim, joint, k, other ? def->other : def->at, axes);
    if (body[k] >= 0)
      sim->bodies.jointed[body[k]] = 1;
  }
  slipi_sub(def->at, def->other, across);
  joint->length = slipi_length(across);
}

/* The first free place, so that handles stay small. */
static int32_t find_place(const SlipSim *sim) {
  int32_t k = sim->joints_present == sim->joints ? sim->joints : 0;
  while (k < sim->joints && sim->joint[k].present)
    k++;
  return k;
}

SlipStatus slip_sim_add_joint(SlipSim *sim, const SlipJointDef *def, SlipJointId *joint,
                              SlipError *error) {
  int32_t body[2];
  slipi_error_clear(error);
  if (joint)
    *joint = (SlipJointId){-1, 0};
  if (!sim || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim or def is null");
  SlipJointDef known = slip_default_joint_def();
  SlipStatus status = slipi_versioned_read("joint_def", def, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = check_joint(sim, &known, body, error);
  if (status != SLIP_OK) {
    if (known.name)
      slipi_error_prefix(error, "joint '%s'", known.name);
    return status;
  }
  int32_t place = find_place(sim);
  char *name = known.name ? slipi_name_copy(known.name) : NULL;
  if ((known.name && !name) || !SLIPI_ROOM(sim->joint, sim->joint_capacity, (int64_t)place + 1)) {
    free(name);
    return slipi_fail_memory(error, "a joint");
  }
  uint32_t generation = place < sim->joints ? sim->joint[place].generation : 0;
  SlipiJoint made = {.generation = generation + 1, .present = true, .name = name};
  set_joint(sim, &known, body, &made);
  sim->joint[place] = made;
  sim->joints = place < sim->joints ? sim->joints : place + 1;
  sim->joints_present++;
  sim->apart_stale = true;
  if (joint)
    *joint = (SlipJointId){place, made.generation};
  return SLIP_OK;
}

/* ---- Removing ---- */

static void drop(SlipSim *sim, int32_t place) {
  SlipiJoint *joint = &sim->joint[place];
  free(joint->name);
  joint->name = NULL;
  joint->present = false;
  sim->joints_present--;
  sim->apart_stale = true;
}

SlipStatus slip_sim_remove_joint(SlipSim *sim, SlipJointId joint, SlipError *error) {
  slipi_error_clear(error);
  if (!sim)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim is null");
  if (joint.generation == 0 || joint.index < 0 || joint.index >= sim->joints)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the handle is of joint %d, of which there is none", (int)joint.index);
  const SlipiJoint *there = &sim->joint[joint.index];
  if (!there->present || there->generation != joint.generation)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the handle is of joint %d of generation %u, which was removed",
                      (int)joint.index, (unsigned)joint.generation);
  drop(sim, joint.index);
  return SLIP_OK;
}

void slipi_sim_drop_joints(SlipSim *sim, int32_t slot) {
  for (int32_t k = 0; sim->bodies.jointed[slot] && k < sim->joints; k++) {
    const SlipiJoint *joint = &sim->joint[k];
    if (joint->present && (joint->body[0] == slot || joint->body[1] == slot))
      drop(sim, k);
  }
}

/* ---- Bodies that do not touch ---- */

static uint64_t pair_of(int32_t a, int32_t b) {
  uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
  return (uint64_t)low << 32 | high;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

SlipStatus slipi_sim_list_apart(SlipSim *sim, SlipError *error) {
  if (!sim->apart_stale)
    return SLIP_OK;
  if (!SLIPI_ROOM(sim->apart, sim->apart_capacity, (int64_t)sim->joints + 1))
    return slipi_fail_memory(error, "the joints");
  sim->apart_count = 0;
  for (int32_t k = 0; k < sim->joints; k++) {
    const SlipiJoint *joint = &sim->joint[k];
    if (joint->present && !joint->collide && joint->body[1] >= 0)
      sim->apart[sim->apart_count++] = pair_of(joint->body[0], joint->body[1]);
  }
  qsort(sim->apart, (size_t)sim->apart_count, sizeof *sim->apart, compare);
  sim->apart_stale = false;
  return SLIP_OK;
}

bool slipi_sim_are_apart(const SlipSim *sim, int32_t a, int32_t b) {
  if (!sim->bodies.jointed[a] || !sim->bodies.jointed[b] || sim->apart_count == 0)
    return false;
  uint64_t pair = pair_of(a, b);
  return bsearch(&pair, sim->apart, (size_t)sim->apart_count, sizeof pair, compare) != NULL;
}
