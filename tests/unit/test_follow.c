/* A solver given one problem after another: warm starts by contact keys, in world axes; failures;
 * bodies that come apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bodies_data.h"
#include "data.h"
#include "solving.h"

typedef struct Pile {
  BodiesData bodies;
  SlipProblem *problem;
  SlipSolver *solver;
} Pile;

static void make(Pile *pile, const char *method, const char *tol) {
  SlipProblem *generated = generate_problem("pile", 60, 3, NULL);
  SlipSettings *settings;
  SlipError error;
  bodies_data_of(generated, &pile->bodies);
  assert_int_equal(slip_problem_create_bodies(&pile->bodies.data, &pile->problem, NULL), SLIP_OK);
  assert_int_equal(slip_settings_create(method, &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", tol, NULL), SLIP_OK);
  if (slip_solver_create(pile->problem, settings, &pile->solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  slip_settings_free(settings);
  slip_problem_free(generated);
}

static void drop(Pile *pile) {
  slip_solver_free(pile->solver);
  slip_problem_free(pile->problem);
  bodies_data_free(&pile->bodies);
}

static const SlipResult *run(Pile *pile) {
  SlipError error;
  if (slip_solver_run(pile->solver, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return slip_solver_result(pile->solver);
}

static void set(Pile *pile) {
  SlipError error;
  if (slip_problem_set_bodies(pile->problem, &pile->bodies.data, &error) != SLIP_OK ||
      slip_solver_set_problem(pile->solver, pile->problem, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

/* Exchange two contacts with all that belongs to them. */
static void swap(void *array, int32_t a, int32_t b, size_t size) {
  char *x = (char *)array + (size_t)a * size, *y = (char *)array + (size_t)b * size;
  for (size_t k = 0; k < size; k++) {
    char kept = x[k];
    x[k] = y[k];
    y[k] = kept;
  }
}

static void swap_contacts(BodiesData *c, int32_t a, int32_t b) {
  swap(c->body, a, b, 2 * sizeof *c->body);
  swap(c->H, a, b, 36 * sizeof *c->H);
  swap(c->w, a, b, 3 * sizeof *c->w);
  swap(c->mu, a, b, sizeof *c->mu);
  swap(c->kind, a, b, sizeof *c->kind);
  swap(c->key, a, b, sizeof *c->key);
  swap(c->frame, a, b, 9 * sizeof *c->frame);
}

/* Turn the tangents of one contact by an angle: H, w and the frame together. */
static void turn_tangents(BodiesData *c, int32_t contact, double angle) {
  double co = cos(angle), si = sin(angle);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 6; k++) {
      double *H = c->H + (2 * contact + side) * 18 + k, x = H[6], y = H[12];
      H[6] = co * x + si * y;
      H[12] = co * y - si * x;
    }
  for (int k = 0; k < 3; k++) {
    double *frame = c->frame + 9 * contact + k, x = frame[3], y = frame[6];
    frame[3] = co * x + si * y;
    frame[6] = co * y - si * x;
  }
  double *w = c->w + 3 * contact, x = w[1], y = w[2];
  w[1] = co * x + si * y;
  w[2] = co * y - si * x;
}

/* The same pile with its contacts in another order and other tangents is the same problem: started
 * from the last result, it is solved at once. Without frames it is not. */
static void test_keys_and_frames(void **state) {
  (void)state;
  for (int frames = 0; frames < 2; frames++) {
    Pile pile;
    make(&pile, "auto", "1e-9");
    assert_int_equal(run(&pile)->outcome, SLIP_SOLVED);
    int32_t nc = pile.bodies.data.contacts;
    for (int32_t a = 0; a < nc; a++)
      turn_tangents(&pile.bodies, a, 0.3 + a);
    for (int32_t a = 0; a + 7 < nc; a += 3)
      swap_contacts(&pile.bodies, a, a + 7);
    if (!frames)
      pile.bodies.data.frame = NULL;
    set(&pile);
    assert_int_equal(slip_solver_warm_start_last(pile.solver, NULL), SLIP_OK);
    const SlipResult *result = run(&pile);
    assert_int_equal(result->outcome, SLIP_SOLVED);
    assert_true(frames ? result->iterations == 0 : result->iterations > 0);
    drop(&pile);
  }
}

