/* Scaled problems: the scaled equations are the problem's own, in other units; what the scaling
 * promises of W, q and the cones holds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contact/laws.h"
#include "contact/residual.h"
#include "contact/scaled.h"
#include "reference.h"
#include "solving.h"

typedef struct Case {
  SlipProblem *problem;
  SlipiOperator *op;
  SlipiLaw *law;
  SlipiArena arena;
  SlipiScaled *scaled;
} Case;

static Case make(const char *kind, int32_t dimension, bool fold) {
  Case c = {.problem = generate_problem(kind, 20, dimension, NULL)};
  int32_t nc = c.problem->nc;
  assert_int_equal(slipi_operator_create(c.problem, NULL, SLIPI_OPERATOR_BLOCK, 1, &c.op, NULL),
                   SLIP_OK);
  c.law = SLIPI_ARENA_NEW(&c.arena, SlipiLaw, nc);
  for (int32_t k = 0; k < nc; k++)
    c.law[k] = slipi_laws_with_mu(&c.problem->laws, &c.problem->law[k], k,
                                  c.problem->laws.mu[k] * (1 + 0.1 * k));
  assert_int_equal(slipi_scaled_create(c.op, fold, &c.arena, &c.scaled, NULL), SLIP_OK);
  assert_int_equal(slipi_scaled_set(c.scaled, c.law, c.problem->q, true, NULL), SLIP_OK);
  return c;
}

static void drop(Case *c) {
  slipi_operator_free(c->op);
  slipi_arena_free(&c->arena);
  slip_problem_free(c->problem);
}

/* For random r: b (W' r' + q') is the independent W r + q. */
static void check_velocity(const Case *c) {
  int32_t d = c->problem->d, nc = c->problem->nc, m = c->problem->m;
  double *r = calloc((size_t)m, sizeof *r), *u = calloc((size_t)m, sizeof *u);
  double *rs = calloc(3 * (size_t)nc, sizeof *rs), *us = calloc(3 * (size_t)nc, sizeof *us);
  double *back = calloc((size_t)m, sizeof *back);
  for (int32_t k = 0; k < m; k++) /* what bears nothing cannot come back */
    r[k] = slipi_law_axis(&c->law[k / d], k % d) == SLIPI_AXIS_NONE ? 0 : sin(k + 1.0);
  assert_int_equal(reference_velocity(c->problem, r, u), 0);
  slipi_scaled_to(c->scaled, r, rs);
  slipi_scaled_velocity(c->scaled, rs, us);
  slipi_scaled_back(c->scaled, rs, back);
  for (int32_t k = 0; k < m; k++) {
    int32_t at = 3 * (k / d) + k % d;
    if (c->scaled->a[at] == 0) /* left out: it bears nothing */
      assert_true(us[at] == 0);
    else
      assert_true(fabs(us[at] * c->scaled->b[at] - u[k]) < 1e-11 * (1 + fabs(u[k])));
    assert_true(fabs(back[k] - r[k]) < 1e-14);
  }
  free(r);
  free(u);
  free(rs);
  free(us);
  free(back);
}

static void check_units(const Case *c) {
  double most = 0;
  for (int32_t a = 0; a < c->scaled->nc; a++) {
    const double *B = c->scaled->W.x + 9 * (size_t)c->scaled->W.diagonal[a];
    double there = 0;
    for (int k = 0; k < 3; k++)
      there += c->scaled->a[3 * a + k] > 0;
    assert_true(fabs(B[0] + B[4] + B[8] - there) < 1e-12);
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(c->scaled->q[3 * a + k]));
    double mu = c->law[a].mu;
    if (c->scaled->fold && c->law[a].kind == SLIPI_COULOMB) {
      assert_true(fabs(c->scaled->a[3 * a + 1] - mu * c->scaled->a[3 * a]) < 1e-14);
      assert_true(c->scaled->law[a].mu == 1);
    } else if (!c->scaled->fold) {
      assert_true(c->scaled->law[a].mu == mu);
    }
  }
  assert_true(fabs(most - 1) < 1e-14);
}

static void test_equations_and_units(void **state) {
  (void)state;
  static const char *const kinds[] = {"random",    "unsymmetric", "frictionless",
                                      "bilateral", "joints",      NULL};
  for (int k = 0; kinds[k]; k++) {
    for (int32_t d = 2; d <= 3; d++) {
      for (int fold = 0; fold < 2; fold++) {
        Case c = make(kinds[k], d, fold);
        check_velocity(&c);
        check_units(&c);
        drop(&c);
      }
    }
  }
}

/* New q with the same laws: only the units change, W stays. */
static void test_new_q(void **state) {
  (void)state;
  Case c = make("random", 3, true);
  double *q = calloc((size_t)c.problem->m, sizeof *q);
  size_t values = 9 * (size_t)c.scaled->W.p[c.scaled->nc];
  double *W = calloc(values, sizeof *W), a = c.scaled->a[4];
  memcpy(W, c.scaled->W.x, values * sizeof *W);
  for (int32_t k = 0; k < c.problem->m; k++)
    q[k] = 5 * c.problem->q[k];
  assert_int_equal(slipi_scaled_set(c.scaled, c.law, q, false, NULL), SLIP_OK);
  assert_memory_equal(W, c.scaled->W.x, values * sizeof *W);
  assert_true(fabs(c.scaled->a[4] - 5 * a) < 1e-13 * a);
  check_units(&c);
  free(W);
  free(q);
  drop(&c);
}

/* q = 0 has no size: the units stay finite. */
static void test_no_q(void **state) {
  (void)state;
  Case c = make("random", 3, false);
  double *q = calloc((size_t)c.problem->m, sizeof *q);
  assert_int_equal(slipi_scaled_set(c.scaled, c.law, q, true, NULL), SLIP_OK);
  for (int32_t k = 0; k < c.scaled->m; k++)
    assert_true(c.scaled->q[k] == 0 && isfinite(c.scaled->a[k]) && c.scaled->a[k] > 0);
  free(q);
  drop(&c);
}

/* Lengths of a law go with the impulses. */
static void test_lengths(void **state) {
  (void)state;
  for (int fold = 0; fold < 2; fold++) {
    Case c = make("random", 3, fold);
    for (int32_t a = 0; a < c.problem->nc; a += 2)
      c.law[a] = (SlipiLaw){.kind = SLIPI_TRESCA, .radius = 0.5 + a};
    assert_int_equal(slipi_scaled_set(c.scaled, c.law, c.problem->q, true, NULL), SLIP_OK);
    for (int32_t a = 0; a < c.problem->nc; a += 2) {
      double unit = c.scaled->a[3 * a];
      assert_true(c.scaled->a[3 * a + 1] == unit && c.scaled->a[3 * a + 2] == unit);
      assert_true(fabs(c.scaled->law[a].radius * unit - (0.5 + a)) <= 1e-14 * (0.5 + a));
    }
    drop(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equations_and_units),
      cmocka_unit_test(test_new_q),
      cmocka_unit_test(test_no_q),
      cmocka_unit_test(test_lengths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
