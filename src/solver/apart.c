/* Bodies that come apart: where no contact closes at r = 0, that is a solution, exactly. A
 * simulation meets many such steps. They take one look at q, and nothing of W. */
#include "solver/solver.h"

#include <string.h>

#include "base/clock.h"
#include "base/phrase.h"
#include "contact/residual.h"

bool slipi_solver_comes_apart(const SlipSolver *solver) {
  const SlipProblem *problem = solver->problem;
  bool opens = true;
  for (int32_t a = 0; a < problem->nc && opens; a++) {
    double q[3];
    slipi_load(solver->q, problem->d, a, q);
    opens = slipi_law_opens(&solver->law[a], q);
  }
  return !slipi_share_any(solver->share, !opens);
}

void slipi_solver_count_all(SlipSolver *solver) {
  SlipResult *result = &solver->result;
  result->open = (int32_t)slipi_share_count(solver->share, result->open);
  result->stick = (int32_t)slipi_share_count(solver->share, result->stick);
  result->slip = (int32_t)slipi_share_count(solver->share, result->slip);
}

/* Of a problem with M the velocities are those without any impulse. */
SlipStatus slipi_solver_apart(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  size_t m = (size_t)problem->m, nc = (size_t)problem->nc;
  SlipResult *result = &solver->result;
  SlipiPhrase reason = {.at = solver->reason, .size = sizeof solver->reason};
  memset(solver->r_best, 0, m * sizeof *solver->r_best);
  memcpy(solver->u, solver->q, m * sizeof *solver->u);
  memset(solver->contact_residual, 0, nc * sizeof *solver->contact_residual);
  slipi_residual_status(problem->d, problem->nc, solver->law, solver->u, solver->r_best,
                        solver->run.scale, solver->share, solver->status);
  SlipStatus status = SLIP_OK;
  if (slipi_problem_has_mass(problem))
    status = slipi_shared_velocity(solver->share, solver->mass, NULL, solver->f, solver->v, error);
  solver->trace.points[0] = (SlipTracePoint){.seconds = slipi_clock_seconds() - solver->started};
  result->trace_count = 1;
  result->outcome = SLIP_SOLVED;
  result->residual = 0;
  result->physical = 0;
  result->coulomb_residual = 0; /* where no contact closes, g changes nothing */
  for (size_t a = 0; a < nc; a++) {
    result->open += solver->status[a] == SLIP_CONTACT_OPEN;
    result->stick += solver->status[a] == SLIP_CONTACT_STICK;
  }
  slipi_solver_count_all(solver);
  if (solver->run.tol < SLIPI_FLOOR_ASKED && !solver->share)
    result->floor = slipi_solver_floor(solver, solver->r_best);
  slipi_phrase_add(&reason, "the error 0 is at most ");
  slipi_phrase_add_real(&reason, solver->run.tol);
  return status;
}
