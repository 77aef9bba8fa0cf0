/* Drift of joints and penetration, taken out of the positions.
 *
 * The displacement d of least d.M d that brings joints back and opens contacts, to first order:
 * with y for velocities and lengths for w this is a problem of contact without friction, M d = H p,
 * H' d + g in the dual of the laws. Momenta are left alone. A contact that separates leaves by
 * itself: to lift it would add energy. */
#include <math.h>
#include <string.h>

#include "contact/bodies.h"
#include "sim/sim.h"

/* The gap at the end of the step, to first order, and what the contact was crushed by. */
static double gap_after(const SlipSim *sim, const SlipiContact *contact, double h) {
  double late = contact->late * (contact->after[0] - contact->before[0]);
  double rest = sim->def.inertia == SLIP_INERTIA_FULL ? 0.5 : 1; /* of the step, after the gap */
  return contact->gap + h * (rest * contact->after[0] + late) + slipi_contact_crushed(contact, h);
}

static bool separates(const SlipiContact *contact, double h) {
  return h * contact->after[0] > contact->tolerance;
}

static bool contacts_ask(const SlipSim *sim, double h, double *penetration) {
  bool asks = false;
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    double gap = gap_after(sim, contact, h);
    *penetration = fmax(*penetration, -gap);
    asks = asks || (gap < -contact->tolerance && !separates(contact, h) && contact->soft == 0 &&
                    !slipi_contact_gives(sim, contact));
  }
  return asks;
}

/* How far a block is from holding, as a share of its lever. */
static double block_drift(const SlipSim *sim, const SlipiJoint *joint, int block,
                          const double value[3]) {
  if (block == SLIPI_JOINT_MOTOR)
    return 0;
  if (block == SLIPI_JOINT_LOWER || block == SLIPI_JOINT_UPPER)
    return fmax(-value[0], 0);
  double square = 0;
  int bound = slipi_joint_bound(sim, joint, block);
  for (int c = 0; c < sim->def.dimension; c++)
    square += bound >> c & 1 ? value[c] * value[c] : 0;
  return sqrt(square);
}

static bool joints_ask(const SlipSim *sim, double *drift) {
  bool asks = false;
  for (int32_t k = 0; k < sim->joints; k++) {
    const SlipiJoint *joint = &sim->joint[k];
    SlipiJointRows rows;
    if (!joint->present)
      continue;
    slipi_sim_joint_at(sim, joint, false, &rows);
    for (int block = 0; block < SLIPI_JOINT_BLOCKS; block++) {
      if (!(rows.blocks >> block & 1))
        continue;
      double off = block_drift(sim, joint, block, rows.value[block]);
      *drift = fmax(*drift, off);
      asks = asks || off > sim->def.penetration * joint->lever;
    }
  }
  return asks;
}

/* ---- The problem ---- */

static bool add_joint(SlipSim *sim, const SlipiJoint *joint) {
  SlipiSimRows *to = &sim->corrections;
  SlipiJointRows rows;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  slipi_sim_joint_at(sim, joint, false, &rows);
  for (int block = 0; block < SLIPI_JOINT_MOTOR; block++) {
    if (!(rows.blocks >> block & 1))
      continue;
    int64_t k = slipi_sim_rows_add(to, d);
    if (k < 0)
      return false;
    bool limit = block == SLIPI_JOINT_LOWER || block == SLIPI_JOINT_UPPER;
    int held = limit ? 1 : slipi_joint_bound(sim, joint, block);
    to->kind[k] = limit ? SLIP_FRICTIONLESS : SLIP_BILATERAL;
    to->bound[k] = slipi_joint_bound(sim, joint, block);
    to->key[k] = (uint64_t)k;
    for (int side = 0; side < 2; side++) {
      int32_t slot = joint->body[side];
      to->body[2 * k + side] = slipi_sim_is_free(sim, slot) ? slot : -1;
      memcpy(to->H + (2 * k + side) * d * n, rows.H[block][side], (size_t)(d * n) * sizeof(double));
    }
    /* The way along a slider is free, and much longer than any drift: errors are relative to w. */
    for (int c = 0; c < d; c++)
      to->w[d * k + c] = held >> c & 1 ? rows.value[block][c] : 0;
  }
  return true;
}

