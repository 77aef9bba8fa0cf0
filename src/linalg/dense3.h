/* 3x3 systems (row-major), the arithmetic of one contact. */
#ifndef SLIPI_LINALG_DENSE3_H
#define SLIPI_LINALG_DENSE3_H

#include <math.h>

static inline void slipi_dense3_multiply(const double A[9], const double x[3], double y[3]) {
  double x0 = x[0], x1 = x[1], x2 = x[2];
  y[0] = A[0] * x0 + A[1] * x1 + A[2] * x2;
  y[1] = A[3] * x0 + A[4] * x1 + A[5] * x2;
  y[2] = A[6] * x0 + A[7] * x1 + A[8] * x2;
}

/* y = A' x. */
static inline void slipi_dense3_multiply_transposed(const double A[9], const double x[3],
                                                    double y[3]) {
  double x0 = x[0], x1 = x[1], x2 = x[2];
  y[0] = A[0] * x0 + A[3] * x1 + A[6] * x2;
  y[1] = A[1] * x0 + A[4] * x1 + A[7] * x2;
  y[2] = A[2] * x0 + A[5] * x1 + A[8] * x2;
}

/* C = A B. */
static inline void slipi_dense3_product(const double A[9], const double B[9], double C[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
  }
}

static inline double slipi_dense3_dot(const double x[3], const double y[3]) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline double slipi_dense3_norm(const double x[3]) {
  return sqrt(slipi_dense3_dot(x, x));
}

static inline double slipi_dense3_max(const double x[3]) {
  double most = 0; /* by comparisons: fmax is a call, and this is in every visit of a sweep */
  for (int k = 0; k < 3; k++)
    most = fabs(x[k]) > most ? fabs(x[k]) : most;
  return most;
}

/* All solutions of A x = b: x + span(null[0..2-rank]). */
typedef struct SlipiSolution3 {
  int rank;
  double x[3];
  double null[3][3];
  double defect; /* residual of the rows without a pivot: 0 for a consistent system */
} SlipiSolution3;

/* Gaussian elimination with full pivoting; a pivot below tiny*max|A| counts as 0. */
void slipi_dense3_solve(const double A[9], const double b[3], double tiny, SlipiSolution3 *s);

/* X = A^-1; returns the sign of det A, 0 where there is no inverse. */
int slipi_dense3_invert(const double A[9], double X[9]);

/* A = V' diag(values) V of a symmetric A, by Jacobi's rotations: the rows of V are eigenvectors of
 * length 1. */
void slipi_dense3_eigen(const double A[9], double values[3], double V[9]);

#endif
