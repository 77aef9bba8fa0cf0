/* FCLIB files that are wrong or damaged: refused with the file, the place and the value. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include <slipcone/io.h>

#include "h5_edit.h"
#include "io/io.h"
#include "small_files.h"

#define PATH "test_fclib_wrong.hdf5"

/* ---- Wrong files ------------------------------------------------------------------------- */

static void test_missing_parts(void **state) {
  (void)state;
  static const char *const local[] = {
      "fclib_local/spacedim", "fclib_local/W",         "fclib_local/W/nz",      "fclib_local/W/m",
      "fclib_local/W/n",      "fclib_local/W/p",       "fclib_local/W/i",       "fclib_local/W/x",
      "fclib_local/vectors",  "fclib_local/vectors/q", "fclib_local/vectors/mu"};
  static const char *const global[] = {"fclib_global/M", "fclib_global/H", "fclib_global/vectors/f",
                                       "fclib_global/vectors/w", "fclib_global/vectors/mu"};
  char text[64];
  for (size_t k = 0; k < sizeof local / sizeof local[0]; k++) {
    small_write_local(PATH);
    h5_edit_remove(PATH, local[k]);
    snprintf(text, sizeof text, "%s is missing", local[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, text);
  }
  for (size_t k = 0; k < sizeof global / sizeof global[0]; k++) {
    small_write_global(PATH);
    h5_edit_remove(PATH, global[k]);
    snprintf(text, sizeof text, "%s is missing", global[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, text);
  }
  h5_edit_remove(PATH, "fclib_global");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "without fclib_local or fclib_global");
}

typedef struct WrongInt {
  const char *name;
  int32_t value;
  const char *text;
} WrongInt;

static void test_wrong_integers(void **state) {
  (void)state;
  static const WrongInt wrong[] = {
      {"fclib_local/spacedim", 4, "fclib_local/spacedim is 4, expected 2 or 3"},
      {"fclib_local/spacedim", 0, "fclib_local/spacedim is 0"},
      {"fclib_local/spacedim", 5, "vectors/q has 4 values, expected 10"},
      {"fclib_local/spacedim", 3, "vectors/q has 4 values, expected 6"},
      {"fclib_local/W/nz", -3, "fclib_local/W/nz is -3"},
      {"fclib_local/W/nz", -1, "fclib_local/W/p ends with"},
      {"fclib_local/W/nz", 7, "fclib_local/W/p has 6 values, expected at least 7"},
      {"fclib_local/W/nz", INT32_MAX, "expected at least 2147483647"},
      {"fclib_local/W/m", -4, "fclib_local/W is said to be -4 x 4"},
      {"fclib_local/W/m", INT32_MAX, "fclib_local/W is 2147483647 x 4, expected 4 x 4"},
      {"fclib_local/W/n", 3, "fclib_local/W is 4 x 3, expected 4 x 4"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    small_write_local(PATH);
    /* a last p below zero, for the compressed layouts */
    h5_edit_ints(PATH, "fclib_local/W/p", 6, (int32_t[]){0, 2, 1, 0, -2, 3});
    h5_edit_ints(PATH, wrong[k].name, 1, &wrong[k].value);
    assert_refused(PATH, SLIP_ERROR_FORMAT, wrong[k].text);
  }
}

static void test_wrong_indices(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/W/i", 6, (int32_t[]){0, 0, 1, 2, 4, 3});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "4");
  h5_edit_ints(PATH, "fclib_local/W/i", 6, (int32_t[]){0, 0, 1, 2, -1, 3});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "-1");
  small_put_matrix(PATH, -2, 5, (int32_t[]){0, 3, 2, 5, 6}, 6, small_col, small_x);
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "W");
  small_put_matrix(PATH, -2, 5, (int32_t[]){0, 2, 3, 5, 7}, 6, small_col, small_x);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W/i has 6 values, expected at least 7");
}

