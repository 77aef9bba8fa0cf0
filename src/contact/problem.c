#include "contact/problem.h"

#include "base/versioned.h"
#include "contact/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SlipStatus slipi_problem_check_sizes(int32_t dimension, int32_t contacts, SlipError *error) {
  if (dimension != 2 && dimension != 3)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "the dimension is %d but must be 2 or 3",
                      (int)dimension);
  if (contacts < 0 || contacts > INT32_MAX / dimension)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the number of contacts is %d but must be between 0 and %d", (int)contacts,
                      INT32_MAX / (int)dimension);
  return SLIP_OK;
}

/* A finite sum has finite terms only: the usual case has no branch for each value. */
int64_t slipi_find_not_finite(const double *x, int64_t count) {
  enum { LANES = 16 };
  double sum[LANES] = {0}, total = 0;
  int64_t k = 0;
  for (; k + LANES <= count; k += LANES) {
    for (int32_t lane = 0; lane < LANES; lane++)
      sum[lane] += x[k + lane];
  }
  for (; k < count; k++)
    total += x[k];
  for (int32_t lane = 0; lane < LANES; lane++)
    total += sum[lane];
  if (isfinite(total))
    return count;
  for (k = 0; k < count && isfinite(x[k]);)
    k++;
  return k;
}

SlipStatus slipi_problem_check_vector(const char *name, const double *x, int32_t count,
                                      SlipError *error) {
  if (!x)
    return count > 0 ? slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is null", name) : SLIP_OK;
  int64_t bad = slipi_find_not_finite(x, count);
  if (bad < count)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s[%d] is %g, which is not a finite number", name,
                      (int)bad, x[bad]);
  return SLIP_OK;
}

SlipStatus slipi_problem_copy_laws(SlipProblem *problem, const SlipLaws *given, SlipError *error) {
  return slipi_laws_copy(&problem->arena, given, problem->d, problem->nc, &problem->laws,
                         &problem->law, error);
}

static SlipStatus copy_vector(SlipProblem *problem, const char *name, const double *from,
                              int32_t count, double **to, SlipError *error) {
  SlipStatus status = slipi_problem_check_vector(name, from, count, error);
  if (status != SLIP_OK)
    return status;
  *to = slipi_arena_copy(&problem->arena, from, (size_t)count, sizeof *from);
  return *to ? SLIP_OK : slipi_fail_memory(error, "a problem");
}

/* A cheap necessary condition, so that the commonest mistakes are told here; the factorisation
 * of M finds the rest. */
static SlipStatus check_mass_diagonal(const SlipiCsr *M, SlipError *error) {
  for (int32_t row = 0; row < M->rows; row++) {
    double diagonal = 0;
    for (int32_t k = M->p[row]; k < M->p[row + 1]; k++) {
      if (M->i[k] == row)
        diagonal = M->x[k];
    }
    if (!(diagonal > 0))
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "M is not positive definite: its diagonal entry M(%d, %d) is %g", (int)row,
                        (int)row, diagonal);
  }
  return SLIP_OK;
}

static SlipStatus copy_compliance(SlipProblem *problem, const double *given, SlipError *error) {
  return slipi_compliance_copy(&problem->arena, given, problem->d, problem->nc,
                               &problem->compliance, &problem->C, error);
}

static SlipStatus fill_local(SlipProblem *problem, const SlipLocalData *data, SlipError *error) {
  SlipStatus status = slipi_problem_copy_laws(problem, data->laws, error);
  if (status == SLIP_OK)
    status = copy_compliance(problem, data->compliance, error);
  if (status == SLIP_OK)
    status =
        slipi_csr_from(&problem->arena, &data->W, "W", problem->m, problem->m, &problem->W, error);
  if (status == SLIP_OK)
    status = copy_vector(problem, "q", data->q, problem->m, &problem->q, error);
  return status;
}

static SlipStatus fill_global(SlipProblem *problem, const SlipGlobalData *data, SlipError *error) {
  int32_t dof = data->M.rows;
  if (dof < 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "M has %d rows", (int)dof);
  problem->dof = dof;
  SlipiArena *arena = &problem->arena;
  SlipStatus status = slipi_problem_copy_laws(problem, data->laws, error);
  if (status == SLIP_OK)
    status = copy_compliance(problem, data->compliance, error);
  if (status == SLIP_OK)
    status = slipi_csr_from(arena, &data->M, "M", dof, dof, &problem->M, error);
  if (status == SLIP_OK)
    status = slipi_csr_from(arena, &data->H, "H", dof, problem->m, &problem->H, error);
  if (status == SLIP_OK)
    status = slipi_csr_transpose(arena, &problem->H, &problem->Ht, error);
  if (status == SLIP_OK)
    status = copy_vector(problem, "f", data->f, dof, &problem->f, error);
  if (status == SLIP_OK)
    status = copy_vector(problem, "w", data->w, problem->m, &problem->w, error);
  if (status == SLIP_OK)
    status = check_mass_diagonal(&problem->M, error);
  return status;
}

