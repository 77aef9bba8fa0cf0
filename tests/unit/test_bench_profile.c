/* Performance profiles and Table 6 against values computed apart, straight from (133)-(135). */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/bench.h>

#include "base/random.h"
#include "data.h"

#define FILE_NAME "test_bench_profile.csv"
#define HEADER                                                                                     \
  "problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,seconds,peak_kib,"    \
  "trace,commit,compiler,cpu,version\n"

static SlipBenchResults *read_text(const char *rows) {
  SlipBenchResults *results;
  SlipError error;
  FILE *file = fopen(FILE_NAME, "w");
  assert_non_null(file);
  fputs(HEADER, file);
  fputs(rows, file);
  assert_int_equal(fclose(file), 0);
  if (slip_bench_read(FILE_NAME, &results, &error))
    fail_msg("%s", error.text);
  remove(FILE_NAME);
  return results;
}

static SlipProfile *profile_of(const SlipBenchResults *results, const SlipPlotOptions *options) {
  SlipProfile *profile;
  SlipError error;
  if (slip_bench_profile(results, options, &profile, &error))
    fail_msg("%s", error.text);
  return profile;
}

/* rho_s(tau) from the rows alone: card{p : t_ps <= tau min_s t_ps} / n_p. */
static double rho(const SlipBenchResults *results, const char *method, double tol, double tau) {
  int problems = 0, counted = 0;
  for (int32_t k = 0; k < results->count; k++) {
    const SlipBenchRow *row = &results->rows[k];
    if (row->tol != tol)
      continue;
    int first = 1;
    double best = HUGE_VAL, own = HUGE_VAL;
    for (int32_t j = 0; j < results->count; j++) {
      const SlipBenchRow *other = &results->rows[j];
      if (other->tol != tol || strcmp(other->problem, row->problem) != 0)
        continue;
      first = first && j >= k;
      if (strcmp(other->outcome, "SOLVED") != 0)
        continue;
      best = fmin(best, other->seconds);
      if (!strcmp(other->method, method))
        own = other->seconds;
    }
    problems += first;
    counted += first && own < HUGE_VAL && own / best <= tau;
  }
  return (double)counted / problems;
}

static void assert_agrees(const SlipBenchResults *results, double tol) {
  static const double taus[] = {1, 1.0000001, 1.5, 2, 3, 3.999, 4, 10, 1e6, HUGE_VAL};
  SlipProfile *profile = profile_of(results, PLOT(.tol = tol));
  for (int32_t s = 0; s < profile->solvers; s++)
    for (size_t k = 0; k < sizeof taus / sizeof *taus; k++)
      assert_true(slip_profile_value(profile, s, taus[k]) ==
                  rho(results, profile->solver[s], tol, taus[k]));
  slip_profile_free(profile);
}

/* a and b tie on p1, b is twice as slow on p2, a fails on p3, both fail on p4; c is missing on p2
 * and crashes elsewhere. */
static const char mixed[] = "f/p1,f,10,0,3,a,1e-4,SOLVED,1e-5,5,2,1,,,,,\n"
                            "f/p1,f,10,0,3,b,1e-4,SOLVED,1e-5,5,2,1,,,,,\n"
                            "f/p1,f,10,0,3,c,1e-4,CRASH,,,0.1,1,,,,,\n"
                            "f/p2,f,20,0,3,a,1e-4,SOLVED,1e-5,5,1,1,,,,,\n"
                            "f/p2,f,20,0,3,b,1e-4,SOLVED,1e-5,5,2,1,,,,,\n"
                            "g/p3,g,40,0,3,a,1e-4,TIMEOUT,,,9,1,,,,,\n"
                            "g/p3,g,40,0,3,b,1e-4,SOLVED,1e-5,5,4,1,,,,,\n"
                            "g/p3,g,40,0,3,c,1e-4,INACCURATE,1,5,1,1,,,,,\n"
                            "g/p4,g,80,0,3,a,1e-4,MAX_ITER,1e-2,5,3,1,,,,,\n"
                            "g/p4,g,80,0,3,b,1e-4,REFUSED,,,,1,,,,,\n"
                            "g/p4,g,80,0,3,c,1e-4,MEMORY,,,,1,,,,,\n"
                            "f/p1,f,10,0,3,a,1e-8,SOLVED,1e-9,5,8,1,,,,,\n";

