/* The plan of auto: its table, how it begins, when stages end. Each rule is checked by rows of
 * observations and decisions; nothing is solved. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/option.h"
#include "contact/chunks.h"
#include "contact/few.h"
#include "methods/method.h"
#include "planning.h"
#include "scratch.h"

enum { ROW_TEXT = 160 };

/* ---- The table ---- */

static const SlipiEnd *end_of(SlipiStageId id, SlipiEndKind kind) {
  const SlipiStage *stage = slipi_plan_stage(id);
  for (int k = 0; k < SLIPI_STAGE_ENDS; k++) {
    if (stage->ends[k].kind == kind)
      return &stage->ends[k];
  }
  return NULL;
}

static void test_names_are_unique(void **state) {
  (void)state;
  for (int a = 0; a < SLIPI_STAGE_COUNT; a++) {
    for (int b = 0; b < a; b++)
      assert_string_not_equal(slipi_plan_stage((SlipiStageId)a)->name,
                              slipi_plan_stage((SlipiStageId)b)->name);
  }
}

static void test_every_stage_ends(void **state) {
  (void)state;
  for (int k = 0; k < SLIPI_STAGE_COUNT; k++) {
    SlipiStageId id = (SlipiStageId)k;
    const SlipiEnd *iterations = end_of(id, SLIPI_END_ITERATIONS);
    const SlipiEnd *cost = end_of(id, SLIPI_END_COST), *worth = end_of(id, SLIPI_END_WORTH);
    const SlipiEnd *trial = end_of(id, SLIPI_END_TRIAL);
    const SlipiEnd *early = end_of(id, SLIPI_END_EARLY);
    assert_true(iterations || cost || worth || end_of(id, SLIPI_END_PROJECTION));
    assert_true(!iterations || iterations->value >= 1);
    assert_true(!cost || cost->value > 0);
    assert_true(!worth || worth->value > 0);
    assert_true(!trial || (trial->value >= 1 && trial->value < iterations->value));
    assert_true(!early || (early->value >= 1 && early->value < iterations->value));
  }
}

static void expect_taken(const SlipOptionInfo *option, double value) {
  int choices = 0;
  while (option->choices && option->choices[choices])
    choices++;
  assert_true(value >= (option->choices ? 0 : option->min));
  assert_true(value <= (option->choices ? choices - 1 : option->max));
}

static void expect_option(const SlipMethodInfo *info, const SlipiStageOption *given) {
  if (!given->name)
    return;
  int option = slipi_option_find(info->options, info->option_count, given->name);
  assert_true(option >= 0);
  expect_taken(&info->options[option], given->value);
}

/* Options are given by name: their methods must have them, and take the values. */
static void test_options_exist(void **state) {
  (void)state;
  for (int k = 0; k < SLIPI_STAGE_COUNT; k++) {
    const SlipiStage *stage = slipi_plan_stage((SlipiStageId)k);
    const SlipiMethod *method = slipi_method_find(slipi_plan_method_name(stage->method));
    assert_non_null(method);
    for (int j = 0; j < SLIPI_STAGE_OPTIONS; j++)
      expect_option(&method->info, &stage->options[j]);
    for (int j = 0; j < SLIPI_STAGE_GENTLE; j++)
      expect_option(&method->info, &stage->gentle[j]);
    expect_option(&method->info, &stage->coupled);
  }
}

/* Arclength that starts near a solution starts from the point it is given. */
static void test_near_start(void **state) {
  (void)state;
  const SlipiStage *stage = slipi_plan_stage(SLIPI_STAGE_ARCLENGTH_NEAR);
  const SlipMethodInfo *info = &slipi_method_find("arc")->info;
  int option = slipi_option_find(info->options, info->option_count, "start");
  assert_string_equal(stage->options[0].name, "start");
  assert_string_equal(info->options[option].choices[(int)stage->options[0].value], "point");
}

/* The documentation has a row for each stage, with the same number, name and method, in the same
 * order. */
