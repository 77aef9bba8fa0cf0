#include "geom/hull.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "geom/halves.h"
#include "geom/hull_parts.h"
#include "geom/vec.h"

/* A set thinner than this share of its extent has no volume. */
static const double THIN = 1e-9;
/* A corner nearer than this share of the width to the line of its neighbours lies within an edge.
 */
static const double FLAT = 1e-7;

/* ---- The points as they are given -------------------------------------------------------- */

static SlipStatus check_points(const double *points, int32_t count, int dimension,
                               SlipError *error) {
  const char *name = dimension == 2 ? "polygon" : "hull";
  if (count <= dimension)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: %d points are too few, %d are needed", name,
                      (int)count, dimension + 1);
  if (!points)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: points is null", name);
  for (int32_t k = 0; k < 3 * count; k++) {
    char text[SLIPI_NUMBER_TEXT];
    if (!isfinite(points[k]))
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: point %d has the coordinate %s", name,
                        (int)(k / 3), slipi_number_text(points[k], text));
    if (dimension == 2 && k % 3 == 2 && points[k] != 0)
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: point %d has z = %s, but in 2D z is 0",
                        name, (int)(k / 3), slipi_number_text(points[k], text));
  }
  return SLIP_OK;
}

static SlipStatus fail_thin(int dimension, SlipError *error) {
  return dimension == 2 ? slipi_fail(error, SLIP_ERROR_PROBLEM,
                                     "polygon: the points lie on one line, so it has no area")
                        : slipi_fail(error, SLIP_ERROR_PROBLEM,
                                     "hull: the points lie in one plane, so it has no volume");
}

/* A copy of the points in [-1, 1]^3: what is far from the origin, tiny or huge is as good as any.
 */
static SlipStatus normalise(const double *points, int32_t count, int dimension, SlipiArena *arena,
                            double **unit, double *scale, SlipError *error) {
  double low[3], high[3];
  *scale = 0;
  *unit = SLIPI_ARENA_RAW(arena, double, 3 * (size_t)count);
  if (!*unit)
    return slipi_fail_memory(error, "a hull");
  for (int k = 0; k < 3; k++) {
    low[k] = high[k] = points[k];
    for (int32_t p = 1; p < count; p++) {
      low[k] = fmin(low[k], points[3 * p + k]);
      high[k] = fmax(high[k], points[3 * p + k]);
    }
    *scale = fmax(*scale, 0.5 * high[k] - 0.5 * low[k]);
  }
  if (*scale == 0)
    return fail_thin(dimension, error);
  for (int32_t p = 0; p < count; p++)
    for (int k = 0; k < 3; k++)
      (*unit)[3 * p + k] = (points[3 * p + k] - (0.5 * low[k] + 0.5 * high[k])) / *scale;
  return SLIP_OK;
}

/* ---- What follows from vertices and faces ------------------------------------------------ */

static void set_sphere(SlipiHull *hull) {
  double sum[3] = {0}, most = 0;
  /* Relative to the first vertex, so that a hull far from the origin loses no digits. */
  for (int32_t v = 0; v < hull->vertices; v++)
    for (int k = 0; k < 3; k++)
      sum[k] += (hull->vertex[3 * v + k] - hull->vertex[k]) / hull->vertices;
  slipi_along(hull->vertex, 1, sum, hull->centre);
  for (int32_t v = 0; v < hull->vertices; v++) {
    double arm[3];
    slipi_sub(hull->vertex + 3 * v, hull->centre, arm);
    most = fmax(most, slipi_length(arm));
  }
  hull->radius = most;
}

/* Planes touch the hull from outside: no vertex is beyond one. */
static void set_planes(SlipiHull *hull, const double *normal, double *offset) {
  hull->width = INFINITY;
  for (int32_t f = 0; f < hull->faces; f++) {
    double least = INFINITY, most = -INFINITY;
    for (int32_t v = 0; v < hull->vertices; v++) {
      double height = slipi_dot3(normal + 3 * f, hull->vertex + 3 * v);
      least = fmin(least, height);
      most = fmax(most, height);
    }
    offset[f] = most;
    hull->width = fmin(hull->width, most - least);
  }
  hull->normal = normal;
  hull->offset = offset;
}

/* ---- Polygons ---------------------------------------------------------------------------- */

