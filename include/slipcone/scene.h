/* Scenes: YAML files that describe a simulation. docs/scene.md says what may stand in one.
 *
 *     SlipScene *scene;
 *     SlipSim *sim;
 *     if (slip_scene_read("block.yaml", NULL, &scene, &error) == SLIP_OK &&
 *         slip_scene_build(scene, &sim, &error) == SLIP_OK)
 *       for (int64_t k = 0; k < scene->steps; k++)
 *         slip_sim_step(sim, NULL, &error);
 *
 * A mistake in a scene is SLIP_ERROR_FORMAT, with a sentence that begins with its file, line and
 * column: "block.yaml:12:7: unknown key 'frction' in contacts[0]; did you mean 'friction'?".
 *
 * The conventions of slipcone/slipcone.h hold here too. */
#ifndef SLIPCONE_SCENE_H
#define SLIPCONE_SCENE_H

#include <slipcone/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to read a scene. */
typedef struct SlipSceneOptions {
  size_t size;
  /* Values that take the place of the file's, in turn. The name is a path such as "time.step",
   * "let.mu" or "bodies.0.position", the value YAML: "0.001", "[0, 0, 1]". */
  const SlipOptionValue *set;
  int32_t set_count;
  int32_t most_bodies; /* scenes of more are refused; 0: 10,000,000 */
} SlipSceneOptions;

static inline SlipSceneOptions slip_default_scene_options(void) {
  SlipSceneOptions options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  return options;
}

/* A scene that was read and checked: const, and whole without its file. */
typedef struct SlipScene {
  size_t size;
  const char *name;                /* the path, or the name its bytes were given */
  const char *title, *description; /* empty where it has none */
  const char *text;                /* as it was read; ended by a zero byte */
  size_t text_size;
  const SlipOptionValue *set; /* of the options it was read with */
  int32_t set_count;
  SlipSimDef def;                                   /* with the settings of its solver */
  double end;                                       /* seconds: steps * def.step */
  int64_t steps;                                    /* from the start to the end */
  int64_t record_every;                             /* steps between two records */
  int32_t record_contacts;                          /* 1: contacts are recorded too */
  int32_t materials, rules, bodies, joints, forces; /* how many */
} SlipScene;

/* options may be NULL. Files of meshes are looked for beside the scene. */
SLIP_API SlipStatus slip_scene_read(const char *path, const SlipSceneOptions *options,
                                    SlipScene **scene, SlipError *error);
/* The same from memory; `name` stands for the path in messages and for meshes. */
SLIP_API SlipStatus slip_scene_read_memory(const char *name, const void *bytes, size_t size,
                                           const SlipSceneOptions *options, SlipScene **scene,
                                           SlipError *error);
SLIP_API void slip_scene_free(SlipScene *scene);

/* A new simulation of the scene, at time 0; as many as wanted of one scene. Slots of bodies are in
 * the order of the scene. */
SLIP_API SlipStatus slip_scene_build(const SlipScene *scene, SlipSim **sim, SlipError *error);

#ifdef __cplusplus
}
#endif

#endif
