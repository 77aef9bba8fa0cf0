/* Points that are mended to solutions: a contact known by hand, rough problems from r = 0, and the
 * side to which a curve is followed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>

#include "linalg/vector.h"
#include "methods/common_mend.h"
#include "methods/common_mend_near.h"
#include "path_case.h"
#include "physical.h"
#include "solving.h"

/* W of one contact, q and the mu of its law. */
static void open_contact(Case *c, const double *W, const double *q, double mu) {
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  laws.mu = &mu;
  data.dimension = 3;
  data.contacts = 1;
  data.W = slip_dense(3, 3, W);
  data.q = q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  open_case(c, problem);
}

/* One contact on W = 1, pressed with 1 and pulled with 30: with mu it slides, r = (1, mu), up to
 * 30, from where on it sticks with r = (1, 30). From points of every status. */
static void test_pulled(void **state) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, -30, 0};
  static const double mu[] = {10, 29, 31, 1e3, 1e6};
  static const double start[][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 30}, {-5, 2, 1}, {100, 30, 0}};
  (void)state;
  for (size_t k = 0; k < sizeof mu / sizeof mu[0]; k++) {
    for (size_t n = 0; n < sizeof start / sizeof start[0]; n++) {
      Case c;
      double r[3];
      bool arrived;
      memcpy(r, start[n], sizeof r);
      open_contact(&c, W, q, 1);
      assert_int_equal(slipi_mend(&c.run, &mu[k], &c.arena, r, &arrived, NULL), SLIP_OK);
      assert_true(arrived);
      assert_true(fabs(r[0] - 1) < 1e-5);
      assert_true(fabs(r[1] - fmin(mu[k], 30)) < 1e-4 && fabs(r[2]) < 1e-4);
      close_case(&c);
    }
  }
}

/* Pressing pulls this contact along, and friction presses it down: with mu = 2 it may be open, may
 * slide with r = (1/8, 1/4) or may stick, and the sliding one in between has the other orientation.
 * From a point near that the shorter way leads to it, and the one of orientation 1 to sticking. */
static void test_sides(void **state) {
  const double W[9] = {1, -0.9, 0, -0.9, 1, 0, 0, 0, 1}, q[3] = {0.1, -1, 0}, mu = 2;
  static const SlipiPathStatus ends[] = {SLIPI_PATH_STICK, SLIPI_PATH_SLIDE};
  (void)state;
  for (int direction = 0; direction < 2; direction++) {
    Case c;
    SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
    bool arrived;
    open_contact(&c, W, q, mu);
    assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
    slipi_path_roughen(&path, &c.run, &mu);
    path.in_turn[0] = true;
    path.weight_first[0] = path.weight_last[0] = 1e-3;
    slipi_scaled_to(path.scaled, (double[3]){0.2, 0.4, 0}, path.r);
    slipi_path_settle(&path);
    assert_int_equal(path.status[0], SLIPI_PATH_SLIDE);
    memcpy(path.r_1, path.r, 3 * sizeof *path.r_1);
    assert_int_equal(slipi_path_follow(&path, direction, 100, &arrived, NULL), SLIP_OK);
    assert_true(arrived);
    assert_int_equal(path.status[0], ends[direction]);
    close_case(&c);
  }
}

/* Rough problems from r = 0. The tests' own checker judges. */
static void test_from_zero(void **state) {
  static const double mu[] = {1e3, 1e6};
  (void)state;
  for (int n = 0; n < 8; n++) {
    SlipGenerate options = generate_defaults("random");
    Physical found;
    Case c;
    bool arrived;
    options.contacts = 40;
    options.seed = (uint64_t)(n / 4 + 1);
    options.dimension = n % 2 ? 2 : 3;
    options.mu = mu[n / 2 % 2];
    open_case(&c, generate_with("random", &options, NULL));
    double *r = calloc((size_t)c.run.m, sizeof *r), *all = malloc(40 * sizeof *all);
    for (int k = 0; k < 40; k++)
      all[k] = options.mu;
    assert_int_equal(slipi_mend(&c.run, all, &c.arena, r, &arrived, NULL), SLIP_OK);
    if (!arrived)
      fail_msg("problem %d", n);
    assert_int_equal(physical_check(c.problem, r, 0, &found), 0);
    if (!(found.total <= 1e-10)) /* polished, far below the tolerance of the run */
      fail_msg("problem %d: %g", n, found.total);
    free(found.of_contact);
    free(all);
    free(r);
    close_case(&c);
  }
}

