/* Successive approximations (Acary, Brémond, Huber 2018, section 7): a parameter p, one number a
 * contact, makes the problem a convex one, whose solution gives the next p.
 *
 *   tresca  p = mu h(r_N), h(x) = max(0, x): the radius of semi-cylinders (section 7.2,
 *           Algorithm 11)
 *   aclm    p = g(u)_N: added to q, with g off (section 7.3, Algorithm 12). It is the method of
 *           Acary, Cadoux, Lemaréchal, Malick 2011, section 6, where p is s, its next value F(s)
 *
 * The fixed point of p is found by taking the next p as it is, with Anderson's acceleration, or,
 * for aclm, with Newton's method.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/residual.h"
#include "methods/common_anderson.h"
#include "methods/common_outer_newton.h"
#include "methods/common_projected.h"
#include "methods/inner.h"

enum { OPTION_INNER, OPTION_OUTER, OPTION_INNER_TOL, OPTION_INNER_MAX_ITER };

/* Those of tresca, and after them the ones for second-order cones only. */
#define INNERS                                                                                     \
  "nsgs-fp-vi-upk", "fp-vi-upk", "eg-vi-upk", "convexqp-pg", "nsgs", "spg", "apgd",                \
      "fp-vi-accelerated", "nsn-nm-gp"
static const char *const inners[] = {INNERS, "soclcp-ipm", "soclcp-socp", "soclcp-faceted", NULL};
static const char *const tresca_inners[] = {INNERS, NULL};
static const char *const outers[] = {"plain", "anderson", "newton", NULL};
static const char *const tresca_outers[] = {"plain", "anderson", NULL};
enum { OUTER_PLAIN, OUTER_ANDERSON, OUTER_NEWTON };

static const SlipOptionInfo options[] = {
    {"inner", SLIP_OPTION_CHOICE, "fp-vi-accelerated", 0, 0, inners,
     "method for the convex subproblems"},
    {"outer", SLIP_OPTION_CHOICE, "plain", 0, 0, outers,
     "successive approximations as they are, with Anderson's acceleration, or Newton's method"},
    SLIPI_INNER_OPTIONS("1000"),
};
static const SlipOptionInfo tresca_options[] = {
    {"inner", SLIP_OPTION_CHOICE, "fp-vi-accelerated", 0, 0, tresca_inners,
     "method for the convex subproblems"},
    {"outer", SLIP_OPTION_CHOICE, "plain", 0, 0, tresca_outers,
     "successive approximations as they are, or with Anderson's acceleration"},
    SLIPI_INNER_OPTIONS("1000"),
};

typedef struct Approximation {
  bool tresca; /* or aclm */
  SlipiInner inner;
  SlipiAnderson anderson;
  SlipiOuterNewton newton; /* where the outer loop is */
  double *p, *next;        /* nc */
  double *u;               /* m: room */
} Approximation;

static unsigned needs_of(const double *values) {
  return slipi_inner_needs(inners, values[OPTION_INNER]);
}

/* Contacts that are not approximated go to the inner method as they are. */
static SlipiLawSet laws_of(const double *values) {
  return slipi_inner_laws(inners, values[OPTION_INNER]);
}

static SlipStatus create(SlipiRun *run, bool tresca, SlipError *error) {
  Approximation *s = SLIPI_ARENA_NEW(run->arena, Approximation, 1);
  if (!s)
    return slipi_fail_memory(error, "the approximation method");
  run->state = s;
  s->tresca = tresca;
  s->p = SLIPI_ARENA_NEW(run->arena, double, run->nc);
  s->next = SLIPI_ARENA_NEW(run->arena, double, run->nc);
  s->u = SLIPI_ARENA_NEW(run->arena, double, run->m);
  slipi_anderson_create(&s->anderson, run->arena, run->nc, run->nc);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the approximation method");
  SlipStatus status =
      slipi_inner_create(run, inners[(int)run->options[OPTION_INNER]], &s->inner, error);
  /* Interior point that corrects its steps towards the centre ends just below the tolerance of a
   * subproblem, where plain steps go far beyond it; the outer iteration, which barely contracts in
   * piles, lives on that. */
  if (status == SLIP_OK)
    slipi_inner_set_option(&s->inner, "correctors", 0);
  if (status == SLIP_OK && run->options[OPTION_OUTER] == OUTER_NEWTON)
    status = slipi_outer_newton_create(run, &s->newton, error);
  return status;
}

