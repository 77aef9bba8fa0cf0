/* The units a solver works in (contact/units.h). Everything between here and the result is in them:
 * the problem, q, f, w, lengths of laws, r, u and v of a run. What the user gives or gets is not:
 * r_start, and r_best, u, v and the gap once a run has ended. */
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/laws.h"
#include "contact/residual.h"
#include "contact/shift.h"
#include "linalg/vector.h"

/* Contacts of other processes pull at the bodies of this one, too. */
static SlipStatus unshift_shared(SlipSolver *solver, SlipError *error) {
  const SlipProblem *given = solver->given;
  double *p = SLIPI_ARENA_NEW(&solver->arena, double, given->dof), *f = solver->plain.f;
  SlipStatus status =
      slipi_share_agree(solver->share, p ? SLIP_OK : slipi_fail_memory(error, "a solver"), error);
  if (status == SLIP_OK)
    status = solver->share->gather(solver->share->user, solver->shift, p, error);
  for (int32_t k = 0; status == SLIP_OK && k < given->dof; k++)
    f[k] = given->f[k] - p[k];
  return status;
}

static SlipStatus unshift(SlipSolver *solver, SlipError *error) {
  const SlipProblem *given = solver->given;
  SlipiArena *arena = &solver->arena;
  solver->shift = SLIPI_ARENA_NEW(arena, double, given->m);
  solver->q_given = slipi_problem_has_mass(given)
                        ? NULL
                        : slipi_arena_copy(arena, given->q, (size_t)given->m, sizeof *given->q);
  SlipStatus status = arena->failed ? slipi_fail_memory(error, "a solver") : SLIP_OK;
  if (status == SLIP_OK) {
    slipi_shift_impulses(given, 1, solver->shift);
    solver->problem = &solver->plain;
    status = slipi_shift_problem(given, arena, &solver->plain, error);
  }
  status = slipi_share_agree(solver->share, status, error);
  return status == SLIP_OK && solver->share ? unshift_shared(solver, error) : status;
}

SlipStatus slipi_solver_set_units(SlipSolver *solver, SlipError *error) {
  solver->given = solver->problem;
  solver->shift = solver->q_given = NULL;
  bool shifts = slipi_share_any(solver->share, slipi_shift_has(solver->given));
  SlipStatus status = shifts ? unshift(solver, error) : SLIP_OK;
  if (status != SLIP_OK)
    return status;
  solver->units = (SlipiUnits){.W = slipi_units_of_W(solver->problem, solver->share)};
  if (solver->units.W == 0)
    return SLIP_OK;
  status = slipi_units_problem(solver->problem, solver->units.W, &solver->arena, &solver->updated,
                               error);
  if (status == SLIP_OK)
    solver->problem = &solver->updated;
  return status;
}

void slipi_solver_change_q_unit(SlipSolver *solver, int q) {
  const SlipProblem *problem = solver->problem;
  int by = solver->units.q - q;
  if (by == 0)
    return;
  slipi_units_scale(solver->q, problem->m, by);
  if (slipi_problem_has_mass(problem)) {
    slipi_units_scale(solver->f, problem->dof, by);
    slipi_units_scale(solver->w, problem->m, by);
    slipi_units_scale(solver->v, problem->dof, by);
  }
  solver->units.q = q;
  if (slipi_laws_have_lengths(&problem->laws))
    slipi_solver_set_laws(solver);
}

/* q of a problem with M from f and w (33), which leaves the free velocity M^-1 f in v. */
static SlipStatus make_q(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  if (!slipi_problem_has_mass(problem))
    return SLIP_OK;
  SlipStatus status =
      slipi_shared_velocity(solver->share, solver->mass, NULL, solver->f, solver->v, error);
  if (status != SLIP_OK)
    return status;
  slipi_problem_spread(problem, solver->v, solver->q);
  for (int32_t k = 0; k < problem->m; k++)
    solver->q[k] += solver->w[k];
  return SLIP_OK;
}

/* A q that is not moderate: another unit, of f and w first, so that nothing overflows. */
static SlipStatus find_q_unit(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  SlipStatus status = SLIP_OK;
  if (slipi_problem_has_mass(problem)) {
    int f = slipi_units_of_q(solver->f, problem->dof, solver->units.q, solver->share);
    int w = slipi_units_of_q(solver->w, problem->m, solver->units.q, solver->share);
    slipi_solver_change_q_unit(solver, f > w ? f : w);
    status = make_q(solver, error);
  }
  if (status == SLIP_OK)
    slipi_solver_change_q_unit(
        solver, slipi_units_of_q(solver->q, problem->m, solver->units.q, solver->share));
  return status;
}

