/* Descriptors of a problem against matrices whose spectrum, rank and entries are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "contact/problem.h"
#include "data.h"
#include "linalg/spectrum.h"
#include "reference.h"
#include "solving.h"

static SlipProblem *generate(const char *kind, int contacts, int d, double condition) {
  SlipGenerate options = generate_defaults(kind);
  options.contacts = contacts;
  options.dimension = d;
  options.condition = condition;
  return generate_with(kind, &options, NULL);
}

static SlipFeatures features_of(const SlipProblem *problem) {
  SlipFeatures features = slip_default_features();
  SlipError error;
  if (slip_problem_features(problem, &features, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return features;
}

static void assert_close(double value, double expected, double relative) {
  if (!(fabs(value - expected) <= relative * fabs(expected)))
    fail_msg("%.17g instead of %.17g", value, expected);
}

/* Counts and norms of W by the tests' own dense assembly. */
typedef struct Counted {
  int64_t nonzeros, blocks;
  double norm, asymmetry;
} Counted;

static Counted count_dense(const SlipProblem *problem) {
  int d = slip_problem_dimension(problem), nc = slip_problem_contacts(problem);
  size_t m = (size_t)(d * nc);
  double *W = malloc(m * m * sizeof *W);
  unsigned char *block = calloc((size_t)nc * (size_t)nc, 1);
  Counted counted = {0};
  assert_true(W && block);
  assert_int_equal(reference_dense(problem, W), 0);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      double x = W[i * m + j], difference = x - W[j * m + i];
      counted.norm += x * x;
      counted.asymmetry += difference * difference;
      counted.nonzeros += x != 0;
      if (x != 0)
        block[i / (size_t)d * (size_t)nc + j / (size_t)d] = 1;
    }
  for (size_t k = 0; k < (size_t)nc * (size_t)nc; k++)
    counted.blocks += block[k];
  counted.norm = sqrt(counted.norm);
  counted.asymmetry = sqrt(counted.asymmetry);
  free(W);
  free(block);
  return counted;
}

static void test_known_spectra(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    double condition;
    int ratio;
  } cases[] = {{"random", 1, 1},      {"random", 1e2, 1}, {"ill", 1e6, 1},
               {"deficient", 1e2, 2}, {"dense", 1e3, 1},  {"deficient", 1e4, 2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int d = 2; d <= 3; d++) {
      SlipProblem *problem = generate(cases[k].kind, 60, d, cases[k].condition);
      SlipFeatures features = features_of(problem);
      assert_int_equal(features.rank, d * 60 / cases[k].ratio);
      assert_int_equal(features.rank_exact, 1);
      assert_close(features.rank_ratio, cases[k].ratio, 0);
      assert_close(features.condition, cases[k].condition, 1e-6);
      /* Never above the true one, and of little use beyond its order of magnitude. */
      assert_true(features.condition_lsmr <= cases[k].condition * (1 + 1e-6));
      assert_true(features.condition_lsmr >= 0.5 * cbrt(cases[k].condition));
      slip_problem_free(problem);
    }
}

static void test_counts(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "unsymmetric", "dense"};
  for (size_t k = 0; k < 3; k++) {
    SlipProblem *problem = generate(kinds[k], 30, 2 + (int)k % 2, 1e2);
    SlipFeatures features = features_of(problem);
    Counted counted = count_dense(problem);
    assert_int_equal(features.form, SLIP_FORM_LOCAL);
    assert_int_equal(features.contacts, 30);
    assert_int_equal(features.dof, 0);
    assert_true(isnan(features.density));
    assert_int_equal(features.nonzeros, counted.nonzeros);
    assert_int_equal(features.blocks, counted.blocks);
    assert_close(features.norm, counted.norm, 1e-13);
    assert_close(features.asymmetry, counted.asymmetry, 1e-12);
    slip_problem_free(problem);
  }
}

