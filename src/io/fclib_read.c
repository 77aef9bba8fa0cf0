/* FCLIB HDF5 files, as docs and real files have them: the layout is told in docs/formats.md. */
#include <stdio.h>

#include "contact/laws.h"
#include "contact/problem.h"
#include "io/equalities.h"
#include "io/fclib_laws.h"
#include "io/fclib_rolling.h"
#include "io/fclib_solution.h"
#include "io/h5.h"
#include "io/h5_check.h"

/* The groups of a problem. */
typedef struct Form {
  SlipiH5Group group, vectors;
  SlipiOwnArrays own;
} Form;

/* A matrix group. rows and cols of -1 take what the file says. */
typedef struct Shape {
  int64_t rows, cols;
} Shape;

static SlipStatus check_shape(const SlipiH5Group *group, const SlipMatrix *matrix, Shape shape,
                              SlipError *error) {
  if (matrix->rows < 0 || matrix->cols < 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is said to be %d x %d", group->path,
                      matrix->rows, matrix->cols);
  if ((shape.rows >= 0 && matrix->rows != shape.rows) ||
      (shape.cols >= 0 && matrix->cols != shape.cols))
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is %d x %d, expected %lld x %lld", group->path,
                      matrix->rows, matrix->cols,
                      (long long)(shape.rows < 0 ? matrix->rows : shape.rows),
                      (long long)(shape.cols < 0 ? matrix->cols : shape.cols));
  return SLIP_OK;
}

/* p of a compressed matrix; its last entry tells how many values there are. */
static SlipStatus read_pointers(const SlipiH5Group *group, SlipiArena *arena, SlipMatrix *matrix,
                                SlipError *error) {
  int64_t lines = matrix->layout == SLIP_CSC ? matrix->cols : matrix->rows;
  int32_t *p = NULL;
  SlipStatus status = slipi_h5_ints(group, "p", SLIPI_H5_AT_LEAST, lines + 1, arena, &p, error);
  if (status != SLIP_OK)
    return status;
  if (p[lines] < 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/p ends with %d", group->path, p[lines]);
  matrix->p = p;
  matrix->nnz = p[lines];
  return SLIP_OK;
}

static SlipStatus read_entries(const SlipiH5Group *group, SlipiArena *arena, SlipMatrix *matrix,
                               SlipError *error) {
  int32_t *p = NULL, *i = NULL;
  double *x = NULL;
  SlipStatus status = SLIP_OK;
  if (matrix->layout == SLIP_TRIPLET) {
    status = slipi_h5_ints(group, "p", SLIPI_H5_AT_LEAST, matrix->nnz, arena, &p, error);
    matrix->p = p;
  } else {
    status = read_pointers(group, arena, matrix, error);
  }
  if (status == SLIP_OK)
    status = slipi_h5_ints(group, "i", SLIPI_H5_AT_LEAST, matrix->nnz, arena, &i, error);
  if (status == SLIP_OK)
    status = slipi_h5_reals(group, "x", SLIPI_H5_AT_LEAST, matrix->nnz, arena, &x, error);
  matrix->i = i;
  matrix->x = x;
  return status;
}

static SlipStatus read_open_matrix(const SlipiH5Group *group, Shape shape, SlipiArena *arena,
                                   SlipMatrix *matrix, SlipError *error) {
  int32_t nz = 0;
  SlipStatus status = slipi_h5_int(group, "nz", &nz, error);
  if (status == SLIP_OK)
    status = slipi_h5_int(group, "m", &matrix->rows, error);
  if (status == SLIP_OK)
    status = slipi_h5_int(group, "n", &matrix->cols, error);
  if (status == SLIP_OK)
    status = check_shape(group, matrix, shape, error);
  if (status != SLIP_OK)
    return status;
  if (nz < -2)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s/nz is %d; it must be a number of triplets, -1 (compressed columns) or -2 "
                      "(compressed rows)",
                      group->path, nz);
  matrix->layout = nz >= 0 ? SLIP_TRIPLET : nz == -1 ? SLIP_CSC : SLIP_CSR;
  matrix->nnz = nz >= 0 ? nz : 0;
  return read_entries(group, arena, matrix, error);
}

