/* Names and the numbers they stand for: a hash table that grows in an arena. */
#ifndef SLIPI_SCENE_NAMES_H
#define SLIPI_SCENE_NAMES_H

#include "base/arena.h"

/* All zero: empty. */
typedef struct SlipiNames {
  const char **name; /* capacity, a power of two; NULL: free */
  int32_t *value;
  int32_t capacity, count;
} SlipiNames;

/* The value of a name, or -1. */
int32_t slipi_names_find(const SlipiNames *names, const char *name);
/* The name must last as long as the table; one that is there gets the new value. False when memory
 * is out. */
bool slipi_names_put(SlipiNames *names, SlipiArena *arena, const char *name, int32_t value);

#endif
