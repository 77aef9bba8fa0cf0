/* The natural-map error (Acary, Brémond, Huber 2018, eq. 131), on which every run stops, and the
 * measures of single contacts that a result has. */
#ifndef SLIPI_CONTACT_RESIDUAL_H
#define SLIPI_CONTACT_RESIDUAL_H

#include "base/team.h"
#include "contact/problem.h"
#include "contact/share.h"

/* The block of one contact, padded to three components. */
static inline void slipi_load(const double *x, int32_t d, int32_t contact, double block[3]) {
  const double *from = x + (int64_t)contact * d;
  block[0] = from[0];
  block[1] = from[1];
  block[2] = d == 3 ? from[2] : 0.0;
}

static inline void slipi_store(const double block[3], int32_t d, int32_t contact, double *x) {
  double *to = x + (int64_t)contact * d;
  to[0] = block[0];
  to[1] = block[1];
  if (d == 3)
    to[2] = block[2];
}

/* |q|, or 1 where it is 0. (Acary, Brémond, Huber 2018, section 8.1, takes 1 for all below machine
 * accuracy, which depends on the unit of velocity.) Of all processes, where there are others; so
 * are the sums below. */
double slipi_residual_scale(const double *q, int32_t d, int32_t nc, const SlipiShare *share);

/* |x|, which has d components for each contact. */
double slipi_contacts_norm(const double *x, int32_t d, int32_t nc, const SlipiShare *share);

/* |r - P_K(r - u - g(u))| over all contacts, u = W r + q given; contact_norm (may be NULL)
 * receives the norm of each. The same bits for any team, which may be NULL. */
double slipi_residual_norm(int32_t d, int32_t nc, const SlipiLaw *law, const double *u,
                           const double *r, double *contact_norm, SlipiTeam *team,
                           const SlipiShare *share);

/* u = W r + q of a local problem, compliance included, its sums with more digits than double has:
 * where impulses are large beside q, most of the digits cancel. */
void slipi_residual_velocity(const SlipProblem *problem, const double *q, const double *r,
                             double *u);

/* The part of slipi_residual_norm that rounding leaves: eps | |W||r| + |q| + |r| |, the bound on
 * the rounding errors of u = W r + q and of r - u. For a global problem |H'| D^-1 (|H||r| + |f|) +
 * |w| stands in place of the first two, D the diagonal of M; f, w and room for 2 dof values are not
 * read for a local one, q not for a global one. */
double slipi_residual_floor(const SlipProblem *problem, const double *q, const double *f,
                            const double *w, const double *r, double *room);

/* Sum of the bipotential gaps (Acary, Brémond, Huber 2018, eq. 81). */
double slipi_residual_gap(int32_t d, int32_t nc, const SlipiLaw *law, const double *u,
                          const double *r, const SlipiShare *share);

/* Which branch of the projection each contact is on. scale: |q|, beside which velocities may be
 * noise. */
void slipi_residual_status(int32_t d, int32_t nc, const SlipiLaw *law, const double *u,
                           const double *r, double scale, const SlipiShare *share, int32_t *status);

/* The same at a point of a problem as it was given. */
SlipStatus slipi_problem_status(const SlipProblem *problem, const double *u, const double *r,
                                int32_t *status, SlipError *error);

#endif
