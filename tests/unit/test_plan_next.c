/* The plan of auto: which stage is next, for how long, what interrupts it, when the run is given
 * up. Each rule is checked by rows of observations and decisions; nothing is solved. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "planning.h"

/* ---- The next stage ---- */

/* The decision at the end of a cold run's stage. */
static SlipiDecision after(SlipiStageId stage, double stage_best, double best) {
  SlipiPlanState at = in_stage(stage);
  SlipiObservation seen = observation();
  at.limit = seen.iterations;
  seen.stage_best_error = stage_best;
  seen.best_error = best;
  return slipi_plan_decide(&at, &seen);
}

/* The next stage of a small problem whose contacts do not roll: it goes without plain sweeps after
 * the first ones, balls and the sweeps behind them. */
static SlipiStageId following(SlipiStageId stage) {
  bool skips = stage + 1 == SLIPI_STAGE_BALLS || stage == SLIPI_STAGE_BALLS;
  if (stage >= SLIPI_STAGE_SWEEPS && stage < SLIPI_STAGE_NEWTON)
    return SLIPI_STAGE_NEWTON;
  return skips ? SLIPI_STAGE_NEWTON_LONG : (SlipiStageId)(stage + 1);
}

/* A tolerance with which the stage after this one is not skipped: Newton's long run from the best
 * point is for coarse ones, arclength after it for fine ones. */
static double tolerance_after(SlipiStageId stage) {
  return stage < SLIPI_STAGE_HELD ? 1e-5 : 1e-8;
}

/* A start near a solution goes through all stages but those from zero, which follow its Newton
 * steps, one after the other. */
static void test_order(void **state) {
  (void)state;
  for (int k = 0; k < SLIPI_STAGE_LOOP_CHANGED; k++) {
    SlipiPlanState at = in_stage((SlipiStageId)k);
    SlipiObservation seen = observation();
    at.warm = at.near = true;
    at.limit = seen.iterations;
    seen.tol = tolerance_after((SlipiStageId)k);
    expect_stage(slipi_plan_decide(&at, &seen), following((SlipiStageId)k), "order");
  }
  SlipiPlanState at = in_stage(SLIPI_STAGE_HELD);
  SlipiObservation seen = observation();
  at.limit = seen.iterations;
  seen.tol = 1e-5;
  expect_stage(slipi_plan_decide(&at, &seen), SLIPI_STAGE_NEWTON_LONG, "coarse");
}

/* To a fine tolerance arclength follows interior point; over many contacts balls follow the sweeps,
 * or interior point where 60 factorisations cost at most 10000 sweeps: 6.8e8 operations here, and
 * then a long run of Newton instead of balls. Over very many nothing is factored as a whole. */
static void test_skipped(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    bool warm, near;
    int32_t contacts;
    double work;
    SlipiStageId next;
  } rows[] = {
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, false, false, 8191, 1e9,
       SLIPI_STAGE_INTERIOR_POINT_NEWTON},
      {SLIPI_STAGE_INTERIOR_POINT_NEWTON, false, false, 8191, 1e9,
       SLIPI_STAGE_INTERIOR_POINT_AGAIN},
      {SLIPI_STAGE_INTERIOR_POINT_AGAIN_POLISH, false, false, 8191, 1e9, SLIPI_STAGE_HELD},
      {SLIPI_STAGE_HELD, false, false, 8191, 1e9, SLIPI_STAGE_ARCLENGTH_NEAR},
      {SLIPI_STAGE_SWEEPS, true, true, 8191, 1e9, SLIPI_STAGE_NEWTON},
      {SLIPI_STAGE_SWEEPS, false, false, 8191, 1e9, SLIPI_STAGE_NEWTON},
      {SLIPI_STAGE_NEWTON, true, true, 8191, 1e9, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_NEWTON, false, false, 8191, 1e9, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_SWEEPS, true, true, 8192, 1e9, SLIPI_STAGE_BALLS},
      {SLIPI_STAGE_SWEEPS, false, false, 8192, 1e9, SLIPI_STAGE_BALLS},
      {SLIPI_STAGE_SWEEPS, false, false, 8192, 5e8, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_INTERIOR_POINT, false, false, 8192, 5e8, SLIPI_STAGE_INTERIOR_POINT_POLISH},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, false, false, 8192, 5e8, SLIPI_STAGE_NEWTON_LONG},
      {SLIPI_STAGE_NEWTON_LONG, false, false, 8192, 1e9, SLIPI_STAGE_SWEEPS_AGAIN},
      {SLIPI_STAGE_NEWTON_AGAIN, false, false, 8192, 1e9, SLIPI_STAGE_ARCLENGTH_LONG},
      {SLIPI_STAGE_NEWTON_FROM_ZERO, false, false, 8192, 1e9, SLIPI_STAGE_LOOP_SWEEPS},
      {SLIPI_STAGE_ARCLENGTH_POLISH, false, false, 8191, 1e9, SLIPI_STAGE_NEWTON_LONG},
      {SLIPI_STAGE_BALLS, false, false, 25000, 1e9, SLIPI_STAGE_NEWTON_LONG},
      {SLIPI_STAGE_BALLS, false, false, 25001, 1e9, SLIPI_STAGE_SWEEPS_AGAIN},
      {SLIPI_STAGE_SWEEPS_AGAIN, false, false, 25001, 1e9, SLIPI_STAGE_SWEEPS_TWICE},
      {SLIPI_STAGE_SWEEPS_TWICE, false, false, 25001, 1e9, SLIPI_STAGE_LOOP_SWEEPS},
      {SLIPI_STAGE_LOOP_SWEEPS, false, false, 25001, 1e9, SLIPI_STAGE_LOOP_SWEEPS},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.warm = rows[k].warm;
    at.near = rows[k].near;
    at.limit = seen.iterations;
    seen.contacts = rows[k].contacts;
    seen.entries = 80.0 * rows[k].contacts;
    seen.factorisation.work = rows[k].work;
    expect_stage(slipi_plan_decide(&at, &seen), rows[k].next, "skipped");
  }
}

