/* Slipcone's own arrays in an FCLIB file: laws of contacts and their parameters, compliance, and
 * how equality constraints make up contacts. They are in a group of their own, slipcone_laws,
 * beside `vectors`; other readers do not look there. Files of earlier versions have them in
 * `vectors`, with names that begin with slipcone_. */
#ifndef SLIPI_IO_FCLIB_LAWS_H
#define SLIPI_IO_FCLIB_LAWS_H

#include "io/h5.h"

#define SLIPI_OWN_GROUP "slipcone_laws"
enum { SLIPI_OWN_VERSION = 1 }; /* of the group, in its dataset `version` */
enum { SLIPI_OWN_NAME = 40 };

typedef struct SlipiOwnArrays {
  SlipiH5Group group;
  bool apart; /* it is the group slipcone_laws, and not `vectors` */
} SlipiOwnArrays;

/* Where they are in a problem's group. */
SlipStatus slipi_own_open(const SlipiH5Group *problem, const SlipiH5Group *vectors,
                          SlipiOwnArrays *own, SlipError *error);
void slipi_own_close(SlipiOwnArrays *own);

/* The name of an array there: "law" or "slipcone_law". */
void slipi_own_name(const SlipiOwnArrays *own, const char *array, char name[SLIPI_OWN_NAME]);

/* Laws and parameters that are there, beside mu, which the laws have already. */
SlipStatus slipi_own_laws(const SlipiOwnArrays *own, int32_t contacts, SlipiArena *arena,
                          SlipLaws *laws, SlipError *error);

/* NULL where there is none. */
SlipStatus slipi_own_compliance(const SlipiOwnArrays *own, int32_t dimension, int32_t contacts,
                                SlipiArena *arena, const double **compliance, SlipError *error);

/* Which components each contact of equality constraints binds; there need not be any. Together they
 * must be as many as there are equalities. */
SlipStatus slipi_own_equality_bound(const SlipiOwnArrays *own, int32_t dimension, int32_t count,
                                    SlipiArena *arena, int32_t **bound, int64_t *groups,
                                    SlipError *error);

#endif
