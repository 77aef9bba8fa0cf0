/* Non-negative least squares: the conditions of optimality, which are sufficient, on random, flat
 * and dependent columns, and a certificate where there is no exact solution. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "exist/enumerate.h"

enum { ROWS_MOST = 9, COLS_MOST = 14 };

typedef struct Case {
  int32_t rows, cols;
  double C[ROWS_MOST * COLS_MOST]; /* by columns */
  double b[ROWS_MOST], x[COLS_MOST], residual[ROWS_MOST];
} Case;

/* The columns must have length 1, or be 0. */
static void make_unit(Case *c) {
  for (int32_t j = 0; j < c->cols; j++) {
    double *column = c->C + (ptrdiff_t)j * c->rows, square = 0;
    for (int32_t i = 0; i < c->rows; i++)
      square += column[i] * column[i];
    for (int32_t i = 0; i < c->rows && square > 0; i++)
      column[i] /= sqrt(square);
  }
}

static double solve(Case *c) {
  double *work = malloc((size_t)slipi_nnls_work(c->rows, c->cols) * sizeof *work);
  assert_non_null(work);
  double size = slipi_nnls(c->rows, c->cols, c->C, c->b, c->x, c->residual, work);
  free(work);
  return size;
}

/* x >= 0, residual = b - C x, C' residual <= 0, and 0 where x > 0. */
static void assert_optimal(const Case *c, double size) {
  double square = 0;
  for (int32_t i = 0; i < c->rows; i++) {
    double rest = c->b[i];
    for (int32_t j = 0; j < c->cols; j++)
      rest -= c->C[j * c->rows + i] * c->x[j];
    assert_true(fabs(rest - c->residual[i]) < 1e-11);
    square += rest * rest;
  }
  assert_true(fabs(sqrt(square) - size) < 1e-10);
  for (int32_t j = 0; j < c->cols; j++) {
    double slope = 0;
    for (int32_t i = 0; i < c->rows; i++)
      slope += c->C[j * c->rows + i] * c->residual[i];
    assert_true(c->x[j] >= 0);
    assert_true(slope < 1e-9);
    assert_true(c->x[j] == 0 || fabs(slope) < 1e-9);
  }
}

static void test_random(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  int exact = 0;
  for (int trial = 0; trial < 2000; trial++) {
    Case c = {.rows = 1 + trial % ROWS_MOST, .cols = 1 + trial % COLS_MOST};
    for (int32_t k = 0; k < c.rows * c.cols; k++)
      c.C[k] = slipi_random_normal(&random);
    for (int32_t i = 0; i < c.rows && c.cols > 2; i++) {
      if (trial % 3 == 0)
        c.C[i] = c.C[c.rows + i]; /* a column twice */
      if (trial % 5 == 0)
        c.C[2 * c.rows + i] = 0;
    }
    make_unit(&c);
    for (int32_t i = 0; i < c.rows; i++)
      c.b[i] = slipi_random_normal(&random);
    double size = solve(&c);
    assert_optimal(&c, size);
    exact += size < 1e-10;
  }
  assert_in_range(exact, 100, 1900);
}

/* b in the cone of the columns is met exactly; opposite to it, x = 0 and the residual is b. */
static void test_cone(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    Case c = {.rows = 2, .cols = 2, .C = {0.6, 0.8, 0.6, -0.8}, .b = {1.8 * sign, 0.8 * sign}};
    double size = solve(&c);
    assert_optimal(&c, size);
    assert_true(fabs(c.x[0] - (sign > 0 ? 2 : 0)) < 1e-14);
    assert_true(fabs(c.x[1] - (sign > 0 ? 1 : 0)) < 1e-14);
    assert_true(sign > 0 ? size < 1e-14 : fabs(size - sqrt(3.88)) < 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_cone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
