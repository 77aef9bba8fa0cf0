/* Runs end where they are told to, in the set-up too: a progress function says stop at its n-th
 * question. No clock: questions are counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/slipcone.h>

typedef struct Count {
  int asked, most, in_setup;
} Count;

static int count(const SlipProgress *progress, void *user) {
  Count *c = user;
  c->in_setup += progress->set_up;
  return ++c->asked > c->most;
}

static SlipProblem *generate(const char *kind, int contacts) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults(kind, &options, NULL), SLIP_OK);
  options.contacts = contacts;
  assert_int_equal(slip_generate(kind, &options, &problem, NULL, NULL), SLIP_OK);
  return problem;
}

/* option NULL: all as they are. */
static SlipSolver *create_with(const SlipProblem *problem, const char *method, const char *option,
                               const char *value, Count *c) {
  SlipSettings *settings;
  SlipSolver *solver;
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  if (option)
    assert_int_equal(slip_settings_set(settings, option, value, NULL), SLIP_OK);
  slip_settings_set_progress(settings, count, c);
  assert_int_equal(slip_solver_create(problem, settings, &solver, NULL), SLIP_OK);
  slip_settings_free(settings);
  return solver;
}

static SlipSolver *create(const SlipProblem *problem, const char *method, Count *c) {
  return create_with(problem, method, NULL, NULL, c);
}

/* While M is factored there is no q and no velocity yet. A run after that begins anew. */
static void test_stop_in_mass(void **state) {
  (void)state;
  SlipProblem *problem = generate("elastic", 120);
  Count none = {.most = 0};
  SlipSolver *solver = create(problem, "nsgs", &none);
  assert_int_equal(none.asked, 1);
  assert_int_equal(none.in_setup, 1);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  const SlipResult *result = slip_solver_result(solver);
  assert_int_equal(result->outcome, SLIP_INTERRUPTED);
  assert_true(isinf(result->residual));
  for (int32_t k = 0; k < 3 * result->contacts; k++) {
    assert_true(result->r[k] == 0);
    assert_true(isnan(result->u[k]));
  }
  slip_solver_set_progress(solver, NULL, NULL);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* Every question on the way of a set-up may be the last. */
static void test_stop_anywhere(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "nsgs", "nsn-ac", "alm", "ipm", "admm"};
  SlipProblem *problem = generate("elastic", 120);
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    Count all = {.most = 100000};
    slip_solver_free(create(problem, methods[m], &all));
    assert_true(all.asked >= 4);
    for (int most = 0; most < all.asked; most += 1 + all.asked / 6) {
      Count some = {.most = most};
      SlipSolver *solver = create(problem, methods[m], &some);
      assert_int_equal(some.asked, most + 1);
      assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
      assert_int_equal(slip_solver_result(solver)->outcome, SLIP_INTERRUPTED);
      assert_int_equal(some.asked, most + 1);
      slip_solver_free(solver);
    }
  }
  slip_problem_free(problem);
}

/* The work of an update is under the clock of the next run. */
static void test_stop_in_update(void **state) {
  (void)state;
  SlipProblem *problem = generate("dense", 400);
  Count c = {.most = 1000000};
  SlipSolver *solver = create_with(problem, "nsn-ac", "linear", "dense", &c);
  SlipUpdate update = slip_default_update();
  SlipLocalData data = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(problem, &data, NULL), SLIP_OK);
  update.W = &data.W;
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  int before = c.in_setup;
  c.most = c.asked;
  assert_int_equal(slip_solver_update(solver, &update, NULL), SLIP_OK);
  assert_true(c.in_setup > before);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_INTERRUPTED);
  c.most = 1000000;
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  slip_solver_free(solver);
  slip_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stop_in_mass),
      cmocka_unit_test(test_stop_anywhere),
      cmocka_unit_test(test_stop_in_update),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
