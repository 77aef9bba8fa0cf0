#include "solver/solver.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/phrase.h"
#include "base/versioned.h"
#include "contact/physical.h"
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

SlipStatus slipi_solver_make_state(SlipSolver *solver, SlipError *error) {
  const SlipiMethod *method = solver->settings.method;
  if (solver->run.state && method->destroy)
    method->destroy(&solver->run);
  slipi_arena_reset(&solver->method_arena);
  solver->run.state = NULL;
  solver->run.laws_changed = true;
  SlipStatus status = slipi_share_agree(solver->share, method->create(&solver->run, error), error);
  solver->ready = status == SLIP_OK;
  return status;
}

/* Whether the set-up can be left to the first run that needs it: no choice of the user is to be
 * checked against the problem. */
static bool may_set_up_late(const SlipSolver *solver) {
  return solver->settings.method->set_up_late &&
         solver->settings.common[SLIPI_COMMON_OPERATOR] == 0;
}

static SlipStatus allocate(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  SlipiArena *arena = &solver->arena, *kept = &solver->kept_arena[solver->current];
  size_t m = (size_t)problem->m, nc = (size_t)problem->nc, dof = (size_t)problem->dof;
  solver->mu = slipi_arena_copy(arena, problem->laws.mu, nc, sizeof(double));
  solver->law = SLIPI_ARENA_RAW(arena, SlipiLaw, nc);
  if (problem->form == SLIP_FORM_LOCAL) {
    solver->q = slipi_arena_copy(arena, problem->q, m, sizeof(double));
  } else {
    solver->q = SLIPI_ARENA_RAW(arena, double, m);
    solver->f = slipi_arena_copy(arena, problem->f, dof, sizeof(double));
    solver->w = slipi_arena_copy(arena, problem->w, m, sizeof(double));
    solver->v = SLIPI_ARENA_RAW(arena, double, dof);
    solver->room = SLIPI_ARENA_RAW(arena, double, 2 * dof);
    if (solver->f)
      slipi_units_scale(solver->f, problem->dof, solver->units.W);
  }
  solver->key = problem->key ? slipi_arena_copy(kept, problem->key, nc, sizeof(uint64_t)) : NULL;
  solver->world = problem->key && problem->frame ? SLIPI_ARENA_RAW(kept, double, m) : NULL;
  solver->r_best = SLIPI_ARENA_NEW(kept, double, m);
  solver->run.r = SLIPI_ARENA_RAW(arena, double, m);
  solver->r_start = SLIPI_ARENA_NEW(arena, double, m);
  solver->r_trial = solver->u_exact = NULL;
  solver->u = SLIPI_ARENA_NEW(arena, double, m);
  solver->status = SLIPI_ARENA_NEW(arena, int32_t, nc);
  solver->contact_residual = SLIPI_ARENA_NEW(arena, double, nc);
  solver->mobility = SLIPI_ARENA_RAW(arena, double, nc);
  solver->knows_mobility = false;
  return arena->failed || kept->failed ? slipi_fail_memory(error, "a solver") : SLIP_OK;
}

static void init_trace(SlipSolver *solver) {
  SlipiTrace *trace = &solver->trace;
  trace->points = trace->first;
  trace->capacity_wanted = (int32_t)solver->settings.common[SLIPI_COMMON_TRACE];
  trace->capacity =
      trace->capacity_wanted < SLIPI_TRACE_FIRST ? trace->capacity_wanted : SLIPI_TRACE_FIRST;
}

/* Asymmetry up to this share of |W| is rounding: files hold inverses computed elsewhere. */
static const double SYMMETRIC = 1e-8;

