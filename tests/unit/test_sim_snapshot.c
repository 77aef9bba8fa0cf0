/* Snapshots: a simulation goes on from one with the same bits, in the same or another SlipSim, and
 * for any number of threads; bad bytes are refused and change nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "sim_case.h"

/* A heap of boxes and spheres, a moving obstacle, a chain of joints. */
static SlipSim *make_heap(int threads) {
  SlipSimDef def = slip_default_sim_def();
  SlipSettings *settings;
  SlipSim *sim;
  assert_int_equal(slip_settings_create(NULL, &settings, NULL), SLIP_OK);
  slip_settings_set_real(settings, "tol", 1e-6, NULL);
  slip_settings_set_real(settings, "threads", threads, NULL);
  def.gravity[2] = -SIM_G;
  def.settings = settings;
  assert_int_equal(slip_sim_create(&def, &sim, NULL), SLIP_OK);
  slip_settings_free(settings);
  sim_rule(sim, 0.5, 0);
  sim_plane(sim, 0, 0, 1);
  SlipShapeDef box = sim_box(0.4, 0.4, 0.4), ball = sim_sphere(0.2);
  SlipBodyDef driven = slip_default_body_def();
  driven.motion = SLIP_MOTION_TOLD;
  driven.shapes = &box;
  driven.shape_count = 1;
  driven.position[0] = -0.5;
  driven.position[2] = 0.2;
  driven.velocity[0] = 0.1;
  driven.spin[2] = 0.3;
  driven.sine_axis[2] = 1;
  driven.sine_amplitude = 0.05;
  driven.sine_frequency = 2;
  sim_body_def(sim, &driven);
  SlipBodyId last = {-1, 0};
  for (int k = 0; k < 24; k++) {
    SlipBodyId body = sim_body(sim, k % 3 ? &ball : &box, 0.45 * (k % 3), 0.43 * (k / 3 % 2),
                               0.21 + 0.45 * (double)(k / 6));
    sim_throw(sim, body, 0.3 * sin(k), 0.2 * cos(k), 0, 0, 0, k);
    if (k % 4 == 1) {
      SlipJointDef joint = slip_default_joint_def();
      joint.bodies[0] = body;
      joint.bodies[1] = last;
      memcpy(joint.at, sim_position(sim, body), sizeof joint.at);
      sim_joint(sim, &joint);
    }
    last = body;
  }
  return sim;
}

static uint64_t hash_of(SlipSim *sim) {
  SlipSimState state = slip_default_sim_state();
  assert_int_equal(slip_sim_state(sim, &state, NULL), SLIP_OK);
  size_t n = (size_t)state.bodies;
  uint64_t hash = slipi_hash_reals(0, state.position, 3 * n);
  hash = slipi_hash_reals(hash, state.rotation, 4 * n);
  hash = slipi_hash_reals(hash, state.velocity, 3 * n);
  hash = slipi_hash_reals(hash, state.spin, 3 * n);
  for (int32_t k = 0; k < state.contacts; k++) {
    hash = slipi_hash_word(hash, state.contact[k].key);
    hash = slipi_hash_reals(hash, state.contact[k].impulse, 3);
  }
  return slipi_hash_reals(hash, &state.time, 1);
}

static void test_go_on(void **state) {
  (void)state;
  SlipSim *sim = make_heap(1), *other = make_heap(1);
  void *bytes;
  size_t size;
  sim_steps(sim, 60);
  uint64_t then = hash_of(sim);
  assert_int_equal(slip_sim_save(sim, &bytes, &size, NULL), SLIP_OK);
  SlipStepInfo straight = sim_steps(sim, 60);
  uint64_t hash = hash_of(sim);
  assert_true(hash != then);
  assert_true(straight.contacts > 40);
  sim_steps(other, 7);
  SlipSim *both[] = {sim, other};
  for (int k = 0; k < 2; k++) {
    SlipError error;
    if (slip_sim_restore(both[k], bytes, size, &error) != SLIP_OK)
      fail_msg("%s", error.text);
    assert_true(hash_of(both[k]) == then);
    SlipStepInfo info = sim_steps(both[k], 60);
    assert_true(hash_of(both[k]) == hash);
    assert_memory_equal(&info.energy, &straight.energy, sizeof info.energy);
    assert_true(info.step == straight.step && info.time == straight.time);
  }
  slip_sim_bytes_free(bytes);
  slip_sim_free(sim);
  slip_sim_free(other);
}

static void test_threads(void **state) {
  (void)state;
  uint64_t hash[3];
  for (int k = 0; k < 3; k++) {
    SlipSim *sim = make_heap(k + 1);
    sim_steps(sim, 80);
    hash[k] = hash_of(sim);
    slip_sim_free(sim);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void refuse(SlipSim *sim, const char *bytes, size_t size, const char *word) {
  SlipError error;
  uint64_t before = hash_of(sim);
  assert_true(slip_sim_restore(sim, bytes, size, &error) != SLIP_OK);
  if (!strstr(error.text, word))
    fail_msg("'%s' has no '%s'", error.text, word);
  assert_true(hash_of(sim) == before);
}

static void test_bad_bytes(void **state) {
  (void)state;
  SlipSim *sim = make_heap(1);
  sim_steps(sim, 20);
  void *saved;
  size_t size;
  assert_int_equal(slip_sim_save(sim, &saved, &size, NULL), SLIP_OK);
  sim_steps(sim, 1);
  char *bytes = malloc(size + 8);
  memcpy(bytes, saved, size);
  refuse(sim, bytes, 10, "too few");
  refuse(sim, bytes, size - 8, "bytes but says");
  for (size_t at = 0; at < size; at += 97) {
    bytes[at] ^= 4;
    refuse(sim, bytes, size, "snapshot");
    bytes[at] ^= 4;
  }
  SlipShapeDef ball = sim_sphere(0.1);
  sim_body(sim, &ball, 5, 5, 5);
  refuse(sim, bytes, size, "bodies");
  slip_sim_free(sim);
  sim = make_heap(1);
  sim_rule(sim, 0.7, 0);
  refuse(sim, bytes, size, "another scene");
  slip_sim_free(sim);
  free(bytes);
  slip_sim_bytes_free(saved);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_go_on), cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_bad_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
