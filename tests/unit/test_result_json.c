/* The JSON of a run: its keys, in order, and what JSON cannot say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <slipcone/io.h>

static const SlipResult solved = {.size = sizeof(SlipResult),
                                  .outcome = SLIP_SOLVED,
                                  .residual = 9.5e-9,
                                  .gap = -1e-12,
                                  .iterations = 5000000000,
                                  .seconds = 0.25,
                                  .setup_seconds = 0.125,
                                  .dimension = 3,
                                  .contacts = 12,
                                  .dof = 30,
                                  .open = 3,
                                  .stick = 4,
                                  .slip = 5,
                                  .method = "nsgs",
                                  .reason = "the error is at most \"tol\""};

static json_t *make(const char *file, double tol, const SlipResult *result) {
  char *text = NULL;
  SlipError error;
  assert_int_equal(slip_result_json(file, tol, result, &text, &error), SLIP_OK);
  assert_non_null(text);
  assert_null(strchr(text, '\n'));
  json_t *object = json_loads(text, 0, NULL);
  assert_non_null(object);
  slip_text_free(text);
  return object;
}

static void test_keys_in_order(void **state) {
  (void)state;
  static const char *const keys[] = {
      "file",  "contacts",      "dimension", "method",     "tol",     "outcome",       "flow",
      "error", "coulomb_error", "physical",  "iterations", "seconds", "setup_seconds", "open",
      "stick", "slip",          "gap",       "dof",        "floor",   "reason"};
  json_t *object = make("a.hdf5", 1e-8, &solved);
  size_t k = 0;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    assert_true(k < sizeof keys / sizeof keys[0]);
    assert_string_equal(key, keys[k++]);
  }
  assert_int_equal(k, sizeof keys / sizeof keys[0]);
  json_decref(object);
}

static double number(const json_t *object, const char *key) {
  json_t *value = json_object_get(object, key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

static const char *string(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static void test_values(void **state) {
  (void)state;
  json_t *object = make("a.hdf5", 1e-8, &solved);
  assert_string_equal(string(object, "file"), "a.hdf5");
  assert_string_equal(string(object, "method"), "nsgs");
  assert_string_equal(string(object, "outcome"), "SOLVED");
  assert_string_equal(string(object, "reason"), solved.reason);
  assert_true(number(object, "contacts") == 12);
  assert_true(number(object, "dimension") == 3);
  assert_true(number(object, "dof") == 30);
  assert_true(number(object, "tol") == 1e-8);
  assert_true(number(object, "error") == 9.5e-9);
  assert_true(number(object, "gap") == -1e-12);
  assert_true(number(object, "iterations") == 5e9);
  assert_true(number(object, "seconds") == 0.25);
  assert_true(number(object, "setup_seconds") == 0.125);
  assert_true(number(object, "open") == 3);
  assert_true(number(object, "stick") == 4);
  assert_true(number(object, "slip") == 5);
  json_decref(object);
}

/* A relaxation says so, and by how much it misses Coulomb's law. */
static void test_relaxation(void **state) {
  (void)state;
  SlipResult result = solved;
  result.coulomb_residual = result.residual;
  json_t *object = make("a.hdf5", 1e-8, &result);
  assert_string_equal(string(object, "flow"), "given");
  assert_true(number(object, "coulomb_error") == 9.5e-9);
  json_decref(object);
  result.relaxed = 1;
  result.coulomb_residual = 0.08;
  object = make("a.hdf5", 1e-8, &result);
  assert_string_equal(string(object, "flow"), "associated");
  assert_true(number(object, "error") == 9.5e-9);
  assert_true(number(object, "coulomb_error") == 0.08);
  json_decref(object);
}

static void test_not_finite_is_null(void **state) {
  (void)state;
  SlipResult result = solved;
  result.residual = INFINITY;
  result.gap = NAN;
  result.method = NULL;
  result.reason = NULL;
  json_t *object = make(NULL, NAN, &result);
  assert_true(json_is_null(json_object_get(object, "file")));
  assert_true(json_is_null(json_object_get(object, "tol")));
  assert_true(json_is_null(json_object_get(object, "error")));
  assert_true(json_is_null(json_object_get(object, "gap")));
  assert_true(json_is_null(json_object_get(object, "method")));
  assert_true(json_is_null(json_object_get(object, "reason")));
  json_decref(object);
}

typedef struct Name {
  const char *bytes, *shown;
} Name;

#define NO "\xef\xbf\xbd" /* U+FFFD */

static void test_file_names(void **state) {
  (void)state;
  static const Name names[] = {
      {"", ""},
      {"\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
       "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"a\"b\\c\nd\x01", "a\"b\\c\nd\x01"},
      {"lone \x80 \xff", "lone " NO " " NO},
      {"cut \xe2\x82", "cut " NO NO},
      {"cut \xf0\x9f\x98", "cut " NO NO NO},
      {"overlong \xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf",
       "overlong " NO NO " " NO NO NO " " NO NO NO NO},
      {"surrogate \xed\xa0\x80", "surrogate " NO NO NO},
      {"beyond \xf4\x90\x80\x80 \xf5", "beyond " NO NO NO NO " " NO},
      {"limit \xf4\x8f\xbf\xbf \xed\x9f\xbf", "limit \xf4\x8f\xbf\xbf \xed\x9f\xbf"},
  };
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    json_t *object = make(names[k].bytes, 1e-4, &solved);
    assert_string_equal(string(object, "file"), names[k].shown);
    json_decref(object);
  }
}

static void test_arguments(void **state) {
  (void)state;
  char *text = (char *)&text;
  SlipError error;
  assert_int_equal(slip_result_json("a", 1, NULL, &text, &error), SLIP_ERROR_ARGUMENT);
  assert_null(text);
  assert_int_equal(slip_result_json("a", 1, &solved, NULL, NULL), SLIP_ERROR_ARGUMENT);
  slip_text_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keys_in_order), cmocka_unit_test(test_values),
      cmocka_unit_test(test_relaxation),    cmocka_unit_test(test_not_finite_is_null),
      cmocka_unit_test(test_file_names),    cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
