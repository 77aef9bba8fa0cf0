/* Every method on every built-in problem, and what all methods have in common: warm start, the
 * same bits, refusals, presets, limits that reach inside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/slipcone.h>

#include "data.h"
#include "reference.h"
#include "solving.h"

enum { CONTACTS = 12 };

/* What a method is not asked to solve, and why (docs/methods has more). `method` is the beginning
 * of its name. Each line must still be needed. */
typedef struct Exclusion {
  const char *method, *kind;
} Exclusion;

static const Exclusion exclusions[] = {
    /* Newton without a line search cycles on the contact of Bonnefon, Daviet 2011 */
    {"nsgs-ac", "one"},
    {"psor-ac", "one"},
    /* the friction bound of Algorithm 11 does not contract where W has half rank */
    {"tresca-", "deficient"},
    {"tresca-", "deficient-global"},
    /* condition 1e10: first-order methods and sweeps may need millions of iterations */
    {"", "ill"},
};
enum { EXCLUSIONS = sizeof exclusions / sizeof exclusions[0] };

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

/* Index of the exclusion that holds, or -1. */
static int exclusion_of(const char *method, const char *kind) {
  for (int k = 0; k < EXCLUSIONS; k++) {
    bool whole = !strcmp(exclusions[k].method, method) ||
                 !strcmp(exclusions[k].method, "tresca-") || !*exclusions[k].method;
    if (whole && begins(method, exclusions[k].method) && !strcmp(kind, exclusions[k].kind))
      return k;
  }
  return -1;
}

/* The other families have tests of their own. */
static bool is_elsewhere(const SlipMethodInfo *method) {
  static const char *const here[] = {"splitting", "vi",   "proximal point", "alternating",
                                     "Tresca",    "ACLM", "convex",         NULL};
  for (int k = 0; here[k]; k++)
    if (!strcmp(method->family, here[k]))
      return false;
  return true;
}

/* Second names of methods that are tried under the first. */
static bool is_alias(const char *method) {
  return begins(method, "acl-") || begins(method, "soclcp-convexqp") ||
         !strcmp(method, "soclcp-spg") || !strcmp(method, "soclcp-apgd");
}

static bool is_symmetric_only(const char *method) {
  return strstr(method, "convexqp") || strstr(method, "spg") || strstr(method, "apgd") ||
         strstr(method, "socp");
}

static bool is_refused(const char *method, const char *kind) {
  return !strcmp(kind, "unsymmetric") && is_symmetric_only(method);
}

/* ---- Conformance ------------------------------------------------------------------------- */

/* Returns whether it was solved. */
static bool try_excluded(const SlipProblem *problem, const char *method) {
  Solved run = solve_with(problem, method, "tol=1e-4 max-iter=10", NULL);
  bool solved = run.outcome == SLIP_SOLVED;
  if (solved != (run.reference <= 1e-4 * (1 + 1e-6)))
    fail_msg("%s: %s with an error of %g", method, slip_outcome_name(run.outcome), run.reference);
  free(run.r);
  return solved;
}

static void test_every_method_on_every_problem(void **state) {
  (void)state;
  int missed[EXCLUSIONS] = {0};
  for (int g = 0; g < slip_generate_count(); g++) {
    const char *kind = slip_generate_info(g)->name;
    if (is_about_existence(kind))
      continue;
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_small(kind, CONTACTS, d);
      const SlipMethodInfo *method;
      for (int k = 0; problem && (method = slip_method_info(k)); k++) {
        int excluded = exclusion_of(method->name, kind);
        if (is_elsewhere(method) || is_alias(method->name) || is_refused(method->name, kind))
          continue;
        if (excluded >= 0)
          missed[excluded] += !try_excluded(problem, method->name);
        else
          expect_solved(problem, kind, method->name, "tol=1e-4 max-iter=20000", 1e-4);
      }
      slip_problem_free(problem);
    }
  }
  for (int k = 0; k < EXCLUSIONS; k++)
    if (missed[k] == 0)
      fail_msg("%s* solves %s: it need not be excluded", exclusions[k].method, exclusions[k].kind);
}

/* High accuracy where the methods have it. */
static void test_high_accuracy(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_problem("random", CONTACTS, d, NULL);
    const SlipMethodInfo *method;
    for (int k = 0; (method = slip_method_info(k)); k++)
      if (!is_elsewhere(method))
        expect_solved(problem, "random", method->name, "tol=1e-9 max-iter=20000", 1e-9);
    slip_problem_free(problem);
  }
}

