/* Solvers of many processes: the solver of one process on each part, with the share of the part. */
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

#include "contact/residual.h"
#include "mpi/part.h"
#include "mpi/solver.h"

/* Sweeps need the rows of bodies: where M couples degrees of freedom, auto is interior point, with
 * what has been set for all methods. */
static void take_interior_point(SlipSettings *settings) {
  SlipSettings own;
  slipi_settings_init(&own, slipi_method_find("ipm"));
  memcpy(own.common, settings->common, sizeof own.common);
  own.progress = settings->progress;
  own.progress_user = settings->progress_user;
  *settings = own;
}

static SlipStatus check_settings(const SlipMpiProblem *problem, const SlipSettings *settings,
                                 SlipError *error) {
  const SlipMethodInfo *info = &settings->method->info;
  double order = 1;
  if (problem->rolls && strcmp(info->family, "splitting") != 0)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "contacts that resist rolling are solved by sweeps on many processes: method "
                      "%s cannot be run, nsgs-accelerated, nsgs and psor can",
                      info->name);
  if (!strcmp(info->name, "ipm") || !strcmp(info->name, "soclcp-ipm") ||
      !strcmp(info->name, "auto"))
    return SLIP_OK;
  if (problem->coupled)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "M couples degrees of freedom, as that of elastic bodies does: on many "
                      "processes ipm and auto can be run, method %s cannot",
                      info->name);
  if (strcmp(info->family, "splitting") != 0 || info->associated)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "method %s cannot be run on many processes; nsgs-accelerated, nsgs and psor "
                      "can, with their variants, ipm and auto",
                      info->name);
  slip_settings_get_real(settings, "order", &order, NULL);
  if (order != 0)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "on many processes the contacts are visited in chunks: order must be auto");
  return SLIP_OK;
}

SlipStatus slip_mpi_solver_create(const SlipMpiProblem *problem, const SlipSettings *settings,
                                  SlipMpiSolver **solver, SlipError *error) {
  SlipSettings own;
  slipi_error_clear(error);
  if (!solver)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null");
  *solver = NULL;
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  if (settings)
    own = *settings;
  else
    slipi_settings_init(&own, slipi_method_find(problem->coupled ? "ipm" : "nsgs-accelerated"));
  SlipStatus status = check_settings(problem, &own, error);
  if (problem->coupled && strcmp(own.method->info.name, "auto") == 0)
    take_interior_point(&own);
  SlipMpiSolver *made = status == SLIP_OK ? calloc(1, sizeof *made) : NULL;
  if (status == SLIP_OK && !made)
    status = slipi_fail_memory(error, "a solver");
  status = slipi_mpi_agree(problem->comm, status, error);
  if (status == SLIP_OK) {
    made->part = problem;
    made->share = slipi_part_share(problem);
    status = slipi_solver_create_shared(problem->problem, &own, &made->share, &made->solver, error);
  }
  if (status == SLIP_OK)
    *solver = made;
  else
    slip_mpi_solver_free(made);
  return status;
}

void slip_mpi_solver_free(SlipMpiSolver *solver) {
  if (!solver)
    return;
  slip_solver_free(solver->solver);
  free(solver->last_key);
  free(solver->last_r);
  free(solver->path);
  free(solver->spare_path);
  free(solver);
}

SlipStatus slip_mpi_solver_run(SlipMpiSolver *solver, SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null or without a problem");
  solver->trouble = SLIP_OK;
  SlipStatus status = slip_solver_run(solver->solver, error);
  if (status == SLIP_OK && solver->trouble != SLIP_OK) {
    status = solver->trouble;
    if (error)
      *error = solver->trouble_error;
  }
  solver->has_result = status == SLIP_OK;
  if (solver->path && solver->has_result)
    slipi_checkpoint_done(solver);
  return slipi_mpi_agree(solver->part->comm, status, error);
}

const SlipResult *slip_mpi_solver_result(const SlipMpiSolver *solver) {
  return slip_solver_result(solver ? solver->solver : NULL);
}

/* ---- From those who gave contacts and bodies to those who have them, and back ---- */

/* A value of a contact or body at its place in the arrays of who gave it. */
typedef struct Placed {
  int32_t place;
  int32_t status;
  double x[6];
} Placed;

