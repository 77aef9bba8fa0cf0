#include "methods/common_path_factors.h"

#include <math.h>
#include <string.h>

#include "linalg/bsr.h"

/* Contacts that may have changed before J is factored again: so many that the factorisation of C
 * takes this share of the work of one of J, within these bounds. With fewer than the least J is
 * factored each time. */
static const double SHARE = 0.3;
enum { CHANGED_LEAST = 8, CHANGED_MOST = 48 };
/* Pivots of C below this, relative to the largest entry: J is factored instead. */
static const double PIVOT_LEAST = 1e-9;
/* Residuals of a solution, relative to the terms of J x. */
static const double EXACT = 1e-11;
enum { REFINEMENTS = 2 };
/* Blocks whose entries differ by no more than this, in B relative to the compliance, are near. */
static const double NEAR = 0.1;

SlipStatus slipi_path_factors_create(SlipiSystem *system, const SlipiScaled *scaled,
                                     SlipiArena *arena, SlipiPathFactors *factors,
                                     SlipError *error) {
  int32_t nc = scaled->nc, m = scaled->m;
  double rows = cbrt(1.5 * SHARE * slipi_system_work(system));
  int64_t most = (int64_t)fmin(CHANGED_MOST, rows / 3);
  most = most < CHANGED_LEAST ? 0 : most;
  *factors = (SlipiPathFactors){
      .system = system,
      .scaled = scaled,
      .nc = nc,
      .m = m,
      .most = (int32_t)most,
      .A_0 = SLIPI_ARENA_NEW(arena, double, 9 * (int64_t)nc),
      .B_0 = SLIPI_ARENA_NEW(arena, double, 9 * (int64_t)nc),
      .contact = SLIPI_ARENA_NEW(arena, int32_t, most),
      .place = SLIPI_ARENA_NEW(arena, int32_t, nc),
      .Z = SLIPI_ARENA_RAW(arena, double, 3 * most * m),
      .WZ = SLIPI_ARENA_NEW(arena, double, 9 * most * most),
      .C = SLIPI_ARENA_NEW(arena, double, 9 * most * most),
      .y = SLIPI_ARENA_NEW(arena, double, 3 * most),
      .unit = SLIPI_ARENA_NEW(arena, double, m),
      .residual = SLIPI_ARENA_NEW(arena, double, m),
      .dx = SLIPI_ARENA_NEW(arena, double, m),
      .pivot = SLIPI_ARENA_NEW(arena, int32_t, 3 * most),
  };
  return arena->failed ? slipi_fail_memory(error, "a path of solutions") : SLIP_OK;
}

void slipi_path_factors_forget(SlipiPathFactors *factors) {
  factors->valid = false;
}

/* ---- Contacts that have changed ---- */

static const double *column(const SlipiPathFactors *factors, int32_t k) {
  return factors->Z + (int64_t)k * factors->m;
}

/* W Z of contact a in column k. */
static double *entry(const SlipiPathFactors *factors, int32_t a, int32_t k) {
  return factors->WZ + (int64_t)k * 3 * factors->most + 3 * (int64_t)a;
}

static void multiply_row(SlipiPathFactors *factors, int32_t a, int32_t k) {
  slipi_bsr_row(&factors->scaled->W, factors->contact[a], column(factors, k), entry(factors, a, k));
}

/* Columns and rows of one more contact. */
static SlipStatus add(SlipiPathFactors *factors, int32_t contact, SlipError *error) {
  double *unit = factors->unit;
  int32_t at = factors->count++;
  SlipStatus status = SLIP_OK;
  factors->contact[at] = contact;
  factors->place[contact] = at;
  for (int32_t k = 3 * at; k < 3 * at + 3 && status == SLIP_OK; k++) {
    int64_t row = 3 * (int64_t)contact + k % 3;
    unit[row] = 1;
    status =
        slipi_system_solve_once(factors->system, unit, factors->Z + (int64_t)k * factors->m, error);
    unit[row] = 0;
    for (int32_t a = 0; a < at; a++)
      multiply_row(factors, a, k);
  }
  for (int32_t k = 0; k < 3 * at + 3 && status == SLIP_OK; k++)
    multiply_row(factors, at, k);
  return status;
}

static bool has_changed(const SlipiPathFactors *factors, int32_t a) {
  int64_t at = 9 * (int64_t)a;
  size_t bytes = 9 * sizeof(double);
  return memcmp(factors->A + at, factors->A_0 + at, bytes) != 0 ||
         memcmp(factors->B + at, factors->B_0 + at, bytes) != 0;
}

