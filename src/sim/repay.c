/* Joints give back the energy they make.
 *
 * A joint is held by a prediction of how its rows turn within the step. The prediction is of second
 * order, and the impulses that hold do a little work, now positive, now negative, where a true
 * joint does none; so does the projection that takes out drift, and contacts beside joints can gain
 * the rest of it. What connected bodies have lost in this way is kept with their joints, as credit.
 * What is made is paid from that. Where the credit is used up, the bodies pay: their velocities
 * become shorter by one factor, which lets joints hold, sliding contacts slide and resting ones
 * rest as before. So energy swings at second order, as that of a pendulum must with steps of finite
 * length, but never above where it began.
 *
 * Bodies that touch no obstacle keep their momentum: only what they move against each other becomes
 * shorter, v - v_0 with the rigid motion v_0 that has all of the momentum. Motors and obstacles
 * that move bring energy of their own; what they move is left alone. */
#include <math.h>
#include <string.h>

#include "sim/soft.h"

/* Of connected bodies, at the root. */
struct SlipiWhole {
  double credit, kinetic;
  double made, lost;       /* energy in this step, and what contacts and limits have taken of it */
  double mass, x[3], v[3]; /* centre, and its velocity; sums of mass times them at first */
  double L[3], I[9];       /* about the centre */
  double spin[3];          /* of the rigid motion with that momentum */
  double factor;           /* that velocities are multiplied by */
  bool driven, grounded, booked;
};

static SlipiWhole *whole_of(SlipSim *sim, int32_t slot) {
  return &sim->whole[slipi_island_root(&sim->bodies, slot)];
}

bool slipi_joint_is_worked(const SlipSim *sim, int64_t block) {
  const int32_t *from = sim->rows.from + 2 * block;
  return from[1] == SLIPI_JOINT_MOTOR || slipi_joint_is_driven(sim, &sim->joint[from[0]]);
}

static void flag_joints(SlipSim *sim) {
  const SlipiSimRows *rows = &sim->rows;
  for (int64_t k = 0; k < rows->joints; k++) {
    SlipiWhole *whole = whole_of(sim, slipi_block_free_body(rows, k));
    whole->driven = whole->driven || slipi_joint_is_worked(sim, k);
    whole->grounded = whole->grounded || rows->body[2 * k] < 0 || rows->body[2 * k + 1] < 0;
  }
}

static void flag_contacts(SlipSim *sim) {
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (contact->soft > 0) { /* a deformable body keeps its own account */
      for (int side = 0; side < 2; side++) {
        if (slipi_sim_is_free(sim, contact->body[side]))
          whole_of(sim, contact->body[side])->driven = true;
      }
      continue;
    }
    SlipiWhole *whole = whole_of(sim, slipi_contact_free_body(sim, contact));
    if (!slipi_contact_is_plain(sim, contact) || slipi_contact_rolls(sim, contact))
      whole->driven = true; /* springs give back, and moments have an account of their own */
    for (int side = 0; side < 2; side++) {
      bool free = slipi_sim_is_free(sim, contact->body[side]);
      whole->grounded = whole->grounded || !free;
      whole->driven =
          whole->driven || (!free && sim->bodies.motion[contact->body[side]] == SLIP_MOTION_TOLD);
    }
  }
}

/* What a prediction can be wrong by in a step. A joint that loses more is torn straight, as by an
 * impact: that energy is lost for good. */
static double most_credit(const SlipSim *sim, const SlipiWhole *whole, double h) {
  static const double SHARE = 1e-3; /* of the kinetic energy */
  return SHARE * whole->kinetic +
         whole->mass * h * h * slipi_dot3(sim->def.gravity, sim->def.gravity);
}

/* The change of energy of a body that forces do not account for. */
static double made_by(const SlipSim *sim, int32_t slot, double h) {
  const SlipiBodies *b = &sim->bodies;
  double made = slipi_body_change(sim, slot);
  for (int k = 0; k < 3; k++) {
    int64_t i = 3 * (int64_t)slot + k;
    double force = b->load[i] - b->mass[slot] * sim->def.gravity[k];
    made -= h * force * (b->mid_v[i] + b->end_v[i]) / 2;
    made -= h * b->moment_load[i] * (b->mid_spin[i] + b->end_spin[i]) / 2;
  }
  return made;
}

static void sum_lost(SlipSim *sim) {
  const SlipiSimRows *rows = &sim->rows;
  for (int32_t k = 0; k < rows->joints; k++) {
    if (rows->kind[k] != SLIP_BILATERAL)
      whole_of(sim, slipi_block_free_body(rows, k))->lost -= slipi_joint_work(sim, k);
  }
  for (int32_t k = 0; k < sim->contacts.count; k++) {
    const SlipiContact *contact = &sim->contacts.at[k];
    if (contact->soft == 0)
      whole_of(sim, slipi_contact_free_body(sim, contact))->lost -=
          slipi_contact_gain(sim, contact);
  }
}

