/* Contacts that resist rolling and spinning: solutions known by construction by every method that
 * takes them, refusals by the others, what one contact bears, limits, units, bad data, the
 * existence check. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/check.h>
#include <slipcone/io.h>

#include "base/random.h"
#include "compare.h"
#include "contact/onecontact_rolling.h"
#include "contact/rolling.h"
#include "data.h"
#include "h5_edit.h"
#include "law_case.h"
#include "reference.h"
#include "rolling_pile.h"
#include "small_files.h"
#include "solving.h"
#include "units_case.h"

static const LawCase cases[] = {
    {.law = SLIP_ROLLING, .mu = 0.4, .rolling = 0.3},
    {.law = SLIP_ROLLING, .mu = 0.4, .rolling = 0.3, .spinning = 0.2},
    {.law = SLIP_ROLLING, .mu = 0.8, .rolling = 0.05, .spinning = 0.5, .compliant = 1},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void test_every_method(void **state) {
  (void)state;
  for (int k = 0; k < CASES; k++)
    law_case_by_all(&cases[k], k % 2 ? "joints" : "random", 12, 50);
}

static void test_auto(void **state) {
  (void)state;
  law_cases_by_auto(cases, CASES);
  for (int c = 0; c < CASES; c++)
    law_case_by_auto(&cases[c], "ill", 60);
}

static void test_refusals(void **state) {
  (void)state;
  double *known;
  int refused = 0;
  SlipProblem *problem = law_case(&cases[0], "random", 6, 3, &known);
  const SlipMethodInfo *method;
  for (int k = 0; (method = slip_method_info(k)); k++) {
    if (slip_method_takes_law(method, SLIP_ROLLING, SLIP_FLOW_COULOMB))
      continue;
    SlipSettings *settings;
    SlipSolver *solver;
    SlipError error;
    assert_int_equal(slip_settings_create(method->name, &settings, NULL), SLIP_OK);
    assert_int_equal(slip_solver_create(problem, settings, &solver, &error), SLIP_ERROR_MISMATCH);
    assert_non_null(strstr(error.text, "contact 1, whose law is rolling"));
    slip_settings_free(settings);
    refused++;
  }
  assert_true(refused > 20);
  free(known);
  slip_problem_free(problem);
}

/* Newton's own systems know nothing of the coupling: they are refused, not ignored. */
static void test_newton_systems(void **state) {
  (void)state;
  double *known;
  SlipProblem *problem = law_case(&cases[0], "random", 6, 3, &known);
  SlipSettings *settings;
  SlipSolver *solver;
  assert_int_equal(slip_settings_create("nsn-nm-gp", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "linear", "dense", NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_ERROR_MISMATCH);
  slip_settings_free(settings);
  free(known);
  slip_problem_free(problem);
}

/* ---- One contact ---- */

/* W = I, with the impulse and moments that are borne under q. */
static void bear(const SlipLaws *laws, const double q[6], const char *method, double r[6],
                 int32_t status[2]) {
  static const double W[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                               0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
  SlipLocalData data =
      LOCAL_DATA(.dimension = 3, .contacts = 2, .W = slip_dense(6, 6, W), .q = q, .laws = laws);
  SlipProblem *problem;
  SlipSolver *solver;
  SlipSettings *settings;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", "1e-12", NULL), SLIP_OK);
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_true(fabs(result->gap) < 1e-10);
  memcpy(r, result->r, 6 * sizeof *r);
  memcpy(status, result->status, 2 * sizeof *status);
  slip_solver_free(solver);
  slip_problem_free(problem);
  slip_settings_free(settings);
}

static void expect_borne(const SlipLaws *laws, const double q[6], const double r[6],
                         int32_t contact, int32_t moments) {
  static const char *const methods[] = {"auto",      "nsgs",      "fp-vi-upk",
                                        "eg-vi-upk", "nsn-nm-gp", "alm"};
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
    double found[6];
    int32_t status[2];
    bear(laws, q, methods[k], found, status);
    for (int c = 0; c < 6; c++)
      assert_float_equal(found[c], r[c], 1e-10);
    assert_int_equal(status[0], contact);
    assert_int_equal(status[1], moments);
  }
}

static void test_one_contact(void **state) {
  (void)state;
  const double mu[2] = {0.5, 0.2}, spinning[2] = {0, 0.1}, cohesion[2] = {2, 0};
  const int32_t kind[2] = {SLIP_COULOMB, SLIP_ROLLING}, none[2] = {SLIP_FRICTIONLESS, SLIP_ROLLING};
  const int32_t wet[2] = {SLIP_COHESIVE, SLIP_ROLLING};
  const SlipLaws *dry = LAWS(.kind = kind, .mu = mu, .spinning = spinning);
  enum { OPEN = SLIP_CONTACT_OPEN, STICK = SLIP_CONTACT_STICK, SLIP = SLIP_CONTACT_SLIP };
  /* it comes apart, however it turns */
  expect_borne(dry, (const double[]){1, 2, 3, 4, 5, 6}, (const double[]){0, 0, 0, 0, 0, 0}, OPEN,
               OPEN);
  /* all is held */
  expect_borne(dry, (const double[]){-4, 1, 0, 0.3, 0.6, 0},
               (const double[]){4, -1, 0, -0.3, -0.6, 0}, STICK, STICK);
  /* it rolls, without sliding; the normal velocity is 0 and not mu_R |omega| */
  expect_borne(dry, (const double[]){-4, 1, 0, 0.3, 3, -4},
               (const double[]){4, -1, 0, -0.3, -0.48, 0.64}, STICK, SLIP);
  /* it spins and slides */
  expect_borne(dry, (const double[]){-4, 0, 5, -7, 0.1, 0},
               (const double[]){4, 0, -2, 0.4, -0.1, 0}, SLIP, SLIP);
  /* without spinning friction, and without any along the plane */
  expect_borne(LAWS(.kind = kind, .mu = mu), (const double[]){-4, 1, 0, 9, 0.6, 0},
               (const double[]){4, -1, 0, 0, -0.6, 0}, STICK, STICK);
  expect_borne(LAWS(.kind = none, .mu = mu), (const double[]){-4, 1, 0, 9, 3, -4},
               (const double[]){4, 0, 0, 0, -0.48, 0.64}, SLIP, SLIP);
  /* cohesion bounds moments too: mu_R (r_N + c) */
  expect_borne(LAWS(.kind = wet, .mu = mu, .cohesion = cohesion),
               (const double[]){1, 0, 0, 0, 3, -4}, (const double[]){-1, 0, 0, 0, -0.12, 0.16},
               STICK, SLIP);
}

/* ---- The solver of one contact, and the slope of its equations ---- */

static void test_slope(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 5);
  for (int trial = 0; trial < 1000; trial++) {
    SlipiLaw law = {.kind = SLIPI_ROLLING, .mu = 0.3, .cap = 0.2};
    double m[3], omega[3], K[9], plus[3], minus[3], h = 1e-6, n = 1 + slipi_random_unit(&random);
    double z[3];
    for (int k = 0; k < 3; k++) {
      m[k] = slipi_random_normal(&random);
      omega[k] = slipi_random_normal(&random);
      z[k] = m[k] - 0.7 * omega[k];
    }
    SlipiLaw here = slipi_rolling_under(law, n), more = slipi_rolling_under(law, n + h),
             less = slipi_rolling_under(law, n - h);
    slipi_rolling_slope(&here, 0.7, omega, m, K);
    slipi_law_project(&more, z, plus);
    slipi_law_project(&less, z, minus);
    if (fabs(hypot(z[1], z[2]) - here.radius) < 1e-4 || fabs(fabs(z[0]) - here.depth) < 1e-4)
      continue; /* a kink */
    for (int k = 0; k < 3; k++) {
      assert_float_equal(K[3 * k], -(plus[k] - minus[k]) / (2 * h), 1e-8);
      assert_true(K[3 * k + 1] == 0 && K[3 * k + 2] == 0);
    }
  }
}

