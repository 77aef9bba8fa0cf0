/* Materials, rules for contacts, joints and forces. */
#include <string.h>

#include "base/angle.h"
#include "scene/scene.h"

/* Each item of a list, by its number. */
static SlipStatus read_items(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene,
                             SlipStatus (*read)(SlipiReader *reader, const SlipiNode *node,
                                                SlipiScene *scene, int32_t k)) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    size_t length = slipi_path_index(reader, k);
    status = read(reader, node->items[k], scene, k);
    slipi_path_back(reader, length);
  }
  return status;
}

/* ---- Materials ----------------------------------------------------------------------------- */

static SlipStatus read_material(SlipiReader *reader, const SlipiNode *name, const SlipiNode *node,
                                SlipMaterialDef *def) {
  SlipiField fields[SLIPI_MATERIAL_KEYS];
  *def = slip_default_material_def();
  if (name->text[0] == '\0' || strcmp(name->text, "any") == 0)
    return slipi_fail_node(reader->error, name, "'%s' is no name for a material", name->text);
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_material, fields);
  def->name = name->text;
  def->density = fields[SLIPI_MATERIAL_DENSITY].x[0];
  return status;
}

SlipStatus slipi_read_materials(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  SlipStatus status = SLIP_OK;
  scene->materials = SLIPI_ARENA_NEW(reader->arena, SlipMaterialDef, node->count);
  if (!scene->materials)
    return slipi_reader_memory(reader);
  for (int32_t k = 0; status == SLIP_OK && k < node->count; k++) {
    size_t length = slipi_path_key(reader, node->keys[k]->text);
    status = read_material(reader, node->keys[k], node->items[k], &scene->materials[k]);
    if (status == SLIP_OK &&
        !slipi_names_put(&reader->materials, reader->arena, node->keys[k]->text, k))
      status = slipi_reader_memory(reader);
    slipi_path_back(reader, length);
  }
  scene->materials_node = node;
  scene->scene.materials = node->count;
  return status;
}

/* ---- Contacts ------------------------------------------------------------------------------ */

static SlipStatus read_between(SlipiReader *reader, const SlipiField *between,
                               int32_t materials[2]) {
  SlipStatus status = SLIP_OK;
  size_t length = slipi_path_key(reader, "between");
  for (int k = 0; status == SLIP_OK && between->node && k < 2; k++) {
    SlipiField name = {.node = between->node->items[k], .text = between->pair[k]};
    if (strcmp(name.text, "any") != 0)
      status = slipi_read_material(reader, &name, &materials[k]);
  }
  slipi_path_back(reader, length);
  return status;
}

/* The laws in the order of the key's words. */
static const int32_t contact_laws[] = {SLIP_COULOMB, SLIP_FRICTIONLESS, SLIP_COHESIVE, SLIP_ROUNDED,
                                       SLIP_CAPPED};

#define LAW_BIT(law) (1U << (law))

/* Whether each key stands where its law needs or allows it. */
static SlipStatus check_contact(SlipiReader *reader, const SlipiNode *node,
                                const SlipiField *fields, int32_t law) {
  static const unsigned PULLING =
      LAW_BIT(SLIP_COHESIVE) | LAW_BIT(SLIP_ROUNDED) | LAW_BIT(SLIP_CAPPED);
  static const struct {
    int32_t key;
    unsigned needed, allowed; /* laws */
  } rules[] = {
      {SLIPI_CONTACT_FRICTION, ~LAW_BIT(SLIP_FRICTIONLESS), ~LAW_BIT(SLIP_FRICTIONLESS)},
      {SLIPI_CONTACT_FLOW, 0, LAW_BIT(SLIP_COULOMB) | LAW_BIT(SLIP_COHESIVE)},
      {SLIPI_CONTACT_COHESION, LAW_BIT(SLIP_COHESIVE), LAW_BIT(SLIP_COHESIVE)},
      {SLIPI_CONTACT_BALL, LAW_BIT(SLIP_ROUNDED) | LAW_BIT(SLIP_CAPPED),
       LAW_BIT(SLIP_ROUNDED) | LAW_BIT(SLIP_CAPPED)},
      {SLIPI_CONTACT_CAP, LAW_BIT(SLIP_CAPPED), LAW_BIT(SLIP_CAPPED)},
      {SLIPI_CONTACT_BREAKS_AT, 0, PULLING},
      {SLIPI_CONTACT_ROLLING, 0, ~(LAW_BIT(SLIP_ROUNDED) | LAW_BIT(SLIP_CAPPED))},
      {SLIPI_CONTACT_SPINNING, 0, ~(LAW_BIT(SLIP_ROUNDED) | LAW_BIT(SLIP_CAPPED))},
  };
  char text[192];
  for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
    const SlipiField *field = &fields[rules[k].key];
    const SlipiKey *key = &slipi_block_contact.keys[rules[k].key];
    if (!field->node && rules[k].needed & LAW_BIT(law))
      return slipi_fail_node(reader->error, node, "%s lacks '%s' (%s), which the law %s needs",
                             slipi_path(reader), key->name,
                             slipi_key_expects(key, reader->dimension, text, sizeof text),
                             slip_law_name(law));
    if (field->node && !(rules[k].allowed & LAW_BIT(law)))
      return slipi_fail_field(reader, field, "%s.%s is not for the law %s", slipi_path(reader),
                              key->name, slip_law_name(law));
  }
  return SLIP_OK;
}

