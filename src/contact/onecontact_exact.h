/* The workhorse of Gauss-Seidel: open, stick and slide of one contact from prepared data, in some
 * tens of nanoseconds.
 *
 * With the normal row eliminated and S turned (SlipiSlide), a slide has r_T = -n(lambda)/d(lambda),
 * where n = adj(S + lambda I) e is linear, d = det(S + lambda I) quadratic, d r_N = m(lambda)
 * quadratic (Bonnefon, Daviet 2011, section 4), lambda > 0. Halley's method, within a bracket, runs
 * on f = mu m/|n| - 1 = mu r_N/|r_T| - 1: where S and the coupling are mild, f is increasing and
 * concave, nearly linear in lambda, as in the secular equation of trust regions. With fractions
 * cleared an iteration costs one square root and one division.
 *
 * In a header, so that a sweep can keep the whole visit of a contact in registers.
 */
#ifndef SLIPI_CONTACT_ONECONTACT_EXACT_H
#define SLIPI_CONTACT_ONECONTACT_EXACT_H

#include <string.h>

#include "contact/onecontact.h"

/* The sixth power of q times W must stay in range; outside, the caller scales. */
#define SLIPI_EXACT_Q_LEAST 1e-18
#define SLIPI_EXACT_Q_MOST 1e18

/* n_i = p_i + e_i lambda, m = m0 + m1 lambda + m2 lambda^2, |n|^2 = n0 + 2 n1 lambda + n2 .. */
typedef struct SlipiSecular {
  double e1, e2, p1, p2;
  double m0, m1, m2;
  double n0, n1, n2;
} SlipiSecular;

/* The slide's multiplier: the root of f within (0, inf), f(0) < 0 < f(inf). Returns a negative
 * number when it does not settle. */
static inline double slipi_exact_lambda(const SlipiOneContact *one, const SlipiSecular *f) {
  const SlipiSlide *slide = &one->slide;
  double mu = one->law.mu, low = 0, high = INFINITY, lambda = one->lambda;
  double length = 1 / ((slide->s1 + slide->s2) * slide->inv_det); /* about the smaller of S */
  if (!(lambda > 0)) {
    lambda = sqrt(f->n2) / (mu * f->m2) - 0.5 * (slide->s1 + slide->s2);
    if (!(lambda > 0))
      lambda = 0;
  }
  for (int k = 0; k < 60; k++) {
    double n = (f->n2 * lambda + 2 * f->n1) * lambda + f->n0;
    double m = (f->m2 * lambda + f->m1) * lambda + f->m0;
    double h = f->n2 * lambda + f->n1, dm = 2 * f->m2 * lambda + f->m1; /* h = n'/2 */
    double N = dm * n - m * h, dN = 2 * f->m2 * n + dm * h - m * f->n2; /* f' = mu N/n^1.5 */
    double excess = mu * m - sqrt(n);                                   /* the sign of f */
    if (excess < 0)
      low = lambda;
    else
      high = lambda;
    double bend = excess * (dN * n - 3 * N * h);
    double correction = 2 * excess * n * N / (2 * mu * N * N - bend), next = lambda - correction;
    if (next >= low && next <= high) {
      lambda = next;
      /* Cubic convergence: a correction of 5e-6 leaves 1e-16. */
      if (fabs(correction) <= 5e-6 * (lambda + length))
        return lambda;
    } else if (next < low && low == 0 && k < 3) {
      lambda = 0; /* concave: from the left the steps do not overshoot */
    } else {
      lambda = high < INFINITY ? 0.5 * (low + high) : 4 * (lambda + length);
    }
  }
  return -1;
}

static inline SlipiSecular slipi_exact_secular(const SlipiSlide *slide, const double q[3]) {
  SlipiSecular f = {0};
  double qN = q[0];
  f.e1 = slide->c * q[1] - slide->s * q[2] - slide->b1 * qN;
  f.e2 = slide->s * q[1] + slide->c * q[2] - slide->b2 * qN;
  f.p1 = f.e1 * slide->s2 + f.e2 * slide->w;
  f.p2 = f.e2 * slide->s1 - f.e1 * slide->w;
  f.m2 = -qN * slide->k;
  f.m0 = slide->a1 * f.p1 + slide->a2 * f.p2 + f.m2 * (slide->s1 * slide->s2 + slide->w * slide->w);
  f.n0 = f.p1 * f.p1 + f.p2 * f.p2;
  return f;
}

static inline void slipi_exact_turn_back(const SlipiSlide *slide, double normal, double t1,
                                         double t2, double r[3]) {
  r[0] = normal;
  r[1] = slide->c * t1 + slide->s * t2;
  r[2] = slide->c * t2 - slide->s * t1;
}

