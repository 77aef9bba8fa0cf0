/* Neither the unit of mass nor that of time matters: problems multiplied by powers of two give the
 * same bits but for the exponents, by powers of ten the same result, however large; and data from
 * one end of the range of double to the other are solved, or the result says why not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bodies_data.h"
#include "compliance_case.h"
#include "data.h"
#include "physical.h"
#include "reference.h"
#include "solving.h"
#include "units_case.h"

/* A typical W beyond this is taken in other units, q too (contact/units.h). */
static const double FAR_W = 0x1p40;

static SlipSolver *make_solver(const SlipProblem *problem, const char *method, const char *tol,
                               const char *most) {
  SlipSettings *settings;
  SlipSolver *solver = NULL;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", tol, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", most, NULL), SLIP_OK);
  SlipStatus status = slip_solver_create(problem, settings, &solver, NULL);
  slip_settings_free(settings);
  assert_true(status == SLIP_OK || status == SLIP_ERROR_MISMATCH);
  return solver;
}

static void assert_times(const double *x, const double *y, int32_t count, double a, double b) {
  for (int32_t k = 0; k < count; k++)
    assert_true(y[k] == x[k] * a * b);
}

/* The result y of a problem that has W times `W` and q times `q`. */
static void assert_same(const SlipResult *x, const SlipResult *y, double W, double q) {
  int32_t m = x->dimension * x->contacts;
  assert_int_equal(x->outcome, y->outcome);
  assert_int_equal(x->iterations, y->iterations);
  assert_true(x->residual == y->residual || (isnan(x->residual) && isnan(y->residual)));
  assert_true(x->physical == y->physical || (isnan(x->physical) && isnan(y->physical)));
  assert_true(x->floor == y->floor || (isnan(x->floor) && isnan(y->floor)));
  assert_true(y->residual_scale == x->residual_scale * q);
  assert_times(x->r, y->r, m, q, 1 / W);
  assert_times(x->u, y->u, m, q, 1);
  if (x->v)
    assert_times(x->v, y->v, x->dof, q, 1);
  assert_memory_equal(x->status, y->status, (size_t)x->contacts * sizeof *x->status);
  assert_memory_equal(x->contact_residual, y->contact_residual,
                      (size_t)x->contacts * sizeof(double));
}

static void run(SlipSolver *solver) {
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
}

/* Powers of two, from a problem whose unit of W is far off, and is therefore changed, to the
 * others. */
static void compare_units(const SlipProblem *problem, const char *method) {
  static const double factors[][2] = {{0x1p-82, 1},  {0x1p400, 1}, {1, 0x1p40},
                                      {1, 0x1p-400}, {1, 0x1p400}, {0x1p-500, 0x1p-450}};
  SlipProblem *far = problem_in_units(problem, FAR_W, 1);
  SlipSolver *first = make_solver(far, method, "1e-8", "40");
  for (size_t k = 0; first && k < sizeof factors / sizeof *factors; k++) {
    double W = factors[k][0], q = factors[k][1];
    SlipProblem *other = problem_in_units(far, W, q);
    SlipSolver *solver = make_solver(other, method, "1e-8", "40");
    run(first);
    run(solver);
    assert_same(slip_solver_result(first), slip_solver_result(solver), W, q);
    slip_solver_free(solver);
    slip_problem_free(other);
  }
  slip_solver_free(first);
  slip_problem_free(far);
}

static void test_every_method(void **state) {
  static const char *const kinds[] = {"wall", "random", "pile"};
  (void)state;
  for (int i = 0; i < slip_method_count(); i++) {
    SlipProblem *problem = generate_problem(kinds[i % 3], 8, 3, NULL);
    compare_units(problem, slip_method_info(i)->name);
    slip_problem_free(problem);
  }
}

static void visit_powers_of_two(const SlipProblem *problem, const char *kind) {
  (void)kind;

  compare_units(problem, "auto");
}

static void test_built_in_powers_of_two(void **state) {
  (void)state;
  each_built_in_problem(12, visit_powers_of_two);
}

/* Powers of ten round every number. Those of W are all far from what is solved as it is given. */
static void visit_powers_of_ten(const SlipProblem *problem, const char *kind) {
  static const double factors[][2] = {{1e-12, 1},     {1e150, 1},     {1e-150, 1},
                                      {1e12, 1e12},   {1e12, 1e-12},  {1e12, 1e150},
                                      {1e12, 1e-150}, {1e150, 1e150}, {1e-150, 1e-150}};
  SlipProblem *far = problem_in_units(problem, 1e12, 1);
  SlipSolver *first = make_solver(far, "auto", "1e-8", "1000");
  run(first);
  const SlipResult *x = slip_solver_result(first);
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    double W = factors[k][0], q = factors[k][1], away = 0;
    SlipProblem *other = problem_in_units(problem, W, q);
    SlipSolver *solver = make_solver(other, "auto", "1e-8", "1000");
    run(solver);
    const SlipResult *y = slip_solver_result(solver);
    for (int32_t j = 0; j < x->dimension * x->contacts; j++)
      away = fmax(away, fabs(y->u[j] / q - x->u[j]));
    if (x->outcome != y->outcome || !(away <= 1e-5 * x->residual_scale) ||
        llabs((long long)(x->iterations - y->iterations)) > 1 + x->iterations / 20)
      fail_msg("%s, W times %g, q times %g: %s after %d iterations, not %s after %d; u %g away",
               kind, W, q, slip_outcome_name(y->outcome), (int)y->iterations,
               slip_outcome_name(x->outcome), (int)x->iterations, away);
    slip_solver_free(solver);
    slip_problem_free(other);
  }
  slip_solver_free(first);
  slip_problem_free(far);
}

