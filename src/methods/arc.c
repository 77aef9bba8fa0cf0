/* The central path by pseudo-arclength. In the scaled, folded problem the path
 *
 *     u - |u_T| e = W r + q + beta rho,   u o r = beta e
 *
 * leads from any r inside the cones (beta = 1, rho so that it holds there) to a solution at
 * beta = 0. The problem is not convex: on its way the path may turn back, which interior-point
 * methods take for a stall. Here beta is an unknown like the others. Steps go along the tangent
 * (dr, d log beta), of which the sign of the determinant of W + A H says whether beta falls or
 * rises: at a fold it changes. Each step corrects centrality at right angles to the tangent and
 * adds a second-order term; its length is cut until the point stays in a neighbourhood of the path,
 * which costs no factorisation. One iteration is one factorisation.
 *
 * The first equation is linear in r and beta but for g, so u is computed from them: it always
 * holds, and only the complementarity remains to be corrected.
 *
 * Without g (relaxed contacts, `soclcp-arc`) this is the path of Tasora, Anitescu, Negrini, Negrut
 * 2013, section 9, for non-associated flow: with W = H N, rho = r_0 - q and the barrier
 * I = -beta/2 log(r_N^2 - |r_T|^2) its equation W r + q + beta (rho + grad I(r)) = 0 is the same.
 * The rotation Q of their Lemma 2 turns the whole equation and not the path, so r stays as it is.
 */
#include "methods/method.h"

#include <string.h>

#include "methods/common_settle.h"

enum { OPTION_BETA, OPTION_START, OPTION_STEP, OPTION_WIDTH, OPTION_TURN_WIDTH, OPTION_RESTORES };

static const char *const starts[] = {"centre", "point", NULL};
enum { START_CENTRE, START_POINT };

static const SlipOptionInfo options[] = {
    {"beta", SLIP_OPTION_REAL, "1", 1e-6, 1e6, NULL, "barrier parameter at the start"},
    {"start", SLIP_OPTION_CHOICE, "centre", 0, 0, starts,
     "the cones' axes, or the given point pushed inside"},
    {"step", SLIP_OPTION_REAL, "0.9", 0.01, 10, NULL, "longest step along the path"},
    {"width", SLIP_OPTION_REAL, "0.9", 0.01, 0.99, NULL, "of the neighbourhood of the path"},
    {"turn-width", SLIP_OPTION_REAL, "0.5", 0, 1, NULL,
     "how near to the path the determinant's sign is believed"},
    {"restores", SLIP_OPTION_INT, "300", 0, 1e9, NULL,
     "returns to an earlier point before the method gives up"},
};

static const double STEP_LEAST = 1e-3, CUT = 0.6;
static const double NEAR_PATH = 0.6;  /* points this near are kept to return to */
static const double PUSH = 0.1;       /* how far a given point is pushed inside */
static const double BETA_END = 1e-18; /* nothing can come after */
enum { KEPT = 6, STALLS = 2, SAME = 3, MEMORY = 25 };

/* A point near the path: impulses, the parameter beta, the distance from the path (width), and
 * the sign of the determinant there. */
typedef struct Point {
  double *r; /* m */
  double beta, width;
  int sign;
} Point;

/* A direction in r, the change of u along it, and the change of log beta. */
typedef struct Direction {
  double *r, *u; /* m */
  double log_beta;
} Direction;

typedef struct Arc {
  SlipiCone cone;
  Point now, trial;
  double *u, *trial_u; /* m */
  double *rho;         /* m */
  Direction tangent, centre, second;
  double *c, *f;           /* m: right-hand sides */
  double norm2;            /* of the scaled tangent, with log beta's share */
  double along;            /* the tangent's factor for a unit step, signed */
  double second_size;      /* of the scaled second-order term */
  double step, cap;        /* lengths to try, and not to exceed */
  int orientation;         /* the determinant's sign at the start */
  int stalls, same;        /* corrections in vain; returns to one point */
  int64_t taken, restores; /* iterations; returns */
  Point kept[KEPT];        /* the last ones near the path, oldest first */
  int kept_count;
  double betas[MEMORY];
  SlipiSettle settle;
} Arc;

