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

enum { FACE = 2 * ROWS / SIDE }; /* of two layers of nodes */

typedef struct Products {
  double G[FACE][FACE]; /* of columns in turn: the lower triangle */
  int32_t height;       /* of the first chunk */
} Products;

static void keep_products(void *user, int32_t first, int32_t count, int32_t height,
                          const double *values) {
  Products *kept = user;
  kept->height = first == 0 ? height : kept->height;
  for (int32_t c = 0; c < count; c++)
    for (int32_t r = c; r < height; r++)
      kept->G[first + r][first + c] = values[(int64_t)c * height + r];
}

/* B'A^-1 B for columns with entries in two rows of a face, which are in different branches of the
 * elimination: more than one chunk of them, against whole solves, all products or those within a
 * chunk. They take fewer operations than solves through the same part of the factors. */
static void test_products(void **state) {
  (void)state;
  Grid g = make_grid();
  SlipiArena arena = {0};
  SlipiFactor *factor;
  SlipiWithin *within;
  SlipiCsr Bt = {.rows = FACE, .cols = ROWS};
  bool *marked = SLIPI_ARENA_NEW(&g.arena, bool, ROWS);
  double *b = SLIPI_ARENA_NEW(&g.arena, double, ROWS), *x = SLIPI_ARENA_NEW(&g.arena, double, ROWS);
  Products *kept = SLIPI_ARENA_NEW(&g.arena, Products, 2);
  Bt.p = SLIPI_ARENA_NEW(&g.arena, int32_t, FACE + 1);
  Bt.i = SLIPI_ARENA_NEW(&g.arena, int32_t, 2 * FACE);
  Bt.x = SLIPI_ARENA_NEW(&g.arena, double, 2 * FACE);
  for (int32_t c = 0; c < FACE; c++) {
    marked[c] = true;
    Bt.i[2 * c] = c;
    Bt.i[2 * c + 1] = (c + FACE / 2) % FACE;
    Bt.x[2 * c] = 1 + 0.1 * sin(c);
    Bt.x[2 * c + 1] = c % 5 == 0 ? 0.5 : 0;
    Bt.p[c + 1] = 2 * c + 2;
  }
  assert_int_equal(slipi_factor_create(&g.A, "A", NULL, NULL, &factor, NULL), SLIP_OK);
  assert_int_equal(slipi_factor_within(factor, marked, &g.arena, &within, NULL), SLIP_OK);
  assert_non_null(within);
  SlipiWithinProduct product = {.within = within, .Bt = &Bt, .keep = keep_products};
  assert_true(slipi_within_product_flops(&product, &arena) < FACE * slipi_within_flops(within));
  for (int k = 0; k < 2; k++) {
    product.user = &kept[k];
    product.own_only = k == 1;
    assert_int_equal(slipi_within_product(&product, NULL, NULL, &arena, NULL), SLIP_OK);
  }
  assert_int_equal(kept[0].height, FACE);
  assert_int_equal(kept[1].height, SLIPI_PRODUCT_COLUMNS);
  for (int32_t c = 0; c < FACE; c += 7) {
    for (int32_t k = 0; k < ROWS; k++)
      b[k] = 0;
    for (int32_t k = Bt.p[c]; k < Bt.p[c + 1]; k++)
      b[Bt.i[k]] += Bt.x[k];
    assert_int_equal(slipi_factor_solve(factor, b, x, NULL), SLIP_OK);
    for (int32_t r = c; r < FACE; r++) {
      double value = Bt.x[2 * r] * x[Bt.i[2 * r]] + Bt.x[2 * r + 1] * x[Bt.i[2 * r + 1]];
      bool own = r / SLIPI_PRODUCT_COLUMNS == c / SLIPI_PRODUCT_COLUMNS;
      assert_true(fabs(kept[0].G[r][c] - value) < 1e-14);
      assert_true(fabs(kept[1].G[r][c] - (own ? value : 0)) < 1e-14);
    }
  }
  slipi_factor_free(factor);
  slipi_arena_free(&arena);
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
      cmocka_unit_test(test_solves), cmocka_unit_test(test_products),
      cmocka_unit_test(test_stops),  cmocka_unit_test(test_not_definite),
      cmocka_unit_test(test_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
