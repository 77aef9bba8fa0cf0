/* The Fischer-Burmeister function (76) of a Coulomb contact, in the Jordan algebra of the second
 * order cone (69)-(75):
 *
 *     phi(x, y) = x + y - (x^2 + y^2)^(1/2),   x = (mu r_N, r_T),  y = rho (u_N/mu + |u_T|, u_T)
 *
 * (79), where any rho > 0 gives the same zeros. With z = (x^2 + y^2)^(1/2) and L_x the matrix of
 * the product with x, d phi/dx = I - L_z^-1 L_x.
 */
#include <stddef.h>

#include "contact/nonsmooth.h"

/* The tangents turned so that the tangential part of x^2 + y^2 lies along the first of them:
 * spectral values (78) are then sums of squares, without cancellation. */
typedef struct Frame {
  double c, s;   /* that direction */
  double s1, s2; /* square roots of the spectral values of x^2 + y^2, s1 <= s2 */
} Frame;

static void turn(const Frame *frame, const double x[3], double to[3]) {
  to[0] = x[0];
  to[1] = frame->c * x[1] + frame->s * x[2];
  to[2] = frame->c * x[2] - frame->s * x[1];
}

static Frame make_frame(const double x[3], const double y[3], double tx[3], double ty[3]) {
  double w1 = x[0] * x[1] + y[0] * y[1], w2 = x[0] * x[2] + y[0] * y[2],
         t = sqrt(w1 * w1 + w2 * w2);
  Frame frame = {t > 0 ? w1 / t : 1, t > 0 ? w2 / t : 0, 0, 0};
  turn(&frame, x, tx);
  turn(&frame, y, ty);
  double side = tx[2] * tx[2] + ty[2] * ty[2];
  double a = tx[0] - tx[1], b = ty[0] - ty[1], c = tx[0] + tx[1], d = ty[0] + ty[1];
  frame.s1 = sqrt(a * a + b * b + side);
  frame.s2 = sqrt(c * c + d * d + side);
  return frame;
}

/* V = I - L_z^-1 L_x, from the turned x to the tangents as they were. L_z^-1 has the eigenvectors
 * (1, -1, 0), (1, 1, 0), (0, 0, 1) and the eigenvalues 1/s1, 1/s2, 2/(s1 + s2). Where s1 = 0, x
 * and y are multiples of (1, 1, 0): the limit is taken along x + t e, y + t e, e = (1, 0, 0). */
static void derivative(const Frame *frame, const double x[3], double V[9]) {
  const double half_root = sqrt(0.5);
  double low[3] = {half_root, -half_root, 0}, high[3] = {half_root, half_root, 0};
  double side[3] = {0, 0, half_root}, A[9];
  if (frame->s1 > 0) {
    low[0] = (x[0] - x[1]) / frame->s1;
    low[1] = -low[0];
    low[2] = x[2] / frame->s1;
  }
  if (frame->s2 > 0) {
    double sum = 0.5 * (frame->s1 + frame->s2);
    high[0] = high[1] = (x[0] + x[1]) / frame->s2;
    high[2] = x[2] / frame->s2;
    side[0] = x[2] / sum;
    side[2] = x[0] / sum;
  }
  for (int j = 0; j < 3; j++) {
    A[j] = (j == 0) - 0.5 * (low[j] + high[j]);
    A[3 + j] = (j == 1) - 0.5 * (high[j] - low[j]);
    A[6 + j] = (j == 2) - side[j];
  }
  double c = frame->c, s = frame->s;
  for (int i = 0; i < 3; i++) { /* columns back, then rows */
    double *row = A + (ptrdiff_t)3 * i, first = row[1];
    row[1] = c * first - s * row[2];
    row[2] = s * first + c * row[2];
  }
  for (int j = 0; j < 3; j++) {
    V[j] = A[j];
    V[3 + j] = c * A[3 + j] - s * A[6 + j];
    V[6 + j] = s * A[3 + j] + c * A[6 + j];
  }
}

void slipi_nonsmooth_fb(const SlipiLaw *law, double rho, const double u[3], const double r[3],
                        double F[3], double *Phi_ru, double *Phi_rr) {
  double mu = law->mu, uT = slipi_tangent_norm(u), tx[3], ty[3], V[9];
  double x[3] = {mu * r[0], r[1], r[2]};
  double y[3] = {rho * (u[0] + slipi_law_g(law, u)) / mu, rho * u[1], rho * u[2]};
  Frame frame = make_frame(x, y, tx, ty);
  double across = 0.5 * (frame.s2 - frame.s1);
  F[0] = x[0] + y[0] - 0.5 * (frame.s1 + frame.s2);
  F[1] = x[1] + y[1] - across * frame.c;
  F[2] = x[2] + y[2] - across * frame.s;
  if (Phi_rr) {
    derivative(&frame, tx, V);
    for (int k = 0; k < 9; k++)
      Phi_rr[k] = k % 3 == 0 ? V[k] * mu : V[k];
  }
  if (Phi_ru) { /* dg/du divided by mu; where u_T = 0 the centre of the subdifferential, 0 */
    double slope = uT > 0 && slipi_law_is_coulomb(law) ? 1 / uT : 0;
    derivative(&frame, ty, V);
    for (int i = 0; i < 9; i += 3) {
      Phi_ru[i] = rho * V[i] / mu;
      for (int j = 1; j < 3; j++)
        Phi_ru[i + j] = rho * (V[i + j] + V[i] * slope * u[j]);
    }
  }
}
