/* FCLIB files: what is written is read back bit by bit, and what is odd is understood. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "compare.h"
#include "data.h"
#include "h5_edit.h"
#include "small_files.h"
#include "solving.h"

#define PATH "test_fclib.hdf5"

/* ---- Round trips ------------------------------------------------------------------------- */

static void round_trip(const SlipWrite *content) {
  small_write(PATH, content);
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_same_problem(file->problem, content->problem);
  assert_int_equal(file->has_local, slip_problem_form(content->problem) == SLIP_FORM_LOCAL);
  assert_int_equal(file->has_global, slip_problem_form(content->problem) == SLIP_FORM_GLOBAL);
  assert_int_equal(file->solution == NULL, content->solution == NULL);
  if (content->solution)
    assert_same_solution(file->solution, content->solution);
  assert_int_equal(file->guess_count, content->guess_count);
  for (int32_t k = 0; k < content->guess_count; k++)
    assert_same_solution(file->guesses[k], content->guesses[k]);
  slip_file_free(file);
}

static void test_every_generated_kind(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++)
    for (int32_t dimension = 2; dimension <= 3; dimension++) {
      SlipGenerate options = slip_default_generate();
      SlipProblem *problem = NULL;
      const char *kind = slip_generate_info(k)->name;
      assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
      options.dimension = dimension;
      if (slip_generate(kind, &options, &problem, NULL, NULL) != SLIP_OK)
        continue; /* a kind of one dimension only */
      round_trip(WRITE(.problem = problem));
      slip_problem_free(problem);
    }
}

static void test_no_contacts(void **state) {
  (void)state;
  SlipProblem *problem = NULL;
  SlipLocalData local = LOCAL_DATA(.dimension = 3, .W = {.layout = SLIP_TRIPLET});
  assert_int_equal(slip_problem_create_local(&local, &problem, NULL), SLIP_OK);
  SlipSolution nothing = SOLUTION(.dimension = 3);
  round_trip(WRITE(.problem = problem, .solution = &nothing));
  slip_problem_free(problem);
  SlipGlobalData global =
      GLOBAL_DATA(.dimension = 2,
                  .M = {SLIP_TRIPLET, 3, 3, 3, small_index, small_index, small_mass},
                  .H = {.layout = SLIP_TRIPLET, .rows = 3}, .f = small_f);
  assert_int_equal(slip_problem_create_global(&global, &problem, NULL), SLIP_OK);
  round_trip(WRITE(.problem = problem));
  slip_problem_free(problem);
}

static void test_values_keep_their_bits(void **state) {
  (void)state;
  const double odd[] = {-0.0, 5e-324, 1.7976931348623157e308, 0x1.fffffffffffffp-1};
  SlipProblem *problem = NULL;
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 2,
                                  .W = {SLIP_TRIPLET, 4, 4, 4, small_col, small_row, odd}, .q = odd,
                                  .laws = LAWS(.mu = small_mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  round_trip(WRITE(.problem = problem));
  slip_problem_free(problem);
}

static void test_laws(void **state) {
  (void)state;
  const int32_t law[] = {SLIP_BILATERAL, SLIP_FRICTIONLESS};
  SlipProblem *problem = small_local(law);
  round_trip(WRITE(.problem = problem));
  slip_problem_free(problem);
  /* Parameters of laws go along. */
  SlipProblem *mixed = generate_mixed("random", 20, 2);
  round_trip(WRITE(.problem = mixed));
  slip_problem_free(mixed);
  /* Plain Coulomb friction leaves the file as FCLIB has it. */
  small_write_local(PATH);
  hid_t file = H5Fopen(PATH, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_int_equal(H5Lexists(file, "fclib_local/slipcone_laws", H5P_DEFAULT), 0);
  H5Fclose(file);
}

/* Files of earlier versions have the arrays of laws among the vectors. */
static void test_laws_among_vectors(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/vectors/slipcone_law", 2, (int32_t[]){0, SLIP_FRICTIONLESS});
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  const SlipLaws *laws = laws_of_problem(file->problem);
  assert_int_equal(laws->kind[0], SLIP_COULOMB);
  assert_int_equal(laws->kind[1], SLIP_FRICTIONLESS);
  /* Written again, they are in the group; where there is one, only it counts. */
  small_write(PATH, WRITE(.problem = file->problem));
  slip_file_free(file);
  h5_edit_ints(PATH, "fclib_local/vectors/slipcone_law", 2, (int32_t[]){0, 99});
  file = small_read(PATH, SLIP_WANT_ANY);
  assert_int_equal(laws_of_problem(file->problem)->kind[1], SLIP_FRICTIONLESS);
  slip_file_free(file);
  small_write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/vectors/slipcone_law", 2, (int32_t[]){0, 99});
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "slipcone_law: contact 1 has law 99, expected 0 (coulomb)");
  h5_edit_ints(PATH, "fclib_local/vectors/slipcone_law", 2, (int32_t[]){0, SLIP_BILATERAL});
  h5_edit_ints(PATH, "fclib_local/vectors/slipcone_bound", 2, (int32_t[]){0, 4});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "bound[1] is 4 but must be between 0 and 3");
}