typedef struct Corner {
  double x[2];
  int32_t point;
} Corner;

static int compare_corners(const void *a, const void *b) {
  const Corner *left = a, *right = b;
  for (int k = 0; k < 2; k++)
    if (left->x[k] != right->x[k])
      return left->x[k] < right->x[k] ? -1 : 1;
  return (left->point > right->point) - (left->point < right->point);
}

/* Twice the area of a triangle: positive when a, b, c turn to the left. */
static double turn(const Corner *a, const Corner *b, const Corner *c) {
  return (b->x[0] - a->x[0]) * (c->x[1] - a->x[1]) - (b->x[1] - a->x[1]) * (c->x[0] - a->x[0]);
}

/* Andrew's monotone chain: the lower half from left to right, the upper half back. */
static int32_t chain(const Corner *corner, int32_t count, Corner *ring) {
  int32_t used = 0;
  for (int32_t k = 0; k < count; k++) {
    while (used >= 2 && turn(&ring[used - 2], &ring[used - 1], &corner[k]) <= 0)
      used--;
    ring[used++] = corner[k];
  }
  int32_t lower = used + 1;
  for (int32_t k = count - 2; k >= 0; k--) {
    while (used >= lower && turn(&ring[used - 2], &ring[used - 1], &corner[k]) <= 0)
      used--;
    ring[used++] = corner[k];
  }
  return used - 1;
}

static double side(const Corner *a, const Corner *b) {
  return hypot(b->x[0] - a->x[0], b->x[1] - a->x[1]);
}

/* Four times the area by the perimeter: the edge of a square, the diameter of a disc. */
static double ring_width(const Corner *ring, int32_t count) {
  double area = 0, perimeter = 0;
  for (int32_t k = 0; k < count; k++) {
    const Corner *next = &ring[(k + 1) % count];
    area += 0.5 * turn(&ring[0], &ring[k], next);
    perimeter += side(&ring[k], next);
  }
  return perimeter > 0 ? 4 * area / perimeter : 0;
}

/* Drop corners within an edge; going round until none is. */
static int32_t straighten(Corner *ring, int32_t count, double tolerance) {
  for (int32_t k = 0, kept = 0; count > 3 && kept < count;) {
    const Corner *before = &ring[(k + count - 1) % count], *after = &ring[(k + 1) % count];
    if (turn(before, &ring[k], after) > tolerance * side(before, after)) {
      k = (k + 1) % count;
      kept++;
      continue;
    }
    memmove(&ring[k], &ring[k + 1], (size_t)(count - k - 1) * sizeof *ring);
    count--;
    k = k < count ? k : 0;
    kept = 0;
  }
  return count;
}

static SlipStatus fill_polygon(const double *points, const Corner *ring, int32_t count,
                               SlipiArena *arena, SlipiHull *hull, SlipError *error) {
  double *vertex = SLIPI_ARENA_NEW(arena, double, 3 * (size_t)count);
  double *normal = SLIPI_ARENA_NEW(arena, double, 3 * (size_t)count);
  double *offset = SLIPI_ARENA_NEW(arena, double, count);
  int32_t *start = SLIPI_ARENA_NEW(arena, int32_t, count + 1);
  int32_t *face_vertex = SLIPI_ARENA_NEW(arena, int32_t, 2 * (size_t)count);
  if (arena->failed)
    return slipi_fail_memory(error, "a polygon");
  for (int32_t k = 0; k < count; k++) {
    memcpy(vertex + 3 * k, points + 3 * ring[k].point, 3 * sizeof *vertex);
    start[k + 1] = 2 * (k + 1);
    face_vertex[2 * k] = k;
    face_vertex[2 * k + 1] = (k + 1) % count;
    double length = side(&ring[k], &ring[(k + 1) % count]);
    normal[3 * k] = (ring[(k + 1) % count].x[1] - ring[k].x[1]) / length;
    normal[3 * k + 1] = (ring[k].x[0] - ring[(k + 1) % count].x[0]) / length;
  }
  *hull = (SlipiHull){.vertices = count,
                      .faces = count,
                      .vertex = vertex,
                      .face_start = start,
                      .face_vertex = face_vertex};
  set_planes(hull, normal, offset);
  set_sphere(hull);
  return SLIP_OK;
}

