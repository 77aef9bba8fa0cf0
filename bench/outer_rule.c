/* What the outer stopping rule of Acary, Cadoux, Lemaréchal, Malick (2011), eq. 6.1, asks of a
 * step:
 *
 *   cmake --build build --target bench_outer_rule
 *   build/tests/bench_outer_rule SCENE.yaml EPSILON [NAME=VALUE...]
 *
 * The rule ends the fixed point on s = g(u) where |F(s) - s| / (n (|s| + 1)) <= EPSILON. With
 * subproblems solved exactly r and u solve the problem up to the difference F(s) - s in the normal
 * velocities, so that the natural-map error is about |F(s) - s| / |q|, and the rule is a tolerance
 * of n EPSILON (|s| + 1) / |q|. A line for every third step with contacts: step, contacts, |s|,
 * |q|, that tolerance without the factor n, and with it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/scene.h>
#include <slipcone/sim.h>

enum { VALUES_MOST = 32, EVERY = 3 };

static void must(SlipStatus status, const SlipError *error) {
  if (status == SLIP_OK)
    return;
  fprintf(stderr, "outer_rule: %s\n", error->text);
  exit(2);
}

/* |s| of the solution: mu |u_T| of all contacts. */
static double length_of_s(const SlipLocalData *data, const double *u) {
  double sum = 0;
  for (int32_t c = 0; c < data->contacts; c++)
    for (int k = 1; k < data->dimension; k++) {
      double s = data->laws->mu[c] * u[(int64_t)c * data->dimension + k];
      sum += s * s;
    }
  return sqrt(sum);
}

static void print_step(SlipSim *sim, double epsilon) {
  SlipProblem *local = NULL;
  SlipLocalData data = slip_default_local_data();
  SlipError error;
  double sum = 0;
  must(slip_problem_reduce(slip_sim_problem(sim), &local, &error), &error);
  must(slip_problem_local_data(local, &data, &error), &error);
  for (int64_t k = 0; k < (int64_t)data.contacts * data.dimension; k++)
    sum += data.q[k] * data.q[k];
  double s = length_of_s(&data, slip_sim_result(sim)->u);
  double tol = epsilon * (s + 1) / sqrt(sum);
  printf("%" PRId64 " %" PRId32 " %.3g %.3g %.2e %.2e\n", slip_sim_steps(sim), data.contacts, s,
         sqrt(sum), tol, tol * data.contacts);
  slip_problem_free(local);
}

int main(int argc, char **argv) {
  SlipOptionValue values[VALUES_MOST];
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene = NULL;
  SlipSim *sim = NULL;
  SlipError error;
  if (argc < 3 || argc > 3 + VALUES_MOST) {
    fprintf(stderr, "outer_rule: SCENE.yaml EPSILON [NAME=VALUE...] is wanted\n");
    return 2;
  }
  for (int k = 3; k < argc; k++) {
    char *equals = strchr(argv[k], '=');
    if (!equals) {
      fprintf(stderr, "outer_rule: NAME=VALUE is wanted, not '%s'\n", argv[k]);
      return 2;
    }
    *equals = '\0';
    values[k - 3] = (SlipOptionValue){.name = argv[k], .value = equals + 1};
  }
  options.set = values;
  options.set_count = argc - 3;
  must(slip_scene_read(argv[1], &options, &scene, &error), &error);
  must(slip_scene_build(scene, &sim, &error), &error);
  while (slip_sim_steps(sim) < scene->steps) {
    must(slip_sim_step(sim, NULL, &error), &error);
    if (slip_sim_problem(sim) && slip_sim_steps(sim) % EVERY == 0)
      print_step(sim, atof(argv[2]));
  }
  slip_sim_free(sim);
  slip_scene_free(scene);
  return 0;
}