static SlipStatus read_matrix(const SlipiH5Group *problem, const char *name, Shape shape,
                              SlipiArena *arena, SlipMatrix *matrix, SlipError *error) {
  SlipiH5Group group;
  SlipStatus status = slipi_h5_group(problem, name, &group, error);
  if (status == SLIP_OK)
    status = read_open_matrix(&group, shape, arena, matrix, error);
  slipi_h5_group_close(&group);
  return status;
}

/* spacedim, and the number of contacts from the length of mu. */
static SlipStatus read_size(const SlipiH5Group *problem, const SlipiH5Group *vectors,
                            int32_t *dimension, int32_t *contacts, SlipError *error) {
  int64_t length = 0;
  SlipStatus status = slipi_h5_int(problem, "spacedim", dimension, error);
  if (status == SLIP_OK && *dimension == 5)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "spacedim is 5: rolling friction problems are read from " SLIPI_FCLIB_ROLLING
                      " and fclib_local only");
  if (status == SLIP_OK && *dimension != 2 && *dimension != 3)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/spacedim is %d, expected 2 or 3", problem->path,
                      *dimension);
  if (status == SLIP_OK)
    status = slipi_h5_length(vectors, "mu", &length, NULL, error);
  if (status == SLIP_OK && length > INT32_MAX / 3)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/mu has %lld values, at most %d are read",
                      vectors->path, (long long)length, INT32_MAX / 3);
  *contacts = (int32_t)length;
  return status;
}

/* mu, and Slipcone's own arrays of laws where there are some. */
static SlipStatus read_laws(const Form *form, int32_t contacts, SlipiArena *arena, SlipLaws *laws,
                            SlipError *error) {
  double *mu = NULL;
  SlipStatus status =
      slipi_h5_reals(&form->vectors, "mu", SLIPI_H5_EXACTLY, contacts, arena, &mu, error);
  laws->mu = mu;
  return status == SLIP_OK ? slipi_own_laws(&form->own, contacts, arena, laws, error) : status;
}

/* ---- Equality constraints ----------------------------------------------------------------- */

/* The parts that come together or not at all; a matrix of NULL is not there in this form. */
typedef struct EqualityNames {
  const char *coupling; /* a row or a column for each component of contacts, or degree of freedom */
  const char *own;      /* R */
  const char *vector;
  const char *needs; /* all of them, for messages */
} EqualityNames;

static const EqualityNames local_names = {"V", "R", "s", "V, R and vectors/s"};
static const EqualityNames global_names = {"G", NULL, "b", "G and vectors/b"};

static SlipStatus find_equalities(const SlipiH5Group *group, const SlipiH5Group *vectors,
                                  const EqualityNames *names, bool *found, SlipError *error) {
  const SlipiH5Group *groups[] = {group, group, vectors};
  const char *const parts[] = {names->coupling, names->own, names->vector};
  int there = -1, missing = -1;
  for (int k = 0; k < 3; k++) {
    bool here = false;
    if (!parts[k])
      continue;
    SlipStatus status = slipi_h5_has(groups[k], parts[k], &here, error);
    if (status != SLIP_OK)
      return status;
    if (here)
      there = k;
    else
      missing = k;
  }
  *found = there >= 0;
  if (there >= 0 && missing >= 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s/%s is missing, but there is %s/%s: equality constraints need %s",
                      groups[missing]->path, parts[missing], groups[there]->path, parts[there],
                      names->needs);
  return SLIP_OK;
}

/* Which contacts the equalities make up, and the vector of their constants; it stays NULL, and
 * equalities->count 0, where the file has none. */
static SlipStatus read_equalities(const Form *form, const EqualityNames *names, int32_t dimension,
                                  int32_t contacts, SlipiArena *arena, SlipiFile *file,
                                  double **vector, SlipError *error) {
  const SlipiH5Group *vectors = &form->vectors;
  bool found = false;
  int32_t *bound = NULL;
  int64_t count = 0, groups = 0;
  SlipStatus status = find_equalities(&form->group, vectors, names, &found, error);
  if (status == SLIP_OK && found)
    status = slipi_h5_length(vectors, names->vector, &count, NULL, error);
  if (status == SLIP_OK && count > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/%s has %lld values, at most %d are read",
                      vectors->path, names->vector, (long long)count, INT32_MAX);
  if (status == SLIP_OK && found)
    status = slipi_h5_reals(vectors, names->vector, SLIPI_H5_EXACTLY, count, arena, vector, error);
  if (status == SLIP_OK && found)
    status = slipi_problem_check_vector(names->vector, *vector, (int32_t)count, error);
  if (status == SLIP_OK && count > 0)
    status = slipi_own_equality_bound(&form->own, dimension, (int32_t)count, arena, &bound, &groups,
                                      error);
  if (status == SLIP_OK)
    status = slipi_equalities_lay(&file->arena, dimension, contacts, (int32_t)count, bound,
                                  (int32_t)groups, &file->equalities, error);
  file->file.equalities = status == SLIP_OK ? (int32_t)count : 0;
  return status;
}

