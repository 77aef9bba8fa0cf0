#include "methods/balls_centre.h"

#include <stdlib.h>
#include <string.h>

#include "contact/soc.h"
#include "linalg/vector.h"

/* W counts for 1/EPSILON in the sum that is made small. */
static const double EPSILON = 1e-10;
/* R and the least distance to the boundary at the start, in terms of the median impulse. */
static const double RADIUS = 10, PUSH = 1e-2;
/* Steps go this far to the boundary, and bring down the sum by this share of its first-order
 * change. */
static const double TO_BOUNDARY = 0.9, ARMIJO = 1e-4, SHORTEST = 1e-10;
/* The end: the square of Newton's decrement, for each contact's root. */
static const double CENTRED = 1e-2;

/* A contact is taken for open or sliding only where its impulse agrees: at most OPEN_IMPULSE of the
 * median; within ALIGNED of the ray against the velocity, even where that is only SLOW times the
 * speed asked for. Sweeps have not settled the others. */
static const double OPEN_IMPULSE = 1e-2, ALIGNED = 0.99, SLOW = 0.1;

enum {
  STICKS,
  ON_RAY, /* slides, or has no friction */
  OPEN,
  BOUND, /* bilateral */
  STAYS  /* not clear: the impulse stays as it is */
};

SlipStatus slipi_centring_create(SlipiOperator *op, SlipiArena *arena, SlipiCentring *c,
                                 SlipError *error) {
  SlipStatus status = slipi_scaled_create(op, true, arena, &c->scaled, error);
  if (status == SLIP_OK)
    status = slipi_system_of(op, &c->system, error);
  if (status != SLIP_OK)
    return status;
  int64_t m = c->scaled->m;
  double **vectors[] = {&c->r, &c->x, &c->ray, &c->pull, &c->gradient, &c->dx, &c->W_dx};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = SLIPI_ARENA_RAW(arena, double, m);
  c->A = SLIPI_ARENA_RAW(arena, double, 3 * m);
  c->B = SLIPI_ARENA_RAW(arena, double, 3 * m);
  c->status = SLIPI_ARENA_RAW(arena, unsigned char, op->nc);
  return arena->failed ? slipi_fail_memory(error, "the centring of impulses") : SLIP_OK;
}

/* ---- Which contacts stick, slide and are open ---- */

static void set_ray(double *ray, double n, double t1, double t2) {
  double size = sqrt(n * n + t1 * t1 + t2 * t2);
  ray[0] = n / size;
  ray[1] = t1 / size;
  ray[2] = t2 / size;
}

/* u in the problem's units, r in those of the scaled problem. */
static unsigned char find_status(const SlipiLaw *law, const double u[3], const double r[3],
                                 double moves, double size, double *ray) {
  if (!slipi_law_is_second_order(law))
    return BOUND;
  if (u[0] > moves)
    return r[0] <= OPEN_IMPULSE * size ? OPEN : STAYS;
  if (slipi_law_axis(law, 1) == SLIPI_AXIS_NONE) {
    set_ray(ray, 1, 0, 0);
    return ON_RAY;
  }
  double t = slipi_soc_tangent(u), against = -(u[1] * r[1] + u[2] * r[2]);
  bool aligned = against > ALIGNED * t * r[0];
  if (t > SLOW * moves && aligned) {
    set_ray(ray, 1, -u[1] / t, -u[2] / t);
    return ON_RAY;
  }
  return t > moves ? STAYS : STICKS;
}

static void find_statuses(SlipiCentring *c, const SlipiLaw *law, double moves, double size) {
  const SlipiScaled *s = c->scaled;
  slipi_scaled_velocity(s, c->r, c->pull);
  for (int32_t a = 0; a < s->nc; a++) {
    int64_t at = 3 * (int64_t)a;
    double u[3];
    for (int k = 0; k < 3; k++)
      u[k] = c->pull[at + k] * s->b[at + k];
    c->status[a] = find_status(&law[a], u, c->r + at, moves, size, c->ray + at);
  }
}

/* ---- Start ---- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median size of the impulses of contacts that are not open; 0 where none is. */
static double median(const SlipiCentring *c) {
  double *sizes = c->dx;
  int32_t count = 0;
  for (int32_t a = 0; a < c->scaled->nc; a++) {
    const double *r = c->r + 3 * (int64_t)a;
    if (r[0] > 0)
      sizes[count++] = sqrt(slipi_dense3_dot(r, r));
  }
  qsort(sizes, (size_t)count, sizeof *sizes, compare);
  return count > 0 ? sizes[count / 2] : 0;
}

