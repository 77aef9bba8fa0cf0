/* What a call costs on tiny problems: bench_tiny [TOL].
 *
 * First, calls per second of `auto` on one contact, the values changing from call to call. Then
 * microseconds of slip_solver_run on ready solvers for 1 to 5 contacts: `auto` against every other
 * method that solves all of these problems. Contacts are open, stick and slip. Processor time, the
 * least of several rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/generate.h>

#include "base/random.h"
#include "data.h"

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

enum { SEEDS = 12, ROUNDS = 5, CALLS = 40, LOOP_PROBLEMS = 300, LOOP_CALLS = 1000000 };
enum { MOST = 15 };                /* unknowns */
static const double SLOWEST = 100; /* a method this many times slower than auto is left out */
static const double MOST_ITERATIONS = 20000;

/* Of this process: other programs may run beside. */
static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(SlipStatus status, const SlipError *error) {
  if (status != SLIP_OK) {
    fprintf(stderr, "%s\n", error->text);
    exit(2);
  }
}

/* W = A A'/m + I/20 with A random, and a solution in which each contact is open, sticks or slips
 * by chance. */
typedef struct Mixed {
  double W[MOST * MOST], q[MOST], mu[MOST];
} Mixed;

static void make_mixed(int32_t d, int32_t contacts, uint64_t seed, Mixed *x) {
  int32_t m = d * contacts;
  double A[MOST * MOST] = {0}, r[MOST] = {0};
  SlipiRandom random;
  slipi_random_seed(&random, seed);
  for (int32_t k = 0; k < m * m; k++)
    A[k] = slipi_random_between(&random, -1, 1);
  for (int32_t i = 0; i < m; i++) {
    for (int32_t j = 0; j < m; j++) {
      x->W[i * m + j] = i == j ? 0.05 : 0;
      for (int32_t k = 0; k < m; k++)
        x->W[i * m + j] += A[i * m + k] * A[j * m + k] / m;
    }
  }
  for (int32_t a = 0; a < contacts; a++) {
    double *u = x->q + (ptrdiff_t)a * d, *ra = r + (ptrdiff_t)a * d;
    double angle = d == 3 ? slipi_random_between(&random, 0, 6.28) : 0;
    double size = slipi_random_between(&random, 0.1, 1),
           share = slipi_random_between(&random, 0, 1);
    double sign = slipi_random_between(&random, -1, 1) < 0 ? -1 : 1;
    int status = (int)slipi_random_between(&random, 0, 3); /* open, stick, slip */
    x->mu[a] = slipi_random_between(&random, 0.2, 1);
    u[0] = status == 0 ? size : 0;
    ra[0] = status == 0 ? 0 : size;
    for (int32_t k = 1; k < d; k++) {
      double e = sign * (k == 1 ? cos(angle) : sin(angle));
      u[k] = status == 1 ? 0 : share * e;
      ra[k] = status == 0 ? 0 : -(status == 1 ? 0.9 * share : 1) * x->mu[a] * size * e;
    }
  }
  for (int32_t i = 0; i < m; i++)
    for (int32_t j = 0; j < m; j++)
      x->q[i] -= x->W[i * m + j] * r[j];
}

static SlipProblem *mixed_problem(int32_t d, int32_t contacts, const Mixed *x) {
  SlipProblem *problem;
  SlipError error;
  SlipMatrix W = {.layout = SLIP_DENSE, .rows = d * contacts, .cols = d * contacts, .x = x->W};
  SlipLocalData data = LOCAL_DATA(.dimension = d, .contacts = contacts, .W = W, .q = x->q,
                                  .laws = LAWS(.mu = x->mu));
  must(slip_problem_create_local(&data, &problem, &error), &error);
  return problem;
}

static SlipProblem *generate(const char *kind, int32_t d, int32_t contacts, uint64_t seed) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  SlipError error;
  if (strcmp(kind, "mixed") == 0) {
    Mixed x;
    make_mixed(d, contacts, seed, &x);
    return mixed_problem(d, contacts, &x);
  }
  must(slip_generate_defaults(kind, &options, &error), &error);
  options.dimension = d;
  options.contacts = contacts;
  options.seed = seed;
  must(slip_generate(kind, &options, &problem, NULL, &error), &error);
  return problem;
}

static SlipSolver *ready(const SlipProblem *problem, const char *method, double tol) {
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  must(slip_settings_create(method, &settings, &error), &error);
  must(slip_settings_set_real(settings, "tol", tol, &error), &error);
  must(slip_settings_set_real(settings, "max-iter", MOST_ITERATIONS, &error), &error);
  SlipStatus status = slip_solver_create(problem, settings, &solver, &error);
  slip_settings_free(settings);
  if (status != SLIP_ERROR_MISMATCH)
    must(status, &error);
  return solver;
}

/* ---- One contact ---- */

typedef enum What { UPDATE_Q, UPDATE_ALL, SOLVE } What;

