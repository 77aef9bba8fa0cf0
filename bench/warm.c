/* Does a warm start pay? bench_warm METHOD TOL SECONDS contacts|bodies FILE...
 *
 * Each problem is solved and then changed: mu of each contact by up to 1 %, and q of each contact
 * by up to 1 % (contacts), or q by other forces on the bodies, 1 % of it in norm (bodies). The
 * changed problem is solved cold and from the old solution; of short runs the least of some counts:
 * the solver is one that earlier steps have made ready. One line for each folder: problems,
 * sweeps, factorisations and processor time in the geometric mean, cold and warm, and how often
 * warm was not cheaper (in time, by more than a tenth).
 *
 *   cmake --build build --target bench_warm && build/tests/bench_warm auto 1e-8 5 bodies FILES */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/io.h>

#include "base/random.h"
#include "data.h"

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

static const double PERTURBATION = 0.01;
enum { REPEATS = 5 };
static const double LONG = 0.05; /* seconds after which runs are not repeated */

/* What a run took: iterations of Gauss-Seidel, of the methods that factor, and seconds. */
typedef struct Cost {
  double sweeps, factorisations, seconds;
  int solved;
} Cost;

typedef struct Family {
  char name[128];
  int problems, cold_only, warm_only, neither, dearer;
  double logs[6]; /* of cold and warm: sweeps + 1, factorisations + 1, seconds */
} Family;

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Iterations of a method, summed over the stages in the reason of `auto`: "... (stage 50 method,
 * stage 24 method)". */
static double iterations_of(const char *reason, const char *method) {
  char used[32];
  double iterations, sum = 0;
  const char *list = strrchr(reason, '(');
  for (const char *at = list; at; at = strchr(at + 1, ',')) {
    if (sscanf(at + 1, " %*s %lf %31[^,)]", &iterations, used) == 2 && strcmp(used, method) == 0)
      sum += iterations;
  }
  return sum;
}

/* From r, or cold where it is NULL. */
static SlipStatus run(SlipSolver *solver, const double *r, Cost *cost, SlipError *error) {
  SlipStatus status = SLIP_OK;
  double total = 0;
  cost->seconds = INFINITY;
  for (int k = 0; status == SLIP_OK && k < REPEATS && total < LONG; k++) {
    if (r)
      status = slip_solver_warm_start(solver, r, error);
    double begun = cpu_seconds();
    if (status == SLIP_OK)
      status = slip_solver_run(solver, error);
    double seconds = cpu_seconds() - begun;
    cost->seconds = fmin(cost->seconds, seconds);
    total += seconds;
  }
  const SlipResult *result = slip_solver_result(solver);
  cost->solved = result->outcome == SLIP_SOLVED;
  cost->sweeps = iterations_of(result->reason, "nsgs") +
                 iterations_of(result->reason, "nsgs-accelerated") +
                 iterations_of(result->reason, "few");
  cost->factorisations = iterations_of(result->reason, "alm") +
                         iterations_of(result->reason, "ipm") +
                         iterations_of(result->reason, "arc");
  if (strcmp(result->method, "auto") != 0) /* of other methods all are taken for sweeps */
    cost->sweeps = (double)result->iterations;
  return status;
}

/* q + W x with x random, of 1 % of |q|: what other forces on the bodies would do. */
static void push(const SlipLocalData *data, SlipiRandom *random, double *q, double *x) {
  double sum = 0, old = 0;
  for (int32_t k = 0; k < data->W.rows; k++)
    x[k] = slipi_random_between(random, -1, 1);
  for (int32_t row = 0; row < data->W.rows; row++) {
    q[row] = 0;
    for (int32_t k = data->W.p[row]; k < data->W.p[row + 1]; k++)
      q[row] += data->W.x[k] * x[data->W.i[k]];
    sum += q[row] * q[row];
    old += data->q[row] * data->q[row];
  }
  for (int32_t row = 0; row < data->W.rows; row++)
    q[row] = data->q[row] + (sum > 0 ? PERTURBATION * sqrt(old / sum) * q[row] : 0);
}

