/* What a frame looks like to other programs: surfaces of all shapes where their bodies are, and the
 * contacts as arrays. */
#ifndef SLIPI_RECORD_POSED_H
#define SLIPI_RECORD_POSED_H

#include "base/arena.h"
#include "record/surface.h"
#include <slipcone/record.h>

typedef struct SlipiPosed {
  SlipTrajectory *trajectory;
  const SlipTrajectoryInfo *info;
  SlipiSurface *surface; /* of each shape */
  int32_t *body;         /* of each shape */
  int64_t points, polygons, corners;
  int64_t *connectivity, *offsets; /* points of all polygons, and where each ends */
  float *position, *velocity;      /* of each point; of each polygon */
  int32_t *polygon_body;
} SlipiPosed;

/* The surfaces of a trajectory, which has a frame. */
SlipStatus slipi_posed_make(SlipTrajectory *trajectory, SlipiArena *arena, SlipiPosed *posed,
                            SlipError *error);
/* Positions and velocities of a frame. */
SlipStatus slipi_posed_move(SlipiPosed *posed, int64_t frame, const SlipSimState *state,
                            SlipError *error);

/* Contacts, one array a quantity. */
typedef struct SlipiPosedContacts {
  double *position, *normal, *impulse, *gap;
  int32_t *status, *bodies;
  int64_t *number, *end; /* k and k + 1 */
} SlipiPosedContacts;

bool slipi_posed_contacts(const SlipSimState *state, SlipiArena *arena, SlipiPosedContacts *to);

/* Make the folder where it is not there yet. */
SlipStatus slipi_posed_folder(const char *folder, SlipError *error);

#endif
