/* The results as JSON for the report's page: names once, then columns of indices and figures.
 * web/report/data.js reads it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "bench/report.h"

enum {
  TRACE_BYTES = 6,        /* of a point */
  TRACES_BYTES = 2500000, /* about what all traces may take: a page stays below 5 MB */
  FEWEST_POINTS = 8
};

static const double budgets[] = {1e-3, 1e-2, 1e-1, 1, 10, 100}; /* seconds */
enum { BUDGETS = sizeof budgets / sizeof *budgets };

/* Different names in order. */
typedef struct Names {
  const char **items;
  int32_t count;
} Names;

/* A problem at a tolerance, and which row of the profile's matrices it is. */
typedef struct Pair {
  const char *problem;
  double tol;
  int32_t where;
} Pair;

typedef struct Tables {
  Names methods, families, outcomes, problems;
  double *tols; /* large ones first */
  int32_t tol_count;
  Pair *pairs;
  const SlipBenchRow **first; /* of each problem: a row of it */
  SlipiArena arena;
} Tables;

/* ---- Writing ------------------------------------------------------------------------------- */

/* No '<', '>' or '&' either: the text stands inside an HTML script element. */
static void add_string(SlipiText *json, const char *string) {
  slipi_text_add_bytes(json, "\"", 1);
  while (*string) {
    size_t length = slipi_utf8_length(string);
    unsigned char c = (unsigned char)*string;
    if (length == 0)
      slipi_text_add(json, SLIPI_UTF8_REPLACEMENT);
    else if (length > 1 || (c >= 0x20 && !strchr("\"\\<>&", c)))
      slipi_text_add_bytes(json, string, length);
    else
      slipi_text_add(json, "\\u%04x", c);
    string += length ? length : 1;
  }
  slipi_text_add_bytes(json, "\"", 1);
}

/* A number in few characters; `unknown` where it is not finite. */
static void add_number(SlipiText *json, double value, int digits, const char *unknown) {
  char text[40];
  if (!isfinite(value)) {
    slipi_text_add(json, "%s", unknown);
    return;
  }
  snprintf(text, sizeof text, "%.*g", digits, value);
  char *from = strchr(text, 'e'), *to = from ? from + 1 : NULL; /* 1e-07 to 1e-7, 1e+07 to 1e7 */
  if (from) {
    from++;
    if (*from == '-')
      *to++ = '-';
    from++;
    while (*from == '0')
      from++;
    memmove(to, from, strlen(from) + 1);
  }
  slipi_text_add(json, "%s", text);
}

static void add_key(SlipiText *json, const char *key) {
  char last = json->length ? json->bytes[json->length - 1] : '{';
  slipi_text_add(json, "%s\"%s\":", last == '{' ? "" : ",\n", key);
}

static void add_comma(SlipiText *json, int32_t k) {
  if (k > 0)
    slipi_text_add_bytes(json, ",", 1);
}

static void add_names(SlipiText *json, const char *key, const Names *names) {
  add_key(json, key);
  slipi_text_add_bytes(json, "[", 1);
  for (int32_t k = 0; k < names->count; k++) {
    add_comma(json, k);
    add_string(json, names->items[k]);
  }
  slipi_text_add_bytes(json, "]", 1);
}

/* ---- Tables of names ----------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in the field at `offset` of each row, sorted, each once. */
static Names gather(SlipiArena *arena, const SlipBenchResults *results, size_t offset) {
  Names names = {SLIPI_ARENA_NEW(arena, const char *, results->count), 0};
  if (!names.items)
    return names;
  for (int32_t k = 0; k < results->count; k++)
    memcpy(&names.items[k], (const char *)&results->rows[k] + offset, sizeof(char *));
  qsort(names.items, (size_t)results->count, sizeof *names.items, compare_names);
  for (int32_t k = 0; k < results->count; k++)
    if (k == 0 || strcmp(names.items[k], names.items[names.count - 1]) != 0)
      names.items[names.count++] = names.items[k];
  return names;
}

