/* What laws beyond Coulomb's cost: `auto` on piles of spheres, the same pile with every law, and
 * the processor time beside that of the plain cone.
 *
 *   cmake --build build --target bench_laws
 *   build/tests/bench_laws [--tol TOL] [--repeat N] [--seeds N] [--keep FOLDER] [--law LAW]
 *                          [--limit SECONDS] [CONTACTS]...
 *
 * Without sizes: 300, 1000 and 5000 contacts; the tolerance is 1e-6. The least of N = 3 runs
 * counts. How many iterations a single pile takes is a matter of luck: with --seeds, N piles are
 * made of each size, and a line has their mean times, the ratio of these to the plain cone's, and
 * the least and largest ratio of a single pile and the geometric mean of all. --limit is for each
 * run, 600 s unless given. Lengths of laws are a tenth of the mean normal impulse of the plain
 * pile, caps ten times of it, coefficients of rolling and spinning friction a twentieth and a
 * fiftieth of a radius. With --keep the problems are written, too, with --law only one law is
 * measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "reference.h"
#include "rolling_pile.h"

typedef enum Kind { PLAIN, COHESIVE, ROUNDED, SPHEROID, CAPPED, ASSOCIATED, ROLLING, KINDS } Kind;
static const char *const names[KINDS] = {"coulomb",          "cohesive", "rounded",
                                         "rounded spheroid", "capped",   "coulomb, associated",
                                         "rolling"};

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  exit(2);
}

static double *fill(int32_t count, double value) {
  double *x = malloc(((size_t)count + 1) * sizeof *x);
  for (int32_t k = 0; x && k < count; k++)
    x[k] = value;
  return x;
}

/* Other laws for the same contacts. */
static SlipProblem *with_law(const SlipGlobalData *pile, Kind kind, double size) {
  static const int32_t laws_of[KINDS] = {SLIP_COULOMB, SLIP_COHESIVE, SLIP_ROUNDED, SLIP_ROUNDED,
                                         SLIP_CAPPED,  SLIP_COULOMB,  SLIP_COULOMB};
  SlipGlobalData data = *pile;
  SlipLaws laws = *pile->laws;
  SlipProblem *problem;
  SlipError error;
  int32_t nc = pile->contacts, *law = malloc(((size_t)nc + 1) * sizeof *law), *flow = NULL;
  double *small = fill(nc, 0.1 * size), *half = fill(nc, 0.05 * size), *large = fill(nc, 10 * size);
  if (kind == ASSOCIATED)
    flow = malloc(((size_t)nc + 1) * sizeof *flow);
  for (int32_t a = 0; a < nc; a++) {
    law[a] = laws_of[kind];
    if (flow)
      flow[a] = SLIP_FLOW_ASSOCIATED;
  }
  laws.kind = law;
  laws.flow = flow;
  laws.cohesion = laws.ball = small;
  laws.ball_tangential = kind == SPHEROID ? half : NULL;
  laws.cap = large;
  data.laws = &laws;
  must(slip_problem_create_global(&data, &problem, &error), &error);
  free(law);
  free(flow);
  free(small);
  free(half);
  free(large);
  return problem;
}

/* Short solves are measured together. */
static const double LEAST_SECONDS = 0.01, MOST_TIMES = 1000;
static const double LONG = 5; /* seconds: measured once */

typedef struct Wishes {
  double tol, limit;
  int repeat, seeds;
  const char *folder, *law;
} Wishes;

typedef struct Run {
  double seconds, error;
  long long iterations;
  SlipOutcome outcome;
  double normal; /* mean impulse along the normal */
} Run;

