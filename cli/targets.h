/* Where `slipcone solve --out PATH` puts each result. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "command.h"

/* One path per operand, in *targets (free with cli_targets_free); NULL without --out. Everything
 * that can be refused is refused here, before any solving: two inputs with one name, a result in
 * the place of an input, a directory that cannot be made or written. 0 or CLI_BAD. */
int cli_targets_plan(const CliArgs *args, char ***targets);
void cli_targets_free(char **targets, int count);

#endif
