/* Problems whose M couples degrees of freedom, from the data of a program. */
#include <math.h>
#include <stdlib.h>

#include "base/versioned.h"
#include "mpi/coupled.h"

int64_t slip_mpi_first_dof(int64_t dof, int rank, int ranks) {
  return slipi_range_first(dof, rank, ranks);
}

static SlipStatus check_sizes(MPI_Comm comm, const SlipMpiGlobalData *data, SlipError *error) {
  int64_t sizes[6] = {data->dimension, -data->dimension, data->contacts,
                      -data->contacts, data->dof,        -data->dof};
  int64_t own = data->own_contacts;
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Allreduce(MPI_IN_PLACE, sizes, 6, MPI_INT64_T, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_INT64_T, MPI_SUM, comm);
  if (sizes[0] != -sizes[1] || sizes[2] != -sizes[3] || sizes[4] != -sizes[5])
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "the processes differ in the dimension, contacts or degrees of freedom");
  if (data->dimension != 2 && data->dimension != 3)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "the dimension is %d, expected 2 or 3",
                      (int)data->dimension);
  if (data->dof < 1 || data->dof > INT32_MAX || data->contacts > INT32_MAX / 3)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "there are %lld degrees of freedom and %lld contacts, which 32 bits must be "
                      "able to count",
                      (long long)data->dof, (long long)data->contacts);
  if (own != data->contacts)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "the processes give %lld contacts, expected %lld",
                      (long long)own, (long long)data->contacts);
  int64_t rows =
      slip_mpi_first_dof(data->dof, rank + 1, ranks) - slip_mpi_first_dof(data->dof, rank, ranks);
  bool missing = (data->own_contacts > 0 && !data->laws) || (rows > 0 && !data->f) ||
                 data->own_contacts < 0 || data->M_count < 0 || data->H_count < 0 ||
                 (data->M_count > 0 && (!data->M_row || !data->M_col || !data->M)) ||
                 (data->H_count > 0 && (!data->H_row || !data->H_col || !data->H));
  SlipStatus status = SLIP_OK;
  if (missing)
    status =
        slipi_fail(error, SLIP_ERROR_ARGUMENT, "M, H, f or laws is null, or a number is negative");
  else if (data->own_dof != rows)
    status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "process %d gives f of %d degrees of freedom, expected %d "
                        "(slip_mpi_first_dof)",
                        rank, (int)data->own_dof, (int)rows);
  return slipi_mpi_agree(comm, status, error);
}

/* Entries with their numbers checked; rows below `rows`, columns from..to-1. */
static SlipStatus take_entries(const char *name, int64_t count, const int64_t *row,
                               const int64_t *col, const double *x, int64_t rows, int64_t from,
                               int64_t to, SlipiEntries *entries, SlipError *error) {
  entries->entry = malloc((size_t)count * sizeof *entries->entry + 1);
  if (!entries->entry || count > INT32_MAX)
    return slipi_fail_memory(error, "a matrix");
  entries->count = entries->capacity = (int32_t)count;
  for (int64_t k = 0; k < count; k++) {
    if (row[k] < 0 || row[k] >= rows || col[k] < from || col[k] >= to)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "entry %lld of %s is in row %lld, column %lld, expected rows 0 to %lld, "
                        "columns %lld to %lld",
                        (long long)k, name, (long long)row[k], (long long)col[k],
                        (long long)rows - 1, (long long)from, (long long)to - 1);
    if (!isfinite(x[k]))
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "entry %lld of %s is not a finite number",
                        (long long)k, name);
    entries->entry[k] = (SlipiEntry){(int32_t)row[k], (int32_t)col[k], x[k]};
  }
  return SLIP_OK;
}

static SlipStatus make(MPI_Comm comm, const SlipMpiGlobalData *data, SlipMpiProblem **problem,
                       SlipError *error) {
  int rank;
  int64_t own = data->own_contacts, first = 0, d = data->dimension;
  MPI_Comm_rank(comm, &rank);
  MPI_Exscan(&own, &first, 1, MPI_INT64_T, MPI_SUM, comm);
  first = rank == 0 ? 0 : first;
  SlipiEntries M = {0}, H = {0};
  SlipStatus status = take_entries("M", data->M_count, data->M_row, data->M_col, data->M, data->dof,
                                   0, data->dof, &M, error);
  if (status == SLIP_OK)
    status = take_entries("H", data->H_count, data->H_row, data->H_col, data->H, data->dof,
                          d * first, d * (first + own), &H, error);
  double *zeros = calloc((size_t)(d * own) + 1, sizeof *zeros);
  if (status == SLIP_OK && !zeros)
    status = slipi_fail_memory(error, "a problem");
  status = slipi_mpi_agree(comm, status, error);
  SlipLaws none = slip_default_laws();
  const SlipiCoupledData coupled = {.d = data->dimension,
                                    .contacts = data->contacts,
                                    .dof = data->dof,
                                    .first_contact = first,
                                    .own_contacts = data->own_contacts,
                                    .own_dof = data->own_dof,
                                    .M = &M,
                                    .H = &H,
                                    .f = data->f,
                                    .w = data->w ? data->w : zeros,
                                    .laws = data->laws ? data->laws : &none,
                                    .compliance = data->compliance};
  if (status == SLIP_OK)
    status = slipi_coupled_create(comm, &coupled, problem, error);
  free(zeros);
  free(M.entry);
  free(H.entry);
  return status;
}

SlipStatus slip_mpi_problem_create_global(MPI_Comm comm, const SlipMpiGlobalData *data,
                                          SlipMpiProblem **problem, SlipError *error) {
  SlipMpiGlobalData known = slip_default_mpi_global_data();
  slipi_error_clear(error);
  if (!problem)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "problem is null");
  *problem = NULL;
  SlipStatus status =
      data ? slipi_versioned_read("mpi_global_data", data, &known, sizeof known, error)
           : slipi_fail(error, SLIP_ERROR_ARGUMENT, "data is null");
  status = slipi_mpi_agree(comm, status, error);
  if (status == SLIP_OK)
    status = check_sizes(comm, &known, error);
  return status == SLIP_OK ? make(comm, &known, problem, error) : status;
}
