/* Public structs that may grow begin with their size, as the caller's header knows it. */
#ifndef SLIPI_BASE_VERSIONED_H
#define SLIPI_BASE_VERSIONED_H

#include <slipcone/slipcone.h>

/* Copy a caller's struct, whose first member is its size, to `to`, which holds the defaults of the
 * `known` bytes this version knows. A longer struct of a newer header is taken as long as the
 * members that are not known are zero. `name` is that of the type: it makes slip_default_<name>()
 * for the sentence. */
SlipStatus slipi_versioned_read(const char *name, const void *from, void *to, size_t known,
                                SlipError *error);

/* Refuse an output struct without a size; NULL is for the caller to check. */
SlipStatus slipi_versioned_check(const char *name, const void *to, SlipError *error);

/* Fill a caller's output struct as far as its size goes, which stays. */
void slipi_versioned_write(const void *from, void *to, size_t known);

#endif
