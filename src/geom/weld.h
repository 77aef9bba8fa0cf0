/* Points that are at one place: files repeat them for every triangle. */
#ifndef SLIPI_GEOM_WELD_H
#define SLIPI_GEOM_WELD_H

#include "base/arena.h"

/* For each point (3 finite numbers) the first one with the same coordinates; false when memory is
 * out. */
bool slipi_weld(const double *points, int32_t count, SlipiArena *scratch, int32_t *same);

#endif
