#include "methods/inner.h"

#include <float.h>
#include <string.h>

#include "base/option.h"

/* Iterations between evaluations of the error, the default of the option error-every. */
static const double ERROR_EVERY = 50;

/* The tolerance is a share of the outer error: multiplied by TIGHTER where that has not fallen
 * below FALLEN of its last value, by LOOSER where it has, and never below LEAST_SHARE. */
static const double FALLEN = 1, TIGHTER = 0.3, LOOSER = 2, LEAST_SHARE = 1e-3;

unsigned slipi_inner_needs(const char *const *choices, double choice) {
  return slipi_method_find(choices[(int)choice])->needs;
}

SlipiLawSet slipi_inner_laws(const char *const *choices, double choice) {
  double options[SLIPI_OPTIONS_MAX];
  const SlipiMethod *method = slipi_method_find(choices[(int)choice]);
  slipi_method_defaults(method, options);
  return slipi_method_laws(method, options);
}

SlipStatus slipi_inner_create(const SlipiRun *outer, const char *method, SlipiInner *inner,
                              SlipError *error) {
  SlipiArena *arena = outer->arena;
  inner->loop.method = slipi_method_find(method);
  inner->run = *outer;
  inner->run.state = NULL;
  inner->run.laws_changed = true;
  inner->q = SLIPI_ARENA_NEW(arena, double, outer->m);
  inner->law = slipi_arena_copy(arena, outer->law, (size_t)outer->nc, sizeof *outer->law);
  inner->run.r = SLIPI_ARENA_NEW(arena, double, outer->m);
  inner->loop.u = SLIPI_ARENA_NEW(arena, double, outer->m);
  inner->loop.r_best = SLIPI_ARENA_NEW(arena, double, outer->m);
  if (arena->failed)
    return slipi_fail_memory(error, "an inner method");
  slipi_method_defaults(inner->loop.method, inner->options);
  inner->run.options = inner->options;
  inner->run.q = inner->q;
  inner->run.law = inner->law;
  inner->loop.run = &inner->run;
  inner->loop.error_every = ERROR_EVERY;
  inner->loop.at_least_one = true;
  return inner->loop.method->create(&inner->run, error);
}

void slipi_inner_destroy(SlipiInner *inner) {
  if (inner->loop.method && inner->loop.method->destroy)
    inner->loop.method->destroy(&inner->run);
}

void slipi_inner_set_option(SlipiInner *inner, const char *name, double value) {
  const SlipMethodInfo *info = &inner->loop.method->info;
  int option = slipi_option_find(info->options, info->option_count, name);
  if (option >= 0)
    inner->options[option] = value;
}

/* The share of this iteration, from how the outer error has changed in the last one. */
static void adapt_share(SlipiInner *inner, const SlipiRun *outer, double share_most) {
  if (outer->iteration <= 1) /* 0: a start before the first iteration */
    inner->share = share_most;
  else if (outer->error > FALLEN * inner->last)
    inner->share = fmax(inner->share * TIGHTER, LEAST_SHARE);
  else
    inner->share = fmin(inner->share * LOOSER, share_most);
  inner->last = outer->error;
}

SlipStatus slipi_inner_solve(SlipiInner *inner, const SlipiRun *outer, double share,
                             double max_iter, SlipError *error) {
  SlipiOperator *op = outer->op;
  adapt_share(inner, outer, share);
  inner->run.tol = inner->share * outer->error;
  inner->run.scale = outer->scale;
  inner->run.stop = outer->stop;
  inner->loop.max_iter = max_iter;
  double shift = slipi_operator_set_shift(op, inner->shift);
  SlipStatus status = slipi_loop_run(&inner->loop, error);
  slipi_operator_set_shift(op, shift);
  if (status == SLIP_OK && inner->loop.outcome != SLIP_SOLVED)
    memcpy(inner->run.r, inner->loop.r_best, (size_t)outer->m * sizeof *inner->run.r);
  return status;
}
