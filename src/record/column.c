#include "record/column.h"

#include <stdlib.h>
#include <string.h>

#include "io/h5.h"

/* ---- Types ------------------------------------------------------------------------------- */

/* HDF5's names of types are function calls, so they cannot be in a table of constants. */
static hid_t memory_type(SlipiColumnType type) {
  switch (type) {
  case SLIPI_COLUMN_REAL:
    return H5T_NATIVE_DOUBLE;
  case SLIPI_COLUMN_FLOAT:
    return H5T_NATIVE_FLOAT;
  case SLIPI_COLUMN_INT32:
    return H5T_NATIVE_INT32;
  case SLIPI_COLUMN_INT64:
    return H5T_NATIVE_INT64;
  case SLIPI_COLUMN_UINT64:
    return H5T_NATIVE_UINT64;
  case SLIPI_COLUMN_BYTE:
    return H5T_NATIVE_UINT8;
  }
  return -1;
}

static hid_t file_type(SlipiColumnType type) {
  switch (type) {
  case SLIPI_COLUMN_REAL:
    return H5T_IEEE_F64LE;
  case SLIPI_COLUMN_FLOAT:
    return H5T_IEEE_F32LE;
  case SLIPI_COLUMN_INT32:
    return H5T_STD_I32LE;
  case SLIPI_COLUMN_INT64:
    return H5T_STD_I64LE;
  case SLIPI_COLUMN_UINT64:
    return H5T_STD_U64LE;
  case SLIPI_COLUMN_BYTE:
    return H5T_STD_U8LE;
  }
  return -1;
}

static size_t value_bytes(SlipiColumnType type) {
  bool four = type == SLIPI_COLUMN_INT32 || type == SLIPI_COLUMN_FLOAT;
  return type == SLIPI_COLUMN_BYTE ? 1 : four ? 4 : 8;
}

static void set_row_bytes(SlipiColumn *column) {
  column->row = value_bytes(column->type);
  for (int k = 0; k < column->tail; k++)
    column->row *= column->extent[k];
}

static SlipStatus fail(const SlipiColumn *column, const char *what, SlipError *error) {
  SlipStatus status = slipi_h5_status() == SLIP_ERROR_MEMORY ? SLIP_ERROR_MEMORY : SLIP_ERROR_FILE;
  return slipi_fail(error, status, "%s cannot be %s", column->path, what);
}

/* ---- Creating and opening ---------------------------------------------------------------- */

/* Chunks of some 64 KB where rows are short, of parts of a row where they are long: small enough to
 * be rewritten at each flush, large enough to compress. */
static void chunk_extents(const SlipiColumn *column, hsize_t chunk[3]) {
  enum { BYTES = 1 << 16, LONGEST = 4096, MOST_OF_A_ROW = 1 << 15 };
  hsize_t rows = column->row ? BYTES / column->row : 1;
  chunk[0] = rows < 1 ? 1 : rows > LONGEST ? LONGEST : rows;
  if (column->tail == 0 && column->type == SLIPI_COLUMN_BYTE)
    chunk[0] = BYTES;
  for (int k = 0; k < column->tail; k++)
    chunk[k + 1] = column->extent[k] < 1               ? 1
                   : column->extent[k] > MOST_OF_A_ROW ? MOST_OF_A_ROW
                                                       : column->extent[k];
}

/* Shuffle and the fastest deflate: positions differ little from body to body in their high bytes.
 */
static hid_t creation_list(const SlipiColumn *column) {
  hsize_t chunk[3];
  chunk_extents(column, chunk);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (list < 0)
    return -1;
  if (H5Pset_chunk(list, column->tail + 1, chunk) < 0 || H5Pset_shuffle(list) < 0 ||
      H5Pset_deflate(list, 1) < 0 || H5Pset_fletcher32(list) < 0) {
    H5Pclose(list);
    return -1;
  }
  return list;
}

SlipStatus slipi_column_create(hid_t file, SlipiColumn *column, SlipError *error) {
  set_row_bytes(column);
  hsize_t extent[3] = {0, column->extent[0], column->extent[1]};
  hsize_t most[3] = {H5S_UNLIMITED, column->extent[0], column->extent[1]};
  hid_t space = H5Screate_simple(column->tail + 1, extent, most);
  hid_t create = creation_list(column), link = H5Pcreate(H5P_LINK_CREATE);
  if (space >= 0 && create >= 0 && link >= 0 && H5Pset_create_intermediate_group(link, 1) >= 0)
    column->dataset =
        H5Dcreate2(file, column->path, file_type(column->type), space, link, create, H5P_DEFAULT);
  SlipStatus status = column->dataset > 0 ? SLIP_OK : fail(column, "made", error);
  if (column->dataset < 0)
    column->dataset = 0;
  H5Pclose(link);
  H5Pclose(create);
  H5Sclose(space);
  return status;
}

static SlipStatus check_extents(SlipiColumn *column, int rank, const hsize_t *extent,
                                SlipError *error) {
  if (rank != column->tail + 1)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %d extents, expected %d", column->path,
                      rank, column->tail + 1);
  column->rows = extent[0];
  for (int k = 0; k < column->tail; k++) {
    if (column->extent[k] == 0 && extent[k + 1] <= INT32_MAX)
      column->extent[k] = extent[k + 1];
    if (extent[k + 1] != column->extent[k])
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %llu values in extent %d, expected %llu",
                        column->path, (unsigned long long)extent[k + 1], k + 1,
                        (unsigned long long)column->extent[k]);
  }
  set_row_bytes(column);
  return SLIP_OK;
}

