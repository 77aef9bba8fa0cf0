/* A run gives the same bits whatever the solver did before: every method, run twice, after another
 * problem's data, and after a run that was interrupted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "solving.h"

typedef struct Bits {
  double *r;
  size_t bytes;
  int64_t iterations;
  SlipOutcome outcome;
} Bits;

static SlipSolver *make_solver(const SlipProblem *problem, const char *method) {
  SlipSettings *settings;
  SlipSolver *solver = NULL;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", "1e-8", NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "40", NULL), SLIP_OK);
  SlipStatus status = slip_solver_create(problem, settings, &solver, NULL);
  assert_true(status == SLIP_OK || status == SLIP_ERROR_MISMATCH);
  slip_settings_free(settings);
  return solver;
}

static void run(SlipSolver *solver) {
  SlipError error = {0};
  if (slip_solver_run(solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

static Bits keep(const SlipSolver *solver) {
  const SlipResult *result = slip_solver_result(solver);
  size_t bytes = (size_t)result->dimension * (size_t)result->contacts * sizeof(double);
  Bits bits = {malloc(bytes + 1), bytes, result->iterations, result->outcome};
  memcpy(bits.r, result->r, bytes);
  return bits;
}

static void expect_same(const SlipSolver *solver, const Bits *bits, const char *method,
                        const char *after) {
  const SlipResult *result = slip_solver_result(solver);
  if (result->iterations != bits->iterations || result->outcome != bits->outcome ||
      memcmp(result->r, bits->r, bits->bytes) != 0)
    fail_msg("%s: another run %s gives other bits", method, after);
}

static int stop_at_once(const SlipProgress *progress, void *user) {
  int *calls = user;
  (void)progress;
  return ++*calls >= 3;
}

static void update(SlipSolver *solver, const double *q, const double *mu) {
  SlipUpdate change = slip_default_update();
  change.q = q;
  change.mu = mu;
  assert_int_equal(slip_solver_update(solver, &change, NULL), SLIP_OK);
}

/* Other q and mu, and back. */
static void there_and_back(SlipSolver *solver, const SlipProblem *problem) {
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  int32_t nc = data.contacts, m = data.dimension * nc;
  double *q = malloc(((size_t)m + 1) * sizeof *q), *mu = malloc(((size_t)nc + 1) * sizeof *mu);
  for (int32_t k = 0; k < m; k++)
    q[k] = data.q[k] * (0.5 + k * 7 % 5);
  for (int32_t k = 0; k < nc; k++)
    mu[k] = 0.1 + 0.05 * k;
  update(solver, q, mu);
  run(solver);
  update(solver, data.q, data.laws->mu);
  free(q);
  free(mu);
}

static void repeat(const SlipProblem *problem, const char *method) {
  int calls = 0;
  SlipSolver *solver = make_solver(problem, method);
  if (!solver)
    return;
  run(solver);
  Bits bits = keep(solver);
  run(solver);
  expect_same(solver, &bits, method, "at once");
  there_and_back(solver, problem);
  run(solver);
  expect_same(solver, &bits, method, "after another problem");
  slip_solver_set_progress(solver, stop_at_once, &calls);
  run(solver);
  slip_solver_set_progress(solver, NULL, NULL);
  run(solver);
  expect_same(solver, &bits, method, "after an interruption");
  free(bits.r);
  slip_solver_free(solver);
}

static void test_all_methods(void **state) {
  const char *const kinds[] = {"random", "pile", "elastic"};
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    SlipProblem *problem = generate_problem(kinds[k], 15, 3, NULL), *local = NULL;
    if (slip_problem_form(problem) == SLIP_FORM_LOCAL)
      local = problem;
    else
      assert_int_equal(slip_problem_reduce(problem, &local, NULL), SLIP_OK);
    for (int i = 0; i < slip_method_count(); i++)
      repeat(local, slip_method_info(i)->name);
    if (local != problem)
      slip_problem_free(local);
    slip_problem_free(problem);
  }
}

/* A start that no arithmetic survives is refused. */
static void test_warm_start_must_be_of_use(void **state) {
  const double wrong[] = {NAN, INFINITY, -INFINITY, 1e300};
  (void)state;
  SlipProblem *problem = generate_problem("random", 4, 3, NULL);
  SlipSolver *solver = make_solver(problem, "nsgs");
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    double r[12] = {0};
    SlipError error = {0};
    r[7] = wrong[k];
    assert_int_equal(slip_solver_warm_start(solver, r, &error), SLIP_ERROR_PROBLEM);
    assert_non_null(strstr(error.text, "r[7]"));
  }
  slip_solver_free(solver);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_methods),
      cmocka_unit_test(test_warm_start_must_be_of_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
