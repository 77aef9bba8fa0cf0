/* Alternating direction method of multipliers, over-relaxed, for the cone program whose shift
 * s = g(u) is updated as it goes (Acary, Cadoux, Lemaréchal, Malick 2011, section 6; Acary,
 * Brémond, Huber 2018, section 9). In the units of contact/scaled.h, friction folded into the
 * tangents, K the self-dual cone:
 *
 *     x = (W + rho I)^-1 (rho (z - y) - q - s)
 *     x' = alpha x + (1 - alpha) z
 *     z+ = P_K(x' + y),   y+ = y + x' - z+,   s = (|y_T| rho, 0, 0)
 *
 * At a fixed point x = z is the impulse and -rho y = W x + q + s the velocity u + g(u), whose
 * tangents are those of u. W need only be monotone: this is Douglas and Rachford's splitting. rho
 * follows the ratio of the two residuals |x - z| and rho |z+ - z| (balancing), seldom, since each
 * change is a factorisation; every iteration is two triangular solves. All is a function of
 * w = z + y, of which z = P_K(w): Anderson's acceleration of w = x' + y takes the place of every
 * tenth step.
 */
#include "methods/method.h"

#include <string.h>

#include "contact/system.h"
#include "linalg/vector.h"
#include "methods/common_anderson.h"

enum { OPTION_RHO, OPTION_RHO_RULE, OPTION_ALPHA, OPTION_ACCELERATION };

static const char *const rho_rules[] = {"fixed", "adaptive", NULL};
enum { RHO_FIXED, RHO_ADAPTIVE };
static const char *const accelerations[] = {"off", "anderson", NULL};

static const SlipOptionInfo options[] = {
    {"rho", SLIP_OPTION_REAL, "0.1", 1e-10, 1e10, NULL, "first penalty, relative to W's diagonal"},
    {"rho-rule", SLIP_OPTION_CHOICE, "adaptive", 0, 0, rho_rules,
     "rho as it is, or so that the two residuals balance"},
    {"alpha", SLIP_OPTION_REAL, "1.6", 0.1, 1.95, NULL, "relaxation; above 1 over-relaxes"},
    {"acceleration", SLIP_OPTION_CHOICE, "anderson", 0, 0, accelerations,
     "iterations as they are, or with Anderson's acceleration of every tenth"},
};

/* rho is looked at after so many iterations, then at intervals that grow by half, and changed when
 * the residuals differ by more than BALANCED, by at most RHO_STEP at once. */
enum { FIRST_LOOK = 10, LAST_LOOK = 200 };
static const double BALANCED = 5, RHO_STEP = 100, RHO_LEAST = 1e-8, RHO_MOST = 1e8;

/* Iterations from one accelerated step to the next. */
enum { PERIOD = 10 };

typedef struct Admm {
  SlipiScaled *scaled;
  SlipiSystem *system;                /* the operator's */
  double rho, factored;               /* of the next iteration, and of the factors; 0: none */
  double *B;                          /* rho I, 9 a contact */
  double *x, *y, *z, *z_before, *rhs; /* m */
  double *w, *image;                  /* m: w, and x' + y */
  SlipiAnderson anderson;
  bool accelerated;
  double primal, dual; /* residuals, relative, added up since the last look */
  int64_t next_look, interval;
} Admm;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Admm *s = SLIPI_ARENA_NEW(run->arena, Admm, 1);
  if (!s)
    return slipi_fail_memory(error, "the alternating direction method");
  run->state = s;
  SlipStatus status = slipi_scaled_create(run->op, true, run->arena, &s->scaled, error);
  if (status != SLIP_OK)
    return status;
  double **vectors[] = {&s->x, &s->y, &s->z, &s->z_before, &s->rhs, &s->w, &s->image};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, s->scaled->m);
  s->B = SLIPI_ARENA_NEW(run->arena, double, 3 * (int64_t)s->scaled->m);
  s->accelerated = run->options[OPTION_ACCELERATION] != 0;
  if (s->accelerated)
    slipi_anderson_create(&s->anderson, run->arena, s->scaled->m, s->scaled->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the alternating direction method");
  status = slipi_system_of(run->op, &s->system, error);
  if (status == SLIP_OK)
    run->work = slipi_system_work(s->system);
  return status;
}

/* From r: z = r, and y from the velocity there, u + g(u) = -rho y. */
static SlipStatus start(SlipiRun *run, SlipError *error) {
  Admm *s = run->state;
  const SlipiScaled *scaled = s->scaled;
  SlipStatus status = slipi_scaled_set(s->scaled, run->law, run->q, run->laws_changed, error);
  if (status != SLIP_OK)
    return status;
  s->rho = run->options[OPTION_RHO];
  s->factored = 0;
  s->primal = s->dual = 0;
  s->interval = FIRST_LOOK;
  s->next_look = FIRST_LOOK;
  slipi_anderson_start(&s->anderson);
  slipi_scaled_to(scaled, run->r, s->z);
  memset(s->y, 0, (size_t)scaled->m * sizeof *s->y);
  bool warm = slipi_dot(run->r, run->r, run->m) > 0;
  if (warm) {
    slipi_scaled_velocity(scaled, s->z, s->y);
    for (int32_t c = 0; c < scaled->nc; c++) {
      double *y = s->y + 3 * (int64_t)c;
      y[0] += slipi_law_g(&scaled->law[c], y);
      for (int k = 0; k < 3; k++)
        y[k] *= slipi_law_axis(&scaled->law[c], k) == SLIPI_AXIS_FREE ? 0 : -1 / s->rho;
    }
  }
  return SLIP_OK;
}

