/* Pairs of boxes while they are found, by several threads, and then in order.
 *
 * A search is cut into pieces, which write the pairs they find to pages of a common pool; which
 * page a piece gets is up to chance, and the sort at the end takes that out again. */
#ifndef SLIPI_GEOM_BROAD_POOL_H
#define SLIPI_GEOM_BROAD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/team.h"

/* Memory that grows with room to spare; what it held is not kept. */
typedef struct SlipiMemory {
  void *at;
  size_t bytes;
} SlipiMemory;

/* NULL where there is none. */
void *slipi_memory_reserve(SlipiMemory *memory, size_t count, size_t size);

typedef struct SlipiPool {
  SlipiMemory page_memory, used_memory, first_memory, pair_memory;
  int32_t *page, *page_used;
  int64_t pages;         /* in the pool */
  _Atomic int64_t taken; /* pages that were asked for */
  int64_t *first;        /* of a box: where its pairs begin */
  int32_t *pairs;
} SlipiPool;

void slipi_pool_free(SlipiPool *pool);

/* Where a piece writes; a page that the pool does not have is counted, and filled in vain. */
typedef struct SlipiPage {
  SlipiPool *pool;
  int64_t number;
  int32_t used;
} SlipiPage;

static inline SlipiPage slipi_page_open(SlipiPool *pool) {
  return (SlipiPage){pool, -1, 0};
}
void slipi_page_add(SlipiPage *page, int32_t a, int32_t b);
void slipi_page_close(const SlipiPage *page);

/* Let `search` write the pairs of each piece to a page; a second time where the pool was too
 * small. */
bool slipi_pool_fill(SlipiPool *pool, SlipiTeam *team, int32_t pieces,
                     void (*search)(void *user, int32_t piece), void *user);

/* The pairs of `boxes` boxes by the first, then by the second. */
bool slipi_pool_sort(SlipiPool *pool, SlipiTeam *team, int32_t boxes, const int32_t **pairs,
                     int64_t *count);

#endif
