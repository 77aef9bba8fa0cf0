/* Problems: layouts give the same problem, defects give a sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/slipcone.h>

#include "data.h"

/* One contact in 3D; W is unsymmetric so that a transposed layout would show. */
static const double dense[] = {2, 0.1, 0, 0.3, 3, 0, 0, 0.5, 4}; /* column-major */
static const int32_t csc_p[] = {0, 2, 4, 6}, csc_i[] = {1, 0, 0, 1, 2, 1};
static const double csc_x[] = {0.1, 2, 0.3, 3, 4, 0.5};
static const int32_t csr_p[] = {0, 2, 5, 6}, csr_i[] = {0, 1, 2, 1, 0, 2};
static const double csr_x[] = {2, 0.3, 0.5, 3, 0.1, 4};
/* (1,1) comes in two parts */
static const int32_t tri_i[] = {0, 1, 0, 1, 2, 1, 1}, tri_p[] = {0, 0, 1, 1, 2, 2, 1};
static const double tri_x[] = {2, 0.1, 0.3, 2.5, 4, 0.5, 0.5};
static const double q[] = {-1, 0.2, 0.3}, mu[] = {0.7};
static const SlipLaws friction = {.size = sizeof(SlipLaws), .mu = mu};

static SlipLocalData local_data(void) {
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, dense),
                                  .q = q, .laws = &friction);
  return data;
}

static void expect_layout(SlipMatrix W) {
  static const int32_t p[] = {0, 2, 5, 6}, i[] = {0, 1, 0, 1, 2, 2};
  static const double x[] = {2, 0.3, 0.1, 3, 0.5, 4};
  SlipLocalData data = local_data();
  SlipProblem *problem;
  SlipError error;
  data.W = W;
  assert_int_equal(slip_problem_create_local(&data, &problem, &error), SLIP_OK);
  SlipLocalData held = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &held, NULL), SLIP_OK);
  assert_int_equal(held.W.layout, SLIP_CSR);
  assert_int_equal(held.W.nnz, 6);
  assert_memory_equal(held.W.p, p, sizeof p);
  assert_memory_equal(held.W.i, i, sizeof i);
  for (int k = 0; k < 6; k++)
    assert_true(held.W.x[k] == x[k]);
  assert_int_equal(slip_problem_form(problem), SLIP_FORM_LOCAL);
  assert_int_equal(slip_problem_contacts(problem), 1);
  assert_int_equal(slip_problem_dimension(problem), 3);
  assert_int_equal(slip_problem_dof(problem), 0);
  SlipGlobalData none = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(problem, &none, NULL), SLIP_ERROR_ARGUMENT);
  slip_problem_free(problem);
}

static void test_layouts_agree(void **state) {
  (void)state;
  expect_layout((SlipMatrix){SLIP_DENSE, 3, 3, 0, NULL, NULL, dense});
  expect_layout((SlipMatrix){SLIP_CSC, 3, 3, 6, csc_p, csc_i, csc_x});
  expect_layout((SlipMatrix){SLIP_CSR, 3, 3, 6, csr_p, csr_i, csr_x});
  expect_layout((SlipMatrix){SLIP_TRIPLET, 3, 3, 7, tri_p, tri_i, tri_x});
}

static void expect_refused(const SlipLocalData *data, SlipStatus status, const char *part) {
  SlipProblem *problem = (SlipProblem *)data;
  SlipError error;
  assert_int_equal(slip_problem_create_local(data, &problem, &error), status);
  assert_int_equal(error.status, status);
  assert_null(problem);
  if (!strstr(error.text, part))
    fail_msg("'%s' is not in '%s'", part, error.text);
  assert_int_equal(slip_problem_create_local(data, &problem, NULL), status);
}

