/* Sums without rounding (linalg/exact): against sums known by construction, in any order. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/exact.h"

static double sum_of(const double *x, int count) {
  SlipiExact sum = {{0}};
  for (int k = 0; k < count; k++)
    slipi_exact_add(&sum, x[k]);
  return slipi_exact_value(&sum);
}

static void assert_same(double a, double b) {
  assert_memory_equal(&a, &b, sizeof a);
}

static void one_term_is_itself(void **state) {
  (void)state;
  const double terms[] = {1,
                          -1,
                          0.1,
                          -DBL_MAX,
                          DBL_MAX,
                          DBL_MIN,
                          -DBL_MIN,
                          0x1p-1074,
                          0x1.8p33,
                          0x1p-32,
                          1e300,
                          -1e-300,
                          3.141592653589793,
                          -0x1p-1074,
                          0x1.fffffffffffffp-1};
  for (size_t k = 0; k < sizeof terms / sizeof *terms; k++)
    assert_same(sum_of(&terms[k], 1), terms[k]);
  assert_same(sum_of(terms, 0), 0);
}

static void terms_that_cancel_leave_the_rest(void **state) {
  (void)state;
  assert_same(sum_of((double[]){1e300, 1, -1e300}, 3), 1);
  assert_same(sum_of((double[]){0x1p-1074, DBL_MAX, -DBL_MAX}, 3), 0x1p-1074);
  assert_same(sum_of((double[]){1, 0x1p-60, -1}, 3), 0x1p-60);
  assert_same(sum_of((double[]){-3, 1, 1, 1}, 4), 0);
}

static void is_rounded_once_to_the_nearest(void **state) {
  (void)state;
  assert_same(sum_of((double[]){1, 0x1p-53}, 2), 1); /* half a unit: to even */
  assert_same(sum_of((double[]){1, 0x1p-53, 0x1p-200}, 3), 1 + 0x1p-52);
  assert_same(sum_of((double[]){1 + 0x1p-52, 0x1p-53}, 2), 1 + 0x1p-51);
  assert_same(sum_of((double[]){-1, -0x1p-53, -0x1p-1074}, 3), -1 - 0x1p-52);
  assert_same(sum_of((double[]){DBL_MAX, DBL_MAX}, 2), INFINITY);
}

static void infinities_and_nan_are_kept(void **state) {
  (void)state;
  assert_same(sum_of((double[]){1, INFINITY}, 2), INFINITY);
  assert_same(sum_of((double[]){-INFINITY, 1}, 2), -INFINITY);
  assert_true(isnan(sum_of((double[]){-INFINITY, INFINITY}, 2)));
  assert_true(isnan(sum_of((double[]){1, NAN}, 2)));
}

/* Terms that are multiples of 2^-40 below 2^20, whose sums int64 holds. */
static void any_order_and_any_grouping_give_the_same_bits(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  double terms[COUNT];
  int64_t known = 0;
  for (int k = 0; k < COUNT; k++) {
    int64_t term = (int64_t)slipi_random_between(&random, -0x1p50, 0x1p50);
    known += term;
    terms[k] = ldexp((double)term, -40);
  }
  double value = sum_of(terms, COUNT);
  assert_same(value, ldexp((double)known, -40));
  for (int groups = 1; groups <= 7; groups++) {
    SlipiExact sum[7] = {{{0}}}, total = {{0}};
    for (int k = COUNT - 1; k >= 0; k--)
      slipi_exact_add(&sum[(k * 31) % groups], terms[k]);
    for (int g = 0; g < groups; g++)
      for (int k = 0; k < SLIPI_EXACT_SIZE; k++)
        total.part[k] += sum[g].part[k];
    assert_same(slipi_exact_value(&total), value);
  }
}

static void squares_go_by_pieces(void **state) {
  (void)state;
  double x[10];
  for (int k = 0; k < 10; k++)
    x[k] = k + 1;
  SlipiExact sum = {{0}};
  slipi_exact_add_square(&sum, x, 10, 4);
  assert_same(slipi_exact_value(&sum), 385);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_term_is_itself),
      cmocka_unit_test(terms_that_cancel_leave_the_rest),
      cmocka_unit_test(is_rounded_once_to_the_nearest),
      cmocka_unit_test(infinities_and_nan_are_kept),
      cmocka_unit_test(any_order_and_any_grouping_give_the_same_bits),
      cmocka_unit_test(squares_go_by_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
