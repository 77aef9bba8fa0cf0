/* Another method run within an iteration: the same operator (with a shift of its own), other q and
 * laws, own tolerance and limit; run in the loop of methods/loop.h under the clock of the run. */
#ifndef SLIPI_METHODS_INNER_H
#define SLIPI_METHODS_INNER_H

#include "methods/loop.h"

typedef struct SlipiInner {
  SlipiRun run;  /* of the subproblem; the outer method fills q, law and r */
  double *q;     /* m */
  SlipiLaw *law; /* nc */
  double shift;  /* of the operator */
  double share;  /* of the outer error that is the tolerance */
  double last;   /* the outer error at the last call */
  SlipiLoop loop;
  double options[SLIPI_OPTIONS_MAX]; /* the method's defaults */
} SlipiInner;

/* Options every nested method has; their values are read by slipi_inner_solve's callers. */
#define SLIPI_INNER_OPTIONS(MAX_ITER)                                                              \
  {"inner-tol",                                                                                    \
   SLIP_OPTION_REAL,                                                                               \
   "0.1",                                                                                          \
   1e-10,                                                                                          \
   1,                                                                                              \
   NULL,                                                                                           \
   "tolerance of subproblems, as a share of the error"},                                           \
  {                                                                                                \
    "inner-max-iter", SLIP_OPTION_INT, MAX_ITER, 1, 1e9, NULL, "iterations for one subproblem"     \
  }

/* Make a method ready for subproblems of `outer`, in zeroed memory. Laws and q start as the
 * outer ones. */
SlipStatus slipi_inner_create(const SlipiRun *outer, const char *method, SlipiInner *inner,
                              SlipError *error);
void slipi_inner_destroy(SlipiInner *inner);

/* Another value than the default, where the method has such an option. */
void slipi_inner_set_option(SlipiInner *inner, const char *name, double value);

/* Solve from inner->run.r to at most `share` of the outer error, less while that does not fall:
 * a subproblem solved too loosely can keep the outer method in a cycle. At least one iteration is
 * made. The result is in inner->run.r, the outcome in inner->loop.outcome. */
SlipStatus slipi_inner_solve(SlipiInner *inner, const SlipiRun *outer, double share,
                             double max_iter, SlipError *error);

/* The needs of the method that a CHOICE option names. */
unsigned slipi_inner_needs(const char *const *choices, double choice);
/* The laws that the method named by a CHOICE option can treat. */
SlipiLawSet slipi_inner_laws(const char *const *choices, double choice);

#endif
