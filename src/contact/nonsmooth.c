#include "contact/nonsmooth.h"

#include <string.h>

static void fill(double A[9], double normal, double tangent) {
  memset(A, 0, 9 * sizeof *A);
  A[0] = normal;
  A[4] = A[8] = tangent;
}

/* The natural map: Phi_rr = I - dP, Phi_ru = rho dP (I + dg/du), see the misprints of (158) and
 * (159). */
static void natural(const SlipiLaw *law, double rho, const double u[3], const double r[3],
                    double F[3], double *Phi_ru, double *Phi_rr) {
  double z[3] = {r[0] - rho * (u[0] + slipi_law_g(law, u)), r[1] - rho * u[1], r[2] - rho * u[2]};
  double p[3], J[9], along[3];
  bool sloped = Phi_ru || Phi_rr;
  const SlipiLawType *type = slipi_law_type(law);
  if (type->look && sloped) {
    SlipiRound round;
    type->prepare(law, &round);
    type->look(&round, z, p, J);
  } else {
    slipi_law_project(law, z, p);
    if (sloped)
      slipi_law_project_derivative(law, z, J);
  }
  for (int k = 0; k < 3; k++)
    F[k] = r[k] - p[k];
  if (!sloped)
    return;
  double slope = slipi_law_dg(law, u, along);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double g = J[3 * i] * slope * along[j];
      if (Phi_ru)
        Phi_ru[3 * i + j] = rho * (J[3 * i + j] + g);
      if (Phi_rr)
        Phi_rr[3 * i + j] = (i == j) - J[3 * i + j];
    }
  }
}

/* Laws whose K is a product of axes: F = rho u where r is free, F = r where it must vanish, and on
 * a half axis one of the two. */
static void flat(const SlipiLaw *law, SlipiSteps rho, const double u[3], const double r[3],
                 double F[3], double *Phi_ru, double *Phi_rr) {
  if (Phi_ru)
    fill(Phi_ru, 0, 0);
  if (Phi_rr)
    fill(Phi_rr, 0, 0);
  for (int k = 0; k < 3; k++) {
    SlipiAxis axis = slipi_law_axis(law, k);
    double step = k == 0 ? rho.normal : rho.tangent;
    bool bears = axis == SLIPI_AXIS_FREE || (axis == SLIPI_AXIS_HALF && r[k] - step * u[k] > 0);
    F[k] = bears ? step * u[k] : r[k];
    if (Phi_ru)
      Phi_ru[4 * k] = bears ? step : 0;
    if (Phi_rr)
      Phi_rr[4 * k] = bears ? 0 : 1;
  }
}

/* The normal line of a contact without friction by the scalar Fischer-Burmeister function: r_N + b
 * -
 * |(r_N, b)| with b = rho u_N; on its kink the limit along r_N = b. */
static void flat_fb(double rho, const double u[3], const double r[3], double F[3], double *Phi_ru,
                    double *Phi_rr) {
  double b = rho * u[0], size = sqrt(r[0] * r[0] + b * b), half_root = sqrt(0.5);
  F[0] = r[0] + b - size;
  if (Phi_ru)
    Phi_ru[0] = rho * (1 - (size > 0 ? b / size : half_root));
  if (Phi_rr)
    Phi_rr[0] = 1 - (size > 0 ? r[0] / size : half_root);
}

/* The sliding rows of (162)-(165) and (167)-(170): F_T = r_T - radius z_T/|z_T|. */
static void sliding_rows(double mu, double radius, bool ac, SlipiSteps rho, const double zT[2],
                         double t, double *Phi_ru, double *Phi_rr) {
  double e[2] = {zT[0] / t, zT[1] / t}, ratio = radius / t; /* radius Gamma = ratio (I - e e') */
  for (int i = 0; i < 2; i++) {
    int row = 3 * (i + 1);
    for (int j = 0; j < 2; j++) {
      double gamma = ratio * ((i == j) - e[i] * e[j]);
      if (Phi_ru)
        Phi_ru[row + 1 + j] = rho.tangent * gamma;
      if (Phi_rr)
        Phi_rr[row + 1 + j] = (i == j) - gamma;
    }
    if (Phi_ru)
      Phi_ru[row] = ac && radius > 0 ? mu * rho.normal * e[i] : 0;
    if (Phi_rr)
      Phi_rr[row] = radius > 0 ? -mu * e[i] : 0;
  }
}

/* (62) and (60) */
static void alart_curnier(bool ac, double mu, SlipiSteps rho, const double u[3], const double r[3],
                          double F[3], double *Phi_ru, double *Phi_rr) {
  double zN = r[0] - rho.normal * u[0];
  double zT[2] = {r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]};
  double radius = mu * fmax(0, ac ? zN : r[0]);
  double t = sqrt(zT[0] * zT[0] + zT[1] * zT[1]);
  bool closed = zN > 0, stick = radius > 0 && t <= radius;
  F[0] = closed ? rho.normal * u[0] : r[0];
  for (int k = 0; k < 2; k++)
    F[1 + k] = stick ? rho.tangent * u[1 + k] : r[1 + k] - (t > 0 ? radius / t : 0) * zT[k];
  if (Phi_ru)
    fill(Phi_ru, closed ? rho.normal : 0, stick ? rho.tangent : 0);
  if (Phi_rr)
    fill(Phi_rr, closed ? 0 : 1, stick ? 0 : 1);
  if (!stick && t > 0)
    sliding_rows(mu, radius, ac, rho, zT, t, Phi_ru, Phi_rr);
}

