/* The report: the page of web/report with its style, its script and the results put in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"

SlipStatus slipi_report_write(const char *path, const SlipiText *text, SlipError *error) {
  SlipiText draft = {0};
  slipi_text_add(&draft, "%s.part", path);
  if (draft.failed)
    return slipi_fail_memory(error, path);
  FILE *stream = fopen(draft.bytes, "wb");
  bool written = stream && fwrite(text->bytes, 1, text->length, stream) == text->length;
  int number = errno;
  if (stream && fclose(stream) != 0 && written) {
    written = false;
    number = errno;
  }
  if (written && rename(draft.bytes, path) != 0) {
    written = false;
    number = errno;
  }
  if (!written && stream)
    remove(draft.bytes);
  slipi_text_free(&draft);
  if (!written)
    return slipi_fail(error, SLIP_ERROR_FILE, "%s cannot be written: %s", path, strerror(number));
  return SLIP_OK;
}

/* The page with each "<!-- slot:NAME -->" replaced by the text of that slot. */
static void fill_page(const char *json, SlipiText *html) {
  const struct {
    const char *slot, *content;
  } parts[] = {{"<!-- slot:style -->", slipi_embedded_style},
               {"<!-- slot:data -->", json},
               {"<!-- slot:script -->", slipi_embedded_script}};
  const char *at = slipi_embedded_page;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    const char *slot = strstr(at, parts[k].slot);
    if (!slot) {
      html->failed = true; /* not with the page this was built with */
      return;
    }
    slipi_text_add_bytes(html, at, (size_t)(slot - at));
    slipi_text_add_bytes(html, parts[k].content, strlen(parts[k].content));
    at = slot + strlen(parts[k].slot);
  }
  slipi_text_add_bytes(html, at, strlen(at));
}

SlipStatus slip_bench_report(const char *results_csv, const char *out_html, SlipError *error) {
  slipi_error_clear(error);
  if (!results_csv || !out_html)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "%s is null",
                      results_csv ? "out_html" : "results_csv");
  SlipBenchResults *results;
  SlipStatus status = slip_bench_read(results_csv, &results, error);
  if (status != SLIP_OK)
    return status;
  SlipiText json = {0}, html = {0};
  status = slipi_report_json(results, &json, error);
  if (status == SLIP_OK) {
    fill_page(json.bytes, &html);
    status = html.failed ? slipi_fail_memory(error, "the report")
                         : slipi_report_write(out_html, &html, error);
  }
  slipi_text_free(&json);
  slipi_text_free(&html);
  slip_bench_results_free(results);
  return status;
}
