/* Deformable bodies in trajectories: what is read is what was recorded, a run goes on with the same
 * bits, files without nodes are read, wrong ones refused, and what is shown is right. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hdf5.h>
#include <slipcone/record.h>

#include "scratch.h"

enum { STEPS = 24, SNAPSHOT = 8 };

static void must(SlipStatus status, const SlipError *error) {
  if (status != SLIP_OK)
    fail_msg("%s", error->text);
}

/* A soft block that turns and falls on a floor beside a rigid ball, and one of tetrahedra. */
static SlipSim *make_scene(SlipBodyId body[2]) {
  SlipSimDef def = slip_default_sim_def();
  SlipContactRule rule = slip_default_contact_rule();
  SlipBodyDef rigid = slip_default_body_def();
  SlipShapeDef floor = slip_default_shape_def();
  SlipDeformableDef soft = slip_default_deformable_def();
  SlipBodyId ground;
  SlipSim *sim = NULL;
  SlipError error;
  def.gravity[2] = -9.81;
  def.step = 5e-3;
  rule.friction = 0.4;
  must(slip_sim_create(&def, &sim, &error), &error);
  must(slip_sim_add_rule(sim, &rule, &error), &error);
  floor.kind = SLIP_SHAPE_HALF_SPACE;
  floor.normal[2] = 1;
  rigid.motion = SLIP_MOTION_FIXED;
  rigid.shapes = &floor;
  rigid.shape_count = 1;
  must(slip_sim_add_body(sim, &rigid, &ground, &error), &error);
  for (int k = 0; k < 2; k++) {
    soft.young = 4e4;
    soft.poisson = 0.3;
    soft.element = k == 0 ? SLIP_ELEMENT_H8 : SLIP_ELEMENT_T10;
    for (int c = 0; c < 3; c++) {
      soft.box[c] = 0.2;
      soft.cells[c] = k == 0 ? 3 : 1;
    }
    soft.position[0] = 0.5 * k;
    soft.position[2] = 0.11;
    soft.velocity[2] = -1;
    soft.spin[1] = 1;
    must(slip_sim_add_deformable(sim, &soft, &body[k], &error), &error);
  }
  return sim;
}

static void run(SlipSim *sim, SlipRecorder *recorder, int64_t to) {
  while (slip_sim_steps(sim) < to) {
    SlipStepInfo info = slip_default_step_info();
    SlipError error;
    must(slip_sim_step(sim, &info, &error), &error);
    must(slip_recorder_step(recorder, sim, &info, &error), &error);
  }
}

static SlipRecordDef record_def(void) {
  SlipRecordDef def = slip_default_record_def();
  def.snapshot_every = SNAPSHOT;
  return def;
}

static void record_whole(const char *path) {
  SlipRecordDef def = record_def();
  SlipRecorder *recorder = NULL;
  SlipBodyId body[2];
  SlipError error;
  SlipSim *sim = make_scene(body);
  must(slip_recorder_create(path, sim, &def, &recorder, &error), &error);
  run(sim, recorder, STEPS);
  must(slip_recorder_finish(recorder, sim, &error), &error);
  slip_sim_free(sim);
}

static SlipTrajectory *open_path(const char *path) {
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  must(slip_trajectory_open(path, &trajectory, &error), &error);
  return trajectory;
}

/* ---- Reading what was recorded ---- */

static void compare_mesh(const SlipDeformableState *a, const SlipDeformableState *b) {
  assert_int_equal(a->nodes, b->nodes);
  assert_int_equal(a->elements, b->elements);
  assert_int_equal(a->faces, b->faces);
  size_t nodes = (size_t)a->nodes, elements = (size_t)a->elements, faces = (size_t)a->faces;
  assert_memory_equal(a->rest, b->rest, 3 * nodes * sizeof(double));
  assert_memory_equal(a->area, b->area, nodes * sizeof(double));
  assert_memory_equal(a->element_kind, b->element_kind, elements);
  assert_memory_equal(a->element_first, b->element_first, (elements + 1) * sizeof(int32_t));
  assert_memory_equal(a->face_first, b->face_first, (faces + 1) * sizeof(int32_t));
  assert_memory_equal(a->element_node, b->element_node,
                      (size_t)a->element_first[elements] * sizeof(int32_t));
  assert_memory_equal(a->face_node, b->face_node, (size_t)a->face_first[faces] * sizeof(int32_t));
}

static void compare_body(SlipSim *sim, SlipBodyId body, SlipTrajectory *trajectory, int64_t frame,
                         int32_t number, double *most) {
  SlipDeformableState have = slip_default_deformable_state(), read = have;
  SlipError error;
  must(slip_sim_deformable(sim, body, &have, &error), &error);
  must(slip_trajectory_deformable(trajectory, frame, number, &read, &error), &error);
  compare_mesh(&have, &read);
  assert_null(read.velocity);
  for (int64_t k = 0; k < 3 * (int64_t)have.nodes; k++) {
    assert_true(read.displacement[k] == (double)(float)have.displacement[k]);
    assert_true(read.force[k] == (double)(float)have.force[k]);
    assert_true(fabs(read.position[k] - have.position[k]) < 1e-8);
    most[0] = fmax(most[0], fabs(have.displacement[k]));
    most[1] = fmax(most[1], fabs(have.force[k]));
  }
  for (int64_t k = 0; k < 6 * (int64_t)have.nodes; k++)
    assert_true(read.stress[k] == (double)(float)have.stress[k]);
}

