/* From a solution for some friction to one for more: contacts that slide are followed while their
 * mu grows (methods/common_path.h). */
#ifndef SLIPI_METHODS_COMMON_RAMP_H
#define SLIPI_METHODS_COMMON_RAMP_H

#include "methods/method.h"

/* Problems with more contacts are left as they are: a step costs a few factorisations, there are
 * more steps than contacts, and with more than some hundred contacts a path that gets lost takes
 * longer than the folds of mu that follow it. */
enum { SLIPI_RAMP_CONTACTS = 200 };

/* With more contacts than this the curve from where nothing slips is not tried either. */
enum { SLIPI_STUCK_CONTACTS = 4000 };

/* r is near a solution for run->law. If *arrived it then is near one for Coulomb contacts with
 * these mu, at least those of the laws; else it stays. `arena` is for this call's use. Problems
 * with laws that are neither Coulomb's nor without friction nor bilateral are left as they are. */
SlipStatus slipi_ramp(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                      bool *arrived, SlipError *error);

/* The same without a start: from the solution of the problem in which nothing slips, through
 * problems in which contacts that slip lift off by less and less, to Coulomb's law. r is only
 * written, where *arrived. */
SlipStatus slipi_ramp_from_stuck(const SlipiRun *run, const double *mu, SlipiArena *arena,
                                 double *r, bool *arrived, SlipError *error);

#endif
