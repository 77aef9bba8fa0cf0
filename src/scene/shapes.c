/* Shape blocks to definitions of shapes. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "geom/vec.h"
#include "scene/forms.h"

/* ---- Measures ------------------------------------------------------------------------------ */

/* How far a shape reaches in a direction of its own frame, from its origin. */
static double reach_of(const SlipShapeDef *def, const double d[3]) {
  double reach = 0;
  switch ((SlipShapeKind)def->kind) {
  case SLIP_SHAPE_SPHERE:
  case SLIP_SHAPE_DISC:
    return def->radius;
  case SLIP_SHAPE_BOX:
    for (int k = 0; k < 3; k++)
      reach += fabs(d[k]) * def->edges[k] / 2;
    return reach;
  case SLIP_SHAPE_CAPSULE:
    return def->radius + fabs(d[2]) * def->length / 2;
  case SLIP_SHAPE_CYLINDER:
    return def->radius * hypot(d[0], d[1]) + fabs(d[2]) * def->length / 2;
  case SLIP_SHAPE_HALF_SPACE:
    return INFINITY;
  default:
    reach = -INFINITY;
    for (int32_t k = 0; k < def->point_count; k++)
      reach = fmax(reach, slipi_dot3(def->points + 3 * (size_t)k, d));
    return reach;
  }
}

static double farthest_of(const SlipShapeDef *def) {
  double radius = 0;
  switch ((SlipShapeKind)def->kind) {
  case SLIP_SHAPE_SPHERE:
  case SLIP_SHAPE_DISC:
    return def->radius;
  case SLIP_SHAPE_BOX:
    return slipi_length(def->edges) / 2;
  case SLIP_SHAPE_CAPSULE:
    return def->radius + def->length / 2;
  case SLIP_SHAPE_CYLINDER:
    return hypot(def->radius, def->length / 2);
  case SLIP_SHAPE_HALF_SPACE:
    return INFINITY;
  default:
    for (int32_t k = 0; k < def->point_count; k++)
      radius = fmax(radius, slipi_length(def->points + 3 * (size_t)k));
    return radius;
  }
}

double slipi_form_extent(const SlipiForm *form, const double rotation[4], int axis) {
  double most[2] = {-INFINITY, -INFINITY}, body[9], shape[9];
  slipi_quaternion_matrix(rotation, body);
  for (int32_t k = 0; k < form->count; k++) {
    const SlipShapeDef *def = &form->shapes[k];
    slipi_quaternion_matrix(def->rotation, shape);
    for (int side = 0; side < 2; side++) {
      double d[3] = {0, 0, 0}, local[3];
      d[axis] = side == 0 ? 1 : -1;
      slipi_rotate_back(body, d, d);
      slipi_rotate_back(shape, d, local);
      most[side] = fmax(most[side], slipi_dot3(def->position, d) + reach_of(def, local));
    }
  }
  return form->count > 0 ? most[0] + most[1] : 0;
}

double slipi_form_radius(const SlipiForm *form) {
  double radius = 0;
  for (int32_t k = 0; k < form->count; k++)
    radius = fmax(radius, slipi_length(form->shapes[k].position) + farthest_of(&form->shapes[k]));
  return radius;
}

bool slipi_form_box(const SlipiForm *form, double edges[3]) {
  if (form->count != 1 || slipi_length(form->shapes->position) > 0 ||
      form->shapes->rotation[0] != 1)
    return false;
  const SlipShapeDef *def = form->shapes;
  memcpy(edges, def->edges, sizeof def->edges); /* a rectangle keeps them too */
  return def->kind == SLIP_SHAPE_BOX || (def->kind == SLIP_SHAPE_POLYGON && edges[0] > 0);
}

/* ---- Single shapes ------------------------------------------------------------------------- */

/* In 2D a box is a polygon, which keeps the edges for slipi_form_box. */
static bool set_box(SlipiReader *reader, const double edges[3], SlipShapeDef *shape) {
  memcpy(shape->edges, edges, sizeof shape->edges);
  shape->kind = SLIP_SHAPE_BOX;
  if (reader->dimension == 3)
    return true;
  double x = edges[0] / 2, y = edges[1] / 2;
  const double corners[12] = {-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0};
  shape->kind = SLIP_SHAPE_POLYGON;
  shape->point_count = 4;
  shape->points = slipi_arena_copy(reader->arena, corners, 12, sizeof(double));
  return shape->points != NULL;
}

SlipStatus slipi_box_form(SlipiReader *reader, const double edges[3], SlipiForm *form) {
  SlipShapeDef *shape = SLIPI_ARENA_NEW(reader->arena, SlipShapeDef, 1);
  if (!shape)
    return slipi_reader_memory(reader);
  *shape = slip_default_shape_def();
  *form = (SlipiForm){shape, 1};
  return set_box(reader, edges, shape) ? SLIP_OK : slipi_reader_memory(reader);
}