/* x: r pushed inside. */
static void start(SlipiCentring *c, double push) {
  for (int32_t a = 0; a < c->scaled->nc; a++) {
    int64_t at = 3 * (int64_t)a;
    const double *r = c->r + at, *ray = c->ray + at;
    double *x = c->x + at;
    memcpy(x, r, 3 * sizeof *x);
    if (c->status[a] == STICKS) {
      x[0] = fmax(x[0], slipi_soc_tangent(x) + push);
    } else if (c->status[a] == ON_RAY || c->status[a] == OPEN) {
      double along = c->status[a] == ON_RAY ? fmax(slipi_dense3_dot(r, ray), push) : 0;
      for (int k = 0; k < 3; k++)
        x[k] = along * ray[k];
      if (c->status[a] == OPEN)
        memset(x, 0, 3 * sizeof *x);
    }
  }
}

/* ---- Newton's method ---- */

/* The barrier of one contact at x; INFINITY outside. */
static double barrier(const SlipiCentring *c, int32_t a, const double x[3]) {
  double along = slipi_dense3_dot(x, c->ray + 3 * (int64_t)a);
  if (c->status[a] == STICKS)
    return slipi_soc_inside(x) ? -log(slipi_soc_det(x)) : INFINITY;
  return c->status[a] == ON_RAY ? (along > 0 ? -2 * log(along) : INFINITY) : 0;
}

/* The sum to be made small, at x + step dx. */
static double sum_at(const SlipiCentring *c, double step) {
  double weight = 0.5 / c->epsilon, inverse = 0.5 / (c->radius * c->radius), sum = 0;
  for (int32_t a = 0; a < c->scaled->nc; a++) {
    double x[3];
    for (int k = 0; k < 3; k++) {
      int64_t at = 3 * (int64_t)a + k;
      x[k] = c->x[at] + step * c->dx[at];
      sum +=
          weight * (x[k] - c->r[at]) * (c->pull[at] + step * c->W_dx[at]) + inverse * x[k] * x[k];
    }
    sum += barrier(c, a, x);
  }
  return sum;
}

/* epsilon times the Hessian of the barrier and of |x|^2/(2 R^2), of a contact that sticks: made of
 * its eigenvectors (1, t)/sqrt(2), (1, -t)/sqrt(2) and (0, t turned), t = x_T/|x_T|. */
static void stick_block(const SlipiCentring *c, const double x[3], double B[9]) {
  double t = slipi_soc_tangent(x), inverse = 1 / (c->radius * c->radius);
  double upper = x[0] + t, lower = x[0] - t;
  double t1 = t > 0 ? x[1] / t : 1, t2 = t > 0 ? x[2] / t : 0;
  double e[3] = {c->epsilon * (2 / (upper * upper) + inverse),
                 c->epsilon * (2 / (lower * lower) + inverse),
                 c->epsilon * (2 / (upper * lower) + inverse)};
  double mean = 0.5 * (e[0] + e[1]), half = 0.5 * (e[0] - e[1]);
  B[0] = mean;
  B[1] = B[3] = half * t1;
  B[2] = B[6] = half * t2;
  B[4] = mean * t1 * t1 + e[2] * t2 * t2;
  B[8] = mean * t2 * t2 + e[2] * t1 * t1;
  B[5] = B[7] = (mean - e[2]) * t1 * t2;
}

/* A and B of one contact, and epsilon times the gradient, in the space the contact may move in. */
static void set_contact(SlipiCentring *c, int32_t a) {
  int64_t at = 3 * (int64_t)a;
  double *A = c->A + 3 * at, *B = c->B + 3 * at, *g = c->gradient + at;
  const double *x = c->x + at, *ray = c->ray + at;
  double inverse = 1 / (c->radius * c->radius), along = slipi_dense3_dot(x, ray);
  double det = slipi_soc_det(x), slope = 0;
  bool stays = c->status[a] == OPEN || c->status[a] == STAYS;
  for (int k = 0; k < 9; k++) {
    A[k] = !stays && k % 4 == 0;
    B[k] = k % 4 == 0 ? (stays ? 1 : c->epsilon * inverse) : 0;
  }
  for (int k = 0; k < 3; k++)
    g[k] = stays ? 0 : c->pull[at + k] + c->epsilon * inverse * x[k];
  if (c->status[a] == STICKS) {
    stick_block(c, x, B);
    for (int k = 0; k < 3; k++)
      g[k] -= 2 * c->epsilon * (k == 0 ? x[k] : -x[k]) / det;
  } else if (c->status[a] == ON_RAY) {
    slope = slipi_dense3_dot(g, ray) - 2 * c->epsilon / along;
    double own = c->epsilon * (2 / (along * along) + inverse);
    for (int k = 0; k < 9; k++) {
      A[k] = ray[k / 3] * ray[k % 3];
      B[k] = (k % 4 == 0) + (own - 1) * A[k];
    }
    for (int k = 0; k < 3; k++)
      g[k] = slope * ray[k];
  }
}

