/* Projections for the variational inequality (Acary, Brémond, Huber 2018, eq. 40): fixed point and
 * extragradient (section 4, Algorithms 1 and 2) with a fixed step or the self-adaptive one
 * (Algorithm 3). With F(r) = W r + q + g(W r + q):
 *
 *     z = P_K(r - rho F(r))                                                               (98)
 *     fixed point: r <- z      extragradient: r <- P_K(r - rho F(z))                       (99)
 *
 * The option `metric` puts a step of its own on each contact, (55)-(57) with R block-diagonal.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/residual.h"
#include "contact/rolling.h"
#include "contact/step_rule.h"
#include "methods/common_projected.h"

enum { OPTION_RHO, OPTION_METRIC, OPTION_ACCELERATION /* of fixed points only */ };

static const char *const accelerations[] = {"off", "momentum", NULL};

#define PROJECTION_OPTIONS                                                                         \
  {"rho",                                                                                          \
   SLIP_OPTION_REAL,                                                                               \
   "1",                                                                                            \
   1e-12,                                                                                          \
   1e12,                                                                                           \
   NULL,                                                                                           \
   "step, the first one where it adapts itself, in units of 1/|W|"},                               \
  {                                                                                                \
    "metric", SLIP_OPTION_CHOICE, "uniform", 0, 0, slipi_metrics,                                  \
        "one step for all contacts, or one for each by its block of W"                             \
  }

static const SlipOptionInfo options[] = {PROJECTION_OPTIONS};
static const SlipOptionInfo fixed_point_options[] = {
    PROJECTION_OPTIONS,
    {"acceleration", SLIP_OPTION_CHOICE, "off", 0, 0, accelerations,
     "steps from a point ahead of r, with restarts"},
};

typedef enum Rule { RULE_FIXED, RULE_K, RULE_TS } Rule;

/* Momentum may go round and round. Where the least size of a window of iterations is not below
 * the one of the window before, some plain steps follow. */
enum { WINDOW = 2000, PLAIN = 500 };

typedef struct Pace {
  int64_t left;         /* of this window */
  bool resting;         /* this window is one */
  double least, before; /* size in this window, in the last one */
} Pace;

typedef struct Projection {
  bool extra;    /* gradient */
  bool momentum; /* of the fixed point */
  Rule rule;
  double rho;
  double shift; /* of the operator D is for */
  double *D;    /* nc */
  double *u;    /* W r + q */
  double *y;    /* where a step begins: r itself without momentum */
  double *F;    /* F(y) */
  double *z;    /* the trial */
  double *uz;   /* W z + q */
  double *Fz;   /* F(z) */
  double t;     /* Nesterov's sequence */
  double size;  /* |y - z| / rho of the last trial, in the metric 1/D */
  Pace pace;
} Projection;

/* Sums over the contacts that a trial is judged by. */
typedef struct Sums {
  double moved;   /* |y - z|^2 in the metric 1/D */
  double changed; /* |F(y) - F(z)|^2 in the metric D */
  double product; /* (y - z)'(F(y) - F(z)) */
} Sums;

