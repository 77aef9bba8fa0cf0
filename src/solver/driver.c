/* A method's run: the loop of methods/loop.h with the clock, the progress function and the trace
 * of a solver, and a sentence at its end. */
#include "solver/solver.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/phrase.h"
#include "contact/few.h"
#include "contact/residual.h"
#include "contact/system.h"
#include "methods/common_mend.h"
#include "methods/common_path.h"
#include "methods/common_ramp.h"
#include "methods/loop.h"

/* Iterations of the first try at rough contacts, of which those that factor are dear in large
 * problems. */
enum { TRIAL_ITERATIONS = 1000, TRIAL_ITERATIONS_LARGE = 200, SMOOTH_ITERATIONS = 300 };

bool slipi_trace_grow(SlipiTrace *trace) {
  if (trace->capacity == trace->capacity_wanted)
    return true;
  SlipTracePoint *points = malloc((size_t)trace->capacity_wanted * sizeof *points);
  if (!points)
    return false;
  memcpy(points, trace->first, sizeof trace->first);
  trace->points = points;
  trace->capacity = trace->capacity_wanted;
  return true;
}

static void trace_add(SlipiTrace *trace, int64_t iteration, double error, double seconds) {
  if (trace->offered++ % trace->stride != 0)
    return;
  if (trace->count == trace->capacity && !trace->failed)
    trace->failed = !slipi_trace_grow(trace);
  if (trace->count == trace->capacity) {
    for (int32_t k = 0; 2 * k < trace->count; k++)
      trace->points[k] = trace->points[2 * k];
    trace->count = (trace->count + 1) / 2;
    trace->stride *= 2;
    if ((trace->offered - 1) % trace->stride != 0)
      return;
  }
  trace->points[trace->count++] = (SlipTracePoint){iteration, error, seconds};
}

static void evaluated(const SlipiLoop *loop) {
  SlipSolver *solver = loop->user;
  trace_add(&solver->trace, solver->iterations_before + loop->run->iteration, loop->run->error,
            slipi_clock_seconds() - solver->started);
}

static double rounding_floor(const SlipiLoop *loop) {
  return slipi_solver_floor(loop->user, loop->run->r);
}

/* At least what rounding may do to u = W r + q, as an error: of a symmetric W |W_ij| is at most the
 * root of W_ii W_jj. Of use after the mobility of contacts is known. */
