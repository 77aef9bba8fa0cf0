/* slipcone/kernel.h as its users call it: known solutions, a residual that shares no code, layouts,
 * a whole Gauss-Seidel loop, and what it refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/kernel.h>

#include "contact_block.h"

static SlipKernel prepared(const ContactBlock *block, SlipFlow flow) {
  SlipKernel kernel;
  SlipError error;
  if (slip_kernel_prepare(&kernel, 3, block->W, block->mu, flow, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return kernel;
}

static ContactBlock random_block(SlipiRandom *random, SlipContactStatus status) {
  ContactBlock block;
  memset(&block, 0, sizeof block);
  block.mu = pow(10, slipi_random_between(random, -2, 0));
  block_random_W(random, pow(10, slipi_random_between(random, 0, 4)), block.W);
  block_with_solution(random, status, &block);
  return block;
}

static void test_known_solutions(void **state) {
  (void)state;
  static const SlipContactStatus statuses[] = {SLIP_CONTACT_OPEN, SLIP_CONTACT_STICK,
                                               SLIP_CONTACT_SLIP};
  SlipiRandom random;
  double worst = 0;
  int same = 0, trials = 20000;
  slipi_random_seed(&random, 11);
  for (int trial = 0; trial < trials; trial++) {
    ContactBlock block = random_block(&random, statuses[trial % 3]);
    SlipKernel kernel = prepared(&block, SLIP_FLOW_COULOMB);
    double r[3] = {0}, away = 0, size = 0;
    assert_int_equal(slip_kernel_solve(&kernel, block.q, r), 1);
    worst = fmax(worst, block_error(&block, 0, r));
    assert_true(slip_kernel_error(&kernel, block.q, r) < 1e-13 * (1 + block.mu));
    for (int k = 0; k < 3; k++) {
      away = fmax(away, fabs(r[k] - block.r[k]));
      size = fmax(size, fabs(block.r[k]));
    }
    if (away > 1e-6 * size) /* another one of several */
      continue;
    same++;
    assert_int_equal(slip_kernel_status(&kernel, block.q, r), statuses[trial % 3]);
  }
  printf("%d contacts: error %.1e, %d at the solution they were made from\n", trials, worst, same);
  assert_true(worst < 1e-12);
  assert_true(same > 9 * trials / 10);
}

static void test_associated(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 12);
  for (int trial = 0; trial < 2000; trial++) {
    ContactBlock block = random_block(&random, SLIP_CONTACT_SLIP);
    SlipKernel kernel = prepared(&block, SLIP_FLOW_ASSOCIATED);
    double r[3] = {0};
    assert_int_equal(slip_kernel_solve(&kernel, block.q, r), 1);
    assert_true(block_error(&block, 1, r) < 1e-12);
  }
}

/* W = diag(2, 1): pressed with 4 it bears 2, and up to 1 along the tangent. */
static void test_plane(void **state) {
  (void)state;
  const double W[4] = {2, 0, 0, 1};
  SlipKernel kernel;
  assert_int_equal(slip_kernel_prepare(&kernel, 2, W, 0.5, SLIP_FLOW_COULOMB, NULL), SLIP_OK);
  const struct {
    double q[2], r[2];
    SlipContactStatus status;
  } cases[] = {{{-4, 0.5}, {2, -0.5}, SLIP_CONTACT_STICK},
               {{-4, -3}, {2, 1}, SLIP_CONTACT_SLIP},
               {{1, -3}, {0, 0}, SLIP_CONTACT_OPEN}};
  for (int c = 0; c < 3; c++) {
    double r[2] = {0};
    assert_int_equal(slip_kernel_solve(&kernel, cases[c].q, r), 1);
    for (int k = 0; k < 2; k++)
      assert_float_equal(r[k], cases[c].r[k], 1e-15);
    assert_int_equal(slip_kernel_status(&kernel, cases[c].q, r), cases[c].status);
  }
}