static void test_by_hand(void **state) {
  (void)state;
  SlipBenchResults *results = read_text(mixed);
  SlipProfile *profile = profile_of(results, PLOT(.tol = 1e-4));
  assert_int_equal(profile->problems, 4);
  assert_int_equal(profile->solvers, 3);
  assert_int_equal(profile->unsolved, 1);
  assert_string_equal(profile->solver[2], "c");
  assert_true(slip_profile_value(profile, 0, 0.99) == 0);
  assert_true(slip_profile_value(profile, 0, 1) == 0.5);  /* ties: both are best on p1 */
  assert_true(slip_profile_value(profile, 1, 1) == 0.5);  /* p1 and p3 */
  assert_true(slip_profile_value(profile, 1, 2) == 0.75); /* and p2 */
  assert_true(slip_profile_value(profile, 0, INFINITY) == 0.5);
  assert_true(slip_profile_value(profile, 2, INFINITY) == 0);
  assert_true(slip_profile_value(profile, -1, 1) == 0.75);
  assert_true(slip_profile_value(profile, -1, 0.5) == 0);
  assert_true(profile->best[1] == 1 && isinf(profile->best[3]));
  slip_profile_free(profile);
  assert_agrees(results, 1e-4);
  assert_agrees(results, 1e-8);

  profile = profile_of(results, NULL); /* p1 at two tolerances counts twice */
  assert_int_equal(profile->problems, 5);
  assert_true(slip_profile_value(profile, 0, 1) == 3.0 / 5);
  slip_profile_free(profile);
  profile = profile_of(results, PLOT(.tol = 1e-4, .family = "g"));
  assert_int_equal(profile->problems, 2);
  assert_true(slip_profile_value(profile, 1, 1) == 0.5);
  slip_profile_free(profile);
  slip_bench_results_free(results);
}

static void test_single_solver(void **state) {
  (void)state;
  SlipBenchResults *results = read_text("f/p1,f,1,0,3,a,1e-4,SOLVED,0,1,0.5,1,,,,,\n"
                                        "f/p2,f,1,0,3,a,1e-4,DIVERGED,0,1,0.5,1,,,,,\n"
                                        "f/p3,f,1,0,3,a,1e-4,SOLVED,0,1,0,1,,,,,\n");
  SlipProfile *profile = profile_of(results, NULL);
  assert_true(slip_profile_value(profile, 0, 1) == 2.0 / 3); /* a time of 0 is best, not 0/0 */
  assert_true(slip_profile_value(profile, 0, 1e300) == 2.0 / 3);
  slip_profile_free(profile);
  slip_bench_results_free(results);
}