/* A polish has a point to start from where its error is at most 1e-4, or ten times the best; a
 * second polish after the first from 1e-3 on, and not where the first was left out. */
static void test_second_polish(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    double stage_best, best;
    SlipiStageId next;
  } rows[] = {
      {SLIPI_STAGE_INTERIOR_POINT, 9e-5, 1e-6, SLIPI_STAGE_INTERIOR_POINT_POLISH},
      {SLIPI_STAGE_INTERIOR_POINT, 2e-4, 3e-5, SLIPI_STAGE_INTERIOR_POINT_POLISH},
      {SLIPI_STAGE_INTERIOR_POINT, 2e-4, 3e-6, SLIPI_STAGE_INTERIOR_POINT_AGAIN},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, 2e-4, 3e-6, SLIPI_STAGE_INTERIOR_POINT_NEWTON},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, 2e-3, 3e-6, SLIPI_STAGE_INTERIOR_POINT_AGAIN},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, 2e-3, 3e-4, SLIPI_STAGE_INTERIOR_POINT_NEWTON},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    expect_stage(after(rows[k].stage, rows[k].stage_best, rows[k].best), rows[k].next, "polish");
}

/* On convex problems interior point cannot get lost: it follows the sweeps of cold and of far
 * starts at once, and Newton of those near a solution, where that fails. */
static void test_convex(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    bool warm, near;
    SlipiStageId next;
  } rows[] = {
      {SLIPI_STAGE_SWEEPS, false, false, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_SWEEPS, true, false, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_SWEEPS, true, true, SLIPI_STAGE_NEWTON},
      {SLIPI_STAGE_NEWTON, true, true, SLIPI_STAGE_INTERIOR_POINT},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.warm = rows[k].warm;
    at.near = rows[k].near;
    at.limit = seen.iterations;
    seen.convex = true;
    expect_stage(slipi_plan_decide(&at, &seen), rows[k].next, "convex");
  }
}

/* A run that began from impulses far from a solution goes without Newton steps where its sweeps
 * have not come near one, contacts have few neighbours and interior point can treat the problem. */
static void test_warm_far(void **state) {
  (void)state;
  static const struct {
    bool warm, near, coupled;
    unsigned left_out;
    double best_error;
    SlipiStageId next;
  } rows[] = {
      {true, false, false, 0, 1.1e-5, SLIPI_STAGE_INTERIOR_POINT},
      {true, false, false, 0, 1e-5, SLIPI_STAGE_NEWTON},
      {true, true, false, 0, 1.1e-5, SLIPI_STAGE_NEWTON},
      {false, false, false, 0, 1.1e-5, SLIPI_STAGE_NEWTON},
      {true, false, true, 0, 1.1e-5, SLIPI_STAGE_NEWTON},
      {true, false, false, 1U << SLIPI_PLAN_IPM, 1.1e-5, SLIPI_STAGE_NEWTON},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.warm = rows[k].warm;
    at.near = rows[k].near;
    at.coupled = rows[k].coupled;
    at.limit = seen.iterations;
    seen.left_out = rows[k].left_out;
    seen.best_error = rows[k].best_error;
    expect_stage(slipi_plan_decide(&at, &seen), rows[k].next, "warm, far");
  }
}