static void test_documentation_agrees(void **state) {
  (void)state;
  char *text = source_text("docs/methods/auto.md");
  const char *at = text;
  for (int k = 0; k < SLIPI_STAGE_COUNT; k++) {
    const SlipiStage *stage = slipi_plan_stage((SlipiStageId)k);
    char row[ROW_TEXT];
    snprintf(row, sizeof row, "| %d | `%s` | `%s` |", k, stage->name,
             slipi_plan_method_name(stage->method));
    at = strstr(at, row);
    if (!at)
      fail_msg("docs/methods/auto.md has no row \"%s\" at its place", row);
  }
  free(text);
}

/* ---- Beginning ---- */

static void test_begin(void **state) {
  (void)state;
  enum { BIG = SLIPI_CHUNKS_FROM };
  static const struct {
    int32_t contacts;
    double error;
    bool at_zero;
    SlipiStageId stage;
    SlipiStartPoint from;
    bool warm, near;
    int64_t first_evaluation;
  } rows[] = {
      {1, 1, true, SLIPI_STAGE_FEW_CONTACTS, SLIPI_FROM_BEST, false, false, 25},
      {SLIPI_FEW_CONTACTS, 1, true, SLIPI_STAGE_FEW_CONTACTS, SLIPI_FROM_BEST, false, false, 25},
      {SLIPI_FEW_CONTACTS + 1, 1, true, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, false, false, 25},
      {100000, 1, true, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, false, false, 25},
      /* A warm start needs impulses and an error below 10; below 0.1 it is near a solution. */
      {100, 0.09, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, true, true, 20},
      {100, 0.1, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, true, false, 25},
      {100, 0.99, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, true, false, 25},
      {100, 9.9, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, true, false, 25},
      {100, 10, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_ZERO, false, false, 25},
      {1, 9.9, false, SLIPI_STAGE_FEW_CONTACTS, SLIPI_FROM_BEST, true, false, 25},
      {1, 20, false, SLIPI_STAGE_FEW_CONTACTS, SLIPI_FROM_ZERO, false, false, 25},
      {100, 0.09, true, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, false, false, 25},
      /* Over many contacts only a start near a solution counts. */
      {BIG, 0.09, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, true, true, 20},
      {BIG, 0.1, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_BEST, false, false, 25},
      {BIG, 1, false, SLIPI_STAGE_SWEEPS, SLIPI_FROM_ZERO, false, false, 25},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiObservation seen = observation();
    seen.contacts = rows[k].contacts;
    seen.entries = 80.0 * rows[k].contacts;
    seen.error = rows[k].error;
    seen.starts_at_zero = rows[k].at_zero;
    SlipiDecision first = slipi_plan_begin(&seen);
    expect_action(first, SLIPI_START, "begin");
    assert_int_equal(first.next.stage, rows[k].stage);
    assert_int_equal(first.from, rows[k].from);
    assert_int_equal(
        slipi_plan_begins_anew(rows[k].error, rows[k].at_zero, rows[k].contacts >= BIG),
        rows[k].from == SLIPI_FROM_ZERO);
    assert_int_equal(first.next.warm, rows[k].warm);
    assert_int_equal(first.next.near, rows[k].near);
    assert_int_equal(first.next.next_evaluation, rows[k].first_evaluation);
    assert_int_equal(first.next.limit, rows[k].stage == SLIPI_STAGE_FEW_CONTACTS ? 12 : INT64_MAX);
    assert_true(first.next.measured_error == (rows[k].from == SLIPI_FROM_ZERO ? 1 : rows[k].error));
    assert_int_equal(first.next.measured_at, 0);
    assert_false(first.next.polishing);
  }
  for (int32_t more = 0; more < 2; more++) { /* in the plane half as many more are few */
    SlipiObservation seen = observation();
    seen.plane = true;
    seen.entries = 0;
    seen.contacts = SLIPI_FEW_CONTACTS * 3 / 2 + more;
    SlipiDecision first = slipi_plan_begin(&seen);
    assert_int_equal(first.next.stage, more ? SLIPI_STAGE_SWEEPS : SLIPI_STAGE_FEW_CONTACTS);
  }
}

/* ---- When the error is evaluated ---- */

