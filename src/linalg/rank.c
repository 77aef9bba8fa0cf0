#include "linalg/spectrum.h"

#include <math.h>

#include <cholmod.h>

/* The scaled symmetric part S has a unit diagonal. In LDL' of S + shift I a pivot that is 0
 * without the shift is proportional to it, the others hardly feel it: two shifts tell them
 * apart whatever their size. */
static const double SHIFTS[2] = {1e-12, 1e-10};

static cholmod_sparse view(const SlipiCsr *A) {
  return (cholmod_sparse){.nrow = (size_t)A->cols,
                          .ncol = (size_t)A->rows,
                          .nzmax = (size_t)A->p[A->rows],
                          .p = A->p,
                          .i = A->i,
                          .x = A->x,
                          .itype = CHOLMOD_INT,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

/* D (A + A')/2 D with a unit diagonal, lower triangle. */
static cholmod_sparse *scaled_part(const SlipiCsr *A, const SlipiCsr *At, cholmod_common *c) {
  cholmod_sparse a = view(A), b = view(At);
  double half[2] = {0.5, 0};
  cholmod_sparse *sum = cholmod_add(&a, &b, half, half, 1, 1, c);
  cholmod_sparse *S = sum ? cholmod_copy(sum, -1, 1, c) : NULL;
  cholmod_free_sparse(&sum, c);
  cholmod_dense *scale = S ? cholmod_zeros(S->ncol, 1, CHOLMOD_REAL, c) : NULL;
  if (scale) {
    const int *p = S->p, *i = S->i;
    const double *x = S->x;
    double *d = scale->x;
    for (size_t j = 0; j < S->ncol; j++) {
      bool diagonal = p[j] < p[j + 1] && (size_t)i[p[j]] == j;
      d[j] = diagonal && x[p[j]] > 0 ? 1 / sqrt(x[p[j]]) : 1;
    }
    cholmod_scale(scale, CHOLMOD_SYM, S, c);
  }
  cholmod_free_dense(&scale, c);
  return S;
}

static bool factorise(cholmod_sparse *S, double shift, cholmod_factor *L, cholmod_common *c) {
  double beta[2] = {shift, 0};
  return cholmod_factorize_p(S, beta, NULL, 0, L, c) && L->xtype == CHOLMOD_REAL;
}

/* The pivots for both shifts; the first ones are kept in `first`. -1 where CHOLMOD fails. */
static int64_t count_pivots(cholmod_sparse *S, cholmod_factor *L, double *first,
                            cholmod_common *c) {
  int64_t count = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (!factorise(S, SHIFTS[pass], L, c))
      return -1;
    const int *p = L->p;
    const double *x = L->x;
    for (size_t k = 0; k < L->n; k++) {
      if (pass == 0)
        first[k] = fabs(x[p[k]]);
      else
        count += fabs(x[p[k]]) * sqrt(SHIFTS[0]) < first[k] * sqrt(SHIFTS[1]);
    }
  }
  return count;
}

SlipStatus slipi_rank_estimate(const SlipiCsr *A, const SlipiCsr *At, double flops, int64_t *rank,
                               SlipError *error) {
  *rank = A->rows == 0 ? 0 : -1;
  if (A->rows == 0)
    return SLIP_OK;
  cholmod_common common, *c = &common;
  cholmod_start(c);
  c->print = 0;
  c->supernodal = CHOLMOD_SIMPLICIAL;
  c->nmethods = 1; /* more would try METIS, whose random numbers all threads share */
  c->method[0].ordering = CHOLMOD_AMD;
  cholmod_sparse *S = scaled_part(A, At, c);
  cholmod_factor *L = S ? cholmod_analyze(S, c) : NULL;
  if (L && c->fl <= flops) {
    double *first = cholmod_malloc(L->n, sizeof *first, c);
    if (first)
      *rank = count_pivots(S, L, first, c);
    cholmod_free(L->n, sizeof *first, first, c);
  }
  bool out_of_memory = c->status == CHOLMOD_OUT_OF_MEMORY || !L;
  cholmod_free_factor(&L, c);
  cholmod_free_sparse(&S, c);
  cholmod_finish(c);
  return out_of_memory ? slipi_fail_memory(error, "a rank estimate") : SLIP_OK;
}
