/* The contact problem of a step: M v = H r + f, u = H' v + w in the form of bodies, with one block
 * for each contact point and for each part of a joint. Only bodies that are touched are in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "contact/bodies.h"
#include "sim/soft.h"

/* ---- Blocks ---- */

int32_t slipi_sim_rows_add(SlipiSimRows *rows, int d) {
  int32_t capacity = rows->capacity;
  int64_t count = (int64_t)rows->count + 1;
  if (count > capacity) {
#define GROW(type, name, values)                                                                   \
  capacity = rows->capacity;                                                                       \
  if (!slipi_room(&rows->name, &capacity, count, (values) * sizeof(type)))                         \
    return -1;
    SLIPI_ROW_ARRAYS(GROW)
#undef GROW
    rows->capacity = capacity;
  }
  int64_t k = rows->count++;
  rows->kind[k] = SLIP_COULOMB;
  rows->flow[k] = SLIP_FLOW_COULOMB;
  rows->bound[k] = 0;
  rows->mu[k] = rows->radius[k] = rows->cohesion[k] = 0;
  rows->ball[k] = rows->ball_tangential[k] = rows->cap[k] = rows->spinning[k] = 0;
  for (int c = 0; c < d; c++)
    rows->w[d * k + c] = rows->r[d * k + c] = 0;
  for (int c = 0; c < d * d; c++) {
    rows->frame[d * d * k + c] = c % (d + 1) == 0;
    rows->compliance[d * d * k + c] = 0;
  }
  return (int32_t)k;
}

void slipi_sim_rows_free(SlipiSimRows *rows) {
#define FREE(type, name, values) free(rows->name);
  SLIPI_ROW_ARRAYS(FREE)
#undef FREE
  free(rows->slot);
  free(rows->M);
  free(rows->f);
  slip_solver_free(rows->solver);
  slip_problem_free(rows->problem);
}

/* ---- Bodies ---- */

void slipi_body_mass_block(const SlipSim *sim, int32_t slot, const double q[4], double *M) {
  const SlipiBodies *b = &sim->bodies;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  const double *moment = b->moment + 3 * (int64_t)slot;
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  for (int k = 0; k < d; k++)
    M[k * n + k] = b->mass[slot];
  if (d == 2) {
    M[8] = moment[2];
    return;
  }
  double R[9];
  slipi_quaternion_matrix(q, R);
  bool sphere = moment[0] == moment[1] && moment[1] == moment[2];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = sphere && i == j ? moment[0] : 0;
      for (int k = 0; !sphere && k < 3; k++)
        sum += R[3 * i + k] * moment[k] * R[3 * j + k];
      M[(3 + i) * 6 + 3 + j] = M[(3 + j) * 6 + 3 + i] = sum;
    }
  }
}

/* The gyroscopic moment w x J w taken at theta of the step, linear in the new spin: its derivative
 * is [w] J - [J w], which is added to M, and what is left of it goes to f. */
static void add_gyroscopic(const SlipSim *sim, const double spin[3], double h, double *M,
                           double *f) {
  double J[9], Jw[3], moment[3], theta = sim->def.theta;
  for (int i = 0; i < 3; i++)
    memcpy(J + (ptrdiff_t)3 * i, M + (ptrdiff_t)(3 + i) * 6 + 3, 3 * sizeof(double));
  slipi_rotate(J, spin, Jw);
  slipi_cross(spin, Jw, moment);
  for (int j = 0; j < 3; j++) {
    double column[3] = {J[j], J[3 + j], J[6 + j]}, unit[3] = {j == 0, j == 1, j == 2};
    double turned[3], back[3];
    slipi_cross(spin, column, turned);
    slipi_cross(Jw, unit, back);
    for (int i = 0; i < 3; i++)
      M[(3 + i) * 6 + 3 + j] += h * theta * (turned[i] - back[i]);
  }
  for (int k = 0; k < 3; k++)
    f[3 + k] += h * (2 * theta - 1) * moment[k];
}

