/* The law of one contact: its convex set K, the projection on it, an element of the
 * projection's generalized Jacobian, the dual cone, and the flow-rule term g(u).
 *
 * Kernels work on three components (normal, tangent 1, tangent 2); a 2D contact passes 0 as its
 * third component and gets 0 back. Each law fills in a SlipiLawType in a file of its own,
 * law_<name>.c, and has a row in a table (slipcone/laws.h, contact/law_table.h): nothing else
 * names it. Coulomb's law, in which most of all time is spent, is inline here as well.
 */
#ifndef SLIPI_CONTACT_LAW_H
#define SLIPI_CONTACT_LAW_H

#include <math.h>
#include <stdbool.h>

#include <slipcone/slipcone.h>

#include "contact/law_table.h"

typedef struct SlipiLaw {
  double mu; /* 0 unless the law reads it, as all that follow but the kind */
  SlipiLawKind kind;
  unsigned char flow;  /* SlipFlow; of no meaning for laws without a flow rule */
  unsigned char bound; /* components that are bound, as in SlipLaws */
  bool rolls;          /* the next block has the moments of this contact (contact/rolling.h) */
  double radius;       /* how far K reaches along the tangents: SlipLaws.radius, ball_tangential */
  double depth;        /* how far K reaches below r_N = 0: SlipLaws.cohesion, ball */
  double cap;          /* the largest r_N of rounded sets; INFINITY: none. Of moments: spinning */
} SlipiLaw;

/* ---- The description of a law -------------------------------------------------------------- */

/* The arrays of SlipLaws that a law reads (contact/laws.h checks them). */
typedef enum SlipiLawReads {
  SLIPI_READS_MU = 1,
  SLIPI_READS_FLOW = 2,
  SLIPI_READS_BOUND = 4,
  SLIPI_READS_RADIUS = 8,
  SLIPI_READS_COHESION = 16,
  SLIPI_READS_BALL = 32,
  SLIPI_READS_CAP = 64,
  SLIPI_READS_SPINNING = 128
} SlipiLawReads;

/* The values that K allows one component of r on its own. */
typedef enum SlipiAxis {
  SLIPI_AXIS_NONE,  /* it is 0 */
  SLIPI_AXIS_HALF,  /* it is not negative */
  SLIPI_AXIS_FREE,  /* anything */
  SLIPI_AXIS_JOINED /* it depends on the others: K is curved there */
} SlipiAxis;

struct SlipiOneContact;

/* What the kernels of curved sets (contact/round.h) make of a law: its numbers by their names
 * there, and the point (n1, t1) where the side begins. */
typedef struct SlipiRound {
  double mu, a, b, e, n1, t1, cap;
  double inverse; /* of 1 + mu^2 */
  double lambda;  /* the multiplier of a spheroid's tip at the last look, a guess for the next; 0:
                     none */
} SlipiRound;

typedef struct SlipiLawType {
  const char *name;  /* as text: the table's */
  unsigned reads;    /* SlipiLawReads */
  bool cone;         /* K is a cone: it has no lengths */
  bool second_order; /* K = {|r_T| <= mu r_N}, mu = 0 included: folding mu into the tangents makes
                        the second-order cone of it */
  bool shifted;      /* K is Coulomb's cone with its apex at r_N = -depth (contact/shift.h) */
  bool one_sided;    /* without an impulse the contact counts as open */
  SlipiAxis (*axis)(const SlipiLaw *law, int component);

  /* p = P_K(z) and the branch it takes; p and z may be the same. */
  SlipContactStatus (*project)(const SlipiLaw *law, const double z[3], double p[3]);
  /* J, an element of the generalized Jacobian of P_K at z; it comes zeroed. */
  void (*derivative)(const SlipiLaw *law, const double z[3], double J[9]);
  /* Whether z is in K, quicker than `project` tells; of laws with a `look`. */
  bool (*holds)(const SlipiLaw *law, const double z[3]);
  /* p and J at once, for who looks at one K several times: the first fills in what the second
   * needs. NULL: there is nothing to gain. */
  void (*prepare)(const SlipiLaw *law, SlipiRound *round);
  void (*look)(SlipiRound *round, const double z[3], double p[3], double J[9]);
  /* slipi_law_g, _dg, _support and _dual_distance describe them. g and dg are NULL where g = 0,
   * support and dual_distance where K is a cone. */
  double (*g)(const SlipiLaw *law, const double u[3]);
  double (*dg)(const SlipiLaw *law, const double u[3], double along[3]);
  double (*support)(const SlipiLaw *law, const double x[3]);
  double (*dual_distance)(const SlipiLaw *law, const double x[3]);
  /* Divide the lengths of K by `by` and multiply them by `times`. NULL: K has no lengths. */
  void (*scale)(SlipiLaw *law, double by, double times);
  bool (*opens)(const SlipiLaw *law, const double u[3]);
  /* A one-contact solver for this law alone; it leaves r alone where it finds no solution. NULL:
   * none. */
  void (*solve)(const struct SlipiOneContact *one, const double q[3], double r[3]);
} SlipiLawType;

/* The kernels that every law has, which its file defines under these names. */
#define SLIPI_LAW_KERNELS .axis = axis, .project = project, .derivative = derivative, .opens = opens

extern const SlipiLawType *const slipi_law_types[SLIPI_LAWS];

#define SLIPI_LAW_DECLARE(NAME, name) extern const SlipiLawType slipi_law_##name;
SLIPI_LAW_TABLE(SLIPI_LAW_DECLARE)

static inline const SlipiLawType *slipi_law_type(const SlipiLaw *law) {
  return slipi_law_types[law->kind];
}

