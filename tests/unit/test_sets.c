/* The sets of impulses of all laws that are curved: many random points against the definition of a
 * projection, which must be in the set, no further than any of its points, idempotent and
 * 1-Lipschitz; a sample against a brute-force search that knows the definition of the set only;
 * sets that become others in the limit. SLIPCONE_FULL=1: a million points for each set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "contact/rolling.h"

enum { MOST = 6 };

/* A set around its axis, the first component: at height n each part of the others reaches up to
 * some radius. Contacts have one part, contacts that roll three. */
typedef struct Set {
  const char *name;
  int size; /* components: 2 or 3, rolling ones 4 or 6 */
  SlipiLaw law;
  SlipiRolling rolling;
} Set;

static bool is_rolling(const Set *set) {
  return set->size > 3;
}

static void project(const Set *set, const double *z, double *p) {
  double x[MOST] = {0};
  int d = set->size / 2;
  if (!is_rolling(set)) {
    memcpy(x, z, (size_t)set->size * sizeof *x);
    slipi_law_project(&set->law, x, x);
    memcpy(p, x, (size_t)set->size * sizeof *x);
    return;
  }
  for (int k = 0; k < set->size; k++)
    x[k < d ? k : 3 + k - d] = z[k];
  slipi_rolling_project(&set->rolling, x, x);
  for (int k = 0; k < set->size; k++)
    p[k] = x[k < d ? k : 3 + k - d];
}

/* ---- The sets by their definitions ---- */

/* The largest |r_T| of the sum of a cone and a spheroid at height n: the best height h of the
 * cone's point, by a search over a concave function. */
static long double rounded_radius(const SlipiLaw *law, long double n) {
  long double a = law->depth, b = law->radius, mu = law->mu;
  if (a == 0)
    return mu * n + b;
  long double low = fmaxl(0, n - a), high = n + a;
  for (int k = 0; k < 300; k++) {
    long double x = low + (high - low) / 3, y = high - (high - low) / 3;
    long double X = mu * x + b * sqrtl(fmaxl(0, 1 - (n - x) / a * ((n - x) / a)));
    long double Y = mu * y + b * sqrtl(fmaxl(0, 1 - (n - y) / a * ((n - y) / a)));
    if (X < Y)
      low = x;
    else
      high = y;
  }
  return mu * low + b * sqrtl(fmaxl(0, 1 - (n - low) / a * ((n - low) / a)));
}

/* The radius of a part at height n. */
static long double radius(const Set *set, int part, long double n) {
  const SlipiLaw *law = &set->law;
  if (is_rolling(set))
    return (part == 0 ? set->rolling.slide : part == 1 ? set->rolling.spin : set->rolling.roll) * n;
  if (law->kind == SLIPI_ROUNDED || law->kind == SLIPI_CAPPED)
    return rounded_radius(law, n);
  return law->kind == SLIPI_TRESCA ? (long double)law->radius : law->mu * (n + law->depth);
}

static int parts(const Set *set) {
  return is_rolling(set) ? 3 : 1;
}

/* The components of a part. */
static void range(const Set *set, int part, int *first, int *end) {
  int d = set->size / 2;
  *first = !is_rolling(set) || part == 0 ? 1 : part == 1 ? d : d + 1;
  *end = !is_rolling(set) ? set->size : part == 0 ? d : part == 1 ? d + 1 : 2 * d;
}

static double part_size(const Set *set, int part, const double *x) {
  int first, end;
  double square = 0;
  range(set, part, &first, &end);
  for (int k = first; k < end; k++)
    square += x[k] * x[k];
  return sqrt(square);
}

static double lowest(const Set *set) {
  return is_rolling(set) || set->law.kind == SLIPI_TRESCA ? 0 : -set->law.depth;
}

static double highest(const Set *set) {
  return set->law.kind == SLIPI_CAPPED ? set->law.cap : INFINITY;
}

static bool contains(const Set *set, const double *x, double tol) {
  bool in = x[0] >= lowest(set) - tol && x[0] <= highest(set) + tol;
  for (int part = 0; part < parts(set); part++) {
    double n = fmin(fmax(x[0], lowest(set)), highest(set));
    in = in && part_size(set, part, x) <= (double)radius(set, part, n) + 10 * tol;
  }
  return in;
}

static double away(const Set *set, const double *x, const double *y) {
  double square = 0;
  for (int k = 0; k < set->size; k++)
    square += (x[k] - y[k]) * (x[k] - y[k]);
  return sqrt(square);
}

/* A member: a random height, and in each part a random point up to its radius there. */
static void member(SlipiRandom *random, const Set *set, double *x) {
  double top = fmin(highest(set), lowest(set) + 4);
  x[0] = slipi_random_between(random, lowest(set), top);
  for (int part = 0; part < parts(set); part++) {
    int first, end;
    range(set, part, &first, &end);
    for (int k = first; k < end; k++)
      x[k] = slipi_random_normal(random);
    double size = part_size(set, part, x);
    double reach = (double)radius(set, part, x[0]) * (1 - 1e-15);
    reach *= slipi_random_unit(random) < 0.5 ? 1 : slipi_random_unit(random);
    for (int k = first; k < end; k++)
      x[k] *= size > 0 ? reach / size : 0;
  }
}

