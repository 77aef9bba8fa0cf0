/* The cone program of Acary, Cadoux 2013, eq. 4.39, in the units of SlipiKinematics:
 *
 *     max s   subject to   (H' x + w - e s)^i in Q,   s <= SLIPI_PROGRAM_BOUND,
 *
 * bilateral contacts having (H' x + w)^i = 0 instead. Its dual finds y in Q with H y = 0 and
 * sum y_N + t = 1 that makes w'y + bound t least: y is a certificate where that is negative. */
#ifndef SLIPI_EXIST_PROGRAM_H
#define SLIPI_EXIST_PROGRAM_H

#include "contact/soc.h"
#include "exist/normal.h"

/* w has size 1 in these units and so no margin below -2: a point with s above 2 has H' x inside the
 * cones, and then ker(H) and K meet in 0 alone (Acary, Cadoux, Lemaréchal, Malick 2011, Theorem
 * 5.1). */
#define SLIPI_PROGRAM_BOUND 4.0

typedef enum SlipiProgramEnd {
  SLIPI_PROGRAM_OPTIMAL,
  SLIPI_PROGRAM_UNBOUNDED, /* s could be as large as one likes */
  SLIPI_PROGRAM_STALLED,   /* no more progress in double precision */
  SLIPI_PROGRAM_TIME       /* over the time limit, or it would be */
} SlipiProgramEnd;

typedef struct SlipiProgram {
  SlipiKinematics *kin;
  SlipiNormal normal;
  double *x, s; /* (x, s) is feasible at every iteration */
  double *y, t; /* of the cones and of the bound */
  double *z, z0;
  SlipiSocScaling *scaling;
  double *dx, ds, *dz, dz0, *dy, dt, *p, p0; /* the step and its right-hand side */
  double *Hy, *b;
  double *kept;          /* the best dual point: z, y, z0, t */
  double merit;          /* of the point in `kept` */
  double *best, best_s;  /* the best primal point */
  double above;          /* s* is at most this, up to the residual of H y = 0 */
  double centre;         /* the mean complementarity, the barrier's parameter */
  double infeasible;     /* the largest of H y */
  int bilateral;         /* how many contacts are bilateral */
  double bilateral_left; /* the largest of H' x + w there */
  int iterations;
} SlipiProgram;

SlipStatus slipi_program_create(SlipiArena *arena, const SlipiKinematics *ready,
                                SlipiProgram *program, SlipError *error);
void slipi_program_free(SlipiProgram *program);

/* stop NULL: it goes on to its end. */
SlipStatus slipi_program_solve(SlipiProgram *program, const SlipiStop *stop, SlipiProgramEnd *end,
                               SlipError *error);

/* Only the bilateral contacts, by least squares: *left is the largest of H' x + w there. Where it
 * is not 0, the residual itself, which y becomes, proves that they contradict each other. */
SlipStatus slipi_program_bilateral(SlipiProgram *program, double *left, SlipError *error);

/* Bring y to H y = 0 and into Q as far as double precision allows. */
SlipStatus slipi_program_polish(SlipiProgram *program, SlipError *error);

/* The least of z_N - |z_T| over the contacts that are not bilateral; INFINITY without any. */
double slipi_program_margin(const SlipiKinematics *kin, const double *z);

#endif
