/* The report's page and the plot for papers: what is inside them, whatever the results are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "bench/report.h"
#include "data.h"

#define HOSTILE "</script><b>&amp;\"'\\,\n]]>"
#define NOT_UTF8 "latin-\xe9-\x01"

/* ---- Results files, pages and pictures in a folder of the test's own ------------------------ */

typedef struct Files {
  char folder[64], csv[96], html[96], svg[96];
} Files;

static int set_up(void **state) {
  Files *files = calloc(1, sizeof *files);
  assert_non_null(files);
  strcpy(files->folder, "report-XXXXXX");
  assert_non_null(mkdtemp(files->folder));
  snprintf(files->csv, sizeof files->csv, "%s/results.csv", files->folder);
  snprintf(files->html, sizeof files->html, "%s/report.html", files->folder);
  snprintf(files->svg, sizeof files->svg, "%s/profile.svg", files->folder);
  *state = files;
  return 0;
}

static int tear_down(void **state) {
  Files *files = *state;
  remove(files->csv);
  remove(files->html);
  remove(files->svg);
  assert_int_equal(rmdir(files->folder), 0); /* nothing else was left there */
  free(files);
  return 0;
}

static SlipBenchRow a_row(const char *problem, const char *method, double tol, double seconds) {
  int solved = isfinite(seconds);
  return (SlipBenchRow){.problem = problem,
                        .family = "family",
                        .contacts = 7,
                        .dof = 12,
                        .dimension = 3,
                        .method = method,
                        .tol = tol,
                        .outcome = solved ? "SOLVED" : "DIVERGED",
                        .solved = solved,
                        .error = solved ? tol / 2 : NAN,
                        .iterations = 10,
                        .seconds = solved ? seconds : 1,
                        .peak_kib = 2000,
                        .commit = "abc",
                        .compiler = "gcc",
                        .cpu = "cpu",
                        .version = "0.1",
                        .content = "",
                        .reason = ""};
}

static void write_rows(const Files *files, const SlipBenchRow *rows, int count) {
  SlipiText text = {0};
  slipi_results_header(&text);
  for (int k = 0; k < count; k++)
    slipi_results_row(&text, &rows[k], SLIPI_BENCH_COLUMNS);
  FILE *out = fopen(files->csv, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text.bytes, 1, text.length, out), text.length);
  assert_int_equal(fclose(out), 0);
  slipi_text_free(&text);
}

