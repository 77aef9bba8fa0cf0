/* Bodies, and names of bodies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/scene.h"

/* ---- One entry ----------------------------------------------------------------------------- */

/* Keys that only mean something for bodies that forces move. */
static SlipStatus check_obstacle(SlipiReader *reader, const SlipiField *fields) {
  static const int32_t free_only[] = {SLIPI_BODY_VELOCITY, SLIPI_BODY_SPIN, SLIPI_BODY_MASS,
                                      SLIPI_BODY_INERTIA};
  if (fields[SLIPI_BODY_MOVES].node && fields[SLIPI_BODY_FIXED].x[0] != 0)
    return slipi_fail_field(reader, &fields[SLIPI_BODY_MOVES], "%s is fixed and moves",
                            slipi_path(reader));
  for (int k = 0; k < 4; k++)
    if (fields[free_only[k]].node)
      return slipi_fail_field(reader, &fields[free_only[k]],
                              "%s.%s has no meaning for an obstacle (fixed or moves)",
                              slipi_path(reader), slipi_block_body.keys[free_only[k]].name);
  return SLIP_OK;
}

/* Three moments of a body in space: none is larger than the others together. */
static SlipStatus check_inertia(SlipiReader *reader, const SlipiField *inertia) {
  const double *x = inertia->x, slack = 1 + 1e-9;
  if (reader->dimension == 2 || (x[0] <= (x[1] + x[2]) * slack && x[1] <= (x[0] + x[2]) * slack &&
                                 x[2] <= (x[0] + x[1]) * slack))
    return SLIP_OK;
  return slipi_fail_field(reader, inertia,
                          "%s.inertia: no body has a moment larger than the other two together",
                          slipi_path(reader));
}

static SlipStatus check_free(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                             const SlipiForm *form) {
  static const char *const names[] = {[SLIP_SHAPE_HALF_SPACE] = "plane",
                                      [SLIP_SHAPE_MESH] = "mesh",
                                      [SLIP_SHAPE_SEGMENT] = "segment"};
  bool told = fields[SLIPI_BODY_MASS].node && fields[SLIPI_BODY_INERTIA].node;
  if (fields[SLIPI_BODY_INERTIA].node && !fields[SLIPI_BODY_MASS].node)
    return slipi_fail_field(reader, &fields[SLIPI_BODY_INERTIA], "%s has an inertia, but no mass",
                            slipi_path(reader));
  if (form->count == 0 && !told)
    return slipi_fail_node(reader->error, node,
                           "%s has no shape to tell its mass: give it a shape, or mass and "
                           "inertia, or say 'fixed: true'",
                           slipi_path(reader));
  for (int32_t k = 0; k < form->count; k++) {
    int32_t kind = form->shapes[k].kind;
    if (kind == SLIP_SHAPE_HALF_SPACE || kind == SLIP_SHAPE_MESH || kind == SLIP_SHAPE_SEGMENT)
      return slipi_fail_field(reader, &fields[SLIPI_BODY_SHAPE],
                              "%s: a %s is for obstacles; say 'fixed: true' or 'moves'",
                              slipi_path(reader), names[kind]);
  }
  return fields[SLIPI_BODY_INERTIA].node ? check_inertia(reader, &fields[SLIPI_BODY_INERTIA])
                                         : SLIP_OK;
}

static SlipStatus read_sine(SlipiReader *reader, const SlipiNode *node, SlipBodyDef *def) {
  SlipiSine sine = {0};
  SlipStatus status = slipi_read_sine(reader, node, &sine);
  memcpy(def->sine_axis, sine.axis, sizeof sine.axis);
  def->sine_amplitude = sine.amplitude;
  def->sine_frequency = sine.frequency;
  return status;
}

static SlipStatus read_moves(SlipiReader *reader, const SlipiNode *node, SlipBodyDef *def) {
  SlipiField fields[SLIPI_MOVES_KEYS];
  size_t length = slipi_path_key(reader, "moves");
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_moves, fields);
  def->motion = SLIP_MOTION_TOLD;
  memcpy(def->velocity, fields[SLIPI_MOVES_VELOCITY].x, sizeof def->velocity);
  memcpy(def->spin, fields[SLIPI_MOVES_SPIN].x, sizeof def->spin);
  def->moves_from = fields[SLIPI_MOVES_FROM].x[0];
  if (status == SLIP_OK && fields[SLIPI_MOVES_SINE].node)
    status = read_sine(reader, fields[SLIPI_MOVES_SINE].node, def);
  slipi_path_back(reader, length);
  return status;
}

/* How it moves: motion, velocities, mass. */
static SlipStatus read_motion(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                              const SlipiForm *form, SlipBodyDef *def) {
  if (fields[SLIPI_BODY_MOVES].node || fields[SLIPI_BODY_FIXED].x[0] != 0) {
    SlipStatus status = check_obstacle(reader, fields);
    def->motion = SLIP_MOTION_FIXED;
    if (status == SLIP_OK && fields[SLIPI_BODY_MOVES].node)
      status = read_moves(reader, fields[SLIPI_BODY_MOVES].node, def);
    return status;
  }
  memcpy(def->velocity, fields[SLIPI_BODY_VELOCITY].x, sizeof def->velocity);
  memcpy(def->spin, fields[SLIPI_BODY_SPIN].x, sizeof def->spin);
  memcpy(def->inertia, fields[SLIPI_BODY_INERTIA].x, sizeof def->inertia);
  def->mass = fields[SLIPI_BODY_MASS].x[0];
  return check_free(reader, node, fields, form);
}

