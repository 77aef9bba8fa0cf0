/* Contacts with offsets (methods/common_mend.h) mended among their neighbours, the impulses of all
 * others frozen: those others take what that does to them as offsets of their own. Small problems
 * have short curves and cheap steps; an offset becomes several smaller ones further away. */
#ifndef SLIPI_METHODS_COMMON_MEND_NEAR_H
#define SLIPI_METHODS_COMMON_MEND_NEAR_H

#include "base/random.h"
#include "contact/part.h"
#include "methods/common_path.h"

/* Offsets that are left to others, unless told. */
#define SLIPI_MEND_SMALL 1e-6

/* Sizes of parts that are solved from a start of their own. */
enum { SLIPI_MEND_SIZES = 2 };

/* Solves a part from a start of its own. */
typedef SlipStatus (*SlipiMendSolve)(const SlipiRun *run, const double *mu, SlipiArena *arena,
                                     double *r, bool *arrived, SlipError *error);

typedef struct SlipiMendNear {
  const SlipiRun *run;
  const double *mu;     /* of all contacts */
  SlipiMendSolve solve; /* NULL: parts are never begun anew */
  SlipiPart part;
  SlipiPath path;              /* of the part */
  SlipiArena arena, inner;     /* of the path, and of `solve` */
  double impulses, velocities; /* units of the whole in those of the part */
  double *r, *dr, *c;          /* m of the whole */
  double *mu_part, *r_part;    /* nc and m, of the part */
  int *failed;                 /* nc: how many ways have failed around a contact */
  int *visited;                /* nc: how often it had the largest offset */
  double small;                /* offsets that are left to others, SLIPI_MEND_SMALL at first */
  int anew;                    /* parts that were begun anew */
  /* Of each size: how many such parts are passed over after one that was not solved, and how many
   * of these are still to come. */
  int pause[SLIPI_MEND_SIZES], left[SLIPI_MEND_SIZES];
} SlipiMendNear;

/* Room in `arena`, in zeroed memory (but for `solve`); slipi_mend_near_destroy also after a
 * failure. */
SlipStatus slipi_mend_near_create(const SlipiRun *run, const double *mu, SlipiArena *arena,
                                  SlipiMendNear *near, SlipError *error);
void slipi_mend_near_destroy(SlipiMendNear *near);

/* `whole` is at a solution for its offsets c: around the contacts with the largest ones, while that
 * brings all of them down. */
SlipStatus slipi_mend_near(SlipiMendNear *near, SlipiPath *whole, SlipiRandom *random,
                           SlipError *error);

#endif
