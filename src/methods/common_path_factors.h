/* The linear systems J x = b along a curve of solutions, J = A W + B with one block of A and B a
 * contact (contact/system.h). From step to step few contacts change theirs: those that have since J
 * was factored last are made up for by a small matrix,
 *
 *     J = J_0 + E R,   J^-1 = J_0^-1 - Z C^-1 R J_0^-1,   Z = J_0^-1 E,   C = I + R Z,
 *     det J = det J_0 det C
 *
 * where E has the columns of the identity of these contacts and R their rows of J - J_0 (Sherman,
 * Morrison, Woodbury). */
#ifndef SLIPI_METHODS_COMMON_PATH_FACTORS_H
#define SLIPI_METHODS_COMMON_PATH_FACTORS_H

#include "base/arena.h"
#include "contact/system.h"

typedef struct SlipiPathFactors {
  SlipiSystem *system;
  const SlipiScaled *scaled;
  int32_t nc, m, most; /* contacts, unknowns, and contacts that may have changed */
  /* J_0. */
  bool valid;
  int sign_0;
  double *A_0, *B_0; /* 9 nc */
  /* Contacts that have changed. */
  int32_t count;
  int32_t *contact;             /* most */
  int32_t *place;               /* nc: where a contact is in `contact`, or -1 */
  double *Z;                    /* 3 most columns of m */
  double *WZ;                   /* 3 most columns of 3 most: rows of W Z of these contacts */
  double *C, *y;                /* 3 most x 3 most by rows, its factors; 3 most */
  double *unit, *residual, *dx; /* m; `unit` is 0 */
  int32_t *pivot;
  /* J. */
  const double *A, *B;
} SlipiPathFactors;

SlipStatus slipi_path_factors_create(SlipiSystem *system, const SlipiScaled *scaled,
                                     SlipiArena *arena, SlipiPathFactors *factors,
                                     SlipError *error);

/* Others may have used the system, or W is another: J is factored when it is needed next. */
void slipi_path_factors_forget(SlipiPathFactors *factors);

/* Blocks of A and B that are nearly those of J_0 become these: J then needs no new factors, and
 * Newton's method with it converges a little slower. `weight` has the compliance of each contact,
 * all that J has across W. */
void slipi_path_factors_near(const SlipiPathFactors *factors, const double *weight, double *A,
                             double *B);

/* Make ready for solves with J, which must stay as it is until the last of them. *sign is that of
 * det J, 0 where it is singular. */
SlipStatus slipi_path_factors_set(SlipiPathFactors *factors, const double *A, const double *B,
                                  int *sign, SlipError *error);

/* x = J^-1 b; they may not overlap. */
SlipStatus slipi_path_factors_solve(SlipiPathFactors *factors, const double *b, double *x,
                                    SlipError *error);

#endif
