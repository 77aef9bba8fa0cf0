/* Nonsmooth equations: zero at solutions, Jacobians by finite differences. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contact/nonsmooth.h"
#include "contact_block.h"

enum { KINDS = 6 };
static const SlipiNonsmooth kinds[KINDS] = {SLIPI_NONSMOOTH_AC,  SLIPI_NONSMOOTH_JM,
                                            SLIPI_NONSMOOTH_NAT, SLIPI_NONSMOOTH_FB,
                                            SLIPI_NONSMOOTH_HSW, SLIPI_NONSMOOTH_XSW};

static void test_zero_at_solutions(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int trial = 0; trial < 600; trial++) {
    ContactBlock block = {.mu = pow(10, slipi_random_between(&random, -2, 1))};
    SlipiLaw law = slipi_law(SLIP_COULOMB, block.mu);
    double F[3], size = 1;
    block_random_W(&random, 10, block.W);
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
    SlipiSteps rho = {pow(10, slipi_random_between(&random, -1, 1)),
                      pow(10, slipi_random_between(&random, -1, 1)), 1};
    for (int k = 0; k < 3; k++)
      size = fmax(size, fabs(block.r[k]) + 10 * fabs(block.u[k]));
    for (int kind = 0; kind < KINDS; kind++) {
      slipi_nonsmooth(kinds[kind], &law, rho, block.u, block.r, F, NULL, NULL);
      /* FB divides by mu, HSW and XSW multiply two lengths */
      assert_true(hypot(hypot(F[0], F[1]), F[2]) <=
                  1e-13 * size * size * (1 + block.mu) / fmin(1, block.mu));
      double off[3] = {block.r[0] + 0.1, block.r[1], block.r[2] + 0.1}; /* and not elsewhere */
      double u[3] = {block.u[0] + 0.1, block.u[1] + 0.1, block.u[2]};
      slipi_nonsmooth(kinds[kind], &law, rho, u, off, F, NULL, NULL);
      assert_true(hypot(hypot(F[0], F[1]), F[2]) > 1e-4);
    }
  }
}

/* Which smooth piece (u, r) is on, so that differences do not straddle a kink. */
static int piece(SlipiNonsmooth kind, const SlipiLaw *law, SlipiSteps rho, const double u[3],
                 const double r[3]) {
  bool cone = kind == SLIPI_NONSMOOTH_NAT || kind == SLIPI_NONSMOOTH_FB ||
              law->flow == SLIP_FLOW_ASSOCIATED;
  if (cone && law->kind == SLIPI_COULOMB) {
    double z[3] = {r[0] - rho.normal * (u[0] + slipi_law_g(law, u)), r[1] - rho.normal * u[1],
                   r[2] - rho.normal * u[2]};
    return slipi_law_project(law, z, z);
  }
  double zN = r[0] - rho.normal * u[0], radius = kind == SLIPI_NONSMOOTH_JM ? r[0] : zN;
  double t = hypot(r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]);
  if (kind == SLIPI_NONSMOOTH_XSW && law->kind == SLIPI_COULOMB) {
    double speed = rho.tangent * hypot(u[1], u[2]), slack = law->mu * r[0] - hypot(r[1], r[2]);
    return 8 * (zN > 0) + 4 * (speed <= slack) + 2 * (u[1] * r[2] > u[2] * r[1]) +
           (u[1] * r[1] + u[2] * r[2] > 0);
  }
  int weight = kind != SLIPI_NONSMOOTH_HSW ? 0 : fmax(law->mu * zN, t) > 0.01 * rho.size;
  return 8 * weight + 4 * (zN > 0) + 2 * (radius > 0) + (t <= law->mu * fmax(0, radius));
}

static int compare(SlipiNonsmooth kind, const SlipiLaw *law, SlipiSteps rho, const double x[6],
                   int pieces[16]) {
  const double h = 1e-6;
  double F[3], Phi[2][9];
  int here = piece(kind, law, rho, x, x + 3), compared = 0;
  slipi_nonsmooth(kind, law, rho, x, x + 3, F, Phi[0], Phi[1]);
  for (int j = 0; j < 6; j++) {
    double plus[6], minus[6], Fp[3], Fm[3];
    memcpy(plus, x, sizeof plus);
    memcpy(minus, x, sizeof minus);
    plus[j] += h;
    minus[j] -= h;
    if (piece(kind, law, rho, plus, plus + 3) != here ||
        piece(kind, law, rho, minus, minus + 3) != here)
      continue;
    slipi_nonsmooth(kind, law, rho, plus, plus + 3, Fp, NULL, NULL);
    slipi_nonsmooth(kind, law, rho, minus, minus + 3, Fm, NULL, NULL);
    for (int i = 0; i < 3; i++)
      assert_true(fabs(Phi[j / 3][3 * i + j % 3] - (Fp[i] - Fm[i]) / (2 * h)) <= 1e-6);
    compared++;
  }
  pieces[here]++;
  return compared;
}

