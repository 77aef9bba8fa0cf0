/* Problems of one law with a solution known by construction. */
#ifndef SLIPCONE_TESTS_LAW_CASE_H
#define SLIPCONE_TESTS_LAW_CASE_H

#include <stdbool.h>

#include <slipcone/slipcone.h>

/* One law for many contacts; lengths are upper ends of a range from which each contact has its own.
 */
typedef struct LawCase {
  SlipLaw law;
  SlipFlow flow;
  double mu, cohesion, ball, tangential, cap; /* tangential 0: a ball */
  double rolling, spinning;                   /* of SLIP_ROLLING; mu is that of sliding */
  int compliant;                              /* contacts give way as well */
} LawCase;

/* The local problem of a built-in kind, in which every third contact keeps its law and the others
 * have that of the case, with another q, so that *known, to be freed, solves it: impulses and
 * velocities of each contact come from the nearest point (reference.h) of a random one. */
SlipProblem *law_case(const LawCase *the, const char *kind, int32_t contacts, int32_t dimension,
                      double **known);

/* Whether it has the law of the case; of SLIP_ROLLING: whether it is a contact with moments behind
 * it, or these. */
bool law_case_is_of_law(int32_t contact);

/* Solve it, in 2D and 3D, with every method that claims the law, of which there must be so many, or
 * with `auto`: SOLVED at 1e-8, by the independent residual. */
void law_case_by_all(const LawCase *the, const char *kind, int32_t contacts, int least);
void law_case_by_auto(const LawCase *the, const char *kind, int32_t contacts);
/* All of them with `auto`, with 1 to 400 contacts; with 5,000 too where SLIPCONE_FULL=1. */
void law_cases_by_auto(const LawCase *cases, int count);

#endif
