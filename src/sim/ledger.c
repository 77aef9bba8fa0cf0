/* Where the energy goes.
 *
 * In the middle of a step forces F and impulses p change the velocity from v- to v+ at a fixed
 * configuration, so that the kinetic energy changes by (h F + H p).(v- + v+)/2 exactly. With
 * theta = 1/2 the potential energy changes by the same mean velocity, and turning between the
 * middles keeps the kinetic energy: what is left over is rounding. Joints, other theta and implicit
 * gyroscopic terms leave more, which is the scheme's own error. */
#include <math.h>
#include <string.h>

#include "sim/soft.h"

double slipi_body_kinetic(const SlipSim *sim, int32_t slot) {
  const SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot;
  return 0.5 * b->mass[slot] * slipi_dot3(b->v + i, b->v + i) +
         0.5 * slipi_dot3(b->L + i, b->spin + i);
}

void slipi_ledger_start(SlipSim *sim) {
  slipi_soft_start(sim);
  SlipiBodies *b = &sim->bodies;
  for (int32_t slot = 0; slot < b->count; slot++) {
    if (!slipi_sim_is_free(sim, slot))
      continue;
    memcpy(b->start + 4 * (int64_t)slot, b->x + 3 * (int64_t)slot, 3 * sizeof(double));
    b->start[4 * (int64_t)slot + 3] = slipi_body_kinetic(sim, slot);
  }
}

static void add_levels(const SlipSim *sim, SlipEnergy *energy) {
  double kinetic = 0, potential = 0;
  for (int32_t slot = 0; slot < sim->bodies.count; slot++) {
    if (!slipi_sim_is_free(sim, slot))
      continue;
    kinetic += slipi_body_kinetic(sim, slot);
    potential -=
        sim->bodies.mass[slot] * slipi_dot3(sim->def.gravity, sim->bodies.x + 3 * (int64_t)slot);
  }
  energy->kinetic = kinetic;
  energy->potential = potential;
  slipi_soft_levels(sim, energy);
}

void slipi_ledger_levels(SlipSim *sim) {
  add_levels(sim, &sim->energy);
}

void slip_sim_energy(const SlipSim *sim, SlipEnergy *energy) {
  if (!sim || !energy)
    return;
  *energy = sim->energy;
  add_levels(sim, energy);
}

static void book_loads(const SlipSim *sim, double h, SlipiBooking *booking) {
  const SlipiBodies *b = &sim->bodies;
  for (int32_t slot = 0; slot < b->count; slot++) {
    int64_t i = 3 * (int64_t)slot;
    double work = 0, fall = 0;
    for (int k = 0; slipi_sim_is_free(sim, slot) && k < 3; k++) {
      double v = (b->mid_v[i + k] + b->end_v[i + k]) / 2;
      double w = (b->mid_spin[i + k] + b->end_spin[i + k]) / 2;
      double weight = b->mass[slot] * sim->def.gravity[k];
      fall += h * weight * v;
      work += h * (b->load[i + k] - weight) * v + h * b->moment_load[i + k] * w;
    }
    booking->applied += work;
    booking->throughput += fabs(fall) + fabs(work);
  }
}

/* Impulses of a contact do the work p.(u- + u+)/2 on what slides and bounces, and, on top, the
 * obstacles' share of it on the bodies. */
static void book_contact(const SlipSim *sim, const SlipiContact *contact, SlipiBooking *booking) {
  bool still = slipi_sim_is_static(sim); /* then the mean of the forces counts, not of velocities */
  for (int c = 0; c < sim->def.dimension; c++) {
    double p = slipi_dot3(contact->frame[c], contact->impulse);
    p = still ? (p + slipi_dot3(contact->frame[c], contact->local)) / 2 : p;
    double lost = -p * (still ? contact->after[c] : (contact->before[c] + contact->after[c]) / 2),
           driven = -p * contact->drive[c];
    *(c == 0 ? &booking->impact : &booking->friction) += lost;
    booking->applied += driven;
    booking->throughput += fabs(lost) + fabs(driven);
  }
}

