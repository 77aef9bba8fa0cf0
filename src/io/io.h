/* Functions that the readers and the writer of files share. */
#ifndef SLIPI_IO_IO_H
#define SLIPI_IO_IO_H

#include <stdbool.h>

#include <slipcone/io.h>

#include "base/arena.h"
#include "base/error.h"

/* Which contacts stand for FCLIB's equality constraints: see equalities.h. */
typedef struct SlipiEqualities {
  int32_t dimension;
  int32_t count;    /* of the equalities */
  int32_t first;    /* of the contacts they make up: there are as many before it */
  int32_t contacts; /* in all */
  int32_t *bound;   /* as in SlipLaws, of the contacts from `first` on */
  int32_t *place;   /* of each equality: its component among dimension*contacts */
} SlipiEqualities;

/* A SlipFile with the memory of everything in it but the problem. */
typedef struct SlipiFile {
  SlipFile file; /* first, so that a SlipFile * is a SlipiFile * */
  SlipiEqualities equalities;
  int32_t rolling; /* contacts of an FCLIB file with rolling friction (fclib_rolling.h), or 0 */
  SlipiArena arena;
} SlipiFile;

struct SlipiH5Source; /* of h5_check.h */

/* The readers fill in an empty file; their messages do not name it, the caller does. `source` is
 * the open file, whose structure is looked at first. */
SlipStatus slipi_fclib_read_path(const char *path, const struct SlipiH5Source *source,
                                 SlipWantForm form, SlipiFile *file, SlipError *error);
SlipStatus slipi_fclib_read_memory(const void *image, size_t size, SlipWantForm form,
                                   SlipiFile *file, SlipError *error);
SlipStatus slipi_siconos_read_memory(const char *text, size_t size, SlipWantForm form,
                                     SlipiFile *file, SlipError *error);

/* Where the form asked for is not among those a file holds. */
SlipStatus slipi_file_check_form(const SlipFile *file, SlipWantForm form, SlipError *error);

/* The whole content as an FCLIB file in memory, to be freed with free(). */
SlipStatus slipi_fclib_image(const SlipWrite *content, void **image, size_t *size,
                             SlipError *error);

/* The problem as Siconos text in memory, to be freed with free(). */
SlipStatus slipi_siconos_image(const SlipWrite *content, void **image, size_t *size,
                               SlipError *error);

/* The content of a regular file, to be freed with free(): a zero byte follows it. Empty files and
 * those of more than `most` bytes are refused; messages do not name the file. */
SlipStatus slipi_file_bytes(const char *path, size_t most, char **bytes, size_t *size,
                            SlipError *error);

/* Put "path: " before a message, the end of the path only where it would crowd out the rest. */
void slipi_file_error_prefix(SlipError *error, const char *path);

/* slipi_fail with the meaning of an errno value at the end: "cannot be opened: No such ...". */
SlipStatus slipi_fail_errno(SlipError *error, const char *what, int number);

#endif