static void test_built_in_powers_of_ten(void **state) {
  (void)state;
  each_built_in_problem(12, visit_powers_of_ten);
}

/* As given, and in far units: the units of the error differ by a small factor, and with them the
 * iterations. */
static void visit_given(const SlipProblem *problem, const char *kind) {
  static const double factors[][2] = {{1, 1e12}, {1, 1e-150}, {1e12, 1}, {1e-150, 1e-150}};
  (void)kind;
  SlipSolver *first = make_solver(problem, "auto", "1e-8", "1000");
  run(first);
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    double W = factors[k][0], q = factors[k][1];
    SlipProblem *other = problem_in_units(problem, W, q);
    SlipSolver *solver = make_solver(other, "auto", "1e-8", "1000");
    run(solver);
    const SlipResult *x = slip_solver_result(first), *y = slip_solver_result(solver);
    assert_int_equal(x->outcome, y->outcome);
    for (int32_t j = 0; j < x->dimension * x->contacts; j++)
      assert_true(fabs(y->u[j] / q - x->u[j]) <= 1e-5 * x->residual_scale);
    slip_solver_free(solver);
    slip_problem_free(other);
  }
  slip_solver_free(first);
}

static void test_built_in_as_given(void **state) {
  (void)state;
  each_built_in_problem(12, visit_given);
}

/* Compliance, bounds on friction, sparse factors of M: all of it has units. */
static void test_everything_that_has_units(void **state) {
  (void)state;
  SlipProblem *random = generate_problem("random", 8, 3, NULL);
  double *C = random_compliance(random, 2, 7), radius[8];
  int32_t kind[8];
  for (int k = 0; k < 8; k++) {
    radius[k] = 0.3 + 0.1 * k;
    kind[k] = k % 2 ? SLIP_TRESCA : SLIP_COULOMB;
  }
  SlipLaws laws = *laws_of_problem(random);
  laws.kind = kind;
  laws.radius = radius;
  SlipProblem *compliant = give_compliance(random, C), *bounded = problem_with_laws(random, &laws);
  SlipProblem *elastic = generate_problem("elastic", 8, 3, NULL);
  double *E = random_compliance(elastic, 2, 8);
  SlipProblem *problems[] = {compliant, bounded, elastic, give_compliance(elastic, E)};
  for (int k = 0; k < 4; k++) {
    compare_units(problems[k], "auto");
    compare_units(problems[k], "nsgs");
    slip_problem_free(problems[k]);
  }
  free(C);
  free(E);
  slip_problem_free(random);
}

/* Bodies told one by one. */
static void test_bodies(void **state) {
  (void)state;
  SlipProblem *global = generate_problem("pile", 30, 3, NULL), *first = NULL, *second = NULL;
  BodiesData bodies;
  bodies_data_of(global, &bodies);
  const double M = 0x1p-600, q = 0x1p300; /* W = 1/M */
  assert_int_equal(slip_problem_create_bodies(&bodies.data, &first, NULL), SLIP_OK);
  for (int32_t k = 0; k < 36 * bodies.data.bodies; k++)
    bodies.M[k] *= 0x1p-40;
  for (int32_t k = 0; k < 6 * bodies.data.bodies; k++)
    bodies.f[k] *= 0x1p-40;
  assert_int_equal(slip_problem_set_bodies(first, &bodies.data, NULL), SLIP_OK);
  for (int32_t k = 0; k < 36 * bodies.data.bodies; k++)
    bodies.M[k] *= M;
  for (int32_t k = 0; k < 6 * bodies.data.bodies; k++)
    bodies.f[k] *= M * q;
  for (int32_t k = 0; k < 3 * bodies.data.contacts; k++)
    bodies.w[k] *= q;
  assert_int_equal(slip_problem_create_bodies(&bodies.data, &second, NULL), SLIP_OK);
  SlipSolver *x = make_solver(first, "auto", "1e-8", "1000"),
             *y = make_solver(second, "auto", "1e-8", "1000");
  for (int step = 0; step < 2; step++) { /* the second from the result of the first */
    run(x);
    run(y);
    assert_int_equal(slip_solver_result(x)->outcome, SLIP_SOLVED);
    assert_same(slip_solver_result(x), slip_solver_result(y), 1 / M, q);
    assert_int_equal(slip_solver_warm_start_last(x, NULL), SLIP_OK);
    assert_int_equal(slip_solver_warm_start_last(y, NULL), SLIP_OK);
  }
  /* Another problem with the same contacts, in quite other units. */
  assert_int_equal(slip_solver_set_problem(x, second, NULL), SLIP_OK);
  assert_int_equal(slip_solver_set_problem(x, first, NULL), SLIP_OK);
  run(x);
  run(y);
  assert_int_equal(slip_solver_result(x)->outcome, SLIP_SOLVED);
  slip_solver_free(x);
  slip_solver_free(y);
  slip_problem_free(first);
  slip_problem_free(second);
  bodies_data_free(&bodies);
  slip_problem_free(global);
}

