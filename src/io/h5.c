#include "io/h5.h"

#include <stdio.h>

/* ---- Errors ------------------------------------------------------------------------------ */

void slipi_h5_quiet_begin(SlipiH5Quiet *quiet) {
  H5Eget_auto2(H5E_DEFAULT, &quiet->function, &quiet->data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void slipi_h5_quiet_end(const SlipiH5Quiet *quiet) {
  H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data);
}

static herr_t note_memory(unsigned n, const H5E_error2_t *entry, void *data) {
  (void)n;
  if (entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE)
    *(bool *)data = true;
  return 0;
}

SlipStatus slipi_h5_status(void) {
  bool memory = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_memory, &memory);
  return memory ? SLIP_ERROR_MEMORY : SLIP_ERROR_FORMAT;
}

/* ---- Files and groups -------------------------------------------------------------------- */

static SlipStatus open_with(SlipiH5 *h5, const char *path, hid_t access, SlipError *error) {
  hsize_t bytes = 0;
  /* Strong: closing the file closes whatever a failure left open. */
  if (access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0)
    return slipi_fail(error, slipi_h5_status(), "HDF5 cannot be set up");
  h5->file = H5Fopen(path, H5F_ACC_RDONLY, access);
  if (h5->file < 0)
    return slipi_fail(error, slipi_h5_status(),
                      "is not an HDF5 file that can be opened (damaged or truncated)");
  if (H5Fget_filesize(h5->file, &bytes) < 0) {
    SlipStatus status = slipi_fail(error, slipi_h5_status(), "the file's size cannot be told");
    slipi_h5_close(h5);
    return status;
  }
  h5->bytes = bytes;
  h5->budget = bytes > UINT64_MAX / SLIPI_H5_RATIO / 2 ? UINT64_MAX
                                                       : (bytes + SLIPI_H5_FLOOR) * SLIPI_H5_RATIO;
  return SLIP_OK;
}

SlipStatus slipi_h5_open_path(SlipiH5 *h5, const char *path, SlipError *error) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  SlipStatus status = open_with(h5, path, access, error);
  H5Pclose(access);
  return status;
}

SlipStatus slipi_h5_open_memory(SlipiH5 *h5, const void *image, size_t size, SlipError *error) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  SlipStatus status = SLIP_OK;
  /* HDF5 copies the image, so taking the const away is safe. */
  if (access < 0 || H5Pset_fapl_core(access, 1 << 16, 0) < 0 ||
      H5Pset_file_image(access, (void *)image, size) < 0)
    status = slipi_fail(error, slipi_h5_status(), "HDF5 cannot be set up");
  else
    status = open_with(h5, "memory", access, error);
  H5Pclose(access);
  return status;
}

void slipi_h5_close(SlipiH5 *h5) {
  if (h5->file >= 0)
    H5Fclose(h5->file);
  h5->file = -1;
}

SlipStatus slipi_h5_root(SlipiH5 *h5, SlipiH5Group *root, SlipError *error) {
  root->h5 = h5;
  root->path[0] = '\0';
  root->id = H5Gopen2(h5->file, "/", H5P_DEFAULT);
  return root->id < 0 ? slipi_fail(error, slipi_h5_status(), "the root group cannot be opened")
                      : SLIP_OK;
}

SlipStatus slipi_h5_has(const SlipiH5Group *group, const char *name, bool *found,
                        SlipError *error) {
  htri_t there = H5Lexists(group->id, name, H5P_DEFAULT);
  *found = there > 0;
  return there < 0 ? slipi_fail(error, slipi_h5_status(), "%s%s%s cannot be looked up", group->path,
                                slipi_h5_separator(group), name)
                   : SLIP_OK;
}

SlipStatus slipi_h5_check_link(const SlipiH5Group *group, const char *name, SlipError *error) {
  bool found = false;
  SlipStatus status = slipi_h5_has(group, name, &found, error);
  if (status != SLIP_OK)
    return status;
  if (!found)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s%s%s is missing", group->path,
                      slipi_h5_separator(group), name);
  H5L_info_t info;
  if (H5Lget_info(group->id, name, &info, H5P_DEFAULT) < 0)
    return slipi_fail(error, slipi_h5_status(), "%s%s%s: its link cannot be read", group->path,
                      slipi_h5_separator(group), name);
  if (info.type != H5L_TYPE_HARD)
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s%s%s is %s link; only data in the file itself are read", group->path,
                      slipi_h5_separator(group), name,
                      info.type == H5L_TYPE_SOFT       ? "a soft"
                      : info.type == H5L_TYPE_EXTERNAL ? "an external"
                                                       : "a user-defined");
  return SLIP_OK;
}

SlipStatus slipi_h5_group(const SlipiH5Group *parent, const char *name, SlipiH5Group *group,
                          SlipError *error) {
  group->h5 = parent->h5;
  group->id = -1;
  snprintf(group->path, sizeof group->path, "%.40s%s%.20s", parent->path,
           slipi_h5_separator(parent), name);
  SlipStatus status = slipi_h5_check_link(parent, name, error);
  if (status != SLIP_OK)
    return status;
  group->id = H5Gopen2(parent->id, name, H5P_DEFAULT);
  if (group->id >= 0)
    return SLIP_OK;
  status = slipi_h5_status();
  return slipi_h5_is(parent, name, H5I_DATASET)
             ? slipi_fail(error, SLIP_ERROR_FORMAT, "%s is a dataset, expected a group",
                          group->path)
             : slipi_fail(error, status, "%s cannot be opened as a group", group->path);
}

bool slipi_h5_is(const SlipiH5Group *group, const char *name, H5I_type_t kind) {
  hid_t object = H5Oopen(group->id, name, H5P_DEFAULT);
  bool same = object >= 0 && H5Iget_type(object) == kind;
  if (object >= 0)
    H5Oclose(object);
  return same;
}

void slipi_h5_group_close(SlipiH5Group *group) {
  if (group->id > 0)
    H5Gclose(group->id);
  group->id = -1;
}
