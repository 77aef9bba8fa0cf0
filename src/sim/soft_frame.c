/* The frame that turns with a deformable body: the rotation R for which the sum of m |R X - x|^2
 * over its mass is least, the polar factor of sum m x X'. */
#include <math.h>
#include <string.h>

#include "linalg/dense3.h"
#include "sim/soft.h"

void slipi_soft_to_frame(const SlipiSoft *soft, const double R[9], const double *x, double *y) {
  int d = slipi_soft_d(soft);
  for (int64_t k = 0; k < soft->nodes; k++)
    for (int c = 0; c < d; c++)
      y[d * k + c] = R[c] * x[3 * k] + R[3 + c] * x[3 * k + 1] + R[6 + c] * x[3 * k + 2];
}

void slipi_soft_to_world(const SlipiSoft *soft, const double R[9], const double *y, double *x) {
  int d = slipi_soft_d(soft);
  for (int64_t k = 0; k < soft->nodes; k++)
    for (int c = 0; c < 3; c++) {
      double sum = 0;
      for (int j = 0; j < d; j++)
        sum += R[3 * c + j] * y[d * k + j];
      x[3 * k + c] = sum;
    }
}

void slipi_soft_centre(const SlipiSoft *soft, const double *x, double c[3]) {
  c[0] = c[1] = c[2] = 0;
  for (int64_t k = 0; k < soft->nodes; k++)
    for (int i = 0; i < 3; i++)
      c[i] += soft->matrices.lumped[k] * x[3 * k + i];
  for (int i = 0; i < 3; i++)
    c[i] /= soft->mass;
}

void slipi_soft_displacement(const SlipiSoft *soft, const double *x, const double R[9], double *u) {
  int d = slipi_soft_d(soft);
  double c[3], arm[3];
  slipi_soft_centre(soft, x, c);
  for (int64_t k = 0; k < soft->nodes; k++) {
    slipi_sub(x + 3 * k, c, arm);
    slipi_rotate_back(R, arm, arm);
    for (int i = 0; i < d; i++)
      u[d * k + i] = arm[i] - soft->X[3 * k + i];
  }
}

void slipi_rotation_about(const double axis[3], double angle, double R[9]) {
  double c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j];
  for (int i = 0; i < 3; i++) {
    R[3 * i + (i + 1) % 3] -= s * axis[(i + 2) % 3];
    R[3 * i + (i + 2) % 3] += s * axis[(i + 1) % 3];
  }
}

void slipi_rotation_product(const double A[9], const double B[9], double C[9]) {
  double P[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      P[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
  memcpy(C, P, sizeof P);
}

/* sum (R'(x - c)) (M X)', row-major: what R turns into a symmetric matrix. */
static void moment_of(const SlipiSoft *soft, const double *x, const double R[9], double B[9]) {
  double c[3], y[3];
  slipi_soft_centre(soft, x, c);
  memset(B, 0, 9 * sizeof *B);
  for (int64_t k = 0; k < soft->nodes; k++) {
    slipi_sub(x + 3 * k, c, y);
    slipi_rotate_back(R, y, y);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        B[3 * i + j] += y[i] * soft->MX[3 * k + j];
  }
}

/* tr(B) 1 - B, whose inverse makes turns of moments; in 2D about z alone. */
static void solve_turn(const SlipiSoft *soft, const double B[9], const double moment[3],
                       double turn[3]) {
  double trace = B[0] + B[4] + B[8], A[9];
  turn[0] = turn[1] = turn[2] = 0;
  if (slipi_soft_d(soft) == 2) {
    turn[2] = moment[2] / (B[0] + B[4]);
    return;
  }
  SlipiSolution3 solution;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      A[3 * i + j] = (i == j ? trace : 0) - (B[3 * i + j] + B[3 * j + i]) / 2;
  slipi_dense3_solve(A, moment, 0, &solution);
  memcpy(turn, solution.x, sizeof solution.x);
}

void slipi_soft_fit(const SlipiSoft *soft, const double *x, double R[9]) {
  enum { ROUNDS = 20 };
  double B[9], Q[9];
  moment_of(soft, x, R, B);
  for (int round = 0; round < ROUNDS; round++) {
    double moment[3] = {B[7] - B[5], B[2] - B[6], B[3] - B[1]}, turn[3];
    solve_turn(soft, B, moment, turn);
    double angle = slipi_length(turn);
    if (!(angle > 1e-16))
      break;
    for (int k = 0; k < 3; k++)
      turn[k] /= angle;
    slipi_rotation_about(turn, fmin(angle, 1), Q);
    slipi_rotation_product(R, Q, R);
    for (int k = 0; k < 3; k++) { /* B = Q' B */
      double column[3] = {B[k], B[3 + k], B[6 + k]};
      slipi_rotate_back(Q, column, column);
      B[k] = column[0];
      B[3 + k] = column[1];
      B[6 + k] = column[2];
    }
    if (angle < 1e-14)
      break;
  }
  double q[4];
  slipi_quaternion_of(R, q); /* a rotation to rounding, however many steps */
  slipi_quaternion_normalise(q);
  slipi_quaternion_matrix(q, R);
}

/* The frame's condition, sum M X x R'(x - c) = 0, in time: sum M X x (R'v - w x y) = 0. */
void slipi_soft_spin(const SlipiSoft *soft, const double *x, const double *v, const double R[9],
                     double spin[3]) {
  double B[9], moment[3] = {0}, y[3], part[3];
  moment_of(soft, x, R, B);
  for (int64_t k = 0; k < soft->nodes; k++) {
    slipi_rotate_back(R, v + 3 * k, y);
    slipi_cross(soft->MX + 3 * k, y, part);
    for (int i = 0; i < 3; i++)
      moment[i] += part[i];
  }
  if (slipi_soft_d(soft) == 2)
    moment[0] = moment[1] = 0;
  solve_turn(soft, B, moment, spin);
  slipi_rotate(R, spin, spin);
}

void slipi_soft_balance(const SlipiSoft *soft, const double *u, const double *Ku, double h,
                        double *b) {
  int d = slipi_soft_d(soft);
  double B[9] = {0}, moment[3] = {0}, turn[3];
  for (int64_t k = 0; k < soft->nodes; k++) {
    double at[3] = {0}, f[3] = {0}, part[3];
    for (int i = 0; i < d; i++) {
      at[i] = u[d * k + i];
      f[i] = Ku[d * k + i];
    }
    slipi_cross(at, f, part);
    for (int i = 0; i < 3; i++) {
      moment[i] += part[i];
      for (int j = 0; j < 3; j++)
        B[3 * i + j] += (at[i] + soft->X[3 * k + i]) * soft->MX[3 * k + j];
    }
  }
  solve_turn(soft, B, moment, turn);
  for (int64_t k = 0; k < soft->nodes; k++) {
    double f[3];
    slipi_cross(turn, soft->MX + 3 * k, f);
    for (int i = 0; i < d; i++)
      b[d * k + i] += h * f[i];
  }
}
