/* The history of runs as an SVG picture: the error against iterations, and against time. */
#include <math.h>
#include <string.h>

#include "bench/report.h"
#include "bench/svg.h"
#include "methods/loop.h"

/* Sizes in pixels: two panels side by side, the legend below. */
enum {
  WIDTH = 860,
  TOP = 20,
  BOTTOM = 340,
  PANEL = 350,
  LEGEND_TOP = 404,
  LEGEND_ROW = 18,
  NAME_BYTES = 90
};
static const int lefts[] = {70, 490};

typedef struct Plot {
  SlipiText *svg;
  const SlipTraceCurve *curves;
  int32_t count;
  double tol;
  int low, high;  /* powers of ten of the error's axis */
  double last[2]; /* iterations and seconds */
} Plot;

static double abscissa(const SlipTracePoint *point, int panel) {
  return panel == 0 ? (double)point->iteration : point->seconds;
}

static double pixel_x(const Plot *plot, int panel, double x) {
  return lefts[panel] + PANEL * x / plot->last[panel];
}

/* Errors of 0, and those below the axis, stand at its end. */
static double pixel_y(const Plot *plot, double error) {
  double at = error > 0 ? log10(error) : plot->low;
  at = fmin(fmax(at, plot->low), plot->high);
  return BOTTOM + (TOP - BOTTOM) * (at - plot->low) / (plot->high - plot->low);
}

/* ---- Axes ---------------------------------------------------------------------------------- */

static void include_error(double error, double *least, double *most) {
  if (error > 0 && isfinite(error)) {
    *least = fmin(*least, error);
    *most = fmax(*most, error);
  }
}

static void choose_ends(Plot *plot) {
  double least = INFINITY, most = 0;
  include_error(plot->tol, &least, &most);
  include_error(SLIPI_CONFIRMED * plot->tol, &least, &most);
  for (int32_t c = 0; c < plot->count; c++) {
    const SlipTraceCurve *curve = &plot->curves[c];
    include_error(curve->physical, &least, &most);
    for (int32_t k = 0; k < curve->count; k++) {
      include_error(curve->points[k].residual, &least, &most);
      for (int panel = 0; panel < 2; panel++)
        plot->last[panel] = fmax(plot->last[panel], abscissa(&curve->points[k], panel));
    }
  }
  least = most > 0 ? least : 1;
  most = most > 0 ? most : 1;
  plot->low = (int)floor(log10(fmax(least, 1e-20)));
  plot->high = (int)ceil(log10(most) + 1e-9);
  plot->high = plot->high > plot->low ? plot->high : plot->low + 1;
  for (int panel = 0; panel < 2; panel++)
    plot->last[panel] = plot->last[panel] > 0 ? plot->last[panel] : 1;
}

/* A step of 1, 2 or 5 times a power of ten that makes at most six ticks. */
static double tick_step(double last, bool whole) {
  double power = pow(10, floor(log10(last / 6))), step = power;
  for (int k = 0; last / step > 6; k++)
    step = (k == 0 ? 2 : k == 1 ? 5 : 10) * power;
  return whole ? fmax(1, step) : step;
}

static void add_axes(const Plot *plot, int panel) {
  static const char *const titles[] = {"iterations", "seconds"};
  int left = lefts[panel], every = (plot->high - plot->low + 9) / 10;
  for (int k = plot->low; k <= plot->high; k += every)
    slipi_text_add(plot->svg,
                   "<path class=\"grid\" d=\"M%d,%.1fh%d\"/><text x=\"%d\" y=\"%.1f\" "
                   "text-anchor=\"end\">1e%d</text>\n",
                   left, pixel_y(plot, pow(10, k)), PANEL, left - 8, pixel_y(plot, pow(10, k)) + 4,
                   k);
  double step = tick_step(plot->last[panel], panel == 0);
  for (int k = 0; k * step <= plot->last[panel] * (1 + 1e-9); k++)
    slipi_text_add(plot->svg,
                   "<path class=\"grid\" d=\"M%.1f,%dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                   "text-anchor=\"middle\">%g</text>\n",
                   pixel_x(plot, panel, k * step), TOP, BOTTOM, pixel_x(plot, panel, k * step),
                   BOTTOM + 20, k * step);
  slipi_text_add(plot->svg,
                 "<path class=\"axis\" d=\"M%d,%dV%dh%d\"/>\n<text x=\"%d\" y=\"%d\" "
                 "text-anchor=\"middle\">%s</text>\n",
                 left, TOP, BOTTOM, PANEL, left + PANEL / 2, BOTTOM + 40, titles[panel]);
}

