/* Built-in problems of bodies: numbers of contacts, motions that contacts must see or not see,
 * geometry, and energy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/bodies.h"
#include "reference.h"
#include "solving.h"

static SlipGlobalData global(const SlipProblem *problem) {
  SlipGlobalData data = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(problem, &data, NULL), SLIP_OK);
  return data;
}

/* u = H' v. */
static void relative_velocity(const SlipMatrix *H, const double *v, double *u) {
  for (int32_t j = 0; j < H->cols; j++)
    u[j] = 0;
  for (int32_t i = 0; i < H->rows; i++)
    for (int32_t k = H->p[i]; k < H->p[i + 1]; k++)
      u[H->i[k]] += H->x[k] * v[i];
}

static void test_counts(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    double off; /* at most, times sqrt(wanted) */
  } cases[] = {{"stack", 0.2}, {"wall", 1}, {"slope", 0}, {"pile", 0.5}, {"elastic", 0.5}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int d = 2; d <= 3; d++)
      for (int wanted = 110; wanted <= 1000; wanted += 89) {
        SlipGenerate options = generate_defaults(cases[c].kind);
        options.dimension = d;
        options.contacts = wanted;
        SlipProblem *problem = generate_with(cases[c].kind, &options, NULL);
        int off = slip_problem_contacts(problem) - wanted;
        if (abs(off) > cases[c].off * sqrt(wanted))
          fail_msg("%s: %d instead of %d contacts", cases[c].kind, wanted + off, wanted);
        slip_problem_free(problem);
      }
}

/* When everything moves alike, contacts with the ground or a wall see a unit velocity and those
 * between bodies none. */
static void test_translation(void **state) {
  (void)state;
  static const char *const kinds[] = {"stack", "wall", "slope", "pile", "elastic"};
  for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++)
    for (int d = 2; d <= 3; d++) {
      SlipGenerate options = generate_defaults(kinds[c]);
      options.dimension = d;
      SlipProblem *problem = generate_with(kinds[c], &options, NULL);
      SlipGlobalData data = global(problem);
      int n = strcmp(kinds[c], "elastic") == 0 ? d : d == 3 ? 6 : 3, ground = 0;
      double *v = calloc((size_t)data.M.rows, sizeof *v);
      double *u = calloc((size_t)data.H.cols, sizeof *u);
      assert_true(v && u);
      for (int32_t i = 0; i < data.M.rows; i += n)
        v[i] = 1;
      relative_velocity(&data.H, v, u);
      for (int a = 0; a < data.contacts; a++) {
        double norm = 0;
        for (int k = 0; k < d; k++)
          norm += u[d * a + k] * u[d * a + k];
        assert_true(norm < 1e-28 || fabs(norm - 1) < 1e-13);
        ground += norm > 0.5;
      }
      assert_true(ground > 0);
      free(v);
      free(u);
      slip_problem_free(problem);
    }
}

static void cross_product(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Velocity of a body at a point, in three components (the second is up in 2D). */
static void point_velocity(int d, const double *v, const double *centre, const double *point,
                           double *x) {
  double arm[3] = {point[0] - centre[0], point[1] - centre[1], d == 3 ? point[2] - centre[2] : 0};
  double spin[3] = {0, 0, v[2]}, turn[3];
  for (int k = 0; d == 3 && k < 3; k++)
    spin[k] = v[3 + k];
  cross_product(spin, arm, turn);
  for (int k = 0; k < d; k++)
    x[k] = v[k] + turn[k];
}

/* H' v of one contact between two bodies is their relative velocity in a frame that is
 * orthonormal and starts with the normal. */
static void test_touch(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int trial = 0; trial < 200; trial++) {
    int d = 2 + trial % 2, n = d == 3 ? 6 : 3;
    SlipiDraft draft = {.random = &random};
    SlipGenerate options = {
        .size = sizeof options, .contacts = 1, .dimension = d, .mu = 0.5, .seed = 1};
    assert_int_equal(slipi_bodies_start(&draft, &options, 2, 1, NULL), SLIP_OK);
    double v[12], centres[2][3], x[2][3], u[3] = {0}, along = 0, slide = 0, seen = 0;
    SlipiTouch touch = {1, 0, centres[1], centres[0], {0}, {0}};
    slipi_gen_direction(&random, d, touch.normal);
    for (int k = 0; k < 3; k++) {
      touch.point[k] = slipi_random_between(&random, -2, 2);
      centres[0][k] = slipi_random_between(&random, -2, 2);
      centres[1][k] = slipi_random_between(&random, -2, 2);
    }
    for (int k = 0; k < 2 * n; k++)
      v[k] = slipi_random_between(&random, -1, 1);
    slipi_bodies_touch(&draft, 0, &touch);
    for (int64_t k = 0; k < draft.H.count; k++)
      u[draft.H.col[k]] += draft.H.x[k] * v[draft.H.row[k]];
    for (int b = 0; b < 2; b++)
      point_velocity(d, v + n * b, centres[b], touch.point, x[b]);
    for (int k = 0; k < d; k++) {
      along += (x[1][k] - x[0][k]) * touch.normal[k];
      slide += (x[1][k] - x[0][k]) * (x[1][k] - x[0][k]);
      seen += u[k] * u[k];
    }
    assert_true(fabs(u[0] - along) < 1e-13);
    assert_true(fabs(seen - slide) < 1e-12);
    slipi_arena_free(&draft.arena);
  }
}

