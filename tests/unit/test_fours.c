/* Visits to four contacts at a time, of spheres (a pile) and of any bodies (a wall):
 * what is chosen has no body in common, a sweep does what visits one by one in the same order do,
 * but for the rounding of rows, wide registers change no bit, and sweeps by fours solve to what
 * single precision alone could not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "base/random.h"
#include "base/wide.h"
#include "contact/operator.h"
#include "methods/nsgs_fours.h"
#include "solving.h"

enum { CONTACTS = 700, SIZE = 200 };

typedef struct Heap {
  SlipProblem *problem;
  SlipiMass *mass;
  SlipiOperator *op;
  SlipiArena arena;
  SlipiGraph graph;
  SlipiChunks chunks;
  SlipiFours fours;
  SlipiRowState rows;
  SlipiOneContact *one;
  double *q, *r;
} Heap;

static void prepare(Heap *h, double mu) {
  for (int32_t a = 0; a < h->op->nc; a++) {
    double W[9];
    assert_int_equal(slipi_operator_diagonal(h->op, a, W, NULL), SLIP_OK);
    slipi_one_contact_prepare(&h->one[a], W, slipi_law(SLIP_COULOMB, mu));
  }
  slipi_fours_prepare(&h->fours, h->op->places, &h->chunks, h->one);
}

/* Impulses and velocities at random, such that contacts open, stick and slide. */
static void fill_random(Heap *h) {
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int32_t k = 0; k < 3 * h->op->nc; k++) {
    h->q[k] = slipi_random_between(&random, -1, 1) - (k % 3 == 0 ? 0.3 : 0);
    h->r[k] = slipi_random_between(&random, 0, 1) * (k % 3 == 0 ? 1 : 0.1);
  }
  slipi_operator_row_start(h->op, h->r, &h->rows);
}

static void open_heap(Heap *h, const char *kind) {
  *h = (Heap){.problem = generate_problem(kind, CONTACTS, 3, NULL)};
  assert_int_equal(slipi_mass_create(h->problem, &h->mass, NULL), SLIP_OK);
  assert_int_equal(
      slipi_operator_create(h->problem, h->mass, SLIPI_OPERATOR_VELOCITY, 1, &h->op, NULL),
      SLIP_OK);
  assert_int_equal(slipi_graph_create(h->op, &h->arena, &h->graph, NULL), SLIP_OK);
  assert_int_equal(slipi_chunks_create(&h->graph, SIZE, &h->arena, &h->chunks, NULL), SLIP_OK);
  assert_true(h->chunks.count > 1);
  assert_int_equal(slipi_row_state_create(h->op, &h->arena, &h->rows, NULL), SLIP_OK);
  assert_int_equal(
      slipi_fours_create(slipi_operator_pairs(h->op), &h->chunks, &h->arena, &h->fours, NULL),
      SLIP_OK);
  h->one = calloc((size_t)h->op->nc, sizeof *h->one);
  h->q = calloc((size_t)h->op->m, sizeof *h->q);
  h->r = calloc((size_t)h->op->m, sizeof *h->r);
  prepare(h, 0.4);
  fill_random(h);
}

static void close_heap(Heap *h) {
  free(h->one);
  free(h->q);
  free(h->r);
  slipi_arena_free(&h->arena);
  slipi_operator_free(h->op);
  slipi_mass_free(h->mass);
  slip_problem_free(h->problem);
}

static int32_t spare_of(const Heap *h) {
  return h->op->places;
}

static bool share_body(const Heap *h, const SlipiFourHead *head, int a, int b) {
  for (int k = 0; k < 4; k++) {
    int32_t place = head->first[k / 2][a];
    if (place == head->first[k % 2][b] && place != spare_of(h))
      return true;
  }
  return false;
}

/* The heads of a chunk's fours in the order of visits: k from 0 on, NULL behind the last. */
static const SlipiFourHead *head_of(const Heap *h, int32_t chunk, int32_t k) {
  const SlipiFours *fours = &h->fours;
  int32_t first = fours->sphere_start[chunk], count = fours->sphere_start[chunk + 1] - first;
  if (k < count)
    return &fours->sphere[first + k].head;
  k += fours->start[chunk] - count;
  return k < fours->start[chunk + 1] ? &fours->four[k].head : NULL;
}

