#include "contact_block.h"

#include <math.h>
#include <string.h>

typedef long double Real;

static void random_rotation(SlipiRandom *random, double Q[9]) {
  /* A unit quaternion with normal components is uniform over the rotations. */
  double x[4], size = 0;
  for (int k = 0; k < 4; k++) {
    x[k] = slipi_random_normal(random);
    size += x[k] * x[k];
  }
  for (int k = 0; k < 4; k++)
    x[k] /= sqrt(size);
  double w = x[0], a = x[1], b = x[2], c = x[3];
  const double R[9] = {1 - 2 * (b * b + c * c), 2 * (a * b - w * c),     2 * (a * c + w * b),
                       2 * (a * b + w * c),     1 - 2 * (a * a + c * c), 2 * (b * c - w * a),
                       2 * (a * c - w * b),     2 * (b * c + w * a),     1 - 2 * (a * a + b * b)};
  memcpy(Q, R, sizeof R);
}

void block_random_W(SlipiRandom *random, double condition, double W[9]) {
  double Q[9], d[3] = {1, pow(condition, -slipi_random_unit(random)), 1 / condition};
  random_rotation(random, Q);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        sum += d[k] * Q[3 * i + k] * Q[3 * j + k];
      W[3 * i + j] = W[3 * j + i] = sum;
    }
  }
}

void block_with_solution(SlipiRandom *random, SlipContactStatus status, ContactBlock *block) {
  double angle = slipi_random_between(random, 0, 6.283185307179586);
  double c = cos(angle), s = sin(angle), *r = block->r, *u = block->u;
  memset(r, 0, sizeof block->r);
  memset(u, 0, sizeof block->u);
  if (status == SLIP_CONTACT_OPEN) {
    for (int k = 0; k < 3; k++)
      u[k] = slipi_random_normal(random);
    u[0] = fabs(u[0]);
  } else {
    r[0] = pow(10, slipi_random_between(random, -2, 2));
    double R = block->mu * r[0];
    if (status == SLIP_CONTACT_STICK)
      R *= slipi_random_unit(random);
    r[1] = R * c;
    r[2] = R * s;
    if (status == SLIP_CONTACT_SLIP) {
      double speed = pow(10, slipi_random_between(random, -4, 2));
      u[1] = -speed * c;
      u[2] = -speed * s;
    }
  }
  for (int i = 0; i < 3; i++) {
    Real sum = u[i];
    for (int j = 0; j < 3; j++)
      sum -= (Real)block->W[3 * i + j] * r[j];
    block->q[i] = (double)sum;
  }
}

static Real norm(const Real *x, int n) {
  Real largest = 0, sum = 0;
  for (int k = 0; k < n; k++)
    largest = fmaxl(largest, fabsl(x[k]));
  for (int k = 0; k < n && largest > 0; k++)
    sum += (x[k] / largest) * (x[k] / largest);
  return largest * sqrtl(sum);
}

static void cone_project(Real mu, Real z[3]) {
  Real t = hypotl(z[1], z[2]);
  if (t <= mu * z[0])
    return;
  Real pN = mu * t <= -z[0] ? 0 : (z[0] + mu * t) / (1 + mu * mu);
  z[0] = pN;
  z[1] = t > 0 ? mu * pN * (z[1] / t) : 0;
  z[2] = t > 0 ? mu * pN * (z[2] / t) : 0;
}

double block_error(const ContactBlock *block, int associated, const double r[3]) {
  Real W[9], q[3], x[3], u[3], z[3];
  for (int k = 0; k < 9; k++)
    W[k] = block->W[k];
  for (int k = 0; k < 3; k++) {
    q[k] = block->q[k];
    x[k] = r[k];
  }
  Real size = norm(W, 9), unit = size > 0 ? size : 1;
  for (int i = 0; i < 3; i++)
    u[i] = q[i] + W[3 * i] * x[0] + W[3 * i + 1] * x[1] + W[3 * i + 2] * x[2];
  Real g = associated ? 0 : block->mu * hypotl(u[1], u[2]);
  for (int k = 0; k < 3; k++)
    z[k] = x[k] - (u[k] + (k == 0 ? g : 0)) / unit;
  cone_project(block->mu, z);
  for (int k = 0; k < 3; k++)
    z[k] = x[k] - z[k];
  Real relative = fmaxl(norm(q, 3), size * norm(x, 3));
  Real error = norm(z, 3) * unit;
  return (double)(relative > 0 ? error / relative : error);
}

