/* A bilateral contact: u = 0 in the components that are bound, whatever impulse that takes, and
 * r = 0 in the others. K is the space of the bound components. */
#include <string.h>

#include "contact/onecontact.h"
#include "linalg/dense3.h"

static bool is_bound(const SlipiLaw *law, int component) {
  return (law->bound >> component & 1) != 0;
}

static SlipiAxis axis(const SlipiLaw *law, int component) {
  return is_bound(law, component) ? SLIPI_AXIS_FREE : SLIPI_AXIS_NONE;
}

static SlipContactStatus project(const SlipiLaw *law, const double z[3], double p[3]) {
  for (int k = 0; k < 3; k++)
    p[k] = is_bound(law, k) ? z[k] : 0;
  return SLIP_CONTACT_STICK;
}

static void derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  (void)z;
  for (int k = 0; k < 3; k++)
    J[4 * k] = is_bound(law, k);
}

static bool opens(const SlipiLaw *law, const double u[3]) {
  for (int k = 0; k < 3; k++) {
    if (is_bound(law, k) && u[k] != 0)
      return false;
  }
  return true;
}

/* Take from x its part along the null space: the shortest of the solutions x + span(null). */
static void shorten(const SlipiSolution3 *s, double x[3]) {
  double basis[3][3];
  for (int v = 0; v < 3 - s->rank; v++) {
    memcpy(basis[v], s->null[v], sizeof basis[v]);
    for (int k = 0; k <= v; k++) { /* Gram-Schmidt, x last */
      double *y = k < v ? basis[v] : x, *by = k < v ? basis[k] : basis[v];
      double part = slipi_dense3_dot(y, by) / slipi_dense3_dot(by, by);
      for (int i = 0; i < 3; i++)
        y[i] -= part * by[i];
    }
  }
}

/* W and q of size 1 within the space of the bound components: the others get a row and a column of
 * the unit matrix and no load, which leaves 0 there. */
static void within_bound(const SlipiOneContact *one, const double q[3], double W[9], double y[3]) {
  double scale = one->scale > 0 ? one->scale : 1;
  for (int k = 0; k < 9; k++) {
    bool felt = is_bound(&one->law, k / 3) && is_bound(&one->law, k % 3);
    W[k] = felt ? one->W[k] / scale : k % 4 == 0;
  }
  for (int k = 0; k < 3; k++)
    y[k] = is_bound(&one->law, k) ? q[k] / scale : 0;
}

/* W r = -q. Where W is singular, the shortest change of r that leaves the least |W r + q|. */
static void solve(const SlipiOneContact *one, const double q[3], double r[3]) {
  double W[9], A[9], y[3], u[3], b[3];
  SlipiSolution3 s;
  within_bound(one, q, W, y);
  project(&one->law, r, r);
  slipi_dense3_multiply(W, r, u);
  for (int k = 0; k < 3; k++) {
    u[k] = -(u[k] + y[k]);
    b[k] = -y[k];
  }
  slipi_dense3_solve(W, b, 1e-13, &s);
  bool regular = s.rank == 3;
  if (!regular) {
    slipi_dense3_solve(W, u, 1e-13, &s);
    if (s.defect > 1e-10 * slipi_dense3_max(u)) { /* inconsistent: normal equations */
      for (int i = 0; i < 3; i++) {
        b[i] = W[i] * u[0] + W[3 + i] * u[1] + W[6 + i] * u[2];
        for (int j = 0; j < 3; j++)
          A[3 * i + j] = W[i] * W[j] + W[3 + i] * W[3 + j] + W[6 + i] * W[6 + j];
      }
      slipi_dense3_solve(A, b, 1e-13, &s);
    }
    shorten(&s, s.x);
  }
  if (isfinite(s.x[0]) && isfinite(s.x[1]) && isfinite(s.x[2]))
    for (int k = 0; k < 3; k++)
      r[k] = regular ? s.x[k] : r[k] + s.x[k];
}

const SlipiLawType slipi_law_bilateral = {.name = "bilateral",
                                          .reads = SLIPI_READS_BOUND,
                                          .cone = true,
                                          SLIPI_LAW_KERNELS,
                                          .solve = solve};