/* So does any run whose sweeps have ended above 1e-2, unless it began near a solution or W is full
 * or has many neighbours. */
static void test_newton_far(void **state) {
  (void)state;
  static const struct {
    bool near, coupled, rolls;
    unsigned left_out;
    double entries, best_error;
    SlipiStageId next;
  } rows[] = {
      {false, false, false, 0, 8000, 1.1e-2, SLIPI_STAGE_INTERIOR_POINT},
      {false, false, false, 0, 8000, 1e-2, SLIPI_STAGE_NEWTON},
      {false, false, false, 0, 44999, 1.1e-2, SLIPI_STAGE_INTERIOR_POINT},
      {false, false, false, 0, 45000, 1.1e-2, SLIPI_STAGE_NEWTON}, /* half of 300 x 300 */
      {true, false, false, 0, 8000, 1.1e-2, SLIPI_STAGE_NEWTON},
      {false, true, false, 0, 8000, 1.1e-2, SLIPI_STAGE_NEWTON},
      {false, false, true, 0, 8000, 1.1e-2, SLIPI_STAGE_NEWTON},
      {false, false, false, 1U << SLIPI_PLAN_IPM, 8000, 1.1e-2, SLIPI_STAGE_NEWTON},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.warm = at.near = rows[k].near;
    at.coupled = rows[k].coupled;
    at.limit = seen.iterations;
    seen.rolls = rows[k].rolls;
    seen.left_out = rows[k].left_out;
    seen.entries = rows[k].entries;
    seen.best_error = rows[k].best_error;
    expect_stage(slipi_plan_decide(&at, &seen), rows[k].next, "far");
  }
}

/* Newton is tried on convex problems where sweeps have come near, and its trial is cheap. */
static void test_convex_tried(void **state) {
  (void)state;
  static const struct {
    double best_error, work;
    bool known;
    SlipiStageId next;
  } rows[] = {
      {1e-3, 1e5, true, SLIPI_STAGE_NEWTON}, /* 8 steps: 160 us, a sweep: 2.5 */
      {1e-3, 2e5, true, SLIPI_STAGE_INTERIOR_POINT},
      {1.1e-3, 1e5, true, SLIPI_STAGE_INTERIOR_POINT},
      {1e-3, 1e5, false, SLIPI_STAGE_INTERIOR_POINT},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.limit = seen.iterations;
    seen.convex = true;
    seen.contacts = 30;
    seen.entries = 1400;
    seen.best_error = rows[k].best_error;
    seen.factorisation = (SlipiFactorisation){rows[k].known, rows[k].work};
    expect_stage(slipi_plan_decide(&at, &seen), rows[k].next, "convex, tried");
  }
}

/* Where all flows are normal, a swing of the error over a few sweeps is no end of progress. */
static void test_swings(void **state) {
  (void)state;
  for (int normal = 0; normal < 2; normal++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.measured_at = 70;
    at.measured_error = 5e-8;
    seen.normal = normal;
    seen.tol = 1e-8;
    seen.iterations = 78;
    seen.error = seen.stage_best_error = seen.best_error = 1.2e-8;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    assert_int_equal(decision.action, SLIPI_STAY);
    assert_int_equal(decision.next.measured_at, normal ? 70 : 78);
    at = decision.next;
    seen.iterations = 82;
    seen.error = 1.3e-8;
    seen.factorisation.known = false;
    decision = slipi_plan_decide(&at, &seen);
    assert_int_equal(decision.action, normal ? SLIPI_STAY : SLIPI_ANALYSE);
    if (normal)
      assert_int_equal(decision.next.measured_at, 82);
  }
}

/* The first 50 sweeps of a convex problem are judged by all of them where these say that fewer are
 * left: 264 are by the fall of the second 25, 90 by that of all. */
