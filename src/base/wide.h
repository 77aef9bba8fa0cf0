/* Functions in two forms, for registers of four doubles and for any machine: written once as
 * SLIPI_INLINE, and called from a plain function and from a SLIPI_WIDE one, between which
 * slipi_has_wide_registers() chooses. Nothing is fused (-ffp-contract=off): both have the same
 * bits. */
#ifndef SLIPI_BASE_WIDE_H
#define SLIPI_BASE_WIDE_H

#include <stdbool.h>

#define SLIPI_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define SLIPI_WIDE __attribute__((target("avx2")))
#else
#define SLIPI_WIDE
#endif

static inline bool slipi_has_wide_registers(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
