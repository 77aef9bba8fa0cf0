/* Declarations that the files of the report share. */
#ifndef SLIPI_BENCH_REPORT_H
#define SLIPI_BENCH_REPORT_H

#include "bench/bench.h"

/* web/report/, as the build embeds it. */
extern const char slipi_embedded_page[], slipi_embedded_style[], slipi_embedded_script[];

/* Everything of the results as one JSON object that may stand inside a script element. */
SlipStatus slipi_report_json(const SlipBenchResults *results, SlipiText *json, SlipError *error);

#endif
