/* Every allocation of reading results, profiles, lists and definitions fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <slipcone/bench.h>
#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "alloc_wrap.h"
#include "data.h"

#define CSV "test_alloc_bench.csv"
#define DEFINITION "test_alloc_bench.txt"
#define FOLDER "test_alloc_bench.dir"

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static SlipStatus read_and_compare(void *user, SlipError *error) {
  (void)user;
  SlipBenchResults *results;
  SlipProfile *profile = NULL;
  SlipTable6 *table = NULL;
  SlipStatus status = slip_bench_read(CSV, &results, error);
  if (status == SLIP_OK)
    status = slip_bench_profile(results, NULL, &profile, error);
  if (status == SLIP_OK)
    status = slip_bench_table6(results, &table, error);
  slip_table6_free(table);
  slip_profile_free(profile);
  slip_bench_results_free(results);
  return status;
}

static void test_results(void **state) {
  (void)state;
  write_file(CSV, "problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,"
                  "seconds,peak_kib,trace,commit,compiler,cpu,version\n"
                  "f/p1,f,10,0,3,a,1e-4,SOLVED,1e-5,5,2,1,0:1:0.1;1:0.5:0.2,c,gcc,\"x,y\",1\n"
                  "f/p1,f,10,0,3,b,1e-4,CRASH,,,,1,,,,,\n");
  assert_true(alloc_fail_each(read_and_compare, NULL) > 20);
  remove(CSV);
}

static SlipStatus list_methods(void *user, SlipError *error) {
  (void)user;
  SlipBenchNames *names;
  SlipStatus status = slip_bench_methods("all,nsgs[seed=3],siconos:NSGS", &names, error);
  slip_bench_names_free(names);
  return status;
}

static void test_methods(void **state) {
  (void)state;
  assert_true(alloc_fail_each(list_methods, NULL) > 5);
}

static SlipStatus read_definition(void *user, SlipError *error) {
  (void)user;
  SlipCampaignFile *file;
  SlipStatus status = slip_campaign_file_read(DEFINITION, &file, error);
  slip_campaign_file_free(file);
  return status;
}

static void test_definition(void **state) {
  (void)state;
  write_file(DEFINITION, "run a 1e-4 5\nrun b 1e-4 5\nmethods all\n");
  assert_true(alloc_fail_each(read_definition, NULL) > 4);
  remove(DEFINITION);
}

static SlipStatus describe(void *user, SlipError *error) {
  (void)user;
  const char *const paths[] = {FOLDER};
  SlipTable5 *table;
  SlipStatus status = slip_bench_table5(paths, 1, &table, error);
  slip_table5_free(table);
  return status;
}

static void test_table5(void **state) {
  (void)state;
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults("random", &options, NULL), SLIP_OK);
  options.contacts = 2;
  assert_int_equal(slip_generate("random", &options, &problem, NULL, NULL), SLIP_OK);
  mkdir(FOLDER, 0777);
  assert_int_equal(slip_file_write(FOLDER "/x.hdf5", WRITE(.problem = problem), NULL), SLIP_OK);
  slip_problem_free(problem);
  assert_true(alloc_fail_each(describe, NULL) > 20);
  remove(FOLDER "/x.hdf5");
  remove(FOLDER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_results),
      cmocka_unit_test(test_methods),
      cmocka_unit_test(test_definition),
      cmocka_unit_test(test_table5),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
