/* The driver: life cycle, outcomes, limits, trace, determinism, truthful results. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/slipcone.h>

#include "data.h"
#include "reference.h"

static SlipProblem *generate(const char *kind, int32_t contacts) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  SlipError error;
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.contacts = contacts;
  if (slip_generate(kind, &options, &problem, NULL, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return problem;
}

static SlipSolver *make_solver(const SlipProblem *problem, const char *method, ...) {
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  va_list args;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  va_start(args, method);
  for (const char *name; (name = va_arg(args, const char *));) {
    if (slip_settings_set(settings, name, va_arg(args, const char *), &error) != SLIP_OK)
      fail_msg("%s", error.text);
  }
  va_end(args);
  if (slip_solver_create(problem, settings, &solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  slip_settings_free(settings);
  return solver;
}

static const SlipResult *run(SlipSolver *solver) {
  SlipError error;
  if (slip_solver_run(solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return slip_solver_result(solver);
}

static void test_result_tells_the_truth(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "deficient-global", "unsymmetric", NULL};
  for (int k = 0; kinds[k]; k++) {
    SlipProblem *problem = generate(kinds[k], 30);
    SlipSolver *solver = make_solver(problem, NULL, "tol", "1e-6", NULL);
    assert_int_equal(slip_solver_result(solver)->outcome, SLIP_NOT_RUN);
    const SlipResult *result = run(solver);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    double reference = reference_error(problem, result->r);
    assert_true(result->residual <= 1e-6);
    assert_true(fabs(reference - result->residual) <= 1e-10 * reference + 1e-15);
    double again, *each = calloc(30, sizeof *each), sum = 0;
    assert_int_equal(slip_problem_residual(problem, result->r, &again, each, NULL), SLIP_OK);
    assert_true(fabs(again - result->residual) <= 1e-8 * again + 1e-15);
    for (int c = 0; c < 30; c++) {
      assert_true(fabs(each[c] - result->contact_residual[c]) < 1e-12);
      sum += each[c] * each[c];
    }
    assert_true(fabs(sqrt(sum) - again) < 1e-12);
    assert_int_equal(result->open + result->stick + result->slip, 30);
    assert_true(fabs(result->gap) < 1e-4);
    assert_int_equal(result->v != NULL, slip_problem_form(problem) == SLIP_FORM_GLOBAL);
    assert_true(result->seconds >= 0);
    assert_non_null(strstr(result->reason, "at most"));
    free(each);
    slip_solver_free(solver);
    slip_problem_free(problem);
  }
}

/* The statuses of a problem built from known statuses come out again. */
static void test_statuses(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  double *r;
  slip_generate_defaults("random", &options, NULL);
  options.contacts = 60;
  assert_int_equal(slip_generate("random", &options, &problem, &r, NULL), SLIP_OK);
  SlipSolver *solver = make_solver(problem, NULL, "tol", "1e-12", NULL);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  int d = slip_problem_dimension(problem), count[3] = {0};
  for (int c = 0; c < 60; c++) {
    const double *x = r + (ptrdiff_t)c * d;
    double tangent = d == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
    SlipContactStatus expected = x[0] == 0                                  ? SLIP_CONTACT_OPEN
                                 : tangent < (1 - 1e-9) * options.mu * x[0] ? SLIP_CONTACT_STICK
                                                                            : SLIP_CONTACT_SLIP;
    assert_int_equal(result->status[c], expected);
    count[expected]++;
  }
  assert_int_equal(result->open, count[SLIP_CONTACT_OPEN]);
  assert_int_equal(result->stick, count[SLIP_CONTACT_STICK]);
  assert_int_equal(result->slip, count[SLIP_CONTACT_SLIP]);
  assert_true(count[0] > 0 && count[1] > 0 && count[2] > 0);
  slip_generate_free_r(r);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static void test_warm_start_stops_at_once(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 40);
  SlipSolver *solver = make_solver(problem, NULL, "tol", "1e-9", NULL);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  int64_t cold = result->iterations;
  assert_true(cold > 1);
  double *r = malloc(120 * sizeof *r);
  memcpy(r, result->r, 120 * sizeof *r);
  assert_int_equal(slip_solver_warm_start(solver, r, NULL), SLIP_OK);
  result = run(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_int_equal(result->iterations, 0);
  assert_memory_equal(result->r, r, 120 * sizeof *r);
  result = run(solver); /* a warm start is for one run */
  assert_int_equal(result->iterations, cold);
  r[7] = NAN;
  assert_int_equal(slip_solver_warm_start(solver, r, NULL), SLIP_ERROR_PROBLEM);
  free(r);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* Methods that begin inside the cones leave a warm start behind: that is no divergence. And a start
 * of which no error can be had leaves a result that agrees with itself. */
/* Where no contact closes, r = 0 is the result of every method, and the same solver takes up what
 * comes next: another q, another W. */
static void test_bodies_come_apart(void **state) {
  (void)state;
  static const char *const methods[] = {NULL, "nsgs", "alm", "soclcp-nsgs", NULL};
  SlipProblem *closing = generate("random", 6), *problem;
  SlipLocalData data = slip_default_local_data();
  double q[18], other[18], W[18 * 18];
  assert_int_equal(slip_problem_local_data(closing, &data, NULL), SLIP_OK);
  for (int k = 0; k < 18; k++) {
    q[k] = data.q[k];
    other[k] = k % 3 == 0 ? 0.1 * k : k % 5;
  }
  for (int64_t k = 0; k < data.W.nnz; k++)
    W[k] = 2 * data.W.x[k];
  data.q = other;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  data.W.x = W;
  for (int k = 0; k < 4; k++) {
    SlipSolver *solver = make_solver(problem, methods[k], "tol", "1e-9", NULL);
    const SlipResult *result = run(solver);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    if (k < 3) { /* slipping contacts push apart in the relaxed law */
      assert_int_equal(result->open, 6);
      assert_int_equal(result->iterations, 0);
      assert_int_equal(result->trace_count, 1);
      assert_true(result->residual == 0 && result->floor > 0 && result->floor < 1e-14);
      assert_true(result->trace[0].residual == 0 && result->trace[0].iteration == 0);
      assert_memory_equal(result->u, other, sizeof other);
    }
    assert_int_equal(slip_solver_update(solver, UPDATE(.W = &data.W), NULL), SLIP_OK);
    assert_int_equal(slip_solver_update(solver, UPDATE(.q = q), NULL), SLIP_OK);
    result = run(solver);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    assert_true(result->iterations > 0 && result->open < 6 && result->trace_count > 1);
    double r[18];
    memcpy(r, result->r, sizeof r);
    for (int j = 0; k < 3 && j < 18; j++) {
      double sum = q[j];
      for (int32_t e = data.W.p[j]; e < data.W.p[j + 1]; e++)
        sum += W[e] * r[data.W.i[e]];
      assert_true(fabs(sum - result->u[j]) < 1e-12);
    }
    assert_int_equal(slip_solver_update(solver, UPDATE(.q = other), NULL), SLIP_OK);
    assert_int_equal(slip_solver_warm_start(solver, r, NULL), SLIP_OK);
    assert_int_equal(run(solver)->outcome, SLIP_SOLVED);
    result = run(solver);
    assert_true(result->outcome == SLIP_SOLVED && (k == 3 || result->iterations == 0));
    slip_solver_free(solver);
  }
  slip_problem_free(problem);
  slip_problem_free(closing);
}

static void test_far_from_the_start(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 40);
  SlipSolver *solver = make_solver(problem, "alm", "tol", "1e-13", NULL);
  const SlipResult *result = run(solver);
  double r[120], u[120];
  memcpy(r, result->r, sizeof r);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  slip_solver_free(solver);
  solver = make_solver(problem, "ipm", "tol", "0", NULL);
  assert_int_equal(slip_solver_warm_start(solver, r, NULL), SLIP_OK);
  assert_int_not_equal(run(solver)->outcome, SLIP_DIVERGED);
  for (int k = 0; k < 120; k++)
    r[k] = k % 2 ? 1e150 : -1e150;
  assert_int_equal(slip_solver_warm_start(solver, r, NULL), SLIP_OK);
  result = run(solver);
  assert_int_equal(slip_problem_velocity(problem, result->r, u, NULL, NULL), SLIP_OK);
  for (int k = 0; k < 120; k++)
    assert_true(fabs(result->u[k] - u[k]) <= 1e-12 * (1 + fabs(u[k])));
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* Below the floor there is nothing to gain, and the result says so. */
static void test_rounding_floor(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "deficient-global", NULL};
  static const char *const methods[] = {"nsgs", "auto", "alm", NULL};
  for (int k = 0; kinds[k]; k++) {
    SlipProblem *problem = generate(kinds[k], 30);
    for (int j = 0; methods[j]; j++) {
      SlipSolver *solver = make_solver(problem, methods[j], "tol", "1e-18", NULL);
      const SlipResult *result = run(solver);
      if (result->outcome != SLIP_SOLVED) { /* an error of 0 may happen */
        assert_int_equal(result->outcome, SLIP_STALLED);
        assert_true(result->residual <= result->floor);
        assert_non_null(strstr(result->reason, "rounding floor"));
      }
      assert_true(result->floor > 1e-17 && result->floor < 1e-13);
      assert_true(result->iterations < 20000);
      slip_solver_free(solver);
    }
    slip_problem_free(problem);
  }
}

/* As its formula has it. */
static void test_floor_is_the_products(void **state) {
  (void)state;
  const double W[] = {1, 0, -1e-6, 0, 0, 1, 0, 0, -1e-6, 0, 1, 0, 0, 0, 0, 1};
  const double q[] = {-3, 0.5, -4, 0.25}, mu[] = {0.5, 0.5};
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 2,
                                  .W = {.layout = SLIP_DENSE, .rows = 4, .cols = 4, .x = W}, .q = q,
                                  .laws = LAWS(.mu = mu));
  SlipProblem *problem;
  assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
  SlipSolver *solver = make_solver(problem, "nsgs", "tol", "1e-10", NULL);
  const SlipResult *result = run(solver);
  double square = 0, scale = 0;
  for (int i = 0; i < 4; i++) {
    double sum = fabs(q[i]) + fabs(result->r[i]);
    for (int k = 0; k < 4; k++)
      sum += fabs(W[4 * k + i] * result->r[k]); /* by columns */
    square += sum * sum;
    scale += q[i] * q[i];
  }
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_true(fabs(result->floor / (DBL_EPSILON * sqrt(square / scale)) - 1) < 1e-12);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* An updated solver gives the bits of a fresh one. */
static void check_update(const char *kind) {
  SlipProblem *problem = generate(kind, 25);
  int global = slip_problem_form(problem) == SLIP_FORM_GLOBAL;
  int m = slip_problem_dimension(problem) * 25, dof = slip_problem_dof(problem);
  double *x = malloc((size_t)m * sizeof *x), *f = malloc((size_t)(dof + 1) * sizeof *f);
  double mu[25];
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData data = slip_default_global_data();
  if (global)
    slip_problem_global_data(problem, &data, NULL);
  else
    slip_problem_local_data(problem, &local, NULL);
  for (int k = 0; k < m; k++)
    x[k] = (global ? data.w[k] : local.q[k]) * 1.25 - 0.01;
  for (int k = 0; k < dof; k++)
    f[k] = data.f[k] * 0.5;
  for (int k = 0; k < 25; k++)
    mu[k] = 0.1 + 0.02 * k;
  SlipUpdate update = *UPDATE(.mu = mu);
  SlipProblem *fresh_problem;
  if (global) {
    update.w = data.w = x;
    update.f = data.f = f;
    data.laws = LAWS(.mu = mu);
    assert_int_equal(slip_problem_create_global(&data, &fresh_problem, NULL), SLIP_OK);
  } else {
    update.q = local.q = x;
    local.laws = LAWS(.mu = mu);
    assert_int_equal(slip_problem_create_local(&local, &fresh_problem, NULL), SLIP_OK);
  }
  SlipSolver *solver = make_solver(problem, NULL, "tol", "1e-7", NULL);
  SlipSolver *fresh = make_solver(fresh_problem, NULL, "tol", "1e-7", NULL);
  run(solver);
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_NOT_RUN);
  const SlipResult *a = run(solver), *b = run(fresh);
  assert_int_equal(a->outcome, b->outcome);
  assert_int_equal(a->iterations, b->iterations);
  assert_memory_equal(a->r, b->r, (size_t)m * sizeof(double));
  assert_true(a->residual == b->residual);
  slip_solver_free(solver);
  slip_solver_free(fresh);
  slip_problem_free(problem);
  slip_problem_free(fresh_problem);
  free(x);
  free(f);
}

