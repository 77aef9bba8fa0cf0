/* A 64-bit fingerprint of numbers, the same on every machine: the state goes through the mixing
 * function of splitmix64 with each word that is added. */
#ifndef SLIPI_BASE_HASH_H
#define SLIPI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t slipi_hash_word(uint64_t hash, uint64_t word) {
  uint64_t z = (hash ^ word) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* NULL counts as an array of its own: neither empty nor zeros. */
static inline uint64_t slipi_hash_ints(uint64_t hash, const int32_t *values, size_t count) {
  hash = slipi_hash_word(hash, values ? count + 1 : 0);
  for (size_t k = 0; values && k < count; k++)
    hash = slipi_hash_word(hash, (uint32_t)values[k]);
  return hash;
}

static inline uint64_t slipi_hash_reals(uint64_t hash, const double *values, size_t count) {
  hash = slipi_hash_word(hash, values ? count + 1 : 0);
  for (size_t k = 0; values && k < count; k++) {
    uint64_t bits;
    memcpy(&bits, &values[k], sizeof bits);
    hash = slipi_hash_word(hash, bits);
  }
  return hash;
}

#endif
