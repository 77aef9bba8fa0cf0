/* Block LU: solutions against a multiplication, the determinant's sign against permutations and
 * sign changes whose effect is known, in the dense and the sparse form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/blocklu.h"

/* n blocks of 3 x 3 in a chain, diagonally dominant: positive determinant. */
static void make_chain(SlipiArena *arena, int32_t n, SlipiBsr *A) {
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  assert_int_equal(slipi_bsr_alloc(arena, 3, n, 3 * (int64_t)n - 2, A, NULL), SLIP_OK);
  int32_t used = 0;
  for (int32_t row = 0; row < n; row++) {
    A->p[row] = used;
    for (int32_t j = row - 1; j <= row + 1; j++) {
      if (j < 0 || j >= n)
        continue;
      A->j[used] = j;
      for (int k = 0; k < 9; k++)
        A->x[9 * used + k] = slipi_random_between(&random, -1, 1) + (j == row && k % 4 == 0) * 12;
      used++;
    }
  }
  A->p[n] = used;
  slipi_bsr_find_diagonal(A);
}

/* Multiply a scalar row of A by a factor. */
static void scale_row(SlipiBsr *A, int32_t row, double factor) {
  for (int32_t k = A->p[row / 3]; k < A->p[row / 3 + 1]; k++)
    for (int c = 0; c < 3; c++)
      A->x[9 * k + 3 * (row % 3) + c] *= factor;
}

/* Swap two scalar rows of one block row. */
static void swap_rows(SlipiBsr *A, int32_t block, int a, int b) {
  for (int32_t k = A->p[block]; k < A->p[block + 1]; k++)
    for (int c = 0; c < 3; c++) {
      double *x = A->x + 9 * (size_t)k, t = x[3 * a + c];
      x[3 * a + c] = x[3 * b + c];
      x[3 * b + c] = t;
    }
}

static int sign_of(SlipiBlocklu *lu) {
  int sign = 7;
  assert_int_equal(slipi_blocklu_factor(lu, &sign, NULL), SLIP_OK);
  return sign;
}

static void check_solve(SlipiArena *arena, SlipiBlocklu *lu, const SlipiBsr *A) {
  int32_t m = 3 * A->n;
  double *b = SLIPI_ARENA_NEW(arena, double, m), *x = SLIPI_ARENA_NEW(arena, double, m);
  double *back = SLIPI_ARENA_NEW(arena, double, m);
  for (int32_t k = 0; k < m; k++)
    b[k] = cos(k);
  assert_int_equal(slipi_blocklu_solve(lu, b, x, NULL), SLIP_OK);
  slipi_bsr_multiply(A, x, back, NULL);
  for (int32_t k = 0; k < m; k++)
    assert_true(fabs(back[k] - b[k]) < 1e-13);
}

static void check_size(int32_t n, bool dense) {
  SlipiArena arena = {0};
  SlipiBsr A;
  SlipiBlocklu lu = {0};
  make_chain(&arena, n, &A);
  assert_int_equal(slipi_blocklu_create(&A, NULL, &arena, &lu, NULL), SLIP_OK);
  assert_int_equal(slipi_lu_is_dense(lu.lu), dense);
  assert_true(slipi_lu_work(lu.lu) > 3 * n);
  assert_int_equal(sign_of(&lu), 1);
  check_solve(&arena, &lu, &A);
  scale_row(&A, 4, -0.5);
  assert_int_equal(sign_of(&lu), -1);
  check_solve(&arena, &lu, &A);
  swap_rows(&A, n / 2, 0, 2);
  assert_int_equal(sign_of(&lu), 1);
  swap_rows(&A, n - 1, 1, 2);
  assert_int_equal(sign_of(&lu), -1);
  check_solve(&arena, &lu, &A);
  scale_row(&A, 7, 0);
  assert_int_equal(sign_of(&lu), 0);
  A.x[9] = NAN;
  assert_int_equal(sign_of(&lu), 0);
  slipi_blocklu_free(&lu);
  slipi_arena_free(&arena);
}

static void test_dense(void **state) {
  (void)state;
  check_size(9, true);
}

static void test_sparse(void **state) {
  (void)state;
  check_size(300, false);
}

/* A determinant that no double holds still has a sign. */
static void test_huge_determinant(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiBsr A;
  SlipiBlocklu lu = {0};
  make_chain(&arena, 400, &A);
  for (int32_t row = 0; row < 1200; row++)
    scale_row(&A, row, row == 5 ? -1e3 : 1e3);
  assert_int_equal(slipi_blocklu_create(&A, NULL, &arena, &lu, NULL), SLIP_OK);
  assert_int_equal(sign_of(&lu), -1);
  slipi_blocklu_free(&lu);
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dense),
      cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_huge_determinant),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
