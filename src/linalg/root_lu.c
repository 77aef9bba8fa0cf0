#include "linalg/root_lu.h"

#include <math.h>

int32_t slipi_root_lu(double *A, int32_t n) {
  for (int32_t k = 0; k < n; k++) {
    for (int32_t j = 0; j < k; j++)
      A[k * n + k] -= A[k * n + j] * A[j * n + k];
    if (!(A[k * n + k] > 0))
      return k;
    double root = sqrt(A[k * n + k]);
    A[k * n + k] = root;
    for (int32_t i = k + 1; i < n; i++) {
      for (int32_t j = 0; j < k; j++) {
        A[i * n + k] -= A[i * n + j] * A[j * n + k];
        A[k * n + i] -= A[k * n + j] * A[j * n + i];
      }
      A[i * n + k] /= root;
      A[k * n + i] /= root;
    }
  }
  return n;
}

bool slipi_root_diagonal(const double *A, int32_t n, double *diagonal) {
  for (int32_t i = 0; i < n; i++) {
    if (!(A[i * n + i] > 0))
      return false;
  }
  for (int32_t i = 0; i < n; i++)
    diagonal[i] = sqrt(A[i * n + i]);
  return true;
}

/* Whether all rows stand alone, which is the usual case. */
static inline bool all_alone(const double *A, int32_t n) {
  double column[SLIPI_ROOT_LU_MOST] = {0}, outside = 0; /* sums side by side */
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++)
      column[j] += j == i ? 0 : fabs(A[i * n + j]);
  }
  for (int32_t j = 0; j < n; j++)
    outside += column[j];
  return outside == 0;
}

int32_t slipi_count_alone(const double *A, int32_t n) {
  enum { BODY = 6 }; /* loops of fixed length for rigid bodies */
  if (n == BODY ? all_alone(A, BODY) : all_alone(A, n))
    return n;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      if (j != i && (A[i * n + j] != 0 || A[j * n + i] != 0))
        return i;
    }
  }
  return n;
}

bool slipi_symmetrize(const double *A, int32_t n, double *to) {
  bool symmetric = true;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      to[i * n + j] = 0.5 * (A[i * n + j] + A[j * n + i]);
      symmetric = symmetric && A[i * n + j] == A[j * n + i];
    }
  }
  return symmetric;
}

static void divide(const SlipiRootLu *factors, double *x) {
  for (int32_t i = 0; i < factors->alone; i++)
    x[i] /= factors->diagonal[i];
}

void slipi_root_lu_lower(const SlipiRootLu *factors, double *x) {
  int32_t n = factors->n;
  divide(factors, x);
  for (int32_t i = factors->alone; i < n; i++) {
    for (int32_t j = factors->alone; j < i; j++)
      x[i] -= factors->lu[i * n + j] * x[j];
    x[i] /= factors->diagonal[i];
  }
}

void slipi_root_lu_upper(const SlipiRootLu *factors, double *x) {
  int32_t n = factors->n;
  divide(factors, x);
  for (int32_t i = n - 1; i >= factors->alone; i--) {
    for (int32_t j = i + 1; j < n; j++)
      x[i] -= factors->lu[i * n + j] * x[j];
    x[i] /= factors->diagonal[i];
  }
}

/* U' is lower triangular. */
void slipi_root_lu_upper_transposed(const SlipiRootLu *factors, double *x) {
  int32_t n = factors->n;
  divide(factors, x);
  for (int32_t i = factors->alone; i < n; i++) {
    for (int32_t j = factors->alone; j < i; j++)
      x[i] -= factors->lu[j * n + i] * x[j];
    x[i] /= factors->diagonal[i];
  }
}