/* The group of laws, wrong in every way. */
static void test_wrong_laws(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int32_t count, ints[3];
    double reals[3];
    SlipStatus status;
    const char *text;
  } wrong[] = {
      {"version", 1, {2}, {0}, SLIP_ERROR_FORMAT, "slipcone_laws/version is 2, expected 1"},
      {"version", 1, {0}, {0}, SLIP_ERROR_FORMAT, "slipcone_laws/version is 0, expected 1"},
      {"law", 2, {0, 99}, {0}, SLIP_ERROR_FORMAT, "slipcone_laws/law: contact 1 has law 99"},
      {"law", 2, {-1, 0}, {0}, SLIP_ERROR_FORMAT, "contact 0 has law -1, expected 0 (coulomb)"},
      {"law", 3, {0, 0, 0}, {0}, SLIP_ERROR_FORMAT, "slipcone_laws/law has 3 values, expected 2"},
      {"law", 2, {SLIP_COHESIVE, 0}, {0}, SLIP_ERROR_ARGUMENT, "cohesion"},
      {"law", 2, {SLIP_ROLLING, 0}, {0}, SLIP_ERROR_PROBLEM, "rolling"},
      {"flow", 2, {0, 7}, {0}, SLIP_ERROR_PROBLEM, "flow[1] is 7"},
      {"flow", 1, {0}, {0}, SLIP_ERROR_FORMAT, "slipcone_laws/flow has 1 values, expected 2"},
      {"cohesion", 0, {0}, {1, 1, 1}, SLIP_ERROR_FORMAT, "cohesion has 3 values, expected 2"},
      {"compliance", 0, {0}, {1, 1, 1}, SLIP_ERROR_FORMAT, "compliance has 3 values, expected 8"},
      {"spinning", 2, {0, 1}, {0}, SLIP_ERROR_FORMAT, "spinning holds integers"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    char name[64];
    small_write_local(PATH);
    h5_edit_group(PATH, "fclib_local/slipcone_laws");
    h5_edit_ints(PATH, "fclib_local/slipcone_laws/version", 1, (int32_t[]){1});
    snprintf(name, sizeof name, "fclib_local/slipcone_laws/%s", wrong[k].name);
    if (wrong[k].count > 0)
      h5_edit_ints(PATH, name, wrong[k].count, wrong[k].ints);
    else
      h5_edit_reals(PATH, name, 3, wrong[k].reals);
    assert_refused(PATH, wrong[k].status, wrong[k].text);
  }
  small_write_local(PATH);
  h5_edit_group(PATH, "fclib_local/slipcone_laws");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "slipcone_laws/version is missing");
  h5_edit_remove(PATH, "fclib_local/slipcone_laws");
  h5_edit_ints(PATH, "fclib_local/slipcone_laws", 2, (int32_t[]){0, 1});
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "fclib_local/slipcone_laws is a dataset, expected a group");
}