static void test_jacobians(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 2);
  for (int number = 0; number < 5 * KINDS; number++) {
    SlipiNonsmooth kind = kinds[number % KINDS];
    int which = number / KINDS, compared = 0, pieces[16] = {0};
    SlipiLaw law = slipi_law(which == 3   ? SLIP_FRICTIONLESS
                             : which == 4 ? SLIP_BILATERAL
                                          : SLIP_COULOMB,
                             which == 0 ? 0.2 : 1.5);
    law.flow = which == 2 ? SLIP_FLOW_ASSOCIATED : SLIP_FLOW_COULOMB;
    for (int trial = 0; trial < 400; trial++) {
      double x[6];
      SlipiSteps rho = {slipi_random_between(&random, 0.3, 2),
                        slipi_random_between(&random, 0.3, 2), 1.5};
      for (int k = 0; k < 6; k++)
        x[k] = slipi_random_normal(&random) * (k == 3 ? 4 : 1);
      double zT = hypot(x[4] - rho.tangent * x[1], x[5] - rho.tangent * x[2]);
      if (hypot(x[1], x[2]) > 0.1 && zT > 0.1 && hypot(x[4], x[5]) > 0.1)
        compared += compare(kind, &law, rho, x, pieces);
    }
    assert_true(compared > 1000);
    int seen = 0;
    for (int k = 0; k < 16; k++)
      seen += pieces[k] > 5;
    assert_true(seen >= 3 || which >= 3); /* open, stick and slide */
  }
}

static void jacobian(SlipiNonsmooth kind, const double x[6], const double *way, double t,
                     double J[18]) {
  const SlipiSteps rho = {1, 1, 1};
  SlipiLaw law = slipi_law(SLIP_COULOMB, 0.5);
  double at[6], F[3];
  for (int i = 0; i < 6; i++)
    at[i] = x[i] + t * (way ? way[i] : 0);
  slipi_nonsmooth(kind, &law, rho, at, at + 3, F, J, J + 9);
}

/* A point (u, r) on a kink, and ways from it on which the Jacobian has a limit: the one returned
 * at the point must be one of the limits (one way), or the mean of those along both senses of the
 * way (twice: where the centre of a subdifferential is taken). mu = 0.5 and the numbers are
 * exact. */
typedef struct Kink {
  int kind; /* among `kinds` */
  double x[6], way[6];
  bool twice;
} Kink;

