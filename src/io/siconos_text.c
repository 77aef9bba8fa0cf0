/* The text files Siconos writes (frictionContact_printInFile and its global sibling).
 *
 *     dimension  contacts  M  q  mu            local: W = M
 *     dimension  contacts  M  H  q  b  mu      global: f = q, w = b
 *
 * and a matrix is "storage rows cols" followed by
 *     0  rows cols, then the values by columns;
 *     1  the blocks of a SparseBlockStructuredMatrix;
 *     2  1, 2 or 3, then a CSparse print of triplets, columns or rows (with 6 digits).
 *
 * Nothing in a file says which of the two it is: after the first matrix a local one has exactly
 * q and mu left. Some files end with one more "0", a flag of old versions. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "io/siconos_words.h"

/* ---- Matrices ---------------------------------------------------------------------------- */

/* A triplet matrix being filled. */
typedef struct Triplets {
  int32_t *row, *col;
  double *x;
  int64_t count;
} Triplets;

static SlipStatus triplets_start(SlipiWords *text, const char *name, int64_t count,
                                 SlipMatrix *matrix, Triplets *triplets) {
  SlipStatus status = slipi_words_check_room(text, name, count);
  if (status != SLIP_OK)
    return status;
  *triplets = (Triplets){SLIPI_ARENA_NEW(&text->arena, int32_t, count),
                         SLIPI_ARENA_NEW(&text->arena, int32_t, count),
                         SLIPI_ARENA_NEW(&text->arena, double, count), 0};
  if (text->arena.failed)
    return slipi_fail_memory(text->error, name);
  matrix->layout = SLIP_TRIPLET;
  matrix->nnz = count;
  matrix->i = triplets->row;
  matrix->p = triplets->col;
  matrix->x = triplets->x;
  return SLIP_OK;
}

static SlipStatus read_dense(SlipiWords *text, const char *name, SlipMatrix *matrix) {
  int32_t rows = 0, cols = 0;
  SlipStatus status = slipi_words_int(text, name, 0, &rows);
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &cols);
  if (status != SLIP_OK)
    return status;
  if (rows != matrix->rows || cols != matrix->cols)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s is first %d x %d, then %d x %d",
                      text->line, name, matrix->rows, matrix->cols, rows, cols);
  matrix->layout = SLIP_DENSE;
  return slipi_words_reals(text, name, (int64_t)rows * cols, &matrix->x);
}

/* The frame of a SparseBlockStructuredMatrix: where each block row and column ends, and block
 * rows compressed as in CSR. */
typedef struct Blocks {
  int32_t rows, cols;         /* in blocks */
  int32_t *row_end, *col_end; /* in values */
  int32_t filled1, filled2;
  int32_t *p, *col;
} Blocks;

static SlipStatus check_ends(const SlipiWords *text, const char *name, const int32_t *end,
                             int32_t count, int32_t size) {
  for (int32_t k = 0; k < count; k++)
    if (end[k] > size || (k > 0 && end[k] < end[k - 1]))
      return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                        "line %ld: %s: block %d ends at %d, before the one before or beyond %d",
                        text->line, name, k, end[k], size);
  if (count == 0 ? size != 0 : end[count - 1] != size)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s: the blocks end at %d, not %d",
                      text->line, name, count == 0 ? 0 : end[count - 1], size);
  return SLIP_OK;
}

static SlipStatus check_index(const SlipiWords *text, const char *name, const Blocks *blocks) {
  for (int32_t k = 0; k < blocks->filled1; k++)
    if (blocks->p[k] > blocks->filled2 || (k > 0 && blocks->p[k] < blocks->p[k - 1]))
      return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                        "line %ld: %s: block row %d starts at block %d of %d", text->line, name, k,
                        blocks->p[k], blocks->filled2);
  for (int32_t k = 0; k < blocks->filled2; k++)
    if (blocks->col[k] >= blocks->cols)
      return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                        "line %ld: %s: block %d is in block column %d of %d", text->line, name, k,
                        blocks->col[k], blocks->cols);
  return SLIP_OK;
}

