/* Matrix Market files (math.nist.gov/MatrixMarket/formats.html):
 *
 *     %%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric
 *     % remarks
 *     rows cols entries         then "row col value", counted from 1     coordinate
 *     rows cols                 then the values by columns               array
 *
 * Of a symmetric matrix the lower triangle is there, of a skew-symmetric one without its diagonal.
 */
#include "io/market.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/siconos_words.h"

static const char *const names[SLIPI_MARKET_PARTS] = {"W", "q", "M", "H", "f", "w", "mu"};

/* ---- One file ---- */

typedef enum Symmetry { GENERAL, SYMMETRIC, SKEW } Symmetry;

typedef struct Header {
  bool array;
  Symmetry symmetry;
  int32_t rows, cols, entries; /* entries: in the file */
} Header;

static bool same_word(SlipiWord word, const char *text) {
  for (int k = 0; k < word.length; k++) {
    char c = word.start[k];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != text[k])
      return false;
  }
  return text[word.length] == '\0';
}

static SlipStatus read_choice(SlipiWords *text, const char *what, const char *const *choices,
                              const char *complaint, int *chosen) {
  SlipiWord word = slipi_words_next(text);
  for (*chosen = 0; choices[*chosen]; ++*chosen)
    if (word.length > 0 && same_word(word, choices[*chosen]))
      return SLIP_OK;
  return slipi_words_fail(text, what, word, complaint);
}

static void skip_line(SlipiWords *text) {
  while (text->at < text->end && *text->at != '\n')
    text->at++;
}

static void skip_remarks(SlipiWords *text) {
  for (SlipiWords ahead = *text;; ahead = *text) {
    SlipiWord word = slipi_words_next(&ahead);
    if (word.length == 0 || *word.start != '%')
      return;
    skip_line(&ahead);
    *text = ahead;
  }
}

/* Entries of the triangle that an array holds. */
static int64_t array_entries(const Header *header) {
  int64_t n = header->rows;
  if (header->symmetry == GENERAL)
    return n * header->cols;
  return n * (n + (header->symmetry == SYMMETRIC ? 1 : -1)) / 2;
}

static SlipStatus read_size(SlipiWords *text, Header *header) {
  SlipStatus status = slipi_words_int(text, "the number of rows", 0, &header->rows);
  if (status == SLIP_OK)
    status = slipi_words_int(text, "the number of columns", 0, &header->cols);
  if (status == SLIP_OK && header->symmetry != GENERAL && header->rows != header->cols)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "line %ld: a symmetric matrix of %d x %d is not square", text->line,
                      (int)header->rows, (int)header->cols);
  if (status == SLIP_OK && !header->array)
    return slipi_words_int(text, "the number of entries", 0, &header->entries);
  if (status == SLIP_OK && array_entries(header) > INT32_MAX)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %d x %d values are too many",
                      text->line, (int)header->rows, (int)header->cols);
  header->entries = status == SLIP_OK ? (int32_t)array_entries(header) : 0;
  return status;
}

static SlipStatus read_header(SlipiWords *text, Header *header) {
  static const char *const mark[] = {"%%matrixmarket", NULL}, *const object[] = {"matrix", NULL};
  static const char *const format[] = {"coordinate", "array", NULL};
  static const char *const field[] = {"real", "integer", "double", NULL};
  static const char *const symmetry[] = {"general", "symmetric", "skew-symmetric", NULL};
  int chosen;
  *header = (Header){0};
  SlipStatus status =
      read_choice(text, "the header", mark, "stands where '%%MatrixMarket' should", &chosen);
  if (status == SLIP_OK)
    status = read_choice(text, "the header", object, "is not 'matrix'", &chosen);
  if (status == SLIP_OK)
    status = read_choice(text, "the format", format, "is neither coordinate nor array", &chosen);
  header->array = chosen == 1;
  if (status == SLIP_OK)
    status = read_choice(text, "the values", field, "are neither real nor integer", &chosen);
  if (status == SLIP_OK)
    status = read_choice(text, "the symmetry", symmetry,
                         "is none of general, symmetric and skew-symmetric", &chosen);
  if (status != SLIP_OK)
    return status;
  header->symmetry = (Symmetry)chosen;
  skip_line(text);
  skip_remarks(text);
  return read_size(text, header);
}

