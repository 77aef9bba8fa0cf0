/* Every one-contact solver against problems with known solutions and an independent residual. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contact/onecontact.h"
#include "contact/onecontact_parts.h"
#include "contact_block.h"

enum { KINDS = SLIPI_ONE_PROJECTION_LOOP + 1 };

static SlipiOneContact prepare(const ContactBlock *block, bool associated) {
  SlipiOneContact one;
  SlipiLaw law = slipi_law(SLIP_COULOMB, block->mu);
  law.flow = associated ? SLIP_FLOW_ASSOCIATED : SLIP_FLOW_COULOMB;
  slipi_one_contact_prepare(&one, block->W, law);
  return one;
}

static double solve(const ContactBlock *block, SlipiOneContactRule rule, double r[3]) {
  SlipiOneContact one = prepare(block, false);
  slipi_one_contact_solve(&one, &rule, block->q, r);
  return block_error(block, 0, r);
}

static void assert_near(const double r[3], const double expected[3], double tol) {
  double size = hypot(hypot(expected[0], expected[1]), expected[2]);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(r[k] - expected[k]) <= tol * size);
}

static void test_names(void **state) {
  (void)state;
  const char *const expected[] = {"hybrid",    "quartic-tan", "quartic-alpha",
                                  "nsn-ac",    "nsn-ac-gp",   "nsn-jm",
                                  "nsn-jm-gp", "projection",  "projection-loop"};
  for (int k = 0; k < KINDS; k++)
    assert_string_equal(slipi_one_contact_names[k], expected[k]);
  assert_null(slipi_one_contact_names[KINDS]);
  assert_true(sizeof(SlipiOneContact) <= 256);
}

/* The library's error is the one the tests compute, also at extreme scales. */
static void test_error(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  for (int trial = 0; trial < 500; trial++) {
    ContactBlock block;
    double r[3], scale = pow(10, slipi_random_between(&random, -60, 60));
    block.mu = pow(10, slipi_random_between(&random, -2, 1));
    block_random_W(&random, 100, block.W);
    for (int k = 0; k < 9; k++)
      block.W[k] *= scale;
    for (int k = 0; k < 3; k++) {
      r[k] = slipi_random_normal(&random) / (trial % 2 ? scale : 1);
      block.q[k] = slipi_random_normal(&random);
    }
    SlipiOneContact one = prepare(&block, trial % 3 == 0);
    double expected = block_error(&block, trial % 3 == 0, r);
    assert_true(fabs(slipi_one_contact_error(&one, block.q, r) - expected) <=
                1e-13 + 1e-12 * expected);
  }
  ContactBlock zero = {.mu = 0.5};
  SlipiOneContact one = prepare(&zero, false);
  assert_true(slipi_one_contact_error(&one, zero.q, zero.q) == 0);
  assert_true(slipi_one_contact_error(&one, zero.q, (const double[3]){0, 1, 0}) == INFINITY);
}

/* 100,000 problems, condition up to 1e8, mu from 0.01 to 10, every regime: 1e-12. */
static void test_hybrid_bar(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  int seen[3] = {0, 0, 0};
  double worst = 0;
  for (int trial = 0; trial < 100000; trial++) {
    ContactBlock block;
    block.mu = pow(10, slipi_random_between(&random, -2, 1));
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 8)), block.W);
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
    if (trial % 4 == 3)
      for (int k = 0; k < 3; k++)
        block.q[k] = slipi_random_normal(&random);
    double r[3] = {0, 0, 0}, error = solve(&block, rule, r);
    worst = fmax(worst, error);
    bool inside = hypot(r[1], r[2]) < block.mu * r[0] * (1 - 1e-12);
    seen[r[0] == 0 ? SLIP_CONTACT_OPEN : inside ? SLIP_CONTACT_STICK : SLIP_CONTACT_SLIP]++;
  }
  assert_true(worst <= 1e-12);
  assert_true(seen[0] > 10000 && seen[1] > 10000 && seen[2] > 10000);
}

/* Worse conditioned than the bar: the exact slide hands over to the enumeration. */
static void test_hybrid_nearly_singular(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 6);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  for (int trial = 0; trial < 3000; trial++) {
    ContactBlock block;
    double r[3] = {0, 0, 0};
    block.mu = pow(10, slipi_random_between(&random, -2, 1));
    block_random_W(&random, pow(10, slipi_random_between(&random, 9, 13)), block.W);
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
    assert_true(solve(&block, rule, r) <= 1e-11);
  }
}

