#include "methods/nsgs_joined.h"

#include <string.h>

#include "contact/disc.h"
#include "contact/onecontact_exact.h"
#include "contact/pairs.h"
#include "contact/rolling.h"

/* By order: what a visit works on then stays in registers. */
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

bool slipi_joined_prepare(const SlipiRun *run, const SlipiSweep *s) {
  const SlipiPairs *pairs = slipi_operator_pairs(run->op);
  bool joined = s->rolling_of && pairs && !pairs->large && !slipi_operator_own(run->op) &&
                (!s->momentum || s->graph.groups > 0);
  for (int32_t b = 1; b < run->nc && joined; b++) {
    if (run->law[b].kind != SLIPI_ROLLING)
      continue;
    joined = slipi_pairs_join(pairs, b);
    double *cross = s->cross + (ptrdiff_t)9 * s->rolling_of[b];
    slipi_pairs_cross(pairs, b, cross);
    if (joined)
      slipi_sphere_prepare(&s->sphere[s->rolling_of[b]], pairs, b, &s->one[b - 1], &s->one[b],
                           cross);
  }
  return !slipi_share_any(run->op->share, !joined); /* one way for all processes */
}

/* q of a block's own problem: `own` + u - W r. */
INLINE void local_q(const double W[9], const double own[3], const double u[3], const double r[3],
                    double q[3]) {
  for (int k = 0; k < 3; k++)
    q[k] = own[k] + u[k] - (W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2]);
}

INLINE void add_product(const double C[9], const double x[3], double u[3]) {
  for (int k = 0; k < 3; k++)
    u[k] += C[3 * k] * x[0] + C[3 * k + 1] * x[1] + C[3 * k + 2] * x[2];
}

/* next - r, of which damping leaves a share. */
INLINE SlipiThree settle(SlipiDamper *damper, SlipiThree r, SlipiThree *next) {
  SlipiThree change = slipi_three_minus(*next, r);
  double values[3] = {change.n, change.x, change.y};
  double share = damper ? slipi_damper_share(damper, values) : 1;
  if (share < 1) {
    change = (SlipiThree){share * change.n, share * change.x, share * change.y};
    *next = (SlipiThree){r.n + change.n, r.x + change.x, r.y + change.y};
  }
  return change;
}

/* How the changes compare with the movement of both since the sweep before (nsgs_sweep.c), which
 * the contact's block stands for. Given are the
 * products of change and movement of each block. */
INLINE double note_movement(SlipiSweep *s, int32_t b, double impulse, double moments,
                            bool uniform) {
  SlipiMomentum *momentum = s->momentum;
  const SlipiGraph *graph = momentum->graph;
  double of_impulse = -s->one[b - 1].scale * impulse, of_moments = -s->one[b].scale * moments;
  double against = of_impulse + of_moments;
  momentum->contact[b - 1].against = of_impulse;
  momentum->contact[b].against = of_moments;
  if (uniform)
    return against;
  bool summed = graph->groups > 0 && !s->chunks.many;
  for (int32_t k = graph->p[b - 1]; summed && k < graph->p[b]; k++)
    momentum->sum_next[graph->j[k]] += against;
  return against;
}

/* change . (now - before) of one block. */
INLINE double movement(const SlipiSweep *s, int32_t block, SlipiThree now, SlipiThree change) {
  SlipiThree before = slipi_three(s->momentum->before + (ptrdiff_t)3 * block);
  return slipi_three_dot(change, slipi_three_minus(now, before));
}

/* Tangents back in a disc. */
INLINE SlipiThree return_to_disc(double radius, SlipiThree x) {
  double square = x.x * x.x + x.y * x.y;
  double share = square > radius * radius ? radius / sqrt(square) : 1;
  return (SlipiThree){x.n, share * x.x, share * x.y};
}

/* Moments back at the bounds that an impulse leaves them. */
INLINE SlipiThree bring_back(const SlipiLaw *law, double rN, SlipiThree m) {
  double bears = rN > 0 ? rN : 0, depth = law->cap * bears;
  m.n = m.n > depth ? depth : m.n < -depth ? -depth : m.n;
  return return_to_disc(law->mu * bears, m);
}

