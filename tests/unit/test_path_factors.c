/* Systems of curves of solutions: some contacts change their blocks, again and again, and solutions
 * and signs of determinants are those of the matrix as it is then, made and factored here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "base/random.h"
#include "methods/common_path_factors.h"
#include "path_case.h"
#include "solving.h"

/* J = A W + B, dense by rows, of W one column after the other. */
static void make(const SlipiScaled *scaled, const double *A, const double *B, double *J) {
  int32_t m = scaled->m;
  double *unit = calloc((size_t)m, sizeof *unit), *column = calloc((size_t)m, sizeof *column);
  assert_non_null(unit);
  assert_non_null(column);
  for (int32_t k = 0; k < m; k++) {
    unit[k] = 1;
    slipi_bsr_multiply(&scaled->W, unit, column, NULL);
    unit[k] = 0;
    for (int32_t i = 0; i < m; i++) {
      const double *A_i = A + 3 * (int64_t)i, *B_i = B + 3 * (int64_t)i;
      double entry = i / 3 == k / 3 ? B_i[k % 3] : 0;
      for (int j = 0; j < 3; j++)
        entry += A_i[j] * column[3 * (i / 3) + j];
      J[(int64_t)i * m + k] = entry;
    }
  }
  free(unit);
  free(column);
}

/* The sign of det J by Gauss's elimination, which overwrites it. */
static int sign_of(double *J, int32_t m) {
  int sign = 1;
  for (int32_t k = 0; k < m; k++) {
    int32_t best = k;
    for (int32_t i = k + 1; i < m; i++)
      best = fabs(J[(int64_t)i * m + k]) > fabs(J[(int64_t)best * m + k]) ? i : best;
    for (int32_t j = 0; j < m && best != k; j++) {
      double keep = J[(int64_t)k * m + j];
      J[(int64_t)k * m + j] = J[(int64_t)best * m + j];
      J[(int64_t)best * m + j] = keep;
    }
    double pivot = J[(int64_t)k * m + k];
    sign = (best != k) != (pivot < 0) ? -sign : sign;
    for (int32_t i = k + 1; i < m; i++) {
      double by = J[(int64_t)i * m + k] / pivot;
      for (int32_t j = k; j < m; j++)
        J[(int64_t)i * m + j] -= by * J[(int64_t)k * m + j];
    }
  }
  return sign;
}

/* Open (r = 0), sticking (u = 0) or anything, as a sliding contact has it. */
static void set_blocks(SlipiRandom *random, int kind, double *A, double *B) {
  for (int k = 0; k < 9; k++) {
    double a = slipi_random_between(random, -1, 1), b = slipi_random_between(random, -1, 1);
    A[k] = kind == 0 ? 0 : kind == 1 ? k % 4 == 0 : a;
    B[k] = kind == 0 ? k % 4 == 0 : kind == 1 ? 1e-3 * (k % 4 == 0) : b;
  }
}

/* Whether J x is b, and the sign that of J. */
static void check(SlipiPathFactors *factors, const double *A, const double *B, double *J,
                  int *negative) {
  int32_t m = factors->m;
  double *b = calloc((size_t)m, sizeof *b), *x = calloc((size_t)m, sizeof *x);
  int sign;
  assert_non_null(b);
  assert_non_null(x);
  for (int32_t k = 0; k < m; k++)
    b[k] = cos(k + 1.0);
  assert_int_equal(slipi_path_factors_set(factors, A, B, &sign, NULL), SLIP_OK);
  assert_int_equal(slipi_path_factors_solve(factors, b, x, NULL), SLIP_OK);
  make(factors->scaled, A, B, J);
  for (int32_t i = 0; i < m; i++) {
    double sum = -b[i], size = fabs(b[i]);
    for (int32_t k = 0; k < m; k++) {
      sum += J[(int64_t)i * m + k] * x[k];
      size = fmax(size, fabs(J[(int64_t)i * m + k] * x[k]));
    }
    assert_true(fabs(sum) <= 1e-8 * size);
  }
  assert_int_equal(sign, sign_of(J, m));
  *negative += sign < 0;
  free(b);
  free(x);
}

