/* How u = W r + q is known: dense, block-sparse or factored H' M^-1 H. Methods see only this.
 *
 * Row access is stateful, so that the factored form can keep the velocity v = M^-1 H r beside
 * r: call row_start once, then row to read (W r) of one contact and row_update after changing
 * that contact's impulse. For the assembled forms the state is r itself.
 */
#ifndef SLIPI_CONTACT_OPERATOR_H
#define SLIPI_CONTACT_OPERATOR_H

#include "contact/problem.h"
#include "linalg/bsr.h"

typedef enum SlipiOperatorKind {
  SLIPI_OPERATOR_DENSE,
  SLIPI_OPERATOR_BLOCK,    /* d x d blocks of W */
  SLIPI_OPERATOR_VELOCITY, /* H' M^-1 H with block-diagonal M: velocity-form rows */
  SLIPI_OPERATOR_FACTORED  /* H' M^-1 H with sparse factors of M: no rows */
} SlipiOperatorKind;

typedef struct SlipiOperator SlipiOperator;

typedef struct SlipiOperatorTable {
  SlipiOperatorKind kind;
  bool rows; /* row_start, row and row_update are there */
  /* u = W r */
  SlipStatus (*apply)(SlipiOperator *op, const double *r, double *u, SlipError *error);
  void (*row_start)(SlipiOperator *op, const double *r);
  void (*row)(const SlipiOperator *op, int32_t contact, const double *r, double *u);
  void (*row_update)(SlipiOperator *op, int32_t contact, const double *change);
  void (*destroy)(SlipiOperator *op);
} SlipiOperatorTable;

struct SlipiOperator {
  const SlipiOperatorTable *table;
  int32_t d, nc, m, dof;
  int threads;
  double *diagonal; /* d*d values (row-major) per contact */
  void *data;       /* of the kind */
  SlipiArena arena;
};

/* Make an operator of a given kind. A local problem cannot be VELOCITY or FACTORED; a global
 * one is reduced first for DENSE and BLOCK. */
SlipStatus slipi_operator_create(const SlipProblem *problem, SlipiOperatorKind kind, int threads,
                                 SlipiOperator **op, SlipError *error);
void slipi_operator_free(SlipiOperator *op);

/* The cheapest kind for this problem that can do rows (needs_rows) or only apply. */
SlipiOperatorKind slipi_operator_choose(const SlipProblem *problem, bool needs_rows);

/* v = M^-1 (H r + f) and q = H' M^-1 f + w of a global problem, with f and w possibly not the
 * problem's own. */
SlipStatus slipi_operator_velocity(SlipiOperator *op, const double *r, const double *f, double *v,
                                   SlipError *error);

/* W as block-sparse rows, whatever the kind. */
SlipStatus slipi_operator_assemble(SlipiOperator *op, SlipiArena *arena, SlipiBsr *W,
                                   SlipError *error);

#endif
