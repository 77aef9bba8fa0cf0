/* The laws' kernels against their definitions: projections by the variational inequality and
 * Moreau's decomposition, derivatives by finite differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/law.h"

static const double mus[] = {1e-8, 0.01, 0.3, 1, 5, 1e8};
enum { MUS = sizeof mus / sizeof *mus };

/* m = -2: frictionless, -1: bilateral, otherwise Coulomb with mus[m]. */
static SlipiLaw law_number(int m) {
  if (m < 0)
    return slipi_law(m == -2 ? SLIP_FRICTIONLESS : SLIP_BILATERAL, 0);
  return slipi_law(SLIP_COULOMB, mus[m]);
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double norm(const double a[3]) {
  return sqrt(dot(a, a));
}

static void random_vector(SlipiRandom *random, double x[3]) {
  for (int k = 0; k < 3; k++)
    x[k] = slipi_random_normal(random);
}

/* A point of K, written from its definition and not by projecting. */
static void random_inside(SlipiRandom *random, const SlipiLaw *law, double x[3]) {
  random_vector(random, x);
  if (law->kind == SLIP_BILATERAL)
    return;
  x[0] = fabs(x[0]);
  double angle = slipi_random_between(random, 0, 6.28);
  double radius = law->kind == SLIP_COULOMB ? law->mu * x[0] * slipi_random_unit(random) : 0;
  x[1] = radius * cos(angle);
  x[2] = radius * sin(angle);
}

/* z - p is in -K* and orthogonal to p. */
static void check_moreau(const SlipiLaw *law, const double z[3], const double p[3]) {
  double size = norm(z), dual[3] = {p[0] - z[0], p[1] - z[1], p[2] - z[2]};
  double minus[3] = {-z[0], -z[1], -z[2]};
  assert_true(fabs(dot(dual, p)) <= 1e-13 * size * size);
  if (law->kind == SLIP_BILATERAL)
    assert_true(norm(dual) == 0);
  else if (law->kind == SLIP_COULOMB) /* the distance to K*, so that huge mu means no more */
    assert_true(law->mu * slipi_tangent_norm(dual) - dual[0] <= 1e-13 * size * hypot(1, law->mu));
  else
    assert_true(dual[0] >= 0);
  assert_true(fabs(slipi_law_distance(law, z) - norm(dual)) <= 1e-13 * size);
  assert_true(fabs(slipi_law_dual_distance(law, minus) - norm(p)) <= 1e-13 * size);
}

static void check_projection(SlipiRandom *random, const SlipiLaw *law, const double z[3]) {
  double p[3], again[3], in_place[3] = {z[0], z[1], z[2]}, away[3];
  SlipContactStatus branch = slipi_law_project(law, z, p);
  double size = norm(z);
  assert_int_equal(slipi_law_project(law, in_place, in_place), branch);
  assert_memory_equal(p, in_place, sizeof p);
  slipi_law_project(law, p, again);
  for (int k = 0; k < 3; k++) {
    away[k] = z[k] - p[k];
    assert_true(fabs(again[k] - p[k]) <= 1e-13 * size);
  }
  if (branch == SLIP_CONTACT_OPEN)
    assert_true(norm(p) == 0);
  if (branch == SLIP_CONTACT_STICK)
    assert_memory_equal(p, z, sizeof p);
  /* In K, and (z - p).(y - p) <= 0 for every y of K (141). */
  if (law->kind != SLIP_BILATERAL)
    assert_true(p[0] >= 0 && slipi_tangent_norm(p) <= law->mu * p[0] * (1 + 1e-14));
  for (int trial = 0; trial < 10; trial++) {
    double y[3];
    random_inside(random, law, y);
    for (int k = 0; k < 3; k++)
      y[k] -= p[k];
    assert_true(dot(away, y) <= 1e-13 * size * (norm(y) + size));
  }
  check_moreau(law, z, p);
}

static void test_projection(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int m = -2; m < MUS; m++) {
    SlipiLaw law = law_number(m);
    int seen[3] = {0, 0, 0};
    for (int trial = 0; trial < 2000; trial++) {
      double z[3], p[3];
      random_vector(&random, z);
      /* Spread the points over the three regions also for extreme mu. */
      if (law.kind == SLIP_COULOMB && trial % 3 == 1)
        z[0] *= fabs(slipi_random_normal(&random)) / law.mu;
      if (law.kind == SLIP_COULOMB && trial % 3 == 2)
        z[0] *= fabs(slipi_random_normal(&random)) * law.mu;
      if (trial % 17 == 0)
        z[1] = z[2] = 0;
      if (trial % 19 == 0)
        z[0] = 0;
      seen[slipi_law_project(&law, z, p)]++;
      check_projection(&random, &law, z);
    }
    assert_true(law.kind == SLIP_BILATERAL ||
                (seen[SLIP_CONTACT_OPEN] > 50 && seen[SLIP_CONTACT_SLIP] > 50));
    assert_true(seen[SLIP_CONTACT_STICK] > 20);
  }
}

