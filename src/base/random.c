#include "base/random.h"

#include <math.h>

static uint64_t rotate_left(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

void slipi_random_seed(SlipiRandom *random, uint64_t seed) {
  /* splitmix64 fills the state, as the generator's authors advise. */
  for (int k = 0; k < 4; k++) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    random->s[k] = z ^ (z >> 31);
  }
}

uint64_t slipi_random_next(SlipiRandom *random) {
  uint64_t *s = random->s;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double slipi_random_unit(SlipiRandom *random) {
  return (double)(slipi_random_next(random) >> 11) * 0x1.0p-53;
}

double slipi_random_between(SlipiRandom *random, double low, double high) {
  return low + (high - low) * slipi_random_unit(random);
}

double slipi_random_normal(SlipiRandom *random) {
  const double two_pi = 6.283185307179586;
  double a = 1.0 - slipi_random_unit(random); /* in (0, 1] */
  double b = slipi_random_unit(random);
  return sqrt(-2.0 * log(a)) * cos(two_pi * b);
}

uint32_t slipi_random_below(SlipiRandom *random, uint32_t count) {
  /* Multiply-shift; the bias is below 2^-32, of no matter here. */
  return (uint32_t)(((slipi_random_next(random) >> 32) * count) >> 32);
}

void slipi_random_shuffle(SlipiRandom *random, int32_t *values, int32_t count) {
  for (int32_t k = count - 1; k > 0; k--) {
    int32_t j = (int32_t)slipi_random_below(random, (uint32_t)k + 1);
    int32_t t = values[k];
    values[k] = values[j];
    values[j] = t;
  }
}
