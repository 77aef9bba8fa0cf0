/* The name somebody may have meant. */
#ifndef SLIPI_BASE_NEAREST_H
#define SLIPI_BASE_NEAREST_H

#include <stddef.h>

/* A search that is offered candidates one by one. */
typedef struct SlipiNearest {
  const char *wanted;
  const char *best; /* NULL: none is near */
  int distance;     /* of the best one */
} SlipiNearest;

SlipiNearest slipi_nearest_start(const char *wanted);
/* Keeps the candidate where it is nearer than those before: one or two letters added, left out,
 * exchanged or swapped with their neighbour, or the one begins with the other. The text must last
 * as long as the search. */
void slipi_nearest_offer(SlipiNearest *nearest, const char *candidate);

/* "; did you mean 'friction'?", or "" where no candidate was near. */
const char *slipi_nearest_text(const SlipiNearest *nearest, char *text, size_t size);

#endif
