#include "methods/loop.h"

#include <math.h>
#include <string.h>

#include "contact/residual.h"
#include "linalg/vector.h"
#include "methods/common_progress.h"

/* An error this many times the first one is divergence; not of a warm start, from which methods
 * with a start of their own go far away: one below 1 counts as 1. */
static const double DIVERGED_FACTOR = 1e10;

/* So many evaluations in a row at which r has changed by rounding only are a stall. */
enum { STALLED_EVALUATIONS = 8 };

/* A window of iterations whose least error is no progress over the least of the window before is a
 * stall, too. A window is as long as the method's patience (PATIENCE where it names none),
 * or as the run so far if that is longer. */
enum { PATIENCE = 10000 };

/* Errors above this are never rounding only; at the rounding floor an evaluation must bring the
 * error down to this share of the one before. */
static const double FLOOR_FROM = 1e-8, FLOOR_FALL = 0.5;

/* u = W r + q. Cold starts are from r = 0, and often bodies are just coming apart there: that
 * should cost no product with W. */
static SlipStatus velocity(SlipiLoop *loop, SlipError *error) {
  const SlipiRun *run = loop->run;
  if (!slipi_share_any(run->op->share, !slipi_all_zero(run->r, run->m))) {
    memcpy(loop->u, run->q, (size_t)run->m * sizeof *run->q);
    return SLIP_OK;
  }
  SlipiStop stop = slipi_operator_unwatch(run->op); /* the last point of a run is looked at, too */
  SlipStatus status = slipi_operator_contact_velocity(run->op, run->r, run->q, loop->u, error);
  run->op->stop = stop;
  return status;
}

/* Evaluate (131) at run->r, in original units, and keep the best point. */
static SlipStatus evaluate(SlipiLoop *loop, SlipError *error) {
  SlipiRun *run = loop->run;
  SlipStatus status = velocity(loop, error);
  if (status != SLIP_OK)
    return status;
  double norm = slipi_residual_norm(run->d, run->nc, run->law, loop->u, run->r, NULL, run->op->team,
                                    run->op->share);
  run->error = norm / run->scale;
  loop->evaluated_at = run->iteration;
  if (run->error < loop->best) {
    loop->best = run->error;
    loop->best_at = run->iteration;
    memcpy(loop->r_best, run->r, (size_t)run->m * sizeof *run->r);
  }
  if (loop->evaluated)
    loop->evaluated(loop);
  return SLIP_OK;
}

static void open_window(SlipiLoop *loop) {
  int64_t iteration = loop->run->iteration;
  int64_t patience = loop->method->patience > 0 ? loop->method->patience : PATIENCE;
  loop->window_end = iteration + (iteration > patience ? iteration : patience);
  loop->window_before = loop->window_best;
  loop->window_best = INFINITY;
}

/* Whether a window has ended that was no better than the one before. */
static bool is_idle(SlipiLoop *loop) {
  loop->window_best = fmin(loop->window_best, loop->run->error);
  if (loop->run->iteration < loop->window_end)
    return false;
  bool idle = !slipi_is_progress(loop->window_best, loop->window_before);
  open_window(loop);
  return idle;
}

/* Whether rounding is all that is left of the error, and it does not fall any more: the floor is a
 * bound, and the error may well get below. */
static bool is_at_floor(SlipiLoop *loop) {
  const SlipiRun *run = loop->run;
  if (!loop->floor || run->error > FLOOR_FROM)
    return false;
  if (loop->floor_value == INFINITY)
    loop->floor_value = loop->floor(loop); /* once: the impulses hardly change from here on */
  if (run->error > loop->floor_value)
    return false;
  bool idle = run->error > FLOOR_FALL * loop->floor_error;
  loop->floor_error = fmin(loop->floor_error, run->error);
  return idle;
}

/* Whether the point that was evaluated last is a solution; it is the best one then, even if another
 * has a smaller error (131). */
static SlipStatus is_solved(SlipiLoop *loop, bool *solved, SlipError *error) {
  const SlipiRun *run = loop->run;
  SlipStatus status = SLIP_OK;
  *solved = run->error <= run->tol;
  if (*solved && loop->confirm)
    status = loop->confirm(loop, &loop->measure, error);
  *solved = *solved && status == SLIP_OK && loop->measure <= SLIPI_CONFIRMED * run->tol;
  if (*solved && loop->best_at != run->iteration) {
    loop->best = run->error;
    loop->best_at = run->iteration;
    memcpy(loop->r_best, run->r, (size_t)run->m * sizeof *run->r);
  }
  return status;
}

