#include "contact/newton.h"

#include <string.h>

#include "contact/rolling.h"

/* ---- The local form ---- */

static SlipStatus local_pattern(SlipiOperator *op, SlipiNewton *newton, SlipError *error) {
  SlipStatus status = slipi_operator_blocks(op, &newton->arena, &newton->W, error);
  return status == SLIP_OK ? slipi_bsr_to_csr(&newton->arena, &newton->W, &newton->A, error)
                           : status;
}

/* Phi_ru W + Phi_rr, in the rows of A as slipi_bsr_to_csr lays them out. */
static void local_values(SlipiNewton *newton, const double *Phi_ru, const double *diagonal) {
  const SlipiBsr *W = &newton->W;
  int32_t d = W->d;
  for (int32_t a = 0; a < W->n; a++) {
    const double *Phi = Phi_ru + (int64_t)9 * a, *own = diagonal + (int64_t)9 * a;
    int32_t width = (W->p[a + 1] - W->p[a]) * d;
    double *rows = newton->A.x + (int64_t)W->p[a] * d * d;
    for (int32_t k = W->p[a]; k < W->p[a + 1]; k++) {
      const double *block = W->x + (int64_t)k * d * d;
      bool on_diagonal = k == W->diagonal[a];
      for (int32_t i = 0; i < d; i++) {
        double *to = rows + (int64_t)i * width + (int64_t)(k - W->p[a]) * d;
        for (int32_t j = 0; j < d; j++) {
          double sum = on_diagonal ? own[3 * i + j] : 0;
          for (int32_t l = 0; l < d; l++)
            sum += Phi[3 * i + l] * block[l * d + j];
          to[j] = sum;
        }
      }
    }
  }
}

/* ---- The global form ---- */

/* Columns of H' in one contact's d rows, ascending, each once; `seen` marks by contact + 1. */
static int32_t contact_columns(const SlipiCsr *Ht, int32_t d, int32_t contact, int32_t *seen,
                               int32_t *columns) {
  int32_t count = 0;
  for (int32_t k = Ht->p[contact * d]; k < Ht->p[(contact + 1) * d]; k++) {
    int32_t column = Ht->i[k];
    if (seen[column] == contact + 1)
      continue;
    seen[column] = contact + 1;
    int32_t at = count++;
    for (; at > 0 && columns[at - 1] > column; at--)
      columns[at] = columns[at - 1];
    columns[at] = column;
  }
  return count;
}

static int64_t global_count(const SlipProblem *problem, int32_t *seen, int32_t *columns) {
  int32_t d = problem->d;
  int64_t count = (int64_t)problem->M.p[problem->dof] + problem->H.p[problem->dof];
  for (int32_t a = 0; a < problem->nc; a++)
    count += (int64_t)d * (contact_columns(&problem->Ht, d, a, seen, columns) + d);
  return count;
}

/* The rows of M and -H, whose values stay. */
static int32_t fill_momentum(const SlipProblem *problem, SlipiCsr *A) {
  int32_t used = 0;
  for (int32_t row = 0; row < problem->dof; row++) {
    for (int32_t k = problem->M.p[row]; k < problem->M.p[row + 1]; k++, used++) {
      A->i[used] = problem->M.i[k];
      A->x[used] = problem->M.x[k];
    }
    for (int32_t k = problem->H.p[row]; k < problem->H.p[row + 1]; k++, used++) {
      A->i[used] = problem->dof + problem->H.i[k];
      A->x[used] = -problem->H.x[k];
    }
    A->p[row + 1] = used;
  }
  return used;
}

/* The rows of contact a: d times its columns of H', then its own block. */
static int32_t fill_contact(const SlipProblem *problem, int32_t a, const int32_t *columns,
                            int32_t count, int32_t *place, SlipiNewton *newton, int32_t used) {
  int32_t d = problem->d, first = problem->dof + a * d;
  const SlipiCsr *Ht = &problem->Ht;
  for (int32_t k = 0; k < count; k++)
    place[columns[k]] = k;
  for (int32_t k = Ht->p[a * d]; k < Ht->p[(a + 1) * d]; k++)
    newton->where[k] = place[Ht->i[k]];
  for (int32_t i = 0; i < d; i++) {
    for (int32_t k = 0; k < count; k++)
      newton->A.i[used++] = columns[k];
    for (int32_t j = 0; j < d; j++)
      newton->A.i[used++] = first + j;
    newton->A.p[first + i + 1] = used;
  }
  return used;
}

