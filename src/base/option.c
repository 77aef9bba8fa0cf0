#include "base/option.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static bool parse_bool(const char *text, double *value) {
  static const char *const yes[] = {"on", "true", "yes", "1", NULL};
  static const char *const no[] = {"off", "false", "no", "0", NULL};
  for (int k = 0; yes[k]; k++) {
    if (strcmp(text, yes[k]) == 0 || strcmp(text, no[k]) == 0) {
      *value = strcmp(text, yes[k]) == 0;
      return true;
    }
  }
  return false;
}

static bool parse_choice(const SlipOptionInfo *option, const char *text, double *value) {
  for (int k = 0; option->choices[k]; k++) {
    if (strcmp(text, option->choices[k]) == 0) {
      *value = k;
      return true;
    }
  }
  return false;
}

/* Digits with an exponent of at most two: one product or quotient of numbers that doubles hold
 * exactly, so that it is rounded as strtod would. Each solver reads the defaults of its options. */
static bool parse_short(const char *text, double *value) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  int digits = 0, exponent = 0;
  double number = 0;
  while (text[digits] >= '0' && text[digits] <= '9' && digits < 15)
    number = 10 * number + (text[digits++] - '0');
  const char *at = text + digits;
  bool small = *at == 'e' && at[1] == '-';
  if (*at == 'e') {
    at += small ? 2 : 1;
    int places = 0;
    while (at[places] >= '0' && at[places] <= '9' && places < 2)
      exponent = 10 * exponent + (at[places++] - '0');
    at += places;
    digits = places > 0 ? digits : 0;
  }
  if (digits == 0 || *at != '\0' || exponent > 22)
    return false;
  *value = small ? number / power[exponent] : number * power[exponent];
  return true;
}

static bool parse_number(const char *text, double *value) {
  char *end;
  if (parse_short(text, value))
    return true;
  if (strcmp(text, "inf") == 0) {
    *value = INFINITY;
    return true;
  }
  *value = strtod(text, &end);
  return end != text && *end == '\0';
}

static int choice_count(const SlipOptionInfo *option) {
  int count = 0;
  while (option->choices[count])
    count++;
  return count;
}

static SlipStatus refuse_range(const SlipOptionInfo *option, const char *where, double value,
                               SlipError *error) {
  char least[SLIPI_NUMBER_TEXT], most[SLIPI_NUMBER_TEXT], text[SLIPI_NUMBER_TEXT];
  slipi_number_text(option->min, least);
  slipi_number_text(value, text);
  if (option->max >= 0x1p53) /* no bound that anybody means */
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be %s or more, not %s",
                      option->name, where, least, text);
  return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be from %s to %s, not %s",
                    option->name, where, least, slipi_number_text(option->max, most), text);
}

SlipStatus slipi_option_check(const SlipOptionInfo *option, const char *where, double value,
                              SlipError *error) {
  bool whole = value == floor(value);
  switch (option->type) {
  case SLIP_OPTION_REAL:
  case SLIP_OPTION_INT:
    if (!(value >= option->min && value <= option->max))
      return refuse_range(option, where, value, error);
    if (option->type == SLIP_OPTION_INT && !whole)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be an integer, not %g",
                        option->name, where, value);
    return SLIP_OK;
  case SLIP_OPTION_BOOL:
    if (value != 0 && value != 1)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be 0 or 1, not %g",
                        option->name, where, value);
    return SLIP_OK;
  case SLIP_OPTION_CHOICE:
    if (!whole || value < 0 || value >= choice_count(option))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "option %s of %s has %d choices; there is no number %g", option->name,
                        where, choice_count(option), value);
    return SLIP_OK;
  }
  return SLIP_OK;
}

static SlipStatus fail_choice(const SlipOptionInfo *option, const char *where, const char *text,
                              SlipError *error) {
  char names[256] = "";
  size_t used = 0;
  for (int k = 0; option->choices[k]; k++) {
    size_t length = strlen(option->choices[k]);
    if (used + length + 3 > sizeof names)
      break;
    if (k > 0) {
      memcpy(names + used, ", ", 2);
      used += 2;
    }
    memcpy(names + used, option->choices[k], length + 1);
    used += length;
  }
  return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be one of %s, not '%s'",
                    option->name, where, names, text);
}

SlipStatus slipi_option_parse(const SlipOptionInfo *option, const char *where, const char *text,
                              double *value, SlipError *error) {
  double parsed = 0;
  switch (option->type) {
  case SLIP_OPTION_REAL:
  case SLIP_OPTION_INT:
    if (!parse_number(text, &parsed))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be a number, not '%s'",
                        option->name, where, text);
    break;
  case SLIP_OPTION_BOOL:
    if (!parse_bool(text, &parsed))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "option %s of %s must be on or off, not '%s'",
                        option->name, where, text);
    break;
  case SLIP_OPTION_CHOICE:
    if (!parse_choice(option, text, &parsed))
      return fail_choice(option, where, text, error);
    break;
  }
  SlipStatus status = slipi_option_check(option, where, parsed, error);
  if (status == SLIP_OK)
    *value = parsed;
  return status;
}

void slipi_option_defaults(const SlipOptionInfo *options, int count, double *values) {
  for (int k = 0; k < count; k++)
    slipi_option_parse(&options[k], "the defaults", options[k].initial, &values[k], NULL);
}

int slipi_option_find(const SlipOptionInfo *options, int count, const char *name) {
  for (int k = 0; k < count; k++) {
    if (strcmp(options[k].name, name) == 0)
      return k;
  }
  return -1;
}
