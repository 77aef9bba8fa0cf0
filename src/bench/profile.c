/* Performance profiles of Dolan and Moré, (133)-(135), and Table 6. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/versioned.h"
#include "bench/bench.h"

/* A profile and its memory, with room for one problem and one solver per row of results. */
typedef struct Made {
  SlipProfile profile; /* first, so that a pointer to it is a pointer to this */
  const char **problem, **solver;
  double *tol, *cost, *place, *best;
  SlipiArena arena;
} Made;

/* The cell of the matrices a row belongs to. */
typedef struct Cell {
  int32_t problem, solver;
} Cell;

static bool selected(const SlipBenchRow *row, const SlipPlotOptions *options) {
  return (options->tol == 0 || slipi_same_tol(options->tol, row->tol)) &&
         (!options->family || !strcmp(options->family, row->family));
}

/* Backwards, since the rows of a problem stand together in most files. */
static int32_t problem_index(Made *made, const SlipBenchRow *row) {
  for (int32_t k = made->profile.problems; k-- > 0;)
    if (slipi_same_tol(made->tol[k], row->tol) && !strcmp(made->problem[k], row->problem))
      return k;
  made->problem[made->profile.problems] = row->problem;
  made->tol[made->profile.problems] = row->tol;
  return made->profile.problems++;
}

static int32_t solver_index(Made *made, const char *method) {
  for (int32_t k = 0; k < made->profile.solvers; k++)
    if (!strcmp(made->solver[k], method))
      return k;
  made->solver[made->profile.solvers] = method;
  return made->profile.solvers++;
}

/* ---- Measures ------------------------------------------------------------------------------ */

static double error_at(const SlipBenchRow *row, double budget) {
  double least = INFINITY;
  for (int32_t k = 0; k < row->trace_count; k++)
    if (row->trace[k].seconds <= budget && row->trace[k].residual < least)
      least = row->trace[k].residual;
  if (row->seconds <= budget && row->error < least)
    least = row->error;
  return least;
}

static double cost_of(const SlipBenchRow *row, const SlipPlotOptions *options) {
  if (options->measure == SLIP_MEASURE_ERROR_AT_BUDGET)
    return error_at(row, options->budget);
  if (!row->solved || !(row->seconds >= 0))
    return INFINITY;
  if (options->measure == SLIP_MEASURE_TIME)
    return row->seconds;
  return row->contacts > 0 ? row->seconds / row->contacts : row->seconds;
}

/* The virtual best and, for times, the ratios (134). */
static void fill_places(Made *made) {
  SlipProfile *profile = &made->profile;
  for (int32_t p = 0; p < profile->problems; p++) {
    const double *cost = made->cost + (size_t)p * (size_t)profile->solvers;
    double *place = made->place + (size_t)p * (size_t)profile->solvers;
    double best = INFINITY;
    for (int32_t s = 0; s < profile->solvers; s++)
      best = cost[s] < best ? cost[s] : best;
    made->best[p] = best;
    profile->unsolved += isinf(best);
    for (int32_t s = 0; s < profile->solvers; s++) {
      place[s] = cost[s];
      if (profile->measure == SLIP_MEASURE_TIME && isfinite(cost[s]))
        place[s] = cost[s] == best ? 1 : cost[s] / best; /* best may be 0 */
    }
  }
}

/* ---- Building ------------------------------------------------------------------------------ */

static SlipStatus allocate_names(Made *made, int32_t rows, SlipError *error) {
  made->problem = SLIPI_ARENA_NEW(&made->arena, const char *, rows);
  made->solver = SLIPI_ARENA_NEW(&made->arena, const char *, rows);
  made->tol = SLIPI_ARENA_NEW(&made->arena, double, rows);
  return made->arena.failed ? slipi_fail_memory(error, "a profile") : SLIP_OK;
}

