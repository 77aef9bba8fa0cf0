#include "methods/balls_solve.h"

#include <string.h>

#include "methods/balls_centre.h"

enum { CENTRING_STEPS = 20 };

/* Newton from part->r; where it gets further than the best so far, its point is put into `best`. */
static SlipStatus newton(SlipiBall *ball, SlipiInner *inner, const SlipiRun *outer, double tol,
                         int steps, double *best, double *least, SlipError *error) {
  size_t bytes = (size_t)ball->part.m * sizeof *best;
  memcpy(inner->run.r, ball->part.r, bytes);
  SlipStatus status = slipi_inner_solve(inner, outer, tol, steps, error);
  if (status != SLIP_OK)
    return status;
  ball->solved = inner->loop.outcome == SLIP_SOLVED;
  ball->factorisations += inner->run.iteration;
  ball->work += (double)inner->run.iteration * inner->run.work;
  if (ball->solved || inner->loop.best < *least) {
    *least = inner->loop.best;
    memcpy(best, inner->run.r, bytes);
  }
  return SLIP_OK;
}

static SlipStatus centre(SlipiBall *ball, SlipError *error) {
  SlipiPart *part = &ball->part;
  SlipiCentring centring = {0};
  SlipStatus status = slipi_centring_create(part->op, &ball->arena, &centring, error);
  if (status == SLIP_OK)
    status = slipi_centring_run(&centring, part->problem.law, part->q, ball->moves, CENTRING_STEPS,
                                part->r, error);
  ball->factorisations += centring.factorisations;
  if (status == SLIP_OK)
    ball->work += centring.factorisations * slipi_system_work(centring.system);
  return status;
}

/* In the order of docs/methods/balls.md. */
static SlipStatus solve(SlipiBall *ball, SlipiInner *inner, const SlipiRun *outer, double tol,
                        SlipError *error) {
  SlipiPart *part = &ball->part;
  double least = INFINITY;
  double *best = SLIPI_ARENA_RAW(&ball->arena, double, part->m);
  if (!best)
    return slipi_fail_memory(error, "a ball of contacts");
  SlipStatus status = newton(ball, inner, outer, tol, ball->quick, best, &least, error);
  if (status == SLIP_OK && !ball->solved) {
    status = centre(ball, error);
    if (status == SLIP_OK)
      status = newton(ball, inner, outer, tol, ball->longest, best, &least, error);
  }
  if (status == SLIP_OK)
    memcpy(part->r, best, (size_t)part->m * sizeof *best);
  return status;
}

SlipStatus slipi_ball_solve(SlipiBall *ball, SlipiRun *run, double tol, SlipError *error) {
  SlipiPart *part = &ball->part;
  ball->solved = false;
  ball->factorisations = 0;
  ball->work = 0;
  slipi_arena_reset(&ball->arena);
  part->op->stop = ball->stop;
  SlipStatus status = slipi_part_fill(part, run->law, run->q, run->r, error);
  if (status != SLIP_OK)
    return status;
  SlipiRun outer = {.d = run->d,
                    .nc = part->nc,
                    .m = part->m,
                    .op = part->op,
                    .law = part->problem.law,
                    .q = part->q,
                    .scale = run->scale,
                    .stop = ball->stop,
                    .arena = &ball->arena,
                    .error = 1}; /* the inner tolerance is a share of it */
  SlipiInner inner = {0};
  status = slipi_inner_create(&outer, "alm", &inner, error);
  if (status == SLIP_OK) {
    memcpy(inner.q, part->q, (size_t)part->m * sizeof *part->q);
    status = solve(ball, &inner, &outer, tol, error);
  }
  slipi_inner_destroy(&inner);
  if (status == SLIP_OK)
    slipi_part_put_back(part, run->r);
  return status;
}

void slipi_ball_destroy(SlipiBall *ball) {
  slipi_part_destroy(&ball->part);
  slipi_arena_free(&ball->arena);
}
