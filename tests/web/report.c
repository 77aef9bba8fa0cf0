/* The report of a results file, and what its page should show:
 *   report RESULTS.csv REPORT.html [PROFILE.svg EXPECTED.js]
 *
 * EXPECTED.js sets `expected`, a list of profile values (135) as the library computes them, for
 * each tolerance, family and measure. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <slipcone/bench.h>

static const char *const measures[] = {"time", "time-per-contact", "error-at-budget"};

/* Some places between those of the curves, where a value stands on no edge. */
static double probe(const SlipProfile *profile, int k) {
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < (size_t)profile->problems * (size_t)profile->solvers; i++)
    if (isfinite(profile->place[i]) && profile->place[i] > 0) {
      low = fmin(low, profile->place[i]);
      high = fmax(high, profile->place[i]);
    }
  if (!(low < high))
    return 1.5;
  return low * pow(fmin(high / low, 900), (k + 0.5137) / 3);
}

static void print_values(FILE *out, const SlipBenchResults *results,
                         const SlipPlotOptions *options) {
  SlipProfile *profile;
  SlipError error;
  if (slip_bench_profile(results, options, &profile, &error) != SLIP_OK)
    return; /* this family was not run at this tolerance */
  for (int k = 0; k < 3; k++) {
    double x = probe(profile, k);
    fprintf(out, "{tolerance:%g,family:\"%s\",measure:\"%s\",budget:%g,x:%.17g,values:{",
            options->tol, options->family ? options->family : "", measures[options->measure],
            options->budget, x);
    for (int32_t s = -1; s < profile->solvers; s++)
      fprintf(out, "%s\"%s\":%.10g", s < 0 ? "" : ",", s < 0 ? "virtual best" : profile->solver[s],
              slip_profile_value(profile, s, x));
    fprintf(out, "}},\n");
  }
  slip_profile_free(profile);
}

static void print_expected(FILE *out, const SlipBenchResults *results) {
  const double tols[] = {0, 1e-4, 1e-8};
  const char *families[] = {NULL, results->rows[0].family,
                            results->rows[results->count - 1].family};
  fprintf(out, "const expected = [\n");
  for (int t = 0; t < 3; t++)
    for (int f = 0; f < 3; f++)
      for (int m = 0; m < 3; m++)
        for (int b = 0; b < (m == SLIP_MEASURE_ERROR_AT_BUDGET ? 2 : 1); b++)
          print_values(out, results,
                       &(SlipPlotOptions){.size = sizeof(SlipPlotOptions),
                                          .tol = tols[t],
                                          .family = families[f],
                                          .measure = (SlipMeasure)m,
                                          .budget = b ? 0.01 : 0.1});
  fprintf(out, "];\n");
}

int main(int argc, char **argv) {
  SlipError error = {0};
  SlipBenchResults *results = NULL;
  if (argc != 3 && argc != 5) {
    fprintf(stderr, "report RESULTS.csv REPORT.html [PROFILE.svg EXPECTED.js]\n");
    return 2;
  }
  SlipStatus status = slip_bench_report(argv[1], argv[2], &error);
  if (status == SLIP_OK && argc == 5)
    status = slip_bench_plot(argv[1], NULL, argv[3], &error);
  if (status == SLIP_OK)
    status = slip_bench_read(argv[1], &results, &error);
  if (status != SLIP_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  FILE *out = argc == 5 ? fopen(argv[4], "w") : NULL;
  if (out) {
    print_expected(out, results);
    fclose(out);
  }
  slip_bench_results_free(results);
  return argc == 5 && !out;
}
