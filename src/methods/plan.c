#include "methods/plan.h"

#include <math.h>
#include <stddef.h>

#include "contact/chunks.h"
#include "contact/few.h"
#include "methods/common_progress.h"

static const SlipiStage *const stages = slipi_plan_stages;

/* The polish that may interrupt stages of a method. */
typedef struct Interruption {
  bool allowed;
  SlipiStageId polish;
} Interruption;
static const Interruption interruptions[SLIPI_PLAN_METHOD_COUNT] = {
    [SLIPI_PLAN_NSGS] = {true, SLIPI_STAGE_SWEEPS_POLISH},
    [SLIPI_PLAN_IPM] = {true, SLIPI_STAGE_INNER_POLISH},
    [SLIPI_PLAN_ARC] = {true, SLIPI_STAGE_PATH_POLISH},
};

/* ---- Numbers the rules use ---- */

/* The end of a trial: the error must be down to this share of the one the stage began with; early
 * in a stage to the second one, as that of Newton steps that will reach a solution is. */
static const double TRIAL_FALL = 0.1, EARLY_FALL = 0.3;

/* A polish of a point of interior point or arclength pays from this error on. In its turn it also
 * takes a worse point if its error is at most so many times the best of the run; a second polish
 * one with a larger error, because the first may have lost some of what it began with. */
static const double POLISH_FROM = 1e-4, POLISH_TWICE = 1e-3, POLISH_NEAR = 10;
/* The error of later sweeps goes up and down. They are interrupted by a polish below
 * SWEEPS_POLISH_FROM and below SWEEPS_POLISH_FALL of the error they began with. */
static const double SWEEPS_POLISH_FROM = 1e-3, SWEEPS_POLISH_FALL = 0.1;
static const double INNER_POLISH_FROM = 100; /* times the tolerance: of interior point */
/* A stage is interrupted again when its error is this share of the one at its last polish. */
static const double POLISH_AGAIN = 0.1;

/* Most problems whose error never got below this have no solution. */
static const double HOPELESS = 1e-2;
/* The run ends after so many rounds of the loop stages without progress: a fall of the best error
 * to ROUND_FALL of the one the round began with. */
enum { IDLE_ROUNDS = 12, IDLE_ROUNDS_HOPELESS = 1 };
static const double ROUND_FALL = 0.9;
/* Later sweeps of a hopeless run end after so many sweeps, and four times as many as have brought
 * the last progress. With hope they go on: the error of sweeps goes up and down for tens of
 * thousands of them before it falls. */
enum { IDLE_SWEEPS = 1000 };

/* Change of the impulses for SLIPI_FROM_CHANGED, in even and in odd rounds. */
static const double CHANGE_BY[] = {1, 0.5};

/* Impulses that a run is given count as a warm start below this error, others are worse than none;
 * below the last one they are near a solution. An error above 1, the most that r = 0 can have, is
 * that of a few contacts which hit or let go: one sweep brings it down to a tenth and less, and in
 * a heap that settles the impulses of the others are worth thousands of sweeps. That was measured
 * below the number of contacts from which sweeps go by chunks; from there on 1 is the bound. */
static const double WARM = 10, WARM_LARGE = 1, NEAR = 0.1;

/* A tolerance below this is fine: Newton that has not got far before does not reach it soon. */
static const double FINE = 1e-5;

/* When the progress of the first sweeps is measured, and how much the stages after them are
 * expected to cost. */
typedef struct Patience {
  int first_evaluation;  /* sweeps before the error is evaluated, and least between evaluations */
  int least;             /* sweeps before the stage may end */
  double factorisations; /* of the stages that follow */
} Patience;
/* A stage of sweeps has at least so many; the error of later ones is evaluated as often. */
enum { LEAST_SWEEPS = 50 };
static const Patience cold_start = {25, LEAST_SWEEPS, 15};
/* Near a solution Newton needs few steps, and sweeps before them save little. A start far from one
 * is worth no more than none: heaps that collide take three times as long where Newton follows the
 * first sweeps. */
static const Patience near_start = {20, 20, 3};
/* With more neighbours a contact than this (finite elements, W of full rank) Newton needs as many
 * steps from far away as from where sweeps end, and sweeps slow down: they should end soon. */
