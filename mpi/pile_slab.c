#include "mpi/pile_slab.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/route.h"

void slipi_slab_skip(SlipiRandom *random, int64_t count) {
  for (int64_t k = 0; k < count; k++)
    slipi_random_next(random);
}

void slipi_slab_free(SlipiSlab *slab) {
  free(slab->pile.spheres);
  free(slab->pile.links);
  free(slab->layer);
  slab->pile.spheres = NULL;
  slab->pile.links = NULL;
  slab->layer = NULL;
}

/* ---- Room ---- */

/* Room for more, half as much again where there is too little; false without memory. */
static bool reserve(void **array, int64_t wanted, int32_t *room, size_t size) {
  if (wanted <= *room)
    return true;
  int64_t more = wanted + wanted / 2 + 64;
  void *larger = more <= INT32_MAX ? realloc(*array, (size_t)more * size) : NULL;
  if (!larger)
    return false;
  *array = larger;
  *room = (int32_t)more;
  return true;
}

static bool reserve_layer(SlipiSlab *slab, int64_t spheres) {
  void *layer = slab->layer, *sphere = slab->pile.spheres, *link = slab->pile.links;
  bool room = reserve(&layer, (int64_t)slab->layers + 1, &slab->layer_room, sizeof *slab->layer) &&
              reserve(&sphere, slab->count + spheres, &slab->room, sizeof *slab->pile.spheres) &&
              reserve(&link, slab->pile.link_count + SLIPI_PILE_LINKS_MOST * spheres,
                      &slab->link_room, sizeof *slab->pile.links);
  slab->layer = layer;
  slab->pile.spheres = sphere;
  slab->pile.links = link;
  return room;
}

/* ---- Rows of the neighbours ---- */

/* The row that goes to a neighbour (-1: the process before, 1: the next), or that comes from it. */
static int32_t row_start(const SlipiSlabLayer *layer, int neighbour, bool comes) {
  int32_t row = neighbour < 0 ? (comes ? 0 : 1) : (comes ? layer->own + 1 : layer->own);
  return layer->start + row * layer->width;
}

static void copy_rows(const SlipiSlab *slab, int32_t first, int neighbour, bool comes, size_t size,
                      char *values, char *rows) {
  for (int32_t l = first; l < slab->layers; l++) {
    const SlipiSlabLayer *layer = &slab->layer[l];
    char *value = values + (size_t)row_start(layer, neighbour, comes) * size;
    size_t bytes = (size_t)layer->width * size;
    memcpy(comes ? value : rows, comes ? rows : value, bytes);
    rows += bytes;
  }
}

