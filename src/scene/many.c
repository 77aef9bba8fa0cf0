/* Arrangements of many bodies or shapes: grid, stack, wall, arch, copies along a line or circle. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/number.h"
#include "base/random.h"
#include "geom/vec.h"
#include "scene/forms.h"

static const double pi = SLIPI_PI;

/* A many block and its body. Places are found in the arrangement's own frame, whose origin
 * the bodies' position is. */
typedef struct Many {
  SlipiReader *reader;
  const SlipiNode *node;
  SlipiField fields[SLIPI_MANY_KEYS];
  const double *position, *rotation; /* of the body */
  int32_t most;
  SlipiArrangement *out;
} Many;

/* The axis that points upwards. */
static int up_axis(const Many *many) {
  return many->reader->dimension - 1;
}

static SlipStatus need(const Many *many, int32_t key) {
  char expects[128];
  const SlipiKey *known = &slipi_block_many.keys[key];
  if (many->fields[key].node)
    return SLIP_OK;
  return slipi_fail_node(
      many->reader->error, many->node, "%s lacks '%s' (%s)", slipi_path(many->reader), known->name,
      slipi_key_expects(known, many->reader->dimension, expects, sizeof expects));
}

/* Room for so many places, all at the origin. */
static SlipStatus make_room(Many *many, double count) {
  char number[SLIPI_NUMBER_TEXT];
  if (count > many->most)
    return slipi_fail_node(many->reader->error, many->node,
                           "%s would make %s of them; at most %d can be", slipi_path(many->reader),
                           slipi_number_text(count, number), many->most);
  SlipiPlace *places = SLIPI_ARENA_NEW(many->reader->arena, SlipiPlace, count);
  if (!places)
    return slipi_reader_memory(many->reader);
  many->out->places = places;
  many->out->count = (int32_t)count;
  for (int32_t k = 0; k < many->out->count; k++)
    places[k].rotation[0] = 1;
  return SLIP_OK;
}

static SlipStatus arrange_grid(Many *many) {
  const double *counts = many->fields[SLIPI_MANY_GRID].x;
  const double *spacing = many->fields[SLIPI_MANY_SPACING].x;
  int32_t nx = (int32_t)counts[0], ny = (int32_t)counts[1];
  int32_t nz = many->reader->dimension == 3 ? (int32_t)counts[2] : 1;
  SlipStatus status = need(many, SLIPI_MANY_SPACING);
  if (status == SLIP_OK)
    status = make_room(many, (double)nx * ny * nz);
  for (int32_t k = 0; status == SLIP_OK && k < many->out->count; k++) {
    const int32_t index[3] = {k % nx, k / nx % ny, k / nx / ny};
    for (int axis = 0; axis < 3; axis++)
      many->out->places[k].position[axis] = index[axis] * spacing[axis];
  }
  return status;
}

/* Turn each further than the one before, about z. */
static void turn_places(Many *many) {
  static const double z[3] = {0, 0, 1};
  double turn = many->fields[SLIPI_MANY_TURN].x[0] * (pi / 180);
  for (int32_t k = 0; turn != 0 && k < many->out->count; k++)
    slipi_axis_rotation(z, k * turn, many->out->places[k].rotation);
}

static SlipStatus arrange_stack(Many *many) {
  const SlipiField *spacing = &many->fields[SLIPI_MANY_SPACING];
  int up = up_axis(many);
  double pitch =
      spacing->node ? spacing->x[up] : slipi_form_extent(&many->out->form, many->rotation, up);
  if (!(pitch > 0 && isfinite(pitch)))
    return need(many, SLIPI_MANY_SPACING);
  SlipStatus status = make_room(many, many->fields[SLIPI_MANY_STACK].x[0]);
  for (int32_t k = 0; status == SLIP_OK && k < many->out->count; k++)
    many->out->places[k].position[up] = k * pitch;
  if (status == SLIP_OK)
    turn_places(many);
  return status;
}

