/* The messages of a dataset's object header, and its chunks. */
#include <stdlib.h>

#include "io/h5_walk.h"

enum { RANK_MAX = 32, LEVEL_MAX = 16, COLLECTION_MAX = 1 << 28, TEXT_MAX = 1 << 20 };

static bool wrong(SlipiH5Walk *walk, uint64_t at, const char *what) {
  return slipi_h5_damaged(walk, at, what);
}

/* Extents beyond these cannot be in a file and would overflow when multiplied. */
#define EXTENT_MAX ((uint64_t)1 << 40)

static bool check_dataspace(SlipiH5Walk *walk, uint64_t at, const unsigned char *data,
                            uint64_t size) {
  enum { MAXIMUM = 1, SIMPLE = 1, NOTHING = 2 };
  unsigned version = size >= 4 ? data[0] : 0, rank = size >= 4 ? data[1] : 0;
  uint64_t start = version == 1 ? 8 : 4;
  if ((version != 1 && version != 2) || rank > RANK_MAX || data[2] & ~(unsigned)MAXIMUM ||
      size < start || (size - start) / 8 < rank * (1 + (uint64_t)(data[2] & MAXIMUM)))
    return wrong(walk, at, "a dataspace");
  if (version == 2 && (data[3] > NOTHING || (data[3] == SIMPLE) != (rank > 0)))
    return wrong(walk, at, "a dataspace");
  for (unsigned k = 0; k < rank; k++) {
    uint64_t extent = slipi_h5_number(data + start + 8 * (uint64_t)k, 8);
    if (extent > EXTENT_MAX ||
        (data[2] & MAXIMUM && slipi_h5_number(data + start + 8 * (uint64_t)(rank + k), 8) < extent))
      return wrong(walk, at, "a dataspace");
  }
  return true;
}

/* Kinds of types that are not read, by their number in the file; NULL where there is none. */
static const char *other_kind(unsigned kind) {
  static const char *const kinds[] = {
      [2] = "holds times; integers, IEEE reals and strings are read",
      [4] = "holds bit fields; integers, IEEE reals and strings are read",
      [5] = "holds opaque bytes; integers, IEEE reals and strings are read",
      [6] = "holds compound values; integers, IEEE reals and strings are read",
      [7] = "holds references; integers, IEEE reals and strings are read",
      [8] = "holds enumerated values; integers, IEEE reals and strings are read",
      [10] = "holds arrays; integers, IEEE reals and strings are read"};
  return kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : NULL;
}

/* Integers, reals and strings, with the properties that follow each. */
static bool check_datatype(SlipiH5Walk *walk, uint64_t at, const unsigned char *data, uint64_t size,
                           bool nested, SlipiH5Layout *layout) {
  enum { INTEGER = 0, REAL = 1, TEXT = 3, VARIABLE = 9 };
  unsigned version = size >= 8 ? data[0] >> 4 : 0, kind = size >= 8 ? data[0] & 15 : 0;
  uint64_t bytes = size >= 8 ? slipi_h5_number(data + 4, 4) : 0;
  if (version < 1 || version > 3 || bytes == 0)
    return wrong(walk, at, "a datatype");
  bool sound = false;
  switch (kind) {
  case INTEGER:
    sound = size >= 12 && bytes <= 16;
    break;
  case REAL: /* with the leading bit of the mantissa implied, in one of two byte orders */
    sound = size >= 20 && bytes <= 16;
    if (sound && (data[1] & 0x70) != 0x20 && (data[1] & 0x8e) == 0)
      return slipi_h5_unread(walk, "holds reals that are not IEEE's of 4 or 8 bytes");
    sound = sound && (data[1] & 0x70) == 0x20;
    break;
  case TEXT:
    sound = bytes <= TEXT_MAX;
    break;
  case VARIABLE:
    if ((data[1] & 15) == 0 && !nested)
      return slipi_h5_unread(walk, "holds sequences of any length; integers, IEEE reals and "
                                   "strings are read");
    layout->text = true;
    sound = !nested && bytes == 16 && check_datatype(walk, at, data + 8, size - 8, true, layout);
    break;
  default:
    return other_kind(kind) ? slipi_h5_unread(walk, other_kind(kind))
                            : wrong(walk, at, "a datatype that is no number and no string");
  }
  return sound || wrong(walk, at, "a datatype");
}

/* The old fill value is a length and a value, the new one has three versions. */
static bool check_fill(SlipiH5Walk *walk, uint64_t at, bool old, const unsigned char *data,
                       uint64_t size) {
  unsigned version = size >= 4 ? data[0] : 0;
  uint64_t start = 0;
  if (old) {
    start = 0;
  } else if ((version == 1 || version == 2) && size >= 4) {
    if (version == 2 && data[3] == 0)
      return true;
    start = 4;
  } else if (version == 3) {
    if (!(data[1] & 32))
      return true;
    start = 2;
  } else {
    return wrong(walk, at, "a fill value");
  }
  if (size < start + 4 || slipi_h5_number(data + start, 4) > size - start - 4)
    return wrong(walk, at, "a fill value");
  return true;
}

