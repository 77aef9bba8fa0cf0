#include "contact/onecontact_rolling.h"

#include <string.h>

#include "contact/rolling.h"
#include "linalg/dense3.h"

enum { STEPS = 30, HALVINGS = 6, TURNS = 60 };
static const double SOLVED = 4e-15, GOOD = 1e-11; /* |F|, q and r being of size 1 */
/* Below the first of these steps that do not bring |F| to the share move by rounding only. */
static const double ROUNDING = 1e-13, ROUNDING_FALL = 0.25;

/* The problem in units in which the diagonal blocks of W have size 1, and q and r too. */
typedef struct Scaled {
  const double *W;
  double q[6];
  double unit[2]; /* of r and m */
  SlipiLaw contact, moments;
  SlipiSteps rho;
} Scaled;

static double largest(const double x[6]) {
  return fmax(slipi_dense3_max(x), slipi_dense3_max(x + 3));
}

void slipi_rolling_prepare(SlipiRollingContact *both, const SlipiOneContact *contact,
                           const SlipiOneContact *moments) {
  double block[9], *size = both->size;
  size[0] = contact->scale > 0 ? sqrt(contact->scale) : 1;
  size[1] = moments->scale > 0 ? sqrt(moments->scale) : 1;
  for (int k = 0; k < 36; k++)
    both->scaled[k] = both->W[k] / (size[k / 18] * size[k % 6 / 3]);
  for (int k = 0; k < 9; k++)
    block[k] = both->scaled[6 * (k / 3) + k % 3];
  both->rho = slipi_nonsmooth_steps(slipi_nonsmooth_rule(SLIPI_NONSMOOTH_AC, &contact->law), block);
}

static Scaled scale(const SlipiRollingContact *both, const SlipiOneContact *contact,
                    const SlipiOneContact *moments, const double q[6], const double r[6]) {
  const double *size = both->size;
  Scaled s = {
      .W = both->scaled, .contact = contact->law, .moments = moments->law, .rho = both->rho};
  double most = 0;
  for (int k = 0; k < 6; k++) {
    s.q[k] = q[k] / size[k / 3];
    most = fmax(most, fmax(fabs(s.q[k]), fabs(r[k]) * size[k / 3]));
  }
  most = most > 0 ? most : 1;
  for (int k = 0; k < 6; k++)
    s.q[k] /= most;
  s.unit[0] = most / size[0];
  s.unit[1] = most / size[1];
  s.moments.mu *= size[1] / size[0];
  s.moments.cap *= size[1] / size[0];
  return s;
}

static void velocity(const Scaled *s, const double x[6], double u[6]) {
  for (int i = 0; i < 6; i++) {
    u[i] = s->q[i];
    for (int k = 0; k < 6; k++)
      u[i] += s->W[6 * i + k] * x[k];
  }
}

/* F and, where J is not NULL, its derivative in x; returns |F|. */
static double equations(const Scaled *s, const double x[6], double F[6], double *J) {
  const SlipiSteps one = {1, 1, 1};
  double u[6], A[2][9], B[2][9], K[9], square = 0;
  SlipiLaw under = slipi_rolling_under(s->moments, x[0]);
  velocity(s, x, u);
  slipi_nonsmooth(SLIPI_NONSMOOTH_AC, &s->contact, s->rho, u, x, F, J ? A[0] : NULL,
                  J ? B[0] : NULL);
  slipi_nonsmooth(SLIPI_NONSMOOTH_NAT, &under, one, u + 3, x + 3, F + 3, J ? A[1] : NULL,
                  J ? B[1] : NULL);
  for (int k = 0; k < 6; k++)
    square += F[k] * F[k];
  if (!J)
    return sqrt(square);
  slipi_rolling_slope(&under, 1, u + 3, x + 3, K);
  for (int i = 0; i < 6; i++) {
    const double *row = A[i / 3] + (ptrdiff_t)3 * (i % 3);
    for (int j = 0; j < 6; j++) {
      const double *W = s->W + (ptrdiff_t)18 * (i / 3) + j;
      double own = i / 3 == j / 3 ? B[i / 3][3 * (i % 3) + j % 3] : 0;
      if (i >= 3 && j < 3)
        own = K[3 * (i - 3) + j];
      J[6 * i + j] = own + row[0] * W[0] + row[1] * W[6] + row[2] * W[12];
    }
  }
  return sqrt(square);
}