static void test_convex_first_sweeps(void **state) {
  (void)state;
  for (int convex = 0; convex < 2; convex++) {
    for (int64_t sweeps = 50; sweeps <= 51; sweeps++) {
      SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
      SlipiObservation seen = observation();
      at.measured_at = sweeps - 25;
      at.measured_error = 3e-3;
      seen.tol = 1e-8;
      seen.convex = convex;
      seen.iterations = seen.progressed_at = sweeps;
      seen.error = seen.stage_best_error = seen.best_error = 1e-3;
      seen.stage_start_error = 0.6;
      seen.factorisation.known = false;
      SlipiAction expected = convex && sweeps == 50 ? SLIPI_STAY : SLIPI_ANALYSE;
      assert_int_equal(slipi_plan_decide(&at, &seen).action, expected);
    }
  }
}

/* Visits to contacts with a curved K count for more: with 200 sweeps left and 15 factorisations
 * worth 250 sweeps over cones, or 107 over curved sets. */
static void test_curved(void **state) {
  (void)state;
  for (int curved = 0; curved < 2; curved++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
    SlipiObservation seen = observation();
    at.measured_at = 25;
    at.measured_error = 3.16e-4;
    seen.tol = 1e-8;
    seen.iterations = 50;
    seen.error = seen.stage_best_error = seen.best_error = 1e-4;
    seen.contacts = 200;
    seen.entries = 0;
    seen.curved = curved ? 200 : 0;
    seen.factorisation = (SlipiFactorisation){true, 1e6};
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    assert_int_equal(decision.action, curved ? SLIPI_START : SLIPI_STAY);
  }
}

/* Polishes in their turn need an error of 1e-4, or of ten times the best of the run; else they are
 * skipped. */
static void test_polishes_in_their_turn(void **state) {
  (void)state;
  static const struct {
    double stage_best, best;
    bool polished;
  } rows[] = {
      {1e-4, 1e-9, true}, {1.1e-4, 1e-9, false}, {0.5, 0.5, true},
      {0.5, 0.051, true}, {0.5, 0.049, false},   {INFINITY, 0.4, false},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    expect_stage(after(SLIPI_STAGE_INTERIOR_POINT, rows[k].stage_best, rows[k].best),
                 rows[k].polished ? SLIPI_STAGE_INTERIOR_POINT_POLISH
                                  : SLIPI_STAGE_INTERIOR_POINT_AGAIN,
                 "after interior point");
    expect_stage(after(SLIPI_STAGE_INTERIOR_POINT_AGAIN, rows[k].stage_best, rows[k].best),
                 rows[k].polished ? SLIPI_STAGE_INTERIOR_POINT_AGAIN_POLISH : SLIPI_STAGE_HELD,
                 "after the second interior point");
    expect_stage(after(SLIPI_STAGE_ARCLENGTH, rows[k].stage_best, rows[k].best),
                 rows[k].polished ? SLIPI_STAGE_ARCLENGTH_POLISH : SLIPI_STAGE_NEWTON_LONG,
                 "after arclength");
    expect_stage(after(SLIPI_STAGE_ARCLENGTH_LONG, rows[k].stage_best, rows[k].best),
                 rows[k].polished ? SLIPI_STAGE_ARCLENGTH_LONG_POLISH : SLIPI_STAGE_SWEEPS_TWICE,
                 "after the long arclength");
  }
}

/* Stages of methods that cannot treat the problem are skipped, and so are polishes of points they
 * would have left. */
static void test_left_out(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    unsigned left_out;
    SlipiStageId next;
  } rows[] = {
      {SLIPI_STAGE_NEWTON, 0, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_NEWTON, 1U << SLIPI_PLAN_IPM, SLIPI_STAGE_HELD},
      {SLIPI_STAGE_NEWTON, 1U << SLIPI_PLAN_IPM | 1U << SLIPI_PLAN_HELD,
       SLIPI_STAGE_ARCLENGTH_NEAR},
      {SLIPI_STAGE_NEWTON, 1U << SLIPI_PLAN_IPM | 1U << SLIPI_PLAN_HELD | 1U << SLIPI_PLAN_ARC,
       SLIPI_STAGE_NEWTON_LONG},
      {SLIPI_STAGE_NEWTON_FROM_ZERO, 1U << SLIPI_PLAN_ARC, SLIPI_STAGE_LOOP_SWEEPS},
      {SLIPI_STAGE_SWEEPS, 1U << SLIPI_PLAN_ALM, SLIPI_STAGE_INTERIOR_POINT},
      {SLIPI_STAGE_INTERIOR_POINT, 1U << SLIPI_PLAN_ALM, SLIPI_STAGE_INTERIOR_POINT_AGAIN},
      {SLIPI_STAGE_INTERIOR_POINT_AGAIN, 1U << SLIPI_PLAN_ALM, SLIPI_STAGE_HELD},
      {SLIPI_STAGE_ARCLENGTH, 1U << SLIPI_PLAN_ALM, SLIPI_STAGE_SWEEPS_AGAIN},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.limit = seen.iterations;
    seen.left_out = rows[k].left_out;
    seen.stage_best_error = seen.best_error = 1e-5;
    expect_stage(slipi_plan_decide(&at, &seen), rows[k].next, "left out");
  }
  SlipiObservation few = {.contacts = 3, .left_out = 1U << SLIPI_PLAN_FEW};
  assert_int_equal(slipi_plan_begin(&few).next.stage, SLIPI_STAGE_SWEEPS);
}

