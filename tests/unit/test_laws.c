/* The arrays of SlipLaws: names of laws, and what is refused of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contact/law.h"
#include "data.h"

static void test_names(void **state) {
  (void)state;
  assert_string_equal(slip_law_name(SLIP_COULOMB), "coulomb");
  assert_string_equal(slip_law_name(SLIP_FRICTIONLESS), "frictionless");
  assert_string_equal(slip_law_name(SLIP_BILATERAL), "bilateral");
  assert_string_equal(slip_law_name(SLIP_TRESCA), "tresca");
  assert_string_equal(slip_law_name(SLIP_COHESIVE), "cohesive");
  assert_string_equal(slip_law_name(SLIP_ROUNDED), "rounded");
  assert_string_equal(slip_law_name(SLIP_CAPPED), "capped");
  assert_null(slip_law_name(-1));
  assert_null(slip_law_name(SLIPI_LAWS_PUBLIC));
  SlipiLaw none = slipi_law(SLIP_COULOMB, 0);
  assert_int_equal(none.kind, SLIPI_FRICTIONLESS);
}

static void expect_refused(const SlipLaws *laws, SlipStatus wanted, const char *text) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
  SlipLocalData data =
      LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, W), .q = q, .laws = laws);
  SlipProblem *problem;
  SlipError error = {0};
  assert_int_equal(slip_problem_create_local(&data, &problem, &error), wanted);
  assert_null(problem);
  if (!strstr(error.text, text))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

static void test_refusals(void **state) {
  (void)state;
  const double mu = 0.5;
  const int32_t past = SLIPI_LAWS_PUBLIC, below = -1, bilateral = SLIP_BILATERAL, much = 8, odd = 2;
  expect_refused(LAWS(.kind = &past, .mu = &mu), SLIP_ERROR_PROBLEM,
                 "no known law; there are 0 (coulomb), 1 (frictionless)");
  expect_refused(LAWS(.kind = &below, .mu = &mu), SLIP_ERROR_PROBLEM, "law[0] is -1");
  expect_refused(LAWS(.kind = NULL), SLIP_ERROR_ARGUMENT,
                 "mu is null, but contact 0 has the law coulomb");
  expect_refused(LAWS(.kind = &bilateral, .bound = &much), SLIP_ERROR_PROBLEM,
                 "bound[0] is 8 but must be between 0 and 7");
  expect_refused(LAWS(.kind = &bilateral, .bound = &below), SLIP_ERROR_PROBLEM, "bound[0] is -1");
  expect_refused(LAWS(.mu = &mu, .flow = &odd), SLIP_ERROR_PROBLEM, "flow[0] is 2");
  const int32_t tresca = SLIP_TRESCA;
  expect_refused(LAWS(.kind = &tresca, .mu = &mu), SLIP_ERROR_ARGUMENT,
                 "radius is null, but contact 0 has the law tresca, which needs it");
  expect_refused(LAWS(.mu = &mu, .radius = (const double[]){-1}), SLIP_ERROR_PROBLEM,
                 "radius[0] is -1");
  const int32_t cohesive = SLIP_COHESIVE;
  expect_refused(LAWS(.kind = &cohesive, .mu = &mu), SLIP_ERROR_ARGUMENT,
                 "cohesion is null, but contact 0 has the law cohesive, which needs it");
  expect_refused(LAWS(.mu = &mu, .cohesion = (const double[]){-2}), SLIP_ERROR_PROBLEM,
                 "cohesion[0] is -2");
  const int32_t capped = SLIP_CAPPED;
  expect_refused(LAWS(.kind = &capped, .mu = &mu, .ball = &mu), SLIP_ERROR_ARGUMENT,
                 "cap is null, but contact 0 has the law capped, which needs it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
