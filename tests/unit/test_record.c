/* Trajectories: what is read is what was recorded, a run goes on with the same bits from a
 * snapshot, and neither a kill nor damage costs more than it must. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/random.h"
#include <hdf5.h>
#include <slipcone/record.h>

#include "scratch.h"

/* HDF5 1.10 loses memory of its own (and says so at exit) when a checksum of its metadata is wrong.
 * That we leave nothing open is checked below. */
const char *__lsan_default_suppressions(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__lsan_default_suppressions(void) {
  return "leak:libhdf5";
}

enum { BODIES = 7, STEPS = 60, EVERY = 2, SNAPSHOT = 20 };

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {"a.h5",   "b.h5",      "c.h5",       "whole.h5",
                                      "cut.h5", "a.h5.part", "x/run.xdmf", "x/run-frames.h5",
                                      "x"};
  return scratch_remove_only(names, (int)(sizeof names / sizeof *names));
}

/* ---- A scene: spheres, boxes and a hull that fall on a floor ------------------------------------
 */

static void add(SlipSim *sim, const char *name, const SlipShapeDef *shape, int motion, double x,
                double z) {
  SlipBodyDef def = slip_default_body_def();
  SlipBodyId body;
  SlipError error;
  def.name = name;
  def.motion = motion;
  def.shapes = shape;
  def.shape_count = 1;
  def.position[0] = x;
  def.position[2] = z;
  def.spin[1] = motion == SLIP_MOTION_FREE ? 1 + x : 0;
  if (slip_sim_add_body(sim, &def, &body, &error) != SLIP_OK)
    fail_msg("%s", error.text);
}

static SlipSim *make_scene(void) {
  static const double corners[] = {0.3, 0, -0.2, -0.3, 0.1, -0.2, 0, -0.3, -0.2, 0, 0, 0.4};
  SlipSimDef def = slip_default_sim_def();
  SlipContactRule rule = slip_default_contact_rule();
  SlipShapeDef floor = slip_default_shape_def(), sphere = floor, box = floor, hull = floor;
  SlipSim *sim = NULL;
  def.gravity[2] = -9.81;
  rule.friction = 0.4;
  rule.restitution = 0.2;
  rule.rolling = 0.01;
  rule.spinning = 0.005;
  assert_int_equal(slip_sim_create(&def, &sim, NULL), SLIP_OK);
  assert_int_equal(slip_sim_add_rule(sim, &rule, NULL), SLIP_OK);
  floor.kind = SLIP_SHAPE_HALF_SPACE;
  floor.normal[2] = 1;
  sphere.kind = SLIP_SHAPE_SPHERE;
  sphere.radius = 0.2;
  box.kind = SLIP_SHAPE_BOX;
  box.edges[0] = box.edges[1] = box.edges[2] = 0.4;
  box.position[0] = 0.05;
  hull.kind = SLIP_SHAPE_HULL;
  hull.points = corners;
  hull.point_count = 4;
  add(sim, "floor", &floor, SLIP_MOTION_FIXED, 0, 0);
  for (int k = 0; k < BODIES - 1; k++)
    add(sim, k == 0 ? "first" : NULL,
        k % 3 == 0   ? &sphere
        : k % 3 == 1 ? &box
                     : &hull,
        SLIP_MOTION_FREE, 0.2 * k, 0.35 + 0.25 * k);
  return sim;
}

static SlipRecordDef record_def(void) {
  SlipRecordDef def = slip_default_record_def();
  def.every = EVERY;
  def.snapshot_every = SNAPSHOT;
  def.scene = "slipcone: 1\n";
  return def;
}

static void run(SlipSim *sim, SlipRecorder *recorder, int64_t to) {
  while (slip_sim_steps(sim) < to) {
    SlipStepInfo info = slip_default_step_info();
    SlipError error;
    if (slip_sim_step(sim, &info, &error) != SLIP_OK ||
        slip_recorder_step(recorder, sim, &info, &error) != SLIP_OK)
      fail_msg("%s", error.text);
  }
}

