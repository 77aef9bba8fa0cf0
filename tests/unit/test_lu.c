/* LU with one pattern and several sets of values: dense and sparse, regular, singular, not finite,
 * every allocation of create is checked through test_alloc_core. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/lu.h"

enum { N = 40 };

/* A band of width 5 with corners, N x N. */
static void pattern(int32_t *p, int32_t *i) {
  int32_t used = 0;
  for (int32_t row = 0; row < N; row++) {
    p[row] = used;
    for (int32_t column = 0; column < N; column++)
      if (abs(row - column) <= 2 || abs(row - column) == N - 1)
        i[used++] = column;
  }
  p[N] = used;
}

static void check(SlipiLu *lu, SlipiCsr *A, SlipiRandom *random) {
  double b[N], x[N], rcond, y[N];
  for (int32_t k = 0; k < A->p[N]; k++)
    A->x[k] = slipi_random_normal(random);
  for (int k = 0; k < N; k++)
    b[k] = slipi_random_normal(random);
  assert_int_equal(slipi_lu_factor(lu, &rcond, NULL), SLIP_OK);
  assert_true(rcond > 0 && rcond <= 1);
  assert_int_equal(slipi_lu_solve(lu, b, x, NULL), SLIP_OK);
  slipi_csr_multiply(A, x, y);
  for (int k = 0; k < N; k++)
    assert_true(fabs(y[k] - b[k]) < 1e-9);
}

static void test_values_change(void **state) {
  (void)state;
  int32_t p[N + 1], i[N * N];
  double values[N * N], rcond;
  SlipiCsr A = {N, N, p, i, values};
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  pattern(p, i);
  for (int kind = SLIPI_LU_AUTO; kind <= SLIPI_LU_SPARSE; kind++) {
    SlipiLu *lu;
    assert_int_equal(slipi_lu_create(&A, (SlipiLuKind)kind, NULL, &lu, NULL), SLIP_OK);
    assert_int_equal(slipi_lu_is_dense(lu), kind != SLIPI_LU_SPARSE);
    check(lu, &A, &random);
    check(lu, &A, &random);
    for (int32_t k = p[7]; k < p[8]; k++) /* a row of zeros, then one that is no number */
      values[k] = 0;
    assert_int_equal(slipi_lu_factor(lu, &rcond, NULL), SLIP_OK);
    assert_true(rcond == 0);
    values[p[7]] = NAN;
    assert_int_equal(slipi_lu_factor(lu, &rcond, NULL), SLIP_OK);
    assert_true(rcond == 0);
    check(lu, &A, &random); /* and it goes on */
    slipi_lu_free(lu);
  }
}

static void test_choice(void **state) {
  (void)state;
  assert_true(slipi_lu_wants_dense(30, 90));
  assert_true(slipi_lu_wants_dense(1000, 600000));
  assert_false(slipi_lu_wants_dense(1000, 30000));
  assert_false(slipi_lu_wants_dense(100000, 5e9));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_change),
      cmocka_unit_test(test_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
