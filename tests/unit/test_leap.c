/* Leaps of sweeps that drift: when r leaps and how far, by windows that are written down, and what
 * they are worth on a pile that drifts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/nsgs_leap.h"
#include "rolling_pile.h"
#include "solving.h"

enum { BLOCKS = 3, SIZE = 3 * BLOCKS };

/* A contact that slides and one that rolls, far within their cones. */
typedef struct Course {
  SlipiRun run;
  SlipiLaw law[BLOCKS];
  SlipiOneContact one[BLOCKS];
  SlipiLeaps leaps;
  double r[SIZE], from[SIZE], along[SIZE];
} Course;

static void begin(Course *course) {
  static const double r[SIZE] = {10, 0, 0, 10, 0, 0, 0, 0, 0};
  *course = (Course){.run = {.d = 3, .nc = BLOCKS, .m = SIZE}};
  course->run.r = course->r;
  course->run.law = course->law;
  course->leaps.from = course->from;
  course->leaps.along = course->along;
  memcpy(course->r, r, sizeof r);
  for (int a = 0; a < BLOCKS; a++) {
    course->law[a] = (SlipiLaw){.kind = SLIPI_COULOMB, .mu = 0.5};
    course->one[a].scale = 1;
  }
  course->law[1].rolls = true;
  course->law[2] = (SlipiLaw){.kind = SLIPI_ROLLING, .mu = 0.1, .cap = 0.1};
  slipi_leaps_start(&course->leaps);
}

/* A window of sweeps that moves r so, and leaves this error. Returns how many times the movement r
 * has leapt ahead. */
static double window(Course *course, const double moved[SIZE], double error) {
  double before[SIZE];
  for (int k = 0; k < SIZE; k++)
    before[k] = course->r[k] += moved[k];
  course->run.error = error;
  bool leapt = slipi_leaps_look(&course->run, course->one, &course->leaps);
  double times = (course->r[0] - before[0]) / moved[0];
  assert_int_equal(leapt, times != 0);
  return times;
}

static const double one_way[SIZE] = {1e-3, 1e-3}, another[SIZE] = {1e-3, -1e-3};

/* Windows that agree let r leap, four times as far each time they do again soon after. */
static void test_leaps_grow(void **state) {
  (void)state;
  Course course;
  begin(&course);
  for (int k = 0; k < 2; k++)
    assert_true(window(&course, one_way, 1e-4) == 0); /* nothing to compare with */
  double times = 4;
  for (int k = 0; k < 3; k++, times *= 4)
    assert_true(fabs(window(&course, one_way, 1e-4) / times - 1) < 1e-9);
  for (int k = 0; k < 5; k++) /* it takes long to settle: 64/16 */
    assert_true(window(&course, k % 2 ? one_way : another, 1e-4) == 0);
  assert_true(fabs(window(&course, another, 1e-4) / 4 - 1) < 1e-9);
}

/* There is no leap where sweeps turn, converge, or bring the error down. */
static void test_no_drift(void **state) {
  (void)state;
  double shorter[SIZE] = {0.7e-3, 0.7e-3};
  for (int why = 0; why < 4; why++) {
    Course course;
    begin(&course);
    window(&course, one_way, 1e-4);
    window(&course, one_way, 1e-4);
    double times = window(&course,
                          why == 1   ? another
                          : why == 2 ? shorter
                                     : one_way,
                          why == 3 ? 0.79e-4 : 1e-4);
    assert_int_equal(times == 0, why > 0);
  }
}

/* No leap is longer than r, and r stays in K: here the moments at what the impulse allows them. */
static void test_leaps_end_in_K(void **state) {
  (void)state;
  Course course;
  const double moved[SIZE] = {0, 0, 0, -0.5, 0, 0, 0.2, 0.2, 0};
  begin(&course);
  course.leaps.windows = 1e6;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < SIZE; i++)
      course.r[i] += moved[i];
    course.run.error = 1e-4;
    bool leapt = slipi_leaps_look(&course.run, course.one, &course.leaps);
    assert_int_equal(leapt, k == 2);
  }
  const double *r = course.r;
  assert_true(r[0] == 10 && course.leaps.windows < 30 && course.leaps.windows > 10);
  assert_true(r[3] >= 0 && r[3] < 8.5);
  assert_true(fabs(r[6]) <= 0.1 * r[3] && hypot(r[7], r[8]) <= 0.1 * r[3]);
}

/* A pile whose sweeps drift at an error of 1e-5: less than half of them do, to the same solution by
 * the independent residual. A second run has the same bits. */
static void test_pile(void **state) {
  (void)state;
  SlipGenerate options = generate_defaults("pile");
  SlipGlobalData data = slip_default_global_data();
  options.contacts = 100;
  options.seed += 3;
  SlipProblem *global = generate_with("pile", &options, NULL);
  assert_int_equal(slip_problem_global_data(global, &data, NULL), SLIP_OK);
  SlipProblem *rolling = rolling_pile(&data);
  int64_t sweeps[3];
  double *r[3];
  for (int k = 0; k < 3; k++) {
    const char *how = k == 0 ? "tol=1e-8 leaps=off damping=off" : "tol=1e-8";
    Solved solved = solve_with(rolling, "nsgs-accelerated", how, NULL);
    assert_int_equal(solved.outcome, SLIP_SOLVED);
    assert_true(solved.reference <= 1e-8);
    sweeps[k] = solved.iterations;
    r[k] = solved.r;
  }
  assert_true(2 * sweeps[1] < sweeps[0]);
  assert_int_equal(sweeps[1], sweeps[2]);
  assert_memory_equal(r[1], r[2], 3 * sizeof **r * (size_t)slip_problem_contacts(rolling));
  for (int k = 0; k < 3; k++)
    free(r[k]);
  slip_problem_free(rolling);
  slip_problem_free(global);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_leaps_grow),
      cmocka_unit_test(test_no_drift),
      cmocka_unit_test(test_leaps_end_in_K),
      cmocka_unit_test(test_pile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
