#include "linalg/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>
#include <umfpack.h>

struct SlipiLu {
  int32_t n;
  SlipiCsr A; /* the arrays are the caller's */
  bool dense;
  bool regular; /* there are factors */
  double work;
  double *full; /* n x n: rows of A as columns, so that LAPACK sees A' */
  lapack_int *pivot;
  void *symbolic, *numeric; /* of A', whose compressed columns A's rows are */
  int *integer_work;
  double *real_work;
  double control[UMFPACK_CONTROL];
  const SlipiStop *stop;
  SlipiArena arena;
};

/* Measured with bench/lu.c: dense LU is faster below DENSE_UP_TO unknowns whatever the fill, and
 * from the fill DENSE_FROM_FILL on up to a size whose square fits in memory with ease. */
static const int32_t DENSE_UP_TO = 120;
static const double DENSE_FROM_FILL = 0.2;
static const int32_t DENSE_AT_MOST = 12000;

/* A sparse operation, and the handling of an entry in a factorisation and its solves, in dense
 * operations; and the typical share of UMFPACK's bound on the operations. Measured on matrices of
 * 400 to 6000 rows. */
static const double SPARSE_FLOP = 2, SPARSE_ENTRY = 1000, TYPICAL = 0.3;
/* Seconds of a unit of work, a little more than was measured. UMFPACK cannot be stopped. */
static const double SECONDS_PER_WORK = 2e-10;
/* Of an entry in the analysis. */
static const double SECONDS_PER_ENTRY = 2e-7;

static double dense_work(double n) {
  return 2.0 / 3.0 * n * n * n;
}

bool slipi_lu_wants_dense(int32_t rows, double entries) {
  return rows <= DENSE_UP_TO || (entries >= DENSE_FROM_FILL * rows * rows && rows <= DENSE_AT_MOST);
}

static SlipStatus umfpack_failed(int status, SlipError *error) {
  if (status == UMFPACK_ERROR_out_of_memory)
    return slipi_fail_memory(error, "the factors of a Newton matrix");
  return slipi_fail(error, SLIP_ERROR_NUMERIC, "UMFPACK failed on a Newton matrix with status %d",
                    status);
}

static double sparse_work(const SlipiLu *lu, double flops) {
  return SPARSE_FLOP * flops + SPARSE_ENTRY * lu->A.p[lu->n];
}

static bool symmetric_pattern(const SlipiCsr *A) {
  for (int32_t row = 0; row < A->rows; row++) {
    for (int32_t k = A->p[row]; k < A->p[row + 1]; k++) {
      if (slipi_csr_find(A, A->i[k], row) < 0)
        return false;
    }
  }
  return true;
}

/* Order the unknowns of the sparse form. Without values UMFPACK takes the unsymmetric strategy,
 * which does several times the work on a symmetric pattern. */
static SlipStatus analyse(SlipiLu *lu, SlipError *error) {
  double info[UMFPACK_INFO];
  umfpack_di_defaults(lu->control);
  if (symmetric_pattern(&lu->A))
    lu->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  if (slipi_is_stopped_within(lu->stop, SECONDS_PER_ENTRY * lu->A.p[lu->n]))
    return slipi_fail_stopped(error);
  int status =
      umfpack_di_symbolic(lu->n, lu->n, lu->A.p, lu->A.i, NULL, &lu->symbolic, lu->control, info);
  if (status != UMFPACK_OK)
    return umfpack_failed(status, error);
  lu->work = sparse_work(lu, TYPICAL * info[UMFPACK_FLOPS_ESTIMATE]);
  return SLIP_OK;
}

static SlipStatus choose(SlipiLu *lu, SlipiLuKind kind, SlipError *error) {
  lu->dense = kind == SLIPI_LU_DENSE ||
              (kind == SLIPI_LU_AUTO && slipi_lu_wants_dense(lu->n, lu->A.p[lu->n]));
  SlipStatus status = lu->dense ? SLIP_OK : analyse(lu, error);
  if (status == SLIP_OK && kind == SLIPI_LU_AUTO && lu->n <= DENSE_AT_MOST &&
      dense_work(lu->n) <= lu->work) {
    lu->dense = true;
    umfpack_di_free_symbolic(&lu->symbolic);
  }
  if (lu->dense)
    lu->work = dense_work(lu->n);
  return status;
}

