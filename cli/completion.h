/* Functions that the completion scripts of all shells share. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "command.h"

/* Print the words that may stand for a value or an operand, parted by blanks; none for those that
 * are free. */
void cli_completion_words(CliKind kind);

#endif
