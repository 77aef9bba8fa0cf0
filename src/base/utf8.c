/* Bytes that should be UTF-8. */
#include "base/utf8.h"

size_t slipi_utf8_length(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  unsigned char first = at[0];
  if (first < 0x80)
    return 1;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  for (size_t k = 1; k < length; k++)
    if ((at[k] & 0xc0) != 0x80)
      return 0;
  if ((first == 0xe0 && at[1] < 0xa0) || (first == 0xed && at[1] > 0x9f) ||
      (first == 0xf0 && at[1] < 0x90) || (first == 0xf4 && at[1] > 0x8f))
    return 0;
  return length;
}
