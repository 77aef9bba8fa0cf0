/* Problems told body by body: the same equations as the assembled ones, from every method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/io.h>

#include "bodies_data.h"
#include "compare.h"
#include "data.h"
#include "reference.h"
#include "solving.h"

typedef struct Case {
  const char *kind;
  int32_t contacts, d;
} Case;

static const Case cases[] = {{"pile", 40, 3}, {"pile", 30, 2},  {"stack", 24, 3}, {"wall", 40, 3},
                             {"wall", 24, 2}, {"slope", 20, 3}, {"pile", 5, 3}};
enum { CASES = sizeof cases / sizeof cases[0] };

/* A built-in problem in both forms; the global one is assembled from the bodies. */
static SlipProblem *make(const Case *c, SlipProblem **bodies) {
  SlipProblem *generated = generate_problem(c->kind, c->contacts, c->d, NULL), *global;
  BodiesData data;
  SlipError error;
  bodies_data_of(generated, &data);
  if (slip_problem_create_bodies(&data.data, bodies, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  assert_int_equal(slip_problem_assemble(*bodies, &global, NULL), SLIP_OK);
  assert_int_equal(slip_problem_form(*bodies), SLIP_FORM_BODIES);
  assert_int_equal(slip_problem_dof(*bodies), slip_problem_dof(generated));
  bodies_data_free(&data);
  slip_problem_free(generated);
  return global;
}

/* Assembled, it is the problem it was made of, but for entries that are 0. */
static void test_assembled(void **state) {
  (void)state;
  for (int k = 0; k < CASES; k++) {
    SlipProblem *bodies, *global = make(&cases[k], &bodies), *local, *reduced;
    SlipProblem *generated = generate_problem(cases[k].kind, cases[k].contacts, cases[k].d, NULL);
    assert_int_equal(slip_problem_reduce(generated, &local, NULL), SLIP_OK);
    assert_int_equal(slip_problem_reduce(bodies, &reduced, NULL), SLIP_OK);
    SlipLocalData x = slip_default_local_data(), y = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(local, &x, NULL), SLIP_OK);
    assert_int_equal(slip_problem_local_data(reduced, &y, NULL), SLIP_OK);
    int32_t m = x.W.rows;
    for (int32_t row = 0; row < m; row++)
      assert_true(fabs(x.q[row] - y.q[row]) <= 1e-13);
    assert_int_equal(x.W.nnz, y.W.nnz);
    for (int64_t e = 0; e < x.W.nnz; e++)
      assert_true(fabs(x.W.x[e] - y.W.x[e]) <= 1e-12 * fabs(x.W.x[e]) + 1e-13);
    slip_problem_free(local);
    slip_problem_free(reduced);
    slip_problem_free(generated);
    slip_problem_free(global);
    slip_problem_free(bodies);
  }
}

/* Every method that treats the assembled problem gives the same bits for the bodies. */
static void same_run(const SlipProblem *global, const SlipProblem *bodies, const char *method) {
  SlipSettings *settings;
  SlipSolver *solver[2] = {NULL, NULL};
  SlipStatus status[2];
  SlipError error;
  const SlipProblem *both[2] = {global, bodies};
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "30", NULL), SLIP_OK);
  for (int k = 0; k < 2; k++) {
    status[k] = slip_solver_create(both[k], settings, &solver[k], &error);
    if (status[k] == SLIP_OK && slip_solver_run(solver[k], &error) != SLIP_OK)
      fail_msg("%s: %s", method, error.text);
  }
  assert_int_equal(status[0], status[1]);
  if (status[0] == SLIP_OK) {
    const SlipResult *x = slip_solver_result(solver[0]), *y = slip_solver_result(solver[1]);
    size_t m = (size_t)slip_problem_dimension(global) * (size_t)slip_problem_contacts(global);
    if (x->outcome != y->outcome || x->iterations != y->iterations ||
        memcmp(x->r, y->r, m * sizeof *x->r) != 0)
      fail_msg("%s: %s after %d, %s after %d iterations", method, slip_outcome_name(x->outcome),
               (int)x->iterations, slip_outcome_name(y->outcome), (int)y->iterations);
    for (int32_t k = 0; k < x->dof; k++)
      assert_true(fabs(x->v[k] - y->v[k]) <= 1e-12 * (1 + fabs(x->v[k])));
  }
  slip_solver_free(solver[0]);
  slip_solver_free(solver[1]);
  slip_settings_free(settings);
}

static void test_every_method(void **state) {
  (void)state;
  static const Case small[] = {{"pile", 16, 3}, {"wall", 12, 2}, {"pile", 3, 3}};
  for (int k = 0; k < 3; k++) {
    SlipProblem *bodies, *global = make(&small[k], &bodies);
    for (int method = 0; slip_method_info(method); method++)
      same_run(global, bodies, slip_method_info(method)->name);
    slip_problem_free(global);
    slip_problem_free(bodies);
  }
}

static void test_solved(void **state) {
  (void)state;
  for (int k = 0; k < CASES; k++) {
    SlipProblem *bodies, *global = make(&cases[k], &bodies);
    Solved solved = solve_with(bodies, "auto", "tol=1e-9", NULL);
    double residual;
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_true(reference_error(global, solved.r) <= 1e-9);
    assert_int_equal(slip_problem_residual(bodies, solved.r, &residual, NULL, NULL), SLIP_OK);
    assert_true(residual <= 1e-9);
    free(solved.r);
    slip_problem_free(global);
    slip_problem_free(bodies);
  }
}

