#include "methods/common_stick.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

enum { ITERATIONS = 60 };
/* Complementarity and residual of a solution, in units in which impulses and velocities are about
 * 1. */
static const double GAP = 1e-11, EXACT = 1e-9;
/* The share of the way to the boundary that is taken. */
static const double SHARE = 0.995;

/* s is u_N, up to the residual; `one_sided` has the contacts with 0 <= u_N, r_N >= 0. */
typedef struct Stick {
  SlipiPath *path;
  double *s, *ds, *off, *second; /* nc: s, its step, u_N - s, products of the affine step */
  double *dr, *rhs;              /* m */
  double gap, worst;
  int32_t one_sided;
} Stick;

static bool is_one_sided(const SlipiPath *path, int32_t a) {
  return slipi_law_axis(&path->scaled->law[a], 0) != SLIPI_AXIS_FREE;
}

/* Whether component k has u = 0 and any impulse, and not the reverse. */
static bool is_held(const SlipiPath *path, int32_t a, int k) {
  const SlipiLaw *law = &path->scaled->law[a];
  return is_one_sided(path, a) ? law->mu > 0 : slipi_law_axis(law, k) == SLIPI_AXIS_FREE;
}

static void start(Stick *at) {
  SlipiPath *path = at->path;
  memset(path->r, 0, (size_t)path->m * sizeof *path->r);
  for (int32_t a = 0; a < path->nc; a++) {
    at->s[a] = 1;
    path->r[3 * (int64_t)a] = is_one_sided(path, a);
    at->one_sided += is_one_sided(path, a);
  }
}

/* The velocity and the equations of one contact at r. */
static void evaluate_contact(Stick *at, int32_t a) {
  SlipiPath *path = at->path;
  int64_t first = 3 * (int64_t)a;
  double *A = path->A + 3 * first, *B = path->B + 3 * first, alpha = path->weight_first[a];
  memset(A, 0, 9 * sizeof *A);
  memset(B, 0, 9 * sizeof *B);
  for (int k = 0; k < 3; k++) {
    path->u[first + k] += alpha * (path->r[first + k] - path->r_0[first + k]);
    bool held = is_held(path, a, k);
    (held ? A : B)[4 * k] = 1;
    path->F[first + k] = held ? path->u[first + k] : path->r[first + k];
  }
  if (is_one_sided(path, a)) {
    at->off[a] = path->u[first] - at->s[a];
    at->gap += path->r[first] * at->s[a] / at->one_sided;
    A[0] = path->r[first] / at->s[a];
    B[0] = 1;
    path->F[first] = at->off[a];
  }
  for (int k = 0; k < 3; k++) {
    at->worst = fmax(at->worst, fabs(path->F[first + k]));
    B[4 * k] += alpha * A[4 * k];
  }
}

static void evaluate(Stick *at) {
  slipi_scaled_velocity(at->path->scaled, at->path->r, at->path->u);
  at->gap = at->worst = 0;
  for (int32_t a = 0; a < at->path->nc; a++)
    evaluate_contact(at, a);
}

/* The step to products of r_N and s of sigma gap less those of the affine step; returns the largest
 * share of it that leaves both positive. */
static SlipStatus find_step(Stick *at, double sigma, double *reach, SlipError *error) {
  SlipiPath *path = at->path;
  for (int32_t k = 0; k < path->m; k++)
    at->rhs[k] = -path->F[k];
  for (int32_t a = 0; a < path->nc; a++) {
    int64_t n = 3 * (int64_t)a;
    if (is_one_sided(path, a))
      at->rhs[n] =
          (sigma * at->gap - at->second[a]) / at->s[a] - path->r[n] * (1 + at->off[a] / at->s[a]);
  }
  SlipStatus status = slipi_system_solve(path->system, at->rhs, at->dr, error);
  if (status != SLIP_OK)
    return status;
  slipi_bsr_multiply(&path->scaled->W, at->dr, at->rhs, NULL);
  *reach = 1 / SHARE;
  for (int32_t a = 0; a < path->nc; a++) {
    int64_t n = 3 * (int64_t)a;
    at->ds[a] =
        is_one_sided(path, a) ? at->rhs[n] + path->weight_first[a] * at->dr[n] + at->off[a] : 0;
    if (at->ds[a] < 0)
      *reach = fmin(*reach, -at->s[a] / at->ds[a]);
    if (is_one_sided(path, a) && at->dr[n] < 0)
      *reach = fmin(*reach, -path->r[n] / at->dr[n]);
  }
  return SLIP_OK;
}

/* Mehrotra's predictor and corrector. */
static SlipStatus iterate(Stick *at, SlipError *error) {
  SlipiPath *path = at->path;
  double reach = 0, ahead = 0;
  memset(at->second, 0, (size_t)path->nc * sizeof *at->second);
  SlipStatus status = find_step(at, 0, &reach, error);
  if (status != SLIP_OK)
    return status;
  reach = fmin(reach, 1);
  for (int32_t a = 0; a < path->nc; a++) {
    int64_t n = 3 * (int64_t)a;
    if (!is_one_sided(path, a))
      continue;
    ahead += (path->r[n] + reach * at->dr[n]) * (at->s[a] + reach * at->ds[a]) / at->one_sided;
    at->second[a] = at->dr[n] * at->ds[a];
  }
  double ratio = at->gap > 0 ? ahead / at->gap : 0;
  status = find_step(at, ratio * ratio * ratio, &reach, error);
  reach = fmin(1, SHARE * reach);
  for (int32_t k = 0; status == SLIP_OK && k < path->m; k++)
    path->r[k] += reach * at->dr[k];
  for (int32_t a = 0; status == SLIP_OK && a < path->nc; a++)
    at->s[a] += reach * at->ds[a];
  return status;
}

SlipStatus slipi_stick_solve(SlipiPath *path, double *room, bool *solved, SlipError *error) {
  int64_t nc = path->nc;
  Stick at = {.path = path,
              .s = room,
              .ds = room + nc,
              .off = room + 2 * nc,
              .second = room + 3 * nc,
              .dr = room + 4 * nc,
              .rhs = room + 4 * nc + path->m};
  SlipStatus status = SLIP_OK;
  *solved = false;
  start(&at);
  for (int k = 0; k < ITERATIONS && status == SLIP_OK && !slipi_is_stopped(&path->stop); k++) {
    int sign = 0;
    evaluate(&at);
    *solved = at.gap <= GAP && at.worst <= EXACT;
    if (*solved || !isfinite(at.gap + at.worst))
      break;
    slipi_path_factors_forget(&path->factors); /* they are of the same system */
    status = slipi_system_factor(path->system, path->scaled, path->A, path->B, &sign, error);
    if (status == SLIP_OK && sign == 0)
      break;
    if (status == SLIP_OK)
      status = iterate(&at, error);
  }
  return status;
}
