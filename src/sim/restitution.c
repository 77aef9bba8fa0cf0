/* Newton's law of impact with friction can add energy (Kane's example of a pendulum that hits the
 * ground while it slides): the normal velocity is reversed by what it was, whatever friction does
 * meanwhile. The sum of p.(u- + u+)/2 over the contacts of bodies in touch is then positive.
 * Without restitution it is at most what gravity does within a step, so that a smaller coefficient
 * keeps the energy. */
#include <math.h>

#include "sim/sim.h"

/* The roots' `start` sums what bodies in touch gain, what they may, and the error of both. */
static double *sums_of(SlipSim *sim, int32_t slot) {
  return sim->bodies.start + 4 * (int64_t)slipi_island_root(&sim->bodies, slot);
}

bool slipi_sim_bounces(const SlipSim *sim) {
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    if (sim->contacts.at[k].restitution > 0)
      return true;
  }
  return false;
}

static void clear_sums(SlipSim *sim) {
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    double *sums = sim->bodies.start + 4 * (int64_t)sim->rows.slot[k];
    sums[0] = sums[1] = sums[2] = 0;
  }
}

/* What gravity does within the step may be gained: it is taken back by where the bodies end
 * (slipi_sim_end_late). Beyond it only what the solver's tolerance makes. */
static void sum_gains(SlipSim *sim, double h) {
  SlipiBodies *b = &sim->bodies;
  double tol = sim->settings.common[SLIPI_COMMON_TOL];
  clear_sums(sim);
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int32_t slot = sim->rows.slot[k];
    const double *load = b->load + 3 * (int64_t)slot;
    double *sums = sums_of(sim, slot);
    sums[1] += slipi_body_turned(sim, slot, h);
    sums[2] += 10 * tol * h * h * slipi_dot3(load, load) / b->mass[slot];
  }
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (contact->soft > 0) /* a deformable body keeps its own account */
      continue;
    double *sums = sums_of(sim, slipi_contact_free_body(sim, contact));
    sums[0] += slipi_contact_gain(sim, contact);
    sums[2] += 10 * tol * slipi_length(contact->impulse) *
               (slipi_length(contact->before) + slipi_length(contact->after));
  }
}

static void sum_errors(SlipSim *sim, const SlipResult *result) {
  clear_sums(sim);
  double tol = sim->settings.common[SLIPI_COMMON_TOL];
  for (int32_t k = sim->rows.joints; k < sim->rows.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[sim->rows.from[2 * (int64_t)k + 1]];
    if (contact->soft > 0) /* a deformable body keeps its own account */
      continue;
    double *sums = sums_of(sim, slipi_contact_free_body(sim, contact));
    sums[0] += result->contact_residual[k] * result->contact_residual[k];
    sums[2] = 0.01 * tol * tol;
  }
}

/* Where bodies in touch gain more than they may. */
static bool lower(SlipSim *sim, double h, bool all) {
  SlipiSimRows *rows = &sim->rows;
  int64_t d = sim->def.dimension;
  bool lowered = false;
  for (int32_t k = rows->joints; k < rows->count; k++) {
    SlipiContact *contact = &sim->contacts.at[rows->from[2 * (int64_t)k + 1]];
    if (rows->from[2 * (int64_t)k] != SLIPI_FROM_CONTACT)
      continue;
    if (contact->soft > 0) /* a deformable body keeps its own account */
      continue;
    const double *sums = sums_of(sim, slipi_contact_free_body(sim, contact));
    if (!(sums[0] > fmax(sums[1], 0) + sums[2]) || contact->restitution == 0)
      continue;
    contact->restitution = all ? 0 : contact->restitution / 2;
    contact->lowered = true;
    rows->w[d * k] = contact->drive[0] + slipi_contact_shift(sim, contact, h);
    lowered = true;
  }
  return lowered;
}

bool slipi_sim_lower_restitution(SlipSim *sim, double h, bool all) {
  if (!slipi_sim_bounces(sim))
    return false;
  slipi_islands_join(sim);
  sum_gains(sim, h);
  bool lowered = lower(sim, h, all);
  slipi_islands_forget(sim);
  return lowered;
}

bool slipi_sim_drop_restitution(SlipSim *sim, double h, const SlipResult *result) {
  if (!slipi_sim_bounces(sim))
    return false;
  slipi_islands_join(sim);
  sum_errors(sim, result);
  bool lowered = lower(sim, h, true);
  slipi_islands_forget(sim);
  return lowered;
}