static SlipStatus create_tresca(SlipiRun *run, SlipError *error) {
  return create(run, true, error);
}

static SlipStatus create_aclm(SlipiRun *run, SlipError *error) {
  return create(run, false, error);
}

static void destroy(SlipiRun *run) {
  Approximation *s = run->state;
  if (!s)
    return;
  slipi_inner_destroy(&s->inner);
  slipi_outer_newton_free(&s->newton);
}

/* p of run->r. */
static SlipStatus parameter(SlipiRun *run, Approximation *s, double *p, SlipError *error) {
  SlipStatus status = s->tresca ? SLIP_OK : slipi_projected_gradient(run, run->r, s->u, error);
  for (int32_t a = 0; status == SLIP_OK && a < run->nc; a++) {
    double u[3];
    slipi_load(s->tresca ? run->r : s->u, run->d, a, u);
    p[a] = !s->tresca                           ? slipi_law_g(&run->law[a], u)
           : slipi_law_is_coulomb(&run->law[a]) ? run->law[a].mu * fmax(0, u[0])
                                                : 0;
  }
  return status;
}

/* The convex subproblem of p. Contacts whose law is convex already stay as they are. */
static void set_subproblem(const SlipiRun *run, Approximation *s) {
  memcpy(s->inner.q, run->q, (size_t)run->m * sizeof *run->q);
  for (int32_t a = 0; a < run->nc; a++) {
    double p = fmax(0, s->p[a]); /* an accelerated one may be less */
    if (!s->tresca)
      s->inner.q[(int64_t)a * run->d] += p;
    else if (slipi_law_is_coulomb(&run->law[a]))
      s->inner.law[a].radius = p;
  }
  s->inner.run.laws_changed = s->inner.run.laws_changed || s->tresca;
  memcpy(s->inner.run.r, run->r, (size_t)run->m * sizeof *run->r);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Approximation *s = run->state;
  for (int32_t a = 0; run->laws_changed && a < run->nc; a++) {
    bool bounded = s->tresca && slipi_law_is_coulomb(&run->law[a]);
    s->inner.law[a] = bounded ? slipi_law(SLIPI_TRESCA, 0) : slipi_law_relaxed(run->law[a]);
    s->inner.run.laws_changed = true;
  }
  slipi_anderson_start(&s->anderson);
  SlipStatus status = parameter(run, s, s->p, error);
  if (status == SLIP_OK && run->options[OPTION_OUTER] == OUTER_NEWTON)
    status = slipi_outer_newton_start(run, &s->newton, error);
  return status;
}

/* The next p, from this one and its image. */
static SlipStatus next_parameter(SlipiRun *run, Approximation *s, SlipError *error) {
  SlipStatus status = parameter(run, s, s->next, error);
  if (status == SLIP_OK && run->options[OPTION_OUTER] == OUTER_NEWTON) {
    status = slipi_outer_newton_next(run, &s->newton, s->inner.law, s->u, s->next, s->p, error);
    if (slipi_outer_newton_cut(&s->newton)) /* the same r from two trials says nothing */
      run->cheap_error = INFINITY;
    return status;
  }
  if (run->options[OPTION_OUTER] == OUTER_ANDERSON)
    slipi_anderson_next(&s->anderson, s->p, s->next);
  else
    memcpy(s->p, s->next, (size_t)run->nc * sizeof *s->p);
  return status;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Approximation *s = run->state;
  set_subproblem(run, s);
  SlipStatus status = slipi_inner_solve(&s->inner, run, run->options[OPTION_INNER_TOL],
                                        run->options[OPTION_INNER_MAX_ITER], error);
  if (status != SLIP_OK)
    return status;
  memcpy(s->u, run->r, (size_t)run->m * sizeof *run->r);
  memcpy(run->r, s->inner.run.r, (size_t)run->m * sizeof *run->r);
  run->cheap_error = slipi_projected_change(run, s->u);
  return next_parameter(run, s, error);
}

