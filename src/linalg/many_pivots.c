#include "linalg/many_pivots.h"

enum { BLOCK = 32 }; /* pivots of a block */

static int block_end(int at, int k) {
  return k - at < BLOCK ? k : at + BLOCK;
}

static SlipiColumns from(SlipiColumns columns, int row, int column) {
  return (SlipiColumns){columns.at + row + column * columns.stride, columns.stride};
}

/* Eliminate pivots at ... end - 1, which L has, in the rows up to `rows` of `count` columns. */
static void follow(SlipiRegisters registers, int at, int end, int rows, SlipiColumns L, int count,
                   SlipiColumns X) {
  slipi_few_pivots_substitute(registers != SLIPI_REGISTERS_PLAIN, at, end, L, count, X);
  slipi_product_subtract(registers, rows - end, count, end - at, from(L, end, at), from(X, at, 0),
                         false, from(X, end, 0));
}

bool slipi_many_pivots_factor(SlipiRegisters registers, SlipiPanel panel, lapack_int *swap) {
  SlipiColumns L = {panel.at, panel.stride};
  for (int at = 0, end; at < panel.columns; at = end) {
    end = block_end(at, panel.columns);
    if (!slipi_few_pivots_factor(registers != SLIPI_REGISTERS_PLAIN, at, end, panel, swap))
      return false;
    follow(registers, at, end, panel.rows, L, panel.columns - end, from(L, 0, end));
  }
  return true;
}

void slipi_many_pivots_substitute(SlipiRegisters registers, int k, SlipiColumns L, int count,
                                  SlipiColumns X) {
  for (int at = 0, end; at < k; at = end) {
    end = block_end(at, k);
    follow(registers, at, end, k, L, count, X);
  }
}
