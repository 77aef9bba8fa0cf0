/* Bodies by name: chains of slots in buckets, in the order in which they were added, so that the
 * first of several with one name is found. */
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

char *slipi_name_copy(const char *name) {
  size_t size = strlen(name) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, name, size);
  return copy;
}

static int32_t bucket_of(const SlipSim *sim, const char *name) {
  uint64_t hash = 0;
  for (const char *at = name; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  return (int32_t)(slipi_hash_word(hash, 0) & (uint64_t)(sim->buckets - 1));
}

static void append(SlipSim *sim, int32_t slot) {
  int32_t k = bucket_of(sim, sim->bodies.name[slot]);
  sim->bodies.next_name[slot] = -1;
  if (sim->bucket[k] < 0)
    sim->bucket[k] = slot;
  else
    sim->bodies.next_name[sim->bucket_end[k]] = slot;
  sim->bucket_end[k] = slot;
}

/* Twice as many buckets; chains are walked in order, which keeps the order of equal names. */
static bool widen(SlipSim *sim) {
  int32_t old = sim->buckets, count = old > 0 ? 2 * old : 16, *first = sim->bucket;
  int32_t *bucket = malloc((size_t)count * sizeof *bucket);
  int32_t *end = malloc((size_t)count * sizeof *end);
  if (!bucket || !end) {
    free(bucket);
    free(end);
    return false;
  }
  for (int32_t k = 0; k < count; k++)
    bucket[k] = end[k] = -1;
  free(sim->bucket_end);
  sim->bucket = bucket;
  sim->bucket_end = end;
  sim->buckets = count;
  for (int32_t k = 0; k < old; k++) {
    for (int32_t slot = first[k], next; slot >= 0; slot = next) {
      next = sim->bodies.next_name[slot];
      append(sim, slot);
    }
  }
  free(first);
  return true;
}

bool slipi_names_add(SlipSim *sim, int32_t slot) {
  if (!sim->bodies.name[slot])
    return true;
  if (sim->named >= sim->buckets && !widen(sim))
    return false;
  append(sim, slot);
  sim->named++;
  return true;
}

void slipi_names_remove(SlipSim *sim, int32_t slot) {
  if (!sim->bodies.name[slot])
    return;
  int32_t k = bucket_of(sim, sim->bodies.name[slot]), before = -1;
  for (int32_t at = sim->bucket[k]; at != slot; at = sim->bodies.next_name[at])
    before = at;
  int32_t next = sim->bodies.next_name[slot];
  if (before < 0)
    sim->bucket[k] = next;
  else
    sim->bodies.next_name[before] = next;
  if (sim->bucket_end[k] == slot)
    sim->bucket_end[k] = before;
  sim->named--;
  free(sim->bodies.name[slot]);
  sim->bodies.name[slot] = NULL;
}

SlipBodyId slip_sim_find_body(const SlipSim *sim, const char *name) {
  SlipBodyId none = {-1, 0};
  if (!sim || !name || sim->buckets == 0)
    return none;
  int32_t slot = sim->bucket[bucket_of(sim, name)];
  while (slot >= 0 && strcmp(sim->bodies.name[slot], name) != 0)
    slot = sim->bodies.next_name[slot];
  return slot < 0 ? none : (SlipBodyId){slot, sim->bodies.generation[slot]};
}
