/* Reading a scene: text to document, document to definitions. */
#include "scene/scene.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "io/io.h"

enum {
  MOST_BYTES = 1 << 28, /* of a scene */
  NAME_SHOWN = 160      /* of its path in messages */
};

/* A part of the document and who reads it, in the order in which they need each other. */
typedef struct Part {
  int32_t key;
  SlipStatus (*read)(SlipiReader *reader, const SlipiNode *node, SlipiScene *scene);
} Part;

static const Part parts[] = {
    {SLIPI_SCENE_TIME, slipi_read_time},           {SLIPI_SCENE_SOLVER, slipi_read_solver},
    {SLIPI_SCENE_COLLISION, slipi_read_collision}, {SLIPI_SCENE_RECORD, slipi_read_record},
    {SLIPI_SCENE_MATERIALS, slipi_read_materials}, {SLIPI_SCENE_CONTACTS, slipi_read_contacts},
    {SLIPI_SCENE_BODIES, slipi_read_bodies},       {SLIPI_SCENE_JOINTS, slipi_read_joints},
    {SLIPI_SCENE_FORCES, slipi_read_forces},
};

static void set_defaults(SlipiScene *scene) {
  scene->scene.size = sizeof scene->scene;
  scene->scene.title = scene->scene.description = "";
  scene->scene.def = slip_default_sim_def();
  scene->scene.record_every = 1;
  scene->scene.record_contacts = 1;
}

/* The dimension decides how vectors are read, and names stand for numbers everywhere: both are
 * looked up before the rest. */
static SlipStatus read_first(SlipiReader *reader, const SlipiNode *root) {
  const SlipiKey *key = &slipi_block_scene.keys[SLIPI_SCENE_DIMENSION];
  const SlipiNode *let = slipi_tree_get(root, "let"), *d = slipi_tree_get(root, key->name);
  double dimension = 3;
  char shown[SLIPI_SHOWN];
  SlipStatus status = SLIP_OK;
  if (let && let->kind != SLIPI_MAPPING)
    return slipi_fail_node(reader->error, let, "let must be a mapping, not %s",
                           slipi_node_shown(let, shown));
  if (let)
    status = slipi_read_let(reader, let);
  if (status == SLIP_OK && d) {
    size_t length = slipi_path_key(reader, key->name);
    status = slipi_read_number(reader, d, key, &dimension);
    slipi_path_back(reader, length);
  }
  reader->dimension = (int32_t)dimension;
  return status;
}

static SlipStatus read_parts(SlipiReader *reader, const SlipiField *fields, SlipiScene *scene) {
  SlipStatus status = SLIP_OK;
  for (size_t k = 0; status == SLIP_OK && k < sizeof parts / sizeof parts[0]; k++) {
    const SlipiNode *node = fields[parts[k].key].node;
    if (!node)
      continue;
    size_t length = slipi_path_key(reader, slipi_block_scene.keys[parts[k].key].name);
    status = parts[k].read(reader, node, scene);
    slipi_path_back(reader, length);
  }
  return status;
}

static SlipStatus read_document(SlipiReader *reader, const SlipiNode *root, SlipiScene *scene) {
  SlipiField fields[SLIPI_SCENE_KEYS];
  SlipStatus status = read_first(reader, root);
  if (status == SLIP_OK)
    status = slipi_block_read(reader, root, &slipi_block_scene, fields);
  if (status != SLIP_OK)
    return status;
  SlipScene *out = &scene->scene;
  out->title = fields[SLIPI_SCENE_TITLE].text;
  out->description = fields[SLIPI_SCENE_DESCRIPTION].text;
  out->def.dimension = reader->dimension;
  memcpy(out->def.gravity, fields[SLIPI_SCENE_GRAVITY].x, sizeof out->def.gravity);
  return read_parts(reader, fields, scene);
}

/* The scene keeps copies of the values that are set. */
static SlipStatus keep_set(SlipiScene *scene, const SlipSceneOptions *options, SlipError *error) {
  int32_t count = options->set_count;
  if (count < 0 || (count > 0 && !options->set))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%d values to set, and no array of them", count);
  SlipOptionValue *set = SLIPI_ARENA_NEW(&scene->arena, SlipOptionValue, count);
  for (int32_t k = 0; set && k < count; k++) {
    const SlipOptionValue *from = &options->set[k];
    if (!from->name || !from->value)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a name or value to set is null");
    set[k].name = slipi_arena_copy(&scene->arena, from->name, strlen(from->name) + 1, 1);
    set[k].value = slipi_arena_copy(&scene->arena, from->value, strlen(from->value) + 1, 1);
  }
  if (scene->arena.failed)
    return slipi_fail_memory(error, "values that are set");
  scene->scene.set = set;
  scene->scene.set_count = count;
  return SLIP_OK;
}