static SlipStatus read_blocks(SlipiWords *text, const char *name, const SlipMatrix *matrix,
                              Blocks *blocks) {
  SlipStatus status = slipi_words_int(text, name, 0, &blocks->rows);
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &blocks->cols);
  if (status == SLIP_OK)
    status = slipi_words_ints(text, name, blocks->rows, &blocks->row_end);
  if (status == SLIP_OK)
    status = check_ends(text, name, blocks->row_end, blocks->rows, matrix->rows);
  if (status == SLIP_OK)
    status = slipi_words_ints(text, name, blocks->cols, &blocks->col_end);
  if (status == SLIP_OK)
    status = check_ends(text, name, blocks->col_end, blocks->cols, matrix->cols);
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 1, &blocks->filled1);
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &blocks->filled2);
  if (status == SLIP_OK && blocks->filled1 - 1 > blocks->rows)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s: %d block rows of %d",
                      text->line, name, blocks->filled1 - 1, blocks->rows);
  if (status == SLIP_OK)
    status = slipi_words_ints(text, name, blocks->filled1, &blocks->p);
  if (status == SLIP_OK)
    status = slipi_words_ints(text, name, blocks->filled2, &blocks->col);
  return status == SLIP_OK ? check_index(text, name, blocks) : status;
}

static int32_t block_start(const int32_t *end, int32_t k) {
  return k > 0 ? end[k - 1] : 0;
}

/* Values of all blocks; the sum stays below 2^62 as each block lies in the matrix and there are
 * fewer than 2^31, but only what the text can hold matters, so stop early. */
static int64_t count_values(const SlipiWords *text, const Blocks *blocks) {
  int64_t count = 0, room = text->end - text->at;
  for (int32_t row = 0; row < blocks->filled1 - 1; row++) {
    int64_t rows = blocks->row_end[row] - block_start(blocks->row_end, row);
    for (int32_t k = blocks->p[row]; k < blocks->p[row + 1] && count <= room; k++) {
      int32_t col = blocks->col[k];
      count += rows * (blocks->col_end[col] - block_start(blocks->col_end, col));
    }
  }
  return count;
}

static SlipStatus read_block(SlipiWords *text, const char *name, const Blocks *blocks, int32_t row,
                             int32_t k, Triplets *triplets) {
  int32_t number = 0, col = blocks->col[k];
  SlipStatus status = slipi_words_int(text, name, 0, &number);
  if (status == SLIP_OK && number != k)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: %s: block %d stands where %d should", text->line, name, number, k);
  for (int32_t c = block_start(blocks->col_end, col); c < blocks->col_end[col]; c++)
    for (int32_t r = block_start(blocks->row_end, row); r < blocks->row_end[row]; r++) {
      if (status != SLIP_OK)
        return status;
      triplets->row[triplets->count] = r;
      triplets->col[triplets->count] = c;
      status = slipi_words_real(text, name, &triplets->x[triplets->count++]);
    }
  return status;
}

static SlipStatus read_sparse_block(SlipiWords *text, const char *name, SlipMatrix *matrix) {
  int32_t count = 0;
  Blocks blocks = {0};
  Triplets triplets;
  SlipStatus status = slipi_words_int(text, name, 0, &count);
  if (status == SLIP_OK && count == 0) /* nothing more is printed then */
    return triplets_start(text, name, 0, matrix, &triplets);
  if (status == SLIP_OK)
    status = read_blocks(text, name, matrix, &blocks);
  if (status == SLIP_OK)
    status = triplets_start(text, name, count_values(text, &blocks), matrix, &triplets);
  for (int32_t row = 0; status == SLIP_OK && row < blocks.filled1 - 1; row++)
    for (int32_t k = blocks.p[row]; status == SLIP_OK && k < blocks.p[row + 1]; k++)
      status = read_block(text, name, &blocks, row, k, &triplets);
  return status;
}

/* "9-by-6," */
static bool parse_shape(SlipiWord word, int32_t *rows, int32_t *cols) {
  const char *end = word.start + word.length, *by = word.start;
  while (by + 4 <= end && memcmp(by, "-by-", 4) != 0)
    by++;
  if (by + 4 > end || end[-1] != ',')
    return false;
  return slipi_word_int((SlipiWord){word.start, (int)(by - word.start)}, rows) &&
         slipi_word_int((SlipiWord){by + 4, (int)(end - 1 - (by + 4))}, cols);
}