static SlipStatus global_pattern(const SlipProblem *problem, SlipiNewton *newton,
                                 SlipError *error) {
  int32_t dof = problem->dof, rows = dof + problem->m;
  SlipiArena scratch = {0};
  int32_t *seen = SLIPI_ARENA_NEW(&scratch, int32_t, dof);
  int32_t *columns = SLIPI_ARENA_NEW(&scratch, int32_t, dof);
  int32_t *place = SLIPI_ARENA_NEW(&scratch, int32_t, dof);
  SlipStatus status = scratch.failed ? slipi_fail_memory(error, "a Newton matrix") : SLIP_OK;
  int64_t entries = status == SLIP_OK ? global_count(problem, seen, columns) : 0;
  if (entries > INT32_MAX)
    status = slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "the global Newton matrix would have %lld entries; at most %d can be "
                        "indexed",
                        (long long)entries, INT32_MAX);
  newton->Ht = &problem->Ht;
  newton->A = (SlipiCsr){.rows = rows, .cols = rows};
  if (status == SLIP_OK) {
    newton->A.p = SLIPI_ARENA_NEW(&newton->arena, int32_t, (int64_t)rows + 1);
    newton->A.i = SLIPI_ARENA_NEW(&newton->arena, int32_t, entries);
    newton->A.x = SLIPI_ARENA_NEW(&newton->arena, double, entries);
    newton->where = SLIPI_ARENA_NEW(&newton->arena, int32_t, problem->Ht.p[problem->m]);
    if (newton->arena.failed)
      status = slipi_fail_memory(error, "a Newton matrix");
  }
  if (status == SLIP_OK) {
    int32_t used = fill_momentum(problem, &newton->A);
    memset(seen, 0, (size_t)dof * sizeof *seen);
    for (int32_t a = 0; a < problem->nc; a++) {
      int32_t count = contact_columns(&problem->Ht, problem->d, a, seen, columns);
      used = fill_contact(problem, a, columns, count, place, newton, used);
    }
  }
  slipi_arena_free(&scratch);
  return status;
}

static void global_values(SlipiNewton *newton, const double *Phi_ru, const double *diagonal) {
  const SlipiCsr *Ht = newton->Ht, *A = &newton->A;
  int32_t d = newton->d;
  for (int32_t a = 0; a < newton->nc; a++) {
    const double *Phi = Phi_ru + (int64_t)9 * a, *own = diagonal + (int64_t)9 * a;
    for (int32_t i = 0; i < d; i++) {
      int32_t row = newton->dof + a * d + i, width = A->p[row + 1] - A->p[row];
      double *to = A->x + A->p[row];
      memset(to, 0, (size_t)width * sizeof *to);
      for (int32_t l = 0; l < d; l++) {
        for (int32_t k = Ht->p[a * d + l]; k < Ht->p[a * d + l + 1]; k++)
          to[newton->where[k]] += Phi[3 * i + l] * Ht->x[k];
      }
      for (int32_t j = 0; j < d; j++)
        to[width - d + j] = own[3 * i + j];
    }
  }
}

/* ---- Which of the two ---- */

/* Measured with bench/lu.c: the global system is the faster one where W has so many times its
 * entries, and where W is factored densely, so many. */
static const double GLOBAL_FROM_SPARSE = 3.5;
static const double GLOBAL_FROM_DENSE = 10;

static SlipStatus choose_form(SlipiOperator *op, SlipiNewtonForm form, bool *global,
                              SlipError *error) {
  const SlipProblem *problem = op->problem;
  *global = form == SLIPI_NEWTON_GLOBAL;
  if (*global && problem->form == SLIP_FORM_LOCAL)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "the problem is local: without M and H there is no global Newton system; "
                      "use form=local");
  if (form != SLIPI_NEWTON_AUTO || problem->form == SLIP_FORM_LOCAL)
    return SLIP_OK;
  double blocks, d = problem->d;
  SlipStatus status = slipi_mass_row_blocks(op->mass, problem, INFINITY, &blocks, error);
  double local = blocks * d * d * problem->nc;
  double entries = slipi_problem_entries(problem, d);
  bool dense = slipi_lu_wants_dense(problem->m, local);
  *global = status == SLIP_OK && local > (dense ? GLOBAL_FROM_DENSE : GLOBAL_FROM_SPARSE) * entries;
  return status;
}

/* ---- The operator's system ---- */