/* Well-conditioned, weakly coupled blocks have one solution: every kind must find it. */
static void test_every_kind(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    SlipiRandom random;
    slipi_random_seed(&random, 7);
    SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-13, 2000};
    int failed = 0;
    for (int trial = 0; trial < 300; trial++) {
      ContactBlock block;
      double r[3] = {0, 0, 0}, error = 1;
      block.mu = slipi_random_between(&random, 0.1, 0.4);
      block_random_W(&random, 2, block.W);
      block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
      /* One step at a time, the projection needs many. */
      for (int step = 0; step < (kind == SLIPI_ONE_PROJECTION ? 3000 : 1); step++)
        error = solve(&block, rule, r);
      if (!(error <= 1e-12)) {
        failed++;
        continue;
      }
      for (int k = 0; k < 3; k++) /* |W| and q are of the size of r, or 1 */
        assert_true(fabs(r[k] - block.r[k]) <= 1e-10 * (1 + block.r[0]));
    }
    /* Newton without a line search may cycle. */
    bool plain = kind == SLIPI_ONE_NEWTON_AC || kind == SLIPI_ONE_NEWTON_JM;
    assert_true(failed <= (plain ? 6 : 0));
  }
}

/* One step of the fixed point is exactly r <- P_K(r - rho (u + g(u))). */
static void test_projection_is_one_step(void **state) {
  (void)state;
  ContactBlock block = {.W = {2, 0, 0, 0, 1, 0, 0, 0, 2}, .q = {-3, 1, 0}, .mu = 0.5};
  const SlipiOneContactRule rule = {SLIPI_ONE_PROJECTION, 0, 1};
  double r[3] = {1, 0.1, 0};
  /* |W| = 3: u = (-1, 1.1, 0), g = 0.55, z = (1 + 0.45/3, 0.1 - 1.1/3, 0): inside the cone. */
  solve(&block, rule, r);
  assert_near(r, (const double[3]){1.15, 0.1 - 1.1 / 3, 0}, 1e-15);
}

/* The kinds that promise it never make things worse; but for rounding. */
static void test_never_worse(void **state) {
  (void)state;
  const SlipiOneContactKind kinds[] = {SLIPI_ONE_HYBRID,        SLIPI_ONE_QUARTIC_TAN,
                                       SLIPI_ONE_QUARTIC_ALPHA, SLIPI_ONE_NEWTON_AC_GP,
                                       SLIPI_ONE_NEWTON_JM_GP,  SLIPI_ONE_PROJECTION_LOOP};
  SlipiRandom random;
  slipi_random_seed(&random, 8);
  for (int trial = 0; trial < 6000; trial++) {
    ContactBlock block;
    SlipiOneContactRule rule = {kinds[trial % 6], 1e-14, 5};
    block.mu = pow(10, slipi_random_between(&random, -2, 1));
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 8)), block.W);
    for (int k = 0; k < 9; k++) /* also unsymmetric, also indefinite */
      block.W[k] += trial % 5 == 4 ? slipi_random_normal(&random) : 0;
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
    double r[3], noise = pow(10, slipi_random_between(&random, -16, 1));
    for (int k = 0; k < 3; k++)
      r[k] = block.r[k] * (1 + noise * slipi_random_normal(&random));
    double before = block_error(&block, 0, r);
    assert_true(solve(&block, rule, r) <= before + 2e-14);
  }
}

/* Where there are several solutions: the one nearest to the input, and a solution fed back stays.
 */
static void test_takes_the_nearest(void **state) {
  (void)state;
  ContactBlock block = {.W = {1, 0.9, 0, 0.9, 1, 0, 0, 0, 1}, .q = {1.7, 2.5, 0}, .mu = 3};
  const double solutions[3][3] = {{0, 0, 0}, {1, -3, 0}, {0.55 / 0.19, -0.97 / 0.19, 0}};
  for (int kind = SLIPI_ONE_HYBRID; kind <= SLIPI_ONE_QUARTIC_ALPHA; kind++) {
    for (int k = 0; k < 3; k++) {
      SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-14, 100};
      double r[3];
      for (int i = 0; i < 3; i++)
        r[i] = solutions[k][i] + (i == 1 ? 0.05 : 0.03);
      solve(&block, rule, r);
      assert_near(r, solutions[k], 1e-13);
    }
  }
}

