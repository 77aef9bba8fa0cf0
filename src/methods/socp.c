/* The convex relaxation (g off) as a linear second-order cone program (Acary, Cadoux, Lemaréchal,
 * Malick 2011, section 6, ii): the quadratic objective goes down to the constraints,
 *
 *     min t + q'r   with   r in K,   x = (1 + t, 1 - t, 2^1/2 L'r) in Q,   W = L L',
 *
 * Q being a second-order cone of m + 2 dimensions: x is in it where t >= r'Wr/2. With the dual
 * variables u in K* and z = (a, b, -L'y / 2^1/2) in Q, stationarity is
 *
 *     u = W y + q,     a - b = 1
 *
 * and y = r, z = J x / 2 at the solution. A primal-dual path with the scaling of Nesterov and Todd
 * is followed in the scaled, folded problem; a - b = 1 and the form of x hold from the start.
 *
 * L is never made: everything in Q's tail is L' times a vector of r's kind, known by that vector
 * and its product with W. With w the scaling point of Q, tail 2^1/2 L'p_w, the scaling 2 w w' -
 * delta J of Q leaves after elimination
 *
 *     (H / 2 delta + W) dr = ...
 *
 * for the impulses, which is the interior-point matrix of the quadratic program: the variables that
 * make this form larger for a general solver are eliminated, and its price is more iterations. Of
 * t, a and b only the slacks
 *
 *     tau = t - r'Wr/2 = det x / 4,     zeta = a + b - y'Wy/2 = det z
 *
 * are kept: formulas in t, a and b cancel near the solution, where both vanish.
 */
#include "methods/method.h"

#include <string.h>

#include "linalg/vector.h"
#include "methods/common_cone.h"

/* The longest step, as a share of the one to the boundary; the least centring. */
static const double FRACTION = 0.9, SIGMA_LEAST = 0.2;

typedef struct Socp {
  SlipiCone cone;
  double tau, zeta;       /* slacks */
  double *r, *y, *u;      /* m of the scaled problem, as all vectors */
  double *u_scaled;       /* u / 2 delta, which the impulses' scaling is made with */
  double *Wr, *Wy;        /* products */
  double *gap;            /* y - r */
  double *dr, *dy, *du;   /* the step */
  double *Wdr, *Wdy;      /* products */
  double *tail;           /* p_w of the scaling point w */
  double *rhs, *residual; /* of complementarity, of u = W y + q */
  double by, edge;        /* of w: its factor, and its first entry less its second */
  double delta;           /* of the scaling */
  double dtau, dzeta;     /* the step, to first order */
} Socp;

static SlipStatus create(SlipiRun *run, SlipError *error) {
  Socp *s = SLIPI_ARENA_NEW(run->arena, Socp, 1);
  if (!s)
    return slipi_fail_memory(error, "the cone program");
  run->state = s;
  SlipStatus status = slipi_cone_create(run->op, run->arena, &s->cone, error);
  if (status != SLIP_OK)
    return status;
  double **vectors[] = {&s->r,   &s->y,   &s->u,    &s->u_scaled, &s->Wr,
                        &s->Wy,  &s->gap, &s->dr,   &s->dy,       &s->du,
                        &s->Wdr, &s->Wdy, &s->tail, &s->rhs,      &s->residual};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_NEW(run->arena, double, s->cone.scaled->m);
  if (run->arena->failed)
    return slipi_fail_memory(error, "the cone program");
  return SLIP_OK;
}

static void multiply(const Socp *s, const double *x, double *y) {
  slipi_bsr_multiply(&s->cone.scaled->W, x, y, NULL);
}

static double dot(const Socp *s, const double *x, const double *y) {
  return slipi_dot(x, y, s->cone.scaled->m);
}

/* r = y = u = e, and x and z well inside Q. */
static SlipStatus start(SlipiRun *run, SlipError *error) {
  Socp *s = run->state;
  SlipStatus status = slipi_cone_set(&s->cone, run->law, run->q, run->laws_changed, error);
  if (status != SLIP_OK)
    return status;
  slipi_cone_unit(&s->cone, s->r);
  slipi_cone_unit(&s->cone, s->y);
  slipi_cone_unit(&s->cone, s->u);
  multiply(s, s->r, s->Wr);
  multiply(s, s->y, s->Wy);
  s->tau = s->zeta = 1;
  return SLIP_OK;
}

/* ---- The cone Q ---------------------------------------------------------------------------- */

/* (y - r)'W(y - r). */
static double gap_square(const Socp *s) {
  return fmax(0, dot(s, s->gap, s->Wy) - dot(s, s->gap, s->Wr));
}

/* x'z = a + b + t - r'Wy. */
static double product_xz(const Socp *s) {
  return s->zeta + s->tau + 0.5 * gap_square(s);
}

/* The scaling point w of Q, with (2 w w' - delta J) x = z. */
static void scale(Socp *s) {
  double x = 2 * sqrt(s->tau), z = sqrt(s->zeta);
  for (int32_t k = 0; k < s->cone.scaled->m; k++)
    s->gap[k] = s->y[k] - s->r[k];
  double gamma = sqrt(0.5 * (1 + product_xz(s) / (x * z)));
  s->delta = z / x;
  s->by = sqrt(s->delta) / (2 * gamma);
  s->edge = s->by * (1 / z + 2 / x);
  for (int32_t k = 0; k < s->cone.scaled->m; k++)
    s->tail[k] = -s->by * (0.5 * s->y[k] / z + s->r[k] / x);
}

/* The largest step that keeps c + 2 h t + g t^2 at or above 0, from c > 0 on, g <= 0. */
static double quadratic_step(double c, double h, double g) {
  double root = sqrt(fmax(0, h * h - g * c)) - h; /* c / root is the first zero */
  return root > 0 ? c / root : INFINITY;
}

