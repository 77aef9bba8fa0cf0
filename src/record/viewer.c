/* A trajectory as a page to look at: one HTML file with the viewer and all data. */
#include "record/viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "io/io.h"
#include "record/pack.h"
#include "record/trajectory.h"

SlipStatus slipi_viewer_write(const char *path, const SlipiText *parts, SlipError *error) {
  SlipiText page = {0};
  const SlipiSlot slots[] = {
      {"style", slipi_viewer_style}, {"data", parts->bytes}, {"script", slipi_viewer_script}};
  slipi_text_add_page(&page, slipi_viewer_page, slots, 3);
  SlipStatus status = page.failed || parts->failed ? slipi_fail_memory(error, "a page")
                                                   : slipi_text_write(path, &page, error);
  slipi_text_free(&page);
  return status;
}

SlipStatus slipi_viewer_frame(SlipiViewer *viewer, int64_t k, SlipSimState *state,
                              SlipError *error) {
  return slip_trajectory_frame(viewer->trajectory, k * viewer->every, state, error);
}

int32_t slipi_viewer_quanta(double value, double quantum) {
  static const double most = 1 << 27;
  double quanta = round(value / quantum);
  return quanta >= -most && quanta <= most ? (int32_t)quanta : quanta > 0 ? 1 << 27 : -(1 << 27);
}

enum { MANY = 2000000 }; /* poses: some megabytes */

/* ---- What the page must know before it can count in quanta ------------------------------------
 */

static void widen(double low[3], double high[3], const double x[3]) {
  for (int c = 0; c < 3; c++) {
    low[c] = fmin(low[c], x[c]);
    high[c] = fmax(high[c], x[c]);
  }
}

static bool same(const double *a, const double *b, int count) {
  for (int k = 0; k < count; k++)
    if (a[k] != b[k])
      return false;
  return true;
}

static void empty_box(double low[3], double high[3]) {
  for (int c = 0; c < 3; c++) {
    low[c] = HUGE_VAL;
    high[c] = -HUGE_VAL;
  }
}

/* Bodies that move, and the box of all positions. `start` has positions and rotations of the first
 * frame. */
static SlipStatus look_at_frames(SlipiViewer *viewer, double *start, SlipError *error) {
  int64_t bodies = viewer->info->bodies;
  empty_box(viewer->low, viewer->high);
  for (int64_t k = 0; k < viewer->frames; k++) {
    SlipSimState state = slip_default_sim_state();
    SlipStatus status = slipi_viewer_frame(viewer, k, &state, error);
    if (status != SLIP_OK)
      return status;
    if (k == 0) {
      memcpy(start, state.position, (size_t)bodies * 3 * sizeof *start);
      memcpy(start + 3 * bodies, state.rotation, (size_t)bodies * 4 * sizeof *start);
    }
    viewer->frame_contacts[k] = state.contacts;
    for (int64_t b = 0; b < bodies; b++) {
      const double *x = state.position + 3 * b;
      widen(viewer->low, viewer->high, x);
      viewer->moves[b] |= !same(start + 3 * b, x, 3) ||
                          !same(start + 3 * bodies + 4 * b, state.rotation + 4 * b, 4);
    }
  }
  return SLIP_OK;
}

void slipi_viewer_box(SlipiViewer *viewer, int64_t k, const SlipSimState *state) {
  double *low = viewer->frame_low + 3 * k, *high = viewer->frame_high + 3 * k;
  empty_box(low, high);
  for (int64_t b = 0; b < viewer->info->bodies; b++)
    if (viewer->moves[b])
      widen(low, high, state->position + 3 * b);
}

/* 1/65535 of the scene, but 1/64 of the smallest body that moves where that is less: one that falls
 * for ever does not blur the others. Where there is much to keep, 1/256 of the smallest body will
 * do: a pixel on a screen that the body fills. */
