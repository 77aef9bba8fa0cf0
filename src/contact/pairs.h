/* The velocity form (operator_velocity.c) where every contact touches at most two rigid bodies of
 * six consecutive degrees of freedom: u = A' z with z = B r of the sweep's row state, one block of
 * 3 x 12 values per contact. In a header, so that a sweep can keep the whole visit of a contact in
 * registers. */
#ifndef SLIPI_CONTACT_PAIRS_H
#define SLIPI_CONTACT_PAIRS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/prefetch.h"
#include "linalg/bsr.h"

/* Contacts from which on visits to four pairs at a time are worth choosing them. */
enum { SLIPI_PAIRS_FROM = 65 };

typedef struct SlipiPairs {
  const int32_t *first; /* 2 per contact: the place in z where each body begins */
  const double *a, *b;  /* 36 per contact; the same array for a symmetric M */
  /* The blocks of W of bodies with many degrees of freedom; NULL: there are no such bodies. */
  const SlipiBsr *large;
} SlipiPairs;

/* Two values at a time: the sums' order is ours, which a compiler may not change by itself. */
typedef double SlipiTwo __attribute__((vector_size(16)));

static inline SlipiTwo slipi_load_two(const double *x) {
  SlipiTwo two;
  memcpy(&two, x, sizeof two);
  return two;
}

/* Ask ahead for the data that a visit to the contact reads: processors guess the rows well and the
 * bodies not at all. */
static inline void slipi_pairs_prefetch(const SlipiPairs *pairs, int32_t contact, const double *z) {
  for (int side = 0; side < 2; side++)
    slipi_prefetch(z + pairs->first[2 * (int64_t)contact + side], 6 * sizeof(double));
  slipi_prefetch(pairs->a + (int64_t)contact * 36, 36 * sizeof(double));
}

/* u = A' z of one contact. */
static inline void slipi_pairs_row(const SlipiPairs *pairs, int32_t contact, const double *z,
                                   double u[3]) {
  const double *a = pairs->a + (int64_t)contact * 36;
  const double *z0 = z + pairs->first[2 * (int64_t)contact];
  const double *z1 = z + pairs->first[2 * (int64_t)contact + 1];
  for (int c = 0; c < 3; c++, a += 12) {
    SlipiTwo p[6];
    for (int k = 0; k < 3; k++) {
      p[k] = slipi_load_two(a + 2 * k) * slipi_load_two(z0 + 2 * k);
      p[3 + k] = slipi_load_two(a + 6 + 2 * k) * slipi_load_two(z1 + 2 * k);
    }
    SlipiTwo sum = ((p[0] + p[1]) + (p[3] + p[4])) + (p[2] + p[5]);
    u[c] = sum[0] + sum[1];
  }
}

/* u += the part of large bodies in (W r) of one contact. Most contacts touch none: their rows are
 * empty. */
static inline void slipi_large_add(const SlipiBsr *large, int32_t d, int32_t contact,
                                   const double *r, double *u) {
  if (!large || large->p[contact] == large->p[contact + 1])
    return;
  double sum[3];
  slipi_bsr_row(large, contact, r, sum);
  for (int32_t k = 0; k < d; k++)
    u[k] += sum[k];
}

/* z += B change. Both bodies of a contact may be one, so the first is written before the second is
 * read. */
static inline void slipi_pairs_update(const SlipiPairs *pairs, int32_t contact,
                                      const double change[3], double *z) {
  const double *b = pairs->b + (int64_t)contact * 36;
  for (int side = 0; side < 2; side++, b += 6) {
    double *own = z + pairs->first[2 * (int64_t)contact + side];
    for (int k = 0; k < 6; k += 2) {
      SlipiTwo sum = slipi_load_two(b + k) * change[0] + slipi_load_two(b + 12 + k) * change[1];
      sum += slipi_load_two(own + k) + slipi_load_two(b + 24 + k) * change[2];
      memcpy(own + k, &sum, sizeof sum);
    }
  }
}

/* ---- Moments: blocks that turn bodies only, so that the first two places of each are nothing ----
 */

static inline void slipi_pairs_turns(const SlipiPairs *pairs, int32_t contact, const double *z,
                                     double u[3]) {
  const double *a = pairs->a + (int64_t)contact * 36;
  const double *z0 = z + pairs->first[2 * (int64_t)contact];
  const double *z1 = z + pairs->first[2 * (int64_t)contact + 1];
  SlipiTwo middle[2] = {slipi_load_two(z0 + 2), slipi_load_two(z1 + 2)};
  SlipiTwo last[2] = {slipi_load_two(z0 + 4), slipi_load_two(z1 + 4)};
  for (int c = 0; c < 3; c++, a += 12) {
    SlipiTwo sum = slipi_load_two(a + 2) * middle[0] + slipi_load_two(a + 8) * middle[1];
    sum += slipi_load_two(a + 4) * last[0] + slipi_load_two(a + 10) * last[1];
    u[c] = sum[0] + sum[1];
  }
}

/* z += B change of a contact and of its moments, which are block `moments` and touch the same
 * bodies. */
static inline void slipi_pairs_update_both(const SlipiPairs *pairs, int32_t moments,
                                           const double change[6], double *z) {
  const double *b = pairs->b + (int64_t)(moments - 1) * 36, *turn = b + 36;
  for (int side = 0; side < 2; side++, b += 6, turn += 6) {
    double *own = z + pairs->first[2 * (int64_t)moments + side];
    for (int k = 0; k < 6; k += 2) {
      SlipiTwo sum = slipi_load_two(b + k) * change[0] + slipi_load_two(b + 12 + k) * change[1];
      sum += slipi_load_two(own + k) + slipi_load_two(b + 24 + k) * change[2];
      if (k > 0) {
        sum += slipi_load_two(turn + k) * change[3] + slipi_load_two(turn + 12 + k) * change[4];
        sum += slipi_load_two(turn + 24 + k) * change[5];
      }
      memcpy(own + k, &sum, sizeof sum);
    }
  }
}

/* Whether the moments of a block touch the bodies of the contact before it, and turn them only. */
static inline bool slipi_pairs_join(const SlipiPairs *pairs, int32_t moments) {
  const int32_t *first = pairs->first + 2 * (int64_t)moments;
  bool joined = first[0] == first[-2] && first[1] == first[-1];
  for (int c = 0; c < 6 && joined; c++) {
    int64_t at = (int64_t)moments * 36 + 6 * (int64_t)c;
    joined =
        pairs->a[at] == 0 && pairs->a[at + 1] == 0 && pairs->b[at] == 0 && pairs->b[at + 1] == 0;
  }
  return joined;
}

/* C = A' B, row-major, with the rows A of the moments and B of their contact. */
static inline void slipi_pairs_cross(const SlipiPairs *pairs, int32_t moments, double C[9]) {
  double z[12]; /* both bodies, which may be one */
  bool one = pairs->first[2 * (int64_t)moments] == pairs->first[2 * (int64_t)moments + 1];
  const double *a = pairs->a + (int64_t)moments * 36, *b = pairs->b + (int64_t)(moments - 1) * 36;
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 12; j++)
      z[j] = b[12 * k + j] + (one ? b[12 * k + (j + 6) % 12] : 0);
    for (int i = 0; i < 3; i++) {
      C[3 * i + k] = 0;
      for (int j = 0; j < 12; j++)
        C[3 * i + k] += a[12 * i + j] * z[j];
    }
  }
}

#endif
