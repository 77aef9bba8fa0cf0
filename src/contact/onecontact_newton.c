/* Nonsmooth Newton (Algorithm 4) on one contact, plain or with the Goldstein-Price line search
 * (Algorithm 5) on |F|^2/2, the merit function (113) with its norm squared; and a short one on the
 * natural map for starts that are near, as those of a sweep. */
#include <string.h>

#include "base/linesearch.h"
#include "contact/nonsmooth.h"
#include "contact/onecontact_parts.h"
#include "linalg/dense3.h"

typedef struct Newton {
  const SlipiOneContact *one;
  SlipiNonsmooth kind;
  SlipiSteps rho;
  const double *q;
} Newton;

static double merit(const Newton *newton, const double r[3], double F[3], double J[9]) {
  double u[3], Phi_ru[9], Phi_rr[9];
  const double *W = newton->one->W;
  slipi_dense3_multiply(W, r, u);
  for (int k = 0; k < 3; k++)
    u[k] += newton->q[k];
  slipi_nonsmooth(newton->kind, &newton->one->law, newton->rho, u, r, F, J ? Phi_ru : NULL,
                  J ? Phi_rr : NULL);
  for (int k = 0; J && k < 9; k++) { /* (156) */
    const double *row = Phi_ru + (size_t)3 * (k / 3);
    J[k] = Phi_rr[k] + row[0] * W[k % 3] + row[1] * W[3 + k % 3] + row[2] * W[6 + k % 3];
  }
  return 0.5 * slipi_dense3_dot(F, F);
}

/* The merit function along r + t d. */
typedef struct Ray {
  const Newton *newton;
  const double *r, *d;
} Ray;

static void point(const Ray *ray, double t, double to[3]) {
  for (int k = 0; k < 3; k++)
    to[k] = ray->r[k] + t * ray->d[k];
}

static double along(void *user, double t) {
  const Ray *ray = user;
  double F[3], x[3];
  point(ray, t, x);
  return merit(ray->newton, x, F, NULL);
}

static const SlipiSearch goldstein_price = {
    .kind = SLIPI_SEARCH_GOLDSTEIN_PRICE, .m1 = 0.1, .m2 = 0.9, .a = 2, .trials = 20};

/* d = -J^-1 F; where J is singular, the least-squares step of Levenberg. */
static void direction(const double J[9], const double F[3], double d[3]) {
  SlipiSolution3 s;
  slipi_dense3_solve(J, F, 1e-13, &s);
  if (s.rank < 3) {
    double A[9], b[3], trace = 0;
    for (int i = 0; i < 3; i++) {
      b[i] = J[i] * F[0] + J[3 + i] * F[1] + J[6 + i] * F[2];
      for (int j = 0; j < 3; j++)
        A[3 * i + j] = J[i] * J[j] + J[3 + i] * J[3 + j] + J[6 + i] * J[6 + j];
      trace += A[4 * i];
    }
    for (int i = 0; i < 3; i++)
      A[4 * i] += 1e-8 * trace;
    slipi_dense3_solve(A, b, 0, &s);
  }
  for (int k = 0; k < 3; k++)
    d[k] = -s.x[k];
}

int slipi_one_contact_newton(const SlipiOneContact *one, const SlipiOneContactRule *rule,
                             const double q[3], double r[3]) {
  bool search = rule->kind == SLIPI_ONE_NEWTON_AC_GP || rule->kind == SLIPI_ONE_NEWTON_JM_GP;
  bool jm = rule->kind == SLIPI_ONE_NEWTON_JM || rule->kind == SLIPI_ONE_NEWTON_JM_GP;
  Newton newton = {one, jm ? SLIPI_NONSMOOTH_JM : SLIPI_NONSMOOTH_AC, {0, 0, 1}, q};
  if (!slipi_law_is_coulomb(&one->law)) /* (61) and (63) hold for nothing else */
    newton.kind = SLIPI_NONSMOOTH_NAT;
  newton.rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(newton.kind, &one->law), one->W);
  double x[3], best = slipi_one_contact_error(one, q, r), error = best;
  int k = 0;
  memcpy(x, r, sizeof x);
  for (; k < rule->max_iter && error > rule->tol; k++) {
    double F[3], J[9], d[3];
    double start = merit(&newton, x, F, J);
    direction(J, F, d);
    if (!(slipi_dense3_max(d) < INFINITY))
      break;
    Ray ray = {&newton, x, d};
    SlipiSearchStart from = {start, -2 * start, start};
    point(&ray, search ? slipi_line_search(&goldstein_price, along, &ray, &from) : 1, x);
    error = slipi_one_contact_error(one, q, x);
    if (search ? error < best : isfinite(error)) {
      best = error;
      memcpy(r, x, sizeof x);
    }
  }
  return k;
}