static SlipStatus allocate_matrices(Made *made, SlipError *error) {
  SlipProfile *profile = &made->profile;
  size_t problems = (size_t)profile->problems, size = problems * (size_t)profile->solvers;
  made->cost = SLIPI_ARENA_NEW(&made->arena, double, size);
  made->place = SLIPI_ARENA_NEW(&made->arena, double, size);
  made->best = SLIPI_ARENA_NEW(&made->arena, double, problems);
  if (made->arena.failed)
    return slipi_fail_memory(error, "a profile");
  for (size_t k = 0; k < size; k++)
    made->cost[k] = INFINITY;
  profile->problem = made->problem;
  profile->tol = made->tol;
  profile->solver = made->solver;
  profile->cost = made->cost;
  profile->place = made->place;
  profile->best = made->best;
  return SLIP_OK;
}

static SlipStatus fill(Made *made, const SlipBenchResults *results, const SlipPlotOptions *options,
                       SlipError *error) {
  SlipProfile *profile = &made->profile;
  SlipStatus status = allocate_names(made, results->count, error);
  Cell *cells = SLIPI_ARENA_NEW(&made->arena, Cell, results->count);
  if (status != SLIP_OK || !cells)
    return slipi_fail_memory(error, "a profile");
  for (int32_t k = 0; k < results->count; k++)
    if (selected(&results->rows[k], options))
      cells[k] = (Cell){problem_index(made, &results->rows[k]),
                        solver_index(made, results->rows[k].method)};
  if (profile->problems == 0)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "no row of the results has the tolerance %g (0: any) and the family '%s'",
                      options->tol, options->family ? options->family : "(any)");
  status = allocate_matrices(made, error);
  for (int32_t k = 0; status == SLIP_OK && k < results->count; k++)
    if (selected(&results->rows[k], options))
      made->cost[(size_t)cells[k].problem * (size_t)profile->solvers + (size_t)cells[k].solver] =
          cost_of(&results->rows[k], options);
  if (status == SLIP_OK)
    fill_places(made);
  return status;
}

SlipStatus slipi_plot_options(const SlipPlotOptions *given, SlipPlotOptions *known,
                              SlipError *error) {
  *known = slip_default_plot_options();
  SlipStatus status = SLIP_OK;
  if (given)
    status = slipi_versioned_read("plot_options", given, known, sizeof *known, error);
  if (status != SLIP_OK)
    return status;
  if (known->measure < SLIP_MEASURE_TIME || known->measure > SLIP_MEASURE_ERROR_AT_BUDGET)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "there is no measure %d", (int)known->measure);
  if (!(known->budget > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the budget is a time above 0, not %g",
                      known->budget);
  return SLIP_OK;
}

SlipStatus slip_bench_profile(const SlipBenchResults *results, const SlipPlotOptions *options,
                              SlipProfile **profile, SlipError *error) {
  SlipPlotOptions known;
  slipi_error_clear(error);
  if (!profile)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "profile is null");
  *profile = NULL;
  if (!results)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "results is null");
  SlipStatus status = slipi_plot_options(options, &known, error);
  if (status != SLIP_OK)
    return status;
  Made *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "a profile");
  made->profile.size = sizeof made->profile;
  made->profile.measure = known.measure;
  status = fill(made, results, &known, error);
  if (status == SLIP_OK)
    *profile = &made->profile;
  else
    slip_profile_free(&made->profile);
  return status;
}

void slip_profile_free(SlipProfile *profile) {
  Made *made = (Made *)profile;
  if (!made)
    return;
  slipi_arena_free(&made->arena);
  free(made);
}

double slip_profile_value(const SlipProfile *profile, int32_t solver, double x) {
  int32_t count = 0;
  if (!profile || profile->problems < 1 || solver < -1 || solver >= profile->solvers)
    return 0;
  for (int32_t p = 0; p < profile->problems; p++) {
    double place = profile->best[p];
    if (solver >= 0)
      place = profile->place[(size_t)p * (size_t)profile->solvers + (size_t)solver];
    else if (profile->measure == SLIP_MEASURE_TIME && isfinite(place))
      place = 1;
    count += isfinite(place) && place <= x;
  }
  return (double)count / profile->problems;
}