static void test_unsymmetric(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 9);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 200};
  for (int trial = 0; trial < 5000; trial++) {
    ContactBlock block;
    double r[3] = {0, 0, 0}, strength = pow(10, slipi_random_between(&random, -13, 1));
    block.mu = pow(10, slipi_random_between(&random, -2, 1));
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 4)), block.W);
    for (int i = 0; i < 3; i++) { /* W + skew: still positive definite */
      int j = (i + 1) % 3;
      double skew = strength * slipi_random_normal(&random);
      block.W[3 * i + j] += skew;
      block.W[3 * j + i] -= skew;
    }
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
    assert_true(solve(&block, rule, r) <= 1e-12);
  }
}

/* 2D contacts: both paddings give the same impulse, without a third component. */
static void test_padded_2d(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 10);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  for (int trial = 0; trial < 3000; trial++) {
    ContactBlock block = {.mu = pow(10, slipi_random_between(&random, -2, 1))};
    double a = slipi_random_between(&random, 0.1, 2), d = slipi_random_between(&random, 0.1, 2);
    double b = slipi_random_between(&random, -0.99, 0.99) * sqrt(a * d);
    const double W2[4] = {a, b, b, d}, padded[9] = {a, b, 0, b, d, 0, 0, 0, 1};
    for (int k = 0; k < 2; k++)
      block.q[k] = slipi_random_normal(&random);
    double r[3] = {0, 0, 0}, other[3] = {0, 0, 0};
    slipi_one_contact_pad(W2, block.W);
    assert_true(solve(&block, rule, r) <= 1e-12);
    memcpy(block.W, padded, sizeof padded);
    assert_true(solve(&block, rule, other) <= 1e-12);
    assert_true(r[2] == 0 && other[2] == 0);
    assert_near(other, r, 1e-11);
  }
}

static void test_singular(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 12);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 500};
  for (int trial = 0; trial < 3000; trial++) {
    ContactBlock block = {.mu = pow(10, slipi_random_between(&random, -1, 0.5))};
    int rank = trial % 2 + 1;
    for (int v = 0; v < rank; v++) {
      double x[3] = {slipi_random_normal(&random), slipi_random_normal(&random),
                     slipi_random_normal(&random)};
      for (int k = 0; k < 9; k++)
        block.W[k] += x[k / 3] * x[k % 3];
    }
    block_with_solution(&random, (SlipContactStatus)(trial / 2 % 3), &block);
    double r[3] = {0, 0, 0};
    assert_true(solve(&block, rule, r) <= 1e-11);
  }
  /* W = 0: open holds, nothing else can; closing in, there is no solution and r stays. */
  ContactBlock zero = {.q = {1, 2, 3}, .mu = 0.5};
  double r[3] = {1, 0, 0};
  assert_true(solve(&zero, rule, r) == 0 && r[0] == 0);
  zero.q[0] = -1;
  for (int kind = 0; kind < KINDS; kind++) {
    SlipiOneContactRule any = {(SlipiOneContactKind)kind, 1e-14, 50};
    double x[3] = {1, 0.25, 0};
    solve(&zero, any, x);
    assert_true(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]));
  }
}

static void test_scales(void **state) {
  (void)state;
  const double powers[] = {1e-150, 1e-100, 1e-30, 1, 1e30, 1e100, 1e150};
  SlipiRandom random;
  slipi_random_seed(&random, 13);
  for (int trial = 0; trial < 60; trial++) {
    ContactBlock base = {.mu = slipi_random_between(&random, 0.1, 0.5)};
    block_random_W(&random, 3, base.W);
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &base);
    for (int i = 0; i < 49; i++) {
      ContactBlock block = base;
      double size_W = powers[i / 7], size_q = powers[i % 7];
      if (fabs(log10(size_q) - log10(size_W)) > 290)
        continue;
      for (int k = 0; k < 9; k++)
        block.W[k] *= size_W;
      for (int k = 0; k < 3; k++)
        block.q[k] *= size_q;
      for (int kind = 0; kind < KINDS; kind++) {
        SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-14, 200};
        double r[3] = {0, 0, 0};
        solve(&block, rule, r);
        if (kind == SLIPI_ONE_HYBRID || kind == SLIPI_ONE_QUARTIC_TAN ||
            kind == SLIPI_ONE_QUARTIC_ALPHA || kind == SLIPI_ONE_NEWTON_AC_GP)
          for (int k = 0; k < 3; k++)
            assert_true(fabs(r[k] / (size_q / size_W) - base.r[k]) <= 1e-11 * 200);
      }
    }
  }
}

