/* The frame of the built-in problems: a kind fills a draft, the table (table.c) checks its options
 * and makes a SlipProblem of the draft. */
#ifndef SLIPI_GEN_GEN_H
#define SLIPI_GEN_GEN_H

#include <slipcone/generate.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"

/* A matrix as a list of entries; entries in the same place add up. */
typedef struct SlipiEntries {
  int64_t count, room;
  int32_t *row, *col;
  double *x;
} SlipiEntries;

typedef struct SlipiDraft {
  SlipiArena arena;
  SlipForm form;
  int32_t d, nc, dof;
  SlipiEntries W;      /* local; unused where dense is set */
  double *dense;       /* local: W as m*m values */
  SlipiEntries M, H;   /* global */
  double *q;           /* local, d*nc */
  double *f, *w;       /* global: dof, d*nc */
  double *mu;          /* nc */
  int32_t *law;        /* nc: SlipLaw */
  int32_t *bound;      /* nc, of SLIP_BILATERAL; NULL: every component */
  double *r;           /* the solution, d*nc, where it is known */
  SlipiRandom *random; /* seeded from the options */
} SlipiDraft;

/* Room for the entries of a matrix. A number of entries that 32-bit indices cannot count is
 * refused with a sentence. */
SlipStatus slipi_entries_alloc(SlipiDraft *draft, SlipiEntries *entries, int64_t room,
                               SlipError *error);

static inline void slipi_entries_add(SlipiEntries *entries, int32_t row, int32_t col, double x) {
  entries->row[entries->count] = row;
  entries->col[entries->count] = col;
  entries->x[entries->count++] = x;
}

/* Vectors of a draft, once d, nc, dof and form are set; mu is the same for every contact. */
SlipStatus slipi_draft_vectors(SlipiDraft *draft, double mu, SlipError *error);

/* Choose statuses (a third each open, stick, slip, in random order), the impulses r and
 * velocities u (d*nc values) that the laws ask for then. */
SlipStatus slipi_gen_known(SlipiDraft *draft, double *u, SlipError *error);

/* A unit vector in d = 2 or 3 dimensions, or (d = 1) a sign. */
void slipi_gen_direction(SlipiRandom *random, int d, double *x);

/* The kinds. */
typedef SlipStatus (*SlipiGenBuild)(const SlipGenerate *options, SlipiDraft *draft,
                                    SlipError *error);
SlipStatus slipi_gen_random(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_deficient(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_unsymmetric(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_frictionless(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_bilateral(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_joints(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_dense(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_deficient_global(const SlipGenerate *options, SlipiDraft *draft,
                                      SlipError *error);
SlipStatus slipi_gen_one(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_stack(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_wall(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_slope(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_pile(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_press(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_painleve(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_crushed(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_walls(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_drum(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_elastic(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);
SlipStatus slipi_gen_mixed(const SlipGenerate *options, SlipiDraft *draft, SlipError *error);

#endif
