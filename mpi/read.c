/* The global problem of an FCLIB file: each process reads a slab of every dataset. Entries of M and
 * H, which may come in any order, go to the processes whose bodies and contacts they are of. Where
 * these turn out not to be those of rigid bodies, they are read once more, as they are
 * (mpi/coupled.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "contact/bodies.h"
#include "contact/laws.h"
#include "mpi/read.h"

enum {
  NAME = SLIPI_READ_NAME,
  SLICE = 1 << 20 /* entries of a matrix that are read and sent at a time */
};

typedef SlipiReader Reader;

SlipStatus slipi_read_fail(const Reader *reader, const char *name, const char *what,
                           SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: fclib_global/%s %s", reader->path, name, what);
}

static hid_t open_dataset(const Reader *reader, const char *name) {
  char path[NAME + 16];
  snprintf(path, sizeof path, "fclib_global/%s", name);
  return H5Dopen2(reader->file, path, H5P_DEFAULT);
}

bool slipi_read_has(const Reader *reader, const char *name) {
  char path[NAME + 16];
  snprintf(path, sizeof path, "fclib_global/%s", name);
  return H5Lexists(reader->file, path, H5P_DEFAULT) > 0;
}

int64_t slipi_read_length(const Reader *reader, const char *name) {
  hid_t dataset = slipi_read_has(reader, name) ? open_dataset(reader, name) : -1;
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  int64_t length = space >= 0 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
  if (space >= 0)
    H5Sclose(space);
  if (dataset >= 0)
    H5Dclose(dataset);
  return length;
}

SlipStatus slipi_read_slab(const Reader *reader, const char *name, hid_t type, int64_t first,
                           int64_t count, void *values, SlipError *error) {
  if (slipi_read_length(reader, name) < first + count)
    return slipi_read_fail(reader, name, "is missing or too short", error);
  hid_t dataset = open_dataset(reader, name);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t start[2] = {(hsize_t)first, 0}, extent[2] = {(hsize_t)count, 1};
  hid_t memory = H5Screate_simple(1, extent, NULL);
  bool read = space >= 0 && memory >= 0 && H5Sget_simple_extent_ndims(space) <= 2;
  if (read && count > 0)
    read = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
           H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
  if (memory >= 0)
    H5Sclose(memory);
  if (space >= 0)
    H5Sclose(space);
  if (dataset >= 0)
    H5Dclose(dataset);
  return read ? SLIP_OK : slipi_read_fail(reader, name, "cannot be read", error);
}

static SlipStatus read_int(const Reader *reader, const char *name, int32_t *value,
                           SlipError *error) {
  return slipi_read_slab(reader, name, H5T_NATIVE_INT32, 0, 1, value, error);
}

/* ---- Matrices ---- */

typedef SlipiEntry Entry;

/* A matrix, and what is done with an entry where it belongs. */
typedef struct Matrix {
  const char *name; /* "M" or "H" */
  int32_t rows, cols, nz;
  int64_t entries;      /* triplets, or lines of a compressed matrix */
  const int32_t *place; /* the unknown that each column is; NULL: in their order */
  int (*owner)(const Reader *reader, const Entry *entry);
  SlipStatus (*take)(Reader *reader, const Entry *entry, SlipError *error);
} Matrix;

static int body_owner(const Reader *reader, const Entry *entry) {
  return slipi_range_owner(reader->data.bodies, entry->row / reader->n, reader->ranks);
}

static SlipStatus take_mass(Reader *reader, const Entry *entry, SlipError *error) {
  int32_t n = reader->n;
  (void)error;
  if (entry->row / n != entry->col / n) {
    reader->coupled = reader->coupled || entry->x != 0;
    return SLIP_OK;
  }
  int64_t body = entry->row / n - reader->first_body;
  reader->M[(body * n + entry->row % n) * n + entry->col % n] += entry->x;
  return SLIP_OK;
}

static int contact_owner(const Reader *reader, const Entry *entry) {
  SlipiLayout layout = slipi_layout(reader->data.contacts, reader->ranks);
  int64_t chunk = slipi_layout_chunk(&layout, entry->col / reader->data.dimension);
  return slipi_layout_part(&layout, chunk, reader->ranks);
}

static SlipStatus take_block(Reader *reader, const Entry *entry, SlipError *error) {
  int32_t n = reader->n, d = reader->data.dimension;
  int64_t contact = entry->col / d - reader->first_contact, body = entry->row / n;
  int64_t *pair = reader->body + 2 * contact;
  int side = pair[0] == body || pair[0] < 0 ? 0 : 1;
  (void)error;
  if (pair[side] >= 0 && pair[side] != body) {
    reader->coupled = true;
    return SLIP_OK;
  }
  pair[side] = body;
  reader->H[((2 * contact + side) * d + entry->col % d) * n + entry->row % n] += entry->x;
  return SLIP_OK;
}

