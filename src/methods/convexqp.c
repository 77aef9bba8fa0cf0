/* Convex quadratic programs (Acary, Brémond, Huber 2018, eq. 127): min f(r) = r'Wr/2 + q'r over r
 * in K, W symmetric, by projected gradients. As methods they solve the convex relaxation (section
 * 7.4 there, g off); other methods use them for their convex subproblems.
 *
 *   convexqp-pg  Armijo projected gradient (Algorithm 9; its M is W, its trial step rho0 l^i)
 *   spg          spectral projected gradient: Barzilai-Borwein step, line search of Grippo,
 *                Lampariello and Lucidi (Tasora et al., compliant contact model, section 10.1)
 *   apgd         Nesterov's acceleration with restart
 *
 * f is quadratic, so with s a move and W s at hand all values of f along it are known: an iteration
 * multiplies by W once, trials of the step apart. Differences of f are computed as G's + s'Ws/2,
 * which does not cancel near the solution.
 */
#include "methods/method.h"

#include <string.h>

#include "linalg/vector.h"
#include "methods/common_projected.h"

enum { OPTION_METRIC };

static const SlipOptionInfo options[] = {
    {"metric", SLIP_OPTION_CHOICE, "uniform", 0, 0, slipi_metrics,
     "one step for all contacts, or one for each by its block of W"},
};

/* G follows the moves; it is computed afresh so often. */
enum { REFRESH = 50 };

/* Armijo: sigma and l of Algorithm 9. */
static const double SIGMA = 1e-4, SHORTER = 0.5;
enum { TRIALS = 60 };

/* Spectral steps are kept in these bounds; the line search looks back over MEMORY values of f. */
static const double SPECTRAL_LEAST = 1e-10, SPECTRAL_MOST = 1e10;
enum { MEMORY = 10 };

typedef struct Quadratic {
  double rho;    /* step in units of D */
  double shift;  /* of the operator D is for */
  double *D;     /* nc */
  double *G;     /* W r + q */
  double *s;     /* the move */
  double *Ws;    /* W s */
  double *r_old; /* before the move */
  /* spg */
  double f[MEMORY]; /* last values, from the first on */
  int values;
  /* apgd */
  double theta;
  double *y, *Gy; /* the extrapolated point and the gradient there */
  double *G_old;
} Quadratic;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Quadratic *s = SLIPI_ARENA_NEW(run->arena, Quadratic, 1);
  double *D = SLIPI_ARENA_NEW(run->arena, double, run->nc);
  double *room = SLIPI_ARENA_NEW(run->arena, double, 7 * (int64_t)run->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the projected gradient method");
  *s = (Quadratic){.shift = NAN, .D = D, .G = room};
  s->s = s->G + run->m;
  s->Ws = s->s + run->m;
  s->r_old = s->Ws + run->m;
  s->y = s->r_old + run->m;
  s->Gy = s->y + run->m;
  s->G_old = s->Gy + run->m;
  run->state = s;
  return SLIP_OK;
}

static void copy(const SlipiRun *run, double *to, const double *from) {
  memcpy(to, from, (size_t)run->m * sizeof *to);
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Quadratic *s = run->state;
  SlipStatus status = SLIP_OK;
  if (s->shift != slipi_operator_shift(run->op)) { /* NaN at first */
    status =
        slipi_projected_metric(run, (int)run->options[OPTION_METRIC], s->D, s->s, s->Ws, error);
    s->shift = slipi_operator_shift(run->op);
  }
  /* Begin in K: a warm start need not be. */
  memset(s->s, 0, (size_t)run->m * sizeof *s->s);
  if (status == SLIP_OK)
    slipi_projected_step(run, s->D, 0, s->s, run->r, run->r);
  if (status == SLIP_OK)
    status = slipi_projected_gradient(run, run->r, s->G, error);
  s->rho = 1;
  s->values = 0;
  s->theta = 1;
  copy(run, s->y, run->r);
  copy(run, s->Gy, s->G);
  return status;
}