static void test_solutions_and_guesses(void **state) {
  (void)state;
  double r[] = {1, 2, 3, 4}, u[] = {-1, -2, NAN, 0}, v[] = {5, 6, 7}, other[] = {0, 0, 1, 1};
  SlipSolution of_local =
                   SOLUTION(.contacts = 2, .dimension = 2, .dof = 0, .r = r, .u = u, .v = NULL),
               with_v = SOLUTION(.contacts = 2, .dimension = 2, .dof = 3, .r = r, .u = u, .v = v);
  SlipSolution first = SOLUTION(.contacts = 2, .dimension = 2, .dof = 3, .r = r, .u = u, .v = v),
               second =
                   SOLUTION(.contacts = 2, .dimension = 2, .dof = 3, .r = other, .u = u, .v = v);
  const SlipSolution *const guesses[] = {&first, &second};
  SlipProblem *local = small_local(NULL), *global = small_global();
  round_trip(WRITE(.problem = local, .solution = &of_local));
  round_trip(WRITE(.problem = local, .solution = &with_v));
  round_trip(WRITE(.problem = global, .solution = &with_v, .guesses = guesses, .guess_count = 2));
  /* A global problem's solution without v has the dataset, but never written. */
  round_trip(WRITE(.problem = global, .solution = &of_local));
  hid_t file = H5Fopen(PATH, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(H5Lexists(file, "solution/v", H5P_DEFAULT) > 0);
  H5Fclose(file);
  slip_problem_free(local);
  slip_problem_free(global);
}

static void test_solution_never_written_is_none(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_group(PATH, "solution");
  h5_edit_reals(PATH, "solution/u", 4, small_q);
  h5_edit_reals(PATH, "solution/r", 4, NULL);
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_null(file->solution);
  slip_file_free(file);
  h5_edit_reals(PATH, "fclib_local/vectors/q", 4, NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q has 4 values that were never written");
}

static void test_info(void **state) {
  (void)state;
  SlipProblem *problem = small_local(NULL);
  small_write(PATH, WRITE(.problem = problem, .title = "",
                          .description = "two contacts, \xc3\xa9t\xc3\xa9", .math_info = "spd"));
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_string_equal(file->title, "");
  assert_string_equal(file->description, "two contacts, \xc3\xa9t\xc3\xa9");
  assert_string_equal(file->math_info, "spd");
  slip_file_free(file);
  h5_edit_text(PATH, "fclib_local/info/title", 0, H5T_STR_NULLTERM, "of variable length");
  h5_edit_text(PATH, "fclib_local/info/description", 8, H5T_STR_SPACEPAD, "padded  ");
  h5_edit_text(PATH, "fclib_local/info/math_info", 3, H5T_STR_NULLPAD, "abc");
  file = small_read(PATH, SLIP_WANT_ANY);
  assert_string_equal(file->title, "of variable length");
  assert_string_equal(file->description, "padded");
  assert_string_equal(file->math_info, "abc");
  slip_file_free(file);
  h5_edit_remove(PATH, "fclib_local/info/title");
  h5_edit_text(PATH, "fclib_local/info/description", 0, H5T_STR_NULLTERM, NULL);
  file = small_read(PATH, SLIP_WANT_ANY);
  assert_null(file->title);
  assert_null(file->description);
  slip_file_free(file);
  h5_edit_remove(PATH, "fclib_local/info");
  file = small_read(PATH, SLIP_WANT_ANY);
  assert_null(file->math_info);
  slip_file_free(file);
  slip_problem_free(problem);
}

/* ---- Files of others --------------------------------------------------------------------- */

static void test_matrix_layouts(void **state) {
  (void)state;
  small_write_local(PATH);
  small_put_matrix(PATH, -2, 5, (int32_t[]){0, 2, 3, 5, 6}, 6, small_col, small_x);
  assert_small_local(PATH);
  small_put_matrix(PATH, -1, 5, (int32_t[]){0, 2, 3, 5, 6}, 6, (int32_t[]){0, 2, 1, 0, 2, 3},
                   (double[]){2, -1, 2, 1, 3, 2});
  assert_small_local(PATH);
  /* i and x longer than p says, unsorted rows */
  small_put_matrix(PATH, -2, 5, (int32_t[]){0, 2, 3, 5, 6}, 8,
                   (int32_t[]){2, 0, 1, 2, 0, 3, 99, -1}, (double[]){1, 2, 2, 3, -1, 2, NAN, NAN});
  assert_small_local(PATH);
  /* triplets: nz below nzmax, any order, duplicates */
  small_put_matrix(PATH, 7, 9, (int32_t[]){3, 2, 1, 0, 2, 0, 0, 9, 9}, 9,
                   (int32_t[]){3, 2, 1, 2, 0, 0, 0, 9, 9},
                   (double[]){2, 3, 2, -1, 1, 1.5, 0.5, 0, 0});
  assert_small_local(PATH);
}

static void test_triplets_have_rows_in_i(void **state) {
  (void)state;
  small_write_local(PATH);
  small_put_matrix(PATH, 1, 1, (int32_t[]){3}, 1, (int32_t[]){1}, (double[]){7});
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(file->problem, &data, NULL), SLIP_OK);
  assert_int_equal(data.W.nnz, 1);
  assert_int_equal(data.W.p[2] - data.W.p[1], 1);
  assert_int_equal(data.W.i[0], 3);
  slip_file_free(file);
}

static void test_types(void **state) {
  (void)state;
  const int64_t wide[] = {0, 0, 1, 2, 2, 3};
  small_write_local(PATH);
  h5_edit_put(PATH, "fclib_local/W/i", H5T_STD_I64BE, H5T_NATIVE_INT64, 1, 6, H5P_DEFAULT, wide);
  h5_edit_put(PATH, "fclib_local/W/p", H5T_STD_U8LE, H5T_NATIVE_INT32, 1, 6, H5P_DEFAULT,
              small_col);
  h5_edit_put(PATH, "fclib_local/W/x", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, 1, 6, H5P_DEFAULT,
              small_x);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 1, 4, H5P_DEFAULT,
              small_q);
  h5_edit_put(PATH, "fclib_local/spacedim", H5T_STD_U32LE, H5T_NATIVE_INT32, 0, 1, H5P_DEFAULT,
              (int32_t[]){2});
  assert_small_local(PATH);
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
      small_write_local(PATH);
      h5_edit_put(PATH, "fclib_local/W/x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 6, plist, small_x);
      h5_edit_put(PATH, "fclib_local/W/i", H5T_STD_I32BE, H5T_NATIVE_INT32, 1, 6, plist, small_row);
      h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 1, 4, plist,
                  small_q);
      assert_small_local(PATH);
      H5Pclose(plist);
    }
}

