/* What laws beyond Coulomb's cost: `auto` on piles of spheres, the same pile with every law, and
 * the processor time beside that of the plain cone.
 *
 *   cmake --build build --target bench_laws
 *   build/tests/bench_laws [--tol TOL] [--repeat N] [--keep FOLDER] [--law LAW] [CONTACTS]...
 *
 * Without sizes: 300, 1000 and 5000 contacts; the tolerance is 1e-6. The least of N = 3 runs
 * counts. Lengths of laws are a tenth of the mean normal impulse of the plain pile, caps ten times
 * of it, coefficients of rolling and spinning friction a twentieth and a fiftieth of a radius.
 * With --keep the problems are written, too, with --law only one law is measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/generate.h>
#include <slipcone/io.h>

#include "reference.h"

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

/* Moments behind every contact: their rows are the directions of the contact's, as turns. */
static SlipProblem *with_rolling(const SlipGlobalData *pile, double radius) {
  SlipGlobalData data = *pile;
  SlipLaws laws = slip_default_laws();
  SlipProblem *problem;
  SlipError error;
  int32_t nc = pile->contacts, *kind = malloc(2 * ((size_t)nc + 1) * sizeof *kind);
  double *mu = fill(2 * nc, 0), *spinning = fill(2 * nc, radius / 50), *w = fill(6 * nc, 0);
  int64_t nnz = pile->H.nnz, used = 0;
  int32_t *row = malloc((size_t)(2 * nnz + 1) * sizeof *row),
          *col = malloc((size_t)(2 * nnz + 1) * sizeof *col);
  double *x = fill((int32_t)(2 * nnz), 0);
  for (int32_t i = 0; i < pile->H.rows; i++)
    for (int32_t k = pile->H.p[i]; k < pile->H.p[i + 1]; k++) {
      int32_t to = 6 * (pile->H.i[k] / 3) + pile->H.i[k] % 3;
      row[used] = i;
      col[used] = to;
      x[used++] = pile->H.x[k];
      if (i % 6 < 3) { /* in units of length */
        row[used] = i + 3;
        col[used] = to + 3;
        x[used++] = radius * pile->H.x[k];
      }
    }
  for (int32_t a = 0; a < nc; a++) {
    kind[2 * a] = SLIP_COULOMB;
    kind[2 * a + 1] = SLIP_ROLLING;
    mu[2 * a] = pile->laws->mu[a];
    mu[2 * a + 1] = 1.0 / 20;
    spinning[2 * a + 1] = 1.0 / 50;
    memcpy(w + (size_t)6 * (size_t)a, pile->w + (size_t)3 * (size_t)a, 3 * sizeof *w);
  }
  laws.kind = kind;
  laws.mu = mu;
  laws.spinning = spinning;
  data.contacts = 2 * nc;
  data.H = (SlipMatrix){SLIP_TRIPLET, pile->H.rows, 6 * nc, used, col, row, x};
  data.w = w;
  data.laws = &laws;
  must(slip_problem_create_global(&data, &problem, &error), &error);
  free(kind);
  free(mu);
  free(spinning);
  free(w);
  free(row);
  free(col);
  free(x);
  return problem;
}

/* Short solves are measured together. */
static const double LEAST_SECONDS = 0.01, MOST_TIMES = 1000;

typedef struct Run {
  double seconds, error;
  long long iterations;
  SlipOutcome outcome;
  double normal; /* mean impulse along the normal */
} Run;

static Run solve(const SlipProblem *problem, double tol, int repeat) {
  SlipSettings *settings;
  SlipError error;
  Run run = {.seconds = INFINITY};
  must(slip_settings_create("auto", &settings, &error), &error);
  must(slip_settings_set_real(settings, "tol", tol, &error), &error);
  must(slip_settings_set_real(settings, "time-limit", 600, &error), &error);
  int times = 1; /* so many solves are one measurement */
  for (int k = 0; k < repeat; k++) {
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

/* The radius of the spheres, from M: I = 2/5 m r^2. */
static double radius_of(const SlipGlobalData *pile) {
  return sqrt(2.5 * pile->M.x[pile->M.p[3]] / pile->M.x[pile->M.p[0]]);
}

static void keep(const SlipProblem *problem, const char *folder, int kind, int32_t contacts) {
  static const char *const files[KINDS] = {"coulomb", "cohesive",   "rounded", "spheroid",
                                           "capped",  "associated", "rolling"};
  char path[512];
  SlipError error;
  SlipWrite content = slip_default_write();
  content.problem = problem;
  snprintf(path, sizeof path, "%s/%s-%d.hdf5", folder, files[kind], (int)contacts);
  must(slip_file_write(path, &content, &error), &error);
}

static int measure(int32_t contacts, double tol, int repeat, const char *folder, const char *law) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *pile;
  SlipError error;
  SlipGlobalData data = slip_default_global_data();
  int slow = 0;
  must(slip_generate_defaults("pile", &options, &error), &error);
  options.contacts = contacts;
  must(slip_generate("pile", &options, &pile, NULL, &error), &error);
  SlipProblem *global = pile;
  if (slip_problem_form(pile) == SLIP_FORM_BODIES)
    must(slip_problem_assemble(pile, &global, &error), &error);
  must(slip_problem_global_data(global, &data, &error), &error);
  Run plain = solve(global, tol, repeat);
  for (int kind = PLAIN; kind < KINDS; kind++) {
    if (law && strcmp(law, names[kind]) != 0)
      continue;
    SlipProblem *problem = kind == ROLLING ? with_rolling(&data, radius_of(&data))
                                           : with_law(&data, (Kind)kind, plain.normal);
    if (folder)
      keep(problem, folder, kind, contacts);
    Run run = kind == PLAIN ? plain : solve(problem, tol, repeat);
    double ratio = run.seconds / plain.seconds;
    printf("%6d  %-20s %-10s error %8.1e  %8lld iterations  %11.6f s  %5.2f\n", (int)data.contacts,
           names[kind], slip_outcome_name(run.outcome), run.error, run.iterations, run.seconds,
           ratio);
    fflush(stdout);
    slow += run.outcome != SLIP_SOLVED || ratio > 2;
    slip_problem_free(problem);
  }
  if (global != pile)
    slip_problem_free(global);
  slip_problem_free(pile);
  return slow;
}

int main(int count, char **arguments) {
  double tol = 1e-6;
  int repeat = 3, slow = 0, sizes = 0;
  const char *folder = NULL, *law = NULL;
  for (int k = 1; k < count; k++) {
    if (strcmp(arguments[k], "--tol") == 0 && k + 1 < count) {
      tol = atof(arguments[++k]);
    } else if (strcmp(arguments[k], "--repeat") == 0 && k + 1 < count) {
      repeat = atoi(arguments[++k]);
    } else if (strcmp(arguments[k], "--keep") == 0 && k + 1 < count) {
      folder = arguments[++k];
    } else if (strcmp(arguments[k], "--law") == 0 && k + 1 < count) {
      law = arguments[++k];
    } else {
      slow += measure((int32_t)atoi(arguments[k]), tol, repeat, folder, law);
      sizes++;
    }
  }
  for (int k = 0; sizes == 0 && k < 3; k++)
    slow += measure((const int32_t[]){300, 1000, 5000}[k], tol, repeat, folder, law);
  printf("%d of the runs are not solved, or took more than twice the plain cone's time\n", slow);
  return slow > 0;
}
