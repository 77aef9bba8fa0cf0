/* Time to make a solver and run it, file by file: bench_solve_each FORM TOL LIMIT FILE...
 *
 * FORM is any, local or global. One line a file: its name, contacts, outcome, and microseconds of
 * the first solve in this process and of the quickest of all, which are repeated for a tenth of a
 * second and at least once. A solve is cut at LIMIT seconds. Only functions that all versions of
 * the library have are called: bench/compare_builds.sh compiles this file against two of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

#include "measured.h"

static const double REPEATED = 0.1; /* seconds */
enum { REPEATS_MOST = 200 };

static double solve(const SlipProblem *problem, const SlipSettings *settings,
                    SlipOutcome *outcome) {
  SlipSolver *solver;
  SlipError error;
  double begun = now();
  must(slip_solver_create(problem, settings, &solver, &error), &error);
  must(slip_solver_run(solver, &error), &error);
  *outcome = slip_solver_result(solver)->outcome;
  slip_solver_free(solver);
  return now() - begun;
}

static void time_file(const char *path, SlipWantForm form, const SlipSettings *settings) {
  SlipFile *file;
  SlipError error;
  SlipOutcome outcome;
  if (slip_file_read(path, form, &file, &error) != SLIP_OK) /* without this form */
    return;
  double first = solve(file->problem, settings, &outcome), least = first, all = first;
  for (int k = 0; k < REPEATS_MOST && (all < REPEATED || k == 0) && all < 10 * REPEATED; k++) {
    double seconds = solve(file->problem, settings, &outcome);
    least = fmin(least, seconds);
    all += seconds;
  }
  printf("%s %d %s %.3f %.3f\n", file_name(path), (int)slip_problem_contacts(file->problem),
         slip_outcome_name(outcome), 1e6 * first, 1e6 * least);
  slip_file_free(file);
}

int main(int argc, char **argv) {
  SlipSettings *settings;
  SlipError error;
  if (argc < 5) {
    fprintf(stderr, "usage: %s any|local|global TOL LIMIT FILE...\n", argv[0]);
    return 2;
  }
  SlipWantForm form = strcmp(argv[1], "local") == 0    ? SLIP_WANT_LOCAL
                      : strcmp(argv[1], "global") == 0 ? SLIP_WANT_GLOBAL
                                                       : SLIP_WANT_ANY;
  one_blas_thread();
  must(slip_settings_create(NULL, &settings, &error), &error);
  must(slip_settings_set(settings, "tol", argv[2], &error), &error);
  must(slip_settings_set(settings, "time-limit", argv[3], &error), &error);
  for (int k = 4; k < argc; k++)
    time_file(argv[k], form, settings);
  slip_settings_free(settings);
  return 0;
}
