/* Momentum for sweeps over the contacts: when to use it, and how much of it each contact gets.
 *
 * docs/methods/nsgs.md has the equations. The natural-map errors at the ends of windows of sweeps
 * decide when a stage ends; sweeps with momentum that are not faster than plain ones, or that have
 * diverged, are followed by plain ones for a time that doubles.
 */
#ifndef SLIPI_METHODS_COMMON_MOMENTUM_H
#define SLIPI_METHODS_COMMON_MOMENTUM_H

#include "contact/graph.h"
#include "methods/method.h"

typedef enum SlipiPace {
  SLIPI_PACE_PLAIN,    /* for ever: momentum does not help here */
  SLIPI_PACE_FIRST,    /* plain sweeps, as long as they converge fast */
  SLIPI_PACE_UNIFORM,  /* momentum, the same for all contacts */
  SLIPI_PACE_MOMENTUM, /* momentum for each contact */
  SLIPI_PACE_SKIPPING  /* plain sweeps that pass over settled contacts */
} SlipiPace;

/* Of one contact. */
typedef struct SlipiMomentumContact {
  double t;       /* Nesterov's sequence */
  double against; /* weighted product of the last sweep's change and of its movement: positive
                     where the momentum was too much */
} SlipiMomentumContact;

typedef struct SlipiMomentum {
  SlipiPace pace;
  SlipiMomentumContact *contact;
  double *before; /* r of the last sweep but one */
  const SlipiGraph *graph;
  double *sum;               /* of `against` in the last sweep, for each group */
  double *sum_next;          /* in the current sweep, for each group */
  bool one_for_all;          /* momentum may be the same for all, on all processes */
  bool uniform;              /* the next stretch of momentum is the same for all */
  double t, share;           /* Nesterov's sequence for all contacts, and (t - 1)/t_next */
  double wave_least;         /* error since t was 1 */
  bool resting;              /* plain sweeps show what momentum for all has done, */
  double waves_error;        /* since the error was this, */
  int64_t waves_from;        /* after this sweep */
  bool near;                 /* the error asked for last was near the tolerance */
  SlipiRowState *rows;       /* the sweep's */
  SlipiRowState rows_before; /* of `before`, where momentum may be the same for all */
  double *r_best;
  double best;          /* error of r_best */
  int64_t sweeps;       /* in this run */
  int64_t window_end;   /* sweep after which the error is wanted */
  bool asked;           /* the error of this very point has been asked for */
  int windows;          /* of this stretch of momentum that have ended */
  double stretch_error; /* best at the beginning of a stretch, */
  int64_t stretch_from; /* which began after this sweep */
  double plain_rate;    /* of the last plain sweeps: log of the reduction per sweep; NAN: none */
  int plain_windows;    /* windows of the next plain stretch, */
  int plain_left;       /* and windows left of the current one */
} SlipiMomentum;

/* For sweeps with this row state. `one_for_all`: momentum is to be tried the same for all contacts
 * first, where it can be. */
SlipStatus slipi_momentum_create(SlipiRun *run, const SlipiGraph *graph, SlipiRowState *rows,
                                 bool one_for_all, SlipiMomentum *momentum, SlipError *error);
void slipi_momentum_start(const SlipiRun *run, SlipiMomentum *momentum);

/* The point has been replaced: errors noted before no longer count. */
void slipi_momentum_forget(SlipiMomentum *momentum);

/* The same in the middle of a run, by a leap to run->r. */
void slipi_momentum_leap(const SlipiRun *run, SlipiMomentum *momentum);

/* Before a sweep: look at the error if it was asked for. May set run->r, the row state with it,
 * back to the best point. Returns whether the pace has changed. */
bool slipi_momentum_pace(SlipiRun *run, SlipiMomentum *momentum);

/* After a sweep: ask for the error where it is wanted. */
void slipi_momentum_ask(SlipiRun *run, SlipiMomentum *momentum);

/* After a sweep that has added up `against` in sum_next. */
void slipi_momentum_swept(SlipiMomentum *momentum);

/* Before a sweep: make the row states anew of the impulses. */
void slipi_momentum_renew(const SlipiRun *run, SlipiMomentum *momentum);

/* Before a sweep whose momentum is the same for all: decide about its share and push the row
 * state. The impulses are pushed when their contacts are visited. */
void slipi_momentum_push(const SlipiRun *run, SlipiMomentum *momentum, bool restart);

/* Whether the contact and its neighbours together moved against the last changes. */
static inline bool slipi_momentum_restarts(const SlipiMomentum *momentum, int32_t a) {
  const SlipiGraph *graph = momentum->graph;
  double sum = 0;
  int32_t first = graph->p[a], end = graph->p[a + 1];
  if (graph->groups == 0) {
    for (int32_t k = first; k < end; k++)
      sum += momentum->contact[graph->j[k]].against;
    return sum > 0;
  }
  for (int32_t k = first; k < end; k++)
    sum += momentum->sum[graph->j[k]];
  return sum > (end - first - 1) * momentum->contact[a].against;
}

/* The share of the last movement to add: (t - 1)/t_next of Nesterov's sequence, which goes on. */
static inline double slipi_momentum_share(double *t, bool restart) {
  if (restart) {
    *t = 1;
    return 0;
  }
  double last = *t;
  *t = 0.5 * (1 + sqrt(1 + 4 * last * last));
  return (last - 1) / *t;
}

#endif