/* Files, features and the existence check know bodies too. */
static void test_around(void **state) {
  (void)state;
  SlipProblem *bodies, *global = make(&cases[0], &bodies);
  SlipFeatures x = slip_default_features(), y = slip_default_features();
  assert_int_equal(slip_problem_features(global, &x, NULL), SLIP_OK);
  assert_int_equal(slip_problem_features(bodies, &y, NULL), SLIP_OK);
  assert_int_equal(x.rank, y.rank);
  assert_int_equal(x.blocks, y.blocks);
  assert_true(x.condition == y.condition && x.density == y.density);
  SlipCheck *check;
  assert_int_equal(slip_check(bodies, NULL, &check, NULL), SLIP_OK);
  assert_int_equal(check->answer, SLIP_ANSWER_YES);
  slip_check_free(check);
  slip_problem_free(global);
  slip_problem_free(bodies);
}

/* ---- Data that are refused ---- */

static void refused(const SlipBodiesData *data, const char *part) {
  SlipProblem *problem = (SlipProblem *)&problem;
  SlipError error;
  assert_int_not_equal(slip_problem_create_bodies(data, &problem, &error), SLIP_OK);
  assert_null(problem);
  if (!strstr(error.text, part))
    fail_msg("'%s' is not in '%s'", part, error.text);
}

static void test_refused(void **state) {
  (void)state;
  SlipProblem *generated = generate_problem("pile", 10, 3, NULL);
  BodiesData c;
  bodies_data_of(generated, &c);
  SlipBodiesData bad = c.data;
  bad.dimension = 4;
  refused(&bad, "the dimension is 4");
  bad = c.data;
  bad.bodies = -1;
  refused(&bad, "the number of bodies is -1");
  bad = c.data;
  bad.H = NULL;
  refused(&bad, "H is null");
  bad = c.data;
  bad.body = NULL;
  refused(&bad, "body is null");
  bad = c.data;
  bad.laws = NULL;
  refused(&bad, "laws is null");
  refused(NULL, "data is null");
  int32_t body = c.body[3];
  c.body[3] = c.data.bodies;
  refused(&c.data, "body[3], of contact 1, is");
  c.body[3] = body;
  double H = c.H[7];
  c.H[7] = NAN;
  refused(&c.data, "H of contact 0, side 0, row 1, is nan");
  c.H[7] = H;
  double M = c.M[36 + 7];
  c.M[36 + 7] = -1;
  refused(&c.data, "M of body 1 is not positive definite: its diagonal entry 1 is -1");
  c.M[36 + 7] = INFINITY;
  refused(&c.data, "M(1, 1) of body 1 is inf");
  c.M[36 + 7] = M;
  c.f[2] = NAN;
  refused(&c.data, "f[2] is nan");
  c.f[2] = 0;
  c.mu[4] = -1;
  refused(&c.data, "mu[4] is -1");
  bodies_data_free(&c);
  slip_problem_free(generated);
}

/* Data that are refused leave a problem as it was, and so does data it cannot take. */
static void test_set_bodies(void **state) {
  (void)state;
  SlipProblem *pile = generate_problem("pile", 20, 3, NULL), *problem, *again;
  SlipProblem *wall = generate_problem("wall", 30, 2, NULL);
  BodiesData c, other;
  bodies_data_of(pile, &c);
  bodies_data_of(wall, &other);
  assert_int_equal(slip_problem_create_bodies(&c.data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_problem_create_bodies(&other.data, &again, NULL), SLIP_OK);
  other.f[0] = NAN;
  assert_int_equal(slip_problem_set_bodies(problem, &other.data, NULL), SLIP_ERROR_PROBLEM);
  assert_int_equal(slip_problem_dimension(problem), 3);
  other.f[0] = 0;
  assert_int_equal(slip_problem_set_bodies(again, &other.data, NULL), SLIP_OK);
  assert_int_equal(slip_problem_set_bodies(problem, &other.data, NULL), SLIP_OK);
  assert_int_equal(slip_problem_dimension(problem), 2);
  SlipBodiesData x = slip_default_bodies_data(), y = slip_default_bodies_data();
  assert_int_equal(slip_problem_bodies_data(problem, &x, NULL), SLIP_OK);
  assert_int_equal(slip_problem_bodies_data(again, &y, NULL), SLIP_OK);
  assert_int_equal(x.contacts, y.contacts);
  size_t count = (size_t)2 * (size_t)x.contacts * 2 * 3;
  assert_memory_equal(x.H, y.H, count * sizeof *x.H);
  assert_memory_equal(x.key, y.key, (size_t)x.contacts * sizeof *x.key);
  assert_int_equal(slip_problem_set_bodies(pile, &c.data, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_problem_set_bodies(NULL, &c.data, NULL), SLIP_ERROR_ARGUMENT);
  bodies_data_free(&c);
  bodies_data_free(&other);
  slip_problem_free(pile);
  slip_problem_free(wall);
  slip_problem_free(problem);
  slip_problem_free(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_assembled), cmocka_unit_test(test_every_method),
      cmocka_unit_test(test_solved),    cmocka_unit_test(test_around),
      cmocka_unit_test(test_refused),   cmocka_unit_test(test_set_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
