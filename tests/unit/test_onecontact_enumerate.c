/* All solutions of one contact: the example of Bonnefon, Daviet 2011, brute force, and the
 * degenerate cases. Sections are those of that paper. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/onecontact_parts.h"
#include "contact_block.h"

static const ContactBlock paper = {.W = {0.01344, -9.421e-07, 0.001486, -9.421e-07, 0.1061,
                                         0.0001733, 0.001486, 0.0001733, 0.001442},
                                   .q = {-0.1458, -0.2484, -0.1515},
                                   .mu = 0.6};

static void enumerate(const ContactBlock *block, SlipQuartic form, SlipOneContact *list) {
  SlipError error;
  assert_int_equal(slip_one_contact_enumerate(block->W, block->q, block->mu, form, list, &error),
                   SLIP_OK);
  assert_true(list->count >= 0 && list->count <= SLIP_ONE_CONTACT_MAX);
  for (int k = 0; k < list->count; k++)
    assert_true(block_error(block, 0, list->r[k]) <= 1e-12);
}

static bool listed(const SlipOneContact *list, const double r[3], double tol) {
  double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  for (int k = 0; k < list->count; k++)
    if (hypot(hypot(list->r[k][0] - r[0], list->r[k][1] - r[1]), list->r[k][2] - r[2]) <=
        tol * size)
      return true;
  return false;
}

/* The example of section 5. */
static void test_paper_example(void **state) {
  (void)state;
  const double expected[3] = {10.2059, 1.93189, 5.8108};
  for (int form = 0; form < 2; form++) {
    SlipOneContact list = slip_default_one_contact();
    enumerate(&paper, form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.continuum, 0);
    assert_int_equal(list.status[0], SLIP_CONTACT_SLIP);
    assert_true(listed(&list, expected, 1e-5)); /* the digits the paper prints */
    assert_true(block_error(&paper, 0, list.r[0]) <= 1e-14);
  }
}

static void test_paper_polynomial_alpha(void **state) {
  (void)state;
  const double printed[5] = {3.70595e-05, 7.43684e-04, -7.13689e-02, -1.62238, -7.65275};
  SlipiBlock block = {.mu = paper.mu};
  double P[5];
  memcpy(block.W, paper.W, sizeof block.W);
  memcpy(block.q, paper.q, sizeof block.q);
  slipi_quartic_alpha_coefficients(&block, P);
  for (int k = 0; k < 5; k++) /* up to a factor; M is printed with four digits */
    assert_true(fabs(P[k] / P[4] * printed[4] - printed[k]) <= 2e-3 * fabs(printed[k]));
}

/* The paper's problem in other tangents: e1 = sign1 (c, -s), e2 = sign2 (s, c), or swapped. */
static void turned(double c, double s, int choice, SlipiBlock *block) {
  double V[2][2] = {{c, -s}, {s, c}}, T[9] = {1};
  for (int k = 0; k < 2; k++) {
    const double *row = V[choice & 1 ? 1 - k : k];
    double sign = choice & (2 << k) ? -1 : 1;
    T[3 * (k + 1) + 1] = sign * row[0];
    T[3 * (k + 1) + 2] = sign * row[1];
  }
  for (int i = 0; i < 3; i++) {
    block->q[i] = 0;
    for (int j = 0; j < 3; j++) {
      block->q[i] += T[3 * i + j] * paper.q[j];
      block->W[3 * i + j] = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          block->W[3 * i + j] += T[3 * i + a] * paper.W[3 * a + b] * T[3 * j + b];
    }
  }
}

/* Up to a factor, and to the order and signs of the eigenvectors the paper turned to. */
static void test_paper_polynomial_tan(void **state) {
  (void)state;
  const double printed[5] = {1.349783e-01, 8.851747e-01, -6.600166e-02, -1.879711, -1.349578e-01};
  const double *W = paper.W;
  double tau = (W[8] - W[4]) / (2 * W[5]), t = copysign(1 / (fabs(tau) + hypot(1, tau)), tau);
  double c = 1 / hypot(1, t), best = 1;
  for (int choice = 0; choice < 16; choice++) {
    SlipiBlock block = {.mu = paper.mu};
    double P[5], off = 0;
    turned(c, t * c, choice & 7, &block);
    slipi_quartic_tan_coefficients(&block, P);
    for (int k = 0; k < 5; k++) {
      double factor = printed[3] / P[choice & 8 ? 1 : 3], p = P[choice & 8 ? 4 - k : k] * factor;
      off = fmax(off, fabs(p - printed[k]) / fabs(printed[k]));
    }
    best = fmin(best, off);
  }
  assert_true(best <= 2e-3);
}

