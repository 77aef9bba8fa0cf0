/* Tresca's law as a user meets it: problems with a known solution by every method that takes it,
 * refusals by the others, files, the existence check, updates. */
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
#include <slipcone/io.h>

#include "base/random.h"
#include "compare.h"
#include "data.h"
#include "reference.h"
#include "small_files.h"
#include "solving.h"

/* Beside Tresca's contacts every third is what it was in the problem the matrix is from. */
static bool is_tresca(int32_t a) {
  return a % 3 != 0;
}

/* r and u of one of Tresca's contacts, by its definition: open or closed, sticking or sliding. */
static void choose(SlipiRandom *random, int32_t a, int d, double radius, double *r, double *u) {
  bool closed = a % 2 == 0, slides = a % 5 < 2;
  double direction[2] = {slipi_random_between(random, -1, 1), slipi_random_between(random, -1, 1)};
  double size = d == 3 ? hypot(direction[0], direction[1]) : fabs(direction[0]);
  double share = slides ? 1 : slipi_random_between(random, 0, 0.9);
  double speed = slides ? slipi_random_between(random, 0.1, 1) : 0;
  r[0] = closed ? slipi_random_between(random, 0.1, 1) : 0;
  u[0] = closed ? 0 : slipi_random_between(random, 0.1, 1);
  for (int k = 1; k < d; k++) {
    r[k] = share * radius * direction[k - 1] / size;
    u[k] = -speed * direction[k - 1] / size;
  }
}

/* The problem of a kind with most contacts Tresca's and another q, so that *known solves it. */
static SlipProblem *make(const char *kind, int32_t contacts, int32_t d, double **known) {
  SlipProblem *plain = generate_problem(kind, contacts, d, known), *made;
  SlipLocalData data = slip_default_local_data();
  SlipiRandom random;
  size_t nc = (size_t)contacts, m = nc * (size_t)d;
  double *u = calloc(m, sizeof *u), *q = calloc(m, sizeof *q);
  double *radius = calloc(nc, sizeof *radius);
  int32_t *law = calloc(nc, sizeof *law);
  SlipLaws laws = *laws_of_problem(plain);
  slipi_random_seed(&random, 5);
  assert_int_equal(reference_velocity(plain, *known, u), 0);
  for (int32_t a = 0; a < contacts; a++) {
    law[a] = is_tresca(a) ? SLIP_TRESCA : laws.kind[a];
    radius[a] = slipi_random_between(&random, 0.1, 0.5);
    if (is_tresca(a))
      choose(&random, a, d, radius[a], *known + (size_t)d * (size_t)a, u + (size_t)d * (size_t)a);
  }
  assert_int_equal(slip_problem_local_data(plain, &data, NULL), SLIP_OK);
  for (size_t i = 0; i < m; i++) {
    q[i] = u[i];
    for (int32_t k = data.W.p[i]; k < data.W.p[i + 1]; k++)
      q[i] -= data.W.x[k] * (*known)[data.W.i[k]];
  }
  laws.kind = law;
  laws.radius = radius;
  data.laws = &laws;
  data.q = q;
  assert_int_equal(slip_problem_create_local(&data, &made, NULL), SLIP_OK);
  assert_true(reference_error(made, *known) < 1e-14);
  slip_problem_free(plain);
  free(u);
  free(q);
  free(radius);
  free(law);
  return made;
}

