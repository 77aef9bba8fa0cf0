/* Proximal point method with a semismooth Newton method inside (the augmented Lagrangian of
 * Alart and Curnier, made strongly monotone). Each proximal problem
 *
 *     u = W r + q + alpha (r - r_k),   F_AC(u, r) = 0                               (62)
 *
 * is solved, to a tolerance proportional to the move alpha |r - r_k|, by Newton steps with a
 * non-monotone line search on |F|. alpha falls while the inner problems are easy and rises when
 * one fails; at alpha = 0 this is Newton on (62) itself. One iteration is one Newton step, that
 * is one factorisation. Everything is in the units of contact/scaled.h.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/nonsmooth.h"
#include "contact/system.h"
#include "linalg/dense3.h"

enum { OPTION_ALPHA, OPTION_RHO, OPTION_PATIENCE, OPTION_INNER };

static const SlipOptionInfo options[] = {
    {"alpha", SLIP_OPTION_REAL, "0", 0, 1e6, NULL,
     "first proximal weight, relative to W's diagonal; 0: 0.1, or 1e-4 near a solution"},
    {"rho", SLIP_OPTION_REAL, "0", 0, 1e6, NULL,
     "step of the Alart-Curnier function, relative to W's diagonal; 0: 1, or 100 near a solution"},
    {"patience", SLIP_OPTION_INT, "60", 1, 1e9, NULL,
     "iterations in which the error must fall to a third, or the method gives up"},
    {"inner", SLIP_OPTION_INT, "20", 1, 1e6, NULL, "most Newton steps on one proximal problem"},
};

static const double NEAR = 1e-4; /* an error from which on a point counts as near a solution */
static const double ALPHA_LEAST = 1e-12, ALPHA_MOST = 1e4;
static const double STEP_LEAST = 1e-2; /* of the line search */
static const double FALL = 0.3;        /* of the error, that patience waits for */
enum { HISTORY = 5, STILL = 10 };      /* of |F|: values compared, steps without a 10% fall */

typedef struct Alm {
  SlipiScaled *scaled;
  SlipiSystem *system; /* the operator's */
  SlipiSteps rho;
  double alpha;
  double *r, *r_k, *u, *F;   /* m */
  double *d, *trial, *minus; /* m */
  double *Phi_ru, *Phi_rr;   /* 9 a contact; direction adds alpha Phi_ru to the second */
  double f;                  /* |F| */
  double history[HISTORY], best_f;
  int seen;          /* values of history, at least */
  int inner, still;  /* steps on this proximal problem; without a fall of |F| */
  int64_t taken;     /* steps since the start */
  int64_t marked;    /* step at which the error was last a third of what it had been */
  double mark, best; /* that error, and the least */
} Alm;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Alm *s = SLIPI_ARENA_NEW(run->arena, Alm, 1);
  if (!s)
    return slipi_fail_memory(error, "the proximal Newton method");
  run->state = s;
  SlipStatus status = slipi_scaled_create(run->op, false, run->arena, &s->scaled, error);
  if (status != SLIP_OK)
    return status;
  int64_t m = s->scaled->m;
  double **vectors[] = {&s->r, &s->r_k, &s->u, &s->F, &s->d, &s->trial, &s->minus};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, m);
  s->Phi_ru = SLIPI_ARENA_NEW(run->arena, double, 3 * m);
  s->Phi_rr = SLIPI_ARENA_NEW(run->arena, double, 3 * m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the proximal Newton method");
  status = slipi_system_of(run->op, &s->system, error);
  if (status == SLIP_OK)
    run->work = slipi_system_work(s->system);
  return status;
}

/* u of the proximal problem and F at r; returns |F|. With derivatives: Phi_ru and Phi_rr too. */
static double evaluate(Alm *s, const double *r, bool derivatives) {
  const SlipiScaled *scaled = s->scaled;
  double square = 0;
  slipi_scaled_velocity(scaled, r, s->u);
  for (int32_t k = 0; k < scaled->m; k++)
    s->u[k] += s->alpha * (r[k] - s->r_k[k]);
  for (int32_t c = 0; c < scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    slipi_nonsmooth(SLIPI_NONSMOOTH_AC, &scaled->law[c], s->rho, s->u + at, r + at, s->F + at,
                    derivatives ? s->Phi_ru + 3 * at : NULL,
                    derivatives ? s->Phi_rr + 3 * at : NULL);
    square += slipi_dense3_dot(s->F + at, s->F + at);
  }
  return sqrt(square);
}

/* d = -J^-1 F with J = Phi_ru (W + alpha I) + Phi_rr (156); *found is false where J is singular or
 * d not finite. */