static SlipStatus allocate(SlipiLu *lu, SlipError *error) {
  int64_t n = lu->n;
  if (lu->dense) {
    lu->full = SLIPI_ARENA_NEW(&lu->arena, double, n *n);
    lu->pivot = SLIPI_ARENA_NEW(&lu->arena, lapack_int, n);
  } else {
    lu->integer_work = SLIPI_ARENA_NEW(&lu->arena, int, n);
    lu->real_work = SLIPI_ARENA_NEW(&lu->arena, double, 5 * n);
  }
  return lu->arena.failed ? slipi_fail_memory(error, "the factors of a Newton matrix") : SLIP_OK;
}

SlipStatus slipi_lu_create(const SlipiCsr *A, SlipiLuKind kind, const SlipiStop *stop, SlipiLu **lu,
                           SlipError *error) {
  *lu = NULL;
  SlipiLu *made = calloc(1, sizeof *made);
  if (!made)
    return slipi_fail_memory(error, "the factors of a Newton matrix");
  made->n = A->rows;
  made->A = *A;
  made->stop = stop;
  SlipStatus status = choose(made, kind, error);
  if (status == SLIP_OK)
    status = allocate(made, error);
  if (status == SLIP_OK)
    *lu = made;
  else
    slipi_lu_free(made);
  return status;
}

void slipi_lu_free(SlipiLu *lu) {
  if (!lu)
    return;
  umfpack_di_free_symbolic(&lu->symbolic);
  umfpack_di_free_numeric(&lu->numeric);
  slipi_arena_free(&lu->arena);
  free(lu);
}

bool slipi_lu_is_dense(const SlipiLu *lu) {
  return lu->dense;
}

double slipi_lu_work(const SlipiLu *lu) {
  return lu->work;
}

static bool values_finite(const SlipiCsr *A) {
  double sum = 0;
  for (int32_t k = 0; k < A->p[A->rows]; k++)
    sum += A->x[k] * 0; /* 0, or not a number */
  return sum == 0;
}

static bool is_stopped(const SlipiLu *lu) {
  return slipi_is_stopped(lu->stop);
}

/* Columns of a panel, and of the rest that are updated at a time: between two questions there are
 * at most n PANEL STRIP multiplications, a hundredth of a second for 10000 unknowns. */
enum { PANEL = 128, STRIP = 512 };

/* The columns from `end` on after the panel of columns `at` to end - 1 has been factored; false
 * where it is given up. */
static bool update_rest(SlipiLu *lu, int at, int end) {
  int n = lu->n, some = end - at;
  double *panel = lu->full + (int64_t)at * n;
  for (int first = end; first < n; first += STRIP) {
    int columns = n - first < STRIP ? n - first : STRIP;
    double *rest = lu->full + (int64_t)first * n;
    if (is_stopped(lu))
      return false;
    LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, columns, rest, n, at + 1, end, lu->pivot, 1);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, some, columns, 1,
                panel + at, n, rest + at, n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n - end, columns, some, -1, panel + end,
                n, rest + at, n, 1, rest + end, n);
  }
  return true;
}

/* LU with row exchanges as LAPACK's, panel by panel, so that it can be given up between them. False
 * then, or where a pivot is 0. */
static bool factor_panels(SlipiLu *lu) {
  int n = lu->n;
  for (int at = 0; at < n; at += PANEL) {
    int end = n - at < PANEL ? n : at + PANEL;
    double *panel = lu->full + (int64_t)at * n;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n - at, end - at, panel + at, n, lu->pivot + at) != 0)
      return false;
    for (int k = at; k < end; k++)
      lu->pivot[k] += at;
    if (at > 0)
      LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, at, lu->full, n, at + 1, end, lu->pivot, 1);
    if (!update_rest(lu, at, end))
      return false;
  }
  return true;
}

