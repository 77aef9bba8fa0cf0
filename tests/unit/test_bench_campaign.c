/* Campaigns: one row per run whatever the run does, and rows that survive a kill. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <slipcone/bench.h>
#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "base/random.h"
#include "data.h"

#define FOLDER "test_bench_campaign.dir"
#define OUT FOLDER "/results.csv"
#define OTHER FOLDER "/other.csv"

enum { PROBLEMS = 6 };

static const char *const folders[] = {FOLDER, FOLDER "/one", FOLDER "/two"};
static const char *const paths[] = {FOLDER};

static void problem_path(int index, char *path, size_t size) {
  snprintf(path, size, "%s/p%d.hdf5", folders[1 + index % 2], index);
}

static int make_problems(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    if (mkdir(folders[k], 0777) != 0 && access(folders[k], W_OK) != 0)
      return -1;
  for (int k = 0; k < PROBLEMS; k++) {
    char path[64];
    SlipGenerate options = slip_default_generate();
    SlipProblem *problem;
    const char *kind = k % 2 ? "deficient-global" : "random";
    if (slip_generate_defaults(kind, &options, NULL))
      return -1;
    options.contacts = 4 + k;
    options.seed = (uint64_t)k;
    if (slip_generate(kind, &options, &problem, NULL, NULL))
      return -1;
    problem_path(k, path, sizeof path);
    if (slip_file_write(path, WRITE(.problem = problem), NULL))
      return -1;
    slip_problem_free(problem);
  }
  return 0;
}

static int remove_problems(void **state) {
  (void)state;
  char path[64];
  for (int k = 0; k < PROBLEMS; k++) {
    problem_path(k, path, sizeof path);
    remove(path);
  }
  remove(OUT);
  remove(OTHER);
  for (int k = 3; k-- > 0;)
    remove(folders[k]);
  return 0;
}

static int fresh(void **state) {
  (void)state;
  remove(OUT);
  remove(OTHER);
  return 0;
}

static const SlipBenchRule rules[] = {{"*", 1e-4, 60}, {"*", 1e-7, 60}};

static SlipCampaign campaign_of(const char *const *methods, int count, const char *out) {
  SlipCampaign campaign = slip_default_campaign();
  campaign.paths = paths;
  campaign.path_count = 1;
  campaign.methods = methods;
  campaign.method_count = count;
  campaign.rules = rules;
  campaign.rule_count = 2;
  campaign.out = out;
  return campaign;
}

static SlipCampaignSummary run(const SlipCampaign *campaign) {
  SlipCampaignSummary summary = slip_default_campaign_summary();
  SlipError error;
  if (slip_campaign_run(campaign, &summary, &error))
    fail_msg("%s", error.text);
  return summary;
}

static SlipBenchResults *results_of(const char *path) {
  SlipBenchResults *results;
  SlipError error;
  if (slip_bench_read(path, &results, &error))
    fail_msg("%s", error.text);
  return results;
}

static const SlipBenchRow *find(const SlipBenchResults *results, const char *problem,
                                const char *method, double tol) {
  const SlipBenchRow *found = NULL;
  for (int32_t k = 0; k < results->count; k++) {
    const SlipBenchRow *row = &results->rows[k];
    if (!strcmp(row->problem, problem) && !strcmp(row->method, method) && row->tol == tol) {
      assert_null(found); /* each run has one row */
      found = row;
    }
  }
  return found;
}

