/* few, and what makes tiny problems fast: every built-in problem of a few contacts, new values of W
 * in a ready solver, sentences without printf. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "base/phrase.h"
#include "base/random.h"
#include "contact_block.h"
#include "data.h"
#include "reference.h"
#include "solving.h"

/* A condition of 1e10 is for the other stages of auto. */
static void solve_accurately(const SlipProblem *problem, const char *kind) {
  if (strcmp(kind, "ill") != 0)
    expect_solved(problem, kind, "few", "tol=1e-8 max-iter=2000", 1e-8);
  expect_solved(problem, kind, "auto", "tol=1e-8 max-iter=5000", 1e-8);
}

static void test_every_built_in_problem(void **state) {
  (void)state;
  for (int32_t contacts = 1; contacts <= 6; contacts++)
    each_built_in_problem(contacts, solve_accurately);
  each_built_in_problem(12, solve_accurately);
}

static void test_the_operator_does_not_matter(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("stack", 8, 3, NULL);
  expect_solved(problem, "stack", "few", "tol=1e-8 operator=block", 1e-8);
  expect_solved(problem, "stack", "few", "tol=1e-8 operator=velocity", 1e-8);
  slip_problem_free(problem);
}

/* One contact is solved by the first visit, whatever its status. */
static void test_one_contact_takes_one_iteration(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    ContactBlock block = {.mu = 0.1 + 0.03 * (double)seed};
    SlipContactStatus status = (SlipContactStatus)(seed % 3);
    SlipiRandom random;
    SlipProblem *problem;
    slipi_random_seed(&random, seed);
    block_random_W(&random, 20, block.W);
    block_with_solution(&random, status, &block);
    SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1,
                                    .W = {.layout = SLIP_DENSE, .rows = 3, .cols = 3, .x = block.W},
                                    .q = block.q, .laws = LAWS(.mu = &block.mu));
    assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
    Solved solved = solve_with(problem, "auto", "tol=1e-10", NULL);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_true(solved.iterations <= 1);
    assert_true(solved.reference <= 1e-10);
    free(solved.r);
    slip_problem_free(problem);
  }
}

static void test_too_many_contacts_are_refused(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 33, 3, NULL);
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  assert_int_equal(slip_settings_create("few", &settings, &error), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_non_null(strstr(error.text, "33"));
  assert_null(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
}

/* ---- Another W in a ready solver ---- */

static SlipSolver *ready(const SlipProblem *problem, const char *method) {
  SlipSettings *settings;
  SlipSolver *solver;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", "1e-8", NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
  slip_settings_free(settings);
  return solver;
}

/* The bits of a fresh solver; the problem itself stays as it was. */
static void check_new_W(const char *method, const char *kind, int32_t contacts) {
  SlipProblem *problem = generate_problem(kind, contacts, 3, NULL), *other;
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  size_t count = (size_t)data.W.nnz, bytes = count * sizeof(double);
  double *W = malloc(bytes), *before = malloc(bytes);
  memcpy(before, data.W.x, bytes);
  for (int32_t row = 0; row < data.W.rows; row++) {
    for (int32_t k = data.W.p[row]; k < data.W.p[row + 1]; k++)
      W[k] = 1.5 * data.W.x[k] + (data.W.i[k] == row ? 0.1 : 0);
  }
  SlipSolver *solver = ready(problem, method);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  data.W.x = W;
  assert_int_equal(slip_solver_update(solver, UPDATE(.W = &data.W), NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_problem_create_local(&data, &other, NULL), SLIP_OK);
  SlipSolver *fresh = ready(other, method);
  assert_int_equal(slip_solver_run(fresh, NULL), SLIP_OK);
  const SlipResult *a = slip_solver_result(solver), *b = slip_solver_result(fresh);
  assert_int_equal(a->outcome, SLIP_SOLVED);
  assert_true(reference_error(other, a->r) <= 1e-8);
  assert_int_equal(a->iterations, b->iterations);
  assert_memory_equal(a->r, b->r, 3 * (size_t)contacts * sizeof(double));
  slip_problem_local_data(problem, &data, NULL);
  assert_memory_equal(data.W.x, before, bytes);
  slip_solver_free(solver);
  slip_solver_free(fresh);
  slip_problem_free(problem);
  slip_problem_free(other);
  free(before);
  free(W);
}

static void test_new_W(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "nsgs", "nsn-ac", "alm", "ipm", "eg-vi-upk", NULL};
  for (int k = 0; methods[k]; k++) {
    check_new_W(methods[k], "random", 20);
    check_new_W(methods[k], "dense", 4);
  }
  check_new_W("auto", "ill", 30); /* beyond Gauss-Seidel: the other stages forget the old W */
  check_new_W("few", "dense", 5);
}

static void test_new_W_defects(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("dense", 2, 3, NULL);
  SlipProblem *global = generate_problem("stack", 4, 3, NULL);
  SlipSolver *solver = ready(problem, "spg"), *other = ready(global, "auto");
  SlipLocalData data = slip_default_local_data();
  SlipError error;
  double W[36];
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  assert_int_equal(data.W.nnz, 36);
  memcpy(W, data.W.x, sizeof W);
  SlipMatrix given = data.W;
  given.x = W;
  SlipUpdate update = *UPDATE(.W = &given);
  W[8] = NAN;
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_PROBLEM);
  assert_non_null(strstr(error.text, "W(1, 2) is nan"));
  W[8] = data.W.x[8] + 0.1;
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_MISMATCH);
  assert_non_null(strstr(error.text, "symmetric"));
  assert_int_equal(slip_solver_run(solver, &error), SLIP_OK); /* with the W it had */
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  assert_int_equal(slip_solver_update(other, &update, &error), SLIP_ERROR_ARGUMENT);
  int32_t diagonal[7], column[6];
  for (int32_t k = 0; k < 7; k++)
    diagonal[k] = k;
  memcpy(column, diagonal, sizeof column);
  given = (SlipMatrix){SLIP_CSR, 6, 6, 6, diagonal, column, W};
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "W(0, 1) is in one"));
  given = slip_dense(5, 6, W);
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "5 x 6"));
  slip_solver_free(solver);
  slip_solver_free(other);
  slip_problem_free(problem);
  slip_problem_free(global);
}