/* A warm start and updates of q and W, each from one unit to another. */
static void test_updates(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 6, 3, NULL);
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  SlipSolver *solver = make_solver(problem, "auto", "1e-8", "1000");
  static const double factors[][2] = {{1, 0x1p300}, {0x1p-200, 1}, {0x1p60, 0x1p-500}, {1, 1}};
  for (int k = 0; k < 4; k++) {
    double W = factors[k][0], q = factors[k][1];
    SlipProblem *other = problem_in_units(problem, W, q);
    SlipLocalData to = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(other, &to, NULL), SLIP_OK);
    assert_int_equal(slip_solver_update(solver, UPDATE(.q = to.q, .W = &to.W), NULL), SLIP_OK);
    SlipSolver *fresh = make_solver(other, "auto", "1e-8", "1000");
    run(solver);
    run(fresh);
    assert_same(slip_solver_result(fresh), slip_solver_result(solver), 1, 1);
    double *r = calloc(18, sizeof *r);
    memcpy(r, slip_solver_result(fresh)->r, 18 * sizeof *r);
    assert_int_equal(slip_solver_warm_start(solver, r, NULL), SLIP_OK);
    run(solver);
    assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
    assert_int_equal(slip_solver_result(solver)->iterations, 0);
    double error;
    assert_int_equal(slip_problem_residual(other, r, &error, NULL, NULL), SLIP_OK);
    assert_true(fabs(error - slip_solver_result(solver)->residual) <= 1e-14);
    free(r);
    slip_solver_free(fresh);
    slip_problem_free(other);
  }
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static SlipProblem *one_contact(double W, double q) {
  const double matrix[9] = {W, 0, 0, 0, W, 0, 0, 0, W}, vector[3] = {-q, 0.7 * q, 0.2 * q};
  const double mu = 0.5;
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, matrix),
                                  .q = vector, .laws = LAWS(.mu = &mu));
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

/* r = -q/W in the normal, mu of it against the slip: to the last digits, after one iteration. */
static void test_one_contact(void **state) {
  static const double sizes[][2] = {{1e-9, 1},   {1e-14, 1},       {1, 1e-20},      {1, 1e-16},
                                    {1, 1e300},  {1e-150, 1},      {1e150, 1e-100}, {1e-3, 1},
                                    {1e12, 1e9}, {1e-290, 1e-290}, {1e290, 1e300}};
  (void)state;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    double W = sizes[k][0], q = sizes[k][1], normal = q / W;
    SlipProblem *problem = one_contact(W, q);
    SlipSolver *solver = make_solver(problem, "auto", "1e-8", "1000");
    run(solver);
    const SlipResult *result = slip_solver_result(solver);
    Physical found;
    assert_int_equal(result->outcome, SLIP_SOLVED);
    assert_int_equal(result->iterations, 1);
    assert_true(result->residual <= 1e-10);
    assert_true(fabs(result->r[0] / normal - 1) < 1e-13);
    assert_true(fabs(hypot(result->r[1] / normal, result->r[2] / normal) - 0.5) < 1e-13);
    assert_int_equal(physical_check(problem, result->r, 0, &found), 0);
    assert_true(found.total < 1e-13);
    free(found.of_contact);
    slip_solver_free(solver);
    slip_problem_free(problem);
  }
}

/* Impulses that double cannot hold are no solution. */
static void test_out_of_range(void **state) {
  static const double sizes[][2] = {{1e-300, 1e200}, {1e300, 1e-200}};
  (void)state;
  for (int k = 0; k < 2; k++) {
    SlipProblem *problem = one_contact(sizes[k][0], sizes[k][1]);
    SlipSolver *solver = make_solver(problem, "auto", "1e-8", "1000");
    run(solver);
    const SlipResult *result = slip_solver_result(solver);
    assert_int_not_equal(result->outcome, SLIP_SOLVED);
    assert_non_null(strstr(result->reason, "out of the range of double"));
    assert_true(isfinite(result->r[0]) && isfinite(result->r[1]) && isfinite(result->r[2]));
    slip_solver_free(solver);
    slip_problem_free(problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method),
      cmocka_unit_test(test_built_in_powers_of_two),
      cmocka_unit_test(test_built_in_powers_of_ten),
      cmocka_unit_test(test_built_in_as_given),
      cmocka_unit_test(test_everything_that_has_units),
      cmocka_unit_test(test_bodies),
      cmocka_unit_test(test_updates),
      cmocka_unit_test(test_one_contact),
      cmocka_unit_test(test_out_of_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
