/* Shapes in a viewer's page: a row of numbers each, and polygons where these do not say it all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "geom/vec.h"
#include "record/pack.h"
#include "record/surface.h"
#include "record/viewer.h"

/* Body, kind, radius, length, edges, normal, position, rotation, number of its surface (or -1). */
enum { ROW = 18, SURFACE = 17 };

typedef struct Surfaces {
  int32_t count;
  SlipiText points;   /* float, 3 each */
  SlipiText sizes;    /* int32_t, of each surface: points, polygons */
  SlipiText polygons; /* int32_t: number of corners, corners */
  uint64_t *hash;     /* of each surface's definition */
  int32_t *shape;     /* that it was made of */
} Surfaces;

static void add_ints(SlipiText *to, const int32_t *value, int64_t count) {
  slipi_text_add_bytes(to, (const char *)value, (size_t)count * sizeof *value);
}

static void add_surface(Surfaces *all, const SlipiSurface *surface) {
  const int32_t sizes[2] = {surface->points, surface->polygons};
  add_ints(&all->sizes, sizes, 2);
  for (int32_t k = 0; k < surface->points; k++) {
    const double *x = surface->point + 3 * (int64_t)k;
    const float point[3] = {(float)x[0], (float)x[1], (float)x[2]};
    slipi_text_add_bytes(&all->points, (const char *)point, sizeof point);
  }
  for (int32_t k = 0; k < surface->polygons; k++) {
    int32_t first = surface->first[k], corners = surface->first[k + 1] - first;
    add_ints(&all->polygons, &corners, 1);
    add_ints(&all->polygons, surface->corner + first, corners);
  }
}

static bool has_surface(int32_t kind) {
  return kind == SLIP_SHAPE_HULL || kind == SLIP_SHAPE_MESH || kind == SLIP_SHAPE_POLYGON ||
         kind == SLIP_SHAPE_SEGMENT;
}

static bool same_points(const SlipShapeDef *a, const SlipShapeDef *b) {
  return a->kind == b->kind && a->point_count == b->point_count &&
         a->triangle_count == b->triangle_count &&
         memcmp(a->points, b->points, (size_t)a->point_count * 3 * sizeof(double)) == 0 &&
         memcmp(a->triangles, b->triangles, (size_t)a->triangle_count * 3 * sizeof(int32_t)) == 0;
}

/* Bodies made by `many` share their shape: a surface is made once. */
static SlipStatus find_surface(SlipiViewer *viewer, Surfaces *all, int32_t shape,
                               const SlipShapeDef *def, int32_t *number, SlipError *error) {
  uint64_t hash = slipi_hash_reals(0, def->points, (size_t)def->point_count * 3);
  for (int32_t k = 0; k < all->count; k++) {
    SlipShapeDef other = slip_default_shape_def();
    if (all->hash[k] != hash)
      continue;
    SlipStatus status =
        slip_trajectory_shape(viewer->trajectory, all->shape[k], &other, NULL, error);
    *number = k;
    if (status != SLIP_OK || same_points(def, &other))
      return status;
  }
  SlipiArena arena = {0};
  SlipiSurface surface = {0};
  SlipShapeDef own = *def; /* in its own frame */
  const double position[3] = {0, 0, 0}, rotation[4] = {1, 0, 0, 0};
  memcpy(own.position, position, sizeof position);
  memcpy(own.rotation, rotation, sizeof rotation);
  SlipStatus status = slipi_surface_make(&own, viewer->info->dimension, 1, &arena, &surface, error);
  if (status == SLIP_OK) {
    add_surface(all, &surface);
    all->hash[all->count] = hash;
    all->shape[all->count] = shape;
    *number = all->count++;
  }
  slipi_arena_free(&arena);
  return status;
}

/* Of the ball about the shape's own origin that holds it. */
static double reach(const SlipShapeDef *def) {
  double most = 0;
  switch ((SlipShapeKind)def->kind) {
  case SLIP_SHAPE_SPHERE:
  case SLIP_SHAPE_DISC:
    return def->radius;
  case SLIP_SHAPE_BOX:
    return 0.5 * slipi_length(def->edges);
  case SLIP_SHAPE_CAPSULE:
    return def->radius + 0.5 * def->length;
  case SLIP_SHAPE_CYLINDER:
    return hypot(def->radius, 0.5 * def->length);
  case SLIP_SHAPE_HALF_SPACE:
    return 0;
  case SLIP_SHAPE_HULL:
  case SLIP_SHAPE_MESH:
  case SLIP_SHAPE_POLYGON:
  case SLIP_SHAPE_SEGMENT:
    for (int32_t k = 0; k < def->point_count; k++)
      most = fmax(most, slipi_length(def->points + 3 * (int64_t)k));
  }
  return most;
}

static void fill_row(const SlipShapeDef *def, int32_t body, int32_t surface, double row[ROW]) {
  const double head[4] = {body, def->kind, def->radius, def->length};
  memcpy(row, head, sizeof head);
  memcpy(row + 4, def->edges, sizeof def->edges);
  memcpy(row + 7, def->normal, sizeof def->normal);
  memcpy(row + 10, def->position, sizeof def->position);
  memcpy(row + 13, def->rotation, sizeof def->rotation);
  row[SURFACE] = surface;
}

static SlipStatus add_rows(SlipiViewer *viewer, Surfaces *all, double *rows, SlipError *error) {
  for (int32_t k = 0; k < viewer->info->shapes; k++) {
    SlipShapeDef def = slip_default_shape_def();
    int32_t body = -1, surface = -1;
    SlipStatus status = slip_trajectory_shape(viewer->trajectory, k, &def, &body, error);
    if (status == SLIP_OK && has_surface(def.kind))
      status = find_surface(viewer, all, k, &def, &surface, error);
    if (status != SLIP_OK)
      return status;
    fill_row(&def, body, surface, rows + ROW * (int64_t)k);
    if (body >= 0 && def.kind != SLIP_SHAPE_HALF_SPACE)
      viewer->radius[body] = fmax(viewer->radius[body], slipi_length(def.position) + reach(&def));
  }
  return SLIP_OK;
}

SlipStatus slipi_viewer_add_shapes(SlipiViewer *viewer, SlipError *error) {
  int64_t shapes = viewer->info->shapes;
  Surfaces all = {.hash = SLIPI_ARENA_NEW(&viewer->arena, uint64_t, shapes),
                  .shape = SLIPI_ARENA_NEW(&viewer->arena, int32_t, shapes)};
  double *rows = SLIPI_ARENA_NEW(&viewer->arena, double, ROW *shapes);
  viewer->radius = SLIPI_ARENA_NEW(&viewer->arena, double, viewer->info->bodies);
  SlipStatus status = viewer->arena.failed ? slipi_fail_memory(error, "the shapes of a page")
                                           : add_rows(viewer, &all, rows, error);
  if (status == SLIP_OK) {
    SlipiText *parts = &viewer->parts;
    slipi_pack(parts, "shapes", -1, rows, (size_t)shapes * ROW * sizeof *rows);
    slipi_pack(parts, "surface-sizes", -1, all.sizes.bytes, all.sizes.length);
    slipi_pack(parts, "surface-points", -1, all.points.bytes, all.points.length);
    slipi_pack(parts, "surface-polygons", -1, all.polygons.bytes, all.polygons.length);
    if (all.sizes.failed || all.points.failed || all.polygons.failed)
      status = slipi_fail_memory(error, "the shapes of a page");
  }
  slipi_text_free(&all.sizes);
  slipi_text_free(&all.points);
  slipi_text_free(&all.polygons);
  return status;
}