static SlipStatus read_place(SlipiWords *text, const char *what, int32_t most, int32_t *place) {
  SlipiWord word = slipi_words_next(text);
  if (!slipi_word_int(word, place))
    return slipi_words_fail(text, what, word, "is not a 32-bit integer");
  if (*place < 1 || *place > most)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "line %ld: %s: %d is outside 1..%d",
                      text->line, what, (int)*place, (int)most);
  --*place;
  return SLIP_OK;
}

/* The place of the next entry: read, or after the one before. */
static SlipStatus next_place(SlipiWords *text, const Header *header, int32_t *row, int32_t *col) {
  if (header->array) {
    if (++*row >= header->rows) {
      ++*col;
      *row = header->symmetry == GENERAL ? 0 : *col + (header->symmetry == SKEW);
    }
    return SLIP_OK;
  }
  SlipStatus status = read_place(text, "a row", header->rows, row);
  if (status == SLIP_OK)
    status = read_place(text, "a column", header->cols, col);
  if (status == SLIP_OK && header->symmetry != GENERAL && *row < *col + (header->symmetry == SKEW))
    return slipi_fail(
        text->error, SLIP_ERROR_FORMAT,
        "line %ld: the entry (%d, %d) is not in the lower triangle, which is all a %s "
        "matrix has",
        text->line, (int)*row + 1, (int)*col + 1,
        header->symmetry == SKEW ? "skew-symmetric" : "symmetric");
  return status;
}

static SlipStatus read_entries(SlipiWords *text, const Header *header, SlipMatrix *A) {
  int64_t most = (int64_t)header->entries * (header->symmetry == GENERAL ? 1 : 2), used = 0;
  SlipStatus status = slipi_words_check_room(text, "entries", header->entries);
  if (status != SLIP_OK)
    return status;
  int32_t *i = SLIPI_ARENA_NEW(&text->arena, int32_t, most);
  int32_t *p = SLIPI_ARENA_NEW(&text->arena, int32_t, most);
  double *x = SLIPI_ARENA_NEW(&text->arena, double, most);
  if (text->arena.failed)
    return slipi_fail_memory(text->error, "a matrix");
  int32_t row = header->symmetry == SKEW ? 0 : -1, col = 0;
  for (int32_t k = 0; status == SLIP_OK && k < header->entries; k++) {
    double value = 0;
    status = next_place(text, header, &row, &col);
    if (status == SLIP_OK)
      status = slipi_words_real(text, "a value", &value);
    int sides = header->symmetry != GENERAL && row != col ? 2 : 1;
    for (int side = 0; status == SLIP_OK && side < sides; side++, used++) {
      i[used] = side ? col : row;
      p[used] = side ? row : col;
      x[used] = side && header->symmetry == SKEW ? -value : value;
    }
  }
  *A = (SlipMatrix){.layout = SLIP_TRIPLET,
                    .rows = header->rows,
                    .cols = header->cols,
                    .nnz = used,
                    .p = p,
                    .i = i,
                    .x = x};
  return status;
}

/* A whole file; its messages begin with its name. */
static SlipStatus read_matrix(const SlipiMarketText *part, const char *name, SlipiWords *text,
                              SlipMatrix *A) {
  Header header;
  text->at = part->text;
  text->end = part->text + part->size;
  text->line = 1;
  SlipStatus status = read_header(text, &header);
  if (status == SLIP_OK)
    status = read_entries(text, &header, A);
  if (status == SLIP_OK) {
    SlipiWord word = slipi_words_next(text);
    if (word.length > 0)
      status = slipi_words_fail(text, "after the last value", word, "is left over");
  }
  if (status != SLIP_OK)
    slipi_error_prefix(text->error, "%s.mtx", name);
  return status;
}