/* After an evaluation: solved, diverged, stalled, or the cheap tolerance was too loose. */
static SlipStatus judge_error(SlipiLoop *loop, SlipError *error) {
  SlipiRun *run = loop->run;
  bool idle = is_idle(loop), solved;
  SlipStatus status = is_solved(loop, &solved, error);
  loop->unchanged = slipi_is_rounding(run->cheap_error) ? loop->unchanged + 1 : 0;
  if (solved)
    loop->outcome = SLIP_SOLVED;
  else if (!loop->method->recovers && !(run->error <= DIVERGED_FACTOR * fmax(loop->first_error, 1)))
    loop->outcome = SLIP_DIVERGED;
  else if ((loop->at_floor = is_at_floor(loop)) || run->given_up || run->cheap_error == 0 ||
           loop->unchanged >= STALLED_EVALUATIONS || idle)
    loop->outcome = SLIP_STALLED;
  else if (run->cheap_error <= loop->cheap_tol)
    loop->cheap_tol = run->cheap_error * fmax(0.01, fmin(0.9, run->tol / run->error));
  return status;
}

/* A method may have given up, or not have moved, because a factorisation was stopped: then that is
 * the outcome. */
static void judge_limits(SlipiLoop *loop) {
  const SlipiRun *run = loop->run;
  bool open = loop->outcome == SLIP_NOT_RUN;
  if (run->stop.ask && (open || loop->outcome == SLIP_STALLED)) {
    SlipOutcome stopped = run->stop.ask(run->stop.user, 0);
    loop->outcome = stopped != SLIP_NOT_RUN ? stopped : loop->outcome;
  }
  if (loop->outcome == SLIP_NOT_RUN && (double)run->iteration >= loop->max_iter)
    loop->outcome = SLIP_MAX_ITER;
}

/* Iterations left by the fall of the error since the evaluation before; INFINITY without. */
static double iterations_left(SlipiLoop *loop) {
  const SlipiRun *run = loop->run;
  double fall = log(loop->fell_from / run->error);
  double iterations = (double)(run->iteration - loop->fell_from_at);
  loop->fell_from = run->error;
  loop->fell_from_at = run->iteration;
  return fall > 0 ? iterations * log(run->error / run->tol) / fall : INFINITY;
}

/* Evaluations become rarer as a run gets longer, up to every `error_every` iterations. A method
 * that asks for the error by itself needs them only to see when an easy problem is solved. */
static void schedule(SlipiLoop *loop) {
  enum { EASY = 19 };
  double iteration = (double)loop->run->iteration, gap = iteration / 2;
  if (loop->method->asks)
    gap = iteration < EASY ? fmin(iteration + 1, iterations_left(loop)) : INFINITY;
  gap = fmin(gap, loop->error_every);
  loop->next_error = loop->run->iteration + (gap > 1 ? (int64_t)gap : 1);
}

static SlipStatus iterate(SlipiLoop *loop, SlipError *error) {
  SlipiRun *run = loop->run;
  run->iteration++;
  run->cheap_error = 0;
  run->given_up = NULL;
  SlipStatus status = loop->method->step(run, error);
  if (status != SLIP_OK)
    return status;
  bool due = loop->method->evaluate_each || run->iteration >= loop->next_error ||
             run->cheap_error <= loop->cheap_tol || !isfinite(run->cheap_error) || run->given_up;
  if (due) {
    status = evaluate(loop, error);
    if (status != SLIP_OK)
      return status;
    status = judge_error(loop, error);
    if (status != SLIP_OK)
      return status;
    if (loop->outcome == SLIP_NOT_RUN)
      schedule(loop);
  }
  judge_limits(loop);
  return SLIP_OK;
}