static void test_update(void **state) {
  (void)state;
  check_update("random");
  check_update("deficient-global");
}

static void test_update_defects(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 3);
  SlipSolver *solver = make_solver(problem, NULL, NULL);
  double bad[9] = {0}, mu[] = {0.5, -1, 0.5};
  SlipError error;
  SlipUpdate update = *UPDATE(.mu = mu);
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_PROBLEM);
  assert_non_null(strstr(error.text, "mu[1] is -1"));
  bad[4] = INFINITY;
  update = *UPDATE(.q = bad);
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_PROBLEM);
  update = *UPDATE(.w = bad);
  assert_int_equal(slip_solver_update(solver, &update, &error), SLIP_ERROR_ARGUMENT);
  /* nothing was taken over */
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_true(reference_error(problem, result->r) <= 1e-6);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static void test_limits(void **state) {
  (void)state;
  SlipProblem *problem = generate("deficient", 60);
  SlipSolver *solver = make_solver(problem, NULL, "tol", "0", "max-iter", "7", NULL);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_MAX_ITER);
  assert_int_equal(result->iterations, 7);
  assert_true(isfinite(result->residual) && result->residual > 0);
  assert_true(fabs(reference_error(problem, result->r) - result->residual) <
              1e-10 * result->residual);
  assert_non_null(strstr(result->reason, "7 iterations"));
  slip_solver_free(solver);
  solver = make_solver(problem, NULL, "tol", "0", "time-limit", "0", NULL);
  result = run(solver);
  assert_int_equal(result->outcome, SLIP_TIME_LIMIT);
  slip_solver_free(solver);
  solver = make_solver(problem, NULL, "tol", "0", "max-iter", "0", NULL);
  result = run(solver);
  assert_int_equal(result->outcome, SLIP_MAX_ITER);
  assert_int_equal(result->iterations, 0);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static int stop_at_three(const SlipProgress *progress, void *user) {
  *(int64_t *)user = progress->iteration;
  return progress->iteration >= 3;
}

