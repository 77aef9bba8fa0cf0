/* FCLIB HDF5 files with triplet matrices, which every reader of the format accepts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "contact/laws.h"
#include "io/equalities.h"
#include "io/fclib_laws.h"
#include "io/fclib_rolling.h"
#include "io/h5.h"

/* Datasets are made one after the other; the first failure is kept and the rest skipped. */
typedef struct Writer {
  SlipStatus status;
  SlipError *error;
  SlipiEqualities equalities; /* the last contacts of the problem, apart from the others */
  int32_t rolling;            /* contacts of a file with rolling friction, or 0 */
  SlipiArena arena;           /* their memory, and that of the parts made for them */
  hid_t own;                  /* the group of Slipcone's own arrays, or -1 */
} Writer;

static void writer_fail(Writer *writer, const char *name) {
  if (writer->status == SLIP_OK)
    writer->status = slipi_fail(writer->error, slipi_h5_status(), "%s cannot be made", name);
}

static hid_t make_group(Writer *writer, hid_t parent, const char *name) {
  if (writer->status != SLIP_OK)
    return -1;
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0)
    writer_fail(writer, name);
  return group;
}

static void close_group(hid_t group) {
  if (group >= 0)
    H5Gclose(group);
}

static void put_int(Writer *writer, hid_t group, const char *name, int32_t value);

/* The group of Slipcone's own arrays, made when there is something to be put into it. */
static hid_t own_group(Writer *writer, hid_t problem) {
  if (writer->own < 0) {
    writer->own = make_group(writer, problem, SLIPI_OWN_GROUP);
    put_int(writer, writer->own, "version", SLIPI_OWN_VERSION);
  }
  return writer->own;
}

/* `type` is the type in the file, `memory` that of the values. */
static void put(Writer *writer, hid_t group, const char *name, hid_t type, hid_t memory,
                hid_t space, const void *values) {
  hid_t dataset =
      space < 0 ? -1 : H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset < 0 ||
      (values && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
    writer_fail(writer, name);
  if (dataset >= 0)
    H5Dclose(dataset);
}

static void put_array(Writer *writer, hid_t group, const char *name, hid_t type, hid_t memory,
                      int64_t count, const void *values) {
  if (writer->status != SLIP_OK)
    return;
  hsize_t extent = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &extent, NULL);
  put(writer, group, name, type, memory, space, count > 0 ? values : NULL);
  if (space >= 0)
    H5Sclose(space);
}