/* Refused with a sentence that names the method, the reason, and methods that can. */
static void expect_refused(const SlipProblem *problem, const char *method, const char *reason,
                           const char *alternative) {
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_null(solver);
  if (!strstr(error.text, method) || !strstr(error.text, reason) ||
      !strstr(error.text, alternative))
    fail_msg("%s", error.text);
  slip_settings_free(settings);
}

static void test_unsymmetric_refusals(void **state) {
  (void)state;
  double M[] = {2, -0.5, 0.5, 2}, H[] = {1, 0, 0, 1}, f[] = {-1, 0.5}, w[2] = {0}, mu = 0.4;
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = 2, .contacts = 1, .f = f, .w = w, .laws = LAWS(.mu = &mu));
  data.M = (SlipMatrix){.layout = SLIP_DENSE, .rows = 2, .cols = 2, .x = M};
  data.H = (SlipMatrix){.layout = SLIP_DENSE, .rows = 2, .cols = 2, .x = H};
  SlipProblem *global, *local = generate_problem("unsymmetric", CONTACTS, 3, NULL);
  assert_int_equal(slip_problem_create_global(&data, &global, NULL), SLIP_OK);
  const SlipMethodInfo *method;
  int refused = 0;
  for (int k = 0; (method = slip_method_info(k)); k++) {
    if (is_elsewhere(method))
      continue;
    if (!is_symmetric_only(method->name)) {
      expect_solved(global, "one unsymmetric mass", method->name, "tol=1e-6 max-iter=5000", 1e-6);
      continue;
    }
    refused++;
    expect_refused(local, method->name, "symmetric", "nsgs");
    expect_refused(global, method->name, "symmetric", "nsgs");
  }
  assert_true(refused >= 10);
  /* what the options ask for counts */
  SlipSettings *settings;
  SlipSolver *solver;
  assert_int_equal(slip_settings_create("aclm", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "inner", "apgd", NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(local, settings, &solver, NULL), SLIP_ERROR_MISMATCH);
  slip_settings_free(settings);
  slip_problem_free(global);
  slip_problem_free(local);
}

/* Whether the driver lets the method have the problem. */
static bool treats(const SlipProblem *problem, const char *method) {
  SlipSettings *settings;
  SlipSolver *solver;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  SlipStatus status = slip_solver_create(problem, settings, &solver, NULL);
  assert_true(status == SLIP_OK || status == SLIP_ERROR_MISMATCH);
  slip_solver_free(solver);
  slip_settings_free(settings);
  return status == SLIP_OK;
}

/* ---- Flows of single contacts -----------------------------------------------------------------
 */

/* Some contacts slide by Coulomb's flow and some by the associated one: a solution that takes all
 * alike has an error far above the tolerance. */
static void test_mixed_flows(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "bilateral", "slope", "dense", NULL};
  for (int g = 0; kinds[g]; g++)
    for (int32_t d = 2; d <= 3; d++) {
      if (!strcmp(kinds[g], "slope") && d == 2)
        continue;
      SlipProblem *plain = generate_problem(kinds[g], CONTACTS, d, NULL);
      SlipProblem *mixed = generate_mixed(kinds[g], CONTACTS, d);
      Solved all_slide = solve_with(plain, "auto", "tol=1e-8", NULL);
      assert_true(strcmp(kinds[g], "slope") == 0 || reference_error(mixed, all_slide.r) > 1e-3);
      free(all_slide.r);
      const SlipMethodInfo *method;
      for (int k = 0; (method = slip_method_info(k)); k++) {
        bool takes = slip_method_takes_law(method, SLIP_COULOMB, SLIP_FLOW_ASSOCIATED);
        if (!is_alias(method->name) && takes && treats(mixed, method->name))
          expect_solved(mixed, kinds[g], method->name, "tol=1e-6 max-iter=20000", 1e-6);
        if (!takes)
          expect_refused(mixed, method->name, "contact 1, whose law is coulomb with the assoc",
                         "; use auto, nsgs");
      }
      slip_problem_free(plain);
      slip_problem_free(mixed);
    }
}

/* ---- What all have in common --------------------------------------------------------------- */

