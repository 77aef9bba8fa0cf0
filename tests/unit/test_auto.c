/* auto and alm: every built-in problem at high accuracy, warm starts, updates, limits across
 * stages, and the same path on every run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "data.h"
#include "solving.h"

static void solve_accurately(const SlipProblem *problem, const char *kind) {
  expect_solved(problem, kind, "auto", "tol=1e-8 max-iter=20000", 1e-8);
}

static void test_every_built_in_problem(void **state) {
  (void)state;
  each_built_in_problem(40, solve_accurately);
}

/* Where Gauss-Seidel needs tens of thousands of sweeps the later stages take over; the reason
 * says so. */
static void test_stages_take_over(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 40, 3, NULL);
  Solved sweeps = solve_with(problem, "nsgs", "tol=1e-8 max-iter=6000", NULL);
  Solved plan = solve_with(problem, "auto", "tol=1e-8 max-iter=6000", NULL);
  assert_int_equal(sweeps.outcome, SLIP_MAX_ITER);
  assert_int_equal(plan.outcome, SLIP_SOLVED);
  assert_non_null(strstr(plan.reason, "(sweeps 75 nsgs-accelerated, newton "));
  assert_non_null(strstr(plan.reason, " alm)"));
  free(sweeps.r);
  free(plan.r);
  slip_problem_free(problem);
}

/* Known in closed form, few contacts: no other stage is ever started. */
static void test_tiny_problems_stay_with_few(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("one", 1, 3, NULL);
  Solved solved = solve_with(problem, "auto", "tol=1e-12", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  assert_true(solved.iterations <= 2);
  assert_non_null(strstr(solved.reason, "(few-contacts "));
  assert_non_null(strstr(solved.reason, " few)"));
  free(solved.r);
  slip_problem_free(problem);
}

static void test_same_path(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 30, 3, NULL);
  Solved a = solve_with(problem, "auto", "tol=1e-8", NULL);
  Solved b = solve_with(problem, "auto", "tol=1e-8 threads=2", NULL);
  assert_int_equal(a.iterations, b.iterations);
  assert_string_equal(a.reason, b.reason);
  assert_memory_equal(a.r, b.r, 90 * sizeof(double));
  free(a.r);
  free(b.r);
  slip_problem_free(problem);
}

static void test_limits_hold_across_stages(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 40, 3, NULL);
  for (int limit = 55; limit < 75; limit += 6) {
    char options[64];
    snprintf(options, sizeof options, "tol=1e-15 max-iter=%d", limit);
    Solved solved = solve_with(problem, "auto", options, NULL);
    assert_int_equal(solved.outcome, SLIP_MAX_ITER);
    assert_int_equal(solved.iterations, limit);
    free(solved.r);
  }
  slip_problem_free(problem);
}

/* More iterations never end with a larger error: stages only improve. */
static void test_never_worse(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 40, 3, NULL);
  double last = INFINITY;
  for (int limit = 40; limit <= 160; limit += 10) {
    char options[64];
    snprintf(options, sizeof options, "tol=1e-14 max-iter=%d error-every=1", limit);
    Solved solved = solve_with(problem, "auto", options, NULL);
    assert_true(solved.error <= last);
    last = solved.error;
    free(solved.r);
  }
  slip_problem_free(problem);
}

/* Without a solution impulses may grow beyond all bounds within a stage: that ends the stage, not
 * the run. */
static void test_no_solution(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults("walls", &options, NULL), SLIP_OK);
  options.mu = 0.3;
  options.angle = 0.3;
  assert_int_equal(slip_generate("walls", &options, &problem, NULL, NULL), SLIP_OK);
  Solved solved = solve_with(problem, "auto", "tol=1e-8", NULL);
  assert_int_equal(solved.outcome, SLIP_STALLED);
  assert_non_null(strstr(solved.reason, "every stage of the plan has stalled"));
  assert_non_null(strstr(solved.reason, "loop-changed "));
  assert_int_equal(solved.reason[strlen(solved.reason) - 1], ')'); /* all stages find room */
  free(solved.r);
  slip_problem_free(problem);
}

/* One solver for several problems: the parts made on the way are used again, and an update of mu
 * reaches them. */
static void test_updates(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 30, 3, NULL);
  SlipSettings *settings;
  SlipSolver *solver;
  double mu[30];
  slip_settings_create("auto", &settings, NULL);
  slip_settings_set(settings, "tol", "1e-8", NULL);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  for (int k = 0; k < 30; k++)
    mu[k] = k % 3 == 0 ? 0 : 0.3;
  SlipUpdate update = *UPDATE(.mu = mu);
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
}

enum { WALLED = 6 }; /* contacts of a box between walls in 2D: two on the floor, four on walls */

/* Walls that close on the box with this velocity, so that there is no solution; another mu, unless
 * it is 0. */
