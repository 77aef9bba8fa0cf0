/* Long vectors: sums in one order everywhere. Vectors of three are in dense3.h. */
#ifndef SLIPI_LINALG_VECTOR_H
#define SLIPI_LINALG_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* a'b. Four partial sums: additions that wait for each other would cost four times as much. */
static inline double slipi_dot(const double *a, const double *b, int64_t n) {
  double sum[4] = {0};
  int64_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (int j = 0; j < 4; j++)
      sum[j] += a[k + j] * b[k + j];
  for (; k < n; k++)
    sum[0] += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline double slipi_norm(const double *x, int64_t n) {
  return sqrt(slipi_dot(x, x, n));
}

static inline bool slipi_all_zero(const double *x, int64_t n) {
  int64_t k = 0;
  while (k < n && x[k] == 0)
    k++;
  return k == n;
}

#endif
