/* slipcone-peer-siconos: runs a solver of Siconos on a problem for the bench.
 *
 *   slipcone-peer-siconos --list                              the solvers it knows
 *   slipcone-peer-siconos FILE SOLVER TOL LIMIT REPEAT 3>out  solve and tell on descriptor 3
 *
 * What it tells is described in src/bench/child.c. The problem is read by Slipcone and handed over
 * in the form the solver likes best; only Siconos's driver is timed. Siconos divides its residual
 * by max(|q|, |r|, |u|), which is more lenient than |q|, so a solver that claims success above TOL
 * in Slipcone's measure is run again with a tighter tolerance, and only the last run counts. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

/* One thread, as for Slipcone's own runs; the symbol is there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

enum { OUT = 3, ATTEMPTS = 8, MANY = 100000000, USAGE = 2 };

/* ---- The solvers ---------------------------------------------------------------------------- */

typedef enum Storage {
  BLOCKS, /* local form, W in 3x3 blocks */
  SPARSE, /* local form, W in compressed columns */
  GLOBAL  /* global form */
} Storage;

typedef struct Solver {
  const char *name;
  int id;
  int inner; /* the solver within, 0: Siconos's choice */
  Storage storage;
  int max_iter;
  void (*tune)(SolverOptions *options);
} Solver;

static void tune_projection(SolverOptions *options) {
  options->internalSolvers[0]->iparam[SICONOS_IPARAM_MAX_ITER] = 100;
  options->internalSolvers[0]->dparam[SICONOS_DPARAM_TOL] = 1e-14;
}

static void tune_hybrid(SolverOptions *options) {
  options->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] =
      SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}

static void tune_balancing(SolverOptions *options) {
  options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
      SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING;
  options->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO] =
      SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF;
}

static const Solver solvers[] = {
    {"NSGS", SICONOS_FRICTION_3D_NSGS, 0, BLOCKS, MANY, NULL},
    {"NSGS-NSN", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, BLOCKS, MANY, NULL},
    {"NSGS-PLI", SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, BLOCKS, MANY,
     tune_projection},
    {"NSGS-QUARTIC", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, BLOCKS, MANY,
     NULL},
    {"NSN-AC", SICONOS_FRICTION_3D_NSN_AC, 0, BLOCKS, 1000000, NULL},
    {"NSN-AC-HYB", SICONOS_FRICTION_3D_NSN_AC, 0, BLOCKS, 1000000, tune_hybrid},
    {"NSN-FB", SICONOS_FRICTION_3D_NSN_FB, 0, BLOCKS, 1000000, NULL},
    {"PROX", SICONOS_FRICTION_3D_PROX, 0, BLOCKS, MANY, NULL},
    {"PROX-NSGS", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS, BLOCKS, MANY, NULL},
    {"ACLM", SICONOS_FRICTION_3D_ACLMFP, 0, BLOCKS, MANY, NULL},
    {"TFP", SICONOS_FRICTION_3D_TFP, 0, BLOCKS, MANY, NULL},
    {"VI-EG", SICONOS_FRICTION_3D_VI_EG, 0, BLOCKS, MANY, NULL},
    {"VI-FP", SICONOS_FRICTION_3D_VI_FPP, 0, BLOCKS, MANY, NULL},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, 0, SPARSE, MANY, NULL},
    {"ADMM-BAL", SICONOS_FRICTION_3D_ADMM, 0, SPARSE, MANY, tune_balancing},
    {"G-ADMM", SICONOS_GLOBAL_FRICTION_3D_ADMM, 0, GLOBAL, MANY, NULL},
    {"G-IPM", SICONOS_GLOBAL_FRICTION_3D_IPM, 0, GLOBAL, 1000, NULL},
    {"G-NSN-AC", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, 0, GLOBAL, 1000000, NULL},
};
static const int solver_count = (int)(sizeof solvers / sizeof *solvers);

static const Solver *find_solver(const char *name) {
  for (int k = 0; k < solver_count; k++)
    if (!strcmp(solvers[k].name, name))
      return &solvers[k];
  return NULL;
}

static SolverOptions *make_options(const Solver *solver, double tol) {
  SolverOptions *options = solver_options_create(solver->id);
  if (!options)
    return NULL;
  if (solver->inner)
    solver_options_update_internal(options, 0, solver->inner);
  if (solver->tune)
    solver->tune(options);
  options->dparam[SICONOS_DPARAM_TOL] = tol;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = solver->max_iter;
  return options;
}

/* ---- Problems ------------------------------------------------------------------------------- */

