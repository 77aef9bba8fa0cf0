/* Built-in problems: known solutions against the independent residual, spectra against LAPACK,
 * shapes, determinism and refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lapacke.h>

#include "gen/bodies.h"
#include "reference.h"

static SlipProblem *generate(const char *kind, const SlipGenerate *options, double **r) {
  SlipProblem *problem;
  SlipError error;
  if (slip_generate(kind, options, &problem, r, &error) != SLIP_OK)
    fail_msg("%s: %s", kind, error.text);
  return problem;
}

static SlipGenerate defaults(const char *kind) {
  SlipGenerate options = slip_default_generate();
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  return options;
}

/* Singular values of W in descending order; caller frees. */
static double *singular_values(const SlipProblem *problem, int *count) {
  int m = slip_problem_dimension(problem) * slip_problem_contacts(problem);
  double *W = malloc((size_t)m * (size_t)m * sizeof *W), *s = malloc((size_t)m * sizeof *s);
  double unused;
  assert_non_null(W);
  assert_non_null(s);
  assert_int_equal(reference_dense(problem, W), 0);
  assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, m, W, m, s, &unused, 1, &unused, 1), 0);
  free(W);
  *count = m;
  return s;
}

/* Statuses of a known solution, told from r and u alone. */
static void count_statuses(const SlipProblem *problem, const double *r, int counts[3]) {
  int d = slip_problem_dimension(problem), nc = slip_problem_contacts(problem);
  double *u = malloc((size_t)(d * nc) * sizeof *u + 1);
  assert_non_null(u);
  assert_int_equal(reference_velocity(problem, r, u), 0);
  for (int a = 0; a < nc; a++) {
    double speed = 0, push = 0;
    for (int k = 0; k < d; k++) {
      speed += fabs(u[d * a + k]);
      push += fabs(r[d * a + k]);
    }
    counts[push == 0 ? SLIP_CONTACT_OPEN : speed < 1e-8 ? SLIP_CONTACT_STICK : SLIP_CONTACT_SLIP]++;
  }
  free(u);
}

static void check_known(const char *kind, int contacts, int d, uint64_t seed) {
  SlipGenerate options = defaults(kind);
  options.contacts = contacts;
  options.dimension = d;
  options.seed = seed;
  double *r;
  SlipProblem *problem = generate(kind, &options, &r);
  assert_non_null(r);
  assert_int_equal(slip_problem_contacts(problem), contacts);
  assert_int_equal(slip_problem_dimension(problem), d);
  double error = reference_error(problem, r);
  if (!(error < 1e-14))
    fail_msg("%s, %d contacts in %dD: error %g", kind, contacts, d, error);
  int counts[3] = {0};
  count_statuses(problem, r, counts);
  if (contacts >= 40)
    for (int k = 0; k < 3; k++)
      assert_true(counts[k] >= 8);
  slip_generate_free_r(r);
  slip_problem_free(problem);
}

static void test_known_solutions(void **state) {
  (void)state;
  static const int contacts[] = {1, 2, 3, 4, 5, 7, 40};
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    for (size_t n = 0; info->known_solution && n < sizeof contacts / sizeof *contacts; n++)
      for (int d = 2; d <= 3; d++)
        check_known(info->name, contacts[n], d, 17 + n);
  }
}

/* The residual is not blind: a solution that is touched is none. */
static void test_touched_solution(void **state) {
  (void)state;
  double *r;
  SlipProblem *problem = generate("random", NULL, &r);
  r[4] += 1e-3;
  assert_true(reference_error(problem, r) > 1e-6);
  slip_generate_free_r(r);
  slip_problem_free(problem);
}

static void test_friction_extremes(void **state) {
  (void)state;
  static const double mu[] = {0, 1e-8, 1e3};
  for (size_t k = 0; k < 3; k++) {
    SlipGenerate options = defaults("random");
    options.mu = mu[k];
    double *r;
    SlipProblem *problem = generate("random", &options, &r);
    /* g(u) multiplies the rounding of u by mu. */
    assert_true(reference_error(problem, r) < 1e-14 * (1 + mu[k]));
    slip_generate_free_r(r);
    slip_problem_free(problem);
  }
}

