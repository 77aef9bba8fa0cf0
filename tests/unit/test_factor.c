/* Sparse factors of a positive definite matrix: solutions against a multiplication, solves within
 * some rows against whole ones, and matrices that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/cholesky.h"
#include "linalg/factor.h"

enum { N = 300, THIN = 2, WIDE = 80 }; /* half widths of bands: WIDE makes CHOLMOD use supernodes */

/* A band matrix, diagonally dominant; `skew` makes the entries right and left of the diagonal
 * differ. */
static SlipiCsr band(SlipiArena *arena, int32_t width, double skew) {
  SlipiCsr A = {.rows = N,
                .cols = N,
                .p = SLIPI_ARENA_NEW(arena, int32_t, N + 1),
                .i = SLIPI_ARENA_NEW(arena, int32_t, N * (2 * width + 1)),
                .x = SLIPI_ARENA_NEW(arena, double, N *(2 * width + 1))};
  assert_false(arena->failed);
  int32_t used = 0;
  for (int32_t row = 0; row < N; row++) {
    for (int32_t column = row - width; column <= row + width; column++) {
      if (column < 0 || column >= N)
        continue;
      A.i[used] = column;
      A.x[used++] = column == row ? 2 * width + 1 : column > row ? -1 - skew : -1 + skew;
    }
    A.p[row + 1] = used;
  }
  return A;
}

static void fill(double *b, int32_t count, uint64_t seed) {
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  for (int32_t k = 0; k < count; k++)
    b[k] = slipi_random_normal(&random);
}

static void assert_solution(const SlipiCsr *A, const double *b, const double *x) {
  for (int32_t row = 0; row < A->rows; row++) {
    double sum = 0;
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++)
      sum += A->x[k] * x[A->i[k]];
    assert_true(fabs(sum - b[row]) < 1e-12);
  }
}

/* CHOLMOD's factors of the symmetric matrices, UMFPACK's of the others. */
static void test_solve(void **state) {
  (void)state;
  const struct {
    int32_t width;
    double skew;
  } cases[] = {{THIN, 0}, {WIDE, 0}, {THIN, 0.3}, {WIDE, 0.3}};
  for (int s = 0; s < 4; s++) {
    SlipiArena arena = {0};
    SlipiFactor *factor;
    double b[3 * N], x[3 * N], one[N];
    SlipiCsr A = band(&arena, cases[s].width, cases[s].skew);
    assert_int_equal(slipi_factor_create(&A, "M", NULL, NULL, &factor, NULL), SLIP_OK);
    fill(b, 3 * N, 1);
    assert_int_equal(slipi_factor_solve(factor, b, one, NULL), SLIP_OK);
    assert_solution(&A, b, one);
    assert_int_equal(slipi_factor_solve_many(factor, 3, b, x, NULL), SLIP_OK);
    for (int column = 0; column < 3; column++)
      assert_solution(&A, b + column * N, x + column * N);
    slipi_factor_free(factor);
    slipi_arena_free(&arena);
  }
}

/* Only the marked rows of the solution are there, and they are those of a whole solve. */
static void test_within(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiFactor *factor;
  SlipiWithin *within;
  const int32_t rows[] = {3, 40, 41, N - 1};
  bool marked[N] = {false};
  double b[N] = {0}, x[N];
  SlipiCsr A = band(&arena, WIDE, 0);
  assert_int_equal(slipi_factor_create(&A, "M", NULL, NULL, &factor, NULL), SLIP_OK);
  for (int k = 0; k < 4; k++)
    marked[rows[k]] = true;
  assert_int_equal(slipi_factor_within(factor, marked, &arena, &within, NULL), SLIP_OK);
  assert_non_null(within);
  int32_t places = slipi_within_places(within);
  assert_in_range(places, 4, N);
  double *X = SLIPI_ARENA_NEW(&arena, double, slipi_within_room(within));
  assert_non_null(X);
  for (int k = 0; k < 4; k++)
    X[slipi_within_place(within, rows[k])] = b[rows[k]] = k + 1;
  assert_true(slipi_within_solve(within, 0, 1, NULL, X));
  assert_int_equal(slipi_factor_solve(factor, b, x, NULL), SLIP_OK);
  for (int k = 0; k < 4; k++)
    assert_true(fabs(X[slipi_within_place(within, rows[k])] - x[rows[k]]) < 1e-14);
  slipi_factor_free(factor);
  slipi_arena_free(&arena);
}

