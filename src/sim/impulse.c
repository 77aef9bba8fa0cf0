/* Velocities after the forces and impulses of a step. Impulses are added to the momenta of the two
 * bodies with opposite signs, so that no collision changes the sum. */
#include <string.h>

#include "contact/bodies.h"
#include "linalg/dense3.h"
#include "sim/soft.h"

void slipi_contact_velocity(const SlipSim *sim, const SlipiContact *contact, const double *v,
                            const double *spin, double u[3]) {
  double relative[3] = {0};
  for (int side = 0; side < 2; side++) {
    int64_t slot = contact->body[side];
    if (slot < 0 || sim->bodies.motion[slot] == SLIP_MOTION_FIXED)
      continue;
    double arm[3], swing[3], sign = side == 0 ? 1 : -1;
    if (sim->bodies.motion[slot] == SLIPI_MOTION_SOFT) {
      slipi_soft_velocity(sim, contact, side, v == sim->bodies.end_v, swing);
      for (int k = 0; k < 3; k++)
        relative[k] += sign * swing[k];
      continue;
    }
    slipi_sub(contact->point, sim->bodies.mid_x + 3 * slot, arm);
    slipi_cross(spin + 3 * slot, arm, swing);
    for (int k = 0; k < 3; k++)
      relative[k] += sign * (v[3 * slot + k] + swing[k]);
  }
  u[2] = 0;
  for (int c = 0; c < sim->def.dimension; c++)
    u[c] = slipi_dot3(contact->frame[c], relative);
}

/* With implicit gyroscopic terms the spin is that of the problem's unsymmetric M. */
static void kick_implicit(SlipSim *sim, int32_t slot, double h) {
  const double *push = sim->bodies.push + 6 * (int64_t)slot;
  double M[36], f[6], J[9], moment[3];
  SlipiSolution3 solution;
  slipi_body_equation(sim, slot, h, M, f);
  for (int i = 0; i < 3; i++) {
    memcpy(J + (ptrdiff_t)3 * i, M + (ptrdiff_t)6 * (3 + i) + 3, 3 * sizeof(double));
    moment[i] = f[3 + i] + push[3 + i];
  }
  slipi_dense3_solve(J, moment, 0, &solution);
  memcpy(sim->bodies.end_spin + 3 * (int64_t)slot, solution.x, sizeof solution.x);
}

/* end_v and end_spin from the momenta. */
static void kick_body(SlipSim *sim, int32_t slot, double h) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot;
  double L[3];
  for (int k = 0; k < 3; k++) {
    double change = h * b->load[i + k] + b->push[2 * i + k];
    b->end_v[i + k] = b->mid_v[i + k] + change / b->mass[slot];
    L[k] = b->L[i + k] + h * b->moment_load[i + k] + b->push[2 * i + 3 + k];
  }
  if (sim->def.gyroscopic == SLIP_GYROSCOPIC_IMPLICIT && sim->def.dimension == 3)
    kick_implicit(sim, slot, h);
  else
    slipi_spin_of(b->moment + i, b->mid_q + 4 * (int64_t)slot, sim->def.dimension, L,
                  b->end_spin + i);
}

void slipi_sim_kick_free(SlipSim *sim, double h) {
  SlipiBodies *b = &sim->bodies;
  for (int32_t slot = 0; slot < b->count; slot++) {
    int64_t i = 3 * (int64_t)slot;
    if (!b->present[slot])
      continue;
    memset(b->push + 2 * i, 0, 6 * sizeof(double));
    if (b->motion[slot] == SLIP_MOTION_FREE) {
      kick_body(sim, slot, h);
    } else {
      memcpy(b->end_v + i, b->mid_v + i, 3 * sizeof(double));
      memcpy(b->end_spin + i, b->mid_spin + i, 3 * sizeof(double));
    }
  }
}

static void push_bodies(SlipSim *sim, int32_t block, const double *r) {
  const SlipiSimRows *rows = &sim->rows;
  int d = sim->def.dimension, n = slipi_body_dof(d);
  for (int side = 0; side < 2; side++) {
    int32_t body = rows->body[2 * (int64_t)block + side];
    const double *H = rows->H + (2 * (int64_t)block + side) * d * n;
    if (body < 0)
      continue;
    double *push = sim->bodies.push + 6 * (int64_t)rows->slot[body];
    for (int c = 0; c < d; c++) {
      for (int k = 0; k < d; k++)
        push[k] += H[c * n + k] * r[c];
      for (int k = d; k < n; k++)
        push[d == 3 ? k : 5] += H[c * n + k] * r[c];
    }
  }
}