static void test_interrupt(void **state) {
  (void)state;
  SlipProblem *problem = generate("deficient", 60);
  SlipSolver *solver = make_solver(problem, NULL, "tol", "1e-14", NULL);
  int64_t last = 0;
  slip_solver_set_progress(solver, stop_at_three, &last);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_INTERRUPTED);
  assert_int_equal(result->iterations, 3);
  assert_int_equal(last, 3);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* With omega this large the sweeps blow up: said as such, with the best point kept. */
static void test_divergence_is_told(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 20);
  SlipSolver *solver = make_solver(problem, "psor", "omega", "9", NULL);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_DIVERGED);
  assert_true(isfinite(result->residual));
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static void test_stall_is_told(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 10);
  SlipSolver *solver = make_solver(problem, NULL, "tol", "0", NULL);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_STALLED);
  assert_true(result->residual < 1e-13);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static void test_trace_is_thinned(void **state) {
  (void)state;
  SlipProblem *problem = generate("deficient", 60);
  SlipSolver *solver = make_solver(problem, "nsgs", "tol", "0", "max-iter", "500", "trace", "8",
                                   "error-every", "1", NULL);
  const SlipResult *result = run(solver);
  assert_true(result->trace_count > 3 && result->trace_count <= 8);
  assert_int_equal(result->trace[0].iteration, 0);
  for (int k = 1; k < result->trace_count; k++) {
    assert_true(result->trace[k].iteration > result->trace[k - 1].iteration);
    assert_true(result->trace[k].seconds >= result->trace[k - 1].seconds);
    assert_true(isfinite(result->trace[k].residual));
  }
  assert_true(result->trace[result->trace_count - 1].iteration > 200);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static void test_same_bits_for_any_threads(void **state) {
  (void)state;
  static const char *const operators[] = {"dense", "block", NULL};
  SlipProblem *problem = generate("random", 50);
  for (int k = 0; operators[k]; k++) {
    SlipSolver *one = make_solver(problem, NULL, "operator", operators[k], "threads", "1", NULL);
    SlipSolver *two = make_solver(problem, NULL, "operator", operators[k], "threads", "2", NULL);
    const SlipResult *a = run(one), *b = run(two);
    assert_int_equal(a->iterations, b->iterations);
    assert_true(a->residual == b->residual);
    assert_memory_equal(a->r, b->r, 150 * sizeof(double));
    slip_solver_free(one);
    slip_solver_free(two);
  }
  slip_problem_free(problem);
}

static void test_solve_in_one_call(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 5);
  double r[15], u[15], check[15];
  SlipOutcome outcome;
  assert_int_equal(slip_solve(problem, 1e-10, r, u, &outcome, NULL), SLIP_OK);
  assert_int_equal(outcome, SLIP_SOLVED);
  assert_true(reference_error(problem, r) <= 1.01e-10);
  assert_int_equal(reference_velocity(problem, r, check), 0);
  for (int k = 0; k < 15; k++)
    assert_true(fabs(u[k] - check[k]) < 1e-12);
  assert_int_equal(slip_solve(problem, -1, r, u, &outcome, NULL), SLIP_ERROR_ARGUMENT);
  assert_int_equal(outcome, SLIP_NOT_RUN);
  assert_int_equal(slip_solve(problem, 1e-4, NULL, NULL, &outcome, NULL), SLIP_OK);
  slip_problem_free(problem);
}

