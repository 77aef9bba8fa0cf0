/* The narrow phase: which function knows a pair of shapes. */
#include "geom/collide_pair.h"

#include <stdlib.h>

enum { KINDS = SLIP_SHAPE_SEGMENT + 1 };

/* A pair is known in one order; the other is the same with both sides exchanged. */
static const SlipiMeet meet[KINDS][KINDS] = {
    [SLIP_SHAPE_SPHERE] = {[SLIP_SHAPE_SPHERE] = slipi_meet_sphere_sphere,
                           [SLIP_SHAPE_CAPSULE] = slipi_meet_sphere_capsule,
                           [SLIP_SHAPE_CYLINDER] = slipi_meet_sphere_cylinder,
                           [SLIP_SHAPE_BOX] = slipi_meet_sphere_box,
                           [SLIP_SHAPE_HULL] = slipi_meet_solids,
                           [SLIP_SHAPE_HALF_SPACE] = slipi_meet_sphere_half_space,
                           [SLIP_SHAPE_MESH] = slipi_meet_solid_mesh},
    [SLIP_SHAPE_CAPSULE] = {[SLIP_SHAPE_CAPSULE] = slipi_meet_capsule_capsule,
                            [SLIP_SHAPE_BOX] = slipi_meet_solids,
                            [SLIP_SHAPE_HULL] = slipi_meet_solids,
                            [SLIP_SHAPE_HALF_SPACE] = slipi_meet_capsule_half_space,
                            [SLIP_SHAPE_MESH] = slipi_meet_solid_mesh},
    [SLIP_SHAPE_CYLINDER] = {[SLIP_SHAPE_CYLINDER] = slipi_meet_cylinders,
                             [SLIP_SHAPE_CAPSULE] = slipi_meet_cylinder_solid,
                             [SLIP_SHAPE_BOX] = slipi_meet_cylinder_solid,
                             [SLIP_SHAPE_HULL] = slipi_meet_cylinder_solid,
                             [SLIP_SHAPE_HALF_SPACE] = slipi_meet_cylinder_half_space,
                             [SLIP_SHAPE_MESH] = slipi_meet_solid_mesh},
    [SLIP_SHAPE_BOX] = {[SLIP_SHAPE_BOX] = slipi_meet_solids,
                        [SLIP_SHAPE_HULL] = slipi_meet_solids,
                        [SLIP_SHAPE_HALF_SPACE] = slipi_meet_box_half_space,
                        [SLIP_SHAPE_MESH] = slipi_meet_solid_mesh},
    [SLIP_SHAPE_HULL] = {[SLIP_SHAPE_HULL] = slipi_meet_solids,
                         [SLIP_SHAPE_MESH] = slipi_meet_solid_mesh,
                         [SLIP_SHAPE_HALF_SPACE] = slipi_meet_hull_half_space},
    [SLIP_SHAPE_DISC] = {[SLIP_SHAPE_DISC] = slipi_meet_outlines,
                         [SLIP_SHAPE_POLYGON] = slipi_meet_outlines,
                         [SLIP_SHAPE_SEGMENT] = slipi_meet_outlines,
                         [SLIP_SHAPE_HALF_SPACE] = slipi_meet_sphere_half_space},
    [SLIP_SHAPE_POLYGON] = {[SLIP_SHAPE_POLYGON] = slipi_meet_outlines,
                            [SLIP_SHAPE_SEGMENT] = slipi_meet_outlines,
                            [SLIP_SHAPE_HALF_SPACE] = slipi_meet_hull_half_space},
};

static bool grow(SlipiTouchList *list) {
  int32_t capacity = list->capacity ? 2 * list->capacity : 64;
  if (capacity < list->capacity)
    return false;
  SlipiTouchPoint *points = realloc(list->points, (size_t)capacity * sizeof *points);
  if (!points)
    return false;
  list->points = points;
  list->capacity = capacity;
  return true;
}

void slipi_touch_list_free(SlipiTouchList *list) {
  free(list->points);
  free(list->scratch[0]);
  free(list->scratch[1]);
  *list = (SlipiTouchList){0};
}

bool slipi_touch_add(const SlipiMeeting *m, const double on_b[3], const double normal[3],
                     double gap, uint32_t feature_a, uint32_t feature_b) {
  SlipiTouchList *list = m->list;
  if (list->count == list->capacity && !grow(list))
    return false;
  SlipiTouchPoint *point = &list->points[list->count++];
  for (int k = 0; k < 3; k++) {
    point->on_b[k] = m->pose_b->position[k] + on_b[k];
    point->on_a[k] = m->pose_b->position[k] + (on_b[k] + gap * normal[k]);
    point->normal[k] = normal[k];
  }
  point->gap = gap;
  point->feature_a = feature_a;
  point->feature_b = feature_b;
  return true;
}

void slipi_touch_exchange(SlipiTouchList *list, int32_t first) {
  for (int32_t i = first; i < list->count; i++) {
    SlipiTouchPoint *point = &list->points[i];
    for (int k = 0; k < 3; k++) {
      double on_a = point->on_a[k];
      point->on_a[k] = point->on_b[k];
      point->on_b[k] = on_a;
      point->normal[k] = -point->normal[k];
    }
    uint32_t feature = point->feature_a;
    point->feature_a = point->feature_b;
    point->feature_b = feature;
  }
}

bool slipi_collide(const SlipiShape *a, const SlipiPose *pose_a, const SlipiShape *b,
                   const SlipiPose *pose_b, double reach, SlipiTouchList *list) {
  bool other = !meet[a->kind][b->kind];
  SlipiMeet function = other ? meet[b->kind][a->kind] : meet[a->kind][b->kind];
  if (!function)
    return true;
  SlipiMeeting m = {.a = a, .b = b, .pose_a = pose_a, .pose_b = pose_b, .reach = reach};
  if (other)
    m = (SlipiMeeting){.a = b, .b = a, .pose_a = pose_b, .pose_b = pose_a, .reach = reach};
  m.list = list;
  slipi_sub(m.pose_a->position, m.pose_b->position, m.apart);
  int32_t first = list->count;
  bool found = function(&m);
  if (other)
    slipi_touch_exchange(list, first);
  return found;
}
