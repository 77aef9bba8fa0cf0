#include "contact/round.h"

#include <string.h>

typedef SlipiRound Round;

static Round round_of(const SlipiLaw *law) {
  double mu = law->mu, a = law->depth, b = law->radius, e = sqrt(mu * a * (mu * a) + b * b);
  return (Round){.mu = mu,
                 .a = a,
                 .b = b,
                 .e = e,
                 .n1 = e > 0 ? -mu * a * (a / e) : 0,
                 .t1 = e > 0 ? b * (b / e) : 0,
                 .cap = law->cap,
                 .inverse = 1 / (1 + mu * mu)};
}

/* ---- In the plane of n and t ---------------------------------------------------------------- */

/* Where the nearest point of K is. */
typedef enum Part { INSIDE, TIP, SIDE, CAP, EDGE } Part;

/* A point (n, t), the nearest one of K, and for the tip the multiplier of its normal. */
typedef struct Nearest {
  Part part;
  double n, t, p, s; /* (p, s) is the nearest point */
  double lambda;
} Nearest;

static inline double larger(double x, double y) { /* fmax is a call */
  return x > y ? x : y;
}

/* The nearest point of the ellipse, (a^2 n/(a^2 + lambda), b^2 t/(b^2 + lambda)): with
 *   phi(lambda) = (a n/(a^2 + lambda))^2 + (b t/(b^2 + lambda))^2
 * lambda is the root of phi = 1. phi^-1/2 is concave, and nearly straight: Newton's steps on it
 * from the left of the root grow and never pass it, and one from the right, where a guess may be,
 * ends at the left. */
static double find_multiplier(const Round *round, double n, double t) {
  enum { STEPS = 60 };               /* three or four do, with a good guess one or two */
  static const double ENOUGH = 1e-8; /* a step after which the next is below rounding */
  double a = round->a, b = round->b;
  double least = larger(0, larger(a * fabs(n) - a * a, b * t - b * b)), lambda = least;
  if (round->lambda > least && round->lambda < INFINITY)
    lambda = round->lambda;
  for (int k = 0; k < STEPS; k++) {
    double over_a = 1 / (a * a + lambda), over_b = 1 / (b * b + lambda);
    double x = a * n * over_a, y = b * t * over_b;
    double phi = x * x + y * y, slope = x * x * over_a + y * y * over_b;
    double step = (sqrt(phi) - 1) * phi / slope;
    if (!(step > 0) && (k > 0 || lambda == least))
      break;
    lambda = larger(least, lambda + step);
    if (fabs(step) <= ENOUGH * lambda)
      break;
  }
  return lambda;
}

static void take_tip(const Round *round, Nearest *x) {
  double a = round->a, b = round->b;
  x->part = TIP;
  if (a == 0 || b == 0) { /* a disc across, or a stroke along the normal with its end at -a */
    x->p = -a;
    x->s = fmin(x->t, b);
  } else if (a == b) {
    double size = sqrt(x->n * x->n + x->t * x->t);
    x->p = a * (x->n / size);
    x->s = a * (x->t / size);
  } else {
    x->lambda = find_multiplier(round, x->n, x->t);
    x->p = a * (a * x->n / (a * a + x->lambda));
    x->s = b * (b * x->t / (b * b + x->lambda));
  }
}

/* Of the set without its cap. */
static void take_open(const Round *round, Nearest *x) {
  double mu = round->mu, a = round->a, b = round->b;
  double along = (x->n - round->n1) + mu * (x->t - round->t1);
  x->part = INSIDE;
  x->p = x->n;
  x->s = x->t;
  if (x->n >= round->n1) {
    if (x->t <= mu * x->n + round->e)
      return;
  } else if (a > 0 && b > 0 && (x->n / a) * (x->n / a) + (x->t / b) * (x->t / b) <= 1) {
    return;
  }
  if (along >= 0) {
    x->part = SIDE;
    x->p = round->n1 + along * round->inverse;
    x->s = mu * x->p + round->e;
  } else {
    take_tip(round, x);
  }
}

/* Where the nearest point of the set without its cap is above that, the cap is part of the answer:
 * the disc of the cap, or its edge. */
static inline Nearest nearest(const Round *round, double n, double t) {
  Nearest x = {.n = n, .t = t};
  take_open(round, &x);
  if (x.p > round->cap) {
    double edge = round->mu * round->cap + round->e;
    x.part = t <= edge ? CAP : EDGE;
    x.p = round->cap;
    x.s = fmin(t, edge);
  }
  return x;
}

/* ---- The kernels ---------------------------------------------------------------------------- */

static void place(const Nearest *x, const double z[3], double p[3]) {
  double k = x->t > 0 ? x->s / x->t : 0;
  if (x->part == INSIDE || x->part == CAP)
    k = 1;
  p[0] = x->p;
  p[1] = k * z[1];
  p[2] = k * z[2];
}

/* Most often z is in the cone and b across, which is seen without a root. */
bool slipi_round_holds(const SlipiLaw *law, const double z[3]) {
  double mu = law->mu, a = law->depth, b = law->radius, t_square = z[1] * z[1] + z[2] * z[2];
  double inner = mu * z[0] + b;
  if (z[0] > law->cap || z[0] < -a)
    return false;
  if (z[0] >= 0 && t_square <= inner * inner)
    return true;
  double e = sqrt(mu * a * (mu * a) + b * b), side = mu * z[0] + e;
  if (z[0] * e >= -mu * a * a)
    return t_square <= side * side;
  double n = z[0] / a, t = 1 / b; /* with a or b = 0 nothing is left of the side */
  return n * n + t_square * t * t <= 1;
}

