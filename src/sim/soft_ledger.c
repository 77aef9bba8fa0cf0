/* Where the energy of deformable bodies goes.
 *
 * With inertia the impulses of a step work with the mean of the velocities before and after.
 * Without it a body is in equilibrium at both ends of a step, so that the mean of the forces at its
 * ends times the displacement is the change of the elastic energy, exactly. */
#include <math.h>
#include <string.h>

#include "linalg/dense3.h"
#include "linalg/vector.h"
#include "sim/soft.h"

static int64_t size_of(const SlipiSoft *soft) {
  return slipi_soft_d(soft) * (int64_t)soft->nodes;
}

/* x.A x, with x in the frame, d a node. */
static double square(const SlipiSoft *soft, const SlipiCsr *A, const double *x) {
  slipi_csr_multiply(A, x, soft->work[2]);
  return slipi_dot(x, soft->work[2], size_of(soft));
}

static double kinetic_of(const SlipSim *sim, const SlipiSoft *soft) {
  if (slipi_sim_is_static(sim))
    return 0;
  slipi_soft_to_frame(soft, soft->R, soft->v, soft->work[0]);
  return square(soft, &soft->matrices.M, soft->work[0]) / 2;
}

static double elastic_of(const SlipiSoft *soft) {
  slipi_soft_displacement(soft, soft->x, soft->R, soft->work[0]);
  return square(soft, &soft->matrices.K, soft->work[0]) / 2;
}

static double height_of(const SlipSim *sim, const SlipiSoft *soft) {
  double c[3];
  slipi_soft_centre(soft, soft->x, c);
  return -soft->mass * slipi_dot3(sim->def.gravity, c);
}

void slipi_soft_levels(const SlipSim *sim, SlipEnergy *energy) {
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++) {
    const SlipiSoft *soft = sim->softs->at[k];
    energy->kinetic += kinetic_of(sim, soft);
    energy->potential += height_of(sim, soft);
  }
}

void slipi_soft_start(SlipSim *sim) {
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++) {
    SlipiSoft *soft = sim->softs->at[k];
    soft->kinetic = kinetic_of(sim, soft);
    soft->elastic = elastic_of(soft);
    soft->height = height_of(sim, soft);
  }
}

/* ---- Work of what is not a contact ---- */

/* Impulses with which supports hold their nodes (d a node, in the frame of the step). */
static void support_impulses(const SlipSim *sim, const SlipiSoft *soft, double h, double *p) {
  int64_t n = size_of(soft);
  double a, b, *s = soft->work[0], *push = soft->work[1];
  slipi_soft_factors(sim, soft, h, &a, &b);
  slipi_soft_to_frame(soft, soft->mid_R, soft->end_v, s);
  for (int64_t k = 0; k < n; k++)
    s[k] -= soft->given[k];
  slipi_csr_multiply(&soft->matrices.M, s, p);
  slipi_csr_multiply(&soft->matrices.K, s, push);
  for (int64_t k = 0; k < n; k++)
    p[k] = a * p[k] + b * push[k] - soft->right[k];
  slipi_soft_to_frame(soft, soft->mid_R, soft->push, push);
  for (int64_t k = 0; k < n; k++)
    p[k] = soft->number[k] < 0 ? p[k] - push[k] : 0;
}

/* Forces at the end of the step beside those of contacts and gravity, world axes. */
static void outer_forces(const SlipSim *sim, SlipiSoft *soft, double h, double *outer) {
  double extra[3];
  for (int k = 0; k < 3; k++)
    extra[k] = sim->bodies.load[3 * (int64_t)soft->slot + k] / soft->mass - sim->def.gravity[k];
  if (soft->held) {
    support_impulses(sim, soft, h, soft->work[2]);
    slipi_soft_to_world(soft, soft->mid_R, soft->work[2], outer);
  } else {
    memset(outer, 0, 3 * (size_t)soft->nodes * sizeof *outer);
  }
  for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++)
    outer[k] = outer[k] / h + soft->load[k] + soft->matrices.lumped[k / 3] * extra[k % 3];
}

/* Damping: s.C s over the step, of the velocity at theta, or of the mean where there is no inertia.
 */
static double damped(const SlipSim *sim, const SlipiSoft *soft, double h) {
  int64_t n = size_of(soft);
  double theta = sim->def.theta, sum = 0, *s = soft->work[0], *t = soft->work[1];
  bool still = slipi_sim_is_static(sim);
  if (soft->damping[0] == 0 && soft->damping[1] == 0)
    return 0;
  slipi_soft_to_frame(soft, soft->mid_R, soft->v, s);
  slipi_soft_to_frame(soft, soft->mid_R, soft->end_v, t);
  for (int64_t k = 0; k < n; k++) {
    s[k] = still ? (s[k] + t[k]) / 2 : (1 - theta) * s[k] + theta * t[k];
    t[k] = still ? t[k] : s[k];
  }
  const SlipiCsr *matrix[2] = {&soft->matrices.M, &soft->matrices.K};
  for (int k = 0; k < 2; k++) {
    if (soft->damping[k] == 0)
      continue;
    slipi_csr_multiply(matrix[k], s, soft->work[2]);
    sum += h * soft->damping[k] * slipi_dot(t, soft->work[2], n);
  }
  return sum;
}