static double choose_quantum(const SlipiViewer *viewer) {
  double width = 0, smallest = HUGE_VAL;
  for (int c = 0; c < 3; c++)
    width = fmax(width, viewer->high[c] - viewer->low[c]);
  for (int32_t b = 0; b < viewer->info->bodies; b++)
    if (viewer->radius[b] > 0) {
      width = fmax(width, viewer->moves[b] ? viewer->radius[b] : 0);
      smallest = fmin(smallest, viewer->moves[b] ? viewer->radius[b] : HUGE_VAL);
    }
  double quantum = fmax(fmin(width / 65535, smallest / 64), width / (1 << 26));
  if ((double)viewer->info->bodies * (double)viewer->frames > MANY && isfinite(smallest))
    quantum = fmax(quantum, smallest / 256);
  return quantum > 0 && isfinite(quantum) ? quantum : 1.0 / 65535;
}

static SlipStatus look(SlipiViewer *viewer, SlipError *error) {
  SlipiArena *arena = &viewer->arena;
  int64_t bodies = viewer->info->bodies;
  double *start = SLIPI_ARENA_NEW(arena, double, 7 * bodies);
  viewer->moves = SLIPI_ARENA_NEW(arena, uint8_t, bodies);
  viewer->frame_low = SLIPI_ARENA_NEW(arena, double, 3 * viewer->frames);
  viewer->frame_high = SLIPI_ARENA_NEW(arena, double, 3 * viewer->frames);
  viewer->frame_contacts = SLIPI_ARENA_NEW(arena, int32_t, viewer->frames);
  if (arena->failed)
    return slipi_fail_memory(error, "a page");
  SlipStatus status = look_at_frames(viewer, start, error);
  for (int c = 0; c < 3; c++)
    if (!isfinite(viewer->low[c]) || !isfinite(viewer->high[c]))
      viewer->low[c] = viewer->high[c] = 0; /* no bodies, or positions that are no numbers */
  viewer->quantum = choose_quantum(viewer);
  return status;
}

/* ---- Curves -----------------------------------------------------------------------------------
 */

/* Of the steps from one frame to the next: greatest error, iterations, contacts of the last step,
 * seconds, and 1 where all were solved. */
enum { ENERGIES = 11, STEPS = 5, BOXES = 6, CURVES = ENERGIES + STEPS + BOXES };

static void sum_steps(const SlipTrajectoryInfo *info, int64_t from, int64_t to, double sum[STEPS]) {
  memset(sum, 0, STEPS * sizeof *sum);
  sum[4] = 1;
  for (int64_t s = from; s < to && s < info->steps; s++) {
    sum[0] = fmax(sum[0], info->step_residual[s]);
    sum[1] += (double)info->step_iterations[s];
    sum[2] = info->step_contacts[s];
    sum[3] += info->step_seconds[s];
    if (info->step_outcome[s] != SLIP_SOLVED)
      sum[4] = 0;
  }
}

static void fill_curves(const SlipiViewer *viewer, const int64_t *step, float *curve) {
  const SlipTrajectoryInfo *info = viewer->info;
  int64_t n = viewer->frames;
  for (int64_t k = 0; k < n; k++) {
    const SlipEnergy *e = &info->energy[k * viewer->every];
    const double energies[ENERGIES] = {e->kinetic,    e->potential, e->elastic,   e->applied,
                                       e->friction,   e->impact,    e->damping,   e->plastic,
                                       e->projection, e->imbalance, e->throughput};
    double steps[STEPS];
    sum_steps(info, k > 0 ? step[(k - 1) * viewer->every] : 0, k > 0 ? step[k * viewer->every] : 0,
              steps);
    for (int c = 0; c < ENERGIES; c++)
      curve[c * n + k] = (float)energies[c];
    for (int c = 0; c < STEPS; c++)
      curve[(ENERGIES + c) * n + k] = (float)steps[c];
    for (int c = 0; c < 3; c++) {
      curve[(ENERGIES + STEPS + c) * n + k] = (float)viewer->frame_low[3 * k + c];
      curve[(ENERGIES + STEPS + 3 + c) * n + k] = (float)viewer->frame_high[3 * k + c];
    }
  }
}

