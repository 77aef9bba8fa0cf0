/* The attempts made where the criterion fails, which with friction proves nothing yet: the impulses
 * given, no impulse at all, every combination of statuses, and a solver. */
#include "exist/exist.h"

#include <string.h>

#include "base/clock.h"
#include "contact/residual.h"
#include "contact/shift.h"
#include "exist/enumerate.h"
#include "methods/loop.h"

#define SOLVE_TOL 1e-10
#define SOLVE_SECONDS 10.0

/* ---- Solutions found ---------------------------------------------------------------------- */

bool slipi_check_found(SlipiCheck *check, const double *r, const double *u, const int32_t *status,
                       bool continuum) {
  SlipCheck *result = &check->result;
  int64_t m = (int64_t)result->dimension * result->contacts;
  SlipiArena *arena = &check->arena;
  int count = result->found_count;
  if (count == check->found_room) {
    int room = 2 * count + 4;
    SlipFound *list = SLIPI_ARENA_NEW(arena, SlipFound, room);
    if (!list)
      return false;
    if (count > 0)
      memcpy(list, check->found, (size_t)count * sizeof *list);
    result->found = check->found = list;
    check->found_room = room;
  }
  SlipFound *found = &check->found[count];
  double *copy = slipi_arena_copy(arena, r, (size_t)m, sizeof *r);
  if (copy && check->shifted)
    slipi_shift_impulses(check->shifted, -1, copy);
  *found = (SlipFound){
      .r = copy,
      .u = slipi_arena_copy(arena, u, (size_t)m, sizeof *u),
      .status = slipi_arena_copy(arena, status, (size_t)result->contacts, sizeof *status),
      .continuum = continuum};
  if (arena->failed)
    return false;
  result->found_count++;
  return true;
}

/* ---- No impulse --------------------------------------------------------------------------- */

/* u = q, and for a global problem q = H' M^-1 f + w. */
static SlipStatus free_velocity(SlipiCheck *check, double *r, double *u, SlipError *error) {
  const SlipProblem *problem = check->problem;
  SlipStatus status = SLIP_OK;
  if (problem->form == SLIP_FORM_LOCAL) {
    memcpy(u, problem->q, (size_t)problem->m * sizeof *u);
    return status;
  }
  double *v = SLIPI_ARENA_NEW(&check->work, double, problem->dof);
  if (!v)
    return slipi_fail_memory(error, "an existence check");
  status = slipi_check_need_mass(check, error);
  if (status != SLIP_OK)
    return status;
  status = slipi_mass_velocity(check->mass, problem, r, problem->f, v, error);
  slipi_csr_multiply(&problem->Ht, v, u);
  for (int32_t k = 0; k < problem->m; k++)
    u[k] += problem->w[k];
  return status;
}

static SlipStatus try_open(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  double *r = SLIPI_ARENA_NEW(&check->work, double, problem->m);
  double *u = SLIPI_ARENA_NEW(&check->work, double, problem->m);
  int32_t *open = SLIPI_ARENA_NEW(&check->work, int32_t, problem->nc);
  if (check->work.failed)
    return slipi_fail_memory(error, "an existence check");
  SlipStatus status = free_velocity(check, r, u, error);
  for (int32_t c = 0; status == SLIP_OK && c < problem->nc; c++) {
    double uc[3];
    slipi_load(u, problem->d, c, uc);
    if (!slipi_law_opens(&problem->law[c], uc))
      return SLIP_OK;
  }
  if (status != SLIP_OK)
    return status;
  check->result.answer = SLIP_ANSWER_YES;
  check->result.ground = SLIP_CHECK_BY_OPEN;
  slipi_check_say(check, check->shifted
                             ? "Yet no contact needs more than the pull of its cohesion: with that "
                               "pull, and else r = 0, there is a solution."
                             : "Yet no contact needs an impulse: r = 0 is a solution.");
  return slipi_check_found(check, r, u, open, false)
             ? SLIP_OK
             : slipi_fail_memory(error, "the result of an existence check");
}

/* ---- The impulses given ------------------------------------------------------------------- */

