/* UTF-8: every code point against its encoding, and byte strings that are not UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

/* The bytes of a code point, with a zero at the end; returns their number. */
static size_t encode(uint32_t code, char text[5]) {
  size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char lead[5] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t k = length; k-- > 1; code >>= 6)
    text[k] = (char)(0x80 | (code & 0x3f));
  text[0] = (char)(lead[length] | code);
  text[length] = '\0';
  return length;
}

static void test_every_code_point(void **state) {
  (void)state;
  char text[5];
  for (uint32_t code = 0; code < 0x120000; code++) {
    size_t length = encode(code, text);
    bool valid = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    assert_int_equal(slipi_utf8_length(text), valid ? length : 0);
  }
}

static void test_not_utf8(void **state) {
  (void)state;
  static const char *const texts[] = {
      "\x80",             /* a continuation byte alone */
      "\xc3",             /* the end in place of one */
      "\xc3(",            /* another character in place of one */
      "\xe2\x82",         /* two of three bytes */
      "\xf0\x9f\x98",     /* three of four bytes */
      "\xc0\xaf",         /* '/' in two bytes */
      "\xc1\xbf",         /* U+007F in two bytes */
      "\xe0\x80\xaf",     /* '/' in three bytes */
      "\xf0\x80\x80\xaf", /* '/' in four bytes */
      "\xed\xa0\x80",     /* a surrogate */
      "\xf5\x80\x80\x80", /* beyond U+10FFFF */
      "\xfe",
      "\xff",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    assert_int_equal(slipi_utf8_length(texts[k]), 0);
  assert_int_equal(slipi_utf8_length(SLIPI_UTF8_REPLACEMENT), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_code_point),
      cmocka_unit_test(test_not_utf8),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
