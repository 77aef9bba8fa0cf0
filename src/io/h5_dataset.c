#include "io/h5_dataset.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Long enough for any title; info strings beyond it are not text. */
enum { TEXT_MAX = 1 << 20 };

/* A chunk is unpacked as a whole: beyond this many values it must not be larger than its data. */
enum { CHUNK_FREE = 1 << 20 };

/* ---- Opening ----------------------------------------------------------------------------- */

static void dataset_close(SlipiH5Dataset *dataset) {
  if (dataset->type >= 0)
    H5Tclose(dataset->type);
  if (dataset->id >= 0)
    H5Dclose(dataset->id);
}

static SlipStatus read_extent(SlipiH5Dataset *dataset, SlipError *error) {
  hid_t space = H5Dget_space(dataset->id);
  hsize_t extent = 0;
  SlipStatus status = SLIP_OK;
  H5S_class_t class = space < 0 ? H5S_NO_CLASS : H5Sget_simple_extent_type(space);
  int rank = class == H5S_NO_CLASS ? -1 : H5Sget_simple_extent_ndims(space);
  if (class == H5S_SCALAR)
    extent = 1;
  else if (rank > 1)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %d dimensions, expected 1", dataset->path,
                        rank);
  else if (rank < 0 ||
           (class == H5S_SIMPLE && H5Sget_simple_extent_dims(space, &extent, NULL) != 1))
    status = slipi_fail(error, slipi_h5_status(), "%s: its extent cannot be read", dataset->path);
  if (status == SLIP_OK && extent > INT64_MAX / 64)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %llu values, far more than can be",
                        dataset->path, (unsigned long long)extent);
  dataset->length = (int64_t)extent;
  if (space >= 0)
    H5Sclose(space);
  return status;
}

/* As the file calls it, or else by the number that is registered for it. */
static const char *filter_name(H5Z_filter_t filter, const char *stored) {
  static const struct {
    H5Z_filter_t number;
    const char *name;
  } known[] = {{H5Z_FILTER_FLETCHER32, "fletcher32"},
               {H5Z_FILTER_SZIP, "szip"},
               {H5Z_FILTER_NBIT, "nbit"},
               {H5Z_FILTER_SCALEOFFSET, "scale-offset"},
               {307, "bzip2"},
               {32000, "lzf"},
               {32001, "blosc"},
               {32004, "lz4"},
               {32008, "bitshuffle"},
               {32013, "zfp"},
               {32015, "zstd"}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    if (known[k].number == filter)
      return known[k].name;
  return *stored ? stored : "of an unknown name";
}

static SlipStatus read_filters(SlipiH5Dataset *dataset, hid_t plist, SlipError *error) {
  int count = H5Pget_nfilters(plist);
  if (count < 0 || count > SLIPI_H5_FILTERS)
    return slipi_fail(error, slipi_h5_status(), "%s: its filters cannot be read", dataset->path);
  for (int k = 0; k < count; k++) {
    unsigned flags = 0, config = 0, values[8] = {0};
    size_t value_count = 8;
    char name[64] = "";
    H5Z_filter_t filter = H5Pget_filter2(plist, (unsigned)k, &flags, &value_count, values,
                                         sizeof name - 1, name, &config);
    if (filter < 0)
      return slipi_fail(error, slipi_h5_status(), "%s: its filters cannot be read", dataset->path);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
      return slipi_fail(error, SLIP_ERROR_FORMAT,
                        "%s is packed with the filter %s (%d); only deflate (1) and shuffle (2) "
                        "can be undone here",
                        dataset->path, filter_name(filter, name), (int)filter);
    if (filter == H5Z_FILTER_SHUFFLE) {
      dataset->shuffle_size = value_count > 0 ? values[0] : 0;
      if (dataset->shuffle_size != dataset->size)
        return slipi_fail(error, SLIP_ERROR_FORMAT,
                          "%s: values of %zu bytes are shuffled as if they had %zu", dataset->path,
                          dataset->size, dataset->shuffle_size);
    }
    dataset->filter[k] = filter;
  }
  dataset->filter_count = count;
  return SLIP_OK;
}

static SlipStatus read_chunk_extent(SlipiH5Dataset *dataset, hid_t plist, SlipError *error) {
  if (H5Pget_chunk(plist, 1, &dataset->chunk) != 1 || dataset->chunk == 0)
    return slipi_fail(error, slipi_h5_status(), "%s: the extent of its chunks cannot be read",
                      dataset->path);
  uint64_t most = dataset->length > CHUNK_FREE ? (uint64_t)dataset->length : CHUNK_FREE;
  if (dataset->chunk > most)
    return slipi_fail(
        error, SLIP_ERROR_FORMAT, "%s has %lld values in chunks of %llu: the chunks are too large",
        dataset->path, (long long)dataset->length, (unsigned long long)dataset->chunk);
  return SLIP_OK;
}

/* Whether as many values can be in the file as the extent says. */
static SlipStatus check_stored(SlipiH5Dataset *dataset, SlipError *error) {
  uint64_t stored = H5Dget_storage_size(dataset->id);
  if (stored > dataset->h5->bytes)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s is said to take %llu bytes of a file of %llu (truncated or damaged)",
                      dataset->path, (unsigned long long)stored,
                      (unsigned long long)dataset->h5->bytes);
  dataset->written = stored > 0;
  if (!dataset->written)
    return SLIP_OK;
  uint64_t ratio = dataset->filter_count > 0 ? SLIPI_H5_RATIO : 1;
  if ((uint64_t)dataset->length > stored * ratio / dataset->size)
    return slipi_fail(
        error, SLIP_ERROR_FORMAT, "%s has %lld values of %zu bytes, but only %llu bytes are stored",
        dataset->path, (long long)dataset->length, dataset->size, (unsigned long long)stored);
  return SLIP_OK;
}

