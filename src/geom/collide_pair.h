/* Inside the narrow phase: one pair of shapes, and the functions for each two kinds of shape.
 *
 * Everything is computed from the difference of the two positions, in world axes with the position
 * of b as origin, or in the axes of b: a scene far from the origin loses no digits but those of the
 * coordinates it is written with. */
#ifndef SLIPI_GEOM_COLLIDE_PAIR_H
#define SLIPI_GEOM_COLLIDE_PAIR_H

#include "geom/collide.h"

/* Lengths that differ by less than this share of a shape's size are the same to the narrow phase.
 */
#define SLIPI_TOUCH_TOLERANCE 1e-10

typedef struct SlipiMeeting {
  const SlipiShape *a, *b;
  const SlipiPose *pose_a, *pose_b;
  double apart[3]; /* position of a minus position of b */
  double reach;
  SlipiTouchList *list;
} SlipiMeeting;

/* Appends the points of a pair whose two kinds it knows; false when memory is out. */
typedef bool (*SlipiMeet)(const SlipiMeeting *m);

/* Names of features: a tag and an index that the shape's own parts keep while it moves. */
enum { SLIPI_FEATURE_FACE = 1, SLIPI_FEATURE_EDGE = 2, SLIPI_FEATURE_VERTEX = 3 };

static inline uint32_t slipi_feature(uint32_t tag, uint32_t index) {
  return tag << 30 | (index & 0x3fffffffU);
}

/* An edge has the name of its two vertices, whichever face it is seen from. */
static inline uint32_t slipi_feature_edge(uint32_t v, uint32_t w) {
  uint32_t low = v < w ? v : w, high = v < w ? w : v;
  return slipi_feature(SLIPI_FEATURE_EDGE, (low & 0x7fff) << 15 | (high & 0x7fff));
}

/* Append a point; `on_b` is relative to the position of b, in world axes. */
bool slipi_touch_add(const SlipiMeeting *m, const double on_b[3], const double normal[3],
                     double gap, uint32_t feature_a, uint32_t feature_b);

/* The points from `first` on, seen from the other side. */
void slipi_touch_exchange(SlipiTouchList *list, int32_t first);

bool slipi_meet_sphere_sphere(const SlipiMeeting *m);
bool slipi_meet_sphere_capsule(const SlipiMeeting *m);
bool slipi_meet_sphere_cylinder(const SlipiMeeting *m);
bool slipi_meet_sphere_box(const SlipiMeeting *m);
bool slipi_meet_capsule_capsule(const SlipiMeeting *m);

bool slipi_meet_sphere_half_space(const SlipiMeeting *m);
bool slipi_meet_capsule_half_space(const SlipiMeeting *m);
bool slipi_meet_cylinder_half_space(const SlipiMeeting *m);
bool slipi_meet_box_half_space(const SlipiMeeting *m);
bool slipi_meet_hull_half_space(const SlipiMeeting *m);

/* A solid (as a) on a triangle mesh. */
bool slipi_meet_solid_mesh(const SlipiMeeting *m);

/* 2D: discs, polygons and segments with each other. */
bool slipi_meet_outlines(const SlipiMeeting *m);

/* Boxes and hulls with each other, and spheres and capsules (as a) against them. */
bool slipi_meet_solids(const SlipiMeeting *m);
/* Cylinders (as a) against capsules, boxes and hulls. */
bool slipi_meet_cylinder_solid(const SlipiMeeting *m);
bool slipi_meet_cylinders(const SlipiMeeting *m);

#endif
