/* Reading a trajectory, also one that is being written, or whose writer was killed: what counts is
 * in `time` and `snapshots/time`, which are flushed after what they count. */
#include "record/trajectory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/room.h"
#include "base/versioned.h"
#include "io/h5.h"
#include "record/soft_frames.h"
#include "record/text.h"

struct SlipTrajectory {
  hid_t file;
  SlipiArena arena; /* everything but the frame */
  SlipiColumn column[SLIPI_RECORD_COUNT];
  SlipTrajectoryInfo info;
  const int64_t *contact_first, *frame_step, *snapshot_end, *snapshot_step;
  SlipShapeDef *shape;
  const int32_t *shape_body;
  SlipiSoftFrames soft;
  /* The last frame read: */
  double *position, *rotation, *velocity, *spin;
  SlipSimContact *contact;
  int32_t contact_capacity;
};

const SlipiColumn *slipi_trajectory_column(const SlipTrajectory *trajectory,
                                           SlipiRecordColumn column) {
  return &trajectory->column[column];
}

/* ---- Columns as arrays ------------------------------------------------------------------- */

/* Rows are read whole into the arena; a first row that is missing would be a surprise later. */
static SlipStatus load(SlipTrajectory *trajectory, SlipiRecordColumn which, int64_t rows,
                       const void *array, SlipError *error) {
  const SlipiColumn *column = &trajectory->column[which];
  if ((hsize_t)rows > column->rows)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %llu rows, expected %lld", column->path,
                      (unsigned long long)column->rows, (long long)rows);
  void *values = slipi_arena_raw(&trajectory->arena, (size_t)rows + 1, column->row);
  if (!values)
    return slipi_fail_memory(error, column->path);
  memcpy((void *)array, &values, sizeof values);
  return slipi_column_read(column, 0, (hsize_t)rows, values, error);
}

/* Beginnings that never fall, start at 0 and end within the rows of what they count. */
static SlipStatus check_firsts(const SlipTrajectory *trajectory, SlipiRecordColumn which,
                               const int64_t *first, int64_t rows, SlipiRecordColumn counted,
                               SlipError *error) {
  int64_t most = (int64_t)trajectory->column[counted].rows, before = 0;
  for (int64_t k = 0; k < rows; k++) {
    if (first[k] < before || first[k] > most)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s[%lld] is %lld, expected from %lld to %lld",
                        trajectory->column[which].path, (long long)k, (long long)first[k],
                        (long long)before, (long long)most);
    before = first[k];
  }
  return SLIP_OK;
}

/* ---- Opening ----------------------------------------------------------------------------- */

/* A file whose writer runs, or was killed, can only be opened as one that is being written. */
static hid_t open_file(const char *path) {
  hid_t file = -1, access = H5Pcreate(H5P_FILE_ACCESS);
  bool ready = access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
               H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0;
  if (ready)
    file = H5Fopen(path, H5F_ACC_RDONLY, access);
  if (ready && file < 0)
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
  H5Pclose(access);
  return file;
}

/* Why a file cannot be opened: the system's reason, or HDF5's. */
static SlipStatus explain_no_file(const char *path, SlipError *error) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return slipi_fail_errno(error, "cannot be opened", errno);
  fclose(file);
  return slipi_fail(error, SLIP_ERROR_FORMAT,
                    "is not an HDF5 file that can be opened (damaged or truncated)");
}

/* Whether a file has a column, or should have it. */
static bool has_column(const SlipTrajectory *trajectory, SlipiRecordColumn column) {
  const char *path = slipi_record_is_soft(column)   ? "/deformable"
                     : slipi_record_is_late(column) ? trajectory->column[column].path
                                                    : NULL;
  return !path || H5Lexists(trajectory->file, path, H5P_DEFAULT) > 0;
}

static SlipStatus open_columns(SlipTrajectory *trajectory, SlipError *error) {
  SlipStatus status = SLIP_OK;
  slipi_record_columns(trajectory->info.bodies, 0, trajectory->column);
  for (int k = 0; status == SLIP_OK && k < SLIPI_RECORD_COUNT; k++) {
    if (has_column(trajectory, (SlipiRecordColumn)k))
      status = slipi_column_open(trajectory->file, &trajectory->column[k], error);
  }
  return status;
}