static const char *const kinds_of_heap[] = {"pile", "wall"};

static void check_choice(const char *kind) {
  Heap h;
  const SlipiFourHead *head;
  open_heap(&h, kind);
  int *count = calloc((size_t)h.op->nc, sizeof *count);
  for (int32_t chunk = 0; chunk < h.chunks.count; chunk++) {
    for (int32_t k = 0; (head = head_of(&h, chunk, k)); k++) {
      for (int l = 0; l < 4; l++) {
        int32_t a = head->contact[l];
        count[a]++;
        assert_true(a >= slipi_chunk_first(&h.chunks, chunk) &&
                    a < slipi_chunk_end(&h.chunks, chunk));
        for (int i = 0; i < l; i++)
          assert_false(share_body(&h, head, i, l));
      }
    }
    for (int32_t k = h.fours.single[chunk]; k < h.fours.single[chunk + 1]; k++)
      count[h.fours.alone[k]]++;
  }
  for (int32_t a = 0; a < h.op->nc; a++)
    assert_int_equal(count[a], 1);
  /* Most contacts are in one, of the kind of their bodies. */
  assert_true(h.fours.single[h.chunks.count] < h.op->nc / 4);
  bool pile = kind == kinds_of_heap[0];
  assert_true((h.fours.sphere_start[h.chunks.count] > 0) == pile);
  assert_true((h.fours.start[h.chunks.count] > 0) == !pile);
  free(count);
  close_heap(&h);
}

static void test_choice(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    check_choice(kinds_of_heap[k]);
}

/* One visit in double, by the functions of a contact alone. */
static void visit_one(Heap *h, int32_t a, double *r, SlipiRowState *rows, int kinds[3]) {
  static const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  double u[3], q[3], next[3], change[3], *own = r + 3 * (int64_t)a;
  slipi_operator_row(h->op, a, r, rows, u);
  const double *W = h->one[a].W;
  for (int k = 0; k < 3; k++)
    q[k] = h->q[3 * (int64_t)a + k] + u[k] -
           (W[3 * k] * own[0] + W[3 * k + 1] * own[1] + W[3 * k + 2] * own[2]);
  memcpy(next, own, sizeof next);
  slipi_one_contact_solve(&h->one[a], &rule, q, next);
  double t = hypot(next[1], next[2]);
  kinds[next[0] == 0 ? 0 : t < 0.4 * next[0] * (1 - 1e-9) ? 1 : 2]++;
  for (int k = 0; k < 3; k++) {
    change[k] = next[k] - own[k];
    own[k] = next[k];
  }
  slipi_operator_row_update(h->op, a, change, rows);
}

static SlipiFoursState state_of(const Heap *h, double *r, double *z) {
  return (SlipiFoursState){.one = h->one, .q = h->q, .r = r, .z = z};
}

static void check_visits(const char *kind) {
  Heap h;
  SlipiRowState rows;
  const SlipiFourHead *head;
  int kinds[3] = {0};
  open_heap(&h, kind);
  assert_int_equal(slipi_row_state_create(h.op, &h.arena, &rows, NULL), SLIP_OK);
  double *r = malloc((size_t)h.op->m * sizeof *r);
  memcpy(r, h.r, (size_t)h.op->m * sizeof *r);
  slipi_operator_row_start(h.op, r, &rows);
  SlipiFoursState by_fours = state_of(&h, h.r, h.rows.z);
  for (int sweep = 0; sweep < 3; sweep++) {
    for (int32_t chunk = 0; chunk < h.chunks.count; chunk++) {
      slipi_fours_visit(&h.fours, chunk, &by_fours);
      for (int32_t k = 0; (head = head_of(&h, chunk, k)); k++) {
        for (int l = 0; l < 4; l++)
          visit_one(&h, head->contact[l], r, &rows, kinds);
      }
    }
  }
  double away = 0, size = 0;
  for (int32_t k = 0; k < h.op->m; k++) {
    away = fmax(away, fabs(r[k] - h.r[k]));
    size = fmax(size, fabs(r[k]));
  }
  assert_true(away <= 3e-6 * size);
  assert_true(away > 0); /* rounded they are */
  for (int k = 0; k < 3; k++)
    assert_true(kinds[k] > 50);
  free(r);
  close_heap(&h);
}

