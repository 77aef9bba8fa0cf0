#include "linalg/sparse.h"

#include <math.h>
#include <string.h>

/* Row, column and value of each entry, before sorting. */
typedef struct Entries {
  int32_t count;
  int32_t *row, *col;
  double *x;
} Entries;

static SlipStatus check_shape(const SlipMatrix *A, const char *name, int64_t rows, int64_t cols,
                              SlipError *error) {
  if (A->rows != rows || A->cols != cols)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s is %d x %d but must be %lld x %lld", name,
                      (int)A->rows, (int)A->cols, (long long)rows, (long long)cols);
  bool empty = A->layout == SLIP_DENSE ? rows * cols == 0 : A->nnz == 0;
  if (A->layout != SLIP_DENSE && (A->nnz < 0 || A->nnz > INT32_MAX))
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s has %lld entries; at most %d can be indexed",
                      name, (long long)A->nnz, INT32_MAX);
  if (!empty && (!A->x || (A->layout != SLIP_DENSE && (!A->p || !A->i))))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s has a null array", name);
  bool compressed = A->layout == SLIP_CSC || A->layout == SLIP_CSR;
  if (compressed && !A->p)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s has a null array", name);
  return SLIP_OK;
}

static SlipStatus check_value(const char *name, int32_t row, int32_t col, double x,
                              SlipError *error) {
  if (isfinite(x))
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s(%d, %d) is %g, which is not a finite number",
                    name, (int)row, (int)col, x);
}

static SlipStatus csr_alloc(SlipiArena *arena, int32_t count, const char *name, SlipiCsr *csr,
                            SlipError *error) {
  csr->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)csr->rows + 1);
  csr->i = SLIPI_ARENA_NEW(arena, int32_t, count);
  csr->x = SLIPI_ARENA_NEW(arena, double, count);
  return arena->failed ? slipi_fail_memory(error, name) : SLIP_OK;
}

static SlipStatus entries_alloc(SlipiArena *arena, int64_t count, const char *name,
                                Entries *entries, SlipError *error) {
  entries->count = 0;
  entries->row = SLIPI_ARENA_NEW(arena, int32_t, count);
  entries->col = SLIPI_ARENA_NEW(arena, int32_t, count);
  entries->x = SLIPI_ARENA_NEW(arena, double, count);
  return arena->failed ? slipi_fail_memory(error, name) : SLIP_OK;
}

static void entries_add(Entries *entries, int32_t row, int32_t col, double x) {
  entries->row[entries->count] = row;
  entries->col[entries->count] = col;
  entries->x[entries->count++] = x;
}

/* Zeros of a dense array (by columns) are no structure: they are left out. */
static SlipStatus from_dense(SlipiArena *arena, const SlipMatrix *A, const char *name,
                             SlipiCsr *csr, SlipError *error) {
  int64_t count = 0;
  int64_t size = (int64_t)A->rows * A->cols;
  for (int64_t k = 0; k < size; k++)
    count += A->x[k] != 0;
  if (count > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s has %lld entries; at most %d can be indexed",
                      name, (long long)count, INT32_MAX);
  SlipStatus status = csr_alloc(arena, (int32_t)count, name, csr, error);
  int32_t used = 0;
  for (int32_t row = 0; row < A->rows && status == SLIP_OK; row++) {
    for (int32_t col = 0; col < A->cols && status == SLIP_OK; col++) {
      double x = A->x[(int64_t)col * A->rows + row];
      if (x != 0) {
        status = check_value(name, row, col, x, error);
        csr->i[used] = col;
        csr->x[used++] = x;
      }
    }
    csr->p[row + 1] = used;
  }
  return status;
}

