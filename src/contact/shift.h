/* Cones whose apex is not at r = 0. A contact that holds a pull c bears the impulses of
 *
 *     K = K_0 - c e,    e the normal, K_0 Coulomb's cone
 *
 * which is Coulomb's law in s = r + c e: u = W r + q = W s + (q - W c e), and K_0* ∋ u + g(u) ⟂ s.
 * Everything that solves or judges such a problem takes it in s, so that what is true of Coulomb's
 * cone is true of the shifted one: all its methods, the second measure, the existence check. Only
 * the size of q, by which errors are divided, is that of the problem as it was given. */
#ifndef SLIPI_CONTACT_SHIFT_H
#define SLIPI_CONTACT_SHIFT_H

#include "contact/problem.h"

/* Whether some contact has a shifted cone. */
bool slipi_shift_has(const SlipProblem *problem);

/* The problem in s. Its laws, and q, or f and w, are in the arena; everything else stays that of
 * the given one, which must live as long. */
SlipStatus slipi_shift_problem(const SlipProblem *given, SlipiArena *arena, SlipProblem *plain,
                               SlipError *error);

/* r += times c e. */
void slipi_shift_impulses(const SlipProblem *given, double times, double *r);

/* Of the law of one contact: that of s. */
SlipiLaw slipi_shift_law(SlipiLaw law);

/* q of a local problem, f and w of another one, in s from those in r. `c` has c e of all contacts,
 * `room` is for dof values. */
void slipi_shift_q(const SlipProblem *problem, const double *c, double *q);
void slipi_shift_f(const SlipProblem *problem, const double *c, double *room, double *f);
void slipi_shift_w(const SlipProblem *problem, const double *c, double *w);

#endif
