/* Momentum of sweeps: how the errors at the ends of windows decide what comes next. The errors are
 * written down, no sweep is made. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/common_momentum.h"

/* A problem without contacts: only its errors are asked for. */
typedef struct Course {
  SlipiRun run;
  SlipiGraph graph;
  SlipiRowState rows;
  SlipiMomentum momentum;
  double room[4]; /* what empty arrays point to */
} Course;

static void begin(Course *course) {
  *course = (Course){.run = {.d = 3, .tol = 1e-3, .error = 0.4}};
  SlipiMomentum *momentum = &course->momentum;
  course->run.r = &course->room[0];
  course->rows.z = &course->room[1];
  momentum->one_for_all = true;
  momentum->rows_before.z = &course->room[2];
  momentum->before = momentum->r_best = momentum->sum = momentum->sum_next = &course->room[3];
  momentum->graph = &course->graph;
  momentum->rows = &course->rows;
  slipi_momentum_start(&course->run, momentum);
}

/* Sweeps until the pace is another one, up to 2000; returns their number. `error` is that of the
 * point they have come to. */
static int64_t sweep_on(Course *course, double error) {
  SlipiPace pace = course->momentum.pace;
  int64_t sweeps = 0;
  course->run.error = error;
  while (course->momentum.pace == pace && sweeps < 2000) {
    slipi_momentum_pace(&course->run, &course->momentum);
    slipi_momentum_ask(&course->run, &course->momentum);
    sweeps++;
  }
  return sweeps;
}

/* The waves of one momentum for all contacts hide how far the error has come. Where it stays the
 * same for windows, plain sweeps bring it out, and where it has fallen the waves go on. */
static void test_waves_go_on(void **state) {
  (void)state;
  Course course;
  begin(&course);
  double error = 0.04;
  sweep_on(&course, error);
  for (int wave = 0; wave < 4; wave++, error /= 6) {
    assert_int_equal(course.momentum.pace, SLIPI_PACE_UNIFORM);
    assert_true(sweep_on(&course, error) < 500);
    assert_int_equal(course.momentum.pace, SLIPI_PACE_SKIPPING);
    assert_true(sweep_on(&course, error / 6) <= 21);
  }
  assert_int_equal(course.momentum.pace, SLIPI_PACE_UNIFORM);
}

/* Where plain sweeps find the error where it was, each contact gets a momentum of its own, for the
 * rest of the run. */
static void test_waves_end(void **state) {
  (void)state;
  Course course;
  begin(&course);
  sweep_on(&course, 0.04);
  assert_int_equal(course.momentum.pace, SLIPI_PACE_UNIFORM);
  sweep_on(&course, 0.04);
  for (int stretch = 0; stretch < 3; stretch++) {
    assert_int_equal(course.momentum.pace, SLIPI_PACE_SKIPPING);
    sweep_on(&course, 0.039);
    assert_int_equal(course.momentum.pace, SLIPI_PACE_MOMENTUM);
    sweep_on(&course, 0.039);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waves_go_on),
      cmocka_unit_test(test_waves_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
