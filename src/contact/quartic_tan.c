/* Slides by the quartic in t = tan(theta/2) (Bonnefon, Daviet 2011, section 3, whose equation
 * numbers are used here).
 *
 * With e = (cos theta, sin theta) and r_T = R e, r_N = R/mu, the normal row of u_N = 0 gives the
 * conic (8), R = -mu q_N / D(e), D(e) = W_NN + mu W_NT.e, and u_T parallel to r_T means
 *     e x u_T = 0  <=>  R X(e) + mu e x q_T = 0,   X(e) = e x W_TN + mu e x W_TT e.
 * Eliminating R leaves -q_N X(e) + D(e) e x q_T = 0, which is (18). The paper first turns the
 * tangents so that W_TT is diagonal; the polynomial is the same without, W need not be symmetric,
 * and the case of a zero component (section 3.3) is no case of its own.
 */
#include "contact/onecontact_parts.h"
#include "contact/polynomial.h"

/* (18): A cos^2 + B sin^2 + C sin cos + D sin + E cos = 0; then (21). */
void slipi_quartic_tan_coefficients(const SlipiBlock *block, double P[5]) {
  const double *W = block->W, *q = block->q, mu = block->mu;
  double A = mu * (W[1] * q[2] - q[0] * W[7]);
  double B = mu * (q[0] * W[5] - W[2] * q[1]);
  double C = mu * (W[2] * q[2] - W[1] * q[1] - q[0] * (W[8] - W[4]));
  double D = q[0] * W[3] - W[0] * q[1];
  double E = W[0] * q[2] - q[0] * W[6];
  P[0] = A + E;
  P[1] = 2 * (C + D);
  P[2] = 4 * B - 2 * A;
  P[3] = 2 * (D - C);
  P[4] = A - E;
}

/* R and the speed at an angle. Both equations hold for R at a root and either may degenerate
 * (q_N = 0: the conic shrinks to a point or is a pair of lines), so take their least squares;
 * where both are void any R will do, up to where the speed vanishes. */
static SlipiSlideGuess at_angle(const SlipiBlock *block, double c, double s) {
  const double *W = block->W, *q = block->q, mu = block->mu;
  double D = W[0] + mu * (W[1] * c + W[2] * s);
  double w1 = W[3] + mu * (W[4] * c + W[5] * s), w2 = W[6] + mu * (W[7] * c + W[8] * s);
  double X = c * w2 - s * w1, cross = c * q[2] - s * q[1];
  double size = D * D + X * X, tiny = 1e-14 * (1 + mu);
  bool is_free = size <= tiny * tiny;
  double n =
      is_free ? -0.5 * (c * q[1] + s * q[2]) / (c * w1 + s * w2) : -(q[0] * D + cross * X) / size;
  double speed = -(c * (n * w1 + q[1]) + s * (n * w2 + q[2]));
  return (SlipiSlideGuess){n, c, s, speed, is_free};
}

int slipi_quartic_tan(const SlipiBlock *block, SlipiSlideGuess *guesses) {
  double P[5], reversed[5], roots[SLIPI_ROOTS_MAX], largest = 0;
  int count = 0;
  if (slipi_quartic_massless(block)) {
    guesses[0] = slipi_quartic_massless_slide(block);
    return 1;
  }
  slipi_quartic_tan_coefficients(block, P);
  for (int k = 0; k < 5; k++)
    largest = fmax(largest, fabs(P[k]));
  if (largest <= 1e-14 * (1 + block->mu)) { /* every angle is a root: look at some */
    for (; count < 8; count++) {
      double angle = count * 0.7853981633974483;
      guesses[count] = at_angle(block, cos(angle), sin(angle));
      guesses[count].free = true;
    }
    return count;
  }
  for (int k = 0; k < 5; k++) {
    P[k] /= largest;
    reversed[4 - k] = P[k];
  }
  /* |theta| <= pi/2, then the other half circle by 1/t: no root is lost at infinity. */
  for (int half = 0; half < 2; half++) {
    int n = slipi_polynomial_roots(half ? reversed : P, 4, -1, 1, roots);
    for (int k = 0; k < n; k++) {
      double t = roots[k], scale = 1 / (1 + t * t), c = (1 - t * t) * scale;
      guesses[count++] = at_angle(block, half ? -c : c, 2 * t * scale);
    }
  }
  return count;
}
