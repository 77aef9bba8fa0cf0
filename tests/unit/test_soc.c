/* The algebra of the second-order cone: the Jordan product and its inverse, the scaling of
 * Nesterov and Todd, and the step to the boundary, held against their definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/soc.h"

enum { SAMPLES = 2000 };

/* Inside the cone, down to a relative distance of `near` to its boundary. */
static void random_inside(SlipiRandom *random, double near, double x[3]) {
  double size = exp(slipi_random_between(random, -8, 8));
  double angle = slipi_random_between(random, 0, 6.283185307179586);
  double t = slipi_random_unit(random) < 0.5 ? 1 - near : slipi_random_unit(random);
  x[0] = size;
  x[1] = size * t * cos(angle);
  x[2] = size * t * sin(angle);
}

static void random_vector(SlipiRandom *random, double x[3]) {
  for (int k = 0; k < 3; k++)
    x[k] = slipi_random_normal(random);
}

static double distance(const double x[3], const double y[3]) {
  double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return slipi_dense3_norm(d);
}

static void test_division_undoes_the_product(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int k = 0; k < SAMPLES; k++) {
    double x[3], z[3], product[3], back[3];
    random_inside(&random, 1e-3, x);
    random_vector(&random, z);
    slipi_soc_product(x, z, product);
    slipi_soc_divide(x, product, back);
    assert_true(distance(back, z) <= 1e-10 * slipi_dense3_norm(z));
  }
}

static void test_unit_and_determinant(void **state) {
  (void)state;
  const double e[3] = {1, 0, 0}, x[3] = {3, 1, -2};
  double y[3];
  slipi_soc_product(x, e, y);
  assert_memory_equal(x, y, sizeof x);
  assert_true(fabs(slipi_soc_det(x) - (9 - 5)) < 1e-14);
  assert_true(slipi_soc_inside(x));
  assert_false(slipi_soc_inside((double[3]){1, 1, 0}));
  assert_false(slipi_soc_inside((double[3]){-2, 1, 0}));
  assert_false(slipi_soc_inside((double[3]){NAN, 1, 0}));
}

/* u'r has all its digits also where its terms cancel. */
static void test_dot(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int k = 0; k < SAMPLES; k++) {
    double x[3], y[3];
    random_inside(&random, 1e-3, x);
    random_inside(&random, 1e-3, y);
    assert_true(fabs(slipi_soc_dot(x, y) - slipi_dense3_dot(x, y)) <= 1e-14 * x[0] * y[0]);
  }
  double near = 0x1p-50;
  const double x[3] = {1, 1 - near, 0}, y[3] = {1, near - 1, 0}, e[3] = {1, 0, 0};
  assert_true(fabs(slipi_soc_dot(x, y) / (2 * near) - 1) < 1e-14);
  assert_true(slipi_soc_dot(x, e) == 1);
}

/* H = S S, from the basis and the eigenvalues. */
static void form_square(const SlipiSocScaling *s, double H[9]) {
  double Q[9];
  slipi_soc_basis(s, Q);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      H[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        H[3 * i + j] += Q[3 * i + k] * s->eigen[k] * s->eigen[k] * Q[3 * j + k];
    }
}

/* Q' Q = I, and the functions that turn a vector into the basis and back are Q' and Q. */
static void test_basis(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 4);
  for (int k = 0; k < SAMPLES; k++) {
    double u[3], r[3], x[3], y[3], z[3], Q[9];
    SlipiSocScaling s;
    random_inside(&random, 1e-6, u);
    random_inside(&random, 1e-6, r);
    random_vector(&random, x);
    slipi_soc_scale(u, r, &s);
    slipi_soc_basis(&s, Q);
    slipi_soc_from_basis(&s, x, y);
    slipi_dense3_multiply(Q, x, z);
    assert_true(distance(y, z) <= 1e-15 * 4 * slipi_dense3_norm(x));
    slipi_soc_to_basis(&s, y, y);
    slipi_dense3_multiply_transposed(Q, z, z);
    assert_true(distance(y, x) <= 1e-15 * 8 * slipi_dense3_norm(x));
    assert_true(distance(z, x) <= 1e-15 * 8 * slipi_dense3_norm(x));
  }
}

/* For a sliding contact near the solution the eigenvalues of S^2 are 1e20 apart; they are known all
 * the same: u = S^2 r, component by component of the basis. */
static void test_scaling_keeps_small_eigenvalues(void **state) {
  (void)state;
  double near = 0x1p-34; /* so that 1 - near is exact */
  const double r[3] = {1, 1 - near, 0}, u[3] = {1, near - 1, 0};
  SlipiSocScaling s;
  double a[3], b[3];
  slipi_soc_scale(u, r, &s);
  double spread = s.eigen[0] / s.eigen[1];
  assert_true(spread * spread > 1e20);
  assert_true(fabs(s.eigen[0] * s.eigen[1] / (s.eigen[2] * s.eigen[2]) - 1) < 1e-14);
  slipi_soc_to_basis(&s, r, a);
  slipi_soc_to_basis(&s, u, b);
  for (int k = 0; k < 2; k++)
    assert_true(fabs(s.eigen[k] * s.eigen[k] * a[k] / b[k] - 1) < 1e-12);
}

