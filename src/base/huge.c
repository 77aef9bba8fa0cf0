#define _DEFAULT_SOURCE 1 /* NOLINT: madvise */
#include "base/huge.h"

#include <stdint.h>
#include <sys/mman.h>

void slipi_wish_huge(void *array, size_t bytes) {
#ifdef MADV_HUGEPAGE
  enum { PAGE = 1 << 21 };
  size_t before = (PAGE - (uintptr_t)array % PAGE) % PAGE; /* the first whole page */
  if (array && bytes >= before + PAGE)
    (void)madvise((char *)array + before, (bytes - before) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)array;
  (void)bytes;
#endif
}