static void keep_impulse(SlipSim *sim, int32_t block, const SlipResult *result) {
  const int32_t *from = sim->rows.from + 2 * (int64_t)block;
  int d = sim->def.dimension;
  const double *r = result->r + (int64_t)d * block, *u = result->u + (int64_t)d * block;
  if (from[0] >= 0) {
    memcpy(sim->joint[from[0]].impulse[from[1]], r, (size_t)d * sizeof *r);
    return;
  }
  SlipiContact *contact = &sim->contacts.at[from[1]];
  if (from[0] == SLIPI_FROM_MOMENTS) {
    slipi_roll_keep(sim, contact, r);
    return;
  }
  contact->status = result->status[block];
  for (int c = 0; c < 3; c++)
    contact->flowed[c] = c < d ? u[c] : 0;
  for (int k = 0; k < 3; k++) {
    contact->impulse[k] = 0;
    for (int c = 0; c < d; c++)
      contact->impulse[k] += contact->frame[c][k] * r[c];
  }
}

/* The velocity at the end of contacts of deformable bodies, W r more than without impulses, which
 * is what these bodies and the others have now. */
static void see_soft(SlipSim *sim, int32_t block, const SlipResult *result) {
  const int32_t *from = sim->rows.from + 2 * (int64_t)block;
  int d = sim->def.dimension;
  int64_t first = (int64_t)d * block;
  SlipiContact *contact = from[0] == SLIPI_FROM_CONTACT ? &sim->contacts.at[from[1]] : NULL;
  if (!contact || contact->soft == 0)
    return;
  slipi_contact_velocity(sim, contact, sim->bodies.end_v, sim->bodies.end_spin, contact->after);
  for (int c = 0; c < d; c++)
    contact->after[c] += result->u[first + c] - sim->softs->q[first + c];
}

static void kick_rigid(SlipSim *sim, double h, const SlipResult *result) {
  int d = sim->def.dimension;
  for (int32_t k = 0; k < sim->rows.count; k++) {
    push_bodies(sim, k, result->r + (int64_t)d * k);
    keep_impulse(sim, k, result);
  }
  for (int32_t k = 0; k < sim->rows.bodies; k++)
    kick_body(sim, sim->rows.slot[k], h);
}

/* The velocity of contacts after the step: of all, or of those without deformable bodies. */
static void see_contacts(SlipSim *sim, bool all) {
  const SlipiBodies *b = &sim->bodies;
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    SlipiContact *contact = &sim->contacts.at[k];
    if (all || contact->soft == 0)
      slipi_contact_velocity(sim, contact, b->end_v, b->end_spin, contact->after);
  }
}

SlipStatus slipi_sim_kick(SlipSim *sim, double h, const SlipResult *result, SlipError *error) {
  kick_rigid(sim, h, result);
  see_contacts(sim, false);
  return slipi_sim_kick_soft(sim, result, error);
}

SlipStatus slipi_sim_kick_soft(SlipSim *sim, const SlipResult *result, SlipError *error) {
  if (!sim->softs || sim->softs->count == 0)
    return SLIP_OK;
  SlipStatus status = slipi_soft_kick(sim, result, error);
  see_contacts(sim, true);
  return status;
}

SlipStatus slipi_sim_try(SlipSim *sim, double h, const SlipResult *result, SlipError *error) {
  if (!sim->softs || sim->softs->count == 0 || sim->rows.gives || sim->softs->factored)
    return slipi_sim_kick(sim, h, result, error);
  for (int32_t k = 0; k < sim->softs->count; k++) {
    SlipiSoft *soft = sim->softs->at[k];
    memcpy(soft->end_v, soft->free_v, 3 * (size_t)soft->nodes * sizeof *soft->end_v);
  }
  for (int32_t k = 0; k < sim->rows.count; k++)
    see_soft(sim, k, result);
  kick_rigid(sim, h, result);
  see_contacts(sim, false);
  return SLIP_OK;
}