/* Where W is dense `few` has an iteration, of sweeps, on up to 32 contacts. */
static void test_begin_dense(void **state) {
  (void)state;
  static const struct {
    int32_t contacts;
    bool plane, dense, few;
    int64_t limit;
  } rows[] = {{SLIPI_FEW_CONTACTS, false, false, true, 12},
              {SLIPI_FEW_CONTACTS + 1, false, true, true, 1},
              {SLIPI_FEW_CONTACTS + 1, false, false, false, INT64_MAX},
              {SLIPI_FEW_MOST, false, true, true, 1},
              {SLIPI_FEW_MOST, true, true, true, 1},
              {SLIPI_FEW_MOST + 1, false, true, false, INT64_MAX}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiObservation seen = observation();
    double m = (rows[k].plane ? 2.0 : 3.0) * rows[k].contacts;
    seen.contacts = rows[k].contacts;
    seen.plane = rows[k].plane;
    seen.entries = m * m - !rows[k].dense;
    seen.starts_at_zero = true;
    SlipiDecision first = slipi_plan_begin(&seen);
    expect_stage(first, rows[k].few ? SLIPI_STAGE_FEW_CONTACTS : SLIPI_STAGE_SWEEPS, "dense");
    assert_int_equal(first.next.limit, rows[k].limit);
  }
}

/* More than 40 neighbours a contact, but not where sweeps go by chunks. */
static void test_begin_coupled(void **state) {
  (void)state;
  static const struct {
    int32_t contacts;
    bool plane;
    double neighbours;
    bool coupled;
  } rows[] = {{100, false, 40, false},
              {100, false, 41, true},
              {100, true, 40, false},
              {100, true, 41, true},
              {SLIPI_CHUNKS_FROM, false, 41, false}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiObservation seen = observation();
    seen.contacts = rows[k].contacts;
    seen.plane = rows[k].plane;
    seen.entries = rows[k].neighbours * (rows[k].plane ? 4 : 9) * rows[k].contacts;
    seen.starts_at_zero = true;
    SlipiDecision first = slipi_plan_begin(&seen);
    assert_int_equal(first.next.coupled, rows[k].coupled);
    assert_int_equal(first.next.next_evaluation, rows[k].coupled ? 13 : 25);
  }
}

static void test_evaluation_due(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    bool polishing;
    int64_t iterations;
    double change;
    bool due;
  } rows[] = {
      /* next_evaluation is 25, the limit 40 */
      {SLIPI_STAGE_SWEEPS, false, 24, 1e-3, false},
      {SLIPI_STAGE_SWEEPS, false, 25, 1e-3, true},
      {SLIPI_STAGE_SWEEPS, false, 3, 1e-16, true},  /* only rounding */
      {SLIPI_STAGE_SWEEPS, false, 3, 3e-15, false}, /* more than rounding */
      {SLIPI_STAGE_SWEEPS, false, 3, NAN, true},
      {SLIPI_STAGE_SWEEPS_AGAIN, false, 24, 1e-3, false},
      {SLIPI_STAGE_SWEEPS_AGAIN, true, 1, 1e-3, true}, /* a polish is Newton */
      {SLIPI_STAGE_NEWTON, false, 1, 1e-3, true},
      {SLIPI_STAGE_ARCLENGTH, false, 1, 1e-3, true},
      {SLIPI_STAGE_FEW_CONTACTS, false, 1, 1e-3, true},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    at.limit = 40;
    at.polishing = rows[k].polishing;
    bool due = slipi_plan_evaluation_due(&at, rows[k].iterations, rows[k].change);
    if (due != rows[k].due)
      fail_msg("row %d: evaluation %sdue", (int)k, due ? "" : "not ");
  }
  SlipiPlanState at = in_stage(SLIPI_STAGE_LOOP_SWEEPS);
  at.limit = 20; /* before the next evaluation */
  assert_false(slipi_plan_evaluation_due(&at, 19, 1e-3));
  assert_true(slipi_plan_evaluation_due(&at, 20, 1e-3));
}

