/* Rough contacts that hold each other: a wedged block by hand, and drums full of spheres, which are
 * not solved in any other way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/common_hold.h"
#include "path_case.h"
#include "physical.h"
#include "solver/solver.h"
#include "solving.h"

enum { BODIES = 2, CONTACTS = 4, DOF = 3 * BODIES, M = 3 * CONTACTS };

/* A block between two walls, on the floor, with a smaller one on top of it: velocities of contacts
 * with those of the blocks, which do not turn. Of unit mass, W = G G'. */
static void wedge(double W[M * M]) {
  static const double G[M][DOF] = {
      {1, 0, 0},           {0, 1, 0},           {0, 0, 1}, /* left wall */
      {-1, 0, 0},          {0, 1, 0},           {0, 0, 1}, /* right wall */
      {0, 0, 1},           {1, 0, 0},           {0, 1, 0}, /* floor */
      {0, 0, -1, 0, 0, 1}, {-1, 0, 0, 1, 0, 0}, {0, -1, 0, 0, 1, 0}};
  memset(W, 0, M * M * sizeof *W);
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < M; j++) {
      for (int k = 0; k < DOF; k++)
        W[i * M + j] += G[i][k] * G[j][k];
    }
  }
}

static SlipProblem *wedge_with(const double *q, const double *mu) {
  double W[M * M];
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  wedge(W);
  laws.mu = mu;
  data.dimension = 3;
  data.contacts = CONTACTS;
  data.W = slip_dense(M, M, W);
  data.q = q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

static SlipProblem *wedge_problem(const double *q, double mu) {
  const double all[CONTACTS] = {mu, mu, mu, mu};
  return wedge_with(q, all);
}

/* The lower block falls by 2, the upper one by 1 and moves aside: q = G v. */
static const double falling[M] = {0, 0, -2, 0, 0, -2, -2, 0, 0, 1, 0.5, 0};

static int32_t find(const double *q, double mu, int32_t least, bool held[CONTACTS]) {
  Case c;
  SlipiHold hold = {0};
  double all[CONTACTS];
  int32_t count;
  open_case(&c, wedge_problem(q, mu));
  c.run.tol = 1e-8;
  c.run.scale = 1;
  for (int k = 0; k < CONTACTS; k++)
    all[k] = mu;
  assert_int_equal(slipi_hold_create(&c.run, all, &hold, NULL), SLIP_OK);
  assert_int_equal(slipi_hold_all(&hold, SLIPI_ROUGH), mu > SLIPI_ROUGH ? CONTACTS : 0);
  assert_int_equal(slipi_hold_find(&hold, least, &count, NULL), SLIP_OK);
  memcpy(held, hold.held, CONTACTS * sizeof *held);
  slipi_hold_destroy(&hold);
  close_case(&c);
  return count;
}

/* Walls and floor press against each other through the lower block, nothing presses on the upper
 * one. */
static void test_find(void **state) {
  bool held[CONTACTS];
  (void)state;
  assert_int_equal(find(falling, 1e3, 1, held), 3);
  assert_true(held[0] && held[1] && held[2] && !held[3]);
  assert_int_equal(find(falling, 1e3, 4, held), 0); /* too few */
  assert_int_equal(find(falling, 1, 1, held), 0);   /* not rough */
}

/* Walls that come nearer crush the block, whatever the impulses. */
static void test_crushed(void **state) {
  bool held[CONTACTS];
  double q[M];
  (void)state;
  memcpy(q, falling, sizeof q);
  q[0] = q[3] = -1;
  assert_int_equal(find(q, 1e3, 1, held), 0);
  q[0] = 1; /* but walls that move together do not */
  assert_int_equal(find(q, 1e3, 1, held), 3);
}

/* Impulses that hold the block without the floor, in cones of the friction asked for. */
static void test_lift(void **state) {
  static const double most[] = {20, 1e3};
  (void)state;
  for (int n = 0; n < 2; n++) {
    Case c;
    SlipiHold hold = {0};
    const double mu[CONTACTS] = {1e3, 1e3, 1e3, 1e3};
    double r[M] = {0}, W[M * M];
    open_case(&c, wedge_problem(falling, 1e3));
    c.run.tol = 1e-8;
    c.run.scale = 1;
    assert_int_equal(slipi_hold_create(&c.run, mu, &hold, NULL), SLIP_OK);
    hold.held[0] = hold.held[1] = true;
    assert_int_equal(slipi_hold_lift(&hold, most[n], r, NULL), SLIP_OK);
    wedge(W);
    for (int i = 0; i < 6; i++) {
      double u = falling[i];
      for (int k = 0; k < M; k++)
        u += W[i * M + k] * r[k];
      assert_true(fabs(u) < 1e-9);
    }
    for (int k = 0; k < 2; k++)
      assert_true(r[3 * k] > 0 &&
                  hypot(r[3 * k + 1], r[3 * k + 2]) <= most[n] * r[3 * k] * (1 + 1e-9));
    for (int i = 6; i < M; i++)
      assert_true(r[i] == 0);
    slipi_hold_destroy(&hold);
    close_case(&c);
  }
}

/* By a solver: the lower block stands, the upper one is caught by it, or flies away. */
static void test_solver(void **state) {
  (void)state;
  for (int flies = 0; flies < 2; flies++) {
    SlipSettings *settings;
    SlipSolver *solver;
    Physical found;
    double q[M], r[M], left = 1e6;
    bool arrived;
    memcpy(q, falling, sizeof q);
    q[9] = flies ? 5 : -1;
    SlipProblem *problem = wedge_problem(q, 1e6);
    assert_int_equal(slip_settings_create("auto", &settings, NULL), SLIP_OK);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    assert_int_equal(slipi_solver_hold(solver, &left, r, &arrived, NULL), SLIP_OK);
    assert_true(arrived && left <= 1e6);
    assert_int_equal(physical_check(problem, r, 0, &found), 0);
    assert_true(found.total < 1e-8);
    free(found.of_contact);
    assert_true(flies ? r[9] == 0 : r[9] > 0);
    slip_solver_free(solver);
    slip_settings_free(settings);
    slip_problem_free(problem);
  }
}

/* After an update of mu the contact that is not held, which slides, has the new one, too. */
static void test_other_mu(void **state) {
  static const double mus[CONTACTS] = {1e3, 1e3, 1e3, 0.15};
  SlipSettings *settings;
  SlipSolver *solver;
  SlipUpdate update = slip_default_update();
  double q[M], r[M], left = 1e6;
  bool arrived;
  (void)state;
  memcpy(q, falling, sizeof q);
  q[9] = -1;
  SlipProblem *problem = wedge_problem(q, 0.1), *other = wedge_with(q, mus);
  update.mu = mus;
  assert_int_equal(slip_settings_create("auto", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slipi_solver_hold(solver, &left, r, &arrived, NULL), SLIP_OK);
  assert_true(arrived);
  Physical found;
  assert_int_equal(physical_check(other, r, 0, &found), 0);
  assert_true(found.total < 1e-8);
  assert_true(fabs(hypot(r[10], r[11]) - 0.15 * r[9]) < 1e-8 && r[9] > 0);
  free(found.of_contact);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
  slip_problem_free(other);
}

/* Spheres wedged in a drum, with any friction, in space and in the plane. The impulses in which
 * they hold each other are not unique, but the same in every run. */
static void test_drum(void **state) {
  static const double mus[] = {1e3, 1e6, 1e12};
  (void)state;
  for (int k = 0; k < 6; k++) {
    SlipGenerate options = generate_defaults("drum");
    Physical found;
    options.contacts = 200;
    options.dimension = k < 3 ? 3 : 2;
    options.mu = mus[k % 3];
    SlipProblem *problem = generate_with("drum", &options, NULL);
    Solved solved = solve_with(problem, "auto", "tol=1e-8 max-iter=20000", NULL);
    Solved again = solve_with(problem, "auto", "tol=1e-8 max-iter=20000 threads=2", NULL);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_int_equal(physical_check(problem, solved.r, 0, &found), 0);
    assert_true(found.total <= 10 * 1e-8);
    size_t count = (size_t)(slip_problem_contacts(problem) * options.dimension);
    assert_memory_equal(solved.r, again.r, count * sizeof *solved.r);
    free(found.of_contact);
    free(solved.r);
    free(again.r);
    slip_problem_free(problem);
  }
}

/* The method, with little friction: the walls hold the lower block, and the floor with them. The
 * upper block, which comes down with 3 and aside with 0.5, sticks, slides (mu = 0.1) or flies
 * away. */
static void test_method(void **state) {
  static const struct {
    double closing, mu;
    const char *reason;
  } rows[] = {{-1, 0.6, "(3 contacts hold each other)"},
              {-1, 0.1, "(3 contacts hold each other)"},
              {5, 0.6, "(3 contacts hold each other)"}};
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    double q[M];
    Physical found;
    memcpy(q, falling, sizeof q);
    q[9] = rows[k].closing;
    SlipProblem *problem = wedge_problem(q, rows[k].mu);
    Solved solved = solve_with(problem, "held", "tol=1e-9", NULL);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_true(solved.reference <= 1e-8);
    assert_non_null(strstr(solved.reason, rows[k].reason));
    assert_int_equal(physical_check(problem, solved.r, 0, &found), 0);
    assert_true(found.total <= 1e-8);
    double slip = hypot(solved.r[10], solved.r[11]);
    if (k == 1) /* it slides */
      assert_true(fabs(slip - rows[k].mu * solved.r[9]) < 1e-8);
    else
      assert_true(k == 2 ? solved.r[9] == 0 : slip < rows[k].mu * solved.r[9]);
    free(found.of_contact);
    free(solved.r);
    slip_problem_free(problem);
  }
}

/* Where nothing is held the rest is the whole, unless contacts that are held are asked for. */
static void test_none(void **state) {
  double *r;
  SlipProblem *problem = generate_unique(20, 3, &r);
  (void)state;
  Solved solved = solve_with(problem, "held", "tol=1e-10", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  assert_non_null(strstr(solved.reason, "(0 contacts hold each other)"));
  for (int i = 0; i < 60; i++)
    assert_true(fabs(solved.r[i] - r[i]) < 1e-7);
  free(solved.r);
  solved = solve_with(problem, "held", "tol=1e-10 least=0.1", NULL);
  assert_int_equal(solved.outcome, SLIP_STALLED);
  assert_non_null(strstr(solved.reason, "too few contacts hold each other"));
  free(solved.r);
  slip_generate_free_r(r);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find),   cmocka_unit_test(test_crushed),  cmocka_unit_test(test_lift),
      cmocka_unit_test(test_solver), cmocka_unit_test(test_other_mu), cmocka_unit_test(test_drum),
      cmocka_unit_test(test_method), cmocka_unit_test(test_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
