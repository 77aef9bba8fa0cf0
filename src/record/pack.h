/* Arrays inside a page: as few bytes as zlib makes of them, in base64, each in an element of its
 * own that the page's script finds by its id. */
#ifndef SLIPI_RECORD_PACK_H
#define SLIPI_RECORD_PACK_H

#include <stdint.h>

#include "base/text.h"

/* An element with the id "name", or "name-number" where the number is not negative. */
void slipi_pack(SlipiText *page, const char *name, int64_t number, const void *bytes, size_t size);

/* Add whole numbers to bytes that will be packed: how many bytes each takes (0: all are 0), then
 * the lowest bytes of all, the next ones of all, and so on. Negative numbers are folded between the
 * others (0, -1, 1, -2, ...), so that the higher bytes of small numbers are 0 and cost nothing. */
void slipi_pack_integers(SlipiText *bytes, const int32_t *value, int64_t count);

#endif
