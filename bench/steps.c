/* What a step of a simulation costs beside its run: a pile told body by body, in one solver that
 * follows, against a problem and a solver made anew; microseconds, least of many, one thread.
 *
 *   cmake --build build --target bench_steps && build/tests/bench_steps [contacts [steps]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <slipcone/generate.h>

#include "base/clock.h"
#include "base/random.h"
#include "bodies_data.h"

static const double tol = 1e-4;

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "%s\n", error->text);
  exit(2);
}

static SlipProblem *make_pile(int32_t contacts) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem;
  SlipError error;
  must(slip_generate_defaults("pile", &options, &error), &error);
  options.contacts = contacts;
  must(slip_generate("pile", &options, &problem, NULL, &error), &error);
  return problem;
}

/* Forces that change a little from step to step. */
static void change(BodiesData *bodies, const double *f, SlipiRandom *random) {
  for (int32_t k = 0; k < 6 * bodies->data.bodies; k++)
    bodies->f[k] = f[k] * slipi_random_between(random, 0.99, 1.01);
}

/* Problem and solver made anew in global form, as a program without a solver that follows does. */
static double time_anew(const SlipProblem *pile, const SlipSettings *settings) {
  SlipGlobalData data = slip_default_global_data();
  SlipError error;
  double least = INFINITY;
  must(slip_problem_global_data(pile, &data, &error), &error);
  for (int k = 0; k < 50; k++) {
    SlipProblem *problem;
    SlipSolver *solver;
    double begun = slipi_clock_seconds();
    must(slip_problem_create_global(&data, &problem, &error), &error);
    must(slip_solver_create(problem, settings, &solver, &error), &error);
    least = fmin(least, slipi_clock_seconds() - begun);
    slip_solver_free(solver);
    slip_problem_free(problem);
  }
  return least;
}

int main(int argc, char **argv) {
  int32_t contacts = argc > 1 ? atoi(argv[1]) : 1000;
  int steps = argc > 2 ? atoi(argv[2]) : 300;
  SlipProblem *pile = make_pile(contacts), *problem;
  SlipSettings *settings;
  SlipSolver *solver;
  SlipError error;
  BodiesData bodies;
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  bodies_data_of(pile, &bodies);
  double *f = malloc((size_t)(6 * bodies.data.bodies) * sizeof *f);
  for (int32_t k = 0; f && k < 6 * bodies.data.bodies; k++)
    f[k] = bodies.f[k];
  must(slip_settings_create(NULL, &settings, &error), &error);
  must(slip_settings_set_real(settings, "tol", tol, &error), &error);
  double anew = time_anew(pile, settings);
  must(slip_problem_create_bodies(&bodies.data, &problem, &error), &error);
  must(slip_solver_create(problem, settings, &solver, &error), &error);
  must(slip_solver_run(solver, &error), &error);
  double least[3] = {INFINITY, INFINITY, INFINITY}, runs = 0, set_ups = 0;
  for (int k = 0; f && k < steps; k++) {
    change(&bodies, f, &random);
    double t0 = slipi_clock_seconds();
    must(slip_problem_set_bodies(problem, &bodies.data, &error), &error);
    double t1 = slipi_clock_seconds();
    must(slip_solver_set_problem(solver, problem, &error), &error);
    double t2 = slipi_clock_seconds();
    must(slip_solver_warm_start_last(solver, &error), &error);
    double t3 = slipi_clock_seconds();
    must(slip_solver_run(solver, &error), &error);
    runs += slipi_clock_seconds() - t3;
    set_ups += t3 - t0;
    least[0] = fmin(least[0], t1 - t0);
    least[1] = fmin(least[1], t2 - t1);
    least[2] = fmin(least[2], t3 - t2);
  }
  double set_up = least[0] + least[1] + least[2];
  printf("%d contacts, %d bodies\n", bodies.data.contacts, bodies.data.bodies);
  printf("problem and solver anew   %8.1f us\n", 1e6 * anew);
  printf("set-up of a step          %8.1f us = problem %.1f + solver %.1f + warm start %.1f\n",
         1e6 * set_up, 1e6 * least[0], 1e6 * least[1], 1e6 * least[2]);
  printf("mean set-up and run       %8.1f us and %.1f us (tol %g, warm): %.1f %%\n",
         1e6 * set_ups / steps, 1e6 * runs / steps, tol, 100 * set_ups / runs);
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
  slip_problem_free(pile);
  bodies_data_free(&bodies);
  free(f);
  return 0;
}
