#include "planning.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

SlipiObservation observation(void) {
  return (SlipiObservation){.contacts = 100,
                            .entries = 8000,
                            .tol = 1e-8,
                            .starts_at_zero = true,
                            .iterations = 5,
                            .progressed_at = 5,
                            .change = 1e-3,
                            .error = 1e-3,
                            .stage_start_error = 1e-2,
                            .stage_best_error = 1e-3,
                            .best_error = 1e-3,
                            .sweeps_error = 1e-3,
                            .factorisation = {true, 1e6}};
}

SlipiPlanState in_stage(SlipiStageId stage) {
  return (SlipiPlanState){.stage = stage,
                          .limit = INT64_MAX,
                          .next_evaluation = 25,
                          .measured_error = 1,
                          .round_error = INFINITY};
}

void expect_action(SlipiDecision decision, SlipiAction action, const char *what) {
  if (decision.action != action)
    fail_msg("%s: action %d instead of %d (%s)", what, (int)decision.action, (int)action,
             decision.why);
  assert_non_null(decision.why);
}

void expect_stage(SlipiDecision decision, SlipiStageId stage, const char *what) {
  expect_action(decision, SLIPI_START, what);
  if (decision.next.stage != stage)
    fail_msg("%s: stage %s instead of %s", what, slipi_plan_stage(decision.next.stage)->name,
             slipi_plan_stage(stage)->name);
  assert_int_equal(decision.from, slipi_plan_stage(stage)->from);
}