/* r - k (q + u), k for the normal and for the tangents. */
INLINE SlipiThree without_velocity(SlipiThree r, const double *q, SlipiThree u, double k,
                                   double kT) {
  return (SlipiThree){r.n - k * (q[0] + u.n), r.x - kT * (q[1] + u.x), r.y - kT * (q[2] + u.y)};
}

/* slipi_rolling_under, in place. */
INLINE void bound_moments(SlipiLaw *law, double rN) {
  double bears = rN > 0 ? rN : 0;
  law->radius = law->mu * bears;
  law->depth = law->cap * bears;
}

/* Momentum: x + share (x - before); `before` becomes x. */
INLINE SlipiThree push(double share, double *before, SlipiThree x) {
  SlipiThree moved = slipi_three_minus(x, slipi_three(before));
  slipi_three_store(x, before);
  return (SlipiThree){x.n + share * moved.n, x.x + share * moved.x, x.y + share * moved.y};
}

/* What a visit begins with, and what it comes to. */
typedef struct Visit {
  SlipiThree r, m; /* from here */
  SlipiThree next_r, next_m, change_r, change_m;
} Visit;

/* Where all is diagonal: each part is at its bound or where its velocity is 0. */
INLINE void visit_sphere(const SlipiRun *run, const SlipiSweep *s, const SlipiPairs *pairs,
                         const SlipiSphere *sphere, int32_t b, SlipiDamper *damper, Visit *v) {
  const double *q = run->q + (ptrdiff_t)3 * (b - 1);
  SlipiThree u, omega;
  slipi_sphere_read(sphere, pairs, b, s->rows.z, &u, &omega);
  v->next_r = without_velocity(v->r, q, u, sphere->k[0], sphere->k[1]);
  v->next_r.n = v->next_r.n > 0 ? v->next_r.n : 0;
  v->next_r = return_to_disc(s->one[b - 1].law.mu * v->next_r.n, v->next_r);
  v->change_r = settle(damper, v->r, &v->next_r);
  omega.x -= sphere->cross * v->change_r.y;
  omega.y += sphere->cross * v->change_r.x;
  v->next_m = without_velocity(v->m, q + 3, omega, sphere->kappa[0], sphere->kappa[1]);
  v->next_m = bring_back(&s->one[b].law, v->next_r.n, v->next_m);
  v->change_m = settle(damper ? damper + 1 : NULL, v->m, &v->next_m);
  slipi_sphere_update(sphere, pairs, b, v->change_r, v->change_m, s->rows.z);
}

/* The moments that rN allows, next[0] to next[2]; m: those before, u: without those of q. */
static void solve_moments(const SlipiSweep *s, int32_t b, const double *own, const double *u,
                          double rN, SlipiThree m, double next[3]) {
  SlipiOneContact *moments = &s->one[b];
  const SlipiSlide *slide = &moments->slide;
  double from[3] = {m.n, m.x, m.y}, q[3];
  if (s->exact && moments->round) {
    m = without_velocity(m, own, slipi_three(u), slide->k, slide->s2 * slide->inv_det);
    slipi_three_store(bring_back(&moments->law, rN, m), next);
    return;
  }
  local_q(moments->W, own, u, from, q);
  bound_moments(&moments->law, rN);
  if (s->exact)
    slipi_disc_solve_both(moments, q, next);
  else
    slipi_one_contact_solve(moments, &s->rule, q, next);
}

static void visit_any(const SlipiRun *run, const SlipiSweep *s, const SlipiPairs *pairs, int32_t b,
                      SlipiDamper *damper, Visit *v) {
  SlipiOneContact *contact = &s->one[b - 1];
  const double *own = run->q + (ptrdiff_t)3 * (b - 1);
  double from[3] = {v->r.n, v->r.x, v->r.y}, next[6], u[6], q[3];
  memcpy(next, run->r + (ptrdiff_t)3 * (b - 1), sizeof next);
  slipi_pairs_row(pairs, b - 1, s->rows.z, u);
  slipi_pairs_turns(pairs, b, s->rows.z, u + 3);
  local_q(contact->W, own, u, from, q);
  slipi_one_contact_settle(contact, &s->rule, s->exact, q, next);
  v->next_r = slipi_three(next);
  v->change_r = settle(damper, v->r, &v->next_r);
  double change[6] = {v->change_r.n, v->change_r.x, v->change_r.y};
  add_product(s->cross + (ptrdiff_t)9 * s->rolling_of[b], change, u + 3);
  solve_moments(s, b, own + 3, u + 3, v->next_r.n, v->m, next + 3);
  v->next_m = slipi_three(next + 3);
  v->change_m = settle(damper ? damper + 1 : NULL, v->m, &v->next_m);
  slipi_three_store(v->change_m, change + 3);
  slipi_pairs_update_both(pairs, b, change, s->rows.z);
}