static SlipOutcome call(What what, const Mixed *one, int32_t d, SlipSolver *solver, double tol,
                        double r[3]) {
  SlipError error;
  SlipOutcome outcome;
  if (what == SOLVE) {
    SlipProblem *problem = mixed_problem(d, 1, one);
    must(slip_solve(problem, tol, r, NULL, &outcome, &error), &error);
    slip_problem_free(problem);
    return outcome;
  }
  SlipUpdate update = *UPDATE(.q = one->q);
  SlipMatrix W = slip_dense(d, d, one->W);
  if (what == UPDATE_ALL) {
    update.W = &W;
    update.mu = one->mu;
  }
  must(slip_solver_update(solver, &update, &error), &error);
  must(slip_solver_run(solver, &error), &error);
  const SlipResult *result = slip_solver_result(solver);
  memcpy(r, result->r, (size_t)d * sizeof *r);
  return result->outcome;
}

static void time_one_contact(int32_t d, double tol) {
  static const char *const names[] = {"new q", "new W, q and mu", "new problem, slip_solve"};
  static Mixed one[LOOP_PROBLEMS];
  for (int k = 0; k < LOOP_PROBLEMS; k++)
    make_mixed(d, 1, (uint64_t)k, &one[k]);
  SlipProblem *problem = mixed_problem(d, 1, &one[0]);
  SlipSolver *solver = ready(problem, "auto", tol);
  for (int what = UPDATE_Q; what <= SOLVE; what++) {
    double least = INFINITY, sum = 0;
    int calls = what == SOLVE ? LOOP_CALLS / 20 : LOOP_CALLS;
    long unsolved = 0;
    for (int round = 0; round < 3; round++) {
      double r[3] = {0}, begun = cpu_seconds();
      unsolved = 0;
      for (int k = 0; k < calls; k++) {
        unsolved += call((What)what, &one[k % LOOP_PROBLEMS], d, solver, tol, r) != SLIP_SOLVED;
        sum += r[0];
      }
      least = fmin(least, cpu_seconds() - begun);
    }
    printf("%dD, one contact, %-24s %10.0f calls per second, %ld of %d not solved (%.3g)\n", (int)d,
           names[what], calls / least, unsolved, calls, sum);
    fflush(stdout);
  }
  slip_solver_free(solver);
  slip_problem_free(problem);
}

/* ---- One to five contacts ---- */

/* Microseconds of a run; INFINITY when it does not solve the problem. */
static double time_run(SlipSolver *solver, double longest) {
  SlipError error;
  double least = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    double begun = cpu_seconds(), taken = 0;
    int calls = 0;
    while (calls < CALLS && taken < longest) {
      must(slip_solver_run(solver, &error), &error);
      calls++;
      taken = calls % 4 == 1 ? cpu_seconds() - begun : taken;
    }
    least = fmin(least, (cpu_seconds() - begun) / calls);
    if (slip_solver_result(solver)->outcome != SLIP_SOLVED || taken >= longest)
      break;
  }
  return slip_solver_result(solver)->outcome == SLIP_SOLVED ? 1e6 * least : INFINITY;
}

static void compare(const char *kind, int32_t d, int32_t contacts, double tol) {
  SlipProblem *problem[SEEDS];
  double own[SEEDS], best[SEEDS], total = 0, least_total = INFINITY, logs = 0, worst = 0;
  const char *winner = "none", *worst_winner = "none", *by[SEEDS];
  for (int k = 0; k < SEEDS; k++) {
    problem[k] = generate(kind, d, contacts, (uint64_t)k + 1);
    SlipSolver *solver = ready(problem[k], "auto", tol);
    own[k] = time_run(solver, INFINITY);
    total += own[k];
    best[k] = INFINITY;
    slip_solver_free(solver);
  }
  for (int j = 0; j < slip_method_count(); j++) {
    const SlipMethodInfo *info = slip_method_info(j);
    double sum = 0;
    if (info->associated || strcmp(info->name, "auto") == 0)
      continue;
    for (int k = 0; k < SEEDS; k++) {
      SlipSolver *solver = ready(problem[k], info->name, tol);
      double time = solver ? time_run(solver, SLOWEST * 1e-6 * own[k]) : INFINITY;
      sum += time;
      if (time < best[k]) {
        best[k] = time;
        by[k] = info->name;
      }
      slip_solver_free(solver);
    }
    if (sum < least_total) {
      least_total = sum;
      winner = info->name;
    }
  }
  for (int k = 0; k < SEEDS; k++) {
    logs += log(own[k] / best[k]);
    if (own[k] / best[k] > worst) {
      worst = own[k] / best[k];
      worst_winner = by[k];
    }
    slip_problem_free(problem[k]);
  }
  printf("%-12s %dD %d contacts: auto %8.2f us, %-16s %8.2f us, ratio %5.2f; to the best of each "
         "problem: mean %5.2f, worst %5.2f (%s)\n",
         kind, (int)d, (int)contacts, total / SEEDS, winner, least_total / SEEDS,
         total / least_total, exp(logs / SEEDS), worst, worst_winner);
  fflush(stdout);
}

int main(int argc, char **argv) {
  double tol = argc > 1 ? strtod(argv[1], NULL) : 1e-8;
  static const char *const kinds[] = {"mixed", "deficient", "unsymmetric", "stack"};
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  for (int32_t d = 2; d <= 3; d++)
    time_one_contact(d, tol);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int32_t d = 2; d <= 3; d++)
      for (int32_t contacts = 1; contacts <= 5; contacts++)
        compare(kinds[k], d, contacts, tol);
  return 0;
}
