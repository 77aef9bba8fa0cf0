/* Proximal point method with a semismooth Newton method inside (the augmented Lagrangian of
 * Alart and Curnier, made strongly monotone). Each proximal problem
 *
 *     u = W r + q + alpha (r - r_k),   F_AC(u, r) = 0                               (62)
 *
 * gets a few full Newton steps, without a line search: |F| may rise across the kinks of F_AC,
 * and steps cut short there are what keeps Newton's method from its solution. Where the steps do
 * not bring |F| down far enough, the next problem begins at the best of their points, with a
 * larger alpha; alpha falls while the problems are easy. At alpha = 0 this is Newton on (62)
 * itself. One iteration is one Newton step, that is one factorisation. Everything is in the units
 * of contact/scaled.h.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/nonsmooth.h"
#include "contact/rolling.h"
#include "contact/system.h"
#include "linalg/dense3.h"

enum { OPTION_ALPHA, OPTION_RHO, OPTION_PATIENCE, OPTION_INNER };

static const SlipOptionInfo options[] = {
    {"alpha", SLIP_OPTION_REAL, "0", 0, 1e6, NULL,
     "first proximal weight, relative to W's diagonal; 0: 0.01, or 1e-4 near a solution"},
    {"rho", SLIP_OPTION_REAL, "1", 1e-6, 1e6, NULL,
     "step of the Alart-Curnier function, relative to W's diagonal"},
    {"patience", SLIP_OPTION_INT, "1000", 1, 1e9, NULL,
     "iterations in which the error must fall to a third, or the method gives up"},
    {"inner", SLIP_OPTION_INT, "7", 1, 1e6, NULL, "most Newton steps on one proximal problem"},
};

static const double NEAR = 1e-4; /* an error from which on a point counts as near a solution */
static const double ALPHA_FAR = 1e-2, ALPHA_NEAR = 1e-4;
static const double ALPHA_LEAST = 1e-12, ALPHA_MOST = 1e4;
/* alpha after a problem solved in EASY steps, in more, and after one not solved. */
static const double FALL_EASY = 0.1, FALL_SOLVED = 0.3, RISE = 3;
enum { EASY = 3 };
/* It falls by less after each problem not solved, and by more again after each that is: the factor
 * to these powers. Where smaller ones cannot be solved anyway most steps would go into trying. */
static const double WARIER = 0.5, BOLDER = 1.5, FALL_MOST = 0.95;
/* A proximal problem is solved when |F| is down to a share of its first value: less and less while
 * solving it so loosely brings nothing. */
static const double SHARE_MOST = 0.1, SHARE_LEAST = 1e-3, TIGHTER = 0.3, LOOSER = 2;
static const double DIVERGED = 1e10; /* growth of |F| */
static const double FALL = 0.3;      /* of the error, that patience waits for */

typedef struct Alm {
  SlipiScaled *scaled;
  SlipiSystem *system; /* the operator's */
  SlipiSteps rho;
  double alpha, share;
  double fall;               /* the last factor of alpha */
  double *r, *r_k, *r_best;  /* m; r_best: of this proximal problem */
  double *u, *F, *d;         /* m */
  double *Phi_ru, *Phi_rr;   /* 9 a contact; newton_step adds alpha Phi_ru to the second */
  double *K;                 /* the same, of contacts that roll; NULL: none does */
  double f, f_first, f_best; /* |F| at r, r_k and r_best */
  int inner;                 /* steps on this proximal problem */
  int64_t taken;             /* steps since the start */
  int64_t marked;            /* step at which the error had last fallen to a third */
  double mark, best;         /* that error, and the least */
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
  double **vectors[] = {&s->r, &s->r_k, &s->r_best, &s->u, &s->F, &s->d};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, m);
  s->Phi_ru = SLIPI_ARENA_NEW(run->arena, double, 3 * m);
  s->Phi_rr = SLIPI_ARENA_NEW(run->arena, double, 3 * m);
  if (slipi_rolling_has(run->law, run->nc))
    s->K = SLIPI_ARENA_NEW(run->arena, double, 3 * m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the proximal Newton method");
  status = slipi_system_of(run->op, &s->system, error);
  if (status == SLIP_OK)
    run->work = slipi_system_work(s->system);
  return status;
}