static SlipStatus from_triplet(SlipiArena *arena, const SlipMatrix *A, const char *name,
                               Entries *entries, SlipError *error) {
  SlipStatus status = entries_alloc(arena, A->nnz, name, entries, error);
  for (int64_t k = 0; k < A->nnz && status == SLIP_OK; k++) {
    int32_t row = A->i[k], col = A->p[k];
    if (row < 0 || row >= A->rows || col < 0 || col >= A->cols)
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "%s: entry %lld stands at (%d, %d), outside %d x %d", name, (long long)k,
                        (int)row, (int)col, (int)A->rows, (int)A->cols);
    status = check_value(name, row, col, A->x[k], error);
    entries_add(entries, row, col, A->x[k]);
  }
  return status;
}

static SlipStatus check_pointers(const SlipMatrix *A, const char *name, int32_t outer,
                                 SlipError *error) {
  if (A->p[0] != 0)
    return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: p[0] is %d but must be 0", name,
                      (int)A->p[0]);
  for (int32_t k = 0; k < outer; k++) {
    if (A->p[k + 1] < A->p[k])
      return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: p[%d] = %d is less than p[%d] = %d", name,
                        (int)k + 1, (int)A->p[k + 1], (int)k, (int)A->p[k]);
  }
  if (A->p[outer] > A->nnz)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "%s: p ends with %d but there are only %lld entries", name, (int)A->p[outer],
                      (long long)A->nnz);
  return SLIP_OK;
}

static SlipStatus from_compressed(SlipiArena *arena, const SlipMatrix *A, const char *name,
                                  Entries *entries, SlipError *error) {
  bool by_row = A->layout == SLIP_CSR;
  int32_t outer = by_row ? A->rows : A->cols;
  int32_t inner = by_row ? A->cols : A->rows;
  SlipStatus status = check_pointers(A, name, outer, error);
  if (status == SLIP_OK)
    status = entries_alloc(arena, A->p[outer], name, entries, error);
  for (int32_t a = 0; a < outer && status == SLIP_OK; a++) {
    for (int32_t k = A->p[a]; k < A->p[a + 1] && status == SLIP_OK; k++) {
      int32_t b = A->i[k];
      if (b < 0 || b >= inner)
        return slipi_fail(error, SLIP_ERROR_PROBLEM, "%s: index i[%d] = %d is outside 0..%d", name,
                          (int)k, (int)b, (int)inner - 1);
      int32_t row = by_row ? a : b, col = by_row ? b : a;
      status = check_value(name, row, col, A->x[k], error);
      entries_add(entries, row, col, A->x[k]);
    }
  }
  return status;
}

/* order = the entries' numbers sorted by key, equal keys in their given order. start has
 * keys+1 places. */
static void counting_sort(const int32_t *key, const int32_t *from, int32_t count, int32_t keys,
                          int32_t *start, int32_t *order) {
  memset(start, 0, ((size_t)keys + 1) * sizeof *start);
  for (int32_t k = 0; k < count; k++)
    start[key[k] + 1]++;
  for (int32_t k = 0; k < keys; k++)
    start[k + 1] += start[k];
  for (int32_t k = 0; k < count; k++) {
    int32_t e = from ? from[k] : k;
    order[start[key[e]]++] = e;
  }
}

/* Sum entries at the same place, in the order they were given; rows end where p says. */
static void merge_sorted(const Entries *entries, const int32_t *order, SlipiCsr *csr) {
  int32_t used = 0;
  int32_t previous_row = -1;
  for (int32_t k = 0; k < entries->count; k++) {
    int32_t e = order[k], row = entries->row[e], col = entries->col[e];
    if (row == previous_row && csr->i[used - 1] == col) {
      csr->x[used - 1] += entries->x[e];
      continue;
    }
    while (previous_row < row)
      csr->p[++previous_row] = used;
    csr->i[used] = col;
    csr->x[used++] = entries->x[e];
  }
  while (previous_row < csr->rows)
    csr->p[++previous_row] = used;
}

