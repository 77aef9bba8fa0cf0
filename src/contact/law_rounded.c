/* Friction with a rounded tip: K is the sum of Coulomb's cone and a ball of radius d, or a
 * spheroid. The contact holds a pull up to d, and flows normal to K. */
#include "contact/round.h"

/* K has no end in the directions of the cone. */
static double dual_distance(const SlipiLaw *law, const double x[3]) {
  SlipiLaw cone = slipi_law(SLIP_COULOMB, law->mu);
  return slipi_law_dual_distance(&cone, x);
}

const SlipiLawType slipi_law_rounded = {.name = "rounded",
                                        .reads = SLIPI_READS_MU | SLIPI_READS_BALL,
                                        SLIPI_ROUND_KERNELS,
                                        .dual_distance = dual_distance};