static SlipStatus load_shapes(SlipTrajectory *trajectory, SlipError *error);

static SlipStatus load_energy(SlipTrajectory *trajectory, SlipError *error) {
  int64_t frames = trajectory->info.frames;
  SlipEnergy *energy = SLIPI_ARENA_NEW(&trajectory->arena, SlipEnergy, frames + 1);
  if (!energy)
    return slipi_fail_memory(error, "the energies of a trajectory");
  for (int k = 0; k < SLIPI_RECORD_ENERGIES; k++) {
    const double *amount = NULL;
    SlipStatus status =
        load(trajectory, (SlipiRecordColumn)(SLIPI_RECORD_KINETIC + k), frames, &amount, error);
    if (status != SLIP_OK)
      return status;
    for (int64_t f = 0; f < frames; f++) {
      double *to[SLIPI_RECORD_ENERGIES] = {
          &energy[f].kinetic,    &energy[f].potential, &energy[f].elastic,   &energy[f].applied,
          &energy[f].friction,   &energy[f].impact,    &energy[f].damping,   &energy[f].plastic,
          &energy[f].projection, &energy[f].imbalance, &energy[f].throughput};
      *to[k] = amount[f];
    }
  }
  trajectory->info.energy = energy;
  return SLIP_OK;
}

static SlipStatus load_frames(SlipTrajectory *trajectory, SlipError *error) {
  SlipTrajectoryInfo *info = &trajectory->info;
  info->frames = (int64_t)trajectory->column[SLIPI_RECORD_TIME].rows;
  SlipStatus status = load(trajectory, SLIPI_RECORD_TIME, info->frames, &info->time, error);
  if (status == SLIP_OK)
    status =
        load(trajectory, SLIPI_RECORD_FRAME_STEP, info->frames, &trajectory->frame_step, error);
  if (status == SLIP_OK)
    status = load(trajectory, SLIPI_RECORD_CONTACT_FIRST, info->frames + 1,
                  &trajectory->contact_first, error);
  if (status == SLIP_OK)
    status = check_firsts(trajectory, SLIPI_RECORD_CONTACT_FIRST, trajectory->contact_first,
                          info->frames + 1, SLIPI_RECORD_CONTACT_STATUS, error);
  return status == SLIP_OK ? load_energy(trajectory, error) : status;
}

static SlipStatus load_steps(SlipTrajectory *trajectory, SlipError *error) {
  SlipTrajectoryInfo *info = &trajectory->info;
  int64_t rows = info->steps = (int64_t)trajectory->column[SLIPI_RECORD_STEP_CONTACTS].rows;
  SlipStatus status =
      load(trajectory, SLIPI_RECORD_STEP_CONTACTS, rows, &info->step_contacts, error);
  if (status == SLIP_OK)
    status = load(trajectory, SLIPI_RECORD_STEP_OUTCOME, rows, &info->step_outcome, error);
  if (status == SLIP_OK)
    status = load(trajectory, SLIPI_RECORD_STEP_ITERATIONS, rows, &info->step_iterations, error);
  if (status == SLIP_OK)
    status = load(trajectory, SLIPI_RECORD_STEP_ERROR, rows, &info->step_residual, error);
  return status == SLIP_OK
             ? load(trajectory, SLIPI_RECORD_STEP_SECONDS, rows, &info->step_seconds, error)
             : status;
}

static SlipStatus load_snapshots(SlipTrajectory *trajectory, SlipError *error) {
  SlipTrajectoryInfo *info = &trajectory->info;
  int64_t rows = info->snapshots = (int64_t)trajectory->column[SLIPI_RECORD_SNAPSHOT_TIME].rows;
  SlipStatus status =
      load(trajectory, SLIPI_RECORD_SNAPSHOT_TIME, rows, &info->snapshot_time, error);
  if (status == SLIP_OK)
    status = load(trajectory, SLIPI_RECORD_SNAPSHOT_STEP, rows, &trajectory->snapshot_step, error);
  if (status == SLIP_OK)
    status = load(trajectory, SLIPI_RECORD_SNAPSHOT_END, rows, &trajectory->snapshot_end, error);
  return status == SLIP_OK
             ? check_firsts(trajectory, SLIPI_RECORD_SNAPSHOT_END, trajectory->snapshot_end, rows,
                            SLIPI_RECORD_SNAPSHOT_BYTES, error)
             : status;
}

