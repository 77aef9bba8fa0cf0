/* Friction with a rounded tip that gives way under too large a push: K is the sum of Coulomb's cone
 * and a ball, or a spheroid, as far as r_N <= cap. The contact flows normal to K, under the cap
 * towards the other body. */
#include "contact/round.h"

/* K is bounded. */
static double dual_distance(const SlipiLaw *law, const double x[3]) {
  (void)law;
  (void)x;
  return 0;
}

const SlipiLawType slipi_law_capped = {.name = "capped",
                                       .reads = SLIPI_READS_MU | SLIPI_READS_BALL | SLIPI_READS_CAP,
                                       SLIPI_ROUND_KERNELS,
                                       .dual_distance = dual_distance};
