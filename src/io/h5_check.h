/* A look at the structure of an HDF5 file before HDF5 itself may see it.
 *
 * HDF5 1.10 takes much of a file on trust: damage in its older structures (version 1 object
 * headers, local heaps, symbol tables, B-trees), which have no checksums, makes it leak, loop or
 * crash. This walks the parts of a file that we read and makes sure that everything is in
 * bounds, of a known kind and without cycles. The newer structures have checksums, which HDF5
 * verifies; they are left to it. */
#ifndef SLIPI_IO_H5_CHECK_H
#define SLIPI_IO_H5_CHECK_H

#include "io/io.h"

/* Bytes in memory, or an open file where `bytes` is NULL. */
typedef struct SlipiH5Source {
  const unsigned char *bytes;
  int descriptor;
  uint64_t size;
} SlipiH5Source;

/* Where HDF5's signature is: at the start or, after a user block, at 512, 1024, 2048, ...
 * False where there is none; `at` may be NULL. */
bool slipi_h5_find(const SlipiH5Source *source, uint64_t *at);

SlipStatus slipi_h5_check(const SlipiH5Source *source, SlipError *error);

#endif
