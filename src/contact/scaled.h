/* A problem in units of its own, for methods that factor matrices: block-sparse W with diagonal
 * blocks of trace 3, |q| of maximum 1, three components a contact also in 2D. With r = a r' and
 * u = b u', a and b one factor per component,
 *
 *     u' = W' r' + q',   W' = b^-1 W a,   q' = b^-1 q
 *
 * where a and b^-1 are the same but for a common unit: W' = root W root. For cone methods mu is
 * folded into the tangents, a_T = mu a_N and b_T = b_N/mu, which makes every cone the self-dual
 * one; other sets stay as they are, their lengths in the new units. Components that bear no impulse
 * are left out, with a = 0. Errors are measured in the original units all the same.
 */
#ifndef SLIPI_CONTACT_SCALED_H
#define SLIPI_CONTACT_SCALED_H

#include "contact/law.h"
#include "contact/operator.h"

typedef struct SlipiScaled {
  int32_t d, nc, m; /* m = 3 nc, whatever d */
  bool fold;        /* mu is folded into the tangents */
  SlipiBsr W;       /* 3 x 3 blocks, scaled; those of the diagonal only, where other processes have
                       a part of the problem */
  double *q;        /* m */
  double *a, *b;    /* m */
  SlipiLaw *law;    /* in these units: mu = 1 where it is folded */
  SlipiOperator *op;
  const SlipiBsr *original; /* the operator's; its blocks are read by slipi_operator_block, */
  SlipiBsr diagonal;        /* or, where it has the diagonal only, by slipi_operator_diagonal */
  double *root;             /* m */
  double *size;             /* of each contact: the root of its block's mean diagonal */
  bool whole;               /* W is there */
} SlipiScaled;

/* Make room for the operator's W; slipi_scaled_set fills in. */
SlipStatus slipi_scaled_create(SlipiOperator *op, bool fold, SlipiArena *arena, SlipiScaled **made,
                               SlipError *error);

/* Scale for these laws and this q; laws_changed: W too (the operator's shift may have changed).
 * Folded, mu below 1e-8 counts as 1e-8; tangents without friction are left out. SLIP_ERROR_NUMERIC
 * where the operator's run was stopped: then W is scaled the next time. */
SlipStatus slipi_scaled_set(SlipiScaled *scaled, const SlipiLaw *law, const double *q,
                            bool laws_changed, SlipError *error);

/* To these units (3 a contact) from the problem's (d a contact), and back. */
void slipi_scaled_to(const SlipiScaled *scaled, const double *r, double *r_scaled);
void slipi_scaled_back(const SlipiScaled *scaled, const double *r_scaled, double *r);

/* u = W r + q in these units. */
void slipi_scaled_velocity(const SlipiScaled *scaled, const double *r, double *u);

#endif
