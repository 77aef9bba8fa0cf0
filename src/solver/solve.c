/* A problem solved by one call: `auto`, from r = 0. */
#include <string.h>

#include "contact/problem.h"
#include "solver/settings.h"
#include "solver/solver.h"

SlipStatus slip_solve(const SlipProblem *problem, double tol, double *r, double *u,
                      SlipOutcome *outcome, SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !outcome)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "problem or outcome is null, or the problem freed");
  *outcome = SLIP_NOT_RUN;
  SlipSettings settings;
  SlipSolver *solver = NULL;
  slipi_settings_init(&settings, slipi_method_at(0));
  SlipStatus status = slip_settings_set_real(&settings, "tol", tol, error);
  if (status == SLIP_OK)
    status = slip_solver_create(problem, &settings, &solver, error);
  if (status == SLIP_OK)
    status = slip_solver_run(solver, error);
  if (status == SLIP_OK) {
    const SlipResult *result = slip_solver_result(solver);
    *outcome = result->outcome;
    size_t bytes = (size_t)problem->m * sizeof(double);
    if (r && bytes > 0)
      memcpy(r, result->r, bytes);
    if (u && bytes > 0)
      memcpy(u, result->u, bytes);
  }
  slip_solver_free(solver);
  return status;
}
