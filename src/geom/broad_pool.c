#include "geom/broad_pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  PAGE = 512,  /* pairs */
  PIECE = 2048 /* boxes whose pairs are sorted at a time */
};

void *slipi_memory_reserve(SlipiMemory *memory, size_t count, size_t size) {
  if (count > SIZE_MAX / 2 / size)
    return NULL;
  size_t bytes = count * size;
  if (bytes <= memory->bytes && memory->at)
    return memory->at;
  free(memory->at);
  bytes += bytes / 4 + 64;
  memory->at = malloc(bytes);
  memory->bytes = memory->at ? bytes : 0;
  return memory->at;
}

void slipi_pool_free(SlipiPool *pool) {
  free(pool->page_memory.at);
  free(pool->used_memory.at);
  free(pool->first_memory.at);
  free(pool->pair_memory.at);
}

/* ---- Finding ---- */

void slipi_page_close(const SlipiPage *page) {
  if (page->number >= 0 && page->number < page->pool->pages)
    page->pool->page_used[page->number] = page->used;
}

void slipi_page_add(SlipiPage *page, int32_t a, int32_t b) {
  if (page->number < 0 || page->used == PAGE) {
    slipi_page_close(page);
    page->number = atomic_fetch_add(&page->pool->taken, 1);
    page->used = 0;
  }
  if (page->number < page->pool->pages) {
    int32_t *pair = page->pool->page + 2 * (page->number * PAGE + page->used);
    pair[0] = a < b ? a : b;
    pair[1] = a < b ? b : a;
  }
  page->used++;
}

bool slipi_pool_fill(SlipiPool *pool, SlipiTeam *team, int32_t pieces,
                     void (*search)(void *user, int32_t piece), void *user) {
  int64_t wish = (int64_t)(pool->page_memory.bytes / (2 * PAGE * sizeof(int32_t)));
  for (int64_t pages = wish > pieces ? wish : pieces;; pages = atomic_load(&pool->taken)) {
    pool->pages = pages;
    pool->page =
        slipi_memory_reserve(&pool->page_memory, (size_t)pages, 2 * PAGE * sizeof(int32_t));
    pool->page_used = slipi_memory_reserve(&pool->used_memory, (size_t)pages, sizeof(int32_t));
    if (!pool->page || !pool->page_used)
      return false;
    atomic_store(&pool->taken, 0);
    slipi_team_each(team, pieces, search, user);
    if (atomic_load(&pool->taken) <= pages)
      return true;
  }
}

/* ---- In order ---- */

static void sift(int32_t *pairs, int64_t at, int64_t count) {
  int32_t value = pairs[2 * at + 1];
  for (int64_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && pairs[2 * child + 3] > pairs[2 * child + 1])
      child++;
    if (pairs[2 * child + 1] <= value)
      break;
    pairs[2 * at + 1] = pairs[2 * child + 1];
  }
  pairs[2 * at + 1] = value;
}

/* Pairs of one first box by the second: a heap for the floor under all others. */
static void sort_run(int32_t *pairs, int64_t count) {
  if (count <= 32) {
    for (int64_t k = 1; k < count; k++) {
      int32_t value = pairs[2 * k + 1];
      int64_t at = k;
      for (; at > 0 && pairs[2 * at - 1] > value; at--)
        pairs[2 * at + 1] = pairs[2 * at - 1];
      pairs[2 * at + 1] = value;
    }
    return;
  }
  for (int64_t k = count / 2 - 1; k >= 0; k--)
    sift(pairs, k, count);
  for (int64_t end = count - 1; end > 0; end--) {
    int32_t most = pairs[1];
    pairs[1] = pairs[2 * end + 1];
    pairs[2 * end + 1] = most;
    sift(pairs, 0, end);
  }
}

typedef struct Sort {
  const SlipiPool *pool;
  int32_t boxes;
} Sort;

static void sort_piece(void *user, int32_t piece) {
  const Sort *sort = user;
  const int64_t *first = sort->pool->first;
  int32_t end = sort->boxes - piece * PIECE > PIECE ? (piece + 1) * PIECE : sort->boxes;
  for (int32_t box = piece * PIECE; box < end; box++)
    sort_run(sort->pool->pairs + 2 * first[box], first[box + 1] - first[box]);
}

/* A counting sort by the first box. first[b + 1] is first the end of the pairs of b - 1, that is
 * the next free place of b, and has become the end of b when all are placed. */
bool slipi_pool_sort(SlipiPool *pool, SlipiTeam *team, int32_t boxes, const int32_t **pairs,
                     int64_t *count) {
  int64_t pages = atomic_load(&pool->taken), *first;
  first = pool->first = slipi_memory_reserve(&pool->first_memory, (size_t)boxes + 2, sizeof *first);
  if (!first)
    return false;
  memset(first, 0, ((size_t)boxes + 2) * sizeof *first);
  for (int64_t page = 0; page < pages; page++)
    for (int64_t k = page * PAGE; k < page * PAGE + pool->page_used[page]; k++)
      first[pool->page[2 * k] + 2]++;
  for (int64_t box = 2; box < (int64_t)boxes + 2; box++)
    first[box] += first[box - 1];
  int64_t all = first[boxes + 1];
  pool->pairs = slipi_memory_reserve(&pool->pair_memory, (size_t)all, 2 * sizeof(int32_t));
  if (!pool->pairs)
    return false;
  for (int64_t page = 0; page < pages; page++)
    for (int64_t k = page * PAGE; k < page * PAGE + pool->page_used[page]; k++) {
      const int32_t *pair = pool->page + 2 * k;
      memcpy(pool->pairs + 2 * first[pair[0] + 1]++, pair, 2 * sizeof *pair);
    }
  Sort sort = {pool, boxes};
  slipi_team_each(team, boxes / PIECE + (boxes % PIECE != 0), sort_piece, &sort);
  *pairs = pool->pairs;
  *count = all;
  return true;
}
