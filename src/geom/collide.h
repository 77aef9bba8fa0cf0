/* Where two shapes touch, or nearly do. */
#ifndef SLIPI_GEOM_COLLIDE_H
#define SLIPI_GEOM_COLLIDE_H

#include "geom/shape.h"

/* One contact point. The normal is a unit vector that points from b into a; gap is negative where
 * they overlap: on_a = on_b + gap normal. The features (face, edge, vertex or face-clip-edge, as a
 * number) name the point among those of the pair for as long as it lasts. */
typedef struct SlipiTouchPoint {
  double on_a[3], on_b[3], normal[3], gap;
  uint32_t feature_a, feature_b;
} SlipiTouchPoint;

/* A list that keeps its memory; begin with one of zeros. */
typedef struct SlipiTouchList {
  SlipiTouchPoint *points;
  int32_t count, capacity;
  void *scratch[2]; /* for faces of many corners */
  size_t scratch_size[2];
} SlipiTouchList;

void slipi_touch_list_free(SlipiTouchList *list);

/* Append the points of the pair with gap <= reach: all of a flat patch's corners, one of a rounded
 * pair. Obstacles without inside (half-spaces, meshes, segments) do not touch each other. False
 * when memory is out. */
bool slipi_collide(const SlipiShape *a, const SlipiPose *pose_a, const SlipiShape *b,
                   const SlipiPose *pose_b, double reach, SlipiTouchList *list);

#endif