static void test_warm_start(void **state) {
  (void)state;
  const int32_t m = 3 * CONTACTS;
  SlipProblem *problem = generate_problem("bilateral", CONTACTS, 3, NULL);
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++) {
    if (is_elsewhere(method))
      continue;
    Solved cold = solve_with(problem, method->name, "tol=1e-7", NULL);
    Solved again = solve_with(problem, method->name, "tol=1e-7", cold.r);
    assert_int_equal(again.outcome, SLIP_SOLVED);
    assert_int_equal(again.iterations, 0);
    for (int32_t i = 0; i < m; i++)
      again.r[i] = cold.r[i] * (1 + 1e-4 * (i % 3));
    Solved near = solve_with(problem, method->name, "tol=1e-7", again.r);
    assert_int_equal(near.outcome, SLIP_SOLVED);
    assert_true(near.iterations > 0);
    if (near.iterations > cold.iterations)
      fail_msg("%s: %lld iterations from near, %lld from 0", method->name,
               (long long)near.iterations, (long long)cold.iterations);
    free(cold.r);
    free(again.r);
    free(near.r);
  }
  slip_problem_free(problem);
}

/* Two solvers, two threads, and the same solver again: the same bits. */
static void test_same_bits(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("wall", CONTACTS, 3, NULL);
  size_t m = 3 * (size_t)slip_problem_contacts(problem);
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++) {
    if (is_elsewhere(method))
      continue;
    Solved one = solve_with(problem, method->name, "tol=1e-6 max-iter=30", NULL);
    Solved two = solve_with(problem, method->name, "tol=1e-6 max-iter=30 threads=2", NULL);
    assert_int_equal(one.iterations, two.iterations);
    assert_memory_equal(one.r, two.r, m * sizeof(double));
    SlipSettings *settings;
    SlipSolver *solver;
    assert_int_equal(slip_settings_create(method->name, &settings, NULL), SLIP_OK);
    slip_settings_set(settings, "max-iter", "30", NULL);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    for (int turn = 0; turn < 2; turn++) {
      assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
      assert_memory_equal(slip_solver_result(solver)->r, one.r, m * sizeof(double));
    }
    slip_solver_free(solver);
    slip_settings_free(settings);
    free(one.r);
    free(two.r);
  }
  slip_problem_free(problem);
}

static int interrupt_at_50(const SlipProgress *progress, void *user) {
  (void)progress;
  return ++*(int *)user >= 50;
}

/* An interrupt and the clock reach the iterations within an iteration. */
static void test_limits_reach_inside(void **state) {
  (void)state;
  static const char *const nested[] = {"aclm-fp-vi-upk", "tresca-nsgs-fp-vi-upk",
                                       "pana-pgs-eg-vi-upk", "ppa-nsgs", NULL};
  SlipProblem *problem = generate_problem("stack", 40, 3, NULL);
  for (int k = 0; nested[k]; k++) {
    SlipSettings *settings;
    SlipSolver *solver;
    int calls = 0;
    assert_int_equal(slip_settings_create(nested[k], &settings, NULL), SLIP_OK);
    slip_settings_set(settings, "tol", "0", NULL);
    slip_settings_set(settings, "inner-tol", "1e-10", NULL);
    slip_settings_set(settings, "inner-max-iter", "1000000000", NULL);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    slip_solver_set_progress(solver, interrupt_at_50, &calls);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_result(solver)->outcome, SLIP_INTERRUPTED);
    assert_int_equal(calls, 50);
    assert_true(slip_solver_result(solver)->iterations < 10);
    slip_solver_free(solver);
    slip_settings_set(settings, "time-limit", "0.02", NULL);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_result(solver)->outcome, SLIP_TIME_LIMIT);
    assert_true(slip_solver_result(solver)->seconds < 5);
    slip_solver_free(solver);
    slip_settings_free(settings);
  }
  slip_problem_free(problem);
}

/* Runs that go nowhere say so long before the limit of a million iterations. */
static void test_stalls_are_seen(void **state) {
  (void)state;
  static const struct {
    const char *method, *options;
  } lost[] = {{"nsgs-ac", ""},   {"fp-ds", "rho=1e4"},  {"nsgs", "tol=0"}, {"apgd", "tol=0"},
              {"aclm", "tol=0"}, {"ppa-nsgs", "tol=0"}, {"pana", "tol=0"}};
  SlipProblem *problem = generate_problem("one", 1, 3, NULL);
  for (size_t k = 0; k < sizeof lost / sizeof lost[0]; k++) {
    Solved run = solve_with(problem, lost[k].method, lost[k].options, NULL);
    bool exact = run.outcome == SLIP_SOLVED && run.error == 0; /* tol = 0 may be met */
    if (!exact && run.outcome != SLIP_STALLED && run.outcome != SLIP_DIVERGED)
      fail_msg("%s %s: %s after %lld iterations", lost[k].method, lost[k].options,
               slip_outcome_name(run.outcome), (long long)run.iterations);
    free(run.r);
  }
  slip_problem_free(problem);
}

