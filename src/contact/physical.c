#include "contact/physical.h"

#include "contact/residual.h"
#include "contact/rolling.h"
#include "contact/shift.h"
#include "linalg/dense3.h"

SlipStatus slipi_physical_mobility(SlipiOperator *op, double *w, SlipError *error) {
  int32_t d = op->d;
  for (int32_t a = 0; a < op->nc; a++) {
    double block[9];
    SlipStatus status = slipi_operator_diagonal(op, a, block, error);
    if (status != SLIP_OK)
      return status;
    w[a] = 0;
    for (int32_t k = 0; k < d; k++)
      w[a] = fmax(w[a], fabs(block[k * d + k]));
  }
  return SLIP_OK;
}

/* fmax is a call, and this is a part of every run. A number that is none is left to the sum. */
static double larger(double x, double y) {
  return y > x ? y : x;
}

static double square(const double x[3]) {
  return slipi_dense3_dot(x, x);
}

static double open_square(const double p[3], const double u[3]) {
  double closing = fmin(u[0], 0);
  return square(p) + closing * closing;
}

static double stick_square(double mu, const double p[3], const double u[3]) {
  double t = slipi_tangent_norm(p), outside = 0;
  if (t > mu * p[0]) { /* the nearest point is n (1, mu) in the plane of p */
    double n = larger(0, (p[0] / mu + t) / (1 / mu + mu));
    double away[3] = {p[0] - n, t - mu * n, 0};
    outside = square(away);
  }
  return square(u) + outside;
}

/* Friction along e, the direction of p_T - u_T: p = n (1, mu e), u = (0, -s e). */
static double slide_square(double mu, const double p[3], const double u[3]) {
  double e[2] = {p[1] - u[1], p[2] - u[2]}, size = sqrt(e[0] * e[0] + e[1] * e[1]);
  if (!(size > 0))
    return INFINITY;
  e[0] /= size;
  e[1] /= size;
  double along = p[1] * e[0] + p[2] * e[1];
  double n = larger(0, (p[0] / mu + along) / (1 / mu + mu));
  double s = larger(0, -(u[1] * e[0] + u[2] * e[1]));
  double dp[3] = {p[0] - n, p[1] - mu * n * e[0], p[2] - mu * n * e[1]};
  double du[3] = {u[0], u[1] + s * e[0], u[2] + s * e[1]};
  return square(dp) + square(du);
}

/* Without g the natural map hides no penetration, and serves in place of the distance. */
static double natural_square(const SlipiLaw *law, double w, double V, const double p[3],
                             const double u[3]) {
  SlipiLaw own = slipi_law_scaled(*law, V, w);
  double e[3];
  return slipi_law_natural_map(&own, 1, u, p, e);
}

static double contact_square(const SlipiLaw *law, double mu, double w, double V, const double p[3],
                             const double u[3]) {
  if (!slipi_law_is_coulomb(law))
    return natural_square(law, w, V, p, u);
  return fmin(open_square(p, u), fmin(stick_square(mu, p, u), slide_square(mu, p, u)));
}

/* The velocity by which all are divided: the largest of q. */
static double unit_velocity(const SlipiPoint *point) {
  int32_t d = point->d, m = d * point->nc;
  double V = 0;
  for (int32_t k = 0; k < m; k++)
    V = larger(V, fabs(point->q[k]));
  V = slipi_share_most(point->share, V);
  if (V != 0)
    return V;
  for (int32_t k = 0; k < m; k++) /* then bodies push each other, if anything moves */
    V = larger(V, point->w[k / d] * fabs(point->r[k]));
  V = slipi_share_most(point->share, V);
  return V > 0 ? V : 1;
}

