/* Results files: CSV as RFC 4180 has it, one row per run. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "bench/bench.h"

static const char *const names[SLIPI_BENCH_COLUMNS] = {
    "problem",  "family", "contacts",   "dof",     "dimension", "method",  "tol",
    "outcome",  "error",  "iterations", "seconds", "peak_kib",  "trace",   "commit",
    "compiler", "cpu",    "version",    "content", "reason",    "physical"};

enum {
  PROBLEM,
  FAMILY,
  CONTACTS,
  DOF,
  DIMENSION,
  METHOD,
  TOL,
  OUTCOME,
  ERROR,
  ITERATIONS,
  SECONDS,
  PEAK,
  TRACE,
  COMMIT,
  COMPILER,
  CPU,
  VERSION,
  CONTENT,
  REASON,
  PHYSICAL
};

/* ---- Writing ------------------------------------------------------------------------------- */

void slipi_results_header(SlipiText *text) {
  for (int k = 0; k < SLIPI_BENCH_COLUMNS; k++)
    slipi_text_add(text, "%s%s", k ? "," : "", names[k]);
  slipi_text_add_bytes(text, "\n", 1);
}

static void add_text(SlipiText *text, const char *field) {
  slipi_text_add_field(text, field);
  slipi_text_add_bytes(text, ",", 1);
}

static void add_whole(SlipiText *text, int64_t value) {
  if (value >= 0)
    slipi_text_add(text, "%" PRId64, value);
  slipi_text_add_bytes(text, ",", 1);
}

static void add_real(SlipiText *text, double value, int digits) {
  if (!isnan(value))
    slipi_text_add(text, "%.*g", digits, value);
  slipi_text_add_bytes(text, ",", 1);
}

void slipi_results_row(SlipiText *text, const SlipBenchRow *row, int columns) {
  add_text(text, row->problem);
  add_text(text, row->family);
  add_whole(text, row->contacts);
  add_whole(text, row->dof);
  add_whole(text, row->dimension);
  add_text(text, row->method);
  char number[SLIPI_NUMBER_TEXT];
  add_text(text, slipi_number_text(row->tol, number));
  add_text(text, row->outcome);
  add_real(text, row->error, 17);
  add_whole(text, row->iterations);
  add_real(text, row->seconds, 9);
  add_whole(text, row->peak_kib);
  slipi_trace_add(text, row->trace, row->trace_count, 0);
  slipi_text_add_bytes(text, ",", 1);
  add_text(text, row->commit);
  add_text(text, row->compiler);
  add_text(text, row->cpu);
  slipi_text_add_field(text, row->version);
  if (columns > SLIPI_BENCH_OLD_COLUMNS) {
    slipi_text_add_bytes(text, ",", 1);
    add_text(text, row->content);
    add_text(text, row->reason);
    if (!isnan(row->physical))
      slipi_text_add(text, "%.3g", row->physical);
  }
  slipi_text_add_bytes(text, "\n", 1);
}

void slipi_trace_add(SlipiText *text, const SlipTracePoint *trace, int32_t count, double later) {
  int32_t wanted = count < SLIPI_BENCH_TRACE ? count : SLIPI_BENCH_TRACE, last = -1;
  for (int32_t k = 0; k < wanted; k++) {
    /* Indices in geometric progression, so that time is resolved to a fraction of itself. */
    int32_t at = k;
    if (count > SLIPI_BENCH_TRACE)
      at = (int32_t)lround(pow(count, (double)k / (wanted - 1))) - 1;
    at = at <= last ? last + 1 : at;
    last = at;
    slipi_text_add(text, "%s%" PRId64 ":%.4g:%.4g", k ? ";" : "", trace[at].iteration,
                   trace[at].residual, trace[at].seconds + later);
  }
}

/* ---- Reading ------------------------------------------------------------------------------- */

