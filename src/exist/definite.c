/* Is M positive definite, as the theorem asks? One pass over M tells for rigid bodies, whose
 * blocks follow each other; finite elements would need a factorisation, which costs more than the
 * whole check and is left out unless it is asked for. */
#include "exist/exist.h"

#include <string.h>

enum { BLOCK_MAX = 24 };

/* The symmetric part of the rows first..end-1, Cholesky in place; the row without a positive pivot,
 * or end. */
static int32_t block_pivots(const SlipiCsr *M, int32_t first, int32_t end) {
  double A[BLOCK_MAX * BLOCK_MAX];
  int32_t n = end - first;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int32_t i = 0; i < n; i++)
    for (int32_t e = M->p[first + i]; e < M->p[first + i + 1]; e++) {
      int32_t j = M->i[e] - first;
      A[i > j ? i * n + j : j * n + i] += i == j ? M->x[e] : 0.5 * M->x[e];
    }
  for (int32_t k = 0; k < n; k++) {
    double pivot = A[k * n + k];
    if (!(pivot > 0))
      return first + k;
    for (int32_t i = k + 1; i < n; i++) {
      double share = A[i * n + k] / pivot;
      for (int32_t j = i; j < n && share != 0; j++)
        A[j * n + i] -= share * A[j * n + k];
    }
  }
  return end;
}

/* A full block of 3 at the row, whose symmetric part has positive pivots: the inertia of a body. */
static bool inertia(const SlipiCsr *M, int32_t row) {
  if (row + 3 > M->rows)
    return false;
  const int32_t *i = M->i + M->p[row];
  for (int k = 1; k <= 3; k++)
    if (M->p[row + k] != M->p[row] + 3 * k)
      return false;
  for (int k = 0; k < 3; k++) /* columns ascend */
    if (i[3 * k] != row || i[3 * k + 2] != row + 2)
      return false;
  const double *x = M->x + M->p[row];
  double a = x[0], b = 0.5 * (x[1] + x[3]), c = 0.5 * (x[2] + x[6]);
  if (!(a > 0))
    return false;
  double d = x[4] - b / a * b, e = 0.5 * (x[5] + x[7]) - b / a * c, f = x[8] - c / a * c;
  return d > 0 && f - e / d * e > 0;
}

/* *known is false where a block is too large for that. */
static SlipStatus by_blocks(const SlipiCsr *M, bool *known, SlipError *error) {
  *known = false;
  for (int32_t first = 0, end; first < M->rows; first = end) {
    end = first + 1;
    if (M->p[end] - M->p[first] == 1 && M->i[M->p[first]] == first && M->x[M->p[first]] > 0)
      continue; /* most rows of spheres and of bodies in their own axes */
    if (inertia(M, first)) {
      end = first + 3;
      continue;
    }
    for (int32_t row = first; row < end; row++) { /* columns ascend */
      if (M->p[row] == M->p[row + 1])
        continue;
      int32_t least = M->i[M->p[row]], most = M->i[M->p[row + 1] - 1];
      end = most + 1 > end ? most + 1 : end;
      if (least < first || end - first > BLOCK_MAX)
        return SLIP_OK;
    }
    int32_t bad = block_pivots(M, first, end);
    if (bad < end)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "M is not positive definite: the pivot of row %d is not positive",
                        (int)bad);
  }
  *known = true;
  return SLIP_OK;
}

SlipStatus slipi_check_mass(SlipiCheck *check, SlipError *error) {
  bool known;
  SlipStatus status = by_blocks(&check->problem->M, &known, error);
  if (status == SLIP_OK && !known && check->options.mass) {
    status = slipi_check_need_mass(check, error);
    known = status == SLIP_OK;
  }
  check->result.mass_verified = known;
  return status;
}

SlipStatus slipi_check_need_mass(SlipiCheck *check, SlipError *error) {
  if (check->mass)
    return SLIP_OK;
  SlipStatus status = slipi_mass_new(&check->mass, error);
  if (status != SLIP_OK)
    return status;
  check->mass->stop = check->stop;
  status = slipi_mass_set(check->mass, check->problem, error);
  if (status != SLIP_OK) {
    slipi_mass_free(check->mass);
    check->mass = NULL;
  }
  check->result.mass_verified = status == SLIP_OK;
  return status;
}
