#include "exist/normal.h"

#include <stdlib.h>
#include <string.h>

#include "linalg/dense3.h"
#include "linalg/vector.h"

/* The share of the diagonal that is added, and how it grows when that does not suffice. */
#define SHIFT_LEAST 1e-14
#define SHIFT_GROWTH 10
#define SHIFT_MOST 1e-4
/* A row of H depends on those eliminated before it where the pivot of H H' (slightly shifted) is
 * this share of the diagonal. */
#define DEPENDENT_SHIFT 1e-12
#define DEPENDENT 1e-9
/* How far a solve reduces the residual, and in how many steps at most. */
#define REFINEMENTS 25
#define REFINED 1e-10
#define REFINED_ROUGH 1e-3

/* The columns of the lower triangle: which degrees of freedom i >= j share a contact with j.
 * With A->i NULL it only counts, into A->p. */
static int64_t pattern(const SlipiKinematics *kin, SlipiCsr *A, int32_t *seen) {
  int64_t used = 0;
  for (int32_t j = 0; j < kin->n; j++)
    seen[j] = -1;
  for (int32_t j = 0; j < kin->n; j++) {
    if (A->i) {
      A->p[j] = (int32_t)used;
      A->i[used] = j;
    }
    used++;
    seen[j] = j;
    for (int32_t t = kin->tp[j]; t < kin->tp[j + 1]; t++) {
      int32_t c = kin->tc[t];
      for (int32_t e = kin->te[t] + 1; e < kin->p[c + 1]; e++) {
        int32_t i = kin->k[e];
        if (seen[i] == j)
          continue;
        seen[i] = j;
        if (A->i)
          A->i[used] = i;
        used++;
      }
    }
  }
  return used;
}

SlipStatus slipi_normal_create(SlipiArena *arena, const SlipiKinematics *kin, SlipiNormal *normal,
                               SlipError *error) {
  *normal = (SlipiNormal){.kin = kin, .A = {.rows = kin->n, .cols = kin->n}};
  int64_t n = kin->n, nc = kin->nc;
  int32_t *seen = SLIPI_ARENA_NEW(arena, int32_t, n);
  double **vectors[] = {&normal->border,   &normal->reduced, &normal->shift,   &normal->row,
                        &normal->residual, &normal->change,  &normal->product, &normal->current};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(arena, double, n);
  normal->z = SLIPI_ARENA_NEW(arena, double, 3 * nc);
  normal->R = SLIPI_ARENA_NEW(arena, double, 9 * nc);
  normal->Rh = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)kin->p[nc]);
  normal->A.p = SLIPI_ARENA_NEW(arena, int32_t, n + 1);
  if (arena->failed)
    return slipi_fail_memory(error, "the normal equations of an existence check");
  int64_t count = pattern(kin, &normal->A, seen);
  if (count > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the normal equations of the existence check have %lld entries, %d are "
                      "possible",
                      (long long)count, INT32_MAX);
  normal->A.i = SLIPI_ARENA_NEW(arena, int32_t, count);
  normal->A.x = SLIPI_ARENA_NEW(arena, double, count);
  if (arena->failed)
    return slipi_fail_memory(error, "the normal equations of an existence check");
  pattern(kin, &normal->A, seen);
  normal->A.p[n] = (int32_t)count;
  for (int32_t j = 0; j < n; j++)
    qsort(normal->A.i + normal->A.p[j], (size_t)(normal->A.p[j + 1] - normal->A.p[j]),
          sizeof *normal->A.i, slipi_compare_index);
  return slipi_cholesky_create(&normal->A, &normal->cholesky, error);
}

void slipi_normal_free(SlipiNormal *normal) {
  slipi_cholesky_free(normal->cholesky);
  normal->cholesky = NULL;
}

/* R times the entries of H; the border is -H R'R e, the corner e' R'R e. */
static void scale_entries(SlipiNormal *normal) {
  const SlipiKinematics *kin = normal->kin;
  memset(normal->border, 0, (size_t)kin->n * sizeof *normal->border);
  normal->corner = normal->bound;
  for (int32_t c = 0; c < kin->nc; c++) {
    const double *R = normal->R + 9 * (int64_t)c, Re[3] = {R[0], R[3], R[6]};
    double e = kin->bilateral[c] ? 0 : 1;
    normal->corner += e * slipi_dense3_dot(Re, Re);
    for (int32_t k = kin->p[c]; k < kin->p[c + 1]; k++) {
      double *Rh = normal->Rh + 3 * (int64_t)k;
      slipi_dense3_multiply(R, kin->h + 3 * (int64_t)k, Rh);
      normal->border[kin->k[k]] -= e * slipi_dense3_dot(Re, Rh);
    }
  }
}

