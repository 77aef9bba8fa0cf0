#include "contact/shift.h"

#include <string.h>

#include "contact/bodies.h"

static bool is_shifted(const SlipProblem *problem, int32_t contact) {
  return slipi_law_type(&problem->law[contact])->shifted;
}

bool slipi_shift_has(const SlipProblem *problem) {
  if (!problem->laws.cohesion)
    return false;
  for (int32_t a = 0; a < problem->nc; a++) {
    if (is_shifted(problem, a))
      return true;
  }
  return false;
}

SlipiLaw slipi_shift_law(SlipiLaw law) {
  if (!slipi_law_type(&law)->shifted)
    return law;
  SlipiLaw plain = slipi_law(SLIP_COULOMB, law.mu);
  plain.flow = law.flow;
  plain.rolls = law.rolls;
  return slipi_law_folded(plain, SLIPI_FOLD_LAST);
}

void slipi_shift_impulses(const SlipProblem *given, double times, double *r) {
  for (int32_t a = 0; a < given->nc; a++) {
    if (is_shifted(given, a))
      r[(int64_t)given->d * a] += times * given->law[a].depth;
  }
}

/* x -= C c. */
static void subtract_own(const SlipProblem *problem, const double *c, double *x) {
  int32_t d = problem->d;
  for (int32_t row = 0; problem->C && row < problem->m; row++) {
    double sum = 0;
    for (int32_t k = 0; k < d; k++)
      sum += problem->C[(int64_t)row * d + k] * c[row / d * d + k];
    x[row] -= sum;
  }
}

void slipi_shift_q(const SlipProblem *problem, const double *c, double *q) {
  const SlipiCsr *W = &problem->W;
  for (int32_t row = 0; row < problem->m; row++) {
    double sum = 0;
    for (int32_t k = W->p[row]; k < W->p[row + 1]; k++)
      sum += W->x[k] * c[W->i[k]];
    q[row] -= sum;
  }
  subtract_own(problem, c, q);
}

void slipi_shift_f(const SlipProblem *problem, const double *c, double *room, double *f) {
  slipi_problem_gather(problem, c, room);
  for (int32_t k = 0; k < problem->dof; k++)
    f[k] -= room[k];
}

void slipi_shift_w(const SlipProblem *problem, const double *c, double *w) {
  subtract_own(problem, c, w);
}

static void set_laws(const SlipProblem *given, int32_t *kind, SlipiLaw *law) {
  for (int32_t a = 0; a < given->nc; a++) {
    kind[a] = is_shifted(given, a) ? SLIP_COULOMB : given->laws.kind[a];
    law[a] = slipi_shift_law(given->law[a]);
  }
}

SlipStatus slipi_shift_problem(const SlipProblem *given, SlipiArena *arena, SlipProblem *plain,
                               SlipError *error) {
  size_t m = (size_t)given->m, dof = (size_t)given->dof, real = sizeof(double);
  bool local = !slipi_problem_has_mass(given);
  double *c = SLIPI_ARENA_NEW(arena, double, m), *room = SLIPI_ARENA_RAW(arena, double, dof);
  int32_t *kind = SLIPI_ARENA_RAW(arena, int32_t, given->nc);
  *plain = *given;
  plain->law = SLIPI_ARENA_RAW(arena, SlipiLaw, given->nc);
  plain->q = local ? slipi_arena_copy(arena, given->q, m, real) : NULL;
  plain->f = local ? NULL : slipi_arena_copy(arena, given->f, dof, real);
  plain->w = local ? NULL : slipi_arena_copy(arena, given->w, m, real);
  if (arena->failed)
    return slipi_fail_memory(error, "a problem with cohesion");
  set_laws(given, kind, plain->law);
  plain->laws.kind = kind;
  plain->laws.cohesion = NULL;
  slipi_shift_impulses(given, 1, c);
  if (local) {
    slipi_shift_q(given, c, plain->q);
  } else {
    slipi_shift_f(given, c, room, plain->f);
    slipi_shift_w(given, c, plain->w);
  }
  return SLIP_OK;
}
