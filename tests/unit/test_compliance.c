/* Compliance of contacts: every method on u = W r + C r + q makes the iterates it makes on the
 * matrix W + C, whatever form W has. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "base/random.h"
#include "bodies_case.h"
#include "bodies_data.h"
#include "compare.h"
#include "compliance_case.h"
#include "data.h"
#include "reference.h"
#include "solving.h"

enum { CONTACTS = 8, VALUES_MOST = 3 * 64, STARTS = 6 };
static const double SAME = 1e-12;
static const char FILE_NAME[] = "test_compliance.hdf5";

static double distance(const double *a, const double *b, int32_t m) {
  double difference = 0, size = 0;
  for (int32_t k = 0; k < m; k++) {
    difference = fmax(difference, fabs(a[k] - b[k]));
    size = fmax(size, fabs(b[k]));
  }
  return size > 0 ? difference / size : difference;
}

static int32_t size_of(const SlipProblem *problem) {
  return slip_problem_dimension(problem) * slip_problem_contacts(problem);
}

/* A problem with compliance, and the one whose W it is part of. */
typedef struct Pair {
  SlipProblem *soft, *sum;
  double start[STARTS][VALUES_MOST]; /* any impulses: at 0 rounding decides about signs */
} Pair;

static void open_pair(Pair *pair, const SlipProblem *problem, int rank) {
  double *C = random_compliance(problem, rank, 3);
  int32_t d = slip_problem_dimension(problem);
  SlipiRandom random;
  pair->soft = give_compliance(problem, C);
  pair->sum = assemble_compliance(problem, C);
  free(C);
  assert_true(size_of(problem) <= VALUES_MOST);
  slipi_random_seed(&random, 9);
  for (int32_t k = 0; k < STARTS * VALUES_MOST; k++)
    pair->start[k / VALUES_MOST][k % VALUES_MOST] =
        (k % VALUES_MOST % d == 0) + 0.3 * slipi_random_normal(&random);
}

static void close_pair(Pair *pair) {
  slip_problem_free(pair->soft);
  slip_problem_free(pair->sum);
}

static bool accepts(const SlipProblem *problem, const char *method, const char *form) {
  SlipSettings *settings;
  SlipSolver *solver = NULL;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "operator", form, NULL), SLIP_OK);
  SlipStatus status = slip_solver_create(problem, settings, &solver, NULL);
  slip_solver_free(solver);
  slip_settings_free(settings);
  return status == SLIP_OK;
}

/* Newton after a hundred iterations of another method: a few will do. */
static const char *shortened(const char *method) {
  const SlipMethodInfo *info = slip_method_find(method);
  for (int k = 0; k < info->option_count; k++) {
    if (!strcmp(info->options[k].name, "first"))
      return " first=3";
  }
  return "";
}

/* How far the two runs of a method from one of the starts are from each other. */
static double runs_apart(const Pair *pair, const char *method, const char *form, const char *limits,
                         int start) {
  char options[96], plain[64];
  snprintf(plain, sizeof plain, "%s%s", limits, shortened(method));
  snprintf(options, sizeof options, "%s operator=%s", plain, form);
  Solved soft = solve_with(pair->soft, method, options, pair->start[start]);
  Solved sum = solve_with(pair->sum, method, plain, pair->start[start]);
  double apart = distance(soft.r, sum.r, size_of(pair->sum));
  free(soft.r);
  free(sum.r);
  return apart;
}

typedef struct Count {
  int tried, later; /* later: the same after five iterations as well */
} Count;

/* The same after an iteration. Newton's may be on a matrix whose condition is above 1e4, which
 * another start helps; ppa-nsn-nm's are whole runs of a method that goes from kink to kink, on
 * which rounding decides: there it is the solutions that are the same. */
