/* The existence check on kinematics whose answer is known by construction. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kinematic_case.h"

static int full(void) {
  const char *text = getenv("SLIPCONE_FULL");
  return text && text[0] == '1';
}

static KinematicCase random_case(SlipiRandom *random, int32_t contacts_most) {
  KinematicCase wanted = {.dimension = 2 + (int32_t)slipi_random_below(random, 2),
                          .contacts =
                              2 + (int32_t)slipi_random_below(random, (uint32_t)contacts_most - 1),
                          .dof_each = 3 + (int32_t)slipi_random_below(random, 4),
                          .mu_most = slipi_random_unit(random) < 0.5 ? 0.5 : 2,
                          .loaded = slipi_random_between(random, 0.1, 1),
                          .frictionless = slipi_random_below(random, 5) == 0};
  wanted.bodies = 2 + (int32_t)(wanted.contacts * slipi_random_between(random, 0.1, 0.7));
  return wanted;
}

/* Every verdict right and every certificate good to 1e-9. *known counts the margins found. */
static void check_case(const KinematicCase *wanted, const SlipProblem *problem, int *known) {
  SlipCheckOptions options;
  SlipCheck *check;
  SlipError error;
  slip_check_defaults(&options);
  options.margin = 1;
  options.solve = 0;
  assert_int_equal(slip_check(problem, &options, &check, &error), SLIP_OK);
  if (wanted->margin < 0) {
    assert_int_equal(check->verdict, wanted->frictionless ? SLIP_IMPOSSIBLE : check->verdict);
    assert_true(check->verdict == SLIP_NOT_CERTIFIED || check->verdict == SLIP_IMPOSSIBLE);
    assert_int_equal(check->answer, check->verdict == SLIP_IMPOSSIBLE ? SLIP_NO : SLIP_UNDECIDED);
    assert_non_null(check->r);
    assert_null(check->v);
    ReferenceImpulse r = reference_impulse(problem, check->r);
    assert_true(r.outside <= 0);
    assert_true(r.imbalance <= 1e-9);
    assert_true(r.work < 0);
    assert_true(fabs(r.work - check->work) <= 1e-12 * check->size);
    assert_true(fabs(r.sum - 1) <= 1e-9);
    if (check->verdict == SLIP_NOT_CERTIFIED) /* strong duality */
      assert_true(fabs(r.work - check->margin) <= 1e-8 * check->size);
  } else {
    assert_int_equal(check->answer, SLIP_YES);
    assert_non_null(check->v);
    double margin = reference_margin(problem, check->v);
    assert_true(margin >= check->certified);
    if (wanted->margin > 0) {
      assert_int_equal(check->verdict, SLIP_ROBUST);
      assert_true(margin > 0);
    } else {
      assert_true(margin >= -1e-9 * check->size);
    }
    /* The loaded contacts allow no more than the margin built in, and that is reached. */
    double far = fabs(check->margin - wanted->margin);
    assert_true(far <= (check->margin_known ? 1e-8 : 1e-6) * check->size);
    *known += check->margin_known;
  }
  slip_check_free(check);
}

static void test_systems(void **state) {
  (void)state;
  int count = full() ? 1000 : 40, contacts = full() ? 500 : 60, known = 0;
  SlipiRandom random;
  slipi_random_seed(&random, 20);
  for (int k = 0; k < 2 * count; k++) {
    KinematicCase wanted = random_case(&random, contacts);
    double size = slipi_random_between(&random, 0.001, 1);
    wanted.margin = k % 2 ? -size : k % 20 == 0 ? 0 : size;
    SlipProblem *problem = kinematic_problem(&wanted, &random);
    assert_non_null(problem);
    check_case(&wanted, problem, &known);
    slip_problem_free(problem);
  }
  assert_true(known >= 0.99 * count); /* the others are within a digit or two of it */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_systems)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