static double factor_dense(SlipiLu *lu) {
  int64_t n = lu->n;
  double unasked = 0;
  for (int32_t row = 0; row < lu->n; row++) {
    memset(lu->full + row * n, 0, (size_t)n * sizeof *lu->full);
    for (int32_t k = lu->A.p[row]; k < lu->A.p[row + 1]; k++)
      lu->full[row * n + lu->A.i[k]] = lu->A.x[k];
    if (slipi_stops_after(lu->stop, &unasked, (double)n, SLIPI_ASK_VISITS))
      return 0;
  }
  if (n == 0)
    return 1;
  if (!factor_panels(lu))
    return 0;
  double least = INFINITY, most = 0;
  for (int64_t k = 0; k < n; k++) {
    double pivot = fabs(lu->full[k * n + k]);
    least = fmin(least, pivot);
    most = fmax(most, pivot);
  }
  return most < INFINITY ? least / most : 0;
}

static SlipStatus factor_sparse(SlipiLu *lu, double *rcond, SlipError *error) {
  double info[UMFPACK_INFO];
  umfpack_di_free_numeric(&lu->numeric);
  if (slipi_is_stopped_within(lu->stop, SECONDS_PER_WORK * lu->work))
    return SLIP_OK;
  int status =
      umfpack_di_numeric(lu->A.p, lu->A.i, lu->A.x, lu->symbolic, &lu->numeric, lu->control, info);
  if (status == UMFPACK_WARNING_singular_matrix)
    return SLIP_OK;
  if (status != UMFPACK_OK)
    return umfpack_failed(status, error);
  *rcond = isfinite(info[UMFPACK_RCOND]) ? info[UMFPACK_RCOND] : 0;
  lu->work = sparse_work(lu, info[UMFPACK_FLOPS]);
  return SLIP_OK;
}

SlipStatus slipi_lu_factor(SlipiLu *lu, double *rcond, SlipError *error) {
  SlipStatus status = SLIP_OK;
  *rcond = 0;
  if (values_finite(&lu->A)) {
    if (lu->dense)
      *rcond = factor_dense(lu);
    else
      status = factor_sparse(lu, rcond, error);
  }
  lu->regular = *rcond > 0;
  return status;
}

static int sign_dense(const SlipiLu *lu) {
  int sign = 1;
  for (int64_t k = 0; k < lu->n; k++) {
    if ((lu->full[k * lu->n + k] < 0) != (lu->pivot[k] != k + 1))
      sign = -sign;
  }
  return sign;
}

SlipStatus slipi_lu_sign(const SlipiLu *lu, int *sign, SlipError *error) {
  *sign = 0;
  if (!lu->regular)
    return SLIP_OK;
  if (lu->dense) {
    *sign = sign_dense(lu);
    return SLIP_OK;
  }
  double mantissa, exponent;
  int status = umfpack_di_get_determinant(&mantissa, &exponent, lu->numeric, NULL);
  if (status < UMFPACK_OK)
    return umfpack_failed(status, error);
  *sign = (mantissa > 0) - (mantissa < 0);
  return SLIP_OK;
}

SlipStatus slipi_lu_solve(SlipiLu *lu, const double *b, double *x, SlipError *error) {
  if (lu->dense) {
    memcpy(x, b, (size_t)lu->n * sizeof *x);
    if (lu->n > 0)
      LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', lu->n, 1, lu->full, lu->n, lu->pivot, x, lu->n);
    return SLIP_OK;
  }
  int status = umfpack_di_wsolve(UMFPACK_At, lu->A.p, lu->A.i, lu->A.x, x, b, lu->numeric,
                                 lu->control, NULL, lu->integer_work, lu->real_work);
  return status == UMFPACK_OK || status == UMFPACK_WARNING_singular_matrix
             ? SLIP_OK
             : umfpack_failed(status, error);
}