SlipStatus slipi_solver_check_symmetric(const SlipSolver *solver, const SlipiCsr *W,
                                        SlipError *error) {
  const SlipProblem *problem = solver->problem;
  const SlipiMethod *method = solver->settings.method;
  double asymmetry = 0, norm = 0;
  SlipStatus status = SLIP_OK;
  if (!(slipi_method_needs(method, solver->settings.own) & SLIPI_NEED_SYMMETRIC))
    return SLIP_OK;
  /* W = H' M^-1 H is as symmetric as M. */
  const char *name = slipi_problem_has_mass(problem) ? "M" : "W";
  if (problem->form == SLIP_FORM_BODIES)
    slipi_problem_mass_asymmetry(problem, &asymmetry, &norm);
  else
    status = slipi_csr_asymmetry(slipi_problem_has_mass(problem) ? &problem->M
                                 : W                             ? W
                                                                 : &problem->W,
                                 &solver->run.stop, &asymmetry, &norm, error);
  if (status == SLIP_OK && asymmetry > SYMMETRIC * norm)
    return slipi_solver_refuse_asymmetry(solver, name, asymmetry / norm, error);
  return status;
}

/* The factors of M, and q, which needs them. */
static SlipStatus make_mass(SlipSolver *solver, SlipError *error) {
  SlipStatus status = solver->mass ? SLIP_OK : slipi_mass_new(&solver->mass, error);
  slipi_solver_watch(solver, true);
  if (status == SLIP_OK)
    status = slipi_mass_set(solver->mass, solver->problem, error);
  status = slipi_share_agree(solver->share, status, error);
  if (status == SLIP_OK && solver->share) /* one way for all processes */
    solver->mass->symmetric = !slipi_share_any(solver->share, !solver->mass->symmetric);
  solver->has_mass = status == SLIP_OK;
  return status == SLIP_OK ? slipi_solver_set_q(solver, error) : status;
}

static SlipStatus make_operator(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  const SlipSettings *settings = &solver->settings;
  bool rows = (slipi_method_needs(settings->method, settings->own) & SLIPI_NEED_ROWS) != 0;
  SlipiMass *mass = solver->has_mass ? solver->mass : NULL;
  SlipStatus status = slipi_solver_check_symmetric(solver, NULL, error);
  int wanted = (int)settings->common[SLIPI_COMMON_OPERATOR]; /* 0: auto */
  if (solver->share)
    wanted = SLIPI_OPERATOR_VELOCITY + 1;
  SlipiOperatorKind kind = (SlipiOperatorKind)(wanted - 1);
  if (status == SLIP_OK && wanted == 0)
    status = slipi_operator_choose(problem, mass, rows, &kind, error);
  if (status != SLIP_OK)
    return status;
  if (rows && kind == SLIPI_OPERATOR_FACTORED)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "method %s needs the rows of W, which the factored operator does not have; "
                      "use the dense, block or velocity operator",
                      settings->method->info.name);
  int threads = (int)settings->common[SLIPI_COMMON_THREADS];
  if (!solver->op)
    status = slipi_operator_new(&solver->op, error);
  slipi_solver_watch(solver, true);
  if (solver->op)
    solver->op->share = solver->share;
  if (status == SLIP_OK)
    status = slipi_operator_set(solver->op, problem, mass, kind, threads, error);
  status = slipi_share_agree(solver->share, status, error);
  solver->has_operator = status == SLIP_OK && solver->op;
  if (solver->has_operator) { /* which updates change */
    solver->op->f = solver->f;
    solver->op->w = solver->w;
  }
  return status;
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
  run->part_arena = solver->part_arena;
}

/* The operator and the state of the method, which runs need beside q and the laws. */
static SlipStatus make_ready(SlipSolver *solver, SlipError *error) {
  if (!solver->settings.method->set_up_late && !slipi_trace_grow(&solver->trace))
    return slipi_fail_memory(error, "a solver");
  SlipStatus status = solver->has_operator ? SLIP_OK : make_operator(solver, error);
  solver->run.op = solver->op;
  if (status == SLIP_OK && !solver->ready)
    status = slipi_solver_make_state(solver, error);
  return status;
}

/* A set-up that the clock or the user has stopped is no error: the solver is not ready then. */
SlipStatus slipi_solver_forgive_stop(const SlipSolver *solver, SlipStatus status,
                                     SlipError *error) {
  if (status != SLIP_ERROR_NUMERIC || solver->stopped == SLIP_NOT_RUN)
    return status;
  slipi_error_clear(error);
  return SLIP_OK;
}

