/* Reading and printing results files, for `bench` and `profile`. */
#ifndef CLI_BENCHVIEW_H
#define CLI_BENCHVIEW_H

#include <slipcone/bench.h>

#include "command.h"

/* --report and --plot can be written, and not onto the results; 0 or CLI_BAD after a sentence. */
int cli_bench_check_drawings(const CliArgs *args, const char *results);
/* Write the files of --report and --plot; options may be NULL. */
int cli_bench_draw(const CliArgs *args, const char *results, const SlipPlotOptions *options);

#endif