/* A law with this mu, everything bound and all else 0, from its number, which must be of the table.
 * Coulomb's law with mu = 0 becomes the frictionless one here, once, so that kernels need not
 * divide by mu. */
SlipiLaw slipi_law(int kind, double mu);

/* The convex relaxation: g off. */
static inline SlipiLaw slipi_law_relaxed(SlipiLaw law) {
  law.flow = SLIP_FLOW_ASSOCIATED;
  return law;
}

/* Coulomb's friction, neither relaxed nor without friction: the law of equations (60) to (66). */
static inline bool slipi_law_is_coulomb(const SlipiLaw *law) {
  return law->kind == SLIPI_COULOMB && law->flow == SLIP_FLOW_COULOMB;
}

/* Above the first of these a contact counts as rough: it hardly slips. Methods, and the natural-map
 * error (131), see this mu in place of a larger one, whose product with an error of u_T would drown
 * all else. A solution in which such a contact is open or sticks is one for every larger mu as
 * well. Where it slides, the next mu, by this factor, takes its turn, up to the last: beyond it mu
 * times the rounding of u_T is all there is. Solutions that are followed to more friction begin
 * with the least (methods/common_ramp.h). Whether a contact slides with the mu that was given is
 * the question of the second measure (contact/physical.h). */
#define SLIPI_ROUGH 10.0
#define SLIPI_FOLD_LEAST 1.0
#define SLIPI_FOLD_FACTOR 10.0
#define SLIPI_FOLD_LAST 1e8

static inline SlipiLaw slipi_law_folded(SlipiLaw law, double most) {
  if (law.mu > most && slipi_law_is_coulomb(&law))
    law.mu = most;
  return law;
}

static inline bool slipi_law_is_second_order(const SlipiLaw *law) {
  return slipi_law_type(law)->second_order;
}

static inline SlipiAxis slipi_law_axis(const SlipiLaw *law, int component) {
  return slipi_law_type(law)->axis(law, component);
}

/* K is a product of three axes, so that its parts can be solved one by one. */
bool slipi_law_other_is_flat(const SlipiLaw *law);
static inline bool slipi_law_is_flat(const SlipiLaw *law) {
  return law->kind != SLIPI_COULOMB && slipi_law_other_is_flat(law);
}

/* The same law where impulses are r / by * times, computed in this order: lengths of K are rounded
 * as impulses are. */
static inline SlipiLaw slipi_law_scaled(SlipiLaw law, double by, double times) {
  if (slipi_law_type(&law)->scale)
    slipi_law_type(&law)->scale(&law, by, times);
  return law;
}

/* ---- Kernels ------------------------------------------------------------------------------- */

/* |x_T| without overflow checks: data are validated to be finite. */
static inline double slipi_tangent_norm(const double x[3]) {
  return sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* The kernels of laws other than Coulomb's. */
double slipi_law_other_g(const SlipiLaw *law, const double u[3]);
static inline SlipContactStatus slipi_law_other_project(const SlipiLaw *law, const double z[3],
                                                        double p[3]) {
  return slipi_law_type(law)->project(law, z, p);
}

/* g(u)_N, for Coulomb mu |u_T| (3); the other components are 0. */
static inline double slipi_law_g(const SlipiLaw *law, const double u[3]) {
  if (law->kind != SLIPI_COULOMB)
    return slipi_law_other_g(law, u);
  return law->flow == SLIP_FLOW_COULOMB ? law->mu * slipi_tangent_norm(u) : 0.0;
}

/* The derivative of g(u)_N in u, as a factor, which is returned, times the vector `along`. Where
 * it has none (u_T = 0) it is 0, the centre of the subdifferential (145). */
double slipi_law_dg(const SlipiLaw *law, const double u[3], double along[3]);

/* p = P_K(z) (148). p and z may be the same. Returns the branch of the projection: OPEN for 0,
 * STICK for z in K, SLIP for the boundary. Inline: every method spends its time here. */
static inline SlipContactStatus slipi_law_project(const SlipiLaw *law, const double z[3],
                                                  double p[3]) {
  if (law->kind != SLIPI_COULOMB)
    return slipi_law_other_project(law, z, p);
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

/* How far x is outside K: 0 inside (Euclidean distance). */
double slipi_law_distance(const SlipiLaw *law, const double x[3]);

/* How far x is outside the dual cone K*, or where K is no cone outside the dual of the directions
 * in which K has no end: 0 where x.r has a least value over K. */
double slipi_law_dual_distance(const SlipiLaw *law, const double x[3]);

/* The support function of K, the largest x.r over r in K, for x where there is one (-x at dual
 * distance 0): 0 for a cone. */
double slipi_law_support(const SlipiLaw *law, const double x[3]);

/* Whether r = 0 is a solution of the contact with the velocity u. */
bool slipi_law_opens(const SlipiLaw *law, const double u[3]);

/* Bipotential gap of one contact (81), 0 at a solution: r.(u + g(u)), plus the support function of
 * K where K is no cone. */
double slipi_law_gap(const SlipiLaw *law, const double u[3], const double r[3]);

/* e = r - P_K(r - rho (u + g(u))), the natural map (51) of one contact; returns |e|^2. Summed as
 * rho (u + g(u)) + (z - P_K(z)): where z is in K that is the velocity to the last bit, even
 * when r is larger by many powers of ten. Where P_K(z) is 0 it is r, however large the velocity. */
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
    e[k] = p[k] == 0 ? r[k] : e[k] + (z[k] - p[k]);
  return e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
}

#endif