static int32_t find_name(const Names *names, const char *name) {
  const char **found =
      bsearch(&name, names->items, (size_t)names->count, sizeof *names->items, compare_names);
  return found ? (int32_t)(found - names->items) : -1;
}

static int compare_tols(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

static int32_t find_tol(const Tables *tables, double tol) {
  for (int32_t k = 0; k < tables->tol_count; k++)
    if (slipi_same_tol(tables->tols[k], tol))
      return k;
  return -1;
}

static int compare_pairs(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  int order = strcmp(x->problem, y->problem);
  if (order || slipi_same_tol(x->tol, y->tol))
    return order;
  return (x->tol < y->tol) - (x->tol > y->tol);
}

static int32_t find_pair(const Tables *tables, int32_t count, const SlipBenchRow *row) {
  Pair wanted = {row->problem, row->tol, 0};
  const Pair *found =
      bsearch(&wanted, tables->pairs, (size_t)count, sizeof *tables->pairs, compare_pairs);
  return found ? found->where : -1;
}

static SlipStatus make_tables(Tables *tables, const SlipBenchResults *results,
                              const SlipProfile *profile, SlipError *error) {
  SlipiArena *arena = &tables->arena;
  tables->methods = gather(arena, results, offsetof(SlipBenchRow, method));
  tables->families = gather(arena, results, offsetof(SlipBenchRow, family));
  tables->outcomes = gather(arena, results, offsetof(SlipBenchRow, outcome));
  tables->problems = gather(arena, results, offsetof(SlipBenchRow, problem));
  tables->tols = slipi_arena_copy(arena, profile->tol, (size_t)profile->problems, sizeof(double));
  tables->pairs = SLIPI_ARENA_NEW(arena, Pair, profile->problems);
  tables->first = SLIPI_ARENA_NEW(arena, const SlipBenchRow *, results->count);
  if (arena->failed)
    return slipi_fail_memory(error, "the report");
  qsort(tables->tols, (size_t)profile->problems, sizeof(double), compare_tols);
  for (int32_t k = 0; k < profile->problems; k++) {
    if (k == 0 || !slipi_same_tol(tables->tols[tables->tol_count - 1], tables->tols[k]))
      tables->tols[tables->tol_count++] = tables->tols[k];
    tables->pairs[k] = (Pair){profile->problem[k], profile->tol[k], k};
  }
  qsort(tables->pairs, (size_t)profile->problems, sizeof(Pair), compare_pairs);
  for (int32_t k = results->count; k-- > 0;)
    tables->first[find_name(&tables->problems, results->rows[k].problem)] = &results->rows[k];
  return SLIP_OK;
}

/* ---- Problems and runs --------------------------------------------------------------------- */

#define ADD_COLUMN(json, key, count, ...)                                                          \
  do {                                                                                             \
    add_key(json, key);                                                                            \
    slipi_text_add_bytes(json, "[", 1);                                                            \
    for (int32_t k = 0; k < (count); k++) {                                                        \
      add_comma(json, k);                                                                          \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
    slipi_text_add_bytes(json, "]", 1);                                                            \
  } while (0)

static void add_problems(SlipiText *json, const Tables *tables, const SlipProfile *profile) {
  const SlipBenchRow *const *first = tables->first;
  int32_t count = tables->problems.count;
  ADD_COLUMN(json, "tolerances", tables->tol_count, add_number(json, tables->tols[k], 6, "null"));
  add_key(json, "problems");
  slipi_text_add_bytes(json, "{", 1);
  add_names(json, "name", &tables->problems);
  ADD_COLUMN(json, "family", count,
             slipi_text_add(json, "%" PRId32, find_name(&tables->families, first[k]->family)));
  ADD_COLUMN(json, "contacts", count, slipi_text_add(json, "%" PRId32, first[k]->contacts));
  ADD_COLUMN(json, "dof", count, slipi_text_add(json, "%" PRId32, first[k]->dof));
  ADD_COLUMN(json, "dimension", count, slipi_text_add(json, "%" PRId32, first[k]->dimension));
  slipi_text_add_bytes(json, "}", 1);
  add_key(json, "pairs");
  slipi_text_add_bytes(json, "{", 1);
  ADD_COLUMN(json, "problem", profile->problems,
             slipi_text_add(json, "%" PRId32, find_name(&tables->problems, profile->problem[k])));
  ADD_COLUMN(json, "tolerance", profile->problems,
             slipi_text_add(json, "%" PRId32, find_tol(tables, profile->tol[k])));
  slipi_text_add_bytes(json, "}", 1);
}

/* Two digits of base 64. */
static void add_code(SlipiText *json, double value) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  int code = !(value > 0) ? 0 : value >= 4095 ? 4095 : (int)(value + 0.5);
  char text[2] = {digits[code / 64], digits[code % 64]};
  slipi_text_add_bytes(json, text, 2);
}

/* At most `most` points, evenly by their number; the last one always. */
static void add_trace(SlipiText *json, const SlipBenchRow *row, int32_t most) {
  slipi_text_add_bytes(json, "\"", 1);
  int32_t count = row->trace_count < most ? row->trace_count : most;
  for (int32_t k = 0; k < count; k++) {
    int32_t at = count == row->trace_count
                     ? k
                     : (int32_t)((int64_t)k * (row->trace_count - 1) / (count - 1));
    const SlipTracePoint *point = &row->trace[at];
    if (!isfinite(point->residual) || !isfinite(point->seconds) || point->iteration < 0)
      continue;
    add_code(json, 100 * (log10(point->residual) + 20));
    add_code(json, 256 * (log10(point->seconds) + 9));
    add_code(json, 256 * log10(1 + (double)point->iteration));
  }
  slipi_text_add_bytes(json, "\"", 1);
}

static void add_runs(SlipiText *json, const Tables *tables, const SlipBenchResults *results,
                     int32_t pair_count) {
  const SlipBenchRow *rows = results->rows;
  int32_t count = results->count, most = TRACES_BYTES / TRACE_BYTES / (count > 0 ? count : 1);
  most = most < FEWEST_POINTS ? FEWEST_POINTS : most;
  add_key(json, "runs");
  slipi_text_add_bytes(json, "{", 1);
  ADD_COLUMN(json, "pair", count,
             slipi_text_add(json, "%" PRId32, find_pair(tables, pair_count, &rows[k])));
  ADD_COLUMN(json, "method", count,
             slipi_text_add(json, "%" PRId32, find_name(&tables->methods, rows[k].method)));
  ADD_COLUMN(json, "outcome", count,
             slipi_text_add(json, "%" PRId32, find_name(&tables->outcomes, rows[k].outcome)));
  ADD_COLUMN(json, "error", count, add_number(json, rows[k].error, 3, "null"));
  ADD_COLUMN(json, "physical", count, add_number(json, rows[k].physical, 3, "null"));
  ADD_COLUMN(json, "iterations", count, slipi_text_add(json, "%" PRId64, rows[k].iterations));
  ADD_COLUMN(json, "seconds", count, add_number(json, rows[k].seconds, 5, "null"));
  ADD_COLUMN(json, "peak", count, slipi_text_add(json, "%" PRId64, rows[k].peak_kib));
  ADD_COLUMN(json, "trace", count, add_trace(json, &rows[k], most));
  slipi_text_add_bytes(json, "}", 1);
}

/* ---- Measures ------------------------------------------------------------------------------ */

/* Places with their methods in the order of `tables`; -1: never. */
static void add_measure(SlipiText *json, const Tables *tables, const SlipProfile *profile,
                        const char *name, double budget) {
  int32_t solvers = profile->solvers;
  int32_t *solver = malloc(((size_t)solvers + 1) * sizeof *solver); /* of each method */
  if (!solver) {
    json->failed = true;
    return;
  }
  for (int32_t s = 0; s < solvers; s++)
    solver[find_name(&tables->methods, profile->solver[s])] = s;
  slipi_text_add(json, "{\"name\":\"%s\",\"budget\":%g", name, budget);
  add_key(json, "place");
  slipi_text_add_bytes(json, "[", 1);
  for (int32_t p = 0; p < profile->problems; p++)
    for (int32_t m = 0; m < solvers; m++) {
      add_comma(json, p + m);
      add_number(json, profile->place[(size_t)p * (size_t)solvers + (size_t)solver[m]], 6, "-1");
    }
  slipi_text_add_bytes(json, "]", 1);
  bool ratio = profile->measure == SLIP_MEASURE_TIME;
  ADD_COLUMN(json, "best", profile->problems,
             add_number(json, ratio && isfinite(profile->best[k]) ? 1 : profile->best[k], 6, "-1"));
  slipi_text_add_bytes(json, "}", 1);
  free(solver);
}

static SlipStatus add_selected(SlipiText *json, const Tables *tables,
                               const SlipBenchResults *results, SlipMeasure measure, double budget,
                               SlipError *error) {
  static const char *const names[] = {"time", "time-per-contact", "error-at-budget"};
  SlipPlotOptions options = slip_default_plot_options();
  options.measure = measure;
  if (budget > 0)
    options.budget = budget;
  SlipProfile *profile;
  SlipStatus status = slip_bench_profile(results, &options, &profile, error);
  if (status != SLIP_OK)
    return status;
  add_measure(json, tables, profile, names[measure], budget);
  slip_profile_free(profile);
  return SLIP_OK;
}

/* Budgets up to the longest run; 0.1 s always. */
static SlipStatus add_measures(SlipiText *json, const Tables *tables,
                               const SlipBenchResults *results, SlipError *error) {
  double longest = 0;
  for (int32_t k = 0; k < results->count; k++)
    if (results->rows[k].seconds > longest)
      longest = results->rows[k].seconds;
  add_key(json, "measures");
  slipi_text_add_bytes(json, "[", 1);
  SlipStatus status = add_selected(json, tables, results, SLIP_MEASURE_TIME, 0, error);
  slipi_text_add_bytes(json, ",", 1);
  if (status == SLIP_OK)
    status = add_selected(json, tables, results, SLIP_MEASURE_TIME_PER_CONTACT, 0, error);
  for (int k = 0; status == SLIP_OK && k < BUDGETS; k++)
    if (budgets[k] <= longest || budgets[k] == 0.1) {
      slipi_text_add_bytes(json, ",", 1);
      status = add_selected(json, tables, results, SLIP_MEASURE_ERROR_AT_BUDGET, budgets[k], error);
    }
  slipi_text_add_bytes(json, "]", 1);
  return status;
}

/* ---- Table 6, machines and versions -------------------------------------------------------- */

static SlipStatus add_table6(SlipiText *json, const Tables *tables, const SlipBenchResults *results,
                             SlipError *error) {
  SlipTable6 *table;
  SlipStatus status = slip_bench_table6(results, &table, error);
  if (status != SLIP_OK)
    return status;
  add_key(json, "table6");
  slipi_text_add_bytes(json, "[", 1);
  for (int32_t k = 0; k < table->count; k++) {
    const SlipFamilyTimes *row = &table->rows[k];
    const struct {
      const char *key;
      double value;
    } figures[] = {{"tolerance", row->tol},
                   {"mean", row->mean},
                   {"deviation", row->deviation},
                   {"meanPerContact", row->mean_per_contact},
                   {"deviationPerContact", row->deviation_per_contact}};
    add_comma(json, k);
    slipi_text_add(json, "{\"family\":%" PRId32 ",\"problems\":%" PRId32 ",\"unsolved\":%" PRId32,
                   find_name(&tables->families, row->family), row->problems, row->unsolved);
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
      add_key(json, figures[f].key);
      add_number(json, figures[f].value, 6, "null");
    }
    slipi_text_add_bytes(json, "}", 1);
  }
  slipi_text_add_bytes(json, "]", 1);
  slip_table6_free(table);
  return SLIP_OK;
}

