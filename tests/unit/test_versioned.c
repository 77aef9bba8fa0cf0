/* Structs that carry their size: older and newer callers, and those that forgot it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/bench.h>
#include <slipcone/check.h>
#include <slipcone/generate.h>

#include "base/versioned.h"

typedef struct Old {
  size_t size;
  int32_t a;
} Old;

typedef struct New {
  size_t size;
  int32_t a, b;
  double c;
} New;

/* Fields that an older caller does not know keep their defaults. */
static void test_older_caller(void **state) {
  (void)state;
  Old old = {.size = offsetof(Old, a) + sizeof old.a, .a = 3};
  New known = {.size = sizeof known, .a = 1, .b = 2, .c = 4};
  assert_int_equal(slipi_versioned_read("thing", &old, &known, sizeof known, NULL), SLIP_OK);
  assert_int_equal(known.size, sizeof known);
  assert_int_equal(known.a, 3);
  assert_int_equal(known.b, 2);
  assert_true(known.c == 4);
}

/* What a newer caller sets beyond what is known is refused, not ignored. */
static void test_newer_caller(void **state) {
  (void)state;
  New caller = {.size = sizeof caller, .a = 3};
  Old known = {.size = sizeof known};
  SlipError error;
  assert_int_equal(slipi_versioned_read("thing", &caller, &known, sizeof known, NULL), SLIP_OK);
  assert_int_equal(known.a, 3);
  caller.c = 1;
  assert_int_equal(slipi_versioned_read("thing", &caller, &known, sizeof known, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "slip_default_thing()"));
}

static void test_without_size(void **state) {
  (void)state;
  SlipLocalData data;
  SlipProblem *problem;
  SlipError error;
  memset(&data, 0, sizeof data);
  assert_int_equal(slip_problem_create_local(&data, &problem, &error), SLIP_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "the size of a struct is 0: make it with slip_default_local_data()");
  SlipFeatures features;
  memset(&features, 0, sizeof features);
  assert_int_equal(slip_problem_features(NULL, &features, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "slip_default_features()"));
}

static void refused(SlipStatus status, const SlipError *error, const char *maker) {
  assert_int_equal(status, SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error->text, "the size of a struct is 0"));
  assert_non_null(strstr(error->text, maker));
}

/* The same in the other headers. */
static void test_without_size_elsewhere(void **state) {
  (void)state;
  SlipError error;
  SlipProblem *problem;
  SlipCheck *check;
  SlipCheckOptions how;
  SlipGenerate options;
  SlipCampaign campaign;
  SlipCampaignSummary summary;
  SlipPlotOptions plot;
  memset(&how, 0, sizeof how);
  memset(&options, 0, sizeof options);
  memset(&campaign, 0, sizeof campaign);
  memset(&summary, 0, sizeof summary);
  memset(&plot, 0, sizeof plot);
  refused(slip_generate_defaults("one", &options, &error), &error, "slip_default_generate()");
  refused(slip_generate("one", &options, &problem, NULL, &error), &error,
          "slip_default_generate()");
  assert_null(problem);
  assert_int_equal(slip_generate("one", NULL, &problem, NULL, NULL), SLIP_OK);
  refused(slip_check(problem, &how, &check, &error), &error, "slip_default_check_options()");
  assert_null(check);
  slip_problem_free(problem);
  refused(slip_campaign_run(&campaign, NULL, &error), &error, "slip_default_campaign()");
  campaign = slip_default_campaign();
  refused(slip_campaign_run(&campaign, &summary, &error), &error,
          "slip_default_campaign_summary()");
  refused(slip_bench_plot("none.csv", &plot, "none.svg", &error), &error,
          "slip_default_plot_options()");
}

/* A caller whose SlipGenerate ends before `gravity` gets the others and no more. */
static void test_older_generate(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  options.size = offsetof(SlipGenerate, gravity);
  options.gravity = 17;
  assert_int_equal(slip_generate_defaults("painleve", &options, NULL), SLIP_OK);
  assert_int_equal(options.size, offsetof(SlipGenerate, gravity));
  assert_int_equal(options.contacts, 1);
  assert_true(options.gravity == 17);
  SlipProblem *problem;
  assert_int_equal(slip_generate("painleve", &options, &problem, NULL, NULL), SLIP_OK);
  slip_problem_free(problem);
}

/* An output goes no further than the caller's struct. */
static void test_write(void **state) {
  (void)state;
  New from = {.size = sizeof from, .a = 1, .b = 2, .c = 3};
  New to = {.size = offsetof(New, b), .b = 7, .c = 8};
  slipi_versioned_write(&from, &to, sizeof from);
  assert_int_equal(to.size, offsetof(New, b));
  assert_int_equal(to.a, 1);
  assert_int_equal(to.b, 7);
  assert_true(to.c == 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_older_caller),   cmocka_unit_test(test_newer_caller),
      cmocka_unit_test(test_without_size),   cmocka_unit_test(test_without_size_elsewhere),
      cmocka_unit_test(test_older_generate), cmocka_unit_test(test_write),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
