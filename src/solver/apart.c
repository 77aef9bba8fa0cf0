/* Bodies that come apart: where no contact closes at r = 0, that is a solution, exactly. A
 * simulation meets many such steps. They take one look at q, and nothing of W. */
#include "solver/solver.h"

#include <string.h>

#include "base/clock.h"
#include "base/phrase.h"

bool slipi_solver_comes_apart(const SlipSolver *solver) {
  const SlipProblem *problem = solver->problem;
  bool associated = solver->settings.method->info.associated;
  for (int32_t a = 0; a < problem->nc; a++) {
    /* u_N >= 0 puts u + g(u) in K*; without g that takes more, and bilateral contacts u = 0. */
    const SlipiLaw *law = &solver->law[a];
    bool opens = solver->q[(int64_t)a * problem->d] >= 0 && law->kind != SLIP_BILATERAL;
    if (!opens || (associated && law->kind == SLIP_COULOMB))
      return false;
  }
  return true;
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
  for (size_t a = 0; a < nc; a++)
    solver->status[a] = SLIP_CONTACT_OPEN;
  SlipStatus status = SLIP_OK;
  if (slipi_problem_has_mass(problem))
    status = slipi_mass_solve(solver->mass, solver->f, solver->v, error);
  solver->trace.points[0] = (SlipTracePoint){.seconds = slipi_clock_seconds() - solver->started};
  result->trace_count = 1;
  result->outcome = SLIP_SOLVED;
  result->residual = 0;
  result->open = (int32_t)nc;
  if (solver->run.tol < SLIPI_FLOOR_ASKED)
    result->floor = slipi_solver_floor(solver, solver->r_best);
  slipi_phrase_add(&reason, "the error 0 is at most ");
  slipi_phrase_add_real(&reason, solver->run.tol);
  return status;
}