/* A matrix of the equalities, checked. */
static SlipStatus read_checked(const SlipiH5Group *group, const char *name, Shape shape,
                               SlipiArena *arena, SlipiCsr *matrix, SlipError *error) {
  SlipMatrix read;
  SlipStatus status = read_matrix(group, name, shape, arena, &read, error);
  return status == SLIP_OK
             ? slipi_csr_from(arena, &read, name, shape.rows, shape.cols, matrix, error)
             : status;
}

/* Laws and compliance of the contacts that the equalities make up. */
static SlipStatus join_laws(const SlipiEqualities *equalities, SlipiArena *arena, SlipLaws *laws,
                            const double **compliance, SlipError *error) {
  SlipStatus status = slipi_equalities_laws(equalities, arena, laws, error);
  return status == SLIP_OK ? slipi_equalities_compliance(equalities, arena, compliance, error)
                           : status;
}

static SlipStatus join_local(const SlipiH5Group *group, const SlipiEqualities *equalities,
                             const double *s, SlipiArena *arena, SlipLocalData *data,
                             SlipLaws *laws, SlipError *error) {
  SlipiCsr W, V, R;
  double *q = NULL;
  int64_t size = data->W.rows, count = equalities->count;
  SlipStatus status = read_checked(group, "V", (Shape){size, count}, arena, &V, error);
  if (status == SLIP_OK)
    status = read_checked(group, "R", (Shape){count, count}, arena, &R, error);
  if (status == SLIP_OK)
    status = slipi_csr_from(arena, &data->W, "W", size, size, &W, error);
  if (status == SLIP_OK)
    status = slipi_equalities_join_local(equalities, arena, &W, &V, &R, &data->W, error);
  if (status == SLIP_OK)
    status = slipi_equalities_vector(equalities, arena, data->q, s, &q, error);
  if (status == SLIP_OK)
    status = join_laws(equalities, arena, laws, &data->compliance, error);
  data->q = q;
  data->contacts = equalities->contacts;
  return status;
}

static SlipStatus join_global(const SlipiH5Group *group, const SlipiEqualities *equalities,
                              const double *b, SlipiArena *arena, SlipGlobalData *data,
                              SlipLaws *laws, SlipError *error) {
  SlipiCsr H, G;
  double *w = NULL;
  int64_t dof = data->H.rows, size = data->H.cols;
  SlipStatus status = read_checked(group, "G", (Shape){dof, equalities->count}, arena, &G, error);
  if (status == SLIP_OK)
    status = slipi_csr_from(arena, &data->H, "H", dof, size, &H, error);
  if (status == SLIP_OK)
    status = slipi_equalities_join_global(equalities, arena, &H, &G, &data->H, error);
  if (status == SLIP_OK)
    status = slipi_equalities_vector(equalities, arena, data->w, b, &w, error);
  if (status == SLIP_OK)
    status = join_laws(equalities, arena, laws, &data->compliance, error);
  data->w = w;
  data->contacts = equalities->contacts;
  return status;
}

/* ---- Problems ----------------------------------------------------------------------------- */

static SlipStatus read_local(const Form *form, SlipiArena *arena, SlipiFile *file,
                             SlipError *error) {
  const SlipiH5Group *group = &form->group, *vectors = &form->vectors;
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  double *q = NULL, *s = NULL;
  SlipStatus status = read_size(group, vectors, &data.dimension, &data.contacts, error);
  int64_t size = (int64_t)data.dimension * data.contacts;
  if (status == SLIP_OK)
    status =
        read_equalities(form, &local_names, data.dimension, data.contacts, arena, file, &s, error);
  if (status == SLIP_OK)
    status = slipi_h5_reals(vectors, "q", SLIPI_H5_EXACTLY, size, arena, &q, error);
  if (status == SLIP_OK)
    status = read_matrix(group, "W", (Shape){size, size}, arena, &data.W, error);
  if (status == SLIP_OK)
    status = read_laws(form, data.contacts, arena, &laws, error);
  if (status == SLIP_OK)
    status = slipi_own_compliance(&form->own, data.dimension, data.contacts, arena,
                                  &data.compliance, error);
  data.q = q;
  data.laws = &laws;
  if (status == SLIP_OK && s)
    status = join_local(group, &file->equalities, s, arena, &data, &laws, error);
  return status == SLIP_OK ? slip_problem_create_local(&data, &file->file.problem, error) : status;
}

