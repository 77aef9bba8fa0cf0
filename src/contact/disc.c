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

/* W symmetric: what r'W r/2 + q'r is at least for a given r_N is convex in r_N. So where its least
 * value without a bound of r_N, which has u_N = 0, is beyond the bound, r_N is on that bound. */
void slipi_disc_solve_both(const SlipiOneContact *one, const double q[3], double r[3]) {
  const double *W = one->W, R = one->law.radius, depth = one->law.depth;
  double x[3] = {0};
  if (depth > 0 && W[0] > 0)
    solve_closed(W, q, R, x);
  else if (depth > 0)
    x[0] = q[0] > 0 ? -depth : q[0] < 0 ? depth : r[0];
  if (depth == 0 || !(W[0] > 0) || fabs(x[0]) > depth) {
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
