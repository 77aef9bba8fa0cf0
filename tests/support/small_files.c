#include "small_files.h"
#include "data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "h5_edit.h"

const int32_t small_row[6] = {0, 0, 1, 2, 2, 3}, small_col[6] = {0, 2, 1, 0, 2, 3};
const double small_x[6] = {2, 1, 2, -1, 3, 2}, small_q[4] = {-1, 0.25, -2, 0};
const double small_mu[2] = {0.5, 0.25};

SlipProblem *small_local(const int32_t *law) {
  SlipProblem *problem = NULL;
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 2,
                                  .W = {SLIP_TRIPLET, 4, 4, 6, small_col, small_row, small_x},
                                  .q = small_q, .laws = LAWS(.kind = law, .mu = small_mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

const int32_t small_index[3] = {0, 1, 2};
const double small_mass[3] = {1, 2, 4}, small_f[3] = {-1, 0, 3};
static const int32_t H_row[] = {0, 1, 2, 0, 2}, H_col[] = {0, 1, 2, 3, 3};
static const double H_x[] = {1, 1, -1, 0.5, 2}, w[] = {0, 0, -0.5, 0.125};

SlipProblem *small_global(void) {
  SlipProblem *problem = NULL;
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = 2, .contacts = 2,
                  .M = {SLIP_TRIPLET, 3, 3, 3, small_index, small_index, small_mass},
                  .H = {SLIP_TRIPLET, 3, 4, 5, H_col, H_row, H_x}, .f = small_f, .w = w,
                  .laws = LAWS(.mu = small_mu));
  assert_int_equal(slip_problem_create_global(&data, &problem, NULL), SLIP_OK);
  return problem;
}

void small_write(const char *path, const SlipWrite *content) {
  SlipError error;
  if (slip_file_write(path, content, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

SlipFile *small_read(const char *path, SlipWantForm form) {
  SlipFile *file = NULL;
  SlipError error;
  if (slip_file_read(path, form, &file, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  assert_non_null(file);
  assert_non_null(file->problem);
  return file;
}

void small_write_local(const char *path) {
  SlipProblem *problem = small_local(NULL);
  small_write(path, WRITE(.problem = problem, .title = "a title"));
  slip_problem_free(problem);
}

void small_write_global(const char *path) {
  SlipProblem *problem = small_global();
  small_write(path, WRITE(.problem = problem));
  slip_problem_free(problem);
}

void assert_small_local(const char *path) {
  SlipProblem *problem = small_local(NULL);
  SlipFile *file = small_read(path, SLIP_WANT_ANY);
  assert_same_problem(file->problem, problem);
  slip_file_free(file);
  slip_problem_free(problem);
}

void assert_refused(const char *path, SlipStatus status, const char *text) {
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

void small_put_matrix(const char *path, int32_t nz, int64_t p_count, const int32_t *p,
                      int64_t count, const int32_t *i, const double *x) {
  h5_edit_ints(path, "fclib_local/W/nz", 1, &nz);
  h5_edit_ints(path, "fclib_local/W/nzmax", 1, (int32_t[]){(int32_t)count});
  h5_edit_ints(path, "fclib_local/W/p", p_count, p);
  h5_edit_ints(path, "fclib_local/W/i", count, i);
  h5_edit_reals(path, "fclib_local/W/x", count, x);
}
