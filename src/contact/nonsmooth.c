#include "contact/nonsmooth.h"

#include <string.h>

static void fill(double A[9], double normal, double tangent) {
  memset(A, 0, 9 * sizeof *A);
  A[0] = normal;
  A[4] = A[8] = tangent;
}

/* The natural map: Phi_rr = I - dP, Phi_ru = rho dP (I + dg/du), see the misprints of (158) and
 * (159). Where u_T = 0, dg/du is taken as 0, the centre of the subdifferential (145). */
static void natural(const SlipiLaw *law, double rho, const double u[3], const double r[3],
                    double F[3], double *Phi_ru, double *Phi_rr) {
  double z[3] = {r[0] - rho * (u[0] + slipi_law_g(law, u)), r[1] - rho * u[1], r[2] - rho * u[2]};
  double p[3], J[9];
  slipi_law_project(law, z, p);
  for (int k = 0; k < 3; k++)
    F[k] = r[k] - p[k];
  if (!Phi_ru && !Phi_rr)
    return;
  slipi_law_project_derivative(law, z, J);
  double uT = slipi_tangent_norm(u);
  double slope = law->kind == SLIP_COULOMB && !law->associated && uT > 0 ? law->mu / uT : 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double g = j > 0 ? J[3 * i] * slope * u[j] : 0;
      if (Phi_ru)
        Phi_ru[3 * i + j] = rho * (J[3 * i + j] + g);
      if (Phi_rr)
        Phi_rr[3 * i + j] = (i == j) - J[3 * i + j];
    }
  }
}

/* Laws whose K is flat: F = rho u where r is free, F = r where it must vanish. */
static void flat(const SlipiLaw *law, SlipiSteps rho, const double u[3], const double r[3],
                 double F[3], double *Phi_ru, double *Phi_rr) {
  bool tied = law->kind == SLIP_BILATERAL, active = tied || r[0] - rho.normal * u[0] > 0;
  F[0] = active ? rho.normal * u[0] : r[0];
  for (int k = 1; k < 3; k++)
    F[k] = tied ? rho.tangent * u[k] : r[k];
  if (Phi_ru)
    fill(Phi_ru, active ? rho.normal : 0, tied ? rho.tangent : 0);
  if (Phi_rr)
    fill(Phi_rr, active ? 0 : 1, tied ? 0 : 1);
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

void slipi_nonsmooth(SlipiNonsmooth kind, const SlipiLaw *law, SlipiSteps rho, const double u[3],
                     const double r[3], double F[3], double *Phi_ru, double *Phi_rr) {
  if (law->kind != SLIP_COULOMB) {
    flat(law, rho, u, r, F, Phi_ru, Phi_rr);
    return;
  }
  if (kind == SLIPI_NONSMOOTH_NAT) {
    natural(law, rho.normal, u, r, F, Phi_ru, Phi_rr);
    return;
  }
  bool ac = kind == SLIPI_NONSMOOTH_AC;
  double zN = r[0] - rho.normal * u[0];
  double zT[2] = {r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]};
  double radius = law->mu * fmax(0, ac ? zN : r[0]);
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
    sliding_rows(law->mu, radius, ac, rho, zT, t, Phi_ru, Phi_rr);
}

SlipiSteps slipi_nonsmooth_steps(SlipiNonsmooth kind, const double W[9]) {
  double size = 0;
  for (int k = 0; k < 9; k++)
    size += W[k] * W[k];
  size = size > 0 ? sqrt(size) : 1;
  if (kind == SLIPI_NONSMOOTH_NAT)
    return (SlipiSteps){1 / size, 1 / size};
  double mean = 0.5 * (W[4] + W[8]), half = 0.5 * (W[4] - W[8]), off = 0.5 * (W[5] + W[7]);
  double largest = mean + sqrt(half * half + off * off);
  /* A direction without stiffness takes the size of the others. */
  double tiny = 1e-12 * size;
  return (SlipiSteps){1 / (W[0] > tiny ? W[0] : size), 1 / (largest > tiny ? largest : size)};
}