/* The same runs with the same results, in any order and up to timings. */
static void assert_same_rows(const char *a, const char *b) {
  SlipBenchResults *x = results_of(a), *y = results_of(b);
  assert_int_equal(x->count, y->count);
  for (int32_t k = 0; k < x->count; k++) {
    const SlipBenchRow *row = &x->rows[k];
    const SlipBenchRow *other = find(y, row->problem, row->method, row->tol);
    assert_non_null(other);
    assert_string_equal(row->outcome, other->outcome);
    assert_string_equal(row->family, other->family);
    assert_int_equal(row->iterations, other->iterations);
    assert_int_equal(row->contacts, other->contacts);
    assert_int_equal(row->trace_count, other->trace_count);
    assert_true(row->error == other->error);
  }
  slip_bench_results_free(x);
  slip_bench_results_free(y);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static void test_rows(void **state) {
  (void)state;
  const char *const methods[] = {"nsgs", "psor[omega=1.2]"};
  SlipCampaign campaign = campaign_of(methods, 2, OUT);
  campaign.repeat = 3;
  campaign.jobs = 2;
  SlipCampaignSummary summary = run(&campaign);
  assert_int_equal(summary.total, 2 * 2 * PROBLEMS);
  assert_int_equal(summary.run, summary.total);
  assert_int_equal(summary.resumed, 0);
  assert_int_equal(summary.interrupted, 0);
  SlipBenchResults *results = results_of(OUT);
  assert_int_equal(results->count, summary.total);
  for (int k = 0; k < PROBLEMS; k++) {
    char path[64], name[64];
    SlipFile *file;
    problem_path(k, path, sizeof path);
    snprintf(name, sizeof name, "%s/p%d.hdf5", k % 2 ? "two" : "one", k);
    const SlipBenchRow *row = find(results, name, "psor[omega=1.2]", 1e-7);
    assert_non_null(row);
    assert_string_equal(row->family, k % 2 ? "two" : "one");
    assert_int_equal(row->contacts, 4 + k);
    assert_int_equal(row->dimension, 3);
    assert_string_equal(row->outcome, "SOLVED");
    assert_true(row->solved && row->error <= 1e-7 && row->seconds > 0 && row->seconds < 60);
    assert_true(row->peak_kib > 100 && row->trace_count > 0 && row->trace_count <= 40);
    assert_string_equal(row->version, slip_version());
    assert_true(*row->compiler && *row->cpu);
    /* The same run by hand. */
    SlipSettings *settings;
    SlipSolver *solver;
    assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
    assert_int_equal(slip_settings_create("psor", &settings, NULL), SLIP_OK);
    assert_int_equal(slip_settings_set_real(settings, "omega", 1.2, NULL), SLIP_OK);
    assert_int_equal(slip_settings_set_real(settings, "tol", 1e-7, NULL), SLIP_OK);
    assert_int_equal(slip_solver_create(file->problem, settings, &solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    double error;
    assert_int_equal(
        slip_problem_residual(file->problem, slip_solver_result(solver)->r, &error, NULL, NULL),
        SLIP_OK);
    assert_true(row->error == error);
    assert_int_equal(row->iterations, slip_solver_result(solver)->iterations);
    slip_solver_free(solver);
    slip_settings_free(settings);
    slip_file_free(file);
  }
  slip_bench_results_free(results);
}

/* ---- Runs that misbehave (each of these runs in a child process) ----------------------------- */

static SlipStatus crash(const SlipProblem *problem, double tol, double limit, double *r,
                        SlipBenchRun *run, void *user, SlipError *error) {
  (void)problem, (void)tol, (void)limit, (void)r, (void)run, (void)user, (void)error;
  kill(getpid(), SIGSEGV);
  return SLIP_OK;
}

static SlipStatus loop(const SlipProblem *problem, double tol, double limit, double *r,
                       SlipBenchRun *run, void *user, SlipError *error) {
  (void)problem, (void)tol, (void)limit, (void)r, (void)run, (void)user, (void)error;
  volatile int forever = 1;
  while (forever) {
  }
  return SLIP_OK;
}

static SlipStatus eat(const SlipProblem *problem, double tol, double limit, double *r,
                      SlipBenchRun *run, void *user, SlipError *error) {
  (void)problem, (void)tol, (void)limit, (void)r, (void)run, (void)user, (void)error;
  for (;;) {
    size_t size = (size_t)4 << 20;
    char *food = malloc(size);
    if (!food)
      abort();
    for (size_t k = 0; k < size; k += 512)
      ((volatile char *)food)[k] = 1;
  }
}

static SlipStatus lie(const SlipProblem *problem, double tol, double limit, double *r,
                      SlipBenchRun *run, void *user, SlipError *error) {
  (void)problem, (void)tol, (void)limit, (void)r, (void)user, (void)error;
  run->outcome = SLIP_SOLVED; /* r stays 0 */
  run->iterations = 7;
  return SLIP_OK;
}

static SlipStatus refuse(const SlipProblem *problem, double tol, double limit, double *r,
                         SlipBenchRun *run, void *user, SlipError *error) {
  (void)problem, (void)tol, (void)limit, (void)r, (void)run, (void)user, (void)error;
  return SLIP_ERROR_MISMATCH;
}

static SlipStatus quit(const SlipProblem *problem, double tol, double limit, double *r,
                       SlipBenchRun *run, void *user, SlipError *error) {
  (void)problem, (void)tol, (void)limit, (void)r, (void)run, (void)user, (void)error;
  _exit(0);
}

static SlipStatus dawdle(const SlipProblem *problem, double tol, double limit, double *r,
                         SlipBenchRun *run, void *user, SlipError *error) {
  (void)tol, (void)user;
  const struct timespec pause = {.tv_sec = (time_t)limit, .tv_nsec = 50000000};
  nanosleep(&pause, NULL);
  run->iterations = 1;
  return slip_solve(problem, tol, r, NULL, &run->outcome, error);
}

static void test_misbehaviour(void **state) {
  (void)state;
  static const SlipBenchRunner runners[] = {
      {"crash", crash, NULL},   {"loop", loop, NULL}, {"eat", eat, NULL},      {"lie", lie, NULL},
      {"refuse", refuse, NULL}, {"quit", quit, NULL}, {"dawdle", dawdle, NULL}};
  static const char *const outcomes[] = {"CRASH",   "TIMEOUT", "MEMORY",    "INACCURATE",
                                         "REFUSED", "CRASH",   "TIME_LIMIT"};
  static const SlipBenchRule one_rule[] = {{"*", 1e-6, 1}};
  const char *const alone[] = {"nsgs"};
  const char *const together[] = {"crash", "loop",   "eat",  "nsgs",
                                  "lie",   "refuse", "quit", "dawdle"};
  char first[64];
  problem_path(0, first, sizeof first);
  const char *const one_path[] = {first};

  SlipCampaign campaign = campaign_of(together, 8, OUT);
  campaign.paths = one_path;
  campaign.runners = runners;
  campaign.runner_count = 7;
  campaign.rules = one_rule;
  campaign.rule_count = 1;
  campaign.grace = 1;
  campaign.memory = 200;
  campaign.jobs = 2;
  assert_int_equal(run(&campaign).solved, 1);
  SlipBenchResults *results = results_of(OUT);
  assert_int_equal(results->count, 8);
  for (int k = 0; k < 7; k++) {
    const SlipBenchRow *row = find(results, "one/p0.hdf5", runners[k].name, 1e-6);
    assert_non_null(row);
    if (strcmp(row->outcome, outcomes[k]) != 0)
      fail_msg("%s gave %s, not %s", runners[k].name, row->outcome, outcomes[k]);
    assert_int_equal(row->solved, 0);
    assert_int_equal(row->contacts, 4);
  }
  /* The neighbour's row is that of a campaign of its own. */
  campaign.methods = alone;
  campaign.method_count = 1;
  campaign.out = OTHER;
  run(&campaign);
  SlipBenchResults *other = results_of(OTHER);
  const SlipBenchRow *a = find(results, "one/p0.hdf5", "nsgs", 1e-6), *b = &other->rows[0];
  assert_non_null(a);
  assert_string_equal(a->outcome, "SOLVED");
  assert_true(a->error == b->error && a->iterations == b->iterations);
  slip_bench_results_free(results);
  slip_bench_results_free(other);
}

static void test_bad_file(void **state) {
  (void)state;
  const char *const methods[] = {"nsgs"};
  const char *const both[] = {FOLDER "/one/p0.hdf5", FOLDER "/one/bad.hdf5"};
  FILE *bad = fopen(both[1], "w");
  assert_non_null(bad);
  fputs("not a problem", bad);
  fclose(bad);
  SlipCampaign campaign = campaign_of(methods, 1, OUT);
  campaign.paths = both;
  campaign.path_count = 2;
  SlipCampaignSummary summary = run(&campaign);
  assert_int_equal(summary.run, 4);
  assert_int_equal(summary.unreadable, 1);
  remove(both[1]);
  SlipBenchResults *results = results_of(OUT);
  const SlipBenchRow *row = find(results, "one/bad.hdf5", "nsgs", 1e-4);
  assert_non_null(row);
  assert_string_equal(row->outcome, "ERROR");
  assert_int_equal(row->contacts, -1);
  assert_true(isnan(row->error) && isnan(row->seconds));
  assert_non_null(strstr(row->reason, "neither an HDF5 file nor a Siconos text file"));
  assert_string_equal(row->content, "");
  row = find(results, "one/p0.hdf5", "nsgs", 1e-4);
  assert_non_null(row);
  assert_int_equal(strlen(row->content), 16);
  assert_string_equal(row->reason, "");
  slip_bench_results_free(results);
}

/* ---- Kills and resuming --------------------------------------------------------------------- */

/* Run the campaign in a process that is killed after some time; whether it was. */
static bool run_and_kill(const SlipCampaign *campaign, double seconds) {
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0)
    _exit(slip_campaign_run(campaign, NULL, NULL) == SLIP_OK ? 0 : 1);
  const struct timespec pause = {.tv_nsec = (long)(1e9 * seconds)};
  nanosleep(&pause, NULL);
  int status;
  if (waitpid(pid, &status, WNOHANG) == pid) {
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return false;
  }
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return true;
}

static bool has_rows(const char *path) {
  SlipBenchResults *results;
  if (slip_bench_read(path, &results, NULL) != SLIP_OK)
    return false;
  bool some = results->count > 0;
  slip_bench_results_free(results);
  return some;
}

static void test_kills(void **state) {
  (void)state;
  /* Bounded by iterations, since what time bounds is not the same twice. */
  const char *const methods[] = {"nsgs[max-iter=3000]",
                                 "psor[max-iter=2]",
                                 "nsgs[order=shuffle-once,max-iter=3000]",
                                 "nsgs[order=shuffle-each,seed=2,max-iter=3000]",
                                 "nsgs[local-solver=projection,max-iter=500]",
                                 "psor[omega=1.1,max-iter=3000]",
                                 "psor[omega=1.2,max-iter=3000]",
                                 "psor[omega=1.9,max-iter=500]"};
  SlipCampaign campaign = campaign_of(methods, 8, OUT);
  campaign.jobs = 2;
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  int kills = 0;
  for (int k = 0; k < 12; k++)
    kills += run_and_kill(&campaign, slipi_random_between(&random, 0.002, 0.05));
  /* A busy machine may need longer for the first result. */
  for (double seconds = 0.1; !has_rows(OUT) && seconds < 1; seconds *= 1.5)
    kills += run_and_kill(&campaign, seconds);
  assert_true(kills >= 2);
  SlipCampaignSummary last = run(&campaign);
  assert_int_equal(last.resumed + last.run, 2 * 8 * PROBLEMS);
  assert_true(last.resumed > 0);
  campaign.out = OTHER;
  run(&campaign);
  assert_same_rows(OTHER, OUT);
  /* Nothing is done again. */
  SlipCampaignSummary again = run(&campaign);
  assert_int_equal(again.run, 0);
  assert_int_equal(again.resumed, again.total);
  assert_int_equal(again.solved, last.solved);
}

static off_t size_of(const char *path) {
  struct stat about;
  assert_int_equal(stat(path, &about), 0);
  return about.st_size;
}

/* Whatever byte the file ends at, the missing rows and no others are made. */
static void test_cut_anywhere(void **state) {
  (void)state;
  const char *const methods[] = {"nsgs", "psor"};
  const char *const one_path[] = {FOLDER "/one/p0.hdf5"};
  SlipCampaign campaign = campaign_of(methods, 2, OTHER);
  campaign.paths = one_path;
  run(&campaign);
  off_t whole = size_of(OTHER);
  for (off_t cut = 0; cut <= whole; cut += cut < 140 ? 7 : 53) {
    assert_int_equal(system("cp " OTHER " " OUT), 0);
    assert_int_equal(truncate(OUT, cut), 0);
    campaign.out = OUT;
    SlipCampaignSummary summary = run(&campaign);
    assert_int_equal(summary.resumed + summary.run, 4);
    assert_same_rows(OTHER, OUT);
  }
}

static int stop_after(const SlipBenchProgress *progress, void *user) {
  int *calls = user;
  ++*calls;
  assert_true(progress->done <= progress->total && progress->resumed <= progress->done);
  assert_true(isnan(progress->seconds_left) || progress->seconds_left >= 0);
  return progress->done >= 5;
}

static void test_interrupt(void **state) {
  (void)state;
  const char *const methods[] = {"nsgs", "psor"};
  SlipCampaign campaign = campaign_of(methods, 2, OUT);
  int calls = 0;
  campaign.progress = stop_after;
  campaign.user = &calls;
  SlipCampaignSummary summary = run(&campaign);
  assert_int_equal(summary.interrupted, 1);
  assert_int_equal(summary.run, 5);
  assert_true(calls >= 5);
  SlipBenchResults *results = results_of(OUT);
  assert_int_equal(results->count, 5);
  assert_int_equal(results->truncated, 0);
  slip_bench_results_free(results);
  campaign.progress = NULL;
  summary = run(&campaign);
  assert_int_equal(summary.resumed, 5);
  assert_int_equal(summary.run, summary.total - 5);
}

/* ---- Rules and refusals --------------------------------------------------------------------- */

static void test_rules(void **state) {
  (void)state;
  static const SlipBenchRule by_family[] = {
      {"o*", 1e-3, 5}, {"*", 1e-5, 5}, {"o*", 1e-6, 5}, {"t*", 1e-9, 5}};
  const char *const methods[] = {"nsgs"};
  SlipCampaign campaign = campaign_of(methods, 1, OUT);
  campaign.rules = by_family;
  campaign.rule_count = 4;
  run(&campaign);
  SlipBenchResults *results = results_of(OUT);
  assert_int_equal(results->count, 3 * 2 + 3); /* "one" takes both o*, "two" the first that fits */
  for (int32_t k = 0; k < results->count; k++) {
    double tol = results->rows[k].tol;
    bool one = !strcmp(results->rows[k].family, "one");
    assert_true(one ? tol == 1e-3 || tol == 1e-6 : tol == 1e-5);
  }
  slip_bench_results_free(results);
  campaign.rule_count = 1;
  SlipError error;
  remove(OUT);
  assert_int_equal(slip_campaign_run(&campaign, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "'two'"));
}

static void refused(const SlipCampaign *campaign, SlipStatus status, const char *text) {
  SlipError error;
  SlipCampaignSummary summary = slip_default_campaign_summary();
  assert_int_equal(slip_campaign_run(campaign, &summary, &error), status);
  if (!strstr(error.text, text))
    fail_msg("'%s' does not say '%s'", error.text, text);
}

/* A peer that never says it has begun. */
static void test_stuck_before_start(void **state) {
  (void)state;
  const char *const methods[] = {"siconos:NSGS"}, *const tool = FOLDER "/stuck.sh";
  static const SlipBenchRule one_rule[] = {{"*", 1e-6, 1}};
  char first[64];
  problem_path(0, first, sizeof first);
  const char *const one_path[] = {first};
  FILE *stream = fopen(tool, "w");
  assert_non_null(stream);
  fputs("#!/bin/sh\nexec sleep 1000\n", stream);
  assert_int_equal(fclose(stream), 0);
  assert_int_equal(chmod(tool, 0700), 0);
  SlipCampaign campaign = campaign_of(methods, 1, OUT);
  campaign.paths = one_path;
  campaign.rules = one_rule;
  campaign.rule_count = 1;
  campaign.peer_tool = tool;
  campaign.load = 0.2;
  run(&campaign);
  SlipBenchResults *results = results_of(OUT);
  assert_int_equal(results->count, 1);
  assert_string_equal(results->rows[0].outcome, "TIMEOUT");
  slip_bench_results_free(results);
  campaign.load = 0;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "load (0)");
}

static void test_refusals(void **state) {
  (void)state;
  const char *const methods[] = {"nsgs"}, *const wrong[] = {"nsgs[speed=9]"},
                    *const unknown[] = {"xyz"}, *const peer[] = {"siconos:NSGS"},
                    *const nowhere[] = {FOLDER "/nowhere"};
  SlipCampaign campaign = campaign_of(methods, 1, OUT);
  const SlipCampaign good = campaign;
  refused(NULL, SLIP_ERROR_ARGUMENT, "null");
  campaign.out = NULL;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "null");
  campaign = good;
  campaign.methods = wrong;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "speed");
  campaign.methods = unknown;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "xyz");
  campaign.methods = peer;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "siconos:NSGS");
  campaign = good;
  campaign.paths = nowhere;
  refused(&campaign, SLIP_ERROR_FILE, "nowhere");
  campaign = good;
  campaign.jobs = 0;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "jobs (0)");
  campaign = good;
  campaign.memory = NAN;
  refused(&campaign, SLIP_ERROR_ARGUMENT, "memory");
  campaign = good;
  campaign.out = FOLDER "/nowhere/r.csv";
  refused(&campaign, SLIP_ERROR_FILE, "nowhere");
  assert_int_not_equal(access(OUT, F_OK), 0);
}