static void test_local_defects(void **state) {
  (void)state;
  static const double nan_q[] = {-1, NAN, 0.3}, bad_mu[] = {-0.5}, inf_mu[] = {INFINITY};
  static const double nan_W[] = {2, 0.1, 0, 0.3, NAN, 0, 0, 0.5, 4};
  static const int32_t far_i[] = {1, 0, 0, 3, 2, 1}, down_p[] = {0, 4, 2, 6},
                       off_p[] = {1, 2, 4, 6};
  static const int32_t long_p[] = {0, 2, 4, 9}, minus_i[] = {0, 1, 0, -1, 2, 1, 1};
  static const int32_t bad_law[] = {9};
  SlipLocalData data = local_data();
  data.dimension = 4;
  expect_refused(&data, SLIP_ERROR_PROBLEM, "dimension is 4");
  data = local_data();
  data.contacts = -1;
  expect_refused(&data, SLIP_ERROR_PROBLEM, "-1");
  data.contacts = INT32_MAX;
  expect_refused(&data, SLIP_ERROR_PROBLEM, "2147483647");
  data.contacts = 2;
  data.laws = LAWS(.mu = (const double[]){0.5, 0.5});
  expect_refused(&data, SLIP_ERROR_PROBLEM, "W is 3 x 3 but must be 6 x 6");
  data = local_data();
  data.q = nan_q;
  expect_refused(&data, SLIP_ERROR_PROBLEM, "q[1] is nan");
  data.q = NULL;
  expect_refused(&data, SLIP_ERROR_ARGUMENT, "q is null");
  data = local_data();
  data.laws = LAWS(.mu = bad_mu);
  expect_refused(&data, SLIP_ERROR_PROBLEM, "mu[0] is -0.5");
  data.laws = LAWS(.mu = inf_mu);
  expect_refused(&data, SLIP_ERROR_PROBLEM, "mu[0] is inf");
  data = local_data();
  data.W.x = nan_W;
  expect_refused(&data, SLIP_ERROR_PROBLEM, "W(1, 1) is nan");
  data.W.x = NULL;
  expect_refused(&data, SLIP_ERROR_ARGUMENT, "W has a null array");
  data = local_data();
  data.W = (SlipMatrix){SLIP_CSC, 3, 3, 6, csc_p, far_i, csc_x};
  expect_refused(&data, SLIP_ERROR_PROBLEM, "i[3] = 3");
  data.W = (SlipMatrix){SLIP_CSC, 3, 3, 6, down_p, csc_i, csc_x};
  expect_refused(&data, SLIP_ERROR_PROBLEM, "p[2] = 2 is less than p[1] = 4");
  data.W = (SlipMatrix){SLIP_CSC, 3, 3, 6, off_p, csc_i, csc_x};
  expect_refused(&data, SLIP_ERROR_PROBLEM, "p[0] is 1");
  data.W = (SlipMatrix){SLIP_CSC, 3, 3, 6, long_p, csc_i, csc_x};
  expect_refused(&data, SLIP_ERROR_PROBLEM, "ends with 9");
  data.W = (SlipMatrix){SLIP_TRIPLET, 3, 3, 7, tri_p, minus_i, tri_x};
  expect_refused(&data, SLIP_ERROR_PROBLEM, "(-1, 1)");
  data.W = (SlipMatrix){SLIP_TRIPLET, 3, 3, INT64_MAX, tri_p, tri_i, tri_x};
  expect_refused(&data, SLIP_ERROR_PROBLEM, "at most 2147483647");
  data.W = (SlipMatrix){(SlipLayout)8, 3, 3, 7, tri_p, tri_i, tri_x};
  expect_refused(&data, SLIP_ERROR_ARGUMENT, "unknown layout 8");
  data = local_data();
  data.laws = LAWS(.kind = bad_law, .mu = mu);
  expect_refused(&data, SLIP_ERROR_PROBLEM, "law[0] is 9");
  expect_refused(NULL, SLIP_ERROR_ARGUMENT, "data is null");
  assert_int_equal(slip_problem_create_local(&data, NULL, NULL), SLIP_ERROR_ARGUMENT);
}

/* Two bodies of one dof each, one contact in 2D. */
static const double M2[] = {2, 0, 0, 3}, H2[] = {1, -1, 0.5, 0.5}, f2[] = {1, 2}, w2[] = {-1, 0};

static SlipGlobalData global_data(void) {
  SlipGlobalData data = GLOBAL_DATA(.dimension = 2, .contacts = 1, .M = slip_dense(2, 2, M2),
                                    .H = slip_dense(2, 2, H2), .f = f2, .w = w2, .laws = &friction);
  return data;
}

static void expect_global_refused(const SlipGlobalData *data, SlipStatus status, const char *part) {
  SlipProblem *problem = (SlipProblem *)data;
  SlipError error;
  assert_int_equal(slip_problem_create_global(data, &problem, &error), status);
  assert_null(problem);
  if (!strstr(error.text, part))
    fail_msg("'%s' is not in '%s'", part, error.text);
}

