/* Contacts that hold each other are taken as glued.
 *
 * Where bodies are wedged or interlocked there are impulses inside the friction cones that are in
 * balance without a load (common_hold.h). Solutions then go on for ever along these, and methods
 * that look for one get lost on the way. The contacts that have such impulses can be taken as
 * bilateral: what is left, which has bounds, is solved by `auto`, and the impulses of the contacts
 * held are brought into their cones afterwards. docs/methods/held.md has more.
 *
 * One iteration looks for the contacts, the next one solves the rest.
 */
#include "methods/method.h"

#include <math.h>
#include <string.h>

#include "methods/common_hold.h"
#include "methods/inner.h"

enum { OPTION_LEAST, OPTION_REST_MAX_ITER };

static const SlipOptionInfo options[] = {
    {"least", SLIP_OPTION_REAL, "0", 0, 1, NULL,
     "share of the contacts that must hold each other, or the method gives up"},
    {"rest-max-iter", SLIP_OPTION_INT, "1000000", 1, 1e9, NULL, "iterations for what they leave"},
};

/* The rest is solved to this share of the tolerance, since what is brought into the cones adds to
 * its error. */
static const double REST_TOL = 1e-2;

typedef enum Phase { FIND, SOLVE, END } Phase;

typedef struct Held {
  SlipiHold hold;
  SlipiInner rest;
  SlipiArena part_arena[SLIPI_PARTS_MOST]; /* of the rest's method */
  double *mu;                              /* nc */
  int32_t count;                           /* of contacts that are held */
  Phase phase;
} Held;

static void destroy(SlipiRun *run) {
  Held *s = run->state;
  if (!s)
    return;
  slipi_inner_destroy(&s->rest);
  slipi_hold_destroy(&s->hold);
  for (int k = 0; k < SLIPI_PARTS_MOST; k++)
    slipi_arena_free(&s->part_arena[k]);
}

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Held *s = SLIPI_ARENA_NEW(run->arena, Held, 1);
  if (!s)
    return slipi_fail_memory(error, "contacts that hold each other");
  run->state = s;
  s->mu = SLIPI_ARENA_RAW(run->arena, double, run->nc);
  if (!s->mu)
    return slipi_fail_memory(error, "contacts that hold each other");
  SlipStatus status = slipi_hold_create(run, s->mu, &s->hold, error);
  SlipiRun outer = *run;
  outer.part_arena = s->part_arena;
  outer.is_rest = true;
  return status == SLIP_OK ? slipi_inner_create(&outer, "auto", &s->rest, error) : status;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Held *s = run->state;
  (void)error;
  s->phase = FIND;
  s->count = 0;
  s->hold.work = 0;
  run->work = 0;
  return SLIP_OK;
}

static SlipStatus find(SlipiRun *run, Held *s, SlipError *error) {
  int32_t least = (int32_t)ceil(run->options[OPTION_LEAST] * run->nc);
  for (int32_t a = 0; a < run->nc; a++)
    s->mu[a] = run->law[a].mu;
  s->hold.run = run;
  SlipStatus status = SLIP_OK;
  if (slipi_hold_all(&s->hold, 0) > 0)
    status = slipi_hold_find(&s->hold, least > 1 ? least : 1, &s->count, error);
  s->phase = SOLVE;
  if (status == SLIP_OK && s->count < least)
    run->given_up = "too few contacts hold each other";
  return status;
}

/* From r = 0: where the run is, contacts that hold each other may have any impulses. */
static SlipStatus solve_rest(SlipiRun *run, Held *s, bool *solved, SlipError *error) {
  SlipiInner *rest = &s->rest;
  SlipiRun outer = *run;
  outer.error = 1; /* the inner tolerance is a share of it */
  outer.iteration = 0;
  memset(rest->run.r, 0, (size_t)run->m * sizeof *rest->run.r);
  memcpy(rest->q, run->q, (size_t)run->m * sizeof *rest->q);
  for (int32_t a = 0; a < run->nc; a++)
    rest->law[a] = s->count > 0 && s->hold.held[a] ? slipi_law(SLIP_BILATERAL, 0) : run->law[a];
  rest->run.laws_changed = true;
  SlipStatus status = slipi_inner_solve(rest, &outer, REST_TOL * run->tol,
                                        run->options[OPTION_REST_MAX_ITER], error);
  s->hold.work += rest->run.work * (double)rest->run.iteration;
  *solved = status == SLIP_OK && rest->loop.outcome == SLIP_SOLVED;
  return status;
}

static SlipStatus solve(SlipiRun *run, Held *s, SlipError *error) {
  bool solved = false;
  s->phase = END;
  SlipStatus status = solve_rest(run, s, &solved, error);
  if (status != SLIP_OK)
    return status;
  memcpy(run->r, s->rest.run.r, (size_t)run->m * sizeof *run->r);
  if (s->count > 0)
    status = slipi_hold_lift(&s->hold, INFINITY, run->r, error);
  if (!solved)
    run->given_up = "what contacts that hold each other leave is not solved";
  return status;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Held *s = run->state;
  SlipStatus status = SLIP_OK;
  run->cheap_error = INFINITY;
  if (s->phase == FIND)
    status = find(run, s, error);
  else if (s->phase == SOLVE)
    status = solve(run, s, error);
  else
    run->given_up = "the rest is as exact as it can be";
  run->work = s->hold.work / (double)(run->iteration + 1);
  return status;
}

static void note(const SlipiRun *run, SlipiPhrase *text) {
  const Held *s = run->state;
  slipi_phrase_add_int(text, s->count);
  slipi_phrase_add(text, s->count == 1 ? " contact is held" : " contacts hold each other");
}

static const SlipiMethod methods[] = {
    {.info = {.name = "held",
              .family = "newton",
              .summary = "contacts that hold each other as if glued, the rest by auto",
              SLIPI_OPTIONS(options)},
     .needs = SLIPI_NEED_ROWS,
     .laws = SLIPI_LAWS_SECOND_ORDER,
     .evaluate_each = true,
     .create = create,
     .start = start,
     .step = step,
     .note = note,
     .destroy = destroy},
};

const SlipiFamily slipi_family_held = SLIPI_FAMILY(methods);
