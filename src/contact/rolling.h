/* Contacts that resist rolling and spinning. Such a contact has two blocks, one after the other:
 * its impulse r = (r_N, r_T), and its moments m = (m_S, m_R) about the normal and the tangents, the
 * block of the law `rolling`, whose velocities are the relative angular ones. Together
 *
 *     K = {|r_T| <= mu r_N, |m_S| <= mu_S r_N, |m_R| <= mu_R r_N}
 *     g(u, omega) = (mu |u_T| + mu_S |omega_S| + mu_R |omega_R|, 0, ..., 0)
 *
 * which is Coulomb's friction in each part. That is the same as Coulomb's law for r alone, and for
 * the moments m = P(m - rho omega) with P the projection on {|m_S| <= mu_S r_N, |m_R| <= mu_R r_N}
 * at the very r_N: sets of one block, as long as r_N is known. Gauss-Seidel and Newton's methods
 * work with that, and every part has units of its own; projections and the natural-map error work
 * with K.
 */
#ifndef SLIPI_CONTACT_ROLLING_H
#define SLIPI_CONTACT_ROLLING_H

#include <stdint.h>

#include "contact/law.h"

/* The law of moments where the contact bears rN: that gives its K lengths. */
static inline SlipiLaw slipi_rolling_under(SlipiLaw law, double rN) {
  double n = rN > 0 ? rN : 0;
  law.radius = law.mu * n;
  law.depth = law.cap * n;
  return law;
}

/* The law of one block at the point r, of d components a block; `room` is for that of moments. */
static inline const SlipiLaw *slipi_law_at(const SlipiLaw *law, int32_t d, int32_t block,
                                           const double *r, SlipiLaw *room) {
  if (law[block].kind != SLIPI_ROLLING)
    return &law[block];
  *room = slipi_rolling_under(law[block], r[(int64_t)d * (block - 1)]);
  return room;
}

/* Whether some block is one of moments. */
bool slipi_rolling_has(const SlipiLaw *law, int32_t contacts);

/* The coefficients of K. */
typedef struct SlipiRolling {
  double slide, spin, roll;
} SlipiRolling;

static inline SlipiRolling slipi_rolling(const SlipiLaw *contact, const SlipiLaw *moments) {
  return (SlipiRolling){.slide = contact->mu, .spin = moments->cap, .roll = moments->mu};
}

/* The statuses of the two blocks. */
typedef struct SlipiRollingStatus {
  SlipContactStatus contact, moments;
} SlipiRollingStatus;

/* p = P_K(z) with z = (r, m); p and z may be the same. Moments that reach their bound count as
 * slipping: the contact rolls, or spins. */
SlipiRollingStatus slipi_rolling_project(const SlipiRolling *law, const double z[6], double p[6]);

/* g(u, omega)_N. */
double slipi_rolling_g(const SlipiRolling *law, const double u[6]);

/* What the moments add to g(u)_N of their contact, omega being their velocities. */
static inline double slipi_rolling_g_added(const SlipiLaw *moments, const double omega[3]) {
  return moments->cap * fabs(omega[0]) + moments->mu * slipi_tangent_norm(omega);
}

/* e = z - P_K(z - (u + g(u))), and the branches of the projection. */
SlipiRollingStatus slipi_rolling_natural_map(const SlipiRolling *law, double rho, const double u[6],
                                             const double r[6], double e[6]);

/* The derivative in r_N of F = m - P(m - rho omega) for moments, their law being that at r_N: the
 * first column of K (row-major), whose other columns are 0. */
void slipi_rolling_slope(const SlipiLaw *moments, double rho, const double omega[3],
                         const double m[3], double K[9]);

#endif