static char *read_all(const char *path) {
  SlipiText text = {0};
  assert_int_equal(slipi_text_read(path, &text, NULL), SLIP_OK);
  assert_int_equal(strlen(text.bytes), text.length);
  return text.bytes;
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

/* The page's data, after a look at the page around it. */
static json_t *read_page(const Files *files) {
  static const char opening[] = "<script type=\"application/json\" id=\"data\">\n";
  SlipError error;
  assert_int_equal(slip_bench_report(files->csv, files->html, &error), SLIP_OK);
  char *page = read_all(files->html);
  assert_int_equal(strncmp(page, "<!DOCTYPE html>", 15), 0);
  assert_int_equal(count_of(page, "<!-- slot:"), 0);
  assert_int_equal(count_of(page, "<script"), 2);
  assert_int_equal(count_of(page, "</script>"), 2);
  assert_int_equal(count_of(page, "<style>"), 1);
  assert_int_equal(count_of(page, "</html>"), 1);
  assert_null(strstr(page, "src=")); /* nothing is fetched */
  assert_null(strstr(page, "@import"));
  assert_null(strstr(page, "fetch("));
  char *data = strstr(page, opening);
  assert_non_null(data);
  data += strlen(opening);
  char *end = strstr(data, "\n</script>");
  assert_non_null(end);
  *end = '\0';
  assert_null(strpbrk(data, "<>&"));
  json_error_t problem;
  json_t *object = json_loads(data, 0, &problem);
  if (!object)
    fail_msg("the data are no JSON: %s at %.40s", problem.text, data + problem.position);
  free(page);
  return object;
}

static json_t *at(json_t *object, const char *a, const char *b) {
  json_t *inner = json_object_get(object, a);
  assert_non_null(inner);
  return b ? json_object_get(inner, b) : inner;
}

static const char *text_at(json_t *array, size_t k) {
  const char *text = json_string_value(json_array_get(array, k));
  assert_non_null(text);
  return text;
}

/* ---- A tiny checker of XML ------------------------------------------------------------------ */

/* Past a tag: its name, then attributes in quotes, none twice where it matters to us. */
static const char *xml_tag(const char *at, char *name) {
  size_t length = strcspn(at, " \t\n/>");
  assert_true(length > 0 && length < 32);
  memcpy(name, at, length);
  name[length] = '\0';
  at += length;
  for (;;) {
    at += strspn(at, " \t\n");
    if (*at == '>' || !strncmp(at, "/>", 2) || !strncmp(at, "?>", 2))
      return at;
    at += strcspn(at, "=<>\"");
    assert_int_equal(strncmp(at, "=\"", 2), 0);
    at += 2;
    at += strcspn(at, "\"<");
    assert_int_equal(*at, '"');
    at++;
  }
}

/* Every element is closed in turn, every entity is a number, no character is forbidden. */
static void check_xml(const char *text) {
  char stack[16][32], name[32];
  int depth = 0, elements = 0;
  for (const char *at = text; *at;) {
    if (*at == '&') {
      assert_int_equal(at[1], '#');
      size_t digits = strspn(at + 2, "0123456789");
      assert_true(digits > 0 && at[2 + digits] == ';');
    }
    assert_true((unsigned char)*at >= 0x20 || strchr("\t\n", *at));
    if (*at != '<') {
      assert_true(depth > 0 || strchr(" \n", *at));
      at++;
    } else if (at[1] == '?') {
      at = xml_tag(at + 2, name) + 2;
    } else if (at[1] == '/') {
      at = xml_tag(at + 2, name) + 1;
      assert_true(depth > 0);
      assert_string_equal(stack[--depth], name);
    } else {
      at = xml_tag(at + 1, name);
      elements++;
      if (*at == '>') {
        assert_true(depth < 16);
        strcpy(stack[depth++], name);
      }
      at += *at == '>' ? 1 : 2;
    }
  }
  assert_int_equal(depth, 0);
  assert_true(elements > 10);
}

static char *read_plot(const Files *files, const SlipPlotOptions *options) {
  SlipError error;
  assert_int_equal(slip_bench_plot(files->csv, options, files->svg, &error), SLIP_OK);
  char *picture = read_all(files->svg);
  check_xml(picture);
  return picture;
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void test_names_made_to_break_out(void **state) {
  const Files *files = *state;
  SlipBenchRow rows[2] = {a_row(HOSTILE, HOSTILE, 1e-4, 0.5), a_row(NOT_UTF8, NOT_UTF8, 1e-4, 1)};
  rows[0].family = rows[0].commit = rows[0].compiler = rows[0].cpu = rows[0].version = HOSTILE;
  write_rows(files, rows, 2);
  json_t *data = read_page(files);
  assert_string_equal(text_at(at(data, "methods", NULL), 0), HOSTILE);
  assert_string_equal(text_at(at(data, "methods", NULL), 1), "latin-\xef\xbf\xbd-\x01");
  assert_string_equal(text_at(at(data, "problems", "name"), 0), HOSTILE);
  assert_string_equal(text_at(at(data, "families", NULL), 0), HOSTILE);
  json_t *origin = json_array_get(at(data, "origins", NULL), 0);
  assert_string_equal(json_string_value(json_object_get(origin, "cpu")), HOSTILE);
  json_decref(data);
  char *picture = read_plot(files, NULL);
  assert_non_null(strstr(picture, "&#60;/script&#62;"));
  assert_non_null(strstr(picture, "latin-\xef\xbf\xbd-\xef\xbf\xbd"));
  free(picture);
}

static void test_no_rows(void **state) {
  const Files *files = *state;
  write_rows(files, NULL, 0);
  json_t *data = read_page(files);
  assert_int_equal(json_array_size(at(data, "runs", "pair")), 0);
  json_decref(data);
  SlipError error;
  assert_int_equal(slip_bench_plot(files->csv, NULL, files->svg, &error), SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "no row"));
  assert_int_equal(access(files->svg, F_OK), -1);
}

static void test_nothing_solved(void **state) {
  const Files *files = *state;
  SlipBenchRow rows[2] = {a_row("f/p", "one", 1e-4, NAN), a_row("f/p", "two", 1e-4, NAN)};
  rows[1].seconds = NAN;
  rows[1].iterations = rows[1].peak_kib = rows[1].dof = -1;
  write_rows(files, rows, 2);
  json_t *data = read_page(files);
  json_t *time = json_array_get(at(data, "measures", NULL), 0);
  for (size_t k = 0; k < 2; k++)
    assert_int_equal(json_integer_value(json_array_get(json_object_get(time, "place"), k)), -1);
  assert_int_equal(json_integer_value(json_array_get(json_object_get(time, "best"), 0)), -1);
  assert_true(json_is_null(json_array_get(at(data, "runs", "error"), 0)));
  assert_true(json_is_null(json_array_get(at(data, "runs", "seconds"), 1)));
  json_decref(data);
  free(read_plot(files, NULL));
}

static void test_one_method(void **state) {
  const Files *files = *state;
  SlipBenchRow row = a_row("f/p", "only", 1e-4, 0); /* faster than the clock can tell */
  write_rows(files, &row, 1);
  json_t *data = read_page(files);
  json_t *time = json_array_get(at(data, "measures", NULL), 0);
  assert_int_equal(json_integer_value(json_array_get(json_object_get(time, "place"), 0)), 1);
  json_decref(data);
  char *picture = read_plot(files, NULL);
  assert_int_equal(count_of(picture, "class=\"curve\""), 2); /* and the virtual best */
  free(picture);
}

/* Rows of three methods on four problems at two tolerances, not in order, one run missing. */
static int make_rows(SlipBenchRow *rows) {
  static const char *const methods[] = {"b", "a", "c"}, *const problems[] = {"z", "x", "y", "w"};
  static const char *const families[] = {"odd", "even", "odd", "even"};
  int count = 0;
  for (int p = 0; p < 4; p++)
    for (int t = 0; t < 2; t++)
      for (int m = 0; m < 3; m++)
        if (p + t + m > 0) {
          double seconds = (p + m) % 4 == 3 ? NAN : 0.01 * (1 + (7 * p + 5 * m + 3 * t) % 11);
          rows[count] = a_row(problems[p], methods[m], t ? 1e-8 : 1e-4, seconds);
          rows[count].contacts = p + 1;
          rows[count++].family = families[p];
        }
  return count;
}

/* The page's places of a measure, for every problem and method, against the library's. */
static void compare_places(json_t *data, json_t *measure, const SlipProfile *profile) {
  json_t *methods = at(data, "methods", NULL), *place = json_object_get(measure, "place");
  size_t count = json_array_size(methods);
  assert_int_equal(json_array_size(place), (size_t)profile->problems * count);
  for (int32_t p = 0; p < profile->problems; p++) {
    size_t problem = (size_t)json_integer_value(json_array_get(at(data, "pairs", "problem"), p));
    size_t tol = (size_t)json_integer_value(json_array_get(at(data, "pairs", "tolerance"), p));
    assert_string_equal(text_at(at(data, "problems", "name"), problem), profile->problem[p]);
    assert_float_equal(json_number_value(json_array_get(at(data, "tolerances", NULL), tol)),
                       profile->tol[p], 1e-14);
    for (int32_t s = 0; s < profile->solvers; s++) {
      size_t m = 0;
      while (strcmp(text_at(methods, m), profile->solver[s]) != 0)
        m++;
      double shown = json_number_value(json_array_get(place, (size_t)p * count + m));
      double wanted = profile->place[p * profile->solvers + s];
      assert_float_equal(shown, isfinite(wanted) ? wanted : -1, 1e-5 * fmin(fabs(wanted), 1));
    }
  }
}

static void test_places_are_the_profile(void **state) {
  const Files *files = *state;
  static const char *const names[] = {"time", "time-per-contact", "error-at-budget"};
  SlipBenchRow rows[24];
  write_rows(files, rows, make_rows(rows));
  json_t *data = read_page(files);
  SlipBenchResults *results;
  assert_int_equal(slip_bench_read(files->csv, &results, NULL), SLIP_OK);
  json_t *measures = at(data, "measures", NULL);
  assert_true(json_array_size(measures) >= 4);
  for (size_t k = 0; k < json_array_size(measures); k++) {
    json_t *measure = json_array_get(measures, k);
    SlipMeasure kind = k < 2 ? (SlipMeasure)k : SLIP_MEASURE_ERROR_AT_BUDGET;
    assert_string_equal(json_string_value(json_object_get(measure, "name")), names[kind]);
    SlipPlotOptions options = slip_default_plot_options();
    options.measure = kind;
    if (kind == SLIP_MEASURE_ERROR_AT_BUDGET)
      options.budget = json_number_value(json_object_get(measure, "budget"));
    SlipProfile *profile;
    assert_int_equal(slip_bench_profile(results, &options, &profile, NULL), SLIP_OK);
    compare_places(data, measure, profile);
    slip_profile_free(profile);
  }
  slip_bench_results_free(results);
  json_decref(data);
}

static void test_rows_keep_their_place(void **state) {
  const Files *files = *state;
  SlipBenchRow rows[24];
  int count = make_rows(rows);
  write_rows(files, rows, count);
  json_t *data = read_page(files);
  for (int k = 0; k < count; k++) {
    size_t pair = (size_t)json_integer_value(json_array_get(at(data, "runs", "pair"), k));
    size_t problem = (size_t)json_integer_value(json_array_get(at(data, "pairs", "problem"), pair));
    size_t method = (size_t)json_integer_value(json_array_get(at(data, "runs", "method"), k));
    size_t family =
        (size_t)json_integer_value(json_array_get(at(data, "problems", "family"), problem));
    assert_string_equal(text_at(at(data, "problems", "name"), problem), rows[k].problem);
    assert_string_equal(text_at(at(data, "methods", NULL), method), rows[k].method);
    assert_string_equal(text_at(at(data, "families", NULL), family), rows[k].family);
    assert_float_equal(json_number_value(json_array_get(at(data, "runs", "seconds"), k)),
                       rows[k].seconds, 1e-5);
  }
  assert_int_equal(json_array_size(at(data, "table6", NULL)), 4);
  json_decref(data);
}

/* Two digits of base 64, as the page reads them. */
static double decode(const char *two) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return 64 * (double)(strchr(digits, two[0]) - digits) + (double)(strchr(digits, two[1]) - digits);
}

