/* The arena, the random generator and the option tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/number.h"
#include "base/option.h"
#include "base/random.h"

static void test_arena_zeroes_and_aligns(void **state) {
  (void)state;
  SlipiArena arena = {0};
  for (int k = 0; k < 50; k++) {
    double *x = SLIPI_ARENA_NEW(&arena, double, k);
    assert_non_null(x);
    assert_int_equal((uintptr_t)x % 64, 0);
    for (int i = 0; i < k; i++) {
      assert_true(x[i] == 0);
      x[i] = 1;
    }
  }
  slipi_arena_free(&arena);
}

static void test_arena_remembers_overflow(void **state) {
  (void)state;
  SlipiArena arena = {0};
  assert_null(slipi_arena_alloc(&arena, SIZE_MAX / 4, 8));
  assert_true(arena.failed);
  assert_null(slipi_arena_alloc(&arena, 1, 1));
  slipi_arena_free(&arena);
}

static void test_random_repeats_and_spreads(void **state) {
  (void)state;
  SlipiRandom a, b;
  slipi_random_seed(&a, 7);
  slipi_random_seed(&b, 7);
  double sum = 0, square = 0;
  enum { COUNT = 100000 };
  for (int k = 0; k < COUNT; k++) {
    double x = slipi_random_normal(&a);
    assert_true(x == slipi_random_normal(&b));
    sum += x;
    square += x * x;
  }
  assert_true(fabs(sum / COUNT) < 0.02);
  assert_true(fabs(square / COUNT - 1) < 0.03);
}

static void test_shuffle_is_a_permutation(void **state) {
  (void)state;
  SlipiRandom random;
  int32_t values[100];
  int moved = 0, seen[100] = {0};
  for (int k = 0; k < 100; k++)
    values[k] = k;
  slipi_random_seed(&random, 1);
  slipi_random_shuffle(&random, values, 100);
  for (int k = 0; k < 100; k++) {
    seen[values[k]]++;
    moved += values[k] != k;
  }
  for (int k = 0; k < 100; k++)
    assert_int_equal(seen[k], 1);
  assert_true(moved > 80);
}

static const char *const colours[] = {"red", "green", NULL};
static const SlipOptionInfo table[] = {
    {"real", SLIP_OPTION_REAL, "0.5", 0, 1, NULL, "a number"},
    {"count", SLIP_OPTION_INT, "3", 1, 10, NULL, "an integer"},
    {"flag", SLIP_OPTION_BOOL, "on", 0, 0, NULL, "a switch"},
    {"colour", SLIP_OPTION_CHOICE, "green", 0, 0, colours, "a choice"},
};

static void test_option_defaults(void **state) {
  (void)state;
  double values[4];
  slipi_option_defaults(table, 4, values);
  assert_true(values[0] == 0.5 && values[1] == 3 && values[2] == 1 && values[3] == 1);
  assert_int_equal(slipi_option_find(table, 4, "flag"), 2);
  assert_int_equal(slipi_option_find(table, 4, "fla"), -1);
}

static void expect_refused(int option, const char *text, const char *part) {
  SlipError error;
  double value = -7;
  SlipStatus status = slipi_option_parse(&table[option], "method m", text, &value, &error);
  assert_int_equal(status, SLIP_ERROR_ARGUMENT);
  assert_int_equal(error.status, SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, part));
  assert_non_null(strstr(error.text, table[option].name));
  assert_true(value == -7);
}

static void test_option_values_are_checked(void **state) {
  (void)state;
  expect_refused(0, "2", "from 0 to 1,");
  expect_refused(0, "nan", "from 0 to 1,");
  expect_refused(0, "0.5x", "'0.5x'");
  expect_refused(0, "", "''");
  expect_refused(1, "2.5", "2.5");
  expect_refused(1, "0", "from 1 to 10,");
  expect_refused(2, "maybe", "'maybe'");
  expect_refused(3, "blue", "red, green");
  double value;
  assert_int_equal(slipi_option_parse(&table[3], "m", "red", &value, NULL), SLIP_OK);
  assert_true(value == 0);
  assert_int_equal(slipi_option_parse(&table[2], "m", "off", &value, NULL), SLIP_OK);
  assert_true(value == 0);
  assert_int_equal(slipi_option_check(&table[3], "m", 2, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slipi_option_check(&table[2], "m", 0.5, NULL), SLIP_ERROR_ARGUMENT);
}

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{1e-6, "1e-6"},
               {0.25, "0.25"},
               {100, "100"},
               {1e22, "1e22"},
               {-0.0001, "-0.0001"},
               {1e-5, "1e-5"},
               {0, "0"},
               {0.1 + 0.2, "0.30000000000000004"},
               {1e15, "1e15"},
               {123456789, "123456789"},
               {5e-324, "5e-324"},
               {-1.5e-300, "-1.5e-300"},
               {1e14, "100000000000000"}};
  char text[SLIPI_NUMBER_TEXT];
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    assert_string_equal(slipi_number_text(cases[k].value, text), cases[k].text);
  assert_string_equal(slipi_number_text(-INFINITY, text), "-inf");
  assert_string_equal(slipi_number_text(NAN, text), "nan");
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  for (int k = 0; k < 10000; k++) {
    double value = 0;
    uint64_t bits = slipi_random_next(&random);
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value))
      assert_true(strtod(slipi_number_text(value, text), NULL) == value);
  }
}

static void test_error_prefix(void **state) {
  (void)state;
  SlipError error;
  slipi_fail(&error, SLIP_ERROR_FILE, "cannot read %d", 3);
  slipi_error_prefix(&error, "a/%s", "b.hdf5");
  assert_string_equal(error.text, "a/b.hdf5: cannot read 3");
  assert_int_equal(error.status, SLIP_ERROR_FILE);
}

static void test_every_status_has_a_name(void **state) {
  (void)state;
  for (int k = SLIP_OK; k <= SLIP_ERROR_NUMERIC; k++)
    assert_int_equal(strncmp(slip_status_name((SlipStatus)k), "SLIP_", 5), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_arena_zeroes_and_aligns),
      cmocka_unit_test(test_arena_remembers_overflow),
      cmocka_unit_test(test_random_repeats_and_spreads),
      cmocka_unit_test(test_shuffle_is_a_permutation),
      cmocka_unit_test(test_option_defaults),
      cmocka_unit_test(test_option_values_are_checked),
      cmocka_unit_test(test_error_prefix),
      cmocka_unit_test(test_every_status_has_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
