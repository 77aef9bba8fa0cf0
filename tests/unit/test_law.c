/* Every law of the table against the definition of its set K: projections by the variational
 * inequality and Moreau's decomposition, derivatives by finite differences, support function,
 * scaling, r = 0, one-contact solves. A law without a row in `cases` fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/onecontact.h"
#include "linalg/dense3.h"

/* ---- K of each law, by its definition ------------------------------------------------------- */

static double tangent(const double x[3]) {
  return hypot(x[1], x[2]);
}

static bool in_coulomb(const SlipiLaw *law, const double x[3], double tol) {
  return x[0] >= -tol && tangent(x) <= law->mu * x[0] + tol * (1 + law->mu);
}

static bool in_frictionless(const SlipiLaw *law, const double x[3], double tol) {
  (void)law;
  return x[0] >= -tol && tangent(x) <= tol;
}

static bool in_bilateral(const SlipiLaw *law, const double x[3], double tol) {
  for (int k = 0; k < 3; k++)
    if (!(law->bound & 1 << k) && fabs(x[k]) > tol)
      return false;
  return true;
}

static bool in_tresca(const SlipiLaw *law, const double x[3], double tol) {
  return x[0] >= -tol && tangent(x) <= law->radius + tol;
}

static bool in_disc(const SlipiLaw *law, const double x[3], double tol) {
  return fabs(x[0]) <= tol && tangent(x) <= law->radius + tol;
}

static bool in_cohesive(const SlipiLaw *law, const double x[3], double tol) {
  double up[3] = {x[0] + law->depth, x[1], x[2]};
  return in_coulomb(law, up, tol);
}

/* Within the spheroid of half-axes depth and radius about some point of the cone's axis or side. K
 * is the sum: the point less the nearest of the cone's, in the metric of the spheroid, is in it. In
 * n and t, divided by the half-axes, the cone is one of another mu. */
static bool in_rounded(const SlipiLaw *law, const double x[3], double tol) {
  double a = law->depth, b = law->radius, t = tangent(x);
  if (x[0] > law->cap + tol)
    return false;
  if (a == 0 || b == 0) { /* the cone moved down by a, or widened by b, from there up */
    return x[0] >= -a - tol && t <= law->mu * (x[0] + a) + b + tol * (1 + law->mu);
  }
  SlipiLaw cone = slipi_law(SLIP_COULOMB, law->mu * a / b);
  double scaled[3] = {x[0] / a, t / b, 0};
  return slipi_law_distance(&cone, scaled) <= 1 + tol * (1 / a + 1 / b);
}

static bool in_rolling(const SlipiLaw *law, const double x[3], double tol) {
  return fabs(x[0]) <= law->depth + tol && tangent(x) <= law->radius + tol;
}

/* Points of K, from three normal deviates and two numbers between 0 and 1. */
static void on_disc(double radius, const double t[2], double x[3]) {
  x[1] = radius * sqrt(t[0]) * cos(6.2831853 * t[1]);
  x[2] = radius * sqrt(t[0]) * sin(6.2831853 * t[1]);
}

static void point_coulomb(const SlipiLaw *law, const double t[2], double x[3]) {
  x[0] = fabs(x[0]);
  on_disc(law->mu * x[0], t, x);
}

static void point_bilateral(const SlipiLaw *law, const double t[2], double x[3]) {
  (void)t;
  for (int k = 0; k < 3; k++)
    x[k] = law->bound & 1 << k ? x[k] : 0;
}

static void point_tresca(const SlipiLaw *law, const double t[2], double x[3]) {
  x[0] = fabs(x[0]);
  on_disc(law->radius, t, x);
}

static void point_disc(const SlipiLaw *law, const double t[2], double x[3]) {
  x[0] = 0;
  on_disc(law->radius, t, x);
}

static void point_cohesive(const SlipiLaw *law, const double t[2], double x[3]) {
  point_coulomb(law, t, x);
  x[0] -= law->depth;
}

static void point_rolling(const SlipiLaw *law, const double t[2], double x[3]) {
  x[0] = law->depth * (2 * t[1] - 1);
  on_disc(law->radius, t, x);
}