/* ---- Memory ---- */

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Arc *s = SLIPI_ARENA_NEW(run->arena, Arc, 1);
  if (!s)
    return slipi_fail_memory(error, "the arclength method");
  run->state = s;
  SlipStatus status = slipi_cone_create(run->op, run->arena, &s->cone, error);
  if (status != SLIP_OK)
    return status;
  double **vectors[] = {&s->now.r,    &s->trial.r,  &s->u,         &s->trial_u,   &s->rho,
                        &s->c,        &s->f,        &s->tangent.r, &s->tangent.u, &s->centre.r,
                        &s->centre.u, &s->second.r, &s->second.u};
  int64_t m = s->cone.scaled->m;
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, m);
  for (int k = 0; k < KEPT; k++)
    s->kept[k].r = SLIPI_ARENA_NEW(run->arena, double, m);
  slipi_settle_create(run, &s->settle);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the arclength method");
  run->work = slipi_system_work(s->cone.system);
  return SLIP_OK;
}

static void copy_point(const Arc *s, const Point *from, Point *to) {
  memcpy(to->r, from->r, (size_t)s->cone.scaled->m * sizeof *to->r);
  to->beta = from->beta;
  to->width = from->width;
  to->sign = from->sign;
}

/* Keep the present point to return to, in the place of the oldest. */
static void keep(Arc *s) {
  if (s->kept_count == KEPT) {
    Point oldest = s->kept[0];
    memmove(s->kept, s->kept + 1, (KEPT - 1) * sizeof *s->kept);
    s->kept[KEPT - 1] = oldest;
    s->kept_count--;
  }
  copy_point(s, &s->now, &s->kept[s->kept_count++]);
}

/* ---- The path ---- */

/* u of a point: L = W r + q + beta rho, u = L + g(L) e; 0 for bilateral contacts. */
static void velocity(const Arc *s, const Point *point, double *u) {
  slipi_scaled_velocity(s->cone.scaled, point->r, u);
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    double *x = u + 3 * (int64_t)c;
    for (int k = 0; k < 3; k++)
      x[k] += point->beta * s->rho[3 * (int64_t)c + k];
    x[0] += slipi_cone_g(&s->cone, c, x);
  }
}

/* How far from the path: 0 on it, where the eigenvalues of lambda o lambda are beta, towards 1
 * where one is 0 or infinite; INFINITY outside the cones. */
static double width(const Arc *s, const Point *point, const double *u) {
  double largest = 0;
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    const double *uc = u + 3 * (int64_t)c, *rc = point->r + 3 * (int64_t)c;
    SlipiSocScaling scaling;
    if (!slipi_cone_has(&s->cone, c))
      continue;
    if (!slipi_soc_inside(uc) || !slipi_soc_inside(rc))
      return INFINITY;
    slipi_soc_scale(uc, rc, &scaling);
    double t = slipi_soc_tangent(scaling.lambda);
    double low = scaling.lambda[0] - t, high = scaling.lambda[0] + t;
    double here = fmax(1 - low * low / point->beta, 1 - point->beta / (high * high));
    if (!isfinite(here))
      return INFINITY;
    largest = fmax(largest, here);
  }
  return largest;
}

/* rho such that the start is on the path: u = beta r^-1 there. */
static void set_rho(Arc *s) {
  slipi_scaled_velocity(s->cone.scaled, s->now.r, s->rho);
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    const double *r = s->now.r + 3 * (int64_t)c;
    double *rho = s->rho + 3 * (int64_t)c, L[3] = {0};
    if (slipi_cone_has(&s->cone, c)) {
      double factor = s->now.beta / slipi_soc_det(r);
      L[1] = -factor * r[1];
      L[2] = -factor * r[2];
      L[0] = factor * r[0] - slipi_cone_g(&s->cone, c, L);
    }
    for (int k = 0; k < 3; k++)
      rho[k] = (L[k] - rho[k]) / s->now.beta;
  }
}