static SlipStatus read_layout(SlipiH5Dataset *dataset, hid_t plist, SlipError *error) {
  H5D_layout_t layout = H5Pget_layout(plist);
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s is a virtual dataset or damaged; only data in the file itself are read",
                      dataset->path);
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(plist) != 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s is stored outside the file; only data in the file itself are read",
                      dataset->path);
  dataset->chunked = layout == H5D_CHUNKED;
  SlipStatus status = SLIP_OK;
  if (dataset->chunked) {
    status = read_filters(dataset, plist, error);
    if (status == SLIP_OK)
      status = read_chunk_extent(dataset, plist, error);
  }
  return status == SLIP_OK && dataset->length > 0 ? check_stored(dataset, error) : status;
}

static SlipStatus read_header(SlipiH5Dataset *dataset, SlipError *error) {
  dataset->type = H5Dget_type(dataset->id);
  dataset->size = dataset->type < 0 ? 0 : H5Tget_size(dataset->type);
  if (dataset->size == 0)
    return slipi_fail(error, slipi_h5_status(), "%s: its type cannot be read", dataset->path);
  SlipStatus status = read_extent(dataset, error);
  if (status != SLIP_OK)
    return status;
  hid_t plist = H5Dget_create_plist(dataset->id);
  if (plist < 0)
    return slipi_fail(error, slipi_h5_status(), "%s: its layout cannot be read", dataset->path);
  status = read_layout(dataset, plist, error);
  H5Pclose(plist);
  return status;
}

static SlipStatus fail_open(const SlipiH5Group *group, const char *name,
                            const SlipiH5Dataset *dataset, SlipError *error) {
  SlipStatus status = slipi_h5_status();
  if (slipi_h5_is(group, name, H5I_GROUP))
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is a group, expected a dataset", dataset->path);
  return slipi_fail(error, status, "%s cannot be opened as a dataset", dataset->path);
}