/* "9-by-6, nzmax: 32 nnz: 26" with, for compressed ones, ", 1-norm: 2.6". */
static SlipStatus read_sparse_size(SlipiWords *text, const char *name, bool triplet,
                                   const SlipMatrix *matrix, int32_t *count) {
  int32_t rows = -1, cols = -1;
  SlipiWord word = slipi_words_next(text);
  if (!parse_shape(word, &rows, &cols) || rows != matrix->rows || cols != matrix->cols) {
    char complaint[64];
    snprintf(complaint, sizeof complaint, "stands where '%d-by-%d,' should", matrix->rows,
             matrix->cols);
    return slipi_words_fail(text, name, word, complaint);
  }
  SlipStatus status = slipi_words_mark(text, name, "nzmax:");
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, count);
  if (status == SLIP_OK)
    status = slipi_words_mark(text, name, "nnz:");
  if (status != SLIP_OK || triplet)
    return status == SLIP_OK ? slipi_words_int(text, name, 0, count) : status;
  word = slipi_words_next(text);
  if (word.length < 2 || word.start[word.length - 1] != ',' ||
      !slipi_word_int((SlipiWord){word.start, word.length - 1}, count) || *count < 0)
    return slipi_words_fail(text, name, word, "is not a number of entries with a comma");
  status = slipi_words_mark(text, name, "1-norm:");
  if (status == SLIP_OK && slipi_words_next(text).length == 0) /* -1 or nan when it has none */
    status = slipi_words_fail(text, name, (SlipiWord){0}, "");
  return status;
}

/* "3 : 0.5", the end of a line of entries */
static SlipStatus read_entry(SlipiWords *text, const char *name, int32_t row, int32_t col,
                             Triplets *triplets) {
  triplets->row[triplets->count] = row;
  triplets->col[triplets->count] = col;
  SlipStatus status = slipi_words_mark(text, name, ":");
  return status == SLIP_OK ? slipi_words_real(text, name, &triplets->x[triplets->count++]) : status;
}

static SlipStatus read_triplets(SlipiWords *text, const char *name, int32_t count,
                                Triplets *triplets) {
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < count; k++) {
    int32_t row = 0, col = 0;
    status = slipi_words_int(text, name, 0, &row);
    if (status == SLIP_OK)
      status = slipi_words_int(text, name, 0, &col);
    if (status == SLIP_OK)
      status = read_entry(text, name, row, col, triplets);
  }
  return status;
}

/* "col 2 : locations 7 to 11", then as many lines. In a print of a matrix by rows, "col" means
 * row. */
static SlipStatus read_line(SlipiWords *text, const char *name, int32_t line, bool by_rows,
                            int32_t count, Triplets *triplets) {
  int32_t number = 0, first = 0, last = 0;
  SlipStatus status = slipi_words_mark(text, name, "col");
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &number);
  if (status == SLIP_OK)
    status = slipi_words_mark(text, name, ":");
  if (status == SLIP_OK)
    status = slipi_words_mark(text, name, "locations");
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &first);
  if (status == SLIP_OK)
    status = slipi_words_mark(text, name, "to");
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, -1, &last);
  if (status != SLIP_OK)
    return status;
  if (number != line || first != triplets->count || last < first - 1 || last >= count)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: %s: col %d, locations %d to %d, stands where col %d from %lld, "
                      "below %d, should",
                      text->line, name, number, first, last, line, (long long)triplets->count,
                      count);
  for (int32_t k = first; status == SLIP_OK && k <= last; k++) {
    int32_t other = 0;
    status = slipi_words_int(text, name, 0, &other);
    if (status == SLIP_OK)
      status = read_entry(text, name, by_rows ? line : other, by_rows ? other : line, triplets);
  }
  return status;
}