static void check_method(const Pair *pair, const char *kind, const char *method, const char *form,
                         Count *count) {
  bool refused = !accepts(pair->soft, method, form);
  if (refused && strcmp(form, "auto") != 0)
    return;
  if (refused) {
    assert_false(accepts(pair->sum, method, "auto"));
    return;
  }
  double apart = INFINITY;
  for (int start = 0; start < STARTS && apart > SAME; start++)
    apart = fmin(apart, runs_apart(pair, method, form, "tol=0 max-iter=1", start));
  for (int start = 0; start < STARTS && apart > SAME; start++)
    apart = fmin(apart, runs_apart(pair, method, form, "tol=1e-14 max-iter=3000", start));
  if (apart > SAME)
    fail_msg("%s on %s in %dD, %s operator: %.2g apart", method, kind,
             (int)slip_problem_dimension(pair->sum), form, apart);
  count->tried++;
  count->later += runs_apart(pair, method, form, "tol=0 max-iter=5", 0) <= SAME;
}

static void check_methods(const SlipProblem *problem, const char *kind, int rank, const char *form,
                          Count *count) {
  const SlipMethodInfo *method;
  Pair pair;
  open_pair(&pair, problem, rank);
  for (int k = 0; (method = slip_method_info(k)); k++)
    check_method(&pair, kind, method->name, form, count);
  close_pair(&pair);
}

static void each_built_in(void (*visit)(const SlipProblem *problem, const char *kind, void *user),
                          void *user) {
  for (int g = 0; g < slip_generate_count(); g++) {
    const char *kind = slip_generate_info(g)->name;
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_small(kind, CONTACTS, d);
      if (problem)
        visit(problem, kind, user);
      slip_problem_free(problem);
    }
  }
}

static void check_ranks(const SlipProblem *problem, const char *kind, void *user) {
  check_methods(problem, kind, slip_problem_dimension(problem), "auto", user);
  check_methods(problem, kind, 1, "auto", user);
}

static void test_every_method_on_every_problem(void **state) {
  (void)state;
  Count count = {0};
  each_built_in(check_ranks, &count);
  assert_true(count.tried > 5000);
  assert_true(count.later > 0.95 * count.tried);
}

static void check_operators(const SlipProblem *problem, const char *kind, void *user) {
  static const char *const operators[] = {"dense", "block", "velocity", "factored"};
  for (int k = 0; k < 4; k++)
    check_methods(problem, kind, slip_problem_dimension(problem), operators[k], user);
}

/* Bodies with an unsymmetric M that are pushed about. */
static SlipProblem *skewed_bodies(int32_t dimension) {
  SlipProblem *problem = bodies_problem(dimension, 5, 6, CONTACTS, 0.2), *made;
  SlipGlobalData data = slip_default_global_data();
  double w[VALUES_MOST];
  SlipiRandom random;
  slipi_random_seed(&random, 4);
  for (int32_t k = 0; k < VALUES_MOST; k++)
    w[k] = slipi_random_normal(&random) - 0.5 * (k % dimension == 0);
  assert_int_equal(slip_problem_global_data(problem, &data, NULL), SLIP_OK);
  data.w = w;
  assert_int_equal(slip_problem_create_global(&data, &made, NULL), SLIP_OK);
  slip_problem_free(problem);
  return made;
}

static void test_every_operator(void **state) {
  (void)state;
  static const char *const kinds[] = {"pile", "unsymmetric", "elastic", "mixed"};
  Count count = {0};
  for (int32_t d = 2; d <= 3; d++) {
    for (int k = 0; k < 4; k++) {
      SlipProblem *problem = generate_small(kinds[k], CONTACTS, d);
      check_operators(problem, kinds[k], &count);
      slip_problem_free(problem);
    }
    SlipProblem *skewed = skewed_bodies(d);
    check_operators(skewed, "bodies with an unsymmetric M", &count);
    slip_problem_free(skewed);
  }
  assert_true(count.tried > 1000);
}

