#include "contact/soc.h"

/* w = (u/|u| + J r/|r|) / (2 gamma), |x|^2 = det x, is the point with u/|u| = (2 w w' - J) r/|r|.
 * det w = 1, so that the eigenvalues of 2 w w' - J are a^2, a^-2 and 1 with a = w_0 + |w_T|. */
void slipi_soc_scale(const double u[3], const double r[3], SlipiSocScaling *s) {
  double du = sqrt(slipi_soc_det(u)), dr = sqrt(slipi_soc_det(r));
  double ub[3] = {u[0] / du, u[1] / du, u[2] / du}, rb[3] = {r[0] / dr, r[1] / dr, r[2] / dr};
  double gamma = 2 * sqrt((1 + slipi_soc_dot(u, r) / (du * dr)) / 2);
  double w[3] = {0, (ub[1] - rb[1]) / gamma, (ub[2] - rb[2]) / gamma};
  double t = slipi_soc_tangent(w), a = sqrt(1 + t * t) + t, eta = sqrt(du / dr);
  s->theta[0] = t > 0 ? w[1] / t : 1;
  s->theta[1] = t > 0 ? w[2] / t : 0;
  s->eigen[0] = eta * a;
  s->eigen[1] = eta / a;
  s->eigen[2] = eta;
  slipi_soc_apply(s, r, s->lambda);
}

void slipi_soc_basis(const SlipiSocScaling *s, double Q[9]) {
  const double columns[9] = {SLIPI_SOC_HALF,
                             SLIPI_SOC_HALF,
                             0,
                             SLIPI_SOC_HALF * s->theta[0],
                             -SLIPI_SOC_HALF * s->theta[0],
                             -s->theta[1],
                             SLIPI_SOC_HALF * s->theta[1],
                             -SLIPI_SOC_HALF * s->theta[1],
                             s->theta[0]};
  for (int k = 0; k < 9; k++)
    Q[k] = columns[k];
}

/* det(x + t d) = A t^2 + 2 B t + C has its first positive root where the point leaves the cone. D
 * is negative by rounding only, where d is along -x. */
double slipi_soc_max_step(const double x[3], const double d[3]) {
  double A = slipi_soc_det(d);
  double B = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  double C = fmax(slipi_soc_det(x), 0);
  if (A == 0)
    return B < 0 ? -C / (2 * B) : INFINITY;
  double D = B * B - A * C;
  if (A > 0 && B >= 0)
    return INFINITY;
  double divisor = -B + sqrt(fmax(D, 0));
  return divisor > 0 ? C / divisor : INFINITY;
}