static SlipStatus load_texts(SlipTrajectory *trajectory, SlipError *error) {
  SlipTrajectoryInfo *info = &trajectory->info;
  const char *dimension = NULL;
  SlipStatus status = slipi_record_get_text(trajectory->file, "/version", &trajectory->arena,
                                            &info->version, error);
  if (status == SLIP_OK && !info->version)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "is no trajectory: /version is missing");
  if (status == SLIP_OK)
    status =
        slipi_record_get_text(trajectory->file, "/scene", &trajectory->arena, &info->scene, error);
  if (status == SLIP_OK)
    status = slipi_record_get_text(trajectory->file, "/set", &trajectory->arena, &info->set, error);
  if (status == SLIP_OK)
    status = slipi_record_get_text(trajectory->file, "/dimension", &trajectory->arena, &dimension,
                                   error);
  bool plane = dimension && strcmp(dimension, "2") == 0;
  bool space = dimension && strcmp(dimension, "3") == 0;
  if (status == SLIP_OK && !plane && !space)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "/dimension is %s, expected 2 or 3",
                        dimension ? dimension : "missing");
  info->dimension = plane ? 2 : 3;
  return status == SLIP_OK
             ? slipi_record_get_names(trajectory->file, "/bodies/names", &trajectory->arena,
                                      &info->bodies, &info->names, error)
             : status;
}

static SlipStatus load_all(SlipTrajectory *trajectory, SlipError *error) {
  SlipStatus status = load_texts(trajectory, error);
  if (status == SLIP_OK)
    status = open_columns(trajectory, error);
  if (status == SLIP_OK)
    status = load_frames(trajectory, error);
  if (status == SLIP_OK)
    status = load_steps(trajectory, error);
  if (status == SLIP_OK)
    status = load_snapshots(trajectory, error);
  if (status == SLIP_OK)
    status = load_shapes(trajectory, error);
  return status == SLIP_OK ? slipi_soft_frames_load(trajectory->column, trajectory->info.bodies,
                                                    &trajectory->arena, &trajectory->soft, error)
                           : status;
}

/* Memory for one frame. */
static SlipStatus make_frame(SlipTrajectory *trajectory, SlipError *error) {
  int64_t bodies = trajectory->info.bodies;
  SlipiArena *arena = &trajectory->arena;
  trajectory->position = SLIPI_ARENA_RAW(arena, double, 3 * bodies);
  trajectory->rotation = SLIPI_ARENA_RAW(arena, double, 4 * bodies);
  trajectory->velocity = SLIPI_ARENA_RAW(arena, double, 3 * bodies);
  trajectory->spin = SLIPI_ARENA_RAW(arena, double, 3 * bodies);
  return arena->failed ? slipi_fail_memory(error, "a frame of a trajectory") : SLIP_OK;
}

SlipStatus slip_trajectory_open(const char *path, SlipTrajectory **trajectory, SlipError *error) {
  slipi_error_clear(error);
  if (trajectory)
    *trajectory = NULL;
  if (!path || !trajectory)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path or trajectory is NULL");
  SlipTrajectory *opened = calloc(1, sizeof *opened);
  if (!opened)
    return slipi_fail_memory(error, "a trajectory");
  opened->info.size = sizeof opened->info;
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  opened->file = open_file(path);
  SlipStatus status = opened->file >= 0 ? load_all(opened, error) : explain_no_file(path, error);
  if (status == SLIP_OK)
    status = make_frame(opened, error);
  slipi_h5_quiet_end(&quiet);
  if (status == SLIP_OK) {
    *trajectory = opened;
    return SLIP_OK;
  }
  slipi_file_error_prefix(error, path);
  slip_trajectory_free(opened);
  return status;
}

