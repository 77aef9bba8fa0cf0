#include "methods/common_momentum.h"

#include <string.h>

/* Plain sweeps converge fast while they reduce the error by this much each (logarithm). */
static const double FAST = 0.12;
/* Sweeps after which the first plain ones are looked at, and between two looks later: the driver
 * and `auto` evaluate the error after the same ones. */
static const int FIRST_LOOKS[] = {7, 15, 25};
enum { FIRST_WINDOW = 25 };
/* Sweeps between two looks at the error; with the same momentum for all and far
 * from the tolerance, where the error goes in waves and a look costs as much as two sweeps. */
enum { WINDOW = 20, WAVE_WINDOW = 40 };
/* Momentum is judged after so many windows; the same for all contacts after some waves. */
enum { JUDGED_AFTER = 3, UNIFORM_JUDGED_AFTER = 5 };
/* It must reduce the error like the plain sweeps before it, and by this much in any case. */
static const double LEAST_RATE = 1e-4, LEAST_RATE_UNCOMPARED = 1e-3;
/* An error this many times the best one: back to the best point. The same momentum for all goes in
 * waves, and starts again when the error has risen by RISEN since it last did. */
static const double LOST = 2, LOST_UNIFORM = 20, RISEN = 4;
/* Within this many times the tolerance the same momentum for all is kept short: the remaining error
 * is local by then, and long waves only stir it up. */
static const double NEAR = 5, NEAR_T_MOST = 15;
/* The share of t that a restart keeps: the next wave is of the same kind. */
static const double KEPT = 0.15;
enum { SETTLING = 8 }; /* sweeps after a restart before its error counts */
enum { PLAIN_WINDOWS_MOST = 32 };
/* With more neighbours a contact than this (finite elements) sweeps are expensive, and plain ones
 * converge fast. */
static const double DEGREE_MOST = 40;

SlipStatus slipi_momentum_create(SlipiRun *run, const SlipiGraph *graph, SlipiRowState *rows,
                                 bool one_for_all, SlipiMomentum *momentum, SlipError *error) {
  momentum->graph = graph;
  momentum->rows = rows;
  bool one_by_one = slipi_operator_rows_read_r(run->op); /* pushed impulses come in so */
  momentum->one_for_all = one_for_all && !slipi_share_any(run->op->share, one_by_one);
  if (momentum->one_for_all) {
    SlipStatus status = slipi_row_state_create(run->op, run->arena, &momentum->rows_before, error);
    if (status != SLIP_OK)
      return status;
  }
  momentum->contact = SLIPI_ARENA_RAW(run->arena, SlipiMomentumContact, run->nc);
  momentum->before = SLIPI_ARENA_RAW(run->arena, double, run->m);
  momentum->sum = SLIPI_ARENA_NEW(run->arena, double, graph->groups);
  momentum->sum_next = SLIPI_ARENA_NEW(run->arena, double, graph->groups);
  momentum->r_best = SLIPI_ARENA_RAW(run->arena, double, run->m);
  return run->arena->failed ? slipi_fail_memory(error, "the momentum of sweeps") : SLIP_OK;
}

static void clear(const SlipiMomentum *momentum, double *sum) {
  memset(sum, 0, (size_t)momentum->graph->groups * sizeof *sum);
}

void slipi_momentum_swept(SlipiMomentum *momentum) {
  double *old = momentum->sum;
  momentum->sum = momentum->sum_next;
  momentum->sum_next = old;
  clear(momentum, old);
}

static void keep_best(const SlipiRun *run, SlipiMomentum *momentum) {
  if (!(run->error < momentum->best))
    return;
  momentum->best = run->error;
  memcpy(momentum->r_best, run->r, (size_t)run->m * sizeof *run->r);
}

/* Neighbours of a contact, moments and their contact being one; of the whole problem, so that all
 * processes come to the same pace. */
static double degree(const SlipiRun *run, const SlipiMomentum *momentum) {
  const SlipiShare *share = run->op ? run->op->share : NULL;
  int64_t moments = 0, contacts = slipi_share_contacts(share, run->nc);
  for (int32_t a = 0; a < run->nc; a++)
    moments += run->law[a].kind == SLIPI_ROLLING;
  moments = slipi_share_count(share, moments);
  return momentum->graph->degree * (1 - (double)moments / fmax(1, (double)contacts));
}

