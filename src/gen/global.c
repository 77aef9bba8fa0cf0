/* A problem in global form with too few degrees of freedom: v, r and u are chosen, then
 * f = M v - H r and w = u - H' v. */
#include "gen/gen.h"

#include <math.h>

/* M: one symmetric positive definite block I + B B'/n of order n per body. */
static void add_mass(SlipiDraft *draft, int32_t body, int n) {
  double B[6][6];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = slipi_random_between(draft->random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 1 : 0;
      for (int k = 0; k < n; k++)
        sum += B[i][k] * B[j][k] / n;
      slipi_entries_add(&draft->M, n * body + i, n * body + j, sum);
    }
}

/* The rows of one body in the columns of one contact. */
static void add_arm(SlipiDraft *draft, int32_t body, int n, int32_t contact) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < draft->d; k++)
      slipi_entries_add(&draft->H, n * body + i, draft->d * contact + k,
                        slipi_random_between(draft->random, -1, 1));
}

/* f = M v - H r, w = u - H' v; w holds u. */
static SlipStatus close_problem(SlipiDraft *draft, SlipError *error) {
  double *v = SLIPI_ARENA_NEW(&draft->arena, double, draft->dof);
  if (draft->arena.failed)
    return slipi_fail_memory(error, "a known velocity");
  for (int32_t i = 0; i < draft->dof; i++)
    v[i] = slipi_random_between(draft->random, -1, 1);
  const SlipiEntries *M = &draft->M, *H = &draft->H;
  for (int64_t k = 0; k < M->count; k++)
    draft->f[M->row[k]] += M->x[k] * v[M->col[k]];
  for (int64_t k = 0; k < H->count; k++) {
    draft->f[H->row[k]] -= H->x[k] * draft->r[H->col[k]];
    draft->w[H->col[k]] -= H->x[k] * v[H->row[k]];
  }
  return SLIP_OK;
}

SlipStatus slipi_gen_deficient_global(const SlipGenerate *options, SlipiDraft *draft,
                                      SlipError *error) {
  int n = options->dimension == 3 ? 6 : 3;
  int64_t m = (int64_t)options->dimension * options->contacts;
  int32_t bodies = (int32_t)((m + 2 * n - 1) / (2 * n));
  draft->form = SLIP_FORM_GLOBAL;
  draft->d = options->dimension;
  draft->nc = options->contacts;
  draft->dof = n * bodies;
  SlipStatus status = slipi_entries_alloc(draft, &draft->H, 2 * m * n, error);
  if (status == SLIP_OK)
    status = slipi_entries_alloc(draft, &draft->M, (int64_t)bodies * n * n, error);
  if (status == SLIP_OK)
    status = slipi_draft_vectors(draft, options->mu, error);
  if (status != SLIP_OK)
    return status;
  for (int32_t b = 0; b < bodies; b++)
    add_mass(draft, b, n);
  for (int32_t a = 0; a < draft->nc; a++) {
    /* Contacts of a body stand together; its counterpart is near in number, or the ground. */
    int32_t one = (int32_t)((int64_t)a * bodies / draft->nc);
    int32_t other = one + 1 + (int32_t)slipi_random_below(draft->random, 4);
    add_arm(draft, one, n, a);
    if (other < bodies)
      add_arm(draft, other, n, a);
  }
  status = slipi_gen_known(draft, draft->w, error);
  return status == SLIP_OK ? close_problem(draft, error) : status;
}
