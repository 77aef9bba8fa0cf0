/* The kinds of laws: those a user may choose (slipcone/laws.h), then those that only subproblems of
 * methods have. A law is a row in one of the two tables and a file law_<name>.c that exports its
 * descriptor. */
#ifndef SLIPI_CONTACT_LAW_TABLE_H
#define SLIPI_CONTACT_LAW_TABLE_H

#include <slipcone/laws.h>

#define SLIPI_LAW_TABLE(LAW)                                                                       \
  SLIP_LAW_TABLE(LAW)                                                                              \
  LAW(DISC, disc) /* r_N = 0, |r_T| <= radius of (128) */

/* SLIPI_COULOMB = SLIP_COULOMB, and so on. A switch over it has no default: a law that is missing
 * there does not compile. */
#define SLIPI_LAW_KIND(NAME, name) SLIPI_##NAME,
typedef enum SlipiLawKind { SLIPI_LAW_TABLE(SLIPI_LAW_KIND) } SlipiLawKind;

#define SLIPI_LAW_COUNT(NAME, name) +1
enum {
  SLIPI_LAWS_PUBLIC = 0 SLIP_LAW_TABLE(SLIPI_LAW_COUNT),
  SLIPI_LAWS = 0 SLIPI_LAW_TABLE(SLIPI_LAW_COUNT)
};

#endif
