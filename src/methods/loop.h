/* The one loop all methods run in, as the method of a run (solver/driver.c) or within an
 * iteration of another method (methods/inner.h): when to evaluate the error (131), and when to
 * stop. */
#ifndef SLIPI_METHODS_LOOP_H
#define SLIPI_METHODS_LOOP_H

#include "methods/method.h"

/* The second measure has another norm than (131), and differs from it by a small factor where both
 * see everything: it is there to find errors that (131) does not see at all. It must be within this
 * times the tolerance. */
#define SLIPI_CONFIRMED 10

/* Who keeps the state of a run between two iterations, or sets one that was kept. */
struct SlipiLoop;
typedef struct SlipiPause {
  void *user;
  void (*pause)(void *user, struct SlipiLoop *loop);  /* after each iteration */
  bool (*resume)(void *user, struct SlipiLoop *loop); /* before the first; true: a state was set */
} SlipiPause;

typedef struct SlipiLoop {
  /* Set by the caller. */
  const SlipiMethod *method;
  SlipiRun *run;
  double max_iter;
  double error_every; /* most iterations between two evaluations */
  bool at_least_one;  /* iterate even from a point that is within tol */
  double *u;          /* m: room for W r + q */
  double *r_best;     /* m: the best point seen */
  void (*evaluated)(const struct SlipiLoop *loop); /* after each evaluation; NULL: nothing */
  double (*floor)(const struct SlipiLoop *loop);   /* the rounding floor of (131); NULL: none */
  /* A second measure, of run->r and u, asked for only where (131) is within tol. It may set
   * run->given_up, which ends a run that is not solved. NULL: none. */
  SlipStatus (*confirm)(const struct SlipiLoop *loop, double *measure, SlipError *error);
  void *user;              /* of `evaluated` and `floor` */
  const SlipiPause *pause; /* NULL: nobody */
  /* The result. */
  SlipOutcome outcome;
  double best;    /* error of r_best */
  double measure; /* the last of `confirm`; 0: none */
  double first_error;
  bool at_floor;      /* stalled where rounding ends all progress */
  double floor_value; /* INFINITY where nobody has asked for it */
  /* State of the loop itself. */
  double cheap_tol;                  /* on (132), adapted so that it meets tol on (131) */
  int64_t next_error;                /* iteration of the next evaluation in any case */
  int64_t evaluated_at;              /* iteration of the last evaluation */
  int64_t fell_from_at;              /* of the last but one, */
  double fell_from;                  /* and its error */
  int64_t best_at;                   /* iteration of r_best; -1: no error was a number */
  double floor_error;                /* error of the last evaluation at the floor */
  int unchanged;                     /* evaluations in a row at which r changed by rounding only */
  int64_t window_end;                /* progress is judged from window to window of iterations */
  double window_best, window_before; /* least errors of this window and of the one before */
} SlipiLoop;

/* All that the next iteration depends on, the method's state included. */
void slipi_loop_visit(SlipiLoop *loop, const SlipiStateVisitor *visitor);

/* Run the method from run->r until it is solved, stalls, diverges or must stop. */
SlipStatus slipi_loop_run(SlipiLoop *loop, SlipError *error);

#endif
