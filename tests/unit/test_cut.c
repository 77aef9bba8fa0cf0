/* Cuts of graphs into fronts: each node is eliminated once, each edge is in the front of its node
 * that goes first, and what a front leaves is within its parent, so that nothing is lost; and the
 * fill is that of CHOLMOD, which finds the same order and joins by the same rule. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>
#include <cmocka.h>

#include "base/random.h"
#include "linalg/cut.h"

typedef struct Graph {
  int32_t n;
  int32_t *p, *j;
  SlipiArena arena;
} Graph;

/* Nodes on a line, with edges of random lengths up to `reach`, each told by one of its ends. */
static void make_graph(Graph *g, int32_t n, int32_t edges, int32_t reach) {
  SlipiRandom random;
  slipi_random_seed(&random, (uint64_t)n);
  *g = (Graph){.n = n};
  g->p = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->j = SLIPI_ARENA_NEW(&g->arena, int32_t, n * (edges + 1));
  assert_false(g->arena.failed);
  int32_t used = 0;
  for (int32_t a = 0; a < n; a++) {
    g->j[used++] = a;
    for (int32_t k = 0; k < edges; k++)
      g->j[used++] = (a + (int32_t)slipi_random_below(&random, (uint32_t)reach)) % n;
    g->p[a + 1] = used;
  }
}

static bool has_row(const SlipiCut *cut, int32_t front, int32_t place) {
  for (int32_t l = cut->list_p[front]; l < cut->list_p[front + 1]; l++) {
    if (cut->list[l] == place)
      return true;
  }
  return false;
}

static void check_rows(const SlipiCut *cut, const int32_t *owner) {
  for (int32_t f = 0; f < cut->fronts; f++) {
    int32_t first = cut->list_p[f], pivots = cut->super[f + 1] - cut->super[f];
    assert_true(pivots > 0);
    for (int32_t l = first; l < cut->list_p[f + 1]; l++) {
      assert_true(l == first || cut->list[l] > cut->list[l - 1]);
      assert_true(l - first >= pivots || cut->list[l] == cut->super[f] + l - first);
    }
    for (int32_t l = first + pivots; l < cut->list_p[f + 1]; l++)
      assert_true(has_row(cut, owner[cut->list[first + pivots]], cut->list[l]));
  }
}

static void check_cut(const Graph *g, const SlipiCut *cut) {
  int32_t *place = malloc((size_t)g->n * sizeof *place),
          *owner = calloc((size_t)g->n, sizeof *owner);
  assert_non_null(place);
  assert_non_null(owner);
  memset(place, 0xff, (size_t)g->n * sizeof *place);
  for (int32_t k = 0; k < g->n; k++) {
    assert_int_equal(place[cut->order[k]], -1);
    place[cut->order[k]] = k;
  }
  assert_int_equal(cut->super[0], 0);
  assert_int_equal(cut->super[cut->fronts], g->n);
  for (int32_t f = 0; f < cut->fronts; f++) {
    for (int32_t k = cut->super[f]; k < cut->super[f + 1]; k++)
      owner[k] = f;
  }
  check_rows(cut, owner);
  for (int32_t a = 0; a < g->n; a++) {
    for (int32_t e = g->p[a]; e < g->p[a + 1]; e++) {
      int32_t x = place[a], y = place[g->j[e]];
      assert_true(has_row(cut, owner[x < y ? x : y], x < y ? y : x));
    }
  }
  free(place);
  free(owner);
}

/* Entries of the factors, zeros of joined columns included. */
static double entries_of(const SlipiCut *cut) {
  double entries = 0;
  for (int32_t f = 0; f < cut->fronts; f++) {
    double pivots = cut->super[f + 1] - cut->super[f], rows = cut->list_p[f + 1] - cut->list_p[f];
    entries += pivots * rows;
  }
  return entries;
}

