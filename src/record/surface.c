#include "record/surface.h"

#include <math.h>

#include "base/angle.h"
#include "geom/hull.h"
#include "geom/vec.h"

enum { AROUND = 32, RINGS = 8 }; /* corners of a circle; rings from the pole to the equator */

static SlipStatus reserve(SlipiSurface *surface, SlipiArena *arena, int32_t points,
                          int32_t polygons, int64_t corners, SlipError *error) {
  surface->points = points;
  surface->polygons = polygons;
  surface->point = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)points);
  surface->first = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)polygons + 1);
  surface->corner = SLIPI_ARENA_NEW(arena, int32_t, corners);
  return arena->failed ? slipi_fail_memory(error, "the surface of a shape") : SLIP_OK;
}

static void put_point(SlipiSurface *surface, int32_t k, double x, double y, double z) {
  surface->point[3 * k] = x;
  surface->point[3 * k + 1] = y;
  surface->point[3 * k + 2] = z;
}

/* Polygon k of `count` corners, after polygon k - 1. */
static int32_t *begin_polygon(SlipiSurface *surface, int32_t k, int32_t count) {
  surface->first[k + 1] = surface->first[k] + count;
  return surface->corner + surface->first[k];
}

/* ---- Solids of revolution about z ---------------------------------------------------------- */

/* A profile of radius and height from the top to the bottom, closed by a polygon at either end. */
static SlipStatus revolve(SlipiSurface *surface, SlipiArena *arena, int32_t rings,
                          const double *radius, const double *height, SlipError *error) {
  int32_t sides = (rings - 1) * AROUND;
  SlipStatus status = reserve(surface, arena, rings * AROUND, sides + 2,
                              4 * (int64_t)sides + 2 * (int64_t)AROUND, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t a = 0; a < rings; a++)
    for (int32_t b = 0; b < AROUND; b++) {
      double angle = 2 * SLIPI_PI * b / AROUND;
      put_point(surface, a * AROUND + b, radius[a] * cos(angle), radius[a] * sin(angle), height[a]);
    }
  int32_t polygon = 0;
  for (int32_t a = 0; a + 1 < rings; a++)
    for (int32_t b = 0; b < AROUND; b++, polygon++) {
      int32_t next = (b + 1) % AROUND, *corner = begin_polygon(surface, polygon, 4);
      corner[0] = a * AROUND + b;
      corner[1] = (a + 1) * AROUND + b;
      corner[2] = (a + 1) * AROUND + next;
      corner[3] = a * AROUND + next;
    }
  int32_t *top = begin_polygon(surface, polygon, AROUND);
  int32_t *bottom = begin_polygon(surface, polygon + 1, AROUND);
  for (int32_t b = 0; b < AROUND; b++) {
    top[b] = b;
    bottom[b] = (rings - 1) * AROUND + (AROUND - 1 - b);
  }
  return SLIP_OK;
}

/* Two half-spheres, `half` above and below the middle. */
static SlipStatus capsule(SlipiSurface *surface, SlipiArena *arena, double r, double half,
                          SlipError *error) {
  double radius[2 * RINGS], height[2 * RINGS];
  for (int a = 0; a < RINGS; a++) {
    double angle = 0.5 * SLIPI_PI * a / (RINGS - 1);
    radius[a] = radius[2 * RINGS - 1 - a] = r * sin(angle);
    height[a] = half + r * cos(angle);
    height[2 * RINGS - 1 - a] = -height[a];
  }
  return revolve(surface, arena, 2 * RINGS, radius, height, error);
}

static SlipStatus cylinder(SlipiSurface *surface, SlipiArena *arena, double r, double half,
                           SlipError *error) {
  const double radius[2] = {r, r}, height[2] = {half, -half};
  return revolve(surface, arena, 2, radius, height, error);
}

/* ---- Flat faces ---------------------------------------------------------------------------- */

static SlipStatus box(SlipiSurface *surface, SlipiArena *arena, const double edges[3],
                      SlipError *error) {
  static const int32_t face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  SlipStatus status = reserve(surface, arena, 8, 6, 24, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t k = 0; k < 8; k++)
    put_point(surface, k, (k & 1 ? 0.5 : -0.5) * edges[0], (k & 2 ? 0.5 : -0.5) * edges[1],
              (k & 4 ? 0.5 : -0.5) * edges[2]);
  for (int32_t k = 0; k < 6; k++) {
    int32_t *corner = begin_polygon(surface, k, 4);
    for (int c = 0; c < 4; c++)
      corner[c] = face[k][c];
  }
  return SLIP_OK;
}

static SlipStatus one_polygon(SlipiSurface *surface, SlipiArena *arena, const double *points,
                              int32_t count, SlipError *error) {
  SlipStatus status = reserve(surface, arena, count, 1, count, error);
  if (status != SLIP_OK)
    return status;
  int32_t *corner = begin_polygon(surface, 0, count);
  for (int32_t k = 0; k < count; k++) {
    put_point(surface, k, points[3 * k], points[3 * k + 1], points[3 * k + 2]);
    corner[k] = k;
  }
  return SLIP_OK;
}

static SlipStatus disc(SlipiSurface *surface, SlipiArena *arena, double r, SlipError *error) {
  double points[3 * AROUND];
  for (int k = 0; k < AROUND; k++) {
    double angle = 2 * SLIPI_PI * k / AROUND;
    points[3 * k] = r * cos(angle);
    points[3 * k + 1] = r * sin(angle);
    points[3 * k + 2] = 0;
  }
  return one_polygon(surface, arena, points, AROUND, error);
}

