/* Runs that are interrupted and go on: from a file on another number of processes, with the bits of
 * a run that never was; from the last result by keys, as one process does it. Parts read from a
 * file and parts of a pile are those of the whole. */
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipcone/io.h>
#include <slipcone/mpi.h>

#include "deal.h"

enum { CONTACTS = 9000 };
static int failures, rank, ranks;
static char file[200], state[200];

static void expect(int well, const char *what) {
  int all;
  MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!all && rank == 0)
    printf("FAILED: %s\n", what);
  failures += !all;
}

static SlipSettings *settings_of(const char *most, const char *tol) {
  SlipSettings *settings = NULL;
  slip_settings_create("nsgs-accelerated", &settings, NULL);
  slip_settings_set(settings, "tol", tol, NULL);
  slip_settings_set(settings, "max-iter", most, NULL);
  slip_settings_set(settings, "operator", "velocity", NULL);
  return settings;
}

/* Solve the pile in the file on the processes of `comm`. */
static uint64_t solve_file(MPI_Comm comm, const char *most, const char *tol, const char *kept,
                           SlipStatus *status, int64_t *iterations) {
  SlipMpiProblem *problem = NULL;
  SlipMpiSolver *solver = NULL;
  SlipSettings *settings = settings_of(most, tol);
  SlipError error = {0};
  uint64_t fingerprint = 0;
  *status = slip_mpi_problem_read(comm, file, &problem, &error);
  if (*status == SLIP_OK)
    *status = slip_mpi_solver_create(problem, settings, &solver, &error);
  if (*status == SLIP_OK && kept)
    *status = slip_mpi_solver_checkpoint(solver, kept, 0, &error);
  if (*status == SLIP_OK)
    *status = slip_mpi_solver_run(solver, &error);
  if (*status == SLIP_OK) {
    *status = slip_mpi_solver_fingerprint(solver, &fingerprint, &error);
    *iterations = slip_mpi_solver_result(solver)->iterations;
  }
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(problem);
  slip_settings_free(settings);
  return fingerprint;
}

/* The first processes begin, all go on. */
static void restart_goes_on_with_the_same_bits(void) {
  SlipStatus status;
  int64_t sweeps = 0, more = 0;
  uint64_t whole = solve_file(MPI_COMM_WORLD, "230", "1e-9", NULL, &status, &sweeps);
  expect(status == SLIP_OK && sweeps == 230, "a run without a stop");
  static const char *const stops[] = {"60", "120", "177"};
  for (int k = 0; k < 3; k++) {
    MPI_Comm some;
    int used = 1 + (k + 1) * ranks / 4 % ranks;
    MPI_Comm_split(MPI_COMM_WORLD, rank < used ? 0 : MPI_UNDEFINED, rank, &some);
    if (rank == 0)
      remove(state);
    MPI_Barrier(MPI_COMM_WORLD);
    status = SLIP_OK;
    if (some != MPI_COMM_NULL) {
      solve_file(some, stops[k], "1e-9", state, &status, &sweeps);
      MPI_Comm_free(&some);
    }
    expect(status == SLIP_OK, "a run that is stopped");
    MPI_Barrier(MPI_COMM_WORLD);
    expect(access(state, R_OK) == 0, "its state is there");
    uint64_t resumed = solve_file(MPI_COMM_WORLD, "230", "1e-9", state, &status, &more);
    expect(status == SLIP_OK && more == 230, "a run that goes on");
    expect(resumed == whole, "other bits after a restart");
  }
  solve_file(MPI_COMM_WORLD, "230", "1e-8", state, &status, &more);
  expect(status != SLIP_OK, "the state of another tolerance is refused");
  if (rank == 0)
    remove(state);
}

