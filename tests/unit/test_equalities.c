/* FCLIB's equality constraints in files: read as bilateral contacts, written as they were, and
 * refused where their parts do not fit together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/io.h>

#include "compare.h"
#include "data.h"
#include "equality_case.h"
#include "h5_edit.h"
#include "reference.h"
#include "small_files.h"
#include "solving.h"

#define PATH "test_equalities.hdf5"
#define COPY "test_equalities_copy.hdf5"

static int has(const char *path, const char *name) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  char group[96];
  snprintf(group, sizeof group, "%.*s", (int)(strrchr(name, '/') - name), name);
  int found = H5Lexists(file, group, H5P_DEFAULT) > 0 && H5Lexists(file, name, H5P_DEFAULT) > 0;
  assert_true(H5Fclose(file) >= 0);
  return found;
}

/* The values of a dataset of up to 64 reals; returns how many. */
static int64_t get_reals(const char *path, const char *name, double values[64]) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  int64_t count = H5Sget_simple_extent_npoints(space);
  assert_true(dataset >= 0 && count >= 0 && count <= 64);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return count;
}

static void assert_same_reals(const char *name) {
  double a[64], b[64];
  int64_t count = get_reals(PATH, name, a);
  assert_int_equal(get_reals(COPY, name, b), count);
  assert_same_bits(a, b, (size_t)count * sizeof *a);
}

static void write_copy(const SlipFile *file) {
  small_write(COPY, WRITE(.problem = file->problem, .solution = file->solution,
                          .guesses = file->guesses, .guess_count = file->guess_count));
}

/* ---- Reading ------------------------------------------------------------------------------ */

static void check_laws(const EqualityCase *c, const SlipProblem *problem) {
  const SlipLaws *laws = laws_of_problem(problem);
  int32_t d = c->dimension, left = c->count, all = (1 << d) - 1;
  assert_int_equal(slip_problem_contacts(problem), 1 + (c->count + d - 1) / d);
  assert_int_equal(laws->kind[0], SLIP_COULOMB);
  assert_true(laws->mu[0] == c->mu);
  for (int32_t a = 1; a < slip_problem_contacts(problem); a++, left -= d) {
    assert_int_equal(laws->kind[a], SLIP_BILATERAL);
    assert_int_equal(laws->bound ? laws->bound[a] : all, left < d ? (1 << left) - 1 : all);
  }
}

static void check_solution(const EqualityCase *c, const SlipSolution *solution, SlipForm form) {
  int32_t d = c->dimension;
  for (int32_t k = 0; k < d * solution->contacts; k++) {
    double r = k < d ? c->r[k] : k < d + c->count ? c->l[k - d] : 0;
    assert_true(solution->r[k] == r);
    assert_true(solution->u[k] == (k < d ? c->u[k] : 0));
  }
  assert_int_equal(solution->v != NULL, form == SLIP_FORM_GLOBAL);
}

static void test_become_contacts(void **state) {
  (void)state;
  for (int k = 0; k < EQUALITY_CASES; k++)
    for (SlipForm form = SLIP_FORM_LOCAL; form <= SLIP_FORM_GLOBAL; form++) {
      const EqualityCase *c = &equality_cases[k];
      equality_write(PATH, c, form);
      SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
      assert_int_equal(file->equalities, c->count);
      check_laws(c, file->problem);
      check_solution(c, file->solution, form);
      assert_int_equal(file->guess_count, 1);
      check_solution(c, file->guesses[0], form);
      slip_file_free(file);
    }
}

/* No columns at all: libfclib may be given such a G. */
static void test_none(void **state) {
  (void)state;
  small_write_global(PATH);
  SlipProblem *problem = small_global();
  equality_put_matrix(PATH, "fclib_global/G", 3, 0, NULL);
  h5_edit_reals(PATH, "fclib_global/vectors/b", 0, NULL);
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_int_equal(file->equalities, 0);
  assert_same_problem(file->problem, problem);
  slip_file_free(file);
  slip_problem_free(problem);
}

/* ---- Writing ------------------------------------------------------------------------------ */

