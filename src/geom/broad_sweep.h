/* Which of a few boxes overlap: a sweep along the axis on which they lie furthest apart.
 *
 * Boxes are sorted by their low corner on that axis, and each is compared with those that begin
 * before it ends. That is a number of comparisons that grows with the square of the boxes, but each
 * is a handful of instructions without a branch, where a grid has some hundreds a box. */
#ifndef SLIPI_GEOM_BROAD_SWEEP_H
#define SLIPI_GEOM_BROAD_SWEEP_H

#include "geom/broad_pool.h"

/* With so many, all in one place, a sweep takes about as long as a grid where they are apart. */
enum { SLIPI_SWEEP_MOST = 1024 };

/* Boxes in the order of the last call, which the next one begins with: they move little between
 * two. */
typedef struct SlipiSweepOrder {
  SlipiMemory keys, rows, hits;
  int32_t count; /* 0: none yet */
} SlipiSweepOrder;

void slipi_sweep_order_free(SlipiSweepOrder *order);

/* As slipi_broad_pairs, the pairs to the pool. */
bool slipi_broad_sweep(SlipiSweepOrder *order, SlipiPool *pool, int32_t count, const double *low,
                       const double *high, const int32_t *group, const uint8_t *still);

#endif
