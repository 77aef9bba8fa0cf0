/* Problems as Matrix Market files: every format and symmetry, and what is wrong with a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "contact/problem.h"
#include "io/market.h"

#define MM "%%MatrixMarket matrix "
#define ARRAY MM "array real general\n"

static SlipStatus read_parts(const char *const parts[SLIPI_MARKET_PARTS], SlipWantForm form,
                             SlipiFile *file, SlipError *error) {
  SlipiMarketText texts[SLIPI_MARKET_PARTS] = {0};
  for (int k = 0; k < SLIPI_MARKET_PARTS; k++)
    if (parts[k])
      texts[k] = (SlipiMarketText){(char *)parts[k], strlen(parts[k])};
  *file = (SlipiFile){0};
  return slipi_market_read(texts, form, file, error);
}

static const char *const q3 = ARRAY "3 1\n-1 0.1 0\n", *const mu1 = ARRAY "1 1\n0.5\n";

/* W of three rows in every way it can be written. */
static void test_ways(void **state) {
  (void)state;
  static const double symmetric[9] = {2, 1, 0, 1, 3, 0, 0, 0, 4};
  static const double skewed[9] = {0, -1, 5, 1, 0, 0, -5, 0, 0};
  static const struct {
    const char *text;
    const double *W;
  } cases[] = {
      {MM "coordinate real general\n3 3 5\n1 1 2\n2 1 1\n1 2 1\n2 2 3\n3 3 4\n", symmetric},
      {MM "coordinate real symmetric\n% a remark\n%\n\n3 3 4\n1 1 2\n2 1 1\n2 2 3\n3 3 4",
       symmetric},
      {MM "coordinate integer symmetric\n3 3 5\n1 1 1\n1 1 1\n2 1 1\n2 2 3\n3 3 4\n", symmetric},
      {MM "array real symmetric\n3 3\n2\n1\n0\n3\n0\n4\n", symmetric},
      {"%%matrixmarket MATRIX Array Real General\r\n3 3\r\n2 1 0\r\n1 3 0\r\n0 0 4\r\n", symmetric},
      {MM "coordinate real skew-symmetric\n3 3 2\n2 1 1\n3 1 -5\n", skewed},
      {MM "array real skew-symmetric\n3 3\n1\n-5\n0\n", skewed},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *const parts[SLIPI_MARKET_PARTS] = {
        [SLIPI_MARKET_W] = cases[k].text, [SLIPI_MARKET_Q] = q3, [SLIPI_MARKET_MU] = mu1};
    SlipiFile file;
    SlipError error = {0};
    if (read_parts(parts, SLIP_WANT_ANY, &file, &error) != SLIP_OK)
      fail_msg("case %zu: %s", k, error.text);
    double W[9] = {0};
    const SlipiCsr *read = &file.file.problem->W;
    assert_int_equal(file.file.problem->d, 3);
    for (int32_t row = 0; row < 3; row++)
      for (int32_t l = read->p[row]; l < read->p[row + 1]; l++)
        W[3 * row + read->i[l]] = read->x[l];
    for (int l = 0; l < 9; l++)
      assert_true(W[l] == cases[k].W[l]);
    assert_true(file.file.problem->q[0] == -1 && file.file.problem->q[1] == 0.1);
    slip_problem_free(file.file.problem);
  }
}

static const char *const global[SLIPI_MARKET_PARTS] = {
    [SLIPI_MARKET_M] = MM "coordinate real symmetric\n3 3 3\n1 1 1\n2 2 2\n3 3 4\n",
    [SLIPI_MARKET_H] = MM "coordinate real general\n3 2 2\n1 1 1\n2 2 1\n",
    [SLIPI_MARKET_F] = ARRAY "3 1\n-1 0 7\n",
    [SLIPI_MARKET_FREE] = MM "coordinate real general\n2 1 1\n2 1 0.25\n",
    [SLIPI_MARKET_MU] = ARRAY "1 1\n0.5\n"};