/* The end of a long path is shown in messages. */
static const SlipiOrigin *make_origin(SlipiScene *scene) {
  SlipiOrigin *origin = SLIPI_ARENA_NEW(&scene->arena, SlipiOrigin, 1);
  const char *name = scene->scene.name;
  size_t length = strlen(name);
  if (length > NAME_SHOWN) {
    char *shown = SLIPI_ARENA_NEW(&scene->arena, char, NAME_SHOWN + 1);
    if (shown) {
      memcpy(shown, "...", 3);
      memcpy(shown + 3, name + length - (NAME_SHOWN - 3), NAME_SHOWN - 3);
    }
    name = shown;
  }
  if (!origin || !name)
    return NULL;
  *origin = (SlipiOrigin){name, true};
  return origin;
}

static SlipStatus read_text(SlipiScene *scene, int32_t most_bodies, SlipError *error) {
  SlipiReader reader = {.arena = &scene->arena,
                        .error = error,
                        .dimension = 3,
                        .most_bodies = most_bodies,
                        .file = scene->scene.name};
  const SlipiNode *root = NULL;
  const SlipiOrigin *origin = make_origin(scene);
  if (!origin)
    return slipi_fail_memory(error, scene->scene.name);
  SlipStatus status = slipi_tree_read(origin, scene->scene.text, scene->scene.text_size,
                                      &scene->arena, &root, error);
  for (int32_t k = 0; status == SLIP_OK && k < scene->scene.set_count; k++)
    status = slipi_tree_set(&scene->arena, &scene->scene.set[k], &root, error);
  return status == SLIP_OK ? read_document(&reader, root, scene) : status;
}

/* strtod follows the locale; this thread's is put back after. */
static SlipStatus read_plainly(SlipiScene *scene, int32_t most_bodies, SlipError *error) {
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return slipi_fail_memory(error, "the number format");
  locale_t old = uselocale(plain);
  SlipStatus status = read_text(scene, most_bodies, error);
  uselocale(old);
  freelocale(plain);
  return status;
}

static SlipStatus read_bytes(const char *name, const void *bytes, size_t size,
                             const SlipSceneOptions *options, SlipScene **out, SlipError *error) {
  SlipError unasked = {SLIP_OK, ""}; /* sentences are made of inner ones */
  SlipError *told = error ? error : &unasked;
  SlipiScene *scene = calloc(1, sizeof *scene);
  if (!scene)
    return slipi_fail_memory(error, name);
  set_defaults(scene);
  char *text = SLIPI_ARENA_NEW(&scene->arena, char, size + 1);
  scene->scene.name = slipi_arena_copy(&scene->arena, name, strlen(name) + 1, 1);
  if (text && size > 0)
    memcpy(text, bytes, size);
  scene->scene.text = text;
  scene->scene.text_size = size;
  SlipStatus status =
      scene->arena.failed ? slipi_fail_memory(told, name) : keep_set(scene, options, told);
  if (status == SLIP_OK)
    status = read_plainly(scene, options->most_bodies, told);
  if (status == SLIP_OK)
    *out = &scene->scene;
  else
    slip_scene_free(&scene->scene);
  return status;
}

static SlipStatus check_arguments(const char *path, const SlipSceneOptions *options,
                                  SlipSceneOptions *known, SlipScene **scene, SlipError *error) {
  slipi_error_clear(error);
  if (!scene)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "scene is NULL");
  *scene = NULL;
  if (!path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is NULL");
  *known = slip_default_scene_options();
  SlipStatus status = SLIP_OK;
  if (options)
    status = slipi_versioned_read("scene_options", options, known, sizeof *known, error);
  if (status == SLIP_OK && known->most_bodies < 0)
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "most_bodies is %d", known->most_bodies);
  if (known->most_bodies == 0 || known->most_bodies > SLIPI_MOST_BODIES)
    known->most_bodies = SLIPI_MOST_BODIES;
  return status;
}

SlipStatus slip_scene_read(const char *path, const SlipSceneOptions *options, SlipScene **scene,
                           SlipError *error) {
  SlipSceneOptions known;
  char *bytes = NULL;
  size_t size = 0;
  SlipStatus status = check_arguments(path, options, &known, scene, error);
  if (status != SLIP_OK)
    return status;
  status = slipi_file_bytes(path, MOST_BYTES, &bytes, &size, error);
  if (status != SLIP_OK)
    slipi_file_error_prefix(error, path);
  else
    status = read_bytes(path, bytes, size, &known, scene, error);
  free(bytes);
  return status;
}

SlipStatus slip_scene_read_memory(const char *name, const void *bytes, size_t size,
                                  const SlipSceneOptions *options, SlipScene **scene,
                                  SlipError *error) {
  SlipSceneOptions known;
  SlipStatus status = check_arguments(name, options, &known, scene, error);
  if (status != SLIP_OK)
    return status;
  if (!bytes && size > 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: bytes is NULL", name);
  if (size > MOST_BYTES)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: has %zu bytes; at most %d are read", name,
                      size, MOST_BYTES);
  return read_bytes(name, bytes, size, &known, scene, error);
}

void slip_scene_free(SlipScene *scene) {
  SlipiScene *whole = (SlipiScene *)scene;
  if (!whole)
    return;
  slip_settings_free(whole->settings);
  slipi_arena_free(&whole->arena);
  free(whole);
}