/* Told body by body: the same bits as the global form, before and after other data come in. */
static void test_bodies_form(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_problem("pile", 40, d, NULL), *made, *global;
    double *C = random_compliance(problem, 2, 3);
    SlipProblem *soft = give_compliance(problem, C);
    BodiesData bodies;
    bodies_data_of(problem, &bodies);
    assert_int_equal(slip_problem_create_bodies(&bodies.data, &made, NULL), SLIP_OK);
    bodies.data.compliance = C;
    assert_int_equal(slip_problem_set_bodies(made, &bodies.data, NULL), SLIP_OK);
    assert_int_equal(slip_problem_assemble(made, &global, NULL), SLIP_OK);
    Solved with = solve_with(made, "nsgs", "tol=0 max-iter=20 operator=velocity", NULL);
    Solved expected = solve_with(soft, "nsgs", "tol=0 max-iter=20 operator=velocity", NULL);
    Solved again = solve_with(global, "nsgs", "tol=0 max-iter=20 operator=velocity", NULL);
    assert_memory_equal(with.r, expected.r, (size_t)size_of(soft) * sizeof(double));
    assert_memory_equal(again.r, expected.r, (size_t)size_of(soft) * sizeof(double));
    C[1] = 7; /* no longer symmetric */
    assert_int_equal(slip_problem_set_bodies(made, &bodies.data, NULL), SLIP_ERROR_PROBLEM);
    free(with.r);
    free(expected.r);
    free(again.r);
    free(C);
    bodies_data_free(&bodies);
    slip_problem_free(problem);
    slip_problem_free(soft);
    slip_problem_free(made);
    slip_problem_free(global);
  }
}

/* Sweeps over bodies that are inlined, with momentum of each kind. */
static void test_large_pile(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", 2500, 3, NULL);
  double *C = random_compliance(problem, 2, 3);
  SlipProblem *soft = give_compliance(problem, C);
  expect_solved(soft, "pile", "nsgs-accelerated", "tol=1e-6 order=chunks operator=velocity", 1e-6);
  expect_solved(soft, "pile", "nsgs", "tol=1e-6 order=chunks operator=velocity", 1e-6);
  expect_solved(soft, "pile", "auto", "tol=1e-8", 1e-8);
  free(C);
  slip_problem_free(problem);
  slip_problem_free(soft);
}

/* A compliance of 0 is none. */
static void check_zero(const SlipProblem *problem, const char *kind, void *user) {
  (void)user;
  (void)kind;
  double zero[VALUES_MOST * 3] = {0}, start[VALUES_MOST];
  for (int32_t k = 0; k < VALUES_MOST; k++)
    start[k] = 1 + sin(k);
  SlipProblem *same = give_compliance(problem, zero);
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++) {
    if (!accepts(problem, method->name, "auto"))
      continue;
    Solved with = solve_with(same, method->name, "tol=1e-3 max-iter=2", start);
    Solved without = solve_with(problem, method->name, "tol=1e-3 max-iter=2", start);
    assert_int_equal(with.iterations, without.iterations);
    assert_memory_equal(with.r, without.r, (size_t)size_of(problem) * sizeof(double));
    free(with.r);
    free(without.r);
  }
  slip_problem_free(same);
}

static void test_zero_is_none(void **state) {
  (void)state;
  each_built_in(check_zero, NULL);
}

/* ---- What else knows of compliance ------------------------------------------------------- */

static void check_velocity(const SlipProblem *problem, const char *kind, void *user) {
  (void)kind;
  (void)user;
  Pair pair;
  double u[VALUES_MOST], expected[VALUES_MOST], error, wanted;
  open_pair(&pair, problem, 1);
  assert_int_equal(slip_problem_velocity(pair.soft, pair.start[0], u, NULL, NULL), SLIP_OK);
  assert_int_equal(reference_velocity(pair.sum, pair.start[0], expected), 0);
  assert_true(distance(u, expected, size_of(problem)) < SAME);
  assert_int_equal(reference_velocity(pair.soft, pair.start[0], expected), 0);
  assert_true(distance(u, expected, size_of(problem)) < SAME);
  assert_int_equal(slip_problem_residual(pair.soft, pair.start[0], &error, NULL, NULL), SLIP_OK);
  assert_int_equal(slip_problem_residual(pair.sum, pair.start[0], &wanted, NULL, NULL), SLIP_OK);
  assert_true(fabs(error - wanted) <= SAME * wanted);
  close_pair(&pair);
}

