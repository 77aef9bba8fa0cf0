#include "geom/weld.h"

#include <stdlib.h>
#include <string.h>

typedef struct Place {
  double x[3];
  int32_t point;
} Place;

static int compare_places(const void *a, const void *b) {
  const Place *left = a, *right = b;
  for (int k = 0; k < 3; k++)
    if (left->x[k] != right->x[k])
      return left->x[k] < right->x[k] ? -1 : 1;
  return (left->point > right->point) - (left->point < right->point);
}

bool slipi_weld(const double *points, int32_t count, SlipiArena *scratch, int32_t *same) {
  Place *place = SLIPI_ARENA_RAW(scratch, Place, count);
  if (!place)
    return false;
  for (int32_t p = 0; p < count; p++) {
    memcpy(place[p].x, points + 3 * (size_t)p, sizeof place[p].x);
    place[p].point = p;
  }
  qsort(place, (size_t)count, sizeof *place, compare_places);
  for (int32_t k = 0, first = 0; k < count; k++) {
    for (int axis = 0; axis < 3; axis++)
      if (place[k].x[axis] != place[first].x[axis])
        first = k;
    same[place[k].point] = place[first].point;
  }
  return true;
}