static void test_traces(void **state) {
  const Files *files = *state;
  const SlipTracePoint trace[] = {
      {0, 3.5, 0}, {17, 2e-3, 0.0125}, {18, NAN, 0.02}, {40000, 7e-13, 250}, {40001, 0, 251}};
  SlipBenchRow row = a_row("f/p", "m", 1e-4, 0.5);
  row.trace = trace;
  row.trace_count = 5;
  write_rows(files, &row, 1);
  json_t *data = read_page(files);
  const char *code = text_at(at(data, "runs", "trace"), 0);
  SlipBenchResults *results;
  assert_int_equal(slip_bench_read(files->csv, &results, NULL), SLIP_OK);
  size_t points = 0;
  for (int32_t k = 0; k < results->rows[0].trace_count; k++) {
    SlipTracePoint point = results->rows[0].trace[k];
    if (!isfinite(point.residual))
      continue;
    assert_true(strlen(code) >= 6 * (points + 1));
    const char *here = code + 6 * points++;
    double error = pow(10, decode(here) / 100 - 20), seconds = pow(10, decode(here + 2) / 256 - 9);
    double iteration = pow(10, decode(here + 4) / 256) - 1;
    assert_float_equal(error, point.residual, 0.012 * point.residual + 1e-19);
    assert_float_equal(seconds, point.seconds, 0.005 * point.seconds + 1e-8);
    assert_float_equal(iteration, point.iteration, 0.006 * (double)(point.iteration + 1));
  }
  assert_true(points >= 3);
  assert_int_equal(strlen(code), 6 * points);
  slip_bench_results_free(results);
  json_decref(data);
}