static bool is_within(const double *x, const double *y, double most) {
  int k = 0;
  while (k < 9 && fabs(x[k] - y[k]) <= most)
    k++;
  return k == 9;
}

void slipi_path_factors_near(const SlipiPathFactors *factors, const double *weight, double *A,
                             double *B) {
  size_t bytes = 9 * sizeof *A;
  for (int32_t a = 0; factors->valid && a < factors->nc; a++) {
    int64_t at = 9 * (int64_t)a;
    if (factors->place[a] >= 0 || !is_within(A + at, factors->A_0 + at, NEAR) ||
        !is_within(B + at, factors->B_0 + at, NEAR * weight[a]))
      continue;
    memcpy(A + at, factors->A_0 + at, bytes);
    memcpy(B + at, factors->B_0 + at, bytes);
  }
}

/* Whether those that have changed are few enough. */
static bool is_near(const SlipiPathFactors *factors) {
  int32_t count = factors->count;
  for (int32_t a = 0; a < factors->nc && count <= factors->most; a++)
    count += factors->place[a] < 0 && has_changed(factors, a);
  return factors->valid && count <= factors->most;
}

/* y = R x of the k-th contact that has changed; wx is W x there. */
static void row_of_change(const SlipiPathFactors *factors, int32_t k, const double *x,
                          const double *wx, double y[3]) {
  int64_t at = 9 * (int64_t)factors->contact[k];
  const double *A = factors->A + at, *A_0 = factors->A_0 + at;
  const double *B = factors->B + at, *B_0 = factors->B_0 + at;
  for (int i = 0; i < 3; i++) {
    y[i] = 0;
    for (int j = 0; j < 3; j++)
      y[i] += (A[3 * i + j] - A_0[3 * i + j]) * wx[j] + (B[3 * i + j] - B_0[3 * i + j]) * x[j];
  }
}

/* ---- C ---- */

static void fill(SlipiPathFactors *factors) {
  int32_t n = 3 * factors->count;
  for (int32_t k = 0; k < n; k++) {
    for (int32_t a = 0; a < factors->count; a++) {
      double y[3];
      const double *x = column(factors, k) + 3 * (int64_t)factors->contact[a];
      row_of_change(factors, a, x, entry(factors, a, k), y);
      for (int i = 0; i < 3; i++)
        factors->C[(int64_t)(3 * a + i) * n + k] = y[i] + (3 * a + i == k);
    }
  }
}

static void exchange(double *x, double *y, int32_t n) {
  for (int32_t k = 0; k < n; k++) {
    double keep = x[k];
    x[k] = y[k];
    y[k] = keep;
  }
}

/* LU with pivots of each column; the sign of the determinant, 0 where pivots are too small. */
static int factor(SlipiPathFactors *factors) {
  int32_t n = 3 * factors->count;
  double *C = factors->C, size = 1;
  int sign = 1;
  for (int64_t k = 0; k < (int64_t)n * n; k++)
    size = fmax(size, fabs(C[k]));
  for (int32_t k = 0; k < n; k++) {
    int32_t best = k;
    for (int32_t i = k + 1; i < n; i++)
      best = fabs(C[(int64_t)i * n + k]) > fabs(C[(int64_t)best * n + k]) ? i : best;
    factors->pivot[k] = best;
    double *top = C + (int64_t)k * n;
    if (best != k)
      exchange(top, C + (int64_t)best * n, n);
    sign = (best != k) != (top[k] < 0) ? -sign : sign;
    if (!(fabs(top[k]) > PIVOT_LEAST * size))
      return 0;
    for (int32_t i = k + 1; i < n; i++) {
      double *row = C + (int64_t)i * n, by = row[k] /= top[k];
      for (int32_t j = k + 1; by != 0 && j < n; j++)
        row[j] -= by * top[j];
    }
  }
  return sign;
}

static void solve_small(const SlipiPathFactors *factors, double *y) {
  int32_t n = 3 * factors->count;
  const double *C = factors->C;
  for (int32_t k = 0; k < n; k++)
    exchange(&y[k], &y[factors->pivot[k]], factors->pivot[k] != k);
  for (int32_t k = 0; k < n; k++) {
    for (int32_t j = 0; j < k; j++)
      y[k] -= C[(int64_t)k * n + j] * y[j];
  }
  for (int32_t k = n - 1; k >= 0; k--) {
    for (int32_t j = k + 1; j < n; j++)
      y[k] -= C[(int64_t)k * n + j] * y[j];
    y[k] /= C[(int64_t)k * n + k];
  }
}