/* ---- Names and options --------------------------------------------------------------------- */

static void test_names_of_the_paper(void **state) {
  (void)state;
  static const char *const names[] = {/* Table 1 */ "fp-ds",
                                      "fp-vi-upk",
                                      "fp-vi-upts",
                                      "eg-vi-upk",
                                      "eg-vi-upts",
                                      /* Table 3 */ "nsgs-ac",
                                      "nsgs-jm",
                                      "nsgs-ac-gp",
                                      "nsgs-jm-gp",
                                      "nsgs-fp-ds-one",
                                      "nsgs-fp-vi-upk",
                                      "nsgs-exact",
                                      "psor-ac",
                                      "ppa-nsn-ac",
                                      "ppa-nsgs-ac",
                                      /* Table 4 */ "pana-pgs-fp-vi-upk",
                                      "pana-pgs-eg-vi-upk",
                                      "pana-pgs-convexqp-pg",
                                      "pana-convexqp-pg",
                                      "tresca-nsgs-fp-vi-upk",
                                      "tresca-fp-vi-upk",
                                      "tresca-eg-vi-upk",
                                      "tresca-convexqp-pg",
                                      "acl-nsgs-fp-vi-upk",
                                      "acl-fp-vi-upk",
                                      "acl-eg-vi-upk",
                                      "acl-convexqp-pg",
                                      "aclm-nsgs-fp-vi-upk",
                                      "aclm-fp-vi-upk",
                                      "aclm-eg-vi-upk",
                                      "aclm-convexqp-pg",
                                      NULL};
  for (int k = 0; names[k]; k++)
    if (!slip_method_find(names[k]))
      fail_msg("there is no method %s", names[k]);
}

/* A preset names options that exist, with values they take, and settings begin with them. */
static void test_presets(void **state) {
  (void)state;
  const SlipMethodInfo *method;
  int presets = 0;
  for (int k = 0; (method = slip_method_info(k)); k++) {
    SlipSettings *settings, *plain;
    assert_int_equal(slip_settings_create(method->name, &settings, NULL), SLIP_OK);
    for (const SlipOptionValue *preset = method->preset; preset && preset->name; preset++) {
      double begun, set;
      presets++;
      assert_int_equal(slip_settings_create(method->name, &plain, NULL), SLIP_OK);
      assert_int_equal(slip_settings_set(plain, preset->name, preset->value, NULL), SLIP_OK);
      assert_int_equal(slip_settings_get_real(plain, preset->name, &set, NULL), SLIP_OK);
      assert_int_equal(slip_settings_get_real(settings, preset->name, &begun, NULL), SLIP_OK);
      assert_true(begun == set);
      slip_settings_free(plain);
    }
    slip_settings_free(settings);
  }
  assert_true(presets > 20);
  method = slip_method_find("nsgs-ac");
  assert_string_equal(slip_method_default(method, 0), "nsn-ac");
  assert_string_equal(slip_method_default(slip_method_find("nsgs"), 0), "hybrid");
  assert_null(slip_method_default(method, -1));
  assert_null(slip_method_default(method, method->option_count));
  assert_null(slip_method_default(NULL, 0));
}

static int64_t iterations(const SlipProblem *problem, const char *method, const char *options) {
  Solved run = solve_with(problem, method, options, NULL);
  assert_int_equal(run.outcome, SLIP_SOLVED);
  free(run.r);
  return run.iterations;
}