static SlipStatus factor(Admm *s, SlipError *error) {
  int sign = 0;
  for (int64_t k = 0; k < 3 * (int64_t)s->scaled->m; k++)
    s->B[k] = k % 9 % 4 == 0 ? s->rho : 0;
  SlipStatus status = slipi_system_factor(s->system, s->scaled, NULL, s->B, &sign, error);
  s->factored = sign != 0 ? s->rho : 0;
  return status;
}

/* rhs = rho (z - y) - q - s. */
static void fill_rhs(Admm *s) {
  const SlipiScaled *scaled = s->scaled;
  for (int32_t k = 0; k < scaled->m; k++)
    s->rhs[k] = s->rho * (s->z[k] - s->y[k]) - scaled->q[k];
  for (int32_t c = 0; c < scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    s->rhs[at] -= s->rho * slipi_law_g(&scaled->law[c], s->y + at);
  }
}

/* The next w. */
static void advance(const SlipiRun *run, Admm *s) {
  double alpha = run->options[OPTION_ALPHA];
  for (int32_t k = 0; k < s->scaled->m; k++) {
    s->w[k] = s->z[k] + s->y[k];
    s->image[k] = alpha * s->x[k] + (1 - alpha) * s->z[k] + s->y[k];
  }
  if (s->accelerated && run->iteration % PERIOD == 0)
    slipi_anderson_next(&s->anderson, s->w, s->image);
  else
    memcpy(s->w, s->image, (size_t)s->scaled->m * sizeof *s->w);
}

/* z+ and y+; adds the relative residuals up and returns the larger. */
static double project(Admm *s) {
  const SlipiScaled *scaled = s->scaled;
  double apart = 0, moved = 0, size = 0, force = 0;
  memcpy(s->z_before, s->z, (size_t)scaled->m * sizeof *s->z);
  for (int32_t c = 0; c < scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double *y = s->y + at, *z = s->z + at;
    const double *x = s->x + at, *before = s->z_before + at, *w = s->w + at;
    slipi_law_project(&scaled->law[c], w, z);
    for (int k = 0; k < 3; k++) {
      y[k] = w[k] - z[k];
      apart += (x[k] - z[k]) * (x[k] - z[k]);
      moved += (z[k] - before[k]) * (z[k] - before[k]);
      size += fmax(x[k] * x[k], z[k] * z[k]);
      force += y[k] * y[k];
    }
  }
  double q = slipi_norm(scaled->q, scaled->m);
  double primal = size > 0 ? sqrt(apart / size) : 0;
  double dual = s->rho * sqrt(moved) / fmax(s->rho * sqrt(force), q > 0 ? q : 1);
  s->primal += log(fmax(primal, 1e-16));
  s->dual += log(fmax(dual, 1e-16));
  return fmax(primal, dual);
}

/* Balance the residuals by their geometric means since the last look. */
static void adapt(const SlipiRun *run, Admm *s) {
  if (run->options[OPTION_RHO_RULE] == RHO_FIXED || run->iteration < s->next_look)
    return;
  double ratio = exp((s->primal - s->dual) / (double)s->interval);
  s->primal = s->dual = 0;
  s->interval = s->interval < LAST_LOOK ? s->interval * 3 / 2 : LAST_LOOK;
  s->next_look = run->iteration + s->interval;
  if (ratio <= BALANCED && ratio >= 1 / BALANCED)
    return;
  double factor = fmin(fmax(sqrt(ratio), 1 / RHO_STEP), RHO_STEP);
  double rho = fmin(fmax(s->rho * factor, RHO_LEAST), RHO_MOST);
  for (int32_t k = 0; k < s->scaled->m; k++)
    s->y[k] *= s->rho / rho;
  slipi_anderson_start(&s->anderson);
  s->rho = rho;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Admm *s = run->state;
  SlipStatus status = s->factored == s->rho ? SLIP_OK : factor(s, error);
  if (status == SLIP_OK && s->factored == 0) {
    run->given_up = "W + rho I could not be factored";
    return SLIP_OK;
  }
  fill_rhs(s);
  if (status == SLIP_OK)
    status = slipi_system_solve(s->system, s->rhs, s->x, error);
  if (status != SLIP_OK)
    return status;
  advance(run, s);
  run->cheap_error = project(s);
  slipi_scaled_back(s->scaled, s->z, run->r);
  adapt(run, s);
  return SLIP_OK;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "admm",
              .family = "ADMM",
              .summary = "alternating directions, over-relaxed and accelerated, rho by balancing",
              SLIPI_OPTIONS(options)},
     .create = create,
     .start = start,
     .step = step},
    {.info = {.name = "admm-fixed",
              .family = "ADMM",
              .summary = "admm with a fixed rho, not accelerated",
              SLIPI_OPTIONS(options),
              SLIPI_PRESET({"rho-rule", "fixed"}, {"acceleration", "off"})},
     .create = create,
     .start = start,
     .step = step},
};

const SlipiFamily slipi_family_admm = SLIPI_FAMILY(methods);
