/* The plan of auto: sweeps whose visits go by fours, in which one momentum carries all contacts,
 * are given time. Nothing is solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "planning.h"

/* A sweep over 1000 contacts costs 20000, and 15 factorisations are worth 1000 of them. */
static SlipiObservation by_fours(int64_t iterations, double best) {
  SlipiObservation seen = observation();
  seen.contacts = 1000;
  seen.by_fours = true;
  seen.entries = 0;
  seen.factorisation = (SlipiFactorisation){true, 20000 * 1000 / (0.2 * 15)};
  seen.iterations = iterations;
  seen.best_error = best;
  return seen;
}

/* An error that rises on a wave says nothing for the first 50 sweeps; once a wave has brought it to
 * 1e-2, or to 0.1 where the tolerance is coarse, for as many as cost half of what follows. */
static void test_waves_are_waited_for(void **state) {
  (void)state;
  static const struct {
    const char *what;
    int64_t iterations;
    double best, tol;
    bool by_fours;
    SlipiAction action;
  } rows[] = {
      {"the first wave", 49, 0.02, 1e-8, true, SLIPI_STAY},
      {"far after the first wave, as in walls", 50, 0.02, 1e-8, true, SLIPI_START},
      {"a wave has come near", 50, 0.01, 1e-8, true, SLIPI_STAY},
      {"before half of the cost", 499, 0.01, 1e-8, true, SLIPI_STAY},
      {"after half of the cost", 501, 0.01, 1e-8, true, SLIPI_START},
      {"one by one there are no waves", 100, 0.01, 1e-8, false, SLIPI_START},
      {"far, but not from a coarse tolerance", 50, 0.1, 1e-5, true, SLIPI_STAY},
      {"far from a coarse tolerance", 50, 0.11, 1e-5, true, SLIPI_START},
      {"far from a tolerance that is just fine", 50, 0.1, 0.99e-5, true, SLIPI_START},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = by_fours(rows[k].iterations, rows[k].best);
    seen.by_fours = rows[k].by_fours;
    seen.tol = rows[k].tol;
    seen.error = 100 * seen.tol;
    at.measured_at = seen.iterations > 100 ? seen.iterations - 100 : 0;
    at.measured_error = 0.5 * seen.error;
    expect_action(slipi_plan_decide(&at, &seen), rows[k].action, rows[k].what);
  }
}

/* Progress is that of at least 50 sweeps. */
static void test_progress_is_measured_over_waves(void **state) {
  (void)state;
  SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
  SlipiObservation seen = by_fours(549, 0.02);
  at.measured_at = 500;
  at.measured_error = 0.5 * seen.error;
  SlipiDecision decision = slipi_plan_decide(&at, &seen);
  expect_action(decision, SLIPI_STAY, "49 sweeps after the last time");
  assert_int_equal(decision.next.measured_at, 500);
  seen.iterations = 550;
  expect_action(slipi_plan_decide(&at, &seen), SLIPI_START, "50 sweeps after it");
}

/* After waves plain sweeps follow to a coarse tolerance over many contacts: as many as cost ten
 * factorisations. */
static void test_plain_sweeps_follow(void **state) {
  (void)state;
  static const struct {
    const char *what;
    int32_t contacts;
    double best, tol;
    bool by_fours, analysed, follow;
  } rows[] = {
      {"a heap to a coarse tolerance", 1000, 1e-2, 1e-5, true, true, true},
      {"few contacts", 999, 1e-2, 1e-5, true, true, false},
      {"chunks of contacts", 8192, 1e-2, 1e-5, true, true, false},
      {"far from a solution", 1000, 1.1e-2, 1e-5, true, true, false},
      {"a fine tolerance", 1000, 1e-2, 0.99e-5, true, true, false},
      {"contacts one by one", 1000, 1e-2, 1e-5, false, true, false},
      {"factorisations of unknown cost", 1000, 1e-2, 1e-5, true, false, false},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = by_fours(600, rows[k].best);
    seen.contacts = rows[k].contacts;
    seen.tol = rows[k].tol;
    seen.by_fours = rows[k].by_fours;
    seen.factorisation.known = rows[k].analysed;
    seen.given_up = true;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_action(decision, SLIPI_START, rows[k].what);
    if ((decision.next.stage == SLIPI_STAGE_SWEEPS_PLAIN) != rows[k].follow)
      fail_msg("%s: stage %s", rows[k].what, slipi_plan_stage(decision.next.stage)->name);
    if (rows[k].follow) {
      assert_int_equal(decision.from, SLIPI_FROM_SWEEPS);
      assert_in_range(decision.next.limit, 666, 667); /* 1000 sweeps cost 15 factorisations */
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waves_are_waited_for),
      cmocka_unit_test(test_progress_is_measured_over_waves),
      cmocka_unit_test(test_plain_sweeps_follow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
