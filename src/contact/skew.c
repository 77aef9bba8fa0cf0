/* Non-associated flow by a linear map (Tasora, Anitescu, Negrini, Negrut 2013, section 9): with a
 * positive definite block for each contact in H,
 *
 *     r in K,   u = W r + q in -H^-1 N_K(r)     (52)
 *
 * is the problem of associated flow with H W and H q in the places of W and q (53): its velocities
 * are H u. */
#include "contact/compliance.h"
#include "contact/problem.h"

/* Positive definite and symmetric: H and its inverse then leave at most a right angle between the
 * flow and the normal of K. */
static SlipStatus check_block(const double *block, int32_t d, int32_t contact, SlipError *error) {
  double largest = 0;
  for (int32_t k = 0; k < d * d; k++) {
    if (!isfinite(block[k]) || block[k] != block[k % d * d + k / d])
      return slipi_fail(error, SLIP_ERROR_PROBLEM,
                        "the flow matrix of contact %d has the entry (%d, %d) %g but must be "
                        "finite and symmetric",
                        (int)contact, (int)(k / d), (int)(k % d), block[k]);
    largest = fmax(largest, fabs(block[k]));
  }
  double least = slipi_least_eigenvalue(block, d);
  if (!(least > 1e-14 * largest))
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the flow matrix of contact %d is not positive definite: it has the "
                      "eigenvalue %g",
                      (int)contact, least);
  return SLIP_OK;
}

/* The rows of a contact of W may have different patterns: H W has their union, of which duplicate
 * entries are summed where the problem is made. */
static int64_t skewed_entries(const SlipiCsr *W, int32_t d) {
  return (int64_t)d * W->p[W->rows];
}

static void skew_rows(const SlipiCsr *W, const double *H, int32_t d, int32_t *row, int32_t *column,
                      double *x) {
  int64_t used = 0;
  for (int32_t k = 0; k < W->rows; k++) {
    int32_t first = k / d * d;
    for (int32_t e = W->p[k]; e < W->p[k + 1]; e++) {
      for (int32_t i = 0; i < d; i++, used++) {
        row[used] = first + i;
        column[used] = W->i[e];
        x[used] = H[(int64_t)first * d + i * d + k - first] * W->x[e];
      }
    }
  }
}

/* The laws with the flow normal to K, H W and H q. */
static SlipStatus make(const SlipProblem *local, const double *H, SlipiArena *arena,
                       SlipProblem **skewed, SlipError *error) {
  int32_t d = local->d, nc = local->nc, m = local->m;
  SlipiCsr W = local->W;
  SlipStatus status = SLIP_OK;
  if (local->C)
    status = slipi_compliance_add(arena, &local->W, local->C, d, &W, error);
  if (status != SLIP_OK)
    return status;
  int64_t entries = skewed_entries(&W, d);
  if (entries > INT32_MAX)
    return slipi_fail(error, SLIP_ERROR_PROBLEM,
                      "the flow matrix times W has %lld entries; at most %d can be indexed",
                      (long long)entries, INT32_MAX);
  int32_t *row = SLIPI_ARENA_NEW(arena, int32_t, entries);
  int32_t *column = SLIPI_ARENA_NEW(arena, int32_t, entries);
  int32_t *flow = SLIPI_ARENA_NEW(arena, int32_t, nc);
  double *x = SLIPI_ARENA_NEW(arena, double, entries), *q = SLIPI_ARENA_NEW(arena, double, m);
  if (arena->failed)
    return slipi_fail_memory(error, "a problem of non-associated flow");
  skew_rows(&W, H, d, row, column, x);
  for (int32_t k = 0; k < m; k++)
    for (int32_t j = 0; j < d; j++)
      q[k] += H[(int64_t)k * d + j] * local->q[k / d * d + j];
  for (int32_t contact = 0; contact < nc; contact++)
    flow[contact] = SLIP_FLOW_ASSOCIATED;
  SlipLaws laws = local->laws;
  laws.flow = flow;
  SlipLocalData data = slip_default_local_data();
  data.dimension = d;
  data.contacts = nc;
  data.W = (SlipMatrix){SLIP_TRIPLET, m, m, entries, column, row, x};
  data.q = q;
  data.laws = &laws;
  return slip_problem_create_local(&data, skewed, error);
}

SlipStatus slip_problem_skew(const SlipProblem *problem, const double *H, SlipProblem **skewed,
                             SlipError *error) {
  slipi_error_clear(error);
  if (skewed)
    *skewed = NULL;
  if (!SLIPI_IS_PROBLEM(problem) || !H || !skewed)
    return slipi_fail(error, SLIP_ERROR_ARGUMENT,
                      "problem, H or skewed is null, or the problem freed");
  SlipStatus status = SLIP_OK;
  for (int32_t contact = 0; contact < problem->nc && status == SLIP_OK; contact++)
    status =
        check_block(H + (int64_t)contact * problem->d * problem->d, problem->d, contact, error);
  SlipProblem *reduced = NULL;
  if (status == SLIP_OK && problem->form != SLIP_FORM_LOCAL)
    status = slip_problem_reduce(problem, &reduced, error);
  if (status != SLIP_OK)
    return status;
  SlipiArena arena = {0};
  status = make(reduced ? reduced : problem, H, &arena, skewed, error);
  slipi_arena_free(&arena);
  slip_problem_free(reduced);
  return status;
}