static void test_global_defects(void **state) {
  (void)state;
  static const double minus[] = {2, 0, 0, -3}, indefinite[] = {1, 3, 3, 1}, inf_f[] = {1, INFINITY};
  SlipGlobalData data = global_data();
  data.M.x = minus;
  expect_global_refused(&data, SLIP_ERROR_PROBLEM, "M(1, 1) is -3");
  data = global_data();
  data.M.cols = 3;
  expect_global_refused(&data, SLIP_ERROR_PROBLEM, "M is 2 x 3");
  data = global_data();
  data.H.rows = 1;
  expect_global_refused(&data, SLIP_ERROR_PROBLEM, "H is 1 x 2 but must be 2 x 2");
  data = global_data();
  data.f = inf_f;
  expect_global_refused(&data, SLIP_ERROR_PROBLEM, "f[1] is inf");
  data = global_data();
  data.w = inf_f;
  expect_global_refused(&data, SLIP_ERROR_PROBLEM, "w[1] is inf");
  /* found when M is factored */
  data = global_data();
  data.M.x = indefinite;
  SlipProblem *problem, *local;
  SlipError error;
  assert_int_equal(slip_problem_create_global(&data, &problem, &error), SLIP_OK);
  assert_int_equal(slip_problem_reduce(problem, &local, &error), SLIP_ERROR_PROBLEM);
  assert_non_null(strstr(error.text, "M is not positive definite: the pivot of row 1"));
  assert_null(local);
  slip_problem_free(problem);
}

static void test_reduce_by_hand(void **state) {
  (void)state;
  SlipGlobalData data = global_data();
  SlipProblem *problem, *local;
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_problem_dof(problem), 2);
  assert_int_equal(slip_problem_reduce(problem, &local, NULL), SLIP_OK);
  SlipLocalData held = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(local, &held, NULL), SLIP_OK);
  assert_int_equal(held.W.nnz, 4);
  const double W[] = {1.0 / 2 + 1.0 / 3, 0.25 - 0.5 / 3, 0.25 - 0.5 / 3, 0.125 + 0.25 / 3};
  for (int k = 0; k < 4; k++)
    assert_true(fabs(held.W.x[k] - W[k]) < 1e-15);
  assert_true(fabs(held.q[0] - (0.5 - 2.0 / 3 - 1)) < 1e-15);
  assert_true(fabs(held.q[1] - (0.25 + 1.0 / 3)) < 1e-15);
  SlipProblem *twice = local;
  assert_int_equal(slip_problem_reduce(local, &twice, NULL), SLIP_ERROR_ARGUMENT);
  assert_null(twice);
  slip_problem_free(local);
  slip_problem_free(problem);
}

static void test_velocities_of_both_forms(void **state) {
  (void)state;
  SlipGlobalData data = global_data();
  SlipProblem *problem, *local;
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_problem_reduce(problem, &local, NULL), SLIP_OK);
  double r[] = {1, 0.2}, ug[2], ul[2], v[2];
  assert_int_equal(slip_problem_velocity(problem, r, ug, v, NULL), SLIP_OK);
  assert_int_equal(slip_problem_velocity(local, r, ul, NULL, NULL), SLIP_OK);
  assert_true(fabs(ug[0] - ul[0]) < 1e-15 && fabs(ug[1] - ul[1]) < 1e-15);
  assert_true(fabs(v[0] - (1 + 1 + 0.1) / 2) < 1e-15);
  assert_int_equal(slip_problem_velocity(local, r, ul, v, NULL), SLIP_ERROR_ARGUMENT);
  slip_problem_free(problem);
  slip_problem_free(local);
}

static void test_zero_contacts(void **state) {
  (void)state;
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .W = {.layout = SLIP_TRIPLET});
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_problem_contacts(problem), 0);
  double error = 1;
  assert_int_equal(slip_problem_residual(problem, NULL, &error, NULL, NULL), SLIP_OK);
  assert_true(error == 0);
  slip_problem_free(problem);
  slip_problem_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layouts_agree),
      cmocka_unit_test(test_local_defects),
      cmocka_unit_test(test_global_defects),
      cmocka_unit_test(test_reduce_by_hand),
      cmocka_unit_test(test_velocities_of_both_forms),
      cmocka_unit_test(test_zero_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