static void test_velocity_and_residual(void **state) {
  (void)state;
  each_built_in(check_velocity, NULL);
}

static void check_features(const SlipProblem *problem, const char *kind, void *user) {
  (void)kind;
  (void)user;
  Pair pair;
  SlipFeatures soft = slip_default_features(), sum = slip_default_features();
  open_pair(&pair, problem, slip_problem_dimension(problem));
  assert_int_equal(slip_problem_features(pair.soft, &soft, NULL), SLIP_OK);
  assert_int_equal(slip_problem_features(pair.sum, &sum, NULL), SLIP_OK);
  assert_int_equal(soft.rank, sum.rank);
  assert_true(fabs(soft.norm - sum.norm) <= SAME * sum.norm);
  close_pair(&pair);
}

static void test_features(void **state) {
  (void)state;
  each_built_in(check_features, NULL);
}

static SlipAnswer answer_of(const SlipProblem *problem) {
  SlipCheck *check;
  SlipCheckOptions options = slip_default_check_options();
  options.solve = 0;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  SlipAnswer answer = check->answer;
  slip_check_free(check);
  return answer;
}

/* Every contact gives way in this direction only. */
static double *along(const SlipProblem *problem, int component) {
  int32_t d = slip_problem_dimension(problem), nc = slip_problem_contacts(problem);
  double *C = calloc((size_t)nc * 9, sizeof *C);
  assert_non_null(C);
  for (int32_t a = 0; a < nc; a++)
    C[(int64_t)a * d * d + component * d + component] = 0.1;
  return C;
}

/* Walls that crush what is between them find room where contacts give way along their normal, and
 * none where they only give way along the walls. */
static void test_existence(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_small("crushed", CONTACTS, d), *reduced;
    assert_non_null(problem);
    assert_int_equal(answer_of(problem), SLIP_ANSWER_NO);
    for (int component = 0; component < 2; component++) {
      double *C = along(problem, component);
      SlipProblem *soft = give_compliance(problem, C), *sum = assemble_compliance(problem, C);
      SlipAnswer expected = component == 0 ? SLIP_ANSWER_YES : SLIP_ANSWER_NO;
      assert_int_equal(answer_of(soft), expected);
      assert_int_equal(answer_of(sum), expected);
      assert_int_equal(slip_problem_reduce(soft, &reduced, NULL), SLIP_OK);
      assert_int_equal(answer_of(reduced), expected);
      slip_problem_free(reduced);
      slip_problem_free(soft);
      slip_problem_free(sum);
      free(C);
    }
    slip_problem_free(problem);
  }
}

/* The enumeration of the few contacts that can be enumerated is of W + C. */
static void test_enumeration(void **state) {
  (void)state;
  SlipProblem *problem = generate_small("painleve", CONTACTS, 2);
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *soft, *sum;
  Pair pair;
  open_pair(&pair, problem, 2);
  options.enumerate = 1;
  assert_int_equal(slip_check(pair.soft, &options, &soft, NULL), SLIP_OK);
  assert_int_equal(slip_check(pair.sum, &options, &sum, NULL), SLIP_OK);
  assert_true(soft->enumerated && sum->enumerated && sum->found_count > 0);
  assert_int_equal(soft->found_count, sum->found_count);
  for (int k = 0; k < sum->found_count; k++)
    assert_true(distance(soft->found[k].r, sum->found[k].r, size_of(problem)) < 1e-10);
  slip_check_free(soft);
  slip_check_free(sum);
  close_pair(&pair);
  slip_problem_free(problem);
}