static SlipStatus keep_entry(SlipiEntries *entries, const Entry *entry, SlipError *error) {
  if (entries->count == INT32_MAX ||
      !SLIPI_ROOM(entries->entry, entries->capacity, entries->count + 1))
    return slipi_fail_memory(error, "a matrix");
  entries->entry[entries->count++] = *entry;
  return SLIP_OK;
}

static SlipStatus keep_mass(Reader *reader, const Entry *entry, SlipError *error) {
  return keep_entry(&reader->M_entries, entry, error);
}

static SlipStatus keep_block(Reader *reader, const Entry *entry, SlipError *error) {
  return keep_entry(&reader->H_entries, entry, error);
}

static int column_owner(const Reader *reader, const Entry *entry) {
  return slipi_range_owner(reader->data.contacts, entry->col / reader->data.dimension,
                           reader->ranks);
}

static SlipStatus read_shape(const Reader *reader, Matrix *matrix, SlipError *error) {
  char name[NAME];
  int32_t rows = 0, cols = 0;
  snprintf(name, sizeof name, "%s/m", matrix->name);
  SlipStatus status = read_int(reader, name, &rows, error);
  snprintf(name, sizeof name, "%s/n", matrix->name);
  if (status == SLIP_OK)
    status = read_int(reader, name, &cols, error);
  snprintf(name, sizeof name, "%s/nz", matrix->name);
  if (status == SLIP_OK)
    status = read_int(reader, name, &matrix->nz, error);
  if (status != SLIP_OK)
    return status;
  if (matrix->rows < 0)
    matrix->rows = matrix->cols = rows; /* M, which says how many degrees of freedom there are */
  if (rows != matrix->rows || cols != matrix->cols || rows < 0 || cols < 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: fclib_global/%s is %d x %d, expected %d x %d",
                      reader->path, matrix->name, rows, cols, matrix->rows, matrix->cols);
  if (matrix->nz < -2)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: fclib_global/%s/nz is %d", reader->path,
                      matrix->name, matrix->nz);
  matrix->entries = matrix->nz >= 0 ? matrix->nz : matrix->nz == -1 ? matrix->cols : matrix->rows;
  return SLIP_OK;
}

/* Room of a slice. */
typedef struct Slice {
  int32_t *p, *i;
  double *x;
  int64_t count;
} Slice;

/* The entries from `first` on of a triplet matrix. */
static SlipStatus read_triplets(const Reader *reader, const Matrix *matrix, int64_t first,
                                Slice *slice, SlipError *error) {
  static const char *const parts[] = {"i", "p", "x"};
  void *to[] = {slice->i, slice->p, slice->x};
  SlipStatus status = SLIP_OK;
  for (int k = 0; k < 3 && status == SLIP_OK; k++) {
    char name[NAME];
    snprintf(name, sizeof name, "%s/%s", matrix->name, parts[k]);
    status = slipi_read_slab(reader, name, k < 2 ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, first,
                             slice->count, to[k], error);
  }
  return status;
}

/* The entry k of a compressed matrix is in the line whose pointers enclose it. */
static SlipStatus read_compressed(const Reader *reader, const Matrix *matrix, const int32_t *lines,
                                  int64_t first, Slice *slice, SlipError *error) {
  char name[NAME];
  snprintf(name, sizeof name, "%s/i", matrix->name);
  SlipStatus status =
      slipi_read_slab(reader, name, H5T_NATIVE_INT32, first, slice->count, slice->i, error);
  snprintf(name, sizeof name, "%s/x", matrix->name);
  if (status == SLIP_OK)
    status = slipi_read_slab(reader, name, H5T_NATIVE_DOUBLE, first, slice->count, slice->x, error);
  int64_t low = 0, high = matrix->entries;
  while (high - low > 1) { /* the last line that begins at `first` or before */
    int64_t middle = (low + high) / 2;
    *(lines[middle] <= first ? &low : &high) = middle;
  }
  for (int64_t k = 0; k < slice->count; k++) {
    while (low + 1 < matrix->entries && lines[low + 1] <= first + k)
      low++;
    slice->p[k] = (int32_t)low;
  }
  return status;
}

/* One entry of a slice; i is the row and p the column, but of compressed rows the other way round.
 */