static void test_condition(void **state) {
  (void)state;
  static const char *const kinds[] = {"random",    "ill",    "dense",
                                      "bilateral", "joints", "frictionless"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int d = 2; d <= 3; d++) {
      SlipGenerate options = defaults(kinds[k]);
      options.contacts = 50;
      options.dimension = d;
      if (k != 1)
        options.condition = 1e5;
      SlipProblem *problem = generate(kinds[k], &options, NULL);
      int m;
      double *s = singular_values(problem, &m);
      assert_true(fabs(s[0] - 1) < 1e-12);
      /* The smallest value is known to the rounding of W, eps |W|. */
      assert_true(fabs(s[m - 1] - 1 / options.condition) < 1e-14);
      free(s);
      slip_problem_free(problem);
    }
}

static void test_rank(void **state) {
  (void)state;
  static const char *const kinds[] = {"deficient", "deficient-global"};
  for (int k = 0; k < 2; k++)
    for (int d = 2; d <= 3; d++) {
      SlipGenerate options = defaults(kinds[k]);
      options.contacts = 48;
      options.dimension = d;
      SlipProblem *problem = generate(kinds[k], &options, NULL);
      int m, rank = 0;
      double *s = singular_values(problem, &m);
      while (rank < m && s[rank] > 1e-13 * s[0])
        rank++;
      assert_int_equal(rank, m / 2);
      assert_true(s[rank - 1] > 1e-6 * s[0]);
      free(s);
      slip_problem_free(problem);
    }
}

/* |W - W'| over |W|. */
static double asymmetry(const SlipProblem *problem) {
  size_t m = (size_t)slip_problem_dimension(problem) * (size_t)slip_problem_contacts(problem);
  double *W = malloc(m * m * sizeof *W), difference = 0, norm = 0;
  assert_non_null(W);
  assert_int_equal(reference_dense(problem, W), 0);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      double x = W[i * m + j] - W[j * m + i];
      difference += x * x;
      norm += W[i * m + j] * W[i * m + j];
    }
  free(W);
  return sqrt(difference / norm);
}

static void test_symmetry(void **state) {
  (void)state;
  static const char *const symmetric[] = {"random", "ill", "deficient", "dense", "one"};
  for (size_t k = 0; k < sizeof symmetric / sizeof *symmetric; k++) {
    SlipProblem *problem = generate(symmetric[k], NULL, NULL);
    assert_true(asymmetry(problem) == 0);
    slip_problem_free(problem);
  }
  SlipProblem *problem = generate("unsymmetric", NULL, NULL);
  assert_true(asymmetry(problem) > 0.05);
  slip_problem_free(problem);
}

static void test_laws(void **state) {
  (void)state;
  SlipLocalData data = slip_default_local_data();
  SlipProblem *problem = generate("frictionless", NULL, NULL);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  for (int a = 0; a < data.contacts; a++)
    assert_true(data.laws->kind[a] == SLIP_FRICTIONLESS && data.laws->mu[a] == 0);
  slip_problem_free(problem);
  problem = generate("bilateral", NULL, NULL);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  int bilateral = 0;
  for (int a = 0; a < data.contacts; a++)
    bilateral += data.laws->kind[a] == SLIP_BILATERAL;
  assert_int_equal(bilateral, data.contacts / 4);
  slip_problem_free(problem);
  problem = generate("joints", NULL, NULL);
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  int seen = 0;
  for (int a = 0; a < data.contacts; a += 4)
    seen |= 1 << data.laws->bound[a];
  assert_int_equal(seen, 0xfe); /* every subset that is not empty */
  slip_problem_free(problem);
}

/* Sparse kinds stay sparse: entries grow with the contacts. */
static void test_sparse(void **state) {
  (void)state;
  SlipGenerate options = defaults("random");
  options.contacts = 3000;
  SlipProblem *problem = generate("random", &options, NULL);
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  double blocks = (double)data.W.nnz / 9 / options.contacts;
  assert_true(blocks > 8 && blocks <= 12);
  slip_problem_free(problem);
}

/* ---- Bodies ------------------------------------------------------------------------------ */

static SlipGlobalData global(const SlipProblem *problem) {
  SlipGlobalData data = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(problem, &data, NULL), SLIP_OK);
  return data;
}

