#include "base/versioned.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

static size_t size_of(const void *object) {
  size_t size;
  memcpy(&size, object, sizeof size);
  return size;
}

static bool is_zero(const char *bytes, size_t count) {
  for (size_t k = 0; k < count; k++) {
    if (bytes[k] != 0)
      return false;
  }
  return true;
}

SlipStatus slipi_versioned_check(const char *name, const void *to, SlipError *error) {
  if (size_of(to) < sizeof(size_t))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the size of a struct is %zu: make it with slip_default_%s()", size_of(to),
                      name);
  return SLIP_OK;
}

SlipStatus slipi_versioned_read(const char *name, const void *from, void *to, size_t known,
                                SlipError *error) {
  SlipStatus status = slipi_versioned_check(name, from, error);
  if (status != SLIP_OK)
    return status;
  size_t size = size_of(from);
  if (size > known && !is_zero((const char *)from + known, size - known))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a struct of slip_default_%s() has %zu bytes, of which this version of the "
                      "library knows %zu, and sets more than those",
                      name, size, known);
  memcpy(to, from, size < known ? size : known);
  memcpy(to, &known, sizeof known);
  return SLIP_OK;
}

void slipi_versioned_write(const void *from, void *to, size_t known) {
  size_t size = size_of(to);
  memcpy(to, from, size < known ? size : known);
  memcpy(to, &size, sizeof size);
}