bool slipi_sim_rows_number(SlipSim *sim, SlipiSimRows *rows) {
  SlipiBodies *b = &sim->bodies;
  int32_t n = slipi_body_dof(sim->def.dimension);
  for (int64_t k = 0; k < 2 * (int64_t)rows->count; k++) {
    if (rows->body[k] >= 0)
      b->number[rows->body[k]] = 0;
  }
  rows->bodies = 0;
  for (int32_t slot = 0; slot < b->count; slot++) {
    if (b->number[slot] >= 0)
      b->number[slot] = rows->bodies++;
  }
  int32_t room[3] = {rows->body_capacity, rows->body_capacity, rows->body_capacity};
  bool made = SLIPI_ROOM(rows->slot, room[0], rows->bodies) &&
              slipi_room(&rows->M, &room[1], rows->bodies, (size_t)(n * n) * sizeof(double)) &&
              slipi_room(&rows->f, &room[2], rows->bodies, (size_t)n * sizeof(double));
  rows->body_capacity = made ? room[0] : rows->body_capacity;
  for (int64_t k = 0; made && k < 2 * (int64_t)rows->count; k++) {
    if (rows->body[k] >= 0) {
      rows->slot[b->number[rows->body[k]]] = rows->body[k];
      rows->body[k] = b->number[rows->body[k]];
    }
  }
  for (int32_t slot = 0; slot < b->count; slot++)
    b->number[slot] = -1;
  return made;
}

void slipi_body_equation(const SlipSim *sim, int32_t slot, double h, double *M, double *f) {
  const SlipiBodies *b = &sim->bodies;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  int64_t i = 3 * (int64_t)slot;
  bool implicit = sim->def.gyroscopic == SLIP_GYROSCOPIC_IMPLICIT && d == 3;
  double L[3];
  slipi_body_mass_block(sim, slot, b->mid_q + 4 * (int64_t)slot, M);
  memcpy(L, b->L + i, sizeof L);
  if (implicit) /* the spin is the state, not the momentum */
    slipi_momentum_of(b->moment + i, b->mid_q + 4 * (int64_t)slot, d, b->mid_spin + i, L);
  for (int c = 0; c < d; c++)
    f[c] = b->mass[slot] * b->mid_v[i + c] + h * b->load[i + c];
  for (int c = d; c < n; c++) {
    int axis = d == 3 ? c - 3 : 2;
    f[c] = L[axis] + h * b->moment_load[i + axis];
  }
  if (implicit)
    add_gyroscopic(sim, b->mid_spin + i, h, M, f);
}

/* ---- Contacts ---- */

static int32_t free_slot(const SlipSim *sim, int32_t slot) {
  return slipi_sim_is_free(sim, slot) ? slot : -1;
}

static bool is_obstacle(const SlipSim *sim, int32_t slot) {
  return slot >= 0 && sim->bodies.motion[slot] != SLIP_MOTION_FREE &&
         sim->bodies.motion[slot] != SLIPI_MOTION_SOFT;
}

/* Velocities before the impulses, and the share of obstacles in them. */
static void set_velocities(const SlipSim *sim, SlipiContact *contact) {
  const SlipiBodies *b = &sim->bodies;
  SlipiContact part = *contact;
  slipi_contact_velocity(sim, contact, b->mid_v, b->mid_spin, contact->before);
  for (int k = 0; k < 2; k++)
    part.body[k] = is_obstacle(sim, contact->body[k]) ? contact->body[k] : -1;
  slipi_contact_velocity(sim, &part, b->mid_v, b->mid_spin, contact->drive);
}

