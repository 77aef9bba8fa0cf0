#include "methods/common_cone.h"

#include <string.h>

/* Of a bilateral contact, whose diagonal block has mean diagonal 1. */
static const double BILATERAL_WEIGHT = 1e-10;

SlipStatus slipi_cone_create(SlipiOperator *op, SlipiArena *arena, SlipiCone *cone,
                             SlipError *error) {
  SlipStatus status = slipi_scaled_create(op, true, arena, &cone->scaled, error);
  if (status != SLIP_OK)
    return status;
  cone->share = op->share;
  int64_t m = cone->scaled->m;
  cone->scaling = SLIPI_ARENA_NEW(arena, SlipiSocScaling, op->nc);
  cone->left = SLIPI_ARENA_NEW(arena, double, 3 * m);
  cone->own = SLIPI_ARENA_NEW(arena, double, 3 * m);
  cone->right = SLIPI_ARENA_NEW(arena, double, 3 * m);
  cone->slope = SLIPI_ARENA_NEW(arena, double, m);
  cone->rhs = SLIPI_ARENA_NEW(arena, double, m);
  cone->y = SLIPI_ARENA_NEW(arena, double, m);
  cone->x = SLIPI_ARENA_NEW(arena, double, m);
  if (arena->failed)
    return slipi_fail_memory(error, "an interior-point method");
  return slipi_system_of(op, &cone->system, error);
}

SlipStatus slipi_cone_set(SlipiCone *cone, const SlipiLaw *law, const double *q, bool laws_changed,
                          SlipError *error) {
  SlipStatus status = slipi_scaled_set(cone->scaled, law, q, laws_changed, error);
  cone->cones = 0;
  for (int32_t c = 0; c < cone->scaled->nc; c++)
    cone->cones += slipi_cone_has(cone, c);
  cone->cones = (int32_t)slipi_share_count(cone->share, cone->cones);
  return status;
}

/* A^-1 x of one contact, in place. */
static void apply_inverse_slope(const double slope[3], double x[3]) {
  x[0] -= slope[1] * x[1] + slope[2] * x[2];
}

/* A contact without a cone. */
static void prepare_bilateral(SlipiCone *cone, int32_t c) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int64_t at = 9 * (int64_t)c;
  memcpy(cone->left + at, unit, sizeof unit);
  memcpy(cone->right + at, unit, sizeof unit);
  memcpy(cone->own + at, unit, sizeof unit);
  for (int k = 0; k < 3; k++) { /* a component that is left out has nothing of W */
    if (slipi_law_axis(&cone->scaled->law[c], k) != SLIPI_AXIS_NONE)
      cone->own[at + 4 * k] = BILATERAL_WEIGHT;
  }
}

/* The first row of A, with `share` of the derivative of g. */
static void set_slope(SlipiCone *cone, int32_t c, const double u[3], double share) {
  double *slope = cone->slope + 3 * (int64_t)c, t = slipi_soc_tangent(u);
  bool slides = slipi_cone_slides(cone, c) && t > 0;
  slope[0] = 1;
  slope[1] = slides ? -share * u[1] / t : 0;
  slope[2] = slides ? -share * u[2] / t : 0;
}

/* Without friction the tangents have nothing of W and stay 0, and the eigenvalues of the scaling
 * are equal: its eigenvectors may be the axes, which leaves the tangents alone. */
static bool is_smooth(const SlipiCone *cone, int32_t c) {
  return cone->scaled->a[3 * (int64_t)c + 1] == 0;
}

static void set_basis(const SlipiCone *cone, int32_t c, double Q[9]) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (is_smooth(cone, c))
    memcpy(Q, unit, sizeof unit);
  else
    slipi_soc_basis(&cone->scaling[c], Q);
}

/* The scaling of one contact, and its blocks of the system. */
static void prepare(SlipiCone *cone, int32_t c, const double u[3], const double r[3]) {
  int64_t at = 9 * (int64_t)c;
  const double *slope = cone->slope + 3 * (int64_t)c;
  double *left = cone->left + at, *own = cone->own + at, *right = cone->right + at;
  SlipiSocScaling *scaling = &cone->scaling[c];
  slipi_soc_scale(u, r, scaling);
  set_basis(cone, c, right);
  memset(own, 0, 9 * sizeof *own);
  for (int k = 0; k < 3; k++) {
    double D = scaling->eigen[k] * scaling->eigen[k] + cone->delta, T = 1 / sqrt(D + 1);
    own[4 * k] = k > 0 && is_smooth(cone, c) ? 1 : D / (D + 1);
    for (int i = 0; i < 3; i++) {
      double g = right[3 * i + k] - (i > 0 ? slope[i] * right[k] : 0);
      left[3 * k + i] = T * g;
    }
    for (int i = 0; i < 3; i++)
      right[3 * i + k] *= T;
  }
}

SlipStatus slipi_cone_factor(SlipiCone *cone, const double *u, const double *r, double share,
                             int *sign, SlipError *error) {
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    set_slope(cone, c, u + 3 * (int64_t)c, share);
    if (slipi_cone_has(cone, c))
      prepare(cone, c, u + 3 * (int64_t)c, r + 3 * (int64_t)c);
    else
      prepare_bilateral(cone, c);
  }
  return slipi_system_factor_between(cone->system, cone->scaled, cone->left, cone->own, cone->right,
                                     sign, error);
}

/* Q' y and Q y of one contact. */
static void to_basis(const SlipiCone *cone, int32_t c, double y[3]) {
  if (!is_smooth(cone, c))
    slipi_soc_to_basis(&cone->scaling[c], y, y);
}