SlipTracePoint *slipi_trace_parse(SlipiArena *arena, const char *text, int32_t *count) {
  int32_t most = *text ? 1 : 0;
  for (const char *at = text; *at; at++)
    most += *at == ';';
  SlipTracePoint *trace = SLIPI_ARENA_NEW(arena, SlipTracePoint, most);
  *count = 0;
  while (trace && *count < most) {
    SlipTracePoint *point = &trace[*count];
    char *end;
    point->iteration = strtoll(text, &end, 10);
    if (end == text || *end != ':')
      break;
    point->residual = strtod(text = end + 1, &end);
    if (end == text || *end != ':')
      break;
    point->seconds = strtod(text = end + 1, &end);
    if (end == text || (*end != ';' && *end != '\0'))
      break;
    ++*count;
    text = end + 1;
  }
  return trace;
}

/* Where the reader stands. */
typedef struct Reader {
  const char *path, *at, *end;
  int64_t line;
  SlipiText field; /* of the record being read: fields, each with its '\0' */
  size_t starts[SLIPI_BENCH_COLUMNS];
  int fields;  /* may exceed SLIPI_BENCH_COLUMNS; the rest is not kept */
  int columns; /* that the first line names */
} Reader;

static void begin_field(Reader *reader) {
  if (reader->fields < SLIPI_BENCH_COLUMNS)
    reader->starts[reader->fields] = reader->field.length;
  reader->fields++;
}

/* One record; false where the text ends before the record does. */
static bool read_record(Reader *reader) {
  bool quoted = false;
  reader->field.length = 0;
  reader->fields = 0;
  begin_field(reader);
  for (; reader->at < reader->end; reader->at++) {
    char byte = *reader->at;
    reader->line += byte == '\n';
    if (quoted && byte == '"' && reader->at + 1 < reader->end && reader->at[1] == '"') {
      slipi_text_add_bytes(&reader->field, "\"", 1);
      reader->at++;
    } else if (byte == '"') {
      quoted = !quoted;
    } else if (!quoted && byte == ',') {
      slipi_text_add_bytes(&reader->field, "", 1);
      begin_field(reader);
    } else if (!quoted && byte == '\n') {
      slipi_text_add_bytes(&reader->field, "", 1);
      reader->at++;
      return true;
    } else if (quoted || byte != '\r') {
      slipi_text_add_bytes(&reader->field, &byte, 1);
    }
  }
  return false;
}

static const char *field(const Reader *reader, int column) {
  return reader->field.bytes + reader->starts[column];
}

static SlipStatus bad_field(const Reader *reader, int column, SlipError *error) {
  return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: line %" PRId64 ": %s is '%.60s'", reader->path,
                    reader->line, names[column], field(reader, column));
}

static bool get_whole(const Reader *reader, int column, int64_t most, int64_t *value) {
  const char *text = field(reader, column);
  char *end;
  *value = -1;
  if (!*text)
    return true;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return !errno && !*end && *value >= 0 && *value <= most;
}

static bool get_int32(const Reader *reader, int column, int32_t *value) {
  int64_t wide;
  bool good = get_whole(reader, column, INT32_MAX, &wide);
  *value = good ? (int32_t)wide : -1;
  return good;
}

static bool get_real(const Reader *reader, int column, double *value) {
  const char *text = field(reader, column);
  char *end;
  *value = NAN;
  if (!*text)
    return true;
  *value = strtod(text, &end);
  return !*end;
}