static bool add_contact(SlipSim *sim, int32_t index, double h) {
  SlipiSimRows *rows = &sim->rows;
  SlipiContact *contact = &sim->contacts.at[index];
  int d = sim->def.dimension, n = slipi_body_dof(d);
  int64_t k = slipi_sim_rows_add(rows, d);
  if (k < 0)
    return false;
  set_velocities(sim, contact);
  slipi_yield_begin(sim, contact);
  for (int side = 0; side < 2; side++) {
    int32_t slot = free_slot(sim, contact->body[side]);
    double arm[3];
    rows->body[2 * k + side] = slot;
    if (slot < 0)
      continue;
    slipi_sub(contact->point, sim->bodies.mid_x + 3 * (int64_t)slot, arm);
    slipi_contact_arm(d, arm, contact->frame, side == 0 ? 1 : -1, rows->H + (2 * k + side) * d * n);
  }
  for (int c = 0; c < d; c++) {
    rows->w[d * k + c] = contact->drive[c];
    rows->r[d * k + c] = slipi_dot3(contact->frame[c], contact->impulse);
    memcpy(rows->frame + d * d * k + (ptrdiff_t)d * c, contact->frame[c],
           (size_t)d * sizeof(double));
  }
  rows->w[d * k] += slipi_contact_shift(sim, contact, h);
  slipi_yield_row(sim, contact, k, h);
  rows->kind[k] = contact->law;
  rows->flow[k] = contact->flow;
  rows->mu[k] = contact->mu;
  rows->key[k] = contact->key;
  rows->from[2 * k] = SLIPI_FROM_CONTACT;
  rows->from[2 * k + 1] = index;
  return !slipi_contact_rolls(sim, contact) || slipi_roll_add(sim, index);
}

/* ---- Joints ---- */

/* The joint half a step after the middle, with these velocities and spins. */
static void joint_at_end(const SlipSim *sim, const SlipiJoint *joint, const double *v,
                         const double *spin, double h, SlipiJointRows *rows) {
  const SlipiBodies *b = &sim->bodies;
  double end_x[2][3] = {{0}}, end_q[2][4] = {{1}, {1}};
  for (int side = 0; side < 2; side++) {
    int64_t slot = joint->body[side];
    double turn[3];
    if (slot < 0)
      continue;
    for (int k = 0; k < 3; k++)
      turn[k] = h / 2 * spin[3 * slot + k];
    slipi_along(b->mid_x + 3 * slot, h / 2, v + 3 * slot, end_x[side]);
    memcpy(end_q[side], b->mid_q + 4 * slot, sizeof end_q[side]);
    slipi_rotate_by(turn, end_q[side]);
  }
  slipi_joint_rows(sim, joint, (const double *const[]){end_x[0], end_x[1]},
                   (const double *const[]){end_q[0], end_q[1]}, rows);
}

/* Row c of a block times velocities of the bodies, all or obstacles only. */
static double row_velocity(const SlipSim *sim, const SlipiJoint *joint, double H[2][18], int c,
                           const double *v, const double *spin, bool obstacles) {
  const SlipiBodies *b = &sim->bodies;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int64_t slot = joint->body[side];
    const double *row = H[side] + (ptrdiff_t)c * n;
    if (slot < 0 || (obstacles && b->motion[slot] == SLIP_MOTION_FREE))
      continue;
    for (int k = 0; k < d; k++)
      sum += row[k] * v[3 * slot + k];
    for (int k = d; k < n; k++)
      sum += row[k] * spin[3 * slot + (d == 3 ? k - 3 : 2)];
  }
  return sum;
}

static double least_mass(const SlipSim *sim, const SlipiJoint *joint) {
  double least = INFINITY;
  for (int side = 0; side < 2; side++) {
    if (free_slot(sim, joint->body[side]) >= 0)
      least = fmin(least, sim->bodies.mass[joint->body[side]]);
  }
  return least;
}