/* One course of a wall; returns how many bricks it has. */
static int32_t lay_course(const double edges[3], double gap, int32_t bricks, bool shifted,
                          SlipiPlace *places) {
  double pitch = edges[0] + gap, half = (edges[0] - gap) / 2;
  if (!shifted) {
    for (int32_t k = 0; k < bricks; k++)
      places[k].position[0] = k * pitch;
    return bricks;
  }
  places[0].half = places[bricks].half = true;
  places[0].position[0] = -edges[0] / 2 + half / 2;
  places[bricks].position[0] = (bricks - 1) * pitch + edges[0] / 2 - half / 2;
  for (int32_t k = 1; k < bricks; k++)
    places[k].position[0] = (k - 0.5) * pitch;
  return bricks + 1;
}

static SlipStatus arrange_wall(Many *many) {
  double edges[3], gap = many->fields[SLIPI_MANY_GAP].x[0];
  const double *size = many->fields[SLIPI_MANY_WALL].x;
  int up = up_axis(many);
  if (!slipi_form_box(&many->out->form, edges) || !(gap < edges[0]))
    return slipi_fail_node(many->reader->error, many->node,
                           "%s: a wall is made of one box, longer than the gap",
                           slipi_path(many->reader));
  double courses = size[1], shifted = floor(courses / 2);
  SlipStatus status = SLIP_OK;
  if (size[0] != floor(size[0]) || courses != floor(courses))
    return slipi_fail_field(many->reader, &many->fields[SLIPI_MANY_WALL],
                            "%s.wall must be 2 whole numbers", slipi_path(many->reader));
  status = make_room(many, size[0] * courses + shifted);
  if (status != SLIP_OK)
    return status;
  SlipiPlace *places = many->out->places;
  for (int32_t course = 0; course < (int32_t)courses; course++) {
    int32_t laid = lay_course(edges, gap, (int32_t)size[0], course % 2 == 1, places);
    for (int32_t k = 0; k < laid; k++)
      places[k].position[up] = course * (edges[up] + gap);
    places += laid;
  }
  double half[3] = {(edges[0] - gap) / 2, edges[1], edges[2]};
  return slipi_box_form(many->reader, half, &many->out->half);
}

/* A voussoir about the point of the middle line at its middle, the radius upwards. */
static SlipStatus make_voussoir(Many *many, double radius, double angle) {
  double thickness = many->fields[SLIPI_MANY_THICKNESS].x[0];
  double depth = many->fields[SLIPI_MANY_DEPTH].x[0];
  bool solid = many->reader->dimension == 3;
  int32_t count = solid ? 8 : 4;
  SlipShapeDef *shape = SLIPI_ARENA_NEW(many->reader->arena, SlipShapeDef, 1);
  double *points = SLIPI_ARENA_NEW(many->reader->arena, double, 24);
  if (!shape || !points)
    return slipi_reader_memory(many->reader);
  for (int32_t k = 0; k < count; k++) {
    double side = (k & 1) ? angle / 2 : -angle / 2;
    double r = radius + ((k & 2) ? thickness / 2 : -thickness / 2);
    points[3 * k] = r * sin(side);
    points[3 * k + 1] = (k & 4) ? depth / 2 : -depth / 2;
    points[3 * k + up_axis(many)] = r * cos(side) - radius;
  }
  *shape = slip_default_shape_def();
  shape->kind = solid ? SLIP_SHAPE_HULL : SLIP_SHAPE_POLYGON;
  shape->points = points;
  shape->point_count = count;
  many->out->form = (SlipiForm){shape, 1};
  return SLIP_OK;
}

static SlipStatus arrange_arch(Many *many) {
  const SlipiField *degrees = &many->fields[SLIPI_MANY_DEGREES];
  double count = many->fields[SLIPI_MANY_ARCH].x[0], radius = many->fields[SLIPI_MANY_RADIUS].x[0];
  double whole = (degrees->node ? degrees->x[0] : 180) * (pi / 180), angle = whole / count;
  const double turn_axis[2][3] = {{0, 0, -1}, {0, 1, 0}};
  int up = up_axis(many);
  SlipStatus status = need(many, SLIPI_MANY_RADIUS);
  if (status == SLIP_OK)
    status = need(many, SLIPI_MANY_THICKNESS);
  if (status == SLIP_OK && (many->fields[SLIPI_MANY_THICKNESS].x[0] >= 2 * radius || angle >= pi))
    status = slipi_fail_node(many->reader->error, many->node,
                             "%s: an arch is thinner than twice its radius, and a voussoir spans "
                             "less than 180 degrees",
                             slipi_path(many->reader));
  if (status == SLIP_OK)
    status = make_room(many, count);
  for (int32_t k = 0; status == SLIP_OK && k < many->out->count; k++) {
    double theta = -whole / 2 + (k + 0.5) * angle; /* from the vertical, towards +x */
    many->out->places[k].position[0] = radius * sin(theta);
    many->out->places[k].position[up] = radius * cos(theta);
    slipi_axis_rotation(turn_axis[up - 1], theta, many->out->places[k].rotation);
  }
  return status == SLIP_OK ? make_voussoir(many, radius, angle) : status;
}