/* The given point, with every impulse pushed inside its cone. */
static void push_inside(const SlipiRun *run, Arc *s) {
  slipi_scaled_to(s->cone.scaled, run->r, s->now.r);
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    double *r = s->now.r + 3 * (int64_t)c;
    if (slipi_cone_has(&s->cone, c))
      r[0] = fmax(r[0], slipi_soc_tangent(r)) + PUSH;
  }
}

static SlipStatus start(SlipiRun *run, SlipError *error) {
  Arc *s = run->state;
  SlipStatus status = slipi_cone_set(&s->cone, run->law, run->q, run->laws_changed, error);
  if (status != SLIP_OK)
    return status;
  if ((int)run->options[OPTION_START] == START_POINT)
    push_inside(run, s);
  else
    slipi_cone_unit(&s->cone, s->now.r);
  s->now.beta = run->options[OPTION_BETA];
  s->now.sign = 1;
  set_rho(s);
  velocity(s, &s->now, s->u);
  s->now.width = width(s, &s->now, s->u);
  s->step = s->cap = run->options[OPTION_STEP];
  s->orientation = s->stalls = s->same = s->kept_count = 0;
  s->taken = s->restores = 0;
  return SLIP_OK;
}

/* ---- Directions ---- */

/* The direction of right-hand sides s->c and f, in the scaled space of r and u. */
static SlipStatus solve(Arc *s, const double *f, Direction *d, bool *finite, SlipError *error) {
  d->log_beta = 0;
  return slipi_cone_solve(&s->cone, s->c, f, d->r, d->u, finite, error);
}

/* One contact's part of a direction, scaled so that the path's metric is Euclidean. */
static void scale(const Arc *s, const Direction *d, int32_t c, double r[3], double u[3]) {
  double root = sqrt(s->now.beta);
  slipi_soc_apply(&s->cone.scaling[c], d->r + 3 * (int64_t)c, r);
  slipi_soc_apply_inverse(&s->cone.scaling[c], d->u + 3 * (int64_t)c, u);
  for (int k = 0; k < 3; k++) {
    r[k] /= root;
    u[k] /= root;
  }
}

/* The scaled product of a direction with the tangent; *size: the largest eigenvalue in it. */
static double scaled_product(const Arc *s, const Direction *d, double *size) {
  double sum = 0;
  *size = 0;
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    double r[3], u[3], tr[3], tu[3];
    if (!slipi_cone_has(&s->cone, c))
      continue;
    scale(s, d, c, r, u);
    scale(s, &s->tangent, c, tr, tu);
    sum += slipi_dense3_dot(r, tr) + slipi_dense3_dot(u, tu);
    *size = fmax(*size, fmax(slipi_soc_size(r), slipi_soc_size(u)));
  }
  return sum;
}

/* Add as much of the tangent as makes d orthogonal to it; returns d's size before. */
static double make_orthogonal(const Arc *s, Direction *d) {
  double size, along = -scaled_product(s, d, &size) / s->norm2;
  for (int32_t k = 0; k < s->cone.scaled->m; k++)
    d->r[k] += along * s->tangent.r[k];
  d->log_beta += along;
  return size;
}

/* The tangent for d log beta = 1: complementarity beta e, first equation -beta rho. */
static SlipStatus set_tangent(Arc *s, int sign, bool *finite, SlipError *error) {
  double size;
  slipi_cone_unit(&s->cone, s->c);
  for (int32_t k = 0; k < s->cone.scaled->m; k++) {
    s->c[k] *= s->now.beta;
    s->f[k] = -s->now.beta * s->rho[k];
  }
  SlipStatus status = solve(s, s->f, &s->tangent, finite, error);
  if (status != SLIP_OK || !*finite)
    return status;
  s->tangent.log_beta = 1;
  s->norm2 = scaled_product(s, &s->tangent, &size) + s->cone.cones;
  s->along = -sign / fmax(size, 1);
  return SLIP_OK;
}

/* Back to the path: complementarity beta e - lambda o lambda. The part that rounding has left of
 * the bilateral contacts' velocity goes as well. */
