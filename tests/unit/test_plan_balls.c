/* The plan of auto: sweeps that end at an error of a few spots are followed by balls. Nothing is
 * solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "planning.h"

/* Sweeps over a thousand contacts and more that end within 20 tolerances after a warm start, or at
 * 1e-4 (of many 5e-4) in a run that began anew, are followed by balls, and these by interior point
 * without Newton's steps. */
static void test_balls(void **state) {
  (void)state;
  enum { NEAR = SLIPI_STAGE_BALLS_NEAR, SPOTS = SLIPI_STAGE_BALLS_SPOTS };
  enum { SWEEPS = SLIPI_STAGE_SWEEPS, NEWTON = SLIPI_STAGE_NEWTON };
  enum { INTERIOR = SLIPI_STAGE_INTERIOR_POINT };
  static const struct {
    const char *what;
    int stage;
    int32_t contacts;
    double tol, best;
    bool warm, coupled, convex;
    int next;
  } rows[] = {
      {"near", SWEEPS, 1000, 1e-6, 1.9e-5, true, false, false, NEAR},
      {"the most", SWEEPS, 8191, 1e-6, 1.9e-5, true, false, false, NEAR},
      {"few contacts", SWEEPS, 999, 1e-6, 1.9e-5, true, false, false, INTERIOR},
      {"far", SWEEPS, 1000, 1e-6, 2.1e-5, true, false, false, INTERIOR},
      {"coupled", SWEEPS, 1000, 1e-6, 1.9e-5, true, true, false, NEWTON},
      {"convex", SWEEPS, 1000, 1e-6, 1.9e-5, true, false, true, INTERIOR},
      {"after it", NEAR, 1000, 1e-6, 1.9e-5, true, false, false, INTERIOR},
      {"spots", SWEEPS, 1000, 1e-8, 9.9e-5, false, false, false, SPOTS},
      {"many, spots", SWEEPS, 3000, 1e-8, 4.9e-4, false, false, false, SPOTS},
      {"many, spread", SWEEPS, 3000, 1e-8, 5.1e-4, false, false, false, NEWTON},
      {"the most, spots", SWEEPS, 8191, 1e-8, 9.9e-5, false, false, false, SPOTS},
      {"few contacts, spots", SWEEPS, 999, 1e-8, 9.9e-5, false, false, false, NEWTON},
      {"spread", SWEEPS, 1000, 1e-8, 1.1e-4, false, false, false, NEWTON},
      {"coupled, spots", SWEEPS, 1000, 1e-8, 9.9e-5, false, true, false, NEWTON},
      {"convex, spots", SWEEPS, 1000, 1e-8, 9.9e-5, false, false, true, INTERIOR},
      {"after spots", SPOTS, 1000, 1e-8, 9.9e-5, false, false, false, INTERIOR},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage((SlipiStageId)rows[k].stage);
    SlipiObservation seen = observation();
    at.limit = seen.iterations;
    at.coupled = rows[k].coupled;
    at.warm = rows[k].warm;
    at.tried = rows[k].stage == NEAR || rows[k].stage == SPOTS;
    seen.contacts = rows[k].contacts;
    seen.entries = 80.0 * rows[k].contacts;
    seen.factorisation.work = 1e9;
    seen.tol = rows[k].tol;
    seen.best_error = rows[k].best;
    seen.convex = rows[k].convex;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_stage(decision, (SlipiStageId)rows[k].next, rows[k].what);
    bool balls = rows[k].next == NEAR || rows[k].next == SPOTS;
    assert_int_equal(decision.next.tried, at.tried || balls);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_balls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