/* ---- From a point near the solution ---- */

enum { NEAR_STEPS = 8 };
static const double NEAR_DET_LEAST = 1e-10; /* of a Jacobian whose entries are of size 1 */

/* x with A x = b by cofactors; false where A is nearly singular. */
static bool solve_plain(const double A[9], const double b[3], double x[3]) {
  double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8];
  double c2 = A[3] * A[7] - A[4] * A[6], det = A[0] * c0 + A[1] * c1 + A[2] * c2;
  if (!(fabs(det) > NEAR_DET_LEAST))
    return false;
  double s = 1 / det;
  x[0] = s * (b[0] * c0 + b[1] * (A[2] * A[7] - A[1] * A[8]) + b[2] * (A[1] * A[5] - A[2] * A[4]));
  x[1] = s * (b[0] * c1 + b[1] * (A[0] * A[8] - A[2] * A[6]) + b[2] * (A[2] * A[3] - A[0] * A[5]));
  x[2] = s * (b[0] * c2 + b[1] * (A[1] * A[6] - A[0] * A[7]) + b[2] * (A[0] * A[4] - A[1] * A[3]));
  return true;
}

/* Whether u = 0 solves the contact, r = -W^-1 q: so where that is well in K, and
 * exact enough. */
static bool sticks(const SlipiOneContact *one, double tol, const double q[3], double r[3]) {
  double x[3], u[3];
  slipi_dense3_multiply(one->inverse, q, x);
  for (int k = 0; k < 3; k++)
    x[k] = -x[k];
  if (!slipi_law_type(&one->law)->holds(&one->law, x))
    return false;
  slipi_dense3_multiply(one->W, x, u);
  for (int k = 0; k < 3; k++)
    u[k] += q[k];
  if (!(slipi_dense3_dot(u, u) <= tol * tol * slipi_dense3_dot(q, q)))
    return false;
  memcpy(r, x, sizeof x);
  return true;
}

/* F = r - P(r - rho u) and its Jacobian I - P' (I - rho W) come from one look at K; what is small
 * enough is the same as for the other solvers. A contact that did not slide the last time is looked
 * at where u = 0 first. */
bool slipi_one_contact_near(SlipiOneContact *one, double tol, const double q[3], double r[3]) {
  const SlipiLawType *type = slipi_law_type(&one->law);
  const double *W = one->W, rho = one->rho;
  double q_square = slipi_dense3_dot(q, q), enough = tol * rho * (tol * rho);
  if (one->inverted && one->lambda == 0 && sticks(one, tol, q, r))
    return true;
  SlipiRound round;
  if (type->prepare)
    type->prepare(&one->law, &round);
  round.lambda = one->lambda;
  double x[3] = {r[0], r[1], r[2]};
  for (int step = 0; step < NEAR_STEPS; step++) {
    double u[3], z[3], p[3], P[9], J[9], d[3];
    slipi_dense3_multiply(W, x, u);
    for (int k = 0; k < 3; k++)
      z[k] = x[k] - rho * (u[k] + q[k]);
    if (type->look) {
      type->look(&round, z, p, P);
    } else {
      slipi_law_project(&one->law, z, p);
      slipi_law_project_derivative(&one->law, z, P);
    }
    double F[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    double y[3] = {one->scale * x[0], one->scale * x[1], one->scale * x[2]};
    double x_square = slipi_dense3_dot(y, y);
    if (slipi_dense3_dot(F, F) <= enough * (q_square > x_square ? q_square : x_square)) {
      memcpy(r, x, sizeof x);
      bool slid = P[0] != 1 || P[4] != 1 || P[8] != 1;
      one->lambda = !slid ? 0 : round.lambda > 0 ? round.lambda : 1;
      return true;
    }
    for (int k = 0; k < 9; k++) {
      const double *row = P + (size_t)3 * (k / 3);
      double PW = row[0] * W[k % 3] + row[1] * W[3 + k % 3] + row[2] * W[6 + k % 3];
      J[k] = (k % 4 == 0) - P[k] + rho * PW;
    }
    if (!solve_plain(J, F, d))
      return false;
    for (int k = 0; k < 3; k++)
      x[k] -= d[k];
  }
  return false;
}