/* After the first evaluation: the first sweeps at growing intervals, later ones every 50. */
static void test_next_evaluation(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    bool near;
    int64_t iterations;
    double error; /* 1 at first */
    int64_t next;
  } rows[] = {
      /* Not many are left. */
      {SLIPI_STAGE_SWEEPS, false, 25, 3e-4, 50},
      {SLIPI_STAGE_SWEEPS, false, 50, 3e-5, 75},
      {SLIPI_STAGE_SWEEPS, false, 80, 3e-5, 120},
      {SLIPI_STAGE_SWEEPS, true, 20, 3e-4, 40},
      {SLIPI_STAGE_SWEEPS, true, 60, 3e-5, 90},
      /* Fewer than would pass: log(error/tol) times the sweeps for log(1/error). */
      {SLIPI_STAGE_SWEEPS, false, 25, 1e-6, 34},
      {SLIPI_STAGE_SWEEPS, false, 80, 1e-6, 107},
      {SLIPI_STAGE_SWEEPS, false, 25, 1.1e-8, 29},
      {SLIPI_STAGE_SWEEPS_AGAIN, false, 25, 1e-6, 75},
      {SLIPI_STAGE_LOOP_SWEEPS, false, 900, 1e-6, 950},
      {SLIPI_STAGE_LOOP_SWEEPS, true, 900, 1e-6, 950},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.warm = at.near = rows[k].near;
    seen.iterations = rows[k].iterations;
    seen.error = seen.best_error = rows[k].error;
    SlipiDecision decision = slipi_plan_decide(&at, &seen);
    expect_action(decision, SLIPI_STAY, "next evaluation");
    assert_int_equal(decision.next.next_evaluation, rows[k].next);
  }
}

/* ---- The first sweeps ---- */

typedef enum Start { COLD, FAR, NEAR, COUPLED } Start;

typedef struct SweepsRow {
  const char *what;
  Start start;
  int64_t iterations, measured_at;
  double last_error, error;
  int32_t contacts;
  bool known;
  double work;
  SlipiAction action;
} SweepsRow;

static SlipiDecision decide_sweeps(const SweepsRow *row) {
  SlipiPlanState at = in_stage(SLIPI_STAGE_SWEEPS);
  SlipiObservation seen = observation();
  at.warm = row->start == FAR || row->start == NEAR;
  at.coupled = row->start == COUPLED;
  at.near = row->start == NEAR;
  at.measured_at = row->measured_at;
  at.measured_error = row->last_error;
  seen.iterations = row->iterations;
  seen.error = row->error;
  seen.contacts = row->contacts;
  seen.entries = 80.0 * row->contacts; /* a sweep costs 100 a contact */
  seen.factorisation = (SlipiFactorisation){row->known, row->work};
  return slipi_plan_decide(&at, &seen);
}

/* Sweeps left: tol is 1e-8; an error of 1e-3 that fell by a factor of ten in s sweeps needs 5 s
 * more. */
