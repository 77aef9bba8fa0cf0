/* Every allocation of reading a scene fails once: no leak, no crash, a clear status. (libyaml
 * allocates on its own and out of reach.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <slipcone/scene.h>

#include "alloc_wrap.h"

static const char text[] =
    "slipcone: 1\n"
    "let: {a: 1, b: 2, mu: 0.5}\n"
    "time: {step: 0.01, end: 1}\n"
    "solver: {method: nsgs, tol: 1e-9, on_failure: warn}\n"
    "materials: {steel: {density: 7800}, wood: &w {density: 700}, oak: *w}\n"
    "contacts: [{between: [steel, wood], friction: 0.3}, {friction: mu}]\n"
    "bodies:\n"
    "  - &f {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}\n"
    "  - {<<: *f, name: other}\n"
    "  - {name: c, shape: {compound: [{sphere: 1}, {box: [1, 1, 1], many: {stack: 3}}]}}\n"
    "  - {shape: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}\n"
    "  - {name: bead, shape: {sphere: 0.1}, many: {random: 5, region: [[0, 0, 0], [1, 1, 1]]}}\n"
    "  - {shape: {box: [2, 1, 1]}, many: {wall: [2, 2]}}\n"
    "  - {many: {arch: 3, radius: 2, thickness: 0.3}}\n"
    "  - {fixed: true, shape: {mesh: test_alloc_scene.stl}}\n"
    "  - {fixed: true, shape: {mesh: test_alloc_scene.obj}}\n"
    "joints: [{ball: [c, floor], at: [0, 0, 0]}]\n"
    "forces: [{on: bead/3, force: [1, 0, 0]}]\n";

static const SlipOptionValue set[] = {{"let.mu", "0.25"}, {"record.every", "3"}, {"title", "x"}};

static SlipSceneOptions options_with_set(void) {
  SlipSceneOptions options = slip_default_scene_options();
  options.set = set;
  options.set_count = 3;
  return options;
}

static SlipStatus read_memory(void *user, SlipError *error) {
  (void)user;
  SlipSceneOptions options = options_with_set();
  SlipScene *scene = (SlipScene *)&scene; /* something that is not NULL */
  SlipStatus status =
      slip_scene_read_memory("test", text, sizeof text - 1, &options, &scene, error);
  assert_true((status == SLIP_OK) == (scene != NULL));
  if (scene)
    assert_true(scene->bodies == 5 + 4 + 5 + 3 + 2 && scene->record_every == 3);
  slip_scene_free(scene);
  return status;
}

static SlipStatus read_file(void *path, SlipError *error) {
  SlipScene *scene = (SlipScene *)&scene;
  SlipStatus status = slip_scene_read(path, NULL, &scene, error);
  assert_true((status == SLIP_OK) == (scene != NULL));
  slip_scene_free(scene);
  return status;
}

/* Of few bodies: the simulation's own allocations are tested elsewhere. */
static SlipStatus build(void *user, SlipError *error) {
  const SlipScene *scene = user;
  SlipSim *sim = (SlipSim *)&sim;
  SlipStatus status = slip_scene_build(scene, &sim, error);
  assert_true((status == SLIP_OK) == (sim != NULL));
  slip_sim_free(sim);
  return status;
}

static void test_build(void **state) {
  (void)state;
  static const char few[] = "slipcone: 1\n"
                            "time: {step: 0.01, end: 1}\n"
                            "materials: {steel: {}}\n"
                            "contacts: [{friction: 0.3}]\n"
                            "bodies:\n"
                            "  - {name: ball, shape: {sphere: 1}, many: {stack: 3}}\n"
                            "joints: [{ball: [ball/0, world], at: [0, 0, 0], name: pin}]\n"
                            "forces: [{on: ball/2, force: [1, 0, 0]}]\n";
  SlipScene *scene;
  assert_int_equal(slip_scene_read_memory("x", few, sizeof few - 1, NULL, &scene, NULL), SLIP_OK);
  assert_true(alloc_fail_each(build, scene) > 10);
  slip_scene_free(scene);
}

static void write_text(const char *path, const char *content) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(content, file);
  fclose(file);
}

static void test_read(void **state) {
  (void)state;
  char path[] = "test_alloc_scene.yaml";
  write_text("test_alloc_scene.stl",
             "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
             "endloop\nendfacet\nendsolid\n");
  write_text("test_alloc_scene.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text(path, text);
  assert_true(alloc_fail_each(read_memory, NULL) > 100);
  assert_true(alloc_fail_each(read_file, path) > 100);
  remove("test_alloc_scene.stl");
  remove("test_alloc_scene.obj");
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_build)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