/* A = (R H')' (R H') column by column. */
static void assemble(SlipiNormal *normal) {
  const SlipiKinematics *kin = normal->kin;
  const SlipiCsr *A = &normal->A;
  double *row = normal->row;
  scale_entries(normal);
  for (int32_t j = 0; j < kin->n; j++) {
    for (int32_t a = A->p[j]; a < A->p[j + 1]; a++)
      row[A->i[a]] = 0;
    for (int32_t t = kin->tp[j]; t < kin->tp[j + 1]; t++) {
      const double *g = normal->Rh + 3 * (int64_t)kin->te[t];
      for (int32_t e = kin->te[t]; e < kin->p[kin->tc[t] + 1]; e++)
        row[kin->k[e]] += slipi_dense3_dot(g, normal->Rh + 3 * (int64_t)e);
    }
    for (int32_t a = A->p[j]; a < A->p[j + 1]; a++)
      A->x[a] = row[A->i[a]];
    A->x[A->p[j]] += normal->proximal;
  }
}

/* Multiply (x, s) by the matrix without what was added to its diagonal. */
static void multiply(SlipiNormal *normal, const double *x, double s, double *y, double *ys) {
  const SlipiKinematics *kin = normal->kin;
  double *z = normal->z, sum = normal->bound * s;
  slipi_kinematics_apply(kin, x, z);
  for (int32_t c = 0; c < kin->nc; c++) {
    double *zc = z + 3 * (int64_t)c, t[3];
    const double *R = normal->R + 9 * (int64_t)c;
    zc[0] -= kin->bilateral[c] ? 0 : s;
    slipi_dense3_multiply(R, zc, t);
    slipi_dense3_multiply_transposed(R, t, zc);
    sum -= kin->bilateral[c] ? 0 : zc[0];
  }
  slipi_kinematics_apply_transposed(kin, z, y);
  for (int32_t j = 0; j < kin->n; j++)
    y[j] += normal->proximal * x[j];
  *ys = sum;
}

SlipStatus slipi_normal_factor(SlipiNormal *normal, bool *definite, SlipError *error) {
  int32_t n = normal->kin->n;
  SlipStatus status = SLIP_OK;
  assemble(normal);
  for (int32_t j = 0; j < n; j++)
    normal->shift[j] = 0;
  *definite = n == 0;
  for (double share = SHIFT_LEAST; !*definite && share <= SHIFT_MOST; share *= SHIFT_GROWTH) {
    for (int32_t j = 0; j < n; j++) {
      double *diagonal = normal->A.x + normal->A.p[j], value = *diagonal - normal->shift[j];
      normal->shift[j] = value > 0 ? share * value : share;
      *diagonal = value + normal->shift[j];
    }
    status = slipi_cholesky_factor(normal->cholesky, normal->stop, definite, error);
    normal->factorisations++;
    if (status != SLIP_OK)
      return status;
  }
  if (*definite && n > 0)
    status = slipi_cholesky_solve(normal->cholesky, normal->border, normal->reduced, error);
  /* Rounding can swallow the Schur complement; the lost part is far below the diagonal. */
  normal->schur = normal->corner - slipi_dot(normal->border, normal->reduced, n);
  normal->schur = fmax(normal->schur, 1e-15 * normal->corner);
  return status;
}

SlipStatus slipi_normal_dependent(SlipiNormal *normal, bool *drop, int32_t *count,
                                  SlipError *error) {
  const SlipiKinematics *kin = normal->kin;
  bool definite;
  *count = 0;
  for (int32_t c = 0; c < kin->nc; c++)
    for (int k = 0; k < 9; k++)
      normal->R[9 * (int64_t)c + k] = k % 4 == 0;
  normal->bound = 1;
  assemble(normal);
  for (int32_t j = 0; j < kin->n; j++) {
    double *diagonal = normal->A.x + normal->A.p[j];
    normal->shift[j] = *diagonal > 0 ? *diagonal : 1;
    *diagonal += DEPENDENT_SHIFT * normal->shift[j];
  }
  SlipStatus status = slipi_cholesky_factor(normal->cholesky, normal->stop, &definite, error);
  if (status != SLIP_OK || !definite)
    return status;
  slipi_cholesky_pivots(normal->cholesky, normal->residual);
  for (int32_t j = 0; j < kin->n; j++) {
    drop[j] = normal->residual[j] < DEPENDENT * normal->shift[j];
    *count += drop[j];
  }
  return SLIP_OK;
}