SlipStatus slipi_slab_exchange(const SlipiSlab *slab, int32_t first, size_t size, void *values,
                               SlipError *error) {
  int64_t count = 0;
  for (int32_t l = first; l < slab->layers; l++)
    count += slab->layer[l].width;
  size_t bytes = (size_t)count * size;
  char *out = malloc(2 * bytes + 1), *in = out ? out + bytes : NULL;
  bool well = slipi_mpi_all(slab->comm, out && count <= INT32_MAX);
  MPI_Datatype type;
  MPI_Type_contiguous((int)size, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  for (int neighbour = -1; neighbour <= 1 && well && slab->rank < slab->active; neighbour += 2) {
    int to = slab->rank + neighbour, from = slab->rank - neighbour;
    to = to < 0 || to >= slab->active ? MPI_PROC_NULL : to;
    from = from < 0 || from >= slab->active ? MPI_PROC_NULL : from;
    copy_rows(slab, first, neighbour, false, size, values, out);
    MPI_Sendrecv(out, (int)count, type, to, 0, in, (int)count, type, from, 0, slab->comm,
                 MPI_STATUS_IGNORE);
    if (from != MPI_PROC_NULL)
      copy_rows(slab, first, -neighbour, true, size, values, in);
  }
  MPI_Type_free(&type);
  free(out);
  return well ? SLIP_OK : slipi_fail_memory(error, "a pile of spheres");
}

/* ---- Layers ---- */

static int32_t first_row(const SlipiSlab *slab, int32_t side, int rank) {
  int64_t row = (int64_t)slab->pile.n * rank / slab->active;
  return rank >= slab->active || row > side ? side : (int32_t)row;
}

static void site_of(const SlipiSlab *slab, const SlipiSlabLayer *layer, int32_t k,
                    int32_t site[2]) {
  int32_t row = layer->first + k / layer->width;
  site[0] = slab->pile.d == 3 ? k % layer->width : row;
  site[1] = slab->pile.d == 3 ? row : 0;
}

/* Where the spheres of a layer are, own ones being let down. */
static void place_layer(SlipiSlab *slab, int32_t number) {
  SlipiSlabLayer *layer = &slab->layer[number];
  SlipiPile *pile = &slab->pile;
  int64_t d = pile->d, side = slipi_pile_side(pile, number), all = side * layer->width;
  int64_t before = (int64_t)layer->first * layer->width;
  pile->below = pile->layer;
  pile->layer = layer->start - layer->width * (layer->first - 1);
  slipi_slab_skip(&slab->random, d * before);
  for (int32_t k = 0; k < layer->own * layer->width; k++) {
    int32_t site[2];
    site_of(slab, layer, k, site);
    slipi_pile_place(pile, number, site, &slab->random);
  }
  slipi_slab_skip(&slab->random, d * (all - before - (int64_t)layer->own * layer->width));
}

/* The contacts of the layer's spheres. The pile ends with the first sphere by which there are
 * enough; those after it are not kept. */
static void link_layer(SlipiSlab *slab, int32_t number, int64_t wanted) {
  SlipiSlabLayer *layer = &slab->layer[number];
  SlipiPile *pile = &slab->pile;
  int32_t begun = pile->link_count;
  for (int32_t k = 0; k < layer->own * layer->width; k++) {
    int32_t site[2];
    site_of(slab, layer, k, site);
    slipi_pile_link(pile, number, site);
  }
  int64_t own = pile->link_count - begun, before = 0;
  MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, slab->comm);
  before = slab->links + (slab->rank == 0 ? 0 : before);
  layer->kept = 0;
  while (layer->kept < layer->own * layer->width &&
         before + pile->spheres[slipi_slab_own(layer, layer->kept)].first - begun < wanted)
    layer->kept++;
  if (layer->kept < layer->own * layer->width)
    pile->link_count = pile->spheres[slipi_slab_own(layer, layer->kept)].first;
  int64_t sums[2] = {layer->kept, pile->link_count - begun};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, slab->comm);
  slab->spheres += sums[0];
  slab->links += sums[1];
}

static SlipStatus add_layer(SlipiSlab *slab, int64_t wanted, SlipError *error) {
  int32_t number = slab->layers, side = slipi_pile_side(&slab->pile, number);
  int32_t first = first_row(slab, side, slab->rank);
  SlipiSlabLayer layer = {.before = slab->spheres,
                          .start = slab->count,
                          .width = slab->pile.d == 3 ? side : 1,
                          .first = first,
                          .own = first_row(slab, side, slab->rank + 1) - first};
  int64_t spheres = ((int64_t)layer.own + 2) * layer.width;
  if (!slipi_mpi_all(slab->comm, reserve_layer(slab, spheres)))
    return slipi_fail_memory(error, "a pile of spheres");
  slab->layer[slab->layers++] = layer;
  slab->count += (int32_t)spheres;
  place_layer(slab, number);
  SlipStatus status =
      slipi_slab_exchange(slab, number, sizeof *slab->pile.spheres, slab->pile.spheres, error);
  if (status == SLIP_OK)
    link_layer(slab, number, wanted);
  return status;
}

SlipStatus slipi_slab_fill(MPI_Comm comm, const SlipGenerate *options, uint64_t seed,
                           SlipiSlab *slab, SlipError *error) {
  *slab = (SlipiSlab){.comm = comm};
  MPI_Comm_rank(comm, &slab->rank);
  MPI_Comm_size(comm, &slab->ranks);
  SlipStatus status = slipi_pile_shape(options, &slab->pile, error);
  /* Two rows at least, so that the layers of one row less have one everywhere. */
  slab->active = slab->pile.n / 2 < slab->ranks ? slab->pile.n / 2 : slab->ranks;
  slipi_random_seed(&slab->random, seed);
  while (status == SLIP_OK && slab->links < options->contacts)
    status = add_layer(slab, options->contacts, error);
  if (status != SLIP_OK)
    return status;
  /* As if only those had been let down that are kept. */
  slipi_random_seed(&slab->random, seed);
  slipi_slab_skip(&slab->random, slab->pile.d * slab->spheres);
  return SLIP_OK;
}
