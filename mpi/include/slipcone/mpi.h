/* One problem on many processes (MPI and PETSc): the same method and the same error as
 * slip_solver_run on one process, and for sweeps over rigid bodies the same bits, on any number of
 * them. docs/distributed.md.
 *
 * Every function with a communicator, a problem or a solver is collective: all processes call it.
 * Who calls has initialised MPI and PETSc (PetscInitialize), and ends them. */
#ifndef SLIPCONE_MPI_H
#define SLIPCONE_MPI_H

#include <mpi.h>
#include <slipcone/slipcone.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one process knows of a problem: bodies and contacts, each of the whole problem on exactly
 * one process. Contacts are numbered from 0 to contacts - 1 in the whole problem, bodies likewise.
 * The numbers of contacts are the order they are swept in: chunks of 1024 go together, so that
 * contacts near each other should have numbers near each other. Where the contacts of a process are
 * the chunks it would get (slip_mpi_first_contact), nothing is sent. */
typedef struct SlipMpiData {
  size_t size;
  int32_t dimension;
  int64_t contacts, bodies; /* of the whole problem */
  int32_t own_contacts;
  int32_t own_bodies;
  const int64_t *contact_number; /* own_contacts; NULL: consecutive, after those of lower ranks */
  const int64_t *body_number;    /* own_bodies; NULL: consecutive, after those of lower ranks */
  const double *M, *f;           /* as in SlipBodiesData, of own bodies */
  const int64_t *body;  /* 2 an own contact: numbers of bodies in the whole problem; -1: none */
  const double *H, *w;  /* as in SlipBodiesData, of own contacts; */
  const SlipLaws *laws; /* an array is there on all processes or on none */
  const uint64_t *key;
  const double *frame;
  const double *compliance;
  /* Contacts of a chunk. 0: those of threads, 1024 from 8192 contacts on and all below, by which
   * sweeps have the bits of one process; else they have those of this size, on any number of
   * processes. */
  int32_t chunk;
} SlipMpiData;

static inline SlipMpiData slip_default_mpi_data(void) {
  SlipMpiData data;
  memset(&data, 0, sizeof data);
  data.size = sizeof data;
  return data;
}

/* The first contact of the chunks that a process gets; with rank = ranks, their number. */
SLIP_API int64_t slip_mpi_first_contact(int64_t contacts, int rank, int ranks);

typedef struct SlipMpiProblem SlipMpiProblem;

/* The data may be freed afterwards. */
SLIP_API SlipStatus slip_mpi_problem_create(MPI_Comm comm, const SlipMpiData *data,
                                            SlipMpiProblem **problem, SlipError *error);

/* What one process knows of a problem with any other M, as finite elements have it:
 * M v = H r + f, u = H' v + w. Contacts and degrees of freedom are numbered in the whole problem;
 * those of a process are consecutive, after those of lower ranks. */
typedef struct SlipMpiGlobalData {
  size_t size;
  int32_t dimension;
  int64_t contacts, dof; /* of the whole problem */
  int32_t own_contacts;
  int32_t own_dof; /* as slip_mpi_first_dof deals them */
  /* Entries of M, in any order and of any rows: those in the same place are added, also where
   * several processes give them, as elements do that meet at a node. */
  int64_t M_count;
  const int64_t *M_row, *M_col;
  const double *M;
  /* Entries of H at the own contacts: columns dimension*contact and following ones. */
  int64_t H_count;
  const int64_t *H_row, *H_col;
  const double *H;
  const double *f;      /* own_dof */
  const double *w;      /* dimension*own_contacts; NULL: 0 */
  const SlipLaws *laws; /* own_contacts */
  const double *compliance;
} SlipMpiGlobalData;

static inline SlipMpiGlobalData slip_default_mpi_global_data(void) {
  SlipMpiGlobalData data;
  memset(&data, 0, sizeof data);
  data.size = sizeof data;
  return data;
}

/* The first degree of freedom that a process has; with rank = ranks, their number. */
SLIP_API int64_t slip_mpi_first_dof(int64_t dof, int rank, int ranks);

/* The data may be freed afterwards. The problem counts as coupled (slip_mpi_problem_is_coupled). */
SLIP_API SlipStatus slip_mpi_problem_create_global(MPI_Comm comm, const SlipMpiGlobalData *data,
                                                   SlipMpiProblem **problem, SlipError *error);

/* The global problem of an FCLIB HDF5 file, of rigid bodies or with any other M: each process reads
 * its part of every dataset. */
SLIP_API SlipStatus slip_mpi_problem_read(MPI_Comm comm, const char *path, SlipMpiProblem **problem,
                                          SlipError *error);

/* The pile of slip_generate, of which each process makes its own bodies and contacts. */
SLIP_API SlipStatus slip_mpi_problem_pile(MPI_Comm comm, int32_t contacts, int32_t dimension,
                                          uint64_t seed, SlipMpiProblem **problem,
                                          SlipError *error);
SLIP_API void slip_mpi_problem_free(SlipMpiProblem *problem);