static SlipStatus system_create(SlipiNewton *newton, SlipError *error) {
  SlipiArena *arena = &newton->arena;
  SlipStatus status = slipi_scaled_create(newton->op, false, arena, &newton->scaled, error);
  if (status == SLIP_OK)
    status = slipi_system_of(newton->op, &newton->system, error);
  if (status != SLIP_OK)
    return status;
  newton->law = SLIPI_ARENA_NEW(arena, SlipiLaw, newton->nc);
  newton->Phi_ru = SLIPI_ARENA_NEW(arena, double, (int64_t)newton->nc * 9);
  newton->own = SLIPI_ARENA_NEW(arena, double, (int64_t)newton->nc * 9);
  newton->b = SLIPI_ARENA_NEW(arena, double, newton->scaled->m);
  newton->x = SLIPI_ARENA_NEW(arena, double, newton->scaled->m);
  newton->zero = SLIPI_ARENA_NEW(arena, double, newton->m);
  if (slipi_rolling_has(newton->op->problem->law, newton->nc))
    newton->K = SLIPI_ARENA_NEW(arena, double, (int64_t)newton->nc * 9);
  if (arena->failed)
    return slipi_fail_memory(error, "a Newton matrix");
  newton->shift = NAN;
  return SLIP_OK;
}

/* Units for W only: q = 0, and without folding laws do not count. */
static SlipStatus system_scale(SlipiNewton *newton, SlipError *error) {
  if (newton->shift == slipi_operator_shift(newton->op)) /* NaN at first */
    return SLIP_OK;
  SlipStatus status = slipi_scaled_set(newton->scaled, newton->law, newton->zero, true, error);
  newton->shift = status == SLIP_OK ? slipi_operator_shift(newton->op) : NAN;
  return status;
}

/* Phi_ru and Phi_rr in units a of r and b of u, which are scalars in each contact. In 2D the third
 * direction is on its own. */
static void system_values(SlipiNewton *newton, const double *Phi_ru) {
  for (int32_t a = 0; a < newton->nc; a++) {
    double *A = newton->Phi_ru + (int64_t)9 * a, *B = newton->own + (int64_t)9 * a;
    double factor = newton->scaled->b[3 * (int64_t)a] / newton->scaled->a[3 * (int64_t)a];
    for (int k = 0; k < 9; k++) {
      bool third = newton->d == 2 && (k >= 6 || k % 3 == 2);
      A[k] = third ? 0 : factor * Phi_ru[(int64_t)9 * a + k];
      B[k] = third ? k == 8 : B[k];
    }
  }
}

/* K in the units of r of both contacts. */
static void system_coupling(SlipiNewton *newton, const double *K) {
  const double *unit = newton->scaled->a;
  for (int64_t a = 1; K && a < newton->nc; a++) {
    for (int64_t k = 9 * a; k < 9 * (a + 1); k++)
      newton->K[k] = K[k] * unit[3 * (a - 1)] / unit[3 * a];
  }
}

static SlipStatus system_factor(SlipiNewton *newton, double *rcond, SlipError *error) {
  int sign;
  SlipStatus status = slipi_system_factor_coupled(newton->system, newton->scaled, newton->Phi_ru,
                                                  newton->own, newton->K, &sign, error);
  *rcond = sign != 0 ? slipi_system_rcond(newton->system) : 0;
  return status;
}

static SlipStatus system_solve(SlipiNewton *newton, const double *b, double *d, SlipError *error) {
  slipi_scaled_to(newton->scaled, b, newton->b);
  SlipStatus status = slipi_system_solve(newton->system, newton->b, newton->x, error);
  slipi_scaled_back(newton->scaled, newton->x, d);
  return status;
}

/* ---- All ---- */

static SlipStatus lu_create(SlipiNewton *newton, SlipiLuKind lu, SlipError *error) {
  newton->dof = newton->global ? newton->op->problem->dof : 0;
  SlipStatus status = SLIP_OK;
  if (newton->global)
    status = slipi_problem_as_global(newton->op->problem, &newton->arena, &newton->problem, error);
  if (status == SLIP_OK)
    status = newton->global ? global_pattern(&newton->problem, newton, error)
                            : local_pattern(newton->op, newton, error);
  if (status != SLIP_OK)
    return status;
  newton->b = SLIPI_ARENA_NEW(&newton->arena, double, newton->A.rows);
  newton->x = SLIPI_ARENA_NEW(&newton->arena, double, newton->A.rows);
  newton->own = SLIPI_ARENA_NEW(&newton->arena, double, (int64_t)newton->nc * 9);
  if (newton->arena.failed)
    return slipi_fail_memory(error, "a Newton matrix");
  return slipi_lu_create(&newton->A, lu, &newton->op->stop, &newton->lu, error);
}