static SlipStatus read_numbers(const Reader *reader, SlipBenchRow *row, SlipError *error) {
  row->physical = NAN;
  if (reader->columns > PHYSICAL && !get_real(reader, PHYSICAL, &row->physical))
    return bad_field(reader, PHYSICAL, error);
  if (!get_int32(reader, CONTACTS, &row->contacts))
    return bad_field(reader, CONTACTS, error);
  if (!get_int32(reader, DOF, &row->dof))
    return bad_field(reader, DOF, error);
  if (!get_int32(reader, DIMENSION, &row->dimension))
    return bad_field(reader, DIMENSION, error);
  if (!get_real(reader, TOL, &row->tol) || !(row->tol >= 0))
    return bad_field(reader, TOL, error);
  if (!get_real(reader, ERROR, &row->error))
    return bad_field(reader, ERROR, error);
  if (!get_whole(reader, ITERATIONS, INT64_MAX, &row->iterations))
    return bad_field(reader, ITERATIONS, error);
  if (!get_real(reader, SECONDS, &row->seconds))
    return bad_field(reader, SECONDS, error);
  if (!get_whole(reader, PEAK, INT64_MAX, &row->peak_kib))
    return bad_field(reader, PEAK, error);
  return SLIP_OK;
}

static const char *keep(const Reader *reader, int column, SlipiArena *arena) {
  const char *text = column < reader->columns ? field(reader, column) : "";
  return slipi_arena_text(arena, text, strlen(text));
}

static SlipStatus read_row(const Reader *reader, SlipiArena *arena, SlipBenchRow *row,
                           SlipError *error) {
  if (reader->fields != reader->columns)
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s: line %" PRId64 ": %d fields instead of %d",
                      reader->path, reader->line, reader->fields, reader->columns);
  row->problem = keep(reader, PROBLEM, arena);
  row->family = keep(reader, FAMILY, arena);
  row->method = keep(reader, METHOD, arena);
  row->outcome = keep(reader, OUTCOME, arena);
  row->commit = keep(reader, COMMIT, arena);
  row->compiler = keep(reader, COMPILER, arena);
  row->cpu = keep(reader, CPU, arena);
  row->version = keep(reader, VERSION, arena);
  row->content = keep(reader, CONTENT, arena);
  row->reason = keep(reader, REASON, arena);
  row->solved = !strcmp(field(reader, OUTCOME), slip_outcome_name(SLIP_SOLVED));
  row->trace = slipi_trace_parse(arena, field(reader, TRACE), &row->trace_count);
  return read_numbers(reader, row, error);
}

static SlipStatus check_header(Reader *reader, SlipError *error) {
  bool good = reader->fields == SLIPI_BENCH_COLUMNS || reader->fields == SLIPI_BENCH_OLD_COLUMNS;
  for (int k = 0; good && k < reader->fields; k++)
    good = !strcmp(field(reader, k), names[k]);
  reader->columns = reader->fields;
  if (good)
    return SLIP_OK;
  return slipi_fail(error, SLIP_ERROR_FORMAT,
                    "%s is not a results file: its first line does not name the columns "
                    "problem,family,contacts,...",
                    reader->path);
}

/* Results and the memory they live in. */
typedef struct Results {
  SlipBenchResults results; /* first, so that a pointer to it is a pointer to this */
  SlipBenchRow *rows;
  size_t room;
  int columns;
  SlipiArena arena;
} Results;

static SlipStatus read_rows(Reader *reader, const char *begin, Results *made, size_t *whole,
                            SlipError *error) {
  SlipStatus status = SLIP_OK;
  bool header = true;
  while (status == SLIP_OK && reader->at < reader->end) {
    if (!read_record(reader)) {
      made->results.truncated = 1;
      break;
    }
    if (reader->field.failed)
      return slipi_fail_memory(error, reader->path);
    if (header) {
      header = false;
      status = check_header(reader, error);
      *whole = (size_t)(reader->at - begin);
      continue;
    }
    size_t count = (size_t)made->results.count;
    if (count == made->room) {
      size_t room = made->room ? 2 * made->room : 64;
      SlipBenchRow *rows = count < INT32_MAX / 2 ? realloc(made->rows, room * sizeof *rows) : NULL;
      if (!rows)
        return slipi_fail_memory(error, reader->path);
      made->rows = rows;
      made->room = room;
    }
    status = read_row(reader, &made->arena, &made->rows[count], error);
    made->results.count++;
    *whole = (size_t)(reader->at - begin);
  }
  return status;
}