/* Springs, which take the place of restitution, and their dampers. */
static SlipStatus check_springs(SlipiReader *reader, const SlipiField *fields, int32_t law) {
  const SlipiField *restitution = &fields[SLIPI_CONTACT_RESTITUTION];
  const SlipiField *damping = &fields[SLIPI_CONTACT_DAMPING_TIME];
  const SlipiField *matrix = &fields[SLIPI_CONTACT_STIFFNESS_MATRIX];
  const SlipiField *dampers = &fields[SLIPI_CONTACT_DAMPING_MATRIX];
  bool two = fields[SLIPI_CONTACT_STIFFNESS].node, springs = two || matrix->node;
  if (damping->node && !two)
    return slipi_fail_field(reader, damping, "%s.damping_time is without a stiffness to damp",
                            slipi_path(reader));
  if (two && matrix->node)
    return slipi_fail_field(
        reader, matrix, "%s.stiffness_matrix stands beside stiffness: one of them must be given",
        slipi_path(reader));
  if (dampers->node && !matrix->node)
    return slipi_fail_field(reader, dampers,
                            "%s.damping_matrix is without a stiffness_matrix to damp",
                            slipi_path(reader));
  if (restitution->x[0] > 0 && (springs || (law != SLIP_COULOMB && law != SLIP_FRICTIONLESS)))
    return slipi_fail_field(reader, restitution,
                            "%s.restitution is not for contacts that give way or hold a pull",
                            slipi_path(reader));
  return SLIP_OK;
}

/* Moments have Coulomb's flow. */
static SlipStatus check_moments(SlipiReader *reader, const SlipiField *fields) {
  bool associated = fields[SLIPI_CONTACT_FLOW].x[0] != 0;
  bool rolls = fields[SLIPI_CONTACT_ROLLING].x[0] > 0 || fields[SLIPI_CONTACT_SPINNING].x[0] > 0;
  if (associated && rolls)
    return slipi_fail_field(reader, &fields[SLIPI_CONTACT_FLOW],
                            "%s.flow is associated, which contacts with rolling or spinning "
                            "friction do not have",
                            slipi_path(reader));
  if (fields[SLIPI_CONTACT_SPINNING].x[0] > 0 && reader->dimension == 2)
    return slipi_fail_field(reader, &fields[SLIPI_CONTACT_SPINNING],
                            "%s.spinning is about the normal, about which nothing turns in 2D",
                            slipi_path(reader));
  return SLIP_OK;
}

static SlipStatus read_contact(SlipiReader *reader, const SlipiNode *node, SlipContactRule *rule) {
  SlipiField fields[SLIPI_CONTACT_KEYS];
  *rule = slip_default_contact_rule();
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_contact, fields);
  if (status != SLIP_OK)
    return status;
  rule->law = contact_laws[(int)fields[SLIPI_CONTACT_LAW].x[0]];
  status = check_contact(reader, node, fields, rule->law);
  if (status == SLIP_OK)
    status = check_springs(reader, fields, rule->law);
  if (status == SLIP_OK)
    status = check_moments(reader, fields);
  if (status != SLIP_OK)
    return status;
  rule->flow = fields[SLIPI_CONTACT_FLOW].x[0] != 0 ? SLIP_FLOW_ASSOCIATED : SLIP_FLOW_COULOMB;
  rule->friction = fields[SLIPI_CONTACT_FRICTION].x[0];
  rule->restitution = fields[SLIPI_CONTACT_RESTITUTION].x[0];
  rule->cohesion = fields[SLIPI_CONTACT_COHESION].x[0];
  rule->cap = fields[SLIPI_CONTACT_CAP].x[0];
  rule->damping_time = fields[SLIPI_CONTACT_DAMPING_TIME].x[0];
  rule->rolling = fields[SLIPI_CONTACT_ROLLING].x[0];
  rule->spinning = fields[SLIPI_CONTACT_SPINNING].x[0];
  memcpy(rule->ball, fields[SLIPI_CONTACT_BALL].x, sizeof rule->ball);
  memcpy(rule->stiffness, fields[SLIPI_CONTACT_STIFFNESS].x, sizeof rule->stiffness);
  memcpy(rule->stiffness_matrix, fields[SLIPI_CONTACT_STIFFNESS_MATRIX].x,
         sizeof rule->stiffness_matrix);
  memcpy(rule->damping_matrix, fields[SLIPI_CONTACT_DAMPING_MATRIX].x, sizeof rule->damping_matrix);
  if (fields[SLIPI_CONTACT_BREAKS_AT].node)
    rule->breaks_at = fields[SLIPI_CONTACT_BREAKS_AT].x[0];
  return read_between(reader, &fields[SLIPI_CONTACT_BETWEEN], rule->materials);
}

