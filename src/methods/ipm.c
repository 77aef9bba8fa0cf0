/* Primal-dual interior-point method with the scaling of Nesterov and Todd, and with the
 * derivative of g in its matrix: Newton steps towards
 *
 *     u - |u_T| e = W r + q + rho (r - anchor),   u o r = sigma beta e,   beta = u'r / cones,
 *
 * in the scaled, folded problem, u being the velocity with g added; then Mehrotra's second-order
 * correction, and Gondzio's (1996) for cones: products u o r that a somewhat longer step would take
 * far from the centre are brought nearer. One iteration is one factorisation
 * (methods/common_cone.h), of which the corrections use the factors again.
 *
 * Where the system is solved in velocity space, the bodies' velocities z are carried along as
 * unknowns of their own, z = B_b r being one more equation: late in a run r is known from z far
 * better than z is from r.
 *
 * The error of r may stay where it is for many iterations while beta and the residual of the first
 * equation fall. The method gives up when their sum has not fallen for as many iterations as its
 * patience, or when steps vanish: the central path of this problem, which is not convex, may turn
 * back.
 */
#include "methods/method.h"

#include <float.h>
#include <string.h>

#include "methods/common_settle.h"

enum {
  OPTION_SIGMA,
  OPTION_STEP,
  OPTION_PATIENCE,
  OPTION_START,
  OPTION_RHO,
  OPTION_KEEP,
  OPTION_CORRECTORS
};

static const SlipOptionInfo options[] = {
    {"sigma", SLIP_OPTION_REAL, "0.1", 0, 1, NULL, "least centring parameter"},
    {"step", SLIP_OPTION_REAL, "0.9", 0.1, 0.9999, NULL,
     "longest step, as a share of the one to the cones' boundary"},
    {"patience", SLIP_OPTION_INT, "30", 1, 1000, NULL,
     "so many iterations without progress of complementarity and residual, twice as many where mu "
     "is above 1, and the method gives up"},
    {"start", SLIP_OPTION_REAL, "0", 0, 1e6, NULL,
     "size of the impulses the method starts from, in units where W has a diagonal of 1; 0: by the "
     "number of contacts"},
    {"rho", SLIP_OPTION_REAL, "1e-12", 0, 1, NULL,
     "weight of a term rho r in the velocities, which holds impulses that nothing else does, in "
     "units where W has a diagonal of 1; it falls with complementarity, and later r is counted "
     "from "
     "a point on the way"},
    {"keep", SLIP_OPTION_REAL, "0", 0, 1, NULL,
     "complementarity at which an iterate is kept, for the next run of the same solver to start "
     "from; 0: each run starts anew"},
    {"correctors", SLIP_OPTION_INT, "0", 0, 20, NULL,
     "most corrections of an iteration towards the centre, as long as each lengthens the step"},
};

/* rho is at most this share of beta, or RHO_LEAST: a weight that helps through the middle of the
 * path would leave an error of its size at the end, or hold steps up where impulses are large. */
static const double RHO_SHARE = 0.1, RHO_LEAST = 1e-12;
static const double ANCHOR_FALL = 1e-2; /* the anchor moves when beta has fallen to this share, */
static const double ANCHOR_ERROR = 0.1; /* and its term leaves more than this share of tol */
/* Residuals that linear systems are refined to. The predictor chooses sigma and the second-order
 * term, for which few digits do. */
static const double ENOUGH = 1e-13, ENOUGH_PREDICTOR = 1e-6;
/* A correction is made for a step this much longer, and for products that would be outside of these
 * shares of the target; it stays where it lengthens the step by this share of what it was for. */
static const double LONGER = 0.15, LONGER_SHARE = 1.3, WORTH = 0.1;
static const double PRODUCT_LEAST = 0.1, PRODUCT_MOST = 10;
/* u'r of a contact is known to some roundings of u_0 r_0. A contact that has come as far is held at
 * so many of them, and is not counted in beta: the largest would keep the targets of all others at
 * their own rounding, and where a contact is not strictly complementary its error falls like the
 * square root of its target. */
static const double PRODUCT_ROUNDINGS = 16;
static const double PROGRESS = 0.7;    /* a fall of beta and residual to this share is progress */
static const double STEP_LEAST = 1e-6; /* so many shorter steps are no accident: */
enum { VANISHED_MOST = 6 };
static const double SHORT = 0.15, LONG = 0.5; /* steps */
/* Longest step of a second attempt: nearer to the path, which Newton's steps then do not lose. */
static const double STEP_AGAIN = 0.7;
static const int STEEP_PATIENCE = 2; /* times the patience, where mu is above 1 */
/* Impulses start from 1 in problems of at most so many contacts, and grow by 1 with each so many
 * beyond: in large stacks, where the lowest bodies bear all others, the path from 1 turns back. */