static void arrange_line(Many *many) {
  const double *to = many->fields[SLIPI_MANY_TO].x;
  int32_t count = many->out->count;
  for (int32_t k = 0; k < count; k++)
    for (int axis = 0; axis < 3; axis++)
      many->out->places[k].position[axis] =
          count > 1 ? (to[axis] - many->position[axis]) * k / (count - 1) : 0;
  turn_places(many);
}

/* Two directions across a unit vector: the first on the side of +x, or of +y where x is along it.
 */
static void across(const double axis[3], double e1[3], double e2[3]) {
  double side[3] = {0, 0, 0};
  side[fabs(axis[0]) > 0.9 ? 1 : 0] = 1;
  slipi_along(side, -slipi_dot3(side, axis), axis, e1);
  double length = slipi_length(e1);
  for (int k = 0; k < 3; k++)
    e1[k] /= length;
  slipi_cross(axis, e1, e2);
}

static SlipStatus arrange_circle(Many *many) {
  const SlipiField *turn = &many->fields[SLIPI_MANY_AXIS];
  const SlipiField *degrees = &many->fields[SLIPI_MANY_DEGREES];
  double radius = many->fields[SLIPI_MANY_RADIUS].x[0], axis[3] = {0, 0, 1}, e1[3], e2[3];
  double whole = degrees->node ? degrees->x[0] : 360;
  SlipStatus status = SLIP_OK;
  if (turn->node)
    status = slipi_unit_vector(many->reader, turn, &slipi_block_many.keys[SLIPI_MANY_AXIS], axis);
  if (status != SLIP_OK)
    return status;
  int32_t count = many->out->count, parts = whole == 360 || count == 1 ? count : count - 1;
  across(axis, e1, e2);
  for (int32_t k = 0; k < count; k++) {
    double angle = whole * (pi / 180) * k / parts;
    double *position = many->out->places[k].position;
    for (int j = 0; j < 3; j++)
      position[j] = radius * (cos(angle) * e1[j] + sin(angle) * e2[j]);
    slipi_axis_rotation(axis, angle, many->out->places[k].rotation);
  }
  return SLIP_OK;
}

static SlipStatus arrange_along(Many *many) {
  const SlipiField *to = &many->fields[SLIPI_MANY_TO], *radius = &many->fields[SLIPI_MANY_RADIUS];
  static const int32_t round[] = {SLIPI_MANY_AXIS, SLIPI_MANY_DEGREES};
  if ((to->node != NULL) == (radius->node != NULL))
    return slipi_fail_node(many->reader->error, many->node,
                           "%s must have either 'to' (a line) or 'radius' (a circle)",
                           slipi_path(many->reader));
  for (int k = 0; to->node && k < 2; k++)
    if (many->fields[round[k]].node)
      return slipi_fail_field(many->reader, &many->fields[round[k]],
                              "%s.%s is for circles, not for a line", slipi_path(many->reader),
                              slipi_block_many.keys[round[k]].name);
  if (radius->node && many->fields[SLIPI_MANY_TURN].node)
    return slipi_fail_field(many->reader, &many->fields[SLIPI_MANY_TURN],
                            "%s.turn is for a line, not for circles", slipi_path(many->reader));
  SlipStatus status = make_room(many, many->fields[SLIPI_MANY_ALONG].x[0]);
  if (status != SLIP_OK || radius->node)
    return status == SLIP_OK ? arrange_circle(many) : status;
  arrange_line(many);
  return SLIP_OK;
}

