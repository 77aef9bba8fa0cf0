/* ipm, its convex form and arc: built-in problems with every law in 2D and 3D, degenerate cases,
 * and what their options promise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/generate.h>

#include "data.h"
#include "solving.h"

static const char *const kinds[] = {"random",      "deficient",    "deficient-global",
                                    "unsymmetric", "frictionless", "bilateral",
                                    "joints",      "dense",        "stack",
                                    "slope",       "pile",         "elastic",
                                    NULL};

static void for_every_kind(const char *method, const char *options, double tol,
                           const char *except) {
  for (int k = 0; kinds[k]; k++) {
    if (strcmp(kinds[k], except) == 0)
      continue;
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_problem(kinds[k], 24, d, NULL);
      expect_solved(problem, kinds[k], method, options, tol);
      slip_problem_free(problem);
    }
  }
}

static void test_ipm_solves(void **state) {
  (void)state;
  /* whose central path turns back */
  for_every_kind("ipm", "tol=1e-6 max-iter=60", 1e-6, "deficient-global");
}

/* Corrections towards the centre: the same problems are solved, larger ones with fewer
 * factorisations. */
static void test_correctors(void **state) {
  (void)state;
  static const char *const larger[] = {"wall", "pile", "stack", "mixed"};
  for_every_kind("ipm", "tol=1e-6 max-iter=60 correctors=3", 1e-6, "deficient-global");
  int64_t without = 0, with = 0;
  for (int k = 0; k < 4; k++) {
    SlipProblem *problem = generate_problem(larger[k], 200, 3, NULL);
    Solved plain = solve_with(problem, "ipm", "tol=1e-6 max-iter=60", NULL);
    Solved corrected = solve_with(problem, "ipm", "tol=1e-6 max-iter=60 correctors=3", NULL);
    assert_int_equal(corrected.outcome, SLIP_SOLVED);
    without += plain.iterations;
    with += corrected.iterations;
    free(plain.r);
    free(corrected.r);
    slip_problem_free(problem);
  }
  assert_true(with < without);
}

static void test_arc_solves(void **state) {
  (void)state;
  for_every_kind("arc", "tol=1e-6 max-iter=150", 1e-6, "");
  /* at the limit of sliding everywhere: the error falls as the root of beta */
  for_every_kind("arc", "tol=1e-6 max-iter=150 beta=10 step=0.5", 1e-6, "slope");
}

/* From a given point, pushed inside. */
static void test_arc_from_a_point(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = generate_problem("random", 24, 3, &known);
  Solved solved = solve_with(problem, "arc", "tol=1e-8 beta=0.1 start=point", known);
  assert_int_equal(solved.outcome, SLIP_SOLVED); /* the known solution is good to tol itself */
  free(solved.r);
  for (int k = 0; k < 72; k++)
    known[k] *= 1.05;
  solved = solve_with(problem, "arc", "tol=1e-8 beta=0.1 start=point", known);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  assert_true(solved.iterations > 0 && solved.reference <= 1e-8 * (1 + 1e-6));
  free(solved.r);
  slip_generate_free_r(known);
  slip_problem_free(problem);
}

/* The convex relaxation has another solution than the full problem, and both methods that can
 * solve it find the same velocities: r of a regular W is unique there. */
static void test_convex(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 20, 3, NULL);
  Solved a = solve_with(problem, "soclcp-ipm", "tol=1e-10", NULL); /* rounding: 1e-12 to 5e-11 */
  Solved b = solve_with(problem, "soclcp-nsgs", "tol=1e-12 max-iter=100000", NULL);
  Solved full = solve_with(problem, "ipm", "tol=1e-10", NULL);
  assert_int_equal(a.outcome, SLIP_SOLVED);
  assert_int_equal(b.outcome, SLIP_SOLVED);
  double most = 0, other = 0;
  for (int k = 0; k < 60; k++) {
    most = fmax(most, fabs(a.r[k] - b.r[k]));
    other = fmax(other, fabs(a.r[k] - full.r[k]));
  }
  assert_true(most < 1e-8);
  assert_true(other > 1e-3);
  free(a.r);
  free(b.r);
  free(full.r);
  slip_problem_free(problem);
}