void slip_trajectory_free(SlipTrajectory *trajectory) {
  if (!trajectory)
    return;
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  for (int k = 0; k < SLIPI_RECORD_COUNT; k++)
    slipi_column_close(&trajectory->column[k]);
  if (trajectory->file > 0)
    H5Fclose(trajectory->file);
  slipi_h5_quiet_end(&quiet);
  slipi_arena_free(&trajectory->arena);
  free(trajectory->contact);
  free(trajectory);
}

const SlipTrajectoryInfo *slip_trajectory_info(const SlipTrajectory *trajectory) {
  return trajectory ? &trajectory->info : NULL;
}

/* ---- Shapes ------------------------------------------------------------------------------ */

typedef struct ShapeArrays {
  const int32_t *kind, *triangles;
  const double *radius, *length, *edges, *normal, *position, *rotation, *points;
  const int64_t *first_point, *first_triangle;
} ShapeArrays;

static SlipStatus load_shape_arrays(SlipTrajectory *trajectory, int64_t shapes, ShapeArrays *arrays,
                                    SlipError *error) {
  const SlipiColumn *column = trajectory->column;
  int64_t points = (int64_t)column[SLIPI_RECORD_SHAPE_POINTS].rows;
  int64_t triangles = (int64_t)column[SLIPI_RECORD_SHAPE_TRIANGLES].rows;
  const struct {
    SlipiRecordColumn which;
    int64_t rows;
    const void *array;
  } part[] = {{SLIPI_RECORD_SHAPE_BODY, shapes, &trajectory->shape_body},
              {SLIPI_RECORD_SHAPE_KIND, shapes, &arrays->kind},
              {SLIPI_RECORD_SHAPE_RADIUS, shapes, &arrays->radius},
              {SLIPI_RECORD_SHAPE_LENGTH, shapes, &arrays->length},
              {SLIPI_RECORD_SHAPE_EDGES, shapes, &arrays->edges},
              {SLIPI_RECORD_SHAPE_NORMAL, shapes, &arrays->normal},
              {SLIPI_RECORD_SHAPE_POSITION, shapes, &arrays->position},
              {SLIPI_RECORD_SHAPE_ROTATION, shapes, &arrays->rotation},
              {SLIPI_RECORD_SHAPE_POINTS, points, &arrays->points},
              {SLIPI_RECORD_SHAPE_TRIANGLES, triangles, &arrays->triangles},
              {SLIPI_RECORD_SHAPE_FIRST_POINT, shapes + 1, &arrays->first_point},
              {SLIPI_RECORD_SHAPE_FIRST_TRIANGLE, shapes + 1, &arrays->first_triangle}};
  SlipStatus status = SLIP_OK;
  for (size_t k = 0; status == SLIP_OK && k < sizeof part / sizeof *part; k++)
    status = load(trajectory, part[k].which, part[k].rows, part[k].array, error);
  if (status == SLIP_OK)
    status = check_firsts(trajectory, SLIPI_RECORD_SHAPE_FIRST_POINT, arrays->first_point,
                          shapes + 1, SLIPI_RECORD_SHAPE_POINTS, error);
  return status == SLIP_OK
             ? check_firsts(trajectory, SLIPI_RECORD_SHAPE_FIRST_TRIANGLE, arrays->first_triangle,
                            shapes + 1, SLIPI_RECORD_SHAPE_TRIANGLES, error)
             : status;
}

static SlipShapeDef shape_of(const ShapeArrays *arrays, int64_t k) {
  SlipShapeDef def = slip_default_shape_def();
  def.kind = arrays->kind[k];
  def.radius = arrays->radius[k];
  def.length = arrays->length[k];
  memcpy(def.edges, arrays->edges + 3 * k, sizeof def.edges);
  memcpy(def.normal, arrays->normal + 3 * k, sizeof def.normal);
  memcpy(def.position, arrays->position + 3 * k, sizeof def.position);
  memcpy(def.rotation, arrays->rotation + 4 * k, sizeof def.rotation);
  def.points = arrays->points + 3 * arrays->first_point[k];
  def.point_count = (int32_t)(arrays->first_point[k + 1] - arrays->first_point[k]);
  def.triangles = arrays->triangles + 3 * arrays->first_triangle[k];
  def.triangle_count = (int32_t)(arrays->first_triangle[k + 1] - arrays->first_triangle[k]);
  return def;
}

