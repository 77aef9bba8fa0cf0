/* Surfaces of shapes as polygons, to be drawn. */
#ifndef SLIPI_RECORD_SURFACE_H
#define SLIPI_RECORD_SURFACE_H

#include "base/arena.h"
#include "base/error.h"
#include <slipcone/sim.h>

/* Points in the frame of the body; polygon k has the corners corner[first[k]] to
 * corner[first[k + 1] - 1]. A segment is a polygon of two corners. */
typedef struct SlipiSurface {
  int32_t points, polygons;
  double *point;  /* 3 each */
  int32_t *first; /* polygons + 1 */
  int32_t *corner;
} SlipiSurface;

/* `extent` is half the width of the square that stands for a half-space (in 2D: for its edge). */
SlipStatus slipi_surface_make(const SlipShapeDef *def, int dimension, double extent,
                              SlipiArena *arena, SlipiSurface *surface, SlipError *error);

#endif
