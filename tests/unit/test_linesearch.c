/* Line searches on functions of which the accepted steps are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/linesearch.h"

/* (t - least)^2 */
typedef struct Parabola {
  double least;
  int calls;
} Parabola;

static double parabola(void *user, double t) {
  Parabola *p = user;
  p->calls++;
  return (t - p->least) * (t - p->least);
}

/* Not a number beyond t = 0.3. */
static double broken(void *user, double t) {
  (void)user;
  return t > 0.3 ? NAN : 1 - t;
}

static double rising(void *user, double t) {
  (void)user;
  return 1 + t;
}

static const SlipiSearch armijo = {SLIPI_SEARCH_ARMIJO, 0.1, 0.9, 2, 30};
static const SlipiSearch goldstein = {SLIPI_SEARCH_GOLDSTEIN_PRICE, 0.1, 0.9, 2, 30};
static const SlipiSearch none = {SLIPI_SEARCH_NONE, 0.1, 0.9, 2, 30};

static double search(const SlipiSearch *rule, double least, int *calls) {
  Parabola p = {least, 0};
  SlipiSearchStart start = {least * least, -2 * least, least * least};
  double t = slipi_line_search(rule, parabola, &p, &start);
  *calls = p.calls;
  return t;
}

static void test_steps(void **state) {
  (void)state;
  int calls;
  for (double least = 1e-4; least < 1e4; least *= 1.7) {
    /* q(t) - q(0) = t^2 - 2 t least <= m1 q'(0) t for t <= 2 (1 - m1) least, and so on */
    double t = search(&armijo, least, &calls);
    assert_true(t <= 1.8 * least + 1e-12 || t == 1);
    assert_true(t >= fmin(1, 0.9 * least) - 1e-12); /* halved no further than needed */
    t = search(&goldstein, least, &calls);
    assert_true(t <= 1.8 * least + 1e-12 && t >= 0.2 * least - 1e-12);
    assert_true(search(&none, least, &calls) == 1 && calls == 0);
  }
}

static void test_not_a_number_and_limit(void **state) {
  (void)state;
  SlipiSearchStart start = {1, -1, 1};
  double t = slipi_line_search(&armijo, broken, NULL, &start);
  assert_true(t > 0 && t <= 0.3);
  t = slipi_line_search(&goldstein, broken, NULL, &start);
  assert_true(t > 0 && t <= 0.3);
  /* nothing falls: the best of the trials, the shortest */
  t = slipi_line_search(&armijo, rising, NULL, &start);
  assert_true(t == ldexp(1, -29));
  start.reference = 3; /* it need not fall */
  assert_true(slipi_line_search(&armijo, rising, NULL, &start) == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_not_a_number_and_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