static SlipStatus add_curves(SlipiViewer *viewer, SlipError *error) {
  int64_t n = viewer->frames;
  double *time = SLIPI_ARENA_RAW(&viewer->arena, double, n);
  float *curve = SLIPI_ARENA_RAW(&viewer->arena, float, CURVES *n);
  int64_t *step = SLIPI_ARENA_RAW(&viewer->arena, int64_t, viewer->info->frames);
  if (viewer->arena.failed)
    return slipi_fail_memory(error, "the curves of a page");
  SlipStatus status =
      slipi_column_read(slipi_trajectory_column(viewer->trajectory, SLIPI_RECORD_FRAME_STEP), 0,
                        (hsize_t)viewer->info->frames, step, error);
  if (status != SLIP_OK)
    return status;
  for (int64_t k = 0; k < n; k++)
    time[k] = viewer->info->time[k * viewer->every];
  fill_curves(viewer, step, curve);
  slipi_pack(&viewer->parts, "time", -1, time, (size_t)n * sizeof *time);
  slipi_pack(&viewer->parts, "curves", -1, curve, (size_t)(CURVES * n) * sizeof *curve);
  return SLIP_OK;
}

/* ---- The page ---------------------------------------------------------------------------------
 */

void slipi_viewer_pack_texts(SlipiText *parts, const char *name, const char *const *text,
                             int64_t count) {
  SlipiText bytes = {0};
  for (int64_t k = 0; k < count; k++)
    slipi_text_add_bytes(&bytes, text[k] ? text[k] : "", text[k] ? strlen(text[k]) + 1 : 1);
  slipi_pack(parts, name, -1, bytes.bytes, bytes.length);
  parts->failed |= bytes.failed;
  slipi_text_free(&bytes);
}

static SlipStatus add_all(SlipiViewer *viewer, const char *title, SlipError *error) {
  const SlipTrajectoryInfo *info = viewer->info;
  const char *const texts[] = {"trajectory", title, info->version, info->scene, info->set};
  const double figures[4] = {info->dimension, info->bodies, (double)viewer->frames, info->shapes};
  SlipStatus status = slipi_viewer_add_shapes(viewer, error);
  if (status == SLIP_OK)
    status = look(viewer, error);
  slipi_viewer_pack_texts(&viewer->parts, "texts", texts, sizeof texts / sizeof *texts);
  slipi_viewer_pack_texts(&viewer->parts, "names", info->names, info->bodies);
  slipi_pack(&viewer->parts, "figures", -1, figures, sizeof figures);
  if (status == SLIP_OK) {
    slipi_pack(&viewer->parts, "moves", -1, viewer->moves, (size_t)info->bodies);
    status = slipi_viewer_add_motion(viewer, error);
  }
  if (status == SLIP_OK)
    status = slipi_viewer_add_softs(viewer, error);
  if (status == SLIP_OK)
    status = add_curves(viewer, error);
  return status == SLIP_OK ? slipi_viewer_add_contacts(viewer, error) : status;
}

SlipStatus slip_trajectory_page(SlipTrajectory *trajectory, const SlipPageDef *def,
                                const char *path, SlipError *error) {
  slipi_error_clear(error);
  SlipPageDef known = slip_default_page_def();
  if (!trajectory || !path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory or path is NULL");
  SlipStatus status =
      def ? slipi_versioned_read("page_def", def, &known, sizeof known, error) : SLIP_OK;
  if (status == SLIP_OK && known.every < 1)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "every is %lld, expected at least 1",
                        (long long)known.every);
  SlipiViewer viewer = {.trajectory = trajectory,
                        .info = slip_trajectory_info(trajectory),
                        .every = known.every,
                        .contacts = known.contacts};
  if (status == SLIP_OK && viewer.info->frames < 1)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "the trajectory has no frame");
  if (status != SLIP_OK)
    return status;
  viewer.frames = (viewer.info->frames - 1) / known.every + 1;
  status = add_all(&viewer, known.title, error);
  if (status == SLIP_OK)
    status = slipi_viewer_write(path, &viewer.parts, error);
  slipi_text_free(&viewer.parts);
  slipi_arena_free(&viewer.arena);
  return status;
}
