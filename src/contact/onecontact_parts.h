/* Declarations that the files of the one-contact solvers share among themselves. Equations are
 * those of Bonnefon, Daviet 2011. */
#ifndef SLIPI_CONTACT_ONECONTACT_PARTS_H
#define SLIPI_CONTACT_ONECONTACT_PARTS_H

#include "contact/onecontact.h"

/* A one-contact problem; W and q of size about 1 (powers of two are taken out before). */
typedef struct SlipiBlock {
  double W[9], q[3], mu;
  SlipFlow flow;
} SlipiBlock;

/* A guess of a slide: r = n (1, mu c, mu s), u_T = -speed (c, s). */
typedef struct SlipiSlideGuess {
  double n, c, s, speed;
  bool free; /* one of infinitely many */
} SlipiSlideGuess;

enum { SLIPI_GUESSES_MAX = 2 * 8 };

/* Candidates for slides by root finding; `guesses` has room for SLIPI_GUESSES_MAX. The first two
 * find all slides of a Coulomb contact whether W is symmetric or not (sections 3 and 4 of that
 * paper), the third those of the associated law. */
int slipi_quartic_tan(const SlipiBlock *block, SlipiSlideGuess *guesses);
int slipi_quartic_alpha(const SlipiBlock *block, SlipiSlideGuess *guesses);
int slipi_quartic_associated(const SlipiBlock *block, SlipiSlideGuess *guesses);

/* The case W_NN = 0 of section 4: every alpha gives a slide if q_N = 0; this is alpha = 1. */
bool slipi_quartic_massless(const SlipiBlock *block);
SlipiSlideGuess slipi_quartic_massless_slide(const SlipiBlock *block);

/* The coefficients of the two polynomials, lowest first: (21) in t = tan(theta/2), and (27) in
 * alpha (W_NN must not be 0). */
void slipi_quartic_tan_coefficients(const SlipiBlock *block, double P[5]);
void slipi_quartic_alpha_coefficients(const SlipiBlock *block, double P[5]);

/* Every solution, each once: open, stick, slides. */
void slipi_enumerate(const SlipiBlock *block, SlipQuartic form, SlipOneContact *list);

/* The axes of a contact with the associated flow; false where W is no symmetric, well conditioned
 * matrix of moderate size, or mu is extreme. */
bool slipi_one_contact_align(const double W[9], double scale, double mu, SlipiAxes *axes);
/* Its solution; false, r being unchanged, where that is not found to rounding. one->aligned must
 * hold. */
bool slipi_one_contact_associated(SlipiOneContact *one, const double q[3], double r[3]);

/* The iterative solvers, on W and q of moderate size. Return the number of iterations. */
int slipi_one_contact_newton(const SlipiOneContact *one, const SlipiOneContactRule *rule,
                             const double q[3], double r[3]);
/* Plain Newton steps on the natural map, of a law without g; false, r being unchanged, where some
 * do not end at an error of tol. */
bool slipi_one_contact_near(SlipiOneContact *one, double tol, const double q[3], double r[3]);
int slipi_one_contact_project(const SlipiOneContact *one, const double q[3], double r[3]);
int slipi_one_contact_project_loop(const SlipiOneContact *one, const SlipiOneContactRule *rule,
                                   const double q[3], double r[3]);

#endif
