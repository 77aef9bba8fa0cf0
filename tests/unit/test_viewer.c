/* The page of a trajectory: what is inside it, read back by a decoder that shares no code with the
 * writer, is the trajectory to within a quantum. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "record/pack.h"
#include "scratch.h"
#include "sim_case.h"
#include <slipcone/record.h>

enum { STEPS = 150 };

static char run_path[128], page_path[128];

static int make_folder(void **state) {
  if (scratch_make(state))
    return -1;
  snprintf(run_path, sizeof run_path, "%s", scratch_place("run.h5"));
  snprintf(page_path, sizeof page_path, "%s", scratch_place("page.html"));
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  static const char *const names[] = {"run.h5", "page.html"};
  return scratch_remove_only(names, 2);
}

/* ---- Reading a page ------------------------------------------------------------------------- */

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  return text;
}

static int digit_of(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* The bytes of the part of that id; the caller frees them. */
static unsigned char *part_of(const char *page, const char *id, size_t *size) {
  char mark[64];
  snprintf(mark, sizeof mark, " id=\"%s\">", id);
  const char *at = strstr(page, mark);
  if (!at)
    fail_msg("the page has no part %s", id);
  at += strlen(mark);
  size_t packed = 0, length = strcspn(at, "<");
  unsigned char *bytes = malloc(length + 4);
  assert_non_null(bytes);
  unsigned bits = 0;
  int held = 0;
  for (size_t k = 0; k < length && digit_of(at[k]) >= 0; k++) {
    bits = bits << 6 | (unsigned)digit_of(at[k]);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[packed++] = (unsigned char)(bits >> held);
    }
  }
  uLongf room = 4000000;
  unsigned char *unpacked = calloc(room + 1, 1);
  assert_non_null(unpacked);
  assert_int_equal(uncompress(unpacked, &room, bytes, packed), Z_OK);
  free(bytes);
  *size = room;
  return unpacked;
}

/* The numbers at *at, which moves behind them. */
static void take(const unsigned char **at, int64_t count, int32_t *value) {
  int planes = *(*at)++;
  for (int64_t k = 0; k < count; k++) {
    uint32_t folded = 0;
    for (int plane = 0; plane < planes; plane++)
      folded |= (uint32_t)(*at)[plane * count + k] << 8 * plane;
    value[k] = folded & 1 ? -1 - (int32_t)(folded >> 1) : (int32_t)(folded >> 1);
  }
  *at += planes * count;
}

static void test_integers(void **state) {
  (void)state;
  const int32_t values[] = {0, -1, 1, 127, -128, 300, -70000, 1 << 24, INT32_MAX, INT32_MIN};
  enum { COUNT = sizeof values / sizeof *values };
  int32_t read[COUNT];
  for (int count = 1; count <= COUNT; count++) {
    SlipiText bytes = {0};
    slipi_pack_integers(&bytes, values, count);
    const unsigned char *at = (const unsigned char *)bytes.bytes;
    take(&at, count, read);
    assert_int_equal((size_t)(at - (const unsigned char *)bytes.bytes), bytes.length);
    assert_memory_equal(read, values, (size_t)count * sizeof *read);
    slipi_text_free(&bytes);
  }
}

/* Every length modulo three has another end in base64. */
static void test_parts(void **state) {
  (void)state;
  for (size_t size = 0; size < 40; size++) {
    unsigned char bytes[40];
    for (size_t k = 0; k < size; k++)
      bytes[k] = (unsigned char)(37 * k * k + size);
    SlipiText page = {0};
    slipi_pack(&page, "thing", 12, bytes, size);
    size_t read = 0;
    unsigned char *back = part_of(page.bytes, "thing-12", &read);
    assert_int_equal(read, size);
    assert_memory_equal(back, bytes, size);
    free(back);
    slipi_text_free(&page);
  }
}

/* ---- A trajectory in its page ---------------------------------------------------------------- */

/* Balls and boxes that fall on a floor and turn, one of them far away and fast. */
static void record_run(void) {
  SlipSim *sim = sim_make(3, 0.005, 1e-8);
  SlipShapeDef ball = sim_sphere(0.1), box = sim_box(0.3, 0.2, 0.1);
  SlipRecordDef def = slip_default_record_def();
  SlipRecorder *recorder = NULL;
  sim_rule(sim, 0.4, 0.3);
  sim_plane(sim, 0, 0, 1);
  for (int k = 0; k < 6; k++) {
    SlipBodyId body = sim_body(sim, k % 2 ? &ball : &box, 0.5 * k, -0.2 * k, 0.3 + 0.1 * k);
    sim_throw(sim, body, 0.1 * k, k == 5 ? 400 : -0.3, 0.2, 3, 7 - k, 0.5);
  }
  def.scene = "slipcone: 1\ntitle: </script><b>\n";
  assert_int_equal(slip_recorder_create(run_path, sim, &def, &recorder, NULL), SLIP_OK);
  for (int k = 0; k < STEPS; k++) {
    SlipStepInfo info = sim_steps(sim, 1);
    assert_int_equal(slip_recorder_step(recorder, sim, &info, NULL), SLIP_OK);
  }
  assert_int_equal(slip_recorder_finish(recorder, sim, NULL), SLIP_OK);
  slip_sim_free(sim);
}