static void test_round_trip(void **state) {
  (void)state;
  record_whole(scratch_place("a.h5"));
  SlipTrajectory *trajectory = open_path(scratch_place("a.h5"));
  SlipBodyId body[2];
  SlipSim *sim = make_scene(body);
  double most[2] = {0};
  for (int64_t step = 0; step <= STEPS; step++) {
    SlipStepInfo info = slip_default_step_info();
    if (step > 0)
      assert_int_equal(slip_sim_step(sim, &info, NULL), SLIP_OK);
    for (int32_t k = 0; k < 2; k++)
      compare_body(sim, body[k], trajectory, step, k + 1, most);
  }
  assert_true(most[0] > 1e-3 && most[1] > 1);
  SlipDeformableState read = slip_default_deformable_state();
  SlipError error;
  assert_int_equal(slip_trajectory_deformable(trajectory, 0, 0, &read, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "body 0 is not deformable"));
  assert_int_equal(slip_trajectory_deformable(trajectory, STEPS + 1, 1, &read, &error),
                   SLIP_ERROR_ARGUMENT);
  slip_sim_free(sim);
  slip_trajectory_free(trajectory);
}

/* ---- Going on ---- */

static void go_on(const char *from, const char *to, double time) {
  SlipTrajectory *trajectory = open_path(from);
  SlipRecordDef def = record_def();
  SlipRecorder *recorder = NULL;
  SlipBodyId body[2];
  SlipError error;
  void *bytes = NULL;
  size_t size = 0;
  SlipSim *sim = make_scene(body);
  must(slip_trajectory_snapshot(trajectory, time, &bytes, &size, &error), &error);
  must(slip_sim_restore(sim, bytes, size, &error), &error);
  slip_trajectory_free(trajectory);
  slip_sim_bytes_free(bytes);
  def.continues = from;
  must(slip_recorder_create(to, sim, &def, &recorder, &error), &error);
  run(sim, recorder, STEPS);
  must(slip_recorder_finish(recorder, sim, &error), &error);
  slip_sim_free(sim);
}

static void test_restart(void **state) {
  (void)state;
  record_whole(scratch_place("a.h5"));
  go_on(scratch_place("a.h5"), scratch_place("b.h5"), 0.06);
  SlipTrajectory *a = open_path(scratch_place("a.h5")), *b = open_path(scratch_place("b.h5"));
  assert_int_equal(slip_trajectory_info(b)->frames, STEPS + 1);
  for (int64_t k = 0; k <= STEPS; k++)
    for (int32_t body = 1; body <= 2; body++) {
      SlipDeformableState one = slip_default_deformable_state(), two = one;
      assert_int_equal(slip_trajectory_deformable(a, k, body, &one, NULL), SLIP_OK);
      assert_int_equal(slip_trajectory_deformable(b, k, body, &two, NULL), SLIP_OK);
      compare_mesh(&one, &two);
      size_t nodes = (size_t)one.nodes;
      assert_memory_equal(one.position, two.position, 3 * nodes * sizeof(double));
      assert_memory_equal(one.stress, two.stress, 6 * nodes * sizeof(double));
      assert_memory_equal(one.force, two.force, 3 * nodes * sizeof(double));
    }
  slip_trajectory_free(a);
  slip_trajectory_free(b);
}

/* ---- Other files ---- */

