#include "record/pack.h"

#include <stdlib.h>
#include <zlib.h>

static void add_base64(SlipiText *page, const unsigned char *from, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *to = slipi_text_extend(page, (size + 2) / 3 * 4);
  for (size_t k = 0; to && k < size; k += 3, to += 4) {
    size_t left = size - k;
    unsigned bits = (unsigned)from[k] << 16 | (left > 1 ? (unsigned)from[k + 1] << 8 : 0) |
                    (left > 2 ? from[k + 2] : 0U);
    to[0] = digit[bits >> 18];
    to[1] = digit[bits >> 12 & 63];
    to[2] = left > 1 ? digit[bits >> 6 & 63] : '=';
    to[3] = left > 2 ? digit[bits & 63] : '=';
  }
}

void slipi_pack(SlipiText *page, const char *name, int64_t number, const void *bytes, size_t size) {
  uLongf packed = compressBound(size);
  unsigned char *room = page->failed ? NULL : malloc(packed);
  if (!room || compress2(room, &packed, size ? bytes : (const void *)"", size, 9) != Z_OK) {
    page->failed = true;
    free(room);
    return;
  }
  slipi_text_add(page, "<script type=\"application/octet-stream\" id=\"%s", name);
  if (number >= 0)
    slipi_text_add(page, "-%lld", (long long)number);
  slipi_text_add(page, "\">");
  add_base64(page, room, packed);
  slipi_text_add(page, "</script>\n");
  free(room);
}

static uint32_t fold(int32_t value) {
  return value < 0 ? ~((uint32_t)value << 1) : (uint32_t)value << 1;
}

void slipi_pack_integers(SlipiText *bytes, const int32_t *value, int64_t count) {
  uint32_t all = 0;
  for (int64_t k = 0; k < count; k++)
    all |= fold(value[k]);
  char planes = 0;
  for (; all; all >>= 8)
    planes++;
  slipi_text_add_bytes(bytes, &planes, 1);
  for (int plane = 0; plane < planes; plane++) {
    char *to = slipi_text_extend(bytes, (size_t)count);
    for (int64_t k = 0; to && k < count; k++)
      to[k] = (char)(fold(value[k]) >> 8 * plane & 255);
  }
}
