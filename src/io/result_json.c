/* The result of a run as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "io/io.h"

/* Text that grows; a failure is remembered. */
typedef struct Json {
  char *bytes;
  size_t length, room;
  bool failed;
} Json;

static void add(Json *json, const char *bytes, size_t length) {
  if (!json->bytes || json->length + length + 1 > json->room) {
    size_t room = 2 * (json->room + length) + 256;
    char *larger = json->failed ? NULL : realloc(json->bytes, room);
    json->failed = !larger;
    if (!larger)
      return;
    json->bytes = larger;
    json->room = room;
  }
  memcpy(json->bytes + json->length, bytes, length);
  json->length += length;
  json->bytes[json->length] = '\0';
}

static void add_text(Json *json, const char *text) {
  add(json, text, strlen(text));
}

static void add_key(Json *json, const char *key) {
  add_text(json, json->length > 1 ? ", \"" : "\"");
  add_text(json, key);
  add_text(json, "\": ");
}

static void put_integer(Json *json, const char *key, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, value);
  add_key(json, key);
  add_text(json, text);
}

/* JSON has no infinity and no NaN; a real without point and exponent would be taken for an
 * integer. */
static void put_real(Json *json, const char *key, double value) {
  char text[SLIP_NUMBER_TEXT];
  add_key(json, key);
  if (!isfinite(value)) {
    add_text(json, "null");
    return;
  }
  add_text(json, slip_number_text(value, text));
  if (!strpbrk(text, ".e"))
    add_text(json, ".0");
}

/* File names are bytes, JSON is Unicode: bytes that are not UTF-8 become U+FFFD. */
static void put_string(Json *json, const char *key, const char *text) {
  add_key(json, key);
  if (!text) {
    add_text(json, "null");
    return;
  }
  add_text(json, "\"");
  for (const char *at = text; *at;) {
    size_t length = slipi_utf8_length(at);
    char escaped[8];
    if (length == 0)
      add_text(json, SLIPI_UTF8_REPLACEMENT);
    else if ((unsigned char)*at < ' ' || *at == '"' || *at == '\\') {
      snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*at);
      add_text(json, escaped);
    } else
      add(json, at, length);
    at += length ? length : 1;
  }
  add_text(json, "\"");
}

static void fill(Json *json, const char *file, double tol, const SlipResult *result) {
  add_text(json, "{");
  put_string(json, "file", file);
  put_integer(json, "contacts", result->contacts);
  put_integer(json, "dimension", result->dimension);
  put_string(json, "method", result->method);
  put_real(json, "tol", tol);
  put_string(json, "outcome", slip_outcome_name(result->outcome));
  put_string(json, "flow", result->relaxed ? "associated" : "given");
  put_real(json, "error", result->residual);
  put_real(json, "coulomb_error", result->coulomb_residual);
  put_real(json, "physical", result->physical);
  put_integer(json, "iterations", result->iterations);
  put_real(json, "seconds", result->seconds);
  put_real(json, "setup_seconds", result->setup_seconds);
  put_integer(json, "open", result->open);
  put_integer(json, "stick", result->stick);
  put_integer(json, "slip", result->slip);
  put_real(json, "gap", result->gap);
  put_integer(json, "dof", result->dof);
  put_real(json, "floor", result->floor);
  put_string(json, "reason", result->reason);
  add_text(json, "}");
}

const char *slip_number_text(double value, char *text) {
  return text ? slipi_number_text(value, text) : NULL;
}

SlipStatus slip_result_json(const char *file, double tol, const SlipResult *result, char **text,
                            SlipError *error) {
  slipi_error_clear(error);
  if (!text)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "text is NULL");
  *text = NULL;
  if (!result)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "result is NULL");
  if (result->size < sizeof *result)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the result has %zu bytes, one of slip_solver_result() has %zu", result->size,
                      sizeof *result);
  Json json = {0};
  fill(&json, file, tol, result);
  if (json.failed) {
    free(json.bytes);
    return slipi_fail_memory(error, "the result as JSON");
  }
  *text = json.bytes;
  return SLIP_OK;
}

void slip_text_free(char *text) {
  free(text);
}
