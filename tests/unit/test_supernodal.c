/* Cholesky factors that can be given up on the way: solutions, bad pivots, stops by the count of
 * questions. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "linalg/cholesky.h"
#include "linalg/factor.h"

enum { SIDE = 11, DOF = 3, NODES = SIDE * SIDE * SIDE, ROWS = DOF * NODES };

typedef struct Grid {
  SlipiArena arena;
  SlipiCsr A;
} Grid;

static bool are_near(int a, int b) {
  int dx = a % SIDE - b % SIDE, dy = a / SIDE % SIDE - b / SIDE % SIDE;
  int dz = a / SIDE / SIDE - b / SIDE / SIDE;
  return abs(dx) <= 1 && abs(dy) <= 1 && abs(dz) <= 1;
}

/* Nodes of a cube with three unknowns each, coupled with their neighbours as finite elements are:
 * diagonally dominant. */
static Grid make_grid(void) {
  Grid g = {0};
  size_t most = (size_t)NODES * 27 * DOF * DOF;
  g.A = (SlipiCsr){.rows = ROWS, .cols = ROWS};
  g.A.p = SLIPI_ARENA_NEW(&g.arena, int32_t, ROWS + 1);
  g.A.i = SLIPI_ARENA_NEW(&g.arena, int32_t, most);
  g.A.x = SLIPI_ARENA_NEW(&g.arena, double, most);
  assert_false(g.arena.failed);
  int32_t used = 0;
  for (int32_t row = 0; row < ROWS; row++) {
    for (int32_t node = 0; node < NODES; node++) {
      for (int32_t k = 0; are_near(node, row / DOF) && k < DOF; k++) {
        int32_t column = DOF * node + k, sum = row + column;
        g.A.i[used] = column;
        g.A.x[used++] = column == row ? 50 : -0.5 + 0.25 * cos(sum);
      }
    }
    g.A.p[row + 1] = used;
  }
  return g;
}

static int32_t diagonal_of(const Grid *g, int32_t row) {
  int32_t k = g->A.p[row];
  while (g->A.i[k] != row)
    k++;
  return k;
}

typedef struct Count {
  int asked, most;
} Count;

static SlipOutcome count(void *user, double ahead) {
  Count *c = user;
  (void)ahead;
  return ++c->asked > c->most ? SLIP_TIME_LIMIT : SLIP_NOT_RUN;
}

static void test_solves(void **state) {
  (void)state;
  Grid g = make_grid();
  SlipiFactor *factor;
  double *b = SLIPI_ARENA_NEW(&g.arena, double, ROWS), *x = SLIPI_ARENA_NEW(&g.arena, double, ROWS);
  assert_int_equal(slipi_factor_create(&g.A, "A", NULL, NULL, &factor, NULL), SLIP_OK);
  for (int32_t k = 0; k < ROWS; k++)
    b[k] = sin(k);
  assert_int_equal(slipi_factor_solve(factor, b, x, NULL), SLIP_OK);
  for (int32_t row = 0; row < ROWS; row++) {
    double rest = b[row];
    for (int32_t k = g.A.p[row]; k < g.A.p[row + 1]; k++)
      rest -= g.A.x[k] * x[g.A.i[k]];
    assert_true(fabs(rest) < 1e-13);
  }
  slipi_factor_free(factor);
  slipi_arena_free(&g.arena);
}

/* With rows of a face last, solves within them see less of the factors and give the same values. */
static void test_last(void **state) {
  (void)state;
  Grid g = make_grid();
  enum { FACE = ROWS / SIDE };
  bool *last = SLIPI_ARENA_NEW(&g.arena, bool, ROWS);
  double *b = SLIPI_ARENA_NEW(&g.arena, double, ROWS), *x = SLIPI_ARENA_NEW(&g.arena, double, ROWS);
  double flops[2];
  for (int32_t k = 0; k < FACE; k++)
    last[k] = true;
  b[FACE / 2] = 1;
  for (int s = 0; s < 2; s++) {
    SlipiFactor *factor;
    SlipiWithin *within;
    assert_int_equal(
        slipi_factor_create_last(&g.A, "A", NULL, s ? last : NULL, 100 * FACE, NULL, &factor, NULL),
        SLIP_OK);
    assert_int_equal(slipi_factor_within(factor, last, &g.arena, &within, NULL), SLIP_OK);
    assert_non_null(within);
    flops[s] = slipi_within_flops(within);
    double *X = SLIPI_ARENA_NEW(&g.arena, double, slipi_within_room(within));
    X[slipi_within_place(within, FACE / 2)] = 1;
    assert_true(slipi_within_solve(within, 0, 1, NULL, X));
    if (s == 0)
      assert_int_equal(slipi_factor_solve(factor, b, x, NULL), SLIP_OK);
    for (int32_t k = 0; k < FACE; k++)
      assert_true(fabs(X[slipi_within_place(within, k)] - x[k]) < 1e-13 * fabs(x[FACE / 2]));
    slipi_factor_free(factor);
  }
  assert_true(flops[1] < flops[0]);
  slipi_arena_free(&g.arena);
}

