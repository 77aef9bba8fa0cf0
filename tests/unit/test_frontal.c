/* The multifrontal LU: solutions against a multiplication, the determinant's sign against changes
 * whose effect is known, on graphs that make one front and many, with nodes of unequal size and
 * with a pattern that is not symmetric. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "linalg/few_pivots.h"
#include "linalg/frontal_parts.h"

typedef struct Grid {
  SlipiNodes nodes;
  int32_t rows;
  int32_t *size, *p, *j, *start;
  int64_t *offset, count;
  double *x, dominance;
  SlipiArena arena;
} Grid;

static void make_values(Grid *g) {
  SlipiRandom random;
  slipi_random_seed(&random, 11);
  for (int64_t k = 0; k < g->count; k++)
    g->x[k] = slipi_random_between(&random, -1, 1);
  for (int32_t a = 0; a < g->nodes.n; a++) {
    for (int32_t k = g->p[a]; k < g->p[a + 1]; k++) {
      for (int32_t i = 0; g->j[k] == a && i < g->size[a]; i++)
        g->x[g->offset[k] + i * (g->size[a] + 1)] += g->dominance;
    }
  }
}

/* A grid of `side` x `side` nodes, each coupled with its four neighbours; sizes go round from
 * `least` on. With `holes`, blocks above the diagonal are left out here and there. Diagonally
 * dominant: the determinant is positive. */
static void make_grid(Grid *g, int32_t side, int32_t least, int32_t sizes, bool holes) {
  int32_t n = side * side, used = 0;
  *g = (Grid){.dominance = 5.0 * (least + sizes)};
  g->size = SLIPI_ARENA_NEW(&g->arena, int32_t, n);
  g->start = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->p = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->j = SLIPI_ARENA_NEW(&g->arena, int32_t, 5 * n);
  g->offset = SLIPI_ARENA_NEW(&g->arena, int64_t, 5 * n);
  for (int32_t a = 0; a < n; a++) {
    g->size[a] = least + a % sizes;
    g->start[a + 1] = g->start[a] + g->size[a];
  }
  int64_t count = 0;
  for (int32_t a = 0; a < n; a++) {
    const int32_t near[] = {a - side, a % side > 0 ? a - 1 : -1, a,
                            a % side < side - 1 ? a + 1 : -1, a + side};
    for (int k = 0; k < 5; k++) {
      if (near[k] < 0 || near[k] >= n || (holes && near[k] > a && (a + k) % 3 == 0))
        continue;
      g->j[used] = near[k];
      g->offset[used++] = count;
      count += (int64_t)g->size[a] * g->size[near[k]];
    }
    g->p[a + 1] = used;
  }
  g->x = SLIPI_ARENA_NEW(&g->arena, double, count);
  assert_false(g->arena.failed);
  g->count = count;
  g->rows = g->start[n];
  g->nodes = (SlipiNodes){.n = n, .size = g->size, .p = g->p, .j = g->j, .offset = g->offset};
  make_values(g);
}

static void multiply(const Grid *g, const double *x, double *y) {
  memset(y, 0, (size_t)g->rows * sizeof *y);
  for (int32_t a = 0; a < g->nodes.n; a++) {
    for (int32_t k = g->p[a]; k < g->p[a + 1]; k++) {
      int32_t columns = g->size[g->j[k]];
      for (int32_t i = 0; i < g->size[a]; i++)
        for (int32_t c = 0; c < columns; c++)
          y[g->start[a] + i] += g->x[g->offset[k] + i * columns + c] * x[g->start[g->j[k]] + c];
    }
  }
}

/* Multiply row i of node a by a factor. */
static void scale_row(Grid *g, int32_t a, int32_t i, double factor) {
  for (int32_t k = g->p[a]; k < g->p[a + 1]; k++)
    for (int32_t c = 0; c < g->size[g->j[k]]; c++)
      g->x[g->offset[k] + i * g->size[g->j[k]] + c] *= factor;
}