/* The largest part of the natural map of both blocks. */
static double pair_error(const double W[36], const SlipiRolling *law, const double q[6],
                         const double r[6]) {
  double u[6], e[6], most = 0;
  for (int i = 0; i < 6; i++) {
    u[i] = q[i];
    for (int k = 0; k < 6; k++)
      u[i] += W[6 * i + k] * r[k];
  }
  slipi_rolling_natural_map(law, 1, u, r, e);
  for (int k = 0; k < 6; k++)
    most = fmax(most, fabs(e[k]));
  return most;
}

/* Random W, of moments in units of their own. */
static void test_pair_solver(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 6);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  for (int trial = 0; trial < 2000; trial++) {
    SlipiRollingContact both = {.W = {0}};
    double A[36], q[6], r[6] = {0}, block[2][9], unit = trial % 2 ? 1 : 100;
    for (int k = 0; k < 36; k++)
      A[k] = slipi_random_normal(&random);
    for (int k = 0; k < 36; k++) {
      int i = k / 6, j = k % 6;
      both.W[k] = i == j ? 0.3 : 0;
      for (int l = 0; l < 6; l++)
        both.W[k] += A[6 * i + l] * A[6 * j + l];
      both.W[k] *= (i < 3 ? 1 : unit) * (j < 3 ? 1 : unit);
      if (i / 3 == j / 3)
        block[i / 3][3 * (i % 3) + j % 3] = both.W[k];
    }
    for (int k = 0; k < 6; k++)
      q[k] = slipi_random_normal(&random) * (k < 3 ? 1 : unit) - (k == 0);
    SlipiLaw law[2] = {slipi_law(SLIP_COULOMB, 0.3),
                       {.kind = SLIPI_ROLLING, .mu = 0.2 / unit, .cap = 0.1 / unit}};
    SlipiOneContact contact, moments;
    slipi_one_contact_prepare(&contact, block[0], law[0]);
    slipi_one_contact_prepare(&moments, block[1], law[1]);
    slipi_rolling_prepare(&both, &contact, &moments);
    slipi_rolling_solve(&both, &contact, &moments, &rule, q, r);
    SlipiRolling set = slipi_rolling(&law[0], &law[1]);
    double error = pair_error(both.W, &set, q, r);
    if (!(error <= 1e-10 * unit))
      fail_msg("pair %d is not solved: %g", trial, error);
  }
}