static void test_leaving_the_first_sweeps(void **state) {
  (void)state;
  static const SweepsRow rows[] = {
      {"too early to leave", COLD, 49, 0, 1e-3, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"no progress", COLD, 50, 0, 1e-3, 1e-3, 100, true, 1e6, SLIPI_START},
      {"an error that rises", COLD, 50, 25, 1e-4, 1e-3, 100, true, 1e6, SLIPI_START},
      {"250 left, 300 are worth it", COLD, 100, 50, 1e-2, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"350 left, 300 are worth it", COLD, 100, 30, 1e-2, 1e-3, 100, true, 1e6, SLIPI_START},
      /* Late, after 300 sweeps, a quarter of 300 is enough. */
      {"100 left at 300", COLD, 300, 280, 1e-2, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"100 left at 301", COLD, 301, 281, 1e-2, 1e-3, 100, true, 1e6, SLIPI_START},
      {"80 left at 301", COLD, 301, 285, 1e-2, 1e-3, 100, true, 1e6, SLIPI_START},
      {"70 left at 301", COLD, 301, 287, 1e-2, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"slow, and nearly there", COLD, 75, 50, 2e-8, 1.2e-8, 100, true, 1e6, SLIPI_STAY},
      /* Warm starts: from 20 sweeps on, against 3 factorisations, 60 sweeps. */
      {"near, too early", NEAR, 19, 0, 1e-3, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"near, no progress", NEAR, 20, 0, 1e-3, 1e-3, 100, true, 1e6, SLIPI_START},
      {"near, 55 left", NEAR, 20, 9, 1e-2, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"near, 65 left", NEAR, 21, 8, 1e-2, 1e-3, 100, true, 1e6, SLIPI_START},
      /* Far ones are as cold: from 50 on, against 15 factorisations. */
      {"far, too early", FAR, 49, 0, 1e-3, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"far, 250 left", FAR, 100, 50, 1e-2, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"far, 350 left", FAR, 100, 30, 1e-2, 1e-3, 100, true, 1e6, SLIPI_START},
      /* Many neighbours: from 26 sweeps on, and a quarter of 300 is enough. */
      {"coupled, too early", COUPLED, 25, 13, 1e-3, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"coupled, 65 left", COUPLED, 26, 13, 1e-2, 1e-3, 100, true, 1e6, SLIPI_STAY},
      {"coupled, 80 left", COUPLED, 29, 13, 1e-2, 1e-3, 100, true, 1e6, SLIPI_START},
      {"coupled, unknown work", COUPLED, 34, 13, 1e-2, 1e-3, 100, false, 0, SLIPI_ANALYSE},
      /* Out of reach: too many contacts, too much work. */
      {"25000 contacts", COLD, 400, 0, 1e-3, 1e-3, 25000, true, 1e6, SLIPI_START},
      {"25001 contacts", COLD, 400, 0, 1e-3, 1e-3, 25001, true, 1e6, SLIPI_STAY},
      {"3e11 operations", COLD, 100, 0, 1e-3, 1e-3, 100, true, 3e11, SLIPI_START},
      {"more than 3e11 operations", COLD, 100, 0, 1e-3, 1e-3, 100, true, 3.1e11, SLIPI_STAY},
      /* The analysis waits until more than 100 sweeps are left. */
      {"unknown work, 95 left", COLD, 60, 41, 1e-2, 1e-3, 100, false, 0, SLIPI_STAY},
      {"unknown work, 105 left", COLD, 60, 39, 1e-2, 1e-3, 100, false, 0, SLIPI_ANALYSE},
      {"unknown work, too early", COLD, 30, 0, 1e-3, 1e-3, 100, false, 0, SLIPI_STAY},
      {"unknown work, 25001 contacts", COLD, 400, 0, 1, 1, 25001, false, 0, SLIPI_STAY},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiDecision decision = decide_sweeps(&rows[k]);
    expect_action(decision, rows[k].action, rows[k].what);
    if (decision.action == SLIPI_START && rows[k].contacts < SLIPI_CHUNKS_FROM)
      expect_stage(decision, rows[k].start == FAR ? SLIPI_STAGE_INTERIOR_POINT : SLIPI_STAGE_NEWTON,
                   rows[k].what);
    if (decision.action == SLIPI_STAY) { /* progress has been measured here */
      assert_int_equal(decision.next.measured_at, rows[k].iterations);
      assert_true(decision.next.measured_error == rows[k].error);
    }
    if (decision.action == SLIPI_ANALYSE) { /* the same question will be asked again */
      assert_int_equal(decision.next.measured_at, rows[k].measured_at);
      assert_true(decision.next.measured_error == rows[k].last_error);
    }
  }
}

/* From 8192 contacts on progress is measured over 100 sweeps. Where interior point is dear, the
 * sweeps have at least the cost of the factorisations, and the long Newton run follows. */
