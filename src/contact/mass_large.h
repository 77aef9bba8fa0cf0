/* Large components of M (finite elements): each has sparse factors. Components with the same
 * matrix, such as bodies of one mesh and material whose M is in axes of their own, share them. */
#ifndef SLIPI_CONTACT_MASS_LARGE_H
#define SLIPI_CONTACT_MASS_LARGE_H

#include "contact/mass.h"

SlipStatus slipi_mass_factor_large(SlipiMass *mass, const SlipProblem *problem, SlipError *error);
void slipi_mass_free_large(SlipiMass *mass);
/* x = M^-1 b at the degrees of freedom of large components. */
SlipStatus slipi_mass_solve_large(SlipiMass *mass, const double *b, double *x, SlipError *error);

#endif