/* Moments alone, under an impulse that is given. */
static void test_moments_solver(void **state) {
  (void)state;
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  const SlipiOneContactRule rule = {SLIPI_ONE_HYBRID, 1e-14, 100};
  for (int trial = 0; trial < 20000; trial++) {
    SlipiLaw law = {.kind = SLIPI_ROLLING, .mu = trial % 5 ? 0.3 : 0, .cap = trial % 7 ? 0.2 : 0};
    double A[9], W[9], q[3], r[3] = {0};
    for (int k = 0; k < 9; k++)
      A[k] = slipi_random_normal(&random);
    for (int k = 0; k < 9; k++) {
      int i = k / 3, j = k % 3;
      W[k] = (i == j ? 0.1 : 0) + A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] +
             A[3 * i + 2] * A[3 * j + 2];
      if (trial % 3 == 0) /* turns a little, as non-associated flow makes of it */
        W[k] += i < j ? 0.05 : i > j ? -0.05 : 0;
      else if (trial % 8 == 1) /* a sphere's: a multiple of I */
        W[k] = i == j ? 0.7 : 1e-17;
      else if (trial % 8 == 2 && (i == 0) != (j == 0)) /* spinning apart from rolling */
        W[k] = 0;
    }
    for (int k = 0; k < 3; k++)
      q[k] = slipi_random_normal(&random);
    law = slipi_rolling_under(law, fmax(0, slipi_random_between(&random, -0.5, 5)));
    SlipiOneContact one;
    slipi_one_contact_prepare(&one, W, law);
    slipi_one_contact_solve(&one, &rule, q, r);
    double error = slipi_one_contact_error(&one, q, r);
    if (!(error <= 1e-12))
      fail_msg("moments %d are not solved: %g", trial, error);
  }
}

