/* Functions in two forms, for registers of four doubles and for any machine: written once as
 * SLIPI_INLINE, and called from a plain function and from a SLIPI_WIDE one, between which
 * slipi_has_wide_registers() chooses. Where arithmetic is all there is to do, a third form,
 * SLIPI_WIDEST, has registers of eight doubles, and slipi_registers() chooses. Nothing is fused
 * (-ffp-contract=off): all have the same bits. */
#ifndef SLIPI_BASE_WIDE_H
#define SLIPI_BASE_WIDE_H

#include <stdbool.h>

#define SLIPI_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define SLIPI_WIDE __attribute__((target("avx2")))
#define SLIPI_WIDEST __attribute__((target("avx512f")))
#else
#define SLIPI_WIDE
#define SLIPI_WIDEST
#endif

typedef enum SlipiRegisters {
  SLIPI_REGISTERS_PLAIN,
  SLIPI_REGISTERS_WIDE,
  SLIPI_REGISTERS_WIDEST
} SlipiRegisters;

static inline bool slipi_has_wide_registers(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

static inline SlipiRegisters slipi_registers(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return SLIPI_REGISTERS_WIDEST;
#endif
  return slipi_has_wide_registers() ? SLIPI_REGISTERS_WIDE : SLIPI_REGISTERS_PLAIN;
}

#endif