static void change(const char *path, const char *dataset, int32_t first) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  if (!dataset) {
    assert_true(H5Ldelete(file, "/deformable", H5P_DEFAULT) >= 0);
  } else {
    hid_t data = H5Dopen2(file, dataset, H5P_DEFAULT), space = H5Dget_space(data);
    hsize_t rows[2] = {0};
    int rank = H5Sget_simple_extent_dims(space, rows, NULL);
    int32_t *values = calloc((size_t)(rows[0] * (rank > 1 ? rows[1] : 1)), sizeof *values);
    assert_non_null(values);
    assert_true(H5Dread(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    values[0] = first;
    assert_true(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    free(values);
    H5Sclose(space);
    H5Dclose(data);
  }
  H5Fclose(file);
}

/* A file as earlier versions wrote it has no nodes: bodies are drawn as they were made. */
static void test_without_nodes(void **state) {
  (void)state;
  record_whole(scratch_place("c.h5"));
  change(scratch_place("c.h5"), NULL, 0);
  SlipTrajectory *trajectory = open_path(scratch_place("c.h5"));
  SlipDeformableState at = slip_default_deformable_state();
  SlipError error;
  assert_int_equal(slip_trajectory_deformable(trajectory, 0, 1, &at, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "no nodes"));
  must(slip_trajectory_page(trajectory, NULL, scratch_place("c.html"), &error), &error);
  must(slip_trajectory_draw(trajectory, STEPS, NULL, scratch_place("c.svg"), &error), &error);
  must(slip_trajectory_export_vtk(trajectory, scratch_place("vtk"), STEPS, &error), &error);
  assert_int_not_equal(access(scratch_place("vtk/deformable-1-000000.vtu"), F_OK), 0);
  slip_trajectory_free(trajectory);
}

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    const char *dataset;
    int32_t first;
  } wrong[] = {{"/deformable/body", 7},           {"/deformable/body", -1},
               {"/deformable/sizes", -1},         {"/deformable/sizes", 1000},
               {"/deformable/sizes", 63},         {"/deformable/element_kind", 9},
               {"/deformable/element_nodes", 0},  {"/deformable/element_nodes", 100000},
               {"/deformable/element_node", -1},  {"/deformable/element_node", 64},
               {"/deformable/face_nodes", -5},    {"/deformable/face_node", 1 << 30},
               {"/deformable/element_nodes", 10}, {"/deformable/element_kind", 3}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    SlipTrajectory *trajectory = NULL;
    SlipError error;
    record_whole(scratch_place("d.h5"));
    change(scratch_place("d.h5"), wrong[k].dataset, wrong[k].first);
    assert_int_equal(slip_trajectory_open(scratch_place("d.h5"), &trajectory, &error),
                     SLIP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "/deformable/"));
    assert_null(trajectory);
  }
}

/* ---- Files for others ---- */

/* Values of an array of a file of ParaView, in text. */
static int64_t read_array(const char *path, const char *name, double *values, int64_t most) {
  char line[256], wanted[64];
  FILE *file = fopen(path, "r");
  int64_t count = 0;
  bool within = false;
  assert_non_null(file);
  snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
  while (fgets(line, sizeof line, file)) {
    char *at = line, *end;
    if (strstr(line, "<DataArray") || strstr(line, "</DataArray")) {
      within = strstr(line, wanted) != NULL;
      continue;
    }
    for (double x = strtod(at, &end); within && end != at; at = end, x = strtod(at, &end)) {
      assert_true(count < most);
      values[count++] = x;
    }
  }
  fclose(file);
  return count;
}

/* The frame in which the floor pushes a body most. */
static int64_t strongest(SlipTrajectory *trajectory, int32_t body, double *force) {
  int64_t best = 0;
  *force = 0;
  for (int64_t frame = 0; frame <= STEPS; frame++) {
    SlipDeformableState at = slip_default_deformable_state();
    double sum = 0;
    assert_int_equal(slip_trajectory_deformable(trajectory, frame, body, &at, NULL), SLIP_OK);
    for (int64_t k = 0; k < at.nodes; k++)
      sum += at.force[3 * k + 2];
    best = sum > *force ? frame : best;
    *force = fmax(*force, sum);
  }
  return best;
}

/* Tractions are forces over areas, and pressures no more than them: with pressure where the floor
 * pushes. */
static void test_vtk(void **state) {
  (void)state;
  enum { NODES = 64 };
  record_whole(scratch_place("a.h5"));
  SlipTrajectory *trajectory = open_path(scratch_place("a.h5"));
  SlipDeformableState at = slip_default_deformable_state();
  double pressure[NODES], traction[3 * NODES], position[3 * NODES], up = 0, force;
  char name[64];
  SlipError error;
  int64_t frame = strongest(trajectory, 1, &force);
  must(slip_trajectory_export_vtk(trajectory, scratch_place("run"), 1, &error), &error);
  must(slip_trajectory_deformable(trajectory, frame, 1, &at, &error), &error);
  assert_int_equal(at.nodes, NODES);
  snprintf(name, sizeof name, "run/deformable-1-%06lld.vtu", (long long)frame);
  const char *path = scratch_place(name);
  assert_int_equal(read_array(path, "contact_pressure", pressure, NODES), NODES);
  assert_int_equal(read_array(path, "traction", traction, 3 * NODES), 3 * NODES);
  assert_int_equal(read_array(path, "position", position, 3 * NODES), 3 * NODES);
  for (int64_t k = 0; k < NODES; k++) {
    double size = 0;
    for (int c = 0; c < 3; c++) {
      assert_true(fabs(position[3 * k + c] - at.position[3 * k + c]) < 1e-9);
      assert_true(fabs(traction[3 * k + c] * at.area[k] - at.force[3 * k + c]) < 1e-6);
      size += traction[3 * k + c] * traction[3 * k + c];
    }
    assert_true(fabs(pressure[k]) <= sqrt(size) * (1 + 1e-9));
    up += fmax(0, pressure[k]) * at.area[k];
  }
  assert_true(force > 1 && up > 0.3 * force);
  slip_trajectory_free(trajectory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_restart),
                                     cmocka_unit_test(test_without_nodes),
                                     cmocka_unit_test(test_wrong), cmocka_unit_test(test_vtk)};
  return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
