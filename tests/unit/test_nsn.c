/* Nonsmooth Newton on whole problems: conformance on the built-in problems, known solutions,
 * quadratic convergence, the two forms of the linear system, every option, and what happens where
 * the matrix is singular or nothing is finite. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/slipcone.h>

#include "data.h"
#include "solving.h"

static const char *const methods[] = {"nsn-ac",    "nsn-ac-gp", "nsn-ac-a",      "nsn-jm",
                                      "nsn-jm-gp", "nsn-jm-a",  "nsn-nm",        "nsn-nm-gp",
                                      "nsn-nm-a",  "nsn-fb",    "nsn-fb-gp",     "nsn-fb-a",
                                      "nsn-hsw",   "nsn-xsw",   "nsn-ac-hybrid", NULL};

/* Pairs that are not solved, with why, or that are or are not by rounding, which differs between
 * processors; docs/methods/nsn.md has the same list. */
typedef enum Expected { SOLVED, NOT_SOLVED, BY_ROUNDING } Expected;

static const struct {
  const char *method, *kind;
  int dimension;
  Expected expected;
} exceptions[] = {
    /* without a line search, Jean-Moreau's disks, whose radius lags behind, make it cycle */
    {"nsn-jm", "random", 3, NOT_SOLVED},
    {"nsn-jm", "unsymmetric", 3, NOT_SOLVED},
    {"nsn-jm", "deficient", 2, NOT_SOLVED},
    {"nsn-jm", "ill", 2, BY_ROUNDING},
    /* strong coupling of normal and tangents: without a line search they cycle */
    {"nsn-ac", "one", 3, NOT_SOLVED},
    {"nsn-jm", "one", 3, NOT_SOLVED},
    /* rank-deficient W: singular matrices, or a point where |F| is least but not 0 */
    {"nsn-ac-gp", "deficient-global", 2, NOT_SOLVED},
    {"nsn-xsw", "deficient", 3, NOT_SOLVED},
    /* the same, or W of condition 1e8: what the factors of an almost singular matrix hold decides
     */
    {"nsn-ac", "deficient-global", 2, BY_ROUNDING},
    {"nsn-jm", "deficient-global", 2, BY_ROUNDING},
    {"nsn-nm", "deficient-global", 2, BY_ROUNDING},
    {"nsn-hsw", "deficient-global", 2, BY_ROUNDING},
    {"nsn-jm", "ill", 3, BY_ROUNDING},
    {"nsn-xsw", "ill", 3, BY_ROUNDING},
    {"nsn-nm-gp", "ill", 3, BY_ROUNDING},
    {"nsn-nm-a", "ill", 3, BY_ROUNDING},
    {"nsn-ac", "pile", 2, BY_ROUNDING},
    {"nsn-ac", "pile", 3, BY_ROUNDING},
    {"nsn-jm", "pile", 3, BY_ROUNDING},
    {"nsn-nm", "wall", 3, BY_ROUNDING},
    {"nsn-jm", "wall", 3, BY_ROUNDING},
    {"nsn-ac-hybrid", "wall", 3, BY_ROUNDING},
    {"nsn-fb", "stack", 2, BY_ROUNDING},
    {"nsn-jm", "pile", 2, BY_ROUNDING},
};

static Expected expected_of(const char *method, const char *kind, int dimension) {
  for (size_t k = 0; k < sizeof exceptions / sizeof exceptions[0]; k++) {
    if (!strcmp(exceptions[k].method, method) && !strcmp(exceptions[k].kind, kind) &&
        exceptions[k].dimension == dimension)
      return exceptions[k].expected;
  }
  return SOLVED;
}

/* Solved or not, as expected; and whatever the outcome, SOLVED is said of solutions only. */
static int conform(const SlipProblem *problem, const char *method, const char *kind, int d) {
  Solved run = solve_with(problem, method, "tol=1e-8 max-iter=400", NULL);
  Expected expected = expected_of(method, kind, d);
  int good = run.reference <= 1e-8 * (1 + 1e-6);
  int conforms = expected == BY_ROUNDING || good == (expected == SOLVED);
  free(run.r);
  assert_true((run.outcome == SLIP_SOLVED) == good);
  if (!conforms) /* the list must not be longer than needed */
    print_message("%s %s %dD: %s, error %g\n", method, kind, d, slip_outcome_name(run.outcome),
                  run.error);
  return conforms;
}

static void test_every_built_in_problem(void **state) {
  (void)state;
  int failed = 0;
  for (int k = 0; k < slip_generate_count(); k++) {
    const char *kind = slip_generate_info(k)->name;
    if (is_about_existence(kind))
      continue;
    for (int32_t d = 2; d <= 3; d++) {
      if (d == 2 && !strcmp(kind, "one")) /* which is of three dimensions */
        continue;
      SlipProblem *problem = generate_problem(kind, !strcmp(kind, "one") ? 1 : 30, d, NULL);
      for (int m = 0; methods[m]; m++) {
        if (d == 3 || strcmp(methods[m], "nsn-xsw") != 0)
          failed += !conform(problem, methods[m], kind, d);
      }
      slip_problem_free(problem);
    }
  }
  assert_int_equal(failed, 0);
}

