/* Every allocation in the life of a problem and its solver fails once: no leak, no crash, a clear
 * status, outputs NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/slipcone.h>

#include "alloc_wrap.h"
#include "data.h"

enum { CHAIN = 40, CONTACTS = 3, D = 3, M_SIZE = 3 * CHAIN - 2 };

/* Three contacts in 3D on a chain of masses: below `coupled` masses M is block-diagonal, from
 * there on it is factored by CHOLMOD, or UMFPACK when `skew` is not 0. */
typedef struct Chain {
  int dof;
  double skew;
  int cut;     /* masses before this one are coupled with those before it only */
  bool soft;   /* contacts have compliance */
  bool sticky; /* contacts have cohesion */
} Chain;

static int fill_mass(const Chain *chain, int32_t *p, int32_t *i, double *x) {
  int used = 0;
  for (int row = 0; row < chain->dof; row++) {
    p[row] = used;
    for (int column = row - 1; column <= row + 1; column++)
      if (column >= 0 && column < chain->dof && (column < chain->cut) == (row < chain->cut)) {
        i[used] = column;
        x[used++] = column == row ? 2 : -0.5 + chain->skew * (column - row);
      }
  }
  p[chain->dof] = used;
  return used;
}

static SlipStatus make_global(const Chain *chain, SlipProblem **problem, SlipError *error) {
  int32_t M_p[CHAIN + 1], M_i[M_SIZE];
  double M_x[M_SIZE], f[CHAIN], w[CONTACTS * D] = {0}, mu[CONTACTS] = {0.5, 0, 0.3};
  int nonzeros = fill_mass(chain, M_p, M_i, M_x);
  for (int k = 0; k < chain->dof; k++)
    f[k] = -1 - 0.1 * k;
  /* Contact a presses on dof 3a and slides along the next two; a duplicate is summed. */
  int32_t H_i[CONTACTS * D + 1], H_p[CONTACTS * D + 1];
  double H_x[CONTACTS * D + 1];
  for (int k = 0; k <= CONTACTS * D; k++) {
    H_i[k] = H_p[k] = k % (CONTACTS * D);
    H_x[k] = k == 0 || k == CONTACTS * D ? 0.5 : 1;
  }
  SlipGlobalData data =
      GLOBAL_DATA(.dimension = D, .contacts = CONTACTS, .f = f, .w = w, .laws = LAWS(.mu = mu));
  const int32_t sticky[CONTACTS] = {SLIP_COHESIVE, SLIP_COULOMB, SLIP_COHESIVE};
  const SlipLaws *cohesive = LAWS(.kind = sticky, .mu = mu, .cohesion = mu);
  if (chain->sticky)
    data.laws = cohesive;
  double C[CONTACTS * D * D] = {0};
  for (int k = 0; k < CONTACTS * D; k++)
    C[D * k + k % D] = 0.1;
  data.compliance = chain->soft ? C : NULL;
  data.M = (SlipMatrix){SLIP_CSR, chain->dof, chain->dof, nonzeros, M_p, M_i, M_x};
  data.H = (SlipMatrix){SLIP_TRIPLET, chain->dof, CONTACTS * D, CONTACTS * D + 1, H_p, H_i, H_x};
  return slip_problem_create_global(&data, problem, error);
}

static const double W_x[] = {2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2};
static const double q[] = {-1, 0.2, -1, -2}, new_q[] = {-2, 0.1, 1, -1};

static SlipStatus make_local(SlipProblem **problem, SlipError *error) {
  const double mu[] = {0.5, 0.3};
  SlipLocalData data = LOCAL_DATA(.dimension = 2, .contacts = 2, .W = slip_dense(4, 4, W_x), .q = q,
                                  .laws = LAWS(.mu = mu));
  return slip_problem_create_local(&data, problem, error);
}

