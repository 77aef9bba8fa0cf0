/* Superblock, object headers and groups. */
#include "io/h5_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/h5_walk.h"

enum {
  HEADER_CHUNK_MAX = 1 << 24, /* bytes of a part of an object header */
  HEADER_CHUNKS_MAX = 64,     /* parts of one */
  HEAP_MAX = 1 << 28,         /* bytes of the names of a group */
  LEVEL_MAX = 16,             /* of a B-tree */
  DEPTH_MAX = 3               /* /guesses/1/u */
};

/* ---- Bytes ------------------------------------------------------------------------------- */

static bool read_source(const SlipiH5Source *source, uint64_t at, void *bytes, uint64_t count) {
  if (source->bytes) {
    memcpy(bytes, source->bytes + at, count);
    return true;
  }
  for (uint64_t done = 0; done < count;) {
    ssize_t part =
        pread(source->descriptor, (char *)bytes + done, count - done, (off_t)(at + done));
    if (part == 0 || (part < 0 && errno != EINTR))
      return false;
    done += part > 0 ? (uint64_t)part : 0;
  }
  return true;
}

bool slipi_h5_take(SlipiH5Walk *walk, uint64_t at, void *bytes, uint64_t count, const char *what) {
  if (!slipi_h5_inside(walk, at, count) ||
      !read_source(walk->source, walk->base + at, bytes, count))
    return slipi_h5_damaged(walk, at, what);
  return true;
}