static SlipStatus check_type(const SlipiColumn *column, SlipError *error) {
  hid_t type = H5Dget_type(column->dataset);
  htri_t same = type < 0 ? -1 : H5Tequal(type, file_type(column->type));
  if (type >= 0)
    H5Tclose(type);
  return same > 0
             ? SLIP_OK
             : slipi_fail(error, SLIP_ERROR_FORMAT, "%s has values of another type", column->path);
}

SlipStatus slipi_column_open(hid_t file, SlipiColumn *column, SlipError *error) {
  hsize_t extent[H5S_MAX_RANK];
  column->dataset = H5Dopen2(file, column->path, H5P_DEFAULT);
  if (column->dataset < 0) {
    column->dataset = 0;
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is missing or cannot be opened", column->path);
  }
  hid_t space = H5Dget_space(column->dataset);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, extent, NULL);
  if (space >= 0)
    H5Sclose(space);
  SlipStatus status =
      rank < 0 ? fail(column, "read", error) : check_extents(column, rank, extent, error);
  return status == SLIP_OK ? check_type(column, error) : status;
}

void slipi_column_close(SlipiColumn *column) {
  if (column->dataset > 0)
    H5Dclose(column->dataset);
  column->dataset = 0;
  free(column->buffer);
  column->buffer = NULL;
  column->held = column->capacity = 0;
}

/* ---- Rows -------------------------------------------------------------------------------- */

static bool make_room(SlipiColumn *column, int64_t rows) {
  if (rows <= column->capacity)
    return true;
  int64_t capacity = 2 * column->capacity > rows ? 2 * column->capacity : rows;
  if (column->row && (uint64_t)capacity > SIZE_MAX / 2 / column->row)
    return false;
  unsigned char *buffer = realloc(column->buffer, (size_t)capacity * column->row + 1);
  if (!buffer)
    return false;
  column->buffer = buffer;
  column->capacity = capacity;
  return true;
}

SlipStatus slipi_column_push(SlipiColumn *column, const void *rows, int64_t count,
                             SlipError *error) {
  if (count == 0)
    return SLIP_OK;
  if (!make_room(column, column->held + count))
    return slipi_fail_memory(error, column->path);
  if (column->row)
    memcpy(column->buffer + (size_t)column->held * column->row, rows, (size_t)count * column->row);
  column->held += count;
  return SLIP_OK;
}

/* The part of the file's space with rows first to first + count - 1; -1 on failure. */
static hid_t select_rows(const SlipiColumn *column, hsize_t first, hsize_t count) {
  hsize_t start[3] = {first, 0, 0}, extent[3] = {count, column->extent[0], column->extent[1]};
  hid_t space = H5Dget_space(column->dataset);
  if (space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL) < 0) {
    H5Sclose(space);
    return -1;
  }
  return space;
}

static hid_t rows_space(const SlipiColumn *column, hsize_t count) {
  hsize_t extent[3] = {count, column->extent[0], column->extent[1]};
  return H5Screate_simple(column->tail + 1, extent, NULL);
}

static bool write_rows(SlipiColumn *column) {
  hsize_t count = (hsize_t)column->held;
  hsize_t extent[3] = {column->rows + count, column->extent[0], column->extent[1]};
  if (H5Dset_extent(column->dataset, extent) < 0)
    return false;
  hid_t from = rows_space(column, count), to = select_rows(column, column->rows, count);
  bool done = from >= 0 && to >= 0 &&
              (column->row == 0 || H5Dwrite(column->dataset, memory_type(column->type), from, to,
                                            H5P_DEFAULT, column->buffer) >= 0);
  if (from >= 0)
    H5Sclose(from);
  if (to >= 0)
    H5Sclose(to);
  return done;
}

SlipStatus slipi_column_flush(SlipiColumn *column, SlipError *error) {
  if (column->held == 0)
    return SLIP_OK;
  if (!write_rows(column) || H5Dflush(column->dataset) < 0)
    return fail(column, "written", error);
  column->rows += (hsize_t)column->held;
  column->held = 0;
  return SLIP_OK;
}

SlipStatus slipi_column_read(const SlipiColumn *column, hsize_t first, hsize_t count, void *rows,
                             SlipError *error) {
  if (count == 0 || column->row == 0)
    return SLIP_OK;
  if (first > column->rows || count > column->rows - first)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %llu rows, %llu are needed", column->path,
                      (unsigned long long)column->rows, (unsigned long long)(first + count));
  hid_t to = rows_space(column, count), from = select_rows(column, first, count);
  bool done = to >= 0 && from >= 0 &&
              H5Dread(column->dataset, memory_type(column->type), to, from, H5P_DEFAULT, rows) >= 0;
  if (from >= 0)
    H5Sclose(from);
  if (to >= 0)
    H5Sclose(to);
  return done ? SLIP_OK : fail(column, "read", error);
}