/* A pile of rough contacts with impulses only; the caller frees mu. */
static double *open_pile(Case *c, int contacts, int dimension, double rough) {
  SlipGenerate options = generate_defaults("pile");
  options.contacts = contacts;
  options.dimension = dimension;
  options.mu = rough;
  SlipProblem *pile = generate_with("pile", &options, NULL), *local;
  assert_int_equal(slip_problem_reduce(pile, &local, NULL), SLIP_OK);
  slip_problem_free(pile);
  open_case(c, local);
  double *mu = malloc((size_t)c->run.nc * sizeof *mu);
  for (int32_t a = 0; a < c->run.nc; a++)
    mu[a] = rough;
  return mu;
}

/* The path is at r = 0, and `near` has room for its parts. */
static void open_near(Case *c, const double *mu, SlipiPath *path, SlipiMendNear *near) {
  assert_int_equal(slipi_path_create(&c->run, &c->arena, path, NULL), SLIP_OK);
  assert_int_equal(slipi_mend_near_create(&c->run, mu, &c->arena, near, NULL), SLIP_OK);
  slipi_path_roughen(path, &c->run, mu);
  slipi_path_settle(path);
}

/* Among neighbours offsets get smaller, and the point stays an exact solution with those it has. */
static void test_near(void **state) {
  (void)state;
  for (int d = 2; d <= 3; d++) {
    Case c;
    SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
    SlipiMendNear near = {.run = NULL};
    SlipiRandom random;
    double *mu = open_pile(&c, 80, d, 1e3);
    slipi_random_seed(&random, 1);
    open_near(&c, mu, &path, &near);
    double before = slipi_norm(path.c, path.m);
    assert_int_equal(slipi_mend_near(&near, &path, &random, NULL), SLIP_OK);
    assert_true(slipi_norm(path.c, path.m) < 0.1 * before);
    memset(path.in_turn, 0, (size_t)path.nc * sizeof *path.in_turn);
    assert_true(slipi_path_evaluate(&path) < 1e-8 * (1 + slipi_norm(path.r, path.m)));
    slipi_mend_near_destroy(&near);
    free(mu);
    close_case(&c);
  }
}

/* What parts leave to others and how far they move contacts away from ties can be told: offsets
 * then fall below those they leave else. */
static void test_small(void **state) {
  Case c;
  SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
  SlipiMendNear near = {.run = NULL};
  SlipiRandom random;
  (void)state;
  double *mu = open_pile(&c, 80, 3, 1e3);
  slipi_random_seed(&random, 1);
  open_near(&c, mu, &path, &near);
  assert_true(near.small == SLIPI_MEND_SMALL && path.apart == SLIPI_PATH_APART);
  assert_int_equal(slipi_mend_near(&near, &path, &random, NULL), SLIP_OK);
  double before = slipi_norm(path.c, path.m);
  near.small = 1e-3 * SLIPI_MEND_SMALL;
  path.apart = 1e-4 * SLIPI_PATH_APART;
  assert_int_equal(slipi_mend_near(&near, &path, &random, NULL), SLIP_OK);
  assert_true(before > 0 && slipi_norm(path.c, path.m) < 0.1 * before);
  slipi_mend_near_destroy(&near);
  free(mu);
  close_case(&c);
}

static SlipOutcome count_down(void *user, double ahead) {
  int *left = user;
  (void)ahead;
  return --*left > 0 ? SLIP_NOT_RUN : SLIP_INTERRUPTED;
}

static double measure(const Case *c, const double *r) {
  Physical found;
  assert_int_equal(physical_check(c->problem, r, 0, &found), 0);
  free(found.of_contact);
  return found.total;
}

/* Mend a pile from r = 0 until asked so many times; returns the measure of r then. */
static double mend_until(int asks, int *left, bool *arrived, double *start) {
  Case c;
  double *mu = open_pile(&c, 250, 3, 1e3);
  double *r = calloc(3 * (size_t)c.run.nc, sizeof *r);
  *start = measure(&c, r);
  *left = asks;
  c.run.stop = (SlipiStop){count_down, left};
  SlipStatus status = slipi_mend(&c.run, mu, &c.arena, r, arrived, NULL);
  assert_true(status == SLIP_OK || *left <= 0);
  double end = measure(&c, r);
  free(r);
  free(mu);
  close_case(&c);
  return end;
}