double slipi_joined_visit(SlipiRun *run, SlipiSweep *s, const SlipiPairs *pairs, int32_t b,
                          SlipiJoinedVisit how, double *against) {
  const SlipiSphere *sphere = &s->sphere[s->rolling_of[b]];
  SlipiDamper *damper = how.damped ? &s->damper[b - 1] : NULL;
  double *r = run->r + (ptrdiff_t)3 * (b - 1);
  Visit v = {.r = slipi_three(r), .m = slipi_three(r + 3)};
  if (how.uniform) {
    v.r = push(s->momentum->share, s->momentum->before + (ptrdiff_t)3 * (b - 1), v.r);
    v.m = push(s->momentum->share, s->momentum->before + (ptrdiff_t)3 * b, v.m);
  }
  if (s->exact && sphere->applies)
    visit_sphere(run, s, pairs, sphere, b, damper, &v);
  else
    visit_any(run, s, pairs, b, damper, &v);
  slipi_three_store(v.next_r, r);
  slipi_three_store(v.next_m, r + 3);
  if (how.momentum)
    *against += note_movement(s, b, movement(s, b - 1, v.next_r, v.change_r),
                              movement(s, b, v.next_m, v.change_m), how.uniform);
  return slipi_three_dot(v.change_r, v.change_r) + slipi_three_dot(v.change_m, v.change_m);
}

/* The momentum of both: t is the contact's. Their bodies are the same, so that each group's sum has
 * what both moved against. */
static double share_of(const SlipiSweep *s, int32_t b, const bool *whole) {
  SlipiMomentumContact *contact = &s->momentum->contact[b - 1];
  const SlipiGraph *graph = s->momentum->graph;
  int32_t first = graph->p[b], end = graph->p[b + 1];
  double own = contact[contact[1].against < contact[0].against].against, sum = 0;
  for (int32_t k = first; k < end && !whole; k++)
    sum += s->momentum->sum[graph->j[k]];
  double share = slipi_momentum_share(&contact->t, whole ? *whole : sum > (end - first - 1) * own);
  double factor = s->damper[b - 1 + (s->damper[b].factor < s->damper[b - 1].factor)].factor;
  return factor < 0.9 ? share * factor * factor : share;
}

/* r back in Coulomb's cone, most often from within. */
INLINE SlipiThree return_to_cone(const SlipiLaw *law, SlipiThree r) {
  double most = law->mu * r.n;
  if (r.n >= 0 && r.x * r.x + r.y * r.y <= most * most && slipi_law_is_coulomb(law))
    return r;
  double x[3] = {r.n, r.x, r.y};
  slipi_law_project(law, x, x);
  return slipi_three(x);
}

void slipi_joined_push(SlipiRun *run, SlipiSweep *s, const SlipiPairs *pairs, int32_t b,
                       const bool *whole) {
  double *r = run->r + (ptrdiff_t)3 * (b - 1);
  double *before = s->momentum->before + (ptrdiff_t)3 * (b - 1);
  const SlipiSphere *sphere = &s->sphere[s->rolling_of[b]];
  double share = share_of(s, b, whole);
  SlipiThree now_r = slipi_three(r), now_m = slipi_three(r + 3);
  SlipiThree next_r = push(share, before, now_r), next_m = push(share, before + 3, now_m);
  if (share == 0)
    return;
  next_r = return_to_cone(&run->law[b - 1], next_r);
  next_m = bring_back(&run->law[b], next_r.n, next_m);
  slipi_three_store(next_r, r);
  slipi_three_store(next_m, r + 3);
  now_r = slipi_three_minus(next_r, now_r);
  now_m = slipi_three_minus(next_m, now_m);
  if (sphere->applies) {
    slipi_sphere_update(sphere, pairs, b, now_r, now_m, s->rows.z);
    return;
  }
  double change[6] = {now_r.n, now_r.x, now_r.y, now_m.n, now_m.x, now_m.y};
  slipi_pairs_update_both(pairs, b, change, s->rows.z);
}
