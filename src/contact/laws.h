/* The laws of all contacts, from the arrays of SlipLaws to one SlipiLaw each, and back to arrays
 * for those who write files. */
#ifndef SLIPI_CONTACT_LAWS_H
#define SLIPI_CONTACT_LAWS_H

#include "base/arena.h"
#include "contact/law.h"

/* One array of SlipLaws. */
typedef struct SlipiLawParameter {
  const char *name; /* the field's */
  unsigned reads;   /* SlipiLawReads: laws that name it need the array, unless it has a default */
  bool real;        /* an array of double, finite and not negative; else of int32_t */
  bool optional;    /* NULL: the default everywhere */
  size_t offset;    /* of the pointer in SlipLaws */
} SlipiLawParameter;

enum { SLIPI_LAW_PARAMETERS = 9 };
extern const SlipiLawParameter slipi_law_parameters[SLIPI_LAW_PARAMETERS];

/* The array of a parameter; NULL where it is not there. */
const void *slipi_laws_array(const SlipLaws *laws, const SlipiLawParameter *parameter);
void slipi_laws_set_array(SlipLaws *laws, const SlipiLawParameter *parameter, const void *values);

/* Whether some laws may have lengths, which change with the units of impulses. */
static inline bool slipi_laws_have_lengths(const SlipLaws *laws) {
  return laws->radius != NULL || laws->cohesion != NULL || laws->ball != NULL;
}

/* Whether some contact's law reads the parameter. */
bool slipi_laws_need(const SlipLaws *laws, int32_t contacts, const SlipiLawParameter *parameter);

/* Check the arrays of a user, copy them into the arena (`kind` and `mu` are always there in the
 * copy) and make the law of each contact. */
SlipStatus slipi_laws_copy(SlipiArena *arena, const SlipLaws *given, int32_t dimension,
                           int32_t contacts, SlipLaws *copy, SlipiLaw **law, SlipError *error);

/* The same law of one contact with another coefficient of friction. */
SlipiLaw slipi_laws_with_mu(const SlipLaws *laws, const SlipiLaw *law, int32_t contact, double mu);

/* A real array of one value per contact: finite and not negative. */
SlipStatus slipi_laws_check_reals(const char *name, const double *x, int32_t contacts,
                                  SlipError *error);

/* "0 (coulomb), 1 (frictionless), ...": the laws a user may choose. */
enum { SLIPI_LAW_NAMES = 256 };
void slipi_laws_names(char names[SLIPI_LAW_NAMES]);

#endif