static void test_written_as_read(void **state) {
  (void)state;
  static const char *const local[] = {"W/x", "V/x",       "R/x",       "vectors/q",
                                      "V/p", "vectors/s", "vectors/mu"};
  static const char *const global[] = {"M/x", "H/x",       "G/x",       "vectors/f",
                                       "G/p", "vectors/w", "vectors/b", "vectors/mu"};
  static const char *const solution[] = {"solution/u",  "solution/r",  "solution/l",
                                         "guesses/1/u", "guesses/1/r", "guesses/1/l"};
  for (int k = 0; k < EQUALITY_CASES; k++)
    for (SlipForm form = SLIP_FORM_LOCAL; form <= SLIP_FORM_GLOBAL; form++) {
      char name[64];
      int is_local = form == SLIP_FORM_LOCAL;
      equality_write(PATH, &equality_cases[k], form);
      SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
      write_copy(file);
      for (size_t n = 0; n < (is_local ? 7 : 8); n++) {
        snprintf(name, sizeof name, "fclib_%s/%s", is_local ? "local" : "global",
                 is_local ? local[n] : global[n]);
        assert_same_reals(name);
      }
      for (size_t n = 0; n < 6; n++)
        assert_same_reals(solution[n]);
      snprintf(name, sizeof name, "fclib_%s/slipcone_laws/", is_local ? "local" : "global");
      static const char *const own[] = {"law", "bound", "equality_bound"};
      for (size_t n = 0; n < 3; n++) {
        char dataset[96];
        snprintf(dataset, sizeof dataset, "%s%s", name, own[n]);
        assert_false(has(COPY, dataset));
      }
      SlipFile *again = small_read(COPY, SLIP_WANT_ANY);
      assert_same_problem(again->problem, file->problem);
      assert_same_solution(again->solution, file->solution);
      slip_file_free(again);
      slip_file_free(file);
    }
}

/* The local form of a global problem keeps its equalities, also those that are a remainder. */
static void test_reduced(void **state) {
  (void)state;
  for (int k = 0; k < EQUALITY_CASES; k++) {
    const EqualityCase *c = &equality_cases[k];
    SlipProblem *local = NULL;
    equality_write(PATH, c, SLIP_FORM_GLOBAL);
    SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
    assert_int_equal(slip_problem_reduce(file->problem, &local, NULL), SLIP_OK);
    SlipSolution solution = *file->solution;
    solution.v = NULL;
    small_write(COPY, WRITE(.problem = local, .solution = &solution));
    assert_false(has(COPY, "fclib_local/slipcone_laws/law"));
    SlipFile *reduced = small_read(COPY, SLIP_WANT_ANY);
    assert_int_equal(reduced->equalities, c->count);
    assert_true(reference_error(reduced->problem, reduced->solution->r) <= 1e-14);
    slip_file_free(reduced);
    slip_problem_free(local);
    slip_file_free(file);
  }
}

/* Three contacts in 2D. */
typedef struct Trio {
  int32_t kind[3], bound[3];
  double skew;       /* of W between the first contact and the last */
  double free;       /* q of components that are not bound; they have nothing in W */
  double compliance; /* of the first contact or, where it is negative, of the last */
} Trio;

