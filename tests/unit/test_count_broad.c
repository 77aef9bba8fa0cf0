/* The broad phase keeps its memory: once the largest set was seen it asks for none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "alloc_wrap.h"
#include "base/random.h"
#include "geom/broad.h"

enum { MOST = 3000 };

static void fill(double *low, double *high, int round) {
  SlipiRandom random;
  slipi_random_seed(&random, (uint64_t)round);
  for (int k = 0; k < 3 * MOST; k++) {
    double half = slipi_random_between(&random, 0.1, 0.5);
    low[k] = slipi_random_between(&random, 0, 10) - half;
    high[k] = low[k] + 2 * half;
  }
}

static void test_kept(void **state) {
  (void)state;
  static double low[3 * MOST], high[3 * MOST];
  SlipiBroad *broad = slipi_broad_create();
  const int32_t *pairs;
  int64_t count;
  fill(low, high, 1);
  assert_true(slipi_broad_pairs(broad, MOST, low, high, NULL, NULL, NULL, &pairs, &count));
  alloc_count_start();
  for (int round = 2; round < 30; round++) {
    fill(low, high, round);
    assert_true(
        slipi_broad_pairs(broad, MOST - round, low, high, NULL, NULL, NULL, &pairs, &count));
    assert_true(count > MOST);
  }
  assert_int_equal(alloc_count(), 0);
  slipi_broad_free(broad);
}

static SlipStatus scenario(void *user, SlipError *error) {
  static double low[3 * MOST], high[3 * MOST];
  const int32_t *pairs;
  int64_t count;
  (void)user;
  fill(low, high, 1);
  SlipiBroad *broad = slipi_broad_create();
  bool found = broad && slipi_broad_pairs(broad, MOST, low, high, NULL, NULL, NULL, &pairs, &count);
  assert_true(found || !broad || (count == 0 && pairs == NULL));
  slipi_broad_free(broad);
  return found ? SLIP_OK : slipi_fail_memory(error, "pairs");
}

static void test_fails(void **state) {
  (void)state;
  assert_true(alloc_fail_each(scenario, NULL) >= 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
