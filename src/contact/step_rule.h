/* The self-adaptive step of projection methods (Algorithm 3), for one contact and for all. */
#ifndef SLIPI_CONTACT_STEP_RULE_H
#define SLIPI_CONTACT_STEP_RULE_H

#include <stdbool.h>

enum { SLIPI_STEP_TRIALS = 100 }; /* reductions of one step */

/* With the constants the paper gives. `ratio` is (101) or (102) of a trial made with *rho: false
 * if it is too long and must be made again with the shorter *rho. */
static inline bool slipi_step_accept(double ratio, double *rho) {
  const double L = 0.9, nu = 2.0 / 3.0;
  if (!(ratio > L))
    return true;
  *rho *= nu;
  return false;
}

/* After the correction: a longer step where the accepted one was cautious. */
static inline void slipi_step_lengthen(double ratio, double *rho) {
  const double L_min = 0.3, nu = 2.0 / 3.0, most = 1e100;
  if (ratio < L_min && *rho < most)
    *rho /= nu;
}

#endif
