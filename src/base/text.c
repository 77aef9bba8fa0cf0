#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

char *slipi_text_extend(SlipiText *text, size_t length) {
  if (!reserve(text, length))
    return NULL;
  char *place = text->bytes + text->length;
  text->length += length;
  text->bytes[text->length] = '\0';
  return place;
}

void slipi_text_add_bytes(SlipiText *text, const char *bytes, size_t length) {
  char *place = slipi_text_extend(text, length);
  if (place && length > 0)
    memcpy(place, bytes, length);
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

void slipi_text_free(SlipiText *text) {
  free(text->bytes);
  *text = (SlipiText){0};
}

SlipStatus slipi_text_write(const char *path, const SlipiText *text, SlipError *error) {
  SlipiText draft = {0};
  slipi_text_add(&draft, "%s.part", path);
  if (draft.failed)
    return slipi_fail_memory(error, path);
  FILE *stream = fopen(draft.bytes, "wb");
  bool written = stream && fwrite(text->bytes, 1, text->length, stream) == text->length;
  int number = errno;
  if (stream && fclose(stream) != 0 && written) {
    written = false;
    number = errno;
  }
  if (written && rename(draft.bytes, path) != 0) {
    written = false;
    number = errno;
  }
  if (!written && stream)
    remove(draft.bytes);
  slipi_text_free(&draft);
  if (!written)
    return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be written: %s", path, strerror(number));
  return SLIP_OK;
}

void slipi_text_add_page(SlipiText *text, const char *page, const SlipiSlot *slot, int slots) {
  for (int k = 0; k < slots; k++) {
    SlipiText mark = {0};
    slipi_text_add(&mark, "<!-- slot:%s -->", slot[k].name);
    const char *place = mark.failed ? NULL : strstr(page, mark.bytes);
    if (place) {
      slipi_text_add_bytes(text, page, (size_t)(place - page));
      slipi_text_add_bytes(text, slot[k].text, strlen(slot[k].text));
      page = place + mark.length;
    } else {
      text->failed = true; /* not with the pages this was built with */
    }
    slipi_text_free(&mark);
  }
  slipi_text_add_bytes(text, page, strlen(page));
}