/* Swap two rows of node a. */
static void swap_rows(Grid *g, int32_t a, int32_t i, int32_t l) {
  for (int32_t k = g->p[a]; k < g->p[a + 1]; k++) {
    int32_t columns = g->size[g->j[k]];
    for (int32_t c = 0; c < columns; c++) {
      double *x = g->x + g->offset[k], t = x[i * columns + c];
      x[i * columns + c] = x[l * columns + c];
      x[l * columns + c] = t;
    }
  }
}

static int sign_of(SlipiFrontal *frontal, const Grid *g) {
  int sign = 7;
  assert_int_equal(slipi_frontal_factor(frontal, g->x, &sign, NULL), SLIP_OK);
  return sign;
}

static void check_solve(SlipiFrontal *frontal, Grid *g) {
  double *b = SLIPI_ARENA_NEW(&g->arena, double, g->rows);
  double *x = SLIPI_ARENA_NEW(&g->arena, double, g->rows);
  double *back = SLIPI_ARENA_NEW(&g->arena, double, g->rows);
  for (int32_t k = 0; k < g->rows; k++)
    x[k] = b[k] = cos(k);
  slipi_frontal_solve(frontal, x, x); /* in place */
  multiply(g, x, back);
  for (int32_t k = 0; k < g->rows; k++)
    assert_true(fabs(back[k] - b[k]) < 1e-12);
}

static void check(int32_t side, int32_t least, int32_t sizes, bool holes, bool one) {
  Grid g;
  SlipiFrontal *frontal;
  make_grid(&g, side, least, sizes, holes);
  int32_t middle = g.nodes.n / 2;
  assert_int_equal(slipi_frontal_create(&g.nodes, NULL, NULL, &frontal, NULL), SLIP_OK);
  assert_int_equal(slipi_frontal_fronts(frontal) == 1, one);
  double dense = 2.0 / 3 * g.rows * g.rows * g.rows;
  assert_true(one ? slipi_frontal_flops(frontal) == dense : slipi_frontal_flops(frontal) < dense);
  assert_true(slipi_frontal_work(frontal) > 0.1 * slipi_frontal_flops(frontal));
  assert_int_equal(sign_of(frontal, &g), 1);
  double rcond = slipi_frontal_rcond(frontal);
  assert_true(rcond > 1e-6 && rcond <= 1);
  check_solve(frontal, &g);
  scale_row(&g, g.nodes.n - 1, 0, 1e-12);
  assert_int_equal(sign_of(frontal, &g), 1);
  assert_true(slipi_frontal_rcond(frontal) < 1e-7);
  scale_row(&g, g.nodes.n - 1, 0, 1e12);
  scale_row(&g, middle, 0, -0.5);
  assert_int_equal(sign_of(frontal, &g), -1);
  check_solve(frontal, &g);
  swap_rows(&g, 0, 0, 1); /* needs an exchange of rows */
  assert_int_equal(sign_of(frontal, &g), 1);
  check_solve(frontal, &g);
  scale_row(&g, g.nodes.n - 1, 1, 0);
  assert_int_equal(sign_of(frontal, &g), 0);
  g.x[0] = NAN;
  assert_int_equal(sign_of(frontal, &g), 0);
  slipi_frontal_free(frontal);
  slipi_arena_free(&g.arena);
}

static void test_one_front(void **state) {
  (void)state;
  check(2, 2, 3, false, true);
  check(4, 3, 1, true, true);
}

static void test_many_fronts(void **state) {
  (void)state;
  check(12, 3, 1, false, false);
  check(15, 2, 5, false, false);
}

static void test_unsymmetric_pattern(void **state) {
  (void)state;
  check(12, 3, 1, true, false);
  check(9, 2, 6, true, false);
}

