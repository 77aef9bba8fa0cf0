/* All solutions of a one-contact problem by going through the cases of Coulomb's law (Bonnefon,
 * Daviet 2011, section 2): open, stick, slide. */
#include <string.h>

#include "base/error.h"
#include "base/versioned.h"
#include "contact/onecontact_parts.h"
#include "linalg/dense3.h"

/* A solution must satisfy u = W r + q, u_N = 0, u_T = -speed e to this, relative to
 * max(|q|, |W||r|); roots are polished far below. */
static const double residual_tol = 1e-11;
/* Two solutions nearer than this (relative to |r|) are one: a double root. */
static const double same_tol = 1e-8;
/* The largest |r| of a solution that can still be told from rounding, where W is of size 1:
 * relative to |q|. */
static const double largest_impulse = 1e13;

static void add(SlipOneContact *list, const double r[3], SlipContactStatus status) {
  for (int k = 0; k < list->count; k++) {
    double away[3] = {r[0] - list->r[k][0], r[1] - list->r[k][1], r[2] - list->r[k][2]};
    if (slipi_dense3_norm(away) <= same_tol * slipi_dense3_norm(r))
      return;
  }
  if (list->count == SLIP_ONE_CONTACT_MAX)
    return;
  memcpy(list->r[list->count], r, sizeof list->r[0]);
  list->status[list->count++] = status;
}

/* ---- Stick ---- */

/* How far r is inside the cone (negative: outside). */
static double margin(const SlipiBlock *block, const double r[3]) {
  return block->mu * r[0] - slipi_tangent_norm(r);
}

/* Among the points r of a line or plane of solutions of W r = -q keep the one deepest in K. */
typedef struct Deepest {
  const SlipiBlock *block;
  double r[3], depth; /* depth relative to |r| */
} Deepest;

static void deepest_try(Deepest *best, const double r[3]) {
  double size = slipi_dense3_norm(r);
  if (!(size > 0) || !isfinite(size))
    return;
  double depth = margin(best->block, r) / (size * (1 + best->block->mu));
  if (depth > best->depth) {
    best->depth = depth;
    memcpy(best->r, r, sizeof best->r);
  }
}

static void deepest_on_line(Deepest *best, const double x[3], const double n[3]) {
  double mu2 = best->block->mu * best->block->mu;
  /* mu^2 r_N^2 - |r_T|^2 = A t^2 + 2 B t + C along r = x + t n */
  double A = mu2 * n[0] * n[0] - n[1] * n[1] - n[2] * n[2];
  double B = mu2 * x[0] * n[0] - x[1] * n[1] - x[2] * n[2];
  double C = mu2 * x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
  double root = sqrt(fmax(0, B * B - A * C)), far = 1 + slipi_dense3_norm(x);
  const double t[] = {0,
                      -B / A,
                      (-B - root) / A - far,
                      (-B + root) / A + far,
                      (-B - root) / A + far,
                      (-B + root) / A - far,
                      -C / (2 * B) - far,
                      -C / (2 * B) + far};
  for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
    if (!isfinite(t[k]))
      continue;
    double r[3] = {x[0] + t[k] * n[0], x[1] + t[k] * n[1], x[2] + t[k] * n[2]};
    deepest_try(best, r);
  }
}