/* Frame `frame` of all bodies' values of one place, undoing the differences. */
static void check_place(SlipTrajectory *trajectory, const unsigned char **at, int place,
                        int64_t frames, const double figures[5], const float *turn) {
  int32_t bodies = slip_trajectory_info(trajectory)->bodies;
  int32_t *fresh = calloc((size_t)(2 * bodies), sizeof *fresh);
  int32_t *change = calloc((size_t)(bodies * frames), sizeof *change);
  assert_non_null(fresh);
  assert_non_null(change);
  take(at, bodies, fresh);
  take(at, bodies, fresh + bodies);
  take(at, bodies * (frames - 2), change);
  for (int32_t b = 1; b < bodies; b++)
    fresh[b] += fresh[b - 1];
  for (int64_t k = 0; k < frames; k++) {
    SlipSimState state = slip_default_sim_state();
    assert_int_equal(slip_trajectory_frame(trajectory, k, &state, NULL), SLIP_OK);
    for (int32_t b = 0; b < bodies; b++) {
      if (k > 1)
        fresh[bodies + b] += change[b * (frames - 2) + k - 2];
      if (k > 0)
        fresh[b] += fresh[bodies + b];
      double quantum = place < 3 ? figures[1] : turn[b];
      double value = fresh[b] * quantum + (place < 3 ? figures[2 + place] : 0);
      double truth = place < 3 ? state.position[3 * b + place] : state.rotation[4 * b + place - 3];
      double off = fabs(value - truth);
      if (place >= 3) /* the same rotation */
        off = fmin(off, fabs(value + truth));
      if (off > 0.76 * quantum)
        fail_msg("frame %lld, body %d, place %d: %g, expected %g", (long long)k, b, place, value,
                 truth);
    }
  }
  free(fresh);
  free(change);
}