static SlipStatus set_centre(Arc *s, bool *finite, SlipError *error) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    const double *lambda = s->cone.scaling[c].lambda;
    bool cone = slipi_cone_has(&s->cone, c);
    slipi_soc_product(lambda, lambda, s->c + at);
    for (int k = 0; k < 3; k++) {
      s->c[at + k] = (k == 0 ? s->now.beta : 0) - s->c[at + k];
      s->f[at + k] = cone ? 0 : -s->u[at + k];
    }
  }
  SlipStatus status = solve(s, s->f, &s->centre, finite, error);
  if (status == SLIP_OK && *finite)
    make_orthogonal(s, &s->centre);
  return status;
}

/* The second-order term of a unit step: the product of the two tangents and the curvature of |u_T|
 * add. */
static SlipStatus set_second(Arc *s, bool *finite, SlipError *error) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    const double *u = s->u + at, *du = s->tangent.u + at;
    double r1[3], u1[3], size = slipi_soc_tangent(u);
    for (int k = 0; k < 3; k++)
      s->c[at + k] = s->f[at + k] = 0;
    if (!slipi_cone_has(&s->cone, c))
      continue;
    scale(s, &s->tangent, c, r1, u1);
    slipi_soc_product(r1, u1, s->c + at);
    for (int k = 0; k < 3; k++)
      s->c[at + k] *= -s->now.beta * s->along * s->along;
    if (!slipi_cone_slides(&s->cone, c))
      continue;
    double t[2] = {s->along * du[1], s->along * du[2]}, tt = t[0] * t[0] + t[1] * t[1];
    double radial = size > 0 ? (u[1] * t[0] + u[2] * t[1]) / size : 0;
    double bend = 0.5 * (tt - radial * radial) / size;
    s->f[at] = size > 0 ? -fmin(bend, sqrt(tt)) : -sqrt(tt);
  }
  SlipStatus status = solve(s, s->f, &s->second, finite, error);
  if (status == SLIP_OK && *finite)
    s->second_size = fmax(make_orthogonal(s, &s->second), 1e-300);
  return status;
}

/* ---- Steps ---- */

/* trial = now + a centre + h along tangent + k second; returns its width. */
static double try_point(Arc *s, double a, double h, double k) {
  double change = a * s->centre.log_beta + h * s->along + k * s->second.log_beta;
  for (int32_t i = 0; i < s->cone.scaled->m; i++)
    s->trial.r[i] =
        s->now.r[i] + a * s->centre.r[i] + h * s->along * s->tangent.r[i] + k * s->second.r[i];
  s->trial.beta = s->now.beta * (1 + fmin(fmax(change, -0.95), 2));
  velocity(s, &s->trial, s->trial_u);
  s->trial.width = width(s, &s->trial, s->trial_u);
  return s->trial.width;
}

static void accept(Arc *s) {
  int sign = s->now.sign;
  copy_point(s, &s->trial, &s->now);
  s->now.sign = sign;
  memcpy(s->u, s->trial_u, (size_t)s->cone.scaled->m * sizeof *s->u);
}

/* The longest step from h down that stays near the path; 0 where there is none. */
static double follow(const SlipiRun *run, Arc *s, double h) {
  while (h >= STEP_LEAST) {
    if (try_point(s, 1, h, fmin(h * h, h / s->second_size)) < run->options[OPTION_WIDTH])
      return h;
    h *= CUT;
  }
  return 0;
}

/* Only back towards the path, by the damping that gets nearest; true where that helps. */
static bool correct(const SlipiRun *run, Arc *s) {
  static const double damping[] = {1, .5, .25, .1, .03, .01, .003};
  double least = INFINITY, best = 0, before = s->now.width;
  for (size_t k = 0; k < sizeof damping / sizeof damping[0]; k++) {
    double here = try_point(s, damping[k], 0, 0);
    if (here < least) {
      least = here;
      best = damping[k];
    } else if (isfinite(least)) {
      break;
    }
  }
  bool helps = least < fmax(0.7 * before, run->options[OPTION_TURN_WIDTH]);
  s->stalls = helps ? 0 : s->stalls + 1;
  if (!isfinite(least) || s->stalls >= STALLS)
    return false;
  try_point(s, best, 0, 0);
  accept(s);
  return true;
}

