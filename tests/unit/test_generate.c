/* Built-in problems: known solutions against the independent residual, spectra against LAPACK,
 * shapes, determinism and refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lapacke.h>

#include <slipcone/generate.h>

#include "reference.h"
#include "solving.h"

/* Singular values of W in descending order; caller frees. */
static double *singular_values(const SlipProblem *problem, int *count) {
  int m = slip_problem_dimension(problem) * slip_problem_contacts(problem);
  double *W = malloc((size_t)m * (size_t)m * sizeof *W), *s = malloc((size_t)m * sizeof *s);
  double unused;
  assert_non_null(W);
  assert_non_null(s);
  assert_int_equal(reference_dense(problem, W), 0);
  assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, m, W, m, s, &unused, 1, &unused, 1), 0);
  free(W);
  *count = m;
  return s;
}

/* Statuses of a known solution, told from r and u alone. */
static void count_statuses(const SlipProblem *problem, const double *r, int counts[3]) {
  int d = slip_problem_dimension(problem), nc = slip_problem_contacts(problem);
  double *u = malloc((size_t)(d * nc) * sizeof *u + 1);
  assert_non_null(u);
  assert_int_equal(reference_velocity(problem, r, u), 0);
  for (int a = 0; a < nc; a++) {
    double speed = 0, push = 0;
    for (int k = 0; k < d; k++) {
      speed += fabs(u[d * a + k]);
      push += fabs(r[d * a + k]);
    }
    counts[push == 0 ? SLIP_CONTACT_OPEN : speed < 1e-8 ? SLIP_CONTACT_STICK : SLIP_CONTACT_SLIP]++;
  }
  free(u);
}

static void check_known(const char *kind, int contacts, int d, uint64_t seed) {
  SlipGenerate options = generate_defaults(kind);
  options.contacts = contacts;
  options.dimension = d;
  options.seed = seed;
  double *r;
  SlipProblem *problem = generate_with(kind, &options, &r);
  assert_non_null(r);
  assert_int_equal(slip_problem_contacts(problem), contacts);
  assert_int_equal(slip_problem_dimension(problem), d);
  double error = reference_error(problem, r);
  if (!(error < 1e-14))
    fail_msg("%s, %d contacts in %dD: error %g", kind, contacts, d, error);
  int counts[3] = {0};
  count_statuses(problem, r, counts);
  if (contacts >= 40)
    for (int k = 0; k < 3; k++)
      assert_true(counts[k] >= 8);
  slip_generate_free_r(r);
  slip_problem_free(problem);
}

static void test_known_solutions(void **state) {
  (void)state;
  static const int contacts[] = {1, 2, 3, 4, 5, 7, 40};
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    for (size_t n = 0; info->known_solution && n < sizeof contacts / sizeof *contacts; n++)
      for (int d = 2; d <= 3; d++)
        check_known(info->name, contacts[n], d, 17 + n);
  }
}

/* The residual is not blind: a solution that is touched is none. */
static void test_touched_solution(void **state) {
  (void)state;
  double *r;
  SlipProblem *problem = generate_with("random", NULL, &r);
  r[4] += 1e-3;
  assert_true(reference_error(problem, r) > 1e-6);
  slip_generate_free_r(r);
  slip_problem_free(problem);
}

static void test_friction_extremes(void **state) {
  (void)state;
  static const double mu[] = {0, 1e-8, 1e3};
  for (size_t k = 0; k < 3; k++) {
    SlipGenerate options = generate_defaults("random");
    options.mu = mu[k];
    double *r;
    SlipProblem *problem = generate_with("random", &options, &r);
    /* g(u) multiplies the rounding of u by mu. */
    assert_true(reference_error(problem, r) < 1e-14 * (1 + mu[k]));
    slip_generate_free_r(r);
    slip_problem_free(problem);
  }
}

static void test_condition(void **state) {
  (void)state;
  static const char *const kinds[] = {"random",    "ill",    "dense",
                                      "bilateral", "joints", "frictionless"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int d = 2; d <= 3; d++) {
      SlipGenerate options = generate_defaults(kinds[k]);
      options.contacts = 50;
      options.dimension = d;
      if (k != 1)
        options.condition = 1e5;
      SlipProblem *problem = generate_with(kinds[k], &options, NULL);
      int m;
      double *s = singular_values(problem, &m);
      assert_true(fabs(s[0] - 1) < 1e-12);
      /* The smallest value is known to the rounding of W, eps |W|. */
      assert_true(fabs(s[m - 1] - 1 / options.condition) < 1e-14);
      free(s);
      slip_problem_free(problem);
    }
}

static void test_rank(void **state) {
  (void)state;
  static const char *const kinds[] = {"deficient", "deficient-global"};
  for (int k = 0; k < 2; k++)
    for (int d = 2; d <= 3; d++) {
      SlipGenerate options = generate_defaults(kinds[k]);
      options.contacts = 48;
      options.dimension = d;
      SlipProblem *problem = generate_with(kinds[k], &options, NULL);
      int m, rank = 0;
      double *s = singular_values(problem, &m);
      while (rank < m && s[rank] > 1e-13 * s[0])
        rank++;
      assert_int_equal(rank, m / 2);
      assert_true(s[rank - 1] > 1e-6 * s[0]);
      free(s);
      slip_problem_free(problem);
    }
}

