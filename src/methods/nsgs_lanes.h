/* Four numbers at a time, one of each of four contacts (methods/nsgs_fours.h). Vectors go by
 * pointers: how they would be passed depends on the registers of a machine. */
#ifndef SLIPI_METHODS_NSGS_LANES_H
#define SLIPI_METHODS_NSGS_LANES_H

#include <math.h>
#include <string.h>

#include "base/wide.h"
#include "contact/pairs.h"

typedef double Vector __attribute__((vector_size(32)));
typedef long long Mask __attribute__((vector_size(32)));

/* Written out, because compilers make one instruction of it. */
SLIPI_INLINE void widen(const float x[4], Vector *to) {
  *to = (Vector){x[0], x[1], x[2], x[3]};
}

/* The first and the second values of four pairs. */
SLIPI_INLINE void transpose(const SlipiTwo x[4], Vector to[2]) {
  Vector even = __builtin_shufflevector(x[0], x[2], 0, 1, 2, 3);
  Vector odd = __builtin_shufflevector(x[1], x[3], 0, 1, 2, 3);
  to[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  to[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

/* And back. */
SLIPI_INLINE void transpose_back(const Vector from[2], SlipiTwo x[4]) {
  Vector even = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6);
  Vector odd = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(even, even, 0, 1);
  x[1] = __builtin_shufflevector(odd, odd, 0, 1);
  x[2] = __builtin_shufflevector(even, even, 2, 3);
  x[3] = __builtin_shufflevector(odd, odd, 2, 3);
}

/* Values k and k + 1 of four bodies, one value of all beside the other. */
SLIPI_INLINE void gather_two(const double *z, const int32_t first[4], int k, Vector to[2]) {
  SlipiTwo x[4];
  for (int l = 0; l < 4; l++)
    x[l] = slipi_load_two(z + first[l] + k);
  transpose(x, to);
}

SLIPI_INLINE void scatter_two(const Vector from[2], const int32_t first[4], int k, double *z) {
  SlipiTwo x[4];
  transpose_back(from, x);
  for (int l = 0; l < 4; l++)
    memcpy(z + first[l] + k, &x[l], sizeof x[l]);
}

/* Three values of four contacts, and back. */
SLIPI_INLINE void gather_three(const double *x, const int32_t contact[4], Vector to[3]) {
  SlipiTwo pair[4], third[2];
  for (int l = 0; l < 4; l++)
    pair[l] = slipi_load_two(x + 3 * (int64_t)contact[l]);
  transpose(pair, to);
  for (int l = 0; l < 2; l++)
    third[l] =
        (SlipiTwo){x[3 * (int64_t)contact[2 * l] + 2], x[3 * (int64_t)contact[2 * l + 1] + 2]};
  to[2] = __builtin_shufflevector(third[0], third[1], 0, 1, 2, 3);
}

SLIPI_INLINE void scatter_three(const Vector from[3], const int32_t contact[4], double *x) {
  SlipiTwo pair[4];
  transpose_back(from, pair);
  for (int l = 0; l < 4; l++) {
    memcpy(x + 3 * (int64_t)contact[l], &pair[l], sizeof pair[l]);
    x[3 * (int64_t)contact[l] + 2] = from[2][l];
  }
}

/* x where the mask is set, y elsewhere. */
SLIPI_INLINE void choose_lanes(const Mask *where, const Vector *x, const Vector *y, Vector *to) {
  *to = (Vector)(((Mask)*x & *where) | ((Mask)*y & ~*where));
}

SLIPI_INLINE void root(const Vector *x, Vector *to) {
  double y[4];
  memcpy(y, x, sizeof y);
  for (int l = 0; l < 4; l++)
    y[l] = sqrt(y[l]);
  memcpy(to, y, sizeof y);
}

SLIPI_INLINE bool any(const Mask *mask) {
  return ((*mask)[0] | (*mask)[1] | (*mask)[2] | (*mask)[3]) != 0;
}

/* The sum over the places, always in this order. */
SLIPI_INLINE double sum_lanes(const Vector *x) {
  return ((*x)[0] + (*x)[1]) + ((*x)[2] + (*x)[3]);
}

#endif
