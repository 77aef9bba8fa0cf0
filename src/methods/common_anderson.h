/* Anderson's acceleration of a fixed point x = G(x): Newton's method on G(x) - x with the
 * Jacobian of the last differences, in the sense of least squares. Safeguard: where |G(x) - x|
 * is above its least so far by a factor, the history is dropped and x goes half way to G(x). */
#ifndef SLIPI_METHODS_COMMON_ANDERSON_H
#define SLIPI_METHODS_COMMON_ANDERSON_H

#include "base/arena.h"

enum { SLIPI_ANDERSON_MOST = 5 }; /* differences kept */

typedef struct SlipiAnderson {
  int32_t n, counted;
  int count;                       /* differences known */
  double least;                    /* |G(x) - x| */
  bool started;                    /* x and f hold a point */
  double *x, *f;                   /* the last point, and G(x) - x there */
  double *dg[SLIPI_ANDERSON_MOST]; /* differences of G(x) from point to point, the newest first */
  double *df[SLIPI_ANDERSON_MOST]; /* differences of f, in the same order, and their products */
  double product[SLIPI_ANDERSON_MOST][SLIPI_ANDERSON_MOST];
} SlipiAnderson;

/* Room for vectors of n, of which the first ones count in |G(x) - x| and the others go along;
 * look at arena->failed. */
void slipi_anderson_create(SlipiAnderson *anderson, SlipiArena *arena, int32_t n, int32_t counted);
void slipi_anderson_start(SlipiAnderson *anderson);

/* x and its image G(x): x becomes the next point. */
void slipi_anderson_next(SlipiAnderson *anderson, double *x, const double *image);

#endif