/* ---- Table 6 ------------------------------------------------------------------------------- */

typedef struct Table6 {
  SlipTable6 table; /* first, so that a pointer to it is a pointer to this */
  SlipFamilyTimes *rows;
} Table6;

/* Mean and standard deviation of the finite values. */
static void moments(const double *values, int32_t count, double *mean, double *deviation) {
  double sum = 0, squares = 0;
  int32_t finite = 0;
  for (int32_t k = 0; k < count; k++)
    if (isfinite(values[k])) {
      sum += values[k];
      finite++;
    }
  *mean = finite > 0 ? sum / finite : NAN;
  for (int32_t k = 0; k < count; k++)
    if (isfinite(values[k]))
      squares += (values[k] - *mean) * (values[k] - *mean);
  *deviation = finite > 0 ? sqrt(squares / finite) : NAN;
}

static SlipStatus fill_times(const SlipBenchResults *results, SlipFamilyTimes *row,
                             SlipError *error) {
  SlipPlotOptions options = slip_default_plot_options();
  options.tol = row->tol;
  options.family = row->family;
  SlipProfile *profile;
  SlipStatus status = slip_bench_profile(results, &options, &profile, error);
  if (status != SLIP_OK)
    return status;
  row->problems = profile->problems;
  row->unsolved = profile->unsolved;
  moments(profile->best, profile->problems, &row->mean, &row->deviation);
  slip_profile_free(profile);
  options.measure = SLIP_MEASURE_TIME_PER_CONTACT;
  status = slip_bench_profile(results, &options, &profile, error);
  if (status != SLIP_OK)
    return status;
  moments(profile->best, profile->problems, &row->mean_per_contact, &row->deviation_per_contact);
  slip_profile_free(profile);
  return SLIP_OK;
}

static int compare_times(const void *a, const void *b) {
  const SlipFamilyTimes *x = a, *y = b;
  int order = strcmp(x->family, y->family);
  return order ? order : (x->tol < y->tol) - (x->tol > y->tol);
}

static void add_family(SlipTable6 *table, SlipFamilyTimes *rows, const SlipBenchRow *row) {
  for (int32_t k = table->count; k-- > 0;)
    if (slipi_same_tol(rows[k].tol, row->tol) && !strcmp(rows[k].family, row->family))
      return;
  rows[table->count++] = (SlipFamilyTimes){.family = row->family, .tol = row->tol};
}

SlipStatus slip_bench_table6(const SlipBenchResults *results, SlipTable6 **table,
                             SlipError *error) {
  slipi_error_clear(error);
  if (!table)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "table is null");
  *table = NULL;
  if (!results)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "results is null");
  Table6 *made = calloc(1, sizeof *made);
  SlipFamilyTimes *rows = calloc((size_t)results->count + 1, sizeof *rows);
  if (!made || !rows) {
    free(made);
    free(rows);
    return slipi_fail_memory(error, "a table");
  }
  made->rows = rows;
  made->table.size = sizeof made->table;
  made->table.rows = rows;
  for (int32_t k = 0; k < results->count; k++)
    add_family(&made->table, rows, &results->rows[k]);
  qsort(rows, (size_t)made->table.count, sizeof *rows, compare_times);
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; status == SLIP_OK && k < made->table.count; k++)
    status = fill_times(results, &rows[k], error);
  if (status == SLIP_OK)
    *table = &made->table;
  else
    slip_table6_free(&made->table);
  return status;
}

void slip_table6_free(SlipTable6 *table) {
  Table6 *made = (Table6 *)table;
  if (!made)
    return;
  free(made->rows);
  free(made);
}
