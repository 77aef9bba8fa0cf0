/* The projections of all laws on many points, in 2D and 3D: in the set and nearest to the point by
 * the variational inequality, the same when repeated, never further apart than the points, equal to
 * the independent one of reference.h, and to that of the simpler set in limits. 10,000 points for
 * each set and dimension; SLIPCONE_FULL=1 takes a million, of which the independent projection sees
 * the first 10,000. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/laws.h"
#include "data.h"
#include "linalg/dense3.h"
#include "reference.h"

/* One contact's law as a user gives it. */
typedef struct Set {
  int32_t kind;
  double mu, radius, cohesion, ball, tangential, cap;
} Set;

static const Set sets[] = {
    {.kind = SLIP_COULOMB, .mu = 0.3},
    {.kind = SLIP_COULOMB, .mu = 4},
    {.kind = SLIP_FRICTIONLESS},
    {.kind = SLIP_BILATERAL},
    {.kind = SLIP_TRESCA, .radius = 0.7},
    {.kind = SLIP_COHESIVE, .mu = 0.5, .cohesion = 0.8},
    {.kind = SLIP_COHESIVE, .mu = 0, .cohesion = 0.8},
    {.kind = SLIP_ROUNDED, .mu = 0.5, .ball = 0.8, .tangential = 0.8},
    {.kind = SLIP_ROUNDED, .mu = 0, .ball = 0.5, .tangential = 0.5},
    {.kind = SLIP_ROUNDED, .mu = 2, .ball = 0.05, .tangential = 0.9},
    {.kind = SLIP_ROUNDED, .mu = 0.3, .ball = 1.2, .tangential = 0.01},
    {.kind = SLIP_CAPPED, .mu = 0.5, .ball = 0.8, .tangential = 0.8, .cap = 0.9},
    {.kind = SLIP_CAPPED, .mu = 1.5, .ball = 0.3, .tangential = 1.1, .cap = 0.4},
};
enum { SETS = sizeof sets / sizeof sets[0] };
/* More than the lengths of each. */
#define REACH 3.0

static SlipLaws laws_of(const Set *set) {
  return *LAWS(.kind = &set->kind, .mu = &set->mu, .radius = &set->radius,
               .cohesion = &set->cohesion, .ball = &set->ball, .ball_tangential = &set->tangential,
               .cap = &set->cap);
}

static SlipiLaw law_of(const Set *set, int dimension) {
  SlipLaws laws = laws_of(set), copy;
  SlipiArena arena = {0};
  SlipiLaw *law;
  assert_int_equal(slipi_laws_copy(&arena, &laws, dimension, 1, &copy, &law, NULL), SLIP_OK);
  SlipiLaw found = *law;
  slipi_arena_free(&arena);
  return found;
}

static void random_point(SlipiRandom *random, int dimension, double z[3]) {
  double size = slipi_random_unit(random) < 0.2 ? 10 : 1.5;
  for (int k = 0; k < 3; k++)
    z[k] = k < dimension ? size * slipi_random_normal(random) : 0;
}

static void fail_at(const Set *set, const char *what, const double z[3]) {
  fail_msg("%s, mu %g, ball %g, %g, cap %g: %s at (%.17g, %.17g, %.17g)", slip_law_name(set->kind),
           set->mu, set->ball, set->tangential, set->cap, what, z[0], z[1], z[2]);
}

/* Against the independent projection, which is slow: in the set, and the nearest point. */
static void compare_point(const Set *set, int d, const double z[3], const double p[3]) {
  SlipLaws laws = laws_of(set);
  long double nearest[3] = {z[0], z[1], z[2]}, inside[3] = {p[0], p[1], p[2]};
  double size = slipi_dense3_norm(z) + REACH;
  reference_project(&laws, 0, d, nearest);
  reference_project(&laws, 0, d, inside);
  for (int k = 0; k < 3; k++) {
    if (fabsl(inside[k] - p[k]) > 1e-14L * size)
      fail_at(set, "the projection is not in the set", z);
    if (fabsl(nearest[k] - p[k]) > 1e-13L * size)
      fail_at(set, "the projection is not the nearest point", z);
  }
}

