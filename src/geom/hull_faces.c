/* Whole faces of a polyhedron from the facets of Qhull.
 *
 * Half-edge h goes from facets->vertex[h] to the next vertex of its facet; its twin runs the other
 * way in the neighbour. Facets whose vertices lie in the plane of a larger one become one region
 * with it, and the loop around a region is a face. */
#include <stdlib.h>
#include <string.h>

#include "geom/halves.h"
#include "geom/hull_parts.h"
#include "geom/vec.h"

/* Facets are in one plane when that holds to so much of the thickness: single precision. */
static const double FLAT = 1e-7;
/* To a tenth of the last tolerance each: the last is below rounding. */
enum { ATTEMPTS = 9 };

typedef struct Cut {
  const double *points;
  const SlipiLoops *facets;
  int32_t halves;
  int32_t *facet; /* of a half-edge */
  int32_t *twin;
  int32_t *region; /* of a facet */
  double tolerance;
} Cut;

double slipi_loop_area(const double *points, const int32_t *vertex, int32_t count, double area[3]) {
  double sum[3] = {0}, volume = 0;
  const double *first = points + 3 * vertex[0];
  for (int32_t k = 1; k + 1 < count; k++) {
    double a[3], b[3], cross[3];
    slipi_sub(points + 3 * vertex[k], first, a);
    slipi_sub(points + 3 * vertex[k + 1], first, b);
    slipi_cross(a, b, cross);
    slipi_along(sum, 1, cross, sum);
    volume += slipi_dot3(first, cross);
  }
  for (int k = 0; k < 3; k++)
    area[k] = 0.5 * sum[k];
  return volume;
}

static SlipStatus fail(SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_NUMERIC,
                    "hull: the points are too close to each other or to a plane to tell its faces");
}

/* ---- Neighbours -------------------------------------------------------------------------- */

static int32_t next_half(const Cut *cut, int32_t half) {
  int32_t facet = cut->facet[half];
  return half + 1 < cut->facets->start[facet + 1] ? half + 1 : cut->facets->start[facet];
}

/* False where a half-edge has no twin. */
static bool find_twins(Cut *cut, SlipiHalf *sorted) {
  const int32_t *vertex = cut->facets->vertex;
  for (int32_t f = 0; f < cut->facets->count; f++)
    for (int32_t h = cut->facets->start[f]; h < cut->facets->start[f + 1]; h++)
      cut->facet[h] = f;
  for (int32_t h = 0; h < cut->halves; h++)
    sorted[h] = slipi_half(vertex[h], vertex[next_half(cut, h)], h);
  slipi_halves_sort(sorted, cut->halves);
  for (int32_t k = 0; k < cut->halves; k += 2) {
    if (k + 1 >= cut->halves || !slipi_half_same_edge(&sorted[k], &sorted[k + 1]) ||
        sorted[k].back || !sorted[k + 1].back)
      return false;
    cut->twin[sorted[k].owner] = sorted[k + 1].owner;
    cut->twin[sorted[k + 1].owner] = sorted[k].owner;
  }
  return true;
}

/* ---- Regions ----------------------------------------------------------------------------- */

typedef struct Seed {
  double area, normal[3];
  int32_t facet;
} Seed;

static int compare_seeds(const void *a, const void *b) {
  const Seed *left = a, *right = b;
  if (left->area != right->area)
    return left->area > right->area ? -1 : 1;
  return (left->facet > right->facet) - (left->facet < right->facet);
}

/* Facets by size, the largest first. The thickness of the hull, which is the edge of a cube and the
 * diameter of a ball, sets the tolerance. */
static void sort_seeds(Cut *cut, Seed *seeds) {
  double volume = 0, area = 0;
  for (int32_t f = 0; f < cut->facets->count; f++) {
    int32_t start = cut->facets->start[f];
    volume += slipi_loop_area(cut->points, cut->facets->vertex + start,
                              cut->facets->start[f + 1] - start, seeds[f].normal);
    seeds[f].area = slipi_length(seeds[f].normal);
    seeds[f].facet = f;
    area += seeds[f].area;
  }
  cut->tolerance = area > 0 ? FLAT * volume / area : 0;
  qsort(seeds, (size_t)cut->facets->count, sizeof *seeds, compare_seeds);
}

static bool within(const Cut *cut, int32_t facet, const double normal[3], const double *origin) {
  for (int32_t h = cut->facets->start[facet]; h < cut->facets->start[facet + 1]; h++) {
    double arm[3];
    slipi_sub(cut->points + 3 * cut->facets->vertex[h], origin, arm);
    if (fabs(slipi_dot3(normal, arm)) > cut->tolerance)
      return false;
  }
  return true;
}

/* The facets around a seed that lie in its plane. */
static void grow(Cut *cut, const Seed *seed, int32_t *stack) {
  const SlipiLoops *facets = cut->facets;
  const double *origin = cut->points + 3 * facets->vertex[facets->start[seed->facet]];
  double normal[3];
  for (int k = 0; k < 3; k++)
    normal[k] = seed->area > 0 ? seed->normal[k] / seed->area : 0;
  int32_t used = 1;
  stack[0] = seed->facet;
  cut->region[seed->facet] = seed->facet;
  while (used > 0) {
    int32_t facet = stack[--used];
    for (int32_t h = facets->start[facet]; h < facets->start[facet + 1]; h++) {
      int32_t other = cut->facet[cut->twin[h]];
      if (cut->region[other] < 0 && within(cut, other, normal, origin)) {
        cut->region[other] = seed->facet;
        stack[used++] = other;
      }
    }
  }
}