static SlipStatus get_entry(const Reader *reader, const Matrix *matrix, const Slice *slice,
                            int64_t k, Entry *entry, SlipError *error) {
  bool turned = matrix->nz == -2;
  *entry =
      (Entry){turned ? slice->p[k] : slice->i[k], turned ? slice->i[k] : slice->p[k], slice->x[k]};
  if (entry->row >= 0 && entry->row < matrix->rows && entry->col >= 0 &&
      entry->col < matrix->cols) {
    entry->col = matrix->place ? matrix->place[entry->col] : entry->col;
    return SLIP_OK;
  }
  return slipi_fail(error, SLIP_ERROR_FORMAT,
                    "%s: fclib_global/%s has an entry in row %d, column %d, but is %d x %d",
                    reader->path, matrix->name, (int)entry->row, (int)entry->col, (int)matrix->rows,
                    (int)matrix->cols);
}

/* One process has every entry itself. */
static SlipStatus take_slice(Reader *reader, const Matrix *matrix, const Slice *slice,
                             SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int64_t k = 0; k < slice->count && status == SLIP_OK; k++) {
    Entry entry;
    status = get_entry(reader, matrix, slice, k, &entry, error);
    if (status == SLIP_OK)
      status = matrix->take(reader, &entry, error);
  }
  return status;
}

static SlipStatus send_slice(Reader *reader, const Matrix *matrix, const Slice *slice,
                             SlipError *error) {
  SlipiRecords out, in = {0};
  bool room = slipi_records_new(&out, slice->count, sizeof(Entry));
  SlipStatus status = room ? SLIP_OK : slipi_fail_memory(error, "a matrix");
  for (int64_t k = 0; k < slice->count && status == SLIP_OK; k++) {
    Entry *entry = slipi_record(&out, k);
    status = get_entry(reader, matrix, slice, k, entry, error);
    if (status == SLIP_OK)
      out.rank[k] = matrix->owner(reader, entry);
  }
  status = slipi_mpi_agree(reader->comm, status, error);
  if (status == SLIP_OK)
    status = slipi_mpi_route(reader->comm, &out, &in, error);
  for (int64_t k = 0; k < in.count && status == SLIP_OK; k++)
    status = matrix->take(reader, slipi_record(&in, k), error);
  slipi_records_free(&out);
  slipi_records_free(&in);
  return slipi_mpi_agree(reader->comm, status, error);
}

/* Pointers of a compressed matrix, all of them: one for each line. */
static SlipStatus read_lines(Reader *reader, const Matrix *matrix, int32_t **lines, int64_t *total,
                             SlipError *error) {
  char name[NAME];
  *lines = NULL;
  *total = matrix->nz;
  if (matrix->nz >= 0)
    return SLIP_OK;
  snprintf(name, sizeof name, "%s/p", matrix->name);
  *lines = malloc(((size_t)matrix->entries + 1) * sizeof **lines);
  SlipStatus status = *lines ? slipi_read_slab(reader, name, H5T_NATIVE_INT32, 0,
                                               matrix->entries + 1, *lines, error)
                             : slipi_fail_memory(error, "a matrix");
  for (int64_t k = 0; k < matrix->entries && status == SLIP_OK; k++)
    if ((*lines)[k] < 0 || (*lines)[k] > (*lines)[k + 1])
      status = slipi_read_fail(reader, name, "does not ascend", error);
  *total = status == SLIP_OK ? (*lines)[matrix->entries] : 0;
  return status;
}

static SlipStatus read_matrix(Reader *reader, Matrix *matrix, SlipError *error) {
  int32_t *lines = NULL;
  int64_t total = 0;
  SlipStatus status = read_lines(reader, matrix, &lines, &total, error);
  Slice slice = {malloc(SLICE * sizeof *slice.p), malloc(SLICE * sizeof *slice.i),
                 malloc(SLICE * sizeof *slice.x), 0};
  if (status == SLIP_OK && (!slice.p || !slice.i || !slice.x))
    status = slipi_fail_memory(error, "a matrix");
  status = slipi_mpi_agree(reader->comm, status, error);
  int64_t next = total * reader->rank / reader->ranks;
  int64_t end = total * (reader->rank + 1) / reader->ranks;
  while (status == SLIP_OK && !slipi_mpi_all(reader->comm, next == end)) {
    slice.count = end - next < SLICE ? end - next : SLICE;
    status = matrix->nz >= 0 ? read_triplets(reader, matrix, next, &slice, error)
                             : read_compressed(reader, matrix, lines, next, &slice, error);
    next += slice.count;
    status = slipi_mpi_agree(reader->comm, status, error);
    if (status == SLIP_OK)
      status = reader->ranks > 1 ? send_slice(reader, matrix, &slice, error)
                                 : take_slice(reader, matrix, &slice, error);
  }
  free(slice.p);
  free(slice.i);
  free(slice.x);
  free(lines);
  return status;
}

