/* Problems told body by body: checked, copied into one arena, refilled in place. */
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/bodies.h"

static SlipStatus check_sizes(const SlipBodiesData *data, SlipError *error) {
  SlipStatus status = slipi_problem_check_sizes(data->dimension, data->contacts, error);
  if (status != SLIP_OK)
    return status;
  int32_t n = slipi_body_dof(data->dimension);
  if (data->bodies < 0 || data->bodies > INT32_MAX / n)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the number of bodies is %d but must be between 0 and %d", (int)data->bodies,
                      (int)(INT32_MAX / n));
  if ((!data->M && data->bodies > 0) || ((!data->body || !data->H) && data->contacts > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is null",
                      !data->M && data->bodies > 0 ? "M"
                      : !data->body                ? "body"
                                                   : "H");
  return SLIP_OK;
}

static SlipStatus check_mass(const SlipBodiesData *data, SlipError *error) {
  int32_t n = slipi_body_dof(data->dimension), size = n * n;
  for (int32_t b = 0; b < data->bodies; b++) {
    const double *M = data->M + (int64_t)b * size;
    int32_t bad = slipi_find_not_finite(M, size);
    if (bad < size)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "M(%d, %d) of body %d is %g, which is not a finite number", (int)(bad / n),
                        (int)(bad % n), (int)b, M[bad]);
    for (int32_t k = 0; k < n; k++) {
      if (!(M[k * n + k] > 0))
        return slipi_fail(error, SLIP_ERROR_PROBLEM,
                          "M of body %d is not positive definite: its diagonal entry %d is %g",
                          (int)b, (int)k, M[k * n + k]);
    }
  }
  return SLIP_OK;
}

/* Which bodies contacts touch. */
static SlipStatus check_bodies(const SlipBodiesData *data, SlipError *error) {
  for (int64_t k = 0; k < 2 * (int64_t)data->contacts; k++) {
    int32_t body = data->body[k];
    if (body < -1 || body >= data->bodies)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "body[%lld], of contact %d, is %d but must be -1 or below %d", (long long)k,
                        (int)(k / 2), (int)body, (int)data->bodies);
  }
  return SLIP_OK;
}

/* The block of H that is not finite: there is one. */
static SlipStatus check_contacts(const SlipBodiesData *data, SlipError *error) {
  int32_t d = data->dimension, size = d * slipi_body_dof(d);
  for (int64_t k = 0; k < 2 * (int64_t)data->contacts; k++) {
    int contact = (int)(k / 2), side = (int)(k % 2), body = (int)data->body[k];
    int32_t bad = body < 0 ? size : slipi_find_not_finite(data->H + k * size, size);
    if (bad < size)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "H of contact %d, side %d, row %d, is %g, which is not a finite number",
                        contact, side, (int)(bad / slipi_body_dof(d)), data->H[k * size + bad]);
  }
  return SLIP_OK;
}

static SlipStatus check_data(const SlipBodiesData *data, SlipError *error) {
  SlipStatus status = check_sizes(data, error);
  if (status == SLIP_OK)
    status = check_mass(data, error);
  if (status == SLIP_OK)
    status = check_bodies(data, error);
  if (status == SLIP_OK)
    status = slipi_problem_check_vector("f", data->f,
                                        data->bodies * slipi_body_dof(data->dimension), error);
  if (status == SLIP_OK && data->w)
    status = slipi_problem_check_vector("w", data->w, data->dimension * data->contacts, error);
  if (status == SLIP_OK && data->frame && data->contacts > INT32_MAX / 9)
    status = slipi_fail(error, SLIP_ERROR_PROBLEM, "%d contacts are too many to have frames",
                        (int)data->contacts);
  if (status == SLIP_OK && data->frame)
    status = slipi_problem_check_vector("frame", data->frame,
                                        data->dimension * data->dimension * data->contacts, error);
  return status;
}

static void *copy_if(SlipiArena *arena, const void *from, int64_t count, size_t size) {
  return from ? slipi_arena_copy(arena, from, (size_t)count, size) : NULL;
}

/* Copy one block and add 0 x to the lanes: a sum of these is 0 exactly when all x are finite. */
enum { LANES = 6 }; /* which divides the size of a block, in 2D and 3D */

static inline void copy_block(const double *from, int32_t size, double *restrict to,
                              double sum[LANES]) {
  for (int32_t i = 0; i < size; i += LANES)
    for (int32_t lane = 0; lane < LANES; lane++) {
      double x = from[i + lane];
      to[i + lane] = x;
      sum[lane] += 0 * x;
    }
}

/* The blocks are the most of the data, and are read once: copied and checked together. */
static SlipStatus copy_blocks(SlipProblem *problem, const SlipBodiesData *data, SlipError *error) {
  int64_t size = (int64_t)problem->d * problem->n;
  double sum[LANES] = {0}, total = 0;
  for (int64_t k = 0; k < 2 * (int64_t)problem->nc; k++) {
    double *to = problem->blocks + k * size;
    const double *from = data->H + k * size;
    if (problem->body[k] < 0)
      memset(to, 0, (size_t)size * sizeof *to);
    else if (problem->d == 3) /* loops of fixed length */
      copy_block(from, 18, to, sum);
    else
      copy_block(from, 6, to, sum);
  }
  for (int32_t lane = 0; lane < LANES; lane++)
    total += sum[lane];
  return total == 0 ? SLIP_OK : check_contacts(data, error);
}

