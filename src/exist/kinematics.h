/* The kinematics u = H' v + w as the existence check sees them: contact by contact, with friction
 * folded into the tangents (z = (u_N, mu u_T), so that u is in K* where z is in the self-dual cone
 * Q of contact/soc.h), in units in which w and the rows of H have size 1.
 *
 * A local problem is seen as u = W x + q: if W = H' M^-1 H with M positive definite, the set
 * {H' v + w} is {W x + q}, so the criterion (A) of Acary, Cadoux 2013 is the same. */
#ifndef SLIPI_EXIST_KINEMATICS_H
#define SLIPI_EXIST_KINEMATICS_H

#include "contact/problem.h"

/* The data in the user's units; for a local problem Ht is W, H is W', w is q. Compliance is part of
 * them (see check.c). */
typedef struct SlipiAffine {
  int32_t d, nc, n;
  const SlipiCsr *Ht, *H;
  const double *w;
  const SlipiLaw *law; /* of each contact: K is a cone */
  double size;         /* of w: the largest of max(1, mu) |w| over the contacts */
} SlipiAffine;

typedef struct SlipiKinematics {
  const SlipiAffine *data;
  bool frictionless;
  int32_t nc, n;    /* contacts; degrees of freedom that some contact feels */
  int32_t *dof;     /* the problem's degree of freedom for each of ours */
  double *unit;     /* v = unit x size */
  double size;      /* the problem's w is size times the stored one */
  bool *bilateral;  /* by contact: r is free where the contact has a component */
  double *mu;       /* by contact, as folded */
  double *w;        /* three values per contact */
  int32_t *p, *k;   /* contact c has entries p[c]..p[c+1]-1, for degree of freedom k */
  double *h;        /* three values per entry */
  int32_t *tp, *te; /* degree of freedom j has the entries te[tp[j]..tp[j+1]-1] */
  int32_t *tc;      /* contact of each entry of te */
} SlipiKinematics;

/* frictionless: take every Coulomb contact without friction, which gives the condition (A').
 * drop: degrees of freedom to leave at 0, by their place in the user's data; NULL for none. */
SlipStatus slipi_kinematics_create(SlipiArena *arena, const SlipiAffine *data, bool frictionless,
                                   const bool *drop, SlipiKinematics *kinematics, SlipError *error);

/* z = H' x (three values per contact), without w. */
void slipi_kinematics_apply(const SlipiKinematics *kinematics, const double *x, double *z);
/* x = H y. */
void slipi_kinematics_apply_transposed(const SlipiKinematics *kinematics, const double *y,
                                       double *x);

#endif