static const double COUPLED_FROM = 40;
static const Patience coupled_start = {13, 26, 15};
/* An error costs about a sweep: between two there are at least so many. */
enum { LEAST_GAP = 4 };

/* Where all flows are normal, sweeps get ahead for certain, and an error that has risen over fewer
 * sweeps than these swings: progress is measured over more. */
enum { SWING_SWEEPS = 10 };
/* W of contacts that roll has twice the rows, and to analyse it costs as much as all sweeps of most
 * piles do; interior point costs as much where the problem is convex: an error that has fallen
 * within so many sweeps swings. */
enum { SWING = 25 };
/* Newton is tried on convex problems, too, at an error it may be near from, where that costs at
 * most so many sweeps. */
static const double TRIED_FROM = 1e-3, TRIED_SWEEPS = 100;

/* Where contacts roll, sweeps that slow down mostly drift, and Newton gets lost there: leaps are
 * given time, which takes less of it than a failed trial. */
enum { LEAST_SWEEPS_ROLLING = 400 };

/* The error from which on Newton is near a solution of a heap that moves, and the one above which
 * it is far from all solutions where W has far from full rank. */
static const double HEAP_NEAR = 1e-5, NEWTON_FAR = 1e-2;
/* W of which sweeps read this share is full, as with finite elements: its rank is full, too. */
static const double FULL_SHARE = 0.5;

/* The analysis of a factorisation costs tens of sweeps: it waits until more than these are left; of
 * contacts that roll, whose W has twice the rows, more. */
static const double ANALYSIS_FROM = 100, ANALYSIS_FROM_ROLLING = 200;
/* Projections have proved too good when sweeps have cost LATE times the factorisations (on convex
 * problems, whose cost is known, less), and always are where contacts have many neighbours: then
 * LATE_SHARE of it is enough to leave them. */
static const double LATE = 1, LATE_CONVEX = 0.25, LATE_SHARE = 0.25;
/* Large problems are left to balls at an error that sweeps have made local, where more than so many
 * sweeps are left. A round of balls costs hundreds of sweeps: there are BALLS_LEAST before. */
static const double BALLS_FROM = 5e-5, BALLS_SWEEPS = 500;
enum { BALLS_LEAST = 900 };
/* Smaller ones are left to them for a trial at an error of at most so many tolerances: there whole
 * factorisations, which follow, cost tens of rounds. Where the run began anew sweeps have made any
 * error below LOCAL_COLD one of a few spots, over LOCAL_MANY contacts also below LOCAL_COLD_MANY;
 * after a warm start it is spread over what moves. With fewer contacts a ball is a large part of
 * all. */
static const double LOCAL_FROM = 20, LOCAL_COLD = 1e-4, LOCAL_COLD_MANY = 5e-4;
enum { LOCAL_CONTACTS = 1000, LOCAL_MANY = 3000 };
/* Sweeps by fours are worth going on with where contacts are so many and the error is below
 * HOPELESS. */
enum { PLAIN_CONTACTS = 1000 };
/* Beyond so many contacts, or so much work in a factorisation, none is of the whole problem. */
static const int32_t MAX_CONTACTS = 25000;
static const double MAX_WORK = 3e11;
/* Where one momentum carries all contacts, the error may rise for tens of sweeps before it falls:
 * progress is measured over at least so many, and over those that the stage has at least where
 * contacts are fewer and waves shorter. */
enum { WAVE_SWEEPS = 100 };
/* Waves make projections worth little: sweeps by fours, hundreds of which cost as much as one
 * factorisation, go on until they have cost this share of those that would follow. In walls and
 * towers, where they never get there, the first wave leaves the error above FOURS_FROM; to a
 * tolerance that is not fine, which sweeps reach from a larger one, above FOURS_FROM_COARSE. */
static const double FOURS_SHARE = 0.5, FOURS_FROM = 1e-2, FOURS_FROM_COARSE = 0.1;
/* Interior point: its iterations on large problems, the sweeps they may cost, those on convex ones.
 */
static const double INTERIOR_POINT_STEPS = 60, SWEEPS_WORTH = 10000, CONVEX_STEPS = 25;