static void test_global(void **state) {
  (void)state;
  SlipiFile file;
  assert_int_equal(read_parts(global, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
  const SlipProblem *problem = file.file.problem;
  assert_int_equal(slip_problem_form(problem), SLIP_FORM_GLOBAL);
  assert_int_equal(problem->d, 2);
  assert_int_equal(problem->dof, 3);
  assert_true(problem->f[2] == 7 && problem->w[0] == 0 && problem->w[1] == 0.25);
  slip_problem_free(file.file.problem);
  SlipError error;
  assert_int_equal(read_parts(global, SLIP_WANT_LOCAL, &file, &error), SLIP_ERROR_FORMAT);
}

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    SlipiMarketPart part;
    const char *text, *sentence;
  } cases[] = {
      {SLIPI_MARKET_M, "%MatrixMarket matrix array real general\n",
       "M.mtx: line 1: the header: '%MatrixMarket' stands where '%%MatrixMarket' should"},
      {SLIPI_MARKET_M, MM "coordinate complex general\n1 1 0\n",
       "M.mtx: line 1: the values: 'complex' are neither real nor integer"},
      {SLIPI_MARKET_M, MM "coordinate real hermitian\n1 1 0\n",
       "M.mtx: line 1: the symmetry: 'hermitian' is none of general, symmetric and skew-symmetric"},
      {SLIPI_MARKET_M, MM "coordinate real general\n3 3 1\n1 4 2\n",
       "M.mtx: line 3: a column: 4 is outside 1..3"},
      {SLIPI_MARKET_M, MM "coordinate real general\n3 3 1\n0 1 2\n",
       "M.mtx: line 3: a row: 0 is outside 1..3"},
      {SLIPI_MARKET_M, MM "coordinate real general\n3 3 1\n1 1 two\n",
       "M.mtx: line 3: a value: 'two' is not a finite number"},
      {SLIPI_MARKET_M, MM "coordinate real general\n3 3 2\n1 1 2\n",
       "M.mtx: line 4: a row: the file ends here (truncated)"},
      {SLIPI_MARKET_M, MM "coordinate real general\n3 3 1\n1 1 2\n5\n",
       "M.mtx: line 4: after the last value: '5' is left over"},
      {SLIPI_MARKET_M, MM "coordinate real symmetric\n3 3 1\n1 2 2\n",
       "M.mtx: line 3: the entry (1, 2) is not in the lower triangle, which is all a symmetric "
       "matrix "
       "has"},
      {SLIPI_MARKET_M, MM "coordinate real symmetric\n3 2 1\n1 2 2\n",
       "M.mtx: line 2: a symmetric matrix of 3 x 2 is not square"},
      {SLIPI_MARKET_M, MM "coordinate real general\n2 2 1\n1 2 2\n",
       "M.mtx is 2 x 2 but must be 3 x 3, as f.mtx and f.mtx say"},
      {SLIPI_MARKET_H, MM "coordinate real general\n3 3 0\n",
       "H.mtx is 3 x 3 but must be 3 x 2, as f.mtx and w.mtx say"},
      {SLIPI_MARKET_F, ARRAY "1 3\n1 2 3\n", "f.mtx: a vector has one column, not 3"},
      {SLIPI_MARKET_F, MM "coordinate real general\n2000000000 1 0\n",
       "f.mtx: a vector of 2000000000 rows, nearly all of them 0, is not read"},
      {SLIPI_MARKET_M, ARRAY "60000 60000\n1\n",
       "M.mtx: line 2: 60000 x 60000 values are too many"},
      {SLIPI_MARKET_FREE, ARRAY "4 1\n1 2 3 4\n",
       "w.mtx has 4 values for the 1 of mu.mtx: there should be 2 or 3 times as many"},
      {SLIPI_MARKET_MU, NULL, "has no mu.mtx"},
      {SLIPI_MARKET_H, NULL,
       "is a directory without W.mtx, q.mtx and mu.mtx, or M.mtx, H.mtx, f.mtx, w.mtx and mu.mtx"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *parts[SLIPI_MARKET_PARTS];
    SlipiFile file;
    SlipError error;
    memcpy(parts, global, sizeof parts);
    parts[cases[k].part] = cases[k].text;
    SlipStatus wanted = parts[SLIPI_MARKET_H] ? SLIP_ERROR_FORMAT : SLIP_ERROR_FILE;
    assert_int_equal(read_parts(parts, SLIP_WANT_ANY, &file, &error), wanted);
    assert_null(file.file.problem);
    assert_string_equal(error.text, cases[k].sentence);
  }
}

/* Through the public function, whose sentences name the folder. */
static void test_folder(void **state) {
  (void)state;
  static const char *const name[] = {"W.mtx", "q.mtx", "mu.mtx"};
  const char *const text[] = {MM "array real symmetric\n3 3\n2\n1\n0\n3\n0\n4\n", q3, mu1};
  char folder[] = "test_market_XXXXXX", path[64];
  SlipFile *file;
  SlipError error;
  assert_non_null(mkdtemp(folder));
  for (int k = 0; k < 3; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, name[k]);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text[k], stream);
    assert_int_equal(fclose(stream), 0);
  }
  assert_int_equal(slip_file_read(folder, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
  assert_int_equal(slip_problem_contacts(file->problem), 1);
  slip_file_free(file);
  assert_int_equal(remove(path), 0);
  assert_int_equal(slip_file_read(folder, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  snprintf(path, sizeof path, "%s: has no mu.mtx", folder);
  assert_string_equal(error.text, path);
  for (int k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, name[k]);
    assert_int_equal(remove(path), 0);
  }
  assert_int_equal(rmdir(folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ways),
      cmocka_unit_test(test_global),
      cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
