/* Texts in a trajectory: one, or a list of names of the same length. */
#ifndef SLIPI_RECORD_TEXT_H
#define SLIPI_RECORD_TEXT_H

#include <hdf5.h>

#include "base/arena.h"
#include "base/error.h"

/* NULL is not written. */
SlipStatus slipi_record_put_text(hid_t file, const char *path, const char *text, SlipError *error);
SlipStatus slipi_record_put_names(hid_t file, const char *path, int32_t count,
                                  const char *(*name)(const void *user, int32_t k),
                                  const void *user, SlipError *error);

/* NULL where there is none of that path. */
SlipStatus slipi_record_get_text(hid_t file, const char *path, SlipiArena *arena, const char **text,
                                 SlipError *error);
SlipStatus slipi_record_get_names(hid_t file, const char *path, SlipiArena *arena, int32_t *count,
                                  const char *const **names, SlipError *error);

#endif
