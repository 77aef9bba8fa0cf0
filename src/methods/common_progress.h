/* The meaning of progress, one for the loop, which ends runs without it, and for the plan of
 * `auto`, which ends stages. */
#ifndef SLIPI_METHODS_COMMON_PROGRESS_H
#define SLIPI_METHODS_COMMON_PROGRESS_H

#include <float.h>
#include <stdbool.h>

/* Whether a relative change of the impulses is nothing but rounding. */
static inline bool slipi_is_rounding(double change) {
  return change <= 8 * DBL_EPSILON;
}

/* Whether an error is below an earlier one by more than noise. */
static inline bool slipi_is_progress(double error, double earlier) {
  return error < 0.999 * earlier;
}

#endif
