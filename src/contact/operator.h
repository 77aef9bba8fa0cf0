/* How u = W r is known: dense, block-sparse or factored H' M^-1 H. Methods see only this.
 *
 * Row access is stateful, so that the factored form can keep v = M^-1 H r beside r: call
 * row_start once, then row to read (W r) of one contact and row_update after changing that
 * contact's impulse. For the assembled forms the state is r itself.
 */
#ifndef SLIPI_CONTACT_OPERATOR_H
#define SLIPI_CONTACT_OPERATOR_H

#include "contact/mass.h"

typedef enum SlipiOperatorKind {
  SLIPI_OPERATOR_DENSE,
  SLIPI_OPERATOR_BLOCK,    /* d x d blocks of W */
  SLIPI_OPERATOR_VELOCITY, /* H' M^-1 H with block-diagonal M: velocity-form rows */
  SLIPI_OPERATOR_FACTORED  /* H' M^-1 H with sparse factors of M: no rows */
} SlipiOperatorKind;

typedef struct SlipiOperator SlipiOperator;

typedef struct SlipiOperatorTable {
  SlipiOperatorKind kind;
  const char *name;
  /* u = W r */
  SlipStatus (*apply)(SlipiOperator *op, const double *r, double *u, SlipError *error);
  /* Rows; NULL where a kind has none. */
  void (*row_start)(SlipiOperator *op, const double *r);
  void (*row)(const SlipiOperator *op, int32_t contact, const double *r, double *u);
  void (*row_update)(SlipiOperator *op, int32_t contact, const double *change);
  /* The d x d block (row-major) of one contact. */
  SlipStatus (*diagonal)(SlipiOperator *op, int32_t contact, double *block, SlipError *error);
} SlipiOperatorTable;

struct SlipiOperator {
  const SlipiOperatorTable *table;
  const SlipProblem *problem;
  SlipiMass *mass; /* borrowed; NULL for a local problem */
  int32_t d, nc, m;
  int threads;
  void *data; /* of the kind, in the arena */
  SlipiArena arena;
};

/* Make an operator of a given kind; mass is NULL for a local problem, which cannot be VELOCITY
 * or FACTORED. A global problem is reduced for DENSE and BLOCK. */
SlipStatus slipi_operator_create(const SlipProblem *problem, SlipiMass *mass,
                                 SlipiOperatorKind kind, int threads, SlipiOperator **op,
                                 SlipError *error);
void slipi_operator_free(SlipiOperator *op);

/* The cheapest kind for this problem, with rows or without. */
SlipStatus slipi_operator_choose(const SlipProblem *problem, const SlipiMass *mass, bool rows,
                                 SlipiOperatorKind *kind, SlipError *error);

/* The kinds: each fills `table` and `data` of an operator whose other fields are set. */
SlipStatus slipi_operator_init_dense(SlipiOperator *op, SlipError *error);
SlipStatus slipi_operator_init_block(SlipiOperator *op, SlipError *error);
SlipStatus slipi_operator_init_velocity(SlipiOperator *op, SlipError *error);
SlipStatus slipi_operator_init_factored(SlipiOperator *op, SlipError *error);

/* W as block-sparse rows, whatever the kind: converted from the local form or reduced. */
SlipStatus slipi_operator_assemble(const SlipProblem *problem, SlipiMass *mass, SlipiArena *arena,
                                   SlipiBsr *W, SlipError *error);

#endif