void slipi_soft_work(SlipSim *sim, SlipiSoft *soft, double h) {
  bool still = slipi_sim_is_static(sim);
  double *outer = soft->shown;
  soft->damped = damped(sim, soft, h);
  outer_forces(sim, soft, h, outer);
  soft->applied = soft->pushed = soft->moved = 0;
  for (int64_t k = 0; k < 3 * (int64_t)soft->nodes; k++) {
    double way = still ? h * soft->end_v[k] : h * (soft->v[k] + soft->end_v[k]) / 2;
    double work = (still ? (soft->outer[k] + outer[k]) / 2 : outer[k]) * way;
    soft->applied += work;
    soft->moved += fabs(work);
    soft->pushed += (still ? (soft->force[k] + soft->push[k] / h) / 2 : soft->push[k] / h) * way;
    soft->outer[k] = outer[k];
  }
}

/* ---- Gains ---- */

/* The part of the velocities that is not a rigid motion, in the metric of the mass; its energy. */
static double deforming(const SlipiSoft *soft, double *part) {
  int d = slipi_soft_d(soft);
  int64_t n = size_of(soft);
  double c[3], v[3], L[3] = {0}, B[9] = {0}, J[9], spin[3] = {0}, *r = soft->work[0],
                     *Mr = soft->work[1], *Mv = soft->work[2];
  slipi_soft_centre(soft, soft->x, c);
  slipi_soft_centre(soft, soft->v, v);
  for (int64_t k = 0; k < n; k++) {
    r[k] = soft->x[3 * (k / d) + k % d] - c[k % d];
    part[k] = soft->v[3 * (k / d) + k % d] - v[k % d];
  }
  slipi_csr_multiply(&soft->matrices.M, r, Mr);
  slipi_csr_multiply(&soft->matrices.M, part, Mv);
  for (int64_t k = 0; k < soft->nodes; k++) {
    double at[3] = {0}, p[3] = {0}, turn[3];
    for (int i = 0; i < d; i++) {
      at[i] = r[d * k + i];
      p[i] = Mv[d * k + i];
      for (int j = 0; j < d; j++)
        B[3 * i + j] += r[d * k + i] * Mr[d * k + j];
    }
    slipi_cross(at, p, turn);
    for (int i = 0; i < 3; i++)
      L[i] += turn[i];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      J[3 * i + j] = (i == j ? B[0] + B[4] + B[8] : 0) - B[3 * i + j];
  if (d == 3) {
    SlipiSolution3 solution;
    slipi_dense3_solve(J, L, 0, &solution);
    memcpy(spin, solution.x, sizeof spin);
  } else {
    spin[2] = L[2] / J[8];
  }
  for (int64_t k = 0; k < soft->nodes; k++) {
    double at[3] = {0}, swing[3];
    for (int i = 0; i < d; i++)
      at[i] = r[d * k + i];
    slipi_cross(spin, at, swing);
    for (int i = 0; i < d; i++)
      part[d * k + i] -= swing[i];
  }
  return square(soft, &soft->matrices.M, part) / 2;
}

/* The frame that a step predicts differs from the one it ends in, by which the step can gain energy
 * of the order of the squares of turn and strain. A gain is taken from the vibration, without a
 * change of momentum. */
void slipi_soft_guard(SlipSim *sim, SlipiSoft *soft) {
  int d = slipi_soft_d(soft);
  double now = kinetic_of(sim, soft) + elastic_of(soft) + height_of(sim, soft);
  double before = soft->kinetic + soft->elastic + soft->height;
  double gain = now - before - (soft->pushed + soft->applied - soft->damped);
  soft->taken = 0;
  if (soft->held || slipi_sim_is_static(sim) || !(gain > 0))
    return;
  double *part = soft->right, energy = deforming(soft, part);
  double left = fmax(0, energy - gain), share = energy > 0 ? 1 - sqrt(left / energy) : 0;
  for (int64_t k = 0; k < soft->nodes; k++)
    for (int c = 0; c < d; c++)
      soft->v[3 * k + c] -= share * part[d * k + c];
  soft->taken = energy - left;
}

/* Without inertia the work of contacts is that of the forces on nodes. Contacts that slide pass the
 * force of the last step on to other nodes: what they were booked with differs by that. */
static void book_sliding(const SlipSim *sim, SlipiBooking *booking) {
  double work = booking->applied - booking->friction - booking->impact, nodes = 0;
  for (int32_t k = 0; k < sim->softs->count; k++)
    nodes += sim->softs->at[k]->pushed;
  booking->friction += work - nodes;
}

void slipi_soft_book(SlipSim *sim, SlipiBooking *booking, double *change) {
  if (slipi_sim_is_static(sim) && sim->softs)
    book_sliding(sim, booking);
  for (int32_t k = 0; sim->softs && k < sim->softs->count; k++) {
    const SlipiSoft *soft = sim->softs->at[k];
    double height = height_of(sim, soft);
    booking->applied += soft->applied;
    booking->damping += soft->damped + soft->taken;
    booking->elastic += elastic_of(soft);
    booking->throughput +=
        soft->moved + soft->damped + soft->taken + fabs(soft->pushed) + fabs(height - soft->height);
    *change += kinetic_of(sim, soft) - soft->kinetic + height - soft->height;
  }
}
