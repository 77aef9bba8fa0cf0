/* A scene's definitions to a simulation, by its public functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

/* A simulation being built; ids of its bodies, by their numbers in the scene. */
typedef struct Building {
  const SlipiScene *scene;
  SlipSim *sim;
  SlipBodyId *ids;
  SlipError *error;
} Building;

/* A sentence of the simulation gets the place in the file before it. */
static SlipStatus explain(const Building *b, SlipStatus status, const SlipiNode *node,
                          const char *list, int32_t k) {
  SlipError inner = *b->error;
  if (status == SLIP_OK || status == SLIP_ERROR_MEMORY)
    return status;
  slipi_fail_node(b->error, node, "%s[%d]: %s", list, k, inner.text);
  b->error->status = status;
  return status;
}

static SlipStatus add_materials(Building *b) {
  const SlipiScene *scene = b->scene;
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < scene->scene.materials; k++) {
    int32_t number;
    status = slip_sim_add_material(b->sim, &scene->materials[k], &number, b->error);
    status = explain(b, status, scene->materials_node->items[k], "materials", k);
  }
  for (int32_t k = 0; status == SLIP_OK && k < scene->scene.rules; k++) {
    status = slip_sim_add_rule(b->sim, &scene->rules[k], b->error);
    status = explain(b, status, scene->rules_node->items[k], "contacts", k);
  }
  return status;
}

/* Half a brick has half the mass that its group is told. */
static double mass_of(const SlipiGroup *group, const SlipiPlace *place) {
  double share =
      place->half ? group->many.half.shapes->edges[0] / group->many.form.shapes->edges[0] : 1;
  return (place->mass > 0 ? place->mass : group->def.mass) * share;
}

static SlipStatus add_body(Building *b, const SlipiGroup *group, int32_t k) {
  enum { LONGEST = 256 };
  char name[LONGEST];
  const SlipiPlace *place = &group->many.places[k];
  SlipBodyDef def = group->def;
  if (group->arranged) {
    snprintf(name, sizeof name, "%s/%d", group->def.name, k);
    def.name = name;
  }
  if (place->half) {
    def.shapes = group->many.half.shapes;
    def.shape_count = group->many.half.count;
  }
  def.mass = mass_of(group, place);
  memcpy(def.position, place->position, sizeof def.position);
  memcpy(def.rotation, place->rotation, sizeof def.rotation);
  return slip_sim_add_body(b->sim, &def, &b->ids[group->first + k], b->error);
}

/* The place in the file is the body's. */
static SlipStatus add_soft(Building *b, const SlipiGroup *group, int32_t k) {
  enum { LONGEST = 256 };
  char name[LONGEST];
  const SlipiPlace *place = &group->many.places[k];
  SlipDeformableDef def = group->soft->def;
  SlipBodyId *id = &b->ids[group->first + k];
  def.name = group->def.name;
  def.material = group->def.material;
  if (group->arranged) {
    snprintf(name, sizeof name, "%s/%d", group->def.name, k);
    def.name = name;
  }
  if (place->half) {
    def.box[0] = group->many.half.shapes->edges[0];
    def.cells[0] = def.cells[0] > 1 ? def.cells[0] / 2 : 1;
  }
  memcpy(def.position, place->position, sizeof def.position);
  memcpy(def.rotation, place->rotation, sizeof def.rotation);
  memcpy(def.velocity, group->def.velocity, sizeof def.velocity);
  memcpy(def.spin, group->def.spin, sizeof def.spin);
  SlipStatus status = slip_sim_add_deformable(b->sim, &def, id, b->error);
  for (int32_t i = 0; i < group->soft->hold_count && status == SLIP_OK; i++) {
    SlipSupportDef hold = group->soft->holds[i];
    hold.body = *id;
    status = slip_sim_add_support(b->sim, &hold, b->error);
  }
  for (int32_t i = 0; i < group->soft->load_count && status == SLIP_OK; i++) {
    SlipLoadDef load = group->soft->loads[i];
    load.body = *id;
    status = slip_sim_add_load(b->sim, &load, b->error);
  }
  return status;
}

static SlipStatus add_bodies(Building *b) {
  SlipStatus status = SLIP_OK;
  for (int32_t g = 0; status == SLIP_OK && g < b->scene->group_count; g++) {
    const SlipiGroup *group = &b->scene->groups[g];
    for (int32_t k = 0; status == SLIP_OK && k < group->many.count; k++)
      status = group->soft ? add_soft(b, group, k) : add_body(b, group, k);
    status = explain(b, status, group->node, "bodies", g);
  }
  return status;
}

static SlipStatus add_joints(Building *b) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < b->scene->scene.joints; k++) {
    const SlipiSceneJoint *joint = &b->scene->joints[k];
    SlipJointDef def = joint->def;
    SlipJointId id;
    for (int side = 0; side < 2; side++) /* no body is the world */
      def.bodies[side] = joint->body[side] >= 0 ? b->ids[joint->body[side]] : (SlipBodyId){-1, 0};
    status = slip_sim_add_joint(b->sim, &def, &id, b->error);
    status = explain(b, status, joint->node, "joints", k);
  }
  return status;
}

static SlipStatus add_forces(Building *b) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < b->scene->scene.forces; k++) {
    const SlipiSceneForce *force = &b->scene->forces[k];
    SlipForceDef def = force->def;
    def.body = b->ids[force->body];
    status = slip_sim_add_force(b->sim, &def, b->error);
    status = explain(b, status, force->node, "forces", k);
  }
  return status;
}

static SlipStatus build(Building *b) {
  SlipStatus status = slip_sim_create(&b->scene->scene.def, &b->sim, b->error);
  if (status == SLIP_OK)
    status = add_materials(b);
  if (status == SLIP_OK)
    status = add_bodies(b);
  if (status == SLIP_OK)
    status = add_joints(b);
  return status == SLIP_OK ? add_forces(b) : status;
}

SlipStatus slip_scene_build(const SlipScene *scene, SlipSim **sim, SlipError *error) {
  SlipError unasked = {SLIP_OK, ""};
  slipi_error_clear(error);
  if (!sim)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "sim is NULL");
  *sim = NULL;
  if (!scene)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "scene is NULL");
  Building building = {.scene = (const SlipiScene *)scene, .error = error ? error : &unasked};
  building.ids = calloc((size_t)scene->bodies + 1, sizeof *building.ids);
  SlipStatus status =
      building.ids ? build(&building) : slipi_fail_memory(error, "the bodies of a scene");
  free(building.ids);
  if (status == SLIP_OK)
    *sim = building.sim;
  else
    slip_sim_free(building.sim);
  return status;
}