static void run_walls(SlipSolver *solver, double closing, double mu, SlipOutcome outcome) {
  double w[2 * WALLED] = {0}, all[WALLED];
  for (int k = 0; k < WALLED; k++) {
    w[2 * k] = k < 2 ? 0 : -closing;
    all[k] = mu;
  }
  assert_int_equal(slip_solver_update(solver, UPDATE(.w = w, .mu = mu > 0 ? all : NULL), NULL),
                   SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, outcome);
}

/* A run of a few contacts that its first iteration solves makes no plan: what it was told of new
 * laws must reach the methods that an earlier run has made when a later one needs them again. */
static void test_updates_between_plans(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  SlipSolver *used, *fresh;
  assert_int_equal(slip_generate_defaults("walls", &options, NULL), SLIP_OK);
  options.dimension = 2;
  assert_int_equal(slip_generate("walls", &options, &problem, NULL, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, NULL, &used, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, NULL, &fresh, NULL), SLIP_OK);
  run_walls(used, 0.1, 0.9, SLIP_STALLED);
  run_walls(used, 0, 0.2, SLIP_SOLVED);
  assert_non_null(strstr(slip_solver_result(used)->reason, "(few-contacts 1 few)"));
  run_walls(used, 0.1, 0, SLIP_STALLED);
  run_walls(fresh, 0.1, 0.2, SLIP_STALLED);
  const SlipResult *a = slip_solver_result(used), *b = slip_solver_result(fresh);
  assert_int_equal(a->iterations, b->iterations);
  assert_string_equal(a->reason, b->reason);
  assert_memory_equal(a->r, b->r, sizeof(double[2 * WALLED]));
  slip_solver_free(used);
  slip_solver_free(fresh);
  slip_problem_free(problem);
}

/* alm by itself, from nothing and near a solution. */
static void test_alm(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "unsymmetric", "frictionless", "bilateral",
                                      "joints", "dense",       "elastic",      NULL};
  for (int k = 0; kinds[k]; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_problem(kinds[k], 24, d, NULL);
      expect_solved(problem, kinds[k], "alm", "tol=1e-10 max-iter=60", 1e-10);
      slip_problem_free(problem);
    }
  }
}

static void test_alm_from_nearby(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = generate_problem("random", 40, 3, &known);
  for (int k = 0; k < 120; k++)
    known[k] *= 1 + 1e-5 * sin(k);
  Solved warm = solve_with(problem, "alm", "tol=1e-10", known);
  Solved cold = solve_with(problem, "alm", "tol=1e-10", NULL);
  assert_int_equal(warm.outcome, SLIP_SOLVED);
  assert_int_equal(cold.outcome, SLIP_SOLVED);
  assert_true(warm.iterations < cold.iterations && warm.iterations <= 5);
  free(warm.r);
  free(cold.r);
  slip_generate_free_r(known);
  slip_problem_free(problem);
}

/* Near a solution Newton takes over sooner, and is sooner there. */
static void test_auto_from_nearby(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 40, 3, NULL);
  Solved cold = solve_with(problem, "auto", "tol=1e-10", NULL);
  assert_int_equal(cold.outcome, SLIP_SOLVED);
  for (int32_t k = 0; k < 3 * slip_problem_contacts(problem); k++)
    cold.r[k] *= 1 + 1e-2 * sin(k);
  Solved warm = solve_with(problem, "auto", "tol=1e-10", cold.r);
  assert_int_equal(warm.outcome, SLIP_SOLVED);
  assert_true(cold.iterations > 50 && 10 * warm.iterations < 7 * cold.iterations);
  free(cold.r);
  free(warm.r);
  slip_problem_free(problem);
}

/* It says so when it gets nowhere, and sooner with less patience. */
static void test_alm_gives_up(void **state) {
  (void)state;
  const double W[9] = {0}, q[3] = {-1, 0, 0}, mu = 0.5;
  SlipProblem *problem;
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, W), .q = q,
                                  .laws = LAWS(.mu = &mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  Solved brief = solve_with(problem, "alm", "tol=1e-8 patience=5", NULL);
  Solved patient = solve_with(problem, "alm", "tol=1e-8 patience=40", NULL);
  assert_int_equal(brief.outcome, SLIP_STALLED);
  assert_int_equal(patient.outcome, SLIP_STALLED);
  assert_true(brief.iterations < patient.iterations);
  free(brief.r);
  free(patient.r);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_built_in_problem),
      cmocka_unit_test(test_stages_take_over),
      cmocka_unit_test(test_tiny_problems_stay_with_few),
      cmocka_unit_test(test_same_path),
      cmocka_unit_test(test_limits_hold_across_stages),
      cmocka_unit_test(test_never_worse),
      cmocka_unit_test(test_no_solution),
      cmocka_unit_test(test_updates),
      cmocka_unit_test(test_updates_between_plans),
      cmocka_unit_test(test_alm),
      cmocka_unit_test(test_alm_from_nearby),
      cmocka_unit_test(test_auto_from_nearby),
      cmocka_unit_test(test_alm_gives_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
