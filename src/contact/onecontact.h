/* One-contact problems: find r with K* ∋ u + g(u) ⟂ r ∈ K, u = W r + q, W a 3x3 block.
 *
 * These are the local solvers (118) of the splitting methods. All work on a SlipiOneContact,
 * whose part that depends on W alone is prepared once per contact; a solve allocates nothing.
 * 2D contacts are 3D ones with a padded W and q[2] = r[2] = 0: see slipi_one_contact_pad.
 * docs/onecontact.md says which solver to use when.
 */
#ifndef SLIPI_CONTACT_ONECONTACT_H
#define SLIPI_CONTACT_ONECONTACT_H

#include "contact/law.h"

typedef enum SlipiOneContactKind {
  SLIPI_ONE_HYBRID = 0,    /* exact first, checked; Newton, then projection, when not enough */
  SLIPI_ONE_QUARTIC_TAN,   /* Bonnefon, Daviet 2011, section 3 */
  SLIPI_ONE_QUARTIC_ALPHA, /* Bonnefon, Daviet 2011, section 4 */
  SLIPI_ONE_NEWTON_AC,     /* Newton on Alart-Curnier (63) */
  SLIPI_ONE_NEWTON_AC_GP,  /* with Goldstein-Price line search */
  SLIPI_ONE_NEWTON_JM,     /* Newton on Jean-Moreau (61) */
  SLIPI_ONE_NEWTON_JM_GP,
  SLIPI_ONE_PROJECTION,     /* one step of the fixed point on the natural map */
  SLIPI_ONE_PROJECTION_LOOP /* to tolerance, with the self-adaptive rule (Algorithm 3) */
} SlipiOneContactKind;

/* The names of SlipiOneContactKind as choices of an option: "hybrid", "quartic-tan", ...,
 * NULL-terminated, in the order of the enum. */
extern const char *const slipi_one_contact_names[];

/* How strongly W couples normal and tangents, as far as the number of solutions goes. */
typedef enum SlipiCoupling {
  SLIPI_COUPLING_WEAK,   /* exactly one solution for every q */
  SLIPI_COUPLING_MEDIUM, /* one open solution when q_N >= 0; perhaps several slides otherwise */
  SLIPI_COUPLING_STRONG  /* open, stick and slide may all hold at once */
} SlipiCoupling;

/* The normal row eliminated and the tangents turned so that the symmetric part of the Schur
 * block S = W_TT - W_TN W_NT / W_NN is diagonal: S = [s1 -w; w s2], w = 0 for a symmetric W. Its
 * determinant s1 s2 + w^2 then has no cancellation, however badly conditioned S is. */
typedef struct SlipiSlide {
  double k;      /* 1/W_NN */
  double a1, a2; /* W_NT/W_NN in the turned tangents */
  double b1, b2; /* W_TN/W_NN in the turned tangents */
  double s1, s2, w;
  double c, s; /* turned x1 = c x1 - s x2, x2 = s x1 + c x2 */
  double inv_det;
  double inv_mu;
} SlipiSlide;

/* For the associated flow: axes v_k, the rows of T, with T W T' = I and T D T' = diag(d), where D =
 * diag(-mu^2, 1, 1) and d[0] < 0; the first points into the cone. */
typedef struct SlipiAxes {
  double T[9];
  double d[3];
} SlipiAxes;

/* W and all that is derived from it, for one contact. The members that the exact solver reads come
 * first, in two cache lines: Gauss-Seidel streams through these. */
typedef struct SlipiOneContact {
  double lambda;  /* the last slide's multiplier, where the next one starts */
  bool exact;     /* the prepared slide below applies */
  bool symmetric; /* to rounding */
  bool flat;      /* the law is: no iteration is needed, whatever the rule */
  bool aligned;   /* the axes below apply */
  bool turned;    /* of moments: the slide's rows and tangents apply, */
  bool round;     /* and W is diagonal, the same for both tangents, as that of balls is */
  bool inverted;  /* the inverse below applies, and lambda is not 0 where the contact slid last: the
                     multiplier of the tip, where there is one */
  unsigned char coupling;
  double scale; /* a norm of W (Frobenius), for relative tests */
  double rho;   /* 1/scale: step for projections and Newton */
  union {
    SlipiSlide slide;  /* of Coulomb's flow */
    SlipiAxes axes;    /* of the associated one */
    double inverse[9]; /* of W, where K is curved */
  };
  SlipiLaw law; /* mu first */
  double W[9];  /* row-major */
} SlipiOneContact;

/* Prepare for a block W (row-major 3x3, already padded for 2D). */
void slipi_one_contact_prepare(SlipiOneContact *one, const double W[9], SlipiLaw law);

/* Pad a 2x2 block (row-major) to 3x3. Any positive W[8] gives the same solution; the other
 * tangent's keeps the scale of the block. */
static inline void slipi_one_contact_pad(const double block[4], double W[9]) {
  double own = block[3] > 0 ? block[3] : block[0];
  const double padded[9] = {block[0], block[1], 0, block[2], block[3], 0, 0, 0, own > 0 ? own : 1};
  for (int k = 0; k < 9; k++)
    W[k] = padded[k];
}

typedef struct SlipiOneContactRule {
  SlipiOneContactKind kind;
  double tol;   /* natural-map error relative to max(|q|, |W||r|); see docs/onecontact.md */
  int max_iter; /* of the iterative solvers */
} SlipiOneContactRule;

/* Improve r (in: a starting point, e.g. the last sweep's; out: the solution) for the given q. Never
 * returns something worse than its input in the natural-map error (but for rounding), except for
 * SLIPI_ONE_PROJECTION (one unguarded step) and the plain Newton kinds without line search, which
 * take the plain step. Where there are several solutions, the exact kinds take the one nearest to
 * the input. Returns the number of inner iterations (0 for exact). */
int slipi_one_contact_solve(SlipiOneContact *one, const SlipiOneContactRule *rule,
                            const double q[3], double r[3]);

/* |natural map| with the step rho of `one`, divided by rho*max(|q|, |W||r|): the error the
 * rule's tolerance is about. */
double slipi_one_contact_error(const SlipiOneContact *one, const double q[3], const double r[3]);

/* All solutions of a contact of Coulomb's kind with the given flow, as slip_one_contact_enumerate
 * has them. */
SlipStatus slipi_one_contact_list(const double W[9], const double q[3], double mu, SlipFlow flow,
                                  SlipQuartic form, SlipOneContact *found, SlipError *error);

#endif