static void test_wrong_values(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/mu", 2, (double[]){0.5, -0.25});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "mu[1] is -0.25");
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/q", 4, (double[]){0, NAN, 0, 0});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "q[1] is nan");
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W/x", 6, (double[]){1, 1, 1, 1, INFINITY, 1});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "W(2, 2) is inf");
  small_write_global(PATH);
  h5_edit_reals(PATH, "fclib_global/M/x", 3, (double[]){1, -1, 1});
  assert_refused(PATH, SLIP_ERROR_PROBLEM, "M");
}

static void test_wrong_lengths(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/q", 3, small_q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q has 3 values, expected 4");
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/vectors/mu", 1, small_mu);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "expected 2");
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W/x", 5, small_x);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "W/x has 5 values, expected at least 6");
  small_write_global(PATH);
  h5_edit_reals(PATH, "fclib_global/vectors/f", 2, small_f);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_global/M is 3 x 3, expected 2 x 2");
  small_write_global(PATH);
  h5_edit_reals(PATH, "fclib_global/vectors/w", 6, (double[6]){0});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/w has 6 values, expected 4");
  small_write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/spacedim", 2, (int32_t[]){2, 2});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "spacedim has 2 values, expected 1");
}

static void test_wrong_types(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W/i", 6, small_x);
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "fclib_local/W/i holds reals of 8 bytes, expected integers");
  small_write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/vectors/mu", 2, small_row);
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "fclib_local/vectors/mu holds integers of 4 bytes, expected IEEE reals");
  small_write_local(PATH);
  h5_edit_group(PATH, "fclib_local/vectors/q");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q is a group, expected a dataset");
  small_write_local(PATH);
  h5_edit_reals(PATH, "fclib_local/W", 4, small_q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W is a dataset, expected a group");
  small_write_local(PATH);
  h5_edit_ints(PATH, "fclib_local/info/title", 1, small_row);
  assert_refused(PATH, SLIP_ERROR_FORMAT,
                 "fclib_local/info/title holds integers, expected a string");
}

static void test_wrong_solutions(void **state) {
  (void)state;
  small_write_global(PATH);
  h5_edit_group(PATH, "solution");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/r is missing");
  h5_edit_reals(PATH, "solution/r", 4, small_q);
  h5_edit_reals(PATH, "solution/u", 3, small_q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/u has 3 values, expected 4");
  h5_edit_reals(PATH, "solution/u", 4, small_q);
  h5_edit_reals(PATH, "solution/v", 4, small_q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "solution/v has 4 values, expected 3");
  small_write_local(PATH);
  h5_edit_group(PATH, "guesses");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "guesses/number_of_guesses is missing");
  h5_edit_ints(PATH, "guesses/number_of_guesses", 1, (int32_t[]){INT32_MAX});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "number_of_guesses is 2147483647, but the group has 1");
  h5_edit_ints(PATH, "guesses/number_of_guesses", 1, (int32_t[]){-1});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "number_of_guesses is -1");
  h5_edit_ints(PATH, "guesses/number_of_guesses", 1, (int32_t[]){1});
  assert_refused(PATH, SLIP_ERROR_FORMAT, "guesses/1 is missing");
}