/* A vector is a matrix of one column, most often an array. */
static SlipStatus read_vector(const SlipiMarketText *part, const char *name, SlipiWords *text,
                              const double **values, int32_t *count) {
  enum { ROWS_PER_BYTE = 100 }; /* of a sparse one at most: more would be a mistake */
  SlipMatrix A = {0};
  SlipStatus status = read_matrix(part, name, text, &A);
  if (status != SLIP_OK)
    return status;
  if (A.cols != 1)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT, "%s.mtx: a vector has one column, not %d",
                      name, (int)A.cols);
  if ((double)A.rows > ROWS_PER_BYTE * (double)part->size)
    return slipi_fail(text->error, SLIP_ERROR_FORMAT,
                      "%s.mtx: a vector of %d rows, nearly all of them 0, is not read", name,
                      (int)A.rows);
  double *x = SLIPI_ARENA_NEW(&text->arena, double, A.rows);
  if (!x)
    return slipi_fail_memory(text->error, "a vector");
  for (int64_t k = 0; k < A.nnz; k++)
    x[A.i[k]] += A.x[k];
  *values = x;
  *count = A.rows;
  return SLIP_OK;
}

/* ---- All files ---- */

typedef struct Reading {
  const SlipiMarketText *parts;
  SlipWantForm form;
  SlipFile *file;
  SlipiWords text;
} Reading;

/* The dimension is the length of `velocity` (q, or w) for each value of mu. */
static SlipStatus find_dimension(Reading *reading, const char *name, int32_t length,
                                 int32_t contacts, int32_t *dimension) {
  *dimension = contacts > 0 ? length / contacts : 3;
  if ((*dimension == 2 || *dimension == 3) && *dimension * (int64_t)contacts == length)
    return SLIP_OK;
  return slipi_fail(
      reading->text.error, SLIP_ERROR_FORMAT,
      "%s.mtx has %d values for the %d of mu.mtx: there should be 2 or 3 times as many", name,
      (int)length, (int)contacts);
}

static SlipStatus check_size(Reading *reading, const char *name, const SlipMatrix *A, int32_t rows,
                             int32_t cols, const char *of_rows, const char *of_cols) {
  if (A->rows == rows && A->cols == cols)
    return SLIP_OK;
  return slipi_fail(reading->text.error, SLIP_ERROR_FORMAT,
                    "%s.mtx is %d x %d but must be %d x %d, as %s.mtx and %s.mtx say", name,
                    (int)A->rows, (int)A->cols, (int)rows, (int)cols, of_rows, of_cols);
}

static SlipStatus vector_of(Reading *reading, SlipiMarketPart part, const double **values,
                            int32_t *count) {
  return read_vector(&reading->parts[part], names[part], &reading->text, values, count);
}

static SlipStatus read_local(Reading *reading) {
  SlipLaws laws = slip_default_laws();
  SlipLocalData data = slip_default_local_data();
  int32_t m = 0;
  data.laws = &laws;
  SlipStatus status = vector_of(reading, SLIPI_MARKET_MU, &laws.mu, &data.contacts);
  if (status == SLIP_OK)
    status = vector_of(reading, SLIPI_MARKET_Q, &data.q, &m);
  if (status == SLIP_OK)
    status = find_dimension(reading, "q", m, data.contacts, &data.dimension);
  if (status == SLIP_OK)
    status = read_matrix(&reading->parts[SLIPI_MARKET_W], "W", &reading->text, &data.W);
  if (status == SLIP_OK)
    status = check_size(reading, "W", &data.W, m, m, "q", "q");
  return status == SLIP_OK
             ? slip_problem_create_local(&data, &reading->file->problem, reading->text.error)
             : status;
}

static SlipStatus read_global(Reading *reading) {
  SlipLaws laws = slip_default_laws();
  SlipGlobalData data = slip_default_global_data();
  int32_t m = 0, dof = 0;
  data.laws = &laws;
  SlipStatus status = vector_of(reading, SLIPI_MARKET_MU, &laws.mu, &data.contacts);
  if (status == SLIP_OK)
    status = vector_of(reading, SLIPI_MARKET_FREE, &data.w, &m);
  if (status == SLIP_OK)
    status = find_dimension(reading, "w", m, data.contacts, &data.dimension);
  if (status == SLIP_OK)
    status = vector_of(reading, SLIPI_MARKET_F, &data.f, &dof);
  if (status == SLIP_OK)
    status = read_matrix(&reading->parts[SLIPI_MARKET_M], "M", &reading->text, &data.M);
  if (status == SLIP_OK)
    status = check_size(reading, "M", &data.M, dof, dof, "f", "f");
  if (status == SLIP_OK)
    status = read_matrix(&reading->parts[SLIPI_MARKET_H], "H", &reading->text, &data.H);
  if (status == SLIP_OK)
    status = check_size(reading, "H", &data.H, dof, m, "f", "w");
  return status == SLIP_OK
             ? slip_problem_create_global(&data, &reading->file->problem, reading->text.error)
             : status;
}