static void test_kinks(void **state) {
  (void)state;
  enum { AC, JM, NAT, FB, HSW, XSW };
  static const Kink kinks[] = {
      /* on the disk's edge, at the tip, with z_T = 0, and all at rest */
      {AC, {0, 0, 0, 2, 1, 0}, {0, 0, 0, 1, 0, 0}, false},
      {AC, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, false},
      {AC, {0, 0.5, 0, 1, 0.5, 0}, {0, 0, 0, 1, 0, 0}, false},
      {AC, {1, 0, 0, 1, 0.5, 0}, {1, 0, 0, 0, 0, 0}, false},
      {JM, {0, 0, 0, 2, 1, 0}, {0, 0, 0, 1, 0, 0}, false},
      {JM, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, false},
      {JM, {0, 0.5, 0, 1, 0.5, 0}, {0, 0, 0, 1, 0, 0}, false},
      {JM, {1, 0, 0, 1, 0.5, 0}, {1, 0, 0, 0, 0, 0}, false},
      /* z on the cone, at rest at the tip; u_T = 0 in stick and when open */
      {NAT, {0, 1, 0, 2.5, 2, 0}, {0, 0, 0, 1, 0, 0}, false},
      {NAT, {0, 0, 0, 1, 0.2, 0.1}, {0, 1, 0, 0, 0, 0}, true},
      {NAT, {1, 0, 0, 1.5, 2, 0}, {0, 0, 1, 0, 0, 0}, true},
      /* x = y = 0; x and y multiples of (1, 1, 0); y = 0 with x on the cone; u_T = 0 */
      {FB, {0, 0, 0, 0, 0, 0}, {0.5, 0, 0, 2, 0, 0}, false},
      {FB, {0, 0.25, 0, 2, 1, 0}, {0.5, 0, 0, 2, 0, 0}, false},
      {FB, {0, 0, 0, 2, 1, 0}, {0.5, 0, 0, 2, 0, 0}, false},
      {FB, {1, 0, 0, 0.5, 0, 0}, {0, 1, 0, 0, 0, 0}, true},
      {FB, {0, 0, 0, 2, 0.1, 0.3}, {0, 0, 1, 0, 0, 0}, true},
      /* as AC; mu z_N = |z_T| moves the weight from one to the other */
      {HSW, {0, 0, 0, 2, 1, 0}, {0, 0, 0, 1, 0, 0}, false},
      {HSW, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, false},
      {HSW, {1, 0, 0, 1, 0.5, 0}, {1, 0, 0, 0, 0, 0}, false},
      {HSW, {0, 0, 0, -1, 0.01, 0}, {0, 0, 0, 0, -1, 0}, false},
      /* at rest in the cone, open, u_N = r_N, no impulse, slip exactly opposite */
      {XSW, {0, 0, 0, 2, 0.5, 0.25}, {0, -0.5, -0.25, 0, 0, 0}, false},
      {XSW, {1, 0.5, 0.25, 0, 0, 0}, {0, 0, 0, 0, -0.5, -0.25}, false},
      {XSW, {1, 0.5, 0.25, 1, 0.5, 0.5}, {1, 0, 0, 0, 0, 0}, false},
      {XSW, {0, -0.5, 0, 2, 1, 0}, {0, 0, -1, 0, 0, 0}, false},
  };
  for (size_t k = 0; k < sizeof kinks / sizeof kinks[0]; k++) {
    const Kink *kink = &kinks[k];
    double J[18], plus[18], minus[18];
    jacobian(kinds[kink->kind], kink->x, NULL, 0, J);
    jacobian(kinds[kink->kind], kink->x, kink->way, 1e-9, plus);
    jacobian(kinds[kink->kind], kink->x, kink->way, -1e-9, minus);
    for (int i = 0; i < 18; i++) {
      double limit = kink->twice ? 0.5 * (plus[i] + minus[i]) : plus[i];
      if (!(fabs(J[i] - limit) <= 1e-7))
        fail_msg("kink %d, entry %d: %g, limit %g", (int)k, i, J[i], limit);
    }
  }
}

static void test_steps(void **state) {
  (void)state;
  const double W[9] = {4, 0, 0, 0, 2, 1, 0, 1, 2}, none[9] = {0};
  const SlipiLaw law = slipi_law(SLIP_COULOMB, 0.5), relaxed = slipi_law_relaxed(law);
  const SlipiLaw fixed = slipi_law(SLIP_BILATERAL, 0), disc = {.kind = SLIPI_DISC};
  SlipiSteps rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_AC, &law), W);
  assert_true(fabs(rho.normal - 0.25) < 1e-15 && fabs(rho.tangent - 1.0 / 3) < 1e-15);
  rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_NAT, &law), W);
  assert_true(fabs(rho.normal - 1 / sqrt(26)) < 1e-15 && rho.tangent == rho.normal);
  rho = slipi_nonsmooth_steps(SLIPI_STEPS_EIGEN, W);
  assert_true(fabs(rho.normal - 0.25) < 1e-15 && rho.tangent == rho.normal);
  rho = slipi_nonsmooth_steps(SLIPI_STEPS_SPLIT_CONDITION, W);
  assert_true(fabs(rho.normal - 0.25) < 1e-15 && fabs(rho.tangent - 1.0 / 9) < 1e-15);
  rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_JM, &law), none);
  assert_true(rho.normal == 1 && rho.tangent == 1);
  /* by the equations a law takes */
  assert_int_equal(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_AC, &relaxed), SLIPI_STEPS_NORM);
  assert_int_equal(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_AC, &disc), SLIPI_STEPS_NORM);
  assert_int_equal(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_AC, &fixed), SLIPI_STEPS_SPLIT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zero_at_solutions),
      cmocka_unit_test(test_jacobians),
      cmocka_unit_test(test_kinks),
      cmocka_unit_test(test_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
