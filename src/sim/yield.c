/* Contacts that give way, hold a pull, or yield (Tasora, Anitescu, Negrini, Negrut 2013).
 *
 * The displacement y of a contact is the stretch e of its springs, of stiffness K, and what its law
 * has yielded, y_P. With a damper alpha K beside the spring, the force at the end of a step of
 * length h is r/h = -K e' - alpha K (e' - e)/h, e' = e + h (u - y_P'), so that
 *
 *     y_P' = u + E r + e/(h + alpha),    E = (h (h + alpha) K)^-1      (50)-(51)
 *
 * is what the law is about: E is the contact's compliance, the last term goes to w, and the
 * solver's u is y_P'. Along the normal y is the gap in the middle of the step; along the tangents e
 * is kept with the contact, in world axes. A rigid contact has e = 0.
 *
 * Contacts that hold a pull do so from when they first close, and remember by how much they have
 * yielded along the normal, beyond the lift that comes with sliding where flow is normal to K. All
 * others have y_P = 0 there: an open gap bears nothing until it closes. */
#include <math.h>

#include "sim/sim.h"

const SlipContactRule *slipi_contact_rule(const SlipSim *sim, const SlipiContact *contact) {
  return contact->rule < 0 ? NULL : &sim->rule[contact->rule];
}

bool slipi_law_pulls(int32_t law) {
  return law == SLIP_COHESIVE || law == SLIP_ROUNDED || law == SLIP_CAPPED;
}

static double stiffness_of(const SlipSim *sim, const SlipiContact *contact, int component) {
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  return rule ? rule->stiffness[component > 0] : 0;
}

static double damping_of(const SlipSim *sim, const SlipiContact *contact) {
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  return rule ? rule->damping_time : 0;
}

bool slipi_contact_gives(const SlipSim *sim, const SlipiContact *contact) {
  return stiffness_of(sim, contact, 0) > 0 || stiffness_of(sim, contact, 1) > 0;
}

/* Neither rigid and without memory, as most are: their impulses go to friction and impact. */
static bool is_plain(const SlipSim *sim, const SlipiContact *contact) {
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
  if (is_plain(sim, contact))
    return;
  if (slipi_law_pulls(contact->law) && contact->gap <= contact->tolerance)
    contact->bonded = true;
  bool open = !holds(contact) && contact->gap > 0;
  double y = contact->gap - (holds(contact) ? contact->plastic : 0);
  contact->stretch[0] = open || !(stiffness_of(sim, contact, 0) > 0) ? 0 : y;
  for (int c = 1; c < 3; c++) {
    bool springs = c < sim->def.dimension && stiffness_of(sim, contact, c) > 0;
    contact->stretch[c] = springs ? slipi_dot3(contact->frame[c], contact->elastic) : 0;
  }
}

double slipi_contact_shift(const SlipSim *sim, const SlipiContact *contact, double h) {
  double y = contact->gap - (holds(contact) ? contact->plastic : 0);
  if (contact->restitution > 0)
    return contact->restitution * contact->before[0];
  if (stiffness_of(sim, contact, 0) > 0 && (holds(contact) || y <= 0))
    return y / (h + damping_of(sim, contact));
  return fmax(y, 0) / h;
}

void slipi_yield_row(SlipSim *sim, const SlipiContact *contact, int64_t k, double h) {
  SlipiSimRows *rows = &sim->rows;
  const SlipContactRule *rule = slipi_contact_rule(sim, contact);
  int d = sim->def.dimension;
  double alpha = damping_of(sim, contact);
  if (is_plain(sim, contact))
    return;
  if (holds(contact)) {
    rows->cohesion[k] = h * rule->cohesion;
    rows->ball[k] = h * rule->ball[0];
    rows->ball_tangential[k] = h * rule->ball[1];
  }
  rows->cap[k] = h * rule->cap;
  rows->holds = rows->holds || slipi_law_pulls(contact->law);
  for (int c = 0; c < d; c++) {
    double K = stiffness_of(sim, contact, c);
    if (!(K > 0))
      continue;
    rows->compliance[d * d * k + (int64_t)(d + 1) * c] = 1 / (h * (h + alpha) * K);
    rows->gives = true;
    if (c > 0)
      rows->w[d * k + c] += contact->stretch[c] / (h + alpha);
  }
}

/* ---- After them ---- */

static double square(double x) {
  return x * x;
}

/* Whether the contact yields along the normal in this step, by more than rounding. */
static bool yields(const SlipiContact *contact) {
  static const double ROUNDING = 1e-6;
  return fabs(contact->flowed[0]) > ROUNDING * fabs(contact->after[0] - contact->before[0]);
}

/* What the impulse of one component does: the work p.(u + u')/2 is lost to the contact, which
 * stores some of it in the spring. With u' = y_P' + (e' - e)/h, -p.y_P' of it is friction or
 * yielding. A spring and its damper take the rest, with what the implicit step takes from the
 * motion; without a spring it is that of an impact, or of yielding while it goes on. */
static void book_component(const SlipSim *sim, const SlipiContact *contact, int c,
                           double after_stretch, SlipiBooking *booking) {
  double p = slipi_dot3(contact->frame[c], contact->impulse), K = stiffness_of(sim, contact, c);
  double lost = -p * (contact->before[c] + contact->after[c]) / 2, driven = -p * contact->drive[c];
  double yielded = c == 0 && !holds(contact) ? 0 : -p * contact->flowed[c];
  double stored = 0.5 * K * (square(after_stretch) - square(contact->stretch[c]));
  double *rest = K > 0 ? &booking->damping : yields(contact) ? &booking->plastic : &booking->impact;
  *(c == 0 ? &booking->plastic : &booking->friction) += yielded;
  *rest += lost - stored - yielded;
  booking->elastic += 0.5 * K * square(after_stretch);
  booking->applied += driven;
  booking->throughput += fabs(lost) + fabs(driven);
}

/* e' of one component. Without a pull nothing is yielded along the normal: there it is the depth
 * that the contact goes to, whatever it bears. */
static double stretch_after(const SlipSim *sim, const SlipiContact *contact, int c, double h) {
  double K = stiffness_of(sim, contact, c), alpha = damping_of(sim, contact);
  if (!(K > 0))
    return 0;
  if (c == 0 && !holds(contact))
    return fmin(0, contact->gap + h * contact->after[0]);
  double p = slipi_dot3(contact->frame[c], contact->impulse);
  return (alpha * contact->stretch[c] - p / K) / (h + alpha);
}

bool slipi_yield_close(const SlipSim *sim, SlipiContact *contact, double h, SlipiBooking *booking) {
  if (is_plain(sim, contact))
    return false;
  for (int k = 0; k < 3; k++)
    contact->elastic[k] = 0;
  for (int c = 0; c < sim->def.dimension; c++) {
    double e = stretch_after(sim, contact, c, h);
    book_component(sim, contact, c, e, booking);
    for (int k = 0; k < 3; k++)
      contact->elastic[k] += e * contact->frame[c][k];
  }
  if (holds(contact)) {
    contact->plastic += h * normal_flow(contact);
    contact->broken = contact->plastic > slipi_contact_rule(sim, contact)->breaks_at;
  }
  return true;
}
