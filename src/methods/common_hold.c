#include "methods/common_hold.h"

#include <math.h>
#include <string.h>

#include "methods/inner.h"

/* Impulses in balance are looked for among those in cones with this friction: with more, they may
 * be nearly parallel to the contact, and are known to few digits. */
static const double MU_FIND = 10;
/* They are to be inside of the cones: in ones with this share of the friction. */
static const double INSIDE = 0.95;
/* With W + rho D, D the mean diagonal entry of W, and a velocity of -D that closes every contact,
 * contacts that hold each other have normal impulses in proportion to 1/rho, all others the same
 * ones as rho falls. So rho r_N stays, or falls like rho: the two are told apart by this share. A
 * contact may have been held by one that is not: the next round is without these. */
static const double RHO[] = {1e-7, 1e-8};
static const double STAYS = 0.5, LEAST = 1e-5;
/* Fewer contacts than may be held have at least this share after the first rho. */
static const double LEAST_FIRST = 1e-3;
enum { ROUNDS = 8 };
/* Impulses are in balance but for rho: so little work is none. */
static const double WORK_LEAST = 1e-6;
/* Interior point: iterations, the tolerance of contacts to be told from others and that of the
 * result, which is rounding, and where impulses of 1/rho are to be found, from where it starts. */
enum { ITERATIONS_FIND = 40, ITERATIONS_LIFT = 70 };
static const double TOL_FIND = 1e-8, TOL_LIFT = 1e-12, START_FIND = 1e6;

SlipStatus slipi_hold_create(const SlipiRun *run, const double *mu, SlipiHold *hold,
                             SlipError *error) {
  hold->run = run;
  hold->mu = mu;
  hold->r = SLIPI_ARENA_NEW(&hold->arena, double, run->m);
  hold->normal = SLIPI_ARENA_RAW(&hold->arena, double, run->nc);
  hold->held = SLIPI_ARENA_NEW(&hold->arena, bool, run->nc);
  hold->law = SLIPI_ARENA_RAW(&hold->arena, SlipiLaw, run->nc);
  if (hold->arena.failed)
    return slipi_fail_memory(error, "contacts that hold each other");
  return slipi_part_create(run->op, &hold->arena, &hold->part, error);
}

void slipi_hold_destroy(SlipiHold *hold) {
  slipi_part_destroy(&hold->part);
  slipi_arena_free(&hold->arena);
  slipi_arena_free(&hold->inner);
}

int32_t slipi_hold_all(SlipiHold *hold, double mu_least) {
  int32_t count = 0;
  for (int32_t a = 0; a < hold->run->nc; a++) {
    hold->held[a] = hold->mu[a] > mu_least && slipi_law_is_coulomb(&hold->run->law[a]);
    count += hold->held[a];
  }
  return count;
}

/* The problem of the contacts held, the impulses of others frozen, with the flow normal to cones of
 * at most this friction, and this share of their own. */
static SlipStatus take_part(SlipiHold *hold, double share, double mu_most, const double *r,
                            SlipError *error) {
  const SlipiRun *run = hold->run;
  for (int32_t a = 0; a < run->nc; a++) {
    hold->law[a] = slipi_law_relaxed(run->law[a]);
    hold->law[a].mu = fmin(share * hold->mu[a], mu_most);
  }
  slipi_part_take(&hold->part, hold->held);
  hold->part.op->stop = run->stop;
  return slipi_part_fill(&hold->part, hold->law, run->q, r, error);
}

typedef struct Wish {
  double shift, scale; /* of W, and of the error */
  double tol, iterations;
  double start; /* size of the first impulses; 0: by the method's own rule */
} Wish;

/* By interior point, into part.r. */
static SlipStatus solve_part(SlipiHold *hold, const Wish *wish, SlipError *error) {
  SlipiPart *part = &hold->part;
  slipi_arena_reset(&hold->inner);
  SlipiRun outer = {.d = hold->run->d,
                    .nc = part->nc,
                    .m = part->m,
                    .op = part->op,
                    .law = part->problem.law,
                    .q = part->q,
                    .scale = wish->scale,
                    .stop = hold->run->stop,
                    .arena = &hold->inner,
                    .error = 1}; /* the inner tolerance is a share of it */
  SlipiInner inner = {0};
  SlipStatus status = slipi_inner_create(&outer, "soclcp-ipm", &inner, error);
  if (status == SLIP_OK) {
    inner.shift = wish->shift;
    slipi_inner_set_option(&inner, "start", wish->start);
    memcpy(inner.q, part->q, (size_t)part->m * sizeof *part->q);
    status = slipi_inner_solve(&inner, &outer, wish->tol, wish->iterations, error);
  }
  if (status == SLIP_OK)
    memcpy(part->r, inner.run.r, (size_t)part->m * sizeof *part->r);
  hold->work += inner.run.work * (double)inner.run.iteration;
  slipi_inner_destroy(&inner);
  return status;
}

