/* Contacts that give way, hold a pull, or yield (Tasora, Anitescu, Negrini, Negrut 2013).
 *
 * The displacement y of a contact is the stretch e of its springs, of stiffness K, and what its law
 * has yielded, y_P. With a damper alpha K beside the spring, the force at the end of a step of
 * length h is r/h = -K e' - alpha K (e' - e)/h, e' = e + h (u - y_P'), so that
 *
 *     y_P' = u + E r + e/(h + alpha),    E = (h (h + alpha) K)^-1      (50)-(51)
 *
 * is what the law is about: E is the contact's compliance, the last term goes to w, and the
 * solver's u is y_P'. With full matrices K of springs and R of dampers it is, with
 * G = (h K + R)^-1,
 *
 *     y_P' = u + E r + G K e,    E = G/h,    e' = G (R e - r)          (48)-(49)
 *
 * Along the normal y is the gap in the middle of the step; along the tangents e is kept with the
 * contact, in world axes. A rigid contact has e = 0.
 *
 * Contacts that hold a pull do so from when they first close, and remember by how much they have
 * yielded along the normal, beyond the lift that comes with sliding where flow is normal to K. All
 * others have y_P = 0 there: an open gap bears nothing until it closes. */
#include <math.h>

#include "linalg/dense3.h"
#include "sim/sim.h"

const SlipContactRule *slipi_contact_rule(const SlipSim *sim, const SlipiContact *contact) {
  if (contact->own >= 0)
    return &sim->own_rule[contact->own];
  return contact->rule < 0 ? NULL : &sim->rule[contact->rule];
}

bool slipi_law_pulls(int32_t law) {
  return law == SLIP_COHESIVE || law == SLIP_ROUNDED || law == SLIP_CAPPED;
}

/* ---- Springs ---- */

/* Whether a contact has a spring along a component of its frame. */
static bool springs(const SlipContactRule *rule, int component) {
  return rule && (rule->stiffness_matrix[0] > 0 || rule->stiffness[component > 0] > 0);
}

/* K, R and G = (h K + R)^-1 along the frame, 0 in components without springs. */
typedef struct Springs {
  double K[9], R[9], G[9];
} Springs;

static void full_springs(const SlipContactRule *rule, int d, double h, Springs *s) {
  double A[9] = {[8] = 1};
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) {
      s->K[3 * i + j] = rule->stiffness_matrix[3 * i + j];
      s->R[3 * i + j] = rule->damping_matrix[3 * i + j];
      A[3 * i + j] = h * s->K[3 * i + j] + s->R[3 * i + j];
    }
  }
  for (int j = 0; j < d; j++) { /* A is positive definite: the rule was checked */
    double unit[3] = {0};
    SlipiSolution3 column;
    unit[j] = 1;
    slipi_dense3_solve(A, unit, 0, &column);
    for (int i = 0; i < d; i++)
      s->G[3 * i + j] = column.x[i];
  }
}

static void springs_of(const SlipSim *sim, const SlipiContact *contact, double h, Springs *s) {
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  int d = sim->def.dimension;
  *s = (Springs){{0}, {0}, {0}};
  if (rule && rule->stiffness_matrix[0] > 0) {
    full_springs(rule, d, h, s);
    return;
  }
  for (int c = 0; rule && c < d; c++) {
    double K = rule->stiffness[c > 0];
    s->K[4 * c] = K;
    s->R[4 * c] = rule->damping_time * K;
    s->G[4 * c] = K > 0 ? 1 / ((h + rule->damping_time) * K) : 0;
  }
}

/* G K e: the rate at which springs that bear nothing would let go of their stretch. */
static void relaxing(const Springs *s, const double e[3], double rate[3]) {
  double force[3];
  slipi_dense3_multiply(s->K, e, force);
  slipi_dense3_multiply(s->G, force, rate);
}

static double stored_in(const Springs *s, const double e[3]) {
  double force[3];
  slipi_dense3_multiply(s->K, e, force);
  return 0.5 * slipi_dense3_dot(e, force);
}

bool slipi_contact_gives(const SlipSim *sim, const SlipiContact *contact) {
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  return springs(rule, 0) || springs(rule, 1);
}

bool slipi_contact_is_plain(const SlipSim *sim, const SlipiContact *contact) {
  return !slipi_law_pulls(contact->law) && !slipi_contact_gives(sim, contact);
}

static bool holds(const SlipiContact *contact) {
  return contact->bonded && !contact->broken;
}

/* The rate of y_P along the normal, without the lift that sliding brings. */
static double normal_flow(const SlipiContact *contact) {
  bool lifts = contact->law != SLIP_COHESIVE || contact->flow == SLIP_FLOW_ASSOCIATED;
  double sliding = hypot(contact->flowed[1], contact->flowed[2]);
  return contact->flowed[0] - (lifts ? contact->mu * sliding : 0);
}

double slipi_contact_crushed(const SlipiContact *contact, double h) {
  return holds(contact) ? fmax(0, -(contact->plastic + h / 2 * normal_flow(contact))) : 0;
}

/* ---- Before the impulses ---- */

void slipi_yield_begin(const SlipSim *sim, SlipiContact *contact) {
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  if (slipi_contact_is_plain(sim, contact))
    return;
  if (slipi_law_pulls(contact->law) && contact->gap <= contact->tolerance)
    contact->bonded = true;
  bool open = !holds(contact) && contact->gap > 0;
  double y = contact->gap - (holds(contact) ? contact->plastic : 0);
  contact->stretch[0] = open || !springs(rule, 0) ? 0 : y;
  for (int c = 1; c < 3; c++) {
    bool stretched = c < sim->def.dimension && springs(rule, c);
    contact->stretch[c] = stretched ? slipi_dot3(contact->frame[c], contact->elastic) : 0;
  }
}

