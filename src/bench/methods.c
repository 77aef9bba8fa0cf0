/* Names of methods with their options: "nsgs[order=shuffle-once,seed=3]". */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

bool slipi_bench_is_peer(const char *name) {
  size_t plain = strcspn(name, "[");
  return memchr(name, ':', plain) != NULL;
}

/* One "key=value" of `pairs`, which is written to. */
static SlipStatus set_pair(SlipSettings *settings, const char *whole, char *pair,
                           SlipError *error) {
  char *equals = strchr(pair, '=');
  if (!equals)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: '%s' is not key=value", whole, pair);
  *equals = '\0';
  /* The campaign decides these, the same for all. */
  if (!strcmp(pair, "tol") || !strcmp(pair, "time-limit"))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s: the campaign sets %s", whole, pair);
  SlipStatus status = slip_settings_set(settings, pair, equals + 1, error);
  if (status != SLIP_OK)
    slipi_error_prefix(error, "%s", whole);
  return status;
}

static SlipStatus set_pairs(SlipSettings *settings, const char *whole, char *pairs,
                            SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (char *pair = pairs, *next; status == SLIP_OK && pair && *pair; pair = next) {
    next = strchr(pair, ',');
    if (next)
      *next++ = '\0';
    status = set_pair(settings, whole, pair, error);
  }
  return status;
}

SlipStatus slipi_bench_settings(const char *name, SlipSettings **settings, SlipError *error) {
  size_t length = strlen(name);
  char copy[SLIPI_BENCH_NAME];
  *settings = NULL;
  if (length >= sizeof copy)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "a method's name has %zu characters", length);
  memcpy(copy, name, length + 1);
  char *bracket = strchr(copy, '[');
  if (bracket && copy[length - 1] != ']')
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s has no closing bracket at its end", name);
  if (bracket) {
    *bracket = '\0';
    copy[length - 1] = '\0';
  }
  SlipStatus status = slip_settings_create(copy, settings, error);
  if (status == SLIP_OK && bracket)
    status = set_pairs(*settings, name, bracket + 1, error);
  if (status != SLIP_OK) {
    slip_settings_free(*settings);
    *settings = NULL;
  }
  return status;
}

/* ---- Lists --------------------------------------------------------------------------------- */

typedef struct Names {
  SlipBenchNames names; /* first, so that a pointer to it is a pointer to this */
  const char **items;
  int room;
  SlipiArena arena;
} Names;

/* Each name once, in the order given. */
static SlipStatus add(Names *made, const char *name, size_t length, SlipError *error) {
  for (int k = 0; k < made->names.count; k++)
    if (!strncmp(made->items[k], name, length) && !made->items[k][length])
      return SLIP_OK;
  if (made->names.count == made->room) {
    int room = made->room ? 2 * made->room : 16;
    const char **items = realloc(made->items, (size_t)room * sizeof *items);
    if (!items)
      return slipi_fail_memory(error, "a list of methods");
    made->items = items;
    made->room = room;
  }
  char *copy = slipi_arena_text(&made->arena, name, length);
  if (!copy)
    return slipi_fail_memory(error, "a list of methods");
  made->items[made->names.count++] = copy;
  made->names.names = made->items;
  if (slipi_bench_is_peer(copy))
    return SLIP_OK;
  SlipSettings *settings;
  SlipStatus status = slipi_bench_settings(copy, &settings, error);
  slip_settings_free(settings);
  return status;
}

/* family NULL: all methods. */
static SlipStatus add_family(Names *made, const char *family, size_t length, SlipError *error) {
  SlipStatus status = SLIP_OK;
  int before = made->names.count;
  bool any = false;
  for (int k = 0; status == SLIP_OK && k < slip_method_count(); k++) {
    const SlipMethodInfo *method = slip_method_info(k);
    if (family && (strncmp(method->family, family, length) != 0 || method->family[length]))
      continue;
    any = true;
    status = add(made, method->name, strlen(method->name), error);
  }
  if (!any && made->names.count == before)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no family of methods '%.*s'",
                      (int)length, family ? family : "");
  return status;
}

static SlipStatus add_item(Names *made, const char *item, size_t length, SlipError *error) {
  static const char family[] = "family:";
  size_t prefix = sizeof family - 1;
  if (length == 3 && !strncmp(item, "all", 3))
    return add_family(made, NULL, 0, error);
  if (length >= prefix && !strncmp(item, family, prefix))
    return add_family(made, item + prefix, length - prefix, error);
  return add(made, item, length, error);
}

/* Where the item at `list` ends: commas within brackets are its own. */
static size_t item_length(const char *list) {
  size_t length = 0;
  bool inside = false;
  for (; list[length] && (inside || list[length] != ','); length++) {
    if (list[length] == '[')
      inside = true;
    else if (list[length] == ']')
      inside = false;
  }
  return length;
}

SlipStatus slip_bench_methods(const char *list, SlipBenchNames **names, SlipError *error) {
  slipi_error_clear(error);
  if (!names)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "names is null");
  *names = NULL;
  if (!list || !*list)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the list of methods is empty");
  Names *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a list of methods");
  made->names.size = sizeof made->names;
  SlipStatus status = SLIP_OK;
  while (status == SLIP_OK) {
    size_t length = item_length(list);
    status = length ? add_item(made, list, length, error)
                    : slipi_fail(error, SLIP_ERROR_ARGUMENT,
                                 "the list of methods has an empty place before '%.40s'", list);
    if (!list[length])
      break;
    list += length + 1;
  }
  if (status == SLIP_OK)
    *names = &made->names;
  else
    slip_bench_names_free(&made->names);
  return status;
}

void slip_bench_names_free(SlipBenchNames *names) {
  Names *made = (Names *)names;
  if (!made)
    return;
  free(made->items);
  slipi_arena_free(&made->arena);
  free(made);
}