/* M, H with `size` columns, f and w, which is not part of the data yet. */
static SlipStatus read_motion(const SlipiH5Group *group, const SlipiH5Group *vectors, int64_t size,
                              SlipiArena *arena, SlipGlobalData *data, double **w,
                              SlipError *error) {
  double *f = NULL;
  int64_t dof = 0;
  SlipStatus status = slipi_h5_length(vectors, "f", &dof, NULL, error);
  if (status == SLIP_OK)
    status = slipi_h5_reals(vectors, "f", SLIPI_H5_EXACTLY, dof, arena, &f, error);
  if (status == SLIP_OK)
    status = slipi_h5_reals(vectors, "w", SLIPI_H5_EXACTLY, size, arena, w, error);
  if (status == SLIP_OK)
    status = read_matrix(group, "M", (Shape){dof, dof}, arena, &data->M, error);
  if (status == SLIP_OK)
    status = read_matrix(group, "H", (Shape){dof, size}, arena, &data->H, error);
  data->f = f;
  return status;
}

static SlipStatus read_global(const Form *form, SlipiArena *arena, SlipiFile *file,
                              SlipError *error) {
  const SlipiH5Group *group = &form->group, *vectors = &form->vectors;
  SlipGlobalData data = slip_default_global_data();
  SlipLaws laws = slip_default_laws();
  double *w = NULL, *b = NULL;
  SlipStatus status = read_size(group, vectors, &data.dimension, &data.contacts, error);
  int64_t size = (int64_t)data.dimension * data.contacts;
  if (status == SLIP_OK)
    status =
        read_equalities(form, &global_names, data.dimension, data.contacts, arena, file, &b, error);
  if (status == SLIP_OK)
    status = read_motion(group, vectors, size, arena, &data, &w, error);
  if (status == SLIP_OK)
    status = read_laws(form, data.contacts, arena, &laws, error);
  if (status == SLIP_OK)
    status = slipi_own_compliance(&form->own, data.dimension, data.contacts, arena,
                                  &data.compliance, error);
  data.laws = &laws;
  data.w = w;
  if (status == SLIP_OK && b)
    status = join_global(group, &file->equalities, b, arena, &data, &laws, error);
  return status == SLIP_OK ? slip_problem_create_global(&data, &file->file.problem, error) : status;
}

/* How many contacts with rolling friction there are; `equalities`: the name of a group that may not
 * be beside them. */
static SlipStatus read_rolling_size(const Form *form, int32_t dimension, const char *equalities,
                                    SlipiFile *file, SlipError *error) {
  const SlipiH5Group *vectors = &form->vectors;
  int64_t length = 0;
  bool constrained = false;
  SlipStatus status = slipi_h5_has(&form->group, equalities, &constrained, error);
  if (status == SLIP_OK && constrained)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s/%s: equality constraints beside rolling friction are not read",
                      form->group.path, equalities);
  if (status == SLIP_OK)
    status = slipi_h5_length(vectors, "mu", &length, NULL, error);
  if (status == SLIP_OK && length > INT32_MAX / 6)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/mu has %lld values, at most %d are read",
                      vectors->path, (long long)length, INT32_MAX / 6);
  int32_t blocks = 2 * (int32_t)length;
  file->rolling = (int32_t)length;
  file->equalities = (SlipiEqualities){dimension, 0, blocks, blocks, NULL, NULL};
  return status;
}

/* mu and mu_r. */
static SlipStatus read_rolling_laws(const Form *form, int32_t contacts, SlipiArena *arena,
                                    SlipLaws *laws, SlipError *error) {
  double *mu = NULL, *mu_r = NULL;
  SlipStatus status =
      slipi_h5_reals(&form->vectors, "mu", SLIPI_H5_EXACTLY, contacts, arena, &mu, error);
  if (status == SLIP_OK)
    status =
        slipi_h5_reals(&form->vectors, "mu_r", SLIPI_H5_EXACTLY, contacts, arena, &mu_r, error);
  return status == SLIP_OK ? slipi_rolling_laws(arena, contacts, mu, mu_r, laws, error) : status;
}

