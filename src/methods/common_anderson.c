#include "methods/common_anderson.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A residual this many times the least one drops the history. */
static const double WORSE = 2;

void slipi_anderson_create(SlipiAnderson *anderson, SlipiArena *arena, int32_t n, int32_t counted) {
  anderson->n = n;
  anderson->counted = counted;
  anderson->x = SLIPI_ARENA_RAW(arena, double, n);
  anderson->f = SLIPI_ARENA_RAW(arena, double, n);
  for (int k = 0; k < SLIPI_ANDERSON_MOST; k++) {
    anderson->dg[k] = SLIPI_ARENA_RAW(arena, double, n);
    anderson->df[k] = SLIPI_ARENA_RAW(arena, double, n);
  }
}

void slipi_anderson_start(SlipiAnderson *anderson) {
  anderson->count = 0;
  anderson->least = INFINITY;
  anderson->started = false;
}

/* Put the difference to the last point in front of the others. */
static void remember(SlipiAnderson *a, const double *x, const double *image) {
  int last = SLIPI_ANDERSON_MOST - 1;
  double *dg = a->dg[last], *df = a->df[last];
  memmove(a->dg + 1, a->dg, (size_t)last * sizeof *a->dg);
  memmove(a->df + 1, a->df, (size_t)last * sizeof *a->df);
  a->dg[0] = dg;
  a->df[0] = df;
  for (int32_t k = 0; k < a->n; k++) {
    double f = image[k] - x[k], dx = x[k] - a->x[k];
    df[k] = f - a->f[k];
    dg[k] = dx + df[k];
  }
  if (a->count < SLIPI_ANDERSON_MOST)
    a->count++;
  for (int i = a->count - 1; i > 0; i--) {
    for (int j = a->count - 1; j > 0; j--)
      a->product[i][j] = a->product[i - 1][j - 1];
  }
  for (int i = 0; i < a->count; i++)
    a->product[i][0] = a->product[0][i] = slipi_dot(a->df[i], df, a->counted);
}

/* gamma of min |f - sum gamma_i df_i|, by its normal equations with a little on the diagonal. */
static void least_squares(const SlipiAnderson *a, double gamma[SLIPI_ANDERSON_MOST]) {
  double A[SLIPI_ANDERSON_MOST][SLIPI_ANDERSON_MOST + 1] = {{0}}, trace = 0;
  int n = a->count;
  for (int i = 0; i < n; i++) {
    memcpy(A[i], a->product[i], (size_t)n * sizeof **A);
    A[i][n] = slipi_dot(a->df[i], a->f, a->counted);
    trace += A[i][i];
  }
  for (int i = 0; i < n; i++) { /* positive definite: no pivoting */
    A[i][i] += 1e-12 * trace + DBL_MIN;
    for (int row = i + 1; row < n; row++) {
      double factor = A[row][i] / A[i][i];
      for (int j = i; j <= n; j++)
        A[row][j] -= factor * A[i][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    gamma[i] = A[i][n];
    for (int j = i + 1; j < n; j++)
      gamma[i] -= A[i][j] * gamma[j];
    gamma[i] /= A[i][i];
  }
}

void slipi_anderson_next(SlipiAnderson *a, double *x, const double *image) {
  double gamma[SLIPI_ANDERSON_MOST] = {0};
  if (a->started)
    remember(a, x, image);
  a->started = true;
  for (int32_t k = 0; k < a->n; k++) {
    a->x[k] = x[k];
    a->f[k] = image[k] - x[k];
  }
  double size = sqrt(slipi_dot(a->f, a->f, a->counted));
  bool worse = !(size <= WORSE * a->least) && a->least < INFINITY;
  if (worse)
    a->count = 0;
  a->least = worse ? size : fmin(a->least, size); /* compared with the sizes that follow */
  least_squares(a, gamma);
  double mix = worse ? 0.5 : 1; /* where plain steps do not contract, averages may */
  for (int32_t k = 0; k < a->n; k++)
    x[k] += mix * a->f[k];
  for (int i = 0; i < a->count; i++) {
    const double *dg = a->dg[i];
    for (int32_t k = 0; k < a->n; k++)
      x[k] -= gamma[i] * dg[k];
  }
}
