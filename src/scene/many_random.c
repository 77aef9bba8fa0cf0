/* Random places without overlap, one after another: a place is drawn until it is free. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "geom/vec.h"
#include "scene/forms.h"

/* Tries for one body before the region counts as full. */
enum { TRIES = 20000 };

/* Cells as large as a body: neighbours are in the same cell or the next. Cells are found by a hash;
 * those that share one are told apart by the distance of their bodies. */
typedef struct Cells {
  int32_t *head, *next; /* -1: none */
  int32_t buckets;      /* a power of two */
  double edge;
} Cells;

static int32_t bucket_of(const Cells *cells, const double position[3], const int offset[3]) {
  double cell[3];
  for (int k = 0; k < 3; k++)
    cell[k] = floor(position[k] / cells->edge) + offset[k];
  return (int32_t)(slipi_hash_reals(0, cell, 3) & (uint64_t)(cells->buckets - 1));
}

static bool make_cells(SlipiArena *arena, int32_t count, double edge, Cells *cells) {
  *cells = (Cells){.buckets = 1, .edge = edge};
  while (cells->buckets < count)
    cells->buckets *= 2;
  cells->head = SLIPI_ARENA_RAW(arena, int32_t, cells->buckets);
  cells->next = SLIPI_ARENA_RAW(arena, int32_t, count);
  if (!cells->head || !cells->next)
    return false;
  for (int32_t k = 0; k < cells->buckets; k++)
    cells->head[k] = -1;
  return true;
}

static bool bucket_free(const Cells *cells, const SlipiPlace *places, int32_t bucket,
                        const double position[3]) {
  for (int32_t k = cells->head[bucket]; k >= 0; k = cells->next[k]) {
    double apart[3];
    slipi_sub(position, places[k].position, apart);
    if (slipi_length(apart) < cells->edge)
      return false;
  }
  return true;
}

static bool is_free(const Cells *cells, const SlipiPlace *places, const double position[3],
                    int dimension) {
  int neighbours = dimension == 3 ? 27 : 9;
  for (int k = 0; k < neighbours; k++) {
    const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, dimension == 3 ? k / 9 - 1 : 0};
    if (!bucket_free(cells, places, bucket_of(cells, position, offset), position))
      return false;
  }
  return true;
}

/* A rotation in 3D is uniform where its quaternion is: four normal numbers. */
static void turn_randomly(SlipiRandom *random, int dimension, double rotation[4]) {
  static const double z[3] = {0, 0, 1};
  double length = 0;
  if (dimension == 2) {
    slipi_axis_rotation(z, slipi_random_between(random, 0, 6.28318530717958648), rotation);
    return;
  }
  while (!(length > 0.01)) {
    length = 0;
    for (int k = 0; k < 4; k++) {
      rotation[k] = slipi_random_normal(random);
      length += rotation[k] * rotation[k];
    }
  }
  for (int k = 0; k < 4; k++)
    rotation[k] /= sqrt(length);
}

/* The box in which centres may be. */
static SlipStatus read_region(SlipiReader *reader, const SlipiField *region, double radius,
                              double low[3], double high[3]) {
  static const SlipiKey corner = {
      .name = "", .type = SLIPI_KEY_VECTOR, .range = {-DBL_MAX, DBL_MAX, false}};
  double corners[2][3] = {{0}};
  SlipStatus status = SLIP_OK;
  size_t length = slipi_path_key(reader, "region");
  if (region->node->count != 2)
    status = slipi_fail_field(reader, region, "%s must be two corners, not %d", slipi_path(reader),
                              region->node->count);
  for (int k = 0; status == SLIP_OK && k < 2; k++) {
    size_t inner = slipi_path_index(reader, k);
    status = slipi_read_vector(reader, region->node->items[k], &corner, corners[k]);
    slipi_path_back(reader, inner);
  }
  for (int k = 0; status == SLIP_OK && k < 3; k++) {
    double inset = k < reader->dimension ? radius : 0;
    low[k] = fmin(corners[0][k], corners[1][k]) + inset;
    high[k] = fmax(corners[0][k], corners[1][k]) - inset;
    if (!(low[k] <= high[k]))
      status = slipi_fail_field(reader, region, "%s is too narrow for bodies of radius %g",
                                slipi_path(reader), radius);
  }
  slipi_path_back(reader, length);
  return status;
}

static bool find_place(SlipiRandom *random, const Cells *cells, const double low[3],
                       const double high[3], int dimension, SlipiPlace *places, int32_t count) {
  double *position = places[count].position;
  for (int tried = 0; tried < TRIES; tried++) {
    for (int k = 0; k < dimension; k++)
      position[k] = slipi_random_between(random, low[k], high[k]);
    if (is_free(cells, places, position, dimension))
      return true;
  }
  return false;
}

SlipStatus slipi_scatter(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                         double radius, SlipiPlace *places, int32_t count) {
  static const int here[3] = {0, 0, 0};
  double low[3] = {0}, high[3] = {0};
  Cells cells = {0};
  SlipiRandom random;
  SlipStatus status = read_region(reader, &fields[SLIPI_MANY_REGION], radius, low, high);
  if (status == SLIP_OK && !make_cells(reader->arena, count, 2 * radius, &cells))
    status = slipi_reader_memory(reader);
  slipi_random_seed(&random, (uint64_t)fields[SLIPI_MANY_SEED].x[0]);
  for (int32_t k = 0; status == SLIP_OK && k < count; k++) {
    if (!find_place(&random, &cells, low, high, reader->dimension, places, k))
      return slipi_fail_node(reader->error, node,
                             "%s: the region is full after %d of %d bodies of radius %g",
                             slipi_path(reader), k, count, radius);
    int32_t bucket = bucket_of(&cells, places[k].position, here);
    cells.next[k] = cells.head[bucket];
    cells.head[bucket] = k;
    if (fields[SLIPI_MANY_TURNED].x[0] != 0)
      turn_randomly(&random, reader->dimension, places[k].rotation);
  }
  return status;
}