/* A sweep costs 10000, an operation 0.2: 1e7 operations are 200 sweeps. Each run of sweeps has 50
 * beside. */
static void test_budgets(void **state) {
  (void)state;
  static const struct {
    SlipiStageId before;
    double spent;
    int64_t limit;
  } rows[] = {
      {SLIPI_STAGE_FEW_CONTACTS, 1e7, INT64_MAX},
      {SLIPI_STAGE_SWEEPS, 1e7, 30},
      {SLIPI_STAGE_NEWTON, 1e7, 400},
      {SLIPI_STAGE_INTERIOR_POINT, 1e7, 20},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, 1e7, 20},
      {SLIPI_STAGE_INTERIOR_POINT_NEWTON, 1e7, 100},
      {SLIPI_STAGE_INTERIOR_POINT_AGAIN, 1e7, 20},
      {SLIPI_STAGE_INTERIOR_POINT_AGAIN_POLISH, 1e7, 150},
      {SLIPI_STAGE_NEWTON_BEST, 1e7, 3},
      {SLIPI_STAGE_HELD, 1e7, 100},
      {SLIPI_STAGE_ARCLENGTH_NEAR, 1e7, 250},
      {SLIPI_STAGE_ARCLENGTH, 1e7, 60},
      {SLIPI_STAGE_ARCLENGTH_POLISH, 1e7, 300},
      {SLIPI_STAGE_NEWTON_LONG, 0, 50},
      {SLIPI_STAGE_NEWTON_LONG, 1e7, 150},
      {SLIPI_STAGE_NEWTON_LONG, 1.004e7, 150}, /* 200.8 */
      {SLIPI_STAGE_SWEEPS_AGAIN, 1e7, 300},
      {SLIPI_STAGE_NEWTON_AGAIN, 1e7, 700},
      {SLIPI_STAGE_ARCLENGTH_LONG, 1e7, 600},
      {SLIPI_STAGE_ARCLENGTH_LONG_POLISH, 1e7, 250},
      {SLIPI_STAGE_ARCLENGTH_LONG_POLISH, 1.004e7, 250},
      {SLIPI_STAGE_SWEEPS_TWICE, 1e7, 3000},
      {SLIPI_STAGE_NEWTON_TWICE, 1e7, 2000},
      {SLIPI_STAGE_NEWTON_FROM_ZERO, 1e7, 150},
      {SLIPI_STAGE_LOOP_SWEEPS, 1e7, 3000},
      {SLIPI_STAGE_LOOP_NEWTON, 1e7, 1000},
      {SLIPI_STAGE_LOOP_BEST, 1e7, 2000},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].before);
    SlipiObservation seen = observation();
    at.limit = seen.iterations; /* its end */
    seen.work_spent = rows[k].spent;
    seen.tol = tolerance_after(rows[k].before);
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_stage(decision, following(rows[k].before), "budget");
    if (decision.next.limit != rows[k].limit)
      fail_msg("%s may take %lld iterations", slipi_plan_stage(decision.next.stage)->name,
               (long long)decision.next.limit);
    assert_int_equal(decision.next.next_evaluation, 25);
  }
}

/* ---- Interruptions ---- */