static void test_waves(void **state) {
  (void)state;
  enum { BIG = SLIPI_CHUNKS_FROM };
  /* 15 factorisations are worth 3000 sweeps of 8192 or 8191 contacts, 60 are worth 12000. */
  const double work = 200.0 * 100 * BIG / 0.2;
  const SweepsRow rows[] = {
      {"99 sweeps after the last time", COLD, 3499, 3400, 1e-3, 1e-2, BIG, true, work, SLIPI_STAY},
      {"100 sweeps after it", COLD, 3500, 3400, 1e-3, 1e-2, BIG, true, work, SLIPI_START},
      {"before the cost is reached", COLD, 2999, 2800, 1e-3, 1e-2, BIG, true, work, SLIPI_STAY},
      {"when it is reached", COLD, 3001, 2800, 1e-3, 1e-2, BIG, true, work, SLIPI_START},
      {"left to balls", COLD, 900, 800, 6e-5, 5e-5, BIG, true, work, SLIPI_START},
      {"left to balls, very many", COLD, 900, 800, 6e-5, 5e-5, 25001, false, 0, SLIPI_START},
      {"early for balls", COLD, 899, 799, 6e-5, 5e-5, BIG, true, work, SLIPI_STAY},
      {"analysed before balls", COLD, 200, 100, 6e-5, 5e-5, BIG, false, 0, SLIPI_ANALYSE},
      {"not local yet", COLD, 900, 800, 7e-5, 6e-5, BIG, true, work, SLIPI_STAY},
      {"sweeps get ahead", COLD, 900, 800, 1e-3, 5e-5, BIG, true, work, SLIPI_STAY},
      {"fewer contacts do not wait", COLD, 60, 50, 1e-3, 1e-2, BIG - 1, true, work, SLIPI_START},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiDecision decision = decide_sweeps(&rows[k]);
    expect_action(decision, rows[k].action, rows[k].what);
    if (decision.action == SLIPI_START)
      expect_stage(decision, rows[k].contacts >= BIG ? SLIPI_STAGE_BALLS : SLIPI_STAGE_NEWTON,
                   rows[k].what);
  }
  assert_int_equal(decide_sweeps(&rows[0]).next.measured_at, 3400); /* not measured */
  assert_int_equal(decide_sweeps(&rows[2]).next.measured_at, 2999); /* measured */
}

/* Where 60 factorisations are worth at most 10000 sweeps, here 1200, interior point follows the
 * sweeps, from 200 of them on. */
static void test_waves_and_interior_point(void **state) {
  (void)state;
  enum { BIG = SLIPI_CHUNKS_FROM };
  const double work = 20.0 * 100 * BIG / 0.2;
  const SweepsRow rows[] = {
      {"199 sweeps", COLD, 199, 50, 1e-3, 1e-2, BIG, true, work, SLIPI_STAY},
      {"200 sweeps", COLD, 200, 50, 1e-3, 1e-2, BIG, true, work, SLIPI_START},
      {"1150 left", COLD, 400, 170, 1e-2, 1e-3, BIG, true, work, SLIPI_STAY},
      {"1250 left", COLD, 400, 150, 1e-2, 1e-3, BIG, true, work, SLIPI_START},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiDecision decision = decide_sweeps(&rows[k]);
    expect_action(decision, rows[k].action, rows[k].what);
    if (decision.action == SLIPI_START)
      expect_stage(decision, SLIPI_STAGE_INTERIOR_POINT, rows[k].what);
  }
}

/* ---- The end of a stage ---- */

/* A stage under way, or its polish: iterations taken and the limit of the stage, the errors now and
 * at best, the last change of r. */
typedef struct EndRow {
  SlipiStageId stage;
  bool polishing;
  int64_t iterations, limit;
  double error, stage_best, change;
  bool given_up;
  SlipiAction action;
} EndRow;

static void check_ends(const char *what, const EndRow *rows, size_t count) {
  for (size_t k = 0; k < count; k++) {
    char row[ROW_TEXT];
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    at.polishing = rows[k].polishing;
    at.limit = rows[k].limit;
    seen.iterations = rows[k].iterations;
    seen.error = rows[k].error;
    seen.stage_best_error = rows[k].stage_best;
    seen.change = rows[k].change;
    seen.given_up = rows[k].given_up;
    snprintf(row, sizeof row, "%s, row %d", what, (int)k);
    expect_action(slipi_plan_decide(&at, &seen), rows[k].action, row);
  }
}
#define CHECK_ENDS(what, rows) check_ends(what, rows, sizeof(rows) / sizeof(rows)[0])

