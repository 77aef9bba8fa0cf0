/* Every allocation made for the features of a problem fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "alloc_wrap.h"
#include "contact/problem.h"
#include "linalg/spectrum.h"

static SlipStatus features(void *user, SlipError *error) {
  SlipFeatures found = slip_default_features();
  found.rank = 7;
  SlipStatus status = slip_problem_features(user, &found, error);
  if (status != SLIP_OK)
    assert_int_equal(found.rank, 0);
  return status;
}

static SlipStatus rank(void *user, SlipError *error) {
  const SlipProblem *problem = user;
  int64_t found;
  return slipi_rank_estimate(&problem->W, &problem->W, 1e12, &found, error);
}

static void test_features(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "stack", "elastic"};
  for (int k = 0; k < 3; k++) {
    SlipGenerate options = slip_default_generate();
    SlipProblem *problem;
    assert_int_equal(slip_generate_defaults(kinds[k], &options, NULL), SLIP_OK);
    options.contacts = 8;
    assert_int_equal(slip_generate(kinds[k], &options, &problem, NULL, NULL), SLIP_OK);
    assert_true(alloc_fail_each(features, problem) > 5);
    slip_problem_free(problem);
  }
}

static void test_rank(void **state) {
  (void)state;
  SlipProblem *problem;
  assert_int_equal(slip_generate("random", NULL, &problem, NULL, NULL), SLIP_OK);
  assert_true(alloc_fail_each(rank, problem) > 5);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_features), cmocka_unit_test(test_rank)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
