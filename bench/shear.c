/* A shear box step by step, one line each: for the figures of a compaction and shear test.
 *
 *   cmake --build build --target bench_shear
 *   build/tests/bench_shear SCENE.yaml [NAME=VALUE...]
 *
 * The scene has bodies of the names floor, upper and load; NAME is a path of it, as in
 * `slipcone sim --set`. Columns: time, height of the load, force on the floor, force that resists
 * the motion of the upper half along x (its own contacts and, since the load slides within it,
 * those of the load), weight of all free bodies, contacts, iterations, natural-map error,
 * milliseconds of processor time, and, where the environment has COLD=1, the iterations that the
 * same problem takes from zero and from the impulses of the step before (a step may solve more than
 * one problem). The environment may say FILL_UNTIL and FILL_TOL: up to that time steps are solved
 * by `auto` to this tolerance, which prepares the sample; and name a file, SPEEDS: at SPEEDS_AT
 * seconds the places, radii and velocities of all spheres are written there, a line each. Ends with
 * the first step that fails. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/scene.h>
#include <slipcone/sim.h>

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

enum { VALUES_MOST = 32 };

typedef struct Wishes {
  const char *scene, *speeds;
  double fill_until, speeds_at;
  SlipSettings *cold; /* those of the scene's solver, to start from zero; NULL: not asked for */
  SlipSolver *warm, *zero;
  SlipOptionValue values[VALUES_MOST + 2]; /* those of the fill come last */
  int32_t value_count;
} Wishes;

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

/* The solver's values among those wished for: solver.tol is tol. */
static SlipStatus settings_of(Wishes *wishes, SlipError *error) {
  static const char prefix[] = "solver.";
  const char *method = "auto";
  for (int32_t k = 0; k < wishes->value_count; k++) {
    if (strcmp(wishes->values[k].name, "solver.method") == 0)
      method = wishes->values[k].value;
  }
  SlipStatus status = slip_settings_create(method, &wishes->cold, error);
  for (int32_t k = 0; k < wishes->value_count && status == SLIP_OK; k++) {
    const char *name = wishes->values[k].name;
    if (strncmp(name, prefix, strlen(prefix)) == 0 && strcmp(name, "solver.method") != 0)
      status =
          slip_settings_set(wishes->cold, name + strlen(prefix), wishes->values[k].value, error);
  }
  return status;
}

/* The iterations that the problem of the last step takes, from zero or from the impulses of the one
 * before; -1 where it is not solved. */
static int64_t count_iterations(const Wishes *wishes, const SlipSim *sim, bool from_last,
                                SlipSolver **solver) {
  const SlipProblem *problem = slip_sim_problem(sim);
  SlipStatus status = SLIP_OK;
  if (!problem)
    return 0;
  if (!*solver)
    status = slip_solver_create(problem, wishes->cold, solver, NULL);
  else
    status = slip_solver_set_problem(*solver, problem, NULL);
  if (status == SLIP_OK && from_last)
    status = slip_solver_warm_start_last(*solver, NULL);
  if (status == SLIP_OK)
    status = slip_solver_run(*solver, NULL);
  if (status != SLIP_OK)
    return -1;
  const SlipResult *result = slip_solver_result(*solver);
  return result->outcome == SLIP_SOLVED ? result->iterations : -1;
}

static void print_step(SlipSim *sim, const SlipSimState *state, const SlipStepInfo *info, double h,
                       double seconds) {
  int32_t floor = slip_sim_find_body(sim, "floor").index;
  int32_t upper = slip_sim_find_body(sim, "upper").index;
  int32_t load = slip_sim_find_body(sim, "load").index;
  printf("%.6g %.6f %.4f %.4f %.4f %" PRId32 " %" PRId64 " %.3g %.3f", state->time,
         state->position[3 * (ptrdiff_t)load + 2], -impulse_on(state, floor, 2) / h,
         -(impulse_on(state, upper, 0) + impulse_on(state, load, 0)) / h,
         9.81 * total_mass(sim, state), info->contacts, info->iterations, info->residual,
         1e3 * seconds);
}

