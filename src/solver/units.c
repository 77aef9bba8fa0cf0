/* The units a solver works in (contact/units.h). Everything between here and the result is in them:
 * the problem, q, f, w, lengths of laws, r, u and v of a run. What the user gives or gets is not:
 * r_start, and r_best, u, v and the gap once a run has ended. */
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>

#include "contact/residual.h"
#include "linalg/vector.h"

SlipStatus slipi_solver_set_units(SlipSolver *solver, SlipError *error) {
  solver->given = solver->problem;
  solver->units = (SlipiUnits){.W = slipi_units_of_W(solver->given)};
  if (solver->units.W == 0)
    return SLIP_OK;
  SlipStatus status =
      slipi_units_problem(solver->given, solver->units.W, &solver->arena, &solver->updated, error);
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
  if (problem->laws.radius)
    slipi_solver_set_laws(solver);
}

/* q of a problem with M from f and w (33), which leaves the free velocity M^-1 f in v. */
static SlipStatus make_q(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  if (!slipi_problem_has_mass(problem))
    return SLIP_OK;
  SlipStatus status = slipi_mass_solve(solver->mass, solver->f, solver->v, error);
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
    int f = slipi_units_of_q(solver->f, problem->dof, solver->units.q);
    int w = slipi_units_of_q(solver->w, problem->m, solver->units.q);
    slipi_solver_change_q_unit(solver, f > w ? f : w);
    status = make_q(solver, error);
  }
  if (status == SLIP_OK)
    slipi_solver_change_q_unit(solver, slipi_units_of_q(solver->q, problem->m, solver->units.q));
  return status;
}

SlipStatus slipi_solver_set_q(SlipSolver *solver, SlipError *error) {
  int32_t m = solver->problem->m;
  /* Without the factors of M, whose making was stopped, q waits for the set-up. */
  if (slipi_problem_has_mass(solver->problem) && !solver->has_mass)
    return SLIP_OK;
  SlipStatus status = make_q(solver, error);
  if (status != SLIP_OK)
    return status;
  double norm = slipi_norm(solver->q, m);
  if (!(norm >= SLIPI_UNITS_Q_LEAST && norm <= SLIPI_UNITS_Q_MOST))
    status = find_q_unit(solver, error);
  solver->run.scale = slipi_residual_scale(solver->q, m);
  solver->apart = slipi_solver_comes_apart(solver);
  return status;
}

void slipi_solver_take_start(SlipSolver *solver, double *r) {
  slipi_units_scale(r, solver->run.m, solver->units.W - solver->units.q);
}

/* Impulses that double cannot hold in the user's units are no solution, whatever the run says. */
static void check_range(SlipSolver *solver, int by) {
  enum { LEAST = -960, MOST = 1022 }; /* exponents; below, small ones among them lose digits */
  double most = 0;
  for (int32_t k = 0; k < solver->run.m; k++)
    most = fmax(most, fabs(solver->r_best[k]));
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

void slipi_solver_give_back(SlipSolver *solver) {
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
