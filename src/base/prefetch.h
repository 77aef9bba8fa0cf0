/* Ask for memory that will be read soon: where a loop goes through more than caches hold, in an
 * order the processor cannot guess. A wish only; nothing where the compiler has no way to say it.
 */
#ifndef SLIPI_BASE_PREFETCH_H
#define SLIPI_BASE_PREFETCH_H

#include <stddef.h>

static inline void slipi_prefetch(const void *from, size_t bytes) {
#if defined(__GNUC__)
  enum { LINE = 64 };
  const char *at = from;
  for (size_t k = 0; k < bytes; k += LINE)
    __builtin_prefetch(at + k);
  __builtin_prefetch(at + bytes - 1); /* it need not begin with a line */
#else
  (void)from;
  (void)bytes;
#endif
}

#endif