#define APPROXIMATION(NAME, FAMILY, SUMMARY, CREATE, OPTIONS, ...)                                 \
  {                                                                                                \
    .info = {.name = (NAME),                                                                       \
             .family = (FAMILY),                                                                   \
             .summary = SUMMARY,                                                                   \
             SLIPI_OPTIONS(OPTIONS),                                                               \
             __VA_ARGS__},                                                                         \
    .needs_of = needs_of, .laws_of = laws_of, .evaluate_each = true, .patience = 100,              \
    .create = (CREATE), .start = start, .step = step, .destroy = destroy                           \
  }
#define TRESCA(INNER)                                                                              \
  APPROXIMATION("tresca-" INNER, "Tresca", "Tresca approximation (Algorithm 11) by " INNER,        \
                create_tresca, tresca_options, SLIPI_PRESET({"inner", INNER}))
#define ACLM(NAME, INNER)                                                                          \
  APPROXIMATION(NAME INNER, "ACLM", "fixed point on s = g(u) (Algorithm 12) by " INNER,            \
                create_aclm, options, SLIPI_PRESET({"inner", INNER}))

#define ACLM_PAPER "Acary et al. 2011, section 6"
#define ACLM_BY(NAME, SUMMARY, ...)                                                                \
  APPROXIMATION("aclm-" NAME, "ACLM", "fixed point on s = g(u) " SUMMARY, create_aclm, options,    \
                SLIPI_PRESET(__VA_ARGS__))

static const SlipiMethod methods[] = {
    APPROXIMATION("tresca", "Tresca", "Tresca approximation, accelerated, by fp-vi-accelerated",
                  create_tresca, tresca_options,
                  SLIPI_PRESET({"outer", "anderson"}, {"inner-max-iter", "20000"})),
    APPROXIMATION(
        "tresca-newton", "Tresca", "Tresca approximation, accelerated, by nsn-nm-gp", create_tresca,
        tresca_options,
        SLIPI_PRESET({"inner", "nsn-nm-gp"}, {"outer", "anderson"}, {"inner-max-iter", "100"})),
    TRESCA("nsgs-fp-vi-upk"),
    TRESCA("fp-vi-upk"),
    TRESCA("eg-vi-upk"),
    TRESCA("convexqp-pg"),
    APPROXIMATION("aclm", "ACLM", "fixed point on s = g(u), accelerated, by fp-vi-accelerated",
                  create_aclm, options,
                  SLIPI_PRESET({"outer", "anderson"}, {"inner-max-iter", "20000"})),
    ACLM("aclm-", "nsgs-fp-vi-upk"),
    ACLM("aclm-", "fp-vi-upk"),
    ACLM("aclm-", "eg-vi-upk"),
    ACLM("aclm-", "convexqp-pg"),
    ACLM_BY("ipm", "by interior point (" ACLM_PAPER ", i)", {"inner", "soclcp-ipm"}),
    ACLM_BY("socp", "by linear second-order cone programs (" ACLM_PAPER ", ii)",
            {"inner", "soclcp-socp"}),
    ACLM_BY("faceted", "by faceted cones, columns generated (" ACLM_PAPER ", iv)",
            {"inner", "soclcp-faceted"}),
    ACLM_BY("newton", "by Newton's method, subproblems by interior point", {"inner", "soclcp-ipm"},
            {"outer", "newton"}),
    ACLM("acl-", "nsgs-fp-vi-upk"), /* as Table 4 spells them */
    ACLM("acl-", "fp-vi-upk"),
    ACLM("acl-", "eg-vi-upk"),
    ACLM("acl-", "convexqp-pg"),
};

const SlipiFamily slipi_family_approximation = SLIPI_FAMILY(methods);