static SlipProblem *make_trio(const Trio *trio) {
  double W[36] = {0}, q[6] = {-1, 0.5, 0.25, -0.5, 1, -0.75}, C[12] = {0};
  const double mu[3] = {0.5, 0.25, 0.125};
  SlipProblem *problem = NULL;
  SlipError error;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      W[6 * j + i] = i == j ? 4 : 0.125 * (i + j);
  W[6 * 0 + 4] += trio->skew;
  for (int i = 0; i < 6; i++) {
    if (trio->kind[i / 2] != SLIP_BILATERAL || trio->bound[i / 2] >> i % 2 & 1)
      continue;
    q[i] = trio->free;
    for (int j = 0; j < 6; j++)
      W[6 * j + i] = W[6 * i + j] = 0;
  }
  double *own = trio->compliance < 0 ? C + 8 : C;
  own[0] = own[3] = fabs(trio->compliance);
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 3, .W = slip_dense(6, 6, W), .q = q,
                                  .laws = LAWS(.kind = trio->kind, .mu = mu, .bound = trio->bound),
                                  .compliance = trio->compliance != 0 ? C : NULL);
  if (slip_problem_create_local(&data, &problem, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return problem;
}

/* Written and read again it is the same problem; returns how many equalities the file has. */
static int32_t trio_equalities(const Trio *trio) {
  SlipProblem *problem = make_trio(trio);
  double r[6] = {1, 0.25, 2, 3, 4, 5}, u[6] = {0};
  for (int k = 0; k < 6; k++)
    if (trio->kind[k / 2] == SLIP_BILATERAL && !(trio->bound[k / 2] >> k % 2 & 1))
      r[k] = 0;
  SlipSolution solution = SOLUTION(.contacts = 3, .dimension = 2, .r = r, .u = u);
  small_write(PATH, WRITE(.problem = problem, .solution = &solution));
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_same_problem(file->problem, problem);
  assert_same_solution(file->solution, &solution);
  int32_t count = file->equalities;
  assert_int_equal(has(PATH, "fclib_local/V"), count > 0);
  assert_int_equal(has(PATH, "solution/l"), count > 0);
  slip_file_free(file);
  slip_problem_free(problem);
  return count;
}

static void test_which_contacts_are_equalities(void **state) {
  (void)state;
  enum { C = SLIP_COULOMB, F = SLIP_FRICTIONLESS, B = SLIP_BILATERAL };
  const char *law = "fclib_local/slipcone_laws/law";
  const char *grouping = "fclib_local/slipcone_laws/equality_bound";
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, C, C}, .bound = {3, 3, 3}}), 0);
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, C, B}, .bound = {3, 3, 3}}), 2);
  assert_false(has(PATH, law));
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, B, B}, .bound = {3, 3, 1}}), 3);
  assert_false(has(PATH, grouping));
  /* Contacts that a reader would not make by itself are told. */
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, B, B}, .bound = {3, 1, 3}}), 3);
  assert_true(has(PATH, grouping));
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, B, B}, .bound = {3, 2, 2}}), 2);
  assert_true(has(PATH, grouping));
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, B, B}, .bound = {3, 3, 0}}), 2);
  assert_true(has(PATH, grouping));
  assert_int_equal(trio_equalities(&(Trio){.kind = {B, B, B}, .bound = {3, 3, 3}}), 6);
  /* Only the last contacts, and only whole: other laws, or one that binds nothing, stay laws. */
  assert_int_equal(trio_equalities(&(Trio){.kind = {B, C, B}, .bound = {1, 3, 3}}), 2);
  assert_true(has(PATH, law));
  assert_int_equal(trio_equalities(&(Trio){.kind = {F, B, C}, .bound = {3, 3, 3}}), 0);
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, C, B}, .bound = {3, 3, 0}}), 0);
  assert_true(has(PATH, law));
  /* A velocity of a component that is not bound has no place in FCLIB. */
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, B, B}, .bound = {3, 3, 1}, .free = 0.5}), 0);
  /* Nor has a W that couples one way; within the equalities R may. */
  assert_int_equal(trio_equalities(&(Trio){.kind = {C, B, B}, .bound = {3, 3, 3}, .skew = 0.5}), 0);
  assert_int_equal(trio_equalities(&(Trio){.kind = {B, B, B}, .bound = {3, 3, 3}, .skew = 0.5}), 6);
  /* Nor has a compliance; that of the others goes along. */
  assert_int_equal(
      trio_equalities(&(Trio){.kind = {C, C, B}, .bound = {3, 3, 3}, .compliance = -0.5}), 0);
  assert_int_equal(
      trio_equalities(&(Trio){.kind = {C, C, B}, .bound = {3, 3, 3}, .compliance = 0.5}), 2);
  assert_true(has(PATH, "fclib_local/slipcone_laws/compliance"));
}

/* ---- Refused ------------------------------------------------------------------------------ */

static const EqualityCase *joint = &equality_cases[3]; /* 3D, 3 equalities */

static void test_missing_parts(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
  } local[] = {{"fclib_local/V", "fclib_local/V is missing, but there is fclib_local/vectors/s"},
               {"fclib_local/R", "fclib_local/R is missing, but there is fclib_local/vectors/s"},
               {"fclib_local/vectors/s",
                "fclib_local/vectors/s is missing, but there is fclib_local/R: equality "
                "constraints need V, R and vectors/s"}},
    global[] = {{"fclib_global/G",
                 "fclib_global/G is missing, but there is fclib_global/vectors/b: equality "
                 "constraints need G and vectors/b"},
                {"fclib_global/vectors/b", "vectors/b is missing, but there is fclib_global/G"}};
  for (size_t k = 0; k < 3; k++) {
    equality_write(PATH, joint, SLIP_FORM_LOCAL);
    h5_edit_remove(PATH, local[k].name);
    assert_refused(PATH, SLIP_ERROR_FORMAT, local[k].text);
  }
  for (size_t k = 0; k < 2; k++) {
    equality_write(PATH, joint, SLIP_FORM_GLOBAL);
    h5_edit_remove(PATH, global[k].name);
    assert_refused(PATH, SLIP_ERROR_FORMAT, global[k].text);
  }
}

