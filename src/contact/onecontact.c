#include "contact/onecontact.h"

#include <string.h>

#include "contact/onecontact_exact.h"
#include "contact/onecontact_parts.h"
#include "linalg/dense3.h"

const char *const slipi_one_contact_names[] = {
    "hybrid", "quartic-tan", "quartic-alpha", "nsn-ac",          "nsn-ac-gp",
    "nsn-jm", "nsn-jm-gp",   "projection",    "projection-loop", NULL};

double slipi_one_contact_error(const SlipiOneContact *one, const double q[3], const double r[3]) {
  /* In units of velocity with the largest of q and |W| r taken out: scales cancel where K is a
   * cone (a radius goes with r), and nothing overflows. */
  double scale = one->scale > 0 ? one->scale : 1;
  double size = fmax(slipi_dense3_max(q), one->scale * slipi_dense3_max(r));
  double x[3], u[3], y[3], e[3], W[9];
  if (!(size > 0)) /* q and W r vanish: only r in K is left to ask */
    return size == 0 && slipi_law_distance(&one->law, r) == 0 ? 0 : INFINITY;
  if (!(size < INFINITY))
    return INFINITY;
  for (int k = 0; k < 9; k++)
    W[k] = one->W[k] / scale;
  for (int k = 0; k < 3; k++) {
    x[k] = r[k] / size * scale;
    y[k] = q[k] / size;
  }
  slipi_dense3_multiply(W, x, u);
  for (int k = 0; k < 3; k++)
    u[k] += y[k];
  SlipiLaw law = slipi_law_scaled(one->law, size, scale);
  double norm = sqrt(slipi_law_natural_map(&law, 1, u, x, e));
  double unit =
      one->scale > 0 ? fmax(slipi_dense3_norm(y), slipi_dense3_norm(x)) : slipi_dense3_norm(y);
  return isfinite(norm) ? norm / unit : INFINITY;
}

/* ---- The exact kinds, on W and q of size 1 ---- */

/* The part of the natural map that rounding leaves: it multiplies the rounding of u_T by mu. */
static double floor_of(const SlipiOneContact *one, double tol) {
  return fmax(tol, 1e-13 * (1 + one->law.mu));
}

/* Take the solution nearest to r, or leave r where there is none or r is better than all that
 * were found. Returns the error; *count receives how many were found. */
static double take_nearest(const SlipiOneContact *one, SlipQuartic form, double tol,
                           const double q[3], double r[3], int *count) {
  SlipiBlock block = {.mu = one->law.mu, .flow = (SlipFlow)one->law.flow};
  SlipOneContact list = slip_default_one_contact();
  memcpy(block.W, one->W, sizeof block.W);
  memcpy(block.q, q, sizeof block.q);
  if (one->law.kind == SLIPI_COULOMB) /* the quartics are about its cone */
    slipi_enumerate(&block, form, &list);
  const double *chosen = r;
  double nearest = INFINITY, best = slipi_one_contact_error(one, q, r);
  for (int k = 0; k < list.count; k++) {
    double away[3] = {list.r[k][0] - r[0], list.r[k][1] - r[1], list.r[k][2] - r[2]};
    double distance = slipi_dense3_norm(away), e = slipi_one_contact_error(one, q, list.r[k]);
    /* Of the good ones the nearest; without a good one, the best. */
    if (e <= tol ? distance < nearest : nearest == INFINITY && e < best) {
      chosen = list.r[k];
      best = e;
      if (e <= tol)
        nearest = distance;
    }
  }
  memmove(r, chosen, 3 * sizeof *r);
  *count = list.count;
  return best;
}

/* A strongly coupled contact for which the enumeration found nothing most likely has no solution: a
 * few Newton steps have to do. They often run off to infinity, where the error relative to |W||r|
 * falls without end; r stays as it was then. */
enum { HOPELESS_MAX_ITER = 10 };
static const double HOPELESS_MOST = 1e6;

static int try_hopeless(const SlipiOneContact *one, const SlipiOneContactRule *rule, double tol,
                        const double q[3], double r[3]) {
  int most = rule->max_iter < HOPELESS_MAX_ITER ? rule->max_iter : HOPELESS_MAX_ITER;
  const SlipiOneContactRule few = {SLIPI_ONE_NEWTON_AC_GP, tol, most};
  double x[3] = {r[0], r[1], r[2]};
  int count = slipi_one_contact_newton(one, &few, q, x);
  if (one->scale * slipi_dense3_max(x) <= HOPELESS_MOST * slipi_dense3_max(q))
    memcpy(r, x, sizeof x);
  return count;
}

/* Exact where the law has quartics, then Newton with line search from a few starts, then the fixed
 * point: the solver of laws that have none of their own. r only ever improves. A weakly coupled
 * contact has a solution for every q, and an enumeration that comes back empty has missed it by
 * rounding: all are tried. A strongly coupled one (a rod that jams) may have none: then a sweep
 * must not take a thousand times as long for it. */
