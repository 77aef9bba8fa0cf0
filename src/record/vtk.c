/* A trajectory as files for ParaView: a .vtp file for the surfaces and one for the contacts of each
 * frame, and a .pvd file that lists them with their times.
 *
 * Values are in raw blocks after the XML, each with its length before it, as VTK's appended data.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"
#include "record/posed.h"
#include "record/soft_frames.h"
#include "record/trajectory.h"
#include <slipcone/io.h>
#include <slipcone/record.h>

/* ---- A file of named arrays ----------------------------------------------------------------- */

typedef struct Array {
  const char *name, *type; /* "Float32" */
  int components;
  const void *values;
  uint64_t bytes;
} Array;

typedef struct PolyData {
  int64_t points, polygons, vertices;
  const Array *point_data, *cell_data; /* with the numbers below */
  int point_data_count, cell_data_count;
  Array position, connectivity, offsets;
} PolyData;

static void declare(FILE *file, const Array *array, uint64_t *offset) {
  fprintf(file,
          "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
          "format=\"appended\" offset=\"%llu\"/>\n",
          array->type, array->name, array->components, (unsigned long long)*offset);
  *offset += array->bytes + sizeof(uint64_t);
}

static void append(FILE *file, const Array *array) {
  fwrite(&array->bytes, sizeof array->bytes, 1, file);
  fwrite(array->values, 1, array->bytes, file);
}

static void declare_all(FILE *file, const PolyData *data) {
  uint64_t offset = 0;
  const char *cells = data->vertices ? "Verts" : "Polys";
  fprintf(file,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <PolyData>\n"
          "    <Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n      <PointData>\n",
          (long long)data->points, (long long)data->vertices, (long long)data->polygons);
  for (int k = 0; k < data->point_data_count; k++)
    declare(file, &data->point_data[k], &offset);
  fputs("      </PointData>\n      <CellData>\n", file);
  for (int k = 0; k < data->cell_data_count; k++)
    declare(file, &data->cell_data[k], &offset);
  fputs("      </CellData>\n      <Points>\n", file);
  declare(file, &data->position, &offset);
  fprintf(file, "      </Points>\n      <%s>\n", cells);
  declare(file, &data->connectivity, &offset);
  declare(file, &data->offsets, &offset);
  fprintf(file,
          "      </%s>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n    _",
          cells);
}

static SlipStatus write_polydata(const char *path, const PolyData *data, SlipError *error) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return slipi_fail_errno(error, "cannot be written", errno);
  declare_all(file, data);
  for (int k = 0; k < data->point_data_count; k++)
    append(file, &data->point_data[k]);
  for (int k = 0; k < data->cell_data_count; k++)
    append(file, &data->cell_data[k]);
  append(file, &data->position);
  append(file, &data->connectivity);
  append(file, &data->offsets);
  fputs("\n  </AppendedData>\n</VTKFile>\n", file);
  int failed = ferror(file);
  return fclose(file) != 0 || failed ? slipi_fail_errno(error, "cannot be written", errno)
                                     : SLIP_OK;
}

/* ---- Surfaces -------------------------------------------------------------------------------- */

typedef struct Export {
  SlipiPosed posed;
  const char *folder;
  SlipiArena arena;
} Export;

static uint64_t bytes_of(int64_t count, size_t size) {
  return (uint64_t)count * size;
}

