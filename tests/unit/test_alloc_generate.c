/* Every allocation of each kind of built-in problem fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "alloc_wrap.h"

static SlipStatus generate(void *user, SlipError *error) {
  const SlipGenerateInfo *info = user;
  SlipGenerate options = slip_default_generate();
  double *r = (double *)&r;
  SlipProblem *problem = (SlipProblem *)&problem;
  assert_int_equal(slip_generate_defaults(info->name, &options, NULL), SLIP_OK);
  if (options.contacts > 8)
    options.contacts = 8;
  SlipStatus status = slip_generate(info->name, &options, &problem, &r, error);
  assert_true((status == SLIP_OK) == (problem != NULL));
  assert_true((status == SLIP_OK && info->known_solution) == (r != NULL));
  slip_generate_free_r(r);
  slip_problem_free(problem);
  return status;
}

static void test_each_kind(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++) {
    SlipGenerateInfo info = *slip_generate_info(k);
    assert_true(alloc_fail_each(generate, &info) > 5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_kind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