static void test_known_solution(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    double *known;
    SlipProblem *problem = generate_unique(50, d, &known);
    for (int m = 0; methods[m]; m++) {
      if ((d == 2 && !strcmp(methods[m], "nsn-xsw")))
        continue;
      Solved run = solve_with(problem, methods[m], "tol=1e-12 max-iter=300", NULL);
      assert_int_equal(run.outcome, SLIP_SOLVED);
      for (int k = 0; k < 50 * d; k++)
        assert_true(fabs(run.r[k] - known[k]) < 1e-9);
      free(run.r);
      run = solve_with(problem, methods[m], "tol=1e-12", known); /* from the solution: at once */
      assert_int_equal(run.outcome, SLIP_SOLVED);
      assert_int_equal(run.iterations, 0);
      free(run.r);
    }
    slip_generate_free_r(known);
    slip_problem_free(problem);
  }
}

/* Near a regular solution the error of each step is about the square of the last one's. */
static void test_quadratic_convergence(void **state) {
  (void)state;
  static const char *const quadratic[] = {"nsn-ac", "nsn-nm", "nsn-fb", "nsn-hsw", NULL};
  SlipProblem *problem = generate_problem("random", 40, 3, NULL);
  for (int m = 0; quadratic[m]; m++) {
    SlipSettings *settings;
    SlipSolver *solver;
    assert_int_equal(slip_settings_create(quadratic[m], &settings, NULL), SLIP_OK);
    slip_settings_set(settings, "tol", "1e-13", NULL);
    slip_settings_set(settings, "max-iter", "100", NULL);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    const SlipResult *result = slip_solver_result(solver);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    int seen = 0;
    for (int32_t k = 1; k < result->trace_count; k++) {
      double before = result->trace[k - 1].residual, after = result->trace[k].residual;
      if (before < 1e-3 && before > 1e-7) {
        assert_true(after < fmax(1e3 * before * before, 1e-13));
        seen++;
      }
    }
    assert_true(seen >= 1);
    slip_solver_free(solver);
    slip_settings_free(settings);
  }
  slip_problem_free(problem);
}

/* (156) and (157), dense and sparse, give the same steps up to rounding. */
static void test_forms_agree(void **state) {
  (void)state;
  static const char *const variants[] = {"form=local linear=dense", "form=local linear=sparse",
                                         "form=global linear=dense", "form=global linear=sparse"};
  static const char *const kinds[] = {"elastic", "slope"};
  for (int p = 0; p < 4; p++) {
    int32_t d = 2 + p % 2;
    SlipProblem *problem = generate_problem(kinds[p / 2], 20, d, NULL);
    int32_t m = d * slip_problem_contacts(problem);
    Solved first = {0};
    for (int k = 0; k < 4; k++) {
      char options[96];
      snprintf(options, sizeof options, "max-iter=4 tol=0 %s", variants[k]);
      Solved run = solve_with(problem, "nsn-fb", options, NULL);
      double size = 0, apart = 0;
      for (int32_t j = 0; k > 0 && j < m; j++) {
        size = fmax(size, fabs(first.r[j]));
        apart = fmax(apart, fabs(first.r[j] - run.r[j]));
      }
      assert_true(apart <= 1e-8 * size);
      if (k == 0)
        first = run;
      else
        free(run.r);
    }
    free(first.r);
    slip_problem_free(problem);
  }
}

static void test_options(void **state) {
  (void)state;
  static const char *const rules[] = {"fixed",           "norm",     "eigen", "split",
                                      "split-condition", "adaptive", NULL};
  SlipProblem *problem = generate_problem("random", 25, 3, NULL);
  for (int k = 0; rules[k]; k++) {
    char options[128];
    snprintf(options, sizeof options, "tol=1e-9 max-iter=300 rho-rule=%s", rules[k]);
    expect_solved(problem, "random", "nsn-ac-gp", options, 1e-9);
    expect_solved(problem, "random", "nsn-fb-gp", options, 1e-9);
  }
  expect_solved(problem, "random", "nsn-nm-gp", "tol=1e-9 rho=3", 1e-9);
  expect_solved(problem, "random", "nsn-nm-a", "tol=1e-9 search-memory=1 search-trials=30", 1e-9);
  expect_solved(problem, "random", "nsn-nm", "tol=1e-9 first=50", 1e-9);
  expect_solved(problem, "random", "nsn-nm", "tol=1e-9 first=5 again=1", 1e-9);
  Solved plain = solve_with(problem, "nsn-ac-gp", "max-iter=3 tol=0", NULL);
  Solved other = solve_with(problem, "nsn-ac-gp", "max-iter=3 tol=0 rho=5", NULL);
  Solved again = solve_with(problem, "nsn-ac-gp", "max-iter=3 tol=0 threads=2", NULL);
  assert_memory_not_equal(plain.r, other.r, 75 * sizeof(double));
  assert_memory_equal(plain.r, again.r, 75 * sizeof(double)); /* the same bits */
  free(plain.r);
  free(other.r);
  free(again.r);
  slip_problem_free(problem);
}