static inline bool slipi_exact_slide(SlipiOneContact *one, SlipiSecular *f, double r[3]) {
  const SlipiSlide *slide = &one->slide;
  double mu = one->law.mu;
  f->m1 = slide->a1 * f->e1 + slide->a2 * f->e2 + f->m2 * (slide->s1 + slide->s2);
  f->n1 = f->p1 * f->e1 + f->p2 * f->e2;
  f->n2 = f->e1 * f->e1 + f->e2 * f->e2;
  double lambda = slipi_exact_lambda(one, f);
  double n1 = f->p1 + f->e1 * lambda, n2 = f->p2 + f->e2 * lambda, n = sqrt(n1 * n1 + n2 * n2);
  double m = (f->m2 * lambda + f->m1) * lambda + f->m0;
  double d = (slide->s1 + lambda) * (slide->s2 + lambda) + slide->w * slide->w;
  if (!(lambda >= 0 && fabs(mu * m - n) <= 1e-13 * (n + mu * f->m2 * d)))
    return false;
  /* r_N from |r_T| rather than from m: then r is on the cone whatever the coupling amplifies. */
  double inverse = 1 / d;
  slipi_exact_turn_back(slide, n * inverse * slide->inv_mu, -n1 * inverse, -n2 * inverse, r);
  one->lambda = lambda;
  return true;
}

/* Whether r has stayed near where it was. */
static inline bool slipi_exact_is_near(const double r[3], const double from[3]) {
  double away = 0, size = 0;
  for (int k = 0; k < 3; k++) {
    away += (r[k] - from[k]) * (r[k] - from[k]);
    size += r[k] * r[k];
  }
  return away <= 0.01 * size;
}

static inline bool slipi_exact_is_on_cone(const double r[3], double mu) {
  double limit = mu * r[0];
  return r[1] * r[1] + r[2] * r[2] >= limit * limit * (1 - 1e-9);
}

static inline bool slipi_exact_stick(const SlipiSlide *slide, double mu, const SlipiSecular *f,
                                     double r[3]) {
  double limit = mu * f->m0;
  if (!(f->m0 >= 0 && f->n0 <= limit * limit))
    return false;
  slipi_exact_turn_back(slide, f->m0 * slide->inv_det, -f->p1 * slide->inv_det,
                        -f->p2 * slide->inv_det, r);
  return true;
}

/* Where there may be several solutions: stay on the branch r is on, or leave the choice to the
 * enumeration of all solutions. */
static inline bool slipi_exact_follow(SlipiOneContact *one, SlipiSecular *f, double r[3]) {
  double x[3], lambda = one->lambda;
  bool sliding = lambda > 0 && slipi_exact_is_on_cone(r, one->law.mu);
  for (int turn = 0; turn < 2; turn++) {
    bool found = sliding == (turn == 0) ? slipi_exact_slide(one, f, x)
                                        : slipi_exact_stick(&one->slide, one->law.mu, f, x);
    if (found && slipi_exact_is_near(x, r)) {
      memcpy(r, x, sizeof x);
      return true;
    }
    one->lambda = lambda;
  }
  return false;
}

/* Any of the solutions, where there may be several: for a start from nothing. False, r being
 * unchanged, where none is found so fast. one->exact must hold. */
static inline bool slipi_one_contact_exact_any(SlipiOneContact *one, const double q[3],
                                               double r[3]) {
  if (!(-q[0] >= SLIPI_EXACT_Q_LEAST && -q[0] <= SLIPI_EXACT_Q_MOST &&
        fabs(q[1]) <= SLIPI_EXACT_Q_MOST && fabs(q[2]) <= SLIPI_EXACT_Q_MOST))
    return false;
  SlipiSecular f = slipi_exact_secular(&one->slide, q);
  return slipi_exact_stick(&one->slide, one->law.mu, &f, r) || slipi_exact_slide(one, &f, r);
}

/* The prepared slide of the hybrid; false where it does not apply or does not converge, r being
 * unchanged then. one->exact must hold. */
static inline bool slipi_one_contact_exact(SlipiOneContact *one, const double q[3], double r[3]) {
  double x[3];
  if (q[0] >= 0 && isfinite(q[1]) && isfinite(q[2]) &&
      (one->coupling != SLIPI_COUPLING_STRONG || (r[0] == 0 && r[1] == 0 && r[2] == 0))) {
    r[0] = r[1] = r[2] = 0;
    return true;
  }
  if (!(-q[0] >= SLIPI_EXACT_Q_LEAST && -q[0] <= SLIPI_EXACT_Q_MOST &&
        fabs(q[1]) <= SLIPI_EXACT_Q_MOST && fabs(q[2]) <= SLIPI_EXACT_Q_MOST))
    return false;
  SlipiSecular f = slipi_exact_secular(&one->slide, q);
  if (one->coupling != SLIPI_COUPLING_WEAK)
    return slipi_exact_follow(one, &f, r);
  if (!slipi_exact_stick(&one->slide, one->law.mu, &f, x) && !slipi_exact_slide(one, &f, x))
    return false;
  memcpy(r, x, sizeof x);
  return true;
}

/* What a sweep does with a contact, and a caller of slipcone/kernel.h: the prepared slide where it
 * serves (`hybrid`: the rule is the hybrid's), else the rule. True: exact. */
static inline bool slipi_one_contact_settle(SlipiOneContact *one, const SlipiOneContactRule *rule,
                                            bool hybrid, const double q[3], double r[3]) {
  if (hybrid && one->exact && slipi_one_contact_exact(one, q, r))
    return true;
  slipi_one_contact_solve(one, rule, q, r);
  return false;
}

#endif
