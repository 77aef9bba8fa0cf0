#include "exist/separate.h"

#include <string.h>

#include "contact/soc.h"
#include "linalg/vector.h"

/* A contact's own degrees of freedom reach every velocity of it where the least pivot of their
 * Gram matrix is this share of the largest entry. */
#define INDEPENDENT 1e-8
/* The search ends where H' x is so far inside; it aims at 1. */
#define INSIDE 1e-3
/* It has failed where H y is this share of y: then y is nearly an impulse in balance. Or where the
 * squared distance falls by less than a twentieth in so many steps. */
#define BALANCED 0.01
#define FALL 0.95
enum { ITERATIONS_MAX = 1000, PATIENCE = 40, LINE_MAX = 4 };
/* The aim is lowered, for LOW_MAX steps, where 1 in FEWER of the contacts is outside and the
 * squared distance falls by less than half in PACE steps; again where 1 in FEWER of those is left.
 */
#define LOW 0.05
#define SLOW 0.5
enum { FEWER = 10, LOW_MAX = 60, PACE = 10 };

/* ---- Peeling ------------------------------------------------------------------------------ */

/* A contact some of whose degrees of freedom no other contact feels can be given any velocity by
 * those, if they suffice, whatever the others do: it is taken away, and the rest looked at again.
 * Where nothing is left, H has full column rank. */
typedef struct Peel {
  const SlipiKinematics *kin;
  int32_t *others;       /* contacts left at each degree of freedom */
  int32_t *order, count; /* of the contacts taken away */
  int32_t *stack;        /* of those to look at */
  bool *gone, *waiting;
} Peel;

/* The Gram matrix of the contact's own degrees of freedom, as Cholesky factors (lower). Components
 * that friction does not weigh are left out: their factor is 1. */
static bool own_factor(const Peel *peel, int32_t c, bool after, double L[9]) {
  const SlipiKinematics *kin = peel->kin;
  double G[9] = {0}, largest = 0;
  for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++) {
    const double *h = kin->h + 3 * (int64_t)e;
    if (peel->others[kin->k[e]] == (after ? -c - 1 : 1))
      for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
          G[3 * i + j] += h[i] * h[j];
  }
  for (int i = 0; i < 3; i++)
    largest = fmax(largest, G[4 * i]);
  for (int i = 0; i < 3; i++)
    if (i > 0 && (i >= kin->data->d || kin->mu[c] == 0))
      G[4 * i] = largest;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      double sum = G[3 * i + j];
      for (int k = 0; k < j; k++)
        sum -= L[3 * i + k] * L[3 * j + k];
      if (i == j && !(sum > INDEPENDENT * largest))
        return false;
      L[3 * i + j] = i == j ? sqrt(sum) : sum / L[4 * j];
    }
  return true;
}

/* Take the contact away; its own degrees of freedom are marked with it. */
static int32_t take(Peel *peel, int32_t c, int32_t waiting) {
  const SlipiKinematics *kin = peel->kin;
  peel->gone[c] = true;
  peel->order[peel->count++] = c;
  for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++) {
    int32_t j = kin->k[e];
    peel->others[j] = peel->others[j] == 1 ? -c - 1 : peel->others[j] - 1;
    for (int32_t t = kin->tp[j]; peel->others[j] == 1 && t < kin->tp[j + 1]; t++) {
      int32_t other = kin->tc[t];
      if (!peel->gone[other] && !peel->waiting[other]) {
        peel->waiting[other] = true;
        peel->stack[waiting++] = other;
      }
    }
  }
  return waiting;
}

static bool peel_all(Peel *peel) {
  const SlipiKinematics *kin = peel->kin;
  int32_t waiting = 0;
  double L[9];
  for (int32_t j = 0; j < kin->n; j++)
    peel->others[j] = kin->tp[j + 1] - kin->tp[j];
  for (int32_t c = kin->nc; c-- > 0;) {
    peel->stack[waiting++] = c;
    peel->waiting[c] = true;
  }
  while (waiting > 0) {
    int32_t c = peel->stack[--waiting];
    peel->waiting[c] = false;
    if (own_factor(peel, c, false, L))
      waiting = take(peel, c, waiting);
  }
  return peel->count == kin->nc;
}

