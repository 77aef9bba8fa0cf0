/* Siconos text: written and read again, bit for bit; what it has no place for is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "compare.h"
#include "data.h"

#define PATH "test_siconos_write.dat"

static SlipProblem *make(const char *kind, int32_t dimension) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem = NULL;
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.dimension = dimension;
  if (options.contacts > 40)
    options.contacts = 40;
  slip_generate(kind, &options, &problem, NULL, NULL); /* NULL: not of this dimension */
  return problem;
}

static SlipStatus put(const SlipProblem *problem, SlipError *error) {
  return slip_file_write(PATH, WRITE(.problem = problem, .format = SLIP_FORMAT_SICONOS), error);
}

static void test_round_trips(void **state) {
  (void)state;
  static const char *const kinds[] = {
      "random", "ill",   "deficient", "deficient-global", "unsymmetric", "dense", "stack",
      "wall",   "slope", "pile",      "elastic",          "painleve",    "drum",  "one"};
  int written = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = make(kinds[k], d);
      SlipFile *file;
      SlipError error;
      if (!problem)
        continue;
      if (put(problem, &error) || slip_file_read(PATH, SLIP_WANT_ANY, &file, &error))
        fail_msg("%s in %dD: %s", kinds[k], (int)d, error.text);
      assert_same_problem(file->problem, problem);
      slip_file_free(file);
      slip_problem_free(problem);
      written++;
    }
  assert_true(written > 20);
}

static void test_no_contacts(void **state) {
  (void)state;
  SlipProblem *problem = NULL;
  SlipFile *file;
  SlipLocalData local = LOCAL_DATA(.dimension = 3, .W = {.layout = SLIP_TRIPLET});
  assert_int_equal(slip_problem_create_local(&local, &problem, NULL), SLIP_OK);
  assert_int_equal(put(problem, NULL), SLIP_OK);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
  assert_int_equal(slip_problem_contacts(file->problem), 0);
  slip_file_free(file);
  slip_problem_free(problem);
}

/* A contact without friction has mu = 0 in the file. */
static void test_frictionless(void **state) {
  (void)state;
  SlipProblem *problem = make("frictionless", 3);
  SlipFile *file;
  SlipLocalData before = slip_default_local_data(), after = slip_default_local_data();
  assert_int_equal(put(problem, NULL), SLIP_OK);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
  assert_int_equal(slip_problem_local_data(problem, &before, NULL), SLIP_OK);
  assert_int_equal(slip_problem_local_data(file->problem, &after, NULL), SLIP_OK);
  assert_memory_equal(before.q, after.q, (size_t)before.W.rows * sizeof(double));
  for (int32_t a = 0; a < after.contacts; a++)
    assert_true(after.laws->mu[a] == 0);
  slip_file_free(file);
  slip_problem_free(problem);
}

static void refused(const SlipProblem *problem, const char *text) {
  SlipError error;
  remove(PATH);
  assert_int_equal(put(problem, &error), SLIP_ERROR_ARGUMENT);
  if (!strstr(error.text, text) || !strstr(error.text, PATH))
    fail_msg("'%s' does not say '%s'", error.text, text);
  assert_null(fopen(PATH, "r"));
}

static void test_no_place(void **state) {
  (void)state;
  SlipProblem *problem = make("bilateral", 3);
  refused(problem, "is bilateral, which Siconos text has no place for");
  slip_problem_free(problem);
  double W[4] = {1, 0, 0, 1}, q[2] = {-1, 0.5}, mu = 0.5;
  int32_t flow = SLIP_FLOW_ASSOCIATED;
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 1, .W = slip_dense(2, 2, W), .q = q,
                                  .laws = LAWS(.mu = &mu, .flow = &flow));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  refused(problem, "contact 0 has an associated flow");
  slip_problem_free(problem);
  data.laws = LAWS(.mu = &mu);
  data.compliance = W;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  refused(problem, "compliance");
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = problem, .format = (SlipFormat)7), NULL),
                   SLIP_ERROR_ARGUMENT);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_no_contacts),
      cmocka_unit_test(test_frictionless),
      cmocka_unit_test(test_no_place),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(PATH);
  return failed;
}