static void test_global(void **state) {
  (void)state;
  static const char *const kinds[] = {"stack", "wall", "pile", "elastic"};
  for (size_t k = 0; k < 4; k++) {
    SlipProblem *problem = generate(kinds[k], 40, 3, 0), *local;
    SlipFeatures features = features_of(problem);
    Counted counted = count_dense(problem);
    double m = 3.0 * features.contacts;
    assert_int_equal(features.form, SLIP_FORM_GLOBAL);
    assert_int_equal(features.dof, slip_problem_dof(problem));
    assert_close(features.density, m / features.dof, 1e-15);
    assert_close(features.norm, counted.norm, 1e-12);
    assert_true(features.asymmetry < 1e-14 * counted.norm);
    /* Rounding decides whether an entry that cancels is 0; the blocks are the geometry's. */
    assert_int_equal(features.blocks, counted.blocks);
    assert_true(features.rank <= features.dof && features.rank <= m);
    assert_int_equal(slip_problem_reduce(problem, &local, NULL), SLIP_OK);
    SlipFeatures reduced = features_of(local);
    assert_int_equal(reduced.rank, features.rank);
    assert_int_equal(reduced.nonzeros, features.nonzeros);
    assert_close(reduced.condition, features.condition, 1e-6);
    slip_problem_free(local);
    slip_problem_free(problem);
  }
}

/* A tower has as much rank as degrees of freedom; so has H of a rigid problem in general. */
static void test_hyperstatic(void **state) {
  (void)state;
  SlipProblem *problem = generate("stack", 80, 3, 0);
  SlipFeatures features = features_of(problem);
  assert_int_equal(features.rank, features.dof);
  assert_close(features.rank_ratio, 2, 0);
  slip_problem_free(problem);
}

static void test_friction_range(void **state) {
  (void)state;
  static const double W[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                               0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 4};
  static const double q[6] = {-1}, mu[3] = {0.3, 0.9, 5};
  static const int32_t law[3] = {SLIP_COULOMB, SLIP_COULOMB, SLIP_BILATERAL};
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 3, .W = slip_dense(6, 6, W), .q = q,
                                  .laws = LAWS(.kind = law, .mu = mu));
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  SlipFeatures features = features_of(problem);
  assert_true(features.mu_min == 0.3 && features.mu_max == 0.9);
  assert_int_equal(features.nonzeros, 6);
  assert_int_equal(features.blocks, 3);
  assert_close(features.condition, 4, 1e-14);
  assert_close(features.norm, sqrt(21), 1e-15);
  slip_problem_free(problem);
}

static void test_nothing(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 0, 3, 1e2);
  SlipFeatures features = features_of(problem);
  assert_int_equal(features.rank, 0);
  assert_int_equal(features.nonzeros, 0);
  assert_true(isnan(features.condition) && isnan(features.condition_lsmr));
  assert_true(isnan(features.rank_ratio) && isnan(features.mu_min) && isnan(features.mu_max));
  slip_problem_free(problem);

  static const double W[9] = {0}, q[3] = {0}, mu[1] = {0.5};
  SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = slip_dense(3, 3, W), .q = q,
                                  .laws = LAWS(.mu = mu));
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  features = features_of(problem);
  assert_int_equal(features.rank, 0);
  assert_int_equal(features.blocks, 0);
  assert_true(isnan(features.condition) && isnan(features.condition_lsmr));
  slip_problem_free(problem);
}

/* Beyond the dense decomposition: rank from pivots, condition from the bidiagonalisation. */
static void test_large(void **state) {
  (void)state;
  SlipProblem *problem = generate("deficient", 510, 3, 1e2);
  SlipFeatures features = features_of(problem);
  assert_int_equal(features.rank_exact, 0);
  assert_int_equal(features.rank, 765);
  assert_true(features.condition <= 1e2 * (1 + 1e-9) && features.condition > 0.9e2);
  slip_problem_free(problem);
  problem = generate("random", 510, 3, 1e4);
  features = features_of(problem);
  assert_int_equal(features.rank, 1530);
  assert_true(features.condition <= 1e4 * (1 + 1e-9) && features.condition > 0.1e4);
  slip_problem_free(problem);
  /* A pile has about as many independent contacts as degrees of freedom, never more. */
  problem = generate("pile", 520, 3, 0);
  features = features_of(problem);
  assert_true(features.rank <= features.dof && features.rank > 0.95 * features.dof);
  slip_problem_free(problem);
}