static SlipStatus check_shape(const SlipTrajectory *trajectory, int64_t k, SlipError *error) {
  const SlipShapeDef *def = &trajectory->shape[k];
  int32_t body = trajectory->shape_body[k];
  if (body < -1 || body >= trajectory->info.bodies)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "/shapes/body[%lld] is %d, there are %d bodies",
                      (long long)k, body, trajectory->info.bodies);
  if (def->kind < SLIP_SHAPE_SPHERE || def->kind > SLIP_SHAPE_SEGMENT)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "/shapes/kind[%lld] is %d, which is no shape",
                      (long long)k, def->kind);
  for (int64_t t = 0; t < 3 * (int64_t)def->triangle_count; t++)
    if (def->triangles[t] < 0 || def->triangles[t] >= def->point_count)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "/shapes/triangles of shape %lld: %d is no point",
                        (long long)k, def->triangles[t]);
  return SLIP_OK;
}

static SlipStatus load_shapes(SlipTrajectory *trajectory, SlipError *error) {
  hsize_t rows = trajectory->column[SLIPI_RECORD_SHAPE_KIND].rows;
  if (rows > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "/shapes/kind has %llu rows",
                      (unsigned long long)rows);
  ShapeArrays arrays;
  SlipStatus status = load_shape_arrays(trajectory, (int64_t)rows, &arrays, error);
  if (status != SLIP_OK)
    return status;
  trajectory->info.shapes = (int32_t)rows;
  trajectory->shape = SLIPI_ARENA_NEW(&trajectory->arena, SlipShapeDef, rows);
  if (!trajectory->shape)
    return slipi_fail_memory(error, "the shapes of a trajectory");
  for (int64_t k = 0; status == SLIP_OK && k < (int64_t)rows; k++) {
    trajectory->shape[k] = shape_of(&arrays, k);
    status = check_shape(trajectory, k, error);
  }
  return status;
}

SlipStatus slip_trajectory_shape(const SlipTrajectory *trajectory, int32_t shape, SlipShapeDef *def,
                                 int32_t *body, SlipError *error) {
  slipi_error_clear(error);
  if (!trajectory || !def)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory or def is NULL");
  if (shape < 0 || shape >= trajectory->info.shapes)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no shape %d, the last is %d", shape,
                      trajectory->info.shapes - 1);
  SlipStatus status = slipi_versioned_check("shape_def", def, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&trajectory->shape[shape], def, sizeof *def);
  if (body)
    *body = trajectory->shape_body[shape];
  return SLIP_OK;
}

/* ---- Frames ------------------------------------------------------------------------------ */

/* One member of all contacts of a frame, through a buffer of rows. */
static SlipStatus read_member(SlipTrajectory *trajectory, SlipiRecordColumn which, int64_t first,
                              int64_t count, size_t offset, unsigned char *rows, SlipError *error) {
  const SlipiColumn *column = &trajectory->column[which];
  SlipStatus status = slipi_column_read(column, (hsize_t)first, (hsize_t)count, rows, error);
  for (int64_t k = 0; status == SLIP_OK && k < count; k++)
    memcpy((unsigned char *)&trajectory->contact[k] + offset, rows + (size_t)k * column->row,
           column->row);
  return status;
}

