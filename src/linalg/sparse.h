/* Compressed-row matrices: the canonical form of every matrix of a problem. */
#ifndef SLIPI_LINALG_SPARSE_H
#define SLIPI_LINALG_SPARSE_H

#include "base/arena.h"
#include "base/stop.h"

/* Rows sorted by column, no duplicates; explicit zeros are kept, except those of a dense
 * input. */
typedef struct SlipiCsr {
  int32_t rows, cols;
  int32_t *p; /* rows+1 */
  int32_t *i; /* columns */
  double *x;
} SlipiCsr;

/* Check a borrowed matrix of the given size and convert it. `name` is the matrix's name in
 * messages. */
SlipStatus slipi_csr_from(SlipiArena *arena, const SlipMatrix *matrix, const char *name,
                          int64_t rows, int64_t cols, SlipiCsr *csr, SlipError *error);

/* The transpose in CSR, whose arrays are those of A in CSC. */
SlipStatus slipi_csr_transpose(SlipiArena *arena, const SlipiCsr *A, SlipiCsr *At,
                               SlipError *error);

/* Where the entry at (row, column) is in i and x, or -1; columns of a row ascend. */
int32_t slipi_csr_find(const SlipiCsr *A, int32_t row, int32_t column);

/* y = A x. */
void slipi_csr_multiply(const SlipiCsr *A, const double *x, double *y);

/* |A - A'| and |A| in the Frobenius norm; A square. SLIP_ERROR_NUMERIC where it was stopped (stop
 * NULL: never). */
SlipStatus slipi_csr_asymmetry(const SlipiCsr *A, const SlipiStop *stop, double *asymmetry,
                               double *norm, SlipError *error);

/* Order of two indices (int32_t), for qsort and bsearch. */
int slipi_compare_index(const void *a, const void *b);

/* A view of a CSR matrix as a SlipMatrix. */
SlipMatrix slipi_csr_view(const SlipiCsr *A);

#endif
