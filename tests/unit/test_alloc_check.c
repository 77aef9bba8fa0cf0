/* Every allocation of an existence check fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/generate.h>

#include "alloc_wrap.h"

static SlipStatus check(void *user, SlipError *error) {
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *found;
  options.margin = 1;
  options.enumerate = 1;
  options.solve = 0;
  SlipStatus status = slip_check(user, &options, &found, error);
  if (status != SLIP_OK)
    assert_null(found);
  slip_check_free(found);
  return status;
}

static void test_check(void **state) {
  (void)state;
  static const char *const kinds[] = {"painleve", "painleve-up", "walls",  "drum",
                                      "elastic",  "deficient",   "random", "one"};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    SlipGenerate options = slip_default_generate();
    SlipProblem *problem;
    assert_int_equal(slip_generate_defaults(kinds[k], &options, NULL), SLIP_OK);
    options.contacts = options.contacts > 12 ? 12 : options.contacts;
    assert_int_equal(slip_generate(kinds[k], &options, &problem, NULL, NULL), SLIP_OK);
    assert_true(alloc_fail_each(check, problem) > 5);
    slip_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_check)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