static void test_wrong_sizes(void **state) {
  (void)state;
  const double ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  equality_write(PATH, joint, SLIP_FORM_LOCAL);
  h5_edit_reals(PATH, "fclib_local/vectors/s", 4, ones);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/V is 3 x 3, expected 3 x 4");
  equality_put_matrix(PATH, "fclib_local/V", 3, 4, ones);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/R is 3 x 3, expected 4 x 4");
  equality_write(PATH, joint, SLIP_FORM_LOCAL);
  equality_put_matrix(PATH, "fclib_local/V", 4, 3, ones);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/V is 4 x 3, expected 3 x 3");
  h5_edit_ints(PATH, "fclib_local/V/m", 1, (int32_t[]){INT32_MAX});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/V is 2147483647 x 3, expected 3 x 3");
  equality_write(PATH, joint, SLIP_FORM_GLOBAL);
  h5_edit_ints(PATH, "fclib_global/G/m", 1, (int32_t[]){5});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_global/G is 5 x 3, expected 6 x 3");
  equality_write(PATH, joint, SLIP_FORM_GLOBAL);
  h5_edit_ints(PATH, "fclib_global/G/i", 5, (int32_t[]){0, 1, 5, 2, 6});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "G");
}

/* A file of some kilobytes that says it has as many equalities as there are numbers. */
static void test_announced_but_not_there(void **state) {
  (void)state;
  const int64_t sizes[] = {1LL << 40, INT32_MAX, 1 << 20};
  const char *const texts[] = {"vectors/b has 1099511627776 values, at most 2147483647 are read",
                               "vectors/b has 2147483647 values that were never written",
                               "vectors/b has 1048576 values that were never written"};
  equality_write(PATH, joint, SLIP_FORM_GLOBAL);
  for (int k = 0; k < 3; k++) {
    h5_edit_announce(PATH, "fclib_global/vectors/b", sizes[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, texts[k]);
  }
}

static void test_wrong_values(void **state) {
  (void)state;
  equality_write(PATH, joint, SLIP_FORM_LOCAL);
  h5_edit_reals(PATH, "fclib_local/vectors/s", 3, (double[]){0, NAN, 0});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "s[1] is nan");
  equality_write(PATH, joint, SLIP_FORM_LOCAL);
  h5_edit_reals(PATH, "fclib_local/R/x", 3, (double[]){1, 1, -INFINITY});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "R(2, 2) is -inf");
  equality_write(PATH, joint, SLIP_FORM_GLOBAL);
  h5_edit_reals(PATH, "fclib_global/vectors/b", 3, (double[]){0, 0, INFINITY});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "b[2] is inf");
  equality_write(PATH, joint, SLIP_FORM_GLOBAL);
  h5_edit_ints(PATH, "fclib_global/vectors/b", 3, (int32_t[3]){0});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_global/vectors/b holds integers of 4 bytes");
}

static void test_wrong_grouping(void **state) {
  (void)state;
  const char *name = "fclib_global/vectors/slipcone_equality_bound";
  equality_write(PATH, joint, SLIP_FORM_GLOBAL);
  h5_edit_ints(PATH, name, 2, (int32_t[]){1, 8});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "slipcone_equality_bound: value 1 is 8, expected 0 to 7");
  h5_edit_ints(PATH, name, 2, (int32_t[]){-1, 1});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "value 0 is -1");
  h5_edit_ints(PATH, name, 2, (int32_t[]){3, 6});
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "binds 4 components at 2 contacts, but there are 3 equality constraints");
  h5_edit_ints(PATH, name, 0, NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "binds 0 components at 0 contacts");
  h5_edit_ints(PATH, name, 3, (int32_t[]){4, 2, 1});
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_int_equal(slip_problem_contacts(file->problem), 4);
  assert_true(file->solution->r[3 + 2] == joint->l[0]);
  assert_true(file->solution->r[3 + 4] == joint->l[1]);
  assert_true(file->solution->r[3 + 6] == joint->l[2]);
  slip_file_free(file);
}

static void test_wrong_solutions(void **state) {
  (void)state;
  equality_write(PATH, joint, SLIP_FORM_LOCAL);
  h5_edit_reals(PATH, "solution/l", 4, (double[4]){0});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/l has 4 values, expected 3");
  h5_edit_remove(PATH, "solution/l");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/l is missing");
  /* libfclib writes a NULL vector so. */
  h5_edit_reals(PATH, "solution/l", 3, NULL);
  SlipFile *file = small_read(PATH, SLIP_WANT_ANY);
  assert_null(file->solution);
  assert_int_equal(file->guess_count, 1);
  slip_file_free(file);
  h5_edit_remove(PATH, "guesses/1/l");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "guesses/1/l is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_become_contacts),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_written_as_read),
      cmocka_unit_test(test_reduced),
      cmocka_unit_test(test_which_contacts_are_equalities),
      cmocka_unit_test(test_missing_parts),
      cmocka_unit_test(test_wrong_sizes),
      cmocka_unit_test(test_announced_but_not_there),
      cmocka_unit_test(test_wrong_values),
      cmocka_unit_test(test_wrong_grouping),
      cmocka_unit_test(test_wrong_solutions),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(PATH);
  remove(COPY);
  return failed;
}
