/* Writing a trajectory.
 *
 * The file is written in HDF5's mode for one writer and many readers (SWMR): metadata go to the
 * disk in an order that leaves the file consistent at every moment, so that a kill costs no more
 * than what was not flushed yet, and others may read meanwhile. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/versioned.h"
#include "io/h5.h"
#include "record/layout.h"
#include "record/soft_frames.h"
#include "record/text.h"
#include "record/trajectory.h"
#include <slipcone/record.h>

struct SlipRecorder {
  hid_t file;
  SlipiColumn column[SLIPI_RECORD_COUNT];
  int64_t every, snapshot_every;
  bool contacts;
  int32_t bodies;
  int64_t nodes;                        /* of deformable bodies */
  float *room;                          /* for a frame of them */
  int64_t contact_rows, snapshot_bytes; /* so far */
  int64_t snapshot_step;                /* of the last one; -1: none */
  double flush_seconds, flushed;        /* on the clock */
  char *path;
};

/* ---- Rows -------------------------------------------------------------------------------- */

static SlipStatus push(SlipRecorder *recorder, SlipiRecordColumn column, const void *rows,
                       int64_t count, SlipError *error) {
  return slipi_column_push(&recorder->column[column], rows, count, error);
}

static SlipStatus push_contact(SlipRecorder *recorder, const SlipSimContact *contact,
                               SlipError *error) {
  const struct {
    SlipiRecordColumn column;
    const void *row;
  } part[] = {{SLIPI_RECORD_CONTACT_BODIES, contact->bodies},
              {SLIPI_RECORD_CONTACT_KEY, &contact->key},
              {SLIPI_RECORD_CONTACT_POSITION, contact->position},
              {SLIPI_RECORD_CONTACT_NORMAL, contact->normal},
              {SLIPI_RECORD_CONTACT_IMPULSE, contact->impulse},
              {SLIPI_RECORD_CONTACT_MOMENT, contact->moment},
              {SLIPI_RECORD_CONTACT_GAP, &contact->gap},
              {SLIPI_RECORD_CONTACT_STATUS, &contact->status}};
  SlipStatus status = SLIP_OK;
  for (size_t k = 0; status == SLIP_OK && k < sizeof part / sizeof *part; k++)
    status = push(recorder, part[k].column, part[k].row, 1, error);
  return status;
}

static SlipStatus push_contacts(SlipRecorder *recorder, const SlipSimState *state,
                                SlipError *error) {
  SlipStatus status = SLIP_OK;
  int32_t count = recorder->contacts ? state->contacts : 0;
  for (int32_t k = 0; status == SLIP_OK && k < count; k++)
    status = push_contact(recorder, &state->contact[k], error);
  recorder->contact_rows += count;
  return status == SLIP_OK
             ? push(recorder, SLIPI_RECORD_CONTACT_FIRST, &recorder->contact_rows, 1, error)
             : status;
}

static SlipStatus push_energy(SlipRecorder *recorder, const SlipEnergy *energy, SlipError *error) {
  const double amount[SLIPI_RECORD_ENERGIES] = {
      energy->kinetic,    energy->potential, energy->elastic,   energy->applied,
      energy->friction,   energy->impact,    energy->damping,   energy->plastic,
      energy->projection, energy->imbalance, energy->throughput};
  SlipStatus status = SLIP_OK;
  for (int k = 0; status == SLIP_OK && k < SLIPI_RECORD_ENERGIES; k++)
    status = push(recorder, (SlipiRecordColumn)(SLIPI_RECORD_KINETIC + k), &amount[k], 1, error);
  return status;
}

static SlipStatus push_bodies(SlipRecorder *recorder, const SlipSimState *state, SlipError *error) {
  if (state->bodies != recorder->bodies)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "a trajectory keeps its bodies: it was begun with %d, now there are %d",
                      recorder->bodies, state->bodies);
  SlipStatus status = push(recorder, SLIPI_RECORD_POSITION, state->position, 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_ROTATION, state->rotation, 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_VELOCITY, state->velocity, 1, error);
  return status == SLIP_OK ? push(recorder, SLIPI_RECORD_SPIN, state->spin, 1, error) : status;
}

