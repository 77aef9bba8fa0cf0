/* The question that long work asks now and then: must it end? The driver answers, from the clock
 * and the user's progress function. */
#ifndef SLIPI_BASE_STOP_H
#define SLIPI_BASE_STOP_H

#include <stdbool.h>

#include <slipcone/slipcone.h>

/* Whether a run must end, and as what: SLIP_NOT_RUN to go on. Asked after each iteration, within
 * long factorisations, and while a solver is set up. */
typedef struct SlipiStop {
  SlipOutcome (*ask)(void *user); /* NULL: never */
  void *user;
} SlipiStop;

static inline bool slipi_is_stopped(const SlipiStop *stop) {
  return stop->ask && stop->ask(stop->user) != SLIP_NOT_RUN;
}

#endif