static const double SMALL_PROBLEM = 1000, CONES_PER_UNIT = 100;
/* A second attempt is worth its time beyond so many contacts, or beyond fewer where a factorisation
 * takes at most so many operations for each: it is 4e3 in walls of the plane, 8e4 in piles. */
static const double LARGE_PROBLEM = 8000, THIN_PROBLEM = 2000, THIN_WORK = 3e4;

typedef struct Ipm {
  SlipiCone cone;
  double *r, *u, *residual;                  /* m */
  double *dr, *du;                           /* the step, and before it the predictor */
  double *dr_before, *du_before, *dz_before; /* the step before a correction */
  double *square, *rhs;                      /* lambda o lambda; of the complementarity */
  double *z, *dz, *lag;                      /* of bodies; lag = B_b r - z */
  double *anchor;                            /* the term rho pulls impulses there */
  double anchored; /* beta when the anchor was set; INFINITY: it is still 0 */
  SlipiSettle settle;
  double *kept_r, *kept_u;          /* of the last run, where beta fell below the option `keep` */
  double *path_r, *path_u, *path_z; /* the last iterate before the first attempt left the path */
  int32_t rows;                     /* values of z; 0: none */
  double least;                     /* beta and residual, the least sum so far that was progress */
  int64_t taken, progressed_at;
  int vanished; /* steps shorter than STEP_LEAST at the end of those taken */
  double share; /* of the derivative of g */
  bool slides;  /* some contact has a g: the problem is not convex */
  bool steep;   /* some mu is above 1 */
  bool left;    /* the first attempt has left the path; path_r and the others are there */
  bool again;   /* a second attempt is under way, with the whole derivative */
  bool kept;    /* kept_r and kept_u are there */
  bool keeping; /* this run has yet to keep its own */
} Ipm;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Ipm *s = SLIPI_ARENA_NEW(run->arena, Ipm, 1);
  if (!s)
    return slipi_fail_memory(error, "the interior-point method");
  run->state = s;
  SlipStatus status = slipi_cone_create(run->op, run->arena, &s->cone, error);
  if (status != SLIP_OK)
    return status;
  double **vectors[] = {&s->r,      &s->u,   &s->residual, &s->dr,        &s->du,
                        &s->square, &s->rhs, &s->anchor,   &s->dr_before, &s->du_before};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
  slipi_settle_create(run, &s->settle);
  if (run->options[OPTION_KEEP] > 0) {
    s->kept_r = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
    s->kept_u = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
  }
  s->rows = slipi_system_body_rows(s->cone.system);
  s->path_r = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
  s->path_u = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
  double **of_bodies[] = {&s->z, &s->dz, &s->lag, &s->dz_before, &s->path_z};
  for (size_t k = 0; k < sizeof of_bodies / sizeof of_bodies[0]; k++)
    *of_bodies[k] = SLIPI_ARENA_NEW(run->arena, double, s->rows);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the interior-point method");
  run->work = slipi_system_work(s->cone.system);
  return SLIP_OK;
}

/* Whether two points can be where a run starts: both are inside the cones, which may be others than
 * those the points were kept in. */
static bool are_inside(const Ipm *s, const double *r, const double *u) {
  bool inside = true;
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    inside = inside && (!slipi_cone_has(&s->cone, c) ||
                        (slipi_soc_inside(r + at) && slipi_soc_inside(u + at)));
  }
  return !slipi_share_any(s->cone.share, !inside);
}

/* The cones' axes: points near the boundary, as a solution is, would hold the first steps up. */
static void start_anew(const SlipiRun *run, Ipm *s) {
  slipi_cone_unit(&s->cone, s->r);
  slipi_cone_unit(&s->cone, s->u);
  double size = run->options[OPTION_START];
  if (size == 0)
    size = fmax(1, (s->cone.cones - SMALL_PROBLEM) / CONES_PER_UNIT);
  for (int32_t k = 0; k < s->cone.scaled->m; k++)
    s->r[k] *= size;
  memset(s->z, 0, (size_t)s->rows * sizeof *s->z);
}

/* An iterate of the last run that was still well inside the cones, in the scaled units of either.
 */
