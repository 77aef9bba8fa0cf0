/* The second, independent residual, which tests hold against the library's own. It reads a problem
 * through the public API only, uses none of the library's numerics, and sums in long double. */
#ifndef SLIPCONE_TESTS_REFERENCE_H
#define SLIPCONE_TESTS_REFERENCE_H

#include <slipcone/slipcone.h>

/* The natural-map error (131) of r: |r - P_K(r - u - g(u))| / |q|, each contact with its own law
 * and flow, absolute where q is 0; NaN where it cannot be computed. A mu
 * above 1e6 counts as 1e6 (docs/theory.md): physical.h judges such contacts. */
double reference_error(const SlipProblem *problem, const double *r);

/* z, of `dimension` components, becomes the point of the set of contact a that is nearest to it. */
void reference_project(const SlipLaws *laws, int32_t a, int dimension, long double *z);

/* The same for contact a and the block of moments behind it: 2*dimension components. */
void reference_project_rolling(const SlipLaws *laws, int32_t a, int dimension, long double *z);

/* The error with g off at every contact, for the convex relaxation. */
double reference_error_associated(const SlipProblem *problem, const double *r);

/* u = W r + q (dimension*contacts values), with C r where there is a compliance; for a global
 * problem M is factored here, without forming W, by an envelope LU, so a large problem needs M of
 * small bandwidth. Returns 0, or -1 where memory is out or a pivot is 0. */
int reference_velocity(const SlipProblem *problem, const double *r, double *u);

/* The largest diagonal entry of each contact's own block of W, with the compliance (contacts
 * values): the velocity one unit of impulse gives that contact. */
int reference_mobility(const SlipProblem *problem, double *w);

/* W, with the compliance, row-major, (dimension*contacts) squared, by one reference_velocity per
 * column. */
int reference_dense(const SlipProblem *problem, double *W);

#endif