/* One place, or those of `many`. */
static SlipStatus read_places(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                              int32_t most, SlipiGroup *group) {
  const SlipiField *many = &fields[SLIPI_BODY_MANY];
  SlipiForm form = group->many.form;
  if (!many->node) {
    group->many.places = SLIPI_ARENA_NEW(reader->arena, SlipiPlace, 1);
    if (!group->many.places)
      return slipi_reader_memory(reader);
    memcpy(group->many.places->position, group->def.position, sizeof group->def.position);
    memcpy(group->many.places->rotation, group->def.rotation, sizeof group->def.rotation);
    group->many.count = 1;
    return SLIP_OK;
  }
  bool arch = slipi_tree_get(many->node, "arch") != NULL;
  if (arch && fields[SLIPI_BODY_SHAPE].node)
    return slipi_fail_field(reader, &fields[SLIPI_BODY_SHAPE],
                            "%s has a shape, but an arch makes its own", slipi_path(reader));
  if (!arch && form.count == 0)
    return slipi_fail_node(reader->error, node, "%s lacks 'shape' (a mapping)", slipi_path(reader));
  const SlipiNode *masses = slipi_tree_get(many->node, "masses");
  if (masses && (fields[SLIPI_BODY_MASS].node || fields[SLIPI_BODY_MOVES].node ||
                 fields[SLIPI_BODY_FIXED].x[0] != 0))
    return slipi_fail_node(reader->error, masses,
                           "%s.many.masses is for free bodies without a mass of their own",
                           slipi_path(reader));
  size_t length = slipi_path_key(reader, "many");
  SlipStatus status = slipi_read_many(reader, many->node, &form, group->def.position,
                                      group->def.rotation, most, &group->many);
  if (status == SLIP_OK && group->many.half.count > 0 && fields[SLIPI_BODY_INERTIA].node)
    status =
        slipi_fail_field(reader, &fields[SLIPI_BODY_INERTIA],
                         "%s does not go with wall, which has half bricks", slipi_path(reader));
  slipi_path_back(reader, length);
  return status;
}

static SlipStatus read_body_form(SlipiReader *reader, const SlipiField *shape, SlipiForm *form) {
  if (!shape->node)
    return SLIP_OK;
  size_t length = slipi_path_key(reader, "shape");
  SlipStatus status = slipi_read_form(reader, shape->node, form);
  slipi_path_back(reader, length);
  return status;
}

/* A deformable body has no shape; the box around it stands for one where many are arranged. */
static SlipStatus read_soft(SlipiReader *reader, const SlipiField *fields, SlipiGroup *group) {
  static const int32_t rigid_only[] = {SLIPI_BODY_SHAPE, SLIPI_BODY_MASS, SLIPI_BODY_INERTIA,
                                       SLIPI_BODY_MOVES};
  const SlipiField *deformable = &fields[SLIPI_BODY_DEFORMABLE];
  for (int k = 0; k < 4; k++)
    if (fields[rigid_only[k]].node)
      return slipi_fail_field(reader, &fields[rigid_only[k]],
                              "%s.%s has no meaning for a deformable body", slipi_path(reader),
                              slipi_block_body.keys[rigid_only[k]].name);
  if (fields[SLIPI_BODY_FIXED].x[0] != 0)
    return slipi_fail_field(reader, &fields[SLIPI_BODY_FIXED],
                            "%s is deformable: `hold` its nodes instead of fixing it",
                            slipi_path(reader));
  size_t length = slipi_path_key(reader, "deformable");
  SlipStatus status = slipi_read_deformable(reader, deformable->node, &group->soft);
  slipi_path_back(reader, length);
  return status == SLIP_OK ? slipi_box_form(reader, group->soft->size, &group->many.form) : status;
}

static SlipStatus read_body(SlipiReader *reader, const SlipiNode *node, int32_t most,
                            SlipiGroup *group, SlipiField *fields) {
  SlipBodyDef *def = &group->def;
  *def = slip_default_body_def();
  group->node = node;
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_body, fields);
  if (status == SLIP_OK)
    status = slipi_read_material(reader, &fields[SLIPI_BODY_MATERIAL], &def->material);
  if (status == SLIP_OK)
    status = slipi_read_rotation(reader, &fields[SLIPI_BODY_ROTATION], def->rotation);
  if (status == SLIP_OK)
    status = fields[SLIPI_BODY_DEFORMABLE].node
                 ? read_soft(reader, fields, group)
                 : read_body_form(reader, &fields[SLIPI_BODY_SHAPE], &group->many.form);
  if (status != SLIP_OK)
    return status;
  memcpy(def->position, fields[SLIPI_BODY_POSITION].x, sizeof def->position);
  group->arranged = fields[SLIPI_BODY_MANY].node != NULL;
  status = read_places(reader, node, fields, most, group);
  if (status == SLIP_OK)
    status = read_motion(reader, node, fields, &group->many.form, def);
  def->shapes = group->many.form.shapes;
  def->shape_count = group->many.form.count;
  return status;
}

