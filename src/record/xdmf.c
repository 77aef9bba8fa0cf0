/* A trajectory as an XDMF file, which lists the frames, beside an HDF5 file with one dataset for
 * each quantity of a frame: what readers of XDMF take without trouble (parts of datasets they do
 * not).
 *
 * The polygons of the surfaces are there once, for all frames. */
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5.h"
#include "record/posed.h"
#include <slipcone/io.h>

enum { NAME = 64, POLYVERTEX = 1, POLYLINE = 2, POLYGON = 3 };

typedef struct Export {
  SlipiPosed posed;
  SlipiArena arena;
  FILE *list;
  hid_t data;
} Export;

typedef enum Type { FLOAT32, FLOAT64, INT32, INT64 } Type;

static hid_t h5_type(Type type) {
  return type == FLOAT32   ? H5T_NATIVE_FLOAT
         : type == FLOAT64 ? H5T_NATIVE_DOUBLE
         : type == INT32   ? H5T_NATIVE_INT32
                           : H5T_NATIVE_INT64;
}

static hid_t h5_file_type(Type type) {
  return type == FLOAT32   ? H5T_IEEE_F32LE
         : type == FLOAT64 ? H5T_IEEE_F64LE
         : type == INT32   ? H5T_STD_I32LE
                           : H5T_STD_I64LE;
}

/* One dataset: rows of `width` values; width 0: plain values. */
typedef struct Item {
  int64_t rows;
  const void *values;
  Type type;
  int width;
  char path[NAME];
} Item;

static SlipStatus put(const Export *out, const Item *item, SlipError *error) {
  hsize_t extent[2] = {(hsize_t)item->rows, (hsize_t)item->width};
  hid_t space = H5Screate_simple(item->width ? 2 : 1, extent, NULL);
  hid_t link = H5Pcreate(H5P_LINK_CREATE), dataset = -1;
  if (space >= 0 && link >= 0 && H5Pset_create_intermediate_group(link, 1) >= 0)
    dataset = H5Dcreate2(out->data, item->path, h5_file_type(item->type), space, link, H5P_DEFAULT,
                         H5P_DEFAULT);
  bool done =
      dataset >= 0 && (item->rows == 0 || H5Dwrite(dataset, h5_type(item->type), H5S_ALL, H5S_ALL,
                                                   H5P_DEFAULT, item->values) >= 0);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(link);
  return done ? SLIP_OK
              : slipi_fail(error, SLIP_ERROR_FILE, "run-frames.h5: %s cannot be written",
                           item->path);
}

static void refer(const Export *out, const Item *item) {
  bool real = item->type == FLOAT32 || item->type == FLOAT64;
  fprintf(out->list, "          <DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" ",
          real ? "Float" : "Int", item->type == FLOAT32 || item->type == INT32 ? 4 : 8);
  if (item->width)
    fprintf(out->list, "Dimensions=\"%lld %d\"", (long long)item->rows, item->width);
  else
    fprintf(out->list, "Dimensions=\"%lld\"", (long long)item->rows);
  fprintf(out->list, ">run-frames.h5:%s</DataItem>\n", item->path);
}

static void refer_attribute(const Export *out, const char *name, const char *centre,
                            const Item *item) {
  fprintf(out->list, "        <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">\n", name,
          item->width == 3 ? "Vector" : "Scalar", centre);
  refer(out, item);
  fputs("        </Attribute>\n", out->list);
}

/* ---- Surfaces -------------------------------------------------------------------------------- */

