/* The laws that bound the tangents by a disc: projection, derivative, one-contact solvers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/onecontact.h"

static double uniform(SlipiRandom *random) {
  return slipi_random_between(random, -1, 1);
}

static SlipiLaw law_of(int k, double radius) {
  return (SlipiLaw){.kind = k % 2 ? SLIPI_DISC : SLIPI_TRESCA, .radius = radius};
}

static int inside(const SlipiLaw *law, const double x[3]) {
  int normal = law->kind == SLIPI_DISC ? x[0] == 0 : x[0] >= 0;
  return normal && hypot(x[1], x[2]) <= law->radius * (1 + 1e-12);
}

/* P(z) is in K, and no sampled point of K is nearer to z. */
static void test_projection_is_nearest(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int k = 0; k < 400; k++) {
    SlipiLaw law = law_of(k, k % 10 ? 0.5 : 0);
    double z[3] = {uniform(&random), uniform(&random), uniform(&random)}, p[3];
    slipi_law_project(&law, z, p);
    assert_true(inside(&law, p));
    double least = pow(z[0] - p[0], 2) + pow(z[1] - p[1], 2) + pow(z[2] - p[2], 2);
    for (int j = 0; j < 200; j++) {
      double angle = 3.2 * uniform(&random), t = law.radius * sqrt(fabs(uniform(&random)));
      double y[3] = {law.kind == SLIPI_DISC ? 0 : fabs(uniform(&random)), t * cos(angle),
                     t * sin(angle)};
      double away = pow(z[0] - y[0], 2) + pow(z[1] - y[1], 2) + pow(z[2] - y[2], 2);
      assert_true(away >= least - 1e-12);
    }
  }
}

static void test_derivative_by_differences(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  for (int k = 0; k < 200; k++) {
    SlipiLaw law = law_of(k, 0.5);
    double z[3] = {uniform(&random), uniform(&random), uniform(&random)}, J[9];
    if (fabs(z[0]) < 1e-3 || fabs(hypot(z[1], z[2]) - 0.5) < 1e-3)
      continue; /* a kink */
    slipi_law_project_derivative(&law, z, J);
    for (int j = 0; j < 3; j++) {
      double plus[3], minus[3], h = 1e-6;
      memcpy(plus, z, sizeof z);
      memcpy(minus, z, sizeof z);
      plus[j] += h;
      minus[j] -= h;
      slipi_law_project(&law, plus, plus);
      slipi_law_project(&law, minus, minus);
      for (int i = 0; i < 3; i++)
        assert_true(fabs(J[3 * i + j] - (plus[i] - minus[i]) / (2 * h)) < 1e-6);
    }
  }
}

/* A A' + skew, which need not be well conditioned. */
static void random_block(SlipiRandom *random, double skew, double W[9]) {
  double A[9], S[3];
  for (int k = 0; k < 9; k++)
    A[k] = uniform(random);
  for (int k = 0; k < 3; k++)
    S[k] = skew * uniform(random);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      W[3 * i + j] = A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] +
                     A[3 * i + 2] * A[3 * j + 2] + (i == j ? 0.01 : 0);
  W[1] += S[0];
  W[3] -= S[0];
  W[2] += S[1];
  W[6] -= S[1];
  W[5] += S[2];
  W[7] -= S[2];
}

static void check_solver(SlipiOneContactKind kind, double skew, double tol) {
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  SlipiOneContactRule rule = {kind, 1e-12, 20000};
  for (int k = 0; k < 300; k++) {
    SlipiOneContact one;
    SlipiLaw law = law_of(k, fabs(uniform(&random)));
    double W[9], q[3], r[3] = {0};
    random_block(&random, skew, W);
    slipi_one_contact_prepare(&one, W, law);
    for (int j = 0; j < 3; j++)
      q[j] = uniform(&random);
    slipi_one_contact_solve(&one, &rule, q, r);
    double e[3], u[3] = {0};
    for (int i = 0; i < 3; i++)
      u[i] = q[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2];
    double norm = sqrt(slipi_law_natural_map(&law, 1, u, r, e));
    if (!(norm <= tol))
      fail_msg("solver %d, case %d: the natural map is %g", (int)kind, k, norm);
  }
}

static void test_solvers(void **state) {
  (void)state;
  check_solver(SLIPI_ONE_HYBRID, 0, 1e-10);
  check_solver(SLIPI_ONE_HYBRID, 0.3, 1e-10);
  check_solver(SLIPI_ONE_QUARTIC_TAN, 0, 1e-10);
  check_solver(SLIPI_ONE_PROJECTION_LOOP, 0, 1e-8);
  check_solver(SLIPI_ONE_NEWTON_AC_GP, 0, 1e-8);
}

/* Sizes far from 1, and blocks without stiffness. */
static void test_extremes(void **state) {
  (void)state;
  SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  for (int k = -80; k <= 80; k += 40) {
    double size = pow(10, k), W[9] = {2 * size, 0, 0, 0, size, 0, 0, 0, size};
    double q[3] = {-1, 0.3, -0.4}, r[3] = {0};
    SlipiOneContact one;
    slipi_one_contact_prepare(&one, W, (SlipiLaw){.kind = SLIPI_TRESCA, .radius = 0.1 / size});
    slipi_one_contact_solve(&one, &rule, q, r);
    assert_true(fabs(r[0] * size - 0.5) < 1e-12);
    assert_true(fabs(r[1] * size + 0.06) < 1e-12 && fabs(r[2] * size - 0.08) < 1e-12);
  }
  double zero[9] = {0}, q[3] = {1, 3, 4}, r[3] = {0};
  SlipiOneContact one;
  slipi_one_contact_prepare(&one, zero, (SlipiLaw){.kind = SLIPI_DISC, .radius = 5});
  slipi_one_contact_solve(&one, &rule, q, r);
  assert_true(r[0] == 0 && fabs(r[1] + 3) < 1e-12 && fabs(r[2] + 4) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_projection_is_nearest),
      cmocka_unit_test(test_derivative_by_differences),
      cmocka_unit_test(test_solvers),
      cmocka_unit_test(test_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
