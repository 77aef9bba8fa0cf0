/* Products and eliminations of dense columns: every bit as if products were subtracted one by one,
 * with registers of any width, whatever the sizes leave over of tiles and blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/many_pivots.h"

enum { GAP = 3 }; /* rows between columns that are not the matrix's */

/* A matrix by columns with GAP further rows, which nobody may change. */
typedef struct Matrix {
  int rows, columns;
  double *values;
} Matrix;

static size_t bytes(const Matrix *m) {
  return (size_t)m->columns * (size_t)(m->rows + GAP) * sizeof(double);
}

static Matrix make(int rows, int columns, SlipiRandom *random) {
  Matrix m = {rows, columns, NULL};
  m.values = malloc(bytes(&m) + 1);
  assert_non_null(m.values);
  for (int i = 0; i < columns * (rows + GAP); i++)
    m.values[i] = slipi_random_between(random, -1, 1);
  return m;
}

static Matrix copy(const Matrix *m) {
  Matrix made = {m->rows, m->columns, malloc(bytes(m) + 1)};
  assert_non_null(made.values);
  memcpy(made.values, m->values, bytes(m));
  return made;
}

static double *entry(const Matrix *m, int i, int j) {
  return m->values + i + (int64_t)j * (m->rows + GAP);
}

static SlipiColumns columns_of(const Matrix *m) {
  return (SlipiColumns){m->values, m->rows + GAP};
}

static void subtract_plainly(const Matrix *A, const Matrix *B, bool fresh, const Matrix *C) {
  for (int j = 0; j < C->columns; j++) {
    for (int i = 0; i < C->rows; i++) {
      double sum = fresh ? 0 : *entry(C, i, j);
      for (int k = 0; k < A->columns; k++)
        sum -= *entry(A, i, k) * *entry(B, k, j);
      *entry(C, i, j) = sum;
    }
  }
}

static void expect_product(int rows, int columns, int inner, bool fresh, SlipiRandom *random) {
  Matrix A = make(rows, inner, random), B = make(inner, columns, random),
         C = make(rows, columns, random), plain = copy(&C);
  if (fresh && rows > 0 && columns > 0)
    *entry(&C, 0, 0) = NAN; /* is not read */
  subtract_plainly(&A, &B, fresh, &plain);
  for (SlipiRegisters r = SLIPI_REGISTERS_PLAIN; r <= slipi_registers(); r++) {
    Matrix made = copy(&C);
    slipi_product_subtract(r, rows, columns, inner, columns_of(&A), columns_of(&B), fresh,
                           columns_of(&made));
    assert_memory_equal(made.values, plain.values, bytes(&made));
    free(made.values);
  }
  free(A.values);
  free(B.values);
  free(C.values);
  free(plain.values);
}

static void test_small(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int rows = 1; rows <= 50; rows++) {
    for (int columns = 1; columns <= 20; columns++)
      expect_product(rows, columns, 1 + (rows * columns) % 9, columns % 2 == 0, &random);
  }
}

/* Beyond what is copied, and taken at a time, of A's columns and C's. */
static void test_large(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  static const int sizes[][3] = {{61, 47, 128},  {37, 48, 129}, {25, 300, 257},
                                 {100, 257, 12}, {1, 260, 130}, {130, 1, 300}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    expect_product(sizes[k][0], sizes[k][1], sizes[k][2], false, &random);
    expect_product(sizes[k][0], sizes[k][1], sizes[k][2], true, &random);
  }
}

static void test_nothing(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  expect_product(0, 5, 3, false, &random);
  expect_product(5, 0, 3, false, &random);
  expect_product(5, 3, 0, false, &random);
}

static void exchange_rows(const Matrix *m, int a, int b) {
  for (int j = 0; j < m->columns; j++) {
    double value = *entry(m, a, j);
    *entry(m, a, j) = *entry(m, b, j);
    *entry(m, b, j) = value;
  }
}

/* The textbook's way: one pivot after the other, entry by entry. */
static void factor_plainly(const Matrix *m, int pivots, lapack_int *swap) {
  for (int j = 0; j < m->columns; j++) {
    int best = j;
    for (int i = j + 1; i < pivots; i++)
      best = fabs(*entry(m, i, j)) > fabs(*entry(m, best, j)) ? i : best;
    swap[j] = best + 1;
    exchange_rows(m, j, best);
    for (int i = j + 1; i < m->rows; i++)
      *entry(m, i, j) /= *entry(m, j, j);
    for (int c = j + 1; c < m->columns; c++) {
      for (int i = j + 1; i < m->rows; i++)
        *entry(m, i, c) -= *entry(m, i, j) * *entry(m, j, c);
    }
  }
}

static void substitute_plainly(int k, const Matrix *L, const Matrix *X) {
  for (int c = 0; c < X->columns; c++) {
    for (int j = 0; j < k; j++) {
      for (int i = j + 1; i < k; i++)
        *entry(X, i, c) -= *entry(L, i, j) * *entry(X, j, c);
    }
  }
}

static void expect_factors(int columns, int pivots, int rows, SlipiRandom *random) {
  lapack_int swap[256], plain_swap[256];
  Matrix given = make(rows, columns, random), plain = copy(&given);
  Matrix x = make(columns, 19, random), plain_x = copy(&x);
  factor_plainly(&plain, pivots, plain_swap);
  substitute_plainly(columns, &plain, &plain_x);
  for (SlipiRegisters r = SLIPI_REGISTERS_PLAIN; r <= slipi_registers(); r++) {
    Matrix made = copy(&given), made_x = copy(&x);
    SlipiPanel panel = {made.values, rows + GAP, columns, pivots, rows};
    assert_true(slipi_many_pivots_factor(r, panel, swap));
    assert_memory_equal(made.values, plain.values, bytes(&made));
    assert_memory_equal(swap, plain_swap, (size_t)columns * sizeof *swap);
    slipi_many_pivots_substitute(r, columns, columns_of(&made), x.columns, columns_of(&made_x));
    assert_memory_equal(made_x.values, plain_x.values, bytes(&made_x));
    free(made.values);
    free(made_x.values);
  }
  free(given.values);
  free(plain.values);
  free(x.values);
  free(plain_x.values);
}

static void test_factors(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 4);
  static const int sizes[][3] = {{1, 1, 1},    {31, 31, 40},   {32, 32, 32},    {33, 33, 50},
                                 {65, 65, 90}, {65, 100, 180}, {200, 200, 260}, {64, 64, 64}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    expect_factors(sizes[k][0], sizes[k][1], sizes[k][2], &random);
}

/* A column of zeros has no pivot, wherever blocks end. */
static void test_singular(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  lapack_int swap[80];
  for (int at = 30; at < 68; at++) {
    Matrix m = make(90, 70, &random);
    for (int i = 0; i < m.rows; i++)
      *entry(&m, i, at) = 0;
    SlipiPanel panel = {m.values, m.rows + GAP, m.columns, m.columns, m.rows};
    assert_false(slipi_many_pivots_factor(slipi_registers(), panel, swap));
    free(m.values);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large),
                                     cmocka_unit_test(test_nothing), cmocka_unit_test(test_factors),
                                     cmocka_unit_test(test_singular)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