/* Whether the criterion of existence holds, which is also that of the relaxation. */
static bool is_certified(const SlipProblem *problem) {
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  options.solve = 0;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  bool certified = check->verdict == SLIP_VERDICT_ROBUST || check->verdict == SLIP_VERDICT_EXISTS;
  slip_check_free(check);
  return certified;
}

/* The relaxation of every kind that has a solution, with few factorisations: in local and global
 * form, with bilateral contacts and an unsymmetric W. */
static void test_relaxation_of_every_kind(void **state) {
  (void)state;
  int certified = 0;
  for (int k = 0; kinds[k]; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      SlipProblem *problem = generate_problem(kinds[k], 60, d, NULL);
      bool exists = is_certified(problem);
      certified += exists;
      Solved solved = solve_with(problem, "soclcp-ipm", "tol=1e-8 max-iter=60", NULL);
      if (exists && solved.outcome != SLIP_SOLVED)
        fail_msg("%s in %dD: error %g after %lld iterations", kinds[k], (int)d, solved.error,
                 (long long)solved.iterations);
      free(solved.r);
      slip_problem_free(problem);
    }
  }
  assert_true(certified >= 20); /* of 24: all but W of half rank */
}

/* Where some impulses are 1e9 times others, complementarity falls no further than their rounding,
 * and contacts that are open keep impulses of their own: the projected ones are the result. */
static void test_settled(void **state) {
  (void)state;
  static const uint64_t seeds[] = {2, 7};
  for (int k = 0; k < 2; k++) {
    SlipGenerate options = generate_defaults("ill");
    options.contacts = 150;
    options.seed = seeds[k];
    SlipProblem *problem = generate_with("ill", &options, NULL);
    Solved solved = solve_with(problem, "soclcp-ipm", "tol=3e-9 max-iter=60", NULL);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_true(solved.reference <= 4e-9);
    free(solved.r);
    slip_problem_free(problem);
  }
}

/* Products u'r of contacts with large impulses do not fall below their rounding. They do not keep
 * up the targets of the others: this one would stay at 2.2e-9, 20 times what rounding allows. */
static void test_rounding_of_products(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 600, 3, NULL);
  Solved solved = solve_with(problem, "soclcp-ipm", "tol=5e-10 max-iter=60", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  assert_true(solved.reference <= 6e-10);
  free(solved.r);
  slip_problem_free(problem);
}

/* Contacts that stick have velocities far below the rounding of W r, which must not take them out
 * of their cones: this one would stay at 6e-12. */
static void test_small_velocities(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("drum", 300, 3, NULL);
  Solved solved = solve_with(problem, "soclcp-ipm", "tol=2e-12 max-iter=45", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  free(solved.r);
  slip_problem_free(problem);
}

/* The point that rho pulls to stays where it is once it does no harm: impulses that nothing else
 * holds would set out again, and this pile would not be at 1e-8 after 60 factorisations. */
static void test_anchor_stays(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("pile");
  options.contacts = 2000;
  options.mu = 1;
  SlipProblem *problem = generate_with("pile", &options, NULL);
  Solved solved = solve_with(problem, "soclcp-ipm", "tol=1e-8 max-iter=45", NULL);
  assert_int_equal(solved.outcome, SLIP_SOLVED);
  free(solved.r);
  slip_problem_free(problem);
}

/* The relaxation is solved with corrections towards the centre, which take fewer factorisations. */
static void test_convex_correctors(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("ill", 60, 3, NULL);
  Solved with = solve_with(problem, "soclcp-ipm", "tol=1e-8", NULL),
         without = solve_with(problem, "soclcp-ipm", "tol=1e-8 correctors=0", NULL);
  assert_int_equal(with.outcome, SLIP_SOLVED);
  assert_true(with.iterations < without.iterations);
  free(with.r);
  free(without.r);
  slip_problem_free(problem);
}

/* Within aclm it makes no corrections: with them this pile is not solved in 150 iterations. */
static void test_within_aclm(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("pile");
  options.contacts = 200;
  options.seed = 2;
  SlipProblem *problem = generate_with("pile", &options, NULL);
  expect_solved(problem, "pile", "aclm-ipm", "tol=1e-6 max-iter=80", 1e-6);
  slip_problem_free(problem);
}

/* Projected impulses are the result of `arc`, too: without, these take 26 and 19 iterations. */
static void test_arc_settled(void **state) {
  (void)state;
  SlipProblem *random = generate_problem("random", 20, 3, NULL),
              *slope = generate_problem("slope", 20, 3, NULL);
  expect_solved(random, "random", "arc", "tol=1e-8 max-iter=25", 1e-8);
  expect_solved(slope, "slope", "arc", "tol=1e-8 max-iter=18", 1e-8);
  slip_problem_free(random);
  slip_problem_free(slope);
}

/* Walls, hyperstatic, with the velocities of bodies carried along. */
static void test_walls(void **state) {
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    SlipProblem *problem = generate_problem("wall", 300, d, NULL);
    expect_solved(problem, "wall", "ipm", "tol=1e-6 max-iter=60", 1e-6);
    slip_problem_free(problem);
  }
}