/* The scene with the values wished for; while it is filled, with that method and tolerance. */
static SlipStatus build(const Wishes *wishes, bool fill, SlipSim **sim, int64_t *steps,
                        SlipError *error) {
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene = NULL;
  options.set = wishes->values;
  options.set_count = wishes->value_count + (fill ? 2 : 0);
  SlipStatus status = slip_scene_read(wishes->scene, &options, &scene, error);
  if (status == SLIP_OK) {
    *steps = scene->steps;
    status = slip_scene_build(scene, sim, error);
  }
  slip_scene_free(scene);
  return status;
}

static SlipStatus step(Wishes *wishes, SlipSim *sim, bool fill, SlipError *error) {
  SlipStepInfo info = slip_default_step_info();
  SlipSimState state = slip_default_sim_state();
  double last = slip_sim_time(sim), begun = cpu_seconds();
  SlipStatus status = slip_sim_step(sim, &info, error);
  double seconds = cpu_seconds() - begun;
  if (status == SLIP_OK)
    status = slip_sim_state(sim, &state, error);
  if (status != SLIP_OK)
    return status;
  print_step(sim, &state, &info, state.time - last, seconds);
  if (wishes->cold && !fill)
    printf(" %" PRId64 " %" PRId64, count_iterations(wishes, sim, false, &wishes->zero),
           count_iterations(wishes, sim, true, &wishes->warm));
  putchar('\n');
  if (wishes->speeds && last < wishes->speeds_at - 1e-9 && state.time >= wishes->speeds_at - 1e-9)
    write_speeds(sim, &state, wishes->speeds);
  return SLIP_OK;
}

/* Take over the state of a sample that is being filled. */
static SlipStatus hand_over(SlipSim *from, SlipSim *to, SlipError *error) {
  void *bytes;
  size_t size;
  SlipStatus status = slip_sim_save(from, &bytes, &size, error);
  if (status == SLIP_OK)
    status = slip_sim_restore(to, bytes, size, error);
  slip_sim_bytes_free(bytes);
  return status;
}

static int run(Wishes *wishes) {
  SlipSim *fill = NULL, *sim = NULL;
  SlipError error;
  int64_t steps;
  SlipStatus status = build(wishes, false, &sim, &steps, &error);
  if (status == SLIP_OK && getenv("COLD"))
    status = settings_of(wishes, &error);
  if (status == SLIP_OK)
    status = build(wishes, true, &fill, &steps, &error);
  while (status == SLIP_OK && slip_sim_time(fill) < wishes->fill_until - 1e-9)
    status = step(wishes, fill, true, &error);
  if (status == SLIP_OK)
    status = hand_over(fill, sim, &error);
  while (status == SLIP_OK && slip_sim_steps(sim) < steps)
    status = step(wishes, sim, false, &error);
  slip_solver_free(wishes->zero);
  slip_solver_free(wishes->warm);
  slip_settings_free(wishes->cold);
  slip_sim_free(fill);
  slip_sim_free(sim);
  return status == SLIP_OK ? 0 : complain(error.text);
}

static double number_of(const char *name, double without) {
  const char *text = getenv(name);
  return text ? strtod(text, NULL) : without;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* a run that is cut short has its lines */
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
  if (argc < 2 || argc > 2 + VALUES_MOST)
    return complain("SCENE.yaml [NAME=VALUE...] is wanted");
  const char *fill_tol = getenv("FILL_TOL");
  Wishes wishes = {.scene = argv[1],
                   .speeds = getenv("SPEEDS"),
                   .fill_until = number_of("FILL_UNTIL", 0),
                   .speeds_at = number_of("SPEEDS_AT", HUGE_VAL)};
  for (int k = 2; k < argc; k++) {
    char *equals = strchr(argv[k], '=');
    if (!equals)
      return complain("NAME=VALUE is wanted");
    *equals = '\0';
    wishes.values[wishes.value_count++] = (SlipOptionValue){argv[k], equals + 1};
  }
  wishes.values[wishes.value_count] = (SlipOptionValue){"solver.method", "auto"};
  wishes.values[wishes.value_count + 1] =
      (SlipOptionValue){"solver.tol", fill_tol ? fill_tol : "1e-4"};
  return run(&wishes);
}
