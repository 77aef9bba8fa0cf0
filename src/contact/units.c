#include "contact/units.h"

#include <limits.h>
#include <string.h>

#include "contact/bodies.h"

/* Exponents up to these are moderate. W's: impulses of 2^20 times the velocities leave 2^-32 of
 * velocities their size, below usual tolerances. q's: squares and their sums stay finite, with room
 * for what methods multiply. */
enum { MODERATE_W = 20, MODERATE_Q = 100 };
/* So many contacts tell the typical W. */
enum { SAMPLE = 16 };
enum { NONE = INT_MIN / 4 };

static int exponent_of(double x) {
  return x != 0 && isfinite(x) ? ilogb(x) : NONE;
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* An entry of a matrix, 0 where it has none. */
static double entry(const SlipiCsr *A, int32_t row, int32_t column) {
  int32_t at = slipi_csr_find(A, row, column);
  return at < 0 ? 0 : A->x[at];
}

/* Of h^2/m, the velocity that a degree of freedom of mass m adds to a contact's own. */
static int share_exponent(double h, double m) {
  int eh = exponent_of(h), em = exponent_of(m);
  return eh == NONE || em == NONE ? NONE : 2 * eh - em;
}

static int global_exponent(const SlipProblem *problem, int32_t row) {
  const SlipiCsr *Ht = &problem->Ht;
  int found = NONE;
  for (int32_t k = Ht->p[row]; k < Ht->p[row + 1]; k++)
    found = larger(found, share_exponent(Ht->x[k], entry(&problem->M, Ht->i[k], Ht->i[k])));
  return found;
}

static int bodies_exponent(const SlipProblem *problem, int32_t row) {
  int32_t d = problem->d, n = problem->n, contact = row / d;
  int found = NONE;
  for (int side = 0; side < 2; side++) {
    int64_t pair = 2 * (int64_t)contact + side;
    if (problem->body[pair] < 0)
      continue;
    const double *H = problem->blocks + (pair * d + row % d) * n;
    const double *M = problem->body_mass + (int64_t)problem->body[pair] * n * n;
    for (int32_t k = 0; k < n; k++)
      found = larger(found, share_exponent(H[k], M[k * n + k]));
  }
  return found;
}

/* Of the diagonal entry of W + C in one row; with M, of the largest part of its sum. */
static int row_exponent(const SlipProblem *problem, int32_t row) {
  int32_t d = problem->d;
  int found = NONE;
  switch (problem->form) {
  case SLIP_FORM_LOCAL:
    found = exponent_of(entry(&problem->W, row, row));
    break;
  case SLIP_FORM_GLOBAL:
    found = global_exponent(problem, row);
    break;
  case SLIP_FORM_BODIES:
    found = bodies_exponent(problem, row);
    break;
  }
  return problem->C ? larger(found, exponent_of(problem->C[(int64_t)row * d + row % d])) : found;
}

/* Of the normal; of the tangents where nothing moves along that. */
static int contact_exponent(const SlipProblem *problem, int32_t contact) {
  int found = NONE;
  for (int32_t k = 0; k < problem->d && found == NONE; k++)
    found = row_exponent(problem, contact * problem->d + k);
  return found;
}

int slipi_units_of_W(const SlipProblem *problem, const SlipiShare *share) {
  int64_t sum = 0, count = 0, step = slipi_share_contacts(share, problem->nc) / SAMPLE + 1;
  for (int64_t a = 0; a < problem->nc; a += share ? 1 : step) {
    if (slipi_share_contact(share, (int32_t)a) % step != 0)
      continue;
    int found = contact_exponent(problem, (int32_t)a);
    sum += found == NONE ? 0 : found;
    count += found != NONE;
  }
  sum = slipi_share_count(share, sum);
  count = slipi_share_count(share, count);
  if (count == 0)
    return 0;
  int64_t mean = sum / count - (sum % count < 0); /* rounded down: it follows every factor 2^k */
  return mean < -MODERATE_W || mean > MODERATE_W ? (int)mean : 0;
}

int slipi_units_of_q(const double *q, int32_t count, int now, const SlipiShare *share) {
  double most = 0;
  for (int32_t k = 0; k < count; k++)
    most = fmax(most, fabs(q[k]));
  most = slipi_share_most(share, most);
  if (most == 0 || !isfinite(most))
    return now;
  int found = now + ilogb(most);
  return found < -MODERATE_Q || found > MODERATE_Q ? found : 0;
}

void slipi_units_scale(double *x, int64_t count, int by) {
  /* Twice by the root: 2^by alone may not be a number. */
  double half = ldexp(1, by / 2), rest = ldexp(1, by - by / 2);
  for (int64_t k = 0; by != 0 && k < count; k++)
    x[k] = x[k] * half * rest;
}

SlipiLaw slipi_units_law(SlipiLaw law, int by) {
  return slipi_law_scaled(law, ldexp(1, -(by / 2)), ldexp(1, by - by / 2));
}

static double *scaled_copy(SlipiArena *arena, const double *x, int64_t count, int by) {
  double *copy = slipi_arena_copy(arena, x, (size_t)count, sizeof *x);
  if (copy)
    slipi_units_scale(copy, count, by);
  return copy;
}

SlipStatus slipi_units_compliance(const SlipProblem *given, int W, SlipiArena *arena,
                                  const double **C, SlipError *error) {
  *C = NULL;
  if (!given->C)
    return SLIP_OK;
  *C = scaled_copy(arena, given->C, (int64_t)given->m * given->d, -W);
  return *C ? SLIP_OK : slipi_fail_memory(error, "a problem in other units");
}

SlipStatus slipi_units_problem(const SlipProblem *given, int W, SlipiArena *arena,
                               SlipProblem *scaled, SlipError *error) {
  *scaled = *given;
  bool made = false;
  switch (given->form) {
  case SLIP_FORM_LOCAL:
    scaled->W.x = scaled_copy(arena, given->W.x, given->W.p[given->m], -W);
    made = scaled->W.x;
    break;
  case SLIP_FORM_GLOBAL:
    scaled->M.x = scaled_copy(arena, given->M.x, given->M.p[given->dof], W);
    scaled->lent_unit += W;
    made = scaled->M.x;
    break;
  case SLIP_FORM_BODIES:
    scaled->body_mass = scaled_copy(arena, given->body_mass, (int64_t)given->dof * given->n, W);
    made = scaled->body_mass;
    break;
  }
  if (!made)
    return slipi_fail_memory(error, "a problem in other units");
  return slipi_units_compliance(given, W, arena, &scaled->C, error);
}
