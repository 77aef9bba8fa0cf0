/* Text that grows, and reading a whole file. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

/* Room for `more` bytes and the final '\0'. */
static bool reserve(SlipiText *text, size_t more) {
  if (text->failed || more >= SIZE_MAX / 4 - text->length) {
    text->failed = true;
    return false;
  }
  size_t wanted = text->length + more + 1;
  if (wanted <= text->room)
    return true;
  size_t room = text->room < 128 ? 128 : text->room;
  while (room < wanted)
    room *= 2;
  char *bytes = realloc(text->bytes, room);
  if (!bytes) {
    text->failed = true;
    return false;
  }
  text->bytes = bytes;
  text->room = room;
  return true;
}

void slipi_text_add_bytes(SlipiText *text, const char *bytes, size_t length) {
  if (!reserve(text, length))
    return;
  if (length > 0)
    memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

void slipi_text_add(SlipiText *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length < 0) {
    text->failed = true;
  } else if (reserve(text, (size_t)length)) {
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(args);
}

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

void slipi_text_free(SlipiText *text) {
  free(text->bytes);
  *text = (SlipiText){0};
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
