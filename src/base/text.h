/* Text that grows, the writing of a whole file, and pages with slots for texts. */
#ifndef SLIPI_BASE_TEXT_H
#define SLIPI_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A failure is remembered, so that a writer adds everything and looks at `failed` once. */
typedef struct SlipiText {
  char *bytes; /* ends with '\0' once anything was added */
  size_t length, room;
  bool failed;
} SlipiText;

void slipi_text_add(SlipiText *text, const char *format, ...) SLIPI_PRINTF(2, 3);
void slipi_text_add_bytes(SlipiText *text, const char *bytes, size_t length);
/* Room for `length` more bytes, to be written by the caller; NULL without memory. */
char *slipi_text_extend(SlipiText *text, size_t length);
void slipi_text_free(SlipiText *text);

/* Write a file as a whole: it is new or as it was. */
SlipStatus slipi_text_write(const char *path, const SlipiText *text, SlipError *error);

/* "<!-- slot:NAME -->" in a page, and the text that takes its place. */
typedef struct SlipiSlot {
  const char *name, *text;
} SlipiSlot;

/* The page with its slots filled, which it has in the order given; one that is missing counts as a
 * failure of the text. */
void slipi_text_add_page(SlipiText *text, const char *page, const SlipiSlot *slot, int slots);

#endif