/* Each polygon as its type, its number of corners and these. */
static SlipStatus put_topology(Export *out, Item *topology, SlipError *error) {
  const SlipiPosed *posed = &out->posed;
  topology->rows = posed->corners + 2 * posed->polygons;
  int64_t *values = SLIPI_ARENA_NEW(&out->arena, int64_t, topology->rows + 1), at = 0;
  if (!values)
    return slipi_fail_memory(error, "surfaces");
  for (int64_t k = 0, first = 0; k < posed->polygons; first = posed->offsets[k++]) {
    int64_t corners = posed->offsets[k] - first;
    values[at++] = corners == 1 ? POLYVERTEX : corners == 2 ? POLYLINE : POLYGON;
    values[at++] = corners;
    memcpy(values + at, posed->connectivity + first, (size_t)corners * sizeof *values);
    at += corners;
  }
  topology->values = values;
  SlipStatus status = put(out, topology, error);
  const Item body = {
      .path = "/body", .type = INT32, .rows = posed->polygons, .values = posed->polygon_body};
  return status == SLIP_OK ? put(out, &body, error) : status;
}

static SlipStatus write_bodies(Export *out, int64_t frame, const SlipSimState *state,
                               const Item *topology, SlipError *error) {
  SlipiPosed *posed = &out->posed;
  Item points = {.type = FLOAT32, .rows = posed->points, .width = 3, .values = posed->position};
  Item velocity = {.type = FLOAT32, .rows = posed->polygons, .width = 3, .values = posed->velocity};
  const Item body = {.path = "/body", .type = INT32, .rows = posed->polygons};
  snprintf(points.path, NAME, "/%06lld/points", (long long)frame);
  snprintf(velocity.path, NAME, "/%06lld/velocity", (long long)frame);
  SlipStatus status = slipi_posed_move(posed, frame, state, error);
  if (status == SLIP_OK)
    status = put(out, &points, error);
  if (status == SLIP_OK)
    status = put(out, &velocity, error);
  if (status != SLIP_OK)
    return status;
  fprintf(out->list,
          "      <Grid Name=\"bodies\" GridType=\"Uniform\">\n"
          "        <Topology TopologyType=\"Mixed\" NumberOfElements=\"%lld\">\n",
          (long long)posed->polygons);
  refer(out, topology);
  fputs("        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n", out->list);
  refer(out, &points);
  fputs("        </Geometry>\n", out->list);
  refer_attribute(out, "body", "Cell", &body);
  refer_attribute(out, "velocity", "Cell", &velocity);
  fputs("      </Grid>\n", out->list);
  return SLIP_OK;
}

/* ---- Contacts -------------------------------------------------------------------------------- */

enum { QUANTITIES = 5 };

static SlipStatus put_contacts(const Export *out, int64_t frame, const SlipiPosedContacts *from,
                               Item item[QUANTITIES], SlipError *error) {
  static const char *const names[QUANTITIES] = {"contacts", "impulse", "normal", "gap", "status"};
  const void *const values[QUANTITIES] = {from->position, from->impulse, from->normal, from->gap,
                                          from->status};
  for (int k = 0; k < QUANTITIES; k++) {
    snprintf(item[k].path, NAME, "/%06lld/%s", (long long)frame, names[k]);
    item[k].type = k == 4 ? INT32 : FLOAT64;
    item[k].width = k < 3 ? 3 : 0;
    item[k].values = values[k];
    SlipStatus status = put(out, &item[k], error);
    if (status != SLIP_OK)
      return status;
  }
  return SLIP_OK;
}

