/* Problems of many processes: each gets its part. */
#include "mpi/coupled.h"

#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/bodies.h"
#include "contact/rolling.h"

static SlipStatus check_data(MPI_Comm comm, const SlipMpiData *data, SlipError *error) {
  SlipStatus status = SLIP_OK;
  int64_t sizes[8] = {data->dimension, -data->dimension, data->contacts, -data->contacts,
                      data->bodies,    -data->bodies,    data->chunk,    -data->chunk};
  int64_t sums[2] = {data->own_contacts, data->own_bodies};
  MPI_Allreduce(MPI_IN_PLACE, sizes, 8, MPI_INT64_T, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, comm);
  if (sizes[0] != -sizes[1] || sizes[2] != -sizes[3] || sizes[4] != -sizes[5] ||
      sizes[6] != -sizes[7])
    return slipi_fail(
        error, SLIP_ERROR_ARGUMENT,
        "the processes differ in the dimension, contacts, bodies or chunks of the problem");
  if (data->dimension != 2 && data->dimension != 3)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "the dimension is %d, expected 2 or 3",
                      (int)data->dimension);
  if (sums[0] != data->contacts || sums[1] != data->bodies)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the processes give %lld contacts and %lld bodies, expected %lld and %lld",
                      (long long)sums[0], (long long)sums[1], (long long)data->contacts,
                      (long long)data->bodies);
  bool missing = (data->own_contacts > 0 && (!data->body || !data->H || !data->laws)) ||
                 (data->own_bodies > 0 && (!data->M || !data->f)) || data->own_contacts < 0 ||
                 data->own_bodies < 0;
  if (missing)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "body, H, laws, M or f is null, or a number is negative");
  return slipi_mpi_agree(comm, status, error);
}

/* Moments are bounded by the impulse of the contact before them, and visited with it: both must be
 * on one process. Chunks have an even number of blocks, so that this is so where all contacts roll.
 */
static SlipStatus check_moments(const SlipMpiProblem *part, const SlipLaws *laws,
                                SlipError *error) {
  bool split =
      part->nc > 0 && part->first_contact > 0 && laws->kind && laws->kind[0] == SLIP_ROLLING;
  return split ? slipi_fail(error, SLIP_ERROR_PROBLEM,
                            "contact %lld has the law rolling, and would be on another process "
                            "than the contact before it, whose moments it has: with %d processes "
                            "this problem cannot be dealt, with another number it may",
                            (long long)part->first_contact, part->ranks)
               : SLIP_OK;
}

/* The problem of this process alone: bodies by their places here. */
static SlipStatus make_problem(SlipMpiProblem *part, const SlipiContacts *contacts, const double *M,
                               const double *f, SlipError *error) {
  SlipStatus status = check_moments(part, &contacts->laws, error);
  if (status != SLIP_OK)
    return status;
  int32_t *body = malloc(2 * (size_t)part->nc * sizeof *body + 1);
  if (!body)
    return slipi_fail_memory(error, "the problem of a process");
  for (int64_t k = 0; k < 2 * (int64_t)part->nc; k++)
    body[k] = contacts->body[k] < 0 ? -1 : slipi_part_find_body(part, contacts->body[k]);
  SlipBodiesData data = slip_default_bodies_data();
  data.dimension = part->d;
  data.bodies = part->nb;
  data.contacts = part->nc;
  data.M = M;
  data.f = f;
  data.body = body;
  data.H = contacts->H;
  data.w = contacts->w;
  data.laws = &contacts->laws;
  data.key = contacts->key;
  data.frame = contacts->frame;
  data.compliance = contacts->compliance;
  status = slip_problem_create_bodies(&data, &part->problem, error);
  free(body);
  if (status == SLIP_OK)
    part->rolls = slipi_rolling_has(part->problem->law, part->nc);
  return status;
}

/* Contacts, bodies and the problem of this process, for the layout that is set. */
static SlipStatus take(SlipMpiProblem *part, const SlipMpiData *data, SlipError *error) {
  SlipiArena arena = {0};
  SlipiContacts contacts;
  double *M = NULL, *f = NULL;
  SlipStatus status = slipi_part_take_contacts(part, data, &contacts, &arena, error);
  if (status == SLIP_OK)
    status = slipi_part_take_bodies(part, data, &contacts, &arena, &M, &f, error);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(part->comm, make_problem(part, &contacts, M, f, error), error);
  if (status == SLIP_OK)
    part->rolls = !slipi_mpi_all(part->comm, !part->rolls);
  slipi_arena_free(&arena);
  return status;
}

static SlipStatus fill(SlipMpiProblem *part, const SlipMpiData *data, SlipError *error) {
  bool fits = true;
  part->layout = data->chunk > 0 ? slipi_layout_of(data->contacts, data->chunk, part->ranks)
                                 : slipi_layout(data->contacts, part->ranks);
  SlipStatus status = take(part, data, error);
  if (status == SLIP_OK)
    status = slipi_part_connect(part, &fits, error);
  if (status != SLIP_OK || fits)
    return status;
  /* Too many chunks meet: a sweep is one chunk then, as on one process. */
  part->layout = slipi_layout_one(data->contacts, part->ranks);
  slip_problem_free(part->problem);
  part->problem = NULL;
  slipi_arena_free(&part->arena);
  part->arena = (SlipiArena){0};
  status = take(part, data, error);
  return status == SLIP_OK ? slipi_part_connect(part, &fits, error) : status;
}

SlipStatus slip_mpi_problem_create(MPI_Comm comm, const SlipMpiData *data, SlipMpiProblem **problem,
                                   SlipError *error) {
  SlipMpiData known = slip_default_mpi_data();
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  *problem = NULL;
  SlipStatus status = data ? slipi_versioned_read("mpi_data", data, &known, sizeof known, error)
                           : slipi_fail(error, SLIP_ERROR_ARGUMENT, "data is null");
  status = slipi_mpi_agree(comm, status, error);
  if (status == SLIP_OK)
    status = check_data(comm, &known, error);
  if (status != SLIP_OK)
    return status;
  SlipMpiProblem *made = calloc(1, sizeof *made);
  status = slipi_mpi_agree(comm, made ? SLIP_OK : slipi_fail_memory(error, "a problem"), error);
  if (status != SLIP_OK) {
    free(made);
    return status;
  }
  MPI_Comm_dup(comm, &made->comm);
  MPI_Comm_rank(comm, &made->rank);
  MPI_Comm_size(comm, &made->ranks);
  made->d = known.dimension;
  made->n = slipi_body_dof(known.dimension);
  made->bodies = known.bodies;
  status = fill(made, &known, error);
  if (status == SLIP_OK)
    *problem = made;
  else
    slip_mpi_problem_free(made);
  return status;
}

void slip_mpi_problem_free(SlipMpiProblem *part) {
  if (!part)
    return;
  for (int c = 0; c < part->halos; c++)
    PetscSFDestroy(&part->halo[c]);
  if (part->spread)
    PetscSFDestroy(&part->spread);
  if (part->has_unit)
    MPI_Type_free(&part->unit);
  slip_problem_free(part->problem);
  slipi_coupled_free(part->coupled);
  free(part->visits);
  slipi_arena_free(&part->arena);
  MPI_Comm_free(&part->comm);
  free(part);
}
