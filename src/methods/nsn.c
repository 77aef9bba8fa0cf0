/* Nonsmooth Newton on a whole problem (Acary, Brémond, Huber 2018, section 5, Algorithm 4):
 * F(W r + q, r) = 0 with one of the equations of contact/nonsmooth.h, an element of its generalized
 * Jacobian (156), and a step along the Newton direction d, full or found by a line search on
 * |F|^2/2 (113).
 *
 * The names say the equations and the line search: nsn-{ac,jm,nm,fb}, with Goldstein-Price's (-gp,
 * Algorithm 5) or Armijo's (-a, Algorithm 6), and nsn-hsw, nsn-xsw.
 */
#include "methods/method.h"

#include <float.h>
#include <string.h>

#include "base/linesearch.h"
#include "contact/newton.h"
#include "contact/nonsmooth.h"
#include "contact/onecontact.h"
#include "contact/residual.h"
#include "contact/rolling.h"
#include "linalg/dense3.h"
#include "linalg/vector.h"
#include "methods/inner.h"

enum {
  OPTION_RHO_RULE,
  OPTION_RHO,
  OPTION_FORM,
  OPTION_LINEAR,
  OPTION_FIRST,
  OPTION_AGAIN,
  OPTION_SEARCH_TRIALS, /* with a line search only, from here on */
  OPTION_SEARCH_MEMORY
};

static const char *const rho_rules[] = {"auto",  "fixed",           "norm",     "eigen",
                                        "split", "split-condition", "adaptive", NULL};
enum { RHO_AUTO, RHO_FIXED, RHO_NORM, RHO_ADAPTIVE = 6 }; /* from RHO_NORM on as SlipiStepRule */

static const char *const forms[] = {"auto", "local", "global", NULL};          /* SlipiNewtonForm */
static const char *const linear_solvers[] = {"auto", "dense", "sparse", NULL}; /* SlipiLuKind */

#define NEWTON_OPTIONS                                                                             \
  {"rho-rule",                                                                                     \
   SLIP_OPTION_CHOICE,                                                                             \
   "auto",                                                                                         \
   0,                                                                                              \
   0,                                                                                              \
   rho_rules,                                                                                      \
   "steps: 1 (fixed), by norms or eigenvalues (eqs. 109 to 112), adaptive; auto: by the "          \
   "equations"},                                                                                   \
      {"rho", SLIP_OPTION_REAL, "1", 1e-12, 1e12, NULL, "multiplies what the rule gives"},         \
      {"form",                                                                                     \
       SLIP_OPTION_CHOICE,                                                                         \
       "auto",                                                                                     \
       0,                                                                                          \
       0,                                                                                          \
       forms,                                                                                      \
       "linear system in r (eq. 156), or in v and r (eq. 157)"},                                   \
      {"linear", SLIP_OPTION_CHOICE, "auto", 0, 0, linear_solvers, "LU of the linear system"},     \
      {"first",                                                                                    \
       SLIP_OPTION_INT,                                                                            \
       "0",                                                                                        \
       0,                                                                                          \
       1e9,                                                                                        \
       NULL,                                                                                       \
       "iterations of eg-vi-upk before the first step"},                                           \
  {                                                                                                \
    "again", SLIP_OPTION_INT, "8", 0, 1e9, NULL,                                                   \
        "steps that do not halve the error, after which they come again; 0: never"                 \
  }

static const SlipOptionInfo plain_options[] = {NEWTON_OPTIONS};
static const SlipOptionInfo search_options[] = {
    NEWTON_OPTIONS,
    {"search-trials", SLIP_OPTION_INT, "20", 1, 1000, NULL, "steps a line search tries at most"},
    {"search-memory", SLIP_OPTION_INT, "10", 1, 1e6, NULL,
     "the merit must fall below the mean of about so many before"},
};

/* Pivots in this ratio, or a step so many times |F|, and the matrix counts as singular. F has the
 * units of r, but for Fischer-Burmeister's, where mu comes in. */