/* A point of the cone and one of the spheroid; under a cap. */
static void point_rounded(const SlipiLaw *law, const double t[2], double x[3]) {
  double ball[3] = {x[2], x[1], x[0]}, size = slipi_dense3_norm(ball) + 1e-9;
  point_coulomb(law, t, x);
  x[0] += law->depth * ball[0] / size;
  x[1] += law->radius * ball[1] / size;
  x[2] += law->radius * ball[2] / size;
  if (x[0] > law->cap) { /* a smaller share of it: 0 is a point of K */
    for (int k = 2; k >= 0; k--)
      x[k] *= law->cap / x[0];
  }
}

typedef struct Case {
  SlipiLaw law;
  bool (*contains)(const SlipiLaw *law, const double x[3], double tol);
  void (*point)(const SlipiLaw *law, const double t[2], double x[3]);
} Case;

#define COULOMB(MU, FLOW)                                                                          \
  { {.kind = SLIPI_COULOMB, .mu = (MU), .flow = SLIP_FLOW_##FLOW}, in_coulomb, point_coulomb }
#define BILATERAL(BOUND)                                                                           \
  { {.kind = SLIPI_BILATERAL, .bound = (BOUND)}, in_bilateral, point_bilateral }
#define WITH_RADIUS(KIND, RADIUS, name)                                                            \
  { {.kind = SLIPI_##KIND, .radius = (RADIUS)}, in_##name, point_##name }

#define COHESIVE(MU, DEPTH, FLOW)                                                                  \
  {                                                                                                \
    {.kind = SLIPI_COHESIVE, .mu = (MU), .depth = (DEPTH), .flow = SLIP_FLOW_##FLOW}, in_cohesive, \
        point_cohesive                                                                             \
  }

#define ROUNDED(MU, DEPTH, RADIUS)                                                                 \
  {                                                                                                \
    {.kind = SLIPI_ROUNDED, .mu = (MU), .depth = (DEPTH), .radius = (RADIUS), .cap = INFINITY},    \
        in_rounded, point_rounded                                                                  \
  }
#define CAPPED(MU, DEPTH, RADIUS, CAP)                                                             \
  {                                                                                                \
    {.kind = SLIPI_CAPPED, .mu = (MU), .depth = (DEPTH), .radius = (RADIUS), .cap = (CAP)},        \
        in_rounded, point_rounded                                                                  \
  }

/* Moments under the normal impulse N. */
#define ROLLING(ROLL, SPIN, N)                                                                     \
  {                                                                                                \
    {.kind = SLIPI_ROLLING,                                                                        \
     .mu = (ROLL),                                                                                 \
     .cap = (SPIN),                                                                                \
     .radius = (ROLL) * (N),                                                                       \
     .depth = (SPIN) * (N)},                                                                       \
        in_rolling, point_rolling                                                                  \
  }

static const Case cases[] = {
    COULOMB(1e-8, COULOMB),
    COULOMB(0.01, COULOMB),
    COULOMB(0.3, COULOMB),
    COULOMB(1, COULOMB),
    COULOMB(5, COULOMB),
    COULOMB(1e8, COULOMB),
    COULOMB(0.3, ASSOCIATED),
    COULOMB(5, ASSOCIATED),
    {{.kind = SLIPI_FRICTIONLESS}, in_frictionless, point_coulomb},
    BILATERAL(0),
    BILATERAL(1),
    BILATERAL(2),
    BILATERAL(3),
    BILATERAL(4),
    BILATERAL(5),
    BILATERAL(6),
    BILATERAL(7),
    WITH_RADIUS(TRESCA, 0, tresca),
    WITH_RADIUS(TRESCA, 1e-3, tresca),
    WITH_RADIUS(TRESCA, 0.5, tresca),
    WITH_RADIUS(TRESCA, 3, tresca),
    WITH_RADIUS(DISC, 0, disc),
    WITH_RADIUS(DISC, 0.5, disc),
    WITH_RADIUS(DISC, 3, disc),
    COHESIVE(0, 0, COULOMB),
    COHESIVE(0, 0.5, COULOMB),
    COHESIVE(0.3, 0, COULOMB),
    COHESIVE(0.3, 0, ASSOCIATED),
    COHESIVE(0.3, 0.5, COULOMB),
    COHESIVE(0.3, 0.5, ASSOCIATED),
    COHESIVE(5, 2, COULOMB),
    COHESIVE(1, 1e-3, ASSOCIATED),
    ROUNDED(0.3, 0, 0),
    ROUNDED(0.3, 0.5, 0.5),
    ROUNDED(5, 2, 2),
    ROUNDED(0, 0.5, 0.5),
    ROUNDED(1, 1e-3, 1e-3),
    ROUNDED(0.3, 0.2, 0.8),
    ROUNDED(0.7, 1.5, 0.1),
    ROUNDED(0.5, 0, 0.5),
    ROUNDED(0.5, 0.5, 0),
    CAPPED(0.3, 0, 0, 1),
    CAPPED(0.3, 0.5, 0.5, 1),
    CAPPED(2, 0.5, 0.5, 0.1),
    CAPPED(0, 0.5, 0.5, 0.5),
    CAPPED(0.7, 1.5, 0.1, 2),
    CAPPED(0.3, 0.5, 0.5, 0),
    CAPPED(0.3, 0.5, 0.5, 1e3),
    ROLLING(0.3, 0, 2),
    ROLLING(0.3, 0.2, 2),
    ROLLING(0, 0.2, 1),
    ROLLING(2, 1, 0.5),
    ROLLING(0.3, 0.2, 0),
    ROLLING(0, 0, 1),
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* The size of a point and of the lengths of K: the unit of rounding. */
static double size_of(const SlipiLaw *law, const double x[3]) {
  return slipi_dense3_norm(x) + law->radius + law->depth;
}

static void fail_at(const Case *c, const char *what, const double x[3]) {
  fail_msg("%s, mu %g, radius %g, depth %g, bound %d, flow %d: %s at (%.17g, %.17g, %.17g)",
           slipi_law_type(&c->law)->name, c->law.mu, c->law.radius, c->law.depth, c->law.bound,
           c->law.flow, what, x[0], x[1], x[2]);
}

static void random_vector(SlipiRandom *random, double x[3]) {
  for (int k = 0; k < 3; k++)
    x[k] = slipi_random_normal(random);
}

static void random_point(SlipiRandom *random, const Case *c, double x[3]) {
  double t[2] = {slipi_random_unit(random), slipi_random_unit(random)};
  random_vector(random, x);
  c->point(&c->law, t, x);
}

/* Spread over the regions of a cone also for extreme mu; on its axis and in its plane now and then.
 */
static void random_place(SlipiRandom *random, const SlipiLaw *law, int trial, double z[3]) {
  random_vector(random, z);
  if (law->mu > 0 && trial % 3 == 1)
    z[0] *= fabs(slipi_random_normal(random)) / law->mu;
  if (law->mu > 0 && trial % 3 == 2)
    z[0] *= fabs(slipi_random_normal(random)) * law->mu;
  if (trial % 17 == 0)
    z[1] = z[2] = 0;
  if (trial % 19 == 0)
    z[0] = 0;
}

typedef void Check(SlipiRandom *random, const Case *c, const double z[3]);

static void each(int trials, Check *check) {
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int k = 0; k < CASES; k++)
    for (int trial = 0; trial < trials; trial++) {
      double z[3];
      random_place(&random, &cases[k].law, trial, z);
      check(&random, &cases[k], z);
    }
}

/* ---- The table ----------------------------------------------------------------------------- */

static void test_every_law_is_here(void **state) {
  (void)state;
  for (int kind = 0; kind < SLIPI_LAWS; kind++) {
    const SlipiLawType *type = slipi_law_types[kind];
    int count = 0;
    for (int k = 0; k < CASES; k++)
      count += (int)cases[k].law.kind == kind;
    if (count == 0)
      fail_msg("law %d (%s) has no case", kind, type->name);
    if (!type->axis || !type->project || !type->derivative || !type->opens)
      fail_msg("law %s lacks a kernel", type->name);
    /* what is no cone says so by a length, and g comes with its derivative */
    assert_true(type->cone == !type->scale && type->cone == !type->support);
    assert_true(!type->g == !type->dg && !type->g == !(type->reads & SLIPI_READS_FLOW));
    for (int other = 0; other < kind; other++)
      assert_string_not_equal(slipi_law_types[other]->name, type->name);
  }
}

/* ---- Projections --------------------------------------------------------------------------- */

/* The axes say of K what its definition says. */
static void check_axes(SlipiRandom *random, const Case *c, const double z[3]) {
  double x[3];
  random_point(random, c, x);
  for (int k = 0; k < 3; k++) {
    SlipiAxis axis = slipi_law_axis(&c->law, k);
    double moved[3] = {x[0], x[1], x[2]};
    moved[k] = axis == SLIPI_AXIS_FREE ? 100 * z[k] : axis == SLIPI_AXIS_HALF ? fabs(z[k]) : 0;
    if (axis != SLIPI_AXIS_JOINED && !c->contains(&c->law, moved, 1e-14))
      fail_at(c, "an axis leaves K", moved);
    if ((axis == SLIPI_AXIS_NONE && x[k] != 0) || (axis == SLIPI_AXIS_HALF && x[k] < 0))
      fail_at(c, "K has more than its axis", x);
  }
}

/* z - p is in -K* and orthogonal to p. */
static void check_moreau(const Case *c, const double z[3], const double p[3]) {
  double size = slipi_dense3_norm(z), dual[3] = {p[0] - z[0], p[1] - z[1], p[2] - z[2]};
  double minus[3] = {-z[0], -z[1], -z[2]};
  if (fabs(slipi_dense3_dot(dual, p)) > 1e-13 * size * size)
    fail_at(c, "the parts are not orthogonal", z);
  if (slipi_law_dual_distance(&c->law, dual) > 1e-13 * size)
    fail_at(c, "the rest is not in the dual cone", z);
  if (fabs(slipi_law_dual_distance(&c->law, minus) - slipi_dense3_norm(p)) > 1e-13 * size)
    fail_at(c, "the distance to the dual cone is wrong", z);
}

static void check_projection(SlipiRandom *random, const Case *c, const double z[3]) {
  const SlipiLaw *law = &c->law;
  double p[3], again[3], in_place[3] = {z[0], z[1], z[2]}, away[3], size = size_of(law, z);
  SlipContactStatus branch = slipi_law_project(law, z, p);
  assert_int_equal(slipi_law_project(law, in_place, in_place), branch);
  assert_memory_equal(p, in_place, sizeof p);
  slipi_law_project(law, p, again);
  if (!c->contains(law, p, 1e-14 * size))
    fail_at(c, "the projection is not in K", z);
  for (int k = 0; k < 3; k++) {
    away[k] = z[k] - p[k];
    assert_true(fabs(again[k] - p[k]) <= 1e-13 * size);
  }
  assert_true(fabs(slipi_law_distance(law, z) - slipi_dense3_norm(away)) <= 1e-13 * size);
  if (slipi_law_type(law)->one_sided) {
    assert_true(branch != SLIP_CONTACT_OPEN || p[0] == 0);
    assert_true(branch != SLIP_CONTACT_STICK || slipi_law_axis(law, 0) == SLIPI_AXIS_NONE ||
                memcmp(p, z, sizeof p) == 0);
  }
  for (int trial = 0; trial < 10; trial++) { /* (z - p).(y - p) <= 0 for every y of K (141) */
    double y[3];
    random_point(random, c, y);
    for (int k = 0; k < 3; k++)
      y[k] -= p[k];
    if (slipi_dense3_dot(away, y) > 1e-13 * size * (slipi_dense3_norm(y) + size))
      fail_at(c, "a point of K is nearer than the projection", z);
  }
  if (slipi_law_type(law)->cone)
    check_moreau(c, z, p);
}

static void test_projection(void **state) {
  (void)state;
  each(50, check_axes);
  each(1000, check_projection);
}

/* All branches were met above, of laws that have them. */
static void test_branches(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  for (int k = 0; k < CASES; k++) {
    int seen[3] = {0};
    for (int trial = 0; trial < 2000; trial++) {
      double z[3], p[3];
      random_place(&random, &cases[k].law, trial, z);
      seen[slipi_law_project(&cases[k].law, z, p)]++;
    }
    if (slipi_law_is_second_order(&cases[k].law))
      assert_true(seen[SLIP_CONTACT_OPEN] > 50 && seen[SLIP_CONTACT_SLIP] > 50 &&
                  seen[SLIP_CONTACT_STICK] > 20);
  }
}

/* ---- Derivatives --------------------------------------------------------------------------- */

static int compared;

/* Central differences where the differences on both sides agree: no kink between. */
static void check_derivative(SlipiRandom *random, const Case *c, const double z[3]) {
  (void)random;
  double J[9], p[3], h = 1e-5;
  if (tangent(z) < 0.1 || fabs(z[0]) > 10)
    return;
  slipi_law_project(&c->law, z, p);
  slipi_law_project_derivative(&c->law, z, J);
  for (int j = 0; j < 3; j++) {
    double plus[3] = {z[0], z[1], z[2]}, minus[3] = {z[0], z[1], z[2]};
    bool smooth = true;
    plus[j] += h;
    minus[j] -= h;
    slipi_law_project(&c->law, plus, plus);
    slipi_law_project(&c->law, minus, minus);
    for (int i = 0; i < 3; i++)
      smooth = smooth && fabs(plus[i] + minus[i] - 2 * p[i]) <= 2e-4 * h;
    for (int i = 0; i < 3 && smooth; i++)
      if (fabs(J[3 * i + j] - (plus[i] - minus[i]) / (2 * h)) > 1e-4)
        fail_at(c, "the derivative of the projection is wrong", z);
    compared += smooth;
  }
}

static void check_dg(SlipiRandom *random, const Case *c, const double u[3]) {
  (void)random;
  double along[3], size = fmax(1, c->law.mu), h = 1e-6;
  if (tangent(u) < 0.1)
    return;
  double factor = slipi_law_dg(&c->law, u, along);
  for (int j = 0; j < 3; j++) {
    double plus[3] = {u[0], u[1], u[2]}, minus[3] = {u[0], u[1], u[2]};
    plus[j] += h;
    minus[j] -= h;
    double difference = slipi_law_g(&c->law, plus) - slipi_law_g(&c->law, minus);
    if (fabs(factor * along[j] - difference / (2 * h)) > 1e-7 * size)
      fail_at(c, "the derivative of g is wrong", u);
  }
}

static void test_derivatives(void **state) {
  (void)state;
  compared = 0;
  each(300, check_derivative);
  assert_true(compared > 300 * CASES);
  each(300, check_dg);
  const double still[3] = {1, 0, 0};
  for (int k = 0; k < CASES; k++) {
    double along[3];
    assert_true(slipi_law_dg(&cases[k].law, still, along) * slipi_dense3_norm(along) == 0);
  }
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

/* ---- Flow, support, units, r = 0 ------------------------------------------------------------ */

static void test_flow(void **state) {
  (void)state;
  SlipiLaw law = slipi_law(SLIP_COULOMB, 0.5);
  const double u[3] = {1, 3, -4}, r[3] = {2, 0.6, 0.8};
  assert_true(fabs(slipi_law_g(&law, u) - 2.5) < 1e-15);
  assert_true(fabs(slipi_law_gap(&law, u, r) - (2 * 3.5 + 1.8 - 3.2)) < 1e-14);
  for (int k = 0; k < CASES; k++) {
    SlipiLaw relaxed = slipi_law_relaxed(cases[k].law);
    double along[3];
    assert_true(slipi_law_g(&relaxed, u) == 0 && slipi_law_dg(&relaxed, u, along) == 0);
    assert_false(slipi_law_is_coulomb(&relaxed));
  }
}

/* The largest x.r over K: no point of K has more, and projections of multiples of x come to it.
 * Without a largest they go to infinity. */
static void check_support(SlipiRandom *random, const Case *c, const double x[3]) {
  double minus[3] = {-x[0], -x[1], -x[2]}, far[3] = {1e6 * x[0], 1e6 * x[1], 1e6 * x[2]}, r[3];
  double off = slipi_law_dual_distance(&c->law, minus), size = slipi_dense3_norm(x);
  double support = slipi_law_support(&c->law, x);
  slipi_law_project(&c->law, far, r);
  if (off > 1e-3 * size && slipi_dense3_dot(x, r) < 0.5 * 1e6 * off * off)
    fail_at(c, "x.r has a largest value although x is not in the dual", x);
  if (off > 0)
    return;
  if (fabs(slipi_dense3_dot(x, r) - support) > 1e-8 * size * (1 + c->law.radius + c->law.depth))
    fail_at(c, "the support function is wrong", x);
  for (int trial = 0; trial < 10; trial++) {
    random_point(random, c, r);
    if (slipi_dense3_dot(x, r) > support + 1e-13 * size * (1 + slipi_dense3_norm(r)))
      fail_at(c, "a point of K has more than the support function", x);
  }
}

/* The gap is 0 at solutions of the relaxed law, of which (P(z), P(z) - z) are all, and not less
 * than 0 for any r in K with u + g(u) in the dual. */
static void check_gap(SlipiRandom *random, const Case *c, const double z[3]) {
  SlipiLaw relaxed = slipi_law_relaxed(c->law);
  double p[3], u[3], r[3], size = size_of(&c->law, z);
  slipi_law_project(&relaxed, z, p);
  for (int k = 0; k < 3; k++)
    u[k] = p[k] - z[k];
  if (fabs(slipi_law_gap(&relaxed, u, p)) > 1e-13 * size * size)
    fail_at(c, "the gap of a solution is not 0", z);
  random_point(random, c, r);
  u[0] = z[0] + slipi_law_g(&c->law, z);
  u[1] = z[1];
  u[2] = z[2];
  if (slipi_law_dual_distance(&c->law, u) == 0 &&
      slipi_law_gap(&c->law, z, r) < -1e-13 * size * (1 + c->law.mu) * (1 + slipi_dense3_norm(r)))
    fail_at(c, "the gap is negative", z);
}

/* In other units K is the same: with powers of two to the last bit. */
static void check_scaling(SlipiRandom *random, const Case *c, const double z[3]) {
  (void)random;
  SlipiLaw scaled = slipi_law_scaled(c->law, 4, 32), back = slipi_law_scaled(scaled, 8, 1);
  double x[3] = {8 * z[0], 8 * z[1], 8 * z[2]}, p[3];
  slipi_law_project(&scaled, x, x);
  slipi_law_project(&c->law, z, p);
  for (int k = 0; k < 3; k++)
    if (x[k] != 8 * p[k])
      fail_at(c, "the law does not go with the units", z);
  assert_true(scaled.mu == c->law.mu && scaled.radius == 8 * c->law.radius &&
              scaled.depth == 8 * c->law.depth);
  assert_true(scaled.cap == (c->law.kind == SLIPI_ROLLING ? 1 : 8) * c->law.cap);
  assert_true(back.radius == c->law.radius && back.depth == c->law.depth);
}

/* r = 0 opens where the natural map says so. */
static void check_opens(SlipiRandom *random, const Case *c, const double z[3]) {
  double u[3], e[3], zero[3] = {0};
  int keep = (int)(8 * slipi_random_unit(random));
  for (int k = 0; k < 3; k++)
    u[k] = keep & 1 << k ? z[k] : 0;
  bool solves = slipi_law_natural_map(&c->law, 1, u, zero, e) == 0;
  /* u + g(u) - g(u) rounds: nothing to say so near to the boundary */
  if (slipi_law_opens(&c->law, u) != solves && fabs(u[0]) > 1e-12 * slipi_law_g(&c->law, u))
    fail_at(c, "opens is wrong", u);
}

/* `holds` is the definition of K, and `look` the projection with its derivative, whatever guess an
 * earlier look has left. */
static void check_look(SlipiRandom *random, const Case *c, const double z[3]) {
  const SlipiLawType *type = slipi_law_type(&c->law);
  double p[3], P[3], J[9], D[9];
  SlipiRound round;
  if (!type->look)
    return;
  bool holds = type->holds(&c->law, z);
  if (holds ? !c->contains(&c->law, z, 1e-12) : slipi_law_distance(&c->law, z) == 0)
    fail_at(c, "holds is wrong", z);
  slipi_law_project(&c->law, z, P);
  slipi_law_project_derivative(&c->law, z, D);
  type->prepare(&c->law, &round);
  assert_true(round.lambda == 0);
  for (int k = 0; k < 12; k++) {
    round.lambda = k == 0 ? 0 : pow(10, 8 * slipi_random_unit(random) - 4) * round.lambda;
    if (k == 1)
      round.lambda = 1;
    type->look(&round, z, p, J);
    for (int i = 0; i < 3; i++)
      if (!(fabs(p[i] - P[i]) <= 1e-12 * (1 + fabs(z[0]) + tangent(z))))
        fail_at(c, "a look depends on its guess", z);
    for (int i = 0; i < 9; i++)
      if (!(fabs(J[i] - D[i]) <= 1e-9))
        fail_at(c, "the derivative of a look depends on its guess", z);
  }
}

static void test_kernels(void **state) {
  (void)state;
  each(600, check_look);
  each(300, check_support);
  each(300, check_gap);
  each(300, check_scaling);
  each(600, check_opens);
}

/* ---- One contact --------------------------------------------------------------------------- */

/* A random W, of full rank or of rank 2, with q in its range where it is singular. */
static void check_one_contact(SlipiRandom *random, const Case *c, const double z[3]) {
  SlipiOneContact one;
  double A[9], W[9] = {0}, r[3] = {0}, q[3] = {z[0], z[1], z[2]};
  for (int k = 0; k < 9; k++)
    A[k] = slipi_random_normal(random);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++)
        W[3 * i + j] += A[3 * i + k] * A[3 * j + k];
      W[3 * i + j] += i == j ? 0.1 : 0;
    }
  if (c->law.mu > 100 || c->law.mu < 1e-6)
    return; /* test_onecontact.c is about these */
  if (slipi_law_type(&c->law)->shifted)
    return; /* solvers see Coulomb's cone: test_shift.c */
  slipi_one_contact_prepare(&one, W, c->law);
  for (SlipiOneContactKind kind = SLIPI_ONE_HYBRID; kind <= SLIPI_ONE_QUARTIC_ALPHA; kind++) {
    memset(r, 0, sizeof r);
    slipi_one_contact_solve(&one, &(SlipiOneContactRule){kind, 1e-14, 200}, q, r);
    if (slipi_one_contact_error(&one, q, r) > 1e-11)
      fail_at(c, "a one-contact solve is not exact", q);
  }
  memset(r, 0, sizeof r);
  slipi_one_contact_solve(&one, &(SlipiOneContactRule){SLIPI_ONE_NEWTON_AC_GP, 1e-12, 200}, q, r);
  double newton = slipi_one_contact_error(&one, q, r);
  slipi_one_contact_solve(&one, &(SlipiOneContactRule){SLIPI_ONE_PROJECTION_LOOP, 1e-8, 100000}, q,
                          r);
  if (fmin(newton, slipi_one_contact_error(&one, q, r)) > 1.01e-8)
    fail_at(c, "an iterative one-contact solve does not get there", q);
}

static void test_one_contact(void **state) {
  (void)state;
  each(40, check_one_contact);
}

/* A singular block of a contact that is bound in two components: the least change that helps. */
static void test_partly_bound_and_singular(void **state) {
  (void)state;
  const double W[9] = {1, 1, 5, 1, 1, 7, 5, 7, 100}, q[3] = {-2, -2, 40};
  SlipiOneContact one;
  double r[3] = {0, 0, 3};
  SlipiLaw law = slipi_law(SLIP_BILATERAL, 0);
  law.bound = 3;
  slipi_one_contact_prepare(&one, W, law);
  slipi_one_contact_solve(&one, &(SlipiOneContactRule){SLIPI_ONE_HYBRID, 1e-14, 100}, q, r);
  assert_float_equal(r[0], 1, 1e-12);
  assert_float_equal(r[1], 1, 1e-12);
  assert_true(r[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_law_is_here),
      cmocka_unit_test(test_projection),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_derivative_on_kinks),
      cmocka_unit_test(test_flow),
      cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_one_contact),
      cmocka_unit_test(test_partly_bound_and_singular),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
