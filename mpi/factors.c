#include "mpi/factors.h"

#include <string.h>

/* The most steps of a solver that iterates. */
enum { ITERATIONS_MOST = 2000 };
/* MUMPS: the number of the control for room beyond its estimate, in percent; at first and at most.
 * And the number of what tells the negative pivots. */
enum { MUMPS_ROOM = 14, ROOM_PERCENT = 50, ROOM_PERCENT_MOST = 50 << 8, MUMPS_NEGATIVE = 12 };

static bool make_solver(SlipiFactors *s) {
  PC pc;
  return KSPCreate(s->comm, &s->ksp) == 0 && KSPSetOptionsPrefix(s->ksp, s->prefix) == 0 &&
         KSPSetType(s->ksp, KSPPREONLY) == 0 &&
         KSPSetTolerances(s->ksp, s->enough, PETSC_DEFAULT, PETSC_DEFAULT, ITERATIONS_MOST) == 0 &&
         KSPGetPC(s->ksp, &pc) == 0 && PCSetType(pc, s->symmetric ? PCCHOLESKY : PCLU) == 0 &&
         PCFactorSetMatSolverType(pc, MATSOLVERMUMPS) == 0 &&
         KSPSetOperators(s->ksp, s->K, s->K) == 0 && KSPSetFromOptions(s->ksp) == 0;
}

bool slipi_factors_create(SlipiFactors *factors, MPI_Comm comm, Mat K, const char *prefix,
                          bool symmetric, double enough) {
  *factors = (SlipiFactors){.comm = comm,
                            .K = K,
                            .prefix = prefix,
                            .symmetric = symmetric,
                            .enough = enough,
                            .room_percent = ROOM_PERCENT};
  return make_solver(factors);
}

void slipi_factors_free(SlipiFactors *factors) {
  if (factors->ksp)
    KSPDestroy(&factors->ksp);
}

bool slipi_factors_work(const SlipiFactors *factors, double *work) {
  Mat analysed = NULL;
  MatFactorInfo info;
  bool counted = MatZeroEntries(factors->K) == 0 && MatShift(factors->K, 1) == 0 &&
                 MatFactorInfoInitialize(&info) == 0 &&
                 MatGetFactor(factors->K, MATSOLVERMUMPS, MAT_FACTOR_LU, &analysed) == 0 &&
                 MatLUFactorSymbolic(analysed, factors->K, NULL, NULL, &info) == 0 &&
                 MatMumpsGetRinfog(analysed, 1, work) == 0;
  if (analysed)
    MatDestroy(&analysed);
  return counted;
}

static bool is_mumps(PC pc) {
  MatSolverType type = NULL;
  return PCFactorGetMatSolverType(pc, &type) == 0 && type && strcmp(type, MATSOLVERMUMPS) == 0;
}

/* Room for MUMPS, where it is MUMPS that factors. */
static bool set_room(PC pc, PetscInt percent) {
  Mat factored = NULL;
  if (!is_mumps(pc))
    return true;
  return PCFactorSetUpMatSolverType(pc) == 0 && PCFactorGetMatrix(pc, &factored) == 0 &&
         MatMumpsSetIcntl(factored, MUMPS_ROOM, percent) == 0;
}

static bool factor_once(SlipiFactors *s, PCFailedReason *reason) {
  PC pc;
  *reason = PC_NOERROR;
  bool made = KSPGetPC(s->ksp, &pc) == 0 && set_room(pc, s->room_percent) &&
              KSPSetOperators(s->ksp, s->K, s->K) == 0 && KSPSetUp(s->ksp) == 0 &&
              PCGetFailedReason(pc, reason) == 0;
  int worst = made ? (int)*reason : -1;
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, s->comm);
  *reason = worst > 0 ? (PCFailedReason)worst : *reason;
  return made;
}

/* MUMPS gets more room as long as what it has estimated does not do. */
bool slipi_factors_make(SlipiFactors *factors, PCFailedReason *reason) {
  bool made = factor_once(factors, reason);
  while (made && *reason == PC_FACTOR_OUTMEMORY && factors->room_percent < ROOM_PERCENT_MOST) {
    factors->room_percent *= 4;
    made = KSPDestroy(&factors->ksp) == 0 && make_solver(factors) && factor_once(factors, reason);
  }
  return made;
}

bool slipi_factors_negative(const SlipiFactors *factors, PetscInt *count) {
  PC pc;
  PCType type = NULL;
  Mat factored = NULL;
  *count = 0;
  bool known = KSPGetPC(factors->ksp, &pc) == 0 && PCGetType(pc, &type) == 0;
  if (!known || !type || strcmp(type, PCCHOLESKY) != 0 || !is_mumps(pc))
    return known;
  return PCFactorGetMatrix(pc, &factored) == 0 &&
         MatMumpsGetInfog(factored, MUMPS_NEGATIVE, count) == 0;
}

bool slipi_factors_solve(const SlipiFactors *factors, Vec b, Vec x) {
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  return KSPSolve(factors->ksp, b, x) == 0 && KSPGetConvergedReason(factors->ksp, &reason) == 0 &&
         reason > 0;
}