/* Values of the contacts that this process has, to who gave them. */
static SlipStatus give_contacts(const SlipMpiSolver *solver, double *r, double *u, int32_t *status,
                                SlipError *error) {
  const SlipMpiProblem *part = solver->part;
  const SlipResult *result = &solver->solver->result;
  size_t d = (size_t)part->d, bytes = d * sizeof(double);
  if (!part->contact_giver) {
    if (r && part->nc > 0)
      memcpy(r, result->r, (size_t)part->nc * bytes);
    if (u && part->nc > 0)
      memcpy(u, result->u, (size_t)part->nc * bytes);
    if (status && part->nc > 0)
      memcpy(status, result->status, (size_t)part->nc * sizeof *status);
    return SLIP_OK;
  }
  SlipiRecords out, in = {0};
  bool room = slipi_records_new(&out, part->nc, sizeof(Placed));
  for (int32_t a = 0; a < part->nc && room; a++) {
    Placed placed = {.place = part->contact_place[a], .status = result->status[a]};
    memcpy(placed.x, result->r + d * (size_t)a, bytes);
    memcpy(placed.x + 3, result->u + d * (size_t)a, bytes);
    memcpy(slipi_record(&out, a), &placed, sizeof placed);
    out.rank[a] = part->contact_giver[a];
  }
  SlipStatus done =
      slipi_mpi_agree(part->comm, room ? SLIP_OK : slipi_fail_memory(error, "a result"), error);
  if (done == SLIP_OK)
    done = slipi_mpi_route(part->comm, &out, &in, error);
  for (int64_t k = 0; k < in.count; k++) {
    const Placed *placed = slipi_record(&in, k);
    if (r)
      memcpy(r + d * (size_t)placed->place, placed->x, bytes);
    if (u)
      memcpy(u + d * (size_t)placed->place, placed->x + 3, bytes);
    if (status)
      status[placed->place] = placed->status;
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  return done;
}

static SlipStatus give_bodies(const SlipMpiSolver *solver, double *v, SlipError *error) {
  const SlipMpiProblem *part = solver->part;
  size_t n = (size_t)part->n;
  SlipiRecords out, in = {0};
  int64_t count = 0;
  for (int32_t b = 0; b < part->nb; b++)
    count += part->settler[b] == part->rank;
  bool room = slipi_records_new(&out, count, sizeof(Placed));
  count = 0;
  for (int32_t b = 0; b < part->nb && room; b++) {
    if (part->settler[b] != part->rank)
      continue;
    Placed placed = {.place = part->body_place[b]};
    memcpy(placed.x, solver->solver->result.v + n * (size_t)b, n * sizeof *v);
    memcpy(slipi_record(&out, count), &placed, sizeof placed);
    out.rank[count++] = part->body_giver[b];
  }
  SlipStatus done =
      slipi_mpi_agree(part->comm, room ? SLIP_OK : slipi_fail_memory(error, "a result"), error);
  if (done == SLIP_OK)
    done = slipi_mpi_route(part->comm, &out, &in, error);
  for (int64_t k = 0; v && k < in.count; k++) {
    const Placed *placed = slipi_record(&in, k);
    memcpy(v + n * (size_t)placed->place, placed->x, n * sizeof *v);
  }
  slipi_records_free(&out);
  slipi_records_free(&in);
  return done;
}

SlipStatus slip_mpi_solver_local(const SlipMpiSolver *solver, double *r, double *u, int32_t *status,
                                 double *v, SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part || !solver->has_result)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null or without a result");
  const SlipMpiProblem *part = solver->part;
  SlipStatus done = SLIP_OK;
  if (!slipi_mpi_all(part->comm, !r && !u && !status))
    done = give_contacts(solver, r, u, status, error);
  if (done == SLIP_OK && !slipi_mpi_all(part->comm, !v))
    done = give_bodies(solver, v, error);
  return done;
}

SlipStatus slip_mpi_solver_warm_start(SlipMpiSolver *solver, const double *r, SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null or without a problem");
  const SlipMpiProblem *part = solver->part;
  SlipStatus status = SLIP_OK;
  if (!r && part->own_contacts > 0)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "r is null");
  status = slipi_mpi_agree(part->comm, status, error);
  if (status != SLIP_OK)
    return status;
  double none = 0, *start = NULL;
  if (part->contact_giver)
    status = slipi_part_fetch(part, r, &start, error);
  if (status == SLIP_OK) {
    const double *from = part->contact_giver ? start : r;
    status = slip_solver_warm_start(solver->solver, from ? from : &none, error);
    status = slipi_mpi_agree(part->comm, status, error);
  }
  free(start);
  return status;
}

/* ---- Another problem ---- */

/* Keep keys and impulses, in world axes where there are frames. */
static SlipStatus keep_last(SlipMpiSolver *solver, SlipError *error) {
  const SlipMpiProblem *part = solver->part;
  const SlipSolver *inner = solver->solver;
  size_t m = (size_t)part->nc * (size_t)part->d;
  free(solver->last_key);
  free(solver->last_r);
  solver->last_key = NULL;
  solver->last_r = NULL;
  solver->last_count = 0;
  if (!solver->has_result || !part->problem->key)
    return SLIP_OK;
  solver->last_key = malloc((size_t)part->nc * sizeof *solver->last_key + 1);
  solver->last_r = malloc(m * sizeof *solver->last_r + 1);
  if (!solver->last_key || !solver->last_r)
    return slipi_fail_memory(error, "the impulses of the last problem");
  solver->last_count = part->nc;
  solver->last_first = part->first_contact;
  solver->last_world = inner->world != NULL;
  memcpy(solver->last_key, part->problem->key, (size_t)part->nc * sizeof *solver->last_key);
  memcpy(solver->last_r, inner->world ? inner->world : inner->r_best, m * sizeof *solver->last_r);
  return SLIP_OK;
}

SlipStatus slip_mpi_solver_set_problem(SlipMpiSolver *solver, const SlipMpiProblem *problem,
                                       SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver or problem is null");
  const SlipSettings *settings = &solver->solver->settings;
  SlipStatus status = check_settings(problem, settings, error);
  if (status == SLIP_OK && problem->coupled && strcmp(settings->method->info.name, "auto") == 0)
    status = slipi_fail(error, SLIP_ERROR_MISMATCH,
                        "M couples degrees of freedom: a solver by ipm is wanted, this one sweeps");
  if (status == SLIP_OK && solver->part)
    status = keep_last(solver, error);
  status = slipi_mpi_agree(problem->comm, status, error);
  if (status != SLIP_OK)
    return status;
  solver->has_result = false;
  solver->part = problem;
  solver->share = slipi_part_share(problem);
  status = slip_solver_set_problem(solver->solver, problem->problem, error);
  if (status != SLIP_OK)
    solver->part = NULL;
  return status;
}