/* ---- The problem ---- */

/* G is the part of H that equality constraints have. */
typedef struct Matrices {
  Matrix M, H, G;
} Matrices;

static SlipStatus read_matrices(Reader *reader, Matrices *all, SlipError *error) {
  SlipStatus status = read_matrix(reader, &all->M, error);
  if (status == SLIP_OK)
    status = read_matrix(reader, &all->H, error);
  return status == SLIP_OK && all->G.cols > 0 ? read_matrix(reader, &all->G, error) : status;
}

/* Sizes of the problem, and which part of it this process reads. */
static SlipStatus read_sizes(Reader *reader, Matrices *all, SlipError *error) {
  Matrix *M = &all->M, *H = &all->H, *G = &all->G;
  SlipMpiData *data = &reader->data;
  if (!slipi_read_has(reader, "M") || !slipi_read_has(reader, "H") ||
      !slipi_read_has(reader, "vectors"))
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s has no fclib_global with M, H and vectors: only global problems can be "
                      "solved on many processes",
                      reader->path);
  SlipStatus status = read_int(reader, "spacedim", &data->dimension, error);
  if (status == SLIP_OK && data->dimension != 2 && data->dimension != 3)
    return slipi_read_fail(reader, "spacedim", "is neither 2 nor 3", error);
  int64_t contacts = slipi_read_length(reader, "vectors/mu");
  if (status == SLIP_OK && (contacts < 0 || contacts > INT32_MAX / 3))
    return slipi_read_fail(reader, "vectors/mu", "is missing or too long", error);
  if (status == SLIP_OK)
    status = slipi_read_equalities(reader, contacts, error);
  data->contacts = reader->equalities.contacts;
  if (status == SLIP_OK)
    status = read_shape(reader, M, error);
  if (status != SLIP_OK)
    return status;
  reader->n = slipi_body_dof(data->dimension);
  reader->coupled = M->rows % reader->n != 0;
  data->bodies = M->rows / reader->n;
  H->rows = G->rows = M->rows;
  H->cols = (int32_t)contacts * data->dimension;
  G->cols = reader->equalities.count;
  G->place = reader->equalities.place;
  status = read_shape(reader, H, error);
  return status == SLIP_OK && G->cols > 0 ? read_shape(reader, G, error) : status;
}

static SlipStatus make_room(Reader *reader, SlipError *error) {
  SlipMpiData *data = &reader->data;
  int64_t n = reader->n, d = data->dimension;
  reader->first_contact = slip_mpi_first_contact(data->contacts, reader->rank, reader->ranks);
  reader->first_body = slipi_range_first(data->bodies, reader->rank, reader->ranks);
  data->own_contacts =
      (int32_t)(slip_mpi_first_contact(data->contacts, reader->rank + 1, reader->ranks) -
                reader->first_contact);
  data->own_bodies = (int32_t)(slipi_range_first(data->bodies, reader->rank + 1, reader->ranks) -
                               reader->first_body);
  reader->M = SLIPI_ARENA_NEW(&reader->arena, double, data->own_bodies *n *n);
  reader->H = SLIPI_ARENA_NEW(&reader->arena, double, 2 * data->own_contacts * d * n);
  reader->body = SLIPI_ARENA_RAW(&reader->arena, int64_t, 2 * data->own_contacts);
  if (reader->arena.failed)
    return slipi_fail_memory(error, "a problem");
  for (int64_t k = 0; k < 2 * (int64_t)data->own_contacts; k++)
    reader->body[k] = -1;
  data->M = reader->M;
  data->H = reader->H;
  data->body = reader->body;
  data->laws = &reader->laws;
  return SLIP_OK;
}

/* Rigid bodies and their contacts, unless it turns out that there are others. */
static SlipStatus read_bodies(Reader *reader, Matrices *all, SlipError *error) {
  SlipStatus status = slipi_mpi_agree(reader->comm, make_room(reader, error), error);
  if (status == SLIP_OK)
    status = slipi_mpi_agree(reader->comm, slipi_read_vectors(reader, error), error);
  if (status == SLIP_OK)
    status = read_matrices(reader, all, error);
  reader->coupled = !slipi_mpi_all(reader->comm, !reader->coupled);
  return status;
}