/* Wherever it is told to end it does, with no further question; in the end there are some within
 * the arithmetic, not only before it. */
static void test_stops(void **state) {
  (void)state;
  Grid g = make_grid();
  SlipiFactor *factor;
  SlipError error;
  Count all = {.most = INT_MAX};
  SlipiStop stop = {count, &all};
  assert_int_equal(slipi_factor_create(&g.A, "A", NULL, &stop, &factor, &error), SLIP_OK);
  slipi_factor_free(factor);
  assert_true(all.asked > 10);
  for (int most = 0; most < all.asked; most += 1 + all.asked / 8) {
    Count some = {.most = most};
    stop.user = &some;
    assert_int_equal(slipi_factor_create(&g.A, "A", NULL, &stop, &factor, &error),
                     SLIP_ERROR_NUMERIC);
    assert_null(factor);
    assert_int_equal(some.asked, most + 1);
  }
  slipi_arena_free(&g.arena);
}

static void test_not_definite(void **state) {
  (void)state;
  Grid g = make_grid();
  SlipiFactor *factor;
  SlipError error;
  g.A.x[diagonal_of(&g, 3000)] = -1;
  assert_int_equal(slipi_factor_create(&g.A, "A", NULL, NULL, &factor, &error), SLIP_ERROR_PROBLEM);
  assert_string_equal(error.text,
                      "A is not positive definite: the pivot of row 3000 is not positive");
  slipi_arena_free(&g.arena);
}

/* The same analysis for other values, one of them indefinite, one given up. */
static void test_again(void **state) {
  (void)state;
  Grid g = make_grid();
  SlipiCholesky *cholesky;
  SlipiCsr lower = {.rows = ROWS, .cols = ROWS};
  int32_t used = 0;
  Count none = {.most = 0};
  SlipiStop stop = {count, &none};
  bool definite;
  lower.p = SLIPI_ARENA_NEW(&g.arena, int32_t, ROWS + 1);
  lower.i = SLIPI_ARENA_NEW(&g.arena, int32_t, g.A.p[ROWS]);
  lower.x = SLIPI_ARENA_NEW(&g.arena, double, g.A.p[ROWS]);
  for (int32_t row = 0; row < ROWS; row++) {
    for (int32_t k = diagonal_of(&g, row); k < g.A.p[row + 1]; k++) {
      lower.i[used] = g.A.i[k];
      lower.x[used++] = g.A.x[k];
    }
    lower.p[row + 1] = used;
  }
  assert_int_equal(slipi_cholesky_create(&lower, &cholesky, NULL), SLIP_OK);
  assert_int_equal(slipi_cholesky_factor(cholesky, NULL, &definite, NULL), SLIP_OK);
  assert_true(definite);
  lower.x[lower.p[100]] = 0.1;
  assert_int_equal(slipi_cholesky_factor(cholesky, NULL, &definite, NULL), SLIP_OK);
  assert_false(definite);
  lower.x[lower.p[100]] = 50;
  assert_int_equal(slipi_cholesky_factor(cholesky, &stop, &definite, NULL), SLIP_ERROR_NUMERIC);
  assert_int_equal(none.asked, 1);
  assert_int_equal(slipi_cholesky_factor(cholesky, NULL, &definite, NULL), SLIP_OK);
  assert_true(definite);
  slipi_cholesky_free(cholesky);
  slipi_arena_free(&g.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solves), cmocka_unit_test(test_last),
      cmocka_unit_test(test_stops),  cmocka_unit_test(test_not_definite),
      cmocka_unit_test(test_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