double slipi_physical_error(const SlipiPoint *point, const SlipiLaw *law, const double *mu) {
  enum { PIECE = 256 }; /* contacts whose terms are added together before the exact sum of all */
  int32_t d = point->d, nc = point->nc;
  const double *w = point->w, *q = point->q;
  double V = unit_velocity(point);
  SlipiExact norms = {{0}}, sums = {{0}};
  for (int32_t first = 0; first < nc; first += PIECE) {
    double norm = 0, sum = 0;
    int32_t end = nc - first < PIECE ? nc : first + PIECE;
    for (int64_t k = (int64_t)first * d; k < (int64_t)end * d; k++)
      norm += q[k] / V * (q[k] / V);
    for (int32_t a = first; a < end; a++) {
      double p[3], v[3];
      slipi_load(point->r, d, a, p);
      slipi_load(point->u, d, a, v);
      for (int k = 0; k < 3; k++) {
        p[k] = w[a] * p[k] / V;
        v[k] /= V;
      }
      SlipiLaw room;
      const SlipiLaw *here = slipi_law_at(law, d, a, point->r, &room);
      double own = contact_square(here, mu ? mu[a] : law[a].mu, w[a], V, p, v);
      sum += isfinite(own) ? own : INFINITY;
    }
    slipi_exact_add(&norms, norm);
    slipi_exact_add(&sums, sum);
  }
  double norm = slipi_share_sum(point->share, &norms), sum = slipi_share_sum(point->share, &sums);
  return sqrt(sum / (norm > 0 ? norm : 1));
}

/* w of a problem that has no operator yet. */
static SlipStatus mobility_of(const SlipProblem *problem, double *w, SlipError *error) {
  SlipiMass *mass = NULL;
  SlipiOperator *op = NULL;
  SlipiOperatorKind kind;
  SlipStatus status =
      slipi_problem_has_mass(problem) ? slipi_mass_create(problem, &mass, error) : SLIP_OK;
  if (status == SLIP_OK)
    status = slipi_operator_choose(problem, mass, false, &kind, error);
  if (status == SLIP_OK)
    status = slipi_operator_create(problem, mass, kind, 1, &op, error);
  if (status == SLIP_OK)
    status = slipi_physical_mobility(op, w, error);
  slipi_operator_free(op);
  slipi_mass_free(mass);
  return status;
}

/* Of a problem without shifted cones. */
static SlipStatus physical(const SlipProblem *problem, SlipiArena *scratch, const double *r,
                           double *measure, SlipError *error) {
  int64_t m = problem->m;
  double *room = SLIPI_ARENA_NEW(scratch, double, 3 * m);
  double *w = SLIPI_ARENA_NEW(scratch, double, problem->nc);
  SlipStatus status =
      scratch->failed ? slipi_fail_memory(error, "the physical error of a point") : SLIP_OK;
  if (status == SLIP_OK)
    status = slip_problem_velocity(problem, room + 2 * m, room, NULL, error); /* q: r = 0 */
  if (status == SLIP_OK)
    status = slip_problem_velocity(problem, r, room + m, NULL, error);
  if (status == SLIP_OK)
    status = mobility_of(problem, w, error);
  if (status == SLIP_OK) {
    const SlipiPoint point = {
        .d = problem->d, .nc = problem->nc, .w = w, .q = room, .r = r, .u = room + m};
    *measure = slipi_physical_error(&point, problem->law, problem->laws.mu);
  }
  return status;
}

static SlipStatus shifted_physical(const SlipProblem *problem, SlipiArena *scratch, const double *r,
                                   double *measure, SlipError *error) {
  SlipProblem plain;
  double *s = slipi_arena_copy(scratch, r, (size_t)problem->m, sizeof *r);
  if (!s)
    return slipi_fail_memory(error, "the physical error of a point");
  SlipStatus status = slipi_shift_problem(problem, scratch, &plain, error);
  slipi_shift_impulses(problem, 1, s);
  return status == SLIP_OK ? physical(&plain, scratch, s, measure, error) : status;
}

SlipStatus slip_problem_physical(const SlipProblem *problem, const double *r, double *measure,
                                 SlipError *error) {
  slipi_error_clear(error);
  if (!SLIPI_IS_PROBLEM(problem) || !measure || (!r && problem->m > 0))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "problem, r or physical is null, or the problem freed");
  SlipiArena scratch = {0};
  SlipStatus status = slipi_shift_has(problem)
                          ? shifted_physical(problem, &scratch, r, measure, error)
                          : physical(problem, &scratch, r, measure, error);
  slipi_arena_free(&scratch);
  return status;
}
