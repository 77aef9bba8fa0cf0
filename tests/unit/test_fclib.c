/* FCLIB files: what is written is read back bit by bit, what is odd is understood, and what is
 * wrong is refused with the file, the place and the value. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "compare.h"
#include "h5_edit.h"
#include "io/io.h"

#define PATH "test_fclib.hdf5"

/* ---- Problems small enough to look at ---------------------------------------------------- */

/* W = [2 0 1 0; 0 2 0 0; -1 0 3 0; 0 0 0 2], two contacts in 2D; not symmetric, so that rows
 * and columns cannot be mixed up unnoticed */
static const int32_t W_row[] = {0, 0, 1, 2, 2, 3}, W_col[] = {0, 2, 1, 0, 2, 3};
static const double W_x[] = {2, 1, 2, -1, 3, 2}, q[] = {-1, 0.25, -2, 0}, mu[] = {0.5, 0.25};

static SlipProblem *make_local(const SlipLaw *law) {
  SlipProblem *problem = NULL;
  SlipLocalData data = {2, 2, {SLIP_TRIPLET, 4, 4, 6, W_col, W_row, W_x}, q, mu, law};
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* M = diag(1, 2, 4) */
static const int32_t M_index[] = {0, 1, 2}, H_row[] = {0, 1, 2, 0, 2}, H_col[] = {0, 1, 2, 3, 3};
static const double M_x[] = {1, 2, 4}, H_x[] = {1, 1, -1, 0.5, 2}, f[] = {-1, 0, 3};
static const double w[] = {0, 0, -0.5, 0.125};

static SlipProblem *make_global(void) {
  SlipProblem *problem = NULL;
  SlipGlobalData data = {2,
                         2,
                         {SLIP_TRIPLET, 3, 3, 3, M_index, M_index, M_x},
                         {SLIP_TRIPLET, 3, 4, 5, H_col, H_row, H_x},
                         f,
                         w,
                         mu,
                         NULL};
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  return problem;
}

static void write_content(const char *path, const SlipWrite *content) {
  SlipError error;
  if (slip_file_write(path, content, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

static SlipFile *read_form(const char *path, SlipWantForm form) {
  SlipFile *file = NULL;
  SlipError error;
  if (slip_file_read(path, form, &file, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  assert_non_null(file);
  assert_non_null(file->problem);
  return file;
}

static SlipFile *read_any(const char *path) {
  return read_form(path, SLIP_WANT_ANY);
}

static void write_local(const char *path) {
  SlipProblem *problem = make_local(NULL);
  write_content(path, &(SlipWrite){.problem = problem, .title = "a title"});
  slip_problem_free(problem);
}

static void write_global(const char *path) {
  SlipProblem *problem = make_global();
  write_content(path, &(SlipWrite){.problem = problem});
  slip_problem_free(problem);
}

/* The file holds the small local problem. */
static void assert_reads_as_local(void) {
  SlipProblem *problem = make_local(NULL);
  SlipFile *file = read_any(PATH);
  assert_same_problem(file->problem, problem);
  slip_file_free(file);
  slip_problem_free(problem);
}

/* The file is refused with this status, and the message names it and says `text`. */
static void assert_refused(const char *path, SlipStatus status, const char *text) {
  SlipFile *file = (SlipFile *)&file;
  SlipError error;
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), status);
  assert_null(file);
  assert_int_equal(error.status, status);
  if (strncmp(error.text, path, strlen(path)) != 0 || strncmp(error.text + strlen(path), ": ", 2))
    fail_msg("'%s' does not start with '%s: '", error.text, path);
  if (!strstr(error.text, text))
    fail_msg("'%s' does not contain '%s'", error.text, text);
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, NULL), status);
}

/* ---- Round trips ------------------------------------------------------------------------- */

static void round_trip(const SlipWrite *content) {
  write_content(PATH, content);
  SlipFile *file = read_any(PATH);
  assert_same_problem(file->problem, content->problem);
  assert_int_equal(file->has_local, slip_problem_form(content->problem) == SLIP_LOCAL);
  assert_int_equal(file->has_global, slip_problem_form(content->problem) == SLIP_GLOBAL);
  assert_int_equal(file->solution == NULL, content->solution == NULL);
  if (content->solution)
    assert_same_solution(file->solution, content->solution);
  assert_int_equal(file->guess_count, content->guess_count);
  for (int32_t k = 0; k < content->guess_count; k++)
    assert_same_solution(&file->guesses[k], &content->guesses[k]);
  slip_file_free(file);
}

static void test_every_generated_kind(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++)
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      SlipGenerate options;
      SlipProblem *problem = NULL;
      const char *kind = slip_generate_info(k)->name;
      assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
      options.dimension = dimension;
      if (slip_generate(kind, &options, &problem, NULL, NULL) != SLIP_OK)
        continue; /* a kind of one dimension only */
      round_trip(&(SlipWrite){.problem = problem});
      slip_problem_free(problem);
    }
}

