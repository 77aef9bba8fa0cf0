#include "scene/names.h"

#include <string.h>

#include "base/hash.h"

/* The slot of a name, or the free one where it belongs; the table is never full. */
static int32_t slot_of(const SlipiNames *names, const char *name) {
  uint64_t hash = 0;
  for (const char *at = name; *at; at++)
    hash = slipi_hash_word(hash, (unsigned char)*at);
  int32_t slot = (int32_t)(hash & (uint64_t)(names->capacity - 1));
  while (names->name[slot] && strcmp(names->name[slot], name) != 0)
    slot = (slot + 1) & (names->capacity - 1);
  return slot;
}

int32_t slipi_names_find(const SlipiNames *names, const char *name) {
  if (names->count == 0)
    return -1;
  int32_t slot = slot_of(names, name);
  return names->name[slot] ? names->value[slot] : -1;
}

static bool grow(SlipiNames *names, SlipiArena *arena) {
  int32_t capacity = names->capacity == 0 ? 16 : 2 * names->capacity;
  SlipiNames larger = {SLIPI_ARENA_NEW(arena, const char *, capacity),
                       SLIPI_ARENA_NEW(arena, int32_t, capacity), capacity, names->count};
  if (!larger.name || !larger.value)
    return false;
  for (int32_t k = 0; k < names->capacity; k++) {
    if (!names->name[k])
      continue;
    int32_t slot = slot_of(&larger, names->name[k]);
    larger.name[slot] = names->name[k];
    larger.value[slot] = names->value[k];
  }
  *names = larger;
  return true;
}

bool slipi_names_put(SlipiNames *names, SlipiArena *arena, const char *name, int32_t value) {
  if (names->count >= names->capacity / 2 && !grow(names, arena))
    return false;
  int32_t slot = slot_of(names, name);
  names->count += names->name[slot] == NULL;
  names->name[slot] = name;
  names->value[slot] = value;
  return true;
}