/* Solve J d = F by elimination with row pivots; a pivot that is nothing is made something small. */
static void solve6(double J[36], double d[6]) {
  static const double tiny = 1e-12;
  for (int k = 0; k < 6; k++) {
    int best = k;
    for (int i = k + 1; i < 6; i++)
      best = fabs(J[6 * i + k]) > fabs(J[6 * best + k]) ? i : best;
    for (int j = 0; j < 6 && best != k; j++) {
      double other = J[6 * k + j];
      J[6 * k + j] = J[6 * best + j];
      J[6 * best + j] = other;
    }
    double swapped = d[k];
    d[k] = d[best];
    d[best] = swapped;
    if (fabs(J[7 * k]) < tiny)
      J[7 * k] = copysign(tiny, J[7 * k]);
    for (int i = k + 1; i < 6; i++) {
      double factor = J[6 * i + k] / J[7 * k];
      for (int j = k; j < 6; j++)
        J[6 * i + j] -= factor * J[6 * k + j];
      d[i] -= factor * d[k];
    }
  }
  for (int k = 5; k >= 0; k--) {
    for (int j = k + 1; j < 6; j++)
      d[k] -= J[6 * k + j] * d[j];
    d[k] /= J[7 * k];
  }
}

/* Newton steps from x, shortened while |F| rises; x becomes the best point. Returns its |F|, and
 * in *first that of x as it came. */
static double newton(const Scaled *s, double x[6], double *first) {
  double F[6], J[36], y[6], next[6], best = INFINITY;
  memcpy(y, x, sizeof y);
  for (int step = 0; step < STEPS; step++) {
    double now = equations(s, y, F, J);
    bool done = !(now > SOLVED) || (best <= ROUNDING && now > ROUNDING_FALL * best);
    if (step == 0)
      *first = now;
    if (now < best) {
      best = now;
      memcpy(x, y, sizeof y);
    }
    if (done)
      break;
    solve6(J, F);
    double share = 1, size, G[6];
    int half = 0;
    do {
      for (int k = 0; k < 6; k++)
        next[k] = y[k] - share * F[k];
      size = equations(s, next, G, NULL);
      share *= 0.5;
    } while (++half < HALVINGS && !(size < now));
    if (!(largest(next) < INFINITY))
      break;
    memcpy(y, next, sizeof y);
    if (size <= SOLVED) {
      memcpy(x, y, sizeof y);
      return size;
    }
  }
  return best;
}

/* r and m in turn, each with the other held, in the units that were given. */
static void take_turns(const SlipiRollingContact *both, SlipiOneContact *contact,
                       SlipiOneContact *moments, const SlipiOneContactRule *rule, const double q[6],
                       double r[6]) {
  SlipiLaw law = moments->law;
  for (int turn = 0; turn < TURNS; turn++) {
    double own[6], before[6];
    memcpy(before, r, sizeof before);
    for (int half = 0; half < 2; half++) {
      const double *other = r + (ptrdiff_t)3 * (1 - half);
      for (int i = 3 * half; i < 3 * half + 3; i++) {
        const double *W = both->W + (ptrdiff_t)6 * i + (ptrdiff_t)3 * (1 - half);
        own[i] = q[i] + W[0] * other[0] + W[1] * other[1] + W[2] * other[2];
      }
      if (half == 1)
        moments->law = slipi_rolling_under(law, r[0]);
      slipi_one_contact_solve(half == 0 ? contact : moments, rule, own + (ptrdiff_t)3 * half,
                              r + (ptrdiff_t)3 * half);
    }
    double moved = 0;
    for (int k = 0; k < 6; k++)
      moved = fmax(moved, fabs(r[k] - before[k]));
    if (moved == 0)
      break;
  }
  moments->law = law;
}

void slipi_rolling_solve(const SlipiRollingContact *both, SlipiOneContact *contact,
                         SlipiOneContact *moments, const SlipiOneContactRule *rule,
                         const double q[6], double r[6]) {
  if (!(largest(q) < INFINITY) || !(largest(r) < INFINITY))
    return;
  /* Open: without an impulse there are no moments. Where others may hold, too, r stays near. */
  if (q[0] >= 0 && slipi_law_is_coulomb(&contact->law) &&
      (largest(r) == 0 || (contact->exact && contact->coupling != SLIPI_COUPLING_STRONG))) {
    memset(r, 0, 6 * sizeof *r);
    return;
  }
  Scaled s = scale(both, contact, moments, q, r);
  double x[6], first, ignored;
  for (int k = 0; k < 6; k++)
    x[k] = r[k] / s.unit[k / 3];
  double best = newton(&s, x, &first);
  if (best > GOOD) {
    double turned[6];
    memcpy(turned, r, sizeof turned);
    take_turns(both, contact, moments, rule, q, turned);
    for (int k = 0; k < 6; k++)
      turned[k] /= s.unit[k / 3];
    double other = newton(&s, turned, &ignored);
    if (other < best) {
      best = other;
      memcpy(x, turned, sizeof x);
    }
  }
  for (int k = 0; k < 6 && best < first; k++)
    r[k] = x[k] * s.unit[k / 3];
}