/* v = M^-1 (H s + f), s having normal components only. */
static SlipStatus shared_velocity(SlipSolver *solver, const double *s, SlipError *error) {
  SlipiMass *mass = solver->mass;
  SlipStatus status = solver->share->gather(solver->share->user, s, mass->work, error);
  for (int32_t k = 0; k < mass->dof; k++)
    mass->work[k] += solver->f[k];
  if (status != SLIP_OK)
    return status;
  return slipi_shared_velocity(solver->share, mass, NULL, mass->work, solver->v, error);
}

/* |q| of the problem as it was given, in the solver's units, where cones are shifted: with M, u at
 * r = 0, which is s = c e. */
static SlipStatus given_scale(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  const SlipiOwn own = {.C = problem->C};
  double *q = solver->u, *s = solver->run.r; /* free before a run */
  int32_t d = problem->d;
  SlipStatus status = SLIP_OK;
  if (slipi_problem_has_mass(problem)) {
    memcpy(s, solver->shift, (size_t)problem->m * sizeof *s);
    slipi_units_scale(s, problem->m, solver->units.W - solver->units.q);
    status = solver->share
                 ? shared_velocity(solver, s, error)
                 : slipi_mass_velocity(solver->mass, problem, s, solver->f, solver->v, error);
    slipi_problem_spread(problem, solver->v, q);
    for (int32_t a = 0; a < problem->nc; a++)
      slipi_own_add(&own, d, a, s + (int64_t)d * a, q + (int64_t)d * a);
    for (int32_t k = 0; k < problem->m; k++)
      q[k] += solver->w[k];
  } else {
    memcpy(q, solver->q_given, (size_t)problem->m * sizeof *q);
    slipi_units_scale(q, problem->m, -solver->units.q);
  }
  solver->run.scale = slipi_residual_scale(q, d, problem->nc, solver->share);
  return status;
}

SlipStatus slipi_solver_set_q(SlipSolver *solver, SlipError *error) {
  int32_t d = solver->problem->d, nc = solver->problem->nc;
  /* Without the factors of M, whose making was stopped, q waits for the set-up. */
  if (slipi_problem_has_mass(solver->problem) && !solver->has_mass)
    return SLIP_OK;
  SlipStatus status = make_q(solver, error);
  if (status != SLIP_OK)
    return status;
  double norm = slipi_contacts_norm(solver->q, d, nc, solver->share);
  if (!(norm >= SLIPI_UNITS_Q_LEAST && norm <= SLIPI_UNITS_Q_MOST))
    status = find_q_unit(solver, error);
  solver->run.scale = slipi_residual_scale(solver->q, d, nc, solver->share);
  if (status == SLIP_OK && solver->shift)
    status = given_scale(solver, error);
  solver->apart = slipi_solver_comes_apart(solver);
  return status;
}

void slipi_solver_take_start(SlipSolver *solver, double *r) {
  for (int32_t k = 0; solver->shift && k < solver->run.m; k++)
    r[k] += solver->shift[k];
  slipi_units_scale(r, solver->run.m, solver->units.W - solver->units.q);
}

/* Impulses that double cannot hold in the user's units are no solution, whatever the run says. */
static void check_range(SlipSolver *solver, int by) {
  enum { LEAST = -960, MOST = 1022 }; /* exponents; below, small ones among them lose digits */
  double most = 0;
  for (int32_t k = 0; k < solver->run.m; k++)
    most = fmax(most, fabs(solver->r_best[k]));
  most = slipi_share_most(solver->share, most);
  int size = most > 0 ? ilogb(most) + by : 0;
  if (size >= LEAST && size <= MOST)
    return;
  solver->result.outcome = size > MOST ? SLIP_DIVERGED : SLIP_STALLED;
  snprintf(solver->reason, sizeof solver->reason,
           "the impulses are of size 2^%d, which is out of the range of double: take other units",
           size);
  for (int32_t k = 0; size > MOST && k < solver->run.m; k++)
    solver->r_best[k] = ldexp(solver->r_best[k], MOST - size);
}

static void give_back_units(SlipSolver *solver) {
  SlipiUnits units = solver->units;
  if (units.W == 0 && units.q == 0)
    return;
  check_range(solver, units.q - units.W);
  slipi_units_scale(solver->r_best, solver->run.m, units.q - units.W);
  slipi_units_scale(solver->u, solver->run.m, units.q);
  if (solver->v)
    slipi_units_scale(solver->v, solver->problem->dof, units.q);
  slipi_units_scale(&solver->result.gap, 1, 2 * units.q - units.W);
}

void slipi_solver_give_back(SlipSolver *solver) {
  give_back_units(solver);
  for (int32_t k = 0; solver->shift && k < solver->run.m; k++)
    solver->r_best[k] -= solver->shift[k];
}
