/* Parts of a problem whose M couples degrees of freedom, as that of finite elements does
 * (SlipiShare.couple): a process has a range of rows of M, a range of contacts, and of the other
 * degrees of freedom those that its contacts touch. In SlipMpiProblem each degree of freedom counts
 * as a body with one. */
#ifndef SLIPI_MPI_COUPLED_H
#define SLIPI_MPI_COUPLED_H

#include "mpi/factors.h"
#include "mpi/part.h"

/* An entry of M or H, by the numbers of the whole problem. */
typedef struct SlipiEntry {
  int32_t row, col;
  double x;
} SlipiEntry;

typedef struct SlipiEntries {
  SlipiEntry *entry; /* by malloc */
  int32_t count, capacity;
} SlipiEntries;

/* What one process has: rows of M from first_dof on, columns of H from d*first_contact on. Entries
 * may come in any order, and those in the same place are added. */
typedef struct SlipiCoupledData {
  int32_t d;
  int64_t contacts, dof; /* of the whole problem */
  int64_t first_contact;
  int32_t own_contacts, own_dof;
  const SlipiEntries *M, *H;
  const double *f; /* own_dof */
  const double *w; /* d*own_contacts */
  const SlipLaws *laws;
  const double *compliance;
} SlipiCoupledData;

typedef struct SlipiCoupled {
  PetscInt first, own; /* rows of M; */
  PetscInt below;      /* the place of the first among the part's degrees of freedom */
  Mat M;               /* N = D^-1/2 M D^-1/2, D being M's diagonal */
  SlipiFactors factors;
  Vec b, x;
} SlipiCoupled;

/* The first of the degrees of freedom, or contacts, of a process, and who has one. */
static inline int64_t slipi_range_first(int64_t count, int rank, int ranks) {
  return count * rank / ranks;
}
static inline int slipi_range_owner(int64_t count, int64_t k, int ranks) {
  return (int)(((k + 1) * ranks - 1) / count);
}

SlipStatus slipi_coupled_create(MPI_Comm comm, const SlipiCoupledData *data,
                                SlipMpiProblem **problem, SlipError *error);
void slipi_coupled_free(SlipiCoupled *coupled);

/* Values of degrees of freedom, from who has their rows of M to who touches them. */
void slipi_coupled_to_others(const SlipMpiProblem *part, double *z);

/* The functions of its share. */
void slipi_coupled_solve(void *user, const double *f, double *z);
void slipi_coupled_spread(void *user, double *z);
SlipStatus slipi_coupled_gather(void *user, const double *c, double *p, SlipError *error);
SlipStatus slipi_coupled_matrix_create(void *user, struct SlipiBodyMatrix *bodies, void **matrix,
                                       double *work, SlipError *error);
SlipStatus slipi_coupled_matrix_factor(void *matrix, const double *x, int *sign, SlipError *error);
void slipi_coupled_matrix_solve(void *matrix, double *z);
void slipi_coupled_matrix_add(void *matrix, double *z);
void slipi_coupled_matrix_free(void *matrix);

#endif