/* Nominal costs in nanoseconds, measured on one machine; only their ratios matter. Costs are
 * counted, not timed, so that the same input takes the same path on every machine. */
typedef struct Costs {
  double visit;     /* of a contact, in a sweep: its one-contact problem */
  double four;      /* of one that is visited with three others at once */
  double curved;    /* more of one with a curved K, whose problem is solved by iterations */
  double entry;     /* of W, in a sweep */
  double operation; /* of a factorisation */
} Costs;
static const Costs cost = {.visit = 60, .four = 20, .curved = 80, .entry = 0.5, .operation = 0.2};

/* ---- Small questions ---- */

static const char *const method_names[SLIPI_PLAN_METHOD_COUNT] = {[SLIPI_PLAN_NSGS_ACCELERATED] =
                                                                      "nsgs-accelerated",
                                                                  [SLIPI_PLAN_NSGS] = "nsgs",
                                                                  [SLIPI_PLAN_ALM] = "alm",
                                                                  [SLIPI_PLAN_IPM] = "ipm",
                                                                  [SLIPI_PLAN_ARC] = "arc",
                                                                  [SLIPI_PLAN_FEW] = "few",
                                                                  [SLIPI_PLAN_BALLS] = "balls",
                                                                  [SLIPI_PLAN_HELD] = "held"};

const char *slipi_plan_method_name(SlipiPlanMethod method) {
  return method_names[method];
}

bool slipi_plan_is_sweeps(SlipiPlanMethod method) {
  return method == SLIPI_PLAN_NSGS_ACCELERATED || method == SLIPI_PLAN_NSGS;
}

SlipiStageId slipi_plan_current(const SlipiPlanState *state) {
  return state->polishing ? interruptions[stages[state->stage].method].polish : state->stage;
}

static const Patience *patience(const SlipiPlanState *state) {
  if (state->stage > SLIPI_STAGE_NEWTON)
    return &cold_start;
  return state->near ? &near_start : state->coupled ? &coupled_start : &cold_start;
}

/* The value of a stage's rule of this kind; NULL where it has none. */
static const double *find_end(const SlipiStage *stage, SlipiEndKind kind) {
  for (int k = 0; k < SLIPI_STAGE_ENDS; k++) {
    if (stage->ends[k].kind == kind)
      return &stage->ends[k].value;
  }
  return NULL;
}

/* Whether contacts are so many that sweeps go by chunks of them. */
static bool is_large(const SlipiObservation *seen) {
  return seen->contacts >= SLIPI_CHUNKS_FROM;
}

/* Whether the error of the first sweeps goes in waves, as one momentum carries all contacts. */
static bool has_waves(const SlipiObservation *seen) {
  return is_large(seen) || seen->by_fours;
}

/* Whether contacts have many neighbours, by the entries of W that a sweep reads. */
static bool is_coupled(const SlipiObservation *seen) {
  return !is_large(seen) && seen->entries > COUPLED_FROM * (seen->plane ? 4 : 9) * seen->contacts;
}

/* Whether a method factors matrices of the whole problem. */
static bool factors_all(SlipiPlanMethod method) {
  return method == SLIPI_PLAN_ALM || method == SLIPI_PLAN_IPM || method == SLIPI_PLAN_ARC;
}

/* Whether the method of a stage can treat the problem. */
static bool is_treated(SlipiStageId id, const SlipiObservation *seen) {
  bool too_large = seen->contacts > MAX_CONTACTS && factors_all(stages[id].method);
  return !too_large && !(seen->left_out >> stages[id].method & 1);
}

/* ---- Counted work ---- */

/* Nanoseconds of one sweep. */
static double sweep_cost(const SlipiObservation *seen) {
  double visit = seen->by_fours && !is_large(seen) ? cost.four : cost.visit;
  return visit * seen->contacts + cost.curved * seen->curved + cost.entry * seen->entries;
}

/* How many sweeps cost as much as factorisations with so many operations. */
static double in_sweeps(const SlipiObservation *seen, double work) {
  return cost.operation * work / sweep_cost(seen);
}

/* Whether a run of interior point would cost more than sweeps that are worth waiting for: so in
 * large piles, but not in large walls, whose graph of bodies is cut by few of them. */
