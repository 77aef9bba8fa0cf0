#include "contact/rolling.h"

#include <string.h>

bool slipi_rolling_has(const SlipiLaw *law, int32_t contacts) {
  for (int32_t a = 0; a < contacts; a++) {
    if (law[a].kind == SLIPI_ROLLING)
      return true;
  }
  return false;
}

/* The nearest r_N: the root of the concave function
 *
 *     p - z_N - sum mu_i max(0, |z_i| - mu_i p)
 *
 * of the parts that r_N bounds, by Newton's method from z_N, which comes from the left and never
 * passes it: a part that is within its bound at p stays so, and once no part changes p is exact.
 * *bounded has a bit for each part that is on its bound. */
static double nearest_normal(const double size[3], const double mu[3], double zN, int *bounded) {
  double p = zN;
  int before;
  *bounded = 15; /* no set of parts: the first one found is looked at again, too */
  do {
    double sum = zN, weight = 1;
    int now = 0;
    for (int k = 0; k < 3; k++) {
      bool outside = (*bounded >> k & 1) && size[k] > mu[k] * p;
      sum += outside ? mu[k] * size[k] : 0;
      weight += outside ? mu[k] * mu[k] : 0;
      now |= outside << k;
    }
    before = *bounded;
    *bounded = now;
    p = sum / weight;
  } while (*bounded != before && *bounded != 0);
  return p;
}

SlipiRollingStatus slipi_rolling_project(const SlipiRolling *law, const double z[6], double p[6]) {
  double slide = z[1] * z[1] + z[2] * z[2], roll = z[4] * z[4] + z[5] * z[5];
  const double mu[3] = {law->slide, law->spin, law->roll}, n = z[0];
  SlipiRollingStatus status = {SLIP_CONTACT_STICK, SLIP_CONTACT_STICK};
  if (n > 0 && slide <= mu[0] * n * (mu[0] * n) && fabs(z[3]) <= mu[1] * n &&
      roll <= mu[2] * n * (mu[2] * n)) {
    memmove(p, z, 6 * sizeof *p);
    return status;
  }
  const double size[3] = {sqrt(slide), fabs(z[3]), sqrt(roll)};
  double share[3], nearest;
  int bounded;
  nearest = nearest_normal(size, mu, n, &bounded);
  if (!(nearest > 0)) {
    memset(p, 0, 6 * sizeof *p);
    return (SlipiRollingStatus){SLIP_CONTACT_OPEN, SLIP_CONTACT_OPEN};
  }
  for (int k = 0; k < 3; k++)
    share[k] = bounded >> k & 1 ? mu[k] * nearest / size[k] : 1;
  p[0] = nearest;
  for (int k = 1; k < 6; k++)
    p[k] = share[k < 3 ? 0 : k == 3 ? 1 : 2] * z[k];
  if (bounded & 1)
    status.contact = SLIP_CONTACT_SLIP;
  if ((bounded & 2 && mu[1] > 0) || (bounded & 4 && mu[2] > 0))
    status.moments = SLIP_CONTACT_SLIP;
  return status;
}

double slipi_rolling_g(const SlipiRolling *law, const double u[6]) {
  return law->slide * slipi_tangent_norm(u) + law->spin * fabs(u[3]) +
         law->roll * slipi_tangent_norm(u + 3);
}

SlipiRollingStatus slipi_rolling_natural_map(const SlipiRolling *law, double rho, const double u[6],
                                             const double r[6], double e[6]) {
  double z[6], p[6];
  for (int k = 0; k < 6; k++)
    e[k] = rho * u[k];
  e[0] += rho * slipi_rolling_g(law, u);
  for (int k = 0; k < 6; k++)
    z[k] = r[k] - e[k];
  SlipiRollingStatus status = slipi_rolling_project(law, z, p);
  for (int k = 0; k < 6; k++)
    e[k] = p[k] == 0 ? r[k] : e[k] + (z[k] - p[k]); /* as slipi_law_natural_map */
  return status;
}

void slipi_rolling_slope(const SlipiLaw *moments, double rho, const double omega[3],
                         const double m[3], double K[9]) {
  double z[3] = {m[0] - rho * omega[0], m[1] - rho * omega[1], m[2] - rho * omega[2]};
  double t = slipi_tangent_norm(z);
  memset(K, 0, 9 * sizeof *K);
  if (fabs(z[0]) > moments->depth && moments->depth > 0)
    K[0] = -copysign(moments->cap, z[0]);
  for (int k = 1; k < 3 && t > moments->radius && moments->radius > 0; k++)
    K[3 * k] = -moments->mu * z[k] / t;
}