static double longest(const Socp *s) {
  double own =
      fmin(slipi_cone_max_step(&s->cone, s->r, s->dr), slipi_cone_max_step(&s->cone, s->u, s->du));
  double x = quadratic_step(s->tau, 0.5 * s->dtau, -0.5 * dot(s, s->dr, s->Wdr));
  double z = quadratic_step(s->zeta, 0.5 * s->dzeta, -0.5 * dot(s, s->dy, s->Wdy));
  return fmin(own, fmin(x, z));
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* dtau and dzeta from kappa, share and dr: the values of dt - r'W dr and 2 da - y'W dy. A
 * second-order correction of t and of a + b, which are free to have one, makes up for the curvature
 * of the two slacks, which otherwise would cut every step. */
static void set_slacks(Socp *s, double kappa, double share) {
  double x = 2 * sqrt(s->tau), z = sqrt(s->zeta), square = gap_square(s);
  double across = dot(s, s->gap, s->Wdr);
  s->dtau = kappa / s->edge + across / (1 + 2 * z / x);
  s->dzeta = 2 * share * (s->tau + 0.5 * square) - s->zeta -
             2 * kappa * s->by * (z + (2 * s->tau + square) / x) +
             2 * s->delta * (s->dtau - across);
  s->dtau += 0.5 * dot(s, s->dr, s->Wdr);
  s->dzeta += 0.5 * dot(s, s->dy, s->Wdy);
}

/* The step towards complementarity `target`: dz + (2 w w' - delta J) dx = c with c = target
 * x^-1 - z gives kappa = w'dx, as da = db, then dr, then the rest. */
static SlipStatus solve(Socp *s, double target, bool *finite, SlipError *error) {
  int32_t m = s->cone.scaled->m;
  double share = 0.25 * target / s->tau, half = 0.5 / s->delta;
  double kappa = (share - 0.5) / s->edge;
  for (int32_t k = 0; k < m; k++) /* dy but for 2 delta dr */
    s->dy[k] = 4 * kappa * s->tail[k] + 2 * share * s->r[k] - s->y[k];
  multiply(s, s->dy, s->Wdy);
  for (int32_t k = 0; k < m; k++)
    s->Wdy[k] = half * (s->residual[k] - s->Wdy[k]);
  for (int32_t c = 0; c < s->cone.scaled->nc; c++) {
    const double *lambda = s->cone.scaling[c].lambda;
    double *rhs = s->rhs + 3 * (int64_t)c;
    slipi_soc_product(lambda, lambda, rhs);
    for (int k = 0; k < 3; k++)
      rhs[k] = (k == 0 ? half * target : 0) - rhs[k];
  }
  SlipStatus status = slipi_cone_solve(&s->cone, s->rhs, s->Wdy, s->dr, s->du, finite, error);
  if (status != SLIP_OK || !*finite)
    return status;
  multiply(s, s->dr, s->Wdr);
  for (int32_t k = 0; k < m; k++) {
    s->dy[k] += 2 * s->delta * s->dr[k];
    s->du[k] *= 2 * s->delta;
  }
  multiply(s, s->dy, s->Wdy);
  set_slacks(s, kappa, share);
  return SLIP_OK;
}

static void take(Socp *s, double step) {
  s->tau += step * (s->dtau - 0.5 * step * dot(s, s->dr, s->Wdr));
  s->zeta += step * (s->dzeta - 0.5 * step * dot(s, s->dy, s->Wdy));
  for (int32_t k = 0; k < s->cone.scaled->m; k++) {
    s->r[k] += step * s->dr[k];
    s->y[k] += step * s->dy[k];
    s->u[k] += step * s->du[k];
    s->Wr[k] += step * s->Wdr[k];
    s->Wy[k] += step * s->Wdy[k];
  }
}

/* One factorisation: how far the step to the boundary goes tells how much to centre. */
static SlipStatus step(SlipiRun *run, SlipError *error) {
  Socp *s = run->state;
  int32_t m = s->cone.scaled->m;
  int sign;
  bool finite = false;
  run->cheap_error = INFINITY;
  scale(s);
  for (int32_t k = 0; k < m; k++) {
    s->u_scaled[k] = 0.5 * s->u[k] / s->delta;
    s->residual[k] = s->u[k] - s->Wy[k] - s->cone.scaled->q[k];
  }
  SlipStatus status = slipi_cone_factor(&s->cone, s->u_scaled, s->r, 0, &sign, error);
  if (status != SLIP_OK)
    return status;
  double beta = (slipi_cone_product(&s->cone, s->u, s->r) + product_xz(s)) / (s->cone.cones + 1);
  status = solve(s, 0, &finite, error);
  if (status == SLIP_OK && finite) {
    double left = 1 - fmin(1, longest(s));
    status = solve(s, fmax(SIGMA_LEAST, left * left * left) * beta, &finite, error);
  }
  double length = status == SLIP_OK && finite ? fmin(1, FRACTION * longest(s)) : 0;
  if (status == SLIP_OK && !(length > 1e-9))
    run->given_up = "no step is possible";
  if (status == SLIP_OK && length > 1e-9) {
    take(s, length);
    slipi_scaled_back(s->cone.scaled, s->r, run->r);
  }
  return status;
}

static const SlipiMethod methods[] = {
    {.info = {.name = "soclcp-socp",
              .family = "convex",
              .summary = "convex relaxation (g off) as a linear second-order cone program",
              .associated = 1},
     .needs = SLIPI_NEED_SYMMETRIC,
     .laws = SLIPI_LAWS_SECOND_ORDER,
     .patience = 1000,
     .create = create,
     .start = start,
     .step = step},
};

const SlipiFamily slipi_family_socp = SLIPI_FAMILY(methods);
