#include "geom/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "geom/halves.h"
#include "geom/weld.h"

/* A triangle with less height than this share of its longest edge has no area. */
static const double THIN = 1e-12;
/* Two triangles whose planes make a smaller angle than this are in one plane. */
static const double FLAT = 1e-6;

static SlipStatus check(const double *points, int32_t point_count, const int32_t *triangles,
                        int32_t triangle_count, SlipError *error) {
  if (!points || !triangles || point_count <= 0 || triangle_count <= 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "mesh: it has no triangles");
  if (triangle_count > INT32_MAX / 6)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "mesh: %d triangles are too many",
                      (int)triangle_count);
  for (size_t k = 0; k < 3 * (size_t)point_count; k++) {
    char text[SLIPI_NUMBER_TEXT];
    if (!isfinite(points[k]))
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "mesh: point %d has the coordinate %s",
                        (int)(k / 3), slipi_number_text(points[k], text));
  }
  for (size_t k = 0; k < 3 * (size_t)triangle_count; k++)
    if (triangles[k] < 0 || triangles[k] >= point_count)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "mesh: triangle %d names the point %d, but there are %d", (int)(k / 3),
                        (int)triangles[k], (int)point_count);
  return SLIP_OK;
}

/* ---- Vertices and triangles -------------------------------------------------------------- */

/* The unit normal; false for a triangle without area. */
static bool triangle_normal(const double *a, const double *b, const double *c, double normal[3]) {
  double ab[3], ac[3], bc[3];
  slipi_sub(b, a, ab);
  slipi_sub(c, a, ac);
  slipi_sub(c, b, bc);
  double longest = fmax(slipi_length(ab), fmax(slipi_length(ac), slipi_length(bc)));
  if (!(longest > 0) || !isfinite(longest))
    return false;
  for (int k = 0; k < 3; k++) {
    ab[k] /= longest;
    ac[k] /= longest;
  }
  slipi_cross(ab, ac, normal);
  double area = slipi_length(normal);
  if (area <= THIN)
    return false;
  for (int k = 0; k < 3; k++)
    normal[k] /= area;
  return true;
}

/* The triangles with an area, by numbers of points; how many there are. */
static int32_t take_triangles(const double *points, const int32_t *triangles, int32_t count,
                              const int32_t *same, int32_t *to, double *normal) {
  int32_t used = 0;
  for (int32_t t = 0; t < count; t++) {
    int32_t corner[3];
    for (int k = 0; k < 3; k++)
      corner[k] = same[triangles[3 * (size_t)t + k]];
    if (!triangle_normal(points + 3 * (size_t)corner[0], points + 3 * (size_t)corner[1],
                         points + 3 * (size_t)corner[2], normal + 3 * (size_t)used))
      continue;
    memcpy(to + 3 * (size_t)used++, corner, sizeof corner);
  }
  return used;
}

/* Give numbers to the points that triangles use, in their order; how many these are. */
static int32_t number_points(int32_t *triangles, int32_t corners, int32_t *number,
                             int32_t point_count) {
  int32_t used = 0;
  for (int32_t p = 0; p < point_count; p++)
    number[p] = -1;
  for (int32_t k = 0; k < corners; k++)
    number[triangles[k]] = 0;
  for (int32_t p = 0; p < point_count; p++)
    if (number[p] == 0)
      number[p] = used++;
  for (int32_t k = 0; k < corners; k++)
    triangles[k] = number[triangles[k]];
  return used;
}

/* ---- Neighbours -------------------------------------------------------------------------- */

static void find_neighbours(const SlipiMesh *mesh, SlipiHalf *half, int32_t *neighbour) {
  int32_t count = 3 * mesh->triangles;
  for (int32_t h = 0; h < count; h++) {
    int32_t next = h % 3 == 2 ? h - 2 : h + 1;
    half[h] = slipi_half(mesh->triangle[h], mesh->triangle[next], h);
    neighbour[h] = -1;
  }
  slipi_halves_sort(half, count);
  for (int32_t k = 0, end; k < count; k = end) {
    for (end = k + 1; end < count && slipi_half_same_edge(&half[k], &half[end]);)
      end++;
    if (end == k + 2 && !half[k].back && half[k + 1].back) {
      neighbour[half[k].owner] = half[k + 1].owner;
      neighbour[half[k + 1].owner] = half[k].owner;
    }
  }
}

/* By how far the far vertex of the neighbour is above the plane, and the other way round: the sine
 * of the angle has the sign of both. */
static SlipiBend bend_of(const SlipiMesh *mesh, int32_t half) {
  int32_t other = mesh->neighbour[half];
  if (other < 0)
    return SLIPI_BEND_CONVEX;
  const double *n = mesh->normal + 3 * (size_t)(half / 3);
  const double *m = mesh->normal + 3 * (size_t)(other / 3);
  int32_t next = half % 3 == 2 ? half - 2 : half + 1;
  double along[3], cross[3];
  slipi_sub(mesh->vertex + 3 * (size_t)mesh->triangle[next],
            mesh->vertex + 3 * (size_t)mesh->triangle[half], along);
  slipi_cross(n, m, cross);
  double sine = slipi_dot3(cross, along) / slipi_length(along);
  if (fabs(sine) <= FLAT && slipi_dot3(n, m) > 0)
    return SLIPI_BEND_FLAT;
  return sine >= 0 ? SLIPI_BEND_CONVEX : SLIPI_BEND_CONCAVE;
}

