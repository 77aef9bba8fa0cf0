/* Data and functions that the check of groups and that of datasets share; see h5_check.h. Addresses
 * are those of the file format: relative to the superblock. */
#ifndef SLIPI_IO_H5_WALK_H
#define SLIPI_IO_H5_WALK_H

#include <string.h>

#include "io/h5_check.h"

enum { SLIPI_H5_WALK_PATH = 96 };

#define SLIPI_H5_NOWHERE UINT64_MAX /* the undefined address */

typedef struct SlipiH5Walk {
  const SlipiH5Source *source;
  uint64_t base, end;                   /* of the superblock; length from there */
  uint32_t leaf_k, internal_k, chunk_k; /* half the entries a node holds */
  uint64_t visits;                      /* nodes and headers that may still be looked at */
  bool memory;                          /* an allocation failed */
  uint64_t damage;                      /* the address of the first damage, */
  const char *what;                     /* and what is wrong there; NULL: nothing */
  bool unread;                          /* the file is sound, but of a kind that is not read */
  char path[SLIPI_H5_WALK_PATH];        /* of the object that is looked at, for messages */
} SlipiH5Walk;

/* The path goes down to a member of a group, and back up to the length it returns. */
size_t slipi_h5_enter(SlipiH5Walk *walk, const char *name);
void slipi_h5_leave(SlipiH5Walk *walk, size_t length);

/* A dataset as its object header describes it. */
typedef struct SlipiH5Layout {
  int has_space, has_type, has_layout; /* messages of each kind */
  bool text;                           /* variable-length strings */
  bool chunked;
  uint32_t chunk_rank; /* one more than the dataset's */
  uint64_t address, size;
} SlipiH5Layout;

static inline bool slipi_h5_damaged(SlipiH5Walk *walk, uint64_t at, const char *what) {
  walk->damage = at;
  walk->what = what;
  return false;
}

/* `what` goes on from the object's path: "is an external link; ...". */
static inline bool slipi_h5_unread(SlipiH5Walk *walk, const char *what) {
  walk->unread = true;
  walk->what = what;
  return false;
}

/* Copy bytes out of the file, or take note that they are not all there. */
bool slipi_h5_take(SlipiH5Walk *walk, uint64_t at, void *bytes, uint64_t count, const char *what);
/* The same into new memory, to be freed. */
unsigned char *slipi_h5_take_new(SlipiH5Walk *walk, uint64_t at, uint64_t count, const char *what);
/* Count a visit: a sound file of this length has no more objects. */
bool slipi_h5_visit(SlipiH5Walk *walk, uint64_t at);

/* Integers are little-endian. */
static inline uint64_t slipi_h5_number(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int k = count - 1; k >= 0; k--)
    value = value << 8 | bytes[k];
  return value;
}

static inline bool slipi_h5_inside(const SlipiH5Walk *walk, uint64_t at, uint64_t count) {
  return at <= walk->end && count <= walk->end - at;
}

/* A link that stands in a group's object header: external ones lead out of the file. */
bool slipi_h5_check_link_message(SlipiH5Walk *walk, uint64_t at, const unsigned char *data,
                                 uint64_t size);
/* One message of a dataset's object header; `at` is where its `size` bytes `data` are. */
bool slipi_h5_check_message(SlipiH5Walk *walk, uint64_t at, unsigned type,
                            const unsigned char *data, uint64_t size, SlipiH5Layout *layout);
/* Check the storage that the layout of the dataset at `at` leads to, once all its messages have
 * been looked at. */
bool slipi_h5_check_layout(SlipiH5Walk *walk, uint64_t at, const SlipiH5Layout *layout);

#endif
