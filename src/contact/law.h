/* The law of one contact: its convex set K, the projection on it, an element of the
 * projection's generalized Jacobian, the dual cone, and the flow-rule term g(u).
 *
 * Kernels work on three components (normal, tangent 1, tangent 2); a 2D contact passes 0 as its
 * third component and gets 0 back. A new yield surface is a new SlipLaw value, a field or two
 * in SlipiLaw and a case in each kernel of this file.
 */
#ifndef SLIPI_CONTACT_LAW_H
#define SLIPI_CONTACT_LAW_H

#include <math.h>
#include <stdbool.h>

#include <slipcone/slipcone.h>

/* Sets beside SlipLaw's, which only the subproblems of methods have. They are not cones, and
 * g is 0. */
enum {
  SLIPI_TRESCA = 64, /* the semi-cylinder r_N >= 0, |r_T| <= radius of (129) */
  SLIPI_DISC         /* r_N = 0, |r_T| <= radius of (128) */
};

typedef struct SlipiLaw {
  int kind;        /* SlipLaw, or one of the above */
  bool associated; /* g(u) off: the convex relaxation */
  double mu;
  double radius; /* of SLIPI_TRESCA and SLIPI_DISC */
} SlipiLaw;

static inline bool slipi_law_is_cylinder(const SlipiLaw *law) {
  return law->kind == SLIPI_TRESCA || law->kind == SLIPI_DISC;
}

/* mu = 0 is treated as frictionless here, once, so that kernels need not divide by mu. */
static inline SlipiLaw slipi_law(SlipLaw kind, double mu) {
  SlipiLaw law = {.kind = kind, .mu = mu};
  if (kind == SLIP_COULOMB && mu == 0)
    law.kind = SLIP_FRICTIONLESS;
  if (law.kind != SLIP_COULOMB)
    law.mu = 0;
  return law;
}

/* |x_T| without overflow checks: data are validated to be finite. */
static inline double slipi_tangent_norm(const double x[3]) {
  return sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* g(u)_N = mu |u_T| (3); the other components are 0. */
static inline double slipi_law_g(const SlipiLaw *law, const double u[3]) {
  return law->kind == SLIP_COULOMB && !law->associated ? law->mu * slipi_tangent_norm(u) : 0.0;
}

/* P_K for the laws without a curved cone. */
SlipContactStatus slipi_law_project_flat(const SlipiLaw *law, const double z[3], double p[3]);

/* p = P_K(z) (148). p and z may be the same. Returns the branch of the projection: OPEN for 0,
 * STICK for z in K, SLIP for the boundary. Inline: every method spends its time here. */
static inline SlipContactStatus slipi_law_project(const SlipiLaw *law, const double z[3],
                                                  double p[3]) {
  if (law->kind != SLIP_COULOMB)
    return slipi_law_project_flat(law, z, p);
  double mu = law->mu, zN = z[0], t = slipi_tangent_norm(z);
  if (mu * t <= -zN) { /* -z in K*; z = 0 counts as open */
    p[0] = p[1] = p[2] = 0;
    return SLIP_CONTACT_OPEN;
  }
  if (t <= mu * zN) {
    p[0] = zN;
    p[1] = z[1];
    p[2] = z[2];
    return SLIP_CONTACT_STICK;
  }
  double pN = (zN + mu * t) / (1 + mu * mu), k = mu * pN / t;
  p[0] = pN;
  p[1] = k * z[1];
  p[2] = k * z[2];
  return SLIP_CONTACT_SLIP;
}

/* J (row-major 3x3): an element of the generalized Jacobian of P_K at z (149)-(152), with the
 * misprints of docs/theory.md mended. On a kink it is the limit from the side of the branch
 * slipi_law_project takes there. */
void slipi_law_project_derivative(const SlipiLaw *law, const double z[3], double J[9]);

/* How far x is outside K, and outside the dual cone K*: 0 inside (Euclidean distance). The second
 * is for cones only. */
double slipi_law_distance(const SlipiLaw *law, const double x[3]);
double slipi_law_dual_distance(const SlipiLaw *law, const double x[3]);

/* Bipotential gap of one contact (81): r.(u + g(u)), 0 at a solution. */
static inline double slipi_law_gap(const SlipiLaw *law, const double u[3], const double r[3]) {
  return r[0] * (u[0] + slipi_law_g(law, u)) + r[1] * u[1] + r[2] * u[2];
}

/* e = r - P_K(r - rho (u + g(u))), the natural map (51) of one contact; returns |e|^2. Summed as
 * rho (u + g(u)) + (z - P_K(z)): where z is in K that is the velocity to the last bit, even
 * when r is larger by many powers of ten. */
static inline double slipi_law_natural_map(const SlipiLaw *law, double rho, const double u[3],
                                           const double r[3], double e[3]) {
  double z[3], p[3];
  e[0] = rho * (u[0] + slipi_law_g(law, u));
  e[1] = rho * u[1];
  e[2] = rho * u[2];
  for (int k = 0; k < 3; k++)
    z[k] = r[k] - e[k];
  slipi_law_project(law, z, p);
  for (int k = 0; k < 3; k++)
    e[k] += z[k] - p[k];
  return e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
}

#endif
