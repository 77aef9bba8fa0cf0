/* The plan of auto: sweeps that end near the tolerance are followed by balls. Nothing is solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "planning.h"

/* Sweeps over a thousand contacts and more that end within 20 tolerances are followed by balls, and
 * these by interior point without Newton's steps. */
static void test_balls_near(void **state) {
  (void)state;
  static const struct {
    const char *what;
    SlipiStageId stage;
    int32_t contacts;
    double tol, best;
    bool coupled, convex;
    SlipiStageId next;
  } rows[] = {
      {"near", SLIPI_STAGE_SWEEPS, 1000, 1e-6, 1.9e-5, false, false, SLIPI_STAGE_BALLS_NEAR},
      {"the most", SLIPI_STAGE_SWEEPS, 8191, 1e-6, 1.9e-5, false, false, SLIPI_STAGE_BALLS_NEAR},
      {"few contacts", SLIPI_STAGE_SWEEPS, 999, 1e-6, 1.9e-5, false, false, SLIPI_STAGE_NEWTON},
      {"far", SLIPI_STAGE_SWEEPS, 1000, 1e-6, 2.1e-5, false, false, SLIPI_STAGE_NEWTON},
      {"coarse", SLIPI_STAGE_SWEEPS, 1000, 1e-4, 5.1e-5, false, false, SLIPI_STAGE_NEWTON},
      {"coupled", SLIPI_STAGE_SWEEPS, 1000, 1e-6, 1.9e-5, true, false, SLIPI_STAGE_NEWTON},
      {"convex", SLIPI_STAGE_SWEEPS, 1000, 1e-6, 1.9e-5, false, true, SLIPI_STAGE_INTERIOR_POINT},
      {"after it", SLIPI_STAGE_BALLS_NEAR, 1000, 1e-6, 1.9e-5, false, false,
       SLIPI_STAGE_INTERIOR_POINT},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.limit = seen.iterations;
    at.coupled = rows[k].coupled;
    at.tried = rows[k].stage == SLIPI_STAGE_BALLS_NEAR;
    seen.contacts = rows[k].contacts;
    seen.entries = 80.0 * rows[k].contacts;
    seen.factorisation.work = 1e9;
    seen.tol = rows[k].tol;
    seen.best_error = rows[k].best;
    seen.convex = rows[k].convex;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_stage(decision, rows[k].next, rows[k].what);
    assert_int_equal(decision.next.tried, at.tried || rows[k].next == SLIPI_STAGE_BALLS_NEAR);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_balls_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
