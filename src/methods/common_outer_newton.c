#include "methods/common_outer_newton.h"

#include <string.h>

#include "contact/onecontact.h"
#include "contact/residual.h"
#include "linalg/dense3.h"

/* A step must bring |F - s| below this share of its value before, or is cut. */
static const double FALLS = 0.999, SHORTER = 0.25, LEAST = 0.05;

/* Pivots in this ratio, and the matrix counts as singular: it gets this on its diagonal. */
static const double SINGULAR = 1e-13, REGULAR = 1e-4;

SlipStatus slipi_outer_newton_create(const SlipiRun *run, SlipiOuterNewton *outer,
                                     SlipError *error) {
  SlipiArena *arena = run->arena;
  double **contacts[] = {&outer->base, &outer->image, &outer->change};
  outer->rho = SLIPI_ARENA_NEW(arena, SlipiSteps, run->nc);
  outer->Phi_ru = SLIPI_ARENA_NEW(arena, double, 9 * (int64_t)run->nc);
  outer->Phi_rr = SLIPI_ARENA_NEW(arena, double, 9 * (int64_t)run->nc);
  outer->slope = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)run->nc);
  outer->b = SLIPI_ARENA_NEW(arena, double, run->m);
  outer->Wd = SLIPI_ARENA_NEW(arena, double, run->m);
  for (size_t k = 0; k < sizeof contacts / sizeof contacts[0]; k++)
    *contacts[k] = SLIPI_ARENA_NEW(arena, double, run->nc);
  if (arena->failed)
    return slipi_fail_memory(error, "Newton's method on s = F(s)");
  return slipi_newton_create(run->op, SLIPI_NEWTON_AUTO, SLIPI_LU_AUTO, &outer->newton, error);
}

void slipi_outer_newton_free(SlipiOuterNewton *outer) {
  slipi_newton_free(&outer->newton);
}

SlipStatus slipi_outer_newton_start(SlipiRun *run, SlipiOuterNewton *outer, SlipError *error) {
  SlipStatus status = SLIP_OK;
  outer->t = 0;
  for (int32_t a = 0; status == SLIP_OK && a < run->nc; a++) {
    double block[9], W[9];
    status = slipi_operator_diagonal(run->op, a, block, error);
    if (run->d == 2)
      slipi_one_contact_pad(block, W);
    else
      memcpy(W, block, sizeof W);
    outer->rho[a] = slipi_nonsmooth_steps(SLIPI_STEPS_NORM, W);
  }
  return status;
}

/* The matrices of one contact, its row of D and its part of the right-hand side; missing is
 * F(s) - s. */
static void linearise(SlipiOuterNewton *outer, const SlipiLaw *law, const SlipiLaw *convex,
                      int32_t a, const double u[3], double s, const double r[3], double missing,
                      double b[3]) {
  double *Phi_ru = outer->Phi_ru + 9 * (int64_t)a, *slope = outer->slope + 3 * (int64_t)a;
  double moved[3] = {u[0] + s, u[1], u[2]}, F[3], along[3];
  double per = slipi_law_dg(law, u, along);
  slipi_nonsmooth(SLIPI_NONSMOOTH_NAT, convex, outer->rho[a], moved, r, F, Phi_ru,
                  outer->Phi_rr + 9 * (int64_t)a);
  for (int k = 0; k < 3; k++)
    slope[k] = per * along[k];
  for (int i = 0; i < 3; i++) {
    double normal = Phi_ru[3 * i];
    b[i] = -F[i] - normal * missing;
    for (int k = 0; k < 3; k++)
      Phi_ru[3 * i + k] += normal * slope[k]; /* Phi_ru (I + E D) */
  }
}

/* Newton's step from base into change; the plain one where there is none. */
static SlipStatus direction(SlipiRun *run, SlipiOuterNewton *outer, const SlipiLaw *convex,
                            const double *u, SlipError *error) {
  double rcond, sum = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    double ua[3], ra[3], b[3], missing = outer->image[a] - outer->base[a];
    slipi_load(u, run->d, a, ua);
    slipi_load(run->r, run->d, a, ra);
    linearise(outer, &run->law[a], &convex[a], a, ua, outer->base[a], ra, missing, b);
    slipi_store(b, run->d, a, outer->b);
    outer->change[a] = missing;
  }
  SlipStatus status =
      slipi_newton_factor(&outer->newton, outer->Phi_ru, outer->Phi_rr, NULL, 0, &rcond, error);
  if (status == SLIP_OK && !(rcond > SINGULAR))
    status = slipi_newton_factor(&outer->newton, outer->Phi_ru, outer->Phi_rr, NULL, REGULAR,
                                 &rcond, error);
  if (status != SLIP_OK || !(rcond > SINGULAR))
    return status;
  status = slipi_newton_solve(&outer->newton, outer->b, outer->b, error);
  if (status == SLIP_OK)
    status = slipi_operator_apply(run->op, outer->b, outer->Wd, error);
  for (int32_t k = 0; k < run->m; k++)
    sum += 0 * outer->Wd[k]; /* 0, or not a number */
  for (int32_t a = 0; status == SLIP_OK && sum == 0 && a < run->nc; a++) {
    double Wd[3];
    slipi_load(outer->Wd, run->d, a, Wd);
    outer->change[a] += slipi_dense3_dot(outer->slope + 3 * (int64_t)a, Wd);
  }
  return status;
}

SlipStatus slipi_outer_newton_next(SlipiRun *run, SlipiOuterNewton *outer, const SlipiLaw *convex,
                                   const double *u, const double *image, double *s,
                                   SlipError *error) {
  size_t bytes = (size_t)run->nc * sizeof *s;
  SlipStatus status = SLIP_OK;
  double size = 0;
  for (int32_t a = 0; a < run->nc; a++)
    size += (image[a] - s[a]) * (image[a] - s[a]);
  size = sqrt(size);
  if (outer->t > 0 && !(size <= FALLS * outer->size)) {
    outer->t *= SHORTER;
  } else {
    memcpy(outer->base, s, bytes);
    memcpy(outer->image, image, bytes);
    outer->size = size;
    outer->t = 1;
    status = direction(run, outer, convex, u, error);
  }
  bool plain = outer->t < LEAST;
  for (int32_t a = 0; a < run->nc; a++)
    s[a] = plain ? outer->image[a] : fmax(0, outer->base[a] + outer->t * outer->change[a]);
  if (plain)
    outer->t = 0;
  return status;
}
