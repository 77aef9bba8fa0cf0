/* Rounded and capped sets as a user meets them: solutions known by construction by every method
 * that takes them, refusals by the others, what one contact bears, limits, units, files, the
 * existence check. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/io.h>

#include "compare.h"
#include "data.h"
#include "law_case.h"
#include "reference.h"
#include "small_files.h"
#include "solving.h"
#include "units_case.h"

static const LawCase cases[] = {
    {.law = SLIP_ROUNDED, .mu = 0.4, .ball = 0.5},
    {.law = SLIP_ROUNDED, .mu = 0.4, .ball = 0.5, .tangential = 0.2},
    {.law = SLIP_CAPPED, .mu = 0.4, .ball = 0.5, .cap = 0.6},
    {.law = SLIP_CAPPED, .mu = 0.8, .ball = 0.2, .tangential = 0.6, .cap = 0.4, .compliant = 1},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void test_every_method(void **state) {
  (void)state;
  for (int k = 0; k < CASES; k++)
    law_case_by_all(&cases[k], k % 2 ? "joints" : "random", 12, 70);
}

static void test_auto(void **state) {
  (void)state;
  law_cases_by_auto(cases, CASES);
  for (int c = 0; c < CASES; c++)
    law_case_by_auto(&cases[c], "ill", 60);
}

static void test_refusals(void **state) {
  (void)state;
  static const char *const cannot[] = {"ipm", "arc", "pana", "soclcp-faceted", "soclcp-socp", NULL};
  double *known;
  SlipProblem *problem = law_case(&cases[0], "random", 6, 3, &known);
  for (int k = 0; cannot[k]; k++) {
    SlipSettings *settings;
    SlipSolver *solver;
    SlipError error;
    assert_false(
        slip_method_takes_law(slip_method_find(cannot[k]), SLIP_ROUNDED, SLIP_FLOW_COULOMB));
    assert_int_equal(slip_settings_create(cannot[k], &settings, NULL), SLIP_OK);
    assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
    assert_non_null(strstr(error.text, "contact 0, whose law is rounded"));
    slip_settings_free(settings);
  }
  free(known);
  slip_problem_free(problem);
}

/* One contact with W = I, and the impulse r that it bears under q; returns its status. */
static int32_t bear(const SlipLaws *laws, const double q[3], double r[3]) {
  static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  SlipLocalData data =
      LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, W), .q = q, .laws = laws);
  SlipProblem *problem;
  SlipSolver *solver;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_true(fabs(result->gap) < 1e-12);
  memcpy(r, result->r, 3 * sizeof *r);
  int32_t status = result->status[0];
  slip_solver_free(solver);
  slip_problem_free(problem);
  return status;
}

/* Pulled apart it holds `ball`, pushed together `cap`, aside without a push the side's e. */
static void test_one_contact(void **state) {
  (void)state;
  const double mu = 0.75, ball = 0.5, cap = 2;
  const int32_t law = SLIP_CAPPED;
  const SlipLaws *laws = LAWS(.kind = &law, .mu = &mu, .ball = &ball, .cap = &cap);
  double r[3];
  assert_int_equal(bear(laws, (const double[]){0.4, 0.1, 0}, r), SLIP_CONTACT_STICK);
  assert_float_equal(r[0], -0.4, 1e-14);
  assert_float_equal(r[1], -0.1, 1e-14);
  assert_int_equal(bear(laws, (const double[]){3, 0, 0}, r), SLIP_CONTACT_OPEN);
  assert_float_equal(r[0], -0.5, 1e-14);
  assert_int_equal(bear(laws, (const double[]){-5, 0, 0}, r), SLIP_CONTACT_SLIP);
  assert_float_equal(r[0], 2, 1e-14);
  /* To the edge of the cap, where mu cap + e = 1.5 + 0.5*1.25 */
  assert_int_equal(bear(laws, (const double[]){-5, 30, 40}, r), SLIP_CONTACT_SLIP);
  assert_float_equal(r[0], 2, 1e-14);
  assert_float_equal(r[1], -2.125 * 0.6, 1e-13);
  assert_float_equal(r[2], -2.125 * 0.8, 1e-13);
}

/* d -> 0 and cap -> infinity give Coulomb's cone with the associated flow. */
static void test_limits(void **state) {
  (void)state;
  const double mu = 0.5, none = 0, far = 1e300, q[3] = {-1, 2, 0.5};
  const int32_t capped = SLIP_CAPPED, rounded = SLIP_ROUNDED, relaxed = SLIP_FLOW_ASSOCIATED;
  double plain[3], r[3];
  bear(LAWS(.mu = &mu, .flow = &relaxed), q, plain);
  bear(LAWS(.kind = &capped, .mu = &mu, .ball = &none, .cap = &far), q, r);
  for (int k = 0; k < 3; k++)
    assert_float_equal(r[k], plain[k], 1e-14);
  for (double d = 1e-2; d > 1e-12; d /= 10) {
    bear(LAWS(.kind = &rounded, .mu = &mu, .ball = &d), q, r);
    for (int k = 0; k < 3; k++)
      assert_float_equal(r[k], plain[k], 2 * d);
  }
}

static void test_units_and_files(void **state) {
  (void)state;
  for (int c = 0; c < CASES; c++) {
    double *known;
    SlipProblem *problem = law_case(&cases[c], "random", 20, 3, &known);
    SlipProblem *far = problem_in_units(problem, 0x1p-60, 0x1p130);
    expect_solved(far, "far-off units", "auto", "tol=1e-8", INFINITY);
    small_write("test_law_rounded.hdf5", WRITE(.problem = problem));
    SlipFile *file = small_read("test_law_rounded.hdf5", SLIP_WANT_ANY);
    remove("test_law_rounded.hdf5");
    assert_same_problem(file->problem, problem);
    slip_file_free(file);
    free(known);
    slip_problem_free(far);
    slip_problem_free(problem);
  }
}

static void test_check(void **state) {
  (void)state;
  double *known;
  SlipCheck *check;
  SlipProblem *problem = law_case(&cases[2], "random", 12, 2, &known);
  assert_int_equal(slip_check(problem, NULL, &check, NULL), SLIP_OK);
  assert_int_equal(check->answer, SLIP_ANSWER_YES);
  assert_non_null(
      strstr(check->reason, "Contact 0 has the law capped, whose impulses form no cone"));
  assert_true(reference_error(problem, check->found[0].r) < 1e-9);
  slip_check_free(check);
  free(known);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method), cmocka_unit_test(test_auto),
      cmocka_unit_test(test_refusals),     cmocka_unit_test(test_one_contact),
      cmocka_unit_test(test_limits),       cmocka_unit_test(test_units_and_files),
      cmocka_unit_test(test_check),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
