/* Parts of methods that make projected steps: r <- P_K,R(r - R^-1 F) with R^-1 = rho D, D one
 * number a contact, so that the skewed projection (55) is the Euclidean one of each contact. */
#ifndef SLIPI_METHODS_COMMON_PROJECTED_H
#define SLIPI_METHODS_COMMON_PROJECTED_H

#include "methods/method.h"

/* Choices of the option `metric`. */
extern const char *const slipi_metrics[];
enum { SLIPI_METRIC_UNIFORM, SLIPI_METRIC_CONTACT };

/* |W| by power iterations; x and y are room for m values each. */
SlipStatus slipi_projected_norm(SlipiRun *run, double *x, double *y, double *norm,
                                SlipError *error);

/* D of each contact: 1/|W| everywhere (an estimate of the largest eigenvalue), or 1/|W_aa|, with
 * the same largest step. x and y are room for m values each. */
SlipStatus slipi_projected_metric(SlipiRun *run, int metric, double *D, double *x, double *y,
                                  SlipError *error);

/* G = W r + q, the gradient of r'Wr/2 + q'r; and F = G + g(G), which is G where g is off. */
SlipStatus slipi_projected_gradient(SlipiRun *run, const double *r, double *G, SlipError *error);
SlipStatus slipi_projected_F(SlipiRun *run, const double *r, double *F, SlipError *error);

/* to = P_K(r - rho D F); to may be r. */
void slipi_projected_step(const SlipiRun *run, const double *D, double rho, const double *F,
                          const double *r, double *to);

/* |x|^2 in the metric R = 1/D. */
double slipi_projected_square(const SlipiRun *run, const double *D, const double *x);

/* The relative change (132) of an iteration from `before` to run->r. */
double slipi_projected_change(const SlipiRun *run, const double *before);

#endif