/* A limit that strikes while a point is mended leaves what has been gained by then. */
static void test_stopped(void **state) {
  enum { MANY = 1000000 };
  static const double shares[] = {0.8, 0.9, 0.95};
  double best = INFINITY, start;
  int left;
  bool arrived;
  (void)state;
  assert_true(mend_until(MANY, &left, &arrived, &start) < 1e-5);
  assert_true(arrived);
  int asked_in_all = MANY - left;
  for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++) {
    double end = mend_until((int)(shares[k] * asked_in_all), &left, &arrived, &start);
    assert_true(left <= 0);
    best = arrived ? best : fmin(best, end);
  }
  assert_true(best < 0.5 * start);
}

/* By way of a solution with mu 1e3 to one with more; of few contacts, or with no more friction, r
 * stays. */
static void test_by_less(void **state) {
  static const struct {
    int contacts;
    double mu;
    bool led;
  } rows[] = {{250, 1e6, true}, {250, 1e3, false}, {80, 1e6, false}};
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    Case c;
    bool arrived;
    double *mu = open_pile(&c, rows[k].contacts, 3, rows[k].mu);
    double *r = calloc(3 * (size_t)c.run.nc, sizeof *r);
    for (int32_t a = 0; a < c.run.nc; a++)
      r[3 * a] = 0.1;
    assert_int_equal(slipi_mend_by_less(&c.run, mu, &c.arena, r, &arrived, NULL), SLIP_OK);
    assert_int_equal(arrived, rows[k].led);
    if (arrived)
      assert_true(measure(&c, r) < 1e-6);
    for (int32_t i = 0; !arrived && i < 3 * c.run.nc; i++)
      assert_true(r[i] == (i % 3 == 0 ? 0.1 : 0));
    free(r);
    free(mu);
    close_case(&c);
  }
}

/* A curve that is cut short is left at its point with the least offsets, which is exact: for those
 * offsets, added up here. */
static void test_least(void **state) {
  (void)state;
  for (int steps = 1; steps <= 6; steps++) {
    Case c;
    SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
    double mu[40], square = 0;
    bool arrived;
    SlipGenerate options = generate_defaults("random");
    options.contacts = 40;
    options.mu = 1e3;
    open_case(&c, generate_with("random", &options, NULL));
    for (int k = 0; k < 40; k++)
      mu[k] = 1e3;
    assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
    slipi_path_roughen(&path, &c.run, mu);
    slipi_path_settle(&path);
    double before = slipi_norm(path.c, path.m);
    for (int k = 0; k < 40; k++) {
      path.in_turn[k] = true;
      path.weight_first[k] = path.weight_last[k] = 0.5;
    }
    memcpy(path.r_1, path.r, (size_t)path.m * sizeof *path.r);
    assert_int_equal(slipi_path_follow(&path, 1, steps, &arrived, NULL), SLIP_OK);
    assert_false(arrived);
    assert_int_equal(path.steps, steps);
    slipi_path_go_to_least(&path);
    assert_true(slipi_path_evaluate(&path) < 1e-8 * (1 + slipi_norm(path.r, path.m)));
    assert_true(path.offset <= before);
    double *u = malloc((size_t)path.m * sizeof *u);
    slipi_scaled_velocity(path.scaled, path.r, u);
    for (int32_t k = 0; k < path.m; k++)
      square += (path.u[k] - u[k]) * (path.u[k] - u[k]);
    assert_true(fabs(sqrt(square) - path.offset_least) <= 1e-9 * before);
    free(u);
    close_case(&c);
  }
}

static double distance(const double *x, const double *y, int32_t n) {
  double square = 0;
  for (int32_t k = 0; k < n; k++)
    square += (x[k] - y[k]) * (x[k] - y[k]);
  return sqrt(square);
}

/* A curve may come back to where it began, and would go on for ever: the step that comes by there
 * is its last one. */
static void test_loop(void **state) {
  enum { COUNT = 40, STEPS = 2000 };
  Case c;
  SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
  double mu[COUNT], r[3 * COUNT];
  bool arrived;
  SlipGenerate options = generate_defaults("random");
  (void)state;
  options.contacts = COUNT;
  options.seed = 44;
  options.mu = 1e3;
  open_case(&c, generate_with("random", &options, NULL));
  for (int k = 0; k < COUNT; k++)
    mu[k] = 1e3;
  assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
  slipi_path_roughen(&path, &c.run, mu);
  memcpy(path.kappa, path.least, sizeof mu);
  for (int32_t k = 0; k < path.m; k++)
    path.r[k] = k % 3 == 0 ? 1 : sin(k * 44.0);
  slipi_path_settle(&path);
  for (int k = 0; k < COUNT; k++) {
    path.in_turn[k] = true;
    path.weight_first[k] = 1e-2;
    path.weight_last[k] = 1e-3;
  }
  memcpy(path.r_1, path.r, sizeof r);
  memcpy(r, path.r, sizeof r);
  assert_int_equal(slipi_path_follow(&path, 0, STEPS, &arrived, NULL), SLIP_OK);
  assert_false(arrived);
  assert_in_range(path.steps, 10, 100);
  double step = distance(path.r_before, path.r, path.m);
  double ways = distance(path.r_before, r, path.m) + distance(r, path.r, path.m);
  assert_true(path.p > 0 && ways <= 1.01 * step);
  close_case(&c);
}

