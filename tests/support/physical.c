#include "physical.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "reference.h"

const char *const physical_part_names[PHYSICAL_PARTS] = {"penetration",     "pull", "cone",
                                                         "complementarity", "slip", "bilateral"};

typedef long double Real;

/* How far a contact is from one of the cases of its law, and why. */
typedef struct Distance {
  Real size;
  PhysicalPart part;
} Distance;

/* The larger of two parts. */
static Distance with(Distance found, PhysicalPart part, Real size) {
  if (size > found.size || isnan(size)) {
    found.size = size;
    found.part = part;
  }
  return found;
}

static Distance nearer(Distance a, Distance b) {
  return b.size < a.size || isnan(a.size) ? b : a;
}

static Real tangent(const Real x[3]) {
  return hypotl(x[1], x[2]);
}

static Real above(Real x) {
  return x > 0 ? x : 0;
}

static Distance open_distance(const Real p[3], const Real u[3]) {
  Distance found = {0, PHYSICAL_PENETRATION};
  found = with(found, PHYSICAL_PENETRATION, -u[0]);
  found = with(found, p[0] < 0 ? PHYSICAL_PULL : PHYSICAL_COMPLEMENTARITY, fabsl(p[0]));
  return with(found, PHYSICAL_CONE, tangent(p));
}

/* Of p from the cone |p_T| <= mu p_N, by the nearest point of its ray in the plane of p. */
static Distance cone_distance(Real mu, const Real p[3], Distance found) {
  Real t = tangent(p), along = above((p[0] + mu * t) / (1 + mu * mu));
  if (t <= mu * p[0])
    return found;
  return with(found, p[0] < 0 ? PHYSICAL_PULL : PHYSICAL_CONE,
              hypotl(p[0] - along, t - mu * along));
}

static Distance stick_distance(Real mu, const Real p[3], const Real u[3]) {
  Distance found = {0, PHYSICAL_SLIP};
  found = with(found, PHYSICAL_SLIP, tangent(u));
  found = with(found, u[0] < 0 ? PHYSICAL_PENETRATION : PHYSICAL_COMPLEMENTARITY, fabsl(u[0]));
  return cone_distance(mu, p, found);
}

/* Keep u_T and bring p to the ray that opposes it. */
static Distance slide_by_impulse(Real mu, const Real p[3], const Real u[3], Distance found) {
  Real size = tangent(u), unit = sqrtl(1 + mu * mu), square = 0;
  if (size == 0)
    return with(found, PHYSICAL_SLIP, INFINITY);
  const Real ray[3] = {1 / unit, -mu / unit * u[1] / size, -mu / unit * u[2] / size};
  Real along = above(p[0] * ray[0] + p[1] * ray[1] + p[2] * ray[2]);
  for (int k = 0; k < 3; k++)
    square += (p[k] - along * ray[k]) * (p[k] - along * ray[k]);
  bool outside = tangent(p) > mu * p[0];
  return with(found,
              p[0] < 0  ? PHYSICAL_PULL
              : outside ? PHYSICAL_CONE
                        : PHYSICAL_SLIP,
              sqrtl(square));
}

/* Keep the direction of p_T and turn u_T against it. */
static Distance slide_by_velocity(Real mu, const Real p[3], const Real u[3], Distance found) {
  Real size = tangent(p), unit = sqrtl(1 + mu * mu);
  if (size == 0 || p[0] < 0)
    return with(found, PHYSICAL_SLIP, INFINITY);
  Real t[2] = {-p[1] / size, -p[2] / size}, s = above(u[1] * t[0] + u[2] * t[1]);
  found = with(found, PHYSICAL_SLIP, hypotl(u[1] - s * t[0], u[2] - s * t[1]));
  return with(found, size > mu * p[0] ? PHYSICAL_CONE : PHYSICAL_SLIP,
              fabsl(mu * p[0] - size) / unit);
}

static Distance slide_distance(Real mu, const Real p[3], const Real u[3]) {
  Distance found = {0, PHYSICAL_SLIP};
  found = with(found, u[0] < 0 ? PHYSICAL_PENETRATION : PHYSICAL_COMPLEMENTARITY, fabsl(u[0]));
  return nearer(slide_by_impulse(mu, p, u, found), slide_by_velocity(mu, p, u, found));
}

/* p = w r. */
static Distance coulomb_distance(Real mu, int associated, const Real p[3], const Real velocity[3]) {
  Real u[3] = {velocity[0], velocity[1], velocity[2]};
  Real unit = associated ? sqrtl(1 + mu * mu) : 1;
  u[0] = (u[0] - (associated ? mu * tangent(u) : 0)) / unit;
  return nearer(open_distance(p, u), nearer(stick_distance(mu, p, u), slide_distance(mu, p, u)));
}

static Distance bilateral_distance(int32_t bound, const Real p[3], const Real u[3]) {
  Distance found = {0, PHYSICAL_BILATERAL};
  for (int k = 0; k < 3; k++)
    found = with(found, PHYSICAL_BILATERAL, fabsl(bound >> k & 1 ? u[k] : p[k]));
  return found;
}

/* Tresca's friction: the normal on its own, and |p_T| <= radius, which opposes a slip at the full
 * radius. */
