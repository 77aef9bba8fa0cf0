/* Proximal point (Acary, Brémond, Huber 2018, sections 6.2 to 6.4, Algorithm 8): iteration k
 * solves, by another method, the problem with W + alpha I and q - alpha r_k in place of W and q, to
 * a share of the error, and goes from r_k towards its solution by omega (124).
 *
 * alpha, in units of |W|, follows the error, sigma error^nu (125), or falls to a tenth when the
 * subproblem was solved and grows five times when it was not.
 */
#include "methods/method.h"

#include <string.h>

#include "methods/common_projected.h"
#include "methods/inner.h"

enum {
  OPTION_INNER,
  OPTION_ALPHA_RULE,
  OPTION_ALPHA,
  OPTION_SIGMA,
  OPTION_NU,
  OPTION_OMEGA,
  OPTION_INNER_TOL,
  OPTION_INNER_MAX_ITER
};

static const char *const inners[] = {"nsn-ac", "nsn-ac-gp", "nsn-ac-a",  "nsn-jm",  "nsn-jm-gp",
                                     "nsn-fb", "nsn-fb-gp", "nsn-nm",    "nsgs-ac", "nsgs-ac-gp",
                                     "nsgs",   "fp-vi-upk", "eg-vi-upk", NULL};
static const char *const alpha_rules[] = {"error", "heuristic", NULL};
enum { ALPHA_ERROR, ALPHA_HEURISTIC };

static const SlipOptionInfo options[] = {
    {"inner", SLIP_OPTION_CHOICE, "nsn-ac", 0, 0, inners, "method for the subproblems"},
    {"alpha-rule", SLIP_OPTION_CHOICE, "heuristic", 0, 0, alpha_rules,
     "alpha from the error (eq. 125), or from the success of the last subproblem"},
    {"alpha", SLIP_OPTION_REAL, "0.01", 1e-15, 1e15, NULL,
     "first alpha of the heuristic rule, in units of |W|"},
    {"sigma", SLIP_OPTION_REAL, "0.1", 1e-15, 1e15, NULL, "of the error rule, in units of |W|"},
    {"nu", SLIP_OPTION_REAL, "1", 0, 10, NULL, "power of the error in its rule"},
    {"omega", SLIP_OPTION_REAL, "1", 1e-3, 1.999, NULL, "relaxation (eq. 124)"},
    SLIPI_INNER_OPTIONS("100"),
};

/* The heuristic alpha stays within these, in units of |W|: below, W + alpha I is W. */
static const double ALPHA_LEAST = 1e-12, ALPHA_MOST = 1e6;

typedef struct Proximal {
  SlipiInner inner;
  double *r_old; /* m, as the next */
  double *room;
  double norm;  /* |W| */
  double alpha; /* of the heuristic rule, in units of it */
} Proximal;

static unsigned needs_of(const double *values) {
  return slipi_inner_needs(inners, values[OPTION_INNER]);
}

static SlipiLawSet laws_of(const double *values) {
  return slipi_inner_laws(inners, values[OPTION_INNER]);
}

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Proximal *s = SLIPI_ARENA_NEW(run->arena, Proximal, 1);
  if (!s)
    return slipi_fail_memory(error, "the proximal point method");
  run->state = s;
  s->r_old = SLIPI_ARENA_NEW(run->arena, double, run->m);
  s->room = SLIPI_ARENA_NEW(run->arena, double, run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the proximal point method");
  return slipi_inner_create(run, inners[(int)run->options[OPTION_INNER]], &s->inner, error);
}

static void destroy(SlipiRun *run) {
  Proximal *s = run->state;
  if (s)
    slipi_inner_destroy(&s->inner);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Proximal *s = run->state;
  memcpy(s->inner.law, run->law, (size_t)run->nc * sizeof *run->law);
  s->inner.run.laws_changed = true;
  s->alpha = run->options[OPTION_ALPHA];
  SlipStatus status = SLIP_OK;
  if (!(s->norm > 0)) /* W does not change */
    status = slipi_projected_norm(run, s->r_old, s->room, &s->norm, error);
  if (!(s->norm > 0))
    s->norm = 1;
  return status;
}

static void set_subproblem(const SlipiRun *run, Proximal *s) {
  double alpha = run->options[OPTION_ALPHA_RULE] == ALPHA_ERROR
                     ? run->options[OPTION_SIGMA] * pow(run->error, run->options[OPTION_NU])
                     : s->alpha;
  alpha *= s->norm;
  s->inner.run.laws_changed = s->inner.run.laws_changed || alpha != s->inner.shift;
  s->inner.shift = alpha;
  for (int32_t k = 0; k < run->m; k++) {
    s->inner.q[k] = run->q[k] - alpha * run->r[k];
    s->inner.run.r[k] = run->r[k];
  }
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Proximal *s = run->state;
  double omega = run->options[OPTION_OMEGA];
  set_subproblem(run, s);
  SlipStatus status = slipi_inner_solve(&s->inner, run, run->options[OPTION_INNER_TOL],
                                        run->options[OPTION_INNER_MAX_ITER], error);
  if (status != SLIP_OK)
    return status;
  for (int32_t k = 0; k < run->m; k++) {
    s->r_old[k] = run->r[k];
    run->r[k] = (1 - omega) * run->r[k] + omega * s->inner.run.r[k]; /* (124) */
  }
  run->cheap_error = slipi_projected_change(run, s->r_old);
  bool solved = s->inner.loop.outcome == SLIP_SOLVED;
  /* A subproblem that gave nothing is no stall while alpha can still make the next one easier. */
  if (run->cheap_error == 0 && run->options[OPTION_ALPHA_RULE] == ALPHA_HEURISTIC && !solved &&
      s->alpha < ALPHA_MOST)
    run->cheap_error = 1;
  s->alpha = fmin(fmax(s->alpha * (solved ? 0.1 : 5), ALPHA_LEAST), ALPHA_MOST);
  return SLIP_OK;
}

#define PPA(NAME, INNER, ...)                                                                      \
  {                                                                                                \
    .info = {.name = (NAME),                                                                       \
             .family = "proximal point",                                                           \
             .summary = "proximal point (Algorithm 8) by " INNER,                                  \
             SLIPI_OPTIONS(options),                                                               \
             SLIPI_PRESET({"inner", INNER}, __VA_ARGS__)},                                         \
    .needs_of = needs_of, .laws_of = laws_of, .evaluate_each = true, .patience = 50,               \
    .create = create, .start = start, .step = step, .destroy = destroy                             \
  }

#define PPA_NSN(NAME) PPA("ppa-" NAME, NAME, {"inner-max-iter", "30"})
#define PPA_NSGS(NAME) PPA("ppa-" NAME, NAME, {"inner-max-iter", "1000"})

static const SlipiMethod methods[] = {
    PPA_NSN("nsn-ac"), PPA_NSN("nsn-ac-gp"), PPA_NSN("nsn-jm"),
    PPA_NSN("nsn-nm"), PPA_NSN("nsn-fb"),    PPA_NSN("nsn-fb-gp"),
    PPA_NSGS("nsgs"),  PPA_NSGS("nsgs-ac"),  PPA_NSGS("nsgs-ac-gp"),
};

const SlipiFamily slipi_family_ppa = SLIPI_FAMILY(methods);
