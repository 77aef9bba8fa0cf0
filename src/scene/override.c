/* Values set from outside in a document. Nodes may be shared by aliases: those on the way to the
 * value are copied, so that it changes at one place only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

typedef struct Setting {
  SlipiArena *arena;
  const SlipiOrigin *origin;
  const SlipiNode *value;
  SlipError *error;
} Setting;

static SlipStatus place(const Setting *setting, const SlipiNode *node, const char *path,
                        const SlipiNode **out);

static SlipStatus fail_memory(const Setting *setting) {
  return slipi_fail_memory(setting->error, setting->origin->name);
}

/* A copy with room for `more` keys or items. */
static SlipiNode *copy_node(const Setting *setting, const SlipiNode *node, int32_t more) {
  SlipiNode *copy = slipi_arena_copy(setting->arena, node, 1, sizeof *node);
  size_t room = (size_t)node->count + (size_t)more;
  if (!copy)
    return NULL;
  copy->items = SLIPI_ARENA_NEW(setting->arena, const SlipiNode *, room);
  copy->keys = SLIPI_ARENA_NEW(setting->arena, const SlipiNode *, room);
  if (!copy->items || !copy->keys)
    return NULL;
  for (int32_t k = 0; k < node->count; k++) {
    copy->items[k] = node->items[k];
    copy->keys[k] = node->kind == SLIPI_MAPPING ? node->keys[k] : NULL;
  }
  return copy;
}

/* The first word of the path, as a key; *rest begins after the dot, NULL at the end. */
static SlipiNode *first_word(const Setting *setting, const char *path, const char **rest) {
  size_t length = strcspn(path, ".");
  SlipiNode *key = slipi_arena_alloc(setting->arena, 1, sizeof *key + length + 1);
  *rest = path[length] == '.' ? path + length + 1 : NULL;
  if (!key)
    return NULL;
  memcpy(key + 1, path, length);
  *key = (SlipiNode){.kind = SLIPI_SCALAR,
                     .origin = setting->origin,
                     .text = (const char *)(key + 1),
                     .weight = 1};
  return key;
}

static SlipStatus place_in_list(const Setting *setting, const SlipiNode *node, const SlipiNode *key,
                                const char *rest, const SlipiNode **out) {
  char *end, shown[SLIPI_SHOWN];
  long index = strtol(key->text, &end, 10);
  if (end == key->text || *end || index < 0 || index >= node->count)
    return slipi_fail_node(setting->error, key, "'%s' is no number from 0 to %d of a list",
                           slipi_shown(key->text, shown), node->count - 1);
  SlipiNode *copy = copy_node(setting, node, 0);
  if (!copy)
    return fail_memory(setting);
  *out = copy;
  return place(setting, node->items[index], rest, &copy->items[index]);
}

static SlipStatus place_in_mapping(const Setting *setting, const SlipiNode *node,
                                   const SlipiNode *key, const char *rest, const SlipiNode **out) {
  int32_t k = 0;
  while (k < node->count && strcmp(node->keys[k]->text, key->text) != 0)
    k++;
  SlipiNode *copy = copy_node(setting, node, 1);
  if (!copy)
    return fail_memory(setting);
  *out = copy;
  const SlipiNode *old = k < node->count ? node->items[k] : NULL;
  if (!old) {
    copy->keys[k] = key;
    copy->count++;
  }
  return place(setting, old, rest, &copy->items[k]);
}

static SlipStatus place(const Setting *setting, const SlipiNode *node, const char *path,
                        const SlipiNode **out) {
  const SlipiNode nothing = {.kind = SLIPI_MAPPING, .origin = setting->origin};
  const char *rest;
  char shown[SLIPI_SHOWN];
  if (!path) {
    *out = setting->value;
    return SLIP_OK;
  }
  const SlipiNode *key = first_word(setting, path, &rest);
  if (!key)
    return fail_memory(setting);
  if (key->text[0] == '\0')
    return slipi_fail_node(setting->error, key, "a key is empty");
  if (node && node->kind == SLIPI_SCALAR)
    return slipi_fail_node(setting->error, key, "'%s' is looked for in a value that has no keys",
                           slipi_shown(key->text, shown));
  if (node && node->kind == SLIPI_SEQUENCE)
    return place_in_list(setting, node, key, rest, out);
  return place_in_mapping(setting, node ? node : &nothing, key, rest, out);
}

static const SlipiOrigin *make_origin(SlipiArena *arena, const SlipOptionValue *set) {
  enum { LONGEST = 120 };
  SlipiOrigin *origin = SLIPI_ARENA_NEW(arena, SlipiOrigin, 1);
  char *name = SLIPI_ARENA_NEW(arena, char, LONGEST), path[SLIPI_SHOWN], value[SLIPI_SHOWN];
  if (!origin || !name)
    return NULL;
  snprintf(name, LONGEST, "--set %s=%s", slipi_shown(set->name, path),
           slipi_shown(set->value, value));
  origin->name = name;
  return origin;
}

SlipStatus slipi_tree_set(SlipiArena *arena, const SlipOptionValue *set, const SlipiNode **root,
                          SlipError *error) {
  Setting setting = {.arena = arena, .error = error};
  const SlipiNode *changed = NULL;
  if (!set->name || !set->value)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a name or value to set is null");
  setting.origin = make_origin(arena, set);
  if (!setting.origin)
    return slipi_fail_memory(error, "values that are set");
  SlipStatus status =
      slipi_tree_read(setting.origin, set->value, strlen(set->value), arena, &setting.value, error);
  if (status == SLIP_OK)
    status = place(&setting, *root, set->name, &changed);
  if (status == SLIP_OK)
    *root = changed;
  return status;
}
