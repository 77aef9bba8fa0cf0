/* A sweep cut into contiguous chunks of contacts, and the chunks into colours: chunks of one
 * colour have no body (no block of W) in common, so that they may be swept at the same time. The
 * cut depends on the problem alone: who sweeps a chunk changes nothing. */
#ifndef SLIPI_CONTACT_CHUNKS_H
#define SLIPI_CONTACT_CHUNKS_H

#include "base/arena.h"
#include "base/team.h"

struct SlipiGraph;
struct SlipiShare;

/* Contacts from which on sweeps go by chunks, where nothing else is asked for, and contacts of a
 * chunk. */
enum { SLIPI_CHUNKS_FROM = 8192, SLIPI_CHUNK = 1024 };

typedef struct SlipiChunks {
  int32_t nc, size, count;
  bool many; /* the problem has more than one, also where this process has not */
  int32_t colours;
  int32_t *list;  /* of chunks, by colour */
  int32_t *start; /* of each colour in the list */
  SlipiNear near; /* of the list: chunks with a body in common; nothing where that is not known */
  const int32_t *inner; /* from here on the chunks of a colour change no body of another process;
                           NULL where there is none */
} SlipiChunks;

/* Chunks of `size` contacts; one single chunk when size is 0, or when the colours would be more
 * than a few. */
SlipStatus slipi_chunks_create(const struct SlipiGraph *graph, int32_t size, SlipiArena *arena,
                               SlipiChunks *chunks, SlipError *error);

/* Find out which chunks have bodies in common, so that threads need not wait for whole colours.
 * Nothing is known where the graph has no bodies. */
SlipStatus slipi_chunks_link(const struct SlipiGraph *graph, SlipiArena *arena, SlipiChunks *chunks,
                             SlipError *error);

/* Colours for chunks, each the first that no neighbour before it has; false where there are too
 * few. Chunk c has the neighbours j[p[c]]..j[p[c + 1] - 1], also those after it, and itself or not.
 */
bool slipi_chunks_colour(int64_t count, const int64_t *p, const int32_t *j, int8_t *colour);

/* Chunks, their colours given, by colour. */
void slipi_chunks_sort(SlipiChunks *chunks, const int8_t *colour);

enum { SLIPI_COLOURS_MOST = 32 };

/* Who works through chunks: threads of a team, which may be NULL, in a process that may share the
 * problem with others; then z is what goes to the others after each colour. */
typedef struct SlipiWorkers {
  SlipiTeam *team;
  const struct SlipiShare *share;
  double *z;
} SlipiWorkers;

/* Call visit(user, pass, chunk) for each chunk, pass after pass, colour after colour. */
void slipi_chunks_each(const SlipiChunks *chunks, int passes, const SlipiWorkers *workers,
                       void (*visit)(void *user, int pass, int32_t chunk), void *user);

static inline int32_t slipi_chunk_first(const SlipiChunks *chunks, int32_t chunk) {
  return chunk * chunks->size;
}

static inline int32_t slipi_chunk_end(const SlipiChunks *chunks, int32_t chunk) {
  return chunk + 1 < chunks->count ? (chunk + 1) * chunks->size : chunks->nc;
}

#endif