/* H' x = e, contact by contact from the last taken away to the first. */
static void set_velocities(const Peel *peel, double *x) {
  const SlipiKinematics *kin = peel->kin;
  memset(x, 0, (size_t)kin->n * sizeof *x);
  for (int32_t at = peel->count; at-- > 0;) {
    int32_t c = peel->order[at];
    double t[3] = {1, 0, 0}, L[9];
    for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++)
      for (int k = 0; k < 3; k++)
        t[k] -= kin->h[3 * (int64_t)e + k] * x[kin->k[e]];
    if (!own_factor(peel, c, true, L)) /* it could when the contact was taken away */
      continue;
    t[0] /= L[0];
    t[1] = (t[1] - L[3] * t[0]) / L[4];
    t[2] = (t[2] - L[6] * t[0] - L[7] * t[1]) / L[8];
    t[2] /= L[8];
    t[1] = (t[1] - L[7] * t[2]) / L[4];
    t[0] = (t[0] - L[3] * t[1] - L[6] * t[2]) / L[0];
    for (int32_t e = kin->p[c]; e < kin->p[c + 1]; e++)
      if (peel->others[kin->k[e]] == -c - 1)
        x[kin->k[e]] += slipi_dense3_dot(kin->h + 3 * (int64_t)e, t);
  }
}

/* ---- Descent ------------------------------------------------------------------------------ */

/* Half the squared distance of H' x from e + Q, which is 0 where the contacts can separate and
 * otherwise leaves a y in Q with H y = 0: conjugate gradients (Polak and Ribiere), scaled by the
 * diagonal of H H'.
 *
 * Soon few contacts are outside, but all the others, most of them with room to spare, still weigh
 * in as far as they are from the aim. So the aim is then lowered, LOW e + Q: the remaining
 * work is local, and mostly takes a few dozen steps whatever the size. Where it does not, the aim
 * is 1 again until fewer are outside. */
typedef struct Descent {
  const SlipiKinematics *kin;
  double *z, *dz, *y, *g, *previous, *d, *scale;
  double aim;
  int32_t outside; /* contacts not INSIDE */
  int32_t few;     /* outside, for the aim to be lowered */
  int since;       /* steps with this aim */
} Descent;

/* y = P_Q(aim e - z), contact by contact. */
static void rest(const double z[3], double aim, double y[3]) {
  double a = aim - z[0], t = slipi_soc_tangent(z);
  y[0] = a;
  y[1] = -z[1];
  y[2] = -z[2];
  if (t <= a)
    return;
  double share = a + t > 0 ? 0.5 * (a + t) : 0;
  y[0] = share;
  y[1] = t > 0 ? -z[1] * (share / t) : 0;
  y[2] = t > 0 ? -z[2] * (share / t) : 0;
}

/* The slope of the distance at z + t dz. */
static double slope(const Descent *s, double t) {
  double sum = 0;
  for (int32_t c = 0; c < s->kin->nc; c++) {
    const double *z = s->z + 3 * (int64_t)c, *dz = s->dz + 3 * (int64_t)c;
    double at[3] = {z[0] + t * dz[0], z[1] + t * dz[1], z[2] + t * dz[2]}, y[3];
    rest(at, s->aim, y);
    sum -= slipi_dense3_dot(y, dz);
  }
  return sum;
}

/* Where the slope along d is 0, roughly: it grows along d, so its zero can be bracketed. */
static double line(const Descent *s, double slope0) {
  double t = -slope0 / slipi_dot(s->dz, s->dz, 3 * (int64_t)s->kin->nc);
  double low = 0, below = slope0, high = INFINITY, above = 0;
  for (int k = 0; k < LINE_MAX; k++) {
    double now = slope(s, t);
    if (fabs(now) <= 0.1 * -slope0)
      break;
    if (now < 0) {
      double next = now > below ? t - now * (t - low) / (now - below) : 4 * t;
      low = t;
      below = now;
      t = fmin(next, 8 * t);
    } else {
      high = t;
      above = now;
    }
    if (high < INFINITY)
      t = low - below * (high - low) / (above - below);
  }
  return t;
}

/* y and the gradient -H y; returns the least margin. */
static double look(Descent *s) {
  const SlipiKinematics *kin = s->kin;
  double least = INFINITY;
  s->outside = 0;
  for (int32_t c = 0; c < kin->nc; c++) {
    const double *z = s->z + 3 * (int64_t)c;
    double margin = z[0] - slipi_soc_tangent(z);
    rest(z, s->aim, s->y + 3 * (int64_t)c);
    s->outside += margin <= INSIDE;
    least = fmin(least, margin);
  }
  return least;
}

static void turn(const Descent *s, bool first, double *rho) {
  int32_t n = s->kin->n;
  double next = 0, change = 0;
  for (int32_t j = 0; j < n; j++) {
    double scaled = s->scale[j] * s->g[j];
    next += scaled * s->g[j];
    change += scaled * (s->g[j] - s->previous[j]);
  }
  double beta = first || !(*rho > 0) ? 0 : fmax(change / *rho, 0);
  for (int32_t j = 0; j < n; j++)
    s->d[j] = beta * s->d[j] - s->scale[j] * s->g[j];
  *rho = next;
}

static void set_aim(Descent *s, double aim) {
  s->aim = aim;
  s->since = 0;
  if (aim == 1)
    s->few = s->outside / FEWER;
  look(s);
}