/* The plane v.r = v.x: cut by rays of the cone in the plane of the normal and v. */
static void deepest_on_plane(Deepest *best, const double x[3], double null[3][3]) {
  const double *a = null[0], *b = null[1];
  double v[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  double level = slipi_dense3_dot(v, x), vT = slipi_tangent_norm(v), mu = best->block->mu;
  double e1 = vT > 0 ? v[1] / vT : 1, e2 = vT > 0 ? v[2] / vT : 0;
  if (level == 0) { /* q = 0: any ray within the plane */
    double slope = -v[0] / vT;
    if (vT > 0 && fabs(slope) <= mu)
      deepest_try(best, (const double[3]){1, slope * e1, slope * e2});
    return;
  }
  for (int k = -4; k <= 4; k++) {
    double ray[3] = {1, 0.25 * k * mu * e1, 0.25 * k * mu * e2}, t;
    t = level / slipi_dense3_dot(v, ray);
    if (t > 0)
      deepest_try(best, (const double[3]){t, t * ray[1], t * ray[2]});
  }
}

static void add_stick_singular(const SlipiBlock *block, SlipiSolution3 *s, SlipOneContact *list) {
  Deepest best = {.block = block, .depth = -INFINITY};
  if (s->defect > residual_tol * slipi_dense3_max(block->q))
    return;
  deepest_try(&best, s->x);
  if (s->rank == 2)
    deepest_on_line(&best, s->x, s->null[0]);
  else if (s->rank == 1)
    deepest_on_plane(&best, s->x, s->null);
  else
    deepest_try(&best, (const double[3]){1, 0, 0});
  if (best.depth < -1e-12)
    return;
  add(list, best.r, SLIP_CONTACT_STICK);
  if (best.depth > 1e-9)
    list->continuum = 1;
}

static void add_stick(const SlipiBlock *block, SlipOneContact *list) {
  SlipiSolution3 s, correction;
  double b[3] = {-block->q[0], -block->q[1], -block->q[2]};
  slipi_dense3_solve(block->W, b, 1e-14, &s);
  if (s.rank < 3) {
    add_stick_singular(block, &s, list);
    return;
  }
  slipi_dense3_multiply(block->W, s.x, b);
  for (int k = 0; k < 3; k++)
    b[k] = -(b[k] + block->q[k]);
  slipi_dense3_solve(block->W, b, 0, &correction);
  for (int k = 0; k < 3; k++)
    s.x[k] += correction.x[k];
  double size = slipi_dense3_norm(s.x);
  if (size > 0 && margin(block, s.x) >= -1e-14 * size * (1 + block->mu))
    add(list, s.x, SLIP_CONTACT_STICK);
}

/* ---- Slide ---- */

static void guess_impulse(const SlipiBlock *block, const SlipiSlideGuess *g, double r[3]) {
  r[0] = g->n;
  r[1] = block->mu * g->n * g->c;
  r[2] = block->mu * g->n * g->s;
}

static bool is_relaxed(const SlipiBlock *block) {
  return block->flow == SLIP_FLOW_ASSOCIATED;
}

/* F = W r + q + speed (lift, c, s): lift is 0, or -mu for the associated law (u_N = mu |u_T|). */
static double guess_residual(const SlipiBlock *block, const SlipiSlideGuess *g, double F[3]) {
  double r[3], lift = is_relaxed(block) ? -block->mu : 0;
  guess_impulse(block, g, r);
  slipi_dense3_multiply(block->W, r, F);
  F[0] += block->q[0] + g->speed * lift;
  F[1] += block->q[1] + g->speed * g->c;
  F[2] += block->q[2] + g->speed * g->s;
  return slipi_dense3_norm(F);
}

/* One Newton step in (n, theta, speed). */
static SlipiSlideGuess newton_step(const SlipiBlock *block, const SlipiSlideGuess *g,
                                   const double F[3]) {
  double mu = block->mu, J[9], Wn[3], Wt[3];
  slipi_dense3_multiply(block->W, (const double[3]){1, mu * g->c, mu * g->s}, Wn);
  slipi_dense3_multiply(block->W, (const double[3]){0, -g->s, g->c}, Wt);
  const double across[3] = {0, -g->s, g->c};
  const double along[3] = {is_relaxed(block) ? -mu : 0, g->c, g->s};
  for (int i = 0; i < 3; i++) {
    J[3 * i] = Wn[i];
    J[3 * i + 1] = mu * g->n * Wt[i] + g->speed * across[i];
    J[3 * i + 2] = along[i];
  }
  SlipiSolution3 d;
  slipi_dense3_solve(J, F, 1e-15, &d);
  double turn = -d.x[1], c = g->c - turn * g->s, s = g->s + turn * g->c, size = hypot(c, s);
  return (SlipiSlideGuess){g->n - d.x[0], c / size, s / size, g->speed - d.x[2], g->free};
}

/* Newton from a root of the polynomial, to rounding; slowly where the root is nearly double.
 * Returns the residual. */
static double polish(const SlipiBlock *block, SlipiSlideGuess *guess) {
  double F[3];
  SlipiSlideGuess g = *guess;
  double best = guess_residual(block, &g, F);
  for (int k = 0, idle = 0; k < 40 && idle < 3 && best > 1e-17; k++, idle++) {
    g = newton_step(block, &g, F);
    double size = guess_residual(block, &g, F);
    if (!isfinite(size))
      break;
    if (size < best) {
      idle = size < 0.5 * best ? -1 : idle;
      best = size;
      *guess = g;
    }
  }
  return best;
}

static void add_slides(const SlipiBlock *block, SlipQuartic form, SlipOneContact *list) {
  SlipiSlideGuess guesses[SLIPI_GUESSES_MAX];
  int n = is_relaxed(block)          ? slipi_quartic_associated(block, guesses)
          : form == SLIP_QUARTIC_TAN ? slipi_quartic_tan(block, guesses)
                                     : slipi_quartic_alpha(block, guesses);
  bool had_free = false;
  for (int k = 0; k < n; k++) {
    double r[3];
    guess_impulse(block, &guesses[k], r);
    double size = fmax(slipi_dense3_max(block->q), slipi_dense3_max(r));
    /* Roots are good to half the digits: this one has a wrong sign for sure. */
    if (guesses[k].n < -1e-4 * size || guesses[k].speed < -1e-4 * size)
      continue;
    double residual = polish(block, &guesses[k]);
    guess_impulse(block, &guesses[k], r);
    size = fmax(slipi_dense3_max(block->q), slipi_dense3_max(r));
    /* The sign checks of section 3.2: r_N > 0, alpha > 0. */
    if (!(residual <= residual_tol * size) || !(guesses[k].n > 0) ||
        guesses[k].speed < -1e-14 * size || (guesses[k].free && had_free))
      continue;
    int before = list->count;
    add(list, r, SLIP_CONTACT_SLIP);
    if (guesses[k].free && list->count > before) {
      had_free = true;
      list->continuum = 1;
    }
  }
}

static bool is_open(const SlipiBlock *block) {
  const SlipiLaw law = {.kind = SLIPI_COULOMB, .flow = (unsigned char)block->flow, .mu = block->mu};
  return slipi_law_opens(&law, block->q);
}

/* Impulses so large that the rounding of W r hides q solve any problem whose W has a null vector in
 * K: they are not solutions. */
static void drop_unverifiable(const SlipiBlock *block, SlipOneContact *list) {
  double most = largest_impulse * slipi_dense3_max(block->q);
  int kept = 0;
  for (int k = 0; k < list->count; k++) {
    if (most > 0 && slipi_dense3_max(list->r[k]) > most)
      continue;
    memmove(list->r[kept], list->r[k], sizeof list->r[k]);
    list->status[kept++] = list->status[k];
  }
  list->count = kept;
}

void slipi_enumerate(const SlipiBlock *block, SlipQuartic form, SlipOneContact *list) {
  *list = slip_default_one_contact();
  if (is_open(block))
    add(list, (const double[3]){0, 0, 0}, SLIP_CONTACT_OPEN);
  add_stick(block, list);
  add_slides(block, form, list);
  drop_unverifiable(block, list);
}

/* mu = 0: r_T = 0 and a complementarity of the normal pair. */
static void enumerate_frictionless(const SlipiBlock *block, SlipOneContact *list) {
  double r[3] = {0, 0, 0};
  bool massless = !(block->W[0] > 0);
  *list = slip_default_one_contact();
  if (block->q[0] >= 0)
    add(list, r, SLIP_CONTACT_OPEN);
  if (massless && block->q[0] == 0)
    list->continuum = 1;
  if (!massless && block->q[0] < 0) {
    r[0] = -block->q[0] / block->W[0];
    add(list, r, SLIP_CONTACT_SLIP);
  }
}

/* ---- Checked, and of any size ---- */

static SlipStatus check_block(const double W[9], const double q[3], double mu, SlipError *error) {
  double size = 0;
  for (int k = 0; k < 9; k++) {
    if (!isfinite(W[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "W(%d,%d) is %g; it must be finite", k / 3,
                        k % 3, W[k]);
    size = fmax(size, fabs(W[k]));
  }
  for (int k = 0; k < 3; k++)
    if (!isfinite(q[k]))
      return slipi_fail(error, SLIP_ERROR_ARGUMENT, "q(%d) is %g; it must be finite", k, q[k]);
  if (!(mu >= 0) || !isfinite(mu))
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "mu is %g; it must be finite and at least 0", mu);
  const double asymmetry = fmax(fabs(W[1] - W[3]), fmax(fabs(W[2] - W[6]), fabs(W[5] - W[7])));
  if (asymmetry > 1e-10 * size)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "W is not symmetric: |W - W'| is %g where the largest entry is %g", asymmetry,
                      size);
  return SLIP_OK;
}

/* Positive semidefinite to rounding: no principal minor is clearly negative. W is of size 1. */
static SlipStatus check_definite(const double W[9], SlipError *error) {
  const double tol = 1e-10;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    double minor = W[4 * i] * W[4 * j] - W[3 * i + j] * W[3 * j + i];
    if (W[4 * i] < -tol || minor < -tol)
      return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                        "W is not positive semidefinite: the block of rows %d and %d is not", i, j);
  }
  double det = W[0] * (W[4] * W[8] - W[5] * W[7]) - W[1] * (W[3] * W[8] - W[5] * W[6]) +
               W[2] * (W[3] * W[7] - W[4] * W[6]);
  if (det < -tol)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "W is not positive semidefinite: its determinant is negative");
  return SLIP_OK;
}