static void test_against_brute_force(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 11);
  int compared = 0, several = 0, skipped = 0, none = 0,
      trials = getenv("SLIPCONE_FULL") ? 20000 : 500;
  for (int trial = 0; trial < trials; trial++) {
    ContactBlock block;
    double found[8][3];
    block.mu = pow(10, slipi_random_between(&random, trial % 2 ? -2 : 0, 1));
    block_random_W(&random, pow(10, slipi_random_between(&random, 0, 3)), block.W);
    block_with_solution(&random, (SlipContactStatus)(trial % 3), &block);
    if (trial % 4 == 3)
      for (int k = 0; k < 3; k++)
        block.q[k] = slipi_random_normal(&random);
    int expected = block_brute_force(&block, found);
    if (expected < 0) {
      skipped++;
      continue;
    }
    for (int form = 0; form < 2; form++) {
      SlipOneContact list = slip_default_one_contact();
      enumerate(&block, form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN, &list);
      assert_int_equal(list.count, expected);
      assert_int_equal(list.continuum, 0);
      for (int k = 0; k < expected; k++)
        assert_true(listed(&list, found[k], 1e-5));
    }
    compared++;
    several += expected > 1;
    none += expected == 0;
  }
  assert_true(20 * several > trials && 100 * skipped < trials && compared > 0);
  assert_true(none == 0); /* W positive definite: there is always a solution */
}

/* 2D, built by hand: W = [[1, 0.9], [0.9, 1]], mu = 3. With q_N > 0 open holds, and so may slide
 * and stick: u_N = r_N - 2.7 r_N + q_N = 0 with r_T = -mu r_N. */
