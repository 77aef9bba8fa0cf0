#include "linalg/bsr.h"

#include <string.h>

/* Block columns of one block row of W, ascending, and their number, where W holds all entries of
 * these blocks and (row, row) is among them, as most do; 0 where not. */
static int32_t full_row_pattern(const SlipiCsr *W, int32_t d, int32_t row, int32_t *columns) {
  const int32_t *p = W->p + (ptrdiff_t)row * d, *i = W->i + p[0];
  int32_t length = p[1] - p[0], count = length / d;
  size_t bytes = (size_t)length * sizeof *i;
  bool full = count * d == length, diagonal = false;
  for (int32_t c = 1; c < d && full; c++)
    full = p[c + 1] - p[c] == length && memcmp(i, W->i + p[c], bytes) == 0;
  for (int32_t k = 0; k < count && full; k++, i += d) { /* indices ascend */
    columns[k] = i[0] / d;
    full = columns[k] * d == i[0] && i[d - 1] == i[0] + d - 1;
    diagonal = diagonal || columns[k] == row;
  }
  return full && diagonal ? count : 0;
}

/* The same for any W, with (row, row) always among the columns. `seen` marks by row number + 1. */
static int32_t row_pattern(const SlipiCsr *W, int32_t d, int32_t row, int32_t *seen,
                           int32_t *columns) {
  int32_t count = full_row_pattern(W, d, row, columns);
  if (count > 0)
    return count;
  seen[row] = row + 1;
  columns[count++] = row;
  for (int32_t a = row * d; a < (row + 1) * d; a++) {
    for (int32_t k = W->p[a]; k < W->p[a + 1]; k++) {
      int32_t j = W->i[k] / d;
      if (seen[j] != row + 1) {
        seen[j] = row + 1;
        columns[count++] = j;
      }
    }
  }
  /* Insertion: each scalar row came sorted, so this is a short merge. */
  for (int32_t a = 1; a < count; a++) {
    int32_t value = columns[a], b = a;
    for (; b > 0 && columns[b - 1] > value; b--)
      columns[b] = columns[b - 1];
    columns[b] = value;
  }
  return count;
}

SlipStatus slipi_bsr_alloc(SlipiArena *arena, int32_t d, int32_t n, int64_t blocks, SlipiBsr *bsr,
                           SlipError *error) {
  *bsr = (SlipiBsr){.d = d, .n = n};
  if (blocks > INT32_MAX / ((int64_t)d * d))
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "W would have %lld blocks of %d x %d; at most %d entries can be indexed",
                      (long long)blocks, (int)d, (int)d, INT32_MAX);
  bsr->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)n + 1);
  bsr->j = SLIPI_ARENA_NEW(arena, int32_t, blocks);
  bsr->x = SLIPI_ARENA_NEW(arena, double, blocks *d *d);
  bsr->diagonal = SLIPI_ARENA_NEW(arena, int32_t, n);
  return arena->failed ? slipi_fail_memory(error, "the block-sparse matrix W") : SLIP_OK;
}