static SlipStatus make_polygon(const double *points, const double *unit, int32_t count,
                               SlipiArena *scratch, SlipiArena *arena, SlipiHull *hull,
                               SlipError *error) {
  Corner *corner = SLIPI_ARENA_NEW(scratch, Corner, count);
  Corner *ring = SLIPI_ARENA_NEW(scratch, Corner, 2 * (size_t)count + 1);
  if (scratch->failed)
    return slipi_fail_memory(error, "a polygon");
  for (int32_t p = 0; p < count; p++)
    corner[p] = (Corner){{unit[3 * p], unit[3 * p + 1]}, p};
  qsort(corner, (size_t)count, sizeof *corner, compare_corners);
  int32_t used = chain(corner, count, ring);
  double width = used >= 3 ? ring_width(ring, used) : 0;
  if (width < THIN)
    return fail_thin(2, error);
  used = straighten(ring, used, FLAT * width);
  return fill_polygon(points, ring, used, arena, hull, error);
}

/* ---- Polyhedra --------------------------------------------------------------------------- */

/* Number the points that are vertices of a face, in their order, and name faces by these numbers;
 * how many there are. */
static int32_t number_vertices(SlipiLoops *faces, int32_t *number, int32_t count) {
  int32_t used = 0, total = faces->start[faces->count];
  for (int32_t p = 0; p < count; p++)
    number[p] = -1;
  for (int32_t k = 0; k < total; k++)
    number[faces->vertex[k]] = 0;
  for (int32_t p = 0; p < count; p++)
    if (number[p] == 0)
      number[p] = used++;
  for (int32_t k = 0; k < total; k++)
    faces->vertex[k] = number[faces->vertex[k]];
  return used;
}

/* Face k of the sorted ones, which begins at its least vertex. */
typedef struct Face {
  const int32_t *vertex;
  int32_t count, first;
} Face;

static int32_t corner_of(const Face *face, int32_t k) {
  return face->vertex[(face->first + k) % face->count];
}

static int compare_faces(const void *a, const void *b) {
  const Face *left = a, *right = b;
  for (int32_t k = 0; k < 3; k++)
    if (corner_of(left, k) != corner_of(right, k))
      return corner_of(left, k) < corner_of(right, k) ? -1 : 1;
  return 0;
}

static void sort_faces(const SlipiLoops *faces, Face *sorted, int32_t *start, int32_t *vertex) {
  for (int32_t f = 0; f < faces->count; f++) {
    Face *face = &sorted[f];
    *face = (Face){faces->vertex + faces->start[f], faces->start[f + 1] - faces->start[f], 0};
    for (int32_t k = 1; k < face->count; k++)
      face->first = face->vertex[k] < face->vertex[face->first] ? k : face->first;
  }
  qsort(sorted, (size_t)faces->count, sizeof *sorted, compare_faces);
  for (int32_t f = 0; f < faces->count; f++) {
    start[f + 1] = start[f] + sorted[f].count;
    for (int32_t k = 0; k < sorted[f].count; k++)
      vertex[start[f] + k] = corner_of(&sorted[f], k);
  }
}

/* Edges with their lesser vertex first, and the face that goes along them first. False unless all
 * is one closed surface without handles (Euler). */
static bool pair_edges(const SlipiHull *hull, SlipiHalf *half, int32_t *edge) {
  int32_t total = hull->face_start[hull->faces];
  for (int32_t f = 0; f < hull->faces; f++) {
    int32_t start = hull->face_start[f], count = hull->face_start[f + 1] - start;
    for (int32_t k = 0; k < count; k++)
      half[start + k] =
          slipi_half(hull->face_vertex[start + k], hull->face_vertex[start + (k + 1) % count], f);
  }
  slipi_halves_sort(half, total);
  if (total % 2 != 0 || hull->vertices - total / 2 + hull->faces != 2)
    return false;
  for (int32_t k = 0; k < total; k += 2) {
    const SlipiHalf *along = &half[k], *back = &half[k + 1];
    if (!slipi_half_same_edge(along, back) || along->back || !back->back)
      return false;
    const int32_t row[4] = {along->low, along->high, along->owner, back->owner};
    memcpy(edge + 2 * (ptrdiff_t)k, row, sizeof row);
  }
  return true;
}

