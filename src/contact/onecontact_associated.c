/* One contact with the associated flow: the convex problem min r'W r/2 + q'r over r in K, W
 * symmetric and positive definite, in some tens of nanoseconds.
 *
 * On the boundary of the cone, r'D r = 0 with D = diag(-mu^2, 1, 1), the velocity is along its
 * normal: W r + q = -lambda D r, lambda >= 0. In axes v_k with v_i'W v_k = (i = k) in which D is
 * diagonal, too, d_0 < 0 < d_1, d_2 (SlipiAxes), r = sum c_k v_k has c_k = -y_k/(1 + lambda d_k)
 * with y_k = v_k'q. v_0 points into K: r does where c_0 > 0, which is lambda < -1/d_0 for y_0 < 0
 * and lambda > -1/d_0 for y_0 > 0. What is left is one equation in lambda,
 *
 *     g = a p(lambda) - s (1 + lambda d_0) = 0,   a = |d_0|^1/2 |y_0|,   s = -sign(y_0),
 *     p = (d_1 c_1^2 + d_2 c_2^2)^-1/2,
 *
 * where p is increasing, concave and nearly linear, as in the secular equation of trust regions.
 * For s = 1, g increases: from any point Newton's step does not pass the root to its right, and
 * from there on the steps go up to it. For s = -1 the root is where g, from a value that is not
 * negative at -1/d_0, falls through 0; from the right the steps go down to it.
 */
#include <string.h>

#include "contact/onecontact_parts.h"
#include "linalg/dense3.h"

static const double W_least = 1e-15, W_most = 1e15;
static const double mu_least = 1e-6, mu_most = 1e6;
static const double PIVOT_LEAST = 1e-11; /* of W's factors, beside its norm */
static const double ENOUGH = 1e-8;       /* a correction that quadratic convergence makes 1e-16 */
static const double RESIDUAL_MOST = 4e-14;
static const double Q_LEAST = 1e-18, Q_MOST = 1e18;
enum { STEPS_MOST = 40, REFINED_MOST = 3 };

/* X = L^-1 with W = L L'; false where W is singular, or nearly so. */
static bool invert_factor(const double W[9], double scale, double X[9]) {
  double l00 = sqrt(W[0]), l10 = W[3] / l00, l20 = W[6] / l00;
  double p1 = W[4] - l10 * l10, l11 = sqrt(p1), l21 = (W[7] - l20 * l10) / l11;
  double p2 = W[8] - l20 * l20 - l21 * l21, l22 = sqrt(p2), least = PIVOT_LEAST * scale;
  if (!(W[0] > least && p1 > least && p2 > least))
    return false;
  const double inverse[9] = {1 / l00,
                             0,
                             0,
                             -l10 / (l00 * l11),
                             1 / l11,
                             0,
                             (l10 * l21 - l11 * l20) / (l00 * l11 * l22),
                             -l21 / (l11 * l22),
                             1 / l22};
  memcpy(X, inverse, sizeof inverse);
  return true;
}

bool slipi_one_contact_align(const double W[9], double scale, double mu, SlipiAxes *axes) {
  double X[9], A[9], V[9], d[3];
  if (!(scale >= W_least && scale <= W_most && mu >= mu_least && mu <= mu_most) ||
      !invert_factor(W, scale, X))
    return false;
  for (int i = 0; i < 3; i++) {
    const double *x = X + 3 * i;
    for (int j = 0; j < 3; j++)
      A[3 * i + j] = x[1] * X[3 * j + 1] + x[2] * X[3 * j + 2] - mu * mu * x[0] * X[3 * j];
  }
  slipi_dense3_eigen(A, d, V);
  int first = d[0] < 0 ? 0 : d[1] < 0 ? 1 : 2;
  for (int k = 0; k < 3; k++) {
    int from = (first + k) % 3;
    axes->d[k] = d[from];
    slipi_dense3_multiply_transposed(X, V + 3 * (ptrdiff_t)from, axes->T + 3 * (ptrdiff_t)k);
  }
  bool outward = axes->T[0] < 0;
  for (int k = 0; k < 3 && outward; k++)
    axes->T[k] = -axes->T[k];
  return axes->d[0] < 0 && axes->d[1] > 0 && axes->d[2] > 0;
}

/* The equation of a slide. */
typedef struct Slide {
  const double *d;
  double a, s;
  double t1, t2; /* d_k y_k^2 */
} Slide;

static double p_of(const Slide *f, double lambda) {
  double w1 = 1 / (1 + lambda * f->d[1]), w2 = 1 / (1 + lambda * f->d[2]);
  return 1 / sqrt(f->t1 * w1 * w1 + f->t2 * w2 * w2);
}

/* A point beyond the root for s = -1: where the asymptote of p, which is above it, meets the line;
 * negative where it does not. */
static double asymptotic(const Slide *f) {
  double e1 = 1 / f->d[1], e2 = 1 / f->d[2];
  double n = f->t1 * e1 * e1 + f->t2 * e2 * e2, P = f->a / sqrt(n);
  double shift = (f->t1 * e1 * e1 * e1 + f->t2 * e2 * e2 * e2) / n;
  return -f->d[0] > P ? (1 + P * shift) / (-f->d[0] - P) : -1;
}

