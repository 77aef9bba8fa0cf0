/* Methods side by side, file by file: bench_methods_each FORM TOL LIMIT METHOD,METHOD,... FILE...
 *
 * FORM is any, local or global. One line a file and method: the file's name, contacts, the method,
 * outcome, iterations, and microseconds of processor time to make a solver and run it: the least of
 * repeats over a tenth of a second, methods in turn, three times each, so that all see the same
 * machine. Methods that take more than 1.5 times the quickest are not repeated, but for the first.
 * A solve is cut at LIMIT seconds. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

#include "measured.h"

enum { METHODS_MOST = 16, ROUNDS_MOST = 100 };
static const double REPEATED = 0.1; /* seconds, of each method */
static const double MATCH = 1.5;    /* times the quickest: slower ones are run once */

typedef struct Run {
  const char *name;
  SlipSettings *settings;
  SlipOutcome outcome;
  long long iterations;
  double least, all;
} Run;

static void solve(const SlipProblem *problem, Run *run) {
  SlipSolver *solver = NULL;
  SlipError error;
  double begun = now();
  if (slip_solver_create(problem, run->settings, &solver, &error) != SLIP_OK) {
    run->all = HUGE_VAL; /* it does not take this problem */
    return;
  }
  must(slip_solver_run(solver, &error), &error);
  run->outcome = slip_solver_result(solver)->outcome;
  run->iterations = slip_solver_result(solver)->iterations;
  slip_solver_free(solver);
  double seconds = now() - begun;
  run->least = fmin(run->least, seconds);
  run->all += seconds;
}

/* Whether to repeat a method: at least three rounds, but not of one that takes long or is no match
 * for the quickest. The first method is the one the others are compared with. */
static bool is_wanted(const Run *run, int k, int count, int round) {
  double best = HUGE_VAL;
  for (int other = 0; other < count; other++)
    best = fmin(best, run[other].outcome == SLIP_SOLVED ? run[other].least : HUGE_VAL);
  if (run[k].all > 0 && k > 0 && run[k].least > MATCH * best)
    return false;
  return run[k].all < REPEATED || (round < 3 && run[k].all < 30 * REPEATED);
}

static void time_file(const char *path, SlipWantForm form, Run *run, int count) {
  SlipFile *file;
  SlipError error;
  if (slip_file_read(path, form, &file, &error) != SLIP_OK) { /* without this form */
    fprintf(stderr, "%s\n", error.text);
    return;
  }
  for (int k = 0; k < count; k++) {
    run[k].outcome = SLIP_NOT_RUN;
    run[k].iterations = 0;
    run[k].least = HUGE_VAL;
    run[k].all = 0;
  }
  for (int round = 0; round < ROUNDS_MOST; round++)
    for (int k = 0; k < count; k++) {
      bool wanted = is_wanted(run, k, count, round);
      /* The first of a turn finds caches as others left them. */
      for (int turn = 0; turn < 3 && wanted; turn++) {
        solve(file->problem, &run[k]);
        wanted = run[k].all < 30 * REPEATED && is_wanted(run, k, count, round);
      }
    }
  for (int k = 0; k < count; k++)
    printf("%s %d %s %s %lld %.2f\n", file_name(path), (int)slip_problem_contacts(file->problem),
           run[k].name, slip_outcome_name(run[k].outcome), run[k].iterations, 1e6 * run[k].least);
  fflush(stdout);
  slip_file_free(file);
}

int main(int argc, char **argv) {
  Run run[METHODS_MOST];
  SlipError error;
  int count = 0;
  if (argc < 6) {
    fprintf(stderr, "usage: %s any|local|global TOL LIMIT METHOD,... FILE...\n", argv[0]);
    return 2;
  }
  SlipWantForm form = strcmp(argv[1], "local") == 0    ? SLIP_WANT_LOCAL
                      : strcmp(argv[1], "global") == 0 ? SLIP_WANT_GLOBAL
                                                       : SLIP_WANT_ANY;
  one_blas_thread();
  for (char *name = strtok(argv[4], ","); name && count < METHODS_MOST; name = strtok(NULL, ",")) {
    run[count].name = name;
    must(slip_settings_create(name, &run[count].settings, &error), &error);
    must(slip_settings_set(run[count].settings, "tol", argv[2], &error), &error);
    must(slip_settings_set(run[count].settings, "time-limit", argv[3], &error), &error);
    count++;
  }
  for (int k = 5; k < argc; k++)
    time_file(argv[k], form, run, count);
  for (int k = 0; k < count; k++)
    slip_settings_free(run[k].settings);
  return 0;
}