/* What was made in this step; or what was lost in it beside what contacts and limits have taken. */
static double credit_of(const SlipSim *sim, const SlipiWhole *whole, double h) {
  if (whole->made > 0)
    return -whole->made;
  double lost = -whole->made - fmax(whole->lost, 0);
  return fmin(fmax(lost, 0), most_credit(sim, whole, h));
}

/* The first joint stands for all that are connected. */
static void sum_credits(SlipSim *sim, double h) {
  const SlipiSimRows *rows = &sim->rows;
  sum_lost(sim);
  for (int32_t k = 0; k < rows->joints; k++) {
    SlipiWhole *whole = whole_of(sim, slipi_block_free_body(rows, k));
    if (whole->driven || whole->booked)
      continue;
    whole->booked = true;
    double credit = credit_of(sim, whole, h);
    sim->joint[rows->from[2 * (int64_t)k]].credit += credit;
    whole->credit += credit;
  }
}

/* The credits from before, each joint's once: at its first block. */
static void sum_earlier(SlipSim *sim) {
  const SlipiSimRows *rows = &sim->rows;
  int32_t last = -1;
  for (int32_t k = 0; k < rows->joints; k++) {
    int32_t joint = rows->from[2 * (int64_t)k];
    if (joint != last)
      whole_of(sim, slipi_block_free_body(rows, k))->credit += sim->joint[joint].credit;
    last = joint;
  }
}

static void sum_bodies(SlipSim *sim, double h) {
  const SlipiBodies *b = &sim->bodies;
  for (int32_t k = 0; k < sim->rows.bodies; k++) {
    int32_t slot = sim->rows.slot[k];
    SlipiWhole *whole = whole_of(sim, slot);
    whole->kinetic += slipi_body_kinetic(sim, slot);
    whole->made += made_by(sim, slot, h);
    whole->mass += b->mass[slot];
    for (int c = 0; c < 3; c++) {
      whole->x[c] += b->mass[slot] * b->x[3 * (int64_t)slot + c];
      whole->v[c] += b->mass[slot] * b->v[3 * (int64_t)slot + c];
    }
  }
}

static bool pays(const SlipSim *sim, const SlipiWhole *whole, double h) {
  double least = 1e-3 * sim->settings.common[SLIPI_COMMON_TOL] * whole->mass * h * h *
                 slipi_dot3(sim->def.gravity, sim->def.gravity);
  return !whole->driven && whole->credit < -fmax(least, 1e-15 * whole->kinetic);
}

/* ---- The rigid motion that has all of the momentum ---- */

static void add_turning(const SlipSim *sim, int32_t slot, SlipiWhole *whole) {
  const SlipiBodies *b = &sim->bodies;
  int n = slipi_body_dof(sim->def.dimension), turns = n - sim->def.dimension;
  double M[36], d[3], moment[3], m = b->mass[slot];
  slipi_body_mass_block(sim, slot, b->q + 4 * (int64_t)slot, M);
  slipi_sub(b->x + 3 * (int64_t)slot, whole->x, d);
  slipi_cross(d, b->v + 3 * (int64_t)slot, moment);
  for (int i = 0; i < 3; i++) {
    whole->L[i] += b->L[3 * (int64_t)slot + i] + m * moment[i];
    for (int j = 0; j < 3; j++)
      whole->I[3 * i + j] += m * ((i == j ? slipi_dot3(d, d) : 0) - d[i] * d[j]);
  }
  for (int i = 0; i < turns; i++) {
    for (int j = 0; j < turns; j++)
      whole->I[turns == 1 ? 8 : 3 * i + j] += M[(n - turns + i) * n + n - turns + j];
  }
}

/* I spin = L, by the rule of Cramer; in 2D about z alone. */
static void find_spin(int dimension, SlipiWhole *whole) {
  const double *I = whole->I;
  double across[3];
  if (dimension == 2) {
    whole->spin[2] = whole->L[2] / I[8];
    return;
  }
  slipi_cross(I + 3, I + 6, across);
  double det = slipi_dot3(I, across);
  for (int i = 0; i < 3; i++) {
    slipi_cross(I + 3 * ((i + 1) % 3), I + 3 * ((i + 2) % 3), across);
    whole->spin[i] = slipi_dot3(across, whole->L) / det; /* the adjugate, symmetric as I is */
  }
}

/* Shorten all of the motion: that of bodies on obstacles. */
static void stand_still(SlipiWhole *whole) {
  memset(whole->v, 0, sizeof whole->v);
  memset(whole->L, 0, sizeof whole->L);
  memset(whole->spin, 0, sizeof whole->spin);
}

