#include "h5_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static hid_t open_for_edit(const char *path, const char *name) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  if (H5Lexists(file, name, H5P_DEFAULT) > 0)
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  return file;
}

static void put(hid_t file, const char *name, hid_t type, hid_t memory, hid_t space, hid_t plist,
                const void *values) {
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  assert_true(dataset >= 0);
  if (values)
    assert_true(H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  H5Sclose(space);
  assert_true(H5Fclose(file) >= 0);
}

void h5_edit_put(const char *path, const char *name, hid_t type, hid_t memory, int rank,
                 int64_t count, hid_t plist, const void *values) {
  hsize_t extent = (hsize_t)count;
  hid_t file = open_for_edit(path, name);
  hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, NULL);
  put(file, name, type, memory, space, plist, values);
}

void h5_edit_ints(const char *path, const char *name, int64_t count, const int32_t *values) {
  h5_edit_put(path, name, H5T_STD_I32LE, H5T_NATIVE_INT32, 1, count, H5P_DEFAULT, values);
}

void h5_edit_reals(const char *path, const char *name, int64_t count, const double *values) {
  h5_edit_put(path, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, count, H5P_DEFAULT, values);
}

void h5_edit_text(const char *path, const char *name, size_t size, H5T_str_t pad,
                  const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size == 0 ? H5T_VARIABLE : size);
  H5Tset_strpad(type, pad);
  hid_t file = open_for_edit(path, name);
  put(file, name, type, type, H5Screate(H5S_SCALAR), H5P_DEFAULT,
      size == 0 ? (const void *)&text : (const void *)text);
  H5Tclose(type);
}

void h5_edit_announce(const char *path, const char *name, int64_t count) {
  hsize_t chunk = 1 << 16;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_deflate(plist, 9);
  h5_edit_put(path, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, count, plist, NULL);
  H5Pclose(plist);
}

void h5_edit_group(const char *path, const char *name) {
  hid_t file = open_for_edit(path, name);
  hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(group >= 0);
  H5Gclose(group);
  assert_true(H5Fclose(file) >= 0);
}

void h5_edit_remove(const char *path, const char *name) {
  assert_true(H5Fclose(open_for_edit(path, name)) >= 0);
}
