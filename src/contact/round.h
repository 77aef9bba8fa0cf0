/* Sets that are round about the normal and curved at their tip: the sum of Coulomb's cone and a
 * spheroid (a ball, where its half-axes are the same), and that set up to a largest r_N (Tasora,
 * Anitescu, Negrini, Negrut 2013, Figs 4 and 5). In n = r_N and t = |r_T|
 *
 *     K = {t <= R(n)},    R(n) = b sqrt(1 - n^2/a^2)  for -a <= n <= n1    (the tip)
 *                              = mu n + e             for  n1 <= n          (the side)
 *
 * with the half-axes a along the normal (SlipiLaw.depth) and b across (SlipiLaw.radius),
 * e = sqrt(mu^2 a^2 + b^2), and the tip's tangent (1, mu) at n1 = -mu a^2/e. Flow is normal to K.
 */
#ifndef SLIPI_CONTACT_ROUND_H
#define SLIPI_CONTACT_ROUND_H

#include "contact/law.h"

/* The kernels of contact/law.h; SlipiLaw.cap is INFINITY where there is none. */
SlipiAxis slipi_round_axis(const SlipiLaw *law, int component);
SlipContactStatus slipi_round_project(const SlipiLaw *law, const double z[3], double p[3]);
void slipi_round_derivative(const SlipiLaw *law, const double z[3], double J[9]);
bool slipi_round_holds(const SlipiLaw *law, const double z[3]);
void slipi_round_prepare(const SlipiLaw *law, SlipiRound *round);
void slipi_round_look(SlipiRound *round, const double z[3], double p[3], double J[9]);
double slipi_round_support(const SlipiLaw *law, const double x[3]);
void slipi_round_scale(SlipiLaw *law, double by, double times);
bool slipi_round_opens(const SlipiLaw *law, const double u[3]);

#define SLIPI_ROUND_KERNELS                                                                        \
  .axis = slipi_round_axis, .project = slipi_round_project, .derivative = slipi_round_derivative,  \
  .holds = slipi_round_holds, .prepare = slipi_round_prepare, .look = slipi_round_look,            \
  .opens = slipi_round_opens, .support = slipi_round_support, .scale = slipi_round_scale

#endif