/* ---- Cases ---- */

#define CASE(NAME, ...)                                                                            \
  {.name = (NAME " in 2D"), .size = 2, .law = {__VA_ARGS__}}, {                                    \
    .name = (NAME " in 3D"), .size = 3, .law = { __VA_ARGS__ }                                     \
  }
#define ROLLING(NAME, SLIDE, SPIN, ROLL)                                                           \
  {.name = (NAME " in 2D"), .size = 4, .rolling = {(SLIDE), 0, (ROLL)}}, {                         \
    .name = (NAME " in 3D"), .size = 6, .rolling = {(SLIDE), (SPIN), (ROLL) }                      \
  }

static const Set sets[] = {
    CASE("coulomb", .kind = SLIPI_COULOMB, .mu = 0.4),
    CASE("tresca", .kind = SLIPI_TRESCA, .radius = 0.7),
    CASE("cohesive", .kind = SLIPI_COHESIVE, .mu = 0.4, .depth = 0.6),
    CASE("rounded", .kind = SLIPI_ROUNDED, .mu = 0.4, .depth = 0.6, .radius = 0.6, .cap = INFINITY),
    CASE("spheroid", .kind = SLIPI_ROUNDED, .mu = 0.7, .depth = 0.3, .radius = 0.9,
         .cap = INFINITY),
    CASE("capped", .kind = SLIPI_CAPPED, .mu = 0.4, .depth = 0.6, .radius = 0.6, .cap = 0.8),
    CASE("capped spheroid", .kind = SLIPI_CAPPED, .mu = 0.9, .depth = 0.8, .radius = 0.2,
         .cap = 0.5),
    ROLLING("rolling", 0.5, 0, 0.3),
    ROLLING("rolling and spinning", 0.4, 0.2, 0.7),
    ROLLING("rolling without friction", 0, 0.3, 0.3),
};
enum { SETS = sizeof sets / sizeof sets[0] };

static void random_place(SlipiRandom *random, const Set *set, double *z) {
  double size = exp(2 * slipi_random_normal(random));
  for (int k = 0; k < set->size; k++)
    z[k] = size * slipi_random_normal(random);
  if (slipi_random_unit(random) < 0.05)
    z[1 + (int)(slipi_random_unit(random) * (set->size - 1))] = 0;
}

static double norm(const Set *set, const double *x) {
  const double zero[MOST] = {0};
  return away(set, x, zero);
}

/* ---- The definition of a projection ---- */

static void check_point(SlipiRandom *random, const Set *set, const double *member_of) {
  double z[MOST], p[MOST], other[MOST], q[MOST], again[MOST], product = 0;
  random_place(random, set, z);
  random_place(random, set, other);
  project(set, z, p);
  project(set, other, q);
  project(set, p, again);
  double size = norm(set, z) + norm(set, member_of) + 1;
  for (int k = 0; k < set->size; k++)
    product += (z[k] - p[k]) * (member_of[k] - p[k]);
  if (!(product <= 1e-12 * size * size))
    fail_msg("%s: a member is nearer than the projection, by %g", set->name, product);
  if (!(away(set, p, again) <= 1e-12 * size))
    fail_msg("%s: the projection of a projection is another", set->name);
  if (!(away(set, p, q) <= away(set, z, other) + 1e-12 * (size + norm(set, other))))
    fail_msg("%s: the projection is not 1-Lipschitz", set->name);
  if (!is_rolling(set) && set->law.kind >= SLIPI_ROUNDED)
    return; /* membership is a search there: the sample below */
  if (!contains(set, p, 1e-13 * size))
    fail_msg("%s: the projection is not in the set", set->name);
}

static void test_points(void **state) {
  (void)state;
  int points = getenv("SLIPCONE_FULL") ? 1000000 : 5000;
  enum { MEMBERS = 500 };
  SlipiRandom random;
  slipi_random_seed(&random, 11);
  for (int s = 0; s < SETS; s++) {
    double members[MEMBERS][MOST];
    for (int k = 0; k < MEMBERS; k++)
      member(&random, &sets[s], members[k]);
    for (int k = 0; k < points; k++)
      check_point(&random, &sets[s], members[k % MEMBERS]);
  }
}

/* ---- Brute force ---- */

/* Whether the points at height x come nearer to z than those at y: the squares of the distances,
 * subtracted term by term, so that rounding does not blur their least value. */
static bool is_nearer(const Set *set, const double *z, long double x, long double y) {
  long double sum = (y - x) * (2 * (long double)z[0] - x - y);
  for (int part = 0; part < parts(set); part++) {
    long double size = part_size(set, part, z);
    long double X = fmaxl(0, size - radius(set, part, x)),
                Y = fmaxl(0, size - radius(set, part, y));
    sum += (X - Y) * (X + Y);
  }
  return sum < 0;
}