static void test_no_contacts(void **state) {
  (void)state;
  SlipProblem *problem = NULL;
  SlipLocalData local = {.dimension = 3, .W = {.layout = SLIP_TRIPLET}};
  assert_int_equal(slip_problem_create_local(&local, &problem, NULL), SLIP_OK);
  SlipSolution nothing = {.dimension = 3};
  round_trip(&(SlipWrite){.problem = problem, .solution = &nothing});
  slip_problem_free(problem);
  SlipGlobalData global = {.dimension = 2,
                           .M = {SLIP_TRIPLET, 3, 3, 3, M_index, M_index, M_x},
                           .H = {.layout = SLIP_TRIPLET, .rows = 3},
                           .f = f};
  assert_int_equal(slip_problem_create_global(&global, &problem, NULL), SLIP_OK);
  round_trip(&(SlipWrite){.problem = problem});
  slip_problem_free(problem);
}

static void test_values_keep_their_bits(void **state) {
  (void)state;
  const double odd[] = {-0.0, 5e-324, 1.7976931348623157e308, 0x1.fffffffffffffp-1};
  SlipProblem *problem = NULL;
  SlipLocalData data = {2, 2, {SLIP_TRIPLET, 4, 4, 4, W_col, W_row, odd}, odd, mu, NULL};
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  round_trip(&(SlipWrite){.problem = problem});
  slip_problem_free(problem);
}

static void test_laws(void **state) {
  (void)state;
  const SlipLaw law[] = {SLIP_BILATERAL, SLIP_FRICTIONLESS};
  SlipProblem *problem = make_local(law);
  round_trip(&(SlipWrite){.problem = problem});
  slip_problem_free(problem);
  /* Plain Coulomb friction leaves the file as FCLIB has it. */
  write_local(PATH);
  hid_t file = H5Fopen(PATH, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_int_equal(H5Lexists(file, "fclib_local/vectors/slipcone_law", H5P_DEFAULT), 0);
  H5Fclose(file);
  h5_edit_ints(PATH, "fclib_local/vectors/slipcone_law", 2, (int32_t[]){0, 3});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "slipcone_law: contact 1 has law 3");
}

