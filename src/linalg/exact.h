/* Sums without rounding: a sum of doubles is kept as one long integer, rounded once when it is
 * asked for. The order in which terms come, and who adds which of them, changes no bit: threads and
 * processes add what they have, and their sums are added as integers. */
#ifndef SLIPI_LINALG_EXACT_H
#define SLIPI_LINALG_EXACT_H

#include <stdint.h>

/* 32 bits in each limb from 2^-1152 on, with room for the carries of 2^30 terms; the last two limbs
 * lie above the largest double, and after them come the numbers of terms that are infinite or no
 * number. */
enum { SLIPI_EXACT_LIMBS = 71, SLIPI_EXACT_SIZE = SLIPI_EXACT_LIMBS + 3 };

typedef struct SlipiExact {
  int64_t part[SLIPI_EXACT_SIZE];
} SlipiExact;

void slipi_exact_add(SlipiExact *sum, double x);
double slipi_exact_value(const SlipiExact *sum);

/* Add |x|^2, each `piece` values together first. */
void slipi_exact_add_square(SlipiExact *sum, const double *x, int64_t count, int64_t piece);

#endif
