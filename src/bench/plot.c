/* One profile as an SVG picture for papers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "bench/svg.h"

/* Sizes in pixels; the legend stands below the plot in columns. */
enum {
  WIDTH = 760,
  LEFT = 64,
  RIGHT = 740,
  TOP = 20,
  BOTTOM = 400,
  LEGEND_TOP = 466,
  LEGEND_ROW = 18,
  NAME_BYTES = 40 /* of a name in the legend */
};

typedef struct Plot {
  SlipiText *svg;
  const SlipProfile *profile;
  double low, high; /* ends of the abscissa */
  double budget;    /* seconds */
  double *places;   /* one curve's */
} Plot;

/* One solver and the area under its profile, by which the legend is sorted. */
typedef struct Ranked {
  int32_t solver;
  double area;
} Ranked;

static double place_of(const SlipProfile *profile, int32_t solver, int32_t p) {
  if (solver >= 0)
    return profile->place[(size_t)p * (size_t)profile->solvers + (size_t)solver];
  bool ratio = profile->measure == SLIP_MEASURE_TIME;
  return ratio && isfinite(profile->best[p]) ? 1 : profile->best[p];
}

/* ---- Axes ---------------------------------------------------------------------------------- */

/* From the least to the largest place; a ratio is shown up to 1000. */
static void choose_ends(Plot *plot) {
  const SlipProfile *profile = plot->profile;
  double low = INFINITY, high = 0;
  for (size_t k = 0; k < (size_t)profile->problems * (size_t)profile->solvers; k++) {
    double place = profile->place[k];
    if (isfinite(place) && place > DBL_MIN) {
      low = place < low ? place : low;
      high = place > high ? place : high;
    }
  }
  if (!(low <= high)) {
    low = 1;
    high = 10;
  }
  if (profile->measure == SLIP_MEASURE_TIME) {
    plot->low = 1;
    plot->high = fmax(2, fmin(1000, 1.05 * high));
  } else {
    plot->low = low / 1.2;
    plot->high = fmax(1.2 * high, 10 * plot->low);
  }
}

static double pixel_x(const Plot *plot, double place) {
  double inside = fmin(fmax(place, plot->low), plot->high);
  return LEFT + (RIGHT - LEFT) * log(inside / plot->low) / log(plot->high / plot->low);
}

static double pixel_y(double share) {
  return BOTTOM + (TOP - BOTTOM) * share;
}

static void add_tick_x(Plot *plot, double value) {
  double x = pixel_x(plot, value);
  slipi_text_add(plot->svg,
                 "<path class=\"grid\" d=\"M%.1f,%dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                 "text-anchor=\"middle\">%g</text>\n",
                 x, TOP, BOTTOM, x, BOTTOM + 20, value);
}

static void add_axes(Plot *plot) {
  static const char *const titles[] = {"\xcf\x84, time over the least time of any method",
                                       "time per contact in seconds", "error reached within"};
  char budget[32] = "";
  if (plot->profile->measure == SLIP_MEASURE_ERROR_AT_BUDGET)
    snprintf(budget, sizeof budget, " %g s", plot->budget);
  for (int k = 0; k <= 5; k++)
    slipi_text_add(plot->svg,
                   "<path class=\"grid\" d=\"M%d,%.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                   "text-anchor=\"end\">%.1f</text>\n",
                   LEFT, pixel_y(k / 5.0), RIGHT, LEFT - 8, pixel_y(k / 5.0) + 4, k / 5.0);
  double decades = log10(plot->high / plot->low);
  int every = decades > 10 ? (int)ceil(decades / 10) : 1;
  for (int k = (int)floor(log10(plot->low)); k <= (int)floor(log10(plot->high)); k += every)
    for (int part = 1; part <= (decades > 3.5 ? 1 : 5); part += part == 1 ? 1 : 3) {
      double value = part * pow(10, k);
      if (value >= plot->low * (1 - 1e-9) && value <= plot->high * (1 + 1e-9))
        add_tick_x(plot, value);
    }
  slipi_text_add(plot->svg,
                 "<path class=\"axis\" d=\"M%d,%dV%dH%d\"/>\n<text x=\"%d\" y=\"%d\" "
                 "text-anchor=\"middle\">%s%s</text>\n<text transform=\"translate(16 %d) "
                 "rotate(-90)\" text-anchor=\"middle\">share of problems</text>\n",
                 LEFT, TOP, BOTTOM, RIGHT, (LEFT + RIGHT) / 2, BOTTOM + 42,
                 titles[plot->profile->measure], budget, (TOP + BOTTOM) / 2);
}

/* ---- Curves -------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Attributes of the nth curve of the legend; -1: the virtual best. */
static void add_stroke(SlipiText *svg, int32_t rank) {
  if (rank < 0) {
    slipi_text_add(svg, "stroke=\"#1b1b19\" stroke-width=\"1.5\" stroke-dasharray=\"1 4\" "
                        "stroke-linecap=\"round\"");
    return;
  }
  slipi_svg_stroke(svg, rank);
}

