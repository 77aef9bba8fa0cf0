/* A matrix of PETSc and what solves with it: factors by MUMPS, or another of PETSc's solvers that
 * its options name. */
#ifndef SLIPI_MPI_FACTORS_H
#define SLIPI_MPI_FACTORS_H

#include <petscksp.h>
#include <stdbool.h>

typedef struct SlipiFactors {
  MPI_Comm comm;
  Mat K; /* borrowed */
  KSP ksp;
  const char *prefix; /* of the options */
  bool symmetric;     /* K is, and its factors are L D L' */
  double enough;      /* the residual at which a solver that iterates ends */
  PetscInt room_percent;
} SlipiFactors;

/* Collective, as everything here; false where PETSc fails, and then `factors` may only be freed. */
bool slipi_factors_create(SlipiFactors *factors, MPI_Comm comm, Mat K, const char *prefix,
                          bool symmetric, double enough);
void slipi_factors_free(SlipiFactors *factors);

/* Operations that MUMPS expects, by its analysis of the pattern. K's values are lost. */
bool slipi_factors_work(const SlipiFactors *factors, double *work);

/* Factor K with the values it has; *reason is PC_NOERROR where that was possible. */
bool slipi_factors_make(SlipiFactors *factors, PCFailedReason *reason);

/* How many pivots of symmetric factors by MUMPS are negative; 0 of other solvers. */
bool slipi_factors_negative(const SlipiFactors *factors, PetscInt *count);

/* Solve; false where a solver that iterates has not come to its end. */
bool slipi_factors_solve(const SlipiFactors *factors, Vec b, Vec x);

#endif