static void test_solutions_and_guesses(void **state) {
  (void)state;
  double r[] = {1, 2, 3, 4}, u[] = {-1, -2, NAN, 0}, v[] = {5, 6, 7}, other[] = {0, 0, 1, 1};
  SlipSolution of_local = {2, 2, 0, r, u, NULL}, with_v = {2, 2, 3, r, u, v};
  SlipSolution guesses[] = {{2, 2, 3, r, u, v}, {2, 2, 3, other, u, v}};
  SlipProblem *local = make_local(NULL), *global = make_global();
  round_trip(&(SlipWrite){.problem = local, .solution = &of_local});
  round_trip(&(SlipWrite){.problem = local, .solution = &with_v});
  round_trip(
      &(SlipWrite){.problem = global, .solution = &with_v, .guesses = guesses, .guess_count = 2});
  /* A global problem's solution without v has the dataset, but never written. */
  round_trip(&(SlipWrite){.problem = global, .solution = &of_local});
  hid_t file = H5Fopen(PATH, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(H5Lexists(file, "solution/v", H5P_DEFAULT) > 0);
  H5Fclose(file);
  slip_problem_free(local);
  slip_problem_free(global);
}

static void test_solution_never_written_is_none(void **state) {
  (void)state;
  write_local(PATH);
  h5_edit_group(PATH, "solution");
  h5_edit_reals(PATH, "solution/u", 4, q);
  h5_edit_reals(PATH, "solution/r", 4, NULL);
  SlipFile *file = read_any(PATH);
  assert_null(file->solution);
  slip_file_free(file);
  h5_edit_reals(PATH, "fclib_local/vectors/q", 4, NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q has 4 values that were never written");
}

static void test_info(void **state) {
  (void)state;
  SlipProblem *problem = make_local(NULL);
  write_content(PATH, &(SlipWrite){.problem = problem,
                                   .title = "",
                                   .description = "two contacts, \xc3\xa9t\xc3\xa9",
                                   .math_info = "spd"});
  SlipFile *file = read_any(PATH);
  assert_string_equal(file->title, "");
  assert_string_equal(file->description, "two contacts, \xc3\xa9t\xc3\xa9");
  assert_string_equal(file->math_info, "spd");
  slip_file_free(file);
  h5_edit_text(PATH, "fclib_local/info/title", 0, H5T_STR_NULLTERM, "of variable length");
  h5_edit_text(PATH, "fclib_local/info/description", 8, H5T_STR_SPACEPAD, "padded  ");
  h5_edit_text(PATH, "fclib_local/info/math_info", 3, H5T_STR_NULLPAD, "abc");
  file = read_any(PATH);
  assert_string_equal(file->title, "of variable length");
  assert_string_equal(file->description, "padded");
  assert_string_equal(file->math_info, "abc");
  slip_file_free(file);
  h5_edit_remove(PATH, "fclib_local/info/title");
  h5_edit_text(PATH, "fclib_local/info/description", 0, H5T_STR_NULLTERM, NULL);
  file = read_any(PATH);
  assert_null(file->title);
  assert_null(file->description);
  slip_file_free(file);
  h5_edit_remove(PATH, "fclib_local/info");
  file = read_any(PATH);
  assert_null(file->math_info);
  slip_file_free(file);
  slip_problem_free(problem);
}

/* ---- Files of others --------------------------------------------------------------------- */

static void put_matrix(int32_t nz, int64_t p_count, const int32_t *p, int64_t count,
                       const int32_t *i, const double *x) {
  h5_edit_ints(PATH, "fclib_local/W/nz", 1, &nz);
  h5_edit_ints(PATH, "fclib_local/W/nzmax", 1, (int32_t[]){(int32_t)count});
  h5_edit_ints(PATH, "fclib_local/W/p", p_count, p);
  h5_edit_ints(PATH, "fclib_local/W/i", count, i);
  h5_edit_reals(PATH, "fclib_local/W/x", count, x);
}

static void test_matrix_layouts(void **state) {
  (void)state;
  write_local(PATH);
  put_matrix(-2, 5, (int32_t[]){0, 2, 3, 5, 6}, 6, W_col, W_x);
  assert_reads_as_local();
  put_matrix(-1, 5, (int32_t[]){0, 2, 3, 5, 6}, 6, (int32_t[]){0, 2, 1, 0, 2, 3},
             (double[]){2, -1, 2, 1, 3, 2});
  assert_reads_as_local();
  /* i and x longer than p says, unsorted rows */
  put_matrix(-2, 5, (int32_t[]){0, 2, 3, 5, 6}, 8, (int32_t[]){2, 0, 1, 2, 0, 3, 99, -1},
             (double[]){1, 2, 2, 3, -1, 2, NAN, NAN});
  assert_reads_as_local();
  /* triplets: nz below nzmax, any order, duplicates */
  put_matrix(7, 9, (int32_t[]){3, 2, 1, 0, 2, 0, 0, 9, 9}, 9,
             (int32_t[]){3, 2, 1, 2, 0, 0, 0, 9, 9}, (double[]){2, 3, 2, -1, 1, 1.5, 0.5, 0, 0});
  assert_reads_as_local();
}

static void test_triplets_have_rows_in_i(void **state) {
  (void)state;
  write_local(PATH);
  put_matrix(1, 1, (int32_t[]){3}, 1, (int32_t[]){1}, (double[]){7});
  SlipFile *file = read_any(PATH);
  SlipLocalData data;
  assert_int_equal(slip_problem_local_data(file->problem, &data, NULL), SLIP_OK);
  assert_int_equal(data.W.nnz, 1);
  assert_int_equal(data.W.p[2] - data.W.p[1], 1);
  assert_int_equal(data.W.i[0], 3);
  slip_file_free(file);
}

static void test_types(void **state) {
  (void)state;
  const int64_t wide[] = {0, 0, 1, 2, 2, 3};
  write_local(PATH);
  h5_edit_put(PATH, "fclib_local/W/i", H5T_STD_I64BE, H5T_NATIVE_INT64, 1, 6, H5P_DEFAULT, wide);
  h5_edit_put(PATH, "fclib_local/W/p", H5T_STD_U8LE, H5T_NATIVE_INT32, 1, 6, H5P_DEFAULT, W_col);
  h5_edit_put(PATH, "fclib_local/W/x", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, 1, 6, H5P_DEFAULT, W_x);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 1, 4, H5P_DEFAULT,
              q);
  h5_edit_put(PATH, "fclib_local/spacedim", H5T_STD_U32LE, H5T_NATIVE_INT32, 0, 1, H5P_DEFAULT,
              (int32_t[]){2});
  assert_reads_as_local();
  const int64_t too_wide[] = {0, 0, 1, 2, 1LL << 32, 3};
  h5_edit_put(PATH, "fclib_local/W/i", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 6, H5P_DEFAULT,
              too_wide);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W/i: value 4 is 4294967296");
  h5_edit_put(PATH, "fclib_local/W/i", H5T_STD_U64LE, H5T_NATIVE_INT64, 1, 6, H5P_DEFAULT,
              too_wide);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W/i: value 4 is 4294967296");
}

/* Chunked storage with each filter, in both widths, with a last chunk that is not full. */
static void test_compressed(void **state) {
  (void)state;
  for (int shuffled = 0; shuffled < 2; shuffled++)
    for (int deflated = 0; deflated < 2; deflated++) {
      hsize_t chunk = 4;
      hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(plist, 1, &chunk);
      if (shuffled)
        H5Pset_shuffle(plist);
      if (deflated)
        H5Pset_deflate(plist, 6);
      write_local(PATH);
      h5_edit_put(PATH, "fclib_local/W/x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 6, plist, W_x);
      h5_edit_put(PATH, "fclib_local/W/i", H5T_STD_I32BE, H5T_NATIVE_INT32, 1, 6, plist, W_row);
      h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 1, 4, plist, q);
      assert_reads_as_local();
      H5Pclose(plist);
    }
}

static void test_both_forms(void **state) {
  (void)state;
  double r[] = {1, 2, 3, 4}, u[] = {-1, -2, 0, 0}, v[] = {5, 6, 7};
  SlipSolution solution = {2, 2, 3, r, u, v};
  SlipProblem *local = make_local(NULL), *global = make_global();
  write_content(PATH, &(SlipWrite){.problem = global, .solution = &solution});
  write_local("test_fclib_other.hdf5");
  hid_t from = H5Fopen("test_fclib_other.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t to = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ocopy(from, "fclib_local", to, "fclib_local", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(from);
  H5Fclose(to);
  remove("test_fclib_other.hdf5");
  for (SlipWantForm form = SLIP_WANT_ANY; form <= SLIP_WANT_GLOBAL; form++) {
    SlipFile *file = read_form(PATH, form);
    assert_true(file->has_local && file->has_global);
    assert_same_problem(file->problem, form == SLIP_WANT_GLOBAL ? global : local);
    assert_same_solution(file->solution, &solution);
    slip_file_free(file);
  }
  slip_problem_free(local);
  slip_problem_free(global);
}

static void test_form_not_there(void **state) {
  (void)state;
  SlipFile *file = NULL;
  SlipError error;
  write_local(PATH);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_GLOBAL, &file, &error), SLIP_ERROR_FORMAT);
  assert_string_equal(error.text, PATH ": holds only the local form, the global one was asked for");
  write_global(PATH);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_LOCAL, &file, &error), SLIP_ERROR_FORMAT);
  assert_string_equal(error.text, PATH ": holds only the global form, the local one was asked for");
}