/* u = H' v of what a contact's columns hold. */
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
        SlipGenerate options = defaults(cases[c].kind);
        options.dimension = d;
        options.contacts = wanted;
        SlipProblem *problem = generate(cases[c].kind, &options, NULL);
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
      SlipGenerate options = defaults(kinds[c]);
      options.dimension = d;
      SlipProblem *problem = generate(kinds[c], &options, NULL);
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
    SlipGenerate options = defaults("slope");
    options.contacts = 1;
    options.dimension = d;
    options.seed = seed;
    SlipProblem *problem = generate("slope", &options, NULL);
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
    SlipGenerate options = defaults("stack");
    options.contacts = 1;
    options.dimension = d;
    SlipProblem *problem = generate("stack", &options, NULL);
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
  SlipGenerate options = defaults("pile");
  options.contacts = 20000;
  SlipProblem *problem = generate("pile", &options, NULL);
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
  SlipGenerate options = defaults("elastic");
  options.contacts = 7;
  options.dimension = 2;
  SlipProblem *problem = generate("elastic", &options, NULL);
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

/* ---- Sameness and refusals --------------------------------------------------------------- */

static int same_vector(const double *a, const double *b, int64_t n) {
  return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static int same_matrix(const SlipMatrix *a, const SlipMatrix *b) {
  return a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz &&
         memcmp(a->p, b->p, ((size_t)a->rows + 1) * sizeof *a->p) == 0 &&
         memcmp(a->i, b->i, (size_t)a->nnz * sizeof *a->i) == 0 && same_vector(a->x, b->x, a->nnz);
}

static int same_problem(const SlipProblem *a, const SlipProblem *b) {
  int64_t m = (int64_t)slip_problem_dimension(a) * slip_problem_contacts(a);
  if (m != (int64_t)slip_problem_dimension(b) * slip_problem_contacts(b))
    return 0;
  if (slip_problem_form(a) == SLIP_FORM_LOCAL) {
    SlipLocalData x = slip_default_local_data();
    SlipLocalData y = slip_default_local_data();
    assert_int_equal(slip_problem_local_data(a, &x, NULL), SLIP_OK);
    assert_int_equal(slip_problem_local_data(b, &y, NULL), SLIP_OK);
    return same_matrix(&x.W, &y.W) && same_vector(x.q, y.q, m) &&
           same_vector(x.laws->mu, y.laws->mu, x.contacts);
  }
  SlipGlobalData x = slip_default_global_data();
  SlipGlobalData y = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(a, &x, NULL), SLIP_OK);
  assert_int_equal(slip_problem_global_data(b, &y, NULL), SLIP_OK);
  return same_matrix(&x.M, &y.M) && same_matrix(&x.H, &y.H) && same_vector(x.f, y.f, x.M.rows) &&
         same_vector(x.w, y.w, m) && same_vector(x.laws->mu, y.laws->mu, x.contacts);
}

static void test_determinism(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++) {
    const char *kind = slip_generate_info(k)->name;
    SlipGenerate options = defaults(kind);
    SlipProblem *a = generate(kind, &options, NULL), *b = generate(kind, NULL, NULL);
    assert_true(same_problem(a, b));
    slip_problem_free(b);
    static const char *const fixed[] = {"one",     "painleve", "painleve-up",
                                        "crushed", "walls",    "drum"};
    bool random = true;
    for (size_t f = 0; f < sizeof fixed / sizeof fixed[0]; f++)
      random = random && strcmp(kind, fixed[f]) != 0;
    if (random) {
      options.seed++;
      b = generate(kind, &options, NULL);
      if (same_problem(a, b))
        fail_msg("kind %s does not heed its seed", kind);
      slip_problem_free(b);
    }
    slip_problem_free(a);
  }
}

static void test_empty(void **state) {
  (void)state;
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    SlipGenerate options = defaults(info->name);
    options.contacts = 0;
    double *r;
    SlipProblem *problem;
    SlipStatus status = slip_generate(info->name, &options, &problem, &r, NULL);
    assert_int_equal(status, info->known_solution ? SLIP_OK : SLIP_ERROR_ARGUMENT);
    if (status == SLIP_OK)
      assert_int_equal(slip_problem_contacts(problem), 0);
    else
      assert_null(problem);
    slip_generate_free_r(r);
    slip_problem_free(problem);
  }
}

