#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

/* Small pieces share a chunk: for a problem of a few contacts a call of malloc for each would cost
 * more than to solve it. The first chunk of an arena is one that malloc gives and takes back
 * quickly. Each piece has a block of its own where a test is to fail it, or a sanitizer to see what
 * is written beyond its end. */
#if !defined(SLIPI_ARENA_SEPARATE) && defined(__SANITIZE_ADDRESS__)
#define SLIPI_ARENA_SEPARATE 1
#elif !defined(SLIPI_ARENA_SEPARATE) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLIPI_ARENA_SEPARATE 1
#endif
#endif
#ifndef SLIPI_ARENA_SEPARATE
#define SLIPI_ARENA_SEPARATE 0
#endif
enum { FIRST_CHUNK = 1024, CHUNK = 4096, PIECE_MOST = SLIPI_ARENA_SEPARATE ? 0 : CHUNK / 4 };

typedef struct SlipiArenaBlock {
  struct SlipiArenaBlock *next;
} Block;

static char *add_block(SlipiArena *arena, char *raw, size_t bytes) {
  if (!raw) {
    arena->failed = true;
    return NULL;
  }
  Block *block = (Block *)raw;
  block->next = arena->blocks;
  arena->blocks = block;
  arena->held += bytes;
  size_t over = (uintptr_t)(raw + sizeof(Block)) % ALIGN;
  return raw + sizeof(Block) + (over ? ALIGN - over : 0);
}

static const size_t HALF = (size_t)1 << (4 * sizeof(size_t) - 1);
/* The bytes of a block that are not for pieces. */
enum { HEAD = sizeof(Block) + ALIGN };

static char *chunk_piece(SlipiArena *arena, size_t bytes) {
  if (bytes > arena->left) {
    size_t size = (arena->blocks || bytes > FIRST_CHUNK - HEAD ? CHUNK : FIRST_CHUNK) - HEAD;
    char *chunk = add_block(arena, malloc(size + HEAD), size);
    if (!chunk)
      return NULL;
    arena->kept = false;
    arena->free = chunk;
    arena->left = size;
  }
  char *piece = arena->free;
  arena->free += bytes;
  arena->left -= bytes;
  return piece;
}

/* The bytes of a piece, whole multiples of ALIGN; 0 where they cannot be counted. */
static size_t bytes_of(size_t count, size_t size) {
  /* A division takes longer than all the rest: two numbers of half the bits have a product. */
  bool large = count >= HALF || size >= HALF;
  if (large && size != 0 && count > (SIZE_MAX - HEAD - ALIGN) / size)
    return 0;
  size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
  return bytes > 0 ? bytes : ALIGN;
}

static void *allocate(SlipiArena *arena, size_t count, size_t size, bool zeros) {
  size_t bytes = bytes_of(count, size);
  if (arena->failed || bytes == 0) {
    arena->failed = true;
    return NULL;
  }
  if (bytes <= PIECE_MOST || (arena->kept && bytes <= arena->left)) {
    char *piece = chunk_piece(arena, bytes);
    return piece && zeros ? memset(piece, 0, bytes) : piece;
  }
  /* calloc leaves fresh pages alone: memory that is never used costs nothing. */
  return add_block(arena, zeros ? calloc(1, bytes + HEAD) : malloc(bytes + HEAD), bytes);
}

void *slipi_arena_alloc(SlipiArena *arena, size_t count, size_t size) {
  return allocate(arena, count, size, true);
}

/* Where each piece is apart, to be looked at by a sanitizer or a test, it is full of NaN: a value
 * that is read before it is written shows. */
void *slipi_arena_raw(SlipiArena *arena, size_t count, size_t size) {
  void *piece = allocate(arena, count, size, false);
  if (piece && SLIPI_ARENA_SEPARATE)
    memset(piece, 0xff, count * size);
  return piece;
}

void *slipi_arena_copy(SlipiArena *arena, const void *from, size_t count, size_t size) {
  void *to = slipi_arena_raw(arena, count, size);
  if (to && count * size != 0)
    memcpy(to, from, count * size);
  return to;
}

/* Room beyond what was held, so that objects that grow little by little seldom ask for more. */
static size_t with_room(size_t held) {
  return (held + held / 4 + ALIGN - 1) / ALIGN * ALIGN;
}

/* One block in place of all; without memory for it the arena is left empty. */
static void merge_blocks(SlipiArena *arena) {
  size_t size = with_room(arena->held);
  slipi_arena_free(arena);
  char *raw = malloc(size + HEAD);
  if (!raw)
    return;
  arena->free = add_block(arena, raw, size);
  arena->left = size;
}

void slipi_arena_reset_blocks(SlipiArena *arena) {
  Block *only = arena->blocks;
  if (!only || SLIPI_ARENA_SEPARATE) {
    slipi_arena_free(arena);
    return;
  }
  if (only->next) {
    merge_blocks(arena);
  } else {
    char *begin = (char *)only + sizeof(Block);
    size_t over = (uintptr_t)begin % ALIGN;
    arena->free = begin + (over ? ALIGN - over : 0);
    arena->left = arena->held;
  }
  arena->kept = arena->blocks != NULL;
  arena->failed = false;
}

void slipi_arena_free_blocks(SlipiArena *arena) {
  Block *block = arena->blocks;
  while (block) {
    Block *next = block->next;
    free(block);
    block = next;
  }
  *arena = (SlipiArena){0};
}