static void test_equalities_and_rolling(void **state) {
  (void)state;
  static const char *const local[] = {"fclib_local/V", "fclib_local/R", "fclib_local/vectors/s"};
  static const char *const global[] = {"fclib_global/G", "fclib_global/vectors/b"};
  for (size_t k = 0; k < 3; k++) {
    small_write_local(PATH);
    h5_edit_group(PATH, local[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, local[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, "equality constraints");
  }
  for (size_t k = 0; k < 2; k++) {
    small_write_global(PATH);
    h5_edit_group(PATH, global[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, global[k]);
    assert_refused(PATH, SLIP_ERROR_FORMAT, "equality constraints");
  }
  small_write_local(PATH);
  h5_edit_remove(PATH, "fclib_local");
  h5_edit_group(PATH, "fclib_global_rolling");
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_global_rolling/vectors");
}

/* A file of some kilobytes must not cost more memory than it can hold data. */
static void test_announced_but_not_there(void **state) {
  (void)state;
  small_write_local(PATH);
  h5_edit_announce(PATH, "fclib_local/vectors/mu", 1LL << 40);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/mu has 1099511627776 values");
  h5_edit_announce(PATH, "fclib_local/vectors/mu", 1 << 29);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q has 4 values, expected 1073741824");
  h5_edit_announce(PATH, "fclib_local/vectors/q", 1 << 30);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q has 1073741824 values that were never");
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, H5P_DEFAULT,
              small_q);
  h5_edit_put(PATH, "fclib_local/vectors/mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 2, H5P_DEFAULT,
              small_mu);
  assert_small_local(PATH);
}

static void test_stored_elsewhere(void **state) {
  (void)state;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, "/etc/passwd", 0, 32);
  small_write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, plist, NULL);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q is stored outside the file");
  H5Pclose(plist);
  for (int external = 0; external < 2; external++) {
    small_write_local(PATH);
    h5_edit_remove(PATH, "fclib_local/vectors/q");
    hid_t file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
    if (external)
      H5Lcreate_external(PATH, "/fclib_local/W/x", file, "fclib_local/vectors/q", H5P_DEFAULT,
                         H5P_DEFAULT);
    else
      H5Lcreate_soft("/fclib_local/W/x", file, "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_refused(PATH, SLIP_ERROR_FORMAT,
                   external ? "fclib_local/vectors/q is an external link"
                            : "vectors/q is a soft link");
  }
}

static void test_unknown_filter(void **state) {
  (void)state;
  hsize_t chunk = 4;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_fletcher32(plist);
  small_write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, plist,
              small_q);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q is packed with the filter fletcher32 (3)");
  H5Pclose(plist);
}

/* A filter of a plug-in that is not there when the file is read. */
static size_t copy_bytes(unsigned flags, size_t count, const unsigned values[], size_t bytes,
                         size_t *room, void **data) {
  (void)flags, (void)count, (void)values, (void)room, (void)data;
  return bytes;
}

static void test_missing_filter(void **state) {
  (void)state;
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 333, 1, 1, "a plug-in's", NULL, NULL, copy_bytes};
  hsize_t chunk = 4;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  assert_true(H5Zregister(&filter) >= 0);
  assert_true(H5Pset_filter(plist, 333, H5Z_FLAG_MANDATORY, 0, NULL) >= 0);
  small_write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, 4, plist,
              small_q);
  H5Pclose(plist);
  assert_true(H5Zunregister(333) >= 0);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q is packed with the filter a plug-in's (333)");
}

/* Sound values of a kind that no FCLIB file has are called by their names, not damaged. */
static void test_unusual_types(void **state) {
  (void)state;
  hsize_t two = 2;
  hid_t compound = H5Tcreate(H5T_COMPOUND, 16), sequence = H5Tvlen_create(H5T_IEEE_F64LE);
  hid_t array = H5Tarray_create2(H5T_IEEE_F64LE, 1, &two), list = H5Tenum_create(H5T_STD_I32LE);
  hid_t opaque = H5Tcreate(H5T_OPAQUE, 8);
  H5Tinsert(compound, "re", 0, H5T_IEEE_F64LE);
  H5Tinsert(compound, "im", 8, H5T_IEEE_F64LE);
  H5Tenum_insert(list, "zero", &(int32_t){0});
  const struct {
    hid_t type;
    const char *text;
  } kinds[] = {{compound, "compound values"},
               {sequence, "sequences of any length"},
               {array, "arrays"},
               {list, "enumerated values"},
               {opaque, "opaque bytes"},
               {H5T_STD_B8LE, "bit fields"},
               {H5T_STD_REF_OBJ, "references"},
               {H5T_NATIVE_LDOUBLE, "reals that are not IEEE's"}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    char text[96];
    snprintf(text, sizeof text, "fclib_local/vectors/q holds %s", kinds[k].text);
    small_write_local(PATH);
    h5_edit_put(PATH, "fclib_local/vectors/q", kinds[k].type, kinds[k].type, 1, 4, H5P_DEFAULT,
                NULL);
    assert_refused(PATH, SLIP_ERROR_FORMAT, text);
  }
  H5Tclose(compound);
  H5Tclose(sequence);
  H5Tclose(array);
  H5Tclose(list);
  H5Tclose(opaque);
}

