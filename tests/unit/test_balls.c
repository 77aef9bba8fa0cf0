/* balls: every built-in problem with balls smaller than it, a solution known by construction, piles
 * at 1e-8 in every form of W, warm start, the same bits, refusals; parts of a problem with the rest
 * frozen; and centring, which keeps the velocities and leaves the boundary of the cones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "contact/part.h"
#include "contact/soc.h"
#include "methods/balls_centre.h"
#include "solving.h"

/* Balls from the first iteration on, smaller than the problem. */
#define SMALL_BALLS "near=1 size=4 largest=12 contacts-per-ball=3 "

/* A condition of 1e10 leaves sweeps, and so all that is outside a ball, where it is. */
static void solve_small(const SlipProblem *problem, const char *kind) {
  if (strcmp(kind, "ill") != 0)
    expect_solved(problem, kind, "balls", SMALL_BALLS "tol=1e-8 patience=200 max-iter=2000", 1e-8);
}

static void test_every_built_in_problem(void **state) {
  (void)state;
  each_built_in_problem(12, solve_small);
}

/* W regular, friction small: the solution is the one built in. */
static void test_known_solution(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    double *known;
    SlipProblem *problem = generate_unique(20, d, &known);
    Solved solved = solve_with(problem, "balls", SMALL_BALLS "tol=1e-10", NULL);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    for (int k = 0; k < 20 * d; k++)
      assert_true(fabs(solved.r[k] - known[k]) < 1e-7);
    free(solved.r);
    slip_generate_free_r(known);
    slip_problem_free(problem);
  }
}

static void test_piles(void **state) {
  (void)state;
  static const char *const forms[] = {"velocity", "block", NULL};
  for (int k = 0; forms[k]; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_problem("pile", 400, d, NULL);
      char options[160] = "near=1e-3 size=60 largest=400 contacts-per-ball=100 tol=1e-8 operator=";
      expect_solved(problem, forms[k], "balls", strcat(options, forms[k]), 1e-8);
      slip_problem_free(problem);
    }
  }
}

static void test_warm_start(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", 200, 3, NULL);
  Solved cold = solve_with(problem, "balls", "size=50 tol=1e-8", NULL);
  assert_int_equal(cold.outcome, SLIP_SOLVED);
  Solved warm = solve_with(problem, "balls", "size=50 tol=1e-8", cold.r);
  assert_int_equal(warm.outcome, SLIP_SOLVED);
  assert_int_equal(warm.iterations, 0);
  for (int k = 0; k < 600; k++)
    cold.r[k] *= 1 + 1e-6 * sin(k);
  Solved near = solve_with(problem, "balls", "size=50 tol=1e-8 near=1e-3", cold.r);
  assert_int_equal(near.outcome, SLIP_SOLVED);
  assert_true(near.iterations < cold.iterations);
  free(cold.r);
  free(warm.r);
  free(near.r);
  slip_problem_free(problem);
}

/* Many balls in a round, of which those that do not touch are solved at the same time. */
static void test_same_bits(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", 1100, 3, NULL);
  const char *const threads[] = {"1", "2", "3"};
  Solved one = {0};
  for (int k = 0; k < 3; k++) {
    char options[120] = "near=1e-3 size=40 largest=200 contacts-per-ball=60 tol=1e-6 threads=";
    Solved found = solve_with(problem, "balls", strcat(options, threads[k]), NULL);
    assert_int_equal(found.outcome, SLIP_SOLVED);
    if (k == 0) {
      one = found;
      continue;
    }
    assert_int_equal(one.iterations, found.iterations);
    assert_memory_equal(one.r, found.r, 3000 * sizeof *one.r);
    free(found.r);
  }
  free(one.r);
  slip_problem_free(problem);
}

static void test_other_laws_are_refused(void **state) {
  (void)state;
  const SlipMethodInfo *balls = slip_method_find("balls");
  assert_true(slip_method_takes_law(balls, SLIP_COULOMB, SLIP_FLOW_COULOMB));
  assert_true(slip_method_takes_law(balls, SLIP_BILATERAL, SLIP_FLOW_COULOMB));
  assert_false(slip_method_takes_law(balls, SLIP_TRESCA, SLIP_FLOW_COULOMB));
}

/* ---- Parts and centring ---- */

typedef struct Case {
  SlipProblem *problem;
  SlipiMass *mass;
  SlipiOperator *op;
  double *q, *r, *u;
  SlipiArena arena;
} Case;

static void velocity(SlipiOperator *op, const double *q, const double *r, double *u) {
  assert_int_equal(slipi_operator_apply(op, r, u, NULL), SLIP_OK);
  for (int32_t k = 0; k < op->m; k++)
    u[k] += q[k];
}

