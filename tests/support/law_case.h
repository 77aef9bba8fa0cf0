/* Problems of one law with a solution known by construction. */
#ifndef SLIPCONE_TESTS_LAW_CASE_H
#define SLIPCONE_TESTS_LAW_CASE_H

#include <slipcone/slipcone.h>

/* One law for many contacts; lengths are upper ends of a range from which each contact has its own.
 */
typedef struct LawCase {
  SlipLaw law;
  SlipFlow flow;
  double mu, cohesion;
  int compliant; /* contacts give way as well */
} LawCase;

/* The local problem of a built-in kind, in which every third contact keeps its law and the others
 * have that of the case, with another q, so that *known, to be freed, solves it: impulses and
 * velocities of each contact come from the nearest point (reference.h) of a random one. */
SlipProblem *law_case(const LawCase *the, const char *kind, int32_t contacts, int32_t dimension,
                      double **known);

#endif
