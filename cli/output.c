#include "output.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/io.h>

#include "command.h"
#include "progress.h"

/* Why stdout could not be written: 0 while it can. Only the first failure knows. */
static int stdout_errno;

int cli_stdout_broken(void) {
  errno = 0;
  if ((fflush(stdout) != 0 || ferror(stdout)) && !stdout_errno)
    stdout_errno = errno ? errno : EIO;
  return stdout_errno != 0;
}

int cli_finish(int code) {
  int broken = cli_stdout_broken();
  if (fclose(stdout) != 0 && !broken)
    stdout_errno = errno;
  if (!stdout_errno)
    return code;
  /* A reader that has seen enough (slipcone list | head -1) needs no message. */
  if (stdout_errno != EPIPE)
    fprintf(stderr, "slipcone: standard output cannot be written: %s\n", strerror(stdout_errno));
  return CLI_BAD;
}

static void say(const char *format, va_list args) {
  cli_progress_clear();
  cli_stdout_broken(); /* flushes, which keeps the order when both go to one place */
  fputs("slipcone: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

int cli_complain(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(format, args);
  va_end(args);
  return CLI_BAD;
}

static int quiet;

void cli_be_quiet(void) {
  quiet = 1;
}

void cli_note(const char *format, ...) {
  va_list args;
  if (quiet)
    return;
  va_start(args, format);
  say(format, args);
  va_end(args);
}

int cli_complain_file(const char *file, const char *text) {
  if (strstr(text, file))
    return cli_complain("%s", text);
  return cli_complain("%s: %s", file, text);
}

const char *cli_plural(int64_t count, const char *one, const char *many) {
  return count == 1 ? one : many;
}

/* ---- Suggestions -------------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 64 };

/* Insertions, deletions and replacements that lead from a to b (both shorter than the limit). */
static int edit_distance(const char *a, const char *b) {
  int row[NAME_MAX_LENGTH + 1];
  int length = (int)strlen(b);
  for (int j = 0; j <= length; j++)
    row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= length; j++) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[length];
}

/* A longer word for it, or the beginning of it: tolerance and tol. */
static int begin_alike(const char *a, const char *b) {
  size_t shorter = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
  return shorter >= 3 && !strncmp(a, b, shorter);
}

const char *cli_nearest(const char *name, CliNameAt names, const void *user) {
  size_t length = strlen(name);
  if (length >= NAME_MAX_LENGTH)
    return NULL;
  int nearest = length < 4 ? 2 : 3; /* farther away is no slip of the finger */
  const char *candidate, *best = NULL;
  for (int k = 0; (candidate = names(k, user)); k++) {
    if (strlen(candidate) >= NAME_MAX_LENGTH)
      continue;
    int distance = edit_distance(name, candidate);
    if (distance > 2 && begin_alike(name, candidate))
      distance = 2;
    if (distance < nearest && distance < (int)strlen(candidate)) {
      nearest = distance;
      best = candidate;
    }
  }
  return best;
}

const char *cli_suggestion(const char *name, CliNameAt names, const void *user, char *buffer,
                           size_t size) {
  const char *nearest = cli_nearest(name, names, user);
  buffer[0] = '\0';
  if (nearest)
    snprintf(buffer, size, "; did you mean '%s'?", nearest);
  return buffer;
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* Length of the UTF-8 sequence at `s` (shortest form, no surrogates), 0 when there is none. */
static int utf8_length(const unsigned char *s) {
  int length = s[0] < 0x80   ? 1
               : s[0] < 0xC2 ? 0
               : s[0] < 0xE0 ? 2
               : s[0] < 0xF0 ? 3
               : s[0] < 0xF5 ? 4
                             : 0;
  for (int k = 1; k < length; k++)
    if ((s[k] & 0xC0) != 0x80)
      return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
      (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
    return 0;
  return length;
}

char *cli_utf8(const char *text) {
  char *clean = malloc(3 * strlen(text) + 1);
  if (!clean)
    return NULL;
  const unsigned char *from = (const unsigned char *)text;
  char *to = clean;
  while (*from) {
    int length = utf8_length(from);
    if (length) {
      memcpy(to, from, (size_t)length);
      to += length;
      from += length;
    } else {
      memcpy(to, "\xEF\xBF\xBD", 3); /* U+FFFD, the replacement character */
      to += 3;
      from++;
    }
  }
  *to = '\0';
  return clean;
}

json_t *cli_json_text(const char *text) {
  if (!text)
    return json_null();
  char *clean = cli_utf8(text);
  json_t *value = clean ? json_string(clean) : NULL;
  free(clean);
  return value;
}

json_t *cli_json_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* JSON with each real in the fewest digits that read back as the same number; jansson writes 17. */
static void print_short(const char *text) {
  int quoted = 0;
  while (*text) {
    size_t length = quoted ? 0 : strspn(text, "+-.0123456789eE");
    if (length > 0 && (isdigit((unsigned char)*text) || *text == '-')) {
      char number[SLIP_NUMBER_TEXT];
      int real = strcspn(text, ".eE") < length;
      if (real)
        fputs(slip_number_text(strtod(text, NULL), number), stdout);
      else
        fwrite(text, 1, length, stdout);
      if (real && !strpbrk(number, ".e"))
        fputs(".0", stdout); /* still a real */
      text += length;
      continue;
    }
    if (quoted && *text == '\\')
      putchar(*text++);
    else if (*text == '"')
      quoted = !quoted;
    putchar(*text++);
  }
  putchar('\n');
}

int cli_json_print(json_t *object) {
  char *text = object ? json_dumps(object, 0) : NULL;
  json_decref(object);
  if (!text)
    return cli_complain("no memory for a JSON object");
  print_short(text);
  free(text);
  return 0;
}

int cli_json_print_error(const char *file, const char *message) {
  return cli_json_print(json_pack("{s:o, s:s, s:o}", "file", cli_json_text(file), "outcome",
                                  "ERROR", "message", cli_json_text(message)));
}
