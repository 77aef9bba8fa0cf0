/* Joints as blocks of the contact problem: how far each is from holding, and the rows of H.
 *
 * All values are lengths: turns are multiplied by the joint's lever. A row is the derivative of its
 * value with respect to the motion of the bodies (up to terms in the drift). Impulses of a block
 * act on both bodies at the same point, or along the line between two: they change no momentum. */
#include <math.h>
#include <string.h>

#include "contact/bodies.h"
#include "sim/sim.h"

/* A joint as the bodies are now. */
typedef struct Place {
  int d;
  double arm[2][3], at[2][3], across[3]; /* across: from the second point to the first */
  double axis[2][3][3];                  /* the joint's axes as each body has turned them */
} Place;

static void find_place(const SlipSim *sim, const SlipiJoint *joint, const double *const x[2],
                       const double *const q[2], Place *place) {
  place->d = sim->def.dimension;
  for (int k = 0; k < 2; k++) {
    double R[9], turned[4];
    slipi_quaternion_matrix(q[k], R);
    slipi_rotate(R, joint->anchor[k], place->arm[k]);
    slipi_along(x[k], 1, place->arm[k], place->at[k]);
    slipi_quaternion_product(q[k], joint->axes[k], turned);
    slipi_quaternion_matrix(turned, R);
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < 3; i++)
        place->axis[k][c][i] = R[3 * i + c];
  }
  slipi_sub(place->at[0], place->at[1], place->across);
}

/* Rows of both bodies for motions along a frame at one point of each. */
static void point_rows(const Place *place, double frame[3][3], const double *const x[2],
                       double at[2][3], double H[2][18]) {
  for (int k = 0; k < 2; k++) {
    double arm[3];
    slipi_sub(at[k], x[k], arm);
    slipi_contact_arm(place->d, arm, frame, k == 0 ? 1 : -1, H[k]);
  }
}

/* Row `row`: the turn of the first body against the second about an axis. In 2D all are about z. */
static void turn_row(const Place *place, int row, double factor, const double axis[3],
                     double H[2][18]) {
  int d = place->d, n = slipi_body_dof(d);
  for (int k = 0; k < 2; k++) {
    double *to = H[k] + (ptrdiff_t)row * n, sign = k == 0 ? factor : -factor;
    memset(to, 0, (size_t)n * sizeof *to);
    for (int i = 0; d == 3 && i < 3; i++)
      to[3 + i] = sign * axis[i];
    if (d == 2)
      to[2] = sign;
  }
}

/* ---- Points ---- */

static void hold_point(const Place *place, const double *const x[2], double value[3],
                       double H[2][18]) {
  double frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, at[2][3];
  for (int k = 0; k < 3; k++) {
    value[k] = place->across[k];
    at[0][k] = at[1][k] = (place->at[0][k] + place->at[1][k]) / 2;
  }
  point_rows(place, frame, x, at, H);
}

static void hold_distance(const SlipiJoint *joint, const Place *place, const double *const x[2],
                          double value[3], double H[2][18]) {
  double frame[3][3] = {{0}}, length = slipi_length(place->across), at[2][3], normal[3];
  for (int k = 0; k < 3; k++)
    normal[k] = length > 0 ? place->across[k] / length : (double)(k == 0);
  value[0] = length - joint->length;
  value[1] = value[2] = 0;
  slipi_contact_frame(place->d, normal, frame);
  memcpy(at, place->at, sizeof at);
  point_rows(place, frame, x, at, H);
}

/* Along the axes of the first body; they turn with it, which makes the second body's point that of
 * both rows. */
static void hold_line(const Place *place, const double *const x[2], double value[3],
                      double H[2][18]) {
  double frame[3][3], at[2][3];
  memcpy(frame, place->axis[0], sizeof frame);
  for (int c = 0; c < 3; c++)
    value[c] = slipi_dot3(place->across, frame[c]);
  for (int k = 0; k < 2; k++)
    memcpy(at[k], place->at[1], sizeof at[k]);
  point_rows(place, frame, x, at, H);
}

/* ---- Turns ---- */

/* The turn of the first body's axis about its second and third ones; or, of all three axes, the
 * small rotation vector between them. */
static void hold_turn(const SlipiJoint *joint, const Place *place, double value[3],
                      double H[2][18]) {
  double between[3] = {0}, lever = joint->lever;
  bool all = joint->kind != SLIP_JOINT_HINGE;
  for (int c = 0; c < (all ? 3 : 1); c++) {
    double turn[3];
    slipi_cross(place->axis[1][c], place->axis[0][c], turn);
    slipi_along(between, all ? 0.5 : 1, turn, between);
  }
  memset(value, 0, 3 * sizeof *value);
  if (place->d == 2) {
    value[0] = lever * between[2];
    turn_row(place, 0, lever, NULL, H);
    turn_row(place, 1, lever, NULL, H); /* not bound */
    return;
  }
  for (int c = 0; c < 3; c++) {
    value[c] = lever * slipi_dot3(between, place->axis[0][c]);
    turn_row(place, c, lever, place->axis[0][c], H);
  }
}

