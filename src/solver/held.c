/* Rough contacts that hold each other (methods/common_hold.h) are taken as glued: the rest of the
 * problem is solved by a solver of its own, with bilateral contacts in their place, and their
 * impulses are brought into the cones afterwards. */
#include "solver/solver.h"

#include <math.h>
#include <string.h>

#include "contact/laws.h"
#include "methods/common_hold.h"

/* Friction of the cones that impulses are brought into: a point in which contacts stick is a
 * solution for more friction as well, and with less of it impulses are smaller and known to more
 * digits. */
static const double lifts[] = {100, 1e3};
enum { LIFTS = sizeof lifts / sizeof lifts[0] };
/* The rest is worth a solver where at least this share of the contacts is held: it is hardly easier
 * than the whole else. */
static const double SHARE = 0.25;
/* It is solved in so many iterations, or cannot be: what curves of solutions take is not counted.
 */
enum { ITERATIONS_REST = 2000 };
/* Its tolerance beside that of the whole, since what is brought into the cones adds to its error.
 */
static const double TOL_REST = 1e-2;

/* Impulses of the contacts held, beside those of the others in r: *arrived where that is a
 * solution. */
static SlipStatus lift(SlipSolver *solver, SlipiHold *hold, int first, double *r, bool *arrived,
                       SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int k = first; k < LIFTS && status == SLIP_OK && !*arrived; k++) {
    double measure = INFINITY;
    status = slipi_hold_lift(hold, lifts[k], r, error);
    if (status == SLIP_OK)
      status = slipi_solver_measure_at(solver, r, &measure, error);
    *arrived = status == SLIP_OK && measure <= solver->run.tol;
  }
  return status;
}

/* The problem of the solver, with its vectors, and bilateral contacts in place of those held. */
static SlipStatus make_rest(const SlipSolver *solver, SlipiHold *hold, SlipProblem *rest,
                            SlipError *error) {
  const SlipProblem *problem = solver->problem;
  size_t nc = (size_t)problem->nc;
  *rest = *problem;
  rest->q = solver->q;
  rest->f = solver->f;
  rest->w = solver->w;
  rest->key = NULL; /* its impulses start nobody else */
  int32_t *kind = slipi_arena_copy(&hold->arena, problem->laws.kind, nc, sizeof *kind);
  rest->law = slipi_arena_copy(&hold->arena, problem->law, nc, sizeof *rest->law);
  if (hold->arena.failed)
    return slipi_fail_memory(error, "contacts that hold each other");
  for (int32_t a = 0; a < problem->nc; a++) {
    if (hold->held[a]) {
      kind[a] = SLIP_BILATERAL;
      rest->law[a] = slipi_law(SLIP_BILATERAL, 0);
    } else { /* perhaps with the mu of an update */
      rest->law[a] = slipi_laws_with_mu(&problem->laws, &problem->law[a], a, solver->mu[a]);
    }
  }
  rest->laws.kind = kind;
  rest->laws.mu = solver->mu;
  return SLIP_OK;
}

/* The run around it has the clock and the limits; its time limit is also known within, to what asks
 * before long work whether there is time for it. */
static int must_end(const SlipProgress *progress, void *user) {
  const SlipSolver *solver = user;
  (void)progress;
  return slipi_is_stopped(&solver->run.stop);
}

static SlipStatus solve_rest(SlipSolver *solver, const SlipProblem *rest, double *iterations_left,
                             double *r, bool *solved, SlipError *error) {
  SlipSolver *inner;
  SlipSettings settings = solver->settings;
  settings.common[SLIPI_COMMON_TOL] = TOL_REST * solver->run.tol;
  settings.common[SLIPI_COMMON_MAX_ITER] = fmin(*iterations_left, ITERATIONS_REST);
  settings.common[SLIPI_COMMON_TIME_LIMIT] = fmax(slipi_solver_seconds_left(solver), 0);
  settings.progress = must_end;
  settings.progress_user = solver;
  SlipStatus status = slip_solver_create(rest, &settings, &inner, error);
  if (status != SLIP_OK)
    return status;
  inner->run.is_rest = true;
  status = slip_solver_run(inner, error);
  if (status == SLIP_OK) {
    *solved = inner->result.outcome == SLIP_SOLVED;
    *iterations_left -= (double)inner->result.iterations;
    solver->iterations_before += inner->result.iterations;
    memcpy(r, inner->r_best, (size_t)solver->run.m * sizeof *r);
  }
  slip_solver_free(inner);
  return status;
}

static SlipStatus hold_some(SlipSolver *solver, SlipiHold *hold, double *iterations_left, double *r,
                            bool *arrived, SlipError *error) {
  int32_t nc = solver->problem->nc, count = 0;
  bool solved = false;
  SlipProblem rest;
  SlipStatus status = slipi_hold_find(hold, (int32_t)ceil(SHARE * nc), &count, error);
  if (status != SLIP_OK || count == 0)
    return status;
  status = make_rest(solver, hold, &rest, error);
  if (status == SLIP_OK)
    status = solve_rest(solver, &rest, iterations_left, r, &solved, error);
  return status == SLIP_OK && solved ? lift(solver, hold, 0, r, arrived, error) : status;
}

SlipStatus slipi_solver_hold(SlipSolver *solver, double *iterations_left, double *r, bool *arrived,
                             SlipError *error) {
  SlipiHold hold = {0};
  *arrived = false;
  SlipStatus status = slipi_hold_create(&solver->run, solver->mu, &hold, error);
  int32_t count = status == SLIP_OK ? slipi_hold_all(&hold, SLIPI_ROUGH) : 0;
  if (count > 0) { /* perhaps all of them stick */
    memset(r, 0, (size_t)solver->run.m * sizeof *r);
    status = lift(solver, &hold, LIFTS - 1, r, arrived, error);
  }
  if (count > 0 && status == SLIP_OK && !*arrived)
    status = hold_some(solver, &hold, iterations_left, r, arrived, error);
  slipi_hold_destroy(&hold);
  return status;
}