static SlipStatus read_points(SlipiReader *reader, const SlipiNode *node, int32_t least,
                              int32_t most, SlipShapeDef *shape) {
  static const SlipiKey point = {
      .name = "", .type = SLIPI_KEY_VECTOR, .range = {-DBL_MAX, DBL_MAX, false}};
  if (node->count < least || node->count > most)
    return slipi_fail_node(reader->error, node, "%s must have %s%d points, not %d",
                           slipi_path(reader), least == most ? "" : "at least ", least,
                           node->count);
  double *points = SLIPI_ARENA_RAW(reader->arena, double, 3 * (size_t)node->count);
  if (!points)
    return slipi_reader_memory(reader);
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    size_t length = slipi_path_index(reader, k);
    status = slipi_read_vector(reader, node->items[k], &point, points + 3 * (size_t)k);
    slipi_path_back(reader, length);
  }
  shape->points = points;
  shape->point_count = node->count;
  return status;
}

static SlipStatus read_round(SlipiReader *reader, const SlipiNode *node, SlipShapeDef *shape) {
  SlipiField fields[SLIPI_ROUND_KEYS];
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_round, fields);
  shape->radius = fields[SLIPI_ROUND_RADIUS].x[0];
  shape->length = fields[SLIPI_ROUND_LENGTH].x[0];
  return status;
}

/* Shapes with points, blocks or files; the path is that of the kind's key. */
static SlipStatus read_larger(SlipiReader *reader, int32_t kind, const SlipiNode *node,
                              SlipShapeDef *shape) {
  switch (kind) {
  case SLIPI_SHAPE_CAPSULE:
    shape->kind = SLIP_SHAPE_CAPSULE;
    return read_round(reader, node, shape);
  case SLIPI_SHAPE_CYLINDER:
    shape->kind = SLIP_SHAPE_CYLINDER;
    return read_round(reader, node, shape);
  case SLIPI_SHAPE_HULL:
    shape->kind = SLIP_SHAPE_HULL;
    return read_points(reader, node, 4, SLIPI_MOST_POINTS, shape);
  case SLIPI_SHAPE_POLYGON:
    shape->kind = SLIP_SHAPE_POLYGON;
    return read_points(reader, node, 3, SLIPI_MOST_POINTS, shape);
  case SLIPI_SHAPE_SEGMENT:
    shape->kind = SLIP_SHAPE_SEGMENT;
    return read_points(reader, node, 2, 2, shape);
  default:
    shape->kind = SLIP_SHAPE_MESH;
    return slipi_read_mesh(reader, node, shape);
  }
}

static SlipStatus read_single(SlipiReader *reader, const SlipiField *fields, int32_t kind,
                              SlipiForm *form) {
  const SlipiField *field = &fields[kind];
  SlipShapeDef *shape = SLIPI_ARENA_NEW(reader->arena, SlipShapeDef, 1);
  if (!shape)
    return slipi_reader_memory(reader);
  *shape = slip_default_shape_def();
  *form = (SlipiForm){shape, 1};
  switch (kind) {
  case SLIPI_SHAPE_SPHERE:
  case SLIPI_SHAPE_DISC:
    shape->kind = kind == SLIPI_SHAPE_SPHERE ? SLIP_SHAPE_SPHERE : SLIP_SHAPE_DISC;
    shape->radius = field->x[0];
    return SLIP_OK;
  case SLIPI_SHAPE_BOX:
    return set_box(reader, field->x, shape) ? SLIP_OK : slipi_reader_memory(reader);
  case SLIPI_SHAPE_PLANE:
    shape->kind = SLIP_SHAPE_HALF_SPACE;
    return slipi_unit_vector(reader, field, &slipi_block_shape.keys[kind], shape->normal);
  default:
    break;
  }
  size_t length = slipi_path_key(reader, slipi_block_shape.keys[kind].name);
  SlipStatus status = read_larger(reader, kind, field->node, shape);
  slipi_path_back(reader, length);
  return status;
}

/* ---- Several shapes ------------------------------------------------------------------------ */

/* Shapes that grow in number. */
typedef struct Gathering {
  SlipShapeDef *at;
  int32_t count, capacity;
} Gathering;

static SlipShapeDef *gather(SlipiReader *reader, Gathering *all, int32_t more) {
  if (all->count + more > all->capacity) {
    int32_t capacity =
        all->count + more > 2 * all->capacity ? all->count + more : 2 * all->capacity;
    SlipShapeDef *larger = SLIPI_ARENA_NEW(reader->arena, SlipShapeDef, capacity);
    if (!larger)
      return NULL;
    if (all->count > 0)
      memcpy(larger, all->at, (size_t)all->count * sizeof *larger);
    all->at = larger;
    all->capacity = capacity;
  }
  all->count += more;
  return all->at + all->count - more;
}

