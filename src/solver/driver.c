/* The one loop all methods run in: limits, stopping, timing, trace, callbacks. */
#include "solver/solver.h"

#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "contact/residual.h"

/* An error this many times the first one, or the tolerance if that is larger, is divergence. */
static const double DIVERGED_FACTOR = 1e10;

/* Changes of r this small are rounding; so many evaluations with nothing else are a stall. */
static const double ROUNDING = 8 * DBL_EPSILON;
enum { STALLED_EVALUATIONS = 8 };

typedef struct Loop {
  SlipSolver *solver;
  SlipiRun *run;
  double started;
  double first_error;
  double cheap_tol;   /* on (132), adapted so that it meets tol on (131) */
  int64_t next_error; /* iteration of the next evaluation in any case */
  int64_t evaluated;  /* iteration of the last evaluation */
  int still;          /* evaluations in a row at which r only changed by rounding */
} Loop;

static double option(const SlipSolver *solver, int which) {
  return solver->settings.common[which];
}

static void trace_add(SlipiTrace *trace, int64_t iteration, double error, double seconds) {
  if (trace->offered++ % trace->stride != 0)
    return;
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

/* Evaluate (131) at run->r, in original units, and keep the best point. */
static SlipStatus evaluate(Loop *loop, SlipError *error) {
  SlipSolver *solver = loop->solver;
  SlipiRun *run = loop->run;
  SlipStatus status = slipi_operator_apply(run->op, run->r, solver->u, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t k = 0; k < run->m; k++)
    solver->u[k] += run->q[k];
  double norm =
      slipi_residual_norm(run->d, run->nc, run->law, solver->u, run->r, NULL, run->op->threads);
  run->error = norm / solver->scale;
  loop->evaluated = run->iteration;
  if (run->error < solver->best) {
    solver->best = run->error;
    memcpy(solver->r_best, run->r, (size_t)run->m * sizeof *run->r);
  }
  trace_add(&solver->trace, run->iteration, run->error, slipi_clock_seconds() - loop->started);
  return SLIP_OK;
}

static void stop(SlipSolver *solver, SlipOutcome outcome, const char *format, ...)
    SLIPI_PRINTF(3, 4);

static void stop(SlipSolver *solver, SlipOutcome outcome, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(solver->reason, sizeof solver->reason, format, args);
  va_end(args);
  solver->result.outcome = outcome;
}

/* After an evaluation: solved, diverged, or the cheap tolerance was too loose. */
static void judge_error(Loop *loop) {
  SlipSolver *solver = loop->solver;
  SlipiRun *run = loop->run;
  loop->still = run->cheap <= ROUNDING ? loop->still + 1 : 0;
  if (run->error <= run->tol) {
    stop(solver, SLIP_SOLVED, "the error %.3g is at most %.3g", run->error, run->tol);
  } else if (!(run->error <= DIVERGED_FACTOR * fmax(loop->first_error, run->tol))) {
    stop(solver, SLIP_DIVERGED, "the error grew from %.3g to %.3g", loop->first_error, run->error);
  } else if (run->cheap == 0 || loop->still >= STALLED_EVALUATIONS) {
    stop(solver, SLIP_STALLED, "the impulses no longer change and the error is %.3g", run->error);
  } else if (run->cheap <= loop->cheap_tol) {
    loop->cheap_tol = run->cheap * fmax(0.01, fmin(0.9, run->tol / run->error));
  }
}

static void judge_limits(Loop *loop) {
  SlipSolver *solver = loop->solver;
  SlipiRun *run = loop->run;
  double seconds = slipi_clock_seconds() - loop->started;
  double time_limit = option(solver, SLIPI_COMMON_TIME_LIMIT);
  if (solver->progress) {
    SlipProgress progress = {run->iteration, run->error, run->tol, seconds};
    if (solver->progress(&progress, solver->progress_user) != 0) {
      stop(solver, SLIP_INTERRUPTED, "interrupted after %" PRId64 " iterations", run->iteration);
      return;
    }
  }
  if ((double)run->iteration >= option(solver, SLIPI_COMMON_MAX_ITER))
    stop(solver, SLIP_MAX_ITER, "the limit of %" PRId64 " iterations is reached", run->iteration);
  else if (seconds >= time_limit)
    stop(solver, SLIP_TIME_LIMIT, "the limit of %g seconds is reached", time_limit);
}

static bool running(const SlipSolver *solver) {
  return solver->result.outcome == SLIP_NOT_RUN;
}

/* Evaluations become rarer as a run gets longer, up to every `error-every` iterations. */
static void schedule(Loop *loop) {
  double gap =
      fmin((double)loop->run->iteration / 2, option(loop->solver, SLIPI_COMMON_ERROR_EVERY));
  loop->next_error = loop->run->iteration + (gap > 1 ? (int64_t)gap : 1);
}

static SlipStatus iterate(Loop *loop, const SlipiMethod *method, SlipError *error) {
  SlipSolver *solver = loop->solver;
  SlipiRun *run = loop->run;
  run->iteration++;
  run->cheap = 0;
  SlipStatus status = method->step(run, error);
  if (status != SLIP_OK)
    return status;
  bool due =
      run->iteration >= loop->next_error || run->cheap <= loop->cheap_tol || !isfinite(run->cheap);
  if (due) {
    status = evaluate(loop, error);
    if (status != SLIP_OK)
      return status;
    judge_error(loop);
    schedule(loop);
  }
  if (running(solver))
    judge_limits(loop);
  return SLIP_OK;
}

SlipStatus slipi_drive(SlipSolver *solver, double started, SlipError *error) {
  const SlipiMethod *method = solver->settings.method;
  SlipiRun *run = &solver->run;
  Loop loop = {.solver = solver, .run = run, .started = started, .cheap_tol = run->tol};
  run->iteration = 0;
  run->cheap = INFINITY;
  SlipStatus status = evaluate(&loop, error);
  if (status != SLIP_OK)
    return status;
  loop.first_error = run->error;
  judge_error(&loop);
  if (running(solver) && option(solver, SLIPI_COMMON_MAX_ITER) == 0)
    judge_limits(&loop);
  if (running(solver)) {
    status = method->start(run, error);
    run->laws_changed = false;
  }
  while (status == SLIP_OK && running(solver))
    status = iterate(&loop, method, error);
  if (status == SLIP_OK && method->finish && run->iteration > 0)
    status = method->finish(run, error);
  /* A limit may have come between two evaluations: the last point may be the best, or good. */
  if (status == SLIP_OK && loop.evaluated != run->iteration) {
    status = evaluate(&loop, error);
    if (status == SLIP_OK && run->error <= run->tol)
      judge_error(&loop);
  }
  return status;
}