/* Return to the last point kept and take shorter steps; after some returns to one point, to the
 * one before. */
static void restore(SlipiRun *run, Arc *s) {
  s->stalls = 0;
  if (++s->restores > (int64_t)run->options[OPTION_RESTORES] || s->kept_count == 0) {
    run->given_up = "the central path is lost";
    return;
  }
  copy_point(s, &s->kept[s->kept_count - 1], &s->now);
  velocity(s, &s->now, s->u);
  s->step = s->cap = fmax(0.25 * s->cap, 0.02);
  if (++s->same >= SAME && s->kept_count > 1) {
    s->kept_count--;
    s->same = 0;
  }
}

/* Where beta has not fallen by half in a while although the error is small: rounding rules. */
static bool exhausted(const SlipiRun *run, Arc *s) {
  double before = s->taken >= MEMORY ? s->betas[s->taken % MEMORY] : INFINITY;
  s->betas[s->taken++ % MEMORY] = s->now.beta;
  return s->now.beta < BETA_END || (run->error < 1e-6 && s->now.beta > 0.5 * before);
}

/* Tangent, correction and second-order term at the present point. */
static SlipStatus set_directions(Arc *s, int sign, bool *finite, SlipError *error) {
  SlipStatus status = set_tangent(s, sign, finite, error);
  if (status == SLIP_OK && *finite)
    status = set_centre(s, finite, error);
  if (status == SLIP_OK && *finite)
    status = set_second(s, finite, error);
  return status;
}

/* One move from the present point; `turned`: the determinant's sign has changed. */
static void move(SlipiRun *run, Arc *s, bool turned) {
  double h = s->now.width < run->options[OPTION_WIDTH] ? s->step : 0;
  if (turned && s->now.width > run->options[OPTION_TURN_WIDTH])
    h = 0; /* so far off the path the sign may be another branch's */
  h = follow(run, s, h);
  if (h > 0) {
    s->stalls = s->same = 0;
    accept(s);
  } else if (!correct(run, s)) {
    restore(run, s);
    return;
  }
  s->cap = fmin(run->options[OPTION_STEP], 1.3 * s->cap);
  s->step = h > 0 ? fmin(s->cap, 2 * h) : fmax(0.5 * s->step, 0.05);
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Arc *s = run->state;
  int sign;
  bool finite = false;
  run->cheap_error = INFINITY;
  if (exhausted(run, s)) {
    run->given_up = "the barrier parameter no longer falls";
    return SLIP_OK;
  }
  SlipStatus status = slipi_cone_factor(&s->cone, s->u, s->now.r, 1, &sign, error);
  if (status != SLIP_OK)
    return status;
  run->work = slipi_system_work(s->cone.system);
  if (s->orientation == 0)
    s->orientation = sign;
  sign *= s->orientation;
  if (sign != 0)
    status = set_directions(s, sign, &finite, error);
  if (status != SLIP_OK)
    return status;
  if (!finite) {
    run->given_up = "the matrix of the step is singular";
    return SLIP_OK;
  }
  if (s->now.width < NEAR_PATH || s->kept_count == 0)
    keep(s);
  bool turned = sign != s->now.sign;
  s->now.sign = sign;
  move(run, s, turned);
  return slipi_settle(run, &s->settle, &s->cone, s->now.r, s->u, error);
}

#define ARC(NAME, SUMMARY, ASSOCIATED)                                                             \
  .info = {.name = (NAME),                                                                         \
           .family = "interior point",                                                             \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(options),                                                                 \
           .associated = (ASSOCIATED)},                                                            \
  .laws = SLIPI_LAWS_SECOND_ORDER, .patience = 1000, .create = create, .start = start,             \
  .step = step

static const SlipiMethod methods[] = {
    {ARC("arc", "the central path by pseudo-arclength, around its folds", 0)},
    {ARC("soclcp-arc", "convex relaxation (g off), also with unsymmetric W, by arc", 1)},
};

const SlipiFamily slipi_family_arc = SLIPI_FAMILY(methods);