/* A better order does not change what is solved, and is sought only where it may pay. */
static void test_dissected(void **state) {
  (void)state;
  const int32_t sides[] = {4, 12, 60};
  for (int k = 0; k < 3; k++) {
    Grid g;
    SlipiFrontal *frontal;
    make_grid(&g, sides[k], 8, 2, true);
    assert_int_equal(slipi_frontal_create(&g.nodes, NULL, NULL, &frontal, NULL), SLIP_OK);
    double work = slipi_frontal_work(frontal), flops = slipi_frontal_flops(frontal);
    assert_int_equal(slipi_frontal_dissect(frontal, NULL), SLIP_OK);
    assert_true(slipi_frontal_work(frontal) <= work);
    bool changed = slipi_frontal_flops(frontal) != flops;
    assert_true(!changed || slipi_frontal_work(frontal) < work);
    assert_true(k > 0 || !changed);
    assert_int_equal(sign_of(frontal, &g), 1);
    check_solve(frontal, &g);
    slipi_frontal_free(frontal);
    slipi_arena_free(&g.arena);
  }
}

static SlipOutcome stop_long(void *user, double ahead) {
  (void)user;
  return ahead > 0 ? SLIP_TIME_LIMIT : SLIP_NOT_RUN;
}

/* An order that takes longer than is left is not begun. */
static void test_dissection_stopped(void **state) {
  (void)state;
  Grid g;
  SlipiFrontal *frontal;
  SlipiStop stop = {.ask = stop_long};
  make_grid(&g, 60, 8, 2, false);
  assert_int_equal(slipi_frontal_create(&g.nodes, NULL, &stop, &frontal, NULL), SLIP_OK);
  assert_int_equal(slipi_frontal_dissect(frontal, NULL), SLIP_ERROR_NUMERIC);
  slipi_frontal_free(frontal);
  slipi_arena_free(&g.arena);
}

/* Which blocks stay: those of two grids that do not touch; of nodes in the same row of the grid,
 * and, where rows are to be joined, of the first or the last of each. */
typedef enum Shape { WHOLE, HALVES, CHAINS, SNAKE } Shape;

static bool stays(Shape shape, int32_t n, int32_t side, int32_t a, int32_t b) {
  int32_t row = (a < b ? a : b) / side, end = row % 2 == 0 ? side - 1 : 0;
  if (shape == HALVES)
    return (a < n / 2) == (b < n / 2);
  return shape == WHOLE || a / side == b / side || (shape == SNAKE && a % side == end);
}

static void cut_grid(Grid *g, int32_t side, Shape shape) {
  int32_t used = 0, begin = 0;
  for (int32_t a = 0; a < g->nodes.n; a++) {
    int32_t end = g->p[a + 1];
    for (int32_t k = begin; k < end; k++) {
      if (stays(shape, g->nodes.n, side, a, g->j[k])) {
        g->j[used] = g->j[k];
        g->offset[used++] = g->offset[k];
      }
    }
    begin = end;
    g->p[a + 1] = used;
  }
}

/* Two grids that do not touch. */
static void test_unconnected(void **state) {
  (void)state;
  Grid g;
  SlipiFrontal *frontal;
  make_grid(&g, 10, 3, 1, false);
  cut_grid(&g, 10, HALVES);
  assert_int_equal(slipi_frontal_create(&g.nodes, NULL, NULL, &frontal, NULL), SLIP_OK);
  assert_int_equal(sign_of(frontal, &g), 1);
  check_solve(frontal, &g);
  slipi_frontal_free(frontal);
  slipi_arena_free(&g.arena);
}

static SlipOutcome count_and_stop(void *user, double ahead) {
  int *left = user;
  (void)ahead;
  return --*left <= 0 ? SLIP_TIME_LIMIT : SLIP_NOT_RUN;
}

/* Large fronts, with rows below them and without, are factored in steps, between which it may be
 * given up. */