static const double SINGULAR = 1e-13;
static const double TOO_LONG = 1e5, TOO_LONG_FB = 1e10;

/* A singular matrix gets this much on its diagonal, whose entries are about 1, and a hundred
 * times as much until it is regular: from Newton's step towards the projection's. So does the
 * matrix after a step the line search has made short. */
static const double LEAST_REGULAR = 1e-6;
static const double MOST_REGULAR = 1e6;
static const double SHORT_STEP = 0.1;

/* Iterations of eg-vi-upk in one turn. */
static const double TURN_MOST = 1e9;

typedef struct Nsn {
  SlipiNonsmooth kind;
  SlipiSearch search;
  SlipiNewton newton;
  SlipiInner first;        /* eg-vi-upk, where it comes first */
  SlipiSteps *rho;         /* of each contact */
  double *factor;          /* in rho, of the adaptive rule; NULL for the others */
  double *Phi_ru, *Phi_rr; /* 9 per contact */
  double *K;               /* the same, of contacts that roll; NULL: none does */
  double *u, *F;           /* at r */
  double *d, *Wd;
  double regular;      /* added to the diagonal of the last matrix */
  double memory;       /* merits that count in their mean */
  double best;         /* error since eg-vi-upk had its turn */
  int idle;            /* steps since that was halved last */
  double turn;         /* iterations of eg-vi-upk in its next turn */
  double mean, weight; /* the mean of the last ones (Zhang and Hager 2004), and its weight */
} Nsn;

static int option_int(const SlipiRun *run, int option) {
  return (int)run->options[option];
}

static SlipStatus create(SlipiRun *run, SlipiNonsmooth kind, SlipiSearchKind search,
                         SlipError *error) {
  Nsn *n = SLIPI_ARENA_NEW(run->arena, Nsn, 1);
  if (!n)
    return slipi_fail_memory(error, "the Newton method");
  run->state = n;
  n->kind = kind;
  n->search = (SlipiSearch){.kind = search, .m1 = 0.01, .m2 = 0.99, .a = 2};
  n->memory = 1;
  if (search != SLIPI_SEARCH_NONE) {
    n->search.trials = option_int(run, OPTION_SEARCH_TRIALS);
    n->memory = run->options[OPTION_SEARCH_MEMORY];
  }
  n->rho = SLIPI_ARENA_NEW(run->arena, SlipiSteps, run->nc);
  n->Phi_ru = SLIPI_ARENA_NEW(run->arena, double, (int64_t)9 * run->nc);
  n->Phi_rr = SLIPI_ARENA_NEW(run->arena, double, (int64_t)9 * run->nc);
  n->u = SLIPI_ARENA_NEW(run->arena, double, run->m);
  n->F = SLIPI_ARENA_NEW(run->arena, double, run->m);
  n->d = SLIPI_ARENA_NEW(run->arena, double, run->m);
  n->Wd = SLIPI_ARENA_NEW(run->arena, double, run->m);
  if (slipi_rolling_has(run->law, run->nc))
    n->K = SLIPI_ARENA_NEW(run->arena, double, (int64_t)9 * run->nc);
  if (option_int(run, OPTION_RHO_RULE) == RHO_ADAPTIVE)
    n->factor = SLIPI_ARENA_NEW(run->arena, double, run->nc);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the Newton method");
  SlipStatus status =
      slipi_newton_create(run->op, (SlipiNewtonForm)option_int(run, OPTION_FORM),
                          (SlipiLuKind)option_int(run, OPTION_LINEAR), &n->newton, error);
  if (status == SLIP_OK && run->options[OPTION_FIRST] > 0)
    status = slipi_inner_create(run, "eg-vi-upk", &n->first, error);
  return status;
}

static void destroy(SlipiRun *run) {
  Nsn *n = run->state;
  if (!n)
    return;
  slipi_newton_free(&n->newton);
  slipi_inner_destroy(&n->first);
}

/* ---- Steps rho ---- */

