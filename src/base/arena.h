/* Memory that lives and dies together: an object allocates its arrays from its arena while it is
 * being created and frees it all at once. A failure is remembered, so that a creator asks for
 * everything and checks once. */
#ifndef SLIPI_BASE_ARENA_H
#define SLIPI_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SlipiArena {
  struct SlipiArenaBlock *blocks;
  char *free;  /* the rest of the last chunk of small pieces */
  size_t left; /* bytes */
  size_t held; /* bytes of all blocks */
  bool kept;   /* the chunk is one that a reset has kept: pieces of any size come from it */
  bool failed;
} SlipiArena;

/* count*size zeroed bytes aligned to 64, or NULL when that overflows or memory is out. A count
 * of 0 gives a valid pointer. */
void *slipi_arena_alloc(SlipiArena *arena, size_t count, size_t size);

/* What the two below do with an arena that is not empty. Of the arenas of a solver most are. */
void slipi_arena_free_blocks(SlipiArena *arena);
void slipi_arena_reset_blocks(SlipiArena *arena);

static inline void slipi_arena_free(SlipiArena *arena) {
  if (arena->blocks || arena->failed)
    slipi_arena_free_blocks(arena);
}

/* Forget all pieces and keep the memory, as one chunk, for those of another object of about the
 * same size: an arena that has been reset after it held its largest object allocates no more. */
static inline void slipi_arena_reset(SlipiArena *arena) {
  if (arena->blocks || arena->failed)
    slipi_arena_reset_blocks(arena);
}

/* A piece that is not zeroed: for arrays that are written before they are read. */
void *slipi_arena_raw(SlipiArena *arena, size_t count, size_t size);

/* Copy of count*size bytes. */
void *slipi_arena_copy(SlipiArena *arena, const void *from, size_t count, size_t size);

#define SLIPI_ARENA_NEW(arena, type, count)                                                        \
  ((type *)slipi_arena_alloc((arena), (size_t)(count), sizeof(type)))

#define SLIPI_ARENA_RAW(arena, type, count)                                                        \
  ((type *)slipi_arena_raw((arena), (size_t)(count), sizeof(type)))

#endif