double slipi_contact_shift(const SlipSim *sim, const SlipiContact *contact, double h) {
  double y = contact->gap - (holds(contact) ? contact->plastic : 0);
  if (contact->restitution > 0)
    return contact->restitution * contact->before[0];
  if (springs(slipi_contact_rule(sim, contact), 0) && (holds(contact) || y <= 0)) {
    Springs s;
    double rate[3];
    springs_of(sim, contact, h, &s);
    relaxing(&s, contact->stretch, rate);
    return rate[0];
  }
  return (sim->def.inertia == SLIP_INERTIA_NONE_GAP ? y : fmax(y, 0)) / h;
}

/* The compliance E = G/h of a block, and the tangents' share of G K e in w. */
static void add_springs(SlipSim *sim, const SlipiContact *contact, int64_t k, double h) {
  SlipiSimRows *rows = &sim->rows;
  int d = sim->def.dimension;
  Springs s;
  double rate[3];
  springs_of(sim, contact, h, &s);
  relaxing(&s, contact->stretch, rate);
  for (int c = 0; c < d; c++) {
    for (int j = 0; j < d; j++)
      rows->compliance[d * d * k + (int64_t)d * c + j] = s.G[3 * c + j] / h;
    if (c > 0)
      rows->w[d * k + c] += rate[c];
  }
  rows->gives = true;
}

void slipi_yield_row(SlipSim *sim, const SlipiContact *contact, int64_t k, double h) {
  SlipiSimRows *rows = &sim->rows;
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  if (slipi_contact_is_plain(sim, contact))
    return;
  if (holds(contact)) {
    rows->cohesion[k] = h * rule->cohesion;
    rows->ball[k] = h * rule->ball[0];
    rows->ball_tangential[k] = h * rule->ball[1];
  }
  rows->cap[k] = h * rule->cap;
  rows->holds = rows->holds || slipi_law_pulls(contact->law);
  if (slipi_contact_gives(sim, contact))
    add_springs(sim, contact, k, h);
}

/* ---- After them ---- */

/* Whether the contact yields along the normal in this step, by more than rounding. */
static bool yields(const SlipiContact *contact) {
  static const double ROUNDING = 1e-6;
  return fabs(contact->flowed[0]) > ROUNDING * fabs(contact->after[0] - contact->before[0]);
}

/* What the impulse of one component does: the work p.(u + u')/2 is lost to the contact, which
 * stores some of it in its springs. With u' = y_P' + (e' - e)/h, -p.y_P' of it is friction or
 * yielding. A spring and its damper take the rest, with what the implicit step takes from the
 * motion; without a spring it is that of an impact, or of yielding while it goes on. */
static void book_component(const SlipSim *sim, const SlipiContact *contact, int c,
                           SlipiBooking *booking) {
  double p = slipi_dot3(contact->frame[c], contact->impulse);
  double lost = -p * (contact->before[c] + contact->after[c]) / 2, driven = -p * contact->drive[c];
  double yielded = c == 0 && !holds(contact) ? 0 : -p * contact->flowed[c];
  double *rest = springs(slipi_contact_rule(sim, contact), c) ? &booking->damping
                 : yields(contact)                            ? &booking->plastic
                                                              : &booking->impact;
  *(c == 0 ? &booking->plastic : &booking->friction) += yielded;
  *rest += lost - yielded;
  booking->applied += driven;
  booking->throughput += fabs(lost) + fabs(driven);
}

/* e' = G (R e - r). Without a pull nothing is yielded along the normal: there it is the depth that
 * the contact goes to, whatever it bears. */
static void stretch_after(const SlipSim *sim, const SlipiContact *contact, const Springs *s,
                          double h, double e[3]) {
  double force[3];
  slipi_dense3_multiply(s->R, contact->stretch, force);
  for (int c = 0; c < 3; c++)
    force[c] -= c < sim->def.dimension ? slipi_dot3(contact->frame[c], contact->impulse) : 0;
  slipi_dense3_multiply(s->G, force, e);
  if (!holds(contact) && s->K[0] > 0)
    e[0] = fmin(0, contact->gap + h * contact->after[0]);
}

bool slipi_yield_close(const SlipSim *sim, SlipiContact *contact, double h, SlipiBooking *booking) {
  contact->slid += h * hypot(contact->flowed[1], contact->flowed[2]);
  if (slipi_contact_is_plain(sim, contact))
    return false;
  Springs s;
  double e[3];
  springs_of(sim, contact, h, &s);
  stretch_after(sim, contact, &s, h, e);
  double stored = stored_in(&s, e);
  booking->damping -= stored - stored_in(&s, contact->stretch);
  booking->elastic += stored;
  for (int k = 0; k < 3; k++)
    contact->elastic[k] = 0;
  for (int c = 0; c < sim->def.dimension; c++) {
    book_component(sim, contact, c, booking);
    for (int k = 0; k < 3; k++)
      contact->elastic[k] += e[c] * contact->frame[c][k];
  }
  if (holds(contact)) {
    contact->plastic += h * normal_flow(contact);
    contact->broken = contact->plastic > slipi_contact_rule(sim, contact)->breaks_at;
  }
  return true;
}