static bool is_interior_point_dear(const SlipiObservation *seen) {
  const SlipiFactorisation *one = &seen->factorisation;
  return is_large(seen) &&
         !(one->known && in_sweeps(seen, INTERIOR_POINT_STEPS * one->work) <= SWEEPS_WORTH);
}

/* Whether Newton steps are left out as the problem is convex: interior point, which cannot get lost
 * there, is as quick, unless the sweeps have come near a solution and a trial costs next to
 * nothing. */
static bool is_convex_far(const SlipiPlanState *state, const SlipiObservation *seen) {
  const double *trial = find_end(&stages[SLIPI_STAGE_NEWTON], SLIPI_END_EARLY);
  bool tried = seen->best_error <= TRIED_FROM && seen->factorisation.known &&
               in_sweeps(seen, *trial * seen->factorisation.work) <= TRIED_SWEEPS;
  return seen->convex && !state->near && !tried;
}

/* Whether Newton steps are left out as the run began from the impulses of another load and sweeps
 * have not come near a solution: of heaps that settle they solve one in six, and interior point,
 * which follows, takes no longer without them. */
static bool is_warm_far(const SlipiPlanState *state, const SlipiObservation *seen) {
  return state->warm && !state->near && !state->coupled && seen->best_error > HEAP_NEAR &&
         is_treated(SLIPI_STAGE_INTERIOR_POINT, seen);
}

/* Whether Newton steps are left out as sweeps have ended far from a solution of a W that is not
 * full: eight to thirty of them lead nowhere there, in bridges, towers and packings alike, and
 * interior point takes no more without them. */
static bool is_newton_far(const SlipiPlanState *state, const SlipiObservation *seen) {
  double full = (seen->plane ? 4.0 : 9.0) * seen->contacts * seen->contacts;
  return !state->near && !state->coupled && !seen->rolls && seen->entries < FULL_SHARE * full &&
         seen->best_error > NEWTON_FAR && is_treated(SLIPI_STAGE_INTERIOR_POINT, seen);
}

/* Whether the error is likely to be that of a few spots, in each of which a ball is far smaller
 * than the problem: sweeps over many contacts have come to an end near the tolerance, or at a small
 * error in a run that began anew. */
static bool is_local(const SlipiPlanState *state, const SlipiObservation *seen) {
  double cold = seen->contacts >= LOCAL_MANY ? LOCAL_COLD_MANY : LOCAL_COLD;
  double from = state->warm ? fmin(LOCAL_FROM * seen->tol, BALLS_FROM) : cold;
  return seen->contacts >= LOCAL_CONTACTS && seen->best_error <= from && !state->coupled &&
         !seen->convex;
}

/* Whether sweeps are quick beside factorisations, and have come near enough to go on with. */
static bool is_worth_sweeping(const SlipiObservation *seen) {
  return seen->by_fours && seen->contacts >= PLAIN_CONTACTS && seen->factorisation.known &&
         seen->best_error <= HOPELESS;
}

/* Whether a run goes without a stage. */
static bool is_skipped(SlipiStageId id, const SlipiPlanState *state, const SlipiObservation *seen) {
  unsigned here =
      (seen->tol < FINE ? SLIPI_SKIP_FINE : SLIPI_SKIP_COARSE) |
      (is_convex_far(state, seen) ? SLIPI_SKIP_CONVEX_FAR : 0) |
      (is_warm_far(state, seen) ? SLIPI_SKIP_WARM_FAR : 0) |
      (is_large(seen) ? SLIPI_SKIP_LARGE : SLIPI_SKIP_SMALL) |
      (is_newton_far(state, seen) ? SLIPI_SKIP_FAR : 0) |
      (is_worth_sweeping(seen) ? 0 : SLIPI_SKIP_SLOW) | (seen->rolls ? 0 : SLIPI_SKIP_SLIDING) |
      (is_local(state, seen) ? 0 : SLIPI_SKIP_SPREAD) |
      (state->warm ? SLIPI_SKIP_WARM : SLIPI_SKIP_COLD) | (state->tried ? SLIPI_SKIP_TRIED : 0) |
      (is_interior_point_dear(seen) ? SLIPI_SKIP_DEAR : 0) |
      (is_large(seen) && !is_interior_point_dear(seen) ? SLIPI_SKIP_CHEAP : 0);
  return (stages[id].skip & here) != 0;
}

