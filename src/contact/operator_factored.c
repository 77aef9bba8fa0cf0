/* W = H' M^-1 H through the sparse factors of M: apply only, W is never formed. */
#include "contact/operator.h"

#include <math.h>
#include <string.h>

typedef struct Factored {
  SlipProblem problem; /* with H' as a sparse matrix */
  double *v;           /* M^-1 H r */
  double *e;           /* one impulse */
  double *own;         /* d*d a contact: the diagonal of W, where it was to be had at once */
  bool asked;          /* `own` has been asked for: it is there, or not to be had */
} Factored;

static SlipStatus apply(SlipiOperator *op, const double *r, double *u, SlipError *error) {
  Factored *factored = op->data;
  SlipStatus status = slipi_mass_velocity(op->mass, op->problem, r, NULL, factored->v, error);
  if (status == SLIP_OK)
    slipi_problem_spread(op->problem, factored->v, u);
  return status;
}

/* Methods ask for the blocks of all contacts: one by one they would take d solves each. */
static SlipStatus find_own(SlipiOperator *op, Factored *factored, SlipError *error) {
  double *own = SLIPI_ARENA_NEW(&op->arena, double, (int64_t)op->nc * op->d * op->d);
  bool known = false;
  if (!own)
    return slipi_fail_memory(error, "the diagonal of W");
  if (op->mass->lent) {
    for (int64_t k = 0; k < (int64_t)op->m * op->d; k++)
      own[k] = ldexp(op->mass->lent->own[k], -op->mass->lent_unit);
    factored->asked = true;
    factored->own = own;
    return SLIP_OK;
  }
  SlipStatus status = slipi_mass_own_blocks(op->mass, &factored->problem, own, &known, error);
  factored->asked = status == SLIP_OK;
  factored->own = known ? own : NULL;
  return status;
}

static SlipStatus diagonal(SlipiOperator *op, int32_t contact, double *block, SlipError *error) {
  Factored *factored = op->data;
  const SlipiCsr *Ht = &factored->problem.Ht;
  int32_t d = op->d;
  SlipStatus status = factored->asked ? SLIP_OK : find_own(op, factored, error);
  if (status == SLIP_OK && factored->own)
    memcpy(block, factored->own + (int64_t)contact * d * d, (size_t)(d * d) * sizeof *block);
  if (status != SLIP_OK || factored->own)
    return status;
  for (int32_t t = 0; t < d && status == SLIP_OK; t++) {
    factored->e[contact * d + t] = 1;
    status = slipi_mass_velocity(op->mass, op->problem, factored->e, NULL, factored->v, error);
    factored->e[contact * d + t] = 0;
    for (int32_t s = 0; s < d; s++) {
      double sum = 0;
      for (int32_t k = Ht->p[contact * d + s]; k < Ht->p[contact * d + s + 1]; k++)
        sum += Ht->x[k] * factored->v[Ht->i[k]];
      block[s * d + t] = sum;
    }
  }
  return status;
}

SlipStatus slipi_operator_init_factored(SlipiOperator *op, SlipError *error) {
  static const SlipiOperatorTable table = {
      .kind = SLIPI_OPERATOR_FACTORED,
      .name = "factored",
      .apply = apply,
      .diagonal = diagonal,
  };
  op->table = &table;
  Factored *factored = SLIPI_ARENA_NEW(&op->arena, Factored, 1);
  if (!factored)
    return slipi_fail_memory(error, "an operator");
  op->data = factored;
  factored->v = SLIPI_ARENA_NEW(&op->arena, double, op->problem->dof);
  factored->e = SLIPI_ARENA_NEW(&op->arena, double, op->m);
  if (op->arena.failed)
    return slipi_fail_memory(error, "an operator");
  return slipi_problem_as_global(op->problem, &op->arena, &factored->problem, error);
}