/* Somebody else's file is left as it is. */
static void test_foreign_file(void **state) {
  (void)state;
  static const char *const texts[] = {"dear diary", "a,b,c\n1,2,3\n", "problem,family\n"};
  const char *const methods[] = {"nsgs"};
  for (int k = 0; k < 3; k++) {
    FILE *file = fopen(OUT, "w");
    assert_non_null(file);
    fputs(texts[k], file);
    fclose(file);
    SlipCampaign campaign = campaign_of(methods, 1, OUT);
    refused(&campaign, SLIP_ERROR_FORMAT, "is not a results file");
    assert_int_equal(size_of(OUT), strlen(texts[k]));
  }
}

static void test_two_campaigns(void **state) {
  (void)state;
  const char *const methods[] = {"nsgs"};
  int ready[2];
  char byte;
  assert_int_equal(pipe(ready), 0);
  pid_t pid = fork();
  if (pid == 0) { /* another process holds the file */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int out = open(OUT, O_RDWR | O_CREAT, 0666);
    if (fcntl(out, F_SETLK, &lock) != 0 || write(ready[1], "x", 1) != 1)
      _exit(1);
    for (;;)
      pause();
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  SlipCampaign campaign = campaign_of(methods, 1, OUT);
  refused(&campaign, SLIP_ERROR_FILE, "another campaign");
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  close(ready[0]);
  close(ready[1]);
  assert_int_equal(run(&campaign).run, 2 * PROBLEMS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_rows, fresh),
      cmocka_unit_test_setup(test_misbehaviour, fresh),
      cmocka_unit_test_setup(test_bad_file, fresh),
      cmocka_unit_test_setup(test_kills, fresh),
      cmocka_unit_test_setup(test_cut_anywhere, fresh),
      cmocka_unit_test_setup(test_interrupt, fresh),
      cmocka_unit_test_setup(test_rules, fresh),
      cmocka_unit_test_setup(test_stuck_before_start, fresh),
      cmocka_unit_test_setup(test_refusals, fresh),
      cmocka_unit_test_setup(test_foreign_file, fresh),
      cmocka_unit_test_setup(test_two_campaigns, fresh),
  };
  return cmocka_run_group_tests(tests, make_problems, remove_problems);
}
