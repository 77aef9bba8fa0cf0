/* Every allocation of a problem's life fails once: no leak, no crash, a clear status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/slipcone.h>

#include "alloc_wrap.h"

/* Two contacts on one body of three degrees of freedom in 2D, and the same in local form. */
static const int32_t M_p[] = {0, 2, 4, 5}, M_i[] = {0, 1, 0, 1, 2};
static const double M_x[] = {2, 0.5, 0.5, 2, 1};
static const int32_t H_i[] = {0, 2, 1, 2, 0, 2, 1}, H_p[] = {0, 0, 1, 1, 2, 2, 3};
static const double H_x[] = {1, 0.5, 1, -0.5, 1, -0.5, 1};
static const double f[] = {-3, 1, 0}, w[] = {0, 0, -0.1, 0}, mu[] = {0.5, 0.3};
static const double W_x[] = {2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2};
static const double q[] = {-1, 0.2, -1, -2};

static SlipStatus make_local(SlipProblem **problem, SlipError *error) {
  SlipLocalData data = {2, 2, {SLIP_DENSE, 4, 4, 16, NULL, NULL, W_x}, q, mu, NULL};
  return slip_problem_create_local(&data, problem, error);
}

static SlipStatus make_global(SlipProblem **problem, SlipError *error) {
  SlipGlobalData data = {
      2,  2,   {SLIP_CSR, 3, 3, 5, M_p, M_i, M_x}, {SLIP_TRIPLET, 3, 4, 7, H_p, H_i, H_x}, f, w,
      mu, NULL};
  return slip_problem_create_global(&data, problem, error);
}

static SlipStatus create_local(void *user, SlipError *error) {
  (void)user;
  SlipProblem *problem = (SlipProblem *)&problem;
  SlipStatus status = make_local(&problem, error);
  assert_true((status == SLIP_OK) == (problem != NULL));
  slip_problem_free(problem);
  return status;
}

static SlipStatus create_global(void *user, SlipError *error) {
  (void)user;
  SlipProblem *problem = (SlipProblem *)&problem;
  SlipStatus status = make_global(&problem, error);
  assert_true((status == SLIP_OK) == (problem != NULL));
  slip_problem_free(problem);
  return status;
}

static void test_local_problem(void **state) {
  (void)state;
  assert_true(alloc_fail_each(create_local, NULL) > 3);
}

static void test_global_problem(void **state) {
  (void)state;
  assert_true(alloc_fail_each(create_global, NULL) > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local_problem),
      cmocka_unit_test(test_global_problem),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