static void test_iterations_end_stages(void **state) {
  (void)state;
  static const EndRow rows[] = {
      {SLIPI_STAGE_FEW_CONTACTS, false, 11, 12, 1e-3, 1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_FEW_CONTACTS, false, 12, 12, 1e-3, 1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_NEWTON, false, 39, 40, 1e-3, 1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_NEWTON, false, 40, 40, 1e-3, 1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_SWEEPS_AGAIN, false, 89, 90, 1e-3, 1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_SWEEPS_AGAIN, false, 90, 90, 1e-3, 1e-3, 1, false, SLIPI_START},
      /* A polish has a limit of its own, whatever that of the stage. */
      {SLIPI_STAGE_SWEEPS_AGAIN, true, 59, 50, 1e-3, 1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_SWEEPS_AGAIN, true, 60, 90, 1e-3, 1e-3, 1, false, SLIPI_RESUME},
      {SLIPI_STAGE_ARCLENGTH, true, 9, 5, 1e-3, 1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_ARCLENGTH, true, 10, 250, 1e-3, 1e-3, 1, false, SLIPI_RESUME},
  };
  CHECK_ENDS("iterations", rows);
}

/* Of all stages: a method that gives up, an error that is not finite. Each iteration of few is
 * another attempt, whatever became of the last one. */
static void test_failures_end_stages(void **state) {
  (void)state;
  static const EndRow rows[] = {
      {SLIPI_STAGE_NEWTON, false, 5, 40, 1e-3, 1e-3, 1, true, SLIPI_START},
      {SLIPI_STAGE_ARCLENGTH, true, 5, 250, 1e-3, 1e-3, 1, true, SLIPI_RESUME},
      {SLIPI_STAGE_NEWTON, false, 5, 40, NAN, 1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_SWEEPS, false, 5, INT64_MAX, INFINITY, 1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_LOOP_SWEEPS, true, 5, 90, NAN, 1e-3, 1, false, SLIPI_RESUME},
      {SLIPI_STAGE_FEW_CONTACTS, false, 5, 12, 1e-3, 1e-3, 1, true, SLIPI_STAY},
      {SLIPI_STAGE_FEW_CONTACTS, false, 5, 12, NAN, 1e-3, 1, false, SLIPI_STAY},
  };
  CHECK_ENDS("failures", rows);
}

/* Sweeps that change nothing end; of other methods `change` means nothing. */
static void test_rounding_ends_sweeps(void **state) {
  (void)state;
  static const EndRow rows[] = {
      {SLIPI_STAGE_SWEEPS, false, 5, INT64_MAX, 1e-3, 1e-3, 1.7e-15, false, SLIPI_START},
      {SLIPI_STAGE_SWEEPS, false, 5, INT64_MAX, 1e-3, 1e-3, 1.8e-15, false, SLIPI_STAY},
      {SLIPI_STAGE_LOOP_SWEEPS, false, 5, 90, 1e-3, 1e-3, 0, false, SLIPI_START},
      {SLIPI_STAGE_LOOP_SWEEPS, true, 5, 90, 1e-3, 1e-3, 0, false, SLIPI_STAY},
      {SLIPI_STAGE_NEWTON, false, 5, 40, 1e-3, 1e-3, 0, false, SLIPI_STAY},
  };
  CHECK_ENDS("rounding", rows);
}

/* Interior point stops at 1e-6, where Newton does better. */
static void test_an_error_ends_interior_point(void **state) {
  (void)state;
  static const EndRow rows[] = {
      {SLIPI_STAGE_INTERIOR_POINT, false, 5, 120, 1e-3, 1.1e-7, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_INTERIOR_POINT, false, 5, 120, 1e-3, 1e-7, 1, false, SLIPI_START},
      {SLIPI_STAGE_NEWTON, false, 5, 40, 1e-3, 1e-9, 1, false, SLIPI_STAY},
  };
  CHECK_ENDS("error", rows);
}

