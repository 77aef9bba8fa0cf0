/* Which boxes overlap: pairs of axis-aligned boxes, sorted, in time linear in their number. */
#ifndef SLIPI_GEOM_BROAD_H
#define SLIPI_GEOM_BROAD_H

#include "base/team.h"
#include <stdbool.h>

typedef struct SlipiBroad SlipiBroad;

SlipiBroad *slipi_broad_create(void);
void slipi_broad_free(SlipiBroad *broad);

/* Boxes low, high (3 each); boxes may be infinite, and touch where only their sides do. `group` and
 * `still` may be NULL. Boxes with the same `group` (not negative) and
 * pairs of two boxes with `still` set are left out. Pairs (i < j) come sorted by i, then j, and
 * stay until the next call; memory is kept. False when memory is out. */
bool slipi_broad_pairs(SlipiBroad *broad, int32_t count, const double *low, const double *high,
                       const int32_t *group, const uint8_t *still, SlipiTeam *team,
                       const int32_t **pairs, int64_t *pair_count);

#endif
