/* admm: every built-in problem, a solution known by construction, warm start, the same bits, and
 * what its options do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "solving.h"

/* A condition of 1e10 takes a first-order method millions of iterations. */
static void solve_roughly(const SlipProblem *problem, const char *kind) {
  if (strcmp(kind, "ill") != 0)
    expect_solved(problem, kind, "admm", "tol=1e-4 max-iter=20000", 1e-4);
}

static void test_every_built_in_problem(void **state) {
  (void)state;
  each_built_in_problem(12, solve_roughly);
}

static void test_high_accuracy(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "dense",        "unsymmetric", "bilateral",
                                      "joints", "frictionless", NULL};
  for (int k = 0; kinds[k]; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_problem(kinds[k], 12, d, NULL);
      expect_solved(problem, kinds[k], "admm", "tol=1e-9 max-iter=20000", 1e-9);
      slip_problem_free(problem);
    }
  }
}

/* W regular, friction small: the solution is the one built in. */
static void test_known_solution(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = generate_problem("random", 20, 3, &known);
  Solved solved = solve_with(problem, "admm", "tol=1e-10 max-iter=20000", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  for (int k = 0; k < 60; k++)
    assert_true(fabs(solved.r[k] - known[k]) < 1e-7);
  free(solved.r);
  slip_generate_free_r(known);
  slip_problem_free(problem);
}

static void test_warm_start(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 20, 3, NULL);
  Solved cold = solve_with(problem, "admm", "tol=1e-8 max-iter=20000", NULL);
  assert_int_equal(cold.outcome, SLIP_SOLVED);
  for (int k = 0; k < 60; k++)
    cold.r[k] *= 1 + 1e-6 * (k % 5);
  Solved warm = solve_with(problem, "admm", "tol=1e-8 max-iter=20000", cold.r);
  assert_int_equal(warm.outcome, SLIP_SOLVED);
  assert_true(warm.iterations > 0 && warm.iterations < cold.iterations * 3 / 4);
  free(cold.r);
  free(warm.r);
  slip_problem_free(problem);
}

static void test_same_bits(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("stack", 24, 3, NULL);
  Solved a = solve_with(problem, "admm", "tol=1e-4", NULL);
  Solved b = solve_with(problem, "admm", "tol=1e-4 threads=2", NULL);
  assert_int_equal(a.iterations, b.iterations);
  assert_memory_equal(a.r, b.r, 72 * sizeof(double));
  free(a.r);
  free(b.r);
  slip_problem_free(problem);
}

/* From a rho that is far off, balancing finds a better one; alpha = 1 is slower than 1.6. */
/* Anderson's acceleration: fewer iterations on every one of these, and far fewer on the stack. */
static void test_acceleration(void **state) {
  (void)state;
  static const char *const kinds[] = {"stack", "pile", "elastic", "random"};
  for (int k = 0; k < 4; k++) {
    SlipProblem *problem = generate_problem(kinds[k], 60, 3, NULL);
    Solved off = solve_with(problem, "admm", "tol=1e-8 acceleration=off", NULL);
    Solved on = solve_with(problem, "admm", "tol=1e-8", NULL);
    assert_int_equal(off.outcome, SLIP_SOLVED);
    assert_int_equal(on.outcome, SLIP_SOLVED);
    assert_true(on.reference <= 1e-8 * (1 + 1e-6));
    assert_true(on.iterations < off.iterations);
    if (k == 0)
      assert_true(4 * on.iterations < off.iterations);
    free(off.r);
    free(on.r);
    slip_problem_free(problem);
  }
}

static void test_options(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 20, 3, NULL);
  Solved adaptive = solve_with(problem, "admm", "tol=1e-6 rho=1e3 max-iter=100000", NULL);
  Solved fixed = solve_with(problem, "admm-fixed", "tol=1e-6 rho=1e3 max-iter=100000", NULL);
  assert_int_equal(adaptive.outcome, SLIP_SOLVED);
  assert_true(fixed.outcome != SLIP_SOLVED || fixed.iterations > 2 * adaptive.iterations);
  Solved plain = solve_with(problem, "admm-fixed", "tol=1e-8 rho=0.1 alpha=1", NULL);
  Solved relaxed = solve_with(problem, "admm-fixed", "tol=1e-8 rho=0.1 alpha=1.6", NULL);
  assert_int_equal(plain.outcome, SLIP_SOLVED);
  assert_int_equal(relaxed.outcome, SLIP_SOLVED);
  assert_true(relaxed.iterations < plain.iterations);
  free(adaptive.r);
  free(fixed.r);
  free(plain.r);
  free(relaxed.r);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_built_in_problem),
      cmocka_unit_test(test_high_accuracy),
      cmocka_unit_test(test_known_solution),
      cmocka_unit_test(test_warm_start),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_acceleration),
      cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