/* (79) is in x = T r and T^-1 u, T = diag(mu, 1, 1): W there is T^-1 W T^-1. */
static void scale_block(double mu, double W[9]) {
  for (int k = 1; k < 3; k++) {
    W[k] /= mu;
    W[3 * k] /= mu;
  }
  W[0] /= mu * mu;
}

static SlipStatus contact_steps(SlipiRun *run, const Nsn *n, int32_t a, SlipiSteps *rho,
                                SlipError *error) {
  int rule = option_int(run, OPTION_RHO_RULE);
  double factor = run->options[OPTION_RHO], block[9], W[9];
  SlipStatus status = slipi_operator_diagonal(run->op, a, block, error);
  if (status != SLIP_OK)
    return status;
  if (run->d == 2)
    slipi_one_contact_pad(block, W);
  else
    memcpy(W, block, sizeof W);
  if (n->kind == SLIPI_NONSMOOTH_FB && run->law[a].mu > 0)
    scale_block(run->law[a].mu, W);
  if (rule == RHO_FIXED)
    *rho = (SlipiSteps){1, 1, 1};
  else if (rule == RHO_AUTO || rule == RHO_ADAPTIVE)
    *rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(n->kind, &run->law[a]), W);
  else
    *rho = slipi_nonsmooth_steps((SlipiStepRule)(rule - RHO_NORM), W);
  rho->normal *= factor;
  rho->tangent *= factor;
  return SLIP_OK;
}

/* The steps, and as the size of an impulse the root mean square of rho q. */
static SlipStatus prepare(SlipiRun *run, Nsn *n, SlipError *error) {
  SlipStatus status = SLIP_OK;
  for (int32_t a = 0; a < run->nc && status == SLIP_OK; a++) {
    status = contact_steps(run, n, a, &n->rho[a], error);
    if (n->factor)
      n->factor[a] = 1;
  }
  return status;
}

/* The size of impulses, from q: of each run, as q may have changed while W and mu have not. */
static void set_size(const SlipiRun *run, Nsn *n) {
  double sum = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    for (int32_t k = 0; k < run->d; k++) {
      double size = n->rho[a].normal * run->q[(int64_t)a * run->d + k];
      sum += size * size;
    }
  }
  double size = sum > 0 ? sqrt(sum / run->nc) : 1;
  for (int32_t a = 0; a < run->nc; a++)
    n->rho[a].size = size;
}

/* The adaptive rule: steps that bring r and rho u of a contact to the same size, half the way (in
 * the logarithm) from the last ones, within a hundredth and a hundred times what the rule gave. */
static void adapt(SlipiRun *run, Nsn *n) {
  static const double most = 100;
  for (int32_t a = 0; a < run->nc; a++) {
    double u[3], r[3];
    slipi_load(n->u, run->d, a, u);
    slipi_load(run->r, run->d, a, r);
    double now = n->factor[a], speed = n->rho[a].normal / now * slipi_dense3_norm(u);
    double impulse = slipi_dense3_norm(r);
    double wanted = impulse > 0 && speed > 0 ? impulse / speed : impulse > 0 ? most : 1;
    double next = fmin(most, fmax(1 / most, sqrt(now * wanted)));
    n->factor[a] = next;
    n->rho[a].normal *= next / now;
    n->rho[a].tangent *= next / now;
  }
}

/* ---- Iterations ---- */

/* Where mu is large, tangential impulses and the lines about them are large too; divided by mu they
 * no longer drown the others in the merit. The zeros and Newton's direction stay. */
static void weigh(SlipiNonsmooth kind, const SlipiLaw *law, double F[3], double *Phi_ru,
                  double *Phi_rr) {
  if (kind == SLIPI_NONSMOOTH_FB || !(law->mu > 1) || law->kind == SLIPI_ROLLING)
    return;
  for (int k = 1; k < 3; k++)
    F[k] /= law->mu;
  for (int k = 3; Phi_ru && k < 9; k++) {
    Phi_ru[k] /= law->mu;
    Phi_rr[k] /= law->mu;
  }
}