/* user NULL: the local problem. */
static SlipStatus make(const Chain *chain, SlipProblem **problem, SlipError *error) {
  *problem = (SlipProblem *)problem; /* something that is not NULL */
  SlipStatus status = chain ? make_global(chain, problem, error) : make_local(problem, error);
  assert_true((status == SLIP_OK) == (*problem != NULL));
  return status;
}

static SlipStatus create(void *user, SlipError *error) {
  SlipProblem *problem;
  SlipStatus status = make(user, &problem, error);
  slip_problem_free(problem);
  return status;
}

static SlipStatus reduce(void *user, SlipError *error) {
  SlipProblem *problem, *local;
  SlipStatus status = make(user, &problem, error);
  if (status != SLIP_OK)
    return status;
  local = problem;
  status = slip_problem_reduce(problem, &local, error);
  assert_true((status == SLIP_OK) == (local != NULL));
  slip_problem_free(local);
  slip_problem_free(problem);
  return status;
}

static SlipStatus measure(void *user, SlipError *error) {
  SlipProblem *problem;
  SlipFeatures features = slip_default_features();
  double r[CONTACTS * D] = {0}, found;
  SlipStatus status = make(user, &problem, error);
  if (status == SLIP_OK)
    status = slip_problem_residual(problem, r, &found, NULL, error);
  if (status == SLIP_OK)
    status = slip_problem_physical(problem, r, &found, error);
  if (status == SLIP_OK)
    status = slip_problem_features(problem, &features, error);
  slip_problem_free(problem);
  return status;
}

/* What to solve, and with which method. */
typedef struct Job {
  const Chain *chain;
  const SlipMethodInfo *method;
  const char *operator_kind; /* NULL: auto */
} Job;

static SlipStatus run_twice(SlipSolver *solver, SlipForm form, SlipError *error) {
  double w[CONTACTS * D] = {-0.5}, mu[CONTACTS] = {0.1, 0.2, 0.3};
  SlipUpdate update = *UPDATE(.mu = mu);
  if (form == SLIP_FORM_LOCAL)
    update.q = new_q;
  else
    update.w = w;
  SlipStatus status = slip_solver_run(solver, error);
  if (status == SLIP_OK)
    status = slip_solver_update(solver, &update, error);
  if (status == SLIP_OK)
    status = slip_solver_run(solver, error);
  return status;
}

/* The splitting methods solve these problems, and once made allocate nothing. */
static SlipStatus run_splitting(SlipSolver *solver, SlipForm form, SlipError *error) {
  long before = alloc_count();
  SlipStatus status = run_twice(solver, form, error);
  assert_int_equal(alloc_count(), before);
  assert_int_equal(status, SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  return status;
}

static SlipStatus solve(void *user, SlipError *error) {
  const Job *job = user;
  bool splitting = !strcmp(job->method->family, "splitting");
  SlipProblem *problem;
  SlipStatus status = make(job->chain, &problem, error);
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  if (status == SLIP_OK) {
    settings = (SlipSettings *)&settings;
    status = slip_settings_create(job->method->name, &settings, error);
    assert_true((status == SLIP_OK) == (settings != NULL));
  }
  if (status == SLIP_OK)
    status = slip_settings_set(settings, "max-iter", splitting ? "10000" : "20", error);
  if (status == SLIP_OK && job->operator_kind)
    status = slip_settings_set(settings, "operator", job->operator_kind, error);
  if (status == SLIP_OK) {
    solver = (SlipSolver *)&solver;
    status = slip_solver_create(problem, settings, &solver, error);
    assert_true((status == SLIP_OK) == (solver != NULL));
  }
  if (status == SLIP_OK)
    status = (splitting ? run_splitting : run_twice)(solver, slip_problem_form(problem), error);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
  return status;
}

/* Another W in a ready solver. Where there was no memory for that, the next run has it again. */
static SlipStatus take_W(void *user, SlipError *error) {
  const char *method = user;
  SlipProblem *problem;
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  double W[16];
  for (int k = 0; k < 16; k++)
    W[k] = 1.5 * W_x[k];
  SlipMatrix other = slip_dense(4, 4, W);
  SlipStatus status = make_local(&problem, error);
  if (status == SLIP_OK)
    status = slip_settings_create(method, &settings, error);
  if (status == SLIP_OK)
    status = slip_solver_create(problem, settings, &solver, error);
  if (status == SLIP_OK) {
    SlipError later;
    status = slip_solver_update(solver, UPDATE(.W = &other), error);
    if (status == SLIP_OK)
      status = slip_solver_run(solver, error);
    if (status != SLIP_OK && slip_solver_run(solver, &later) != SLIP_OK)
      fail_msg("%s: %s", method, later.text);
    assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  }
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
  return status;
}

static void test_new_W(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "nsgs", "nsn-ac", "alm", "ipm", "admm", "few"};
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
    assert_true(alloc_fail_each(take_W, (void *)methods[k]) > 3);
}

