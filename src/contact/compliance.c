#include "contact/compliance.h"

#include "linalg/dense3.h"

/* Rounding of a block that was computed as a product, as a share of its largest entry. */
static const double ROUNDING = 1e-12;

static SlipStatus check_entries(const double *block, int32_t d, int32_t contact, double *largest,
                                SlipError *error) {
  *largest = 0;
  for (int32_t k = 0; k < d * d; k++) {
    if (!isfinite(block[k]))
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "the compliance of contact %d has the entry (%d, %d) %g, which is not a "
                        "finite number",
                        (int)contact, (int)(k / d), (int)(k % d), block[k]);
    *largest = fmax(*largest, fabs(block[k]));
  }
  return SLIP_OK;
}

static SlipStatus check_symmetric(const double *block, int32_t d, int32_t contact, double largest,
                                  SlipError *error) {
  for (int32_t i = 0; i < d; i++) {
    for (int32_t j = 0; j < i; j++) {
      if (fabs(block[i * d + j] - block[j * d + i]) > ROUNDING * largest)
        return slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "the compliance of contact %d is not symmetric: its entries (%d, %d) and "
                          "(%d, %d) are %g and %g",
                          (int)contact, (int)i, (int)j, (int)j, (int)i, block[i * d + j],
                          block[j * d + i]);
    }
  }
  return SLIP_OK;
}

/* A third direction in 2D has an entry of the block's own diagonal, which is no less than the least
 * eigenvalue. */
double slipi_least_eigenvalue(const double *block, int32_t d) {
  double A[9] = {0}, values[3], vectors[9];
  A[8] = block[0];
  for (int32_t k = 0; k < d * d; k++)
    A[3 * (k / d) + k % d] = block[k];
  slipi_dense3_eigen(A, values, vectors);
  return fmin(values[0], fmin(values[1], values[2]));
}

SlipStatus slipi_compliance_copy(SlipiArena *arena, const double *given, int32_t d, int32_t nc,
                                 double **copy, const double **C, SlipError *error) {
  *copy = NULL;
  *C = NULL;
  if (!given)
    return SLIP_OK;
  *copy = slipi_arena_copy(arena, given, (size_t)nc * (size_t)(d * d), sizeof *given);
  if (!*copy)
    return slipi_fail_memory(error, "the compliance of contacts");
  for (int32_t contact = 0; contact < nc; contact++) {
    double *block = *copy + (int64_t)contact * d * d, largest;
    SlipStatus status = check_entries(block, d, contact, &largest, error);
    if (status == SLIP_OK)
      status = check_symmetric(block, d, contact, largest, error);
    if (status != SLIP_OK)
      return status;
    for (int32_t i = 0; i < d; i++) {
      for (int32_t j = 0; j < i; j++)
        block[i * d + j] = block[j * d + i] = 0.5 * block[i * d + j] + 0.5 * block[j * d + i];
    }
    double least = slipi_least_eigenvalue(block, d);
    if (least < -ROUNDING * largest)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "the compliance of contact %d is not positive semidefinite: it has the "
                        "eigenvalue %g",
                        (int)contact, least);
    if (largest > 0)
      *C = *copy;
  }
  return SLIP_OK;
}

SlipStatus slipi_compliance_matrix(SlipiArena *arena, const double *C, int32_t d, int32_t nc,
                                   SlipiCsr *matrix, SlipError *error) {
  int64_t entries = (int64_t)nc * d * d;
  int32_t rows = nc * d;
  if (entries > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the compliance of the contacts has %lld entries; at most %d can be indexed",
                      (long long)entries, INT32_MAX);
  *matrix = (SlipiCsr){.rows = rows, .cols = rows};
  matrix->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)rows + 1);
  matrix->i = SLIPI_ARENA_NEW(arena, int32_t, entries);
  matrix->x = slipi_arena_copy(arena, C, (size_t)entries, sizeof *C);
  if (arena->failed)
    return slipi_fail_memory(error, "the compliance of contacts");
  for (int32_t row = 0, used = 0; row < rows; row++) {
    for (int32_t j = 0; j < d; j++)
      matrix->i[used++] = row / d * d + j;
    matrix->p[row + 1] = used;
  }
  return SLIP_OK;
}

/* The row `row` of W + C, to *sum where its arrays are there; returns the number of its entries. */
static int32_t add_row(const SlipiCsr *W, const double *C, int32_t d, int32_t row, int32_t used,
                       const SlipiCsr *sum) {
  int32_t first = row / d * d, own = first, begin = used;
  for (int32_t k = W->p[row]; k < W->p[row + 1] || own < first + d; used++) {
    int32_t column = k < W->p[row + 1] ? W->i[k] : INT32_MAX;
    bool is_own = own < first + d && own <= column, is_W = column <= own || !is_own;
    if (sum->x) {
      sum->i[used] = is_own ? own : column;
      sum->x[used] = (is_W ? W->x[k] : 0) + (is_own ? C[row * (int64_t)d + own - first] : 0);
    }
    k += is_W;
    own += is_own;
  }
  return used - begin;
}

SlipStatus slipi_compliance_add(SlipiArena *arena, const SlipiCsr *W, const double *C, int32_t d,
                                SlipiCsr *sum, SlipError *error) {
  int64_t entries = 0;
  *sum = (SlipiCsr){.rows = W->rows, .cols = W->cols};
  for (int32_t row = 0; row < W->rows; row++)
    entries += add_row(W, C, d, row, 0, sum);
  if (entries > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "W with the compliance of the contacts has %lld entries; at most %d can be "
                      "indexed",
                      (long long)entries, INT32_MAX);
  int32_t *p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)W->rows + 1);
  sum->i = SLIPI_ARENA_NEW(arena, int32_t, entries);
  sum->x = SLIPI_ARENA_NEW(arena, double, entries);
  sum->p = p;
  if (arena->failed)
    return slipi_fail_memory(error, "W with the compliance of contacts");
  for (int32_t row = 0; row < W->rows; row++)
    p[row + 1] = p[row] + add_row(W, C, d, row, p[row], sum);
  return SLIP_OK;
}