static void test_large_fronts(void **state) {
  (void)state;
  Grid g;
  SlipiFrontal *frontal;
  int left = INT_MAX;
  SlipiStop stop = {count_and_stop, &left};
  make_grid(&g, 3, 300, 1, false);
  assert_int_equal(slipi_frontal_create(&g.nodes, NULL, &stop, &frontal, NULL), SLIP_OK);
  assert_true(slipi_frontal_fronts(frontal) > 1);
  for (int32_t a = 0; a < 8; a++) { /* exchanges within a step and across steps */
    swap_rows(&g, a, 0, 1);
    swap_rows(&g, a, 10, 290);
    swap_rows(&g, a, 200, 210);
  }
  scale_row(&g, 3, 299, -1);
  assert_int_equal(sign_of(frontal, &g), -1);
  assert_true(left < INT_MAX);
  check_solve(frontal, &g);
  left = 1;
  assert_int_equal(sign_of(frontal, &g), 0);
  assert_int_equal(left, 0);
  slipi_frontal_free(frontal);
  slipi_arena_free(&g.arena);
}

/* What threads must not change: the sign, the condition, and a solution, which is returned. */
static double *factor_and_solve(SlipiFrontal *frontal, Grid *g, int *sign, double *rcond) {
  double *x = SLIPI_ARENA_NEW(&g->arena, double, g->rows);
  *sign = sign_of(frontal, g);
  *rcond = slipi_frontal_rcond(frontal);
  for (int32_t k = 0; k < g->rows; k++)
    x[k] = cos(k);
  if (*sign != 0)
    slipi_frontal_solve(frontal, x, x);
  return x;
}

/* Fronts with these pivots that are cut into tiles. */
static int large_fronts(const SlipiFrontal *frontal, int32_t least, int32_t most) {
  int count = 0;
  for (int32_t p = 0; p < frontal->factoring.count; p++) {
    int32_t pivots = frontal->front[frontal->factoring.piece[p].first].pivots;
    count += frontal->factoring.piece[p].kind == SLIPI_PIECE_PREPARE && pivots >= least &&
             pivots <= most;
  }
  return count;
}

/* Factor as it is, singular, given up at several places, and as it is again. There are large fronts
 * with these pivots, where `most` > 0. */
static void check_threads(Grid *g, bool dissects, int32_t least, int32_t most) {
  int32_t last = g->nodes.n - 1;
  double *first = NULL, rcond[2];
  for (int threads = 1; threads <= 3; threads++) {
    SlipiTeam *team;
    SlipiFrontal *frontal;
    int left = INT_MAX, sign;
    SlipiStop stop = {count_and_stop, &left};
    assert_int_equal(slipi_team_create(threads, &team, NULL), SLIP_OK);
    assert_int_equal(slipi_frontal_create(&g->nodes, team, &stop, &frontal, NULL), SLIP_OK);
    if (dissects)
      assert_int_equal(slipi_frontal_dissect(frontal, NULL), SLIP_OK);
    assert_true(frontal->factoring.count > 1);
    assert_true(most == 0 || large_fronts(frontal, least, most) > 0);
    for (int again = 0; again < 2; again++) {
      double *x = factor_and_solve(frontal, g, &sign, &rcond[first != NULL]);
      if (!first)
        check_solve(frontal, g);
      first = first ? first : x;
      assert_int_equal(sign, 1);
      assert_memory_equal(x, first, (size_t)g->rows * sizeof *x);
      assert_true(rcond[0] > 0 && (first == x || rcond[1] == rcond[0]));
      for (int32_t k = 0; k < 2 && again == 0; k++) {
        scale_row(g, k * last, 1, 0);
        g->x[0] = k == 0 ? NAN : g->x[0];
        assert_int_equal(sign_of(frontal, g), 0);
        assert_true(slipi_frontal_rcond(frontal) == 0);
        make_values(g);
      }
      for (int asked = 1; asked < 20 && again == 0; asked += 10) {
        left = asked; /* only the thread that asks for the work puts the question */
        sign = sign_of(frontal, g);
        assert_true((sign == 0) == (left <= 0));
        assert_true(threads > 1 || asked > frontal->factoring.count || sign == 0);
      }
      left = INT_MAX;
    }
    slipi_frontal_free(frontal);
    slipi_team_free(team);
  }
}

