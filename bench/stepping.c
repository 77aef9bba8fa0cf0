/* The contact problems of consecutive steps of a scene, each solved by `auto` from the impulses of
 * the step before and from zero: does a warm start pay in every step, and is none an outlier?
 *
 *   cmake --build build --target bench_stepping
 *   build/tests/bench_stepping STEPS TOL SCENE.yaml [NAME=VALUE...]
 *   build/tests/bench_stepping files TOL FILE...
 *
 * NAME is a path of the scene, as in `slipcone sim --set`. A line for each step with contacts:
 * step, contacts, milliseconds of processor time warm and cold (the least of some runs of a ready
 * solver, at least two where one takes less than a second), and how the warm run and, behind a bar,
 * the cold one went. The environment may name a
 * folder, KEEP: problems of steps that take more than KEEP_MS (100) milliseconds are written there
 * with their start as a guess, for `slipcone solve --warm-start`. bench/stepping.sh makes a table
 * of many scenes. With `files` the problems are those of files that hold a guess each, which takes
 * the place of the step before. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/io.h>
#include <slipcone/scene.h>

#include "sim/sim.h"

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

enum { VALUES_MOST = 32, REPEATS = 5, REPEATS_LEAST = 2 };
static const double LONG = 0.05; /* seconds after which runs are repeated no more than that */
static const double ENDLESS = 1; /* and not at all */

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "stepping: %s\n", error->text);
  exit(2);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds from r, or from zero where that is NULL; INFINITY where the problem is not solved. */
static double measure(SlipSolver *solver, const double *r) {
  SlipError error;
  double least = INFINITY, total = 0;
  for (int k = 0; k < REPEATS && total < (k < REPEATS_LEAST ? ENDLESS : LONG); k++) {
    if (r)
      must(slip_solver_warm_start(solver, r, &error), &error);
    double begun = cpu_seconds();
    must(slip_solver_run(solver, &error), &error);
    double seconds = cpu_seconds() - begun;
    least = fmin(least, seconds);
    total += seconds;
  }
  return slip_solver_result(solver)->outcome == SLIP_SOLVED ? least : INFINITY;
}

static void keep(const SlipSim *sim, const SlipStepInfo *info, const SlipResult *result,
                 double seconds) {
  const char *folder = getenv("KEEP"), *limit = getenv("KEEP_MS");
  if (!folder || 1e3 * seconds < (limit ? atof(limit) : 100))
    return;
  char path[4096];
  SlipError error;
  SlipSolution start = slip_default_solution();
  const SlipSolution *guess = &start;
  SlipWrite content = slip_default_write();
  snprintf(path, sizeof path, "%s/step%06" PRId64 "-%" PRId32 ".hdf5", folder, info->step,
           info->contacts);
  start.contacts = result->contacts;
  start.dimension = result->dimension;
  start.dof = result->dof;
  start.r = sim->rows.r;
  start.u = result->u; /* a guess has velocities too: those of the solution */
  start.v = result->v;
  content.problem = sim->rows.problem;
  content.title = path;
  content.guesses = &guess;
  content.guess_count = 1;
  must(slip_file_write(path, &content, &error), &error);
}

/* The list of stages at the end of the reason. */
static const char *stages(const SlipResult *result) {
  const char *list = strrchr(result->reason, '(');
  return list ? list : result->reason;
}

/* One line; *solver is made where there is none. Seconds of the warm run. */
static double compare(const SlipProblem *problem, const double *r, int64_t step,
                      const SlipSettings *settings, SlipSolver **solver) {
  SlipError error;
  if (*solver)
    must(slip_solver_set_problem(*solver, problem, &error), &error);
  else
    must(slip_solver_create(problem, settings, solver, &error), &error);
  char cold_stages[SLIP_ERROR_TEXT];
  double cold = measure(*solver, NULL);
  snprintf(cold_stages, sizeof cold_stages, "%s", stages(slip_solver_result(*solver)));
  double warm = measure(*solver, r);
  printf("%" PRId64 " %" PRId32 " %.4f %.4f %s | %s\n", step, slip_problem_contacts(problem),
         1e3 * warm, 1e3 * cold, stages(slip_solver_result(*solver)), cold_stages);
  return warm;
}

/* The steps of files; a solver of its own for each, as for problems that have nothing in common. */
static void run_files(int count, char **path, const SlipSettings *settings) {
  for (int k = 0; k < count; k++) {
    SlipFile *file = NULL;
    SlipSolver *solver = NULL;
    SlipError error;
    must(slip_file_read(path[k], SLIP_WANT_ANY, &file, &error), &error);
    if (file->guess_count > 0)
      compare(file->problem, file->guesses[0]->r, k + 1, settings, &solver);
    slip_solver_free(solver);
    slip_file_free(file);
  }
}

static void run(const SlipScene *scene, int64_t steps, const SlipSettings *settings) {
  SlipSim *sim = NULL;
  SlipSolver *solver = NULL;
  SlipError error;
  must(slip_scene_build(scene, &sim, &error), &error);
  while (slip_sim_steps(sim) < steps) {
    SlipStepInfo info = slip_default_step_info();
    must(slip_sim_step(sim, &info, &error), &error);
    if (!slip_sim_problem(sim))
      continue;
    double warm = compare(sim->rows.problem, sim->rows.r, info.step, settings, &solver);
    keep(sim, &info, slip_solver_result(solver), warm);
  }
  slip_solver_free(solver);
  slip_sim_free(sim);
}

static void run_scene(int argc, char **argv, const SlipSettings *settings) {
  SlipOptionValue values[VALUES_MOST + 1];
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene = NULL;
  SlipError error;
  values[0] = (SlipOptionValue){.name = "solver.tol", .value = argv[2]};
  for (int k = 4; k < argc; k++) {
    char *equals = strchr(argv[k], '=');
    if (!equals) {
      fprintf(stderr, "stepping: NAME=VALUE is wanted, not '%s'\n", argv[k]);
      exit(2);
    }
    *equals = '\0';
    values[k - 3] = (SlipOptionValue){.name = argv[k], .value = equals + 1};
  }
  options.set = values;
  options.set_count = argc - 3;
  must(slip_scene_read(argv[3], &options, &scene, &error), &error);
  run(scene, atoll(argv[1]), settings);
  slip_scene_free(scene);
}

int main(int argc, char **argv) {
  SlipSettings *settings = NULL;
  SlipError error;
  bool files = argc > 1 && strcmp(argv[1], "files") == 0;
  if (argc < 4 || (!files && argc > 4 + VALUES_MOST)) {
    fprintf(stderr,
            "stepping: STEPS TOL SCENE.yaml [NAME=VALUE...] or files TOL FILE... is wanted\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0); /* a run that is cut short has its lines */
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  must(slip_settings_create("auto", &settings, &error), &error);
  must(slip_settings_set(settings, "tol", argv[2], &error), &error);
  if (files)
    run_files(argc - 3, argv + 3, settings);
  else
    run_scene(argc, argv, settings);
  slip_settings_free(settings);
  return 0;
}
