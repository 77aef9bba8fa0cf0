/* The linear systems of Newton's method on a whole problem: with Phi_ru and Phi_rr of each
 * contact (contact/nonsmooth.h), d from
 *
 *     [Phi_rr + Phi_ru W] d = b                                           local form (156)
 *
 *     [M          -H ] [dv]   [0]
 *     [Phi_ru H'  Phi_rr] [d ] = [b]                                      global form (157)
 *
 * which give the same d. The second needs no W, and is sparse where W is not.
 *
 * Unless a form or a factorisation is asked for, the operator's system (contact/system.h) takes the
 * local form, in impulse or velocity space. The others are factored by LAPACK or UMFPACK, and know
 * nothing of contacts that roll.
 */
#ifndef SLIPI_CONTACT_NEWTON_H
#define SLIPI_CONTACT_NEWTON_H

#include "contact/system.h"
#include "linalg/lu.h"

typedef enum SlipiNewtonForm {
  SLIPI_NEWTON_AUTO, /* by the work, or the entries, of the two systems */
  SLIPI_NEWTON_LOCAL,
  SLIPI_NEWTON_GLOBAL /* for global problems only */
} SlipiNewtonForm;

typedef struct SlipiNewton {
  int32_t d, nc, m, dof;
  bool global;
  SlipiOperator *op;
  SlipiSystem *system; /* the operator's; NULL: lu */
  SlipiScaled *scaled;
  double shift;        /* of the operator, in `scaled` */
  SlipiLaw *law;       /* Coulomb's for all, and */
  double *zero;        /* q = 0: `scaled` wants a law and a q, the linear systems need neither */
  double *Phi_ru;      /* with the system: nine values a contact, in the units of `scaled` */
  SlipiBsr W;          /* of the local form */
  SlipiCsr A;          /* the matrix */
  int32_t *where;      /* global form: place in its row of A of each entry of H' */
  SlipProblem problem; /* with M, H and H' as sparse matrices; global form only */
  const SlipiCsr *Ht;
  SlipiLu *lu;
  double *b, *x; /* as long as A has rows */
  double *K;     /* what couples contacts that roll, in the units of `scaled`; NULL: none does */
  double *own;   /* Phi_rr with all that is added to it, nine values a contact */
  SlipiArena arena;
} SlipiNewton;

/* `newton` is zeroed memory; slipi_newton_free frees it, also after create has failed. */
SlipStatus slipi_newton_create(SlipiOperator *op, SlipiNewtonForm form, SlipiLuKind lu,
                               SlipiNewton *newton, SlipError *error);
void slipi_newton_free(SlipiNewton *newton);

/* Factor the system, with `diagonal` added to Phi_rr's diagonal. W is the operator's at this time,
 * with its shift.
 * Phi_ru and Phi_rr hold nine values per contact. *rcond as slipi_lu_factor gives it. K is that of
 * slipi_system_factor_coupled, for problems with contacts that roll; NULL for others. */
SlipStatus slipi_newton_factor(SlipiNewton *newton, const double *Phi_ru, const double *Phi_rr,
                               const double *K, double diagonal, double *rcond, SlipError *error);

/* d (m values) for the right-hand side b (m values); they may be the same. */
SlipStatus slipi_newton_solve(SlipiNewton *newton, const double *b, double *d, SlipError *error);

#endif
