/* A scene that was read: definitions, and where in the file each stands. */
#ifndef SLIPI_SCENE_SCENE_H
#define SLIPI_SCENE_SCENE_H

#include <slipcone/scene.h>

#include "scene/forms.h"

/* A deformable body's definition but for name and place, with what holds and loads it. */
typedef struct SlipiSoftBody {
  SlipDeformableDef def;
  const SlipSupportDef *holds;
  const SlipLoadDef *loads;
  int32_t hold_count, load_count;
  double size[3]; /* of the box around it */
} SlipiSoftBody;

/* One entry of `bodies`: a body, or many of a kind. */
typedef struct SlipiGroup {
  SlipBodyDef def; /* of each, but for name, place, mass and half forms */
  SlipiArrangement many;
  bool arranged; /* names are name/0, name/1, ... */
  int32_t first; /* the number of its first body */
  const SlipiNode *node;
  const SlipiSoftBody *soft; /* NULL: rigid */
} SlipiGroup;

/* The second name of a joint may be this one instead of a body. */
#define SLIPI_WORLD "world"

/* Bodies by their numbers in the scene, from 0; -1: the world. */
typedef struct SlipiSceneJoint {
  SlipJointDef def;
  int32_t body[2];
  const SlipiNode *node;
} SlipiSceneJoint;

typedef struct SlipiSceneForce {
  SlipForceDef def;
  int32_t body;
  const SlipiNode *node;
} SlipiSceneForce;

typedef struct SlipiScene {
  SlipScene scene; /* first, so that a SlipScene * is a SlipiScene * */
  SlipiArena arena;
  SlipSettings *settings;
  SlipMaterialDef *materials;
  SlipContactRule *rules;
  const SlipiNode *materials_node, *rules_node; /* NULL: none */
  SlipiGroup *groups;
  int32_t group_count;
  SlipiNames group_names;
  SlipiSceneJoint *joints;
  SlipiSceneForce *forces;
} SlipiScene;

/* The parts of a document, each from its node; the path is that of the part. */
SlipStatus slipi_read_time(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_solver(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_collision(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_record(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_materials(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_contacts(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_bodies(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
/* A deformable block; the path is its own. */
SlipStatus slipi_read_deformable(SlipiReader *reader, const SlipiNode *node,
                                 const SlipiSoftBody **soft);
SlipStatus slipi_read_joints(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
SlipStatus slipi_read_forces(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);

/* The number of the body of that name; the node is where it is named, for the sentence. */
SlipStatus slipi_find_body(SlipiReader *reader, const SlipiScene *scene, const SlipiNode *node,
                           const char *name, int32_t *body);

/* The document with a value at a path, "time.step"; keys that are missing are added. */
SlipStatus slipi_tree_set(SlipiArena *arena, const SlipOptionValue *set, const SlipiNode **root,
                          SlipError *error);

#endif
