/* Half-edges: the two sides of an edge, as the faces beside it see it, find each other by sorting.
 */
#ifndef SLIPI_GEOM_HALVES_H
#define SLIPI_GEOM_HALVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* An edge between two vertices, named by the lesser first; `owner` says whose it is. */
typedef struct SlipiHalf {
  int32_t low, high, owner;
  bool back; /* the owner goes from high to low */
} SlipiHalf;

static inline SlipiHalf slipi_half(int32_t from, int32_t to, int32_t owner) {
  return from < to ? (SlipiHalf){from, to, owner, false} : (SlipiHalf){to, from, owner, true};
}

static inline bool slipi_half_same_edge(const SlipiHalf *a, const SlipiHalf *b) {
  return a->low == b->low && a->high == b->high;
}

static inline int slipi_half_compare(const void *a, const void *b) {
  const SlipiHalf *left = a, *right = b;
  if (left->low != right->low)
    return left->low < right->low ? -1 : 1;
  if (left->high != right->high)
    return left->high < right->high ? -1 : 1;
  if (left->back != right->back)
    return right->back ? -1 : 1;
  return (left->owner > right->owner) - (left->owner < right->owner);
}

/* By edge, then those that go from low to high, then by owner. */
static inline void slipi_halves_sort(SlipiHalf *halves, int32_t count) {
  qsort(halves, (size_t)count, sizeof *halves, slipi_half_compare);
}

#endif