/* From CSR, which is what Slipcone hands out; row by row, so that columns come out sorted. */
static NumericsMatrix *sparse_matrix(const SlipMatrix *from) {
  NumericsMatrix *matrix = NM_create(NM_SPARSE, from->rows, from->cols);
  NM_triplet_alloc(matrix, from->nnz > 0 ? from->nnz : 1);
  for (int32_t row = 0; row < from->rows; row++)
    for (int32_t k = from->p[row]; k < from->p[row + 1]; k++)
      NM_zentry(matrix, row, from->i[k], from->x[k], 0.0);
  NM_csc(matrix);
  return matrix;
}

static NumericsMatrix *block_matrix(const SlipMatrix *from) {
  NumericsMatrix *sparse = sparse_matrix(from);
  NumericsMatrix *matrix = NM_create(NM_SPARSE_BLOCK, from->rows, from->cols);
  SBM_from_csparse(3, NM_csc(sparse), matrix->matrix1);
  NM_reset_versions(matrix);
  NM_free(sparse);
  return matrix;
}

static double *copy(const double *from, size_t count) {
  double *to = malloc((count ? count : 1) * sizeof *to);
  if (to && count)
    memcpy(to, from, count * sizeof *to);
  return to;
}

/* ---- One run -------------------------------------------------------------------------------- */

/* What is to be solved, in both guises. */
typedef struct Task {
  const Solver *solver;
  const SlipProblem *problem; /* as read: the error is that of this one */
  SlipProblem *reduced;       /* NULL: not needed */
  SlipLocalData local;
  SlipGlobalData global;
  size_t m;
  double *r;
} Task;

typedef struct Run {
  int info; /* what the driver returned, 0: it claims success */
  double seconds, error;
  int iterations;
} Run;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void tell(FILE *out, const char *line) {
  fprintf(out, "%s\n", line);
  fflush(out);
}

static void solve_local(const Task *task, SolverOptions *options, double *u, FILE *out, Run *run) {
  size_t contacts = (size_t)task->local.contacts;
  FrictionContactProblem *problem = frictionContactProblem_new();
  problem->dimension = 3;
  problem->numberOfContacts = task->local.contacts;
  problem->M = task->solver->storage == BLOCKS ? block_matrix(&task->local.W)
                                               : sparse_matrix(&task->local.W);
  problem->q = copy(task->local.q, task->m);
  problem->mu = copy(task->local.laws->mu, contacts);
  tell(out, "start");
  double begun = now();
  run->info = fc3d_driver(problem, task->r, u, options);
  run->seconds = now() - begun;
  tell(out, "solved");
  frictionContactProblem_free(problem);
}

static void solve_global(const Task *task, SolverOptions *options, double *u, FILE *out, Run *run) {
  const SlipGlobalData *data = &task->global;
  GlobalFrictionContactProblem *problem = globalFrictionContactProblem_new();
  double *v = calloc((size_t)data->M.rows + 1, sizeof *v);
  problem->dimension = 3;
  problem->numberOfContacts = data->contacts;
  problem->M = sparse_matrix(&data->M);
  problem->H = sparse_matrix(&data->H);
  problem->q = copy(data->f, (size_t)data->M.rows);
  problem->b = copy(data->w, task->m);
  problem->mu = copy(data->laws->mu, (size_t)data->contacts);
  tell(out, "start");
  double begun = now();
  run->info = gfc3d_driver(problem, task->r, u, v, options);
  run->seconds = now() - begun;
  tell(out, "solved");
  globalFrictionContact_free(problem);
  free(v);
}

/* From r = 0. */
static bool solve_once(const Task *task, double tol, FILE *out, Run *run) {
  SolverOptions *options = make_options(task->solver, tol);
  double *u = calloc(task->m + 1, sizeof *u);
  SlipError error;
  if (!options || !u)
    return false;
  memset(task->r, 0, task->m * sizeof *task->r);
  if (task->solver->storage == GLOBAL)
    solve_global(task, options, u, out, run);
  else
    solve_local(task, options, u, out, run);
  run->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  solver_options_delete(options);
  free(u);
  run->error = INFINITY;
  for (size_t k = 0; k < task->m; k++)
    if (!isfinite(task->r[k]))
      return true;
  return slip_problem_residual(task->problem, task->r, &run->error, NULL, &error) == SLIP_OK;
}