/* A single sphere on the incline: it rolls while 2/7 (a disc: 1/3) of the pull is within the
 * cone, and slides otherwise. */
static void test_rolling_sphere(void **state) {
  (void)state;
  int sliding = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    int d = 2 + (int)(seed % 2), n = d == 3 ? 6 : 3;
    SlipGenerate options = generate_defaults("slope");
    options.contacts = 1;
    options.dimension = d;
    options.seed = seed;
    SlipProblem *problem = generate_with("slope", &options, NULL);
    SlipGlobalData data = global(problem);
    double push = -data.f[d - 1], hold = data.f[0] / (d == 3 ? 3.5 : 3);
    if (hold > data.laws->mu[0] * push) {
      hold = data.laws->mu[0] * push;
      sliding++;
    }
    /* Impulse in space, then in the frame: r = H_linear' (-hold, 0, push). */
    double v[6] = {0}, r[3];
    v[0] = -hold;
    v[d - 1] = push;
    assert_int_equal(data.M.rows, n);
    relative_velocity(&data.H, v, r);
    assert_true(reference_error(problem, r) < 1e-14);
    slip_problem_free(problem);
  }
  assert_true(sliding > 5 && sliding < 35);
}

/* One box stands still with a quarter (in 2D: half) of its weight on each corner. */
static void test_single_box(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    SlipGenerate options = generate_defaults("stack");
    options.contacts = 1;
    options.dimension = d;
    SlipProblem *problem = generate_with("stack", &options, NULL);
    SlipGlobalData data = global(problem);
    double r[12] = {0};
    assert_int_equal(data.contacts, d == 3 ? 4 : 2);
    for (int a = 0; a < data.contacts; a++)
      r[d * a] = -data.f[d - 1] / data.contacts;
    assert_true(reference_error(problem, r) < 1e-14);
    slip_problem_free(problem);
  }
}

/* Many contacts, each sphere carried by three, neighbours with near numbers. */
static void test_pile(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("pile");
  options.contacts = 20000;
  SlipProblem *problem = generate_with("pile", &options, NULL);
  SlipGlobalData data = global(problem);
  double spheres = data.M.rows / 6.0;
  assert_true(data.contacts / spheres > 2.5 && data.contacts / spheres < 4);
  int32_t *low = malloc((size_t)data.contacts * sizeof *low);
  int32_t *high = malloc((size_t)data.contacts * sizeof *high);
  assert_true(low && high);
  for (int a = 0; a < data.contacts; a++) {
    low[a] = INT32_MAX;
    high[a] = 0;
  }
  for (int32_t i = 0; i < data.H.rows; i++)
    for (int32_t k = data.H.p[i]; k < data.H.p[i + 1]; k++) {
      int32_t a = data.H.i[k] / 3, body = i / 6;
      low[a] = body < low[a] ? body : low[a];
      high[a] = body > high[a] ? body : high[a];
    }
  int near = 0;
  for (int a = 0; a < data.contacts; a++)
    near += high[a] - low[a] < 200;
  assert_true(near > 0.75 * data.contacts);
  free(low);
  free(high);
  slip_problem_free(problem);
}

/* v' (M + h^2 K) v of a field that stretches nothing is v' M v: known for a translation and a
 * rotation of the rectangle. */
static void test_elastic_energy(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("elastic");
  options.contacts = 7;
  options.dimension = 2;
  SlipProblem *problem = generate_with("elastic", &options, NULL);
  SlipGlobalData data = global(problem);
  const double edge = 0.1, density = 1000;
  int32_t columns = 7, rows = data.M.rows / 2 / columns;
  double move = 0, turn = 0, stretch = 0, a = edge * (columns - 1), b = edge * (rows - 1);
  for (int32_t i = 0; i < data.M.rows; i++)
    for (int32_t k = data.M.p[i]; k < data.M.p[i + 1]; k++) {
      int32_t at[2] = {i, data.M.i[k]};
      double v[2], x[2];
      for (int e = 0; e < 2; e++) {
        int32_t node = at[e] / 2, column = node / rows;
        x[e] = edge * column;
        v[e] = at[e] % 2 ? x[e] : -edge * (node % rows); /* turning about the corner */
      }
      move += at[0] % 2 && at[1] % 2 ? data.M.x[k] : 0;
      turn += v[0] * data.M.x[k] * v[1];
      stretch += at[0] % 2 || at[1] % 2 ? 0 : x[0] * data.M.x[k] * x[1];
    }
  double mass = density * a * b;
  assert_true(fabs(move - mass) < 1e-10 * mass);
  assert_true(fabs(turn - mass * (a * a + b * b) / 3) < 1e-10 * turn);
  /* Stretching along x by 1: mass a^2/3 plus h^2 (lame + 2 shear) times the area. */
  double shear = 1e6 / 2.6, lame = 0.3e6 / (1.3 * 0.4);
  double expected = mass * a * a / 3 + 1e-4 * (lame + 2 * shear) * a * b;
  assert_true(fabs(stretch - expected) < 1e-10 * expected);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),         cmocka_unit_test(test_translation),
      cmocka_unit_test(test_touch),          cmocka_unit_test(test_rolling_sphere),
      cmocka_unit_test(test_single_box),     cmocka_unit_test(test_pile),
      cmocka_unit_test(test_elastic_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
