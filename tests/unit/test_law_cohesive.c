/* Cohesion, which is Coulomb's cone shifted: solutions known by construction by every method,
 * the pull a contact holds to the last bit, other data in a solver, units, warm starts, files, the
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

static const LawCase sliding = {
    .law = SLIP_COHESIVE, .flow = SLIP_FLOW_COULOMB, .mu = 0.4, .cohesion = 0.5};
static const LawCase lifting = {
    .law = SLIP_COHESIVE, .flow = SLIP_FLOW_ASSOCIATED, .mu = 0.4, .cohesion = 0.5};
static const LawCase giving = {
    .law = SLIP_COHESIVE, .flow = SLIP_FLOW_COULOMB, .mu = 0.4, .cohesion = 0.5, .compliant = 1};

static void test_every_method(void **state) {
  (void)state;
  law_case_by_all(&sliding, "random", 12, 80);
  law_case_by_all(&sliding, "joints", 12, 80);
  law_case_by_all(&giving, "random", 12, 80);
}

static void test_every_method_relaxed(void **state) {
  (void)state;
  law_case_by_all(&lifting, "random", 12, 80);
}

static void test_auto(void **state) {
  (void)state;
  const LawCase cases[] = {sliding, lifting, giving};
  law_cases_by_auto(cases, 3);
}

/* A ball of mass 2 pulled off the ground by the impulse `pull`, aside by `aside`. */
static SlipProblem *pulled_ball(double pull, double aside, double cohesion) {
  static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  const double mu = 0.5, f[3] = {pull, aside, 0}, w[3] = {0};
  const int32_t law = SLIP_COHESIVE;
  SlipProblem *problem;
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = 3, .contacts = 1, .M = slip_dense(3, 3, M), .H = slip_dense(3, 3, I),
                  .f = f, .w = w, .laws = LAWS(.kind = &law, .mu = &mu, .cohesion = &cohesion));
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  return problem;
}

typedef struct Pulled {
  double r[3], v[3];
  int32_t status;
} Pulled;

static Pulled pull_ball(double pull, double aside, double cohesion) {
  SlipProblem *problem = pulled_ball(pull, aside, cohesion);
  SlipSolver *solver;
  Pulled found;
  double physical;
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_true(reference_error(problem, result->r) < 1e-12);
  assert_int_equal(slip_problem_physical(problem, result->r, &physical, NULL), SLIP_OK);
  assert_true(physical < 1e-12);
  memcpy(found.r, result->r, sizeof found.r);
  memcpy(found.v, result->v, sizeof found.v);
  found.status = result->status[0];
  slip_solver_free(solver);
  slip_problem_free(problem);
  return found;
}

/* Held up to the cohesion, to rounding; beyond it the rest of the pull moves the ball. */
static void test_holds_and_lets_go(void **state) {
  (void)state;
  Pulled held = pull_ball(0.6875, 0, 0.75), just = pull_ball(0.75, 0, 0.75);
  Pulled gone = pull_ball(1.25, 0, 0.75), pushed = pull_ball(-3, 0, 0.75);
  const double eps = 1e-15;
  assert_true(fabs(held.r[0] + 0.6875) < eps && fabs(held.v[0]) < eps);
  assert_int_equal(held.status, SLIP_CONTACT_STICK);
  assert_true(fabs(just.r[0] + 0.75) < eps && fabs(just.v[0]) < eps);
  assert_true(gone.r[0] == -0.75 && fabs(gone.v[0] - 0.25) < eps);
  assert_int_equal(gone.status, SLIP_CONTACT_OPEN);
  assert_true(fabs(pushed.r[0] - 3) < 4 * eps && fabs(pushed.v[0]) < 4 * eps);
  /* Without a push the contact bears mu c aside. */
  Pulled sticks = pull_ball(0, 0.37, 0.75), slides = pull_ball(0, 0.875, 0.75);
  assert_true(fabs(sticks.v[1]) < eps && sticks.status == SLIP_CONTACT_STICK);
  assert_float_equal(slides.r[1], -0.375, 1e-14);
  assert_float_equal(slides.v[1], 0.25, 1e-14);
  assert_float_equal(slides.v[0], 0, 1e-14);
  assert_int_equal(slides.status, SLIP_CONTACT_SLIP);
}

