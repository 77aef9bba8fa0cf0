/* New q and a run on one contact, in C: microseconds each, the least of many rounds. What the
 * Python package adds to this is measured by test_overhead.py. */
#include <slipcone/slipcone.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 60, CALLS = 20000 };

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static SlipSolver *make_solver(SlipProblem **problem, SlipError *error) {
  static const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.8, 0}, mu = 0.5;
  SlipLaws laws = slip_default_laws();
  laws.mu = &mu;
  SlipLocalData data = slip_default_local_data();
  data.dimension = 3;
  data.contacts = 1;
  data.W = slip_dense(3, 3, W);
  data.q = q;
  data.laws = &laws;
  SlipSolver *solver = NULL;
  if (slip_problem_create_local(&data, problem, error) == SLIP_OK)
    slip_solver_create(*problem, NULL, &solver, error);
  return solver;
}

int main(void) {
  SlipProblem *problem;
  SlipError error;
  SlipSolver *solver = make_solver(&problem, &error);
  double q[] = {-1, 0.7, 0.1}, least = 1;
  SlipUpdate update = slip_default_update();
  update.q = q;
  if (!solver)
    return fprintf(stderr, "%s\n", error.text), 1;
  for (int round = 0; round < ROUNDS; round++) {
    double began = processor_seconds();
    for (int k = 0; k < CALLS; k++)
      if (slip_solver_update(solver, &update, &error) || slip_solver_run(solver, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    double seconds = (processor_seconds() - began) / CALLS;
    least = seconds < least ? seconds : least;
  }
  printf("%.4f\n", least * 1e6);
  slip_solver_free(solver);
  slip_problem_free(problem);
}
