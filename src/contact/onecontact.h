/* One-contact problems: find r with K* ∋ u + g(u) ⟂ r ∈ K, u = W r + q, W a 3x3 block.
 *
 * These are the local solvers (118) of the splitting methods. All work on a SlipiOneContact,
 * whose part that depends on W alone is prepared once per contact; a solve allocates nothing.
 * 2D contacts are 3D ones with W = diag-padded (W[8] = 1, q[2] = r[2] = 0).
 */
#ifndef SLIPI_CONTACT_ONECONTACT_H
#define SLIPI_CONTACT_ONECONTACT_H

#include "contact/law.h"

typedef enum SlipiOneContactKind {
  SLIPI_ONE_HYBRID = 0,    /* exact first, checked; Newton, then projection, when not enough */
  SLIPI_ONE_QUARTIC_TAN,   /* 001 section 3 */
  SLIPI_ONE_QUARTIC_ALPHA, /* 001 section 4 */
  SLIPI_ONE_NEWTON_AC,     /* Newton on Alart-Curnier (63) */
  SLIPI_ONE_NEWTON_AC_GP,  /* with Goldstein-Price line search */
  SLIPI_ONE_NEWTON_JM,     /* Newton on Jean-Moreau (61) */
  SLIPI_ONE_NEWTON_JM_GP,
  SLIPI_ONE_PROJECTION,     /* one step of the fixed point on the natural map */
  SLIPI_ONE_PROJECTION_LOOP /* to tolerance, with the self-adaptive rule (Algorithm 3) */
} SlipiOneContactKind;

/* The names above as option choices: "hybrid", "quartic-tan", ..., NULL-terminated, in the
 * order of the enum. */
extern const char *const slipi_one_contact_names[];

/* W and what is derived from it, for one contact. */
typedef struct SlipiOneContact {
  double W[9]; /* row-major */
  SlipiLaw law;
  bool symmetric;  /* to rounding: the quartics and the exact slide apply */
  double rho;      /* 1/|W|-like step for projections and Newton */
  double scale;    /* a norm of W, for relative tests */
  double lambda;   /* the last slide's multiplier, where the next one starts */
  double work[12]; /* prepared data of the exact solver (Schur block, rotation, ...) */
} SlipiOneContact;

/* Prepare for a block W (row-major 3x3, already padded for 2D). */
void slipi_one_contact_prepare(SlipiOneContact *one, const double W[9], SlipiLaw law);

typedef struct SlipiOneContactRule {
  SlipiOneContactKind kind;
  double tol;   /* natural-map error relative to max(|q|, |W||r|); see docs/onecontact.md */
  int max_iter; /* of the iterative solvers */
} SlipiOneContactRule;

/* Improve r (in: a starting point, e.g. the last sweep's; out: the solution) for the given q.
 * Never returns something worse than its input in the natural-map error, except for
 * SLIPI_ONE_PROJECTION (one unguarded step) and the plain Newton kinds without line search,
 * which are what their names say. Returns the number of inner iterations (0 for exact). */
int slipi_one_contact_solve(SlipiOneContact *one, const SlipiOneContactRule *rule,
                            const double q[3], double r[3]);

/* |natural map| with the step rho of `one`, divided by rho*max(|q|, |W||r|): the error the
 * rule's tolerance is about. */
double slipi_one_contact_error(const SlipiOneContact *one, const double q[3], const double r[3]);

#endif
