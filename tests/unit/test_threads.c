/* Threads that share one const SlipProblem, each with solvers of its own, get the bits that one
 * thread gets alone. The preset `tsan` builds this under ThreadSanitizer, which also reports
 * accesses that race without changing a bit. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/generate.h>

#include "solving.h"

/* ThreadSanitizer makes everything some twenty times slower. */
#if defined(__SANITIZE_THREAD__)
enum { ITERATIONS = 6 };
#else
enum { ITERATIONS = 25 };
#endif

enum { THREADS = 4, TEAM = 2, PROBLEMS = 4, VALUES = 1024 };

static const struct {
  const char *kind;
  int32_t contacts, dimension;
} problems[PROBLEMS] = {{"random", 40, 3}, {"pile", 30, 3}, {"elastic", 30, 2}, {"walls", 12, 3}};

/* What one job has to say, as numbers; or the sentence with which it failed. */
typedef struct Answer {
  size_t count;
  double values[VALUES];
  char failure[SLIP_ERROR_TEXT];
} Answer;

static void add(Answer *answer, const double *values, size_t count) {
  if (answer->count + count > VALUES) {
    snprintf(answer->failure, sizeof answer->failure, "%zu values are too many", count);
    return;
  }
  if (count > 0 && values)
    memcpy(answer->values + answer->count, values, count * sizeof *values);
  answer->count += count;
}

static void add_one(Answer *answer, double value) {
  add(answer, &value, 1);
}