static bool check_filters(SlipiH5Walk *walk, uint64_t at, const unsigned char *data,
                          uint64_t size) {
  unsigned version = size >= 2 ? data[0] : 0, count = size >= 2 ? data[1] : 0;
  uint64_t done = version == 1 ? 8 : 2;
  if ((version != 1 && version != 2) || count > RANK_MAX || size < done)
    return wrong(walk, at, "a list of filters");
  for (unsigned k = 0; k < count; k++) {
    bool named = version == 1 || (size - done >= 2 && slipi_h5_number(data + done, 2) >= 256);
    uint64_t start = named ? 8 : 6;
    if (size - done < start)
      return wrong(walk, at, "a list of filters");
    uint64_t name = named ? slipi_h5_number(data + done + 2, 2) : 0;
    uint64_t values = slipi_h5_number(data + done + start - 2, 2);
    if (version == 1)
      name = (name + 7) / 8 * 8;
    uint64_t tail = 4 * (values + (version == 1 ? values % 2 : 0));
    if (size - done - start < name + tail || (name > 0 && !memchr(data + done + start, '\0', name)))
      return wrong(walk, at, "a list of filters");
    done += start + name + tail;
  }
  return true;
}

static bool check_chunk_dimensions(SlipiH5Walk *walk, uint64_t at, const unsigned char *data,
                                   uint64_t size, SlipiH5Layout *layout) {
  unsigned rank = size >= 11 ? data[2] : 0;
  if (rank < 2 || rank > RANK_MAX || (size - 11) / 4 < rank)
    return wrong(walk, at, "a chunked layout");
  uint64_t bytes = 1;
  for (unsigned k = 0; k < rank; k++) {
    bytes *= slipi_h5_number(data + 11 + 4 * k, 4);
    if (bytes == 0 || bytes > UINT32_MAX)
      return wrong(walk, at, "a chunked layout");
  }
  layout->chunked = true;
  layout->chunk_rank = rank;
  layout->address = slipi_h5_number(data + 3, 8);
  return true;
}

static bool check_storage(SlipiH5Walk *walk, uint64_t at, const unsigned char *data, uint64_t size,
                          SlipiH5Layout *layout) {
  enum { COMPACT = 0, CONTIGUOUS = 1, CHUNKED = 2, VIRTUAL = 3, OLD = 2, VERSION = 3, NEW = 4 };
  if (size >= 4 && data[0] == NEW && data[1] == VIRTUAL)
    return slipi_h5_unread(walk, "is a virtual dataset; only data in the file itself are read");
  if (size >= 4 && data[0] == NEW && data[1] < VIRTUAL)
    return slipi_h5_unread(walk, "is laid out in a way of HDF5 1.10 that is not read in a file of "
                                 "the older kind");
  if (size >= 4 && data[0] > 0 && data[0] <= OLD && data[2] <= CHUNKED)
    return slipi_h5_unread(walk, "is laid out in the way of HDF5 before 1.6, which is not read");
  if (size < 4 || data[0] != VERSION)
    return wrong(walk, at, "a layout");
  if (data[1] == CHUNKED)
    return check_chunk_dimensions(walk, at, data, size, layout);
  if (data[1] == COMPACT)
    return slipi_h5_number(data + 2, 2) <= size - 4 || wrong(walk, at, "a compact layout");
  if (data[1] != CONTIGUOUS || size < 18)
    return wrong(walk, at, "a layout");
  layout->address = slipi_h5_number(data + 2, 8);
  layout->size = slipi_h5_number(data + 10, 8);
  if (layout->address != SLIPI_H5_NOWHERE && !slipi_h5_inside(walk, layout->address, layout->size))
    return wrong(walk, at, "a contiguous layout");
  return true;
}

bool slipi_h5_check_link_message(SlipiH5Walk *walk, uint64_t at, const unsigned char *data,
                                 uint64_t size) {
  enum { WIDTH = 3, HAS_ORDER = 4, HAS_KIND = 8, HAS_SET = 16, EXTERNAL = 64 };
  unsigned flags = size >= 2 ? data[1] : 0;
  unsigned kind = flags & HAS_KIND && size >= 3 ? data[2] : 0;
  uint64_t width = (uint64_t)1 << (flags & WIDTH), start = 2;
  start += (flags & HAS_KIND ? 1 : 0) + (flags & HAS_ORDER ? 8 : 0) + (flags & HAS_SET ? 1 : 0);
  if (size < start + width || data[0] != 1)
    return wrong(walk, at, "a link");
  uint64_t length = slipi_h5_number(data + start, (int)width);
  if (length == 0 || length > size - start - width)
    return wrong(walk, at, "a link");
  if (kind != EXTERNAL)
    return true;
  char name[SLIPI_H5_WALK_PATH] = "";
  memcpy(name, data + start + width, length < sizeof name ? length : sizeof name - 1);
  slipi_h5_enter(walk, name);
  return slipi_h5_unread(walk, "is an external link; only data in the file itself are read");
}