static SlipStatus write_contacts(Export *out, int64_t frame, const SlipSimState *state,
                                 SlipError *error) {
  SlipiArena arena = {0};
  SlipiPosedContacts from;
  Item item[QUANTITIES];
  if (state->contacts == 0)
    return SLIP_OK;
  for (int k = 0; k < QUANTITIES; k++)
    item[k] = (Item){.rows = state->contacts};
  SlipStatus status = slipi_posed_contacts(state, &arena, &from)
                          ? put_contacts(out, frame, &from, item, error)
                          : slipi_fail_memory(error, "the contacts of a frame");
  slipi_arena_free(&arena);
  if (status != SLIP_OK)
    return status;
  fprintf(out->list,
          "      <Grid Name=\"contacts\" GridType=\"Uniform\">\n"
          "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lld\" "
          "NodesPerElement=\"1\"/>\n        <Geometry GeometryType=\"XYZ\">\n",
          (long long)state->contacts);
  refer(out, &item[0]);
  fputs("        </Geometry>\n", out->list);
  refer_attribute(out, "impulse", "Node", &item[1]);
  refer_attribute(out, "normal", "Node", &item[2]);
  refer_attribute(out, "gap", "Node", &item[3]);
  refer_attribute(out, "status", "Node", &item[4]);
  fputs("      </Grid>\n", out->list);
  return SLIP_OK;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static SlipStatus write_frame(Export *out, int64_t frame, const Item *topology, SlipError *error) {
  SlipSimState state = slip_default_sim_state();
  SlipStatus status = slip_trajectory_frame(out->posed.trajectory, frame, &state, error);
  if (status != SLIP_OK)
    return status;
  char time[SLIP_NUMBER_TEXT];
  slip_number_text(state.time, time);
  fprintf(out->list,
          "    <Grid Name=\"frame\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
          "      <Time Value=\"%s\"/>\n",
          time);
  status = write_bodies(out, frame, &state, topology, error);
  if (status == SLIP_OK)
    status = write_contacts(out, frame, &state, error);
  fputs("    </Grid>\n", out->list);
  return status;
}

static SlipStatus write_frames(Export *out, int64_t every, SlipError *error) {
  Item topology = {.path = "/topology", .type = INT64};
  fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
        "  <Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        out->list);
  SlipStatus status = put_topology(out, &topology, error);
  for (int64_t k = 0; status == SLIP_OK && k < out->posed.info->frames; k += every)
    status = write_frame(out, k, &topology, error);
  fputs("  </Grid>\n</Domain>\n</Xdmf>\n", out->list);
  return status;
}

/* The two files in the folder, open. */
static SlipStatus open_files(Export *out, const char *folder, SlipError *error) {
  size_t room = strlen(folder) + NAME;
  char *path = SLIPI_ARENA_NEW(&out->arena, char, room);
  if (!path)
    return slipi_fail_memory(error, "a file name");
  snprintf(path, room, "%s/run.xdmf", folder);
  out->list = fopen(path, "w");
  if (!out->list) {
    SlipStatus status = slipi_fail_errno(error, "cannot be written", errno);
    slipi_file_error_prefix(error, path);
    return status;
  }
  snprintf(path, room, "%s/run-frames.h5", folder);
  out->data = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  return out->data >= 0 ? SLIP_OK
                        : slipi_fail(error, SLIP_ERROR_FILE, "%s: cannot be written", path);
}

static SlipStatus close_files(Export *out, SlipStatus status, SlipError *error) {
  bool failed = out->data >= 0 && H5Fclose(out->data) < 0;
  if (out->list) {
    failed = ferror(out->list) || failed;
    failed = fclose(out->list) != 0 || failed;
  }
  return failed && status == SLIP_OK
             ? slipi_fail(error, SLIP_ERROR_FILE, "run.xdmf or run-frames.h5 cannot be written")
             : status;
}

SlipStatus slip_trajectory_export_xdmf(SlipTrajectory *trajectory, const char *folder,
                                       int64_t every, SlipError *error) {
  slipi_error_clear(error);
  if (!trajectory || !folder)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "trajectory or folder is NULL");
  if (every < 1)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "every is %lld, expected at least 1",
                      (long long)every);
  SlipiH5Quiet quiet;
  slipi_h5_quiet_begin(&quiet);
  Export out = {.data = -1};
  SlipStatus status = slipi_posed_make(trajectory, &out.arena, &out.posed, error);
  if (status == SLIP_OK)
    status = slipi_posed_folder(folder, error);
  if (status == SLIP_OK)
    status = open_files(&out, folder, error);
  if (status == SLIP_OK)
    status = write_frames(&out, every, error);
  status = close_files(&out, status, error);
  slipi_arena_free(&out.arena);
  slipi_h5_quiet_end(&quiet);
  return status;
}