/* Both layouts have the bits of single solves. */
static void test_layouts(void **state) {
  (void)state;
  enum { COUNT = 300 };
  SlipiRandom random;
  SlipKernel kernels[COUNT], again[COUNT];
  double W[COUNT][9], mu[COUNT], q[COUNT][3], across[3][COUNT], r[COUNT][3], s[3][COUNT];
  int32_t solved[COUNT];
  slipi_random_seed(&random, 13);
  for (int a = 0; a < COUNT; a++) {
    ContactBlock block = random_block(&random, a % 2 ? SLIP_CONTACT_SLIP : SLIP_CONTACT_STICK);
    memcpy(W[a], block.W, sizeof W[a]);
    memcpy(q[a], block.q, sizeof q[a]);
    mu[a] = block.mu;
    for (int k = 0; k < 3; k++) {
      across[k][a] = block.q[k];
      r[a][k] = s[k][a] = 0;
    }
  }
  assert_int_equal(slip_kernel_prepare_many(kernels, COUNT, 3, W[0], mu, SLIP_FLOW_COULOMB, NULL),
                   SLIP_OK);
  memcpy(again, kernels, sizeof kernels);
  assert_int_equal(
      slip_kernel_solve_many(kernels, COUNT, slip_kernel_by_contact(3), q[0], r[0], solved), COUNT);
  assert_int_equal(
      slip_kernel_solve_many(again, COUNT, slip_kernel_by_component(COUNT), across[0], s[0], NULL),
      COUNT);
  for (int a = 0; a < COUNT; a++) {
    SlipKernel one;
    double x[3] = {0};
    slip_kernel_prepare(&one, 3, W[a], mu[a], SLIP_FLOW_COULOMB, NULL);
    assert_int_equal(slip_kernel_solve(&one, q[a], x), 1);
    assert_int_equal(solved[a], 1);
    for (int k = 0; k < 3; k++)
      assert_true(x[k] == r[a][k] && x[k] == s[k][a]);
  }
}

/* The loop of docs/onecontact.md, on W of a pile. */
static void test_own_loop(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_generate_defaults("random", &options, NULL), SLIP_OK);
  options.contacts = 60;
  assert_int_equal(slip_generate("random", &options, &problem, NULL, NULL), SLIP_OK);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  int32_t nc = data.contacts;
  SlipKernel *kernels = calloc((size_t)nc, sizeof *kernels);
  double *r = calloc(3 * (size_t)nc, sizeof *r), error = 1;
  for (int32_t a = 0; a < nc; a++) {
    double W[9] = {0};
    for (int32_t k = 0; k < 3; k++)
      for (int32_t e = data.W.p[3 * a + k]; e < data.W.p[3 * a + k + 1]; e++)
        if (data.W.i[e] / 3 == a)
          W[3 * k + data.W.i[e] % 3] = data.W.x[e];
    assert_int_equal(
        slip_kernel_prepare(&kernels[a], 3, W, data.laws->mu[a], SLIP_FLOW_COULOMB, NULL), SLIP_OK);
  }
  int sweep = 0;
  for (; sweep < 5000 && error > 1e-8; sweep++) {
    for (int32_t a = 0; a < nc; a++) {
      double q[3];
      for (int32_t k = 0; k < 3; k++) {
        q[k] = data.q[3 * a + k];
        for (int32_t e = data.W.p[3 * a + k]; e < data.W.p[3 * a + k + 1]; e++)
          q[k] += data.W.i[e] / 3 == a ? 0 : data.W.x[e] * r[data.W.i[e]];
      }
      assert_int_equal(slip_kernel_solve(&kernels[a], q, r + 3 * (size_t)a), 1);
    }
    assert_int_equal(slip_problem_residual(problem, r, &error, NULL, NULL), SLIP_OK);
  }
  printf("%d contacts to %.1e in %d sweeps\n", (int)nc, error, sweep);
  assert_true(error <= 1e-8);
  free(r);
  free(kernels);
  slip_problem_free(problem);
}