/* A pile of spheres, or, with other moments of inertia, of bodies that only have their shape. */
static SlipProblem *joined_pile(bool spheres) {
  SlipGenerate options = generate_defaults("pile");
  SlipGlobalData data = slip_default_global_data();
  options.contacts = 120;
  SlipProblem *global = generate_with("pile", &options, NULL);
  assert_int_equal(slip_problem_global_data(global, &data, NULL), SLIP_OK);
  double *M = malloc((size_t)data.M.nnz * sizeof *M);
  assert_non_null(M);
  for (int32_t row = 0; row < data.M.rows; row++) {
    for (int32_t k = data.M.p[row]; k < data.M.p[row + 1]; k++)
      M[k] = data.M.x[k] * (spheres || row % 6 < 3 ? 1 : 1 + 0.2 * (row % 6));
  }
  data.M.x = M;
  SlipProblem *rolling = rolling_pile(&data);
  free(M);
  slip_problem_free(global);
  return rolling;
}

/* Sweeps over rigid bodies visit a contact and its moments in one go, those of spheres by
 * projections: the same impulses as block by block in W, and a solution by the independent
 * residual.
 */
static void check_joined_sweeps(SlipProblem *rolling) {
  SlipProblem *local;
  assert_int_equal(slip_problem_reduce(rolling, &local, NULL), SLIP_OK);
  static const char *const ways[] = {"max-iter=12", "max-iter=12 order=shuffle-each",
                                     "max-iter=12 local-solver=nsn-ac"};
  for (int k = 0; k < 3; k++) {
    Solved joined = solve_with(rolling, "nsgs", ways[k], NULL);
    Solved apart = solve_with(local, "nsgs", ways[k], NULL);
    double size = 0, most = 0;
    for (int32_t i = 0; i < 3 * slip_problem_contacts(local); i++) {
      size = fmax(size, fabs(apart.r[i]));
      most = fmax(most, fabs(apart.r[i] - joined.r[i]));
    }
    if (!(size > 0 && most <= 1e-10 * size))
      fail_msg("%s: impulses differ by %g of %g", ways[k], most, size);
    free(joined.r);
    free(apart.r);
  }
  expect_solved(rolling, "a pile", "nsgs-accelerated", "max-iter=2000 tol=1e-8", 1e-8);
  expect_solved(rolling, "a pile", "nsgs", "max-iter=20000 tol=1e-8", 1e-8);
  expect_solved(rolling, "a pile", "psor", "max-iter=20000 tol=1e-8 omega=1.1", 1e-8);
  slip_problem_free(local);
  slip_problem_free(rolling);
}

static void test_joined_sweeps(void **state) {
  (void)state;
  check_joined_sweeps(joined_pile(true));
  check_joined_sweeps(joined_pile(false));
}

/* ---- The rest ---- */