/* Tighten until the error is right or the solver gives up; then repeat for the time. */
static bool solve(const Task *task, double tol, int repeat, FILE *out, Run *best) {
  double asked = tol;
  bool good = solve_once(task, asked, out, best);
  for (int k = 1; good && k < ATTEMPTS; k++) {
    if (best->error <= tol || best->info != 0 || asked < 1e-15)
      break;
    asked *= fmax(1e-4, fmin(0.5, 0.5 * tol / best->error));
    good = solve_once(task, asked, out, best);
  }
  for (int k = 1; good && k < repeat && best->error <= tol; k++) {
    Run run;
    good = solve_once(task, asked, out, &run);
    if (good && run.error <= tol)
      best->seconds = fmin(best->seconds, run.seconds);
  }
  return good;
}

/* ------------------------------------------------------------------------------------------- */

/* Siconos has Coulomb friction in 3D here, and nothing else. */
static const char *prepare(Task *task, SlipError *error) {
  bool global = slip_problem_form(task->problem) == SLIP_FORM_GLOBAL;
  if (!task->solver || slip_problem_dimension(task->problem) != 3 ||
      (task->solver->storage == GLOBAL && !global))
    return "REFUSED";
  const SlipProblem *local = task->problem;
  if (global && task->solver->storage != GLOBAL) {
    if (slip_problem_reduce(task->problem, &task->reduced, error))
      return error->status == SLIP_ERROR_MEMORY ? "MEMORY" : "ERROR";
    local = task->reduced;
  }
  bool use_global = task->solver->storage == GLOBAL;
  task->global = slip_default_global_data();
  task->local = slip_default_local_data();
  if (use_global ? slip_problem_global_data(task->problem, &task->global, error)
                 : slip_problem_local_data(local, &task->local, error))
    return "ERROR";
  const SlipLaws *laws = use_global ? task->global.laws : task->local.laws;
  for (int32_t k = 0; k < slip_problem_contacts(task->problem); k++) {
    bool plain = laws->kind[k] == SLIP_COULOMB || laws->kind[k] == SLIP_FRICTIONLESS;
    if (!plain || (laws->flow && laws->flow[k] != SLIP_FLOW_COULOMB))
      return "REFUSED";
  }
  if (use_global ? task->global.compliance : task->local.compliance)
    return "REFUSED";
  task->m = 3 * (size_t)slip_problem_contacts(task->problem);
  task->r = calloc(task->m + 1, sizeof *task->r);
  return task->r ? NULL : "MEMORY";
}

static const char *outcome_of(const Run *run, double tol, double limit) {
  if (run->error <= tol)
    return run->seconds > limit ? "TIME_LIMIT" : "SOLVED";
  return run->info == 0 ? "INACCURATE" : "FAILED";
}

static void run_task(Task *task, double tol, double limit, int repeat, FILE *out) {
  SlipError error;
  Run run = {.error = NAN, .seconds = NAN, .iterations = -1};
  fprintf(out, "size %d %d %d\n", (int)slip_problem_contacts(task->problem),
          (int)slip_problem_dof(task->problem), (int)slip_problem_dimension(task->problem));
  const char *outcome = prepare(task, &error);
  if (!outcome)
    outcome = solve(task, tol, repeat, out, &run) ? outcome_of(&run, tol, limit) : "ERROR";
  double physical = NAN;
  if (task->r && isfinite(run.error) &&
      slip_problem_physical(task->problem, task->r, &physical, NULL) != SLIP_OK)
    physical = NAN;
  fprintf(out, "result %s %.17g %d %.9g\nphysical %.17g\nend\n", outcome, run.error, run.iterations,
          run.seconds, physical);
  free(task->r);
  slip_problem_free(task->reduced);
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--list")) {
    for (int k = 0; k < solver_count; k++)
      puts(solvers[k].name);
    return 0;
  }
  FILE *out = argc == 6 ? fdopen(OUT, "w") : NULL;
  if (!out) {
    fprintf(stderr, "usage: %s --list, or FILE SOLVER TOL LIMIT REPEAT 3>out\n", argv[0]);
    return USAGE;
  }
  SlipFile *file;
  SlipError error;
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  numerics_set_verbose(0);
  if (slip_file_read(argv[1], SLIP_WANT_ANY, &file, &error)) {
    fprintf(out, "result ERROR nan -1 nan\nend\n");
  } else {
    Task task = {.solver = find_solver(argv[2]), .problem = file->problem};
    run_task(&task, strtod(argv[3], NULL), strtod(argv[4], NULL), atoi(argv[5]), out);
    slip_file_free(file);
  }
  return fclose(out) == 0 ? 0 : 1;
}
