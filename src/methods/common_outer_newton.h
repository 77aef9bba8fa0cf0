/* Newton's method on s = F(s) (Acary, Cadoux, Lemaréchal, Malick 2011, section 6), F(s) = g(u(s))
 * of the solution r(s) of the convex problem of Acary, Brémond, Huber 2018, eq. 130. With
 * Phi(W r + q + E s, r) = 0 the natural map of that problem, g off, E s the vector with s on the
 * normals and D = dF/du (for Coulomb mu u_T'/|u_T|), a step solves
 *
 *     Phi_rr dr + Phi_ru (W dr + E ds) = -Phi,     ds = D W dr + F(s) - s
 *
 * whose elimination of ds leaves a system of the form (156). Safeguard: where |F(s) - s|^2 does not
 * fall the step is cut, and after some cuts the plain s <- F(s) is taken. */
#ifndef SLIPI_METHODS_COMMON_OUTER_NEWTON_H
#define SLIPI_METHODS_COMMON_OUTER_NEWTON_H

#include "contact/newton.h"
#include "contact/nonsmooth.h"
#include "methods/method.h"

typedef struct SlipiOuterNewton {
  SlipiNewton newton;
  SlipiSteps *rho;               /* nc */
  double *Phi_ru, *Phi_rr;       /* 9 nc */
  double *slope;                 /* D: 3 nc */
  double *b, *Wd;                /* m */
  double *base, *image, *change; /* nc: the last point taken, F there, Newton's step from there */
  double size;                   /* |F - s| at `base` */
  double t; /* share of the step being tried; 0: the next point is taken in any case */
} SlipiOuterNewton;

/* In zeroed memory; slipi_outer_newton_free frees it, also after create has failed. */
SlipStatus slipi_outer_newton_create(const SlipiRun *run, SlipiOuterNewton *outer,
                                     SlipError *error);
void slipi_outer_newton_free(SlipiOuterNewton *outer);

/* Before the first step, and after W or the laws have changed. */
SlipStatus slipi_outer_newton_start(SlipiRun *run, SlipiOuterNewton *outer, SlipError *error);

/* s becomes the next point to try: run->r is the solution for s under the laws `convex`, u is
 * W r + q, image is F(s). */
SlipStatus slipi_outer_newton_next(SlipiRun *run, SlipiOuterNewton *outer, const SlipiLaw *convex,
                                   const double *u, const double *image, double *s,
                                   SlipError *error);

/* Whether the point that has just been tried was refused, so that the next one is another from the
 * same base. */
static inline bool slipi_outer_newton_cut(const SlipiOuterNewton *outer) {
  return outer->t < 1;
}

#endif
