/* Contacts that resist rolling and spinning: a second block behind that of the contact, with the
 * moments about its normal and tangents (contact/rolling.h).
 *
 * Moments are in units of impulses there, divided by the lever of the contact, so that their
 * velocities are of the size of the others': the rows are lever * omega, the coefficients
 * rolling/lever and spinning/lever. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "contact/bodies.h"
#include "sim/sim.h"

bool slipi_contact_rolls(const SlipSim *sim, const SlipiContact *contact) {
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  if (contact->soft > 0) /* points of deformable bodies do not turn */
    return false;
  bool spins = rule && rule->spinning > 0 && sim->def.dimension == 3;
  return spins || (rule && rule->rolling > 0);
}

/* The distance from the contact to the nearer centre of the bodies that move. */
static double lever_of(const SlipSim *sim, const SlipiContact *contact) {
  double lever = INFINITY;
  for (int side = 0; side < 2; side++) {
    int64_t slot = contact->body[side];
    double arm[3];
    if (!slipi_sim_is_free(sim, contact->body[side]))
      continue;
    slipi_sub(contact->point, sim->bodies.mid_x + 3 * slot, arm);
    lever = fmin(lever, slipi_length(arm));
  }
  return lever > 0 && lever < INFINITY ? lever : 1;
}

/* The axis of one component of the moments: in 2D there is one, for the second. */
static void axis_of(const SlipSim *sim, const SlipiContact *contact, int c, double axis[3]) {
  memset(axis, 0, 3 * sizeof *axis);
  if (sim->def.dimension == 3)
    memcpy(axis, contact->frame[c], 3 * sizeof *axis);
  else
    axis[2] = c == 1;
}

/* The relative spin along an axis, of all bodies or of obstacles only. */
static double spin_along(const SlipSim *sim, const SlipiContact *contact, const double axis[3],
                         const double *spin, bool obstacles) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int64_t slot = contact->body[side];
    bool counts = slot >= 0 && sim->bodies.motion[slot] != SLIP_MOTION_FIXED &&
                  !(obstacles && slipi_sim_is_free(sim, contact->body[side]));
    if (counts)
      sum += (side == 0 ? 1 : -1) * slipi_dot3(axis, spin + 3 * slot);
  }
  return sum;
}

bool slipi_roll_add(SlipSim *sim, int32_t index) {
  SlipiSimRows *rows = &sim->rows;
  SlipiContact *contact = &sim->contacts.at[index];
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  int d = sim->def.dimension, n = slipi_body_dof(d);
  int64_t k = slipi_sim_rows_add(rows, d);
  if (k < 0)
    return false;
  double lever = contact->lever = lever_of(sim, contact);
  memset(rows->H + 2 * k * d * n, 0, (size_t)(2 * d * n) * sizeof *rows->H);
  for (int c = 0; c < d; c++) {
    double axis[3];
    axis_of(sim, contact, c, axis);
    for (int side = 0; side < 2; side++) {
      double *row = rows->H + (2 * k + side) * d * n + (ptrdiff_t)c * n, sign = side == 0 ? 1 : -1;
      rows->body[2 * k + side] = rows->body[2 * (k - 1) + side];
      for (int i = d; i < n; i++)
        row[i] = sign * lever * axis[d == 3 ? i - 3 : 2];
    }
    rows->w[d * k + c] = lever * spin_along(sim, contact, axis, sim->bodies.mid_spin, true);
    rows->r[d * k + c] = slipi_dot3(axis, contact->moment) / lever;
  }
  memcpy(rows->frame + d * d * k, rows->frame + d * d * (k - 1), (size_t)(d * d) * sizeof(double));
  rows->kind[k] = SLIP_ROLLING;
  rows->mu[k] = rule->rolling / lever;
  rows->spinning[k] = d == 3 ? rule->spinning / lever : 0;
  rows->rolls = true;
  rows->key[k] = slipi_hash_word(contact->key, 0x52);
  rows->from[2 * k] = SLIPI_FROM_MOMENTS;
  rows->from[2 * k + 1] = index;
  return true;
}

void slipi_roll_keep(const SlipSim *sim, SlipiContact *contact, const double *r) {
  memset(contact->moment, 0, sizeof contact->moment);
  for (int c = 0; c < sim->def.dimension; c++) {
    double axis[3];
    axis_of(sim, contact, c, axis);
    for (int k = 0; k < 3; k++)
      contact->moment[k] += contact->lever * r[c] * axis[k];
  }
}

/* Moments do the work m.(omega- + omega+)/2, which goes to friction, and the obstacles' share of it
 * on the bodies. */
void slipi_roll_book(const SlipSim *sim, const SlipiContact *contact, SlipiBooking *booking) {
  const SlipiBodies *b = &sim->bodies;
  for (int c = 0; c < sim->def.dimension; c++) {
    double axis[3];
    axis_of(sim, contact, c, axis);
    double m = slipi_dot3(axis, contact->moment);
    double before = spin_along(sim, contact, axis, b->mid_spin, false);
    double after = spin_along(sim, contact, axis, b->end_spin, false);
    double lost = -m * (before + after) / 2;
    double driven = -m * spin_along(sim, contact, axis, b->mid_spin, true);
    booking->friction += lost;
    booking->applied += driven;
    booking->throughput += fabs(lost) + fabs(driven);
  }
}
