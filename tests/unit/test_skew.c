/* Non-associated flow by a matrix for each contact (Tasora, Anitescu, Negrini, Negrut 2013, section
 * 9): problems with a solution known by construction, Lemma 2's rotation, internal forces, and
 * Theorem 1 with the condition on H that it needs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>

#include "base/random.h"
#include "solving.h"

enum { MOST = 3 * 24 };

/* A problem N r + q with W = N dense, and H, so that r solves it under the flow of H. */
typedef struct Case {
  int32_t d, nc;
  double N[MOST * MOST], q[MOST], H[3 * MOST], mu[24], r[MOST];
} Case;

/* N = B B' + 0.1 I, B of 2/3 of the columns where it is to be deficient. */
static void make_matrix(SlipiRandom *random, Case *c, double shift) {
  int m = c->d * c->nc, columns = shift > 0 ? m : 2 * m / 3;
  static double B[MOST * MOST];
  for (int k = 0; k < m * columns; k++)
    B[k] = slipi_random_between(random, -1, 1) / sqrt(columns);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < columns; k++)
        sum += B[i * columns + k] * B[j * columns + k];
      c->N[j * m + i] = sum;
    }
}

/* h_11 from `low` to `high`, a tangential block with eigenvalues from 0.5 to 1, turned by 0.7. */
static void make_flow(SlipiRandom *random, Case *c, double low, double high) {
  int d = c->d;
  memset(c->H, 0, sizeof c->H);
  for (int k = 0; k < c->nc; k++) {
    double *H = c->H + d * d * k;
    double a = slipi_random_between(random, 0.5, 1), b = slipi_random_between(random, 0.5, 1);
    double co = cos(0.7), si = sin(0.7);
    H[0] = slipi_random_between(random, low, high);
    H[d + 1] = d == 2 ? a : a * co * co + b * si * si;
    if (d == 3) {
      H[5] = H[7] = (a - b) * co * si;
      H[8] = a * si * si + b * co * co;
    }
  }
}

/* Solve a block: x = H^-1 y. */
static void flow_inverse(const double *H, int d, const double *y, double *x) {
  double det = d == 3 ? H[4] * H[8] - H[5] * H[7] : H[3];
  x[0] = y[0] / H[0];
  x[1] = d == 3 ? (H[8] * y[1] - H[5] * y[2]) / det : y[1] / det;
  if (d == 3)
    x[2] = (H[4] * y[2] - H[7] * y[1]) / det;
}

/* r open, sticking and sliding in turn, with H u on K*'s side of it: u = H^-1 y, q = u - N r. */
static void make_solution(SlipiRandom *random, Case *c) {
  int d = c->d, m = d * c->nc;
  for (int k = 0; k < c->nc; k++) {
    double *r = c->r + d * k, y[3] = {0}, t[2] = {1, 0};
    double size = slipi_random_between(random, 0.5, 2), angle = slipi_random_between(random, 0, 6);
    if (d == 3) {
      t[0] = cos(angle);
      t[1] = sin(angle);
    } else if (angle > 3) {
      t[0] = -1;
    }
    double mu = c->mu[k] = slipi_random_between(random, 0.2, 1);
    r[0] = k % 3 == 0 ? 0 : size;
    y[0] = k % 3 == 0 ? size : k % 3 == 2 ? mu * size : 0;
    for (int i = 1; i < d; i++) {
      r[i] = k % 3 == 0 ? 0 : (k % 3 == 1 ? 0.5 : 1) * mu * size * t[i - 1];
      y[i] = k % 3 == 1 ? 0 : (k % 3 == 0 ? 0.5 / fmax(mu, 1) : -1) * size * t[i - 1];
    }
    flow_inverse(c->H + d * d * k, d, y, c->q + d * k);
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      c->q[i] -= c->N[j * m + i] * c->r[j];
}

static void make_case(Case *c, int d, int nc, uint64_t seed, double shift, double low,
                      double high) {
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  c->d = d;
  c->nc = nc;
  make_matrix(&random, c, shift);
  make_flow(&random, c, low, high);
  make_solution(&random, c);
}

static SlipProblem *problem_of(const Case *c) {
  SlipLaws laws = slip_default_laws();
  SlipLocalData data = slip_default_local_data();
  SlipProblem *problem;
  int m = c->d * c->nc;
  laws.mu = c->mu;
  data.dimension = c->d;
  data.contacts = c->nc;
  data.W = slip_dense(m, m, c->N);
  data.q = c->q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  return problem;
}

static SlipProblem *skewed_of(const Case *c) {
  SlipProblem *problem = problem_of(c), *skewed;
  assert_int_equal(slip_problem_skew(problem, c->H, &skewed, NULL), SLIP_OK);
  slip_problem_free(problem);
  return skewed;
}

static double far_from(const Case *c, const double *r) {
  double most = 0;
  for (int k = 0; k < c->d * c->nc; k++)
    most = fmax(most, fabs(c->r[k] - r[k]));
  return most;
}

static Case shared;

/* ---- Solving ---- */

/* H W and H q, entry by entry, and the known r satisfies the problem by an independent residual. */
static void test_matrix(void **state) {
  (void)state;
  Case *c = &shared;
  for (int d = 2; d <= 3; d++) {
    make_case(c, d, 9, 3, 0.1, 1, 3);
    SlipProblem *skewed = skewed_of(c);
    SlipLocalData data = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(skewed, &data, NULL), SLIP_OK);
    int m = d * c->nc;
    for (int i = 0; i < m; i++)
      for (int32_t k = data.W.p[i]; k < data.W.p[i + 1]; k++) {
        double sum = 0;
        for (int j = 0; j < d; j++)
          sum += c->H[i * d + j] * c->N[data.W.i[k] * m + i / d * d + j];
        assert_float_equal(data.W.x[k], sum, 1e-14);
      }
    double error;
    assert_int_equal(slip_problem_residual(skewed, c->r, &error, NULL, NULL), SLIP_OK);
    assert_true(error < 1e-14);
    slip_problem_free(skewed);
  }
}