/* s = P_K(from - rho D gradient) - from. */
static void aim(const SlipiRun *run, Quadratic *s, const double *from, const double *gradient) {
  slipi_projected_step(run, s->D, s->rho, gradient, from, s->s);
  for (int32_t k = 0; k < run->m; k++)
    s->s[k] -= from[k];
}

static double dot(const SlipiRun *run, const double *x, const double *y) {
  return slipi_dot(x, y, run->m);
}

/* r += t s and G with it. */
static SlipStatus move(SlipiRun *run, Quadratic *s, double t, SlipError *error) {
  copy(run, s->r_old, run->r);
  for (int32_t k = 0; k < run->m; k++) {
    run->r[k] += t * s->s[k];
    s->G[k] += t * s->Ws[k];
  }
  run->cheap_error = slipi_projected_change(run, s->r_old);
  return run->iteration % REFRESH == 0 ? slipi_projected_gradient(run, run->r, s->G, error)
                                       : SLIP_OK;
}

/* ---- Armijo ------------------------------------------------------------------------------ */

static SlipStatus armijo_step(SlipiRun *run, SlipError *error) {
  Quadratic *s = run->state;
  int trial = 0;
  for (;; trial++) {
    aim(run, s, run->r, s->G);
    SlipStatus status = slipi_operator_apply(run->op, s->s, s->Ws, error);
    if (status != SLIP_OK)
      return status;
    /* f(r + s) - f(r) <= sigma G's. As G's <= -|s|^2/rho, the second test says the same without
     * the rounding of G's, which near the solution is larger than itself. */
    double curvature = dot(run, s->s, s->Ws);
    if ((1 - SIGMA) * dot(run, s->G, s->s) + 0.5 * curvature <= 0 ||
        s->rho * curvature <= 2 * (1 - SIGMA) * slipi_projected_square(run, s->D, s->s) ||
        trial == TRIALS)
      break;
    s->rho *= SHORTER;
  }
  SlipStatus status = move(run, s, 1, error);
  if (trial == 0) /* rho0 of the next iteration: no step is too short for ever */
    s->rho = fmin(s->rho / SHORTER, SPECTRAL_MOST);
  return status;
}

/* ---- Spectral ---------------------------------------------------------------------------- */

/* The longest t <= 1 of the line search that f, relative to where it is now, allows: below the
 * largest of the last values, less Armijo's share. */
static double spectral_length(const Quadratic *s, double slope, double curvature) {
  double largest = 0, t = 1; /* values in s->f are relative to the current one */
  for (int k = 0; k < s->values; k++)
    largest = fmax(largest, s->f[k]);
  for (int trial = 0; trial < TRIALS; trial++) {
    if (t * slope + 0.5 * t * t * curvature <= largest + SIGMA * t * slope)
      return t;
    /* the minimum of f along s, if that is a fair share */
    double best = curvature > 0 ? -slope / curvature : 0;
    t = best >= 0.1 * t && best <= 0.9 * t ? best : 0.5 * t;
  }
  return t;
}

/* Remember the value before a change of f, all relative to the new value. */
static void remember(Quadratic *s, double change) {
  int kept = s->values < MEMORY - 1 ? s->values : MEMORY - 1;
  memmove(s->f + 1, s->f, (size_t)kept * sizeof *s->f);
  s->f[0] = 0;
  s->values = kept + 1;
  for (int k = 0; k < s->values; k++)
    s->f[k] -= change;
}

static SlipStatus spectral_step(SlipiRun *run, SlipError *error) {
  Quadratic *s = run->state;
  aim(run, s, run->r, s->G);
  SlipStatus status = slipi_operator_apply(run->op, s->s, s->Ws, error);
  if (status != SLIP_OK)
    return status;
  double size = slipi_projected_square(run, s->D, s->s);
  /* G's <= -|s|^2/rho but for rounding */
  double slope = fmin(dot(run, s->G, s->s), -size / s->rho), curvature = dot(run, s->s, s->Ws);
  double t = spectral_length(s, slope, curvature);
  remember(s, t * slope + 0.5 * t * t * curvature);
  /* Barzilai-Borwein s's/s'Ws in the metric of D */
  s->rho =
      curvature > 0 ? fmin(fmax(size / curvature, SPECTRAL_LEAST), SPECTRAL_MOST) : SPECTRAL_MOST;
  return move(run, s, t, error);
}

