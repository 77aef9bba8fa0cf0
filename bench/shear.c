/* A shear box step by step, one line each: for the figures of a compaction and shear test.
 *
 *   cmake --build build --target bench_shear
 *   build/tests/bench_shear SCENE.yaml [NAME=VALUE...]
 *
 * The scene has bodies of the names floor, upper and load; NAME is a path of it, as in `slipcone
 * sim
 * --set`. Columns: time, height of the load, force on the floor, force that resists the motion of
 * the upper half along x (its own contacts and, since the load slides within it, those of the
 * load), weight of all free bodies, contacts, iterations, natural-map error, milliseconds of
 * processor time. The environment may name a file, SPEEDS: at SPEEDS_AT seconds the places, radii
 * and velocities of all spheres are written there, a line each. Ends with the first step that
 * fails. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/scene.h>
#include <slipcone/sim.h>

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

enum { VALUES_MOST = 32 };

static int complain(const char *text) {
  fprintf(stderr, "shear: %s\n", text);
  return 2;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The impulses that contacts give a body in the last step, along one axis. */
static double impulse_on(const SlipSimState *state, int32_t slot, int axis) {
  double sum = 0;
  for (int32_t k = 0; k < state->contacts; k++) {
    const SlipSimContact *contact = &state->contact[k];
    sum += contact->bodies[0] == slot ? contact->impulse[axis] : 0;
    sum -= contact->bodies[1] == slot ? contact->impulse[axis] : 0;
  }
  return sum;
}

static double total_mass(const SlipSim *sim, const SlipSimState *state) {
  double sum = 0, mass, centre[3];
  for (int32_t slot = 0; slot < state->bodies; slot++) {
    if (slip_sim_mass(sim, slip_sim_body_at(sim, slot), &mass, centre, NULL) == SLIP_OK)
      sum += mass;
  }
  return sum;
}

static void write_speeds(const SlipSim *sim, const SlipSimState *state, const char *path) {
  FILE *file = fopen(path, "w");
  for (int32_t k = 0; file && k < slip_sim_shape_count(sim); k++) {
    SlipShapeDef def = slip_default_shape_def();
    int32_t slot;
    if (slip_sim_shape(sim, k, &def, &slot, NULL) != SLIP_OK || def.kind != SLIP_SHAPE_SPHERE)
      continue;
    const double *x = state->position + 3 * (ptrdiff_t)slot;
    const double *v = state->velocity + 3 * (ptrdiff_t)slot;
    fprintf(file, "%.6g %.6g %.6g %.6g %.6g %.6g %.6g\n", x[0], x[1], x[2], def.radius, v[0], v[1],
            v[2]);
  }
  if (!file || fclose(file) != 0)
    complain("the speeds cannot be written");
}

static void print_step(SlipSim *sim, const SlipSimState *state, const SlipStepInfo *info, double h,
                       double seconds) {
  int32_t floor = slip_sim_find_body(sim, "floor").index;
  int32_t upper = slip_sim_find_body(sim, "upper").index;
  int32_t load = slip_sim_find_body(sim, "load").index;
  printf("%.6g %.6f %.4f %.4f %.4f %" PRId32 " %" PRId64 " %.3g %.3f\n", state->time,
         state->position[3 * (ptrdiff_t)load + 2], -impulse_on(state, floor, 2) / h,
         -(impulse_on(state, upper, 0) + impulse_on(state, load, 0)) / h,
         9.81 * total_mass(sim, state), info->contacts, info->iterations, info->residual,
         1e3 * seconds);
}

static int run(const SlipScene *scene) {
  SlipSim *sim = NULL;
  SlipError error;
  const char *speeds = getenv("SPEEDS"), *at = getenv("SPEEDS_AT");
  double speeds_at = at ? strtod(at, NULL) : HUGE_VAL, last = 0;
  if (slip_scene_build(scene, &sim, &error) != SLIP_OK)
    return complain(error.text);
  SlipStatus status = SLIP_OK;
  while (status == SLIP_OK && slip_sim_steps(sim) < scene->steps) {
    SlipStepInfo info = slip_default_step_info();
    SlipSimState state = slip_default_sim_state();
    double begun = cpu_seconds();
    status = slip_sim_step(sim, &info, &error);
    double seconds = cpu_seconds() - begun;
    if (status == SLIP_OK)
      status = slip_sim_state(sim, &state, &error);
    if (status != SLIP_OK)
      break;
    print_step(sim, &state, &info, state.time - last, seconds);
    if (speeds && last < speeds_at - 1e-9 && state.time >= speeds_at - 1e-9)
      write_speeds(sim, &state, speeds);
    last = state.time;
  }
  slip_sim_free(sim);
  return status == SLIP_OK ? 0 : complain(error.text);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* a run that is cut short has its lines */
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
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
