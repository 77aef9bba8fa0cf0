/* A results file of a campaign that never was: campaign METHODS PROBLEMS > results.csv
 *
 * For tests of the report at the size of a large campaign. Two tolerances, some families, methods
 * of different speed and reach; every run has a trace of as many points as a results file keeps.
 * The same arguments give the same bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bench/bench.h"

static const char *const stems[] = {
    "nsgs-ac", "nsgs-fb", "nsgs-exact", "psor",        "fp-ds",   "fp-vi-upk",   "fp-eg-upts",
    "nsn-ac",  "nsn-jm",  "nsn-fb",     "nsn-nm",      "ppa-nsn", "ppa-nsgs",    "tfp-nsgs",
    "aclm",    "soclcp",  "admm",       "ipm",         "pcg",     "anderson-fp", "nsgs-colour",
    "auto",    "bogus",   "apgd",       "siconos:NSGS"};
static const char *const families[] = {"Cubes_H8",    "LowWall_FEM", "Aqueduct_PR",
                                       "Bridge_PR",   "Capsules",    "Chain",
                                       "KaplasTower", "BoxesStack",  "Chute_1000"};
enum { STEMS = sizeof stems / sizeof *stems, FAMILIES = sizeof families / sizeof *families };
static const double tols[] = {1e-4, 1e-8};

typedef struct Method {
  char name[64];
  double speed, rate, reach[FAMILIES];
} Method;

static void make_method(SlipiRandom *random, int k, Method *method) {
  if (k < STEMS)
    snprintf(method->name, sizeof method->name, "%s", stems[k]);
  else
    snprintf(method->name, sizeof method->name, "%s[omega=1.%d]", stems[k % STEMS], k / STEMS);
  method->speed = pow(10, slipi_random_between(random, -1, 1));
  method->rate = pow(10, slipi_random_between(random, -0.5, 0.5));
  for (int f = 0; f < FAMILIES; f++)
    method->reach[f] = slipi_random_between(random, -13, -5);
}

/* The error falls along a straight line of its logarithm, with noise, down to what the method can
 * reach on this problem, until the tolerance or the time limit. */
static void run(SlipiRandom *random, const Method *method, int family, SlipBenchRow *row,
                SlipTracePoint *trace) {
  const double limit = 100;
  double floor = method->reach[family] + slipi_random_between(random, -2, 2),
         target = log10(row->tol);
  double step =
      1e-6 * row->contacts * method->speed * pow(10, slipi_random_between(random, -0.4, 0.4));
  double needed = 40 * method->rate * -target * pow(10, slipi_random_between(random, -0.3, 0.3));
  int solved = floor < target && needed * step < limit;
  double iterations = ceil(solved ? needed : fmin(limit / step, 3 * needed));
  row->trace = trace;
  row->trace_count = SLIPI_BENCH_TRACE;
  for (int k = 0; k < SLIPI_BENCH_TRACE; k++) {
    double at = iterations * pow((k + 1.0) / SLIPI_BENCH_TRACE, 2);
    double log_error = fmax(target * at / needed, floor) + slipi_random_between(random, 0, 0.2);
    trace[k] = (SlipTracePoint){(int64_t)ceil(at), pow(10, log_error), step * at};
  }
  row->error = solved ? row->tol * slipi_random_between(random, 0.5, 1)
                      : trace[SLIPI_BENCH_TRACE - 1].residual;
  trace[SLIPI_BENCH_TRACE - 1].residual = row->error;
  row->solved = solved;
  row->outcome = solved ? "SOLVED" : iterations * step >= limit ? "TIME_LIMIT" : "STALLED";
  row->iterations = (int64_t)iterations;
  row->seconds = step * iterations;
  row->peak_kib = 4000 + 12 * row->contacts;
}

int main(int argc, char **argv) {
  int methods = argc > 1 ? atoi(argv[1]) : 40, problems = argc > 2 ? atoi(argv[2]) : 150;
  SlipiRandom random;
  slipi_random_seed(&random, 7);
  Method *method = calloc((size_t)methods + 1, sizeof *method);
  SlipiText text = {0};
  if (!method)
    return 1;
  for (int k = 0; k < methods; k++)
    make_method(&random, k, &method[k]);
  slipi_results_header(&text);
  for (int p = 0; p < problems; p++) {
    int family = p % FAMILIES;
    char name[64];
    snprintf(name, sizeof name, "%s/%s-%d.hdf5", families[family], families[family], p);
    int32_t contacts = (int32_t)pow(10, slipi_random_between(&random, 0.5, 1.5 + 0.25 * family));
    for (int t = 0; t < 2; t++)
      for (int m = 0; m < methods; m++) {
        SlipTracePoint trace[SLIPI_BENCH_TRACE];
        SlipBenchRow row = {.problem = name,
                            .family = families[family],
                            .contacts = contacts,
                            .dof = 2 * contacts + 6,
                            .dimension = 3,
                            .method = method[m].name,
                            .tol = tols[t],
                            .commit = "0123abc",
                            .compiler = "gcc 12.2.0",
                            .cpu = "A processor of no name",
                            .version = "0.1.0",
                            .content = "",
                            .reason = ""};
        run(&random, &method[m], family, &row, trace);
        slipi_results_row(&text, &row, SLIPI_BENCH_COLUMNS);
      }
  }
  free(method);
  int status = text.failed || fwrite(text.bytes, 1, text.length, stdout) != text.length;
  slipi_text_free(&text);
  return status;
}