static SlipStatus push_frame(SlipRecorder *recorder, const SlipSim *sim, const SlipEnergy *energy,
                             SlipError *error) {
  SlipSimState state = slip_default_sim_state();
  int64_t step = slip_sim_steps(sim);
  SlipStatus status = slip_sim_state(sim, &state, error);
  if (status == SLIP_OK)
    status = push_bodies(recorder, &state, error);
  if (status == SLIP_OK && slipi_soft_frames_nodes(sim) != recorder->nodes)
    status =
        slipi_fail(error, SLIP_ERROR_ARGUMENT,
                   "a trajectory keeps its deformable bodies: it was begun with %lld nodes, now "
                   "there are %lld",
                   (long long)recorder->nodes, (long long)slipi_soft_frames_nodes(sim));
  if (status == SLIP_OK)
    status = slipi_soft_frames_push(recorder->column, sim, recorder->room, error);
  if (status == SLIP_OK)
    status = push_contacts(recorder, &state, error);
  if (status == SLIP_OK)
    status = push_energy(recorder, energy, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_FRAME_STEP, &step, 1, error);
  return status == SLIP_OK ? push(recorder, SLIPI_RECORD_TIME, &state.time, 1, error) : status;
}

static SlipStatus push_step(SlipRecorder *recorder, const SlipStepInfo *info, SlipError *error) {
  SlipStatus status = push(recorder, SLIPI_RECORD_STEP_ITERATIONS, &info->iterations, 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_STEP_ERROR, &info->residual, 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_STEP_OUTCOME, &info->outcome, 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_STEP_SECONDS, &info->seconds, 1, error);
  return status == SLIP_OK ? push(recorder, SLIPI_RECORD_STEP_CONTACTS, &info->contacts, 1, error)
                           : status;
}

static SlipStatus push_snapshot(SlipRecorder *recorder, const SlipSim *sim, SlipError *error) {
  void *bytes = NULL;
  size_t size = 0;
  int64_t step = slip_sim_steps(sim);
  double time = slip_sim_time(sim);
  SlipStatus status = slip_sim_save(sim, &bytes, &size, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_SNAPSHOT_BYTES, bytes, (int64_t)size, error);
  slip_sim_bytes_free(bytes);
  recorder->snapshot_bytes += (int64_t)size;
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_SNAPSHOT_END, &recorder->snapshot_bytes, 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_SNAPSHOT_STEP, &step, 1, error);
  recorder->snapshot_step = step;
  return status == SLIP_OK ? push(recorder, SLIPI_RECORD_SNAPSHOT_TIME, &time, 1, error) : status;
}

/* ---- Shapes ------------------------------------------------------------------------------ */

static SlipStatus push_shape(SlipRecorder *recorder, const SlipShapeDef *def, int32_t body,
                             int64_t end[2], SlipError *error) {
  end[0] += def->points ? def->point_count : 0;
  end[1] += def->triangles ? def->triangle_count : 0;
  const struct {
    SlipiRecordColumn column;
    const void *row;
    int64_t count;
  } part[] = {
      {SLIPI_RECORD_SHAPE_BODY, &body, 1},
      {SLIPI_RECORD_SHAPE_KIND, &def->kind, 1},
      {SLIPI_RECORD_SHAPE_RADIUS, &def->radius, 1},
      {SLIPI_RECORD_SHAPE_LENGTH, &def->length, 1},
      {SLIPI_RECORD_SHAPE_EDGES, def->edges, 1},
      {SLIPI_RECORD_SHAPE_NORMAL, def->normal, 1},
      {SLIPI_RECORD_SHAPE_POSITION, def->position, 1},
      {SLIPI_RECORD_SHAPE_ROTATION, def->rotation, 1},
      {SLIPI_RECORD_SHAPE_POINTS, def->points, def->points ? def->point_count : 0},
      {SLIPI_RECORD_SHAPE_TRIANGLES, def->triangles, def->triangles ? def->triangle_count : 0},
      {SLIPI_RECORD_SHAPE_FIRST_POINT, &end[0], 1},
      {SLIPI_RECORD_SHAPE_FIRST_TRIANGLE, &end[1], 1}};
  SlipStatus status = SLIP_OK;
  for (size_t k = 0; status == SLIP_OK && k < sizeof part / sizeof *part; k++)
    status = push(recorder, part[k].column, part[k].row, part[k].count, error);
  return status;
}

static SlipStatus push_shapes(SlipRecorder *recorder, const SlipSim *sim, SlipError *error) {
  int64_t end[2] = {0, 0};
  SlipStatus status = push(recorder, SLIPI_RECORD_SHAPE_FIRST_POINT, &end[0], 1, error);
  if (status == SLIP_OK)
    status = push(recorder, SLIPI_RECORD_SHAPE_FIRST_TRIANGLE, &end[1], 1, error);
  for (int32_t k = 0; status == SLIP_OK && k < slip_sim_shape_count(sim); k++) {
    SlipShapeDef def = slip_default_shape_def();
    int32_t slot = -1;
    status = slip_sim_shape(sim, k, &def, &slot, error);
    if (status == SLIP_OK)
      status = push_shape(recorder, &def, slot, end, error);
  }
  return status == SLIP_OK ? slipi_soft_frames_push_meshes(recorder->column, sim, error) : status;
}