/* The projection of `other` is a member of the set like any other. */
static void check_point(const Set *set, const SlipiLaw *law, int d, const double z[3],
                        const double other[3], bool compare) {
  double p[3], o[3], again[3], size = slipi_dense3_norm(z) + REACH, vi = 0, moved = 0, apart = 0;
  slipi_law_project(law, z, p);
  slipi_law_project(law, other, o);
  slipi_law_project(law, p, again);
  if (compare)
    compare_point(set, d, z, p);
  for (int k = 0; k < 3; k++) {
    vi += (z[k] - p[k]) * (o[k] - p[k]);
    moved += (p[k] - o[k]) * (p[k] - o[k]);
    apart += (z[k] - other[k]) * (z[k] - other[k]);
    if (fabs(again[k] - p[k]) > 1e-14 * size)
      fail_at(set, "the projection of the projection is another", z);
  }
  if (slipi_law_distance(law, p) > 1e-14 * size)
    fail_at(set, "the projection is not in the set", z);
  if (vi > 1e-12 * size * (slipi_dense3_norm(other) + REACH))
    fail_at(set, "the variational inequality does not hold", z);
  if (sqrt(moved) > sqrt(apart) + 1e-13 * size)
    fail_at(set, "projections are further apart than their points", z);
  assert_true(d == 3 || p[2] == 0);
}

static void test_points(void **state) {
  (void)state;
  const int count = getenv("SLIPCONE_FULL") ? 1000000 : 10000;
  SlipiRandom random;
  slipi_random_seed(&random, 11);
  for (int k = 0; k < SETS; k++)
    for (int d = 2; d <= 3; d++) {
      SlipiLaw law = law_of(&sets[k], d);
      for (int trial = 0; trial < count; trial++) {
        double z[3], other[3];
        random_point(&random, d, z);
        random_point(&random, d, other);
        check_point(&sets[k], &law, d, z, other, trial < 10000);
      }
    }
}

/* The two sets differ by at most `most` at random points. */
static void expect_near(const Set *first, const Set *second, double most) {
  SlipiLaw one = law_of(first, 3), two = law_of(second, 3);
  SlipiRandom random;
  slipi_random_seed(&random, 12);
  for (int trial = 0; trial < 2000; trial++) {
    double z[3], p[3], o[3];
    random_point(&random, 3, z);
    slipi_law_project(&one, z, p);
    slipi_law_project(&two, z, o);
    for (int k = 0; k < 3; k++)
      if (fabs(p[k] - o[k]) > most)
        fail_at(first, "not the limit", z);
  }
}

static void test_limits(void **state) {
  (void)state;
  const Set cone = {.kind = SLIP_COULOMB, .mu = 0.5}, ray = {.kind = SLIP_FRICTIONLESS};
  for (double x = 1e-1; x > 1e-15; x /= 10) {
    const Set cohesive = {.kind = SLIP_COHESIVE, .mu = 0.5, .cohesion = x};
    const Set rounded = {.kind = SLIP_ROUNDED, .mu = 0.5, .ball = x, .tangential = x};
    const Set flat = {.kind = SLIP_ROUNDED, .mu = 0.5, .ball = x, .tangential = 2 * x};
    const Set smooth = {.kind = SLIP_ROUNDED, .mu = x, .ball = x, .tangential = x};
    expect_near(&cohesive, &cone, 2 * x + 1e-14);
    expect_near(&rounded, &cone, 2 * x + 1e-14);
    expect_near(&flat, &cone, 3 * x + 1e-14);
    expect_near(&smooth, &ray, 100 * x + 1e-14);
  }
  const Set rounded = {.kind = SLIP_ROUNDED, .mu = 0.5, .ball = 0.4, .tangential = 0.4};
  const Set capped = {.kind = SLIP_CAPPED, .mu = 0.5, .ball = 0.4, .tangential = 0.4, .cap = 1e3};
  const Set truncated = {.kind = SLIP_CAPPED, .mu = 0.5, .cap = 1e300};
  const Set stroke = {.kind = SLIP_ROUNDED, .mu = 0.5, .ball = 0.4};
  const Set cohesive = {.kind = SLIP_COHESIVE, .mu = 0.5, .cohesion = 0.4};
  expect_near(&capped, &rounded, 0);
  expect_near(&truncated, &cone, 1e-14);
  expect_near(&stroke, &cohesive, 1e-14); /* the cone and a stroke along the normal */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