/* S r = S^-1 u = lambda, H = S S, H r = u, and S^-1 undoes S; also near the boundary. */
static void test_scaling(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  for (int k = 0; k < SAMPLES; k++) {
    double u[3], r[3], a[3], b[3], x[3], H[9];
    SlipiSocScaling s;
    random_inside(&random, 1e-6, u);
    random_inside(&random, 1e-6, r);
    slipi_soc_scale(u, r, &s);
    slipi_soc_apply_inverse(&s, u, a);
    assert_true(distance(a, s.lambda) <= 1e-8 * slipi_dense3_norm(s.lambda));
    form_square(&s, H);
    slipi_dense3_multiply(H, r, b);
    assert_true(distance(b, u) <= 1e-8 * slipi_dense3_norm(u));
    random_vector(&random, x);
    slipi_soc_apply(&s, x, a);
    slipi_soc_apply(&s, a, a);
    slipi_dense3_multiply(H, x, b);
    assert_true(distance(a, b) <= 1e-9 * slipi_dense3_norm(a));
    slipi_soc_apply(&s, x, a);
    slipi_soc_apply_inverse(&s, a, b);
    assert_true(distance(b, x) <= 1e-8 * fmax(1, slipi_dense3_norm(a) / s.eigen[1]));
  }
}

/* On the central path u o r = beta e, lambda is sqrt(beta) e. */
static void test_scaling_on_the_path(void **state) {
  (void)state;
  const double r[3] = {2, 0.5, -1};
  double beta = 0.01, factor = beta / slipi_soc_det(r);
  double u[3] = {factor * r[0], -factor * r[1], -factor * r[2]};
  SlipiSocScaling s;
  slipi_soc_scale(u, r, &s);
  assert_true(distance(s.lambda, (double[3]){0.1, 0, 0}) < 1e-14);
}

/* The step ends on the boundary, and no shorter one leaves the cone. */
static void test_max_step(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  int ends = 0, endless = 0;
  for (int k = 0; k < SAMPLES; k++) {
    double x[3], d[3];
    random_inside(&random, 1e-3, x);
    random_vector(&random, d);
    double t = slipi_soc_max_step(x, d);
    if (isinf(t)) {
      endless++; /* a direction of the cone itself */
      assert_true(d[0] >= slipi_soc_tangent(d));
      continue;
    }
    ends++;
    double before[3], after[3];
    for (int i = 0; i < 3; i++) {
      before[i] = x[i] + 0.999 * t * d[i];
      after[i] = x[i] + 1.001 * t * d[i];
    }
    assert_true(slipi_soc_inside(before));
    assert_false(slipi_soc_inside(after));
  }
  assert_true(ends > SAMPLES / 4 && endless > SAMPLES / 20);
}

/* Back along x itself, where both roots are one: the way to the apex, whatever rounding says. */
static void test_max_step_to_the_apex(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 4);
  for (int k = 0; k < SAMPLES; k++) {
    double x[3], by = slipi_random_between(&random, 0.1, 3), d[3];
    random_inside(&random, 0.1, x);
    x[1] *= k % 2;
    x[2] *= k % 2;
    for (int i = 0; i < 3; i++)
      d[i] = -by * x[i];
    assert_true(fabs(by * slipi_soc_max_step(x, d) - 1) < 1e-6);
  }
}

static void test_max_step_of_special_directions(void **state) {
  (void)state;
  const double e[3] = {1, 0, 0};
  assert_true(fabs(slipi_soc_max_step(e, (double[3]){-1, 0, 0}) - 1) < 1e-15);
  assert_true(fabs(slipi_soc_max_step(e, (double[3]){0, 1, 0}) - 1) < 1e-15);
  assert_true(fabs(slipi_soc_max_step(e, (double[3]){-1, 1, 0}) - 0.5) < 1e-15);
  assert_true(isinf(slipi_soc_max_step(e, (double[3]){1, 1, 0})));
  assert_true(isinf(slipi_soc_max_step(e, (double[3]){0, 0, 0})));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_division_undoes_the_product),
      cmocka_unit_test(test_unit_and_determinant),
      cmocka_unit_test(test_dot),
      cmocka_unit_test(test_basis),
      cmocka_unit_test(test_scaling),
      cmocka_unit_test(test_scaling_keeps_small_eigenvalues),
      cmocka_unit_test(test_scaling_on_the_path),
      cmocka_unit_test(test_max_step),
      cmocka_unit_test(test_max_step_to_the_apex),
      cmocka_unit_test(test_max_step_of_special_directions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