/* A rule after one that matches every contact is a mistake. */
static SlipStatus read_rule(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene,
                            int32_t k) {
  if (k > 0 && scene->rules[k - 1].materials[0] < 0 && scene->rules[k - 1].materials[1] < 0)
    return slipi_fail_node(reader->error, node,
                           "%s never counts: contacts[%d] before it matches every contact",
                           slipi_path(reader), k - 1);
  return read_contact(reader, node, &scene->rules[k]);
}

SlipStatus slipi_read_contacts(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  scene->rules = SLIPI_ARENA_NEW(reader->arena, SlipContactRule, node->count);
  scene->rules_node = node;
  scene->scene.rules = node->count;
  return scene->rules ? read_items(reader, node, scene, read_rule) : slipi_reader_memory(reader);
}

/* ---- Joints -------------------------------------------------------------------------------- */

/* Whether each key stands where its kind of joint needs or allows it. */
static SlipStatus check_joint(SlipiReader *reader, const SlipiNode *node, const SlipiField *fields,
                              int32_t kind) {
  bool slides = kind == SLIPI_JOINT_SLIDER, turns = kind == SLIPI_JOINT_HINGE;
  const struct {
    int32_t key;
    bool needed, allowed;
  } rules[] = {
      {SLIPI_JOINT_AT, kind != SLIPI_JOINT_FIXED, true},
      {SLIPI_JOINT_AXIS, slides || (turns && reader->dimension == 3),
       slides || (turns && reader->dimension == 3)},
      {SLIPI_JOINT_OTHER, kind == SLIPI_JOINT_DISTANCE, kind == SLIPI_JOINT_DISTANCE},
      {SLIPI_JOINT_LIMITS, false, slides || turns},
      {SLIPI_JOINT_MOTOR, false, slides || turns},
  };
  for (int k = 0; k < 5; k++) {
    const SlipiField *field = &fields[rules[k].key];
    const char *key = slipi_block_joint.keys[rules[k].key].name;
    const char *name = slipi_block_joint.keys[kind].name;
    if (rules[k].needed && !field->node)
      return slipi_fail_node(reader->error, node, "%s lacks '%s', which a %s joint needs",
                             slipi_path(reader), key, name);
    if (!rules[k].allowed && field->node)
      return slipi_fail_field(reader, field, "%s.%s does not go with a %s joint%s",
                              slipi_path(reader), key, name,
                              reader->dimension == 2 ? " in 2D" : "");
  }
  return SLIP_OK;
}

static SlipStatus read_limits(SlipiReader *reader, const SlipiField *limits, int32_t kind,
                              SlipJointDef *def) {
  double unit = kind == SLIPI_JOINT_HINGE ? SLIPI_DEGREE : 1;
  if (!limits->node)
    return SLIP_OK;
  if (limits->x[0] > limits->x[1])
    return slipi_fail_field(reader, limits, "%s.limits: the least, %g, is above the most, %g",
                            slipi_path(reader), limits->x[0], limits->x[1]);
  def->limited = 1;
  def->lower = limits->x[0] * unit;
  def->upper = limits->x[1] * unit;
  return SLIP_OK;
}

static SlipStatus read_motor(SlipiReader *reader, const SlipiField *motor, SlipJointDef *def) {
  SlipiField fields[SLIPI_MOTOR_KEYS];
  if (!motor->node)
    return SLIP_OK;
  size_t length = slipi_path_key(reader, "motor");
  SlipStatus status = slipi_block_read(reader, motor->node, &slipi_block_motor, fields);
  def->motor = 1;
  def->motor_speed = fields[SLIPI_MOTOR_SPEED].x[0];
  def->motor_effort = fields[SLIPI_MOTOR_EFFORT].x[0];
  slipi_path_back(reader, length);
  return status;
}

static SlipStatus read_joined(SlipiReader *reader, const SlipiScene *scene, const SlipiField *field,
                              int32_t kind, SlipiSceneJoint *joint) {
  SlipStatus status = SLIP_OK;
  size_t length = slipi_path_key(reader, slipi_block_joint.keys[kind].name);
  for (int k = 0; status == SLIP_OK && k < 2; k++) {
    joint->body[k] = -1;
    if (k == 0 || strcmp(field->pair[k], SLIPI_WORLD) != 0)
      status =
          slipi_find_body(reader, scene, field->node->items[k], field->pair[k], &joint->body[k]);
  }
  if (status == SLIP_OK && joint->body[0] == joint->body[1])
    status = slipi_fail_field(reader, field, "%s joins '%s' with itself", slipi_path(reader),
                              field->pair[0]);
  slipi_path_back(reader, length);
  return status;
}