static Run solve(const SlipProblem *problem, const Wishes *wishes) {
  SlipSettings *settings;
  SlipError error;
  Run run = {.seconds = INFINITY};
  must(slip_settings_create("auto", &settings, &error), &error);
  must(slip_settings_set_real(settings, "tol", wishes->tol, &error), &error);
  must(slip_settings_set_real(settings, "time-limit", wishes->limit, &error), &error);
  int times = 1; /* so many solves are one measurement */
  for (int k = 0; k < wishes->repeat && (k == 0 || run.seconds < LONG); k++) {
    SlipSolver *solver = NULL;
    clock_t begin = clock();
    for (int solve = 0; solve < times; solve++) {
      slip_solver_free(solver);
      must(slip_solver_create(problem, settings, &solver, &error), &error);
      must(slip_solver_run(solver, &error), &error);
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC / times;
    run.seconds = fmin(run.seconds, seconds);
    if (k == 0)
      times = (int)fmin(MOST_TIMES, 1 + LEAST_SECONDS / fmax(seconds, 1e-6));
    const SlipResult *result = slip_solver_result(solver);
    run.outcome = result->outcome;
    run.iterations = result->iterations;
    run.error = reference_error(problem, result->r);
    run.normal = 0;
    for (int32_t a = 0; a < result->contacts; a++)
      run.normal += result->r[(size_t)result->dimension * (size_t)a] / result->contacts;
    slip_solver_free(solver);
  }
  slip_settings_free(settings);
  return run;
}

/* The problem of one pile, for other tools. */
static void keep(const SlipProblem *problem, const char *folder, int kind, int32_t contacts,
                 int seed) {
  static const char *const files[KINDS] = {"coulomb", "cohesive",   "rounded", "spheroid",
                                           "capped",  "associated", "rolling"};
  char path[512];
  SlipError error;
  SlipWrite content = slip_default_write();
  content.problem = problem;
  snprintf(path, sizeof path, "%s/%s-%d-%d.hdf5", folder, files[kind], (int)contacts, seed);
  must(slip_file_write(path, &content, &error), &error);
}

/* What the piles of one size come to with one law. */
typedef struct Sum {
  double seconds, error, least, most; /* the last two are ratios, */
  double logarithms;                  /* and these the sum of theirs */
  long long iterations, contacts;
  int solved;
} Sum;

static void add(Sum *sum, const Run *run, const Run *plain, int32_t contacts) {
  double ratio = run->seconds / plain->seconds;
  sum->least = sum->contacts ? fmin(sum->least, ratio) : ratio;
  sum->most = fmax(sum->most, ratio);
  sum->logarithms += log(ratio);
  sum->seconds += run->seconds;
  sum->error = fmax(sum->error, run->error);
  sum->iterations += run->iterations;
  sum->contacts += contacts;
  sum->solved += run->outcome == SLIP_SOLVED;
}

/* One pile with every law. */
static void measure_pile(int32_t contacts, int seed, const Wishes *wishes, Sum sum[KINDS]) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *pile;
  SlipError error;
  SlipGlobalData data = slip_default_global_data();
  must(slip_generate_defaults("pile", &options, &error), &error);
  options.contacts = contacts;
  options.seed += (uint64_t)seed;
  must(slip_generate("pile", &options, &pile, NULL, &error), &error);
  SlipProblem *global = pile;
  if (slip_problem_form(pile) == SLIP_FORM_BODIES)
    must(slip_problem_assemble(pile, &global, &error), &error);
  must(slip_problem_global_data(global, &data, &error), &error);
  Run plain = solve(global, wishes);
  for (int kind = PLAIN; kind < KINDS; kind++) {
    if (wishes->law && strcmp(wishes->law, names[kind]) != 0)
      continue;
    SlipProblem *problem =
        kind == ROLLING ? rolling_pile(&data) : with_law(&data, (Kind)kind, plain.normal);
    if (wishes->folder)
      keep(problem, wishes->folder, kind, contacts, seed);
    Run run = kind == PLAIN ? plain : solve(problem, wishes);
    add(&sum[kind], &run, &plain, data.contacts);
    slip_problem_free(problem);
  }
  add(&sum[KINDS], &plain, &plain, data.contacts);
  if (global != pile)
    slip_problem_free(global);
  slip_problem_free(pile);
}

static int measure(int32_t contacts, const Wishes *wishes) {
  Sum sums[KINDS + 1] = {0}; /* the plain cone again at the end, measured whatever the law */
  int slow = 0;
  for (int seed = 0; seed < wishes->seeds; seed++)
    measure_pile(contacts, seed, wishes, sums);
  for (int kind = PLAIN; kind < KINDS; kind++) {
    const Sum *sum = &sums[kind];
    double ratio = sum->seconds / sums[KINDS].seconds;
    if (sum->contacts == 0)
      continue;
    printf("%6lld  %-20s %d of %d SOLVED  error %8.1e  %8lld iterations  %11.6f s  %5.2f  "
           "(%.2f to %.2f, %.2f)\n",
           sum->contacts / wishes->seeds, names[kind], sum->solved, wishes->seeds, sum->error,
           sum->iterations / wishes->seeds, sum->seconds / wishes->seeds, ratio, sum->least,
           sum->most, exp(sum->logarithms / wishes->seeds));
    fflush(stdout);
    slow += sum->solved < wishes->seeds || ratio > 2;
  }
  return slow;
}

int main(int count, char **arguments) {
  Wishes wishes = {.tol = 1e-6, .limit = 600, .repeat = 3, .seeds = 1};
  int slow = 0, sizes = 0;
  for (int k = 1; k < count; k++) {
    const char *value = k + 1 < count ? arguments[k + 1] : "";
    if (strcmp(arguments[k], "--tol") == 0)
      wishes.tol = atof(value);
    else if (strcmp(arguments[k], "--repeat") == 0)
      wishes.repeat = atoi(value);
    else if (strcmp(arguments[k], "--seeds") == 0)
      wishes.seeds = atoi(value);
    else if (strcmp(arguments[k], "--limit") == 0)
      wishes.limit = atof(value);
    else if (strcmp(arguments[k], "--keep") == 0)
      wishes.folder = value;
    else if (strcmp(arguments[k], "--law") == 0)
      wishes.law = value;
    else {
      slow += measure((int32_t)atoi(arguments[k]), &wishes);
      sizes++;
      continue;
    }
    k++;
  }
  for (int k = 0; sizes == 0 && k < 3; k++)
    slow += measure((const int32_t[]){300, 1000, 5000}[k], &wishes);
  printf("%d of the lines have a pile that is not solved, or more than twice the plain cone's "
         "time\n",
         slow);
  return slow > 0;
}