/* F, Phi_ru and Phi_rr at (u, r); returns the merit. */
static double linearise(SlipiRun *run, Nsn *n) {
  double sum = 0;
  for (int32_t a = 0; a < run->nc; a++) {
    double u[3], r[3], F[3];
    SlipiLaw room;
    const SlipiLaw *law = slipi_law_at(run->law, run->d, a, run->r, &room);
    slipi_load(n->u, run->d, a, u);
    slipi_load(run->r, run->d, a, r);
    slipi_nonsmooth(n->kind, law, n->rho[a], u, r, F, n->Phi_ru + (int64_t)9 * a,
                    n->Phi_rr + (int64_t)9 * a);
    if (law->kind == SLIPI_ROLLING)
      slipi_rolling_slope(law, n->rho[a].normal, u, r, n->K + (int64_t)9 * a);
    weigh(n->kind, &run->law[a], F, n->Phi_ru + (int64_t)9 * a, n->Phi_rr + (int64_t)9 * a);
    slipi_store(F, run->d, a, n->F);
    for (int32_t k = 0; k < run->d; k++)
      sum += F[k] * F[k];
  }
  return 0.5 * sum;
}

/* The merit at r + t d, where u is u + t W d. */
static double along(void *user, double t) {
  const SlipiRun *run = user;
  const Nsn *n = run->state;
  double sum = 0, normal = 0; /* r_N of the contact before */
  for (int32_t a = 0; a < run->nc; a++) {
    double u[3], r[3], Wd[3], d[3], F[3];
    slipi_load(n->u, run->d, a, u);
    slipi_load(run->r, run->d, a, r);
    slipi_load(n->Wd, run->d, a, Wd);
    slipi_load(n->d, run->d, a, d);
    for (int k = 0; k < 3; k++) {
      u[k] += t * Wd[k];
      r[k] += t * d[k];
    }
    SlipiLaw law = run->law[a];
    if (law.kind == SLIPI_ROLLING)
      law = slipi_rolling_under(law, normal);
    normal = r[0];
    slipi_nonsmooth(n->kind, &law, n->rho[a], u, r, F, NULL, NULL);
    weigh(n->kind, &run->law[a], F, NULL, NULL);
    for (int32_t k = 0; k < run->d; k++)
      sum += F[k] * F[k];
  }
  return 0.5 * sum;
}

/* d = -J^-1 F, with something on the diagonal where J is singular; *found is false where nothing
 * helps (F or J is not finite). */
static SlipStatus direction(SlipiRun *run, Nsn *n, bool *found, SlipError *error) {
  double rcond, regular = n->regular;
  *found = false;
  for (int32_t k = 0; k < run->m; k++)
    n->F[k] = -n->F[k];
  if (regular < LEAST_REGULAR)
    regular = 0;
  while (!*found && regular <= MOST_REGULAR) {
    SlipStatus status =
        slipi_newton_factor(&n->newton, n->Phi_ru, n->Phi_rr, n->K, regular, &rcond, error);
    if (status == SLIP_OK && rcond > SINGULAR) {
      status = slipi_newton_solve(&n->newton, n->F, n->d, error);
      double most = n->kind == SLIPI_NONSMOOTH_FB ? TOO_LONG_FB : TOO_LONG;
      *found = slipi_norm(n->d, run->m) <= most * slipi_norm(n->F, run->m); /* NaN: no */
    }
    if (status != SLIP_OK)
      return status;
    n->regular = regular;
    regular = fmax(100 * regular, LEAST_REGULAR);
  }
  return SLIP_OK;
}

/* u = W r + q */
static SlipStatus update_velocity(SlipiRun *run, Nsn *n, SlipError *error) {
  return slipi_operator_contact_velocity(run->op, run->r, run->q, n->u, error);
}

