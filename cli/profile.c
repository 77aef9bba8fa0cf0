/* slipcone profile: performance profiles of a results file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchview.h"
#include "output.h"

/* ---- Flags ---------------------------------------------------------------------------------- */

static int read_measure(const CliArgs *args, SlipMeasure *measure) {
  const char *text = cli_args_value(args, "measure");
  if (!text || !strcmp(text, "time"))
    *measure = SLIP_MEASURE_TIME;
  else if (!strcmp(text, "time-per-contact"))
    *measure = SLIP_MEASURE_TIME_PER_CONTACT;
  else if (!strcmp(text, "error-at-budget"))
    *measure = SLIP_MEASURE_ERROR_AT_BUDGET;
  else
    return cli_complain("--measure must be time, time-per-contact or error-at-budget, not '%s'",
                        text);
  return 0;
}

static int read_positive(const CliArgs *args, const char *name, double *value) {
  const char *text = cli_args_value(args, name);
  if (text && (!cli_parse_real(text, value) || !(*value > 0)))
    return cli_complain("--%s wants a number above 0, not '%s'", name, text);
  return 0;
}

static int read_options(const CliArgs *args, SlipPlotOptions *options) {
  *options = slip_default_plot_options();
  options->family = cli_args_value(args, "family");
  int code = read_measure(args, &options->measure);
  if (!code)
    code = read_positive(args, "tol", &options->tol);
  return code ? code : read_positive(args, "budget", &options->budget);
}

int cli_bench_check_drawings(const CliArgs *args, const char *results) {
  static const char *const flags[] = {"report", "plot"};
  for (int k = 0; k < 2; k++) {
    const char *path = cli_args_value(args, flags[k]);
    if (path && cli_check_target(path))
      return CLI_BAD;
    if (path && (!strcmp(path, results) || cli_same_file(path, results)))
      return cli_complain("--%s %s would be written over the results", flags[k], path);
  }
  return 0;
}

int cli_bench_draw(const CliArgs *args, const char *results, const SlipPlotOptions *options) {
  const char *report = cli_args_value(args, "report"), *plot = cli_args_value(args, "plot");
  SlipError error;
  if (report && slip_bench_report(results, report, &error))
    return cli_complain_file(report, error.text);
  if (plot && slip_bench_plot(results, options, plot, &error))
    return cli_complain_file(plot, error.text);
  if (report)
    printf("report in %s\n", report);
  if (plot)
    printf("plot in %s\n", plot);
  return 0;
}

/* ---- The table of profile values ------------------------------------------------------------ */

enum { PLACES = 6, NAME = 32 };

/* Where the functions rho are shown. */
static const double *places_of(SlipMeasure measure) {
  static const double ratios[PLACES] = {1, 1.5, 2, 5, 10, 100};
  static const double times[PLACES] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
  static const double errors[PLACES] = {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
  if (measure == SLIP_MEASURE_TIME)
    return ratios;
  return measure == SLIP_MEASURE_TIME_PER_CONTACT ? times : errors;
}

static void print_values(const SlipProfile *profile, int32_t solver, const char *name) {
  const double *places = places_of(profile->measure);
  printf("%-*s", NAME, name);
  for (int k = 0; k < PLACES; k++)
    printf(" %8.3f", slip_profile_value(profile, solver, places[k]));
  printf(" %8.3f\n", slip_profile_value(profile, solver, INFINITY));
}

static void print_profile(const SlipProfile *profile) {
  static const char *const what[] = {"time within a factor tau of the best", "seconds per contact",
                                     "error within the time budget"};
  const double *places = places_of(profile->measure);
  printf("Fraction of %" PRId32 " %s by %s\n\n", profile->problems,
         cli_plural(profile->problems, "problem", "problems"), what[profile->measure]);
  printf("%-*s", NAME, "method");
  for (int k = 0; k < PLACES; k++)
    printf(" %8g", places[k]);
  printf(" %8s\n", profile->measure == SLIP_MEASURE_ERROR_AT_BUDGET ? "any" : "solved");
  for (int32_t s = 0; s < profile->solvers; s++)
    print_values(profile, s, profile->solver[s]);
  print_values(profile, -1, "(virtual best)");
  if (profile->unsolved > 0)
    printf("\n%" PRId32 " %s not solved by any method\n", profile->unsolved,
           cli_plural(profile->unsolved, "problem was", "problems were"));
}

/* ---- Table 6 -------------------------------------------------------------------------------- */

static int wanted(const SlipFamilyTimes *row, const SlipPlotOptions *options) {
  return (options->tol == 0 || fabs(options->tol - row->tol) <= 1e-9 * row->tol) &&
         (!options->family || !strcmp(options->family, row->family));
}

static int print_table6(const SlipBenchResults *results, const SlipPlotOptions *options) {
  SlipTable6 *table;
  SlipError error;
  if (slip_bench_table6(results, &table, &error))
    return cli_complain("%s", error.text);
  puts("\nThe fastest method of each problem, in seconds: mean and standard deviation (Table 6)");
  printf("\n%-24s %8s %9s %9s %9s %11s %11s %9s\n", "family", "tol", "problems", "mean", "dev.",
         "mean/cont.", "dev./cont.", "unsolved");
  for (int32_t k = 0; k < table->count; k++) {
    const SlipFamilyTimes *row = &table->rows[k];
    if (wanted(row, options))
      printf("%-24s %8g %9" PRId32 " %9.3g %9.3g %11.3g %11.3g %9" PRId32 "\n", row->family,
             row->tol, row->problems, row->mean, row->deviation, row->mean_per_contact,
             row->deviation_per_contact, row->unsolved);
  }
  slip_table6_free(table);
  return 0;
}

/* ------------------------------------------------------------------------------------------- */

static int show(const SlipBenchResults *results, const SlipPlotOptions *options) {
  SlipProfile *profile;
  SlipError error;
  if (slip_bench_profile(results, options, &profile, &error))
    return cli_complain("%s", error.text);
  print_profile(profile);
  slip_profile_free(profile);
  return options->measure == SLIP_MEASURE_TIME ? print_table6(results, options) : 0;
}

int cli_run_profile(const CliArgs *args) {
  const char *path = args->operands[0];
  SlipPlotOptions options;
  SlipBenchResults *results;
  SlipError error;
  int code = read_options(args, &options);
  if (!code)
    code = cli_bench_check_drawings(args, path);
  if (code)
    return code;
  if (slip_bench_read(path, &results, &error))
    return cli_complain_file(path, error.text);
  if (results->truncated)
    cli_note("%s ends in the midst of a row, which is left out", path);
  code = show(results, &options);
  slip_bench_results_free(results);
  return code ? code : cli_bench_draw(args, path, &options);
}
