#include "linalg/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>
#include <umfpack.h>

#include "linalg/supernodal.h"

struct SlipiFactor {
  int32_t n;
  const char *name;
  const SlipiStop *stop;
  SlipiArena arena;
  /* symmetric: CHOLMOD, with the workspace of cholmod_solve2 */
  cholmod_common common;
  bool common_started;
  cholmod_factor *L;
  cholmod_dense *b, *x, *y, *e;
  /* unsymmetric: UMFPACK; the CSR arrays of A' are the CSC arrays of A it wants */
  SlipiCsr At;
  void *numeric;
  int *integer_work;
  double *real_work;
};

/* Below this share of |A| an asymmetry is rounding (or the rounding of a text file) of a
 * matrix meant to be symmetric. */
static const double SYMMETRIC = 1e-14;

/* Seconds an entry in a transposition, a little more than was measured. */
static const double SECONDS_PER_ENTRY = 1e-8;
/* Of an operation of the Cholesky factorisation, in an LU factorisation. */
static const double SECONDS_PER_FLOP = 1e-9;

static cholmod_sparse *allocate_lower(SlipiFactor *factor, int32_t n, size_t entries) {
  return cholmod_allocate_sparse((size_t)n, (size_t)n, entries, 1, 1, -1, CHOLMOD_REAL,
                                 &factor->common);
}

/* The lower triangle (by columns), which is what CHOLMOD takes, of a symmetric A. */
static cholmod_sparse *lower_triangle(SlipiFactor *factor, const SlipiCsr *A) {
  int32_t n = A->rows;
  size_t entries = 0;
  for (int32_t row = 0; row < n; row++)
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++)
      entries += A->i[k] >= row;
  cholmod_sparse *S = allocate_lower(factor, n, entries);
  if (!S)
    return NULL;
  int *p = S->p, *i = S->i, used = 0;
  double *x = S->x;
  for (int32_t row = 0; row < n; row++) {
    p[row] = used;
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
      if (A->i[k] < row)
        continue;
      i[used] = A->i[k];
      x[used++] = A->x[k];
    }
  }
  p[n] = used;
  return S;
}

/* The same of (A + A')/2. */
static cholmod_sparse *symmetric_part(SlipiFactor *factor, const SlipiCsr *A, const SlipiCsr *At) {
  int32_t n = A->rows;
  size_t entries_most = 0;
  for (int32_t row = 0; row < n; row++)
    entries_most += (size_t)(A->p[row + 1] - A->p[row]) + (size_t)(At->p[row + 1] - At->p[row]);
  cholmod_sparse *S = allocate_lower(factor, n, entries_most);
  if (!S)
    return NULL;
  int *p = S->p, *i = S->i, used = 0;
  double *x = S->x;
  for (int32_t row = 0; row < n; row++) {
    int32_t a = A->p[row], b = At->p[row];
    p[row] = used;
    while (a < A->p[row + 1] || b < At->p[row + 1]) {
      int32_t ca = a < A->p[row + 1] ? A->i[a] : INT32_MAX;
      int32_t cb = b < At->p[row + 1] ? At->i[b] : INT32_MAX;
      int32_t c = ca < cb ? ca : cb;
      double value = 0.5 * ((ca == c ? A->x[a] : 0) + (cb == c ? At->x[b] : 0));
      a += ca == c;
      b += cb == c;
      if (c >= row) {
        i[used] = c;
        x[used++] = value;
      }
    }
  }
  p[n] = used;
  return S;
}

/* The first place of the elimination whose pivot is not positive, or n. CHOLMOD looks at the pivots
 * of L L' itself; a matrix too sparse for supernodes it factors as L D L', whatever signs D has. */
static size_t first_bad_pivot(const cholmod_factor *L) {
  const int *p = L->p;
  const double *x = L->x;
  if (L->is_ll || L->is_super)
    return L->minor;
  for (size_t k = 0; k < L->minor; k++)
    if (!(x[p[k]] > 0))
      return k;
  return L->minor;
}

