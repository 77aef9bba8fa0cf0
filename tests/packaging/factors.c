/* Solve a pile by a method that factors matrices: exit status 0 where it is solved. */
#include <slipcone/generate.h>
#include <slipcone/slipcone.h>
#include <stdio.h>

int main(void) {
  SlipGenerate options = slip_default_generate();
  SlipProblem *problem = NULL;
  SlipSettings *settings = NULL;
  SlipSolver *solver = NULL;
  SlipError error;
  if (slip_generate_defaults("pile", &options, &error) ||
      slip_generate("pile", &options, &problem, NULL, &error) ||
      slip_settings_create("alm", &settings, &error) ||
      slip_solver_create(problem, settings, &solver, &error) || slip_solver_run(solver, &error))
    return fprintf(stderr, "%s\n", error.text), 2;
  int solved = slip_solver_result(solver)->outcome == SLIP_SOLVED;
  slip_solver_free(solver);
  slip_settings_free(settings);
  slip_problem_free(problem);
  return solved ? 0 : 1;
}