unsigned char *slipi_h5_take_new(SlipiH5Walk *walk, uint64_t at, uint64_t count, const char *what) {
  if (!slipi_h5_inside(walk, at, count)) {
    slipi_h5_damaged(walk, at, what);
    return NULL;
  }
  unsigned char *bytes = malloc(count > 0 ? count : 1);
  if (!bytes) {
    walk->memory = true;
    return NULL;
  }
  if (!slipi_h5_take(walk, at, bytes, count, what)) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

size_t slipi_h5_enter(SlipiH5Walk *walk, const char *name) {
  size_t length = strlen(walk->path);
  snprintf(walk->path + length, sizeof walk->path - length, "%s%.40s", length ? "/" : "", name);
  return length;
}

void slipi_h5_leave(SlipiH5Walk *walk, size_t length) {
  walk->path[length] = '\0';
}

bool slipi_h5_visit(SlipiH5Walk *walk, uint64_t at) {
  if (walk->visits == 0)
    return slipi_h5_damaged(walk, at, "the objects go round in circles");
  walk->visits--;
  return true;
}

/* ---- Object headers ---------------------------------------------------------------------- */

typedef struct Object {
  bool newer; /* of version 2, which has a checksum */
  bool group;
  bool links;          /* a group that keeps links otherwise than in a symbol table */
  uint64_t tree, heap; /* of a group */
  SlipiH5Layout layout;
} Object;

/* Parts of an object header still to be looked at. */
typedef struct Parts {
  int count;
  uint64_t at[HEADER_CHUNKS_MAX], size[HEADER_CHUNKS_MAX];
} Parts;

static bool add_part(SlipiH5Walk *walk, Parts *parts, uint64_t at, uint64_t size) {
  if (parts->count == HEADER_CHUNKS_MAX || size < 8 || size > HEADER_CHUNK_MAX)
    return slipi_h5_damaged(walk, at, "the length of an object header");
  parts->at[parts->count] = at;
  parts->size[parts->count++] = size;
  return true;
}

static bool check_message(SlipiH5Walk *walk, uint64_t at, const unsigned char *message,
                          uint64_t size, Parts *parts, Object *object) {
  enum { CONTINUATION = 0x10, SYMBOL_TABLE = 0x11, ATTRIBUTE = 0x0c, DATATYPE = 0x03 };
  enum { LINK_INFO = 0x02, LINK = 0x06, GROUP_INFO = 0x0a };
  enum { CONSTANT = 1, SHARED = 2, NOT_SHAREABLE = 4, SHAREABLE = 64 };
  unsigned of_attributes = SHARED | NOT_SHAREABLE | SHAREABLE; /* which are not read */
  unsigned type = (unsigned)slipi_h5_number(message, 2), flags = message[4];
  const unsigned char *data = message + 8;
  if (type == DATATYPE && flags & SHARED)
    return slipi_h5_unread(walk, "has a named datatype, kept elsewhere in the file; only a type of "
                                 "its own is read");
  if (flags & ~(CONSTANT | (type == ATTRIBUTE ? of_attributes : 0)) ||
      (flags & SHARED && flags & NOT_SHAREABLE))
    return slipi_h5_damaged(walk, at, "the flags of a message of an object header");
  if (type == LINK_INFO || type == GROUP_INFO || type == LINK) {
    object->links = true;
    return type != LINK || slipi_h5_check_link_message(walk, at, data, size);
  }
  if (type != CONTINUATION && type != SYMBOL_TABLE)
    return slipi_h5_check_message(walk, at, type, data, size, &object->layout);
  if (size < 16)
    return slipi_h5_damaged(walk, at, "a message of an object header");
  if (type == CONTINUATION)
    return add_part(walk, parts, slipi_h5_number(data, 8), slipi_h5_number(data + 8, 8));
  object->group = true;
  object->tree = slipi_h5_number(data, 8);
  object->heap = slipi_h5_number(data + 8, 8);
  return true;
}

static bool check_messages(SlipiH5Walk *walk, uint64_t at, const unsigned char *part,
                           uint64_t length, Parts *parts, Object *object) {
  for (uint64_t done = 0; done < length;) {
    uint64_t left = length - done;
    uint64_t size = left >= 8 ? slipi_h5_number(part + done + 2, 2) : 0;
    if (left < 8 || size > left - 8 || size % 8 != 0)
      return slipi_h5_damaged(walk, at + done, "a message of an object header");
    if (!check_message(walk, at + done, part + done, size, parts, object))
      return false;
    done += 8 + size;
  }
  return true;
}

static bool check_header(SlipiH5Walk *walk, uint64_t at, Object *object) {
  unsigned char start[16];
  Parts parts = {0};
  *object = (Object){.layout.address = SLIPI_H5_NOWHERE};
  if (!slipi_h5_visit(walk, at) || !slipi_h5_take(walk, at, start, 16, "an object header"))
    return false;
  if (memcmp(start, "OHDR", 4) == 0) {
    object->newer = true;
    return true;
  }
  if (start[0] != 1 || slipi_h5_number(start + 2, 2) == 0)
    return slipi_h5_damaged(walk, at, "an object header");
  if (!add_part(walk, &parts, at + 16, slipi_h5_number(start + 8, 4)))
    return false;
  for (int k = 0; k < parts.count; k++) {
    unsigned char *part = slipi_h5_take_new(walk, parts.at[k], parts.size[k], "an object header");
    bool sound = part && slipi_h5_visit(walk, at) &&
                 check_messages(walk, parts.at[k], part, parts.size[k], &parts, object);
    free(part);
    if (!sound)
      return false;
  }
  if (object->links)
    return slipi_h5_unread(walk, "is a group that keeps its links in a newer way (external links, "
                                 "or an order of their own); only plain groups are read");
  return true;
}

/* ---- Groups ------------------------------------------------------------------------------ */

typedef struct Heap {
  uint64_t size;
  unsigned char *names;
} Heap;

/* Free blocks are chained inside the heap's data. */
static bool check_free_list(SlipiH5Walk *walk, uint64_t at, const Heap *heap, uint64_t next) {
  enum { NO_MORE = 1 };
  for (uint64_t steps = 0; next != NO_MORE && next != SLIPI_H5_NOWHERE; steps++) {
    if (heap->size < 16 || next > heap->size - 16 || steps > heap->size / 16)
      return slipi_h5_damaged(walk, at, "the free list of a heap");
    uint64_t size = slipi_h5_number(heap->names + next + 8, 8);
    if (size < 16 || size > heap->size - next)
      return slipi_h5_damaged(walk, at, "the free list of a heap");
    next = slipi_h5_number(heap->names + next, 8);
  }
  return true;
}

static bool take_heap(SlipiH5Walk *walk, uint64_t at, Heap *heap) {
  unsigned char start[32];
  if (!slipi_h5_take(walk, at, start, sizeof start, "the heap of a group"))
    return false;
  heap->size = slipi_h5_number(start + 8, 8);
  if (memcmp(start, "HEAP", 4) != 0 || start[4] != 0 || heap->size == 0 || heap->size > HEAP_MAX)
    return slipi_h5_damaged(walk, at, "the heap of a group");
  heap->names =
      slipi_h5_take_new(walk, slipi_h5_number(start + 24, 8), heap->size, "the heap of a group");
  return heap->names && check_free_list(walk, at, heap, slipi_h5_number(start + 16, 8));
}

/* A name must end inside the heap. */
static bool is_name(const Heap *heap, uint64_t offset) {
  return offset < heap->size && memchr(heap->names + offset, '\0', heap->size - offset) != NULL;
}

static bool check_object(SlipiH5Walk *walk, const unsigned char *entry, uint64_t at, int depth);

/* Of the root group only what is FCLIB's is read. */
static bool is_read(const char *name, int depth) {
  static const char *const known[] = {"fclib_local", "fclib_global", "solution", "guesses"};
  if (depth > 0)
    return depth < DEPTH_MAX;
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    if (strcmp(name, known[k]) == 0)
      return true;
  return false;
}

static bool check_entries(SlipiH5Walk *walk, uint64_t at, const Heap *heap, int depth) {
  enum { ENTRY = 40, LINK = 2 };
  unsigned char start[8], entry[ENTRY];
  if (!slipi_h5_visit(walk, at) || !slipi_h5_take(walk, at, start, 8, "a symbol table"))
    return false;
  uint64_t count = slipi_h5_number(start + 6, 2);
  if (memcmp(start, "SNOD", 4) != 0 || start[4] != 1 || count > 2 * (uint64_t)walk->leaf_k ||
      !slipi_h5_inside(walk, at, 8 + 2 * (uint64_t)walk->leaf_k * ENTRY))
    return slipi_h5_damaged(walk, at, "a symbol table");
  for (uint64_t k = 0; k < count; k++) {
    uint64_t place = at + 8 + k * ENTRY;
    if (!slipi_h5_take(walk, place, entry, ENTRY, "a symbol table"))
      return false;
    uint64_t name = slipi_h5_number(entry, 8), cached = slipi_h5_number(entry + 16, 4);
    if (!is_name(heap, name) || cached > LINK ||
        (cached == LINK && !is_name(heap, slipi_h5_number(entry + 24, 4))))
      return slipi_h5_damaged(walk, place, "an entry of a symbol table");
    if (cached == LINK || !is_read((const char *)heap->names + name, depth))
      continue;
    size_t length = slipi_h5_enter(walk, (const char *)heap->names + name);
    if (!check_object(walk, entry, place, depth + 1))
      return false;
    slipi_h5_leave(walk, length);
  }
  return true;
}

/* level -1: any; nodes below are one level lower. */
static bool check_tree(SlipiH5Walk *walk, uint64_t at, int level, const Heap *heap, int depth) {
  unsigned char start[24];
  if (!slipi_h5_visit(walk, at) || !slipi_h5_take(walk, at, start, sizeof start, "a B-tree"))
    return false;
  uint64_t count = slipi_h5_number(start + 6, 2), most = 2 * (uint64_t)walk->internal_k;
  if (memcmp(start, "TREE", 4) != 0 || start[4] != 0 || start[5] > LEVEL_MAX ||
      (level >= 0 && start[5] != level) || count > most ||
      !slipi_h5_inside(walk, at, 24 + 16 * most + 8))
    return slipi_h5_damaged(walk, at, "a B-tree");
  unsigned char *keys = slipi_h5_take_new(walk, at + 24, 16 * count + 8, "a B-tree");
  bool sound = keys != NULL;
  for (uint64_t k = 0; sound && k <= count; k++) {
    if (!is_name(heap, slipi_h5_number(keys + 16 * k, 8)))
      sound = slipi_h5_damaged(walk, at, "a key of a B-tree");
    else if (k < count) {
      uint64_t child = slipi_h5_number(keys + 16 * k + 8, 8);
      sound = start[5] > 0 ? check_tree(walk, child, start[5] - 1, heap, depth)
                           : check_entries(walk, child, heap, depth);
    }
  }
  free(keys);
  return sound;
}

static bool check_group(SlipiH5Walk *walk, const Object *object, int depth) {
  Heap heap = {0};
  bool sound =
      take_heap(walk, object->heap, &heap) && check_tree(walk, object->tree, -1, &heap, depth);
  free(heap.names);
  return sound;
}

/* The object that an entry of a symbol table leads to. It may repeat where a group's tree and heap
 * are, and HDF5 then believes it. */
static bool check_object(SlipiH5Walk *walk, const unsigned char *entry, uint64_t at, int depth) {
  enum { GROUP = 1 };
  Object object;
  if (!check_header(walk, slipi_h5_number(entry + 8, 8), &object))
    return false;
  if (slipi_h5_number(entry + 16, 4) == GROUP &&
      (!object.group || slipi_h5_number(entry + 24, 8) != object.tree ||
       slipi_h5_number(entry + 32, 8) != object.heap))
    return slipi_h5_damaged(walk, at, "an entry of a symbol table");
  if (object.newer)
    return true;
  return object.group ? check_group(walk, &object, depth)
                      : slipi_h5_check_layout(walk, slipi_h5_number(entry + 8, 8), &object.layout);
}

/* ---- The superblock ---------------------------------------------------------------------- */

bool slipi_h5_find(const SlipiH5Source *source, uint64_t *at) {
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  for (uint64_t k = 0; source->size >= 8 && k <= source->size - 8; k = k ? 2 * k : 512) {
    unsigned char bytes[8];
    if (read_source(source, k, bytes, 8) && memcmp(bytes, signature, 8) == 0) {
      if (at)
        *at = k;
      return true;
    }
  }
  return false;
}

static bool check_superblock(SlipiH5Walk *walk) {
  unsigned char start[28], rest[72];
  if (!slipi_h5_find(walk->source, &walk->base))
    return slipi_h5_damaged(walk, 0, "there is no superblock");
  walk->end = walk->source->size - walk->base;
  walk->visits = walk->end / 16 + 16;
  if (!slipi_h5_take(walk, 0, start, sizeof start, "the superblock"))
    return false;
  unsigned version = start[8];
  if (version > 1) /* with a checksum, as is all that follows */
    return true;
  uint64_t extra = version == 1 ? 4 : 0;
  walk->leaf_k = (uint32_t)slipi_h5_number(start + 16, 2);
  walk->internal_k = (uint32_t)slipi_h5_number(start + 18, 2);
  walk->chunk_k = version == 1 ? (uint32_t)slipi_h5_number(start + 24, 2) : 32;
  if ((start[13] == 4 && start[14] == 4) || (start[13] == 2 && start[14] == 2))
    return slipi_h5_unread(walk, "has addresses of less than 8 bytes; files are read that have 8");
  if (start[13] != 8 || start[14] != 8 || walk->leaf_k == 0 || walk->internal_k == 0 ||
      walk->chunk_k == 0 || !slipi_h5_take(walk, 24 + extra, rest, sizeof rest, "the superblock"))
    return slipi_h5_damaged(walk, 0, "the superblock");
  uint64_t end = slipi_h5_number(rest + 16, 8);
  unsigned char driver[16];
  if (slipi_h5_number(rest + 24, 8) != SLIPI_H5_NOWHERE &&
      slipi_h5_take(walk, slipi_h5_number(rest + 24, 8), driver, sizeof driver, "the superblock") &&
      (memcmp(driver + 8, "NCSAfami", 8) == 0 || memcmp(driver + 8, "NCSAmult", 8) == 0))
    return slipi_h5_unread(walk, "is one of several files that belong together (HDF5's family or "
                                 "multi driver); only whole files are read");
  if (slipi_h5_number(rest, 8) != walk->base || (end != walk->end && end != walk->source->size) ||
      slipi_h5_number(rest + 24, 8) != SLIPI_H5_NOWHERE)
    return slipi_h5_damaged(walk, 24 + extra, "the superblock");
  return check_object(walk, rest + 32, 24 + extra + 32, 0);
}

SlipStatus slipi_h5_check(const SlipiH5Source *source, SlipError *error) {
  SlipiH5Walk walk = {.source = source, .what = "the file"};
  if (check_superblock(&walk))
    return SLIP_OK;
  if (walk.memory)
    return slipi_fail_memory(error, "the structure of the file");
  if (walk.unread)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s%s%s", walk.path, walk.path[0] ? " " : "",
                      walk.what);
  return slipi_fail(error, SLIP_ERROR_FORMAT,
                    "is a damaged or truncated HDF5 file (%s, at byte %llu)", walk.what,
                    (unsigned long long)(walk.base + walk.damage));
}
