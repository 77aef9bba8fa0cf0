/* Cholesky factors by CHOLMOD's analysis and our own arithmetic, which can be given up on the way:
 * CHOLMOD's cannot. The factor is CHOLMOD's, for its solves. */
#ifndef SLIPI_LINALG_SUPERNODAL_H
#define SLIPI_LINALG_SUPERNODAL_H

#include <stddef.h>

#include <cholmod.h>

#include "base/arena.h"
#include "base/stop.h"

/* Begin with CHOLMOD, for the analysis of a matrix with so many entries in a triangle: from some
 * size on factors are supernodal, so that only short factorisations are left to CHOLMOD. */
void slipi_supernodal_start(cholmod_common *common, size_t entries);

/* As cholmod_analyze, of a symmetric A whose lower triangle is given by columns, rows ascending.
 * Rows that neighbour and have the same columns, as those of a node of finite elements do, are
 * ordered as one. NULL where it was stopped before it began, or for want of memory, as
 * common->status says. */
cholmod_factor *slipi_supernodal_analyze(cholmod_sparse *A, const SlipiStop *stop,
                                         cholmod_common *common);

/* Mark the supernodes of the marked rows and those above them, in which their columns of L^-1 have
 * entries; returns the operations of a solve through these. */
double slipi_supernodal_reach(const cholmod_factor *L, const bool *marked, bool *reached);

/* As cholmod_factorize, of a symmetric A whose lower triangle is given by columns; false where it
 * was given up, or for want of memory, as common->status says. */
bool slipi_supernodal_factorize(cholmod_sparse *A, cholmod_factor *L, const SlipiStop *stop,
                                cholmod_common *common);

#endif