static SlipStatus write_bodies(Export *out, int64_t frame, const SlipSimState *state,
                               const char *path, SlipError *error) {
  SlipiPosed *posed = &out->posed;
  SlipStatus status = slipi_posed_move(posed, frame, state, error);
  if (status != SLIP_OK)
    return status;
  const Array cell_data[] = {
      {"body", "Int32", 1, posed->polygon_body, bytes_of(posed->polygons, sizeof(int32_t))},
      {"velocity", "Float32", 3, posed->velocity, bytes_of(3 * posed->polygons, sizeof(float))}};
  PolyData data = {.points = posed->points,
                   .polygons = posed->polygons,
                   .cell_data = cell_data,
                   .cell_data_count = 2,
                   .position = {"Points", "Float32", 3, posed->position,
                                bytes_of(3 * posed->points, sizeof(float))},
                   .connectivity = {"connectivity", "Int64", 1, posed->connectivity,
                                    bytes_of(posed->corners, sizeof(int64_t))},
                   .offsets = {"offsets", "Int64", 1, posed->offsets,
                               bytes_of(posed->polygons, sizeof(int64_t))}};
  return write_polydata(path, &data, error);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

static SlipStatus write_contacts(const SlipSimState *state, const char *path, SlipError *error) {
  SlipiArena arena = {0};
  SlipiPosedContacts from;
  int64_t count = state->contacts;
  if (!slipi_posed_contacts(state, &arena, &from)) {
    slipi_arena_free(&arena);
    return slipi_fail_memory(error, "the contacts of a frame");
  }
  const uint64_t vectors = bytes_of(3 * count, sizeof(double));
  const Array point_data[] = {
      {"impulse", "Float64", 3, from.impulse, vectors},
      {"normal", "Float64", 3, from.normal, vectors},
      {"gap", "Float64", 1, from.gap, bytes_of(count, sizeof(double))},
      {"status", "Int32", 1, from.status, bytes_of(count, sizeof(int32_t))},
      {"bodies", "Int32", 2, from.bodies, bytes_of(2 * count, sizeof(int32_t))}};
  PolyData data = {
      .points = count,
      .vertices = count,
      .point_data = point_data,
      .point_data_count = 5,
      .position = {"Points", "Float64", 3, from.position, vectors},
      .connectivity = {"connectivity", "Int64", 1, from.number, bytes_of(count, sizeof(int64_t))},
      .offsets = {"offsets", "Int64", 1, from.end, bytes_of(count, sizeof(int64_t))}};
  SlipStatus status = write_polydata(path, &data, error);
  slipi_arena_free(&arena);
  return status;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

enum { NAME = 64 };

/* Deformable bodies with what is known of their nodes; `list` gets the files. */
static SlipStatus write_softs(Export *out, int64_t frame, char *path, size_t room, FILE *list,
                              const char *time, SlipError *error) {
  const SlipiSoftFrames *soft = slipi_trajectory_softs(out->posed.trajectory);
  for (int32_t k = 0; k < soft->count; k++) {
    SlipDeformableState at = slip_default_deformable_state();
    SlipStatus status =
        slip_trajectory_deformable(out->posed.trajectory, frame, soft->body[k], &at, error);
    snprintf(path, room, "%s/deformable-%d-%06lld.vtu", out->folder, (int)soft->body[k],
             (long long)frame);
    if (status == SLIP_OK)
      status = slipi_vtu_write(&at, path, error);
    if (status != SLIP_OK)
      return status;
    fprintf(list, "    <DataSet timestep=\"%s\" part=\"%d\" file=\"deformable-%d-%06lld.vtu\"/>\n",
            time, (int)k + 2, (int)soft->body[k], (long long)frame);
  }
  return SLIP_OK;
}

static SlipStatus write_frame(Export *out, int64_t frame, char *path, size_t room, FILE *list,
                              SlipError *error) {
  SlipSimState state = slip_default_sim_state();
  SlipStatus status = slip_trajectory_frame(out->posed.trajectory, frame, &state, error);
  if (status != SLIP_OK)
    return status;
  char time[SLIP_NUMBER_TEXT];
  slip_number_text(state.time, time);
  snprintf(path, room, "%s/bodies-%06lld.vtp", out->folder, (long long)frame);
  status = write_bodies(out, frame, &state, path, error);
  if (status == SLIP_OK) {
    snprintf(path, room, "%s/contacts-%06lld.vtp", out->folder, (long long)frame);
    status = write_contacts(&state, path, error);
  }
  if (status != SLIP_OK) {
    slipi_file_error_prefix(error, path);
    return status;
  }
  fprintf(list,
          "    <DataSet timestep=\"%s\" part=\"0\" file=\"bodies-%06lld.vtp\"/>\n"
          "    <DataSet timestep=\"%s\" part=\"1\" file=\"contacts-%06lld.vtp\"/>\n",
          time, (long long)frame, time, (long long)frame);
  return write_softs(out, frame, path, room, list, time, error);
}

static SlipStatus write_frames(Export *out, int64_t every, char *path, size_t room,
                               SlipError *error) {
  snprintf(path, room, "%s/run.pvd", out->folder);
  FILE *list = fopen(path, "w");
  if (!list) {
    SlipStatus status = slipi_fail_errno(error, "cannot be written", errno);
    slipi_file_error_prefix(error, path);
    return status;
  }
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n",
        list);
  SlipStatus status = SLIP_OK;
  for (int64_t k = 0; status == SLIP_OK && k < out->posed.info->frames; k += every)
    status = write_frame(out, k, path, room, list, error);
  fputs("  </Collection>\n</VTKFile>\n", list);
  int failed = ferror(list);
  if ((fclose(list) != 0 || failed) && status == SLIP_OK)
    status = slipi_fail_errno(error, "run.pvd cannot be written", errno);
  return status;
}

static SlipStatus export_all(Export *out, SlipTrajectory *trajectory, int64_t every,
                             SlipError *error) {
  size_t room = strlen(out->folder) + NAME;
  char *path = SLIPI_ARENA_NEW(&out->arena, char, room);
  if (!path)
    return slipi_fail_memory(error, "a file name");
  SlipStatus status = slipi_posed_folder(out->folder, error);
  if (status == SLIP_OK)
    status = slipi_posed_make(trajectory, &out->arena, &out->posed, error);
  return status == SLIP_OK ? write_frames(out, every, path, room, error) : status;
}

SlipStatus slip_trajectory_export_vtk(SlipTrajectory *trajectory, const char *folder, int64_t every,
                                      SlipError *error) {
  slipi_error_clear(error);
  if (!trajectory || !folder)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory or folder is NULL");
  if (every < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "every is %lld, expected at least 1",
                      (long long)every);
  Export out = {.folder = folder};
  if (slip_trajectory_info(trajectory)->frames < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the trajectory has no frame");
  SlipStatus status = export_all(&out, trajectory, every, error);
  slipi_arena_free(&out.arena);
  return status;
}
