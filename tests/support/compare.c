#include "compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void assert_same_bits(const void *a, const void *b, size_t bytes) {
  if (bytes > 0)
    assert_memory_equal(a, b, bytes);
}

static void assert_same_matrix(const SlipMatrix *a, const SlipMatrix *b) {
  assert_int_equal(a->layout, b->layout);
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->cols, b->cols);
  assert_int_equal(a->nnz, b->nnz);
  assert_same_bits(a->p, b->p, ((size_t)a->rows + 1) * sizeof *a->p);
  assert_same_bits(a->i, b->i, (size_t)a->nnz * sizeof *a->i);
  assert_same_bits(a->x, b->x, (size_t)a->nnz * sizeof *a->x);
}

static int32_t value_at(const int32_t *values, int32_t k, int32_t otherwise) {
  return values ? values[k] : otherwise;
}

static void assert_same_value(const double *a, const double *b, int32_t k) {
  assert_int_equal(!a, !b);
  if (a)
    assert_same_bits(&a[k], &b[k], sizeof *a);
}

/* The arrays that each law reads: FCLIB's equality constraints have no mu, and NULL is a default.
 */
static void assert_same_laws(int32_t contacts, int32_t dimension, const SlipLaws *a,
                             const SlipLaws *b) {
  for (int32_t k = 0; k < contacts; k++) {
    int32_t kind = value_at(a->kind, k, SLIP_COULOMB), all = (1 << dimension) - 1;
    assert_int_equal(kind, value_at(b->kind, k, SLIP_COULOMB));
    if (kind == SLIP_BILATERAL) {
      assert_int_equal(value_at(a->bound, k, all), value_at(b->bound, k, all));
      continue;
    }
    assert_same_bits(&a->mu[k], &b->mu[k], sizeof *a->mu);
    assert_int_equal(value_at(a->flow, k, SLIP_FLOW_COULOMB),
                     value_at(b->flow, k, SLIP_FLOW_COULOMB));
    assert_same_value(a->radius, b->radius, k);
    if (kind == SLIP_COHESIVE)
      assert_same_value(a->cohesion, b->cohesion, k);
    if (kind == SLIP_ROUNDED || kind == SLIP_CAPPED) {
      assert_same_value(a->ball, b->ball, k);
      assert_same_value(a->ball_tangential, b->ball_tangential, k);
    }
    if (kind == SLIP_CAPPED)
      assert_same_value(a->cap, b->cap, k);
  }
}

/* NULL is 0. */
static void assert_same_compliance(int32_t contacts, int32_t dimension, const double *a,
                                   const double *b) {
  for (int64_t k = 0; k < (int64_t)contacts * dimension * dimension; k++)
    assert_true((a ? a[k] : 0) == (b ? b[k] : 0));
}

static void assert_same_local(const SlipProblem *a, const SlipProblem *b) {
  SlipLocalData first = slip_default_local_data();
  SlipLocalData second = slip_default_local_data();
  assert_int_equal(slip_problem_local_data(a, &first, NULL), SLIP_OK);
  assert_int_equal(slip_problem_local_data(b, &second, NULL), SLIP_OK);
  assert_same_matrix(&first.W, &second.W);
  assert_same_bits(first.q, second.q, (size_t)first.W.rows * sizeof *first.q);
  assert_same_laws(first.contacts, first.dimension, first.laws, second.laws);
  assert_same_compliance(first.contacts, first.dimension, first.compliance, second.compliance);
}

static void assert_same_global(const SlipProblem *a, const SlipProblem *b) {
  SlipGlobalData first = slip_default_global_data();
  SlipGlobalData second = slip_default_global_data();
  assert_int_equal(slip_problem_global_data(a, &first, NULL), SLIP_OK);
  assert_int_equal(slip_problem_global_data(b, &second, NULL), SLIP_OK);
  assert_same_matrix(&first.M, &second.M);
  assert_same_matrix(&first.H, &second.H);
  assert_same_bits(first.f, second.f, (size_t)first.M.rows * sizeof *first.f);
  assert_same_bits(first.w, second.w, (size_t)first.H.cols * sizeof *first.w);
  assert_same_laws(first.contacts, first.dimension, first.laws, second.laws);
  assert_same_compliance(first.contacts, first.dimension, first.compliance, second.compliance);
}

void assert_same_problem(const SlipProblem *a, const SlipProblem *b) {
  assert_int_equal(slip_problem_form(a), slip_problem_form(b));
  assert_int_equal(slip_problem_dimension(a), slip_problem_dimension(b));
  assert_int_equal(slip_problem_contacts(a), slip_problem_contacts(b));
  if (slip_problem_form(a) == SLIP_FORM_LOCAL)
    assert_same_local(a, b);
  else
    assert_same_global(a, b);
}

void assert_same_solution(const SlipSolution *a, const SlipSolution *b) {
  assert_int_equal(a->contacts, b->contacts);
  assert_int_equal(a->dimension, b->dimension);
  size_t bytes = (size_t)a->contacts * (size_t)a->dimension * sizeof(double);
  assert_same_bits(a->r, b->r, bytes);
  assert_same_bits(a->u, b->u, bytes);
  assert_int_equal(a->v == NULL, b->v == NULL);
  if (a->v) {
    assert_int_equal(a->dof, b->dof);
    assert_same_bits(a->v, b->v, (size_t)a->dof * sizeof(double));
  }
}