/* ---- Sentences ---- */

/* "1e-06" to "1e-6", "1e+10" to "1e10". */
static void trim_exponent(char *text) {
  char *e = strchr(text, 'e');
  if (e)
    sprintf(e, "e%d", atoi(e + 1));
}

static void test_numbers_as_printf_writes_them(void **state) {
  (void)state;
  static const double values[] = {0,        1,       -1,     10,        100,     999,   1000,
                                  999.4,    999.6,   9.996,  0.1,       0.001,   1e-4,  1e-5,
                                  1.5e-8,   1e99,    1e100,  -2.5e-300, 1.25e10, 1e290, 5e-324,
                                  INFINITY, 0.00999, 123456, 99.94,     1e-8};
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  for (int k = 0; k < 20000; k++) {
    double value = k < (int)(sizeof values / sizeof *values)
                       ? values[k]
                       : slipi_random_between(&random, -10, 10) *
                             pow(10, slipi_random_between(&random, -40, 40));
    char expected[64], written[64] = "";
    snprintf(expected, sizeof expected, "%.3g", value);
    trim_exponent(expected);
    SlipiPhrase phrase = {.at = written, .size = sizeof written};
    slipi_phrase_add_real(&phrase, value);
    if (strcmp(expected, written) != 0) /* midway between two texts? */
      assert_true(fabs(strtod(written, NULL) / strtod(expected, NULL) - 1) < 0.0101 &&
                  fabs(fabs(value / strtod(written, NULL) - 1) -
                       fabs(value / strtod(expected, NULL) - 1)) < 1e-12);
  }
}

static void test_phrases_end_with_their_room(void **state) {
  (void)state;
  char room[8] = "";
  SlipiPhrase phrase = {.at = room, .size = sizeof room};
  slipi_phrase_add(&phrase, "abc ");
  slipi_phrase_add_int(&phrase, -1234567);
  assert_string_equal(room, "abc -12");
  slipi_phrase_add_real(&phrase, 0.5);
  assert_string_equal(room, "abc -12");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_built_in_problem),
      cmocka_unit_test(test_the_operator_does_not_matter),
      cmocka_unit_test(test_one_contact_takes_one_iteration),
      cmocka_unit_test(test_too_many_contacts_are_refused),
      cmocka_unit_test(test_new_W),
      cmocka_unit_test(test_new_W_defects),
      cmocka_unit_test(test_numbers_as_printf_writes_them),
      cmocka_unit_test(test_phrases_end_with_their_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
