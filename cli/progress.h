/* The progress line on a terminal, and interrupts. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <slipcone/slipcone.h>

/* From here on an interrupt ends the running solve instead of the tool; the second one, if it does
 * not come right after the first, ends the tool as usual. */
void cli_progress_catch_interrupts(void);
int cli_progress_interrupted(void);

/* A SlipProgressFunction that shows a line; `user` is the name to show (const char *). */
int cli_progress_show(const SlipProgress *progress, void *user);
/* A SlipProgressFunction that shows nothing and only passes interrupts on. */
int cli_progress_silent(const SlipProgress *progress, void *user);
/* Remove the line, if there is one. */
void cli_progress_clear(void);

#endif