/* ---- All bodies ---------------------------------------------------------------------------- */

/* Its own name, or one that tells its place in the list. */
static SlipStatus name_group(SlipiReader *reader, SlipiScene *scene, int32_t k,
                             const SlipiField *field) {
  SlipiGroup *group = &scene->groups[k];
  char shown[SLIPI_SHOWN];
  const char *name = field->text;
  if (!field->node) {
    char made[24];
    snprintf(made, sizeof made, "body%d", k);
    name = slipi_arena_copy(reader->arena, made, strlen(made) + 1, 1);
  }
  if (!name)
    return slipi_reader_memory(reader);
  if (strcmp(name, SLIPI_WORLD) == 0)
    return slipi_fail_field(reader, field, "%s.name must not be '%s', which joints can name",
                            slipi_path(reader), SLIPI_WORLD);
  int32_t twice = slipi_names_find(&scene->group_names, name);
  if (twice >= 0)
    return slipi_fail_node(reader->error, field->node ? field->node : group->node,
                           "%s: there is a body '%s' already, bodies[%d]", slipi_path(reader),
                           slipi_shown(name, shown), twice);
  group->def.name = name;
  return slipi_names_put(&scene->group_names, reader->arena, name, k) ? SLIP_OK
                                                                      : slipi_reader_memory(reader);
}

SlipStatus slipi_read_bodies(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  SlipiField fields[SLIPI_BODY_KEYS];
  SlipStatus status = SLIP_OK;
  int32_t count = 0;
  scene->groups = SLIPI_ARENA_NEW(reader->arena, SlipiGroup, node->count);
  if (!scene->groups)
    return slipi_reader_memory(reader);
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    SlipiGroup *group = &scene->groups[k];
    size_t length = slipi_path_index(reader, k);
    group->first = count;
    if (count == reader->most_bodies)
      status = slipi_fail_node(reader->error, node->items[k], "a scene has at most %d bodies",
                               reader->most_bodies);
    if (status == SLIP_OK)
      status = read_body(reader, node->items[k], reader->most_bodies - count, group, fields);
    if (status == SLIP_OK)
      status = name_group(reader, scene, k, &fields[SLIPI_BODY_NAME]);
    count += group->many.count;
    slipi_path_back(reader, length);
  }
  scene->group_count = node->count;
  scene->scene.bodies = count;
  return status;
}

/* ---- Names --------------------------------------------------------------------------------- */

/* The group of "bead/3", and 3; -1 where there is no such group, or no index. */
static int32_t split_name(const SlipiScene *scene, const char *name, int32_t *index) {
  char group[256];
  const char *slash = strrchr(name, '/');
  *index = -1;
  if (!slash || (size_t)(slash - name) >= sizeof group)
    return slipi_names_find(&scene->group_names, name);
  char *end;
  long number = strtol(slash + 1, &end, 10);
  memcpy(group, name, (size_t)(slash - name));
  group[slash - name] = '\0';
  if (*end == '\0' && slash[1] >= '0' && slash[1] <= '9' && number < SLIPI_MOST_BODIES)
    *index = (int32_t)number;
  int32_t k = slipi_names_find(&scene->group_names, group);
  return k >= 0 && scene->groups[k].arranged ? k : -1;
}

static SlipStatus fail_no_body(SlipiReader *reader, const SlipiScene *scene, const SlipiNode *node,
                               const char *name) {
  char suggestion[96], shown[SLIPI_SHOWN];
  SlipiNearest nearest = slipi_nearest_start(name);
  for (int32_t k = 0; k < scene->group_count; k++)
    slipi_nearest_offer(&nearest, scene->groups[k].def.name);
  return slipi_fail_node(reader->error, node, "%s names '%s', which is no body%s",
                         slipi_path(reader), slipi_shown(name, shown),
                         slipi_nearest_text(&nearest, suggestion, sizeof suggestion));
}

SlipStatus slipi_find_body(SlipiReader *reader, const SlipiScene *scene, const SlipiNode *node,
                           const char *name, int32_t *body) {
  char shown[SLIPI_SHOWN];
  int32_t index, k = split_name(scene, name, &index);
  if (k < 0)
    return fail_no_body(reader, scene, node, name);
  const SlipiGroup *group = &scene->groups[k];
  if (group->arranged && (index < 0 || index >= group->many.count))
    return slipi_fail_node(reader->error, node,
                           "%s names '%s'; the bodies of bodies[%d] are '%s/0' to '%s/%d'",
                           slipi_path(reader), slipi_shown(name, shown), k, group->def.name,
                           group->def.name, group->many.count - 1);
  *body = group->first + (index > 0 ? index : 0);
  return SLIP_OK;
}
