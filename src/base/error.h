/* Filling in a SlipError. */
#ifndef SLIPI_BASE_ERROR_H
#define SLIPI_BASE_ERROR_H

#include <slipcone/slipcone.h>

#if defined(__GNUC__)
#define SLIPI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SLIPI_PRINTF(fmt, args)
#endif

/* Record the status and the sentence (error may be NULL) and return the status, so that a
 * caller can write `return slipi_fail(error, ...)`. */
SlipStatus slipi_fail(SlipError *error, SlipStatus status, const char *format, ...)
    SLIPI_PRINTF(3, 4);

/* No memory, the commonest failure; `what` names the object that needed it. */
SlipStatus slipi_fail_memory(SlipError *error, const char *what);

#ifdef __clang_analyzer__
/* The analyzer sees one file at a time: tell it that a failure is never SLIP_OK. */
#define slipi_fail(error, status, ...) (slipi_fail(error, status, __VA_ARGS__), (status))
#define slipi_fail_memory(error, what) (slipi_fail_memory(error, what), SLIP_ERROR_MEMORY)
#endif

/* Put "prefix: " before the sentence an inner call has left. */
void slipi_error_prefix(SlipError *error, const char *format, ...) SLIPI_PRINTF(2, 3);

/* Clear an error at the entry of a public function. */
static inline void slipi_error_clear(SlipError *error) {
  if (error) {
    error->status = SLIP_OK;
    error->text[0] = '\0';
  }
}

#endif