/* ---- Wrong files ------------------------------------------------------------------------- */

static void test_missing_parts(void **state) {
  (void)state;
  static const char *const local[] = {
      "fclib_local/spacedim", "fclib_local/W",         "fclib_local/W/nz",      "fclib_local/W/m",
      "fclib_local/W/n",      "fclib_local/W/p",       "fclib_local/W/i",       "fclib_local/W/x",
      "fclib_local/vectors",  "fclib_local/vectors/q", "fclib_local/vectors/mu"};
  static const char *const global[] = {"fclib_global/M", "fclib_global/H", "fclib_global/vectors/f",
                                       "fclib_global/vectors/w", "fclib_global/vectors/mu"};
  char text[64];
  for (size_t k = 0; k < sizeof local / sizeof local[0]; k++) {
    write_local(PATH);
    h5_edit_remove(PATH, local[k]);
    snprintf(text, sizeof text, "%s is missing", local[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, text);
  }
  for (size_t k = 0; k < sizeof global / sizeof global[0]; k++) {
    write_global(PATH);
    h5_edit_remove(PATH, global[k]);
    snprintf(text, sizeof text, "%s is missing", global[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, text);
  }
  h5_edit_remove(PATH, "fclib_global");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "without fclib_local or fclib_global");
}

typedef struct WrongInt {
  const char *name;
  int32_t value;
  const char *text;
} WrongInt;

static void test_wrong_integers(void **state) {
  (void)state;
  static const WrongInt wrong[] = {
      {"fclib_local/spacedim", 4, "fclib_local/spacedim is 4, expected 2 or 3"},
      {"fclib_local/spacedim", 0, "fclib_local/spacedim is 0"},
      {"fclib_local/spacedim", 5, "rolling friction problems are not read"},
      {"fclib_local/spacedim", 3, "vectors/q has 4 values, expected 6"},
      {"fclib_local/W/nz", -3, "fclib_local/W/nz is -3"},
      {"fclib_local/W/nz", -1, "fclib_local/W/p ends with"},
      {"fclib_local/W/nz", 7, "fclib_local/W/p has 6 values, expected at least 7"},
      {"fclib_local/W/nz", INT32_MAX, "expected at least 2147483647"},
      {"fclib_local/W/m", -4, "fclib_local/W is said to be -4 x 4"},
      {"fclib_local/W/m", INT32_MAX, "fclib_local/W is 2147483647 x 4, expected 4 x 4"},
      {"fclib_local/W/n", 3, "fclib_local/W is 4 x 3, expected 4 x 4"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    write_local(PATH);
    /* a last p below zero, for the compressed layouts */
    h5_edit_ints(PATH, "fclib_local/W/p", 6, (int32_t[]){0, 2, 1, 0, -2, 3});
    h5_edit_ints(PATH, wrong[k].name, 1, &wrong[k].value);
    assert_refused(PATH, SLIP_ERROR_FORMAT, wrong[k].text);
  }
}

static void test_wrong_indices(void **state) {
  (void)state;
  write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/W/i", 6, (int32_t[]){0, 0, 1, 2, 4, 3});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "4");
  h5_edit_ints(PATH, "fclib_local/W/i", 6, (int32_t[]){0, 0, 1, 2, -1, 3});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "-1");
  put_matrix(-2, 5, (int32_t[]){0, 3, 2, 5, 6}, 6, W_col, W_x);
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "W");
  put_matrix(-2, 5, (int32_t[]){0, 2, 3, 5, 7}, 6, W_col, W_x);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W/i has 6 values, expected at least 7");
}

