/* Room for curves of solutions, and which problems have them. */
#include <math.h>

#include "methods/common_path.h"

/* A portion far below 0 is a large compliance, which curves do turn back from. */
static const double PORTION_FAR = 1e9;

bool slipi_path_treats(const SlipiRun *run) {
  SlipiLawSet known = SLIPI_LAWS_NOT_RELAXED(SLIPI_COULOMB) | SLIPI_LAWS_OF(SLIPI_FRICTIONLESS) |
                      SLIPI_LAWS_OF(SLIPI_BILATERAL);
  return (slipi_law_set(run->law, run->nc) & ~known) == 0;
}

void slipi_path_roughen(SlipiPath *path, const SlipiRun *run, const double *mu) {
  for (int32_t a = 0; a < path->nc; a++) {
    double given = run->law[a].mu;
    path->kappa[a] = given > 0 ? 1 / given : 0;
    path->least[a] = mu[a] > given ? 1 / fmin(mu[a], SLIPI_FOLD_LAST) : path->kappa[a];
  }
}

SlipStatus slipi_path_create(const SlipiRun *run, SlipiArena *arena, SlipiPath *path,
                             SlipError *error) {
  SlipStatus status = slipi_scaled_create(run->op, false, arena, &path->scaled, error);
  if (status == SLIP_OK)
    status = slipi_system_of(run->op, &path->system, error);
  if (status == SLIP_OK)
    status = slipi_scaled_set(path->scaled, run->law, run->q, true, error);
  if (status != SLIP_OK)
    return status;
  status = slipi_path_factors_create(path->system, path->scaled, arena, &path->factors, error);
  if (status != SLIP_OK)
    return status;
  int32_t nc = path->nc = path->scaled->nc, m = path->m = path->scaled->m;
  path->stop = run->stop;
  path->far = PORTION_FAR;
  path->apart = SLIPI_PATH_APART;
  double **vectors[] = {&path->r_0, &path->r_1,      &path->c,       &path->r,
                        &path->u,   &path->F,        &path->F_p,     &path->u_p,
                        &path->a,   &path->b,        &path->v,       &path->dr,
                        &path->du,  &path->r_before, &path->r_least, &path->r_start};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(arena, double, m);
  double **numbers[] = {&path->kappa, &path->portion, &path->weight_first, &path->weight_last,
                        &path->least, &path->most,    &path->weight,       &path->flow};
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
    *numbers[k] = SLIPI_ARENA_NEW(arena, double, nc);
  path->A = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)m);
  path->B = SLIPI_ARENA_NEW(arena, double, 3 * (int64_t)m);
  path->sign_before = SLIPI_ARENA_NEW(arena, double, 2 * (int64_t)nc);
  path->in_turn = SLIPI_ARENA_NEW(arena, bool, nc);
  path->status = SLIPI_ARENA_NEW(arena, SlipiPathStatus, nc);
  path->status_least = SLIPI_ARENA_NEW(arena, SlipiPathStatus, nc);
  path->status_start = SLIPI_ARENA_NEW(arena, SlipiPathStatus, nc);
  for (int32_t a = 0; !arena->failed && a < nc; a++)
    path->flow[a] = 1;
  return arena->failed ? slipi_fail_memory(error, "a path of solutions") : SLIP_OK;
}