/* Two directions in the plane that are square to n and to each other. */
static void span_plane(const double n[3], double a[3], double b[3]) {
  double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
  slipi_cross(n, axis, a);
  double length = slipi_length(a);
  for (int k = 0; k < 3; k++)
    a[k] /= length > 0 ? length : 1;
  slipi_cross(n, a, b);
}

static SlipStatus half_space(SlipiSurface *surface, SlipiArena *arena, const double normal[3],
                             int dimension, double extent, SlipError *error) {
  double a[3], b[3], points[12];
  double length = slipi_length(normal);
  double n[3] = {normal[0] / length, normal[1] / length, normal[2] / length};
  span_plane(n, a, b);
  if (dimension == 2) {
    const double along[3] = {-n[1], n[0], 0};
    slipi_along((const double[3]){0, 0, 0}, -extent, along, points);
    slipi_along((const double[3]){0, 0, 0}, extent, along, points + 3);
    return one_polygon(surface, arena, points, 2, error);
  }
  for (int k = 0; k < 4; k++) {
    double s = k == 0 || k == 3 ? -extent : extent, t = k < 2 ? -extent : extent;
    for (int c = 0; c < 3; c++)
      points[3 * k + c] = s * a[c] + t * b[c];
  }
  return one_polygon(surface, arena, points, 4, error);
}

static SlipStatus mesh(SlipiSurface *surface, SlipiArena *arena, const SlipShapeDef *def,
                       SlipError *error) {
  SlipStatus status = reserve(surface, arena, def->point_count, def->triangle_count,
                              3 * (int64_t)def->triangle_count, error);
  for (int32_t k = 0; status == SLIP_OK && k < def->point_count; k++)
    put_point(surface, k, def->points[3 * k], def->points[3 * k + 1], def->points[3 * k + 2]);
  for (int32_t k = 0; status == SLIP_OK && k < def->triangle_count; k++) {
    int32_t *corner = begin_polygon(surface, k, 3);
    for (int c = 0; c < 3; c++)
      corner[c] = def->triangles[3 * k + c];
  }
  return status;
}

static SlipStatus hull(SlipiSurface *surface, SlipiArena *arena, const SlipShapeDef *def,
                       int dimension, SlipError *error) {
  const SlipiHull *made = NULL;
  SlipStatus status =
      slipi_hull_make(def->points, def->point_count, dimension, arena, &made, error);
  if (status != SLIP_OK)
    return status;
  if (dimension == 2)
    return one_polygon(surface, arena, made->vertex, made->vertices, error);
  status =
      reserve(surface, arena, made->vertices, made->faces, made->face_start[made->faces], error);
  for (int32_t k = 0; status == SLIP_OK && k < made->vertices; k++)
    put_point(surface, k, made->vertex[3 * k], made->vertex[3 * k + 1], made->vertex[3 * k + 2]);
  for (int32_t k = 0; status == SLIP_OK && k < made->faces; k++) {
    int32_t count = made->face_start[k + 1] - made->face_start[k];
    int32_t *corner = begin_polygon(surface, k, count);
    for (int32_t c = 0; c < count; c++)
      corner[c] = made->face_vertex[made->face_start[k] + c];
  }
  return status;
}

/* ---- All of them ---------------------------------------------------------------------------- */

static SlipStatus make(const SlipShapeDef *def, int dimension, double extent, SlipiArena *arena,
                       SlipiSurface *surface, SlipError *error) {
  switch ((SlipShapeKind)def->kind) {
  case SLIP_SHAPE_SPHERE:
    return capsule(surface, arena, def->radius, 0, error);
  case SLIP_SHAPE_BOX:
    return box(surface, arena, def->edges, error);
  case SLIP_SHAPE_CAPSULE:
    return capsule(surface, arena, def->radius, 0.5 * def->length, error);
  case SLIP_SHAPE_CYLINDER:
    return cylinder(surface, arena, def->radius, 0.5 * def->length, error);
  case SLIP_SHAPE_HALF_SPACE:
    return half_space(surface, arena, def->normal, dimension, extent, error);
  case SLIP_SHAPE_HULL:
  case SLIP_SHAPE_POLYGON:
    return hull(surface, arena, def, dimension, error);
  case SLIP_SHAPE_MESH:
    return mesh(surface, arena, def, error);
  case SLIP_SHAPE_DISC:
    return disc(surface, arena, def->radius, error);
  case SLIP_SHAPE_SEGMENT:
    return one_polygon(surface, arena, def->points, def->point_count, error);
  }
  return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no shape of kind %d", def->kind);
}

SlipStatus slipi_surface_make(const SlipShapeDef *def, int dimension, double extent,
                              SlipiArena *arena, SlipiSurface *surface, SlipError *error) {
  SlipStatus status = make(def, dimension, extent, arena, surface, error);
  if (status != SLIP_OK)
    return status;
  SlipiPose pose;
  for (int k = 0; k < 3; k++)
    pose.position[k] = def->position[k];
  slipi_quaternion_matrix(def->rotation, pose.R);
  for (int32_t k = 0; k < surface->points; k++)
    slipi_pose_point(&pose, surface->point + 3 * k, surface->point + 3 * k);
  return SLIP_OK;
}
