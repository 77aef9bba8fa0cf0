/* The text files of Siconos, in each of its storages, and what is wrong in them by line. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/io.h>

#include "compare.h"
#include "io/io.h"

/* The problems the files of tests/data hold. */
static const double q[] = {-1, 0.5, -2, 0}, mu[] = {0.3, 0.7};
static const double f[] = {-1, 0, 0.75}, w[] = {-0.125, 0}, mu_global[] = {0.5};

/* Blocks have explicit zeros, so the structure may differ where the values do not. */
static double entry(const SlipMatrix *A, int32_t row, int32_t col) {
  for (int32_t k = A->p[row]; k < A->p[row + 1]; k++)
    if (A->i[k] == col)
      return A->x[k];
  return 0;
}

static void assert_matrix(const SlipMatrix *A, int32_t rows, int32_t cols, const double *values) {
  assert_int_equal(A->rows, rows);
  assert_int_equal(A->cols, cols);
  for (int32_t row = 0; row < rows; row++)
    for (int32_t col = 0; col < cols; col++)
      assert_true(entry(A, row, col) == values[row * cols + col]);
}

static void assert_local(const SlipProblem *problem) {
  static const double W[] = {4, 2, 0, 0, 1, 3, 0, 0, 0, 0, 5, 0, -0.5, 0, 0, 6};
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  assert_int_equal(data.dimension, 2);
  assert_int_equal(data.contacts, 2);
  assert_matrix(&data.W, 4, 4, W);
  assert_same_bits(data.q, q, sizeof q);
  assert_same_bits(data.laws->mu, mu, sizeof mu);
}

static void assert_global(const SlipProblem *problem) {
  static const double M[] = {2, 0, 0, 0.5, 3, 0, 0, 0, 4}, H[] = {1, 0, 0, 1, -1, 0.25};
  SlipGlobalData data = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(problem, &data, NULL), SLIP_OK);
  assert_int_equal(data.dimension, 2);
  assert_int_equal(data.contacts, 1);
  assert_matrix(&data.M, 3, 3, M);
  assert_matrix(&data.H, 3, 2, H);
  assert_same_bits(data.f, f, sizeof f);
  assert_same_bits(data.w, w, sizeof w);
  assert_same_bits(data.laws->mu, mu_global, sizeof mu_global);
}

static SlipFile *read_data(const char *name, SlipWantForm form) {
  char path[1024];
  SlipFile *file = NULL;
  SlipError error;
  snprintf(path, sizeof path, "%s/%s", SLIPCONE_TEST_DATA, name);
  if (slip_file_read(path, form, &file, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return file;
}

static const char *const locals[] = {"siconos_local_dense.dat", "siconos_local_triplet.dat",
                                     "siconos_local_columns.dat", "siconos_local_rows.dat"};
static const char *const globals[] = {"siconos_global_dense.dat", "siconos_global_blocks.dat",
                                      "siconos_global_triplet.dat"};
enum { LOCALS = sizeof locals / sizeof locals[0], GLOBALS = sizeof globals / sizeof globals[0] };

static void test_local(void **state) {
  (void)state;
  for (size_t k = 0; k < LOCALS; k++) {
    SlipFile *file = read_data(locals[k], SLIP_WANT_ANY);
    assert_true(file->has_local && !file->has_global);
    assert_null(file->title);
    assert_null(file->solution);
    assert_local(file->problem);
    slip_file_free(file);
  }
}

/* Blocks are by columns, as dense matrices are; the first is [4 2; 1 3]. */
static void test_blocks(void **state) {
  (void)state;
  static const double W[] = {4, 2, 0, 0.25, 1, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 6};
  SlipFile *file = read_data("siconos_local_blocks.dat", SLIP_WANT_LOCAL);
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(file->problem, &data, NULL), SLIP_OK);
  assert_matrix(&data.W, 4, 4, W);
  slip_file_free(file);
}

static void test_global(void **state) {
  (void)state;
  for (size_t k = 0; k < GLOBALS; k++) {
    SlipFile *file = read_data(globals[k], SLIP_WANT_ANY);
    assert_true(!file->has_local && file->has_global);
    assert_global(file->problem);
    slip_file_free(file);
  }
}

static SlipStatus read_text(const char *text, SlipFile **file, SlipError *error) {
  return slip_file_read_memory("text", text, strlen(text), SLIP_WANT_ANY, file, error);
}

static void test_no_contacts(void **state) {
  (void)state;
  static const char *const texts[] = {"3 0 0 0 0 0 0", "3 0 1 0 0 0", "2 0 0 1 1 1 1 5 1 1 0 0 7",
                                      "2 0 0 1 1 1 1 5 0 1 0 1 0 7 0"};
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
    SlipFile *file = NULL;
    SlipError error;
    if (read_text(texts[k], &file, &error) != SLIP_OK)
      fail_msg("%s: %s", texts[k], error.text);
    assert_int_equal(file->has_global, k >= 2);
    assert_int_equal(slip_problem_contacts(file->problem), 0);
    assert_int_equal(slip_problem_dof(file->problem), k >= 2 ? 1 : 0);
    slip_file_free(file);
  }
}

