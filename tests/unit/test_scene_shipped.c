/* The scenes that are shipped: each is read and built, and those of moderate size take a step. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/scene.h>

#define FOLDER SLIPCONE_SOURCE_DIR "/scenes"

/* Bodies that forces move, of the families of Acary, Brémond, Huber 2018 (Table 5: a sixth of the
 * degrees of freedom) and of the piles of Acary and others 2011. */
static const struct {
  const char *name;
  int32_t bodies;
} families[] = {
    {"boxes-stack.yaml", 50},    {"kaplas-tower.yaml", 132}, {"chain.yaml", 10},
    {"capsules.yaml", 100},      {"bridge.yaml", 23},        {"aqueduct.yaml", 322},
    {"polyhedra-100.yaml", 100}, {"spheres-945.yaml", 945},  {"chute-1000.yaml", 1000},
    {"chute-4000.yaml", 4000},   {"beads-150.yaml", 150},    {"beads-300.yaml", 300},
    {"beads-600.yaml", 600},     {"beads-10k.yaml", 10000},  {"beads-100k.yaml", 100000},
};

static SlipScene *read_scene(const char *name) {
  char path[1024];
  SlipScene *scene;
  SlipError error;
  snprintf(path, sizeof path, "%s/%s", FOLDER, name);
  if (slip_scene_read(path, NULL, &scene, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return scene;
}

static SlipSim *build_scene(const SlipScene *scene) {
  SlipSim *sim;
  SlipError error;
  if (slip_scene_build(scene, &sim, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return sim;
}

/* Bodies come in the order of the scene, each under its name. */
static int32_t count_free(const SlipSim *sim, int32_t bodies) {
  int32_t count = 0;
  SlipSimState state = slip_default_sim_state();
  assert_int_equal(slip_sim_state(sim, &state, NULL), SLIP_OK);
  assert_int_equal(state.bodies, bodies);
  for (int32_t k = 0; k < bodies; k++) {
    double mass = 0, centre[3];
    SlipBodyId id = slip_sim_body_at(sim, k);
    const char *name = slip_sim_body_name(sim, k);
    assert_non_null(name);
    assert_int_equal(slip_sim_find_body(sim, name).index, k);
    count += slip_sim_mass(sim, id, &mass, centre, NULL) == SLIP_OK && mass > 0;
  }
  return count;
}

static void take_step(const char *name, SlipSim *sim) {
  SlipStepInfo info = slip_default_step_info();
  SlipError error;
  if (slip_sim_step(sim, &info, &error) != SLIP_OK)
    fail_msg("%s: %s", name, error.text);
  assert_int_equal(info.outcome, SLIP_SOLVED);
}

static void check_scene(const char *name) {
  enum { MODERATE = 150 }; /* bodies */
  SlipScene *scene = read_scene(name);
  SlipSim *sim = build_scene(scene);
  assert_true(scene->title[0] && scene->steps > 0 && scene->bodies > 0);
  int32_t count = count_free(sim, scene->bodies);
  for (size_t k = 0; k < sizeof families / sizeof families[0]; k++)
    if (strcmp(families[k].name, name) == 0)
      assert_int_equal(count, families[k].bodies);
  if (scene->bodies <= MODERATE)
    take_step(name, sim);
  slip_sim_free(sim);
  slip_scene_free(scene);
}

static int is_scene(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static void test_all(void **state) {
  (void)state;
  struct dirent **files;
  int count = scandir(FOLDER, &files, is_scene, alphasort);
  assert_true(count >= 40);
  for (int k = 0; k < count; k++) {
    check_scene(files[k]->d_name);
    free(files[k]);
  }
  free(files);
}

/* A refusal of the simulation is told with the place in the file. */
static void test_refused(void **state) {
  (void)state;
  static const char text[] = "slipcone: 1\n"
                             "time: {step: 0.01, end: 1}\n"
                             "bodies:\n"
                             "  - {name: a, fixed: true}\n"
                             "  - name: flat\n"
                             "    shape: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}\n";
  SlipScene *scene;
  SlipSim *sim = (SlipSim *)&scene; /* something that is not NULL */
  SlipError error;
  assert_int_equal(slip_scene_read_memory("x", text, strlen(text), NULL, &scene, NULL), SLIP_OK);
  SlipStatus status = slip_scene_build(scene, &sim, &error);
  assert_true(status != SLIP_OK && error.status == status);
  assert_null(sim);
  assert_int_equal(strncmp(error.text, "x:5:5: bodies[1]: body 'flat': ", 31), 0);
  assert_int_equal(slip_scene_build(scene, &sim, NULL), status);
  assert_int_equal(slip_scene_build(scene, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_scene_build(NULL, &sim, &error), SLIP_ERROR_ARGUMENT);
  slip_scene_free(scene);
}

/* A scene is const: two simulations of it take the same steps. */
static void test_twice(void **state) {
  (void)state;
  SlipScene *scene = read_scene("sliding-spinning-block.yaml");
  SlipSim *sim[2] = {build_scene(scene), build_scene(scene)};
  SlipSimState last[2] = {slip_default_sim_state(), slip_default_sim_state()};
  slip_scene_free(scene); /* nothing of it is needed any more */
  for (int s = 0; s < 2; s++) {
    for (int k = 0; k < 20; k++)
      take_step("the block", sim[s]);
    assert_int_equal(slip_sim_state(sim[s], &last[s], NULL), SLIP_OK);
  }
  assert_memory_equal(last[0].position, last[1].position, 6 * sizeof(double));
  assert_true(last[0].position[3] > 0.03);
  for (int s = 0; s < 2; s++)
    slip_sim_free(sim[s]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