static void test_open_stick_and_slide_at_once(void **state) {
  (void)state;
  ContactBlock block = {.W = {1, 0.9, 0, 0.9, 1, 0, 0, 0, 1}, .q = {1.7, 2.5, 0}, .mu = 3};
  /* slide: r_N = 1, r_T = -3, u_T = 0.9 - 3 + 2.5 = 0.4 > 0, along -r_T: admissible.
   * stick: r = -W^-1 q = (-(1.7 - 2.25), -(2.5 - 1.53))/0.19 = (2.894.., -5.105..): in K. */
  const double slide[3] = {1, -3, 0};
  const double stick[3] = {0.55 / 0.19, -0.97 / 0.19, 0};
  for (int form = 0; form < 2; form++) {
    SlipOneContact list = slip_default_one_contact();
    enumerate(&block, form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN, &list);
    assert_int_equal(list.count, 3);
    assert_true(listed(&list, slide, 1e-12) && listed(&list, stick, 1e-12));
    int seen[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
      seen[list.status[k]]++;
    assert_true(seen[SLIP_CONTACT_OPEN] == 1 && seen[SLIP_CONTACT_STICK] == 1 &&
                seen[SLIP_CONTACT_SLIP] == 1);
  }
}

/* Section 3.3: a slide along one of the turned tangents, the other component zero. */
static void test_slide_along_an_axis(void **state) {
  (void)state;
  const double angle[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (int k = 0; k < 4; k++) {
    double c = angle[k][0], s = angle[k][1];
    ContactBlock block = {.W = {2, 0.3, 0.2, 0.3, 1, 0, 0.2, 0, 4}, .mu = 0.5};
    const double r[3] = {2, c, s};
    for (int i = 0; i < 3; i++)
      block.q[i] = -(block.W[3 * i] * r[0] + block.W[3 * i + 1] * r[1] + block.W[3 * i + 2] * r[2]);
    block.q[1] -= 0.7 * c;
    block.q[2] -= 0.7 * s;
    for (int form = 0; form < 2; form++) {
      SlipOneContact list = slip_default_one_contact();
      enumerate(&block, form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN, &list);
      assert_int_equal(list.count, 1);
      assert_true(listed(&list, r, 1e-13));
    }
  }
}

/* Isotropic and uncoupled, as between spheres: closed form. */
static void test_sphere(void **state) {
  (void)state;
  ContactBlock block = {.W = {2, 0, 0, 0, 7, 0, 0, 0, 7}, .q = {-4, 3, -4}, .mu = 0.25};
  const double slide[3] = {2, -0.3, 0.4};
  SlipOneContact list = slip_default_one_contact();
  for (int form = 0; form < 2; form++) {
    enumerate(&block, form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN, &list);
    assert_int_equal(list.count, 1);
    assert_true(listed(&list, slide, 1e-14));
    assert_int_equal(list.status[0], SLIP_CONTACT_SLIP);
  }
  /* No tangential velocity: the polynomial in t vanishes, and it sticks. */
  block.q[1] = block.q[2] = 0;
  for (int form = 0; form < 2; form++) {
    enumerate(&block, form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.status[0], SLIP_CONTACT_STICK);
    assert_int_equal(list.continuum, 0);
  }
}

/* Section 4: W_NN = 0. */
static void test_massless_normal(void **state) {
  (void)state;
  ContactBlock block = {.W = {0, 0, 0, 0, 1, 0.2, 0, 0.2, 2}, .q = {-1, 0.5, 0.3}, .mu = 0.4};
  SlipOneContact list = slip_default_one_contact();
  for (int form = 0; form < 2; form++) {
    SlipQuartic f = form ? SLIP_QUARTIC_ALPHA : SLIP_QUARTIC_TAN;
    block.q[0] = -1;
    enumerate(&block, f, &list);
    assert_int_equal(list.count, 0); /* nothing can stop it */
    block.q[0] = 1;
    enumerate(&block, f, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.status[0], SLIP_CONTACT_OPEN);
    block.q[0] = 0;
    enumerate(&block, f, &list);
    assert_int_equal(list.continuum, 1); /* r_N is free once large enough */
    int seen[3] = {0, 0, 0};
    for (int k = 0; k < list.count; k++)
      seen[list.status[k]]++;
    assert_true(seen[SLIP_CONTACT_OPEN] == 1 && seen[SLIP_CONTACT_STICK] == 1 &&
                seen[SLIP_CONTACT_SLIP] == 1);
  }
}

/* Rank 2, 1 and 0: sticking may hold along a line, a plane, the whole cone. */
static void test_singular(void **state) {
  (void)state;
  SlipOneContact list = slip_default_one_contact();
  /* Null vector (1, 0, 0.1): inside the cone of mu = 0.5. */
  ContactBlock line = {.W = {0.01, 0, -0.1, 0, 1, 0, -0.1, 0, 1}, .mu = 0.5};
  const double r[3] = {2, 0.3, -0.2};
  for (int i = 0; i < 3; i++)
    line.q[i] = -(line.W[3 * i] * r[0] + line.W[3 * i + 1] * r[1] + line.W[3 * i + 2] * r[2]);
  enumerate(&line, SLIP_QUARTIC_TAN, &list);
  assert_int_equal(list.continuum, 1);
  assert_true(list.count >= 1);
  /* The same matrix, an inconsistent q: no stick, no continuum. */
  line.q[0] -= 1;
  enumerate(&line, SLIP_QUARTIC_TAN, &list);
  assert_int_equal(list.continuum, 0);
  /* Rank 1: a plane of sticking impulses. */
  ContactBlock plane = {.W = {1, 0, 0, 0, 0, 0, 0, 0, 0}, .q = {-2, 0, 0}, .mu = 0.5};
  enumerate(&plane, SLIP_QUARTIC_TAN, &list);
  assert_int_equal(list.continuum, 1);
  assert_true(fabs(list.r[0][0] - 2) < 1e-14);
  plane.q[1] = 0.1; /* it must slide, against nothing that could brake it */
  enumerate(&plane, SLIP_QUARTIC_ALPHA, &list);
  assert_int_equal(list.count, 1);
  assert_true(fabs(list.r[0][1] + 1) < 1e-14 && list.status[0] == SLIP_CONTACT_SLIP);
  /* W = 0: everything or nothing. */
  ContactBlock nothing = {.W = {0}, .q = {0, 0, 0}, .mu = 0.5};
  enumerate(&nothing, SLIP_QUARTIC_TAN, &list);
  assert_int_equal(list.continuum, 1);
  nothing.q[0] = -1;
  enumerate(&nothing, SLIP_QUARTIC_TAN, &list);
  assert_int_equal(list.count, 0);
}

static void test_zero_q_and_frictionless(void **state) {
  (void)state;
  SlipOneContact list = slip_default_one_contact();
  ContactBlock block = {.W = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 1}, .q = {0, 0, 0}, .mu = 0.3};
  enumerate(&block, SLIP_QUARTIC_TAN, &list);
  assert_int_equal(list.count, 1);
  assert_int_equal(list.status[0], SLIP_CONTACT_OPEN);
  block.mu = 0;
  block.q[0] = -3;
  enumerate(&block, SLIP_QUARTIC_ALPHA, &list);
  assert_int_equal(list.count, 1);
  assert_true(list.r[0][0] == 1.5 && list.r[0][1] == 0 && list.r[0][2] == 0);
  assert_int_equal(list.status[0], SLIP_CONTACT_SLIP);
}

static void test_scales(void **state) {
  (void)state;
  const double powers[] = {1e-150, 1e-30, 1, 1e30, 1e150};
  SlipOneContact reference = slip_default_one_contact(), list = reference;
  enumerate(&paper, SLIP_QUARTIC_TAN, &reference);
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      ContactBlock block = paper;
      double ratio = powers[j] / powers[i];
      if (!(ratio > 1e-290 && ratio < 1e290))
        continue;
      for (int k = 0; k < 9; k++)
        block.W[k] *= powers[i];
      for (int k = 0; k < 3; k++)
        block.q[k] *= powers[j];
      assert_int_equal(
          slip_one_contact_enumerate(block.W, block.q, block.mu, SLIP_QUARTIC_ALPHA, &list, NULL),
          SLIP_OK);
      assert_int_equal(list.count, 1);
      for (int k = 0; k < 3; k++)
        assert_true(fabs(list.r[0][k] / ratio - reference.r[0][k]) <= 1e-12 * 10);
    }
  }
}

