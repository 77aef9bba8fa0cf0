/* The report: the page of web/report with its style, its script and the results put in. */
#include "bench/report.h"

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
    const SlipiSlot slots[] = {
        {"style", slipi_embedded_style}, {"data", json.bytes}, {"script", slipi_embedded_script}};
    slipi_text_add_page(&html, slipi_embedded_page, slots, 3);
    status = html.failed ? slipi_fail_memory(error, "the report")
                         : slipi_text_write(out_html, &html, error);
  }
  slipi_text_free(&json);
  slipi_text_free(&html);
  slip_bench_results_free(results);
  return status;
}