/* Factor the symmetric part; this also proves positive definiteness. At NULL: A is symmetric. */
static SlipStatus factor_cholesky(SlipiFactor *factor, const SlipiCsr *A, const SlipiCsr *At,
                                  const int32_t *rows, SlipError *error) {
  cholmod_common *c = &factor->common;
  slipi_supernodal_start(c, (size_t)A->p[A->rows] / 2);
  factor->common_started = true;
  if (slipi_is_stopped_within(factor->stop, SECONDS_PER_ENTRY * A->p[A->rows]))
    return slipi_fail_stopped(error);
  cholmod_sparse *S = At ? symmetric_part(factor, A, At) : lower_triangle(factor, A);
  if (S)
    factor->L = slipi_supernodal_analyze(S, factor->stop, c);
  bool S_made = S != NULL;
  bool whole = factor->L && slipi_supernodal_factorize(S, factor->L, factor->stop, c);
  cholmod_free_sparse(&S, c);
  if (c->status >= CHOLMOD_OK && S_made && !factor->L)
    return slipi_fail_stopped(error);
  if (c->status == CHOLMOD_OUT_OF_MEMORY || !factor->L)
    return slipi_fail_memory(error, "the factors of a matrix");
  size_t n = (size_t)factor->n, bad = whole ? first_bad_pivot(factor->L) : n;
  if (c->status == CHOLMOD_NOT_POSDEF || bad < n) {
    const int *order = factor->L->Perm;
    bad = bad < n ? bad : 0;
    int row = order ? order[bad] : (int)bad;
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "%s is not positive definite: the pivot of row %d is not positive",
                      factor->name, rows ? (int)rows[row] : row);
  }
  if (c->status < CHOLMOD_OK)
    return slipi_fail(error, SLIP_ERROR_NUMERIC, "CHOLMOD failed on %s with status %d",
                      factor->name, c->status);
  return whole ? SLIP_OK : slipi_fail_stopped(error);
}

static SlipStatus cholesky_workspace(SlipiFactor *factor, SlipError *error) {
  cholmod_common *c = &factor->common;
  size_t n = (size_t)factor->n;
  factor->b = cholmod_zeros(n, 1, CHOLMOD_REAL, c);
  factor->x = cholmod_zeros(n, 1, CHOLMOD_REAL, c);
  /* One solve here sizes Y and E, so that later ones allocate nothing. */
  if (!factor->b || !factor->x ||
      !cholmod_solve2(CHOLMOD_A, factor->L, factor->b, NULL, &factor->x, NULL, &factor->y,
                      &factor->e, c))
    return slipi_fail_memory(error, "the workspace of a factorisation");
  return SLIP_OK;
}

static void drop_cholesky(SlipiFactor *factor) {
  if (!factor->common_started)
    return;
  cholmod_common *c = &factor->common;
  cholmod_free_factor(&factor->L, c);
  cholmod_free_dense(&factor->b, c);
  cholmod_free_dense(&factor->x, c);
  cholmod_free_dense(&factor->y, c);
  cholmod_free_dense(&factor->e, c);
  cholmod_finish(c);
  factor->common_started = false;
}

static SlipStatus factor_lu(SlipiFactor *factor, SlipError *error) {
  int n = factor->n;
  const SlipiCsr *At = &factor->At;
  void *symbolic = NULL;
  int status = umfpack_di_symbolic(n, n, At->p, At->i, At->x, &symbolic, NULL, NULL);
  if (status == UMFPACK_OK)
    status = umfpack_di_numeric(At->p, At->i, At->x, symbolic, &factor->numeric, NULL, NULL);
  umfpack_di_free_symbolic(&symbolic);
  factor->integer_work = SLIPI_ARENA_NEW(&factor->arena, int, n);
  factor->real_work = SLIPI_ARENA_NEW(&factor->arena, double, 5 * (int64_t)n);
  if (status == UMFPACK_ERROR_out_of_memory || factor->arena.failed)
    return slipi_fail_memory(error, "the factors of a matrix");
  if (status != UMFPACK_OK)
    return slipi_fail(error, SLIP_ERROR_NUMERIC, "UMFPACK failed on %s with status %d",
                      factor->name, status);
  return SLIP_OK;
}

