/* Slides by the quartic in alpha (Bonnefon, Daviet 2011, section 4, whose equation numbers are used
 * here), and its counterpart for the associated law.
 *
 * With the normal row eliminated, (S + alpha I) r_T = -w (25), so r_T = -n(alpha)/d(alpha) with
 * n = adj(S + alpha I) w linear and d = det(S + alpha I) quadratic (26); mu r_N = |r_T| squared is
 * (27), here (mu m(alpha))^2 = |n(alpha)|^2 with m = d r_N quadratic. S need not be symmetric.
 */
#include "contact/onecontact_parts.h"
#include "contact/polynomial.h"

/* n1, n2, d and m as polynomials in alpha, lowest first. */
typedef struct Parts {
  double n1[3], n2[3], d[3], m[3];
} Parts;

/* a b - c d to full accuracy (Kahan): S is nearly singular when W is. */
static double difference(double a, double b, double c, double d) {
  double cd = c * d;
  return fma(a, b, -cd) - fma(c, d, -cd);
}

static Parts parts_of(const SlipiBlock *block) {
  const double *W = block->W, *q = block->q;
  double k = 1 / W[0];
  double s11 = W[4] - W[3] * k * W[1], s12 = W[5] - W[3] * k * W[2];
  double s21 = W[7] - W[6] * k * W[1], s22 = W[8] - W[6] * k * W[2];
  double w1 = q[1] - W[3] * k * q[0], w2 = q[2] - W[6] * k * q[0];
  Parts p = {.n1 = {difference(s22, w1, s12, w2), w1, 0},
             .n2 = {difference(s11, w2, s21, w1), w2, 0},
             .d = {difference(s11, s22, s12, s21), s11 + s22, 1}};
  for (int i = 0; i < 3; i++)
    p.m[i] = k * (W[1] * p.n1[i] + W[2] * p.n2[i] - q[0] * p.d[i]);
  return p;
}

static double value(const double p[3], double x) {
  return p[0] + x * (p[1] + x * p[2]);
}

