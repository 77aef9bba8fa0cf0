/* Bytes that should be UTF-8. */
#ifndef SLIPI_BASE_UTF8_H
#define SLIPI_BASE_UTF8_H

#include <stddef.h>

/* U+FFFD, which stands for bytes that are not UTF-8. */
#define SLIPI_UTF8_REPLACEMENT "\xef\xbf\xbd"

/* How many bytes the UTF-8 character at `text` has, or 0 where there is none: stray or missing
 * continuation bytes, overlong forms, surrogates and values beyond U+10FFFF. */
size_t slipi_utf8_length(const char *text);

#endif
