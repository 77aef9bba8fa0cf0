/* Option tables and the values chosen for them. */
#ifndef SLIPI_BASE_OPTION_H
#define SLIPI_BASE_OPTION_H

#include "base/error.h"

/* Check one value (as text) against its table entry. A CHOICE gives the index among its
 * choices, a BOOL 0 or 1. `where` names the table in messages, e.g. "method nsgs". */
SlipStatus slipi_option_parse(const SlipOptionInfo *option, const char *where, const char *text,
                              double *value, SlipError *error);
SlipStatus slipi_option_check(const SlipOptionInfo *option, const char *where, double value,
                              SlipError *error);

/* Fill values[count] with the defaults of the table. The tables are compiled in and tested, so
 * this cannot fail. */
void slipi_option_defaults(const SlipOptionInfo *options, int count, double *values);

/* Index of a name in a table, or -1. */
int slipi_option_find(const SlipOptionInfo *options, int count, const char *name);

#endif
