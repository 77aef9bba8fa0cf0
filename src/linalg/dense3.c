#include "linalg/dense3.h"

#include <string.h>

typedef struct Tableau {
  double a[3][4]; /* the matrix with b as its last column */
  int column[3];  /* the unknown each column stands for */
} Tableau;

static void swap(double *x, double *y) {
  double t = *x;
  *x = *y;
  *y = t;
}

/* Bring the largest entry of the remaining block to (k, k) and return its size. */
static double pivot(Tableau *t, int k) {
  int row = k, col = k;
  for (int i = k; i < 3; i++) {
    for (int j = k; j < 3; j++) {
      if (fabs(t->a[i][j]) > fabs(t->a[row][col])) {
        row = i;
        col = j;
      }
    }
  }
  for (int j = 0; j < 4; j++)
    swap(&t->a[k][j], &t->a[row][j]);
  for (int i = 0; i < 3; i++)
    swap(&t->a[i][k], &t->a[i][col]);
  int c = t->column[k];
  t->column[k] = t->column[col];
  t->column[col] = c;
  return fabs(t->a[k][k]);
}

static void eliminate(Tableau *t, int k) {
  for (int i = k + 1; i < 3; i++) {
    double m = t->a[i][k] / t->a[k][k];
    for (int j = k; j < 4; j++)
      t->a[i][j] -= m * t->a[k][j];
  }
}

/* Back substitution on the first `rank` rows; y[rank..2] and the right-hand side are given. */
static void back_substitute(const Tableau *t, int rank, double right, double y[3]) {
  for (int i = rank - 1; i >= 0; i--) {
    double sum = right * t->a[i][3];
    for (int j = i + 1; j < 3; j++)
      sum -= t->a[i][j] * y[j];
    y[i] = sum / t->a[i][i];
  }
}

void slipi_dense3_solve(const double A[9], const double b[3], double tiny, SlipiSolution3 *s) {
  Tableau t = {.column = {0, 1, 2}};
  memset(s, 0, sizeof *s);
  for (int i = 0; i < 3; i++) {
    memcpy(t.a[i], A + (size_t)3 * i, 3 * sizeof(double));
    t.a[i][3] = b[i];
  }
  double largest = 0;
  while (s->rank < 3) {
    double size = pivot(&t, s->rank);
    if (s->rank == 0)
      largest = size;
    if (!(size > tiny * largest))
      break;
    eliminate(&t, s->rank++);
  }
  for (int i = s->rank; i < 3; i++)
    s->defect = fmax(s->defect, fabs(t.a[i][3]));
  for (int v = 0; v <= 3 - s->rank; v++) { /* v = 0: the particular solution */
    double y[3] = {0, 0, 0}, *x = v == 0 ? s->x : s->null[v - 1];
    if (v > 0)
      y[s->rank + v - 1] = 1;
    back_substitute(&t, s->rank, v == 0 ? 1 : 0, y);
    for (int j = 0; j < 3; j++)
      x[t.column[j]] = y[j];
  }
}

/* The rotation in the plane (p, q) that makes A[p][q] 0, of A from both sides and of V. */
static void rotate(double A[9], double V[9], int p, int q) {
  double theta = (A[4 * q] - A[4 * p]) / (2 * A[3 * p + q]);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    double x = A[3 * k + p], y = A[3 * k + q];
    A[3 * k + p] = c * x - s * y;
    A[3 * k + q] = s * x + c * y;
  }
  double *rows[] = {A, V};
  for (int m = 0; m < 2; m++) {
    for (int k = 0; k < 3; k++) {
      double x = rows[m][3 * p + k], y = rows[m][3 * q + k];
      rows[m][3 * p + k] = c * x - s * y;
      rows[m][3 * q + k] = s * x + c * y;
    }
  }
  A[3 * p + q] = A[3 * q + p] = 0;
}

void slipi_dense3_eigen(const double A[9], double values[3], double V[9]) {
  enum { SWEEPS = 12 }; /* converge quadratically: five or six do */
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double B[9];
  memcpy(B, A, sizeof B);
  memcpy(V, unit, sizeof unit);
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (int p = 0; p < 3; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (B[3 * p + q] != 0)
          rotate(B, V, p, q);
      }
    }
  }
  for (int k = 0; k < 3; k++)
    values[k] = B[4 * k];
}

int slipi_dense3_invert(const double A[9], double X[9]) {
  double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8];
  double c2 = A[3] * A[7] - A[4] * A[6];
  double det = A[0] * c0 + A[1] * c1 + A[2] * c2, scale = 1 / det;
  if (!(fabs(det) > 0) || !isfinite(scale))
    return 0;
  X[0] = scale * c0;
  X[1] = scale * (A[2] * A[7] - A[1] * A[8]);
  X[2] = scale * (A[1] * A[5] - A[2] * A[4]);
  X[3] = scale * c1;
  X[4] = scale * (A[0] * A[8] - A[2] * A[6]);
  X[5] = scale * (A[2] * A[3] - A[0] * A[5]);
  X[6] = scale * c2;
  X[7] = scale * (A[1] * A[6] - A[0] * A[7]);
  X[8] = scale * (A[0] * A[4] - A[1] * A[3]);
  return det > 0 ? 1 : -1;
}
