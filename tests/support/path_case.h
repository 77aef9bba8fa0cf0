/* A problem as the parts of methods that follow curves of solutions see it: an operator and a run,
 * without a solver around them. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_PATH_CASE_H
#define SLIPCONE_TESTS_PATH_CASE_H

#include "methods/method.h"

typedef struct Case {
  SlipProblem *problem;
  SlipiOperator *op;
  SlipiArena arena;
  SlipiRun run;
} Case;

/* The case takes the problem, which close_case frees. */
void open_case(Case *c, SlipProblem *problem);
void close_case(Case *c);

#endif
