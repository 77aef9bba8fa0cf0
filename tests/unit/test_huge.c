/* Wishes for large pages change nothing but time: arrays of all sizes and alignments keep what is
 * written to them, also beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/huge.h"

static void test_values(void **state) {
  (void)state;
  enum { MOST = 9 << 20 };
  for (size_t from = 0; from < 4096; from += 1000)
    for (size_t bytes = 1; bytes < MOST - 4096; bytes = 3 * bytes + 1) {
      unsigned char *all = malloc(MOST);
      assert_non_null(all);
      memset(all, 1, from + 1);
      all[from + bytes] = 2;
      slipi_wish_huge(all + from, bytes);
      memset(all + from, 3, bytes);
      assert_int_equal(from > 0 ? all[from - 1] : 1, 1);
      assert_int_equal(all[from], 3);
      assert_int_equal(all[from + bytes - 1], 3);
      assert_int_equal(all[from + bytes], 2);
      free(all);
    }
  slipi_wish_huge(NULL, MOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
