#include "contact/rolling.h"

#include <string.h>

bool slipi_rolling_has(const SlipiLaw *law, int32_t contacts) {
  for (int32_t a = 0; a < contacts; a++) {
    if (law[a].kind == SLIPI_ROLLING)
      return true;
  }
  return false;
}

/* One of the parts that r_N bounds: |z| of its components, and its coefficient. */
typedef struct Part {
  double size, mu;
  int first, count; /* components */
} Part;

/* Whether x is on its bound up to a larger r_N than y; without a coefficient it always is, without
 * a size never. */
static bool is_before(const Part *x, const Part *y) {
  if (x->size == 0 || y->size == 0)
    return x->size > y->size;
  return x->size * y->mu > y->size * x->mu;
}

/* The parts, those first that reach their bounds while r_N is large. */
static void sort(Part part[3]) {
  for (int k = 1; k < 3; k++) {
    for (int l = k; l > 0 && is_before(&part[l], &part[l - 1]); l--) {
      Part other = part[l];
      part[l] = part[l - 1];
      part[l - 1] = other;
    }
  }
}

/* The nearest r_N, where the first `*bounded` parts are on their bounds. With these fixed it is
 *
 *     p = (z_N + sum mu_i |z_i|) / (1 + sum mu_i^2)
 *
 * a mean of z_N and the |z_i|/mu_i, which come in falling order: each part that is still outside
 * its bound at p raises p, but not above its own ratio. */
static double nearest_normal(const Part part[3], double zN, int *bounded) {
  double sum = zN, weight = 1;
  int k = 0;
  for (; k < 3 && part[k].size > part[k].mu * (sum / weight); k++) {
    sum += part[k].mu * part[k].size;
    weight += part[k].mu * part[k].mu;
  }
  *bounded = k;
  return sum / weight;
}

SlipiRollingStatus slipi_rolling_project(const SlipiRolling *law, const double z[6], double p[6]) {
  Part part[3] = {{slipi_tangent_norm(z), law->slide, 1, 2},
                  {fabs(z[3]), law->spin, 3, 1},
                  {slipi_tangent_norm(z + 3), law->roll, 4, 2}};
  SlipiRollingStatus status = {SLIP_CONTACT_STICK, SLIP_CONTACT_STICK};
  int bounded;
  if (z[0] > 0 && part[0].size <= law->slide * z[0] && part[1].size <= law->spin * z[0] &&
      part[2].size <= law->roll * z[0]) {
    memmove(p, z, 6 * sizeof *p);
    return status;
  }
  sort(part);
  double n = nearest_normal(part, z[0], &bounded);
  if (!(n > 0)) {
    memset(p, 0, 6 * sizeof *p);
    return (SlipiRollingStatus){SLIP_CONTACT_OPEN, SLIP_CONTACT_OPEN};
  }
  p[0] = n;
  for (int k = 0; k < 3; k++) {
    double factor = k < bounded ? part[k].mu * n / part[k].size : 1;
    for (int c = part[k].first; c < part[k].first + part[k].count; c++)
      p[c] = factor * z[c];
    if (k < bounded && part[k].first == 1)
      status.contact = SLIP_CONTACT_SLIP;
    else if (k < bounded && part[k].mu > 0)
      status.moments = SLIP_CONTACT_SLIP;
  }
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