/* ---- J ---- */

static SlipStatus factor_anew(SlipiPathFactors *factors, int *sign, SlipError *error) {
  size_t bytes = 9 * (size_t)factors->nc * sizeof *factors->A_0;
  memcpy(factors->A_0, factors->A, bytes);
  memcpy(factors->B_0, factors->B, bytes);
  for (int32_t a = 0; a < factors->nc; a++)
    factors->place[a] = -1;
  factors->count = 0;
  SlipStatus status = slipi_system_factor(factors->system, factors->scaled, factors->A_0,
                                          factors->B_0, sign, error);
  factors->valid = status == SLIP_OK && *sign != 0;
  factors->sign_0 = *sign;
  return status;
}

SlipStatus slipi_path_factors_set(SlipiPathFactors *factors, const double *A, const double *B,
                                  int *sign, SlipError *error) {
  factors->A = A;
  factors->B = B;
  if (!is_near(factors))
    return factor_anew(factors, sign, error);
  SlipStatus status = SLIP_OK;
  for (int32_t a = 0; a < factors->nc && status == SLIP_OK; a++) {
    if (factors->place[a] < 0 && has_changed(factors, a))
      status = add(factors, a, error);
  }
  if (status != SLIP_OK)
    return status;
  fill(factors);
  *sign = factor(factors) * factors->sign_0;
  return *sign == 0 ? factor_anew(factors, sign, error) : SLIP_OK;
}

static SlipStatus solve_once(SlipiPathFactors *factors, const double *b, double *x,
                             SlipError *error) {
  double *y = factors->y;
  SlipStatus status = slipi_system_solve_once(factors->system, b, x, error);
  if (status != SLIP_OK || factors->count == 0)
    return status;
  for (int32_t k = 0; k < factors->count; k++) {
    double wx[3];
    int32_t a = factors->contact[k];
    slipi_bsr_row(&factors->scaled->W, a, x, wx);
    row_of_change(factors, k, x + 3 * (int64_t)a, wx, y + 3 * (int64_t)k);
  }
  solve_small(factors, y);
  for (int32_t k = 0; k < 3 * factors->count; k++) {
    const double *z = column(factors, k);
    for (int32_t i = 0; i < factors->m; i++)
      x[i] -= y[k] * z[i];
  }
  return SLIP_OK;
}

static double larger(double x, double y) {
  return x > y ? x : y;
}

/* b - J x, and whether it is rounding. */
static bool is_exact(SlipiPathFactors *factors, const double *b, const double *x) {
  double *wx = factors->residual, size = 0, most = 0;
  slipi_bsr_multiply(&factors->scaled->W, x, wx, NULL);
  for (int32_t a = 0; a < factors->nc; a++) {
    const double *A = factors->A + 9 * (int64_t)a, *B = factors->B + 9 * (int64_t)a;
    int64_t at = 3 * (int64_t)a;
    double v[3] = {wx[at], wx[at + 1], wx[at + 2]};
    for (int i = 0; i < 3; i++) {
      wx[at + i] = b[at + i];
      for (int j = 0; j < 3; j++) {
        double term_A = A[3 * i + j] * v[j], term_B = B[3 * i + j] * x[at + j];
        wx[at + i] -= term_A + term_B;
        size = larger(size, larger(fabs(term_A), fabs(term_B)));
      }
      size = larger(size, fabs(b[at + i]));
      most = larger(fabs(wx[at + i]), most);
    }
  }
  return most <= EXACT * size;
}

SlipStatus slipi_path_factors_solve(SlipiPathFactors *factors, const double *b, double *x,
                                    SlipError *error) {
  SlipStatus status = solve_once(factors, b, x, error);
  bool exact = status == SLIP_OK && is_exact(factors, b, x);
  for (int k = 0; k < REFINEMENTS && !exact && status == SLIP_OK; k++) {
    status = solve_once(factors, factors->residual, factors->dx, error);
    for (int32_t i = 0; i < factors->m; i++)
      x[i] += factors->dx[i];
    exact = is_exact(factors, b, x);
  }
  if (status != SLIP_OK || exact)
    return status;
  int sign = factors->sign_0;
  if (factors->count > 0)
    status = factor_anew(factors, &sign, error);
  return status == SLIP_OK && sign != 0 ? slipi_system_solve(factors->system, b, x, error) : status;
}