/* High walls with much friction, where the central path is long and steps are short: the first
 * attempt leaves the path and is lost, a second one stays on it. */
static void test_high_wall(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults("wall", &options, NULL), SLIP_OK);
  options.dimension = 2;
  options.contacts = 3058; /* 70 courses of 11 bricks */
  options.mu = 0.9;
  assert_int_equal(slip_generate("wall", &options, &problem, NULL, NULL), SLIP_OK);
  expect_solved(problem, "wall", "ipm", "tol=1e-8 max-iter=200", 1e-8);
  /* `auto` leaves out what helps its interior point on heaps. */
  expect_solved(problem, "wall", "auto", "tol=1e-8 max-iter=400", 1e-8);
  slip_problem_free(problem);
}

/* How many iterations a run takes that must solve. */
static int64_t iterations_of_run(SlipSolver *solver) {
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  return slip_solver_result(solver)->iterations;
}

/* With `keep` the next run, on data changed by a hundredth, starts from an iterate of the last one
 * and needs far fewer steps; without, it starts anew. The first run is the same. */
static void test_keep(void **state) {
  (void)state;
  enum { CONTACTS = 300 };
  SlipProblem *problem = generate_problem("wall", CONTACTS, 3, NULL);
  assert_int_equal(slip_problem_contacts(problem), CONTACTS);
  double mu[CONTACTS];
  int64_t first[2], second[2];
  for (int k = 0; k < CONTACTS; k++)
    mu[k] = 0.7 * (1 + 0.01 * sin(k));
  for (int k = 0; k < 2; k++) {
    SlipSettings *settings;
    SlipSolver *solver;
    assert_int_equal(slip_settings_create("ipm", &settings, NULL), SLIP_OK);
    assert_int_equal(slip_settings_set(settings, "keep", k ? "1e-5" : "0", NULL), SLIP_OK);
    assert_int_equal(slip_settings_set(settings, "tol", "1e-6", NULL), SLIP_OK);
    assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
    first[k] = iterations_of_run(solver);
    assert_int_equal(slip_solver_update(solver, UPDATE(.mu = mu), NULL), SLIP_OK);
    second[k] = iterations_of_run(solver);
    slip_solver_free(solver);
    slip_settings_free(settings);
  }
  assert_int_equal(first[0], first[1]);
  assert_true(second[0] > first[0] / 2);
  assert_true(second[1] < 3 * second[0] / 4);
  slip_problem_free(problem);
}

/* rho holds impulses back, so that a large one takes more steps; as it falls with complementarity
 * and its anchor follows the impulses, it leaves no error of its size (rho r: 1e-9, or 1e-4, times
 * impulses of some hundreds). */
