#include "solver/solver.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "contact/residual.h"

const char *slip_outcome_name(SlipOutcome outcome) {
  switch (outcome) {
  case SLIP_NOT_RUN:
    return "NOT_RUN";
  case SLIP_SOLVED:
    return "SOLVED";
  case SLIP_MAX_ITER:
    return "MAX_ITER";
  case SLIP_TIME_LIMIT:
    return "TIME_LIMIT";
  case SLIP_STALLED:
    return "STALLED";
  case SLIP_DIVERGED:
    return "DIVERGED";
  case SLIP_NO_SOLUTION:
    return "NO_SOLUTION";
  case SLIP_INTERRUPTED:
    return "INTERRUPTED";
  }
  return "unknown outcome";
}

static void set_laws(SlipSolver *solver) {
  for (int32_t k = 0; k < solver->problem->nc; k++) {
    solver->law[k] = slipi_law(solver->problem->law[k], solver->mu[k]);
    solver->law[k].associated = solver->settings.method->info.associated;
  }
  solver->run.laws_changed = true;
}

/* Make the method's state, in place of one it may have. */
static SlipStatus make_state(SlipSolver *solver, SlipError *error) {
  const SlipiMethod *method = solver->settings.method;
  if (solver->run.state && method->destroy)
    method->destroy(&solver->run);
  slipi_arena_free(&solver->method_arena);
  solver->run.state = NULL;
  solver->run.laws_changed = true;
  SlipStatus status = method->create(&solver->run, error);
  solver->ready = status == SLIP_OK;
  return status;
}

/* q of a global problem from f and w (33); the scale of the error from q. */
static SlipStatus set_q(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  if (problem->form == SLIP_GLOBAL) {
    SlipStatus status = slipi_mass_solve(solver->mass, solver->f, solver->v, error);
    if (status != SLIP_OK)
      return status;
    slipi_csr_multiply(&problem->Ht, solver->v, solver->q);
    for (int32_t k = 0; k < problem->m; k++)
      solver->q[k] += solver->w[k];
  }
  solver->run.scale = slipi_residual_scale(solver->q, problem->m);
  return SLIP_OK;
}

/* Whether the set-up can be left to the first run that needs it: no choice of the user is to be
 * checked against the problem. A global problem has made its operator already. */
static bool may_set_up_late(const SlipSolver *solver) {
  return solver->settings.method->set_up_late && solver->problem->form == SLIP_LOCAL &&
         solver->settings.common[SLIPI_COMMON_OPERATOR] == 0;
}

static SlipStatus allocate(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  SlipiArena *arena = &solver->arena;
  size_t m = (size_t)problem->m, nc = (size_t)problem->nc, dof = (size_t)problem->dof;
  solver->mu = slipi_arena_copy(arena, problem->mu, nc, sizeof(double));
  solver->law = SLIPI_ARENA_NEW(arena, SlipiLaw, nc);
  if (problem->form == SLIP_LOCAL) {
    solver->q = slipi_arena_copy(arena, problem->q, m, sizeof(double));
  } else {
    solver->q = SLIPI_ARENA_NEW(arena, double, m);
    solver->f = slipi_arena_copy(arena, problem->f, dof, sizeof(double));
    solver->w = slipi_arena_copy(arena, problem->w, m, sizeof(double));
    solver->v = SLIPI_ARENA_NEW(arena, double, dof);
  }
  solver->run.r = SLIPI_ARENA_NEW(arena, double, m);
  solver->r_start = SLIPI_ARENA_NEW(arena, double, m);
  solver->r_best = SLIPI_ARENA_NEW(arena, double, m);
  solver->u = SLIPI_ARENA_NEW(arena, double, m);
  solver->status = SLIPI_ARENA_NEW(arena, SlipContactStatus, nc);
  solver->contact_error = SLIPI_ARENA_NEW(arena, double, nc);
  SlipiTrace *trace = &solver->trace;
  trace->points = trace->first;
  trace->most = (int32_t)solver->settings.common[SLIPI_COMMON_TRACE];
  trace->capacity = trace->most < SLIPI_TRACE_FIRST ? trace->most : SLIPI_TRACE_FIRST;
  return arena->failed ? slipi_fail_memory(error, "a solver") : SLIP_OK;
}

/* Asymmetry up to this share of |W| is rounding: files hold inverses computed elsewhere. */
static const double SYMMETRIC = 1e-8;

