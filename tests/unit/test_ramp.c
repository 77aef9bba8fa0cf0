/* Paths of solutions to more friction: the derivatives of their equations, a curve known by hand,
 * and rough problems that are solved by following them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "base/random.h"
#include "methods/common_path.h"
#include "methods/common_ramp.h"
#include "methods/common_stick.h"
#include "path_case.h"
#include "physical.h"
#include "solving.h"

/* ---- Derivatives ---- */

/* A point with every status, and friction and slip that are not parallel. */
static void fill(SlipiPath *path, SlipiPathParameter parameter) {
  SlipiRandom random;
  slipi_random_seed(&random, 3);
  path->parameter = parameter;
  path->p = 0.3;
  for (int32_t a = 0; a < path->nc; a++) {
    path->status[a] = (SlipiPathStatus)(a % 3);
    path->in_turn[a] = a % 4 != 3;
    path->least[a] = a % 5 == 4 ? 0.5 : 1e-3;
    path->most[a] = INFINITY;
    path->kappa[a] = a % 2 ? 0.4 : 3;
    path->portion[a] = 0.2;
    path->flow[a] = 0.7;
    path->weight_first[a] = 0.1;
    path->weight_last[a] = 0.02;
    for (int32_t k = 3 * a; k < 3 * a + 3; k++) {
      path->r[k] = slipi_random_between(&random, -1, 1);
      path->r_0[k] = slipi_random_between(&random, -1, 1);
      path->r_1[k] = slipi_random_between(&random, -1, 1);
      path->c[k] = slipi_random_between(&random, -1, 1);
    }
  }
}

/* (A W + B) x + F_p dp against F from both sides. */
static double derivative_error(SlipiPath *path, const double *x, double dp) {
  size_t bytes = (size_t)path->m * sizeof(double);
  double *sum = calloc(1, bytes), *r = malloc(bytes), *Wx = malloc(bytes), h = 1e-6, most = 0;
  memcpy(r, path->r, bytes);
  slipi_path_evaluate(path);
  slipi_bsr_multiply(&path->scaled->W, x, Wx, NULL);
  for (int32_t k = 0; k < path->m; k++) {
    sum[k] = path->F_p[k] * dp;
    for (int32_t j = 0; j < 3; j++) {
      int64_t at = 9 * (int64_t)(k / 3) + 3 * (k % 3) + j;
      sum[k] += path->A[at] * Wx[3 * (k / 3) + j] + path->B[at] * x[3 * (k / 3) + j];
    }
  }
  for (int side = -1; side <= 1; side += 2) {
    for (int32_t k = 0; k < path->m; k++)
      path->r[k] = r[k] + side * h * x[k];
    path->p += side * h * dp;
    slipi_path_evaluate(path);
    path->p -= side * h * dp;
    for (int32_t k = 0; k < path->m; k++)
      sum[k] -= side * path->F[k] / (2 * h);
  }
  for (int32_t k = 0; k < path->m; k++)
    most = fmax(most, fabs(sum[k]));
  memcpy(path->r, r, bytes);
  free(sum);
  free(r);
  free(Wx);
  return most;
}

static void test_derivatives(void **state) {
  (void)state;
  for (int k = SLIPI_PATH_KAPPA; k <= SLIPI_PATH_PORTION; k++) {
    Case c;
    SlipiPath path = {.alone = -1};
    open_case(&c, generate_problem("random", 20, 3, NULL));
    assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
    fill(&path, (SlipiPathParameter)k);
    double *x = calloc((size_t)path.m, sizeof *x);
    for (int32_t k = 0; k < path.m; k++)
      x[k] = sin(k + 1.0);
    assert_true(derivative_error(&path, x, 0) < 1e-6);
    assert_true(derivative_error(&path, x, 1) < 1e-6);
    free(x);
    close_case(&c);
  }
}

/* ---- Solutions ---- */

/* One contact on W = 1, pressed with 1 and pulled with 30: with mu it slides, r = (1, mu), up to
 * 30, from where on it sticks with r = (1, 30). */
