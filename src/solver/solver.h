/* The inside of SlipSolver: a method made ready for one problem. */
#ifndef SLIPI_SOLVER_SOLVER_H
#define SLIPI_SOLVER_SOLVER_H

#include "solver/settings.h"

enum { SLIPI_TRACE_FIRST = 8 };

/* The history of the error, thinned by half whenever it is full. Short ones of the default method,
 * as of a few contacts, need no memory of their own. */
typedef struct SlipiTrace {
  SlipTracePoint *points; /* `first`, or allocated */
  int32_t count, capacity;
  int32_t most;            /* the capacity that has been asked for */
  bool failed;             /* there was no memory for it */
  int64_t stride, offered; /* every stride-th offered point is kept */
  SlipTracePoint first[SLIPI_TRACE_FIRST];
} SlipiTrace;

struct SlipSolver {
  const SlipProblem *problem;
  SlipSettings settings;
  SlipiMass *mass;   /* NULL for a local problem */
  SlipiOperator *op; /* NULL as long as nothing has needed it */
  SlipiRun run;
  SlipiArena method_arena; /* of the method's state */
  SlipiTrace trace;
  SlipProgressFunction progress;
  void *progress_user;
  double *q, *f, *w, *mu; /* the problem's, or an update's */
  SlipProblem updated;    /* the problem with the W of an update; `problem` points here then */
  SlipiLaw *law;
  double *r_start; /* of the next run */
  double *r_best;
  double *u, *v;
  SlipContactStatus *status;
  double *contact_error;
  double started;      /* clock at the beginning of the run */
  SlipOutcome stopped; /* what the clock or the progress function has said */
  bool ready;          /* the method's state is whole: an update may fail to make it anew */
  bool apart;          /* r = 0 is a solution */
  bool warm;           /* r_start is not 0 */
  bool u_of_best;      /* the last evaluation was of r_best: u is its velocity */
  SlipResult result;
  char reason[640]; /* holds all stages of `auto` */
  SlipiArena arena;
};

/* From what a solver holds to what was asked for; false without memory. */
bool slipi_trace_grow(SlipiTrace *trace);

/* Run the method: fills solver->result's outcome, reason, r_best and the trace. */
SlipStatus slipi_drive(SlipSolver *solver, SlipError *error);

/* Whether r = 0 leaves no contact closing: a solution without any run. And its result. */
bool slipi_solver_comes_apart(const SlipSolver *solver);
void slipi_solver_apart(SlipSolver *solver);

/* The rounding floor of the error (131) at r. Works in solver->v. */
double slipi_solver_floor(SlipSolver *solver, const double *r);

#endif