/* The distance is convex in the height: by thirds. */
static void search(const Set *set, const double *z, double *p) {
  long double low = lowest(set), high = fmin(highest(set), 20 * (1 + norm(set, z)));
  for (int k = 0; k < 200; k++) {
    long double x = low + (high - low) / 3, y = high - (high - low) / 3;
    if (is_nearer(set, z, x, y))
      high = y;
    else
      low = x;
  }
  p[0] = (double)low;
  for (int part = 0; part < parts(set); part++) {
    int first, end;
    double size = part_size(set, part, z), reach = (double)radius(set, part, low);
    range(set, part, &first, &end);
    for (int k = first; k < end; k++)
      p[k] = size > reach ? z[k] * reach / size : z[k];
  }
}

static void test_brute_force(void **state) {
  (void)state;
  int points = getenv("SLIPCONE_FULL") ? 500 : 15;
  SlipiRandom random;
  slipi_random_seed(&random, 12);
  for (int s = 0; s < SETS; s++) {
    for (int k = 0; k < points; k++) {
      double z[MOST], p[MOST], found[MOST];
      for (int c = 0; c < sets[s].size; c++)
        z[c] = slipi_random_normal(&random);
      project(&sets[s], z, p);
      search(&sets[s], z, found);
      if (!(away(&sets[s], p, found) <= 1e-9))
        fail_msg("%s: a search finds another point, %g away", sets[s].name,
                 away(&sets[s], p, found));
      if (!contains(&sets[s], p, 1e-12))
        fail_msg("%s: the projection is not in the set", sets[s].name);
    }
  }
}

/* ---- Limits ---- */

/* The projections on two sets of the same size are within `tol` of each other. */
static void expect_near(const Set *x, const Set *y, double tol) {
  SlipiRandom random;
  slipi_random_seed(&random, 13);
  for (int k = 0; k < 2000; k++) {
    double z[MOST] = {0}, p[MOST], q[MOST];
    for (int c = 0; c < x->size; c++)
      z[c] = slipi_random_normal(&random);
    project(x, z, p);
    project(y, z, q);
    if (!(away(x, p, q) <= tol))
      fail_msg("%s is not %s: %g", x->name, y->name, away(x, p, q));
  }
}

static void test_limits(void **state) {
  (void)state;
  for (double tiny = 1e-2; tiny > 1e-12; tiny /= 10) {
    Set cone = sets[1], cohesive = sets[5], rounded = sets[7], spheroid = sets[9];
    cohesive.law.depth = rounded.law.depth = rounded.law.radius = tiny;
    expect_near(&cohesive, &cone, 2 * tiny);
    expect_near(&rounded, &cone, 2 * tiny);
    spheroid.law.mu = cone.law.mu; /* a needle, and a disc */
    spheroid.law.depth = tiny;
    spheroid.law.radius = tiny / 3;
    expect_near(&spheroid, &cone, 2 * tiny);
  }
  Set capped = sets[11], rounded = sets[7];
  capped.law.cap = 1e3; /* above every projection of such points */
  expect_near(&capped, &rounded, 0);
  capped.law.cap = 1e300;
  expect_near(&capped, &rounded, 0);
}

/* mu_R -> 0: Coulomb's cone beside moments that vanish. mu_R -> infinity: moments are free where
 * there is an impulse, and the impulse is Coulomb's. */
static void test_rolling_limits(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 14);
  SlipiLaw cone = slipi_law(SLIP_COULOMB, 0.5);
  for (int k = 0; k < 2000; k++) {
    double z[6], p[6], q[3];
    for (int c = 0; c < 6; c++)
      z[c] = slipi_random_normal(&random);
    for (double tiny = 1e-2; tiny > 1e-12; tiny /= 10) {
      slipi_law_project(&cone, z, q);
      slipi_rolling_project(&(SlipiRolling){0.5, tiny, tiny}, z, p);
      for (int c = 0; c < 3; c++) {
        assert_true(fabs(p[c] - q[c]) <= 20 * tiny);
        assert_true(fabs(p[3 + c]) <= 20 * tiny);
      }
      z[0] = fabs(z[0]) + 0.1;
      slipi_law_project(&cone, z, q);
      slipi_rolling_project(&(SlipiRolling){0.5, 100 / tiny, 100 / tiny}, z, p);
      for (int c = 0; c < 3; c++)
        assert_true(fabs(p[c] - q[c]) <= 1e-14 && p[3 + c] == z[3 + c]);
    }
    SlipContactStatus status = slipi_law_project(&cone, z, q);
    SlipiRollingStatus both = slipi_rolling_project(&(SlipiRolling){0.5, 0, 0}, z, p);
    assert_int_equal(both.contact, status);
    assert_true(p[3] == 0 && p[4] == 0 && p[5] == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_brute_force),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_rolling_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