/* r after some iterations of eg-vi-upk, or fewer where those solve the problem. */
static SlipStatus go_first(SlipiRun *run, Nsn *n, SlipError *error) {
  size_t bytes = (size_t)run->m * sizeof *run->r;
  memcpy(n->first.q, run->q, bytes);
  memcpy(n->first.run.r, run->r, bytes);
  memcpy(n->first.law, run->law, (size_t)run->nc * sizeof *run->law);
  n->first.shift = slipi_operator_shift(run->op);
  n->first.run.laws_changed = true;
  SlipStatus status =
      slipi_inner_solve(&n->first, run, fmin(1, run->tol / run->error), n->turn, error);
  if (status == SLIP_OK)
    memcpy(run->r, n->first.run.r, bytes);
  n->turn = fmin(2 * n->turn, TURN_MOST);
  return status;
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Nsn *n = run->state;
  SlipStatus status = SLIP_OK;
  if (run->laws_changed || n->factor)
    status = prepare(run, n, error);
  if (status == SLIP_OK)
    set_size(run, n);
  n->turn = run->options[OPTION_FIRST];
  if (status == SLIP_OK && n->turn > 0)
    status = go_first(run, n, error);
  n->regular = 0;
  n->weight = 0;
  n->best = INFINITY;
  n->idle = 0;
  return status == SLIP_OK ? update_velocity(run, n, error) : status;
}

/* Newton's steps without a line search may go round and round: where they do, eg-vi-upk leads to
 * another point, with twice as many iterations each time. */
static SlipStatus go_again(SlipiRun *run, Nsn *n, SlipError *error) {
  if (run->options[OPTION_FIRST] == 0 || run->options[OPTION_AGAIN] == 0)
    return SLIP_OK;
  n->idle = run->error <= n->best / 2 ? 0 : n->idle + 1;
  n->best = n->idle == 0 ? run->error : n->best;
  if (n->idle < run->options[OPTION_AGAIN])
    return SLIP_OK;
  SlipStatus status = go_first(run, n, error);
  n->regular = 0;
  n->weight = 0;
  n->best = INFINITY;
  n->idle = 0;
  return status == SLIP_OK ? update_velocity(run, n, error) : status;
}

/* The merit a step must bring us below: the mean of this one and those before, each of which
 * counts less than the next. */
static double reference(Nsn *n, double merit) {
  double kept = (1 - 1 / n->memory) * n->weight;
  n->weight = kept + 1;
  n->mean = kept > 0 ? (kept * n->mean + merit) / n->weight : merit;
  return fmax(n->mean, merit);
}

/* Where no diagonal gives a step that the line search leaves long, the merit is least without being
 * 0. Then one step is taken whatever it brings, and the mean begins anew after it. */
static bool is_stuck(Nsn *n) {
  if (n->search.kind == SLIPI_SEARCH_NONE || n->regular <= MOST_REGULAR)
    return false;
  n->regular = n->weight = 0;
  return true;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Nsn *n = run->state;
  SlipStatus again = go_again(run, n, error);
  if (again != SLIP_OK)
    return again;
  bool found, stuck = is_stuck(n);
  if (n->factor && run->iteration > 1)
    adapt(run, n);
  double merit = linearise(run, n), t = 1;
  SlipStatus status = direction(run, n, &found, error);
  if (status != SLIP_OK)
    return status;
  if (!found) {
    run->cheap_error = 0; /* nothing changes any more */
    return SLIP_OK;
  }
  if (n->search.kind != SLIPI_SEARCH_NONE) {
    SlipiSearchStart from = {merit, -2 * merit, stuck ? INFINITY : reference(n, merit)};
    status = slipi_operator_apply(run->op, n->d, n->Wd, error);
    t = slipi_line_search(&n->search, along, run, &from);
  }
  double change = 0, size = 0;
  for (int32_t k = 0; k < run->m; k++) {
    change += t * n->d[k] * t * n->d[k];
    run->r[k] += t * n->d[k];
    size += run->r[k] * run->r[k];
  }
  n->regular = t < SHORT_STEP ? fmax(100 * n->regular, LEAST_REGULAR) : 0.01 * n->regular;
  run->cheap_error = sqrt(size > 0 ? change / size : change); /* (132) */
  return status == SLIP_OK ? update_velocity(run, n, error) : status;
}