/* Extreme mu, q = 0, q with zero parts. */
static void test_corners(void **state) {
  (void)state;
  const double mus[] = {1e-12, 1e-8, 1e-3, 1e3, 1e8, 1e12};
  const double qs[][3] = {{0, 0, 0}, {0, 1, 0},   {-1, 0, 0},     {1, 0, 0},
                          {0, 1, 1}, {-1, 1, -1}, {-1e-12, 1, 1}, {-1, 1e-12, 0}};
  for (int m = 0; m < 6; m++) {
    for (size_t k = 0; k < sizeof qs / sizeof *qs; k++) {
      ContactBlock block = {.W = {2, 0.5, -0.3, 0.5, 1, 0.1, -0.3, 0.1, 1.5}, .mu = mus[m]};
      memcpy(block.q, qs[k], sizeof block.q);
      for (int kind = SLIPI_ONE_HYBRID; kind <= SLIPI_ONE_QUARTIC_ALPHA; kind++) {
        SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-14, 200};
        double r[3] = {0, 0, 0};
        /* The natural map multiplies the rounding of u_T by mu. */
        assert_true(solve(&block, rule, r) <= 1e-12 * fmax(1, 0.01 * block.mu));
        assert_true(block.q[0] >= 0 || r[0] > 0);
      }
    }
  }
  /* Not a number: r is left alone. */
  ContactBlock bad = {.W = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .q = {NAN, 0, 0}, .mu = 0.5};
  for (int where = 0; where < 3; where++) {
    for (int kind = 0; kind < KINDS; kind++) {
      SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-14, 20};
      double r[3] = {1, 0.5, 0};
      memset(bad.q, 0, sizeof bad.q);
      bad.q[where] = where == 1 ? INFINITY : NAN;
      solve(&bad, rule, r);
      assert_true(r[0] == 1 && r[1] == 0.5 && r[2] == 0);
    }
  }
}

/* The convex law: K* ∋ u ⟂ r ∈ K without g. */
static void test_associated(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 14);
  for (int trial = 0; trial < 3000; trial++) {
    ContactBlock block = {.mu = pow(10, slipi_random_between(&random, -2, 1))};
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 6)), block.W);
    for (int k = 0; k < 3; k++)
      block.q[k] = slipi_random_normal(&random);
    for (int kind = SLIPI_ONE_HYBRID; kind <= SLIPI_ONE_QUARTIC_ALPHA; kind++) {
      SlipiOneContact one = prepare(&block, true);
      SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-14, 200};
      double r[3] = {0, 0, 0};
      slipi_one_contact_solve(&one, &rule, block.q, r);
      assert_true(block_error(&block, 1, r) <= 1e-12);
    }
  }
}

/* The slide in axes that make W and the cone diagonal: nearly always enough, to rounding, from any
 * multiplier; q of every kind, also near the limits of open and of stick. */
static void test_associated_axes(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 12);
  int found = 0, trials = 40000;
  for (int trial = 0; trial < trials; trial++) {
    ContactBlock block;
    double r[3] = {0};
    block.mu = pow(10, slipi_random_between(&random, -2, 1));
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 3)), block.W);
    for (int k = 0; k < 3; k++)
      block.q[k] = slipi_random_normal(&random);
    if (trial % 4 == 0) /* on the limit of open, but for 1e-12 to 1 */
      block.q[0] = block.mu * hypot(block.q[1], block.q[2]) *
                   (1 - pow(10, slipi_random_between(&random, -12, 0)));
    SlipiOneContact one = prepare(&block, true);
    assert_true(one.aligned);
    one.lambda = trial % 3 ? 0 : pow(10, slipi_random_between(&random, -3, 3));
    if (!slipi_one_contact_associated(&one, block.q, r))
      continue;
    found++;
    double error = block_error(&block, 1, r);
    if (error > 4e-13 * (1 + block.mu))
      fail_msg("trial %d: error %g", trial, error);
  }
  assert_true(found > 0.99 * trials);
}

