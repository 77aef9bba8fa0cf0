#include "io/siconos_words.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number has fewer characters than this. */
enum { NUMBER_MAX = 64 };

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

SlipiWord slipi_words_next(SlipiWords *text) {
  while (text->at < text->end && is_space(*text->at))
    text->line += *text->at++ == '\n';
  SlipiWord word = {text->at, 0};
  while (text->at < text->end && !is_space(*text->at))
    text->at++;
  word.length = text->at - word.start > INT_MAX ? INT_MAX : (int)(text->at - word.start);
  return word;
}

bool slipi_word_is(SlipiWord word, const char *expected) {
  return (size_t)word.length == strlen(expected) &&
         memcmp(word.start, expected, (size_t)word.length) == 0;
}

int64_t slipi_words_left(const SlipiWords *text, int64_t limit) {
  SlipiWords copy = *text;
  int64_t count = 0;
  while (count < limit && slipi_words_next(&copy).length > 0)
    count++;
  return count;
}

SlipStatus slipi_words_fail(const SlipiWords *text, const char *name, SlipiWord word,
                            const char *complaint) {
  if (word.length == 0)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: %s: the file ends here (truncated)", text->line, name);
  char shown[41];
  int length = word.length < 40 ? word.length : 40;
  for (int k = 0; k < length; k++)
    shown[k] = word.start[k] >= ' ' && word.start[k] <= '~' ? word.start[k] : '?';
  shown[length] = '\0';
  return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s: '%s' %s", text->line, name,
                    shown, complaint);
}

/* A copy that ends with a zero byte; false for a word too long to be a number. */
static bool copy_number(SlipiWord word, char number[NUMBER_MAX]) {
  if (word.length == 0 || word.length >= NUMBER_MAX)
    return false;
  memcpy(number, word.start, (size_t)word.length);
  number[word.length] = '\0';
  return true;
}

bool slipi_word_int(SlipiWord word, int32_t *value) {
  char number[NUMBER_MAX], *end = NULL;
  if (!copy_number(word, number) || strspn(number, "+-0123456789") != (size_t)word.length)
    return false;
  errno = 0;
  long long parsed = strtoll(number, &end, 10);
  if (*end != '\0' || end == number || errno != 0 || parsed < INT32_MIN || parsed > INT32_MAX)
    return false;
  *value = (int32_t)parsed;
  return true;
}

static bool parse_real(SlipiWord word, double *value) {
  char number[NUMBER_MAX], *end = NULL;
  if (!copy_number(word, number) || strspn(number, "+-.0123456789eE") != (size_t)word.length)
    return false;
  *value = strtod(number, &end);
  return *end == '\0' && end != number && isfinite(*value);
}

SlipStatus slipi_words_int(SlipiWords *text, const char *name, int32_t least, int32_t *value) {
  SlipiWord word = slipi_words_next(text);
  if (!slipi_word_int(word, value))
    return slipi_words_fail(text, name, word, "is not a 32-bit integer");
  if (*value < least)
    return slipi_words_fail(text, name, word, "is too small");
  return SLIP_OK;
}

SlipStatus slipi_words_real(SlipiWords *text, const char *name, double *value) {
  SlipiWord word = slipi_words_next(text);
  return parse_real(word, value) ? SLIP_OK
                                 : slipi_words_fail(text, name, word, "is not a finite number");
}

SlipStatus slipi_words_mark(SlipiWords *text, const char *name, const char *expected) {
  SlipiWord word = slipi_words_next(text);
  char complaint[48];
  snprintf(complaint, sizeof complaint, "stands where '%s' should", expected);
  return slipi_word_is(word, expected) ? SLIP_OK : slipi_words_fail(text, name, word, complaint);
}

SlipStatus slipi_words_check_room(const SlipiWords *text, const char *name, int64_t count) {
  if (count <= (text->end - text->at) / 2 + 1)
    return SLIP_OK;
  return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                    "line %ld: %s: %lld values are announced, more than the file has (truncated)",
                    text->line, name, (long long)count);
}

SlipStatus slipi_words_ints(SlipiWords *text, const char *name, int64_t count, int32_t **values) {
  SlipStatus status = slipi_words_check_room(text, name, count);
  if (status != SLIP_OK)
    return status;
  *values = SLIPI_ARENA_NEW(&text->arena, int32_t, count);
  if (!*values)
    return slipi_fail_memory(text->error, name);
  for (int64_t k = 0; status == SLIP_OK && k < count; k++)
    status = slipi_words_int(text, name, 0, &(*values)[k]);
  return status;
}

SlipStatus slipi_words_reals(SlipiWords *text, const char *name, int64_t count,
                             const double **values) {
  SlipStatus status = slipi_words_check_room(text, name, count);
  if (status != SLIP_OK)
    return status;
  double *room = SLIPI_ARENA_NEW(&text->arena, double, count);
  if (!room)
    return slipi_fail_memory(text->error, name);
  for (int64_t k = 0; status == SLIP_OK && k < count; k++)
    status = slipi_words_real(text, name, &room[k]);
  *values = room;
  return status;
}
