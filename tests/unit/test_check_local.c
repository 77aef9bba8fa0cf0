/* The existence check of problems in local form: that of the global problem they come from, and
 * verdicts from W alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <slipcone/check.h>

#include "data.h"
#include "kinematic_case.h"

/* A local problem has the criterion of the global one it comes from. */
static void test_reduced(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  for (int k = 0; k < 10; k++) {
    KinematicCase wanted = kinematic_random(&random, 12);
    SlipProblem *local, *global;
    SlipCheck *a, *b;
    SlipCheckOptions options = slip_default_check_options();
    options.margin = 1;
    options.solve = 0;
    wanted.margin = k % 2 ? -0.3 : 0.3;
    global = kinematic_problem(&wanted, &random);
    assert_int_equal(slip_problem_reduce(global, &local, NULL), SLIP_OK);
    assert_int_equal(slip_check(global, &options, &a, NULL), SLIP_OK);
    assert_int_equal(slip_check(local, &options, &b, NULL), SLIP_OK);
    assert_int_equal(a->verdict, b->verdict);
    assert_true(fabs(a->margin - b->margin) <= 1e-6 * b->scale);
    slip_check_free(a);
    slip_check_free(b);
    slip_problem_free(local);
    slip_problem_free(global);
  }
}

static SlipProblem *local_problem(double w, int32_t law, const double q[2]) {
  const double W[4] = {w, 0, 0, w}, mu = 0.5;
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 1, .W = slip_dense(2, 2, W), .q = q,
                                  .laws = LAWS(.kind = &law, .mu = &mu));
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* Verdicts from W alone. */
static void test_local(void **state) {
  (void)state;
  const double q[2] = {-1, 0.2};
  static const struct {
    double w;
    SlipLaw law;
    SlipVerdict verdict;
    SlipAnswer answer;
  } cases[] = {{2, SLIP_COULOMB, SLIP_VERDICT_ROBUST, SLIP_ANSWER_YES},
               {0, SLIP_COULOMB, SLIP_VERDICT_IMPOSSIBLE, SLIP_ANSWER_NO},
               {0, SLIP_BILATERAL, SLIP_VERDICT_IMPOSSIBLE, SLIP_ANSWER_NO},
               {-1, SLIP_COULOMB, SLIP_VERDICT_UNKNOWN, SLIP_ANSWER_UNDECIDED}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    SlipProblem *problem = local_problem(cases[k].w, cases[k].law, q);
    SlipCheckOptions options = slip_default_check_options();
    SlipCheck *check;
    options.solve = 0;
    assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
    assert_int_equal(check->verdict, cases[k].verdict);
    assert_int_equal(check->answer, cases[k].answer);
    slip_check_free(check);
    slip_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reduced),
      cmocka_unit_test(test_local),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
