/* The results of a campaign that machines have shared, in one file. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

/* A row, and where it comes in the merged file. */
typedef struct Place {
  const SlipBenchRow *row;
  int file;
  int64_t turn;
  bool left_out;
} Place;

static int compare_runs(const void *a, const void *b) {
  const Place *x = a, *y = b;
  int order = strcmp(x->row->problem, y->row->problem);
  if (!order)
    order = strcmp(x->row->method, y->row->method);
  if (!order)
    order = (x->row->tol > y->row->tol) - (x->row->tol < y->row->tol);
  if (!order)
    order = (x->file > y->file) - (x->file < y->file);
  return order ? order : (x->turn > y->turn) - (x->turn < y->turn);
}

static int compare_turns(const void *a, const void *b) {
  const Place *x = a, *y = b;
  return (x->turn > y->turn) - (x->turn < y->turn);
}

static bool same_run(const SlipBenchRow *a, const SlipBenchRow *b) {
  return !strcmp(a->problem, b->problem) && !strcmp(a->method, b->method) && a->tol == b->tol;
}

/* One row of each file in turn, and each run once. */
static Place *order_rows(SlipBenchResults *const *results, int count, int32_t *rows) {
  int64_t total = 0, filled = 0;
  for (int k = 0; k < count; k++)
    total += results[k]->count;
  Place *places = total <= INT32_MAX ? malloc((size_t)total * sizeof *places + 1) : NULL;
  if (!places)
    return NULL;
  for (int k = 0; k < count; k++)
    for (int32_t r = 0; r < results[k]->count; r++)
      places[filled++] = (Place){&results[k]->rows[r], k, (int64_t)r * count + k, false};
  qsort(places, (size_t)total, sizeof *places, compare_runs);
  for (int64_t k = 1; k < total; k++)
    places[k].left_out = same_run(places[k - 1].row, places[k].row);
  qsort(places, (size_t)total, sizeof *places, compare_turns);
  *rows = (int32_t)total;
  return places;
}

static SlipStatus write_rows(const Place *places, int32_t count, int columns, const char *out,
                             int32_t *kept, SlipError *error) {
  SlipiText text = {0};
  *kept = 0;
  slipi_results_header(&text);
  for (int32_t k = 0; k < count; k++) {
    if (places[k].left_out)
      continue;
    slipi_results_row(&text, places[k].row, columns);
    ++*kept;
  }
  SlipStatus status = slipi_text_write(out, &text, error);
  slipi_text_free(&text);
  return status;
}

static SlipStatus merge(SlipBenchResults **results, const char *const *paths, int count,
                        const char *out, int32_t *kept, SlipError *error) {
  for (int k = 0; k < count; k++) {
    SlipStatus status = paths[k] ? slip_bench_read(paths[k], &results[k], error)
                                 : slipi_fail(error, SLIP_ERROR_ARGUMENT, "path %d is null", k);
    if (status == SLIP_OK && slipi_results_columns(results[k]) != SLIPI_BENCH_COLUMNS)
      status = slipi_fail(error, SLIP_ERROR_FORMAT,
                          "%s has the columns of version 0.1: such files are not merged", paths[k]);
    if (status != SLIP_OK)
      return status;
  }
  int32_t rows = 0;
  Place *places = order_rows(results, count, &rows);
  SlipStatus status = places ? write_rows(places, rows, SLIPI_BENCH_COLUMNS, out, kept, error)
                             : slipi_fail_memory(error, "the rows of campaigns");
  free(places);
  return status;
}

SlipStatus slip_bench_merge(const char *const *paths, int path_count, const char *out,
                            int32_t *rows, SlipError *error) {
  slipi_error_clear(error);
  if (rows)
    *rows = 0;
  if (!out || path_count < 1 || !paths)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "out or paths is null, or there is no path");
  SlipBenchResults **results = calloc((size_t)path_count, sizeof(SlipBenchResults *));
  if (!results)
    return slipi_fail_memory(error, "the rows of campaigns");
  int32_t kept = 0;
  SlipStatus status = merge(results, paths, path_count, out, &kept, error);
  for (int k = 0; k < path_count; k++)
    slip_bench_results_free(results[k]);
  free(results);
  if (rows)
    *rows = status == SLIP_OK ? kept : 0;
  return status;
}