static double *entry(const SlipiCsr *A, int32_t row, int32_t column) {
  for (int32_t k = A->p[row]; k < A->p[row + 1]; k++)
    if (A->i[k] == column)
      return &A->x[k];
  fail();
  return NULL;
}

/* The diagonal is positive, but two rows are coupled more strongly than it allows. The sentence
 * names the matrix and a row as the caller numbers it. */
static void test_not_definite(void **state) {
  (void)state;
  const int32_t widths[] = {THIN, WIDE};
  for (int s = 0; s < 4; s++) {
    SlipiArena arena = {0};
    SlipiFactor *factor;
    SlipError error;
    int32_t names[N];
    SlipiCsr A = band(&arena, widths[s % 2], s < 2 ? 0 : 0.3);
    for (int32_t k = 0; k < N; k++)
      names[k] = 1000 + k;
    *entry(&A, 70, 71) = *entry(&A, 71, 70) = -3 * *entry(&A, 70, 70);
    assert_int_equal(slipi_factor_create(&A, "M", names, NULL, &factor, &error),
                     SLIP_ERROR_PROBLEM);
    assert_null(factor);
    assert_non_null(strstr(error.text, "M is not positive definite: the pivot of row 1"));
    slipi_arena_free(&arena);
  }
}

/* The product of the pivots is the determinant: here of a tridiagonal matrix, 2 on the diagonal
 * and -1 beside it, for which it is n + 1. */
static void test_cholesky(void **state) {
  (void)state;
  enum { ORDER = 9 };
  int32_t p[ORDER + 1], i[2 * ORDER];
  double x[2 * ORDER], pivots[ORDER], b[ORDER], solution[ORDER], product = 1;
  int32_t used = 0;
  for (int32_t row = 0; row < ORDER; row++) {
    p[row] = used;
    i[used] = row;
    x[used++] = 2;
    if (row + 1 < ORDER) {
      i[used] = row + 1;
      x[used++] = -1;
    }
  }
  p[ORDER] = used;
  SlipiCsr A = {.rows = ORDER, .cols = ORDER, .p = p, .i = i, .x = x};
  SlipiCholesky *cholesky;
  bool definite;
  assert_int_equal(slipi_cholesky_create(&A, &cholesky, NULL), SLIP_OK);
  assert_int_equal(slipi_cholesky_factor(cholesky, NULL, &definite, NULL), SLIP_OK);
  assert_true(definite);
  slipi_cholesky_pivots(cholesky, pivots);
  for (int k = 0; k < ORDER; k++) {
    product *= pivots[k];
    b[k] = k == ORDER / 2;
  }
  assert_true(fabs(product - (ORDER + 1)) < 1e-12);
  assert_int_equal(slipi_cholesky_solve(cholesky, b, solution, NULL), SLIP_OK);
  for (int k = 0; k < ORDER; k++) { /* Green's function: min(k, c) (n - max(k, c)) / n, from 1 */
    double low = 1 + (k < ORDER / 2 ? k : ORDER / 2), high = 1 + (k < ORDER / 2 ? ORDER / 2 : k);
    assert_true(fabs(solution[k] - low * (ORDER + 1 - high) / (ORDER + 1)) < 1e-14);
  }
  x[p[4]] = -2;
  assert_int_equal(slipi_cholesky_factor(cholesky, NULL, &definite, NULL), SLIP_OK);
  assert_false(definite);
  slipi_cholesky_free(cholesky);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solve),
      cmocka_unit_test(test_within),
      cmocka_unit_test(test_not_definite),
      cmocka_unit_test(test_cholesky),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