void slipi_momentum_start(const SlipiRun *run, SlipiMomentum *momentum) {
  momentum->pace = degree(run, momentum) > DEGREE_MOST ? SLIPI_PACE_PLAIN : SLIPI_PACE_FIRST;
  momentum->uniform = momentum->one_for_all;
  momentum->best = INFINITY;
  momentum->sweeps = 0;
  momentum->window_end = FIRST_LOOKS[0];
  momentum->asked = momentum->near = momentum->resting = false;
  momentum->plain_rate = NAN;
  momentum->plain_windows = 1;
  momentum->stretch_from = 0;
  momentum->stretch_error = run->error;
  keep_best(run, momentum);
}

void slipi_momentum_forget(SlipiMomentum *momentum) {
  momentum->best = momentum->stretch_error = INFINITY;
}

static void begin_momentum(const SlipiRun *run, SlipiMomentum *momentum) {
  momentum->pace = momentum->uniform ? SLIPI_PACE_UNIFORM : SLIPI_PACE_MOMENTUM;
  momentum->windows = 0;
  momentum->stretch_error = momentum->best;
  momentum->stretch_from = momentum->sweeps;
  clear(momentum, momentum->sum);
  clear(momentum, momentum->sum_next);
  momentum->t = 1;
  momentum->wave_least = INFINITY;
  if (momentum->uniform && momentum->rows->size > 0) /* a process may have no bodies */
    memcpy(momentum->rows_before.z, momentum->rows->z,
           (size_t)momentum->rows->size * sizeof *momentum->rows->z);
  memcpy(momentum->before, run->r, (size_t)run->m * sizeof *run->r);
  for (int32_t a = 0; a < run->nc; a++)
    momentum->contact[a] = (SlipiMomentumContact){.t = 1};
}

void slipi_momentum_leap(const SlipiRun *run, SlipiMomentum *momentum) {
  SlipiPace pace = momentum->pace;
  slipi_momentum_forget(momentum);
  if (pace == SLIPI_PACE_FIRST || pace == SLIPI_PACE_PLAIN)
    return;
  momentum->plain_rate = NAN;
  momentum->asked = false;
  momentum->window_end = momentum->sweeps + WINDOW;
  begin_momentum(run, momentum);
}

/* z_before must be renewed with z: the rounding that one of them has lost and the other not would
 * be pushed on as if r had moved, 1/(1 - share) times as far. */
void slipi_momentum_renew(const SlipiRun *run, SlipiMomentum *momentum) {
  slipi_operator_row_start(run->op, run->r, momentum->rows);
  if (momentum->pace == SLIPI_PACE_UNIFORM)
    slipi_operator_row_start(run->op, momentum->before, &momentum->rows_before);
}

enum { PIECE = 16384 }; /* values that one thread takes at a time */

static void push_piece(void *user, int32_t piece) {
  const SlipiMomentum *momentum = user;
  double *z = momentum->rows->z, *z_before = momentum->rows_before.z;
  int32_t first = piece * PIECE, size = momentum->rows->size;
  int32_t end = size - first < PIECE ? size : first + PIECE;
  for (int32_t k = first; k < end; k++) {
    double now = z[k];
    z[k] = now + momentum->share * (now - z_before[k]);
    z_before[k] = now;
  }
}

void slipi_momentum_push(const SlipiRun *run, SlipiMomentum *momentum, bool restart) {
  if (momentum->near)
    momentum->t = fmin(momentum->t, NEAR_T_MOST);
  double kept = fmax(1, KEPT * momentum->t), share = slipi_momentum_share(&momentum->t, restart);
  if (restart)
    momentum->t = kept;
  momentum->share = share;
  slipi_team_each(run->op->team, momentum->rows->size / PIECE + 1, push_piece, momentum);
}

static void begin_plain(const SlipiRun *run, SlipiMomentum *momentum) {
  momentum->uniform = momentum->resting; /* else it has not proved itself */
  momentum->pace = SLIPI_PACE_SKIPPING;
  momentum->plain_left = momentum->plain_windows;
  if (momentum->plain_windows < PLAIN_WINDOWS_MOST)
    momentum->plain_windows *= 2;
  momentum->stretch_error = run->error;
  momentum->stretch_from = momentum->sweeps;
}

/* Reduction per sweep since the stretch began (logarithm). */
static double stretch_rate(const SlipiMomentum *momentum, double error) {
  double sweeps = (double)(momentum->sweeps - momentum->stretch_from);
  return log(momentum->stretch_error / error) / sweeps;
}

/* The same momentum for all seems slow: plain sweeps for one window tell whether it is. In piles of
 * 10^7 contacts waves pass at different times in different places, and no restart shows how far
 * the error has come: it stays the same for 240 sweeps, and falls sevenfold in the first 20 plain
 * ones. */