static SlipStatus check_parts(const Reading *reading, const SlipiMarketPart *wanted, int count) {
  for (int k = 0; k < count; k++)
    if (!reading->parts[wanted[k]].text)
      return slipi_fail(reading->text.error, SLIP_ERROR_FORMAT, "has no %s.mtx", names[wanted[k]]);
  return SLIP_OK;
}

static SlipStatus read_all(Reading *reading) {
  static const SlipiMarketPart local[] = {SLIPI_MARKET_W, SLIPI_MARKET_Q, SLIPI_MARKET_MU};
  static const SlipiMarketPart global[] = {SLIPI_MARKET_M, SLIPI_MARKET_H, SLIPI_MARKET_F,
                                           SLIPI_MARKET_FREE, SLIPI_MARKET_MU};
  SlipFile *file = reading->file;
  /* Where names differ by more than w and W alone. */
  file->has_local = reading->parts[SLIPI_MARKET_Q].text != NULL;
  file->has_global = reading->parts[SLIPI_MARKET_H].text != NULL;
  if (!file->has_local && !file->has_global)
    return slipi_fail(reading->text.error, SLIP_ERROR_FILE,
                      "is a directory without W.mtx, q.mtx and mu.mtx, or M.mtx, H.mtx, f.mtx, "
                      "w.mtx and mu.mtx");
  SlipStatus status = slipi_file_check_form(file, reading->form, reading->text.error);
  if (status != SLIP_OK)
    return status;
  if (reading->form == SLIP_WANT_GLOBAL || !file->has_local) {
    status = check_parts(reading, global, 5);
    return status == SLIP_OK ? read_global(reading) : status;
  }
  status = check_parts(reading, local, 3);
  return status == SLIP_OK ? read_local(reading) : status;
}

SlipStatus slipi_market_read(const SlipiMarketText parts[SLIPI_MARKET_PARTS], SlipWantForm form,
                             SlipiFile *file, SlipError *error) {
  Reading reading = {parts, form, &file->file, {.error = error}};
  /* strtod follows the locale; this thread's is put back after. */
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return slipi_fail_memory(error, "the number format");
  locale_t old = uselocale(plain);
  SlipStatus status = read_all(&reading);
  uselocale(old);
  freelocale(plain);
  slipi_arena_free(&reading.text.arena);
  return status;
}

/* The text of one part; none, which is no error, where there is no such file. */
static SlipStatus load_part(const char *folder, const char *name, SlipiMarketText *part,
                            SlipError *error) {
  size_t room = strlen(folder) + strlen(name) + sizeof "/.mtx";
  char *path = malloc(room);
  if (!path)
    return slipi_fail_memory(error, "a path");
  snprintf(path, room, "%s/%s.mtx", folder, name);
  SlipStatus status = SLIP_OK;
  if (access(path, F_OK) == 0)
    status = slipi_file_bytes(path, SIZE_MAX, &part->text, &part->size, error);
  if (status != SLIP_OK)
    slipi_error_prefix(error, "%s.mtx", name);
  free(path);
  return status;
}

SlipStatus slipi_market_read_folder(const char *path, SlipWantForm form, SlipiFile *file,
                                    SlipError *error) {
  SlipiMarketText parts[SLIPI_MARKET_PARTS] = {0};
  SlipStatus status = SLIP_OK;
  for (int k = 0; status == SLIP_OK && k < SLIPI_MARKET_PARTS; k++)
    status = load_part(path, names[k], &parts[k], error);
  if (status == SLIP_OK)
    status = slipi_market_read(parts, form, file, error);
  for (int k = 0; k < SLIPI_MARKET_PARTS; k++)
    free(parts[k].text);
  return status;
}
