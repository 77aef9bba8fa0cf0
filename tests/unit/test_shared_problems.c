/* Real problems, where there is a folder of them: $SLIPCONE_SHARED, or ../shared beside the
 * sources. Every file loads and comes back from a write bit by bit; nsgs's printed error is the
 * independent one. Without the folder these tests are skipped. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <slipcone/io.h>

#include "reference.h"

typedef void (*Visit)(const char *path);

static int visit_folder(const char *folder, Visit visit) {
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort), files = 0;
  for (int k = 0; k < count; k++) {
    char path[2048];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
    const char *dot = strrchr(entries[k]->d_name, '.');
    if (entries[k]->d_name[0] != '.' && stat(path, &info) == 0) {
      if (S_ISDIR(info.st_mode)) {
        files += visit_folder(path, visit);
      } else if (dot && strcmp(dot, ".hdf5") == 0) {
        visit(path);
        files++;
      }
    }
    free(entries[k]);
  }
  if (count >= 0)
    free(entries);
  return files;
}

static void visit_problems(Visit visit) {
  const char *shared = getenv("SLIPCONE_SHARED");
  char folder[1024];
  struct stat info;
  snprintf(folder, sizeof folder, "%s/problems",
           shared ? shared : SLIPCONE_SOURCE_DIR "/../shared");
  if (stat(folder, &info) != 0)
    skip();
  assert_true(visit_folder(folder, visit) > 0);
}

static void same_bits(const char *path, const void *a, const void *b, size_t bytes) {
  if (bytes > 0 && memcmp(a, b, bytes) != 0)
    fail_msg("%s: a write and a read change it", path);
}

static void same_matrix(const char *path, const SlipMatrix *a, const SlipMatrix *b) {
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->cols, b->cols);
  assert_int_equal(a->nnz, b->nnz);
  same_bits(path, a->p, b->p, ((size_t)a->rows + 1) * sizeof *a->p);
  same_bits(path, a->i, b->i, (size_t)a->nnz * sizeof *a->i);
  same_bits(path, a->x, b->x, (size_t)a->nnz * sizeof *a->x);
}

static void same_problem(const char *path, const SlipProblem *a, const SlipProblem *b) {
  size_t nc = (size_t)slip_problem_contacts(a), dof = (size_t)slip_problem_dof(a);
  size_t m = nc * (size_t)slip_problem_dimension(a);
  assert_int_equal(slip_problem_form(a), slip_problem_form(b));
  assert_int_equal(slip_problem_contacts(b), nc);
  assert_int_equal(slip_problem_dof(b), dof);
  if (slip_problem_form(a) == SLIP_FORM_LOCAL) {
    SlipLocalData x = slip_default_local_data();
    SlipLocalData y = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(a, &x, NULL), SLIP_OK);
    assert_int_equal(slip_problem_local_data(b, &y, NULL), SLIP_OK);
    same_matrix(path, &x.W, &y.W);
    same_bits(path, x.q, y.q, m * sizeof *x.q);
    same_bits(path, x.laws->mu, y.laws->mu, nc * sizeof *x.laws->mu);
  } else {
    SlipGlobalData x = slip_default_global_data();
    SlipGlobalData y = slip_default_global_data();
    assert_int_equal(slip_problem_global_data(a, &x, NULL), SLIP_OK);
    assert_int_equal(slip_problem_global_data(b, &y, NULL), SLIP_OK);
    same_matrix(path, &x.M, &y.M);
    same_matrix(path, &x.H, &y.H);
    same_bits(path, x.f, y.f, dof * sizeof *x.f);
    same_bits(path, x.w, y.w, m * sizeof *x.w);
    same_bits(path, x.laws->mu, y.laws->mu, nc * sizeof *x.laws->mu);
  }
}

static void round_trip_form(const char *path, SlipWantForm form, const char *copy) {
  SlipFile *first, *second;
  SlipError error;
  if (slip_file_read(path, form, &first, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  SlipWrite content = {.size = sizeof content,
                       .problem = first->problem,
                       .title = first->title,
                       .solution = first->solution,
                       .guesses = first->guesses,
                       .guess_count = first->guess_count};
  if (slip_file_write(copy, &content, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  if (slip_file_read(copy, SLIP_WANT_ANY, &second, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  same_problem(path, first->problem, second->problem);
  assert_int_equal(first->solution != NULL, second->solution != NULL);
  assert_int_equal(first->guess_count, second->guess_count);
  if (first->solution)
    same_bits(path, first->solution->r, second->solution->r,
              (size_t)first->solution->contacts * (size_t)first->solution->dimension *
                  sizeof(double));
  slip_file_free(first);
  slip_file_free(second);
  unlink(copy);
}

static void round_trip(const char *path) {
  char copy[] = "round_trip_XXXXXX";
  int descriptor = mkstemp(copy);
  assert_true(descriptor >= 0);
  close(descriptor);
  SlipFile *file;
  SlipError error;
  if (slip_file_read(path, SLIP_WANT_ANY, &file, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  int both[] = {file->has_local, file->has_global};
  slip_file_free(file);
  if (both[0])
    round_trip_form(path, SLIP_WANT_LOCAL, copy);
  if (both[1])
    round_trip_form(path, SLIP_WANT_GLOBAL, copy);
  unlink(copy);
}

/* eps | |W||r| + |q| + |r| | / |q|: what rounding alone may do to the error (131). */
static double rounding_floor(const SlipProblem *problem, const double *r) {
  SlipLocalData data = slip_default_local_data();
  double sum = 0, q2 = 0;
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  for (int32_t row = 0; row < data.W.rows; row++) {
    double size = fabs(data.q[row]) + fabs(r[row]);
    for (int32_t k = data.W.p[row]; k < data.W.p[row + 1]; k++)
      size += fabs(data.W.x[k] * r[data.W.i[k]]);
    sum += size * size;
    q2 += data.q[row] * data.q[row];
  }
  return 2.3e-16 * sqrt(sum / q2);
}

/* A short run, solved or not: the error it prints is that of the point it returns. */
static void check_error(const char *path) {
  SlipFile *file;
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  if (slip_file_read(path, SLIP_WANT_ANY, &file, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  assert_int_equal(slip_settings_create("nsgs", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", "1e-4", NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "60", NULL), SLIP_OK);
  if (slip_problem_form(file->problem) == SLIP_FORM_LOCAL) {
    if (slip_solver_create(file->problem, settings, &solver, &error) != SLIP_OK)
      fail_msg("%s: %s", path, error.text);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    const SlipResult *result = slip_solver_result(solver);
    double reference = reference_error(file->problem, result->r);
    double floor = rounding_floor(file->problem, result->r);
    if (!(fabs(reference - result->residual) <= 1e-10 * reference + 2 * floor))
      fail_msg("%s: error %.17g, independent %.17g", path, result->residual, reference);
    slip_solver_free(solver);
  }
  slip_settings_free(settings);
  slip_file_free(file);
}

static void test_round_trip(void **state) {
  (void)state;
  visit_problems(round_trip);
}

static void test_printed_error(void **state) {
  (void)state;
  visit_problems(check_error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_printed_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
