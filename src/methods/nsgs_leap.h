/* Leaps of sweeps that drift. Where a state of slip has no solution, but nearly one, sweeps go
 * through it at a constant pace: in each window of sweeps r moves as in the one before, the error
 * stays, and thousands of sweeps pass before a contact opens, slips or sticks and they get ahead
 * again. Two windows that agree tell where they are bound for, and r leaps there, further each
 * time. */
#ifndef SLIPI_METHODS_NSGS_LEAP_H
#define SLIPI_METHODS_NSGS_LEAP_H

#include "contact/onecontact.h"
#include "methods/method.h"

typedef struct SlipiLeaps {
  double *from;   /* m: r when the window began */
  double *along;  /* m: how it moved in the window before */
  double error;   /* when the window began; INFINITY: none has */
  double square;  /* of `along`, weighted; 0: there was none */
  double most;    /* windows that are as long as r */
  double windows; /* how many of them the last leap was long */
  int settling;   /* windows since then */
} SlipiLeaps;

/* Room for them; on failure the arena says so. */
void slipi_leaps_create(SlipiRun *run, SlipiLeaps *leaps);
void slipi_leaps_start(SlipiLeaps *leaps);

/* Before a sweep, at the end of a window: run->error is that of r. Whether r has leapt: row states
 * and momentum are still those of r before. */
bool slipi_leaps_look(SlipiRun *run, const SlipiOneContact *one, SlipiLeaps *leaps);

#endif
