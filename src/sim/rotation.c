/* Turning of rigid bodies.
 *
 * Free turning keeps the angular momentum L, in world axes, and the energy L.J^-1 L / 2. With
 * m = R'L along the principal axes Euler's equation is m' = m x I^-1 m. Bodies with two or three
 * equal moments have a solution in closed form. For the others the implicit midpoint rule
 *
 *     m+ = m + t a x w,   a = (m + m+) / 2,   w = I^-1 a,   R+ = R cay(t w)
 *
 * keeps |m| and the energy, because both are quadratic, and R+ m+ = R m = L, because
 * m+ = cay(t w)' m is the same equation. Five such stages of Suzuki's lengths make it of fourth
 * order. */
#include <float.h>
#include <math.h>

#include "sim/sim.h"

void slipi_quaternion_conjugate(const double q[4], double out[4]) {
  out[0] = q[0];
  for (int k = 1; k < 4; k++)
    out[k] = -q[k];
}

/* A quaternion that is of unit length but for rounding keeps its bits. */
void slipi_quaternion_normalise(double q[4]) {
  double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (fabs(square - 1) <= 2 * DBL_EPSILON)
    return;
  double length = sqrt(square);
  for (int k = 0; k < 4; k++)
    q[k] /= length;
}

void slipi_quaternion_of(const double R[9], double q[4]) {
  double trace = R[0] + R[4] + R[8];
  int i = R[4] > R[0] ? 1 : 0;
  i = R[8] > R[4 * i] ? 2 : i;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  if (trace > R[4 * i]) { /* w is the largest component */
    q[0] = 1 + trace;
    q[1] = R[7] - R[5];
    q[2] = R[2] - R[6];
    q[3] = R[3] - R[1];
  } else {
    q[0] = R[3 * k + j] - R[3 * j + k];
    q[1 + i] = 1 + 2 * R[4 * i] - trace;
    q[1 + j] = R[3 * j + i] + R[3 * i + j];
    q[1 + k] = R[3 * k + i] + R[3 * i + k];
  }
  slipi_quaternion_normalise(q);
}

/* The rotation by a vector; its length is the angle. */
static void exponential(const double turn[3], double q[4]) {
  double angle = slipi_length(turn), half = angle / 2;
  /* sin(half) / angle; for small angles by its series, which is exact there */
  double factor = angle > 1e-4 ? sin(half) / angle : 0.5 - half * half / 12;
  q[0] = cos(half);
  for (int k = 0; k < 3; k++)
    q[1 + k] = factor * turn[k];
}

void slipi_rotate_by(const double turn[3], double q[4]) {
  double by[4];
  if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0)
    return;
  exponential(turn, by);
  slipi_quaternion_product(by, q, q);
  slipi_quaternion_normalise(q);
}

/* ---- Free turning ---- */

static void rotate_sphere(double moment, const double L[3], double t, double q[4]) {
  double turn[3];
  for (int k = 0; k < 3; k++)
    turn[k] = t * L[k] / moment;
  slipi_rotate_by(turn, q);
}

/* Moments equal but for the one about `axis`: about L at a constant rate, and about the axis. */
static void rotate_symmetric(const double moment[3], int axis, const double L[3], double t,
                             double q[4]) {
  double across = moment[(axis + 1) % 3], R[9], m[3], turn[3] = {0}, by[4];
  slipi_quaternion_matrix(q, R);
  slipi_rotate_back(R, L, m);
  turn[axis] = t * m[axis] * (1 / moment[axis] - 1 / across);
  exponential(turn, by);
  slipi_quaternion_product(q, by, q);
  rotate_sphere(across, L, t, q);
}

static void rate(const double moment[3], const double a[3], double w[3]) {
  for (int k = 0; k < 3; k++)
    w[k] = a[k] / moment[k];
}