/* The motor drives row 1. The other rows are empty: a compliance leaves them without impulse. */
static void set_motor(SlipSim *sim, const SlipiJoint *joint, int64_t k, double h) {
  SlipiSimRows *rows = &sim->rows;
  int d = sim->def.dimension;
  double lever = joint->kind == SLIP_JOINT_HINGE ? joint->lever : 1;
  rows->kind[k] = SLIP_TRESCA;
  rows->radius[k] = joint->effort * h / lever;
  rows->w[d * k + 1] -= joint->speed * lever;
  for (int c = 0; c < d; c += 2)
    rows->compliance[d * d * k + (ptrdiff_t)(d + 1) * c] = 1 / least_mass(sim, joint);
  rows->gives = true;
}

/* A joint is held at the end of the step, where its rows are predicted to have turned to: their
 * change times the velocity goes to w. With the rows of the middle alone, velocities would be those
 * of half a step before, and every step would stretch the joint and lose energy. */
static void set_hold(const SlipSim *sim, const SlipiJoint *joint, int block, double H[2][18],
                     const double *v, const double *spin, double h, double w[3]) {
  const SlipiBodies *b = &sim->bodies;
  SlipiJointRows end;
  joint_at_end(sim, joint, v, spin, h, &end);
  for (int c = 0; c < sim->def.dimension; c++)
    w[c] = row_velocity(sim, joint, H, c, b->mid_v, b->mid_spin, true) +
           row_velocity(sim, joint, end.H[block], c, v, spin, false) -
           row_velocity(sim, joint, H, c, v, spin, false);
}

/* How fast the bodies of a joint move after the step. */
static double speed_of(const SlipSim *sim, const SlipiJoint *joint) {
  double most = 0;
  for (int side = 0; side < 2; side++) {
    int64_t slot = joint->body[side];
    if (slot < 0)
      continue;
    const double *v = sim->bodies.end_v + 3 * slot, *spin = sim->bodies.end_spin + 3 * slot;
    most = fmax(most, sqrt(slipi_dot3(v, v)) + joint->lever * sqrt(slipi_dot3(spin, spin)));
  }
  return most;
}

/* Changes that the tolerance of the solver would hide are none. */
bool slipi_sim_hold_again(SlipSim *sim, double h) {
  static const double MUCH = 0.1; /* of w, or of what turning at all makes of it */
  double tol = sim->settings.common[SLIPI_COMMON_TOL];
  const SlipiBodies *b = &sim->bodies;
  SlipiSimRows *rows = &sim->rows;
  int d = sim->def.dimension;
  bool again = false;
  for (int64_t k = 0; k < rows->joints; k++) {
    const SlipiJoint *joint = &sim->joint[rows->from[2 * k]];
    SlipiJointRows middle;
    double w[3], *old = rows->w + d * k, change = 0, size = 0;
    if (rows->kind[k] != SLIP_BILATERAL)
      continue;
    slipi_sim_joint_at(sim, joint, true, &middle);
    int block = rows->from[2 * k + 1];
    set_hold(sim, joint, block, middle.H[block], b->end_v, b->end_spin, h, w);
    for (int c = 0; c < d; c++) {
      change = fmax(change, rows->bound[k] >> c & 1 ? fabs(w[c] - old[c]) : 0);
      size = fmax(size, fmax(fabs(w[c]), fabs(old[c])));
    }
    if (change > fmax(MUCH * size, tol * speed_of(sim, joint))) {
      memcpy(old, w, (size_t)d * sizeof *w);
      again = true;
    }
  }
  return again;
}

/* Sums over connected bodies, in the root's `start`. */
enum { GAIN, MOST };

static double *sums_of(SlipSim *sim, int32_t slot) {
  return sim->bodies.start + 4 * (int64_t)slipi_island_root(&sim->bodies, slot);
}

