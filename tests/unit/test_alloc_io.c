/* Every allocation of reading and writing files fails once: no leak, no crash, a clear status.
 * (HDF5 allocates on its own and out of reach.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "alloc_wrap.h"
#include "equality_case.h"

static const char TEXT_LOCAL[] = "3\n1\n0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 0.8 0\n0.5\n";
static const char TEXT_GLOBAL[] =
    "2\n1\n0 2 2\n2 2\n2 0 0 2\n0 2 2\n2 2\n1 0 0 1\n-1 0.5\n0 0\n0.5\n";

static SlipStatus read_file(void *path, SlipError *error) {
  SlipFile *file = (SlipFile *)&file; /* something that is not NULL */
  SlipStatus status = slip_file_read(path, SLIP_WANT_ANY, &file, error);
  assert_true((status == SLIP_OK) == (file != NULL));
  if (file)
    assert_int_equal(slip_problem_contacts(file->problem) > 0, 1);
  slip_file_free(file);
  return status;
}

typedef struct Target {
  char *path;
  SlipWrite content;
} Target;

/* Write, and read what was written: a write that fails leaves no file, half a file or other. */
static SlipStatus write_and_read(void *user, SlipError *error) {
  Target *target = user;
  SlipStatus status = slip_file_write(target->path, &target->content, error);
  FILE *there = fopen(target->path, "rb");
  assert_true((status == SLIP_OK) == (there != NULL));
  if (there)
    fclose(there);
  if (status == SLIP_OK)
    status = read_file(target->path, error);
  remove(target->path);
  return status;
}

/* A problem of the given kind with a solution and a guess, written and read again. */
static void round_trip(const char *kind, char *path) {
  SlipProblem *problem;
  double *r;
  SlipGenerate options = slip_default_generate();
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.contacts = 4;
  assert_int_equal(slip_generate(kind, &options, &problem, &r, NULL), SLIP_OK);
  double u[12] = {0}, v[64] = {0};
  SlipSolution solution = {.size = sizeof solution,
                           .contacts = slip_problem_contacts(problem),
                           .dimension = slip_problem_dimension(problem),
                           .dof = slip_problem_dof(problem),
                           .r = r,
                           .u = u};
  assert_true(solution.contacts <= 4 && solution.dof <= 64);
  if (solution.dof > 0)
    solution.v = v;
  Target target = {path,
                   {.size = sizeof(SlipWrite),
                    .problem = problem,
                    .title = "a title",
                    .description = "a description",
                    .math_info = "none",
                    .solution = &solution,
                    .guesses = (const SlipSolution *[]){&solution},
                    .guess_count = 1}};
  assert_true(alloc_fail_most(write_and_read, &target) > 5);
  if (strcmp(kind, "random") == 0 || strcmp(kind, "deficient-global") == 0) { /* Coulomb friction */
    target.content.format = SLIP_FORMAT_SICONOS;
    assert_true(alloc_fail_most(write_and_read, &target) > 3);
    target.content.format = SLIP_FORMAT_FCLIB;
  }
  assert_int_equal(slip_file_write(path, &target.content, NULL), SLIP_OK);
  assert_true(alloc_fail_each(read_file, path) > 3);
  slip_generate_free_r(r);
  slip_problem_free(problem);
  remove(path);
}

static void test_local(void **state) {
  (void)state;
  round_trip("random", "test_alloc_io_local.hdf5");
}

static void test_laws(void **state) {
  (void)state;
  round_trip("bilateral", "test_alloc_io_laws.hdf5");
}

static void test_global(void **state) {
  (void)state;
  round_trip("deficient-global", "test_alloc_io_global.hdf5");
}

static void test_equalities(void **state) {
  (void)state;
  char path[] = "test_alloc_io_equalities.hdf5", copy[] = "test_alloc_io_copy.hdf5";
  for (SlipForm form = SLIP_FORM_LOCAL; form <= SLIP_FORM_GLOBAL; form++) {
    SlipFile *file = NULL;
    equality_write(path, &equality_cases[EQUALITY_CASES - 1], form);
    assert_true(alloc_fail_each(read_file, path) > 10);
    assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
    Target target = {copy,
                     {.size = sizeof(SlipWrite),
                      .problem = file->problem,
                      .solution = file->solution,
                      .guesses = file->guesses,
                      .guess_count = file->guess_count}};
    assert_true(alloc_fail_most(write_and_read, &target) > 10);
    slip_file_free(file);
  }
  remove(path);
}

static void read_text(char *path, const char *content) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(content, file);
  fclose(file);
  assert_true(alloc_fail_each(read_file, path) > 3);
  remove(path);
}

static void test_text(void **state) {
  (void)state;
  read_text("test_alloc_io_local.dat", TEXT_LOCAL);
  read_text("test_alloc_io_global.dat", TEXT_GLOBAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local),      cmocka_unit_test(test_laws), cmocka_unit_test(test_global),
      cmocka_unit_test(test_equalities), cmocka_unit_test(test_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