/* One stage of the midpoint rule: m and q a time t later. */
static void stage(const double moment[3], double t, double m[3], double q[4]) {
  enum { ITERATIONS = 60 };
  double a[3] = {m[0], m[1], m[2]}, w[3], next[3], size = slipi_length(m), by[4] = {1};
  rate(moment, a, w);
  for (int i = 0; i < ITERATIONS; i++) {
    slipi_cross(a, w, next);
    slipi_along(m, t / 2, next, next);
    double change = fabs(next[0] - a[0]) + fabs(next[1] - a[1]) + fabs(next[2] - a[2]);
    for (int k = 0; k < 3; k++)
      a[k] = next[k];
    rate(moment, a, w);
    if (change <= 0.5 * DBL_EPSILON * size)
      break;
  }
  for (int k = 0; k < 3; k++) {
    m[k] = 2 * a[k] - m[k];
    by[1 + k] = t / 2 * w[k];
  }
  slipi_quaternion_product(q, by, q);
  slipi_quaternion_normalise(q);
}

/* Steps are cut so that no part turns by much, which the iteration and the order need; where one
 * turns by next to nothing, a single stage has no error beyond rounding. */
static void rotate_general(const double moment[3], const double L[3], double t, double q[4]) {
  static const double TURN_MOST = 0.1, TURN_TINY = 1e-5;
  enum { PARTS_MOST = 100000 };
  const double s = 0.4144907717943757;
  double R[9], m[3], w[3];
  slipi_quaternion_matrix(q, R);
  slipi_rotate_back(R, L, m);
  rate(moment, m, w);
  double least = fmin(moment[0], fmin(moment[1], moment[2]));
  double turn = fabs(t) * slipi_length(m) / least;
  if (turn <= TURN_TINY) {
    stage(moment, t, m, q);
    return;
  }
  double parts = ceil(fmin(turn / TURN_MOST, PARTS_MOST)), part = t / parts;
  for (int k = 0; k < (int)parts; k++) {
    stage(moment, s * part, m, q);
    stage(moment, s * part, m, q);
    stage(moment, (1 - 4 * s) * part, m, q);
    stage(moment, s * part, m, q);
    stage(moment, s * part, m, q);
  }
}

static bool same(double a, double b) {
  return fabs(a - b) <= 1e-12 * fmax(a, b);
}

void slipi_rotate_free(const double moment[3], const double L[3], double t, int dimension,
                       double q[4]) {
  if (dimension == 2) {
    rotate_sphere(moment[2], L, t, q);
    return;
  }
  bool first = same(moment[0], moment[1]), second = same(moment[1], moment[2]);
  if (L[0] == 0 && L[1] == 0 && L[2] == 0)
    return;
  if (first && second)
    rotate_sphere(moment[0], L, t, q);
  else if (first || second)
    rotate_symmetric(moment, first ? 2 : 0, L, t, q);
  else if (same(moment[0], moment[2]))
    rotate_symmetric(moment, 1, L, t, q);
  else
    rotate_general(moment, L, t, q);
}

void slipi_spin_of(const double moment[3], const double q[4], int dimension, const double L[3],
                   double spin[3]) {
  if (dimension == 2 || (moment[0] == moment[1] && moment[1] == moment[2])) {
    for (int k = 0; k < 3; k++)
      spin[k] = L[k] / moment[2];
    return;
  }
  double R[9], m[3];
  slipi_quaternion_matrix(q, R);
  slipi_rotate_back(R, L, m);
  for (int k = 0; k < 3; k++)
    m[k] /= moment[k];
  slipi_rotate(R, m, spin);
}

void slipi_momentum_of(const double moment[3], const double q[4], int dimension,
                       const double spin[3], double L[3]) {
  if (dimension == 2 || (moment[0] == moment[1] && moment[1] == moment[2])) {
    for (int k = 0; k < 3; k++)
      L[k] = spin[k] * moment[2];
    return;
  }
  double R[9], m[3];
  slipi_quaternion_matrix(q, R);
  slipi_rotate_back(R, spin, m);
  for (int k = 0; k < 3; k++)
    m[k] *= moment[k];
  slipi_rotate(R, m, L);
}