/* The error at which the first polish comes. */
static void test_first_polish(void **state) {
  (void)state;
  static const struct {
    SlipiStageId before;
    double tol, sweeps_error, below;
  } rows[] = {
      /* Sweeps: a tenth of the error they begin with, and at most 1e-3. */
      {SLIPI_STAGE_NEWTON_LONG, 1e-8, 1e-4, 1e-5},
      {SLIPI_STAGE_NEWTON_LONG, 1e-8, 0.5, 1e-3},
      {SLIPI_STAGE_ARCLENGTH_LONG_POLISH, 1e-8, 1e-4, 1e-5},
      /* Arclength: 1e-4, or ten times the tolerance. */
      {SLIPI_STAGE_NEWTON_AGAIN, 1e-8, 0.5, 1e-4},
      {SLIPI_STAGE_NEWTON_AGAIN, 1e-4, 0.5, 1e-3},
      /* Interior point: a hundred times the tolerance, at most 1e-4. */
      {SLIPI_STAGE_NEWTON, 1e-8, 0.5, 1e-6},
      {SLIPI_STAGE_NEWTON, 1e-5, 0.5, 1e-4},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].before);
    SlipiObservation seen = observation();
    seen.given_up = true;
    seen.tol = rows[k].tol;
    seen.sweeps_error = rows[k].sweeps_error;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_action(decision, SLIPI_START, "first polish");
    assert_true(fabs(decision.next.polish_below / rows[k].below - 1) < 1e-12);
  }
}

static void test_interruptions(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage, polish;
    double error;
    bool interrupted;
  } rows[] = {
      /* polish_below is 1e-4 */
      {SLIPI_STAGE_ARCLENGTH, SLIPI_STAGE_PATH_POLISH, 1e-4, true},
      {SLIPI_STAGE_ARCLENGTH, SLIPI_STAGE_PATH_POLISH, 1.1e-4, false},
      {SLIPI_STAGE_SWEEPS_AGAIN, SLIPI_STAGE_SWEEPS_POLISH, 1e-4, true},
      {SLIPI_STAGE_SWEEPS_TWICE, SLIPI_STAGE_SWEEPS_POLISH, 1e-5, true},
      {SLIPI_STAGE_LOOP_SWEEPS, SLIPI_STAGE_SWEEPS_POLISH, 1.1e-4, false},
      {SLIPI_STAGE_INTERIOR_POINT, SLIPI_STAGE_INNER_POLISH, 1e-4, true},
      {SLIPI_STAGE_INTERIOR_POINT, SLIPI_STAGE_INNER_POLISH, 1.1e-4, false},
      /* Other methods are never interrupted. */
      {SLIPI_STAGE_SWEEPS, SLIPI_STAGE_SWEEPS, 1e-5, false},
      {SLIPI_STAGE_NEWTON, SLIPI_STAGE_NEWTON, 1e-5, false},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.polish_below = 1e-4;
    seen.error = rows[k].error;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_action(decision, rows[k].interrupted ? SLIPI_INTERRUPT : SLIPI_STAY, "interruption");
    assert_int_equal(slipi_plan_current(&decision.next),
                     rows[k].interrupted ? rows[k].polish : rows[k].stage);
    if (rows[k].interrupted) {
      assert_int_equal(decision.from, SLIPI_FROM_LAST);
      assert_int_equal(decision.next.stage, rows[k].stage);
      assert_true(fabs(decision.next.polish_below / (0.1 * rows[k].error) - 1) < 1e-12);
    }
  }
}

/* A stage goes on after its polish with the limit it had; a stage that is over is not polished. */
static void test_resuming(void **state) {
  (void)state;
  SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS_TWICE);
  SlipiObservation seen = observation();
  at.limit = 4321;
  at.polish_below = 1e-3;
  at.next_evaluation = 900;
  SlipiDecision decision = slipi_plan_decide(&at, &seen);
  expect_action(decision, SLIPI_INTERRUPT, "sweeps");
  seen.error = 1e-9; /* below the next polish: no polish of a polish */
  decision = slipi_plan_decide(&decision.next, &seen);
  expect_action(decision, SLIPI_STAY, "polish");
  seen.given_up = true;
  decision = slipi_plan_decide(&decision.next, &seen);
  expect_action(decision, SLIPI_RESUME, "end of the polish");
  assert_int_equal(slipi_plan_current(&decision.next), SLIPI_STAGE_SWEEPS_TWICE);
  assert_int_equal(decision.next.limit, 4321);
  assert_int_equal(decision.next.next_evaluation, 25);
  seen = observation();
  seen.iterations = 4321;
  expect_stage(slipi_plan_decide(&at, &seen), SLIPI_STAGE_NEWTON_TWICE, "over");
}

