/* Whether a pointer that a user hands in is that of a living object: it carries a mark from its
 * creation until it is freed. Memory that was freed, cleared or never was an object has no such
 * mark, as long as it can be read at all. */
#ifndef SLIPI_BASE_HANDLE_H
#define SLIPI_BASE_HANDLE_H

#include <stdint.h>

/* Of no meaning as a number, text or address. */
#define SLIPI_ALIVE UINT64_C(0x9e6cf1d2a7b3485b)

/* Of an object whose member `alive` has the mark. */
#define SLIPI_IS_ALIVE(object) ((object) && (object)->alive == SLIPI_ALIVE)

#endif