/* A global system of finite elements fills up, UMFPACK's estimate of its work is far too low then,
 * and UMFPACK cannot be stopped. From about a tenth of a second on the full W is taken, whose
 * factorisation can be, as long as it fits in memory with ease. */
static bool is_too_long(const SlipiNewton *newton) {
  enum { FULL_AT_MOST = 12000 };
  static const double SHORT = 1e9;
  double m = newton->m, full = 2.0 / 3.0 * m * m * m;
  return newton->m <= FULL_AT_MOST && slipi_lu_work(newton->lu) > fmin(SHORT, full);
}

SlipStatus slipi_newton_create(SlipiOperator *op, SlipiNewtonForm form, SlipiLuKind lu,
                               SlipiNewton *newton, SlipError *error) {
  newton->op = op;
  newton->d = op->d;
  newton->nc = op->nc;
  newton->m = op->m;
  SlipStatus status = choose_form(op, form, &newton->global, error);
  if (status != SLIP_OK)
    return status;
  /* Without small blocks in M, as with finite elements, the system knows W only. */
  bool too_full = newton->global && !op->mass->blocks;
  bool rolls = slipi_rolling_has(op->problem->law, op->nc);
  if (rolls || (form == SLIPI_NEWTON_AUTO && lu == SLIPI_LU_AUTO && !too_full))
    return system_create(newton, error);
  status = lu_create(newton, lu, error);
  if (status != SLIP_OK || form != SLIPI_NEWTON_AUTO || lu != SLIPI_LU_AUTO || !is_too_long(newton))
    return status;
  slipi_newton_free(newton);
  *newton = (SlipiNewton){.op = op, .d = op->d, .nc = op->nc, .m = op->m};
  return system_create(newton, error);
}

void slipi_newton_free(SlipiNewton *newton) {
  slipi_lu_free(newton->lu);
  slipi_arena_free(&newton->arena);
  newton->lu = NULL;
}

/* own += Phi_ru (C + shift I): what W has of the contact's own. */
static void add_own(SlipiNewton *newton, const double *Phi_ru) {
  const SlipiOwn *own = slipi_operator_own(newton->op);
  int32_t d = newton->d;
  for (int32_t a = 0; own && a < newton->nc; a++) {
    const double *Phi = Phi_ru + (int64_t)9 * a;
    double block[9] = {0}, *to = newton->own + (int64_t)9 * a;
    slipi_own_block(own, d, a, block);
    for (int32_t i = 0; i < d; i++) {
      for (int32_t j = 0; j < d; j++) {
        for (int32_t l = 0; l < d; l++)
          to[3 * i + j] += Phi[3 * i + l] * block[l * d + j];
      }
    }
  }
}

SlipStatus slipi_newton_factor(SlipiNewton *newton, const double *Phi_ru, const double *Phi_rr,
                               const double *K, double diagonal, double *rcond, SlipError *error) {
  for (int64_t k = 0; k < (int64_t)newton->nc * 9; k++)
    newton->own[k] = Phi_rr[k] + (k % 9 % 4 == 0 ? diagonal : 0);
  if (newton->system) {
    SlipStatus status = system_scale(newton, error);
    if (status != SLIP_OK)
      return status;
    system_values(newton, Phi_ru);
    system_coupling(newton, K);
    return system_factor(newton, rcond, error);
  }
  add_own(newton, Phi_ru);
  if (newton->global)
    global_values(newton, Phi_ru, newton->own);
  else
    local_values(newton, Phi_ru, newton->own);
  return slipi_lu_factor(newton->lu, rcond, error);
}

SlipStatus slipi_newton_solve(SlipiNewton *newton, const double *b, double *d, SlipError *error) {
  if (newton->system)
    return system_solve(newton, b, d, error);
  size_t bytes = (size_t)newton->m * sizeof *b;
  memset(newton->b, 0, (size_t)newton->dof * sizeof *b);
  memcpy(newton->b + newton->dof, b, bytes);
  SlipStatus status = slipi_lu_solve(newton->lu, newton->b, newton->x, error);
  memcpy(d, newton->x + newton->dof, bytes);
  return status;
}