static SlipStatus try_given(SlipiCheck *check, SlipError *error) {
  const SlipProblem *problem = check->problem;
  const double *r = check->options.r;
  double off, physical, *u = SLIPI_ARENA_NEW(&check->work, double, problem->m);
  int32_t *contact = SLIPI_ARENA_NEW(&check->work, int32_t, problem->nc);
  if (check->work.failed)
    return slipi_fail_memory(error, "an existence check");
  SlipStatus status = slip_problem_residual(problem, r, &off, NULL, error);
  if (status != SLIP_OK || !(off <= SOLVE_TOL))
    return status;
  status = slip_problem_physical(problem, r, &physical, error);
  if (status != SLIP_OK || !(physical <= SLIPI_CONFIRMED * SOLVE_TOL))
    return status;
  status = slip_problem_velocity(problem, r, u, NULL, error);
  if (status == SLIP_OK)
    status = slipi_problem_status(problem, u, r, contact, error);
  if (status != SLIP_OK)
    return status;
  check->result.answer = SLIP_ANSWER_YES;
  check->result.ground = SLIP_CHECK_BY_GIVEN;
  slipi_check_say(check, "Yet the impulses given are a solution, with an error of %.2g.", off);
  return slipi_check_found(check, r, u, contact, false)
             ? SLIP_OK
             : slipi_fail_memory(error, "the result of an existence check");
}

/* ---- A solver ----------------------------------------------------------------------------- */

static SlipStatus solver_settings(const SlipiCheck *check, SlipSettings **settings,
                                  SlipError *error) {
  SlipStatus status = slip_settings_create(NULL, settings, error);
  double left = check->deadline - slipi_clock_seconds();
  if (status == SLIP_OK)
    status = slip_settings_set_real(*settings, "tol", SOLVE_TOL, error);
  if (status == SLIP_OK)
    status = slip_settings_set_real(*settings, "time-limit", fmin(fmax(left, 1e-3), SOLVE_SECONDS),
                                    error);
  if (status == SLIP_OK && check->options.progress)
    slip_settings_set_progress(*settings, check->options.progress, check->options.progress_user);
  return status;
}

static SlipStatus try_solver(SlipiCheck *check, SlipError *error) {
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  SlipStatus status = solver_settings(check, &settings, error);
  if (status == SLIP_OK)
    status = slip_solver_create(check->problem, settings, &solver, error);
  if (status == SLIP_OK && check->options.r)
    status = slip_solver_warm_start(solver, check->options.r, error);
  if (status == SLIP_OK)
    status = slip_solver_run(solver, error);
  if (status != SLIP_OK) {
    slip_solver_free(solver);
    slip_settings_free(settings);
    return status;
  }
  const SlipResult *result = slip_solver_result(solver);
  if (result->outcome == SLIP_SOLVED) {
    check->result.answer = SLIP_ANSWER_YES;
    check->result.ground = SLIP_CHECK_BY_SOLVING;
    slipi_check_say(check, "Yet %s found a solution, with an error of %.2g.", result->method,
                    result->residual);
    if (!slipi_check_found(check, result->r, result->u, result->status, false))
      status = slipi_fail_memory(error, "the result of an existence check");
  } else {
    slipi_check_say(check, "A solver (%s) did not find a solution either (%s).", result->method,
                    slip_outcome_name(result->outcome));
  }
  slip_solver_free(solver);
  slip_settings_free(settings);
  return status;
}

SlipStatus slipi_check_further(SlipiCheck *check, SlipError *error) {
  const SlipCheckOptions *options = &check->options;
  SlipStatus status = SLIP_OK;
  if (options->enumerate)
    status = slipi_check_enumerate(check, error);
  if (status == SLIP_OK && check->result.answer == SLIP_ANSWER_UNDECIDED && options->r)
    status = try_given(check, error);
  if (status == SLIP_OK && check->result.answer == SLIP_ANSWER_UNDECIDED)
    status = try_open(check, error);
  if (status == SLIP_OK && check->result.answer == SLIP_ANSWER_UNDECIDED && options->solve)
    status = try_solver(check, error);
  return status;
}