static void expect_known(const SlipProblem *problem, const double *known, const char *method) {
  Solved run = solve_with(problem, method, "tol=1e-7 max-iter=50000", NULL);
  size_t m = (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
  if (run.outcome != SLIP_SOLVED || !(run.reference <= 1.01e-7))
    fail_msg("%s: %s, error %g, reference %g (%s)", method, slip_outcome_name(run.outcome),
             run.error, run.reference, run.reason);
  for (size_t k = 0; k < m; k++)
    if (fabs(run.r[k] - known[k]) > 1e-3)
      fail_msg("%s: r[%d] is %g, not %g", method, (int)k, run.r[k], known[k]);
  free(run.r);
}

static void expect_refused(const SlipProblem *problem, const char *method) {
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  bool relaxes = slip_method_find(method)->associated;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  if (!strstr(error.text, method) || !strstr(error.text, "contact 1, whose law is tresca") ||
      !strstr(error.text, relaxes ? "soclcp-nsgs" : "auto, nsgs") ||
      strstr(strchr(error.text, ';'), "ipm"))
    fail_msg("%s", error.text);
  slip_settings_free(settings);
}

/* W is symmetric and positive definite here, so that the solution is the only one where no contact
 * has Coulomb's flow, which the relaxing methods drop. */
static void test_every_method(void **state) {
  (void)state;
  static const char *const kinds[] = {"frictionless", "random", "joints", NULL};
  int solved = 0, refused = 0;
  for (int g = 0; kinds[g]; g++)
    for (int32_t d = 2; d <= 3; d++) {
      double *known;
      SlipProblem *problem = make(kinds[g], 15, d, &known);
      const SlipMethodInfo *method;
      for (int k = 0; (method = slip_method_info(k)); k++) {
        if (!slip_method_takes_law(method, SLIP_TRESCA, SLIP_FLOW_COULOMB)) {
          expect_refused(problem, method->name);
          refused++;
        } else if (slip_method_takes_dimension(method, d) && (g == 0 || !method->associated)) {
          expect_known(problem, known, method->name);
          solved++;
        }
      }
      free(known);
      slip_problem_free(problem);
    }
  assert_true(solved > 6 * 30 && refused >= 6 * 8);
}

static void test_who_takes_it(void **state) {
  (void)state;
  static const char *const can[] = {"auto",      "nsgs",   "psor",      "fp-vi-upk",
                                    "eg-vi-upk", "nsn-nm", "nsn-nm-gp", NULL};
  static const char *const cannot[] = {"ipm", "arc", "pana", "soclcp-faceted", "aclm-ipm", NULL};
  for (int k = 0; can[k]; k++)
    assert_true(slip_method_takes_law(slip_method_find(can[k]), SLIP_TRESCA, SLIP_FLOW_ASSOCIATED));
  for (int k = 0; cannot[k]; k++)
    assert_false(
        slip_method_takes_law(slip_method_find(cannot[k]), SLIP_TRESCA, SLIP_FLOW_ASSOCIATED));
  assert_false(slip_law_flows(SLIP_TRESCA));
}

/* More contacts than auto leaves to its method for a few, and so badly conditioned that its plan
 * goes on to factorisations: the stages that cannot treat the law are left out. */
static void test_auto_leaves_stages_out(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = make("ill", 60, 3, &known);
  Solved run = solve_with(problem, "auto", "tol=1e-9", NULL);
  if (run.outcome != SLIP_SOLVED || run.reference > 1.01e-9)
    fail_msg("%s, error %g (%s)", slip_outcome_name(run.outcome), run.reference, run.reason);
  assert_non_null(strstr(run.reason, "alm"));
  assert_null(strstr(run.reason, "ipm"));
  assert_null(strstr(run.reason, "arc"));
  free(run.r);
  free(known);
  slip_problem_free(problem);
}

/* The relaxation drops Coulomb's flow and leaves Tresca's contacts alone. */
static void test_relaxed_beside_coulomb(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = make("random", 15, 3, &known);
  expect_solved(problem, "tresca and coulomb", "soclcp-nsgs", "tol=1e-8", 1e-8);
  expect_solved(problem, "tresca and coulomb", "apgd", "tol=1e-8", 1e-8);
  free(known);
  slip_problem_free(problem);
}

static void test_files(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = make("joints", 12, 3, &known);
  small_write("test_law_tresca.hdf5", WRITE(.problem = problem));
  SlipFile *file = small_read("test_law_tresca.hdf5", SLIP_WANT_ANY);
  remove("test_law_tresca.hdf5");
  assert_same_problem(file->problem, problem);
  slip_file_free(file);
  free(known);
  slip_problem_free(problem);
}

/* K is no cone: the criterion says so, and a solver looks. */
static void test_check(void **state) {
  (void)state;
  double *known;
  SlipCheck *check;
  SlipProblem *problem = make("random", 12, 2, &known);
  assert_int_equal(slip_check(problem, NULL, &check, NULL), SLIP_OK);
  assert_int_equal(check->answer, SLIP_ANSWER_YES);
  assert_int_equal(check->ground, SLIP_CHECK_BY_SOLVING);
  assert_non_null(strstr(check->reason, "Contact 1 has the law tresca"));
  assert_true(reference_error(problem, check->found[0].r) < 1e-9);
  slip_check_free(check);
  free(known);
  slip_problem_free(problem);
}

/* Status, gap and error of a result; then a q that opens everything. */
static void test_result(void **state) {
  (void)state;
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, radius = 0.25;
  double q[3] = {-2, 3, -4};
  const int32_t law = SLIP_TRESCA;
  SlipLaws laws = slip_default_laws();
  SlipLocalData data = slip_default_local_data();
  SlipUpdate update = slip_default_update();
  SlipProblem *problem;
  SlipSolver *solver;
  laws.kind = &law;
  laws.radius = &radius;
  data.dimension = 3;
  data.contacts = 1;
  data.W = slip_dense(3, 3, W);
  data.q = q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_float_equal(result->r[0], 2, 1e-12);
  assert_float_equal(result->r[1], -0.25 * 0.6, 1e-12);
  assert_float_equal(result->r[2], 0.25 * 0.8, 1e-12);
  assert_true(fabs(result->gap) < 1e-12);
  assert_int_equal(result->slip, 1);
  q[0] = 1; /* open, and the tangents still rub */
  update.q = q;
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_float_equal(result->r[1], -0.25 * 0.6, 1e-12);
  assert_int_equal(result->open, 1);
  q[1] = q[2] = 0;
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_true(result->r[0] == 0 && result->r[1] == 0 && result->r[2] == 0);
  assert_int_equal(result->iterations, 0);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method),
      cmocka_unit_test(test_who_takes_it),
      cmocka_unit_test(test_auto_leaves_stages_out),
      cmocka_unit_test(test_relaxed_beside_coulomb),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_result),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