static void test_rho(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("stack", 40, 3, NULL);
  expect_solved(problem, "tiny rho", "ipm", "tol=1e-8 rho=1e-12", 1e-8);
  expect_solved(problem, "small rho", "ipm", "tol=1e-8 rho=1e-9", 1e-8);
  expect_solved(problem, "rho that falls", "ipm", "tol=1e-8 rho=1e-4 max-iter=14", 1e-8);
  Solved weak = solve_with(problem, "ipm", "tol=1e-3 rho=1e-12", NULL);
  Solved strong = solve_with(problem, "ipm", "tol=1e-3 rho=0.1", NULL);
  assert_true(strong.iterations > weak.iterations);
  free(weak.r);
  free(strong.r);
  slip_problem_free(problem);
}

/* mu from 0 to large. */
static void test_extreme_friction(void **state) {
  (void)state;
  static const double mus[] = {0, 1e-6, 1e-2, 3, 10};
  const double W[9] = {2, 0.3, 0.1, 0.3, 1, 0.2, 0.1, 0.2, 1.5}, q[3] = {-1, 0.8, -0.4};
  for (int k = 0; k < 5; k++) {
    SlipProblem *problem;
    SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, W), .q = q,
                                    .laws = LAWS(.mu = &mus[k]));
    assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
    char what[32];
    snprintf(what, sizeof what, "mu = %g", mus[k]);
    expect_solved(problem, what, "ipm", "tol=1e-9 max-iter=60", 1e-9);
    expect_solved(problem, what, "arc", "tol=1e-9 max-iter=100", 1e-9);
    slip_problem_free(problem);
  }
}