SlipStatus slipi_factor_create(const SlipiCsr *A, const char *name, const int32_t *rows,
                               const SlipiStop *stop, SlipiFactor **factor, SlipError *error) {
  *factor = NULL;
  SlipiFactor *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "the factors of a matrix");
  made->n = A->rows;
  made->name = name;
  made->stop = stop;
  double asymmetry = 0, norm = 0;
  SlipStatus status = slipi_is_stopped_within(stop, SECONDS_PER_ENTRY * A->p[A->rows])
                          ? slipi_fail_stopped(error)
                          : slipi_csr_asymmetry(A, stop, &asymmetry, &norm, error);
  if (status == SLIP_OK && asymmetry != 0)
    status = slipi_csr_transpose(&made->arena, A, &made->At, error);
  if (status == SLIP_OK)
    status = factor_cholesky(made, A, asymmetry != 0 ? &made->At : NULL, rows, error);
  if (status == SLIP_OK && asymmetry <= SYMMETRIC * norm) {
    status = cholesky_workspace(made, error);
  } else if (status == SLIP_OK) {
    /* UMFPACK cannot be stopped; its fill is much that of the symmetric part. */
    bool stopped = slipi_is_stopped_within(stop, SECONDS_PER_FLOP * made->common.fl);
    drop_cholesky(made);
    status = stopped ? slipi_fail_stopped(error) : factor_lu(made, error);
  }
  if (status == SLIP_OK)
    *factor = made;
  else
    slipi_factor_free(made);
  return status;
}

void slipi_factor_free(SlipiFactor *factor) {
  if (!factor)
    return;
  drop_cholesky(factor);
  umfpack_di_free_numeric(&factor->numeric);
  slipi_arena_free(&factor->arena);
  free(factor);
}

SlipStatus slipi_factor_solve(SlipiFactor *factor, const double *b, double *x, SlipError *error) {
  size_t bytes = (size_t)factor->n * sizeof *b;
  if (factor->numeric) {
    int status =
        umfpack_di_wsolve(UMFPACK_A, factor->At.p, factor->At.i, factor->At.x, x, b,
                          factor->numeric, NULL, NULL, factor->integer_work, factor->real_work);
    if (status != UMFPACK_OK)
      return slipi_fail(error, SLIP_ERROR_NUMERIC, "UMFPACK failed on %s with status %d",
                        factor->name, status);
    return SLIP_OK;
  }
  memcpy(factor->b->x, b, bytes);
  /* A simplicial solve leaves Y with another shape than it asks for, and would allocate it anew:
   * give it the shape it was made with. */
  if (!factor->L->is_super && factor->n > 0)
    factor->y->nrow = factor->y->d = factor->y->nzmax / factor->y->ncol;
  if (!cholmod_solve2(CHOLMOD_A, factor->L, factor->b, NULL, &factor->x, NULL, &factor->y,
                      &factor->e, &factor->common))
    return slipi_fail(error,
                      factor->common.status == CHOLMOD_OUT_OF_MEMORY ? SLIP_ERROR_MEMORY
                                                                     : SLIP_ERROR_NUMERIC,
                      "CHOLMOD failed on %s with status %d", factor->name, factor->common.status);
  memcpy(x, factor->x->x, bytes);
  return SLIP_OK;
}