/* What the search for faces writes to. */
typedef struct Scratch {
  int32_t *stack;   /* facets of a region whose neighbours are not looked at */
  int32_t *meeting; /* how many faces meet at a point */
  bool *seen;       /* half-edges of a loop */
  bool *traced;     /* regions with a loop */
} Scratch;

/* ---- Loops around regions ---------------------------------------------------------------- */

static bool on_border(const Cut *cut, int32_t half) {
  return cut->region[cut->facet[half]] != cut->region[cut->facet[cut->twin[half]]];
}

/* One loop for each region; false where a region has a hole or is pinched. */
static bool trace(const Cut *cut, bool *seen, bool *traced, SlipiLoops *faces) {
  faces->count = 0;
  faces->start[0] = 0;
  for (int32_t h = 0; h < cut->halves; h++) {
    if (seen[h] || !on_border(cut, h))
      continue;
    int32_t region = cut->region[cut->facet[h]], at = faces->start[faces->count];
    for (int32_t half = h; !seen[half];) {
      seen[half] = true;
      faces->vertex[at++] = cut->facets->vertex[half];
      half = next_half(cut, half);
      while (!on_border(cut, half))
        half = next_half(cut, cut->twin[half]);
    }
    if (traced[region])
      return false;
    traced[region] = true;
    faces->start[++faces->count] = at;
  }
  return true;
}

/* Vertices where fewer than three faces meet lie within an edge; a face of two vertices is one. */
static bool drop_vertices(SlipiLoops *faces, int32_t *meeting, int32_t point_count) {
  int32_t total = faces->start[faces->count], used = 0, kept = 0;
  for (int32_t p = 0; p < point_count; p++)
    meeting[p] = 0;
  for (int32_t k = 0; k < total; k++)
    meeting[faces->vertex[k]]++;
  for (int32_t f = 0; f < faces->count; f++) {
    int32_t first = faces->start[f], begin = used;
    for (int32_t k = first; k < faces->start[f + 1]; k++)
      if (meeting[faces->vertex[k]] > 2)
        faces->vertex[used++] = faces->vertex[k];
    if (used - begin > 2)
      faces->start[kept++] = begin;
    else
      used = begin;
  }
  faces->count = kept;
  faces->start[kept] = used;
  return used < total;
}

/* No corner of a face goes in by more than the tolerance. */
static bool is_convex(const Cut *cut, const int32_t *vertex, int32_t count) {
  double area[3];
  slipi_loop_area(cut->points, vertex, count, area);
  for (int32_t k = 0; k < count; k++) {
    double before[3], across[3], cross[3];
    const double *corner = cut->points + 3 * vertex[k];
    const double *last = cut->points + 3 * vertex[(k + count - 1) % count];
    slipi_sub(corner, last, before);
    slipi_sub(cut->points + 3 * vertex[(k + 1) % count], last, across);
    slipi_cross(before, across, cross);
    double limit = cut->tolerance * slipi_length(across) * slipi_length(area);
    if (slipi_dot3(cross, area) < -limit)
      return false;
  }
  return true;
}

/* Faces with the tolerance as it is; false where they are no convex loops. */
static bool join(Cut *cut, const Seed *seeds, const Scratch *scratch, SlipiLoops *faces,
                 int32_t point_count) {
  int32_t count = cut->facets->count;
  memset(scratch->seen, 0, (size_t)cut->halves * sizeof *scratch->seen);
  memset(scratch->traced, 0, (size_t)count * sizeof *scratch->traced);
  for (int32_t f = 0; f < count; f++)
    cut->region[f] = -1;
  for (int32_t f = 0; f < count; f++)
    if (cut->region[seeds[f].facet] < 0)
      grow(cut, &seeds[f], scratch->stack);
  if (!trace(cut, scratch->seen, scratch->traced, faces))
    return false;
  while (drop_vertices(faces, scratch->meeting, point_count)) {
  }
  for (int32_t f = 0; f < faces->count; f++)
    if (!is_convex(cut, faces->vertex + faces->start[f], faces->start[f + 1] - faces->start[f]))
      return false;
  return true;
}

/* A tolerance of the same size as the bends between facets may give a facet to the wrong neighbour,
 * and leave a face with a notch: smaller ones are then tried, down to the facets as they are. */
SlipStatus slipi_hull_faces(const double *points, int32_t count, const SlipiLoops *facets,
                            SlipiArena *arena, SlipiLoops *faces, SlipError *error) {
  int32_t halves = facets->start[facets->count];
  Cut cut = {.points = points, .facets = facets, .halves = halves};
  cut.facet = SLIPI_ARENA_NEW(arena, int32_t, halves);
  cut.twin = SLIPI_ARENA_NEW(arena, int32_t, halves);
  cut.region = SLIPI_ARENA_NEW(arena, int32_t, facets->count);
  SlipiHalf *sorted = SLIPI_ARENA_NEW(arena, SlipiHalf, halves);
  Seed *seeds = SLIPI_ARENA_NEW(arena, Seed, facets->count);
  Scratch scratch = {.stack = SLIPI_ARENA_NEW(arena, int32_t, facets->count),
                     .meeting = SLIPI_ARENA_NEW(arena, int32_t, count),
                     .seen = SLIPI_ARENA_NEW(arena, bool, halves),
                     .traced = SLIPI_ARENA_NEW(arena, bool, facets->count)};
  faces->start = SLIPI_ARENA_NEW(arena, int32_t, facets->count + 1);
  faces->vertex = SLIPI_ARENA_NEW(arena, int32_t, halves);
  if (arena->failed)
    return slipi_fail_memory(error, "a hull");
  if (!find_twins(&cut, sorted))
    return fail(error);
  sort_seeds(&cut, seeds);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (join(&cut, seeds, &scratch, faces, count))
      return SLIP_OK;
    cut.tolerance *= 0.1;
  }
  return fail(error);
}