static void start_from_kept(Ipm *s) {
  size_t bytes = (size_t)s->cone.scaled->m * sizeof *s->r;
  memcpy(s->r, s->kept_r, bytes);
  memcpy(s->u, s->kept_u, bytes);
  if (s->rows > 0)
    slipi_system_gather(s->cone.system, s->cone.scaled, s->r, s->z);
}

static void copy_iterate(const Ipm *s, const double *r, const double *u, const double *z,
                         double *to_r, double *to_u, double *to_z) {
  size_t bytes = (size_t)s->cone.scaled->m * sizeof *r;
  memcpy(to_r, r, bytes);
  memcpy(to_u, u, bytes);
  memcpy(to_z, z, (size_t)s->rows * sizeof *z);
}

/* An attempt begins at r and u. */
static void begin(Ipm *s) {
  memset(s->anchor, 0, (size_t)s->cone.scaled->m * sizeof *s->anchor);
  s->anchored = INFINITY;
  s->taken = s->progressed_at = 0;
  s->least = INFINITY;
  s->share = 1;
  s->vanished = 0;
}

/* The start is the same whatever run->r is. */
static SlipStatus start(SlipiRun *run, SlipError *error) {
  Ipm *s = run->state;
  SlipStatus status = slipi_cone_set(&s->cone, run->law, run->q, run->laws_changed, error);
  if (status != SLIP_OK)
    return status;
  if (s->kept && are_inside(s, s->kept_r, s->kept_u))
    start_from_kept(s);
  else
    start_anew(run, s);
  begin(s);
  s->keeping = run->options[OPTION_KEEP] > 0;
  s->again = s->left = false;
  s->steep = s->slides = false;
  for (int32_t c = 0; c < run->nc; c++) {
    s->slides = s->slides || slipi_cone_slides(&s->cone, c);
    s->steep = s->steep || (slipi_cone_slides(&s->cone, c) && run->law[c].mu > 1);
  }
  s->slides = slipi_share_any(s->cone.share, s->slides);
  s->steep = slipi_share_any(s->cone.share, s->steep);
  return SLIP_OK;
}

/* residual = u - |u_T| e - W r - q - rho (r - anchor), with z in the place of B_b r where bodies
 * are carried along, and then lag = B_b r - z. */
static void set_residual(Ipm *s) {
  const SlipiScaled *scaled = s->cone.scaled;
  if (slipi_cone_has_bodies(&s->cone)) {
    slipi_system_gather(s->cone.system, scaled, s->r, s->lag);
    for (int32_t k = 0; k < s->rows; k++)
      s->lag[k] -= s->z[k];
    slipi_system_spread(s->cone.system, scaled, s->z, s->r, s->residual);
  } else {
    slipi_bsr_multiply(&scaled->W, s->r, s->residual, NULL);
  }
  for (int32_t c = 0; c < scaled->nc; c++) {
    const double *u = s->u + 3 * (int64_t)c, *r = s->r + 3 * (int64_t)c;
    double *x = s->residual + 3 * (int64_t)c,
           delta = slipi_cone_has(&s->cone, c) ? s->cone.delta : 0;
    for (int k = 0; k < 3; k++)
      x[k] = u[k] - x[k] - scaled->q[3 * (int64_t)c + k] -
             delta * (r[k] - s->anchor[3 * (int64_t)c + k]);
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

static double product_floor(const double u[3], const double r[3]) {
  return PRODUCT_ROUNDINGS * DBL_EPSILON * u[0] * r[0];
}

/* What u o r of a contact is to be, times e, where it is `target` for all. */
static double own_target(const Ipm *s, int32_t c, double target) {
  return fmax(target, product_floor(s->u + 3 * (int64_t)c, s->r + 3 * (int64_t)c));
}

/* u'r of a contact as far as it is above its floor, that at the present point. */
static double above_floor(const Ipm *s, int32_t c, const double u[3], const double r[3]) {
  double floor = product_floor(s->u + 3 * (int64_t)c, s->r + 3 * (int64_t)c);
  return fmax(slipi_soc_dot(u, r) - floor, 0);
}

/* The sum of u'r over all cones. */
static double product(const Ipm *s) {
  double sum = 0;
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    if (slipi_cone_has(&s->cone, c))
      sum += above_floor(s, c, s->u + 3 * (int64_t)c, s->r + 3 * (int64_t)c);
  }
  return slipi_share_added(s->cone.share, sum);
}

/* u and r of a contact after a step a along du and dr. */
static void step_contact(const Ipm *s, int32_t c, double a, double u[3], double r[3]) {
  for (int k = 0; k < 3; k++) {
    int64_t at = 3 * (int64_t)c + k;
    u[k] = s->u[at] + a * s->du[at];
    r[k] = s->r[at] + a * s->dr[at];
  }
}

/* rhs = target e - lambda o lambda - (S^-1 du) o (S dr), from the predictor's dr and du. */
static void set_corrector(Ipm *s, double target) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double du[3], dr[3], second[3];
    if (!slipi_cone_has(&s->cone, c))
      continue;
    slipi_soc_apply_inverse(&s->cone.scaling[c], s->du + at, du);
    slipi_soc_apply(&s->cone.scaling[c], s->dr + at, dr);
    slipi_soc_product(du, dr, second);
    for (int k = 0; k < 3; k++)
      s->rhs[at + k] = (k == 0 ? own_target(s, c, target) : 0) - s->square[at + k] - second[k];
  }
}