static SlipStatus direction(Alm *s, bool *found, SlipError *error) {
  int sign;
  double sum = 0;
  *found = false;
  for (int64_t k = 0; k < 3 * (int64_t)s->scaled->m; k++)
    s->Phi_rr[k] += s->alpha * s->Phi_ru[k];
  SlipStatus status = slipi_system_factor(s->system, s->scaled, s->Phi_ru, s->Phi_rr, &sign, error);
  if (status != SLIP_OK || sign == 0)
    return status;
  for (int32_t k = 0; k < s->scaled->m; k++)
    s->minus[k] = -s->F[k];
  status = slipi_system_solve(s->system, s->minus, s->d, error);
  for (int32_t k = 0; k < s->scaled->m; k++)
    sum += s->d[k] * 0; /* 0, or not a number */
  *found = sum == 0;
  return status;
}

/* Halve the step until |F| falls below the largest of the last few; false where none does. */
static bool search(Alm *s) {
  double most = 0;
  for (int k = 0; k < HISTORY && k < s->seen; k++)
    most = fmax(most, s->history[k]);
  double t = 1;
  while (t > STEP_LEAST) {
    for (int32_t k = 0; k < s->scaled->m; k++)
      s->trial[k] = s->r[k] + t * s->d[k];
    if (evaluate(s, s->trial, false) <= (1 - 1e-4 * t) * most)
      return true;
    t /= 2;
  }
  return false;
}

/* Take r as it is: |F|, its derivatives and its history. */
static void take(Alm *s) {
  s->f = evaluate(s, s->r, true);
  s->history[s->seen++ % HISTORY] = s->f;
  s->still = s->f < 0.9 * s->best_f ? 0 : s->still + 1;
  s->best_f = fmin(s->best_f, s->f);
}

/* A new proximal problem around r. */
static void begin(Alm *s) {
  memcpy(s->r_k, s->r, (size_t)s->scaled->m * sizeof *s->r);
  s->seen = s->inner = 0;
  s->best_f = INFINITY;
  take(s);
}

static bool inner_solved(const Alm *s) {
  double moved = 0;
  for (int32_t k = 0; k < s->scaled->m; k++)
    moved += (s->r[k] - s->r_k[k]) * (s->r[k] - s->r_k[k]);
  return s->f <= fmax(0.1 * s->alpha * sqrt(moved), 1e-15 * sqrt(s->scaled->m));
}

/* The next proximal problem, with alpha by how hard this one was. */
static void proceed(Alm *s) {
  double factor = s->inner <= 3 ? 0.1 : s->inner <= 6 ? 0.5 : s->inner > 12 ? 2 : 1;
  s->alpha = fmin(fmax(s->alpha * factor, ALPHA_LEAST), ALPHA_MOST);
  begin(s);
}

/* Back to where this proximal problem began, with more weight on staying there. */
static void retreat(Alm *s) {
  s->alpha = fmin(10 * s->alpha, ALPHA_MOST);
  memcpy(s->r, s->r_k, (size_t)s->scaled->m * sizeof *s->r);
  begin(s);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  (void)error;
  Alm *s = run->state;
  bool near = run->error <= NEAR;
  double alpha = run->options[OPTION_ALPHA], rho = run->options[OPTION_RHO];
  slipi_scaled_set(s->scaled, run->law, run->q, run->laws_changed);
  s->alpha = alpha > 0 ? alpha : near ? 1e-4 : 0.1;
  rho = rho > 0 ? rho : near ? 100 : 1;
  s->rho = (SlipiSteps){.normal = rho, .tangent = rho};
  s->taken = s->marked = 0;
  s->mark = s->best = run->error;
  slipi_scaled_to(s->scaled, run->r, s->r);
  begin(s);
  return SLIP_OK;
}

/* Whether patience has come to its end; judged between proximal problems. */
static bool impatient(SlipiRun *run, Alm *s) {
  if (s->best <= FALL * s->mark) {
    s->mark = s->best;
    s->marked = s->taken;
  }
  return s->inner == 0 && (double)(s->taken - s->marked) >= run->options[OPTION_PATIENCE];
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Alm *s = run->state;
  bool found;
  s->best = fmin(s->best, run->error);
  run->cheap = INFINITY;
  if (impatient(run, s)) {
    run->given_up = "the error no longer falls";
    return SLIP_OK;
  }
  SlipStatus status = direction(s, &found, error);
  if (status != SLIP_OK)
    return status;
  run->work = slipi_system_work(s->system);
  s->taken++;
  s->inner++;
  if (!found || !search(s)) {
    retreat(s);
    return SLIP_OK;
  }
  memcpy(s->r, s->trial, (size_t)s->scaled->m * sizeof *s->r);
  take(s);
  slipi_scaled_back(s->scaled, s->r, run->r);
  if (inner_solved(s))
    proceed(s);
  else if (s->still >= STILL || s->inner >= (int)run->options[OPTION_INNER])
    retreat(s);
  return SLIP_OK;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "alm",
              .family = "newton",
              .summary = "proximal point with a semismooth Newton method on Alart-Curnier inside",
              SLIPI_OPTIONS(options)},
     .patience = 1000,
     .create = create,
     .start = start,
     .step = step},
};

const SlipiFamily slipi_family_alm = SLIPI_FAMILY(methods);
