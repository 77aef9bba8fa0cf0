/* From any point to a solution, through problems that the point solves but for constant offsets of
 * velocities: contacts that are wrong are mended along a curve (methods/common_path.h). */
#ifndef SLIPI_METHODS_COMMON_MEND_H
#define SLIPI_METHODS_COMMON_MEND_H

#include "methods/method.h"

/* If *arrived r then is near a solution for Coulomb contacts with these mu, at least those of the
 * laws; else it is the point with the least offsets that was found, which may be worse than r was.
 * `arena` is for this call's use. Problems with laws that are neither Coulomb's nor without
 * friction nor bilateral are left as they are. */
SlipStatus slipi_mend(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                      bool *arrived, SlipError *error);

/* The same, given up soon where contacts do not lose their offsets. */
SlipStatus slipi_mend_briefly(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                              bool *arrived, SlipError *error);

/* The same, by way of a solution with mu 1e3, as slipi_mend does with at least 200 contacts. r
 * stays where they are fewer or have no more friction than that. */
SlipStatus slipi_mend_by_less(const SlipiRun *run, const double *mu, SlipiArena *arena, double *r,
                              bool *arrived, SlipError *error);

#endif
