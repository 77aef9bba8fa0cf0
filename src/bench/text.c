/* Fields of CSV files, and reading a whole file. */
#include <errno.h>
#include <string.h>

#include "bench/bench.h"

void slipi_text_add_field(SlipiText *text, const char *field) {
  if (!strpbrk(field, ",\"\r\n")) {
    slipi_text_add_bytes(text, field, strlen(field));
    return;
  }
  slipi_text_add_bytes(text, "\"", 1);
  for (; *field; field++) {
    if (*field == '"')
      slipi_text_add_bytes(text, "\"", 1);
    slipi_text_add_bytes(text, field, 1);
  }
  slipi_text_add_bytes(text, "\"", 1);
}

SlipStatus slipi_text_read_stream(FILE *stream, const char *path, SlipiText *text,
                                  SlipError *error) {
  char part[8192];
  size_t got;
  slipi_text_add_bytes(text, "", 0); /* an empty file gives "", not NULL */
  while ((got = fread(part, 1, sizeof part, stream)) > 0)
    slipi_text_add_bytes(text, part, got);
  if (ferror(stream))
    return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be read: %s", path, strerror(errno));
  if (text->failed)
    return slipi_fail_memory(error, path);
  return SLIP_OK;
}

SlipStatus slipi_text_read(const char *path, SlipiText *text, SlipError *error) {
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be opened: %s", path, strerror(errno));
  SlipStatus status = slipi_text_read_stream(stream, path, text, error);
  fclose(stream);
  return status;
}

char *slipi_arena_text(SlipiArena *arena, const char *bytes, size_t length) {
  char *copy = SLIPI_ARENA_NEW(arena, char, length + 1); /* zeroed */
  if (copy && length > 0)
    memcpy(copy, bytes, length);
  return copy;
}