static void test_unusual_structure(void **state) {
  (void)state;
  hsize_t four = 4;
  small_write_local(PATH);
  hid_t file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t type = H5Tcopy(H5T_IEEE_F64LE), space = H5Screate_simple(1, &four, NULL);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), order = H5Pcreate(H5P_GROUP_CREATE);
  H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
  H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "fclib_local/vectors/q", type, space, H5P_DEFAULT, H5P_DEFAULT,
                      H5P_DEFAULT));
  H5Tclose(type); /* while it is open, so is the file */
  H5Fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q has a named datatype");
  small_write_local(PATH);
  file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
  H5Pset_virtual(plist, space, "other.hdf5", "q", space);
  H5Dclose(H5Dcreate2(file, "fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, plist,
                      H5P_DEFAULT));
  H5Fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/vectors/q is a virtual dataset");
  small_write_local(PATH);
  file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED);
  H5Gclose(H5Gcreate2(file, "guesses", H5P_DEFAULT, order, H5P_DEFAULT));
  H5Fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "guesses is a group that keeps its links in a newer way");
  H5Pclose(order);
  H5Pclose(plist);
  H5Sclose(space);
}

/* ---- Damaged files ----------------------------------------------------------------------- */

static unsigned char *take_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void test_truncated_anywhere(void **state) {
  (void)state;
  size_t size;
  small_write_global(PATH);
  unsigned char *bytes = take_bytes(PATH, &size);
  for (size_t cut = 0; cut < size; cut += 1 + size / 257) {
    SlipFile *file = (SlipFile *)&file;
    SlipError error;
    unsigned char *exact = malloc(cut > 0 ? cut : 1);
    memcpy(exact, bytes, cut);
    assert_int_equal(slip_file_read_memory("cut", exact, cut, SLIP_WANT_ANY, &file, &error),
                     SLIP_ERROR_FORMAT);
    assert_null(file);
    assert_memory_equal(error.text, "cut: ", 5);
    free(exact);
  }
  free(bytes);
}

/* Whatever byte is changed, the file is read or refused. */
static void test_any_byte_changed(void **state) {
  (void)state;
  size_t size;
  small_write_local(PATH);
  unsigned char *bytes = take_bytes(PATH, &size);
  int refused = 0;
  for (size_t at = 0; at < size; at += 7) {
    unsigned char old = bytes[at];
    bytes[at] = at % 2 ? 0xff : (unsigned char)(old ^ 0x10);
    SlipFile *file = (SlipFile *)&file;
    SlipError error;
    SlipStatus status = slip_file_read_memory("changed", bytes, size, SLIP_WANT_ANY, &file, &error);
    assert_true((status == SLIP_OK) == (file != NULL));
    refused += status != SLIP_OK;
    slip_file_free(file);
    bytes[at] = old;
  }
  assert_true(refused > 100);
  free(bytes);
}

/* A chunk that unpacks to less than it should: HDF5 1.10 reads beyond its memory here. */
static void test_damaged_chunk(void **state) {
  (void)state;
  enum { COUNT = 1024 };
  static double many[COUNT];
  hsize_t chunk = COUNT;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  H5Pset_deflate(plist, 9);
  small_write_local(PATH);
  h5_edit_put(PATH, "fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, COUNT, plist,
              many);
  h5_edit_reals(PATH, "fclib_local/vectors/mu", COUNT / 2, many);
  H5Pclose(plist);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "fclib_local/W is 4 x 4");
  /* Put a stream of 4 values in place of the chunk's. */
  unsigned char short_stream[256];
  uLongf length = sizeof short_stream;
  assert_int_equal(compress(short_stream, &length, (const unsigned char *)many, 32), Z_OK);
  hsize_t at = 0;
  hid_t file = H5Fopen(PATH, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "fclib_local/vectors/q", H5P_DEFAULT);
  assert_true(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &at, length, short_stream) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q: the chunk of value 0 is damaged");
}

