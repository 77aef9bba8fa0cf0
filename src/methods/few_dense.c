#include "methods/few_dense.h"

#include <math.h>

enum { LANES = SLIPI_FEW_LANES };

int32_t slipi_few_stride(int32_t n) {
  return (n / LANES + 1) * LANES;
}

static void exchange(double *x, double *y, int32_t from, int32_t to) {
  for (int32_t j = from; j < to; j++) {
    double kept = x[j];
    x[j] = y[j];
    y[j] = kept;
  }
}

/* What it does left of the first column that counts changes what is not read any more. */
static inline void subtract(double factor, const double *restrict top, double *restrict row,
                            int32_t from, int32_t stride) {
  for (int32_t j = from - from % LANES; j < stride; j += LANES) {
    row[j] -= factor * top[j];
    row[j + 1] -= factor * top[j + 1];
    row[j + 2] -= factor * top[j + 2];
    row[j + 3] -= factor * top[j + 3];
  }
}

/* x from the triangle that elimination leaves. */
static void substitute(int32_t n, int32_t stride, const double *A, double *x) {
  for (int32_t k = n - 1; k >= 0; k--) {
    const double *row = A + k * stride;
    double sum = row[n];
    for (int32_t j = k + 1; j < n; j++)
      sum -= row[j] * x[j];
    x[k] = sum / row[k];
  }
}

bool slipi_few_eliminate(int32_t n, int32_t stride, double *A, double *x) {
  for (int32_t k = 0; k < n; k++) {
    int32_t pivot = k;
    for (int32_t i = k + 1; i < n; i++)
      pivot = fabs(A[i * stride + k]) > fabs(A[pivot * stride + k]) ? i : pivot;
    double *top = A + k * stride;
    if (pivot != k)
      exchange(top, A + pivot * stride, k, n + 1);
    if (!(fabs(top[k]) > 0 && isfinite(top[k])))
      return false;
    double inverse = 1 / top[k];
    for (int32_t i = k + 1; i < n; i++) {
      double *row = A + i * stride;
      if (row[k] != 0)
        subtract(row[k] * inverse, top, row, k + 1, stride);
    }
  }
  substitute(n, stride, A, x);
  return true;
}

bool slipi_few_eliminate_definite(int32_t n, int32_t stride, double *A, double *x) {
  for (int32_t k = 0; k < n; k++) {
    const double *top = A + k * stride;
    if (!(top[k] > 0 && isfinite(top[k])))
      return false;
    double inverse = 1 / top[k];
    for (int32_t i = k + 1; i < n; i++) {
      if (top[i] != 0)
        subtract(top[i] * inverse, top, A + i * stride, i, stride);
    }
  }
  substitute(n, stride, A, x);
  return true;
}
