/* The same bits however a scene is run: ten of the shipped scenes with one thread and with two, on
 * from a snapshot in the same simulation, and on from a recorded one in another. Hashes of all
 * states and contacts are compared among runs, not with stored ones: sines and cosines differ in
 * the last digit between C libraries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <slipcone/record.h>
#include <slipcone/scene.h>
#include <slipcone/sim.h>

#include "base/hash.h"

typedef struct Case {
  const char *scene;
  int steps;
} Case;

static const Case cases[] = {
    {"beads-150", 130},       {"boxes-stack", 20},     {"capsules", 30},     {"chain", 40},
    {"dominoes", 40},         {"funnel", 20},          {"painleve-rod", 60}, {"slider-crank", 40},
    {"stack-mass-ratio", 20}, {"vibrating-plate", 20},
};
enum { CASES = sizeof cases / sizeof *cases };

static SlipSim *make_sim(const char *name, const char *threads) {
  SlipOptionValue set = {.name = "solver.threads", .value = threads};
  SlipSceneOptions options = slip_default_scene_options();
  SlipScene *scene;
  SlipSim *sim;
  SlipError error;
  char path[512];
  snprintf(path, sizeof path, SLIPCONE_SOURCE_DIR "/scenes/%s.yaml", name);
  options.set = &set;
  options.set_count = 1;
  if (slip_scene_read(path, &options, &scene, &error) != SLIP_OK ||
      slip_scene_build(scene, &sim, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  slip_scene_free(scene);
  return sim;
}

/* The hash of the state goes on from that of the steps before. */
static uint64_t hash_state(const SlipSim *sim, uint64_t hash) {
  SlipSimState state = slip_default_sim_state();
  assert_int_equal(slip_sim_state(sim, &state, NULL), SLIP_OK);
  size_t n = (size_t)state.bodies;
  hash = slipi_hash_reals(hash, state.position, 3 * n);
  hash = slipi_hash_reals(hash, state.rotation, 4 * n);
  hash = slipi_hash_reals(hash, state.velocity, 3 * n);
  hash = slipi_hash_reals(hash, state.spin, 3 * n);
  for (int32_t k = 0; k < state.contacts; k++) {
    hash = slipi_hash_word(hash, state.contact[k].key);
    hash = slipi_hash_reals(hash, state.contact[k].impulse, 3);
  }
  return slipi_hash_reals(hash, &state.time, 1);
}

static uint64_t run(SlipSim *sim, int steps) {
  uint64_t hash = 0;
  for (int k = 0; k < steps; k++) {
    SlipError error;
    if (slip_sim_step(sim, NULL, &error) != SLIP_OK)
      fail_msg("%s", error.text);
    hash = hash_state(sim, hash);
  }
  return hash;
}

/* To the middle, then to the end from a snapshot that other steps came after. */
static void check_save(const Case *one, int half, uint64_t first, uint64_t second) {
  SlipSim *sim = make_sim(one->scene, "1");
  void *bytes;
  size_t size;
  assert_true(run(sim, half) == first);
  assert_int_equal(slip_sim_save(sim, &bytes, &size, NULL), SLIP_OK);
  run(sim, 3);
  assert_int_equal(slip_sim_restore(sim, bytes, size, NULL), SLIP_OK);
  assert_true(run(sim, one->steps - half) == second);
  slip_sim_bytes_free(bytes);
  slip_sim_free(sim);
}

/* A trajectory of the first half, whose last snapshot another simulation goes on from. */
static void check_restart(const Case *one, int half, uint64_t second) {
  char path[64] = "golden-XXXXXX";
  int file = mkstemp(path);
  SlipSim *sim = make_sim(one->scene, "1"), *other = make_sim(one->scene, "2");
  SlipRecordDef def = slip_default_record_def();
  SlipRecorder *recorder;
  SlipTrajectory *trajectory;
  SlipError error;
  void *bytes;
  size_t size;
  assert_true(file >= 0);
  close(file);
  if (slip_recorder_create(path, sim, &def, &recorder, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  for (int k = 0; k < half; k++) {
    SlipStepInfo info = slip_default_step_info();
    assert_int_equal(slip_sim_step(sim, &info, NULL), SLIP_OK);
    assert_int_equal(slip_recorder_step(recorder, sim, &info, NULL), SLIP_OK);
  }
  assert_int_equal(slip_recorder_finish(recorder, sim, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_open(path, &trajectory, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_snapshot(trajectory, slip_sim_time(sim), &bytes, &size, &error),
                   SLIP_OK);
  assert_int_equal(slip_sim_restore(other, bytes, size, NULL), SLIP_OK);
  assert_true(run(other, one->steps - half) == second);
  slip_sim_bytes_free(bytes);
  slip_trajectory_free(trajectory);
  slip_sim_free(sim);
  slip_sim_free(other);
  remove(path);
}

static void test_scene(void **state) {
  const Case *one = *state;
  int half = one->steps / 2;
  SlipSim *sim = make_sim(one->scene, "1"), *other = make_sim(one->scene, "2");
  uint64_t first = run(sim, half), second = run(sim, one->steps - half);
  assert_true(first != second);
  assert_true(run(other, half) == first);
  assert_true(run(other, one->steps - half) == second);
  check_save(one, half, first, second);
  check_restart(one, half, second);
  slip_sim_free(sim);
  slip_sim_free(other);
}

int main(void) {
  struct CMUnitTest tests[CASES];
  for (int k = 0; k < CASES; k++)
    tests[k] = (struct CMUnitTest){
        .name = cases[k].scene, .test_func = test_scene, .initial_state = (void *)&cases[k]};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