/* The point a run starts from may be good already. */
static SlipStatus evaluate_start(SlipiLoop *loop, SlipError *error) {
  SlipiRun *run = loop->run;
  run->iteration = 0;
  run->cheap_error = INFINITY;
  run->given_up = NULL;
  loop->outcome = SLIP_NOT_RUN;
  loop->best = loop->window_best = INFINITY;
  loop->cheap_tol = run->tol;
  loop->next_error = 0;
  loop->best_at = -1;
  loop->unchanged = 0;
  loop->at_floor = false;
  loop->measure = 0;
  loop->floor_value = loop->floor_error = INFINITY;
  SlipStatus status = evaluate(loop, error);
  if (status != SLIP_OK)
    return status;
  loop->first_error = loop->fell_from = run->error;
  loop->fell_from_at = 0;
  open_window(loop);
  status = judge_error(loop, error);
  if (status != SLIP_OK)
    return status;
  if (loop->at_least_one && loop->outcome == SLIP_SOLVED && run->error > 0)
    loop->outcome = SLIP_NOT_RUN;
  if (loop->outcome == SLIP_NOT_RUN && loop->max_iter == 0)
    judge_limits(loop);
  return SLIP_OK;
}

/* Work that was stopped halfway, as the making of W, fails: that is no error of the run. */
static bool was_stopped(SlipiLoop *loop, SlipStatus status, SlipError *error) {
  const SlipiRun *run = loop->run;
  if (status != SLIP_ERROR_NUMERIC || !slipi_is_stopped(&run->stop))
    return false;
  loop->outcome = run->stop.ask(run->stop.user, 0);
  slipi_error_clear(error);
  return true;
}

void slipi_loop_visit(SlipiLoop *loop, const SlipiStateVisitor *visitor) {
  SlipiRun *run = loop->run;
  size_t block = (size_t)run->d * sizeof *run->r;
  struct {
    double *real;
    const char *name;
  } reals[] = {{&run->error, "error"},
               {&run->cheap_error, "cheap_error"},
               {&loop->best, "best"},
               {&loop->measure, "measure"},
               {&loop->first_error, "first_error"},
               {&loop->floor_value, "floor_value"},
               {&loop->cheap_tol, "cheap_tol"},
               {&loop->floor_error, "floor_error"},
               {&loop->window_best, "window_best"},
               {&loop->window_before, "window_before"}};
  struct {
    int64_t *number;
    const char *name;
  } numbers[] = {{&run->iteration, "iteration"},
                 {&loop->next_error, "next_error"},
                 {&loop->evaluated_at, "evaluated_at"},
                 {&loop->best_at, "best_at"},
                 {&loop->window_end, "window_end"}};
  for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
    visitor->values(visitor->user, reals[k].name, reals[k].real, sizeof(double));
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    visitor->values(visitor->user, numbers[k].name, numbers[k].number, sizeof(int64_t));
  visitor->values(visitor->user, "unchanged", &loop->unchanged, sizeof loop->unchanged);
  visitor->contacts(visitor->user, "r", run->r, block, block);
  visitor->contacts(visitor->user, "r_best", loop->r_best, block, block);
  loop->method->visit_state(run, visitor);
}

SlipStatus slipi_loop_run(SlipiLoop *loop, SlipError *error) {
  SlipiRun *run = loop->run;
  SlipStatus status = evaluate_start(loop, error);
  if (status != SLIP_OK)
    return status;
  if (loop->outcome == SLIP_NOT_RUN) {
    status = loop->method->start(run, error);
    run->laws_changed = run->W_changed = status != SLIP_OK;
  }
  if (status == SLIP_OK && loop->outcome == SLIP_NOT_RUN && loop->pause &&
      loop->pause->resume(loop->pause->user, loop))
    status = velocity(loop, error); /* that of the last evaluation is not kept */
  while (status == SLIP_OK && loop->outcome == SLIP_NOT_RUN) {
    status = iterate(loop, error);
    if (status == SLIP_OK && loop->outcome == SLIP_NOT_RUN && loop->pause)
      loop->pause->pause(loop->pause->user, loop);
  }
  if (was_stopped(loop, status, error))
    return SLIP_OK;
  if (status == SLIP_OK && loop->method->finish && run->iteration > 0) {
    SlipiStop stop = slipi_operator_unwatch(run->op);
    status = loop->method->finish(run, error);
    run->op->stop = stop;
  }
  /* A limit may have come between two evaluations: the last point may be the best, or good. */
  if (status == SLIP_OK && loop->evaluated_at != run->iteration) {
    bool solved = false;
    status = evaluate(loop, error);
    if (status == SLIP_OK)
      status = is_solved(loop, &solved, error);
    if (solved)
      loop->outcome = SLIP_SOLVED;
    else if (was_stopped(loop, status, error))
      status = SLIP_OK;
  }
  return status;
}
