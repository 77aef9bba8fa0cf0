/* Nonsmooth equations whose zeros are the solutions of one contact (004 section 3.3), with an
 * element of their generalized Jacobians (appendix 2). Newton methods, for one contact or for a
 * whole problem, are built on these. */
#ifndef SLIPI_CONTACT_NONSMOOTH_H
#define SLIPI_CONTACT_NONSMOOTH_H

#include "contact/law.h"

typedef enum SlipiNonsmooth {
  SLIPI_NONSMOOTH_AC, /* Alart-Curnier (62), with rho_T in the tangential line of (63) */
  SLIPI_NONSMOOTH_JM, /* Jean-Moreau (60) */
  SLIPI_NONSMOOTH_NAT /* the natural map (51), with rho_N as rho; also for the associated law */
} SlipiNonsmooth;

/* The steps rho_N and rho_T. */
typedef struct SlipiSteps {
  double normal, tangent;
} SlipiSteps;

/* F(u, r) and, where they are not NULL, Phi_ru = dF/du and Phi_rr = dF/dr (row-major 3x3),
 * u and r being independent: with u = W r + q the Jacobian is Phi_rr + Phi_ru W (156). On a kink
 * it is the limit from the side of the branch F takes there. */
void slipi_nonsmooth(SlipiNonsmooth kind, const SlipiLaw *law, SlipiSteps rho, const double u[3],
                     const double r[3], double F[3], double *Phi_ru, double *Phi_rr);

/* The default steps (111), rho_N = 1/W_NN and rho_T = 1/lambda_max(W_TT), for AC and JM; (109)
 * with the Frobenius norm for NAT. W is row-major 3x3. */
SlipiSteps slipi_nonsmooth_steps(SlipiNonsmooth kind, const double W[9]);

#endif