/* |W - W'| over |W|. */
static double asymmetry(const SlipProblem *problem) {
  size_t m = (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
  double *W = malloc(m * m * sizeof *W), difference = 0, norm = 0;
  assert_non_null(W);
  assert_int_equal(reference_dense(problem, W), 0);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      double x = W[i * m + j] - W[j * m + i];
      difference += x * x;
      norm += W[i * m + j] * W[i * m + j];
    }
  free(W);
  return sqrt(difference / norm);
}

static void test_symmetry(void **state) {
  (void)state;
  static const char *const symmetric[] = {"random", "ill", "deficient", "dense", "one"};
  for (size_t k = 0; k < sizeof symmetric / sizeof *symmetric; k++) {
    SlipProblem *problem = generate_with(symmetric[k], NULL, NULL);
    assert_true(asymmetry(problem) == 0);
    slip_problem_free(problem);
  }
  SlipProblem *problem = generate_with("unsymmetric", NULL, NULL);
  assert_true(asymmetry(problem) > 0.05);
  slip_problem_free(problem);
}

static void test_laws(void **state) {
  (void)state;
  SlipLocalData data = slip_default_local_data();
  SlipProblem *problem = generate_with("frictionless", NULL, NULL);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  for (int a = 0; a < data.contacts; a++)
    assert_true(data.laws->kind[a] == SLIP_FRICTIONLESS && data.laws->mu[a] == 0);
  slip_problem_free(problem);
  problem = generate_with("bilateral", NULL, NULL);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  int bilateral = 0;
  for (int a = 0; a < data.contacts; a++)
    bilateral += data.laws->kind[a] == SLIP_BILATERAL;
  assert_int_equal(bilateral, data.contacts / 4);
  slip_problem_free(problem);
  problem = generate_with("joints", NULL, NULL);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  int seen = 0;
  for (int a = 0; a < data.contacts; a += 4)
    seen |= 1 << data.laws->bound[a];
  assert_int_equal(seen, 0xfe); /* every subset that is not empty */
  slip_problem_free(problem);
}

/* Sparse kinds stay sparse: entries grow with the contacts. */
static void test_sparse(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("random");
  options.contacts = 3000;
  SlipProblem *problem = generate_with("random", &options, NULL);
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  double blocks = (double)data.W.nnz / 9 / options.contacts;
  assert_true(blocks > 8 && blocks <= 12);
  slip_problem_free(problem);
}

/* ---- Sameness and refusals --------------------------------------------------------------- */

static int same_vector(const double *a, const double *b, int64_t n) {
  return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static int same_matrix(const SlipMatrix *a, const SlipMatrix *b) {
  return a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz &&
         memcmp(a->p, b->p, ((size_t)a->rows + 1) * sizeof *a->p) == 0 &&
         memcmp(a->i, b->i, (size_t)a->nnz * sizeof *a->i) == 0 && same_vector(a->x, b->x, a->nnz);
}

static int same_problem(const SlipProblem *a, const SlipProblem *b) {
  int64_t m = (int64_t)slip_problem_dimension(a) * slip_problem_contacts(a);
  if (m != (int64_t)slip_problem_dimension(b) * slip_problem_contacts(b))
    return 0;
  if (slip_problem_form(a) == SLIP_FORM_LOCAL) {
    SlipLocalData x = slip_default_local_data();
    SlipLocalData y = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(a, &x, NULL), SLIP_OK);
    assert_int_equal(slip_problem_local_data(b, &y, NULL), SLIP_OK);
    return same_matrix(&x.W, &y.W) && same_vector(x.q, y.q, m) &&
           same_vector(x.laws->mu, y.laws->mu, x.contacts);
  }
  SlipGlobalData x = slip_default_global_data();
  SlipGlobalData y = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(a, &x, NULL), SLIP_OK);
  assert_int_equal(slip_problem_global_data(b, &y, NULL), SLIP_OK);
  return same_matrix(&x.M, &y.M) && same_matrix(&x.H, &y.H) && same_vector(x.f, y.f, x.M.rows) &&
         same_vector(x.w, y.w, m) && same_vector(x.laws->mu, y.laws->mu, x.contacts);
}

static void test_determinism(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++) {
    const char *kind = slip_generate_info(k)->name;
    SlipGenerate options = generate_defaults(kind);
    SlipProblem *a = generate_with(kind, &options, NULL), *b = generate_with(kind, NULL, NULL);
    assert_true(same_problem(a, b));
    slip_problem_free(b);
    static const char *const fixed[] = {"one",     "painleve", "painleve-up",
                                        "crushed", "walls",    "drum"};
    bool random = true;
    for (size_t f = 0; f < sizeof fixed / sizeof fixed[0]; f++)
      random = random && strcmp(kind, fixed[f]) != 0;
    if (random) {
      options.seed++;
      b = generate_with(kind, &options, NULL);
      if (same_problem(a, b))
        fail_msg("kind %s does not heed its seed", kind);
      slip_problem_free(b);
    }
    slip_problem_free(a);
  }
}

