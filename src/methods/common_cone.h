/* The linear systems of interior-point methods for the scaled, folded problem: with u the velocity
 * u + g(u) that must lie in the cone, and s = |u_T| the part of it that g has added, Newton steps
 * for
 *
 *     u - s e = W r + q + delta r,   u o r = beta e
 *
 * in the scaling of Nesterov and Todd (contact/soc.h) solve
 *
 *     A^-1 W dr + (S^2 + delta A^-1) dr = x + A^-1 f,   x = S (lambda \ c)
 *
 * for a right-hand side c of the complementarity and f of the first equation; A = I - ds/du has the
 * derivative of g, A^-1 = I + e ds/du; contacts whose law is relaxed have no s. delta, a tiny
 * weight, holds impulses that nothing else does; A^-1 is left away from it.
 *
 * The unknowns are dr in the eigenbasis Q of S, scaled by T so that no entry is large:
 *
 *     (T G' W Q T + T D T) y = T Q' (x + A^-1 f),   dr = Q T y,   G = A^-T Q,   D = Q' S^2 Q +
 * delta
 *
 * and du = A^-1 (W dr - f) + delta dr comes from velocities where S^2 is large: x - S^2 dr would
 * cancel. In the components where it is small, those of contacts that stick, it is the other way
 * round: the rounding of W r is far larger than velocities which are as small as beta/r, and would
 * take them out of their cones; there du = x - S^2 dr. Bilateral
 * contacts have u = 0 and no cone: D is 0 there, but for a tiny proximal weight that lets redundant
 * constraints pass. Components they leave free are not in the scaled problem.
 */
#ifndef SLIPI_METHODS_COMMON_CONE_H
#define SLIPI_METHODS_COMMON_CONE_H

#include "contact/scaled.h"
#include "contact/soc.h"
#include "contact/system.h"

typedef struct SlipiCone {
  SlipiScaled *scaled;
  const SlipiShare *share;    /* the operator's: sums and steps are those of all processes */
  int32_t cones;              /* contacts that are not bilateral */
  double delta;               /* set by the method; 0 at first */
  SlipiSystem *system;        /* of y; the operator's */
  SlipiSocScaling *scaling;   /* of each contact */
  double *left, *own, *right; /* 9 a contact: T G', T D T and Q T */
  double *slope;              /* 3 a contact: (1, -u_T/|u_T|), the first row of A */
  double *rhs, *y;            /* m */
  double *x;                  /* m: Q' x of the last right-hand side */
} SlipiCone;

/* Memory comes from the arena and the operator. */
SlipStatus slipi_cone_create(SlipiOperator *op, SlipiArena *arena, SlipiCone *cone,
                             SlipError *error);

/* Scale the problem for a new run. */
SlipStatus slipi_cone_set(SlipiCone *cone, const SlipiLaw *law, const double *q, bool laws_changed,
                          SlipError *error);

static inline bool slipi_cone_has(const SlipiCone *cone, int32_t contact) {
  return slipi_law_is_second_order(&cone->scaled->law[contact]);
}

/* Whether u has g added: there is a cone, and it is not relaxed. */
static inline bool slipi_cone_slides(const SlipiCone *cone, int32_t contact) {
  return slipi_law_is_coulomb(&cone->scaled->law[contact]);
}

/* g in these units, |u_T| where the contact slides. */
static inline double slipi_cone_g(const SlipiCone *cone, int32_t contact, const double u[3]) {
  return slipi_cone_slides(cone, contact) ? slipi_soc_tangent(u) : 0;
}

/* Factor at u and r, inside the cones, with `share` (0 to 1) of the derivative of g. *sign is the
 * determinant's sign, 0 where there are no factors. */
SlipStatus slipi_cone_factor(SlipiCone *cone, const double *u, const double *r, double share,
                             int *sign, SlipError *error);

/* The step for right-hand sides c and f (NULL: 0); *finite is false where it is not a number. */
SlipStatus slipi_cone_solve(SlipiCone *cone, const double *c, const double *f, double *dr,
                            double *du, bool *finite, SlipError *error);

/* Whether the last factorisation was made in velocity space. */
static inline bool slipi_cone_has_bodies(const SlipiCone *cone) {
  return slipi_system_space(cone->system) == SLIPI_SYSTEM_VELOCITY;
}

/* The step of a method that carries the velocities z of the bodies along (contact/system.h), with
 * dz - B_b dr = g; after a factorisation in velocity space only. The solution is refined until the
 * residual is `enough` times the right-hand side. */
void slipi_cone_solve_bodies(SlipiCone *cone, const double *c, const double *f, const double *g,
                             double enough, double *dr, double *du, double *dz, bool *finite);

/* u'r over the cones; it is beta times their number on the central path. */
double slipi_cone_product(const SlipiCone *cone, const double *u, const double *r);

/* The largest step in (0, inf] that keeps x + t d in the cones. */
double slipi_cone_max_step(const SlipiCone *cone, const double *x, const double *d);

/* Fill x with e in the cones and 0 elsewhere. */
void slipi_cone_unit(const SlipiCone *cone, double *x);

#endif