/* W = H' M^-1 H is as symmetric as M, which is A for a global problem, as W for a local one. */
static SlipStatus check_symmetric(const SlipSolver *solver, const SlipiCsr *A, SlipError *error) {
  bool local = solver->problem->form == SLIP_LOCAL;
  SlipiArena scratch = {0};
  SlipiCsr At;
  double asymmetry = 0, norm = 0;
  SlipStatus status = slipi_csr_transpose(&scratch, A, &At, error);
  if (status == SLIP_OK)
    slipi_csr_asymmetry(A, &At, &asymmetry, &norm);
  slipi_arena_free(&scratch);
  if (status == SLIP_OK && asymmetry > SYMMETRIC * norm)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "method %s needs a symmetric W, but |%s - %s'| is %.3g times |%s|; use "
                      "nsgs, psor, fp-vi-upk or eg-vi-upk",
                      solver->settings.method->info.name, local ? "W" : "M", local ? "W" : "M",
                      asymmetry / norm, local ? "W" : "M");
  return status;
}

static SlipStatus make_operator(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  const SlipSettings *settings = &solver->settings;
  unsigned needs = slipi_method_needs(settings->method, settings->own);
  bool rows = (needs & SLIPI_NEED_ROWS) != 0;
  SlipStatus status = SLIP_OK;
  if (needs & SLIPI_NEED_SYMMETRIC)
    status =
        check_symmetric(solver, problem->form == SLIP_LOCAL ? &problem->W : &problem->M, error);
  if (status == SLIP_OK && problem->form == SLIP_GLOBAL)
    status = slipi_mass_create(problem, &solver->mass, error);
  int wanted = (int)settings->common[SLIPI_COMMON_OPERATOR]; /* 0: auto */
  SlipiOperatorKind kind = (SlipiOperatorKind)(wanted - 1);
  if (status == SLIP_OK && wanted == 0)
    status = slipi_operator_choose(problem, solver->mass, rows, &kind, error);
  if (status != SLIP_OK)
    return status;
  if (rows && kind == SLIPI_OPERATOR_FACTORED)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "method %s needs the rows of W, which the factored operator does not have; "
                      "use the dense, block or velocity operator",
                      settings->method->info.name);
  return slipi_operator_create(problem, solver->mass, kind,
                               (int)settings->common[SLIPI_COMMON_THREADS], &solver->op, error);
}

static void fill_run(SlipSolver *solver) {
  const SlipProblem *problem = solver->problem;
  SlipiRun *run = &solver->run;
  run->d = problem->d;
  run->nc = problem->nc;
  run->m = problem->m;
  run->law = solver->law;
  run->q = solver->q;
  run->options = solver->settings.own;
  run->tol = solver->settings.common[SLIPI_COMMON_TOL];
  run->arena = &solver->method_arena;
}

/* What runs need beside q and the laws. */
static SlipStatus set_up(SlipSolver *solver, SlipError *error) {
  if (!solver->settings.method->set_up_late && !slipi_trace_grow(&solver->trace))
    return slipi_fail_memory(error, "a solver");
  SlipStatus status = solver->op ? SLIP_OK : make_operator(solver, error);
  solver->run.op = solver->op;
  if (status == SLIP_OK && !solver->ready)
    status = make_state(solver, error);
  return status;
}

/* A result that is valid before any run. */
static void clear_result(SlipSolver *solver) {
  const SlipProblem *problem = solver->problem;
  solver->result = (SlipResult){.outcome = SLIP_NOT_RUN,
                                .error = INFINITY,
                                .floor = NAN,
                                .error_scale = solver->run.scale,
                                .dimension = problem->d,
                                .contacts = problem->nc,
                                .dof = problem->dof,
                                .r = solver->r_best,
                                .u = solver->u,
                                .v = solver->v,
                                .status = solver->status,
                                .contact_error = solver->contact_error,
                                .trace = solver->trace.points,
                                .method = solver->settings.method->info.name,
                                .reason = solver->reason};
  solver->reason[0] = '\0';
}

static SlipStatus fill_solver(SlipSolver *solver, SlipError *error) {
  SlipStatus status = allocate(solver, error);
  if (status == SLIP_OK && solver->problem->form == SLIP_GLOBAL) /* q needs M */
    status = make_operator(solver, error);
  if (status != SLIP_OK)
    return status;
  fill_run(solver);
  set_laws(solver);
  status = set_q(solver, error);
  solver->apart = slipi_solver_comes_apart(solver);
  if (status == SLIP_OK && !(solver->apart && may_set_up_late(solver)))
    status = set_up(solver, error);
  if (status == SLIP_OK)
    clear_result(solver);
  return status;
}