static void sum_holds(SlipSim *sim, double h) {
  static const double SHARE = 1e-3; /* of the kinetic energy */
  SlipiBodies *b = &sim->bodies;
  const SlipiSimRows *rows = &sim->rows;
  for (int32_t k = 0; k < rows->bodies; k++)
    b->start[4 * (int64_t)rows->slot[k] + GAIN] = b->start[4 * (int64_t)rows->slot[k] + MOST] = 0;
  for (int32_t k = 0; k < rows->bodies; k++) {
    int32_t slot = rows->slot[k];
    const double *load = b->load + 3 * (int64_t)slot;
    sums_of(sim, slot)[MOST] +=
        SHARE * slipi_body_kinetic(sim, slot) + h * h * slipi_dot3(load, load) / b->mass[slot];
  }
  for (int32_t k = 0; k < rows->joints; k++) {
    const SlipiJoint *joint = &sim->joint[rows->from[2 * (int64_t)k]];
    if (rows->kind[k] == SLIP_BILATERAL && !slipi_joint_is_driven(sim, joint))
      sums_of(sim, slipi_block_free_body(rows, k))[GAIN] += slipi_joint_work(sim, k);
  }
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (contact->soft > 0) /* a deformable body keeps its own account */
      continue;
    sums_of(sim, slipi_contact_free_body(sim, contact))[GAIN] += slipi_contact_gain(sim, contact);
  }
}

bool slipi_sim_let_go(SlipSim *sim, double h, bool all) {
  const SlipiBodies *b = &sim->bodies;
  SlipiSimRows *rows = &sim->rows;
  bool again = false;
  if (rows->joints == 0)
    return false;
  slipi_islands_join(sim);
  sum_holds(sim, h);
  for (int64_t k = 0; k < rows->joints; k++) {
    const SlipiJoint *joint = &sim->joint[rows->from[2 * k]];
    const double *sums = sums_of(sim, slipi_block_free_body(rows, k));
    if (rows->kind[k] != SLIP_BILATERAL || !(all || sums[GAIN] > sums[MOST]))
      continue;
    SlipiJointRows middle;
    slipi_sim_joint_at(sim, joint, true, &middle);
    for (int c = 0; c < sim->def.dimension; c++)
      rows->w[sim->def.dimension * k + c] =
          row_velocity(sim, joint, middle.H[rows->from[2 * k + 1]], c, b->mid_v, b->mid_spin, true);
    again = true;
  }
  slipi_islands_forget(sim);
  return again;
}

static bool add_block(SlipSim *sim, int32_t index, int block, SlipiJointRows *middle, double h) {
  SlipiSimRows *rows = &sim->rows;
  SlipiJoint *joint = &sim->joint[index];
  int d = sim->def.dimension, n = slipi_body_dof(d);
  int64_t k = slipi_sim_rows_add(rows, d);
  if (k < 0)
    return false;
  double ratio = sim->last_step > 0 ? h / sim->last_step : 0;
  for (int side = 0; side < 2; side++) {
    rows->body[2 * k + side] = free_slot(sim, joint->body[side]);
    memcpy(rows->H + (2 * k + side) * d * n, middle->H[block][side],
           (size_t)(d * n) * sizeof(double));
  }
  for (int c = 0; c < d; c++) {
    rows->w[d * k + c] = row_velocity(sim, joint, middle->H[block], c, sim->bodies.mid_v,
                                      sim->bodies.mid_spin, true);
    rows->r[d * k + c] = ratio * joint->impulse[block][c];
  }
  if (block == SLIPI_JOINT_MOTOR) {
    set_motor(sim, joint, k, h);
  } else if (block == SLIPI_JOINT_LOWER || block == SLIPI_JOINT_UPPER) {
    rows->kind[k] = SLIP_FRICTIONLESS;
    rows->w[d * k] += fmax(middle->value[block][0], 0) / h;
  } else {
    rows->kind[k] = SLIP_BILATERAL;
    rows->bound[k] = slipi_joint_bound(sim, joint, block);
    set_hold(sim, joint, block, middle->H[block], sim->bodies.mid_v, sim->bodies.mid_spin, h,
             rows->w + d * k);
  }
  uint64_t name = slipi_hash_word((uint64_t)index << 32 | joint->generation, 0x4a);
  rows->key[k] = slipi_hash_word(name, (uint64_t)block);
  rows->from[2 * k] = index;
  rows->from[2 * k + 1] = block;
  rows->joints++;
  return true;
}