/* Every method that takes an unsymmetric W, with flow that dilates less than the associated one. */
static void test_known(void **state) {
  (void)state;
  static const char *const methods[] = {"auto",       "nsgs",       "soclcp-nsgs", "arc",
                                        "soclcp-arc", "soclcp-ipm", "nsn-nm",      "eg-vi-upk"};
  Case *c = &shared;
  for (int d = 2; d <= 3; d++) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
      make_case(c, d, 24, seed, 0.3, 1, 2);
      SlipProblem *skewed = skewed_of(c);
      for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        Solved solved = solve_with(skewed, methods[k], "tol=1e-9 max-iter=100000", NULL);
        if (solved.outcome != SLIP_SOLVED || !(solved.reference <= 1e-9 * (1 + 1e-6)) ||
            !(far_from(c, solved.r) < 1e-6))
          fail_msg("%s, %dD, seed %d: outcome %d, error %g, off by %g", methods[k], d, (int)seed,
                   (int)solved.outcome, solved.reference, far_from(c, solved.r));
        free(solved.r);
      }
      slip_problem_free(skewed);
    }
  }
}

/* Strongly skewed: H W is far from monotone, and the path still leads to a solution. */
static void test_strong(void **state) {
  (void)state;
  Case *c = &shared;
  for (int d = 2; d <= 3; d++) {
    for (uint64_t seed = 11; seed <= 18; seed++) {
      make_case(c, d, 18, seed, 0.02, 5, 50);
      SlipProblem *skewed = skewed_of(c);
      expect_solved(skewed, "skewed", "soclcp-arc", "tol=1e-7 max-iter=400", 1e-7);
      slip_problem_free(skewed);
    }
  }
}

/* Lemma 2: in axes in which H is diagonal the problem is D Q N Q', D Q q, and the tangents of r are
 * turned with them; the cone is round, so that it stays. */
static void test_rotation(void **state) {
  (void)state;
  static Case turned;
  Case *c = &shared;
  make_case(c, 3, 8, 5, 0.3, 1, 3);
  turned = *c;
  int m = 24;
  double co = cos(0.7), si = sin(0.7), Q[9] = {1, 0, 0, 0, co, si, 0, -si, co};
  for (int i = 0; i < m; i++) {
    turned.q[i] = 0;
    for (int a = 0; a < 3; a++)
      turned.q[i] += Q[3 * (i % 3) + a] * c->q[i / 3 * 3 + a];
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          sum +=
              Q[3 * (i % 3) + a] * c->N[(j / 3 * 3 + b) * m + i / 3 * 3 + a] * Q[3 * (j % 3) + b];
      turned.N[j * m + i] = sum;
    }
  }
  for (int k = 0; k < 8; k++) { /* Q H Q', exactly diagonal but for rounding, which is cut */
    const double *H = c->H + 9 * k;
    double *D = turned.H + 9 * k, T[9];
    for (int i = 0; i < 9; i++) {
      T[i] = 0;
      for (int a = 0; a < 9; a++)
        T[i] += Q[3 * (i / 3) + a / 3] * H[a] * Q[3 * (i % 3) + a % 3];
      D[i] = i % 4 == 0 ? T[i] : 0;
      assert_true(i % 4 == 0 || fabs(T[i]) < 1e-14);
    }
  }
  SlipProblem *one = skewed_of(c), *two = skewed_of(&turned);
  Solved a = solve_with(one, "soclcp-arc", "tol=1e-10", NULL);
  Solved b = solve_with(two, "soclcp-arc", "tol=1e-10", NULL);
  assert_int_equal(a.outcome, SLIP_SOLVED);
  assert_int_equal(b.outcome, SLIP_SOLVED);
  for (int i = 0; i < m; i++) {
    double back = 0; /* Q' eta */
    for (int k = 0; k < 3; k++)
      back += Q[3 * k + i % 3] * b.r[i / 3 * 3 + k];
    assert_float_equal(back, a.r[i], 1e-7);
  }
  free(a.r);
  free(b.r);
  slip_problem_free(one);
  slip_problem_free(two);
}