/* The curve of each solver ends at the height of its profile at the right end. */
static void test_plot_shows_the_profile(void **state) {
  const Files *files = *state;
  SlipBenchRow rows[24];
  write_rows(files, rows, make_rows(rows));
  SlipBenchResults *results;
  assert_int_equal(slip_bench_read(files->csv, &results, NULL), SLIP_OK);
  SlipPlotOptions views[4];
  for (int v = 0; v < 4; v++)
    views[v] = slip_default_plot_options();
  views[1].tol = 1e-8;
  views[1].family = "odd";
  views[2].measure = SLIP_MEASURE_TIME_PER_CONTACT;
  views[3].measure = SLIP_MEASURE_ERROR_AT_BUDGET;
  views[3].budget = 0.05;
  for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
    SlipProfile *profile;
    assert_int_equal(slip_bench_profile(results, &views[v], &profile, NULL), SLIP_OK);
    char *picture = read_plot(files, &views[v]);
    assert_int_equal(count_of(picture, "class=\"curve\""), profile->solvers + 1);
    assert_int_equal(count_of(picture, "error reached within 0.05 s"), v == 3);
    for (int32_t s = -1; s < profile->solvers; s++) {
      char title[64];
      snprintf(title, sizeof title, "<title>%s</title></path>",
               s < 0 ? "virtual best" : profile->solver[s]);
      char *end = strstr(picture, title);
      assert_non_null(end);
      char saved = *end;
      *end = '\0';
      const char *curve = strrchr(picture, '\n');
      const char *last = strrchr(curve, 'V'), *move = strstr(curve, "M64,");
      double y = strtod(last ? last + 1 : move + 4, NULL);
      *end = saved;
      assert_float_equal((400 - y) / 380, slip_profile_value(profile, s, 1e9), 2e-4);
    }
    free(picture);
    slip_profile_free(profile);
  }
  slip_bench_results_free(results);
}

