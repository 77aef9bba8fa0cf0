/* The question that long work asks now and then: must it end? The driver answers, from the clock
 * and the user's progress function. */
#ifndef SLIPI_BASE_STOP_H
#define SLIPI_BASE_STOP_H

#include <stdbool.h>

#include <slipcone/slipcone.h>

#include "base/error.h"

/* Whether a run must end, and as what: SLIP_NOT_RUN to go on. Asked after each iteration, within
 * long factorisations, and while a solver is set up. `ahead`: seconds for which it cannot be asked
 * again; a run that must end before they are over ends now. */
typedef struct SlipiStop {
  SlipOutcome (*ask)(void *user, double ahead); /* NULL: never */
  void *user;
} SlipiStop;

/* Before work of some seconds that cannot be given up. stop NULL: never. */
static inline bool slipi_is_stopped_within(const SlipiStop *stop, double seconds) {
  return stop && stop->ask && stop->ask(stop->user, seconds) != SLIP_NOT_RUN;
}

static inline bool slipi_is_stopped(const SlipiStop *stop) {
  return slipi_is_stopped_within(stop, 0);
}

/* Operations after which to ask again: some milliseconds of products of matrices, or as many single
 * visits to memory. */
#define SLIPI_ASK_FLOPS 2e7
#define SLIPI_ASK_VISITS 2e5

/* After `work` more of what is asked about every `most`: whether to end. *since is what has been
 * done since the last question, at first 0. */
static inline bool slipi_stops_after(const SlipiStop *stop, double *since, double work,
                                     double most) {
  *since += work;
  if (*since < most)
    return false;
  *since = 0;
  return slipi_is_stopped(stop);
}

/* How work that ends in the middle fails: no error of a run or set-up that was told to end. */
static inline SlipStatus slipi_fail_stopped(SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_NUMERIC, "stopped in the middle of long work");
}

#endif