static void test_one(void **state) {
  (void)state;
  SlipProblem *problem = generate("one", NULL, NULL);
  static const double printed[3] = {10.2059, 1.93189, 5.8108};
  /* Six printed digits leave |W| |r| 1e-5 / |q|. */
  assert_true(reference_error(problem, printed) < 1e-4);
  slip_problem_free(problem);
}

static void refuse(const char *kind, const SlipGenerate *options, const char *words) {
  double place;
  double *r = &place;
  SlipProblem *problem = (SlipProblem *)&place;
  SlipError error;
  assert_int_equal(slip_generate(kind, options, &problem, &r, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(error.status, SLIP_ERROR_ARGUMENT);
  assert_null(problem);
  assert_null(r);
  if (!strstr(error.text, words))
    fail_msg("'%s' does not say '%s'", error.text, words);
}

static void test_refused_sizes(void **state) {
  (void)state;
  SlipGenerate good = defaults("random"), bad;
  refuse("heap", NULL, "there is no kind 'heap'; the kinds are random, ill, ");
  refuse(NULL, NULL, "NULL");
  bad = good, bad.contacts = -3;
  refuse("random", &bad, "-3");
  bad = good, bad.contacts = INT32_MAX;
  refuse("random", &bad, "2147483647 contacts are too many");
  bad = good, bad.contacts = 100000000;
  refuse("random", &bad, "100000000 contacts");
  bad = good, bad.contacts = 20000;
  refuse("dense", &bad, "20000 contacts");
  bad = good, bad.dimension = 4;
  refuse("random", &bad, "not 4");
  bad = good, bad.angle = 0.1;
  refuse("random", &bad, "kind random has no angle: leave it 0, not 0.1");
  bad = defaults("drum"), bad.gravity = -1;
  refuse("drum", &bad, "kind drum has no gravity: leave it 0, not -1");
  bad = defaults("painleve"), bad.speed = NAN;
  refuse("painleve", &bad, "the speed is a number, not nan");
  bad = defaults("painleve"), bad.dimension = 3;
  refuse("painleve", &bad, "kind painleve exists in dimension 2 only");
  bad = defaults("one"), bad.contacts = 2;
  refuse("one", &bad, "one contact, not 2");
  bad = defaults("one"), bad.dimension = 2;
  refuse("one", &bad, "dimension 3 only");
}

static void test_refused_numbers(void **state) {
  (void)state;
  SlipGenerate good = defaults("random"), bad;
  bad = good, bad.mu = -0.25;
  refuse("random", &bad, "not -0.25");
  bad = good, bad.mu = NAN;
  refuse("random", &bad, "nan");
  bad = good, bad.mu = INFINITY;
  refuse("random", &bad, "not inf");
  bad = good, bad.condition = 0.5;
  refuse("ill", &bad, "not 0.5");
  bad = good, bad.condition = NAN;
  refuse("ill", &bad, "nan");
  refuse("frictionless", &good, "mu = 0, not 0.5");
  refuse("deficient-global", &good, "does not choose the condition");
  assert_int_equal(slip_generate("random", NULL, NULL, NULL, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_generate_defaults("random", NULL, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_generate_defaults("heap", &bad, NULL), SLIP_ERROR_ARGUMENT);
}

static void test_table(void **state) {
  (void)state;
  assert_null(slip_generate_info(-1));
  assert_null(slip_generate_info(slip_generate_count()));
  for (int k = 0; k < slip_generate_count(); k++) {
    const SlipGenerateInfo *info = slip_generate_info(k);
    assert_true(strlen(info->name) > 0 && strlen(info->summary) > 10);
    for (int j = 0; j < k; j++)
      assert_string_not_equal(info->name, slip_generate_info(j)->name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_solutions),
      cmocka_unit_test(test_touched_solution),
      cmocka_unit_test(test_friction_extremes),
      cmocka_unit_test(test_condition),
      cmocka_unit_test(test_rank),
      cmocka_unit_test(test_symmetry),
      cmocka_unit_test(test_laws),
      cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_translation),
      cmocka_unit_test(test_touch),
      cmocka_unit_test(test_rolling_sphere),
      cmocka_unit_test(test_single_box),
      cmocka_unit_test(test_pile),
      cmocka_unit_test(test_elastic_energy),
      cmocka_unit_test(test_determinism),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_one),
      cmocka_unit_test(test_refused_sizes),
      cmocka_unit_test(test_refused_numbers),
      cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