/* Open and check all but the type. On failure the dataset is closed. */
static SlipStatus dataset_open(const SlipiH5Group *group, const char *name, SlipiH5Dataset *dataset,
                               SlipError *error) {
  *dataset = (SlipiH5Dataset){.h5 = group->h5, .id = -1, .type = -1};
  snprintf(dataset->path, sizeof dataset->path, "%s%s%.40s", group->path, slipi_h5_separator(group),
           name);
  SlipStatus status = slipi_h5_check_link(group, name, error);
  if (status != SLIP_OK)
    return status;
  dataset->id = H5Dopen2(group->id, name, H5P_DEFAULT);
  status = dataset->id < 0 ? fail_open(group, name, dataset, error) : read_header(dataset, error);
  if (status != SLIP_OK)
    dataset_close(dataset);
  return status;
}

/* ---- Values ------------------------------------------------------------------------------ */

/* A plain integer of 1, 2, 4 or 8 bytes: HDF5 converts these without surprises. */
static bool is_integer(const SlipiH5Dataset *dataset) {
  size_t size = dataset->size;
  return H5Tget_class(dataset->type) == H5T_INTEGER &&
         (size == 1 || size == 2 || size == 4 || size == 8) &&
         H5Tget_precision(dataset->type) == 8 * size && H5Tget_offset(dataset->type) == 0;
}

static bool is_real(const SlipiH5Dataset *dataset) {
  return H5Tget_class(dataset->type) == H5T_FLOAT && (H5Tequal(dataset->type, H5T_IEEE_F64LE) > 0 ||
                                                      H5Tequal(dataset->type, H5T_IEEE_F64BE) > 0 ||
                                                      H5Tequal(dataset->type, H5T_IEEE_F32LE) > 0 ||
                                                      H5Tequal(dataset->type, H5T_IEEE_F32BE) > 0);
}

/* The kind of values in a dataset, for a message that says what was expected. */
static const char *values_name(const SlipiH5Dataset *dataset) {
  switch (H5Tget_class(dataset->type)) {
  case H5T_INTEGER:
    return "integers";
  case H5T_FLOAT:
    return "reals";
  case H5T_STRING:
    return "strings";
  case H5T_TIME:
    return "times";
  case H5T_BITFIELD:
    return "bit fields";
  case H5T_OPAQUE:
    return "opaque bytes";
  case H5T_COMPOUND:
    return "compound values";
  case H5T_REFERENCE:
    return "references";
  case H5T_ENUM:
    return "enumerated values";
  case H5T_VLEN:
    return "sequences of any length";
  case H5T_ARRAY:
    return "arrays";
  default:
    return "values of an unknown kind";
  }
}

static SlipStatus check_count(const SlipiH5Dataset *dataset, SlipiH5Count rule, int64_t count,
                              SlipError *error) {
  if (dataset->length > 0 && !dataset->written)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %lld values that were never written",
                      dataset->path, (long long)dataset->length);
  if (dataset->length == count || (rule == SLIPI_H5_AT_LEAST && dataset->length > count))
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %lld values, expected %s%lld", dataset->path,
                    (long long)dataset->length, rule == SLIPI_H5_AT_LEAST ? "at least " : "",
                    (long long)count);
}

/* Room for `count` values of up to 8 bytes, if the file may expand to so many. */
static SlipStatus take_room(SlipiH5Dataset *dataset, int64_t count, SlipiArena *arena, void **room,
                            SlipError *error) {
  uint64_t bytes = 8 * (uint64_t)count;
  if (bytes > dataset->h5->budget)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s: with its %lld values there are more data than a file of %llu bytes can "
                      "hold",
                      dataset->path, (long long)count, (unsigned long long)dataset->h5->bytes);
  dataset->h5->budget -= bytes;
  *room = slipi_arena_alloc(arena, (size_t)count, 8);
  return *room ? SLIP_OK : slipi_fail_memory(error, dataset->path);
}

static SlipStatus read_contiguous(const SlipiH5Dataset *dataset, int64_t count, hid_t type,
                                  void *room, SlipError *error) {
  hsize_t start = 0, extent = (hsize_t)count;
  herr_t failed = 0;
  if (count == dataset->length) {
    failed = H5Dread(dataset->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
  } else {
    hid_t from = H5Dget_space(dataset->id);
    hid_t to = H5Screate_simple(1, &extent, NULL);
    failed = from < 0 || to < 0 ||
                     H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, NULL, &extent, NULL) < 0
                 ? -1
                 : H5Dread(dataset->id, type, to, from, H5P_DEFAULT, room);
    H5Sclose(from);
    H5Sclose(to);
  }
  return failed < 0 ? slipi_fail(error, slipi_h5_status(),
                                 "%s cannot be read (truncated or damaged)", dataset->path)
                    : SLIP_OK;
}