static void test_visits(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    check_visits(kinds_of_heap[k]);
}

/* At a solution nothing moves, however far the blocks are rounded: contacts that slide, with 1 %
 * taken off their blocks. */
static void put_solution(Heap *h, const SlipiFourHead *head) {
  memset(h->rows.z, 0, (size_t)h->rows.size * sizeof *h->rows.z);
  for (int l = 0; l < 4; l++) {
    int64_t at = 3 * (int64_t)head->contact[l];
    double *r = h->r + at, *q = h->q + at;
    r[0] = 10;
    r[1] = 0.4 * 10 * 0.6;
    r[2] = 0.4 * 10 * 0.8;
    q[0] = 0;
    q[1] = -0.02 * r[1];
    q[2] = -0.02 * r[2];
  }
}

static void blur_any(SlipiFour *four) {
  for (int l = 0; l < 4; l++) {
    four->c[l] = 0.8;
    four->s[l] = 0.6;
    four->k[l] *= 0.99F;
    four->inverse[0][l] *= 0.99F;
    four->inverse[1][l] *= 0.99F;
  }
}

static void blur_spheres(SlipiSphereFour *four) {
  for (int l = 0; l < 8; l++)
    four->k[l / 4][l % 4] *= 0.99F;
}

static void check_solution_stays(const char *kind) {
  Heap h;
  open_heap(&h, kind);
  bool spheres = h.fours.sphere_start[1] > 0;
  if (spheres)
    blur_spheres(&h.fours.sphere[0]);
  else
    blur_any(&h.fours.four[0]);
  put_solution(&h, head_of(&h, 0, 0));
  double *before = malloc((size_t)h.op->m * sizeof *before);
  memcpy(before, h.r, (size_t)h.op->m * sizeof *before);
  *(spheres ? &h.fours.sphere_start[1] : &h.fours.start[1]) = 1; /* this four alone */
  SlipiFoursState by_fours = state_of(&h, h.r, h.rows.z);
  slipi_fours_visit(&h.fours, 0, &by_fours);
  for (int32_t k = 0; k < h.op->m; k++)
    assert_true(fabs(h.r[k] - before[k]) <= 1e-12);
  free(before);
  close_heap(&h);
}

static void test_solution_stays(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++)
    check_solution_stays(kinds_of_heap[k]);
}

static void check_registers(const char *kind) {
  Heap h, narrow;
  open_heap(&h, kind);
  open_heap(&narrow, kind);
  narrow.fours.wide = false;
  SlipiFoursState a = state_of(&h, h.r, h.rows.z);
  SlipiFoursState b = state_of(&narrow, narrow.r, narrow.rows.z);
  for (int sweep = 0; sweep < 5; sweep++) {
    for (int32_t chunk = 0; chunk < h.chunks.count; chunk++) {
      SlipiFoursSums x = slipi_fours_visit(&h.fours, chunk, &a);
      SlipiFoursSums y = slipi_fours_visit(&narrow.fours, chunk, &b);
      assert_memory_equal(&x.changed, &y.changed, sizeof x.changed);
    }
  }
  assert_memory_equal(h.r, narrow.r, (size_t)h.op->m * sizeof *h.r);
  assert_memory_equal(h.rows.z, narrow.rows.z, (size_t)h.rows.size * sizeof *h.rows.z);
  close_heap(&h);
  close_heap(&narrow);
}

static void test_registers(void **state) {
  (void)state;
  if (!slipi_has_wide_registers())
    skip();
  for (int k = 0; k < 2; k++)
    check_registers(kinds_of_heap[k]);
}

/* Plain, with one momentum for all and with one for each contact; below 1e-6 contacts are visited
 * alone. */
static void test_solves(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", CONTACTS, 3, NULL);
  expect_solved(problem, "pile", "nsgs-accelerated", "tol=1e-6 operator=velocity", 1e-6);
  expect_solved(problem, "pile", "nsgs-accelerated", "tol=1e-8 operator=velocity", 1e-8);
  expect_solved(problem, "pile", "nsgs-accelerated", "tol=1e-6 operator=velocity order=chunks",
                1e-6);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choice),         cmocka_unit_test(test_visits),
      cmocka_unit_test(test_solution_stays), cmocka_unit_test(test_registers),
      cmocka_unit_test(test_solves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
