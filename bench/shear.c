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
 * one problem), -1 where it is not solved. The environment may say
 *   COUNT       the method whose iterations are counted; else that of the steps
 *   COUNT_MOST  the most iterations it may take; they are counted where they do not do
 *   COUNT_FROM  the time from which on they are counted; -1 before
 *   SPEEDS, SPEEDS_AT  a file: at this time the places, radii and velocities of all spheres are
 *               written there, a line each
 *   RUN, RUN_AT a trajectory of the scene, from whose last snapshot up to this time the run begins
 *   STATE       a file that the last state is written to; where there is one, the run goes on from
 * it Ends with the first step that fails. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slipcone/record.h>
#include <slipcone/scene.h>
#include <slipcone/sim.h>

/* One thread, as in the tool; there when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

enum { VALUES_MOST = 32 };

typedef struct Wishes {
  const char *scene, *speeds, *run, *state;
  double speeds_at, run_at, limit, count_from;
  SlipSettings *cold; /* those of the scene's solver, to start from zero; NULL: not asked for */
  SlipSolver *warm, *zero;
  SlipOptionValue values[VALUES_MOST];
  int32_t value_count;
} Wishes;

static int complain(const char *text) {
  fprintf(stderr, "shear: %s\n", text);
  return 2;
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cpu_seconds(void) {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static double wall_seconds(void) {
  return seconds_of(CLOCK_MONOTONIC);
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
  if (getenv("COUNT"))
    method = getenv("COUNT");
  SlipStatus status = slip_settings_create(method, &wishes->cold, error);
  for (int32_t k = 0; k < wishes->value_count && status == SLIP_OK; k++) {
    const char *name = wishes->values[k].name;
    if (strncmp(name, prefix, strlen(prefix)) == 0 && strcmp(name, "solver.method") != 0)
      status =
          slip_settings_set(wishes->cold, name + strlen(prefix), wishes->values[k].value, error);
  }
  if (status == SLIP_OK && getenv("COUNT_MOST"))
    status = slip_settings_set(wishes->cold, "max-iter", getenv("COUNT_MOST"), error);
  return status;
}

/* The iterations that the problem of the last step takes, from zero or from the impulses of the one
 * before, as many as it may where they do not do; -1 where it is given up. */
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
  bool counts = result->outcome == SLIP_SOLVED || result->outcome == SLIP_MAX_ITER;
  return counts ? result->iterations : -1;
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

/* The scene with the values wished for. */
static SlipStatus build(const Wishes *wishes, SlipSim **sim, int64_t *steps, SlipError *error) {
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene = NULL;
  options.set = wishes->values;
  options.set_count = wishes->value_count;
  SlipStatus status = slip_scene_read(wishes->scene, &options, &scene, error);
  if (status == SLIP_OK) {
    *steps = scene->steps;
    status = slip_scene_build(scene, sim, error);
  }
  slip_scene_free(scene);
  return status;
}

static SlipStatus step(Wishes *wishes, SlipSim *sim, SlipError *error) {
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
  if (wishes->cold && state.time < wishes->count_from)
    printf(" -1 -1");
  else if (wishes->cold)
    printf(" %" PRId64 " %" PRId64, count_iterations(wishes, sim, false, &wishes->zero),
           count_iterations(wishes, sim, true, &wishes->warm));
  putchar('\n');
  if (wishes->speeds && last < wishes->speeds_at - 1e-9 && state.time >= wishes->speeds_at - 1e-9)
    write_speeds(sim, &state, wishes->speeds);
  return SLIP_OK;
}

/* Begin at a snapshot of a trajectory. */
static SlipStatus take_up(const Wishes *wishes, SlipSim *sim, SlipError *error) {
  SlipTrajectory *before = NULL;
  void *bytes = NULL;
  size_t size;
  SlipStatus status = slip_trajectory_open(wishes->run, &before, error);
  if (status == SLIP_OK)
    status = slip_trajectory_snapshot(before, wishes->run_at, &bytes, &size, error);
  if (status == SLIP_OK)
    status = slip_sim_restore(sim, bytes, size, error);
  slip_sim_bytes_free(bytes);
  slip_trajectory_free(before);
  return status;
}

/* Go on from a state in a file, if there is one. */
static SlipStatus go_on(const char *path, SlipSim *sim, bool *found, SlipError *error) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = NULL;
  size_t size = 0, room = 0;
  *found = file != NULL;
  while (file && !feof(file) && !ferror(file)) {
    if (size == room)
      bytes = realloc(bytes, room = 2 * room + 4096);
    size += bytes ? fread(bytes + size, 1, room - size, file) : 0;
  }
  SlipStatus status = bytes ? slip_sim_restore(sim, bytes, size, error) : SLIP_OK;
  if (file)
    fclose(file);
  free(bytes);
  return status;
}

static SlipStatus leave(const char *path, const SlipSim *sim, SlipError *error) {
  void *bytes = NULL;
  size_t size;
  SlipStatus status = slip_sim_save(sim, &bytes, &size, error);
  FILE *file = status == SLIP_OK ? fopen(path, "wb") : NULL;
  if (status == SLIP_OK && (!file || fwrite(bytes, 1, size, file) != size))
    complain("the state cannot be written");
  if (file)
    fclose(file);
  slip_sim_bytes_free(bytes);
  return status;
}

static int run(Wishes *wishes) {
  SlipSim *sim = NULL;
  SlipError error;
  int64_t steps;
  SlipStatus status = build(wishes, &sim, &steps, &error);
  bool found = false;
  if (status == SLIP_OK && wishes->state)
    status = go_on(wishes->state, sim, &found, &error);
  if (status == SLIP_OK && wishes->run && !found)
    status = take_up(wishes, sim, &error);
  if (status == SLIP_OK && getenv("COLD"))
    status = settings_of(wishes, &error);
  double begun = wall_seconds();
  while (status == SLIP_OK && slip_sim_steps(sim) < steps && wall_seconds() - begun < wishes->limit)
    status = step(wishes, sim, &error);
  if (status == SLIP_OK && wishes->state)
    status = leave(wishes->state, sim, &error);
  slip_solver_free(wishes->zero);
  slip_solver_free(wishes->warm);
  slip_settings_free(wishes->cold);
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
  Wishes wishes = {.scene = argv[1],
                   .speeds = getenv("SPEEDS"),
                   .run = getenv("RUN"),
                   .state = getenv("STATE"),
                   .run_at = number_of("RUN_AT", HUGE_VAL),
                   .count_from = number_of("COUNT_FROM", -HUGE_VAL),
                   .limit = number_of("LIMIT", HUGE_VAL),
                   .speeds_at = number_of("SPEEDS_AT", HUGE_VAL)};
  for (int k = 2; k < argc; k++) {
    char *equals = strchr(argv[k], '=');
    if (!equals)
      return complain("NAME=VALUE is wanted");
    *equals = '\0';
    wishes.values[wishes.value_count++] = (SlipOptionValue){argv[k], equals + 1};
  }
  return run(&wishes);
}