static void test_frictionless_and_bilateral(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 15);
  for (int trial = 0; trial < 200; trial++) {
    double W[9], q[3];
    SlipiOneContact one;
    block_random_W(&random, 100, W);
    for (int k = 0; k < 3; k++)
      q[k] = slipi_random_normal(&random);
    for (int kind = 0; kind < KINDS; kind++) {
      SlipiOneContactRule rule = {(SlipiOneContactKind)kind, 1e-14, 200};
      double r[3] = {1, 2, 3};
      slipi_one_contact_prepare(&one, W, slipi_law(SLIP_FRICTIONLESS, 0));
      slipi_one_contact_solve(&one, &rule, q, r);
      assert_true(r[0] == fmax(0, -q[0] / W[0]) && r[1] == 0 && r[2] == 0);
      slipi_one_contact_prepare(&one, W, slipi_law(SLIP_BILATERAL, 0));
      slipi_one_contact_solve(&one, &rule, q, r);
      for (int i = 0; i < 3; i++)
        assert_true(fabs(W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2] + q[i]) <
                    1e-12);
    }
  }
  /* A bilateral block of rank 1: W r = -q as nearly as can be, r otherwise where it was. */
  const double W[9] = {4, 2, 0, 2, 1, 0, 0, 0, 0}, q[3] = {-4, -2, 0};
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 200};
  double r[3] = {0, 0, 7};
  SlipiOneContact one;
  slipi_one_contact_prepare(&one, W, slipi_law(SLIP_BILATERAL, 0));
  slipi_one_contact_solve(&one, &rule, q, r);
  assert_near(r, (const double[3]){0.8, 0.4, 7}, 1e-14);
  slipi_one_contact_solve(&one, &rule, (const double[3]){-5, 0, 1}, r); /* least squares */
  assert_near(r, (const double[3]){0.8, 0.4, 7}, 1e-14);
  /* Nothing to push against. */
  const double none[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
  slipi_one_contact_prepare(&one, none, slipi_law(SLIP_FRICTIONLESS, 0));
  slipi_one_contact_solve(&one, &rule, (const double[3]){-1, 0, 0}, r);
  assert_true(isfinite(r[0]));
  slipi_one_contact_solve(&one, &rule, (const double[3]){1, 0, 0}, r);
  assert_true(r[0] == 0 && r[1] == 0 && r[2] == 0);
}

/* As Gauss-Seidel uses it: the same contact with a slowly changing q, warm-started. */
static void test_warm_start(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 16);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  for (int trial = 0; trial < 300; trial++) {
    ContactBlock block = {.mu = pow(10, slipi_random_between(&random, -1, 0.5))};
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 3)), block.W);
    block_with_solution(&random, SLIP_CONTACT_SLIP, &block);
    SlipiOneContact one = prepare(&block, false);
    double r[3] = {0, 0, 0};
    for (int sweep = 0; sweep < 30; sweep++) {
      for (int k = 0; k < 3; k++)
        block.q[k] += 0.3 * slipi_random_normal(&random);
      slipi_one_contact_solve(&one, &rule, block.q, r);
      assert_true(block_error(&block, 0, r) <= 1e-12);
    }
  }
}

/* A rod that jams (Painleve): W = h h' with mu |h_T| > h_N, pushed against where no impulse can act
 * without pressing it further in. A sweep comes by again and again: it must not stay long. */
static void test_without_solution(void **state) {
  (void)state;
  const double h[3] = {0.3, 0.8, 0}, q[3] = {-1, 1, 0};
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  double W[9], r[3] = {0, 0, 0};
  for (int k = 0; k < 9; k++)
    W[k] = h[k / 3] * h[k % 3];
  SlipiOneContact one;
  slipi_one_contact_prepare(&one, W, slipi_law(SLIP_COULOMB, 0.6));
  double before = slipi_one_contact_error(&one, q, r);
  assert_true(slipi_one_contact_solve(&one, &rule, q, r) <= 10);
  double after = slipi_one_contact_error(&one, q, r);
  assert_true(after <= before && after > 1e-3);
  assert_true(hypot(r[0], r[1]) < 1e8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),           cmocka_unit_test(test_error),
      cmocka_unit_test(test_hybrid_bar),      cmocka_unit_test(test_hybrid_nearly_singular),
      cmocka_unit_test(test_every_kind),      cmocka_unit_test(test_projection_is_one_step),
      cmocka_unit_test(test_never_worse),     cmocka_unit_test(test_takes_the_nearest),
      cmocka_unit_test(test_unsymmetric),     cmocka_unit_test(test_padded_2d),
      cmocka_unit_test(test_singular),        cmocka_unit_test(test_scales),
      cmocka_unit_test(test_corners),         cmocka_unit_test(test_associated),
      cmocka_unit_test(test_associated_axes), cmocka_unit_test(test_frictionless_and_bilateral),
      cmocka_unit_test(test_warm_start),      cmocka_unit_test(test_without_solution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
