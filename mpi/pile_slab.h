/* A pile of spheres (gen/pile.h) in slabs: every process lets down the spheres of some rows of each
 * layer, and has of its neighbours' the row beside its own. */
#ifndef SLIPI_MPI_PILE_SLAB_H
#define SLIPI_MPI_PILE_SLAB_H

#include <mpi.h>

#include "gen/pile.h"

/* The rows of one layer that a process has: `own` of them after one row of the process before; one
 * of the next process follows. */
typedef struct SlipiSlabLayer {
  int64_t before;     /* spheres of the whole pile in the layers beneath */
  int32_t start;      /* of what is there, in pile.spheres */
  int32_t width;      /* spheres of a row */
  int32_t first, own; /* rows */
  int32_t kept;       /* own spheres that belong to the pile: all but in the last layer */
} SlipiSlabLayer;

typedef struct SlipiSlab {
  MPI_Comm comm;
  int rank, ranks, active; /* processes that have rows */
  SlipiPile pile;
  SlipiRandom random;
  SlipiSlabLayer *layer; /* by malloc, like the spheres and links of the pile */
  int32_t layers, count; /* spheres that are there, others' too */
  int32_t layer_room, room, link_room;
  int64_t spheres, links; /* of the whole pile */
} SlipiSlab;

/* The slab of a process, with `options` the same on all. Afterwards `random` is where the bodies'
 * numbers begin. To be freed in any case. */
SlipStatus slipi_slab_fill(MPI_Comm comm, const SlipGenerate *options, uint64_t seed,
                           SlipiSlab *slab, SlipError *error);
void slipi_slab_free(SlipiSlab *slab);

/* Index in pile.spheres of an own sphere of a layer, and its number in the order they were let
 * down. */
static inline int32_t slipi_slab_own(const SlipiSlabLayer *layer, int32_t k) {
  return layer->start + layer->width + k;
}

static inline int64_t slipi_slab_sphere(const SlipiSlabLayer *layer, int32_t k) {
  return layer->before + (int64_t)layer->first * layer->width + k;
}

/* Values of `size` bytes for each sphere that is there: those of the neighbours' rows come from
 * them, for the layers from `first` on. */
SlipStatus slipi_slab_exchange(const SlipiSlab *slab, int32_t first, size_t size, void *values,
                               SlipError *error);

/* Draw so many random numbers and forget them. */
void slipi_slab_skip(SlipiRandom *random, int64_t count);

#endif
