#include "linalg/exact.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

enum { LIMB = 32, LOWEST = -1152, MANTISSA = 53 };
enum { NOT_A_NUMBER = SLIPI_EXACT_LIMBS, PLUS_INFINITY, MINUS_INFINITY };
static const int64_t MASK = ((int64_t)1 << LIMB) - 1;

void slipi_exact_add(SlipiExact *sum, double x) {
  if (x == 0)
    return;
  if (!isfinite(x)) {
    sum->part[isnan(x) ? NOT_A_NUMBER : x > 0 ? PLUS_INFINITY : MINUS_INFINITY]++;
    return;
  }
  int exponent;
  double fraction = frexp(fabs(x), &exponent);
  uint64_t bits = (uint64_t)ldexp(fraction, MANTISSA);
  int at = exponent - MANTISSA - LOWEST, limb = at / LIMB, shift = at % LIMB;
  /* The 53 bits, moved by less than 32, lie in three limbs. */
  uint64_t low = (bits & (uint64_t)MASK) << shift, high = (bits >> LIMB) << shift;
  int64_t parts[3] = {(int64_t)(low & (uint64_t)MASK), (int64_t)(high & (uint64_t)MASK),
                      (int64_t)(high >> LIMB)};
  parts[1] += (int64_t)(low >> LIMB);
  for (int k = 0; k < 3; k++)
    sum->part[limb + k] += x > 0 ? parts[k] : -parts[k];
}

/* Each limb in 0..2^32 - 1 but the highest, which has the sign. Those before `first` and beyond
 * `last` are 0 before: most sums have few others. */
static void carry(int64_t limb[SLIPI_EXACT_LIMBS], int first, int last) {
  for (int k = first; k + 1 < SLIPI_EXACT_LIMBS && (k <= last || limb[k] != 0); k++) {
    int64_t low = limb[k] & MASK;
    limb[k + 1] += (limb[k] - low) / (MASK + 1);
    limb[k] = low;
  }
}

/* Of a sum that is not negative, its limbs carried: the 64 bits from the highest one on, the lowest
 * of them set where anything is left behind them, are rounded to the nearest double. */
static double round_limbs(const int64_t limb[SLIPI_EXACT_LIMBS]) {
  int top = SLIPI_EXACT_LIMBS - 1;
  while (top >= 0 && limb[top] == 0)
    top--;
  if (top < 0)
    return 0;
  uint64_t part[3] = {(uint64_t)limb[top], top > 0 ? (uint64_t)limb[top - 1] : 0,
                      top > 1 ? (uint64_t)limb[top - 2] : 0};
  int lead = 0; /* zeros before the first bit of the highest limb */
  while (!(part[0] >> (LIMB - 1 - lead) & 1))
    lead++;
  uint64_t bits = (part[0] << LIMB | part[1]) << lead, rest = 0;
  bits |= lead > 0 ? part[2] >> (LIMB - lead) : 0;
  rest = part[2] & (((uint64_t)1 << (LIMB - lead)) - 1);
  for (int k = top - 3; k >= 0; k--)
    rest |= (uint64_t)limb[k];
  bits |= rest != 0;
  return ldexp((double)bits, LOWEST + LIMB * (top - 1) - lead);
}

double slipi_exact_value(const SlipiExact *sum) {
  const int64_t *part = sum->part;
  bool up = part[PLUS_INFINITY] != 0, down = part[MINUS_INFINITY] != 0;
  if (part[NOT_A_NUMBER] != 0 || (up && down))
    return NAN;
  if (up || down)
    return up ? INFINITY : -INFINITY;
  int64_t limb[SLIPI_EXACT_LIMBS];
  int first = 0, last = SLIPI_EXACT_LIMBS - 1;
  while (first < last && part[first] == 0)
    first++;
  while (last > first && part[last] == 0)
    last--;
  memcpy(limb, part, sizeof limb);
  carry(limb, first, last);
  bool negative = limb[SLIPI_EXACT_LIMBS - 1] < 0;
  for (int k = 0; negative && k < SLIPI_EXACT_LIMBS; k++)
    limb[k] = -limb[k];
  if (negative)
    carry(limb, first, SLIPI_EXACT_LIMBS - 1);
  double value = round_limbs(limb);
  return negative ? -value : value;
}

void slipi_exact_add_square(SlipiExact *sum, const double *x, int64_t count, int64_t piece) {
  for (int64_t k = 0; k < count; k += piece)
    slipi_exact_add(sum, slipi_dot(x + k, x + k, count - k < piece ? count - k : piece));
}
