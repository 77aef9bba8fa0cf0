#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

SlipStatus(slipi_fail)(SlipError *error, SlipStatus status, const char *format, ...) {
  if (error) {
    va_list args;
    va_start(args, format);
    error->status = status;
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
  }
  return status;
}

SlipStatus(slipi_fail_memory)(SlipError *error, const char *what) {
  return slipi_fail(error, SLIP_ERROR_MEMORY, "out of memory for %s", what);
}

void slipi_error_prefix(SlipError *error, const char *format, ...) {
  if (!error)
    return;
  char old[SLIP_ERROR_TEXT];
  memcpy(old, error->text, sizeof old);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  if (length < 0 || (size_t)length >= sizeof error->text)
    return;
  snprintf(error->text + length, sizeof error->text - (size_t)length, ": %s", old);
}

const char *slip_status_name(SlipStatus status) {
  switch (status) {
  case SLIP_OK:
    return "SLIP_OK";
  case SLIP_ERROR_ARGUMENT:
    return "SLIP_ERROR_ARGUMENT";
  case SLIP_ERROR_MEMORY:
    return "SLIP_ERROR_MEMORY";
  case SLIP_ERROR_PROBLEM:
    return "SLIP_ERROR_PROBLEM";
  case SLIP_ERROR_MISMATCH:
    return "SLIP_ERROR_MISMATCH";
  case SLIP_ERROR_FILE:
    return "SLIP_ERROR_FILE";
  case SLIP_ERROR_FORMAT:
    return "SLIP_ERROR_FORMAT";
  case SLIP_ERROR_NUMERIC:
    return "SLIP_ERROR_NUMERIC";
  }
  return "unknown status";
}

const char *slip_version(void) {
  return SLIPCONE_VERSION;
}
