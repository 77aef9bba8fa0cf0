/* Datasets that grow by rows, written through a buffer.
 *
 * HDF5 takes tens of microseconds to extend a dataset and write to it, as long as a step of a small
 * scene takes: rows are gathered in memory and written many at a time. */
#ifndef SLIPI_RECORD_COLUMN_H
#define SLIPI_RECORD_COLUMN_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/error.h"

typedef enum SlipiColumnType {
  SLIPI_COLUMN_REAL,  /* double */
  SLIPI_COLUMN_FLOAT, /* of four bytes */
  SLIPI_COLUMN_INT32,
  SLIPI_COLUMN_INT64,
  SLIPI_COLUMN_UINT64,
  SLIPI_COLUMN_BYTE
} SlipiColumnType;

typedef struct SlipiColumn {
  const char *path; /* "/bodies/position" */
  SlipiColumnType type;
  int tail;          /* extents after the first: 0, 1 or 2 */
  hsize_t extent[2]; /* these */
  hid_t dataset;     /* 0: not there */
  hsize_t rows;      /* in the file */
  size_t row;        /* bytes */
  unsigned char *buffer;
  int64_t held, capacity; /* rows in the buffer */
} SlipiColumn;

/* Create the dataset, empty; groups in the path are made as needed. */
SlipStatus slipi_column_create(hid_t file, SlipiColumn *column, SlipError *error);
/* Open it in a file that is there, and look whether type and extents are as expected: extents of 0
 * in the column are filled in. */
SlipStatus slipi_column_open(hid_t file, SlipiColumn *column, SlipError *error);
void slipi_column_close(SlipiColumn *column);

SlipStatus slipi_column_push(SlipiColumn *column, const void *rows, int64_t count,
                             SlipError *error);
/* Write the buffer and tell HDF5 to bring the dataset to the disk. */
SlipStatus slipi_column_flush(SlipiColumn *column, SlipError *error);

/* Rows first to first + count - 1 of a dataset, as they are in memory. */
SlipStatus slipi_column_read(const SlipiColumn *column, hsize_t first, hsize_t count, void *rows,
                             SlipError *error);

#endif