/* Where block column j stands in a block row; it is there. */
static int32_t find_block(const SlipiBsr *bsr, int32_t row, int32_t j) {
  int32_t low = bsr->p[row], high = bsr->p[row + 1] - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (bsr->j[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void slipi_bsr_find_diagonal(SlipiBsr *bsr) {
  for (int32_t row = 0; row < bsr->n; row++)
    bsr->diagonal[row] = find_block(bsr, row, row);
}

/* The values of one scalar row, which holds all entries of its blocks. */
static void set_full_row(int32_t d, int32_t blocks, const double *x, double *to) {
  for (int32_t k = 0; k < blocks; k++, x += d, to += (ptrdiff_t)d * d) {
    to[0] = x[0];
    to[1] = x[1];
    if (d == 3)
      to[2] = x[2];
  }
}

/* The values of scalar row a. */
static void set_row(const SlipiCsr *W, int32_t a, SlipiBsr *bsr) {
  int32_t d = bsr->d, block = bsr->p[a / d], blocks = bsr->p[a / d + 1] - block;
  double *to = bsr->x + (int64_t)block * d * d + (ptrdiff_t)(a % d) * d;
  if (W->p[a + 1] - W->p[a] == blocks * d) {
    set_full_row(d, blocks, W->x + W->p[a], to);
    return;
  }
  for (int32_t k = W->p[a]; k < W->p[a + 1]; k++) {
    while (bsr->j[block] < W->i[k] / d) { /* columns ascend, so the search only moves on */
      block++;
      to += (ptrdiff_t)d * d;
    }
    to[W->i[k] % d] = W->x[k];
  }
}

void slipi_bsr_set_values(const SlipiCsr *W, SlipiBsr *bsr) {
  for (int32_t a = 0; a < bsr->n * bsr->d; a++)
    set_row(W, a, bsr);
}

/* Columns, then values, where p is still to be filled; false where it is stopped. */
static bool fill(const SlipiCsr *W, const SlipiStop *stop, int32_t *seen, SlipiBsr *bsr) {
  int32_t n = bsr->n, d = bsr->d;
  double unasked = 0;
  memset(seen, 0, (size_t)n * sizeof *seen);
  for (int32_t row = 0; row < n; row++) {
    bsr->p[row + 1] = bsr->p[row] + row_pattern(W, d, row, seen, bsr->j + bsr->p[row]);
    for (int32_t a = row * d; a < (row + 1) * d; a++)
      set_row(W, a, bsr);
    if (slipi_stops_after(stop, &unasked, W->p[(row + 1) * d] - W->p[row * d], SLIPI_ASK_VISITS))
      return false;
  }
  slipi_bsr_find_diagonal(bsr);
  return true;
}

SlipStatus slipi_bsr_from_csr(SlipiArena *arena, const SlipiCsr *W, int32_t d,
                              const SlipiStop *stop, SlipiBsr *bsr, SlipError *error) {
  int32_t n = W->rows / d;
  SlipiArena scratch = {0};
  int32_t *seen = SLIPI_ARENA_NEW(&scratch, int32_t, n);
  int32_t *columns = SLIPI_ARENA_NEW(&scratch, int32_t, n);
  SlipStatus status =
      scratch.failed ? slipi_fail_memory(error, "the block-sparse matrix W") : SLIP_OK;
  int64_t blocks = 0;
  for (int32_t row = 0; row < n && status == SLIP_OK; row++)
    blocks += row_pattern(W, d, row, seen, columns);
  if (status == SLIP_OK)
    status = slipi_bsr_alloc(arena, d, n, blocks, bsr, error);
  if (status == SLIP_OK && !fill(W, stop, seen, bsr))
    status = slipi_fail_stopped(error);
  slipi_arena_free(&scratch);
  return status;
}

/* One row of A with a block in column `mate`, from the block `used` of `whole` on; returns the end.
 */
static int32_t complete_row(const SlipiBsr *A, int32_t row, int32_t mate, SlipiBsr *whole,
                            int32_t used) {
  size_t size = (size_t)A->d * (size_t)A->d;
  bool there = false;
  for (int32_t k = A->p[row]; k <= A->p[row + 1]; k++) {
    bool end = k == A->p[row + 1];
    if (!there && (end || A->j[k] > mate)) {
      memset(whole->x + size * (size_t)used, 0, size * sizeof *whole->x);
      whole->j[used++] = mate;
      there = true;
    }
    if (end)
      break;
    there = there || A->j[k] == mate;
    memcpy(whole->x + size * (size_t)used, A->x + size * (size_t)k, size * sizeof *whole->x);
    whole->j[used++] = A->j[k];
  }
  return used;
}

SlipStatus slipi_bsr_complete(SlipiArena *arena, const SlipiBsr *A, const int32_t *mate,
                              SlipiBsr *whole, SlipError *error) {
  int32_t used = 0;
  SlipStatus status = slipi_bsr_alloc(arena, A->d, A->n, (int64_t)A->p[A->n] + A->n, whole, error);
  for (int32_t row = 0; status == SLIP_OK && row < A->n; row++) {
    whole->p[row] = used;
    used = complete_row(A, row, mate[row], whole, used);
    whole->p[row + 1] = used;
  }
  if (status == SLIP_OK)
    slipi_bsr_find_diagonal(whole);
  return status;
}

SlipStatus slipi_bsr_to_csr(SlipiArena *arena, const SlipiBsr *bsr, SlipiCsr *W, SlipError *error) {
  int32_t d = bsr->d, m = bsr->n * d, blocks = bsr->p[bsr->n];
  *W = (SlipiCsr){.rows = m, .cols = m};
  W->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)m + 1);
  W->i = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)blocks * d * d);
  W->x = SLIPI_ARENA_NEW(arena, double, (int64_t)blocks *d *d);
  if (arena->failed)
    return slipi_fail_memory(error, "the matrix W");
  int32_t used = 0;
  for (int32_t row = 0; row < m; row++) {
    W->p[row] = used;
    for (int32_t k = bsr->p[row / d]; k < bsr->p[row / d + 1]; k++) {
      for (int32_t c = 0; c < d; c++, used++) {
        W->i[used] = bsr->j[k] * d + c;
        W->x[used] = bsr->x[(int64_t)k * d * d + (row % d) * d + c];
      }
    }
  }
  W->p[m] = used;
  return SLIP_OK;
}

void slipi_bsr_row(const SlipiBsr *A, int32_t row, const double *x, double *y) {
  if (A->d == 3) {
    double y0 = 0, y1 = 0, y2 = 0;
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
      const double *B = A->x + 9 * (int64_t)k, *z = x + 3 * (int64_t)A->j[k];
      y0 += B[0] * z[0] + B[1] * z[1] + B[2] * z[2];
      y1 += B[3] * z[0] + B[4] * z[1] + B[5] * z[2];
      y2 += B[6] * z[0] + B[7] * z[1] + B[8] * z[2];
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
  } else {
    double y0 = 0, y1 = 0;
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
      const double *B = A->x + 4 * (int64_t)k, *z = x + 2 * (int64_t)A->j[k];
      y0 += B[0] * z[0] + B[1] * z[1];
      y1 += B[2] * z[0] + B[3] * z[1];
    }
    y[0] = y0;
    y[1] = y1;
  }
}

enum { PIECE = 512 }; /* rows that one thread takes at a time */

typedef struct Product {
  const SlipiBsr *A;
  const double *x;
  double *y;
} Product;

static void multiply_piece(void *user, int32_t piece) {
  const Product *product = user;
  const SlipiBsr *A = product->A;
  int32_t first = piece * PIECE, end = A->n - first < PIECE ? A->n : first + PIECE;
  for (int32_t row = first; row < end; row++)
    slipi_bsr_row(A, row, product->x, product->y + (int64_t)A->d * row);
}

void slipi_bsr_multiply(const SlipiBsr *A, const double *x, double *y, SlipiTeam *team) {
  Product product = {A, x, y};
  slipi_team_each(team, A->n / PIECE + 1, multiply_piece, &product);
}