/* The same of CHOLMOD's analysis, as it joins by itself. */
static double cholmod_entries(const Graph *g) {
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  cholmod_triplet *edges = cholmod_allocate_triplet((size_t)g->n, (size_t)g->n, (size_t)g->p[g->n],
                                                    -1, CHOLMOD_REAL, &common);
  for (int32_t a = 0; a < g->n; a++) {
    for (int32_t e = g->p[a]; e < g->p[a + 1]; e++, edges->nnz++) {
      int32_t b = g->j[e];
      ((int *)edges->i)[edges->nnz] = a > b ? a : b;
      ((int *)edges->j)[edges->nnz] = a > b ? b : a;
      ((double *)edges->x)[edges->nnz] = 1;
    }
  }
  cholmod_sparse *A = cholmod_triplet_to_sparse(edges, 0, &common);
  cholmod_factor *L = cholmod_analyze(A, &common);
  double entries = (double)L->xsize;
  cholmod_free_factor(&L, &common);
  cholmod_free_sparse(&A, &common);
  cholmod_free_triplet(&edges, &common);
  cholmod_finish(&common);
  return entries;
}

static void test_graphs(void **state) {
  (void)state;
  for (int32_t n = 1; n <= 600; n += n < 10 ? 1 : n / 2) {
    for (int32_t edges = 0; edges <= 4; edges++) {
      Graph g;
      SlipiCut cut;
      make_graph(&g, n, edges, edges % 2 ? 20 : n);
      assert_int_equal(slipi_cut_graph(g.n, g.p, g.j, &g.arena, &cut, NULL), SLIP_OK);
      check_cut(&g, &cut);
      /* Ties are broken by the order in which edges are told, which differs. */
      assert_true(entries_of(&cut) <= 1.1 * cholmod_entries(&g) + 10);
      slipi_arena_free(&g.arena);
    }
  }
}

/* A cube of `side` nodes each way, each with its neighbours after it. */
static void make_cube(Graph *g, int32_t side) {
  int32_t n = side * side * side, used = 0;
  *g = (Graph){.n = n};
  g->p = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->j = SLIPI_ARENA_NEW(&g->arena, int32_t, 4 * n);
  assert_false(g->arena.failed);
  for (int32_t a = 0; a < n; a++) {
    g->j[used++] = a;
    if (a % side < side - 1)
      g->j[used++] = a + 1;
    if (a / side % side < side - 1)
      g->j[used++] = a + side;
    if (a / (side * side) < side - 1)
      g->j[used++] = a + side * side;
    g->p[a + 1] = used;
  }
}

/* Nested dissection makes less fill in three dimensions than minimum degree, and the same cut each
 * time; in other graphs, with parts that do not hang together, it is a cut, too. */
static void test_dissected(void **state) {
  (void)state;
  Graph g;
  SlipiCut cut, again, other;
  make_cube(&g, 15);
  assert_int_equal(slipi_cut_graph(g.n, g.p, g.j, &g.arena, &cut, NULL), SLIP_OK);
  assert_int_equal(slipi_cut_dissected(g.n, g.p, g.j, &g.arena, &other, NULL), SLIP_OK);
  assert_int_equal(slipi_cut_dissected(g.n, g.p, g.j, &g.arena, &again, NULL), SLIP_OK);
  check_cut(&g, &other);
  assert_true(entries_of(&other) < 0.85 * entries_of(&cut));
  assert_memory_equal(other.order, again.order, (size_t)g.n * sizeof *other.order);
  slipi_arena_free(&g.arena);
  for (int32_t edges = 0; edges <= 3; edges++) {
    make_graph(&g, 800, edges, 800);
    assert_int_equal(slipi_cut_dissected(g.n, g.p, g.j, &g.arena, &cut, NULL), SLIP_OK);
    check_cut(&g, &cut);
    slipi_arena_free(&g.arena);
  }
}