/* may_wait: not what only runs need that the bodies do not come apart before. */
static SlipStatus set_up(SlipSolver *solver, bool may_wait, SlipError *error) {
  SlipStatus status = SLIP_OK;
  slipi_solver_watch(solver, true);
  if (slipi_problem_has_mass(solver->problem) && !solver->has_mass)
    status = make_mass(solver, error);
  if (status == SLIP_OK && !(may_wait && solver->apart && may_set_up_late(solver)))
    status = make_ready(solver, error);
  return slipi_solver_forgive_stop(solver, status, error);
}

void slipi_solver_clear_result(SlipSolver *solver) {
  const SlipProblem none = {0}, *problem = solver->problem ? solver->problem : &none;
  solver->result = (SlipResult){.size = sizeof(SlipResult),
                                .outcome = SLIP_NOT_RUN,
                                .residual = INFINITY,
                                .physical = NAN,
                                .relaxed = solver->settings.method->info.associated,
                                .coulomb_residual = NAN,
                                .floor = NAN,
                                .residual_scale = ldexp(solver->run.scale, solver->units.q),
                                .dimension = problem->d,
                                .contacts = problem->nc,
                                .dof = problem->dof,
                                .r = solver->r_best,
                                .u = solver->u,
                                .v = solver->v,
                                .status = solver->status,
                                .contact_residual = solver->contact_residual,
                                .trace = solver->trace.points,
                                .method = solver->settings.method->info.name,
                                .reason = solver->reason};
  solver->reason[0] = '\0';
}

static SlipStatus fill_unlimited(SlipSolver *solver, SlipError *error) {
  SlipStatus status = slipi_solver_set_units(solver, error);
  if (status == SLIP_OK)
    status = allocate(solver, error);
  status = slipi_share_agree(solver->share, status, error);
  if (status != SLIP_OK)
    return status;
  fill_run(solver);
  slipi_solver_set_first_laws(solver);
  status = slipi_share_agree(solver->share, slipi_solver_check_method(solver, error), error);
  if (status == SLIP_OK)
    status = slipi_solver_set_q(solver, error);
  if (status == SLIP_OK)
    status = set_up(solver, true, error);
  if (status == SLIP_OK)
    slipi_solver_clear_result(solver);
  return status;
}

void slipi_solver_begin_setup(SlipSolver *solver) {
  solver->started = slipi_clock_seconds() - solver->setup_seconds;
  solver->setting_up = true;
}

void slipi_solver_end_setup(SlipSolver *solver) {
  slipi_solver_watch(solver, false);
  solver->setting_up = false;
  solver->setup_seconds = slipi_clock_seconds() - solver->started;
}

static SlipStatus fill_solver(SlipSolver *solver, SlipError *error) {
  solver->setup_seconds = 0;
  solver->stopped = SLIP_NOT_RUN;
  slipi_solver_begin_setup(solver);
  SlipStatus status = fill_unlimited(solver, error);
  slipi_solver_end_setup(solver);
  return status;
}

SlipStatus slip_solver_create(const SlipProblem *problem, const SlipSettings *settings,
                              SlipSolver **solver, SlipError *error) {
  slipi_error_clear(error);
  if (solver)
    *solver = NULL;
  if (!SLIPI_IS_PROBLEM(problem))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null or freed");
  return slipi_solver_create_shared(problem, settings, NULL, solver, error);
}

