/* Any bytes as a scene: nothing may crash, hang or leak, and a scene that is refused comes with a
 * sentence, from the reader or from the simulation that is built of it. The first byte chooses
 * whether a value is set from outside too, up to the first line break. */
#include <stdlib.h>
#include <string.h>

#include <slipcone/scene.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void build_scene(const SlipScene *scene) {
  SlipSim *sim = NULL;
  SlipError error;
  SlipStatus status = slip_scene_build(scene, &sim, &error);
  if ((status == SLIP_OK) != (sim != NULL) ||
      (status != SLIP_OK && (error.status != status || !error.text[0])))
    abort();
  slip_sim_free(sim);
}

static void read_scene(const uint8_t *data, size_t size, const SlipSceneOptions *options) {
  SlipScene *scene = NULL;
  SlipError error;
  SlipStatus status = slip_scene_read_memory("fuzz", data, size, options, &scene, &error);
  if ((status == SLIP_OK) != (scene != NULL) ||
      (status != SLIP_OK && (error.status != status || !error.text[0])) ||
      (scene && (scene->steps < 1 || !scene->text || scene->bodies < 0)))
    abort();
  if (scene && scene->bodies <= 200)
    build_scene(scene);
  slip_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SlipSceneOptions options = slip_default_scene_options();
  SlipOptionValue set = {"time.step", NULL};
  options.most_bodies = 10000; /* the largest scenes take seconds */
  const uint8_t *end = size > 0 && data[0] == '\n' ? memchr(data + 1, '\n', size - 1) : NULL;
  if (!end) {
    read_scene(data, size, &options);
    return 0;
  }
  size_t length = (size_t)(end - data) - 1;
  char *value = calloc(1, length + 1);
  if (!value)
    return 0;
  memcpy(value, data + 1, length);
  set.value = value;
  options.set = &set;
  options.set_count = 1;
  read_scene(end + 1, size - length - 2, &options);
  free(value);
  return 0;
}
