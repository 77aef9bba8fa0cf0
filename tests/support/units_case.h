/* Problems in other units. Failures are cmocka assertions. */
#ifndef SLIPCONE_TESTS_UNITS_CASE_H
#define SLIPCONE_TESTS_UNITS_CASE_H

#include <slipcone/slipcone.h>

/* The same local or global problem with W and its compliance times `W` (M divided by it), q times
 * `q`: velocities are q times as large, impulses, and bounds on them, q/W times. */
SlipProblem *problem_in_units(const SlipProblem *problem, double W, double q);

#endif
