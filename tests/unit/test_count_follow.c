/* One solver that follows a changing problem: nothing is allocated once the largest has been seen,
 * and each result has the bits of a new solver's. SLIPCONE_FULL=1 tries 10,000 problems of up to
 * 2,000 contacts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_wrap.h"
#include "base/random.h"
#include "bodies_data.h"
#include "solving.h"

typedef struct Plan {
  int problems;
  int32_t most; /* contacts */
  const char *method, *tol;
  bool factors; /* some of the problems are to take factorisations */
} Plan;

/* What changes from problem to problem: how many contacts, and the forces. */
typedef struct Step {
  int32_t contacts;
  uint64_t seed;
} Step;

static Step step_of(const Plan *plan, int k) {
  SlipiRandom random;
  slipi_random_seed(&random, (uint64_t)k);
  Step step = {(int32_t)slipi_random_below(&random, (uint32_t)plan->most + 1), (uint64_t)k};
  if (k == 0)
    step.contacts = plan->most;
  if (k % 8 == 7) /* few contacts take a way of their own */
    step.contacts %= 13;
  return step;
}

static void set_step(BodiesData *bodies, const double *f, const Step *step) {
  SlipiRandom random;
  slipi_random_seed(&random, step->seed);
  for (int32_t k = 0; k < bodies->data.bodies * 6; k++)
    bodies->f[k] = f[k] * slipi_random_between(&random, 0.8, 1.2);
  bodies->data.contacts = step->contacts;
}

static void must(SlipStatus status, const SlipError *error) {
  if (status != SLIP_OK)
    fail_msg("%s", error->text);
}

static SlipSettings *settings_of(const Plan *plan) {
  SlipSettings *settings;
  assert_int_equal(slip_settings_create(plan->method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", plan->tol, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "200", NULL), SLIP_OK);
  return settings;
}

/* A number for the bits of a result. */
static uint64_t hash_of(const SlipResult *result) {
  uint64_t hash = 1469598103934665603u ^ (uint64_t)result->iterations;
  const unsigned char *bytes = (const unsigned char *)result->r;
  size_t count = (size_t)result->dimension * (size_t)result->contacts * sizeof(double);
  for (size_t k = 0; k < count; k++)
    hash = (hash ^ bytes[k]) * 1099511628211u;
  return hash;
}

static uint64_t fresh_hash(const SlipBodiesData *data, const SlipSettings *settings) {
  SlipProblem *problem;
  SlipSolver *solver;
  SlipError error;
  must(slip_problem_create_bodies(data, &problem, &error), &error);
  must(slip_solver_create(problem, settings, &solver, &error), &error);
  must(slip_solver_run(solver, &error), &error);
  uint64_t hash = hash_of(slip_solver_result(solver));
  slip_solver_free(solver);
  slip_problem_free(problem);
  return hash;
}

static void follow(const Plan *plan) {
  SlipProblem *pile = generate_problem("pile", plan->most, 3, NULL), *problem;
  SlipSettings *settings = settings_of(plan);
  SlipSolver *solver;
  SlipError error;
  BodiesData bodies;
  bodies_data_of(pile, &bodies);
  int32_t most = bodies.data.contacts;
  Plan own = *plan;
  own.most = most;
  size_t bytes = (size_t)bodies.data.bodies * 6 * sizeof(double);
  double *f = malloc(bytes);
  uint64_t *fresh = malloc((size_t)plan->problems * sizeof *fresh);
  memcpy(f, bodies.f, bytes);
  for (int k = 0; k < plan->problems; k++) {
    Step step = step_of(&own, k);
    set_step(&bodies, f, &step);
    fresh[k] = fresh_hash(&bodies.data, settings);
  }
  must(slip_problem_create_bodies(&bodies.data, &problem, &error), &error);
  must(slip_solver_create(problem, settings, &solver, &error), &error);
  for (int pass = 0; pass < 2; pass++) {
    int beyond = 0; /* problems that auto has left its sweeps in */
    alloc_count_start();
    for (int k = 0; k < plan->problems; k++) {
      Step step = step_of(&own, k);
      set_step(&bodies, f, &step);
      long before = alloc_count();
      must(slip_problem_set_bodies(problem, &bodies.data, &error), &error);
      must(slip_solver_set_problem(solver, problem, &error), &error);
      must(slip_solver_run(solver, &error), &error);
      const SlipResult *result = slip_solver_result(solver);
      beyond += strstr(result->reason, "alm") != NULL;
      if (pass > 0 && alloc_count() != before)
        fail_msg("%s: problem %d of %d contacts has allocated: %s", plan->method, k, step.contacts,
                 result->reason);
      if (hash_of(result) != fresh[k])
        fail_msg("%s: problem %d of %d contacts differs from a new solver's", plan->method, k,
                 step.contacts);
    }
    printf("%s, pass %d: %d problems, %ld allocations, %d problems beyond sweeps\n", plan->method,
           pass + 1, plan->problems, alloc_count(), beyond);
    assert_true(beyond > 0 || !plan->factors);
  }
  slip_solver_free(solver);
  slip_problem_free(problem);
  slip_problem_free(pile);
  slip_settings_free(settings);
  bodies_data_free(&bodies);
  free(f);
  free(fresh);
}

static void test_methods(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "nsgs", "nsgs-accelerated", "psor", "few"};
  static const char *const usual = "1e-2";
  const char *full = getenv("SLIPCONE_FULL");
  for (int k = 0; k < 5; k++)
    follow(&(Plan){100, k < 4 ? 300 : 12, methods[k], k == 0 ? usual : "1e-3", false});
  follow(&(Plan){60, 300, "auto", "1e-9", true});
  if (full && strcmp(full, "1") == 0)
    follow(&(Plan){10000, 2000, "auto", usual, false});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_methods)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
