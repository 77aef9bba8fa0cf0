/* The convex problem in which nothing slips:
 *
 *     u = W r + q + alpha (r - r_0),    u_T = 0,    0 <= u_N and r_N >= 0, one of them 0
 *
 * the limit of the relaxation (normal flow) for infinite friction. Contacts may lift off, but only
 * straight; impulses along the tangents are not bounded. Its u is unique, and with alpha > 0 r is
 * too. It is where curves of solutions to Coulomb's law begin (methods/common_path.h, phi = 0). */
#ifndef SLIPI_METHODS_COMMON_STICK_H
#define SLIPI_METHODS_COMMON_STICK_H

#include "methods/common_path.h"

/* Solve it by interior point, with the alpha, r_0 and linear equations' room of a path, and put it
 * into r and u of the path. Contacts without friction have r_T = 0 instead, bilateral ones their
 * own law. `room` has 4 nc + 2 m numbers. *solved is false where rounding or a stop was in the way.
 */
SlipStatus slipi_stick_solve(SlipiPath *path, double *room, bool *solved, SlipError *error);

#endif
