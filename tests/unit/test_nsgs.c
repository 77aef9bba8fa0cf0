/* nsgs and psor: conformance on every built-in problem they may solve, with every one-contact
 * solver, order and tolerance rule, against the independent residual and known solutions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/slipcone.h>

#include "contact/chunks.h"
#include "contact/graph.h"
#include "contact/onecontact.h"
#include "solving.h"

enum { CHUNKED = 2500 }; /* contacts: two chunks of a sweep and some more */

static void solve_by_sweeps(const SlipProblem *problem, const char *kind) {
  /* Condition 1e6 and more: hundreds of thousands of sweeps, which is what other methods are
   * for. */
  if (strcmp(kind, "ill") == 0)
    return;
  expect_solved(problem, kind, "nsgs", "tol=1e-6 max-iter=50000", 1e-6);
  expect_solved(problem, kind, "nsgs-accelerated", "tol=1e-6 max-iter=50000", 1e-6);
  expect_solved(problem, kind, "psor", "tol=1e-4 omega=0.9 max-iter=50000", 1e-4);
}

static void test_every_built_in_problem(void **state) {
  (void)state;
  each_built_in_problem(30, solve_by_sweeps);
}

/* Newton without a line search may cycle on a contact for ever (Algorithm 4 promises nothing):
 * then the run must say so. Every other one-contact solver must solve. */
static void check_one_contact_solver(const SlipProblem *problem, const char *kind, int solver,
                                     const char *rule) {
  char options[128];
  bool plain_newton = solver == SLIPI_ONE_NEWTON_AC || solver == SLIPI_ONE_NEWTON_JM;
  snprintf(options, sizeof options, "tol=1e-7 max-iter=20000 local-solver=%s local-tol-rule=%s",
           slipi_one_contact_names[solver], rule);
  if (plain_newton) {
    Solved run = solve_with(problem, "nsgs", options, NULL);
    assert_true((run.outcome == SLIP_SOLVED) == (run.reference <= 1e-7 * (1 + 1e-6)));
    free(run.r);
  } else {
    expect_solved(problem, kind, "nsgs", options, 1e-7);
  }
}

static void test_every_one_contact_solver(void **state) {
  (void)state;
  static const char *const kinds[] = {"random",    "unsymmetric", "frictionless",
                                      "bilateral", "joints",      NULL};
  for (int k = 0; kinds[k]; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_problem(kinds[k], 25, d, NULL);
      for (int s = 0; slipi_one_contact_names[s]; s++) {
        check_one_contact_solver(problem, kinds[k], s, "fixed");
        check_one_contact_solver(problem, kinds[k], s, "adaptive");
      }
      slip_problem_free(problem);
    }
  }
}

static void test_orders_and_seeds(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 40, 3, NULL);
  expect_solved(problem, "random", "nsgs", "tol=1e-8 order=shuffle-once", 1e-8);
  expect_solved(problem, "random", "nsgs", "tol=1e-8 order=shuffle-each seed=3", 1e-8);
  Solved a = solve_with(problem, "nsgs", "tol=1e-8 order=shuffle-each seed=3", NULL);
  Solved b = solve_with(problem, "nsgs", "tol=1e-8 order=shuffle-each seed=3", NULL);
  Solved c = solve_with(problem, "nsgs", "tol=1e-8 order=shuffle-each seed=4", NULL);
  assert_memory_equal(a.r, b.r, 120 * sizeof(double));
  assert_memory_not_equal(a.r, c.r, 120 * sizeof(double));
  free(a.r);
  free(b.r);
  free(c.r);
  slip_problem_free(problem);
}

static void test_known_solution(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    double *known;
    SlipProblem *problem = generate_unique(50, d, &known);
    Solved run = solve_with(problem, "nsgs", "tol=1e-13", NULL);
    assert_int_equal(run.outcome, SLIP_SOLVED);
    for (int k = 0; k < 50 * d; k++)
      assert_true(fabs(run.r[k] - known[k]) < 1e-10);
    slip_generate_free_r(known);
    free(run.r);
    slip_problem_free(problem);
  }
}

/* The three operators walk the same path up to rounding. */
static void test_operators_agree(void **state) {
  (void)state;
  static const char *const operators[] = {"dense", "block", "velocity", NULL};
  SlipProblem *problem = generate_problem("deficient-global", 24, 3, NULL);
  Solved first = solve_with(problem, "nsgs", "max-iter=20 tol=0 operator=dense", NULL);
  for (int k = 1; operators[k]; k++) {
    char options[64];
    snprintf(options, sizeof options, "max-iter=20 tol=0 operator=%s", operators[k]);
    Solved run = solve_with(problem, "nsgs", options, NULL);
    assert_true(fabs(run.error - first.error) <= 1e-8 * first.error);
    free(run.r);
  }
  free(first.r);
  slip_problem_free(problem);
}