/* How many iterations a stage may take. */
static int64_t stage_limit(const SlipiStage *stage, const SlipiObservation *seen) {
  const double *iterations = find_end(stage, SLIPI_END_ITERATIONS);
  const double *times = find_end(stage, SLIPI_END_COST), *worth = find_end(stage, SLIPI_END_WORTH);
  if (stage->method == SLIPI_PLAN_FEW && !slipi_is_few(seen->contacts, seen->plane))
    return 1; /* its sweeps only */
  if (iterations)
    return (int64_t)*iterations;
  if (worth)
    return (int64_t)floor(in_sweeps(seen, *worth * seen->factorisation.work));
  if (!times)
    return INT64_MAX;
  return LEAST_SWEEPS + (int64_t)(*times * floor(in_sweeps(seen, seen->work_spent)));
}

/* How many iterations the stage or polish under way may take: polishes are limited by a number. */
static int64_t current_limit(const SlipiPlanState *state) {
  const double *iterations = find_end(&stages[slipi_plan_current(state)], SLIPI_END_ITERATIONS);
  return state->polishing && iterations ? (int64_t)*iterations : state->limit;
}

bool slipi_plan_evaluation_due(const SlipiPlanState *state, int64_t iterations, double change) {
  if (!slipi_plan_is_sweeps(stages[slipi_plan_current(state)].method))
    return true;
  return slipi_is_rounding(change) || isnan(change) || iterations == current_limit(state) ||
         iterations >= state->next_evaluation;
}

/* ---- Is a stage over? ---- */

/* Whether later sweeps make no progress and have no hope to make any. */
static bool are_idle_sweeps(const SlipiStage *stage, const SlipiObservation *seen) {
  return stage->method == SLIPI_PLAN_NSGS && seen->best_error > HOPELESS &&
         seen->iterations > IDLE_SWEEPS + 4 * seen->progressed_at;
}

/* Whether the trial of a stage ends here, and has failed. */
static bool has_failed_trial(const SlipiStage *stage, const SlipiObservation *seen) {
  const double *trial = find_end(stage, SLIPI_END_TRIAL);
  const double *early = find_end(stage, SLIPI_END_EARLY);
  double fall = seen->stage_best_error / seen->stage_start_error;
  return (trial && seen->iterations == (int64_t)*trial && fall > TRIAL_FALL) ||
         (early && seen->iterations == (int64_t)*early && fall > EARLY_FALL);
}

/* Why the stage or polish under way is over; NULL where it is not, or a projection must tell. */
static const char *why_over(const SlipiPlanState *state, const SlipiObservation *seen) {
  const SlipiStage *stage = &stages[slipi_plan_current(state)];
  const double *target = find_end(stage, SLIPI_END_ERROR);
  if (seen->iterations >= current_limit(state))
    return "the iterations of the stage are used up";
  if (stage->method == SLIPI_PLAN_FEW) /* each of its iterations is another attempt */
    return NULL;
  if (seen->given_up)
    return "the method has given up";
  if (slipi_plan_is_sweeps(stage->method) && slipi_is_rounding(seen->change))
    return "sweeps change the impulses by rounding only";
  if (!isfinite(seen->error))
    return "the error is not finite";
  if (target && !seen->convex && is_treated(state->stage + 1, seen) &&
      seen->stage_best_error <= *target)
    return "the next stage does better from this error";
  if (has_failed_trial(stage, seen))
    return "the trial has not brought the error down";
  return are_idle_sweeps(stage, seen) ? "the sweeps make no progress" : NULL;
}

/* ---- The first sweeps ---- */

/* How many sweeps are left by a fall of the error over so many; INFINITY without one. */
static double left_by(const SlipiObservation *seen, double fall, double sweeps) {
  return fall > 0 ? log(seen->error / seen->tol) * sweeps / fall : INFINITY;
}

/* How many sweeps are left by the progress since it was measured last. Where contacts roll or the
 * problem is convex, sweeps get ahead by leaps: an error that has risen but lately, and that of the
 * first sweeps of convex ones, is judged by the progress of all sweeps before. */