/* Central differences where they do not straddle a kink. */
static int compare_derivative(const SlipiLaw *law, const double z[3]) {
  double J[9], p[3], h = 1e-5;
  int compared = 0;
  SlipContactStatus branch = slipi_law_project(law, z, p);
  slipi_law_project_derivative(law, z, J);
  for (int j = 0; j < 3; j++) {
    double plus[3] = {z[0], z[1], z[2]}, minus[3] = {z[0], z[1], z[2]};
    plus[j] += h;
    minus[j] -= h;
    if (slipi_law_project(law, plus, plus) != branch ||
        slipi_law_project(law, minus, minus) != branch)
      continue;
    compared++;
    for (int i = 0; i < 3; i++)
      assert_true(fabs(J[3 * i + j] - (plus[i] - minus[i]) / (2 * h)) <= 1e-6);
  }
  return compared;
}

static void test_derivative(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  int compared = 0;
  for (int m = -2; m < MUS; m++) {
    SlipiLaw law = law_number(m);
    for (int trial = 0; trial < 500; trial++) {
      double z[3];
      random_vector(&random, z);
      if (slipi_tangent_norm(z) > 0.1)
        compared += compare_derivative(&law, z);
    }
  }
  assert_true(compared > 5000);
}

/* On a kink the derivative must be a limit of derivatives nearby: walk in along a direction. */
static void assert_is_limit(const SlipiLaw *law, const double z[3], const double direction[3]) {
  double J[9], near[9], x[3];
  slipi_law_project_derivative(law, z, J);
  for (int k = 0; k < 3; k++)
    x[k] = z[k] + 1e-9 * direction[k];
  slipi_law_project_derivative(law, x, near);
  for (int k = 0; k < 9; k++)
    assert_true(fabs(J[k] - near[k]) <= 1e-7);
}

static void test_derivative_on_kinks(void **state) {
  (void)state;
  SlipiLaw law = slipi_law(SLIP_COULOMB, 0.5), plain = slipi_law(SLIP_FRICTIONLESS, 0);
  const double axis[3] = {2, 0, 0}, below[3] = {-1, 0, 0}, zero[3] = {0, 0, 0};
  const double up[3] = {1, 0, 0}, down[3] = {-1, 0, 0}, side[3] = {0, 1, 0};
  assert_is_limit(&law, axis, side); /* z_T = 0 inside the cone: no kink */
  assert_is_limit(&law, below, side);
  assert_is_limit(&law, zero, down);
  assert_is_limit(&plain, zero, down);
  /* On the cone and on the dual cone's negative: limits from within. mu = 0.5 is exact. */
  const double on[3] = {2, 1, 0}, dual[3] = {-0.5, 0, 1};
  assert_is_limit(&law, on, up);
  assert_is_limit(&law, dual, down);
}

static void test_g_and_gap(void **state) {
  (void)state;
  SlipiLaw law = slipi_law(SLIP_COULOMB, 0.5);
  const double u[3] = {1, 3, -4}, r[3] = {2, 0.6, 0.8};
  assert_true(fabs(slipi_law_g(&law, u) - 2.5) < 1e-15);
  assert_true(fabs(slipi_law_gap(&law, u, r) - (2 * 3.5 + 1.8 - 3.2)) < 1e-14);
  law.associated = true;
  assert_true(slipi_law_g(&law, u) == 0);
  SlipiLaw none = slipi_law(SLIP_COULOMB, 0);
  assert_int_equal(none.kind, SLIP_FRICTIONLESS);
  assert_true(slipi_law_g(&none, u) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_projection),
      cmocka_unit_test(test_derivative),
      cmocka_unit_test(test_derivative_on_kinks),
      cmocka_unit_test(test_g_and_gap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
