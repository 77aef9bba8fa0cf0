#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"

int cli_history_add(CliHistory *history, const char *name, const SlipResult *result) {
  size_t bytes = (size_t)result->trace_count * sizeof *result->trace;
  SlipTraceCurve *curves =
      realloc(history->curves, ((size_t)history->count + 1) * sizeof *history->curves);
  if (curves)
    history->curves = curves;
  char *own_name = cli_format("%s", name);
  SlipTracePoint *points = malloc(bytes + 1);
  if (!curves || !own_name || !points) {
    free(own_name);
    free(points);
    return cli_complain("no memory for the history of %s", name);
  }
  if (bytes > 0)
    memcpy(points, result->trace, bytes);
  curves[history->count++] = (SlipTraceCurve){.name = own_name,
                                              .points = points,
                                              .count = result->trace_count,
                                              .physical = result->physical};
  return 0;
}

int cli_history_plot(const CliHistory *history, double tol, const char *path) {
  SlipError error;
  if (slip_trace_plot(history->curves, history->count, tol, path, &error))
    return cli_complain("%s", error.text);
  return 0;
}

void cli_history_free(CliHistory *history) {
  for (int32_t k = 0; k < history->count; k++) {
    free((char *)history->curves[k].name); /* its own copies, const for the library only */
    free((SlipTracePoint *)history->curves[k].points);
  }
  free(history->curves);
  *history = (CliHistory){0};
}
