/* Global problems made by hand, of bodies of any size. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_BODIES_CASE_H
#define SLIPCONE_TESTS_BODIES_CASE_H

#include <slipcone/slipcone.h>

/* `bodies` bodies of `size` coupled dofs (`size` above 32 takes the sparse factorisation of M),
 * contacts between random pairs or with the ground, M unsymmetric on demand. */
SlipProblem *bodies_problem(int32_t d, int32_t bodies, int32_t size, int32_t nc, double skew);

/* A problem with six bodies of `size`, and between them two of 43 and 37 degrees of freedom. */
SlipProblem *mixed_bodies_problem(int32_t d, int32_t size, int32_t nc, double skew);

#endif