/* Blocks of the step's problem, with gaps for velocities. */
static bool add_contact(SlipSim *sim, int32_t block, double h) {
  const SlipiSimRows *from = &sim->rows;
  SlipiSimRows *to = &sim->corrections;
  const SlipiContact *contact = &sim->contacts.at[from->from[2 * (int64_t)block + 1]];
  int d = sim->def.dimension, n = slipi_body_dof(d);
  bool moments = from->from[2 * (int64_t)block] != SLIPI_FROM_CONTACT;
  if (moments || separates(contact, h) || contact->soft > 0 ||
      slipi_contact_gives(sim, contact)) /* springs are meant to give, and so are elements */
    return true;
  int64_t k = slipi_sim_rows_add(to, d);
  if (k < 0)
    return false;
  to->kind[k] = SLIP_FRICTIONLESS;
  to->key[k] = (uint64_t)k;
  for (int side = 0; side < 2; side++) {
    int32_t body = from->body[2 * (int64_t)block + side];
    to->body[2 * k + side] = body < 0 ? -1 : from->slot[body];
  }
  memcpy(to->H + 2 * k * d * n, from->H + 2 * (int64_t)block * d * n,
         (size_t)(2 * d * n) * sizeof(double));
  to->w[d * k] = gap_after(sim, contact, h);
  return true;
}

static SlipStatus pose_problem(SlipSim *sim, double h, SlipError *error) {
  SlipiSimRows *to = &sim->corrections;
  int n = slipi_body_dof(sim->def.dimension);
  bool made = true;
  to->count = to->bodies = 0;
  for (int32_t k = 0; made && k < sim->joints; k++)
    made = !sim->joint[k].present || add_joint(sim, &sim->joint[k]);
  for (int32_t k = sim->rows.joints; made && k < sim->rows.count; k++)
    made = add_contact(sim, k, h);
  if (!made || !slipi_sim_rows_number(sim, to))
    return slipi_fail_memory(error, "a projection");
  memset(to->f, 0, (size_t)to->bodies * (size_t)n * sizeof(double));
  for (int32_t k = 0; k < to->bodies; k++)
    slipi_body_mass_block(sim, to->slot[k], sim->bodies.q + 4 * (int64_t)to->slot[k],
                          to->M + (int64_t)k * n * n);
  return SLIP_OK;
}

/* Steps of a projection that is hard, or impossible, are not worth many sweeps: the next step tries
 * again. */
static SlipStatus settings_of(const SlipSim *sim, SlipSettings *settings, SlipError *error) {
  SlipSettings *made;
  SlipStatus status = slip_settings_create(NULL, &made, error);
  if (status != SLIP_OK)
    return status;
  *settings = *made;
  slip_settings_free(made);
  settings->common[SLIPI_COMMON_TOL] = 1e-6;
  settings->common[SLIPI_COMMON_MAX_ITER] = 500;
  settings->common[SLIPI_COMMON_THREADS] = sim->settings.common[SLIPI_COMMON_THREADS];
  return SLIP_OK;
}

/* ---- Displacements ---- */

/* Of bodies in touch, in the root's `push`: what their contacts have dissipated in this step, what
 * their displacements add, whether they may add more than that, and the share that is made of them.
 */
enum { LOST, ADDED, UNBOUNDED, SHARE };

static double *sums_of(SlipSim *sim, int32_t slot) {
  return sim->bodies.push + 6 * (int64_t)slipi_island_root(&sim->bodies, slot);
}

/* Bodies are lifted at the cost of what their contacts dissipate: what has sunk in has fallen for
 * it, and where nothing is dissipated nothing sinks any deeper. Where joints hold, whose drift must
 * not grow, the motion of the bodies may pay as well, as it does after this (repay.c). Obstacles
 * that move and motors know no such bound. */
static void sum_lost(SlipSim *sim) {
  static const double SHARE_OF_MOTION = 0.1; /* a body may have several joints */
  const SlipiSimRows *rows = &sim->rows;
  for (int32_t k = 0; k < rows->bodies; k++)
    memset(sim->bodies.push + 6 * (int64_t)rows->slot[k], 0, 6 * sizeof(double));
  for (int64_t k = 0; k < rows->joints; k++) {
    for (int64_t side = 2 * k; side < 2 * k + 2; side++) {
      if (rows->body[side] < 0)
        continue;
      int32_t slot = rows->slot[rows->body[side]];
      double *sums = sums_of(sim, slot);
      sums[LOST] += SHARE_OF_MOTION * slipi_body_kinetic(sim, slot);
      sums[UNBOUNDED] = sums[UNBOUNDED] != 0 || slipi_joint_is_worked(sim, k);
    }
  }
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (contact->soft > 0) /* a deformable body keeps its own account */
      continue;
    double *sums = sums_of(sim, slipi_contact_free_body(sim, contact));
    sums[LOST] -= slipi_contact_gain(sim, contact);
    for (int side = 0; side < 2; side++) {
      if (sim->bodies.motion[contact->body[side]] == SLIP_MOTION_TOLD)
        sums[UNBOUNDED] = 1;
    }
  }
}