static void files_and_piles_are_those_of_the_whole(void) {
  SlipStatus status;
  int64_t sweeps = 0;
  uint64_t from_file = solve_file(MPI_COMM_WORLD, "40", "1e-9", NULL, &status, &sweeps), made = 0;
  SlipMpiProblem *pile = NULL;
  SlipMpiSolver *solver = NULL;
  SlipSettings *settings = settings_of("40", "1e-9");
  SlipError error = {0};
  status = slip_mpi_problem_pile(MPI_COMM_WORLD, CONTACTS, 3, 1, &pile, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_create(pile, settings, &solver, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_run(solver, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_fingerprint(solver, &made, &error);
  expect(status == SLIP_OK && made == from_file, "the pile of parts is that of the file");
  /* and the file solved by one process */
  SlipFile *read = NULL;
  SlipSolver *alone = NULL;
  expect(slip_file_read(file, SLIP_WANT_GLOBAL, &read, &error) == SLIP_OK, "the file is read");
  slip_solver_create(read->problem, settings, &alone, &error);
  slip_solver_run(alone, &error);
  const SlipResult *result = slip_mpi_solver_result(solver);
  int64_t first = slip_mpi_first_contact(slip_mpi_problem_contacts(pile), rank, ranks);
  expect(!memcmp(result->r, slip_solver_result(alone)->r + 3 * first,
                 3 * (size_t)result->contacts * sizeof(double)),
         "one process gets the same impulses from the file");
  slip_solver_free(alone);
  slip_file_free(read);
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(pile);
  slip_settings_free(settings);
}

/* The same contacts in another order: impulses are carried over by keys. */
static void keys_carry_impulses_over(void) {
  SlipProblem *bodies = deal_generate("pile", CONTACTS, 3, 0);
  Deal deal = deal_scatter(bodies);
  SlipError error = {0};
  SlipSettings *settings = settings_of("60", "1e-9");
  SlipMpiProblem *problem[2] = {NULL, NULL};
  SlipMpiSolver *solver = NULL;
  int32_t nc = deal.data.own_contacts;
  uint64_t *key = malloc((size_t)nc * sizeof *key + 1);
  int64_t *turned = malloc((size_t)nc * sizeof *turned + 1);
  for (int32_t a = 0; a < nc; a++) {
    key[a] = 1000003u * (uint64_t)deal.data.contact_number[a] + 7;
    turned[a] = deal.data.contacts - 1 - deal.data.contact_number[a];
  }
  SlipMpiData data = deal.data;
  data.key = key;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem[0], &error) == SLIP_OK, "keys");
  data.contact_number = turned;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem[1], &error) == SLIP_OK, "turned");
  expect(slip_mpi_solver_create(problem[0], settings, &solver, &error) == SLIP_OK, "solver");
  expect(slip_mpi_solver_run(solver, &error) == SLIP_OK, "a run");
  double *r = malloc(3 * (size_t)nc * sizeof *r + 1), *s = malloc(3 * (size_t)nc * sizeof *s + 1);
  expect(slip_mpi_solver_local(solver, r, NULL, NULL, NULL, &error) == SLIP_OK, "its impulses");
  double first = slip_mpi_solver_result(solver)->residual;
  expect(slip_mpi_solver_set_problem(solver, problem[1], &error) == SLIP_OK, "another problem");
  expect(slip_mpi_solver_warm_start_last(solver, &error) == SLIP_OK, "a warm start by keys");
  slip_settings_set(settings, "max-iter", "0", &error);
  SlipMpiSolver *idle = NULL;
  expect(slip_mpi_solver_create(problem[1], settings, &idle, &error) == SLIP_OK, "an idle solver");
  expect(slip_mpi_solver_warm_start(idle, r, &error) == SLIP_OK, "a warm start");
  expect(slip_mpi_solver_run(idle, &error) == SLIP_OK, "no sweep");
  expect(slip_mpi_solver_local(idle, s, NULL, NULL, NULL, &error) == SLIP_OK,
         "what it started from");
  expect(!memcmp(r, s, 3 * (size_t)nc * sizeof *r), "the start is what was given");
  double start = slip_mpi_solver_result(idle)->residual;
  expect(start > 0.999 * first && start < 1.001 * first, "its error is that of the last result");
  expect(slip_mpi_solver_run(solver, &error) == SLIP_OK, "a warm run");
  expect(slip_mpi_solver_result(solver)->trace[0].residual == start, "keys bring the same start");
  slip_mpi_solver_free(idle);
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(problem[0]);
  slip_mpi_problem_free(problem[1]);
  slip_settings_free(settings);
  slip_problem_free(bodies);
  deal_free(&deal);
  free(key);
  free(turned);
  free(r);
  free(s);
}

/* What is wrong on one process is told on all. */
static void bad_data_are_refused_everywhere(void) {
  SlipProblem *bodies = deal_generate("pile", CONTACTS, 3, 0);
  Deal deal = deal_scatter(bodies);
  SlipMpiProblem *problem = NULL;
  SlipError error = {0};
  SlipMpiData data = deal.data;
  int64_t *number = (int64_t *)(uintptr_t)data.contact_number, kept = number[0];
  int64_t *body = (int64_t *)(uintptr_t)data.body, touched = body[0];
  number[0] = rank == ranks - 1 ? number[1] : kept;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem, &error) != SLIP_OK && !problem,
         "a contact given twice");
  number[0] = rank == 0 ? data.contacts : kept;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem, &error) != SLIP_OK, "a number");
  number[0] = kept;
  body[0] = rank == 0 ? data.bodies : touched;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem, &error) != SLIP_OK, "a body");
  body[0] = touched;
  double *M = (double *)(uintptr_t)data.M, mass = M[0];
  M[0] = rank == ranks - 1 ? -1 : mass;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem, &error) != SLIP_OK, "a mass");
  M[0] = mass;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, NULL, &problem, &error) != SLIP_OK, "no data");
  expect(slip_mpi_problem_read(MPI_COMM_WORLD, "no such file", &problem, &error) != SLIP_OK,
         "no file");
  SlipSettings *settings = NULL;
  SlipMpiSolver *solver = NULL;
  slip_settings_create("arc", &settings, NULL);
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &data, &problem, &error) == SLIP_OK, "good data");
  expect(slip_mpi_solver_create(problem, settings, &solver, &error) == SLIP_ERROR_MISMATCH, "arc");
  slip_settings_free(settings);
  slip_mpi_problem_free(problem);
  slip_problem_free(bodies);
  deal_free(&deal);
}

int main(int argc, char **argv) {
  PetscInitialize(&argc, &argv, NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(file, sizeof file, "restart-%d.hdf5", ranks);
  snprintf(state, sizeof state, "restart-%d.state", ranks);
  if (rank == 0) {
    SlipGenerate options = slip_default_generate();
    SlipProblem *pile = NULL;
    SlipError error = {0};
    slip_generate_defaults("pile", &options, &error);
    options.contacts = CONTACTS;
    slip_generate("pile", &options, &pile, NULL, &error);
    SlipWrite what = slip_default_write();
    what.problem = pile;
    if (slip_file_write(file, &what, &error) != SLIP_OK)
      printf("%s\n", error.text);
    slip_problem_free(pile);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  files_and_piles_are_those_of_the_whole();
  restart_goes_on_with_the_same_bits();
  keys_carry_impulses_over();
  bad_data_are_refused_everywhere();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    remove(file);
  PetscFinalize();
  return failures > 0;
}
