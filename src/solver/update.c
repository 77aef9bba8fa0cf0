/* New data in a solver: vectors, friction, and a W of the same pattern. */
#include "solver/solver.h"

#include <string.h>

#include "base/versioned.h"
#include "contact/laws.h"
#include "contact/shift.h"

static void copy_if(double *to, const double *from, int32_t count) {
  if (from && count > 0)
    memcpy(to, from, (size_t)count * sizeof *to);
}

static SlipStatus check_form(const SlipProblem *problem, const SlipUpdate *update,
                             SlipError *error) {
  bool local = !slipi_problem_has_mass(problem);
  if (local && (update->f || update->w))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a local problem has no f and w to update");
  if (!local && update->q)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a global problem's q follows from f and w; update those");
  if (!local && update->W)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a global problem's W follows from M and H, which cannot be updated");
  return SLIP_OK;
}

static SlipStatus check_update(const SlipProblem *problem, const SlipUpdate *update,
                               SlipError *error) {
  SlipStatus status = check_form(problem, update, error);
  if (status == SLIP_OK && update->q)
    status = slipi_problem_check_vector("q", update->q, problem->m, error);
  if (status == SLIP_OK && update->f)
    status = slipi_problem_check_vector("f", update->f, problem->dof, error);
  if (status == SLIP_OK && update->w)
    status = slipi_problem_check_vector("w", update->w, problem->m, error);
  if (status == SLIP_OK && update->mu)
    status = slipi_laws_check_reals("mu", update->mu, problem->nc, error);
  return status;
}

/* ---- Another W ---- */

static SlipStatus refuse_entry(int32_t row, int32_t column, SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                    "W(%d, %d) is in one of the problem's W and the update's, not in both: an "
                    "update has the pattern of the matrix it replaces",
                    (int)row, (int)column);
}

/* The values of a dense matrix at the places of the pattern; every other one must be 0. */
static SlipStatus take_dense(const SlipiCsr *W, const SlipMatrix *given, double *x,
                             SlipError *error) {
  int32_t m = W->rows;
  if (given->rows != m || given->cols != m)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "W is %d x %d but must be %d x %d",
                      (int)given->rows, (int)given->cols, (int)m, (int)m);
  if (!given->x && m > 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "W has a null array");
  for (int32_t row = 0; row < m; row++) {
    int32_t k = W->p[row];
    for (int32_t column = 0; column < m; column++) {
      double value = given->x[(int64_t)column * m + row];
      bool there = k < W->p[row + 1] && W->i[k] == column;
      if (!isfinite(value))
        return slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "W(%d, %d) is %g, which is not a finite number", (int)row, (int)column,
                          value);
      if (!there && value != 0)
        return refuse_entry(row, column, error);
      if (there)
        x[k++] = value;
    }
  }
  return SLIP_OK;
}

/* Any other layout: in canonical form its pattern is the problem's. */
static SlipStatus take_sparse(SlipiArena *arena, const SlipiCsr *W, const SlipMatrix *given,
                              double *x, SlipError *error) {
  SlipiCsr other;
  SlipStatus status = slipi_csr_from(arena, given, "W", W->rows, W->cols, &other, error);
  for (int32_t row = 0; status == SLIP_OK && row < W->rows; row++) {
    int32_t k = W->p[row], l = other.p[row];
    for (; status == SLIP_OK && (k < W->p[row + 1] || l < other.p[row + 1]); k++, l++) {
      bool left = k < W->p[row + 1], right = l < other.p[row + 1];
      if (!left || !right || W->i[k] != other.i[l])
        status = refuse_entry(row, left && (!right || W->i[k] < other.i[l]) ? W->i[k] : other.i[l],
                              error);
    }
  }
  if (status == SLIP_OK)
    copy_if(x, other.x, W->p[W->rows]);
  return status;
}

/* From the first W of an update on the solver has a problem of its own; the user's is const. */
static SlipStatus own_problem(SlipSolver *solver, SlipError *error) {
  SlipiArena *arena = &solver->arena;
  if (solver->problem == &solver->updated)
    return SLIP_OK;
  solver->updated = *solver->problem;
  int32_t count = solver->problem->W.p[solver->problem->m];
  arena->failed = false; /* there may be memory again */
  solver->updated.W.x = SLIPI_ARENA_NEW(arena, double, count);
  if (!solver->updated.W.x)
    return slipi_fail_memory(error, "another matrix W");
  solver->problem = &solver->updated;
  if (solver->has_operator)
    solver->op->problem = &solver->updated;
  return SLIP_OK;
}

