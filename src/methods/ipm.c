/* Primal-dual interior-point method with the scaling of Nesterov and Todd, and with the
 * derivative of g in its matrix: Newton steps towards
 *
 *     u - |u_T| e = W r + q,   u o r = sigma beta e,   beta = u'r / cones,
 *
 * in the scaled, folded problem, u being the velocity with g added; then Mehrotra's second-order
 * correction. Where steps get short the share of the derivative is reduced. The central path of
 * this problem, which is not convex, may turn back: short steps that do not end are the sign of
 * it, and the method gives up then. One iteration is one factorisation.
 */
#include "methods/method.h"

#include <string.h>

#include "methods/common_cone.h"

enum { OPTION_SIGMA, OPTION_STEP, OPTION_SHORT };

static const SlipOptionInfo options[] = {
    {"sigma", SLIP_OPTION_REAL, "0.1", 0, 1, NULL, "least centring parameter"},
    {"step", SLIP_OPTION_REAL, "0.95", 0.1, 0.9999, NULL,
     "longest step, as a share of the one to the cones' boundary"},
    {"short-steps", SLIP_OPTION_INT, "4", 1, 8, NULL,
     "so many of eight steps that are short or where the determinant's sign is not the first "
     "one's, and "
     "the method gives up"},
};

static const double SHORT = 0.15, LONG = 0.5; /* steps */
enum { WINDOW = 8 };

typedef struct Ipm {
  SlipiCone cone;
  double *r, *u, *residual; /* m */
  double *dr, *du;          /* the step, and before it the predictor */
  double *square, *rhs;     /* lambda o lambda; of the complementarity */
  double share;             /* of the derivative of g */
  int first_sign;           /* of the determinant */
  bool odd[WINDOW];         /* the last steps that were short or had another sign */
  int64_t taken;
} Ipm;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Ipm *s = SLIPI_ARENA_NEW(run->arena, Ipm, 1);
  if (!s)
    return slipi_fail_memory(error, "the interior-point method");
  run->state = s;
  SlipStatus status = slipi_cone_create(run->op, run->arena, &s->cone, error);
  if (status != SLIP_OK)
    return status;
  double **vectors[] = {&s->r, &s->u, &s->residual, &s->dr, &s->du, &s->square, &s->rhs};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the interior-point method");
  run->work = slipi_system_work(s->cone.system);
  return SLIP_OK;
}

/* The start is the same whatever run->r is: interior-point methods do not gain from points near
 * the cones' boundary. */
static SlipStatus start(SlipiRun *run, SlipError *error) {
  Ipm *s = run->state;
  SlipStatus status = slipi_cone_set(&s->cone, run->law, run->q, run->laws_changed, error);
  if (status != SLIP_OK)
    return status;
  slipi_cone_unit(&s->cone, s->r);
  slipi_cone_unit(&s->cone, s->u);
  s->share = 1;
  memset(s->odd, 0, sizeof s->odd);
  s->taken = 0;
  return SLIP_OK;
}

/* residual = u - |u_T| e - W r - q. */
static void set_residual(Ipm *s) {
  slipi_scaled_velocity(s->cone.scaled, s->r, s->residual);
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    const double *u = s->u + 3 * (int64_t)c;
    double *x = s->residual + 3 * (int64_t)c;
    for (int k = 0; k < 3; k++)
      x[k] = u[k] - x[k];
    x[0] -= slipi_cone_g(&s->cone, c, u);
  }
}

/* rhs = lambda o lambda, negative. */
static void set_predictor(Ipm *s) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    const double *lambda = s->cone.scaling[c].lambda;
    double *square = s->square + 3 * (int64_t)c;
    slipi_soc_product(lambda, lambda, square);
    for (int k = 0; k < 3; k++)
      s->rhs[3 * (int64_t)c + k] = -square[k];
  }
}

/* rhs = target e - lambda o lambda - weight (S^-1 du) o (S dr), from the predictor's dr and du. */
static void set_corrector(Ipm *s, double target, double weight) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double du[3], dr[3], second[3];
    if (!slipi_cone_has(&s->cone, c))
      continue;
    slipi_soc_apply_inverse(&s->cone.scaling[c], s->du + at, du);
    slipi_soc_apply(&s->cone.scaling[c], s->dr + at, dr);
    slipi_soc_product(du, dr, second);
    for (int k = 0; k < 3; k++)
      s->rhs[at + k] = (k == 0 ? target : 0) - s->square[at + k] - weight * second[k];
  }
}

