#include "linalg/product.h"

#include <string.h>

/* A tile of C stays in registers while products are subtracted from it. Its rows are some vectors,
 * its columns as many as registers allow; rows that are left over are tiles of shorter vectors.
 * INNER columns of A are taken at a time, SPAN columns of C, whose part of B then is in a cache of
 * the second level. Where C has at least MANY columns the rows of A that belong to a tile are
 * copied to one place before they serve all of them. */
enum { VECTORS = 3, INNER = 128, SPAN = 256, MANY = 48, LANES_MOST = 8, COLUMNS_MOST = 8 };

typedef double One __attribute__((vector_size(sizeof(double)), may_alias));
typedef double Two
    __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double Four
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double Eight
    __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* At most INNER columns of A, and what they are subtracted from. */
typedef struct Span {
  int rows, columns, inner;
  SlipiColumns A, B, C;
  bool fresh;
} Span;

/* Function NAME: subtract A B from the tile of C at some row and column, of `vectors` of rows and
 * `columns`. Both are constants where it is called, so that all loops over them are unrolled and
 * `sum` is in registers. */
#define DEFINE_TILE(NAME, Vector)                                                                  \
  SLIPI_INLINE void NAME(const int vectors, const int columns, const Span *span, int row,          \
                         int column) {                                                             \
    enum { LANES = sizeof(Vector) / sizeof(double) };                                              \
    Vector sum[COLUMNS_MOST][VECTORS], a[VECTORS];                                                 \
    const Vector zero = {0};                                                                       \
    const double *A = span->A.at, *B = span->B.at + column * span->B.stride;                       \
    double *C = span->C.at + row + column * span->C.stride;                                        \
    const int64_t next = span->C.stride, down = span->B.stride;                                    \
    for (int c = 0; c < columns; c++) {                                                            \
      for (int v = 0; v < vectors; v++)                                                            \
        sum[c][v] = span->fresh ? zero : *(const Vector *)(C + c * next + v * LANES);              \
    }                                                                                              \
    for (int j = 0; j < span->inner; j++, A += span->A.stride) {                                   \
      for (int v = 0; v < vectors; v++)                                                            \
        a[v] = *(const Vector *)(A + v * LANES);                                                   \
      for (int c = 0; c < columns; c++) {                                                          \
        for (int v = 0; v < vectors; v++)                                                          \
          sum[c][v] -= a[v] * B[j + c * down];                                                     \
      }                                                                                            \
    }                                                                                              \
    for (int c = 0; c < columns; c++) {                                                            \
      for (int v = 0; v < vectors; v++)                                                            \
        *(Vector *)(C + c * next + v * LANES) = sum[c][v];                                         \
    }                                                                                              \
  }

DEFINE_TILE(tile_one, One)
DEFINE_TILE(tile_two, Two)
DEFINE_TILE(tile_four, Four)
DEFINE_TILE(tile_eight, Eight)

SLIPI_INLINE void subtract_tile(const int lanes, const int vectors, const int columns,
                                const Span *span, int row, int column) {
  if (lanes == 8)
    tile_eight(vectors, columns, span, row, column);
  else if (lanes == 4)
    tile_four(vectors, columns, span, row, column);
  else if (lanes == 2)
    tile_two(vectors, columns, span, row, column);
  else
    tile_one(vectors, columns, span, row, column);
}

/* All columns of the rows of a tile: as many at a time as registers allow, then the rest. */
SLIPI_INLINE void subtract_rows(const int lanes, const int vectors, const Span *span, int row) {
  const int most = lanes == 8 ? COLUMNS_MOST : 4, end = span->columns;
  int at = 0;
  for (; at + most <= end; at += most)
    subtract_tile(lanes, vectors, most, span, row, at);
  for (; at + 4 <= end; at += 4)
    subtract_tile(lanes, vectors, 4, span, row, at);
  for (; at + 2 <= end; at += 2)
    subtract_tile(lanes, vectors, 2, span, row, at);
  for (; at < end; at++)
    subtract_tile(lanes, vectors, 1, span, row, at);
}

/* From row `at` on while there are enough for a tile; returns where it ends. */
SLIPI_INLINE int subtract_strips(const int lanes, const int vectors, const Span *span, int at) {
  const int rows = lanes * vectors;
  double copy[INNER * VECTORS * LANES_MOST];
  for (; at + rows <= span->rows; at += rows) {
    Span strip = *span;
    strip.A.at += at;
    if (span->columns >= MANY) {
      for (int j = 0; j < span->inner; j++)
        memcpy(copy + j * rows, strip.A.at + j * span->A.stride, (size_t)rows * sizeof *copy);
      strip.A = (SlipiColumns){copy, rows};
    }
    subtract_rows(lanes, vectors, &strip, at);
  }
  return at;
}

SLIPI_INLINE void subtract_span(const int lanes, const Span *span) {
  int at = subtract_strips(lanes, VECTORS, span, 0);
  at = subtract_strips(lanes, 2, span, at);
  at = subtract_strips(lanes, 1, span, at);
  if (lanes > 4)
    at = subtract_strips(4, 1, span, at);
  if (lanes > 2)
    at = subtract_strips(2, 1, span, at);
  subtract_strips(1, 1, span, at);
}

SLIPI_INLINE int lesser(int a, int b) {
  return a < b ? a : b;
}

SLIPI_INLINE void subtract(const int lanes, int rows, int columns, int inner, SlipiColumns A,
                           SlipiColumns B, bool fresh, SlipiColumns C) {
  for (int first = 0; first < columns; first += SPAN) {
    for (int j = 0; j < inner; j += INNER) {
      Span span = {.rows = rows,
                   .columns = lesser(columns - first, SPAN),
                   .inner = lesser(inner - j, INNER),
                   .A = {A.at + j * A.stride, A.stride},
                   .B = {B.at + first * B.stride + j, B.stride},
                   .C = {C.at + first * C.stride, C.stride},
                   .fresh = fresh && j == 0};
      subtract_span(lanes, &span);
    }
  }
}

static void subtract_plain(int rows, int columns, int inner, SlipiColumns A, SlipiColumns B,
                           bool fresh, SlipiColumns C) {
  subtract(2, rows, columns, inner, A, B, fresh, C);
}

SLIPI_WIDE static void subtract_wide(int rows, int columns, int inner, SlipiColumns A,
                                     SlipiColumns B, bool fresh, SlipiColumns C) {
  subtract(4, rows, columns, inner, A, B, fresh, C);
}

SLIPI_WIDEST static void subtract_widest(int rows, int columns, int inner, SlipiColumns A,
                                         SlipiColumns B, bool fresh, SlipiColumns C) {
  subtract(8, rows, columns, inner, A, B, fresh, C);
}

void slipi_product_subtract(SlipiRegisters registers, int rows, int columns, int inner,
                            SlipiColumns A, SlipiColumns B, bool fresh, SlipiColumns C) {
  switch (registers) {
  case SLIPI_REGISTERS_WIDEST:
    subtract_widest(rows, columns, inner, A, B, fresh, C);
    break;
  case SLIPI_REGISTERS_WIDE:
    subtract_wide(rows, columns, inner, A, B, fresh, C);
    break;
  default:
    subtract_plain(rows, columns, inner, A, B, fresh, C);
  }
}