static void test_pulled(void **state) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, -30, 0}, first = 1;
  static const double mu[] = {10, 29, 31, 1e3, 1e6};
  (void)state;
  for (size_t k = 0; k < sizeof mu / sizeof mu[0]; k++) {
    SlipLocalData data = slip_default_local_data();
    SlipLaws laws = slip_default_laws();
    SlipProblem *problem;
    Case c;
    double r[3] = {1, 1, 0};
    bool arrived;
    laws.mu = &first;
    data.dimension = 3;
    data.contacts = 1;
    data.W = slip_dense(3, 3, W);
    data.q = q;
    data.laws = &laws;
    assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
    open_case(&c, problem);
    assert_int_equal(slipi_ramp(&c.run, &mu[k], &c.arena, r, &arrived, NULL), SLIP_OK);
    assert_true(arrived);
    assert_true(fabs(r[0] - 1) < 1e-9 && fabs(r[1] - fmin(mu[k], 30)) < 1e-8 && fabs(r[2]) < 1e-9);
    memset(r, 0, sizeof r);
    assert_int_equal(slipi_ramp_from_stuck(&c.run, &mu[k], &c.arena, r, &arrived, NULL), SLIP_OK);
    assert_true(arrived);
    assert_true(fabs(r[0] - 1) < 1e-9 && fabs(r[1] - fmin(mu[k], 30)) < 1e-8 && fabs(r[2]) < 1e-9);
    close_case(&c);
  }
}

/* Where nothing slips: velocities from W and q, by hand, along the tangents are 0, and one of
 * normal velocity and impulse is, the other being positive. */
static void test_stuck(void **state) {
  static const char *const kinds[] = {"random", "ill"};
  (void)state;
  for (int d = 2; d <= 3; d++) {
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
      Case c;
      SlipiPath path = {.alone = -1};
      bool solved;
      open_case(&c, generate_problem(kinds[kind], 30, d, NULL));
      assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
      double *room = calloc(4 * (size_t)path.nc + 2 * (size_t)path.m, sizeof *room);
      double *u = calloc((size_t)path.m, sizeof *u);
      for (int32_t a = 0; a < path.nc; a++)
        path.weight_first[a] = 1e-3 * (1 + a % 3);
      for (int32_t k = 0; k < path.m; k++)
        path.r_0[k] = 0.1 * sin(k);
      assert_int_equal(slipi_stick_solve(&path, room, &solved, NULL), SLIP_OK);
      assert_true(solved);
      slipi_scaled_velocity(path.scaled, path.r, u);
      for (int32_t k = 0; k < path.m; k++) {
        u[k] += path.weight_first[k / 3] * (path.r[k] - path.r_0[k]);
        assert_true(k % 3 == 0 || fabs(u[k]) < 1e-8);
        assert_true(k % 3 != 0 || (u[k] > -1e-8 && path.r[k] > -1e-8 && u[k] * path.r[k] < 1e-7));
      }
      free(u);
      free(room);
      close_case(&c);
    }
  }
}

/* From where nothing slips, with compliance alpha around r = 0, to Coulomb's law. */
static bool follow_flow(SlipiPath *path, double alpha) {
  SlipiRandom random;
  bool solved, arrived;
  double *room = calloc(4 * (size_t)path->nc + 2 * (size_t)path->m, sizeof *room);
  slipi_random_seed(&random, 1);
  for (int32_t a = 0; a < path->nc; a++) {
    path->in_turn[a] = true;
    path->kappa[a] = 1 / path->scaled->law[a].mu;
    path->flow[a] = 0;
    path->weight_first[a] = path->weight_last[a] = alpha * slipi_random_between(&random, 0.5, 2);
  }
  assert_int_equal(slipi_stick_solve(path, room, &solved, NULL), SLIP_OK);
  assert_true(solved);
  slipi_path_settle(path);
  for (int32_t k = 0; k < path->m; k++) {
    path->c[k] -= path->weight_first[k / 3] * path->r[k];
    path->r_0[k] = 0;
  }
  path->parameter = SLIPI_PATH_FLOW;
  path->p = 0;
  path->target = 1;
  assert_int_equal(slipi_path_follow(path, 1, 600, &arrived, NULL), SLIP_OK);
  free(room);
  return arrived;
}

/* The start is the only solution for phi = 0, so that no curve from there ends there again: one
 * that does has turned around where two events fall together. */
static void test_no_way_back(void **state) {
  static const double alpha[] = {1e-2, 1e-3, 1e-4};
  int followed = 0, lost = 0;
  (void)state;
  for (int n = 0; n < 9; n++) {
    SlipGenerate options = generate_defaults("random");
    Case c;
    SlipiPath path = {.alone = -1};
    options.contacts = 60;
    options.seed = (uint64_t)(n / 3 + 1);
    options.dimension = 3;
    options.mu = 1e3;
    open_case(&c, generate_with("random", &options, NULL));
    assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
    bool arrived = follow_flow(&path, alpha[n % 3]);
    assert_true(path.p >= 0);
    followed += arrived;
    lost += !arrived;
    close_case(&c);
  }
  assert_true(followed > lost);
}

