/* A problem in moderate units. The unit of mass multiplies W, the unit of time (or of length) q;
 * both are arbitrary, and numbers far from 1 end in squares that overflow, in differences that
 * vanish beside large impulses, and in an error (131) that adds impulses and velocities of
 * different worlds. A solver therefore works with
 *
 *     W' = 2^-W W,    q' = 2^-q q,    u' = 2^-q u,    r' = 2^(W-q) r
 *
 * and gives the results back in the units it got. Powers of two change no bit but the exponents:
 * two problems that differ by such a factor give the same bits. Both exponents are 0 for moderate
 * problems (all that were seen in practice are), which are solved as they are, without a copy. */
#ifndef SLIPI_CONTACT_UNITS_H
#define SLIPI_CONTACT_UNITS_H

#include "contact/problem.h"
#include "contact/share.h"

typedef struct SlipiUnits {
  int W, q;
} SlipiUnits;

/* |q| within these needs no other unit. */
#define SLIPI_UNITS_Q_LEAST 0x1p-100
#define SLIPI_UNITS_Q_MOST 0x1p100

/* The exponent by which W is divided: 0, or that of its typical diagonal entry where this is above
 * 2^20 or below 2^-20. From a sample of the contacts, the same for every form up to small factors.
 */
int slipi_units_of_W(const SlipProblem *problem, const SlipiShare *share);

/* The exponent by which q is divided, of a q that has been divided by 2^now: 0, or that of its
 * largest entry where this is not moderate. */
int slipi_units_of_q(const double *q, int32_t count, int now, const SlipiShare *share);

/* x = 2^by x. */
void slipi_units_scale(double *x, int64_t count, int by);

/* The law where impulses are multiplied by 2^by. */
SlipiLaw slipi_units_law(SlipiLaw law, int by);

/* C of a problem divided by 2^W, NULL where it has none; memory is in the arena. */
SlipStatus slipi_units_compliance(const SlipProblem *given, int W, SlipiArena *arena,
                                  const double **C, SlipError *error);

/* The problem with W (or M) and C in other units; everything else, the vectors and the laws
 * included, stays that of the given one, which must live as long. */
SlipStatus slipi_units_problem(const SlipProblem *given, int W, SlipiArena *arena,
                               SlipProblem *scaled, SlipError *error);

#endif