static void test_empty(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    SlipGenerate options = generate_defaults(info->name);
    options.contacts = 0;
    double *r;
    SlipProblem *problem;
    SlipStatus status = slip_generate(info->name, &options, &problem, &r, NULL);
    assert_int_equal(status, info->known_solution ? SLIP_OK : SLIP_ERROR_ARGUMENT);
    if (status == SLIP_OK)
      assert_int_equal(slip_problem_contacts(problem), 0);
    else
      assert_null(problem);
    slip_generate_free_r(r);
    slip_problem_free(problem);
  }
}

static void test_one(void **state) {
  (void)state;
  SlipProblem *problem = generate_with("one", NULL, NULL);
  static const double printed[3] = {10.2059, 1.93189, 5.8108};
  /* Six printed digits leave |W| |r| 1e-5 / |q|. */
  assert_true(reference_error(problem, printed) < 1e-4);
  slip_problem_free(problem);
}

static void refuse(const char *kind, const SlipGenerate *options, const char *words) {
  double place;
  double *r = &place;
  SlipProblem *problem = (SlipProblem *)&place;
  SlipError error;
  assert_int_equal(slip_generate(kind, options, &problem, &r, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(error.status, SLIP_ERROR_ARGUMENT);
  assert_null(problem);
  assert_null(r);
  if (!strstr(error.text, words))
    fail_msg("'%s' does not say '%s'", error.text, words);
}

static void test_refused_sizes(void **state) {
  (void)state;
  SlipGenerate good = generate_defaults("random"), bad;
  refuse("heap", NULL, "there is no kind 'heap'; the kinds are random, ill, ");
  refuse(NULL, NULL, "NULL");
  bad = good, bad.contacts = -3;
  refuse("random", &bad, "-3");
  bad = good, bad.contacts = INT32_MAX;
  refuse("random", &bad, "2147483647 contacts are too many");
  bad = good, bad.contacts = 100000000;
  refuse("random", &bad, "100000000 contacts");
  bad = good, bad.contacts = 20000;
  refuse("dense", &bad, "20000 contacts");
  bad = good, bad.dimension = 4;
  refuse("random", &bad, "not 4");
  bad = good, bad.angle = 0.1;
  refuse("random", &bad, "kind random has no angle: leave it 0, not 0.1");
  bad = generate_defaults("drum"), bad.gravity = -1;
  refuse("drum", &bad, "kind drum has no gravity: leave it 0, not -1");
  bad = generate_defaults("painleve"), bad.speed = NAN;
  refuse("painleve", &bad, "the speed is a number, not nan");
  bad = generate_defaults("painleve"), bad.dimension = 3;
  refuse("painleve", &bad, "kind painleve exists in dimension 2 only");
  bad = generate_defaults("one"), bad.contacts = 2;
  refuse("one", &bad, "one contact, not 2");
  bad = generate_defaults("one"), bad.dimension = 2;
  refuse("one", &bad, "dimension 3 only");
}

static void test_refused_numbers(void **state) {
  (void)state;
  SlipGenerate good = generate_defaults("random"), bad;
  bad = good, bad.mu = -0.25;
  refuse("random", &bad, "not -0.25");
  bad = good, bad.mu = NAN;
  refuse("random", &bad, "nan");
  bad = good, bad.mu = INFINITY;
  refuse("random", &bad, "not inf");
  bad = good, bad.condition = 0.5;
  refuse("ill", &bad, "not 0.5");
  bad = good, bad.condition = NAN;
  refuse("ill", &bad, "nan");
  refuse("frictionless", &good, "mu = 0, not 0.5");
  refuse("deficient-global", &good, "does not choose the condition");
  assert_int_equal(slip_generate("random", NULL, NULL, NULL, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_generate_defaults("random", NULL, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_generate_defaults("heap", &bad, NULL), SLIP_ERROR_ARGUMENT);
}

static void test_table(void **state) {
  (void)state;
  assert_null(slip_generate_info(-1));
  assert_null(slip_generate_info(slip_generate_count()));
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    assert_true(strlen(info->name) > 0 && strlen(info->summary) > 10);
    for (int j = 0; j < k; j++)
      assert_string_not_equal(info->name, slip_generate_info(j)->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_solutions),
      cmocka_unit_test(test_touched_solution),
      cmocka_unit_test(test_friction_extremes),
      cmocka_unit_test(test_condition),
      cmocka_unit_test(test_rank),
      cmocka_unit_test(test_symmetry),
      cmocka_unit_test(test_laws),
      cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_determinism),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_one),
      cmocka_unit_test(test_refused_sizes),
      cmocka_unit_test(test_refused_numbers),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