/* The first `count` values as `type`, a native type of up to 8 bytes. */
static SlipStatus read_values(SlipiH5Dataset *dataset, int64_t count, hid_t type, SlipiArena *arena,
                              void **room, SlipError *error) {
  SlipStatus status = take_room(dataset, count, arena, room, error);
  if (status != SLIP_OK || count == 0)
    return status;
  if (!dataset->chunked)
    return read_contiguous(dataset, count, type, *room, error);
  status = slipi_h5_unpack(dataset, count, *room, error);
  if (status == SLIP_OK &&
      H5Tconvert(dataset->type, type, (size_t)count, *room, NULL, H5P_DEFAULT) < 0)
    status =
        slipi_fail(error, slipi_h5_status(), "%s: its values cannot be converted", dataset->path);
  return status;
}

SlipStatus slipi_h5_length(const SlipiH5Group *group, const char *name, int64_t *length,
                           bool *written, SlipError *error) {
  SlipiH5Dataset dataset;
  SlipStatus status = dataset_open(group, name, &dataset, error);
  if (status != SLIP_OK)
    return status;
  if (length)
    *length = dataset.length;
  if (written)
    *written = dataset.written || dataset.length == 0;
  dataset_close(&dataset);
  return SLIP_OK;
}

/* Integers are read as 64-bit ones and narrowed here, since HDF5 would clip them silently. */
static SlipStatus narrow(const SlipiH5Dataset *dataset, int64_t count, const int64_t *wide,
                         int32_t *values, SlipError *error) {
  for (int64_t k = 0; k < count; k++) {
    int64_t value = wide[k];
    if (value < INT32_MIN || value > INT32_MAX)
      return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: value %lld is %lld, beyond 32 bits",
                        dataset->path, (long long)k, (long long)value);
    values[k] = (int32_t)value;
  }
  return SLIP_OK;
}

SlipStatus slipi_h5_ints(const SlipiH5Group *group, const char *name, SlipiH5Count rule,
                         int64_t count, SlipiArena *arena, int32_t **values, SlipError *error) {
  SlipiH5Dataset dataset;
  SlipStatus status = dataset_open(group, name, &dataset, error);
  if (status != SLIP_OK)
    return status;
  void *room = NULL;
  if (!is_integer(&dataset))
    status = slipi_fail(error, SLIP_ERROR_FORMAT,
                        "%s holds %s of %zu bytes, expected integers of 1, 2, 4 or 8", dataset.path,
                        values_name(&dataset), dataset.size);
  if (status == SLIP_OK)
    status = check_count(&dataset, rule, count, error);
  bool wide = dataset.size > 4 || (dataset.size == 4 && H5Tget_sign(dataset.type) == H5T_SGN_NONE);
  if (status == SLIP_OK)
    status = read_values(&dataset, count, wide ? H5T_NATIVE_INT64 : H5T_NATIVE_INT32, arena, &room,
                         error);
  *values = room;
  if (status == SLIP_OK && wide && room) {
    *values = SLIPI_ARENA_NEW(arena, int32_t, count);
    status = *values ? narrow(&dataset, count, room, *values, error)
                     : slipi_fail_memory(error, dataset.path);
  }
  dataset_close(&dataset);
  return status;
}

SlipStatus slipi_h5_int(const SlipiH5Group *group, const char *name, int32_t *value,
                        SlipError *error) {
  SlipiArena arena = {0};
  int32_t *values = NULL;
  SlipStatus status = slipi_h5_ints(group, name, SLIPI_H5_EXACTLY, 1, &arena, &values, error);
  if (status == SLIP_OK && values)
    *value = values[0];
  slipi_arena_free(&arena);
  return status;
}

