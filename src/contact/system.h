/* The linear systems of methods that factor matrices:
 *
 *     J x = b,   J = A W C + B
 *
 * with W of a scaled problem (contact/scaled.h) and A, B, C block-diagonal, one 3 x 3 block a
 * contact, unsymmetric and (but for C) singular ones allowed. Newton's method has A = dF/du,
 * B = dF/dr and C = I, so that open contacts (A = 0) and sticking ones (B = 0 but for a proximal
 * weight) need no case of their own. Interior-point methods have their scaling in B, and A and C
 * turn it into its eigenbasis, where B is diagonal.
 *
 * Either J is factored as it is (impulse space), or, for bodies whose M is made of small blocks and
 * where it takes fewer operations, with E = C B^-1 A
 *
 *     M + H E H'   (velocity space),   det J = det B det(M + H E H') / det M
 *
 * which loses digits where B is small. Solutions are refined against the residual in impulse space;
 * where that does not help enough, J is factored in impulse space after all, and if need be with
 * pivots from the whole matrix.
 *
 * There is one system for an operator, so that methods that take turns share its analysis and its
 * memory; each works with the factors of its last call. */
#ifndef SLIPI_CONTACT_SYSTEM_H
#define SLIPI_CONTACT_SYSTEM_H

#include "contact/scaled.h"

typedef struct SlipiSystem SlipiSystem;

/* Ways to factor J, each safer than the one before. */
typedef enum SlipiSystemSpace {
  SLIPI_SYSTEM_VELOCITY,
  SLIPI_SYSTEM_IMPULSE,
  SLIPI_SYSTEM_PIVOTED /* impulse space, LAPACK or UMFPACK */
} SlipiSystemSpace;

/* The operator's system, analysed when it is asked for first. It lives as long as the operator. */
SlipStatus slipi_system_of(SlipiOperator *op, SlipiSystem **system, SlipError *error);
/* Forget which spaces earlier factorisations had to leave: a run gives the same bits whatever ran
 * before. system may be NULL. */
void slipi_system_start(SlipiSystem *system);
/* The operator is about to become another's: nothing of it counts any more, its memory is kept for
 * the next time the system is asked for. system may be NULL. */
void slipi_system_forget(SlipiSystem *system);
void slipi_system_free(SlipiSystem *system);

/* Use this space first, in place of the one with the least work; false where it is not to be
 * had. */
bool slipi_system_prefer(SlipiSystem *system, SlipiSystemSpace space);
/* The space the last factorisation was made in. */
SlipiSystemSpace slipi_system_space(const SlipiSystem *system);

/* The work of one factorisation in the space that is used first, in the units of slipi_lu_work; and
 * in each space (INFINITY where it is not to be had). Counted, never timed, so always the same. */
double slipi_system_work(const SlipiSystem *system);
double slipi_system_work_in(const SlipiSystem *system, SlipiSystemSpace space);

/* Factor J; A NULL: I. `scaled`, A and B must stay as they are until the last solve. *sign is that
 * of det J, 1 or -1, or 0 for a matrix that is singular or not finite, which leaves no factors. */
SlipStatus slipi_system_factor(SlipiSystem *system, const SlipiScaled *scaled, const double *A,
                               const double *B, int *sign, SlipError *error);
/* The same with C, whose blocks have positive determinants. */
SlipStatus slipi_system_factor_between(SlipiSystem *system, const SlipiScaled *scaled,
                                       const double *A, const double *B, const double *C, int *sign,
                                       SlipError *error);

/* The same with J = A W + B + K, where K couples contacts with the one before: its 3 x 3 block of
 * contact c is in row c, column c - 1 (contact/rolling.h), and none of it is that of contact c - 1.
 * NULL: none. Where it has one, W must have a block in its place; velocity space takes it where
 * both touch the same bodies. K must stay until the last solve. */
SlipStatus slipi_system_factor_coupled(SlipiSystem *system, const SlipiScaled *scaled,
                                       const double *A, const double *B, const double *K, int *sign,
                                       SlipError *error);

/* A crude reciprocal condition of the matrix factored last: the ratio of the smallest to the
 * largest pivot, or 1 where several processes share the matrix. */
double slipi_system_rcond(const SlipiSystem *system);

/* x = J^-1 b, refined. b and x may not overlap. */
SlipStatus slipi_system_solve(SlipiSystem *system, const double *b, double *x, SlipError *error);

/* The same as the factors have it, not refined: for who looks at the residual. */
SlipStatus slipi_system_solve_once(SlipiSystem *system, const double *b, double *x,
                                   SlipError *error);

/* ---- Bodies: after a factorisation in velocity space only ----
 *
 * W = A_b' B_b + S, where S is the contacts' own and A_b, B_b are H with the halves of M
 * (contact/system_velocity.h), in the units of the scaled problem. Where B is small, x is known
 * from the velocities z far better than W x is from x: methods that carry z along solve
 *
 *     A A_b' z + (B + A S C) x = b,     z - B_b C x = g
 *
 * refined against the residuals of both equations, until these are `enough` times b and g. */

/* Values of z; 0 where there is no velocity space. */
int32_t slipi_system_body_rows(const SlipiSystem *system);
void slipi_system_solve_bodies(SlipiSystem *system, const double *b, const double *g, double enough,
                               double *x, double *z);
/* z = B_b r, and u = A_b' z + S r; `scaled` is that of the last factorisation, or of the next. */
void slipi_system_gather(const SlipiSystem *system, const SlipiScaled *scaled, const double *r,
                         double *z);
void slipi_system_spread(SlipiSystem *system, const SlipiScaled *scaled, const double *z,
                         const double *r, double *u);

#endif