static bool same_origin(const SlipBenchRow *a, const SlipBenchRow *b) {
  return !strcmp(a->commit, b->commit) && !strcmp(a->compiler, b->compiler) &&
         !strcmp(a->cpu, b->cpu) && !strcmp(a->version, b->version);
}

static void add_origin(SlipiText *json, const SlipBenchRow *row, int32_t runs) {
  slipi_text_add(json, "{\"runs\":%" PRId32, runs);
  const char *const keys[] = {"commit", "compiler", "cpu", "version"};
  const char *const values[] = {row->commit, row->compiler, row->cpu, row->version};
  for (int k = 0; k < 4; k++) {
    add_key(json, keys[k]);
    add_string(json, values[k]);
  }
  slipi_text_add_bytes(json, "}", 1);
}

/* Each machine and version that made runs, with how many; the first row of each stands for it. */
static SlipStatus add_origins(SlipiText *json, const SlipBenchResults *results, SlipError *error) {
  int32_t *first = calloc((size_t)results->count + 1, sizeof *first);
  int32_t *runs = calloc((size_t)results->count + 1, sizeof *runs);
  int32_t count = 0;
  if (!first || !runs) {
    free(first);
    free(runs);
    return slipi_fail_memory(error, "the report");
  }
  for (int32_t k = 0; k < results->count; k++) {
    int32_t at = count; /* backwards: rows in a row are mostly of one campaign */
    while (at > 0 && !same_origin(&results->rows[first[at - 1]], &results->rows[k]))
      at--;
    if (at == 0) {
      first[count++] = k;
      at = count;
    }
    runs[at - 1]++;
  }
  ADD_COLUMN(json, "origins", count, add_origin(json, &results->rows[first[k]], runs[k]));
  free(first);
  free(runs);
  return SLIP_OK;
}