static void test_wrong_values(void **state) {
  (void)state;
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/mu", 2, (double[]){0.5, -0.25});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "mu[1] is -0.25");
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/q", 4, (double[]){0, NAN, 0, 0});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "q[1] is nan");
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W/x", 6, (double[]){1, 1, 1, 1, INFINITY, 1});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "W(2, 2) is inf");
  write_global(PATH);
  h5_edit_reals(PATH, "fclib_global/M/x", 3, (double[]){1, -1, 1});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "M");
}

static void test_wrong_lengths(void **state) {
  (void)state;
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/q", 3, q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q has 3 values, expected 4");
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/mu", 1, mu);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "expected 2");
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W/x", 5, W_x);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "W/x has 5 values, expected at least 6");
  write_global(PATH);
  h5_edit_reals(PATH, "fclib_global/vectors/f", 2, f);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_global/M is 3 x 3, expected 2 x 2");
  write_global(PATH);
  h5_edit_reals(PATH, "fclib_global/vectors/w", 6, (double[6]){0});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/w has 6 values, expected 4");
  write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/spacedim", 2, (int32_t[]){2, 2});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "spacedim has 2 values, expected 1");
}

static void test_wrong_types(void **state) {
  (void)state;
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W/i", 6, W_x);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W/i does not hold integers");
  write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/vectors/mu", 2, W_row);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/mu does not hold IEEE reals");
  write_local(PATH);
  h5_edit_group(PATH, "fclib_local/vectors/q");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q cannot be opened as a dataset");
  write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W", 4, q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W cannot be opened as a group");
  write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/info/title", 1, W_row);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/info/title does not hold a string");
}

