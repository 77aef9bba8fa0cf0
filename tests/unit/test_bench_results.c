/* Results files, lists of methods, definitions of campaigns, Table 5. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "bench/bench.h"
#include "data.h"

#define FILE_NAME "test_bench_results.txt"
#define FOLDER "test_bench_results.dir"

static void write_file(const char *text) {
  FILE *file = fopen(FILE_NAME, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* ---- Results -------------------------------------------------------------------------------- */

static SlipBenchRow long_row(const SlipTracePoint *trace, int32_t count) {
  return (SlipBenchRow){.problem = "a \"family\",\nyes/p,1.hdf5",
                        .family = "a \"family\",\nyes",
                        .contacts = 17,
                        .dof = 0,
                        .dimension = 2,
                        .method = "nsgs[a=1,b=2]",
                        .tol = 0.1,
                        .outcome = "SOLVED",
                        .error = 1.0 / 3,
                        .iterations = 123456789012,
                        .seconds = 0.25,
                        .peak_kib = 4096,
                        .trace = trace,
                        .trace_count = count,
                        .commit = "",
                        .compiler = "gcc",
                        .cpu = "x, y",
                        .version = "1",
                        .content = "0123456789abcdef",
                        .reason = ""};
}

static void assert_whole(const SlipBenchRow *got, const SlipBenchRow *row) {
  assert_string_equal(got->problem, row->problem);
  assert_string_equal(got->family, row->family);
  assert_string_equal(got->method, row->method);
  assert_string_equal(got->cpu, row->cpu);
  assert_string_equal(got->commit, "");
  assert_true(got->tol == 0.1 && got->error == 1.0 / 3 && got->seconds == 0.25 && got->solved);
  assert_int_equal(got->contacts, 17);
  assert_int_equal(got->dimension, 2);
  assert_true(got->iterations == 123456789012 && got->peak_kib == 4096);
}

/* The trace is thinned: its ends are kept, and early points are close. */
static void assert_thinned(const SlipBenchRow *got) {
  assert_int_equal(got->trace_count, 40);
  assert_int_equal(got->trace[0].iteration, 0);
  assert_int_equal(got->trace[1].iteration, 1);
  assert_int_equal(got->trace[39].iteration, 999);
  for (int k = 1; k < 40; k++) {
    assert_true(got->trace[k].iteration > got->trace[k - 1].iteration);
    assert_true((double)got->trace[k].iteration < 1.3 * (double)got->trace[k - 1].iteration + 2);
  }
}

static void assert_unknown(const SlipBenchRow *got) {
  assert_true(isnan(got->error) && isnan(got->seconds) && !got->solved);
  assert_true(got->contacts == -1 && got->iterations == -1 && got->trace_count == 0);
  assert_string_equal(got->content, "0123456789abcdef");
  assert_string_equal(got->reason, "of a sort, \"said\"");
}

/* Cut anywhere, the rows before the cut are whole. */
static void check_cuts(const SlipiText *text) {
  SlipBenchResults *results;
  size_t whole;
  for (size_t length = 0; length < text->length; length++) {
    SlipiText cut = {.bytes = text->bytes, .length = length};
    assert_int_equal(slipi_results_parse("x", &cut, &results, &whole, NULL), SLIP_OK);
    assert_true(results->count <= 1 && whole <= length);
    assert_int_equal(results->truncated, whole < length);
    slip_bench_results_free(results);
  }
}