SLIP_API int32_t slip_mpi_problem_dimension(const SlipMpiProblem *problem);
/* Of the whole problem. */
SLIP_API int64_t slip_mpi_problem_contacts(const SlipMpiProblem *problem);
SLIP_API int64_t slip_mpi_problem_bodies(const SlipMpiProblem *problem);
/* Whether M couples degrees of freedom, as that of elastic bodies does, or contacts touch more than
 * two bodies: then each degree of freedom counts as a body with one, and the problem can be solved
 * by interior point only. Problems of files can be such, and those of SlipMpiGlobalData are. */
SLIP_API int slip_mpi_problem_is_coupled(const SlipMpiProblem *problem);

/* What the processes send each other. */
typedef struct SlipMpiTraffic {
  size_t size;
  int32_t parts;
  int64_t chunks;
  int32_t colours;
  int64_t contacts_most;         /* of one part */
  int64_t ghosts_most;           /* bodies that one part shares with others */
  int64_t messages_most;         /* that one part sends in a sweep */
  int64_t bytes_most, bytes_all; /* that one part, and all of them, send in a sweep */
} SlipMpiTraffic;

static inline SlipMpiTraffic slip_default_mpi_traffic(void) {
  SlipMpiTraffic traffic;
  memset(&traffic, 0, sizeof traffic);
  traffic.size = sizeof traffic;
  return traffic;
}

/* Counted, for so many parts: those of the processes, or any other number. */
SLIP_API SlipStatus slip_mpi_problem_traffic(const SlipMpiProblem *problem, int32_t parts,
                                             SlipMpiTraffic *traffic, SlipError *error);

typedef struct SlipMpiSolver SlipMpiSolver;

/* Methods that sweep by chunks: nsgs and its variants, with `order` auto; ipm, whose linear systems
 * PETSc solves, and auto, which goes over to it: these reach the same tolerance on any number of
 * processes, not the same bits. Where M couples degrees of freedom auto is ipm, and sweeps are
 * refused. settings NULL: nsgs-accelerated, or ipm there. The problem must live as long as the
 * solver has it. */
SLIP_API SlipStatus slip_mpi_solver_create(const SlipMpiProblem *problem,
                                           const SlipSettings *settings, SlipMpiSolver **solver,
                                           SlipError *error);
SLIP_API void slip_mpi_solver_free(SlipMpiSolver *solver);

/* Go on with another problem; the last result stays for a warm start by keys. */
SLIP_API SlipStatus slip_mpi_solver_set_problem(SlipMpiSolver *solver,
                                                const SlipMpiProblem *problem, SlipError *error);

/* The next run starts from these impulses of the contacts that this process gave; or from those of
 * the last result, wherever they are, by the keys of contacts and turned with their frames. */
SLIP_API SlipStatus slip_mpi_solver_warm_start(SlipMpiSolver *solver, const double *r,
                                               SlipError *error);
SLIP_API SlipStatus slip_mpi_solver_warm_start_last(SlipMpiSolver *solver, SlipError *error);
/* Or from /solution of an HDF5 file of the same problem, of which each process reads its part. */
SLIP_API SlipStatus slip_mpi_solver_warm_start_file(SlipMpiSolver *solver, const char *path,
                                                    SlipError *error);

/* From now on runs keep their state in a file, every so many seconds (after a multiple of 50
 * sweeps), and go on from the state that the file has, if it is there: with the same bits as a run
 * that was never interrupted, on any number of processes. A file of another problem, method or
 * tolerance is refused. When a run has ended, but for a limit or an interrupt, its file is removed.
 * For problems of many chunks. */
SLIP_API SlipStatus slip_mpi_solver_checkpoint(SlipMpiSolver *solver, const char *path,
                                               double every, SlipError *error);

SLIP_API SlipStatus slip_mpi_solver_run(SlipMpiSolver *solver, SlipError *error);

/* Outcome, errors, iterations and numbers of contacts are those of the whole problem; arrays are
 * those of the chunks that this process has got. */
SLIP_API const SlipResult *slip_mpi_solver_result(const SlipMpiSolver *solver);

/* The result at the contacts and bodies that this process gave, in its order: impulses, velocities
 * at the contacts (dimension a contact each), statuses, velocities of the bodies. Each may be NULL
 * on all processes. */
SLIP_API SlipStatus slip_mpi_solver_local(const SlipMpiSolver *solver, double *r, double *u,
                                          int32_t *status, double *v, SlipError *error);

/* Write r, u and v of the result as /solution of an HDF5 file, each process its part. */
SLIP_API SlipStatus slip_mpi_solver_write(const SlipMpiSolver *solver, const char *path,
                                          SlipError *error);

/* The same in a file that is there, in place of the solution that it may have: a copy of the
 * problem's file becomes what 'slipcone solve --out' writes. */
SLIP_API SlipStatus slip_mpi_solver_add(const SlipMpiSolver *solver, const char *path,
                                        SlipError *error);

/* A number made of the bits of all impulses and the numbers of their contacts, without those of a
 * file's equality constraints: the same for any number of processes. */
SLIP_API SlipStatus slip_mpi_solver_fingerprint(const SlipMpiSolver *solver, uint64_t *fingerprint,
                                                SlipError *error);

/* The same number of the impulses in a file, read by one process: /solution as the tools write it.
 */
SLIP_API SlipStatus slip_mpi_file_fingerprint(const char *path, uint64_t *fingerprint,
                                              SlipError *error);

#ifdef __cplusplus
}
#endif

#endif