/* (66) is max(mu z_N, |z_T|) times the tangential line of (62). As printed it also vanishes for
 * z_N <= 0, z_T = 0, whatever r_T is: the weight is kept above a hundredth of rho.size. */
static void hueber(double mu, SlipiSteps rho, const double u[3], const double r[3], double F[3],
                   double *Phi_ru, double *Phi_rr) {
  double zN = r[0] - rho.normal * u[0];
  double zT[2] = {r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]};
  double t = sqrt(zT[0] * zT[0] + zT[1] * zT[1]);
  double weight = fmax(fmax(mu * zN, t), 0.01 * rho.size) / rho.size;
  double slope[3] = {0, 0, 0}; /* of the weight, in z */
  if (t > mu * zN && t > 0.01 * rho.size) {
    slope[1] = zT[0] / t / rho.size;
    slope[2] = zT[1] / t / rho.size;
  } else if (mu * zN > 0.01 * rho.size) {
    slope[0] = mu / rho.size;
  }
  alart_curnier(true, mu, rho, u, r, F, Phi_ru, Phi_rr);
  const double step[3] = {rho.normal, rho.tangent, rho.tangent};
  for (int i = 1; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (Phi_ru)
        Phi_ru[3 * i + j] = weight * Phi_ru[3 * i + j] - F[i] * slope[j] * step[j];
      if (Phi_rr)
        Phi_rr[3 * i + j] = weight * Phi_rr[3 * i + j] + F[i] * slope[j];
    }
    F[i] *= weight;
  }
}

/* Whether a law that is not flat takes the natural map. */
static bool takes_natural(SlipiNonsmooth kind, const SlipiLaw *law) {
  bool fb = law->kind == SLIPI_COULOMB && kind == SLIPI_NONSMOOTH_FB;
  return !fb && (kind == SLIPI_NONSMOOTH_NAT || !slipi_law_is_coulomb(law));
}

void slipi_nonsmooth(SlipiNonsmooth kind, const SlipiLaw *law, SlipiSteps rho, const double u[3],
                     const double r[3], double F[3], double *Phi_ru, double *Phi_rr) {
  bool fb = law->kind == SLIPI_COULOMB && kind == SLIPI_NONSMOOTH_FB;
  if (slipi_law_is_flat(law)) {
    flat(law, rho, u, r, F, Phi_ru, Phi_rr);
    if (kind == SLIPI_NONSMOOTH_FB && slipi_law_axis(law, 0) == SLIPI_AXIS_HALF)
      flat_fb(rho.normal, u, r, F, Phi_ru, Phi_rr);
  } else if (takes_natural(kind, law)) {
    natural(law, rho.normal, u, r, F, Phi_ru, Phi_rr);
  } else if (fb) {
    slipi_nonsmooth_fb(law, rho.normal, u, r, F, Phi_ru, Phi_rr);
  } else if (kind == SLIPI_NONSMOOTH_HSW) {
    hueber(law->mu, rho, u, r, F, Phi_ru, Phi_rr);
  } else if (kind == SLIPI_NONSMOOTH_XSW) {
    slipi_nonsmooth_xsw(law->mu, rho, u, r, F, Phi_ru, Phi_rr);
  } else {
    alart_curnier(kind == SLIPI_NONSMOOTH_AC, law->mu, rho, u, r, F, Phi_ru, Phi_rr);
  }
}

/* The largest eigenvalue of the symmetric part of W, by the trigonometric formula. */
static double largest_eigenvalue(const double W[9]) {
  double a = 0.5 * (W[1] + W[3]), b = 0.5 * (W[2] + W[6]), c = 0.5 * (W[5] + W[7]);
  double mean = (W[0] + W[4] + W[8]) / 3;
  double x = W[0] - mean, y = W[4] - mean, z = W[8] - mean;
  double p = sqrt((x * x + y * y + z * z + 2 * (a * a + b * b + c * c)) / 6);
  if (!(p > 0))
    return mean;
  double det = x * (y * z - c * c) - a * (a * z - c * b) + b * (a * c - y * b);
  return mean + 2 * p * cos(acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3);
}

SlipiStepRule slipi_nonsmooth_rule(SlipiNonsmooth kind, const SlipiLaw *law) {
  bool one = kind == SLIPI_NONSMOOTH_NAT || kind == SLIPI_NONSMOOTH_FB ||
             (!slipi_law_is_flat(law) && takes_natural(kind, law));
  return one ? SLIPI_STEPS_NORM : SLIPI_STEPS_SPLIT;
}

SlipiSteps slipi_nonsmooth_steps(SlipiStepRule rule, const double W[9]) {
  double size = 0;
  for (int k = 0; k < 9; k++)
    size += W[k] * W[k];
  size = size > 0 ? sqrt(size) : 1;
  if (rule == SLIPI_STEPS_EIGEN)
    size = fmax(largest_eigenvalue(W), 1e-12 * size);
  if (rule == SLIPI_STEPS_NORM || rule == SLIPI_STEPS_EIGEN)
    return (SlipiSteps){1 / size, 1 / size, 1};
  double mean = 0.5 * (W[4] + W[8]), half = 0.5 * (W[4] - W[8]), off = 0.5 * (W[5] + W[7]);
  double radius = sqrt(half * half + off * off), most = mean + radius, least = mean - radius;
  double tiny = 1e-12 * size;
  SlipiSteps rho = {1 / (W[0] > tiny ? W[0] : size), 1 / (most > tiny ? most : size), 1};
  if (rule == SLIPI_STEPS_SPLIT_CONDITION && least > tiny)
    rho.tangent = least / (most * most);
  return rho;
}