static double rounding_bound(const SlipSolver *solver, const double *r) {
  double sum = 0, square = 0;
  for (int32_t a = 0; a < solver->run.nc; a++) {
    double p[3], w = solver->mobility[a];
    slipi_load(r, solver->run.d, a, p);
    sum += sqrt(w) * (fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
    square += solver->run.d * w;
  }
  return DBL_EPSILON * sum * sqrt(square) / solver->run.scale;
}

/* The second measure, with velocities of a local problem whose digits are not rounding: contacts
 * that are far stiffer or heavier than others may have impulses so large that u = 0 is all there is
 * in double, and not what W r + q is. */
static SlipStatus measure_exactly(SlipSolver *solver, const double *r, double *measure,
                                  SlipError *error) {
  double exact;
  if (!solver->u_exact)
    solver->u_exact = SLIPI_ARENA_RAW(&solver->arena, double, solver->run.m);
  if (!solver->u_exact)
    return slipi_fail_memory(error, "a solver");
  slipi_residual_velocity(solver->problem, solver->q, r, solver->u_exact);
  SlipStatus status = slipi_solver_physical(solver, r, solver->u_exact, &exact, error);
  *measure = fmax(*measure, exact);
  return status;
}

static SlipStatus confirm(const SlipiLoop *loop, double *measure, SlipError *error) {
  SlipSolver *solver = loop->user;
  SlipiRun *run = loop->run;
  SlipStatus status = slipi_solver_physical(solver, run->r, loop->u, measure, error);
  bool local = !slipi_problem_has_mass(solver->problem) && !solver->share;
  if (status == SLIP_OK && local && *measure <= SLIPI_CONFIRMED * run->tol &&
      !(rounding_bound(solver, run->r) <= run->tol))
    return measure_exactly(solver, run->r, measure, error);
  if (status != SLIP_OK || *measure <= SLIPI_CONFIRMED * run->tol)
    return status;
  status = slipi_solver_is_outgrown(solver, run->r, loop->u, &solver->outgrown, error);
  if (solver->outgrown)
    run->given_up = "rough contacts slide";
  return status;
}

/* What the result of a run that has to end takes: the velocities of its best point, a product with
 * W, whose memory a processor with little of its own reads at about this rate. */
static double result_seconds(const SlipSolver *solver) {
  static const double SECONDS_AN_ENTRY = 1e-9;
  return solver->has_operator ? SECONDS_AN_ENTRY * slipi_operator_row_entries(solver->op) : 0;
}

double slipi_solver_seconds_left(const SlipSolver *solver) {
  double seconds = slipi_clock_seconds() - solver->started;
  double before = solver->setting_up ? 0 : solver->setup_seconds;
  return solver->settings.common[SLIPI_COMMON_TIME_LIMIT] - before - seconds;
}

/* Time limit and progress function. Inner iterations ask too, and a reason to end them must end the
 * run. */
static SlipOutcome ask(void *user, double ahead) {
  SlipSolver *solver = user;
  const SlipiRun *run = &solver->run;
  if (solver->stopped == SLIP_NOT_RUN && solver->progress) {
    SlipProgress progress = {
        .size = sizeof progress,
        .iteration = solver->setting_up ? 0 : solver->iterations_before + run->iteration,
        .residual = solver->setting_up ? INFINITY : run->error,
        .tol = run->tol,
        .seconds = slipi_clock_seconds() - solver->started,
        .set_up = solver->setting_up};
    if (solver->progress(&progress, solver->progress_user) != 0)
      solver->stopped = SLIP_INTERRUPTED;
  }
  if (solver->stopped == SLIP_NOT_RUN &&
      slipi_solver_seconds_left(solver) <= ahead + result_seconds(solver))
    solver->stopped = SLIP_TIME_LIMIT;
  /* One process that must stop stops all: they come here after the same iterations. */
  if (solver->share)
    solver->stopped = (SlipOutcome)slipi_share_most(solver->share, solver->stopped);
  return solver->stopped;
}

void slipi_solver_watch(SlipSolver *solver, bool watch) {
  bool limited = isfinite(solver->settings.common[SLIPI_COMMON_TIME_LIMIT]);
  SlipiStop stop = {watch && (limited || solver->progress) ? ask : NULL, solver};
  solver->run.stop = stop;
  if (solver->share) /* the loop asks after each iteration; elsewhere each would ask for itself */
    stop = (SlipiStop){NULL, NULL};
  if (solver->op)
    solver->op->stop = stop;
  if (solver->mass)
    solver->mass->stop = stop;
}

static void stop_text(const SlipSolver *solver, SlipOutcome outcome, char *text, size_t size) {
  if (outcome == SLIP_INTERRUPTED)
    snprintf(text, size, "interrupted after %" PRId64 " iterations", solver->run.iteration);
  else
    snprintf(text, size, "the limit of %g seconds is reached",
             solver->settings.common[SLIPI_COMMON_TIME_LIMIT]);
}

void slipi_solver_explain_stop(SlipSolver *solver, SlipOutcome outcome) {
  char text[sizeof solver->reason / 2];
  stop_text(solver, outcome, text, sizeof text);
  snprintf(solver->reason, sizeof solver->reason, "%s while the solver was set up", text);
}

/* The reason of a run that failed. Its text may take time to write: such a run was long. */
static void explain_failure(const SlipSolver *solver, const SlipiLoop *loop, const char *law,
                            SlipiPhrase *reason) {
  const SlipiRun *run = &solver->run;
  char *text = reason->at, tol[SLIPI_NUMBER_TEXT];
  size_t size = reason->size;
  switch (loop->outcome) {
  case SLIP_DIVERGED:
    snprintf(text, size, "the error%s grew from %.3g to %.3g", law, loop->first_error, run->error);
    break;
  case SLIP_STALLED:
    if (loop->at_floor)
      snprintf(text, size,
               "the error%s %.3g is at the rounding floor %.3g of this problem, which is above the "
               "tolerance %s",
               law, loop->best, loop->floor_value, slipi_number_text(run->tol, tol));
    else if (run->given_up)
      snprintf(text, size, "%s; the least error%s was %.3g", run->given_up, law, loop->best);
    else if (run->cheap_error == 0 || loop->unchanged > 0)
      snprintf(text, size, "the impulses no longer change and the error%s is %.3g", law,
               run->error);
    else
      snprintf(text, size, "the error%s no longer falls; the least was %.3g", law, loop->best);
    break;
  case SLIP_INTERRUPTED:
  case SLIP_TIME_LIMIT:
    stop_text(solver, loop->outcome, text, size);
    break;
  default:
    snprintf(text, size, "the limit of %" PRId64 " iterations is reached", run->iteration);
  }
  size_t used = strlen(text);
  if (loop->best <= run->tol &&
      loop->measure > 0) /* the second measure is the reason why it is not SOLVED */
    snprintf(text + used, size - used,
             "; the error%s is within the tolerance, but contacts are off their laws by %.3g", law,
             loop->measure);
  reason->used = strlen(text);
}

static void explain(SlipSolver *solver, const SlipiLoop *loop) {
  const SlipiMethod *method = solver->settings.method;
  const SlipiRun *run = &solver->run;
  const char *law = method->info.associated ? " of the associated law" : "";
  SlipiPhrase reason = {.at = solver->reason, .size = sizeof solver->reason};
  if (loop->outcome == SLIP_SOLVED) {
    slipi_phrase_add(&reason, "the error");
    slipi_phrase_add(&reason, law);
    slipi_phrase_add(&reason, " ");
    slipi_phrase_add_real(&reason, run->error);
    slipi_phrase_add(&reason, " is at most ");
    slipi_phrase_add_real(&reason, run->tol);
  } else {
    explain_failure(solver, loop, law, &reason);
  }
  if (method->note && run->iteration > 0) {
    slipi_phrase_add(&reason, " (");
    method->note(run, &reason);
    slipi_phrase_add(&reason, ")");
  }
}

/* Who shares a problem with other processes takes larger folds only. */
static bool may_ramp(const SlipSolver *solver) {
  return solver->settings.method->ramps && !solver->share;
}

/* Whether solutions are to be followed to the laws of rough contacts. Of so few contacts every
 * solution is found by other means. */
static bool is_led(const SlipSolver *solver) {
  enum { FOUND_UP_TO = 12 };
  int32_t nc = solver->problem->nc;
  return may_ramp(solver) && nc > FOUND_UP_TO && nc <= SLIPI_STUCK_CONTACTS &&
         slipi_solver_is_folded(solver);
}

static double trial_iterations(const SlipSolver *solver) {
  return solver->problem->nc <= SLIPI_RAMP_CONTACTS ? TRIAL_ITERATIONS : TRIAL_ITERATIONS_LARGE;
}

typedef SlipStatus (*Leader)(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                             bool *arrived, SlipError *error);

/* After a way to a solution: with the folds that it asks for, where it has arrived. */
static SlipStatus end_lead(SlipSolver *solver, SlipStatus status, bool arrived, SlipError *error) {
  if (status == SLIP_ERROR_NUMERIC && slipi_is_stopped(&solver->run.stop)) {
    slipi_error_clear(error); /* the loop will say so */
    status = SLIP_OK;
  }
  if (status == SLIP_OK && arrived)
    slipi_solver_choose_folds(solver, solver->run.r);
  return status;
}

/* Along a curve to a solution, from where the run is or another start. */
static SlipStatus lead(SlipSolver *solver, Leader leader, bool *arrived, SlipError *error) {
  SlipiRun *run = &solver->run;
  SlipStatus status =
      leader(run, solver->mu, &solver->part_arena[SLIPI_RAMP_PART], run->r, arrived, error);
  return end_lead(solver, status, *arrived, error);
}

/* To a solution in which contacts that hold each other stick. A solver for the rest of one has no
 * such rest again. */
static SlipStatus hold(SlipSolver *solver, SlipiLoop *loop, bool *arrived, SlipError *error) {
  SlipiRun *run = &solver->run;
  if (run->is_rest || !slipi_path_treats(run))
    return SLIP_OK;
  SlipStatus status = slipi_solver_hold(solver, &loop->max_iter, run->r, arrived, error);
  return end_lead(solver, status, *arrived, error);
}

/* Rough contacts slide: a solution with more friction, where the method can be led to one, or
 * larger folds. */
static SlipStatus outgrow(SlipSolver *solver, SlipError *error) {
  bool arrived = false;
  SlipStatus status = SLIP_OK;
  if (may_ramp(solver))
    status = lead(solver, slipi_ramp, &arrived, error);
  if (status == SLIP_OK && !arrived)
    slipi_solver_raise_folds(solver, solver->run.r);
  return status;
}

/* A short run with the first folds, and larger ones: mostly rough contacts are open or stick, which
 * is found soon. */
static SlipStatus run_trial(SlipSolver *solver, SlipiLoop *loop, bool *over, SlipError *error) {
  double most = loop->max_iter, trial = trial_iterations(solver), left = fmin(most, trial);
  do {
    loop->max_iter = left;
    solver->outgrown = false;
    SlipStatus status = slipi_loop_run(loop, error);
    *over = status != SLIP_OK || most <= trial ||
            (loop->outcome != SLIP_STALLED && loop->outcome != SLIP_MAX_ITER);
    if (*over)
      return status;
    solver->iterations_before += solver->run.iteration;
    left -= (double)solver->run.iteration;
    if (solver->outgrown)
      slipi_solver_raise_folds(solver, solver->run.r);
  } while (solver->outgrown && left > 0);
  loop->max_iter = most - (double)solver->iterations_before;
  return SLIP_OK;
}

/* Back to the start of the run: with the smallest folds, where a solution for them can be followed
 * to more friction. */
static void run_anew(SlipSolver *solver) {
  memcpy(solver->run.r, solver->r_start, (size_t)solver->run.m * sizeof *solver->r_start);
  if (solver->warm)
    slipi_solver_take_start(solver, solver->run.r);
  slipi_solver_set_laws(solver);
  if (solver->problem->nc <= SLIPI_RAMP_CONTACTS)
    slipi_solver_fold_most(solver);
}

/* A solution with the smallest folds, or what comes near it in a short run: its contacts have
 * impulses of the size of the loads, as a start for curves. */
static SlipStatus run_smooth(SlipSolver *solver, SlipiLoop *loop, bool *over, SlipError *error) {
  double most = loop->max_iter;
  memcpy(solver->run.r, solver->r_start, (size_t)solver->run.m * sizeof *solver->r_start);
  slipi_solver_set_laws(solver);
  slipi_solver_fold_most(solver);
  loop->max_iter = fmin(most, SMOOTH_ITERATIONS);
  solver->outgrown = false;
  SlipStatus status = slipi_loop_run(loop, error);
  *over = status != SLIP_OK || most <= SMOOTH_ITERATIONS ||
          (loop->outcome != SLIP_STALLED && loop->outcome != SLIP_MAX_ITER);
  if (*over)
    return status;
  solver->iterations_before += solver->run.iteration;
  loop->max_iter = most - (double)solver->run.iteration;
  return status;
}

static SlipStatus keep_trial(SlipSolver *solver, SlipError *error) {
  if (!solver->r_trial)
    solver->r_trial = SLIPI_ARENA_RAW(&solver->arena, double, solver->run.m);
  if (!solver->r_trial)
    return slipi_fail_memory(error, "a trial with rough contacts");
  memcpy(solver->r_trial, solver->r_best, (size_t)solver->run.m * sizeof *solver->r_trial);
  return SLIP_OK;
}

SlipStatus slipi_solver_measure_at(SlipSolver *solver, const double *r, double *measure,
                                   SlipError *error) {
  SlipiOperator *op = solver->run.op;
  SlipiStop stop = slipi_operator_unwatch(op); /* what struck the run may not hide its result */
  SlipStatus status = slipi_operator_contact_velocity(op, r, solver->run.q, solver->u, error);
  op->stop = stop;
  return status == SLIP_OK ? slipi_solver_physical(solver, r, solver->u, measure, error) : status;
}

/* A run that had to end elsewhere than at a solution may have done so on its way from little
 * friction: the result is the trial's point where that is nearer to the laws as given. */
static SlipStatus recall_trial(SlipSolver *solver, SlipError *error) {
  double best, trial;
  SlipStatus status = slipi_solver_measure_at(solver, solver->r_best, &best, error);
  if (status == SLIP_OK)
    status = slipi_solver_measure_at(solver, solver->r_trial, &trial, error);
  if (status == SLIP_OK && !(best <= trial))
    memcpy(solver->r_best, solver->r_trial, (size_t)solver->run.m * sizeof *solver->r_best);
  return status;
}

/* The point kept for a run that does not end at a solution: r, where that is nearer to the laws as
 * given. */
static SlipStatus keep_nearer(SlipSolver *solver, const double *r, SlipError *error) {
  double kept, measure;
  SlipStatus status = slipi_solver_measure_at(solver, solver->r_trial, &kept, error);
  if (status == SLIP_OK)
    status = slipi_solver_measure_at(solver, r, &measure, error);
  if (status == SLIP_OK && measure < kept)
    memcpy(solver->r_trial, r, (size_t)solver->run.m * sizeof *r);
  return status;
}

/* Mend a point; one that does not become a solution may still be the nearest there is. */
static SlipStatus mend_point(SlipSolver *solver, const double *r, Leader leader, bool *arrived,
                             SlipError *error) {
  memcpy(solver->run.r, r, (size_t)solver->run.m * sizeof *r);
  SlipStatus status = lead(solver, leader, arrived, error);
  return status == SLIP_OK && !*arrived ? keep_nearer(solver, solver->run.r, error) : status;
}

/* Rough contacts: a trial, then contacts that hold each other, then curves of solutions from its
 * best point, from a point with little friction, and from where nothing slips. Where all fail the
 * run begins anew. *tried: the trial's point is kept. */
static SlipStatus run_rough(SlipSolver *solver, SlipiLoop *loop, bool *tried, bool *over,
                            SlipError *error) {
  bool arrived = false;
  SlipStatus status = run_trial(solver, loop, over, error);
  if (status == SLIP_OK && !*over)
    status = keep_trial(solver, error);
  if (status != SLIP_OK || *over)
    return status;
  *tried = true;
  status = hold(solver, loop, &arrived, error);
  if (status == SLIP_OK && !arrived)
    status = mend_point(solver, solver->r_best, slipi_mend_briefly, &arrived, error);
  if (status == SLIP_OK && !arrived)
    status = mend_point(solver, solver->r_best, slipi_mend_by_less, &arrived, error);
  if (status == SLIP_OK && !arrived)
    status = run_smooth(solver, loop, over, error);
  if (status != SLIP_OK || *over || arrived)
    return status;
  status = mend_point(solver, solver->r_best, slipi_mend, &arrived, error);
  if (status == SLIP_OK && !arrived)
    status = lead(solver, slipi_ramp_from_stuck, &arrived, error);
  if (status == SLIP_OK && !arrived && !slipi_is_stopped(&solver->run.stop))
    run_anew(solver);
  return status;
}

/* Run with the folded mu of rough contacts, and go on with larger ones where they turn out to be
 * too small. */
static SlipStatus run_folds(SlipSolver *solver, SlipiLoop *loop, bool led, bool *tried,
                            SlipError *error) {
  SlipStatus status = SLIP_OK;
  bool over = false;
  solver->iterations_before = 0;
  if (led)
    status = run_rough(solver, loop, tried, &over, error);
  while (status == SLIP_OK && !over) {
    solver->outgrown = false;
    status = slipi_loop_run(loop, error);
    if (status != SLIP_OK || loop->outcome != SLIP_STALLED || !solver->outgrown)
      return status;
    solver->iterations_before += solver->run.iteration;
    loop->max_iter -= (double)solver->run.iteration;
    status = outgrow(solver, error);
  }
  return status;
}

SlipStatus slipi_drive(SlipSolver *solver, SlipError *error) {
  SlipiLoop loop = {.method = solver->settings.method,
                    .run = &solver->run,
                    .max_iter = solver->settings.common[SLIPI_COMMON_MAX_ITER],
                    .error_every = solver->settings.common[SLIPI_COMMON_ERROR_EVERY],
                    .u = solver->u,
                    .r_best = solver->r_best,
                    .evaluated = evaluated,
                    .floor = solver->share ? NULL : rounding_floor,
                    .confirm = confirm,
                    .pause = solver->pause,
                    .user = solver};
  solver->trace.failed = false;
  slipi_system_start(solver->op->system);
  slipi_solver_reset_folds(solver);
  bool tried = false, led = is_led(solver);
  SlipStatus status = run_folds(solver, &loop, led, &tried, error);
  if (status == SLIP_OK && solver->trace.failed)
    status = slipi_fail_memory(error, "the trace of a run");
  led = led && loop.outcome != SLIP_SOLVED;
  if (status == SLIP_OK && led && tried)
    status = recall_trial(solver, error);
  if (status == SLIP_OK && led) /* with smaller folds an error looks smaller than it is */
    slipi_solver_choose_folds(solver, solver->r_best);
  solver->result.outcome = loop.outcome;
  solver->u_of_best = status == SLIP_OK && loop.best_at == loop.evaluated_at && !led;
  if (solver->u_of_best && loop.outcome == SLIP_SOLVED) /* it has just been confirmed */
    solver->result.physical = loop.measure;
  solver->run.iteration += solver->iterations_before;
  if (status == SLIP_OK)
    explain(solver, &loop);
  return status;
}
