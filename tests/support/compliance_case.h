/* Problems whose contacts give way. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_COMPLIANCE_CASE_H
#define SLIPCONE_TESTS_COMPLIANCE_CASE_H

#include <slipcone/slipcone.h>

/* A copy of the problem with the compliance C. */
SlipProblem *give_compliance(const SlipProblem *problem, const double *C);

/* The local problem whose matrix is W + C, and which has no compliance. */
SlipProblem *assemble_compliance(const SlipProblem *problem, const double *C);

/* Random positive semidefinite blocks of the given rank, of the size of W's diagonal; to be freed.
 */
double *random_compliance(const SlipProblem *problem, int rank, uint64_t seed);

#endif
