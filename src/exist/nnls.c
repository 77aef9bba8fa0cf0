/* Non-negative least squares by the active-set method of Lawson and Hanson (1974): small and
 * dense, and its residual proves infeasibility, C' residual <= 0 with b' residual > 0. */
#include <math.h>
#include <string.h>

#include "exist/enumerate.h"
#include "linalg/vector.h"

#define OPTIMAL 1e-13   /* of C' residual, in units of |b| */
#define DEPENDENT 1e-11 /* remainder of a unit column once others are taken off */

int64_t slipi_nnls_work(int32_t rows, int32_t cols) {
  int64_t most = rows < cols ? rows : cols;
  return rows * most + most * most + 3 * (int64_t)cols;
}

typedef struct Nnls {
  int32_t rows, cols, most, count; /* count columns are passive, in the order of `order` */
  const double *C, *b;
  double *x, *residual;
  double *Q, *R;  /* of the passive columns */
  double *order;  /* indices, kept with the doubles */
  double *trial;  /* least squares on the passive columns */
  double *barred; /* columns that depend on the passive ones */
} Nnls;

/* Orthogonalise the passive column at `place` against those before it; false where it depends on
 * them. Twice is enough. */
static bool orthogonalise(Nnls *n, int32_t place) {
  double *q = n->Q + (int64_t)place * n->rows, *r = n->R + (int64_t)place * n->most;
  memcpy(q, n->C + (int64_t)n->order[place] * n->rows, (size_t)n->rows * sizeof *q);
  memset(r, 0, (size_t)n->most * sizeof *r);
  for (int pass = 0; pass < 2; pass++)
    for (int32_t k = 0; k < place; k++) {
      const double *other = n->Q + (int64_t)k * n->rows;
      double part = slipi_dot(q, other, n->rows);
      r[k] += part;
      for (int32_t i = 0; i < n->rows; i++)
        q[i] -= part * other[i];
    }
  r[place] = sqrt(slipi_dot(q, q, n->rows));
  if (!(r[place] > DEPENDENT))
    return false;
  for (int32_t i = 0; i < n->rows; i++)
    q[i] /= r[place];
  return true;
}

static void least_squares(Nnls *n) {
  for (int32_t k = n->count - 1; k >= 0; k--) {
    double sum = slipi_dot(n->Q + (int64_t)k * n->rows, n->b, n->rows);
    for (int32_t j = k + 1; j < n->count; j++)
      sum -= n->R[(int64_t)j * n->most + k] * n->trial[j];
    n->trial[k] = sum / n->R[(int64_t)k * n->most + k];
  }
}

/* Drop the passive columns whose value is 0 and factor the rest anew. */
static void drop_zeros(Nnls *n) {
  int32_t kept = 0;
  for (int32_t k = 0; k < n->count; k++) {
    int32_t column = (int32_t)n->order[k];
    if (n->x[column] <= 0) {
      n->x[column] = 0;
      continue;
    }
    n->order[kept] = column;
    if (orthogonalise(n, kept))
      kept++;
    else
      n->x[column] = 0;
  }
  n->count = kept;
}

/* Towards the least-squares point as far as all stay positive, dropping what meets 0. */
static void descend(Nnls *n) {
  for (;;) {
    double alpha = 1;
    least_squares(n);
    for (int32_t k = 0; k < n->count; k++) {
      double from = n->x[(int32_t)n->order[k]];
      if (n->trial[k] <= 0)
        alpha = fmin(alpha, from / (from - n->trial[k]));
    }
    for (int32_t k = 0; k < n->count; k++) {
      double *x = &n->x[(int32_t)n->order[k]];
      *x = alpha == 1 ? n->trial[k] : *x + alpha * (n->trial[k] - *x);
      if (alpha < 1 && n->trial[k] <= 0 && *x < 1e-15)
        *x = 0;
    }
    if (alpha == 1)
      return;
    int32_t before = n->count;
    drop_zeros(n);
    if (n->count == before) /* rounding kept the one that met 0 */
      return;
  }
}

static void update_residual(Nnls *n) {
  memcpy(n->residual, n->b, (size_t)n->rows * sizeof *n->residual);
  for (int32_t k = 0; k < n->count; k++) {
    int32_t column = (int32_t)n->order[k];
    for (int32_t i = 0; i < n->rows; i++)
      n->residual[i] -= n->C[(int64_t)column * n->rows + i] * n->x[column];
  }
}

/* The column that reduces the residual most, or -1. */
static int32_t entering(const Nnls *n, double tol) {
  int32_t found = -1;
  for (int32_t j = 0; j < n->cols; j++) {
    double gain = slipi_dot(n->C + (int64_t)j * n->rows, n->residual, n->rows);
    if (n->x[j] > 0 || n->barred[j] != 0 || !(gain > tol))
      continue;
    tol = gain;
    found = j;
  }
  return found;
}

double slipi_nnls(int32_t rows, int32_t cols, const double *C, const double *b, double *x,
                  double *residual, double *work) {
  Nnls n = {.rows = rows, .cols = cols, .most = rows < cols ? rows : cols, .C = C, .b = b, .x = x};
  n.residual = residual;
  n.Q = work;
  n.R = n.Q + (int64_t)rows * n.most;
  n.order = n.R + (int64_t)n.most * n.most;
  n.trial = n.order + cols;
  n.barred = n.trial + cols;
  memset(x, 0, (size_t)cols * sizeof *x);
  memset(n.barred, 0, (size_t)cols * sizeof *n.barred);
  memcpy(residual, b, (size_t)rows * sizeof *residual);
  double size = sqrt(slipi_dot(b, b, rows));
  for (int32_t round = 0; round < 10 * cols + 10; round++) {
    int32_t column = entering(&n, OPTIMAL * size);
    if (column < 0)
      break;
    n.order[n.count < n.most ? n.count : 0] = column;
    if (n.count == n.most || !orthogonalise(&n, n.count)) {
      if (n.count == n.most)
        break; /* as many independent columns as rows: the residual is rounding */
      n.barred[column] = 1;
      continue;
    }
    n.count++;
    descend(&n);
    update_residual(&n);
    if (x[column] > 0)
      memset(n.barred, 0, (size_t)cols * sizeof *n.barred);
    else
      n.barred[column] = 1; /* rounding threw it out at once */
  }
  return sqrt(slipi_dot(residual, residual, rows));
}