static int solves;
static SlipStatus answer(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                         bool *arrived, SlipError *error) {
  (void)arena;
  (void)error;
  assert_int_equal(run->nc, 1);
  assert_true(mu[0] == 1e3);
  r[0] = 0.25;
  r[1] = r[2] = 0;
  *arrived = true;
  solves++;
  return SLIP_OK;
}

/* A contact without any solution (sticking would need r_N + r_T = 1 and = -1), so that no curve
 * arrives: its part is begun anew, and the point is what that says, exact for the offsets it has.
 */
static void test_anew(void **state) {
  const double W[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, q[3] = {-1, 1, 0}, mu = 1e3;
  Case c;
  SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
  SlipiMendNear near = {.solve = answer};
  SlipiRandom random;
  double r[3];
  (void)state;
  solves = 0;
  slipi_random_seed(&random, 1);
  open_contact(&c, W, q, mu);
  assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
  assert_int_equal(slipi_mend_near_create(&c.run, &mu, &c.arena, &near, NULL), SLIP_OK);
  slipi_path_roughen(&path, &c.run, &mu);
  slipi_scaled_to(path.scaled, (double[3]){0.1, 0.1, 0}, path.r);
  slipi_path_settle(&path);
  assert_int_equal(slipi_mend_near(&near, &path, &random, NULL), SLIP_OK);
  assert_true(solves > 0 && near.anew == solves);
  slipi_scaled_back(path.scaled, path.r, r);
  assert_true(fabs(r[0] - 0.25) < 1e-6 && fabs(r[1]) < 1e-6 && fabs(r[2]) < 1e-6);
  path.in_turn[0] = false;
  assert_true(slipi_path_evaluate(&path) < 1e-8);
  slipi_mend_near_destroy(&near);
  close_case(&c);
}

/* Contacts that impulses press further down: no solution, not even with compliance. The caller
 * frees W and q. */
static void open_unsolvable(Case *c, int count, double **W, double **q, double *mu) {
  const double W_1[9] = {-1, 0, 0, 0, 2, 0, 0, 0, 2}, q_1[3] = {-1, 1, 0};
  ptrdiff_t m = 3 * (ptrdiff_t)count;
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  *W = calloc((size_t)(m * m), sizeof **W);
  *q = calloc((size_t)m, sizeof **q);
  for (ptrdiff_t a = 0; a < count; a++) {
    for (int k = 0; k < 9; k++)
      (*W)[(3 * a + k / 3) * m + 3 * a + k % 3] = W_1[k];
    memcpy(*q + 3 * a, q_1, sizeof q_1);
    mu[a] = 1e3;
  }
  laws.mu = mu;
  data.dimension = 3;
  data.contacts = count;
  data.W = slip_dense((int32_t)m, (int32_t)m, *W);
  data.q = *q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  open_case(c, problem);
}

static SlipStatus refuse(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                         bool *arrived, SlipError *error) {
  (void)run, (void)mu, (void)arena, (void)r, (void)error;
  *arrived = false;
  solves++;
  return SLIP_OK;
}

/* Where parts of a size are not solved, more and more of them are passed over: of six contacts
 * the first and third are tried, with each of the two sizes. */
static void test_passed_over(void **state) {
  enum { COUNT = 6 };
  Case c;
  SlipiPath path = {.alone = -1, .parameter = SLIPI_PATH_PORTION, .target = 1};
  SlipiMendNear near = {.solve = refuse};
  SlipiRandom random;
  double mu[COUNT], r[3 * COUNT], *W, *q;
  (void)state;
  solves = 0;
  slipi_random_seed(&random, 1);
  open_unsolvable(&c, COUNT, &W, &q, mu);
  assert_int_equal(slipi_path_create(&c.run, &c.arena, &path, NULL), SLIP_OK);
  assert_int_equal(slipi_mend_near_create(&c.run, mu, &c.arena, &near, NULL), SLIP_OK);
  slipi_path_roughen(&path, &c.run, mu);
  for (int k = 0; k < 3 * COUNT; k++)
    r[k] = k % 3 < 2 ? 0.1 : 0;
  slipi_scaled_to(path.scaled, r, path.r);
  slipi_path_settle(&path);
  assert_int_equal(slipi_mend_near(&near, &path, &random, NULL), SLIP_OK);
  assert_int_equal(solves, 4);
  slipi_mend_near_destroy(&near);
  close_case(&c);
  free(W);
  free(q);
}

static int asked;
static SlipOutcome count(void *user, double ahead) {
  (void)user, (void)ahead;
  asked++;
  return SLIP_NOT_RUN;
}

/* Curves get longer after each round that has failed: where there is no solution to be found from a
 * start, the last rounds would take nearly all of the time of the next ones. */
static void test_given_up(void **state) {
  enum { COUNT = 6 };
  Case c;
  double mu[COUNT], r[3 * COUNT], *W, *q;
  bool arrived;
  (void)state;
  asked = 0;
  open_unsolvable(&c, COUNT, &W, &q, mu);
  for (int k = 0; k < 3 * COUNT; k++)
    r[k] = k % 3 < 2 ? 0.1 : 0;
  c.run.stop = (SlipiStop){count, NULL};
  assert_int_equal(slipi_mend(&c.run, mu, &c.arena, r, &arrived, NULL), SLIP_OK);
  assert_false(arrived);
  assert_in_range(asked, 1, 25000);
  close_case(&c);
  free(W);
  free(q);
}

/* Contacts that are pressed onto W = 1, and one between walls: it may be open, and all but sticks
 * with any impulses along (1, 1), which grow for ever where curves are to make up for what is
 * missing. Rounds stall there; begun anew it is open. */
static void test_wedged(void **state) {
  enum { COUNT = 200, M = 3 * COUNT };
  const double wedge[9] = {1, -1, 0, -1, 1, 0, 0, 0, 1}, missing = 1e-5;
  double *W = calloc((size_t)M * M, sizeof *W), *q = calloc(M, sizeof *q);
  double *r = calloc(M, sizeof *r), mu[COUNT];
  SlipLocalData data = slip_default_local_data();
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  Physical found;
  Case c;
  bool arrived;
  (void)state;
  for (int k = 0; k < M; k++)
    W[k * M + k] = 1;
  for (int k = 0; k < 9; k++)
    W[k / 3 * M + k % 3] = wedge[k];
  for (int a = 0; a < COUNT; a++) {
    q[3 * (ptrdiff_t)a] = a == 0 ? 0.1 : -1;
    r[3 * (ptrdiff_t)a] = 1;
    mu[a] = 1e3;
  }
  q[1] = -0.1 - missing;
  r[1] = 1.1;
  laws.mu = mu;
  data.dimension = 3;
  data.contacts = COUNT;
  data.W = slip_dense(M, M, W);
  data.q = q;
  data.laws = &laws;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  open_case(&c, problem);
  assert_int_equal(slipi_mend(&c.run, mu, &c.arena, r, &arrived, NULL), SLIP_OK);
  assert_true(arrived);
  assert_true(fabs(r[0]) < 1e-5 && fabs(r[1]) < 1e-5);
  /* From r = 0 a brief try leaves so many contacts to other starts at once. */
  double *zero = calloc(M, sizeof *zero);
  assert_int_equal(slipi_mend_briefly(&c.run, mu, &c.arena, zero, &arrived, NULL), SLIP_OK);
  assert_false(arrived);
  assert_int_equal(slipi_mend(&c.run, mu, &c.arena, zero, &arrived, NULL), SLIP_OK);
  assert_true(arrived);
  free(zero);
  assert_int_equal(physical_check(c.problem, r, 0, &found), 0);
  assert_true(found.total <= 1e-5);
  free(found.of_contact);
  close_case(&c);
  free(W);
  free(q);
  free(r);
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
  assert_int_equal(slipi_mend(&c.run, mu, &c.arena, r, &arrived, NULL), SLIP_OK);
  assert_false(arrived);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pulled),      cmocka_unit_test(test_sides),
      cmocka_unit_test(test_from_zero),   cmocka_unit_test(test_near),
      cmocka_unit_test(test_least),       cmocka_unit_test(test_loop),
      cmocka_unit_test(test_anew),        cmocka_unit_test(test_given_up),
      cmocka_unit_test(test_passed_over), cmocka_unit_test(test_wedged),
      cmocka_unit_test(test_other_laws),  cmocka_unit_test(test_by_less),
      cmocka_unit_test(test_small),       cmocka_unit_test(test_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
