/* A small seeded generator (xoshiro256**): the same numbers on every machine. */
#ifndef SLIPI_BASE_RANDOM_H
#define SLIPI_BASE_RANDOM_H

#include <stdint.h>

typedef struct SlipiRandom {
  uint64_t s[4];
} SlipiRandom;

void slipi_random_seed(SlipiRandom *random, uint64_t seed);
uint64_t slipi_random_next(SlipiRandom *random);
/* Uniform in [0, 1). */
double slipi_random_unit(SlipiRandom *random);
/* Uniform in [low, high). */
double slipi_random_between(SlipiRandom *random, double low, double high);
/* Standard normal. */
double slipi_random_normal(SlipiRandom *random);
/* Uniform in 0..count-1; count > 0. */
uint32_t slipi_random_below(SlipiRandom *random, uint32_t count);
/* A random order of the given values (Fisher-Yates). */
void slipi_random_shuffle(SlipiRandom *random, int32_t *values, int32_t count);

#endif