/* Only bilateral contacts, one of them twice: a linear system that is singular but consistent. */
static void test_redundant_bilateral(void **state) {
  (void)state;
  double W[36] = {0}, q[6] = {-1, 0.5, 0.2, -1, 0.5, 0.2};
  const double mu[2] = {0, 0};
  const int32_t law[2] = {SLIP_BILATERAL, SLIP_BILATERAL};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      W[6 * i + j] = i % 3 == j % 3 ? 1 + i % 3 : 0;
  SlipProblem *problem;
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 2, .W = slip_dense(6, 6, W), .q = q,
                                  .laws = LAWS(.kind = law, .mu = mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  expect_solved(problem, "redundant bilateral", "ipm", "tol=1e-9 max-iter=20", 1e-9);
  slip_problem_free(problem);
}

/* Without a solution (a frictionless contact pulled in, W = 0) both must end by themselves. */
static void test_no_solution(void **state) {
  (void)state;
  static const char *const methods[] = {"ipm", "arc", NULL};
  const double W[9] = {0}, q[3] = {-1, 0, 0}, mu = 0;
  SlipProblem *problem;
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, W), .q = q,
                                  .laws = LAWS(.mu = &mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  for (int k = 0; methods[k]; k++) {
    Solved solved = solve_with(problem, methods[k], "tol=1e-6 max-iter=10000", NULL);
    assert_true(solved.outcome == SLIP_STALLED || solved.outcome == SLIP_DIVERGED);
    free(solved.r);
  }
  slip_problem_free(problem);
}

static void expect_same_bits(const SlipProblem *problem, const char *method, const char *options,
                             const char *threads) {
  char one[64], many[64];
  snprintf(one, sizeof one, "%s threads=1", options);
  snprintf(many, sizeof many, "%s threads=%s", options, threads);
  Solved a = solve_with(problem, method, one, NULL);
  Solved b = solve_with(problem, method, many, NULL);
  assert_int_equal(a.iterations, b.iterations);
  assert_memory_equal(a.r, b.r, 3 * (size_t)slip_problem_contacts(problem) * sizeof(double));
  free(a.r);
  free(b.r);
}

static void test_same_bits(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("pile", 40, 3, NULL);
  expect_same_bits(problem, "ipm", "tol=1e-6", "2");
  expect_same_bits(problem, "arc", "tol=1e-6", "2");
  slip_problem_free(problem);
}

/* Factorisations that are long enough for threads to share them: of many fronts, and of large
 * ones. */
static void test_same_bits_of_large_problems(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("wall", 8000, 3, NULL);
  expect_same_bits(problem, "ipm", "tol=1e-8 max-iter=4", "2");
  slip_problem_free(problem);
  problem = generate_problem("pile", 2000, 3, NULL);
  expect_same_bits(problem, "ipm", "tol=1e-8 max-iter=3", "3");
  slip_problem_free(problem);
}

/* A body of 1e-4 kg on smooth ground bears one of 100 kg, and both slip: what is left of an impulse
 * along the tangents is multiplied by 1e4. The solution is known: each contact bears what is above
 * it. */
static void test_smooth_under_load(void **state) {
  (void)state;
  enum { COUNT = 2, M = 3 * COUNT };
  const double light = 1e4, heavy = 1e-2, drop = 0.02; /* 1/m, and g h */
  double W[M * M] = {0}, q[M] = {-drop, 0.3, 0.1, 0, -0.2, 0.2};
  for (int k = 0; k < 3; k++) {
    W[k * M + k] = light;
    W[(3 + k) * M + 3 + k] = light + heavy;
    W[k * M + 3 + k] = W[(3 + k) * M + k] = -light;
  }
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  laws.kind = (const int32_t[]){SLIP_FRICTIONLESS, SLIP_FRICTIONLESS};
  laws.mu = (const double[]){0, 0};
  data.dimension = 3;
  data.contacts = COUNT;
  data.W = slip_dense(M, M, W);
  data.q = q;
  data.laws = &laws;
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  static const char *const methods[] = {"ipm", "soclcp-ipm"};
  for (int k = 0; k < 2; k++) {
    Solved solved = solve_with(problem, methods[k], "tol=1e-9 max-iter=60", NULL);
    if (solved.outcome != SLIP_SOLVED || !(solved.reference < 1e-9))
      fail_msg("%s: error %g, %s", methods[k], solved.reference, solved.reason);
    assert_true(fabs(solved.r[0] - (drop / light + drop / heavy)) < 1e-6);
    assert_true(fabs(solved.r[3] - drop / heavy) < 1e-6);
    free(solved.r);
  }
  slip_problem_free(problem);
}

/* A larger centring parameter makes more, shorter reductions. */
static void test_sigma(void **state) {
  (void)state;
  SlipProblem *problem = generate_problem("random", 24, 3, NULL);
  Solved quick = solve_with(problem, "ipm", "tol=1e-6 sigma=0.05", NULL);
  Solved slow = solve_with(problem, "ipm", "tol=1e-6 sigma=0.6", NULL);
  assert_int_equal(quick.outcome, SLIP_SOLVED);
  assert_int_equal(slow.outcome, SLIP_SOLVED);
  assert_true(slow.iterations > quick.iterations + 5);
  free(quick.r);
  free(slow.r);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ipm_solves),
      cmocka_unit_test(test_correctors),
      cmocka_unit_test(test_arc_solves),
      cmocka_unit_test(test_arc_from_a_point),
      cmocka_unit_test(test_convex),
      cmocka_unit_test(test_relaxation_of_every_kind),
      cmocka_unit_test(test_settled),
      cmocka_unit_test(test_rounding_of_products),
      cmocka_unit_test(test_small_velocities),
      cmocka_unit_test(test_anchor_stays),
      cmocka_unit_test(test_convex_correctors),
      cmocka_unit_test(test_within_aclm),
      cmocka_unit_test(test_arc_settled),
      cmocka_unit_test(test_walls),
      cmocka_unit_test(test_high_wall),
      cmocka_unit_test(test_keep),
      cmocka_unit_test(test_rho),
      cmocka_unit_test(test_extreme_friction),
      cmocka_unit_test(test_redundant_bilateral),
      cmocka_unit_test(test_no_solution),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_same_bits_of_large_problems),
      cmocka_unit_test(test_smooth_under_load),
      cmocka_unit_test(test_sigma),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