/* ---- Brute force ---- */

/* D(e) = W_NN + mu W_NT.e, and D(e) (e x u_T) with r_N = -q_N/D(e) put in. */
static Real conic(const ContactBlock *b, Real c, Real s) {
  return b->W[0] + b->mu * (b->W[1] * c + b->W[2] * s);
}

static Real slip_cross(const ContactBlock *b, Real angle) {
  const double *W = b->W, *q = b->q;
  Real c = cosl(angle), s = sinl(angle), D = conic(b, c, s);
  Real u1 = D * q[1] - q[0] * (W[3] + b->mu * (W[4] * c + W[5] * s));
  Real u2 = D * q[2] - q[0] * (W[6] + b->mu * (W[7] * c + W[8] * s));
  return c * u2 - s * u1;
}

/* 1: a slide at this angle, 0: none, -1: cannot tell. */
static int slide_at(const ContactBlock *b, Real angle, double r[3]) {
  const double *W = b->W, *q = b->q;
  Real c = cosl(angle), s = sinl(angle), D = conic(b, c, s), n = -q[0] / D;
  if (fabsl(D) < 1e-6L * b->W[0])
    return -1;
  Real u1 = q[1] + n * (W[3] + b->mu * (W[4] * c + W[5] * s));
  Real u2 = q[2] + n * (W[6] + b->mu * (W[7] * c + W[8] * s));
  Real speed = -(c * u1 + s * u2);
  if (n <= 0 || speed < 0)
    return 0;
  if (speed < 1e-7L * (fabsl((Real)q[1]) + fabsl((Real)q[2])))
    return -1;
  r[0] = (double)n;
  r[1] = (double)(b->mu * n * c);
  r[2] = (double)(b->mu * n * s);
  return 1;
}

static int count_slides(const ContactBlock *b, double r[8][3]) {
  enum { STEPS = 4000 };
  const Real pi2 = 6.283185307179586476925L;
  Real f[STEPS + 2], largest = 0;
  int count = 0;
  for (int k = 0; k < STEPS + 2; k++) {
    f[k] = slip_cross(b, pi2 * k / STEPS);
    largest = fmaxl(largest, fabsl(f[k]));
  }
  for (int k = 0; k < STEPS; k++) {
    /* An extremum that nearly touches zero: the grid may miss a pair of roots. */
    if (fabsl(f[k + 1]) < 1e-5L * largest && fabsl(f[k + 1]) <= fabsl(f[k]) &&
        fabsl(f[k + 1]) <= fabsl(f[k + 2]) && f[k] * f[k + 1] > 0 && f[k + 1] * f[k + 2] > 0)
      return -1;
    if ((f[k] < 0) == (f[k + 1] < 0))
      continue;
    Real low = pi2 * k / STEPS, high = pi2 * (k + 1) / STEPS;
    for (int i = 0; i < 70; i++) {
      Real middle = 0.5L * (low + high);
      if ((slip_cross(b, middle) < 0) == (f[k] < 0))
        low = middle;
      else
        high = middle;
    }
    int found = slide_at(b, low, r[count]);
    if (found < 0)
      return -1;
    count += found;
  }
  return count;
}

/* r = -W^-1 q by Cramer's rule in long double. */
static void stick_impulse(const ContactBlock *b, Real r[3]) {
  const double *W = b->W, *q = b->q;
  Real A[9], det = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      A[3 * j + i] = (Real)W[3 * i1 + j1] * W[3 * i2 + j2] - (Real)W[3 * i1 + j2] * W[3 * i2 + j1];
    }
  }
  for (int j = 0; j < 3; j++)
    det += W[j] * A[3 * j];
  for (int i = 0; i < 3; i++)
    r[i] = -(A[3 * i] * q[0] + A[3 * i + 1] * q[1] + A[3 * i + 2] * q[2]) / det;
}

int block_brute_force(const ContactBlock *block, double r[8][3]) {
  Real stick[3];
  int count = count_slides(block, r);
  if (count < 0)
    return -1;
  if (block->q[0] >= 0) {
    memset(r[count++], 0, 3 * sizeof(double));
  }
  stick_impulse(block, stick);
  Real t = hypotl(stick[1], stick[2]), depth = block->mu * stick[0] - t;
  if (fabsl(depth) < 1e-7L * (t + block->mu * fabsl(stick[0])))
    return -1;
  if (depth > 0) {
    for (int k = 0; k < 3; k++)
      r[count][k] = (double)stick[k];
    count++;
  }
  return count;
}
