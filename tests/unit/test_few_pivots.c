/* Fronts with few pivots: every bit as if pivots and columns were taken one by one, with wide
 * registers and without, whatever the sizes leave over of groups of four. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/wide.h"
#include "linalg/few_pivots.h"

enum { ROWS_MOST = SLIPI_FEW_PIVOTS + 40 };

typedef struct Front {
  int k, f;
  double panel[SLIPI_FEW_PIVOTS * ROWS_MOST], right[SLIPI_FEW_PIVOTS * ROWS_MOST];
  lapack_int swap[SLIPI_FEW_PIVOTS];
} Front;

static void make_front(Front *front, int k, int f, SlipiRandom *random) {
  *front = (Front){.k = k, .f = f};
  for (int i = 0; i < k * f; i++)
    front->panel[i] = slipi_random_between(random, -1, 1);
  for (int i = 0; i < k * (f - k); i++)
    front->right[i] = slipi_random_between(random, -1, 1);
}

static void exchange(double *a, double *b) {
  double value = *a;
  *a = *b;
  *b = value;
}

/* The textbook's way: one pivot after the other, entry by entry. */
static void eliminate_plainly(Front *front) {
  int k = front->k, f = front->f;
  double *panel = front->panel, *right = front->right;
  for (int j = 0; j < k; j++) {
    int best = j;
    for (int i = j + 1; i < k; i++)
      best = fabs(panel[j * f + i]) > fabs(panel[j * f + best]) ? i : best;
    front->swap[j] = best + 1;
    for (int c = 0; c < k; c++)
      exchange(&panel[c * f + j], &panel[c * f + best]);
    for (int c = 0; c < f - k; c++)
      exchange(&right[c * k + j], &right[c * k + best]);
    for (int i = j + 1; i < f; i++)
      panel[j * f + i] /= panel[j * f + j];
    for (int c = j + 1; c < k; c++) {
      for (int i = j + 1; i < f; i++)
        panel[c * f + i] -= panel[j * f + i] * panel[c * f + j];
    }
  }
  for (int c = 0; c < f - k; c++) {
    for (int j = 0; j < k; j++) {
      for (int i = j + 1; i < k; i++)
        right[c * k + i] -= panel[j * f + i] * right[c * k + j];
    }
  }
}

static void expect_same(const Front *a, const Front *b) {
  assert_memory_equal(a->panel, b->panel, (size_t)(a->k * a->f) * sizeof *a->panel);
  assert_memory_equal(a->right, b->right, (size_t)(a->k * (a->f - a->k)) * sizeof *a->right);
  assert_memory_equal(a->swap, b->swap, (size_t)a->k * sizeof *a->swap);
}

static void test_eliminate(void **state) {
  (void)state;
  static Front given, plain, made;
  static const int further[] = {0, 1, 3, 4, 15, 16, 21, 40};
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int k = 1; k <= SLIPI_FEW_PIVOTS; k++) {
    for (size_t n = 0; n < sizeof further / sizeof *further; n++) {
      make_front(&given, k, k + further[n], &random);
      plain = given;
      eliminate_plainly(&plain);
      for (int wide = 0; wide <= slipi_has_wide_registers(); wide++) {
        made = given;
        assert_true(slipi_few_pivots_eliminate(wide, k, made.f, made.panel, made.right, made.swap));
        expect_same(&made, &plain);
      }
    }
  }
}

static void test_singular(void **state) {
  (void)state;
  static Front front;
  SlipiRandom random;
  slipi_random_seed(&random, 6);
  for (int zero = 0; zero < 7; zero++) {
    make_front(&front, 7, 12, &random);
    memset(front.panel + (size_t)zero * 12, 0, 12 * sizeof *front.panel);
    assert_false(slipi_few_pivots_eliminate(false, 7, 12, front.panel, front.right, front.swap));
  }
}

static void test_substitute(void **state) {
  (void)state;
  static Front front;
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  for (int k = 1; k <= SLIPI_FEW_PIVOTS; k++) {
    double given[ROWS_MOST] = {0}, plain[ROWS_MOST], x[ROWS_MOST], product[ROWS_MOST];
    int f = k + 1 + k % 7;
    make_front(&front, k, f, &random);
    for (int i = 0; i < k; i++)
      given[i] = slipi_random_between(&random, -1, 1);
    memcpy(plain, given, sizeof plain);
    memcpy(product, given, sizeof product);
    for (int j = 0; j < k; j++) {
      for (int i = j + 1; i < f; i++)
        plain[i] -= front.panel[j * f + i] * plain[j];
      for (int i = 0; i < k; i++)
        product[i] -= front.panel[j * f + i] * given[j];
    }
    for (int wide = 0; wide <= slipi_has_wide_registers(); wide++) {
      memcpy(x, given, sizeof x);
      slipi_few_pivots_forward(wide, k, f, front.panel, x, x + k);
      assert_memory_equal(x, plain, (size_t)f * sizeof *x);
      memcpy(x, given, sizeof x);
      slipi_few_pivots_subtract(wide, k, k, front.panel, f, given, x);
      assert_memory_equal(x, product, (size_t)k * sizeof *x);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_eliminate),
      cmocka_unit_test(test_singular),
      cmocka_unit_test(test_substitute),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
