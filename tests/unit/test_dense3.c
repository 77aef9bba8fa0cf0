/* 3x3 systems of every rank; eigenvalues. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/dense3.h"

static void test_every_rank(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int trial = 0; trial < 1000; trial++) {
    int rank = trial % 4;
    double A[9] = {0}, x[3], b[3], y[3];
    SlipiSolution3 s;
    for (int v = 0; v < rank; v++) {
      double left[3], right[3];
      for (int k = 0; k < 3; k++) {
        left[k] = slipi_random_normal(&random);
        right[k] = slipi_random_normal(&random);
      }
      for (int k = 0; k < 9; k++)
        A[k] += left[k / 3] * right[k % 3];
    }
    for (int k = 0; k < 3; k++)
      x[k] = slipi_random_normal(&random);
    slipi_dense3_multiply(A, x, b);
    slipi_dense3_solve(A, b, 1e-12, &s);
    assert_int_equal(s.rank, rank);
    assert_true(s.defect <= 1e-11 * (1 + slipi_dense3_max(b)));
    slipi_dense3_multiply(A, s.x, y);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(y[k] - b[k]) <= 1e-12 * (1 + slipi_dense3_max(s.x)) * 30);
    for (int v = 0; v < 3 - rank; v++) {
      slipi_dense3_multiply(A, s.null[v], y);
      assert_true(slipi_dense3_norm(s.null[v]) >= 1);
      assert_true(slipi_dense3_norm(y) <= 1e-11 * slipi_dense3_norm(s.null[v]) * 10);
    }
  }
}

static void test_inconsistent(void **state) {
  (void)state;
  const double A[9] = {1, 2, 3, 2, 4, 6, 0, 0, 1}, b[3] = {1, 3, 0};
  SlipiSolution3 s;
  slipi_dense3_solve(A, b, 1e-12, &s);
  assert_int_equal(s.rank, 2);
  assert_true(s.defect > 0.1);
}

/* A = V' diag V with V V' = I, over 16 orders of magnitude. */
static void test_eigen(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  for (int trial = 0; trial < 1000; trial++) {
    double A[9] = {0}, values[3], V[9], largest = 0;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j <= i; j++) {
        A[3 * i + j] = A[3 * j + i] =
            slipi_random_normal(&random) * pow(10, -(trial % 8) * (i + j));
        largest = fmax(largest, fabs(A[3 * i + j]));
      }
    }
    slipi_dense3_eigen(A, values, V);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        double sum = 0, dot = slipi_dense3_dot(V + 3 * (size_t)i, V + 3 * (size_t)j);
        for (int k = 0; k < 3; k++)
          sum += V[3 * k + i] * values[k] * V[3 * k + j];
        assert_true(fabs(sum - A[3 * i + j]) <= 1e-14 * largest);
        assert_true(fabs(dot - (i == j)) <= 1e-14);
      }
    }
  }
}

/* A X = I, the determinant's sign, and none where a row is a multiple of another. */
static void test_inverse(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  int negative = 0;
  for (int trial = 0; trial < 1000; trial++) {
    double A[9], X[9], I[9];
    for (int k = 0; k < 9; k++)
      A[k] = slipi_random_normal(&random) + (k % 4 == 0 ? 4 * (trial % 2 ? 1 : -1) : 0);
    int sign = slipi_dense3_invert(A, X);
    double det = A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                 A[2] * (A[3] * A[7] - A[4] * A[6]);
    assert_int_equal(sign, det > 0 ? 1 : -1);
    negative += sign < 0;
    slipi_dense3_product(A, X, I);
    double worst = 0, size = 0;
    for (int k = 0; k < 9; k++) {
      worst = fmax(worst, fabs(I[k] - (k % 4 == 0)));
      size = fmax(size, fabs(X[k]));
    }
    assert_true(worst <= 1e-13 * fmax(1, size));
    for (int k = 0; k < 3; k++)
      A[3 + k] = 2 * A[k];
    A[6] = A[7] = A[8] = 0;
    assert_int_equal(slipi_dense3_invert(A, X), 0);
  }
  assert_true(negative > 100 && negative < 900);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_rank),
      cmocka_unit_test(test_inconsistent),
      cmocka_unit_test(test_eigen),
      cmocka_unit_test(test_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