static double longest(const Ipm *s) {
  return fmin(slipi_cone_max_step(&s->cone, s->r, s->dr),
              slipi_cone_max_step(&s->cone, s->u, s->du));
}

/* The step to take along dr and du. */
static double allowed(const SlipiRun *run, const Ipm *s) {
  double share = run->options[OPTION_STEP];
  return fmin(1, (s->again ? fmin(share, STEP_AGAIN) : share) * longest(s));
}

/* The sum of u'r over all cones, as far as above their floors, after the predictor's step a. */
static double predicted(const Ipm *s, double a) {
  double sum = 0, u[3], r[3];
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    if (!slipi_cone_has(&s->cone, c))
      continue;
    step_contact(s, c, a, u, r);
    sum += above_floor(s, c, u, r);
  }
  return slipi_share_added(s->cone.share, sum);
}

/* The centring parameter by Mehrotra's rule. */
static double centring(const SlipiRun *run, const Ipm *s, double now, double a) {
  double ratio = now > 0 ? predicted(s, a) / now : 0;
  return fmin(1, fmax(run->options[OPTION_SIGMA], ratio * ratio * ratio));
}

static double largest_residual(const Ipm *s) {
  double most = 0;
  for (int32_t k = 0; k < s->cone.scaled->m; k++)
    most = fmax(most, fabs(s->residual[k]));
  return slipi_share_most(s->cone.share, most);
}

/* Whether beta and the residual have not fallen for long enough. */
static bool has_stalled(const SlipiRun *run, Ipm *s, double beta, double most) {
  double patience = run->options[OPTION_PATIENCE] * (s->steep ? STEEP_PATIENCE : 1);
  if (beta + most < PROGRESS * s->least) {
    s->least = beta + most;
    s->progressed_at = s->taken;
  }
  return (double)(s->taken - s->progressed_at) > patience;
}

static SlipStatus solve(Ipm *s, double enough, bool *finite, SlipError *error) {
  if (!slipi_cone_has_bodies(&s->cone))
    return slipi_cone_solve(&s->cone, s->rhs, s->residual, s->dr, s->du, finite, error);
  slipi_cone_solve_bodies(&s->cone, s->rhs, s->residual, s->lag, enough, s->dr, s->du, s->dz,
                          finite);
  return SLIP_OK;
}

/* What brings an eigenvalue of a product into the range around the target; large ones by no more
 * than the range, since they are not what holds steps up. */
static double toward_centre(double eigen, double target) {
  double within = fmin(fmax(eigen, PRODUCT_LEAST * target), PRODUCT_MOST * target);
  return fmax(within - eigen, -PRODUCT_MOST * target);
}

/* Add to rhs what brings the products u o r of a step a along dr and du nearer to target e. */
static void add_centring(Ipm *s, double a, double target) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    double u[3], r[3], products[3], own = own_target(s, c, target);
    if (!slipi_cone_has(&s->cone, c))
      continue;
    step_contact(s, c, a, u, r);
    slipi_soc_apply_inverse(&s->cone.scaling[c], u, u);
    slipi_soc_apply(&s->cone.scaling[c], r, r);
    slipi_soc_product(u, r, products);
    double t = slipi_soc_tangent(products);
    double high = toward_centre(products[0] + t, own), low = toward_centre(products[0] - t, own);
    s->rhs[at] += 0.5 * (high + low);
    for (int k = 1; t > 0 && k < 3; k++)
      s->rhs[at + k] += 0.5 * (high - low) * products[k] / t;
  }
}