static void test_round_trip(void **state) {
  (void)state;
  SlipTracePoint trace[1000];
  for (int k = 0; k < 1000; k++)
    trace[k] = (SlipTracePoint){k, 1.0 / (1 + k), 1e-3 * k};
  SlipBenchRow row = long_row(trace, 1000);
  SlipiText text = {0};
  slipi_results_header(&text);
  slipi_results_row(&text, &row, SLIPI_BENCH_COLUMNS);
  row.error = row.seconds = NAN;
  row.contacts = -1;
  row.iterations = -1;
  row.outcome = "CRASH";
  row.trace_count = 0;
  row.reason = "of a sort, \"said\"";
  slipi_results_row(&text, &row, SLIPI_BENCH_COLUMNS);
  assert_false(text.failed);
  SlipBenchResults *results;
  size_t whole;
  assert_int_equal(slipi_results_parse("x", &text, &results, &whole, NULL), SLIP_OK);
  assert_int_equal(whole, text.length);
  assert_int_equal(results->count, 2);
  assert_whole(&results->rows[0], &row);
  assert_thinned(&results->rows[0]);
  assert_unknown(&results->rows[1]);
  slip_bench_results_free(results);
  check_cuts(&text);
  slipi_text_free(&text);
}

/* Every value counts, the layout of a matrix does not. */
static void test_content(void **state) {
  (void)state;
  enum { CASES = 8 };
  uint64_t hash[CASES];
  int32_t frictionless = SLIP_FRICTIONLESS, coulomb = SLIP_COULOMB, at[] = {0, 1, 2};
  double dense[] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, diagonal[] = {2, 3, 4}, q[] = {-1, 0.5, 0};
  double changed[] = {2, 0, 0, 0, 3, 0, 0, 0, 4 + 1e-15}, other_q[] = {-1, 0.5, 1e-300};
  double mu[] = {0.5}, other_mu[] = {0.25};
  SlipMatrix triplets = {
      .layout = SLIP_TRIPLET, .rows = 3, .cols = 3, .nnz = 3, .p = at, .i = at, .x = diagonal};
  const struct {
    SlipMatrix W;
    const double *q, *mu;
    const int32_t *kind;
    const double *compliance;
  } cases[CASES] = {{slip_dense(3, 3, dense), q, mu, NULL, NULL},
                    {triplets, q, mu, NULL, NULL},
                    {slip_dense(3, 3, changed), q, mu, NULL, NULL},
                    {slip_dense(3, 3, dense), other_q, mu, NULL, NULL},
                    {slip_dense(3, 3, dense), q, other_mu, NULL, NULL},
                    {slip_dense(3, 3, dense), q, mu, &frictionless, NULL},
                    {slip_dense(3, 3, dense), q, mu, NULL, dense},
                    {slip_dense(3, 3, dense), q, mu, &coulomb, NULL}};
  for (int k = 0; k < CASES; k++) {
    SlipProblem *problem;
    SlipLocalData data = LOCAL_DATA(.dimension = 3, .contacts = 1, .W = cases[k].W, .q = cases[k].q,
                                    .compliance = cases[k].compliance,
                                    .laws = LAWS(.mu = cases[k].mu, .kind = cases[k].kind));
    assert_int_equal(slip_problem_create_local(&data, &problem, NULL), SLIP_OK);
    hash[k] = slipi_content_hash(problem);
    slip_problem_free(problem);
  }
  assert_true(hash[0] == hash[1]);
  for (int k = 2; k < 7; k++)
    for (int j = 0; j < k; j++)
      assert_true(hash[j] != hash[k] || (j == 0 && k == 1));
  assert_true(hash[7] == hash[0]);
}

static SlipBenchRow solved_row(void) {
  return (SlipBenchRow){.problem = "f/p",
                        .family = "f",
                        .method = "nsgs",
                        .tol = 0.1,
                        .outcome = "SOLVED",
                        .commit = "",
                        .compiler = "",
                        .cpu = "",
                        .version = "0.1.0",
                        .content = "x",
                        .reason = "y"};
}