SlipContactStatus slipi_round_project(const SlipiLaw *law, const double z[3], double p[3]) {
  if (slipi_round_holds(law, z)) {
    memmove(p, z, 3 * sizeof *p);
    return SLIP_CONTACT_STICK;
  }
  Round round = round_of(law);
  Nearest x = nearest(&round, z[0], slipi_tangent_norm(z));
  place(&x, z, p);
  return x.part == INSIDE ? SLIP_CONTACT_STICK
         : x.part == TIP  ? SLIP_CONTACT_OPEN
                          : SLIP_CONTACT_SLIP;
}

/* D: the derivative of (p, s) in (n, t), row by row. */
static void tip_derivative(const Round *round, const Nearest *x, double D[4]) {
  double a = round->a, b = round->b;
  if (a == 0 || b == 0) {
    D[3] = x->t <= b && b > 0;
    return;
  }
  /* Of p_i = c_i^2 z_i/(c_i^2 + lambda): with the point's normal v = p_i/c_i^2 and the weights
   * w_i = c_i^2/(c_i^2 + lambda), D = diag(w) - (w v)(w v)'/(v' w v): no motion along the normal.
   */
  double lambda = a == b ? a * (sqrt(x->n * x->n + x->t * x->t) - a) : x->lambda;
  double w[2] = {a * a / (a * a + lambda), b * b / (b * b + lambda)};
  double v[2] = {x->p / a * (b / a), x->s / b}; /* times b */
  double sum = w[0] * v[0] * v[0] + w[1] * v[1] * v[1];
  D[0] = w[0] - w[0] * v[0] * (w[0] * v[0]) / sum;
  D[1] = D[2] = -w[0] * v[0] * (w[1] * v[1]) / sum;
  D[3] = w[1] - w[1] * v[1] * (w[1] * v[1]) / sum;
}

static void plane_derivative(const Round *round, const Nearest *x, double D[4]) {
  double mu = round->mu, k = round->inverse;
  switch (x->part) {
  case INSIDE:
    D[0] = D[3] = 1;
    return;
  case TIP:
    tip_derivative(round, x, D);
    return;
  case SIDE:
    D[0] = k;
    D[1] = D[2] = k * mu;
    D[3] = k * mu * mu;
    return;
  case CAP:
    D[3] = 1;
    return;
  case EDGE:
    return;
  }
}

static void fill(const Round *round, const Nearest *x, const double z[3], double J[9]) {
  double t = x->t, D[4] = {0};
  plane_derivative(round, x, D);
  double inverse = t > 0 ? 1 / t : 0, a = t > 0 ? z[1] * inverse : 1, b = z[2] * inverse;
  double across = t > 0 ? x->s * inverse : D[3];
  J[0] = D[0];
  J[1] = D[1] * a;
  J[2] = D[1] * b;
  J[3] = D[2] * a;
  J[6] = D[2] * b;
  J[4] = D[3] * a * a + across * b * b;
  J[5] = J[7] = (D[3] - across) * a * b;
  J[8] = D[3] * b * b + across * a * a;
}

void slipi_round_derivative(const SlipiLaw *law, const double z[3], double J[9]) {
  Round round = round_of(law);
  Nearest x = nearest(&round, z[0], slipi_tangent_norm(z));
  fill(&round, &x, z, J);
}

void slipi_round_prepare(const SlipiLaw *law, SlipiRound *round) {
  *round = round_of(law);
}

void slipi_round_look(SlipiRound *round, const double z[3], double p[3], double J[9]) {
  Nearest x = nearest(round, z[0], slipi_tangent_norm(z));
  if (x.lambda > 0)
    round->lambda = x.lambda;
  if (x.part == INSIDE) {
    memcpy(p, z, 3 * sizeof *p);
    memset(J, 0, 9 * sizeof *J);
    J[0] = J[4] = J[8] = 1;
    return;
  }
  place(&x, z, p);
  fill(round, &x, z, J);
}

double slipi_round_support(const SlipiLaw *law, const double x[3]) {
  Round round = round_of(law);
  double n = x[0], t = slipi_tangent_norm(x), cap = round.cap;
  if (cap < INFINITY && n > -round.mu * t) /* largest at the edge of the cap */
    return cap * n + (round.mu * cap + round.e) * t;
  return sqrt(round.a * n * (round.a * n) + round.b * t * (round.b * t));
}

/* -u is normal to K at 0 where that is the nearest point. */
bool slipi_round_opens(const SlipiLaw *law, const double u[3]) {
  double minus[3] = {-u[0], -u[1], -u[2]}, p[3];
  slipi_round_project(law, minus, p);
  return p[0] == 0 && p[1] == 0 && p[2] == 0;
}

SlipiAxis slipi_round_axis(const SlipiLaw *law, int component) {
  (void)law;
  (void)component;
  return SLIPI_AXIS_JOINED;
}

void slipi_round_scale(SlipiLaw *law, double by, double times) {
  law->depth = law->depth / by * times;
  law->radius = law->radius / by * times;
  law->cap = law->cap / by * times;
}
