/* The page of web/viewer with a trajectory, or a problem and its solution, inside; docs/viewer.md
 * lists its parts. */
#ifndef SLIPI_RECORD_VIEWER_H
#define SLIPI_RECORD_VIEWER_H

#include "base/arena.h"
#include "base/text.h"
#include <slipcone/record.h>

/* web/viewer/, as the build embeds it. */
extern const char slipi_viewer_page[], slipi_viewer_style[], slipi_viewer_script[];

/* Put the parts into the page and write it. */
SlipStatus slipi_viewer_write(const char *path, const SlipiText *parts, SlipError *error);

/* A part of texts, each ended by a zero; NULL is empty. */
void slipi_viewer_pack_texts(SlipiText *parts, const char *name, const char *const *text,
                             int64_t count);

/* A trajectory on its way into the page. */
typedef struct SlipiViewer {
  SlipTrajectory *trajectory;
  const SlipTrajectoryInfo *info;
  SlipiArena arena;
  SlipiText parts;
  int64_t every;                  /* frames of the trajectory for one of the page */
  int64_t frames;                 /* of the page */
  int64_t contacts;               /* to keep of all frames together */
  double low[3], high[3];         /* of the positions of all frames */
  double *frame_low, *frame_high; /* 3 each: of the bodies that move, in each frame */
  int32_t *frame_contacts;
  uint8_t *moves; /* whether a body ever does */
  double *radius; /* of the ball about a body's origin that holds its shapes, 0: unbounded */
  double quantum; /* of positions */
} SlipiViewer;

/* Frame k of the page. */
SlipStatus slipi_viewer_frame(SlipiViewer *viewer, int64_t k, SlipSimState *state,
                              SlipError *error);
/* Note the box of the bodies that move. */
void slipi_viewer_box(SlipiViewer *viewer, int64_t k, const SlipSimState *state);
/* A coordinate in quanta, as a whole number of moderate size whatever the file holds. */
int32_t slipi_viewer_quanta(double value, double quantum);

/* Shapes, and the radii of bodies. */
SlipStatus slipi_viewer_add_shapes(SlipiViewer *viewer, SlipError *error);
SlipStatus slipi_viewer_add_motion(SlipiViewer *viewer, SlipError *error);
/* Deformable bodies, where there are any. */
SlipStatus slipi_viewer_add_softs(SlipiViewer *viewer, SlipError *error);
SlipStatus slipi_viewer_add_contacts(SlipiViewer *viewer, SlipError *error);

#endif
