/* Deformable bodies in a viewer's page: displacements of the nodes of their surfaces and what
 * colours them, as whole numbers in blocks of frames that can be read one by one.
 *
 * Displacements are in the axes of the body, in quanta of its own; displacement, von Mises' stress
 * and contact pressure are counted in 255ths of the largest of all frames. A vertex has its first
 * value in a block and its differences in time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/element.h"
#include "geom/vec.h"
#include "record/pack.h"
#include "record/soft_frames.h"
#include "record/trajectory.h"
#include "record/viewer.h"

enum { FIELDS = 3, PLACES = 3 + FIELDS, LEVELS = 255 };

typedef struct Soft {
  SlipiViewer *viewer;
  const SlipiSoftFrames *frames;
  int32_t *shape; /* of each body */
  int32_t *node;  /* of each vertex */
  int64_t *first; /* vertex of each body, and where the last one's end */
  int64_t length; /* frames of a block */
  int64_t held;   /* frames in the block at hand */
  double most[FIELDS], quantum;
  double *room, *pressure; /* 3 and 1 a node */
  int32_t *value;          /* [place][vertex][frame of the block] */
  int32_t *change, *fresh;
} Soft;

/* As many frames as make about a million values. */
static int64_t block_length(int64_t vertices, int64_t frames) {
  int64_t length = 300000 / (vertices > 0 ? vertices : 1);
  length = length < 4 ? 4 : length > 1024 ? 1024 : length;
  return length < frames ? length : frames;
}

/* The shape whose points are the nodes of each body, and the nodes on its triangles. */
static SlipStatus find_vertices(Soft *soft, SlipError *error) {
  const SlipiSoftFrames *frames = soft->frames;
  SlipiViewer *viewer = soft->viewer;
  for (int32_t k = 0; k < frames->count; k++)
    soft->shape[k] = -1;
  for (int32_t s = 0; s < viewer->info->shapes; s++) {
    SlipShapeDef def = slip_default_shape_def();
    int32_t body = -1;
    SlipStatus status = slip_trajectory_shape(viewer->trajectory, s, &def, &body, error);
    if (status != SLIP_OK)
      return status;
    int32_t k = body < 0 ? -1 : slipi_soft_frames_find(frames, body);
    if (k >= 0 && def.kind == SLIP_SHAPE_MESH && def.point_count == frames->state[k].nodes)
      soft->shape[k] = s;
  }
  int64_t used = 0;
  for (int32_t k = 0; k < frames->count; k++) {
    SlipShapeDef def = slip_default_shape_def();
    soft->first[k] = used;
    SlipStatus status =
        soft->shape[k] < 0
            ? SLIP_OK
            : slip_trajectory_shape(viewer->trajectory, soft->shape[k], &def, NULL, error);
    bool *seen = calloc((size_t)frames->state[k].nodes + 1, sizeof *seen);
    if (status == SLIP_OK && !seen)
      status = slipi_fail_memory(error, "the deformable bodies of a page");
    for (int64_t t = 0; status == SLIP_OK && t < 3 * (int64_t)def.triangle_count; t++)
      seen[def.triangles[t]] = true;
    for (int32_t node = 0; status == SLIP_OK && node < frames->state[k].nodes; node++) {
      if (seen[node])
        soft->node[used++] = node;
    }
    free(seen);
    if (status != SLIP_OK)
      return status;
  }
  soft->first[frames->count] = used;
  return SLIP_OK;
}

/* The fields of a body's vertices in a frame: value[field][vertex]. */
static void fields_at(Soft *soft, const SlipDeformableState *at, int64_t vertex,
                      double field[FIELDS]) {
  int64_t node = soft->node[vertex];
  field[0] = slipi_length(at->displacement + 3 * node);
  field[1] = slipi_von_mises(at->stress + 6 * node);
  field[2] = fmax(0, soft->pressure[node]);
}

static SlipStatus body_at(Soft *soft, int64_t frame, int32_t k, SlipDeformableState *at,
                          SlipError *error) {
  *at = slip_default_deformable_state();
  SlipStatus status = slip_trajectory_deformable(
      soft->viewer->trajectory, frame * soft->viewer->every, soft->frames->body[k], at, error);
  if (status == SLIP_OK)
    slipi_contact_pressure(at, soft->room, soft->pressure);
  return status;
}

/* The largest of all frames. */
static SlipStatus find_scales(Soft *soft, SlipError *error) {
  for (int64_t f = 0; f < soft->viewer->frames; f++)
    for (int32_t k = 0; k < soft->frames->count; k++) {
      SlipDeformableState at;
      SlipStatus status = body_at(soft, f, k, &at, error);
      if (status != SLIP_OK)
        return status;
      for (int64_t v = soft->first[k]; v < soft->first[k + 1]; v++) {
        double field[FIELDS];
        fields_at(soft, &at, v, field);
        for (int i = 0; i < FIELDS; i++)
          soft->most[i] = isfinite(field[i]) ? fmax(soft->most[i], field[i]) : soft->most[i];
      }
    }
  soft->quantum = fmin(soft->viewer->quantum, soft->most[0] / 1000);
  if (!(soft->quantum > 0))
    soft->quantum = 1;
  return SLIP_OK;
}