/* A pile at rest: all that is left of u is the error of the solution, which must not decide what
 * contacts that carry the pile are called. */
static void test_statuses_at_rest(void **state) {
  (void)state;
  SlipProblem *problem = generate("pile", 45);
  const char *tols[] = {"1e-9", "1e-12"};
  for (size_t k = 0; k < sizeof tols / sizeof tols[0]; k++) {
    SlipSolver *solver = make_solver(problem, "auto", "tol", tols[k], NULL);
    SlipError error;
    assert_int_equal(slip_solver_run(solver, &error), SLIP_OK);
    const SlipResult *result = slip_solver_result(solver);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    assert_int_equal(result->stick, slip_problem_contacts(problem));
    slip_solver_free(solver);
  }
  slip_problem_free(problem);
}

static void test_no_contacts(void **state) {
  (void)state;
  SlipProblem *problem = generate("random", 0);
  SlipSolver *solver = make_solver(problem, NULL, NULL);
  const SlipResult *result = run(solver);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_true(result->residual == 0);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

static void test_settings_and_mismatches(void **state) {
  (void)state;
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  double value;
  assert_int_equal(slip_settings_create("nosuch", &settings, &error), SLIP_ERROR_ARGUMENT);
  assert_null(settings);
  assert_non_null(strstr(error.text, "'nosuch'"));
  assert_int_equal(slip_settings_create("nsgs", &settings, &error), SLIP_OK);
  assert_string_equal(slip_settings_method(settings), "nsgs");
  assert_int_equal(slip_settings_set(settings, "omega", "1", &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "'omega'"));
  assert_int_equal(slip_settings_set(settings, "tol", "-1", &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_settings_set_real(settings, "tol", NAN, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_settings_set_real(settings, "tol", 1e-3, &error), SLIP_OK);
  assert_int_equal(slip_settings_get_real(settings, "tol", &value, NULL), SLIP_OK);
  assert_true(value == 1e-3);
  assert_int_equal(slip_settings_set(settings, "operator", "velocity", &error), SLIP_OK);
  SlipProblem *local = generate("random", 3), *global = generate("deficient-global", 6);
  assert_int_equal(slip_solver_create(local, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_null(solver);
  assert_int_equal(slip_settings_set(settings, "operator", "factored", &error), SLIP_OK);
  assert_int_equal(slip_solver_create(global, settings, &solver, &error), SLIP_ERROR_MISMATCH);
  assert_non_null(strstr(error.text, "nsgs needs the rows"));
  slip_problem_free(local);
  slip_problem_free(global);
  slip_settings_free(settings);
}

/* Every table is consistent with itself: the defaults are in range, names are unique. */
static void test_tables(void **state) {
  (void)state;
  assert_true(slip_method_count() >= 2);
  assert_null(slip_method_info(-1));
  assert_null(slip_method_info(slip_method_count()));
  for (int k = 0; k < slip_method_count(); k++) {
    const SlipMethodInfo *info = slip_method_info(k);
    SlipSettings *settings;
    assert_ptr_equal(slip_method_find(info->name), info);
    assert_int_equal(slip_settings_create(info->name, &settings, NULL), SLIP_OK);
    int common;
    const SlipOptionInfo *options = slip_common_options(&common);
    for (int j = 0; j < info->option_count + common; j++) {
      const SlipOptionInfo *o = j < common ? &options[j] : &info->options[j - common];
      SlipError error;
      if (slip_settings_set(settings, o->name, o->initial, &error) != SLIP_OK)
        fail_msg("%s: %s", info->name, error.text);
      assert_true(strlen(o->help) > 3);
      for (int i = 0; i < j; i++) {
        const SlipOptionInfo *other = i < common ? &options[i] : &info->options[i - common];
        assert_string_not_equal(o->name, other->name);
      }
    }
    slip_settings_free(settings);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_result_tells_the_truth),
      cmocka_unit_test(test_statuses),
      cmocka_unit_test(test_warm_start_stops_at_once),
      cmocka_unit_test(test_bodies_come_apart),
      cmocka_unit_test(test_far_from_the_start),
      cmocka_unit_test(test_rounding_floor),
      cmocka_unit_test(test_floor_is_the_products),
      cmocka_unit_test(test_update),
      cmocka_unit_test(test_update_defects),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_divergence_is_told),
      cmocka_unit_test(test_stall_is_told),
      cmocka_unit_test(test_trace_is_thinned),
      cmocka_unit_test(test_same_bits_for_any_threads),
      cmocka_unit_test(test_solve_in_one_call),
      cmocka_unit_test(test_statuses_at_rest),
      cmocka_unit_test(test_no_contacts),
      cmocka_unit_test(test_settings_and_mismatches),
      cmocka_unit_test(test_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