static void test_files_that_cannot_be(void **state) {
  const Files *files = *state;
  SlipError error;
  assert_int_equal(slip_bench_report("no/such.csv", files->html, &error), SLIP_ERROR_FILE);
  assert_non_null(strstr(error.text, "no/such.csv"));
  SlipBenchRow row = a_row("f/p", "m", 1e-4, 0.5);
  write_rows(files, &row, 1);
  assert_int_equal(slip_bench_report(files->csv, "no/such/report.html", &error), SLIP_ERROR_FILE);
  assert_non_null(strstr(error.text, "no/such/report.html"));
  assert_int_equal(slip_bench_plot(files->csv, NULL, "no/such/plot.svg", &error), SLIP_ERROR_FILE);
  assert_int_equal(slip_bench_report(NULL, files->html, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_bench_report(files->csv, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_bench_plot(NULL, NULL, files->svg, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_bench_plot(files->csv, NULL, NULL, &error), SLIP_ERROR_ARGUMENT);
  assert_int_equal(slip_bench_plot(files->csv, PLOT(.family = "none"), files->svg, &error),
                   SLIP_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "none"));
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {IN_FOLDER(test_names_made_to_break_out),
                                     IN_FOLDER(test_no_rows),
                                     IN_FOLDER(test_nothing_solved),
                                     IN_FOLDER(test_one_method),
                                     IN_FOLDER(test_places_are_the_profile),
                                     IN_FOLDER(test_rows_keep_their_place),
                                     IN_FOLDER(test_traces),
                                     IN_FOLDER(test_plot_shows_the_profile),
                                     IN_FOLDER(test_files_that_cannot_be)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
