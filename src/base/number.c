#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "1e-06" to "1e-6", "1e+22" to "1e22". */
static void trim_exponent(char *text) {
  char *from = strchr(text, 'e'), *to = from ? from + 1 : NULL;
  if (!from)
    return;
  from++;
  if (*from == '-')
    *to++ = '-';
  from += strspn(from, "+-0");
  memmove(to, from, strlen(from) + 1);
}

/* Whatever stands for the decimal point in this locale becomes one. */
static void set_point(char *text) {
  size_t digits = strspn(text, "-0123456789"), other = strcspn(text + digits, "0123456789e");
  if (other == 0 || text[digits] == '.')
    return;
  text[digits] = '.';
  memmove(text + digits + 1, text + digits + other, strlen(text + digits + other) + 1);
}

const char *slipi_number_text(double value, char text[SLIPI_NUMBER_TEXT]) {
  if (!isfinite(value)) {
    snprintf(text, SLIPI_NUMBER_TEXT, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return text;
  }
  int more = 0; /* digits after the first */
  for (; more <= 16; more++) {
    snprintf(text, SLIPI_NUMBER_TEXT, "%.*e", more, value);
    if (strtod(text, NULL) == value)
      break;
  }
  int exponent = atoi(strchr(text, 'e') + 1);
  if (exponent >= -4 && exponent < 15)
    snprintf(text, SLIPI_NUMBER_TEXT, "%.*f", more > exponent ? more - exponent : 0, value);
  else
    trim_exponent(text);
  set_point(text);
  return text;
}
