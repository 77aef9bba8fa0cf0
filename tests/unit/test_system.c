/* The contact system: velocity space, impulse space and LU with pivots from the whole matrix agree
 * in solution and determinant's sign, on bodies of any size, in 2D and 3D, with open, sticking and
 * sliding contacts; and where velocity space loses too many digits, it is left. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "bodies_case.h"
#include "compliance_case.h"
#include "contact/system.h"
#include "linalg/dense3.h"
#include "rolling_pile.h"
#include "solving.h"

typedef struct Case {
  SlipProblem *problem;
  SlipiMass *mass;
  SlipiOperator *op;
  SlipiLaw *law;
  SlipiScaled *scaled;
  SlipiSystem *system;
  double *q, *A, *B, *C, *b, *x[3];
  SlipiArena arena;
} Case;

static void open_case(Case *c, SlipProblem *problem, double shift, bool fold) {
  *c = (Case){.problem = problem};
  int32_t nc = problem->nc, m = 3 * nc;
  assert_int_equal(slipi_mass_create(problem, &c->mass, NULL), SLIP_OK);
  assert_int_equal(
      slipi_operator_create(problem, c->mass, SLIPI_OPERATOR_FACTORED, 1, &c->op, NULL), SLIP_OK);
  slipi_operator_set_shift(c->op, shift);
  c->law = SLIPI_ARENA_NEW(&c->arena, SlipiLaw, nc);
  for (int32_t a = 0; a < nc; a++)
    c->law[a] = problem->law[a];
  c->q = SLIPI_ARENA_NEW(&c->arena, double, m);
  c->A = SLIPI_ARENA_NEW(&c->arena, double, 3 * m);
  c->B = SLIPI_ARENA_NEW(&c->arena, double, 3 * m);
  c->C = SLIPI_ARENA_NEW(&c->arena, double, 3 * m);
  c->b = SLIPI_ARENA_NEW(&c->arena, double, m);
  for (int k = 0; k < 3; k++)
    c->x[k] = SLIPI_ARENA_NEW(&c->arena, double, m);
  for (int32_t k = 0; k < m; k++)
    c->b[k] = sin(k + 1.0) * !(problem->d == 2 && k % 3 == 2);
  assert_int_equal(slipi_scaled_create(c->op, fold, &c->arena, &c->scaled, NULL), SLIP_OK);
  assert_int_equal(slipi_scaled_set(c->scaled, c->law, c->q, true, NULL), SLIP_OK);
  assert_int_equal(slipi_system_of(c->op, &c->system, NULL), SLIP_OK);
  SlipiSystem *again;
  assert_int_equal(slipi_system_of(c->op, &again, NULL), SLIP_OK);
  assert_ptr_equal(again, c->system); /* analysed once */
}

static void close_case(Case *c) {
  slipi_operator_free(c->op);
  slipi_mass_free(c->mass);
  slip_problem_free(c->problem);
  slipi_arena_free(&c->arena);
}

/* Blocks of contacts that are open, stick with the given weight, slide; every other block of B
 * unsymmetric. */
static void set_blocks(Case *c, double weight, double negative, uint64_t seed) {
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  for (int32_t a = 0; a < c->problem->nc; a++) {
    double *A = c->A + 9 * (size_t)a, *B = c->B + 9 * (size_t)a;
    memset(A, 0, 9 * sizeof *A);
    memset(B, 0, 9 * sizeof *B);
    for (int k = 0; k < 9; k++) {
      bool third = c->problem->d == 2 && (k % 3 == 2 || k / 3 == 2);
      double noise = third ? 0 : slipi_random_between(&random, -1, 1);
      if (a % 3 == 0) {
        B[k] = k % 4 == 0;
      } else if (a % 3 == 1) {
        A[k] = k % 4 == 0;
        B[k] = weight * (k % 4 == 0);
      } else {
        A[k] = (k % 4 == 0) + 0.2 * noise;
        B[k] = (k % 4 == 0) + 0.5 * noise;
      }
    }
    if (slipi_random_between(&random, 0, 1) < negative)
      B[0] = -3 * B[0] - 1;
  }
}

/* Which of A and C there are; the others are I. */
typedef enum Sides { NONE, LEFT, BOTH } Sides;

/* C as A is where contacts slide. */
static void set_right(Case *c, uint64_t seed) {
  SlipiRandom random;
  slipi_random_seed(&random, seed + 100);
  for (int32_t k = 0; k < 9 * c->problem->nc; k++) {
    bool third = c->problem->d == 2 && (k % 3 == 2 || k / 3 % 3 == 2);
    c->C[k] = (k % 9 % 4 == 0) + 0.2 * (third ? 0 : slipi_random_between(&random, -1, 1));
  }
}