static void open_case(Case *c, const char *kind, int32_t contacts, int32_t d) {
  *c = (Case){.problem = generate_problem(kind, contacts, d, NULL)};
  int32_t m = c->problem->m;
  SlipiOperatorKind form = SLIPI_OPERATOR_BLOCK;
  if (c->problem->form != SLIP_FORM_LOCAL) {
    assert_int_equal(slipi_mass_create(c->problem, &c->mass, NULL), SLIP_OK);
    form = SLIPI_OPERATOR_VELOCITY;
  }
  assert_int_equal(slipi_operator_create(c->problem, c->mass, form, 1, &c->op, NULL), SLIP_OK);
  c->q = SLIPI_ARENA_NEW(&c->arena, double, m);
  c->r = SLIPI_ARENA_NEW(&c->arena, double, m);
  c->u = SLIPI_ARENA_NEW(&c->arena, double, m);
  for (int32_t k = 0; k < m; k++) {
    c->q[k] = cos(3.0 * k);
    c->r[k] = sin(k + 1.0);
  }
  velocity(c->op, c->q, c->r, c->u);
}

static void close_case(Case *c) {
  slipi_operator_free(c->op);
  slipi_mass_free(c->mass);
  slip_problem_free(c->problem);
  slipi_arena_free(&c->arena);
}

/* The velocities of the contacts in a part are those they have in the whole, and the impulses go
 * back to where they came from. */
static void check_part(const char *kind, int32_t d, double shift) {
  Case c;
  SlipiPart part = {0};
  open_case(&c, kind, 60, d);
  slipi_operator_set_shift(c.op, shift);
  velocity(c.op, c.q, c.r, c.u);
  assert_int_equal(slipi_part_create(c.op, &c.arena, &part, NULL), SLIP_OK);
  for (int32_t size = 1; size <= 40; size += 13) {
    slipi_part_choose(&part, 30, size);
    assert_true(part.nc >= 1 && part.nc <= size && part.place[30] >= 0);
    assert_int_equal(slipi_part_fill(&part, c.problem->law, c.q, c.r, NULL), SLIP_OK);
    double u[40 * 3];
    velocity(part.op, part.q, part.r, u);
    for (int32_t a = 0; a < part.nc; a++) {
      assert_int_equal(part.place[part.contact[a]], a);
      for (int32_t k = 0; k < d; k++)
        assert_true(fabs(u[a * d + k] - c.u[part.contact[a] * d + k]) < 1e-12);
      part.r[a * d] = 7;
    }
    slipi_part_put_back(&part, c.r);
    for (int32_t a = 0; a < 60; a++)
      assert_true((c.r[a * d] == 7) == (part.place[a] >= 0));
    for (int32_t a = 0; a < 60; a++)
      c.r[a * d] = sin(a * d + 1.0);
  }
  slipi_part_destroy(&part);
  close_case(&c);
}

static void test_parts(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    check_part("pile", d, 0);
    check_part("random", d, 0.3);
  }
}

/* The least share of the cone's radius between an impulse and the boundary, over contacts that
 * stick. */
static double least_margin(const Case *c) {
  double least = INFINITY;
  for (int32_t a = 0; a < c->problem->nc; a++) {
    const double *r = c->r + 3 * (int64_t)a, *u = c->u + 3 * (int64_t)a;
    double mu = c->problem->law[a].mu, size = fabs(u[0]) + slipi_soc_tangent(u);
    if (r[0] > 0 && size < 1e-9)
      least = fmin(least, 1 - slipi_soc_tangent(r) / (mu * r[0]));
  }
  return least;
}

/* Blocks on four corners have more impulses than equations. One that is moved to the boundary of
 * its cone along a self-stress is moved back inside, with the velocities as they were. */
static void test_centring(void **state) {
  (void)state;
  Case c;
  SlipiCentring centring = {0};
  open_case(&c, "stack", 40, 3);
  double *before = SLIPI_ARENA_NEW(&c.arena, double, c.op->m);
  SlipProblem *problem = c.problem, *local;
  Solved solved = solve_with(problem, "alm", "tol=1e-12", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  memcpy(c.r, solved.r, (size_t)c.op->m * sizeof *c.r);
  assert_int_equal(slip_problem_reduce(problem, &local, NULL), SLIP_OK);
  memcpy(c.q, local->q, (size_t)c.op->m * sizeof *c.q);
  velocity(c.op, c.q, c.r, before);
  memcpy(c.u, before, (size_t)c.op->m * sizeof *before);
  double margin = least_margin(&c);
  assert_int_equal(slipi_centring_create(c.op, &c.arena, &centring, NULL), SLIP_OK);
  assert_int_equal(slipi_centring_run(&centring, problem->law, c.q, 1e-3, 40, c.r, NULL), SLIP_OK);
  assert_true(centring.factorisations > 0 && centring.factorisations <= 40);
  velocity(c.op, c.q, c.r, c.u);
  for (int32_t k = 0; k < c.op->m; k++)
    assert_true(fabs(c.u[k] - before[k]) < 1e-6);
  memcpy(c.u, before, (size_t)c.op->m * sizeof *before);
  assert_true(least_margin(&c) > margin);
  free(solved.r);
  slip_problem_free(local);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_built_in_problem),
      cmocka_unit_test(test_known_solution),
      cmocka_unit_test(test_piles),
      cmocka_unit_test(test_warm_start),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_other_laws_are_refused),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_centring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