static double longest(const Ipm *s) {
  return fmin(slipi_cone_max_step(&s->cone, s->r, s->dr),
              slipi_cone_max_step(&s->cone, s->u, s->du));
}

/* u'r after the predictor's step a. */
static double predicted(const Ipm *s, double a) {
  double sum = 0;
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    for (int64_t k = 3 * (int64_t)c; slipi_cone_has(&s->cone, c) && k < 3 * (int64_t)c + 3; k++)
      sum += (s->u[k] + a * s->du[k]) * (s->r[k] + a * s->dr[k]);
  }
  return sum;
}

/* The centring parameter by Mehrotra's rule, kept away from 0. */
static double centring(const SlipiRun *run, const Ipm *s, double product, double a) {
  double after = predicted(s, a), ratio = product > 0 ? after / product : 0;
  double sigma =
      ratio > 0 ? fmin(1, fmax(run->options[OPTION_SIGMA], ratio * ratio * ratio)) : 1e-3;
  return a < 0.1 ? fmax(sigma, 0.3) : sigma;
}

/* Follow short steps with a smaller share of the derivative; count them, and those where the
 * determinant's sign has changed: both tell that the path turns. */
static int adapt(Ipm *s, double a, int sign) {
  int count = 0;
  if (s->taken == 0)
    s->first_sign = sign;
  s->odd[s->taken++ % WINDOW] = a < SHORT || sign != s->first_sign;
  if (a < SHORT)
    s->share *= 0.7;
  else if (a > LONG)
    s->share = fmin(1, s->share + 0.5 * (1 - s->share) + 0.01);
  for (int k = 0; k < WINDOW; k++)
    count += s->odd[k];
  return count;
}

static SlipStatus give_up(SlipiRun *run, const char *why) {
  run->given_up = why;
  return SLIP_OK;
}

/* Predictor and corrector in dr and du; *a is the step to take, 0 where there is none. */
static SlipStatus direction(SlipiRun *run, Ipm *s, double *a, SlipError *error) {
  bool finite;
  double product = slipi_cone_product(&s->cone, s->u, s->r);
  double beta = s->cone.cones > 0 ? product / s->cone.cones : 0;
  *a = 0;
  set_predictor(s);
  SlipStatus status = slipi_cone_solve(&s->cone, s->rhs, s->residual, s->dr, s->du, &finite, error);
  if (status != SLIP_OK || !finite)
    return status;
  double reach = fmin(1, longest(s));
  set_corrector(s, centring(run, s, product, reach) * beta, reach * reach);
  status = slipi_cone_solve(&s->cone, s->rhs, s->residual, s->dr, s->du, &finite, error);
  if (status == SLIP_OK && finite) {
    double fraction = fmin(run->options[OPTION_STEP], fmax(0.9, 1 - beta));
    *a = fmin(1, fraction * longest(s));
  }
  return status;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Ipm *s = run->state;
  int sign;
  double a;
  run->cheap_error = INFINITY;
  set_residual(s);
  SlipStatus status = slipi_cone_factor(&s->cone, s->u, s->r, s->share, &sign, error);
  if (status != SLIP_OK)
    return status;
  run->work = slipi_system_work(s->cone.system);
  if (sign == 0)
    return give_up(run, "the matrix of the step is singular");
  status = direction(run, s, &a, error);
  if (status != SLIP_OK)
    return status;
  if (a < 1e-9)
    return give_up(run, "no step is possible");
  if (adapt(s, a, sign) >= (int)run->options[OPTION_SHORT])
    return give_up(run, "the steps stay short: the central path turns back");
  for (int32_t k = 0; k < s->cone.scaled->m; k++) {
    s->r[k] += a * s->dr[k];
    s->u[k] += a * s->du[k];
  }
  slipi_scaled_back(s->cone.scaled, s->r, run->r);
  return SLIP_OK;
}

#define IPM(NAME, SUMMARY, ASSOCIATED)                                                             \
  .info = {.name = (NAME),                                                                         \
           .family = "interior point",                                                             \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(options),                                                                 \
           .associated = (ASSOCIATED)},                                                            \
  .laws = SLIPI_LAWS_SECOND_ORDER, .patience = 1000, .create = create, .start = start,             \
  .step = step

static const SlipiMethod methods[] = {
    {IPM("ipm", "primal-dual interior point, Nesterov-Todd scaling, derivative of g", 0)},
    {IPM("soclcp-ipm", "convex relaxation (g off) by ipm", 1)},
};

const SlipiFamily slipi_family_ipm = SLIPI_FAMILY(methods);