static int solve_in(Case *c, SlipiSystemSpace space, Sides sides) {
  int sign = 7;
  const double *A = sides == NONE ? NULL : c->A;
  assert_true(slipi_system_prefer(c->system, space));
  if (sides == BOTH)
    assert_int_equal(slipi_system_factor_between(c->system, c->scaled, A, c->B, c->C, &sign, NULL),
                     SLIP_OK);
  else
    assert_int_equal(slipi_system_factor(c->system, c->scaled, A, c->B, &sign, NULL), SLIP_OK);
  double rcond = slipi_system_rcond(c->system);
  assert_true(rcond > 0 && rcond <= 1);
  assert_int_equal(slipi_system_solve(c->system, c->b, c->x[space], NULL), SLIP_OK);
  assert_int_equal(slipi_system_space(c->system), space);
  return sign;
}

static double distance(const Case *c, int a, int b) {
  double most = 0, size = 0;
  for (int32_t k = 0; k < 3 * c->problem->nc; k++) {
    most = fmax(most, fabs(c->x[a][k] - c->x[b][k]));
    size = fmax(size, fabs(c->x[b][k]));
  }
  return most / size;
}

/* Velocity space, impulse space and pivots from the whole matrix. */
static void check_spaces(Case *c, Sides sides) {
  int sign = solve_in(c, SLIPI_SYSTEM_PIVOTED, sides);
  assert_true(sign != 0);
  assert_int_equal(solve_in(c, SLIPI_SYSTEM_IMPULSE, sides), sign);
  assert_int_equal(solve_in(c, SLIPI_SYSTEM_VELOCITY, sides), sign);
  assert_true(distance(c, SLIPI_SYSTEM_IMPULSE, SLIPI_SYSTEM_PIVOTED) < 1e-10);
  assert_true(distance(c, SLIPI_SYSTEM_VELOCITY, SLIPI_SYSTEM_PIVOTED) < 1e-10);
}

/* With bodies: x is the same for g = 0, and both equations hold for another g. */
static void check_bodies(Case *c) {
  int32_t rows = slipi_system_body_rows(c->system), m = 3 * c->problem->nc;
  double *g = test_calloc((size_t)rows, sizeof *g), *z = test_calloc((size_t)rows, sizeof *z);
  double *Cx = test_calloc((size_t)m, sizeof *Cx), *u = test_calloc((size_t)m, sizeof *u);
  double *gathered = test_calloc((size_t)rows, sizeof *gathered);
  solve_in(c, SLIPI_SYSTEM_VELOCITY, BOTH);
  slipi_system_solve_bodies(c->system, c->b, g, 1e-13, c->x[1], z);
  assert_true(distance(c, 1, SLIPI_SYSTEM_VELOCITY) < 1e-8);
  for (int32_t k = 0; k < rows; k++)
    g[k] = cos(k + 1.0);
  slipi_system_solve_bodies(c->system, c->b, g, 1e-13, c->x[1], z);
  double size = 0, most = 0;
  for (int32_t a = 0; a < c->problem->nc; a++)
    slipi_dense3_multiply(c->C + 9 * (size_t)a, c->x[1] + 3 * (size_t)a, Cx + 3 * (size_t)a);
  slipi_system_gather(c->system, c->scaled, Cx, gathered);
  slipi_system_spread(c->system, c->scaled, z, Cx, u);
  for (int32_t k = 0; k < m; k++)
    size = fmax(size, fabs(c->x[1][k]));
  for (int32_t k = 0; k < rows; k++)
    most = fmax(most, fabs(z[k] - gathered[k] - g[k]));
  for (int32_t a = 0; a < c->problem->nc; a++) { /* A u + B x = b */
    double y[3], own[3];
    slipi_dense3_multiply(c->A + 9 * (size_t)a, u + 3 * (size_t)a, y);
    slipi_dense3_multiply(c->B + 9 * (size_t)a, c->x[1] + 3 * (size_t)a, own);
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(y[k] + own[k] - c->b[3 * (size_t)a + k]));
  }
  assert_true(most <= 1e-11 * fmax(1, size));
  test_free(g);
  test_free(z);
  test_free(Cx);
  test_free(u);
  test_free(gathered);
}

