/* The inside of SlipMpiSolver. */
#ifndef SLIPI_MPI_SOLVER_H
#define SLIPI_MPI_SOLVER_H

#include "methods/loop.h"
#include "mpi/part.h"
#include "solver/solver.h"

struct SlipMpiSolver {
  const SlipMpiProblem *part; /* NULL: the last one could not be taken */
  SlipSolver *solver;
  SlipiShare share;
  bool has_result;
  /* Of the problem before, for a warm start by keys. */
  int32_t last_count;
  int64_t last_first; /* contact */
  bool last_world;    /* last_r is in world axes */
  uint64_t *last_key;
  double *last_r;
  /* Of checkpoints. */
  char *path, *spare_path; /* NULL: none are kept */
  double every, kept_at;   /* seconds */
  SlipiPause pause;
  uint64_t identity;  /* of problem, method and options */
  SlipStatus trouble; /* a state could not be read or written */
  SlipError trouble_error;
};

/* Remove the state of a run that has ended. */
void slipi_checkpoint_done(SlipMpiSolver *solver);

/* The values of the contacts that this process has, from the processes that gave them; by malloc.
 */
SlipStatus slipi_part_fetch(const SlipMpiProblem *part, const double *r, double **got,
                            SlipError *error);

#endif
