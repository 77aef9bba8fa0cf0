/* Kernels that the laws of a disc, of a semi-cylinder and of moments share. In their one-contact
 * problems the normal part is at a bound or has u_N = 0, which leaves a 2x2 problem over a disc, a
 * trust-region step. */
#include "contact/disc.h"

#include <string.h>

#include "contact/onecontact.h"

double slipi_disc_support(const SlipiLaw *law, const double x[3]) {
  return law->radius * slipi_tangent_norm(x);
}

void slipi_disc_scale(SlipiLaw *law, double by, double times) {
  law->radius = law->radius / by * times;
}

/* x = -(S + lambda I)^-1 e, S row-major 2x2. */
static void tangent(const double S[4], double lambda, const double e[2], double x[2]) {
  double a = S[0] + lambda, d = S[3] + lambda, det = a * d - S[1] * S[2];
  x[0] = -(d * e[0] - S[1] * e[1]) / det;
  x[1] = -(a * e[1] - S[2] * e[0]) / det;
}

static double norm2(const double x[2]) {
  return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* -(S x + e) normal to the disc of radius R at x: S x + e = -lambda x, lambda = 0 inside. |x| falls
 * with lambda where the symmetric part of S is positive definite; Newton on 1/R - 1/|x|, which is
 * nearly linear, within a bracket. */
static void solve_disc(const double S[4], const double e[2], double R, double x[2]) {
  x[0] = x[1] = 0;
  double size = norm2(e), trace = fabs(S[0]) + fabs(S[3]), tiny = 1e-14 * trace;
  if (!(R > 0 && size > 0))
    return;
  double low = 0, high = size / R, lambda = S[0] * S[3] - S[1] * S[2] > tiny * tiny ? 0 : tiny;
  for (int k = 0; k < 100; k++) {
    double y[2], minus[2];
    tangent(S, lambda, e, x);
    double length = norm2(x);
    if (!(length > R) && lambda <= tiny) {
      if (isfinite(length))
        return; /* inside */
      x[0] = x[1] = 0;
      lambda = high;
      continue;
    }
    if (fabs(length - R) <= 1e-15 * R)
      break;
    if (length > R)
      low = lambda;
    else
      high = lambda;
    minus[0] = -x[0];
    minus[1] = -x[1];
    double next = high - 0.5 * trace; /* the root for a multiple of I */
    if (k > 0 || !(next > low)) {
      tangent(S, lambda, minus, y); /* y = (S + lambda I)^-1 x */
      next = lambda + (length / R - 1) * length * length / (x[0] * y[0] + x[1] * y[1]);
    }
    if (!(next > low && next < high))
      next = 0.5 * (low + high);
    if (next == lambda)
      break;
    lambda = next;
  }
  double length = norm2(x); /* on the circle, whatever the last step left */
  x[0] *= R / length;
  x[1] *= R / length;
}

/* r_N > 0 with u_N = 0, by the Schur complement; false where r_N comes out negative. */
static bool solve_closed(const double W[9], const double q[3], double R, double r[3]) {
  if (!(W[0] > 0))
    return false;
  double a = W[3] / W[0], b = W[6] / W[0];
  double S[4] = {W[4] - a * W[1], W[5] - a * W[2], W[7] - b * W[1], W[8] - b * W[2]};
  double e[2] = {q[1] - a * q[0], q[2] - b * q[0]};
  solve_disc(S, e, R, r + 1);
  r[0] = -(q[0] + W[1] * r[1] + W[2] * r[2]) / W[0];
  return r[0] > 0;
}

/* Take x where it is no worse than r. */
static void take(const SlipiOneContact *one, const double q[3], const double x[3], double r[3]) {
  if (slipi_one_contact_error(one, q, x) <= slipi_one_contact_error(one, q, r))
    memcpy(r, x, 3 * sizeof *r);
}

/* r_N = 0. */
static void solve_open(const SlipiOneContact *one, const double q[3], double x[3]) {
  const double *W = one->W, S[4] = {W[4], W[5], W[7], W[8]};
  x[0] = 0;
  solve_disc(S, q + 1, one->law.radius, x + 1);
}

/* x_N given. */
static void solve_beside(const double W[9], const double q[3], double R, double x[3]) {
  const double S[4] = {W[4], W[5], W[7], W[8]}, e[2] = {q[1] + W[3] * x[0], q[2] + W[6] * x[0]};
  solve_disc(S, e, R, x + 1);
}

/* The same for S = diag(s1, s2), by Newton on 1/R - 1/|x|, which is concave in lambda: from the
 * left of the root it does not overshoot, and from the right it does so once. */
static void solve_turned(const SlipiSlide *slide, const double e[2], double R, double x[2]) {
  double s1 = slide->s1, s2 = slide->s2, n;
  x[0] = -e[0] * s2 * slide->inv_det;
  x[1] = -e[1] * s1 * slide->inv_det;
  if (x[0] * x[0] + x[1] * x[1] <= R * R)
    return;
  double over = sqrt(e[0] * e[0] + e[1] * e[1]) / R, mean = 0.5 * (s1 + s2);
  if (!(R > 0) || fabs(s1 - s2) <= 1e-14 * mean) { /* a multiple of I */
    x[0] = R > 0 ? -e[0] / over : 0;
    x[1] = R > 0 ? -e[1] / over : 0;
    return;
  }
  double least = fmax(0, over - fmax(s1, s2)), lambda = fmax(least, over - mean), rest;
  for (int k = 0; k < 60; k++) {
    double f1 = 1 / (s1 + lambda), f2 = 1 / (s2 + lambda), last = lambda;
    x[0] = -e[0] * f1;
    x[1] = -e[1] * f2;
    n = x[0] * x[0] + x[1] * x[1];
    rest = sqrt(n) / R - 1;
    lambda = fmax(least, lambda + rest * n / (x[0] * x[0] * f1 + x[1] * x[1] * f2));
    if (fabs(rest) <= 1e-15 || lambda == last)
      break;
  }
  n = R / sqrt(x[0] * x[0] + x[1] * x[1]); /* on the circle, whatever the last step left */
  x[0] *= n;
  x[1] *= n;
}

/* |x_N| <= depth beside the disc, W symmetric with its rows turned. */
static void solve_moments(const SlipiOneContact *one, const double q[3], double r[3]) {
  const SlipiSlide *slide = &one->slide;
  const double *W = one->W, R = one->law.radius, depth = one->law.depth;
  double turned[2] = {slide->c * q[1] - slide->s * q[2], slide->s * q[1] + slide->c * q[2]};
  double e[2] = {turned[0] - slide->b1 * q[0], turned[1] - slide->b2 * q[0]}, x[2], spin;
  solve_turned(slide, e, R, x);
  spin = -slide->k * q[0] - (slide->a1 * x[0] + slide->a2 * x[1]);
  bool bound = !(fabs(spin) <= depth);
  if (bound &&
      W[0] * (slide->a1 * slide->a1 + slide->a2 * slide->a2) > 1e-15 * fmin(slide->s1, slide->s2)) {
    r[0] = fmax(-depth, fmin(depth, spin));
    solve_beside(W, q, R, r);
    return;
  }
  if (bound) { /* the rows of the tangents alone have the same S */
    spin = fmax(-depth, fmin(depth, spin));
    e[0] = turned[0] + W[0] * slide->b1 * spin;
    e[1] = turned[1] + W[0] * slide->b2 * spin;
    solve_turned(slide, e, R, x);
  }
  r[0] = spin;
  r[1] = slide->c * x[0] + slide->s * x[1];
  r[2] = slide->c * x[1] - slide->s * x[0];
}

/* W symmetric: what r'W r/2 + q'r is at least for a given r_N is convex in r_N. So where its least
 * value without a bound of r_N, which has u_N = 0, is beyond the bound, r_N is on that bound. */
void slipi_disc_solve_both(const SlipiOneContact *one, const double q[3], double r[3]) {
  const double *W = one->W, R = one->law.radius, depth = one->law.depth;
  double x[3] = {0};
  if (one->turned)
    solve_moments(one, q, x);
  else if (depth > 0 && W[0] > 0)
    solve_closed(W, q, R, x);
  else if (depth > 0)
    x[0] = q[0] > 0 ? -depth : q[0] < 0 ? depth : r[0];
  if (!one->turned && (depth == 0 || !(W[0] > 0) || fabs(x[0]) > depth)) {
    x[0] = fmax(-depth, fmin(depth, x[0]));
    solve_beside(W, q, R, x);
  }
  if (!one->symmetric)
    take(one, q, x, r);
  else if (isfinite(x[0] + x[1] + x[2]))
    memcpy(r, x, sizeof x);
}

void slipi_disc_solve_cylinder(const SlipiOneContact *one, const double q[3], double r[3]) {
  double x[3];
  if (!solve_closed(one->W, q, one->law.radius, x))
    solve_open(one, q, x);
  take(one, q, x, r);
}

void slipi_disc_solve(const SlipiOneContact *one, const double q[3], double r[3]) {
  double x[3];
  solve_open(one, q, x);
  take(one, q, x, r);
}