/* The error a stage began with is 1e-2: its trial must bring it to 1e-3, some early to 3e-3. */
static void test_trials(void **state) {
  (void)state;
  static const EndRow rows[] = {
      {SLIPI_STAGE_NEWTON, false, 14, 40, 1, 1.1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_NEWTON, false, 7, 40, 1, 3.1e-3, 1, false, SLIPI_STAY}, /* early: to 3e-3 */
      {SLIPI_STAGE_NEWTON, false, 8, 40, 1, 3.1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_NEWTON, false, 8, 40, 1, 2.9e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_INTERIOR_POINT, true, 8, 90, 1, 3.1e-3, 1, false, SLIPI_RESUME},
      {SLIPI_STAGE_INTERIOR_POINT, true, 8, 90, 1, 2.9e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_NEWTON, false, 15, 40, 1, 1.1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_NEWTON, false, 15, 40, 1, 0.9e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_NEWTON, false, 16, 40, 1, 1.1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, false, 9, 40, 1, 1.1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, false, 10, 40, 1, 1.1e-3, 1, false, SLIPI_START},
      {SLIPI_STAGE_INTERIOR_POINT_POLISH, false, 10, 40, 1, 0.9e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_SWEEPS_AGAIN, true, 14, 90, 1, 1.1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_SWEEPS_AGAIN, true, 15, 90, 1, 1.1e-3, 1, false, SLIPI_RESUME},
      {SLIPI_STAGE_LOOP_SWEEPS, true, 15, 90, 1, 0.9e-3, 1, false, SLIPI_STAY},
      /* The others have none. */
      {SLIPI_STAGE_NEWTON_LONG, false, 15, 300, 1, 1.1e-3, 1, false, SLIPI_STAY},
      {SLIPI_STAGE_ARCLENGTH, true, 9, 250, 1, 1.1e-3, 1, false, SLIPI_STAY},
  };
  CHECK_ENDS("trials", rows);
}

/* Later sweeps without hope (best error above 1e-2) end after 1000 sweeps and four times those that
 * brought the last progress. */
static void test_idle_sweeps(void **state) {
  (void)state;
  static const struct {
    SlipiStageId stage;
    int64_t iterations, progressed_at;
    double best;
    SlipiAction action;
  } rows[] = {
      {SLIPI_STAGE_SWEEPS_AGAIN, 1400, 100, 0.011, SLIPI_STAY},
      {SLIPI_STAGE_SWEEPS_AGAIN, 1401, 100, 0.011, SLIPI_START},
      {SLIPI_STAGE_SWEEPS_AGAIN, 1401, 200, 0.011, SLIPI_STAY},
      {SLIPI_STAGE_SWEEPS_AGAIN, 1801, 200, 0.011, SLIPI_START},
      {SLIPI_STAGE_LOOP_SWEEPS, 1401, 100, 0.011, SLIPI_START},
      {SLIPI_STAGE_SWEEPS_AGAIN, 90000, 100, 0.01, SLIPI_STAY}, /* hope */
      {SLIPI_STAGE_NEWTON_TWICE, 2999, 1, 0.011, SLIPI_STAY},   /* no sweeps */
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    SlipiPlanState at = in_stage(rows[k].stage);
    SlipiObservation seen = observation();
    seen.iterations = rows[k].iterations;
    seen.progressed_at = rows[k].progressed_at;
    seen.error = seen.best_error = rows[k].best;
    expect_action(slipi_plan_decide(&at, &seen), rows[k].action, "idle sweeps");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_are_unique),
      cmocka_unit_test(test_every_stage_ends),
      cmocka_unit_test(test_options_exist),
      cmocka_unit_test(test_near_start),
      cmocka_unit_test(test_documentation_agrees),
      cmocka_unit_test(test_begin),
      cmocka_unit_test(test_begin_dense),
      cmocka_unit_test(test_begin_coupled),
      cmocka_unit_test(test_evaluation_due),
      cmocka_unit_test(test_next_evaluation),
      cmocka_unit_test(test_leaving_the_first_sweeps),
      cmocka_unit_test(test_waves),
      cmocka_unit_test(test_waves_and_interior_point),
      cmocka_unit_test(test_iterations_end_stages),
      cmocka_unit_test(test_failures_end_stages),
      cmocka_unit_test(test_rounding_ends_sweeps),
      cmocka_unit_test(test_an_error_ends_interior_point),
      cmocka_unit_test(test_trials),
      cmocka_unit_test(test_idle_sweeps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