/* Minus the scaled gradient, or a direction conjugate to those before; the slope along it. */
static double direct(Descent *s, double *rho) {
  int64_t n = s->kin->n;
  memcpy(s->previous, s->g, (size_t)n * sizeof *s->g);
  slipi_kinematics_apply_transposed(s->kin, s->y, s->g);
  for (int64_t j = 0; j < n; j++)
    s->g[j] = -s->g[j];
  turn(s, s->since == 0, rho);
  double slope0 = slipi_dot(s->g, s->d, n);
  if (slope0 < 0)
    return slope0;
  turn(s, true, rho); /* not a descent direction: along the gradient again */
  return slipi_dot(s->g, s->d, n);
}

static void move(Descent *s, double slope0, double *x) {
  slipi_kinematics_apply(s->kin, s->d, s->dz);
  double t = line(s, slope0);
  for (int64_t j = 0; j < s->kin->n; j++)
    x[j] += t * s->d[j];
  for (int64_t j = 0; j < 3 * (int64_t)s->kin->nc; j++)
    s->z[j] += t * s->dz[j];
}

static double descend(Descent *s, const SlipiStop *stop, double *x, int *iterations) {
  double rho = 0, before = INFINITY, pace = INFINITY;
  int k = 0;
  memset(x, 0, (size_t)s->kin->n * sizeof *x);
  s->few = s->kin->nc / FEWER;
  s->aim = 1;
  double margin = look(s);
  for (; k < ITERATIONS_MAX && !(margin > INSIDE); k++) {
    if (slipi_is_stopped(stop))
      break;
    double slope0 = direct(s, &rho), square = slipi_dot(s->y, s->y, 3 * (int64_t)s->kin->nc);
    bool stuck = !(slope0 < 0) || rho <= BALANCED * BALANCED * square ||
                 (s->since > 0 && s->since % PATIENCE == 0 && square > FALL * before);
    if (stuck && s->aim == 1)
      break;
    before = s->since % PATIENCE == 0 ? square : before;
    s->since++;
    if (!stuck) {
      move(s, slope0, x);
      margin = look(s);
    }
    if (s->aim == 1 && s->since % PACE == 0) {
      if (s->outside <= s->few && square > SLOW * pace)
        set_aim(s, LOW);
      pace = square;
    }
    if (s->aim < 1 && (stuck || s->since > LOW_MAX))
      set_aim(s, 1);
  }
  *iterations = k;
  return margin;
}

static void set_scale(const SlipiKinematics *kin, double *scale) {
  for (int32_t j = 0; j < kin->n; j++) {
    double sum = 0;
    for (int32_t t = kin->tp[j]; t < kin->tp[j + 1]; t++) {
      const double *h = kin->h + 3 * (int64_t)kin->te[t];
      sum += slipi_dense3_dot(h, h);
    }
    scale[j] = sum > 0 ? 1 / sum : 0;
  }
}

SlipStatus slipi_separate(SlipiArena *arena, const SlipiKinematics *kin, const SlipiStop *stop,
                          double *x, double *margin, SlipiSeparation *answer, int *iterations,
                          SlipError *error) {
  int64_t n = kin->n, nc = kin->nc;
  *answer = SLIPI_SEPARATE_UNKNOWN;
  *iterations = 0;
  *margin = 1;
  Peel peel = {.kin = kin,
               .others = SLIPI_ARENA_NEW(arena, int32_t, n),
               .order = SLIPI_ARENA_NEW(arena, int32_t, nc),
               .stack = SLIPI_ARENA_NEW(arena, int32_t, nc),
               .gone = SLIPI_ARENA_NEW(arena, bool, nc),
               .waiting = SLIPI_ARENA_NEW(arena, bool, nc)};
  if (arena->failed)
    return slipi_fail_memory(error, "an existence check");
  if (peel_all(&peel)) {
    set_velocities(&peel, x);
    *answer = SLIPI_SEPARATE_FULL_RANK;
    return SLIP_OK;
  }
  Descent descent = {.kin = kin};
  double **of_n[] = {&descent.g, &descent.previous, &descent.d, &descent.scale};
  double **of_m[] = {&descent.z, &descent.dz, &descent.y};
  for (size_t k = 0; k < sizeof of_n / sizeof of_n[0]; k++)
    *of_n[k] = SLIPI_ARENA_NEW(arena, double, n);
  for (size_t k = 0; k < sizeof of_m / sizeof of_m[0]; k++)
    *of_m[k] = SLIPI_ARENA_NEW(arena, double, 3 * nc);
  if (arena->failed)
    return slipi_fail_memory(error, "an existence check");
  set_scale(kin, descent.scale);
  *margin = descend(&descent, stop, x, iterations);
  if (*margin > INSIDE)
    *answer = SLIPI_SEPARATE_INSIDE;
  return SLIP_OK;
}