static void refused(const double *W, const double *q, double mu, const char *word) {
  SlipOneContact list = slip_default_one_contact();
  SlipError error;
  list.count = 7;
  assert_int_equal(slip_one_contact_enumerate(W, q, mu, SLIP_QUARTIC_TAN, &list, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_int_equal(error.status, SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, word));
  assert_int_equal(slip_one_contact_enumerate(W, q, mu, SLIP_QUARTIC_TAN, &list, NULL),
                   SLIP_ERROR_ARGUMENT);
}

static void test_refusals(void **state) {
  (void)state;
  SlipError error;
  const double q[3] = {1, 2, 3}, nan_q[3] = {1, NAN, 3}, I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double skew[9] = {1, 0.5, 0, -0.5, 1, 0, 0, 0, 1}, inf[9] = {INFINITY, 0, 0, 0, 1};
  const double negative[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1}, minor[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
  const double det[9] = {1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1};
  refused(NULL, q, 1, "null");
  refused(I, NULL, 1, "null");
  refused(I, nan_q, 1, "q(1)");
  refused(inf, q, 1, "W(0,0)");
  refused(I, q, -0.5, "-0.5");
  refused(I, q, NAN, "mu");
  refused(skew, q, 1, "symmetric");
  refused(negative, q, 1, "semidefinite");
  refused(minor, q, 1, "semidefinite");
  refused(det, q, 1, "semidefinite");
  SlipOneContact list = slip_default_one_contact();
  assert_int_equal(slip_one_contact_enumerate(I, q, 1, (SlipQuartic)7, &list, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "7"));
  assert_int_equal(slip_one_contact_enumerate(I, q, 1, SLIP_QUARTIC_TAN, NULL, &error),
                   SLIP_ERROR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paper_example),
      cmocka_unit_test(test_paper_polynomial_alpha),
      cmocka_unit_test(test_paper_polynomial_tan),
      cmocka_unit_test(test_against_brute_force),
      cmocka_unit_test(test_open_stick_and_slide_at_once),
      cmocka_unit_test(test_slide_along_an_axis),
      cmocka_unit_test(test_sphere),
      cmocka_unit_test(test_massless_normal),
      cmocka_unit_test(test_singular),
      cmocka_unit_test(test_zero_q_and_frictionless),
      cmocka_unit_test(test_scales),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
