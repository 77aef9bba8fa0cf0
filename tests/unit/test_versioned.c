/* Structs that carry their size: older and newer callers, and those that forgot it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
      cmocka_unit_test(test_older_caller),
      cmocka_unit_test(test_newer_caller),
      cmocka_unit_test(test_without_size),
      cmocka_unit_test(test_write),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