/* ---- Existence ---- */

static SlipCheck *check_of(const SlipProblem *problem, int margin, int enumerate) {
  SlipCheckOptions options = slip_default_check_options();
  SlipCheck *check;
  options.margin = margin;
  options.enumerate = enumerate;
  assert_int_equal(slip_check(problem, &options, &check, NULL), SLIP_OK);
  return check;
}

static void expect_internal(const SlipProblem *problem, SlipAnswer answer) {
  SlipCheck *check = check_of(problem, 1, 0);
  assert_int_equal(check->internal, answer);
  slip_check_free(check);
}

/* A body of two degrees of freedom between two walls: one presses against the other. */
static void test_internal(void **state) {
  (void)state;
  Case *c = &shared;
  memset(c, 0, sizeof *c);
  static const double H[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, 1}};
  c->d = c->nc = 2;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      c->N[4 * j + i] = H[i][0] * H[j][0] + H[i][1] * H[j][1];
  c->mu[0] = c->mu[1] = 0.5;
  c->q[0] = c->q[2] = 0.1;
  c->H[0] = c->H[4] = 3;
  c->H[3] = c->H[7] = 1;
  SlipProblem *plain = problem_of(c), *skewed = skewed_of(c);
  expect_internal(plain, SLIP_ANSWER_YES);
  expect_internal(skewed, SLIP_ANSWER_YES);
  slip_problem_free(plain);
  slip_problem_free(skewed);
  make_case(c, 3, 6, 1, 0.1, 1, 20);
  plain = problem_of(c);
  skewed = skewed_of(c);
  expect_internal(plain, SLIP_ANSWER_NO);
  expect_internal(skewed, SLIP_ANSWER_NO);
  slip_problem_free(plain);
  slip_problem_free(skewed);
}

/* Theorem 1 says that a problem without internal forces has a solution for every H. One contact
 * shows that it does not: N is positive definite, mu = 1, and H dilates more than the associated
 * flow. In the rays (1, 1) and (1, -1) of K the problem is the LCP of [0, -4; 2, 10], which has no
 * solution for (-1, -1), and the half-line t (1, 1) of them for 0. With the largest eigenvalue of
 * the tangential block at most h_11 there are solutions for every q. */
static void test_theorem(void **state) {
  (void)state;
  Case *c = &shared;
  memset(c, 0, sizeof *c);
  c->d = 2;
  c->nc = 1;
  c->N[0] = 2;
  c->N[1] = c->N[2] = -1;
  c->N[3] = 0.75;
  c->mu[0] = 1;
  c->H[0] = 1;
  c->H[3] = 4;
  c->q[0] = -1; /* (1, 1).H q = (1, -1).H q = -1 */
  SlipProblem *plain = problem_of(c), *skewed = skewed_of(c);
  expect_internal(plain, SLIP_ANSWER_NO);
  expect_internal(skewed, SLIP_ANSWER_NO);
  Solved solved = solve_with(skewed, "soclcp-arc", "tol=1e-8 max-iter=500", NULL);
  assert_int_not_equal(solved.outcome, SLIP_SOLVED);
  free(solved.r);
  slip_problem_free(plain);
  slip_problem_free(skewed);
  c->H[0] = 4;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  for (int k = 0; k < 50; k++) {
    c->H[3] = slipi_random_between(&random, 0.01, 4);
    for (int i = 0; i < 2; i++)
      c->q[i] = slipi_random_between(&random, -1, 1);
    skewed = skewed_of(c);
    expect_solved(skewed, "skewed", "soclcp-arc", "tol=1e-8 max-iter=200", 1e-8);
    slip_problem_free(skewed);
  }
}

/* ---- Refusals ---- */

static void expect_refused(const Case *c, const double *H, const char *text) {
  SlipProblem *problem = problem_of(c), *skewed = problem;
  SlipError error;
  assert_int_not_equal(slip_problem_skew(problem, H, &skewed, &error), SLIP_OK);
  assert_null(skewed);
  if (!strstr(error.text, text))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
  slip_problem_free(problem);
}

static void test_refusals(void **state) {
  (void)state;
  Case *c = &shared;
  make_case(c, 3, 3, 1, 0.1, 1, 2);
  expect_refused(c, NULL, "H or skewed is null");
  c->H[10] = NAN;
  expect_refused(c, c->H, "contact 1 has the entry (0, 1) nan");
  c->H[10] = 0.5;
  expect_refused(c, c->H, "contact 1 has the entry (0, 1) 0.5 but must be finite and symmetric");
  c->H[10] = 0;
  c->H[18] = -1;
  expect_refused(c, c->H, "contact 2 is not positive definite: it has the eigenvalue -1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix),   cmocka_unit_test(test_known),
      cmocka_unit_test(test_strong),   cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_internal), cmocka_unit_test(test_theorem),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
