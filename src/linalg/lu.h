/* LU of square matrices that share one pattern: analysed once, factored again for each set of
 * values. Dense (LAPACK) where the matrix is small or full, sparse (UMFPACK) otherwise.
 *
 * The dense form allocates nothing after create. UMFPACK allocates its factors anew in each
 * slipi_lu_factor (its interface knows no other way); solves allocate nothing. */
#ifndef SLIPI_LINALG_LU_H
#define SLIPI_LINALG_LU_H

#include <stdbool.h>

#include "linalg/sparse.h"

typedef struct SlipiLu SlipiLu;

typedef enum SlipiLuKind {
  SLIPI_LU_AUTO, /* by size, fill and work */
  SLIPI_LU_DENSE,
  SLIPI_LU_SPARSE
} SlipiLuKind;

/* Whether AUTO takes the dense form. */
bool slipi_lu_wants_dense(int32_t rows, double entries);

/* A's pattern; p, i and x are borrowed for the life of the factors, the values in x are not read
 * yet. `stop` (NULL: never) is borrowed too: what it ends while it is factored counts as singular.
 * The dense form asks every few hundredths of a second, the sparse one before it begins only, with
 * an estimate of its time: UMFPACK cannot be stopped. An analysis it ends fails with
 * SLIP_ERROR_NUMERIC. */
SlipStatus slipi_lu_create(const SlipiCsr *A, SlipiLuKind kind, const SlipiStop *stop, SlipiLu **lu,
                           SlipError *error);
void slipi_lu_free(SlipiLu *lu);
bool slipi_lu_is_dense(const SlipiLu *lu);

/* The work of one factorisation and its solves, in floating-point operations of the dense form:
 * those of the sparse one count for several, and each entry does too. An estimate from the pattern
 * until something has been factored; never timed, so always the same. */
double slipi_lu_work(const SlipiLu *lu);

/* Factor the values A.x now holds. *rcond is the ratio of the smallest to the largest pivot, a
 * crude reciprocal condition: 0 for a singular matrix or one that is not finite, which is no
 * error, but then there is nothing to solve with. */
SlipStatus slipi_lu_factor(SlipiLu *lu, double *rcond, SlipError *error);

/* The sign of the determinant of the matrix factored last, 1 or -1; 0 for a singular matrix or one
 * that is not finite. */
SlipStatus slipi_lu_sign(const SlipiLu *lu, int *sign, SlipError *error);

/* x = A^-1 b with the last factors; b and x may not overlap. */
SlipStatus slipi_lu_solve(SlipiLu *lu, const double *b, double *x, SlipError *error);

#endif