/* Files of version 0.1 have two columns less. */
static void test_old_columns(void **state) {
  (void)state;
  SlipBenchRow row = solved_row();
  SlipiText text = {0};
  SlipBenchResults *results;
  size_t whole;
  slipi_text_add(&text, "problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,"
                        "seconds,peak_kib,trace,commit,compiler,cpu,version\n");
  slipi_results_row(&text, &row, SLIPI_BENCH_OLD_COLUMNS);
  assert_int_equal(slipi_results_parse("x", &text, &results, &whole, NULL), SLIP_OK);
  assert_int_equal(slipi_results_columns(results), SLIPI_BENCH_OLD_COLUMNS);
  assert_int_equal(results->count, 1);
  assert_string_equal(results->rows[0].version, "0.1.0");
  assert_string_equal(results->rows[0].content, "");
  assert_string_equal(results->rows[0].reason, "");
  slip_bench_results_free(results);
  slipi_results_row(&text, &row, SLIPI_BENCH_COLUMNS);
  SlipError error;
  assert_int_equal(slipi_results_parse("x", &text, &results, &whole, &error), SLIP_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "20 fields instead of 17"));
  slipi_text_free(&text);
}

/* The rows of a problem as it was before it changed are left out. */
static void test_superseded(void **state) {
  (void)state;
  static const char *const contents[] = {"1", "2", "2", "3"};
  static const char *const methods[] = {"a", "a", "b", "a"};
  SlipBenchRow row = solved_row();
  SlipiText text = {0};
  SlipBenchResults *results;
  size_t whole;
  slipi_results_header(&text);
  for (int k = 0; k < 4; k++) {
    row.content = contents[k];
    row.method = methods[k];
    slipi_results_row(&text, &row, SLIPI_BENCH_COLUMNS);
  }
  assert_int_equal(slipi_results_parse("x", &text, &results, &whole, NULL), SLIP_OK);
  assert_int_equal(whole, text.length);
  assert_int_equal(results->count, 2);
  assert_string_equal(results->rows[0].method, "b");
  assert_string_equal(results->rows[1].content, "3");
  slip_bench_results_free(results);
  slipi_text_free(&text);
}

#define HEADER                                                                                     \
  "problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,seconds,peak_kib,"    \
  "trace,commit,compiler,cpu,version\n"

static void test_bad_results(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"", "empty"},
      {"a,b\n", "is not a results file"},
      {HEADER "f/p,f,1,0,3,a,1e-4,SOLVED,0,1,1,1,,,,\n", "line 2: 16 fields"},
      {HEADER "f/p,f,x,0,3,a,1e-4,SOLVED,0,1,1,1,,,,,\n", "line 2: contacts is 'x'"},
      {HEADER "f/p,f,1,0,3,a,,SOLVED,0,1,1,1,,,,,\n", "tol is ''"},
      {HEADER "f/p,f,1,0,3,a,1e-4,SOLVED,0,1.5,1,1,,,,,\n", "iterations is '1.5'"},
      {HEADER "f/p,f,1,0,3,a,1e-4,SOLVED,0,1,soon,1,,,,,\n", "seconds is 'soon'"},
      {HEADER "f/p,f,1,-4,3,a,1e-4,SOLVED,0,1,1,1,,,,,\n", "dof is '-4'"},
      {HEADER "f/p,f,1,0,99999999999,a,1e-4,SOLVED,0,1,1,1,,,,,\n", "dimension"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    SlipBenchResults *results;
    SlipError error;
    write_file(bad[k].text);
    assert_int_equal(slip_bench_read(FILE_NAME, &results, &error), SLIP_ERROR_FORMAT);
    assert_null(results);
    if (!strstr(error.text, bad[k].says) || !strstr(error.text, FILE_NAME))
      fail_msg("'%s' does not say '%s'", error.text, bad[k].says);
  }
  remove(FILE_NAME);
  SlipBenchResults *results;
  assert_int_equal(slip_bench_read(FILE_NAME, &results, NULL), SLIP_ERROR_FILE);
  assert_int_equal(slip_bench_read(NULL, &results, NULL), SLIP_ERROR_ARGUMENT);
}

/* ---- Methods -------------------------------------------------------------------------------- */