static SlipStatus fail_too_many(const SlipiReader *reader, const SlipiNode *node) {
  return slipi_fail_node(reader->error, node, "%s has more than %d shapes", slipi_path(reader),
                         SLIPI_MOST_SHAPES);
}

static SlipStatus read_compound(SlipiReader *reader, const SlipiNode *node, SlipiForm *form) {
  Gathering all = {0};
  SlipStatus status = SLIP_OK;
  size_t length = slipi_path_key(reader, "compound");
  if (node->count == 0)
    status = slipi_fail_node(reader->error, node, "%s is empty", slipi_path(reader));
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    SlipiForm part = {0};
    size_t inner = slipi_path_index(reader, k);
    status = slipi_read_form(reader, node->items[k], &part);
    if (status == SLIP_OK && part.count > SLIPI_MOST_SHAPES - all.count)
      status = fail_too_many(reader, node->items[k]);
    SlipShapeDef *room = status == SLIP_OK ? gather(reader, &all, part.count) : NULL;
    if (room && part.count > 0)
      memcpy(room, part.shapes, (size_t)part.count * sizeof *room);
    if (!room && status == SLIP_OK)
      status = slipi_reader_memory(reader);
    slipi_path_back(reader, inner);
  }
  slipi_path_back(reader, length);
  *form = (SlipiForm){all.at, all.count};
  return status;
}

/* Shapes of a form seen from the frame in which it is at the place. */
static void put(const SlipiForm *form, const SlipiPlace *place, int32_t material,
                SlipShapeDef *out) {
  SlipiPose pose;
  memcpy(pose.position, place->position, sizeof pose.position);
  slipi_quaternion_matrix(place->rotation, pose.R);
  for (int32_t k = 0; k < form->count; k++) {
    out[k] = form->shapes[k];
    slipi_pose_point(&pose, form->shapes[k].position, out[k].position);
    slipi_quaternion_product(place->rotation, form->shapes[k].rotation, out[k].rotation);
    if (out[k].material < 0)
      out[k].material = material;
  }
}

/* The form at one place or at many. */
static SlipStatus put_all(SlipiReader *reader, const SlipiNode *node, const SlipiArrangement *many,
                          int32_t material, SlipiForm *form) {
  Gathering all = {0};
  if ((double)many->count * many->form.count > SLIPI_MOST_SHAPES)
    return fail_too_many(reader, node);
  for (int32_t k = 0; k < many->count; k++) {
    const SlipiForm *from = many->places[k].half ? &many->half : &many->form;
    SlipShapeDef *room = gather(reader, &all, from->count);
    if (!room)
      return slipi_reader_memory(reader);
    put(from, &many->places[k], material, room);
  }
  *form = (SlipiForm){all.at, all.count};
  return SLIP_OK;
}

static SlipStatus place_form(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                             SlipiForm *form) {
  SlipiPlace place = {0};
  SlipiArrangement many = {&place, 1, *form, {0}};
  int32_t material = -1;
  const SlipiField *arranged = &fields[SLIPI_SHAPE_MANY];
  memcpy(place.position, fields[SLIPI_SHAPE_POSITION].x, sizeof place.position);
  SlipStatus status = slipi_read_rotation(reader, &fields[SLIPI_SHAPE_ROTATION], place.rotation);
  if (status == SLIP_OK)
    status = slipi_read_material(reader, &fields[SLIPI_SHAPE_MATERIAL], &material);
  if (status == SLIP_OK && arranged->node) {
    size_t length = slipi_path_key(reader, "many");
    if (slipi_tree_get(arranged->node, "arch") || slipi_tree_get(arranged->node, "masses"))
      status =
          slipi_fail_field(reader, arranged, "%s: arch and masses are for bodies, not for shapes",
                           slipi_path(reader));
    else
      status = slipi_read_many(reader, arranged->node, form, place.position, place.rotation,
                               SLIPI_MOST_SHAPES, &many);
    slipi_path_back(reader, length);
  }
  return status == SLIP_OK ? put_all(reader, node, &many, material, form) : status;
}

SlipStatus slipi_read_form(SlipiReader *reader, const SlipiNode *node, SlipiForm *form) {
  SlipiField fields[SLIPI_SHAPE_KEYS];
  int32_t kind = 0;
  *form = (SlipiForm){0};
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_shape, fields);
  if (status == SLIP_OK)
    status =
        slipi_block_kind(reader, node, &slipi_block_shape, fields, SLIPI_SHAPE_POSITION, &kind);
  if (status != SLIP_OK)
    return status;
  status = kind == SLIPI_SHAPE_COMPOUND ? read_compound(reader, fields[kind].node, form)
                                        : read_single(reader, fields, kind, form);
  return status == SLIP_OK ? place_form(reader, node, fields, form) : status;
}