/* Copy data whose blocks of H are yet to be checked; d, nc and dof are set, the arena is empty. */
static SlipStatus fill(SlipProblem *problem, const SlipBodiesData *data, SlipError *error) {
  int32_t d = problem->d, n = problem->n;
  SlipiArena *own = &problem->arena;
  int64_t nc = problem->nc;
  SlipStatus status = slipi_problem_copy_laws(problem, data->laws, error);
  problem->body_mass =
      slipi_arena_copy(own, data->M, (size_t)problem->dof, (size_t)n * sizeof(double));
  problem->body = slipi_arena_copy(own, data->body, (size_t)(2 * nc), sizeof *data->body);
  problem->blocks = SLIPI_ARENA_RAW(own, double, 2 * nc * d * n);
  problem->f = slipi_arena_copy(own, data->f, (size_t)problem->dof, sizeof *data->f);
  problem->w = data->w ? slipi_arena_copy(own, data->w, (size_t)problem->m, sizeof *data->w)
                       : SLIPI_ARENA_NEW(own, double, problem->m);
  problem->key = copy_if(own, data->key, nc, sizeof *data->key);
  problem->frame = copy_if(own, data->frame, nc * d * d, sizeof *data->frame);
  if (status == SLIP_OK)
    status = slipi_compliance_copy(own, data->compliance, d, problem->nc, &problem->compliance,
                                   &problem->C, error);
  if (status == SLIP_OK && own->failed)
    status = slipi_fail_memory(error, "a problem");
  return status == SLIP_OK ? copy_blocks(problem, data, error) : status;
}

/* Other data, in the memory of those before the last: these are given up only when all is well. */
static SlipStatus replace(SlipProblem *problem, const SlipBodiesData *data, SlipError *error) {
  int32_t d = data->dimension, n = slipi_body_dof(d);
  SlipProblem next = {.form = SLIP_FORM_BODIES,
                      .d = d,
                      .nc = data->contacts,
                      .m = d * data->contacts,
                      .n = n,
                      .dof = n * data->bodies,
                      .arena = problem->spare};
  slipi_arena_reset(&next.arena);
  SlipStatus status = fill(&next, data, error);
  if (status != SLIP_OK) {
    problem->spare = next.arena;
    return status;
  }
  next.spare = problem->arena;
  *problem = next;
  return SLIP_OK;
}

static SlipStatus read_data(const SlipBodiesData *data, SlipBodiesData *known, SlipError *error) {
  *known = slip_default_bodies_data();
  if (!data)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "data is null");
  SlipStatus status = slipi_versioned_read("bodies_data", data, known, sizeof *known, error);
  return status == SLIP_OK ? check_data(known, error) : status;
}

SlipStatus slip_problem_create_bodies(const SlipBodiesData *data, SlipProblem **problem,
                                      SlipError *error) {
  SlipBodiesData known;
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  *problem = NULL;
  SlipStatus status = read_data(data, &known, error);
  if (status != SLIP_OK)
    return status;
  SlipProblem *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a problem");
  status = replace(made, &known, error);
  if (status == SLIP_OK)
    *problem = made;
  else
    slip_problem_free(made);
  return status;
}

SlipStatus slip_problem_set_bodies(SlipProblem *problem, const SlipBodiesData *data,
                                   SlipError *error) {
  SlipBodiesData known;
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  if (problem->form != SLIP_FORM_BODIES)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the problem is %s: only one of bodies takes other bodies",
                      problem->form == SLIP_FORM_LOCAL ? "local" : "global");
  SlipStatus status = read_data(data, &known, error);
  return status == SLIP_OK ? replace(problem, &known, error) : status;
}

SlipStatus slip_problem_bodies_data(const SlipProblem *problem, SlipBodiesData *data,
                                    SlipError *error) {
  slipi_error_clear(error);
  if (!problem || !data)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem or data is null");
  SlipBodiesData known = slip_default_bodies_data();
  SlipStatus status = slipi_versioned_check("bodies_data", data, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&known, data, sizeof known);
  if (problem->form != SLIP_FORM_BODIES)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is not one of bodies");
  known.dimension = problem->d;
  known.contacts = problem->nc;
  known.bodies = problem->n > 0 ? problem->dof / problem->n : 0;
  known.M = problem->body_mass;
  known.body = problem->body;
  known.H = problem->blocks;
  known.f = problem->f;
  known.w = problem->w;
  known.laws = &problem->laws;
  known.key = problem->key;
  known.frame = problem->frame;
  known.compliance = problem->compliance;
  slipi_versioned_write(&known, data, sizeof known);
  return SLIP_OK;
}

SlipStatus slip_problem_assemble(const SlipProblem *bodies, SlipProblem **global,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!global)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "global is null");
  *global = NULL;
  if (!bodies || bodies->form != SLIP_FORM_BODIES)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the problem is not one of bodies");
  SlipiArena scratch = {0};
  SlipProblem view;
  SlipStatus status = slipi_problem_as_global(bodies, &scratch, &view, error);
  if (status == SLIP_OK) {
    SlipGlobalData data = slip_default_global_data();
    data.dimension = view.d;
    data.contacts = view.nc;
    data.M = slipi_csr_view(&view.M);
    data.H = slipi_csr_view(&view.H);
    data.f = view.f;
    data.w = view.w;
    data.laws = &view.laws;
    data.compliance = view.compliance;
    status = slip_problem_create_global(&data, global, error);
  }
  slipi_arena_free(&scratch);
  return status;
}