static SlipStatus arrange_random(Many *many) {
  double radius = slipi_form_radius(&many->out->form);
  SlipStatus status = need(many, SLIPI_MANY_REGION);
  if (status == SLIP_OK && !(radius > 0 && isfinite(radius)))
    status = slipi_fail_node(many->reader->error, many->node,
                             "%s needs a shape of finite size to keep bodies apart",
                             slipi_path(many->reader));
  if (status == SLIP_OK)
    status = make_room(many, many->fields[SLIPI_MANY_RANDOM].x[0]);
  return status == SLIP_OK ? slipi_scatter(many->reader, many->node, many->fields, radius,
                                           many->out->places, many->out->count)
                           : status;
}

static SlipStatus arrange(Many *many, int32_t kind) {
  switch (kind) {
  case SLIPI_MANY_GRID:
    return arrange_grid(many);
  case SLIPI_MANY_RANDOM:
    return arrange_random(many);
  case SLIPI_MANY_STACK:
    return arrange_stack(many);
  case SLIPI_MANY_WALL:
    return arrange_wall(many);
  case SLIPI_MANY_ARCH:
    return arrange_arch(many);
  default:
    return arrange_along(many);
  }
}

/* Keys that mean nothing to this arrangement are mistakes. */
static SlipStatus check_keys(const Many *many, int32_t kind) {
  for (int32_t k = 0; k < SLIPI_MANY_KEYS; k++) {
    const SlipiKey *key = &slipi_block_many.keys[k];
    if (many->fields[k].node && key->with != 0 && !(key->with & (1u << kind)))
      return slipi_fail_field(many->reader, &many->fields[k], "%s.%s does not go with %s",
                              slipi_path(many->reader), key->name,
                              slipi_block_many.keys[kind].name);
  }
  return SLIP_OK;
}

static void jitter(Many *many) {
  double most = many->fields[SLIPI_MANY_JITTER].x[0];
  SlipiRandom random;
  slipi_random_seed(&random, (uint64_t)many->fields[SLIPI_MANY_SEED].x[0]);
  for (int32_t k = 0; most > 0 && k < many->out->count; k++)
    for (int axis = 0; axis < many->reader->dimension; axis++)
      many->out->places[k].position[axis] += slipi_random_between(&random, -most, most);
}

/* From the arrangement's frame to that of the body, whose own rotation comes first. */
static void settle(Many *many, const double turn[4]) {
  double R[9];
  slipi_quaternion_matrix(turn, R);
  for (int32_t k = 0; k < many->out->count; k++) {
    SlipiPlace *place = &many->out->places[k];
    slipi_rotate(R, place->position, place->position);
    slipi_along(many->position, 1, place->position, place->position);
    slipi_quaternion_product(turn, place->rotation, place->rotation);
    slipi_quaternion_product(place->rotation, many->rotation, place->rotation);
  }
}

static void set_masses(Many *many) {
  const SlipiField *masses = &many->fields[SLIPI_MANY_MASSES];
  int32_t count = many->out->count;
  for (int32_t k = 0; masses->node && k < count; k++)
    many->out->places[k].mass =
        count > 1 ? masses->x[0] * pow(masses->x[1] / masses->x[0], (double)k / (count - 1))
                  : masses->x[0];
}

SlipStatus slipi_read_many(SlipiReader *reader, const SlipiNode *node, const SlipiForm *form,
                           const double position[3], const double rotation[4], int32_t most,
                           SlipiArrangement *arrangement) {
  Many many = {.reader = reader,
               .node = node,
               .position = position,
               .rotation = rotation,
               .most = most,
               .out = arrangement};
  double turn[4];
  int32_t kind = 0;
  *arrangement = (SlipiArrangement){.form = *form};
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_many, many.fields);
  if (status == SLIP_OK)
    status =
        slipi_block_kind(reader, node, &slipi_block_many, many.fields, SLIPI_MANY_SPACING, &kind);
  if (status == SLIP_OK)
    status = check_keys(&many, kind);
  if (status == SLIP_OK)
    status = slipi_read_rotation(reader, &many.fields[SLIPI_MANY_ROTATION], turn);
  if (status == SLIP_OK)
    status = arrange(&many, kind);
  if (status != SLIP_OK)
    return status;
  jitter(&many);
  settle(&many, turn);
  set_masses(&many);
  return SLIP_OK;
}