static const double *run(SlipSolver *solver, const SlipUpdate *update) {
  const SlipResult *result = slip_solver_result(solver);
  if (update)
    assert_int_equal(slip_solver_update(solver, update, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  return result->r;
}

/* Updates of every kind: the shift goes with them. */
static void test_updates(void **state) {
  (void)state;
  const double cohesion = 1, mu = 0.5, W[4] = {1, 0, 0, 1}, twice[4] = {2, 0, 0, 2};
  const int32_t law = SLIP_COHESIVE;
  double q[2] = {0.5, 0};
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 1, .W = slip_dense(2, 2, W), .q = q,
                                  .laws = LAWS(.kind = &law, .mu = &mu, .cohesion = &cohesion));
  SlipProblem *problem, *ball = pulled_ball(0, 0, 0.75);
  SlipSolver *solver;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  assert_true(run(solver, NULL)[0] == -0.5);
  const SlipMatrix other = slip_dense(2, 2, twice);
  assert_true(run(solver, UPDATE(.W = &other))[0] == -0.25);
  q[0] = 4;
  assert_true(run(solver, UPDATE(.q = q))[0] == -1);
  assert_true(slip_solver_result(solver)->u[0] == 2);
  q[0] = 0;
  q[1] = 8; /* aside: mu c = 0.5, then 0.25 */
  assert_float_equal(run(solver, UPDATE(.q = q))[1], -0.5, 1e-14);
  const double smooth = 0.25;
  assert_float_equal(run(solver, UPDATE(.mu = &smooth))[1], -0.25, 1e-14);
  slip_solver_free(solver);
  slip_problem_free(problem);
  const double f[3] = {5, 0, 0}, w[3] = {-4, 0, 0};
  assert_int_equal(slip_solver_create(ball, NULL, &solver, NULL), SLIP_OK);
  assert_true(run(solver, UPDATE(.f = f))[0] == -0.75);
  assert_float_equal(slip_solver_result(solver)->v[0], 2.125, 1e-14);
  assert_float_equal(run(solver, UPDATE(.w = w))[0], 3, 1e-14); /* 2 (4 - 5/2) */
  slip_solver_free(solver);
  slip_problem_free(ball);
}

/* A problem in far-off units is the same; the second run starts from the first one's impulses. */
static void test_units_and_warm_starts(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = law_case(&giving, "random", 30, 3, &known);
  SlipProblem *far = problem_in_units(problem, 0x1p-60, 0x1p130);
  Solved here = solve_with(problem, "nsgs", "tol=1e-10", NULL);
  Solved there = solve_with(far, "nsgs", "tol=1e-10", NULL);
  Solved again = solve_with(problem, "nsgs", "tol=1e-9", here.r);
  assert_int_equal(here.outcome, SLIP_SOLVED);
  assert_int_equal(there.outcome, SLIP_SOLVED);
  assert_int_equal(again.iterations, 0);
  for (int k = 0; k < 90; k++)
    assert_float_equal(ldexp(there.r[k], -190), here.r[k], 1e-7);
  free(here.r);
  free(there.r);
  free(again.r);
  free(known);
  slip_problem_free(far);
  slip_problem_free(problem);
}

static void test_files(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = law_case(&giving, "joints", 12, 3, &known);
  small_write("test_law_cohesive.hdf5", WRITE(.problem = problem));
  SlipFile *file = small_read("test_law_cohesive.hdf5", SLIP_WANT_ANY);
  remove("test_law_cohesive.hdf5");
  assert_same_problem(file->problem, problem);
  slip_file_free(file);
  remove("test_law_cohesive.hdf5");
  free(known);
  slip_problem_free(problem);
}

/* The criterion is about the cone, and holds for the shifted one; solutions are given back in r. */
static void test_check(void **state) {
  (void)state;
  double *known, residual;
  SlipCheck *check;
  SlipProblem *problem = law_case(&sliding, "random", 4, 2, &known);
  SlipCheckOptions options = slip_default_check_options();
  options.enumerate = 1;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  assert_int_equal(check->answer, SLIP_ANSWER_YES);
  assert_null(strstr(check->reason, "no cone"));
  assert_true(check->found_count > 0);
  for (int k = 0; k < check->found_count; k++)
    assert_true(reference_error(problem, check->found[k].r) < 1e-9);
  assert_int_equal(slip_problem_residual(problem, known, &residual, NULL, NULL), SLIP_OK);
  assert_true(residual < 1e-13);
  slip_check_free(check);
  free(known);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method), cmocka_unit_test(test_every_method_relaxed),
      cmocka_unit_test(test_auto),         cmocka_unit_test(test_holds_and_lets_go),
      cmocka_unit_test(test_updates),      cmocka_unit_test(test_units_and_warm_starts),
      cmocka_unit_test(test_files),        cmocka_unit_test(test_check),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