/* Row c of a block times the mean velocity of its free bodies. */
static double mean_velocity(const SlipSim *sim, int32_t block, int c) {
  const SlipiBodies *b = &sim->bodies;
  const SlipiSimRows *rows = &sim->rows;
  int d = sim->def.dimension, n = d == 3 ? 6 : 3;
  double sum = 0;
  for (int64_t side = 2 * (int64_t)block; side < 2 * (int64_t)block + 2; side++) {
    if (rows->body[side] < 0)
      continue;
    int64_t i = 3 * (int64_t)rows->slot[rows->body[side]];
    const double *row = rows->H + side * d * n + (ptrdiff_t)c * n;
    for (int k = 0; k < n; k++) {
      int64_t at = i + (k < d ? k : d == 3 ? k - 3 : 2);
      sum += row[k] * (k < d ? b->mid_v[at] + b->end_v[at] : b->mid_spin[at] + b->end_spin[at]) / 2;
    }
  }
  return sum;
}

double slipi_joint_work(const SlipSim *sim, int32_t block) {
  const int32_t *from = sim->rows.from + 2 * (int64_t)block;
  double work = 0;
  for (int c = 0; c < sim->def.dimension; c++)
    work += sim->joint[from[0]].impulse[from[1]][c] * mean_velocity(sim, block, c);
  return work;
}

/* Motors work, limits are hit; what holds a joint does neither, but for what obstacles it is fixed
 * to bring. */
static void book_joint(const SlipSim *sim, int32_t block, SlipiBooking *booking) {
  const int32_t *from = sim->rows.from + 2 * (int64_t)block;
  const SlipiJoint *joint = &sim->joint[from[0]];
  for (int c = 0; c < sim->def.dimension; c++) {
    double work = joint->impulse[from[1]][c] * mean_velocity(sim, block, c);
    bool limit = from[1] == SLIPI_JOINT_LOWER || from[1] == SLIPI_JOINT_UPPER;
    bool told =
        sim->rows.body[2 * (int64_t)block] < 0 || sim->rows.body[2 * (int64_t)block + 1] < 0;
    if (limit)
      booking->impact -= work;
    else if (from[1] == SLIPI_JOINT_MOTOR || (told && slipi_joint_is_driven(sim, joint)))
      booking->applied += work;
    booking->throughput += fabs(work);
  }
}

bool slipi_joint_is_driven(const SlipSim *sim, const SlipiJoint *joint) {
  for (int side = 0; side < 2; side++) {
    if (joint->body[side] >= 0 && sim->bodies.motion[joint->body[side]] == SLIP_MOTION_TOLD)
      return true;
  }
  return false;
}

double slipi_body_change(const SlipSim *sim, int32_t slot) {
  const SlipiBodies *b = &sim->bodies;
  const double *start = b->start + 4 * (int64_t)slot;
  double moved[3];
  slipi_sub(b->x + 3 * (int64_t)slot, start, moved);
  return slipi_body_kinetic(sim, slot) - start[3] -
         b->mass[slot] * slipi_dot3(sim->def.gravity, moved);
}

/* The change of kinetic and potential energy over the step. */
static double change(const SlipSim *sim) {
  double sum = 0;
  for (int32_t slot = 0; slot < sim->bodies.count; slot++) {
    if (slipi_sim_is_free(sim, slot))
      sum += slipi_body_change(sim, slot);
  }
  return sum;
}

void slipi_ledger_close(SlipSim *sim, double h, double taken, double projected) {
  SlipiBooking booking = {0};
  book_loads(sim, h, &booking);
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    if (!slipi_yield_close(sim, &sim->contacts.at[k], h, &booking))
      book_contact(sim, &sim->contacts.at[k], &booking);
    if (slipi_contact_rolls(sim, &sim->contacts.at[k]))
      slipi_roll_book(sim, &sim->contacts.at[k], &booking);
  }
  for (int32_t k = 0; k < sim->rows.joints; k++) /* they come first */
    book_joint(sim, k, &booking);
  booking.impact += taken;
  SlipEnergy *energy = &sim->energy;
  double changed = change(sim);
  slipi_soft_book(sim, &booking, &changed);
  energy->applied += booking.applied;
  energy->friction += booking.friction;
  energy->impact += booking.impact;
  energy->damping += booking.damping;
  energy->plastic += booking.plastic;
  energy->projection -= projected;
  energy->throughput += booking.throughput + fabs(taken) + fabs(projected);
  double stored = booking.elastic - energy->elastic;
  energy->elastic = booking.elastic;
  energy->imbalance += changed + stored -
                       (booking.applied - booking.friction - booking.impact - booking.damping -
                        booking.plastic + projected);
}