/* Damping sets in where sweeps stop getting ahead, changes nothing before, and is off on demand. */
static void test_damping(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("deficient", 60, 3, NULL);
  Solved a = solve_with(problem, "nsgs", "max-iter=150 tol=0", NULL);
  Solved b = solve_with(problem, "nsgs", "max-iter=150 tol=0 damping=off", NULL);
  assert_memory_equal(a.r, b.r, 180 * sizeof(double));
  free(a.r);
  free(b.r);
  slip_problem_free(problem);
  /* A relaxation this strong makes some contacts swing. */
  problem = generate_problem("random", 40, 3, NULL);
  a = solve_with(problem, "psor", "omega=2.05 max-iter=4000 tol=1e-8", NULL);
  b = solve_with(problem, "psor", "omega=2.05 max-iter=4000 tol=1e-8 damping=off", NULL);
  assert_int_not_equal(b.outcome, SLIP_SOLVED);
  assert_int_equal(a.outcome, SLIP_SOLVED);
  free(a.r);
  free(b.r);
  slip_problem_free(problem);
}

/* How often the error is looked at changes nothing, also where damping has set in by it. */
static void test_looks_change_nothing(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 40, 3, NULL);
  const char *const often = "omega=2.05 max-iter=450 tol=0 error-every=1";
  const char *const seldom = "omega=2.05 max-iter=450 tol=0 error-every=100000";
  Solved a = solve_with(problem, "psor", often, NULL);
  Solved b = solve_with(problem, "psor", seldom, NULL);
  assert_true(a.error < 1e-3); /* the last point is the best */
  assert_memory_equal(a.r, b.r, 120 * sizeof(double));
  free(a.r);
  free(b.r);
  slip_problem_free(problem);
}

/* mu = 0, tiny, large and huge are all valid. */
static void test_extreme_friction(void **state) {
  (void)state;
  static const double mus[] = {0, 1e-8, 1e-3, 10, 1e3, 1e8};
  for (int k = 0; k < 6; k++) {
    SlipGenerate options = slip_default_generate();
    SlipProblem *problem;
    slip_generate_defaults("random", &options, NULL);
    options.contacts = 12;
    options.mu = mus[k];
    SlipError error;
    if (slip_generate("random", &options, &problem, NULL, &error) != SLIP_OK)
      fail_msg("%s", error.text);
    expect_solved(problem, "random, any mu", "nsgs", "tol=1e-7 max-iter=20000", 1e-7);
    slip_problem_free(problem);
  }
}

static size_t impulse_bytes(const SlipProblem *problem) {
  int32_t size = slip_problem_contacts(problem) * slip_problem_dimension(problem);
  return (size_t)size * sizeof(double);
}

static void expect_a_third(const SlipProblem *problem, const char *options, double tol) {
  Solved plain = solve_with(problem, "nsgs", options, NULL);
  Solved fast = solve_with(problem, "nsgs-accelerated", options, NULL);
  assert_int_equal(fast.outcome, SLIP_SOLVED);
  assert_true(fast.reference <= tol * (1 + 1e-6));
  assert_true(3 * fast.iterations <= plain.iterations);
  free(plain.r);
  free(fast.r);
}

/* A third of the sweeps or less where plain ones are slow, with every operator, in 2D and 3D. */
static void test_acceleration_is_faster(void **state) {
  (void)state;
  static const char *const operators[] = {"block", "velocity", NULL};
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_problem("pile", 300, d, NULL);
    for (int k = 0; operators[k]; k++) {
      char options[64];
      snprintf(options, sizeof options, "tol=1e-6 max-iter=20000 operator=%s", operators[k]);
      expect_a_third(problem, options, 1e-6);
    }
    slip_problem_free(problem);
  }
}

/* Sweeps by chunks in the velocity form have one momentum for all contacts: it is as fast, and what
 * it pushes stays the velocities of the impulses. */
static void test_acceleration_by_chunks(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_problem("pile", CHUNKED, d, NULL);
    const char *options = "tol=1e-4 max-iter=1200 order=chunks operator=velocity";
    expect_a_third(problem, options, 1e-4);
    slip_problem_free(problem);
  }
}

/* However often the error is looked at, one momentum for all contacts makes the same sweeps, to the
 * bit of the last one's error (the best point is one that was looked at): the row state is the
 * sweep's own, and made anew of the impulses after so many sweeps. */
