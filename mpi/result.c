/* Results of many processes in one file, and a number that tells whether two of them are the same.
 */
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/solver.h"

/* One vector of the whole problem, of which this process has some values from `first` on. */
static bool write_vector(hid_t group, const char *name, int64_t total, int64_t first, int64_t count,
                         const double *values) {
  hsize_t whole = (hsize_t)total, start = (hsize_t)first, extent = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &whole, NULL), memory = H5Screate_simple(1, &extent, NULL);
  hid_t dataset =
      H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  bool written = dataset >= 0 && H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE) >= 0;
  if (written && count > 0)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &extent, NULL);
  else
    H5Sselect_none(space);
  if (count == 0)
    H5Sselect_none(memory);
  written = written && H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, values) >= 0;
  H5Pclose(transfer);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(memory);
  H5Sclose(space);
  return written;
}

/* The same of a vector of the file, which must have so many values. */
static bool read_vector(hid_t file, const char *name, int64_t total, int64_t first, int64_t count,
                        double *values) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t start = (hsize_t)first, extent = (hsize_t)count;
  hid_t memory = H5Screate_simple(1, &extent, NULL);
  bool read = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
              H5Sget_simple_extent_npoints(space) == (hssize_t)total;
  if (read && count > 0) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &extent, NULL);
    read = H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  }
  H5Sclose(memory);
  if (space >= 0)
    H5Sclose(space);
  if (dataset >= 0)
    H5Dclose(dataset);
  return read;
}

/* How many contacts of a file come before those that its equality constraints make up: of this
 * process, or in all. */
static int64_t own_head(const SlipMpiProblem *part) {
  int64_t left = part->head - part->first_contact;
  if (part->equalities == 0)
    return part->nc;
  return left < 0 ? 0 : left < part->nc ? left : part->nc;
}

/* The equality constraints from *first to *last - 1 are at contacts of this process. */
static void own_equalities(const SlipMpiProblem *part, int64_t *first, int64_t *last) {
  int64_t from = part->first_contact * part->d, end = from + (int64_t)part->nc * part->d;
  *first = 0;
  while (*first < part->equalities && part->equality_place[*first] < from)
    ++*first;
  for (*last = *first; *last < part->equalities && part->equality_place[*last] < end;)
    ++*last;
}

/* The impulses of equality constraints; r has the own contacts'. */
static bool write_multipliers(const SlipMpiProblem *part, hid_t group, const double *r) {
  int64_t from = part->first_contact * part->d, first, last;
  if (part->equalities == 0)
    return true;
  own_equalities(part, &first, &last);
  double *l = malloc((size_t)(last - first) * sizeof *l + 1);
  bool room = slipi_mpi_all(part->comm, l != NULL);
  for (int64_t e = first; room && e < last; e++)
    l[e - first] = r[part->equality_place[e] - from];
  bool written = room && write_vector(group, "l", part->equalities, first, last - first, l);
  free(l);
  return written;
}