/* Pressed, and pressed harder by its own friction: a rod that jams. */
static void test_no_solution(void **state) {
  (void)state;
  const double W[9] = {0.2, -0.4, 0, -0.4, 1, 0, 0, 0, 1}, q[3] = {-1, 5, 0};
  SlipKernel kernel;
  double r[3] = {0};
  assert_int_equal(slip_kernel_prepare(&kernel, 3, W, 2, SLIP_FLOW_COULOMB, NULL), SLIP_OK);
  int solved = slip_kernel_solve(&kernel, q, r);
  double error = slip_kernel_error(&kernel, q, r);
  assert_true(solved ? error < 1e-12 : error > 1e-12);
  const double zero[9] = {0}; /* nothing that it bears moves it */
  memset(r, 0, sizeof r);
  assert_int_equal(slip_kernel_prepare(&kernel, 3, zero, 0.5, SLIP_FLOW_COULOMB, NULL), SLIP_OK);
  assert_int_equal(slip_kernel_solve(&kernel, (const double[]){-1, 0, 0}, r), 0);
}

static void expect_refused(int32_t dimension, const double *W, double mu, int flow,
                           const char *text) {
  SlipKernel kernel;
  SlipError error = {0};
  assert_int_equal(slip_kernel_prepare(&kernel, dimension, W, mu, (SlipFlow)flow, &error),
                   SLIP_ERROR_ARGUMENT);
  if (!strstr(error.text, text))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

static void test_bad_input(void **state) {
  (void)state;
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu[2] = {0.5, -1};
  const double gap[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1}, down[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
  double two[18];
  memcpy(two, W, sizeof W);
  memcpy(two + 9, W, sizeof W);
  expect_refused(4, W, 0.5, 0, "dimension is 4");
  expect_refused(3, NULL, 0.5, 0, "is null");
  expect_refused(3, gap, 0.5, 0, "nan in row 1, column 1");
  expect_refused(3, down, 0.5, 0, "-1 on its diagonal, in row 2");
  expect_refused(3, W, -0.5, 0, "mu is -0.5");
  expect_refused(3, W, INFINITY, 0, "mu is inf");
  expect_refused(3, W, 0.5, 7, "no flow 7");
  SlipKernel kernels[2] = {0};
  SlipError error = {0};
  assert_int_equal(slip_kernel_prepare_many(kernels, 2, 3, two, mu, SLIP_FLOW_COULOMB, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "contact 1: mu is -1"));
  assert_int_equal(slip_kernel_prepare_many(NULL, -1, 3, two, mu, SLIP_FLOW_COULOMB, &error),
                   SLIP_ERROR_ARGUMENT);
  double q[3] = {-1, 0, 0}, r[3] = {0, 0.25, 0}, lost[3] = {NAN, 0, 0};
  assert_int_equal(slip_kernel_solve(NULL, q, r), 0);
  assert_int_equal(slip_kernel_solve(&kernels[1], q, r), 0); /* it was not prepared */
  assert_int_equal(slip_kernel_solve(&kernels[0], NULL, r), 0);
  assert_int_equal(slip_kernel_solve(&kernels[0], q, NULL), 0);
  assert_int_equal(slip_kernel_solve(&kernels[0], lost, r), 0);
  assert_true(r[0] == 0 && r[1] == 0.25 && r[2] == 0);
  assert_int_equal(slip_kernel_solve_many(NULL, 2, slip_kernel_by_contact(3), q, r, NULL), 0);
  assert_true(isnan(slip_kernel_error(NULL, q, r)));
  assert_int_equal(slip_kernel_status(NULL, q, r), SLIP_CONTACT_OPEN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_solutions), cmocka_unit_test(test_associated),
      cmocka_unit_test(test_plane),           cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_own_loop),        cmocka_unit_test(test_no_solution),
      cmocka_unit_test(test_bad_input)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