static SlipStatus fill_polyhedron(const double *points, const double *unit, int32_t count,
                                  SlipiLoops *faces, SlipiArena *scratch, SlipiArena *arena,
                                  SlipiHull *hull, SlipError *error) {
  int32_t total = faces->start[faces->count];
  int32_t *number = SLIPI_ARENA_NEW(scratch, int32_t, count);
  Face *sorted = SLIPI_ARENA_NEW(scratch, Face, faces->count);
  SlipiHalf *half = SLIPI_ARENA_NEW(scratch, SlipiHalf, total);
  if (scratch->failed)
    return slipi_fail_memory(error, "a hull");
  double *corners = SLIPI_ARENA_NEW(scratch, double, 3 * (size_t)count);
  int32_t vertices = number_vertices(faces, number, count);
  double *vertex = SLIPI_ARENA_NEW(arena, double, 3 * (size_t)vertices);
  double *normal = SLIPI_ARENA_NEW(arena, double, 3 * (size_t)faces->count);
  double *offset = SLIPI_ARENA_NEW(arena, double, faces->count);
  int32_t *start = SLIPI_ARENA_NEW(arena, int32_t, faces->count + 1);
  int32_t *face_vertex = SLIPI_ARENA_NEW(arena, int32_t, total);
  int32_t *edge = SLIPI_ARENA_NEW(arena, int32_t, 2 * (size_t)total);
  if (arena->failed || !corners)
    return slipi_fail_memory(error, "a hull");
  for (int32_t p = 0; p < count; p++)
    if (number[p] >= 0) {
      memcpy(vertex + 3 * number[p], points + 3 * p, 3 * sizeof *vertex);
      memcpy(corners + 3 * number[p], unit + 3 * p, 3 * sizeof *vertex);
    }
  sort_faces(faces, sorted, start, face_vertex);
  *hull = (SlipiHull){.vertices = vertices,
                      .faces = faces->count,
                      .edges = total / 2,
                      .vertex = vertex,
                      .face_start = start,
                      .face_vertex = face_vertex,
                      .edge = edge};
  if (!pair_edges(hull, half, edge))
    return slipi_fail(error, SLIP_ERROR_NUMERIC,
                      "hull: the points are too close to a plane or a line to tell its faces");
  for (int32_t f = 0; f < hull->faces; f++) {
    slipi_loop_area(corners, face_vertex + start[f], start[f + 1] - start[f], normal + 3 * f);
    double area = slipi_length(normal + 3 * f);
    for (int k = 0; k < 3; k++)
      normal[3 * f + k] /= area;
  }
  set_planes(hull, normal, offset);
  set_sphere(hull);
  return SLIP_OK;
}

static SlipStatus make_polyhedron(const double *points, double *unit, int32_t count, double scale,
                                  SlipiArena *scratch, SlipiArena *arena, SlipiHull *hull,
                                  SlipError *error) {
  SlipiLoops facets = {0}, faces = {0};
  SlipStatus status = slipi_hull_facets(unit, count, scratch, &facets, error);
  if (status == SLIP_OK)
    status = slipi_hull_faces(unit, count, &facets, scratch, &faces, error);
  if (status == SLIP_OK)
    status = fill_polyhedron(points, unit, count, &faces, scratch, arena, hull, error);
  if (status == SLIP_OK && hull->width < THIN * scale)
    return fail_thin(3, error);
  return status;
}

SlipStatus slipi_hull_make(const double *points, int32_t count, int dimension, SlipiArena *arena,
                           const SlipiHull **hull, SlipError *error) {
  SlipiArena scratch = {0};
  double *unit = NULL, scale = 0;
  *hull = NULL;
  SlipStatus status = check_points(points, count, dimension, error);
  if (status != SLIP_OK)
    return status;
  SlipiHull *made = SLIPI_ARENA_NEW(arena, SlipiHull, 1);
  if (!made)
    return slipi_fail_memory(error, "a hull");
  status = normalise(points, count, dimension, &scratch, &unit, &scale, error);
  if (status == SLIP_OK)
    status = dimension == 2
                 ? make_polygon(points, unit, count, &scratch, arena, made, error)
                 : make_polyhedron(points, unit, count, scale, &scratch, arena, made, error);
  slipi_arena_free(&scratch);
  if (status == SLIP_OK)
    *hull = made;
  return status;
}