static void exchange(double **x, double **y) {
  double *kept = *x;
  *x = *y;
  *y = kept;
}

static void exchange_steps(Ipm *s) {
  exchange(&s->dr, &s->dr_before);
  exchange(&s->du, &s->du_before);
  exchange(&s->dz, &s->dz_before);
}

/* Corrections of the step *a along dr and du, as long as they lengthen it. */
static SlipStatus correct_products(SlipiRun *run, Ipm *s, double target, double *a,
                                   SlipError *error) {
  for (int k = 0; k < (int)run->options[OPTION_CORRECTORS] && *a < 1; k++) {
    double wish = fmin(1, fmax(LONGER_SHARE * *a, *a + LONGER)), reached = 0;
    bool finite;
    add_centring(s, wish, target);
    exchange_steps(s);
    SlipStatus status = solve(s, ENOUGH, &finite, error);
    if (status != SLIP_OK)
      return status;
    if (finite)
      reached = allowed(run, s);
    if (!(reached >= *a + WORTH * (wish - *a))) {
      exchange_steps(s);
      return SLIP_OK;
    }
    *a = reached;
  }
  return SLIP_OK;
}

/* Predictor and corrector in dr and du; *a is the step to take, 0 where there is none. */
static SlipStatus direction(SlipiRun *run, Ipm *s, double beta, double *a, SlipError *error) {
  bool finite;
  *a = 0;
  set_predictor(s);
  SlipStatus status = solve(s, ENOUGH_PREDICTOR, &finite, error);
  if (status != SLIP_OK || !finite)
    return status;
  double reach = fmin(1, longest(s));
  double sigma = centring(run, s, beta * s->cone.cones, reach);
  set_corrector(s, sigma * beta);
  status = solve(s, ENOUGH, &finite, error);
  if (status != SLIP_OK || !finite)
    return status;
  *a = allowed(run, s);
  return correct_products(run, s, sigma * beta, a, error);
}

/* u_N grows with |u_T| beyond what the derivative of g has told, as far as u stays within twice its
 * distance from the boundary: the residual is as small as if g were linear. */
static void correct(Ipm *s, int32_t c, double expected) {
  double *u = s->u + 3 * (int64_t)c, t = slipi_soc_tangent(u);
  if (slipi_cone_slides(&s->cone, c))
    u[0] += fmin(fmax(t - expected, 0), u[0] - t);
}

/* Rounding may put a point on the boundary or beyond: back inside, by as little. */
static void keep_inside(double x[3]) {
  x[0] = fmax(x[0], (1 + 4 * DBL_EPSILON) * slipi_soc_tangent(x) + DBL_MIN);
}

static void take(Ipm *s, double a) {
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    int64_t at = 3 * (int64_t)c;
    const double *slope = s->cone.slope + at, *du = s->du + at;
    double expected = slipi_soc_tangent(s->u + at) - a * (slope[1] * du[1] + slope[2] * du[2]);
    for (int k = 0; k < 3; k++) {
      s->r[at + k] += a * s->dr[at + k];
      s->u[at + k] += a * du[k];
    }
    if (!slipi_cone_has(&s->cone, c))
      continue;
    correct(s, c, expected);
    keep_inside(s->u + at);
    keep_inside(s->r + at);
  }
  for (int32_t k = 0; k < s->rows && slipi_cone_has_bodies(&s->cone); k++)
    s->z[k] += a * s->dz[k];
  if (s->rows > 0 && !slipi_cone_has_bodies(&s->cone))
    slipi_system_gather(s->cone.system, s->cone.scaled, s->r, s->z);
}

static bool is_worth_again(const Ipm *s) {
  double work = slipi_system_work(s->cone.system);
  bool dear = slipi_share_any(s->cone.share, work > THIN_WORK * s->cone.cones);
  return s->slides && s->cone.cones > (dear ? LARGE_PROBLEM : THIN_PROBLEM);
}

/* Follow short steps with a smaller share of the derivative, long ones with all of it: off the
 * central path, but past what holds the steps up. A second attempt stays on the path, which in high
 * walls is long, not closed: there steps are short for many iterations. */
static void adapt(Ipm *s, double a) {
  if (s->again)
    return;
  if (a < SHORT && !s->left && is_worth_again(s)) {
    copy_iterate(s, s->r, s->u, s->z, s->path_r, s->path_u, s->path_z);
    s->left = true;
  }
  if (a < SHORT)
    s->share *= 0.7;
  else if (a > LONG)
    s->share = fmin(1, s->share + 0.5 * (1 - s->share) + 0.01);
}

