/* The problem of one contact that resists rolling and spinning (contact/rolling.h): r and m of six
 * components with u = W (r, m) + q, W a 6x6 matrix. */
#ifndef SLIPI_CONTACT_ONECONTACT_ROLLING_H
#define SLIPI_CONTACT_ONECONTACT_ROLLING_H

#include "contact/nonsmooth.h"
#include "contact/onecontact.h"

/* Of one such contact: W row-major, 2D blocks padded, and what slipi_rolling_prepare makes of it:
 * the same in units in which the diagonal blocks have size 1, the roots of these sizes, and the
 * steps of the equations. */
typedef struct SlipiRollingContact {
  double W[36];
  double scaled[36], size[2];
  SlipiSteps rho;
} SlipiRollingContact;

/* Once W is filled in. */
void slipi_rolling_prepare(SlipiRollingContact *both, const SlipiOneContact *contact,
                           const SlipiOneContact *moments);

/* Improve (r, m), in: a starting point, out: the solution, for the given q, by Newton's method on
 * Alart-Curnier's equations of r and the natural map of m under r_N, and where that does not do, by
 * solving for r and m in turn. `contact` and `moments` are prepared for the diagonal blocks of W.
 * Never returns something worse than its input in these equations. */
void slipi_rolling_solve(const SlipiRollingContact *both, SlipiOneContact *contact,
                         SlipiOneContact *moments, const SlipiOneContactRule *rule,
                         const double q[6], double r[6]);

#endif