SlipStatus slipi_solver_create_shared(const SlipProblem *problem, const SlipSettings *settings,
                                      const SlipiShare *share, SlipSolver **solver,
                                      SlipError *error) {
  if (!solver)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null");
  *solver = NULL;
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  SlipSolver *made = malloc(sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a solver");
  memset(made, 0, offsetof(SlipSolver, reason));
  made->reason[0] = '\0';
  made->alive = SLIPI_ALIVE_SOLVER;
  made->problem = problem;
  made->share = share;
  if (settings)
    made->settings = *settings;
  else
    slipi_settings_init(&made->settings, slipi_method_at(0));
  made->progress = made->settings.progress;
  made->progress_user = made->settings.progress_user;
  init_trace(made);
  SlipStatus status = fill_solver(made, error);
  if (status == SLIP_OK)
    *solver = made;
  else
    slip_solver_free(made);
  return status;
}

/* Keep the impulses of the last run: their arrays stay until the problem after the next. */
static void keep_last(SlipSolver *solver) {
  solver->last = (SlipiLast){0};
  if (solver->has_result && solver->key)
    solver->last = (SlipiLast){.d = solver->run.d,
                               .nc = solver->run.nc,
                               .r = solver->r_best,
                               .world = solver->world,
                               .key = solver->key};
}

/* Leave the solver without arrays that point to another problem's. */
static void forget_problem(SlipSolver *solver) {
  solver->problem = solver->given = NULL;
  solver->units = (SlipiUnits){0};
  solver->q = solver->f = solver->w = solver->mu = NULL;
  solver->shift = solver->q_given = NULL;
  solver->r_start = solver->r_best = solver->r_trial = solver->u_exact = NULL;
  solver->u = solver->v = solver->room = NULL;
  solver->contact_residual = solver->world = NULL;
  solver->key = NULL;
  solver->status = NULL;
  solver->law = NULL;
  solver->run.r = NULL;
  solver->has_mass = solver->has_operator = solver->has_result = false;
  solver->ready = solver->warm = solver->apart = false;
}

SlipStatus slip_solver_set_problem(SlipSolver *solver, const SlipProblem *problem,
                                   SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_SOLVER(solver) || !SLIPI_IS_PROBLEM(problem))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver or problem is null or freed");
  keep_last(solver);
  forget_problem(solver);
  solver->problem = problem;
  solver->current = 1 - solver->current;
  slipi_arena_reset(&solver->arena);
  slipi_arena_reset(&solver->kept_arena[solver->current]);
  SlipStatus status = fill_solver(solver, error);
  if (status == SLIP_OK)
    return SLIP_OK;
  forget_problem(solver);
  solver->last = (SlipiLast){0};
  slipi_solver_clear_result(solver);
  return status;
}

void slip_solver_free(SlipSolver *solver) {
  if (!SLIPI_IS_SOLVER(solver))
    return;
  slipi_handle_end(&solver->alive);
  if (solver->settings.method && solver->settings.method->destroy)
    solver->settings.method->destroy(&solver->run);
  slipi_arena_free(&solver->method_arena);
  for (int k = 0; k < SLIPI_PARTS_MOST; k++)
    slipi_arena_free(&solver->part_arena[k]);
  slipi_operator_free(solver->op);
  slipi_mass_free(solver->mass);
  slipi_arena_free(&solver->arena);
  for (int k = 0; k < 2; k++)
    slipi_arena_free(&solver->kept_arena[k]);
  slipi_arena_free(&solver->update_arena);
  if (solver->trace.points != solver->trace.first)
    free(solver->trace.points);
  free(solver);
}

void slip_solver_set_progress(SlipSolver *solver, SlipProgressFunction function, void *user) {
  if (!SLIPI_IS_SOLVER(solver))
    return;
  solver->progress = function;
  solver->progress_user = user;
}

double slipi_solver_floor(SlipSolver *solver, const double *r) {
  return slipi_residual_floor(solver->problem, solver->q, solver->f, solver->w, r, solver->room) /
         solver->run.scale;
}

SlipStatus slipi_solver_measure(SlipSolver *solver, const double *r, const double *u,
                                const double *mu, double *measure, SlipError *error) {
  if (!solver->knows_mobility) {
    SlipStatus status = slipi_physical_mobility(solver->op, solver->mobility, error);
    if (status != SLIP_OK)
      return status;
    solver->knows_mobility = true;
  }
  const SlipiPoint point = {.d = solver->run.d,
                            .nc = solver->run.nc,
                            .w = solver->mobility,
                            .q = solver->q,
                            .r = r,
                            .u = u,
                            .share = solver->share};
  *measure = slipi_physical_error(&point, solver->law, mu);
  return SLIP_OK;
}

