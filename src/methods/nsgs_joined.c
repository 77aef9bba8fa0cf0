#include "methods/nsgs_joined.h"

#include <string.h>

#include "contact/disc.h"
#include "contact/onecontact_exact.h"
#include "contact/pairs.h"
#include "contact/rolling.h"

bool slipi_joined_prepare(const SlipiRun *run, const SlipiSweep *s) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  bool joined = s->rolling_of && pairs && !pairs->large && !slipi_operator_own(run->op) &&
                (!s->momentum || s->graph.groups > 0);
  for (int32_t b = 1; b < run->nc && joined; b++) {
    if (run->law[b].kind != SLIPI_ROLLING)
      continue;
    joined = slipi_pairs_join(pairs, b);
    slipi_pairs_cross(pairs, b, s->cross + (ptrdiff_t)9 * s->rolling_of[b]);
  }
  return !slipi_share_any(run->op->share, !joined); /* one way for all processes */
}

/* q of a block's own problem: `own` + u - W r. */
static inline void local_q(const double W[9], const double own[3], const double u[3],
                           const double r[3], double q[3]) {
  for (int k = 0; k < 3; k++)
    q[k] = own[k] + u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
}

static inline void add_product(const double C[9], const double x[3], double u[3]) {
  for (int k = 0; k < 3; k++)
    u[k] += C[3 * k] * x[0] + C[3 * k + 1] * x[1] + C[3 * k + 2] * x[2];
}

/* change = next - r, of which damping leaves a share; returns its square. */
static inline double settle(SlipiDamper *damper, const double r[3], double next[3],
                            double change[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++)
    change[k] = next[k] - r[k];
  double share = damper ? slipi_damper_share(damper, change) : 1;
  for (int k = 0; k < 3 && share < 1; k++) {
    change[k] *= share;
    next[k] = r[k] + change[k];
  }
  for (int k = 0; k < 3; k++)
    square += change[k] * change[k];
  return square;
}

/* How the changes compare with the movement of both since the sweep before (nsgs_sweep.c), which
 * the contact's block stands for. */
static double note_movement(SlipiSweep *s, int32_t b, const double now[6], const double change[6],
                            bool uniform) {
  SlipiMomentum *momentum = s->momentum;
  const SlipiGraph *graph = momentum->graph;
  const double *before = momentum->before + (ptrdiff_t)3 * (b - 1);
  double product[2] = {0};
  for (int k = 0; k < 6; k++)
    product[k / 3] -= change[k] * (now[k] - before[k]);
  momentum->contact[b - 1].against = s->one[b - 1].scale * product[0];
  momentum->contact[b].against = s->one[b].scale * product[1];
  double against = momentum->contact[b - 1].against + momentum->contact[b].against;
  if (uniform)
    return against;
  bool summed = graph->groups > 0 && !s->chunks.many;
  for (int32_t k = graph->p[b - 1]; summed && k < graph->p[b]; k++)
    momentum->sum_next[graph->j[k]] += against;
  return against;
}

/* Moments back at their bounds. */
static inline void bring_back(const SlipiLaw *law, double m[3]) {
  double square = m[1] * m[1] + m[2] * m[2], most = law->radius * law->radius;
  double share = square > most ? law->radius / sqrt(square) : 1;
  m[0] = m[0] > law->depth ? law->depth : m[0] < -law->depth ? -law->depth : m[0];
  m[1] *= share;
  m[2] *= share;
}

/* The moments where W is round: r - u/w, each part back at its bound. u has the contact's change.
 */
static inline void settle_round(const SlipiOneContact *moments, const double own[3],
                                const double u[3], const double r[3], double next[3]) {
  double k = moments->slide.k, kT = moments->slide.s2 * moments->slide.inv_det;
  next[0] = r[0] - k * (own[0] + u[0]);
  next[1] = r[1] - kT * (own[1] + u[1]);
  next[2] = r[2] - kT * (own[2] + u[2]);
  bring_back(&moments->law, next);
}

/* slipi_rolling_under, in place. */
static inline void bound_moments(SlipiLaw *law, double rN) {
  double bears = rN > 0 ? rN : 0;
  law->radius = law->mu * bears;
  law->depth = law->cap * bears;
}