/* ---- Rounds ---- */

static void test_rounds(void **state) {
  (void)state;
  static const struct {
    const char *what;
    int idle_before;
    double round_error, best;
    bool goes_on;
    int idle;
  } rows[] = {
      {"the first round", 0, INFINITY, 0.5, true, 0},
      {"progress", 11, 1e-3, 0.8e-3, true, 0},
      {"little progress", 3, 1e-3, 0.95e-3, true, 4},
      {"eleven idle rounds", 10, 1e-3, 1e-3, true, 11},
      {"twelve idle rounds", 11, 1e-3, 1e-3, false, 12},
      {"one without hope", 0, 0.011, 0.011, false, 1},
      {"one with hope", 0, 0.01, 0.01, true, 1},
      {"progress without hope", 0, 0.5, 0.02, true, 0},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_LOOP_CHANGED);
    SlipiObservation seen = observation();
    at.round = 6;
    at.idle_rounds = rows[k].idle_before;
    at.round_error = rows[k].round_error;
    seen.given_up = true;
    seen.best_error = rows[k].best;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_action(decision, rows[k].goes_on ? SLIPI_START : SLIPI_GIVE_UP, rows[k].what);
    assert_int_equal(decision.next.stage, SLIPI_STAGE_LOOP_SWEEPS);
    assert_int_equal(decision.next.idle_rounds, rows[k].idle);
    assert_int_equal(decision.next.round, 7);
    assert_true(decision.next.round_error == rows[k].best);
    if (!rows[k].goes_on)
      assert_non_null(strstr(decision.why, "stalled"));
  }
}

/* Impulses are changed by up to all of them and by up to half in turn. */
static void test_changed_impulses(void **state) {
  (void)state;
  for (int round = 0; round < 4; round++) {
    SlipiPlanState at = in_stage(SLIPI_STAGE_LOOP_BEST);
    SlipiObservation seen = observation();
    at.round = round;
    seen.given_up = true;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_stage(decision, SLIPI_STAGE_LOOP_CHANGED, "changed");
    assert_int_equal(decision.from, SLIPI_FROM_CHANGED);
    assert_true(decision.change_by == (round % 2 == 0 ? 1 : 0.5));
    assert_int_equal(decision.next.round, round);
  }
}

/* A whole run whose stages all give up at once: how many stages it starts. */
static int walk(double error) {
  SlipiObservation seen = observation();
  seen.error = seen.best_error = seen.stage_best_error = error;
  SlipiDecision decision = slipi_plan_begin(&seen);
  int started = 0;
  for (; decision.action != SLIPI_GIVE_UP; started++) {
    assert_true(started < 1000);
    seen.given_up = true;
    decision = slipi_plan_decide(&decision.next, &seen);
  }
  return started;
}

/* From `sweeps` to `loop-changed`; the first round counts as progress, then one is idle without
 * hope and twelve with it. */
static void test_whole_walks(void **state) {
  (void)state;
  const int coarse = 1; /* SLIPI_STAGE_NEWTON_BEST is not for fine tolerances */
  /* Balls, thrice, and plain sweeps are for more contacts, sweeps behind balls for ones that roll.
   */
  const int others = 5;
  const int once = SLIPI_STAGE_LOOP_CHANGED - SLIPI_STAGE_SWEEPS + 1 - coarse - others;
  const int loop = SLIPI_STAGE_LOOP_CHANGED - SLIPI_STAGE_LOOP_SWEEPS + 1;
  const int far = 1; /* from 0.5 Newton's first steps are left out */
  assert_int_equal(walk(0.5), once - far + loop);
  assert_int_equal(walk(1e-3), once + 12 * loop);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_skipped),
      cmocka_unit_test(test_second_polish),
      cmocka_unit_test(test_convex),
      cmocka_unit_test(test_warm_far),
      cmocka_unit_test(test_newton_far),
      cmocka_unit_test(test_convex_tried),
      cmocka_unit_test(test_swings),
      cmocka_unit_test(test_convex_first_sweeps),
      cmocka_unit_test(test_curved),
      cmocka_unit_test(test_polishes_in_their_turn),
      cmocka_unit_test(test_left_out),
      cmocka_unit_test(test_budgets),
      cmocka_unit_test(test_first_polish),
      cmocka_unit_test(test_interruptions),
      cmocka_unit_test(test_resuming),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_changed_impulses),
      cmocka_unit_test(test_whole_walks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
