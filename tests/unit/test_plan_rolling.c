/* The plan of auto where contacts roll: how it begins, when it leaves the first sweeps, and what
 * follows Newton. Nothing is solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "contact/few.h"
#include "planning.h"

/* More than two contacts that roll are swept where sweeps go by the velocities of their bodies. */
static void test_begin_rolling(void **state) {
  (void)state;
  for (int joined = 0; joined < 2; joined++) {
    for (int32_t blocks = SLIPI_FEW_ROLLING; blocks <= SLIPI_FEW_ROLLING + 2; blocks += 2) {
      SlipiObservation seen = observation();
      seen.contacts = blocks;
      seen.rolls = true;
      seen.joined = joined;
      bool swept = joined && blocks > SLIPI_FEW_ROLLING;
      SlipiStageId expected = swept ? SLIPI_STAGE_SWEEPS : SLIPI_STAGE_FEW_CONTACTS;
      assert_int_equal(slipi_plan_first(&seen), expected);
      expect_stage(slipi_plan_begin(&seen), expected, "rolling");
    }
  }
}

/* Where contacts roll there are 400 first sweeps at least, unless the start was near a solution. */
static void test_first_sweeps_rolling(void **state) {
  (void)state;
  static const struct {
    bool rolls, near;
    int64_t sweeps;
    SlipiAction action;
  } rows[] = {{true, false, 399, SLIPI_STAY},
              {true, false, 400, SLIPI_START},
              {false, false, 399, SLIPI_START},
              {true, true, 31, SLIPI_START}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.warm = at.near = rows[k].near;
    at.measured_error = seen.error = seen.stage_best_error = seen.best_error = 1e-3;
    seen.iterations = rows[k].sweeps;
    seen.rolls = rows[k].rolls;
    seen.factorisation.known = true;
    seen.factorisation.work = 1e6;
    expect_action(slipi_plan_decide(&at, &seen), rows[k].action, "rolling");
  }
}

/* Newton that has failed where contacts roll is followed by more of these sweeps. */
static void test_sweeps_rolling(void **state) {
  (void)state;
  for (int rolls = 0; rolls < 2; rolls++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_NEWTON);
    SlipiObservation seen = observation();
    at.limit = seen.iterations;
    seen.rolls = rolls;
    seen.left_out = 1U << SLIPI_PLAN_IPM | 1U << SLIPI_PLAN_ARC | 1U << SLIPI_PLAN_BALLS |
                    1U << SLIPI_PLAN_HELD;
    SlipiDecision next = slipi_plan_decide(&at, &seen);
    expect_stage(next, rolls ? SLIPI_STAGE_SWEEPS_ROLLING : SLIPI_STAGE_NEWTON_LONG, "rolling");
    if (!rolls)
      continue;
    assert_int_equal(next.from, SLIPI_FROM_SWEEPS);
    at = in_stage(SLIPI_STAGE_SWEEPS_ROLLING);
    at.limit = next.next.limit;
    seen.iterations = 2000;
    expect_stage(slipi_plan_decide(&at, &seen), SLIPI_STAGE_NEWTON_LONG, "rolling");
  }
}

/* Where contacts roll, or the problem is convex, an error that has fallen within 25 sweeps and
 * rises now is no reason to factor while all sweeps together say that few are left. */
static void test_late_swings(void **state) {
  (void)state;
  static const struct {
    bool rolls, convex;
    int64_t progressed_at;
    double error;
    SlipiAction action;
  } rows[] = {{true, false, 459, 8e-8, SLIPI_STAY},
              {false, true, 59, 8e-8, SLIPI_STAY},
              {false, false, 59, 8e-8, SLIPI_ANALYSE},
              {true, false, 443, 8e-8, SLIPI_ANALYSE}, /* long ago */
              {false, true, 43, 8e-8, SLIPI_ANALYSE},
              {true, false, 459, 1e-6, SLIPI_STAY},    /* 158 are left, */
              {true, false, 459, 3e-6, SLIPI_ANALYSE}, /* and here 212: more than 200 */
              {false, true, 59, 5e-4, SLIPI_STAY},     /* 89, */
              {false, true, 59, 2e-3, SLIPI_ANALYSE}}; /* and 124: more than 100 */
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.measured_at = rows[k].rolls ? 459 : 59;
    at.measured_error = 0.6 * rows[k].error;
    seen.tol = 1e-8;
    seen.rolls = rows[k].rolls;
    seen.convex = rows[k].convex;
    seen.iterations = at.measured_at + 10;
    seen.progressed_at = rows[k].progressed_at;
    seen.error = rows[k].error;
    seen.stage_start_error = 0.4;
    seen.stage_best_error = seen.best_error = 0.6 * rows[k].error;
    seen.factorisation.known = false;
    assert_int_equal(slipi_plan_decide(&at, &seen).action, rows[k].action);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_begin_rolling),
      cmocka_unit_test(test_first_sweeps_rolling),
      cmocka_unit_test(test_sweeps_rolling),
      cmocka_unit_test(test_late_swings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