SlipStatus slipi_factor_solve_many(SlipiFactor *factor, int32_t count, const double *B, double *X,
                                   SlipError *error) {
  size_t n = (size_t)factor->n, size = n * (size_t)count;
  if (factor->numeric) {
    SlipStatus status = SLIP_OK;
    for (size_t k = 0; k < size && status == SLIP_OK; k += n)
      status = slipi_factor_solve(factor, B + k, X + k, error);
    return status;
  }
  cholmod_dense b = {.nrow = n,
                     .ncol = (size_t)count,
                     .nzmax = size,
                     .d = n,
                     .x = (double *)B, /* CHOLMOD does not write to it */
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  cholmod_dense *x = cholmod_solve(CHOLMOD_A, factor->L, &b, &factor->common);
  if (!x)
    return factor->common.status == CHOLMOD_OUT_OF_MEMORY
               ? slipi_fail_memory(error, "the solution of a linear system")
               : slipi_fail(error, SLIP_ERROR_NUMERIC, "CHOLMOD failed on %s with status %d",
                            factor->name, factor->common.status);
  memcpy(X, x->x, size * sizeof *X);
  cholmod_free_dense(&x, &factor->common);
  return SLIP_OK;
}

/* ---- Some rows only ---- */

static void place_supernodes(const cholmod_factor *L, const bool *reached, SlipiWithin *within,
                             int32_t *place) {
  const int *super = L->super, *perm = L->Perm;
  for (int32_t k = 0; k < (int32_t)L->n; k++)
    within->place[k] = -1;
  for (int32_t k = 0; k < (int32_t)L->nsuper; k++) {
    if (!reached[k])
      continue;
    within->node[within->nodes++].place = within->places;
    for (int32_t i = super[k]; i < super[k + 1]; i++)
      within->place[perm[i]] = place[i] = within->places++;
  }
}

static void fill_supernodes(const cholmod_factor *L, const bool *reached, SlipiWithin *within,
                            const int32_t *place, int32_t *row) {
  const int *super = L->super, *pi = L->pi, *px = L->px, *rows = L->s;
  SlipiReached *node = within->node;
  for (int32_t k = 0; k < (int32_t)L->nsuper; k++) {
    if (!reached[k])
      continue;
    node->columns = super[k + 1] - super[k];
    node->below = pi[k + 1] - pi[k] - node->columns;
    node->x = (const double *)L->x + px[k];
    node->row = row;
    for (int32_t i = 0; i < node->below; i++)
      *row++ = place[rows[pi[k] + node->columns + i]];
    node++;
  }
}

SlipStatus slipi_factor_within(const SlipiFactor *factor, const bool *marked, SlipiArena *arena,
                               SlipiWithin **within, SlipError *error) {
  const cholmod_factor *L = factor->L;
  *within = NULL;
  if (!L || !L->is_super || !L->is_ll)
    return SLIP_OK;
  SlipiWithin *made = SLIPI_ARENA_NEW(arena, SlipiWithin, 1);
  bool *reached = SLIPI_ARENA_NEW(arena, bool, (int64_t)L->nsuper);
  int32_t *place = SLIPI_ARENA_NEW(arena, int32_t, factor->n);
  int32_t *row = SLIPI_ARENA_NEW(arena, int32_t, (int64_t)L->ssize);
  if (arena->failed)
    return slipi_fail_memory(error, "part of the factors of a matrix");
  made->node = SLIPI_ARENA_NEW(arena, SlipiReached, (int64_t)L->nsuper);
  made->place = SLIPI_ARENA_NEW(arena, int32_t, factor->n);
  made->below = (int64_t)L->maxesize;
  if (arena->failed)
    return slipi_fail_memory(error, "part of the factors of a matrix");
  made->flops = slipi_supernodal_reach(L, marked, reached);
  place_supernodes(L, reached, made, place);
  fill_supernodes(L, reached, made, place, row);
  *within = made;
  return SLIP_OK;
}

double slipi_factor_flops(const SlipiFactor *factor) {
  return factor->L ? factor->common.fl : 0;
}

double slipi_factor_entries(const SlipiFactor *factor) {
  return factor->L ? factor->common.lnz : 0;
}