/* ---- The file ---------------------------------------------------------------------------- */

static SlipStatus flush(SlipRecorder *recorder, SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int k = 0; status == SLIP_OK && k < SLIPI_RECORD_COUNT; k++)
    status = slipi_column_flush(&recorder->column[k], error);
  recorder->flushed = slipi_clock_seconds();
  return status;
}

static const char *body_name(const void *user, int32_t slot) {
  const char *name = slip_sim_body_name(user, slot);
  return name ? name : "";
}

static SlipStatus put_constants(SlipRecorder *recorder, const SlipSim *sim,
                                const SlipRecordDef *def, SlipError *error) {
  SlipStatus status = slipi_record_put_text(recorder->file, "/version", slip_version(), error);
  if (status == SLIP_OK)
    status = slipi_record_put_text(recorder->file, "/scene", def->scene, error);
  if (status == SLIP_OK)
    status = slipi_record_put_text(recorder->file, "/set", def->set, error);
  if (status == SLIP_OK)
    status = slipi_record_put_text(recorder->file, "/dimension",
                                   slip_sim_dimension(sim) == 2 ? "2" : "3", error);
  if (status == SLIP_OK)
    status = slipi_record_put_names(recorder->file, "/bodies/names", recorder->bodies, body_name,
                                    sim, error);
  for (int k = 0; status == SLIP_OK && k < SLIPI_RECORD_COUNT; k++) {
    if (recorder->nodes > 0 || !slipi_record_is_soft((SlipiRecordColumn)k))
      status = slipi_column_create(recorder->file, &recorder->column[k], error);
  }
  return status;
}

static SlipStatus create_file(SlipRecorder *recorder, const char *path, SlipError *error) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
    recorder->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  int number = errno;
  H5Pclose(access);
  return recorder->file >= 0 ? SLIP_OK : slipi_fail_errno(error, "cannot be written", number);
}

/* Copy the rows a continued run keeps. */
static SlipStatus copy_rows(SlipRecorder *recorder, const SlipiColumn *from, int k, int64_t rows,
                            SlipError *error) {
  enum { BYTES = 1 << 22 };
  SlipiColumn *to = &recorder->column[k];
  int64_t block = (int64_t)(BYTES / (to->row + 1)) + 1;
  unsigned char *buffer = calloc((size_t)block * to->row + 1, 1);
  SlipStatus status = buffer ? SLIP_OK : slipi_fail_memory(error, to->path);
  for (int64_t at = 0; status == SLIP_OK && at < rows; at += block) {
    int64_t count = rows - at < block ? rows - at : block;
    if (from->dataset > 0) /* else zeros */
      status = slipi_column_read(from, (hsize_t)at, (hsize_t)count, buffer, error);
    if (status == SLIP_OK)
      status = slipi_column_push(to, buffer, count, error);
    if (status == SLIP_OK)
      status = slipi_column_flush(to, error);
  }
  free(buffer);
  return status;
}

static SlipStatus copy_before(SlipRecorder *recorder, SlipTrajectory *before, int64_t step,
                              SlipError *error) {
  int64_t rows[SLIPI_PER_COUNT];
  const SlipTrajectoryInfo *info = slip_trajectory_info(before);
  if (info->bodies != recorder->bodies)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "has %d bodies, the simulation %d", info->bodies,
                      recorder->bodies);
  SlipStatus status = slipi_trajectory_rows(before, step, recorder->snapshot_every, rows, error);
  for (int k = SLIPI_RECORD_CONTACT_BODIES; status == SLIP_OK && k < SLIPI_RECORD_COUNT; k++) {
    const SlipiColumn *from = slipi_trajectory_column(before, (SlipiRecordColumn)k);
    if (recorder->nodes > 0 && slipi_record_is_soft((SlipiRecordColumn)k) &&
        from->extent[0] != (hsize_t)recorder->nodes)
      status = slipi_fail(error, SLIP_ERROR_ARGUMENT,
                          "has %lld nodes of deformable bodies (files of earlier versions none), "
                          "the simulation %lld",
                          (long long)(from->dataset > 0 ? from->extent[0] : 0),
                          (long long)recorder->nodes);
    if (status == SLIP_OK && recorder->column[k].dataset > 0)
      status = copy_rows(recorder, from, k, rows[slipi_record_per((SlipiRecordColumn)k)], error);
  }
  if (status == SLIP_OK && rows[SLIPI_PER_SNAPSHOT] > 0)
    recorder->snapshot_step = slipi_trajectory_snapshot_step(before, rows[SLIPI_PER_SNAPSHOT] - 1);
  recorder->contact_rows = rows[SLIPI_PER_CONTACT];
  recorder->snapshot_bytes = rows[SLIPI_PER_SNAPSHOT_BYTE];
  return status;
}

