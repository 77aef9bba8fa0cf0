/* Some contacts of a problem, all others frozen: with B the contacts of the part and C the others,
 *
 *     u_B = W_BB r_B + (q_B + W_BC r_C)
 *
 * is a problem of its own, with an operator that methods and linear systems take like any other. A
 * part is filled again and again; its memory is that of the largest it has been. */
#ifndef SLIPI_CONTACT_PART_H
#define SLIPI_CONTACT_PART_H

#include "contact/operator.h"

typedef struct SlipiPart {
  SlipiOperator *whole;
  const SlipiBsr *W;   /* of the whole; its blocks are read by slipi_operator_block */
  int32_t nc, m;       /* of the part */
  int32_t *contact;    /* its contacts, ascending */
  int32_t *place;      /* of each contact of the whole: where it is in `contact`, -1: nowhere */
  SlipProblem problem; /* of the part, local, with its laws */
  SlipiOperator *op;
  double *q, *r;
  SlipiArena arena; /* of all that changes from filling to filling */
} SlipiPart;

/* An empty part, in zeroed memory; slipi_part_destroy also after a failure. */
SlipStatus slipi_part_create(SlipiOperator *whole, SlipiArena *arena, SlipiPart *part,
                             SlipError *error);
void slipi_part_destroy(SlipiPart *part);

/* Choose up to `size` contacts: `centre`, the contacts it shares a block of W with, those that
 * these share one with, and so on. */
void slipi_part_choose(SlipiPart *part, int32_t centre, int32_t size);

/* Choose the contacts a of the whole with in[a]. */
void slipi_part_take(SlipiPart *part, const bool *in);

/* Make the problem of the chosen contacts, with law, q and r of the whole. */
SlipStatus slipi_part_fill(SlipiPart *part, const SlipiLaw *law, const double *q, const double *r,
                           SlipError *error);

/* The part's impulses into those of the whole. */
void slipi_part_put_back(const SlipiPart *part, double *r);

#endif
