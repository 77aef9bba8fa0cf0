/* A ball thrown along the ground, stepped in time with one solver that follows: it slides, is
 * turned by friction, and rolls at 5/7 of its first speed, whatever the friction. */
#include <slipcone/slipcone.h>
#include <stdio.h>

int main(void) {
  enum { STEPS = 2000 };
  const double h = 1e-3, g = 9.81, radius = 0.1, mass = 2, inertia = 0.4 * mass * radius * radius;
  const double friction = 0.3;
  double v[6] = {0, 0, 0, 0, 0, 0}, f[6], M[36] = {0}; /* velocity, then spin, in world axes */
  for (int k = 0; k < 6; k++)
    M[7 * k] = k < 3 ? mass : inertia;
  v[0] = 5;

  /* One contact of body 0 with the ground: normal z, tangents x and y. The point of contact has the
   * velocity v + spin x (0, 0, -radius). */
  const int32_t body[2] = {0, -1};
  const uint64_t key = 1; /* the same contact in every step: warm starts find it again */
  const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  const double H[2 * 18] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -radius, 0, 0, 1, 0, radius, 0, 0};
  SlipLaws laws = slip_default_laws();
  laws.mu = &friction;
  SlipBodiesData data = slip_default_bodies_data();
  data.dimension = 3;
  data.bodies = 1;
  data.contacts = 1; /* changes from step to step as bodies meet and part */
  data.M = M;
  data.body = body;
  data.H = H;
  data.f = f;
  data.laws = &laws;
  data.key = &key;
  data.frame = frame;

  SlipProblem *problem = NULL;
  SlipSolver *solver = NULL;
  SlipError error;
  for (int step = 0; step < STEPS; step++) {
    for (int k = 0; k < 6; k++) /* M v_new = M v + h force + H r */
      f[k] = M[7 * k] * v[k] - (k == 2 ? h * mass * g : 0);
    SlipStatus status;
    if (step == 0) {
      status = slip_problem_create_bodies(&data, &problem, &error);
      if (!status)
        status = slip_solver_create(problem, NULL, &solver, &error);
    } else { /* nothing is allocated from here on */
      status = slip_problem_set_bodies(problem, &data, &error);
      if (!status)
        status = slip_solver_set_problem(solver, problem, &error);
      if (!status)
        status = slip_solver_warm_start_last(solver, &error);
    }
    if (!status)
      status = slip_solver_run(solver, &error);
    if (status)
      return fprintf(stderr, "step %d: %s\n", step, error.text), 1;
    const SlipResult *result = slip_solver_result(solver);
    if (result->outcome != SLIP_SOLVED)
      return fprintf(stderr, "step %d: %s\n", step, result->reason), 1;
    for (int k = 0; k < 6; k++)
      v[k] = result->v[k];
  }
  printf("speed %.6f, of the first %.6f (5/7 is %.6f)\n", v[0], v[0] / 5, 5.0 / 7);
  slip_solver_free(solver);
  slip_problem_free(problem);
}
