/* C -= A B of dense matrices by columns. Every entry of C sees the products in the order of A's
 * columns, one after the other, whatever the sizes are and however wide the registers: the bits are
 * the same on every machine, which those of a BLAS are not. */
#ifndef SLIPI_LINALG_PRODUCT_H
#define SLIPI_LINALG_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide.h"

/* A matrix of some rows, its columns `stride` apart. */
typedef struct SlipiColumns {
  double *at;
  int64_t stride;
} SlipiColumns;

/* C -= A B with A of rows x inner, B of inner x columns; C = -A B where it is `fresh`, and what was
 * there is not read. */
void slipi_product_subtract(SlipiRegisters registers, int rows, int columns, int inner,
                            SlipiColumns A, SlipiColumns B, bool fresh, SlipiColumns C);

#endif