static double mean_diagonal(const SlipiPart *part) {
  const SlipiCsr *W = &part->problem.W;
  double sum = 0;
  for (int32_t i = 0; i < W->rows; i++) {
    for (int32_t k = W->p[i]; k < W->p[i + 1]; k++)
      sum += W->i[k] == i ? W->x[k] : 0;
  }
  return sum / W->rows;
}

/* The velocity -D of every contact of the part, and its impulses with this rho. */
static SlipStatus close_contacts(SlipiHold *hold, double D, double rho, SlipError *error) {
  SlipiPart *part = &hold->part;
  const Wish wish = {.shift = rho * D,
                     .scale = D * sqrt((double)part->nc),
                     .tol = TOL_FIND,
                     .iterations = ITERATIONS_FIND,
                     .start = START_FIND};
  for (int32_t i = 0; i < part->m; i++)
    part->q[i] = i % hold->run->d == 0 ? -D : 0;
  return solve_part(hold, &wish, error);
}

static double normal_impulse(const SlipiHold *hold, int32_t k) {
  return hold->part.r[(int64_t)k * hold->run->d];
}

/* The contacts of the part whose impulses have grown like 1/rho; returns how many. */
static int32_t keep_held(SlipiHold *hold) {
  const SlipiPart *part = &hold->part;
  int32_t count = 0;
  for (int32_t k = 0; k < part->nc; k++) {
    double before = RHO[0] * hold->normal[k], after = RHO[1] * normal_impulse(hold, k);
    bool held = after > LEAST && after > STAYS * before;
    hold->held[part->contact[k]] = held;
    count += held;
  }
  return count;
}

/* How many contacts may be held, by their impulses with the first rho, which are kept. */
static int32_t count_candidates(SlipiHold *hold) {
  int32_t count = 0;
  for (int32_t k = 0; k < hold->part.nc; k++) {
    hold->normal[k] = normal_impulse(hold, k);
    count += RHO[0] * hold->normal[k] > LEAST_FIRST;
  }
  return count;
}

/* One round; returns by *count how many of the part are held. */
static SlipStatus find_once(SlipiHold *hold, int32_t least, int32_t *count, SlipError *error) {
  double D = mean_diagonal(&hold->part);
  *count = 0;
  SlipStatus status = close_contacts(hold, D, RHO[0], error);
  if (status != SLIP_OK || count_candidates(hold) < least)
    return status;
  status = close_contacts(hold, D, RHO[1], error);
  if (status == SLIP_OK)
    *count = keep_held(hold);
  return status;
}

/* Impulses r_0 in balance do no work on velocities that bodies can have: 0 = r_0' W r = r_0' (u -
 * q). Where r_0' q is not 0, as with obstacles that move, contacts that hold each other cannot all
 * be at rest. */
static bool may_rest(const SlipiHold *hold) {
  const SlipiPart *part = &hold->part;
  const SlipiRun *run = hold->run;
  double work = 0, square = 0;
  for (int32_t i = 0; i < part->m; i++) {
    int64_t at = (int64_t)part->contact[i / run->d] * run->d + i % run->d;
    work += part->r[i] * run->q[at];
    square += part->r[i] * part->r[i];
  }
  return fabs(work) <= fmax(run->tol, WORK_LEAST) * run->scale * sqrt(square);
}

SlipStatus slipi_hold_find(SlipiHold *hold, int32_t least, int32_t *count, SlipError *error) {
  SlipStatus status = SLIP_OK;
  bool settled = false;
  *count = 0;
  for (int k = 0; k < ROUNDS && !settled && !slipi_is_stopped(&hold->run->stop); k++) {
    int32_t held = 0;
    status = take_part(hold, INSIDE, MU_FIND, hold->r, error);
    if (status == SLIP_OK && hold->part.nc >= least && hold->part.nc > 0)
      status = find_once(hold, least, &held, error);
    if (status != SLIP_OK || held < least || held == 0)
      return status;
    settled = held == hold->part.nc;
  }
  *count = settled && may_rest(hold) ? hold->part.nc : 0;
  return status;
}

SlipStatus slipi_hold_lift(SlipiHold *hold, double mu_most, double *r, SlipError *error) {
  const Wish wish = {.scale = hold->run->scale, .tol = TOL_LIFT, .iterations = ITERATIONS_LIFT};
  SlipStatus status = take_part(hold, 1, mu_most, r, error);
  if (status == SLIP_OK)
    status = solve_part(hold, &wish, error);
  if (status == SLIP_OK)
    slipi_part_put_back(&hold->part, r);
  return status;
}
