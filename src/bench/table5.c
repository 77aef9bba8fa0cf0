/* Table 5 of Acary, Brémond, Huber 2018: the features of the problems of each family. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <slipcone/io.h>

#include "bench/bench.h"

typedef struct Table5 {
  SlipTable5 table; /* first, so that a pointer to it is a pointer to this */
  SlipFamilyFeatures *rows;
  SlipiArena arena;
} Table5;

static void extend(SlipRange *range, double value) {
  if (isnan(value))
    return;
  /* A comparison with NaN is false, so the first value is taken. */
  range->min = range->min <= value ? range->min : value;
  range->max = range->max >= value ? range->max : value;
}

static void begin(SlipFamilyFeatures *row, const char *family) {
  const SlipRange nothing = {NAN, NAN};
  *row = (SlipFamilyFeatures){.family = family,
                              .mu = nothing,
                              .dof = nothing,
                              .contacts = nothing,
                              .density = nothing,
                              .rank_ratio = nothing,
                              .condition = nothing,
                              .condition_lsmr = nothing};
}

static void extend_row(SlipFamilyFeatures *row, const SlipFeatures *features) {
  extend(&row->mu, features->mu_min);
  extend(&row->mu, features->mu_max);
  extend(&row->contacts, features->contacts);
  if (features->form == SLIP_FORM_GLOBAL)
    extend(&row->dof, features->dof);
  extend(&row->density, features->density);
  extend(&row->rank_ratio, features->rank_ratio);
  extend(&row->condition, features->condition);
  extend(&row->condition_lsmr, features->condition_lsmr);
  row->asymmetry += (features->asymmetry - row->asymmetry) / ++row->problems;
}

static SlipStatus describe(const char *path, SlipFamilyFeatures *row, SlipError *error) {
  SlipFile *file;
  SlipFeatures features = slip_default_features();
  SlipStatus status = slip_file_read(path, SLIP_WANT_ANY, &file, error);
  if (status == SLIP_OK)
    status = slip_problem_features(file->problem, &features, error);
  if (status == SLIP_OK)
    extend_row(row, &features);
  slip_file_free(file);
  if (status != SLIP_OK && !(error && strstr(error->text, path)))
    slipi_error_prefix(error, "%s", path);
  return status;
}

static SlipStatus fill(Table5 *made, const SlipiBenchProblems *problems, SlipError *error) {
  SlipStatus status = SLIP_OK;
  made->rows = calloc((size_t)problems->count, sizeof *made->rows);
  if (!made->rows)
    return slipi_fail_memory(error, "a table");
  made->table.size = sizeof made->table;
  made->table.rows = made->rows;
  for (int32_t k = 0; status == SLIP_OK && k < problems->count; k++) {
    const SlipiBenchProblem *problem = &problems->items[k]; /* families stand together */
    if (k == 0 || strcmp(problem->family, problems->items[k - 1].family) != 0)
      begin(&made->rows[made->table.count++],
            slipi_arena_text(&made->arena, problem->family, strlen(problem->family)));
    if (made->arena.failed)
      return slipi_fail_memory(error, "a table");
    status = describe(problem->path, &made->rows[made->table.count - 1], error);
  }
  return status;
}

SlipStatus slip_bench_table5(const char *const *paths, int path_count, SlipTable5 **table,
                             SlipError *error) {
  slipi_error_clear(error);
  if (!table)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "table is null");
  *table = NULL;
  if (!paths && path_count > 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "paths is null");
  for (int k = 0; k < path_count; k++)
    if (!paths[k])
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "path %d is null", k);
  SlipiBenchProblems problems;
  SlipStatus status = slipi_problems_find(paths, path_count, &problems, error);
  if (status != SLIP_OK)
    return status;
  Table5 *made = calloc(1, sizeof *made);
  status = made ? fill(made, &problems, error) : slipi_fail_memory(error, "a table");
  slipi_problems_free(&problems);
  if (status == SLIP_OK)
    *table = &made->table;
  else
    slip_table5_free(made ? &made->table : NULL);
  return status;
}

void slip_table5_free(SlipTable5 *table) {
  Table5 *made = (Table5 *)table;
  if (!made)
    return;
  free(made->rows);
  slipi_arena_free(&made->arena);
  free(made);
}