static void record_whole(const char *path) {
  SlipRecordDef def = record_def();
  SlipRecorder *recorder = NULL;
  SlipError error;
  SlipSim *sim = make_scene();
  if (slip_recorder_create(path, sim, &def, &recorder, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  run(sim, recorder, STEPS);
  assert_int_equal(slip_recorder_finish(recorder, sim, NULL), SLIP_OK);
  slip_sim_free(sim);
}

static SlipTrajectory *open_path(const char *path) {
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  if (slip_trajectory_open(path, &trajectory, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  return trajectory;
}

/* ---- Reading what was recorded ------------------------------------------------------------------
 */

/* Returns how many contacts have moments. */
static int compare_state(const SlipSim *sim, SlipTrajectory *trajectory, int64_t frame) {
  int moments = 0;
  SlipSimState have = slip_default_sim_state(), read = slip_default_sim_state();
  assert_int_equal(slip_sim_state(sim, &have, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_frame(trajectory, frame, &read, NULL), SLIP_OK);
  assert_int_equal(read.bodies, BODIES);
  assert_true(read.time == have.time);
  assert_memory_equal(read.position, have.position, 3 * BODIES * sizeof(double));
  assert_memory_equal(read.rotation, have.rotation, 4 * BODIES * sizeof(double));
  assert_memory_equal(read.velocity, have.velocity, 3 * BODIES * sizeof(double));
  assert_memory_equal(read.spin, have.spin, 3 * BODIES * sizeof(double));
  assert_int_equal(read.contacts, have.contacts);
  for (int32_t k = 0; k < read.contacts; k++) {
    assert_true(read.contact[k].key == have.contact[k].key);
    assert_int_equal(read.contact[k].bodies[1], have.contact[k].bodies[1]);
    assert_int_equal(read.contact[k].status, have.contact[k].status);
    assert_true(read.contact[k].gap == have.contact[k].gap);
    assert_memory_equal(read.contact[k].impulse, have.contact[k].impulse, 3 * sizeof(double));
    assert_memory_equal(read.contact[k].moment, have.contact[k].moment, 3 * sizeof(double));
    moments += have.contact[k].moment[1] != 0;
  }
  return moments;
}

static void test_round_trip(void **state) {
  (void)state;
  record_whole(scratch_place("a.h5"));
  SlipTrajectory *trajectory = open_path(scratch_place("a.h5"));
  const SlipTrajectoryInfo *info = slip_trajectory_info(trajectory);
  assert_int_equal(info->frames, STEPS / EVERY + 1);
  assert_int_equal(info->steps, STEPS);
  assert_int_equal(info->bodies, BODIES);
  assert_int_equal(info->snapshots, STEPS / SNAPSHOT + 1);
  assert_string_equal(info->names[0], "floor");
  assert_string_equal(info->names[1], "first");
  assert_string_equal(info->scene, "slipcone: 1\n");
  assert_string_equal(info->version, slip_version());
  SlipSim *sim = make_scene();
  int32_t contacts = 0, moments = 0;
  for (int64_t step = 0; step <= STEPS; step++) {
    SlipStepInfo now = slip_default_step_info();
    if (step > 0)
      assert_int_equal(slip_sim_step(sim, &now, NULL), SLIP_OK);
    if (step % EVERY == 0)
      moments += compare_state(sim, trajectory, step / EVERY);
    if (step > 0) {
      assert_int_equal(info->step_contacts[step - 1], now.contacts);
      assert_true(info->step_residual[step - 1] == now.residual);
      contacts += now.contacts;
    }
    if (step > 0 && step % EVERY == 0)
      assert_memory_equal(&info->energy[step / EVERY], &now.energy, sizeof now.energy);
  }
  assert_true(contacts > 100);
  assert_true(moments > 20);
  slip_sim_free(sim);
  slip_trajectory_free(trajectory);
}

static void test_shapes(void **state) {
  (void)state;
  record_whole(scratch_place("a.h5"));
  SlipTrajectory *trajectory = open_path(scratch_place("a.h5"));
  SlipShapeDef def = slip_default_shape_def();
  int32_t body = -1;
  assert_int_equal(slip_trajectory_info(trajectory)->shapes, BODIES);
  assert_int_equal(slip_trajectory_shape(trajectory, 2, &def, &body, NULL), SLIP_OK);
  assert_int_equal(def.kind, SLIP_SHAPE_BOX);
  assert_int_equal(body, 2);
  assert_float_equal(def.edges[1], 0.4, 1e-15);
  assert_float_equal(def.position[0], 0.05, 1e-15);
  assert_int_equal(slip_trajectory_shape(trajectory, 3, &def, &body, NULL), SLIP_OK);
  assert_int_equal(def.kind, SLIP_SHAPE_HULL);
  assert_int_equal(def.point_count, 4);
  assert_int_equal(slip_trajectory_shape(trajectory, BODIES, &def, &body, NULL),
                   SLIP_ERROR_ARGUMENT);
  slip_trajectory_free(trajectory);
}

/* ---- Going on -----------------------------------------------------------------------------------
 */

/* ---- XDMF ------------------------------------------------------------------------------------ */

/* A dataset of doubles, rows of `width`; how many rows. */
static int64_t read_frame(hid_t file, const char *path, int width, double *values, int64_t most) {
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  assert_true(dataset >= 0);
  hid_t space = H5Dget_space(dataset);
  hsize_t extent[2] = {0, 1};
  assert_int_equal(H5Sget_simple_extent_ndims(space), width > 1 ? 2 : 1);
  H5Sget_simple_extent_dims(space, extent, NULL);
  assert_int_equal(extent[1], width);
  assert_true((int64_t)extent[0] <= most);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return (int64_t)extent[0];
}

/* Contacts are as in the frame; every polygon names points there are; the points of the first ball
 * are on it; every dataset that the list names is there. */
static void test_xdmf(void **state) {
  (void)state;
  enum { MOST = 20000 };
  double *x = calloc(3 * MOST, sizeof *x), *corners = calloc(MOST, sizeof *corners);
  record_whole(scratch_place("a.h5"));
  SlipTrajectory *trajectory = open_path(scratch_place("a.h5"));
  SlipSimState frame = slip_default_sim_state();
  assert_int_equal(slip_trajectory_export_xdmf(trajectory, scratch_place("x"), 15, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_frame(trajectory, 30, &frame, NULL), SLIP_OK);
  hid_t file = H5Fopen(scratch_place("x/run-frames.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  assert_true(frame.contacts > 0);
  assert_int_equal(read_frame(file, "/000030/impulse", 3, x, MOST), frame.contacts);
  for (int c = 0; c < 3; c++)
    assert_true(x[c] == frame.contact[0].impulse[c]);
  int64_t points = read_frame(file, "/000030/points", 3, x, MOST), on_ball = 0, polygons = 0;
  for (int64_t k = 0; k < points; k++) {
    const double *centre = frame.position + 3; /* of the body after the floor */
    double distance = sqrt(pow(x[3 * k] - centre[0], 2) + pow(x[3 * k + 1] - centre[1], 2) +
                           pow(x[3 * k + 2] - centre[2], 2));
    on_ball += fabs(distance - 0.2) < 1e-6;
  }
  assert_true(on_ball >= 20);
  int64_t length = read_frame(file, "/topology", 1, corners, MOST);
  for (int64_t k = 0; k < length; k += 2 + (int64_t)corners[k + 1], polygons++)
    for (int64_t c = 0; c < (int64_t)corners[k + 1]; c++)
      assert_true(corners[k + 2 + c] >= 0 && corners[k + 2 + c] < (double)points);
  assert_int_equal(read_frame(file, "/body", 1, x, MOST), polygons);
  char line[512];
  int named = 0;
  FILE *list = fopen(scratch_place("x/run.xdmf"), "r");
  assert_non_null(list);
  while (fgets(line, sizeof line, list)) {
    char *name = strstr(line, "run-frames.h5:");
    if (!name)
      continue;
    name += strlen("run-frames.h5:");
    name[strcspn(name, "<")] = 0;
    named += 1;
    assert_true(H5Lexists(file, name, H5P_DEFAULT) > 0);
  }
  assert_true(named >= 3 * 4);
  fclose(list);
  H5Fclose(file);
  slip_trajectory_free(trajectory);
  free(x);
  free(corners);
}

/* ---- Restarts -------------------------------------------------------------------------------- */

static void compare_frames(SlipTrajectory *a, SlipTrajectory *b, int64_t frame) {
  SlipSimState one = slip_default_sim_state(), two = slip_default_sim_state();
  assert_int_equal(slip_trajectory_frame(a, frame, &one, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_frame(b, frame, &two, NULL), SLIP_OK);
  assert_memory_equal(one.position, two.position, 3 * BODIES * sizeof(double));
  assert_memory_equal(one.rotation, two.rotation, 4 * BODIES * sizeof(double));
  assert_memory_equal(one.velocity, two.velocity, 3 * BODIES * sizeof(double));
  assert_memory_equal(one.spin, two.spin, 3 * BODIES * sizeof(double));
  assert_int_equal(one.contacts, two.contacts);
  for (int32_t k = 0; k < one.contacts; k++) {
    assert_true(one.contact[k].key == two.contact[k].key);
    assert_memory_equal(one.contact[k].impulse, two.contact[k].impulse, 3 * sizeof(double));
  }
}

/* Everything but the seconds is the same. */
static void compare_files(const char *one, const char *two) {
  SlipTrajectory *a = open_path(one), *b = open_path(two);
  const SlipTrajectoryInfo *in_a = slip_trajectory_info(a), *in_b = slip_trajectory_info(b);
  assert_int_equal(in_a->frames, in_b->frames);
  assert_int_equal(in_a->steps, in_b->steps);
  assert_int_equal(in_a->snapshots, in_b->snapshots);
  size_t steps = (size_t)in_a->steps, frames = (size_t)in_a->frames;
  assert_memory_equal(in_a->time, in_b->time, frames * sizeof(double));
  assert_memory_equal(in_a->energy, in_b->energy, frames * sizeof *in_a->energy);
  assert_memory_equal(in_a->step_residual, in_b->step_residual, steps * sizeof(double));
  assert_memory_equal(in_a->step_iterations, in_b->step_iterations, steps * sizeof(int64_t));
  assert_memory_equal(in_a->step_contacts, in_b->step_contacts, steps * sizeof(int32_t));
  for (int64_t k = 0; k < in_a->frames; k++)
    compare_frames(a, b, k);
  for (int64_t k = 0; k < in_a->snapshots; k++) {
    void *bytes[2];
    size_t size[2];
    assert_int_equal(slip_trajectory_snapshot(a, in_a->snapshot_time[k], &bytes[0], &size[0], NULL),
                     SLIP_OK);
    assert_int_equal(slip_trajectory_snapshot(b, in_b->snapshot_time[k], &bytes[1], &size[1], NULL),
                     SLIP_OK);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    slip_sim_bytes_free(bytes[0]);
    slip_sim_bytes_free(bytes[1]);
  }
  slip_trajectory_free(a);
  slip_trajectory_free(b);
}

/* Take a run up at its last snapshot before `time` and finish it. */
static void go_on(const char *from, const char *to, double time) {
  SlipTrajectory *trajectory = open_path(from);
  SlipRecordDef def = record_def();
  SlipRecorder *recorder = NULL;
  SlipError error;
  void *bytes = NULL;
  size_t size = 0;
  SlipSim *sim = make_scene();
  if (slip_trajectory_snapshot(trajectory, time, &bytes, &size, &error) != SLIP_OK ||
      slip_sim_restore(sim, bytes, size, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  slip_trajectory_free(trajectory);
  slip_sim_bytes_free(bytes);
  def.continues = from;
  if (slip_recorder_create(to, sim, &def, &recorder, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  run(sim, recorder, STEPS);
  assert_int_equal(slip_recorder_finish(recorder, sim, NULL), SLIP_OK);
  slip_sim_free(sim);
}

static void test_restart(void **state) {
  (void)state;
  record_whole(scratch_place("whole.h5"));
  static const double times[] = {0, 0.12, 0.2, HUGE_VAL};
  for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
    go_on(scratch_place("whole.h5"), scratch_place("b.h5"), times[k]);
    compare_files(scratch_place("whole.h5"), scratch_place("b.h5"));
  }
  /* In place. */
  go_on(scratch_place("b.h5"), scratch_place("b.h5"), 0.1);
  compare_files(scratch_place("whole.h5"), scratch_place("b.h5"));
}

/* Files of earlier versions are without moments: they are read as 0, and such a run goes on. */
static void test_without_moments(void **state) {
  (void)state;
  record_whole(scratch_place("c.h5"));
  hid_t file = H5Fopen(scratch_place("c.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, "/contacts/moment", H5P_DEFAULT) >= 0);
  assert_true(H5Fclose(file) >= 0);
  for (int turn = 0; turn < 2; turn++) {
    SlipTrajectory *trajectory = open_path(scratch_place("c.h5"));
    SlipSimState read = slip_default_sim_state();
    for (int64_t frame = 0; frame < 10; frame++) {
      assert_int_equal(slip_trajectory_frame(trajectory, frame, &read, NULL), SLIP_OK);
      for (int32_t k = 0; k < read.contacts; k++)
        assert_true(read.contact[k].moment[1] == 0);
    }
    slip_trajectory_free(trajectory);
    go_on(scratch_place("c.h5"), scratch_place("c.h5"), HUGE_VAL);
  }
}

/* A process that records slowly, until it is killed. */
static void record_for_ever(const char *path) {
  SlipRecordDef def = record_def();
  SlipRecorder *recorder = NULL;
  SlipSim *sim = make_scene();
  def.flush_seconds = 0;
  if (slip_recorder_create(path, sim, &def, &recorder, NULL) == SLIP_OK)
    run(sim, recorder, STEPS);
  pause();
}

static void sleep_for(double seconds) {
  struct timespec time = {0, (long)(1e9 * seconds)};
  nanosleep(&time, NULL);
}

static void test_kill(void **state) {
  (void)state;
  SlipiRandom random;
  int kills = getenv("SLIPCONE_FULL") ? 100 : 6, taken_up = 0;
  slipi_random_seed(&random, 5);
  double started = slipi_clock_seconds();
  record_whole(scratch_place("whole.h5"));
  double whole = fmin(fmax(slipi_clock_seconds() - started, 0.15), 0.9);
  for (int k = 0; k < kills; k++) {
    const char *path = scratch_place("c.h5");
    remove(path);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      record_for_ever(path);
      _exit(0);
    }
    for (int wait = 0; wait < 1000 && access(path, F_OK) != 0; wait++)
      sleep_for(0.005);
    sleep_for(whole * slipi_random_unit(&random));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    SlipTrajectory *left = open_path(path);
    assert_true(slip_trajectory_info(left)->frames >= 1);
    taken_up += slip_trajectory_info(left)->frames > 1;
    slip_trajectory_free(left);
    go_on(path, scratch_place("b.h5"), HUGE_VAL);
    compare_files(scratch_place("whole.h5"), scratch_place("b.h5"));
  }
  print_message("%d killed, %d of them after the first frame\n", kills, taken_up);
  assert_true(taken_up > 0);
}

/* ---- Damage -------------------------------------------------------------------------------------
 */

static long read_bytes(const char *path, unsigned char **bytes) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  *bytes = malloc((size_t)size);
  assert_int_equal(fread(*bytes, 1, (size_t)size, file), size);
  fclose(file);
  return size;
}

static void write_bytes(const char *path, const unsigned char *bytes, long size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, (size_t)size, file), size);
  fclose(file);
}

/* Read everything; whatever is wrong gets a sentence that names the file. */
static bool read_all(const char *path) {
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  if (slip_trajectory_open(path, &trajectory, &error) != SLIP_OK) {
    assert_non_null(strstr(error.text, "cut.h5"));
    return false;
  }
  bool good = true;
  for (int64_t k = 0; k < slip_trajectory_info(trajectory)->frames; k++) {
    SlipSimState state = slip_default_sim_state();
    good = slip_trajectory_frame(trajectory, k, &state, &error) == SLIP_OK && good;
  }
  slip_trajectory_free(trajectory);
  return good;
}

static void test_damage(void **state) {
  (void)state;
  SlipiRandom random;
  unsigned char *bytes = NULL;
  int refused = 0, cases = getenv("SLIPCONE_FULL") ? 2000 : 100;
  slipi_random_seed(&random, 11);
  record_whole(scratch_place("a.h5"));
  long size = read_bytes(scratch_place("a.h5"), &bytes);
  const char *cut = scratch_place("cut.h5");
  for (int k = 0; k < cases; k++) {
    long at = (long)slipi_random_below(&random, (uint32_t)size);
    if (k % 2) {
      write_bytes(cut, bytes, at);
    } else {
      unsigned char kept = bytes[at];
      bytes[at] ^= (unsigned char)(1 + slipi_random_below(&random, 255));
      write_bytes(cut, bytes, size);
      bytes[at] = kept;
    }
    refused += !read_all(cut);
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  }
  free(bytes);
  assert_true(refused > cases / 2);
}

static void test_wrong(void **state) {
  (void)state;
  SlipTrajectory *trajectory = NULL;
  SlipError error;
  assert_int_equal(slip_trajectory_open(scratch_place("none.h5"), &trajectory, &error),
                   SLIP_ERROR_FILE);
  assert_null(trajectory);
  SlipRecordDef def = record_def();
  SlipRecorder *recorder = NULL;
  SlipSim *sim = make_scene();
  def.every = 0;
  assert_int_equal(slip_recorder_create(scratch_place("a.h5"), sim, &def, &recorder, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "every is 0"));
  def = record_def();
  assert_int_equal(slip_recorder_create("no/such/folder.h5", sim, &def, &recorder, &error),
                   SLIP_ERROR_FILE);
  assert_null(recorder);
  slip_sim_free(sim);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_shapes),
                                     cmocka_unit_test(test_xdmf),
                                     cmocka_unit_test(test_restart),
                                     cmocka_unit_test(test_without_moments),
                                     cmocka_unit_test(test_kill),
                                     cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_wrong)};
  return cmocka_run_group_tests(tests, scratch_make, remove_folder);
}