static bool add_joint(SlipSim *sim, int32_t index, double h) {
  SlipiJointRows middle;
  slipi_sim_joint_at(sim, &sim->joint[index], true, &middle);
  for (int block = 0; block < SLIPI_JOINT_BLOCKS; block++) {
    if ((middle.blocks >> block & 1) && !add_block(sim, index, block, &middle, h))
      return false;
  }
  return true;
}

/* ---- The problem ---- */

SlipStatus slipi_sim_assemble(SlipSim *sim, double h, SlipError *error) {
  SlipiSimRows *rows = &sim->rows;
  bool made = true;
  rows->count = rows->joints = rows->bodies = 0;
  rows->gives = rows->holds = rows->rolls = false;
  for (int32_t k = 0; made && k < sim->joints; k++)
    made = !sim->joint[k].present || add_joint(sim, k, h);
  for (int32_t k = 0; made && k < sim->contacts.count; k++)
    made = add_contact(sim, k, h);
  if (!made || !slipi_sim_rows_number(sim, rows))
    return slipi_fail_memory(error, "the contact problem of a step");
  int n = slipi_body_dof(sim->def.dimension);
  for (int32_t k = 0; k < rows->bodies; k++)
    slipi_body_equation(sim, rows->slot[k], h, rows->M + (int64_t)k * n * n,
                        rows->f + (int64_t)k * n);
  return SLIP_OK;
}

static SlipStatus set_problem(SlipiSimRows *rows, const SlipSettings *settings,
                              const SlipBodiesData *data, SlipError *error) {
  SlipStatus status = rows->problem ? slip_problem_set_bodies(rows->problem, data, error)
                                    : slip_problem_create_bodies(data, &rows->problem, error);
  if (status != SLIP_OK)
    return status;
  return rows->solver ? slip_solver_set_problem(rows->solver, rows->problem, error)
                      : slip_solver_create(rows->problem, settings, &rows->solver, error);
}

SlipLaws slipi_sim_rows_laws(const SlipiSimRows *rows) {
  SlipLaws laws = slip_default_laws();
  laws.kind = rows->kind;
  laws.mu = rows->mu;
  laws.flow = rows->flow;
  laws.bound = rows->bound;
  laws.radius = rows->radius;
  if (rows->holds) {
    laws.cohesion = rows->cohesion;
    laws.ball = rows->ball;
    laws.ball_tangential = rows->ball_tangential;
    laws.cap = rows->cap;
  }
  if (rows->rolls)
    laws.spinning = rows->spinning;
  return laws;
}

SlipStatus slipi_sim_rows_pose(SlipSim *sim, SlipiSimRows *rows, const SlipSettings *settings,
                               SlipError *error) {
  SlipLaws laws = slipi_sim_rows_laws(rows);
  if (rows == &sim->rows && sim->softs && sim->softs->count > 0)
    return slipi_soft_pose(sim, rows, settings, &laws, error);
  SlipBodiesData data = slip_default_bodies_data();
  data.dimension = sim->def.dimension;
  data.bodies = rows->bodies;
  data.contacts = rows->count;
  data.M = rows->M;
  data.body = rows->body;
  data.H = rows->H;
  data.f = rows->f;
  data.w = rows->w;
  data.laws = &laws;
  data.key = rows->key;
  data.frame = rows->frame;
  data.compliance = rows->gives ? rows->compliance : NULL;
  SlipStatus status = set_problem(rows, settings, &data, error);
  return status == SLIP_OK ? slip_solver_warm_start(rows->solver, rows->r, error) : status;
}