static int check_problem(SlipProblem *problem, double shift, bool fold) {
  Case c;
  int negative = 0;
  open_case(&c, problem, shift, fold);
  for (uint64_t seed = 1; seed <= 6; seed++) {
    set_blocks(&c, seed % 2 ? 1e-2 : 1e-5, seed > 3 ? 0.3 : 0, seed);
    check_spaces(&c, LEFT);
    negative += solve_in(&c, SLIPI_SYSTEM_IMPULSE, LEFT) < 0;
    set_right(&c, seed);
    check_spaces(&c, BOTH);
    check_bodies(&c);
    for (int32_t k = 0; k < 9 * problem->nc; k++) /* A = I, B regular */
      c.B[k] += k % 9 % 4 == 0 ? 0.1 : 0;
    check_spaces(&c, NONE);
  }
  close_case(&c);
  return negative;
}

/* The same with random compliance, and with the shift on top of it. */
static void check_soft(SlipProblem *problem, double shift, bool fold) {
  double *C = random_compliance(problem, 2, 11);
  SlipProblem *soft = give_compliance(problem, C);
  free(C);
  check_problem(soft, shift, fold);
  check_problem(problem, shift, fold);
}

static void test_built_in(void **state) {
  (void)state;
  static const char *const kinds[] = {"stack", "wall", "slope", "pile", "deficient-global"};
  int negative = 0;
  for (int k = 0; k < 5; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      negative += check_problem(generate_problem(kinds[k], 40, d, NULL), 0, false);
      negative += check_problem(generate_problem(kinds[k], 60, d, NULL), 0, true);
      check_soft(generate_problem(kinds[k], 40, d, NULL), 0, k % 2);
    }
  }
  assert_true(negative > 5 && negative < 55); /* both signs have been seen */
}

static void test_bodies_of_any_size(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    for (int32_t size = 1; size <= 7; size += 3) {
      check_problem(bodies_problem(d, 5, size, 21, 0), 0, false);
      check_problem(bodies_problem(d, 5, size, 21, 0.2), 0, true);
      check_soft(bodies_problem(d, 5, size, 21, 0.2), 0.3, false);
    }
  }
}

/* A weight of rounding's size on a redundant contact: velocity space cannot tell the impulses. */
static void test_leaves_velocity_space(void **state) {
  (void)state;
  Case c;
  int sign;
  open_case(&c, bodies_problem(3, 2, 6, 12, 0), 0, false);
  set_blocks(&c, 1e-13, 0, 1);
  for (int32_t k = 0; k < 9 * c.problem->nc; k++) {
    c.A[k] = k % 9 % 4 == 0;
    c.B[k] = k % 9 % 4 == 0 ? 1e-17 * (1 + k % 5) : 0;
  }
  memcpy(c.x[1], c.b, 3 * (size_t)c.problem->nc * sizeof *c.b);
  slipi_bsr_multiply(&c.scaled->W, c.x[1], c.b, NULL); /* so that there is a solution of size 1 */
  assert_true(slipi_system_prefer(c.system, SLIPI_SYSTEM_VELOCITY));
  assert_int_equal(slipi_system_factor(c.system, c.scaled, c.A, c.B, &sign, NULL), SLIP_OK);
  assert_int_equal(slipi_system_solve(c.system, c.b, c.x[0], NULL), SLIP_OK);
  assert_int_not_equal(slipi_system_space(c.system), SLIPI_SYSTEM_VELOCITY);
  /* Pivots from the whole matrix tell as well that it is all but singular. */
  assert_true(slipi_system_prefer(c.system, SLIPI_SYSTEM_PIVOTED));
  assert_int_equal(slipi_system_factor(c.system, c.scaled, c.A, c.B, &sign, NULL), SLIP_OK);
  assert_int_equal(slipi_system_space(c.system), SLIPI_SYSTEM_PIVOTED);
  assert_true(slipi_system_rcond(c.system) < 1e-13);
  /* A matrix without an inverse is no error and has no sign. */
  memset(c.A, 0, 9 * (size_t)c.problem->nc * sizeof *c.A);
  memset(c.B, 0, 9 * (size_t)c.problem->nc * sizeof *c.B);
  assert_int_equal(slipi_system_factor(c.system, c.scaled, c.A, c.B, &sign, NULL), SLIP_OK);
  assert_int_equal(sign, 0);
  close_case(&c);
}

