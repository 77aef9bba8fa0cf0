/* Careful reading of HDF5: every dataset's link, type, layout and extent are checked before
 * anything is allocated for it, so that a damaged or hostile file costs a message at most.
 *
 * Only what FCLIB files are made of is followed: hard links, compact, contiguous or chunked
 * storage inside the file, the deflate and shuffle filters, plain integers, IEEE
 * reals and strings. */
#ifndef SLIPI_IO_H5_H
#define SLIPI_IO_H5_H

#include <hdf5.h>

#include "io/io.h"

/* HDF5 prints its error stack unless told otherwise; we tell it so while we work. */
typedef struct SlipiH5Quiet {
  H5E_auto2_t function;
  void *data;
} SlipiH5Quiet;

void slipi_h5_quiet_begin(SlipiH5Quiet *quiet);
void slipi_h5_quiet_end(const SlipiH5Quiet *quiet);

/* Deflate never expands more than 1032 times, so data beyond that are not in the file. */
enum { SLIPI_H5_RATIO = 1032, SLIPI_H5_FLOOR = 4096 };

typedef struct SlipiH5 {
  hid_t file;
  uint64_t bytes;  /* length of the file */
  uint64_t budget; /* bytes of data the file may still expand to */
} SlipiH5;

enum { SLIPI_H5_PATH = 64 };

/* An open group; `path` is for messages. */
typedef struct SlipiH5Group {
  SlipiH5 *h5;
  hid_t id;
  char path[SLIPI_H5_PATH];
} SlipiH5Group;

SlipStatus slipi_h5_open_path(SlipiH5 *h5, const char *path, SlipError *error);
SlipStatus slipi_h5_open_memory(SlipiH5 *h5, const void *image, size_t size, SlipError *error);
void slipi_h5_close(SlipiH5 *h5);

/* The status of an HDF5 call that has failed: SLIP_ERROR_MEMORY where its error stack says so,
 * SLIP_ERROR_FORMAT otherwise. */
SlipStatus slipi_h5_status(void);

SlipStatus slipi_h5_root(SlipiH5 *h5, SlipiH5Group *root, SlipError *error);
SlipStatus slipi_h5_has(const SlipiH5Group *group, const char *name, bool *found, SlipError *error);
SlipStatus slipi_h5_group(const SlipiH5Group *parent, const char *name, SlipiH5Group *group,
                          SlipError *error);
/* A group that is not open may be closed too. */
void slipi_h5_group_close(SlipiH5Group *group);

/* A link that exists and stays in this file: soft and external links may lead anywhere. */
SlipStatus slipi_h5_check_link(const SlipiH5Group *group, const char *name, SlipError *error);

/* Whether a link leads to an object of this kind. */
bool slipi_h5_is(const SlipiH5Group *group, const char *name, H5I_type_t kind);

/* Between a group's path and a name in it. */
static inline const char *slipi_h5_separator(const SlipiH5Group *group) {
  return group->path[0] ? "/" : "";
}

/* How many values a dataset must have when `count` are asked for. */
typedef enum SlipiH5Count { SLIPI_H5_EXACTLY, SLIPI_H5_AT_LEAST } SlipiH5Count;

/* How many values there are, and whether they were ever written: libfclib leaves a dataset
 * without values where it is given a NULL vector. Either may be NULL. */
SlipStatus slipi_h5_length(const SlipiH5Group *group, const char *name, int64_t *length,
                           bool *written, SlipError *error);
SlipStatus slipi_h5_int(const SlipiH5Group *group, const char *name, int32_t *value,
                        SlipError *error);
SlipStatus slipi_h5_ints(const SlipiH5Group *group, const char *name, SlipiH5Count rule,
                         int64_t count, SlipiArena *arena, int32_t **values, SlipError *error);
SlipStatus slipi_h5_reals(const SlipiH5Group *group, const char *name, SlipiH5Count rule,
                          int64_t count, SlipiArena *arena, double **values, SlipError *error);
/* A string, or NULL where the group has none of that name. */
SlipStatus slipi_h5_text(const SlipiH5Group *group, const char *name, SlipiArena *arena,
                         char **text, SlipError *error);

#endif
