/* Projections for the variational inequality (40): fixed point and extragradient (004 section 4,
 * Algorithms 1 and 2) with a fixed step or the self-adaptive one (Algorithm 3). With
 * F(r) = W r + q + g(W r + q):
 *
 *     z = P_K(r - rho F(r))                                                               (98)
 *     fixed point: r <- z      extragradient: r <- P_K(r - rho F(z))                       (99)
 *
 * The option `metric` puts a step of its own on each contact, (55)-(57) with R block-diagonal.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/step_rule.h"
#include "methods/common_projected.h"

enum { OPTION_RHO, OPTION_METRIC };

static const SlipOptionInfo options[] = {
    {"rho", SLIP_OPTION_REAL, "1", 1e-12, 1e12, NULL,
     "step, the first one where it adapts itself, in units of 1/|W|"},
    {"metric", SLIP_OPTION_CHOICE, "uniform", 0, 0, slipi_metrics,
     "one step for all contacts, or one for each by its block of W"},
};

typedef enum Rule { RULE_FIXED, RULE_K, RULE_TS } Rule;

typedef struct Projection {
  bool extra; /* gradient */
  Rule rule;
  double rho;
  double shift; /* of the operator D is for */
  double *D;    /* nc */
  double *F;    /* at r */
  double *z;    /* the trial */
  double *Fz;   /* F there */
  double *move; /* r - z, then room */
} Projection;

static SlipStatus create(SlipiRun *run, bool extra, Rule rule, SlipError *error) {
  Projection *p = SLIPI_ARENA_NEW(run->arena, Projection, 1);
  double *D = SLIPI_ARENA_NEW(run->arena, double, run->nc);
  double *room = SLIPI_ARENA_NEW(run->arena, double, 4 * (int64_t)run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the projection method");
  *p = (Projection){.extra = extra, .rule = rule, .shift = NAN, .D = D};
  p->F = room;
  p->z = room + run->m;
  p->Fz = p->z + run->m;
  p->move = p->Fz + run->m;
  run->state = p;
  return SLIP_OK;
}

#define CREATE(NAME, EXTRA, RULE)                                                                  \
  static SlipStatus NAME(SlipiRun *run, SlipError *error) {                                        \
    return create(run, EXTRA, RULE, error);                                                        \
  }

CREATE(create_fp_ds, false, RULE_FIXED)
CREATE(create_fp_upk, false, RULE_K)
CREATE(create_fp_upts, false, RULE_TS)
CREATE(create_eg_upk, true, RULE_K)
CREATE(create_eg_upts, true, RULE_TS)

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Projection *p = run->state;
  p->rho = run->options[OPTION_RHO];
  SlipStatus status = SLIP_OK;
  if (p->shift != run->op->shift) { /* NaN at first */
    status =
        slipi_projected_metric(run, (int)run->options[OPTION_METRIC], p->D, p->z, p->Fz, error);
    p->shift = run->op->shift;
  }
  return status == SLIP_OK ? slipi_projected_F(run, run->r, p->F, error) : status;
}

/* (101), or (102), in the metric of D. */
static double ratio_of(const SlipiRun *run, const Projection *p) {
  double change = 0, product = 0, moved = slipi_projected_square(run, p->D, p->move);
  for (int32_t k = 0; k < run->m; k++) {
    double dF = p->F[k] - p->Fz[k];
    change += dF * dF * p->D[k / run->d];
    product += dF * p->move[k];
  }
  if (!(moved > 0))
    return 0;
  return p->rho * (p->rule == RULE_K ? sqrt(change / moved) : product / moved);
}

/* The trial z and F(z), with the step made shorter until Algorithm 3 takes it. */
static SlipStatus predict(SlipiRun *run, Projection *p, double *ratio, SlipError *error) {
  for (int trial = 0; trial < SLIPI_STEP_TRIALS; trial++) {
    slipi_projected_step(run, p->D, p->rho, p->F, run->r, p->z);
    SlipStatus status = slipi_projected_F(run, p->z, p->Fz, error);
    if (status != SLIP_OK)
      return status;
    for (int32_t k = 0; k < run->m; k++)
      p->move[k] = run->r[k] - p->z[k];
    *ratio = p->rule == RULE_FIXED ? 0 : ratio_of(run, p);
    if (slipi_step_accept(*ratio, &p->rho))
      break;
  }
  return SLIP_OK;
}

static void swap(double **x, double **y) {
  double *z = *x;
  *x = *y;
  *y = z;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Projection *p = run->state;
  size_t bytes = (size_t)run->m * sizeof(double);
  double ratio = 0;
  SlipStatus status = predict(run, p, &ratio, error);
  if (status != SLIP_OK)
    return status;
  memcpy(p->move, run->r, bytes);
  if (p->extra) {
    slipi_projected_step(run, p->D, p->rho, p->Fz, run->r, run->r);
    status = slipi_projected_F(run, run->r, p->F, error);
  } else {
    memcpy(run->r, p->z, bytes);
    swap(&p->F, &p->Fz);
  }
  if (p->rule != RULE_FIXED)
    slipi_step_lengthen(ratio, &p->rho);
  run->cheap = slipi_projected_change(run, p->move);
  return status;
}

#define PROJECTION(NAME, SUMMARY, CREATE, ...)                                                     \
  {                                                                                                \
    .info = {.name = (NAME),                                                                       \
             .family = "vi",                                                                       \
             .summary = (SUMMARY),                                                                 \
             SLIPI_OPTIONS(options),                                                               \
             __VA_ARGS__},                                                                         \
    .create = (CREATE), .start = start, .step = step                                               \
  }

static const SlipiMethod methods[] = {
    PROJECTION("fp-ds", "fixed point on the natural map, fixed step (Algorithm 1)", create_fp_ds, ),
    PROJECTION("fp-vi-upk", "fixed point, self-adaptive step by Khobotov's ratio (101)",
               create_fp_upk, ),
    PROJECTION("fp-vi-upts", "fixed point, self-adaptive step by Solodov and Tseng's ratio (102)",
               create_fp_upts, ),
    PROJECTION("eg-vi-upk", "extragradient (Algorithm 2), self-adaptive step (101)",
               create_eg_upk, ),
    PROJECTION("eg-vi-upts", "extragradient (Algorithm 2), self-adaptive step (102)",
               create_eg_upts, ),
    PROJECTION("soclcp-fp-vi-upk", "convex relaxation (g off) by fp-vi-upk", create_fp_upk,
               .associated = 1),
    PROJECTION("soclcp-eg-vi-upk", "convex relaxation (g off) by eg-vi-upk", create_eg_upk,
               .associated = 1),
};

const SlipiFamily slipi_family_vi = SLIPI_FAMILY(methods);
