#include "linalg/blocklu.h"

#include <math.h>

/* Refinement ends when a step does not halve the residual, and after this many. */
enum { REFINEMENTS = 3 };

SlipStatus slipi_blocklu_create(const SlipiBsr *A, const SlipiStop *stop, SlipiArena *arena,
                                SlipiBlocklu *lu, SlipError *error) {
  int64_t m = (int64_t)A->n * A->d;
  *lu = (SlipiBlocklu){.A = A};
  SlipStatus status = slipi_bsr_to_csr(arena, A, &lu->scalar, error);
  if (status != SLIP_OK)
    return status;
  lu->residual = SLIPI_ARENA_NEW(arena, double, m);
  lu->correction = SLIPI_ARENA_NEW(arena, double, m);
  if (arena->failed)
    return slipi_fail_memory(error, "the factors of a matrix");
  return slipi_lu_create(&lu->scalar, SLIPI_LU_AUTO, stop, &lu->lu, error);
}

void slipi_blocklu_free(SlipiBlocklu *lu) {
  slipi_lu_free(lu->lu);
  lu->lu = NULL;
}

/* The values of the blocks, by scalar rows. */
static void fill_values(SlipiBlocklu *lu) {
  const SlipiBsr *A = lu->A;
  int32_t d = A->d;
  double *x = lu->scalar.x;
  for (int32_t row = 0; row < lu->scalar.rows; row++) {
    for (int32_t k = A->p[row / d]; k < A->p[row / d + 1]; k++) {
      const double *from = A->x + ((int64_t)k * d + row % d) * d;
      for (int32_t c = 0; c < d; c++)
        *x++ = from[c];
    }
  }
}

SlipStatus slipi_blocklu_factor(SlipiBlocklu *lu, int *sign, SlipError *error) {
  *sign = 0;
  fill_values(lu);
  SlipStatus status = slipi_lu_factor(lu->lu, &lu->rcond, error);
  return status == SLIP_OK ? slipi_lu_sign(lu->lu, sign, error) : status;
}

/* residual = b - A x; returns its norm. */
static double set_residual(SlipiBlocklu *lu, const double *b, const double *x) {
  double square = 0;
  slipi_bsr_multiply(lu->A, x, lu->residual, NULL);
  for (int32_t k = 0; k < lu->scalar.rows; k++) {
    lu->residual[k] = b[k] - lu->residual[k];
    square += lu->residual[k] * lu->residual[k];
  }
  return sqrt(square);
}

static void add(int32_t m, double factor, const double *x, double *y) {
  for (int32_t k = 0; k < m; k++)
    y[k] += factor * x[k];
}

SlipStatus slipi_blocklu_solve(SlipiBlocklu *lu, const double *b, double *x, SlipError *error) {
  int32_t m = lu->scalar.rows;
  SlipStatus status = slipi_lu_solve(lu->lu, b, x, error);
  if (status != SLIP_OK || !slipi_lu_is_dense(lu->lu)) /* UMFPACK refines by itself */
    return status;
  double norm = set_residual(lu, b, x);
  for (int k = 0; k < REFINEMENTS && norm > 0; k++) {
    status = slipi_lu_solve(lu->lu, lu->residual, lu->correction, error);
    if (status != SLIP_OK)
      return status;
    add(m, 1, lu->correction, x);
    double next = set_residual(lu, b, x);
    if (!(next < norm)) {
      add(m, -1, lu->correction, x);
      break;
    }
    if (next > 0.5 * norm)
      break;
    norm = next;
  }
  return SLIP_OK;
}