static void test_all_fail(void **state) {
  (void)state;
  SlipBenchResults *results = read_text("f/p1,f,1,0,3,a,1e-4,CRASH,,,,1,,,,,\n"
                                        "f/p1,f,1,0,3,b,1e-4,TIMEOUT,,,5,1,,,,,\n");
  SlipProfile *profile = profile_of(results, NULL);
  for (int32_t s = -1; s < 2; s++)
    assert_true(slip_profile_value(profile, s, INFINITY) == 0);
  assert_int_equal(profile->unsolved, 1);
  slip_profile_free(profile);
  SlipTable6 *table;
  assert_int_equal(slip_bench_table6(results, &table, NULL), SLIP_OK);
  assert_int_equal(table->rows[0].unsolved, 1);
  assert_true(isnan(table->rows[0].mean));
  slip_table6_free(table);
  SlipError error;
  assert_int_equal(slip_bench_profile(results, PLOT(.family = "x"), &profile, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_null(profile);
  assert_non_null(strstr(error.text, "'x'"));
  slip_bench_results_free(results);
}

/* Times of a few values only, so that ties abound. */
static void test_random(void **state) {
  (void)state;
  static char text[64000];
  static const char *const outcomes[] = {"SOLVED", "SOLVED", "SOLVED", "TIMEOUT", "CRASH"};
  SlipiRandom random;
  slipi_random_seed(&random, 11);
  for (int round = 0; round < 20; round++) {
    size_t used = 0;
    for (int p = 0; p < 15; p++)
      for (int s = 0; s < 6; s++)
        if (slipi_random_below(&random, 10) > 0) {
          uint32_t seconds = slipi_random_below(&random, 6) + 1;
          const char *outcome = outcomes[p == 3 ? 4 : slipi_random_below(&random, 5)];
          used += (size_t)snprintf(text + used, sizeof text - used,
                                   "f/p%d,f,7,0,3,m%d,1e-3,%s,,,%" PRIu32 ",1,,,,,\n", p, s,
                                   outcome, seconds);
        }
    SlipBenchResults *results = read_text(text);
    assert_agrees(results, 1e-3);
    slip_bench_results_free(results);
  }
}

static void test_other_measures(void **state) {
  (void)state;
  SlipBenchResults *results =
      read_text("f/p1,f,10,0,3,a,1e-4,SOLVED,1e-5,5,2,1,0:1:0.1;1:0.5:0.2;2:1e-5:2,,,,\n"
                "f/p2,f,100,0,3,a,1e-4,SOLVED,1e-6,5,4,1,0:3:0.5;1:0.01:1;2:0.02:1.5;3:1e-6:4,,,,\n"
                "f/p2,f,100,0,3,b,1e-4,TIMEOUT,,,60,1,,,,,\n");
  SlipProfile *profile = profile_of(results, PLOT(.measure = SLIP_MEASURE_TIME_PER_CONTACT));
  assert_true(profile->cost[0] == 0.2 && profile->cost[2] == 0.04);
  assert_true(slip_profile_value(profile, 0, 0.1) == 0.5);
  assert_true(slip_profile_value(profile, 0, 0.2) == 1);
  slip_profile_free(profile);
  /* The least error within the budget, also where it grew again. */
  SlipPlotOptions options = slip_default_plot_options();
  options.measure = SLIP_MEASURE_ERROR_AT_BUDGET;
  options.budget = 1.5;
  profile = profile_of(results, &options);
  assert_true(profile->cost[0] == 0.5 && profile->cost[2] == 0.01);
  assert_true(isinf(profile->cost[3]));
  assert_true(slip_profile_value(profile, 0, 0.01) == 0.5);
  slip_profile_free(profile);
  options.budget = 10;
  profile = profile_of(results, &options);
  assert_true(profile->cost[0] == 1e-5 && profile->cost[2] == 1e-6);
  slip_profile_free(profile);
  options.budget = slip_default_plot_options().budget;
  profile = profile_of(results, &options);
  assert_true(profile->cost[0] == 1 && isinf(profile->cost[2]));
  slip_profile_free(profile);
  SlipError error;
  options.budget = 0;
  assert_int_equal(slip_bench_profile(results, &options, &profile, &error), SLIP_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the budget is a time above 0, not 0");
  slip_bench_results_free(results);
}

static void test_table6(void **state) {
  (void)state;
  SlipBenchResults *results = read_text(mixed);
  SlipTable6 *table;
  assert_int_equal(slip_bench_table6(results, &table, NULL), SLIP_OK);
  assert_int_equal(table->count, 3);
  const SlipFamilyTimes *row = &table->rows[0];
  assert_string_equal(row->family, "f");
  assert_true(row->tol == 1e-4 && table->rows[1].tol == 1e-8);
  assert_int_equal(row->problems, 2);
  assert_int_equal(row->unsolved, 0);
  assert_true(row->mean == 1.5 && row->deviation == 0.5); /* of 2 and 1 */
  assert_true(fabs(row->mean_per_contact - 0.125) < 1e-15);
  assert_true(fabs(row->deviation_per_contact - 0.075) < 1e-15);
  assert_string_equal(table->rows[2].family, "g");
  assert_int_equal(table->rows[2].unsolved, 1);
  assert_true(table->rows[2].mean == 4 && table->rows[2].deviation == 0);
  slip_table6_free(table);
  slip_bench_results_free(results);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),        cmocka_unit_test(test_single_solver),
      cmocka_unit_test(test_all_fail),       cmocka_unit_test(test_random),
      cmocka_unit_test(test_other_measures), cmocka_unit_test(test_table6),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