/* Momentum, the same for all, has carried r here; `before` becomes r. */
static void carry(SlipiMomentum *momentum, int32_t b, double r[6]) {
  double *before = momentum->before + (ptrdiff_t)3 * (b - 1);
  for (int k = 0; k < 6; k++) {
    double now = r[k];
    r[k] += momentum->share * (now - before[k]);
    before[k] = now;
  }
}

double slipi_joined_visit(SlipiRun *run, SlipiSweep *s, const SlipiPairs *pairs, int32_t b,
                          SlipiJoinedVisit how, double *against) {
  SlipiOneContact *contact = &s->one[b - 1], *moments = &s->one[b];
  SlipiDamper *damper = how.damped ? &s->damper[b - 1] : NULL;
  const double *own = run->q + (ptrdiff_t)3 * (b - 1);
  double *r = run->r + (ptrdiff_t)3 * (b - 1), from[6], next[6], u[6], q[3], change[6];
  memcpy(from, r, sizeof from);
  memcpy(next, r, sizeof next);
  if (how.uniform)
    carry(s->momentum, b, from);
  slipi_pairs_row(pairs, b - 1, s->rows.z, u);
  slipi_pairs_turns(pairs, b, s->rows.z, u + 3);
  local_q(contact->W, own, u, from, q);
  slipi_one_contact_settle(contact, &s->rule, s->exact, q, next);
  double square = settle(damper, from, next, change);
  add_product(s->cross + (ptrdiff_t)9 * s->rolling_of[b], change, u + 3);
  bound_moments(&moments->law, next[0]);
  if (s->exact && moments->round) {
    settle_round(moments, own + 3, u + 3, from + 3, next + 3);
  } else {
    local_q(moments->W, own + 3, u + 3, from + 3, q);
    if (s->exact)
      slipi_disc_solve_both(moments, q, next + 3);
    else
      slipi_one_contact_solve(moments, &s->rule, q, next + 3);
  }
  square += settle(damper ? damper + 1 : NULL, from + 3, next + 3, change + 3);
  memcpy(r, next, sizeof next);
  slipi_pairs_update_both(pairs, b, change, s->rows.z);
  if (how.momentum)
    *against += note_movement(s, b, next, change, how.uniform);
  return square;
}

/* The momentum of both: t is the contact's. Their bodies are the same, so that each group's sum has
 * what both moved against. */
static double share_of(const SlipiSweep *s, int32_t b, const bool *whole) {
  SlipiMomentumContact *contact = &s->momentum->contact[b - 1];
  const SlipiGraph *graph = s->momentum->graph;
  int32_t first = graph->p[b], end = graph->p[b + 1];
  double own = fmin(contact[0].against, contact[1].against), sum = 0;
  for (int32_t k = first; k < end && !whole; k++)
    sum += s->momentum->sum[graph->j[k]];
  double share = slipi_momentum_share(&contact->t, whole ? *whole : sum > (end - first - 1) * own);
  double factor = fmin(s->damper[b - 1].factor, s->damper[b].factor);
  return factor < 0.9 ? share * factor * factor : share;
}

/* r back in Coulomb's cone, most often from within. */
static inline void return_to_cone(const SlipiLaw *law, double r[3]) {
  double most = law->mu * r[0];
  bool inside = r[0] >= 0 && r[1] * r[1] + r[2] * r[2] <= most * most;
  if (!(inside && slipi_law_is_coulomb(law)))
    slipi_law_project(law, r, r);
}

void slipi_joined_push(SlipiRun *run, SlipiSweep *s, const SlipiPairs *pairs, int32_t b,
                       const bool *whole) {
  double *r = run->r + (ptrdiff_t)3 * (b - 1);
  double *before = s->momentum->before + (ptrdiff_t)3 * (b - 1);
  double share = share_of(s, b, whole), next[6], change[6];
  for (int k = 0; k < 6; k++)
    next[k] = r[k] + share * (r[k] - before[k]);
  memcpy(before, r, sizeof next);
  if (share == 0)
    return;
  SlipiLaw *moments = &s->one[b].law; /* the sweep's own, which visits set, too */
  return_to_cone(&run->law[b - 1], next);
  bound_moments(moments, next[0]);
  bring_back(moments, next + 3);
  for (int k = 0; k < 6; k++) {
    change[k] = next[k] - r[k];
    r[k] = next[k];
  }
  slipi_pairs_update_both(pairs, b, change, s->rows.z);
}