SlipStatus slipi_h5_reals(const SlipiH5Group *group, const char *name, SlipiH5Count rule,
                          int64_t count, SlipiArena *arena, double **values, SlipError *error) {
  SlipiH5Dataset dataset;
  SlipStatus status = dataset_open(group, name, &dataset, error);
  if (status != SLIP_OK)
    return status;
  void *room = NULL;
  if (!is_real(&dataset))
    status = slipi_fail(error, SLIP_ERROR_FORMAT,
                        "%s holds %s of %zu bytes, expected IEEE reals of 4 or 8", dataset.path,
                        values_name(&dataset), dataset.size);
  if (status == SLIP_OK)
    status = check_count(&dataset, rule, count, error);
  if (status == SLIP_OK)
    status = read_values(&dataset, count, H5T_NATIVE_DOUBLE, arena, &room, error);
  *values = room;
  dataset_close(&dataset);
  return status;
}

/* ---- Strings ----------------------------------------------------------------------------- */

/* For variable-length strings, whose length HDF5 takes from the file. */
static void *allocate_text(size_t size, void *info) {
  (void)info;
  return size <= TEXT_MAX ? malloc(size) : NULL;
}

static void free_text(void *memory, void *info) {
  (void)info;
  free(memory);
}

static SlipStatus read_variable(const SlipiH5Dataset *dataset, SlipiArena *arena, char **text,
                                SlipError *error) {
  char *found = NULL;
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  SlipStatus status = SLIP_OK;
  if (transfer < 0 || H5Pset_vlen_mem_manager(transfer, allocate_text, NULL, free_text, NULL) < 0 ||
      H5Dread(dataset->id, dataset->type, H5S_ALL, H5S_ALL, transfer, &found) < 0)
    status =
        slipi_fail(error, slipi_h5_status(), "%s cannot be read (damaged, or longer than %d bytes)",
                   dataset->path, TEXT_MAX);
  else if (found && !(*text = slipi_arena_copy(arena, found, strlen(found) + 1, 1)))
    status = slipi_fail_memory(error, dataset->path);
  free(found);
  H5Pclose(transfer);
  return status;
}

static SlipStatus read_fixed(const SlipiH5Dataset *dataset, SlipiArena *arena, char **text,
                             SlipError *error) {
  if (dataset->size > TEXT_MAX)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s has %zu bytes, more than the %d of a text",
                      dataset->path, dataset->size, TEXT_MAX);
  /* The arena's memory is zeroed: one more byte ends the string. */
  char *room = slipi_arena_alloc(arena, dataset->size + 1, 1);
  if (!room)
    return slipi_fail_memory(error, dataset->path);
  if (H5Dread(dataset->id, dataset->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) < 0)
    return slipi_fail(error, slipi_h5_status(), "%s cannot be read (truncated or damaged)",
                      dataset->path);
  if (H5Tget_strpad(dataset->type) == H5T_STR_SPACEPAD)
    for (size_t k = strlen(room); k > 0 && room[k - 1] == ' '; k--)
      room[k - 1] = '\0';
  *text = room;
  return SLIP_OK;
}

SlipStatus slipi_h5_text(const SlipiH5Group *group, const char *name, SlipiArena *arena,
                         char **text, SlipError *error) {
  bool found = false;
  *text = NULL;
  SlipStatus status = slipi_h5_has(group, name, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  SlipiH5Dataset dataset;
  status = dataset_open(group, name, &dataset, error);
  if (status != SLIP_OK)
    return status;
  htri_t variable = H5Tis_variable_str(dataset.type);
  if (H5Tget_class(dataset.type) != H5T_STRING || variable < 0)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "%s holds %s, expected a string", dataset.path,
                        values_name(&dataset));
  else if (dataset.length > 1 || dataset.chunked)
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "%s does not hold one plain string (length %lld)",
                        dataset.path, (long long)dataset.length);
  else if (dataset.length == 1 && dataset.written)
    status = variable ? read_variable(&dataset, arena, text, error)
                      : read_fixed(&dataset, arena, text, error);
  dataset_close(&dataset);
  return status;
}