static void open_factors(Case *c, int32_t contacts, SlipiPathFactors *factors) {
  SlipiScaled *scaled;
  SlipiSystem *system;
  open_case(c, generate_problem("random", contacts, 3, NULL));
  assert_int_equal(slipi_scaled_create(c->op, false, &c->arena, &scaled, NULL), SLIP_OK);
  assert_int_equal(slipi_system_of(c->op, &system, NULL), SLIP_OK);
  assert_int_equal(slipi_scaled_set(scaled, c->run.law, c->run.q, true, NULL), SLIP_OK);
  assert_int_equal(slipi_path_factors_create(system, scaled, &c->arena, factors, NULL), SLIP_OK);
}

static void test_changes(void **state) {
  enum { CONTACTS = 60, TURNS = 60 };
  static double A[9 * CONTACTS], B[9 * CONTACTS], J[9 * CONTACTS * CONTACTS];
  Case c;
  SlipiPathFactors factors;
  SlipiRandom random;
  int kept = 0, negative = 0;
  (void)state;
  slipi_random_seed(&random, 1);
  open_factors(&c, CONTACTS, &factors);
  assert_true(factors.most > 0);
  assert_int_equal(c.run.nc, CONTACTS);
  for (int32_t a = 0; a < CONTACTS; a++)
    set_blocks(&random, a % 2, A + 9 * (int64_t)a, B + 9 * (int64_t)a);
  for (int turn = 0; turn < TURNS; turn++) {
    int32_t a = (int32_t)slipi_random_between(&random, 0, CONTACTS);
    set_blocks(&random, turn % 3, A + 9 * (int64_t)a, B + 9 * (int64_t)a);
    check(&factors, A, B, J, &negative);
    kept += factors.count > 0;
  }
  assert_true(kept > TURNS / 2);                     /* they were not factored each time */
  assert_true(negative > 5 && negative < TURNS - 5); /* both signs */
  close_case(&c);
}

/* Blocks that differ little from those that were factored become these, so that nothing is factored
 * or added; one whose compliance is another stays. */
static void test_near(void **state) {
  enum { CONTACTS = 60 };
  static double A[9 * CONTACTS], B[9 * CONTACTS], J[9 * CONTACTS * CONTACTS];
  static double A_0[9 * CONTACTS], B_0[9 * CONTACTS], weight[CONTACTS];
  Case c;
  SlipiPathFactors factors;
  SlipiRandom random;
  int negative = 0;
  (void)state;
  slipi_random_seed(&random, 1);
  open_factors(&c, CONTACTS, &factors);
  for (int32_t a = 0; a < CONTACTS; a++) {
    set_blocks(&random, a % 2, A + 9 * (int64_t)a, B + 9 * (int64_t)a);
    weight[a] = 1e-3;
  }
  memcpy(A_0, A, sizeof A);
  memcpy(B_0, B, sizeof B);
  check(&factors, A, B, J, &negative);
  for (int32_t k = 0; k < 9 * CONTACTS; k++) {
    A[k] += slipi_random_between(&random, -0.05, 0.05);
    B[k] += slipi_random_between(&random, -5e-5, 5e-5);
  }
  B[9 * 7] = 2e-3;
  slipi_path_factors_near(&factors, weight, A, B);
  assert_true(B[9 * 7] == 2e-3 && A[9 * 7] != A_0[9 * 7]);
  memcpy(A + 9 * 7, A_0 + 9 * 7, 9 * sizeof *A);
  memcpy(B + 9 * 7, B_0 + 9 * 7, 9 * sizeof *B);
  assert_memory_equal(A, A_0, sizeof A);
  assert_memory_equal(B, B_0, sizeof B);
  check(&factors, A, B, J, &negative);
  assert_int_equal(factors.count, 0);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes), cmocka_unit_test(test_near)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