/* ---- Data -------------------------------------------------------------------------------- */

static const double *compliance_of(const SlipProblem *problem) {
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  if (slip_problem_form(problem) == SLIP_FORM_LOCAL) {
    assert_int_equal(slip_problem_local_data(problem, &local, NULL), SLIP_OK);
    return local.compliance;
  }
  assert_int_equal(slip_problem_global_data(problem, &global, NULL), SLIP_OK);
  return global.compliance;
}

static void check_data(const SlipProblem *problem, const char *kind, void *user) {
  (void)kind, (void)user;
  size_t bytes = (size_t)size_of(problem) * (size_t)slip_problem_dimension(problem) * 8;
  double *C = random_compliance(problem, 2, 3);
  SlipProblem *soft = give_compliance(problem, C), *reduced;
  SlipFile *file;
  SlipWrite write = *WRITE(.problem = soft);
  assert_null(compliance_of(problem));
  assert_memory_equal(compliance_of(soft), C, bytes);
  if (slip_problem_form(soft) == SLIP_FORM_GLOBAL) {
    assert_int_equal(slip_problem_reduce(soft, &reduced, NULL), SLIP_OK);
    assert_memory_equal(compliance_of(reduced), C, bytes);
    slip_problem_free(reduced);
  }
  assert_int_equal(slip_file_write(FILE_NAME, &write, NULL), SLIP_OK);
  assert_int_equal(slip_file_read(FILE_NAME, SLIP_WANT_ANY, &file, NULL), SLIP_OK);
  assert_same_problem(file->problem, soft);
  assert_memory_equal(compliance_of(file->problem), C, bytes);
  slip_file_free(file);
  slip_problem_free(soft);
  free(C);
}

static void test_data_and_files(void **state) {
  (void)state;
  each_built_in(check_data, NULL);
}

/* A teardown also runs after a failed assertion: no file is left behind. */
static int remove_file(void **state) {
  (void)state;
  remove(FILE_NAME);
  return 0;
}

static void expect_refused(const double C[9], const char *sentence) {
  static const double W[36] = {2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,
                               0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2};
  static const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
  double both[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  SlipProblem *problem;
  SlipError error;
  memcpy(both + 9, C, 9 * sizeof *C);
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 2, .W = slip_dense(6, 6, W), .q = q,
                                  .laws = LAWS(.mu = mu), .compliance = both);
  assert_int_equal(slip_problem_create_local(&data, &problem, &error), SLIP_ERROR_PROBLEM);
  assert_null(problem);
  assert_string_equal(error.text, sentence);
}

static void test_refusals(void **state) {
  (void)state;
  expect_refused((const double[9]){1, 0, 0, 0, NAN, 0, 0, 0, 1},
                 "the compliance of contact 1 has the entry (1, 1) nan, which is not a finite "
                 "number");
  expect_refused((const double[9]){1, 0.25, 0, 0, 1, 0, 0, 0, 1},
                 "the compliance of contact 1 is not symmetric: its entries (1, 0) and (0, 1) are "
                 "0 and 0.25");
  expect_refused((const double[9]){1, 0, 2, 0, 1, 0, 2, 0, 1},
                 "the compliance of contact 1 is not positive semidefinite: it has the eigenvalue "
                 "-1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method_on_every_problem),
      cmocka_unit_test(test_every_operator),
      cmocka_unit_test(test_bodies_form),
      cmocka_unit_test(test_large_pile),
      cmocka_unit_test(test_zero_is_none),
      cmocka_unit_test(test_velocity_and_residual),
      cmocka_unit_test(test_features),
      cmocka_unit_test(test_existence),
      cmocka_unit_test(test_enumeration),
      cmocka_unit_test_teardown(test_data_and_files, remove_file),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
