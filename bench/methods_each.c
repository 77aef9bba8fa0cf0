/* Methods side by side, file by file: bench_methods_each FORM TOL LIMIT METHOD,METHOD,... FILE...
 *
 * FORM is any, local or global. One line a file and method: the file's name, contacts, the method,
 * outcome, iterations, and microseconds of processor time to make a solver and run it. It is the
 * least of samples over 0.3 seconds and ten rounds, or four seconds, methods in turn, so that all
 * see the same machine; a sample is the mean of solves that follow each other for a millisecond.
 * Methods that take more than 1.3 times the quickest after seven samples, 40 short ones, are not
 * repeated, but for the first. A solve is cut at LIMIT seconds, and those of the other methods
 * after five times what the first one took, on the clock: they are no match, and TIME_LIMIT says
 * nothing of what they would have needed. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

#include "measured.h"

enum {
  METHODS_MOST = 16,
  ROUNDS_MOST = 300,
  ROUNDS_LEAST = 10,
  SAMPLES_LEAST = 7,
  BRIEF_LEAST = 40
};
static const double REPEATED = 0.3; /* seconds, of each method */
static const double LONG = 4;       /* seconds after which a method is repeated no more */
static const double SAMPLE = 1e-3;  /* seconds: of shorter ones the clock is not sure */
static const double MATCH = 1.3;    /* times the quickest: slower ones are not repeated */
static const double CERTAIN = 3;    /* times: not even for the other samples */
static const double PATIENCE = 5;   /* times the first method's seconds, on the clock */
static const double LEAST = 0.05;   /* seconds on the clock that a solve always has */

typedef struct Run {
  const char *name;
  SlipSettings *settings;
  SlipOutcome outcome;
  long long iterations;
  int batch; /* solves of a sample */
  int samples;
  double least, all;
} Run;

/* Seconds of one of so many solves; HUGE_VAL where the method does not take this problem. */
static double solve(const SlipProblem *problem, int count, Run *run) {
  double begun = now();
  for (int k = 0; k < count; k++) {
    SlipSolver *solver = NULL;
    SlipError error;
    if (slip_solver_create(problem, run->settings, &solver, &error) != SLIP_OK)
      return HUGE_VAL;
    must(slip_solver_run(solver, &error), &error);
    run->outcome = slip_solver_result(solver)->outcome;
    run->iterations = slip_solver_result(solver)->iterations;
    slip_solver_free(solver);
  }
  return (now() - begun) / count;
}

static void sample(const SlipProblem *problem, Run *run) {
  bool first = run->batch == 0;
  double seconds = solve(problem, first ? 1 : run->batch, run);
  if (first)
    run->batch = seconds < SAMPLE ? (int)ceil(SAMPLE / fmax(seconds, 1e-7)) : 1;
  if (first && run->batch > 1)
    return; /* caches and clock were cold */
  run->least = fmin(run->least, seconds);
  run->all += seconds * run->batch;
  run->samples++;
}

/* Whether to repeat a method: not one that takes long or is no match for the quickest. The first
 * method is the one the others are compared with. */
static bool is_wanted(const Run *run, int k, int count, int round) {
  double best = HUGE_VAL;
  for (int other = 0; other < count; other++)
    best = fmin(best, run[other].outcome == SLIP_SOLVED ? run[other].least : HUGE_VAL);
  bool brief = run[k].batch > 1;
  bool known = run[k].samples >= (brief ? BRIEF_LEAST : SAMPLES_LEAST);
  double match = known ? MATCH : brief ? 10 * CERTAIN : CERTAIN;
  if (run[k].samples > 0 && k > 0 && run[k].least > match * best)
    return false;
  return run[k].all < REPEATED || (round < ROUNDS_LEAST && run[k].all < LONG);
}

static double clock_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void limit(Run *run, int count, double seconds) {
  SlipError error;
  char text[32];
  snprintf(text, sizeof text, "%g", seconds);
  for (int k = 0; k < count; k++)
    must(slip_settings_set(run[k].settings, "time-limit", text, &error), &error);
}

/* All methods in turn; the first one's first solve says how long the others may take. */
static void sample_all(const SlipProblem *problem, Run *run, int count, double most) {
  limit(run, count, most);
  for (int round = 0; round < ROUNDS_MOST; round++)
    for (int turn = 0; turn < count; turn++) {
      int k = (turn + round) % count; /* memory and caches are as the one before has left them */
      double begun = clock_seconds();
      if (!is_wanted(run, k, count, round))
        continue;
      sample(problem, &run[k]);
      if (round == 0 && turn == 0 && run[0].outcome == SLIP_SOLVED)
        limit(run + 1, count - 1, fmin(most, fmax(LEAST, PATIENCE * (clock_seconds() - begun))));
    }
}

static void time_file(const char *path, SlipWantForm form, Run *run, int count, double most) {
  SlipFile *file;
  SlipError error;
  if (slip_file_read(path, form, &file, &error) != SLIP_OK) { /* without this form */
    fprintf(stderr, "%s\n", error.text);
    return;
  }
  for (int k = 0; k < count; k++)
    run[k] = (Run){.name = run[k].name, .settings = run[k].settings, .least = HUGE_VAL};
  sample_all(file->problem, run, count, most);
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
    count++;
  }
  for (int k = 5; k < argc; k++)
    time_file(argv[k], form, run, count, atof(argv[3]));
  for (int k = 0; k < count; k++)
    slip_settings_free(run[k].settings);
  return 0;
}
