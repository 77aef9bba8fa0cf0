/* The histories of the runs of one call, for --plot. */
#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H

#include <slipcone/bench.h>

/* An empty one is all 0. */
typedef struct CliHistory {
  SlipTraceCurve *curves;
  int32_t count;
} CliHistory;

/* Keep the trace of a result; 0, or CLI_BAD after a sentence. */
int cli_history_add(CliHistory *history, const char *name, const SlipResult *result);
/* Draw all of them; 0, or CLI_BAD after a sentence. */
int cli_history_plot(const CliHistory *history, double tol, const char *path);
void cli_history_free(CliHistory *history);

#endif