static void test_momentum_stays_exact(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", CHUNKED, 3, NULL);
  const char *options = "tol=0 max-iter=160 order=chunks operator=velocity";
  char often[128];
  snprintf(often, sizeof often, "%s error-every=5", options);
  Solved rarely = solve_with(problem, "nsgs-accelerated", options, NULL);
  Solved each = solve_with(problem, "nsgs-accelerated", often, NULL);
  assert_int_equal(rarely.iterations, each.iterations);
  assert_memory_equal(&rarely.last, &each.last, sizeof rarely.last);
  free(rarely.r);
  free(each.r);
  slip_problem_free(problem);
}

/* Loads are handed down only where nothing is known yet and q is what the problem's f makes of it:
 * a first sweep from a start of any kind is a plain one. */
static void test_loads(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", CHUNKED, 3, NULL);
  const char *options = "tol=0 max-iter=1 order=chunks operator=velocity";
  Solved cold = solve_with(problem, "nsgs-accelerated", options, NULL);
  Solved plain = solve_with(problem, "nsgs", options, NULL);
  double *r = calloc(1, impulse_bytes(problem));
  assert_non_null(r);
  r[0] = 1e-9; /* a start, however small: the same sweep as without momentum */
  Solved warm = solve_with(problem, "nsgs-accelerated", options, r);
  Solved warm_plain = solve_with(problem, "nsgs", options, r);
  assert_memory_not_equal(cold.r, plain.r, impulse_bytes(problem));
  assert_memory_equal(warm.r, warm_plain.r, impulse_bytes(problem));
  free(r);
  free(cold.r);
  free(plain.r);
  free(warm.r);
  free(warm_plain.r);
  slip_problem_free(problem);
}

/* Sweeps over few contacts are mixed: less than two thirds of those without that do, in 2D and 3D,
 * with every operator, to a solution by the independent residual. Over more contacts they are as
 * they were. */
static void test_mixing(void **state) {
  (void)state;
  static const char *const operators[] = {"dense", "block", "velocity"};
  for (int k = 0; k < 6; k++) {
    SlipProblem *problem = generate_problem("pile", 24, 2 + k / 3, NULL);
    char options[96];
    snprintf(options, sizeof options, "tol=1e-8 operator=%s mixing=off", operators[k % 3]);
    Solved apart = solve_with(problem, "nsgs-accelerated", options, NULL);
    snprintf(options, sizeof options, "tol=1e-8 operator=%s", operators[k % 3]);
    Solved mixed = solve_with(problem, "nsgs-accelerated", options, NULL);
    assert_int_equal(mixed.outcome, SLIP_SOLVED);
    assert_true(mixed.reference <= 1e-8 * (1 + 1e-6));
    assert_true(3 * mixed.iterations < 2 * apart.iterations);
    free(apart.r);
    free(mixed.r);
    slip_problem_free(problem);
  }
  SlipProblem *problem = generate_problem("pile", 90, 3, NULL);
  Solved apart = solve_with(problem, "nsgs-accelerated", "max-iter=10 tol=0 mixing=off", NULL);
  Solved same = solve_with(problem, "nsgs-accelerated", "max-iter=10 tol=0", NULL);
  Solved mixed = solve_with(problem, "nsgs-accelerated", "max-iter=10 tol=0 mixing=on", NULL);
  assert_memory_equal(apart.r, same.r, impulse_bytes(problem));
  assert_memory_not_equal(apart.r, mixed.r, impulse_bytes(problem));
  free(apart.r);
  free(same.r);
  free(mixed.r);
  slip_problem_free(problem);
}

/* Where plain sweeps converge fast, accelerated ones are the same sweeps, unless they are mixed. */
static void test_acceleration_waits(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("elastic", 40, 3, NULL);
  Solved plain = solve_with(problem, "nsgs", "max-iter=10 tol=0", NULL);
  Solved fast = solve_with(problem, "nsgs-accelerated", "max-iter=10 tol=0 mixing=off", NULL);
  assert_memory_equal(plain.r, fast.r, impulse_bytes(problem));
  free(plain.r);
  free(fast.r);
  slip_problem_free(problem);
}

/* A solver that has run before gives the same bits, and a start near the solution pays. */
static void test_acceleration_repeats(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("wall", 120, 3, NULL);
  size_t size = impulse_bytes(problem);
  Solved a = solve_with(problem, "nsgs-accelerated", "tol=1e-5", NULL);
  Solved b = solve_with(problem, "nsgs-accelerated", "tol=1e-5", NULL);
  Solved warm = solve_with(problem, "nsgs-accelerated", "tol=3e-6", a.r);
  assert_memory_equal(a.r, b.r, size);
  assert_int_equal(warm.outcome, SLIP_SOLVED);
  assert_true(warm.iterations < a.iterations);
  free(a.r);
  free(b.r);
  free(warm.r);
  slip_problem_free(problem);
}