static SlipStatus solve_at_once(void *user, SlipError *error) {
  SlipProblem *problem;
  SlipOutcome outcome;
  double r[CONTACTS * D], u[CONTACTS * D];
  SlipStatus status = make(user, &problem, error);
  if (status == SLIP_OK)
    status = slip_solve(problem, 1e-8, r, u, &outcome, error);
  slip_problem_free(problem);
  return status;
}

static void try_all(Chain *chain) {
  assert_true(alloc_fail_each(create, chain) > 3);
  assert_true(alloc_fail_each(measure, chain) > 3);
  int refused = 0;
  for (int k = 0; k < slip_method_count(); k++) {
    Job job = {chain, slip_method_info(k), NULL};
    SlipError error;
    if (solve(&job, &error) == SLIP_ERROR_MISMATCH)
      refused++;
    else
      assert_true(alloc_fail_each(solve, &job) > 3);
  }
  assert_true(refused < slip_method_count() / 2);
  assert_true(alloc_fail_each(solve_at_once, chain) > 3);
  if (chain)
    assert_true(alloc_fail_each(reduce, chain) > 3);
}

static void test_local(void **state) {
  (void)state;
  try_all(NULL);
}

static void test_block_diagonal(void **state) {
  (void)state;
  try_all(&(Chain){.dof = CONTACTS * D});
}

static void test_cholmod(void **state) {
  (void)state;
  try_all(&(Chain){.dof = CHAIN});
}

static void test_umfpack(void **state) {
  (void)state;
  try_all(&(Chain){.dof = CHAIN, .skew = 0.2});
}

/* Rigid bodies and a large one, with velocity-form rows, and with compliance. */
static void test_mixed(void **state) {
  (void)state;
  Chain chain = {.dof = CHAIN, .cut = 6, .soft = true};
  Job job = {&chain, slip_method_find("nsgs"), "velocity"};
  assert_true(alloc_fail_each(create, &chain) > 3);
  assert_true(alloc_fail_each(measure, &chain) > 3);
  assert_true(alloc_fail_each(reduce, &chain) > 3);
  assert_true(alloc_fail_each(solve, &job) > 3);
  job = (Job){&chain, slip_method_find("nsn-ac"), "factored"};
  assert_true(alloc_fail_each(solve, &job) > 3);
}

/* Cones that are shifted, with compliance. */
static void test_cohesive(void **state) {
  (void)state;
  Chain chain = {.dof = CONTACTS * D, .soft = true, .sticky = true};
  Job job = {&chain, slip_method_find("nsgs"), NULL};
  assert_true(alloc_fail_each(create, &chain) > 3);
  assert_true(alloc_fail_each(measure, &chain) > 3);
  assert_true(alloc_fail_each(reduce, &chain) > 3);
  assert_true(alloc_fail_each(solve, &job) > 3);
  assert_true(alloc_fail_each(solve_at_once, &chain) > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local),    cmocka_unit_test(test_block_diagonal),
      cmocka_unit_test(test_cholmod),  cmocka_unit_test(test_umfpack),
      cmocka_unit_test(test_new_W),    cmocka_unit_test(test_mixed),
      cmocka_unit_test(test_cohesive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