static void test_motion(void **state) {
  (void)state;
  SlipTrajectory *trajectory = NULL;
  size_t size = 0;
  assert_int_equal(slip_trajectory_open(run_path, &trajectory, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_page(trajectory, NULL, page_path, NULL), SLIP_OK);
  char *page = read_text(page_path);
  double *figures = (void *)part_of(page, "motion-figures", &size);
  assert_int_equal(size, 5 * sizeof(double));
  assert_int_equal((int)figures[0], STEPS + 1);
  assert_true(figures[1] > 0 && figures[1] < 0.1 / 32); /* the fast body does not blur the others */
  float *turn = (void *)part_of(page, "motion-turns", &size);
  unsigned char *motion = part_of(page, "motion-0", &size);
  const unsigned char *at = motion;
  for (int place = 0; place < 7; place++)
    check_place(trajectory, &at, place, STEPS + 1, figures, turn);
  assert_int_equal((size_t)(at - motion), size);
  assert_null(strstr(page, "</script><b>")); /* a text of the scene stays a text */
  free(motion);
  free(turn);
  free(figures);
  free(page);
  slip_trajectory_free(trajectory);
}

/* Counts, statuses and positions of all contacts; impulses to some figures. */
static void test_contacts(void **state) {
  (void)state;
  SlipTrajectory *trajectory = NULL;
  SlipPageDef def = slip_default_page_def();
  size_t size = 0;
  def.every = 3;
  assert_int_equal(slip_trajectory_open(run_path, &trajectory, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_page(trajectory, &def, page_path, NULL), SLIP_OK);
  char *page = read_text(page_path);
  double *figures = (void *)part_of(page, "motion-figures", &size);
  unsigned char *bytes = part_of(page, "contacts-0", &size);
  int32_t frames, total = 0, first = 0, *counts = (int32_t *)(void *)bytes + 1, *column[12];
  memcpy(&frames, bytes, sizeof frames);
  assert_int_equal(frames, STEPS / 3 + 1);
  for (int32_t k = 0; k < frames; k++)
    total += counts[k];
  assert_true(total > 50);
  const unsigned char *at = bytes + 4 + 4 * (size_t)frames;
  for (int c = 0; c < 12; c++) {
    column[c] = calloc((size_t)total, sizeof(int32_t));
    assert_non_null(column[c]);
    take(&at, total, column[c]);
    for (int32_t k = 1; (c < 2 || (c > 2 && c < 6)) && k < total; k++)
      column[c][k] += column[c][k - 1];
  }
  for (int32_t k = 0; k < frames; first += counts[k++]) {
    SlipSimState frame = slip_default_sim_state();
    assert_int_equal(slip_trajectory_frame(trajectory, 3 * (int64_t)k, &frame, NULL), SLIP_OK);
    assert_int_equal(frame.contacts, counts[k]);
    for (int32_t c = 0; c < counts[k]; c++) {
      const SlipSimContact *contact = &frame.contact[c];
      assert_int_equal(column[0][first + c], contact->bodies[0]);
      assert_int_equal(column[1][first + c], contact->bodies[1]);
      assert_int_equal(column[2][first + c], contact->status);
      for (int axis = 0; axis < 3; axis++)
        assert_true(fabs(column[3 + axis][first + c] * figures[1] + figures[2 + axis] -
                         contact->position[axis]) <= 0.51 * figures[1]);
      uint32_t bits = (uint32_t)column[10][first + c] << 16;
      float read;
      memcpy(&read, &bits, sizeof read);
      const double *r = contact->impulse;
      double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      assert_true(fabs((double)read - length) <= 0.005 * length);
    }
  }
  for (int c = 0; c < 12; c++)
    free(column[c]);
  free(bytes);
  free(figures);
  free(page);
  slip_trajectory_free(trajectory);
}

/* With fewer contacts than there are, those of frames evenly apart; none for none. */
static void test_fewer_contacts(void **state) {
  (void)state;
  const int64_t wanted[] = {40, 0};
  for (int k = 0; k < 2; k++) {
    SlipTrajectory *trajectory = NULL;
    SlipPageDef def = slip_default_page_def();
    size_t size = 0;
    def.contacts = wanted[k];
    assert_int_equal(slip_trajectory_open(run_path, &trajectory, NULL), SLIP_OK);
    assert_int_equal(slip_trajectory_page(trajectory, &def, page_path, NULL), SLIP_OK);
    char *page = read_text(page_path);
    double *figures = (void *)part_of(page, "contact-figures", &size);
    assert_true(k ? figures[0] == 0 && figures[1] == 0 : figures[0] > 1 && figures[1] == 1);
    assert_true((strstr(page, "id=\"contacts-0\"") != NULL) == (k == 0));
    free(figures);
    free(page);
    slip_trajectory_free(trajectory);
  }
}

static void test_wrong(void **state) {
  (void)state;
  SlipTrajectory *trajectory = NULL;
  SlipPageDef def = slip_default_page_def();
  SlipError error;
  assert_int_equal(slip_trajectory_open(run_path, &trajectory, NULL), SLIP_OK);
  assert_int_equal(slip_trajectory_page(NULL, NULL, page_path, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_trajectory_page(trajectory, NULL, NULL, &error), SLIP_ERROR_ARGUMENT);
  def.every = 0;
  assert_int_equal(slip_trajectory_page(trajectory, &def, page_path, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "every is 0"));
  def.size = 0;
  assert_int_equal(slip_trajectory_page(trajectory, &def, page_path, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_trajectory_page(trajectory, NULL, "nowhere/page.html", &error),
                   SLIP_ERROR_FILE);
  assert_non_null(strstr(error.text, "nowhere/page.html"));
  slip_trajectory_free(trajectory);
}

/* A problem with a known solution: statuses and errors are those of its solution. */
static void test_problem(void **state) {
  (void)state;
  const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 0.8, 0}, mu[] = {0.5};
  const double r[] = {1, -0.5, 0};
  SlipLaws laws = slip_default_laws();
  SlipLocalData data = slip_default_local_data();
  SlipProblem *problem = NULL;
  SlipError error;
  size_t size = 0;
  laws.mu = mu;
  data.dimension = 3;
  data.contacts = 1;
  data.W = slip_dense(3, 3, W);
  data.q = q;
  data.laws = &laws;
  if (slip_problem_create_local(&data, &problem, &error) != SLIP_OK)
    fail_msg("%s", error.text);
  assert_int_equal(slip_problem_page(problem, NULL, NULL, page_path, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_problem_page(problem, r, "one", page_path, &error), SLIP_OK);
  char *page = read_text(page_path);
  int32_t *status = (void *)part_of(page, "statuses", &size);
  assert_int_equal(size, sizeof *status);
  assert_int_equal(*status, SLIP_CONTACT_SLIP);
  double *u = (void *)part_of(page, "velocities", &size);
  assert_true(fabs(u[0]) < 1e-15 && fabs(u[1] - 0.3) < 1e-15 && fabs(u[2]) < 1e-15);
  double *errors = (void *)part_of(page, "errors", &size);
  assert_true(errors[0] < 1e-15);
  free(status);
  free(u);
  free(errors);
  free(page);
  slip_problem_free(problem);
}

static int set_up(void **state) {
  int failed = make_folder(state);
  if (!failed)
    record_run();
  return failed;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers), cmocka_unit_test(test_parts),
      cmocka_unit_test(test_motion),   cmocka_unit_test(test_contacts),
      cmocka_unit_test(test_wrong),    cmocka_unit_test(test_fewer_contacts),
      cmocka_unit_test(test_problem)};
  return cmocka_run_group_tests(tests, set_up, remove_folder);
}