/* A step up at each place, its height (135) from slip_profile_value. */
static void add_curve(Plot *plot, int32_t solver, int32_t rank) {
  const SlipProfile *profile = plot->profile;
  int32_t count = 0;
  for (int32_t p = 0; p < profile->problems; p++) {
    double place = place_of(profile, solver, p);
    if (place > plot->low && place <= plot->high)
      plot->places[count++] = place;
  }
  qsort(plot->places, (size_t)count, sizeof(double), compare_places);
  slipi_text_add(plot->svg, "<path class=\"curve\" d=\"M%d,%.1f", LEFT,
                 pixel_y(slip_profile_value(profile, solver, plot->low)));
  for (int32_t k = 0; k < count; k++)
    if (k + 1 == count || plot->places[k + 1] > plot->places[k])
      slipi_text_add(plot->svg, "H%.1fV%.1f", pixel_x(plot, plot->places[k]),
                     pixel_y(slip_profile_value(profile, solver, plot->places[k])));
  slipi_text_add(plot->svg, "H%d\" ", RIGHT);
  add_stroke(plot->svg, rank);
  slipi_text_add(plot->svg, "><title>");
  slipi_svg_add_words(plot->svg, solver < 0 ? "virtual best" : profile->solver[solver], SIZE_MAX);
  slipi_text_add(plot->svg, "</title></path>\n");
}

/* ---- Legend -------------------------------------------------------------------------------- */

static int compare_ranked(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->area != y->area)
    return x->area > y->area ? -1 : 1;
  return (x->solver > y->solver) - (x->solver < y->solver);
}

static void rank_solvers(const Plot *plot, Ranked *ranked) {
  const SlipProfile *profile = plot->profile;
  for (int32_t s = 0; s < profile->solvers; s++) {
    ranked[s] = (Ranked){s, 0};
    for (int32_t p = 0; p < profile->problems; p++) {
      double place = place_of(profile, s, p);
      if (place <= plot->high)
        ranked[s].area += log(plot->high / fmax(place, plot->low));
    }
  }
  qsort(ranked, (size_t)profile->solvers, sizeof *ranked, compare_ranked);
}

static int32_t legend_columns(const SlipProfile *profile) {
  size_t longest = 0;
  for (int32_t s = 0; s < profile->solvers; s++)
    longest = strlen(profile->solver[s]) > longest ? strlen(profile->solver[s]) : longest;
  return longest > 24 ? 2 : longest > 16 ? 3 : 4;
}

static void add_legend(Plot *plot, const Ranked *ranked, int32_t columns) {
  int32_t rows = (plot->profile->solvers + columns) / columns; /* the virtual best too */
  for (int32_t k = 0; k <= plot->profile->solvers; k++) {
    int32_t x = LEFT + k / rows * ((RIGHT - LEFT) / columns);
    int32_t y = LEGEND_TOP + k % rows * LEGEND_ROW;
    slipi_text_add(plot->svg, "<path d=\"M%d,%dh26\" ", x, y - 4);
    add_stroke(plot->svg, k - 1);
    slipi_text_add(plot->svg, "/><text x=\"%d\" y=\"%d\">", x + 34, y);
    slipi_svg_add_words(plot->svg,
                        k == 0 ? "virtual best" : plot->profile->solver[ranked[k - 1].solver],
                        NAME_BYTES);
    slipi_text_add(plot->svg, "</text>\n");
  }
}

/* ---- The picture --------------------------------------------------------------------------- */

static void draw(Plot *plot, Ranked *ranked) {
  const SlipProfile *profile = plot->profile;
  int32_t columns = legend_columns(profile);
  int32_t height = LEGEND_TOP + (profile->solvers + columns) / columns * LEGEND_ROW + 4;
  char title[96];
  snprintf(title, sizeof title, "Performance profiles of %d methods on %d problems",
           profile->solvers, profile->problems);
  slipi_svg_begin(plot->svg, WIDTH, height, title);
  add_axes(plot);
  rank_solvers(plot, ranked);
  for (int32_t k = profile->solvers; k-- > 0;) /* the best on top */
    add_curve(plot, ranked[k].solver, k);
  add_curve(plot, -1, -1);
  add_legend(plot, ranked, columns);
  slipi_text_add(plot->svg, "</svg>\n");
}

static SlipStatus draw_profile(const SlipProfile *profile, double budget, SlipiText *svg,
                               SlipError *error) {
  Plot plot = {.svg = svg, .profile = profile, .budget = budget};
  Ranked *ranked = calloc((size_t)profile->solvers + 1, sizeof *ranked);
  plot.places = calloc((size_t)profile->problems + 1, sizeof *plot.places);
  if (ranked && plot.places) {
    choose_ends(&plot);
    draw(&plot, ranked);
  }
  bool failed = !ranked || !plot.places || svg->failed;
  free(ranked);
  free(plot.places);
  return failed ? slipi_fail_memory(error, "a plot") : SLIP_OK;
}

SlipStatus slip_bench_plot(const char *results_csv, const SlipPlotOptions *options,
                           const char *out_svg, SlipError *error) {
  slipi_error_clear(error);
  if (!results_csv || !out_svg)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is null",
                      results_csv ? "out_svg" : "results_csv");
  SlipPlotOptions known;
  SlipBenchResults *results = NULL;
  SlipStatus status = slipi_plot_options(options, &known, error);
  if (status == SLIP_OK)
    status = slip_bench_read(results_csv, &results, error);
  if (status != SLIP_OK)
    return status;
  SlipProfile *profile = NULL;
  SlipiText svg = {0};
  status = slip_bench_profile(results, &known, &profile, error);
  if (status == SLIP_OK)
    status = draw_profile(profile, known.budget, &svg, error);
  if (status == SLIP_OK)
    status = slipi_text_write(out_svg, &svg, error);
  slipi_text_free(&svg);
  slip_profile_free(profile);
  slip_bench_results_free(results);
  return status;
}
