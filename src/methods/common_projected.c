#include "methods/common_projected.h"

#include <string.h>

#include "contact/residual.h"
#include "contact/rolling.h"
#include "linalg/vector.h"

const char *const slipi_metrics[] = {"uniform", "contact", NULL};

enum { POWER_ITERATIONS = 6 };

/* From a vector that no symmetry of a problem makes special. */
SlipStatus slipi_projected_norm(SlipiRun *run, double *x, double *y, double *norm,
                                SlipError *error) {
  *norm = 0;
  for (int32_t k = 0; k < run->m; k++)
    x[k] = 1 + 0.5 * sin((double)k);
  for (int i = 0; i < POWER_ITERATIONS; i++) {
    double size = slipi_norm(x, run->m);
    for (int32_t k = 0; k < run->m; k++)
      x[k] /= size;
    SlipStatus status = slipi_operator_apply(run->op, x, y, error);
    if (status != SLIP_OK)
      return status;
    double found = slipi_norm(y, run->m);
    *norm = fmax(*norm, found);
    if (!(found > 0))
      break;
    memcpy(x, y, (size_t)run->m * sizeof *x);
  }
  return SLIP_OK;
}

/* Frobenius norm of each diagonal block into D; returns the largest. */
static SlipStatus block_norms(SlipiRun *run, double *D, double *largest, SlipError *error) {
  int32_t size = run->d * run->d;
  *largest = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    double block[9];
    SlipStatus status = slipi_operator_diagonal(run->op, a, block, error);
    if (status != SLIP_OK)
      return status;
    D[a] = slipi_norm(block, size);
    *largest = fmax(*largest, D[a]);
  }
  return SLIP_OK;
}

/* D^1/2 W D^1/2 has a norm of its own, which makes rho = 1 the step for it too. */
static SlipStatus normalize(SlipiRun *run, double *D, double *x, double *y, SlipError *error) {
  double largest = 0;
  for (int32_t k = 0; k < run->m; k++)
    x[k] = 1 + 0.5 * sin((double)k);
  for (int i = 0; i < POWER_ITERATIONS; i++) {
    for (int32_t k = 0; k < run->m; k++)
      y[k] = x[k] * sqrt(D[k / run->d]);
    SlipStatus status = slipi_operator_apply(run->op, y, x, error);
    if (status != SLIP_OK)
      return status;
    double size = 0;
    for (int32_t k = 0; k < run->m; k++) {
      x[k] *= sqrt(D[k / run->d]);
      size += x[k] * x[k];
    }
    size = sqrt(size);
    if (i > 0)
      largest = fmax(largest, size);
    if (!(size > 0))
      break;
    for (int32_t k = 0; k < run->m; k++)
      x[k] /= size;
  }
  for (int32_t a = 0; largest > 0 && a < run->nc; a++)
    D[a] /= largest;
  return SLIP_OK;
}

SlipStatus slipi_projected_metric(SlipiRun *run, int metric, double *D, double *x, double *y,
                                  SlipError *error) {
  double size;
  if (metric == SLIPI_METRIC_UNIFORM) {
    SlipStatus status = slipi_projected_norm(run, x, y, &size, error);
    for (int32_t a = 0; a < run->nc; a++)
      D[a] = size > 0 ? 1 / size : 1;
    return status;
  }
  SlipStatus status = block_norms(run, D, &size, error);
  if (status != SLIP_OK)
    return status;
  /* A contact without stiffness takes the step of the stiffest. */
  for (int32_t a = 0; a < run->nc; a++)
    D[a] = D[a] > 1e-12 * size ? 1 / D[a] : size > 0 ? 1 / size : 1;
  return normalize(run, D, x, y, error);
}

SlipStatus slipi_projected_gradient(SlipiRun *run, const double *r, double *G, SlipError *error) {
  return slipi_operator_contact_velocity(run->op, r, run->q, G, error);
}

SlipStatus slipi_projected_F(SlipiRun *run, const double *r, double *F, SlipError *error) {
  SlipStatus status = slipi_projected_gradient(run, r, F, error);
  for (int32_t a = 0; status == SLIP_OK && a < run->nc; a++) {
    double u[3];
    slipi_load(F, run->d, a, u);
    F[(int64_t)a * run->d] += slipi_law_g(&run->law[a], u);
    if (run->law[a].rolls) {
      slipi_load(F, run->d, a + 1, u);
      F[(int64_t)a * run->d] += slipi_rolling_g_added(&run->law[a + 1], u);
    }
  }
  return status;
}

/* A step of the two blocks of a contact that rolls. In the metric 1/D of the two the nearest point
 * of K is that of another K in moments multiplied by the root of D_a/D_b. */
static void step_rolling(const SlipiRun *run, const double *D, double rho, const double *F,
                         const double *r, int32_t a, double *to) {
  double z[6], unit = sqrt(D[a] / D[a + 1]);
  SlipiRolling law = slipi_rolling(&run->law[a], &run->law[a + 1]);
  law.roll *= unit;
  law.spin *= unit;
  for (int32_t k = 0; k < 2; k++) {
    double f[3], *block = z + (ptrdiff_t)3 * k;
    slipi_load(r, run->d, a + k, block);
    slipi_load(F, run->d, a + k, f);
    for (int c = 0; c < 3; c++)
      block[c] = (block[c] - rho * D[a + k] * f[c]) * (k == 0 ? 1 : unit);
  }
  slipi_rolling_project(&law, z, z);
  for (int c = 3; c < 6; c++)
    z[c] /= unit;
  slipi_store(z, run->d, a, to);
  slipi_store(z + 3, run->d, a + 1, to);
}

void slipi_projected_step(const SlipiRun *run, const double *D, double rho, const double *F,
                          const double *r, double *to) {
  for (int32_t a = 0; a < run->nc; a++) {
    double z[3], f[3];
    if (run->law[a].rolls) {
      step_rolling(run, D, rho, F, r, a++, to);
      continue;
    }
    slipi_load(r, run->d, a, z);
    slipi_load(F, run->d, a, f);
    for (int k = 0; k < 3; k++)
      z[k] -= rho * D[a] * f[k];
    slipi_law_project(&run->law[a], z, z);
    slipi_store(z, run->d, a, to);
  }
}

double slipi_projected_square(const SlipiRun *run, const double *D, const double *x) {
  double sum = 0;
  for (int32_t k = 0; k < run->m; k++)
    sum += x[k] * x[k] / D[k / run->d];
  return sum;
}

double slipi_projected_change(const SlipiRun *run, const double *before) {
  double changed = 0, size = 0;
  for (int32_t k = 0; k < run->m; k++) {
    double change = run->r[k] - before[k];
    changed += change * change;
    size += run->r[k] * run->r[k];
  }
  return size > 0 ? sqrt(changed / size) : sqrt(changed);
}
