/* A sweep cut into contiguous chunks of contacts, and the chunks into colours: chunks of one
 * colour have no body (no block of W) in common, so that they may be swept at the same time. The
 * cut depends on the problem alone: who sweeps a chunk changes nothing. */
#ifndef SLIPI_METHODS_COMMON_CHUNKS_H
#define SLIPI_METHODS_COMMON_CHUNKS_H

#include "base/team.h"
#include "contact/graph.h"

/* Contacts from which on sweeps go by chunks, where nothing else is asked for. */
enum { SLIPI_CHUNKS_FROM = 8192 };

typedef struct SlipiChunks {
  int32_t nc, size, count;
  int32_t colours;
  int32_t *list;  /* of chunks, by colour */
  int32_t *start; /* of each colour in the list */
} SlipiChunks;

/* Chunks of `size` contacts; one single chunk when size is 0, or when the colours would be more
 * than a few. */
SlipStatus slipi_chunks_create(const SlipiGraph *graph, int32_t size, SlipiArena *arena,
                               SlipiChunks *chunks, SlipError *error);

/* Call visit(user, pass, chunk) for each chunk, pass after pass, colour after colour; the team may
 * be NULL. */
void slipi_chunks_each(const SlipiChunks *chunks, int passes, SlipiTeam *team,
                       void (*visit)(void *user, int pass, int32_t chunk), void *user);

static inline int32_t slipi_chunk_first(const SlipiChunks *chunks, int32_t chunk) {
  return chunk * chunks->size;
}

static inline int32_t slipi_chunk_end(const SlipiChunks *chunks, int32_t chunk) {
  return chunk + 1 < chunks->count ? (chunk + 1) * chunks->size : chunks->nc;
}

#endif
