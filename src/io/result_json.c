/* The result of a run as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/utf8.h"
#include "io/io.h"

/* File names are bytes, JSON is Unicode: what is not UTF-8 becomes U+FFFD. */
static json_t *json_text(const char *text) {
  if (!text)
    return json_null();
  size_t room = 3 * strlen(text) + 1, used = 0;
  char *clean = malloc(room);
  if (!clean)
    return NULL;
  for (const char *at = text; *at;) {
    size_t length = slipi_utf8_length(at);
    memcpy(clean + used, length ? at : SLIPI_UTF8_REPLACEMENT, length ? length : 3);
    used += length ? length : 3;
    at += length ? length : 1;
  }
  json_t *value = json_stringn(clean, used);
  free(clean);
  return value;
}

/* JSON has no infinity and no NaN. */
static json_t *json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* Takes the value over; false when it or its place could not be allocated. */
static bool put(json_t *object, const char *key, json_t *value) {
  return json_object_set_new(object, key, value) == 0;
}

static bool fill(json_t *object, const char *file, double tol, const SlipResult *result) {
  return put(object, "file", json_text(file)) &&
         put(object, "contacts", json_integer(result->contacts)) &&
         put(object, "dimension", json_integer(result->dimension)) &&
         put(object, "method", json_text(result->method)) && put(object, "tol", json_number(tol)) &&
         put(object, "outcome", json_text(slip_outcome_name(result->outcome))) &&
         put(object, "error", json_number(result->residual)) &&
         put(object, "iterations", json_integer(result->iterations)) &&
         put(object, "seconds", json_number(result->seconds)) &&
         put(object, "setup_seconds", json_number(result->setup_seconds)) &&
         put(object, "open", json_integer(result->open)) &&
         put(object, "stick", json_integer(result->stick)) &&
         put(object, "slip", json_integer(result->slip)) &&
         put(object, "gap", json_number(result->gap)) &&
         put(object, "dof", json_integer(result->dof)) &&
         (!(tol < result->floor) || put(object, "floor", json_number(result->floor))) &&
         put(object, "reason", json_text(result->reason));
}

/* Into memory of our own, so that slip_text_free does not depend on jansson's allocator. */
static char *dump(const json_t *object) {
  size_t length = json_dumpb(object, NULL, 0, 0);
  char *text = length > 0 ? malloc(length + 1) : NULL;
  if (!text)
    return NULL;
  if (json_dumpb(object, text, length, 0) != length) {
    free(text);
    return NULL;
  }
  text[length] = '\0';
  return text;
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
  json_t *object = json_object();
  if (object && fill(object, file, tol, result))
    *text = dump(object);
  json_decref(object);
  return *text ? SLIP_OK : slipi_fail_memory(error, "the result as JSON");
}

void slip_text_free(char *text) {
  free(text);
}
