/* Changing single datasets of an HDF5 file, to make files that are as odd or as wrong as a test
 * needs. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_H5_EDIT_H
#define SLIPCONE_TESTS_H5_EDIT_H

#include <hdf5.h>
#include <stdint.h>

/* Replace or add a dataset of `rank` 1 or a scalar (0). A plist of H5P_DEFAULT gives contiguous
 * storage; NULL values give a dataset that was never written. */
void h5_edit_put(const char *path, const char *name, hid_t type, hid_t memory, int rank,
                 int64_t count, hid_t plist, const void *values);
void h5_edit_ints(const char *path, const char *name, int64_t count, const int32_t *values);
void h5_edit_reals(const char *path, const char *name, int64_t count, const double *values);
/* size 0: a variable-length string. */
void h5_edit_text(const char *path, const char *name, size_t size, H5T_str_t pad, const char *text);
/* Real numbers that the file announces, compressed, and does not hold. */
void h5_edit_announce(const char *path, const char *name, int64_t count);
void h5_edit_group(const char *path, const char *name);
void h5_edit_remove(const char *path, const char *name);

#endif