/* ---- All ----------------------------------------------------------------------------------- */

static void add_nothing(SlipiText *json) {
  slipi_text_add(json, "{\"methods\":[],\"families\":[],\"outcomes\":[],\"tolerances\":[],"
                       "\"problems\":{\"name\":[]},\"pairs\":{\"problem\":[],\"tolerance\":[]},"
                       "\"runs\":{\"pair\":[]},\"measures\":[],\"table6\":[],\"origins\":[],"
                       "\"truncated\":false}");
}

static SlipStatus add_everything(SlipiText *json, Tables *tables, const SlipBenchResults *results,
                                 const SlipProfile *profile, SlipError *error) {
  SlipStatus status = make_tables(tables, results, profile, error);
  if (status != SLIP_OK)
    return status;
  slipi_text_add(json, "{\"truncated\":%s", results->truncated ? "true" : "false");
  add_names(json, "methods", &tables->methods);
  add_names(json, "families", &tables->families);
  add_names(json, "outcomes", &tables->outcomes);
  add_problems(json, tables, profile);
  add_runs(json, tables, results, profile->problems);
  status = add_measures(json, tables, results, error);
  if (status == SLIP_OK)
    status = add_table6(json, tables, results, error);
  if (status == SLIP_OK)
    status = add_origins(json, results, error);
  slipi_text_add_bytes(json, "}", 1);
  return status;
}

SlipStatus slipi_report_json(const SlipBenchResults *results, SlipiText *json, SlipError *error) {
  if (results->count == 0) {
    add_nothing(json);
    return json->failed ? slipi_fail_memory(error, "the report") : SLIP_OK;
  }
  SlipProfile *profile;
  SlipStatus status = slip_bench_profile(results, NULL, &profile, error);
  if (status != SLIP_OK)
    return status;
  Tables tables = {0};
  status = add_everything(json, &tables, results, profile, error);
  if (status == SLIP_OK && json->failed)
    status = slipi_fail_memory(error, "the report");
  slipi_arena_free(&tables.arena);
  slip_profile_free(profile);
  return status;
}