SlipStatus slipi_solver_physical(SlipSolver *solver, const double *r, const double *u,
                                 double *measure, SlipError *error) {
  return slipi_solver_measure(solver, r, u, solver->mu, measure, error);
}

/* Through sparse factors W_aa takes as long as W: it is not worked out for a result alone. */
static bool tells_physical(const SlipSolver *solver) {
  const SlipiOperator *op = solver->has_operator ? solver->op : NULL;
  return solver->knows_mobility || (op && op->table->kind != SLIPI_OPERATOR_FACTORED);
}

/* The error of a relaxation's point with the laws as given, and a word on it. */
static void judge_relaxation(SlipSolver *solver) {
  const SlipiRun *run = &solver->run;
  SlipiPhrase reason = {.at = solver->reason, .size = sizeof solver->reason};
  double sum = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    double r[3], u[3], e[3];
    SlipiLaw law = slipi_solver_given_law(solver, a);
    slipi_load(solver->r_best, run->d, a, r);
    slipi_load(solver->u, run->d, a, u);
    sum += slipi_law_natural_map(&law, 1, u, r, e);
  }
  solver->result.coulomb_residual = sqrt(sum) / run->scale;
  reason.used = strlen(solver->reason);
  slipi_phrase_add(&reason, "; with Coulomb's law the error is ");
  slipi_phrase_add_real(&reason, solver->result.coulomb_residual);
}

/* Whether to work out how much of the error is rounding, for which W is read once more: not of
 * impulses far from a solution at which a run had to end. */
static bool tells_floor(const SlipSolver *solver) {
  const SlipResult *result = &solver->result;
  bool early = result->outcome == SLIP_TIME_LIMIT || result->outcome == SLIP_INTERRUPTED;
  bool fine = solver->run.tol < SLIPI_FLOOR_ASKED;
  if (solver->share) /* bounds of bodies that several processes touch are not added up */
    return false;
  return early ? result->residual < SLIPI_FLOOR_ASKED : fine || result->outcome != SLIP_SOLVED;
}

/* Everything the result tells of the best point. */
static SlipStatus fill_result(SlipSolver *solver, SlipError *error) {
  const SlipProblem *problem = solver->problem;
  SlipiRun *run = &solver->run;
  SlipResult *result = &solver->result;
  SlipStatus status = SLIP_OK;
  if (!solver->u_of_best)
    status = slipi_operator_contact_velocity(run->op, solver->r_best, run->q, solver->u, error);
  if (status == SLIP_OK && solver->has_operator && slipi_problem_has_mass(problem))
    status = slipi_operator_velocity(solver->op, solver->r_best, solver->f, solver->v, error);
  else if (status == SLIP_OK && slipi_problem_has_mass(problem))
    status =
        slipi_mass_velocity(solver->mass, problem, solver->r_best, solver->f, solver->v, error);
  if (status != SLIP_OK)
    return status;
  double norm = slipi_residual_norm(run->d, run->nc, run->law, solver->u, solver->r_best,
                                    solver->contact_residual, solver->op ? solver->op->team : NULL,
                                    solver->share);
  result->residual = norm / solver->run.scale;
  if (tells_floor(solver))
    result->floor = slipi_solver_floor(solver, solver->r_best);
  result->gap =
      slipi_residual_gap(run->d, run->nc, run->law, solver->u, solver->r_best, solver->share);
  slipi_residual_status(run->d, run->nc, run->law, solver->u, solver->r_best, run->scale,
                        solver->share, solver->status);
  for (int32_t k = 0; k < run->nc; k++) {
    solver->contact_residual[k] /= solver->run.scale;
    result->open += solver->status[k] == SLIP_CONTACT_OPEN;
    result->stick += solver->status[k] == SLIP_CONTACT_STICK;
    result->slip += solver->status[k] == SLIP_CONTACT_SLIP;
  }
  slipi_solver_count_all(solver);
  result->coulomb_residual = result->residual;
  if (result->relaxed)
    judge_relaxation(solver);
  result->iterations = run->iteration;
  result->trace = solver->trace.points;
  result->trace_count = solver->trace.count;
  return isnan(result->physical) && tells_physical(solver)
             ? slipi_solver_physical(solver, solver->r_best, solver->u, &result->physical, error)
             : SLIP_OK;
}