static void expect_same_bits(const SlipProblem *problem, const char *method, const char *operator) {
  char options[96];
  double *first = NULL;
  for (int threads = 1; threads <= 3; threads++) {
    snprintf(options, sizeof options,
             "tol=1e-5 max-iter=40 order=chunks operator=%s threads=%d", operator, threads);
    Solved run = solve_with(problem, method, options, NULL);
    if (!first) {
      first = run.r;
      continue;
    }
    assert_memory_equal(first, run.r, impulse_bytes(problem));
    free(run.r);
  }
  free(first);
}

/* The chunks and their colours come from the problem, not from the threads. */
static void test_threads_change_no_bit(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_problem("pile", CHUNKED, d, NULL);
    expect_same_bits(problem, "nsgs", "velocity");
    expect_same_bits(problem, "nsgs", "block");
    expect_same_bits(problem, "nsgs-accelerated", "velocity");
    expect_same_bits(problem, "nsgs-accelerated", "block");
    slip_problem_free(problem);
  }
  /* many contacts, where chunks wait for their neighbours only */
  SlipProblem *problem = generate_problem("pile", 2 * SLIPI_CHUNKS_FROM, 3, NULL);
  expect_same_bits(problem, "nsgs-accelerated", "velocity");
  slip_problem_free(problem);
}

/* Chunks of a chain have a body in common with themselves and those beside them. */
static void expect_chain(const SlipiGraph *graph, SlipiArena *arena, SlipiChunks *chunks) {
  assert_null(chunks->near.near);
  assert_int_equal(slipi_chunks_link(graph, arena, chunks, NULL), SLIP_OK);
  for (int32_t place = 0; place < chunks->count; place++) {
    int32_t chunk = chunks->list[place];
    int32_t first = chunks->near.near_p[place], count = chunks->near.near_p[place + 1] - first;
    assert_int_equal(count, 1 + (chunk > 0) + (chunk + 1 < chunks->count));
    for (int32_t k = first; k < first + count; k++)
      assert_in_range(chunks->list[chunks->near.near[k]] - chunk + 1, 0, 2);
  }
}

/* Chunks are what their names say: chunks of one colour share no body. */
static void test_chunks(void **state) {
  (void)state;
  /* Contact a joins bodies a and a + 1 of a chain: two colours do. */
  enum { CONTACTS = 100, SIZE = 8 };
  int32_t p[CONTACTS + 1], j[2 * CONTACTS];
  for (int32_t a = 0; a < CONTACTS; a++) {
    p[a] = 2 * a;
    j[2 * a] = a;
    j[2 * a + 1] = a + 1;
  }
  p[CONTACTS] = 2 * CONTACTS;
  SlipiGraph graph = {.nc = CONTACTS, .groups = CONTACTS + 1, .p = p, .j = j};
  SlipiArena arena = {0};
  SlipiChunks chunks;
  assert_int_equal(slipi_chunks_create(&graph, SIZE, &arena, &chunks, NULL), SLIP_OK);
  assert_int_equal(chunks.count, CONTACTS / SIZE);
  assert_int_equal(chunks.colours, 2);
  assert_int_equal(slipi_chunk_end(&chunks, chunks.count - 1), CONTACTS);
  for (int32_t k = 0; k < chunks.count; k++)
    assert_int_equal(chunks.list[k] % 2, k >= chunks.start[1]);
  expect_chain(&graph, &arena, &chunks);
  /* All on one body: there is nothing to do side by side. */
  for (int32_t k = 0; k < 2 * CONTACTS; k++)
    j[k] = 0;
  assert_int_equal(slipi_chunks_create(&graph, 2, &arena, &chunks, NULL), SLIP_OK);
  assert_int_equal(chunks.count, 1);
  assert_int_equal(slipi_chunk_end(&chunks, 0), CONTACTS);
  slipi_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_built_in_problem),
      cmocka_unit_test(test_every_one_contact_solver),
      cmocka_unit_test(test_orders_and_seeds),
      cmocka_unit_test(test_known_solution),
      cmocka_unit_test(test_operators_agree),
      cmocka_unit_test(test_extreme_friction),
      cmocka_unit_test(test_damping),
      cmocka_unit_test(test_looks_change_nothing),
      cmocka_unit_test(test_acceleration_is_faster),
      cmocka_unit_test(test_acceleration_by_chunks),
      cmocka_unit_test(test_momentum_stays_exact),
      cmocka_unit_test(test_loads),
      cmocka_unit_test(test_mixing),
      cmocka_unit_test(test_acceleration_waits),
      cmocka_unit_test(test_acceleration_repeats),
      cmocka_unit_test(test_threads_change_no_bit),
      cmocka_unit_test(test_chunks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
