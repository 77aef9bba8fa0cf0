/* Real roots of polynomials, against polynomials built from their roots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/polynomial.h"

/* c = (x - root) c */
static void times_root(double *c, int degree, double root) {
  c[degree + 1] = c[degree];
  for (int k = degree; k > 0; k--)
    c[k] = c[k - 1] - root * c[k];
  c[0] *= -root;
}

static void test_known_roots(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int trial = 0; trial < 2000; trial++) {
    double c[5] = {slipi_random_between(&random, 0.5, 2)}, roots[4], found[SLIPI_ROOTS_MAX];
    int real = trial % 5, inside = 0, degree = 0;
    for (; degree < real; degree++) {
      roots[degree] = -1.8 + 0.9 * degree + slipi_random_between(&random, 0, 0.8);
      inside += fabs(roots[degree]) <= 1;
      times_root(c, degree, roots[degree]);
    }
    int n = slipi_polynomial_roots(c, 4, -1, 1, found); /* with leading zeros */
    assert_int_equal(n, inside);
    for (int k = 0, j = 0; k < n; k++, j++) {
      while (fabs(roots[j]) > 1)
        j++;
      assert_true(fabs(found[k] - roots[j]) <= 1e-13);
    }
  }
}

static void test_double_roots_and_none(void **state) {
  (void)state;
  double found[SLIPI_ROOTS_MAX];
  const double twice[5] = {0.25, -1, 1, 0, 0};           /* (x - 1/2)^2 */
  const double two_doubles[5] = {0.0625, 0, -0.5, 0, 1}; /* (x^2 - 1/4)^2 */
  const double none[5] = {1, 0, 1, 0, 1}, zero[5] = {0}, constant[5] = {3};
  assert_int_equal(slipi_polynomial_roots(twice, 4, -1, 1, found), 1);
  assert_true(fabs(found[0] - 0.5) < 1e-7);
  assert_int_equal(slipi_polynomial_roots(two_doubles, 4, -1, 1, found), 2);
  assert_true(fabs(found[0] + 0.5) < 1e-7 && fabs(found[1] - 0.5) < 1e-7);
  assert_int_equal(slipi_polynomial_roots(none, 4, -1, 1, found), 0);
  assert_int_equal(slipi_polynomial_roots(zero, 4, -1, 1, found), 0);
  assert_int_equal(slipi_polynomial_roots(constant, 4, -1, 1, found), 0);
}

static void test_roots_on_the_ends(void **state) {
  (void)state;
  double found[SLIPI_ROOTS_MAX];
  const double ends[5] = {-1, 0, 0, 0, 1}; /* x^4 - 1 */
  assert_int_equal(slipi_polynomial_roots(ends, 4, -1, 1, found), 2);
  assert_true(found[0] == -1 && found[1] == 1);
  const double tiny[5] = {-1e-200, 1, 0, 0, 0};
  assert_int_equal(slipi_polynomial_roots(tiny, 4, 0, 1, found), 1);
  assert_true(found[0] >= 0 && found[0] < 1e-20); /* absolute, in a range of 1 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_roots),
      cmocka_unit_test(test_double_roots_and_none),
      cmocka_unit_test(test_roots_on_the_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
