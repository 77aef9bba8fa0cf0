/* The blocks on W's diagonal that belong to the contacts themselves: with their compliance C (a
 * positive semidefinite block each) and the shift of proximal methods,
 *
 *     u = (W + C + shift I) r + q
 *
 * Operators keep C and the shift apart from W: no form of W has to be made anew for them, and a
 * sweep over the velocities of bodies stays one. */
#ifndef SLIPI_CONTACT_COMPLIANCE_H
#define SLIPI_CONTACT_COMPLIANCE_H

#include <math.h>

#include "base/arena.h"
#include "base/error.h"
#include "linalg/sparse.h"

typedef struct SlipiOwn {
  const double *C; /* a d x d block for each contact, row-major; NULL: C = 0 */
  double shift;
} SlipiOwn;

/* u += (C + shift I) r of one contact, d values each. */
static inline void slipi_own_add(const SlipiOwn *own, int32_t d, int32_t contact, const double *r,
                                 double *u) {
  const double *C = own->C ? own->C + (int64_t)contact * d * d : NULL;
  for (int32_t k = 0; C && k < d; k++) {
    double sum = C[k * d] * r[0] + C[k * d + 1] * r[1];
    u[k] += d == 3 ? sum + C[k * d + 2] * r[2] : sum;
  }
  for (int32_t k = 0; k < d; k++)
    u[k] += own->shift * r[k];
}

/* block += C + shift I of one contact, d x d. */
static inline void slipi_own_block(const SlipiOwn *own, int32_t d, int32_t contact, double *block) {
  const double *C = own->C ? own->C + (int64_t)contact * d * d : NULL;
  for (int32_t k = 0; C && k < d * d; k++)
    block[k] += C[k];
  for (int32_t k = 0; k < d; k++)
    block[k * d + k] += own->shift;
}

/* Of a symmetric d x d block, row-major. */
double slipi_least_eigenvalue(const double *block, int32_t d);

/* Check a user's compliance and copy it, symmetric to the bit. *C is the copy, or NULL where it is
 * all zeros. */
SlipStatus slipi_compliance_copy(SlipiArena *arena, const double *given, int32_t d, int32_t nc,
                                 double **copy, const double **C, SlipError *error);

/* W + C as one matrix: the blocks of C are in its pattern. */
SlipStatus slipi_compliance_add(SlipiArena *arena, const SlipiCsr *W, const double *C, int32_t d,
                                SlipiCsr *sum, SlipError *error);

/* C, block-diagonal, as a matrix. */
SlipStatus slipi_compliance_matrix(SlipiArena *arena, const double *C, int32_t d, int32_t nc,
                                   SlipiCsr *matrix, SlipError *error);

#endif
