/* A block of unit mass on the ground, pushed sideways: does it slide? */
#include <slipcone/slipcone.h>
#include <stdio.h>

int main(void) {
  double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.8, 0}, mu = 0.5, r[3], u[3];
  SlipLaws laws = slip_default_laws();
  laws.mu = &mu;
  SlipLocalData data = slip_default_local_data();
  data.dimension = 3;
  data.contacts = 1;
  data.W = slip_dense(3, 3, W);
  data.q = q;
  data.laws = &laws;
  SlipProblem *problem;
  SlipOutcome outcome;
  SlipError error;
  if (slip_problem_create_local(&data, &problem, &error) ||
      slip_solve(problem, 1e-12, r, u, &outcome, &error))
    return fprintf(stderr, "%s\n", error.text), 1;
  printf("%s: impulse (%g, %g, %g)\n", slip_outcome_name(outcome), r[0], r[1], r[2]);
  printf("sliding velocity (%g, %g)\n", u[1], u[2]);
  slip_problem_free(problem);
}
