/* One ball of contacts, all others frozen (contact/part.h), solved exactly: a few steps of the
 * proximal Newton method from the impulses there are; where these do not do, centring
 * (balls_centre.h) and many. The best point is kept, solved or not. */
#ifndef SLIPI_METHODS_BALLS_SOLVE_H
#define SLIPI_METHODS_BALLS_SOLVE_H

#include "contact/part.h"
#include "methods/inner.h"

typedef struct SlipiBall {
  SlipiPart part;
  SlipiArena arena;   /* of the methods that solve it; what the last ball needed is kept */
  int quick, longest; /* most Newton steps before and after centring */
  double moves;       /* velocity from which on a contact counts as open or as sliding */
  SlipiStop stop;     /* asked within long work */
  /* The last call. */
  bool solved;
  int64_t factorisations;
  double work; /* of all of them */
} SlipiBall;

/* Solve the contacts that slipi_part_choose has chosen, with the rest of run->r, to an error of tol
 * in the whole problem's measure. */
SlipStatus slipi_ball_solve(SlipiBall *ball, SlipiRun *run, double tol, SlipError *error);

void slipi_ball_destroy(SlipiBall *ball);

#endif
