/* A write that fails leaves the old file and nothing else; one that works replaces it whole. */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <slipcone/io.h>

#include "compare.h"
#include "data.h"
#include "solving.h"

#define FOLDER "test_file_write.dir"
#define PATH FOLDER "/problem.hdf5"

static SlipProblem *make(const char *kind, uint64_t seed) {
  SlipGenerate options = generate_defaults(kind);
  options.contacts = 5;
  options.seed = seed;
  return generate_with(kind, &options, NULL);
}

static int files_in_folder(void) {
  DIR *folder = opendir(FOLDER);
  int count = 0;
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(folder);
  return count;
}

static void assert_holds(const char *path, const SlipProblem *problem) {
  SlipFile *file = NULL;
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
  assert_same_problem(file->problem, problem);
  slip_file_free(file);
}

static void assert_fails(const char *path, const SlipWrite *content, SlipStatus status,
                         const char *text) {
  SlipError error;
  assert_int_equal(slip_file_write(path, content, &error), status);
  assert_int_equal(error.status, status);
  if (strncmp(error.text, path, strlen(path)) != 0 || !strstr(error.text, text))
    fail_msg("'%s' does not name '%s' and '%s'", error.text, path, text);
  assert_int_equal(slip_file_write(path, content, NULL), status);
}

static int make_folder(void **state) {
  (void)state;
  return mkdir(FOLDER, 0777);
}

static int remove_folder(void **state) {
  (void)state;
  remove(PATH);
  remove(FOLDER "/link.hdf5");
  return rmdir(FOLDER);
}

static void test_replaces(void **state) {
  (void)state;
  SlipProblem *first = make("random", 1), *second = make("random", 2);
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = first), NULL), SLIP_OK);
  assert_int_equal(chmod(PATH, 0640), 0);
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = second), NULL), SLIP_OK);
  assert_holds(PATH, second);
  assert_int_equal(files_in_folder(), 1);
  struct stat about;
  assert_int_equal(stat(PATH, &about), 0);
  assert_int_equal(about.st_mode & 0777, 0640);
  slip_problem_free(first);
  slip_problem_free(second);
}

static void test_new_file_follows_umask(void **state) {
  (void)state;
  SlipProblem *problem = make("random", 1);
  mode_t old = umask(027);
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = problem), NULL), SLIP_OK);
  umask(old);
  struct stat about;
  assert_int_equal(stat(PATH, &about), 0);
  assert_int_equal(about.st_mode & 0777, 0640);
  slip_problem_free(problem);
}

static void test_follows_links(void **state) {
  (void)state;
  SlipProblem *first = make("random", 1), *second = make("random", 2);
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = first), NULL), SLIP_OK);
  assert_int_equal(symlink("problem.hdf5", FOLDER "/link.hdf5"), 0);
  assert_int_equal(slip_file_write(FOLDER "/link.hdf5", WRITE(.problem = second), NULL), SLIP_OK);
  assert_holds(PATH, second);
  assert_int_equal(files_in_folder(), 2);
  slip_problem_free(first);
  slip_problem_free(second);
}

static void test_nowhere_to_write(void **state) {
  (void)state;
  SlipProblem *problem = make("random", 1);
  SlipWrite content = *WRITE(.problem = problem);
  assert_fails(FOLDER "/none/problem.hdf5", &content, SLIP_ERROR_FILE, "No such file");
  assert_fails(FOLDER, &content, SLIP_ERROR_FILE, "is a directory");
  assert_fails("/dev/null", &content, SLIP_ERROR_FILE, "is not a regular file");
  assert_int_equal(files_in_folder(), 0);
  if (geteuid() != 0) {
    assert_int_equal(slip_file_write(PATH, &content, NULL), SLIP_OK);
    assert_int_equal(chmod(PATH, 0444), 0);
    assert_fails(PATH, &content, SLIP_ERROR_FILE, "Permission denied");
    assert_int_equal(chmod(PATH, 0644), 0);
    assert_int_equal(chmod(FOLDER, 0555), 0);
    assert_fails(PATH, &content, SLIP_ERROR_FILE, "Permission denied");
    assert_int_equal(chmod(FOLDER, 0755), 0);
  }
  slip_problem_free(problem);
}

/* A limit on the size of files stands in for a full disk. */
static void test_no_room(void **state) {
  (void)state;
  SlipProblem *first = make("random", 1), *second = make("random", 2);
  struct rlimit old, small;
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = first), NULL), SLIP_OK);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 1000;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  SlipError error;
  SlipStatus status = slip_file_write(PATH, WRITE(.problem = second), &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, SLIP_ERROR_FILE);
  assert_non_null(strstr(error.text, PATH ": cannot be written: File too large"));
  assert_holds(PATH, first);
  assert_int_equal(files_in_folder(), 1);
  slip_problem_free(first);
  slip_problem_free(second);
}

static void test_wrong_content(void **state) {
  (void)state;
  double values[64] = {0};
  SlipProblem *local = make("random", 1), *global = make("deficient-global", 1);
  int32_t dof = slip_problem_dof(global);
  assert_fails(PATH, NULL, SLIP_ERROR_ARGUMENT, "content is NULL");
  assert_fails(PATH, &(SlipWrite){0}, SLIP_ERROR_ARGUMENT, "slip_default_write()");
  assert_fails(PATH, WRITE(.problem = NULL), SLIP_ERROR_ARGUMENT, "no problem");
  assert_fails(PATH, WRITE(.problem = local, .solution = &(SlipSolution){0}), SLIP_ERROR_ARGUMENT,
               "slip_default_solution()");
  assert_fails(PATH,
               WRITE(.problem = local, .guesses = (const SlipSolution *[]){NULL}, .guess_count = 1),
               SLIP_ERROR_ARGUMENT, "a guess is NULL");
  SlipSolution solution =
      SOLUTION(.contacts = 5, .dimension = 3, .dof = 0, .r = values, .u = values, .v = NULL);
  assert_int_equal(slip_file_write(PATH, WRITE(.problem = local, .solution = &solution), NULL),
                   SLIP_OK);
  solution.contacts = 4;
  assert_fails(PATH, WRITE(.problem = local, .solution = &solution), SLIP_ERROR_ARGUMENT,
               "the solution has 4 contacts of dimension 3, the problem 5");
  assert_fails(
      PATH,
      WRITE(.problem = local, .guesses = (const SlipSolution *[]){&solution}, .guess_count = 1),
      SLIP_ERROR_ARGUMENT, "a guess has 4 contacts");
  solution = SOLUTION(.contacts = 5, .dimension = 3, .dof = 0, .r = NULL, .u = values, .v = NULL);
  assert_fails(PATH, WRITE(.problem = local, .solution = &solution), SLIP_ERROR_ARGUMENT, "NULL");
  solution = SOLUTION(.contacts = 5, .dimension = 3, .dof = dof + 1, .r = values, .u = values,
                      .v = values);
  assert_fails(PATH, WRITE(.problem = global, .solution = &solution), SLIP_ERROR_ARGUMENT,
               "degrees of freedom");
  assert_fails(PATH, WRITE(.problem = local, .guess_count = -1), SLIP_ERROR_ARGUMENT,
               "guess_count is -1");
  assert_int_equal(slip_file_write(NULL, WRITE(.problem = local), NULL), SLIP_ERROR_ARGUMENT);
  assert_holds(PATH, local);
  slip_problem_free(local);
  slip_problem_free(global);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_replaces, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_new_file_follows_umask, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_follows_links, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_nowhere_to_write, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_no_room, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_wrong_content, make_folder, remove_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