/* Solve with K in one of the spaces, and say in which that was; returns the sign. */
static int solve_coupled(Case *c, const double *K, SlipiSystemSpace wanted,
                         SlipiSystemSpace expected) {
  int sign = 7;
  assert_true(slipi_system_prefer(c->system, wanted));
  assert_int_equal(slipi_system_factor_coupled(c->system, c->scaled, c->A, c->B, K, &sign, NULL),
                   SLIP_OK);
  assert_int_equal(slipi_system_solve(c->system, c->b, c->x[wanted], NULL), SLIP_OK);
  assert_int_equal(slipi_system_space(c->system), expected);
  return sign;
}

/* Contacts that roll: the moments' equations have the impulse before them, too. */
static void test_coupled(void **state) {
  (void)state;
  Case c;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  SlipProblem *pile = generate_problem("pile", 60, 3, NULL);
  SlipGlobalData data = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(pile, &data, NULL), SLIP_OK);
  open_case(&c, rolling_pile(&data), 0, false);
  assert_int_equal(slipi_system_space(c.system), SLIPI_SYSTEM_VELOCITY); /* less work */
  double *K = test_calloc(9 * (size_t)c.problem->nc, sizeof *K);
  double *alone = test_calloc(3 * (size_t)c.problem->nc, sizeof *alone);
  for (uint64_t seed = 1; seed <= 4; seed++) {
    set_blocks(&c, 1e-2, 0, seed);
    solve_in(&c, SLIPI_SYSTEM_IMPULSE, LEFT);
    memcpy(alone, c.x[SLIPI_SYSTEM_IMPULSE], 3 * (size_t)c.problem->nc * sizeof *alone);
    for (int32_t a = 1; a < c.problem->nc; a += 2) {
      for (int k = 0; k < 9; k++)
        K[9 * (size_t)a + (size_t)k] = slipi_random_between(&random, -1, 1);
    }
    int sign = solve_coupled(&c, K, SLIPI_SYSTEM_PIVOTED, SLIPI_SYSTEM_PIVOTED);
    assert_int_equal(solve_coupled(&c, K, SLIPI_SYSTEM_IMPULSE, SLIPI_SYSTEM_IMPULSE), sign);
    assert_int_equal(solve_coupled(&c, K, SLIPI_SYSTEM_VELOCITY, SLIPI_SYSTEM_VELOCITY), sign);
    assert_true(distance(&c, SLIPI_SYSTEM_IMPULSE, SLIPI_SYSTEM_PIVOTED) < 1e-10);
    assert_true(distance(&c, SLIPI_SYSTEM_VELOCITY, SLIPI_SYSTEM_PIVOTED) < 1e-10);
    memcpy(c.x[0], alone, 3 * (size_t)c.problem->nc * sizeof *alone);
    assert_true(distance(&c, 0, SLIPI_SYSTEM_PIVOTED) > 1e-3); /* K counts */
  }
  for (int k = 0; k < 9; k++) /* now also between contacts of other bodies */
    K[18 + k] = k % 4 == 0;
  solve_coupled(&c, K, SLIPI_SYSTEM_VELOCITY, SLIPI_SYSTEM_IMPULSE);
  test_free(K);
  test_free(alone);
  close_case(&c);
  slip_problem_free(pile);
}

/* The choice goes by the work, and bodies too large for velocity space do without. */
static void test_choice(void **state) {
  (void)state;
  Case c;
  open_case(&c, bodies_problem(3, 4, 6, 80, 0), 0, false); /* 24 degrees of freedom, 240 unknowns */
  assert_int_equal(slipi_system_space(c.system), SLIPI_SYSTEM_VELOCITY);
  assert_true(slipi_system_work(c.system) == slipi_system_work_in(c.system, SLIPI_SYSTEM_VELOCITY));
  assert_true(2 * slipi_system_work(c.system) <
              slipi_system_work_in(c.system, SLIPI_SYSTEM_IMPULSE));
  close_case(&c);
  open_case(&c, bodies_problem(3, 40, 6, 20, 0), 0, false); /* few contacts a body */
  assert_int_equal(slipi_system_space(c.system), SLIPI_SYSTEM_IMPULSE);
  close_case(&c);
  open_case(&c, bodies_problem(3, 2, 40, 10, 0), 0, false);
  assert_int_equal(slipi_system_space(c.system), SLIPI_SYSTEM_IMPULSE);
  assert_false(slipi_system_prefer(c.system, SLIPI_SYSTEM_VELOCITY));
  assert_true(isinf(slipi_system_work_in(c.system, SLIPI_SYSTEM_VELOCITY)));
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_built_in),
      cmocka_unit_test(test_bodies_of_any_size),
      cmocka_unit_test(test_leaves_velocity_space),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_coupled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
