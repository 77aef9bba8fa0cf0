/* The physical checker itself: known solutions pass, each kind of defect is seen and named, at any
 * mu, in any units, and in one contact among many stiffer or softer ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "physical.h"
#include "solving.h"

enum { NC = 3, M = 3 * NC };

typedef struct Case {
  double W[M * M], q[M], mu[NC];
  int32_t kind[NC], bound[NC];
  const double *radius;
} Case;

/* Contacts without coupling, each with W_aa = compliance. */
static Case decoupled(const double compliance[NC]) {
  Case c;
  memset(&c, 0, sizeof c);
  for (int k = 0; k < M; k++)
    c.W[k * M + k] = compliance[k / 3];
  for (int a = 0; a < NC; a++) {
    c.mu[a] = 0.5;
    c.bound[a] = 7;
    c.q[3 * a] = -1;
  }
  return c;
}

static Physical check(const Case *c, const double *r) {
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  Physical found;
  laws.kind = c->kind;
  laws.mu = c->mu;
  laws.bound = c->bound;
  laws.radius = c->radius;
  data.dimension = 3;
  data.contacts = NC;
  data.W = slip_dense(M, M, c->W);
  data.q = c->q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(physical_check(problem, r, 0, &found), 0);
  free(found.of_contact);
  slip_problem_free(problem);
  return found;
}

/* Sticking contacts: r_N undoes q_N. */
static void stuck(const double compliance[NC], double *r) {
  memset(r, 0, M * sizeof *r);
  for (int a = 0; a < NC; a++)
    r[3 * a] = 1 / compliance[a];
}

static void expect(const Case *c, const double *r, PhysicalPart part, double size) {
  Physical found = check(c, r);
  if (found.part != part || fabs(found.worst - size) > 1e-12 * size)
    fail_msg("%s of %g in contact %d, expected %s of %g", physical_part_names[found.part],
             found.worst, (int)found.contact, physical_part_names[part], size);
  assert_int_equal(found.contact, 1);
}

/* Contact 1 is made wrong in every way, 12 decades softer or stiffer than its neighbours. */
static void each_defect(void **state) {
  (void)state;
  for (int decades = -12; decades <= 12; decades += 12) {
    double w = pow(10, decades), r[M];
    const double compliance[NC] = {1, w, 1};
    Case c = decoupled(compliance);
    stuck(compliance, r);
    assert_true(check(&c, r).worst <= 1e-15);
    r[3] = 0.9 / w;
    expect(&c, r, PHYSICAL_PENETRATION, 0.1);
    r[3] = 1.1 / w;
    expect(&c, r, PHYSICAL_COMPLEMENTARITY, 0.1);
    c.q[3] = 1; /* open */
    r[3] = -1e-3 / w;
    expect(&c, r, PHYSICAL_PULL, 1e-3);
    r[3] = 1e-3 / w;
    expect(&c, r, PHYSICAL_COMPLEMENTARITY, 1e-3);
  }
}

static void friction(void **state) {
  (void)state;
  const double compliance[NC] = {1, 100, 1};
  double r[M], unit = 1.25 * sqrt(1.25); /* V, and a ray's length */
  Case c = decoupled(compliance);
  stuck(compliance, r);
  c.q[4] = 0.75; /* sticks as long as it is at most 0.5, slides with the rest */
  r[4] = -0.005;
  assert_true(check(&c, r).worst <= 1e-15);
  r[4] = -0.006; /* outside, sliding with 0.15 */
  expect(&c, r, PHYSICAL_CONE, 0.1 / unit);
  r[4] = -0.004; /* less than mu r_N, sliding with 0.35 */
  expect(&c, r, PHYSICAL_SLIP, 0.1 / unit);
  r[4] = 0.005; /* pushes along */
  expect(&c, r, PHYSICAL_SLIP, 2 * 0.5 / unit);
  r[4] = -0.005 * cos(0.1); /* not opposed to u_T, both turned from each other */
  r[5] = 0.005 * sin(0.1);
  Physical turned = check(&c, r);
  assert_int_equal(turned.part, PHYSICAL_SLIP);
  assert_true(turned.worst > 0.01 && turned.worst < 0.1);
}

/* At r = 0 bodies penetrate, however rough they are and however fast they slip; with r_T = 0 they
 * slip where they cannot. */
static void rough(void **state) {
  (void)state;
  for (double mu = 1; mu <= 1e12; mu *= 1e3) {
    const double compliance[NC] = {1, 1, 1};
    double r[M];
    Case c = decoupled(compliance);
    stuck(compliance, r);
    c.mu[1] = mu;
    c.q[4] = 0.8;
    c.q[3] = -0.6; /* |q| is still 1 */
    r[3] = 0;
    expect(&c, r, PHYSICAL_PENETRATION, 0.6);
    r[3] = 0.6;
    assert_true(check(&c, r).worst > 0.3);
    r[4] = -fmin(0.8, mu * 0.6);
    assert_true(check(&c, r).worst <= 1e-15);
  }
}