/* Rows of M and columns of H in even ranges: each degree of freedom is a body for itself. */
static SlipStatus read_coupled(Reader *reader, Matrices *all, SlipError *error) {
  SlipMpiData *data = &reader->data;
  Matrix *M = &all->M;
  slipi_arena_reset(&reader->arena);
  reader->laws = slip_default_laws();
  reader->n = 1;
  data->bodies = M->rows;
  reader->first_body = slipi_range_first(M->rows, reader->rank, reader->ranks);
  data->own_bodies =
      (int32_t)(slipi_range_first(M->rows, reader->rank + 1, reader->ranks) - reader->first_body);
  reader->first_contact = slipi_range_first(data->contacts, reader->rank, reader->ranks);
  data->own_contacts =
      (int32_t)(slipi_range_first(data->contacts, reader->rank + 1, reader->ranks) -
                reader->first_contact);
  M->take = keep_mass;
  all->H.take = all->G.take = keep_block;
  all->H.owner = all->G.owner = column_owner;
  SlipStatus status = slipi_mpi_agree(reader->comm, slipi_read_vectors(reader, error), error);
  return status == SLIP_OK ? read_matrices(reader, all, error) : status;
}

static SlipStatus read_all(Reader *reader, SlipError *error) {
  Matrices all = {
      .M = {.name = "M", .rows = -1, .owner = body_owner, .take = take_mass},
      .H = {.name = "H", .owner = contact_owner, .take = take_block},
      .G = {.name = "G", .owner = contact_owner, .take = take_block},
  };
  SlipStatus status = slipi_mpi_agree(reader->comm, read_sizes(reader, &all, error), error);
  if (status == SLIP_OK && !reader->coupled)
    status = read_bodies(reader, &all, error);
  return status == SLIP_OK && reader->coupled ? read_coupled(reader, &all, error) : status;
}

static SlipStatus make_coupled(const Reader *reader, SlipMpiProblem **problem, SlipError *error) {
  const SlipMpiData *data = &reader->data;
  const SlipiCoupledData coupled = {.d = data->dimension,
                                    .contacts = data->contacts,
                                    .dof = data->bodies,
                                    .first_contact = reader->first_contact,
                                    .own_contacts = data->own_contacts,
                                    .own_dof = data->own_bodies,
                                    .M = &reader->M_entries,
                                    .H = &reader->H_entries,
                                    .f = data->f,
                                    .w = data->w,
                                    .laws = &reader->laws,
                                    .compliance = data->compliance};
  return slipi_coupled_create(reader->comm, &coupled, problem, error);
}

/* For the solution of a file, in which equality constraints have a vector of their own. */
static SlipStatus keep_equalities(const Reader *reader, SlipMpiProblem **problem,
                                  SlipError *error) {
  const SlipiEqualities *equalities = &reader->equalities;
  SlipMpiProblem *part = *problem;
  if (equalities->count == 0)
    return SLIP_OK;
  part->equality_place = slipi_arena_copy(&part->arena, equalities->place,
                                          (size_t)equalities->count, sizeof *equalities->place);
  part->equalities = equalities->count;
  part->head = equalities->first;
  SlipStatus status = slipi_mpi_agree(
      reader->comm,
      part->equality_place ? SLIP_OK : slipi_fail_memory(error, "the equality constraints"), error);
  if (status != SLIP_OK) {
    slip_mpi_problem_free(part);
    *problem = NULL;
  }
  return status;
}

SlipStatus slip_mpi_problem_read(MPI_Comm comm, const char *path, SlipMpiProblem **problem,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!problem || !path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path or problem is null");
  *problem = NULL;
  Reader reader = {
      .comm = comm, .path = path, .data = slip_default_mpi_data(), .laws = slip_default_laws()};
  MPI_Comm_rank(comm, &reader.rank);
  MPI_Comm_size(comm, &reader.ranks);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  reader.file = H5Fopen(path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  SlipStatus status = reader.file >= 0 ? SLIP_OK
                                       : slipi_fail(error, SLIP_ERROR_FORMAT,
                                                    "%s cannot be opened as an HDF5 file", path);
  status = slipi_mpi_agree(comm, status, error);
  if (status == SLIP_OK)
    status = read_all(&reader, error);
  if (reader.file >= 0)
    H5Fclose(reader.file);
  if (status == SLIP_OK)
    status = reader.coupled ? make_coupled(&reader, problem, error)
                            : slip_mpi_problem_create(comm, &reader.data, problem, error);
  if (status == SLIP_OK)
    status = keep_equalities(&reader, problem, error);
  free(reader.M_entries.entry);
  free(reader.H_entries.entry);
  slipi_arena_free(&reader.arena);
  slipi_arena_free(&reader.equality_arena);
  return status;
}