static SlipStatus read_contacts(SlipTrajectory *trajectory, int64_t frame, SlipError *error) {
  static const struct {
    SlipiRecordColumn column;
    size_t offset;
  } part[] = {{SLIPI_RECORD_CONTACT_BODIES, offsetof(SlipSimContact, bodies)},
              {SLIPI_RECORD_CONTACT_KEY, offsetof(SlipSimContact, key)},
              {SLIPI_RECORD_CONTACT_POSITION, offsetof(SlipSimContact, position)},
              {SLIPI_RECORD_CONTACT_NORMAL, offsetof(SlipSimContact, normal)},
              {SLIPI_RECORD_CONTACT_IMPULSE, offsetof(SlipSimContact, impulse)},
              {SLIPI_RECORD_CONTACT_MOMENT, offsetof(SlipSimContact, moment)},
              {SLIPI_RECORD_CONTACT_GAP, offsetof(SlipSimContact, gap)},
              {SLIPI_RECORD_CONTACT_STATUS, offsetof(SlipSimContact, status)}};
  int64_t first = trajectory->contact_first[frame];
  int64_t count = trajectory->contact_first[frame + 1] - first;
  unsigned char *rows = malloc((size_t)count * 3 * sizeof(double) + 1);
  SlipStatus status = rows && SLIPI_ROOM(trajectory->contact, trajectory->contact_capacity, count)
                          ? SLIP_OK
                          : slipi_fail_memory(error, "the contacts of a frame");
  if (status == SLIP_OK && count > 0) /* not all may be in frames */
    memset(trajectory->contact, 0, (size_t)count * sizeof *trajectory->contact);
  for (size_t k = 0; status == SLIP_OK && k < sizeof part / sizeof *part; k++) {
    if (trajectory->column[part[k].column].dataset > 0)
      status = read_member(trajectory, part[k].column, first, count, part[k].offset, rows, error);
  }
  free(rows);
  return status;
}

static SlipStatus read_bodies(SlipTrajectory *trajectory, int64_t frame, SlipError *error) {
  const SlipiColumn *column = trajectory->column;
  hsize_t row = (hsize_t)frame;
  SlipStatus status =
      slipi_column_read(&column[SLIPI_RECORD_POSITION], row, 1, trajectory->position, error);
  if (status == SLIP_OK)
    status = slipi_column_read(&column[SLIPI_RECORD_ROTATION], row, 1, trajectory->rotation, error);
  if (status == SLIP_OK)
    status = slipi_column_read(&column[SLIPI_RECORD_VELOCITY], row, 1, trajectory->velocity, error);
  return status == SLIP_OK
             ? slipi_column_read(&column[SLIPI_RECORD_SPIN], row, 1, trajectory->spin, error)
             : status;
}

/* What every reader of a frame is asked first. */
static SlipStatus check_frame(const SlipTrajectory *trajectory, int64_t frame, const void *state,
                              SlipError *error) {
  if (!trajectory || !state)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory or state is NULL");
  if (frame < 0 || frame >= trajectory->info.frames)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no frame %lld, the last is %lld",
                      (long long)frame, (long long)trajectory->info.frames - 1);
  return SLIP_OK;
}

SlipStatus slip_trajectory_frame(SlipTrajectory *trajectory, int64_t frame, SlipSimState *state,
                                 SlipError *error) {
  slipi_error_clear(error);
  SlipStatus status = check_frame(trajectory, frame, state, error);
  if (status == SLIP_OK)
    status = slipi_versioned_check("sim_state", state, error);
  if (status != SLIP_OK)
    return status;
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  if (status == SLIP_OK)
    status = read_bodies(trajectory, frame, error);
  if (status == SLIP_OK)
    status = read_contacts(trajectory, frame, error);
  slipi_h5_quiet_end(&quiet);
  if (status != SLIP_OK)
    return status;
  SlipSimState known = slip_default_sim_state();
  known.bodies = trajectory->info.bodies;
  known.position = trajectory->position;
  known.rotation = trajectory->rotation;
  known.velocity = trajectory->velocity;
  known.spin = trajectory->spin;
  known.contacts =
      (int32_t)(trajectory->contact_first[frame + 1] - trajectory->contact_first[frame]);
  known.contact = trajectory->contact;
  known.time = trajectory->info.time[frame];
  slipi_versioned_write(&known, state, sizeof known);
  return SLIP_OK;
}