/* spacedim is the number of a contact's components here: 5, or 3 in the plane. */
static SlipStatus read_rolling(const Form *form, SlipiArena *arena, SlipiFile *file,
                               SlipError *error) {
  SlipGlobalData data = slip_default_global_data();
  SlipLaws laws = slip_default_laws();
  double *w = NULL;
  int32_t width = 0;
  SlipStatus status = slipi_h5_int(&form->group, "spacedim", &width, error);
  if (status == SLIP_OK && width != 3 && width != 5)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s/spacedim is %d, expected 3 or 5",
                      form->group.path, width);
  int32_t d = data.dimension = width == 5 ? 3 : 2;
  if (status == SLIP_OK)
    status = read_rolling_size(form, d, "G", file, error);
  int32_t nc = file->rolling;
  if (status == SLIP_OK)
    status =
        read_motion(&form->group, &form->vectors, (int64_t)width * nc, arena, &data, &w, error);
  if (status == SLIP_OK)
    status = read_rolling_laws(form, nc, arena, &laws, error);
  if (status == SLIP_OK)
    status = slipi_rolling_columns(arena, d, nc, &data.H, error);
  data.contacts = 2 * nc;
  data.laws = &laws;
  data.w = status == SLIP_OK ? slipi_rolling_spread(arena, d, nc, w) : NULL;
  if (status == SLIP_OK && !data.w)
    status = slipi_fail_memory(error, "a problem with rolling friction");
  return status == SLIP_OK ? slip_problem_create_global(&data, &file->file.problem, error) : status;
}

/* The local form with five components a contact. */
static SlipStatus read_local_rolling(const Form *form, SlipiArena *arena, SlipiFile *file,
                                     SlipError *error) {
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  double *q = NULL;
  SlipiCsr W;
  SlipStatus status = read_rolling_size(form, 3, "V", file, error);
  int32_t nc = file->rolling;
  int64_t size = (int64_t)slipi_rolling_width(3) * nc;
  if (status == SLIP_OK)
    status = slipi_h5_reals(&form->vectors, "q", SLIPI_H5_EXACTLY, size, arena, &q, error);
  if (status == SLIP_OK)
    status = read_checked(&form->group, "W", (Shape){size, size}, arena, &W, error);
  if (status == SLIP_OK)
    status = read_rolling_laws(form, nc, arena, &laws, error);
  if (status == SLIP_OK) {
    SlipMatrix narrow = slipi_csr_view(&W);
    status = slipi_rolling_square(arena, nc, &narrow, &data.W, error);
  }
  data.dimension = 3;
  data.contacts = 2 * nc;
  data.laws = &laws;
  data.q = status == SLIP_OK ? slipi_rolling_spread(arena, 3, nc, q) : NULL;
  if (status == SLIP_OK && !data.q)
    status = slipi_fail_memory(error, "a problem with rolling friction");
  return status == SLIP_OK ? slip_problem_create_local(&data, &file->file.problem, error) : status;
}

static SlipStatus read_any_local(const Form *form, SlipiArena *arena, SlipiFile *file,
                                 SlipError *error) {
  int32_t width = 0;
  SlipStatus status = slipi_h5_int(&form->group, "spacedim", &width, error);
  if (status != SLIP_OK)
    return status;
  return width == 5 ? read_local_rolling(form, arena, file, error)
                    : read_local(form, arena, file, error);
}

static SlipStatus read_info(const SlipiH5Group *problem, SlipiFile *file, SlipError *error) {
  bool found = false;
  SlipiH5Group info;
  SlipStatus status = slipi_h5_has(problem, "info", &found, error);
  if (status != SLIP_OK || !found)
    return status;
  status = slipi_h5_group(problem, "info", &info, error);
  if (status == SLIP_OK)
    status = slipi_h5_text(&info, "title", &file->arena, &file->file.title, error);
  if (status == SLIP_OK)
    status = slipi_h5_text(&info, "description", &file->arena, &file->file.description, error);
  if (status == SLIP_OK)
    status = slipi_h5_text(&info, "math_info", &file->arena, &file->file.math_info, error);
  slipi_h5_group_close(&info);
  return status;
}