static void test_wrong_solutions(void **state) {
  (void)state;
  write_global(PATH);
  h5_edit_group(PATH, "solution");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/r is missing");
  h5_edit_reals(PATH, "solution/r", 4, q);
  h5_edit_reals(PATH, "solution/u", 3, q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/u has 3 values, expected 4");
  h5_edit_reals(PATH, "solution/u", 4, q);
  h5_edit_reals(PATH, "solution/v", 4, q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/v has 4 values, expected 3");
  write_local(PATH);
  h5_edit_group(PATH, "guesses");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "guesses/number_of_guesses is missing");
  h5_edit_ints(PATH, "guesses/number_of_guesses", 1, (int32_t[]){INT32_MAX});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "number_of_guesses is 2147483647, but the group has 1");
  h5_edit_ints(PATH, "guesses/number_of_guesses", 1, (int32_t[]){-1});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "number_of_guesses is -1");
  h5_edit_ints(PATH, "guesses/number_of_guesses", 1, (int32_t[]){1});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "guesses/1 is missing");
}

static void test_equalities_and_rolling(void **state) {
  (void)state;
  static const char *const local[] = {"fclib_local/V", "fclib_local/R", "fclib_local/vectors/s"};
  static const char *const global[] = {"fclib_global/G", "fclib_global/vectors/b"};
  for (size_t k = 0; k < 3; k++) {
    write_local(PATH);
    h5_edit_group(PATH, local[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, local[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, "equality constraints");
  }
  for (size_t k = 0; k < 2; k++) {
    write_global(PATH);
    h5_edit_group(PATH, global[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, global[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, "equality constraints");
  }
  write_local(PATH);
  h5_edit_remove(PATH, "fclib_local");
  h5_edit_group(PATH, "fclib_global_rolling");
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "fclib_global_rolling: rolling friction problems are not read");
}

/* A file of some kilobytes must not cost more memory than it can hold data. */
static void test_announced_but_not_there(void **state) {
  (void)state;
  hsize_t chunk = 1 << 16;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_deflate(plist, 9);
  write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 1LL << 40,
              plist, NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/mu has 1099511627776 values");
  h5_edit_put(PATH, "fclib_local/vectors/mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 1 << 29, plist,
              NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q has 4 values, expected 1073741824");
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 1 << 30, plist,
              NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q has 1073741824 values that were never");
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, H5P_DEFAULT,
              q);
  h5_edit_put(PATH, "fclib_local/vectors/mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 2, H5P_DEFAULT,
              mu);
  assert_reads_as_local();
  H5Pclose(plist);
}

static void test_stored_elsewhere(void **state) {
  (void)state;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, "/etc/passwd", 0, 32);
  write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, plist, NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q is stored outside the file");
  H5Pclose(plist);
  for (int external = 0; external < 2; external++) {
    write_local(PATH);
    h5_edit_remove(PATH, "fclib_local/vectors/q");
    hid_t file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
    if (external)
      H5Lcreate_external(PATH, "/fclib_local/W/x", file, "fclib_local/vectors/q", H5P_DEFAULT,
                         H5P_DEFAULT);
    else
      H5Lcreate_soft("/fclib_local/W/x", file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q is a soft or external link");
  }
}

static void test_unknown_filter(void **state) {
  (void)state;
  hsize_t chunk = 4;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_fletcher32(plist);
  write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, plist, q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q is stored with filter 3");
  H5Pclose(plist);
}

/* ---- Damaged files ----------------------------------------------------------------------- */

static unsigned char *take_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void test_truncated_anywhere(void **state) {
  (void)state;
  size_t size;
  write_global(PATH);
  unsigned char *bytes = take_bytes(PATH, &size);
  for (size_t cut = 0; cut < size; cut += 1 + size / 257) {
    SlipFile *file = (SlipFile *)&file;
    SlipError error;
    unsigned char *exact = malloc(cut > 0 ? cut : 1);
    memcpy(exact, bytes, cut);
    assert_int_equal(slipi_file_read_memory("cut", exact, cut, SLIP_WANT_ANY, &file, &error),
                     SLIP_ERROR_FORMAT);
    assert_null(file);
    assert_memory_equal(error.text, "cut: ", 5);
    free(exact);
  }
  free(bytes);
}

/* A chunk that unpacks to less than it should: HDF5 1.10 reads beyond its memory here. */
static void test_damaged_chunk(void **state) {
  (void)state;
  enum { COUNT = 1024 };
  static double many[COUNT];
  hsize_t chunk = COUNT;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_deflate(plist, 9);
  write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, COUNT, plist,
              many);
  h5_edit_reals(PATH, "fclib_local/vectors/mu", COUNT / 2, many);
  H5Pclose(plist);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W is 4 x 4");
  /* Put a stream of 4 values in place of the chunk's. */
  unsigned char short_stream[256];
  uLongf length = sizeof short_stream;
  assert_int_equal(compress(short_stream, &length, (const unsigned char *)many, 32), Z_OK);
  hsize_t at = 0;
  hid_t file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "fclib_local/vectors/q", H5P_DEFAULT);
  assert_true(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &at, length, short_stream) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q: the chunk of value 0 is damaged");
}

static void test_not_hdf5(void **state) {
  (void)state;
  FILE *file = fopen(PATH, "wb");
  fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "is empty");
  file = fopen(PATH, "wb");
  fputs("hello\n", file);
  fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "neither an HDF5 file nor a Siconos text file");
  file = fopen(PATH, "wb");
  fputs("\x89HDF\r\n\x1a\n and no more", file);
  fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "damaged or truncated");
  remove(PATH);
  assert_refused(PATH, SLIP_ERROR_FILE, "cannot be opened: No such file");
  assert_refused(".", SLIP_ERROR_FILE, "is a directory");
  assert_refused("/dev/null", SLIP_ERROR_FILE, "is not a regular file");
}