/* One solve with the factors. */
static SlipStatus solve_once(SlipiNormal *normal, const double *b, double bs, double *x, double *s,
                             SlipError *error) {
  int32_t n = normal->kin->n;
  SlipStatus status = SLIP_OK;
  *s = (bs - slipi_dot(normal->reduced, b, n)) / normal->schur;
  if (n > 0)
    status = slipi_cholesky_solve(normal->cholesky, b, x, error);
  for (int32_t j = 0; status == SLIP_OK && j < n; j++)
    x[j] -= normal->reduced[j] * *s;
  normal->solves++;
  return status;
}

static double largest(const double *x, int32_t n, double start) {
  for (int32_t k = 0; k < n; k++)
    start = fmax(start, fabs(x[k]));
  return start;
}

static SlipStatus precondition(SlipiNormal *normal, bool inner, const double *r, double rs,
                               double *z, double *zs, SlipError *error) {
  if (!inner)
    return solve_once(normal, r, rs, z, zs, error);
  *zs = 0;
  normal->solves++;
  return normal->kin->n > 0 ? slipi_cholesky_solve(normal->cholesky, r, z, error) : SLIP_OK;
}

/* Conjugate gradients from the factors on, which are those of a matrix with a shifted diagonal
 * and rounded: one step where the matrix is well-conditioned, more at the end of the
 * interior-point method. Keeps the point with the least residual. inner: s stays 0. */
static SlipStatus solve(SlipiNormal *normal, bool inner, double bs, double *x, double *s,
                        SlipError *error) {
  int32_t n = normal->kin->n;
  size_t bytes = (size_t)n * sizeof *x;
  double *r = normal->residual, *z = normal->change, *p = normal->row, *Ap = normal->product;
  double rs = inner ? 0 : bs, zs, ps = 0, Aps, xs = 0, rho = 0;
  double size = largest(r, n, fabs(rs)), least = size;
  double enough = (normal->rough ? REFINED_ROUGH : REFINED) * size;
  double *current = normal->current;
  memset(current, 0, bytes);
  memset(x, 0, bytes);
  *s = 0;
  for (int round = 0; round < REFINEMENTS && least > enough; round++) {
    SlipStatus status = precondition(normal, inner, r, rs, z, &zs, error);
    if (status != SLIP_OK)
      return status;
    double next = slipi_dot(r, z, n) + rs * zs, beta = round == 0 ? 0 : next / rho;
    rho = next;
    for (int32_t j = 0; j < n; j++)
      p[j] = z[j] + (round == 0 ? 0 : beta * p[j]);
    ps = zs + beta * ps;
    multiply(normal, p, ps, Ap, &Aps);
    Aps = inner ? 0 : Aps;
    double curvature = slipi_dot(p, Ap, n) + ps * Aps;
    if (!(rho > 0) || !(curvature > 0))
      break;
    double alpha = rho / curvature;
    for (int32_t j = 0; j < n; j++) {
      current[j] += alpha * p[j];
      r[j] -= alpha * Ap[j];
    }
    xs += alpha * ps;
    rs -= alpha * Aps;
    double now = largest(r, n, fabs(rs));
    if (now < least) {
      least = now;
      memcpy(x, current, bytes);
      *s = xs;
    }
  }
  return SLIP_OK;
}

SlipStatus slipi_normal_solve(SlipiNormal *normal, const double *b, double bs, double *x, double *s,
                              SlipError *error) {
  memcpy(normal->residual, b, (size_t)normal->kin->n * sizeof *b);
  return solve(normal, false, bs, x, s, error);
}

SlipStatus slipi_normal_solve_inner(SlipiNormal *normal, const double *b, double *x,
                                    SlipError *error) {
  double s;
  memcpy(normal->residual, b, (size_t)normal->kin->n * sizeof *b);
  return solve(normal, true, 0, x, &s, error);
}