static SlipStatus read_joint(SlipiReader *reader, const SlipiNode *node, const SlipiScene *scene,
                             SlipiSceneJoint *joint) {
  SlipiField fields[SLIPI_JOINT_KEYS];
  SlipJointDef *def = &joint->def;
  int32_t kind = 0;
  *def = slip_default_joint_def();
  joint->node = node;
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_joint, fields);
  if (status == SLIP_OK)
    status = slipi_block_kind(reader, node, &slipi_block_joint, fields, SLIPI_JOINT_NAME, &kind);
  if (status == SLIP_OK)
    status = check_joint(reader, node, fields, kind);
  if (status == SLIP_OK)
    status = read_joined(reader, scene, &fields[kind], kind, joint);
  if (status != SLIP_OK)
    return status;
  def->kind = kind; /* the keys are in the order of SlipJointKind */
  def->name = fields[SLIPI_JOINT_NAME].node ? fields[SLIPI_JOINT_NAME].text : NULL;
  memcpy(def->at, fields[SLIPI_JOINT_AT].x, sizeof def->at);
  memcpy(def->other, fields[SLIPI_JOINT_OTHER].x, sizeof def->other);
  def->collide = fields[SLIPI_JOINT_COLLIDE].x[0] != 0;
  if (kind == SLIPI_JOINT_HINGE)
    def->axis[2] = 1; /* in 2D */
  if (fields[SLIPI_JOINT_AXIS].node)
    status = slipi_unit_vector(reader, &fields[SLIPI_JOINT_AXIS],
                               &slipi_block_joint.keys[SLIPI_JOINT_AXIS], def->axis);
  if (status == SLIP_OK)
    status = read_limits(reader, &fields[SLIPI_JOINT_LIMITS], kind, def);
  return status == SLIP_OK ? read_motor(reader, &fields[SLIPI_JOINT_MOTOR], def) : status;
}

static SlipStatus read_joint_item(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene,
                                  int32_t k) {
  return read_joint(reader, node, scene, &scene->joints[k]);
}

SlipStatus slipi_read_joints(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  scene->joints = SLIPI_ARENA_NEW(reader->arena, SlipiSceneJoint, node->count);
  scene->scene.joints = node->count;
  return scene->joints ? read_items(reader, node, scene, read_joint_item)
                       : slipi_reader_memory(reader);
}

/* ---- Forces -------------------------------------------------------------------------------- */

static SlipStatus read_force(SlipiReader *reader, const SlipiNode *node, const SlipiScene *scene,
                             SlipiSceneForce *force) {
  SlipiField fields[SLIPI_FORCE_KEYS];
  SlipForceDef *def = &force->def;
  *def = slip_default_force_def();
  force->node = node;
  SlipStatus status = slipi_block_read(reader, node, &slipi_block_force, fields);
  if (status != SLIP_OK)
    return status;
  const SlipiField *until = &fields[SLIPI_FORCE_UNTIL];
  if (!fields[SLIPI_FORCE_FORCE].node && !fields[SLIPI_FORCE_TORQUE].node)
    return slipi_fail_node(reader->error, node, "%s lacks 'force' or 'torque'", slipi_path(reader));
  memcpy(def->force, fields[SLIPI_FORCE_FORCE].x, sizeof def->force);
  memcpy(def->torque, fields[SLIPI_FORCE_TORQUE].x, sizeof def->torque);
  def->from = fields[SLIPI_FORCE_FROM].x[0];
  def->until = until->x[0];
  if (!(def->from < def->until))
    return slipi_fail_field(reader, until->node ? until : &fields[SLIPI_FORCE_FROM],
                            "%s ends at %g, before it begins at %g", slipi_path(reader), def->until,
                            def->from);
  size_t length = slipi_path_key(reader, "on");
  status = slipi_find_body(reader, scene, fields[SLIPI_FORCE_ON].node, fields[SLIPI_FORCE_ON].text,
                           &force->body);
  slipi_path_back(reader, length);
  return status;
}

static SlipStatus read_force_item(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene,
                                  int32_t k) {
  return read_force(reader, node, scene, &scene->forces[k]);
}

SlipStatus slipi_read_forces(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene) {
  scene->forces = SLIPI_ARENA_NEW(reader->arena, SlipiSceneForce, node->count);
  scene->scene.forces = node->count;
  return scene->forces ? read_items(reader, node, scene, read_force_item)
                       : slipi_reader_memory(reader);
}
