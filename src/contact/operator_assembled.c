/* The operators that hold W itself: dense and block-sparse. */
#include "contact/operator.h"
#include "linalg/vector.h"

#include <string.h>

static void no_row_start(const SlipiOperator *op, const double *r, SlipiRowState *state) {
  (void)op;
  (void)r;
  (void)state;
}

static void no_row_update(const SlipiOperator *op, int32_t contact, const double *change,
                          SlipiRowState *state) {
  (void)op;
  (void)contact;
  (void)change;
  (void)state;
}

/* ---- Block-sparse ---- */

static SlipStatus block_apply(SlipiOperator *op, const double *r, double *u, SlipError *error) {
  (void)error;
  slipi_bsr_multiply(op->data, r, u, op->team);
  return SLIP_OK;
}

static void block_row(const SlipiOperator *op, int32_t contact, const double *r,
                      const SlipiRowState *state, double *u) {
  (void)state;
  slipi_bsr_row(op->data, contact, r, u);
}

static void block_reload(SlipiOperator *op) {
  slipi_bsr_set_values(&op->problem->W, op->data);
}

static SlipStatus block_diagonal(SlipiOperator *op, int32_t contact, double *block,
                                 SlipError *error) {
  (void)error;
  const SlipiBsr *W = op->data;
  size_t size = (size_t)W->d * (size_t)W->d;
  memcpy(block, W->x + (size_t)W->diagonal[contact] * size, size * sizeof *block);
  return SLIP_OK;
}

SlipStatus slipi_operator_init_block(SlipiOperator *op, SlipError *error) {
  static const SlipiOperatorTable table = {
      .kind = SLIPI_OPERATOR_BLOCK,
      .name = "block",
      .apply = block_apply,
      .row_start = no_row_start,
      .row = block_row,
      .row_update = no_row_update,
      .diagonal = block_diagonal,
      .reload = block_reload,
  };
  op->table = &table;
  SlipiBsr *W = SLIPI_ARENA_NEW(&op->arena, SlipiBsr, 1);
  if (!W)
    return slipi_fail_memory(error, "an operator");
  op->data = W;
  return slipi_operator_blocks(op, &op->arena, W, error);
}

/* ---- Dense, row-major ---- */

static void dense_row(const SlipiOperator *op, int32_t contact, const double *r,
                      const SlipiRowState *state, double *u) {
  (void)state;
  const double *row = (const double *)op->data + (int64_t)contact * op->d * op->m;
  for (int32_t k = 0; k < op->d; k++)
    u[k] = slipi_dot(row + (int64_t)k * op->m, r, op->m);
}

enum { DENSE_PIECE = 16 }; /* contacts that one thread takes at a time */

typedef struct Product {
  const SlipiOperator *op;
  const double *r;
  double *u;
} Product;

static void dense_piece(void *user, int32_t piece) {
  const Product *product = user;
  int32_t nc = product->op->nc, first = piece * DENSE_PIECE;
  int32_t end = nc - first < DENSE_PIECE ? nc : first + DENSE_PIECE;
  for (int32_t contact = first; contact < end; contact++)
    dense_row(product->op, contact, product->r, NULL,
              product->u + (int64_t)contact * product->op->d);
}

/* By rows rather than by BLAS: the same bits for any number of threads. */
static SlipStatus dense_apply(SlipiOperator *op, const double *r, double *u, SlipError *error) {
  Product product = {op, r, u};
  (void)error;
  slipi_team_each(op->team, op->nc / DENSE_PIECE + 1, dense_piece, &product);
  return SLIP_OK;
}

static SlipStatus dense_diagonal(SlipiOperator *op, int32_t contact, double *block,
                                 SlipError *error) {
  (void)error;
  const double *row = (const double *)op->data + (int64_t)contact * op->d * op->m;
  for (int32_t k = 0; k < op->d; k++)
    memcpy(block + (size_t)k * (size_t)op->d, row + (int64_t)k * op->m + contact * op->d,
           (size_t)op->d * sizeof *block);
  return SLIP_OK;
}

/* The rows of a full W stand one after the other: they are the dense matrix. */
static bool is_full(const SlipProblem *problem) {
  return problem->form == SLIP_FORM_LOCAL &&
         problem->W.p[problem->m] == (int64_t)problem->m * problem->m;
}

static void dense_reload(SlipiOperator *op) {
  const SlipiCsr *W = &op->problem->W;
  if (is_full(op->problem)) {
    op->data = W->x;
    return;
  }
  for (int32_t row = 0; row < op->m; row++) {
    double *to = (double *)op->data + (int64_t)row * op->m;
    for (int32_t k = W->p[row]; k < W->p[row + 1]; k++)
      to[W->i[k]] = W->x[k];
  }
}

static SlipStatus spread(const SlipiBsr *W, const SlipiStop *stop, double *dense,
                         SlipError *error) {
  int32_t d = W->d;
  double unasked = 0;
  int64_t m = (int64_t)W->n * d;
  for (int32_t row = 0; row < W->n; row++) {
    for (int32_t k = W->p[row]; k < W->p[row + 1]; k++) {
      for (int32_t s = 0; s < d; s++)
        memcpy(dense + ((int64_t)row * d + s) * m + (int64_t)W->j[k] * d,
               W->x + ((int64_t)k * d + s) * d, (size_t)d * sizeof *dense);
    }
    if (slipi_stops_after(stop, &unasked, W->p[row + 1] - W->p[row], SLIPI_ASK_VISITS))
      return slipi_fail_stopped(error);
  }
  return SLIP_OK;
}

enum { BLOCKS_STAY = 100 };

SlipStatus slipi_operator_init_dense(SlipiOperator *op, SlipError *error) {
  static const SlipiOperatorTable table = {
      .kind = SLIPI_OPERATOR_DENSE,
      .name = "dense",
      .apply = dense_apply,
      .row_start = no_row_start,
      .row = dense_row,
      .row_update = no_row_update,
      .diagonal = dense_diagonal,
      .reload = dense_reload,
  };
  op->table = &table;
  if (is_full(op->problem)) {
    op->data = op->problem->W.x;
    return SLIP_OK;
  }
  double *dense = SLIPI_ARENA_NEW(&op->arena, double, (int64_t)op->m * op->m);
  if (!dense)
    return slipi_fail_memory(error, "the dense matrix W");
  op->data = dense;
  if (op->problem->form == SLIP_FORM_LOCAL) {
    dense_reload(op);
    return SLIP_OK;
  }
  /* Of a few contacts the blocks may stay; of many they would take as much as the matrix. */
  SlipiArena scratch = {0}, *arena = op->nc <= BLOCKS_STAY ? &op->arena : &scratch;
  SlipiBsr W;
  SlipStatus status = slipi_operator_blocks(op, arena, &W, error);
  if (status == SLIP_OK)
    status = spread(&W, &op->stop, dense, error);
  slipi_arena_free(&scratch);
  return status;
}
