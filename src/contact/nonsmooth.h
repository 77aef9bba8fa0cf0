/* Nonsmooth equations whose zeros are the solutions of one contact (Acary, Brémond, Huber 2018,
 * section 3.3), with an element of their generalized Jacobians (appendix 2). Newton methods, for
 * one contact or for a whole problem, are built on these. */
#ifndef SLIPI_CONTACT_NONSMOOTH_H
#define SLIPI_CONTACT_NONSMOOTH_H

#include "contact/law.h"

typedef enum SlipiNonsmooth {
  SLIPI_NONSMOOTH_AC,  /* Alart-Curnier (62), with rho_T in the tangential line of (63) */
  SLIPI_NONSMOOTH_JM,  /* Jean-Moreau (60) */
  SLIPI_NONSMOOTH_NAT, /* the natural map (51), with rho_N as rho; for every law */
  SLIPI_NONSMOOTH_FB,  /* Fischer-Burmeister (79), u multiplied by rho_N; also relaxed */
  SLIPI_NONSMOOTH_HSW, /* Hueber-Stadler-Wohlmuth (66): AC's lines times a weight */
  SLIPI_NONSMOOTH_XSW  /* Xuewen-Soh-Wanji (65), mended; three dimensions only */
} SlipiNonsmooth;

/* The steps rho_N and rho_T, and an impulse that counts as large: HSW and XSW, whose lines are
 * products, are divided by it. */
typedef struct SlipiSteps {
  double normal, tangent, size;
} SlipiSteps;

/* F(u, r) and, where they are not NULL, Phi_ru = dF/du and Phi_rr = dF/dr (row-major 3x3),
 * u and r being independent: with u = W r + q the Jacobian is Phi_rr + Phi_ru W (156). On a kink
 * it is the limit from the side of the branch F takes there. AC's, JM's, HSW's and XSW's equations
 * hold for Coulomb's law only: in their place its relaxation and other laws take NAT's, and those
 * whose K is a product of axes a complementarity for each. */
void slipi_nonsmooth(SlipiNonsmooth kind, const SlipiLaw *law, SlipiSteps rho, const double u[3],
                     const double r[3], double F[3], double *Phi_ru, double *Phi_rr);

typedef enum SlipiStepRule {
  SLIPI_STEPS_NORM,           /* (109), with the Frobenius norm */
  SLIPI_STEPS_EIGEN,          /* (110) */
  SLIPI_STEPS_SPLIT,          /* (111): rho_N = 1/W_NN, rho_T = 1/lambda_max(W_TT) */
  SLIPI_STEPS_SPLIT_CONDITION /* (112): rho_T = lambda_min(W_TT)/lambda_max(W_TT)^2 */
} SlipiStepRule;

/* Steps of one contact, of size 1; W is row-major 3x3, of which the symmetric part counts. A
 * direction without stiffness takes the size of the others. */
SlipiSteps slipi_nonsmooth_steps(SlipiStepRule rule, const double W[9]);

/* The default rule: (111) for AC, JM, HSW and XSW, (109) for NAT and FB and for laws that take
 * NAT's equations in place of the others. */
SlipiStepRule slipi_nonsmooth_rule(SlipiNonsmooth kind, const SlipiLaw *law);

/* ---- For the files nonsmooth_*.c ---- */

/* FB and XSW of a Coulomb contact. */
void slipi_nonsmooth_fb(const SlipiLaw *law, double rho, const double u[3], const double r[3],
                        double F[3], double *Phi_ru, double *Phi_rr);
void slipi_nonsmooth_xsw(double mu, SlipiSteps rho, const double u[3], const double r[3],
                         double F[3], double *Phi_ru, double *Phi_rr);

#endif