bool slipi_h5_check_message(SlipiH5Walk *walk, uint64_t at, unsigned type,
                            const unsigned char *data, uint64_t size, SlipiH5Layout *layout) {
  switch (type) {
  case 0x01:
    layout->has_space++;
    return check_dataspace(walk, at, data, size);
  case 0x03:
    layout->has_type++;
    return check_datatype(walk, at, data, size, false, layout);
  case 0x04:
  case 0x05:
    return check_fill(walk, at, type == 0x04, data, size);
  case 0x08:
    layout->has_layout++;
    return check_storage(walk, at, data, size, layout);
  case 0x0b:
    return check_filters(walk, at, data, size);
  case 0x0e: /* times, old and new */
    return size >= 16 || wrong(walk, at, "a time");
  case 0x12:
    return size >= 8 || wrong(walk, at, "a time");
  case 0x07:
    return slipi_h5_unread(walk, "is stored outside the file; only data in the file itself are "
                                 "read");
  case 0x00: /* nothing */
  case 0x0c: /* attribute */
  case 0x0d: /* comment */
    return true;
  default:
    return wrong(walk, at, "a message of unknown type in an object header");
  }
}

/* level -1: any. Keys are a chunk's bytes, filter mask and place; children nodes or chunks. */
static bool check_chunks(SlipiH5Walk *walk, uint64_t at, int level, uint32_t rank) {
  unsigned char start[24];
  if (!slipi_h5_visit(walk, at) || !slipi_h5_take(walk, at, start, sizeof start, "a B-tree"))
    return false;
  uint64_t count = slipi_h5_number(start + 6, 2), most = 2 * (uint64_t)walk->chunk_k;
  uint64_t key = 8 + 8 * (uint64_t)rank;
  if (memcmp(start, "TREE", 4) != 0 || start[4] != 1 || start[5] > LEVEL_MAX ||
      (level >= 0 && start[5] != level) || count > most ||
      !slipi_h5_inside(walk, at, 24 + (key + 8) * most + key))
    return wrong(walk, at, "a B-tree of chunks");
  unsigned char *keys = slipi_h5_take_new(walk, at + 24, (key + 8) * count + key, "a B-tree");
  bool sound = keys != NULL;
  for (uint64_t k = 0; sound && k < count; k++) {
    const unsigned char *place = keys + (key + 8) * k;
    uint64_t child = slipi_h5_number(place + key, 8);
    if (start[5] > 0)
      sound = check_chunks(walk, child, start[5] - 1, rank);
    else if (!slipi_h5_inside(walk, child, slipi_h5_number(place, 4)))
      sound = wrong(walk, at, "the place of a chunk");
  }
  free(keys);
  return sound;
}

/* The collection of strings that a variable-length one is in. */
static bool check_collection(SlipiH5Walk *walk, uint64_t at) {
  unsigned char start[16], object[16];
  if (!slipi_h5_take(walk, at, start, 16, "a collection of strings"))
    return false;
  uint64_t size = slipi_h5_number(start + 8, 8);
  if (memcmp(start, "GCOL", 4) != 0 || start[4] != 1 || size < 4096 || size > COLLECTION_MAX ||
      !slipi_h5_inside(walk, at, size))
    return wrong(walk, at, "a collection of strings");
  for (uint64_t done = 16; size - done >= 16;) {
    if (!slipi_h5_take(walk, at + done, object, 16, "a collection of strings"))
      return false;
    uint64_t index = slipi_h5_number(object, 2), length = slipi_h5_number(object + 8, 8);
    /* Index 0 is the free room, and its length counts the 16 bytes before. */
    if (index == 0)
      return length <= size - done || wrong(walk, at + done, "a collection of strings");
    if (length > size - done - 16)
      return wrong(walk, at + done, "a collection of strings");
    done += 16 + (length + 7) / 8 * 8;
    if (done > size)
      return wrong(walk, at + done, "a collection of strings");
  }
  return true;
}

bool slipi_h5_check_layout(SlipiH5Walk *walk, uint64_t at, const SlipiH5Layout *layout) {
  if (layout->has_space != 1 || layout->has_type != 1 || layout->has_layout != 1)
    return wrong(walk, at, "an object that is neither a group nor a dataset");
  if (layout->address == SLIPI_H5_NOWHERE)
    return true;
  if (layout->chunked)
    return check_chunks(walk, layout->address, -1, layout->chunk_rank);
  if (!layout->text || layout->size == 0)
    return true;
  /* One string: its length, the address of its collection, its index there. */
  unsigned char string[16];
  if (layout->size != sizeof string)
    return wrong(walk, layout->address, "more than one string");
  if (!slipi_h5_take(walk, layout->address, string, sizeof string, "a string"))
    return false;
  uint64_t collection = slipi_h5_number(string + 4, 8);
  return slipi_h5_number(string, 4) == 0 || collection == 0 || check_collection(walk, collection);
}
