/* Calls of the library that several subcommands make, with their complaints. */
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include <slipcone/io.h>
#include <slipcone/slipcone.h>

#include "command.h"

/* slip_file_read, of standard input where the path is "-". */
SlipStatus cli_file_read(const char *path, SlipWantForm form, SlipFile **file, SlipError *error);

/* NULL after a complaint, with the nearest name. */
const SlipMethodInfo *cli_find_method(const char *name);

/* --form; 0 or CLI_BAD after a complaint. */
int cli_form_wanted(const CliArgs *args, SlipWantForm *form);

const char *cli_form_name(SlipForm form);

/* The point a run has found, to be written with its problem; the result's arrays. */
SlipSolution cli_solution_of(const SlipResult *result);

/* The format a file of this name is written in: Siconos text where it ends in .dat, as Siconos's
 * own do. */
SlipFormat cli_format_of(const char *path);

/* A file's content for writing, with another problem and solution (which may be NULL). */
SlipWrite cli_write_content(const SlipFile *file, const SlipProblem *problem,
                            const SlipSolution *solution);

#endif