static SlipStatus read_lines(SlipiWords *text, const char *name, const SlipMatrix *matrix,
                             bool by_rows, int32_t count, Triplets *triplets) {
  SlipStatus status = SLIP_OK;
  for (int32_t line = 0; status == SLIP_OK && line < matrix->cols; line++)
    status = read_line(text, name, line, by_rows, count, triplets);
  if (status == SLIP_OK && triplets->count != count)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s: %lld entries of %d",
                      text->line, name, (long long)triplets->count, count);
  return status;
}

static SlipStatus skip_banner(SlipiWords *text, const char *name) {
  SlipiWord word = slipi_words_next(text);
  if (!slipi_word_is(word, "CSparse") && !slipi_word_is(word, "CXSparse"))
    return slipi_words_fail(text, name, word, "stands where 'CSparse Version ...' should");
  while (text->at < text->end && *text->at != '\n')
    text->at++;
  return SLIP_OK;
}

static SlipStatus read_sparse(SlipiWords *text, const char *name, SlipMatrix *matrix) {
  enum { TRIPLET = 1, BY_COLUMNS = 2, BY_ROWS = 3 };
  int32_t origin = 0, count = 0;
  Triplets triplets;
  SlipStatus status = slipi_words_int(text, name, 0, &origin);
  if (status == SLIP_OK && (origin < TRIPLET || origin > BY_ROWS))
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: %s: sparse kind %d; 1 (triplets), 2 (columns) and 3 (rows) are "
                      "read",
                      text->line, name, origin);
  /* Siconos prints as many rows as the matrix has columns. */
  if (status == SLIP_OK && origin == BY_ROWS && matrix->rows != matrix->cols)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: %s: a print by rows of a %d x %d matrix is not complete",
                      text->line, name, matrix->rows, matrix->cols);
  if (status == SLIP_OK)
    status = skip_banner(text, name);
  if (status == SLIP_OK && origin == TRIPLET)
    status = slipi_words_mark(text, name, "triplet:");
  if (status == SLIP_OK)
    status = read_sparse_size(text, name, origin == TRIPLET, matrix, &count);
  if (status == SLIP_OK)
    status = triplets_start(text, name, count, matrix, &triplets);
  if (status != SLIP_OK)
    return status;
  return origin == TRIPLET ? read_triplets(text, name, count, &triplets)
                           : read_lines(text, name, matrix, origin == BY_ROWS, count, &triplets);
}

static SlipStatus read_matrix(SlipiWords *text, const char *name, SlipMatrix *matrix) {
  int32_t storage = 0;
  SlipStatus status = slipi_words_int(text, name, 0, &storage);
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &matrix->rows);
  if (status == SLIP_OK)
    status = slipi_words_int(text, name, 0, &matrix->cols);
  if (status != SLIP_OK)
    return status;
  switch (storage) {
  case 0:
    return read_dense(text, name, matrix);
  case 1:
    return read_sparse_block(text, name, matrix);
  case 2:
    return read_sparse(text, name, matrix);
  default:
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: %s: storage %d; 0 (dense), 1 (blocks) and 2 (sparse) are read",
                      text->line, name, storage);
  }
}

/* ---- Problems ---------------------------------------------------------------------------- */

static SlipStatus read_end(SlipiWords *text) {
  SlipiWord word = slipi_words_next(text);
  if (slipi_word_is(word, "0"))
    word = slipi_words_next(text);
  return word.length == 0 ? SLIP_OK
                          : slipi_words_fail(text, "after mu", word, "is one value too many");
}

static SlipStatus check_shape(const SlipiWords *text, const char *name, const SlipMatrix *matrix,
                              int64_t rows, int64_t cols) {
  if (matrix->rows == rows && matrix->cols == cols)
    return SLIP_OK;
  return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s is %d x %d, expected %lld x %lld",
                    text->line, name, matrix->rows, matrix->cols, (long long)rows, (long long)cols);
}

static SlipStatus read_local(SlipiWords *text, int32_t dimension, int32_t contacts,
                             const SlipMatrix *W, SlipProblem **problem) {
  SlipLaws laws = slip_default_laws();
  SlipLocalData data = slip_default_local_data();
  data.dimension = dimension;
  data.contacts = contacts;
  data.W = *W;
  data.laws = &laws;
  int64_t size = (int64_t)dimension * contacts;
  SlipStatus status = check_shape(text, "M", W, size, size);
  if (status == SLIP_OK)
    status = slipi_words_reals(text, "q", size, &data.q);
  if (status == SLIP_OK)
    status = slipi_words_reals(text, "mu", contacts, &laws.mu);
  if (status == SLIP_OK)
    status = read_end(text);
  return status == SLIP_OK ? slip_problem_create_local(&data, problem, text->error) : status;
}

