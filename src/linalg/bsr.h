/* Block-sparse rows: d x d blocks (row-major), d = 2 or 3, one block row per contact. */
#ifndef SLIPI_LINALG_BSR_H
#define SLIPI_LINALG_BSR_H

#include "base/team.h"
#include "linalg/sparse.h"

typedef struct SlipiBsr {
  int32_t d, n;      /* block size, block rows */
  int32_t *p;        /* n+1, in blocks */
  int32_t *j;        /* block columns, ascending in each row */
  double *x;         /* d*d values per block */
  int32_t *diagonal; /* index of block (a, a); every row has one, if only of zeros */
} SlipiBsr;

/* Room for a matrix with the given number of blocks; the caller fills p, j and x. */
SlipStatus slipi_bsr_alloc(SlipiArena *arena, int32_t d, int32_t n, int64_t blocks, SlipiBsr *bsr,
                           SlipError *error);
/* Fill `diagonal` once p and j are there. */
void slipi_bsr_find_diagonal(SlipiBsr *bsr);

/* SLIP_ERROR_NUMERIC where it was stopped (stop NULL: never). */
SlipStatus slipi_bsr_from_csr(SlipiArena *arena, const SlipiCsr *W, int32_t d,
                              const SlipiStop *stop, SlipiBsr *bsr, SlipError *error);
/* Other values of a W that bsr was made of. */
void slipi_bsr_set_values(const SlipiCsr *W, SlipiBsr *bsr);
SlipStatus slipi_bsr_to_csr(SlipiArena *arena, const SlipiBsr *bsr, SlipiCsr *W, SlipError *error);

/* A with a block in column mate[row] of each row, of zeros where A has none. */
SlipStatus slipi_bsr_complete(SlipiArena *arena, const SlipiBsr *A, const int32_t *mate,
                              SlipiBsr *whole, SlipError *error);

/* The d values of block row `row` of A x. */
void slipi_bsr_row(const SlipiBsr *A, int32_t row, const double *x, double *y);

/* y = A x; the same bits for any team, which may be NULL. */
void slipi_bsr_multiply(const SlipiBsr *A, const double *x, double *y, SlipiTeam *team);

#endif