static double sweeps_left(const SlipiPlanState *state, const SlipiObservation *seen) {
  double fall = log(state->measured_error / seen->error);
  double left = left_by(seen, fall, (double)(seen->iterations - state->measured_at));
  double all = left_by(seen, log(seen->stage_start_error / seen->stage_best_error),
                       (double)seen->progressed_at);
  bool rose_lately = !(fall > 0) && seen->iterations - seen->progressed_at <= SWING;
  if ((seen->rolls || seen->convex) && rose_lately)
    return all;
  return seen->convex && seen->iterations <= LEAST_SWEEPS ? fmin(left, all) : left;
}

/* Whether the progress of the first sweeps is measured at this evaluation. */
static bool measures_progress(const SlipiPlanState *state, const SlipiObservation *seen) {
  int wave = is_large(seen) ? WAVE_SWEEPS : LEAST_SWEEPS;
  bool within_wave = has_waves(seen) && seen->iterations - state->measured_at < wave;
  return find_end(&stages[slipi_plan_current(state)], SLIPI_END_PROJECTION) && !within_wave;
}

/* Whether balls take over from the first sweeps: where interior point is dear. */
static bool are_balls_due(const SlipiObservation *seen, double left) {
  return is_interior_point_dear(seen) && is_treated(SLIPI_STAGE_BALLS, seen) &&
         seen->error <= BALLS_FROM && seen->iterations >= BALLS_LEAST && left > BALLS_SWEEPS;
}

/* Sweeps before the stage may end. */
static int least_sweeps(const SlipiPlanState *state, const SlipiObservation *seen) {
  return seen->rolls && !state->near ? LEAST_SWEEPS_ROLLING : patience(state)->least;
}

/* Sweeps before projections count, where factorisations that cost `budget` sweeps follow. */
static double waves_last(const SlipiObservation *seen, bool interior_point, double budget) {
  if (!has_waves(seen))
    return 0;
  if (is_large(seen))
    return interior_point ? 2 * WAVE_SWEEPS : budget;
  double from = seen->tol < FINE ? FOURS_FROM : FOURS_FROM_COARSE;
  return seen->best_error <= from ? FOURS_SHARE * budget : 0;
}

/* SLIPI_START to leave the first sweeps: balls are due, or factorisations within reach and cheaper;
 * SLIPI_ANALYSE where their work must be known first. */
static SlipiAction judge_sweeps(const SlipiPlanState *state, const SlipiObservation *seen) {
  double left = sweeps_left(state, seen), taken = (double)seen->iterations;
  if (seen->iterations < least_sweeps(state, seen))
    return SLIPI_STAY;
  bool factored =
      is_treated(SLIPI_STAGE_NEWTON, seen) || is_treated(SLIPI_STAGE_INTERIOR_POINT, seen);
  if (factored && !seen->factorisation.known)
    return left > (seen->rolls ? ANALYSIS_FROM_ROLLING : ANALYSIS_FROM) ? SLIPI_ANALYSE
                                                                        : SLIPI_STAY;
  if (are_balls_due(seen, left))
    return SLIPI_START;
  if (!factored || seen->factorisation.work > MAX_WORK)
    return SLIPI_STAY;
  bool interior_point = is_large(seen) && !is_interior_point_dear(seen);
  double steps = interior_point                 ? INTERIOR_POINT_STEPS
                 : seen->convex && !state->near ? CONVEX_STEPS
                                                : patience(state)->factorisations;
  double budget = in_sweeps(seen, steps * seen->factorisation.work);
  /* On a wave an error that rises says nothing. */
  if (taken < waves_last(seen, interior_point, budget))
    return SLIPI_STAY;
  bool late = taken > (seen->convex ? LATE_CONVEX : LATE) * budget || state->coupled;
  return left > (late ? LATE_SHARE : 1) * budget ? SLIPI_START : SLIPI_STAY;
}

/* ---- Which stage is next? ---- */

/* A stage begins, or sweeps go on after a polish. */
static void schedule_first_evaluation(SlipiPlanState *next) {
  next->next_evaluation = patience(next)->first_evaluation;
}