static int compare_rows(const void *a, const void *b) {
  const SlipBenchRow *x = *(const SlipBenchRow *const *)a, *y = *(const SlipBenchRow *const *)b;
  int order = strcmp(x->problem, y->problem);
  if (!order)
    order = strcmp(x->method, y->method);
  if (!order)
    order = (x->tol > y->tol) - (x->tol < y->tol);
  return order ? order : (x > y) - (x < y);
}

/* A problem that has changed is run again: rows of its former content are left out. */
static SlipStatus drop_superseded(Results *made, const char *path, SlipError *error) {
  size_t count = (size_t)made->results.count, kept = 0;
  const SlipBenchRow **sorted = calloc(count + 1, sizeof(const SlipBenchRow *));
  bool *old = calloc(count + 1, sizeof *old);
  SlipStatus status = sorted && old ? SLIP_OK : slipi_fail_memory(error, path);
  for (size_t k = 0; status == SLIP_OK && k < count; k++)
    sorted[k] = &made->rows[k];
  if (status == SLIP_OK)
    qsort(sorted, count, sizeof(const SlipBenchRow *), compare_rows);
  for (size_t k = 1; status == SLIP_OK && k < count; k++) {
    const SlipBenchRow *x = sorted[k - 1], *y = sorted[k];
    old[x - made->rows] = !strcmp(x->problem, y->problem) && !strcmp(x->method, y->method) &&
                          x->tol == y->tol && strcmp(x->content, y->content) != 0;
  }
  for (size_t k = 0; status == SLIP_OK && k < count; k++)
    if (!old[k])
      made->rows[kept++] = made->rows[k];
  made->results.count = (int32_t)kept;
  free(sorted);
  free(old);
  return status;
}

int slipi_results_columns(const SlipBenchResults *results) {
  return ((const Results *)results)->columns;
}

SlipStatus slipi_results_parse(const char *path, const SlipiText *text, SlipBenchResults **results,
                               size_t *whole, SlipError *error) {
  Reader reader = {.path = path, .at = text->bytes, .end = text->bytes + text->length};
  Results *made = calloc(1, sizeof *made);
  *results = NULL;
  *whole = 0;
  if (!made)
    return slipi_fail_memory(error, path);
  SlipStatus status = read_rows(&reader, text->bytes, made, whole, error);
  if (status == SLIP_OK && made->arena.failed)
    status = slipi_fail_memory(error, path);
  if (status == SLIP_OK)
    status = drop_superseded(made, path, error);
  made->columns = reader.columns > 0 ? reader.columns : SLIPI_BENCH_COLUMNS;
  made->results.size = sizeof made->results;
  made->results.rows = made->rows;
  slipi_text_free(&reader.field);
  if (status == SLIP_OK)
    *results = &made->results;
  else
    slip_bench_results_free(&made->results);
  return status;
}

SlipStatus slip_bench_read(const char *path, SlipBenchResults **results, SlipError *error) {
  slipi_error_clear(error);
  if (!results)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "results is null");
  *results = NULL;
  if (!path)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path is null");
  SlipiText text = {0};
  size_t whole;
  SlipStatus status = slipi_text_read(path, &text, error);
  if (status == SLIP_OK)
    status = slipi_results_parse(path, &text, results, &whole, error);
  slipi_text_free(&text);
  if (status == SLIP_OK && whole == 0) {
    slip_bench_results_free(*results);
    *results = NULL;
    return slipi_fail(error, SLIP_ERROR_FORMAT, "%s is not a results file: it is empty", path);
  }
  return status;
}

void slip_bench_results_free(SlipBenchResults *results) {
  Results *made = (Results *)results;
  if (!made)
    return;
  free(made->rows);
  slipi_arena_free(&made->arena);
  free(made);
}