SlipStatus slip_solver_create(const SlipProblem *problem, const SlipSettings *settings,
                              SlipSolver **solver, SlipError *error) {
  slipi_error_clear(error);
  if (!solver)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null");
  *solver = NULL;
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  SlipSolver *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a solver");
  made->problem = problem;
  if (settings)
    made->settings = *settings;
  else
    slipi_settings_init(&made->settings, slipi_method_at(0));
  SlipStatus status = fill_solver(made, error);
  if (status == SLIP_OK)
    *solver = made;
  else
    slip_solver_free(made);
  return status;
}

void slip_solver_free(SlipSolver *solver) {
  if (!solver)
    return;
  if (solver->settings.method && solver->settings.method->destroy)
    solver->settings.method->destroy(&solver->run);
  slipi_arena_free(&solver->method_arena);
  slipi_operator_free(solver->op);
  slipi_mass_free(solver->mass);
  slipi_arena_free(&solver->arena);
  if (solver->trace.points != solver->trace.first)
    free(solver->trace.points);
  free(solver);
}

void slip_solver_set_progress(SlipSolver *solver, SlipProgressFunction function, void *user) {
  solver->progress = function;
  solver->progress_user = user;
}

SlipStatus slip_solver_warm_start(SlipSolver *solver, const double *r, SlipError *error) {
  slipi_error_clear(error);
  if (!solver || (!r && solver->run.m > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver or r is null");
  SlipStatus status = slipi_problem_check_vector("r", r, solver->run.m, error);
  if (status == SLIP_OK && solver->run.m > 0)
    memcpy(solver->r_start, r, (size_t)solver->run.m * sizeof *r);
  solver->warm = solver->warm || status == SLIP_OK;
  return status;
}

static void start_cold(SlipSolver *solver) {
  if (solver->warm)
    memset(solver->r_start, 0, (size_t)solver->run.m * sizeof *solver->r_start);
  solver->warm = false;
}

static void copy_if(double *to, const double *from, int32_t count) {
  if (from && count > 0)
    memcpy(to, from, (size_t)count * sizeof *to);
}

static SlipStatus check_update(const SlipProblem *problem, const SlipUpdate *update,
                               SlipError *error) {
  bool local = problem->form == SLIP_LOCAL;
  if (local && (update->f || update->w))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a local problem has no f and w to update");
  if (!local && update->q)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a global problem's q follows from f and w; update those");
  if (!local && update->W)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a global problem's W follows from M and H, which cannot be updated");
  SlipStatus status = SLIP_OK;
  if (update->W)
    status = slipi_problem_check_vector("W.x", update->W, problem->W.p[problem->m], error);
  if (status == SLIP_OK && update->q)
    status = slipi_problem_check_vector("q", update->q, problem->m, error);
  if (status == SLIP_OK && update->f)
    status = slipi_problem_check_vector("f", update->f, problem->dof, error);
  if (status == SLIP_OK && update->w)
    status = slipi_problem_check_vector("w", update->w, problem->m, error);
  if (status == SLIP_OK && update->mu)
    status = slipi_problem_check_mu(update->mu, problem->nc, error);
  return status;
}

/* From the first W of an update on the solver has a problem of its own; the user's is const. */
static SlipStatus own_problem(SlipSolver *solver, SlipError *error) {
  if (solver->problem == &solver->updated)
    return SLIP_OK;
  solver->updated = *solver->problem;
  int32_t count = solver->problem->W.p[solver->problem->m];
  solver->arena.failed = false; /* there may be memory again */
  solver->updated.W.x = SLIPI_ARENA_NEW(&solver->arena, double, count);
  if (!solver->updated.W.x)
    return slipi_fail_memory(error, "another matrix W");
  solver->problem = &solver->updated;
  if (solver->op)
    solver->op->problem = &solver->updated;
  return SLIP_OK;
}

static SlipStatus update_W(SlipSolver *solver, const double *x, SlipError *error) {
  const SlipiMethod *method = solver->settings.method;
  SlipiCsr W = solver->problem->W;
  SlipStatus status = SLIP_OK;
  W.x = (double *)x; /* only read */
  if (slipi_method_needs(method, solver->settings.own) & SLIPI_NEED_SYMMETRIC)
    status = check_symmetric(solver, &W, error);
  if (status == SLIP_OK)
    status = own_problem(solver, error);
  if (status != SLIP_OK)
    return status;
  copy_if(solver->updated.W.x, x, W.p[W.rows]);
  if (!solver->op)
    return SLIP_OK;
  slipi_operator_reload(solver->op);
  solver->run.W_changed = solver->run.laws_changed = true;
  return method->follows_W ? SLIP_OK : make_state(solver, error);
}

SlipStatus slip_solver_update(SlipSolver *solver, const SlipUpdate *update, SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !update)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver or update is null");
  const SlipProblem *problem = solver->problem;
  SlipStatus status = check_update(problem, update, error);
  if (status == SLIP_OK && update->W)
    status = update_W(solver, update->W, error);
  if (status != SLIP_OK)
    return status;
  copy_if(solver->q, update->q, problem->m);
  copy_if(solver->f, update->f, problem->dof);
  copy_if(solver->w, update->w, problem->m);
  copy_if(solver->mu, update->mu, problem->nc);
  if (update->mu)
    set_laws(solver);
  if (update->q || update->f || update->w)
    status = set_q(solver, error);
  solver->apart = slipi_solver_comes_apart(solver);
  start_cold(solver);
  clear_result(solver);
  return status;
}

double slipi_solver_floor(SlipSolver *solver, const double *r) {
  return slipi_residual_floor(solver->problem, solver->q, solver->f, solver->w, r, solver->v) /
         solver->run.scale;
}

/* The floor takes a product with |W|, as much as a sweep: of a problem that is solved it is only
 * of interest for tolerances below this. */
static const double FLOOR_ASKED = 1e-8;

/* Everything the result tells of the best point. */
static SlipStatus fill_result(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  SlipiRun *run = &solver->run;
  SlipResult *result = &solver->result;
  SlipStatus status = SLIP_OK;
  if (!solver->u_of_best) {
    status = slipi_operator_apply(run->op, solver->r_best, solver->u, error);
    for (int32_t k = 0; status == SLIP_OK && k < run->m; k++)
      solver->u[k] += run->q[k];
  }
  if (status == SLIP_OK && problem->form == SLIP_GLOBAL)
    status =
        slipi_mass_velocity(solver->mass, problem, solver->r_best, solver->f, solver->v, error);
  if (status != SLIP_OK)
    return status;
  double norm = slipi_residual_norm(run->d, run->nc, run->law, solver->u, solver->r_best,
                                    solver->contact_error, run->op->threads);
  result->error = norm / solver->run.scale;
  if (result->outcome != SLIP_SOLVED || run->tol < FLOOR_ASKED)
    result->floor = slipi_solver_floor(solver, solver->r_best);
  result->gap = slipi_residual_gap(run->d, run->nc, run->law, solver->u, solver->r_best);
  slipi_residual_status(run->d, run->nc, run->law, solver->u, solver->r_best, solver->status);
  for (int32_t k = 0; k < run->nc; k++) {
    solver->contact_error[k] /= solver->run.scale;
    result->open += solver->status[k] == SLIP_OPEN;
    result->stick += solver->status[k] == SLIP_STICK;
    result->slip += solver->status[k] == SLIP_SLIP;
  }
  result->iterations = run->iteration;
  result->trace = solver->trace.points;
  result->trace_count = solver->trace.count;
  return SLIP_OK;
}

/* A run from r_start. */
static SlipStatus run_method(SlipSolver *solver, SlipError *error) {
  size_t bytes = (size_t)solver->run.m * sizeof(double);
  solver->trace.count = 0;
  solver->trace.offered = 0;
  solver->trace.stride = 1;
  memcpy(solver->run.r, solver->r_start, bytes);
  memset(solver->r_best, 0, bytes);
  SlipStatus status = solver->ready ? SLIP_OK : set_up(solver, error);
  if (status == SLIP_OK)
    status = slipi_drive(solver, error);
  return status == SLIP_OK ? fill_result(solver, error) : status;
}

SlipStatus slip_solver_run(SlipSolver *solver, SlipError *error) {
  SlipStatus status = SLIP_OK;
  slipi_error_clear(error);
  if (!solver)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null");
  solver->started = slipi_clock_seconds();
  clear_result(solver);
  if (!solver->apart || solver->warm) {
    status = run_method(solver, error);
  } else {
    slipi_solver_apart(solver);
    if (solver->run.tol < FLOOR_ASKED)
      solver->result.floor = slipi_solver_floor(solver, solver->r_best);
  }
  start_cold(solver); /* a warm start is for one run */
  solver->result.seconds = slipi_clock_seconds() - solver->started;
  if (status != SLIP_OK)
    clear_result(solver);
  return status;
}

const SlipResult *slip_solver_result(const SlipSolver *solver) {
  return &solver->result;
}

SlipStatus slip_solve(const SlipProblem *problem, double tol, double *r, double *u,
                      SlipOutcome *outcome, SlipError *error) {
  slipi_error_clear(error);
  if (!problem || !outcome)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem or outcome is null");
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
    if (r)
      copy_if(r, result->r, problem->m);
    if (u)
      copy_if(u, result->u, problem->m);
  }
  slip_solver_free(solver);
  return status;
}