static size_t components(const SlipProblem *problem) {
  return (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

typedef SlipStatus (*Job)(const SlipProblem *problem, const char *method, Answer *answer,
                          SlipError *error);

/* A team within each thread where sweeps are by chunks; the other methods are run by one thread. */
static int team_of(const char *method) {
  return strcmp(method, "nsgs-accelerated") == 0 ? TEAM : 1;
}

static SlipStatus solve(const SlipProblem *problem, const char *method, Answer *answer,
                        SlipError *error) {
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  SlipStatus status = slip_settings_create(method, &settings, error);
  if (status == SLIP_OK)
    status = slip_settings_set_real(settings, "max-iter", ITERATIONS, error);
  if (status == SLIP_OK)
    status = slip_settings_set_real(settings, "threads", team_of(method), error);
  if (status == SLIP_OK)
    status = slip_solver_create(problem, settings, &solver, error);
  for (int k = 0; status == SLIP_OK && k < 2; k++) {
    status = slip_solver_run(solver, error);
    const SlipResult *result = slip_solver_result(solver);
    add_one(answer, (double)result->outcome);
    add_one(answer, (double)result->iterations);
    add_one(answer, result->residual);
    add(answer, result->r, components(problem));
    add(answer, result->u, components(problem));
  }
  slip_solver_free(solver);
  slip_settings_free(settings);
  return status;
}

static SlipStatus check(const SlipProblem *problem, const char *method, Answer *answer,
                        SlipError *error) {
  (void)method;
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *found;
  options.margin = 1;
  options.mass = 1;
  SlipStatus status = slip_check(problem, &options, &found, error);
  if (status != SLIP_OK)
    return status;
  add_one(answer, (double)found->verdict);
  add_one(answer, (double)found->ground);
  add_one(answer, found->margin);
  slip_check_free(found);
  return SLIP_OK;
}

static SlipStatus measure(const SlipProblem *problem, const char *method, Answer *answer,
                          SlipError *error) {
  (void)method;
  double r[VALUES], u[VALUES], residual = 0;
  SlipFeatures features = slip_default_features();
  for (size_t k = 0; k < components(problem); k++)
    r[k] = 1.0 / (double)(k + 1);
  SlipStatus status = slip_problem_residual(problem, r, &residual, NULL, error);
  if (status == SLIP_OK)
    status = slip_problem_velocity(problem, r, u, NULL, error);
  if (status == SLIP_OK)
    status = slip_problem_features(problem, &features, error);
  if (status != SLIP_OK)
    return status;
  add_one(answer, residual);
  add(answer, u, components(problem));
  add_one(answer, (double)features.rank);
  add_one(answer, features.condition);
  return SLIP_OK;
}

static SlipStatus reduce(const SlipProblem *problem, const char *method, Answer *answer,
                         SlipError *error) {
  SlipProblem *local;
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL)
    return SLIP_OK;
  SlipStatus status = slip_problem_reduce(problem, &local, error);
  if (status == SLIP_OK)
    status = solve(local, method, answer, error);
  slip_problem_free(local);
  return status;
}

static const struct {
  Job run;
  const char *method;
} jobs[] = {{solve, "auto"},       {solve, "nsgs"},   {solve, "nsgs-accelerated"},
            {solve, "fp-vi-upk"},  {solve, "nsn-ac"}, {solve, "alm"},
            {solve, "ipm"},        {solve, "admm"},   {check, NULL},
            {measure, NULL},       {reduce, "nsgs"},  {solve, "aclm"},
            {solve, "tresca"},     {solve, "arc"},    {solve, "ppa-nsgs"},
            {solve, "soclcp-socp"}};

enum { JOBS = sizeof jobs / sizeof jobs[0], ALL = JOBS * PROBLEMS };

/* ---- Threads -------------------------------------------------------------------------------- */

typedef struct Worker {
  SlipProblem *const *problem;
  int first; /* where in the list this one begins, so that threads do different things at a time */
  Answer *answers;
} Worker;

static void *work(void *user) {
  const Worker *worker = user;
  for (int k = 0; k < ALL; k++) {
    int at = (k + worker->first) % ALL;
    Answer *answer = &worker->answers[at];
    SlipError error = {0};
    if (jobs[at / PROBLEMS].run(worker->problem[at % PROBLEMS], jobs[at / PROBLEMS].method, answer,
                                &error) != SLIP_OK)
      snprintf(answer->failure, sizeof answer->failure, "%s", error.text);
  }
  return NULL;
}

static void compare(const Answer *alone, const Answer *beside) {
  for (int k = 0; k < ALL; k++) {
    const char *kind = problems[k % PROBLEMS].kind, *method = jobs[k / PROBLEMS].method;
    if (alone[k].failure[0] || beside[k].failure[0])
      fail_msg("%s %s: '%s' alone, '%s' beside others", kind, method ? method : "",
               alone[k].failure, beside[k].failure);
    if (alone[k].count != beside[k].count ||
        memcmp(alone[k].values, beside[k].values, alone[k].count * sizeof(double)) != 0)
      fail_msg("%s %s: other bits than alone", kind, method ? method : "job");
  }
}

static void test_shared_problems(void **state) {
  (void)state;
  SlipProblem *problem[PROBLEMS];
  pthread_t thread[THREADS];
  Worker worker[THREADS + 1]; /* the last one works alone */
  for (int p = 0; p < PROBLEMS; p++)
    problem[p] =
        generate_problem(problems[p].kind, problems[p].contacts, problems[p].dimension, NULL);
  for (int t = 0; t <= THREADS; t++) {
    worker[t] = (Worker){problem, t * ALL / THREADS, calloc(ALL, sizeof(Answer))};
    assert_non_null(worker[t].answers);
  }
  work(&worker[THREADS]);
  for (int t = 0; t < THREADS; t++)
    assert_int_equal(pthread_create(&thread[t], NULL, work, &worker[t]), 0);
  for (int t = 0; t < THREADS; t++)
    assert_int_equal(pthread_join(thread[t], NULL), 0);
  for (int t = 0; t < THREADS; t++)
    compare(worker[THREADS].answers, worker[t].answers);
  for (int t = 0; t <= THREADS; t++)
    free(worker[t].answers);
  for (int p = 0; p < PROBLEMS; p++)
    slip_problem_free(problem[p]);
}

/* ---- Large matrices ------------------------------------------------------------------------- */

/* Enough contacts for a matrix to be ordered by nested dissection. */
enum { LARGE = 4200, TURNS = 2 };

typedef struct Large {
  const SlipProblem *problem;
  double *r[TURNS];
} Large;

static void *step_large(void *user) {
  Large *large = user;
  size_t count = components(large->problem);
  for (int k = 0; k < TURNS; k++) {
    SlipSettings *settings = NULL;
    SlipSolver *solver = NULL;
    large->r[k] = calloc(count, sizeof(double));
    if (!large->r[k] || slip_settings_create("alm", &settings, NULL) != SLIP_OK ||
        slip_settings_set_real(settings, "max-iter", 3, NULL) != SLIP_OK ||
        slip_solver_create(large->problem, settings, &solver, NULL) != SLIP_OK ||
        slip_solver_run(solver, NULL) != SLIP_OK)
      return NULL; /* all zeros, which is no result of these steps */
    memcpy(large->r[k], slip_solver_result(solver)->r, count * sizeof(double));
    slip_solver_free(solver);
    slip_settings_free(settings);
  }
  return NULL;
}

/* The order of elimination decides the rounding: it must not depend on what other threads order. */
static void test_large_matrices(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", LARGE, 3, NULL);
  Large large[3] = {{.problem = problem}, {.problem = problem}, {.problem = problem}};
  pthread_t thread[2];
  step_large(&large[0]);
  for (int t = 0; t < 2; t++)
    assert_int_equal(pthread_create(&thread[t], NULL, step_large, &large[t + 1]), 0);
  for (int t = 0; t < 2; t++)
    assert_int_equal(pthread_join(thread[t], NULL), 0);
  double largest = 0;
  for (size_t k = 0; k < components(problem); k++)
    largest = fmax(largest, fabs(large[0].r[0][k]));
  assert_true(largest > 0);
  for (int t = 0; t < 3; t++) {
    for (int k = 0; k < TURNS; k++) {
      assert_memory_equal(large[t].r[k], large[0].r[0], components(problem) * sizeof(double));
      if (t > 0 || k > 0)
        free(large[t].r[k]);
    }
  }
  free(large[0].r[0]);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_problems),
                                     cmocka_unit_test(test_large_matrices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