static void other_laws(void **state) {
  (void)state;
  const double compliance[NC] = {1, 1, 1};
  double r[M];
  Case c = decoupled(compliance);
  stuck(compliance, r);
  c.kind[1] = SLIP_FRICTIONLESS;
  c.q[4] = 0.5;
  assert_true(check(&c, r).worst <= 1e-15);
  r[4] = -0.2;
  c.q[4] = 0.7; /* u_T = 0.5 still */
  expect(&c, r, PHYSICAL_CONE, 0.2 / hypot(1, 0.7));
  stuck(compliance, r);
  c.kind[1] = SLIP_BILATERAL;
  r[4] = -0.7;
  assert_true(check(&c, r).worst <= 1e-15);
  r[4] = -0.5;
  expect(&c, r, PHYSICAL_BILATERAL, 0.2 / hypot(1, 0.7));
  r[3] = 0.75;
  expect(&c, r, PHYSICAL_BILATERAL, 0.25 / hypot(1, 0.7));
  stuck(compliance, r);
  c.bound[1] = 1; /* the normal only */
  assert_true(check(&c, r).worst <= 1e-15);
  r[4] = 0.25;
  expect(&c, r, PHYSICAL_BILATERAL, 0.25 / hypot(1, 0.7));
}

/* |r_T| <= radius whatever r_N: slips oppose it in full, the normal is on its own. */
static void tresca(void **state) {
  (void)state;
  const double compliance[NC] = {1, 10, 1}, radius[NC] = {0.1, 0.02, 0.1};
  double r[M];
  Case c = decoupled(compliance);
  stuck(compliance, r);
  c.kind[1] = SLIP_TRESCA;
  c.radius = radius;
  c.q[4] = 0.75; /* 0.2 is held */
  r[4] = -0.02;
  assert_true(check(&c, r).worst <= 1e-15);
  r[4] = -0.01;
  expect(&c, r, PHYSICAL_SLIP, 0.1 / 1.25);
  r[4] = -0.02;
  r[3] = 0.09;
  expect(&c, r, PHYSICAL_PENETRATION, 0.1 / 1.25);
}

/* Units of mass and of time: W k, q l, r l/k. */
static void any_units(void **state) {
  (void)state;
  const double compliance[NC] = {1, 10, 0.1};
  const double r[M] = {0.9, 0.1, 0, 0.12, -0.05, 0.01, 11, 0, -5};
  Case c = decoupled(compliance);
  c.q[1] = 0.3;
  c.q[4] = -0.2;
  Physical one = check(&c, r);
  for (int k = -100; k <= 100; k += 50)
    for (int l = -100; l <= 100; l += 50) {
      Case other = c;
      double s[M];
      for (int i = 0; i < M * M; i++)
        other.W[i] = ldexp(c.W[i], k);
      for (int i = 0; i < M; i++) {
        other.q[i] = ldexp(c.q[i], l);
        s[i] = ldexp(r[i], l - k);
      }
      Physical found = check(&other, s);
      assert_true(fabs(found.worst - one.worst) <= 1e-14 * one.worst);
      assert_true(fabs(found.total - one.total) <= 1e-14 * one.total);
      assert_int_equal(found.contact, one.contact);
    }
}

/* Solutions known by construction pass; the same point is judged alike in both forms. */
static void built_in(const SlipProblem *problem, const char *kind, const double *r) {
  Physical found, local;
  SlipProblem *reduced = NULL;
  assert_int_equal(physical_check(problem, r, 0, &found), 0);
  if (!(found.worst <= 1e-9))
    fail_msg("%s: %s of %g in contact %d", kind, physical_part_names[found.part], found.worst,
             (int)found.contact);
  if (slip_problem_form(problem) == SLIP_FORM_GLOBAL) {
    size_t m = (size_t)slip_problem_contacts(problem) * (size_t)slip_problem_dimension(problem);
    double *half = malloc((m + 1) * sizeof *half);
    for (size_t k = 0; k < m; k++)
      half[k] = 0.5 * r[k];
    free(found.of_contact);
    assert_int_equal(slip_problem_reduce(problem, &reduced, NULL), SLIP_OK);
    assert_int_equal(physical_check(problem, half, 0, &found), 0);
    assert_int_equal(physical_check(reduced, half, 0, &local), 0);
    assert_true(fabs(found.worst - local.worst) <= 1e-9 * local.worst);
    free(local.of_contact);
    free(half);
  }
  slip_problem_free(reduced);
  free(found.of_contact);
}

static void known_solutions(void **state) {
  (void)state;
  int checked = 0;
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    double *r = NULL;
    if (!info->known_solution || is_about_existence(info->name))
      continue;
    SlipProblem *problem = generate_problem(info->name, 30, 3, &r);
    if (problem && r) {
      built_in(problem, info->name, r);
      checked++;
    }
    slip_generate_free_r(r);
    slip_problem_free(problem);
  }
  assert_true(checked >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_defect),     cmocka_unit_test(friction), cmocka_unit_test(rough),
      cmocka_unit_test(other_laws),      cmocka_unit_test(tresca),   cmocka_unit_test(any_units),
      cmocka_unit_test(known_solutions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