/* The root of g; negative where it is not found. */
static double find_lambda(const Slide *f, double lambda) {
  double pole = -1 / f->d[0], unit = 1 / fmax(-f->d[0], fmax(f->d[1], f->d[2]));
  if (f->s > 0 && !(lambda > 0 && lambda < pole))
    lambda = 0;
  if (f->s < 0 && !(lambda > pole))
    lambda = asymptotic(f);
  for (int k = 0; k < STEPS_MOST && lambda >= 0; k++) {
    double e1 = 1 + lambda * f->d[1], e2 = 1 + lambda * f->d[2], over = 1 / (e1 * e2);
    double w1 = e2 * over, w2 = e1 * over;
    double n1 = f->t1 * w1 * w1, n2 = f->t2 * w2 * w2, p = 1 / sqrt(n1 + n2);
    double g = f->a * p - f->s * (1 + lambda * f->d[0]);
    double slope = f->a * p * p * p * (n1 * w1 * f->d[1] + n2 * w2 * f->d[2]) - f->s * f->d[0];
    if (f->s < 0 && !(slope < 0)) { /* left of the root, where g may still rise */
      lambda = fmax(4 * lambda, asymptotic(f));
      continue;
    }
    double next = lambda - g / slope;
    if (f->s < 0 ? !(next > pole) : !(next >= 0))
      next = f->s < 0 ? asymptotic(f) : 0;
    double change = fabs(next - lambda);
    lambda = next;
    if (change <= ENOUGH * (lambda + unit))
      return lambda;
  }
  return -1;
}

/* e = (W + lambda D) r + q: the part of the velocity that is not along the cone's normal; returns
 * its size beside the numbers it is a sum of. */
static double rest_of(const SlipiOneContact *one, const double q[3], const double r[3],
                      double lambda, double e[3]) {
  double u[3], mu = one->law.mu;
  slipi_dense3_multiply(one->W, r, u);
  e[0] = u[0] + q[0] - lambda * mu * mu * r[0];
  e[1] = u[1] + q[1] + lambda * r[1];
  e[2] = u[2] + q[2] + lambda * r[2];
  return (fabs(e[0]) + fabs(e[1]) + fabs(e[2])) /
         (slipi_dense3_max(q) + one->scale * slipi_dense3_max(r));
}

/* r - (W + lambda D)^-1 e, where axes of an ill conditioned W have lost digits. */
static void refine(const SlipiAxes *axes, double lambda, const double e[3], double r[3]) {
  double c[3], change[3];
  slipi_dense3_multiply(axes->T, e, c);
  for (int k = 0; k < 3; k++)
    c[k] /= 1 + lambda * axes->d[k];
  slipi_dense3_multiply_transposed(axes->T, c, change);
  for (int k = 0; k < 3; k++)
    r[k] -= change[k];
}

/* r is put on the cone, where it slides, and refined if need be; whether it is a solution. */
static bool settle(const SlipiOneContact *one, const double q[3], double lambda, bool sticks,
                   double r[3]) {
  double e[3], rest = INFINITY;
  for (int k = 0; k < REFINED_MOST && rest > RESIDUAL_MOST; k++) {
    if (k > 0)
      refine(&one->axes, lambda, e, r);
    if (!sticks)
      r[0] = slipi_tangent_norm(r) / one->law.mu;
    rest = rest_of(one, q, r, lambda, e);
  }
  return rest <= RESIDUAL_MOST;
}

bool slipi_one_contact_associated(SlipiOneContact *one, const double q[3], double r[3]) {
  const SlipiAxes *axes = &one->axes;
  const double *d = axes->d;
  double y[3], c[3], x[3], mu = one->law.mu, lambda = 0;
  double size = fabs(q[0]) + fabs(q[1]) + fabs(q[2]);
  if (!(size >= Q_LEAST && size <= Q_MOST))
    return false;
  if (q[0] >= mu * slipi_tangent_norm(q)) {
    r[0] = r[1] = r[2] = 0;
    return true;
  }
  slipi_dense3_multiply(axes->T, q, y);
  Slide f = {d, sqrt(-d[0]) * fabs(y[0]), y[0] > 0 ? -1 : 1, d[1] * y[1] * y[1],
             d[2] * y[2] * y[2]};
  bool sticks = y[0] <= 0 && f.a * f.a >= f.t1 + f.t2;
  if (!sticks)
    lambda = find_lambda(&f, one->lambda);
  if (!(lambda >= 0))
    return false;
  for (int k = 0; k < 3; k++)
    c[k] = -y[k] / (1 + lambda * d[k]);
  if (!sticks) /* without the difference 1 + lambda d_0 */
    c[0] = 1 / (p_of(&f, lambda) * sqrt(-d[0]));
  slipi_dense3_multiply_transposed(axes->T, c, x);
  if (!settle(one, q, lambda, sticks, x))
    return false;
  one->lambda = lambda;
  memcpy(r, x, sizeof x);
  return true;
}