static void find_motions(SlipSim *sim, double h) {
  const SlipiSimRows *rows = &sim->rows;
  for (int32_t k = 0; k < rows->bodies; k++) {
    SlipiWhole *whole = &sim->whole[rows->slot[k]];
    for (int c = 0; whole->mass > 0 && c < 3; c++) {
      whole->x[c] /= whole->mass;
      whole->v[c] /= whole->mass;
    }
  }
  for (int32_t k = 0; k < rows->bodies; k++) {
    SlipiWhole *whole = whole_of(sim, rows->slot[k]);
    if (!whole->grounded && pays(sim, whole, h))
      add_turning(sim, rows->slot[k], whole);
  }
  for (int32_t k = 0; k < rows->bodies; k++) {
    SlipiWhole *whole = &sim->whole[rows->slot[k]];
    if (!(whole->mass > 0) || !pays(sim, whole, h))
      continue;
    if (whole->grounded)
      stand_still(whole);
    else
      find_spin(sim->def.dimension, whole);
  }
}

/* ---- Paying ---- */

/* No more than there is: what is left is paid in later steps. All of it at once, since bodies that
 * are wedged by joints and contacts may get impulses of millions, of which a little work is more
 * than all the energy there was. Where joints leave little to shorten, as between bodies that are
 * fixed to each other, the turning of the whole pays too: it is what such joints have made faster.
 */
static void find_factor(SlipiWhole *whole) {
  double turning = whole->kinetic - 0.5 * whole->mass * slipi_dot3(whole->v, whole->v);
  double motion = turning - 0.5 * slipi_dot3(whole->L, whole->spin);
  if (-whole->credit > motion) {
    memset(whole->spin, 0, sizeof whole->spin);
    motion = turning;
  }
  double paid = fmin(-whole->credit, motion);
  if (!(paid > 0))
    return;
  whole->factor = sqrt(fmax(1 - paid / motion, 0));
  whole->credit += paid;
}

static void slow_down(SlipSim *sim, int32_t slot, const SlipiWhole *whole) {
  SlipiBodies *b = &sim->bodies;
  int64_t i = 3 * (int64_t)slot;
  int n = slipi_body_dof(sim->def.dimension), turns = n - sim->def.dimension;
  double M[36], arm[3], rigid[3], rest = 1 - whole->factor;
  slipi_body_mass_block(sim, slot, b->q + 4 * (int64_t)slot, M);
  slipi_sub(b->x + i, whole->x, arm);
  slipi_cross(whole->spin, arm, rigid);
  for (int c = 0; c < 3; c++) {
    b->v[i + c] = whole->factor * b->v[i + c] + rest * (whole->v[c] + rigid[c]);
    b->L[i + c] *= whole->factor;
  }
  for (int c = 0; c < turns; c++) {
    for (int e = 0; e < turns; e++)
      b->L[i + (turns == 1 ? 2 : c)] +=
          rest * M[(n - turns + c) * n + n - turns + e] * whole->spin[turns == 1 ? 2 : e];
  }
  slipi_body_to_frame(sim, slot);
}

/* What was paid is settled: the first joint keeps what is left. */
static void settle(SlipSim *sim) {
  const SlipiSimRows *rows = &sim->rows;
  for (int32_t k = 0; k < rows->joints; k++) {
    SlipiWhole *whole = whole_of(sim, slipi_block_free_body(rows, k));
    if (whole->factor < 1)
      sim->joint[rows->from[2 * (int64_t)k]].credit = 0;
  }
  for (int32_t k = 0; k < rows->joints; k++) {
    SlipiWhole *whole = whole_of(sim, slipi_block_free_body(rows, k));
    if (whole->factor < 1) {
      sim->joint[rows->from[2 * (int64_t)k]].credit += whole->credit;
      whole->credit = 0;
    }
  }
}

bool slipi_sim_repay(SlipSim *sim, double h) {
  const SlipiSimRows *rows = &sim->rows;
  if (rows->joints == 0 || slipi_sim_is_static(sim))
    return true;
  if (!SLIPI_ROOM(sim->whole, sim->whole_capacity, sim->bodies.count))
    return false;
  for (int32_t k = 0; k < rows->bodies; k++)
    sim->whole[rows->slot[k]] = (SlipiWhole){.factor = 1};
  slipi_islands_join(sim);
  flag_joints(sim);
  flag_contacts(sim);
  sum_bodies(sim, h);
  sum_earlier(sim);
  sum_credits(sim, h);
  find_motions(sim, h);
  for (int32_t k = 0; k < rows->bodies; k++) {
    SlipiWhole *whole = &sim->whole[rows->slot[k]];
    if (whole->mass > 0 && pays(sim, whole, h))
      find_factor(whole);
  }
  for (int32_t k = 0; k < rows->bodies; k++) {
    const SlipiWhole *whole = whole_of(sim, rows->slot[k]);
    if (whole->factor < 1)
      slow_down(sim, rows->slot[k], whole);
  }
  settle(sim);
  slipi_islands_forget(sim);
  return true;
}
