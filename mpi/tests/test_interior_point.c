/* Interior point on many processes: each problem is cut into chunks so small that all processes
 * have some, and what they find is held to the independent residual of the whole problem. */
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/generate.h>
#include <slipcone/mpi.h>

#include "deal.h"
#include "reference.h"

typedef struct Case {
  const char *kind;
  int32_t contacts, dimension, chunk;
  const char *method;
  double tol;
  int mixed;            /* laws, as deal_generate has them */
  const char *ksp, *pc; /* NULL: MUMPS */
} Case;

static int failures;

static void expect(int well, const char *what, const Case *c) {
  int all, rank;
  MPI_Allreduce(&well, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!all && rank == 0)
    printf("FAILED: %s of %d, %s: %s\n", c->kind, (int)c->contacts, c->method, what);
  failures += !all;
}

static SlipSettings *settings_of(const Case *c) {
  SlipSettings *settings = NULL;
  SlipError error;
  if (slip_settings_create(c->method, &settings, &error) != SLIP_OK ||
      slip_settings_set_real(settings, "tol", c->tol, &error) != SLIP_OK)
    printf("settings: %s\n", error.text);
  return settings;
}

static void set_petsc(const Case *c) {
  PetscOptionsClearValue(NULL, "-slipcone_ksp_type");
  PetscOptionsClearValue(NULL, "-slipcone_pc_type");
  if (c->ksp)
    PetscOptionsSetValue(NULL, "-slipcone_ksp_type", c->ksp);
  if (c->pc)
    PetscOptionsSetValue(NULL, "-slipcone_pc_type", c->pc);
}

/* The impulses of the whole problem, on every process. */
static double *gather(const SlipMpiSolver *solver, const Deal *deal) {
  int32_t d = deal->data.dimension, nc = deal->data.own_contacts;
  size_t m = (size_t)d * (size_t)deal->data.contacts;
  double *whole = calloc(m + 1, sizeof *whole), *own = calloc((size_t)(d * nc) + 1, sizeof *own);
  SlipError error;
  if (slip_mpi_solver_local(solver, own, NULL, NULL, NULL, &error) != SLIP_OK)
    printf("local: %s\n", error.text);
  for (int32_t a = 0; a < nc; a++)
    memcpy(whole + d * deal->data.contact_number[a], own + (ptrdiff_t)d * a,
           (size_t)d * sizeof *own);
  MPI_Allreduce(MPI_IN_PLACE, whole, (int)m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  free(own);
  return whole;
}

static void judge(const Case *c, const SlipProblem *bodies, const SlipMpiSolver *solver,
                  const Deal *deal) {
  const SlipResult *result = slip_mpi_solver_result(solver);
  SlipProblem *global = NULL;
  SlipError error;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  expect(slip_problem_assemble(bodies, &global, &error) == SLIP_OK, "the global form", c);
  double *r = gather(solver, deal);
  double independent =
      result->relaxed ? reference_error_associated(global, r) : reference_error(global, r);
  if (rank == 0)
    printf("%-6s %dD %5d contacts, %s%s%s: %s, %lld iterations, error %.3g, independent %.3g\n",
           c->kind, (int)c->dimension, (int)c->contacts, c->method, c->ksp ? " by " : "",
           c->ksp ? c->ksp : "", slip_outcome_name(result->outcome), (long long)result->iterations,
           result->residual, independent);
  expect(result->outcome == SLIP_SOLVED, result->reason, c);
  expect(result->residual <= c->tol, "the error is too large", c);
  expect(independent <= 1.001 * c->tol + 1e-13, "the independent error is too large", c);
  free(r);
  slip_problem_free(global);
}

static void run_case(const Case *c) {
  SlipMpiProblem *problem = NULL;
  SlipMpiSolver *solver = NULL;
  SlipError error = {0};
  SlipSettings *settings = settings_of(c);
  SlipProblem *bodies = deal_generate(c->kind, c->contacts, c->dimension, c->mixed);
  Deal deal = deal_scatter(bodies);
  deal.data.chunk = c->chunk;
  set_petsc(c);
  SlipStatus status = slip_mpi_problem_create(MPI_COMM_WORLD, &deal.data, &problem, &error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_create(problem, settings, &solver, &error);
  for (int turn = 0; turn < 2 && status == SLIP_OK; turn++) { /* the second one begins anew */
    status = slip_mpi_solver_run(solver, &error);
    if (status == SLIP_OK && turn == 1)
      judge(c, bodies, solver, &deal);
  }
  expect(status == SLIP_OK, error.text, c);
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(problem);
  slip_settings_free(settings);
  deal_free(&deal);
  slip_problem_free(bodies);
}

/* Laws that interior point does not know, and runs that cannot be kept. */
static void refuse(void) {
  const Case c = {"pile", 300, 3, 16, "ipm", 1e-6, 0, NULL, NULL};
  SlipMpiProblem *problem = NULL;
  SlipMpiSolver *solver = NULL;
  SlipError error = {0};
  SlipSettings *settings = settings_of(&c);
  SlipProblem *mixed = deal_generate(c.kind, c.contacts, c.dimension, 1);
  Deal deal = deal_scatter(mixed);
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &deal.data, &problem, &error) == SLIP_OK,
         error.text, &c);
  expect(slip_mpi_solver_create(problem, settings, &solver, &error) != SLIP_OK,
         "Tresca's law was not refused", &c);
  slip_mpi_problem_free(problem);
  deal_free(&deal);
  slip_problem_free(mixed);
  SlipProblem *pile = deal_generate(c.kind, c.contacts, c.dimension, 0);
  deal = deal_scatter(pile);
  deal.data.chunk = c.chunk;
  expect(slip_mpi_problem_create(MPI_COMM_WORLD, &deal.data, &problem, &error) == SLIP_OK &&
             slip_mpi_solver_create(problem, settings, &solver, &error) == SLIP_OK,
         error.text, &c);
  expect(slip_mpi_solver_checkpoint(solver, "state", 1, &error) == SLIP_ERROR_MISMATCH,
         "a state that cannot be kept was not refused", &c);
  slip_mpi_solver_free(solver);
  slip_mpi_problem_free(problem);
  slip_settings_free(settings);
  deal_free(&deal);
  slip_problem_free(pile);
}

int main(int argc, char **argv) {
  static const Case cases[] = {
      {"wall", 300, 3, 32, "ipm", 1e-8, 0, NULL, NULL},
      {"wall", 300, 3, 0, "ipm", 1e-8, 0, NULL, NULL}, /* one chunk: all but one have nothing */
      {"wall", 200, 2, 16, "ipm", 1e-8, 0, NULL, NULL},
      {"stack", 120, 3, 16, "ipm", 1e-8, 0, NULL, NULL},
      {"pile", 400, 3, 32, "soclcp-ipm", 1e-6, 0, NULL, NULL},
      {"pile", 280, 3, 32, "ipm", 1e-6, 2, NULL, NULL}, /* with 1e-8 one process stalls, too */
      {"wall", 120, 3, 16, "ipm", 1e-6, 0, "gmres", "bjacobi"},
      {"wall", 600, 3, 64, "auto", 1e-8, 0, NULL, NULL},
      {"pile", 400, 3, 32, "auto", 1e-4, 0, NULL, NULL},
  };
  PetscInitialize(&argc, &argv, NULL, NULL);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    run_case(&cases[k]);
  refuse();
  PetscFinalize();
  return failures > 0;
}