static void put_reals(Writer *writer, hid_t group, const char *name, int64_t count,
                      const double *values) {
  put_array(writer, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

static void put_ints(Writer *writer, hid_t group, const char *name, int64_t count,
                     const int32_t *values) {
  put_array(writer, group, name, H5T_STD_I32LE, H5T_NATIVE_INT32, count, values);
}

static void put_int(Writer *writer, hid_t group, const char *name, int32_t value) {
  put_ints(writer, group, name, 1, &value);
}

static void put_text(Writer *writer, hid_t group, const char *name, const char *text) {
  if (writer->status != SLIP_OK || !text)
    return;
  hid_t type = H5Tcopy(H5T_C_S1);
  hid_t space = H5Screate(H5S_SCALAR);
  if (type < 0 || H5Tset_size(type, strlen(text) + 1) < 0)
    writer_fail(writer, name);
  else
    put(writer, group, name, type, type, space, text);
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
}

/* The matrices of a problem are in CSR, so only the rows have to be spelled out. */
static int32_t *row_of_each_entry(const SlipMatrix *matrix) {
  int32_t *row = malloc((size_t)matrix->nnz * sizeof *row + 1);
  for (int32_t a = 0; row && a < matrix->rows; a++)
    for (int32_t k = matrix->p[a]; k < matrix->p[a + 1]; k++)
      row[k] = a;
  return row;
}

static void put_matrix(Writer *writer, hid_t problem, const char *name, const SlipMatrix *matrix) {
  hid_t group = make_group(writer, problem, name);
  if (group < 0)
    return;
  int32_t *row = row_of_each_entry(matrix);
  int32_t nz = (int32_t)matrix->nnz;
  if (!row)
    writer->status = slipi_fail_memory(writer->error, name);
  put_int(writer, group, "nzmax", nz);
  put_int(writer, group, "m", matrix->rows);
  put_int(writer, group, "n", matrix->cols);
  put_int(writer, group, "nz", nz);
  put_ints(writer, group, "p", nz, matrix->i);
  put_ints(writer, group, "i", nz, row);
  put_reals(writer, group, "x", nz, matrix->x);
  free(row);
  close_group(group);
}

/* A part of a matrix over all contacts. */
static void put_part(Writer *writer, hid_t problem, const char *name, const SlipMatrix *whole,
                     SlipiSide rows, SlipiSide cols) {
  SlipMatrix part = *whole;
  if (writer->status == SLIP_OK && writer->equalities.count > 0)
    writer->status = slipi_equalities_part(&writer->equalities, &writer->arena, whole, rows, cols,
                                           &part, writer->error);
  put_matrix(writer, problem, name, &part);
}

/* The components of the equalities in a vector over all contacts. */
static void put_tail(Writer *writer, hid_t group, const char *name, const double *whole) {
  double *tail = NULL;
  if (writer->status == SLIP_OK)
    writer->status =
        slipi_equalities_tail(&writer->equalities, &writer->arena, whole, &tail, writer->error);
  put_reals(writer, group, name, writer->equalities.count, tail);
}

/* How the equalities make up contacts, where a reader would not do it the same way by itself. */
static void put_equality_bound(Writer *writer, hid_t problem) {
  const SlipiEqualities *equalities = &writer->equalities;
  if (writer->status == SLIP_OK && equalities->count > 0 && !slipi_equalities_plain(equalities))
    put_ints(writer, own_group(writer, problem), SLIPI_EQUALITY_BOUND,
             equalities->contacts - equalities->first, equalities->bound);
}

static void put_parameters(Writer *writer, hid_t problem, const SlipLaws *laws) {
  int32_t contacts = writer->equalities.first;
  for (int k = 0; k < SLIPI_LAW_PARAMETERS; k++) {
    const SlipiLawParameter *parameter = &slipi_law_parameters[k];
    const void *values = slipi_laws_array(laws, parameter);
    if (!values || values == laws->mu || !slipi_laws_need(laws, contacts, parameter))
      continue;
    if (parameter->real)
      put_reals(writer, own_group(writer, problem), parameter->name, contacts, values);
    else
      put_ints(writer, own_group(writer, problem), parameter->name, contacts, values);
  }
}

/* What FCLIB's own, Coulomb friction with mu, does not say, in a group of Slipcone's own: laws with
 * their parameters, compliance, bounds of equalities. */
static void put_own(Writer *writer, hid_t problem, const SlipLaws *laws, const double *compliance) {
  int32_t contacts = writer->equalities.first, dimension = writer->equalities.dimension;
  bool plain = true;
  for (int32_t a = 0; writer->status == SLIP_OK && a < contacts; a++)
    plain = plain && laws->kind[a] == SLIP_COULOMB;
  if (!plain)
    put_ints(writer, own_group(writer, problem), "law", contacts, laws->kind);
  if (writer->status == SLIP_OK)
    put_parameters(writer, problem, laws);
  if (compliance)
    put_reals(writer, own_group(writer, problem), "compliance",
              (int64_t)contacts * dimension * dimension, compliance);
  put_equality_bound(writer, problem);
  close_group(writer->own);
  writer->own = -1;
}

static void put_info(Writer *writer, hid_t problem, const SlipWrite *content) {
  if (!content->title && !content->description && !content->math_info)
    return;
  hid_t group = make_group(writer, problem, "info");
  put_text(writer, group, "title", content->title);
  put_text(writer, group, "description", content->description);
  put_text(writer, group, "math_info", content->math_info);
  close_group(group);
}

/* mu and mu_r of contacts with rolling friction. */
static void put_coefficients(Writer *writer, hid_t vectors, const SlipLaws *laws) {
  int32_t nc = writer->rolling;
  double *mu = SLIPI_ARENA_NEW(&writer->arena, double, 2 * (int64_t)nc);
  if (!mu && writer->status == SLIP_OK)
    writer->status = slipi_fail_memory(writer->error, "the file's content");
  if (writer->status != SLIP_OK)
    return;
  for (int64_t a = 0; a < 2 * (int64_t)nc; a++)
    mu[a % 2 * nc + a / 2] = laws->mu[a];
  put_reals(writer, vectors, "mu", nc, mu);
  put_reals(writer, vectors, "mu_r", nc, mu + nc);
}

/* The local form with five components a contact. */
static void put_local_rolling(Writer *writer, hid_t file, const SlipLocalData *data,
                              const SlipWrite *content) {
  int32_t nc = data->contacts / 2;
  SlipMatrix W;
  double *q = slipi_rolling_gather(&writer->arena, 3, nc, data->q);
  writer->rolling = nc;
  if (!q)
    writer->status = slipi_fail_memory(writer->error, "the file's content");
  else
    writer->status = slipi_rolling_narrow_square(&writer->arena, nc, &data->W, &W, writer->error);
  if (writer->status != SLIP_OK)
    return;
  hid_t group = make_group(writer, file, "fclib_local");
  put_int(writer, group, "spacedim", slipi_rolling_width(3));
  put_matrix(writer, group, "W", &W);
  hid_t vectors = make_group(writer, group, "vectors");
  put_reals(writer, vectors, "q", (int64_t)slipi_rolling_width(3) * nc, q);
  put_coefficients(writer, vectors, data->laws);
  put_info(writer, group, content);
  close_group(vectors);
  close_group(group);
}

static void put_local(Writer *writer, hid_t file, const SlipWrite *content) {
  SlipLocalData data = slip_default_local_data();
  writer->status = slip_problem_local_data(content->problem, &data, writer->error);
  if (writer->status == SLIP_OK && slipi_rolling_fits_local(&data)) {
    put_local_rolling(writer, file, &data, content);
    return;
  }
  if (writer->status == SLIP_OK)
    writer->status =
        slipi_equalities_of_local(&data, &writer->arena, &writer->equalities, writer->error);
  hid_t group = make_group(writer, file, "fclib_local");
  put_int(writer, group, "spacedim", data.dimension);
  put_part(writer, group, "W", &data.W, SLIPI_SIDE_CONTACTS, SLIPI_SIDE_CONTACTS);
  hid_t vectors = make_group(writer, group, "vectors");
  put_reals(writer, vectors, "q", (int64_t)data.dimension * writer->equalities.first, data.q);
  if (writer->status == SLIP_OK)
    put_reals(writer, vectors, "mu", writer->equalities.first, data.laws->mu);
  put_own(writer, group, data.laws, data.compliance);
  if (writer->equalities.count > 0) {
    put_part(writer, group, "V", &data.W, SLIPI_SIDE_CONTACTS, SLIPI_SIDE_EQUALITIES);
    put_part(writer, group, "R", &data.W, SLIPI_SIDE_EQUALITIES, SLIPI_SIDE_EQUALITIES);
    put_tail(writer, vectors, "s", data.q);
  }
  put_info(writer, group, content);
  close_group(vectors);
  close_group(group);
}

/* All contacts have rolling friction: FCLIB's third form. */
static void put_rolling(Writer *writer, hid_t file, const SlipGlobalData *data,
                        const SlipWrite *content) {
  int32_t d = data->dimension, nc = data->contacts / 2;
  SlipMatrix H;
  double *w = slipi_rolling_gather(&writer->arena, d, nc, data->w);
  writer->rolling = nc;
  if (!w)
    writer->status = slipi_fail_memory(writer->error, "the file's content");
  else
    writer->status = slipi_rolling_narrow(&writer->arena, d, nc, &data->H, &H, writer->error);
  if (writer->status != SLIP_OK)
    return;
  hid_t group = make_group(writer, file, SLIPI_FCLIB_ROLLING);
  put_int(writer, group, "spacedim", slipi_rolling_width(d));
  put_matrix(writer, group, "M", &data->M);
  put_matrix(writer, group, "H", &H);
  hid_t vectors = make_group(writer, group, "vectors");
  put_reals(writer, vectors, "f", data->M.rows, data->f);
  put_reals(writer, vectors, "w", (int64_t)slipi_rolling_width(d) * nc, w);
  put_coefficients(writer, vectors, data->laws);
  put_info(writer, group, content);
  close_group(vectors);
  close_group(group);
}

static void put_global(Writer *writer, hid_t file, const SlipWrite *content) {
  SlipGlobalData data = slip_default_global_data();
  writer->status = slip_problem_global_data(content->problem, &data, writer->error);
  if (writer->status == SLIP_OK && slipi_rolling_fits(&data)) {
    put_rolling(writer, file, &data, content);
    return;
  }
  if (writer->status == SLIP_OK)
    writer->status =
        slipi_equalities_of_global(&data, &writer->arena, &writer->equalities, writer->error);
  hid_t group = make_group(writer, file, "fclib_global");
  put_int(writer, group, "spacedim", data.dimension);
  put_matrix(writer, group, "M", &data.M);
  put_part(writer, group, "H", &data.H, SLIPI_SIDE_ALL, SLIPI_SIDE_CONTACTS);
  hid_t vectors = make_group(writer, group, "vectors");
  put_reals(writer, vectors, "f", data.M.rows, data.f);
  put_reals(writer, vectors, "w", (int64_t)data.dimension * writer->equalities.first, data.w);
  if (writer->status == SLIP_OK)
    put_reals(writer, vectors, "mu", writer->equalities.first, data.laws->mu);
  put_own(writer, group, data.laws, data.compliance);
  if (writer->equalities.count > 0) {
    put_part(writer, group, "G", &data.H, SLIPI_SIDE_ALL, SLIPI_SIDE_EQUALITIES);
    put_tail(writer, vectors, "b", data.w);
  }
  put_info(writer, group, content);
  close_group(vectors);
  close_group(group);
}

/* r or u of a solution, in the components of a file. */
static void put_contacts(Writer *writer, hid_t group, const char *name, int32_t d,
                         const double *x) {
  if (writer->rolling == 0 || !x) {
    int64_t size = (int64_t)d * writer->equalities.first;
    if (writer->rolling > 0)
      size = (int64_t)slipi_rolling_width(d) * writer->rolling;
    put_reals(writer, group, name, size, x);
    return;
  }
  double *narrow = slipi_rolling_gather(&writer->arena, d, writer->rolling, x);
  if (!narrow && writer->status == SLIP_OK)
    writer->status = slipi_fail_memory(writer->error, "the file's content");
  put_reals(writer, group, name, (int64_t)slipi_rolling_width(d) * writer->rolling, narrow);
}

/* dof: of the problem. */
static void put_solution(Writer *writer, hid_t parent, const char *name, int32_t dof,
                         const SlipSolution *given) {
  SlipSolution known = slip_default_solution();
  const SlipSolution *solution = &known;
  if (writer->status == SLIP_OK)
    writer->status = slipi_versioned_read("solution", given, &known, sizeof known, writer->error);
  hid_t group = make_group(writer, parent, name);
  put_contacts(writer, group, "u", solution->dimension, solution->u);
  put_contacts(writer, group, "r", solution->dimension, solution->r);
  if (writer->equalities.count > 0)
    put_tail(writer, group, "l", solution->r);
  /* Readers of a global problem ask for v even where there is none. */
  if (solution->v || dof > 0)
    put_reals(writer, group, "v", solution->v ? solution->dof : dof, solution->v);
  close_group(group);
}

static void put_guesses(Writer *writer, hid_t file, const SlipWrite *content) {
  if (content->guess_count == 0)
    return;
  hid_t group = make_group(writer, file, "guesses");
  put_int(writer, group, "number_of_guesses", content->guess_count);
  for (int32_t k = 0; k < content->guess_count; k++) {
    char name[16];
    snprintf(name, sizeof name, "%d", k + 1);
    put_solution(writer, group, name, slip_problem_dof(content->problem), content->guesses[k]);
  }
  close_group(group);
}

static SlipStatus take_image(hid_t file, void **image, size_t *size, SlipError *error) {
  ssize_t bytes = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
  if (bytes <= 0)
    return slipi_fail(error, slipi_h5_status(), "the file cannot be put together");
  *image = malloc((size_t)bytes);
  if (!*image)
    return slipi_fail_memory(error, "the file's content");
  if (H5Fget_file_image(file, *image, (size_t)bytes) != bytes) {
    free(*image);
    *image = NULL;
    return slipi_fail(error, slipi_h5_status(), "the file cannot be put together");
  }
  *size = (size_t)bytes;
  return SLIP_OK;
}

static SlipStatus fill(hid_t file, const SlipWrite *content, void **image, size_t *size,
                       SlipError *error) {
  Writer writer = {.status = SLIP_OK, .error = error, .own = -1};
  if (slip_problem_form(content->problem) == SLIP_FORM_LOCAL)
    put_local(&writer, file, content);
  else
    put_global(&writer, file, content);
  if (content->solution)
    put_solution(&writer, file, "solution", slip_problem_dof(content->problem), content->solution);
  put_guesses(&writer, file, content);
  slipi_arena_free(&writer.arena);
  return writer.status == SLIP_OK ? take_image(file, image, size, error) : writer.status;
}

/* In memory, with no file behind: HDF5 cannot be trusted to close a file it cannot write. */
SlipStatus slipi_fclib_image(const SlipWrite *content, void **image, size_t *size,
                             SlipError *error) {
  SlipiH5Quiet quiet;
  SlipStatus status = SLIP_OK;
  hid_t file = -1;
  slipi_h5_quiet_begin(&quiet);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_fapl_core(access, (size_t)1 << 20, 0) >= 0 &&
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
    file = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (file < 0)
    status = slipi_fail(error, slipi_h5_status(), "HDF5 cannot be set up");
  else
    status = fill(file, content, image, size, error);
  if (file >= 0)
    H5Fclose(file);
  if (access >= 0)
    H5Pclose(access);
  slipi_h5_quiet_end(&quiet);
  return status;
}