/* A cube of hexahedra, `side` nodes each way: all corners of one are neighbours. */
static void make_mesh(Graph *g, int32_t side) {
  int32_t n = side * side * side, used = 0;
  *g = (Graph){.n = n};
  g->p = SLIPI_ARENA_NEW(&g->arena, int32_t, n + 1);
  g->j = SLIPI_ARENA_NEW(&g->arena, int32_t, 14 * n);
  assert_false(g->arena.failed);
  for (int32_t a = 0; a < n; a++) {
    for (int32_t k = 13; k < 27; k++) { /* itself and those after it */
      int32_t x = a % side + k % 3 - 1, y = a / side % side + k / 3 % 3 - 1;
      int32_t z = a / (side * side) + k / 9 - 1;
      if (x >= 0 && x < side && y >= 0 && y < side && z < side)
        g->j[used++] = x + side * (y + side * z);
    }
    g->p[a + 1] = used;
  }
}

/* Of a mesh one dissection is enough. */
static void test_mesh(void **state) {
  (void)state;
  Graph g;
  SlipiCut cut, mesh, both;
  make_mesh(&g, 13);
  assert_int_equal(slipi_cut_graph(g.n, g.p, g.j, &g.arena, &cut, NULL), SLIP_OK);
  assert_int_equal(slipi_cut_mesh(g.n, g.p, g.j, &g.arena, &mesh, NULL), SLIP_OK);
  assert_int_equal(slipi_cut_dissected(g.n, g.p, g.j, &g.arena, &both, NULL), SLIP_OK);
  check_cut(&g, &mesh);
  assert_true(entries_of(&mesh) < 0.85 * entries_of(&cut));
  assert_true(entries_of(&mesh) < 1.1 * entries_of(&both));
  slipi_arena_free(&g.arena);
}

/* ---- Two at once ---- */

typedef struct Cutter {
  const Graph *g;
  const int32_t *order; /* as one thread finds it alone */
  bool same;
} Cutter;

static void *cut_again(void *user) {
  Cutter *cutter = user;
  cutter->same = true;
  for (int k = 0; k < 20; k++) {
    SlipiArena arena = {0};
    SlipiCut cut;
    cutter->same = cutter->same &&
                   slipi_cut_dissected(cutter->g->n, cutter->g->p, cutter->g->j, &arena, &cut,
                                       NULL) == SLIP_OK &&
                   memcmp(cut.order, cutter->order, (size_t)cutter->g->n * sizeof *cut.order) == 0;
    slipi_arena_free(&arena);
  }
  return NULL;
}

/* Threads share no random numbers: the order is the same whatever others do. */
static void test_two_at_once(void **state) {
  (void)state;
  Graph g;
  SlipiCut cut;
  pthread_t thread[2];
  Cutter cutter[2];
  make_cube(&g, 9);
  assert_int_equal(slipi_cut_dissected(g.n, g.p, g.j, &g.arena, &cut, NULL), SLIP_OK);
  for (int t = 0; t < 2; t++) {
    cutter[t] = (Cutter){.g = &g, .order = cut.order};
    assert_int_equal(pthread_create(&thread[t], NULL, cut_again, &cutter[t]), 0);
  }
  for (int t = 0; t < 2; t++)
    assert_int_equal(pthread_join(thread[t], NULL), 0);
  assert_true(cutter[0].same && cutter[1].same);
  slipi_arena_free(&g.arena);
}

static void test_one_front(void **state) {
  (void)state;
  Graph g;
  SlipiCut cut;
  make_graph(&g, 30, 2, 30);
  assert_int_equal(slipi_cut_none(g.n, &g.arena, &cut, NULL), SLIP_OK);
  assert_int_equal(cut.fronts, 1);
  check_cut(&g, &cut);
  slipi_arena_free(&g.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_graphs),    cmocka_unit_test(test_dissected),
      cmocka_unit_test(test_mesh),      cmocka_unit_test(test_two_at_once),
      cmocka_unit_test(test_one_front),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
