/* Rough contacts: real problems with every mu replaced, solved by `auto`, and judged by the tests'
 * physical checker, which shares no code with the library (tests/support/physical.h).
 *
 *   cmake --build build --target bench_rough
 *   build/tests/bench_rough [--mu VALUE]... [--tol TOL] [--time-limit SECONDS] [--processor 1]
 * FILE...
 *
 * Without --mu the values are 1e3 and 1e6; the tolerance is 1e-6, the limit 20 seconds, of
 * processor time with --processor 1 (on a machine with other work). Files that are not local
 * problems are left out. Prints the runs that fail, then the counts of each mu: solved is what the
 * library says is SOLVED and the checker accepts; a run that a limit ends may have a point that the
 * checker accepts, too. The exit status is 0 where at least 95 of 100 runs are solved for each mu.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/io.h>

#include "physical.h"

enum { MU_MOST = 8 };
static const double SHARE = 0.95;
/* SOLVED means at most 10 tol in the library's measure, which the checker's follows. */
static const double SLACK = 10;

typedef struct Job {
  double mu[MU_MOST], tol, limit;
  int mu_count, tried[MU_MOST], solved[MU_MOST], accepted[MU_MOST], false_claims, processor;
  double started;
} Job;

static double processor_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static int is_over(const SlipProgress *progress, void *user) {
  const Job *job = user;
  (void)progress;
  return processor_seconds() - job->started >= job->limit;
}

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  exit(2);
}

/* The same problem, all Coulomb contacts with one mu. */
static SlipProblem *with_mu(const SlipLocalData *given, double mu) {
  SlipLocalData data = *given;
  SlipLaws laws = *data.laws;
  SlipProblem *problem;
  SlipError error;
  double *all = malloc((size_t)(data.contacts + 1) * sizeof *all);
  if (!all)
    exit(2);
  for (int32_t a = 0; a < data.contacts; a++)
    all[a] = mu;
  laws.mu = all;
  data.laws = &laws;
  must(slip_problem_create_local(&data, &problem, &error), &error);
  free(all);
  return problem;
}

static SlipSolver *run(const SlipProblem *problem, Job *job) {
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  must(slip_settings_create("auto", &settings, &error), &error);
  must(slip_settings_set_real(settings, "tol", job->tol, &error), &error);
  if (!job->processor)
    must(slip_settings_set_real(settings, "time-limit", job->limit, &error), &error);
  must(slip_solver_create(problem, settings, &solver, &error), &error);
  if (job->processor)
    slip_solver_set_progress(solver, is_over, job);
  must(slip_solver_run(solver, &error), &error);
  slip_settings_free(settings);
  return solver;
}

static void judge(const char *file, const SlipProblem *problem, int which, Job *job) {
  job->started = processor_seconds();
  SlipSolver *solver = run(problem, job);
  double seconds = processor_seconds() - job->started;
  const SlipResult *result = slip_solver_result(solver);
  Physical found;
  if (physical_check(problem, result->r, 0, &found))
    exit(2);
  int claimed = result->outcome == SLIP_SOLVED, good = found.total <= SLACK * job->tol;
  job->tried[which]++;
  job->solved[which] += claimed && good;
  job->accepted[which] += good;
  job->false_claims += claimed && !good;
  if (!claimed || !good)
    printf("%s mu %g: %s after %.2f s of processor time, error %.2e, checker %.2e (%s): %s\n", file,
           job->mu[which], slip_outcome_name(result->outcome), seconds, result->residual,
           found.total, physical_part_names[found.part], result->reason);
  fflush(stdout);
  free(found.of_contact);
  slip_solver_free(solver);
}

static void try_file(const char *path, Job *job) {
  SlipFile *file;
  SlipError error;
  SlipLocalData data = slip_default_local_data();
  const char *name = strrchr(path, '/');
  if (slip_file_read(path, SLIP_WANT_ANY, &file, &error)) {
    fprintf(stderr, "%s: %s\n", path, error.text);
    return;
  }
  if (slip_problem_local_data(file->problem, &data, NULL) == SLIP_OK) {
    for (int k = 0; k < job->mu_count; k++) {
      SlipProblem *problem = with_mu(&data, job->mu[k]);
      judge(name ? name + 1 : path, problem, k, job);
      slip_problem_free(problem);
    }
  }
  slip_file_free(file);
}

/* The flags; returns where the files begin. */
static int read_flags(int argc, char **argv, Job *job) {
  int at = 1;
  for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
    double value = atof(argv[at + 1]);
    if (!strcmp(argv[at], "--mu") && job->mu_count < MU_MOST)
      job->mu[job->mu_count++] = value;
    else if (!strcmp(argv[at], "--tol"))
      job->tol = value;
    else if (!strcmp(argv[at], "--time-limit"))
      job->limit = value;
    else if (!strcmp(argv[at], "--processor"))
      job->processor = value != 0;
  }
  if (job->mu_count == 0) {
    job->mu[0] = 1e3;
    job->mu[1] = 1e6;
    job->mu_count = 2;
  }
  return at;
}

int main(int argc, char **argv) {
  Job job = {.tol = 1e-6, .limit = 20};
  int enough = 1;
  for (int k = read_flags(argc, argv, &job); k < argc; k++)
    try_file(argv[k], &job);
  for (int k = 0; k < job.mu_count; k++) {
    printf("mu %g: %d of %d solved\n", job.mu[k], job.solved[k], job.tried[k]);
    printf("mu %g: %d of %d end at a point that the checker accepts, SOLVED or not\n", job.mu[k],
           job.accepted[k], job.tried[k]);
    enough = enough && job.solved[k] >= SHARE * job.tried[k];
  }
  printf("%d said to be SOLVED that the checker rejects\n", job.false_claims);
  return enough && job.false_claims == 0 ? 0 : 1;
}
