/* One open dataset and the unpacking of its chunks. */
#ifndef SLIPI_IO_H5_DATASET_H
#define SLIPI_IO_H5_DATASET_H

#include "io/h5.h"

enum { SLIPI_H5_FILTERS = 4 };

typedef struct SlipiH5Dataset {
  SlipiH5 *h5;
  hid_t id, type;
  int64_t length; /* in values */
  size_t size;    /* bytes of a value in the file */
  bool written;   /* false: an extent to which no value was ever given */
  bool chunked;
  hsize_t chunk; /* values in a chunk */
  int filter_count;
  H5Z_filter_t filter[SLIPI_H5_FILTERS];
  size_t shuffle_size;          /* of the shuffle filter */
  char path[2 * SLIPI_H5_PATH]; /* for messages */
} SlipiH5Dataset;

/* The first `count` values of a chunked dataset, in the file's type. We undo the filters
 * ourselves: HDF5 trusts a damaged chunk to unpack to its full size. */
SlipStatus slipi_h5_unpack(const SlipiH5Dataset *dataset, int64_t count, unsigned char *values,
                           SlipError *error);

#endif