static void test_options_do_what_they_say(void **state) {
  (void)state;
  SlipProblem *random = generate_problem("random", 40, 3, NULL);
  SlipProblem *dense = generate_problem("dense", 30, 3, NULL);
  /* an omega far off is mended */
  assert_true(iterations(random, "psor", "tol=1e-8 omega=0.3 omega-rule=adaptive") <
              iterations(random, "psor", "tol=1e-8 omega=0.3"));
  expect_solved(random, "random", "psor", "tol=1e-8 omega=1.9 omega-rule=adaptive", 1e-8);
  /* a step of its own for each contact */
  static const char *const metric[] = {"fp-vi-upk", "eg-vi-upts",  "spg",
                                       "apgd",      "convexqp-pg", NULL};
  for (int k = 0; metric[k]; k++) {
    expect_solved(dense, "dense", metric[k], "tol=1e-7 metric=contact max-iter=20000", 1e-7);
    assert_true(iterations(dense, metric[k], "tol=1e-7 metric=contact") !=
                iterations(dense, metric[k], "tol=1e-7"));
  }
  /* momentum */
  assert_true(2 * iterations(random, "fp-vi-accelerated", "tol=1e-8 metric=uniform") <
              iterations(random, "fp-vi-upk", "tol=1e-8"));
  /* Anderson's acceleration */
  assert_true(iterations(dense, "aclm", "tol=1e-7") <
              iterations(dense, "aclm", "tol=1e-7 outer=plain"));
  /* the proximal parameter and relaxation */
  expect_solved(dense, "dense", "ppa-nsgs", "tol=1e-8 alpha-rule=error", 1e-8);
  expect_solved(dense, "dense", "ppa-nsn-ac", "tol=1e-8 alpha-rule=error nu=0.5", 1e-8);
  expect_solved(dense, "dense", "ppa-nsn-ac", "tol=1e-8 omega=1.2", 1e-8);
  assert_true(iterations(dense, "ppa-nsn-ac", "tol=1e-8 omega=0.5") >
              iterations(dense, "ppa-nsn-ac", "tol=1e-8"));
  slip_problem_free(random);
  slip_problem_free(dense);
}

/* The solution known by construction is found whatever solves the subproblems of s = F(s), and
 * Newton's method takes the fewest of them. */
static void test_fixed_point_of_known_solution(void **state) {
  (void)state;
  static const char *const by[] = {"aclm-ipm",    "aclm-socp", "aclm-faceted",
                                   "aclm-newton", "aclm",      NULL};
  for (int32_t d = 2; d <= 3; d++) {
    double *known, size = 0;
    SlipProblem *problem = generate_problem("random", 30, d, &known);
    for (int32_t i = 0; i < 30 * d; i++)
      size = known[i] > size ? known[i] : size;
    for (int k = 0; by[k]; k++) {
      Solved run = solve_with(problem, by[k], "tol=1e-8", NULL);
      assert_int_equal(run.outcome, SLIP_SOLVED);
      for (int32_t i = 0; i < 30 * d; i++)
        assert_float_equal(run.r[i], known[i], 1e-5 * size);
      free(run.r);
    }
    assert_true(2 * iterations(problem, "aclm-newton", "tol=1e-8") <
                iterations(problem, "aclm-ipm", "tol=1e-8"));
    expect_solved(problem, "random", "aclm", "tol=1e-8 outer=newton inner=soclcp-ipm", 1e-8);
    free(known);
    slip_problem_free(problem);
  }
  /* without columns the cone stays faceted: another problem's solution */
  SlipProblem *problem = generate_problem("random", 30, 3, NULL);
  Solved run = solve_with(problem, "soclcp-faceted", "tol=1e-8 columns=0 max-iter=2000", NULL);
  assert_true(run.outcome != SLIP_SOLVED && run.error > 1e-4);
  free(run.r);
  slip_problem_free(problem);
}

/* The relaxation is another problem: its solution has no error of its own, but one of (131), and
 * the result says which it is about. */
static void test_relaxation_is_told_apart(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("slope", 12, 3, NULL);
  SlipSettings *settings;
  SlipSolver *solver;
  double coulomb;
  assert_int_equal(slip_method_find("soclcp-nsgs")->associated, 1);
  assert_int_equal(slip_method_find("nsgs")->associated, 0);
  assert_int_equal(slip_settings_create("soclcp-nsgs", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_non_null(strstr(result->reason, "associated"));
  assert_int_equal(slip_problem_residual(problem, result->r, &coulomb, NULL, NULL), SLIP_OK);
  assert_true(result->residual <= 1e-6 && coulomb > 1e-3);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method_on_every_problem),
      cmocka_unit_test(test_high_accuracy),
      cmocka_unit_test(test_unsymmetric_refusals),
      cmocka_unit_test(test_mixed_flows),
      cmocka_unit_test(test_warm_start),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_limits_reach_inside),
      cmocka_unit_test(test_stalls_are_seen),
      cmocka_unit_test(test_names_of_the_paper),
      cmocka_unit_test(test_presets),
      cmocka_unit_test(test_options_do_what_they_say),
      cmocka_unit_test(test_fixed_point_of_known_solution),
      cmocka_unit_test(test_relaxation_is_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