/* The largest step that stays inside, and 1 at most. */
static double longest_step(const SlipiCentring *c) {
  double step = 1;
  for (int32_t a = 0; a < c->scaled->nc; a++) {
    const double *x = c->x + 3 * (int64_t)a, *dx = c->dx + 3 * (int64_t)a;
    const double *ray = c->ray + 3 * (int64_t)a;
    if (c->status[a] == STICKS)
      step = fmin(step, TO_BOUNDARY * slipi_soc_max_step(x, dx));
    else if (c->status[a] == ON_RAY && slipi_dense3_dot(dx, ray) < 0)
      step = fmin(step, -TO_BOUNDARY * slipi_dense3_dot(x, ray) / slipi_dense3_dot(dx, ray));
  }
  return step;
}

/* dx = -(A W + B)^-1 gradient; *found is false where there are no factors. */
static SlipStatus direction(SlipiCentring *c, bool *found, SlipError *error) {
  int sign;
  for (int32_t a = 0; a < c->scaled->nc; a++)
    set_contact(c, a);
  SlipStatus status = slipi_system_factor(c->system, c->scaled, c->A, c->B, &sign, error);
  *found = status == SLIP_OK && sign != 0;
  c->factorisations++;
  if (*found)
    status = slipi_system_solve(c->system, c->gradient, c->dx, error);
  for (int32_t k = 0; *found && k < c->scaled->m; k++)
    c->dx[k] = -c->dx[k];
  slipi_bsr_multiply(&c->scaled->W, c->dx, c->W_dx, NULL);
  return status;
}

/* One step; *over where it was the last. */
static SlipStatus newton_step(SlipiCentring *c, bool *over, SlipError *error) {
  int32_t m = c->scaled->m;
  *over = true;
  bool found;
  SlipStatus status = direction(c, &found, error);
  if (status != SLIP_OK || !found)
    return status;
  double fall = -slipi_dot(c->gradient, c->dx, m) / c->epsilon, before = sum_at(c, 0);
  double step = longest_step(c);
  while (step > SHORTEST && !(sum_at(c, step) <= before - ARMIJO * step * fall))
    step *= 0.5;
  if (step <= SHORTEST)
    return SLIP_OK;
  for (int32_t k = 0; k < m; k++) {
    c->x[k] += step * c->dx[k];
    c->pull[k] += step * c->W_dx[k];
  }
  *over = fall < CENTRED * sqrt(m) && step > 0.99;
  return SLIP_OK;
}

SlipStatus slipi_centring_run(SlipiCentring *c, const SlipiLaw *law, const double *q, double moves,
                              int steps, double *r, SlipError *error) {
  bool over = false;
  c->factorisations = 0;
  SlipStatus status = slipi_scaled_set(c->scaled, law, q, true, error);
  if (status != SLIP_OK)
    return status;
  slipi_scaled_to(c->scaled, r, c->r);
  double size = median(c);
  if (!(size > 0))
    return SLIP_OK;
  find_statuses(c, law, moves, size);
  c->radius = RADIUS * size;
  c->epsilon = EPSILON;
  start(c, PUSH * size);
  for (int32_t k = 0; k < c->scaled->m; k++)
    c->dx[k] = c->x[k] - c->r[k];
  slipi_bsr_multiply(&c->scaled->W, c->dx, c->pull, NULL);
  while (status == SLIP_OK && !over && c->factorisations < steps)
    status = newton_step(c, &over, error);
  if (status == SLIP_OK)
    slipi_scaled_back(c->scaled, c->x, r);
  return status;
}