/* A dashed line with words on the left, where curves are above it. */
static void add_tolerance(const Plot *plot, int panel, double value, const char *words) {
  double y = pixel_y(plot, value);
  slipi_text_add(plot->svg,
                 "<path class=\"tolerance\" d=\"M%d,%.1fh%d\" stroke=\"#1b1b19\" "
                 "stroke-dasharray=\"5 4\"/><text x=\"%d\" y=\"%.1f\" "
                 "font-size=\"11\">%s</text>\n",
                 lefts[panel], y, PANEL, lefts[panel] + 8, y - 4, words);
}

/* ---- Curves -------------------------------------------------------------------------------- */

static void add_curve(const Plot *plot, int panel, int32_t c) {
  const SlipTraceCurve *curve = &plot->curves[c];
  char command = 'M';
  slipi_text_add(plot->svg, "<path class=\"curve\" d=\"");
  for (int32_t k = 0; k < curve->count; k++) {
    const SlipTracePoint *point = &curve->points[k];
    if (isfinite(point->residual))
      slipi_text_add(plot->svg, "%c%.1f,%.1f", command,
                     pixel_x(plot, panel, abscissa(point, panel)), pixel_y(plot, point->residual));
    command = isfinite(point->residual) ? 'L' : 'M';
  }
  slipi_text_add(plot->svg, "\" ");
  slipi_svg_stroke(plot->svg, c);
  slipi_text_add(plot->svg, "/>\n");
  if (curve->count == 0 || !isfinite(curve->physical))
    return;
  slipi_text_add(plot->svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#fff\" ",
                 pixel_x(plot, panel, abscissa(&curve->points[curve->count - 1], panel)),
                 pixel_y(plot, curve->physical));
  slipi_svg_stroke(plot->svg, c);
  slipi_text_add(plot->svg, "><title>physical %.3g</title></circle>\n", curve->physical);
}

static void add_legend(const Plot *plot) {
  for (int32_t c = 0; c < plot->count; c++) {
    int y = LEGEND_TOP + c * LEGEND_ROW;
    slipi_text_add(plot->svg, "<path d=\"M%d,%dh26\" ", lefts[0], y - 4);
    slipi_svg_stroke(plot->svg, c);
    slipi_text_add(plot->svg, "/><text x=\"%d\" y=\"%d\">", lefts[0] + 34, y);
    slipi_svg_add_words(plot->svg, plot->curves[c].name ? plot->curves[c].name : "", NAME_BYTES);
    slipi_text_add(plot->svg, "</text>\n");
  }
  slipi_text_add(plot->svg,
                 "<text x=\"%d\" y=\"%d\">Lines: natural-map error. Rings: the physical measure "
                 "at the end.</text>\n</svg>\n",
                 lefts[0], LEGEND_TOP + plot->count * LEGEND_ROW + 4);
}

static void draw(Plot *plot) {
  choose_ends(plot);
  slipi_svg_begin(plot->svg, WIDTH, LEGEND_TOP + (plot->count + 1) * LEGEND_ROW,
                  "The error of runs against iterations and time");
  for (int panel = 0; panel < 2; panel++) {
    add_axes(plot, panel);
    if (plot->tol > 0) {
      add_tolerance(plot, panel, plot->tol, "tol");
      add_tolerance(plot, panel, SLIPI_CONFIRMED * plot->tol, "10 tol, physical");
    }
    for (int32_t c = 0; c < plot->count; c++)
      add_curve(plot, panel, c);
  }
  add_legend(plot);
}

SlipStatus slip_trace_plot(const SlipTraceCurve *curves, int32_t count, double tol,
                           const char *out_svg, SlipError *error) {
  slipi_error_clear(error);
  if ((!curves && count > 0) || count < 0 || !out_svg)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "curves or out_svg is null, or count negative");
  if (!(tol >= 0 && isfinite(tol)))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "tol is %g but must be a number that is not negative", tol);
  SlipiText svg = {0};
  Plot plot = {.svg = &svg, .curves = curves, .count = count, .tol = tol};
  draw(&plot);
  SlipStatus status =
      svg.failed ? slipi_fail_memory(error, "a plot") : slipi_text_write(out_svg, &svg, error);
  slipi_text_free(&svg);
  return status;
}