static void from_basis(const SlipiCone *cone, int32_t c, double y[3]) {
  if (!is_smooth(cone, c))
    slipi_soc_from_basis(&cone->scaling[c], y, y);
}

/* rhs = T Q' (x + A^-1 f), where Q' x = Q' S (lambda \ c) is found in the basis. */
static void set_rhs(SlipiCone *cone, const double *c, const double *f) {
  for (int32_t a = 0; a < cone->scaled->nc; a++) {
    int64_t at = 3 * (int64_t)a;
    const double *right = cone->right + 3 * at;
    double *rhs = cone->rhs + at, *x = cone->x + at, b[3] = {0};
    for (int k = 0; f && k < 3; k++)
      b[k] = f[at + k];
    apply_inverse_slope(cone->slope + at, b);
    for (int k = 0; k < 3; k++)
      rhs[k] = right[k] * b[0] + right[3 + k] * b[1] + right[6 + k] * b[2];
    if (!slipi_cone_has(cone, a))
      continue;
    const SlipiSocScaling *scaling = &cone->scaling[a];
    slipi_soc_divide(scaling->lambda, c + at, x);
    to_basis(cone, a, x);
    for (int k = 0; k < 3; k++) {
      double D = scaling->eigen[k] * scaling->eigen[k] + cone->delta;
      x[k] *= scaling->eigen[k];
      rhs[k] += x[k] / sqrt(D + 1);
    }
  }
}

/* dr = Q T y. */
static void set_impulses(const SlipiCone *cone, double *dr) {
  for (int32_t a = 0; a < cone->scaled->nc; a++)
    slipi_dense3_multiply(cone->right + 9 * (int64_t)a, cone->y + 3 * (int64_t)a,
                          dr + 3 * (int64_t)a);
}

/* du of a contact in the components whose eigenvalue of S^2 is small: x - S^2 dr. */
static void set_held(const SlipiCone *cone, int32_t c, const double dr[3], double du[3]) {
  const SlipiSocScaling *scaling = &cone->scaling[c];
  const double *x = cone->x + 3 * (int64_t)c;
  double y[3] = {dr[0], dr[1], dr[2]};
  if (!(scaling->eigen[1] < 1)) /* the least */
    return;
  to_basis(cone, c, y);
  to_basis(cone, c, du);
  for (int k = 0; k < 3; k++) {
    if (scaling->eigen[k] < 1)
      du[k] = x[k] - scaling->eigen[k] * scaling->eigen[k] * y[k];
  }
  from_basis(cone, c, du);
}

/* du = A^-1 (du - f) + delta dr, where du has W dr; returns whether all is finite. */
static bool set_velocities(const SlipiCone *cone, const double *f, const double *dr, double *du) {
  double sum = 0;
  for (int32_t a = 0; a < cone->scaled->nc; a++) {
    int64_t at = 3 * (int64_t)a;
    bool has = slipi_cone_has(cone, a);
    for (int k = 0; f && k < 3; k++)
      du[at + k] -= f[at + k];
    apply_inverse_slope(cone->slope + at, du + at);
    for (int k = 0; k < 3; k++)
      du[at + k] = has ? du[at + k] + cone->delta * dr[at + k] : 0;
    if (has)
      set_held(cone, a, dr + at, du + at);
    for (int k = 0; k < 3; k++)
      sum += 0 * (dr[at + k] + du[at + k]); /* 0, or not a number */
  }
  return !slipi_share_any(cone->share, sum != 0);
}

SlipStatus slipi_cone_solve(SlipiCone *cone, const double *c, const double *f, double *dr,
                            double *du, bool *finite, SlipError *error) {
  set_rhs(cone, c, f);
  SlipStatus status = slipi_system_solve(cone->system, cone->rhs, cone->y, error);
  set_impulses(cone, dr);
  slipi_bsr_multiply(&cone->scaled->W, dr, du, NULL);
  *finite = set_velocities(cone, f, dr, du);
  return status;
}

void slipi_cone_solve_bodies(SlipiCone *cone, const double *c, const double *f, const double *g,
                             double enough, double *dr, double *du, double *dz, bool *finite) {
  set_rhs(cone, c, f);
  slipi_system_solve_bodies(cone->system, cone->rhs, g, enough, cone->y, dz);
  set_impulses(cone, dr);
  slipi_system_spread(cone->system, cone->scaled, dz, dr, du);
  *finite = set_velocities(cone, f, dr, du);
}

double slipi_cone_product(const SlipiCone *cone, const double *u, const double *r) {
  double sum = 0;
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    if (slipi_cone_has(cone, c))
      sum += slipi_soc_dot(u + 3 * (int64_t)c, r + 3 * (int64_t)c);
  }
  return slipi_share_added(cone->share, sum);
}

double slipi_cone_max_step(const SlipiCone *cone, const double *x, const double *d) {
  double least = INFINITY;
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    if (slipi_cone_has(cone, c))
      least = fmin(least, slipi_soc_max_step(x + 3 * (int64_t)c, d + 3 * (int64_t)c));
  }
  return slipi_share_least(cone->share, least);
}

void slipi_cone_unit(const SlipiCone *cone, double *x) {
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    x[3 * (int64_t)c] = slipi_cone_has(cone, c) ? 1 : 0;
    x[3 * (int64_t)c + 1] = x[3 * (int64_t)c + 2] = 0;
  }
}