static void test_user_block(void **state) {
  (void)state;
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, 1024);
  write_local("test_fclib_other.hdf5");
  hid_t from = H5Fopen("test_fclib_other.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t to = H5Fcreate(PATH, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  assert_true(H5Ocopy(from, "fclib_local", to, "fclib_local", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(from);
  H5Fclose(to);
  H5Pclose(creation);
  remove("test_fclib_other.hdf5");
  assert_reads_as_local();
}

/* Reading must leave the application's HDF5 error handler alone, and not call it. */
static herr_t count_call(hid_t stack, void *data) {
  (void)stack;
  ++*(int *)data;
  return 0;
}

static void test_quiet(void **state) {
  (void)state;
  H5E_auto2_t old, now;
  void *old_data, *now_data;
  int calls = 0;
  write_local(PATH);
  h5_edit_group(PATH, "fclib_local/vectors/q");
  H5Eget_auto2(H5E_DEFAULT, &old, &old_data);
  H5Eset_auto2(H5E_DEFAULT, count_call, &calls);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q");
  H5Eget_auto2(H5E_DEFAULT, &now, &now_data);
  H5Eset_auto2(H5E_DEFAULT, old, old_data);
  assert_int_equal(calls, 0);
  assert_true(now == count_call && now_data == &calls);
}