static void test_not_hdf5(void **state) {
  (void)state;
  FILE *file = fopen(PATH, "wb");
  fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "is empty");
  file = fopen(PATH, "wb");
  fputs("hello\n", file);
  fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "neither an HDF5 file nor a Siconos text file");
  file = fopen(PATH, "wb");
  fputs("\x89HDF\r\n\x1a\n and no more", file);
  fclose(file);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "damaged or truncated");
  remove(PATH);
  assert_refused(PATH, SLIP_ERROR_FILE, "cannot be opened: No such file");
  assert_refused(".", SLIP_ERROR_FILE, "is a directory");
  assert_refused("/dev/null", SLIP_ERROR_FILE, "is not a regular file");
}

/* Reading must leave the application's HDF5 error handler alone, and not call it. */
static herr_t count_call(hid_t stack, void *data) {
  (void)stack;
  ++*(int *)data;
  return 0;
}

static void test_quiet(void **state) {
  (void)state;
  H5E_auto2_t old, now;
  void *old_data, *now_data;
  int calls = 0;
  small_write_local(PATH);
  h5_edit_group(PATH, "fclib_local/vectors/q");
  H5Eget_auto2(H5E_DEFAULT, &old, &old_data);
  H5Eset_auto2(H5E_DEFAULT, count_call, &calls);
  assert_refused(PATH, SLIP_ERROR_FORMAT, "vectors/q");
  H5Eget_auto2(H5E_DEFAULT, &now, &now_data);
  H5Eset_auto2(H5E_DEFAULT, old, old_data);
  assert_int_equal(calls, 0);
  assert_true(now == count_call && now_data == &calls);
}

static void test_arguments(void **state) {
  (void)state;
  SlipFile *file = (SlipFile *)&file;
  SlipError error;
  assert_int_equal(slip_file_read(NULL, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_ARGUMENT);
  assert_null(file);
  assert_int_equal(slip_file_read(PATH, SLIP_WANT_ANY, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_file_read(PATH, (SlipWantForm)7, &file, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "7"));
  slip_file_free(NULL);
}

/* A long path must not crowd out what is wrong. */
static void test_long_path(void **state) {
  (void)state;
  SlipFile *file;
  SlipError error;
  char path[700];
  memset(path, 'a', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  path[10] = '/';
  assert_int_equal(slip_file_read(path, SLIP_WANT_ANY, &file, &error), SLIP_ERROR_FILE);
  assert_non_null(strstr(error.text, ": cannot be opened: "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_missing_parts),
      cmocka_unit_test(test_wrong_integers),
      cmocka_unit_test(test_wrong_indices),
      cmocka_unit_test(test_wrong_values),
      cmocka_unit_test(test_wrong_lengths),
      cmocka_unit_test(test_wrong_types),
      cmocka_unit_test(test_wrong_solutions),
      cmocka_unit_test(test_equalities_and_rolling),
      cmocka_unit_test(test_announced_but_not_there),
      cmocka_unit_test(test_stored_elsewhere),
      cmocka_unit_test(test_unknown_filter),
      cmocka_unit_test(test_missing_filter),
      cmocka_unit_test(test_unusual_types),
      cmocka_unit_test(test_unusual_structure),
      cmocka_unit_test(test_truncated_anywhere),
      cmocka_unit_test(test_any_byte_changed),
      cmocka_unit_test(test_damaged_chunk),
      cmocka_unit_test(test_not_hdf5),
      cmocka_unit_test(test_quiet),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_long_path),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(PATH);
  return failed;
}