static void test_wrong(void **state) {
  (void)state;
  static const double W[36] = {0}, q[6] = {0}, mu[2] = {0.5, 0.2}, bad[2] = {0, -1};
  static const double radius[2] = {1, 1};
  static const int32_t alone[2] = {SLIP_ROLLING, SLIP_COULOMB},
                       twice[2] = {SLIP_ROLLING, SLIP_ROLLING};
  static const int32_t tresca[2] = {SLIP_TRESCA, SLIP_ROLLING},
                       good[2] = {SLIP_COULOMB, SLIP_ROLLING};
  static const int32_t flow[2] = {SLIP_FLOW_ASSOCIATED, 0};
  const struct {
    const SlipLaws *laws;
    const char *text;
  } wrong[] = {
      {LAWS(.kind = alone, .mu = mu),
       "contact 0 has the law rolling, and there is no contact before"},
      {LAWS(.kind = twice, .mu = mu), "contact 0 has the law rolling"},
      {LAWS(.kind = tresca, .mu = mu, .radius = radius),
       "contact 0 before it the law tresca, which has no rolling friction"},
      {LAWS(.kind = good, .mu = mu, .flow = flow), "contact 0 has the associated flow"},
      {LAWS(.kind = good, .mu = mu, .spinning = bad), "spinning[1] is -1"},
      {LAWS(.kind = good, .mu = bad), "mu[1] is -1"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 2, .W = slip_dense(6, 6, W), .q = q,
                                    .laws = wrong[k].laws);
    SlipProblem *problem;
    SlipError error;
    assert_int_equal(slip_problem_create_local(&data, &problem, &error), SLIP_ERROR_PROBLEM);
    if (!strstr(error.text, wrong[k].text))
      fail_msg("%s", error.text);
  }
}

static void test_units_and_files(void **state) {
  (void)state;
  for (int c = 0; c < CASES; c++) {
    double *known;
    SlipProblem *problem = law_case(&cases[c], "random", 20, 3, &known);
    SlipProblem *far = problem_in_units(problem, 0x1p-60, 0x1p130);
    expect_solved(far, "far-off units", "auto", "tol=1e-8", INFINITY);
    small_write("test_law_rolling.hdf5", WRITE(.problem = problem));
    SlipFile *file = small_read("test_law_rolling.hdf5", SLIP_WANT_ANY);
    assert_same_problem(file->problem, problem);
    slip_file_free(file);
    remove("test_law_rolling.hdf5");
    free(known);
    slip_problem_free(far);
    slip_problem_free(problem);
  }
}

/* ---- FCLIB's third form ---- */

/* Two balls on the ground, every contact with rolling friction: M and H of d = 3, or discs. */
static SlipProblem *balls(int d) {
  int n = d == 3 ? 6 : 3, dof = 2 * n, m = 4 * d;
  double M[144] = {0}, H[144] = {0}, f[12] = {0}, w[12] = {0};
  const double mu[4] = {0.5, 0.02, 0.3, 0.01};
  const int32_t kind[4] = {SLIP_COULOMB, SLIP_ROLLING, SLIP_COULOMB, SLIP_ROLLING};
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < n; k++)
      M[(dof + 1) * (n * b + k)] = k < d ? 2 : 0.05;
    f[n * b] = -2.0 - b;
    f[n * b + 1] = 0.7;
    f[n * b + n - 1] = 0.1;
    for (int c = 0; c < d; c++) {
      H[(2 * d * b + c) * dof + n * b + c] = 1; /* column-major */
      if (c > 0) {
        H[(2 * d * b + c) * dof + n * b + n - c] = c == 1 ? 0.2 : -0.2;
        H[(2 * d * b + d + c) * dof + n * b + n - c] = 1;
      }
    }
  }
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = d, .contacts = 4, .M = slip_dense(dof, dof, M),
                  .H = slip_dense(dof, m, H), .f = f, .w = w, .laws = LAWS(.kind = kind, .mu = mu));
  SlipProblem *problem;
  SlipError error;
  if (slip_problem_create_global(&data, &problem, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return problem;
}

static void test_fclib(void **state) {
  (void)state;
  const char *path = "test_law_rolling_5.hdf5";
  for (int d = 2; d <= 3; d++) {
    SlipProblem *problem = balls(d);
    SlipSolver *solver;
    assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
    assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
    const SlipResult *result = slip_solver_result(solver);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    assert_true(reference_error(problem, result->r) < 1e-8);
    SlipSolution solution = slip_default_solution();
    solution.dimension = d;
    solution.contacts = 4;
    solution.dof = slip_problem_dof(problem);
    solution.r = result->r;
    solution.u = result->u;
    solution.v = result->v;
    small_write(path, WRITE(.problem = problem, .solution = &solution));
    SlipFile *file = small_read(path, SLIP_WANT_ANY);
    assert_same_problem(file->problem, problem);
    assert_non_null(file->solution);
    for (int k = 0; k < 4 * d; k++)
      assert_true(file->solution->r[k] == result->r[k]);
    slip_file_free(file);
    slip_solver_free(solver);
    slip_problem_free(problem);
  }
  /* what the file must not say */
  h5_edit_ints(path, "fclib_global_rolling/spacedim", 1, (const int32_t[]){4});
  SlipFile *file;
  SlipError error;
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "spacedim is 4, expected 3 or 5"));
  h5_edit_ints(path, "fclib_global_rolling/spacedim", 1, (const int32_t[]){3});
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  h5_edit_ints(path, "fclib_global_rolling/spacedim", 1, (const int32_t[]){5});
  h5_edit_group(path, "fclib_global_rolling/G");
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "equality constraints beside rolling friction are not read"));
  remove(path);
}