static void test_arguments(void **state) {
  (void)state;
  SlipFile *file = (SlipFile *)&file;
  SlipError error;
  assert_int_equal(slip_file_read(NULL, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_ARGUMENT);
  assert_null(file);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_ANY, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_file_read(PATH, (SlipWantForm)7, &file, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "7"));
  slip_file_free(NULL);
}

/* A long path must not crowd out what is wrong. */
static void test_long_path(void **state) {
  (void)state;
  SlipFile *file;
  SlipError error;
  char path[700];
  memset(path, 'a', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  path[10] = '/';
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FILE);
  assert_non_null(strstr(error.text, ": cannot be opened: "));
}

/* Real files, where the machine has them. */
static void test_shared_index(void **state) {
  (void)state;
  const char *folder = getenv("SLIPCONE_SHARED");
  char path[1024], line[512];
  if (!folder)
    skip();
  snprintf(path, sizeof path, "%s/problems/INDEX.csv", folder);
  FILE *index = fopen(path, "r");
  if (!index)
    skip();
  assert_non_null(fgets(line, sizeof line, index));
  while (fgets(line, sizeof line, index)) {
    char name[256], form[32];
    int dimension, contacts;
    assert_int_equal(sscanf(line, "%255[^,],%31[^,],%d,%d", name, form, &dimension, &contacts), 4);
    snprintf(path, sizeof path, "%s/problems/%s", folder, name);
    SlipFile *file = read_any(path);
    assert_int_equal(slip_problem_dimension(file->problem), dimension);
    assert_int_equal(slip_problem_contacts(file->problem), contacts);
    assert_int_equal(file->has_local, strstr(form, "local") != NULL);
    assert_int_equal(file->has_global, strstr(form, "global") != NULL);
    round_trip(&(SlipWrite){.problem = file->problem,
                            .title = file->title,
                            .solution = file->solution,
                            .guesses = file->guesses,
                            .guess_count = file->guess_count});
    slip_file_free(file);
  }
  fclose(index);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_generated_kind),
      cmocka_unit_test(test_no_contacts),
      cmocka_unit_test(test_values_keep_their_bits),
      cmocka_unit_test(test_laws),
      cmocka_unit_test(test_solutions_and_guesses),
      cmocka_unit_test(test_solution_never_written_is_none),
      cmocka_unit_test(test_info),
      cmocka_unit_test(test_matrix_layouts),
      cmocka_unit_test(test_triplets_have_rows_in_i),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_compressed),
      cmocka_unit_test(test_both_forms),
      cmocka_unit_test(test_form_not_there),
      cmocka_unit_test(test_missing_parts),
      cmocka_unit_test(test_wrong_integers),
      cmocka_unit_test(test_wrong_indices),
      cmocka_unit_test(test_wrong_values),
      cmocka_unit_test(test_wrong_lengths),
      cmocka_unit_test(test_wrong_types),
      cmocka_unit_test(test_wrong_solutions),
      cmocka_unit_test(test_equalities_and_rolling),
      cmocka_unit_test(test_announced_but_not_there),
      cmocka_unit_test(test_stored_elsewhere),
      cmocka_unit_test(test_unknown_filter),
      cmocka_unit_test(test_truncated_anywhere),
      cmocka_unit_test(test_damaged_chunk),
      cmocka_unit_test(test_not_hdf5),
      cmocka_unit_test(test_user_block),
      cmocka_unit_test(test_quiet),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_long_path),
      cmocka_unit_test(test_shared_index),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(PATH);
  return failed;
}