/* Steps without a line search that go round and round: another turn of eg-vi-upk ends it. Which
 * problems they do so on is decided by rounding, which differs between processors: of several
 * piles some are not solved without, and all are with it. */
static void test_again(void **state) {
  (void)state;
  int lost = 0;
  for (int32_t contacts = 30; contacts <= 80; contacts += 10) {
    SlipProblem *problem = generate_problem("pile", contacts, 2, NULL);
    Solved never = solve_with(problem, "nsn-ac-hybrid", "tol=1e-8 max-iter=150 again=0", NULL);
    lost += never.outcome != SLIP_SOLVED;
    free(never.r);
    expect_solved(problem, "pile", "nsn-ac-hybrid", "tol=1e-8 max-iter=150", 1e-8);
    slip_problem_free(problem);
  }
  assert_true(lost > 0);
}

static SlipProblem *one_contact(int32_t d, const double *W, const double *q, double mu) {
  SlipLocalData data = LOCAL_DATA(.dimension = d, .contacts = 1, .W = slip_dense(d, d, W), .q = q,
                                  .laws = LAWS(.mu = &mu));
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* W = 0 (closed contacts have singular blocks), values at the ends of the range, no contacts. */
static void test_singular_and_extreme(void **state) {
  (void)state;
  const double none[9] = {0}, huge[9] = {1e300, 0, 0, 0, 1e300, 0, 0, 0, 1e300};
  const double tiny[9] = {1e-300, 0, 0, 0, 1e-300, 0, 0, 0, 1e-300};
  const double q[3] = {-1, 0.5, 0.2}, open[3] = {1, 0.5, 0.2}, big[3] = {-1e200, 1e200, 0};
  const double *Ws[] = {none, huge, tiny}, *qs[] = {q, open, big};
  for (int p = 0; p < 9; p++) {
    SlipProblem *problem = one_contact(3, Ws[p / 3], qs[p % 3], 0.5);
    for (int m = 0; methods[m]; m++) {
      Solved run = solve_with(problem, methods[m], "tol=1e-8 max-iter=50", NULL);
      assert_true(isfinite(run.r[0]) && isfinite(run.r[1]) && isfinite(run.r[2]));
      if (p % 3 == 1)
        assert_int_equal(run.outcome, SLIP_SOLVED);
      if (p == 0) /* no W: nothing can stop the contact from closing */
        assert_int_not_equal(run.outcome, SLIP_SOLVED);
      free(run.r);
    }
    slip_problem_free(problem);
  }
  SlipProblem *problem = one_contact(2, none, q, 0.5);
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  slip_settings_create("nsn-xsw", &settings, NULL);
  assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_non_null(strstr(error.text, "two dimensions"));
  slip_settings_free(settings);
  slip_settings_create("nsn-ac", &settings, NULL);
  slip_settings_set(settings, "form", "global", NULL);
  assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_non_null(strstr(error.text, "form=local"));
  slip_settings_free(settings);
  slip_problem_free(problem);
  SlipLocalData empty = LOCAL_DATA(.dimension = 3, .contacts = 0, .W = slip_dense(0, 0, none),
                                   .q = q, .laws = LAWS(.mu = q));
  assert_int_equal(slip_problem_create_local(&empty, &problem, NULL), SLIP_OK);
  expect_solved(problem, "no contacts", "nsn-ac", "tol=1e-8", 1e-8);
  slip_problem_free(problem);
}

/* mu = 0, tiny and large. */
static void test_extreme_friction(void **state) {
  (void)state;
  static const double mus[] = {0, 1e-6, 1e-3, 10, 1e3};
  for (int k = 0; k < 5; k++) {
    SlipGenerate options = slip_default_generate();
    SlipProblem *problem;
    slip_generate_defaults("random", &options, NULL);
    options.contacts = 12;
    options.mu = mus[k];
    assert_int_equal(slip_generate("random", &options, &problem, NULL, NULL), SLIP_OK);
    expect_solved(problem, "any mu", "nsn-ac-gp", "tol=1e-7 max-iter=300", 1e-7);
    expect_solved(problem, "any mu", "nsn-fb-gp", "tol=1e-7 max-iter=300", 1e-7);
    expect_solved(problem, "any mu", "ppa-nsn-ac-gp", "tol=1e-7 max-iter=300", 1e-7);
    slip_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_built_in_problem),
      cmocka_unit_test(test_known_solution),
      cmocka_unit_test(test_quadratic_convergence),
      cmocka_unit_test(test_forms_agree),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_again),
      cmocka_unit_test(test_singular_and_extreme),
      cmocka_unit_test(test_extreme_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