static SlipStatus continue_from(SlipRecorder *recorder, const char *path, const SlipSim *sim,
                                SlipError *error) {
  SlipTrajectory *before = NULL;
  SlipStatus status = slip_trajectory_open(path, &before, error);
  if (status != SLIP_OK)
    return status;
  status = copy_before(recorder, before, slip_sim_steps(sim), error);
  if (status != SLIP_OK)
    slipi_file_error_prefix(error, path);
  slip_trajectory_free(before);
  return status;
}

static SlipStatus first_frame(SlipRecorder *recorder, const SlipSim *sim, SlipError *error) {
  const int64_t none = 0;
  SlipEnergy energy;
  slip_sim_energy(sim, &energy);
  SlipStatus status = push(recorder, SLIPI_RECORD_CONTACT_FIRST, &none, 1, error);
  return status == SLIP_OK ? push_frame(recorder, sim, &energy, error) : status;
}

static SlipStatus fill(SlipRecorder *recorder, const char *temporary, const SlipSim *sim,
                       const SlipRecordDef *def, SlipError *error) {
  SlipStatus status = create_file(recorder, temporary, error);
  if (status == SLIP_OK)
    status = put_constants(recorder, sim, def, error);
  if (status == SLIP_OK && H5Fstart_swmr_write(recorder->file) < 0)
    status = slipi_fail(error, SLIP_ERROR_FILE, "cannot be written while others read it");
  if (status == SLIP_OK)
    status = push_shapes(recorder, sim, error);
  if (status == SLIP_OK)
    status = def->continues ? continue_from(recorder, def->continues, sim, error)
                            : first_frame(recorder, sim, error);
  if (status == SLIP_OK && !def->continues)
    status = push_snapshot(recorder, sim, error);
  return status == SLIP_OK ? flush(recorder, error) : status;
}

/* The file is made beside its place and renamed when it has its first frame; a failure leaves what
 * was there. */
static SlipStatus begin(SlipRecorder *recorder, const SlipSim *sim, const SlipRecordDef *def,
                        SlipError *error) {
  size_t length = strlen(recorder->path) + sizeof ".part";
  char *temporary = malloc(length);
  if (!temporary)
    return slipi_fail_memory(error, "a file name");
  snprintf(temporary, length, "%s.part", recorder->path);
  SlipStatus status = fill(recorder, temporary, sim, def, error);
  if (status == SLIP_OK && rename(temporary, recorder->path) != 0)
    status = slipi_fail_errno(error, "cannot be written", errno);
  if (status != SLIP_OK && recorder->file >= 0)
    remove(temporary);
  free(temporary);
  return status;
}

