#include "methods/common_settle.h"

#include <math.h>
#include <string.h>

#include "contact/residual.h"

static const double SETTLE_FROM = 1e-3; /* error of the iterate before: sooner it does not matter */

void slipi_settle_create(SlipiRun *run, SlipiSettle *settle) {
  settle->scaled = SLIPI_ARENA_NEW(run->arena, double, 3 * (int64_t)run->nc);
  settle->settled = SLIPI_ARENA_NEW(run->arena, double, run->m);
  settle->v = SLIPI_ARENA_NEW(run->arena, double, run->m);
}

/* On the self-dual cone. */
static void project(double x[3]) {
  double t = slipi_soc_tangent(x);
  if (t <= x[0])
    return;
  double normal = fmax(0.5 * (x[0] + t), 0), share = normal > 0 ? normal / t : 0;
  x[0] = normal;
  x[1] *= share;
  x[2] *= share;
}

/* Complementary to velocities that are as near to u as these are to r. */
static void set_settled(SlipiSettle *settle, const SlipiCone *cone, const double *r,
                        const double *u) {
  for (int32_t c = 0; c < cone->scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    bool has = slipi_cone_has(cone, c);
    for (int k = 0; k < 3; k++)
      settle->scaled[at + k] = r[at + k] - (has ? u[at + k] : 0);
    if (has)
      project(settle->scaled + at);
  }
  slipi_scaled_back(cone->scaled, settle->scaled, settle->settled);
}

static SlipStatus error_at(const SlipiRun *run, const SlipiSettle *settle, const double *r,
                           double *size, SlipError *error) {
  SlipStatus status = slipi_operator_contact_velocity(run->op, r, run->q, settle->v, error);
  if (status == SLIP_OK)
    *size = slipi_residual_norm(run->d, run->nc, run->law, settle->v, r, NULL, run->op->team,
                                run->op->share);
  return status;
}

SlipStatus slipi_settle(SlipiRun *run, SlipiSettle *settle, const SlipiCone *cone, const double *r,
                        const double *u, SlipError *error) {
  double inside = 0, settled = 0;
  slipi_scaled_back(cone->scaled, r, run->r);
  if (!(run->error <= SETTLE_FROM))
    return SLIP_OK;
  set_settled(settle, cone, r, u);
  SlipStatus status = error_at(run, settle, run->r, &inside, error);
  if (status == SLIP_OK)
    status = error_at(run, settle, settle->settled, &settled, error);
  if (status == SLIP_OK && settled < inside)
    memcpy(run->r, settle->settled, (size_t)run->m * sizeof *run->r);
  return status;
}