static SlipStatus entries_to_csr(SlipiArena *arena, SlipiArena *scratch, const Entries *entries,
                                 const char *name, SlipiCsr *csr, SlipError *error) {
  int32_t longest = csr->rows > csr->cols ? csr->rows : csr->cols;
  int32_t *start = SLIPI_ARENA_NEW(scratch, int32_t, (int64_t)longest + 1);
  int32_t *by_col = SLIPI_ARENA_NEW(scratch, int32_t, entries->count);
  int32_t *by_row = SLIPI_ARENA_NEW(scratch, int32_t, entries->count);
  if (scratch->failed)
    return slipi_fail_memory(error, name);
  SlipStatus status = csr_alloc(arena, entries->count, name, csr, error);
  if (status != SLIP_OK)
    return status;
  counting_sort(entries->col, NULL, entries->count, csr->cols, start, by_col);
  counting_sort(entries->row, by_col, entries->count, csr->rows, start, by_row);
  merge_sorted(entries, by_row, csr);
  return SLIP_OK;
}

/* Whether a matrix is as it shall be: compressed rows, columns ascending, finite values. */
static bool is_sorted_csr(const SlipMatrix *A) {
  if (A->layout != SLIP_CSR || check_pointers(A, "", A->rows, NULL) != SLIP_OK)
    return false;
  for (int32_t row = 0; row < A->rows; row++)
    for (int32_t k = A->p[row], before = -1; k < A->p[row + 1]; before = A->i[k++]) {
      if (A->i[k] <= before || A->i[k] >= A->cols || !isfinite(A->x[k]))
        return false;
    }
  return true;
}

static SlipStatus copy_csr(SlipiArena *arena, const SlipMatrix *A, const char *name, SlipiCsr *csr,
                           SlipError *error) {
  size_t count = (size_t)A->p[A->rows];
  csr->p = SLIPI_ARENA_RAW(arena, int32_t, (int64_t)csr->rows + 1);
  csr->i = SLIPI_ARENA_RAW(arena, int32_t, count);
  csr->x = SLIPI_ARENA_RAW(arena, double, count);
  if (arena->failed)
    return slipi_fail_memory(error, name);
  memcpy(csr->p, A->p, ((size_t)A->rows + 1) * sizeof *csr->p);
  if (count > 0) {
    memcpy(csr->i, A->i, count * sizeof *csr->i);
    memcpy(csr->x, A->x, count * sizeof *csr->x);
  }
  return SLIP_OK;
}

SlipStatus slipi_csr_from(SlipiArena *arena, const SlipMatrix *matrix, const char *name,
                          int64_t rows, int64_t cols, SlipiCsr *csr, SlipError *error) {
  SlipStatus status = check_shape(matrix, name, rows, cols, error);
  if (status != SLIP_OK)
    return status;
  if (is_sorted_csr(matrix)) {
    *csr = (SlipiCsr){.rows = matrix->rows, .cols = matrix->cols};
    return copy_csr(arena, matrix, name, csr, error);
  }
  SlipiArena scratch = {0};
  Entries entries = {0};
  *csr = (SlipiCsr){.rows = matrix->rows, .cols = matrix->cols};
  switch (matrix->layout) {
  case SLIP_DENSE:
    return from_dense(arena, matrix, name, csr, error);
  case SLIP_TRIPLET:
    status = from_triplet(&scratch, matrix, name, &entries, error);
    break;
  case SLIP_CSC:
  case SLIP_CSR:
    status = from_compressed(&scratch, matrix, name, &entries, error);
    break;
  default:
    status = slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s has the unknown layout %d", name,
                        (int)matrix->layout);
  }
  if (status == SLIP_OK)
    status = entries_to_csr(arena, &scratch, &entries, name, csr, error);
  slipi_arena_free(&scratch);
  return status;
}