static void test_methods(void **state) {
  (void)state;
  SlipBenchNames *names;
  SlipError error;
  assert_int_equal(
      slip_bench_methods("nsgs[order=shuffle-once,seed=3],psor,nsgs,psor", &names, &error),
      SLIP_OK);
  assert_int_equal(names->count, 3);
  assert_string_equal(names->names[0], "nsgs[order=shuffle-once,seed=3]");
  assert_string_equal(names->names[2], "nsgs");
  slip_bench_names_free(names);
  assert_int_equal(slip_bench_methods("all", &names, &error), SLIP_OK);
  assert_int_equal(names->count, slip_method_count());
  slip_bench_names_free(names);
  const SlipMethodInfo *first = slip_method_info(0);
  char family[64];
  snprintf(family, sizeof family, "family:%s,siconos:NSGS", first->family);
  assert_int_equal(slip_bench_methods(family, &names, &error), SLIP_OK);
  assert_string_equal(names->names[names->count - 1], "siconos:NSGS");
  for (int k = 0; k + 1 < names->count; k++)
    assert_string_equal(slip_method_find(names->names[k])->family, first->family);
  slip_bench_names_free(names);

  static const char *const bad[][2] = {{"", "empty"},
                                       {"nsgs,,psor", "empty place"},
                                       {"nsgs,", "empty place"},
                                       {"nope", "nope"},
                                       {"family:nope", "'nope'"},
                                       {"nsgs[order", "closing bracket"},
                                       {"nsgs[order=up]", "order"},
                                       {"nsgs[order]", "key=value"},
                                       {"nsgs[tol=1]", "campaign sets tol"},
                                       {"nsgs[seed=1]x", "closing bracket"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(slip_bench_methods(bad[k][0], &names, &error), SLIP_ERROR_ARGUMENT);
    assert_null(names);
    if (!strstr(error.text, bad[k][1]))
      fail_msg("'%s' gave '%s'", bad[k][0], error.text);
  }
}

/* ---- Definitions ---------------------------------------------------------------------------- */

static void test_campaign_file(void **state) {
  (void)state;
  SlipCampaignFile *file;
  SlipError error;
  write_file("# a remark\n\nrun Chain 1e-8 50\r\nrun  Cubes_*\t1e-4 100 # another\n"
             "methods nsgs,psor[omega=1.3]\nmemory 2048\ngrace 3\nrepeat 2");
  assert_int_equal(slip_campaign_file_read(FILE_NAME, &file, &error), SLIP_OK);
  assert_int_equal(file->rule_count, 2);
  assert_string_equal(file->rules[1].family, "Cubes_*");
  assert_true(file->rules[0].tol == 1e-8 && file->rules[0].time_limit == 50);
  assert_string_equal(file->methods, "nsgs,psor[omega=1.3]");
  assert_true(file->memory == 2048 && file->grace == 3 && file->repeat == 2);
  slip_campaign_file_free(file);
  write_file("");
  assert_int_equal(slip_campaign_file_read(FILE_NAME, &file, &error), SLIP_OK);
  assert_true(file->rule_count == 0 && !file->methods && isnan(file->memory) && !file->repeat);
  slip_campaign_file_free(file);

  static const char *const bad[][2] = {{"run Chain 1e-8", "line 1"},
                                       {"\nrun Chain -1 5", "line 2"},
                                       {"run Chain 1 2 3", "PATTERN TOL LIMIT"},
                                       {"go Chain 1 2", "'go'"},
                                       {"memory lots", "one number above 0"},
                                       {"repeat 1.5", "whole number"},
                                       {"methods a b", "without blanks"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    write_file(bad[k][0]);
    assert_int_equal(slip_campaign_file_read(FILE_NAME, &file, &error), SLIP_ERROR_FORMAT);
    assert_null(file);
    if (!strstr(error.text, bad[k][1]))
      fail_msg("'%s' gave '%s'", bad[k][0], error.text);
  }
  remove(FILE_NAME);
  assert_int_equal(slip_campaign_file_read(FILE_NAME, &file, &error), SLIP_ERROR_FILE);
}

/* The definition that comes with the sources. */
static void test_standard_campaign(void **state) {
  (void)state;
  SlipCampaignFile *file;
  SlipError error;
  if (slip_campaign_file_read(SLIPCONE_SOURCE_DIR "/bench/campaign.txt", &file, &error))
    fail_msg("%s", error.text);
  assert_true(file->rule_count > 16); /* the rows of Table 6, and one for the rest */
  slip_campaign_file_free(file);
}

/* ---- Table 5 -------------------------------------------------------------------------------- */

static void write_problem(const char *path, int32_t contacts, double mu) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  assert_int_equal(slip_generate_defaults("deficient-global", &options, NULL), SLIP_OK);
  options.contacts = contacts;
  options.mu = mu;
  assert_int_equal(slip_generate("deficient-global", &options, &problem, NULL, NULL), SLIP_OK);
  assert_int_equal(slip_file_write(path, WRITE(.problem = problem), NULL), SLIP_OK);
  slip_problem_free(problem);
}

static void test_table5(void **state) {
  (void)state;
  static const char *const files[] = {FOLDER "/a/x.hdf5", FOLDER "/a/y.hdf5", FOLDER "/b/x.hdf5"};
  mkdir(FOLDER, 0777);
  mkdir(FOLDER "/a", 0777);
  mkdir(FOLDER "/b", 0777);
  write_problem(files[0], 4, 0.3);
  write_problem(files[1], 9, 0.6);
  write_problem(files[2], 6, 0.5);
  const char *const paths[] = {FOLDER};
  SlipTable5 *table;
  SlipError error;
  if (slip_bench_table5(paths, 1, &table, &error))
    fail_msg("%s", error.text);
  assert_int_equal(table->count, 2);
  const SlipFamilyFeatures *row = &table->rows[0];
  assert_string_equal(row->family, "a");
  assert_int_equal(row->problems, 2);
  assert_true(row->mu.min == 0.3 && row->mu.max == 0.6);
  assert_true(row->contacts.min == 4 && row->contacts.max == 9);
  assert_true(row->dof.min == 6 && row->dof.max == 18);
  assert_true(row->density.min == 27.0 / 18 && row->density.max == 12.0 / 6);
  assert_true(row->rank_ratio.min == 1.5 && row->rank_ratio.max == 2); /* all rows of H count */
  assert_string_equal(table->rows[1].family, "b");
  assert_true(table->rows[1].contacts.min == 6 && table->rows[1].contacts.max == 6);
  slip_table5_free(table);

  FILE *bad = fopen(FOLDER "/b/bad.hdf5", "w");
  assert_non_null(bad);
  fclose(bad);
  assert_int_not_equal(slip_bench_table5(paths, 1, &table, &error), SLIP_OK);
  assert_null(table);
  assert_non_null(strstr(error.text, "bad.hdf5"));
  remove(FOLDER "/b/bad.hdf5");
  for (int k = 0; k < 3; k++)
    remove(files[k]);
  assert_int_equal(slip_bench_table5(paths, 1, &table, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "holds no problems"));
  remove(FOLDER "/a");
  remove(FOLDER "/b");
  remove(FOLDER);
}

static void test_same_name(void **state) {
  (void)state;
  mkdir(FOLDER, 0777);
  write_problem(FOLDER "/x.hdf5", 2, 0.3);
  const char *const paths[] = {FOLDER, FOLDER "/x.hdf5"};
  SlipTable5 *table;
  SlipError error;
  assert_int_equal(slip_bench_table5(paths, 2, &table, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "would both be called " FOLDER "/x.hdf5"));
  remove(FOLDER "/x.hdf5");
  remove(FOLDER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_old_columns),
      cmocka_unit_test(test_content),       cmocka_unit_test(test_superseded),
      cmocka_unit_test(test_bad_results),   cmocka_unit_test(test_methods),
      cmocka_unit_test(test_campaign_file), cmocka_unit_test(test_standard_campaign),
      cmocka_unit_test(test_table5),        cmocka_unit_test(test_same_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