/* The error at which a stage is interrupted by its first polish. */
static double first_polish(SlipiPlanMethod method, const SlipiObservation *seen) {
  if (method == SLIPI_PLAN_NSGS)
    return fmin(SWEEPS_POLISH_FROM, SWEEPS_POLISH_FALL * seen->sweeps_error);
  if (method == SLIPI_PLAN_IPM) /* on convex problems it is as quick itself */
    return seen->convex ? 0 : fmin(POLISH_FROM, INNER_POLISH_FROM * seen->tol);
  return fmax(POLISH_FROM, 10 * seen->tol);
}

static SlipiDecision start_stage(SlipiPlanState next, const SlipiObservation *seen,
                                 const char *why) {
  const SlipiStage *stage = &stages[next.stage];
  next.limit = stage_limit(stage, seen);
  next.tried =
      next.tried || next.stage == SLIPI_STAGE_BALLS_NEAR || next.stage == SLIPI_STAGE_BALLS_SPOTS;
  next.measured_at = 0;
  next.measured_error = stage->from == SLIPI_FROM_ZERO ? 1 : seen->error;
  next.polish_below = first_polish(stage->method, seen);
  schedule_first_evaluation(&next);
  return (SlipiDecision){.action = SLIPI_START,
                         .why = why,
                         .from = stage->from,
                         .change_by = CHANGE_BY[next.round % 2],
                         .next = next};
}

SlipiStageId slipi_plan_first(const SlipiObservation *seen) {
  bool few = slipi_begins_few(seen->contacts, seen->plane, seen->entries) &&
             is_treated(SLIPI_STAGE_FEW_CONTACTS, seen) &&
             !(seen->joined && seen->contacts > SLIPI_FEW_ROLLING);
  return few ? SLIPI_STAGE_FEW_CONTACTS : SLIPI_STAGE_SWEEPS;
}

/* Whether the impulses that a run is given are of use. */
static bool is_useful(double error, bool starts_at_zero, bool large) {
  return error < (large ? WARM_LARGE : WARM) && !starts_at_zero;
}

bool slipi_plan_begins_anew(double error, bool starts_at_zero, bool large) {
  return !is_useful(error, starts_at_zero, large) && !starts_at_zero;
}

/* Over many contacts a run does not begin anew: a start far from a solution is like a cold one. */
SlipiDecision slipi_plan_begin(const SlipiObservation *seen) {
  SlipiStageId stage = slipi_plan_first(seen);
  bool few = stage == SLIPI_STAGE_FEW_CONTACTS;
  bool useful = is_useful(seen->error, seen->starts_at_zero, is_large(seen));
  bool near = useful && seen->error < NEAR;
  SlipiPlanState first = {.stage = stage,
                          .warm = near || (useful && !is_large(seen)),
                          .near = near,
                          .coupled = is_coupled(seen),
                          .round_error = INFINITY};
  SlipiDecision decision =
      start_stage(first, seen, few ? "there are only a few contacts" : "sweeps are cheap");
  if (slipi_plan_begins_anew(seen->error, seen->starts_at_zero, is_large(seen))) {
    decision.from = SLIPI_FROM_ZERO;
    decision.next.measured_error = 1;
  }
  return decision;
}

/* Whether a stage goes on with what the one before has left. */
static bool follows(SlipiStageId id) {
  return stages[id].from == SLIPI_FROM_LAST;
}

/* Whether a stage has a point to start from, when that of `state` has ended. Newton that follows
 * Newton goes on from a worse point, too: both are near what the first of them began with. */
static bool has_start(SlipiStageId id, const SlipiPlanState *state, const SlipiObservation *seen) {
  double near = follows(state->stage) ? POLISH_TWICE : POLISH_FROM;
  return !follows(id) || seen->stage_best_error <= near ||
         seen->stage_best_error <= POLISH_NEAR * seen->best_error;
}

/* Another round of the loop stages; false when too many have been idle. */
static bool begin_round(SlipiPlanState *next, const SlipiObservation *seen) {
  bool progress = seen->best_error < ROUND_FALL * next->round_error;
  next->stage = SLIPI_STAGE_LOOP_SWEEPS;
  next->idle_rounds = progress ? 0 : next->idle_rounds + 1;
  next->round_error = seen->best_error;
  next->round++;
  return next->idle_rounds < (seen->best_error > HOPELESS ? IDLE_ROUNDS_HOPELESS : IDLE_ROUNDS);
}