static SlipStatus create(SlipiRun *run, bool extra, Rule rule, SlipError *error) {
  Projection *p = SLIPI_ARENA_NEW(run->arena, Projection, 1);
  double *D = SLIPI_ARENA_NEW(run->arena, double, run->nc);
  double *room = SLIPI_ARENA_NEW(run->arena, double, 6 * (int64_t)run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the projection method");
  *p = (Projection){.extra = extra, .rule = rule, .shift = NAN, .D = D};
  p->momentum = !extra && run->options[OPTION_ACCELERATION] != 0;
  double **vectors[] = {&p->u, &p->y, &p->F, &p->z, &p->uz, &p->Fz};
  for (int k = 0; k < 6; k++)
    *vectors[k] = room + (int64_t)k * run->m;
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

/* F = u + g(u). */
static void add_g(const SlipiRun *run, const double *u, double *F) {
  memcpy(F, u, (size_t)run->m * sizeof *F);
  for (int32_t a = 0; a < run->nc; a++) {
    double block[3];
    slipi_load(u, run->d, a, block);
    F[(int64_t)a * run->d] += slipi_law_g(&run->law[a], block);
    if (run->law[a].rolls) {
      slipi_load(u, run->d, a + 1, block);
      F[(int64_t)a * run->d] += slipi_rolling_g_added(&run->law[a + 1], block);
    }
  }
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Projection *p = run->state;
  p->rho = run->options[OPTION_RHO];
  p->t = 1;
  p->pace = (Pace){.left = WINDOW, .least = INFINITY, .before = INFINITY};
  SlipStatus status = SLIP_OK;
  if (p->shift != slipi_operator_shift(run->op)) { /* NaN at first */
    status =
        slipi_projected_metric(run, (int)run->options[OPTION_METRIC], p->D, p->z, p->Fz, error);
    p->shift = slipi_operator_shift(run->op);
  }
  if (status == SLIP_OK)
    status = slipi_projected_gradient(run, run->r, p->u, error);
  memcpy(p->y, run->r, (size_t)run->m * sizeof *run->r);
  add_g(run, p->u, p->F);
  return status;
}

/* uz holds W z: make it u at z, fill Fz, and sum up how the trial compares with y. */
static Sums measure(const SlipiRun *run, Projection *p) {
  Sums sums = {0};
  int32_t d = run->d;
  for (int32_t a = 0; a < run->nc; a++) {
    double *u = p->uz + (int64_t)a * d, *Fz = p->Fz + (int64_t)a * d, block[3] = {0};
    const double *q = run->q + (int64_t)a * d, *y = p->y + (int64_t)a * d;
    const double *z = p->z + (int64_t)a * d, *F = p->F + (int64_t)a * d;
    double moved = 0, changed = 0, product = 0;
    for (int32_t k = 0; k < d; k++) {
      u[k] += q[k];
      block[k] = Fz[k] = u[k];
    }
    Fz[0] += slipi_law_g(&run->law[a], block);
    if (run->law[a].rolls) {
      for (int32_t k = 0; k < d; k++)
        block[k] = u[d + k] + q[d + k];
      Fz[0] += slipi_rolling_g_added(&run->law[a + 1], block);
    }
    for (int32_t k = 0; k < d; k++) {
      double move = y[k] - z[k], dF = F[k] - Fz[k];
      moved += move * move;
      changed += dF * dF;
      product += move * dF;
    }
    sums.moved += moved / p->D[a];
    sums.changed += changed * p->D[a];
    sums.product += product;
  }
  return sums;
}

/* (101), or (102), in the metric of D. */
static double ratio_of(const Projection *p, const Sums *sums) {
  if (p->rule == RULE_FIXED || !(sums->moved > 0))
    return 0;
  return p->rho *
         (p->rule == RULE_K ? sqrt(sums->changed / sums->moved) : sums->product / sums->moved);
}

/* The trial z and F(z), with the step made shorter until Algorithm 3 takes it. */
static SlipStatus predict(SlipiRun *run, Projection *p, double *ratio, SlipError *error) {
  for (int trial = 0; trial < SLIPI_STEP_TRIALS; trial++) {
    slipi_projected_step(run, p->D, p->rho, p->F, p->y, p->z);
    SlipStatus status = slipi_operator_apply(run->op, p->z, p->uz, error);
    if (status != SLIP_OK)
      return status;
    Sums sums = measure(run, p);
    *ratio = ratio_of(p, &sums);
    p->size = sqrt(sums.moved) / p->rho;
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

/* (y - z)'(z - r) > 0: the momentum points away from where the step goes. */
static bool is_uphill(const SlipiRun *run, const Projection *p) {
  double sum = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    double part = 0;
    for (int32_t k = a * run->d; k < (a + 1) * run->d; k++)
      part += (p->y[k] - p->z[k]) * (p->z[k] - run->r[k]);
    sum += part / p->D[a];
  }
  return sum > 0;
}

/* Count an iteration; returns whether it may have momentum. */
static bool keep_pace(Pace *pace, double size) {
  pace->least = fmin(pace->least, size);
  if (--pace->left > 0)
    return !pace->resting;
  bool idle = !pace->resting && !(pace->least < pace->before);
  pace->resting = idle;
  pace->left = idle ? PLAIN : WINDOW;
  pace->before = pace->least;
  pace->least = INFINITY;
  return !idle;
}

/* r <- z, and y ahead of it: u is linear in r, so that u there costs no product with W. */
static void go_ahead(SlipiRun *run, Projection *p) {
  bool restart = !keep_pace(&p->pace, p->size) || is_uphill(run, p);
  double next = 0.5 * (1 + sqrt(1 + 4 * p->t * p->t)), share = restart ? 0 : (p->t - 1) / next;
  p->t = restart ? 1 : next;
  for (int32_t a = 0; a < run->nc; a++) {
    double u[3] = {0};
    for (int32_t k = 0; k < run->d; k++) {
      int64_t at = (int64_t)a * run->d + k;
      p->y[at] = p->z[at] + share * (p->z[at] - run->r[at]);
      u[k] = p->F[at] = p->uz[at] + share * (p->uz[at] - p->u[at]);
    }
    p->F[(int64_t)a * run->d] += slipi_law_g(&run->law[a], u);
    if (run->law[a].rolls) {
      for (int32_t k = 0; k < run->d; k++) {
        int64_t at = (int64_t)(a + 1) * run->d + k;
        u[k] = p->uz[at] + share * (p->uz[at] - p->u[at]);
      }
      p->F[(int64_t)a * run->d] += slipi_rolling_g_added(&run->law[a + 1], u);
    }
  }
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Projection *p = run->state;
  size_t bytes = (size_t)run->m * sizeof(double);
  double ratio = 0;
  SlipStatus status = predict(run, p, &ratio, error);
  if (status != SLIP_OK)
    return status;
  if (p->extra) {
    slipi_projected_step(run, p->D, p->rho, p->Fz, run->r, run->r);
    run->cheap_error = slipi_projected_change(run, p->y);
    status = slipi_projected_F(run, run->r, p->F, error);
    memcpy(p->y, run->r, bytes);
  } else {
    if (p->momentum)
      go_ahead(run, p);
    swap(&p->u, &p->uz);
    memcpy(p->uz, run->r, bytes); /* r as it was */
    memcpy(run->r, p->z, bytes);
    run->cheap_error = slipi_projected_change(run, p->uz);
    if (!p->momentum) {
      swap(&p->F, &p->Fz);
      memcpy(p->y, run->r, bytes);
    }
  }
  if (p->rule != RULE_FIXED)
    slipi_step_lengthen(ratio, &p->rho);
  return status;
}

#define PROJECTION(NAME, SUMMARY, CREATE, OPTIONS, ...)                                            \
  {                                                                                                \
    .laws = SLIPI_LAWS_ALL,                                                                        \
    .info = {.name = (NAME),                                                                       \
             .family = "vi",                                                                       \
             .summary = (SUMMARY),                                                                 \
             SLIPI_OPTIONS(OPTIONS),                                                               \
             __VA_ARGS__},                                                                         \
    .create = (CREATE), .start = start, .step = step                                               \
  }

/* Moments have no associated flow. */
#define RELAXATION(NAME, SUMMARY, CREATE, OPTIONS)                                                 \
  {                                                                                                \
    .info = {.name = (NAME),                                                                       \
             .family = "vi",                                                                       \
             .summary = (SUMMARY),                                                                 \
             SLIPI_OPTIONS(OPTIONS),                                                               \
             .associated = 1},                                                                     \
    .create = (CREATE), .start = start, .step = step                                               \
  }

static const SlipiMethod methods[] = {
    PROJECTION("fp-ds", "fixed point on the natural map, fixed step (Algorithm 1)", create_fp_ds,
               fixed_point_options, ),
    PROJECTION("fp-vi-upk", "fixed point, self-adaptive step by Khobotov's ratio (eq. 101)",
               create_fp_upk, fixed_point_options, ),
    PROJECTION("fp-vi-upts",
               "fixed point, self-adaptive step by Solodov and Tseng's ratio (eq. 102)",
               create_fp_upts, fixed_point_options, ),
    PROJECTION("fp-vi-accelerated", "fp-vi-upk with momentum, a step of its own for each contact",
               create_fp_upk, fixed_point_options,
               SLIPI_PRESET({"acceleration", "momentum"}, {"metric", "contact"})),
    PROJECTION("eg-vi-upk", "extragradient (Algorithm 2), self-adaptive step (eq. 101)",
               create_eg_upk, options, ),
    PROJECTION("eg-vi-upts", "extragradient (Algorithm 2), self-adaptive step (eq. 102)",
               create_eg_upts, options, ),
    RELAXATION("soclcp-fp-vi-upk", "convex relaxation (g off) by fp-vi-upk", create_fp_upk,
               fixed_point_options),
    RELAXATION("soclcp-eg-vi-upk", "convex relaxation (g off) by eg-vi-upk", create_eg_upk,
               options),
};

const SlipiFamily slipi_family_vi = SLIPI_FAMILY(methods);
