/* The workhorse of Gauss-Seidel: open, stick and slide of one contact from prepared data, in
 * some tens of nanoseconds.
 *
 * With the normal row eliminated and S turned (SlipiSlide), a slide has r_T = -n(lambda)/d(lambda),
 * where n = adj(S + lambda I) e is linear, d = det(S + lambda I) quadratic, d r_N = m(lambda)
 * quadratic (001 section 4), lambda > 0. Halley's method, within a bracket, runs on
 * f = mu m/|n| - 1 = mu r_N/|r_T| - 1: where S and the coupling are mild, f is increasing and
 * concave, nearly linear in lambda, as in the secular equation of trust regions. With fractions
 * cleared an iteration costs one square root and one division.
 */
#include <string.h>

#include "contact/onecontact_parts.h"

/* The sixth power of q times W must stay in range; outside, the caller scales. */
static const double q_least = 1e-18, q_most = 1e18;
static const double W_least = 1e-15, W_most = 1e15;
static const double mu_least = 1e-9, mu_most = 1e9;

/* n_i = p_i + e_i lambda, m = m0 + m1 lambda + m2 lambda^2, |n|^2 = n0 + 2 n1 lambda + n2 .. */
typedef struct Secular {
  double e1, e2, p1, p2;
  double m0, m1, m2;
  double n0, n1, n2;
} Secular;

/* ---- Preparation ---- */

static void turn_tangents(SlipiSlide *slide, double s11, double s12, double s22) {
  slide->c = 1;
  slide->s = 0;
  slide->s1 = s11;
  slide->s2 = s22;
  if (s12 == 0)
    return;
  /* Jacobi's rotation, by the smaller angle. */
  double tau = (s22 - s11) / (2 * s12);
  double t = copysign(1 / (fabs(tau) + sqrt(1 + tau * tau)), tau);
  slide->c = 1 / sqrt(1 + t * t);
  slide->s = t * slide->c;
  slide->s1 = s11 - t * s12;
  slide->s2 = s22 + t * s12;
}

static SlipiCoupling coupling_of(const SlipiSlide *slide, double mu) {
  /* At a root, f' has the sign of (e + mu a)'G e, G = (S + lambda I)^-1, e = r_T/|r_T|. By
   * Kantorovich e'G e >= |G e| 2 sqrt(s1 s2)/(s1 + s2), so a small mu |a| leaves f one root. */
  double a = mu * sqrt(slide->a1 * slide->a1 + slide->a2 * slide->a2);
  double angle = 2 * sqrt(slide->s1 * slide->s2) / (slide->s1 + slide->s2);
  /* The skew part lengthens |S x| by at most w |x|, and x'S x >= min(s1, s2) |x|^2. */
  angle = 1 / (1 / angle + fabs(slide->w) / fmin(slide->s1, slide->s2));
  if (a < angle * (1 - 1e-9))
    return SLIPI_COUPLING_WEAK;
  /* r_N > 0 with u_N = 0 and q_N >= 0 needs W_NN <= mu |W_NT|. */
  return a < 1 - 1e-9 ? SLIPI_COUPLING_MEDIUM : SLIPI_COUPLING_STRONG;
}

static void prepare_slide(SlipiOneContact *one) {
  const double *W = one->W, mu = one->law.mu, scale = one->scale;
  SlipiSlide *slide = &one->slide;
  memset(slide, 0, sizeof *slide);
  one->coupling = SLIPI_COUPLING_STRONG;
  one->exact = false;
  if (one->law.kind != SLIP_COULOMB || one->law.associated ||
      !(scale >= W_least && scale <= W_most && mu >= mu_least && mu <= mu_most) ||
      !(W[0] > 1e-11 * scale))
    return;
  double k = 1 / W[0], n1 = W[1], n2 = W[2], t1 = W[3], t2 = W[6]; /* W_NT and W_TN */
  if (one->symmetric) { /* to rounding: make it so to the bit */
    n1 = t1 = 0.5 * (n1 + t1);
    n2 = t2 = 0.5 * (n2 + t2);
  }
  double s12 = W[5] - t1 * k * n2, s21 = W[7] - t2 * k * n1;
  turn_tangents(slide, W[4] - t1 * k * n1, 0.5 * (s12 + s21), W[8] - t2 * k * n2);
  if (!(slide->s1 > 1e-11 * scale && slide->s2 > 1e-11 * scale))
    return;
  slide->w = one->symmetric ? 0 : 0.5 * (s21 - s12); /* rotations leave the skew part alone */
  slide->k = k;
  slide->a1 = k * (slide->c * n1 - slide->s * n2);
  slide->a2 = k * (slide->s * n1 + slide->c * n2);
  slide->b1 = k * (slide->c * t1 - slide->s * t2);
  slide->b2 = k * (slide->s * t1 + slide->c * t2);
  slide->inv_det = 1 / (slide->s1 * slide->s2 + slide->w * slide->w);
  slide->inv_mu = 1 / mu;
  one->coupling = (unsigned char)coupling_of(slide, mu);
  one->exact = true;
}