static SlipStatus put_frame(Soft *soft, int64_t frame, SlipError *error) {
  int64_t vertices = soft->first[soft->frames->count];
  for (int32_t k = 0; k < soft->frames->count; k++) {
    SlipDeformableState at;
    SlipStatus status = body_at(soft, frame, k, &at, error);
    if (status != SLIP_OK)
      return status;
    for (int64_t v = soft->first[k]; v < soft->first[k + 1]; v++) {
      double field[FIELDS];
      int32_t *to = soft->value + v * soft->length + soft->held;
      fields_at(soft, &at, v, field);
      for (int c = 0; c < 3; c++)
        to[c * vertices * soft->length] =
            slipi_viewer_quanta(at.displacement[3 * (int64_t)soft->node[v] + c], soft->quantum);
      for (int i = 0; i < FIELDS; i++)
        to[(3 + i) * vertices * soft->length] =
            soft->most[i] > 0 ? slipi_viewer_quanta(field[i], soft->most[i] / LEVELS) : 0;
    }
  }
  soft->held++;
  return SLIP_OK;
}

static SlipStatus pack_block(Soft *soft, int64_t number, SlipError *error) {
  int64_t vertices = soft->first[soft->frames->count], rest = soft->held - 1;
  SlipiText bytes = {0};
  for (int place = 0; place < PLACES; place++) {
    for (int64_t v = 0; v < vertices; v++) {
      const int32_t *x = soft->value + (place * vertices + v) * soft->length;
      soft->fresh[v] = x[0];
      for (int64_t k = 0; k < rest; k++)
        soft->change[v * rest + k] = x[k + 1] - x[k];
    }
    slipi_pack_integers(&bytes, soft->fresh, vertices);
    slipi_pack_integers(&bytes, soft->change, vertices * rest);
  }
  slipi_pack(&soft->viewer->parts, "soft", number, bytes.bytes, bytes.length);
  bool failed = bytes.failed || soft->viewer->parts.failed;
  slipi_text_free(&bytes);
  soft->held = 0;
  return failed ? slipi_fail_memory(error, "the deformable bodies of a page") : SLIP_OK;
}

static SlipStatus make_room(Soft *soft, SlipError *error) {
  SlipiArena *arena = &soft->viewer->arena;
  const SlipiSoftFrames *frames = soft->frames;
  int64_t nodes = frames->first[frames->count];
  soft->shape = SLIPI_ARENA_NEW(arena, int32_t, frames->count);
  soft->node = SLIPI_ARENA_NEW(arena, int32_t, nodes);
  soft->first = SLIPI_ARENA_NEW(arena, int64_t, (int64_t)frames->count + 1);
  soft->room = SLIPI_ARENA_NEW(arena, double, 3 * nodes);
  soft->pressure = SLIPI_ARENA_NEW(arena, double, nodes);
  SlipStatus status = arena->failed ? slipi_fail_memory(error, "the deformable bodies of a page")
                                    : find_vertices(soft, error);
  if (status != SLIP_OK)
    return status;
  int64_t vertices = soft->first[frames->count];
  soft->length = block_length(vertices, soft->viewer->frames);
  soft->value = SLIPI_ARENA_RAW(arena, int32_t, PLACES * vertices * soft->length);
  soft->change = SLIPI_ARENA_RAW(arena, int32_t, vertices * soft->length);
  soft->fresh = SLIPI_ARENA_RAW(arena, int32_t, vertices);
  return arena->failed ? slipi_fail_memory(error, "the deformable bodies of a page") : SLIP_OK;
}

/* Frames of a block, quantum, levels and largest values of the fields; of each body: its number,
 * its shape, and how many vertices it has. */
static void pack_figures(const Soft *soft, double *figures) {
  const SlipiSoftFrames *frames = soft->frames;
  double *to = figures;
  *to++ = (double)soft->length;
  *to++ = soft->quantum;
  *to++ = LEVELS;
  for (int i = 0; i < FIELDS; i++)
    *to++ = soft->most[i];
  for (int32_t k = 0; k < frames->count; k++) {
    *to++ = frames->body[k];
    *to++ = soft->shape[k];
    *to++ = (double)(soft->first[k + 1] - soft->first[k]);
  }
  slipi_pack(&soft->viewer->parts, "soft-figures", -1, figures,
             (size_t)(to - figures) * sizeof *figures);
  slipi_pack(&soft->viewer->parts, "soft-nodes", -1, soft->node,
             (size_t)soft->first[frames->count] * sizeof *soft->node);
}

SlipStatus slipi_viewer_add_softs(SlipiViewer *viewer, SlipError *error) {
  Soft soft = {.viewer = viewer, .frames = slipi_trajectory_softs(viewer->trajectory)};
  int64_t block = 0;
  if (soft.frames->count == 0)
    return SLIP_OK;
  double *figures = SLIPI_ARENA_NEW(&viewer->arena, double, 6 + 3 * (int64_t)soft.frames->count);
  SlipStatus status = figures ? make_room(&soft, error)
                              : slipi_fail_memory(error, "the deformable bodies of a page");
  if (status == SLIP_OK)
    status = find_scales(&soft, error);
  for (int64_t k = 0; status == SLIP_OK && k < viewer->frames; k++) {
    status = put_frame(&soft, k, error);
    if (status == SLIP_OK && (soft.held == soft.length || k + 1 == viewer->frames))
      status = pack_block(&soft, block++, error);
  }
  if (status == SLIP_OK)
    pack_figures(&soft, figures);
  return status;
}