/* Where rho r would be most of the error, which is so in tall stacks, it pulls towards the impulses
 * found so far instead of 0. It does not where what it leaves is small beside the tolerance:
 * impulses that only rho holds would set out for another place, and stop at the cones. */
static void move_anchor(const SlipiRun *run, Ipm *s, double beta) {
  double pull = 0, error = 0;
  for (int32_t k = 0; k < s->cone.scaled->m; k++) {
    double way = s->r[k] - s->anchor[k], velocity = s->cone.scaled->b[k] * s->cone.delta * way;
    pull += way * way;
    error += velocity * velocity;
  }
  pull = slipi_share_added(s->cone.share, pull);
  error = sqrt(slipi_share_added(s->cone.share, error)) / run->scale;
  if (s->cone.delta * pull <= beta * s->cone.cones || beta > ANCHOR_FALL * s->anchored ||
      error <= ANCHOR_ERROR * run->tol)
    return;
  memcpy(s->anchor, s->r, (size_t)s->cone.scaled->m * sizeof *s->anchor);
  s->anchored = beta;
}

/* Keep an iterate for the next run, once in a run. */
static void keep(const SlipiRun *run, Ipm *s, double beta) {
  size_t bytes = (size_t)s->cone.scaled->m * sizeof *s->r;
  if (!s->keeping || beta > run->options[OPTION_KEEP])
    return;
  memcpy(s->kept_r, s->r, bytes);
  memcpy(s->kept_u, s->u, bytes);
  s->kept = true;
  s->keeping = false;
}

/* Large problems, where a run costs little beside what else could be done, get a second attempt,
 * from where the first one left the path. */
static SlipStatus give_up(SlipiRun *run, Ipm *s, const char *why) {
  if (s->left && !s->again) {
    s->again = true;
    copy_iterate(s, s->path_r, s->path_u, s->path_z, s->r, s->u, s->z);
    begin(s);
  } else {
    run->given_up = why;
  }
  return SLIP_OK;
}

static SlipStatus step(SlipiRun *run, SlipError *error) {
  Ipm *s = run->state;
  int sign;
  double a, cones = s->cone.cones;
  double beta = cones > 0 ? product(s) / cones : 0;
  run->cheap_error = INFINITY;
  s->cone.delta = fmin(run->options[OPTION_RHO], fmax(RHO_SHARE * beta, RHO_LEAST));
  SlipStatus status = slipi_cone_factor(&s->cone, s->u, s->r, s->share, &sign, error);
  if (status != SLIP_OK)
    return status;
  run->work = slipi_system_work(s->cone.system);
  if (sign == 0)
    return give_up(run, s, "the matrix of the step is singular");
  move_anchor(run, s, beta);
  set_residual(s);
  keep(run, s, beta);
  double most = largest_residual(s);
  if (has_stalled(run, s, beta, most))
    return give_up(run, s, "neither complementarity nor the residual falls any more");
  status = direction(run, s, beta, &a, error);
  if (status != SLIP_OK)
    return status;
  s->vanished = a < STEP_LEAST ? s->vanished + 1 : 0;
  if (!(a > 0) || s->vanished > VANISHED_MOST)
    return give_up(run, s, "no step is possible");
  take(s, a);
  adapt(s, a);
  s->taken++;
  return slipi_settle(run, &s->settle, &s->cone, s->r, s->u, error);
}

#define IPM(NAME, SUMMARY, ASSOCIATED, ...)                                                        \
  .info = {.name = (NAME),                                                                         \
           .family = "interior point",                                                             \
           .summary = (SUMMARY),                                                                   \
           SLIPI_OPTIONS(options),                                                                 \
           .associated = (ASSOCIATED),                                                             \
           __VA_ARGS__},                                                                           \
  .laws = SLIPI_LAWS_SECOND_ORDER, .patience = 1000, .create = create, .start = start,             \
  .step = step

static const SlipiMethod methods[] = {
    {IPM("ipm", "primal-dual interior point, Nesterov-Todd scaling, derivative of g", 0, )},
    {IPM("soclcp-ipm", "convex relaxation (g off) by ipm", 1,
         SLIPI_PRESET({"sigma", "0"}, {"step", "0.99"}, {"correctors", "2"}))},
};

const SlipiFamily slipi_family_ipm = SLIPI_FAMILY(methods);
