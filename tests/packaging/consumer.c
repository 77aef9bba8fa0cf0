/* A user's program: one contact that slides, W = I, q = (-1, 0.8, 0), mu = 1/2. The impulse is
 * (1, -0.5, 0) by hand. */
#include <math.h>
#include <slipcone/slipcone.h>

int main(void) {
  double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.8, 0}, mu = 0.5, r[3];
  SlipLaws laws = slip_default_laws();
  SlipLocalData data = slip_default_local_data();
  laws.mu = &mu;
  data.dimension = 3;
  data.contacts = 1;
  data.W = slip_dense(3, 3, W);
  data.q = q;
  data.laws = &laws;
  SlipProblem *problem;
  SlipOutcome outcome;
  if (slip_problem_create_local(&data, &problem, 0) ||
      slip_solve(problem, 1e-12, r, 0, &outcome, 0))
    return 1;
  slip_problem_free(problem);
  return outcome == SLIP_SOLVED && hypot(hypot(r[0] - 1, r[1] + 0.5), r[2]) < 1e-11 ? 0 : 2;
}
