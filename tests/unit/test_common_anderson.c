/* Anderson's acceleration on fixed points with known answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "methods/common_anderson.h"

/* G(x) = x* + diag(c) (x - x*): plain steps need |c| < 1. */
static int steps_to_solve(const double *c, int32_t n, double tol) {
  SlipiArena arena = {0};
  SlipiAnderson anderson = {0};
  double x[8] = {0}, image[8];
  int step = 0;
  slipi_anderson_create(&anderson, &arena, n, n);
  assert_false(arena.failed);
  slipi_anderson_start(&anderson);
  for (; step < 200; step++) {
    double away = 0;
    for (int32_t k = 0; k < n; k++) {
      image[k] = 1 + k + c[k] * (x[k] - 1 - k);
      away = fmax(away, fabs(x[k] - 1 - k));
    }
    if (away <= tol)
      break;
    slipi_anderson_next(&anderson, x, image);
  }
  slipi_arena_free(&arena);
  return step;
}

static void test_linear(void **state) {
  (void)state;
  const double slow[] = {0.99, 0.5, 0.9}, cycle[] = {-1, -1.2, -0.5}, away[] = {1.5, -2, 0.3};
  assert_true(steps_to_solve(slow, 3, 1e-9) <= 6);  /* plain: 2000 */
  assert_true(steps_to_solve(cycle, 3, 1e-9) < 40); /* plain: never */
  assert_true(steps_to_solve(away, 3, 1e-9) < 40);  /* plain: never */
}

/* Values that do not count go along: any linear function of those that do stays that function. */
static void test_others_go_along(void **state) {
  (void)state;
  const double c[] = {0.99, 0.5, 0.9, -0.7};
  SlipiArena arena = {0};
  SlipiAnderson alone = {0}, both = {0};
  double x[4] = {0}, y[5] = {0}, image[5];
  slipi_anderson_create(&alone, &arena, 4, 4);
  slipi_anderson_create(&both, &arena, 5, 4);
  assert_false(arena.failed);
  slipi_anderson_start(&alone);
  slipi_anderson_start(&both);
  for (int step = 0; step < 8; step++) {
    for (int k = 0; k < 4; k++)
      image[k] = 1 + k + c[k] * (x[k] - 1 - k);
    image[4] = 1000 * (image[0] - 2 * image[1] + image[3]);
    slipi_anderson_next(&alone, x, image);
    slipi_anderson_next(&both, y, image);
    for (int k = 0; k < 4; k++)
      assert_true(x[k] == y[k]);
    assert_true(fabs(y[4] - 1000 * (x[0] - 2 * x[1] + x[3])) <= 1e-8);
  }
  slipi_arena_free(&arena);
}

static void test_at_the_solution(void **state) {
  (void)state;
  SlipiArena arena = {0};
  SlipiAnderson anderson = {0};
  double x[2] = {3, 4};
  slipi_anderson_create(&anderson, &arena, 2, 2);
  slipi_anderson_start(&anderson);
  for (int k = 0; k < 10; k++) {
    slipi_anderson_next(&anderson, x, x);
    assert_true(x[0] == 3 && x[1] == 4);
  }
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear),
      cmocka_unit_test(test_others_go_along),
      cmocka_unit_test(test_at_the_solution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
