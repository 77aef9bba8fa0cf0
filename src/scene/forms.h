/* The shapes of bodies and of parts of compounds, and arrangements of many of them. */
#ifndef SLIPI_SCENE_FORMS_H
#define SLIPI_SCENE_FORMS_H

#include <slipcone/sim.h>

#include "scene/reader.h"

enum {
  SLIPI_MOST_SHAPES = 100000,   /* of one body */
  SLIPI_MOST_BODIES = 10000000, /* of a scene */
  SLIPI_MOST_POINTS = 10000000  /* of a hull or mesh */
};

/* The shapes of a body, or of a part of it, in its frame. */
typedef struct SlipiForm {
  const SlipShapeDef *shapes;
  int32_t count;
} SlipiForm;

/* Where one of many is. */
typedef struct SlipiPlace {
  double position[3], rotation[4];
  double mass; /* 0: not told */
  bool half;   /* it has the arrangement's second form */
} SlipiPlace;

typedef struct SlipiArrangement {
  SlipiPlace *places;
  int32_t count;
  SlipiForm form; /* of an arch: its voussoirs'; else that which was given */
  SlipiForm half; /* of a wall: half a brick */
} SlipiArrangement;

/* A shape block; the path is its own. */
SlipStatus slipi_read_form(SlipiReader *reader, const SlipiNode *node, SlipiForm *form);

/* The extent of a form along an axis (0, 1, 2) once it is turned; infinite for half-spaces. */
double slipi_form_extent(const SlipiForm *form, const double rotation[4], int axis);
/* The radius of the sphere about the origin that holds it. */
double slipi_form_radius(const SlipiForm *form);
/* Whether it is one box (rectangle in 2D) about the origin; its edges then. */
bool slipi_form_box(const SlipiForm *form, double edges[3]);

/* One box with the given edges. */
SlipStatus slipi_box_form(SlipiReader *reader, const double edges[3], SlipiForm *form);

/* A many block: places of bodies with this form (none: shapes NULL), position and rotation; the
 * path is its own. At most `most` are made. */
SlipStatus slipi_read_many(SlipiReader *reader, const SlipiNode *node, const SlipiForm *form,
                           const double position[3], const double rotation[4], int32_t most,
                           SlipiArrangement *arrangement);

/* Random places without overlap: many_random.c. */
SlipStatus slipi_scatter(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                         double radius, SlipiPlace *places, int32_t count);

/* The bytes of a file that stands beside the scene, of malloc's; the node names it. */
SlipStatus slipi_read_beside(SlipiReader *reader, const SlipiNode *node, char **bytes,
                             size_t *size);
/* What a file's own reader says of it: the sentence gets the place in the scene before it. */
SlipStatus slipi_fail_beside(SlipiReader *reader, const SlipiNode *node, const SlipError *inner);
bool slipi_ends_with(const char *text, const char *end);

/* Points and triangles of a mesh file into the shape; the path is that of its key. */
SlipStatus slipi_read_mesh(SlipiReader *reader, const SlipiNode *node, SlipShapeDef *shape);

#endif