static Distance tresca_distance(Real radius, const Real p[3], const Real u[3]) {
  const Distance none = {0, PHYSICAL_SLIP};
  Distance open =
      with(with(none, PHYSICAL_PENETRATION, -u[0]), PHYSICAL_COMPLEMENTARITY, fabsl(p[0]));
  Distance closed = with(with(none, PHYSICAL_PULL, -p[0]),
                         u[0] < 0 ? PHYSICAL_PENETRATION : PHYSICAL_COMPLEMENTARITY, fabsl(u[0]));
  Distance stick =
      with(with(none, PHYSICAL_SLIP, tangent(u)), PHYSICAL_CONE, above(tangent(p) - radius));
  Real size = tangent(u);
  Distance slide = none;
  slide.size =
      size > 0 ? hypotl(p[1] + radius * u[1] / size, p[2] + radius * u[2] / size) : (Real)INFINITY;
  Distance normal = nearer(open, closed), tangential = nearer(stick, slide);
  return normal.size > tangential.size ? normal : tangential;
}

static const SlipLaws *laws_of(const SlipProblem *problem) {
  SlipLocalData local = slip_default_local_data();
  SlipGlobalData global = slip_default_global_data();
  if (slip_problem_local_data(problem, &local, NULL) == SLIP_OK)
    return local.laws;
  return slip_problem_global_data(problem, &global, NULL) == SLIP_OK ? global.laws : NULL;
}

static Distance distance_of(const SlipLaws *laws, int32_t a, Real w, int associated,
                            const Real p[3], const Real u[3]) {
  int32_t kind = laws->kind ? laws->kind[a] : SLIP_COULOMB;
  if (kind == SLIP_TRESCA)
    return tresca_distance(w * laws->radius[a], p, u);
  if (kind == SLIP_BILATERAL)
    return bilateral_distance(laws->bound ? laws->bound[a] : 7, p, u);
  Real mu = kind == SLIP_FRICTIONLESS ? 0 : (Real)laws->mu[a];
  Real raised[3] = {p[0] + (kind == SLIP_COHESIVE ? w * (Real)laws->cohesion[a] : 0), p[1], p[2]};
  int normal = laws->flow && laws->flow[a] == SLIP_FLOW_ASSOCIATED;
  return coulomb_distance(mu, associated || normal, raised, u);
}

static Real norm(int d, const double *x) {
  Real sum = 0;
  for (int k = 0; k < d; k++)
    sum += (Real)x[k] * x[k];
  return sqrtl(sum);
}

/* V and |q|; where q is 0, only r can say how large velocities are. */
static void scales(int d, int32_t nc, const double *q, const double *r, const double *w, Real *V,
                   Real *all) {
  Real sum = 0, most = 0, pushed = 0;
  for (int32_t a = 0; a < nc; a++) {
    Real size = norm(d, q + (size_t)d * (size_t)a);
    sum += size * size;
    most = fmaxl(most, size);
    pushed = fmaxl(pushed, w[a] * norm(d, r + (size_t)d * (size_t)a));
  }
  *V = most > 0 ? most : pushed;
  *all = sum > 0 ? sqrtl(sum) : *V;
}

static void judge(const SlipProblem *problem, const double *r, const double *u, const double *q,
                  const double *w, int associated, Physical *found) {
  int d = slip_problem_dimension(problem);
  int32_t nc = slip_problem_contacts(problem);
  const SlipLaws *laws = laws_of(problem);
  Real V, all, sum = 0;
  scales(d, nc, q, r, w, &V, &all);
  found->velocity = (double)V;
  for (int32_t a = 0; a < nc; a++) {
    Real p[3] = {0}, x[3] = {0};
    for (int k = 0; k < d; k++) {
      p[k] = (Real)w[a] * r[(size_t)d * (size_t)a + (size_t)k];
      x[k] = u[(size_t)d * (size_t)a + (size_t)k];
    }
    Distance distance = distance_of(laws, a, w[a], associated, p, x);
    Real size = distance.size == 0 ? 0 : distance.size / V;
    sum += distance.size * distance.size;
    found->of_contact[a] = (double)size;
    if (found->contact < 0 || !(size <= found->worst)) {
      found->worst = (double)size;
      found->contact = a;
      found->part = distance.part;
    }
  }
  found->total = sum == 0 ? 0 : (double)(sqrtl(sum) / all);
}

int physical_check(const SlipProblem *problem, const double *r, int associated, Physical *found) {
  size_t nc = (size_t)slip_problem_contacts(problem);
  size_t m = nc * (size_t)slip_problem_dimension(problem);
  double *u = malloc((m + 1) * sizeof *u), *q = malloc((m + 1) * sizeof *q);
  double *zero = calloc(m + 1, sizeof *zero), *w = calloc(nc + 1, sizeof *w);
  *found = (Physical){.contact = -1, .of_contact = calloc(nc + 1, sizeof(double))};
  int bad = !u || !q || !zero || !w || !found->of_contact || reference_velocity(problem, r, u) ||
            reference_velocity(problem, zero, q) || reference_mobility(problem, w);
  if (!bad)
    judge(problem, r, u, q, w, associated, found);
  free(u);
  free(q);
  free(zero);
  free(w);
  return bad ? -1 : 0;
}