/* The angle of the first body against the second about the axis, near `turned`. */
static double angle_of(const SlipiJoint *joint, const Place *place) {
  const double TWO_PI = 6.283185307179586;
  double c = slipi_dot3(place->axis[0][1], place->axis[1][1]);
  double s = slipi_dot3(place->axis[0][1], place->axis[1][2]);
  double angle = atan2(s, c);
  return angle + TWO_PI * round((joint->turned - angle) / TWO_PI);
}

/* ---- Limits and motors ---- */

/* One row along the joint's freedom, in row `row`; the others turn about or move along the axes
 * across and bear no impulse. */
static void free_row(const SlipiJoint *joint, const Place *place, const double *const x[2], int row,
                     double sign, double H[2][18]) {
  int d = place->d, n = slipi_body_dof(d);
  double along[2][18], value[3];
  if (joint->kind == SLIP_JOINT_HINGE) {
    turn_row(place, row, sign * joint->lever, place->axis[0][0], H);
    return;
  }
  hold_line(place, x, value, along);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n; i++)
      H[k][row * n + i] = sign * along[k][i];
}

static void limit_rows(const SlipiJoint *joint, const Place *place, const double *const x[2],
                       SlipiJointRows *rows) {
  bool turns = joint->kind == SLIP_JOINT_HINGE;
  double lever = turns ? joint->lever : 1;
  double travel = turns ? angle_of(joint, place) : slipi_dot3(place->across, place->axis[0][0]);
  const double room[2] = {travel - joint->lower, joint->upper - travel};
  for (int side = 0; side < 2; side++) {
    int block = SLIPI_JOINT_LOWER + side;
    if (!isfinite(room[side]))
      continue;
    rows->blocks |= 1 << block;
    rows->value[block][0] = lever * room[side];
    for (int row = 0; row < place->d; row++)
      free_row(joint, place, x, row, side == 0 ? 1 : -1, rows->H[block]);
  }
}

void slipi_joint_rows(const SlipSim *sim, const SlipiJoint *joint, const double *const x[2],
                      const double *const q[2], SlipiJointRows *rows) {
  Place place;
  find_place(sim, joint, x, q, &place);
  rows->blocks = 1 << SLIPI_JOINT_POINT;
  double *value = rows->value[SLIPI_JOINT_POINT];
  if (joint->kind == SLIP_JOINT_DISTANCE)
    hold_distance(joint, &place, x, value, rows->H[SLIPI_JOINT_POINT]);
  else if (joint->kind == SLIP_JOINT_SLIDER)
    hold_line(&place, x, value, rows->H[SLIPI_JOINT_POINT]);
  else
    hold_point(&place, x, value, rows->H[SLIPI_JOINT_POINT]);
  bool turns = joint->kind == SLIP_JOINT_SLIDER || joint->kind == SLIP_JOINT_FIXED ||
               (joint->kind == SLIP_JOINT_HINGE && place.d == 3);
  if (turns) {
    rows->blocks |= 1 << SLIPI_JOINT_TURN;
    hold_turn(joint, &place, rows->value[SLIPI_JOINT_TURN], rows->H[SLIPI_JOINT_TURN]);
  }
  if (joint->limited)
    limit_rows(joint, &place, x, rows);
  if (joint->motor) {
    rows->blocks |= 1 << SLIPI_JOINT_MOTOR;
    memset(rows->H[SLIPI_JOINT_MOTOR], 0, sizeof rows->H[SLIPI_JOINT_MOTOR]);
    free_row(joint, &place, x, 1, 1, rows->H[SLIPI_JOINT_MOTOR]);
  }
}

/* Where the two bodies of a joint are. */
static void find_bodies(const SlipSim *sim, const SlipiJoint *joint, bool middle,
                        const double *x[2], const double *q[2]) {
  static const double origin[3], no_turn[4] = {1, 0, 0, 0};
  const SlipiBodies *b = &sim->bodies;
  for (int side = 0; side < 2; side++) {
    int64_t slot = joint->body[side];
    x[side] = slot < 0 ? origin : (middle ? b->mid_x : b->x) + 3 * slot;
    q[side] = slot < 0 ? no_turn : (middle ? b->mid_q : b->q) + 4 * slot;
  }
}

void slipi_sim_joint_at(const SlipSim *sim, const SlipiJoint *joint, bool middle,
                        SlipiJointRows *rows) {
  const double *x[2], *q[2];
  find_bodies(sim, joint, middle, x, q);
  slipi_joint_rows(sim, joint, x, q, rows);
}

void slipi_sim_keep_angles(SlipSim *sim) {
  for (int32_t k = 0; k < sim->joints; k++) {
    SlipiJoint *joint = &sim->joint[k];
    const double *x[2], *q[2];
    Place place;
    if (!joint->present || joint->kind != SLIP_JOINT_HINGE)
      continue;
    find_bodies(sim, joint, false, x, q);
    find_place(sim, joint, x, q, &place);
    joint->turned = angle_of(joint, &place);
  }
}

int slipi_joint_bound(const SlipSim *sim, const SlipiJoint *joint, int block) {
  int all = sim->def.dimension == 3 ? 7 : 3;
  if (block == SLIPI_JOINT_TURN)
    return sim->def.dimension == 2 ? 1 : joint->kind == SLIP_JOINT_HINGE ? 6 : 7;
  if (joint->kind == SLIP_JOINT_DISTANCE)
    return 1;
  return joint->kind == SLIP_JOINT_SLIDER ? all & ~1 : all;
}