static void test_form_not_there(void **state) {
  (void)state;
  char path[1024];
  SlipFile *file = NULL;
  SlipError error;
  snprintf(path, sizeof path, "%s/%s", SLIPCONE_TEST_DATA, globals[0]);
  assert_int_equal(slip_file_read(path, SLIP_WANT_LOCAL, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "holds only the global form"));
  snprintf(path, sizeof path, "%s/%s", SLIPCONE_TEST_DATA, locals[0]);
  assert_int_equal(slip_file_read(path, SLIP_WANT_GLOBAL, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "holds only the local form"));
}

/* Numbers have a point whatever the locale says, and the locale stays. */
static void test_locale(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  int tried = 0;
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (setlocale(LC_NUMERIC, names[k])) {
      char shown[8];
      snprintf(shown, sizeof shown, "%.1f", 0.5);
      SlipFile *file = read_data(locals[0], SLIP_WANT_ANY);
      assert_local(file->problem);
      slip_file_free(file);
      char after[8];
      snprintf(after, sizeof after, "%.1f", 0.5);
      assert_string_equal(shown, after);
      setlocale(LC_NUMERIC, "C");
      tried++;
    }
  if (tried == 0)
    skip(); /* no such locale on this machine */
}

typedef struct Wrong {
  const char *text, *complaint;
} Wrong;