const SlipiSoftFrames *slipi_trajectory_softs(const SlipTrajectory *trajectory) {
  return &trajectory->soft;
}

SlipStatus slip_trajectory_deformable(SlipTrajectory *trajectory, int64_t frame, int32_t body,
                                      SlipDeformableState *state, SlipError *error) {
  slipi_error_clear(error);
  SlipStatus status = check_frame(trajectory, frame, state, error);
  if (status == SLIP_OK)
    status = slipi_versioned_check("deformable_state", state, error);
  if (status != SLIP_OK)
    return status;
  int32_t k = slipi_soft_frames_find(&trajectory->soft, body);
  if (status == SLIP_OK && k < 0)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "body %d is not deformable, or the file has no nodes", (int)body);
  if (status != SLIP_OK)
    return status;
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  status = slipi_soft_frames_read(trajectory->column, trajectory->info.bodies, frame,
                                  &trajectory->soft, error);
  slipi_h5_quiet_end(&quiet);
  if (status == SLIP_OK)
    slipi_versioned_write(&trajectory->soft.state[k], state, sizeof *state);
  return status;
}

/* ---- Snapshots --------------------------------------------------------------------------- */

SlipStatus slip_trajectory_snapshot(SlipTrajectory *trajectory, double time, void **bytes,
                                    size_t *size, SlipError *error) {
  slipi_error_clear(error);
  if (bytes)
    *bytes = NULL;
  if (!trajectory || !bytes || !size)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory, bytes or size is NULL");
  int64_t k = trajectory->info.snapshots - 1;
  while (k >= 0 && trajectory->info.snapshot_time[k] > time)
    k--;
  if (k < 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no snapshot at or before time %g",
                      time);
  int64_t first = k > 0 ? trajectory->snapshot_end[k - 1] : 0;
  int64_t count = trajectory->snapshot_end[k] - first;
  void *read = malloc((size_t)count + 1);
  if (!read)
    return slipi_fail_memory(error, "a snapshot");
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  SlipStatus status = slipi_column_read(&trajectory->column[SLIPI_RECORD_SNAPSHOT_BYTES],
                                        (hsize_t)first, (hsize_t)count, read, error);
  slipi_h5_quiet_end(&quiet);
  if (status != SLIP_OK) {
    free(read);
    return status;
  }
  *bytes = read;
  *size = (size_t)count;
  return SLIP_OK;
}

/* ---- A run that goes on ------------------------------------------------------------------ */

static int64_t count_to(const int64_t *steps, int64_t count, int64_t last) {
  while (count > 0 && steps[count - 1] > last)
    count--;
  return count;
}

SlipStatus slipi_trajectory_rows(const SlipTrajectory *trajectory, int64_t step,
                                 int64_t snapshot_every, int64_t rows[SLIPI_PER_COUNT],
                                 SlipError *error) {
  const SlipTrajectoryInfo *info = &trajectory->info;
  memset(rows, 0, SLIPI_PER_COUNT * sizeof *rows);
  if (step > info->steps)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "has %lld steps, the simulation has made %lld",
                      (long long)info->steps, (long long)step);
  int64_t frames = count_to(trajectory->frame_step, info->frames, step);
  int64_t snapshots = count_to(trajectory->snapshot_step, info->snapshots, step);
  while (snapshots > 1 &&
         (!snapshot_every || trajectory->snapshot_step[snapshots - 1] % snapshot_every != 0))
    snapshots--;
  rows[SLIPI_PER_FRAME] = frames;
  rows[SLIPI_PER_FRAME_END] = frames + 1;
  rows[SLIPI_PER_CONTACT] = trajectory->contact_first[frames];
  rows[SLIPI_PER_STEP] = step;
  rows[SLIPI_PER_SNAPSHOT] = snapshots;
  rows[SLIPI_PER_SNAPSHOT_BYTE] = snapshots > 0 ? trajectory->snapshot_end[snapshots - 1] : 0;
  return SLIP_OK;
}

int64_t slipi_trajectory_snapshot_step(const SlipTrajectory *trajectory, int64_t snapshot) {
  return trajectory->snapshot_step[snapshot];
}