static SlipStatus check_def(const SlipRecordDef *def, SlipError *error) {
  if (def->every < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "every is %lld, expected at least 1",
                      (long long)def->every);
  if (def->snapshot_every < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "snapshot_every is %lld, expected at least 0",
                      (long long)def->snapshot_every);
  if (!(def->flush_seconds >= 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "flush_seconds is %g, expected at least 0",
                      def->flush_seconds);
  return SLIP_OK;
}

static SlipRecorder *new_recorder(const char *path, const SlipSim *sim, const SlipRecordDef *def) {
  SlipSimState state = slip_default_sim_state();
  SlipRecorder *recorder = calloc(1, sizeof *recorder);
  if (!recorder)
    return NULL;
  recorder->file = -1;
  if (slip_sim_state(sim, &state, NULL) != SLIP_OK)
    return recorder; /* without a path: the caller sees that it is not whole */
  recorder->path = strdup(path);
  recorder->every = def->every;
  recorder->snapshot_every = def->snapshot_every;
  recorder->contacts = def->contacts != 0;
  recorder->flush_seconds = def->flush_seconds;
  recorder->bodies = state.bodies;
  recorder->snapshot_step = -1;
  recorder->nodes = slipi_soft_frames_nodes(sim);
  recorder->room = malloc(12 * (size_t)recorder->nodes * sizeof *recorder->room + 1);
  slipi_record_columns(recorder->bodies, recorder->nodes, recorder->column);
  return recorder;
}

SlipStatus slip_recorder_create(const char *path, const SlipSim *sim, const SlipRecordDef *def,
                                SlipRecorder **recorder, SlipError *error) {
  slipi_error_clear(error);
  if (recorder)
    *recorder = NULL;
  if (!path || !sim || !recorder)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path, sim or recorder is NULL");
  SlipRecordDef known = slip_default_record_def();
  SlipStatus status =
      def ? slipi_versioned_read("record_def", def, &known, sizeof known, error) : SLIP_OK;
  if (status == SLIP_OK)
    status = check_def(&known, error);
  if (status != SLIP_OK)
    return status;
  SlipRecorder *made = new_recorder(path, sim, &known);
  if (!made || !made->path || !made->room) {
    slip_recorder_free(made);
    return slipi_fail_memory(error, "a recorder");
  }
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  status = begin(made, sim, &known, error);
  slipi_h5_quiet_end(&quiet);
  if (status == SLIP_OK) {
    *recorder = made;
    return SLIP_OK;
  }
  slipi_file_error_prefix(error, path);
  slip_recorder_free(made);
  return status;
}

/* ---- Steps ------------------------------------------------------------------------------- */

static SlipStatus record_step(SlipRecorder *recorder, const SlipSim *sim, const SlipStepInfo *info,
                              SlipError *error) {
  SlipStatus status = push_step(recorder, info, error);
  int64_t step = slip_sim_steps(sim);
  if (status == SLIP_OK && step % recorder->every == 0)
    status = push_frame(recorder, sim, &info->energy, error);
  if (status == SLIP_OK && recorder->snapshot_every && step % recorder->snapshot_every == 0)
    status = push_snapshot(recorder, sim, error);
  return status;
}

/* Rows that wait in memory must not pile up on large scenes. */
static bool buffers_are_full(const SlipRecorder *recorder) {
  enum { BYTES = 1 << 24 };
  size_t held = 0;
  for (int k = 0; k < SLIPI_RECORD_COUNT; k++)
    held += (size_t)recorder->column[k].held * recorder->column[k].row;
  return held > BYTES;
}

static SlipStatus flush_quietly(SlipRecorder *recorder, SlipError *error) {
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  SlipStatus status = flush(recorder, error);
  slipi_h5_quiet_end(&quiet);
  if (status != SLIP_OK)
    slipi_file_error_prefix(error, recorder->path);
  return status;
}

SlipStatus slip_recorder_step(SlipRecorder *recorder, const SlipSim *sim, const SlipStepInfo *info,
                              SlipError *error) {
  slipi_error_clear(error);
  if (!recorder || !sim || !info)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "recorder, sim or info is NULL");
  SlipStepInfo known = slip_default_step_info();
  SlipStatus status = slipi_versioned_read("step_info", info, &known, sizeof known, error);
  if (status == SLIP_OK)
    status = record_step(recorder, sim, &known, error);
  if (status == SLIP_OK && (slipi_clock_seconds() - recorder->flushed >= recorder->flush_seconds ||
                            buffers_are_full(recorder)))
    status = flush_quietly(recorder, error);
  return status;
}

SlipStatus slip_recorder_flush(SlipRecorder *recorder, SlipError *error) {
  slipi_error_clear(error);
  if (!recorder)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "recorder is NULL");
  return flush_quietly(recorder, error);
}

SlipStatus slip_recorder_finish(SlipRecorder *recorder, const SlipSim *sim, SlipError *error) {
  slipi_error_clear(error);
  if (!recorder || !sim) {
    slip_recorder_free(recorder);
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "recorder or sim is NULL");
  }
  SlipStatus status = SLIP_OK;
  if (recorder->snapshot_step != slip_sim_steps(sim))
    status = push_snapshot(recorder, sim, error);
  if (status == SLIP_OK)
    status = flush_quietly(recorder, error);
  slip_recorder_free(recorder);
  return status;
}

void slip_recorder_free(SlipRecorder *recorder) {
  if (!recorder)
    return;
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  if (recorder->file >= 0)
    (void)flush(recorder, NULL);
  for (int k = 0; k < SLIPI_RECORD_COUNT; k++)
    slipi_column_close(&recorder->column[k]);
  if (recorder->file >= 0)
    H5Fclose(recorder->file);
  slipi_h5_quiet_end(&quiet);
  free(recorder->path);
  free(recorder->room);
  free(recorder);
}