/* Whether a stage has its turn; `orphaned`: that before could not run and left nothing to polish.
 */
static bool has_turn(const SlipiPlanState *state, const SlipiPlanState *next,
                     const SlipiObservation *seen, bool orphaned) {
  return is_treated(next->stage, seen) && !is_skipped(next->stage, next, seen) &&
         has_start(next->stage, state, seen) && !(follows(next->stage) && orphaned);
}

/* The next stage that has its turn. */
static SlipiDecision advance(const SlipiPlanState *state, const SlipiObservation *seen,
                             const char *why) {
  SlipiPlanState next = *state;
  bool orphaned = false;
  do {
    bool ran = next.stage == state->stage;
    orphaned = !ran && (!is_treated(next.stage, seen) || (orphaned && follows(next.stage)));
    if (next.stage != SLIPI_STAGE_LOOP_CHANGED)
      next.stage++;
    else if (!begin_round(&next, seen))
      return (SlipiDecision){
          .action = SLIPI_GIVE_UP, .why = "every stage of the plan has stalled", .next = next};
  } while (!has_turn(state, &next, seen, orphaned));
  return start_stage(next, seen, why);
}

/* ---- The decision ---- */

static SlipiDecision resume(const SlipiPlanState *state, const char *why) {
  SlipiDecision decision = {.action = SLIPI_RESUME, .why = why, .next = *state};
  decision.next.polishing = false;
  schedule_first_evaluation(&decision.next);
  return decision;
}

static SlipiDecision interrupt(const SlipiPlanState *state, const SlipiObservation *seen) {
  SlipiDecision decision = {.action = SLIPI_INTERRUPT,
                            .why = "the error is low enough for a polish",
                            .from = SLIPI_FROM_LAST,
                            .next = *state};
  decision.next.polishing = true;
  decision.next.polish_below = POLISH_AGAIN * seen->error;
  return decision;
}

static bool is_polish_due(const SlipiPlanState *state, const SlipiObservation *seen) {
  return !state->polishing && interruptions[stages[state->stage].method].allowed &&
         is_treated(interruptions[stages[state->stage].method].polish, seen) &&
         seen->error <= state->polish_below;
}

/* First sweeps are evaluated at growing intervals, later ones at equal ones, sooner at the end. */
static void schedule_evaluation(SlipiPlanState *next, const SlipiObservation *seen, double left) {
  bool projects = find_end(&stages[next->stage], SLIPI_END_PROJECTION);
  int64_t gap = projects ? seen->iterations / 2 : LEAST_SWEEPS;
  int64_t least = patience(next)->first_evaluation;
  gap = gap > least ? gap : least;
  if (projects && !has_waves(seen) && left < (double)gap)
    gap = left > LEAST_GAP ? (int64_t)ceil(left) : LEAST_GAP;
  next->next_evaluation = seen->iterations + gap;
}

SlipiDecision slipi_plan_decide(const SlipiPlanState *state, const SlipiObservation *seen) {
  SlipiDecision stay = {.action = SLIPI_STAY, .why = "the stage goes on", .next = *state};
  double left = INFINITY;
  const char *over = why_over(state, seen);
  if (!over && measures_progress(state, seen)) {
    SlipiAction action = judge_sweeps(state, seen);
    left = sweeps_left(state, seen);
    if (action == SLIPI_ANALYSE)
      return (SlipiDecision){.action = SLIPI_ANALYSE,
                             .why = "many sweeps are left: a factorisation's work must be known",
                             .next = *state};
    if (action == SLIPI_START)
      over = "factorisations cost less than the sweeps left";
    if (!seen->normal || seen->iterations - state->measured_at >= SWING_SWEEPS) {
      stay.next.measured_at = seen->iterations;
      stay.next.measured_error = seen->error;
    }
  }
  if (over)
    return state->polishing ? resume(state, over) : advance(state, seen, over);
  if (is_polish_due(state, seen))
    return interrupt(state, seen);
  schedule_evaluation(&stay.next, seen, left);
  return stay;
}
