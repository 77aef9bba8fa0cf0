#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "io/h5_dataset.h"

/* Room for one chunk: as stored, and twice unpacked since each filter needs a target. */
typedef struct Unpacker {
  const SlipiH5Dataset *dataset;
  size_t bytes; /* of an unpacked chunk */
  unsigned char *stored;
  size_t stored_room;
  unsigned char *front, *back;
} Unpacker;

static bool unpacker_start(Unpacker *unpacker, const SlipiH5Dataset *dataset) {
  *unpacker = (Unpacker){.dataset = dataset, .bytes = (size_t)dataset->chunk * dataset->size};
  unpacker->front = malloc(unpacker->bytes);
  unpacker->back = malloc(unpacker->bytes);
  return unpacker->front && unpacker->back;
}

static void unpacker_free(Unpacker *unpacker) {
  free(unpacker->stored);
  free(unpacker->front);
  free(unpacker->back);
}

/* Bytes of equal significance stand together in a shuffled chunk; a tail shorter than a value
 * is as it was. */
static void unshuffle(const unsigned char *from, unsigned char *to, size_t bytes, size_t size) {
  size_t count = bytes / size;
  for (size_t b = 0; b < size; b++)
    for (size_t k = 0; k < count; k++)
      to[k * size + b] = from[b * count + k];
  memcpy(to + count * size, from + count * size, bytes - count * size);
}

static void swap(Unpacker *unpacker) {
  unsigned char *front = unpacker->front;
  unpacker->front = unpacker->back;
  unpacker->back = front;
}

/* Undo the filters of one chunk, last first; the result is in front. */
static bool undo_filters(Unpacker *unpacker, size_t stored, uint32_t skipped) {
  const SlipiH5Dataset *dataset = unpacker->dataset;
  bool packed = true; /* the bytes are still in `stored` */
  for (int k = dataset->filter_count - 1; k >= 0; k--) {
    if (skipped >> k & 1)
      continue;
    const unsigned char *from = packed ? unpacker->stored : unpacker->front;
    size_t length = packed ? stored : unpacker->bytes;
    if (dataset->filter[k] == H5Z_FILTER_DEFLATE) {
      uLongf unpacked = unpacker->bytes;
      if (uncompress(unpacker->back, &unpacked, from, length) != Z_OK ||
          unpacked != unpacker->bytes)
        return false;
    } else {
      if (length != unpacker->bytes)
        return false;
      unshuffle(from, unpacker->back, length, dataset->shuffle_size);
    }
    swap(unpacker);
    packed = false;
  }
  if (packed) {
    if (stored != unpacker->bytes)
      return false;
    memcpy(unpacker->front, unpacker->stored, stored);
  }
  return true;
}

static SlipStatus read_chunk(Unpacker *unpacker, hsize_t at, SlipError *error) {
  const SlipiH5Dataset *dataset = unpacker->dataset;
  unsigned skipped = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t stored = 0;
  if (H5Dget_chunk_info_by_coord(dataset->id, &at, &skipped, &address, &stored) < 0)
    return slipi_fail(error, slipi_h5_status(), "%s: the chunk of value %llu cannot be found",
                      dataset->path, (unsigned long long)at);
  if (address == HADDR_UNDEF || stored == 0 || stored > dataset->h5->bytes)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: the chunk of value %llu is missing",
                      dataset->path, (unsigned long long)at);
  if (stored > unpacker->stored_room) {
    free(unpacker->stored);
    unpacker->stored_room = 0;
    unpacker->stored = malloc(stored);
    if (!unpacker->stored)
      return slipi_fail_memory(error, dataset->path);
    unpacker->stored_room = stored;
  }
  uint32_t mask = 0;
  if (H5Dread_chunk(dataset->id, H5P_DEFAULT, &at, &mask, unpacker->stored) < 0)
    return slipi_fail(error, slipi_h5_status(), "%s: the chunk of value %llu cannot be read",
                      dataset->path, (unsigned long long)at);
  if (!undo_filters(unpacker, stored, mask))
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "%s: the chunk of value %llu is damaged (its %llu bytes do not unpack to "
                      "%zu)",
                      dataset->path, (unsigned long long)at, (unsigned long long)stored,
                      unpacker->bytes);
  return SLIP_OK;
}

SlipStatus slipi_h5_unpack(const SlipiH5Dataset *dataset, int64_t count, unsigned char *values,
                           SlipError *error) {
  Unpacker unpacker;
  SlipStatus status = SLIP_OK;
  if (!unpacker_start(&unpacker, dataset))
    status = slipi_fail_memory(error, dataset->path);
  for (uint64_t at = 0; status == SLIP_OK && at < (uint64_t)count; at += dataset->chunk) {
    status = read_chunk(&unpacker, at, error);
    uint64_t left = (uint64_t)count - at;
    uint64_t used = left < dataset->chunk ? left : dataset->chunk;
    if (status == SLIP_OK && unpacker.front)
      memcpy(values + at * dataset->size, unpacker.front, used * dataset->size);
  }
  unpacker_free(&unpacker);
  return status;
}