static int solve_hybrid(const SlipiOneContact *one, const SlipiOneContactRule *rule,
                        const double q[3], double r[3]) {
  double tol = floor_of(one, rule->tol), start[3] = {r[0], r[1], r[2]};
  int count = 0, found;
  if (take_nearest(one, SLIP_QUARTIC_TAN, tol, q, r, &found) <= tol)
    return 0;
  if (found == 0 && one->law.kind == SLIPI_COULOMB && one->coupling == SLIPI_COUPLING_STRONG)
    return try_hopeless(one, rule, tol, q, r);
  SlipiOneContactRule next = {SLIPI_ONE_NEWTON_AC_GP, tol, rule->max_iter};
  double starts[4][3] = {{r[0], r[1], r[2]}, {start[0], start[1], start[2]}, {0, 0, 0}};
  starts[3][0] = fmax(0, -q[0]) * (one->W[0] > 0 ? 1 / one->W[0] : 1);
  for (int k = 0; k < 4; k++) {
    double *x = starts[k];
    count += slipi_one_contact_newton(one, &next, q, x);
    double e = slipi_one_contact_error(one, q, x);
    if (e < slipi_one_contact_error(one, q, r))
      memcpy(r, x, 3 * sizeof *x);
    if (e <= tol)
      return count;
  }
  next.kind = SLIPI_ONE_PROJECTION_LOOP;
  return count + slipi_one_contact_project_loop(one, &next, q, r);
}

static int solve_moderate(const SlipiOneContact *one, const SlipiOneContactRule *rule,
                          const double q[3], double r[3]) {
  bool exact = rule->kind == SLIPI_ONE_QUARTIC_TAN || rule->kind == SLIPI_ONE_QUARTIC_ALPHA;
  if (exact && one->law.kind != SLIPI_COULOMB)
    return solve_hybrid(one, rule, q, r);
  int found;
  switch (rule->kind) {
  case SLIPI_ONE_HYBRID:
    return solve_hybrid(one, rule, q, r);
  case SLIPI_ONE_QUARTIC_TAN:
    take_nearest(one, SLIP_QUARTIC_TAN, floor_of(one, rule->tol), q, r, &found);
    return 0;
  case SLIPI_ONE_QUARTIC_ALPHA:
    take_nearest(one, SLIP_QUARTIC_ALPHA, floor_of(one, rule->tol), q, r, &found);
    return 0;
  case SLIPI_ONE_PROJECTION:
    return slipi_one_contact_project(one, q, r);
  case SLIPI_ONE_PROJECTION_LOOP:
    return slipi_one_contact_project_loop(one, rule, q, r);
  default:
    return slipi_one_contact_newton(one, rule, q, r);
  }
}

/* lambda of a slide, u_T = -lambda r_T; 0 for anything else. */
static double multiplier(const SlipiOneContact *one, const double q[3], const double r[3]) {
  double u[3], T = slipi_tangent_norm(r);
  slipi_dense3_multiply(one->W, r, u);
  double along = (u[1] + q[1]) * r[1] + (u[2] + q[2]) * r[2];
  return T > 0 && T >= one->law.mu * r[0] * (1 - 1e-9) && along < 0 ? -along / (T * T) : 0;
}

/* Take powers of two out of W and q, solve, put them back. */
static int solve_scaled(SlipiOneContact *one, const SlipiOneContactRule *rule, const double q[3],
                        double r[3]) {
  SlipiOneContact unit;
  double W[9], y[3], x[3];
  int eW = 0, eq = 0;
  double size = fmax(slipi_dense3_max(q), 0);
  if (one->scale > 0)
    (void)frexp(one->scale, &eW);
  if (size == 0)
    size = one->scale * slipi_dense3_max(r);
  if (size > 0)
    (void)frexp(size, &eq);
  for (int k = 0; k < 9; k++)
    W[k] = ldexp(one->W[k], -eW);
  for (int k = 0; k < 3; k++) {
    y[k] = ldexp(q[k], -eq);
    x[k] = ldexp(r[k], eW - eq);
  }
  slipi_one_contact_prepare(&unit, W, slipi_law_scaled(one->law, 1, ldexp(1, eW - eq)));
  int count = solve_moderate(&unit, rule, y, x);
  if (rule->kind == SLIPI_ONE_HYBRID) /* so that the exact slide can follow this branch */
    one->lambda = ldexp(multiplier(&unit, y, x), eW);
  for (int k = 0; k < 3; k++)
    x[k] = ldexp(x[k], eq - eW);
  if (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))
    memcpy(r, x, sizeof x);
  return count;
}

static bool is_moderate(double x) {
  return x >= 1e-60 && x <= 1e60;
}

int slipi_one_contact_solve(SlipiOneContact *one, const SlipiOneContactRule *rule,
                            const double q[3], double r[3]) {
  if (rule->kind == SLIPI_ONE_HYBRID && one->exact && slipi_one_contact_exact(one, q, r))
    return 0;
  if (rule->kind == SLIPI_ONE_HYBRID && one->aligned && slipi_one_contact_associated(one, q, r))
    return 0;
  if (rule->kind == SLIPI_ONE_HYBRID && one->inverted && is_moderate(one->scale) &&
      is_moderate(fabs(q[0]) + fabs(q[1]) + fabs(q[2])) &&
      slipi_one_contact_near(one, floor_of(one, rule->tol), q, r))
    return 0;
  if (!isfinite(q[0]) || !isfinite(q[1]) || !isfinite(q[2]))
    return 0;
  const SlipiLawType *type = slipi_law_type(&one->law);
  bool iterative = !one->flat && rule->kind > SLIPI_ONE_QUARTIC_ALPHA && is_moderate(one->scale) &&
                   is_moderate(slipi_dense3_max(q));
  if (iterative)
    return solve_moderate(one, rule, q, r);
  bool curved =
      !type->solve && !type->g && rule->kind == SLIPI_ONE_HYBRID && !one->inverted; /* else tried */
  if (curved && is_moderate(one->scale) && is_moderate(slipi_dense3_max(q)) &&
      slipi_one_contact_near(one, floor_of(one, rule->tol), q, r))
    return 0;
  if (!type->solve)
    return solve_scaled(one, rule, q, r);
  type->solve(one, q, r);
  return 0;
}
