#include "linalg/spectrum.h"

#include <float.h>
#include <math.h>

#include <lapacke.h>

#include "base/random.h"
#include "linalg/vector.h"

SlipStatus slipi_spectrum_dense(const SlipiCsr *A, SlipiSpectrum *spectrum, SlipError *error) {
  *spectrum = (SlipiSpectrum){0};
  int32_t n = A->rows;
  if (n == 0)
    return SLIP_OK;
  SlipiArena arena = {0};
  double *dense = SLIPI_ARENA_NEW(&arena, double, (size_t)n *(size_t)n);
  double *s = SLIPI_ARENA_NEW(&arena, double, n);
  double unused;
  lapack_int info = LAPACK_WORK_MEMORY_ERROR;
  if (!arena.failed) {
    for (int32_t i = 0; i < n; i++)
      for (int32_t k = A->p[i]; k < A->p[i + 1]; k++)
        dense[(size_t)i * (size_t)n + (size_t)A->i[k]] = A->x[k];
    /* The transpose has the same singular values, so that the order does not matter. */
    info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', n, n, dense, n, s, &unused, 1, &unused, 1);
  }
  if (info == 0) {
    while (spectrum->rank < n && s[spectrum->rank] > n * DBL_EPSILON * s[0])
      spectrum->rank++;
    spectrum->largest = s[0];
    spectrum->smallest = spectrum->rank > 0 ? s[spectrum->rank - 1] : 0;
  }
  slipi_arena_free(&arena);
  if (info == LAPACK_WORK_MEMORY_ERROR)
    return slipi_fail_memory(error, "a singular value decomposition");
  if (info != 0)
    return slipi_fail(error, SLIP_ERROR_NUMERIC,
                      "the singular value decomposition failed with LAPACK's code %d", (int)info);
  return SLIP_OK;
}

/* ---- LSMR -------------------------------------------------------------------------------- */

static double normalise(int32_t n, double *x) {
  double norm = slipi_norm(x, n);
  for (int32_t i = 0; norm > 0 && i < n; i++)
    x[i] /= norm;
  return norm;
}

/* Plane rotation that takes (a, b) to (r, 0). */
static double rotation(double a, double b, double *c, double *s) {
  double r = hypot(a, b);
  *c = r > 0 ? a / r : 1;
  *s = r > 0 ? b / r : 0;
  return r;
}

/* The scalars of LSMR that the estimates need, in the paper's names. */
typedef struct Lsmr {
  int steps;
  double alpha, beta, alphabar, rhobar, cbar, sbar, zetabar;
  double largest, least; /* of the rhobar so far */
  double *rho, *theta;   /* R_k, upper bidiagonal, of the bidiagonalisation */
} Lsmr;

/* After a step of the bidiagonalisation (new alpha and beta): both rotations and the extremes
 * of the diagonal of Rbar. Returns the estimate of the condition number. */
static double lsmr_rotate(Lsmr *l) {
  double c, s, rho = rotation(l->alphabar, l->beta, &c, &s);
  double theta = s * l->alpha, last = l->rhobar, rho_last = l->cbar * rho;
  l->alphabar = c * l->alpha;
  l->rhobar = rotation(rho_last, theta, &l->cbar, &l->sbar);
  l->zetabar *= -l->sbar;
  if (l->steps > 0) { /* the first rhobar is a convention, not a value of the matrix */
    l->largest = fmax(l->largest, last);
    l->least = fmin(l->least, last);
  }
  l->rho[l->steps] = rho;
  l->theta[l->steps++] = theta;
  return fmax(l->largest, rho_last) / fmin(l->least, rho_last);
}

/* One step of Golub-Kahan: beta u = A v - alpha u, alpha v = A' u - beta v. */
static SlipStatus bidiagonalise(int32_t n, SlipiApply apply, void *user, Lsmr *l, double *u,
                                double *v, double *work, SlipError *error) {
  SlipStatus status = apply(user, false, v, work, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t i = 0; i < n; i++)
    u[i] = work[i] - l->alpha * u[i];
  l->beta = normalise(n, u);
  status = apply(user, true, u, work, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t i = 0; i < n; i++)
    v[i] = work[i] - l->beta * v[i];
  l->alpha = normalise(n, v);
  return SLIP_OK;
}

/* Run LSMR from the normalised u; it has converged when |A' r| has fallen by CONVERGED. */
static SlipStatus lsmr_run(int32_t n, SlipiApply apply, void *user, int iterations, Lsmr *l,
                           double *vectors[3], SlipiCondition *condition, SlipError *error) {
  const double CONVERGED = 1e-10;
  double *u = vectors[0], *v = vectors[1];
  SlipStatus status = apply(user, true, u, v, error);
  if (status != SLIP_OK)
    return status;
  l->alpha = l->alphabar = l->zetabar = normalise(n, v);
  double start = l->alpha;
  bool going = start > 0;
  while (going && l->steps < iterations) {
    status = bidiagonalise(n, apply, user, l, u, v, vectors[2], error);
    if (status != SLIP_OK)
      return status;
    condition->lsmr = lsmr_rotate(l);
    going = fabs(l->zetabar) > CONVERGED * start;
  }
  return SLIP_OK;
}

SlipStatus slipi_condition_estimate(int32_t n, SlipiApply apply, void *user, int iterations,
                                    SlipiCondition *condition, SlipError *error) {
  *condition = (SlipiCondition){NAN, NAN};
  if (n == 0)
    return SLIP_OK;
  SlipiArena arena = {0};
  Lsmr l = {.rhobar = 1, .cbar = 1, .least = INFINITY};
  double *vectors[3];
  for (int k = 0; k < 3; k++)
    vectors[k] = SLIPI_ARENA_NEW(&arena, double, n);
  l.rho = SLIPI_ARENA_NEW(&arena, double, iterations);
  l.theta = SLIPI_ARENA_NEW(&arena, double, iterations);
  double *work = SLIPI_ARENA_NEW(&arena, double, 4 * (size_t)iterations);
  if (arena.failed) {
    slipi_arena_free(&arena);
    return slipi_fail_memory(error, "a condition estimate");
  }
  SlipiRandom random;
  slipi_random_seed(&random, 1);
  for (int32_t i = 0; i < n; i++)
    vectors[0][i] = slipi_random_between(&random, -1, 1);
  normalise(n, vectors[0]);
  SlipStatus status = lsmr_run(n, apply, user, iterations, &l, vectors, condition, error);
  if (status == SLIP_OK && l.steps > 0) {
    double unused;
    /* The last theta lies outside the square part of R_k. */
    if (LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, 'U', l.steps, 0, 0, 0, l.rho, l.theta, &unused, 1,
                            &unused, 1, &unused, 1, work) == 0)
      condition->ritz = l.rho[0] / l.rho[l.steps - 1];
  }
  slipi_arena_free(&arena);
  return status;
}
