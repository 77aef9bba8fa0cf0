#include "contact/mass_large.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

static int32_t count_large(const SlipiMass *mass) {
  return mass->components - mass->small_components;
}

/* The first place of a large component, and how many it has. */
static int32_t first_place(const SlipiMass *mass, int32_t large) {
  return mass->start[mass->small_components + large];
}

static int32_t count_places(const SlipiMass *mass, int32_t large) {
  return first_place(mass, large + 1) - first_place(mass, large);
}

/* The rows and columns of M of one component, in the order of their places: columns ascend, as
 * those of M do. */
static void component_part(const SlipiMass *mass, const SlipiCsr *M, int32_t large,
                           SlipiCsr *part) {
  int32_t first = first_place(mass, large), n = count_places(mass, large), used = 0;
  part->rows = part->cols = n;
  part->p[0] = 0;
  for (int32_t row = 0; row < n; row++) {
    int32_t dof = mass->at[first + row];
    for (int32_t k = M->p[dof]; k < M->p[dof + 1]; k++, used++) {
      part->i[used] = mass->place[M->i[k]] - first;
      part->x[used] = M->x[k];
    }
    part->p[row + 1] = used;
  }
}

/* ---- Components with the same matrix ---- */

static uint64_t fingerprint(const SlipiMass *mass, const SlipiCsr *M, int32_t large) {
  int32_t first = first_place(mass, large), n = count_places(mass, large);
  uint64_t hash = slipi_hash_word(0, (uint64_t)n);
  for (int32_t row = 0; row < n; row++) {
    int32_t dof = mass->at[first + row];
    hash = slipi_hash_reals(hash, M->x + M->p[dof], (size_t)(M->p[dof + 1] - M->p[dof]));
  }
  return hash;
}

static bool is_same(const SlipiMass *mass, const SlipiCsr *M, int32_t a, int32_t b) {
  int32_t first_a = first_place(mass, a), first_b = first_place(mass, b), n = count_places(mass, a);
  if (count_places(mass, b) != n)
    return false;
  for (int32_t row = 0; row < n; row++) {
    int32_t dof_a = mass->at[first_a + row], dof_b = mass->at[first_b + row];
    int32_t count = M->p[dof_a + 1] - M->p[dof_a], at_a = M->p[dof_a], at_b = M->p[dof_b];
    if (M->p[dof_b + 1] - at_b != count ||
        memcmp(M->x + at_a, M->x + at_b, (size_t)count * sizeof *M->x) != 0)
      return false;
    for (int32_t k = 0; k < count; k++)
      if (mass->place[M->i[at_a + k]] - first_a != mass->place[M->i[at_b + k]] - first_b)
        return false;
  }
  return true;
}

/* like[k]: the first component with the matrix of component k. */
static bool find_same(const SlipiMass *mass, const SlipiCsr *M, int32_t *like) {
  int32_t count = count_large(mass), firsts = 0;
  SlipiArena arena = {0};
  uint64_t *hash = SLIPI_ARENA_RAW(&arena, uint64_t, count);
  int32_t *first = SLIPI_ARENA_RAW(&arena, int32_t, count); /* those that are like none before */
  bool made = !arena.failed;
  for (int32_t k = 0; k < count && made; k++) {
    hash[k] = fingerprint(mass, M, k);
    like[k] = k;
    for (int32_t f = 0; f < firsts && like[k] == k; f++)
      if (hash[first[f]] == hash[k] && is_same(mass, M, first[f], k))
        like[k] = first[f];
    if (like[k] == k)
      first[firsts++] = k;
  }
  slipi_arena_free(&arena);
  return made;
}

/* ---- Factors ---- */

static SlipStatus factor_components(SlipiMass *mass, const SlipiCsr *M, SlipError *error) {
  SlipiArena *scratch = &mass->scratch;
  SlipiCsr part = {0};
  part.p = SLIPI_ARENA_RAW(scratch, int32_t, (int64_t)mass->largest + 1);
  part.i = SLIPI_ARENA_RAW(scratch, int32_t, M->p[M->rows]);
  part.x = SLIPI_ARENA_RAW(scratch, double, M->p[M->rows]);
  SlipStatus status = scratch->failed ? slipi_fail_memory(error, "the inverse of M") : SLIP_OK;
  for (int32_t k = 0; k < count_large(mass) && status == SLIP_OK; k++) {
    if (mass->like[k] < k) {
      mass->factor[k] = mass->factor[mass->like[k]];
      continue;
    }
    component_part(mass, M, k, &part);
    status = slipi_factor_create(&part, "M", mass->at + first_place(mass, k), &mass->stop,
                                 &mass->factor[k], error);
  }
  slipi_arena_reset(scratch);
  return status;
}

SlipStatus slipi_mass_factor_large(SlipiMass *mass, const SlipProblem *problem, SlipError *error) {
  int32_t count = count_large(mass);
  if (count == 0)
    return SLIP_OK;
  if (problem->lent && problem->lent->first[0] == mass->small) {
    mass->lent = problem->lent;
    mass->lent_unit = problem->lent_unit;
    return SLIP_OK;
  }
  SlipiFactor **factor = SLIPI_ARENA_NEW(&mass->arena, SlipiFactor *, count);
  mass->like = SLIPI_ARENA_RAW(&mass->arena, int32_t, count);
  mass->large = SLIPI_ARENA_NEW(&mass->arena, double, 2 * (int64_t)mass->largest);
  if (mass->arena.failed || !find_same(mass, &problem->M, mass->like))
    return slipi_fail_memory(error, "the inverse of M");
  mass->factor = factor;
  return factor_components(mass, &problem->M, error);
}

void slipi_mass_free_large(SlipiMass *mass) {
  for (int32_t k = 0; mass->factor && k < count_large(mass); k++)
    if (mass->like[k] == k)
      slipi_factor_free(mass->factor[k]);
  mass->factor = NULL;
}

/* ---- Solves ---- */

static SlipStatus solve_lent(const SlipiMass *mass, const double *b, double *x, SlipError *error) {
  const SlipiLent *lent = mass->lent;
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; k < lent->count && status == SLIP_OK; k++)
    status = slipi_factor_solve(lent->factor[k], b + lent->first[k], x + lent->first[k], error);
  for (int32_t k = lent->first[0]; k < mass->dof && mass->lent_unit != 0; k++)
    x[k] = ldexp(x[k], -mass->lent_unit);
  return status;
}

SlipStatus slipi_mass_solve_large(SlipiMass *mass, const double *b, double *x, SlipError *error) {
  if (mass->lent)
    return solve_lent(mass, b, x, error);
  SlipStatus status = SLIP_OK;
  for (int32_t k = 0; mass->factor && k < count_large(mass) && status == SLIP_OK; k++) {
    int32_t n = count_places(mass, k);
    const int32_t *at = mass->at + first_place(mass, k);
    double *values = mass->large, *solved = mass->large + n;
    for (int32_t i = 0; i < n; i++)
      values[i] = b[at[i]];
    status = slipi_factor_solve(mass->factor[k], values, solved, error);
    for (int32_t i = 0; i < n; i++)
      x[at[i]] = solved[i];
  }
  return status;
}
