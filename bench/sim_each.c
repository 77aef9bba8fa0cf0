/* The steps of a scene, one line each: for tables and figures of simulations.
 *
 *   cmake --build build --target bench_sim_each
 *   build/tests/bench_sim_each SCENE.yaml [NAME=VALUE...]
 *
 * NAME is a path of the scene, as in `slipcone sim --set`. Columns: step, contacts, iterations,
 * error, milliseconds of the step, of collision, of set-up and of solving, of processor time of
 * the step, of projection, and of all the rest. Ends with the first step that fails. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/scene.h>
#include <slipcone/sim.h>

enum { VALUES_MOST = 32 };

static int complain(const char *text) {
  fprintf(stderr, "sim_each: %s\n", text);
  return 2;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_step(const SlipStepInfo *info, double cpu) {
  double rest = info->seconds - info->seconds_collide - info->seconds_set_up - info->seconds_solve -
                info->seconds_project;
  printf("%" PRId64 " %" PRId32 " %" PRId64 " %.3g %.4f %.4f %.4f %.4f %.4f %.4f %.4f\n",
         info->step, info->contacts, info->iterations, info->residual, 1e3 * info->seconds,
         1e3 * info->seconds_collide, 1e3 * info->seconds_set_up, 1e3 * info->seconds_solve,
         1e3 * cpu, 1e3 * info->seconds_project, 1e3 * rest);
}

static int run(const SlipScene *scene) {
  SlipSim *sim = NULL;
  SlipError error;
  if (slip_scene_build(scene, &sim, &error) != SLIP_OK)
    return complain(error.text);
  SlipStatus status = SLIP_OK;
  while (status == SLIP_OK && slip_sim_steps(sim) < scene->steps) {
    SlipStepInfo info = slip_default_step_info();
    double begun = cpu_seconds();
    status = slip_sim_step(sim, &info, &error);
    if (status == SLIP_OK)
      print_step(&info, cpu_seconds() - begun);
  }
  slip_sim_free(sim);
  return status == SLIP_OK ? 0 : complain(error.text);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* a run that is cut short has its lines */
  SlipOptionValue values[VALUES_MOST];
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene = NULL;
  SlipError error;
  if (argc < 2 || argc > 2 + VALUES_MOST)
    return complain("SCENE.yaml [NAME=VALUE...] is wanted");
  for (int k = 2; k < argc; k++) {
    char *equals = strchr(argv[k], '=');
    if (!equals)
      return complain("NAME=VALUE is wanted");
    *equals = '\0';
    values[k - 2] = (SlipOptionValue){.name = argv[k], .value = equals + 1};
  }
  options.set = values;
  options.set_count = argc - 2;
  if (slip_scene_read(argv[1], &options, &scene, &error) != SLIP_OK)
    return complain(error.text);
  int code = run(scene);
  slip_scene_free(scene);
  return code;
}
