/* Small dense matrices with a positive definite symmetric part as A = L U, where L and U have the
 * same diagonal: for a symmetric A they are Cholesky factors, L' = U to the bit. */
#ifndef SLIPI_LINALG_ROOT_LU_H
#define SLIPI_LINALG_ROOT_LU_H

#include <stdbool.h>
#include <stdint.h>

enum { SLIPI_ROOT_LU_MOST = 32 }; /* rows */

/* Factors. The first `alone` rows have no entry but the diagonal's, as those of a rigid body's
 * translation, and all of a sphere's: there a solve is a division, and nothing of lu is read. */
typedef struct SlipiRootLu {
  const double *lu; /* L below, U above the diagonal, row-major */
  const double *diagonal;
  int32_t n, alone;
} SlipiRootLu;

/* Factor in place without exchanges. Returns the first row without a positive pivot, or n. */
int32_t slipi_root_lu(double *A, int32_t n);

/* The factors of a diagonal matrix; false where an entry is not positive. */
bool slipi_root_diagonal(const double *A, int32_t n, double *diagonal);

/* How many of the first rows have no entry but the diagonal's, in their columns neither. */
int32_t slipi_count_alone(const double *A, int32_t n);

/* Make A symmetric in `to`; tells whether it was. */
bool slipi_symmetrize(const double *A, int32_t n, double *to);

/* x = L^-1 x, U^-1 x, U^-T x. */
void slipi_root_lu_lower(const SlipiRootLu *factors, double *x);
void slipi_root_lu_upper(const SlipiRootLu *factors, double *x);
void slipi_root_lu_upper_transposed(const SlipiRootLu *factors, double *x);

#endif
