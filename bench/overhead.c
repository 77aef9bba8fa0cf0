/* Does the bench report the time a solve takes? For some built-in problems: the least time of
 * direct calls (create and run) and the least time a campaign reports, of as many repeats. Fails
 * when they differ by more than 2% on a run above 10 ms. For a quiet machine.
 *
 *   cmake --build build --target bench_overhead && build/tests/bench_overhead */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slipcone/bench.h>
#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "base/clock.h"

enum { REPEAT = 5, ROUNDS = 5 };
static const double tol = 1e-6;

/* One thread, as the bench has it; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

typedef struct Case {
  const char *kind, *method;
  int32_t contacts;
} Case;

/* Kinds that are solved in some ten iterations, so that the least of many repeats is soon there. */
static const Case cases[] = {{"random", "nsgs", 3000},      {"random", "psor", 3000},
                             {"unsymmetric", "nsgs", 3000}, {"frictionless", "nsgs", 3000},
                             {"dense", "nsgs", 300},        {"bilateral", "psor", 3000}};

static int failed(const char *what, const SlipError *error) {
  fprintf(stderr, "%s: %s\n", what, error->text);
  return 2;
}

/* As a user would: from the problem in memory to r. */
static int time_directly(const char *path, const char *method, double *least, SlipError *error) {
  SlipFile *file;
  SlipSettings *settings;
  if (slip_file_read(path, SLIP_WANT_ANY, &file, error) ||
      slip_settings_create(method, &settings, error) ||
      slip_settings_set_real(settings, "tol", tol, error))
    return failed(path, error);
  for (int k = 0; k < REPEAT; k++) {
    SlipSolver *solver;
    double begun = slipi_clock_seconds();
    if (slip_solver_create(file->problem, settings, &solver, error) ||
        slip_solver_run(solver, error))
      return failed(path, error);
    *least = fmin(*least, slipi_clock_seconds() - begun);
    slip_solver_free(solver);
  }
  slip_settings_free(settings);
  slip_file_free(file);
  return 0;
}

static int time_by_campaign(const char *path, const char *method, const char *out, double *least,
                            SlipError *error) {
  SlipBenchRule rule = {"*", tol, 300};
  SlipCampaign campaign = slip_default_campaign();
  SlipBenchResults *results;
  campaign.paths = &path;
  campaign.path_count = 1;
  campaign.methods = &method;
  campaign.method_count = 1;
  campaign.rules = &rule;
  campaign.rule_count = 1;
  campaign.repeat = REPEAT;
  campaign.out = out;
  if (slip_campaign_run(&campaign, NULL, error) || slip_bench_read(out, &results, error))
    return failed(path, error);
  *least = fmin(*least, results->count == 1 ? results->rows[0].seconds : INFINITY);
  slip_bench_results_free(results);
  unlink(out);
  return 0;
}

static int compare(const Case *what, const char *folder) {
  char path[128], out[128];
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  SlipError error;
  snprintf(path, sizeof path, "%s/problem.hdf5", folder);
  snprintf(out, sizeof out, "%s/results.csv", folder);
  if (slip_generate_defaults(what->kind, &options, &error))
    return failed(what->kind, &error);
  options.contacts = what->contacts;
  if (slip_generate(what->kind, &options, &problem, NULL, &error) ||
      slip_file_write(path, &(SlipWrite){.size = sizeof(SlipWrite), .problem = problem}, &error))
    return failed(what->kind, &error);
  slip_problem_free(problem);
  double direct = INFINITY, reported = INFINITY;
  int code = 0;
  for (int k = 0; !code && k < ROUNDS; k++) { /* in turns, since machines change their speed */
    code = time_directly(path, what->method, &direct, &error);
    if (!code)
      code = time_by_campaign(path, what->method, out, &reported, &error);
  }
  unlink(path);
  if (code)
    return code;
  double off = reported / direct - 1;
  int bad = direct > 0.01 && !(fabs(off) <= 0.02);
  printf("%-12s %-6s %6d contacts: %9.3f ms direct, %9.3f ms reported, %+.2f%%%s\n", what->kind,
         what->method, (int)what->contacts, 1e3 * direct, 1e3 * reported, 100 * off,
         bad ? "  TOO FAR" : "");
  fflush(stdout);
  return bad;
}

int main(void) {
  char folder[] = "bench_overhead_XXXXXX";
  int worst = 0;
  if (!mkdtemp(folder))
    return 2;
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    int code = compare(&cases[k], folder);
    worst = code > worst ? code : worst;
  }
  rmdir(folder);
  return worst;
}