/* The local form with five components; with a spin of its own it is told by the group of laws. */
static void test_fclib_local(void **state) {
  (void)state;
  const char *path = "test_law_rolling_local.hdf5";
  SlipProblem *global = balls(3), *problem;
  SlipFile *file;
  SlipError error;
  SlipSolver *solver;
  assert_int_equal(slip_problem_reduce(global, &problem, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(problem, NULL, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  SlipSolution solution = slip_default_solution();
  solution.dimension = 3;
  solution.contacts = 4;
  solution.r = result->r;
  solution.u = result->u;
  small_write(path, WRITE(.problem = problem, .solution = &solution));
  file = small_read(path, SLIP_WANT_ANY);
  assert_int_equal(slip_problem_contacts(file->problem), 4);
  assert_true(reference_error(file->problem, file->solution->r) < 1e-8);
  for (int k = 0; k < 12; k++)
    assert_true(file->solution->r[k] == result->r[k]);
  slip_file_free(file);
  h5_edit_reals(path, "fclib_local/vectors/mu_r", 1, (const double[]){0.1});
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "mu_r has 1 values, expected 2"));
  h5_edit_remove(path, "fclib_local/vectors/mu_r");
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  h5_edit_reals(path, "fclib_local/vectors/mu_r", 2, (const double[]){0.1, -1});
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_PROBLEM);
  h5_edit_group(path, "fclib_local/V");
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "equality constraints beside rolling friction are not read"));
  SlipLaws laws = *laws_of_problem(problem);
  laws.spinning = (const double[]){0, 0.1, 0, 0};
  SlipProblem *spinning = problem_with_laws(problem, &laws);
  small_write(path, WRITE(.problem = spinning));
  file = small_read(path, SLIP_WANT_ANY);
  assert_same_problem(file->problem, spinning);
  slip_file_free(file);
  slip_problem_free(spinning);
  slip_solver_free(solver);
  slip_problem_free(problem);
  slip_problem_free(global);
  remove(path);
}

static void test_check(void **state) {
  (void)state;
  double *known;
  SlipCheck *check;
  SlipProblem *problem = law_case(&cases[1], "random", 12, 3, &known);
  assert_int_equal(slip_check(problem, NULL, &check, NULL), SLIP_OK);
  assert_int_equal(check->answer, SLIP_ANSWER_YES);
  assert_true(reference_error(problem, check->found[0].r) < 1e-9);
  slip_check_free(check);
  free(known);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_method), cmocka_unit_test(test_auto),
      cmocka_unit_test(test_refusals),     cmocka_unit_test(test_newton_systems),
      cmocka_unit_test(test_one_contact),  cmocka_unit_test(test_slope),
      cmocka_unit_test(test_pair_solver),  cmocka_unit_test(test_moments_solver),
      cmocka_unit_test(test_wrong),        cmocka_unit_test(test_units_and_files),
      cmocka_unit_test(test_fclib),        cmocka_unit_test(test_fclib_local),
      cmocka_unit_test(test_check),        cmocka_unit_test(test_joined_sweeps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