static void test_both_forms(void **state) {
  (void)state;
  double r[] = {1, 2, 3, 4}, u[] = {-1, -2, 0, 0}, v[] = {5, 6, 7};
  SlipSolution solution = SOLUTION(.contacts = 2, .dimension = 2, .dof = 3, .r = r, .u = u, .v = v);
  SlipProblem *local = small_local(NULL), *global = small_global();
  small_write(PATH, WRITE(.problem = global, .solution = &solution));
  small_write_local("test_fclib_other.hdf5");
  hid_t from = H5Fopen("test_fclib_other.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t to = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ocopy(from, "fclib_local", to, "fclib_local", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(from);
  H5Fclose(to);
  remove("test_fclib_other.hdf5");
  for (SlipWantForm form = SLIP_WANT_ANY; form <= SLIP_WANT_GLOBAL; form++) {
    SlipFile *file = small_read(PATH, form);
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
  small_write_local(PATH);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_GLOBAL, &file, &error), SLIP_ERROR_FORMAT);
  assert_string_equal(error.text, PATH ": holds only the local form, the global one was asked for");
  small_write_global(PATH);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_LOCAL, &file, &error), SLIP_ERROR_FORMAT);
  assert_string_equal(error.text, PATH ": holds only the global form, the local one was asked for");
}

static void test_user_block(void **state) {
  (void)state;
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, 1024);
  small_write_local("test_fclib_other.hdf5");
  hid_t from = H5Fopen("test_fclib_other.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t to = H5Fcreate(PATH, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  assert_true(H5Ocopy(from, "fclib_local", to, "fclib_local", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(from);
  H5Fclose(to);
  H5Pclose(creation);
  remove("test_fclib_other.hdf5");
  assert_small_local(PATH);
}

/* The newest format has other groups, headers and chunk indices, all with checksums. */
static void test_newest_format(void **state) {
  (void)state;
  hsize_t chunk = 4;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_deflate(plist, 1);
  small_write_local("test_fclib_other.hdf5");
  h5_edit_put("test_fclib_other.hdf5", "fclib_local/W/x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 6,
              plist, small_x);
  hid_t from = H5Fopen("test_fclib_other.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t to = H5Fcreate(PATH, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  assert_true(H5Ocopy(from, "fclib_local", to, "fclib_local", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  hid_t dataset = H5Dcreate2(to, "fclib_local/unused", H5T_IEEE_F64LE, H5Screate(H5S_SCALAR),
                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(dataset);
  H5Fclose(from);
  H5Fclose(to);
  H5Pclose(access);
  H5Pclose(plist);
  remove("test_fclib_other.hdf5");
  assert_small_local(PATH);
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
    SlipFile *file = small_read(path, SLIP_WANT_ANY);
    assert_int_equal(slip_problem_dimension(file->problem), dimension);
    assert_int_equal(slip_problem_contacts(file->problem), contacts);
    assert_int_equal(file->has_local, strstr(form, "local") != NULL);
    assert_int_equal(file->has_global, strstr(form, "global") != NULL);
    round_trip(WRITE(.problem = file->problem, .title = file->title, .solution = file->solution,
                     .guesses = file->guesses, .guess_count = file->guess_count));
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
      cmocka_unit_test(test_laws_among_vectors),
      cmocka_unit_test(test_wrong_laws),
      cmocka_unit_test(test_solutions_and_guesses),
      cmocka_unit_test(test_solution_never_written_is_none),
      cmocka_unit_test(test_info),
      cmocka_unit_test(test_matrix_layouts),
      cmocka_unit_test(test_triplets_have_rows_in_i),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_compressed),
      cmocka_unit_test(test_both_forms),
      cmocka_unit_test(test_form_not_there),
      cmocka_unit_test(test_user_block),
      cmocka_unit_test(test_newest_format),
      cmocka_unit_test(test_shared_index),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(PATH);
  return failed;
}
