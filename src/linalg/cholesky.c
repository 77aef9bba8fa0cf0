#include "linalg/cholesky.h"

#include <stdlib.h>
#include <string.h>

#include <cholmod.h>

#include "linalg/supernodal.h"

struct SlipiCholesky {
  int32_t n;
  cholmod_sparse A; /* the arrays are the caller's */
  cholmod_common common;
  cholmod_factor *L;
  cholmod_dense *b, *x, *y, *e;
  double flops, fill;
};

static SlipStatus cholmod_failed(const SlipiCholesky *cholesky, SlipError *error) {
  int status = cholesky->common.status;
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE || status >= CHOLMOD_OK)
    return slipi_fail_memory(error, "Cholesky factors");
  return slipi_fail(error, SLIP_ERROR_NUMERIC, "CHOLMOD failed with status %d", status);
}

SlipStatus slipi_cholesky_create(const SlipiCsr *A, SlipiCholesky **cholesky, SlipError *error) {
  *cholesky = NULL;
  SlipiCholesky *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "Cholesky factors");
  size_t n = (size_t)A->rows;
  cholmod_common *c = &made->common;
  made->n = A->rows;
  made->A = (cholmod_sparse){.nrow = n,
                             .ncol = n,
                             .nzmax = (size_t)A->p[A->rows],
                             .p = A->p,
                             .i = A->i,
                             .x = A->x,
                             .stype = -1,
                             .itype = CHOLMOD_INT,
                             .xtype = CHOLMOD_REAL,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1};
  slipi_supernodal_start(c, made->A.nzmax);
  c->final_ll = 1;
  made->L = cholmod_analyze(&made->A, c);
  made->flops = c->fl;
  made->fill = c->lnz;
  made->b = made->L ? cholmod_zeros(n, 1, CHOLMOD_REAL, c) : NULL;
  if (!made->b) {
    SlipStatus status = cholmod_failed(made, error);
    slipi_cholesky_free(made);
    return status;
  }
  *cholesky = made;
  return SLIP_OK;
}

void slipi_cholesky_free(SlipiCholesky *cholesky) {
  if (!cholesky)
    return;
  cholmod_common *c = &cholesky->common;
  cholmod_free_factor(&cholesky->L, c);
  cholmod_free_dense(&cholesky->b, c);
  cholmod_free_dense(&cholesky->x, c);
  cholmod_free_dense(&cholesky->y, c);
  cholmod_free_dense(&cholesky->e, c);
  cholmod_finish(c);
  free(cholesky);
}

double slipi_cholesky_flops(const SlipiCholesky *cholesky) {
  return cholesky->flops;
}

double slipi_cholesky_fill(const SlipiCholesky *cholesky) {
  return cholesky->fill;
}

SlipStatus slipi_cholesky_factor(SlipiCholesky *cholesky, const SlipiStop *stop, bool *definite,
                                 SlipError *error) {
  cholmod_common *c = &cholesky->common;
  *definite = false;
  bool whole = slipi_supernodal_factorize(&cholesky->A, cholesky->L, stop, c);
  if (c->status < CHOLMOD_OK)
    return cholmod_failed(cholesky, error);
  if (!whole)
    return slipi_fail_stopped(error);
  *definite = c->status != CHOLMOD_NOT_POSDEF && cholesky->L->minor == cholesky->L->n;
  return SLIP_OK;
}

void slipi_cholesky_pivots(const SlipiCholesky *cholesky, double *pivots) {
  const cholmod_factor *L = cholesky->L;
  const int *order = L->Perm, *p = L->p, *super = L->super, *pi = L->pi, *px = L->px;
  const double *x = L->x;
  if (!L->is_super) {
    for (size_t k = 0; k < L->n; k++)
      pivots[order[k]] = L->is_ll ? x[p[k]] * x[p[k]] : x[p[k]];
    return;
  }
  for (size_t block = 0; block < L->nsuper; block++) {
    int rows = pi[block + 1] - pi[block];
    for (int k = super[block]; k < super[block + 1]; k++) {
      double value = x[px[block] + (k - super[block]) * (int64_t)(rows + 1)];
      pivots[order[k]] = value * value;
    }
  }
}

SlipStatus slipi_cholesky_solve(SlipiCholesky *cholesky, const double *b, double *x,
                                SlipError *error) {
  size_t bytes = (size_t)cholesky->n * sizeof *b;
  memcpy(cholesky->b->x, b, bytes);
  if (!cholmod_solve2(CHOLMOD_A, cholesky->L, cholesky->b, NULL, &cholesky->x, NULL, &cholesky->y,
                      &cholesky->e, &cholesky->common))
    return cholmod_failed(cholesky, error);
  memcpy(x, cholesky->x->x, bytes);
  return SLIP_OK;
}
