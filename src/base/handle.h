/* Whether a pointer that a user hands in is that of a living object of its type: it carries the
 * mark of the type from its creation until it is freed. This finds mistakes, it is no proof: memory
 * that was freed has no mark while it can still be read and was not given to somebody else. */
#ifndef SLIPI_BASE_HANDLE_H
#define SLIPI_BASE_HANDLE_H

#include <stdint.h>

/* Marks, of no meaning as numbers, text or addresses. */
#define SLIPI_ALIVE_PROBLEM UINT64_C(0x9e6cf1d2a7b3485b)
#define SLIPI_ALIVE_SOLVER UINT64_C(0xc35a0e97f4d1b862)

#define SLIPI_IS_PROBLEM(object) ((object) && (object)->alive == SLIPI_ALIVE_PROBLEM)
#define SLIPI_IS_SOLVER(object) ((object) && (object)->alive == SLIPI_ALIVE_SOLVER)

/* Before an object is freed. By a volatile write, which no compiler leaves out because nobody may
 * read it any more. */
static inline void slipi_handle_end(uint64_t *alive) {
  *(volatile uint64_t *)alive = 0;
}

#endif
