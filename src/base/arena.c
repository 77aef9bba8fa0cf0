#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

typedef struct SlipiArenaBlock {
  struct SlipiArenaBlock *next;
} Block;

void *slipi_arena_alloc(SlipiArena *arena, size_t count, size_t size) {
  if (arena->failed)
    return NULL;
  if (size != 0 && count > (SIZE_MAX - 2 * ALIGN) / size) {
    arena->failed = true;
    return NULL;
  }
  /* One line for the header keeps the payload aligned. */
  size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN + ALIGN;
  char *raw = aligned_alloc(ALIGN, bytes);
  if (!raw) {
    arena->failed = true;
    return NULL;
  }
  memset(raw, 0, bytes);
  Block *block = (Block *)raw;
  block->next = arena->blocks;
  arena->blocks = block;
  return raw + ALIGN;
}

void *slipi_arena_copy(SlipiArena *arena, const void *from, size_t count, size_t size) {
  void *to = slipi_arena_alloc(arena, count, size);
  if (to && count * size != 0)
    memcpy(to, from, count * size);
  return to;
}

void slipi_arena_free(SlipiArena *arena) {
  Block *block = arena->blocks;
  while (block) {
    Block *next = block->next;
    free(block);
    block = next;
  }
  arena->blocks = NULL;
  arena->failed = false;
}