/* Small nodes that share nothing but a large one, the last: fronts of few pivots and many rows. */
static void make_star(Grid *g, int32_t leaves, int32_t small, int32_t large) {
  int32_t n = leaves + 1, used = 0;
  *g = (Grid){.dominance = 10.0 * large};
  g->size = SLIPI_ARENA_NEW(&g->arena, int32_t, n);
  g->start = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->p = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->j = SLIPI_ARENA_NEW(&g->arena, int32_t, 3 * n);
  g->offset = SLIPI_ARENA_NEW(&g->arena, int64_t, 3 * n);
  for (int32_t a = 0; a < n; a++) {
    g->size[a] = a < leaves ? small : large;
    g->start[a + 1] = g->start[a] + g->size[a];
  }
  for (int32_t a = 0; a < n; a++) {
    for (int32_t b = 0; b < n; b++) {
      if (a != b && a != leaves && b != leaves)
        continue;
      g->j[used] = b;
      g->offset[used++] = g->count;
      g->count += (int64_t)g->size[a] * g->size[b];
    }
    g->p[a + 1] = used;
  }
  g->x = SLIPI_ARENA_NEW(&g->arena, double, g->count);
  assert_false(g->arena.failed);
  g->rows = g->start[n];
  g->nodes = (SlipiNodes){.n = n, .size = g->size, .p = g->p, .j = g->j, .offset = g->offset};
  make_values(g);
}

/* The same bits for any number of threads: trees that branch, that do not, several of them, and
 * large fronts. */
static void test_threads(void **state) {
  (void)state;
  static const struct {
    Shape shape;
    int32_t side, least;
  } cases[] = {{WHOLE, 30, 6}, {HALVES, 30, 6}, {CHAINS, 10, 40}, {SNAKE, 10, 40}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    Grid g;
    make_grid(&g, cases[k].side, cases[k].least, 3, true);
    cut_grid(&g, cases[k].side, cases[k].shape);
    check_threads(&g, k % 2 == 0, 0, 0);
    slipi_arena_free(&g.arena);
  }
}

static void test_threads_in_fronts(void **state) {
  (void)state;
  Grid g;
  make_grid(&g, 4, 100, 3, true);
  check_threads(&g, false, 3 * SLIPI_FRONT_TILE, INT_MAX);
  slipi_arena_free(&g.arena);
  make_star(&g, 4, 50, 500);
  check_threads(&g, false, 1, SLIPI_FEW_PIVOTS);
  slipi_arena_free(&g.arena);
}

static void test_empty(void **state) {
  (void)state;
  static const int32_t p[1] = {0};
  SlipiNodes nodes = {.p = p};
  SlipiFrontal *frontal;
  int sign;
  assert_int_equal(slipi_frontal_create(&nodes, NULL, NULL, &frontal, NULL), SLIP_OK);
  assert_int_equal(slipi_frontal_factor(frontal, NULL, &sign, NULL), SLIP_OK);
  assert_int_equal(sign, 1);
  slipi_frontal_solve(frontal, NULL, NULL);
  slipi_frontal_free(frontal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_front),           cmocka_unit_test(test_many_fronts),
      cmocka_unit_test(test_unsymmetric_pattern), cmocka_unit_test(test_unconnected),
      cmocka_unit_test(test_dissected),           cmocka_unit_test(test_dissection_stopped),
      cmocka_unit_test(test_large_fronts),        cmocka_unit_test(test_threads),
      cmocka_unit_test(test_threads_in_fronts),   cmocka_unit_test(test_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