/* W of 8000 unknowns that all touch one body is never formed. */
static void test_matrix_free(void **state) {
  (void)state;
  SlipProblem *small = generate("elastic", 400, 2, 0), *large = generate("elastic", 4000, 2, 0);
  SlipFeatures known = features_of(small), features = features_of(large);
  assert_int_equal(known.rank, 800);
  assert_int_equal(features.nonzeros, -1);
  assert_int_equal(features.blocks, -1);
  assert_int_equal(features.rank, -1);
  assert_true(isnan(features.norm) && isnan(features.asymmetry) && isnan(features.rank_ratio));
  /* The block is the same all along, and so is the condition. */
  assert_close(features.condition, known.condition, 0.1);
  slip_problem_free(small);
  slip_problem_free(large);
}

/* ---- The estimates against the decomposition --------------------------------------------- */

static SlipStatus multiply(void *user, bool transposed, const double *x, double *y,
                           SlipError *error) {
  (void)error;
  const SlipiCsr *pair = user;
  slipi_csr_multiply(&pair[transposed], x, y);
  return SLIP_OK;
}

static void test_estimates(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    int contacts;
    double condition;
  } cases[] = {{"random", 80, 1e2},         {"random", 81, 1e4}, {"deficient", 80, 1e2},
               {"deficient", 80, 1e4},      {"stack", 60, 0},    {"wall", 100, 0},
               {"deficient-global", 80, 0}, {"pile", 150, 0},    {"unsymmetric", 80, 1e2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int d = 2; d <= 3; d++) {
      SlipProblem *problem = generate(cases[k].kind, cases[k].contacts, d, cases[k].condition);
      if (slip_problem_form(problem) == SLIP_FORM_GLOBAL) {
        SlipProblem *local;
        assert_int_equal(slip_problem_reduce(problem, &local, NULL), SLIP_OK);
        slip_problem_free(problem);
        problem = local;
      }
      SlipiArena arena = {0};
      SlipiCsr pair[2] = {problem->W};
      SlipiSpectrum spectrum;
      SlipiCondition condition;
      int64_t rank;
      assert_int_equal(slipi_csr_transpose(&arena, &pair[0], &pair[1], NULL), SLIP_OK);
      assert_int_equal(slipi_spectrum_dense(&pair[0], &spectrum, NULL), SLIP_OK);
      assert_int_equal(slipi_rank_estimate(&pair[0], &pair[1], 1e12, &rank, NULL), SLIP_OK);
      assert_int_equal(rank, spectrum.rank);
      assert_int_equal(slipi_condition_estimate(problem->m, multiply, pair, 3000, &condition, NULL),
                       SLIP_OK);
      double truth = spectrum.largest / spectrum.smallest;
      assert_true(condition.ritz <= truth * (1 + 1e-6) && condition.ritz > 0.5 * truth);
      assert_true(condition.lsmr <= truth * (1 + 1e-6) && condition.lsmr >= 1);
      slipi_arena_free(&arena);
      slip_problem_free(problem);
    }
}

static void test_rank_too_dear(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 50, 3, 1e2);
  int64_t rank;
  assert_int_equal(slipi_rank_estimate(&problem->W, &problem->W, 10, &rank, NULL), SLIP_OK);
  assert_int_equal(rank, -1);
  slip_problem_free(problem);
}

static void test_refusals(void **state) {
  (void)state;
  SlipFeatures features = slip_default_features();
  SlipError error;
  SlipProblem *problem = generate("one", 1, 3, 0);
  assert_int_equal(slip_problem_features(NULL, &features, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_problem_features(problem, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_true(error.text[0] != '\0');
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_spectra),  cmocka_unit_test(test_counts),
      cmocka_unit_test(test_global),         cmocka_unit_test(test_hyperstatic),
      cmocka_unit_test(test_friction_range), cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_large),          cmocka_unit_test(test_matrix_free),
      cmocka_unit_test(test_estimates),      cmocka_unit_test(test_rank_too_dear),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