/* Bring values of W, which are in the user's units, to those that suit them. */
static SlipStatus change_W_unit(SlipSolver *solver, SlipiCsr *W, SlipError *error) {
  SlipProblem given = *solver->given;
  given.W = *W;
  int unit = slipi_units_of_W(&given, NULL);
  if (unit != solver->units.W) {
    SlipiArena *arena = &solver->arena;
    const double *C;
    SlipStatus status = slipi_units_compliance(&given, unit, arena, &C, error);
    if (status != SLIP_OK)
      return status;
    solver->updated.C = C;
    if (solver->has_operator)
      solver->op->own.C = C;
    solver->units.W = unit;
    slipi_solver_set_laws(solver);
  }
  slipi_units_scale(W->x, W->p[W->rows], -unit);
  return SLIP_OK;
}

static SlipStatus update_W(SlipSolver *solver, const SlipMatrix *given, SlipError *error) {
  const SlipiMethod *method = solver->settings.method;
  SlipiArena *arena = &solver->update_arena;
  SlipiCsr W = solver->problem->W;
  slipi_arena_reset(arena);
  W.x = SLIPI_ARENA_NEW(arena, double, W.p[W.rows]);
  if (!W.x)
    return slipi_fail_memory(error, "another matrix W");
  SlipStatus status = given->layout == SLIP_DENSE ? take_dense(&W, given, W.x, error)
                                                  : take_sparse(arena, &W, given, W.x, error);
  if (status == SLIP_OK)
    status = slipi_solver_check_symmetric(solver, &W, error);
  if (status == SLIP_OK)
    status = own_problem(solver, error);
  if (status == SLIP_OK)
    status = change_W_unit(solver, &W, error);
  if (status != SLIP_OK)
    return status;
  copy_if(solver->updated.W.x, W.x, W.p[W.rows]);
  solver->knows_mobility = false;
  if (!solver->has_operator)
    return SLIP_OK;
  slipi_operator_reload(solver->op);
  solver->run.W_changed = solver->run.laws_changed = true;
  if (method->follows_W)
    return SLIP_OK;
  slipi_solver_watch(solver, true);
  return slipi_solver_forgive_stop(solver, slipi_solver_make_state(solver, error), error);
}

/* The new vectors, in the user's units, as those of r + c e. */
static void shift_vectors(SlipSolver *solver, const SlipUpdate *update) {
  const SlipProblem *problem = solver->problem;
  if (update->f)
    slipi_shift_f(solver->given, solver->shift, solver->room, solver->f);
  if (update->w)
    slipi_shift_w(solver->given, solver->shift, solver->w);
  if (solver->q_given &&
      (update->q || update->W)) { /* W, which may be new, is in the solver's units */
    double *c = solver->run.r;
    copy_if(c, solver->shift, problem->m);
    slipi_units_scale(c, problem->m, solver->units.W);
    copy_if(solver->q, solver->q_given, problem->m);
    slipi_shift_q(problem, c, solver->q);
  }
}

static SlipStatus take_update(SlipSolver *solver, const SlipUpdate *update, SlipError *error) {
  SlipStatus status = update->W ? update_W(solver, update->W, error) : SLIP_OK;
  if (status != SLIP_OK)
    return status;
  const SlipProblem *problem = solver->problem;
  slipi_solver_change_q_unit(solver, 0);
  copy_if(solver->shift ? solver->q_given : solver->q, update->q, problem->m);
  copy_if(solver->f, update->f, problem->dof);
  copy_if(solver->w, update->w, problem->m);
  if (solver->shift)
    shift_vectors(solver, update);
  if (update->f)
    slipi_units_scale(solver->f, problem->dof, solver->units.W);
  copy_if(solver->mu, update->mu, problem->nc);
  if (update->mu)
    slipi_solver_set_laws(solver);
  status = slipi_solver_set_q(solver, error);
  slipi_solver_clear_result(solver);
  return status;
}

SlipStatus slip_solver_update(SlipSolver *solver, const SlipUpdate *given, SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_SOLVER(solver) || !given || !solver->problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "update or solver is null, or the solver freed or without a problem");
  SlipUpdate update = slip_default_update();
  SlipStatus status = slipi_versioned_read("update", given, &update, sizeof update, error);
  if (status == SLIP_OK)
    status = check_update(solver->problem, &update, error);
  if (status != SLIP_OK)
    return status;
  slipi_solver_begin_setup(solver);
  status = take_update(solver, &update, error);
  slipi_solver_end_setup(solver);
  return status;
}