static void find_bends(const SlipiMesh *mesh, uint8_t *bend, uint8_t *vertex_flat) {
  memset(vertex_flat, 1, (size_t)mesh->vertices);
  for (int32_t h = 0; h < 3 * mesh->triangles; h++) {
    bend[h] = (uint8_t)bend_of(mesh, h);
    if (bend[h] != SLIPI_BEND_FLAT) {
      vertex_flat[mesh->triangle[h]] = 0;
      vertex_flat[mesh->triangle[h % 3 == 2 ? h - 2 : h + 1]] = 0;
    }
  }
}

/* The ring of a vertex from the sorted edges, each of which counts once. start[v + 1] is first the
 * next free place of v, and its end when all are placed. */
static void fill_rings(const SlipiMesh *mesh, const SlipiHalf *half, int32_t *start,
                       int32_t *ring) {
  int32_t count = 3 * mesh->triangles;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t k = 0; k < count; k++) {
      if (k > 0 && slipi_half_same_edge(&half[k - 1], &half[k]))
        continue;
      if (pass == 0) {
        start[half[k].low + 2]++;
        start[half[k].high + 2]++;
      } else {
        ring[start[half[k].low + 1]++] = half[k].high;
        ring[start[half[k].high + 1]++] = half[k].low;
      }
    }
    for (int32_t v = 2; pass == 0 && v < mesh->vertices + 2; v++)
      start[v] += start[v - 1];
  }
}

static bool connect(SlipiMesh *mesh, SlipiArena *scratch, SlipiArena *arena) {
  size_t halves = 3 * (size_t)mesh->triangles;
  SlipiHalf *half = SLIPI_ARENA_RAW(scratch, SlipiHalf, halves);
  int32_t *neighbour = SLIPI_ARENA_RAW(arena, int32_t, halves);
  uint8_t *bend = SLIPI_ARENA_RAW(arena, uint8_t, halves);
  uint8_t *vertex_flat = SLIPI_ARENA_RAW(arena, uint8_t, mesh->vertices);
  int32_t *ring_start = SLIPI_ARENA_NEW(arena, int32_t, (size_t)mesh->vertices + 2);
  int32_t *ring = SLIPI_ARENA_RAW(arena, int32_t, 2 * halves);
  if (arena->failed || scratch->failed)
    return false;
  find_neighbours(mesh, half, neighbour);
  mesh->neighbour = neighbour;
  find_bends(mesh, bend, vertex_flat);
  fill_rings(mesh, half, ring_start, ring);
  mesh->bend = bend;
  mesh->vertex_flat = vertex_flat;
  mesh->ring_start = ring_start;
  mesh->ring = ring;
  return true;
}

/* ---- A mesh ------------------------------------------------------------------------------ */

static SlipStatus fill(const double *points, int32_t point_count, const int32_t *triangles,
                       int32_t count, SlipiArena *scratch, SlipiArena *arena, SlipiMesh *mesh,
                       SlipError *error) {
  int32_t *same = SLIPI_ARENA_RAW(scratch, int32_t, point_count);
  int32_t *triangle = SLIPI_ARENA_RAW(arena, int32_t, 3 * (size_t)count);
  double *normal = SLIPI_ARENA_RAW(arena, double, 3 * (size_t)count);
  if (arena->failed || !same || !slipi_weld(points, point_count, scratch, same))
    return slipi_fail_memory(error, "a mesh");
  mesh->triangles = take_triangles(points, triangles, count, same, triangle, normal);
  if (mesh->triangles == 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "mesh: none of its triangles has an area");
  mesh->vertices = number_points(triangle, 3 * mesh->triangles, same, point_count);
  double *vertex = SLIPI_ARENA_RAW(arena, double, 3 * (size_t)mesh->vertices);
  if (!vertex)
    return slipi_fail_memory(error, "a mesh");
  for (int32_t p = 0; p < point_count; p++)
    if (same[p] >= 0)
      memcpy(vertex + 3 * (size_t)same[p], points + 3 * (size_t)p, 3 * sizeof *vertex);
  mesh->vertex = vertex;
  mesh->triangle = triangle;
  mesh->normal = normal;
  if (!connect(mesh, scratch, arena) || !slipi_mesh_build_tree(mesh, arena))
    return slipi_fail_memory(error, "a mesh");
  return SLIP_OK;
}

SlipStatus slipi_mesh_make(const double *points, int32_t point_count, const int32_t *triangles,
                           int32_t triangle_count, SlipiArena *arena, const SlipiMesh **mesh,
                           SlipError *error) {
  SlipiArena scratch = {0};
  *mesh = NULL;
  SlipStatus status = check(points, point_count, triangles, triangle_count, error);
  if (status != SLIP_OK)
    return status;
  SlipiMesh *made = SLIPI_ARENA_NEW(arena, SlipiMesh, 1);
  if (!made)
    return slipi_fail_memory(error, "a mesh");
  status = fill(points, point_count, triangles, triangle_count, &scratch, arena, made, error);
  slipi_arena_free(&scratch);
  if (status == SLIP_OK)
    *mesh = made;
  return status;
}
