#include "record/text.h"

#include <stdlib.h>
#include <string.h>

#include "io/h5.h"

/* ---- Writing ----------------------------------------------------------------------------- */

static SlipStatus fail_made(const char *path, SlipError *error) {
  return slipi_fail(error,
                    slipi_h5_status() == SLIP_ERROR_MEMORY ? SLIP_ERROR_MEMORY : SLIP_ERROR_FILE,
                    "%s cannot be made", path);
}

/* `count` strings of `bytes` bytes each, one after the other; count -1: a single one. */
static SlipStatus put(hid_t file, const char *path, int64_t count, size_t bytes, const char *text,
                      SlipError *error) {
  hsize_t extent = (hsize_t)count;
  hid_t type = H5Tcopy(H5T_C_S1), link = H5Pcreate(H5P_LINK_CREATE), dataset = -1;
  hid_t space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, NULL);
  if (type >= 0 && space >= 0 && link >= 0 && H5Tset_size(type, bytes) >= 0 &&
      H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && H5Pset_create_intermediate_group(link, 1) >= 0)
    dataset = H5Dcreate2(file, path, type, space, link, H5P_DEFAULT, H5P_DEFAULT);
  bool done = dataset >= 0 &&
              (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
  SlipStatus status = done ? SLIP_OK : fail_made(path, error);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(link);
  H5Tclose(type);
  return status;
}

SlipStatus slipi_record_put_text(hid_t file, const char *path, const char *text, SlipError *error) {
  return text ? put(file, path, -1, strlen(text) + 1, text, error) : SLIP_OK;
}

SlipStatus slipi_record_put_names(hid_t file, const char *path, int32_t count,
                                  const char *(*name)(const void *user, int32_t k),
                                  const void *user, SlipError *error) {
  size_t longest = 0;
  for (int32_t k = 0; k < count; k++) {
    size_t length = strlen(name(user, k));
    longest = length > longest ? length : longest;
  }
  char *text = calloc((size_t)count + 1, longest + 1);
  if (!text)
    return slipi_fail_memory(error, path);
  for (int32_t k = 0; k < count; k++)
    memcpy(text + (size_t)k * (longest + 1), name(user, k), strlen(name(user, k)));
  SlipStatus status = put(file, path, count, longest + 1, text, error);
  free(text);
  return status;
}

/* ---- Reading ----------------------------------------------------------------------------- */

/* A dataset of strings of a fixed length: their number (-1: a single one) and bytes. */
static SlipStatus describe(hid_t dataset, const char *path, int64_t *count, size_t *bytes,
                           SlipError *error) {
  hsize_t extent[H5S_MAX_RANK];
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, extent, NULL);
  bool good = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
              (rank == 0 || rank == 1) && (rank == 0 || extent[0] <= INT32_MAX);
  *bytes = good ? H5Tget_size(type) : 0;
  *count = good && rank == 1 ? (int64_t)extent[0] : -1;
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  return good ? SLIP_OK
              : slipi_fail(error, SLIP_ERROR_FORMAT, "%s: expected text of a fixed length", path);
}

/* What is in the file, with a zero after each string. */
static SlipStatus read_strings(hid_t dataset, const char *path, int64_t count, size_t bytes,
                               SlipiArena *arena, char **text, SlipError *error) {
  size_t number = count < 0 ? 1 : (size_t)count;
  hid_t type = H5Tcopy(H5T_C_S1);
  *text = SLIPI_ARENA_NEW(arena, char, (bytes + 1) * number + 1);
  bool done = *text && type >= 0 && H5Tset_size(type, bytes + 1) >= 0 &&
              H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
              (number == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0);
  if (type >= 0)
    H5Tclose(type);
  if (!*text)
    return slipi_fail_memory(error, path);
  return done ? SLIP_OK : slipi_fail(error, SLIP_ERROR_FORMAT, "%s cannot be read", path);
}

static SlipStatus get(hid_t file, const char *path, SlipiArena *arena, int64_t *count,
                      size_t *bytes, char **text, SlipError *error) {
  hsize_t stored = 0;
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset < 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is missing or cannot be opened", path);
  SlipStatus status = describe(dataset, path, count, bytes, error);
  stored = H5Dget_storage_size(dataset);
  /* Texts are not compressed: what is not in the file is not asked for. */
  if (status == SLIP_OK && *count != 0 && stored / *bytes < (hsize_t)(*count < 0 ? 1 : *count))
    status = slipi_fail(error, SLIP_ERROR_FORMAT, "%s is longer than its data", path);
  if (status == SLIP_OK)
    status = read_strings(dataset, path, *count, *bytes, arena, text, error);
  H5Dclose(dataset);
  return status;
}

SlipStatus slipi_record_get_text(hid_t file, const char *path, SlipiArena *arena, const char **text,
                                 SlipError *error) {
  *text = NULL;
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0)
    return SLIP_OK;
  int64_t count = 0;
  size_t bytes = 0;
  char *read = NULL;
  SlipStatus status = get(file, path, arena, &count, &bytes, &read, error);
  if (status == SLIP_OK && count >= 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is a list, expected one text", path);
  *text = read;
  return status;
}

SlipStatus slipi_record_get_names(hid_t file, const char *path, SlipiArena *arena, int32_t *count,
                                  const char *const **names, SlipError *error) {
  int64_t number = 0;
  size_t bytes = 0;
  char *text = NULL;
  SlipStatus status = get(file, path, arena, &number, &bytes, &text, error);
  if (status != SLIP_OK)
    return status;
  if (number < 0)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is one text, expected a list", path);
  const char **list = SLIPI_ARENA_NEW(arena, const char *, number + 1);
  if (!list)
    return slipi_fail_memory(error, path);
  for (int64_t k = 0; k < number; k++)
    list[k] = text + (size_t)k * (bytes + 1);
  *names = list;
  *count = (int32_t)number;
  return SLIP_OK;
}