static SlipStatus read_global(SlipiWords *text, int32_t dimension, int32_t contacts,
                              const SlipMatrix *M, SlipProblem **problem) {
  SlipLaws laws = slip_default_laws();
  SlipGlobalData data = slip_default_global_data();
  data.dimension = dimension;
  data.contacts = contacts;
  data.M = *M;
  data.laws = &laws;
  int64_t size = (int64_t)dimension * contacts;
  SlipStatus status = check_shape(text, "M", M, M->rows, M->rows);
  if (status == SLIP_OK)
    status = read_matrix(text, "H", &data.H);
  if (status == SLIP_OK)
    status = check_shape(text, "H", &data.H, M->rows, size);
  if (status == SLIP_OK)
    status = slipi_words_reals(text, "q", M->rows, &data.f);
  if (status == SLIP_OK)
    status = slipi_words_reals(text, "b", size, &data.w);
  if (status == SLIP_OK)
    status = slipi_words_reals(text, "mu", contacts, &laws.mu);
  if (status == SLIP_OK)
    status = read_end(text);
  return status == SLIP_OK ? slip_problem_create_global(&data, problem, text->error) : status;
}

/* A global file goes on with a second matrix, of four words at least, before q, b and mu. */
static bool is_global(const SlipiWords *text, const SlipMatrix *M, int32_t dimension,
                      int32_t contacts) {
  SlipiWords ahead = *text;
  int32_t storage = -1;
  int64_t words = 4 + (int64_t)M->rows + (int64_t)(dimension + 1) * contacts;
  return slipi_word_int(slipi_words_next(&ahead), &storage) && storage >= 0 && storage <= 2 &&
         slipi_words_left(text, words) >= words;
}

static SlipStatus read_problem(SlipiWords *text, SlipWantForm form, SlipFile *file) {
  int32_t dimension = 0, contacts = 0;
  SlipMatrix M = {0};
  SlipStatus status = slipi_words_int(text, "the dimension", 0, &dimension);
  if (status == SLIP_OK && dimension == 5)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: the dimension is 5: rolling friction problems are not read",
                      text->line);
  if (status == SLIP_OK && dimension != 2 && dimension != 3)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: the dimension is %d, expected 2 or 3", text->line, dimension);
  if (status == SLIP_OK)
    status = slipi_words_int(text, "the number of contacts", 0, &contacts);
  if (status == SLIP_OK)
    status = read_matrix(text, "M", &M);
  if (status != SLIP_OK)
    return status;
  file->has_global = is_global(text, &M, dimension, contacts);
  file->has_local = !file->has_global;
  status = slipi_file_check_form(file, form, text->error);
  if (status != SLIP_OK)
    return status;
  return file->has_global ? read_global(text, dimension, contacts, &M, &file->problem)
                          : read_local(text, dimension, contacts, &M, &file->problem);
}

SlipStatus slipi_siconos_read_memory(const char *text, size_t size, SlipWantForm form,
                                     SlipiFile *file, SlipError *error) {
  SlipiWords state = {.at = text, .end = text + size, .line = 1, .error = error};
  SlipiWord first = slipi_words_next(&state);
  int32_t dimension = 0;
  if (!slipi_word_int(first, &dimension))
    return slipi_fail(error, SLIP_ERROR_FORMAT,
                      "is neither an HDF5 file nor a Siconos text file, which starts with the "
                      "dimension");
  state.at = text;
  state.line = 1;
  /* strtod follows the locale; this thread's is put back after. */
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return slipi_fail_memory(error, "the number format");
  locale_t old = uselocale(plain);
  SlipStatus status = read_problem(&state, form, &file->file);
  uselocale(old);
  freelocale(plain);
  slipi_arena_free(&state.arena);
  return status;
}