/* ---- Accelerated ------------------------------------------------------------------------- */

/* r' = P_K(y - rho D Gy) with rho short enough for the quadratic model to be above f. */
static SlipStatus accelerated_trial(SlipiRun *run, Quadratic *s, SlipError *error) {
  for (int trial = 0; trial < TRIALS; trial++) {
    aim(run, s, s->y, s->Gy);
    SlipStatus status = slipi_operator_apply(run->op, s->s, s->Ws, error);
    if (status != SLIP_OK)
      return status;
    if (s->rho * dot(run, s->s, s->Ws) <= slipi_projected_square(run, s->D, s->s))
      break;
    s->rho *= SHORTER;
  }
  return SLIP_OK;
}

static SlipStatus accelerated_step(SlipiRun *run, SlipError *error) {
  Quadratic *s = run->state;
  SlipStatus status = accelerated_trial(run, s, error);
  if (status != SLIP_OK)
    return status;
  copy(run, s->r_old, run->r);
  copy(run, s->G_old, s->G);
  double along = 0; /* Gy'(r' - r) > 0: the momentum points uphill */
  for (int32_t k = 0; k < run->m; k++) {
    run->r[k] = s->y[k] + s->s[k];
    s->G[k] = s->Gy[k] + s->Ws[k];
    along += s->Gy[k] * (run->r[k] - s->r_old[k]);
  }
  /* Both: the recurrence of y would take the difference between a fresh and a stale one up. */
  if (run->iteration % REFRESH == 0) {
    status = slipi_projected_gradient(run, run->r, s->G, error);
    if (status == SLIP_OK)
      status = slipi_projected_gradient(run, s->r_old, s->G_old, error);
  }
  double theta = s->theta, square = theta * theta;
  double next = 0.5 * (-square + theta * sqrt(square + 4));
  double beta = along > 0 ? 0 : theta * (1 - theta) / (square + next);
  s->theta = along > 0 ? 1 : next;
  for (int32_t k = 0; k < run->m; k++) { /* W is linear: no multiplication for Gy */
    s->y[k] = run->r[k] + beta * (run->r[k] - s->r_old[k]);
    s->Gy[k] = s->G[k] + beta * (s->G[k] - s->G_old[k]);
  }
  s->rho = fmin(s->rho / 0.95, SPECTRAL_MOST);
  run->cheap_error = slipi_projected_change(run, s->r_old);
  return status;
}

#define CONVEXQP(NAME, SUMMARY, STEP)                                                              \
  {                                                                                                \
    .info = {.name = (NAME),                                                                       \
             .family = "convex",                                                                   \
             .summary = (SUMMARY),                                                                 \
             SLIPI_OPTIONS(options),                                                               \
             .associated = 1},                                                                     \
    .needs = SLIPI_NEED_SYMMETRIC, .create = create, .start = start, .step = (STEP)                \
  }

static const SlipiMethod methods[] = {
    CONVEXQP("convexqp-pg", "convex relaxation (g off) by projected gradient (Algorithm 9)",
             armijo_step),
    CONVEXQP("spg", "convex relaxation (g off) by spectral projected gradient", spectral_step),
    CONVEXQP("apgd", "convex relaxation (g off) by accelerated projected gradient",
             accelerated_step),
    CONVEXQP("soclcp-convexqp-pg", "the same as convexqp-pg", armijo_step),
    CONVEXQP("soclcp-spg", "the same as spg", spectral_step),
    CONVEXQP("soclcp-apgd", "the same as apgd", accelerated_step),
};

const SlipiFamily slipi_family_convexqp = SLIPI_FAMILY(methods);
