/* Gravity can turn bodies in touch around within a step: one that leaves slowly in its first half
 * is pressed on in its second. Impulses p then do the work p.(u- + u+)/2 > 0, because positions are
 * moved by the mean of both velocities: the bodies end a little too high.
 *
 * With M (v+ - v-) = h F + H p that work is p.u+ - |v+ - v-|_M^2 / 2 + h F.(v+ - v-)/2. Without
 * restitution p.u+ is not positive, so that where it is positive forces have turned bodies their
 * own way, and all of it can be taken back by ending later along v+: x+ = x + h ((1/2 - late) v- +
 * (1/2 + late) v+), with late at most 1/2. For gravity, whose work is the potential energy, late is
 * chosen for each set of bodies in touch so that nothing is gained. Gaps at the end lie between
 * those of the two velocities, so that nothing sinks in either. */
#include <math.h>
#include <string.h>

#include "sim/sim.h"

/* Sums of a set of bodies in touch, in the root's `push`, which has been used up. */
enum { GAIN, TURNED, LEAST, TURNING, SKIP, LATE };

static double *sums_of(SlipSim *sim, int32_t slot) {
  return sim->bodies.push + 6 * (int64_t)slipi_island_root(&sim->bodies, slot);
}

double slipi_body_turned(const SlipSim *sim, int32_t slot, double h) {
  const SlipiBodies *b = &sim->bodies;
  double change[3];
  slipi_sub(b->end_v + 3 * (int64_t)slot, b->mid_v + 3 * (int64_t)slot, change);
  return h / 2 * b->mass[slot] * slipi_dot3(sim->def.gravity, change);
}

/* Whether anything is gained that is more than what the tolerance leaves. */
static bool sum_gains(SlipSim *sim, double h) {
  SlipiBodies *b = &sim->bodies;
  double tol = sim->settings.common[SLIPI_COMMON_TOL];
  const double *g = sim->def.gravity;
  bool gained = false;
  for (int32_t k = 0; k < sim->rows.bodies; k++)
    memset(b->push + 6 * (int64_t)sim->rows.slot[k], 0, 6 * sizeof(double));
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int32_t slot = sim->rows.slot[k];
    double *sums = sums_of(sim, slot);
    sums[TURNED] += slipi_body_turned(sim, slot, h);
    sums[LEAST] += 1e-3 * tol * b->mass[slot] * h * h * slipi_dot3(g, g);
  }
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (contact->soft > 0) /* a deformable body keeps its own account */
      continue;
    double *sums = sums_of(sim, slipi_contact_free_body(sim, contact));
    sums[GAIN] += slipi_contact_gain(sim, contact);
    if (!slipi_contact_is_plain(sim, contact))
      sums[SKIP] = 1;
  }
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    double *sums = b->push + 6 * (int64_t)sim->rows.slot[k];
    bool gains = sums[SKIP] == 0 && sums[GAIN] > sums[LEAST] && sums[TURNED] > 0;
    sums[LATE] = gains ? fmin(0.5 * sums[GAIN] / sums[TURNED], 0.5) : 0;
    gained = gained || gains;
  }
  return gained;
}

static void turn_of(const SlipiBodies *b, int32_t slot, double time, double turn[3]) {
  slipi_sub(b->end_spin + 3 * (int64_t)slot, b->mid_spin + 3 * (int64_t)slot, turn);
  for (int k = 0; k < 3; k++)
    turn[k] *= time;
}

/* Turning a body out of its free motion changes its kinetic energy: the sum of it. */
static void sum_turning(SlipSim *sim, double h) {
  SlipiBodies *b = &sim->bodies;
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int32_t slot = sim->rows.slot[k];
    double *sums = sums_of(sim, slot), turn[3], spin[3], q[4];
    if (!(sums[LATE] > 0))
      continue;
    memcpy(q, b->q + 4 * (int64_t)slot, sizeof q);
    turn_of(b, slot, sums[LATE] * h, turn);
    slipi_rotate_by(turn, q);
    slipi_spin_of(b->moment + 3 * (int64_t)slot, q, sim->def.dimension, b->L + 3 * (int64_t)slot,
                  spin);
    slipi_sub(spin, b->spin + 3 * (int64_t)slot, spin);
    sums[TURNING] += slipi_dot3(b->L + 3 * (int64_t)slot, spin) / 2;
  }
}

/* Move a body on; the energy this takes. */
static double move(SlipSim *sim, int32_t slot, double h) {
  SlipiBodies *b = &sim->bodies;
  const double *sums = sums_of(sim, slot);
  int64_t i = 3 * (int64_t)slot;
  double turn[3], late = sums[LATE];
  if (!(late > 0))
    return 0;
  double all = 0.5 * (sums[GAIN] + sums[TURNING]) / sums[TURNED];
  bool turns = all >= 0 && all <= 0.5;
  double before = slipi_body_kinetic(sim, slot), fall = 0;
  for (int k = 0; k < 3; k++) {
    double by = (turns ? all : late) * h * (b->end_v[i + k] - b->mid_v[i + k]);
    b->x[i + k] += by;
    fall += b->mass[slot] * sim->def.gravity[k] * by;
  }
  if (turns) {
    turn_of(b, slot, late * h, turn);
    slipi_rotate_by(turn, b->q + 4 * (int64_t)slot);
  }
  slipi_body_to_frame(sim, slot);
  return fall - (slipi_body_kinetic(sim, slot) - before);
}

double slipi_sim_end_late(SlipSim *sim, double h) {
  double taken = 0;
  bool exact = sim->def.theta == 0.5 && sim->def.gyroscopic != SLIP_GYROSCOPIC_IMPLICIT;
  if (!exact || sim->contacts.count == 0)
    return 0;
  slipi_islands_join(sim);
  if (sum_gains(sim, h)) {
    sum_turning(sim, h);
    for (int32_t k = 0; k < sim->rows.bodies; k++)
      taken += move(sim, sim->rows.slot[k], h);
    for (int32_t k = 0; k < sim->contacts.count; k++) {
      SlipiContact *contact = &sim->contacts.at[k];
      if (contact->soft > 0) /* a deformable body keeps its own account */
        continue;
      contact->late = sums_of(sim, slipi_contact_free_body(sim, contact))[LATE];
    }
  }
  slipi_islands_forget(sim);
  return taken;
}
