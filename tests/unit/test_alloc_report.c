/* Every allocation of a report and of a plot fails once: no leak, no file, a clear status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/bench.h>

#include "alloc_wrap.h"

static const char CSV[] = "test_alloc_report.csv", OUT[] = "test_alloc_report.out";
static const char ROWS[] =
    "problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,seconds,peak_kib,"
    "trace,commit,compiler,cpu,version\n"
    "f/a,f,1,6,3,x,1e-4,SOLVED,1e-5,3,0.1,99,1:0.1:0.05;3:1e-5:0.1,c,g,p,v\n"
    "f/a,f,1,6,3,y,1e-4,STALLED,1e-2,9,2,99,,c,g,p,v\n"
    "g/b,g,5,9,3,x,1e-8,SOLVED,1e-9,7,0.3,99,,d,g,p,v\n";

static SlipStatus check_file(SlipStatus status) {
  FILE *there = fopen(OUT, "rb");
  assert_true((status == SLIP_OK) == (there != NULL));
  if (there)
    fclose(there);
  remove(OUT);
  return status;
}

static SlipStatus report(void *user, SlipError *error) {
  (void)user;
  return check_file(slip_bench_report(CSV, OUT, error));
}

static SlipStatus plot(void *user, SlipError *error) {
  return check_file(slip_bench_plot(CSV, user, OUT, error));
}

static void test_report_and_plot(void **state) {
  (void)state;
  FILE *out = fopen(CSV, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(ROWS, 1, strlen(ROWS), out), strlen(ROWS));
  fclose(out);
  assert_true(alloc_fail_each(report, NULL) > 20);
  SlipPlotOptions options = slip_default_plot_options();
  options.family = "f";
  options.measure = SLIP_MEASURE_TIME_PER_CONTACT;
  assert_true(alloc_fail_each(plot, &options) > 5);
  remove(CSV);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_report_and_plot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