/* Contacts that are new start from 0, and those that are gone are forgotten. */
static void test_contacts_come_and_go(void **state) {
  (void)state;
  Pile pile;
  make(&pile, "nsgs", "1e-8");
  int32_t nc = pile.bodies.data.contacts, gone = 5;
  double *r = malloc((size_t)nc * 3 * sizeof *r);
  memcpy(r, run(&pile)->r, (size_t)nc * 3 * sizeof *r);
  pile.bodies.key[2] = 1000; /* a new contact */
  swap_contacts(&pile.bodies, gone, nc - 1);
  pile.bodies.data.contacts = nc - 1;
  set(&pile);
  assert_int_equal(slip_solver_warm_start_last(pile.solver, NULL), SLIP_OK);
  SlipSettings *settings;
  SlipSolver *other;
  double *start = calloc((size_t)nc * 3, sizeof *start);
  for (int32_t a = 0; a < nc - 1; a++) {
    int32_t from = a == gone ? nc - 1 : a;
    if (a != 2)
      memcpy(start + 3 * a, r + 3 * from, 3 * sizeof *r);
  }
  assert_int_equal(slip_settings_create("nsgs", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "tol", "1e-8", NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(pile.problem, settings, &other, NULL), SLIP_OK);
  assert_int_equal(slip_solver_warm_start(other, start, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(other, NULL), SLIP_OK);
  const SlipResult *x = run(&pile), *y = slip_solver_result(other);
  assert_int_equal(x->iterations, y->iterations);
  assert_memory_equal(x->r, y->r, (size_t)(nc - 1) * 3 * sizeof *r);
  slip_solver_free(other);
  slip_settings_free(settings);
  free(start);
  free(r);
  drop(&pile);
}

/* The last result of the same problem, also after an update, which drops no warm start. */
static void test_same_problem(void **state) {
  (void)state;
  Pile pile;
  make(&pile, "auto", "1e-8");
  assert_true(run(&pile)->iterations > 0);
  assert_int_equal(slip_solver_warm_start_last(pile.solver, NULL), SLIP_OK);
  assert_int_equal(run(&pile)->iterations, 0);
  assert_true(run(&pile)->iterations > 0); /* a warm start is for one run */
  assert_int_equal(slip_solver_warm_start_last(pile.solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_update(pile.solver, UPDATE(.f = pile.bodies.f), NULL), SLIP_OK);
  assert_int_equal(run(&pile)->iterations, 0);
  assert_int_equal(slip_solver_update(pile.solver, UPDATE(.f = pile.bodies.f), NULL), SLIP_OK);
  assert_int_equal(slip_solver_warm_start_last(pile.solver, NULL), SLIP_OK);
  assert_int_equal(run(&pile)->iterations, 0);
  drop(&pile);
}

/* The first guess of a large pile is made of the forces at hand, not of those it was made with. */
static void test_loads_of_new_forces(void **state) {
  (void)state;
  SlipProblem *pile = generate_problem("pile", 2600, 3, NULL), *other;
  SlipSettings *settings;
  SlipSolver *solver, *fresh;
  SlipGlobalData data = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(pile, &data, NULL), SLIP_OK);
  double *f = malloc((size_t)data.M.rows * sizeof *f);
  for (int32_t k = 0; k < data.M.rows; k++)
    f[k] = data.f[k] * (1 + 0.1 * (k % 7));
  data.f = f;
  assert_int_equal(slip_problem_create_global(&data, &other, NULL), SLIP_OK);
  assert_int_equal(slip_settings_create("nsgs-accelerated", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "order", "chunks", NULL), SLIP_OK);
  assert_int_equal(slip_settings_set(settings, "max-iter", "3", NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(pile, settings, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(other, settings, &fresh, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_update(solver, UPDATE(.f = f), NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_run(fresh, NULL), SLIP_OK);
  const SlipResult *x = slip_solver_result(solver), *y = slip_solver_result(fresh);
  assert_memory_equal(x->r, y->r, (size_t)x->contacts * 3 * sizeof *x->r);
  slip_solver_free(solver);
  slip_solver_free(fresh);
  slip_settings_free(settings);
  slip_problem_free(pile);
  slip_problem_free(other);
  free(f);
}

/* Forms and sizes in turn, any method: the bits of a new solver. */
static void test_any_form(void **state) {
  (void)state;
  static const char *const kinds[] = {"random", "pile", "elastic", "wall", "one"};
  static const char *const methods[] = {"auto", "nsgs", "nsn-ac", "ipm", "apgd", "alm", "admm"};
  SlipError error;
  for (int j = 0; j < 7; j++) {
    SlipSettings *settings;
    SlipSolver *solver = NULL;
    assert_int_equal(slip_settings_create(methods[j], &settings, NULL), SLIP_OK);
    assert_int_equal(slip_settings_set(settings, "max-iter", "40", NULL), SLIP_OK);
    for (int k = 0; k < 12; k++) {
      SlipProblem *problem = generate_problem(kinds[k % 5], k % 5 == 4 ? 1 : 10 + 7 * k,
                                              k % 5 == 4 ? 3 : 3 - k % 2, NULL);
      SlipSolver *fresh;
      if (slip_solver_create(problem, settings, &fresh, &error) != SLIP_OK ||
          slip_solver_run(fresh, &error) != SLIP_OK)
        fail_msg("%s on %s: %s", methods[j], kinds[k % 5], error.text);
      SlipStatus status = solver ? slip_solver_set_problem(solver, problem, &error)
                                 : slip_solver_create(problem, settings, &solver, &error);
      if (status != SLIP_OK || slip_solver_run(solver, &error) != SLIP_OK)
        fail_msg("%s on %s: %s", methods[j], kinds[k % 5], error.text);
      const SlipResult *x = slip_solver_result(fresh), *y = slip_solver_result(solver);
      size_t bytes = (size_t)x->dimension * (size_t)x->contacts * sizeof(double);
      assert_int_equal(x->iterations, y->iterations);
      assert_int_equal(x->outcome, y->outcome);
      assert_memory_equal(x->r, y->r, bytes);
      slip_solver_free(fresh);
      /* The problem is gone before the solver gets another. */
      slip_problem_free(problem);
    }
    slip_solver_free(solver);
    slip_settings_free(settings);
  }
}

/* A problem that the method refuses leaves the solver without one; the next makes it whole. */
static void test_refused_problem(void **state) {
  (void)state;
  SlipProblem *good = generate_problem("random", 5, 3, NULL);
  SlipProblem *bad = generate_problem("unsymmetric", 5, 3, NULL);
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  assert_int_equal(slip_settings_create("spg", &settings, NULL), SLIP_OK);
  assert_int_equal(slip_solver_create(good, settings, &solver, NULL), SLIP_OK);
  assert_int_equal(slip_solver_set_problem(solver, bad, &error), SLIP_ERROR_MISMATCH);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_NOT_RUN);
  assert_int_equal(slip_solver_result(solver)->contacts, 0);
  assert_int_equal(slip_solver_run(solver, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_solver_warm_start_last(solver, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_solver_update(solver, UPDATE(), &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_solver_set_problem(solver, good, &error), SLIP_OK);
  assert_int_equal(slip_solver_run(solver, &error), SLIP_OK);
  assert_int_equal(slip_solver_result(solver)->outcome, SLIP_SOLVED);
  assert_int_equal(slip_solver_set_problem(solver, NULL, &error), SLIP_ERROR_ARGUMENT);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(good);
  slip_problem_free(bad);
}

/* Bodies that fly apart: one look at q, and the velocities are the free ones. */
static void test_bodies_come_apart(void **state) {
  (void)state;
  Pile pile;
  make(&pile, "auto", "1e-9");
  SlipBodiesData *data = &pile.bodies.data;
  for (int32_t a = 0; a < data->contacts; a++)
    pile.bodies.w[3 * a] = 100;
  set(&pile);
  const SlipResult *result = run(&pile);
  assert_int_equal(result->outcome, SLIP_SOLVED);
  assert_int_equal(result->iterations, 0);
  assert_int_equal(result->open, data->contacts);
  for (int32_t b = 0; b < data->bodies; b++)
    for (int i = 0; i < 6; i++) {
      double sum = 0;
      for (int k = 0; k < 6; k++)
        sum += pile.bodies.M[36 * b + 6 * i + k] * result->v[6 * b + k];
      assert_true(fabs(sum - pile.bodies.f[6 * b + i]) <= 1e-12 * (1 + fabs(sum)));
    }
  drop(&pile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keys_and_frames),   cmocka_unit_test(test_contacts_come_and_go),
      cmocka_unit_test(test_same_problem),      cmocka_unit_test(test_loads_of_new_forces),
      cmocka_unit_test(test_any_form),          cmocka_unit_test(test_refused_problem),
      cmocka_unit_test(test_bodies_come_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