typedef SlipStatus ReadForm(const Form *form, SlipiArena *arena, SlipiFile *file, SlipError *error);

static SlipStatus read_problem(const SlipiH5Group *root, const char *name, ReadForm *read_form,
                               SlipiFile *file, SlipError *error) {
  SlipiArena arena = {0};
  Form form = {.vectors = {.id = -1}};
  SlipStatus status = slipi_h5_group(root, name, &form.group, error);
  if (status == SLIP_OK)
    status = slipi_h5_group(&form.group, "vectors", &form.vectors, error);
  if (status == SLIP_OK)
    status = slipi_own_open(&form.group, &form.vectors, &form.own, error);
  if (status == SLIP_OK)
    status = read_form(&form, &arena, file, error);
  if (status == SLIP_OK)
    status = read_info(&form.group, file, error);
  slipi_own_close(&form.own);
  slipi_h5_group_close(&form.vectors);
  slipi_h5_group_close(&form.group);
  slipi_arena_free(&arena);
  return status;
}

/* *plain: there is a fclib_global, which counts before one with rolling friction. */
static SlipStatus read_forms(const SlipiH5Group *root, SlipFile *file, bool *plain,
                             SlipError *error) {
  bool local = false, global = false, rolling = false;
  SlipStatus status = slipi_h5_has(root, "fclib_local", &local, error);
  if (status == SLIP_OK)
    status = slipi_h5_has(root, "fclib_global", &global, error);
  if (status == SLIP_OK)
    status = slipi_h5_has(root, SLIPI_FCLIB_ROLLING, &rolling, error);
  if (status != SLIP_OK)
    return status;
  if (!local && !global && !rolling)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "is an HDF5 file without fclib_local or fclib_global, so not an FCLIB file");
  file->has_local = local;
  file->has_global = global || rolling;
  *plain = global;
  return SLIP_OK;
}

static SlipStatus read_root(const SlipiH5Group *root, SlipWantForm want, SlipiFile *file,
                            SlipError *error) {
  bool plain = false;
  SlipStatus status = read_forms(root, &file->file, &plain, error);
  if (status == SLIP_OK)
    status = slipi_file_check_form(&file->file, want, error);
  if (status != SLIP_OK)
    return status;
  bool global = want == SLIP_WANT_GLOBAL || !file->file.has_local;
  if (!global)
    status = read_problem(root, "fclib_local", read_any_local, file, error);
  else if (plain)
    status = read_problem(root, "fclib_global", read_global, file, error);
  else
    status = read_problem(root, SLIPI_FCLIB_ROLLING, read_rolling, file, error);
  return status == SLIP_OK ? slipi_fclib_read_solutions(root, file, error) : status;
}

static SlipStatus read_file(SlipiH5 *h5, SlipWantForm want, SlipiFile *file, SlipError *error) {
  SlipiH5Group root;
  SlipStatus status = slipi_h5_root(h5, &root, error);
  if (status == SLIP_OK)
    status = read_root(&root, want, file, error);
  slipi_h5_group_close(&root);
  slipi_h5_close(h5);
  return status;
}

SlipStatus slipi_fclib_read_path(const char *path, const SlipiH5Source *source, SlipWantForm form,
                                 SlipiFile *file, SlipError *error) {
  SlipiH5Quiet quiet;
  SlipiH5 h5 = {.file = -1};
  SlipStatus status = slipi_h5_check(source, error);
  if (status != SLIP_OK)
    return status;
  slipi_h5_quiet_begin(&quiet);
  status = slipi_h5_open_path(&h5, path, error);
  if (status == SLIP_OK)
    status = read_file(&h5, form, file, error);
  slipi_h5_quiet_end(&quiet);
  return status;
}

SlipStatus slipi_fclib_read_memory(const void *image, size_t size, SlipWantForm form,
                                   SlipiFile *file, SlipError *error) {
  SlipiH5Quiet quiet;
  SlipiH5 h5 = {.file = -1};
  SlipiH5Source source = {image, -1, size};
  SlipStatus status = slipi_h5_check(&source, error);
  if (status != SLIP_OK)
    return status;
  slipi_h5_quiet_begin(&quiet);
  status = slipi_h5_open_memory(&h5, image, size, error);
  if (status == SLIP_OK)
    status = read_file(&h5, form, file, error);
  slipi_h5_quiet_end(&quiet);
  return status;
}