static SlipStatus perturb(SlipSolver *solver, const SlipProblem *problem, int bodies,
                          SlipError *error) {
  SlipLocalData data = slip_default_local_data();
  SlipStatus status = slip_problem_local_data(problem, &data, error);
  if (status != SLIP_OK)
    return status;
  size_t d = (size_t)data.dimension, nc = (size_t)data.contacts;
  double *q = malloc(d * nc * sizeof *q), *mu = malloc(nc * sizeof *mu);
  double *x = malloc(d * nc * sizeof *x);
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  int made = q && mu && x;
  for (size_t c = 0; made && c < nc; c++) {
    double factor = 1 + PERTURBATION * slipi_random_between(&random, -1, 1);
    mu[c] = data.laws->mu[c] * (1 + PERTURBATION * slipi_random_between(&random, -1, 1));
    for (size_t k = d * c; k < d * (c + 1); k++)
      q[k] = factor * data.q[k];
  }
  if (made && bodies)
    push(&data, &random, q, x);
  if (made)
    status = slip_solver_update(solver, UPDATE(.q = q, .mu = mu), error);
  free(q);
  free(mu);
  free(x);
  return status;
}

/* Solve, perturb, solve cold and warm; false when the problem itself is not solved. */
static int measure(const char *path, char **rule, Cost cost[2], SlipError *error) {
  SlipFile *file = NULL;
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  Cost first = {0};
  double *r = NULL;
  int done = !slip_file_read(path, SLIP_WANT_LOCAL, &file, error) &&
             !slip_settings_create(rule[0], &settings, error) &&
             !slip_settings_set(settings, "tol", rule[1], error) &&
             !slip_settings_set(settings, "time-limit", rule[2], error) &&
             !slip_solver_create(file->problem, settings, &solver, error) &&
             !run(solver, NULL, &first, error) && first.solved;
  if (done) {
    size_t bytes = (size_t)slip_problem_contacts(file->problem) *
                   (size_t)slip_problem_dimension(file->problem) * sizeof *r;
    r = malloc(bytes);
    done = r != NULL;
    if (done)
      memcpy(r, slip_solver_result(solver)->r, bytes);
  }
  done = done && !perturb(solver, file->problem, !strcmp(rule[3], "bodies"), error) &&
         !run(solver, NULL, &cost[0], error) && !run(solver, r, &cost[1], error);
  free(r);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_file_free(file);
  return done;
}

static void add(Family *family, const Cost cost[2]) {
  if (!cost[0].solved || !cost[1].solved) {
    family->cold_only += cost[0].solved;
    family->warm_only += cost[1].solved;
    family->neither += !cost[0].solved && !cost[1].solved;
    return;
  }
  family->problems++;
  family->dearer += cost[1].seconds > 1.1 * cost[0].seconds;
  for (int k = 0; k < 2; k++) {
    family->logs[3 * k] += log1p(cost[k].sweeps);
    family->logs[3 * k + 1] += log1p(cost[k].factorisations);
    family->logs[3 * k + 2] += log(cost[k].seconds);
  }
}

static void print(const Family *f) {
  double mean[6];
  int n = f->problems > 0 ? f->problems : 1;
  for (int k = 0; k < 6; k++)
    mean[k] = k % 3 == 2 ? exp(f->logs[k] / n) : expm1(f->logs[k] / n);
  printf("| %s | %d | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %d | %d, %d, %d |\n",
         f->name, f->problems, mean[0], mean[3], mean[1], mean[4], 1e3 * mean[2], 1e3 * mean[5],
         mean[5] / mean[2], f->dearer, f->cold_only, f->warm_only, f->neither);
  fflush(stdout);
}

/* The folder a file is in. */
static void family_name(const char *path, char *name, size_t size) {
  const char *end = strrchr(path, '/'), *begin = end;
  while (begin && begin > path && begin[-1] != '/')
    begin--;
  snprintf(name, size, "%.*s", begin ? (int)(end - begin) : 1, begin ? begin : ".");
}

int main(int argc, char **argv) {
  Family family = {.name = ""};
  if (argc < 6) {
    fprintf(stderr, "bench_warm METHOD TOL SECONDS contacts|bodies FILE...\n");
    return 2;
  }
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  printf("| family | problems | sweeps cold | warm | factorisations cold | warm | ms cold | warm | "
         "warm/cold | dearer | solved cold only, warm only, neither |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int k = 5; k < argc; k++) {
    char name[sizeof family.name];
    Cost cost[2];
    SlipError error;
    family_name(argv[k], name, sizeof name);
    if (strcmp(name, family.name) != 0) {
      if (k > 5)
        print(&family);
      family = (Family){0};
      memcpy(family.name, name, sizeof name);
    }
    if (measure(argv[k], argv + 1, cost, &error))
      add(&family, cost);
  }
  print(&family);
  return 0;
}