/* ---- The methods ---- */

#define CREATE(ID, KIND, SEARCH)                                                                   \
  static SlipStatus create_##ID(SlipiRun *run, SlipError *error) {                                 \
    return create(run, SLIPI_NONSMOOTH_##KIND, SLIPI_SEARCH_##SEARCH, error);                      \
  }
#define CREATE_THREE(ID, KIND)                                                                     \
  CREATE(ID, KIND, NONE) CREATE(ID##_gp, KIND, GOLDSTEIN_PRICE) CREATE(ID##_a, KIND, ARMIJO)

CREATE_THREE(ac, AC)
CREATE_THREE(jm, JM)
CREATE_THREE(nm, NAT)
CREATE_THREE(fb, FB)
CREATE(hsw, HSW, GOLDSTEIN_PRICE)
CREATE(xsw, XSW, GOLDSTEIN_PRICE)

/* Contacts that roll are coupled in the operator's own system only. */
static SlipiLawSet laws_of(const double *values) {
  bool own = values[OPTION_FORM] == 0 && values[OPTION_LINEAR] == 0;
  return own ? SLIPI_LAWS_ALL : SLIPI_LAWS_OF_A_BLOCK;
}

#define NSN_FIELDS(ID, NAME, SUMMARY, ...)                                                         \
  .laws = SLIPI_LAWS_ALL, .laws_of = laws_of,                                                      \
  .info = {.name = "nsn-" NAME,                                                                    \
           .family = "nonsmooth Newton",                                                           \
           .summary = "Newton on " SUMMARY,                                                        \
           __VA_ARGS__},                                                                           \
  .evaluate_each = true, .patience = 100, .create = create_##ID, .start = start, .step = step,     \
  .destroy = destroy
#define NSN(ID, NAME, SUMMARY, ...)                                                                \
  { NSN_FIELDS(ID, NAME, SUMMARY, __VA_ARGS__) }
#define NSN_GP(ID, NAME, SUMMARY, ...)                                                             \
  NSN(ID, NAME, SUMMARY " with Goldstein-Price's line search", SLIPI_OPTIONS(search_options),      \
      __VA_ARGS__)
#define NSN_THREE(ID, NAME, SUMMARY)                                                               \
  NSN(ID, NAME, SUMMARY, SLIPI_OPTIONS(plain_options)),                                            \
      NSN_GP(ID##_gp, NAME "-gp", SUMMARY, .preset = NULL),                                        \
      NSN(ID##_a, NAME "-a", SUMMARY " with Armijo's line search", SLIPI_OPTIONS(search_options))

static const SlipiMethod methods[] = {
    NSN_THREE(ac, "ac", "Alart-Curnier's equations (eq. 63)"),
    NSN_THREE(jm, "jm", "Jean-Moreau's equations (eq. 61)"),
    NSN_THREE(nm, "nm", "the natural map (eq. 51)"),
    NSN_THREE(fb, "fb", "Fischer-Burmeister's equations (eq. 79)"),
    NSN_GP(hsw, "hsw", "Hueber-Stadler-Wohlmuth's equations (eq. 66)", .preset = NULL),
    /* in two dimensions (eq. 65) has three equations for two unknowns */
    {NSN_FIELDS(xsw, "xsw",
                "Xuewen-Soh-Wanji's equations (eq. 65) with Goldstein-Price's line search",
                SLIPI_OPTIONS(search_options), SLIPI_PRESET({"first", "100"})),
     .components = SLIPI_COMPONENTS_3},
    NSN(ac, "ac-hybrid", "Alart-Curnier's equations (eq. 63), after 100 iterations of eg-vi-upk",
        SLIPI_OPTIONS(plain_options), SLIPI_PRESET({"first", "100"})),
};

const SlipiFamily slipi_family_nsn = SLIPI_FAMILY(methods);