/* P += factor p^2. */
static void add_square(double P[5], double factor, const double p[3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      P[i + j] += factor * p[i] * p[j];
}

void slipi_quartic_alpha_coefficients(const SlipiBlock *block, double P[5]) {
  Parts parts = parts_of(block);
  for (int k = 0; k < 5; k++)
    P[k] = 0;
  add_square(P, -block->mu * block->mu, parts.m);
  add_square(P, 1, parts.n1);
  add_square(P, 1, parts.n2);
}

/* Positive roots of a quartic, below `unit` as roots in x = alpha/unit and above in 1/x; -1
 * where it vanishes. */
static int positive_roots(const double P[5], double unit, double *alphas) {
  double scaled[5], reversed[5], roots[SLIPI_ROOTS_MAX], power = 1, largest = 0;
  int count = 0;
  for (int k = 0; k < 5; k++, power *= unit) {
    scaled[k] = P[k] * power;
    largest = fmax(largest, fabs(scaled[k]));
  }
  if (largest <= 1e-28)
    return -1;
  for (int k = 0; k < 5; k++)
    reversed[4 - k] = scaled[k] /= largest;
  int n = slipi_polynomial_roots(scaled, 4, 0, 1, roots);
  for (int k = 0; k < n; k++)
    alphas[count++] = unit * roots[k];
  n = slipi_polynomial_roots(reversed, 4, 0, 1, roots);
  for (int k = 0; k < n; k++)
    if (roots[k] > 0)
      alphas[count++] = unit / roots[k];
  return count;
}

static SlipiSlideGuess at_alpha(const SlipiBlock *block, const Parts *parts, double alpha) {
  double d = value(parts->d, alpha), n1 = value(parts->n1, alpha), n2 = value(parts->n2, alpha);
  double size = sqrt(n1 * n1 + n2 * n2);
  if (!(size > 0) || d == 0)
    return (SlipiSlideGuess){0, 1, 0, 0, false};
  double sign = d > 0 ? -1 : 1, R = size / fabs(d);
  /* A root with m of the other sign belongs to -mu r_N = |r_T|: n < 0 tells it apart. */
  double n = copysign(R / block->mu, value(parts->m, alpha) * d);
  return (SlipiSlideGuess){n, sign * n1 / size, sign * n2 / size, alpha * R, false};
}

int slipi_quartic_alpha(const SlipiBlock *block, SlipiSlideGuess *guesses) {
  double P[5], alphas[2 * SLIPI_ROOTS_MAX];
  if (slipi_quartic_massless(block)) {
    guesses[0] = slipi_quartic_massless_slide(block);
    return 1;
  }
  Parts parts = parts_of(block);
  slipi_quartic_alpha_coefficients(block, P);
  double unit = fmax(fabs(parts.d[1]), 1e-3);
  int count = positive_roots(P, unit, alphas);
  bool is_free = count < 0; /* every alpha is a root: look at one */
  if (is_free) {
    count = 1;
    alphas[0] = unit;
  }
  for (int k = 0; k < count; k++) {
    guesses[k] = at_alpha(block, &parts, alphas[k]);
    guesses[k].free = is_free;
  }
  return count;
}

bool slipi_quartic_massless(const SlipiBlock *block) {
  const double *W = block->W, tiny = 1e-14;
  return fabs(W[0]) <= tiny && fabs(W[1]) <= tiny && fabs(W[2]) <= tiny;
}

SlipiSlideGuess slipi_quartic_massless_slide(const SlipiBlock *block) {
  const double *W = block->W, *q = block->q;
  double a = W[4] + 1, b = W[8] + 1, det = a * b - W[5] * W[7];
  double t1 = (W[5] * q[2] - b * q[1]) / det, t2 = (W[7] * q[1] - a * q[2]) / det;
  double R = sqrt(t1 * t1 + t2 * t2);
  if (!(R > 0))
    return (SlipiSlideGuess){0, 1, 0, 0, false};
  return (SlipiSlideGuess){R / block->mu, t1 / R, t2 / R, R, true};
}

/* The associated law has u = -alpha J r, J = diag(-mu^2, 1, 1), r'J r = 0: with
 * N(alpha) = adj(W + alpha J) q, quadratic, r = -N/det and N'J N = 0 is a quartic. */
static void adjugate_times(const double W[9], const double q[3], double N[3]) {
  N[0] = (W[4] * W[8] - W[5] * W[7]) * q[0] + (W[2] * W[7] - W[1] * W[8]) * q[1] +
         (W[1] * W[5] - W[2] * W[4]) * q[2];
  N[1] = (W[5] * W[6] - W[3] * W[8]) * q[0] + (W[0] * W[8] - W[2] * W[6]) * q[1] +
         (W[2] * W[3] - W[0] * W[5]) * q[2];
  N[2] = (W[3] * W[7] - W[4] * W[6]) * q[0] + (W[1] * W[6] - W[0] * W[7]) * q[1] +
         (W[0] * W[4] - W[1] * W[3]) * q[2];
}

static void shift(const SlipiBlock *block, double alpha, double A[9]) {
  for (int k = 0; k < 9; k++)
    A[k] = block->W[k];
  A[0] -= alpha * block->mu * block->mu;
  A[4] += alpha;
  A[8] += alpha;
}

int slipi_quartic_associated(const SlipiBlock *block, SlipiSlideGuess *guesses) {
  double mu2 = block->mu * block->mu, P[5] = {0, 0, 0, 0, 0}, alphas[2 * SLIPI_ROOTS_MAX];
  double A[9], N0[3], N1[3];
  const double *q = block->q, N2[3] = {q[0], -mu2 * q[1], -mu2 * q[2]}; /* adj(J) q */
  double unit = 1 / fmax(1, mu2);
  adjugate_times(block->W, q, N0);
  shift(block, unit, A);
  adjugate_times(A, q, N1); /* N at alpha = unit gives the linear term */
  for (int i = 0; i < 3; i++) {
    double N[3] = {N0[i], (N1[i] - N0[i]) / unit - N2[i] * unit, N2[i]};
    add_square(P, i == 0 ? -mu2 : 1, N);
  }
  int count = positive_roots(P, unit, alphas);
  for (int k = 0; k < count; k++) {
    shift(block, alphas[k], A);
    adjugate_times(A, q, N0);
    double det = -(A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                   A[2] * (A[3] * A[7] - A[4] * A[6]));
    double R = sqrt(N0[1] * N0[1] + N0[2] * N0[2]), size = R * fabs(det) / det;
    guesses[k] = (SlipiSlideGuess){0, 1, 0, 0, false};
    if (R > 0 && det != 0)
      guesses[k] = (SlipiSlideGuess){N0[0] / det, N0[1] / size, N0[2] / size,
                                     alphas[k] * R / fabs(det), false};
  }
  return count < 0 ? 0 : count;
}