/* v of the bodies that this process gave, which are consecutive where nobody numbered them. */
static SlipStatus write_solution(const SlipMpiSolver *solver, hid_t file, SlipError *error) {
  const SlipMpiProblem *part = solver->part;
  const SlipResult *result = &solver->solver->result;
  int64_t d = part->d, n = part->n, first = 0, own = part->own_bodies;
  int64_t contacts = part->equalities > 0 ? part->head : part->layout.contacts;
  int64_t count = own_head(part) * d, from = count > 0 ? part->first_contact * d : 0;
  MPI_Exscan(&own, &first, 1, MPI_INT64_T, MPI_SUM, part->comm);
  first = part->rank == 0 ? 0 : first;
  double *v = malloc((size_t)(own * n) * sizeof *v + 1);
  SlipStatus status =
      slipi_mpi_agree(part->comm, v ? SLIP_OK : slipi_fail_memory(error, "a result"), error);
  if (status == SLIP_OK)
    status = slip_mpi_solver_local(solver, NULL, NULL, NULL, v, error);
  hid_t group =
      status == SLIP_OK ? H5Gcreate2(file, "solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  bool written = group >= 0 && write_vector(group, "u", contacts * d, from, count, result->u) &&
                 write_vector(group, "r", contacts * d, from, count, result->r) &&
                 write_multipliers(part, group, result->r) &&
                 write_vector(group, "v", part->bodies * n, first * n, own * n, v);
  if (group >= 0)
    H5Gclose(group);
  free(v);
  if (status == SLIP_OK && !written)
    status = slipi_fail(error, SLIP_ERROR_FILE, "the solution cannot be written");
  return status;
}

/* Open the file anew, or as it is but for a solution that it may have. */
static hid_t open_file(const char *path, bool anew, hid_t access) {
  if (anew)
    return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
  if (file >= 0 && H5Lexists(file, "solution", H5P_DEFAULT) > 0)
    H5Ldelete(file, "solution", H5P_DEFAULT);
  return file;
}

static SlipStatus write_file(const SlipMpiSolver *solver, const char *path, bool anew,
                             SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part || !solver->has_result || !path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is null, or solver is without a result");
  const SlipMpiProblem *part = solver->part;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Pset_fapl_mpio(access, part->comm, MPI_INFO_NULL);
  hid_t file = open_file(path, anew, access);
  H5Pclose(access);
  SlipStatus status =
      file >= 0 ? SLIP_OK : slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be written", path);
  status = slipi_mpi_agree(part->comm, status, error);
  if (status == SLIP_OK)
    status = write_solution(solver, file, error);
  if (file >= 0 && H5Fclose(file) < 0 && status == SLIP_OK)
    status = slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be written", path);
  return slipi_mpi_agree(part->comm, status, error);
}

/* The own impulses of a file's solution. */
static bool read_solution(const SlipMpiProblem *part, hid_t file, double *r) {
  int64_t d = part->d, contacts = part->equalities > 0 ? part->head : part->layout.contacts;
  int64_t count = own_head(part) * d, first, last;
  bool read = read_vector(file, "solution/r", contacts * d, count > 0 ? part->first_contact * d : 0,
                          count, r);
  if (!read || part->equalities == 0)
    return read;
  own_equalities(part, &first, &last);
  double *l = calloc((size_t)(last - first) + 1, sizeof *l);
  read = l && read_vector(file, "solution/l", part->equalities, first, last - first, l);
  for (int64_t e = first; read && e < last; e++)
    r[part->equality_place[e] - part->first_contact * d] = l[e - first];
  free(l);
  return read;
}

SlipStatus slip_mpi_solver_warm_start_file(SlipMpiSolver *solver, const char *path,
                                           SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part || !path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is null, or solver is without a problem");
  const SlipMpiProblem *part = solver->part;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Pset_fapl_mpio(access, part->comm, MPI_INFO_NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  double *r = calloc((size_t)part->nc * (size_t)part->d + 1, sizeof *r);
  bool read = file >= 0 && r && read_solution(part, file, r);
  SlipStatus status = read ? SLIP_OK
                           : slipi_fail(error, SLIP_ERROR_FORMAT,
                                        "%s has no solution of this problem to start from", path);
  if (file >= 0)
    H5Fclose(file);
  status = slipi_mpi_agree(part->comm, status, error);
  if (status == SLIP_OK)
    status = slip_solver_warm_start(solver->solver, r, error);
  free(r);
  return slipi_mpi_agree(part->comm, status, error);
}

SlipStatus slip_mpi_solver_write(const SlipMpiSolver *solver, const char *path, SlipError *error) {
  return write_file(solver, path, true, error);
}

SlipStatus slip_mpi_solver_add(const SlipMpiSolver *solver, const char *path, SlipError *error) {
  return write_file(solver, path, false, error);
}

/* Of some components, the first of which has the number `first`. */
static uint64_t fingerprint_of(const double *r, int64_t first, int64_t count) {
  uint64_t sum = 0; /* of a number for each component: the order does not matter */
  for (int64_t k = 0; k < count; k++) {
    uint64_t bits;
    memcpy(&bits, &r[k], sizeof bits);
    bits ^= (uint64_t)(first + k + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u; /* splitmix64 */
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    sum += bits ^ (bits >> 31);
  }
  return sum;
}

SlipStatus slip_mpi_file_fingerprint(const char *path, uint64_t *fingerprint, SlipError *error) {
  slipi_error_clear(error);
  if (!path || !fingerprint)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path or fingerprint is null");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = file >= 0 ? H5Dopen2(file, "solution/r", H5P_DEFAULT) : -1;
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  int64_t count = space >= 0 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
  double *r = count >= 0 ? malloc((size_t)count * sizeof *r + 1) : NULL;
  bool read = r && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, r) >= 0;
  if (read)
    *fingerprint = fingerprint_of(r, 0, count);
  free(r);
  if (space >= 0)
    H5Sclose(space);
  if (dataset >= 0)
    H5Dclose(dataset);
  if (file >= 0)
    H5Fclose(file);
  return read ? SLIP_OK
              : slipi_fail(error, SLIP_ERROR_FORMAT, "%s has no solution/r that can be read", path);
}

SlipStatus slip_mpi_solver_fingerprint(const SlipMpiSolver *solver, uint64_t *fingerprint,
                                       SlipError *error) {
  slipi_error_clear(error);
  if (!solver || !solver->part || !solver->has_result || !fingerprint)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "solver is null or without a result");
  const SlipMpiProblem *part = solver->part;
  const double *r = solver->solver->result.r;
  uint64_t sum = fingerprint_of(r, part->first_contact * part->d, own_head(part) * part->d);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, part->comm);
  *fingerprint = sum;
  return SLIP_OK;
}

int32_t slip_mpi_problem_dimension(const SlipMpiProblem *problem) {
  return problem ? problem->d : 0;
}

int64_t slip_mpi_problem_contacts(const SlipMpiProblem *problem) {
  return problem ? problem->layout.contacts : 0;
}

int64_t slip_mpi_problem_bodies(const SlipMpiProblem *problem) {
  return problem ? problem->bodies : 0;
}

int slip_mpi_problem_is_coupled(const SlipMpiProblem *problem) {
  return problem && problem->coupled;
}