/* The energy that a share of a displacement adds to a body, which is moved, or only asked. */
static double displace_body(SlipSim *sim, int32_t slot, const double *d, double share, bool move) {
  SlipiBodies *b = &sim->bodies;
  int dimension = sim->def.dimension;
  double turn[3] = {0, 0, dimension == 2 ? share * d[2] : 0}, q[4], spin[3], added = 0;
  int64_t i = 3 * (int64_t)slot;
  memcpy(q, b->q + 4 * (int64_t)slot, sizeof q);
  for (int c = 0; c < dimension; c++) {
    added -= b->mass[slot] * sim->def.gravity[c] * share * d[c];
    if (dimension == 3)
      turn[c] = share * d[3 + c];
    if (move)
      b->x[i + c] += share * d[c];
  }
  slipi_rotate_by(turn, q);
  slipi_spin_of(b->moment + i, q, dimension, b->L + i, spin);
  slipi_sub(spin, b->spin + i, spin);
  added += slipi_dot3(b->L + i, spin) / 2;
  if (move) {
    memcpy(b->q + 4 * (int64_t)slot, q, sizeof q);
    slipi_body_to_frame(sim, slot);
  }
  return added;
}

/* The share of the displacements that adds no more than it may: what turning adds is not quite
 * linear in it. */
static void find_shares(SlipSim *sim, const double *d) {
  enum { ROUNDS = 3 };
  const SlipiSimRows *moved = &sim->corrections;
  int n = slipi_body_dof(sim->def.dimension);
  for (int32_t k = 0; k < sim->rows.bodies; k++)
    sim->bodies.push[6 * (int64_t)sim->rows.slot[k] + SHARE] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    for (int32_t k = 0; k < moved->bodies; k++)
      sums_of(sim, moved->slot[k])[ADDED] = 0;
    for (int32_t k = 0; k < moved->bodies; k++) {
      double *sums = sums_of(sim, moved->slot[k]);
      sums[ADDED] += displace_body(sim, moved->slot[k], d + (ptrdiff_t)n * k, sums[SHARE], false);
    }
    for (int32_t k = 0; k < sim->rows.bodies; k++) {
      double *sums = sim->bodies.push + 6 * (int64_t)sim->rows.slot[k];
      double lost = fmax(sums[LOST], 0);
      if (sums[UNBOUNDED] == 0 && sums[ADDED] > lost)
        sums[SHARE] *= lost / sums[ADDED];
    }
  }
}

/* Move the bodies, and the energy this adds. */
static double displace(SlipSim *sim, const double *d) {
  const SlipiSimRows *moved = &sim->corrections;
  int n = slipi_body_dof(sim->def.dimension);
  double added = 0;
  slipi_islands_join(sim);
  sum_lost(sim);
  find_shares(sim, d);
  for (int32_t k = 0; k < moved->bodies; k++)
    added += displace_body(sim, moved->slot[k], d + (ptrdiff_t)n * k,
                           sums_of(sim, moved->slot[k])[SHARE], true);
  slipi_islands_forget(sim);
  return added;
}

static double worst(const SlipSim *sim, const double *u) {
  int d = sim->def.dimension;
  double penetration = 0;
  for (int32_t k = 0; k < sim->corrections.count; k++) {
    if (sim->corrections.kind[k] == SLIP_FRICTIONLESS)
      penetration = fmax(penetration, -u[(int64_t)d * k]);
  }
  return penetration;
}

SlipStatus slipi_sim_project(SlipSim *sim, double h, double *added, SlipStepInfo *info,
                             SlipError *error) {
  double penetration = 0, drift = 0;
  *added = 0;
  bool asks = contacts_ask(sim, h, &penetration);
  asks = joints_ask(sim, &drift) || asks;
  info->penetration = penetration;
  info->drift = drift;
  if (!asks)
    return SLIP_OK;
  SlipSettings settings;
  SlipStatus status = pose_problem(sim, h, error);
  if (status == SLIP_OK && !sim->corrections.solver)
    status = settings_of(sim, &settings, error);
  if (status == SLIP_OK)
    status = slipi_sim_rows_pose(sim, &sim->corrections, &settings, error);
  if (status == SLIP_OK)
    status = slip_solver_run(sim->corrections.solver, error);
  if (status != SLIP_OK)
    return status;
  const SlipResult *result = slip_solver_result(sim->corrections.solver);
  if (result->outcome != SLIP_SOLVED)
    return SLIP_OK;
  *added = displace(sim, result->v);
  info->penetration = worst(sim, result->u);
  info->drift = 0;
  joints_ask(sim, &info->drift);
  return SLIP_OK;
}