/* A contact in 2D: "2 1 0 2 2 2 2 <4 values> <q: 2> <mu>" */
static const Wrong wrong[] = {
    {"", "is empty"},
    {" \n ", "neither an HDF5 file nor"},
    {"problem", "neither an HDF5 file nor"},
    {"4 1", "line 1: the dimension is 4"},
    {"5 1 0 5 5", "rolling friction"},
    {"2", "line 1: the number of contacts: the file ends here"},
    {"2\n-1", "line 2: the number of contacts: '-1' is too small"},
    {"2\n1.5", "line 2: the number of contacts: '1.5' is not a 32-bit integer"},
    {"2\n99999999999", "'99999999999' is not a 32-bit integer"},
    {"2 1\n3 2 2", "line 2: M: storage 3"},
    {"2 1\n0 2 2\n2 3", "line 3: M is first 2 x 2, then 2 x 3"},
    {"2 1\n0 2 2\n2 2\n1 0 0", "line 4: M: the file ends here"},
    {"2 1\n0 2 2\n2 2\n1 0", "4 values are announced"},
    {"2 1\n0 2 2\n2 2\n1 0 0 x 1 1 1", "line 4: M: 'x' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 nan 1 1 1", "'nan' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 -inf 1 1 1", "'-inf' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1e999 1 1 1", "'1e999' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1,5 1 1 1", "'1,5' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 0x1p3 1 1 1", "'0x1p3' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1e 1 1 1", "'1e' is not a finite number"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n1 1", "line 5: mu: the file ends here"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n1 1\n-0.5", "mu[0] is -0.5"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n1 1\n0.5\n\n7", "line 8: after mu: '7' is one value too many"},
    {"2 1\n0 2 2\n2 2\n1 0 0 1\n1 1\n0.5\n0\n0", "line 8: after mu: '0' is one value too many"},
    {"2 2\n0 2 2\n2 2\n1 0 0 1\n1 1\n0.5", "M is 2 x 2, expected 4 x 4"},
    {"2 1\n0 2000000000 2000000000\n2000000000 2000000000\n1", "4000000000000000000 values"},
    {"2 1000000000\n1 2000000000 2000000000\n0\n1 1", "2000000000 values are announced"},
    {"2 1073741824\n1 0 0\n0\n1 1", "expected 2147483648"},
    /* blocks */
    {"2 1\n1 2 2\n1\n1 1\n3\n2\n2 1 0 1 0", "block 0 ends at 3, before the one before or beyond 2"},
    {"2 1\n1 2 2\n1\n1 1\n1\n2\n2 1 0 1 0", "the blocks end at 1, not 2"},
    {"2 1\n1 2 2\n1\n2 1\n2 1\n2\n2 1 0 1 0", "block 1 ends at 1"},
    {"2 1\n1 2 2\n1\n1 1\n2\n2\n3 1\n0 1 1 0", "2 block rows of 1"},
    {"2 1\n1 2 2\n1\n1 1\n2\n2\n2 1\n0 2\n0", "block row 1 starts at block 2 of 1"},
    {"2 1\n1 2 2\n1\n1 1\n2\n2\n2 1\n1 0\n0", "block row 1 starts at block 0"},
    {"2 1\n1 2 2\n1\n1 1\n2\n2\n2 1\n0 1\n1", "block 0 is in block column 1 of 1"},
    {"2 1\n1 2 2\n1\n1 1\n2\n2\n2 1\n0 1\n0\n1\n1 0 0 1 1 1 1", "block 1 stands where 0 should"},
    {"2 1\n1 2 2\n1\n1000000000 1\n2\n2", "1000000000 values are announced"},
    /* sparse */
    {"2 1\n2 2 2\n4", "sparse kind 4"},
    {"2 1\n2 2 2\n1\n(null)", "'(null)' stands where 'CSparse Version ...' should"},
    {"2 1\n2 2 2\n1\nCSparse v\n2-by-2,", "'2-by-2,' stands where 'triplet:' should"},
    {"2 1\n2 2 2\n1\nCSparse v\ntriplet: 2-by-3,", "'2-by-3,' stands where '2-by-2,' should"},
    {"2 1\n2 2 2\n1\nCSparse v\ntriplet: 2-by-2, nzmax: 9 nnz: 900\n0 0 : 1", "900 values"},
    {"2 1\n2 2 2\n1\nCSparse v\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 0 1 1 1 1", "where ':' should"},
    {"2 1\n2 2 2\n1\nCSparse v\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 2 : 1 1 1 1", "2"},
    {"2 1\n2 2 2\n2\nCSparse v\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\nrow 1",
     "'row' stands where 'col' should"},
    {"2 1\n2 2 2\n2\nCSparse v\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\n col 0 : locations 0 to 5\n",
     "locations 0 to 5"},
    {"2 1\n2 2 2\n2\nCSparse v\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\n col 0 : locations 0 to -1\n"
     " col 1 : locations 0 to -1\n 1 1 1",
     "0 entries of 1"},
    {"2 1\n2 2 2\n2\nCSparse v\n2-by-2, nzmax: 1 nnz: 1 1-norm: 1\n", "with a comma"},
    {"2 1\n2 2 3\n3\nCSparse v\n", "by rows of a 2 x 3 matrix"},
};

static void test_wrong(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    SlipFile *file = (SlipFile *)&file;
    SlipError error;
    SlipStatus status = read_text(wrong[k].text, &file, &error);
    assert_true(status == SLIP_ERROR_FORMAT || status == SLIP_ERROR_PROBLEM);
    assert_null(file);
    if (strncmp(error.text, "text: ", 6) != 0 || !strstr(error.text, wrong[k].complaint))
      fail_msg("%zu: '%s' does not contain '%s'", k, error.text, wrong[k].complaint);
  }
}

static void test_long_words(void **state) {
  (void)state;
  char text[400] = "2 1 0 2 2 2 2 1 0 0 ";
  memset(text + 20, '1', 200);
  strcpy(text + 220, " 1 1 1");
  SlipFile *file = NULL;
  SlipError error;
  assert_int_equal(read_text(text, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "'1111111111111111111111111111111111111111' is not"));
  text[30] = '\x01';
  text[31] = '\xff';
  assert_int_equal(read_text(text, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "'1111111111??1111"));
}

/* Cut anywhere but in the last number or the blanks after it, a file is refused. */
static void test_truncated_anywhere(void **state) {
  (void)state;
  for (size_t k = 0; k < LOCALS + GLOBALS; k++) {
    char path[1024], text[4096];
    snprintf(path, sizeof path, "%s/%s", SLIPCONE_TEST_DATA,
             k < LOCALS ? locals[k] : globals[k - LOCALS]);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t size = fread(text, 1, sizeof text, stream);
    fclose(stream);
    assert_true(size > 0 && size < sizeof text);
    for (size_t cut = 0; cut + 40 < size; cut++) {
      SlipFile *file = (SlipFile *)&file;
      SlipError error;
      char *exact = malloc(cut + 1);
      memcpy(exact, text, cut);
      assert_int_not_equal(slip_file_read_memory("cut", exact, cut, SLIP_WANT_ANY, &file, &error),
                           SLIP_OK);
      assert_null(file);
      free(exact);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local),
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_global),
      cmocka_unit_test(test_no_contacts),
      cmocka_unit_test(test_form_not_there),
      cmocka_unit_test(test_locale),
      cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_long_words),
      cmocka_unit_test(test_truncated_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