static void rest(const SlipiRun *run, SlipiMomentum *momentum) {
  momentum->resting = true;
  momentum->waves_error = momentum->stretch_error;
  momentum->waves_from = momentum->stretch_from;
  momentum->plain_windows = 1;
  begin_plain(run, momentum);
}

/* After the plain sweeps: the same momentum for all goes on where it has proved itself. Those
 * sweeps have shown what it did, and are nothing to compare momentum with. */
static void judge_waves(const SlipiRun *run, SlipiMomentum *momentum) {
  double sweeps = (double)(momentum->sweeps - momentum->waves_from);
  double rate = log(momentum->waves_error / fmin(run->error, momentum->best)) / sweeps;
  momentum->uniform = rate >= LEAST_RATE_UNCOMPARED;
  momentum->resting = false;
  momentum->plain_windows = 1;
}

/* Whether the same momentum for all has gone too far by the error. */
static void watch_wave(const SlipiRun *run, SlipiMomentum *momentum) {
  if (momentum->t < SETTLING || run->error < momentum->wave_least)
    momentum->wave_least = run->error;
  else if (run->error > RISEN * momentum->wave_least)
    momentum->t = 1;
}

static void judge_momentum(SlipiRun *run, SlipiMomentum *momentum) {
  bool uniform = momentum->pace == SLIPI_PACE_UNIFORM;
  if (uniform)
    watch_wave(run, momentum);
  if (!(run->error <= (uniform ? LOST_UNIFORM : LOST) * momentum->best)) {
    memcpy(run->r, momentum->r_best, (size_t)run->m * sizeof *run->r);
    slipi_operator_row_start(run->op, run->r, momentum->rows);
    run->error = momentum->best;
    begin_plain(run, momentum);
    return;
  }
  if (++momentum->windows < (uniform ? UNIFORM_JUDGED_AFTER : JUDGED_AFTER))
    return;
  double least = fmin(run->error, momentum->best), rate = stretch_rate(momentum, least);
  bool compared = !isnan(momentum->plain_rate);
  double wanted = compared ? fmax(momentum->plain_rate, LEAST_RATE) : LEAST_RATE_UNCOMPARED;
  if (!(rate >= wanted) && uniform)
    rest(run, momentum);
  else if (!(rate >= wanted))
    begin_plain(run, momentum);
  if (momentum->pace == SLIPI_PACE_SKIPPING)
    return;
  momentum->windows = 1;
  momentum->stretch_error = least;
  momentum->stretch_from = momentum->sweeps;
  if (compared)
    momentum->plain_windows = 1;
}

/* Sweeps until the next look at the error. */
static int64_t window(const SlipiMomentum *momentum) {
  if (momentum->pace == SLIPI_PACE_FIRST) {
    for (size_t k = 0; k < sizeof FIRST_LOOKS / sizeof *FIRST_LOOKS; k++) {
      if (FIRST_LOOKS[k] > momentum->sweeps)
        return FIRST_LOOKS[k] - momentum->sweeps;
    }
    return FIRST_WINDOW;
  }
  return momentum->pace == SLIPI_PACE_UNIFORM && !momentum->near ? WAVE_WINDOW : WINDOW;
}

bool slipi_momentum_pace(SlipiRun *run, SlipiMomentum *momentum) {
  SlipiPace pace = momentum->pace;
  if (!momentum->asked)
    return false;
  momentum->asked = false;
  momentum->near = run->error <= NEAR * run->tol;
  if (pace == SLIPI_PACE_FIRST) {
    bool fast = stretch_rate(momentum, run->error) >= FAST;
    momentum->stretch_error = run->error;
    momentum->stretch_from = momentum->sweeps;
    keep_best(run, momentum);
    if (!fast)
      begin_momentum(run, momentum);
  } else if (pace == SLIPI_PACE_MOMENTUM || pace == SLIPI_PACE_UNIFORM) {
    judge_momentum(run, momentum);
    keep_best(run, momentum);
  } else {
    keep_best(run, momentum);
    if (--momentum->plain_left <= 0) {
      if (momentum->resting)
        judge_waves(run, momentum);
      else
        momentum->plain_rate = stretch_rate(momentum, run->error);
      begin_momentum(run, momentum);
    }
  }
  momentum->window_end = momentum->sweeps + window(momentum);
  return momentum->pace != pace;
}

void slipi_momentum_ask(SlipiRun *run, SlipiMomentum *momentum) {
  momentum->sweeps++;
  if (momentum->pace == SLIPI_PACE_PLAIN || momentum->sweeps < momentum->window_end)
    return;
  momentum->asked = true;
  run->cheap_error = INFINITY;
}