/* The set-up was stopped: there is nothing but r = 0, and where q is not known yet, no velocity. */
static SlipStatus end_unready(SlipSolver *solver, SlipError *error) {
  solver->result.outcome = solver->stopped;
  solver->run.iteration = 0;
  if (slipi_problem_has_mass(solver->problem) && !solver->has_mass) {
    for (int32_t k = 0; k < solver->run.m; k++)
      solver->u[k] = NAN;
    for (int32_t k = 0; k < solver->problem->dof; k++)
      solver->v[k] = NAN;
    slipi_solver_explain_stop(solver, solver->stopped);
    return SLIP_OK;
  }
  if (solver->run.m > 0)
    memcpy(solver->u, solver->q, (size_t)solver->run.m * sizeof *solver->u);
  solver->u_of_best = true;
  slipi_solver_explain_stop(solver, solver->stopped);
  return fill_result(solver, error);
}

/* A run from r_start. */
static SlipStatus run_method(SlipSolver *solver, SlipError *error) {
  size_t bytes = (size_t)solver->run.m * sizeof(double);
  solver->trace.count = 0;
  solver->trace.offered = 0;
  solver->trace.stride = 1;
  memcpy(solver->run.r, solver->r_start, bytes);
  if (solver->warm)
    slipi_solver_take_start(solver, solver->run.r);
  memset(solver->r_best, 0, bytes);
  slipi_solver_watch(solver, true);
  SlipStatus status = SLIP_OK;
  if (!solver->ready && solver->stopped == SLIP_NOT_RUN)
    status = set_up(solver, false, error);
  if (status == SLIP_OK && !solver->ready) {
    slipi_solver_watch(solver, false);
    return end_unready(solver, error);
  }
  solver->stopped = SLIP_NOT_RUN;
  if (status == SLIP_OK)
    status = slipi_drive(solver, error);
  slipi_solver_watch(solver, false);
  return status == SLIP_OK ? fill_result(solver, error) : status;
}

SlipStatus slip_solver_run(SlipSolver *solver, SlipError *error) {
  SlipStatus status = SLIP_OK;
  slipi_error_clear(error);
  if (!SLIPI_IS_SOLVER(solver) || !solver->problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null, freed or without a problem");
  solver->started = slipi_clock_seconds();
  slipi_solver_clear_result(solver);
  if (!solver->apart || solver->warm)
    status = run_method(solver, error);
  else
    status = slipi_solver_apart(solver, error);
  slipi_solver_give_back(solver);
  slipi_solver_start_cold(solver); /* a warm start is for one run */
  slipi_solver_watch(solver, false);
  solver->result.seconds = slipi_clock_seconds() - solver->started;
  solver->result.setup_seconds = solver->setup_seconds;
  solver->setup_seconds = 0;
  solver->stopped = SLIP_NOT_RUN;
  solver->has_result = status == SLIP_OK;
  if (solver->world && solver->has_result)
    slipi_solver_keep_world(solver);
  if (status != SLIP_OK)
    slipi_solver_clear_result(solver);
  return status;
}

const SlipResult *slip_solver_result(const SlipSolver *solver) {
  static const SlipResult none = {.size = sizeof none,
                                  .outcome = SLIP_NOT_RUN,
                                  .residual = NAN,
                                  .physical = NAN,
                                  .coulomb_residual = NAN,
                                  .floor = NAN,
                                  .residual_scale = NAN,
                                  .gap = NAN,
                                  .method = "",
                                  .reason = "solver is null or freed"};
  return SLIPI_IS_SOLVER(solver) ? &solver->result : &none;
}