/* At r: u of the proximal problem, F with its derivatives, |F|; keep the best point. */
static void evaluate(Alm *s) {
  const SlipiScaled *scaled = s->scaled;
  double square = 0;
  slipi_scaled_velocity(scaled, s->r, s->u);
  for (int32_t k = 0; k < scaled->m; k++)
    s->u[k] += s->alpha * (s->r[k] - s->r_k[k]);
  for (int32_t c = 0; c < scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    SlipiLaw room;
    const SlipiLaw *law = slipi_law_at(scaled->law, 3, c, s->r, &room);
    slipi_nonsmooth(SLIPI_NONSMOOTH_AC, law, s->rho, s->u + at, s->r + at, s->F + at,
                    s->Phi_ru + 3 * at, s->Phi_rr + 3 * at);
    if (law->kind == SLIPI_ROLLING)
      slipi_rolling_slope(law, s->rho.normal, s->u + at, s->r + at, s->K + 3 * at);
    square += slipi_dense3_dot(s->F + at, s->F + at);
  }
  s->f = sqrt(square);
  if (s->f < s->f_best) {
    s->f_best = s->f;
    memcpy(s->r_best, s->r, (size_t)scaled->m * sizeof *s->r);
  }
}

/* r - J^-1 F in place of r, J = Phi_ru (W + alpha I) + Phi_rr (156); *moved is false where J is
 * singular or the step not finite. */
static SlipStatus newton_step(Alm *s, bool *moved, SlipError *error) {
  int sign;
  double sum = 0;
  *moved = false;
  for (int64_t k = 0; k < 3 * (int64_t)s->scaled->m; k++)
    s->Phi_rr[k] += s->alpha * s->Phi_ru[k];
  SlipStatus status =
      slipi_system_factor_coupled(s->system, s->scaled, s->Phi_ru, s->Phi_rr, s->K, &sign, error);
  if (status != SLIP_OK || sign == 0)
    return status;
  status = slipi_system_solve(s->system, s->F, s->d, error);
  for (int32_t k = 0; k < s->scaled->m; k++)
    sum += s->d[k] * 0; /* 0, or not a number */
  *moved = sum == 0;
  for (int32_t k = 0; *moved && k < s->scaled->m; k++)
    s->r[k] -= s->d[k];
  return status;
}

/* A new proximal problem around r, where alpha's term is 0: |F| is that of the problem itself. */
static void begin(Alm *s) {
  memcpy(s->r_k, s->r, (size_t)s->scaled->m * sizeof *s->r);
  s->inner = 0;
  s->f_best = INFINITY;
  evaluate(s);
  s->f_first = s->f;
}

/* The next proximal problem from the best point of this one, with alpha by how hard it was. */
static void proceed(Alm *s, bool solved) {
  double before = s->f_first;
  s->fall = solved ? fmax(pow(s->fall, BOLDER), s->inner <= EASY ? FALL_EASY : FALL_SOLVED)
                   : fmin(pow(s->fall, WARIER), FALL_MOST);
  s->alpha = fmin(fmax(s->alpha * (solved ? s->fall : RISE), ALPHA_LEAST), ALPHA_MOST);
  memcpy(s->r, s->r_best, (size_t)s->scaled->m * sizeof *s->r);
  begin(s);
  s->share = s->f_first > before ? fmax(TIGHTER * s->share, SHARE_LEAST)
                                 : fmin(LOOSER * s->share, SHARE_MOST);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Alm *s = run->state;
  bool near = run->error <= NEAR;
  double alpha = run->options[OPTION_ALPHA], rho = run->options[OPTION_RHO];
  SlipStatus status = slipi_scaled_set(s->scaled, run->law, run->q, run->laws_changed, error);
  if (status != SLIP_OK)
    return status;
  s->alpha = alpha > 0 ? alpha : near ? ALPHA_NEAR : ALPHA_FAR;
  s->share = SHARE_MOST;
  s->fall = FALL_EASY;
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
  bool moved;
  s->best = fmin(s->best, run->error);
  run->cheap_error = INFINITY;
  if (impatient(run, s)) {
    run->given_up = "the error no longer falls";
    return SLIP_OK;
  }
  SlipStatus status = newton_step(s, &moved, error);
  if (status != SLIP_OK)
    return status;
  run->work = slipi_system_work(s->system);
  s->taken++;
  s->inner++;
  if (moved)
    evaluate(s);
  bool solved = moved && s->f <= s->share * s->f_first;
  bool lost = !moved || !(s->f <= DIVERGED * s->f_first);
  if (solved || lost || s->inner >= (int)run->options[OPTION_INNER])
    proceed(s, solved);
  slipi_scaled_back(s->scaled, s->r, run->r);
  return SLIP_OK;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "alm",
              .family = "newton",
              .summary = "proximal point with a semismooth Newton method on Alart-Curnier inside",
              SLIPI_OPTIONS(options)},
     .laws = SLIPI_LAWS_ALL,
     .patience = 1000,
     .create = create,
     .start = start,
     .step = step},
};

const SlipiFamily slipi_family_alm = SLIPI_FAMILY(methods);