void slipi_one_contact_prepare(SlipiOneContact *one, const double W[9], SlipiLaw law) {
  memcpy(one->W, W, sizeof one->W);
  one->law = law;
  one->lambda = 0;
  double largest = 0, sum = 0;
  for (int k = 0; k < 9; k++)
    largest = fmax(largest, fabs(W[k]));
  for (int k = 0; k < 9 && largest > 0; k++)
    sum += (W[k] / largest) * (W[k] / largest);
  one->scale = largest * sqrt(sum);
  one->rho = one->scale > 0 ? 1 / one->scale : 1;
  double asymmetry = fmax(fabs(W[1] - W[3]), fmax(fabs(W[2] - W[6]), fabs(W[5] - W[7])));
  one->symmetric = asymmetry <= 1e-14 * one->scale;
  prepare_slide(one);
}

/* ---- Solution ---- */

/* The slide's multiplier: the root of f within (0, inf), f(0) < 0 < f(inf). Returns a negative
 * number when it does not settle. */
static double find_lambda(const SlipiOneContact *one, const Secular *f) {
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

static Secular secular_at(const SlipiSlide *slide, const double q[3]) {
  Secular f = {0};
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

static void turn_back(const SlipiSlide *slide, double normal, double t1, double t2, double r[3]) {
  r[0] = normal;
  r[1] = slide->c * t1 + slide->s * t2;
  r[2] = slide->c * t2 - slide->s * t1;
}

static bool find_slide(SlipiOneContact *one, Secular *f, double r[3]) {
  const SlipiSlide *slide = &one->slide;
  double mu = one->law.mu;
  f->m1 = slide->a1 * f->e1 + slide->a2 * f->e2 + f->m2 * (slide->s1 + slide->s2);
  f->n1 = f->p1 * f->e1 + f->p2 * f->e2;
  f->n2 = f->e1 * f->e1 + f->e2 * f->e2;
  double lambda = find_lambda(one, f);
  double n1 = f->p1 + f->e1 * lambda, n2 = f->p2 + f->e2 * lambda, n = sqrt(n1 * n1 + n2 * n2);
  double m = (f->m2 * lambda + f->m1) * lambda + f->m0;
  double d = (slide->s1 + lambda) * (slide->s2 + lambda) + slide->w * slide->w;
  if (!(lambda >= 0 && fabs(mu * m - n) <= 1e-13 * (n + mu * f->m2 * d)))
    return false;
  /* r_N from |r_T| rather than from m: then r is on the cone whatever the coupling amplifies. */
  double inverse = 1 / d;
  turn_back(slide, n * inverse * slide->inv_mu, -n1 * inverse, -n2 * inverse, r);
  one->lambda = lambda;
  return true;
}

/* Whether r has stayed near where it was. */
static bool is_near(const double r[3], const double from[3]) {
  double away = 0, size = 0;
  for (int k = 0; k < 3; k++) {
    away += (r[k] - from[k]) * (r[k] - from[k]);
    size += r[k] * r[k];
  }
  return away <= 0.01 * size;
}

static bool is_on_cone(const double r[3], double mu) {
  double limit = mu * r[0];
  return r[1] * r[1] + r[2] * r[2] >= limit * limit * (1 - 1e-9);
}

static bool find_stick(const SlipiSlide *slide, double mu, const Secular *f, double r[3]) {
  double limit = mu * f->m0;
  if (!(f->m0 >= 0 && f->n0 <= limit * limit))
    return false;
  turn_back(slide, f->m0 * slide->inv_det, -f->p1 * slide->inv_det, -f->p2 * slide->inv_det, r);
  return true;
}

/* Where there may be several solutions: stay on the branch r is on, or leave the choice to those
 * who look at them all. */
static bool follow(SlipiOneContact *one, Secular *f, double r[3]) {
  double x[3], lambda = one->lambda;
  bool sliding = lambda > 0 && is_on_cone(r, one->law.mu);
  for (int turn = 0; turn < 2; turn++) {
    bool found =
        sliding == (turn == 0) ? find_slide(one, f, x) : find_stick(&one->slide, one->law.mu, f, x);
    if (found && is_near(x, r)) {
      memcpy(r, x, sizeof x);
      return true;
    }
    one->lambda = lambda;
  }
  return false;
}

bool slipi_one_contact_exact(SlipiOneContact *one, const double q[3], double r[3]) {
  double x[3];
  if (q[0] >= 0 && isfinite(q[1]) && isfinite(q[2]) &&
      (one->coupling != SLIPI_COUPLING_STRONG || (r[0] == 0 && r[1] == 0 && r[2] == 0))) {
    r[0] = r[1] = r[2] = 0;
    return true;
  }
  if (!(-q[0] >= q_least && -q[0] <= q_most && fabs(q[1]) <= q_most && fabs(q[2]) <= q_most))
    return false;
  Secular f = secular_at(&one->slide, q);
  if (one->coupling != SLIPI_COUPLING_WEAK)
    return follow(one, &f, r);
  if (!find_stick(&one->slide, one->law.mu, &f, x) && !find_slide(one, &f, x))
    return false;
  memcpy(r, x, sizeof x);
  return true;
}
