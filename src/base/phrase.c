#include "base/phrase.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

void slipi_phrase_add_int(SlipiPhrase *phrase, int64_t value) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do {
    digits[--at] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (value < 0)
    digits[--at] = '-';
  slipi_phrase_append(phrase, digits + at, sizeof digits - at);
}

/* 10^n for |n| <= 300. */
static double power_of_ten(int n) {
  static const double powers[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
  double power = 1;
  for (int k = 0, rest = n < 0 ? -n : n; rest > 0; k++, rest /= 2) {
    if (rest % 2 == 1)
      power *= powers[k];
  }
  return n < 0 ? 1 / power : power;
}

/* x = digits 10^(exponent - 2) with digits from 100 to 999. */
static void split(double x, int *digits, int *exponent) {
  int binary;
  (void)frexp(x, &binary);
  *exponent = (int)floor((binary - 1) * 0.30102999566398120); /* or one less than it must be */
  double scaled = x * power_of_ten(2 - *exponent);
  if (scaled >= 999.5) {
    ++*exponent;
    scaled = x * power_of_ten(2 - *exponent);
  }
  *digits = (int)(scaled + 0.5);
}

void slipi_phrase_add_real(SlipiPhrase *phrase, double value) {
  char out[32], digit[3];
  size_t used = 0;
  int digits, exponent;
  double size = fabs(value);
  if (value == 0 && !signbit(value)) {
    slipi_phrase_append(phrase, "0", 1);
    return;
  }
  if (!(size >= 1e-290 && size <= 1e290)) { /* beyond the table of powers */
    int count = snprintf(out, sizeof out, "%.3g", value);
    slipi_phrase_append(phrase, out, count > 0 ? (size_t)count : 0);
    return;
  }
  split(size, &digits, &exponent);
  int significant = digits % 100 == 0 ? 1 : digits % 10 == 0 ? 2 : 3;
  digit[0] = (char)('0' + digits / 100);
  digit[1] = (char)('0' + digits / 10 % 10);
  digit[2] = (char)('0' + digits % 10);
  bool scientific = exponent < -4 || exponent > 2;
  int before = scientific ? 1 : exponent + 1; /* digits before the point */
  if (value < 0)
    out[used++] = '-';
  if (before <= 0) {
    out[used++] = '0';
    out[used++] = '.';
    for (int k = before; k < 0; k++)
      out[used++] = '0';
  }
  for (int k = 0; k < significant || k < before; k++) {
    if (k == before && before > 0)
      out[used++] = '.';
    out[used++] = digit[k];
  }
  slipi_phrase_append(phrase, out, used);
  if (scientific) {
    slipi_phrase_append(phrase, "e", 1);
    slipi_phrase_add_int(phrase, exponent);
  }
}