static SlipStatus problem_new(SlipForm form, int32_t dimension, int32_t contacts,
                              SlipProblem **problem, SlipError *error) {
  SlipStatus status = slipi_problem_check_sizes(dimension, contacts, error);
  if (status != SLIP_OK)
    return status;
  *problem = calloc(1, sizeof **problem);
  if (!*problem)
    return slipi_fail_memory(error, "a problem");
  (*problem)->alive = SLIPI_ALIVE_PROBLEM;
  (*problem)->form = form;
  (*problem)->d = dimension;
  (*problem)->nc = contacts;
  (*problem)->m = dimension * contacts;
  return SLIP_OK;
}

/* The beginning of a creation in either form: outputs are cleared, arguments checked to be there.
 */
static SlipStatus check_arguments(const void *data, SlipProblem **problem, SlipError *error) {
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  *problem = NULL;
  return data ? SLIP_OK : slipi_fail(error, SLIP_ERROR_ARGUMENT, "data is null");
}

static SlipStatus keep_or_free(SlipStatus status, SlipProblem *made, SlipProblem **problem) {
  if (status == SLIP_OK)
    *problem = made;
  else
    slip_problem_free(made);
  return status;
}

SlipStatus slip_problem_create_local(const SlipLocalData *data, SlipProblem **problem,
                                     SlipError *error) {
  SlipProblem *made = NULL;
  SlipLocalData known = slip_default_local_data();
  SlipStatus status = check_arguments(data, problem, error);
  if (status == SLIP_OK)
    status = slipi_versioned_read("local_data", data, &known, sizeof known, error);
  if (status != SLIP_OK)
    return status;
  status = problem_new(SLIP_FORM_LOCAL, known.dimension, known.contacts, &made, error);
  if (status == SLIP_OK)
    status = fill_local(made, &known, error);
  return keep_or_free(status, made, problem);
}

SlipStatus slip_problem_create_global(const SlipGlobalData *data, SlipProblem **problem,
                                      SlipError *error) {
  SlipProblem *made = NULL;
  SlipGlobalData known = slip_default_global_data();
  SlipStatus status = check_arguments(data, problem, error);
  if (status == SLIP_OK)
    status = slipi_versioned_read("global_data", data, &known, sizeof known, error);
  if (status != SLIP_OK)
    return status;
  status = problem_new(SLIP_FORM_GLOBAL, known.dimension, known.contacts, &made, error);
  if (status == SLIP_OK)
    status = fill_global(made, &known, error);
  return keep_or_free(status, made, problem);
}

void slip_problem_free(SlipProblem *problem) {
  if (!SLIPI_IS_PROBLEM(problem))
    return;
  slipi_handle_end(&problem->alive);
  slipi_arena_free(&problem->arena);
  slipi_arena_free(&problem->spare);
  slipi_arena_free(&problem->room_arena);
  free(problem);
}

SlipForm slip_problem_form(const SlipProblem *problem) {
  return SLIPI_IS_PROBLEM(problem) ? problem->form : SLIP_FORM_LOCAL;
}

int32_t slip_problem_dimension(const SlipProblem *problem) {
  return SLIPI_IS_PROBLEM(problem) ? problem->d : 0;
}

int32_t slip_problem_contacts(const SlipProblem *problem) {
  return SLIPI_IS_PROBLEM(problem) ? problem->nc : 0;
}

int32_t slip_problem_dof(const SlipProblem *problem) {
  return SLIPI_IS_PROBLEM(problem) ? problem->dof : 0;
}

SlipStatus slip_problem_local_data(const SlipProblem *problem, SlipLocalData *data,
                                   SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !data)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem or data is null, or the problem freed");
  SlipLocalData known = slip_default_local_data();
  SlipStatus status = slipi_versioned_check("local_data", data, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&known, data, sizeof known);
  if (problem->form != SLIP_FORM_LOCAL)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is global; reduce it first");
  known.dimension = problem->d;
  known.contacts = problem->nc;
  known.W = slipi_csr_view(&problem->W);
  known.q = problem->q;
  known.laws = &problem->laws;
  known.compliance = problem->compliance;
  slipi_versioned_write(&known, data, sizeof known);
  return SLIP_OK;
}

SlipStatus slip_problem_global_data(const SlipProblem *problem, SlipGlobalData *data,
                                    SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !data)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem or data is null, or the problem freed");
  SlipGlobalData known = slip_default_global_data();
  SlipStatus status = slipi_versioned_check("global_data", data, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&known, data, sizeof known);
  if (problem->form != SLIP_FORM_GLOBAL)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is local: it has no M and H");
  known.dimension = problem->d;
  known.contacts = problem->nc;
  known.M = slipi_csr_view(&problem->M);
  known.H = slipi_csr_view(&problem->H);
  known.f = problem->f;
  known.w = problem->w;
  known.laws = &problem->laws;
  known.compliance = problem->compliance;
  slipi_versioned_write(&known, data, sizeof known);
  return SLIP_OK;
}
