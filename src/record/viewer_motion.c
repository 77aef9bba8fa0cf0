/* Motion in a viewer's page: positions and rotations of all bodies as whole numbers, in blocks of
 * frames that can be read one by one.
 *
 * A position is counted in quanta of about 1/65535 of the scene, a quaternion in quanta that move
 * the surface of its body a few times as far. In a block each body has its first value (less that
 * of the body before it), its first difference in time and its second differences, all small:
 * smooth motion takes a few bits, rest takes nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/pack.h"
#include "record/viewer.h"

enum { PLACES = 7 }; /* x, y, z; quaternion */

typedef struct Motion {
  int32_t bodies;
  int64_t length;          /* frames of a block */
  int64_t held;            /* frames in the block at hand */
  float *turn;             /* quantum of a body's rotation */
  int32_t *last;           /* PLACES of each body: of the frame before */
  int32_t *value;          /* [place][body][frame of the block] */
  int32_t *change, *fresh; /* room for differences, and for the first values */
} Motion;

/* As many frames as make about a million values of each place, for a page that shows the first
 * frame soon and reads on while it plays. */
static int64_t block_length(int32_t bodies, int64_t frames) {
  int64_t length = 1000000 / (bodies > 0 ? bodies : 1);
  length = length < 32 ? 32 : length > 1024 ? 1024 : length;
  return length < frames ? length : frames;
}

/* Rounding, but a value stays where it is until it is well on its way to the next: rest is rest. */
static int32_t follow(double value, double quantum, int32_t last) {
  double exact = value / quantum;
  return fabs(exact - last) < 0.75 ? last : slipi_viewer_quanta(value, quantum);
}

/* A quaternion and its negative are the same rotation: take the one that is near the last. */
static double nearer_sign(const double q[4], const int32_t last[4]) {
  double product = 0;
  for (int k = 0; k < 4; k++)
    product += q[k] * last[k];
  return product < 0 ? -1 : 1;
}

static void put_frame(const SlipiViewer *viewer, Motion *motion, const SlipSimState *state) {
  int64_t bodies = motion->bodies;
  for (int64_t b = 0; b < bodies; b++) {
    int32_t *last = motion->last + PLACES * b;
    const double *rotation = state->rotation + 4 * b;
    double sign = nearer_sign(rotation, last + 3);
    for (int c = 0; c < 3; c++)
      last[c] = follow(state->position[3 * b + c] - viewer->low[c], viewer->quantum, last[c]);
    for (int c = 0; c < 4; c++)
      last[3 + c] = follow(sign * rotation[c], motion->turn[b], last[3 + c]);
    for (int c = 0; c < PLACES; c++)
      motion->value[(c * bodies + b) * motion->length + motion->held] = last[c];
  }
  motion->held++;
}

static void pack_place(Motion *motion, int place, SlipiText *bytes) {
  int64_t bodies = motion->bodies, held = motion->held, rest = held > 2 ? held - 2 : 0;
  int32_t before = 0;
  for (int64_t b = 0; b < bodies; b++) {
    const int32_t *x = motion->value + (place * bodies + b) * motion->length;
    motion->fresh[b] = x[0] - before;
    before = x[0];
    motion->fresh[bodies + b] = held > 1 ? x[1] - x[0] : 0;
    for (int64_t k = 2; k < held; k++)
      motion->change[b * rest + k - 2] = x[k] - 2 * x[k - 1] + x[k - 2];
  }
  slipi_pack_integers(bytes, motion->fresh, bodies);
  slipi_pack_integers(bytes, motion->fresh + bodies, bodies);
  slipi_pack_integers(bytes, motion->change, bodies * rest);
}

static SlipStatus pack_block(SlipiViewer *viewer, Motion *motion, int64_t number,
                             SlipError *error) {
  SlipiText bytes = {0};
  for (int place = 0; place < PLACES; place++)
    pack_place(motion, place, &bytes);
  slipi_pack(&viewer->parts, "motion", number, bytes.bytes, bytes.length);
  bool failed = bytes.failed || viewer->parts.failed;
  slipi_text_free(&bytes);
  motion->held = 0;
  return failed ? slipi_fail_memory(error, "the motion of a page") : SLIP_OK;
}

/* A surface may move four times as far as a body before it shows: between 1/127, a degree, and
 * 1/16383. */
static void choose_turns(const SlipiViewer *viewer, float *turn) {
  for (int32_t b = 0; b < viewer->info->bodies; b++) {
    double wanted = viewer->radius[b] > 0 ? 4 * viewer->quantum / viewer->radius[b] : 1;
    turn[b] = (float)fmin(fmax(wanted, 1.0 / 16383), 1.0 / 127);
  }
}

static SlipStatus make_room(SlipiViewer *viewer, Motion *motion, SlipError *error) {
  SlipiArena *arena = &viewer->arena;
  int64_t bodies = motion->bodies = viewer->info->bodies;
  motion->length = block_length(motion->bodies, viewer->frames);
  motion->turn = SLIPI_ARENA_NEW(arena, float, bodies);
  motion->last = SLIPI_ARENA_NEW(arena, int32_t, PLACES * bodies);
  motion->value = SLIPI_ARENA_RAW(arena, int32_t, PLACES * bodies * motion->length);
  motion->change = SLIPI_ARENA_RAW(arena, int32_t, bodies * motion->length);
  motion->fresh = SLIPI_ARENA_RAW(arena, int32_t, 2 * bodies);
  return arena->failed ? slipi_fail_memory(error, "the motion of a page") : SLIP_OK;
}

SlipStatus slipi_viewer_add_motion(SlipiViewer *viewer, SlipError *error) {
  Motion motion = {0};
  int64_t block = 0;
  SlipStatus status = make_room(viewer, &motion, error);
  if (status != SLIP_OK)
    return status;
  choose_turns(viewer, motion.turn);
  for (int64_t k = 0; status == SLIP_OK && k < viewer->frames; k++) {
    SlipSimState state = slip_default_sim_state();
    status = slipi_viewer_frame(viewer, k, &state, error);
    if (status != SLIP_OK)
      return status;
    slipi_viewer_box(viewer, k, &state);
    put_frame(viewer, &motion, &state);
    if (motion.held == motion.length || k + 1 == viewer->frames)
      status = pack_block(viewer, &motion, block++, error);
  }
  const double figures[5] = {(double)motion.length, viewer->quantum, viewer->low[0], viewer->low[1],
                             viewer->low[2]};
  slipi_pack(&viewer->parts, "motion-figures", -1, figures, sizeof figures);
  slipi_pack(&viewer->parts, "motion-turns", -1, motion.turn,
             (size_t)motion.bodies * sizeof *motion.turn);
  return status;
}
