/* Observations of a run that never took place, for questions to the plan of `auto`. */
#ifndef SLIPCONE_TESTS_PLANNING_H
#define SLIPCONE_TESTS_PLANNING_H

#include "methods/plan.h"

/* A problem in which a sweep costs 60 * 100 + 0.5 * 8000 = 10000 and a step that factors
 * 0.2 * 1e6 = 2e5: 20 sweeps. The 15 steps that a cold start expects are worth 300
 * sweeps, the 5 of a start far from a solution 100, the 3 of one near it 60. Five iterations have
 * brought the error from 1e-2 to 1e-3. */
SlipiObservation observation(void);

/* A stage under way, without a limit. */
SlipiPlanState in_stage(SlipiStageId stage);

/* cmocka assertions; `what` is for the message. */
void expect_action(SlipiDecision decision, SlipiAction action, const char *what);
void expect_stage(SlipiDecision decision, SlipiStageId stage, const char *what);

#endif