/* A random W couples friction with normals: the curves of solutions turn back several times, and
 * other ways have not found a solution in minutes. The tests' own checker judges. */
static void test_rough_problems(void **state) {
  static const double mu[] = {1e3, 1e6};
  (void)state;
  for (int32_t d = 2; d <= 3; d++) {
    for (int k = 0; k < 2; k++) {
      SlipGenerate options = generate_defaults("random");
      Physical found;
      options.contacts = 50;
      options.dimension = d;
      options.mu = mu[k];
      SlipProblem *problem = generate_with("random", &options, NULL);
      Solved solved = solve_with(problem, "auto", "tol=1e-6 max-iter=5000", NULL);
      if (solved.outcome != SLIP_SOLVED)
        fail_msg("%d dimensions, mu %g: %s", d, mu[k], solved.reason);
      assert_int_equal(physical_check(problem, solved.r, 0, &found), 0);
      assert_true(found.total <= 1e-5);
      free(found.of_contact);
      free(solved.r);
      slip_problem_free(problem);
    }
  }
}

/* Runs of one problem, ended sooner and later; returns how many of those that may leave the trial
 * were cut short on their way. */
static int cut_short(uint64_t seed) {
  static const char *const limits[] = {"tol=1e-6 max-iter=1000", "tol=1e-6 max-iter=1001",
                                       "tol=1e-6 max-iter=1017"};
  double before = INFINITY;
  int cut = 0;
  for (int k = 0; k < 3; k++) {
    SlipGenerate options = generate_defaults("random");
    Physical found;
    options.contacts = 120;
    options.dimension = 3;
    options.mu = 1e6;
    options.seed = seed;
    SlipProblem *problem = generate_with("random", &options, NULL);
    Solved solved = solve_with(problem, "auto", limits[k], NULL);
    bool is_solved = solved.outcome == SLIP_SOLVED;
    assert_int_equal(physical_check(problem, solved.r, 0, &found), 0);
    assert_true(found.total <= 2 * before); /* the measures are alike, not the same */
    if (is_solved)
      assert_true(found.total <= 1e-5);
    else
      assert_true(solved.error >= 0.1 * found.total);
    cut += k > 0 && !is_solved;
    before = fmin(before, found.total);
    free(found.of_contact);
    free(solved.r);
    slip_problem_free(problem);
  }
  return cut;
}

/* A limit that strikes on the way from little friction: the result is no worse than what a trial
 * had found before, and its error is not that of the folded laws, which may be solved by then.
 * Where the way is at its end sooner, which rounding decides, what is SOLVED is a solution. */
static void test_cut_short(void **state) {
  int cut = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++)
    cut += cut_short(seed);
  assert_true(cut >= 2);
}

/* Products with W of large problems end at once when a limit has struck, but for those that tell
 * of the result. */
static void test_time_is_up(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("wall");
  options.contacts = 1500;
  options.dimension = 2;
  options.mu = 1e3;
  SlipProblem *problem = generate_with("wall", &options, NULL);
  Solved solved = solve_with(problem, "auto", "tol=1e-8 time-limit=3", NULL);
  assert_true(solved.outcome == SLIP_TIME_LIMIT || solved.outcome == SLIP_SOLVED);
  assert_true(solved.error <= 1);
  free(solved.r);
  slip_problem_free(problem);
}

/* Laws that the curve is not made for are left as they are. */
static void test_other_laws(void **state) {
  Case c;
  bool arrived = true;
  double r[30] = {0}, mu[10];
  (void)state;
  open_case(&c, generate_mixed("random", 10, 3));
  assert_int_equal(c.run.nc, 10);
  for (int k = 0; k < 10; k++)
    mu[k] = 1e3;
  assert_int_equal(slipi_ramp(&c.run, mu, &c.arena, r, &arrived, NULL), SLIP_OK);
  assert_false(arrived);
  arrived = true;
  assert_int_equal(slipi_ramp_from_stuck(&c.run, mu, &c.arena, r, &arrived, NULL), SLIP_OK);
  assert_false(arrived);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivatives),    cmocka_unit_test(test_pulled),
      cmocka_unit_test(test_stuck),          cmocka_unit_test(test_no_way_back),
      cmocka_unit_test(test_rough_problems), cmocka_unit_test(test_cut_short),
      cmocka_unit_test(test_time_is_up),     cmocka_unit_test(test_other_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
