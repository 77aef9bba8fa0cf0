#include "methods/common_newton.h"

#include <string.h>

/* ---- The local form ---- */

static SlipStatus local_pattern(SlipiOperator *op, SlipiNewton *newton, SlipError *error) {
  SlipStatus status =
      slipi_operator_blocks(op->problem, op->mass, &newton->arena, &newton->W, error);
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

/* ---- Both ---- */

/* Measured with bench/lu.c: the global system is the faster one where W has so many times its
 * entries, and where W is factored densely, so many. */
static const double GLOBAL_FROM_SPARSE = 3.5;
static const double GLOBAL_FROM_DENSE = 10;

static SlipStatus choose_form(SlipiOperator *op, SlipiNewtonForm form, bool *global,
                              SlipError *error) {
  const SlipProblem *problem = op->problem;
  *global = form == SLIPI_NEWTON_GLOBAL;
  if (*global && problem->form == SLIP_LOCAL)
    return slipi_fail(error, SLIP_ERROR_MISMATCH,
                      "the problem is local: without M and H there is no global Newton system; "
                      "use form=local");
  if (form != SLIPI_NEWTON_AUTO || problem->form == SLIP_LOCAL)
    return SLIP_OK;
  double blocks, d = problem->d;
  SlipStatus status = slipi_mass_row_blocks(op->mass, problem, &blocks, error);
  double local = blocks * d * d * problem->nc;
  double entries = (double)problem->M.p[problem->dof] + (1 + d) * problem->H.p[problem->dof];
  bool dense = slipi_lu_wants_dense(problem->m, local);
  *global = status == SLIP_OK && local > (dense ? GLOBAL_FROM_DENSE : GLOBAL_FROM_SPARSE) * entries;
  return status;
}

SlipStatus slipi_newton_create(SlipiOperator *op, SlipiNewtonForm form, SlipiLuKind lu,
                               SlipiNewton *newton, SlipError *error) {
  newton->d = op->d;
  newton->nc = op->nc;
  newton->m = op->m;
  SlipStatus status = choose_form(op, form, &newton->global, error);
  if (status == SLIP_OK) {
    newton->dof = newton->global ? op->problem->dof : 0;
    status = newton->global ? global_pattern(op->problem, newton, error)
                            : local_pattern(op, newton, error);
  }
  if (status != SLIP_OK)
    return status;
  newton->b = SLIPI_ARENA_NEW(&newton->arena, double, newton->A.rows);
  newton->x = SLIPI_ARENA_NEW(&newton->arena, double, (int64_t)newton->nc * 9 + newton->A.rows);
  if (newton->arena.failed)
    return slipi_fail_memory(error, "a Newton matrix");
  return slipi_lu_create(&newton->A, lu, &newton->lu, error);
}

void slipi_newton_free(SlipiNewton *newton) {
  slipi_lu_free(newton->lu);
  slipi_arena_free(&newton->arena);
  newton->lu = NULL;
}

SlipStatus slipi_newton_factor(SlipiNewton *newton, const double *Phi_ru, const double *Phi_rr,
                               double shift, double diagonal, double *rcond, SlipError *error) {
  double *own = newton->x + newton->A.rows; /* the diagonal blocks but for W */
  for (int64_t k = 0; k < (int64_t)newton->nc * 9; k++)
    own[k] = Phi_rr[k] + shift * Phi_ru[k] + (k % 9 % 4 == 0 ? diagonal : 0);
  if (newton->global)
    global_values(newton, Phi_ru, own);
  else
    local_values(newton, Phi_ru, own);
  return slipi_lu_factor(newton->lu, rcond, error);
}

SlipStatus slipi_newton_solve(SlipiNewton *newton, const double *b, double *d, SlipError *error) {
  size_t bytes = (size_t)newton->m * sizeof *b;
  memset(newton->b, 0, (size_t)newton->dof * sizeof *b);
  memcpy(newton->b + newton->dof, b, bytes);
  SlipStatus status = slipi_lu_solve(newton->lu, newton->b, newton->x, error);
  memcpy(d, newton->x + newton->dof, bytes);
  return status;
}
