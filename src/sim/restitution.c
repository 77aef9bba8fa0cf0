/* Newton's law of impact with friction can add energy (Kane's example of a pendulum that hits the
 * ground while it slides): the normal velocity is reversed by what it was, whatever friction does
 * meanwhile. The sum of p.(u- + u+)/2 over the contacts of bodies in touch is then positive.
 * Without restitution it never is, but for the little that gravity does within a step, so that a
 * smaller coefficient keeps the energy. */
#include <math.h>

#include "sim/sim.h"

/* Bodies in touch are trees, whose roots stand for them; number is the parent's slot, and the
 * roots' `start` sums what they gain and what gravity may do. */
static int32_t root_of(SlipiBodies *b, int32_t slot) {
  while (b->number[slot] != slot) {
    b->number[slot] = b->number[b->number[slot]];
    slot = b->number[slot];
  }
  return slot;
}

static double *sums_of(SlipSim *sim, int32_t slot) {
  return sim->bodies.start + 4 * (int64_t)root_of(&sim->bodies, slot);
}

bool slipi_sim_bounces(const SlipSim *sim) {
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    if (sim->contacts.at[k].restitution > 0)
      return true;
  }
  return false;
}

static int32_t free_body(const SlipSim *sim, const SlipiContact *contact) {
  return contact->body[slipi_sim_is_free(sim, contact->body[0]) ? 0 : 1];
}

static void join_bodies(SlipSim *sim) {
  SlipiBodies *b = &sim->bodies;
  for (int32_t k = 0; k < sim->rows.bodies; k++)
    b->number[sim->rows.slot[k]] = sim->rows.slot[k];
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (slipi_sim_is_free(sim, contact->body[0]) && slipi_sim_is_free(sim, contact->body[1])) {
      int32_t x = root_of(b, contact->body[0]), y = root_of(b, contact->body[1]);
      b->number[x > y ? x : y] = x > y ? y : x;
    }
  }
}

static void sum_gains(SlipSim *sim, double h) {
  SlipiBodies *b = &sim->bodies;
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int64_t slot = sim->rows.slot[k];
    b->start[4 * slot] = b->start[4 * slot + 1] = 0;
  }
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int32_t slot = sim->rows.slot[k];
    const double *load = b->load + 3 * (int64_t)slot;
    sums_of(sim, slot)[1] += h * h * slipi_dot3(load, load) / b->mass[slot];
  }
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    double gain = 0;
    for (int c = 0; c < sim->def.dimension; c++)
      gain += slipi_dot3(contact->frame[c], contact->impulse) *
              (contact->before[c] + contact->after[c]) / 2;
    sums_of(sim, free_body(sim, contact))[0] += gain;
  }
}

static void sum_errors(SlipSim *sim, const SlipResult *result) {
  SlipiBodies *b = &sim->bodies;
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int64_t slot = sim->rows.slot[k];
    b->start[4 * slot] = b->start[4 * slot + 1] = 0;
  }
  double tol = sim->settings.common[SLIPI_COMMON_TOL];
  for (int32_t k = sim->rows.joints; k < sim->rows.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[sim->rows.from[2 * (int64_t)k + 1]];
    double *sums = sums_of(sim, free_body(sim, contact));
    sums[0] += result->contact_residual[k] * result->contact_residual[k];
    sums[1] = 0.01 * tol * tol;
  }
}

/* Where the first sum of bodies in touch exceeds the second. */
static bool lower(SlipSim *sim, double h, bool all) {
  SlipiSimRows *rows = &sim->rows;
  int64_t d = sim->def.dimension;
  bool lowered = false;
  for (int32_t k = rows->joints; k < rows->count; k++) {
    SlipiContact *contact = &sim->contacts.at[rows->from[2 * (int64_t)k + 1]];
    const double *sums = sums_of(sim, free_body(sim, contact));
    if (!(sums[0] > sums[1]) || contact->restitution == 0)
      continue;
    contact->restitution = all ? 0 : contact->restitution / 2;
    contact->lowered = true;
    rows->w[d * k] = contact->drive[0] + slipi_contact_shift(sim, contact, h);
    lowered = true;
  }
  return lowered;
}

static void forget_trees(SlipSim *sim) {
  for (int32_t k = 0; k < sim->rows.bodies; k++)
    sim->bodies.number[sim->rows.slot[k]] = -1;
}

bool slipi_sim_lower_restitution(SlipSim *sim, double h, bool all) {
  if (!slipi_sim_bounces(sim))
    return false;
  join_bodies(sim);
  sum_gains(sim, h);
  bool lowered = lower(sim, h, all);
  forget_trees(sim);
  return lowered;
}

bool slipi_sim_drop_restitution(SlipSim *sim, double h, const SlipResult *result) {
  if (!slipi_sim_bounces(sim))
    return false;
  join_bodies(sim);
  sum_errors(sim, result);
  bool lowered = lower(sim, h, true);
  forget_trees(sim);
  return lowered;
}
