#include "methods/common_cone.h"

#include <string.h>

/* Of a bilateral contact, whose diagonal block has mean diagonal 1. */
static const double BILATERAL_WEIGHT = 1e-10;

SlipStatus slipi_cone_create(SlipiOperator *op, SlipiArena *arena, SlipiCone *cone,
                             SlipError *error) {
  SlipStatus status = slipi_scaled_create(op, true, arena, &cone->scaled, error);
  if (status != SLIP_OK)
    return status;
  int64_t m = cone->scaled->m;
  cone->scaling = SLIPI_ARENA_NEW(arena, SlipiSocScaling, op->nc);
  cone->H = SLIPI_ARENA_NEW(arena, double, 3 * m);
  cone->AH = SLIPI_ARENA_NEW(arena, double, 3 * m);
  cone->slope = SLIPI_ARENA_NEW(arena, double, m);
  cone->x = SLIPI_ARENA_NEW(arena, double, m);
  cone->rhs = SLIPI_ARENA_NEW(arena, double, m);
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
  return status;
}

/* A x of one contact. */
static void apply_slope(const double slope[3], const double x[3], double y[3]) {
  y[0] = slipi_dense3_dot(slope, x);
  y[1] = x[1];
  y[2] = x[2];
}

/* The scaling of one contact, and its A H. */
static void prepare(SlipiCone *cone, int32_t c, const double u[3], const double r[3],
                    double share) {
  double *H = cone->H + 9 * (int64_t)c, *slope = cone->slope + 3 * (int64_t)c;
  double *AH = cone->AH + 9 * (int64_t)c;
  slope[0] = 1;
  slope[1] = slope[2] = 0;
  if (!slipi_cone_has(cone, c)) {
    memset(H, 0, 9 * sizeof *H);
    memset(AH, 0, 9 * sizeof *AH);
    for (int k = 0; k < 3; k++) { /* a component that is left out has nothing of W */
      bool there = slipi_law_axis(&cone->scaled->law[c], k) != SLIPI_AXIS_NONE;
      AH[4 * k] = there ? BILATERAL_WEIGHT : 1;
    }
    return;
  }
  double t = slipi_soc_tangent(u);
  if (!slipi_cone_slides(cone, c))
    share = 0;
  slope[1] = t > 0 ? -share * u[1] / t : 0;
  slope[2] = t > 0 ? -share * u[2] / t : 0;
  slipi_soc_scale(u, r, &cone->scaling[c]);
  slipi_soc_square(&cone->scaling[c], H);
  for (int j = 0; j < 3; j++) {
    AH[j] = slope[0] * H[j] + slope[1] * H[3 + j] + slope[2] * H[6 + j];
    AH[3 + j] = H[3 + j];
    AH[6 + j] = H[6 + j];
  }
}

SlipStatus slipi_cone_factor(SlipiCone *cone, const double *u, const double *r, double share,
                             int *sign, SlipError *error) {
  for (int32_t c = 0; c < cone->scaled->nc; c++)
    prepare(cone, c, u + 3 * (int64_t)c, r + 3 * (int64_t)c, share);
  return slipi_system_factor(cone->system, cone->scaled, NULL, cone->AH, sign, error);
}

SlipStatus slipi_cone_solve(SlipiCone *cone, const double *c, const double *f, double *dr,
                            double *du, bool *finite, SlipError *error) {
  int32_t m = cone->scaled->m;
  double sum = 0;
  for (int32_t a = 0; a < cone->scaled->nc; a++) {
    int64_t at = 3 * (int64_t)a;
    double *x = cone->x + at;
    x[0] = x[1] = x[2] = 0;
    if (slipi_cone_has(cone, a)) {
      slipi_soc_divide(cone->scaling[a].lambda, c + at, x);
      slipi_soc_apply(&cone->scaling[a], x, x);
    }
    apply_slope(cone->slope + at, x, cone->rhs + at);
  }
  for (int32_t k = 0; f && k < m; k++)
    cone->rhs[k] += f[k];
  SlipStatus status = slipi_system_solve(cone->system, cone->rhs, dr, error);
  for (int32_t a = 0; a < cone->scaled->nc; a++) {
    int64_t at = 3 * (int64_t)a;
    slipi_dense3_multiply(cone->H + 3 * at, dr + at, du + at);
    for (int k = 0; k < 3; k++) {
      du[at + k] = cone->x[at + k] - du[at + k];
      sum += 0 * (dr[at + k] + du[at + k]); /* 0, or not a number */
    }
  }
  *finite = sum == 0;
  return status;
}

double slipi_cone_product(const SlipiCone *cone, const double *u, const double *r) {
  double sum = 0;
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    if (slipi_cone_has(cone, c))
      sum += slipi_dense3_dot(u + 3 * (int64_t)c, r + 3 * (int64_t)c);
  }
  return sum;
}

double slipi_cone_max_step(const SlipiCone *cone, const double *x, const double *d) {
  double least = INFINITY;
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    if (slipi_cone_has(cone, c))
      least = fmin(least, slipi_soc_max_step(x + 3 * (int64_t)c, d + 3 * (int64_t)c));
  }
  return least;
}

void slipi_cone_unit(const SlipiCone *cone, double *x) {
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    x[3 * (int64_t)c] = slipi_cone_has(cone, c) ? 1 : 0;
    x[3 * (int64_t)c + 1] = x[3 * (int64_t)c + 2] = 0;
  }
}