/* The power of two to divide by so that the largest of n values is about 1. */
static int exponent_of(const double *x, int n) {
  double size = 0;
  int e = 0;
  for (int k = 0; k < n; k++)
    size = fmax(size, fabs(x[k]));
  if (size > 0)
    (void)frexp(size, &e);
  return e;
}

SlipStatus slipi_one_contact_list(const double W[9], const double q[3], double mu, SlipFlow flow,
                                  SlipQuartic form, SlipOneContact *found, SlipError *error) {
  *found = slip_default_one_contact();
  SlipStatus status = check_block(W, q, mu, error);
  if (status != SLIP_OK)
    return status;
  SlipiBlock block = {.mu = mu, .flow = flow};
  int eW = exponent_of(W, 9), eq = exponent_of(q, 3);
  for (int k = 0; k < 9; k++)
    block.W[k] = ldexp(0.5 * W[k], -eW) + ldexp(0.5 * W[3 * (k % 3) + k / 3], -eW);
  for (int k = 0; k < 3; k++)
    block.q[k] = ldexp(q[k], -eq);
  status = check_definite(block.W, error);
  if (status != SLIP_OK)
    return status;
  if (mu == 0)
    enumerate_frictionless(&block, found);
  else
    slipi_enumerate(&block, form, found);
  for (int k = 0; k < found->count; k++)
    for (int i = 0; i < 3; i++)
      found->r[k][i] = ldexp(found->r[k][i], eq - eW);
  return SLIP_OK;
}

SlipStatus slip_one_contact_enumerate(const double W[9], const double q[3], double mu,
                                      SlipQuartic form, SlipOneContact *solutions,
                                      SlipError *error) {
  slipi_error_clear(error);
  if (!W || !q || !solutions)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "W, q or solutions is a null pointer");
  SlipOneContact found = slip_default_one_contact();
  SlipStatus status = slipi_versioned_check("one_contact", solutions, error);
  if (status != SLIP_OK)
    return status;
  slipi_versioned_write(&found, solutions, sizeof found);
  if (form != SLIP_QUARTIC_TAN && form != SLIP_QUARTIC_ALPHA)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT, "the quartic form %d does not exist", (int)form);
  status = slipi_one_contact_list(W, q, mu, SLIP_FLOW_COULOMB, form, &found, error);
  if (status == SLIP_OK)
    slipi_versioned_write(&found, solutions, sizeof found);
  return status;
}