SlipStatus slipi_csr_transpose(SlipiArena *arena, const SlipiCsr *A, SlipiCsr *At,
                               SlipError *error) {
  int32_t nnz = A->p[A->rows];
  *At = (SlipiCsr){.rows = A->cols, .cols = A->rows};
  At->p = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)A->cols + 1);
  At->i = SLIPI_ARENA_NEW(arena, int32_t, nnz);
  At->x = SLIPI_ARENA_NEW(arena, double, nnz);
  if (arena->failed)
    return slipi_fail_memory(error, "a transposed matrix");
  /* p[k+1] first counts row k, then is where row k's next entry goes. */
  for (int32_t k = 0; k < nnz; k++)
    At->p[A->i[k] + 1]++;
  for (int32_t k = 0; k < A->cols; k++)
    At->p[k + 1] += At->p[k];
  for (int32_t row = A->rows - 1; row >= 0; row--) {
    for (int32_t k = A->p[row + 1] - 1; k >= A->p[row]; k--) {
      int32_t to = --At->p[A->i[k] + 1];
      At->i[to] = row;
      At->x[to] = A->x[k];
    }
  }
  /* Filling from the back has moved every p[k+1] to the start of row k. */
  for (int32_t k = 0; k < A->cols; k++)
    At->p[k] = At->p[k + 1];
  At->p[A->cols] = nnz;
  return SLIP_OK;
}

int32_t slipi_csr_find(const SlipiCsr *A, int32_t row, int32_t column) {
  int32_t low = A->p[row], high = A->p[row + 1];
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (A->i[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < A->p[row + 1] && A->i[low] == column ? low : -1;
}

void slipi_csr_multiply(const SlipiCsr *A, const double *x, double *y) {
  for (int32_t row = 0; row < A->rows; row++) {
    double sum = 0;
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++)
      sum += A->x[k] * x[A->i[k]];
    y[row] = sum;
  }
}

/* Entries of row `row` from *at on and before column `end`: they have no partner above the
 * diagonal. Returns the sum of their squares. */
static double skip_before(const SlipiCsr *A, int32_t row, int32_t end, int32_t *at) {
  double square = 0;
  for (; *at < A->p[row + 1] && A->i[*at] < end; ++*at)
    square += A->x[*at] * A->x[*at];
  return square;
}

/* Row by row: the entries right of the diagonal meet their partners below it, which come by in
 * order, so that a place in each row will do. Returns false where it is stopped. */
static bool add_asymmetry(const SlipiCsr *A, const SlipiStop *stop, int32_t *at, double *difference,
                          double *square) {
  double unasked = 0;
  for (int32_t row = 0; row < A->rows; row++) {
    *difference += 2 * skip_before(A, row, row, &at[row]);
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
      int32_t column = A->i[k];
      *square += A->x[k] * A->x[k];
      if (column <= row)
        continue;
      *difference += 2 * skip_before(A, column, row, &at[column]);
      bool both = at[column] < A->p[column + 1] && A->i[at[column]] == row;
      double other = both ? A->x[at[column]++] : 0;
      *difference += 2 * (A->x[k] - other) * (A->x[k] - other);
    }
    if (slipi_stops_after(stop, &unasked, A->p[row + 1] - A->p[row], SLIPI_ASK_VISITS))
      return false;
  }
  return true;
}

SlipStatus slipi_csr_asymmetry(const SlipiCsr *A, const SlipiStop *stop, double *asymmetry,
                               double *norm, SlipError *error) {
  SlipiArena scratch = {0};
  double difference = 0, square = 0;
  int32_t *at = slipi_arena_copy(&scratch, A->p, (size_t)A->rows, sizeof *at);
  bool whole = !scratch.failed && add_asymmetry(A, stop, at, &difference, &square);
  bool memory = scratch.failed;
  slipi_arena_free(&scratch);
  *asymmetry = sqrt(difference);
  *norm = sqrt(square);
  if (memory)
    return slipi_fail_memory(error, "the asymmetry of a matrix");
  return whole ? SLIP_OK : slipi_fail_stopped(error);
}

int slipi_compare_index(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

SlipMatrix slipi_csr_view(const SlipiCsr *A) {
  SlipMatrix view = {.layout = SLIP_CSR,
                     .rows = A->rows,
                     .cols = A->cols,
                     .nnz = A->p ? A->p[A->rows] : 0,
                     .p = A->p,
                     .i = A->i,
                     .x = A->x};
  return view;
}
